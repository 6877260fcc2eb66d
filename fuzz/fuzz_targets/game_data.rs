//! The reader of self-play games accepts any bytes; games that it reads are written back unchanged and can be checked.
//! The checksum of the first game is also corrected, so that the input reaches the tests after it.
#![no_main]

use alfil_training::check_game;
use alfil_training::game_data::{GameData, HEADER_BYTES, PLY_BYTES, read_shard};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    if bytes.len() >= HEADER_BYTES {
        let plies = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let end = bytes.len().min(HEADER_BYTES + PLY_BYTES * plies);
        let mut corrected = bytes[..end].to_vec();
        let checksum = crc32fast::hash(&[&corrected[..28], &corrected[HEADER_BYTES..]].concat());
        corrected[28..32].copy_from_slice(&checksum.to_le_bytes());
        check(&corrected);
    }
});

fn check(bytes: &[u8]) {
    let Ok(games) = read_shard(bytes) else { return };
    let written: Vec<_> = games.iter().flat_map(GameData::to_bytes).collect();
    assert_eq!(written, bytes);
    for game in &games {
        // Most games are illegal: this must be an error and no panic.
        let _ = check_game(game);
    }
}
