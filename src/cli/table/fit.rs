//! How wide the columns of a table are on a terminal, and which of them are shown.

use super::{Align, BETWEEN, CELL, is_number, pieces};
use unicode_width::UnicodeWidthStr;

/// Words are shortened to no less than this as long as there are columns to hide.
const SHORTEST: usize = 16;

/// How wide a column may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Nothing is wrapped.
    whole: usize,
    /// Nothing is shortened.
    pub(super) words: usize,
    /// Different words still look different.
    different: usize,
    /// Numbers are whole.
    numbers: usize,
}

pub(super) struct Column {
    pub(super) bounds: Bounds,
    /// No cell has any text.
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
        let different = SHORTEST.max(different(&long)).max(numbers).max(widest(&heads));
        Bounds { whole: widest(&lines).max(words), words, different: different.min(words), numbers }
    }
}

/// The width at which long words, sorted, still look different: what two of them begin with, one more letter, and
/// the sign for the rest.
fn different(words: &[&str]) -> usize {
    let long: Vec<&str> = words.iter().copied().filter(|word| word.width() > SHORTEST).collect();
    let common = |a: &str, b: &str| {
        let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
        same.map(|(c, _)| c).collect::<String>().width()
    };
    long.windows(2).map(|pair| common(pair[0], pair[1]) + 2).max().unwrap_or(0)
}

/// The columns that are shown and how wide each of them is. Columns without text are hidden before words are
/// shortened, and those before other columns are hidden, from the right.
pub(super) fn widths(columns: &[Column], screen: usize) -> (Vec<usize>, Vec<usize>) {
    let mut shown: Vec<usize> = (0..columns.len()).collect();
    loop {
        let room = screen.saturating_sub((shown.len() * (CELL + BETWEEN)).saturating_sub(BETWEEN));
        let fit = |range: fn(&Bounds) -> (usize, usize)| {
            share(&shown.iter().map(|&i| range(&columns[i].bounds)).collect::<Vec<_>>(), room)
        };
        if let Some(widths) = fit(|b| (b.words, b.whole)) {
            return (shown, widths);
        }
        let last = |is_meant: fn(&Column) -> bool| {
            shown.iter().rposition(|&i| columns[i].may_hide && is_meant(&columns[i]))
        };
        let hide = match (last(|column| column.is_empty), fit(|b| (b.different, b.words))) {
            (Some(empty), _) => empty,
            (None, Some(widths)) => return (shown, widths),
            (None, None) => match last(|_| true) {
                Some(hide) => hide,
                None => {
                    // What has to be shown is shortened to whatever room there is.
                    let least = shown.iter().map(|&i| columns[i].bounds.numbers.max(1)).collect();
                    let widths = fit(|b| (b.numbers.max(1), b.words.max(1))).unwrap_or(least);
                    return (shown, widths);
                }
            },
        };
        shown.remove(hide);
    }
}

/// A width in its range for each column, if there is room; the widest columns are cut down to one width.
fn share(ranges: &[(usize, usize)], room: usize) -> Option<Vec<usize>> {
    let at = |cap: usize| ranges.iter().map(|&(least, most)| cap.clamp(least, most)).collect::<Vec<_>>();
    let widest = ranges.iter().map(|(_, most)| *most).max().unwrap_or(0);
    let fits = |cap: &usize| at(*cap).iter().sum::<usize>() <= room;
    let cap = (0..=widest).rev().find(fits)?;
    let mut widths = at(cap);
    let mut spare = room - widths.iter().sum::<usize>();
    for (width, (_, most)) in widths.iter_mut().zip(ranges) {
        let more = usize::from(spare > 0 && *width == cap && *width < *most);
        *width += more;
        spare -= more;
    }
    Some(widths)
}
