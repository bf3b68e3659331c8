//! How a command fails, and the exit status that says so.

use std::fmt;
use std::path::Path;

/// A failed command: its message and its exit status.
#[derive(Debug)]
pub struct Failure {
    message: String,
    status: u8,
}

/// What a command returns.
pub type Outcome = Result<(), Failure>;

impl Failure {
    /// Bad input, or something went wrong: exit status 1.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            status: 1,
        }
    }

    /// What is wrong with a file: exit status 1.
    pub fn at(path: &Path, error: impl fmt::Display) -> Self {
        Self::failed(format!("{}: {error}", path.display()))
    }

    /// An option's value that can't be used: exit status 1.
    pub fn option(name: &str, value: impl fmt::Display, expected: &str) -> Self {
        Self::failed(format!("{name} {value}: expected {expected}"))
    }

    /// Understood, but the library holds no motion that does it: exit status 3.
    pub fn no_motion(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            status: 3,
        }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        self.status
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Any error is a failure with status 1, told with its causes in one line.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            let text = inner.to_string();
            if !message.contains(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = inner.source();
        }
        Self::failed(message)
    }
}
