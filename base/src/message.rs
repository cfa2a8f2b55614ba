//! Error types that consist of one message for people. They are for errors whose causes no caller needs to distinguish.

/// Declares error types that consist of a message. These types implement `From<String>` and `From<&str>`, so `?` and
/// `into` convert a plain message to an error.
///
/// ```
/// counterpoint_base::message_errors! {
///     /// A number is out of range.
///     pub struct RangeError;
/// }
///
/// fn check(number: u32) -> Result<(), RangeError> {
///     if number > 9 { Err(format!("{number} is not a digit").into()) } else { Ok(()) }
/// }
///
/// assert_eq!(check(10).unwrap_err().message(), "10 is not a digit");
/// ```
#[macro_export]
macro_rules! message_errors {
    ($($(#[$doc:meta])* $vis:vis struct $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        $vis struct $name(String);

        impl $name {
            /// The message.
            #[allow(dead_code, reason = "not every module reads the messages of its errors")]
            $vis fn message(&self) -> &str {
                &self.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl ::std::error::Error for $name {}

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
