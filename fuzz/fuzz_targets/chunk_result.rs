//! The result of a chunk may be any bytes: it is refused, or is that of the chunk and is written back unchanged. The
//! checksums are also corrected, so that the input reaches the tests after them.
#![no_main]

use alfil_batch::checked_row::checked_line;
use alfil_batch::chunk::{AnalysisOptions, Chunk, ChunkGame};
use alfil_batch::queue::ChunkResult;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let options = AnalysisOptions::with_nodes("fuzz", 10);
    let game = ChunkGame {
        index: 0,
        game: "chess".into(),
        start: None,
        moves: vec!["e2e4".into()],
        plies: vec![0, 1],
    };
    let chunk = Chunk { options, games: vec![game] };
    let _ = ChunkResult::from_bytes(bytes.to_vec(), &chunk);
    let seed = crc32fast::hash(chunk.id().as_bytes());
    let rows =
        bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let rows = rows.filter(|row| row.as_object().is_some_and(|fields| !fields.is_empty()));
    let text: String = rows.map(|row| checked_line(seed, &row).0 + "\n").collect();
    if let Ok(result) = ChunkResult::from_bytes(text.clone().into_bytes(), &chunk) {
        assert_eq!((result.positions, result.bytes), (2, text.into_bytes()));
    }
});
