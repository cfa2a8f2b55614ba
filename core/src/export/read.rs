//! Reads formula files back: constraints with the numbers of their lines, and the head, which says what the formula was
//! made from.
//!
//! Only files that [`super::write`] wrote are accepted, because other files have no head. An accepted file may have
//! been edited by hand. A changed clause or count is not an error here; [`super::first_difference`] finds it. So a
//! header is neither required nor checked.

mod opb;

use super::{Format, Head};
use crate::proof::dimacs::{self, Comments, Content, Dialect, MaxVariables, Options, Reader};
use counterpoint_encodings::{Linear, Lit, Relation, Var};

/// A formula that was read from a file.
#[derive(Debug)]
pub struct File {
    /// The format.
    pub format: Format,
    /// What the formula was made from.
    pub head: Head,
    /// The greater of two numbers: the number of variables that the header declares, and the highest number of a
    /// variable in the file.
    pub n_vars: u32,
    /// The names of variables, in the order of the file.
    pub names: Vec<(Var, String)>,
    /// The number of questions, each with its own assumptions. It is 0 in every format but `icnf`.
    pub questions: usize,
    /// The hard constraints.
    pub(super) hard: List,
    /// The soft constraints.
    pub(super) soft: List,
    /// The whole file.
    text: String,
}

/// Constraints in the order of the file.
#[derive(Debug, Default)]
pub(super) struct List {
    /// The literals of all constraints, one constraint after another.
    lits: Vec<Lit>,
    /// The weights of all linear constraints, one constraint after another.
    weights: Vec<i64>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    line: u32,
    kind: Kind,
    /// The end of the constraint's literals in [`List::lits`].
    end: usize,
}

/// What a constraint requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// At least one of the literals is true.
    Clause,
    /// An odd number of the literals is true.
    Odd,
    /// The weights of the true literals sum to at least the bound, or to exactly the bound.
    Sum {
        /// `AtLeast` or `Equal`.
        relation: Relation,
        bound: i64,
        /// The index of the first weight in [`List::weights`].
        first: usize,
    },
    /// At least one of the literals is true; a violation has this cost.
    Soft(u64),
    /// All literals are assumed to be true in one question.
    Assume,
}

/// A constraint of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint<'a> {
    /// The number of its line, from 1.
    pub(super) line: u32,
    pub(super) kind: Kind,
    pub(super) lits: &'a [Lit],
    /// The weights of the literals in a linear constraint; empty for other kinds.
    weights: &'a [i64],
}

impl Constraint<'_> {
    /// Calls `read` with the linear constraint; `None` for other kinds.
    pub(super) fn linear<T>(&self, read: impl FnOnce(&Linear<'_>) -> T) -> Option<T> {
        let Kind::Sum { relation, bound, .. } = self.kind else { return None };
        let terms: Vec<(i64, Lit)> = self.weights.iter().copied().zip(self.lits.iter().copied()).collect();
        Some(read(&Linear { terms: &terms, relation, bound }))
    }
}

impl List {
    fn add(&mut self, line: u32, kind: Kind, lits: &[Lit]) {
        self.lits.extend_from_slice(lits);
        self.rows.push(Row { line, kind, end: self.lits.len() });
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn get(&self, i: usize) -> Option<Constraint<'_>> {
        let Row { line, kind, end } = *self.rows.get(i)?;
        let start = if i == 0 { 0 } else { self.rows[i - 1].end };
        let lits = &self.lits[start..end];
        let weights = match kind {
            Kind::Sum { first, .. } => &self.weights[first..first + lits.len()],
            _ => &[],
        };
        Some(Constraint { line, kind, lits, weights })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Constraint<'_>> {
        (0..self.len()).filter_map(|i| self.get(i))
    }
}

/// Why a file is rejected. The text starts with the number of the line, so `format!("{file}:{error}")` is the whole
/// message.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A line is not valid in the DIMACS dialect of the file.
    #[error(transparent)]
    Dimacs(#[from] dimacs::Error),
    /// The head, a comment, a literal or a line in the format `opb` is wrong, or the file has too many variables.
    #[error("{line}: {message}")]
    Line {
        /// The number of the line, from 1; 1 if the error concerns the whole file.
        line: usize,
        /// What was found, and what was expected.
        message: String,
    },
}

counterpoint_base::message_errors! {
    /// What is wrong with a line. The caller knows its number.
    pub(super) struct LineError;
}

/// Turns a message into an error of a line.
fn at<M: Into<LineError>>(line: usize) -> impl Fn(M) -> FileError {
    move |message| FileError::Line { line, message: message.into().into() }
}

impl File {
    /// Reads a file of any of the formats.
    ///
    /// # Errors
    /// Returns an error if a line breaks the format, if the head does not name the format, the problem and the engine,
    /// or if the file has more variables than bytes.
    pub fn parse(text: impl Into<String>) -> Result<File, FileError> {
        let whole = text.into();
        let mut file = File {
            format: format(&whole)?,
            head: Head::default(),
            n_vars: 0,
            names: Vec::new(),
            questions: 0,
            hard: List::default(),
            soft: List::default(),
            text: String::new(),
        };
        match file.format {
            Format::Cnf => file.read_dimacs(&whole, Dialect::Cnf)?,
            Format::Xcnf => file.read_dimacs(&whole, Dialect::Xcnf)?,
            Format::Wcnf => file.read_dimacs(&whole, Dialect::Wcnf)?,
            Format::Icnf => file.read_dimacs(&whole, Dialect::Icnf)?,
            Format::Opb => file.read_opb(&whole)?,
        }
        for (key, value) in [("problem", &file.head.problem), ("engine", &file.head.engine)] {
            if value.is_empty() {
                return Err(at(1)(format!("no comment names the {key}")));
            }
        }
        // A model has a value for each variable, so memory must not depend on a number that the file merely declares.
        if file.n_vars as usize > whole.len() {
            let (found, bytes) = (file.n_vars, whole.len());
            return Err(at(1)(format!(
                "{found} variables; expected at most {bytes} in a file of this length"
            )));
        }
        file.text = whole;
        Ok(file)
    }

