//! Forged certificates of Spot's studies, on boards on which brute force solves the game.

use crate::certificates::{Certificate, check, committed, forge, number, study, text};
use crate::patterns::{Patterns, Values};
use crate::spot_brute::{GROUPS, STARTS};
use crate::tally::genuine;
use counterpoint::board::Group;
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

const ANSWERS: &str = "player … has an answer to every pattern, so the other repeats first";
const FORCES: &str = "player … can force the other to repeat by move …";
const HOLDS: &str = "player … need not repeat in the first … moves";
const BY_MOVE: &str = "with these answers the other player repeats by move …";
const GAME: &str = "a game of … moves has no repeat";
const EVERY: &str = "every game of more than … moves has a repeat";
const KINDS: [&str; 6] = [ANSWERS, FORCES, HOLDS, BY_MOVE, GAME, EVERY];

/// What brute force knows about boards up to 2×2, and the patterns of 3×3.
struct Known(HashMap<(u64, Group, bool), (Patterns, Option<Values>)>);

static KNOWN: LazyLock<Known> = LazyLock::new(Known::new);

impl Known {
    fn new() -> Known {
        let all = (1..=3).flat_map(|n| GROUPS.map(|group| (n, group)));
        let all = all.flat_map(|(n, group)| [false, true].map(|counted| (n, group, counted)));
        let known = all.map(|(n, group, counted)| {
            let patterns = Patterns::new(n as usize, group);
            let values = (n <= 2).then(|| patterns.values(counted));
            ((n, group, counted), (patterns, values))
        });
        Known(known.collect())
    }

    /// The entry for the board and the rules of a certificate.
    fn of(&self, certificate: &Certificate) -> Option<(&Patterns, Option<&Values>, bool)> {
        let group = Group::from_name(text(certificate, "symmetry")?)?;
        let counted = text(certificate, "start")? == "counted";
        let (patterns, values) = self.0.get(&(number(certificate, "n")?, group, counted))?;
        Some((patterns, values.as_ref(), counted))
    }
}

fn settings(n: u64) -> Vec<[(&'static str, &'static str); 3]> {
    let limits: &[&str] = if n == 3 { &["2N", "none"] } else { &["2N", "none", "1", "2", "3", "5", "9"] };
    let all = GROUPS.iter().flat_map(|group| STARTS.map(|start| (group.name(), start.name())));
    all.flat_map(|(group, start)| {
        limits.iter().map(move |limit| [("symmetry", group), ("start", start), ("limit", limit)])
    })
    .collect()
}

/// Genuine certificates of a question, all claims of which are of these kinds.
pub(crate) fn bases_of(
    question: &str,
    sizes: &[&str],
    params: &[(&str, &str)],
    kinds: &[&str],
) -> Vec<Certificate> {
    let mut bases = Vec::new();
    for n in sizes {
        for rules in settings(n.parse().unwrap()) {
            // The other questions do not use the rule `limit`.
            let with_limit = matches!(question, "value" | "rules");
            let rules = if with_limit { &rules[..] } else { &rules[..2] };
            let params = [&[("n", *n)], params].concat();
            bases.extend(study("spot", question, rules, &params, None).filter(|new| !bases.contains(new)));
        }
    }
    let closed = |base: &Certificate| {
        check("spot", base).is_ok_and(|claims| claims.iter().all(|c| c.status.is_closed()))
    };
    bases.retain(closed);
    bases.iter().for_each(|base| genuine(&check("spot", base).unwrap(), kinds));
    assert!(bases.len() >= 4, "{question}: {}", bases.len());
    bases
}

fn bases(question: &str, sizes: &[&str], params: &[(&str, &str)]) -> Vec<Certificate> {
    bases_of(question, sizes, params, &KINDS)
}

