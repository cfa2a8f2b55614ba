//! The program `counterpoint`: the command line with the standard problems.

use std::process::ExitCode;

fn main() -> ExitCode {
    counterpoint::app(counterpoint::standard().built_from(env!("COUNTERPOINT_REVISION")))
}
