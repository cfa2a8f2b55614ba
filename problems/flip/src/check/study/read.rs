//! Reads the members of a certificate; error messages name the member.

use crate::Stencil;
use counterpoint_core::board::Size;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Checks the version, then reads the stencil and the number of colours.
pub(super) fn rules(map: &Map<String, Value>) -> Result<(Stencil, u32), FormatError> {
    whole(map, "version", 1..=1)?;
    let stencil = match map.get("stencil").and_then(Value::as_str) {
        Some("plus") => Stencil::Plus,
        Some("king") => Stencil::King,
        Some("cross") => Stencil::Cross,
        Some("torus") => Stencil::Torus,
        _ => return Err("\"stencil\" is not one of plus, king, cross, torus".into()),
    };
    let colours = whole(map, "colours", 2..=7)?;
    match colours {
        2 | 3 | 5 | 7 => Ok((stencil, colours)),
        _ => Err(format!("\"colours\" is {colours}, which is not prime").into()),
    }
}

/// The stencil and the number of colours in words, for the text of claims.
pub(super) fn describe(stencil: Stencil, colours: u32) -> String {
    let stencil = match stencil {
        Stencil::Plus => "plus",
        Stencil::King => "king",
        Stencil::Cross => "cross",
        Stencil::Torus => "torus",
    };
    format!("{stencil}, {colours} colours")
}

/// Reads a whole number within a range.
pub(super) fn whole(
    map: &Map<String, Value>,
    key: &str,
    range: RangeInclusive<u32>,
) -> Result<u32, FormatError> {
    let found = map.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    let (min, max) = (*range.start(), *range.end());
    let found = found.filter(|n| range.contains(n)).ok_or_else(|| {
        if min == max {
            format!("\"{key}\" is not {min}")
        } else {
            format!("\"{key}\" is not a whole number from {min} to {max}")
        }
    });
    Ok(found?)
}

/// Reads a Boolean.
pub(super) fn flag(map: &Map<String, Value>, key: &str) -> Result<bool, FormatError> {
    let found = map.get(key).and_then(Value::as_bool);
    Ok(found.ok_or_else(|| format!("\"{key}\" is neither true nor false"))?)
}

/// Reads a list of objects that is not empty.
pub(super) fn objects<'a>(
    map: &'a Map<String, Value>,
    key: &str,
) -> Result<Vec<&'a Map<String, Value>>, FormatError> {
    let list = map.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| format!("\"{key}\" is not a nonempty list"))?;
    let object = |(i, entry): (usize, &'a Value)| {
        entry.as_object().ok_or_else(|| format!("entry {} of \"{key}\" is not an object", i + 1).into())
    };
    list.iter().enumerate().map(object).collect()
}

/// Reads `count` rows of the board: numbers below p, each row a string of digits.
pub(super) fn rows(
    map: &Map<String, Value>,
    key: &str,
    (size, count): (Size, u32),
    p: u32,
) -> Result<Vec<u32>, FormatError> {
    let error = || format!("\"{key}\" is not a list of {count} strings of {} digits below {p}", size.width);
    let list = map.get(key).and_then(Value::as_array).filter(|list| list.len() == count as usize);
    let mut numbers = Vec::new();
    for row in list.ok_or_else(error)? {
        let text = row.as_str().filter(|text| text.len() == size.width as usize).ok_or_else(error)?;
        for digit in text.chars() {
            numbers.push(digit.to_digit(p).ok_or_else(error)?);
        }
    }
    Ok(numbers)
}
