//! The runner against engines that misbehave, kills, full disks and company. This program is its own
//! workbench: called with a command it is the command line with a problem of test doubles, so that its
//! workers know them too; otherwise it runs the tests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod attempts;
mod builds;
mod contained;
mod deaths;
mod doubles;
mod experiment;
mod forgeries;
mod limits;
mod plans;
mod queue;
mod records;
mod verified;

use counterpoint::registry::Registry;
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

const COMMANDS: &[&str] = &["run", "status", "cancel", "worker", "new", "doctor", "report"];

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|first| COMMANDS.contains(&first.as_str())) {
        return counterpoint::app(Registry::standard().with::<doubles::Parity>());
    }
    let tests: &[(&str, fn())] = &[
        ("limits_end_what_does_not_end_itself", limits::limits_end_what_does_not_end_itself),
        ("memory_is_bounded", limits::memory_is_bounded),
        ("nothing_is_left_behind", limits::nothing_is_left_behind),
        ("crashes_lies_and_refusals_are_told", limits::crashes_lies_and_refusals_are_told),
        ("contradictions_are_found", limits::contradictions_are_found),
        ("kills_lose_nothing_and_do_nothing_twice", records::kills_lose_nothing_and_do_nothing_twice),
        ("two_share_the_work", records::two_share_the_work),
        ("a_full_disk_spoils_nothing", records::a_full_disk_spoils_nothing),
        ("a_folder_that_cannot_be_written_is_told", records::a_folder_that_cannot_be_written_is_told),
        ("what_is_done_is_not_done_again", records::what_is_done_is_not_done_again),
        ("shuffled_formulas_give_the_same_answers", plans::shuffled_formulas_give_the_same_answers),
        ("another_program_is_not_mixed_in", records::another_program_is_not_mixed_in),
        ("cancelled_runs_go_on_later", records::cancelled_runs_go_on_later),
        ("errors_in_plans_have_their_place", plans::errors_in_plans_have_their_place),
        ("records_are_grouped_by_any_column", plans::records_are_grouped_by_any_column),
        (
            "outside_solvers_of_the_plan_and_of_the_configuration",
            plans::outside_solvers_of_the_plan_and_of_the_configuration,
        ),
        ("what_failed_is_run_again_when_asked", plans::what_failed_is_run_again_when_asked),
        ("solvers_end_with_their_run", limits::solvers_end_with_their_run),
        ("new_plans_run", plans::new_plans_run),
        ("what_escapes_ends_with_its_run", contained::what_escapes_ends_with_its_run),
        ("what_escapes_ends_with_a_killed_worker", contained::what_escapes_ends_with_a_killed_worker),
        ("what_escapes_ends_with_a_killed_runner", contained::what_escapes_ends_with_a_killed_runner),
        ("a_lost_control_group_ends_no_run", limits::a_lost_control_group_ends_no_run),
        ("a_missing_temporary_folder_is_named", limits::a_missing_temporary_folder_is_named),
        ("folders_of_killed_runs_are_swept", limits::folders_of_killed_runs_are_swept),
        ("another_build_is_added_only_when_asked", builds::another_build_is_added_only_when_asked),
        ("one_build_is_no_column", builds::one_build_is_no_column),
        ("runs_whose_batches_vanish_are_queued_again", queue::runs_whose_batches_vanish_are_queued_again),
        ("two_runners_survive_the_loss_of_their_queue", queue::two_runners_survive_the_loss_of_their_queue),
        ("runs_that_stay_missing_are_counted", queue::runs_that_stay_missing_are_counted),
        ("a_stopped_runner_loses_its_batches", queue::a_stopped_runner_loses_its_batches),
        ("a_runner_that_comes_back_shares_the_rest", queue::a_runner_that_comes_back_shares_the_rest),
        ("a_killed_runner_is_named_and_swept", queue::a_killed_runner_is_named_and_swept),
        (
            "the_wall_limit_holds_where_the_worker_is_stopped",
            limits::the_wall_limit_holds_where_the_worker_is_stopped,
        ),
        ("checking_is_no_part_of_the_wall_limit", limits::checking_is_no_part_of_the_wall_limit),
        ("a_worker_that_dies_fails_in_any_phase", deaths::a_worker_that_dies_fails_in_any_phase),
        ("a_worker_that_is_killed_fails_in_any_phase", deaths::a_worker_that_is_killed_fails_in_any_phase),
        ("a_worker_at_a_limit_does_not_fail", deaths::a_worker_at_a_limit_does_not_fail),
        ("retries_count_whatever_the_clock_says", attempts::retries_count_whatever_the_clock_says),
        ("the_first_attempt_that_did_not_fail_counts", attempts::the_first_attempt_that_did_not_fail_counts),
        ("impossible_numbers_do_not_count", forgeries::impossible_numbers_do_not_count),
        ("records_agree_with_their_runs", forgeries::records_agree_with_their_runs),
        ("records_with_earlier_names_of_fields_count", forgeries::records_with_earlier_names_of_fields_count),
        ("damaged_lines_do_not_count", forgeries::damaged_lines_do_not_count),
        ("only_regular_files_are_read", forgeries::only_regular_files_are_read),
        ("altered_records_are_found", verified::altered_records_are_found),
        ("hidden_contradictions_are_found", verified::hidden_contradictions_are_found),
        ("proofs_are_made_again", verified::proofs_are_made_again),
    ];
    let trial = |&(name, test): &(&'static str, fn())| {
        Trial::test(name, move || {
            test();
            Ok::<(), Failed>(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), tests.iter().map(trial).collect()).exit_code()
}
