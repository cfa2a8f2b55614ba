//! Lays out tables. In files and pipes, a table is complete. On a terminal, it is fitted to the width.
//!
//! If a terminal is too narrow for a table, these steps follow each other until the table fits: cells are wrapped at
//! blanks; empty columns are hidden; long words are shortened with `…`; further columns are hidden, from the right. A
//! line below the table names the hidden columns. Numbers are never broken or shortened, and words are never broken.
//! Different words of a column stay different when they are shortened, unless the columns that must be shown are still
//! too wide.

mod fit;
mod hanging;

pub(super) use hanging::{Hanging, hung, hung_on_stderr};

use super::texts::visible;
use fit::{Bounds, Column};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal};
use unicode_width::UnicodeWidthStr;

/// Replaces the end of a shortened word.
const ELLIPSIS: char = '…';
/// The number of blanks around a cell, one on each side.
const CELL: usize = 2;
/// The number of further blanks between two cells.
const BETWEEN: usize = 1;

/// The longest line of running text, in columns.
const MAX_TEXT_WIDTH: usize = 110;

/// The alignment of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    /// The alignment of words.
    Left,
    /// The alignment of numbers.
    Right,
}

/// A table. It has a head unless all its columns have empty names.
pub(super) struct Table {
    /// The name and the alignment of each column.
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

/// Creates a table with these column names. A name that begins with `>` marks a column of numbers, which is aligned to
/// the right.
pub(super) fn table(head: &[&str], rows: Vec<Vec<String>>) -> Table {
    let column = |name: &&str| match name.strip_prefix('>') {
        Some(name) => (name.to_owned(), Align::Right),
        None => ((*name).to_owned(), Align::Left),
    };
    Table { columns: head.iter().map(column).collect(), rows: visible_cells(rows) }
}

/// Creates a table of words without a head.
pub(super) fn list_of(rows: Vec<Vec<String>>) -> Table {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    Table { columns: vec![(String::new(), Align::Left); count], rows: visible_cells(rows) }
}

/// The rows with cells that do not control the terminal, even if their texts come from files of others.
fn visible_cells(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    for cell in rows.iter_mut().flatten() {
        if let Cow::Owned(shown) = visible(cell) {
            *cell = shown;
        }
    }
    rows
}

/// Wraps the lines of a text at blanks, at the width of the terminal or [`MAX_TEXT_WIDTH`], whichever is less.
pub(super) fn wrapped(text: &str) -> String {
    let width = terminal_width().map_or(MAX_TEXT_WIDTH, |columns| columns.min(MAX_TEXT_WIDTH));
    text.lines().flat_map(|line| wrap(line, width, Align::Left)).map(|line| line + "\n").collect()
}

/// The width of the terminal in columns; `None` if standard output is not a terminal or the width is unknown.
pub(super) fn terminal_width() -> Option<usize> {
    let size = io::stdout().is_terminal().then(|| rustix::termios::tcgetwinsize(io::stdout()).ok()).flatten();
    size.map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(terminal_width()))
    }
}

impl Table {
    /// The table, fitted to a terminal of `width` columns, or complete if `width` is `None`. The last line has no
    /// line end.
    fn text(&self, width: Option<usize>) -> String {
        let bounds: Vec<Column> = (0..self.columns.len()).map(|i| self.bounds(i)).collect();
        let (shown, widths) = fit::widths(&bounds, width.unwrap_or(usize::MAX));
        let mut lines = Vec::new();
        if self.is_named() {
            let names: Vec<&str> = shown.iter().map(|&i| self.columns[i].0.as_str()).collect();
            self.lay(&names, (&shown, &widths), |_| Align::Left, &mut lines);
            lines.push("─".repeat(widths.iter().map(|width| width + CELL).sum::<usize>() + widths.len() - 1));
        }
        for row in &self.rows {
            let cells: Vec<&str> = shown.iter().map(|&i| row.get(i).map_or("", String::as_str)).collect();
            self.lay(&cells, (&shown, &widths), |i| self.columns[i].1, &mut lines);
        }
        let is_shortened = shown.iter().zip(&widths).any(|(&i, &width)| width < bounds[i].bounds.words);
        let remarks = self.hidden(&shown).into_iter().chain(is_shortened.then(|| {
            format!(
                "Words that end with {ELLIPSIS} are shortened (a wider terminal or a pipe shows them whole)"
            )
        }));
        let width = width.unwrap_or(usize::MAX);
        lines.extend(remarks.flat_map(|remark| wrap(&remark, width, Align::Left)));
        lines.join("\n")
    }

