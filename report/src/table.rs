//! Tables for papers and READMEs, as CSV, LaTeX and Markdown.

use super::builds;
use super::comparison::{Comparison, Difference};
use super::dataset::{Dataset, Reading, Run};
use super::units::{Measure, shown};
use crate::errors::{ColumnError, TableError};
use crate::record::{Row, Tally, groups};
use crate::spec;
use counterpoint_statistics::{Match, ascending, censored_median, par, virtual_best};
use itertools::Itertools;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name of its files.
    pub name: String,
    /// The text above it; may be empty.
    pub caption: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, with one cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Empty,
    /// A word.
    Word(String),
    /// A number, with what it measures.
    Number(f64, Measure),
}

impl Cell {
    pub(crate) fn count(n: usize) -> Self {
        Cell::Number(n as f64, Measure::Count)
    }

    /// A count; empty if it is zero.
    fn nonzero(n: usize) -> Self {
        if n == 0 { Cell::Empty } else { Cell::count(n) }
    }

    fn of(number: Option<f64>, measure: Measure) -> Self {
        number.map_or(Cell::Empty, |number| Cell::Number(number, measure))
    }

    /// The cell for readers: rounded, with a unit.
    pub fn shown(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Word(word) => word.clone(),
            Cell::Number(number, measure) => shown(*number, *measure),
        }
    }

    /// The cell for programs: unrounded, in seconds, bytes or counts.
    pub fn raw(&self) -> String {
        match self {
            Cell::Number(number, _) => number.to_string(),
            other => other.shown(),
        }
    }
}

/// The columns with the results of an engine's runs.
const ENGINE: [&str; 8] =
    ["engine", "runs", "solved", "open", "wrong", "limit reached", "failed", "unsupported"];

/// The columns that tables in a README leave out unless the plan asks for wide tables.
const WIDE: [&str; 2] = ["memory, worst", "solver calls, median"];

/// A table with a row for each engine, and one for the virtual best. The columns show the results of the engine's runs,
/// PAR-2 and PAR-10, medians, its contribution to a portfolio, its rank and its builds.
pub fn engines(dataset: &Dataset<'_>, all: &Comparison) -> Table {
    let further = [
        "PAR-2",
        "PAR-10",
        "median CPU",
        "median work",
        WIDE[0],
        WIDE[1],
        "Shapley, solved",
        "Shapley, time saved",
        "rank",
        "build",
    ];
    let rank = |engine: usize| {
        let group = all.ranking.groups.iter().find(|group| group.engines.contains(&engine));
        group.map_or(Cell::Empty, |group| Cell::count(group.rank))
    };
    let work = dataset.reading("work");
    let several = asks_often(dataset.runs.iter().map(|run| run.record));
    let built = builds::of_engines(dataset).unwrap_or_default();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for (engine, name) in dataset.engines.iter().enumerate() {
        let runs: Vec<&Run<'_>> = dataset.runs.iter().filter(|run| run.engine == engine).collect();
        // Contributions and ranks need a limit on CPU time.
        let scored = all.matrix.column(engine).next().is_some();
        let worth = |of: &[f64], measure| Cell::of(of.get(engine).copied().filter(|_| scored), measure);
        let mut row = counts(&runs, &work, several);
        row.insert(0, Cell::Word(name.clone()));
        row.extend([
            worth(&all.solved.1, Measure::Ratio),
            worth(&all.seconds.1, Measure::Seconds),
            if scored { rank(engine) } else { Cell::Empty },
            built.get(engine).map_or(Cell::Empty, |builds| Cell::Word(builds.join(", "))),
        ]);
        rows.push(row);
    }
    let best: Vec<_> = virtual_best(&all.matrix).into_iter().flatten().collect();
    let solved = best.iter().filter(|score| score.solved).count();
    let mut row = vec![Cell::Empty; ENGINE.len() + further.len()];
    row[0] = Cell::Word("virtual best, by instance".to_owned());
    row[1] = Cell::nonzero(best.len());
    row[2] = Cell::nonzero(solved);
    row[8] = Cell::of(par(best.iter().copied(), 2.0), Measure::Seconds);
    row[9] = Cell::of(par(best, 10.0), Measure::Seconds);
    rows.push(row);
    let columns: Vec<String> = ENGINE.iter().chain(&further).map(|name| name.to_string()).collect();
    Table { name: "engines".to_owned(), caption: String::new(), columns, rows }.without_empty_columns()
}

