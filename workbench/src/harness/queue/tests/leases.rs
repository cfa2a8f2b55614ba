//! When a runner counts as dead.

use super::*;

#[test]
fn a_live_runner_keeps_its_batches_whatever_the_clocks_say() {
    for ahead in [0, 3600] {
        let world = world(2, 2);
        let mut owner = queue(&world, "a", Duration::ZERO);
        owner.claim().unwrap().unwrap();
        let mut other = queue(&world, "b", Duration::from_secs(ahead));
        for _ in 0..50 {
            owner.beat().unwrap();
            other.reclaim().unwrap();
            assert_eq!(world.names(Part::Taken), ["000000-0@a"], "clock ahead by {ahead} s");
            world.pass(SECOND);
        }
    }
}

#[test]
fn a_silent_runner_loses_its_batches_after_the_lease_and_not_before() {
    let world = world(2, 2);
    queue(&world, "a", Duration::ZERO).claim().unwrap().unwrap();
    // The lease counts from the first look, not from the last beat.
    world.pass(TEST_LEASE * 3);
    let mut other = queue(&world, "b", Duration::ZERO);
    for _ in 0..=10 {
        other.reclaim().unwrap();
        assert_eq!(world.names(Part::Taken), ["000000-0@a"]);
        world.pass(SECOND);
    }
    other.reclaim().unwrap();
    assert_eq!(world.names(Part::Todo), ["000000-0~"]);
    assert_eq!(world.names(Part::Deaths), ["000000-0@a"]);
    assert_eq!((world.names(Part::Taken).len(), world.names(Part::Alive)), (0, vec!["b".to_owned()]));
}

#[test]
fn the_batches_of_many_dead_runners_come_back_together() {
    let world = world(1, 40);
    for dead in 0..40 {
        queue(&world, &format!("dead{dead}"), Duration::ZERO).claim().unwrap().unwrap();
    }
    let mut other = queue(&world, "b", Duration::ZERO);
    // A lease and a tenth of it.
    for second in 0..=11 {
        assert_eq!(world.names(Part::Taken).len(), 40, "after {second} s");
        other.beat().unwrap();
        other.reclaim().unwrap();
        world.pass(SECOND);
    }
    assert_eq!((world.names(Part::Taken).len(), world.names(Part::Todo).len()), (0, 40));
    assert_eq!(world.names(Part::Deaths).len(), 40);
    assert_eq!((world.names(Part::Alive), world.names(Part::Beats).len()), (vec!["b".to_owned()], 1));
}

#[test]
fn live_runners_are_watched_without_reading_their_counters() {
    let world = world(1, 20);
    let mut owners: Vec<_> = (0..20).map(|i| queue(&world, &format!("live{i}"), Duration::ZERO)).collect();
    owners.iter_mut().for_each(|owner| drop(owner.claim().unwrap().unwrap()));
    let mut other = queue(&world, "b", Duration::ZERO);
    world.reads.set(0);
    for _ in 0..30 {
        owners.iter_mut().for_each(|owner| owner.beat().unwrap());
        other.reclaim().unwrap();
        world.pass(SECOND);
    }
    assert_eq!((world.reads.get(), world.names(Part::Taken).len()), (0, 20));
}

#[test]
fn a_runner_whose_counter_is_listed_too_late_is_not_dead() {
    let world = world(2, 2);
    let mut owner = queue(&world, "a", Duration::ZERO);
    owner.claim().unwrap().unwrap();
    let mut other = queue(&world, "b", Duration::ZERO);
    for _ in 0..30 {
        let old = world.names(Part::Beats);
        owner.beat().unwrap();
        // The listing goes on showing the first name.
        world.files.borrow_mut().retain(|(part, _), _| *part != Part::Beats);
        world.files.borrow_mut().extend(old.into_iter().map(|name| ((Part::Beats, name), Vec::new())));
        other.reclaim().unwrap();
        assert_eq!(world.names(Part::Taken), ["000000-0@a"]);
        world.pass(SECOND);
    }
}

#[test]
fn time_in_which_nobody_looked_does_not_count() {
    let world = world(2, 2);
    let mut owner = queue(&world, "a", Duration::ZERO);
    owner.claim().unwrap().unwrap();
    let mut other = queue(&world, "b", Duration::ZERO);
    // The folder cannot be reached, so the owner cannot beat.
    other.reclaim().unwrap();
    world.pass(TEST_LEASE * 5);
    other.reclaim().unwrap();
    assert_eq!(world.names(Part::Taken), ["000000-0@a"]);
}

#[test]
fn a_name_that_is_left_over_does_not_hide_a_live_runner() {
    let world = world(2, 2);
    world.files.borrow_mut().insert((Part::Beats, "a@1000".to_owned()), Vec::new());
    let mut owner = queue(&world, "a", Duration::ZERO);
    owner.claim().unwrap().unwrap();
    let mut other = queue(&world, "b", Duration::ZERO);
    for _ in 0..30 {
        owner.beat().unwrap();
        other.reclaim().unwrap();
        assert_eq!(world.names(Part::Taken), ["000000-0@a"]);
        world.pass(SECOND);
    }
}

#[test]
fn a_name_that_is_left_over_does_not_keep_batches() {
    let world = world(2, 2);
    queue(&world, "a", Duration::ZERO).claim().unwrap().unwrap();
    world.files.borrow_mut().remove(&(Part::Alive, "a".to_owned()));
    let mut other = queue(&world, "b", Duration::ZERO);
    for _ in 0..=22 {
        assert_eq!(world.names(Part::Taken), ["000000-0@a"]);
        other.reclaim().unwrap();
        world.pass(SECOND);
    }
    assert_eq!(
        (world.names(Part::Todo), world.names(Part::Beats)),
        (vec!["000000-0~".to_owned()], vec!["b@1".to_owned()])
    );
}
