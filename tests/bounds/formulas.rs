//! Formula files: headers that announce more than there is, compressed files that become long, cubes.

use crate::cost::{Cost, assert_linear, cost, of};
use crate::games::{repeated, settings};
use counterpoint::input::{InputError, Source, Warnings};
use counterpoint::proof::{Cubes, Formula};
use std::io::{Read, Write};

/// Reads a formula as all commands read it.
fn read(input: impl Read) -> (Result<(), InputError>, Cost) {
    let registry = counterpoint::standard();
    let cnf = registry.find("cnf").unwrap();
    let (settings, warnings) = (settings(cnf, &[]), Warnings::default());
    let mut result = Ok(());
    let cost = cost(|| {
        let mut opened = cnf.open(&settings, Source::new("f.cnf", input), &warnings).unwrap();
        result = opened.next().unwrap().map(drop);
    });
    (result, cost)
}

#[test]
fn memory_follows_the_text_not_the_header() {
    for (text, message) in [
        (
            "p cnf 4000000000 1\n1 0\n",
            "f.cnf:1:1: variable 4000000000 is too large; expected at most 2147483647",
        ),
        (
            "p cnf 2147483647 1\n2147483647 0\n",
            "f.cnf:1:1: the header declares 2147483647 variables; expected at most 32 in a file of this length",
        ),
        ("p cnf 3 4000000000\n1 -2 0\n3 0\n", "f.cnf:1:1: the header declares 4000000000 clauses; found 2"),
    ] {
        let (read, cost) = read(text.as_bytes());
        assert_eq!(read.unwrap_err().to_string(), message);
        assert!(cost.peak < 1 << 20, "{text}: {cost:?}");
    }
}

#[test]
fn a_formula_takes_memory_linear_in_its_text() {
    let header = |n: usize, m: usize| format!("p cnf {n} {m}\n");
    let clauses = |n: usize, clause: &dyn Fn(usize) -> String| (1..=n).map(clause).collect::<String>();
    assert_linear("units", 20_000, (12, 1 << 19), move |n| {
        of(header(n, n) + &clauses(n, &|i| format!("{i} 0\n")), read_well)
    });
    assert_linear("empty clauses", 20_000, (24, 1 << 19), move |n| {
        of(header(1, n) + &"0\n".repeat(n), read_well)
    });
    assert_linear("one long clause", 50_000, (8, 1 << 19), move |n| {
        of(header(9, 1) + &"1 ".repeat(n) + "0\n", read_well)
    });
    assert_linear("one long parity constraint", 20_000, (12, 1 << 19), move |n| {
        let lits: String = (1..=n).map(|i| format!("{i} ")).collect();
        of(header(n, 1) + "x" + &lits + "0\n", read_well)
    });
}

fn read_well(text: &[u8]) {
    assert_eq!(read(text).0, Ok(()));
}

/// A comment of any length is skipped.
#[test]
fn comments_take_no_memory() {
    let text =
        |blanks: usize| "p cnf 1 1\nc ".as_bytes().chain(repeated("c                ", blanks, "\n1 0\n"));
    let (few, many) = (read(text(1)), read(text(4_000_000)));
    assert_eq!((few.0, many.0), (Ok(()), Ok(())));
    assert_eq!(few.1.peak, many.1.peak);
}

/// A mebibyte of line ends, compressed by `xz`.
const XZ: &str = include_str!("mebibyte.xz.hex");

fn hex(digits: &str) -> Vec<u8> {
    let digits = digits.trim().as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A small file that becomes long is decompressed piece by piece. Here, 24 MiB of line ends precede a formula, and a
/// gibibyte of zeros is refused at its first byte.
#[test]
fn compressed_files_are_decompressed_piece_by_piece() {
    let (lines, zeros) = (vec![b'\n'; 1 << 20], vec![0; 1 << 20]);
    let formula = b"p cnf 1 1\n1 0\n";
    for (name, piece, end, base) in [
        ("gzip", gzip(&lines), gzip(formula), 1 << 18),
        ("bzip2", bzip2(&lines), bzip2(formula), 5 << 20),
        ("xz", hex(XZ), Vec::new(), 3 << 20),
    ] {
        let file = [piece.repeat(24), end].concat();
        let (result, cost) = read(&file[..]);
        match name {
            // Nothing compresses to this format here, so this file has no formula.
            "xz" => {
                let message = result.unwrap_err().to_string();
                assert!(message.starts_with("f.cnf:25165825:1: unexpected end of file; "), "{message}");
            }
            _ => assert_eq!(result, Ok(()), "{name}"),
        }
        assert!(cost.peak < base, "{name}: {cost:?}");
    }
    let bomb = gzip(&zeros).repeat(1024);
    assert!(bomb.len() < 3 << 19, "{}", bomb.len());
    let (result, cost) = read(&bomb[..]);
    let message = result.unwrap_err().to_string();
    assert!(message.starts_with("f.cnf:1:1: ") && message.len() < 400, "{message}");
    assert!(cost.peak < 1 << 18, "{cost:?}");
}

#[test]
fn cubes_take_memory_linear_in_their_file() {
    assert_linear("cubes", 4_000, (60, 1 << 16), |n| {
        let cubes: String = (0..n).map(|i| format!("a {} {} 0\n", i % 90 + 1, 100 + i / 90)).collect();
        of(format!("p inccnf\n{cubes}"), move |text| {
            let formula = Formula::from_dimacs(&[&b"p cnf 9999 0\n"[..], &[b' '; 9999]].concat()).unwrap();
            assert_eq!(Cubes::read(text, &formula).unwrap().len(), n);
        })
    });
}
