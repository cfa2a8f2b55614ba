//! Pages that solve in the browser: [`lesson`] and [`playground`].
//!
//! A page is one HTML file that contains its scripts, its styles and the library as a WebAssembly module. It asks no
//! server for anything, and works when it is opened from a disk.
//!
//! The crate has two sides. With the feature `write`, it writes the pages. Without it, the crate answers what the
//! scripts ask, and is compiled into the module. Both sides know problems only as trait objects.

pub mod exports;
pub mod lesson;
#[cfg(feature = "write")]
mod module;
mod parity;
pub mod playground;

#[cfg(feature = "write")]
pub use module::Module;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
