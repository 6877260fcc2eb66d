//! Saves that share one write to the disk: a commit goes into the write-ahead log without a wait, and is acknowledged
//! after the next synchronisation of the log. Saves of many windows at the same time then cost one wait.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

/// The write-ahead log of a store in a file.
#[derive(Clone, Debug)]
pub(crate) struct GroupSync {
    database: Arc<PathBuf>,
    log: Arc<PathBuf>,
    progress: Arc<(Mutex<Progress>, Condvar)>,
}

#[derive(Debug, Default)]
struct Progress {
    /// The number of the last commit that waits.
    last: u64,
    /// The commits up to this one are in the finished synchronisations.
    done: u64,
    /// The commits up to this one were in the last failed synchronisation.
    failed: u64,
    is_running: bool,
    /// Whether a synchronisation has failed since the log was last empty. The system may then have dropped parts of the
    /// log, and reports success from then on, although the log ends at the first part that is missing.
    is_log_incomplete: bool,
}

/// The longest wait for readers of the log when it is copied into the database.
const CHECKPOINT_TIMEOUT: Duration = Duration::from_millis(500);

impl GroupSync {
    /// Returns the log of a database, which lies beside it.
    pub(crate) fn of_database(path: &Path) -> GroupSync {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        GroupSync::new(path, log.into())
    }

    /// Returns this log of a database.
    pub(crate) fn new(database: &Path, log: PathBuf) -> GroupSync {
        GroupSync { database: Arc::new(database.into()), log: Arc::new(log), progress: Arc::default() }
    }

    /// Waits until all that was committed before is on the disk. The caller has released the connection, so that others
    /// commit meanwhile.
    ///
    /// # Errors
    /// If the log cannot be synchronised.
    pub(crate) fn wait(&self) -> io::Result<()> {
        let (mutex, condition) = &*self.progress;
        let lock = || mutex.lock().unwrap_or_else(PoisonError::into_inner);
        let mut progress = lock();
        progress.last += 1;
        let own = progress.last;
        loop {
            if progress.done >= own {
                return Ok(());
            } else if progress.failed >= own {
                return Err(io::Error::other("the log could not be written to the disk"));
            } else if progress.is_running {
                progress = condition.wait(progress).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            progress.is_running = true;
            let (last, is_log_incomplete) = (progress.last, progress.is_log_incomplete);
            drop(progress);
            let synced = if is_log_incomplete { self.restart_log() } else { self.sync_log() };
            progress = lock();
            progress.is_log_incomplete = synced.is_err();
            progress.is_running = false;
            condition.notify_all();
            match synced {
                Ok(()) => progress.done = last,
                Err(error) => {
                    progress.failed = last;
                    return Err(error);
                }
            }
        }
    }

    fn sync_log(&self) -> io::Result<()> {
        // SQLite has its locks on other files, so that this one may be opened and closed.
        OpenOptions::new().write(true).open(&*self.log)?.sync_data()
    }

    /// Copies the log into the database, which is synchronised, so that the next commit is the first of a new log.
    fn restart_log(&self) -> io::Result<()> {
        // A file that was deleted is not created again.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let copied = Connection::open_with_flags(&*self.database, flags).and_then(|database| {
            database.busy_timeout(CHECKPOINT_TIMEOUT)?;
            database.query_row("PRAGMA wal_checkpoint(RESTART)", [], |row| Ok((row.get(0)?, row.get(1)?)))
        });
        match copied {
            // The second number is negative without a log.
            Ok((0_i64, 0_i64..)) => Ok(()),
            Ok((0, _)) => Err(io::Error::other("the database has no log")),
            Ok(_) => Err(io::Error::other("the log that could not be written to the disk is being read")),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn all_waiting_commits_are_done_and_an_error_reaches_each_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let file = Connection::open(&path).unwrap();
        let sync = GroupSync::of_database(&path);
        let wait_for_all = || {
            let failures = AtomicUsize::new(0);
            thread::scope(|scope| {
                for _ in 0..20 {
                    scope.spawn(|| failures.fetch_add(usize::from(sync.wait().is_err()), Ordering::Relaxed));
                }
            });
            failures.into_inner()
        };
        // Without a log nothing can be on the disk.
        assert_eq!(wait_for_all(), 20);
        file.pragma_update(None, "journal_mode", "WAL").unwrap();
        file.execute_batch("CREATE TABLE a (b); INSERT INTO a VALUES (1)").unwrap();
        assert_eq!(wait_for_all(), 0);
        let (mutex, _) = &*sync.progress;
        assert_eq!(mutex.lock().unwrap().last, 40);
    }
    #[test]
    fn after_a_failure_commits_are_done_when_they_are_in_the_database_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let file = Connection::open(&path).unwrap();
        file.pragma_update(None, "journal_mode", "WAL").unwrap();
        file.execute_batch("CREATE TABLE a (b); INSERT INTO a VALUES (1)").unwrap();
        let sync = GroupSync::of_database(&path);
        let count_without_log = || {
            let copy = folder.path().join("copy.sqlite");
            std::fs::copy(&path, &copy).unwrap();
            let copy = Connection::open(copy).unwrap();
            copy.query_row("SELECT count(*) FROM a", [], |row| row.get::<_, i64>(0)).ok()
        };
        sync.wait().unwrap();
        assert_eq!(count_without_log(), None);
        sync.progress.0.lock().unwrap().is_log_incomplete = true;
        // While another reads the log, nothing is acknowledged.
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM a").unwrap();
        file.execute_batch("INSERT INTO a VALUES (2)").unwrap();
        assert!(sync.wait().is_err());
        drop(reader);
        sync.wait().unwrap();
        assert_eq!(count_without_log(), Some(2));
        assert!(!sync.progress.0.lock().unwrap().is_log_incomplete);
    }
}
