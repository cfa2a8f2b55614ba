//! The library as a WebAssembly module, in the form in which pages contain it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::{self, Write};

/// A module that `examples/wasm/build` has built.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a> {
    bytes: &'a [u8],
    /// The licences of the crates in the module.
    licences: &'a str,
}

impl<'a> Module<'a> {
    /// The module of the problems of the program `counterpoint`.
    pub const STANDARD: Module<'static> =
        Module { bytes: include_bytes!("module.wasm"), licences: include_str!("module-licences.txt") };

    /// A module with other problems, whose licences are unknown. `None` if the bytes do not begin like a WebAssembly module.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        bytes.starts_with(b"\0asm\x01\0\0\0").then_some(Module { bytes, licences: "" })
    }

    /// The bytes, deflated and in base64.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be compressed.
    pub(crate) fn packed(self) -> io::Result<String> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(self.bytes)?;
        Ok(BASE64_STANDARD.encode(encoder.finish()?))
    }
    /// A page that contains the module, with the licences of the module as a comment at its end.
    pub(crate) fn credited(self, page: String) -> String {
        match self.licences {
            "" => page,
            licences => format!("{page}<!--\n{licences}-->\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Module;

    #[test]
    fn a_page_ends_with_the_licences_of_its_module() {
        let page = Module::STANDARD.credited("<html></html>\n".to_owned());
        let (_, comment) = page.split_once("<!--").unwrap();
        let licences = comment.strip_suffix("-->\n").unwrap();
        assert!(!licences.contains("-->"), "a licence ends the comment");
        assert!(licences.contains("crate varisat ") && licences.contains("Permission is hereby granted"));
        let other = Module::new(b"\0asm\x01\0\0\0").unwrap();
        assert_eq!(other.credited("page".to_owned()), "page");
    }
}
