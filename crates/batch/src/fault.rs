//! What went wrong with a game, and where.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use alfil_records::{RecordError, RecordErrorKind};

/// Something of the input that is not in the output, with its place.
///
/// ```
/// use alfil_batch::Fault;
///
/// let fault = Fault { file: "a.pgn".into(), game: Some(2), byte: Some(41), what: "move 1. e5: no".into() };
/// assert_eq!(fault.to_string(), "a.pgn: game 2, byte 41, move 1. e5: no");
/// ```
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
    ///
    /// ```
    /// use alfil_batch::Fault;
    /// use alfil_session::registry;
    ///
    /// let error = registry::read_games(b"1. e5 *", Some("chess"))?.remove(0).unwrap_err();
    /// let fault = Fault::of_record(&"a.pgn".into(), &error);
    /// assert!(fault.to_string().starts_with("a.pgn: game 1, byte 3, line 1: move 1. e5: "), "{fault}");
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
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

/// Faults: the first 10,000, the number of all, and how often the same is wrong.
///
/// ```
/// use alfil_batch::{Fault, FaultList};
///
/// let mut faults = FaultList::default();
/// faults.push(Fault::of_file(&"a.pgn".into(), &"permission denied"));
/// assert_eq!((faults.count(), faults.kept()[0].to_string()), (1, "a.pgn: permission denied".into()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultList {
    kept: Vec<Fault>,
    count: u64,
    /// The number of faults by what is wrong, of the first 10,000 such texts.
    counts: HashMap<String, u64>,
}

impl FaultList {
    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        self.count += 1;
        if let Some(count) = self.counts.get_mut(&fault.what) {
            *count += 1;
        } else if self.counts.len() < MAX_KEPT_FAULTS {
            self.counts.insert(fault.what.clone(), 1);
        }
        if self.kept.len() < MAX_KEPT_FAULTS {
            self.kept.push(fault);
        }
    }

    /// Returns the faults that are kept.
    pub fn kept(&self) -> &[Fault] {
        &self.kept
    }

    /// Returns the number of faults of which the same is wrong as of this one.
    pub fn count_like(&self, fault: &Fault) -> u64 {
        self.counts.get(&fault.what).copied().unwrap_or(1)
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
