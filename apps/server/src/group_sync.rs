//! Saves that share one write to the disk: a commit goes into the write-ahead log without a wait, and is acknowledged
//! after the next synchronisation of the log. Saves of many windows at the same time then cost one wait.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The write-ahead log of a store in a file.
#[derive(Clone, Debug)]
pub(crate) struct GroupSync {
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
}

impl GroupSync {
    /// Returns the log of a database, which lies beside it.
    pub(crate) fn of_database(path: &Path) -> GroupSync {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        GroupSync { log: Arc::new(log.into()), progress: Arc::default() }
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
            let last = progress.last;
            drop(progress);
            // SQLite has its locks on other files, so that this one may be opened and closed.
            let synced = OpenOptions::new().write(true).open(&*self.log).and_then(|log| log.sync_data());
            progress = lock();
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
        let file = rusqlite::Connection::open(&path).unwrap();
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
}
