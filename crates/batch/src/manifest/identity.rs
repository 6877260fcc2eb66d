//! What makes two analyses the same one: their options and games.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::PlannedGame;
use crate::chunk::{AnalysisOptions, hex_digest};

/// Returns the differences between the options of an analysis and those requested.
pub(super) fn describe_changes(found: &AnalysisOptions, requested: &AnalysisOptions) -> Vec<String> {
    let pairs = [found, requested].map(|options| match serde_json::to_value(options) {
        Ok(serde_json::Value::Object(values)) => values,
        _ => serde_json::Map::new(),
    });
    let [found, requested] = &pairs;
    let changed = found.iter().filter(|&(key, value)| requested.get(key) != Some(value));
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::Null => "none".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let describe = |(key, value): (&String, &serde_json::Value)| {
        let name = match key.as_str() {
            "build" => "another build of the program".to_owned(),
            "movetime_ms" => "--movetime".to_owned(),
            "hash_mib" => "--hash".to_owned(),
            name => format!("--{name}"),
        };
        format!("{name} {}, not {}", text(value), requested.get(key).map_or("none".into(), text))
    };
    changed.map(describe).collect()
}

/// The hash of an analysis: of its options, and of its games in their order, each with its number in its file.
///
/// The names of the files are left out, because no result of a chunk depends on them: the same file may have another
/// path in another run or on another machine.
pub(super) struct AnalysisDigest(Sha256);

impl AnalysisDigest {
    pub(super) fn new(options: &AnalysisOptions) -> Self {
        let mut digest = AnalysisDigest(Sha256::new());
        digest.add(options);
        digest
    }

    pub(super) fn add_game(&mut self, game: &PlannedGame) {
        let PlannedGame { file: _, file_number, game, start, moves, record, error } = game;
        self.add(&(file_number, game, start, moves, record, error));
    }

    fn add(&mut self, data: &impl Serialize) {
        let text = serde_json::to_vec(data).expect("plain data can be written as JSON");
        self.0.update(&text);
        self.0.update(b"\n");
    }

    pub(super) fn finish(self) -> String {
        hex_digest(&self.0.finalize()[..16])
    }
}
