//! Mutants of the judges: on the trials, each differs from the reference and from every other mutant.

use counterpoint::registry::Registry;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;
use counterpoint::stress::{Bench, Plan};
use std::sync::Arc;

/// The output for each input; `None` if a mutant does not support it.
type Outputs = Vec<Option<String>>;

/// The outputs of the reference and of each mutant, without the inputs of slow trials.
fn outputs(
    problem: &str,
    slow: &[&str],
    (seed, inputs): (u64, u64),
) -> (Outputs, Vec<(&'static str, Outputs)>) {
    let registry = Registry::standard();
    let problem = registry.find(problem).unwrap();
    let bench = Bench {
        problem,
        trials: problem.info().stress.clone().unwrap(),
        settings: Settings::new(problem.rules(), &[], &|_| Err("no files".into())).unwrap(),
        engine: spec::resolve(problem.engines(), &SolverRegistry::built_in(), "search").unwrap().remove(0),
        stop: Arc::new(|| None),
    };
    let infos = bench.trials.trials();
    let quick = (0..infos.len()).filter(|&i| !slow.contains(&infos[i].name));
    let plan = Plan { trials: quick.collect(), seed };
    let mut reference = bench.reference().unwrap();
    let made = (1..=inputs).map(|number| plan.input(number, &mut reference));
    let made: Vec<_> = made.filter(|input| !input.games.is_empty()).collect();
    assert!(2 * made.len() as u64 > inputs);
    let right = made.iter().map(|input| Some(String::from_utf8(input.expected.clone()).unwrap())).collect();
    let mutants = bench.trials.mutants().into_iter().enumerate().map(|(number, info)| {
        let output = |input: &counterpoint::stress::Input| {
            let instances: Vec<_> = input.games.iter().map(|game| &*game.instance).collect();
            bench.trials.mutant_output(number, &instances)
        };
        (info.name, made.iter().map(output).collect())
    });
    (right, mutants.collect())
}

/// Whether the outputs differ on some input.
fn differ(a: &[Option<String>], b: &[Option<String>]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.is_some() && b.is_some() && a != b)
}

fn all_differ(problem: &str, slow: &[&str], inputs: (u64, u64), least: usize) {
    let (right, mutants) = outputs(problem, slow, inputs);
    assert!(mutants.len() >= least, "{}", mutants.len());
    for (i, (name, outputs)) in mutants.iter().enumerate() {
        assert!(differ(outputs, &right), "{problem}: {name} is the judge");
        for (other, others) in &mutants[..i] {
            assert!(differ(outputs, others), "{problem}: {name} is {other}");
        }
    }
}

#[test]
fn spot() {
    all_differ("spot", &["largest"], (1, 200), 43);
}

#[test]
fn ships() {
    all_differ("ships", &["open", "largest", "contradictory"], (1, 300), 44);
}

#[test]
fn flip() {
    all_differ("flip", &[], (1, 800), 36);
}
