//! Writes records as result files for `table-generator`, a program of BenchExec: one XML file for each engine.
//!
//! A file has the runs of its engine. `table-generator` puts runs of the same name side by side, so a run's name
//! contains everything that determines the run except its engine. The category says what our checker found: `correct`
//! and `wrong` need a decided answer, and an open answer is `unknown`. The status of a decided answer is `true`,
//! because `table-generator` counts only runs with the status `true` or `false` as correct or wrong; the answer itself
//! is the column `outcome`.

use crate::harness::Environment;
use crate::record::{Check, Findings, Record, Verdict};
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The first lines of a file: an XML declaration, and the document type that `table-generator` 3 writes itself.
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!DOCTYPE result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN\" \
                    \"https://www.sosy-lab.org/benchexec/result-3.12.dtd\">
";

/// The maximum length of a status or an outcome, in characters.
const MAX_STATUS: usize = 100;

/// What the files contain besides the records.
pub(super) struct Source<'a> {
    /// The experiment's name.
    pub(super) experiment: &'a str,
    /// The name of the set of records.
    pub(super) set: &'a str,
    /// The program's name and version.
    pub(super) program: (&'a str, &'a str),
    /// The environments of the records, each with its name.
    pub(super) environments: &'a [(String, Environment)],
}

/// A file's name and text.
pub(super) type File = (String, String);

/// The files of some records, one for each engine: first the engines in `engines`, then others in the order of the
/// records.
pub(super) fn files(source: &Source<'_>, engines: &[String], records: &[&Record]) -> Vec<File> {
    let names = Names::new(records);
    let present = records.iter().map(|record| record.engine.as_str());
    let order = engines.iter().map(String::as_str).chain(present).unique();
    let with_records = order.map(|engine| {
        let own: Vec<&Record> = records.iter().copied().filter(|record| record.engine == engine).collect();
        (engine, own)
    });
    let files = with_records.filter(|(_, own)| !own.is_empty()).enumerate().map(|(i, (engine, own))| {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "=@.".contains(c) { c } else { '-' };
        let short: String = engine.chars().take(MAX_STATUS).map(plain).collect();
        let name = format!("{}.{:02}-{short}.results.xml", source.experiment, i + 1);
        (name, file(source, engine, &own, &names))
    });
    files.collect()
}

/// The text of the file of an engine.
fn file(source: &Source<'_>, engine: &str, records: &[&Record], names: &Names) -> String {
    let Source { experiment, set, program: (program, version), environments } = source;
    let mut tag = Tag::new("result");
    tag.put("benchmarkname", experiment);
    tag.put("name", engine);
    tag.put("displayName", experiment);
    tag.put("tool", program);
    // Without a module, `table-generator` warns that it cannot extract values from log files. There are no log files.
    tag.put("toolmodule", "benchexec.tools.dummy");
    tag.put("version", version);
    tag.put("generator", &format!("{program} {version}"));
    tag.put("options", &format!("set {set}"));
    let starts = || records.iter().map(|record| record.start.as_str()).filter(|start| !start.is_empty());
    if let (Some(first), Some(last)) = (starts().min(), starts().max()) {
        tag.put("date", first.get(..19).unwrap_or(first));
        tag.put("starttime", first);
        tag.put("endtime", last);
    }
    let limits = |of: fn(&Record) -> Option<String>| {
        records.iter().filter_map(|record| of(record)).unique().join(", ")
    };
    for (name, limit) in [
        ("timelimit", limits(|record| record.limits.cpu_s.map(|s| format!("{s}s")))),
        ("memlimit", limits(|record| record.limits.memory_bytes.map(|bytes| format!("{bytes}B")))),
        ("cpuCores", limits(|record| record.core.map(|_| "1".to_owned()))),
    ] {
        if !limit.is_empty() {
            tag.put(name, &limit);
        }
    }
    let counters: BTreeSet<&str> =
        records.iter().flat_map(|record| record.findings.work.keys()).map(String::as_str).collect();
    let mut out = format!("{HEAD}{}\n  <columns>\n", tag.open());
    for title in
        ["status", "category", "outcome", "cputime", "walltime", "memory"].into_iter().chain(counters)
    {
        let mut column = Tag::new("column");
        column.put("title", title);
        let _ = writeln!(out, "    {}", column.empty());
    }
    out += "  </columns>\n";
    let used: BTreeSet<&str> = records.iter().map(|record| record.environment.as_str()).collect();
    environments
        .iter()
        .filter(|(name, _)| used.contains(name.as_str()))
        .for_each(|(_, environment)| system(environment, &mut out));
    for record in records {
        run(record, &names.of(record), &mut out);
    }
    out + "</result>\n"
}

