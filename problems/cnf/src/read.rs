//! Reads a formula: DIMACS CNF with comments anywhere and `x` lines for parity constraints, possibly compressed.
//!
//! A whole input is one formula. Memory is proportional to the text of the formula, whatever its header declares.

use super::plain::Plain;
use super::{Formula, Instance, Origin};
use crate::decompress::decompressed;
use counterpoint_core::input::{FileReference, InputError, RawSource, Source};
use counterpoint_core::proof::dimacs::{Comments, Content, Dialect, Error, MaxVariables, Options, Reader};
use counterpoint_core::sha256;
use counterpoint_encodings::{Lit, Sink};
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

/// The size of the buffer for the bytes of a file.
const BUFFER: usize = 1 << 16;

/// What a formula must look like.
const OPTIONS: Options = Options {
    dialect: Dialect::Xcnf,
    require_header: true,
    check_counts: true,
    one_per_line: false,
    percent_ends_file: true,
    max_variables: MaxVariables::Bytes,
    comments: Comments::Skip,
};

/// Reads the formula of a source. Nothing may have been read from the source before.
///
/// # Errors
/// Returns a message that names the place, what was found and what was expected. In a compressed file, the place is
/// that in the decompressed text.
pub fn read(source: Source<'_>) -> Result<Instance, InputError> {
    let RawSource { name, path, reader, on_disk } = source.into_raw();
    let mut input = BufReader::with_capacity(
        BUFFER,
        Hashing { reader, hash: sha256::Hash::new(), plain: Plain::default() },
    );
    let at = |line, column, message| InputError { file: Arc::clone(&name), line, column, message };
    let failed = |error: io::Error| at(1, 1, format!("cannot be read: {error}"));
    let text = decompressed(&mut input).map_err(failed)?;
    let formula = formula(text).map_err(|error| at(error.line, error.column, error.kind.to_string()))?;
    let (origin, is_plain) = match path {
        None => (Origin::Text, false),
        Some(path) => {
            // The hash covers the whole file, even what follows the end of the formula.
            io::copy(&mut input, &mut io::sink()).map_err(failed)?;
            let Hashing { hash, plain, .. } = input.into_inner();
            let sha256 = sha256::hex(&hash.finalize()).into();
            (Origin::File(FileReference { path, sha256 }), plain.is_plain())
        }
    };
    let text = on_disk.filter(|_| is_plain).map(Arc::new);
    Ok(Instance { formula: Arc::new(formula), origin, text })
}

fn formula(input: impl BufRead) -> Result<Formula, Error> {
    let (mut reader, mut lits) = (Reader::new(input, OPTIONS), Vec::new());
    let (mut n_vars, mut formula) = (0, Formula::default());
    while let Some(item) = reader.next_item()? {
        match item.content {
            Content::Header { variables, .. } => n_vars = variables,
            Content::Clause(numbers) => {
                lits.clear();
                lits.extend(numbers.iter().map(|&number| literal(number)));
                formula.cnf.clause(&lits);
            }
            Content::Parity(numbers) => parity(numbers, &mut formula),
            Content::Soft { .. } | Content::Assumptions(_) | Content::Comment(_) => {}
        }
    }
    // This takes little memory: the reader rejects a header with more variables than the text has bytes.
    for _ in 0..n_vars {
        formula.cnf.new_var();
    }
    Ok(formula)
}

/// The literal with this number, which is not 0.
fn literal(number: i32) -> Lit {
    Lit::new(number.unsigned_abs() - 1, number < 0)
}

/// Adds the constraint that an odd number of literals is true. Simplifies it so that each variable occurs at most once:
/// two occurrences of a literal cancel out, and a literal with its negation counts as one true literal.
fn parity(numbers: &[i32], formula: &mut Formula) {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable_by_key(|number| (number.unsigned_abs(), *number));
    let (mut odd, mut lits): (bool, Vec<i32>) = (true, Vec::with_capacity(numbers.len()));
    for number in numbers {
        match lits.last() {
            Some(&last) if last.abs() == number.abs() => {
                odd ^= last != number;
                lits.pop();
            }
            _ => lits.push(number),
        }
    }
    match (lits.is_empty(), odd) {
        (false, _) => formula.parities.push((lits.into_iter().map(literal).collect(), odd)),
        (true, true) => formula.cnf.clause(&[]),
        // An even number of no literals is true.
        (true, false) => {}
    }
}

/// Hashes all bytes that are read, and passes them to [`Plain`].
struct Hashing<R> {
    reader: R,
    hash: sha256::Hash,
    plain: Plain,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.hash.update(&buffer[..n]);
        self.plain.update(&buffer[..n]);
        Ok(n)
    }
}

/// The formula of a text, which is valid DIMACS.
#[cfg(test)]
pub(super) fn parsed(text: &str) -> Formula {
    formula(text.as_bytes()).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::dimacs;

    #[test]
    fn parity_constraints_have_distinct_variables() {
        for (line, written) in [
            ("x1 -2 3 0", "x1 -2 3 0\n"),
            ("x-2 1 0", "x1 -2 0\n"),
            ("x1 2 1 0", "x2 0\n"),
            ("x1 2 -1 0", "x-2 0\n"),
            ("x1 1 1 0", "x1 0\n"),
            ("x1 -1 1 0", "x-1 0\n"),
            ("x1 1 0", "0\n"),
            ("x1 -1 0", ""),
            ("x0", "0\n"),
        ] {
            let constraints = written.lines().count();
            let text = dimacs(&parsed(&format!("p cnf 3 1\n{line}\n")));
            assert_eq!(text, format!("p cnf 3 {constraints}\n{written}"), "{line}");
        }
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text: &str| read(Source::new("f.cnf", text.as_bytes())).unwrap_err().to_string();
        assert_eq!(
            error("p cnf 1 1\n1 2 0\n"),
            "f.cnf:2:3: unexpected literal 2; the header declares 1 variable"
        );
        assert_eq!(
            error("c\n"),
            "f.cnf:2:1: unexpected end of file; expected the header 'p cnf VARIABLES CLAUSES' before it"
        );
        assert!(error("p cnf 2147483647 0\n").contains("expected at most 19 in a file of this length"));
        assert!(error("\x1f\u{8b}").starts_with("f.cnf:1:1: "));
    }

    /// A small file may decompress to a long text. Memory is proportional to the formula in this text.
    #[test]
    fn decompression_is_streamed() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        io::Write::write_all(&mut encoder, b"p cnf 1 1\nc ").unwrap();
        io::copy(&mut io::repeat(b'c').take(1 << 26), &mut encoder).unwrap();
        io::Write::write_all(&mut encoder, b"\n1 0\n").unwrap();
        let bytes = encoder.finish().unwrap();
        let used = allocation_counter::measure(|| {
            let instance = read(Source::of_file("f", "f", &bytes[..])).unwrap();
            assert_eq!(instance.formula.clauses().len(), 1);
        });
        assert!(bytes.len() < 1 << 20 && used.bytes_max < 1 << 20, "{} {}", bytes.len(), used.bytes_max);
    }

    #[test]
    fn the_hash_covers_the_whole_file() {
        let text = "p cnf 1 1\n1 0\n%\n0\nanything\n";
        let instance = read(Source::of_file("f.cnf", "f.cnf", text.as_bytes())).unwrap();
        let Origin::File(reference) = instance.origin else { panic!("the origin is not the file") };
        assert_eq!(*reference.sha256, sha256::of(text));
    }
}
