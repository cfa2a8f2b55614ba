//! The library as a WebAssembly module, in the form in which pages contain it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::{self, Write};

/// A module that `examples/wasm/build` has built.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a>(&'a [u8]);

impl<'a> Module<'a> {
    /// The module of the problems of the program `counterpoint`.
    pub const STANDARD: Module<'static> = Module(include_bytes!("module.wasm"));

    /// A module with other problems. `None` if the bytes do not begin like a WebAssembly module.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        bytes.starts_with(b"\0asm\x01\0\0\0").then_some(Module(bytes))
    }

    /// The bytes, deflated and in base64.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be compressed.
    pub(crate) fn packed(self) -> io::Result<String> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(self.0)?;
        Ok(BASE64_STANDARD.encode(encoder.finish()?))
    }
}