/// Adds the description of a machine.
fn system(environment: &Environment, out: &mut String) {
    let Environment { node, kernel, cpu_model, cpu_count, turbo, memory_bytes, .. } = environment;
    let mut tags = [("systeminfo", "hostname", node.clone()), ("os", "name", kernel.clone())].map(
        |(tag, key, value)| {
            let mut tag = Tag::new(tag);
            tag.put(key, &value);
            tag
        },
    );
    let mut cpu = Tag::new("cpu");
    cpu.put("model", cpu_model);
    cpu.put("cores", &cpu_count.to_string());
    if let Some(on) = ["no", "yes"].iter().position(|word| word == turbo) {
        cpu.put("turboboostActive", ["false", "true"][on]);
    }
    let mut ram = Tag::new("ram");
    ram.put("size", &format!("{memory_bytes}B"));
    let [system, os] = &mut tags;
    let inner = [os.empty(), cpu.empty(), ram.empty()].map(|tag| format!("    {tag}\n")).concat();
    let _ = writeln!(out, "  {}\n{inner}  </systeminfo>", system.open());
}

/// Adds a run.
fn run(record: &Record, name: &str, out: &mut String) {
    let findings = &record.findings;
    let mut tag = Tag::new("run");
    tag.put("name", name);
    let _ = writeln!(out, "  {}", tag.open());
    let seconds = |s: Option<f64>| s.map(|s| format!("{s}s"));
    let (status, category) = status(record);
    let main = [
        ("status", Some(status)),
        ("category", Some(category.to_owned())),
        ("outcome", findings.outcome.as_deref().map(short)),
        ("cputime", seconds(findings.cpu_s)),
        ("walltime", seconds(findings.wall_s)),
        ("memory", findings.peak_bytes.map(|bytes| format!("{bytes}B"))),
    ];
    let counters = findings.work.iter().map(|(name, count)| (name.as_str(), Some(count.to_string())));
    for (title, value) in main.into_iter().chain(counters) {
        let Some(value) = value else { continue };
        let mut column = Tag::new("column");
        column.put("title", title);
        column.put("value", &value);
        let _ = writeln!(out, "    {}", column.empty());
    }
    *out += "  </run>\n";
}

/// A text as a cell.
fn short(text: &str) -> String {
    text.split_whitespace().join(" ").chars().take(MAX_STATUS).collect()
}

/// The status and the category of a run.
fn status(record: &Record) -> (String, &'static str) {
    let Findings { verdict, limit, check, reason, .. } = &record.findings;
    let decided = || "true".to_owned();
    match (verdict, check) {
        (Some(Verdict::Decided), _) if record.is_wrong() => (decided(), "wrong"),
        (Some(Verdict::Decided), Some(Check::Checked)) => (decided(), "correct"),
        (Some(Verdict::Decided), _) => (decided(), "unknown"),
        (Some(Verdict::Unsupported), _) => ("unsupported".to_owned(), "unknown"),
        (Some(Verdict::Limit), _) => {
            let limit = match limit.as_deref().unwrap_or_default() {
                "cpu" | "wall" => "TIMEOUT".to_owned(),
                "memory" => "OUT OF MEMORY".to_owned(),
                other => format!("LIMIT ({})", short(other)),
            };
            (limit, "error")
        }
        (Some(Verdict::Failed) | None, _) => {
            (format!("ERROR ({})", short(reason.as_deref().unwrap_or("failed"))), "error")
        }
    }
}

