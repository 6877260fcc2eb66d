//! Eleven ways to get a repetition wrong, each seen in a real program, and what is right.

use alfil_kernel::{
    GameHistory, Outcome, Position as _, RuleProbe, Rules, Setup as _, Side, Verdict, Waivers,
};
use alfil_xiangqi::rules::{ChaseOptions, ChaseRule, MoveClass, RepetitionAnalysis};
use alfil_xiangqi::{Bitboard, Cause, Move, Ruleset, Setup, Square};

/// The books that know chases by what is newly attacked.
const BOOKS: [Ruleset; 3] = [Ruleset::COMPUTER, Ruleset::AXF, Ruleset::WXF2018];
const RED_LOSES: Outcome = Outcome::Win(Side::Second);

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

fn play(line: &mut GameHistory<Bitboard>, moves: &str) {
    for text in moves.split_whitespace() {
        line.play(Move::new(square(&text[..2]), square(&text[2..])));
    }
}

fn line(fen: &str, moves: &str) -> GameHistory<Bitboard> {
    let mut line = GameHistory::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
    play(&mut line, moves);
    line
}

/// A round played twice, after which its first position stands for the third time.
fn twice(book: &Ruleset, fen: &str, round: &str) -> RepetitionAnalysis {
    book.analyse_repetition(&line(fen, &format!("{round} {round}"))).expect("a repetition")
}

/// A cannon comes to attack a chariot and follows it; it is Black's move when the round begins.
const CANNON: &str = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
const CHASE: &str = "a7b7 a2b2 b7a7 b2a2";
const IDLE: &str = "g9i7 i0i1 i7g9 i1i0";

/// (a) The window holds as many moves of one side as of the other, and not the move that entered the round.
#[test]
fn the_move_that_enters_the_round_is_not_judged() {
    let fen = "5k3/9/9/9/c8/9/9/9/9/R3K4 w";
    let entered = line(fen, "a0a2 a5b5 a2b2 b5a5 b2a2 a5b5 a2b2 b5a5 b2a2");
    for book in BOOKS {
        let study = book.analyse_repetition(&entered).unwrap();
        assert_eq!(study.verdict, Verdict::new(RED_LOSES, Cause::PerpetualChase), "{}", book.name);
        assert_eq!((study.plies.len(), study.plies[0].number), (8, 2));
        // The same, entered by a move that chases nothing: the chariot was on its file already.
        let quiet = line("5k3/9/9/9/c8/9/9/R8/9/4K4 w", "e0e1 a5b5 a2b2 b5a5 b2a2 a5b5 a2b2 b5a5 b2a2");
        assert_eq!(book.analyse_repetition(&quiet).unwrap().verdict, study.verdict, "{}", book.name);
    }
}

/// (b) Men are compared, not points: the chariot is one victim on two files.
#[test]
fn a_man_is_itself_wherever_it_flees() {
    let mut chased = line(CANNON, "c2a2");
    play(&mut chased, &format!("{CHASE} {CHASE}"));
    for book in BOOKS {
        let study = book.analyse_repetition(&chased).unwrap();
        let victims: Vec<_> = study.plies.iter().flat_map(|ply| &ply.attacks).map(|a| a.victim.1).collect();
        assert_eq!(victims, ["b7", "a7", "b7", "a7"].map(square));
        assert_eq!((study.verdict.outcome, &*study.chased[0]), (RED_LOSES, &[square("a7")][..]));
    }
}

/// (c) The root is tested after the capture: the chariot itself is the screen over which two cannons seem to protect the
/// soldier, and two men behind which they only seem not to.
#[test]
fn screens_change_when_the_capture_is_made() {
    let round = "d5e5 e4d4 e5d5 d4e4";
    for book in BOOKS {
        let behind_it = twice(&book, "3c1k3/4c4/9/9/3R5/4p4/9/5A3/9/5K3 w", round);
        assert_eq!(behind_it.verdict.outcome, RED_LOSES, "{}: nobody takes back", book.name);
        let behind_two = twice(&book, "3cck3/3nn4/9/9/3R5/4p4/9/5A3/9/5K3 w", round);
        assert_eq!(behind_two.verdict.outcome, Outcome::Draw, "{}: a cannon takes back", book.name);
    }
}

