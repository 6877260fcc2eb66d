//! Forced ends, each proved by trying everything; and the traps that the laws set: the natural limit, perpetual check and chase,
//! having no move.

use alfil_chess as chess;
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::evaluate::MATE;
use alfil_kernel::{
    Evaluate, GameHistory, MoveOf, Outcome, Position, Rules, SearchControl, SearchInfo, Setup, SetupOf,
    Waivers,
};
use alfil_othello as othello;
use alfil_search::{SearchResult, Worker};
use alfil_xiangqi as xiangqi;

/// Never stops.
struct NeverStop;

impl<M> SearchControl<M> for NeverStop {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }
    fn report(&mut self, _: &SearchInfo<'_, M>) {}
}

fn game_from<P: Position>(fen: &str) -> GameHistory<P> {
    GameHistory::new(&SetupOf::<P>::parse(fen).unwrap(), &Waivers::All).unwrap()
}

/// Plays moves written as their points.
fn play_moves<P: Position<Game = xiangqi::Xiangqi>>(mut line: GameHistory<P>, moves: &str) -> GameHistory<P> {
    for text in moves.split_whitespace() {
        let found = sorted_legal_moves(line.position()).into_iter().find(|mv| mv.to_string() == text);
        line.play(found.unwrap_or_else(|| panic!("{text} is not legal")));
    }
    line
}

fn search<P: Position, L: Rules<P>, E: Evaluate<P> + Default>(
    line: GameHistory<P>,
    laws: L,
    depth: u32,
) -> SearchResult<MoveOf<P>> {
    Worker::new(line, laws, E::default(), 4).search(depth, &mut NeverStop)
}

/// Whether the side to move wins within so many plies by having left the other no move, by trying everything.
fn is_forced_win<P: Position, L: Rules<P>>(board: &mut P, laws: &L, plies: u32) -> bool {
    let mover = board.side_to_move();
    sorted_legal_moves(board).into_iter().any(|mv| {
        let undo = board.make(mv, &mut ());
        let replies = sorted_legal_moves(board);
        let won = if replies.is_empty() {
            laws.no_legal_move_verdict(board).outcome == Outcome::Win(mover)
        } else {
            plies > 2
                && replies.into_iter().all(|reply| {
                    let undo = board.make(reply, &mut ());
                    let won = is_forced_win(board, laws, plies - 2);
                    board.unmake(reply, &undo, &mut ());
                    won
                })
        };
        board.unmake(mv, &undo, &mut ());
        won
    })
}

fn check_forced_wins<P: Position, L: Rules<P>, E: Evaluate<P> + Default>(
    laws: &L,
    positions: &[(&str, u32)],
) {
    for &(fen, plies) in positions {
        let mut board = game_from::<P>(fen).position().clone();
        assert!(is_forced_win(&mut board, laws, plies), "{fen}: no end in {plies} plies");
        assert!(
            plies == 1 || !is_forced_win(&mut board, laws, plies - 2),
            "{fen}: an end sooner than {plies} plies"
        );
        // Pruning may hide a quiet step near the horizon, but not far above it.
        let best = search::<P, L, E>(game_from(fen), laws.clone(), plies + 8);
        assert_eq!(best.score, MATE - plies as i32, "{fen}: {best:?}");
        if plies > 1 {
            board.make(best.mv.unwrap(), &mut ());
            let mut replies = sorted_legal_moves(&board).into_iter();
            assert!(replies.all(|reply| {
                let mut after = board.clone();
                after.make(reply, &mut ());
                is_forced_win(&mut after, laws, plies - 2)
            }));
        }
    }
}

#[test]
fn forced_ends_of_xiangqi_are_found_at_their_length() {
    check_forced_wins::<xiangqi::Bitboard, _, alfil_evaluation::xiangqi::HandcraftedEval>(
        &xiangqi::Ruleset::default(),
        &[
            // Two rooks take rank after rank.
            ("4k4/9/9/R8/1R7/9/9/9/9/3K5 w", 3),
            // Hollow cannon and rook: no advisor may move away.
            ("3aka3/9/9/9/4C4/9/9/9/9/R3K4 w", 1),
            // A horse and a rook against the bare general.
            ("4k4/9/9/9/4N4/9/9/9/R8/3K5 w", 3),
            // A horse gives check, and the cannon behind it mates.
            ("3a1k3/4a4/9/9/9/7N1/9/9/5C3/4K4 w", 3),
            // The general steps onto the middle file: that the other has no move left wins, check or none.
            ("5k3/9/9/9/9/4N4/9/4C4/9/4K4 w", 5),
            ("3k5/9/4P4/9/9/9/9/9/9/4K4 w", 1),
            ("3k5/9/9/4P4/9/9/9/9/9/4K4 w", 5),
        ],
    );
}

#[test]
fn forced_ends_of_chess_are_found_at_their_length() {
    check_forced_wins::<chess::Bitboard, _, alfil_evaluation::chess::HandcraftedEval>(
        &chess::Ruleset::default(),
        &[
            ("6k1/5ppp/8/8/8/8/1r3PPP/R3R1K1 w - - 0 1", 1),
            ("5rk1/5ppp/8/6N1/8/3Q4/8/6K1 w - - 0 1", 1),
            ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 3),
            ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 3),
            // A queen would leave no move and no check: the pawn becomes a rook.
            ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 3),
            ("8/k1P5/2K5/8/8/8/8/8 w - - 0 1", 3),
            ("8/4P1k1/8/5K2/8/8/8/8 w - - 0 1", 5),
        ],
    );
}

