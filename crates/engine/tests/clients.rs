//! The answers that a client gets after a refused line, after the end of the input, and at an end of the game that the
//! GUI may see in another way.

use alfil_session::registry;

use crate::common::replies;

/// A refused move once ended the search without an answer, so that a GUI waited for ever.
#[test]
fn a_refused_move_of_nboard_leaves_the_running_search_alone() {
    for (go, answer) in [("hint 2", "nodestats "), ("go", "=== ")] {
        for refused in ["move a1", "move", "move e4e5"] {
            let replies = replies(None, &format!("nboard 2\nset depth 8\n{go}\n{refused}\n"));
            let count = |start: &str| replies.iter().filter(|line| line.starts_with(start)).count();
            assert_eq!((count(answer), count("status Thinking")), (1, 1), "{go}, {refused}: {replies:?}");
            let errors = ["status expected", "status \"a1\"", "status \"e4e5\"", "status cannot"];
            let is_error = |line: &&String| errors.iter().any(|error| line.starts_with(error));
            assert_eq!(replies.iter().filter(is_error).count(), 1, "{replies:?}");
            assert!(replies.iter().any(|line| line == "status"), "{go}, {refused}: {replies:?}");
        }
        // A legal move ends it.
        let replies = replies(None, &format!("nboard 2\nset depth 60\n{go}\nmove f5\nset depth 2\ngo\n"));
        // The answers to f5 are d6, f6 and f4, and none of them is a first move.
        let is_second_move = |line: &String| {
            ["=== d6", "=== f6", "=== f4"].iter().any(|answer| line.to_lowercase().starts_with(answer))
        };
        assert!(replies.iter().any(is_second_move), "{replies:?}");
    }
    // The analysis searches earlier positions: moves are judged in the position after c3 all the same, where f5 is
    // occupied and d3 is legal.
    let game = "set game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
                B[f5]W[d6]B[c3];)";
    let replies = replies(
        None,
        &format!("nboard 2\nset depth 4\n{game}\nanalyze\nmove a1\nmove f5\nmove d3\nping 1\n"),
    );
    let refusals: Vec<_> = replies.iter().filter(|line| line.contains("is illegal")).collect();
    assert_eq!(
        refusals,
        [
            "status \"a1\" is illegal here: a White disc on a1 would not flip any disc",
            "status \"f5\" is illegal here: f5 is occupied"
        ]
    );
    assert_eq!(replies.last().unwrap(), "pong 1");
}

/// A bound that no search reaches is none: such a search once went on after the client had left.
#[test]
fn a_search_with_an_absurd_bound_ends_with_the_input() {
    let uci =
        |game, go: &str| format!("uci\nsetoption name UCI_Variant value {game}\nposition startpos\n{go}\n");
    for game in registry::games() {
        for go in [
            "go depth 4294967295",
            "go depth 99999999999999999999999",
            "go depth 128",
            "go nodes 18446744073709551615",
            "go movetime 4294967295",
            "go wtime 900000000000 btime 900000000000",
            "go mate 1000000000",
            "go depth 4000000000 nodes 999999999999999",
        ] {
            let replies = replies(None, &uci(game, go));
            assert!(replies.last().unwrap().starts_with("bestmove "), "{go}: {replies:?}");
        }
        // The smaller of two bounds is one.
        let replies = replies(None, &uci(game, "go depth 4 nodes 18446744073709551615"));
        assert!(replies.iter().any(|line| line.contains(" depth 4 ")), "{replies:?}");
    }
    for (script, answer) in [
        ("ucci\nposition startpos\ngo depth 4000000000", "bestmove "),
        ("ucci\nsetoption batch true\nposition startpos\ngo depth 4000000000\nquit", "bestmove "),
        ("ucci\nsetoption usemillisec true\nposition startpos\ngo time 4000000000000", "bestmove "),
        ("xboard\nprotover 2\nnew\nlevel 0 90000000 0\ngo", "move "),
        ("xboard\nprotover 2\nnew\nst 9000000\ngo", "move "),
        ("time_settings 900000000 0 0\ngenmove b", "= "),
    ] {
        let replies = replies(None, &format!("{script}\n"));
        assert!(replies.iter().any(|line| line.starts_with(answer)), "{script}: {replies:?}");
    }
}

