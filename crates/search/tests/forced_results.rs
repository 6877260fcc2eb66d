//! Forced wins, each proved by exhaustive search, and games that end by a rule: move limits, repetition, perpetual
//! check, perpetual chase, stalemate and passes.

use alfil_chess as chess;
use alfil_evaluation::chess::HandcraftedEval as ChessEval;
use alfil_evaluation::othello::HandcraftedEval as OthelloEval;
use alfil_evaluation::xiangqi::HandcraftedEval as XiangqiEval;
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{
    GameHistory, MoveOf, NeverStop, Outcome, Position, Rules, Score, Setup, SetupOf, Waivers,
};
use alfil_othello as othello;
use alfil_search::{SearchEvaluator, SearchRequest, SearchResult, Worker};
use alfil_xiangqi as xiangqi;

use crate::is_forced_win;

fn game_from<P: Position>(fen: &str) -> GameHistory<P> {
    GameHistory::new(&SetupOf::<P>::parse(fen).unwrap(), &Waivers::All).unwrap()
}

/// Plays moves in coordinate notation.
fn play_moves<P: Position<Game = xiangqi::Xiangqi>>(mut game: GameHistory<P>, moves: &str) -> GameHistory<P> {
    for text in moves.split_whitespace() {
        let found = sorted_legal_moves(game.position()).into_iter().find(|mv| mv.to_string() == text);
        game.play(found.unwrap_or_else(|| panic!("{text} is not legal")));
    }
    game
}

fn search<P: Position, R: Rules<P>, E: SearchEvaluator<P> + Default>(
    game: GameHistory<P>,
    rules: R,
    depth: u32,
) -> SearchResult<MoveOf<P>> {
    Worker::new(game, rules, E::default(), 4).search(depth, &mut NeverStop)
}

fn check_forced_wins<P: Position, R: Rules<P>, E: SearchEvaluator<P> + Default>(
    rules: &R,
    positions: &[(&str, u32)],
) {
    for &(fen, plies) in positions {
        let mut board = game_from::<P>(fen).position().clone();
        assert!(is_forced_win(&mut board, rules, plies), "{fen}: no forced win in {plies} plies");
        assert!(
            plies == 1 || !is_forced_win(&mut board, rules, plies - 2),
            "{fen}: a forced win in fewer than {plies} plies"
        );
        // Pruning may skip a quiet move near the leaves, but not far above them.
        let best = search::<P, R, E>(game_from(fen), rules.clone(), plies + 8);
        assert_eq!(best.score, Score::mate_in(plies), "{fen}: {best:?}");
        if plies > 1 {
            board.make(best.mv.unwrap(), &mut ());
            let mut replies = sorted_legal_moves(&board).into_iter();
            assert!(replies.all(|reply| {
                let mut after = board.clone();
                after.make(reply, &mut ());
                is_forced_win(&mut after, rules, plies - 2)
            }));
        }
    }
}

#[test]
fn forced_wins_in_xiangqi_are_found_at_their_length() {
    check_forced_wins::<xiangqi::Bitboard, _, XiangqiEval>(
        &xiangqi::Ruleset::default(),
        &[
            // One rook guards rank 8, and the other mates on rank 9.
            ("4k4/9/9/R8/1R7/9/9/9/9/3K5 w", 3),
            // A hollow cannon (no piece between it and the king): an advisor on e8 would be its screen.
            ("3aka3/9/9/9/4C4/9/9/9/9/R3K4 w", 1),
            // A horse and a rook against a lone king.
            ("4k4/9/9/9/4N4/9/9/9/R8/3K5 w", 3),
            // The horse checks, and the cannon behind it mates.
            ("3a1k3/4a4/9/9/9/7N1/9/9/5C3/4K4 w", 3),
            // The king moves to the central file: stalemate wins, with or without check.
            ("5k3/9/9/9/9/4N4/9/4C4/9/4K4 w", 5),
            ("3k5/9/4P4/9/9/9/9/9/9/4K4 w", 1),
            ("3k5/9/9/4P4/9/9/9/9/9/4K4 w", 5),
        ],
    );
}

