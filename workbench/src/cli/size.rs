//! Parses sizes in bytes on the command line.

use counterpoint_base::bytes;

pub(super) fn parse(text: &str) -> Result<u64, String> {
    bytes::parse(text).ok_or_else(|| format!("expected a size such as 64MB or 1GiB, found '{text}'"))
}
