//! What the fuzz targets test. Each target is a function of bytes that panics if something is wrong.
//!
//! The functions are here, in a crate of the workspace, so that the stable tool chain compiles them and replays the
//! inputs in `fuzz/corpus` and `fuzz/crashes` ([`TARGETS`], `tests/replay.rs`). The programs in `fuzz/fuzz_targets`
//! only call them; these need a nightly tool chain and a C++ compiler.

mod answers;
mod brute;
mod encodings;
mod engines;
mod files;
mod formats;
mod games;
mod input;
mod playground;
mod proofs;
mod queue;
mod statistics;

/// A fuzz target.
pub struct Target {
    /// Its name: that of its program, and of the folders with its inputs.
    pub name: &'static str,
    /// What it tests, in a few words.
    pub about: &'static str,
    /// The test: panics if something is wrong.
    pub test: fn(&[u8]),
}

const fn target(name: &'static str, about: &'static str, test: fn(&[u8])) -> Target {
    Target { name, about, test }
}

/// Tests an input of the target with this name.
///
/// # Panics
/// If the test fails, or if there is no such target.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.unwrap_or_else(|| panic!("there is no target '{name}'")).test)(data);
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("lrat", "altered LRAT proofs against a slow checker and brute force", proofs::lrat),
    target("drat", "DRAT proofs against a slow checker and brute force; elaborated LRAT", proofs::drat),
    target("veripb", "pseudo-Boolean proofs against brute force", proofs::veripb),
    target("splits", "claims split into cubes against brute force", proofs::splits),
    target("proof_bytes", "readers of proofs: DRAT, LRAT, VeriPB", proofs::proof_bytes),
    target("dimacs", "the streaming reader of DIMACS and its dialects", formats::dimacs),
    target("compressed", "formulas compressed by gzip, bzip2 and xz", formats::compressed),
    target("formula_files", "exported formulas, models, formulas of encoders", formats::formula_files),
    target("cubes", "iCNF files and numbers of cubes", formats::cubes),
    target("opb", "OPB files, by both readers", formats::opb),
    target("judge_spot", "judge input of Spot under all rules", games::spot),
    target("judge_ships", "judge input and fleets of Ships under all rules", games::ships),
    target("judge_flip", "judge input and targets of Flip under all rules", games::flip),
    target("judge_cnf", "formulas as judge input", games::cnf),
    target("engines_spot", "engines of Spot against brute force", engines::spot),
    target("engines_ships", "engines of Ships against brute force", engines::ships),
    target("engines_flip", "engines of Flip against brute force", engines::flip),
    target("engines_cnf", "engines for formulas against brute force", engines::cnf),
    target("encodings", "encodings of constraints against counting", encodings::encodings),
    target("answers", "altered answers of engines", answers::answers),
    target("answer_files", "arbitrary JSON as answers and certificates", answers::answer_files),
    target("plans", "plans of experiments", files::plans),
    target("configurations", "configuration files", files::configurations),
    target("records", "records of runs", files::records),
    target("requests", "requests of the playground", playground::requests),
    target("addresses", "addresses of the playground", playground::addresses),
    target("queue", "operations of the queue against a model", queue::queue),
    target("statistics", "statistics against slow definitions", statistics::statistics),
];
