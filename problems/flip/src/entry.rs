//! Implements [`Problem`] for Flip, with tables of its rules, engines, families and studies.

use super::answer::{self, Answer};
use super::search::{algebra, bfs, elimination, first_row, reason};
use super::study::{all_ones, hardest, hardness, histogram, nullity};
use super::{Flip, Goal, Instance, MAX_SIDE, Rules, Stencil, Target};
use super::{
    check, edit, explain, families, formula, lesson, model, mutants, picture, read, sat, tiny, trials, write,
};
use counterpoint_core::claim::Claim;
use counterpoint_core::engine::{Budget, EngineInfo};
use counterpoint_core::errors::{FormatError, RulesError};
use counterpoint_core::input::{Source, Warnings};
use counterpoint_core::problem::{
    AcceptedProgram, Agreement, Decides, Edit, Engine, Explain, Explanation, Family, Formulas, Lesson,
    Outside, Package, Problem, Reader, Scope, Stress, Studies, Study, Tour,
};
use counterpoint_core::proof::Proof;
use counterpoint_core::rules::{Rule, Settings, Values};
use counterpoint_core::study::PositionInput;
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::sync::Arc;

impl Problem for Flip {
    type Rules = Rules;
    type Instance = Instance;
    type Answer = Answer;

    const NAME: &'static str = "flip";
    const ABOUT: &'static str = "Flip Game (POJ 1753): fewest presses that make the board one colour";

