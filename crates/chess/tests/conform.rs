//! The conformance tests of the kernel for every board, and comparisons of the boards with each other and the reference
//! implementation.

use crate::common::reference::ReferencePosition;
use crate::common::{board, random_position, random_setup, random_start};
use alfil_chess::{Bitboard, Board, Mailbox, Setup, Square};
use alfil_kernel::conformance::{
    check_all_moves, check_boards_agree, check_position, check_random_game, sorted_legal_moves,
};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Side};

/// Iterates over random setups: a third from games, the others with randomly placed pieces.
fn random_setups(seed: u64, count: usize) -> impl Iterator<Item = Setup> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(move |i| match i % 3 {
        0 => {
            let plies = random.below(120);
            random_position::<Mailbox>(&mut random, plies).to_setup()
        }
        _ => random_setup(&mut random),
    })
}

/// Checks that a board agrees with the reference implementation.
fn assert_equals_reference<P: Board>(board: &P, reference: &ReferencePosition) {
    let position = board.to_setup().to_text();
    let mut pseudo = MoveList::new();
    board.generate_pseudo_legal(&mut pseudo);
    pseudo.sort_unstable();
    assert_eq!(pseudo[..], reference.pseudo_legal_moves()[..], "{} {position}: pseudo-legal moves", P::BOARD);
    let moves = reference.legal_moves();
    assert_eq!(sorted_legal_moves(board), moves, "{} {position}: moves", P::BOARD);
    let mut captures = MoveList::new();
    board.generate_captures(&mut captures);
    captures.sort_unstable();
    assert_eq!(captures[..], reference.legal_captures()[..], "{} {position}: captures", P::BOARD);
    assert_eq!(board.count_legal(), moves.len(), "{} {position}: count", P::BOARD);
    assert_eq!(board.in_check(), reference.in_check(), "{} {position}: check", P::BOARD);
    assert_eq!(board.to_setup(), reference.to_setup(), "{position}: setup");
}

#[test]
fn the_expected_key_is_the_key_after_a_move_that_changes_only_its_squares() {
    let mut random = SplitMix64::new(31);
    let (mut plain, mut others) = (0, 0);
    for setup in random_setups(32, 60) {
        let mut position: Bitboard = board(&setup);
        for _ in 0..40 {
            let moves = sorted_legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                let mut after = position.clone();
                after.make_without_undo(mv);
                let is_plain = mv.promotion_kind().is_none()
                    && position.captured_piece(mv) == position.piece_on(mv.target())
                    && after.castling_rooks() == position.castling_rooks()
                    && after.en_passant().is_none();
                let expected = position.expected_key_after(mv);
                assert!(!is_plain || expected == Some(after.hash_key()), "{:?}: {mv:?}", position.to_setup());
                *if is_plain { &mut plain } else { &mut others } += 1;
            }
            position.make_without_undo(moves[random.below(moves.len())]);
        }
    }
    assert!(plain > 10_000 && others > 100, "{plain}, {others}");
}

/// Plays random games and compares each position with the reference implementation, with the colour-swapped position
/// and, without castling rights, with the mirrored position. Returns the number of plies.
fn compare_with_reference<P: Board>(seed: u64, positions: usize, plies: usize) -> usize {
    let mut random = SplitMix64::new(seed);
    let mut plies_played = 0;
    for setup in random_setups(seed, positions) {
        let mut position: P = board(&setup);
        let mut reference = ReferencePosition::new(&setup);
        let mut swapped: P = board(&setup.swapped());
        let mut mirrored: P = board(&setup.mirrored());
        for _ in 0..plies {
            assert_equals_reference(&position, &reference);
            let moves = sorted_legal_moves(&position);
            let mut expected: Vec<_> = sorted_legal_moves(&swapped).iter().map(|mv| mv.flipped()).collect();
            expected.sort_unstable();
            assert_eq!(moves, expected, "{:?} swapped", position.to_setup());
            if position.castling_rooks().is_empty() {
                let mut expected: Vec<_> =
                    sorted_legal_moves(&mirrored).iter().map(|mv| mv.mirrored()).collect();
                expected.sort_unstable();
                assert_eq!(moves, expected, "{:?} mirrored", position.to_setup());
            }
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            position.make(mv, &mut ());
            reference.play(mv);
            swapped.make(mv.flipped(), &mut ());
            mirrored = board(&position.to_setup().mirrored());
            plies_played += 1;
        }
    }
    plies_played
}

