//! Backups of the store: one before its tables are brought to another version, and one a day. They are whole databases
//! in the folder `backups`, and the three of the last days are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rusqlite::Connection;

use super::{checks, purge};

/// The name of the folder of backups.
const FOLDER: &str = "backups";
/// The number of daily backups that are kept.
const MAX_DAILY: usize = 3;
/// A backup is made if so many times its size is free.
const FREE_FACTOR: u64 = 2;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Why a backup was not made.
#[derive(Debug, thiserror::Error)]
pub(super) enum BackupError {
    #[error("{0} exists")]
    Exists(PathBuf),
    #[error("{needed} bytes have to be free, and {free} are")]
    Space { needed: u64, free: u64 },
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
}

/// Writes all that a connection reads to a new file: under another name first, and then, when it is on the disk, under
/// its own.
pub(super) fn copy_to(file: &Connection, target: &Path) -> Result<(), BackupError> {
    if target.exists() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    let part = super::file_watch::side_file(target, "-part");
    let _ = fs::remove_file(&part);
    let write = || -> Result<(), BackupError> {
        super::open_file::create_private(&part)?;
        file.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
        fs::OpenOptions::new().write(true).open(&part)?.sync_all()?;
        fs::rename(&part, target)?;
        Ok(())
    };
    write().inspect_err(|_| drop(fs::remove_file(&part)))?;
    super::open_file::sync_folder(target);
    Ok(())
}

fn check_space(path: &Path, folder: &Path) -> Result<(), BackupError> {
    let (needed, free) = (FREE_FACTOR * path.metadata()?.len(), fs4::available_space(folder)?);
    if free < needed { Err(BackupError::Space { needed, free }) } else { Ok(()) }
}

/// Returns the path of the backup of a day, in seconds since 1970.
fn daily_path(file: &Connection, folder: &Path, seconds: i64) -> rusqlite::Result<PathBuf> {
    let date: String =
        file.query_row("SELECT strftime('%Y-%m-%d', ?1, 'unixepoch')", [seconds], |row| row.get(0))?;
    Ok(folder.join(format!("games-{date}.sqlite")))
}

/// Returns the daily backups of a store, the last one first.
pub(super) fn daily_backups(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path.with_file_name(FOLDER)).into_iter().flatten().flatten();
    let is_daily = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.strip_prefix("games-").and_then(|name| name.strip_suffix(".sqlite")).is_some_and(|date| {
            date.len() == 10 && date.chars().all(|letter| letter.is_ascii_digit() || letter == '-')
        })
    };
    let mut found: Vec<_> = entries.map(|entry| entry.path()).filter(is_daily).collect();
    found.sort_unstable_by(|one, other| other.cmp(one));
    found
}

/// Returns whether a store was ever backed up.
pub(super) fn has_daily_backup(path: &Path) -> bool {
    !daily_backups(path).is_empty()
}

/// Makes the backup before the tables of an earlier version are changed, unless there is one.
pub(super) fn back_up_version(file: &Connection, path: &Path, version: u32) -> Result<(), BackupError> {
    let folder = path.with_file_name(FOLDER);
    fs::create_dir_all(&folder)?;
    check_space(path, &folder)?;
    match copy_to(file, &folder.join(format!("games-of-version-{version}.sqlite"))) {
        Err(BackupError::Exists(_)) => Ok(()),
        other => other,
    }
}

/// Makes the backup of a day, unless there is one or no game; returns its path. Older ones are removed, but not if the
/// new one has damaged games.
fn back_up_day(path: &Path, seconds: i64) -> Result<Option<PathBuf>, BackupError> {
    let file = checks::open_existing(path)?;
    if purge::is_empty(&file)? {
        return Ok(None);
    }
    let folder = path.with_file_name(FOLDER);
    let target = daily_path(&file, &folder, seconds)?;
    if target.exists() {
        return Ok(None);
    }
    fs::create_dir_all(&folder)?;
    check_space(path, &folder)?;
    copy_to(&file, &target)?;
    if checks::damaged_games(&checks::open_existing(&target)?)?.is_empty() {
        daily_backups(path).iter().skip(MAX_DAILY).for_each(|old| drop(fs::remove_file(old)));
    }
    Ok(Some(target))
}

/// The day of the last backup, since 1970.
#[derive(Clone, Debug, Default)]
pub(super) struct BackupClock(Arc<AtomicI64>);

impl BackupClock {
    /// Returns whether the day has no backup yet, and notes that it gets one.
    pub(super) fn is_due(&self, seconds: i64) -> bool {
        let day = seconds / DAY_SECONDS;
        self.0.swap(day, Ordering::Relaxed) != day
    }

    /// Makes the backup of the day in another thread.
    pub(super) fn back_up(&self, path: &Path, seconds: i64) {
        let (path, clock) = (path.to_owned(), self.clone());
        let run = move || match back_up_day(&path, seconds) {
            // The first game of a store is backed up when it is there.
            Ok(None) if !has_daily_backup(&path) => clock.0.store(0, Ordering::Relaxed),
            // A backup that cannot be made, for lack of space above all, must not hinder the saving of games.
            Ok(_) | Err(_) => {}
        };
        let _ = std::thread::Builder::new().name("backup".into()).spawn(run);
    }
}

#[cfg(test)]
mod tests {
    use alfil_page::PageHost;

    use super::*;
    use crate::host::HOST;
    use crate::store::Store;
    use crate::store::open_file::OpenFile;
    use crate::store::tests::saved_game;

    #[test]
    fn three_daily_backups_are_kept_and_each_has_the_games_of_its_day() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        // On the first day of all the store makes none itself.
        let host = PageHost { unix_seconds: || 0, ..HOST };
        let store = Store::from_file(OpenFile::open(&path).unwrap(), host).unwrap();
        assert_eq!(back_up_day(&path, 0).unwrap(), None, "a store without a game");
        saved_game(&store);
        for day in [1, 2, 2, 3, 4] {
            back_up_day(&path, day * DAY_SECONDS).unwrap();
        }
        let names: Vec<_> =
            daily_backups(&path).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["games-1970-01-05.sqlite", "games-1970-01-04.sqlite", "games-1970-01-03.sqlite"]);
        let restored = tempfile::tempdir().unwrap();
        fs::copy(daily_backups(&path)[0].clone(), restored.path().join("games.sqlite")).unwrap();
        let listed = |store: &Store| alfil_page::GameStore::list(store, 0).unwrap().0;
        assert_eq!(listed(&Store::open(restored.path()).unwrap()), listed(&store));
        // Backups with a damaged game do not take the place of whole ones.
        checks::tests::damage_a_move(&path);
        back_up_day(&path, 9 * DAY_SECONDS).unwrap().unwrap();
        assert_eq!(daily_backups(&path).len(), 4);
    }
}
