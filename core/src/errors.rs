//! Errors of the public interface whose causes callers need not tell apart. Other errors are enums beside the functions
//! that return them.
//!
//! Each of these types wraps one message for people. A problem may make one from a plain message, because all of them
//! implement `From<String>` and `From<&str>`: `Err("the board is not square".into())`. The `?` operator converts some
//! of them into others.

use counterpoint_base::message_errors;

/// Declares which errors `?` converts into which.
macro_rules! conversions {
    ($($from:ident => $($into:ident),+;)*) => {$($(
        impl From<$from> for $into {
            fn from(error: $from) -> Self {
                String::from(error).into()
            }
        }
    )+)*};
}

message_errors! {
    /// An engine, an encoding or a game against an engine does not support these rules or this instance.
    pub struct Unsupported;
    /// A rule or a value is unknown, or the rules contradict each other.
    pub struct RulesError;
    /// A parameter is unknown, given twice or out of range.
    pub struct ParamsError;
    /// No instance of this family can be generated with these parameters and rules.
    pub struct GenerateError;
    /// The JSON of an answer or a certificate lacks something, or has the wrong shape.
    pub struct FormatError;
    /// Nothing has this name, or nothing matches this pattern. The message suggests the nearest name.
    pub struct UnknownName;
    /// A file that an instance refers to cannot be opened. The message names the file.
    pub struct OpenError;
    /// A move in a game is not legal, or cannot be read.
    pub struct IllegalMove;
}

conversions! {
    RulesError => Unsupported, GenerateError, FormatError;
    ParamsError => Unsupported, GenerateError;
    UnknownName => Unsupported, GenerateError;
    OpenError => FormatError;
}
