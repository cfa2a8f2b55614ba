//! Calls the test `veripb` of `counterpoint_fuzz_checks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| counterpoint_fuzz_checks::run("veripb", data));
