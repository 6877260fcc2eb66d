//! Helpers of the tests: published perft counts, sample files, random positions.

pub(crate) mod reference;

use std::io::Write;
use std::path::PathBuf;

use alfil_chess::{Board, Chess, Piece, PieceKind, Setup, Square};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position, Setup as _, Side, Waivers};

/// A published perft count.
pub(crate) struct PerftRow {
    pub fen: String,
    pub depth: u32,
    /// The number of leaves; the largest ones exceed 64 bits.
    pub nodes: u128,
}

/// Returns the rows of `testdata/perft.jsonl`.
pub(crate) fn perft_rows() -> Vec<PerftRow> {
    let text = include_str!("../../testdata/perft.jsonl");
    let field = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\": ")).expect(name) + name.len() + 4;
        line[start..].trim_start_matches('"').split(['"', ',', '}']).next().unwrap().to_owned()
    };
    let row = |line: &str| PerftRow {
        fen: field(line, "fen"),
        depth: field(line, "depth").parse().unwrap(),
        nodes: field(line, "nodes").parse().unwrap(),
    };
    text.lines().map(row).collect()
}

/// Reads a sample file from the folder `ALFIL_SAMPLES`, by default `../shared/data/samples` beside the workspace.
/// Sample files are never committed.
///
/// Returns none for a missing file, after a note to stderr that the test runner does not capture.
///
/// # Panics
/// If the file is missing and `ALFIL_SAMPLES` or `ALFIL_NO_SKIP` is set.
pub(crate) fn sample(path: &str) -> Option<String> {
    let folder = std::env::var_os("ALFIL_SAMPLES").map(PathBuf::from);
    let no_skip = std::env::var_os("ALFIL_NO_SKIP").is_some_and(|value| !value.is_empty() && value != "0");
    let may_skip = folder.is_none() && !no_skip;
    let default_folder = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/samples");
    let file = folder.unwrap_or_else(default_folder).join(path);
    match std::fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) => {
            assert!(may_skip, "cannot read sample {}: {error}", file.display());
            let note =
                format!("\n*** SKIPPED: sample {path}: {error}; set ALFIL_SAMPLES to its folder ***\n");
            std::io::stderr().write_all(note.as_bytes()).expect("stderr is writable");
            None
        }
    }
}

/// Creates a board from a setup, with all waivable issues waived.
pub(crate) fn board<P: Position<Game = Chess>>(setup: &Setup) -> P {
    P::from_setup(setup, &Waivers::All).unwrap_or_else(|error| panic!("{setup:?}: {error}"))
}

/// Creates a board from the text of a valid position.
pub(crate) fn board_from_fen<P: Position<Game = Chess>>(fen: &str) -> P {
    let setup = Setup::parse(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    P::from_setup(&setup, &Waivers::None).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns a start position: in half of the cases the standard one, else of Chess960 or double Chess960.
pub(crate) fn random_start(random: &mut SplitMix64) -> Setup {
    match random.below(4) {
        0 | 1 => Setup::start(),
        2 => Setup::chess960(random.below(960)).unwrap(),
        _ => Setup::double_chess960(random.below(960), random.below(960)).unwrap(),
    }
}

/// Returns a position after at most `plies` random legal moves.
pub(crate) fn random_position<P: Board>(random: &mut SplitMix64, plies: usize) -> P {
    let mut position: P = board(&random_start(random));
    for _ in 0..plies {
        let moves = sorted_legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position.make(moves[random.below(moves.len())], &mut ());
    }
    position
}

/// Returns a setup of randomly placed pieces, with random castling rights and en passant square. Pawns may be on
/// impossible squares.
pub(crate) fn random_setup(random: &mut SplitMix64) -> Setup {
    let mut setup = Setup::EMPTY;
    let mut free_squares: Vec<_> = Square::all().collect();
    let max_pieces = 1 + random.below(15);
    for side in Side::BOTH {
        let on_back_rank = random.below(2) == 0;
        for number in 0..=random.below(max_pieces + 1) {
            let kind = if number == 0 { PieceKind::King } else { PieceKind::ALL[random.below(5)] };
            let mut index = random.below(free_squares.len());
            if on_back_rank && matches!(kind, PieceKind::King | PieceKind::Rook) {
                let back_rank = if side == Side::First { 0 } else { 7 };
                index = free_squares
                    .iter()
                    .position(|square| square.rank() == back_rank && square.file() >= random.below(8))
                    .unwrap_or(index);
            }
            setup.board[free_squares.swap_remove(index).index()] = Some(Piece::new(side, kind));
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
