//! The open file of games: what is written to it counts only while it is the file at its path. If that was deleted,
//! replaced or damaged, the store goes on with what is left.

use std::fs;
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::MutexGuard;
use std::time::Duration;

use alfil_session::SessionError;
use rusqlite::config::DbConfig;
use rusqlite::ffi::SQLITE_IOERR_SHORT_READ;
use rusqlite::{Connection, OptionalExtension, params};

use super::backups::BackupError;
use super::file_watch::{FileWatch, Loss, side_file};
use super::schema::{self, check_version};
use super::{add_sort_key, backups, checks, checksums, storage_error, summaries};
use crate::host::HOST;

/// The name of the file of games in its folder.
pub(super) const FILE_NAME: &str = "games.sqlite";
/// The number of SQL statements that are kept compiled.
const MAX_CACHED_STATEMENTS: usize = 64;
/// The time to wait for another process while the file is opened.
pub(super) const OPEN_TIMEOUT: Duration = Duration::from_secs(5);
/// The time to wait for another process with the lock of the connection, which other sessions wait for.
const LOCKED_TIMEOUT: Duration = Duration::from_millis(20);

/// An open file of games.
#[derive(Debug)]
pub(super) struct OpenFile {
    connection: Connection,
    /// `None` in memory.
    watch: Option<FileWatch>,
    /// The number of times that the store went on with another file.
    generation: u64,
    /// What has become of the former file.
    notice: Option<SessionError>,
    /// Whether the former file is closed, and the present one not open yet.
    is_closed: bool,
}

/// Creates an empty file that is the user's alone.
///
/// # Errors
/// If it exists, or cannot be created.
pub(super) fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Creates the file of a store, or takes the rights of others to it: the games are the user's alone.
fn protect(path: &Path) -> std::io::Result<()> {
    match create_private(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        other => return other,
    }
    take_rights_of_others(path);
    Ok(())
}

#[cfg(unix)]
fn take_rights_of_others(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = 0o600;
    for path in [path.to_owned(), side_file(path, "-wal"), side_file(path, "-shm")] {
        // The file of another user, which may be written to, keeps its rights.
        if path.metadata().is_ok_and(|file| file.permissions().mode() & 0o777 != mode) {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
        }
    }
}

#[cfg(not(unix))]
fn take_rights_of_others(_path: &Path) {}

/// Brings the names in a folder to the disk.
pub(super) fn sync_folder(path: &Path) {
    // Not possible on Windows, which needs it not.
    let _ = path.parent().map(|folder| fs::File::open(folder).and_then(|folder| folder.sync_all()));
}

/// Returns the first path beside a store that no file has: `games-KIND-N.sqlite`.
pub(super) fn path_beside(path: &Path, kind: &str) -> PathBuf {
    let name = |number| path.with_file_name(format!("games-{kind}-{number}.sqlite"));
    (1..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(0))
}

/// Gives the log of another file, which lies beside a store, a name of its own.
fn put_log_aside(path: &Path) -> std::io::Result<()> {
    // An index of that log is made again from the log.
    let _ = fs::remove_file(side_file(path, "-shm"));
    fs::rename(side_file(path, "-wal"), path_beside(path, "former-log"))
}

/// Returns the name that a store has in itself.
fn store_id(file: &Connection) -> rusqlite::Result<String> {
    let insert = "INSERT OR IGNORE INTO index_state (name, value) VALUES ('store', ?1)";
    file.execute(insert, params![format!("{:016x}", (HOST.random)())])?;
    file.query_row("SELECT value FROM index_state WHERE name = 'store'", [], |row| row.get(0))
}

/// Moves the log into the database.
fn checkpoint(file: &Connection) -> rusqlite::Result<()> {
    file.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}

/// Brings a connection to the present tables.
fn prepare(file: &mut Connection, path: Option<&Path>) -> Result<(), SessionError> {
    file.busy_timeout(OPEN_TIMEOUT).map_err(storage_error)?;
    file.set_prepared_statement_cache_capacity(MAX_CACHED_STATEMENTS);
    add_sort_key(file).map_err(storage_error)?;
    checksums::add_functions(file).map_err(storage_error)?;
    schema::migrate(file, path)?;
    summaries::check_indexes(file)
}

