//! The functions of the WebAssembly module that pages contain.
//!
//! All arguments and results are numbers and no memory is shared, so the only unsafe code is the attribute `no_mangle`
//! of each function. These attributes are in the macro [`module`](crate::module), which a crate with problems of its
//! own calls with its registry.
//!
//! A playground calls `feed` for each byte of a request, then `answer`, and reads the bytes of the answer with `byte`.
//! Requests and answers are JSON; see [`playground`](crate::playground).
//!
//! A lesson uses the default SAT solver, for one formula at a time. It first calls `begin`. It then calls `literal` for
//! each number of the clauses in DIMACS (a 0 ends a clause), `assume` for each assumption, and `solve`. It reads a
//! model with `value`.

mod exchange;
mod question;

pub use exchange::Exchange;
pub use question::Question;

/// Defines the functions of a module for pages, with the problems of a registry.
///
/// `examples/wasm/build FILE PACKAGE` builds the module of a package whose library calls this macro:
///
/// ```ignore
/// counterpoint_pages::module!(Registry::empty().with::<Mine>());
/// ```
#[macro_export]
macro_rules! module {
    ($registry:expr) => {
        thread_local! {
            static EXCHANGE: ::std::cell::RefCell<$crate::exports::Exchange> =
                ::std::cell::RefCell::new($crate::exports::Exchange::new($registry));
            static QUESTION: ::std::cell::RefCell<$crate::exports::Question> = ::std::cell::RefCell::default();
        }

        /// Adds a byte to the request of a playground.
        #[unsafe(no_mangle)]
        pub extern "C" fn feed(byte: u32) {
            EXCHANGE.with_borrow_mut(|exchange| exchange.feed(byte));
        }

        /// Answers the request, and begins a new one. Returns the number of bytes of the answer.
        #[unsafe(no_mangle)]
        pub extern "C" fn answer() -> u32 {
            EXCHANGE.with_borrow_mut($crate::exports::Exchange::answer)
        }

        /// A byte of the last answer, counted from 0; 0 beyond its end.
        #[unsafe(no_mangle)]
        pub extern "C" fn byte(at: u32) -> u32 {
            EXCHANGE.with_borrow(|exchange| exchange.byte(at))
        }

        /// Starts a new formula over the variables `1..=n_vars`; `n_vars` is at most 2^20.
        #[unsafe(no_mangle)]
        pub extern "C" fn begin(n_vars: u32) {
            QUESTION.with_borrow_mut(|question| *question = $crate::exports::Question::new(n_vars));
        }

        /// Adds a literal to the current clause: the number of a variable, negative if it is negated. A 0 ends the
        /// clause.
        #[unsafe(no_mangle)]
        pub extern "C" fn literal(number: i32) {
            QUESTION.with_borrow_mut(|question| question.literal(number));
        }

        /// Adds an assumption.
        #[unsafe(no_mangle)]
        pub extern "C" fn assume(number: i32) {
            QUESTION.with_borrow_mut(|question| question.assume(number));
        }

        /// Searches for a model. Returns 1 if the formula is satisfiable, 0 if it is unsatisfiable, 2 if the solver
        /// failed or stopped after a million conflicts, and 3 if the formula is malformed.
        #[unsafe(no_mangle)]
        pub extern "C" fn solve() -> i32 {
            QUESTION.with_borrow_mut($crate::exports::Question::solve)
        }

        /// Whether a literal is true in the last model: 1 if it is, otherwise 0. Without a model, 0.
        #[unsafe(no_mangle)]
        pub extern "C" fn value(number: i32) -> i32 {
            QUESTION.with_borrow(|question| question.value(number))
        }
    };
}
