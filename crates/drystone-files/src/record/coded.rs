//! Errors about files that have a code of their own.

use std::fmt;
use std::io;

/// An error with a code for `drystone explain`.
#[derive(Debug)]
pub struct Coded {
    code: &'static str,
    message: String,
}

impl fmt::Display for Coded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Coded {}

/// An error about a file or folder, with its code.
pub fn coded(kind: io::ErrorKind, code: &'static str, message: String) -> io::Error {
    io::Error::new(kind, Coded { code, message })
}

/// The code of an error about a file or folder, if it has one of its own.
pub fn code_of(error: &io::Error) -> Option<&'static str> {
    Some(error.get_ref()?.downcast_ref::<Coded>()?.code)
}

/// The error with a text before its message; it keeps its kind and its code.
pub fn prefixed(text: &str, error: io::Error) -> io::Error {
    let message = format!("{text}: {error}");
    match code_of(&error) {
        Some(code) => coded(error.kind(), code, message),
        None => io::Error::new(error.kind(), message),
    }
}
