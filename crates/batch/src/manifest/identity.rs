//! What makes two analyses the same one: their options and games.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::PlannedGame;
use crate::chunk::{AnalysisOptions, hex_digest};
use crate::run_identity::RunTerms;

/// How the folder of another analysis is refused.
pub(super) const TERMS: RunTerms = RunTerms {
    what: "an analysis",
    labels: &[
        ("build", "another build of the program"),
        ("movetime_ms", "--movetime"),
        ("hash_mib", "--hash"),
    ],
    advice: "use another folder",
};

/// Returns the options of an analysis as its identity.
pub(super) fn identity(options: &AnalysisOptions) -> Value {
    serde_json::to_value(options).expect("plain data can be written as JSON")
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
