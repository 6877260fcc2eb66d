//! Checks of a store: of the structure of the file, of its tables, and of the checksums of games, rows and collections.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use alfil_session::SessionError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, params};

use super::backups;
use super::checksums::{
    self, COLLECTION_COLUMNS, COLLECTION_IS_WHOLE, SUMMARY_COLUMNS, SUMMARY_IS_WHOLE, read_sum,
};
use super::file_watch::side_file;
use super::open_file::OPEN_TIMEOUT;
use super::schema::SCHEMA_VERSION;

/// Up to this size a store is checked as a whole at each start, and larger ones after a start that did not end well.
const MAX_CHECKED_BYTES: u64 = 64 << 20;

/// Opens a store that exists, without bringing its log into it.
pub(super) fn open_existing(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let file = Connection::open_with_flags(path, flags)?;
    file.busy_timeout(OPEN_TIMEOUT)?;
    file.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    checksums::add_functions(&file)?;
    Ok(file)
}

/// Returns whether a store has changes in its log: it was not closed, or is open.
fn has_log(path: &Path) -> bool {
    side_file(path, "-wal").metadata().is_ok_and(|log| log.len() > 0)
}

/// Returns whether the log beside a file is that of another one: a file that has a log says so in its head, and a
/// backup, which may have been put in the place of a store, does not. SQLite would take the log for its own.
pub(super) fn has_foreign_log(path: &Path) -> bool {
    let mut head = [0; 20];
    has_log(path)
        && fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && head.starts_with(b"SQLite format 3\0")
        && head[18] == 1
}

/// Returns what is wrong with the structure of a file of games; `None` if nothing is.
pub(super) fn find_damage(path: &Path, is_thorough: bool) -> Option<String> {
    if path.metadata().is_ok_and(|file| file.len() == 0) {
        // A program that ended when it had created the file leaves it so.
        let had_games = has_log(path) || backups::has_daily_backup(path);
        return had_games.then(|| "it is empty".into());
    }
    if has_foreign_log(path) {
        return Some("the log beside it is that of another file".into());
    }
    let check = || -> rusqlite::Result<Option<String>> {
        let file = open_existing(path)?;
        let version: u32 = file.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let check = if is_thorough { "PRAGMA integrity_check(1)" } else { "PRAGMA quick_check(1)" };
        let found: String = file.query_row(check, [], |row| row.get(0))?;
        if found != "ok" {
            return Ok(Some(found));
        }
        let has_state = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'index_state')";
        if !file.query_row(has_state, [], |row| row.get(0))? {
            let is_old = version < 3 && file.prepare("SELECT id, game, plies, record FROM games").is_ok();
            // A program that ended before its first transaction leaves no table at all.
            let text = "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)";
            let is_new = file.query_row(text, [], |row| row.get(0))? && !backups::has_daily_backup(path);
            return Ok((!is_old && !is_new).then(|| "it has no tables of games".into()));
        }
        let text = "SELECT value FROM index_state WHERE name = 'schema'";
        let written: Vec<String> =
            file.prepare(text)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        if let Some(written) = written.first().filter(|written| **written != version.to_string()) {
            return Ok(Some(format!("its version is {version}, and {written} in its tables")));
        }
        if version == SCHEMA_VERSION {
            for columns in [
                "number, id, game, revision, record, moves, checksum FROM games",
                "game, node, record FROM nodes",
                &format!("{COLLECTION_COLUMNS}, checksum FROM collections"),
                &format!("{SUMMARY_COLUMNS}, checksum FROM summaries"),
                "segment, key, game FROM positions",
            ] {
                file.prepare(&format!("SELECT {columns}"))?;
            }
            let text = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'trigger'";
            let triggers: u32 = file.query_row(text, [], |row| row.get(0))?;
            if triggers < checksums::TRIGGERS {
                return Ok(Some("it has lost the rules of its checksums".into()));
            }
        }
        Ok(None)
    };
    check().unwrap_or_else(|error| Some(error.to_string()))
}

/// Returns the refusal of a damaged store, with the ways out.
pub(super) fn damaged_store(path: &Path, damage: &str) -> SessionError {
    let name = path.display();
    let damage = damage.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let mut message = format!(
        "the saved games in {name} are damaged: {damage}; \"alfil store salvage {name}\" writes what is readable to a \
        new file"
    );
    let mut chinese = format!(
        "磁盘上的对局 {name} 已损坏：{damage}；用 \"alfil store salvage {name}\" 把可读的对局写入新文件"
    );
    if let Some(backup) = backups::daily_backups(path).first() {
        message += &format!(", and the last backup is {}", backup.display());
        chinese += &format!("，最近的备份是 {}", backup.display());
    }
    SessionError::new(message).with_chinese(chinese)
}

/// Checks a store before it is opened: small ones always, large ones if they were not closed.
///
/// # Errors
/// If it is damaged.
pub(super) fn check_before_opening(path: &Path) -> Result<bool, SessionError> {
    let Ok(length) = path.metadata().map(|file| file.len()) else { return Ok(false) };
    let is_small = length <= MAX_CHECKED_BYTES;
    let is_checked = is_small || has_log(path);
    if is_checked && let Some(damage) = find_damage(path, is_small) {
        return Err(damaged_store(path, &damage));
    }
    Ok(is_checked)
}

