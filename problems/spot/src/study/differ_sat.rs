//! Shortest games that distinguish two programs, by SAT. The formula has one toggle per step and a variable for each
//! comparison of two boards.

use super::super::Start;
use super::differ::Program;
use counterpoint_core::board::{Group, Size, Symmetry};
use counterpoint_core::engine::{Budget, Unfinished};
use counterpoint_core::solver::{self, Solver, SolverFactory};
use counterpoint_encodings::{AtMostOne, Lit};

/// Finds by SAT what [`super::differ::shortest`] finds by search.
///
/// # Errors
/// Returns an error if a limit was reached, or the solver failed.
pub fn shortest(
    n: u32,
    programs: [&Program; 2],
    most: usize,
    budget: &mut Budget,
) -> Result<Option<Vec<usize>>, Unfinished> {
    let mut solver = SolverFactory::default().fresh();
    let empty: Vec<Lit> = (0..n * n).map(|_| solver.new_var().pos_lit()).collect();
    empty.iter().for_each(|&spot| solver.clause(&[!spot]));
    let mut game = Game { size: Size::new(n, n), boards: vec![empty], moves: Vec::new() };
    for _ in 1..=most {
        game.step(&mut *solver);
        let equal = game.comparisons(programs, &mut *solver);
        let [one, other] = programs.map(|program| {
            let repeats = solver.new_var().pos_lit();
            let own: Vec<Lit> =
                equal.iter().filter(|equal| equal.is_used_by(program)).map(|equal| equal.lit).collect();
            own.iter().for_each(|&lit| solver.clause(&[!lit, repeats]));
            solver.clause(&own.iter().copied().chain([!repeats]).collect::<Vec<_>>());
            repeats
        });
        for (repeat, none) in [(one, other), (other, one)] {
            let (found, next) = solver::step(solver, &[repeat, !none], budget)?;
            solver = next;
            if found {
                return Ok(Some(game.squares(&*solver)));
            }
        }
        solver.clause(&[!one]);
        solver.clause(&[!other]);
        let (goes_on, next) = solver::step(solver, &[], budget)?;
        if !goes_on {
            break;
        }
        solver = next;
    }
    Ok(None)
}

/// The game so far.
struct Game {
    size: Size,
    /// `boards[s][c]` is true iff square c has a spot after step s.
    boards: Vec<Vec<Lit>>,
    /// `moves[s - 1][c]` is true iff step s toggles square c.
    moves: Vec<Vec<Lit>>,
}

/// A comparison of the last board with an earlier one.
struct Equal {
    /// The index of the earlier board in [`Game::boards`].
    earlier: usize,
    /// The index in [`Group::D4`] of the symmetry that is applied to the earlier board.
    map: usize,
    /// True iff the image of the earlier board is equal to the last board.
    lit: Lit,
}

impl Equal {
    fn is_used_by(&self, program: &Program) -> bool {
        let counts = self.earlier > 0 || program.start == Start::Counted;
        counts && program.maps >> self.map & 1 == 1
    }
}

impl Game {
    fn step(&mut self, solver: &mut dyn Solver) {
        let before = &self.boards[self.boards.len() - 1];
        let moves: Vec<Lit> = before.iter().map(|_| solver.new_var().pos_lit()).collect();
        let after: Vec<Lit> = before.iter().map(|_| solver.new_var().pos_lit()).collect();
        AtMostOne::Pairwise.exactly_one(&mut *solver, &moves);
        for ((&b, &t), &a) in before.iter().zip(&moves).zip(&after) {
            for clause in [[!t, b, a], [!t, !b, !a], [t, !b, a], [t, b, !a]] {
                solver.clause(&clause);
            }
        }
        self.moves.push(moves);
        self.boards.push(after);
    }

    /// Compares the last board with each earlier board under each symmetry that at least one of the programs applies to
    /// that board. Boards an odd number of steps apart are never equal, because their numbers of spots differ in
    /// parity.
    fn comparisons(&self, programs: [&Program; 2], solver: &mut dyn Solver) -> Vec<Equal> {
        let last = self.boards.len() - 1;
        let earlier = (0..last).filter(|earlier| (last - earlier).is_multiple_of(2));
        let pairs =
            earlier.flat_map(|earlier| Group::D4.iter().enumerate().map(move |(map, g)| (earlier, map, g)));
        let mut equal = Vec::new();
        for (earlier, map, g) in pairs {
            let candidate = |lit| Equal { earlier, map, lit };
            let lit = self.boards[0][0];
            if programs.iter().any(|program| candidate(lit).is_used_by(program)) {
                equal.push(candidate(self.equal(earlier, last, g, solver)));
            }
        }
        equal
    }

    fn equal(&self, earlier: usize, last: usize, g: Symmetry, solver: &mut dyn Solver) -> Lit {
        let equal = solver.new_var().pos_lit();
        let mut some_differ = vec![equal];
        for cell in self.size.iter() {
            let a = self.boards[earlier][self.size.index(cell)];
            let b = self.boards[last][self.size.index(g.apply(self.size.width, cell))];
            // True only if the two squares differ.
            let differ = solver.new_var().pos_lit();
            for clause in [[!equal, !a, b], [!equal, a, !b], [!differ, a, b], [!differ, !a, !b]] {
                solver.clause(&clause);
            }
            some_differ.push(differ);
        }
        solver.clause(&some_differ);
        equal
    }

    fn squares(&self, solver: &dyn Solver) -> Vec<usize> {
        let toggled = |moves: &Vec<Lit>| moves.iter().position(|&lit| solver.value(lit));
        self.moves.iter().filter_map(toggled).collect()
    }
}
