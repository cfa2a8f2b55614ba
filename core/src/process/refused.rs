//! Recognises that a program ended because the system refused it memory.
//!
//! Under a limit on memory, the kernel also limits the data segment of each process. If a program asks for one block
//! that is larger than this limit, the kernel refuses the block, so the program never uses more memory than it may.
//! Then it ends with a status of its own, and only the message on its standard error says why. We know the messages of
//! some languages and of the C library. A program that ends without such a message cannot be recognised.

use super::{Limits, Run};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// How many bytes at the end of standard error are searched.
const MAX_SEARCHED: u64 = 1 << 16;

impl Run {
    /// Whether the program says on standard error that it could not get memory, while its memory was limited: by
    /// `limits`, or by limits that it inherited from this process.
    pub fn was_refused_memory(&mut self, limits: &Limits) -> bool {
        if limits.memory.is_none() && !is_limited() {
            return false;
        }
        let mut bytes = Vec::new();
        // After an error, search what could be read.
        let _ = seek_near_end(&mut self.errors)
            .and_then(|()| (&mut self.errors).take(MAX_SEARCHED).read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).lines().any(|line| is_refusal(line.trim()))
    }
}

fn seek_near_end(file: &mut File) -> std::io::Result<()> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_SEARCHED))).map(drop)
}

/// Whether the kernel limits the memory of this process, and so that of its children.
#[cfg(target_os = "linux")]
fn is_limited() -> bool {
    use rustix::process::{Resource, getrlimit};
    [Resource::Data, Resource::As].into_iter().any(|resource| getrlimit(resource).current.is_some())
}

/// On other systems, programs with a limit on memory are rejected.
#[cfg(not(target_os = "linux"))]
fn is_limited() -> bool {
    false
}

/// Whether a line is the message of a failed allocation.
fn is_refusal(line: &str) -> bool {
    let lower = line.to_lowercase();
    // Python, NumPy.
    let is_python =
        line == "MemoryError" || line.starts_with("MemoryError:") || line.contains("ArrayMemoryError:");
    let is_rust = line.contains("memory allocation of ") && line.contains(" bytes failed");
    // The text of ENOMEM, Go, and programs such as Kissat, OCaml's and Haskell's. V8 also prints such a line at a limit
    // of its own.
    let is_plain = ["cannot allocate memory", "out of memory", "out-of-memory", "out_of_memory"];
    let is_plain = is_plain.iter().any(|words| lower.contains(words)) && !lower.contains("javascript heap");
    is_python || is_rust || is_plain || line.contains("std::bad_alloc")
}

#[cfg(test)]
mod tests {
    use super::is_refusal;

    #[test]
    fn messages_of_failed_allocations_are_known() {
        for line in [
            "MemoryError",
            "MemoryError: cannot grow",
            "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 1.00 GiB for an array",
            "terminate called after throwing an instance of 'std::bad_alloc'",
            "memory allocation of 1073741824 bytes failed",
            "mmap: Cannot allocate memory",
            "fatal error: runtime: out of memory",
            "kissat: fatal error: out-of-memory allocating 8589934592 bytes",
            "Fatal error: exception Out_of_memory",
        ] {
            assert!(is_refusal(line), "{line}");
        }
        for line in [
            "",
            "memory",
            "MemoryErrors: 3",
            "except MemoryError:",
            "Segmentation fault",
            "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        ] {
            assert!(!is_refusal(line), "{line}");
        }
    }
}