/// A damaged game: its id, and its players as far as they are known.
pub(super) type DamagedGame = (String, String);

/// Returns the games whose checksum is wrong.
pub(super) fn damaged_games(file: &Connection) -> rusqlite::Result<Vec<DamagedGame>> {
    let mut damaged = Vec::new();
    let mut games = file.prepare("SELECT id, checksum FROM games ORDER BY number")?;
    let mut names = file.prepare("SELECT first || ' - ' || second FROM summaries WHERE id = ?1")?;
    let mut rows = games.query([])?;
    while let Some(row) = rows.next()? {
        // A flipped bit can make a text that is none.
        let id = row.get_ref(0)?.as_bytes().map(|id| String::from_utf8_lossy(id).into_owned())?;
        let sum: Option<i64> = row.get(1).unwrap_or_default();
        let is_whole = read_sum(file, &id).is_ok_and(|found| found.is_some() && found == sum);
        if !is_whole {
            let name = names.query_row([&id], |row| row.get(0)).unwrap_or_default();
            damaged.push((id, name));
        }
    }
    Ok(damaged)
}

/// Repairs what lists need: a row whose checksum is wrong is made again from its game, if that is whole, and shown as
/// damaged if it is not; no game and no collection stays hidden.
pub(super) fn repair_summaries(file: &mut Connection, now: i64) -> rusqlite::Result<()> {
    let transaction = file.transaction()?;
    let numbers = |text: &str| -> rusqlite::Result<Vec<i64>> {
        transaction.prepare(text)?.query_map([], |row| row.get(0))?.collect()
    };
    for number in numbers(&format!("SELECT number FROM collections c WHERE NOT ({COLLECTION_IS_WHOLE})"))? {
        let text = "UPDATE collections SET deleted = NULL, is_complete = 1 WHERE number = ?1";
        transaction.execute(text, [number])?;
    }
    for number in numbers("SELECT number FROM games WHERE number NOT IN (SELECT number FROM summaries)")? {
        let text = "INSERT OR IGNORE INTO summaries (number, id, game, plies, changed, is_stale)
            SELECT number, id, game, 0, ?2, 1 FROM games WHERE number = ?1";
        transaction.execute(text, params![number, now])?;
    }
    for number in numbers(&format!("SELECT number FROM summaries s WHERE NOT ({SUMMARY_IS_WHOLE})"))? {
        let row = "SELECT id, game, record, checksum FROM games WHERE number = ?1";
        let game: rusqlite::Result<(String, String, String, Option<i64>)> =
            transaction
                .query_row(row, [number], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
        let whole =
            game.ok().filter(|(id, _, _, sum)| read_sum(&transaction, id).is_ok_and(|found| found == *sum));
        let Some((id, game, record, _)) = whole else {
            let text = "UPDATE summaries SET deleted = NULL, collection = NULL WHERE number = ?1";
            transaction.execute(text, [number])?;
            continue;
        };
        let record: serde_json::Value = serde_json::from_str(&record).unwrap_or_default();
        let text = "UPDATE OR IGNORE summaries SET id = ?2, game = ?3, person = ?4, level = ?5, two_people = ?7, deleted = NULL,
            is_stale = 1, changed = CASE WHEN changed BETWEEN 0 AND ?6 THEN changed ELSE ?6 END,
            date = '', eco = '', opening = '', opening_zh = '', placement = '', result = '', first = '', second = '',
            event = '', collection = CASE WHEN collection IN (SELECT number FROM collections) THEN collection END
            WHERE number = ?1";
        let level = record["level"].as_i64().unwrap_or_default();
        let two_people = record["two_people"].as_bool().unwrap_or_default();
        transaction
            .execute(text, params![number, id, game, record["person"].as_i64(), level, now, two_people])?;
        let text = format!("UPDATE summaries SET checksum = checksum({SUMMARY_COLUMNS}) WHERE number = ?1");
        transaction.execute(&text, [number])?;
    }
    transaction.commit()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Makes changes that the checksums do not notice; returns the number of rows that the last one has changed.
    pub(crate) fn change_unnoticed(path: &Path, changes: &[&str]) -> usize {
        let file = open_existing(path).unwrap();
        let text = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";
        let mut triggers = file.prepare(text).unwrap();
        let triggers = triggers.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let triggers: Vec<(String, String)> = triggers.map(Result::unwrap).collect();
        for (name, _) in &triggers {
            file.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
        }
        let changed = changes.iter().map(|change| file.execute(change, []).unwrap()).last();
        for (_, sql) in &triggers {
            file.execute_batch(sql).unwrap();
        }
        changed.unwrap_or_default()
    }

    /// Changes a letter of a move.
    pub(crate) fn damage_a_move(path: &Path) {
        let change = "UPDATE nodes SET record = replace(record, 'h2e2', 'b2e2') WHERE node = 1";
        assert_eq!(change_unnoticed(path, &[change]), 1);
    }
}
