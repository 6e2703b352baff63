//! What makes numbers unfit as a contact problem.

use std::fmt;

/// Why numbers are no contact problem. Contacts count from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Flaw {
    /// There is no contact.
    Empty,
    /// An entry of W lies outside of it.
    Outside {
        /// Row and column of the entry.
        place: [usize; 2],
        /// Number of rows and columns.
        size: usize,
    },
    /// q, mu and W do not belong together.
    Length {
        /// What has the wrong length.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that it should have.
        expected: usize,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// W, q or mu.
        what: &'static str,
        /// Contact that it belongs to.
        contact: usize,
    },
    /// A coefficient of friction is negative.
    NegativeFriction {
        /// Contact that it belongs to.
        contact: usize,
        /// The coefficient.
        friction: f64,
    },
    /// W has no block on its diagonal for a contact: nothing would move there.
    NoDiagonal {
        /// Contact that it belongs to.
        contact: usize,
    },
    /// A block on the diagonal is not positive definite: an impulse would not push.
    NotPositive {
        /// Contact that it belongs to.
        contact: usize,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Empty => write!(f, "there are no contacts"),
            Flaw::Outside { place: [row, column], size } => {
                write!(f, "W has an entry at row {row}, column {column}, but only {size} rows and columns")
            }
            Flaw::Length { what, found, expected } => write!(f, "{what} has {found} numbers, {expected} were expected"),
            Flaw::NotFinite { what, contact } => write!(f, "{what} of contact {contact} is not a finite number"),
            Flaw::NegativeFriction { contact, friction } => {
                write!(f, "mu of contact {contact} is {friction}, friction is zero or more")
            }
            Flaw::NoDiagonal { contact } => write!(f, "W has no block on its diagonal for contact {contact}"),
            Flaw::NotPositive { contact } => {
                write!(f, "the block of W on its diagonal for contact {contact} is not positive definite")
            }
        }
    }
}

impl std::error::Error for Flaw {}
