//! The salvage of a damaged store: every game that can be read is written to a new one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::time::Duration;

use alfil_page::{OpenGame, StoredGame, StoredNode, TagSummary, unpack_tree};
use alfil_session::SessionError;
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::checksums::{game_sum, node_sum, row_sum};
use super::file_watch::side_file;
use super::open_file::{OpenFile, sync_folder};
use super::raw_pages::{RawRow, RawValue, for_each_row};
use super::{MAX_NODE, storage_error};
use crate::host::HOST;

/// The number of nodes up to which the playable ones of a damaged game are sought one by one.
const MAX_TRIED_NODES: usize = 1000;

/// What was salvaged.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Salvage {
    /// The number of games that are as they were saved.
    pub whole: usize,
    /// The games of which a part is damaged or missing: their ids, and their players as far as they are known.
    pub partial: Vec<(String, String)>,
    /// The ids of the games of which nothing can be read.
    pub lost: Vec<String>,
}

/// The row of a game.
#[derive(Debug)]
struct GameRow {
    number: i64,
    game: String,
    revision: i64,
    /// `None` if it is no text.
    record: Option<String>,
    /// The moves of an imported game; `Some(None)` if they are no text.
    moves: Option<Option<String>>,
    checksum: Option<i64>,
    changed: Option<i64>,
    deleted: Option<i64>,
}

/// What a list knows of a game.
#[derive(Debug)]
struct SummaryRow {
    game: String,
    collection: Option<i64>,
    changed: i64,
    deleted: Option<i64>,
    players: String,
}

/// Everything that was read.
#[derive(Default)]
struct Rows {
    games: BTreeMap<String, Vec<GameRow>>,
    /// The records of the nodes by game and number; more than one if a page is there twice.
    nodes: HashMap<String, BTreeMap<i64, Vec<String>>>,
    summaries: HashMap<String, SummaryRow>,
    collections: BTreeMap<i64, (String, String, i64, Option<i64>, i64)>,
}

