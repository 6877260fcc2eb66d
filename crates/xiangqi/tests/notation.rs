//! All dialects, compared with a table of reference spellings and by round trips on random positions.

use std::cell::Cell;
use std::collections::HashSet;

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{Dialect as _, Notation, NotationError, Position, Setup as _, Side, Waivers};
use alfil_xiangqi::notation::chinese::{self, Script};
use alfil_xiangqi::notation::wxf::{self, WxfStyle};
use alfil_xiangqi::notation::{Dialect, MoveNotation};
use alfil_xiangqi::{Bitboard, Board, Mailbox, Move, Piece, PieceKind, Setup, Square};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

use crate::common;

/// Spellings from xqbase's convention text, ElephantEye, the federation's rules of 1997 and Fairy-Stockfish's output.
const GOLDEN: &str = include_str!("../testdata/notation.tsv");

const STYLES: [WxfStyle; 3] = [WxfStyle::Xqbase, WxfStyle::Federation, WxfStyle::Fairy];

#[test]
fn spellings_equal_the_reference_table() {
    let mut rows = 0;
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = line.split('\t').collect();
        let [_, fen, ucci, uci10, iccs, simplified, traditional, xqbase, federation, fairy] = columns[..]
        else {
            panic!("ten columns: {line}");
        };
        let board: Mailbox = common::board(&Setup::parse(fen).unwrap());
        let mv: Move = sorted_legal_moves(&board).into_iter().find(|mv| mv.to_string() == ucci).expect(line);
        for (dialect, text) in [
            (Dialect::Ucci, ucci),
            (Dialect::Uci10, uci10),
            (Dialect::Iccs, iccs),
            (Dialect::Chinese, simplified),
            (Dialect::ChineseTraditional, traditional),
            (Dialect::Wxf, xqbase),
        ] {
            assert_eq!(MoveNotation::format_move(&board, mv, dialect), text, "{line}");
            assert_eq!(MoveNotation::parse_move(&board, text, dialect), Ok(mv), "{line}");
        }
        assert_eq!(chinese::format_move(&board, mv, Script::Traditional), traditional, "{line}");
        for (style, text) in STYLES.into_iter().zip([xqbase, federation, fairy]) {
            assert_eq!(wxf::format_move(&board, mv, style), text, "{line}");
            assert_eq!(MoveNotation::parse_move(&board, text, Dialect::Wxf), Ok(mv), "{line}: {text}");
        }
        assert_eq!(MoveNotation::parse_move(&board, traditional, Dialect::Chinese), Ok(mv), "{line}");
        assert_eq!(
            MoveNotation::parse_move(&board, simplified, Dialect::ChineseTraditional),
            Ok(mv),
            "{line}"
        );
        rows += 1;
    }
    assert_eq!(rows, 84);
}

/// Generates positions of random games.
fn random_game_position() -> impl Strategy<Value = Setup> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..120).prop_map(|choices| {
        let mut board: Bitboard = common::board(&Setup::start());
        for choice in choices {
            let moves = sorted_legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            board.make(*choice.get(&moves), &mut ());
        }
        board.to_setup()
    })
}

/// Generates positions with pieces crowded on two files a side, unreachable squares included: pairs of every kind,
/// soldiers in rows of up to five.
fn random_tandems() -> impl Strategy<Value = Setup> {
    let files = prop::array::uniform4(0..Square::FILES);
    let kings = prop::array::uniform2((3..=5_usize, 0..=2_usize));
    let kind = prop_oneof![1 => Just(PieceKind::Advisor), 1 => Just(PieceKind::Elephant), 1 => Just(PieceKind::Horse),
        1 => Just(PieceKind::Rook), 1 => Just(PieceKind::Cannon), 4 => Just(PieceKind::Soldier)];
    let piece = (any::<bool>(), kind, 0..2_usize, 0..Square::RANKS);
    let pieces = prop::collection::vec(piece, 0..40);
    (any::<bool>(), files, kings, pieces).prop_filter_map(
        "invalid setup",
        |(red, files, [near, far], pieces)| {
            let mut setup = Setup { side_to_move: side(red), ..Setup::EMPTY };
            setup.board[Square::new(near.0, near.1).index()] = Some(Piece::new(Side::First, PieceKind::King));
            setup.board[Square::new(far.0, 9 - far.1).index()] =
                Some(Piece::new(Side::Second, PieceKind::King));
            for (red, kind, file, rank) in pieces {
                let piece = Piece::new(side(red), kind);
                let index = Square::new(files[2 * usize::from(red) + file], rank).index();
                if setup.board[index].is_none() && setup.squares_of(piece).count() < kind.initial_count() {
                    setup.board[index] = Some(piece);
                }
            }
            setup.validate(&Waivers::All).is_ok().then_some(setup)
        },
    )
}

fn side(red: bool) -> Side {
    if red { Side::First } else { Side::Second }
}

