//! The reader on every kind of item and error, on all single-byte changes of a file, and with buffers of any size.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue must panic")]

use super::{Comments, Content, Dialect, Error, ErrorKind, MaxVariables, Options, Reader};
use std::fmt::Write;
use std::io::{self, BufRead, BufReader, Read};

/// The items as text: one per line, each with the number of its line in the file; then the error, if there is one.
fn listed(input: impl BufRead, options: Options) -> String {
    let mut reader = Reader::new(input, options);
    let mut text = String::new();
    loop {
        match reader.next_item() {
            Ok(None) => break,
            Ok(Some(item)) => {
                let _ = match item.content {
                    Content::Comment(comment) => {
                        writeln!(text, "{} comment {:?}", item.line, String::from_utf8_lossy(comment))
                    }
                    content => writeln!(text, "{} {content:?}", item.line),
                };
            }
            Err(error) => {
                let _ = writeln!(text, "error {error}");
                assert!(matches!(reader.next_item(), Ok(None)), "the reader goes on after an error");
            }
        }
    }
    text
}

fn strict(text: &str) -> String {
    listed(text.as_bytes(), Options::default())
}

fn error(text: &[u8], options: Options) -> Error {
    let mut reader = Reader::new(text, options);
    loop {
        match reader.next_item() {
            Ok(item) => assert!(item.is_some(), "{:?} is accepted", String::from_utf8_lossy(text)),
            Err(error) => return error,
        }
    }
}

fn lenient(dialect: Dialect) -> Options {
    Options { dialect, require_header: false, check_counts: false, ..Options::default() }
}

#[test]
fn clauses_may_span_lines_and_share_them() {
    let text = "c p show 1 2 0\nc\n\n \tp  cnf 3 4 \n1 -2\nc inside\r\n 0 3 0\r\n0\n+3 -01 0";
    assert_eq!(
        strict(text),
        "1 comment \" p show 1 2 0\"\n2 comment \"\"\n4 Header { variables: 3, clauses: 4 }\n6 comment \" inside\"\n\
         5 Clause([1, -2])\n7 Clause([3])\n8 Clause([])\n9 Clause([3, -1])\n"
    );
    assert_eq!(strict("p cnf 0 0"), "1 Header { variables: 0, clauses: 0 }\n");
    assert_eq!(strict("p cnf 1 1\n1 0"), "1 Header { variables: 1, clauses: 1 }\n2 Clause([1])\n");
    assert_eq!(strict("p cnf 1 1\n1 -0"), strict("p cnf 1 1\n1 00"));
    let skipped = Options { comments: Comments::Skip, ..Options::default() };
    assert_eq!(listed(&b"c x\np cnf 0 0\nc"[..], skipped), "2 Header { variables: 0, clauses: 0 }\n");
}

#[test]
fn each_dialect_has_lines_of_its_own() {
    let read = |dialect, text: &str| listed(text.as_bytes(), lenient(dialect));
    assert_eq!(
        read(Dialect::Xcnf, "p cnf 3 3\nx1 -2 3 0\nx 1\n2 0\nx0\n1 0\n"),
        "1 Header { variables: 3, clauses: 3 }\n2 Parity([1, -2, 3])\n3 Parity([1, 2])\n5 Parity([])\n6 Clause([1])\n"
    );
    assert_eq!(
        read(Dialect::Wcnf, "h 1 -2 0\n7 2 0 h 3 0\n0 0\n"),
        "1 Clause([1, -2])\n2 Soft { weight: 7, lits: [2] }\n2 Clause([3])\n3 Soft { weight: 0, lits: [] }\n"
    );
    assert_eq!(
        read(Dialect::Wcnf, "18446744073709551614 1 0\n"),
        "1 Soft { weight: 18446744073709551614, lits: [1] }\n"
    );
    assert_eq!(
        read(Dialect::Icnf, "p inccnf\n1 2 0\na -1 0\na 0\n"),
        "2 Clause([1, 2])\n3 Assumptions([-1])\n4 Assumptions([])\n"
    );
    let strict = Options { dialect: Dialect::Icnf, ..Options::default() };
    assert_eq!(listed(&b"p inccnf\na 2147483647 0\n"[..], strict), "2 Assumptions([2147483647])\n");
    let xcnf = Options { dialect: Dialect::Xcnf, ..Options::default() };
    assert_eq!(
        error(b"p cnf 1 1\nx1 0\n1 0\n", xcnf).to_string(),
        "3:1: unexpected clause; the header declares 1 clause"
    );
}