/// Runs the conformance tests of the kernel on random setups, and compares the attackers of every square with the
/// reference implementation.
fn check_conformance<P: Board>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    for setup in random_setups(seed, 400) {
        let mut position: P = board(&setup);
        check_all_moves(&position);
        check_position(&mut position);
        check_random_game(&mut position, &mut random, 12);
    }
    for setup in random_setups(seed + 1, 60) {
        let (position, reference): (P, _) = (board(&setup), ReferencePosition::new(&setup));
        for square in Square::all() {
            for side in Side::BOTH {
                let expected = reference.attackers_to(square, side);
                let found: Vec<_> = position.attackers_to(square, side).iter().collect();
                assert_eq!(found, expected, "{setup:?}: {side:?} attacks {square}");
            }
        }
    }
}

#[test]
fn mailbox_passes_the_conformance_tests() {
    check_conformance::<Mailbox>(21);
}

#[test]
fn bitboard_passes_the_conformance_tests() {
    check_conformance::<Bitboard>(22);
}

/// Compares the search for one legal move with the list of all, in the positions of a perft walk. Returns the numbers
/// of checkmates and stalemates.
fn count_ends<P: Board>(position: &mut P, depth: u32) -> [usize; 2] {
    let moves = sorted_legal_moves(position);
    assert_eq!(position.has_no_legal_move(), moves.is_empty(), "{} {:?}", P::BOARD, position.to_setup());
    if moves.is_empty() {
        return if position.in_check() { [1, 0] } else { [0, 1] };
    }
    let mut ends = [0; 2];
    for mv in moves.into_iter().filter(|_| depth > 0) {
        let undo = position.make(mv, &mut ());
        let found = count_ends(position, depth - 1);
        ends = [ends[0] + found[0], ends[1] + found[1]];
        position.unmake(mv, &undo, &mut ());
    }
    ends
}

#[test]
fn boards_find_a_legal_move_wherever_there_is_one() {
    let mut ends = Vec::new();
    for (text, depth) in [
        // Pins, castling, promotions and en passant.
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3),
        ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 2),
        // Few moves: mates, stalemates, blocked and pinned pawns.
        ("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", 4),
        ("8/8/8/3k4/8/2p5/2P5/2K4r w - - 0 1", 4),
        ("7k/7P/5K2/8/8/8/6R1/8 w - - 0 1", 4),
    ] {
        let setup = Setup::parse(text).unwrap();
        let counts = count_ends::<Bitboard>(&mut board(&setup), depth);
        assert_eq!(counts, count_ends::<Mailbox>(&mut board(&setup), depth), "{text}");
        ends.push(counts);
    }
    let [mates, stalemates] = [0, 1].map(|end| ends.iter().map(|counts| counts[end]).sum::<usize>());
    assert!(mates > 20 && stalemates > 10, "{ends:?}");
}

#[test]
fn mailbox_equals_the_reference() {
    assert!(compare_with_reference::<Mailbox>(31, 600, 40) > 10_000);
}

#[test]
fn bitboard_equals_the_reference() {
    assert!(compare_with_reference::<Bitboard>(32, 600, 40) > 10_000);
}

#[test]
fn the_boards_agree_with_each_other() {
    let mut random = SplitMix64::new(33);
    let mut plies = 0;
    for game in 0..2_400 {
        let setup = if game % 3 == 0 { random_setup(&mut random) } else { random_start(&mut random) };
        let (mut mailbox, mut bitboard): (Mailbox, Bitboard) = (board(&setup), board(&setup));
        for _ in 0..100 {
            check_boards_agree(&mailbox, &bitboard);
            let moves = sorted_legal_moves(&mailbox);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            mailbox.make(mv, &mut ());
            bitboard.make(mv, &mut ());
            plies += 1;
        }
    }
    assert!(plies > 100_000, "{plies}");
}

/// Returns a text that is equal for positions that count as the same (FIDE Laws 9.2.3), by the reference
/// implementation: pieces, side to move, castling rights, and the en passant square if a capture there is legal.
fn identity(reference: &ReferencePosition) -> String {
    let mut setup = reference.to_setup();
    let can_capture = setup.en_passant.is_some_and(|square| {
        let is_capture = |mv: &alfil_chess::Move| {
            setup.board[mv.origin().index()].is_some_and(|piece| piece.kind() == alfil_chess::PieceKind::Pawn)
                && mv.target() == square
        };
        reference.legal_moves().iter().any(is_capture)
    });
    if !can_capture {
        setup.en_passant = None;
    }
    setup.to_text()
}

