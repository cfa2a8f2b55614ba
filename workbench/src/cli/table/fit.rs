//! Chooses the columns of a table that are shown on a terminal, and their widths.

use super::{Align, BETWEEN, CELL, is_number, pieces};
use unicode_width::UnicodeWidthStr;

/// Words are not shortened below this width as long as there are columns to hide.
const MIN_WORD_WIDTH: usize = 16;

/// Widths of a column, from the widest to the narrowest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// At this width, no cell is wrapped.
    whole: usize,
    /// At this width, no word is shortened.
    pub(super) words: usize,
    /// At this width, different words stay different when they are shortened.
    different: usize,
    /// At this width, all numbers fit.
    numbers: usize,
}

pub(super) struct Column {
    pub(super) bounds: Bounds,
    /// Whether all cells are empty.
    pub(super) is_empty: bool,
    pub(super) may_hide: bool,
}

impl Bounds {
    pub(super) fn of(name: &str, cells: &[&str], align: Align) -> Bounds {
        let widest = |texts: &[&str]| texts.iter().map(|text| text.width()).max().unwrap_or(0);
        let lines: Vec<&str> = cells.iter().flat_map(|cell| cell.lines()).chain([name]).collect();
        let heads: Vec<&str> = pieces(name, Align::Left).collect();
        let mut words: Vec<&str> =
            cells.iter().flat_map(|cell| cell.lines()).flat_map(|line| pieces(line, align)).collect();
        words.sort_unstable();
        words.dedup();
        let (mut numbers, long): (Vec<&str>, Vec<&str>) =
            words.iter().copied().partition(|word| align == Align::Right || is_number(word));
        numbers.retain(|number| !number.is_empty());
        let words = widest(&words).max(widest(&heads));
        let numbers = widest(&numbers);
        let different = MIN_WORD_WIDTH.max(different(&long)).max(numbers).max(widest(&heads));
        Bounds { whole: widest(&lines).max(words), words, different: different.min(words), numbers }
    }
}

/// The least width at which long words stay different when they are shortened: the longest common prefix of two words,
/// one more letter, and the ellipsis. The words are sorted, so only neighbours are compared.
fn different(words: &[&str]) -> usize {
    let long: Vec<&str> = words.iter().copied().filter(|word| word.width() > MIN_WORD_WIDTH).collect();
    let common = |a: &str, b: &str| {
        let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
        same.map(|(c, _)| c).collect::<String>().width()
    };
    long.windows(2).map(|pair| common(pair[0], pair[1]) + 2).max().unwrap_or(0)
}

/// The indices of the columns that are shown, and their widths. Empty columns are hidden first. If that
/// is not enough, words are shortened. If that is not enough either, other columns are hidden, from the right.
pub(super) fn widths(columns: &[Column], terminal_width: usize) -> (Vec<usize>, Vec<usize>) {
    let mut shown: Vec<usize> = (0..columns.len()).collect();
    loop {
        let available =
            terminal_width.saturating_sub((shown.len() * (CELL + BETWEEN)).saturating_sub(BETWEEN));
        let fit = |range: fn(&Bounds) -> (usize, usize)| {
            share(&shown.iter().map(|&i| range(&columns[i].bounds)).collect::<Vec<_>>(), available)
        };
        if let Some(widths) = fit(|b| (b.words, b.whole)) {
            return (shown, widths);
        }
        let last = |matches: fn(&Column) -> bool| {
            shown.iter().rposition(|&i| columns[i].may_hide && matches(&columns[i]))
        };
        let hide = match (last(|column| column.is_empty), fit(|b| (b.different, b.words))) {
            (Some(empty), _) => empty,
            (None, Some(widths)) => return (shown, widths),
            (None, None) => match last(|_| true) {
                Some(hide) => hide,
                None => {
                    // The remaining columns must be shown, so their words are shortened as far as necessary.
                    let minimal = shown.iter().map(|&i| columns[i].bounds.numbers.max(1)).collect();
                    let widths = fit(|b| (b.numbers.max(1), b.words.max(1))).unwrap_or(minimal);
                    return (shown, widths);
                }
            },
        };
        shown.remove(hide);
    }
}

/// For each column, a width in its range (minimum, maximum), so that the sum is at most `available`; `None` if there
/// are no such widths. The widest columns get a common width.
fn share(ranges: &[(usize, usize)], available: usize) -> Option<Vec<usize>> {
    let at = |cap: usize| ranges.iter().map(|&(min, max)| cap.clamp(min, max)).collect::<Vec<_>>();
    let widest = ranges.iter().map(|(_, max)| *max).max().unwrap_or(0);
    let fits = |cap: &usize| at(*cap).iter().sum::<usize>() <= available;
    let cap = (0..=widest).rev().find(fits)?;
    let mut widths = at(cap);
    let mut spare = available - widths.iter().sum::<usize>();
    for (width, (_, max)) in widths.iter_mut().zip(ranges) {
        let more = usize::from(spare > 0 && *width == cap && *width < *max);
        *width += more;
        spare -= more;
    }
    Some(widths)
}