/// (d) Facing generals pin: the horse between them protects nothing.
#[test]
fn a_man_between_the_generals_protects_nothing() {
    let round = "h6h8 c8c6 h8h6 c6c8";
    let with_general = |red: &str| format!("4k4/2c6/4n4/7R1/9/9/9/9/9/{red} w");
    for book in BOOKS {
        let outcome = |red| twice(&book, &with_general(red), round).verdict.outcome;
        assert_eq!(outcome("4K4"), RED_LOSES, "{}: it is pinned", book.name);
        assert_eq!(outcome("3K5"), Outcome::Draw, "{}: it is free", book.name);
    }
}

/// (e) Before and after a move, its side is asked as if it were on move: a threat that stands is not new, and a threat is seen
/// although the other side moves next.
#[test]
fn the_chasing_side_is_asked_as_if_on_move() {
    let fen = "3k5/9/9/2c6/9/9/9/9/9/R4K3 w";
    for book in BOOKS {
        // The chariot attacks the cannon with its first move only, and then stands there.
        let mut standing = line(fen, "a0a6 d9d8");
        play(&mut standing, "f0f1 d8d9 f1f0 d9d8 f0f1 d8d9 f1f0 d9d8");
        let study = book.analyse_repetition(&standing).unwrap();
        assert_eq!(study.verdict, Verdict::new(Outcome::Draw, Cause::Repetition), "{}", book.name);
        assert!(study.plies.iter().all(|ply| ply.class == MoveClass::Idle));
        // It goes and comes: every other move is a chase, and seen as one.
        let coming = twice(&book, fen, "a0a6 d9d8 a6a0 d8d9");
        let natures: Vec<_> = coming.plies.iter().map(|ply| ply.class).take(4).collect();
        assert_eq!(
            natures,
            [MoveClass::Chase, MoveClass::Idle, MoveClass::Idle, MoveClass::Idle],
            "{}",
            book.name
        );
    }
}

/// (f) A checking move makes taking back illegal, and so every man look unprotected, unless a check that was there before the
/// capture is left aside.
#[test]
fn a_check_does_not_take_away_protection() {
    let fen = "2bak3r/2R1a2C1/2Rcb4/2N2P3/5C2p/9/9/4p4/4p2p1/5K3 w";
    let round = "f5e5 e9f9 e5f5 f9e9";
    assert_eq!(twice(&Ruleset::AXF, fen, round).verdict.outcome, Outcome::Draw);
    let ChaseRule::NewThreats(reading) = Ruleset::AXF.chase_rule else {
        unreachable!("the book reads new threats")
    };
    let fallen = ChaseRule::NewThreats(ChaseOptions { ignores_prior_checks: false, ..reading });
    let fallen = twice(&Ruleset { chase_rule: fallen, ..Ruleset::AXF }, fen, round);
    assert_eq!(fallen.verdict.outcome, RED_LOSES, "the trap is there");
}

/// (g) A window of two different rounds is judged over all its moves, not over the last round.
#[test]
fn every_round_of_the_window_counts() {
    for book in BOOKS {
        for (rounds, outcome) in [
            ([CHASE, CHASE], RED_LOSES),
            ([IDLE, CHASE], Outcome::Draw),
            ([CHASE, IDLE], Outcome::Draw),
            ([IDLE, IDLE], Outcome::Draw),
        ] {
            let mut line = line(CANNON, "c2a2");
            rounds.iter().for_each(|round| play(&mut line, round));
            assert_eq!(
                book.analyse_repetition(&line).unwrap().verdict.outcome,
                outcome,
                "{} {rounds:?}",
                book.name
            );
        }
    }
}

