//! `generate --formulas`: a family as formulas for a competition, with a manifest.
//!
//! The expected status is the search's, with the checker's word for it: whoever runs solvers on the files
//! knows which of them to doubt.

use super::args::Generate;
use super::context::Context;
use super::encoding::{Encoding, model};
use super::exit::{Failure, Status};
use super::expected::{Expected, expected};
use super::settings;
use super::staging::{Staging, unwritable};
use super::verdict::verdict;
use crate::erased::DynProblem;
use crate::export;
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::path::Path;

/// The manifest, which is the last to appear.
const MANIFEST: &str = "manifest.csv";

/// The manifest's first line.
const COLUMNS: &str = "file,sha256,problem,family,parameters,rules,seed,engine,format,variables,constraints,status,answer,checked";

pub(super) fn run(
    context: &Context,
    args: &Generate,
    folder: &Path,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    let settings = settings::of(problem, &args.rules)?;
    let engine = model(context, problem, &args.engine)?;
    let format = export::Format::from(args.format);
    // What is refused shall leave no trace: first whether there are such formulas, then whether there is room.
    let last = (args.seed.checked_add(args.count.saturating_sub(1)))
        .ok_or_else(|| Failure::usage("there are no seeds past 2^64 - 1"))?;
    let first = problem.generate(&settings, &args.family, &args.params, args.seed)?;
    let encoding = Encoding { instance: &*first, engine: &engine };
    export::write(format, &encoding.head(), &encoding, &mut io::sink())?;
    free(folder, MANIFEST)?;
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
        free(folder, &name)?;
        let mut file = Hashed { file: staging.create(Path::new(&name))?, hash: Sha256::new() };
        let encoding = Encoding { instance: &*instance, engine: &engine };
        let size = export::write(format, &encoding.head(), &encoding, &mut file)?;
        let [status, answer, checked] = status(context, problem, &encoding)?;
        let row = [
            name.clone(),
            file.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
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
    writeln!(out, "{} formulas and manifest.csv in {}", args.count, folder.display())?;
    Ok(Status::Done)
}

/// Another family's files are kept.
fn free(folder: &Path, name: &str) -> Result<(), Failure> {
    match folder.join(name).symlink_metadata() {
        Ok(_) => {
            Err(Failure::usage(format!("{} holds a {name} already; name another folder", folder.display())))
        }
        Err(_) => Ok(()),
    }
}

/// SAT, UNSAT or UNKNOWN by a search; its answer; and what the checker says of that.
fn status(
    context: &Context,
    problem: &dyn DynProblem,
    encoding: &Encoding<'_>,
) -> Result<[String; 3], Failure> {
    Ok(match expected(context, problem, encoding)? {
        Ok(Expected { satisfiable, outcome, claims, ended, .. }) => {
            let status = match satisfiable {
                Some(true) => "SAT",
                Some(false) => "UNSAT",
                None => "UNKNOWN",
            };
            [status.to_owned(), outcome, verdict(&claims, ended).to_owned()]
        }
        Err(why) => ["UNKNOWN".to_owned(), String::new(), why],
    })
}

/// A rule with its value; what comes from a file is quoted, so that it keeps to one line.
fn setting((key, value): (&str, &str)) -> String {
    match value.contains(|c: char| c.is_whitespace() || c == '"') {
        true => format!("{key}={value:?}"),
        false => format!("{key}={value}"),
    }
}

/// As RFC 4180 has it.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// A file, and the hash of what went into it.
struct Hashed {
    file: std::fs::File,
    hash: Sha256,
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
