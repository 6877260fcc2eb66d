//! A stream of bytes plays on the mailbox: a byte chooses a legal move, some take moves back, some try any two points. Every
//! move unmade restores the board, the incremental key equals the full one, and at the end the whole road is walked back.
#![no_main]

use alfil_kernel::conformance::{examine, legal};
use alfil_kernel::{Line, Move as _, Position, Setup as _, Waivers};
use alfil_xiangqi::{Mailbox, Move, Setup};
use libfuzzer_sys::fuzz_target;

/// Bytes from here on do something other than choose a move; xiangqi has fewer than this many moves a position.
const TAKE_BACK: u8 = 240;
const TRY_ANY: u8 = 248;

fuzz_target!(|bytes: &[u8]| {
    let mut line = Line::<Mailbox>::start_of_game();
    let mut boards = vec![line.position().clone()];
    let mut bytes = bytes.iter().copied().take(600);
    while let Some(byte) = bytes.next() {
        match byte {
            TRY_ANY.. => {
                let (Some(high), Some(low)) = (bytes.next(), bytes.next()) else { break };
                try_any(&mut line, &mut boards, u16::from_be_bytes([high, low]));
            }
            TAKE_BACK.. if boards.len() > 1 => take_back(&mut line, &mut boards),
            _ => {
                let moves = legal(line.position());
                if moves.is_empty() {
                    take_back(&mut line, &mut boards);
                } else {
                    line.push(moves[byte as usize % moves.len()], &mut ());
                    boards.push(line.position().clone());
                }
            }
        }
        assert_eq!(line.position().key(), line.position().full_key());
        assert_eq!(line.check(), line.position().in_check(), "the record knows the check");
    }
    examine(&mut line.position().clone());
    let rebuilt =
        Mailbox::from_setup(&line.position().setup(), &Waivers::None).expect("a played position is sound");
    assert_eq!(rebuilt.key(), line.position().key());
    while boards.len() > 1 {
        take_back(&mut line, &mut boards);
    }
    assert_eq!(line.position().setup(), Setup::start(), "the road leads back to the start");
});

/// Any two bytes as a move: it is played exactly if it is generated.
fn try_any(line: &mut Line<Mailbox>, boards: &mut Vec<Mailbox>, bits: u16) {
    let Some(mv) = Move::from_bits(bits) else { return };
    let generated = legal(line.position()).contains(&mv);
    assert_eq!(line.try_play(mv).is_ok(), generated, "{mv} in {}", line.setup().write());
    if generated {
        boards.push(line.position().clone());
    }
}

fn take_back(line: &mut Line<Mailbox>, boards: &mut Vec<Mailbox>) {
    line.pop(&mut ());
    boards.pop();
    assert!(Some(line.position()) == boards.last(), "unmake restores every structure");
}