fn open_database(path: &Path) -> Result<(Connection, FileWatch), SessionError> {
    protect(path).map_err(|error| SessionError::new(format!("cannot open {}: {error}", path.display())))?;
    let mut file = Connection::open(path)
        .map_err(|error| SessionError::new(format!("cannot open {}: {error}", path.display())))?;
    file.busy_timeout(OPEN_TIMEOUT).map_err(storage_error)?;
    // WAL: readers do not wait for the writer. FULL: a commit is on the disk before it returns.
    file.pragma_update(None, "journal_mode", "WAL").map_err(storage_error)?;
    file.pragma_update(None, "synchronous", "FULL").map_err(storage_error)?;
    prepare(&mut file, Some(path))?;
    let id = store_id(&file).map_err(storage_error)?;
    // The file without its log has the name of the store, and its log the last change.
    checkpoint(&file).map_err(storage_error)?;
    let watch = FileWatch::new(path, id).map_err(storage_error)?;
    file.busy_timeout(LOCKED_TIMEOUT).map_err(storage_error)?;
    Ok((file, watch))
}

/// Returns whether an error says that a database cannot be read, and not that it cannot be written to now.
fn is_unreadable(error: &BackupError) -> bool {
    let BackupError::Sql(error) = error else { return false };
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    let is_short = error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHORT_READ);
    is_short || matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}

impl OpenFile {
    /// Opens the file of a store, which is created if it is missing.
    pub(super) fn open(path: &Path) -> Result<OpenFile, SessionError> {
        if checks::has_foreign_log(path) {
            put_log_aside(path).map_err(storage_error)?;
        }
        let is_checked = checks::check_before_opening(path)?;
        let (mut connection, watch) = open_database(path).map_err(|error| {
            let damage = if path.exists() { checks::find_damage(path, false) } else { None };
            damage.map_or(error, |damage| checks::damaged_store(path, &damage))
        })?;
        if is_checked {
            checks::repair_summaries(&mut connection, (HOST.unix_seconds)()).map_err(storage_error)?;
        }
        Ok(OpenFile { connection, watch: Some(watch), generation: 0, notice: None, is_closed: false })
    }

    /// Opens a database in memory.
    pub(super) fn in_memory() -> Result<OpenFile, SessionError> {
        let mut connection = Connection::open_in_memory().map_err(storage_error)?;
        prepare(&mut connection, None)?;
        Ok(OpenFile { connection, watch: None, generation: 0, notice: None, is_closed: false })
    }

    pub(super) fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Returns the path; `None` in memory.
    pub(super) fn path(&self) -> Option<&Path> {
        self.watch.as_ref().map(FileWatch::path)
    }

    pub(super) fn notice(&self) -> Option<&SessionError> {
        self.notice.as_ref()
    }

