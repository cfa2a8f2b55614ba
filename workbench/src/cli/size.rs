//! Parses sizes in bytes on the command line, and declares the error of all such parsers.

use counterpoint_base::bytes;

counterpoint_base::message_errors! {
    /// A value on the command line is wrong. clap names the argument before this message.
    pub(super) struct BadValue;
}

pub(super) fn parse(text: &str) -> Result<u64, BadValue> {
    bytes::parse(text).ok_or_else(|| format!("expected a size such as 64MB or 1GiB, found '{text}'").into())
}
