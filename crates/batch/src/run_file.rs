//! The file of a run that is killed and goes on: a header with the identity of the run, then a row for each finished
//! part of it.
//!
//! Header and rows are lines of JSON with checksums ([`checked_row`](crate::checked_row)). The header is
//! `{"match":{...},"format":2,"crc32":"..."}`: the kind of the run with everything on which its results depend, and the
//! version of the format. The checksums of the rows begin with that of the header, so that a row of another run is
//! noticed. One process at a time has the file, by a lock that ends with it. A last row without a line end was cut off
//! when its process was killed: it is removed when the run goes on. Any other row whose checksum is wrong is damaged.
//!
//! Format 1 had no checksums. What becomes of its files is decided for each kind ([`EarlierFormat`]).

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::checked_row::{CHECKSUM_FIELD, checked_line, parse_checked_line};

/// The version of the format.
pub const FORMAT: u64 = 2;

/// The field of the header with the version of the format.
const FORMAT_FIELD: &str = "format";

/// A kind of run.
#[derive(Clone, Copy, Debug)]
pub struct RunKind {
    /// The first field of the header, such as `match`.
    pub name: &'static str,
    /// Whether each row is on the disk before the run goes on. Without it, a row may be lost when the machine stops,
    /// and not when the process is killed.
    pub is_synced: bool,
    /// What becomes of files of format 1.
    pub earlier: EarlierFormat,
    /// What to do about a damaged row, such as `remove the line, and its game is played again`.
    pub advice: &'static str,
}

/// What becomes of a file of format 1, which had no checksums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlierFormat {
    /// The file begins with this text, and is refused.
    Refused(&'static str),
    /// Its header is `{"match":{...}}`, and its rows are read as they are. The run goes on with a second header, of
    /// the present format, and rows with checksums after it.
    Rows,
    /// It is the identity alone, without rows, and is replaced by the header of the present format.
    Identity,
}

/// The error of a file of a run.
///
/// ```
/// use alfil_batch::run_file::{EarlierFormat, RunFile, RunFileError, RunKind};
/// use serde_json::json;
///
/// let kind = RunKind { name: "count", is_synced: false, earlier: EarlierFormat::Rows, advice: "count again" };
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("run");
/// let _run = RunFile::create(&path, &kind, &json!({"depth": 5}))?;
/// assert!(matches!(RunFile::resume(&path, &kind), Err(RunFileError::Locked { .. })));
/// let other = RunKind { name: "match", ..kind };
/// let error = RunFile::read_contents(&path, &other).unwrap_err().to_string();
/// assert!(error.ends_with(r#"run:1: expected the match header, {"match": ...}; use another file"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunFileError {
    /// The file cannot be opened, read or written.
    #[error("cannot {action} {}: {error}", path.display())]
    File {
        /// What cannot be done: `open`, `create`, `lock`, `read` or `write`.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Another process has the file.
    #[error("another process has locked {}: wait for it, or stop it", path.display())]
    Locked {
        /// The path.
        path: PathBuf,
    },
    /// The file is of another kind, or none of a run.
    #[error("{}:1: expected the {kind} header, {{\"{kind}\": ...}}; use another file", path.display())]
    OtherKind {
        /// The path.
        path: PathBuf,
        /// The expected kind.
        kind: &'static str,
    },
    /// The file has another version of the format.
    #[error("{}:1: this is a {kind} file of format {found}, and this program writes format {FORMAT}: {}",
        path.display(), if *found < FORMAT { "use another file" } else { "use a newer version of the program" })]
    OtherFormat {
        /// The path.
        path: PathBuf,
        /// The kind.
        kind: &'static str,
        /// The version that was found.
        found: u64,
    },
    /// The header or a row is damaged.
    #[error("{}:{line}: this line is damaged, its checksum is wrong; {advice}", path.display())]
    Damaged {
        /// The path.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What to do.
        advice: &'static str,
    },
}

impl RunFileError {
    fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RunFileError {
        move |error| RunFileError::File { action, path: path.to_owned(), error }
    }
}