/// (h) A FEN has no history, whatever it counts: its own position is the first that can come back.
#[test]
fn a_text_gives_no_history() {
    let fen = "5k3/9/9/9/c8/9/9/R8/9/4K4 b - - 60 40";
    let round = "a5b5 a2b2 b5a5 b2a2";
    for book in Ruleset::ALL {
        let mut line = line(fen, "");
        for _ in 1..book.occurrences {
            assert_eq!((book.judge(&line), book.repetition_start(&line)), (None, None), "{}", book.name);
            play(&mut line, round);
        }
        assert_eq!(book.repetition_start(&line), Some(0), "{}", book.name);
        assert!(book.judge(&line).is_some());
    }
}

/// (i) What a search is told depends on the road, so the search must be able to tell it from what the position itself is worth:
/// the same position by another road says nothing, and a loss at the second occurrence is never told as a result.
#[test]
fn a_glance_is_about_the_road() {
    for book in Ruleset::ALL {
        let came_back = line(CANNON, &format!("c2a2 {CHASE} a7b7"));
        let straight = line(CANNON, "c2a2 a7b7");
        assert_eq!(came_back.position().hash_key(), straight.position().hash_key());
        assert_eq!(book.probe(&straight, 0), RuleProbe::Undecided, "{}", book.name);
        match book.probe(&came_back, 0) {
            RuleProbe::Bound(Outcome::Draw, _) | RuleProbe::Decided(Outcome::Draw) => {}
            other => panic!("{}: {other:?}", book.name),
        }
        // Two roads into one position, so that there may be a way out: nothing is told.
        let other_road = line(CANNON, &format!("c2a2 {CHASE}"));
        assert!(!matches!(book.probe(&other_road, 0), RuleProbe::Decided(Outcome::Win(_))), "{}", book.name);
    }
}

/// (j) A soldier's step neither begins the natural count anew nor ends the window: a step sideways can be taken back.
#[test]
fn a_soldiers_step_resets_nothing() {
    for book in Ruleset::ALL {
        let limit = book.natural_limit_plies.expect("every book has a limit");
        let fen = format!("3k5/9/9/9/4P4/9/9/9/9/R4K3 w - - {} 70", limit - 1);
        for step in ["e5e6", "e5d5"] {
            let line = line(&fen, step);
            assert_eq!(line.halfmove_clock(), limit);
            assert_eq!(book.judge(&line).map(|verdict| verdict.cause), Some(Cause::NaturalLimit));
        }
        let aside =
            line("3k5/9/9/9/4P4/9/9/9/9/R4K3 w", &"e5f5 d9d8 f5e5 d8d9 ".repeat(book.occurrences - 1));
        assert_eq!(book.judge(&aside).map(|verdict| verdict.cause), Some(Cause::Repetition), "{}", book.name);
    }
}

/// (k) Plies that the natural count leaves out are in the window all the same.
#[test]
fn the_window_is_longer_than_the_natural_count() {
    let mut line = line("3k5/9/9/9/9/9/4R4/9/9/5K3 w", "e3e2 d9d8");
    for _ in 0..8 {
        play(&mut line, "e2d2 d8e8 d2e2 e8d8");
    }
    // 34 plies: of sixteen checks ten count, with their answers.
    let natural = |limit| Ruleset { natural_limit_plies: Some(limit), occurrences: 99, ..Ruleset::COMPUTER };
    let judged =
        |line: &GameHistory<Bitboard>, limit| natural(limit).judge(line).map(|verdict| verdict.cause);
    assert_eq!((judged(&line, 22), judged(&line, 23)), (Some(Cause::NaturalLimit), None));
    play(&mut line, "e2e3 d8d9 e3e2 d9d8 e2e3 d8d9");
    // The first position again, for the third time: its first stand lies further back than 28 plies.
    assert_eq!((line.ply(), judged(&line, 28), judged(&line, 29)), (40, Some(Cause::NaturalLimit), None));
    assert_eq!(Ruleset::COMPUTER.repetition_start(&line), Some(0));
    assert_eq!(Ruleset::COMPUTER.judge(&line), Some(Verdict::new(Outcome::Draw, Cause::Repetition)));
}
