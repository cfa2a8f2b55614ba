//! Arguments of `playground`.

use clap::Args;
use std::path::PathBuf;

/// A page for the browser: type or draw a board, solve it by two engines, and see the answers explained. The page needs
/// no server.
#[derive(Args, Debug)]
pub(in crate::cli) struct Playground {
    /// The folder for `index.html`. It is created if it does not exist.
    #[arg(short, long, value_name = "DIR", default_value = "playground")]
    pub(in crate::cli) output: PathBuf,
    /// The library as a WebAssembly module, for a program with problems of its own. `examples/wasm/build` builds one.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) module: Option<PathBuf>,
}