fn text(value: &RawValue) -> Option<String> {
    match value {
        RawValue::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn integer(value: &RawValue) -> Option<i64> {
    match value {
        RawValue::Integer(number) => Some(*number),
        _ => None,
    }
}

/// Returns whether the last value of a row is the checksum of the others, of which the first is the number of the row.
fn has_own_checksum(number: i64, values: &[RawValue]) -> bool {
    let Some((RawValue::Integer(sum), values)) = values.split_last() else { return false };
    let number = RawValue::Integer(number);
    let values = [&number].into_iter().chain(&values[1..]);
    *sum == row_sum(values.map(|value| match value {
        RawValue::Integer(number) => rusqlite::types::ValueRef::Integer(*number),
        RawValue::Text(text) => rusqlite::types::ValueRef::Text(text.as_bytes()),
        RawValue::Null | RawValue::Other => rusqlite::types::ValueRef::Null,
    }))
}

impl Rows {
    fn add(&mut self, row: RawRow) {
        let values = &row.values;
        match (row.number, values.len()) {
            (None, 3) => self.add_node(values),
            (Some(number), 6 | 7) if values[0] == RawValue::Null => {
                self.add_game_or_collection(number, values)
            }
            (Some(number), 6 | 7) => self.add_old_game(number, values),
            (Some(number), 19 | 21) => self.add_summary(number, values),
            _ => {}
        }
    }

    fn add_node(&mut self, values: &[RawValue]) {
        if let [RawValue::Text(game), RawValue::Integer(number), RawValue::Text(record)] = values {
            let records = self.nodes.entry(game.clone()).or_default().entry(*number).or_default();
            if !records.contains(record) {
                records.push(record.clone());
            }
        }
    }

    fn add_game_or_collection(&mut self, number: i64, values: &[RawValue]) {
        let Some((id, name)) = text(&values[1]).zip(text(&values[2])) else { return };
        let Some(created) = integer(&values[3]) else { return };
        if let (RawValue::Null | RawValue::Integer(_), RawValue::Integer(is_complete)) =
            (&values[4], &values[5])
        {
            let is_whole = values.len() == 6 || has_own_checksum(number, values);
            // Nothing is hidden by a mark that may be wrong.
            let (deleted, is_complete) =
                if is_whole { (integer(&values[4]), *is_complete) } else { (None, 1) };
            self.collections.insert(number, (id, name, created, deleted, is_complete));
            return;
        }
        let game = GameRow {
            number,
            game: name,
            revision: created,
            record: text(&values[4]),
            moves: (values[5] != RawValue::Null).then(|| text(&values[5])),
            checksum: values.get(6).and_then(integer),
            changed: None,
            deleted: None,
        };
        self.games.entry(id).or_default().push(game);
    }

    /// Adds a game of a version before the library.
    fn add_old_game(&mut self, number: i64, values: &[RawValue]) {
        let Some((id, game)) = text(&values[0]).zip(text(&values[1])) else { return };
        let (Some(revision), changed) = (integer(&values[3]), integer(&values[4])) else { return };
        let deleted = values.get(6).and_then(integer);
        let record = text(&values[5]);
        let row = GameRow { number, game, revision, record, moves: None, checksum: None, changed, deleted };
        self.games.entry(id).or_default().push(row);
    }

    fn add_summary(&mut self, number: i64, values: &[RawValue]) {
        let Some((id, game)) = text(&values[1]).zip(text(&values[3])) else { return };
        let is_whole = values.len() == 19 || has_own_checksum(number, values);
        let summary = SummaryRow {
            game,
            collection: integer(&values[2]).filter(|_| is_whole),
            changed: integer(&values[5]).filter(|_| is_whole).unwrap_or_default(),
            deleted: integer(&values[6]).filter(|_| is_whole),
            players: [10, 11].map(|column| text(&values[column]).unwrap_or_default()).join(" - "),
        };
        if is_whole || !self.summaries.contains_key(&id) {
            self.summaries.insert(id, summary);
        }
    }
}

/// A game that was read: what is written to the new store.
struct SalvagedGame {
    game: String,
    record: String,
    moves: Option<String>,
    nodes: Vec<(i64, String)>,
    is_whole: bool,
}

/// Returns the form of each node that comes first, or last, of those that were read.
fn chosen(nodes: &BTreeMap<i64, Vec<String>>, is_first: bool) -> Vec<(i64, String)> {
    let choose = |(number, records): (&i64, &Vec<String>)| {
        let record = if is_first { records.first() } else { records.last() };
        record.map(|record| (*number, record.clone()))
    };
    nodes.iter().filter_map(choose).collect()
}

/// Returns a game whose checksum is right.
fn whole_game(id: &str, rows: &[GameRow], nodes: &BTreeMap<i64, Vec<String>>) -> Option<SalvagedGame> {
    for row in rows {
        let (Some(checksum), Some(record)) = (row.checksum, &row.record) else { continue };
        let moves = match &row.moves {
            Some(moves) => Some(moves.clone()?),
            None => None,
        };
        let sum = game_sum(id, &row.game, record, moves.as_deref());
        let none = Vec::new();
        for nodes in [none, chosen(nodes, true), chosen(nodes, false)] {
            let total = nodes
                .iter()
                .fold(sum, |sum, (number, record)| sum.wrapping_add(node_sum(id, *number, record)));
            if total == checksum {
                let (game, record) = (row.game.clone(), record.clone());
                return Some(SalvagedGame { game, record, moves, nodes, is_whole: true });
            }
        }
    }
    None
}

/// Returns the nodes of moves in one text, as far as it can be read.
fn packed_nodes(moves: &str) -> Vec<Option<StoredNode>> {
    let ends = moves.rmatch_indices(',').map(|(end, _)| format!("{}]", &moves[..end]));
    [moves.to_owned()].into_iter().chain(ends).find_map(|text| unpack_tree(&text).ok()).unwrap_or_default()
}

/// Returns whether a game can be opened and all its moves played.
fn is_playable(id: &str, stored: &StoredGame, nodes: &BTreeMap<usize, Value>) -> bool {
    let mut list: Vec<Option<StoredNode>> = Vec::new();
    for (number, node) in nodes {
        list.resize_with(*number, || None);
        let Ok(node) = serde_json::from_value(node.clone()) else { return false };
        list.push(Some(node));
    }
    let record = stored.clone().into_record(list);
    record
        .and_then(|record| OpenGame::from_saved(id.into(), 1, record, Duration::ZERO))
        .and_then(|mut game| game.played.label_all())
        .is_ok()
}

/// Returns the nodes that hang together, in the order in which they are reached, with the children that are there.
fn linked_nodes(nodes: &BTreeMap<usize, Value>) -> Vec<(usize, usize)> {
    let parent = |node: &Value| node["parent"].as_u64().map(|parent| parent as usize);
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, node) in nodes.iter().filter(|(number, _)| **number > 0) {
        if let Some(parent) = parent(node) {
            children.entry(parent).or_default().push(*number);
        }
    }
    for (parent, children) in &mut children {
        let order =
            nodes.get(parent).and_then(|node| node["children"].as_array()).cloned().unwrap_or_default();
        let place = |number: &usize| order.iter().position(|child| child.as_u64() == Some(*number as u64));
        children.sort_by_key(|number| (place(number).unwrap_or(usize::MAX), *number));
    }
    let (mut linked, mut waiting, mut seen) = (Vec::new(), vec![(0, 0)], BTreeSet::new());
    while let Some((number, parent)) = waiting.pop() {
        if seen.insert(number) {
            linked.push((number, parent));
            let next = children.get(&number).into_iter().flatten().rev();
            waiting.extend(next.map(|child| (*child, number)));
        }
    }
    linked
}

/// Adds a node to a tree whose nodes name their children.
fn attach(tree: &mut BTreeMap<usize, Value>, number: usize, parent: usize, node: &Value) {
    let mut node = node.clone();
    node["children"] = json!([]);
    tree.insert(number, node);
    if number > 0
        && let Some(Value::Array(children)) = tree.get_mut(&parent).map(|parent| parent["children"].take())
    {
        let children = children.into_iter().chain([json!(number)]).collect::<Vec<_>>();
        tree.entry(parent).and_modify(|parent| parent["children"] = Value::Array(children));
    }
}

/// Returns what can be played of a game with these nodes.
fn playable_nodes(
    id: &str,
    stored: &StoredGame,
    nodes: &BTreeMap<usize, Value>,
) -> Option<BTreeMap<usize, Value>> {
    let linked = linked_nodes(nodes);
    let empty = json!({"parent": 0, "text": ""});
    let mut tree = BTreeMap::new();
    for (number, parent) in &linked {
        attach(&mut tree, *number, *parent, nodes.get(number).unwrap_or(&empty));
    }
    if is_playable(id, stored, &tree) {
        return Some(tree);
    }
    tree.clear();
    for (number, parent) in linked.iter().take(MAX_TRIED_NODES).filter(|(number, _)| *number <= MAX_NODE) {
        if *number > 0 && !tree.contains_key(parent) {
            continue;
        }
        let mut longer = tree.clone();
        attach(&mut longer, *number, *parent, nodes.get(number).unwrap_or(&empty));
        if is_playable(id, stored, &longer) {
            tree = longer;
        } else if *number == 0 {
            let mut root = BTreeMap::new();
            attach(&mut root, 0, 0, &empty);
            if !is_playable(id, stored, &root) {
                return None;
            }
            tree = root;
        }
    }
    Some(tree)
}

/// Returns what can be read of a game whose checksum is wrong or missing.
fn partial_game(
    id: &str,
    row: Option<&GameRow>,
    game: &str,
    nodes: &BTreeMap<i64, Vec<String>>,
) -> Option<SalvagedGame> {
    let mut record: Option<Value> = row.and_then(|row| serde_json::from_str(row.record.as_ref()?).ok());
    // Version 0.1.0 has the moves in the record.
    let old_tree = record.as_mut().and_then(|record| record.as_object_mut()?.remove("tree"));
    let from_node =
        |(number, node): (usize, Option<StoredNode>)| Some((number, serde_json::to_value(node?).ok()?));
    let mut found: BTreeMap<usize, Value> = match (row.and_then(|row| row.moves.clone()).flatten(), old_tree)
    {
        (Some(moves), _) => packed_nodes(&moves).into_iter().enumerate().filter_map(from_node).collect(),
        (None, Some(tree)) => {
            let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
            nodes.into_iter().enumerate().filter(|(_, node)| !node.is_null()).collect()
        }
        (None, None) => BTreeMap::new(),
    };
    let read = chosen(nodes, true).into_iter().filter_map(|(number, record)| {
        let number = usize::try_from(number).ok().filter(|number| *number <= MAX_NODE)?;
        let node: Value = serde_json::from_str(&record).ok()?;
        serde_json::from_value::<StoredNode>(node.clone()).ok()?;
        Some((number, node))
    });
    found.extend(read);
    let plain = json!({
        "game": game, "start": "startpos", "person": null, "level": 1, "resigned": null, "dialect": null
    });
    let has_record = record.is_some();
    for record in record.into_iter().chain([plain]) {
        let Ok(stored) = serde_json::from_value::<StoredGame>(record.clone()) else { continue };
        let Some(tree) = playable_nodes(id, &stored, &found) else { continue };
        // Without a record, and without a move, nothing is known of the game.
        if !has_record && tree.len() < 2 {
            return None;
        }
        let children = |node: &Value| node["children"].as_array().cloned().unwrap_or_default();
        let is_same = |number: &usize| tree.get(number).map(children) == found.get(number).map(children);
        let has_all = tree.len() == found.len() && tree.keys().all(is_same);
        let is_complete = row.is_some_and(|row| row.checksum.is_none()) && has_all && has_record;
        let nodes = tree.iter().map(|(number, node)| (*number as i64, node.to_string())).collect();
        let record = serde_json::to_string(&stored).ok()?;
        return Some(SalvagedGame { game: game.into(), record, moves: None, nodes, is_whole: is_complete });
    }
    None
}

/// Writes the games of a damaged file to a new one.
///
/// # Errors
/// If the file cannot be read, or the new one exists or cannot be written.
pub fn salvage_store(path: &Path, target: &Path) -> Result<Salvage, SessionError> {
    let error = |what: &str, path: &Path, error: &dyn std::fmt::Display| {
        SessionError::new(format!("cannot {what} {}: {error}", path.display()))
    };
    if target.symlink_metadata().is_ok() {
        return Err(error("write", target, &"it exists; choose another file with -o"));
    }
    let mut rows = Rows::default();
    for_each_row(path, |row| rows.add(row)).map_err(|failed| error("read", path, &failed))?;
    let part = side_file(target, "-part");
    let remove = || {
        ["", "-wal", "-shm"].iter().for_each(|suffix| drop(fs::remove_file(side_file(&part, suffix))));
    };
    remove();
    let written = write_store(&part, &rows).and_then(|salvage| {
        fs::hard_link(&part, target).or_else(|_| fs::rename(&part, target)).map_err(storage_error)?;
        Ok(salvage)
    });
    remove();
    sync_folder(target);
    written.map_err(|failed| error("write", target, &failed))
}

fn write_store(path: &Path, rows: &Rows) -> Result<Salvage, SessionError> {
    let mut file = OpenFile::open(path)?;
    let mut salvage = Salvage::default();
    let transaction = file.connection_mut().transaction().map_err(storage_error)?;
    write_games(&transaction, rows, &mut salvage).map_err(storage_error)?;
    transaction.commit().map_err(storage_error)?;
    // The database is whole without its log.
    file.connection_mut().pragma_update(None, "journal_mode", "DELETE").map_err(storage_error)?;
    Ok(salvage)
}

fn write_games(file: &Connection, rows: &Rows, salvage: &mut Salvage) -> rusqlite::Result<()> {
    let now = (HOST.unix_seconds)();
    for (number, (id, name, created, deleted, is_complete)) in &rows.collections {
        let text = "INSERT OR IGNORE INTO collections (number, id, name, created, deleted, is_complete)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        file.execute(text, params![number, id, name, created, deleted, is_complete])?;
    }
    let (no_rows, no_nodes) = (Vec::new(), BTreeMap::new());
    let ids: BTreeSet<&String> =
        rows.games.keys().chain(rows.nodes.keys()).chain(rows.summaries.keys()).collect();
    let mut partly_read = None;
    for id in ids {
        let games = rows.games.get(id).unwrap_or(&no_rows);
        let nodes = rows.nodes.get(id).unwrap_or(&no_nodes);
        let summary = rows.summaries.get(id);
        let row = games.last();
        let name =
            row.map(|row| row.game.clone()).or_else(|| Some(summary?.game.clone())).unwrap_or_default();
        let names = [name.as_str(), "xiangqi", "chess", "othello"];
        let found = whole_game(id, games, nodes)
            .or_else(|| names.iter().find_map(|name| partial_game(id, row, name, nodes)));
        let Some(found) = found else {
            salvage.lost.push(id.clone());
            continue;
        };
        let mut collection = summary.and_then(|summary| summary.collection);
        if found.is_whole {
            salvage.whole += 1;
        } else {
            let players = summary.map(|summary| summary.players.clone()).unwrap_or_default();
            salvage.partial.push((id.clone(), players));
            if partly_read.is_none() {
                let text = "INSERT INTO collections (id, name, created, is_complete) VALUES (?1, ?2, ?3, 1)";
                file.execute(text, params![HOST.new_id(), "Partly read / 部分读出", now])?;
                partly_read = Some(file.last_insert_rowid());
            }
            collection = partly_read;
        }
        write_game(file, id, row, summary, &found, collection)?;
    }
    Ok(())
}

fn write_game(
    file: &Connection,
    id: &str,
    row: Option<&GameRow>,
    summary: Option<&SummaryRow>,
    found: &SalvagedGame,
    collection: Option<i64>,
) -> rusqlite::Result<()> {
    let insert = "INSERT OR IGNORE INTO games (number, id, game, revision, record, moves)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let revision = row.map_or(1, |row| row.revision.clamp(1, i64::MAX / 2));
    let insert =
        |number| file.execute(insert, params![number, id, found.game, revision, found.record, found.moves]);
    let number = row.map(|row| row.number).filter(|number| *number > 0);
    if insert(number)? == 0 {
        insert(None)?;
    }
    for (number, record) in &found.nodes {
        file.execute(
            "INSERT INTO nodes (game, node, record) VALUES (?1, ?2, ?3)",
            params![id, number, record],
        )?;
    }
    let record: Value = serde_json::from_str(&found.record).unwrap_or_default();
    let tags: Vec<(String, String)> = serde_json::from_value(record["tags"].clone()).unwrap_or_default();
    let TagSummary { players: [first, second], result, date, event, .. } =
        TagSummary::new(&found.game, &tags);
    let changed =
        summary.map(|summary| summary.changed).or(row.and_then(|row| row.changed)).unwrap_or_default();
    let deleted = summary.map_or(row.and_then(|row| row.deleted), |summary| summary.deleted);
    file.execute(
        "INSERT INTO summaries (number, id, collection, game, plies, changed, deleted, is_stale, person, level, first,
            second, result, date, event, two_people)
        SELECT number, id, (SELECT number FROM collections WHERE number = ?2), game, 0, ?3, ?4, 1, ?5, ?6, ?7, ?8, ?9,
            ?10, ?11, ?12 FROM games WHERE id = ?1",
        params![
            id,
            collection,
            changed,
            deleted,
            record["person"].as_i64(),
            record["level"].as_i64().unwrap_or_default(),
            first,
            second,
            result,
            date,
            event,
            record["two_people"].as_bool().unwrap_or_default()
        ],
    )?;
    Ok(())
}
