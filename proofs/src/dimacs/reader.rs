//! The reader: decides what each line is, checks the header's counts, and finds the errors.

use super::scanner::{MAX_TOKEN, Place, Scanner, number};
use super::{Comments, Content, Dialect, Error, ErrorKind, Item, MaxVariables, Options};
use counterpoint_base::excerpt::excerpt;
use std::io::BufRead;

/// Reads a file item by item.
///
/// Memory is proportional to the length of the longest constraint, plus `max_len` unless comments are skipped. Bound
/// the input with `Read::take` if it may be endless.
pub struct Reader<R> {
    scanner: Scanner<R>,
    options: Options,
    /// The header with its place; `None` until it was read.
    header: Option<(Place, Counts)>,
    /// The place and the kind of the constraint that is being read; `None` between constraints.
    open: Option<(Place, Kind)>,
    /// The literals of that constraint, or of the one that was returned last.
    lits: Vec<i32>,
    /// The comment that was returned last.
    text: Vec<u8>,
    /// The number of clauses and parity constraints that were read.
    clauses: u64,
    /// The total length of the texts of comments, in bytes.
    comment_bytes: u64,
    /// Whether only blanks of the current line were read so far.
    at_line_start: bool,
    /// Whether the end of the file or an error was reached.
    is_done: bool,
}

#[derive(Clone, Copy)]
struct Counts {
    variables: u32,
    clauses: u64,
}

#[derive(Clone, Copy)]
enum Kind {
    Clause,
    Soft(u64),
    Parity,
    Assumptions,
}

/// What the next step of the reader found.
enum Step {
    Nothing,
    Header(Place, Counts),
    Comment(Place),
    Constraint(Place, Kind),
    End,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the start of `input`.
    pub fn new(input: R, options: Options) -> Self {
        Reader {
            scanner: Scanner::new(input),
            options,
            header: None,
            open: None,
            lits: Vec::new(),
            text: Vec::new(),
            clauses: 0,
            comment_bytes: 0,
            at_line_start: true,
            is_done: false,
        }
    }

