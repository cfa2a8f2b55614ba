//! Small parts of the table of records: texts that are stored once, and columns that need no memory until a value is
//! present.

use counterpoint_base::keyed::Keys;
use indexmap::IndexSet;

/// Texts by number. Each text is stored once.
#[derive(Clone, Debug, Default)]
pub(super) struct Words(IndexSet<Box<str>, Keys>);

impl Words {
    /// The number of a text.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let known = self.0.get_index_of(text);
        known.unwrap_or_else(|| self.0.insert_full(text.into()).0) as u32
    }

    /// The text with a number.
    pub(super) fn text(&self, number: u32) -> &str {
        self.0.get_index(number as usize).map_or("", |text| text)
    }
}

/// A column of values, of which any can be absent. A column without values takes no memory.
#[derive(Clone, Debug)]
pub(super) struct Column<T> {
    values: Vec<T>,
    absent: T,
    /// The number of rows for which memory is reserved when the first value is set.
    room: usize,
}

impl<T: Copy> Column<T> {
    /// An empty column in which `absent` stands for an absent value.
    pub(super) fn new(absent: T) -> Self {
        Column { values: Vec::new(), absent, room: 0 }
    }

    /// Reserves memory for this many rows, but only when the first value is set.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.room = rows;
    }

    /// Sets the value in a row.
    pub(super) fn set(&mut self, row: usize, value: Option<T>) {
        match value {
            Some(value) => {
                if self.values.len() <= row {
                    self.values.reserve_exact(self.room.saturating_sub(self.values.len()));
                    self.room = 0;
                    self.values.resize(row, self.absent);
                    self.values.push(value);
                } else {
                    self.values[row] = value;
                }
            }
            None if row < self.values.len() => self.values[row] = self.absent,
            None => {}
        }
    }

    /// The value in a row, or the stand-in for an absent one.
    pub(super) fn or_absent(&self, row: usize) -> T {
        self.values.get(row).copied().unwrap_or(self.absent)
    }
}

impl Column<u32> {
    pub(super) fn get(&self, row: usize) -> Option<u32> {
        Some(self.or_absent(row)).filter(|value| *value != self.absent)
    }
}

impl Column<u64> {
    pub(super) fn get(&self, row: usize) -> Option<u64> {
        Some(self.or_absent(row)).filter(|value| *value != self.absent)
    }
}

impl Column<f64> {
    /// `absent` is not a number.
    pub(super) fn get(&self, row: usize) -> Option<f64> {
        Some(self.or_absent(row)).filter(|value| !value.is_nan())
    }
}

/// The bytes of `N` pairs of lowercase hexadecimal digits; `None` if a text is anything else.
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

/// Bytes as lowercase hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// A text that is usually made of hexadecimal digits, such as a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hex<'a> {
    /// The bytes of the digits.
    Bytes(&'a [u8]),
    /// Any other text.
    Text(&'a str),
}

impl std::fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Hex::Bytes(bytes) => f.write_str(&to_hex(bytes)),
            Hex::Text(text) => f.write_str(text),
        }
    }
}

impl Ord for Hex<'_> {
    /// The order of the texts.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (self, other) {
            (Hex::Bytes(one), Hex::Bytes(other)) => one.cmp(other),
            (Hex::Text(one), Hex::Text(other)) => one.cmp(other),
            (one, other) => one.to_string().cmp(&other.to_string()),
        }
    }
}

impl PartialOrd for Hex<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_become_bytes_and_back() {
        assert_eq!(from_hex::<3>("00ff1a"), Some([0, 255, 26]));
        assert_eq!(to_hex(&[0, 255, 26]), "00ff1a");
        for text in ["00ff1", "00FF1a", "00fg1a", "00ff1aa"] {
            assert_eq!(from_hex::<3>(text), None, "{text}");
        }
        assert!(Hex::Bytes(&[0x1a]) < Hex::Text("1b") && Hex::Text("zz") > Hex::Bytes(&[0xff]));
    }

    #[test]
    fn absent_values_take_no_memory() {
        let mut column = Column::new(f64::NAN);
        column.set(0, None);
        assert_eq!((column.values.len(), column.get(0)), (0, None));
        column.set(2, Some(1.5));
        assert_eq!([0, 1, 2, 3].map(|row| column.get(row)), [None, None, Some(1.5), None]);
    }
}
