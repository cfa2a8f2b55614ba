//! The `counterpoint` program: the standard problems as a workbench.

use counterpoint::registry::Registry;
use std::process::ExitCode;

fn main() -> ExitCode {
    counterpoint::app(Registry::standard())
}
