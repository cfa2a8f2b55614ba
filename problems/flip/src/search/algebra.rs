//! The engine `algebra`: finds all solutions by linear algebra, then looks for the lightest of them (a coset leader).
//!
//! With two colours, the method depends on the board. Boards of at most 64 squares are solved from tables (`words.rs`).
//! On larger boards, the plus stencil leads to a congruence between polynomials (`plus.rs`), and other stencils are
//! solved by elimination (`elimination.rs`). Tables that depend only on stencil and size are kept from one board to the
//! next. Boards of more than two colours are solved modulo p, without such tables (`modular.rs`).

pub use super::elimination::few_enough;
use super::elimination::{decide, whole};
use super::least::{self, Others};
use super::plus::{self, Congruence, congruence};
use super::words::{self, Tables, tables};
use super::{found, modular, supports_rules, wants_fewest};
use crate::answer::Answer;
use crate::{End, Instance, Rules, Stencil, Target};
use counterpoint_core::board::{Bits, Digits, Size};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;
use std::sync::Arc;

/// Accepts any board with the plus stencil, and boards of up to 16,384 squares with other stencils. The bounds for
/// more than two colours are lower (see `modular`).
///
/// # Errors
/// Returns why the instance is not supported.
pub fn supports(rules: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    supports_rules(rules, instance)?;
    match rules.stencil {
        stencil if rules.colours > 2 => modular::supports(stencil, instance.size),
        Stencil::Plus => Ok(()),
        _ => few_enough(instance.size, instance.size.cells()),
    }
}

/// The nullity with two colours: the dimension of the space of press sets that change nothing. For n×n boards with the
/// plus stencil, this is OEIS A159257.
///
/// # Errors
/// Returns the limit that was reached.
pub fn nullity(stencil: Stencil, size: Size, budget: &mut Budget) -> Result<usize, Limit> {
    match stencil {
        Stencil::Plus => plus::nullity(size, budget),
        _ if size.cells() <= words::MAX_SQUARES => Ok(tables(stencil, size).null.len()),
        _ => whole(stencil, size, &Bits::zeros(size.cells()), budget).map(|found| found.null.len()),
    }
}

/// Tables that depend only on stencil and size, kept for the next board if both are the same.
enum Reusable {
    /// For boards of at most 64 squares.
    Words(Tables),
    /// For larger boards with the plus stencil. The second field is `None` until the fewest presses are asked for. The
    /// last field holds the presses of the previous answer under `goal=any`; their memory is reused unless the caller
    /// still holds that answer.
    Polynomials(Congruence, Option<Box<Others>>, Arc<Digits>),
    /// For larger boards with other stencils. Nothing is reused, because elimination starts afresh for each board.
    Nothing,
}

/// Returns a function that solves one board after another.
pub fn start() -> impl FnMut(&Rules, &Instance, &mut Budget) -> Outcome<Answer> {
    let mut reusable: Option<(Stencil, Size, Reusable)> = None;
    move |rules, instance, budget| {
        if rules.colours > 2 {
            return modular::solve(rules, instance, budget);
        }
        let (stencil, size) = (rules.stencil, instance.size);
        if reusable.as_ref().is_none_or(|(s, z, _)| (*s, *z) != (stencil, size)) {
            reusable = None;
            match prepare(stencil, size, budget) {
                Ok(found) => reusable = Some((stencil, size, found)),
                Err(limit) => return Outcome::GaveUp(limit, None),
            }
        }
        match &mut reusable {
            Some((_, _, Reusable::Words(tables))) => by_tables(rules, instance, tables, budget),
            Some((_, _, Reusable::Polynomials(congruence, _, presses))) if !wants_fewest(rules) => {
                any_presses(rules, instance, congruence, presses)
            }
            Some((_, _, Reusable::Polynomials(congruence, others, _))) => {
                by_polynomials(rules, instance, congruence, others, budget)
            }
            _ => {
                let wrong = instance.wrong(&rules.first_end());
                let solutions = whole(stencil, size, &wrong, budget);
                decide(rules, (size, &wrong), solutions, budget)
            }
        }
    }
}

