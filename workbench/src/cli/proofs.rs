//! Reads and writes proofs: as files in the folder of an answer, and as members of the answer's JSON.

use super::exit::Failure;
use super::read;
use super::staging::replace;
use crate::errors::FormatError;
use crate::proof::{Formula, Obligation, Proof, Refutation};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The maximum length of a proof or formula that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The stem of the file names of obligation `k`, counted from 0. If `n`, the number of obligations, is not 1, the stem
/// ends with the number of the obligation, counted from 1.
fn stem(what: &str, k: usize, n: usize) -> String {
    if n == 1 { what.to_owned() } else { format!("{what}-{}", k + 1) }
}

/// Whether [`save`] might have written a file of this name.
fn is_ours(name: &str) -> bool {
    is_named(name, "formula", &["cnf", "opb"]) || is_proof(name)
}

/// The files that a command writes into a folder.
pub(super) struct Written {
    /// The option that names the folder.
    option: &'static str,
    /// The file that shows that an earlier run has written to the folder.
    index: &'static str,
    /// What the earlier run found.
    found: &'static str,
    /// Whether the command replaces or removes a file of this name.
    is_written: fn(&str) -> bool,
}

/// The files of `solve --save`.
pub(super) const ANSWER: Written = Written {
    option: "--save",
    index: "answer.json",
    found: "answer",
    is_written: |name| ["instance.txt", "answer.json", "picture.svg"].contains(&name) || is_ours(name),
};

/// The files of `cube --output`.
pub(super) const CUT: Written = Written {
    option: "--output",
    index: "answer.json",
    found: "answer",
    is_written: |name| {
        let of_cube = ["formula.cnf", "plain.cnf", "cubes.icnf", "answer.json"];
        of_cube.contains(&name) || is_named(name, "cover", &Refutation::FORMATS)
    },
};

/// The files of `study --save`.
pub(super) const STUDY: Written = Written {
    option: "--save",
    index: "certificate.json",
    found: "study",
    is_written: |name| name == "certificate.json",
};

/// Fails if a command would replace or remove files that no earlier run has left in the folder, or the file from which
/// the game is read.
pub(super) fn refuse_foreign_files(
    written: &Written,
    dir: &Path,
    input: Option<&str>,
) -> Result<(), Failure> {
    let Written { option, index, found, is_written } = written;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let input = input.map(Path::new).and_then(|path| path.canonicalize().ok());
    if let Some(input) = input.filter(|input| is_written(&name(input)))
        && dir.canonicalize().is_ok_and(|dir| input.parent() == Some(&dir))
    {
        return Err(Failure::usage(format!(
            "{}: the game is read from this file, which {option} would replace or remove; choose another folder",
            input.display()
        )));
    }
    // A folder that does not exist, or cannot be read, is reported when it is written.
    let present = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut present: Vec<String> =
        present.map(|entry| name(&entry.path())).filter(|it| is_written(it)).collect();
    present.sort();
    if let Some(first) = present.first().filter(|_| !is_answer(&dir.join(index))) {
        return Err(Failure::usage(format!(
            "{}: {option} would replace or remove {first}, and there is no {index} of an earlier {found}; choose \
             another folder",
            dir.display()
        )));
    }
    Ok(())
}

/// Whether a file looks like an answer or a certificate that was saved.
fn is_answer(path: &Path) -> bool {
    let mut start = Vec::new();
    let file = std::fs::metadata(path).is_ok_and(|found| found.is_file()).then(|| File::open(path));
    let read =
        file.is_some_and(|file| file.is_ok_and(|file| file.take(1 << 12).read_to_end(&mut start).is_ok()));
    read && String::from_utf8_lossy(&start).contains("\"problem\":")
}

fn is_proof(name: &str) -> bool {
    is_named(name, "proof", &Refutation::FORMATS)
}

/// Whether a name consists of a [`stem`], with any number or none, and one of these extensions.
fn is_named(name: &str, what: &str, extensions: &[&str]) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let is_digits = |k: &str| !k.is_empty() && k.bytes().all(|byte| byte.is_ascii_digit());
    let number = |rest: &str| rest.strip_prefix('-').is_some_and(is_digits);
    extensions.contains(&extension)
        && stem.strip_prefix(what).is_some_and(|rest| rest.is_empty() || number(rest))
}

