//! Compacting sets that are killed at each moment, grow meanwhile, or are in use, and sets with clocks that were set.

use super::*;
use crate::harness::Set;
use crate::record::Record;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A record of an attempt at run `key`.
fn line(key: &str, attempt: &str, verdict: &str) -> String {
    let mut record = Record { key: key.to_owned(), attempt: attempt.to_owned(), ..Record::default() };
    record.repetition = 1;
    record.start = "2026-01-02T03:04:05.000006Z".to_owned();
    record.findings.verdict = serde_json::from_str(&format!("\"{verdict}\"")).unwrap();
    serde_json::to_string(&record).unwrap() + "\n"
}

/// A set with two attempts at one run, a failed one, a damaged line, a repeated line, and an incomplete line.
fn set() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(home.path().join(name), text).unwrap();
    let [a, b, c] = ["a", "b", "c"].map(|key| line(key, &format!("{key}.1"), "unsupported"));
    write("x.4026531836.1.1.jsonl", format!("{a}{b}not a record\n\n"));
    write(
        "y.4026531836.1.1.jsonl",
        format!("{}{}", line("a", "a.2", "unsupported"), line("c", "c.0", "failed")),
    );
    write("z.4026531836.1.1.jsonl", format!("{c}{b}{}", &c[..20]));
    for file in files(home.path(), |_| true).unwrap() {
        let old = SystemTime::now() - 2 * PATIENCE;
        File::options().append(true).open(file).unwrap().set_modified(old).unwrap();
    }
    home
}

/// Everything that readers see.
fn seen(folder: &Path) -> (Vec<Record>, usize, Vec<String>) {
    let set = Set::open(folder).unwrap();
    let mut records: Vec<Record> = set.iter().map(|record| record.record()).collect();
    records.sort_by(|a, b| a.key.cmp(&b.key));
    let mut reasons: Vec<String> = set.rejected().iter().map(|found| found.reason.clone()).collect();
    reasons.dedup();
    (records, set.duplicates(), reasons)
}

#[test]
fn one_file_has_everything_that_readers_see() {
    let home = set();
    let before = seen(home.path());
    assert_eq!((before.0.len(), before.1, before.2.len()), (3, 1, 1));
    let done = compact(home.path(), &|_| ()).unwrap();
    assert_eq!((done.segments, done.lines, done.repeated, done.incomplete), (3, 6, 1, 1));
    assert_eq!(files(home.path(), |_| true).unwrap(), [done.file.unwrap()]);
    assert_eq!(seen(home.path()), before);
    let again = compact(home.path(), &|_| ()).unwrap();
    assert_eq!((again.file, again.segments, again.lines), (None, 1, 6));
    assert_eq!(seen(home.path()), before);
}

#[test]
fn a_kill_at_any_moment_loses_and_doubles_nothing() {
    for moment in [Moment::Writing, Moment::Written, Moment::Renamed, Moment::Compared, Moment::Removing] {
        let home = set();
        let before = seen(home.path());
        let kill = |reached: Moment| assert_ne!(reached, moment, "killed");
        let ended = catch_unwind(AssertUnwindSafe(|| compact(home.path(), &kill).map(drop)));
        assert!(ended.is_err(), "{moment:?}");
        assert_eq!(seen(home.path()), before, "{moment:?}");
        compact(home.path(), &|_| ()).unwrap();
        assert_eq!(seen(home.path()), before, "{moment:?}");
        let left = files(home.path(), |name| name.ends_with(".jsonl")).unwrap();
        assert_eq!(left.len(), 1, "{moment:?}: {left:?}");
    }
}

#[test]
fn a_segment_that_has_grown_is_kept() {
    let home = set();
    let path = home.path().join("y.4026531836.1.1.jsonl");
    let grow = |reached: Moment| {
        if reached == Moment::Renamed {
            let mut file = File::options().append(true).open(&path).unwrap();
            file.write_all(line("d", "d.1", "unsupported").as_bytes()).unwrap();
        }
    };
    let before = seen(home.path());
    let done = compact(home.path(), &grow).unwrap();
    assert_eq!(done.kept, std::slice::from_ref(&path));
    let after = seen(home.path());
    assert_eq!((after.0.len(), after.1), (before.0.len() + 1, before.1));
}