/// Gives each run of an engine a name that no other run of the engine has.
struct Names {
    /// Whether the limits vary.
    has_limits: bool,
    has_repetitions: bool,
    has_shuffles: bool,
    has_solver_seeds: bool,
    /// The rules whose values vary.
    rules: Vec<String>,
    /// By name, the hashes of the instances that share this name.
    alike: BTreeMap<String, Vec<String>>,
}

impl Names {
    fn new(records: &[&Record]) -> Self {
        let keys: BTreeSet<&String> = records.iter().flat_map(|record| record.rules.keys()).collect();
        let varies = |key: &&String| !records.iter().map(|record| record.rules.get(*key)).all_equal();
        let mut names = Names {
            has_limits: !records.iter().map(|record| record.limits).all_equal(),
            has_repetitions: records.iter().any(|record| record.repetition > 1),
            has_shuffles: records.iter().any(|record| record.shuffle > 0),
            has_solver_seeds: records.iter().any(|record| record.solver_seed > 0),
            rules: keys.into_iter().filter(varies).cloned().collect(),
            alike: BTreeMap::new(),
        };
        for record in records {
            let hashes = names.alike.entry(names.plain(record)).or_default();
            if !hashes.contains(&record.instance_hash) {
                hashes.push(record.instance_hash.clone());
            }
        }
        names
    }

    /// The name of a run.
    fn of(&self, record: &Record) -> String {
        let name = self.plain(record);
        match self.alike.get(&name) {
            Some(hashes) if hashes.len() > 1 => {
                let hash: String = record.instance_hash.chars().take(8).collect();
                format!("{name} {hash}")
            }
            _ => name,
        }
    }

    /// The name of a run from the values that the plan gives it.
    fn plain(&self, record: &Record) -> String {
        let text = |value: &serde_json::Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let params = record.params.iter().map(|(key, value)| format!(" {key}={}", text(value)));
        let rules = self.rules.iter().filter_map(|key| Some((key, record.rules.get(key)?)));
        let rules = rules.map(|(key, value)| format!(" {key}={}", text(value)));
        let mut name =
            format!("{}{} seed {}{}", record.family, params.format(""), record.seed, rules.format(""));
        let limits = serde_json::to_value(record.limits).ok().filter(|_| self.has_limits);
        for (key, value) in limits.iter().filter_map(serde_json::Value::as_object).flatten() {
            let _ = write!(name, " {key}={value}");
        }
        if self.has_repetitions {
            let _ = write!(name, " repetition {}", record.repetition);
        }
        if self.has_shuffles {
            let _ = write!(name, " shuffle {}", record.shuffle);
        }
        if self.has_solver_seeds {
            let _ = write!(name, " solver seed {}", record.solver_seed);
        }
        name
    }
}

/// A tag with attributes.
struct Tag(String);

impl Tag {
    fn new(name: &str) -> Self {
        Tag(format!("<{name}"))
    }

    /// Adds an attribute.
    fn put(&mut self, name: &str, value: &str) {
        let _ = write!(self.0, " {name}=\"{}\"", escaped(value));
    }

    fn open(&self) -> String {
        format!("{}>", self.0)
    }

    fn empty(&self) -> String {
        format!("{}/>", self.0)
    }
}