#[test]
fn a_capture_before_the_natural_limit_saves_the_win() {
    let laws = xiangqi::Ruleset::default();
    let near = |quiet: u32| format!("3k5/9/9/9/9/9/p8/9/R8/4K4 w - - {quiet} 60");
    // The next quiet ply is the hundred and twentieth.
    let best = search::<xiangqi::Bitboard, _, alfil_evaluation::xiangqi::HandcraftedEval>(
        game_from(&near(119)),
        laws,
        6,
    );
    assert_eq!(best.mv.unwrap().to_string(), "a1a3", "{best:?}");
    assert!(best.score > 400, "{best:?}");
    // With nothing to take the rook comes too late.
    let late = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 60";
    assert_eq!(
        search::<xiangqi::Bitboard, _, alfil_evaluation::xiangqi::HandcraftedEval>(game_from(late), laws, 6)
            .score,
        0
    );
    let early = late.replace("119", "0");
    assert!(
        search::<xiangqi::Bitboard, _, alfil_evaluation::xiangqi::HandcraftedEval>(
            game_from(&early),
            laws,
            6
        )
        .score
            > 400
    );
}

/// Red checks along the ranks while Black threatens to mate on Red's.
const PERPETUAL_CHECK: &str = "3k5/9/9/R8/9/r8/9/9/7r1/4K4 w";

#[test]
fn perpetual_check_is_no_refuge() {
    let laws = xiangqi::Ruleset::default();
    let again = "a6a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9";
    let line = play_moves(game_from::<xiangqi::Bitboard>(PERPETUAL_CHECK), again);
    // Checking on is the third time, which loses at once.
    let lost = laws.judge(&play_moves(line.clone(), "a8a9")).unwrap();
    assert_eq!(lost.outcome, Outcome::Win(line.side_to_move()).swapped());
    let best = search::<_, _, alfil_evaluation::xiangqi::HandcraftedEval>(line.clone(), laws, 5);
    let mut after = line;
    after.play(best.mv.unwrap());
    assert!(laws.judge(&after).is_none(), "{best:?} loses by law");
    assert!(best.score < 0, "{best:?}");
}

/// A cannon has attacked a chariot and followed it for two rounds. Black comes back for the third time.
const PERPETUAL_CHASE: (&str, &str) = (
    "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w",
    "c2a2 a7b7 a2b2 b7a7 b2a2 a7b7 a2b2 b7a7",
);

#[test]
fn perpetual_chase_is_no_refuge() {
    let laws = xiangqi::Ruleset::AXF;
    let line = play_moves(game_from::<xiangqi::Bitboard>(PERPETUAL_CHASE.0), PERPETUAL_CHASE.1);
    // Following it once more is the third time, which loses.
    let lost = laws.judge(&play_moves(line.clone(), "b2a2")).unwrap();
    assert_eq!(lost.outcome, Outcome::Win(line.side_to_move()).swapped());
    let best = search::<_, _, alfil_evaluation::xiangqi::HandcraftedEval>(line.clone(), laws, 5);
    let mut after = line;
    after.play(best.mv.unwrap());
    assert!(laws.judge(&after).is_none(), "{best:?} loses by law");
    assert!(best.score > -500, "{best:?}: there is enough else to play");
}

#[test]
fn the_third_time_and_the_fiftieth_move_save_in_chess() {
    let think = |fen: &str| {
        search::<chess::Bitboard, _, alfil_evaluation::chess::HandcraftedEval>(
            game_from(fen),
            chess::Ruleset::default(),
            8,
        )
    };
    // Black threatens to mate twice over, but its king cannot leave the queen's checks.
    let checks = think("6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1");
    assert_eq!((checks.score, checks.mv.unwrap().to_string().as_str()), (0, "h5e8"), "{checks:?}");
    // A pawn's move before the hundredth quiet ply keeps the win; without the pawn it is too late.
    let kept = think("7k/8/8/8/8/P7/8/KR6 w - - 99 90");
    assert!(kept.score > 400 && kept.mv.unwrap().to_string() == "a3a4", "{kept:?}");
    assert_eq!(think("7k/8/8/8/8/8/8/KR6 w - - 99 90").score, 0);
}

#[test]
fn having_no_move_is_a_pass_or_the_end_in_othello() {
    let think = |text: String| {
        search::<othello::Bitboard, _, alfil_evaluation::othello::HandcraftedEval>(
            game_from(&text),
            othello::Ruleset::STANDARD,
            3,
        )
    };
    // Black has nothing to take and must pass; White then turns its last disc.
    let gap = "-".repeat(61);
    let passes = think(format!("OX-{gap} X"));
    assert_eq!((passes.mv, passes.score), (Some(othello::Move::PASS), -6_400));
    let takes = think(format!("OX-{gap} O"));
    assert_eq!((takes.mv.unwrap().to_string().as_str(), takes.score), ("c1", 6_400));
}

#[test]
fn stalemate_saves_in_chess() {
    // The pawn is guarded only from where its king leaves the other no move.
    let best = search::<chess::Bitboard, _, alfil_evaluation::chess::HandcraftedEval>(
        game_from("k7/P7/1K6/8/8/8/8/8 w - - 0 1"),
        chess::Ruleset::default(),
        6,
    );
    assert_eq!(best.score, 0, "{best:?}");
}
