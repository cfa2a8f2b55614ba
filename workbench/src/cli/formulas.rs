//! `generate --formulas`: writes generated instances as formulas, with a manifest, for example for a competition.
//!
//! The expected status of each formula comes from a search, and the manifest says whether the checker verified it. So
//! a solver that disagrees with a checked status is wrong.

use super::args::Generate;
use super::context::Context;
use super::encoding::{Encoding, sat_engine};
use super::exit::{Failure, Status};
use super::expected::{Expected, Searched, expected};
use super::staging::{Staging, unwritable};
use super::verdict::verdict;
use super::{interrupt, settings};
use crate::export;
use crate::study::plural;
use counterpoint_base::sha256;
use std::io::{self, Write};
use std::path::Path;

/// The name of the manifest, which is moved into place last.
const MANIFEST: &str = "manifest.csv";

/// The first line of the manifest.
const COLUMNS: &str = "file,sha256,problem,family,parameters,rules,seed,engine,format,variables,constraints,status,answer,checked";

pub(super) fn run(
    context: &Context,
    args: &Generate,
    folder: &Path,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    let settings = settings::of(problem, &args.rules)?;
    let engine = sat_engine(context, problem, &args.engine)?;
    let format = export::Format::from(args.format);
    // Everything that can fail early is tried before the first file is created, so that a refused command leaves no
    // files.
    let last = (args.seed.checked_add(args.count.saturating_sub(1))).ok_or_else(|| {
        Failure::usage("a seed would be greater than 2^64 - 1; use a smaller --seed or --count")
    })?;
    let first = problem.generate(&settings, &args.family, &args.params, args.seed)?;
    let encoding = Encoding { instance: &*first, engine: &engine };
    export::write(format, &encoding.head(), &encoding, &mut io::sink())?;
    must_not_exist(folder, MANIFEST)?;
    let failed = |e| unwritable(folder, &e);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let staging = Staging::new(folder).map_err(failed)?;
    let mut manifest = staging.create(Path::new(MANIFEST))?;
    writeln!(manifest, "{COLUMNS}")?;
    let mut names = Vec::new();
    let params: Vec<_> = args.params.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let rules: Vec<_> = settings.changed().map(setting).collect();
    for seed in (args.seed..=last).take_while(|_| args.count > 0) {
        let instance = problem.generate(&settings, &args.family, &args.params, seed)?;
        let name: Vec<_> =
            std::iter::once(args.family.as_str()).chain(params.iter().map(String::as_str)).collect();
        let name = format!("{}-{seed}.{format}", name.join("-"));
        must_not_exist(folder, &name)?;
        let mut file = Hashed { file: staging.create(Path::new(&name))?, hash: sha256::Hash::new() };
        let encoding = Encoding { instance: &*instance, engine: &engine };
        let size = export::write(format, &encoding.head(), &encoding, &mut file)?;
        let found = || expected(context, problem, &encoding, Some(args.cpu_limit));
        let found = interrupt::interruptible(found)?;
        // The temporary folder is removed when this function returns.
        if interrupt::is_requested() {
            return Ok(Status::Interrupted);
        }
        let [status, answer, checked] = status(found);
        let row = [
            name.clone(),
            sha256::hex(&file.hash.finalize()),
            problem.name().to_owned(),
            args.family.clone(),
            params.join(" "),
            rules.join(" "),
            seed.to_string(),
            engine.to_string(),
            format.to_string(),
            size.variables.to_string(),
            size.constraints.to_string(),
            status,
            answer,
            checked,
        ];
        writeln!(manifest, "{}", row.map(|cell| quoted(&cell)).join(","))?;
        names.push(name);
    }
    names.push(MANIFEST.to_owned());
    names.iter().try_for_each(|name| staging.publish(Path::new(name)))?;
    writeln!(
        out,
        "wrote {} and manifest.csv to {}",
        plural(args.count, "formula", "formulas"),
        folder.display()
    )?;
    Ok(Status::Done)
}

/// Refuses to overwrite a file.
fn must_not_exist(folder: &Path, name: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    match path.symlink_metadata() {
        Ok(_) => Err(Failure::usage(format!("{} already exists; use another folder", path.display()))),
        Err(_) => Ok(()),
    }
}

/// The last three columns: SAT, UNSAT or UNKNOWN, according to the answer of a search; the outcome of this answer; and
/// the checker's verdict on it.
fn status(found: Searched) -> [String; 3] {
    match found {
        Searched::Answer(Expected { satisfiable, outcome, claims, ended, .. }) => {
            let status = match satisfiable {
                Some(true) => "SAT",
                Some(false) => "UNSAT",
                None => "UNKNOWN",
            };
            [status.to_owned(), outcome, verdict(&claims, ended).to_owned()]
        }
        Searched::NoAnswer(why) => ["UNKNOWN".to_owned(), String::new(), why],
    }
}

/// A rule with its value. A value with white space, such as the contents of a file, is quoted so that it stays on one
/// line.
fn setting((key, value): (&str, &str)) -> String {
    match value.contains(|c: char| c.is_whitespace() || c == '"') {
        true => format!("{key}={value:?}"),
        false => format!("{key}={value}"),
    }
}

/// A cell of a CSV file (RFC 4180).
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// A file, with the hash of its contents.
struct Hashed {
    file: std::fs::File,
    hash: sha256::Hash,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.hash.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
