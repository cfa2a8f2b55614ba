//! The checker: replays or recomputes every claim of an answer with simple code.
//!
//! It shares no code with the engines: placements, tiling, enumeration, the test for lost families and the formula are
//! its own. The hard claim is that a list of sets is complete. There are three ways to verify this claim: counting
//! squares shows that no fleet fits; an enumeration finishes without another set; or a proof shows that the formula "a
//! fleet fits and covers none of these sets" is unsatisfiable.

mod fleets;
pub mod study;
mod verdict;

use super::answer::{Answer, Plan};
use super::{Instance, Rules, Ship, Square};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::claim::{Claim, Status, WrongWitness};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::proof::{self, Formula, Obligation, Proof};
use fleets::{Stop, places};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

// The texts of claims. Records contain them, so they must not change.
const EACH_FITS: &str = "each listed set is covered by a fleet that fits";
/// This text means: the set is covered by a fleet that fits.
const FITS: &str = "a fleet that fits covers the set";
const NO_OTHER: &str = "no other set is covered by a fleet that fits";
const NO_FLEET: &str = "no fleet fits";

fn in_words(misses: u32) -> String {
    match misses {
        1 => "1 miss".to_owned(),
        n => format!("{n} misses"),
    }
}

/// Every claim of the answer with its status.
pub fn check(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    proofs: &[Proof],
    budget: &mut Budget,
) -> Vec<Claim> {
    let misses = in_words(rules.misses);
    match answer {
        Answer::Yes { sets, plan } => vec![
            Claim::new(EACH_FITS, each_fits(rules, instance, sets, budget)),
            Claim::replayed("the listed sets are distinct", distinct(sets, 1)),
            Claim::replayed(
                format!("the plan uncovers each of them with at most {misses}"),
                wins(rules, instance, sets, plan),
            ),
            Claim::new(NO_OTHER, complete(NO_OTHER, rules, instance, sets, proofs, budget)),
        ],
        Answer::No { lost } => vec![
            Claim::new(EACH_FITS, each_fits(rules, instance, lost, budget)),
            Claim::replayed("at least two sets are listed, all distinct", distinct(lost, 2)),
            Claim::new(
                format!("no plan uncovers each of them with at most {misses}"),
                match is_lost(lost, numbers(lost), rules.misses, &mut Known::new(), budget) {
                    Ok(true) => Status::Recomputed,
                    Ok(false) => Status::Failed("some plan does".to_owned()),
                    Err(limit) => Status::Open(limit.to_string()),
                },
            ),
        ],
        Answer::NoFleet => {
            vec![Claim::new(NO_FLEET, complete(NO_FLEET, rules, instance, &[], proofs, budget))]
        }
        Answer::Verdict(verdict) => verdict::claims(*verdict, rules, instance, proofs, budget),
    }
}

/// The claims about a single covered set. The first claim says that a fleet that fits covers the set. The second claim
/// says whether a plan wins, and always remains open.
pub fn check_set(rules: &Rules, instance: &Instance, set: &[Cell], budget: &mut Budget) -> Vec<Claim> {
    let open = "one set that fits does not show which others fit; solve the board to find them";
    vec![
        Claim::new(FITS, each_fits(rules, instance, &[set.to_vec()], budget)),
        Claim::new("whether a plan uncovers every set that fits", Status::Open(open.to_owned())),
    ]
}

/// The obligations: the claims that need a proof if the enumeration does not finish.
///
/// # Errors
/// Returns the limit of the budget that a search has reached. Only a verdict without evidence needs a search.
pub fn obligations<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    answer: &'a Answer,
    budget: &mut Budget,
) -> Result<Vec<Obligation<'a>>, Limit> {
    Ok(match answer {
        Answer::Yes { sets, .. } => vec![no_other(NO_OTHER, rules, instance, sets.into())],
        Answer::NoFleet => vec![no_other(NO_FLEET, rules, instance, Cow::default())],
        Answer::No { .. } => Vec::new(),
        Answer::Verdict(verdict) => verdict::obligations(*verdict, rules, instance, budget)?,
    })
}