    /// The number of constraints, soft ones included.
    pub fn constraints(&self) -> usize {
        self.hard.len() + self.soft.len()
    }

    /// The number of hard constraints.
    pub fn hard_constraints(&self) -> usize {
        self.hard.len()
    }

    /// The lines that are not blank, each with its number, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).filter(|(_, line)| !line.trim().is_empty())
    }

    fn read_dimacs(&mut self, text: &str, dialect: Dialect) -> Result<(), FileError> {
        let options = Options {
            dialect,
            require_header: false,
            check_counts: false,
            one_per_line: true,
            percent_ends_file: false,
            max_variables: MaxVariables::Unbounded,
            comments: Comments::Keep { max_len: usize::MAX },
        };
        let mut reader = Reader::new(text.as_bytes(), options);
        let mut lits = Vec::new();
        while let Some(item) = reader.next_item()? {
            let (kind, numbers) = match item.content {
                Content::Clause(lits) => (Kind::Clause, lits),
                Content::Parity(lits) => (Kind::Odd, lits),
                Content::Soft { weight, lits } => (Kind::Soft(weight), lits),
                Content::Assumptions(lits) => (Kind::Assume, lits),
                Content::Header { variables, .. } => {
                    self.n_vars = self.n_vars.max(variables);
                    continue;
                }
                Content::Comment(text) => {
                    let text = format!("c{}", String::from_utf8_lossy(text));
                    let Some(text) = comment(&text) else {
                        return Err(at(item.line)(format!(
                            "unexpected '{text}'; expected a space after 'c'"
                        )));
                    };
                    self.comment(text).map_err(at(item.line))?;
                    continue;
                }
            };
            lits.clear();
            for &number in numbers {
                let lit = Lit::from_ipasir(number).map_err(|error| at(item.line)(error.to_string()));
                lits.push(lit?);
            }
            self.add(item.line as u32, kind, &lits);
        }
        Ok(())
    }

    /// Stores what a comment says. Unknown comments are ignored.
    fn comment(&mut self, comment: &str) -> Result<(), LineError> {
        let comment = comment.trim_start();
        let (key, value) = comment.split_once(' ').unwrap_or((comment, ""));
        match key {
            "problem" => value.clone_into(&mut self.head.problem),
            "engine" => value.clone_into(&mut self.head.engine),
            "rules" => value.clone_into(&mut self.head.rules),
            "instance" => {
                self.head.instance.push_str(value);
                self.head.instance.push('\n');
            }
            "varname" => {
                let (number, name) = value.split_once(' ').unwrap_or((value, ""));
                let var = literal(number.trim_start_matches('x'))?.var();
                self.note(var);
                self.names.push((var, name.to_owned()));
            }
            "#variable=" => {
                let number = value.split_whitespace().next().unwrap_or_default();
                let parsed = number.parse();
                self.n_vars = parsed.map_err(|_| format!("'{number}' is not a number of variables"))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Raises the number of variables so that it includes `var`.
    fn note(&mut self, var: Var) {
        self.n_vars = self.n_vars.max(var.idx32() + 1);
    }

    fn add(&mut self, line: u32, kind: Kind, lits: &[Lit]) {
        lits.iter().for_each(|lit| self.note(lit.var()));
        match kind {
            Kind::Clause | Kind::Odd | Kind::Sum { .. } => self.hard.add(line, kind, lits),
            Kind::Soft(_) => self.soft.add(line, kind, lits),
            // Assumptions do not belong to the formula; only the number of questions matters.
            Kind::Assume => self.questions += 1,
        }
    }
}

/// The format that a comment above the first constraint names. If there are several such comments, the last one counts.
fn format(text: &str) -> Result<Format, FileError> {
    let mut format = None;
    let mut last = 1;
    for (line, text) in (1..).zip(text.lines()) {
        last = line;
        let Some(comment) = comment(text) else {
            if text.trim().is_empty() {
                continue;
            }
            break;
        };
        if let Some(name) = comment.trim_start().strip_prefix("counterpoint ") {
            let found = Format::ALL.into_iter().find(|format| format.name() == name);
            let all = "cnf, xcnf, wcnf, opb or icnf";
            format =
                Some(found.ok_or_else(|| at(line)(format!("unexpected format '{name}'; expected {all}")))?);
        }
    }
    let missing =
        "expected a comment 'counterpoint FORMAT' above the formula: the head of the file is missing";
    format.ok_or_else(|| at(last)(missing))
}

/// The text of a comment, or `None` for another line.
pub(super) fn comment(line: &str) -> Option<&str> {
    line.strip_prefix(['c', '*']).filter(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// A DIMACS literal other than 0.
pub(super) fn literal(word: &str) -> Result<Lit, LineError> {
    let number = word.parse::<i32>().ok().filter(|n| *n != 0 && *n != i32::MIN);
    let lit = number.and_then(|number| Lit::from_ipasir(number).ok());
    lit.filter(|lit| lit.var().idx32() < Var::MAX_IDX)
        .ok_or_else(|| format!("'{word}' is not a literal").into())
}