#[test]
fn what_is_written_while_a_segment_is_removed_is_not_lost() {
    for moment in [Moment::Compared, Moment::Removing] {
        let home = set();
        let old = File::options().append(true).open(home.path().join("y.4026531836.1.1.jsonl"));
        let (old, passed) = (RefCell::new(old.unwrap()), Cell::new(0));
        let write = |reached: Moment| {
            passed.set(passed.get() + usize::from(reached == moment));
            // The second segment is the one that was opened.
            if reached == moment && passed.get() == 2 {
                // The process is still writing the second line.
                let record = line("d", "d.1", "unsupported") + &line("e", "e.1", "unsupported")[..20];
                old.borrow_mut().write_all(record.as_bytes()).unwrap();
            }
        };
        let before = seen(home.path());
        let done = compact(home.path(), &write).unwrap();
        assert_eq!(done.kept.len(), 0);
        let after = seen(home.path());
        assert_eq!((after.0.len(), after.1), (before.0.len() + 1, before.1), "{moment:?}");
    }
}

#[test]
fn a_clock_that_was_set_back_does_not_hide_a_process() {
    let home = set();
    let path = home.path().join("y.4026531836.1.1.jsonl");
    let before = seen(home.path());
    let set_time = |time: SystemTime| {
        File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        compact(home.path(), &|_| ())
    };
    let now = SystemTime::now();
    // The process wrote shortly before the clock was set back by a year, or by five minutes.
    let error = set_time(now + Duration::from_secs(31_536_000)).unwrap_err().to_string();
    let expected = format!(
        "{} is dated in the future, so a clock was set back, and y.4026531836.1.1 on",
        path.display()
    );
    assert!(error.starts_with(&expected), "{error}");
    let error = set_time(now + PATIENCE / 2).unwrap_err().to_string();
    assert!(error.starts_with("y.4026531836.1.1 on another machine wrote into this set "), "{error}");
    assert_eq!(seen(home.path()), before);
    // The clock was set forward by a year, so the file seems to be old. The process goes on.
    let grow = |reached: Moment| {
        if reached == Moment::Writing {
            let mut file = File::options().append(true).open(&path).unwrap();
            file.write_all(line("d", "d.1", "unsupported").as_bytes()).unwrap();
        }
    };
    File::options()
        .append(true)
        .open(&path)
        .unwrap()
        .set_modified(now - Duration::from_secs(31_536_000))
        .unwrap();
    compact(home.path(), &grow).unwrap();
    let after = seen(home.path());
    assert_eq!((after.0.len(), after.1), (before.0.len() + 1, before.1));
}

#[test]
fn a_set_in_use_is_refused() {
    let home = set();
    let name = "elsewhere.4026531836.1.1";
    let alive = home.path().join("queue/alive");
    fs::create_dir_all(&alive).unwrap();
    fs::write(alive.join(name), "1").unwrap();
    let error = compact(home.path(), &|_| ()).unwrap_err().to_string();
    let expected = "on another machine wrote into this set 0s ago; if it has ended, compact the set in 10m; if it \
                    still works, end it first, for example by `cancel`";
    assert_eq!(error, format!("{name} {expected}"));
    // The segments are older than the heartbeat, which was written a while ago, too.
    let file = File::options().write(true).open(alive.join(name)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(185)).unwrap();
    let error = compact(home.path(), &|_| ()).unwrap_err().to_string();
    assert!(error.contains("wrote into this set 3m ago; if it has ended, compact the set in 7m;"), "{error}");
    assert_eq!(files(home.path(), |name| name.ends_with(".jsonl")).unwrap().len(), 3);
}
