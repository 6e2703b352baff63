//! `expect(..).within(..)`: a comparison that asserts, and leaves a row in the table of the validation.
//!
//! The table is `validation.csv` in the target directory: one row a case, method and quantity, in their order.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use drystone::method::Kind;

const HEADER: &str = "case,method,quantity,measured,expected,tolerance,reason";

/// A measured value beside the one that it should have.
#[must_use = "say how near the values must be: `.within(tolerance, reason)`"]
pub(crate) struct Expectation {
    case: &'static str,
    method: Kind,
    quantity: String,
    measured: f64,
    expected: f64,
}

/// Compares a measured value with the expected one.
pub(crate) fn expect(
    case: &'static str,
    method: Kind,
    quantity: impl Into<String>,
    measured: f64,
    expected: f64,
) -> Expectation {
    Expectation { case, method, quantity: quantity.into(), measured, expected }
}

impl Expectation {
    /// Asserts that the values differ by at most `tolerance` times the expected one, and says why so much.
    ///
    /// Where zero is expected the measured value must be a ratio itself, and is compared with the tolerance.
    #[track_caller]
    pub(crate) fn within(self, tolerance: f64, reason: &str) {
        let Expectation { case, method, quantity, measured, expected } = self;
        let method = method.name();
        let values = format!("{measured:e},{expected:e},{tolerance:e},{}", quoted(reason));
        enter([case, method, &quantity], values);
        assert!(
            agree(measured, expected, tolerance),
            "{case}, {method}: {quantity} is {measured:e}, expected {expected:e} within {tolerance:e} ({reason})"
        );
    }
}

fn agree(measured: f64, expected: f64, tolerance: f64) -> bool {
    let scale = if expected == 0.0 { 1.0 } else { expected.abs() };
    (measured - expected).abs() <= tolerance * scale
}

/// Cases that this run has entered rows of.
static ENTERED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Enters a row. The first row of a case takes away those that a former run left of it, so that a case belongs to one
/// test. The lock of the file holds between threads and processes.
fn enter(key: [&str; 3], values: String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("validation.csv");
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(&path).expect("the table");
    file.lock().expect("the only writer of the table");
    let mut text = String::new();
    file.read_to_string(&mut text).expect("a table of text");
    let key = key.map(quoted);
    let first = ENTERED.lock().unwrap_or_else(PoisonError::into_inner).insert(key[0].clone());
    let stale = |row: &str| row.starts_with(&format!("{},", if first { key[0].clone() } else { key.join(",") }));
    let mut rows: Vec<String> = text.lines().skip(1).filter(|row| !stale(row)).map(str::to_string).collect();
    rows.push(format!("{},{values}", key.join(",")));
    rows.sort();
    file.set_len(0).and_then(|()| file.rewind()).expect("an empty table");
    file.write_all(format!("{HEADER}\n{}\n", rows.join("\n")).as_bytes()).expect("the table is written");
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'"))
}

#[test]
fn a_comparison_can_fail() {
    assert!(agree(1.0 + 1e-13, 1.0, 1e-12) && agree(-200.0, -200.1, 1e-3) && agree(1e-13, 0.0, 1e-12));
    assert!(!agree(1.0 + 1e-11, 1.0, 1e-12) && !agree(1e-11, 0.0, 1e-12) && !agree(-1.0, 1.0, 0.1));
    assert!(!agree(f64::NAN, 1.0, 1.0) && !agree(f64::NAN, 0.0, 1.0) && !agree(f64::INFINITY, 1.0, 1.0));
}
