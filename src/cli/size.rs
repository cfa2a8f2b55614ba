//! Sizes in bytes on the command line.

use counterpoint_base::bytes;

pub(super) fn parse(text: &str) -> Result<u64, String> {
    bytes::parse(text).ok_or_else(|| format!("'{text}' is not a size; write it as 64MB or 1GiB"))
}