    /// Whether the table has a head.
    fn is_named(&self) -> bool {
        self.columns.iter().any(|(name, _)| !name.is_empty())
    }

    /// The line that names hidden columns, if there are any.
    fn hidden(&self, shown: &[usize]) -> Option<String> {
        let hidden = self.columns.iter().enumerate().filter(|(i, _)| !shown.contains(i));
        let names: Vec<&str> = hidden.map(|(_, (name, _))| name.as_str()).collect();
        let between = if names.iter().any(|name| name.contains(',')) { "; " } else { ", " };
        let (columns, them) = if names.len() == 1 { ("column", "it") } else { ("columns", "them") };
        (!names.is_empty()).then(|| {
            let (count, names) = (names.len(), names.join(between));
            format!("{count} {columns} hidden: {names} (a wider terminal or a pipe shows {them})")
        })
    }

    fn bounds(&self, i: usize) -> Column {
        let (name, align) = &self.columns[i];
        let cells: Vec<&str> = self.rows.iter().filter_map(|row| row.get(i)).map(String::as_str).collect();
        Column {
            bounds: Bounds::of(name, &cells, *align),
            is_empty: cells.iter().all(|cell| cell.is_empty()),
            may_hide: i > 0 && !name.is_empty(),
        }
    }

    /// Adds the lines of a row to `lines`. `shown` has the indices of the columns to which `cells` and `widths` belong.
    /// `breaks` maps such an index to the alignment that decides where a cell may be wrapped (see [`pieces`]).
    fn lay(
        &self,
        cells: &[&str],
        (shown, widths): (&[usize], &[usize]),
        breaks: impl Fn(usize) -> Align,
        lines: &mut Vec<String>,
    ) {
        let parts: Vec<Vec<String>> = (cells.iter().zip(shown).zip(widths))
            .map(|((cell, &i), &width)| cell.lines().flat_map(|line| wrap(line, width, breaks(i))).collect())
            .collect();
        for k in 0..parts.iter().map(Vec::len).max().unwrap_or(0).max(1) {
            let mut line = String::new();
            for ((part, &i), width) in parts.iter().zip(shown).zip(widths) {
                let text = part.get(k).map_or("", String::as_str);
                let blank = " ".repeat(width.saturating_sub(text.width()));
                line += &match self.columns[i].1 {
                    Align::Left => format!(" {text}{blank}  "),
                    Align::Right => format!(" {blank}{text}  "),
                };
            }
            lines.push(line.trim_end().to_owned());
        }
    }
}

/// The unbreakable pieces of a line. In a column of words, these are the words. In a column of numbers, a line is
/// broken only at a blank after a comma, so each number stays with its unit.
fn pieces(line: &str, align: Align) -> impl Iterator<Item = &str> {
    let after = move |text: &str, c: char| match align {
        Align::Left => c == ' ',
        Align::Right => c == ' ' && text.ends_with(','),
    };
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.char_indices().find(|&(at, c)| after(&text[..at], c));
        rest = end.map(|(at, _)| &text[at + 1..]);
        Some(end.map_or(text, |(at, _)| &text[..at]))
    })
}

/// Whether a word counts as a number: it has a digit, but no letter. Numbers are never shortened.
fn is_number(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit()) && !word.contains(char::is_alphabetic)
}

