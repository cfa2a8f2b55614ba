//! A record in columns: reads its values, and restores the whole record.

use super::parts::{CHECKS, Setup, Source, VERDICTS, date};
use super::records::Records;
use super::words::{Column, Hex};
use super::{Check, Limits, Tags, Verdict};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// The position of a time in the columns of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    /// `cpu_s`.
    Cpu,
    /// `wall_s`.
    Wall,
    /// `build_cpu_s`.
    Build,
    /// `solve_cpu_s`.
    Solve,
    /// `check_cpu_s`.
    Check,
    /// `prove_cpu_s`.
    Prove,
}

/// A record in columns.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub(super) records: &'a Records,
    pub(super) at: u32,
}

impl fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}", self.key())
    }
}

impl<'a> Row<'a> {
    fn row(self) -> usize {
        self.at as usize
    }

    fn word(self, column: &Column<u32>) -> Option<&'a str> {
        column.get(self.row()).map(|number| self.records.words.text(number))
    }

    /// The number of the record.
    pub fn number_in_records(self) -> usize {
        self.row()
    }

    /// The run's key.
    pub fn key(self) -> String {
        self.key_bytes().to_string()
    }

    /// The run's key, for comparisons.
    pub(crate) fn key_bytes(self) -> Hex<'a> {
        self.records.key_of(self.at)
    }

    /// The unique name of the attempt.
    pub fn attempt(self) -> String {
        let name = self.word(&self.records.attempt).unwrap_or_default();
        match self.records.attempt_end.get(self.row()) {
            Some(number) => format!("{name}.{number}"),
            None => name.to_owned(),
        }
    }

    /// The number of the attempt, from 1.
    pub fn attempt_number(self) -> u32 {
        self.records.attempt_number.get(self.row()).unwrap_or(1)
    }

    /// The name of the environment.
    pub fn environment(self) -> &'a str {
        self.word(&self.records.environment).unwrap_or_default()
    }

    /// The build of the program that made the record.
    pub fn build(self) -> Option<&'a str> {
        let of_environment = || self.records.builds.get(&self.records.environment.get(self.row())?).copied();
        let build = self.records.build.get(self.row()).or_else(of_environment);
        build.map(|build| self.records.words.text(build))
    }

    /// The node on which the run was made.
    pub fn node(self) -> Option<&'a str> {
        self.word(&self.records.node)
    }

    /// The processor of that node.
    pub fn cpu_model(self) -> Option<&'a str> {
        self.word(&self.records.cpu_model)
    }

    /// The pilot that made the run.
    pub fn pilot(self) -> Option<&'a str> {
        self.word(&self.records.pilot)
    }

    /// What the record has in common with those of similar instances.
    pub fn source(self) -> &'a Source {
        self.records.sources.get(self.source_number())
    }

    /// The number of the source. Records with equal numbers have equal sources.
    pub fn source_number(self) -> u32 {
        self.records.source[self.row()]
    }

    /// What the record has in common with others of the engine.
    pub fn setup(self) -> &'a Setup {
        self.records.setups.get(self.setup_number())
    }

    pub(crate) fn setup_number(self) -> u32 {
        self.records.setup[self.row()]
    }

    /// The problem's name.
    pub fn problem(self) -> &'a str {
        &self.source().problem
    }

    /// The family, or the file that the instance was read from.
    pub fn family(self) -> &'a str {
        &self.source().family
    }

    /// The parameters of the family.
    pub fn params(self) -> &'a Map<String, Value> {
        &self.source().params
    }

    /// The rules that differ from the judge's.
    pub fn rules(self) -> &'a Map<String, Value> {
        &self.source().rules
    }

    /// The engine's id.
    pub fn engine(self) -> &'a str {
        &self.setup().engine
    }

    /// The limits of the run.
    pub fn limits(self) -> Limits {
        self.setup().limits
    }

    /// The tags of the run.
    pub fn tags(self) -> &'a Tags {
        &self.setup().tags
    }

    /// The seed, or the number of the game in a file.
    pub fn seed(self) -> u64 {
        self.records.seed.or_absent(self.row())
    }

    /// The hash of the instance.
    pub fn instance_hash(self) -> String {
        self.hash_bytes().to_string()
    }

    /// The hash of the instance, for comparisons.
    pub(crate) fn hash_bytes(self) -> Hex<'a> {
        self.records.hash_of(self.hash_number())
    }

    pub(crate) fn hash_number(self) -> u32 {
        self.records.hash[self.row()]
    }

    /// The instance and the rules, by number. Records with equal pairs are about the same question.
    pub(crate) fn question(self) -> (u32, u32) {
        (self.hash_number(), self.records.rules[self.source_number() as usize])
    }

    /// The number of the repetition, from 1.
    pub fn repetition(self) -> u32 {
        self.records.repetition.or_absent(self.row())
    }

    /// 0 for the formula as it is; otherwise the seed of a shuffle.
    pub fn shuffle(self) -> u32 {
        self.records.shuffle.or_absent(self.row())
    }

    /// 0 for the default of the external solver; otherwise the seed that it was given.
    pub fn solver_seed(self) -> u32 {
        self.records.solver_seed.or_absent(self.row())
    }

    /// How the attempt ended.
    pub fn verdict(self) -> Option<Verdict> {
        VERDICTS[usize::from(self.records.end[self.row()] >> 2)]
    }

    /// The result of checking a decided answer.
    pub fn check(self) -> Option<Check> {
        CHECKS[usize::from(self.records.end[self.row()] & 3)]
    }

    /// The limit that was reached.
    pub fn limit(self) -> Option<&'a str> {
        self.word(&self.records.limit)
    }

    /// The answer in a word or two.
    pub fn outcome(self) -> Option<&'a str> {
        self.word(&self.records.outcome)
    }

    pub(crate) fn outcome_number(self) -> Option<u32> {
        self.records.outcome.get(self.row())
    }

    /// Why the run is unsupported, failed, open or wrong.
    pub fn reason(self) -> Option<&'a str> {
        self.word(&self.records.reason)
    }

    /// What went wrong without changing the result.
    pub fn remarks(self) -> &'a [String] {
        self.records.remarks.get(&self.at).map_or(&[], |remarks| remarks)
    }

    pub(crate) fn time(self, time: Time) -> Option<f64> {
        self.records.times[time as usize].get(self.row())
    }

    /// CPU time of building and solving.
    pub fn cpu_s(self) -> Option<f64> {
        self.time(Time::Cpu)
    }

    /// The largest resident memory of the process.
    pub fn peak_bytes(self) -> Option<u64> {
        self.records.peak_bytes.get(self.row())
    }

    /// The names of the counters, by number.
    pub(crate) fn shape_number(self) -> Option<u32> {
        self.records.shape.get(self.row())
    }

    /// The counters with their names.
    pub(crate) fn counts(self) -> impl Iterator<Item = (&'a str, u64)> {
        let names = self.shape_number().map_or(&[][..], |shape| self.records.shapes.get(shape));
        let start = self.records.counts_at[self.row()] as usize;
        let mut bytes = self.records.counts[start..].iter();
        names.iter().map(move |name| {
            let (mut count, mut shift) = (0, 0);
            for byte in bytes.by_ref() {
                count |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if *byte < 0x80 {
                    break;
                }
            }
            (name.as_str(), count)
        })
    }

    /// A counter.
    pub fn count(self, name: &str) -> Option<u64> {
        self.counts().find(|(known, _)| *known == name).map(|(_, count)| count)
    }

    /// Nodes plus conflicts. Records contain only counters that are not zero, so a decided run with neither counter did
    /// no work. `None` if a run without an answer has neither counter, for example because it was killed.
    pub fn work(self) -> Option<u64> {
        match (self.count("nodes"), self.count("conflicts")) {
            (None, None) => (self.verdict() == Some(Verdict::Decided)).then_some(0),
            (nodes, conflicts) => Some(nodes.unwrap_or(0) + conflicts.unwrap_or(0)),
        }
    }

    /// How often the run called its solver; `None` if it never did, as in searches.
    pub fn calls(self) -> Option<u64> {
        self.count("solves")
    }

    /// Whether the record shows that its engine counts its work. Searches always do. A solver does if it has reported
    /// conflicts, which external solvers do only if the configuration says how to find them. Other people's programs do
    /// not.
    pub(crate) fn counts_work(self) -> bool {
        self.setup().side == "search" || self.count("nodes").is_some() || self.count("conflicts").is_some()
    }

    /// The answer, if it is kept.
    pub fn answer(self) -> Option<Value> {
        self.records.answers.get(&self.at).and_then(|text| serde_json::from_str(text).ok())
    }

    /// The key of a run with a contradictory answer to the same instance.
    pub fn contradicts(self) -> Option<&'a str> {
        self.records.contradicts.get(&self.at).map(|key| &**key)
    }

    /// CPU time that the engine's program needs to start.
    pub fn startup_cpu_s(self) -> Option<f64> {
        self.records.startup_cpu_s.get(self.row())
    }

    /// CPU time of the whole process.
    pub fn process_cpu_s(self) -> f64 {
        self.records.process_s[0].or_absent(self.row())
    }

    /// Wall time of the whole process.
    pub fn process_wall_s(self) -> f64 {
        self.records.process_s[1].or_absent(self.row())
    }

    /// When the process was started, in microseconds after 1970; `None` if the date has another form.
    pub(crate) fn start_micros(self) -> Option<u64> {
        self.records.start.get(self.row())
    }

    /// When the process was started.
    pub fn start(self) -> String {
        let micros = self.start_micros();
        micros.map_or_else(
            || self.records.other_starts.get(&self.at).map_or(String::new(), |s| s.to_string()),
            date,
        )
    }

    /// Whether the run has an answer that is checked and not contradicted.
    pub fn is_solved(self) -> bool {
        self.is_checked() && self.contradicts().is_none()
    }

    /// Whether the run has an answer that is checked.
    pub(crate) fn is_checked(self) -> bool {
        self.verdict() == Some(Verdict::Decided) && self.check() == Some(Check::Checked)
    }

    /// Whether the run has an answer that is wrong or contradicts another.
    pub fn is_wrong(self) -> bool {
        self.check() == Some(Check::Wrong) || self.contradicts().is_some()
    }

    /// Whether the attempt failed, so that the run can be repeated.
    pub fn has_failed(self) -> bool {
        matches!(self.verdict(), Some(Verdict::Failed) | None)
    }

    pub(crate) fn proof_bytes(self) -> Option<u64> {
        self.records.proof_bytes.get(self.row())
    }

    /// The number of the attempt if the record has one. Records of earlier versions lack it.
    pub(crate) fn given_attempt_number(self) -> Option<u32> {
        self.records.attempt_number.get(self.row())
    }

    pub(crate) fn load(self) -> Option<f64> {
        self.records.load.get(self.row())
    }

    pub(crate) fn pressure_percent(self) -> Option<f64> {
        self.records.pressure_percent.get(self.row())
    }

    pub(crate) fn core(self) -> Option<u32> {
        self.records.core.get(self.row()).map(|core| core as u32)
    }

    pub(crate) fn programs_number(self) -> Option<u32> {
        self.records.programs.get(self.row())
    }

    /// The versions of the external programs that the run uses.
    pub(crate) fn programs(self) -> Option<&'a BTreeMap<String, String>> {
        self.records.programs.get(self.row()).map(|number| self.records.all_programs.get(number))
    }
}

impl Records {
    /// A record by its number.
    pub fn row(&self, number: usize) -> Row<'_> {
        Row { records: self, at: number as u32 }
    }

    /// All records in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row<'_>> + Clone {
        (0..self.len()).map(|number| self.row(number))
    }
}