/// Writes the checker's formulas and the proofs. First removes those of an earlier answer. A pseudo-Boolean proof
/// refutes the linear form of its formula, so this form is written, too.
pub(super) fn save(dir: &Path, obligations: &[Obligation<'_>], proofs: &[Proof]) -> io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if is_ours(&path.file_name().unwrap_or_default().to_string_lossy()) {
            std::fs::remove_file(&path)?;
        }
    }
    for (k, obligation) in obligations.iter().enumerate() {
        let name =
            |what, extension: &str| dir.join(format!("{}.{extension}", stem(what, k, obligations.len())));
        if let Some(formula) = obligation.formula() {
            replace(&name("formula", "cnf"), formula.to_dimacs())?;
            let is_linear = |proof: &&Proof| matches!(proof.refutation, Refutation::VeriPb(_));
            if proofs.iter().filter(is_linear).any(|proof| proof.claim == obligation.claim) {
                replace(&name("formula", "opb"), formula.to_opb())?;
            }
        }
        if let Some(proof) = proofs.iter().find(|proof| proof.claim == obligation.claim) {
            replace(&name("proof", proof.refutation.format()), proof.refutation.bytes())?;
        }
    }
    Ok(())
}

/// The formula files of a folder, sorted by name. Each comes with the index of its obligation, or with
/// `None` if its name belongs to no obligation. `n` is the number of obligations.
pub(super) fn formulas(dir: &Path, n: usize) -> Result<Vec<(String, Option<usize>)>, Failure> {
    let failed = |e| Failure::usage(format!("{}: cannot be read: {e}", dir.display()));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        if is_named(&name, "formula", &["cnf", "opb"]) {
            let start = name.rsplit_once('.').map_or("", |(start, _)| start);
            let obligation = (0..n).find(|&k| stem("formula", k, n) == start);
            found.push((name, obligation));
        }
    }
    found.sort();
    Ok(found)
}

/// The proofs in the folder of an answer, each with the formula that was saved beside it, if this formula can be read.
/// If a proof belongs to no obligation, the name of its file stands in place of its claim.
pub(super) fn beside(dir: &Path, obligations: &[Obligation<'_>]) -> Result<Vec<Proof>, Failure> {
    let failed = |e| Failure::usage(format!("{}: cannot be read: {e}", dir.display()));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        found.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    found.retain(|name| is_proof(name));
    found.sort();
    let read = |name: &str| {
        let path = dir.join(name).display().to_string();
        read::bytes(&path, read::regular(&path)?, MAX_BYTES)
    };
    let mut proofs = Vec::new();
    for name in found {
        let Some((start, format)) = name.rsplit_once('.') else { continue };
        let Some(refutation) = Refutation::of_format(format, read(&name)?) else { continue };
        let obligation = (0..obligations.len()).find(|&k| stem("proof", k, obligations.len()) == start);
        proofs.push(match obligation {
            None => Proof::new(name, refutation),
            Some(k) => {
                // The checker uses this formula only if the proof does not refute the checker's own formula.
                let formula = |extension: &str| {
                    read(&format!("{}.{extension}", stem("formula", k, obligations.len()))).ok()
                };
                let proof = Proof::new(&obligations[k].claim, refutation);
                match proof.refutation {
                    Refutation::VeriPb(_) => Proof { opb: formula("opb"), ..proof },
                    _ => {
                        let formula = formula("cnf").and_then(|bytes| Formula::from_dimacs(&bytes).ok());
                        Proof { formula, ..proof }
                    }
                }
            }
        });
    }
    Ok(proofs)
}

/// A proof as a member of its answer; `None` if its bytes are not UTF-8.
pub(super) fn to_json(proof: &Proof) -> Option<Value> {
    let text = std::str::from_utf8(proof.refutation.bytes()).ok()?;
    Some(json!({ "claim": proof.claim, (proof.refutation.format()): text }))
}

/// The proofs inside the JSON of an answer.
pub(super) fn embedded(answer: &Map<String, Value>) -> Result<Vec<Proof>, FormatError> {
    let Some(proofs) = answer.get("proofs") else { return Ok(Vec::new()) };
    let each = |object: &Value| -> Option<Vec<Proof>> {
        let claim = object.get("claim")?.as_str()?;
        let given = Refutation::FORMATS.iter().filter_map(|format| Some((format, object.get(format)?)));
        let proof = |(format, text): (&&str, &Value)| {
            Some(Proof::new(claim, Refutation::of_format(format, text.as_str()?.as_bytes().to_vec())?))
        };
        given.map(proof).collect::<Option<Vec<_>>>().filter(|proofs| !proofs.is_empty())
    };
    let list: Option<Vec<_>> = proofs.as_array().and_then(|list| list.iter().map(each).collect());
    let list = list.map(|lists| lists.into_iter().flatten().collect());
    list.ok_or_else(|| {
        "\"proofs\": expected a list of objects with \"claim\", and \"drat\", \"lrat\" or \"pbp\"".into()
    })
}
