//! Errors of the public interface.
//!
//! Each of these types wraps one message for people. A problem may make one from a plain message, because all of them
//! implement `From<String>` and `From<&str>`: `Err("the board is not square".into())`. The `?` operator converts some
//! of them into others.

/// Declares error types that wrap a message.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("{0}")]
        pub struct $name(String);

        impl $name {
            /// The message.
            pub fn message(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(message: String) -> Self {
                $name(message)
            }
        }

        impl From<&str> for $name {
            fn from(message: &str) -> Self {
                $name(message.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(error: $name) -> String {
                error.0
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, message: &&str) -> bool {
                self.0 == *message
            }
        }
    )*};
}

/// Declares which errors `?` converts into which.
macro_rules! conversions {
    ($($from:ident => $($into:ident),+;)*) => {$($(
        impl From<$from> for $into {
            fn from(error: $from) -> Self {
                $into(error.0)
            }
        }
    )+)*};
}

messages! {
    /// An engine, an encoding or a game against an engine does not support these rules or this instance.
    Unsupported
    /// A rule or a value is unknown, or the rules contradict each other.
    RulesError
    /// A parameter is unknown, given twice or out of range.
    ParamsError
    /// No instance of this family can be generated with these parameters and rules.
    GenerateError
    /// The JSON of an answer or a certificate lacks something, or has the wrong shape.
    FormatError
    /// Nothing has this name, or nothing matches this pattern. The message suggests the nearest name.
    UnknownName
    /// A move in a game is not legal, or cannot be read.
    IllegalMove
}

conversions! {
    RulesError => Unsupported, GenerateError, FormatError;
    ParamsError => Unsupported, GenerateError;
    UnknownName => Unsupported, GenerateError;
}
