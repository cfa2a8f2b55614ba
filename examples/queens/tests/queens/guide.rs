//! Tests that the commands in the guide's chapter on adding a problem print what the chapter shows.

use crate::console;
use std::path::Path;

#[test]
fn commands_print_what_the_chapter_shows() {
    let programs = Path::new(env!("CARGO_BIN_EXE_queens")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let chapter = Path::new("../../docs/src/adding-a-problem.md");
    let run = console::check(chapter, &console::Shell { folder: folder.path(), programs });
    assert!(run >= 8, "{run} commands");
}
