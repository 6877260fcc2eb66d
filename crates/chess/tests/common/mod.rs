//! What the tests of this room share: rows of facts, sample files, random positions.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

pub mod oracle;

use std::io::Write;
use std::path::PathBuf;

use alfil_chess::{Board, Chess, Piece, PieceKind, Setup, Square};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position, Setup as _, Side, Waivers};

/// A count that was published.
pub struct Row {
    pub fen: String,
    pub depth: u32,
    /// The largest are beyond 64 bits.
    pub nodes: u128,
}

/// The rows of our own corpus of truths.
pub fn rows() -> Vec<Row> {
    let text = include_str!("../../../../testdata/chess/perft.jsonl");
    let field = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\": ")).expect(name) + name.len() + 4;
        line[start..].trim_start_matches('"').split(['"', ',', '}']).next().unwrap().to_owned()
    };
    let row = |line: &str| Row {
        fen: field(line, "fen"),
        depth: field(line, "depth").parse().unwrap(),
        nodes: field(line, "nodes").parse().unwrap(),
    };
    text.lines().map(row).collect()
}

/// A sample file that is never committed: under `ALFIL_SAMPLES`, or beside the workspace. Where a folder is named the file must
/// be there; where none is, a missing one skips the test, and says so past the test runner, which swallows what is printed.
pub fn sample(path: &str) -> Option<String> {
    let named = std::env::var_os("ALFIL_SAMPLES").map(PathBuf::from);
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/samples");
    let file = named.clone().unwrap_or_else(beside).join(path);
    match std::fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) => {
            assert!(named.is_none(), "ALFIL_SAMPLES: {path}: {error}");
            let loud =
                format!("\n*** SKIPPED: sample {path}: {error}; name its folder in ALFIL_SAMPLES ***\n");
            std::io::stderr().write_all(loud.as_bytes()).expect("stderr takes it");
            None
        }
    }
}

/// A board of a setup, every waivable complaint waived.
pub fn board<P: Position<Game = Chess>>(setup: &Setup) -> P {
    P::from_setup(setup, &Waivers::All).unwrap_or_else(|error| panic!("{setup:?}: {error}"))
}

/// A board of a sound position text.
pub fn read<P: Position<Game = Chess>>(fen: &str) -> P {
    let setup = Setup::parse(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    P::from_setup(&setup, &Waivers::None).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A start position: half of them the usual one, the others of Chess960 and double Fischer Random.
pub fn start(random: &mut SplitMix64) -> Setup {
    match random.below(4) {
        0 | 1 => Setup::start(),
        2 => Setup::chess960(random.below(960)).unwrap(),
        _ => Setup::double_chess960(random.below(960), random.below(960)).unwrap(),
    }
}

/// A position after so many random legal plies, or where they end.
pub fn played<P: Board>(random: &mut SplitMix64, plies: usize) -> P {
    let mut position: P = board(&start(random));
    for _ in 0..plies {
        let moves = sorted_legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position.make(moves[random.below(moves.len())], &mut ());
    }
    position
}

/// Men thrown on the board: few or many, pawns on impossible squares and all, with rights and en passant squares
/// written down at random.
pub fn scattered(random: &mut SplitMix64) -> Setup {
    let mut setup = Setup::EMPTY;
    let mut free: Vec<_> = Square::all().collect();
    let crowd = 1 + random.below(15);
    for side in Side::BOTH {
        let home = random.below(2) == 0;
        for man in 0..=random.below(crowd + 1) {
            let kind = if man == 0 { PieceKind::King } else { PieceKind::ALL[random.below(5)] };
            let mut at = random.below(free.len());
            if home && matches!(kind, PieceKind::King | PieceKind::Rook) {
                let back = if side == Side::First { 0 } else { 7 };
                at = free
                    .iter()
                    .position(|square| square.rank() == back && square.file() >= random.below(8))
                    .unwrap_or(at);
            }
            setup.board[free.swap_remove(at).index()] = Some(Piece::new(side, kind));
        }
    }
    setup.side_to_move = Side::BOTH[random.below(2)];
    setup.castling = [random.next_u64() as u8, random.next_u64() as u8];
    setup.en_passant = (random.below(2) == 0).then(|| {
        let rank = if setup.side_to_move == Side::First { 5 } else { 2 };
        Square::new(random.below(8), rank)
    });
    setup
}
