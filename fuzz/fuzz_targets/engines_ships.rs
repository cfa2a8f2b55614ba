//! Calls the test `engines_ships` of `counterpoint_fuzz_checks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| counterpoint_fuzz_checks::run("engines_ships", data));