/// The value of an attribute. XML allows no control characters, so they become replacement characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", c as u32);
            }
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Source, escaped, files};
    use crate::record::{Check, Findings, Limits, Record, Verdict};

    fn record(engine: &str, seed: u64, findings: Findings) -> Record {
        Record {
            key: format!("{engine}{seed}"),
            family: "a<b> & \"c\"".to_owned(),
            params: [("n".to_owned(), 4.into())].into_iter().collect(),
            seed,
            instance_hash: format!("hash {seed}"),
            engine: engine.to_owned(),
            repetition: 1,
            limits: Limits { cpu_s: Some(2.5), memory_bytes: Some(1 << 30), ..Limits::default() },
            start: "2026-01-02T03:04:05.678Z".to_owned(),
            findings,
            ..Record::default()
        }
    }

    fn decided(check: Check) -> Findings {
        Findings {
            verdict: Some(Verdict::Decided),
            check: Some(check),
            outcome: Some("3 presses\u{1b}[31m".to_owned()),
            cpu_s: Some(0.125),
            wall_s: Some(0.25),
            peak_bytes: Some(4096),
            work: [("conflicts".to_owned(), 7)].into(),
            ..Findings::default()
        }
    }

    #[test]
    fn files_have_the_shape_that_table_generator_reads() {
        let limit = |name: &str| Findings {
            verdict: Some(Verdict::Limit),
            limit: Some(name.to_owned()),
            cpu_s: Some(2.5),
            ..Findings::default()
        };
        let failed = Findings {
            verdict: Some(Verdict::Failed),
            reason: Some("it\nbroke".to_owned()),
            ..Findings::default()
        };
        let unsupported = Findings { verdict: Some(Verdict::Unsupported), ..Findings::default() };
        let found = [decided(Check::Checked), decided(Check::Wrong), decided(Check::Open)].into_iter();
        let found = found.chain([limit("cpu"), limit("memory"), limit("work"), failed, unsupported]);
        let records: Vec<Record> = found
            .enumerate()
            .map(|(i, findings)| record("sat:owner/amo=ladder", i as u64, findings))
            .collect();
        let source =
            Source { experiment: "e", set: "main", program: ("counterpoint", "0.1.0"), environments: &[] };
        let found = files(&source, &[], &records.iter().collect::<Vec<_>>());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "e.01-sat-owner-amo=ladder.results.xml");
        assert_eq!(found[0].1, include_str!("benchexec/expected.xml"));
    }

    #[test]
    fn runs_of_an_engine_have_different_names() {
        let mut records: Vec<Record> =
            (0..7).map(|_| record("search:a", 1, decided(Check::Checked))).collect();
        records[1].repetition = 2;
        records[2].shuffle = 1;
        records[3].limits.cpu_s = None;
        records[4].instance_hash = "other".to_owned();
        records[5].rules.insert("misses".to_owned(), 2.into());
        records[6].solver_seed = 3;
        let other = record("sat:b", 1, decided(Check::Checked));
        let all: Vec<&Record> = records.iter().chain([&other]).collect();
        let source = Source { experiment: "e", set: "main", program: ("c", "1"), environments: &[] };
        let found = files(&source, &["sat:b".to_owned(), "search:a".to_owned()], &all);
        assert!(found[0].0.contains("01-sat-b") && found[1].0.contains("02-search-a"));
        let names = |text: &str| {
            text.lines().filter(|line| line.starts_with("  <run ")).map(str::to_owned).collect::<Vec<_>>()
        };
        let (one, several) = (names(&found[0].1), names(&found[1].1));
        let mut different = several.clone();
        different.sort();
        different.dedup();
        assert_eq!((several.len(), different.len()), (7, 7), "{several:?}");
        assert!(
            several.contains(&one[0]),
            "an instance should have one name in all files: {one:?} {several:?}"
        );
    }

    #[test]
    fn values_are_escaped() {
        assert_eq!(
            escaped("a<b>&\"c\"'\n\u{1b}\u{ffff}ä"),
            "a&lt;b&gt;&amp;&quot;c&quot;'&#10;\u{fffd}\u{fffd}ä"
        );
    }
}
