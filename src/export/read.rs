//! Formula files read back: constraints with their lines, and the head that says what they were made from.
//!
//! Files of this crate are read, and what somebody did to them by hand; other DIMACS files have no head and
//! are refused for it. Every format comes to the same lists: what must hold, what it costs, what is asked.

use super::{Format, Head};
use counterpoint_encodings::{Lit, Var};

/// A formula from a file.
#[derive(Debug)]
pub struct File {
    /// Its format.
    pub format: Format,
    /// What it was made from.
    pub head: Head,
    /// Variables: as many as the header says, or as occur.
    pub n_vars: u32,
    /// Names, in the file's order.
    pub names: Vec<(Var, String)>,
    /// How many questions are asked of it, each under assumptions of its own; none but in `icnf`.
    pub questions: usize,
    /// What must hold.
    pub(super) hard: List,
    /// What costs something if it is broken.
    pub(super) soft: List,
    text: String,
}

/// Constraints one behind the other.
#[derive(Debug, Default)]
pub(super) struct List {
    lits: Vec<Lit>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    line: u32,
    kind: Kind,
    end: usize,
}

/// What a constraint demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One of the literals at least.
    Clause,
    /// An odd number of them.
    Odd,
    /// As a clause, but breaking it costs so much.
    Soft(u64),
    /// All of them, for one question.
    Assume,
}

/// A constraint of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint<'a> {
    /// From 1.
    pub(super) line: u32,
    pub(super) kind: Kind,
    pub(super) lits: &'a [Lit],
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
        Some(Constraint { line, kind, lits: &self.lits[start..end] })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Constraint<'_>> {
        (0..self.len()).filter_map(|i| self.get(i))
    }
}

/// What is wrong with a file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct FileError {
    /// From 1.
    pub line: usize,
    /// What.
    pub message: String,
}

impl File {
    /// Reads a file of any of the formats.
    ///
    /// # Errors
    /// The first line that does not belong, or a head that is not there.
    pub fn parse(text: impl Into<String>) -> Result<File, FileError> {
        let whole = text.into();
        let mut file = File {
            format: Format::Cnf,
            head: Head::default(),
            n_vars: 0,
            names: Vec::new(),
            questions: 0,
            hard: List::default(),
            soft: List::default(),
            text: String::new(),
        };
        let mut known = false;
        let mut lits = Vec::new();
        for (line, text) in (1u32..).zip(whole.lines()) {
            let error = |message| FileError { line: line as usize, message };
            lits.clear();
            match comment(text) {
                Some(comment) => known |= file.comment(comment.trim_start()).map_err(error)?,
                None if text.trim().is_empty() => {}
                None if !known => {
                    let message =
                        "no comment before it says 'counterpoint' and a format: the file's head is gone";
                    return Err(error(message.to_owned()));
                }
                None if file.format == Format::Opb => file.opb(line, text, &mut lits).map_err(error)?,
                None => file.dimacs(line, text, &mut lits).map_err(error)?,
            }
        }
        for (key, value) in [("problem", &file.head.problem), ("engine", &file.head.engine)] {
            if value.is_empty() {
                return Err(FileError { line: 1, message: format!("no comment says the {key}") });
            }
        }
        // Memory follows what was read, not what a header claims.
        if file.n_vars as usize > whole.len() {
            let message = format!("{} variables do not occur in {} bytes", file.n_vars, whole.len());
            return Err(FileError { line: 1, message });
        }
        file.text = whole;
        Ok(file)
    }

    /// The number of constraints, soft ones too.
    pub fn constraints(&self) -> usize {
        self.hard.len() + self.soft.len()
    }