fn no_other<'a>(
    claim: &str,
    rules: &'a Rules,
    instance: &'a Instance,
    sets: Cow<'a, [Vec<Cell>]>,
) -> Obligation<'a> {
    let n = instance.size.cells();
    // An upper bound on the number of clauses. Each ship has at most n placements for each of its shapes; four shapes
    // are assumed if it has fewer. A placement has clauses for its own cells and for those nearby. For each ship, every
    // pair of cells may have a clause.
    let near = |ship: &Ship| ship.cells.len() + (4 * ship.cells.len()).pow(2).min(n);
    let for_ship = |ship: &Ship| n * (n / 2 + ship.shapes().len().max(4) * near(ship));
    let total = rules.fleet.ships.iter().map(for_ship).sum::<usize>() + sets.len();
    Obligation::new(claim, total, move || formula(rules, instance, &sets))
}

fn each_fits(rules: &Rules, instance: &Instance, sets: &[Vec<Cell>], budget: &mut Budget) -> Status {
    let placements = fleets::placements(&rules.fleet, instance.size);
    for (i, set) in sets.iter().enumerate() {
        let number = i + 1;
        if !set.is_sorted_by(|a, b| a < b) || set.iter().any(|&cell| !instance.size.contains(cell)) {
            return Status::Failed(format!("set {number} is not ascending or leaves the board"));
        }
        if let Some(hit) = instance.cells(Square::Hit).find(|hit| !set.contains(hit)) {
            return Status::Failed(format!("set {number} leaves out the hit {hit}"));
        }
        if let Some(miss) = instance.cells(Square::Miss).find(|miss| set.contains(miss)) {
            return Status::Failed(format!("set {number} covers the miss {miss}"));
        }
        if set.len() != rules.fleet.cells() {
            let (n, fleet) = (set.len(), rules.fleet.cells());
            return Status::Failed(format!("set {number} has {n} cells, but the fleet covers {fleet}"));
        }
        match fleets::is_covered(set, &placements, &rules.fleet, instance.size, budget) {
            Ok(true) => {}
            Ok(false) => return Status::Failed(format!("no fleet covers set {number}")),
            Err(limit) => return Status::Open(format!("set {number}: {limit}")),
        }
    }
    Status::Witness
}

fn distinct(sets: &[Vec<Cell>], min: usize) -> Result<(), WrongWitness> {
    if sets.len() < min {
        return Err(format!("{} listed", sets.len()).into());
    }
    if numbers(sets).len() < sets.len() { Err("a set is listed twice".into()) } else { Ok(()) }
}

/// The numbers of the listed sets, without those that are listed before, in whatever order of their cells. A set that is
/// listed twice does not make a family harder to uncover.
fn numbers(sets: &[Vec<Cell>]) -> Vec<u32> {
    let mut listed = BTreeSet::new();
    (0..).zip(sets).filter(|(_, set)| listed.insert(sorted(set))).map(|(number, _)| number).collect()
}

/// The cells of a set in ascending order, each once.
fn sorted(set: &[Cell]) -> Vec<Cell> {
    let mut cells = set.to_vec();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Follows the plan against each set.
fn wins(rules: &Rules, instance: &Instance, sets: &[Vec<Cell>], plan: &Plan) -> Result<(), WrongWitness> {
    for (i, set) in sets.iter().enumerate() {
        let (mut at, mut misses) = (plan, 0);
        while let Plan::Shoot { cell, hit, miss } = at {
            if !instance.size.contains(*cell) || instance.at(*cell) != Square::Unknown {
                return Err(format!("the plan shoots at {cell}, which is not an unknown square").into());
            }
            if set.contains(cell) {
                at = hit;
            } else {
                at = miss;
                misses += 1;
            }
        }
        if misses > rules.misses {
            return Err(format!("set {} costs {misses} misses", i + 1).into());
        }
        if *at != Plan::Sink(i) {
            return Err(format!("against set {} the plan ends with another set", i + 1).into());
        }
    }
    Ok(())
}

/// The memo table: whether these of the listed sets are lost with this many misses.
type Known = BTreeMap<(Vec<u32>, u32), bool>;

/// True if no plan wins against the sets numbered `left`. A cell is safe if the sets that lack it are not lost with one
/// miss less. Shooting at a safe cell loses nothing, because a plan that wins against a family wins against every part
/// of it. Counts one node for each pair of a set and a cell that some set contains.
fn is_lost(
    sets: &[Vec<Cell>],
    mut left: Vec<u32>,
    misses: u32,
    known: &mut Known,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let question = (left.clone(), misses);
    if let Some(&lost) = known.get(&question) {
        return Ok(lost);
    }
    let lost = loop {
        if left.len() <= 1 {
            break false;
        }
        if misses == 0 || petals(sets, &left) > misses as usize + 1 {
            break true;
        }
        let cells: BTreeSet<Cell> = left.iter().flat_map(|&s| &sets[s as usize]).copied().collect();
        // Cells that the same sets lack give the same subfamily.
        let mut parts = BTreeSet::new();
        for cell in cells {
            left.iter().try_for_each(|_| budget.node())?;
            let lacking = left.iter().copied().filter(|&s| !sets[s as usize].contains(&cell));
            parts.insert(lacking.collect::<Vec<_>>());
        }
        let mut safe = None;
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            if !is_lost(sets, part.clone(), misses - 1, known, budget)? {
                safe = Some(part);
                break;
            }
        }
        match safe {
            None => break true,
            Some(part) => left.retain(|s| !part.contains(s)),
        }
    };
    if misses > 1 {
        known.insert(question, lost);
    }
    Ok(lost)
}

