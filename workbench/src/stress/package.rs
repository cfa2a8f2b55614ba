//! Writes problem packages with statement, tests and their answers, an input validator and an accepted program, in the
//! format of Kattis and many ICPC contests.
//!
//! Source: the legacy format of <https://www.kattis.com/problem-package-format/>.

use super::input::Input;
use crate::erased::DynProblem;
use crate::problem::Package;
use counterpoint_base::sha256;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The file that describes a package. It is written first.
const YAML: &str = "problem.yaml";

/// The name of the first file or folder that writing this package would replace, or in which it would write; `None` if
/// there is none, or if the folder contains an earlier package of the problem.
pub fn foreign_part(folder: &Path, package: &Package) -> Option<&'static str> {
    let start = first_lines(package);
    let mut found = Vec::new();
    let path = folder.join(YAML);
    let file = fs::metadata(&path).is_ok_and(|found| found.is_file()).then(|| File::open(&path));
    let read = file.map(|file| file.and_then(|file| file.take(start.len() as u64).read_to_end(&mut found)));
    let is_ours = read.is_some_and(|read| read.is_ok()) && found == start.as_bytes();
    let parts = [YAML, "problem_statement", "input_validators", "submissions", "data"];
    parts.into_iter().find(|part| !is_ours && folder.join(part).symlink_metadata().is_ok())
}

/// Writes a package. `sample` becomes the public test. `secret` lists the secret tests, each with its name.
/// `write_file` writes a file whose folder exists.
///
/// # Errors
/// If a file cannot be written.
pub fn write_package(
    folder: &Path,
    problem: &dyn DynProblem,
    package: &Package,
    sample: &Input,
    secret: &[(String, Input)],
    write_file: impl Fn(&Path, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let write = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        write_file(&path, text)
    };
    let test = |name: &str, input: &Input| {
        write(&format!("data/{name}.in"), input.text.as_bytes())?;
        write(&format!("data/{name}.ans"), &input.expected)
    };
    let Package { statement, validator, accepted, .. } = package;
    let yaml = format!(
        "{}{}\nvalidation: default\nvalidator_flags: case_sensitive space_change_sensitive\n",
        first_lines(package),
        uuid(statement)
    );
    write(YAML, yaml.as_bytes())?;
    write("problem_statement/problem.en.tex", statement.as_bytes())?;
    write("input_validators/validate.py", validator.as_bytes())?;
    write(
        &format!("submissions/accepted/{}-{}", problem.name(), accepted.file_name),
        accepted.text.as_bytes(),
    )?;
    test("sample/1", sample)?;
    secret.iter().try_for_each(|(name, input)| test(&format!("secret/{name}"), input))
}

/// The start of `problem.yaml`, which is the same in all packages of a problem.
fn first_lines(package: &Package) -> String {
    let Package { title, source, .. } = package;
    format!("name: {title}\nsource: {source}\nlicense: unknown\nuuid: ")
}

/// A UUID that depends only on the problem's statement (version 8 of RFC 9562).
fn uuid(statement: &str) -> String {
    let hex = sha256::of(statement);
    format!("{}-{}-8{}-a{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}
