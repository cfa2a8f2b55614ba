//! Calls the test `judge_spot` of `counterpoint_fuzz_checks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| counterpoint_fuzz_checks::run("judge_spot", data));
