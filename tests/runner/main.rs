//! The runner with engines that misbehave, killed processes, full disks, and several runners at once.
//!
//! This test program is also the program under test. If its first argument is a command, it acts as the command line,
//! with a problem whose engines are test doubles, so its workers know these engines. Otherwise it runs the tests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/samples.rs"]
mod samples;

mod attempts;
mod builds;
mod compacted;
mod contained;
mod cubes;
mod deaths;
mod doubles;
mod experiment;
mod files;
mod forged_cubes;
mod forgeries;
mod guarded;
mod interrupted;
mod limits;
mod outside;
mod pinned;
mod plans;
mod queue;
mod records;
mod simulated;
mod split_cubes;
mod tags;
mod verified;

use libtest_mimic::{Arguments, Failed, Trial};
use std::num::NonZero;
use std::process::ExitCode;

const COMMANDS: &[&str] =
    &["run", "status", "cancel", "worker", "new", "doctor", "report", "check", "compact"];

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|first| COMMANDS.contains(&first.as_str())) {
        return counterpoint::app(counterpoint::standard().with::<doubles::Parity>());
    }
    let tests: &[(&str, fn())] = &[
        (
            "engines_that_do_not_stop_are_ended_by_limits",
            limits::engines_that_do_not_stop_are_ended_by_limits,
        ),
        ("cubes_are_solved_and_put_together", cubes::cubes_are_solved_and_put_together),
        ("the_first_model_ends_all_cubes", cubes::the_first_model_ends_all_cubes),
        ("cubes_at_a_limit_are_named", cubes::cubes_at_a_limit_are_named),
        (
            "only_answers_of_one_formula_are_cut_into_cubes",
            cubes::only_answers_of_one_formula_are_cut_into_cubes,
        ),
        (
            "cubes_of_boards_are_proved_from_plain_formulas",
            cubes::cubes_of_boards_are_proved_from_plain_formulas,
        ),
        ("killed_runners_lose_no_cube", cubes::killed_runners_lose_no_cube),
        ("cubes_at_a_limit_are_split", split_cubes::cubes_at_a_limit_are_split),
        ("killed_runners_lose_no_half_of_a_cube", split_cubes::killed_runners_lose_no_half),
        ("forged_halves_of_cubes_are_refused", split_cubes::forged_halves_are_refused),
        ("a_set_of_cubes_becomes_one_file", split_cubes::a_set_of_cubes_becomes_one_file),
        ("forged_results_of_cubes_are_refused", forged_cubes::forged_results_of_cubes_are_refused),
        ("forged_folders_of_cubes_are_refused", forged_cubes::forged_folders_of_cubes_are_refused),
        ("errors_about_cubes_have_a_position", cubes::errors_about_cubes_have_a_position),
        ("memory_is_bounded", limits::memory_is_bounded),
        ("limits_may_be_very_large", limits::limits_may_be_very_large),
        ("no_process_is_left_behind", limits::no_process_is_left_behind),
        (
            "crashes_wrong_answers_and_refusals_are_reported",
            limits::crashes_wrong_answers_and_refusals_are_reported,
        ),
        ("contradictions_are_found", limits::contradictions_are_found),
        ("kills_lose_no_record_and_repeat_no_run", records::kills_lose_no_record_and_repeat_no_run),
        ("a_set_becomes_one_file", compacted::a_set_becomes_one_file),
        (
            "a_damaged_copy_of_a_line_replaces_no_record",
            compacted::a_damaged_copy_of_a_line_replaces_no_record,
        ),
        ("a_set_that_a_process_works_on_is_refused", compacted::a_set_that_a_process_works_on_is_refused),
        ("a_link_between_files_of_a_set_is_refused", compacted::a_link_between_files_of_a_set_is_refused),
        ("killed_processes_lose_and_double_no_record", compacted::killed_processes_lose_and_double_no_record),
        ("two_runners_share_the_work", records::two_runners_share_the_work),
        ("a_full_disk_loses_no_record", records::a_full_disk_loses_no_record),
        #[cfg(target_os = "linux")]
        ("an_exceeded_quota_loses_no_record", records::an_exceeded_quota_loses_no_record),
        ("a_folder_that_cannot_be_written_is_reported", records::a_folder_that_cannot_be_written_is_reported),
        ("runs_with_records_are_not_repeated", records::runs_with_records_are_not_repeated),
        ("shuffled_formulas_give_the_same_answers", plans::shuffled_formulas_give_the_same_answers),
        ("records_of_another_program_are_not_mixed_in", records::records_of_another_program_are_not_mixed_in),
        ("cancelled_runs_are_resumed_later", records::cancelled_runs_are_resumed_later),
        ("errors_in_plans_have_a_position", plans::errors_in_plans_have_a_position),
        ("records_are_grouped_by_any_column", plans::records_are_grouped_by_any_column),
        (
            "external_solvers_of_the_plan_and_of_the_configuration",
            plans::external_solvers_of_the_plan_and_of_the_configuration,
        ),
        ("failed_runs_are_repeated_only_with_retry", plans::failed_runs_are_repeated_only_with_retry),
        ("solvers_end_with_their_run", limits::solvers_end_with_their_run),
        ("families_may_have_rules", plans::families_may_have_rules),
        ("new_plans_run", plans::new_plans_run),
        ("files_are_found_by_patterns", files::files_are_found_by_patterns),
        ("files_that_cannot_be_read_are_named", files::files_that_cannot_be_read_are_named),
        ("files_that_change_are_refused", files::files_that_change_are_refused),
        ("solvers_get_copies_of_plain_files", files::solvers_get_copies_of_plain_files),
        ("runs_are_pinned_with_all_their_processes", pinned::runs_are_pinned_with_all_their_processes),
        ("a_core_is_used_by_one_experiment", pinned::a_core_is_used_by_one_experiment),
        ("tags_change_without_repeating_runs", tags::tags_change_without_repeating_runs),
        ("tags_are_filters_and_columns", tags::tags_are_filters_and_columns),
        ("errors_in_tags_have_a_position", tags::errors_in_tags_have_a_position),
        ("escaped_processes_end_with_their_run", contained::escaped_processes_end_with_their_run),
        ("escaped_processes_end_with_a_killed_worker", contained::escaped_processes_end_with_a_killed_worker),
        ("escaped_processes_end_with_a_killed_runner", contained::escaped_processes_end_with_a_killed_runner),
        ("a_lost_control_group_does_not_end_a_run", limits::a_lost_control_group_does_not_end_a_run),
        ("a_missing_temporary_folder_is_named", limits::a_missing_temporary_folder_is_named),
        ("folders_of_killed_runs_are_deleted", limits::folders_of_killed_runs_are_deleted),
        (
            "another_build_is_added_only_if_it_is_accepted",
            builds::another_build_is_added_only_if_it_is_accepted,
        ),
        ("a_single_build_has_no_column", builds::a_single_build_has_no_column),
        ("runs_whose_batches_vanish_are_queued_again", queue::runs_whose_batches_vanish_are_queued_again),
        ("two_runners_survive_the_loss_of_their_queue", queue::two_runners_survive_the_loss_of_their_queue),
        ("runs_that_stay_missing_are_counted", queue::runs_that_stay_missing_are_counted),
        ("a_suspended_runner_loses_its_batches", queue::a_suspended_runner_loses_its_batches),
        (
            "a_runner_that_continues_shares_the_remaining_runs",
            queue::a_runner_that_continues_shares_the_remaining_runs,
        ),
        (
            "a_killed_runner_is_reported_and_its_files_are_deleted",
            queue::a_killed_runner_is_reported_and_its_files_are_deleted,
        ),
        ("no_run_is_lost_on_a_sound_cluster", simulated::no_run_is_lost_on_a_sound_cluster),
        ("no_run_is_lost_when_nodes_die", simulated::no_run_is_lost_when_nodes_die),
        ("no_run_is_lost_when_pilots_are_suspended", simulated::no_run_is_lost_when_pilots_are_suspended),
        ("no_run_is_lost_when_the_folder_misbehaves", simulated::no_run_is_lost_when_the_folder_misbehaves),
        ("no_run_is_lost_when_everything_goes_wrong", simulated::no_run_is_lost_when_everything_goes_wrong),
        (
            "only_runs_that_kill_their_pilots_are_set_aside",
            simulated::only_runs_that_kill_their_pilots_are_set_aside,
        ),
        (
            "the_wall_limit_holds_if_the_worker_is_suspended",
            limits::the_wall_limit_holds_if_the_worker_is_suspended,
        ),
        (
            "checking_does_not_count_towards_the_wall_limit",
            limits::checking_does_not_count_towards_the_wall_limit,
        ),
        ("a_worker_that_dies_fails_in_any_phase", deaths::a_worker_that_dies_fails_in_any_phase),
        ("a_run_that_kills_its_runners_is_set_aside", deaths::a_run_that_kills_its_runners_is_set_aside),
        ("a_worker_that_is_killed_fails_in_any_phase", deaths::a_worker_that_is_killed_fails_in_any_phase),
        #[cfg(target_os = "linux")]
        (
            "a_run_that_ends_with_its_pilot_does_not_fail",
            deaths::a_run_that_ends_with_its_pilot_does_not_fail,
        ),
        ("a_worker_that_reaches_a_limit_does_not_fail", deaths::a_worker_that_reaches_a_limit_does_not_fail),
        (
            "retries_count_even_if_the_clock_was_set_back",
            attempts::retries_count_even_if_the_clock_was_set_back,
        ),
        ("the_first_attempt_that_did_not_fail_counts", attempts::the_first_attempt_that_did_not_fail_counts),
        ("impossible_numbers_do_not_count", forgeries::impossible_numbers_do_not_count),
        ("records_agree_with_their_runs", forgeries::records_agree_with_their_runs),
        ("records_with_earlier_names_of_fields_count", forgeries::records_with_earlier_names_of_fields_count),
        ("damaged_lines_do_not_count", forgeries::damaged_lines_do_not_count),
        ("only_regular_files_are_read", forgeries::only_regular_files_are_read),
        ("altered_records_are_found", verified::altered_records_are_found),
        ("hidden_contradictions_are_found", verified::hidden_contradictions_are_found),
        ("proofs_are_derived_again", verified::proofs_are_derived_again),
        ("declared_engines_take_part_in_experiments", outside::declared_engines_take_part_in_experiments),
        ("failures_of_declared_engines_are_recorded", outside::failures_of_declared_engines_are_recorded),
        ("faulty_formulas_are_recorded", outside::faulty_formulas_are_recorded),
        ("wrong_programs_are_named", outside::wrong_programs_are_named),
        ("wrong_answers_count_more_than_failures", outside::wrong_answers_count_more_than_failures),
        ("a_slot_that_panics_ends_the_runner", outside::a_slot_that_panics_ends_the_runner),
        #[cfg(target_os = "linux")]
        (
            "programs_end_with_a_runner_that_is_killed_before_its_first_run",
            guarded::programs_end_with_a_runner_that_is_killed_before_its_first_run,
        ),
        #[cfg(target_os = "linux")]
        (
            "the_start_of_a_program_is_measured_within_the_limits_of_the_plan",
            guarded::the_start_of_a_program_is_measured_within_the_limits_of_the_plan,
        ),
        (
            "the_start_of_a_program_is_measured_once_for_a_set",
            guarded::the_start_of_a_program_is_measured_once_for_a_set,
        ),
        #[cfg(target_os = "linux")]
        (
            "a_program_that_is_refused_memory_reaches_the_limit",
            guarded::a_program_that_is_refused_memory_reaches_the_limit,
        ),
        ("declarations_are_part_of_the_plan", outside::declarations_are_part_of_the_plan),
        (
            "a_killed_runner_leaves_no_record_of_a_program",
            interrupted::a_killed_runner_leaves_no_record_of_a_program,
        ),
        (
            "a_killed_runner_leaves_no_record_of_an_unchecked_answer",
            interrupted::a_killed_runner_leaves_no_record_of_an_unchecked_answer,
        ),
        ("a_suspended_worker_is_continued", interrupted::a_suspended_worker_is_continued),
        ("a_suspended_worker_reaches_its_wall_limit", interrupted::a_suspended_worker_reaches_its_wall_limit),
        (
            "a_program_that_leaves_its_group_is_measured_and_ended",
            interrupted::a_program_that_leaves_its_group_is_measured_and_ended,
        ),
        (
            "a_program_that_changes_its_version_is_recorded_with_the_version_of_the_session",
            interrupted::a_program_that_changes_its_version_is_recorded_with_the_version_of_the_session,
        ),
    ];
    let trial = |&(name, test): &(&'static str, fn())| {
        Trial::test(name, move || {
            test();
            Ok::<(), Failed>(())
        })
    };
    let mut arguments = Arguments::from_args();
    // Many of these tests wait for limits and for other processes.
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    arguments.test_threads.get_or_insert(2 * processors);
    libtest_mimic::run(&arguments, tests.iter().map(trial).collect()).exit_code()
}
