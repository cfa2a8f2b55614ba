//! `playground`: writes a page on which boards are solved in the browser.

use super::args::Playground;
use super::context::Context;
use super::exit::{Failure, Status};
use super::print;
use super::program;
use super::staging::{replace, unwritable};
use crate::pages::{Module, playground};
use std::fs;

/// The program whose problems are those of [`Module::STANDARD`].
const STANDARD: &str = "counterpoint";

pub(super) fn run(context: &Context, args: &Playground) -> Result<Status, Failure> {
    let bytes = match &args.module {
        Some(file) => Some(
            fs::read(file)
                .map_err(|error| Failure::usage(format!("{}: cannot be read: {error}", file.display())))?,
        ),
        None => None,
    };
    let module = match (&bytes, &args.module) {
        (Some(bytes), Some(file)) => Module::new(bytes)
            .ok_or_else(|| Failure::usage(format!("{}: not a WebAssembly module", file.display())))?,
        _ if program::name() != STANDARD => {
            let why = format!(
                "{} has problems of its own, so the page needs a module that contains them: --module FILE",
                program::name()
            );
            return Err(Failure::usage(why));
        }
        _ => Module::STANDARD,
    };
    let page =
        playground::page(&context.registry, module).map_err(|error| Failure::usage(error.to_string()))?;
    let failed = |e| Failure::usage(format!("{}: cannot be created: {e}", args.output.display()));
    fs::create_dir_all(&args.output).map_err(failed)?;
    let file = args.output.join("index.html");
    replace(&file, page).map_err(|error| unwritable(&file, &error))?;
    print::warn(&format!("wrote {}; open it in a browser", file.display()));
    Ok(Status::Done)
}
