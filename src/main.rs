//! The program `counterpoint`: the command line over the standard problems.

use counterpoint::registry::Registry;
use std::process::ExitCode;

fn main() -> ExitCode {
    counterpoint::app(Registry::standard())
}
