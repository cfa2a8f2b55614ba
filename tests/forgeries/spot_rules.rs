//! Forged certificates of Spot's study `rules`: games that distinguish wrong programs from the rules.

use crate::certificates::{Certificate, committed, forge, number, text};
use crate::patterns::board_images;
use crate::spot_brute::{GROUPS, STARTS};
use crate::spot_certificates::bases_of;
use counterpoint::board::Group;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

const FIRST: &str = "move … is the first that distinguishes … from the rules";
const SHORTER: &str = "no shorter game distinguishes … from the rules";
const NO_GAME: &str = "no game of at most … moves distinguishes … from the rules";

/// A program that judges Spot: the groups under which it considers boards equal, and whether the start counts.
struct Program(Vec<BTreeSet<u32>>, bool);

impl Program {
    fn named(n: u64, name: &str, counted: bool) -> Option<Program> {
        let n = n as usize;
        let of =
            |group| (0..1u32 << (n * n)).map(move |board| board_images(n, group, board)).collect::<Vec<_>>();
        if name == "rotations and one mirror" {
            // The images of a board under the rotations, and its reflection from left to right.
            let mirror = |board: u32| -> u32 {
                let at = |i: usize| i / n * n + n - 1 - i % n;
                (0..n * n).filter(|i| board >> i & 1 == 1).map(|i| 1 << at(i)).sum()
            };
            let mut images = of(Group::C4);
            (0..).zip(&mut images).for_each(|(board, images)| _ = images.insert(mirror(board)));
            return Some(Program(images, counted));
        }
        let (group, start) = name.split_once(", start ")?;
        let counted = STARTS.iter().find(|known| known.name() == start)?.name() == "counted";
        Some(Program(of(Group::from_name(group)?), counted))
    }

    /// Whether the program calls the last move a repeat.
    fn repeats(&self, boards: &[u32]) -> bool {
        let (last, before) = boards.split_last().unwrap();
        before.iter().skip(usize::from(!self.1)).any(|board| self.0[*board as usize].contains(last))
    }
}

/// The smallest number of moves that distinguishes two programs, if it is at most `left`.
fn shortest(
    squares: usize,
    programs: &[Rc<Program>; 2],
    boards: &mut Vec<u32>,
    left: usize,
) -> Option<usize> {
    let mut best: Option<usize> = None;
    for square in 0..if left == 0 { 0 } else { squares } {
        boards.push(boards.last().unwrap() ^ 1 << square);
        let most = best.map_or(left, |best| best - 1);
        let found = match [0, 1].map(|i| programs[i].repeats(boards)) {
            [false, false] => shortest(squares, programs, boards, most - 1).map(|more| more + 1),
            [one, other] => (one != other).then_some(1),
        };
        boards.pop();
        best = found.or(best);
        if best == Some(1) {
            break;
        }
    }
    best
}

/// The moves up to which brute force enumerates all games.
const DEPTH: usize = 5;

/// Programs by the size of the board, their name and the rule for the start, and the smallest numbers of moves by which
/// they differ from the rules, once they are known.
#[derive(Default)]
struct Known {
    programs: HashMap<(u64, String, bool), Option<Rc<Program>>>,
    shortest: HashMap<(u64, String, bool, String), Option<usize>>,
}

impl Known {
    fn program(&mut self, n: u64, name: &str, counted: bool) -> Option<Rc<Program>> {
        let find = || Program::named(n, name, counted).map(Rc::new);
        self.programs.entry((n, name.to_owned(), counted)).or_insert_with(find).clone()
    }

    fn shortest(&mut self, n: u64, rules: &str, counted: bool, name: &str) -> Option<usize> {
        let key = (n, rules.to_owned(), counted, name.to_owned());
        if let Some(known) = self.shortest.get(&key) {
            return *known;
        }
        let programs = [self.program(n, rules, counted)?, self.program(n, name, counted)?];
        let found = shortest((n * n) as usize, &programs, &mut vec![0], if n == 3 { 4 } else { DEPTH });
        self.shortest.insert(key, found);
        found
    }
}

fn rivals(known: &mut Known, certificate: &Certificate) -> Vec<(&'static str, String)> {
    let read = || Some((number(certificate, "n")?, Group::from_name(text(certificate, "symmetry")?)?));
    let (Some((n @ 1..=3, group)), Some(start)) = (read(), text(certificate, "start")) else {
        return Vec::new();
    };
    let (counted, limit) = (start == "counted", number(certificate, "limit").unwrap_or(0));
    let rules = format!("{}, start {start}", group.name());
    let (mut found, mut listed) = (Vec::new(), Vec::new());
    let games = certificate.get("games").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for game in games {
        let (Some(name), Some(squares)) = (game["program"].as_str(), game["squares"].as_array()) else {
            continue;
        };
        let squares: Option<Vec<u64>> = squares.iter().map(Value::as_u64).collect();
        let Some(squares) = squares.filter(|squares| squares.iter().all(|&s| s < n * n)) else { continue };
        let programs = [known.program(n, &rules, counted), known.program(n, name, counted)];
        let [Some(judge), Some(other)] = programs else { continue };
        listed.push(name.to_owned());
        // If a program is listed twice, claims about different games have the same text.
        if games.iter().filter(|other| other["program"] == name).count() > 1 {
            continue;
        }
        let mut boards = vec![0u32];
        let mut differs = None;
        for square in &squares {
            boards.push(boards.last().unwrap() ^ 1 << square);
            let [one, two] = [judge.repeats(&boards), other.repeats(&boards)];
            if differs.is_none() && (one || two) {
                differs = Some((boards.len() - 1, one != two));
            }
        }
        let mv = squares.len();
        if differs != Some((mv, true)) || mv as u64 > limit {
            found.push((FIRST, format!("move {mv} is the first that distinguishes '{name}' …")));
        }
        if known.shortest(n, &rules, counted, name).is_some_and(|shortest| shortest < mv) {
            found.push((SHORTER, format!("no shorter game distinguishes '{name}' …")));
        }
    }
    let other = if counted { "uncounted" } else { "counted" };
    let mut wrong: Vec<String> =
        GROUPS.iter().filter(|g| **g != group).map(|g| format!("{}, start {start}", g.name())).collect();
    wrong.extend([format!("{}, start {other}", group.name()), "rotations and one mirror".to_owned()]);
    for name in wrong.into_iter().filter(|name| !listed.contains(name)) {
        if known.shortest(n, &rules, counted, &name).is_some_and(|shortest| shortest as u64 <= limit) {
            found.push((NO_GAME, format!("no game of at most {limit} moves distinguishes '{name}' …")));
        }
    }
    found
}

fn forge_rivals(kind: &'static str) {
    let (mut known, mut all) =
        (Known::default(), bases_of("rules", &["1", "2"], &[("sat", "0")], &[FIRST, SHORTER, NO_GAME]));
    all.push(committed("spot-rules-3"));
    forge(("spot", "spot rules"), kind, &all, |c| rivals(&mut known, c));
}

#[test]
fn games_that_distinguish_nothing() {
    forge_rivals(FIRST);
}

#[test]
fn games_that_are_not_the_shortest() {
    forge_rivals(SHORTER);
}

#[test]
fn wrong_programs_that_are_not_listed() {
    forge_rivals(NO_GAME);
}