/// XBoard counts the moves without a capture in a way of its own. It once ended a game as lost, because the engine
/// claimed a draw.
#[test]
fn a_xiangqi_engine_offers_the_draw_that_xboard_may_not_see_and_plays_on() {
    let hello = "xboard\nprotover 2\nnew\nvariant xiangqi\nsd 2\n";
    let fen = "3k5/9/9/9/9/9/9/9/4A4/4KR3 w - - 119 80";
    let replies_to = |script: &str| -> Vec<String> {
        let lines = replies(None, &format!("{hello}{script}")).into_iter();
        let is_answer = |line: &String| !["feature", "#"].iter().any(|start| line.starts_with(start));
        lines.filter(is_answer).collect()
    };
    // The engine's own move reaches the limit, and the next one is beyond it.
    let own = replies_to(&format!("setboard {fen}\ngo\nping 1\n"));
    assert!(own[0] == "offer draw" && own[1].starts_with("move ") && own[2] == "pong 1", "{own:?}");
    let both = replies_to(&format!("force\nsetboard {fen}\nusermove f0f1\ngo\nping 1\n"));
    assert!(both.iter().any(|line| line.starts_with("move ")), "{both:?}");
    let other = replies_to(&format!("setboard {}\nusermove f0f1\nping 1\n", fen));
    assert!(other[0] == "offer draw" && other.iter().any(|line| line.starts_with("move ")), "{other:?}");
    assert!([own, both, other].concat().iter().all(|line| !line.contains("1/2-1/2")));
    // A repetition is not claimed either: here Red checks perpetually.
    let checks = "usermove i8i9\nusermove d9d8\nusermove i9i8\nusermove d8d9\n".repeat(3);
    let repeated =
        replies_to(&format!("force\nsetboard 3k5/8R/9/9/p8/9/9/9/9/4K4 w - - 0 1\n{checks}go\nping 1\n"));
    assert!(repeated.iter().any(|line| line.starts_with("move ")), "{repeated:?}");
    assert!(repeated.iter().all(|line| !line.starts_with("1-0") && !line.starts_with("0-1")), "{repeated:?}");
    // A position without a move is claimed, before the answer to a ping.
    let mate = replies_to("setboard 3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1\ngo\nping 1\n");
    assert!(mate[0].starts_with("move ") && mate[1].starts_with("1-0 {") && mate[2] == "pong 1", "{mate:?}");
}

/// In chess the rules of XBoard are those of the engine, so a draw is claimed.
#[test]
fn a_chess_engine_claims_a_draw() {
    let replies = replies(
        None,
        "xboard\nprotover 2\nnew\nsd 2\nforce\nsetboard 4k3/8/8/8/8/8/4R3/4K3 w - - 99 90\ngo\n",
    );
    assert!(replies.iter().any(|line| line.starts_with("1/2-1/2 {")), "{replies:?}");
}

/// UCCI once ignored the option without a word.
#[test]
fn eval_file_is_an_option_of_ucci_and_cecp() {
    let ucci = |option: &str| replies(None, &format!("ucci\n{option}\nposition startpos\ngo depth 4\n"));
    let best_line = |replies: &[String]| {
        let line = replies.iter().rfind(|line| line.starts_with("info depth 4 ")).expect("a line");
        line.split(" nodes").next().unwrap().to_owned()
    };
    let (built_in, terms) = (ucci("isready"), ucci("setoption evalfile <terms>"));
    assert_ne!(best_line(&built_in), best_line(&terms));
    assert!(terms.iter().any(|line| line.ends_with("evaluation of xiangqi by hand-made terms")), "{terms:?}");
    let refused = ucci("setoption evalfile /no/such.net");
    assert_eq!(best_line(&refused), best_line(&built_in));
    assert!(refused.iter().any(|line| line.contains("EvalFile /no/such.net: ")), "{refused:?}");
}

#[test]
fn go_in_a_finished_game_of_cecp_is_answered_by_the_result() {
    for (fen, expected) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "1-0 {Checkmate: White wins}"),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "1/2-1/2 {Stalemate: Black has no move and is not in check, drawn}",
        ),
    ] {
        let replies = replies(None, &format!("xboard\nvariant normal\nnew\nsetboard {fen}\ngo\nping 1\n"));
        let results: Vec<_> = replies.iter().filter(|line| line.starts_with('1')).collect();
        assert_eq!(results, [expected], "{replies:?}");
        assert_eq!(replies.last().unwrap(), "pong 1");
    }
}