/// The answers of a certificate: for each pattern at which it may be the winner's turn, the pattern after the answer.
/// `None` if they are not different answers to all these patterns.
fn partners(
    certificate: &Certificate,
    patterns: &Patterns,
    winner: u64,
    counted: bool,
) -> Option<HashMap<u32, u32>> {
    let answers: Vec<char> = text(certificate, "answers")?.chars().collect();
    let turns: Vec<u32> =
        patterns.all().filter(|p| u64::from(p.count_ones() % 2) == (winner + 1) % 2).collect();
    let square = |c: &char| c.to_digit(36).filter(|square| (*square as usize) < patterns.squares);
    let squares: Vec<u32> = answers.iter().map(square).collect::<Option<_>>()?;
    let to = |(pattern, square): (&u32, &u32)| patterns.of[(pattern ^ 1 << square) as usize];
    let partners: Vec<u32> = turns.iter().zip(&squares).map(to).collect();
    let distinct: BTreeSet<&u32> = partners.iter().collect();
    let are_answers = squares.len() == turns.len()
        && distinct.len() == partners.len()
        && (winner == 2 || counted)
        && !(counted && distinct.contains(&0));
    are_answers.then(|| turns.into_iter().zip(partners).collect())
}

fn forces(values: &Values, player: u64, limit: u64) -> bool {
    values.forces[player as usize - 1].is_some_and(|mv| u64::from(mv) <= limit)
}

/// The false claims of a certificate of `value`.
fn value(known: &Known, certificate: &Certificate) -> Vec<(&'static str, String)> {
    let Some((patterns, values, counted)) = known.of(certificate) else { return Vec::new() };
    let winner = match text(certificate, "value") {
        Some("player 1 wins") => Some(1),
        Some("player 2 wins") => Some(2),
        Some("draw") => None,
        _ => return Vec::new(),
    };
    if text(certificate, "limit") == Some("none") {
        let wrong = |&winner: &u64| partners(certificate, patterns, winner, counted).is_none();
        let claim = |winner| (ANSWERS, format!("player {winner} has an answer …"));
        return winner.filter(wrong).map(claim).into_iter().collect();
    }
    let (Some(limit), Some(values)) = (number(certificate, "limit"), values) else { return Vec::new() };
    match winner {
        Some(player) if !forces(values, player, limit) => {
            vec![(FORCES, format!("player {player} can force … by move {limit}"))]
        }
        Some(_) => Vec::new(),
        None => [1, 2]
            .into_iter()
            .filter(|&player| forces(values, player, limit))
            .map(|player| {
                (HOLDS, format!("player {} need not repeat in the first {limit} moves", 3 - player))
            })
            .collect(),
    }
}

/// The false claims of a certificate of `forcing-limit`.
fn forcing(known: &Known, certificate: &Certificate) -> Vec<(&'static str, String)> {
    let (Some((patterns, values, counted)), Some(winner)) =
        (known.of(certificate), number(certificate, "winner"))
    else {
        return Vec::new();
    };
    if !(1..=2).contains(&winner) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let partners = partners(certificate, patterns, winner, counted);
    if partners.is_none() {
        found.push((ANSWERS, format!("player {winner} has an answer …")));
    }
    let Some(values) = values else { return found };
    if let (Some(most), true) = (number(certificate, "at_most"), certificate.contains_key("forces")) {
        if !forces(values, winner, most) {
            found.push((FORCES, format!("player {winner} can force … by move {most}")));
        }
    } else if let Some(most) = number(certificate, "at_most") {
        let longest = partners.map(|partners| patterns.longest_against(winner as u32, &partners, counted));
        // Without valid answers, the other player never has to repeat.
        if longest.is_none_or(|longest| u64::from(longest) > most) {
            found.push((BY_MOVE, format!("with these answers … by move {most}")));
        }
    }
    if let Some(least) = number(certificate, "at_least").filter(|least| *least > 0)
        && forces(values, winner, least - 1)
    {
        found
            .push((HOLDS, format!("player {} need not repeat in the first {} moves", 3 - winner, least - 1)));
    }
    found
}

static VALUES: LazyLock<Vec<Certificate>> = LazyLock::new(|| bases("value", &["1", "2"], &[]));

#[test]
fn answers_to_every_pattern() {
    forge(("spot", "spot value"), ANSWERS, &bases("value", &["1", "2", "3"], &[]), |c| value(&KNOWN, c));
}