/// In games with few pieces, equal positions have equal keys, different ones different keys, and the game history finds
/// exactly the repetitions that a comparison of whole positions finds.
#[test]
fn keys_and_repetitions_match_position_identity() {
    let mut random = SplitMix64::new(34);
    let mut keys = std::collections::HashMap::new();
    let mut repetitions = 0;
    for fen in [
        "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
        "4k3/3p4/8/2P1P3/2p1p3/8/3P4/4K3 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rk6/p7/8/8/8/8/7P/6KR w KQkq - 0 1",
    ] {
        let setup = Setup::parse(fen).unwrap();
        for _ in 0..60 {
            let mut game =
                alfil_kernel::GameHistory::<Bitboard>::new(&setup, &alfil_kernel::Waivers::All).unwrap();
            let mut reference = ReferencePosition::new(&setup);
            let mut seen = vec![identity(&reference)];
            for _ in 0..80 {
                let position = seen.last().unwrap();
                let key = *keys.entry(position.clone()).or_insert(game.position().hash_key());
                assert_eq!(key, game.position().hash_key(), "{position}");
                let occurrences = seen.iter().filter(|&text| text == position).count();
                assert_eq!(game.occurrences(), occurrences, "{position}");
                assert!(game.has_occurred(occurrences) && !game.has_occurred(occurrences + 1), "{position}");
                repetitions += occurrences - 1;
                let moves = sorted_legal_moves(game.position());
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                game.play(mv);
                reference.play(mv);
                seen.push(identity(&reference));
            }
        }
    }
    let mut distinct_keys: Vec<_> = keys.values().collect();
    distinct_keys.sort_unstable();
    distinct_keys.dedup();
    assert_eq!(distinct_keys.len(), keys.len());
    assert!(keys.len() > 3_000 && repetitions > 100, "{} {repetitions}", keys.len());
}

/// Parsers do not panic on randomly damaged texts, and what they accept round trips.
#[test]
fn damaged_texts_are_rejected_or_round_trip() {
    use alfil_chess::{MoveNotation, epd, fen, notation::Dialect};
    use alfil_kernel::{Dialect as _, Notation};

    let mut random = SplitMix64::new(35);
    let position: Bitboard = board(&Setup::start());
    let texts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha e3 bm e4; id \"a b\";",
        "Nbd2",
        "exd8=Q+",
        "O-O-O",
        "Ng1-f3!?",
        "e2e4",
        "e7e8q",
    ];
    let alphabet: Vec<char> = "rnbqkpRNBQKP12345678/ wb-KQkqaAhH0;\"xO=+#é\u{feff}".chars().collect();
    for _ in 0..60_000 {
        let mut text: Vec<char> = texts[random.below(texts.len())].chars().collect();
        for _ in 0..1 + random.below(3) {
            let (at, letter) = (random.below(text.len().max(1)), alphabet[random.below(alphabet.len())]);
            match random.below(3) {
                0 => text.insert(at, letter),
                1 if at < text.len() => text[at] = letter,
                _ if at < text.len() => drop(text.remove(at)),
                _ => {}
            }
        }
        let text: String = text.into_iter().collect();
        match fen::parse(&text) {
            Ok(setup) => assert_eq!(fen::parse(&fen::format(&setup)), Ok(setup), "{text}"),
            Err(error) => assert!(text.is_char_boundary(error.offset), "{text}: {error}"),
        }
        match epd::parse(&text) {
            Ok(epd) => assert_eq!(epd::parse(&epd::format(&epd)).unwrap().setup, epd.setup, "{text}"),
            Err(error) => assert!(text.is_char_boundary(error.offset), "{text}: {error}"),
        }
        for &dialect in Dialect::ALL {
            if let Ok(mv) = MoveNotation::parse_move(&position, &text, dialect) {
                let written = MoveNotation::format_move(&position, mv, dialect);
                assert_eq!(
                    MoveNotation::parse_move(&position, &written, dialect),
                    Ok(mv),
                    "{text} as {}",
                    dialect.name()
                );
            }
        }
    }
}