    /// The next item, or `None` at the end of the file.
    ///
    /// # Errors
    /// The error names the first place where the file breaks a rule of the options. Later calls return `None`.
    pub fn next_item(&mut self) -> Result<Option<Item<'_>>, Error> {
        if self.open.is_none() {
            self.lits.clear();
        }
        let step = loop {
            if self.is_done {
                return Ok(None);
            }
            match self.step() {
                Ok(Step::Nothing) => {}
                Ok(step) => break step,
                Err(error) => {
                    self.is_done = true;
                    return Err(error);
                }
            }
        };
        let (place, content) = match step {
            Step::Nothing | Step::End => {
                self.is_done = true;
                return Ok(None);
            }
            Step::Header(place, Counts { variables, clauses }) => {
                (place, Content::Header { variables, clauses })
            }
            Step::Comment(place) => (place, Content::Comment(&self.text)),
            Step::Constraint(place, kind) => (
                place,
                match kind {
                    Kind::Clause => Content::Clause(&self.lits),
                    Kind::Soft(weight) => Content::Soft { weight, lits: &self.lits },
                    Kind::Parity => Content::Parity(&self.lits),
                    Kind::Assumptions => Content::Assumptions(&self.lits),
                },
            ),
        };
        Ok(Some(Item { line: place.line, content }))
    }

    /// Reads up to the end of a line, or the end of an item, or the beginning of a constraint.
    fn step(&mut self) -> Result<Step, Error> {
        if self.open.is_none()
            && self.header.is_some()
            && !self.options.one_per_line
            && matches!(self.options.dialect, Dialect::Cnf | Dialect::Xcnf)
        {
            // The usual case: the whole clause is on one line and in the input's buffer.
            let (max, line) = (self.max_variable(), self.scanner.place().line);
            let clause = self.scanner.clause(max, &mut self.lits)?;
            self.at_line_start |= self.scanner.place().line > line;
            if let Some(place) = clause {
                self.at_line_start = false;
                self.open = Some((place, Kind::Clause));
                return self.close();
            }
        }
        if self.open.is_some() {
            let (max, before) = (self.max_variable(), self.lits.len());
            let is_finished = self.scanner.literals(max, &mut self.lits)?;
            self.at_line_start &= !is_finished && self.lits.len() == before;
            if is_finished {
                return self.close();
            }
        }
        let Some(byte) = self.scanner.peek()? else { return self.end_of_file() };
        if byte == b'\n' {
            if let (Some((place, _)), true) = (self.open, self.options.one_per_line) {
                return Err(place.error(ErrorKind::Unfinished { end: "line" }));
            }
            self.scanner.end_line();
            self.at_line_start = true;
            return Ok(Step::Nothing);
        }
        let place = self.scanner.place();
        let is_first = std::mem::replace(&mut self.at_line_start, false);
        match (byte, self.open) {
            (b'c', _) if is_first => self.comment(place),
            (b'p', None) if is_first => self.read_header(place),
            (b'%', None) if is_first && self.options.percent_ends_file => self.end_of_file(),
            (_, None) => self.begin(byte, is_first, place),
            (_, Some(_)) => self.literal(place),
        }
    }

    /// The largest variable that a literal may have.
    fn max_variable(&self) -> u32 {
        let declared = self.header.filter(|_| self.options.check_counts);
        declared.map_or(i32::MAX.unsigned_abs(), |(_, counts)| counts.variables)
    }

    fn comment(&mut self, place: Place) -> Result<Step, Error> {
        self.scanner.skip(1);
        self.text.clear();
        let before = self.scanner.offset;
        let max_len = match self.options.comments {
            Comments::Skip => 0,
            Comments::Keep { max_len } => max_len,
        };
        let fits = self.scanner.rest_of_line(&mut self.text, max_len)?;
        self.comment_bytes += self.scanner.offset - before;
        match self.options.comments {
            Comments::Skip => Ok(Step::Nothing),
            Comments::Keep { .. } if fits => Ok(Step::Comment(place)),
            Comments::Keep { max_len } => Err(place.error(ErrorKind::CommentTooLong { max_len })),
        }
    }

    fn read_header(&mut self, place: Place) -> Result<Step, Error> {
        self.text.clear();
        let fits = self.scanner.rest_of_line(&mut self.text, MAX_TOKEN)?;
        let mut words = self.text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let [p, format, variables, clauses, more] = std::array::from_fn(|_| words.next());
        let bad = |expected| {
            let found = excerpt(self.text.trim_ascii_end());
            Err(place.error(ErrorKind::BadHeader { found, expected }))
        };
        let count = |word: Option<&[u8]>| {
            let word = word.filter(|_| fits && more.is_none())?;
            number(word).filter(|&(is_negative, n)| !is_negative && n < u64::MAX).map(|(_, n)| n)
        };
        if self.options.dialect == Dialect::Wcnf {
            return bad("no header, since clauses begin with 'h' or a weight");
        }
        let expected = self.header_form();
        let counts = match self.options.dialect {
            Dialect::Icnf if (p, format, variables) != (Some(b"p"), Some(b"inccnf"), None) => {
                return bad(expected);
            }
            Dialect::Icnf => Counts { variables: i32::MAX.unsigned_abs(), clauses: 0 },
            _ => {
                let (Some(b"p"), Some(b"cnf"), Some(declared), Some(clauses)) =
                    (p, format, count(variables), count(clauses))
                else {
                    return bad(expected);
                };
                let Some(variables) = i32::try_from(declared).ok().map(i32::unsigned_abs) else {
                    let found = excerpt(variables.unwrap_or_default());
                    return Err(place.error(ErrorKind::VariableTooLarge { found }));
                };
                Counts { variables, clauses }
            }
        };
        if let Some((first, _)) = self.header {
            return Err(place.error(ErrorKind::SecondHeader { first: first.line }));
        }
        self.header = Some((place, counts));
        Ok(if self.options.dialect == Dialect::Icnf { Step::Nothing } else { Step::Header(place, counts) })
    }

    /// The form of the dialect's header.
    fn header_form(&self) -> &'static str {
        match self.options.dialect {
            Dialect::Cnf | Dialect::Xcnf => "'p cnf VARIABLES CLAUSES'",
            Dialect::Icnf => "'p inccnf'",
            Dialect::Wcnf => "",
        }
    }

    /// Reads what comes before the first literal of a constraint, if anything.
    fn begin(&mut self, byte: u8, is_first: bool, place: Place) -> Result<Step, Error> {
        if self.options.one_per_line && !is_first {
            let found = excerpt(self.scanner.token()?);
            return Err(place.error(ErrorKind::AfterEnd { found }));
        }
        if self.options.require_header && self.header.is_none() && self.options.dialect != Dialect::Wcnf {
            let found = format!("'{}'", excerpt(self.scanner.token()?));
            return Err(place.error(ErrorKind::NoHeader { found, expected: self.header_form() }));
        }
        let kind = match (self.options.dialect, byte) {
            (Dialect::Xcnf, b'x') if is_first => {
                self.scanner.skip(1);
                Kind::Parity
            }
            (Dialect::Icnf, b'a') if is_first => match self.scanner.token()? {
                b"a" => Kind::Assumptions,
                other => return Err(place.error(ErrorKind::NotALiteral { found: excerpt(other) })),
            },
            (Dialect::Wcnf, _) => {
                let token = self.scanner.token()?;
                match (token, number(token)) {
                    (b"h", _) => Kind::Clause,
                    (_, Some((false, weight))) if weight < u64::MAX => Kind::Soft(weight),
                    _ => return Err(place.error(ErrorKind::BadWeight { found: excerpt(token) })),
                }
            }
            _ => Kind::Clause,
        };
        self.open = Some((place, kind));
        Ok(Step::Nothing)
    }

    /// Reads the next token of a constraint, whatever it is.
    fn literal(&mut self, place: Place) -> Result<Step, Error> {
        let max = self.max_variable();
        let token = self.scanner.token()?;
        let Some((is_negative, variable)) = number(token) else {
            return Err(place.error(ErrorKind::NotALiteral { found: excerpt(token) }));
        };
        let Ok(variable) = i32::try_from(variable) else {
            let found = excerpt(token.strip_prefix(b"-").unwrap_or(token));
            return Err(place.error(ErrorKind::VariableTooLarge { found }));
        };
        let literal = if is_negative { -variable } else { variable };
        if variable.unsigned_abs() > max {
            return Err(place.error(ErrorKind::UndeclaredVariable { literal, variables: max }));
        }
        if literal == 0 {
            return self.close();
        }
        self.lits.push(literal);
        Ok(Step::Nothing)
    }

    /// Ends the constraint.
    fn close(&mut self) -> Result<Step, Error> {
        let Some((place, kind)) = self.open.take() else { return Ok(Step::Nothing) };
        self.clauses += u64::from(!matches!(kind, Kind::Assumptions));
        if let Some((_, Counts { clauses: declared, .. })) = self.checked_counts()
            && self.clauses > declared
        {
            return Err(place.error(ErrorKind::TooManyClauses { declared }));
        }
        Ok(Step::Constraint(place, kind))
    }

    /// The header, if its counts must be right.
    fn checked_counts(&self) -> Option<(Place, Counts)> {
        self.header.filter(|_| self.options.check_counts && self.options.dialect != Dialect::Icnf)
    }

    fn end_of_file(&mut self) -> Result<Step, Error> {
        if let Some((place, _)) = self.open {
            return Err(place.error(ErrorKind::Unfinished { end: "file" }));
        }
        if let Some((place, Counts { clauses: declared, .. })) = self.checked_counts()
            && self.clauses < declared
        {
            return Err(place.error(ErrorKind::TooFewClauses { declared, found: self.clauses }));
        }
        let bytes = match self.options.max_variables {
            MaxVariables::Unbounded => u64::MAX,
            MaxVariables::Bytes => self.scanner.offset,
            MaxVariables::BytesOutsideComments => self.scanner.offset - self.comment_bytes,
        };
        match self.header {
            Some((place, Counts { variables, .. }))
                if self.options.dialect != Dialect::Icnf && u64::from(variables) > bytes =>
            {
                Err(place.error(ErrorKind::TooManyVariables { variables, bytes }))
            }
            None if self.options.require_header && self.options.dialect != Dialect::Wcnf => {
                let (found, expected) = ("end of file".to_owned(), self.header_form());
                Err(self.scanner.place().error(ErrorKind::NoHeader { found, expected }))
            }
            _ => Ok(Step::End),
        }
    }
}
