//! Counts the forgeries of one kind of claim: how many were made, how many of them brute force has confirmed to be false,
//! and what the checker said about those.

use crate::samples::samples;
use chacha20::ChaCha8Rng;
use counterpoint::claim::{Claim, all_closed};
use rand::SeedableRng;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Confirmed forgeries of each claim, before `COUNTERPOINT_SAMPLES` multiplies them.
const CONFIRMED: u64 = 200;

/// A generator must not need more attempts than this for a confirmed forgery, on average.
const MAX_ATTEMPTS: u64 = 400;

/// The forgeries of one kind of claim.
pub(crate) struct Tally {
    /// Where the claim is made, such as `flip` or `flip all-ones`.
    place: &'static str,
    /// The text of the claim. `…` stands for any text.
    claim: &'static str,
    /// What is forged, if several tallies forge the same claim.
    how: &'static str,
    pub(crate) rng: ChaCha8Rng,
    made: u64,
    confirmed: u64,
    distinct: HashSet<u64>,
    failed: u64,
    open: u64,
    refused: u64,
}

/// What becomes of a false claim that is not closed.
enum Verdict {
    Failed,
    Open,
    /// The forgery cannot be read, or the checker does not even state the claim.
    Refused,
}

impl Tally {
    pub(crate) fn new(place: &'static str, claim: &'static str) -> Tally {
        Tally::of(place, claim, "")
    }

    pub(crate) fn of(place: &'static str, claim: &'static str, how: &'static str) -> Tally {
        let seed = hash(&(place, claim, how));
        let rng = ChaCha8Rng::seed_from_u64(seed);
        let distinct = HashSet::new();
        Tally { place, claim, how, rng, made: 0, confirmed: 0, distinct, failed: 0, open: 0, refused: 0 }
    }

    /// Whether more forgeries are wanted. At the end, prints the row of this claim.
    pub(crate) fn wants_more(&self) -> bool {
        let wanted = samples(CONFIRMED);
        assert!(
            self.made <= wanted * MAX_ATTEMPTS,
            "{}: {}: the generator finds too little",
            self.place,
            self.claim
        );
        if self.confirmed >= wanted {
            self.print();
        }
        self.confirmed < wanted
    }

    #[expect(clippy::print_stdout, reason = "the table is printed with --nocapture")]
    fn print(&self) {
        let Tally { place, claim, how, made, confirmed, failed, open, refused, .. } = self;
        let how = if how.is_empty() { String::new() } else { format!(" ({how})") };
        let distinct = self.distinct.len();
        println!(
            "\n| {place} | {claim}{how} | {made} | {confirmed} | {distinct} | {failed} | {open} | {refused} | 0 |"
        );
    }

    /// A change that leaves the claim true.
    pub(crate) fn still_true(&mut self) {
        self.made += 1;
    }

    /// A forgery whose claim is false. Panics if the checker accepts it.
    pub(crate) fn is_false(&mut self, forgery: &str, check: impl FnOnce() -> Result<Vec<Claim>, String>) {
        let claim = self.claim;
        self.text_is_false(claim, forgery, check);
    }

    /// Like [`Tally::is_false`], for the claim with this text among several of one kind.
    pub(crate) fn text_is_false(
        &mut self,
        text: &str,
        forgery: &str,
        check: impl FnOnce() -> Result<Vec<Claim>, String>,
    ) {
        self.made += 1;
        self.confirmed += 1;
        self.distinct.insert(hash(&(text, forgery)));
        let shown = ShownOnPanic(forgery);
        let verdict = match check() {
            Err(_) => Verdict::Refused,
            Ok(claims) => {
                assert!(!all_closed(&claims), "{text}: accepted: {claims:#?}");
                let mut verdict = Verdict::Refused;
                for claim in claims.iter().filter(|claim| fits(&claim.text, text)) {
                    assert!(!claim.status.is_closed(), "{text}: closed: {claims:#?}");
                    verdict = if claim.status.is_failed() { Verdict::Failed } else { Verdict::Open };
                }
                verdict
            }
        };
        drop(shown);
        match verdict {
            Verdict::Failed => self.failed += 1,
            Verdict::Open => self.open += 1,
            Verdict::Refused => self.refused += 1,
        }
    }
}

/// Asserts that all claims of a genuine answer are closed, and that each is of one of these kinds, so that no claim of a
/// checker is without forgeries.
pub(crate) fn genuine(claims: &[Claim], kinds: &[&str]) {
    assert!(all_closed(claims), "{claims:#?}");
    for claim in claims {
        assert!(kinds.iter().any(|kind| fits(&claim.text, kind)), "no forgeries of '{}'", claim.text);
    }
}

/// Whether a text, or what follows a colon in it, fits a pattern in which `…` stands for any text.
fn fits(text: &str, pattern: &str) -> bool {
    let is_whole = |text: &str| {
        let Some((first, rest)) = pattern.split_once('…') else { return text == pattern };
        let Some(mut left) = text.strip_prefix(first) else { return false };
        let parts: Vec<&str> = rest.split('…').collect();
        let (last, middle) = parts.split_last().unwrap();
        for part in middle {
            let Some((_, after)) = left.split_once(part) else { return false };
            left = after;
        }
        left.ends_with(last)
    };
    is_whole(text) || text.match_indices(": ").any(|(at, _)| is_whole(&text[at + 2..]))
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Prints a forgery if the checker panics, or a test of its verdict does.
struct ShownOnPanic<'a>(&'a str);

impl Drop for ShownOnPanic<'_> {
    #[expect(clippy::print_stderr, reason = "a failed test shows its input")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the forgery:\n{}", self.0);
        }
    }
}

#[test]
fn patterns_of_claims() {
    assert!(fits("3x3, plus: at least 4 presses are needed", "at least … needed"));
    assert!(fits("no fleet fits", "no fleet fits"));
    assert!(!fits("at least 4 presses are needed for all", "at least … needed"));
    assert!(!fits("no fleet fits", "some fleet fits"));
    assert!(!fits("no move before move 3 repeats a board", "move … repeats a board"));
    assert!(fits(
        "3x3, misses 2: of the lost sets: no fleet fits",
        "…misses 2: of the lost sets: no fleet …"
    ));
    assert!(!fits("3x3, misses 2: of the lost sets: no fleet fits", "…misses 2: no fleet …"));
}
