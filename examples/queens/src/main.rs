//! n-queens completion as a Counterpoint workbench. The README in the folder above explains each file.

use std::process::ExitCode;

fn main() -> ExitCode {
    counterpoint::app(queens::registry())
}