/// The size of a sunflower among the sets, chosen greedily in order: every cell shared by two sets of the sunflower
/// belongs to all sets. A miss rules out at most one set of the sunflower, so m + 2 of them are lost with m misses.
fn petals(sets: &[Vec<Cell>], left: &[u32]) -> usize {
    let sets = || left.iter().map(|&s| sets[s as usize].iter().copied().collect::<BTreeSet<_>>());
    let core = sets().reduce(|core, set| &core & &set).unwrap_or_default();
    let (mut taken, mut petals) = (core.clone(), 0);
    for set in sets().filter(|set| set.len() > core.len()) {
        if set.intersection(&taken).count() == core.len() {
            taken.extend(set);
            petals += 1;
        }
    }
    petals
}

/// The status of the claim that every fleet that fits covers one of `sets`.
fn complete(
    claim: &str,
    rules: &Rules,
    instance: &Instance,
    sets: &[Vec<Cell>],
    proofs: &[Proof],
    budget: &mut Budget,
) -> Status {
    let stop = budget.stop();
    let enumerate = || {
        if sets.is_empty() && counts_exclude(rules, instance) {
            return Status::Recomputed;
        }
        let free: Vec<_> = instance.size.iter().filter(|&cell| instance.at(cell) != Square::Miss).collect();
        let hits: Vec<_> = instance.cells(Square::Hit).collect();
        let known: BTreeSet<_> = sets.iter().collect();
        let mut other = None;
        let mut visit = |set: Vec<Cell>| {
            if known.contains(&set) {
                return Ok(());
            }
            other = Some(set);
            Err(Stop::Enough)
        };
        match fleets::walk(&rules.fleet, instance.size, &hits, &free, budget, &mut visit) {
            Ok(()) => Status::Recomputed,
            Err(Stop::Limit(limit)) => {
                Status::Open(format!("{limit} of the enumeration; a proof would close the claim"))
            }
            Err(Stop::Enough) => {
                let cells: Vec<_> = other.iter().flatten().map(Cell::to_string).collect();
                Status::Failed(format!("a fleet covers {}", cells.join(" ")))
            }
        }
    };
    proof::close(&no_other(claim, rules, instance, sets.into()), proofs, &stop, enumerate)
}

/// True if counting cells shows that no fleet fits, in one of two ways:
/// * The fleet has fewer cells than there are hits, or more cells than there are free squares.
/// * The fleet has exactly as many cells as there are hits, or as there are free squares. Then the fleet must cover
///   exactly these squares, but it cannot cover that many squares of each chessboard colour. A tetromino T covers three
///   squares of one colour and one of the other; every other tetromino covers two of each.
fn counts_exclude(rules: &Rules, instance: &Instance) -> bool {
    let n = rules.fleet.cells();
    let hits: Vec<_> = instance.cells(Square::Hit).collect();
    let free: Vec<_> = instance.size.iter().filter(|&cell| instance.at(cell) != Square::Miss).collect();
    if hits.len() > n || free.len() < n {
        return true;
    }
    let excess =
        |cells: &[Cell]| cells.iter().map(|c| if (c.row + c.col) % 2 == 0 { 1i32 } else { -1 }).sum();
    let mut possible = BTreeSet::from([0i32]);
    for ship in &rules.fleet.ships {
        let by: i32 = excess(&ship.cells);
        possible = possible.iter().flat_map(|&e| [e + by, e - by]).collect();
    }
    let forced = [hits, free].into_iter().find(|cells| cells.len() == n);
    forced.is_some_and(|cells| !possible.contains(&excess(&cells)))
}

