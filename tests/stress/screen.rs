//! Progress on a terminal, and explanations with boards.

use crate::programs::{BINARY, against};
use std::process::{Command, Stdio};

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_family_inputs_and_the_best_so_far() {
    let judge = format!("'{BINARY}' stress spot --count 60 -- '{BINARY}' judge spot -r symmetry=d4");
    let mut command = Command::new("script");
    let Ok(ran) = command.args(["-qec", &judge, "/dev/null"]).stdin(Stdio::null()).output() else { return };
    let shown = String::from_utf8_lossy(&ran.stdout);
    // The progress lines overwrite each other, so the test searches all the text that was printed.
    // Whichever of the parallel runs ends first is shown first, so its number of games varies.
    assert!(shown.contains("tiny: 1 input with "), "{shown}");
    assert!(shown.contains("best so far: wrong answer, "), "{shown}");
    assert!(shown.contains("cause:"), "{shown}");
    // Without a terminal, no progress is shown.
    let (_, _, err) = against(&["--count", "60"], "spot", "$J -r symmetry=d4");
    assert!(!err.contains("best so far"), "{err}");
}

#[test]
fn an_expected_yes_is_explained_with_its_fleets() {
    let (status, _, err) = against(&[], "ships", "$J -r misses=0");
    assert_eq!(status, 1, "{err}");
    assert!(err.contains("\n  yes.\n") && err.contains("set 1"), "{err}");
    assert!(err.contains("set N: a fleet that covers set N; letters name the ships"), "{err}");
}
