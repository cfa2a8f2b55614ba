//! n-queens completion as a Counterpoint workbench. The README in the folder above explains each file.

mod check;
mod problem;
mod search;
mod text;

use std::process::ExitCode;

fn main() -> ExitCode {
    let registry = counterpoint::standard().with::<problem::Queens>();
    counterpoint::app(registry.named(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")))
}
