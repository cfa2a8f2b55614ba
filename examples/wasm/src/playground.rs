//! Requests of a playground.

use counterpoint_pages::playground::{MAX_REQUEST, Playground};
use std::cell::RefCell;

/// A request, byte by byte, and the answer to the last one.
struct Exchange {
    playground: Playground,
    request: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::new(Exchange {
        playground: Playground::new(counterpoint::standard()),
        request: Vec::new(),
        answer: Vec::new(),
    });
}

/// Adds a byte to the request. Bytes beyond the longest request are dropped, so that such a request is refused.
#[unsafe(no_mangle)]
pub extern "C" fn feed(byte: u32) {
    EXCHANGE.with_borrow_mut(|exchange| {
        if exchange.request.len() <= MAX_REQUEST {
            exchange.request.push(byte as u8);
        }
    });
}

/// Answers the request, and begins a new one. Returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> u32 {
    EXCHANGE.with_borrow_mut(|exchange| {
        let request = std::mem::take(&mut exchange.request);
        exchange.answer = exchange.playground.answer(&String::from_utf8_lossy(&request)).into_bytes();
        exchange.answer.len() as u32
    })
}

/// A byte of the last answer, counted from 0; 0 beyond its end.
#[unsafe(no_mangle)]
pub extern "C" fn byte(at: u32) -> u32 {
    EXCHANGE.with_borrow(|exchange| exchange.answer.get(at as usize).copied().unwrap_or(0).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(request: &str) -> String {
        request.bytes().for_each(|byte| feed(byte.into()));
        let bytes = (0..answer()).map(|at| byte(at) as u8).collect();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn requests_are_answered_one_after_the_other() {
        assert!(ask("{\"ask\": \"problems\"}").contains("\"flip\""));
        assert!(ask("nonsense").starts_with("{\"error\":"));
        assert!(ask("").starts_with("{\"error\":"));
        assert_eq!(byte(u32::MAX), 0);
    }
}
