//! Implements [`Problem`] for Ships: the tables of rules, engines, families and studies, and the other capabilities.

use super::answer::{self, Answer};
use super::search::{cover, dlx, fleet_dfs, reason};
use super::study::{self, anatomy, count, hardness, misses, shoot, transition};
use super::{Dialect, Fleet, Instance, JUDGE_SIDE, MAX_MISSES, MAX_SIDE, Poses, Rules, Ships};
use super::{
    check, edit, explain, families, lesson, model, mutants, picture, read, sat, tiny, trials, write,
};
use counterpoint_core::claim::Claim;
use counterpoint_core::engine::{Budget, EngineInfo};
use counterpoint_core::errors::{FormatError, RulesError};
use counterpoint_core::input::{Source, Warnings};
use counterpoint_core::problem::{
    AcceptedProgram, Agreement, Decides, Edit, Engine, Explain, Explanation, Family, Formulas, Lesson,
    Outside, Package, Problem, Reader, Scope, Separators, Stress, Studies, Study, Tour,
};
use counterpoint_core::proof::Proof;
use counterpoint_core::rules::{Rule, Settings, Values};
use counterpoint_core::study::PositionInput;
use serde_json::{Map, Value};
use std::io::{self, Write};

impl Problem for Ships {
    type Rules = Rules;
    type Instance = Instance;
    type Answer = Answer;

    const NAME: &'static str = "ships";
    const ABOUT: &'static str = "Ships (UVa 322, POJ 1138): can the fleet be uncovered with one miss?";

