//! Spot as a [`Problem`]: the tables of its rules, engines and families.

use super::answer::{self, Answer};
use super::search::{canonical, fill, reason, rotate_all, zobrist};
use super::study::{census, forcing, hardness, longest, opponent, rivals, value};
use super::{Instance, Legality, MoveLimit, Rules, Spot, Start};
use super::{
    check, edit, explain, families, formula, lesson, model, mutants, picture, read, sat, tiny, trials, write,
};
use counterpoint_core::board::Group;
use counterpoint_core::claim::Claim;
use counterpoint_core::engine::{Budget, EngineInfo};
use counterpoint_core::errors::{FormatError, RulesError};
use counterpoint_core::input::{Source, Warnings};
use counterpoint_core::problem::{
    AcceptedProgram, Agreement, Decides, Edit, Engine, Explain, Explanation, Family, Formulas, Lesson,
    Outside, Package, Play, Problem, Reader, Scope, Separators, Stress, Studies, Study, Tour,
};
use counterpoint_core::proof::Proof;
use counterpoint_core::rules::{Rule, Settings, Values};
use counterpoint_core::study::PositionInput;
use serde_json::{Map, Value};
use std::io::{self, Write};

impl Problem for Spot {
    type Rules = Rules;
    type Instance = Instance;
    type Answer = Answer;

    const NAME: &'static str = "spot";
    const ABOUT: &'static str =
        "The Spot Game (UVa 141): a player who recreates an earlier pattern, possibly rotated, loses";

