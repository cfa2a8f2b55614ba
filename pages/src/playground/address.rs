//! The state of the page as an address: what follows `#`.
//!
//! An address such as `#flip?rule=size%3D2x2&engine=search&engine=sat&game=1&board=bw%0Aww%0A&check=1f3a…` names a
//! problem, then values by key. `check` is the beginning of the SHA-256 of everything before `&check=`, so that an
//! address that was cut or altered is recognized.

use counterpoint_base::sha256;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use std::num::NonZero;

/// The characters that are replaced by their bytes in hexadecimal: those that end a link in running text, or have a
/// meaning in addresses.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'\'')
    .add(b'(')
    .add(b')')
    .add(b'+')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b']')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The number of hexadecimal digits of the check.
const CHECK: usize = 12;

/// What an address says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The problem's name.
    pub problem: String,
    /// The rules that differ from the judge's.
    pub rules: Vec<(String, String)>,
    /// The ids of the engines.
    pub engines: Vec<String>,
    /// The number of the game in the text, from 1.
    pub game: usize,
    /// The text of the board.
    pub text: String,
}

/// Why an address cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The check is missing or wrong.
    #[error("this address was cut or altered; ask for it again, or paste the board itself")]
    Altered,
    /// The address was not written by this module, or by a later version of it.
    #[error("this address cannot be read: {0}")]
    Unknown(String),
}

/// The address of a state, without `#`.
pub fn write(state: &State) -> String {
    let mut text = escape(&state.problem);
    let mut separator = '?';
    let mut add = |key: &str, value: &str| {
        text.push(separator);
        text.push_str(key);
        text.push('=');
        text.push_str(&escape(value));
        separator = '&';
    };
    for (key, value) in &state.rules {
        add("rule", &format!("{key}={value}"));
    }
    state.engines.iter().for_each(|engine| add("engine", engine));
    add("game", &state.game.to_string());
    add("board", &state.text);
    let check = check(&text);
    text + "&check=" + &check
}

/// The state of an address, with or without `#`.
///
/// # Errors
/// Returns an error if the address was cut or altered, or if it has parts that this version does not know.
pub fn read(address: &str) -> Result<State, AddressError> {
    let address = address.trim().trim_start_matches('#');
    let (text, found) = address.rsplit_once("&check=").ok_or(AddressError::Altered)?;
    if found != check(text) {
        return Err(AddressError::Altered);
    }
    let (problem, parts) = text.split_once('?').ok_or(AddressError::Altered)?;
    let (mut rules, mut engines, mut game, mut board) = (Vec::new(), Vec::new(), 1, String::new());
    for part in parts.split('&') {
        let unknown = || AddressError::Unknown(format!("it has the part '{part}'"));
        let (key, value) = part.split_once('=').ok_or_else(unknown)?;
        let value = unescape(value)?;
        match key {
            "rule" => {
                let (rule, value) = value.split_once('=').ok_or_else(unknown)?;
                rules.push((rule.to_owned(), value.to_owned()));
            }
            "engine" => engines.push(value),
            "game" => game = value.parse::<NonZero<usize>>().map_err(|_| unknown())?.get(),
            "board" => board = value,
            _ => return Err(unknown()),
        }
    }
    Ok(State { problem: unescape(problem)?, rules, engines, game, text: board })
}

fn escape(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

fn unescape(text: &str) -> Result<String, AddressError> {
    let text = percent_decode_str(text).decode_utf8();
    text.map(Into::into).map_err(|_| AddressError::Unknown("it is not UTF-8".to_owned()))
}

fn check(text: &str) -> String {
    sha256::of(text)[..CHECK].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State {
            problem: "flip".to_owned(),
            rules: vec![
                ("size".to_owned(), "2x2".to_owned()),
                ("target".to_owned(), "ww\nbä=&?#".to_owned()),
            ],
            engines: vec!["search:algebra".to_owned(), "sat:presses/xor=cut3@batsat".to_owned()],
            game: 2,
            text: "bw\nww\n100% +&check=\n".to_owned(),
        }
    }

    #[test]
    fn an_address_restores_its_state() {
        let address = write(&state());
        assert!(address.bytes().all(|byte| byte.is_ascii_graphic()), "{address}");
        assert_eq!(read(&address), Ok(state()));
        assert_eq!(read(&format!("#{address}\n")), Ok(state()));
        let empty = State {
            problem: "spot".to_owned(),
            rules: vec![],
            engines: vec![],
            game: 1,
            text: String::new(),
        };
        assert_eq!(read(&write(&empty)), Ok(empty));
    }

    #[test]
    fn a_cut_or_altered_address_is_recognized() {
        let address = write(&state());
        for end in 0..address.len() {
            assert_eq!(read(&address[..end]), Err(AddressError::Altered));
        }
        for at in 0..address.len() {
            let mut altered = address.clone().into_bytes();
            altered[at] = if altered[at] == b'z' { b'y' } else { b'z' };
            assert_eq!(read(str::from_utf8(&altered).unwrap()), Err(AddressError::Altered));
        }
    }

    #[test]
    fn unknown_parts_are_named() {
        for part in ["colour=3", "game=0"] {
            let text = format!("flip?{part}");
            let address = format!("{text}&check={}", check(&text));
            assert_eq!(read(&address), Err(AddressError::Unknown(format!("it has the part '{part}'"))));
        }
    }
}