/// Wraps a line at a width. If a single word is wider than that, it is shortened unless it is a number.
fn wrap(line: &str, width: usize, align: Align) -> Vec<String> {
    if line.width() <= width {
        return vec![line.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces(line, align).filter(|piece| !piece.is_empty()) {
        let piece = if align == Align::Left { shortened(piece, width) } else { piece.to_owned() };
        match lines.last_mut() {
            Some(last) if last.width() + 1 + piece.width() <= width => *last += &format!(" {piece}"),
            _ => lines.push(piece),
        }
    }
    lines
}

/// A word, shortened to a width unless it is a number.
fn shortened(word: &str, width: usize) -> String {
    if word.width() <= width || is_number(word) {
        return word.to_owned();
    }
    let mut text = word.to_owned();
    while text.width() + 1 > width && text.pop().is_some() {}
    text.push(ELLIPSIS);
    text
}

#[cfg(test)]
mod tests {
    use super::super::{encodings, list};
    use super::*;
    use crate::double::Parity;
    use crate::registry::Registry;

    fn made(head: &str, rows: &[&str]) -> Table {
        let cells = |row: &&str| row.split('|').map(|cell| cell.trim().to_owned()).collect();
        table(&head.split('|').collect::<Vec<_>>(), rows.iter().map(cells).collect())
    }

    /// Tables of the commands, and some that are hard to fit.
    fn tables() -> Vec<Table> {
        let registry = Registry::empty().with::<Parity>();
        let problems: Vec<_> = registry.iter().collect();
        let mut tables = list::engines(&problems, &|problem| problem.engines().to_vec());
        tables.extend([list::families(&problems), list::questions(&problems), list::rules(&problems)]);
        tables.extend([encodings::sizes(), encodings::formulas()]);
        tables.push(made(
            "problem|instances|>games|answers|>search|>sat|>agree|>checked",
            &[
                "ships|random w=12 h=6 reveal=0.75|4|4 × yes|848 µs|4.3 ms|4/4|8/8",
                "flip|solvable w=6 h=5|5|3 × 12 presses, 1 × 21 presses, …|44 µs|12.3 ms|5/5|10/10",
            ],
        ));
        tables.push(made(
            ">game|engine|answer|claims|>CPU|>nodes|>conflicts|>variables|>clauses",
            &[
                "1|search:algebra|12 presses|checked|44 µs|1048576|||",
                "1|sat:presses,cardinality=sequential,solver=cadical|12 presses|checked|12.3 ms||48211|1297|10551",
                "2|sat:presses,cardinality=sequential,solver=varisat|–||||||",
            ],
        ));
        tables.push(made(
            ">n|>reveal|engine|>runs|>solved|>limit reached|>unsupported|>CPU, median|>worst|>work, median|>worst|>clauses",
            &[
                "10|0.75|search:cover|100|99|1||1.53 s|598.31 s|18446744073709551615|18446744073709551615|",
                "10|0.75|sat:placements,at-most-one=bimander|100|97|2 cpu, 1 memory|4|1.53 s|598.31 s|7|8|123456",
            ],
        ));
        tables.push(made(
            "problem|question|what it asks",
            &[
                "flip|least|the fewest presses for each board, by coset leaders; sizes up to 20x20 (OEIS A159257)",
                "ships|worst|the board on which an adversary that never contradicts itself forces the most shots",
            ],
        ));
        tables.push(made(
            "problem|rule|values|default|meaning",
            &[
                "spot|symmetry|c4, d4, none|c4|which movements of the board leave a pattern equal to itself",
                "ships|misses|a whole number|3|the shots that may miss",
            ],
        ));
        tables.push(made("presses|>boards", &["0|1", "impossible|340282366920938463463374607431768211455"]));
        tables.push(made("presses|boards", &["0|1", "impossible|340282366920938463463374607431768211455"]));
        tables
            .push(made("|>recorded|>now", &["ended|12 presses, checked|12 presses, checked", "CPU|1 s|2 s"]));
        tables.push(list_of(vec![vec![
            "a-long-name-of-a-family".to_owned(),
            "what it has, in words".to_owned(),
        ]]));
        tables.push(made("property|value|remark", &[]));
        tables
    }

    fn words(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn no_word_and_no_number_is_broken_at_any_width() {
        for table in tables() {
            let whole = table.text(None);
            let known = words(&whole);
            for width in 20..=200 {
                let text = table.text(Some(width));
                // Remarks are below the rows.
                let (cells, remarks) = text.split_at(remarks_at(&text));
                let is_known = |word: &&&str| match word.strip_suffix(ELLIPSIS) {
                    _ if word.starts_with('─') => true,
                    Some(start) => known.iter().any(|word| word.starts_with(start) && !is_number(start)),
                    None => known.contains(word),
                };
                let cells = words(cells);
                let broken: Vec<_> = cells.iter().filter(|word| !is_known(word)).collect();
                assert!(broken.is_empty(), "{broken:?} at {width}:\n{text}\n{whole}");
                assert_eq!(text.lines().find(|line| line.ends_with(' ')), None, "{text}");
                hidden_columns_are_named(&table, &cells, remarks);
                let long = text.lines().find(|line| line.width() > width);
                assert_eq!(long, None, "at {width}:\n{text}");
            }
        }
    }

    fn remarks_at(text: &str) -> usize {
        let found = [" hidden:", "Words that end with"].iter().filter_map(|remark| text.find(remark)).min();
        found.map_or(text.len(), |at| text[..at].rfind('\n').map_or(0, |at| at + 1))
    }

    fn hidden_columns_are_named(table: &Table, cells: &[&str], remarks: &str) {
        let remarks = remarks.replace('\n', " ");
        for (name, _) in &table.columns {
            let is_shown = pieces(name, Align::Left).all(|word| {
                cells.iter().any(|cell| {
                    *cell == word || cell.strip_suffix(ELLIPSIS).is_some_and(|cell| word.starts_with(cell))
                })
            });
            assert!(
                is_shown || remarks.contains(name.as_str()),
                "{name} is neither shown nor named: {cells:?} {remarks}"
            );
        }
    }

    #[test]
    fn a_terminal_wraps_then_shortens_then_hides() {
        let table = made(
            "engine|answer|>CPU|>clauses|remark",
            &["search|12 presses|44 µs||", "sat:presses,cardinality=sequential|12 presses|1.2 ms|10551|"],
        );
        let at = |width| table.text(Some(width));
        assert_eq!(at(200), table.text(None));
        assert_eq!(
            at(70),
            "\x20\
engine                               answer          CPU   clauses
────────────────────────────────────────────────────────────────────
 search                               12 presses    44 µs
 sat:presses,cardinality=sequential   12 presses   1.2 ms     10551
1 column hidden: remark (a wider terminal or a pipe shows it)"
        );
        assert_eq!(
            at(50),
            "\x20\
engine                answer       CPU   clauses
──────────────────────────────────────────────────
 search                12         44 µs
                       presses
 sat:presses,cardin…   12        1.2 ms     10551
                       presses
1 column hidden: remark (a wider terminal or a
pipe shows it)
Words that end with … are shortened (a wider
terminal or a pipe shows them whole)"
        );
        assert_eq!(
            at(40).lines().take(8).collect::<Vec<_>>().join("\n"),
            "\x20\
engine                answer       CPU
────────────────────────────────────────
 search                12         44 µs
                       presses
 sat:presses,cardin…   12        1.2 ms
                       presses
2 columns hidden: clauses, remark (a
wider terminal or a pipe shows them)"
        );
    }

    #[test]
    fn shortened_words_differ_and_numbers_are_whole() {
        let table = made(
            "engine|>work",
            &["sat:presses,amo=pairwise|18446744073709551615", "sat:presses,amo=product|1"],
        );
        let text = table.text(Some(44));
        assert!(
            text.contains("amo=pa…") && text.contains("amo=pr…") && text.contains("18446744073709551615"),
            "{text}"
        );
    }
}