#[test]
fn forced_wins_in_chess_are_found_at_their_length() {
    check_forced_wins::<chess::Bitboard, _, ChessEval>(
        &chess::Ruleset::default(),
        &[
            ("6k1/5ppp/8/8/8/8/1r3PPP/R3R1K1 w - - 0 1", 1),
            ("5rk1/5ppp/8/6N1/8/3Q4/8/6K1 w - - 0 1", 1),
            ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 3),
            ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 3),
            // Promotion to a queen would stalemate, so the pawn becomes a rook.
            ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 3),
            ("8/k1P5/2K5/8/8/8/8/8 w - - 0 1", 3),
            ("8/4P1k1/8/5K2/8/8/8/8 w - - 0 1", 5),
        ],
    );
}

#[test]
fn a_win_needs_a_capture_that_resets_the_halfmove_clock() {
    let rules = xiangqi::Ruleset::default();
    let fen = |halfmove_clock: u32| format!("3k5/9/9/9/9/9/p8/9/R8/5K3 w - - {halfmove_clock} 60");
    // The next quiet ply would be the 120th, at which the game is drawn.
    let best = search::<xiangqi::Bitboard, _, XiangqiEval>(game_from(&fen(119)), rules, 6);
    assert_eq!(best.mv.unwrap().to_string(), "a1a3", "{best:?}");
    assert!(best.score > Score::from_cp(400), "{best:?}");
    // Without a possible capture the game is drawn by the move limit.
    let late = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 119 60";
    assert_eq!(search::<xiangqi::Bitboard, _, XiangqiEval>(game_from(late), rules, 6).score, Score::DRAW);
    let early = late.replace("119", "0");
    assert!(
        search::<xiangqi::Bitboard, _, XiangqiEval>(game_from(&early), rules, 6).score > Score::from_cp(400)
    );
}

#[test]
fn a_move_that_wins_precedes_the_limit_of_moves_and_another_check_does_not() {
    // The rook on b1 mates, and the king on e0 takes the last square, with the ply at which the limit is reached.
    let fen = "3k5/R8/9/9/9/9/9/9/1R7/5K3 w - - 119 60";
    let rules = xiangqi::Ruleset::default();
    let best = search::<xiangqi::Bitboard, _, XiangqiEval>(game_from(fen), rules, 4);
    assert_eq!(best.score, Score::mate_in(1), "{best:?}");
    // After Qg8+ fifty moves are over: Rxg8 and Nf7# would come too late.
    let fen = "5r1k/6pp/4Q2N/8/8/8/P7/1K6 w - - 99 80";
    let game = game_from::<chess::Bitboard>(fen);
    let mut moves = sorted_legal_moves(game.position()).into_iter();
    let check = moves.find(|mv| mv.to_string() == "e6g8").unwrap();
    let request = SearchRequest { max_depth: 6, search_moves: vec![check], ..SearchRequest::default() };
    let mut worker = Worker::new(game, chess::Ruleset::CLAIMED, ChessEval::default(), 4);
    assert_eq!(worker.search_with(&request, &mut NeverStop).score, Score::DRAW);
}

/// Red checks along the ranks while Black threatens mate on Red's back rank.
const PERPETUAL_CHECK: &str = "3k5/9/9/R8/9/r8/9/9/7r1/4K4 w";

#[test]
fn the_search_avoids_perpetual_check() {
    let rules = xiangqi::Ruleset::default();
    let moves = "a6a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9";
    let game = play_moves(game_from::<xiangqi::Bitboard>(PERPETUAL_CHECK), moves);
    // After another check the position would occur for the third time, and the checking side would lose.
    let lost = rules.judge(&play_moves(game.clone(), "a8a9")).unwrap();
    assert_eq!(lost.outcome, Outcome::Win(game.side_to_move()).swapped());
    let best = search::<_, _, XiangqiEval>(game.clone(), rules, 5);
    let mut after = game;
    after.play(best.mv.unwrap());
    assert!(rules.judge(&after).is_none(), "{best:?} loses by the rules");
    // What remains is rook against rook: nothing is won.
    assert!(best.score < Score::from_cp(50), "{best:?}");
}

