//! Round trips by property: whatever a text can say is written so that it is read again.

use alfil_chess::notation::Dialect;
use alfil_chess::{Bitboard, Board, Mailbox, MoveNotation, Piece, Setup, Square, epd, fen};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{Dialect as _, MoveCounters, Notation, Position, Side, Waivers};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases in every run; a failure is shrunk and printed, not filed.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(0x88), failure_persistence: None, ..Default::default() }
}

fn square() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(|index| Square::from_index(index).expect("below the count"))
}

/// Any setup at all: no king or five, rights without rooks, en passant squares anywhere.
fn any_setup() -> impl Strategy<Value = Setup> {
    let piece = (0..Piece::COUNT).prop_map(Piece::from_index);
    let men = prop::collection::vec(prop_oneof![3 => Just(None), 1 => piece], Square::COUNT);
    let rights = any::<[u8; 2]>();
    let passing = prop::option::of(square());
    (men, any::<bool>(), rights, passing, any::<u32>(), any::<u32>()).prop_map(
        |(men, white, castling, en_passant, quiet, number)| Setup {
            board: men.try_into().expect("a man or none for each square"),
            side_to_move: if white { Side::First } else { Side::Second },
            castling,
            en_passant,
            counters: MoveCounters { halfmove_clock: quiet, fullmove_number: number },
        },
    )
}

/// A start position of double Fischer Random and the choices of a game from there.
fn any_game() -> impl Strategy<Value = (Setup, Vec<prop::sample::Index>)> {
    let start = (0..960_usize, 0..960_usize)
        .prop_map(|(white, black)| Setup::double_chess960(white, black).expect("two of the 960"));
    (start, prop::collection::vec(any::<prop::sample::Index>(), 0..160))
}

fn any_operation() -> impl Strategy<Value = epd::EpdOperation> {
    // The counters have operations of their own, which say what the setup says.
    let name = "[a-zA-Z][a-zA-Z0-9_]{0,6}".prop_filter("a counter", |name| name != "hmvc" && name != "fmvn");
    let operands = prop::collection::vec("[^\"\\p{Cc}]{0,12}", 0..4);
    (name, operands).prop_map(|(name, operands)| epd::EpdOperation { name, operands })
}

/// Every legal move in every dialect, and as people write it who are less exact.
fn reads_back<P: Board>(position: &P) -> Result<(), TestCaseError> {
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
        let bare: String = exact.chars().filter(|sign| !"x+#=".contains(*sign)).collect();
        for text in [bare.replace('O', "0"), format!("{bare}!?"), format!(" {exact} "), bare] {
            prop_assert_eq!(
                MoveNotation::parse_move(position, &text, Dialect::San),
                Ok(mv),
                "{} for {}",
                text,
                exact
            );
        }
        if !position.is_castling(mv) {
            let man = position.piece_on(mv.origin()).expect("a man that moves");
            let promoted =
                mv.promotion_kind().map_or(String::new(), |kind| kind.letter().to_uppercase().collect());
            let long = format!(
                "{}{}-{}{promoted}",
                man.kind().letter().to_ascii_uppercase(),
                mv.origin(),
                mv.target()
            );
            prop_assert_eq!(MoveNotation::parse_move(position, &long, Dialect::San), Ok(mv), "{}", long);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn any_setup_is_written_and_read_again(setup in any_setup()) {
        for text in [fen::format(&setup), fen::format_shredder(&setup)] {
            prop_assert_eq!(fen::parse(&text), Ok(setup.clone()), "{}", text);
        }
    }

    #[test]
    fn any_epd_is_written_and_read_again(
        setup in any_setup(),
        operations in prop::collection::vec(any_operation(), 0..5),
    ) {
        let row = epd::Epd { setup, operations };
        let text = epd::format(&row);
        let again = epd::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&again.setup, &row.setup, "{}", text);
        prop_assert!(again.operations.starts_with(&row.operations), "{}", text);
        prop_assert_eq!(epd::format(&again), text);
    }

    #[test]
    fn any_text_is_understood_or_refused_at_a_letter(text in "\\PC{0,80}") {
        for error in [fen::parse(&text).err(), epd::parse(&text).err()].into_iter().flatten() {
            prop_assert!(text.is_char_boundary(error.offset), "{}", error);
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn every_move_of_any_game_is_written_and_read_again((setup, choices) in any_game()) {
        let mut mailbox = Mailbox::from_setup(&setup, &Waivers::None).expect("a start position");
        let mut bitboard = Bitboard::from_setup(&setup, &Waivers::None).expect("a start position");
        for choice in choices {
            reads_back(&bitboard)?;
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
