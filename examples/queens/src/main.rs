//! n-queens completion as a Counterpoint workbench; the README beside `src` tells what each part is.

mod check;
mod problem;
mod search;
mod text;

use counterpoint::registry::Registry;
use std::process::ExitCode;

fn main() -> ExitCode {
    let registry = Registry::standard().with::<problem::Queens>();
    counterpoint::app(registry.named(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")))
}
