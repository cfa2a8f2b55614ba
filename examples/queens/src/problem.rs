//! The problem: its types, its SAT encoding, and its tables of engines and families.

use crate::{check, search, text};
use counterpoint::claim::Claim;
use counterpoint::engine::{Axis, Budget, EngineInfo, Unfinished};
use counterpoint::errors::{FormatError, RulesError};
use counterpoint::input::{Source, Warnings};
use counterpoint::problem::{self, DecodedModel, Engine, Family, Formulas, Param, Problem, Reader, Scope};
use counterpoint::proof::Proof;
use counterpoint::rules::Settings;
use counterpoint::solver;
use counterpoint::spec::{EngineSpec, TypedAxis};
use counterpoint_encodings::{AtMostOne, Lit, Sink};
use rand::RngExt;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// An n×n board with the given queens as (row, column), counted from 0.
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) n: usize,
    pub(crate) given: Vec<(usize, usize)>,
}

/// The column of the queen in each row; `None` if no completion exists.
pub(crate) type Answer = Option<Vec<usize>>;

const AMO: TypedAxis<AtMostOne, 8> = TypedAxis::of_lists("amo", AtMostOne::NAMES, AtMostOne::ALL);
const AXES: &[Axis] = &[AMO.axis()];

/// Exactly one queen in each row, at most one in each column and diagonal.
fn formula(board: &Board, spec: &EngineSpec, sink: &mut dyn Sink) -> Vec<Vec<Lit>> {
    let n = board.n;
    let mut cell = |r, c| sink.named_var(format_args!("queen r{}c{}", r + 1, c + 1)).pos_lit();
    let queen: Vec<Vec<Lit>> = (0..n).map(|r| (0..n).map(|c| cell(r, c)).collect()).collect();
    let one = AMO.of(spec);
    queen.iter().for_each(|row| one.exactly_one(sink, row));
    let line = |hits: &dyn Fn(usize, usize) -> bool| -> Vec<Lit> {
        let cells = (0..n).flat_map(|r| (0..n).map(move |c| (r, c)));
        cells.filter(|&(r, c)| hits(r, c)).map(|(r, c)| queen[r][c]).collect()
    };
    for k in 0..2 * n {
        one.at_most_one(sink, &line(&|_, c| c == k));
        one.at_most_one(sink, &line(&|r, c| r + c == k));
        one.at_most_one(sink, &line(&|r, c| r + n == c + k));
    }
    board.given.iter().for_each(|&(r, c)| sink.clause(&[queen[r][c]]));
    queen
}

fn sat(board: &Board, spec: &EngineSpec, budget: &mut Budget) -> Result<Answer, Unfinished> {
    let mut solver = spec.solver();
    let queen = formula(board, spec, &mut *solver);
    let (sat, solver) = solver::step(solver, &[], budget)?;
    Ok(sat.then(|| columns(&queen, &|lit| solver.value(lit))))
}

fn columns(queen: &[Vec<Lit>], value: &dyn Fn(Lit) -> bool) -> Vec<usize> {
    queen.iter().map(|row| row.iter().position(|&lit| value(lit)).unwrap_or(row.len())).collect()
}

/// n-queens completion.
pub(crate) struct Queens;

impl Problem for Queens {
    type Rules = ();
    type Instance = Board;
    type Answer = Answer;
    const NAME: &'static str = "queens";
    const ABOUT: &'static str = "complete a board to n queens that do not attack each other";
    const ENGINES: &'static [Engine<Self>] = &[
        Engine {
            info: EngineInfo::search("rows", "depth first, row by row").after("textbook"),
            supports: |_, _, _| Ok(()),
            start: || Box::new(|_, board, _, budget| search::solve(board, budget).into()),
            formula: None,
        },
        Engine {
            info: EngineInfo::sat("cells", "one variable for each square", AXES).after("folklore"),
            supports: |_, _, _| Ok(()),
            start: || Box::new(|_, board, spec, budget| sat(board, spec, budget).into()),
            formula: Some(|_, board, spec, sink| {
                formula(board, spec, sink);
                Ok(())
            }),
        },
    ];
    const FAMILIES: &'static [Family<Self>] = &[Family {
        name: "random",
        about: "a queen on a random square of each of the first two rows",
        params: &[Param::number("n", 8.0, 2.0, 64.0)],
        make: |(), params, rng| {
            let n = params.whole("n") as usize;
            Ok(Board { n, given: (0..2).map(|r| (r, rng.random_range(0..n))).collect() })
        },
    }];
    const FORMULAS: Formulas<Self> = Formulas {
        obligations: Some(|(), board, answer, _| match answer {
            Some(_) => Ok(Vec::new()),
            None => Ok(vec![check::obligation(board)]),
        }),
        read_model: Some(|(), board, model, budget| {
            let queen = formula(board, model.spec, model.sink);
            let answer = Some(columns(&queen, model.value));
            Ok(DecodedModel::answer::<Self>(&(), board, &answer, budget))
        }),
        satisfiable: Some(|(), _, answer| Some(answer.is_some())),
        ..Formulas::NONE
    };
    const SAMPLE: &'static str = "Q...\n....\n....\n....\n\n.Q..\n....\n....\n....\n";

    fn rules(_: &Settings) -> Result<(), RulesError> {
        Ok(())
    }
    fn read<'a>((): (), _: Scope, mut source: Source<'a>, _: &'a Warnings) -> Reader<'a, Board> {
        problem::reader(move || text::board(&mut source))
    }
    fn write_instance((): &(), board: &Board) -> String {
        text::draw(board.n, &board.given)
    }
    fn write(_: usize, board: &Board, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(text::answer(board, answer).as_bytes())
    }
    fn outcome(answer: &Answer) -> String {
        if answer.is_some() { "completed" } else { "impossible" }.to_owned()
    }
    fn to_json(_: &Board, answer: &Answer) -> Map<String, Value> {
        Map::from_iter([("columns".to_owned(), json!(answer))])
    }
    fn from_json(_: &Board, json: &Map<String, Value>) -> Result<Answer, FormatError> {
        let columns = json.get("columns").ok_or("\"columns\" is missing")?;
        serde_json::from_value(columns.clone()).map_err(|e| format!("\"columns\": {e}").into())
    }
    fn check((): &(), board: &Board, answer: &Answer, proofs: &[Proof], budget: &mut Budget) -> Vec<Claim> {
        check::check(board, answer, proofs, budget)
    }
}
