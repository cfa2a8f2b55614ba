//! Checks certificates of studies. This code parses them independently of the studies, and checks their evidence like
//! the evidence of an answer.

mod fewest;

use super::check;
use crate::answer::{self, Answer};
use crate::{Dialect, Fleet, Instance, MAX_SIDE, MIN_SIDE, Poses, Rules, Ship, Square};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::claim::Claim;
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

/// Maximum number of misses in a certificate.
const MAX_MISSES: u64 = 64;

/// Maximum number of cells of a ship.
const MAX_CELLS: usize = 16;

/// Every claim of a certificate with its status.
///
/// # Errors
/// Returns a message that names the member that is missing or wrong, and what is expected.
pub fn check_study(
    question: &str,
    map: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    if map.get("version").and_then(Value::as_u64) != Some(1) {
        return Err("\"version\" is not 1".into());
    }
    match question {
        "misses" => misses(map, budget),
        "families" => fewest::families(map, budget),
        _ => {
            Err(format!("'{question}' has no certificates; the studies 'misses' and 'families' have them")
                .into())
        }
    }
}

/// The claims that the plan wins against all sets, that no other set fits, that some sets are lost with one fewer miss
/// and, if the certificate says so, that no fewest-`o` policy (see `study/fewest.rs`) wins.
fn misses(map: &Map<String, Value>, budget: &mut Budget) -> Result<Vec<Claim>, FormatError> {
    let instance = board(map)?;
    let n = number(map, "misses", MAX_MISSES)? as u32;
    let rules = Rules { misses: n, fleet: fleet(map)?, dialect: Dialect::Auto };
    if !matches!(map.get("outcome").and_then(Value::as_str), Some("yes" | "no-fleet")) {
        return Err("\"outcome\" is neither \"yes\" nor \"no-fleet\"".into());
    }
    let answer = answer::from_json(&instance, map)?;
    let mut claims = check(&rules, &instance, &answer, &[], budget);
    if n > 0 {
        let lost = answer::lost_from_json(&instance, map)?;
        let rules = Rules { misses: n - 1, ..rules.clone() };
        let lower = check(&rules, &instance, &lost, &[], budget).into_iter();
        claims
            .extend(lower.map(|claim| Claim { text: format!("of the lost sets: {}", claim.text), ..claim }));
    }
    match map.get("fewest_o").map(Value::as_str) {
        None => {}
        Some(Some("fails")) => {
            let sets: &[Vec<Cell>] = if let Answer::Yes { sets, .. } = &answer { sets } else { &[] };
            claims.push(fewest::claim(sets, n, budget));
        }
        Some(_) => {
            return Err(
                "\"fewest_o\" is not \"fails\"; omit it to claim nothing about fewest-o policies".into()
            );
        }
    }
    let poses = match rules.fleet.ships.first().map(|ship| ship.poses) {
        Some(Poses::Turned) => "turned",
        Some(Poses::Mirrored) => "mirrored",
        Some(Poses::TurnedMirrored) => "turned and mirrored",
        Some(Poses::Drawn) | None => "as drawn",
    };
    let position = format!("{}, {} ships, {poses}, misses {n}", instance.size, rules.fleet.ships.len());
    Ok(claims
        .into_iter()
        .map(|claim| Claim { text: format!("{position}: {}", claim.text), ..claim })
        .collect())
}

/// The member `key`, a whole number from 0 to `max`.
pub(super) fn number(map: &Map<String, Value>, key: &str, max: u64) -> Result<u64, FormatError> {
    let found = map.get(key).and_then(Value::as_u64).filter(|&n| n <= max);
    Ok(found.ok_or_else(|| format!("\"{key}\" is not a whole number from 0 to {max}"))?)
}

/// The member `key`, a list of strings.
fn texts<'a>(map: &'a Map<String, Value>, key: &str) -> Result<Vec<&'a str>, FormatError> {
    let list = map.get(key).and_then(Value::as_array);
    let texts = list.and_then(|list| list.iter().map(Value::as_str).collect());
    Ok(texts.ok_or_else(|| format!("\"{key}\" is not a list of strings"))?)
}