/// Returns the text with other accepted characters: old forms of the pieces, the other side's, plain digits.
fn respelled(text: &str) -> String {
    const OTHERS: [(&str, char); 9] = [
        ("帅将", '帥'),
        ("仕", '士'),
        ("相", '象'),
        ("马", '傌'),
        ("车", '俥'),
        ("炮", '包'),
        ("卒", '兵'),
        ("进", '上'),
        ("退", '下'),
    ];
    let respell = |character: char| {
        let figure = "一二三四五六七八九".chars().zip('1'..).find(|&(figure, _)| figure == character);
        let other = OTHERS.iter().find(|(characters, _)| characters.contains(character));
        figure.or(other.map(|&(_, other)| (character, other))).map_or(character, |(_, other)| other)
    };
    text.chars().map(respell).collect()
}

/// Returns the spelling of one of two equal pieces on a file by position, name and file, `前车五平六`; `None` for other
/// pieces.
fn by_position_and_file(board: &impl Board, mv: Move) -> Option<String> {
    let from = mv.origin();
    let piece = board.piece_on(from)?;
    let equal_pieces =
        Square::all().filter(|&at| at.file() == from.file() && board.piece_on(at) == Some(piece));
    let [lower, upper] = equal_pieces.collect::<Vec<_>>()[..] else { return None };
    let red = piece.side() == Side::First;
    let front = if red { lower.rank().max(upper.rank()) } else { lower.rank().min(upper.rank()) };
    let position = if from.rank() == front { '前' } else { '后' };
    let file = if red { 9 - from.file() } else { from.file() + 1 };
    let text = MoveNotation::format_move(board, mv, Dialect::Chinese);
    let end = text.char_indices().nth(2)?.0;
    Some(format!("{position}{}{file}{}", piece.hanzi(), &text[end..]))
}

/// Tests that every legal move has a text of its own in every dialect and is parsed from it, and that a text of another
/// style names the same move or is rejected. Returns the number of texts and of rejections.
fn assert_round_trips(board: &impl Board) -> Result<(usize, usize), TestCaseError> {
    let moves = sorted_legal_moves(board);
    let (mut texts, mut rejected) = (0, 0);
    for &dialect in Dialect::ALL {
        let spellings: HashSet<_> =
            moves.iter().map(|&mv| MoveNotation::format_move(board, mv, dialect)).collect();
        prop_assert_eq!(spellings.len(), moves.len(), "{}", dialect.name());
        for &mv in &moves {
            let text = MoveNotation::format_move(board, mv, dialect);
            prop_assert_eq!(MoveNotation::parse_move(board, &text, dialect), Ok(mv), "{}", text);
            texts += 1;
        }
    }
    for &mv in &moves {
        let text = respelled(&MoveNotation::format_move(board, mv, Dialect::Chinese));
        prop_assert_eq!(MoveNotation::parse_move(board, &text, Dialect::Chinese), Ok(mv), "{}", text);
        if let Some(text) = by_position_and_file(board, mv) {
            prop_assert_eq!(
                MoveNotation::parse_move(board, &text, Dialect::ChineseTraditional),
                Ok(mv),
                "{}",
                text
            );
        }
        for style in STYLES {
            let text = wxf::format_move(board, mv, style);
            match MoveNotation::parse_move(board, &text, Dialect::Wxf) {
                Ok(found) => prop_assert_eq!(found, mv, "{} as {:?}", text, style),
                Err(NotationError::Ambiguous { .. }) => rejected += 1,
                Err(error) => return Err(TestCaseError::fail(format!("{style:?}: {error}"))),
            }
        }
    }
    Ok((texts, rejected))
}

#[test]
fn every_legal_move_round_trips_in_every_dialect() {
    // The same cases in every run; a failure is shrunk and printed, not stored.
    let config = ProptestConfig {
        cases: 600,
        rng_seed: RngSeed::Fixed(0x9e),
        failure_persistence: None,
        ..Default::default()
    };
    let (texts, rejected, rows) = (Cell::new(0), Cell::new(0), Cell::new([0; 6]));
    let assert_round_trips = |setup: Setup| {
        let (written, ambiguous) = assert_round_trips(&common::board::<Bitboard>(&setup))?;
        texts.set(texts.get() + written);
        rejected.set(rejected.get() + ambiguous);
        let mut counts = rows.get();
        for file in 0..Square::FILES {
            let soldiers = setup.squares_of(Piece::new(setup.side_to_move, PieceKind::Soldier));
            counts[soldiers.filter(|at| at.file() == file).count()] += 1;
        }
        rows.set(counts);
        Ok(())
    };
    let strategy = prop_oneof![1 => random_game_position(), 2 => random_tandems()];
    TestRunner::new(config).run(&strategy, assert_round_trips).unwrap_or_else(|error| panic!("{error}"));
    let (texts, rejected, rows) = (texts.get(), rejected.get(), rows.get());
    assert!(texts > 40_000, "{texts}");
    assert!(rows.iter().all(|&files| files > 0), "{rows:?}");
    // Only texts on which two styles contradict each other.
    assert!(rejected > 0 && rejected * 1_000 < texts, "{rejected} of {texts}");
}
