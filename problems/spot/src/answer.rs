//! Answers: a repeat with the earlier board that it repeats, a draw, or the status of each ending.

pub mod reason;

use super::{Entry, Instance, Move, Sign, winner};
use counterpoint_core::board::Symmetry;
use counterpoint_core::errors::FormatError;
use counterpoint_core::problem::Agreement;
use serde_json::{Map, Value, json};
use std::fmt;

/// An outcome with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Move `mv` is the first repeat.
    Repeat {
        /// Counted from 1.
        mv: usize,
        /// The earlier move that produced an equal board; 0 for the start.
        earlier: usize,
        /// The symmetry that maps the earlier board to the later one.
        symmetry: Symmetry,
    },
    /// The move with this number, counted from 1, is the first repeat. The answer does not name the earlier board,
    /// because it is the output of a program for the judge. The program may name any move.
    RepeatAt(usize),
    /// No move is a repeat.
    Draw,
    /// For a smudged record: the status of each ending, in the order of [`Ending::all`].
    Smudged(Vec<Finding>),
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The move with this number, counted from 1, is the first repeat.
    Repeat(usize),
    /// No move is a repeat.
    Draw,
}

/// The status of one ending of a smudged record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// At least one completion has this ending. The witness consists of the moves of one such completion: those up to
    /// the decisive one or, for a draw, all moves.
    Possible(Vec<Move>),
    /// At least one completion has this ending. The answer contains no witness, because it is the output of a program
    /// for the judge.
    Unwitnessed,
    /// No completion has this ending.
    Refuted,
    /// Not decided.
    Open,
}

impl Answer {
    /// How the game ends; `None` for a smudged record.
    pub fn ending(&self) -> Option<Ending> {
        match self {
            Answer::Repeat { mv, .. } | Answer::RepeatAt(mv) => Some(Ending::Repeat(*mv)),
            Answer::Draw => Some(Ending::Draw),
            Answer::Smudged(_) => None,
        }
    }
}

impl Ending {
    /// The endings of a record of `moves` moves: a repeat at move 1, 2, ..., and last the draw.
    pub fn all(moves: usize) -> impl Iterator<Item = Ending> {
        (1..=moves).map(Ending::Repeat).chain([Ending::Draw])
    }
}

/// Writes the ending in the judge's words.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Repeat(mv) => write!(f, "Player {} wins on move {mv}", winner(*mv)),
            Ending::Draw => f.write_str("Draw"),
        }
    }
}

impl Finding {
    /// The word for this status in text and JSON.
    pub const fn word(&self) -> &'static str {
        match self {
            Finding::Possible(_) | Finding::Unwitnessed => "possible",
            Finding::Refuted => "refuted",
            Finding::Open => "open",
        }
    }
}

/// The answer in a few words, for tables.
pub fn outcome(answer: &Answer) -> String {
    match answer {
        Answer::Repeat { mv, .. } | Answer::RepeatAt(mv) => format!("player {} on move {mv}", winner(*mv)),
        Answer::Draw => "draw".to_owned(),
        Answer::Smudged(findings) => {
            let count = |word| findings.iter().filter(|f| f.word() == word).count();
            let open = match count("open") {
                0 => String::new(),
                n => format!(", {n} open"),
            };
            format!("{} possible, {} refuted{open}", count("possible"), count("refuted"))
        }
    }
}

