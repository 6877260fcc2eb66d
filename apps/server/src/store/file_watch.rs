//! The identity of the file of games: whether what is at its path is still what is open.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{io, thread};

use rusqlite::{Connection, OpenFlags};

/// How often a file that seems to be damaged is read again: another process may be writing to it.
const MAX_READINGS: u32 = 5;
/// The time between two readings.
const READING_INTERVAL: Duration = Duration::from_millis(20);

/// What has become of an open file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// There is no file at its path.
    Deleted,
    /// There is another file at its path.
    Replaced,
    /// Its content was cut off or written over.
    Damaged,
    /// Its log, which has the last changes, was deleted or replaced.
    LogDeleted,
    /// Its log was cut off.
    LogDamaged,
}

/// What distinguishes a file from another one with the same name.
#[cfg(unix)]
fn identity(file: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (file.dev(), file.ino())
}

/// What distinguishes a file from another one with the same name. Windows refuses to delete an open file.
#[cfg(not(unix))]
fn identity(file: &Metadata) -> Option<std::time::SystemTime> {
    file.created().ok()
}

/// A file as it was seen last.
#[derive(Debug)]
struct SeenFile {
    path: PathBuf,
    metadata: Metadata,
}

/// How a file differs from the one that was seen last.
#[derive(PartialEq)]
enum Difference {
    None,
    Missing,
    Other,
    Shorter,
}

impl SeenFile {
    fn open(path: PathBuf) -> io::Result<SeenFile> {
        let metadata = path.metadata()?;
        Ok(SeenFile { path, metadata })
    }

    fn is_same(&self, metadata: &Metadata) -> bool {
        identity(metadata) == identity(&self.metadata)
    }

    /// Compares the file with what was seen last, and notes its length: no file of an open store becomes shorter.
    fn compare(&mut self) -> io::Result<Difference> {
        let metadata = match self.path.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Difference::Missing),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Difference::Missing),
            Err(error) => return Err(error),
        };
        if !self.is_same(&metadata) {
            return Ok(Difference::Other);
        }
        if metadata.len() < self.metadata.len() {
            return Ok(Difference::Shorter);
        }
        self.metadata = metadata;
        Ok(Difference::None)
    }
}

/// Returns the path of a file that SQLite keeps beside a database.
pub(super) fn side_file(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The files of an open store. Ordinary reading of the database would drop the locks of SQLite (POSIX: closing any
/// descriptor of a file does), so that only their metadata are looked at, and the content through SQLite.
#[derive(Debug)]
pub(super) struct FileWatch {
    database: SeenFile,
    logs: [SeenFile; 2],
    /// The name that the store has in itself.
    store_id: String,
}

impl FileWatch {
    /// Watches the files of an open database in WAL mode that was written to.
    pub(super) fn new(path: &Path, store_id: String) -> io::Result<FileWatch> {
        let logs = ["-wal", "-shm"].map(|suffix| SeenFile::open(side_file(path, suffix)));
        let [log, index] = logs;
        Ok(FileWatch { database: SeenFile::open(path.to_owned())?, logs: [log?, index?], store_id })
    }

    pub(super) fn path(&self) -> &Path {
        &self.database.path
    }

    /// Checks the files before or after a change of this connection.
    pub(super) fn check(&mut self, is_after_change: bool) -> io::Result<Result<(), Loss>> {
        let seen = self.database.metadata.modified().ok();
        match self.database.compare()? {
            Difference::None => {}
            Difference::Missing => return Ok(Err(Loss::Deleted)),
            Difference::Other => return Ok(Err(Loss::Replaced)),
            Difference::Shorter => return Ok(Err(Loss::Damaged)),
        }
        // Another process has moved its log into the file, or the file was written over.
        let is_written = !is_after_change && self.database.metadata.modified().ok() != seen;
        if is_written && !self.is_own_store() {
            return Ok(Err(Loss::Damaged));
        }
        for log in &mut self.logs {
            match log.compare()? {
                Difference::None => {}
                Difference::Missing | Difference::Other => return Ok(Err(Loss::LogDeleted)),
                Difference::Shorter => return Ok(Err(Loss::LogDamaged)),
            }
        }
        Ok(Ok(()))
    }

    /// Returns whether the file without its log is a database of this store.
    fn is_own_store(&self) -> bool {
        (0..MAX_READINGS).any(|reading| {
            if reading > 0 {
                thread::sleep(READING_INTERVAL);
            }
            read_store_id(self.path()).is_ok_and(|id| id == self.store_id)
        })
    }

    /// Returns the logs that belong to the open store.
    pub(super) fn own_logs(&self) -> impl Iterator<Item = &Path> {
        let is_own = |log: &&SeenFile| log.path.metadata().is_ok_and(|metadata| log.is_same(&metadata));
        self.logs.iter().filter(is_own).map(|log| log.path.as_path())
    }
}

/// Opens a database as it is on the disk: without its log, and without a lock.
pub(super) fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    let text = path.to_string_lossy();
    let escaped = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
}

/// Reads the name of a store from its file.
fn read_store_id(path: &Path) -> rusqlite::Result<String> {
    let file = open_immutable(path)?;
    file.query_row("SELECT value FROM index_state WHERE name = 'store'", [], |row| row.get(0))
}
