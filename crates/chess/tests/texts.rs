//! Property tests: positions, EPDs and moves round trip through their texts.

use alfil_chess::notation::Dialect;
use alfil_chess::{Bitboard, Board, Mailbox, MoveNotation, Piece, Setup, Square, epd, fen};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{Dialect as _, MoveCounters, Notation, Position, Setup as _, Side, Waivers};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Returns a configuration with the same cases in every run. A failure is shrunk and printed, but not saved to a file.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(0x88), failure_persistence: None, ..Default::default() }
}

fn square() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(|index| Square::from_index(index).expect("index is below Square::COUNT"))
}

/// Any setup, including impossible ones: any number of kings, rights without rooks, any en passant square.
fn any_setup() -> impl Strategy<Value = Setup> {
    let piece = (0..Piece::COUNT).prop_map(Piece::from_index);
    let board = prop::collection::vec(prop_oneof![3 => Just(None), 1 => piece], Square::COUNT);
    let rights = any::<[u8; 2]>();
    let en_passant = prop::option::of(square());
    (board, any::<bool>(), rights, en_passant, any::<u32>(), any::<u32>()).prop_map(
        |(board, is_white, castling, en_passant, halfmove_clock, fullmove_number)| Setup {
            board: board.try_into().expect("one entry for each square"),
            side_to_move: if is_white { Side::First } else { Side::Second },
            castling,
            en_passant,
            counters: MoveCounters { halfmove_clock, fullmove_number },
        },
    )
}

/// Generates a start position of double Chess960 and the move choices of a game.
fn any_game() -> impl Strategy<Value = (Setup, Vec<prop::sample::Index>)> {
    let start = (0..960_usize, 0..960_usize)
        .prop_map(|(white, black)| Setup::double_chess960(white, black).expect("both numbers are below 960"));
    (start, prop::collection::vec(any::<prop::sample::Index>(), 0..160))
}

fn any_operation() -> impl Strategy<Value = epd::EpdOperation> {
    // The operations of the counters are excluded, because they would contradict the setup.
    let name = "[a-zA-Z][a-zA-Z0-9_]{0,6}".prop_filter("a counter", |name| name != "hmvc" && name != "fmvn");
    let operands = prop::collection::vec("[^\"\\p{Cc}]{0,12}", 0..4);
    (name, operands).prop_map(|(name, operands)| epd::EpdOperation { name, operands })
}

/// Checks that all legal moves round trip in every dialect, and that inexact forms of SAN are accepted.
fn check_round_trips<P: Board>(position: &P) -> Result<(), TestCaseError> {
    for mv in sorted_legal_moves(position) {
        for &dialect in Dialect::ALL {
            let text = MoveNotation::format_move(position, mv, dialect);
            prop_assert_eq!(
                MoveNotation::parse_move(position, &text, dialect),
                Ok(mv),
                "{} as {}",
                text,
                dialect.name()
            );
        }
        let exact = MoveNotation::format_move(position, mv, Dialect::San);
        let without_signs: String = exact.chars().filter(|sign| !"x+#=".contains(*sign)).collect();
        for text in [
            without_signs.replace('O', "0"),
            format!("{without_signs}!?"),
            format!(" {exact} "),
            without_signs,
        ] {
            prop_assert_eq!(
                MoveNotation::parse_move(position, &text, Dialect::San),
                Ok(mv),
                "{} for {}",
                text,
                exact
            );
        }
        if !position.is_castling(mv) {
            let piece = position.piece_on(mv.origin()).expect("a piece on the origin");
            let promotion =
                mv.promotion_kind().map_or(String::new(), |kind| kind.letter().to_uppercase().collect());
            let long_algebraic = format!(
                "{}{}-{}{promotion}",
                piece.kind().letter().to_ascii_uppercase(),
                mv.origin(),
                mv.target()
            );
            prop_assert_eq!(
                MoveNotation::parse_move(position, &long_algebraic, Dialect::San),
                Ok(mv),
                "{}",
                long_algebraic
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn setups_round_trip_through_fen(setup in any_setup()) {
        for text in [fen::format(&setup), fen::format_shredder(&setup)] {
            prop_assert_eq!(fen::parse(&text), Ok(setup.clone()), "{}", text);
        }
    }

    #[test]
    fn epds_round_trip(
        setup in any_setup(),
        operations in prop::collection::vec(any_operation(), 0..5),
    ) {
        let epd = epd::Epd { setup, operations };
        let text = epd::format(&epd);
        let parsed = epd::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&parsed.setup, &epd.setup, "{}", text);
        prop_assert!(parsed.operations.starts_with(&epd.operations), "{}", text);
        prop_assert_eq!(epd::format(&parsed), text);
    }

    #[test]
    fn parse_errors_have_offsets_at_character_boundaries(text in "\\PC{0,80}") {
        let offsets = [
            fen::parse(&text).err().map(|error| error.offset),
            epd::parse(&text).err().map(|error| error.offset),
        ];
        for offset in offsets.into_iter().flatten() {
            prop_assert!(text.is_char_boundary(offset), "{text}: {offset}");
        }
    }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn legal_moves_of_random_games_round_trip((setup, choices) in any_game()) {
        let mut mailbox = Mailbox::from_setup(&setup, &Waivers::None).expect("a start position");
        let mut bitboard = Bitboard::from_setup(&setup, &Waivers::None).expect("a start position");
        for choice in choices {
            check_round_trips(&bitboard)?;
            let moves = sorted_legal_moves(&mailbox);
            if moves.is_empty() {
                break;
            }
            let mv = *choice.get(&moves);
            for &dialect in Dialect::ALL {
                prop_assert_eq!(
                    MoveNotation::format_move(&mailbox, mv, dialect),
                    MoveNotation::format_move(&bitboard, mv, dialect)
                );
            }
            mailbox.make(mv, &mut ());
            bitboard.make(mv, &mut ());
        }
    }
}

#[test]
fn the_text_of_a_position_names_an_en_passant_square_if_a_capture_there_is_legal() {
    for (text, expected) in [
        // The pawn is pinned.
        ("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", "8/5bk1/8/2Pp4/8/1K6/8/8 w - - 0 1"),
        // Both pawns leave the rank of the king.
        ("8/8/8/K1Pp3r/8/8/8/7k w - d6 0 1", "8/8/8/K1Pp3r/8/8/8/7k w - - 0 1"),
        ("8/6k1/8/2Pp4/8/1K6/8/8 w - d6 0 1", "8/6k1/8/2Pp4/8/1K6/8/8 w - d6 0 1"),
    ] {
        let setup = Setup::parse(text).unwrap();
        let bitboard = Bitboard::from_setup(&setup, &Waivers::None).unwrap();
        let mailbox = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
        for found in [bitboard.to_setup(), mailbox.to_setup()] {
            assert_eq!(found.with_counters(setup.counters()).to_text(), expected);
        }
    }
}