fn prepare(stencil: Stencil, size: Size, budget: &mut Budget) -> Result<Reusable, Limit> {
    Ok(match stencil {
        _ if size.cells() <= words::MAX_SQUARES => Reusable::Words(tables(stencil, size)),
        Stencil::Plus => Reusable::Polynomials(congruence(size, budget)?, None, Arc::default()),
        _ => Reusable::Nothing,
    })
}

/// The maximum number of bytes for null vectors. If a basis of the null space needs more, the engine returns the
/// lightest solution that it knows, without marking it as optimal.
const MAX_NULL_BYTES: usize = 1 << 29;

fn any_presses(
    rules: &Rules,
    instance: &Instance,
    congruence: &Congruence,
    presses: &mut Arc<Digits>,
) -> Outcome<Answer> {
    let memory = Arc::get_mut(presses).map(Digits::take_bits).unwrap_or_default();
    Outcome::Decided(match congruence.solve_into(&instance.wrong(&rules.first_end()), memory) {
        Ok(found) => {
            *presses = found.into();
            Answer::Presses { presses: Arc::clone(presses), optimal: false }
        }
        Err(odd) => Answer::Impossible(Some(odd.into())),
    })
}

fn by_polynomials(
    rules: &Rules,
    instance: &Instance,
    congruence: &Congruence,
    others: &mut Option<Box<Others>>,
    budget: &mut Budget,
) -> Outcome<Answer> {
    match congruence.solve(&instance.wrong(&rules.first_end())) {
        Ok(start) => least::answer(
            rules,
            start,
            move || &**others.get_or_insert_with(|| Box::new(all_others(instance.size, congruence))),
            budget,
        ),
        Err(odd) => Outcome::Decided(Answer::Impossible(Some(odd.into()))),
    }
}

fn all_others(size: Size, congruence: &Congruence) -> Others {
    let nullity = congruence.nullity();
    let few_enough = nullity.saturating_mul(size.cells()) / 8 <= MAX_NULL_BYTES;
    let null = if few_enough { congruence.null().collect() } else { Vec::new() };
    least::others(size, congruence.solve(&Bits::ones(size.cells())).ok(), null, nullity)
}

/// On boards of at most 64 squares, all solutions are weighed one by one if the nullity is at most this.
const FEW_DIMENSIONS: usize = 16;

fn by_tables(rules: &Rules, instance: &Instance, tables: &Tables, budget: &mut Budget) -> Outcome<Answer> {
    let bits = |word| Bits::of_word(instance.size.cells(), word);
    let Tables { null, over, .. } = tables;
    let start = match tables.solve(wrong_word(rules, instance)) {
        Err(odd) => return Outcome::Decided(Answer::Impossible(Some(bits(null[odd]).into()))),
        Ok(start) => start,
    };
    if !wants_fewest(rules) || null.len() > FEW_DIMENSIONS {
        let null: Vec<Bits> = null.iter().copied().map(bits).collect();
        let others = least::others(instance.size, over.map(bits), null, tables.null.len());
        return least::answer(rules, bits(start), || &others, budget);
    }
    let both = [start, start ^ over.unwrap_or(0)];
    let starts = if rules.target == Target::Either { &both[..] } else { &both[..1] };
    match words::lightest(starts, null, budget) {
        Ok(best) => Outcome::Decided(found(rules, bits(best))),
        Err((limit, best)) => {
            Outcome::GaveUp(limit, Some(Answer::Presses { presses: bits(best).into(), optimal: false }))
        }
    }
}

/// The squares that must change, as one word; the board has at most 64 squares. Allocates nothing if the target is a
/// colour.
fn wrong_word(rules: &Rules, instance: &Instance) -> u64 {
    // A board has at least one square, so the first word exists.
    let word = |board: &Instance| board.squares.odd().words()[0];
    word(instance)
        ^ match rules.first_end() {
            End::Colour { colour: 0, .. } => 0,
            End::Colour { .. } => u64::MAX >> (words::MAX_SQUARES - instance.size.cells()),
            End::Board(target) => word(&target),
        }
}
