//! Problem packages: statement, tests with answers, validators and an accepted program, in the format that Kattis and
//! many ICPC contests take.
//!
//! Source: the legacy format of <https://www.kattis.com/problem-package-format/>.

use super::input::Input;
use crate::erased::DynProblem;
use crate::problem::Package;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::Path;

/// The secret tests are numbered from 1 with the names of their trials. The first sample is that of the problem.
///
/// # Errors
/// What cannot be written.
pub fn write_package(
    folder: &Path,
    (problem, package): (&dyn DynProblem, &Package),
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
    let Package { title, source, statement, validator, accepted: (name, program) } = package;
    let yaml = format!(
        "name: {title}\nsource: {source}\nlicense: unknown\nuuid: {}\nvalidation: default\n\
         validator_flags: case_sensitive space_change_sensitive\n",
        uuid(statement)
    );
    write("problem.yaml", yaml.as_bytes())?;
    write("problem_statement/problem.en.tex", statement.as_bytes())?;
    write("input_validators/validate.py", validator.as_bytes())?;
    write(&format!("submissions/accepted/{}-{name}", problem.name()), program.as_bytes())?;
    test("sample/1", sample)?;
    secret.iter().try_for_each(|(name, input)| test(&format!("secret/{name}"), input))
}

/// A name for the problem that follows from its statement: version 8 of RFC 9562.
fn uuid(statement: &str) -> String {
    let digest = Sha256::digest(statement);
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-8{}-a{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..])
}
