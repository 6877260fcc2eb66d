//! Both boards pass the kernel's examination, and no text makes a reader panic.

use alfil_kernel::conformance::{check_all_moves, check_position, check_random_game};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Position, Rules, Setup as _, Side, Waivers};
use alfil_othello::geometry::Symmetry;
use alfil_othello::{Bitboard, Board, Mailbox, Move, Ruleset, Setup, notation, obf};

fn board<P: Position<Game = alfil_othello::Othello>>(setup: &Setup) -> P {
    P::from_setup(setup, &Waivers::All).unwrap()
}

fn random_setup(random: &mut SplitMix64) -> Setup {
    let full = random.next_u64() | random.next_u64();
    let black = full & random.next_u64();
    Setup::from_bitboards(black, full & !black, Side::BOTH[random.below(2)])
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
fn the_mailbox_is_examined() {
    check_board::<Mailbox>(21);
}

#[test]
fn the_bitboard_is_examined() {
    check_board::<Bitboard>(22);
}

/// Turned, mirrored or with the colours exchanged, a position has the same moves, turned alike.
#[test]
fn twins_have_the_same_moves() {
    let mut random = SplitMix64::new(23);
    for _ in 0..300 {
        let setup = random_setup(&mut random);
        let moves = alfil_kernel::conformance::sorted_legal_moves(&board::<Bitboard>(&setup));
        assert_eq!(
            moves,
            alfil_kernel::conformance::sorted_legal_moves(&board::<Bitboard>(&setup.swapped()))
        );
        for symmetry in Symmetry::all() {
            let mut seen: Vec<_> = moves
                .iter()
                .map(|mv| mv.square().map_or(*mv, |at| Move::from_square(symmetry.map_square(at))))
                .collect();
            seen.sort_unstable();
            assert_eq!(
                alfil_kernel::conformance::sorted_legal_moves(&board::<Bitboard>(
                    &setup.transformed(symmetry)
                )),
                seen
            );
        }
    }
}

/// A whole game through `Line`: passes are moves of the line, nothing can be taken back, and the end is judged.
#[test]
fn a_game_is_played_to_its_end_and_taken_back() {
    let mut random = SplitMix64::new(24);
    for _ in 0..20 {
        let mut line = GameHistory::<Bitboard>::from_start_position();
        while Ruleset::STANDARD.judge(&line).is_none() {
            let moves = alfil_kernel::conformance::sorted_legal_moves(line.position());
            line.play(moves[random.below(moves.len())]);
        }
        assert_eq!((line.halfmove_clock(), line.occurrences()), (0, 1));
        let verdict = Ruleset::STANDARD.judge(&line).unwrap();
        assert_eq!(verdict.margin, line.position().final_score(Side::First).abs());
        let moves: Vec<_> = line.moves().collect();
        let start = board::<Bitboard>(&Setup::start());
        let transcript = notation::format_transcript(&moves);
        assert_eq!(notation::parse_transcript(&start, &transcript.to_uppercase()).unwrap(), moves);
        while line.ply() > 0 {
            line.pop(&mut ());
        }
        assert_eq!(line.position(), &start);
    }
}

/// Texts broken at random places: each is read or refused with a place inside the text, and what is read is written
/// in a form that reads alike.
#[test]
fn broken_texts_are_refused_and_never_panic() {
    let mut random = SplitMix64::new(25);
    let start = board::<Mailbox>(&Setup::start());
    let seeds = [
        Setup::start().to_text(),
        "8/8/8/3pP3/3Pp3/8/8/8[PPpp] b - - 0 1".into(),
        format!("{}; f5:+2; d3:-4; pass:0; % word", Setup::start().to_text()),
        "f5d6c3d3c4F4F6F3e6e7--pass".into(),
    ];
    let marks: Vec<char> = "XO-*.xobwBW pP12345678/[];:+%f黑\n\u{0}é".chars().collect();
    for _ in 0..60_000 {
        let mut text: Vec<char> = seeds[random.below(seeds.len())].chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => text[at] = marks[random.below(marks.len())],
                1 => text.insert(at, marks[random.below(marks.len())]),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        match Setup::parse(&text) {
            Ok(setup) => assert_eq!(Setup::parse(&setup.to_text()), Ok(setup)),
            Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
        }
        if let Ok(problems) = obf::parse(&text) {
            for problem in &problems {
                let again = obf::parse(&obf::format(problem)).unwrap();
                assert_eq!((&again[0].setup, &again[0].moves), (&problem.setup, &problem.moves));
            }
        }
        if let Err(error) = notation::parse_transcript(&start, &text) {
            assert!(error.offset < text.len());
        }
    }
}
