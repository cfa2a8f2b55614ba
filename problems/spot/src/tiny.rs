//! Smudged records on tiny boards for testing external encoders, and drawings of completions.

use super::{Entry, Instance, Move, Rules, Start, families};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Bits, Cell, Mark, Panel, Sheet, Size, Symmetry, Tile};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Encoding, NamedCell, Param, Params};
use rand::RngExt;
use rustc_hash::FxHashSet;

/// The greatest side of the boards that are enumerated.
const MAX_SIDE: u32 = 2;
/// The greatest side of random boards.
const MAX_RANDOM_SIDE: u32 = 4;
/// The maximum number of moves of the records that are enumerated.
const MAX_MOVES: usize = 4;

/// How encoders for Spot are tested.
pub const ENCODING: Encoding<Rules, Instance> = Encoding {
    models: "the completions of a smudged record in which no pattern occurs twice",
    extent: |_| format!("legal records up to N = {MAX_SIDE}, any of their moves smudged"),
    tiny,
    random,
    smaller,
    cells,
    draw,
};

/// A variable for each move, counted from 1, and each square: `toggle step 2 r1c2` is true iff move 2 toggles r1c2. The
/// value of a variable is shown if the record determines it: the entry excludes this square, or it allows no other one.
fn cells(instance: &Instance) -> Vec<NamedCell> {
    let size = instance.size();
    let steps = instance.record.iter().zip(1..);
    let cell = |entry: &Entry, step: usize, cell: Cell| {
        let allowed = size.iter().filter(|&cell| entry.allows(cell)).count();
        let shown = match entry.allows(cell) {
            false => Some(false),
            true => (allowed == 1).then_some(true),
        };
        NamedCell { name: format!("toggle step {step} {cell}"), shown }
    };
    steps.flat_map(|(entry, step)| size.iter().map(move |at| cell(entry, step, at))).collect()
}

/// All legal records with all choices of unknown moves, in the order of the sides of their boards, then of their
/// numbers of unknown moves. A record has at most [`MAX_MOVES`] moves.
fn tiny(rules: &Rules) -> Box<dyn Iterator<Item = Instance>> {
    let rules = *rules;
    Box::new((1..=MAX_SIDE).flat_map(move |n| {
        let moves = rules.moves(n).unwrap_or(2 * n as usize).min(MAX_MOVES);
        let records = records(n, moves);
        let mut masks: Vec<u32> = (0..1 << moves).collect();
        masks.sort_by_key(|mask| mask.count_ones());
        let mut known = FxHashSet::default();
        let smudge = move |(mask, record): (u32, &Vec<Entry>)| -> Option<Instance> {
            let entry =
                |(i, &entry): (usize, &Entry)| if mask >> i & 1 == 1 { Entry::UNKNOWN } else { entry };
            let record: Vec<_> = record.iter().enumerate().map(entry).collect();
            let instance = Instance { n, record };
            known.insert(instance.record.iter().map(Entry::to_string).collect::<String>()).then_some(instance)
        };
        let all: Vec<(u32, &Vec<Entry>)> =
            masks.iter().flat_map(|&mask| records.iter().map(move |record| (mask, record))).collect();
        all.into_iter().filter_map(smudge).collect::<Vec<_>>()
    }))
}

/// All legal records of this many moves.
fn records(n: u32, moves: usize) -> Vec<Vec<Entry>> {
    let size = Size::new(n, n);
    let mut records = vec![(Bits::zeros(size.cells()), Vec::new())];
    for _ in 0..moves {
        let next = |(board, record): &(Bits, Vec<Entry>)| {
            let next = |cell| {
                let (mut board, mut record) = (board.clone(), record.clone());
                let mv = Move::toggle(n, &board, cell);
                mv.apply(n, &mut board);
                record.push(Entry::from(mv));
                (board, record)
            };
            size.iter().map(next).collect::<Vec<_>>()
        };
        records = records.iter().flat_map(next).collect();
    }
    records.into_iter().map(|(_, record)| record).collect()
}

