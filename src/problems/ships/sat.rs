//! SAT engines: covered sets one by one until they are lost or there is no other.
//!
//! `enumerate` forbids each set that was found. The size theorem bounds the rounds: C(k + m, m) sets of k
//! unknown cells at most are won with m misses. `probe` asks only for sets that matter (`sat/probe.rs`),
//! `sunflower` asks for evidence of "no" at once (`sat/sunflower.rs`).
//!
//! With `idle=later` the ships that cover no hit are left out at first (`sat/enquiry.rs`). That refutes
//! some boards and finds evidence of "no" on most; where it does neither, the whole formula is solved.

mod enquiry;
mod probe;
mod reason;
mod sunflower;

pub use reason::keeping;

use super::answer::Answer;
use super::formula::{self, Encoded, Form, Idle, Model, Redundant};
use super::{Instance, Rules};
use crate::board::Cell;
use crate::engine::{Axis, Budget, EngineInfo, Limit, Outcome, Unfinished};
use crate::spec::EngineSpec;
use counterpoint_encodings::{AtMostOne, Lit, Sink};
use enquiry::{Enquiry, Found};

const AXES: &[Axis] = &[
    Axis {
        name: "amo",
        values: &[
            "bimander",
            "sequential",
            "pairwise",
            "ladder",
            "bitwise",
            "product",
            "commander",
            "totalizer",
        ],
    },
    Axis { name: "adversary", values: &["enumerate", "probe", "sunflower"] },
    Axis { name: "idle", values: &["later", "placed"] },
    Axis { name: "cells", values: &["no", "yes"] },
    Axis { name: "colours", values: &["no", "yes"] },
    Axis { name: "leaders", values: &["yes", "no"] },
];

/// Its own default stands first, then all others.
const _: () = assert!(AXES[0].values.len() == AtMostOne::NAMES.len(), "the axis amo has every encoding");

/// The model with owners.
pub const OWNER: EngineInfo = EngineInfo::sat("owner", "placements, and which ship owns each cell", AXES)
    .after("channelling as in constraint models; leaders and idle ships: ours");
/// The model without.
pub const PLACEMENT: EngineInfo = EngineInfo::sat("placement", "a variable for each ship and place", AXES)
    .after("exact cover as clauses; Knuth, TAOCP 7.2.2.2");

/// A formula of more clauses is not written.
const MAX_CLAUSES: u64 = 5_000_000;

/// Which sets are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Adversary {
    Enumerate,
    Probe,
    Sunflower,
}

fn adversary(spec: &EngineSpec) -> Adversary {
    match spec.axis("adversary") {
        "probe" => Adversary::Probe,
        "sunflower" => Adversary::Sunflower,
        _ => Adversary::Enumerate,
    }
}

fn form(model: Model, spec: &EngineSpec) -> Result<Form, String> {
    let name = spec.axis("amo");
    let amo = AtMostOne::from_name(name);
    let amo = amo.ok_or_else(|| format!("no encoding of exactly-one is called '{name}'"))?;
    let idle = if spec.axis("idle") == "later" { Idle::Later } else { Idle::Placed };
    let redundant = Redundant::ALL.into_iter().filter(|r| spec.axis(r.name()) == "yes").collect();
    Ok(Form { model, amo, idle, redundant })
}

/// Boards whose formula keeps within bounds.
///
/// # Errors
/// Why the instance is not served.
pub fn supports(model: Model, rules: &Rules, instance: &Instance, spec: &EngineSpec) -> Result<(), String> {
    let whole = Form { idle: Idle::Placed, ..form(model, spec)? };
    let clauses = match adversary(spec) {
        Adversary::Sunflower => formula::most_clauses_of_sunflower(&whole, rules, instance),
        _ => formula::most_clauses(&whole, rules, instance),
    };
    if clauses > MAX_CLAUSES {
        return Err(format!("the formula may have {clauses} clauses; at most {MAX_CLAUSES} are written"));
    }
    Ok(())
}

/// The base question as clauses: that a fleet fits, all its ships placed, or that a sunflower of fleets does.
///
/// # Errors
/// Those of [`supports`]; that probing is no single formula.
pub fn write(
    model: Model,
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    encode(model, rules, instance, spec, sink).map(drop)
}

