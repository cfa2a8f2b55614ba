//! Tests that each bug explains the outputs of a program with this bug, and that for each other program, some
//! formula has an output that the bug does not explain.

use super::super::trials::TRIALS;
use super::*;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};

/// What a program with the bug prints, and its exit status. Without a bug, the output is right.
fn printed(bug: Option<&Bug>, instance: &Instance) -> (String, i32) {
    let mut clauses = Clauses::of(instance);
    let prints = match bug.map(|bug| &bug.does) {
        Some(Does::Reads(change)) => {
            change(&mut clauses);
            None
        }
        Some(Does::Prints(prints)) => Some(*prints),
        None => None,
    };
    let mut model = clauses.model().unwrap();
    match prints {
        Some(Prints::Always(true)) => {
            let any = vec![true; clauses.n_vars as usize];
            model = Some(model.unwrap_or(any));
        }
        Some(Prints::Always(false)) => model = None,
        Some(Prints::Swapped) => {
            model = if model.is_some() { None } else { Some(vec![true; clauses.n_vars as usize]) };
        }
        _ => {}
    }
    let satisfiable = model.is_some();
    let status = match prints {
        Some(Prints::Exit0) => 0,
        Some(Prints::ExitSwapped) => status(!satisfiable),
        _ => status(satisfiable),
    };
    let s = if prints == Some(Prints::NoS) { "" } else { "s " };
    let output = match model {
        _ if prints == Some(Prints::Nothing) => String::new(),
        None => format!("{s}UNSATISFIABLE\n"),
        Some(_) if prints == Some(Prints::NoModel) => format!("{s}SATISFIABLE\n"),
        Some(mut model) => {
            match prints {
                Some(Prints::Negated) => model.iter_mut().for_each(|value| *value = !*value),
                Some(Prints::WithoutLast) => drop(model.pop()),
                _ => {}
            }
            let only_true = prints == Some(Prints::OnlyTrue);
            let numbers = write::numbers(&model).filter(|number| !only_true || *number > 0);
            let numbers: String = numbers.map(|number| format!("{number} ")).collect();
            let end = if prints == Some(Prints::NoEnd) { "" } else { "0" };
            let v = if prints == Some(Prints::NoV) { "" } else { "v " };
            format!("{s}SATISFIABLE\n{v}{numbers}{end}\n")
        }
    };
    (output, status)
}

/// A bug explains all outputs of a program if and only if the program has this bug.
#[test]
fn bugs_explain_their_own_outputs_and_no_others() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let trials = TRIALS.iter().filter(|trial| trial.name != "hard");
    let rounds = trials.flat_map(|trial| (0..60).map(move |round| (trial, round)));
    let formulas: Vec<Instance> =
        rounds.map(|(trial, round)| (trial.make)(&(), round, &mut rng).unwrap()).collect();
    for printer in std::iter::once(None).chain(BUGS.iter().map(Some)) {
        let outputs: Vec<_> = formulas.iter().map(|formula| (formula, printed(printer, formula))).collect();
        for (i, bug) in BUGS.iter().enumerate() {
            let name = printer.map_or("no bug", |printer| printer.name);
            let explains = |(formula, (output, status)): &(&Instance, (String, i32))| {
                let printed = Printed { output: output.as_bytes(), status: *status };
                may_print(i, formula, printed).expect("the formula is small")
            };
            let refuted = outputs.iter().find(|output| !explains(output));
            match refuted {
                Some(output) => assert_ne!(name, bug.name, "{output:?}"),
                None => assert_eq!(name, bug.name, "also explains"),
            }
        }
    }
}

/// The judge accepts right outputs, and rejects an output of each bug.
#[test]
fn the_judge_finds_each_bug() {
    use super::super::answer::Answer;
    use super::super::verdict::judge;
    use counterpoint_core::problem::Judgement;
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let trials = TRIALS.iter().filter(|trial| trial.name != "hard");
    let rounds = trials.flat_map(|trial| (0..40).map(move |round| (trial, round)));
    let formulas: Vec<Instance> =
        rounds.map(|(trial, round)| (trial.make)(&(), round, &mut rng).unwrap()).collect();
    for bug in std::iter::once(None).chain(BUGS.iter().map(Some)) {
        let is_wrong = |instance: &Instance| {
            let answer = Clauses::of(instance).model().unwrap().map_or(Answer::Unsatisfiable, Answer::model);
            let (output, status) = printed(bug, instance);
            let judgement = judge(instance, &answer, Printed { output: output.as_bytes(), status });
            assert!(bug.is_some() || judgement == Judgement::Right, "{judgement:?} {output}");
            judgement != Judgement::Right
        };
        let wrong = formulas.iter().filter(|formula| is_wrong(formula)).count();
        assert_eq!(wrong > 0, bug.is_some(), "{:?}", bug.map(|bug| bug.name));
    }
}