/// Gives a ship's variables the names that the encodings use. Only these names depend on code that engines use.
fn name(ship: &Ship, size: Size, places: &[Vec<Cell>], vars: &[i32], own: &[i32], formula: &mut Formula) {
    let numbers: BTreeMap<_, _> = places.iter().zip(vars).collect();
    for placement in ship.placements(size) {
        if let Some(&&var) = numbers.get(&placement.cells) {
            let (pose, corner) = (placement.pose + 1, placement.corner);
            formula.name(var, format!("placement {}#{pose} at {corner}", ship.name));
        }
    }
    for (cell, &var) in size.iter().zip(own) {
        formula.name(var, format!("own {} {cell}", ship.name));
    }
}

/// The formula "a fleet fits and covers none of `sets`". Every such fleet gives a model: the cells that each ship owns,
/// its placement, and the cells that are covered.
fn formula(rules: &Rules, instance: &Instance, sets: &[Vec<Cell>]) -> Formula {
    let size = instance.size;
    let n = size.cells();
    let mut formula = Formula::new();
    let covered = formula.vars(n);
    let owners: Vec<Vec<i32>> = rules.fleet.ships.iter().map(|_| formula.vars(n)).collect();
    for cell in size.iter() {
        let i = size.index(cell);
        match instance.at(cell) {
            Square::Hit => formula.clause(owners.iter().map(|own| own[i])),
            Square::Miss => owners.iter().for_each(|own| formula.clause([-own[i]])),
            Square::Unknown => {
                formula.name(covered[i], format!("covered {cell}"));
                owners.iter().for_each(|own| formula.clause([-own[i], covered[i]]));
                formula.clause(owners.iter().map(|own| own[i]).chain([-covered[i]]));
            }
        }
        formula.at_most_one(&owners.iter().map(|own| own[i]).collect::<Vec<_>>());
    }
    for (ship, own) in rules.fleet.ships.iter().zip(&owners) {
        let clear = |place: &Vec<Cell>| place.iter().all(|&cell| instance.at(cell) != Square::Miss);
        let places: Vec<_> = places(ship, size).into_iter().filter(clear).collect();
        let vars = formula.vars(places.len());
        let mut at: Vec<Vec<i32>> = vec![Vec::new(); n];
        let mut near: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
        for (place, &var) in places.iter().zip(&vars) {
            for i in place.iter().map(|&cell| size.index(cell)) {
                at[i].push(var);
                near[i].extend(place.iter().map(|&cell| size.index(cell)));
            }
        }
        formula.clause(vars.iter().copied());
        name(ship, size, &places, &vars, own, &mut formula);
        for (place, &var) in places.iter().zip(&vars) {
            let inside: BTreeSet<_> = place.iter().map(|&cell| size.index(cell)).collect();
            let around: BTreeSet<_> = inside.iter().flat_map(|&i| &near[i]).copied().collect();
            inside.iter().for_each(|&i| formula.clause([-var, own[i]]));
            around.difference(&inside).for_each(|&i| formula.clause([-var, -own[i]]));
        }
        for i in 0..n {
            formula.clause(at[i].iter().copied().chain([-own[i]]));
            // No placement of the ship covers both cells, so it does not own both.
            for j in (i + 1..n).filter(|j| !at[i].is_empty() && !at[*j].is_empty() && !near[i].contains(j)) {
                formula.clause([-own[i], -own[j]]);
            }
        }
    }
    formula.begin_claim();
    for set in sets {
        let unknown = set.iter().filter(|&&cell| instance.at(cell) == Square::Unknown);
        formula.clause(unknown.map(|&cell| -covered[size.index(cell)]));
    }
    formula
}
