//! The board as clauses: a parity for each square.

use super::{Goal, Instance, Rules, Target};
use crate::choice::Choice;
use counterpoint_encodings::{Lit, Parity, Sink, Totalizer};

/// The most clauses that are written for one board.
const MOST_CLAUSES: u64 = 5_000_000;

/// How a square's parity is written.
pub(super) fn parity(choice: &Choice) -> Parity {
    Parity::from_name(choice.axis("xor")).unwrap_or(Parity::Direct)
}

/// Boards whose formula has at most five million clauses.
///
/// # Errors
/// Why the instance is not served.
pub fn supports(rules: &Rules, instance: &Instance, choice: &Choice) -> Result<(), String> {
    if rules.colours > 2 {
        return Err("the clauses are for two colours".to_owned());
    }
    if let Target::Board(target) = &rules.target
        && target.size != instance.size
    {
        return Err(format!("the target is {}, the board {}", target.size, instance.size));
    }
    let lits = rules.stencil.most(instance.size) as u64 + u64::from(rules.target == Target::Either);
    let cells = instance.size.cells() as u64;
    let parity = parity(choice);
    if parity == Parity::Direct && lits > 20 {
        return Err(format!("a parity over {lits} literals has 2^{} clauses; use xor=cut4", lits - 1));
    }
    let counts = rules.goal == Goal::Least || rules.within.is_some();
    let totalizer = if counts { Totalizer::size(cells).1 } else { 0 };
    let clauses = parity.size(lits).map_or(0, |(_, clauses)| clauses).saturating_mul(cells) + totalizer;
    if clauses > MOST_CLAUSES {
        return Err(format!("about {clauses} clauses; at most {MOST_CLAUSES} are written"));
    }
    Ok(())
}

/// Presses, in row-major order, that make the board one colour.
pub(super) fn presses<S: Sink + ?Sized>(
    rules: &Rules,
    instance: &Instance,
    parity: Parity,
    sink: &mut S,
) -> Vec<Lit> {
    let size = instance.size;
    let press: Vec<Lit> = size.iter().map(|cell| press(sink, cell)).collect();
    let black = (rules.target == Target::Either).then(|| black(sink));
    let wrong = instance.wrong(&rules.first_end());
    sink.group("parity of each square");
    for cell in size.iter() {
        let around = rules.stencil.squares(size, cell);
        // A square turns over an odd number of times iff it is wrong; with a free colour, iff it is
        // not yet of that colour.
        let lits: Vec<Lit> = around.into_iter().map(|c| press[size.index(c)]).chain(black).collect();
        parity.encode(sink, &lits, wrong.get(size.index(cell)));
    }
    press
}

/// True iff the square is pressed.
fn press<S: Sink + ?Sized>(sink: &mut S, cell: crate::board::Cell) -> Lit {
    sink.named_var(format_args!("press {cell}")).pos_lit()
}

/// True iff the board shall be all black.
fn black<S: Sink + ?Sized>(sink: &mut S) -> Lit {
    sink.named_var(format_args!("black")).pos_lit()
}

/// Counts the presses.
pub(super) fn count<S: Sink + ?Sized>(press: &[Lit], sink: &mut S) -> Totalizer {
    sink.group("number of presses");
    Totalizer::new(sink, press)
}

/// The base question: can the board be solved, by at most `within` presses if that rule is set?
///
/// # Errors
/// As for [`supports`].
pub fn write(rules: &Rules, instance: &Instance, choice: &Choice, sink: &mut dyn Sink) -> Result<(), String> {
    supports(rules, instance, choice)?;
    let press = presses(rules, instance, parity(choice), sink);
    if let Some(most) = rules.within
        && let Some(more) = count(&press, sink).more_than(most as usize)
    {
        sink.clause(&[!more]);
    }
    Ok(())
}