    /// Checks that the open file is the one at its path. If it is not, goes on with what is left of the games.
    fn check(&mut self, is_after_change: bool) -> Result<(), SessionError> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        if !self.is_closed {
            let Err(loss) = watch.check(is_after_change).map_err(storage_error)? else { return Ok(()) };
            self.notice = Some(self.leave(loss)?);
            // What the former file has in its log stays there.
            let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
            self.connection = Connection::open_in_memory().map_err(storage_error)?;
            self.is_closed = true;
        }
        let path = self.watch.as_ref().map_or(Path::new(FILE_NAME), FileWatch::path).to_owned();
        let (connection, watch) = match open_database(&path) {
            // The loss has damaged more than what was seen of it.
            Err(_) if check_replacement(&path).is_err_and(is_no_store) => {
                self.notice = Some(self.begin_anew(&path)?);
                open_database(&path)?
            }
            opened => opened?,
        };
        (self.connection, self.watch, self.is_closed) = (connection, Some(watch), false);
        self.generation += 1;
        Ok(())
    }

    /// Brings the path of a lost file into a state in which a store can be opened there; returns what has happened.
    /// Nothing is written over, and the connection stays open until its games are elsewhere.
    fn leave(&self, loss: Loss) -> Result<SessionError, SessionError> {
        let path = self.watch.as_ref().map_or(Path::new(FILE_NAME), FileWatch::path);
        match loss {
            Loss::Deleted | Loss::LogDeleted => self.write_again(path, loss),
            Loss::Replaced => self.take_replacement(path),
            Loss::Damaged => self.begin_anew(path),
            Loss::LogDamaged => {
                let text = "the log of the saved games was cut off while the program ran";
                let chinese = "对局文件的日志在程序运行时被截断";
                let more = "games that are not open may lack their last changes";
                Ok(changed_file(text, chinese, path, more, "未打开的对局可能缺少最近的改动"))
            }
        }
    }

    /// Removes the logs of the former file, which would be taken for those of the file at its path.
    fn remove_logs(&self) {
        for log in self.watch.iter().flat_map(FileWatch::own_logs) {
            let _ = fs::remove_file(log);
        }
    }

    /// Writes the games to the path again after the file or its log was deleted: the connection has them all.
    fn write_again(&self, path: &Path, loss: Loss) -> Result<SessionError, SessionError> {
        let error = |error: &dyn std::fmt::Display| {
            let path = path.display();
            SessionError::new(format!(
                "{path} was deleted while the program ran, and cannot be written again: {error}"
            ))
            .with_chinese(format!("{path} 在程序运行时被删除，且无法重新写入：{error}"))
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|failed| error(&failed))?;
        }
        let copy = side_file(path, "-copy");
        let _ = fs::remove_file(&copy);
        let (text, chinese) =
            ("the file of saved games was deleted while the program ran", "对局文件在程序运行时被删除");
        match backups::copy_to(&self.connection, &copy) {
            Ok(()) => {}
            Err(failed) if is_unreadable(&failed) && loss == Loss::Deleted => {
                self.remove_logs();
                return Ok(changed_file(
                    text,
                    chinese,
                    path,
                    "only open games are saved in a new one",
                    "只有打开的对局存入新文件",
                ));
            }
            Err(failed) => return Err(error(&failed)),
        }
        self.remove_logs();
        fs::rename(&copy, path).map_err(|failed| error(&failed))?;
        sync_folder(path);
        Ok(changed_file(text, chinese, path, "all games were written again", "所有对局已重新写入"))
    }

    /// Takes the file that was put in the place of the open one, and keeps the games of that beside it.
    fn take_replacement(&self, path: &Path) -> Result<SessionError, SessionError> {
        let error = |error: &dyn std::fmt::Display| {
            let path = path.display();
            SessionError::new(format!(
                "{path} was replaced while the program ran by a file that cannot be used: {error}; remove that file"
            ))
            .with_chinese(format!("{path} 在程序运行时被无法使用的文件替换：{error}；请移走该文件"))
        };
        check_replacement(path).map_err(|failed| error(&failed))?;
        let copy = path_beside(path, "former");
        let kept = match backups::copy_to(&self.connection, &copy) {
            Ok(()) => true,
            Err(failed) if is_unreadable(&failed) => false,
            Err(failed) => return Err(storage_error(failed)),
        };
        self.remove_logs();
        let (text, chinese) =
            ("the file of saved games was replaced while the program ran", "对局文件在程序运行时被替换");
        let name = copy.display();
        let (more, more_zh) = match kept {
            true => (format!("the games of before are in {name}"), format!("原有对局保存在 {name}")),
            false => ("the games of before cannot be read".into(), "原有对局无法读取".into()),
        };
        Ok(changed_file(text, chinese, path, &more, &more_zh))
    }

    /// Moves a damaged file out of the way, so that open games can be saved in a new one.
    fn begin_anew(&self, path: &Path) -> Result<SessionError, SessionError> {
        let damaged = path_beside(path, "damaged");
        fs::rename(path, &damaged).map_err(storage_error)?;
        for suffix in ["-wal", "-shm"] {
            match fs::rename(side_file(path, suffix), side_file(&damaged, suffix)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(storage_error(error)),
                _ => {}
            }
        }
        sync_folder(path);
        let (text, chinese) =
            ("the file of saved games was damaged while the program ran", "对局文件在程序运行时损坏");
        let name = damaged.display();
        let more = format!(
            "it is now {name}, and open games are saved in a new file; \"alfil store salvage {name}\" gets the others"
        );
        let more_zh = format!(
            "该文件现为 {name}，打开的对局存入新文件；用 \"alfil store salvage {name}\" 取出其余对局"
        );
        Ok(changed_file(text, chinese, path, &more, &more_zh))
    }
}