#[test]
fn a_percent_sign_ends_a_satlib_file() {
    let text = b"p cnf 2 1\n 1 -2 0\n%\n0\n\n";
    let satlib = Options { percent_ends_file: true, ..Options::default() };
    let items = "1 Header { variables: 2, clauses: 1 }\n2 Clause([1, -2])\n";
    assert_eq!(listed(&text[..], satlib), items);
    assert_eq!(
        error(text, Options::default()).to_string(),
        "3:1: unexpected '%'; expected a literal, or 0 after the last one"
    );
    let open = error(b"p cnf 2 1\n1 -2\n%\n0\n", satlib);
    assert_eq!((open.line, open.column), (3, 1));
}

#[test]
fn each_error_names_its_place_and_cause() {
    let header = "expected 'p cnf VARIABLES CLAUSES'";
    for (text, message) in [
        ("", "1:1: unexpected end of file; expected the header 'p cnf VARIABLES CLAUSES' before it"),
        ("c\n\n", "3:1: unexpected end of file; expected the header 'p cnf VARIABLES CLAUSES' before it"),
        ("  1 0\n", "1:3: unexpected '1'; expected the header 'p cnf VARIABLES CLAUSES' before it"),
        ("p cnf 1\n", &format!("1:1: unexpected 'p cnf 1'; {header}")),
        ("p cnf -1 0\n", &format!("1:1: unexpected 'p cnf -1 0'; {header}")),
        ("p cnf 1 0 0\n", &format!("1:1: unexpected 'p cnf 1 0 0'; {header}")),
        (
            "p cnf 1 18446744073709551615\n",
            &format!("1:1: unexpected 'p cnf 1 18446744073709551615'; {header}"),
        ),
        ("p cn 1 0\n", &format!("1:1: unexpected 'p cn 1 0'; {header}")),
        ("pcnf 1 0\n", &format!("1:1: unexpected 'pcnf 1 0'; {header}")),
        ("p cnf 2147483648 0\n", "1:1: variable 2147483648 is too large; expected at most 2147483647"),
        ("p cnf 1 0\np cnf 1 0\n", "2:1: unexpected second header; the first one is on line 1"),
        ("p cnf 1 1\n 1 2 0\n", "2:4: unexpected literal 2; the header declares 1 variable"),
        ("p cnf 0 1\n-1 0\n", "2:1: unexpected literal -1; the header declares 0 variables"),
        ("p cnf 1 1\nx 0\n", "2:1: unexpected 'x'; expected a literal, or 0 after the last one"),
        ("p cnf 1 1\n1 c\n", "2:3: unexpected 'c'; expected a literal, or 0 after the last one"),
        ("p cnf 2 1\n1\n2 c\n0\n", "3:3: unexpected 'c'; expected a literal, or 0 after the last one"),
        ("p cnf 1 1\n1 -", "2:3: unexpected '-'; expected a literal, or 0 after the last one"),
        (
            "p cnf 1 1\n1\x1b[2J 0",
            "2:1: unexpected '1\\u{1b}[2J'; expected a literal, or 0 after the last one",
        ),
        ("p cnf 1 1\n99999999999 0\n", "2:1: variable 99999999999 is too large; expected at most 2147483647"),
        ("p cnf 1 1\n-2147483648 0\n", "2:1: variable 2147483648 is too large; expected at most 2147483647"),
        (
            "p cnf 1 1\n\n 1\n1",
            "3:2: unexpected end of file in the constraint that begins here; expected 0 after its last literal",
        ),
        ("p cnf 1 2\n1 0\n", "1:1: the header declares 2 clauses; found 1"),
        ("p cnf 1 1\n\n 1 0\n\n  1 0 1 0\n", "5:3: unexpected clause; the header declares 1 clause"),
        ("p cnf 1 1\n1 0 1 0\n", "2:5: unexpected clause; the header declares 1 clause"),
    ] {
        assert_eq!(error(text.as_bytes(), Options::default()).to_string(), message, "{text:?}");
    }
    let lines = Options { one_per_line: true, ..lenient(Dialect::Cnf) };
    for (options, text, message) in [
        (lines, "1 0 2 0\n", "1:5: unexpected '2' after 0; expected the end of the line"),
        (lines, "p cnf 2 2\n1 0 2 0\n", "2:5: unexpected '2' after 0; expected the end of the line"),
        (
            lines,
            "1 0\n1 2\n0\n",
            "2:1: unexpected end of line in the constraint that begins here; expected 0 after its last literal",
        ),
        (
            lenient(Dialect::Wcnf),
            "p wcnf 1 1 2\n",
            "1:1: unexpected 'p wcnf 1 1 2'; expected no header, since clauses begin with 'h' or a weight",
        ),
        (lenient(Dialect::Wcnf), "-1 2 0\n", "1:1: unexpected '-1'; expected 'h' or a weight"),
        (
            lenient(Dialect::Wcnf),
            "18446744073709551615 1 0\n",
            "1:1: unexpected '18446744073709551615'; expected 'h' or a weight",
        ),
        // A parity constraint, a query or a header begins on a line of its own.
        (
            lenient(Dialect::Xcnf),
            "1 0 x2 0\n",
            "1:5: unexpected 'x2'; expected a literal, or 0 after the last one",
        ),
        (
            lenient(Dialect::Icnf),
            "1 0 a 2 0\n",
            "1:5: unexpected 'a'; expected a literal, or 0 after the last one",
        ),
        (
            lenient(Dialect::Cnf),
            "1 0 p cnf 1 1\n",
            "1:5: unexpected 'p'; expected a literal, or 0 after the last one",
        ),
        (
            lenient(Dialect::Icnf),
            "a1 0\n",
            "1:1: unexpected 'a1'; expected a literal, or 0 after the last one",
        ),
        (lenient(Dialect::Icnf), "p cnf 1 1\n", "1:1: unexpected 'p cnf 1 1'; expected 'p inccnf'"),
        (
            lenient(Dialect::Cnf),
            "x1 0\n",
            "1:1: unexpected 'x1'; expected a literal, or 0 after the last one",
        ),
    ] {
        assert_eq!(error(text.as_bytes(), options).to_string(), message, "{text:?}");
    }
}