    const RULES: &'static [Rule] = &[
        Rule {
            key: "symmetry",
            values: Values::OneOf(&["c4", "d4", "c2", "trivial"]),
            default: "c4",
            about: "boards are equal up to rotations (c4), rotations and reflections (d4), half turns (c2), or only if identical (trivial)",
            reading: false,
        },
        Rule {
            key: "start",
            values: Values::OneOf(&Start::NAMES),
            default: Start::NAMES[0],
            about: "whether the empty board counts as produced at the start",
            reading: false,
        },
        Rule {
            key: "limit",
            values: Values::Number { min: 1, max: 1_000_000, or: &["2N", "none"] },
            default: "2N",
            about: "moves after which a game is drawn; if not 2N, a line with a single token ends a game",
            reading: false,
        },
        Rule {
            key: "lenient",
            values: Values::OneOf(&["no", "yes"]),
            default: "no",
            about: "whether a known move that adds a spot to a spot, or removes one from an empty square, is accepted and changes nothing",
            reading: false,
        },
    ];

    const ENGINES: &'static [Engine<Self>] = &[
        Engine {
            info: EngineInfo::search("zobrist", "incremental hash of each image, hits confirmed exactly")
                .after("Zobrist 1970"),
            supports: zobrist::supports,
            start: || {
                let mut session = zobrist::Session::default();
                Box::new(move |rules, game, _, budget| zobrist::solve(rules, game, &mut session, budget))
            },
            formula: None,
        },
        Engine {
            info: EngineInfo::search("canonical", "the smallest image of each board, stored exactly")
                .after("Read 1978"),
            supports: canonical::supports,
            start: || {
                let mut session = canonical::Session::default();
                Box::new(move |rules, game, _, budget| canonical::solve(rules, game, &mut session, budget))
            },
            formula: None,
        },
        Engine {
            info: EngineInfo::search("rotate-all", "baseline: look up every image of each board")
                .after("textbook"),
            supports: rotate_all::supports,
            start: || Box::new(|rules, game, _, budget| rotate_all::solve(rules, game, budget)),
            formula: None,
        },
        Engine {
            info: EngineInfo::search(
                "fill",
                "smudged records: depth-first search; each pair of boards is a goal",
            )
            .after("Warnsdorff 1823, Prosser 1993; ours"),
            supports: fill::supports,
            start: || Box::new(fill::solve),
            formula: None,
        },
        Engine {
            info: formula::TOGGLES,
            supports: formula::supports,
            start: || Box::new(sat::solve),
            formula: Some(formula::write),
        },
        Engine {
            info: formula::PATH,
            supports: formula::supports,
            start: || Box::new(sat::solve),
            formula: Some(formula::write),
        },
    ];

    const FAMILIES: &'static [Family<Self>] = &[
        Family {
            name: "random",
            about: "each move toggles a random square; easy: on large boards a repeat is rare",
            params: families::SIDE,
            make: families::random,
        },
        Family {
            name: "late",
            about: "no repeat before the last move, which is a repeat if possible; hard: all moves must be compared",
            params: families::SIDE,
            make: families::late,
        },
        Family {
            name: "turned",
            about: "the first repeat is a rotated pattern; hard for programs that forget a rotation",
            params: families::TURNED,
            make: families::turned,
        },
        Family {
            name: "mirror",
            about: "the fifth board is a mirror image of the third, but not a rotation; hard for programs that use mirrors",
            params: families::MIRROR,
            make: families::mirror,
        },
        Family {
            name: "smudged",
            about: "a random record in which `unknown` moves are partly or entirely unknown; hard if most are",
            params: families::SMUDGED,
            make: families::smudged,
        },
        Family {
            name: "block",
            about: "`unknown` consecutive moves are unknown, at the start (`at` 0) to the end (1); hard unless at the end: later moves depend on them",
            params: families::BLOCK,
            make: families::block,
        },
        Family {
            name: "undo",
            about: "every other move at the end is unknown; hard: each can undo the one before it, so many endings are possible",
            params: families::UNDO,
            make: families::undo,
        },
    ];

    const STUDIES: Studies<Self> = Studies {
        questions: &[
            Study {
                name: "classes",
                about: "the class graph of n x n: boards up to the rule symmetry, joined by toggles",
                params: census::PARAMS,
                rules: &["symmetry"],
                position: PositionInput::None,
                run: census::run,
            },
            Study {
                name: "value",
                about: "who wins on n x n with best play, under the rules symmetry, start and limit",
                params: value::PARAMS,
                rules: &["symmetry", "start", "limit"],
                position: PositionInput::None,
                run: value::run,
            },
            Study {
                name: "forcing-limit",
                about: "the smallest limit on moves with which a player can force a win; tries limits up to `most`",
                params: forcing::PARAMS,
                rules: &["symmetry", "start"],
                position: PositionInput::None,
                run: forcing::run,
            },
            Study {
                name: "longest",
                about: "the longest game without a repeat; with `length`, SAT is asked for a game of that many moves",
                params: longest::PARAMS,
                rules: &["symmetry", "start"],
                position: PositionInput::None,
                run: longest::run,
            },
            Study {
                name: "hardness",
                about: "work on smudged records, by family and number of unknown moves",
                params: hardness::PARAMS,
                rules: &["symmetry", "start"],
                position: PositionInput::None,
                run: hardness::run,
            },
            Study {
                name: "rules",
                about: "shortest games that distinguish these rules from wrong ones: mirrors, start, fewer rotations",
                params: rivals::PARAMS,
                rules: &["symmetry", "start", "limit"],
                position: PositionInput::None,
                run: rivals::run,
            },
        ],
        check: Some(check::study::check),
        summarize: None,
    };

    const FORMULAS: Formulas<Self> = Formulas {
        obligations: Some(|rules, instance, answer, _| Ok(check::obligations(rules, instance, answer))),
        obligation_formula: Some(model::obligation_formula),
        read_model: Some(model::read),
        decides: Some(Decides { refuted: model::if_refuted, model: model::of_model }),
        satisfiable: Some(model::satisfiable),
        questions: Some(|_, _| Some(formula::endings::write)),
        ..Formulas::NONE
    };

    const EXPLAIN: Option<Explain<Self>> = Some(|rules, instance, answer, budget| {
        let reasons = reason::reasons(rules, instance, answer, budget);
        Explanation {
            text: explain::explain(rules, instance, answer, &reasons),
            boards: picture::picture(instance, answer, &reasons),
        }
    });

    const OUTSIDE: Outside<Self> = Outside {
        read_verdict: Some(write::read_verdict),
        solve_named: Some(sat::named::solve),
        // The formula depends on every rule: each affects which records have no repeat, or how long a record is.
        formula_ignores: &[],
    };

    const LESSON: Option<Lesson<Self>> = Some(Lesson { engine: "sat:path", scene: lesson::scene });

    const EDIT: Option<Edit<Self>> = Some(edit::EDIT);

    const PLAY: Option<Play<Self>> = Some(Play { params: opponent::PARAMS, start: opponent::start });

    const STRESS: Option<Stress<Rules, Instance, Answer>> = Some(Stress {
        trials: trials::TRIALS,
        first_inputs: 8,
        games: 50,
        input: write::write_instance,
        smaller: trials::smaller,
        silent: trials::silent,
        mutants: mutants::MUTANTS,
        judge: None,
        encoding: Some(tiny::ENCODING),
        package: Some(Package {
            title: "Spot",
            source: "UVa 141, The Spot Game",
            statement: include_str!("package/problem.en.tex"),
            validator: include_str!("package/validate.py"),
            accepted: AcceptedProgram { file_name: "right.py", text: include_str!("package/right.py") },
        }),
    });

    const SAMPLE: &'static str = "2\n1 1 +\n2 2 +\n2 2 -\n1 2 +\n2\n1 1 +\n2 2 +\n1 2 +\n2 2 -\n0\n";
    const SEPARATORS: Separators = Separators { end: "0\n", between: "" };
    const TOUR: &'static [Tour] = &[
        Tour { family: "random", params: &[("n", "2")], seeds: 4 },
        Tour { family: "random", params: &[("n", "3")], seeds: 4 },
        Tour { family: "late", params: &[("n", "6")], seeds: 3 },
        Tour { family: "mirror", params: &[("n", "5")], seeds: 3 },
        Tour { family: "turned", params: &[], seeds: 3 },
        Tour { family: "smudged", params: &[], seeds: 4 },
    ];

    fn rules(settings: &Settings) -> Result<Rules, RulesError> {
        Ok(Rules {
            group: Group::from_name(settings.get("symmetry"))
                .ok_or("the rule symmetry is not c4, d4, c2 or trivial")?,
            start: Start::from_name(settings.get("start"))
                .ok_or("the rule start is not uncounted or counted")?,
            limit: match (settings.get("limit"), settings.number("limit")) {
                (_, Some(moves)) => MoveLimit::Moves(moves),
                ("none", _) => MoveLimit::None,
                ("2N", _) => MoveLimit::TwiceN,
                (other, _) => {
                    return Err(format!("the rule limit is '{other}'; expected a number, 2N or none").into());
                }
            },
            legality: match settings.get("lenient") {
                "yes" => Legality::Lenient,
                "no" => Legality::Strict,
                other => return Err(format!("the rule lenient is '{other}'; expected no or yes").into()),
            },
        })
    }

    fn read<'a>(
        rules: Rules,
        scope: Scope,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Reader<'a, Instance> {
        Box::new(read::read(rules, scope, source, warnings))
    }

    fn write_instance(rules: &Rules, instance: &Instance) -> String {
        write::write_instance(rules, instance)
    }

    fn write(_: usize, _: &Instance, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
        write::write(answer, out)
    }

    fn size(instance: &Instance) -> String {
        format!("{n}x{n}, {} moves", instance.record.len(), n = instance.n)
    }

    fn outcome(answer: &Answer) -> String {
        answer::outcome(answer)
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

    fn is_partial(answer: &Answer) -> bool {
        matches!(answer, Answer::Smudged(findings) if findings.contains(&answer::Finding::Open))
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
