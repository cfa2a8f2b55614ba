//! Calls the test `answer_files` of `counterpoint_fuzz_checks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| counterpoint_fuzz_checks::run("answer_files", data));