#[test]
fn a_header_does_not_cost_memory() {
    let huge = b"c comment\np cnf 2147483647 18446744073709551614\n1 0\n";
    let used = allocation_counter::measure(|| drop(listed(&huge[..], Options::default())));
    assert!(used.bytes_max < 10_000, "{}", used.bytes_max);
    let mut reader = Reader::new(&huge[..], Options { comments: Comments::Skip, ..Options::default() });
    assert!(matches!(
        reader.next_item().unwrap().unwrap().content,
        Content::Header { variables: 2_147_483_647, clauses: 18_446_744_073_709_551_614 }
    ));
    assert!(reader.next_item().unwrap().is_some());
    assert!(matches!(reader.next_item().unwrap_err().kind, ErrorKind::TooFewClauses { found: 1, .. }));
    for (max_variables, variables, bytes) in [
        (MaxVariables::Unbounded, 2_147_483_647, None),
        (MaxVariables::Bytes, 29, Some(28)),
        (MaxVariables::Bytes, 28, None),
        (MaxVariables::BytesOutsideComments, 13, Some(12)),
        (MaxVariables::BytesOutsideComments, 12, None),
    ] {
        let text = format!("c 345678901234567\np cnf {variables} 0");
        let options = Options { max_variables, ..Options::default() };
        match bytes {
            None => {
                assert!(!listed(text.as_bytes(), options).contains("error"), "{max_variables:?} {variables}")
            }
            Some(bytes) => assert_eq!(
                error(text.as_bytes(), options).to_string(),
                format!(
                    "2:1: the header declares {variables} variables; expected at most {bytes} in a file of this length"
                )
            ),
        }
    }
}

#[test]
fn long_tokens_and_comments_are_cut() {
    let long = "9".repeat(1 << 20);
    for text in
        [format!("p cnf 1 1\n{long} 0\n"), format!("p cnf 1 {long}\n"), format!("p cnf 1 1\n1{long}x 0\n")]
    {
        let message = error(text.as_bytes(), Options::default()).to_string();
        assert!(message.len() < 150, "{message}");
    }
    let keep = |max_len| Options { comments: Comments::Keep { max_len }, ..lenient(Dialect::Cnf) };
    let comment = format!("c{long}\r\n1 0\n");
    assert_eq!(
        error(comment.as_bytes(), keep(9)).to_string(),
        "1:1: the comment is too long; expected at most 9 bytes"
    );
    // A carriage return inside the comment is not its end.
    assert_eq!(listed(&b"c123456789\r\n"[..], keep(9)), "1 comment \"123456789\"\n");
    assert!(listed(&b"c123456789\rx\n"[..], keep(9)).contains("too long"));
    // A number is shorter than the longest token, because that may be cut.
    let zeros = |n| format!("p cnf 1 1\n{}1 0\n", "0".repeat(n));
    assert!(
        strict(&zeros(254)).ends_with("2 Clause([1])\n") && strict(&zeros(255)).contains("2:1: unexpected")
    );
    assert_eq!(
        listed(comment.as_bytes(), keep(1 << 20)).len(),
        (1 << 20) + "1 comment \"\"\n2 Clause([1])\n".len()
    );
    let skip = Options { comments: Comments::Skip, ..lenient(Dialect::Cnf) };
    assert_eq!(listed(comment.as_bytes(), skip), "2 Clause([1])\n");
}

