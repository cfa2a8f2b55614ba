//! What the pages ask: requests as JSON, and addresses.

use crate::input::Input;
use counterpoint::pages::playground::Playground;
use counterpoint::pages::playground::address::{self, AddressError, State};
use counterpoint_base::sha256;
use serde_json::Value;
use std::sync::LazyLock;

static PLAYGROUND: LazyLock<Playground> = LazyLock::new(|| Playground::new(counterpoint::standard()));

/// The limit on nodes plus conflicts of a request.
const MAX_WORK: u64 = 2_000;

/// Requests: every answer is an object, and the same request has the same answer.
pub(crate) fn requests(data: &[u8]) {
    let request = String::from_utf8_lossy(data).into_owned();
    let request = match serde_json::from_str::<Value>(&request) {
        Ok(mut value) => {
            // The page ends long computations; here, a limit does.
            if value["ask"] == "solve" {
                let work = value["work"].as_u64().unwrap_or(MAX_WORK).min(MAX_WORK);
                value["work"] = work.into();
            }
            value.to_string()
        }
        Err(_) => request,
    };
    let answer = PLAYGROUND.answer(&request);
    let value: Value = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
    assert!(value.is_object(), "{answer}");
    if value.get("error").is_none() && request.len() < 300 {
        assert_eq!(PLAYGROUND.answer(&request), answer, "{request}");
    }
    if let Some(address) = value.get("address").and_then(Value::as_str) {
        assert!(address::read(address).is_ok(), "{address}");
    }
}

/// Addresses: what was written is read back, and an address with a right check but any text is refused or read.
pub(crate) fn addresses(data: &[u8]) {
    let mut input = Input::new(data);
    if input.flag() {
        let mut words = |max: usize| {
            let len = input.number(0..=max);
            String::from_utf8_lossy(input.bytes(len)).into_owned()
        };
        let problem = words(8);
        let rules = vec![(words(6).replace('=', ""), words(9)), (words(3).replace('=', ""), words(30))];
        let state =
            State { problem, rules, engines: vec![words(9)], game: 1 + words(8).len(), text: words(99) };
        let text = address::write(&state);
        assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{text}");
        assert_eq!(address::read(&text), Ok(state), "{text}");
        return;
    }
    let text = input.text();
    let is_altered = matches!(address::read(&text), Err(AddressError::Altered));
    assert!(is_altered || text.contains("&check="), "{text:?}");
    let checked = format!("{text}&check={}", &sha256::of(&text)[..12]);
    if let Ok(state) = address::read(&checked) {
        let again = address::write(&state);
        assert_eq!(address::read(&again), Ok(state), "{checked:?}");
    }
}