/// Whether some run called its solver more than once. If none did, the number of calls is not worth a column.
fn asks_often<'r>(mut records: impl Iterator<Item = Row<'r>>) -> bool {
    records.any(|record| record.calls().is_some_and(|calls| calls > 1))
}

/// The cells from `runs` to `unsupported`, then PAR-2, PAR-10, the medians of time and work, the largest peak memory
/// and, if `several`, the median number of solver calls.
fn counts(runs: &[&Run<'_>], work: &Reading, several: bool) -> Vec<Cell> {
    let mut tally = Tally::default();
    runs.iter().for_each(|run| tally.add(run.record));
    let supported: Vec<&&Run<'_>> = runs.iter().filter(|run| run.is_supported()).collect();
    let penalized = |k: f64| {
        let sum: Option<f64> = supported.iter().map(|run| run.par_s(k)).sum();
        sum.map(|sum| sum / supported.len() as f64).filter(|mean| mean.is_finite())
    };
    let times = supported.iter().map(|run| run.solved_s().unwrap_or(f64::INFINITY));
    let known = |run: &&&Run<'_>| if run.record.is_solved() { work.of(run) } else { Some(f64::INFINITY) };
    let counted = supported.iter().filter(|run| !work.is_uncounted(run.engine)).filter_map(known);
    let calls = ascending(supported.iter().filter_map(|run| run.record.calls()).map(|calls| calls as f64));
    let mut row = vec![Cell::count(supported.len())];
    row.extend(ends(&tally));
    row.extend([
        Cell::of(penalized(2.0), Measure::Seconds),
        Cell::of(penalized(10.0), Measure::Seconds),
        Cell::of(censored_median(&ascending(times)), Measure::Seconds),
        Cell::of(censored_median(&ascending(counted)), Measure::Count),
        Cell::of(tally.peak_bytes.map(|bytes| bytes as f64), Measure::Bytes),
        Cell::of(censored_median(&calls).filter(|_| several), Measure::Count),
    ]);
    row
}

/// The cells from `solved` to `unsupported`.
fn ends(tally: &Tally) -> [Cell; 6] {
    [
        Cell::count(tally.solved),
        Cell::nonzero(tally.open),
        Cell::nonzero(tally.wrong),
        Cell::nonzero(tally.limits.values().sum()),
        Cell::nonzero(tally.failed),
        Cell::nonzero(tally.unsupported),
    ]
}

/// A table with a row for each group of runs that have the same engine and the same values in some columns.
///
/// # Errors
/// If a column is in no record, or if no run meets the conditions.
pub fn grouped(dataset: &Dataset<'_>, wanted: &spec::Table, name: String) -> Result<Table, TableError> {
    // The table always has a column for the engine, so `engine` is not needed among the columns of the spec.
    let named: Vec<&String> = wanted.by.iter().filter(|name| *name != "engine").collect();
    let by = named.iter().map(|name| dataset.column(name)).collect::<Result<Vec<_>, _>>()?;
    let only = wanted.only.iter().map(|(name, values)| Ok((dataset.condition(name)?, values)));
    let only = only.collect::<Result<Vec<_>, ColumnError>>()?;
    let shown = |run: &&Run<'_>| {
        (wanted.engines.is_empty() || wanted.engines.iter().any(|engine| engine == run.record.engine()))
            && only.iter().all(|(column, values)| run.words(column).iter().any(|word| values.contains(word)))
    };
    let chosen = dataset.runs.iter().filter(shown).sorted_by_key(|run| run.engine);
    let records: Vec<Row<'_>> = chosen.map(|run| run.record).collect();
    if records.is_empty() {
        return Err(TableError::NoRun);
    }
    let several = asks_often(records.iter().copied());
    let mut rows = Vec::new();
    for group in groups(&records, &by, dataset.defaults)? {
        let words = group.values.iter().chain([&group.engine]);
        let mut row: Vec<Cell> = words.cloned().map(Cell::Word).collect();
        row.push(Cell::count(group.tally.supported()));
        row.extend(ends(&group.tally));
        row.extend([
            Cell::of(group.median_cpu_s(), Measure::Seconds),
            Cell::of(group.cpu_s.last().copied(), Measure::Seconds),
            Cell::of(group.median_work(), Measure::Count),
            Cell::of(group.work.last().map(|&work| work as f64), Measure::Count),
            Cell::of(group.median_clauses(), Measure::Count),
            Cell::of(group.peak_bytes.map(|bytes| bytes as f64), Measure::Bytes),
            Cell::of(group.median_calls().filter(|_| several), Measure::Count),
        ]);
        rows.push(row);
    }
    let further = ["CPU, median", "CPU, worst", "work, median", "work, worst", "clauses", WIDE[0], WIDE[1]];
    let columns =
        named.into_iter().cloned().chain(ENGINE.iter().chain(&further).map(|name| name.to_string()));
    let columns = columns.collect();
    Ok(Table { name, caption: wanted.caption.clone(), columns, rows }.without_empty_columns())
}

