//! Transcripts of Othello: a game a line, `f5d6c3d3c4`.
//!
//! Lines that begin with `#` or `%` are remarks; what stands behind a tab is somebody else's.

use alfil_kernel::{Line, Position as _};
use alfil_othello::notation::{read_transcript, write_transcript};
use alfil_othello::{Bitboard, Othello};

use crate::charset::Charset;
use crate::fault::{Fault, Origin, Reason, Refusal, numbered};
use crate::parsed::Parsed;
use crate::recorded::Recorded as _;
use crate::tree::{NodeId, Tree};

/// The games of a file, line by line. A game that breaks keeps the moves before.
///
/// ```
/// let games: Vec<_> = alfil_records::transcript::read(b"# two games\nf5d6c3\nf5f5\n").collect();
/// assert_eq!(games[0].tree.len(), 3);
/// let fault = games[1].broken.as_ref().unwrap().to_string();
/// assert_eq!(fault, "game 2, line 3, byte 21, move 1... f5: a disc stands on f5");
/// ```
pub fn read(bytes: &[u8]) -> impl Iterator<Item = Parsed<Othello>> + '_ {
    let (mut offset, mut number) = (0, 0);
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    lines.filter_map(move |(bytes, line)| {
        let origin =
            Origin { number: number + 1, offset, line, bytes, charset: Charset::Utf8, newline: b'\n' };
        offset += bytes.len() as u64 + 1;
        if matches!(bytes.trim_ascii(), [] | [b'#' | b'%', ..]) {
            return None;
        }
        number += 1;
        Some(game(&origin))
    })
}

fn game(origin: &Origin<'_>) -> Parsed<Othello> {
    let text = match std::str::from_utf8(origin.bytes) {
        Ok(text) => text.split('\t').next().unwrap_or_default(),
        Err(error) => {
            let fault = origin.fault(error.valid_up_to(), String::new(), Reason::NotAscii);
            return Parsed { tree: Tree::default(), broken: Some(fault), faults: Vec::new() };
        }
    };
    let start = *Line::<Bitboard>::start_of_game().position();
    let (moves, broken) = match read_transcript(&start, text) {
        Ok(moves) => (moves, None),
        Err(error) => {
            let before = read_transcript(&start, &text[..error.offset]).unwrap_or_default();
            let found = error.found.trim_matches('"');
            let reason = error
                .reason
                .map_or(Reason::NoSquare, |why| Reason::Move(Othello::refusal(Refusal::Move(why))));
            let fault = origin.fault(error.offset, numbered(before.len(), 1, false, found), reason);
            (before, Some(fault))
        }
    };
    let mut tree = Tree::default();
    let (mut node, mut position) = (NodeId::ROOT, start);
    for mv in moves {
        node = tree.add(node, Some(mv));
        position.make(mv, &mut ());
    }
    tree.result = position.ended().then(|| super::ggf::outcome(super::ggf::margin(&position)));
    Parsed { tree, broken, faults: Vec::<Fault>::new() }
}

/// The main line as a transcript, without a line break; passes are left out.
pub fn write(tree: &Tree<Othello>) -> String {
    write_transcript(&tree.moves().collect::<Vec<_>>())
}
