//! Mutants: each differs from the reference on some input of the trials, and from each other mutant on some input.

use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;
use counterpoint::stress::{Bench, Plan};
use itertools::Itertools;
use std::sync::Arc;

/// The output for an input; `None` if a mutant does not support it.
type Output = Option<String>;

/// Tests that each mutant differs from the reference and from each other mutant on some input of all trials except the
/// slow ones. Stops as soon as all of them differ, and fails after `inputs` inputs.
fn all_differ(problem: &str, slow: &[&str], (seed, inputs): (u64, u64), least: usize) {
    let registry = counterpoint::standard();
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
    let mutants = bench.trials.mutants();
    assert!(mutants.len() >= least, "{}", mutants.len());
    let names: Vec<&str> =
        ["the reference"].into_iter().chain(mutants.iter().map(|info| info.name)).collect();
    // Pairs of programs that no input has distinguished so far.
    let mut alike: Vec<[usize; 2]> = (0..names.len()).array_combinations().collect();
    for number in 1..=inputs {
        let input = plan.input(number, &mut reference);
        if input.games.is_empty() {
            continue;
        }
        let instances: Vec<_> = input.games.iter().map(|game| &*game.instance).collect();
        let right = Some(String::from_utf8(input.expected.clone()).unwrap());
        // Only programs that resemble another one so far have to be run.
        let outputs: Vec<Output> = (0..names.len())
            .map(|program| match program {
                0 => right.clone(),
                _ if alike.iter().any(|pair| pair.contains(&program)) => {
                    bench.trials.mutant_output(program - 1, &instances)
                }
                _ => None,
            })
            .collect();
        alike.retain(|&[a, b]| outputs[a].is_none() || outputs[b].is_none() || outputs[a] == outputs[b]);
        if alike.is_empty() {
            return;
        }
    }
    let pairs: Vec<_> = alike.iter().map(|&[a, b]| [names[a], names[b]]).collect();
    panic!("no input distinguishes {pairs:?}");
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
