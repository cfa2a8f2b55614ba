//! Readers of formula files: what was read and written is read the same again, and chunks of any size mean the same.

use crate::input::Input;
use counterpoint::export::{self, Model};
use counterpoint::named;
use counterpoint::problems::cnf::decompress::decompressed;
use counterpoint::proof::dimacs::{Comments, Content, Dialect, MaxVariables, Options, Reader};
use counterpoint::proof::{Cubes, Formula, Opb};
use counterpoint_base::cube::CubeNumber;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};

/// An item of a DIMACS file without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Header(u32, u64),
    /// What comes before the first literal, and the literals.
    Line(String, Vec<i32>),
    Comment(Vec<u8>),
}

/// All items with their lines, and the error that ended them.
type Items = (Vec<(usize, Item)>, Option<String>);

fn items(input: impl BufRead, options: Options) -> Items {
    let mut reader = Reader::new(input, options);
    let mut items = Vec::new();
    loop {
        let item = match reader.next_item() {
            Ok(Some(item)) => item,
            Ok(None) => return (items, None),
            Err(error) => {
                assert!(matches!(reader.next_item(), Ok(None)), "nothing follows an error");
                return (items, Some(error.to_string()));
            }
        };
        let line = |start: &str, lits: &[i32]| Item::Line(start.to_owned(), lits.to_vec());
        let content = match item.content {
            Content::Header { variables, clauses } => Item::Header(variables, clauses),
            Content::Clause(lits) if options.dialect == Dialect::Wcnf => line("h ", lits),
            Content::Clause(lits) => line("", lits),
            Content::Soft { weight, lits } => line(&format!("{weight} "), lits),
            Content::Parity(lits) => line("x", lits),
            Content::Assumptions(lits) => line("a ", lits),
            Content::Comment(text) => Item::Comment(text.to_vec()),
        };
        items.push((item.line, content));
    }
}

fn options(input: &mut Input<'_>) -> Options {
    Options {
        dialect: *input.choose(&[Dialect::Cnf, Dialect::Xcnf, Dialect::Wcnf, Dialect::Icnf]),
        require_header: input.flag(),
        check_counts: input.flag(),
        one_per_line: input.flag(),
        percent_ends_file: input.flag(),
        max_variables: *input.choose(&[
            MaxVariables::Unbounded,
            MaxVariables::Bytes,
            MaxVariables::BytesOutsideComments,
        ]),
        comments: *input.choose(&[
            Comments::Skip,
            Comments::Keep { max_len: 1 << 20 },
            Comments::Keep { max_len: 5 },
        ]),
    }
}

/// The streaming reader of DIMACS and its dialects.
pub(crate) fn dimacs(data: &[u8]) {
    let input = &mut Input::new(data);
    let (options, chunk) = (options(input), input.number(1..=9));
    let text = input.bytes(usize::MAX);
    let found = items(text, options);
    let by_chunks = items(BufReader::with_capacity(chunk, text), options);
    assert_eq!(found, by_chunks, "{options:?} {chunk} {}", text.escape_ascii());
    if let (items, None) = &found {
        rewritten(items, options);
    }
    if let Ok(formula) = Formula::from_dimacs(text) {
        // A formula with more variables than bytes is written, but the reader refuses it.
        let texts = [formula.to_dimacs(), formula.to_bare_dimacs()].into_iter();
        for text in texts.filter(|text| formula.n_vars().unsigned_abs() as usize <= text.len()) {
            assert_eq!(Formula::from_dimacs(text.as_bytes()).ok().as_ref(), Some(&formula), "{text}");
        }
    }
}

/// Writes items in the plainest form, and reads them again. A comment must not become a part of a clause, so each item
/// is a line.
fn rewritten(items: &[(usize, Item)], options: Options) {
    let mut text = Vec::new();
    let has_header = options.dialect == Dialect::Icnf && options.require_header;
    if has_header {
        text.extend_from_slice(b"p inccnf\n");
    }
    for (_, item) in items {
        match item {
            Item::Header(variables, clauses) => {
                text.extend_from_slice(format!("p cnf {variables} {clauses}\n").as_bytes());
            }
            Item::Comment(comment) => {
                text.push(b'c');
                text.extend_from_slice(comment);
                // A comment may end with a carriage return, which would belong to the end of the line.
                text.extend_from_slice(b"\r\n");
            }
            Item::Line(start, lits) => {
                text.extend_from_slice(start.as_bytes());
                lits.iter().for_each(|lit| text.extend_from_slice(format!("{lit} ").as_bytes()));
                text.extend_from_slice(b"0\n");
            }
        }
    }
    // The rewritten file may be shorter, so a bound that depends on the length is not tested again.
    let again = self::items(&text[..], Options { max_variables: MaxVariables::Unbounded, ..options });
    let plain = |items: &[(usize, Item)]| items.iter().map(|(_, item)| item.clone()).collect::<Vec<_>>();
    assert_eq!(again.1, None, "{}", text.escape_ascii());
    assert_eq!(plain(&again.0), plain(items), "{}", text.escape_ascii());
}

/// How much of a decompressed text is read.
const MAX_TEXT: u64 = 1 << 18;