/// The columns of the cells that [`compared`] returns.
pub(crate) const COMPARED: [&str; 9] =
    ["instances", "a ahead", "b ahead", "ties", "ΔPAR-2", "95 % from", "to", "p, Wilcoxon", "p, Holm"];

/// The cells about a difference, and about how often each of the two was ahead.
pub(crate) fn compared(difference: &Difference, met: Match) -> [Cell; COMPARED.len()] {
    let &Difference { instances, delta_s, interval_s, p, holm } = difference;
    let end = |end: Option<f64>| Cell::of(end, Measure::Seconds);
    [
        Cell::count(instances),
        Cell::count(met.wins),
        Cell::count(met.losses),
        Cell::count(met.ties),
        Cell::Number(delta_s, Measure::Seconds),
        end(interval_s.map(|(low, _)| low)),
        end(interval_s.map(|(_, high)| high)),
        Cell::Number(p, Measure::Probability),
        Cell::Number(holm, Measure::Probability),
    ]
}

/// A table with a row for each pair of engines: their difference, its interval, and the test.
pub fn pairs(dataset: &Dataset<'_>, all: &Comparison) -> Table {
    let rows = all.pairs.iter().map(|pair| {
        let words = [pair.a, pair.b].map(|engine| Cell::Word(dataset.engines[engine].clone()));
        let met = all.ranking.matches[pair.a][pair.b];
        words.into_iter().chain(compared(&pair.difference, met)).collect()
    });
    Table {
        name: "pairs".to_owned(),
        caption: String::new(),
        columns: ["a", "b"].into_iter().chain(COMPARED).map(str::to_owned).collect(),
        rows: rows.collect(),
    }
}

impl Table {
    /// The table as a README shows it: without memory and solver calls unless the plan asks for a wide table, because
    /// READMEs are narrow.
    #[must_use]
    pub fn for_readme(mut self, wanted: &spec::Table) -> Self {
        for name in WIDE.iter().filter(|_| !wanted.wide) {
            if let Some(at) = self.columns.iter().rposition(|column| column == name) {
                self.columns.remove(at);
                self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
            }
        }
        self
    }

    /// Removes columns that have only empty cells.
    fn without_empty_columns(mut self) -> Self {
        for at in (0..self.columns.len()).rev() {
            if self.rows.iter().all(|row| row[at] == Cell::Empty) {
                self.columns.remove(at);
                self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
            }
        }
        self
    }

    /// Whether a column contains only numbers and empty cells, and at least one number.
    fn is_numeric(&self, at: usize) -> bool {
        let words =
            self.rows.iter().any(|row| matches!(&row[at], Cell::Word(word) if word.parse::<f64>().is_err()));
        !words && self.rows.iter().any(|row| row[at] != Cell::Empty)
    }

