//! How the instances of a text are read.

use crate::input::{FileReference, InputError, until_error};

/// Puts the next instance into the slot, or `None` after the last one. It may reuse the memory of the instance that the
/// slot held, so a caller that passes the same slot each time saves allocations. It is not called again after an error
/// or `None`.
pub type Reader<'a, I> = Box<dyn FnMut(&mut Option<I>) -> Result<(), InputError> + 'a>;

/// A reader that calls `next` for each instance, so that each instance is allocated anew.
pub fn reader<'a, I>(mut next: impl FnMut() -> Result<Option<I>, InputError> + 'a) -> Reader<'a, I> {
    Box::new(move |slot| {
        *slot = next()?;
        Ok(())
    })
}

/// The instances of a reader, each with its own memory. The iterator ends after an error.
pub fn instances<'a, I: 'a>(mut read: Reader<'a, I>) -> impl Iterator<Item = Result<I, InputError>> + 'a {
    until_error(move || {
        let mut slot = None;
        read(&mut slot)?;
        Ok(slot)
    })
}

/// Instances that are whole files.
#[derive(Debug)]
pub struct FileInstances<I: 'static> {
    /// The file that an instance was read from; `None` if the instance was generated or read from a stream. For an
    /// instance that is a file, [`Problem::write_instance`](super::Problem::write_instance) writes the reference
    /// instead of the instance. The hash must cover the whole file.
    pub reference: fn(&I) -> Option<&FileReference>,
    /// The instance itself as text, for programs that read it.
    pub text: fn(&I) -> String,
}

/// What `judge` prints and returns besides the answer itself.
#[derive(Debug)]
pub struct JudgeStatus<I: 'static, A: 'static> {
    /// What is printed for a game at which a limit was reached.
    pub unknown: &'static str,
    /// All statuses that `of` returns. A program for the judge may end with them.
    pub statuses: &'static [u8],
    /// The exit status after an answer.
    pub of: fn(&A) -> u8,
    /// Why an answer is evidently wrong, if a quick test shows this. Such an answer is not written.
    pub fault: fn(&I, &A) -> Option<String>,
}

/// Which inputs a reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The inputs that the judge may use.
    Judge,
    /// All inputs that some engine supports.
    Open,
}

/// What separates and ends the games of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Separators {
    /// The end mark, which is the end of the text of [`Problem::write_instance`](super::Problem::write_instance); may
    /// be empty.
    pub end: &'static str,
    /// The text between two games.
    pub between: &'static str,
}