/// What the file of an earlier process holds.
#[derive(Clone, Debug, PartialEq)]
pub struct RunContents {
    /// What the header has under the name of the kind.
    pub header: Value,
    /// The undamaged rows without their checksums, each with the number of its line.
    pub rows: Vec<(usize, Value)>,
    /// The numbers of the damaged lines.
    pub damaged_lines: Vec<usize>,
}

impl RunContents {
    /// Checks that no row is damaged.
    ///
    /// ```
    /// use alfil_batch::run_file::{EarlierFormat, RunFile, RunKind};
    /// use serde_json::json;
    ///
    /// let kind = RunKind { name: "count", is_synced: false, earlier: EarlierFormat::Rows, advice: "count again" };
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("run");
    /// RunFile::create(&path, &kind, &json!({"depth": 5}))?.append(&json!({"part": 0, "count": 20}))?;
    /// std::fs::write(&path, std::fs::read_to_string(&path)?.replace("20", "21"))?;
    /// let contents = RunFile::read_contents(&path, &kind)?;
    /// let error = contents.check_rows(&path, &kind).unwrap_err().to_string();
    /// assert!(error.ends_with("run:2: this line is damaged, its checksum is wrong; count again"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// With the first damaged line.
    pub fn check_rows(&self, path: &Path, kind: &RunKind) -> Result<(), RunFileError> {
        match self.damaged_lines.first() {
            None => Ok(()),
            Some(&line) => Err(RunFileError::Damaged { path: path.to_owned(), line, advice: kind.advice }),
        }
    }
}

/// The file of a run, which this process has locked.
///
/// ```
/// use alfil_batch::run_file::{EarlierFormat, RunFile, RunKind};
/// use serde_json::json;
///
/// let kind = RunKind {
///     name: "count",
///     is_synced: false,
///     earlier: EarlierFormat::Refused("COUNT"),
///     advice: "remove the line, and its part is counted again",
/// };
/// let folder = tempfile::tempdir()?;
/// let (path, header) = (folder.path().join("run"), json!({"depth": 5}));
/// let mut run = RunFile::create(&path, &kind, &header)?;
/// run.append(&json!({"part": 0, "count": 20}))?;
/// // The process is killed, and another one goes on.
/// drop(run);
/// let (mut run, contents) = RunFile::resume(&path, &kind)?;
/// assert_eq!((contents.header, contents.rows.len()), (header, 1));
/// run.append(&json!({"part": 1, "count": 400}))?;
/// assert_eq!(RunFile::read_contents(&path, &kind)?.rows.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RunFile {
    file: File,
    path: PathBuf,
    is_synced: bool,
    /// The length up to the last whole row, in bytes. What follows is cut off before the next row.
    length: u64,
    /// The line of the header that is to be written before the next row; none if it is there.
    missing_header: Option<String>,
    /// Whether the file may be longer than `length`.
    has_rest: bool,
    /// The checksum of the header, with which those of the rows begin.
    seed: u32,
}

