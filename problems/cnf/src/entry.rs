//! Implements [`Problem`] for formulas.

use super::answer::{self, Answer};
use super::explain::{self, Part};
use super::search::{dpll, walksat};
use super::{
    Cnf, Instance, Origin, check, families, formula, model, mutants, read, sat, trials, verdict, write,
};
use counterpoint_core::claim::Claim;
use counterpoint_core::engine::{Budget, EngineInfo};
use counterpoint_core::errors::{FormatError, RulesError};
use counterpoint_core::input::{Source, Warnings};
use counterpoint_core::problem::{
    self, Decides, Engine, Explain, Explanation, Family, FileInstances, Formulas, Judge, JudgeStatus,
    Outside, Problem, Reader, Scope, Stress, Tour,
};
use counterpoint_core::proof::Proof;
use counterpoint_core::rules::Settings;
use counterpoint_core::study::plural;
use serde_json::{Map, Value};
use std::io::{self, Write};

impl Problem for Cnf {
    type Rules = ();
    type Instance = Instance;
    type Answer = Answer;

    const NAME: &'static str = "cnf";
    const ABOUT: &'static str =
        "Formulas: is there an assignment that satisfies all clauses of a DIMACS file?";
    const SAMPLE: &'static str = "p cnf 3 4\n1 -2 0\n2 -3 0\n1 2 3 0\n-1 -3 0\n";
    const DEFAULT_ENGINE: &'static str = "sat";

    const ENGINES: &'static [Engine<Self>] = &[
        Engine {
            info: EngineInfo::search(
                "dpll",
                "backtracking with unit propagation by watched literals, without learning",
            )
            .after("Davis, Logemann, Loveland 1962; Moskewicz et al. 2001"),
            supports: |_, instance, _| dpll::supports(&instance.formula),
            start: || {
                Box::new(|_, instance, _, budget| {
                    let found = dpll::dpll(&instance.formula, budget);
                    found.map(|model| model.map_or(Answer::Unsatisfiable, Answer::model)).into()
                })
            },
            formula: None,
        },
        Engine {
            info: EngineInfo::search(
                "walksat",
                "local search; it can only find models, and gives up after 25.5 million flips",
            )
            .after("Selman, Kautz, Cohen 1994"),
            supports: |_, instance, _| walksat::supports(&instance.formula),
            start: || {
                Box::new(|_, instance, _, budget| {
                    walksat::walksat(&instance.formula, budget).map(Answer::model).into()
                })
            },
            formula: None,
        },
        Engine {
            info: formula::PLAIN,
            supports: |_, _, _| Ok(()),
            start: || Box::new(|_, instance, spec, budget| sat::solve(instance, spec, budget)),
            formula: Some(|_, instance, _, sink| formula::write(instance, sink)),
        },
    ];

    const FAMILIES: &'static [Family<Self>] = families::FAMILIES;

    const FORMULAS: Formulas<Self> = Formulas {
        obligations: Some(|_, instance, answer, _| Ok(check::obligations(instance, answer))),
        is_obligation: Some(|_, instance, spec| sat::is_obligation(instance, spec)),
        read_model: Some(|_, instance, assignment, budget| model::read(instance, assignment, budget)),
        decides: Some(Decides {
            refuted: |_, instance, _| model::if_refuted(instance),
            model: |_, instance, assignment| model::of_model(instance, assignment.value),
        }),
        satisfiable: Some(|_, _, answer| Some(model::satisfiable(answer))),
        ..Formulas::NONE
    };

    const EXPLAIN: Option<Explain<Self>> = Some(|(), instance, answer, budget| {
        let formula = &*instance.formula;
        let refutes = |parts: &[Part]| {
            let clauses: Vec<usize> = parts
                .iter()
                .filter_map(|part| if let Part::Clause(i) = part { Some(*i) } else { None })
                .collect();
            let parities: Vec<usize> = parts
                .iter()
                .filter_map(|part| if let Part::Parity(i) = part { Some(*i) } else { None })
                .collect();
            sat::refutes(formula, &clauses, &parities, budget)
        };
        let core = match answer {
            Answer::Satisfiable(_) => None,
            Answer::Unsatisfiable => problem::core(&explain::parts(formula), refutes),
        };
        Explanation::from_text(explain::explain(formula, answer, core.as_ref()))
    });

    const OUTSIDE: Outside<Self> = Outside {
        read_verdict: Some(|(), instance, output| write::read_verdict(instance, output)),
        ..Outside::NONE
    };

    const FILE: Option<FileInstances<Instance>> = Some(FileInstances {
        reference: |instance| match &instance.origin {
            Origin::File(reference) => Some(reference),
            Origin::Text => None,
        },
        text: |instance| write::dimacs(&instance.formula),
    });

    const STRESS: Option<Stress<(), Instance, Answer>> = Some(Stress {
        trials: trials::TRIALS,
        first_inputs: trials::KINDS,
        games: 1,
        input: |(), instance| write::dimacs(&instance.formula),
        smaller: trials::smaller,
        silent: |_, _| None,
        mutants: &[],
        judge: Some(Judge {
            judge: verdict::judge,
            bugs: || mutants::BUGS.iter().map(|bug| [bug.name, bug.fault]).collect(),
            may_print: mutants::may_print,
        }),
        encoding: None,
        package: None,
    });

    const JUDGE_STATUS: Option<JudgeStatus<Instance, Answer>> = Some(JudgeStatus {
        unknown: "s UNKNOWN\n",
        of: |answer| match answer {
            Answer::Satisfiable(_) => verdict::SATISFIABLE,
            Answer::Unsatisfiable => verdict::UNSATISFIABLE,
        },
        statuses: &[verdict::SATISFIABLE, verdict::UNSATISFIABLE],
        fault: check::fault,
    });

    /// All of these have models, so the checker needs no proofs.
    const TOUR: &'static [Tour] = &[
        Tour { family: "planted", params: &[("n", "20")], seeds: 6 },
        Tour { family: "parity", params: &[("charge", "even")], seeds: 4 },
        Tour { family: "mutilated", params: &[("w", "4"), ("h", "5")], seeds: 1 },
    ];

    fn rules(_: &Settings) -> Result<(), RulesError> {
        Ok(())
    }

    fn read<'a>(_: (), _: Scope, source: Source<'a>, _: &'a Warnings) -> Reader<'a, Instance> {
        let mut source = Some(source);
        problem::reader(move || source.take().map(read::read).transpose())
    }

    fn write_instance(_: &(), instance: &Instance) -> String {
        write::write_instance(instance)
    }

    fn write(_: usize, _: &Instance, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
        write::write(answer, out)
    }

    fn size(instance: &Instance) -> String {
        let formula = &instance.formula;
        let parities = match formula.parities.len() {
            0 => String::new(),
            n => format!(", {n} parities"),
        };
        format!(
            "{}, {}{parities}",
            plural(formula.n_vars(), "variable", "variables"),
            plural(formula.clauses().len(), "clause", "clauses")
        )
    }

    fn outcome(answer: &Answer) -> String {
        answer::outcome(answer)
    }

    fn to_json(_: &Instance, answer: &Answer) -> Map<String, Value> {
        answer::to_json(answer)
    }

    fn from_json(instance: &Instance, json: &Map<String, Value>) -> Result<Answer, FormatError> {
        answer::from_json(&instance.formula, json)
    }

    fn check(
        _: &(),
        instance: &Instance,
        answer: &Answer,
        proofs: &[Proof],
        budget: &mut Budget,
    ) -> Vec<Claim> {
        check::check(instance, answer, proofs, budget)
    }
}
