//! Spot: a sentence of an explanation names lines of the record, and holds for all games that agree with these lines.
//! The other lines may be any moves.

use crate::samples::samples;
use chacha20::ChaCha8Rng;
use counterpoint::board::{Bits, Cell, Group};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::Problem;
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Ending};
use counterpoint::problems::spot::explain::{Claim, Minimality, sentences};
use counterpoint::problems::spot::search::{fill, reason, zobrist};
use counterpoint::problems::spot::{Entry, Instance, Legality, Move, MoveLimit, Rules, Sign, Start};
use counterpoint::spec::EngineSpec;
use rand::{RngExt, SeedableRng};

/// A complete game: its moves, its boards from the start on, and its ending.
struct Game {
    moves: Vec<Move>,
    boards: Vec<Bits>,
    ending: Ending,
}

fn turned(n: u32, board: &Bits, rules: &Rules) -> Vec<Bits> {
    let size = counterpoint::board::Size::new(n, n);
    let image = |g: counterpoint::board::Symmetry| {
        Bits::from_indices(size.cells(), board.iter().map(|i| size.index(g.apply(n, size.cell(i)))))
    };
    rules.group.iter().map(image).collect()
}

/// All games that the lines allow. A game stops at its first repeat.
fn games(rules: &Rules, n: u32, lines: &[Entry]) -> Vec<Game> {
    let size = counterpoint::board::Size::new(n, n);
    let (mut open, mut done) = (vec![(Vec::new(), vec![Bits::zeros(size.cells())])], Vec::new());
    for (line, number) in lines.iter().zip(1..) {
        let mut next = Vec::new();
        for (moves, boards) in open {
            for cell in size.iter().filter(|&cell| line.allows(cell)) {
                let mv = Move::toggle(n, boards.last().unwrap(), cell);
                if line.sign().is_some_and(|sign| sign != mv.sign) {
                    continue;
                }
                let mut board: Bits = boards.last().unwrap().clone();
                board.flip(size.index(cell));
                let first = usize::from(rules.start == Start::Uncounted);
                let images = turned(n, &board, rules);
                let repeats = boards[first..].iter().any(|earlier| images.contains(earlier));
                let mut moves: Vec<Move> = moves.clone();
                let mut boards: Vec<Bits> = boards.clone();
                moves.push(mv);
                boards.push(board);
                match repeats {
                    true => done.push(Game { moves, boards, ending: Ending::Repeat(number) }),
                    false => next.push((moves, boards)),
                }
            }
        }
        open = next;
    }
    let draw = |(moves, boards)| Game { moves, boards, ending: Ending::Draw };
    done.extend(open.into_iter().map(draw));
    done
}

/// The record in which only these lines, counted from 0, are known.
fn only(record: &[Entry], lines: &[usize]) -> Vec<Entry> {
    (0..record.len()).map(|i| if lines.contains(&i) { record[i] } else { Entry::UNKNOWN }).collect()
}

/// Whether an ending is possible if only these lines are known.
fn possible(rules: &Rules, game: &Instance, lines: &[usize], ending: Ending) -> bool {
    games(rules, game.n, &only(&game.record, lines)).iter().any(|game| game.ending == ending)
}

fn holds(rules: &Rules, game: &Instance, from: &[usize], claim: &Claim) -> bool {
    let size = game.size();
    match claim {
        Claim::Mover(mv, player) => *player == [2, 1][mv % 2],
        Claim::Equal(mv, earlier, g) => {
            games(rules, game.n, &only(&game.record, from)).iter().all(|played| {
                let image = played.boards[*earlier].iter().map(|i| size.index(g.apply(game.n, size.cell(i))));
                played.moves.len() >= *mv
                    && rules.group.elements().contains(g)
                    && Bits::from_indices(size.cells(), image) == played.boards[*mv]
            })
        }
        Claim::Ends(ending) => {
            let all = games(rules, game.n, &only(&game.record, from));
            !all.is_empty() && all.iter().all(|game| game.ending == *ending)
        }
        Claim::Question | Claim::Open(_) => true,
        Claim::Possible(ending) => possible(rules, game, from, *ending),
        Claim::Refuted(ending, minimality) => {
            let without =
                |left_out: usize| from.iter().copied().filter(|&i| i != left_out).collect::<Vec<_>>();
            !possible(rules, game, from, *ending)
                && (*minimality == Minimality::Unknown
                    || from.iter().all(|&i| possible(rules, game, &without(i), *ending)))
        }
    }
}