#[test]
fn a_loss_by_rule_is_not_announced_as_a_mate() {
    let moves = "a6a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9";
    let game = play_moves(game_from::<xiangqi::Bitboard>(PERPETUAL_CHECK), moves);
    let check = sorted_legal_moves(game.position()).into_iter().find(|mv| mv.to_string() == "a8a9");
    let request =
        SearchRequest { max_depth: 4, search_moves: check.into_iter().collect(), ..SearchRequest::default() };
    let mut worker = Worker::new(game, xiangqi::Ruleset::default(), XiangqiEval::default(), 1);
    let score = worker.search_with(&request, &mut NeverStop).score;
    assert_eq!((score, score.mate_plies()), (Score::rule_loss(1), None));
}

/// A cannon has chased a rook for two rounds. Black's rook has just returned to its square.
const PERPETUAL_CHASE: (&str, &str) = (
    "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w",
    "c2a2 a7b7 a2b2 b7a7 b2a2 a7b7 a2b2 b7a7",
);

#[test]
fn the_search_avoids_perpetual_chase() {
    let rules = xiangqi::Ruleset::AXF;
    let game = play_moves(game_from::<xiangqi::Bitboard>(PERPETUAL_CHASE.0), PERPETUAL_CHASE.1);
    // After another chasing move the position would occur for the third time, and the chasing side would lose.
    let lost = rules.judge(&play_moves(game.clone(), "b2a2")).unwrap();
    assert_eq!(lost.outcome, Outcome::Win(game.side_to_move()).swapped());
    let best = search::<_, _, XiangqiEval>(game.clone(), rules, 5);
    let mut after = game;
    after.play(best.mv.unwrap());
    assert!(rules.judge(&after).is_none(), "{best:?} loses by the rules");
    assert!(best.score > Score::from_cp(-500), "{best:?}: a normal move keeps the balance");
}

#[test]
fn threefold_repetition_and_the_fifty_move_rule_are_draws_in_chess() {
    let search =
        |fen: &str| search::<chess::Bitboard, _, ChessEval>(game_from(fen), chess::Ruleset::default(), 8);
    // Black threatens two mates, but its king cannot escape the queen's perpetual check.
    let checks = search("6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1");
    assert_eq!((checks.score, checks.mv.unwrap().to_string().as_str()), (Score::DRAW, "h5e8"), "{checks:?}");
    // White wins by a pawn move, which resets the clock before the 100th quiet ply; without a pawn the game is drawn.
    let won = search("7k/8/8/8/8/P7/8/KR6 w - - 99 90");
    assert!(won.score > Score::from_cp(400) && won.mv.unwrap().to_string() == "a3a4", "{won:?}");
    assert_eq!(search("7k/8/8/8/8/8/8/KR6 w - - 99 90").score, Score::DRAW);
}

#[test]
fn a_side_without_a_move_passes_or_the_game_ends_in_othello() {
    let search = |text: String| {
        search::<othello::Bitboard, _, OthelloEval>(game_from(&text), othello::Ruleset::STANDARD, 3)
    };
    // Black can flip nothing and must pass; White then flips Black's last disc.
    let empty = "-".repeat(61);
    let passes = search(format!("OX-{empty} X"));
    assert_eq!((passes.mv, passes.score), (Some(othello::Move::PASS), Score::from_cp(-6_400)));
    let wins = search(format!("OX-{empty} O"));
    assert_eq!((wins.mv.unwrap().to_string().as_str(), wins.score), ("c1", Score::from_cp(6_400)));
}

#[test]
fn stalemate_is_a_draw_in_chess() {
    // The king can protect the pawn only from squares where Black is stalemated.
    let game = game_from("k7/P7/1K6/8/8/8/8/8 w - - 0 1");
    let best = search::<chess::Bitboard, _, ChessEval>(game, chess::Ruleset::default(), 6);
    assert_eq!(best.score, Score::DRAW, "{best:?}");
}
