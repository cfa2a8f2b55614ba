//! Python's interpreter.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Python's interpreter; `None` if there is no python3. `python3` may be a script that first has to find the interpreter,
/// which takes longer than the start of the interpreter.
pub(crate) fn interpreter() -> Option<&'static Path> {
    static FOUND: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let printed =
            Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
        let path = String::from_utf8(printed.stdout).ok()?;
        printed.status.success().then(|| PathBuf::from(path.trim_end()))
    });
    FOUND.as_deref()
}