/// Returns whether an error of [`check_replacement`] says that a file has no readable games, and not that it cannot be
/// read now.
fn is_no_store(error: rusqlite::Error) -> bool {
    matches!(error, rusqlite::Error::QueryReturnedNoRows) || is_unreadable(&error.into())
}

/// Checks that a file that was put in the place of another one is a store.
fn check_replacement(path: &Path) -> rusqlite::Result<()> {
    let file = super::file_watch::open_immutable(path)?;
    let found: Option<String> = file
        .query_row("SELECT name FROM sqlite_schema WHERE name = 'games'", [], |row| row.get(0))
        .optional()?;
    let is_whole: String = file.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match found.filter(|_| is_whole == "ok") {
        Some(_) => Ok(()),
        None => Err(rusqlite::Error::QueryReturnedNoRows),
    }
}

/// Returns the notice that a file was changed.
fn changed_file(text: &str, chinese: &str, path: &Path, more: &str, more_zh: &str) -> SessionError {
    let path = path.display();
    SessionError::new(format!("{text} ({path}): {more}"))
        .with_chinese(format!("{chinese}（{path}）：{more_zh}"))
}

/// The open file, locked for one session.
pub(super) struct LockedFile<'s>(MutexGuard<'s, OpenFile>);

impl<'s> LockedFile<'s> {
    /// Checks a locked file.
    pub(super) fn new(mut file: MutexGuard<'s, OpenFile>) -> Result<LockedFile<'s>, SessionError> {
        file.check(false)?;
        check_version(&file.connection)?;
        Ok(LockedFile(file))
    }

    pub(super) fn generation(&self) -> u64 {
        self.0.generation
    }

    /// Begins a change; `None` if another process writes at present.
    pub(super) fn begin(self, wait: DiskWait) -> Result<Option<Change<'s>>, SessionError> {
        // It cannot be changed later.
        self.pragma_update(None, "synchronous", wait.synchronous()).map_err(storage_error)?;
        match self.execute_batch("BEGIN IMMEDIATE") {
            Ok(()) => {}
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {
                return Ok(None);
            }
            Err(error) => return Err(storage_error(error)),
        }
        let change = Change { file: self, is_open: true };
        // A newer version of the program may have changed the tables meanwhile.
        check_version(&change)?;
        Ok(Some(change))
    }
}

impl Deref for LockedFile<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0.connection
    }
}

/// When a change is brought to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiskWait {
    /// With the commit.
    AtCommit,
    /// Later, together with those of other sessions (`GroupSync`).
    Shared,
}

impl DiskWait {
    fn synchronous(self) -> &'static str {
        match self {
            DiskWait::AtCommit => "FULL",
            DiskWait::Shared => "NORMAL",
        }
    }
}

/// A change of the file, which is undone unless it is committed.
pub(super) struct Change<'s> {
    file: LockedFile<'s>,
    is_open: bool,
}

/// Why a change is not saved.
pub(super) enum CommitError {
    /// The file was lost during the change: what was committed may be in it, and not in the file with which the store
    /// goes on.
    Lost,
    /// It was committed, and is written once more when the file or the disk takes it.
    NotOnDisk(SessionError),
    /// It was not committed.
    Storage(SessionError),
}

impl From<CommitError> for SessionError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::NotOnDisk(error) | CommitError::Storage(error) => error,
            CommitError::Lost => SessionError::new(
                "the file of saved games was deleted or replaced meanwhile: look at the games, and try again",
            )
            .with_chinese("对局文件此时被删除或替换：请查看对局后重试"),
        }
    }
}

impl Change<'_> {
    pub(super) fn generation(&self) -> u64 {
        self.file.generation()
    }

    /// Ends a change: it is in the file at the path of the store, and on the disk unless that was left for later.
    pub(super) fn commit(mut self) -> Result<(), CommitError> {
        self.file.execute_batch("COMMIT").map_err(|error| CommitError::Storage(storage_error(error)))?;
        self.is_open = false;
        let generation = self.file.generation();
        self.file.0.check(true).map_err(CommitError::NotOnDisk)?;
        if self.file.generation() == generation { Ok(()) } else { Err(CommitError::Lost) }
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        if self.is_open {
            // After some errors SQLite has done so already.
            let _ = self.file.execute_batch("ROLLBACK");
        }
    }
}

impl Deref for Change<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.file
    }
}
