//! Members of a certificate, and errors that name them.

use crate::board::Size;
use crate::problems::flip::Stencil;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// The stencil and the colours, after the version.
pub(super) fn rules(map: &Map<String, Value>) -> Result<(Stencil, u32), String> {
    whole(map, "version", 1..=1)?;
    let stencil = match map.get("stencil").and_then(Value::as_str) {
        Some("plus") => Stencil::Plus,
        Some("king") => Stencil::King,
        Some("cross") => Stencil::Cross,
        Some("torus") => Stencil::Torus,
        _ => return Err("\"stencil\" is none of plus, king, cross and torus".to_owned()),
    };
    let colours = whole(map, "colours", 2..=7)?;
    match colours {
        2 | 3 | 5 | 7 => Ok((stencil, colours)),
        _ => Err(format!("\"colours\" is {colours}, which is no prime")),
    }
}

/// The stencil and the colours in words: what a claim is about besides the size of its board.
pub(super) fn kind(stencil: Stencil, colours: u32) -> String {
    let stencil = match stencil {
        Stencil::Plus => "plus",
        Stencil::King => "king",
        Stencil::Cross => "cross",
        Stencil::Torus => "torus",
    };
    format!("{stencil}, {colours} colours")
}

/// A whole number.
pub(super) fn whole(map: &Map<String, Value>, key: &str, range: RangeInclusive<u32>) -> Result<u32, String> {
    let found = map.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    let (least, most) = (*range.start(), *range.end());
    found.filter(|n| range.contains(n)).ok_or_else(|| {
        if least == most {
            format!("\"{key}\" is not {least}")
        } else {
            format!("\"{key}\" is no whole number from {least} to {most}")
        }
    })
}

/// Yes or no.
pub(super) fn truth(map: &Map<String, Value>, key: &str) -> Result<bool, String> {
    map.get(key).and_then(Value::as_bool).ok_or_else(|| format!("\"{key}\" is neither true nor false"))
}

/// The objects of a list that is not empty.
pub(super) fn objects<'a>(
    map: &'a Map<String, Value>,
    key: &str,
) -> Result<Vec<&'a Map<String, Value>>, String> {
    let list = map.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| format!("\"{key}\" is no list with entries"))?;
    let object = |(i, entry): (usize, &'a Value)| {
        entry.as_object().ok_or(format!("entry {} of \"{key}\" is no object", i + 1))
    };
    list.iter().enumerate().map(object).collect()
}

/// Numbers below p, a text of digits a row, so many rows of the board.
pub(super) fn rows(
    map: &Map<String, Value>,
    key: &str,
    (size, count): (Size, u32),
    p: u32,
) -> Result<Vec<u32>, String> {
    let wrong = || format!("\"{key}\" is no list of {count} texts of {} digits below {p}", size.width);
    let list = map.get(key).and_then(Value::as_array).filter(|list| list.len() == count as usize);
    let mut numbers = Vec::new();
    for row in list.ok_or_else(wrong)? {
        let text = row.as_str().filter(|text| text.len() == size.width as usize).ok_or_else(wrong)?;
        for digit in text.chars() {
            numbers.push(digit.to_digit(p).ok_or_else(wrong)?);
        }
    }
    Ok(numbers)
}
