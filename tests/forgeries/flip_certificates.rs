//! Forged certificates of Flip's studies, on boards of which brute force knows all presses.

use crate::certificates::{Certificate, check, forge, number, study, text};
use crate::presses::World;
use crate::tally::genuine;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

const NULLITY: &str = "the null space has dimension …";
const TURNS: &str = "… every square once";
const LEAST: &str = "at least … needed";
const NONE: &str = "no presses turn every square once";
const LOWER: &str = "some board needs … presses to reach …";
const UPPER: &str = "no board needs more than … presses";
const COPIED: &str = "the null space is that of …, copied … times in each direction";
const KINDS: [&str; 7] = [NULLITY, TURNS, LEAST, NONE, LOWER, UPPER, COPIED];

const STENCILS: [&str; 4] = ["plus", "king", "cross", "torus"];

/// All presses of small square boards, by stencil, side and number of colours.
static WORLDS: LazyLock<HashMap<(&str, u32, u32), World>> = LazyLock::new(|| {
    let sizes = [(2, 4), (3, 2), (5, 2), (7, 2)];
    let all = sizes.into_iter().flat_map(|(colours, most)| (1..=most).map(move |n| (colours, n)));
    let all = all.flat_map(|(colours, n)| STENCILS.map(|stencil| (stencil, n, colours)));
    // 4×4 has 65,536 ways to press it, so only the usual stencil has this size.
    let all = all.filter(|(stencil, n, _)| *n < 4 || *stencil == "plus");
    all.map(|(stencil, n, colours)| ((stencil, n, colours), World::new(stencil, (n, n), colours))).collect()
});

/// The number of presses of the hardest board with each stencil, with target `one` and with target `either`.
static HARDEST: LazyLock<HashMap<(&str, u32), [u32; 2]>> = LazyLock::new(|| {
    let two = WORLDS.values().filter(|world| world.colours == 2);
    let of = |world: &World| {
        let ends = world.one_colour();
        [world.hardest(&ends[..1]), world.hardest(&ends)]
    };
    two.map(|world| ((world.stencil, world.w), of(world))).collect()
});

fn world(certificate: &Certificate, board: &Value) -> Option<&'static World> {
    let stencil = STENCILS.into_iter().find(|stencil| text(certificate, "stencil") == Some(*stencil))?;
    let (n, colours) = (board["n"].as_u64()?, number(certificate, "colours")?);
    WORLDS.get(&(stencil, u32::try_from(n).ok()?, u32::try_from(colours).ok()?))
}

fn rows(board: &Value, key: &str) -> Option<Vec<u32>> {
    let rows: Option<Vec<&str>> = board[key].as_array()?.iter().map(Value::as_str).collect();
    rows?.concat().chars().map(|c| c.to_digit(10)).collect()
}

/// The presses of a certificate. With the plus stencil, the first row is given; each other row is such that every square
/// of the row above is turned once.
fn presses(world: &World, board: &Value) -> Option<Vec<u32>> {
    let (n, p) = (world.w as usize, world.colours);
    let mut presses = rows(board, "rows")?;
    if world.stencil == "plus" && presses.len() == n {
        presses.resize(n * n, 0);
        for i in n..n * n {
            let turned = world.change(&presses)[i - n];
            presses[i] = (1 + p - turned) % p;
        }
    }
    (presses.len() == n * n && presses.iter().all(|&n| n < p)).then_some(presses)
}

/// Boards before the last one are left as they are, so the last one decides.
fn all_ones(certificate: &Certificate) -> Vec<(&'static str, String)> {
    let boards = certificate.get("boards").and_then(Value::as_array);
    let Some([board]) = boards.map(Vec::as_slice) else { return Vec::new() };
    let Some(world) = world(certificate, board) else { return Vec::new() };
    let (start, end) = (vec![0; world.cells()], vec![1; world.cells()]);
    let sums = world.sums(&start, std::slice::from_ref(&end));
    let mut found = Vec::new();
    if let Some(nullity) = board["nullity"].as_u64().filter(|n| *n != u64::from(world.nullity())) {
        found.push((NULLITY, format!("the null space has dimension {nullity}")));
    }
    if board.get("weights").is_some() {
        found.extend((sums > 0).then(|| (NONE, NONE.to_owned())));
        return found;
    }
    let Some(total) = board["presses"].as_u64() else { return found };
    let turns = presses(world, board).is_some_and(|presses| {
        world.change(&presses) == end && u64::from(presses.iter().sum::<u32>()) == total
    });
    if !turns {
        found.push((TURNS, if total == 1 { "1 press turns …" } else { "… presses turn …" }.to_owned()));
    }
    if board["least"] == true && sums > 0 && total > u64::from(sums.trailing_zeros()) {
        found.push((LEAST, format!("at least {total} …")));
    }
    found
}

