//! The programs without a fault, from which the mutants differ in one place each, agree with the searches.

use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint::board::Group;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problems::{flip, ships, spot};

#[test]
fn spot() {
    let rules = spot::Rules {
        group: Group::C4,
        start: spot::Start::Uncounted,
        limit: spot::MoveLimit::TwiceN,
        legality: spot::Legality::Strict,
    };
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut compared = 0;
    for (trial, round) in
        spot::trials::TRIALS.iter().flat_map(|trial| (0..12).map(move |round| (trial, round)))
    {
        let Ok(game) = (trial.make)(&rules, round, &mut rng) else { continue };
        let answer = spot::search::rotate_all::solve(&rules, &game, &mut Budget::unlimited());
        let Outcome::Decided(answer) = answer else { panic!("{answer:?}") };
        let mut expected = Vec::new();
        spot::write::write(&answer, &mut expected).unwrap();
        let printed = spot::mutants::faultless(&rules, &[&game]).map(String::into_bytes);
        assert_eq!(printed, Some(expected), "{} {game:?}", spot::answer::outcome(&answer));
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn ships() {
    use ships::search::cover;
    let fleet = ships::Fleet::standard().posed(ships::Poses::Turned);
    let rules = ships::Rules { misses: 1, fleet, dialect: ships::Dialect::Auto };
    let (mut rng, mut workspaces) = (ChaCha8Rng::seed_from_u64(1), cover::Workspaces::default());
    let (mut compared, mut unknown) = (0, 0);
    for (trial, round) in
        ships::trials::TRIALS.iter().flat_map(|trial| (0..8).map(move |round| (trial, round)))
    {
        let Ok(game) = (trial.make)(&rules, round, &mut rng) else { continue };
        let outcome = cover::solve(&mut workspaces, &rules, &game, &mut Budget::unlimited());
        let Outcome::Decided(answer) = outcome else { panic!("{outcome:?}") };
        let mut expected = Vec::new();
        ships::write::write(1, &answer, &mut expected).unwrap();
        match ships::mutants::faultless(&rules, &[&game]) {
            Some(printed) => {
                assert_eq!(printed.into_bytes(), expected, "{}", ships::write::write_instance(&game))
            }
            None => unknown += 1,
        }
        compared += 1;
    }
    assert!(compared > 60 && 10 * unknown < compared, "{compared} {unknown}");
}

#[test]
fn flip() {
    let rules = flip::Rules {
        size: None,
        colours: 2,
        stencil: flip::Stencil::Plus,
        target: flip::Target::Either,
        goal: flip::Goal::Fewest,
        within: None,
    };
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (trial, round) in
        flip::trials::TRIALS.iter().flat_map(|trial| (0..8).map(move |round| (trial, round)))
    {
        let game = (trial.make)(&rules, round, &mut rng).unwrap();
        let outcome = flip::search::bfs::solve(&rules, &game, &mut Budget::unlimited());
        let Outcome::Decided(answer) = outcome else { panic!("{outcome:?}") };
        let mut expected = Vec::new();
        flip::write::write(&answer, &mut expected).unwrap();
        let printed = flip::mutants::faultless(&rules, &[&game]).map(String::into_bytes);
        assert_eq!(printed, Some(expected), "{game:?}");
    }
}
