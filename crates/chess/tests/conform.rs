//! The kernel's examination for every board, the boards in step with each other and with the slow oracle.

mod common;

use alfil_chess::{Bitboard, Board, Mailbox, Setup, Square};
use alfil_kernel::conformance::{
    check_all_moves, check_boards_agree, check_position, check_random_game, sorted_legal_moves,
};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Side};
use common::oracle::Oracle;
use common::{board, played, scattered, start};

/// Setups of every kind: out of games, and men thrown on the board.
fn every_kind_of_position(seed: u64, count: usize) -> impl Iterator<Item = Setup> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(move |i| match i % 3 {
        0 => {
            let plies = random.below(120);
            played::<Mailbox>(&mut random, plies).to_setup()
        }
        _ => scattered(&mut random),
    })
}

/// A board against the oracle.
fn agrees<P: Board>(board: &P, oracle: &Oracle) {
    let here = board.to_setup().to_text();
    let mut pseudo = MoveList::new();
    board.generate_pseudo_legal(&mut pseudo);
    pseudo.sort_unstable();
    assert_eq!(pseudo[..], oracle.pseudo()[..], "{} {here}: pseudo-legal moves", P::BOARD);
    let moves = oracle.moves();
    assert_eq!(sorted_legal_moves(board), moves, "{} {here}: moves", P::BOARD);
    let mut captures = MoveList::new();
    board.generate_captures(&mut captures);
    captures.sort_unstable();
    assert_eq!(captures[..], oracle.captures()[..], "{} {here}: captures", P::BOARD);
    assert_eq!(board.count_legal(), moves.len(), "{} {here}: count", P::BOARD);
    assert_eq!(board.in_check(), oracle.in_check(), "{} {here}: check", P::BOARD);
    assert_eq!(board.to_setup(), oracle.setup(), "{here}: setup");
}

/// Random plies in step with the oracle, the colour-swapped twin and, without castling, the mirrored one beside it.
fn in_step<P: Board>(seed: u64, positions: usize, plies: usize) -> usize {
    let mut random = SplitMix64::new(seed);
    let mut total = 0;
    for setup in every_kind_of_position(seed, positions) {
        let mut here: P = board(&setup);
        let mut oracle = Oracle::new(&setup);
        let mut swapped: P = board(&setup.swapped());
        let mut mirrored: P = board(&setup.mirrored());
        for _ in 0..plies {
            agrees(&here, &oracle);
            let moves = sorted_legal_moves(&here);
            let mut twin: Vec<_> = sorted_legal_moves(&swapped).iter().map(|mv| mv.flipped()).collect();
            twin.sort_unstable();
            assert_eq!(moves, twin, "{:?} swapped", here.to_setup());
            if here.castling_rooks().is_empty() {
                let mut twin: Vec<_> = sorted_legal_moves(&mirrored).iter().map(|mv| mv.mirrored()).collect();
                twin.sort_unstable();
                assert_eq!(moves, twin, "{:?} mirrored", here.to_setup());
            }
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            here.make(mv, &mut ());
            oracle.play(mv);
            swapped.make(mv.flipped(), &mut ());
            mirrored = board(&here.to_setup().mirrored());
            total += 1;
        }
    }
    total
}

/// The examination, the exhaustive trial of every move, and the attackers of every square, in all kinds of positions.
fn passes<P: Board>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    for setup in every_kind_of_position(seed, 400) {
        let mut position: P = board(&setup);
        check_all_moves(&position);
        check_position(&mut position);
        check_random_game(&mut position, &mut random, 12);
    }
    for setup in every_kind_of_position(seed + 1, 60) {
        let (position, oracle): (P, _) = (board(&setup), Oracle::new(&setup));
        for square in Square::all() {
            for side in Side::BOTH {
                let expected = oracle.attackers(square, side);
                let found: Vec<_> =
                    position.attackers_to(square, side).iter().filter_map(Square::from_index).collect();
                assert_eq!(found, expected, "{setup:?}: {side:?} attacks {square}");
            }
        }
    }
}

#[test]
fn mailbox_passes_the_examination() {
    passes::<Mailbox>(21);
}

#[test]
fn bitboard_passes_the_examination() {
    passes::<Bitboard>(22);
}

#[test]
fn mailbox_is_in_step_with_the_oracle() {
    assert!(in_step::<Mailbox>(31, 600, 40) > 10_000);
}

#[test]
fn bitboard_is_in_step_with_the_oracle() {
    assert!(in_step::<Bitboard>(32, 600, 40) > 10_000);
}

#[test]
fn the_boards_are_in_step_with_each_other() {
    let mut random = SplitMix64::new(33);
    let mut plies = 0;
    for game in 0..2_400 {
        let setup = if game % 3 == 0 { scattered(&mut random) } else { start(&mut random) };
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

/// What makes two positions the same (FIDE Laws 9.2.3), from the slow oracle: the men, the side, the rights, and a pawn
/// that can legally be taken en passant.
fn identity(oracle: &Oracle) -> String {
    let mut setup = oracle.setup();
    let passing = setup.en_passant.is_some_and(|square| {
        let pawn = |mv: &alfil_chess::Move| {
            setup.board[mv.origin().index()].is_some_and(|man| man.kind() == alfil_chess::PieceKind::Pawn)
                && mv.target() == square
        };
        oracle.moves().iter().any(pawn)
    });
    if !passing {
        setup.en_passant = None;
    }
    setup.to_text()
}

/// Equal keys for equal positions, different keys for different ones, along games that shuffle few men; and the line finds
/// exactly the repetitions that comparing whole positions finds.
#[test]
fn keys_and_repetitions_are_those_of_whole_positions() {
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
            let mut line =
                alfil_kernel::GameHistory::<Bitboard>::new(&setup, &alfil_kernel::Waivers::All).unwrap();
            let mut oracle = Oracle::new(&setup);
            let mut seen = vec![identity(&oracle)];
            for _ in 0..80 {
                let here = seen.last().unwrap();
                let key = *keys.entry(here.clone()).or_insert(line.position().hash_key());
                assert_eq!(key, line.position().hash_key(), "{here}");
                let occurrences = seen.iter().filter(|&text| text == here).count();
                assert_eq!(line.occurrences(), occurrences, "{here}");
                repetitions += occurrences - 1;
                let moves = sorted_legal_moves(line.position());
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                line.play(mv);
                oracle.play(mv);
                seen.push(identity(&oracle));
            }
        }
    }
    let mut different: Vec<_> = keys.values().collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), keys.len());
    assert!(keys.len() > 3_000 && repetitions > 100, "{} {repetitions}", keys.len());
}

/// Texts that are nearly right never panic a parser, and what is read is written so that it is read again.
#[test]
fn damaged_texts_are_refused_or_understood() {
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
            Ok(row) => assert_eq!(epd::parse(&epd::format(&row)).unwrap().setup, row.setup, "{text}"),
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