    const RULES: &'static [Rule] = &[
        Rule {
            key: "misses",
            values: Values::Number { min: 0, max: MAX_MISSES, or: &[] },
            default: "1",
            about: "number of misses allowed",
            reading: false,
        },
        Rule {
            key: "fleet",
            values: Values::File { or: families::fleets::NAMES },
            default: "standard",
            about: "the ships: seven one-sided tetrominoes (standard), 12 or 18 pentominoes, or a file with their pictures",
            reading: false,
        },
        Rule {
            key: "turn",
            values: Values::OneOf(&["yes", "no"]),
            default: "yes",
            about: "whether ships may be turned by quarter turns",
            reading: false,
        },
        Rule {
            key: "mirror",
            values: Values::OneOf(&["no", "yes"]),
            default: "no",
            about: "whether ships may be mirrored left to right",
            reading: false,
        },
        Rule {
            key: "dialect",
            values: Values::OneOf(&["auto", "uva", "poj"]),
            default: "auto",
            about: "order in headers: `w h` (uva), `h w` (poj), or inferred from the rows (auto)",
            reading: true,
        },
    ];

    const ENGINES: &'static [Engine<Self>] = &[
        Engine {
            info: EngineInfo::search("cover", "exact cover that stops at the first proof of yes or no")
                .after("Knuth, TAOCP 7.2.2.1; the bounds that let ships overlap: ours"),
            supports: |_, _, _| Ok(()),
            start: || {
                let mut workspaces = cover::Workspaces::default();
                Box::new(move |rules, board, _, budget| cover::solve(&mut workspaces, rules, board, budget))
            },
            formula: None,
        },
        Engine {
            info: EngineInfo::search(
                "fleet-dfs",
                "baseline: enumerates all covered sets ship by ship, then looks for safe shots",
            )
            .after("textbook"),
            supports: |_, _, _| Ok(()),
            start: || Box::new(|rules, board, _, budget| fleet_dfs::solve(rules, board, budget)),
            formula: None,
        },
        Engine {
            info: EngineInfo::search("dlx", "baseline: dancing links from a library, without bounds")
                .after("Knuth 2000; crate dlx"),
            supports: |_, _, _| Ok(()),
            start: || Box::new(|rules, board, _, budget| dlx::solve(rules, board, budget)),
            formula: None,
        },
        Engine {
            info: sat::OWNER,
            supports: sat::supports,
            start: || {
                let mut poses = sat::Poses::default();
                Box::new(move |rules, board, spec, budget| sat::solve(&mut poses, rules, board, spec, budget))
            },
            formula: Some(sat::write),
        },
        Engine {
            info: sat::PLACEMENT,
            supports: sat::supports,
            start: || {
                let mut poses = sat::Poses::default();
                Box::new(move |rules, board, spec, budget| sat::solve(&mut poses, rules, board, spec, budget))
            },
            formula: Some(sat::write),
        },
    ];

    const FAMILIES: &'static [Family<Self>] = &[
        Family {
            name: "random",
            about: "a uniform random fleet, each square uncovered with probability `reveal`; hardest around 0.6",
            params: families::RANDOM,
            make: families::random,
        },
        Family {
            name: "hard",
            about: "each cell of a random fleet is hidden with probability `hidden`; hard: no `o` is known to limit the ships",
            params: families::HARD,
            make: families::hard,
        },
        Family {
            name: "contradictory",
            about: "`hits` random squares are hits; hard near the number of hits from which on no fleet fits",
            params: families::CONTRADICTORY,
            make: families::contradictory,
        },
        Family {
            name: "moved",
            about: "a board of `hard` with `moved` hits moved elsewhere; hard on large boards with few hidden cells, where counting does not show that no fleet fits",
            params: families::MOVED,
            make: families::moved,
        },
        Family {
            name: "packed",
            about: "only the squares of a fleet and `spare` others are unknown; hard if few are spare, as in a puzzle; with `moved`, often no fleet fits",
            params: families::PACKED,
            make: families::packed,
        },
        Family {
            name: "pigeonhole",
            about: "hits too far apart for one ship, `extra` more than ships; hard for SAT if leaders are not counted",
            params: families::PIGEONHOLE,
            make: families::pigeonhole,
        },
    ];

    const STUDIES: Studies<Self> = Studies {
        questions: &[
            Study {
                name: "count",
                about: "number of placements that fit a position or an empty board; squares that they determine",
                params: count::PARAMS,
                rules: &["fleet", "turn", "mirror"],
                position: PositionInput::Optional,
                run: count::count,
            },
            Study {
                name: "sets",
                about: "number of distinct sets of squares that the fleet can cover on an empty board",
                params: count::PARAMS,
                rules: &["fleet", "turn", "mirror"],
                position: PositionInput::None,
                run: count::sets,
            },
            Study {
                name: "misses",
                about: "the minimum number of misses that certainly suffices for a position, with a plan as a tree",
                params: misses::PARAMS,
                rules: &["fleet", "turn", "mirror"],
                position: PositionInput::Required,
                run: misses::misses,
            },
            Study {
                name: "shoot",
                about: "where to shoot next: probability of a hit, expected information and worst case of each shot",
                params: shoot::PARAMS,
                rules: &["fleet", "turn", "mirror"],
                position: PositionInput::Required,
                run: shoot::shoot,
            },
            Study {
                name: "transition",
                about: "share of a random fleet's board that must be uncovered before m misses suffice",
                params: transition::PARAMS,
                rules: &["fleet", "turn", "mirror"],
                position: PositionInput::None,
                run: transition::transition,
            },
            Study {
                name: "hardness",
                about: "work on boards of a family, by the share that decides how hard it is, and the number of misses allowed",
                params: hardness::PARAMS,
                rules: &["fleet", "turn", "mirror"],
                position: PositionInput::None,
                run: hardness::hardness,
            },
            Study {
                name: "anatomy",
                about: "what makes positions hard: rank correlations between features of their hits and the work",
                params: &[],
                rules: &["misses", "fleet", "turn", "mirror"],
                position: PositionInput::Required,
                run: anatomy::anatomy,
            },
            Study {
                name: "families",
                about: "families of k-sets over a few cells: which are won, and on which of the won ones all \
                        greedy plans fail",
                params: study::families::PARAMS,
                rules: &["misses"],
                position: PositionInput::None,
                run: study::families::families,
            },
        ],
        check: Some(check::study::check_study),
        summarize: Some(|study, rows, output| {
            if study == "anatomy" {
                anatomy::summarize(rows, output);
            }
        }),
    };

    const FORMULAS: Formulas<Self> = Formulas {
        obligations: Some(check::obligations),
        read_model: Some(model::read),
        decides: Some(Decides { refuted: model::if_refuted, model: model::of_model }),
        satisfiable: Some(model::satisfiable),
        questions: Some(model::questions),
        ..Formulas::NONE
    };

    const EXPLAIN: Option<Explain<Self>> = Some(|rules, instance, answer, budget| {
        let reason = reason::reason(rules, instance, answer, &sat::satisfy_parts, budget);
        Explanation {
            text: explain::explain(rules, instance, answer, reason.as_ref()),
            boards: picture::picture(rules, instance, answer, reason.as_ref()),
        }
    });

    const OUTSIDE: Outside<Self> = Outside {
        read_verdict: Some(write::read_verdict),
        solve_named: Some(sat::solve_named),
        // The formula does not depend on this rule: its models are all sets that fit. The number of misses is applied
        // to these sets.
        formula_ignores: &["misses"],
    };

    const LESSON: Option<Lesson<Self>> =
        Some(Lesson { engine: "sat:placement/amo=pairwise/leaders=no", scene: lesson::scene });

    const EDIT: Option<Edit<Self>> = Some(edit::EDIT);

    const STRESS: Option<Stress<Rules, Instance, Answer>> = Some(Stress {
        trials: trials::TRIALS,
        first_inputs: 8,
        games: 20,
        input: trials::input,
        smaller: trials::smaller,
        silent: trials::silent,
        mutants: mutants::MUTANTS,
        judge: None,
        encoding: Some(tiny::ENCODING),
        package: Some(Package {
            title: "Ships",
            source: "UVa 322, Ships",
            statement: include_str!("package/problem.en.tex"),
            validator: include_str!("package/validate.py"),
            accepted: AcceptedProgram { file_name: "right.c", text: include_str!("package/right.c") },
        }),
    });

    const SAMPLE: &'static str = "\
10 10
.x..x.....
oooooxoooo
oxooxxx...
xxoooooo..
xoooxooo..
ooxxxxoo..
oooooxxoox
ooooooxoox
ooooooooxx
oooooooooo

