//! Flip on boards too large for brute force: polynomials against elimination, with every solution replayed.

use crate::bench::{Bench, check, solve};
use counterpoint::board::Size;
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problems::flip::Stencil;
use counterpoint::problems::flip::search::algebra::nullity;

/// The squares of a board from rows of text; true is black.
fn board(text: &str) -> Vec<Vec<bool>> {
    text.lines().map(|row| row.bytes().map(|b| b == b'b').collect()).collect()
}

fn flip_around(board: &mut [Vec<bool>], r: usize, c: usize) {
    let (h, w) = (board.len() as i64, board[0].len() as i64);
    for (dr, dc) in [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)] {
        let (r, c) = (r as i64 + dr, c as i64 + dc);
        if (0..h).contains(&r) && (0..w).contains(&c) {
            let square = &mut board[r as usize][c as usize];
            *square = !*square;
        }
    }
}

/// Solves a board by both engines. Replays the presses or, if the board is impossible, checks the squares that are
/// marked as its proof (`weights`). Returns whether the board is solvable.
fn both_ways(bench: &Bench, family: &str, w: u32, h: u32, seed: u64) -> bool {
    let (w, h) = (w.to_string(), h.to_string());
    let instance = bench.generate(family, &[("w", &w), ("h", &h)], seed);
    let mut solvable = Vec::new();
    for engine in ["search:algebra", "search:elimination"] {
        let answer = solve(&*instance, bench, engine);
        let json = answer.to_json(engine, &[]);
        let squares = |key: &str| -> Option<Vec<[usize; 2]>> {
            let list = json[key].as_array()?.iter();
            Some(list.map(|c| [0, 1].map(|i| c[i].as_u64().unwrap() as usize - 1)).collect())
        };
        let mut rest = board(&instance.text());
        if let Some(presses) = squares("presses") {
            presses.iter().for_each(|&[r, c]| flip_around(&mut rest, r, c));
            assert!(rest.iter().flatten().all(|&black| !black), "{engine}");
        } else {
            let marked = squares("weights").unwrap();
            assert_eq!(marked.iter().filter(|[r, c]| rest[*r][*c]).count() % 2, 1, "{engine}");
            // Each press flips an even number of marked squares. The stencil is symmetric, so this is true if and only
            // if pressing all marked squares changes nothing.
            let mut white = vec![vec![false; rest[0].len()]; rest.len()];
            marked.iter().for_each(|&[r, c]| flip_around(&mut white, r, c));
            assert!(white.iter().flatten().all(|&black| !black), "{engine}");
        }
        solvable.push(json["outcome"] != "impossible");
    }
    assert_eq!(solvable[0], solvable[1]);
    solvable[0]
}

#[test]
fn polynomials_and_elimination_on_random_boards_of_all_shapes() {
    let bench = Bench::new("flip", &[("goal", "any"), ("target", "white")]);
    let sides = [1, 2, 3, 5, 9, 11, 14, 16, 17, 31, 33, 63, 64, 65, 100, 129];
    let mut impossible = 0;
    for (i, &w) in sides.iter().enumerate() {
        for (j, &h) in sides.iter().enumerate() {
            let seed = (i * sides.len() + j) as u64;
            assert!(both_ways(&bench, "solvable", w, h, seed), "{w}x{h}");
            impossible += u32::from(!both_ways(&bench, "random", w, h, seed));
        }
    }
    assert!(impossible > 40, "{impossible}");
}

#[test]
fn large_boards() {
    let bench = Bench::new("flip", &[("goal", "any")]);
    for (w, h) in [("300", "200"), ("200", "300"), ("1023", "255"), ("1024", "700"), ("1", "5000")] {
        let instance = bench.generate("solvable", &[("w", w), ("h", h)], 5);
        assert!(all_closed(&check(&*solve(&*instance, &bench, "search"))), "{w}x{h}");
    }
    // 255×255 has nullity 0, so every board is solvable. With a positive nullity, this random board should be
    // impossible.
    let instance = bench.generate("random", &[("n", "255")], 5);
    let any = nullity(Stencil::Plus, Size::new(255, 255), &mut Budget::unlimited()).unwrap();
    let answer = solve(&*instance, &bench, "search");
    assert_eq!(answer.outcome() == "impossible", any > 0);
}

/// The nullity that polynomials give is the same for w×h and h×w, and agrees with a count of the null vectors.
#[test]
fn nullities_of_rectangles() {
    for (w, h) in (1..=12).flat_map(|w| (1..=20).map(move |h| (w, h))) {
        let size = Size::new(w, h);
        let gcd = nullity(Stencil::Plus, size, &mut Budget::unlimited()).unwrap();
        assert_eq!(nullity(Stencil::Plus, Size::new(h, w), &mut Budget::unlimited()), Ok(gcd));
        // The first row of a null vector determines the other rows. A first row belongs to a null vector if and only if
        // row h + 1 would be empty.
        let closes = |first: u32| {
            let (mut above, mut row) = (0, first);
            for _ in 0..h {
                (above, row) = (row, (row ^ row << 1 ^ row >> 1 ^ above) & ((1 << w) - 1));
            }
            row == 0
        };
        assert_eq!((0..1 << w).filter(|&first| closes(first)).count(), 1 << gcd, "{w}x{h}");
    }
}

#[test]
fn one_session_for_many_sizes_gives_the_answers_of_fresh_sessions() {
    let boards: Vec<String> = [(4, 4), (4, 4), (5, 5), (9, 9), (9, 9), (4, 4), (10, 7), (9, 9)]
        .iter()
        .zip(0..)
        .map(|(&(w, h), seed)| {
            let (w, h) = (w.to_string(), h.to_string());
            Bench::new("flip", &[]).generate("solvable", &[("w", &w), ("h", &h)], seed).text()
        })
        .collect();
    for size in ["4x4", "9x9"] {
        let bench = Bench::new("flip", &[("size", size)]);
        let rows: usize = size.split('x').next().unwrap().parse().unwrap();
        let same: Vec<&String> = boards
            .iter()
            .filter(|b| {
                b.lines().count() == rows
                    && b.starts_with(&b[..rows])
                    && b.lines().next().unwrap().len() == rows
            })
            .collect();
        let all: String = same.iter().map(|b| b.as_str()).collect();
        let single: String = same.iter().map(|b| bench.judge("search", b).out).collect();
        assert_eq!(bench.judge("search", &all).out, single, "{size}");
        assert!(single.lines().count() >= 3);
    }
    let stopped = Bench::new("flip", &[]).generate("solvable", &[("n", "300")], 1);
    let engine = &Bench::new("flip", &[]).engines("search")[0];
    assert!(matches!(stopped.solve(engine, &mut Budget::of_work(10)), Outcome::GaveUp(..)));
}