    /// The table as CSV, with unrounded values in seconds, bytes or counts.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn csv(&self) -> csv::Result<String> {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(&self.columns)?;
        for row in &self.rows {
            out.write_record(row.iter().map(Cell::raw))?;
        }
        let bytes = out.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The table as Markdown for GitHub.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let escaped = |text: &str| {
            text.replace('|', "\\|").replace('<', "&lt;").split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let rules = (0..self.columns.len()).map(|at| if self.is_numeric(at) { "--:" } else { "---" });
        let mut out = line(self.columns.iter().map(|name| escaped(name)).collect());
        out += &line(rules.map(str::to_owned).collect());
        for row in &self.rows {
            out += &line(row.iter().map(|cell| escaped(&cell.shown())).collect());
        }
        out
    }

    /// The table as a LaTeX `tabular` with the rules of booktabs.
    pub fn latex(&self) -> String {
        let align: String =
            (0..self.columns.len()).map(|at| if self.is_numeric(at) { 'r' } else { 'l' }).collect();
        let line = |cells: Vec<String>| {
            let line = cells.join(" & ");
            // After `\\`, `\toprule` and `\midrule`, TeX looks for an argument in brackets or a star.
            let guard = if line.trim_start().starts_with(['[', '*']) { "{}" } else { "" };
            format!("{guard}{line} \\\\\n")
        };
        let mut out = format!("\\begin{{tabular}}{{{align}}}\n\\toprule\n");
        out += &line(self.columns.iter().map(|name| latex(name)).collect());
        out += "\\midrule\n";
        for row in &self.rows {
            out += &line(row.iter().map(|cell| latex(&cell.shown())).collect());
        }
        out + "\\bottomrule\n\\end{tabular}\n"
    }
}

/// Short Markdown as LaTeX: text between backticks becomes `texttt`.
pub fn latex(text: &str) -> String {
    let (mut out, mut code) = (String::new(), false);
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            '"' => out += "\\textquotedbl{}",
            '−' => out += "$-$",
            '`' => {
                out += if code { "}" } else { "\\texttt{" };
                code = !code;
            }
            'µ' => out += "\\textmu{}",
            'Δ' => out += "$\\Delta$",
            '∞' => out += "$\\infty$",
            '×' => out += "$\\times$",
            c => out.push(c),
        }
    }
    if code { out + "}" } else { out }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Table, latex};
    use crate::units::Measure;

    #[test]
    fn tables_are_written_in_three_formats() {
        let rows = vec![
            vec![Cell::Word("a|b <i>\nc".to_owned()), Cell::Number(-0.005_84, Measure::Seconds)],
            vec![Cell::Word("d_e".to_owned()), Cell::Empty],
        ];
        let columns = ["engine", "ΔPAR-2"].map(str::to_owned).to_vec();
        let table = Table { name: "t".to_owned(), caption: String::new(), columns, rows };
        assert_eq!(table.csv().unwrap(), "engine,ΔPAR-2\n\"a|b <i>\nc\",-0.00584\nd_e,\n");
        let markdown = "| engine | ΔPAR-2 |\n| --- | --: |\n| a\\|b &lt;i> c | −5.84 ms |\n| d_e |  |\n";
        assert_eq!(table.markdown(), markdown);
        let body = "a\\textbar{}b \\textless{}i\\textgreater{}\nc & $-$5.84 ms \\\\\nd\\_e &  \\\\\n";
        assert!(table.latex().contains(body), "{}", table.latex());
    }

    #[test]
    fn no_first_cell_is_taken_for_an_argument_in_latex() {
        let rows =
            ["[1ex]", "*", " [a", "a[1]"].map(|word| vec![Cell::Word(word.to_owned()), Cell::Empty]).to_vec();
        let columns = ["[n]", "[m]"].map(str::to_owned).to_vec();
        let table = Table { name: "t".to_owned(), caption: String::new(), columns, rows };
        let expected = "\\toprule\n{}[n] & [m] \\\\\n\\midrule\n{}[1ex] &  \\\\\n{}* &  \\\\\n{} [a &  \\\\\na[1] &  \\\\\n\
                        \\bottomrule";
        assert!(table.latex().contains(expected), "{}", table.latex());
    }

    #[test]
    fn code_and_special_characters_are_escaped_for_latex() {
        assert_eq!(latex("`a_b` is 5 %"), "\\texttt{a\\_b} is 5 \\%");
    }
}
