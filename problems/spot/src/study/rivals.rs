//! The question `rules`: shortest games that distinguish the rules from those of typical wrong programs.

use super::super::{Entry, Instance, Move, MoveLimit, Rules, Start, winner};
use super::differ::{MAX_SIDE, Program, shortest, toggled, toggles};
use super::{differ_sat, strategy_tree::certificate};
use counterpoint_core::board::{Bits, Group};
use counterpoint_core::engine::{Budget, Unfinished, Work};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, row};
use serde_json::Value;

/// Parameters of [`run`].
pub const PARAMS: &[Param] =
    &[Param::number("n", 4.0, 1.0, MAX_SIDE as f64), Param::number("sat", 1.0, 0.0, 1.0)];
/// The maximum number of moves of a game, if the rules have no limit on moves.
const MAX_MOVES: usize = 400;

/// Answers the question `rules`, with a row for each wrong program. With `sat=1`, a second row for each program has the
/// answer by SAT.
///
/// # Errors
/// Returns an error if a limit of the budget was reached, or a solver failed.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let n = params.whole("n");
    let limit = rules.moves(n).unwrap_or(MAX_MOVES);
    let judge = Program::of(rules.group, rules.start, name(rules.group, rules.start));
    let mut games = Vec::new();
    for other in wrong_programs(rules) {
        output.progress(format_args!("{} against {}", judge.name, other.name));
        let before = budget.work.nodes;
        let game = shortest(n, [&judge, &other], limit, budget)?;
        let nodes = budget.work.nodes - before;
        let work = Work { nodes, ..Work::default() };
        write_row(rules, n, [&judge, &other], "search", game.as_deref(), work, output);
        if let Some(game) = &game {
            let text = input(rules, n, [&judge, &other], game);
            output
                .note(&format!("A game that distinguishes '{}' from '{}':\n{text}", judge.name, other.name));
        }
        if params.whole("sat") == 1 {
            let before = budget.work.conflicts;
            let by_sat = differ_sat::shortest(n, [&judge, &other], limit, budget).map_err(|unfinished| {
                match unfinished {
                    Unfinished::Limit(limit) => StudyError::Limit(limit),
                    Unfinished::Failed(reason) => reason.into(),
                }
            })?;
            let conflicts = budget.work.conflicts - before;
            let work = Work { conflicts, ..Work::default() };
            write_row(rules, n, [&judge, &other], "sat", by_sat.as_deref(), work, output);
        }
        games.extend(game.map(|game| (other, game)));
    }
    output.file("certificate.json", &|| {
        let mut map = certificate("rules", n, rules);
        let game = |(other, game): &(Program, Vec<usize>)| {
            serde_json::json!({ "program": other.name, "squares": game })
        };
        map.insert("limit".to_owned(), limit.into());
        map.insert("games".to_owned(), games.iter().map(game).collect::<Vec<_>>().into());
        Value::Object(map).to_string().into_bytes()
    });
    Ok(())
}

fn name(group: Group, start: Start) -> String {
    format!("{}, start {}", group.name(), start.name())
}

/// The wrong programs: one for each other group; one with the other rule for the start; and one that uses the four
/// rotations and one reflection.
fn wrong_programs(rules: &Rules) -> Vec<Program> {
    let groups =
        [Group::C4, Group::D4, Group::C2, Group::Trivial].into_iter().filter(|&group| group != rules.group);
    let mut others: Vec<Program> =
        groups.map(|group| Program::of(group, rules.start, name(group, rules.start))).collect();
    let start = if rules.start == Start::Counted { Start::Uncounted } else { Start::Counted };
    others.push(Program::of(rules.group, start, name(rules.group, start)));
    others.push(Program::with_one_mirror(rules.start));
    others
}

/// Writes a row about one wrong program.
fn write_row(
    rules: &Rules,
    n: u32,
    programs: [&Program; 2],
    how: &str,
    game: Option<&[usize]>,
    work: Work,
    output: &mut dyn StudyOutput,
) {
    let complete = game.map(|game| padded(rules, n, programs, game));
    let says =
        |program: &Program| complete.as_ref().map_or(Value::Null, |game| answer(n, program, game).into());
    let lines = complete
        .as_ref()
        .map(|game| moves(n, game).iter().map(|mv| Entry::from(*mv).to_string().into()).collect());
    output.row(row([
        ("n", n.into()),
        ("rules", programs[0].name.as_str().into()),
        ("in their place", programs[1].name.as_str().into()),
        ("differ at move", game.map_or(Value::Null, |game| game.len().into())),
        ("answer", says(programs[0])),
        ("other answer", says(programs[1])),
        ("how", how.into()),
        ("nodes", work.nodes.into()),
        ("conflicts", work.conflicts.into()),
        ("game", lines.map_or(Value::Null, Value::Array)),
    ]));
}

/// The game, with moves appended if a record must have 2N moves. If possible, neither program calls an appended move a
/// repeat.
fn padded(rules: &Rules, n: u32, programs: [&Program; 2], game: &[usize]) -> Vec<usize> {
    let mut game = game.to_vec();
    let toggles = toggles(n);
    let mut boards = vec![[0; 8]];
    for &square in &game {
        let next = toggled(&boards[boards.len() - 1], &toggles[square]);
        boards.push(next);
    }
    while rules.limit == MoveLimit::TwiceN && game.len() < 2 * n as usize {
        let after = |square: usize| toggled(&boards[boards.len() - 1], &toggles[square]);
        let fresh = |&square: &usize| {
            let mut boards = boards.clone();
            boards.push(after(square));
            programs.iter().all(|program| !program.repeats(&boards))
        };
        let square = (0..toggles.len()).find(fresh).unwrap_or(0);
        boards.push(after(square));
        game.push(square);
    }
    game
}

/// The moves that toggle these squares.
fn moves(n: u32, squares: &[usize]) -> Vec<Move> {
    let size = counterpoint_core::board::Size::new(n, n);
    let mut board = Bits::zeros(size.cells());
    let mv = |&square: &usize| {
        let mv = Move::toggle(n, &board, size.cell(square));
        mv.apply(n, &mut board);
        mv
    };
    squares.iter().map(mv).collect()
}

/// The output of a program for a game.
fn answer(n: u32, program: &Program, squares: &[usize]) -> String {
    let toggles = toggles(n);
    let mut boards = vec![[0; 8]];
    for (&square, mv) in squares.iter().zip(1..) {
        let next = toggled(&boards[boards.len() - 1], &toggles[square]);
        boards.push(next);
        if program.repeats(&boards) {
            return format!("Player {} wins on move {mv}", winner(mv));
        }
    }
    "Draw".to_owned()
}

/// The game, padded, as the judge's input.
fn input(rules: &Rules, n: u32, programs: [&Program; 2], game: &[usize]) -> String {
    let lines: Vec<String> =
        moves(n, &padded(rules, n, programs, game)).iter().map(|mv| Entry::from(*mv).to_string()).collect();
    format!("{n}\n{}\n0\n", lines.join("\n"))
}