fn certificates(question: &str, colours: u32, rules: &[(&str, &str)]) -> Vec<Certificate> {
    let mut all = Vec::new();
    let sizes = WORLDS.keys().filter(|(_, _, of)| *of == colours);
    let mut sizes: Vec<_> = sizes.map(|(stencil, n, _)| (*stencil, n.to_string())).collect();
    sizes.sort_unstable();
    for (stencil, n) in sizes {
        let colours = colours.to_string();
        let rules = [&[("stencil", stencil), ("colours", &*colours)], rules].concat();
        let certificate = study("flip", question, &rules, &[("n", &n)], None).unwrap();
        genuine(&check("flip", &certificate).unwrap(), &KINDS);
        all.push(certificate);
    }
    all
}

/// Genuine certificates, and some with a solution that is not the lightest and does not claim to be.
fn all_ones_bases() -> Vec<Certificate> {
    let mut all: Vec<Certificate> =
        [2, 3, 5, 7].into_iter().flat_map(|colours| certificates("all-ones", colours, &[])).collect();
    for i in 0..all.len() {
        let mut other = all[i].clone();
        let board = &mut other["boards"][0];
        let Some(world) = world(&all[i], board).filter(|world| world.null.len() > 1) else { continue };
        let Some(lightest) = presses(world, board) else { continue };
        let null = &world.null[world.null.len() / 2];
        let sum: Vec<u32> = lightest.iter().zip(null).map(|(a, b)| (a + b) % world.colours).collect();
        board["presses"] = json!(sum.iter().sum::<u32>());
        board["least"] = json!(false);
        board["rows"] = as_rows(world, &sum);
        genuine(&check("flip", &other).unwrap(), &KINDS);
        all.push(other);
    }
    // With a basis of the null space in two parts, solutions are examined coset by coset.
    let mut with_basis =
        all.iter().find(|c| c["boards"][0]["n"] == 4 && c["stencil"] == "plus").unwrap().clone();
    let world = &WORLDS[&("plus", 4, 2)];
    let unit = |k: usize| world.null.iter().find(|v| (0..4).all(|c| v[c] == u32::from(c == k))).unwrap();
    let first_row = |k: usize| unit(k)[..4].iter().map(u32::to_string).collect::<String>();
    for split in 0..4 {
        let board = &mut with_basis["boards"][0];
        board["first"] = (0..split).map(first_row).collect();
        board["second"] = (split..4).map(first_row).collect();
        board["symmetry"] = json!("none");
        genuine(&check("flip", &with_basis).unwrap(), &KINDS);
        all.push(with_basis.clone());
    }
    all
}

fn as_rows(world: &World, presses: &[u32]) -> Value {
    let row = |row: &[u32]| row.iter().map(u32::to_string).collect::<String>();
    let rows = presses.chunks(world.w as usize).map(row);
    rows.take(if world.stencil == "plus" { 1 } else { world.h as usize }).collect()
}

fn forge_all_ones(kind: &'static str) {
    forge(("flip", "flip all-ones"), kind, &all_ones_bases(), all_ones);
}

#[test]
fn wrong_dimensions_of_null_spaces() {
    forge_all_ones(NULLITY);
}

#[test]
fn presses_that_do_not_turn_every_square() {
    forge_all_ones(TURNS);
}

#[test]
fn solvable_boards_called_impossible() {
    let mut bases = all_ones_bases();
    // A certificate with weights in the place of presses.
    for i in 0..bases.len() {
        let mut other = bases[i].clone();
        let board = other["boards"][0].as_object_mut().unwrap();
        let Some(n) = board["n"].as_u64() else { continue };
        if board.remove("rows").is_some() {
            board.insert("weights".to_owned(), json!(vec!["1".repeat(n as usize); n as usize]));
            bases.push(other);
        }
    }
    forge(("flip", "flip all-ones"), NONE, &bases, all_ones);
}