0 0
";
    const SEPARATORS: Separators = Separators { end: "0 0\n", between: "\n" };
    const TOUR: &'static [Tour] = &[
        Tour { family: "random", params: &[("n", "8"), ("reveal", "0.7")], seeds: 8 },
        Tour { family: "random", params: &[("w", "12"), ("h", "6"), ("reveal", "0.75")], seeds: 4 },
        Tour { family: "hard", params: &[("n", "8"), ("hidden", "0.3")], seeds: 4 },
        Tour { family: "contradictory", params: &[("n", "10"), ("hits", "9")], seeds: 2 },
    ];

    fn rules(settings: &Settings) -> Result<Rules, RulesError> {
        let fleet = match Fleet::named(settings.get("fleet")) {
            Some(fleet) => fleet,
            None => read::fleet(settings.file("fleet"), settings.get("fleet"))?,
        };
        let is_yes = |key| match settings.get(key) {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(format!("{key}={other} is neither yes nor no")),
        };
        let poses = Poses::allowing(is_yes("turn")?, is_yes("mirror")?);
        Ok(Rules {
            misses: settings.number("misses").unwrap_or(1),
            fleet: fleet.posed(poses),
            dialect: match settings.get("dialect") {
                "auto" => Dialect::Auto,
                "uva" => Dialect::Uva,
                "poj" => Dialect::Poj,
                other => return Err(format!("dialect={other} is none of auto, uva and poj").into()),
            },
        })
    }

    fn read<'a>(
        rules: Rules,
        scope: Scope,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Reader<'a, Instance> {
        let max_side = match scope {
            Scope::Judge => JUDGE_SIDE,
            Scope::Open => MAX_SIDE,
        };
        Box::new(read::read(rules.dialect, max_side, source, warnings))
    }

    fn write_instance(_: &Rules, instance: &Instance) -> String {
        write::write_instance(instance)
    }

    fn write(index: usize, _: &Instance, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
        write::write(index, answer, out)
    }

    fn remark(answer: &Answer) -> Option<String> {
        write::remark(answer)
    }

    fn size(instance: &Instance) -> String {
        instance.size.to_string()
    }

    fn outcome(answer: &Answer) -> String {
        answer::outcome(answer).to_owned()
    }

    fn to_json(_: &Instance, answer: &Answer) -> Map<String, Value> {
        answer::to_json(answer)
    }

    fn from_json(instance: &Instance, json: &Map<String, Value>) -> Result<Answer, FormatError> {
        answer::from_json(instance, json)
    }

    fn agree(a: &Answer, b: &Answer) -> Agreement {
        answer::agree(a, b)
    }

    fn check(
        rules: &Rules,
        instance: &Instance,
        answer: &Answer,
        proofs: &[Proof],
        budget: &mut Budget,
    ) -> Vec<Claim> {
        check::check(rules, instance, answer, proofs, budget)
    }
}