fn board(map: &Map<String, Value>) -> Result<Instance, FormatError> {
    let rows = texts(map, "board")?;
    let side = |n: usize| u32::try_from(n).ok().filter(|n| (MIN_SIDE..=MAX_SIDE).contains(n));
    let width = rows.first().map_or(0, |row| row.chars().count());
    let (Some(width), Some(height)) = (side(width), side(rows.len())) else {
        return Err(format!("\"board\" does not have {MIN_SIDE} to {MAX_SIDE} rows and columns").into());
    };
    if rows.iter().any(|row| row.chars().count() != width as usize) {
        return Err(format!("\"board\" has rows of different lengths; the first has {width} squares").into());
    }
    let square = |c| match c {
        '.' => Ok(Square::Unknown),
        'x' => Ok(Square::Hit),
        'o' => Ok(Square::Miss),
        _ => Err(format!("\"board\" has a square '{c}'; use 'x', 'o' or '.'")),
    };
    let squares = rows.iter().flat_map(|row| row.chars()).map(square).collect::<Result<_, _>>()?;
    Ok(Instance { size: Size::new(width, height), squares })
}

fn fleet(map: &Map<String, Value>) -> Result<Fleet, FormatError> {
    let pictures = texts(map, "fleet")?;
    let is_yes = |key| match map.get(key).and_then(Value::as_str) {
        Some("yes") => Ok(true),
        Some("no") => Ok(false),
        _ => Err(format!("\"{key}\" is neither \"yes\" nor \"no\"")),
    };
    let poses = Poses::allowing(is_yes("turn")?, is_yes("mirror")?);
    if !(1..=32).contains(&pictures.len()) {
        return Err(format!("\"fleet\" has {} ships; it can have 1 to 32", pictures.len()).into());
    }
    let ship = |(i, picture): (usize, &str)| {
        let wrong = || {
            format!("ship {} of \"fleet\" is not a picture of 'x' and '.' with rows separated by '/'", i + 1)
        };
        let rows: Vec<&str> = picture.split('/').collect();
        let left = rows.iter().filter_map(|row| row.find('x')).min();
        let is_drawn = rows[0].contains('x') && left == Some(0) && picture.len() <= 1 << 12;
        if !is_drawn || rows.iter().any(|row| row.chars().any(|c| c != 'x' && c != '.')) {
            return Err(wrong());
        }
        let inside = |(row, line): (u32, &&str)| {
            (0..)
                .zip(line.chars())
                .filter(|(_, c)| *c == 'x')
                .map(|(col, _)| Cell::new(row, col))
                .collect::<Vec<_>>()
        };
        let cells: Vec<Cell> = (0..).zip(&rows).flat_map(inside).collect();
        if cells.len() > MAX_CELLS || !is_connected(&cells) {
            return Err(format!(
                "ship {} of \"fleet\" is not connected or does not have 1 to {MAX_CELLS} cells",
                i + 1
            ));
        }
        Ok(Ship { name: (i + 1).to_string(), cells, poses })
    };
    let ships = pictures.into_iter().enumerate().map(ship).collect::<Result<_, _>>()?;
    Ok(Fleet { ships })
}

/// True if every cell can be reached from the first one by steps between cells that share an edge.
fn is_connected(cells: &[Cell]) -> bool {
    let mut reached = cells[..1].to_vec();
    let mut at = 0;
    while at < reached.len() {
        let here = reached[at];
        let near = |cell: &&Cell| cell.row.abs_diff(here.row) + cell.col.abs_diff(here.col) == 1;
        let new: Vec<Cell> =
            cells.iter().filter(near).filter(|cell| !reached.contains(cell)).copied().collect();
        reached.extend(new);
        at += 1;
    }
    reached.len() == cells.len()
}
