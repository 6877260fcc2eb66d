//! What went wrong with a game, and where.

use std::fmt;
use std::sync::Arc;

use alfil_records::{RecordError, RecordErrorKind};

/// Something of the input that is not in the output, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of the file.
    pub file: Arc<str>,
    /// The number of the game in the file, from 1; none if the whole file is concerned.
    pub game: Option<u64>,
    /// The byte offset in the file, if it is known.
    pub byte: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl Fault {
    /// Creates the fault of a file that cannot be read.
    pub fn of_file(file: &Arc<str>, error: &dyn fmt::Display) -> Fault {
        Fault { file: file.clone(), game: None, byte: None, what: error.to_string() }
    }

    /// Creates the fault of a record that cannot be read, wholly or in part.
    pub fn of_record(file: &Arc<str>, error: &RecordError) -> Fault {
        if let RecordErrorKind::UnsupportedFile(_) = error.kind {
            return Fault::of_file(file, error);
        }
        let line = if error.line > 0 { format!("line {}: ", error.line) } else { String::new() };
        let mv = if error.mv.is_empty() { String::new() } else { format!("move {}: ", error.mv) };
        Fault {
            file: file.clone(),
            game: Some(error.game),
            byte: Some(error.offset),
            what: format!("{line}{mv}{}", error.kind),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(game) = self.game {
            write!(f, "game {game}, ")?;
        }
        if let Some(byte) = self.byte {
            write!(f, "byte {byte}, ")?;
        }
        f.write_str(&self.what)
    }
}

/// The number of faults that a list keeps.
const MAX_KEPT_FAULTS: usize = 10_000;

/// Faults: the first 10,000, and the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultList {
    kept: Vec<Fault>,
    count: u64,
}

impl FaultList {
    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        self.count += 1;
        if self.kept.len() < MAX_KEPT_FAULTS {
            self.kept.push(fault);
        }
    }

    /// Returns the faults that are kept.
    pub fn kept(&self) -> &[Fault] {
        &self.kept
    }

    /// Returns the number of all faults.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Extend<Fault> for FaultList {
    fn extend<T: IntoIterator<Item = Fault>>(&mut self, faults: T) {
        for fault in faults {
            self.push(fault);
        }
    }
}