/// The base question, then of each unknown cell: can it be empty? With a no, a shot there is safe. A sunflower
/// is one question.
///
/// # Errors
/// As for [`write()`].
pub fn write_cells(
    model: Model,
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, String> {
    let fleets = encode(model, rules, instance, spec, sink)?;
    let covered =
        fleets.iter().filter(|_| fleets.len() == 1).flat_map(|fleet| fleet.covered.iter().flatten());
    Ok([Vec::new()].into_iter().chain(covered.map(|&lit| vec![!lit])).collect())
}

/// The base question; the fleets come back.
pub(super) fn encode(
    model: Model,
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Vec<Encoded>, String> {
    supports(model, rules, instance, spec)?;
    let whole = Form { idle: Idle::Placed, ..form(model, spec)? };
    match adversary(spec) {
        Adversary::Enumerate => Ok(vec![formula::write(&whole, rules, instance, sink)]),
        Adversary::Sunflower => Ok(formula::write_sunflower(&whole, rules, instance, sink)),
        Adversary::Probe => {
            let reason = "adversary=probe asks one question after another, which is no single formula; \
                          adversary=enumerate writes that a fleet fits";
            Err(reason.to_owned())
        }
    }
}

/// Solves one board.
pub fn solve(
    model: Model,
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Outcome<Answer> {
    let form = match form(model, spec) {
        Ok(form) => form,
        Err(reason) => return Outcome::Unsupported(reason),
    };
    Question { form, rules, instance, spec }.decide(budget).into()
}

struct Question<'a> {
    form: Form,
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &'a EngineSpec,
}

impl Question<'_> {
    /// Asks one question after another, each of a fresh solver, until one has an answer.
    fn decide(&self, budget: &mut Budget) -> Result<Answer, Unfinished> {
        if adversary(self.spec) == Adversary::Sunflower {
            let solver = self.spec.solver();
            if let Some(answer) = sunflower::find(&self.form, self.rules, self.instance, solver, budget)? {
                return Ok(answer);
            }
        }
        if self.form.idle == Idle::Later
            && let Some(answer) = self.enquire(Idle::Later, budget)?
        {
            return Ok(answer);
        }
        // Never without an answer, since no ship is left out.
        Ok(self.enquire(Idle::Placed, budget)?.ok_or(Limit::Memory)?)
    }

    /// The answer; `None` if ships that were left out found no room.
    fn enquire(&self, idle: Idle, budget: &mut Budget) -> Result<Option<Answer>, Unfinished> {
        let form = Form { idle, ..self.form.clone() };
        let mut enquiry = Enquiry::new(&form, self.rules, self.instance, self.spec.solver());
        if adversary(self.spec) != Adversary::Enumerate && self.rules.misses == 1 {
            return probe::decide(enquiry, budget);
        }
        loop {
            let (found, next) = enquiry.ask(&[], budget)?;
            match found {
                Found::Open => enquiry = next,
                Found::Nothing | Found::Lost => return Ok(Some(next.answer(budget)?)),
                Found::Unplaced => return Ok(None),
            }
        }
    }
}

/// A fleet as a model has it.
pub struct Laid {
    /// The cells that it covers, ascending.
    pub set: Vec<Cell>,
    /// Two ships that share a cell, which those of a right model never do.
    pub overlap: Option<String>,
}

impl Laid {
    /// Ships by name with their cells.
    fn new(ships: &[(&str, &[Cell])]) -> Laid {
        let overlap = ships.iter().enumerate().find_map(|(i, (second, cells))| {
            ships[..i].iter().find_map(|(first, others)| {
                let cell = others.iter().find(|cell| cells.contains(cell))?;
                Some(format!("ships {first} and {second} overlap at {cell}"))
            })
        });
        let mut set: Vec<Cell> = ships.iter().flat_map(|(_, cells)| *cells).copied().collect();
        set.sort_unstable();
        Laid { set, overlap }
    }
}

/// The fleets in a model of what [`write()`] writes; the sink takes the formula once more. One fleet, or those
/// of a sunflower.
///
/// # Errors
/// Those of [`write()`].
pub fn decode(
    model: Model,
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
    value: &dyn Fn(Lit) -> bool,
) -> Result<Vec<Laid>, String> {
    // Placements stand in the order of the ships.
    let fitting = formula::fitting(Idle::Placed, rules, instance);
    let ships = rules.fleet.ships.iter().zip(&fitting);
    let names: Vec<&str> = ships.flat_map(|(ship, places)| places.iter().map(|_| &*ship.name)).collect();
    let laid = |fleet: &Encoded| {
        let placed = fleet.placements.iter().zip(&names).filter(|((lit, _), _)| value(*lit));
        Laid::new(&placed.map(|((_, cells), name)| (*name, &cells[..])).collect::<Vec<_>>())
    };
    Ok(encode(model, rules, instance, spec, sink)?.iter().map(laid).collect())
}