/// A random record with up to three smudged moves.
fn random(rules: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let n = rng.random_range(2..=MAX_RANDOM_SIDE);
    let side = Param::number("n", f64::from(n), 1.0, 50.0);
    let mut instance = families::random(rules, &Params::new(&[side], &[])?, rng)?;
    for _ in 0..rng.random_range(1..=3) {
        let Some(last) = instance.record.len().checked_sub(1) else { break };
        let entry = &mut instance.record[rng.random_range(0..=last)];
        let (x, y, sign) = (entry.x(), entry.y(), entry.sign());
        *entry = Entry::new(
            x.filter(|_| rng.random_range(0..3) == 0),
            y.filter(|_| rng.random_range(0..3) == 0),
            sign.filter(|_| rng.random()),
        );
    }
    Ok(instance)
}

/// Records in which one unknown part of a move is replaced by a known one.
fn smaller(instance: &Instance) -> Vec<Instance> {
    let mut found = Vec::new();
    for (i, entry) in instance.record.iter().enumerate() {
        let (x, y, sign) = (entry.x(), entry.y(), entry.sign());
        let mut with = |entry| {
            let mut instance = instance.clone();
            instance.record[i] = entry;
            found.push(instance);
        };
        if x.is_none() {
            (1..=instance.n).for_each(|x| with(Entry::new(Some(x), y, sign)));
        }
        if y.is_none() {
            (1..=instance.n).for_each(|y| with(Entry::new(x, Some(y), sign)));
        }
        if sign.is_none() {
            [super::Sign::Place, super::Sign::Take].into_iter().for_each(|s| with(Entry::new(x, y, Some(s))));
        }
    }
    found
}

/// Draws the board after each step, marks the squares that the step toggles, and notes illegal steps and repeats.
fn draw(rules: &Rules, instance: &Instance, values: &[Option<bool>]) -> Sheet {
    let size = instance.size();
    let mut boards = vec![Bits::zeros(size.cells())];
    let (mut panels, mut notes) = (Vec::new(), Vec::new());
    for (values, step) in values.chunks(size.cells()).zip(1..) {
        let toggled: Vec<usize> = (0..size.cells()).filter(|&i| values[i] == Some(true)).collect();
        let mut board = boards[boards.len() - 1].clone();
        toggled.iter().for_each(|&i| board.flip(i));
        let tiles = (0..size.cells()).map(|i| tile(board.get(i), toggled.contains(&i))).collect();
        panels.push(Panel { caption: format!("step {step}"), size, tiles });
        if toggled.len() != 1 {
            notes.push(format!("step {step} toggles {} squares", toggled.len()));
        }
        boards.push(board);
    }
    let first = if rules.start == Start::Counted { 0 } else { 1 };
    let least = |board: &Bits| {
        let there = |symmetry: Symmetry| {
            let moved = board.iter().map(|i| size.index(symmetry.apply(instance.n, size.cell(i))));
            Bits::from_indices(size.cells(), moved)
        };
        rules.group.elements().into_iter().map(there).min()
    };
    let patterns: Vec<_> = boards.iter().map(least).collect();
    let repeat = (first + 1..boards.len())
        .find_map(|later| (first..later).find(|&i| patterns[i] == patterns[later]).map(|i| (i, later)));
    notes.push(match repeat {
        Some((0, later)) => format!("the board after step {later} is empty, as at the start"),
        Some((earlier, later)) => {
            format!("the pattern after step {later} equals the pattern after step {earlier}")
        }
        None => "no pattern occurs twice".to_owned(),
    });
    Sheet { panels, notes, ..Sheet::default() }
}

/// A square with or without a spot, framed if the step toggles it.
fn tile(spot: bool, toggled: bool) -> Tile {
    Tile {
        disc: spot.then_some("#333333"),
        letters: if spot { "o" } else { "." }.to_owned(),
        mark: if toggled { Mark::Frame } else { Mark::None },
        ..Tile::new("#fafafa", if spot { "#fafafa" } else { "#333333" }, "")
    }
}
