//! Requests of a playground and their answers, byte by byte.

use crate::playground::{MAX_REQUEST, Playground};
use counterpoint_core::registry::Registry;

/// A request, byte by byte, and the answer to the last one.
pub struct Exchange {
    playground: Playground,
    request: Vec<u8>,
    answer: Vec<u8>,
}

impl Exchange {
    /// A playground for the problems of a registry.
    pub fn new(registry: Registry) -> Exchange {
        Exchange { playground: Playground::new(registry), request: Vec::new(), answer: Vec::new() }
    }

    /// Adds a byte to the request. Bytes beyond the longest request are dropped, so that such a request is refused.
    pub fn feed(&mut self, byte: u32) {
        if self.request.len() <= MAX_REQUEST {
            self.request.push(byte as u8);
        }
    }

    /// Answers the request, and begins a new one. Returns the number of bytes of the answer.
    pub fn answer(&mut self) -> u32 {
        let request = std::mem::take(&mut self.request);
        self.answer = self.playground.answer(&String::from_utf8_lossy(&request)).into_bytes();
        self.answer.len() as u32
    }

    /// A byte of the last answer, counted from 0; 0 beyond its end.
    pub fn byte(&self, at: u32) -> u32 {
        self.answer.get(at as usize).copied().unwrap_or(0).into()
    }
}