    const RULES: &'static [Rule] = &[
        Rule {
            key: "size",
            values: Values::Size { max: MAX_SIDE, or: &["auto"] },
            default: "auto",
            about: "size of every board; auto: 4x4 in judge or if rows have 4 squares, else blank lines separate \
                    boards",
            reading: false,
        },
        Rule {
            key: "stencil",
            values: Values::OneOf(&["plus", "king", "cross", "torus"]),
            default: "plus",
            about: "which squares a press flips besides its own: 4 or 8 neighbours, row and column, or 4 \
                    neighbours on a torus",
            reading: false,
        },
        Rule {
            key: "target",
            values: Values::File { or: &["either", "white", "black"] },
            default: "either",
            about: "the colour of all squares at the end, or a file with the final board",
            reading: false,
        },
        Rule {
            key: "colours",
            values: Values::OneOf(&["2", "3", "5", "7"]),
            default: "2",
            about: "number of colours; with more than two, squares are digits and a press adds 1",
            reading: false,
        },
        Rule {
            key: "goal",
            values: Values::OneOf(&["least", "any"]),
            default: "least",
            about: "the fewest presses, or any solution",
            reading: false,
        },
        Rule {
            key: "within",
            values: Values::Number { min: 0, max: 999_999_999, or: &["none"] },
            default: "none",
            about: "for encode: an upper bound on the number of presses",
            reading: false,
        },
    ];

    const ENGINES: &'static [Engine<Self>] = &[
        Engine {
            info: EngineInfo::search(
                "algebra",
                "polynomials over GF(2) for the plus stencil, then the least weight of a coset",
            )
            .after("Sutner 2000; Hunziker, Machiavelo, Park 2004"),
            supports: algebra::supports,
            start: || {
                let mut solve = algebra::start();
                Box::new(move |rules, board, _, budget| solve(rules, board, budget))
            },
            formula: None,
        },
        Engine {
            info: EngineInfo::search(
                "elimination",
                "light chasing, then elimination by the method of the four Russians",
            )
            .after("Sutner 1989; Albrecht, Bard, Hart 2010"),
            supports: elimination::supports,
            start: || Box::new(|rules, board, _, budget| elimination::solve(rules, board, budget)),
            formula: None,
        },
        Engine {
            info: EngineInfo::search("first-row", "try every first row; the rest follows").after("folklore"),
            supports: first_row::supports,
            start: || Box::new(|rules, board, _, budget| first_row::solve(rules, board, budget)),
            formula: None,
        },
        Engine {
            info: EngineInfo::search("bfs", "baseline: breadth-first search over at most 2^25 boards")
                .after("textbook"),
            supports: bfs::supports,
            start: || Box::new(|rules, board, _, budget| bfs::solve(rules, board, budget)),
            formula: None,
        },
        Engine {
            info: formula::PRESSES,
            supports: sat::supports,
            start: || Box::new(sat::solve),
            formula: Some(formula::write),
        },
        Engine {
            info: formula::NULLSPACE,
            supports: sat::supports,
            start: || Box::new(sat::solve),
            formula: Some(formula::write),
        },
    ];

    const FAMILIES: &'static [Family<Self>] = &[
        Family {
            name: "random",
            about: "each square is black with probability `black`; often impossible",
            params: families::RANDOM,
            make: families::random,
        },
        Family {
            name: "solvable",
            about: "a white board in which each square is pressed with probability `press`",
            params: families::SOLVABLE,
            make: families::solvable,
        },
        Family {
            name: "black",
            about: "the all-black board",
            params: families::BLACK,
            make: families::black,
        },
        Family {
            name: "few",
            about: "solved by `presses` random presses; hard if the null space is large, because other solutions hide \
                    them",
            params: families::FEW,
            make: families::few,
        },
        Family {
            name: "deep",
            about: "needs exactly `presses` presses, or many if that is 0; hard because all smaller sets of presses \
                    must be ruled out",
            params: families::DEEP,
            make: families::deep,
        },
        Family {
            name: "impossible",
            about: "no presses solve it; hard for SAT because a refutation adds up many equations, with sum=long as \
                    many as possible",
            params: families::IMPOSSIBLE,
            make: families::impossible,
        },
    ];

    const STUDIES: Studies<Self> = Studies {
        questions: &[
            Study {
                name: "nullity",
                about: "dimension of the null space on w x h, on n x n, or on all n x n up to `to`",
                params: nullity::PARAMS,
                rules: &["stencil", "colours"],
                position: PositionInput::None,
                run: nullity::run,
            },
            Study {
                name: "all-ones",
                about: "fewest presses that turn all lights off on n x n, or on all n x n up to `to`",
                params: all_ones::PARAMS,
                rules: &["stencil", "colours"],
                position: PositionInput::None,
                run: all_ones::run,
            },
            Study {
                name: "hardest",
                about: "the most presses that any solvable board needs, on n x n or on all n x n up to `to`",
                params: hardest::PARAMS,
                rules: &["stencil", "target", "colours"],
                position: PositionInput::None,
                run: hardest::run,
            },
            Study {
                name: "hardness",
                about: "work of search and SAT on each family of boards on n x n, or on all n x n up to `to`",
                params: hardness::PARAMS,
                rules: &["stencil", "target", "colours"],
                position: PositionInput::None,
                run: hardness::run,
            },
            Study {
                name: "histogram",
                about: "how many boards need 0, 1, 2 ... presses, and how many are impossible",
                params: histogram::PARAMS,
                rules: &["stencil", "target", "colours"],
                position: PositionInput::None,
                run: histogram::run,
            },
        ],
        check: Some(check::study::check),
        summarize: None,
    };

    const FORMULAS: Formulas<Self> = Formulas {
        obligations: Some(|rules, instance, answer, _| Ok(check::obligations(rules, instance, answer))),
        read_model: Some(model::read),
        decides: Some(Decides { refuted: model::if_refuted, model: model::of_model }),
        satisfiable: Some(model::satisfiable),
        objective: Some(|rules, _| (rules.goal == Goal::Fewest).then_some(formula::write_soft)),
        questions: Some(|rules, _| (rules.goal == Goal::Fewest).then_some(formula::write_bounds)),
        search_settings: Some(model::search_settings),
        ..Formulas::NONE
    };

    const EXPLAIN: Option<Explain<Self>> = Some(|rules, instance, answer, budget| {
        let reason = reason::reason(rules, instance, answer, budget);
        Explanation {
            text: explain::explain(rules, instance, answer, reason.as_ref()),
            boards: picture::picture(rules, instance, answer, reason.as_ref()),
        }
    });

    const OUTSIDE: Outside<Self> = Outside {
        read_verdict: Some(write::read_verdict),
        solve_named: Some(sat::named::solve),
        // The formula does not depend on these rules: its models are all presses that solve the board, and the encoder
        // sees the board's size.
        formula_ignores: &["size", "goal"],
    };

    const LESSON: Option<Lesson<Self>> =
        Some(Lesson { engine: "sat:presses/xor=native", scene: lesson::scene });

    const EDIT: Option<Edit<Self>> = Some(edit::EDIT);

    const STRESS: Option<Stress<Rules, Instance, Answer>> = Some(Stress {
        trials: trials::TRIALS,
        first_inputs: 8,
        games: 1,
        input: write::write_instance,
        smaller: trials::smaller,
        silent: |_, _| None,
        mutants: mutants::MUTANTS,
        judge: None,
        encoding: Some(tiny::ENCODING),
        package: Some(Package {
            title: "Flip Game",
            source: "POJ 1753, Flip Game",
            statement: include_str!("package/problem.en.tex"),
            validator: include_str!("package/validate.py"),
            accepted: AcceptedProgram { file_name: "right.py", text: include_str!("package/right.py") },
        }),
    });

    const SAMPLE: &'static str = "bwwb\nbbwb\nbwwb\nbwww\n";
    const TOUR: &'static [Tour] = &[
        Tour { family: "random", params: &[], seeds: 6 },
        Tour { family: "solvable", params: &[], seeds: 6 },
        Tour { family: "random", params: &[("n", "3")], seeds: 3 },
        Tour { family: "solvable", params: &[("w", "6"), ("h", "5")], seeds: 5 },
    ];

    fn rules(settings: &Settings) -> Result<Rules, RulesError> {
        let colours = settings.number("colours").unwrap_or(2);
        let given = settings.size("size");
        let target = match settings.get("target") {
            "either" => Target::Either,
            word @ ("white" | "black") if colours > 2 => {
                return Err(
                    format!("target={word} requires two colours; use target=either or name a file").into()
                );
            }
            "white" => Target::White,
            "black" => Target::Black,
            text => Target::Board(Arc::new(read::target(colours, settings.file("target"), text)?)),
        };
        let size = match (&target, given) {
            (Target::Board(board), Some(size)) if board.size != size => {
                return Err(format!("the target is {}, but the rule size says {size}", board.size).into());
            }
            (Target::Board(board), _) => Some(board.size),
            _ => given,
        };
        Ok(Rules {
            size,
            colours,
            target,
            stencil: match settings.get("stencil") {
                "plus" => Stencil::Plus,
                "king" => Stencil::King,
                "cross" => Stencil::Cross,
                "torus" => Stencil::Torus,
                other => return Err(format!("stencil={other} is none of plus, king, cross and torus").into()),
            },
            goal: match settings.get("goal") {
                "least" => Goal::Fewest,
                "any" => Goal::Any,
                other => return Err(format!("goal={other} is neither least nor any").into()),
            },
            within: settings.number("within"),
        })
    }

    fn read<'a>(
        rules: Rules,
        scope: Scope,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Reader<'a, Instance> {
        Box::new(read::read(&rules, scope, source, warnings))
    }

    fn write_instance(rules: &Rules, instance: &Instance) -> String {
        write::write_instance(rules, instance)
    }

    fn write(_: usize, _: &Instance, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
        write::write(answer, out)
    }

    fn size(instance: &Instance) -> String {
        instance.size.to_string()
    }

    fn outcome(answer: &Answer) -> String {
        answer::outcome(answer)
    }

    fn to_json(instance: &Instance, answer: &Answer) -> Map<String, Value> {
        answer::to_json(instance.size, answer)
    }

    fn from_json(instance: &Instance, json: &Map<String, Value>) -> Result<Answer, FormatError> {
        answer::from_json(instance.size, json)
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