#[test]
fn players_who_cannot_force_a_repeat() {
    forge(("spot", "spot value"), FORCES, &VALUES, |c| value(&KNOWN, c));
}

#[test]
fn players_who_can_be_forced_to_repeat() {
    forge(("spot", "spot value"), HOLDS, &VALUES, |c| value(&KNOWN, c));
}

/// Certificates with a tree for the upper bound, and others that count patterns instead.
static FORCING: LazyLock<Vec<Certificate>> = LazyLock::new(|| {
    let mut all = bases("forcing-limit", &["1", "2"], &[("most", "20")]);
    let counting: Vec<Certificate> = all
        .iter()
        .filter_map(|base| {
            let mut other = base.clone();
            other.remove("forces")?;
            other.insert("at_most".to_owned(), 33.into());
            // The number of patterns implies a bound below 33; the smallest one that holds is the one to forge.
            let holds = |most: u64, other: &Certificate| {
                let mut with = other.clone();
                with.insert("at_most".to_owned(), most.into());
                check("spot", &with).unwrap().iter().all(|claim| claim.status.is_closed())
            };
            let most = (1..=33).find(|&most| holds(most, &other))?;
            other.insert("at_most".to_owned(), most.into());
            Some(other)
        })
        .collect();
    assert!(!counting.is_empty());
    all.extend(counting);
    all
});

fn forge_forcing(kind: &'static str) {
    forge(("spot", "spot forcing-limit"), kind, &FORCING, |c| forcing(&KNOWN, c));
}

#[test]
fn answers_of_forcing_limits() {
    forge_forcing(ANSWERS);
}

#[test]
fn upper_bounds_of_forcing_limits() {
    forge_forcing(FORCES);
}

#[test]
fn upper_bounds_by_counting_patterns() {
    forge_forcing(BY_MOVE);
}

#[test]
fn lower_bounds_of_forcing_limits() {
    forge_forcing(HOLDS);
}

/// Whether the moves of a certificate are a game without a repeat.
fn is_game(certificate: &Certificate, patterns: &Patterns, counted: bool) -> Option<bool> {
    let moves: Vec<char> = text(certificate, "moves")?.chars().collect();
    let mut produced: BTreeSet<u32> = if counted { BTreeSet::from([0]) } else { BTreeSet::new() };
    let mut board = 0usize;
    for digit in &moves {
        match digit.to_digit(36).filter(|square| (*square as usize) < patterns.squares) {
            Some(square) => board ^= 1 << square,
            None => return Some(false),
        }
        if !produced.insert(patterns.of[board]) {
            return Some(false);
        }
    }
    Some(number(certificate, "at_least") == Some(moves.len() as u64))
}

fn longest(known: &Known, certificate: &Certificate) -> Vec<(&'static str, String)> {
    let Some((patterns, values, counted)) = known.of(certificate) else { return Vec::new() };
    let (Some(least), Some(most)) = (number(certificate, "at_least"), number(certificate, "at_most")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let is_game = is_game(certificate, patterns, counted);
    if is_game == Some(false) {
        found.push((GAME, format!("a game of {least} moves has no repeat")));
    }
    // On 3x3, only the game of the certificate is known.
    let longest =
        values.map_or(if is_game == Some(true) { least } else { 0 }, |values| values.longest.into());
    if longest > most {
        found.push((EVERY, format!("every game of more than {most} moves has a repeat")));
    }
    found
}

static LONGEST: LazyLock<Vec<Certificate>> = LazyLock::new(|| {
    let known = ["spot-longest-3-counted", "spot-longest-3-d4"].map(committed);
    bases("longest", &["1", "2"], &[]).into_iter().chain(known).collect()
});

#[test]
fn games_with_a_repeat() {
    forge(("spot", "spot longest"), GAME, &LONGEST, |c| longest(&KNOWN, c));
}

#[test]
fn longer_games_without_a_repeat() {
    forge(("spot", "spot longest"), EVERY, &LONGEST, |c| longest(&KNOWN, c));
}