/// The outcome and its evidence as JSON members.
pub fn to_json(answer: &Answer) -> Map<String, Value> {
    let json = match answer {
        Answer::Repeat { mv, earlier, symmetry } => json!({
            "outcome": "repeat",
            "move": mv,
            "winner": winner(*mv),
            "earlier": earlier,
            "symmetry": { "turns": symmetry.turns, "mirrored": symmetry.mirrored },
        }),
        Answer::RepeatAt(mv) => return ending_to_json(Ending::Repeat(*mv)),
        Answer::Draw => return ending_to_json(Ending::Draw),
        Answer::Smudged(findings) => {
            let endings = Ending::all(findings.len().saturating_sub(1)).zip(findings);
            let list: Vec<_> = endings.map(|(ending, finding)| finding_to_json(ending, finding)).collect();
            json!({ "outcome": "smudged", "outcomes": list })
        }
    };
    match json {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn ending_to_json(ending: Ending) -> Map<String, Value> {
    let mut map = Map::new();
    match ending {
        Ending::Repeat(mv) => {
            map.insert("outcome".into(), "repeat".into());
            map.insert("move".into(), mv.into());
            map.insert("winner".into(), winner(mv).into());
        }
        Ending::Draw => {
            map.insert("outcome".into(), "draw".into());
        }
    }
    map
}

fn finding_to_json(ending: Ending, finding: &Finding) -> Value {
    let mut map = ending_to_json(ending);
    map.insert("status".into(), finding.word().into());
    if let Finding::Possible(witness) = finding {
        let lines = witness.iter().map(|&mv| Entry::from(mv).to_string().into());
        map.insert("witness".into(), Value::Array(lines.collect()));
    }
    Value::Object(map)
}

/// Reads an answer from JSON, and verifies that the instance has every move, board and square that the answer names.
///
/// # Errors
/// Returns a message that names the member that is missing or malformed.
pub fn from_json(instance: &Instance, json: &Map<String, Value>) -> Result<Answer, FormatError> {
    match json.get("outcome").and_then(Value::as_str) {
        Some("draw") => Ok(Answer::Draw),
        Some("repeat") => repeat_from_json(instance, json),
        Some("smudged") => {
            let list = json.get("outcomes").and_then(Value::as_array).ok_or("\"outcomes\" is missing")?;
            let moves = instance.record.len();
            if list.len() != moves + 1 {
                return Err(format!("\"outcomes\" has {} members; expected {}", list.len(), moves + 1).into());
            }
            let pairs = Ending::all(moves).zip(list);
            pairs
                .map(|(e, json)| finding_from_json(instance, e, json))
                .collect::<Result<_, _>>()
                .map(Answer::Smudged)
        }
        _ => Err("\"outcome\" is not \"repeat\", \"draw\" or \"smudged\"".into()),
    }
}

fn repeat_from_json(instance: &Instance, json: &Map<String, Value>) -> Result<Answer, FormatError> {
    let index = |key: &str| json.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let evidence = json.contains_key("earlier") || json.contains_key("symmetry");
    // A program may name a move that the record does not have. The checker refutes that.
    let moves = if evidence { instance.record.len() } else { usize::MAX };
    let mv = index("move").filter(|mv| (1..=moves).contains(mv));
    let mv = mv.ok_or_else(|| match evidence {
        true => format!("\"move\" is not a number from 1 to {moves}"),
        false => "\"move\" is not a number greater than 0".to_owned(),
    })?;
    if json.get("winner").is_some_and(|w| w.as_u64() != Some(winner(mv).into())) {
        return Err(format!(
            "\"winner\" is not {0}; player {1} makes move {mv} and loses",
            winner(mv),
            3 - winner(mv)
        )
        .into());
    }
    if !evidence {
        return Ok(Answer::RepeatAt(mv));
    }
    let earlier = index("earlier").filter(|earlier| *earlier < mv);
    let earlier = earlier.ok_or_else(|| format!("\"earlier\" is not a number from 0 to {}", mv - 1))?;
    let symmetry = json.get("symmetry").and_then(Value::as_object).and_then(|map| {
        let turns = map.get("turns")?.as_u64().filter(|turns| *turns < 4)?;
        Some(Symmetry { turns: turns as u8, mirrored: map.get("mirrored")?.as_bool()? })
    });
    let symmetry = symmetry.ok_or("\"symmetry\" is not {\"turns\": 0 to 3, \"mirrored\": true or false}")?;
    Ok(Answer::Repeat { mv, earlier, symmetry })
}

fn finding_from_json(instance: &Instance, ending: Ending, json: &Value) -> Result<Finding, FormatError> {
    let map = json.as_object().ok_or_else(|| format!("the entry for '{ending}' is not an object"))?;
    let same = |(key, value): (&String, &Value)| map.get(key) == Some(value);
    if !ending_to_json(ending).iter().all(same) {
        return Err(format!("the entry for '{ending}' names a different outcome").into());
    }
    match map.get("status").and_then(Value::as_str) {
        Some("refuted") => Ok(Finding::Refuted),
        Some("open") => Ok(Finding::Open),
        Some("possible") if !map.contains_key("witness") => Ok(Finding::Unwitnessed),
        Some("possible") => {
            let lines = map.get("witness").and_then(Value::as_array);
            let moves = lines.and_then(|lines| lines.iter().map(|line| parse_move(instance, line)).collect());
            let moves = moves.ok_or_else(|| {
                format!("\"witness\" of '{ending}' is not a list of moves on the board such as \"1 2 +\"")
            })?;
            Ok(Finding::Possible(moves))
        }
        _ => Err(format!("\"status\" of '{ending}' is not \"possible\", \"refuted\" or \"open\"").into()),
    }
}

fn parse_move(instance: &Instance, line: &Value) -> Option<Move> {
    let mut tokens = line.as_str()?.split_ascii_whitespace();
    let mut coordinate = || tokens.next()?.parse::<u32>().ok();
    let (x, y) = (coordinate()?, coordinate()?);
    let cell = instance.size().one_based(y.into(), x.into())?;
    let sign = match tokens.next()? {
        "+" => Sign::Place,
        "-" => Sign::Take,
        _ => return None,
    };
    tokens.next().is_none().then_some(Move { cell, sign })
}

/// Compares outcomes and ignores evidence. An open ending is compatible with every status; possible and
/// refuted contradict each other.
pub fn agree(a: &Answer, b: &Answer) -> Agreement {
    match (a, b) {
        (Answer::Smudged(a), Answer::Smudged(b)) if a.len() == b.len() => {
            let mut agreement = Agreement::Same;
            for (a, b) in a.iter().zip(b) {
                match (a.word(), b.word()) {
                    (a, b) if a == b => {}
                    ("open", _) | (_, "open") => agreement = Agreement::Compatible,
                    _ => return Agreement::Contradict,
                }
            }
            agreement
        }
        _ if a.ending().is_some() && a.ending() == b.ending() => Agreement::Same,
        _ => Agreement::Contradict,
    }
}
