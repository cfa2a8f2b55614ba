//! n-queens completion: the registry of the program, and the same as a WebAssembly module for its pages.

mod check;
mod problem;
mod search;
mod text;

use counterpoint::registry::Registry;

/// The standard problems and n-queens completion, for a program called `queens`.
pub fn registry() -> Registry {
    let registry = counterpoint::standard().with::<problem::Queens>();
    registry.named(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}

#[cfg(target_family = "wasm")]
counterpoint_pages::module!(registry());