impl RunFile {
    /// Creates the file of a new run. A file whose header cannot be written is removed.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path, kind: &RunKind, header: &Value) -> Result<RunFile, RunFileError> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let file = file.map_err(RunFileError::file("create", path))?;
        let write = || {
            let mut run = RunFile::lock(file, path, kind)?;
            run.require_header(kind, header);
            run.begin()?;
            Ok(run)
        };
        // A file without a header would stop the next run of the same command.
        write().inspect_err(|_| drop(std::fs::remove_file(path)))
    }

    /// Opens the file of an interrupted run.
    ///
    /// # Errors
    /// If it is not there or of another kind, its header is damaged, or another process has locked it.
    pub fn resume(path: &Path, kind: &RunKind) -> Result<(RunFile, RunContents), RunFileError> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let mut run = RunFile::lock(file.map_err(RunFileError::file("open", path))?, path, kind)?;
        let bytes = run.read()?;
        let contents = run.take_contents(kind, &bytes)?;
        Ok((run, contents))
    }

    /// Opens the file of a run, interrupted or new. The contents are none if the file is new, or if its process was
    /// killed while it wrote this header. The file is changed by [`RunFile::begin`] only.
    ///
    /// ```
    /// use alfil_batch::run_file::{EarlierFormat, RunFile, RunKind};
    /// use serde_json::json;
    ///
    /// let kind = RunKind { name: "count", is_synced: false, earlier: EarlierFormat::Rows, advice: "count again" };
    /// let folder = tempfile::tempdir()?;
    /// let (path, header) = (folder.path().join("run"), json!({"depth": 5}));
    /// for known_rows in [None, Some(1)] {
    ///     let (mut run, contents) = RunFile::open(&path, &kind, &header)?;
    ///     assert_eq!(contents.map(|contents| contents.rows.len()), known_rows);
    ///     run.append(&json!({"part": 0}))?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be opened, is of another kind, its header is damaged, or another process has locked it.
    pub fn open(
        path: &Path,
        kind: &RunKind,
        header: &Value,
    ) -> Result<(RunFile, Option<RunContents>), RunFileError> {
        // It is not opened for appending, because Windows then refuses to shorten it.
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut run = RunFile::lock(file.map_err(RunFileError::file("open", path))?, path, kind)?;
        let bytes = run.read()?;
        if header_line(kind, header).0.as_bytes().starts_with(&bytes) {
            run.require_header(kind, header);
            return Ok((run, None));
        }
        let contents = run.take_contents(kind, &bytes)?;
        Ok((run, Some(contents)))
    }

    /// Reads a file that another process writes or has written, without a lock.
    ///
    /// # Errors
    /// If it cannot be read, is of another kind, or its header is damaged.
    pub fn read_contents(path: &Path, kind: &RunKind) -> Result<RunContents, RunFileError> {
        let bytes = std::fs::read(path).map_err(RunFileError::file("read", path))?;
        Ok(parse(path, kind, &bytes)?.contents)
    }

    fn lock(file: File, path: &Path, kind: &RunKind) -> Result<RunFile, RunFileError> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunFileError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(RunFileError::file("lock", path)(error)),
        }
        Ok(RunFile {
            file,
            path: path.to_owned(),
            is_synced: kind.is_synced,
            length: 0,
            missing_header: None,
            has_rest: true,
            seed: 0,
        })
    }

    fn read(&mut self) -> Result<Vec<u8>, RunFileError> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes).map_err(RunFileError::file("read", &self.path))?;
        Ok(bytes)
    }

    /// Parses the file, and prepares to go on after its last whole row.
    fn take_contents(&mut self, kind: &RunKind, bytes: &[u8]) -> Result<RunContents, RunFileError> {
        let Parsed { contents, length, seed } = parse(&self.path, kind, bytes)?;
        match seed {
            Some(seed) => self.seed = seed,
            None => self.require_header(kind, &contents.header),
        }
        self.length = length as u64;
        self.has_rest = length < bytes.len();
        Ok(contents)
    }

    /// Has the header written before the next row.
    fn require_header(&mut self, kind: &RunKind, header: &Value) {
        let (line, checksum) = header_line(kind, header);
        self.missing_header = Some(line + "\n");
        self.seed = checksum;
    }

    /// Begins or goes on: cuts off what follows the last whole row, and writes the header if it is missing.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(&mut self) -> Result<(), RunFileError> {
        if self.has_rest {
            self.file.set_len(self.length).map_err(RunFileError::file("write", &self.path))?;
            self.has_rest = false;
        }
        if let Some(line) = self.missing_header.clone() {
            self.write_line(&line, true)?;
            self.missing_header = None;
        }
        Ok(())
    }

    /// Appends a row. After an error the file ends with the row before, or the next process cuts off what follows it.
    ///
    /// # Errors
    /// If the row cannot be written.
    pub fn append(&mut self, row: &Value) -> Result<(), RunFileError> {
        self.begin()?;
        let line = checked_line(self.seed, row).0 + "\n";
        self.write_line(&line, self.is_synced)
    }

    fn write_line(&mut self, line: &str, is_synced: bool) -> Result<(), RunFileError> {
        let mut write = || {
            // A row that was written in part, before an error, is overwritten.
            self.file.seek(SeekFrom::Start(self.length))?;
            self.file.write_all(line.as_bytes())?;
            if is_synced { self.file.sync_data() } else { Ok(()) }
        };
        if let Err(error) = write() {
            self.has_rest = self.file.set_len(self.length).is_err();
            return Err(RunFileError::file("write", &self.path)(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

impl Drop for RunFile {
    /// Unlocks the file at once. Closing is not enough: a child process that is being started holds a copy of the
    /// handle.
    fn drop(&mut self) {
        // If unlocking fails, the lock ends with the process.
        let _ = self.file.unlock();
    }
}

/// Returns the line of a header, without its line end, and its checksum.
fn header_line(kind: &RunKind, header: &Value) -> (String, u32) {
    checked_line(0, &json!({ kind.name: header, FORMAT_FIELD: FORMAT }))
}

/// A file that was read.
struct Parsed {
    contents: RunContents,
    /// The number of bytes up to the last whole row that is kept.
    length: usize,
    /// The checksum of the header of the present format; none if the file has none.
    seed: Option<u32>,
}

fn parse(path: &Path, kind: &RunKind, bytes: &[u8]) -> Result<Parsed, RunFileError> {
    let other_format = |found| RunFileError::OtherFormat { path: path.to_owned(), kind: kind.name, found };
    if let EarlierFormat::Refused(start) = kind.earlier
        && bytes.starts_with(start.as_bytes())
    {
        return Err(other_format(1));
    }
    // A row that was cut off when the process was killed has no line end.
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let lines = bytes[..length].split_inclusive(|&byte| byte == b'\n').map(|line| &line[..line.len() - 1]);
    let mut lines = (1..).zip(lines.map(|line| std::str::from_utf8(line).unwrap_or_default()));
    let first = lines.next().map_or("", |(_, line)| line);
    let (header, mut seed) = match parse_checked_line(0, first) {
        Some((row, checksum)) => match take_header(kind, row) {
            Some((header, FORMAT)) => (header, Some(checksum)),
            Some((_, found)) => return Err(other_format(found)),
            None => return Err(RunFileError::OtherKind { path: path.to_owned(), kind: kind.name }),
        },
        None => (earlier_header(path, kind, first)?, None),
    };
    let mut contents = RunContents { header, rows: Vec::new(), damaged_lines: Vec::new() };
    for (number, line) in lines {
        let row = match seed {
            Some(seed) => parse_checked_line(seed, line).map(|(row, _)| row),
            None => {
                match parse_checked_line(0, line).map(|(row, checksum)| (take_header(kind, row), checksum)) {
                    Some((Some((_, FORMAT)), checksum)) => {
                        seed = Some(checksum);
                        continue;
                    }
                    Some((Some((_, found)), _)) => return Err(other_format(found)),
                    Some((None, _)) => None,
                    // A row with a checksum that has no header before it has lost it.
                    None => serde_json::from_str(line)
                        .ok()
                        .filter(|row: &Value| row.is_object() && row.get(CHECKSUM_FIELD).is_none()),
                }
            }
        };
        match row {
            Some(row) => contents.rows.push((number, row)),
            None => contents.damaged_lines.push(number),
        }
    }
    let is_replaced = seed.is_none() && kind.earlier == EarlierFormat::Identity;
    Ok(Parsed { contents, length: if is_replaced { 0 } else { length }, seed })
}

/// Returns what the header of any format has under the name of the kind, and the version of the format; `None` for a
/// row that is no header of the kind.
fn take_header(kind: &RunKind, mut row: Value) -> Option<(Value, u64)> {
    let format = row[FORMAT_FIELD].as_u64()?;
    Some((row.get_mut(kind.name)?.take(), format))
}

/// Returns the header of a file of format 1.
fn earlier_header(path: &Path, kind: &RunKind, line: &str) -> Result<Value, RunFileError> {
    let mut row: Value = serde_json::from_str(line).unwrap_or_default();
    if row.get(FORMAT_FIELD).is_some() || row.get(CHECKSUM_FIELD).is_some() {
        let advice = "use another file";
        return Err(RunFileError::Damaged { path: path.to_owned(), line: 1, advice });
    }
    let fields = row.as_object().map_or(0, |fields| fields.len());
    match (kind.earlier, row.get_mut(kind.name)) {
        (EarlierFormat::Rows, Some(header)) if fields == 1 => Ok(header.take()),
        (EarlierFormat::Identity, None) if fields > 0 => Ok(row),
        _ => Err(RunFileError::OtherKind { path: path.to_owned(), kind: kind.name }),
    }
}