fn decompress(input: impl BufRead) -> Result<Vec<u8>, String> {
    let (mut input, mut text) = (input, Vec::new());
    let read = decompressed(&mut input).and_then(|reader| reader.take(MAX_TEXT).read_to_end(&mut text));
    read.map(|_| text).map_err(|error| error.to_string())
}

/// Compressed formulas: what a compressor wrote is read back, damaged streams are errors, and chunks mean the same.
pub(crate) fn compressed(data: &[u8]) {
    let input = &mut Input::new(data);
    let (kind, chunk, damage) = (input.number(0..=3), input.number(1..=9), input.number(0..=3));
    let hits: Vec<(usize, u8)> = (0..damage).map(|_| (input.number(0..=999), input.byte())).collect();
    let text = input.bytes(usize::MAX);
    let mut bytes = match kind {
        1 => {
            let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gz.write_all(text).and_then(|()| gz.finish()).expect("memory can be written")
        }
        2 => {
            let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            bz.write_all(text).and_then(|()| bz.finish()).expect("memory can be written")
        }
        _ => text.to_vec(),
    };
    for &(at, mask) in &hits {
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= mask;
        }
    }
    let found = decompress(&bytes[..]);
    if damage == 0 && (kind == 1 || kind == 2) {
        assert_eq!(found.as_deref(), Ok(text), "{}", bytes.escape_ascii());
    }
    let by_chunks = decompress(BufReader::with_capacity(chunk, &bytes[..]));
    assert_eq!(found, by_chunks, "{}", bytes.escape_ascii());
}

/// Formula files with heads, models that solvers print, and the formulas that encoders print.
pub(crate) fn formula_files(data: &[u8]) {
    let mut input = Input::new(data);
    let kind = input.number(0..=2);
    let text = input.text();
    match kind {
        0 => {
            let (formula, model) = text.split_once("\u{1}").unwrap_or((&text, ""));
            if let Ok(file) = export::File::parse(formula) {
                assert!(file.n_vars as usize <= formula.len());
                assert!(file.hard_constraints() <= file.constraints());
                if let Ok(model) = Model::parse(model, file.n_vars) {
                    drop(export::verify_model(&file, &model));
                }
            }
        }
        1 => drop(Model::parse(&text, 1 + text.len() as u32 % 9)),
        _ => encoder_output(&text),
    }
}

fn encoder_output(text: &str) {
    use counterpoint_encodings::{Cnf, Sink};
    let Ok(formula) = named::parse(text.as_bytes()) else { return };
    let mut cnf = Cnf::default();
    formula.write(&mut cnf);
    assert!(formula.clauses().eq(cnf.clauses()));
    assert_eq!(formula.names(), cnf.names());
    let mut again = format!("p cnf {} {}\n", cnf.n_vars(), cnf.clauses().len());
    for (var, name) in formula.names() {
        let _ = writeln!(again, "c varname {} {name}", var.idx32() + 1);
    }
    for clause in formula.clauses() {
        clause.iter().for_each(|lit| again += &format!("{} ", lit.to_ipasir()));
        again += "0\n";
    }
    // A file has at least as many bytes as variables.
    again += &format!("c{}\n", " ".repeat(cnf.n_vars() as usize));
    let read = named::parse(again.as_bytes());
    let read = read.unwrap_or_else(|error| panic!("{error}\n{again}"));
    assert!(read.clauses().eq(formula.clauses()), "{again}");
    assert_eq!(read.names(), formula.names(), "{again}");
}

/// Lists of cubes, and the numbers of cubes that were split.
pub(crate) fn cubes(data: &[u8]) {
    let mut input = Input::new(data);
    let mut formula = Formula::new();
    formula.vars(6);
    for _ in 0..input.number(0..=3) {
        formula.clause(input.clause(6, 3));
    }
    if input.flag() {
        let text = input.text();
        if let Ok(number) = text.parse::<CubeNumber>() {
            assert_eq!(number.to_string().parse::<CubeNumber>().as_ref(), Ok(&number), "{text:?}");
        }
        return;
    }
    let bytes = input.rest();
    if let Ok(cubes) = Cubes::read(bytes, &formula) {
        assert!(!cubes.is_empty());
        let text = cubes.to_icnf();
        assert_eq!(Cubes::read(text.as_bytes(), &formula).ok().as_ref(), Some(&cubes), "{text}");
        let whole =
            formula.clauses().map(|lits| lits.iter().map(|lit| format!("{lit} ")).collect::<String>());
        let whole: String = whole.map(|lits| lits + "0\n").collect();
        let text = text.replacen('\n', &format!("\n{whole}"), 1);
        assert_eq!(Cubes::read(text.as_bytes(), &formula).ok().as_ref(), Some(&cubes), "{text}");
    }
}

/// OPB files: both readers accept what the writers of this project write, and neither panics.
pub(crate) fn opb(data: &[u8]) {
    let (own, other) = (Opb::read(data), io::Cursor::new(data));
    let mut text = String::from("* counterpoint opb\n* problem flip\n* engine sat:presses\n");
    let _ = other.take(1 << 16).read_to_string(&mut text);
    if let Ok(opb) = own {
        assert!(opb.len() <= 2 * data.len());
    }
    drop(export::File::parse(text));
}
