//! What `alfil store` does with a store that is not open: checks, backups, and where its files are.

use std::path::{Path, PathBuf};

use alfil_session::SessionError;

use super::open_file::FILE_NAME;
use super::{backups, checks, storage_error};

/// What a check of a store has found.
#[derive(Debug)]
#[non_exhaustive]
pub struct StoreCheck {
    /// The number of games.
    pub games: usize,
    /// What is wrong with the file as a whole.
    pub damage: Option<String>,
    /// The damaged games: their ids, and their players as far as they are known.
    pub damaged_games: Vec<(String, String)>,
}

/// Returns the file of games of a folder; a path of a file is that file.
pub fn store_file(path: &Path) -> PathBuf {
    if path.is_dir() || !path.exists() { path.join(FILE_NAME) } else { path.to_owned() }
}

/// Returns the first path for the salvaged games of a store that no file has.
pub fn salvage_target(path: &Path) -> PathBuf {
    super::open_file::path_beside(path, "salvaged")
}

fn missing(path: &Path) -> SessionError {
    SessionError::new(format!("there are no saved games in {}", path.display()))
}

/// Checks a store: its structure, its tables, and the checksum of each game.
///
/// # Errors
/// If there is no store.
pub fn check_store(path: &Path) -> Result<StoreCheck, SessionError> {
    if !path.is_file() {
        return Err(missing(path));
    }
    let damaged = |damage| Ok(StoreCheck { games: 0, damage: Some(damage), damaged_games: Vec::new() });
    if let Some(damage) = checks::find_damage(path, true) {
        return damaged(damage);
    }
    let file = checks::open_existing(path).map_err(storage_error)?;
    let text = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'games')";
    if !file.query_row(text, [], |row| row.get(0)).map_err(storage_error)? {
        return damaged("it has no table of games".into());
    }
    let version: u32 =
        file.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(storage_error)?;
    let games = file.query_row("SELECT COUNT(*) FROM games", [], |row| row.get(0)).map_err(storage_error)?;
    // Earlier versions have no checksums.
    let has_checksums = version >= super::schema::SCHEMA_VERSION;
    let damaged_games =
        if has_checksums { checks::damaged_games(&file).map_err(storage_error)? } else { Vec::new() };
    Ok(StoreCheck { games, damage: None, damaged_games })
}

/// Writes a backup of a store to a new file.
///
/// # Errors
/// If there is no store, it is damaged, or the file exists or cannot be written.
pub fn back_up_store(path: &Path, target: &Path) -> Result<usize, SessionError> {
    let check = check_store(path)?;
    if let Some(damage) = check.damage {
        return Err(checks::damaged_store(path, &damage));
    }
    let file = checks::open_existing(path).map_err(storage_error)?;
    backups::copy_to(&file, target)
        .map_err(|error| SessionError::new(format!("cannot write {}: {error}", target.display())))?;
    Ok(check.games)
}

/// Returns the path of the next backup that is made by hand.
pub fn backup_target(path: &Path) -> PathBuf {
    super::open_file::path_beside(path, "backup")
}