/// A file with every kind of line.
const SAMPLE: &[u8] = b"c p show 1 0\r\np cnf 12 5\n1 -12 0\nx3 4 0 -5\n\n6 0\n  10 11 c\n12 0\n0\n-7 8 0";

#[test]
fn buffers_of_any_size_give_the_same_items() {
    let file = String::from_utf8_lossy(SAMPLE).replace(" c\n", "\nc comment\n");
    for options in [Options { dialect: Dialect::Xcnf, ..Options::default() }, lenient(Dialect::Icnf)] {
        for text in [file.as_bytes(), SAMPLE] {
            let whole = listed(text, options);
            for size in 1..=text.len() {
                assert_eq!(listed(BufReader::with_capacity(size, text), options), whole, "{size}");
            }
        }
    }
}

/// Each byte of the sample is changed to every value, left out, and doubled, and the file is cut before it. The reader
/// accepts or rejects the result without a panic, and a small buffer makes no difference.
#[test]
fn no_changed_byte_makes_the_reader_panic() {
    let step = if cfg!(miri) { 41 } else { 1 };
    let (mut accepted, mut rejected) = (0, 0);
    let file = String::from_utf8_lossy(SAMPLE).replace(" c\n", "\nc comment\n").into_bytes();
    for dialect in [Dialect::Cnf, Dialect::Xcnf, Dialect::Wcnf, Dialect::Icnf] {
        for options in [lenient(dialect), Options { dialect, percent_ends_file: true, ..Options::default() }]
        {
            for at in (0..file.len()).step_by(step) {
                let mut changed: Vec<Vec<u8>> = (0..=u8::MAX)
                    .step_by(step)
                    .map(|byte| {
                        let mut file = file.clone();
                        file[at] = byte;
                        file
                    })
                    .collect();
                changed.push([&file[..at], &file[at + 1..]].concat());
                changed.push([&file[..=at], &file[at..]].concat());
                changed.push(file[..at].to_vec());
                for text in changed {
                    let whole = listed(&text[..], options);
                    assert_eq!(listed(BufReader::with_capacity(3, &text[..]), options), whole);
                    let count = if whole.contains("error ") { &mut rejected } else { &mut accepted };
                    *count += 1;
                }
            }
        }
    }
    assert!(accepted > 5_000 / step.pow(2) && rejected > 5_000 / step.pow(2), "{accepted} {rejected}");
}

#[test]
fn a_million_clauses_come_back_in_bounded_memory() {
    let n = if cfg!(miri) { 1_000 } else { 1_000_000 };
    let mut text = format!("p cnf {n} {n}\n");
    (1..=n).for_each(|i| {
        let _ = write!(text, "{i} -{} {}", n + 1 - i, if i % 3 == 0 { "0 " } else { "0\n" });
    });
    let mut count = 0;
    let used = allocation_counter::measure(|| {
        let input = BufReader::with_capacity(1 << 12, text.as_bytes());
        let mut reader = Reader::new(input, Options::default());
        while let Some(item) = reader.next_item().unwrap() {
            if let Content::Clause(lits) = item.content {
                count += 1;
                assert_eq!(lits, [count, count - 1 - n]);
            }
        }
    });
    assert_eq!(count, n);
    assert!(used.bytes_max < 10_000, "{}", used.bytes_max);
}

/// An input that is interrupted before each byte and fails at the end.
struct Failing<'a>(&'a [u8], bool);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        match self.0.split_first() {
            _ if self.1 => Err(io::ErrorKind::Interrupted.into()),
            Some((&first, rest)) => {
                (buffer[0], self.0) = (first, rest);
                Ok(1)
            }
            None => Err(io::Error::other("disk on fire")),
        }
    }
}

#[test]
fn errors_of_the_input_are_reported_and_interrupts_are_not() {
    let input = BufReader::new(Failing(b"p cnf 1 2\n1 0\n-1 ", false));
    assert_eq!(
        listed(input, Options::default()),
        "1 Header { variables: 1, clauses: 2 }\n2 Clause([1])\nerror 3:4: cannot read: disk on fire\n"
    );
}

/// If a blank line took time in proportion to those after it, this would take hours.
#[test]
fn a_million_blank_lines_are_read_once() {
    let text = format!("p cnf 1 1\n{}\r\n  1\n 0\n", " \n".repeat(1_000_000));
    assert_eq!(strict(&text), "1 Header { variables: 1, clauses: 1 }\n1000003 Clause([1])\n");
    let comment = format!("p cnf 1 1\n{}c\n1 0\n", "\n".repeat(1_000_000));
    let read =
        listed(comment.as_bytes(), Options { comments: Comments::Keep { max_len: 9 }, ..Options::default() });
    assert!(read.contains("\n1000002 comment"), "{read}");
}
