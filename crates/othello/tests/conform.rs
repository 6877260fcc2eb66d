//! Both boards pass the conformance checks of the kernel, and the parsers accept or reject any text without a panic.

use alfil_kernel::conformance::{check_all_moves, check_position, check_random_game, sorted_legal_moves};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Position, Rules, Setup as _, Side, Waivers};
use alfil_othello::geometry::Symmetry;
use alfil_othello::{Bitboard, Board, Mailbox, Move, Ruleset, Setup, notation, obf};

fn board<P: Position<Game = alfil_othello::Othello>>(setup: &Setup) -> P {
    P::from_setup(setup, &Waivers::All).unwrap()
}

fn random_setup(random: &mut SplitMix64) -> Setup {
    let occupied = random.next_u64() | random.next_u64();
    let black = occupied & random.next_u64();
    Setup::from_bitboards(black, occupied & !black, Side::BOTH[random.below(2)])
}

fn check_board<P: Board>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..40 {
        check_random_game(&mut board::<P>(&Setup::start()), &mut random, 70);
    }
    for _ in 0..200 {
        let setup = random_setup(&mut random);
        check_position(&mut board::<P>(&setup));
    }
    for _ in 0..4 {
        check_all_moves(&board::<P>(&random_setup(&mut random)));
    }
    check_all_moves(&board::<P>(&Setup::parse(&format!("XO{} O", "-".repeat(62))).unwrap()));
    check_all_moves(&board::<P>(&Setup::parse(&format!("XX{} O", "-".repeat(62))).unwrap()));
}

#[test]
fn mailbox_conforms() {
    check_board::<Mailbox>(21);
}

#[test]
fn bitboard_conforms() {
    check_board::<Bitboard>(22);
}

#[test]
fn legal_moves_are_invariant_under_symmetry_and_colour_exchange() {
    let mut random = SplitMix64::new(23);
    for _ in 0..300 {
        let setup = random_setup(&mut random);
        let moves = sorted_legal_moves(&board::<Bitboard>(&setup));
        assert_eq!(moves, sorted_legal_moves(&board::<Bitboard>(&setup.swapped())));
        for symmetry in Symmetry::all() {
            let mut images: Vec<_> = moves
                .iter()
                .map(|mv| mv.square().map_or(*mv, |square| Move::from_square(symmetry.map_square(square))))
                .collect();
            images.sort_unstable();
            assert_eq!(sorted_legal_moves(&board::<Bitboard>(&setup.transformed(symmetry))), images);
        }
    }
}

/// Plays random games to their end with the game history, formats and parses them as transcripts, and unmakes them.
#[test]
fn random_games_end_with_a_verdict_and_unmake_to_the_start() {
    let mut random = SplitMix64::new(24);
    for _ in 0..20 {
        let mut game = GameHistory::<Bitboard>::from_start_position();
        while Ruleset::STANDARD.judge(&game).is_none() {
            let moves = sorted_legal_moves(game.position());
            game.play(moves[random.below(moves.len())]);
        }
        assert_eq!((game.halfmove_clock(), game.occurrences()), (0, 1));
        let verdict = Ruleset::STANDARD.judge(&game).unwrap();
        assert_eq!(verdict.margin, game.position().final_score(Side::First).abs());
        let moves: Vec<_> = game.moves().collect();
        let start = board::<Bitboard>(&Setup::start());
        let transcript = notation::format_transcript(&moves);
        assert_eq!(notation::parse_transcript(&start, &transcript.to_uppercase()).unwrap(), moves);
        while game.ply() > 0 {
            game.pop(&mut ());
        }
        assert_eq!(game.position(), &start);
    }
}

/// Mutates texts at random places. Each text parses and formats to an equal value, or the error gives a place in it.
#[test]
fn parsers_accept_or_reject_mutated_texts() {
    let mut random = SplitMix64::new(25);
    let start = board::<Mailbox>(&Setup::start());
    let seeds = [
        Setup::start().to_text(),
        "8/8/8/3pP3/3Pp3/8/8/8[PPpp] b - - 0 1".into(),
        format!("{}; f5:+2; d3:-4; pass:0; % comment", Setup::start().to_text()),
        "f5d6c3d3c4F4F6F3e6e7--pass".into(),
    ];
    let characters: Vec<char> = "XO-*.xobwBW pP12345678/[];:+%f黑\n\u{0}é".chars().collect();
    for _ in 0..60_000 {
        let mut text: Vec<char> = seeds[random.below(seeds.len())].chars().collect();
        for _ in 0..=random.below(3) {
            let index = random.below(text.len());
            match random.below(3) {
                0 => text[index] = characters[random.below(characters.len())],
                1 => text.insert(index, characters[random.below(characters.len())]),
                _ => drop(text.remove(index)),
            }
        }
        let text: String = text.into_iter().collect();
        match Setup::parse(&text) {
            Ok(setup) => assert_eq!(Setup::parse(&setup.to_text()), Ok(setup)),
            Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
        }
        if let Ok(problems) = obf::parse(&text) {
            for problem in &problems {
                let reparsed = obf::parse(&obf::format(problem)).unwrap();
                assert_eq!((&reparsed[0].setup, &reparsed[0].moves), (&problem.setup, &problem.moves));
                assert_eq!(reparsed[0].score, problem.score);
            }
        }
        if let Err(error) = notation::parse_transcript(&start, &text) {
            assert!(error.offset < text.len());
        }
    }
}
