//! Writes problem packages with statement, tests and their answers, an input validator and an accepted program, in the
//! format of Kattis and many ICPC contests.
//!
//! Source: the legacy format of <https://www.kattis.com/problem-package-format/>.

use super::input::Input;
use crate::erased::DynProblem;
use crate::problem::Package;
use counterpoint_base::sha256;
use std::fs;
use std::io;
use std::path::Path;

/// Writes a package. `sample` becomes the public test. `secret` lists the secret tests, each with its name.
///
/// # Errors
/// If a file cannot be written.
pub fn write_package(
    folder: &Path,
    problem: &dyn DynProblem,
    package: &Package,
    sample: &Input,
    secret: &[(String, Input)],
) -> io::Result<()> {
    let write = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)
    };
    let test = |name: &str, input: &Input| {
        write(&format!("data/{name}.in"), input.text.as_bytes())?;
        write(&format!("data/{name}.ans"), &input.expected)
    };
    let Package { title, source, statement, validator, accepted } = package;
    let yaml = format!(
        "name: {title}\nsource: {source}\nlicense: unknown\nuuid: {}\nvalidation: default\n\
         validator_flags: case_sensitive space_change_sensitive\n",
        uuid(statement)
    );
    write("problem.yaml", yaml.as_bytes())?;
    write("problem_statement/problem.en.tex", statement.as_bytes())?;
    write("input_validators/validate.py", validator.as_bytes())?;
    write(
        &format!("submissions/accepted/{}-{}", problem.name(), accepted.file_name),
        accepted.text.as_bytes(),
    )?;
    test("sample/1", sample)?;
    secret.iter().try_for_each(|(name, input)| test(&format!("secret/{name}"), input))
}

/// A UUID that depends only on the problem's statement (version 8 of RFC 9562).
fn uuid(statement: &str) -> String {
    let hex = sha256::of(statement);
    format!("{}-{}-8{}-a{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}