/// The number of presses of a solution that is not the lightest, called the least one.
#[test]
fn fewer_presses_turn_every_square() {
    forge_all_ones(LEAST);
}

/// The false claims of a certificate of `hardest` with one board.
fn hardest(certificate: &Certificate) -> Vec<(&'static str, String)> {
    let boards = certificate.get("boards").and_then(Value::as_array);
    let Some([board]) = boards.map(Vec::as_slice) else { return Vec::new() };
    let (Some(world), Some(target)) = (world(certificate, board), text(certificate, "target")) else {
        return Vec::new();
    };
    if world.colours != 2 || !["one", "either"].contains(&target) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let known = HARDEST[&(world.stencil, world.w)][usize::from(target == "either")];
    if let Some(most) = board["most"].as_u64().filter(|most| *most < u64::from(known)) {
        found.push((UPPER, format!("no board needs more than {most} presses")));
    }
    if let Some(n0) = board["n0"].as_u64() {
        let k = board["k"].as_u64().unwrap_or(0);
        let small = u32::try_from(n0).ok().and_then(|n0| WORLDS.get(&("plus", n0, 2)));
        let is_copy = u64::from(world.w) + 1 == k * (n0 + 1)
            && small.is_some_and(|small| small.nullity() == world.nullity());
        found.extend((!is_copy).then(|| (COPIED, COPIED.to_owned())));
        return found;
    }
    let Some(total) = board["presses"].as_u64() else { return found };
    let needs = rows(board, "rows").filter(|presses| presses.len() == world.cells()).is_some_and(|presses| {
        let ends = world.one_colour();
        // The board that these presses make white, and those that lead from it to the target.
        let start = world.change(&presses);
        let sums = world.sums(&start, if target == "one" { &ends[..1] } else { &ends });
        let n = presses.iter().sum::<u32>();
        n == sums.trailing_zeros() && u64::from(n) == total
    });
    if !needs {
        found.push((LOWER, format!("some board needs {total} presses …")));
    }
    found
}

fn hardest_bases() -> Vec<Certificate> {
    let mut all = Vec::new();
    for target in ["white", "either"] {
        all.extend(certificates("hardest", 2, &[("target", target)]));
    }
    all
}

fn forge_hardest(kind: &'static str, bases: &[Certificate]) {
    forge(("flip", "flip hardest"), kind, bases, hardest);
}

#[test]
fn boards_that_need_fewer_presses() {
    forge_hardest(LOWER, &hardest_bases());
}

/// The bound, or the case distinction that is to prove it, is changed; or the rule "two levels" is to prove it.
#[test]
fn boards_that_need_more_presses() {
    let mut bases = hardest_bases();
    for i in 0..bases.len() {
        let mut other = bases[i].clone();
        let board = other["boards"][0].as_object_mut().unwrap();
        board.remove("chain");
        board.insert("proof".to_owned(), json!("two levels"));
        bases.push(other);
    }
    forge_hardest(UPPER, &bases);
}

/// Boards whose null vectors are not copies of those of the smaller board that the certificate names.
#[test]
fn null_spaces_that_are_no_copies() {
    let board = |n: u32, (k, n0): (u32, u32)| {
        let board = json!({ "n": n, "k": k, "n0": n0, "presses": n * n / 2, "most": n * n, "proof": "two levels", "sums": [] });
        let members = json!({
            "problem": "flip", "question": "hardest", "version": 1, "stencil": "plus", "colours": 2,
            "target": "one", "boards": [board],
        });
        members.as_object().unwrap().clone()
    };
    // 1×1 and 3×3 have no null vectors.
    let copy = board(3, (2, 1));
    let claims = check("flip", &copy).unwrap();
    assert!(claims[0].text.ends_with("copied 2 times in each direction") && claims[0].status.is_closed());
    forge_hardest(COPIED, &[copy, board(4, (2, 1)), board(2, (3, 1)), board(4, (5, 1))]);
}