    /// Lines that are not empty with their numbers, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).filter(|(_, line)| !line.trim().is_empty())
    }

    /// Takes what a comment tells; true if it is the format.
    fn comment(&mut self, comment: &str) -> Result<bool, String> {
        let (key, value) = comment.split_once(' ').unwrap_or((comment, ""));
        match key {
            "counterpoint" => {
                let found = Format::ALL.into_iter().find(|format| format.name() == value);
                self.format = found.ok_or_else(|| format!("'{value}' is no format"))?;
                return Ok(true);
            }
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
                self.seen(var);
                self.names.push((var, name.to_owned()));
            }
            "#variable=" => {
                let number = value.split_whitespace().next().unwrap_or_default();
                self.n_vars = number.parse().map_err(|_| format!("'{number}' is no number of variables"))?;
            }
            _ => {}
        }
        Ok(false)
    }

    fn seen(&mut self, var: Var) {
        self.n_vars = self.n_vars.max(var.idx32() + 1);
    }

    fn dimacs(&mut self, line: u32, text: &str, lits: &mut Vec<Lit>) -> Result<(), String> {
        let (mut rest, mut kind) = (text, Kind::Clause);
        if let Some(header) = text.strip_prefix("p ") {
            let mut words = header.split_whitespace();
            if words.next() == Some("cnf") {
                let number = words.next().and_then(|word| word.parse().ok());
                self.n_vars = self.n_vars.max(number.ok_or("'p cnf' has no number of variables")?);
            }
            return Ok(());
        }
        match self.format {
            Format::Xcnf => {
                if let Some(parity) = text.strip_prefix('x') {
                    (rest, kind) = (parity, Kind::Odd);
                }
            }
            Format::Icnf => {
                if let Some(assumed) = text.strip_prefix("a ") {
                    (rest, kind) = (assumed, Kind::Assume);
                }
            }
            Format::Wcnf => {
                let (mark, behind) = text.split_once(' ').unwrap_or((text, ""));
                rest = behind;
                if mark != "h" {
                    kind = Kind::Soft(weight(mark)?);
                }
            }
            Format::Cnf | Format::Opb => {}
        }
        let mut words = rest.split_ascii_whitespace();
        loop {
            match words.next() {
                Some("0") => break,
                Some(word) => lits.push(literal(word)?),
                None => return Err("the line does not end with 0".to_owned()),
            }
        }
        if words.next().is_some() {
            return Err("there is more behind 0".to_owned());
        }
        self.add(line, kind, lits);
        Ok(())
    }

    fn opb(&mut self, line: u32, text: &str, lits: &mut Vec<Lit>) -> Result<(), String> {
        let text = text.trim_end();
        let body = text.strip_suffix(';').ok_or("the line does not end with ;")?;
        let term = |factor: &str, name: &str| {
            let sign = factor.chars().next().filter(|c| "+-".contains(*c));
            let size = weight(factor.trim_start_matches(['+', '-']))?;
            let var = literal(name.strip_prefix('x').ok_or_else(|| format!("'{name}' is no variable"))?)?;
            Ok::<_, String>((size, if sign == Some('-') { !var } else { var }))
        };
        if let Some(objective) = body.strip_prefix("min:") {
            let mut words = objective.split_ascii_whitespace();
            while let Some(factor) = words.next() {
                let (cost, lit) = term(factor, words.next().unwrap_or_default())?;
                self.add(line, Kind::Soft(cost), &[!lit]);
            }
            return Ok(());
        }
        if text.as_bytes() == super::opb::FALSE.trim_ascii_end() {
            self.add(line, Kind::Clause, &[]);
            return Ok(());
        }
        let (sum, bound) = body.split_once(">=").ok_or("there is no >=")?;
        let mut words = sum.split_ascii_whitespace();
        while let Some(factor) = words.next() {
            let (1, lit) = term(factor, words.next().unwrap_or_default())? else {
                return Err(format!("'{factor}' is neither +1 nor -1: this is no clause"));
            };
            lits.push(lit);
        }
        let negated = lits.iter().filter(|lit| lit.is_neg()).count() as i64;
        if bound.trim().parse() != Ok(1 - negated) {
            return Err(format!("a clause with {negated} negated literals is >= {}", 1 - negated));
        }
        self.add(line, Kind::Clause, lits);
        Ok(())
    }

    fn add(&mut self, line: u32, kind: Kind, lits: &[Lit]) {
        lits.iter().for_each(|lit| self.seen(lit.var()));
        match kind {
            Kind::Clause | Kind::Odd => self.hard.add(line, kind, lits),
            Kind::Soft(_) => self.soft.add(line, kind, lits),
            // What is asked of the formula is no part of it.
            Kind::Assume => self.questions += 1,
        }
    }
}

/// What a comment says; `None` for another line.
pub(super) fn comment(line: &str) -> Option<&str> {
    line.strip_prefix(['c', '*']).filter(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn weight(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("'{word}' is no weight"))
}

/// A literal other than 0, within what variables can be numbered.
pub(super) fn literal(word: &str) -> Result<Lit, String> {
    let number = word.parse::<i32>().ok().filter(|n| *n != 0 && *n != i32::MIN);
    let lit = number.and_then(|number| Lit::from_ipasir(number).ok());
    lit.filter(|lit| lit.var().idx32() < Var::MAX_IDX).ok_or_else(|| format!("'{word}' is no literal"))
}
