//! Calls the test `formula_files` of `counterpoint_fuzz_checks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| counterpoint_fuzz_checks::run("formula_files", data));