/// Tests every sentence about a record. Returns the number of sentences that rule out an ending by a minimal set of at
/// least one line.
fn hold(rules: &Rules, game: &Instance, answer: &Answer) -> usize {
    let reasons = reason::reasons(rules, game, answer, &mut Budget::unlimited());
    let mut needing = 0;
    for reasons in [&[][..], &reasons] {
        for sentence in sentences(rules, game, answer, reasons) {
            let follows = holds(rules, game, &sentence.premises, &sentence.claim);
            assert!(follows, "{rules:?} {:?}: {}", game.record, sentence.text);
            let each = matches!(sentence.claim, Claim::Refuted(_, Minimality::Minimal));
            needing += usize::from(each && !sentence.premises.is_empty());
        }
    }
    needing
}

fn some_rules() -> impl Iterator<Item = Rules> {
    let groups = [Group::C4, Group::D4, Group::C2, Group::Trivial];
    groups.into_iter().flat_map(|group| {
        [Start::Uncounted, Start::Counted].map(|start| Rules {
            group,
            start,
            limit: MoveLimit::None,
            legality: Legality::Strict,
        })
    })
}

#[test]
fn every_sentence_about_a_complete_record_is_entailed() {
    let mut explained = 0;
    for rules in some_rules() {
        // All games of up to four moves on 2x2, and some of six on 3x3.
        for played in games(&rules, 2, &[Entry::UNKNOWN; 4]) {
            let mut record: Vec<Entry> = played.moves.iter().map(|&mv| mv.into()).collect();
            record.extend([Entry::new(Some(1), Some(1), Some(Sign::Place))].repeat(4 - record.len()));
            let game = Instance { n: 2, record };
            let mut session = zobrist::Session::default();
            let Outcome::Decided(answer) =
                zobrist::solve(&rules, &game, &mut session, &mut Budget::unlimited())
            else {
                panic!("{game:?}")
            };
            hold(&rules, &game, &answer);
            explained += 1;
        }
    }
    assert!(explained > 500, "{explained}");
}

#[test]
fn every_sentence_about_a_smudged_record_is_entailed() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let engine = EngineSpec::default_of(&Spot::ENGINES[3].info);
    let (mut needing, mut explained) = (0, 0);
    for rules in some_rules() {
        for round in 0..samples(12) as usize {
            let (n, moves) = if round % 4 == 0 { (3, 4) } else { (2, 4 + round % 3) };
            // A legal game, with or without repeats, in which some entries are unknown.
            let mut board = Bits::zeros((n * n) as usize);
            let mut record = Vec::new();
            for _ in 0..moves {
                let mv = Move::toggle(n, &board, Cell::new(rng.random_range(0..n), rng.random_range(0..n)));
                mv.apply(n, &mut board);
                let known = Entry::from(mv);
                let mut keep = |likely| rng.random_bool(likely);
                let all = keep(0.6);
                let (x, y) = (known.x().filter(|_| all || keep(0.3)), known.y().filter(|_| all || keep(0.3)));
                record.push(Entry::new(x, y, known.sign().filter(|_| all || keep(0.3))));
            }
            record[rng.random_range(0..moves)] = Entry::UNKNOWN;
            let game = Instance { n, record };
            let outcome = fill::solve(&rules, &game, &engine, &mut Budget::unlimited());
            let Outcome::Decided(answer) = outcome else { panic!("{outcome:?}") };
            needing += hold(&rules, &game, &answer);
            explained += 1;
        }
    }
    assert!(explained == 8 * samples(12) && needing as u64 > explained * 9 / 10, "{explained} {needing}");
}
