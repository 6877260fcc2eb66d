//! What a client may rely on: sorted lines, a best move that is the first of them, a score before every best move, and
//! one answer to every `go`.

use std::collections::BTreeMap;

use crate::common::{info_strings, replies, with_prefix};
use alfil_session::registry;

/// Returns the word after `keyword`.
fn word_after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != keyword).nth(1)
}

/// A search as a client sees it: the last line of each rank with its score and first move, and the best move.
#[derive(Debug, Default)]
struct Search {
    lines: BTreeMap<u32, (i64, String)>,
    last_pv: String,
    best: String,
}

/// Returns a score of UCI or UCCI as a number: a mate counts more than any centipawns.
fn score(line: &str) -> Option<i64> {
    let unit = word_after(line, "score")?;
    match (unit, word_after(line, unit).and_then(|number| number.parse::<i64>().ok())) {
        ("cp", Some(number)) => Some(number),
        ("mate", Some(moves)) if moves > 0 => Some(1_000_000 - moves),
        ("mate", Some(moves)) => Some(-1_000_000 - moves),
        (number, _) => number.parse().ok(),
    }
}

/// Reads the searches in the replies of UCI or UCCI.
fn searches(replies: &[String]) -> Vec<Search> {
    let (mut searches, mut current) = (Vec::new(), Search::default());
    for line in replies {
        if let (Some(score), true) = (score(line), line.starts_with("info ")) {
            let rank = word_after(line, "multipv").map_or(1, |rank| rank.parse().unwrap());
            let first = word_after(line, "pv").unwrap_or_default().to_owned();
            if rank == 1 {
                current.last_pv.clone_from(&first);
            }
            current.lines.insert(rank, (score, first));
        } else if let Some(best) = line.strip_prefix("bestmove ") {
            current.best = best.split(' ').next().unwrap().to_owned();
            searches.push(std::mem::take(&mut current));
        }
    }
    searches
}

/// Checks that the lines of every search are sorted, and that the best move begins the first one.
#[track_caller]
fn assert_sorted(replies: &[String], count: usize, lines: usize) {
    let searches = searches(replies);
    assert_eq!(searches.len(), count, "{replies:?}");
    for search in &searches {
        assert!(search.lines.len() <= lines && !search.lines.is_empty(), "{search:?}");
        let sorted: Vec<_> = search.lines.values().collect();
        assert!(sorted.windows(2).all(|pair| pair[0].0 >= pair[1].0), "{search:?}");
        assert!(search.best == sorted[0].1 && search.best == search.last_pv, "{search:?}");
        let moves: std::collections::BTreeSet<_> = sorted.iter().map(|line| &line.1).collect();
        assert_eq!(moves.len(), sorted.len(), "{search:?}");
    }
}

/// Lines were once reported in the order in which they were found: 1 was b1c3 at +11, 4 was e2e4 at +24.
#[test]
fn lines_are_sorted_after_every_kind_of_limit() {
    let limits = ["depth 8", "nodes 300", "nodes 3000", "nodes 20000", "movetime 30", "wtime 900 btime 900"];
    for game in registry::games() {
        let searches: String = limits.map(|limit| format!("go {limit}\nisready\n")).concat();
        let mut script = format!("uci\nsetoption name UCI_Variant value {game}\n");
        let mut count = 0;
        for multipv in [5, 1] {
            script += &format!("setoption name MultiPV value {multipv}\nposition startpos\n");
            // A second `go` stops the first one, so each is alone in its script.
            for go in searches.split_inclusive("isready\n") {
                let replies = replies(None, &format!("{script}{go}"));
                assert_sorted(&replies, 1, multipv);
                count += 1;
            }
            assert_sorted(&replies(None, &format!("{script}go infinite\nstop\n")), 1, multipv);
            assert_sorted(&replies(None, &format!("{script}go infinite\nposition startpos\n")), 1, multipv);
        }
        assert_eq!(count, 2 * limits.len());
    }
}

#[test]
fn lines_of_ucci_are_sorted() {
    let hello = "ucci\nsetoption batch true\nsetoption usemillisec true\nposition startpos\n";
    let go = "go depth 8\ngo nodes 300\ngo nodes 3000\ngo time 900\ngo infinite\n";
    for multipv in [1, 5] {
        let replies = replies(None, &format!("{hello}setoption multipv {multipv}\n{go}"));
        assert_sorted(&replies, 5, multipv);
    }
}

/// An improved move of an unfinished iteration was once played without a line.
#[test]
fn the_best_move_is_that_of_the_last_line_for_any_number_of_nodes() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let hello = format!("uci\nsetoption name UCI_Variant value chess\nposition fen {fen}\n");
    for nodes in (1..=60).map(|step| step * 50) {
        assert_sorted(&replies(None, &format!("{hello}go nodes {nodes}\n")), 1, 1);
    }
}

#[test]
fn a_refused_position_is_not_searched() {
    let chess = "uci\nsetoption name UCI_Variant value chess\nposition startpos moves e2e4\n";
    for bad in [
        "position fen 8/8/8/8 w - -",
        "position startpos moves e2e4 e2e4",
        "position fen",
        "position",
        "position end",
        "position fen r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b",
    ] {
        let replies = replies(
            None,
            &format!(
                "{chess}{bad}\nd\neval\ngo depth 3\ngo infinite\ngo perft 2\nisready\nposition startpos\ngo depth 3\n"
            ),
        );
        let best = with_prefix(&replies, "bestmove ");
        assert_eq!(&best[..3], ["bestmove (none)"; 3], "{bad}: {replies:?}");
        assert!(best.len() == 4 && best[3] != "bestmove (none)", "{bad}: {replies:?}");
        let remarks =
            with_prefix(&replies, "info string there is no position, because the last one was refused: ");
        assert_eq!(remarks.len(), 5, "{bad}: {replies:?}");
    }
}

#[test]
fn the_other_protocols_refuse_to_search_for_another_position() {
    let ucci = replies(
        None,
        "ucci\nposition fen 9/9 w\ngo depth 2\nposition startpos\nsetoption batch on\ngo depth 2\n",
    );
    assert_eq!(
        (with_prefix(&ucci, "nobestmove").len(), with_prefix(&ucci, "bestmove ").len()),
        (1, 1),
        "{ucci:?}"
    );

    let cecp = replies(
        None,
        "xboard\nprotover 2\nnew\nvariant normal\nforce\nsd 2\nsetboard 8/8/8/8 w - -\ngo\nusermove e2e4\nanalyze\nping 1\n\
         setboard 4k3/8/8/8/8/8/8/4K2R w K -\ngo\n",
    );
    assert_eq!(with_prefix(&cecp, "tellusererror Illegal position: ").len(), 1, "{cecp:?}");
    let no_position = "there is no position, because the last one was refused: ";
    let errors = with_prefix(&cecp, &format!("Error ({no_position}"));
    assert!(errors.len() == 2 && errors[0].ends_with("): go"), "{cecp:?}");
    assert_eq!(with_prefix(&cecp, &format!("Illegal move ({no_position}")).len(), 1, "{cecp:?}");
    assert_eq!((with_prefix(&cecp, "move ").len(), with_prefix(&cecp, "pong 1").len()), (1, 1), "{cecp:?}");

    let nboard = replies(
        None,
        "nboard 2\nset depth 2\nset game x\ngo\nhint 1\nmove f5\nset game (;GM[Othello];)\ngo\n",
    );
    assert_eq!(with_prefix(&nboard, &format!("status {no_position}")).len(), 3, "{nboard:?}");
    assert_eq!(with_prefix(&nboard, "=== ").len(), 1, "{nboard:?}");
}

#[test]
fn epd_operations_are_accepted() {
    let bratko = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";";
    let uci = replies(
        None,
        &format!("uci\nsetoption name UCI_Variant value chess\nposition fen {bratko}\ngo depth 5\n"),
    );
    assert_sorted(&uci, 1, 1);
    assert!(info_strings(&uci).is_empty(), "{uci:?}");
    let moves = replies(
        None,
        &format!("uci\nsetoption name UCI_Variant value chess\nposition fen {bratko} moves d6d1 c1d1\nd\n"),
    );
    assert_eq!(
        with_prefix(&moves, "Fen: 1k1r4/pp1b1R2/6pp/4p3/2B5/4Q3/PPP2B2/3K4 b - - ").len(),
        1,
        "{moves:?}"
    );
    let cecp = replies(
        None,
        &format!("xboard\nprotover 2\nnew\nvariant normal\nforce\nsd 5\nsetboard {bratko}\ngo\n"),
    );
    assert_eq!(
        (with_prefix(&cecp, "move ").len(), with_prefix(&cecp, "tellusererror").len()),
        (1, 0),
        "{cecp:?}"
    );
    let ucci = replies(
        None,
        "ucci\nsetoption batch on\nposition fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - bm e1e8; id \"a\";\ngo depth 2\n",
    );
    assert_eq!(
        (with_prefix(&ucci, "bestmove ").len(), with_prefix(&ucci, "info message").len()),
        (1, 0),
        "{ucci:?}"
    );
}

#[test]
fn every_best_move_has_a_score() {
    let chess = "uci\nsetoption name UCI_Variant value chess\n";
    for (fen, score) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        let replies = replies(None, &format!("{chess}position fen {fen}\ngo depth 3\n"));
        assert_eq!(with_prefix(&replies, "bestmove"), ["bestmove (none)"], "{replies:?}");
        assert!(
            with_prefix(&replies, "info depth 0 ")[0].contains(&format!(" score {score} ")),
            "{replies:?}"
        );
    }
    // One legal move, and one node.
    for fen in
        ["k7/8/1K6/8/8/8/8/6RR b - - 0 1", "b3Qr2/2p3kp/6pb/P3pp2/prPBqN2/RB2PnPP/3N1P2/3Kn1R1 w - - 5 29"]
    {
        for go in ["nodes 1", "movetime 1", "depth 1", "wtime 1 btime 1", "infinite"] {
            let replies = replies(None, &format!("{chess}position fen {fen}\ngo {go}\n"));
            assert_sorted(&replies, 1, 1);
        }
    }
    let mated = "ucci\nposition fen 3k5/4P4/3R5/9/9/9/9/9/9/4K4 b\ngo depth 3\n";
    let ucci = replies(None, mated);
    assert_eq!(with_prefix(&ucci, "info depth 0 score -").len(), 1, "{ucci:?}");
    assert_eq!(with_prefix(&ucci, "nobestmove").len(), 1, "{ucci:?}");
}

#[test]
fn a_go_with_wrong_numbers_is_reported_and_answered() {
    for (go, issues) in [
        ("depth -1", 1),
        ("movetime -1", 1),
        ("wtime 1.5 btime 1.5", 2),
        ("nodes x depth 1", 1),
        ("depth 2 movestogo", 1),
        ("depth 2 softly", 1),
        ("dpeth 2", 1),
        ("searchmoves a1a9 depth 1", 1),
        // The clock of the other side.
        ("btime 60000", 1),
        ("winc 100", 1),
        ("wtime 100 btime 100 movestogo 0", 0),
        ("wtime 100 btime 100 movestogo -3", 1),
    ] {
        let replies = replies(None, &format!("uci\nposition startpos\ngo {go}\n"));
        assert_eq!(info_strings(&replies).len(), issues, "{go}: {replies:?}");
        assert_sorted(&replies, 1, 1);
    }
    // Without any limit that can be read, the search takes a second; a `stop` or the end of the program ends it.
    for end in ["stop\n", "quit\n", ""] {
        let replies = replies(None, &format!("uci\ngo depth\n{end}"));
        assert_eq!(
            with_prefix(&replies, "info string expected a whole number after depth").len(),
            1,
            "{replies:?}"
        );
        assert_sorted(&replies, 1, 1);
    }
}

/// The counts are those of the perft tables.
#[test]
fn go_perft_prints_counts() {
    for (game, depth, moves, total) in [
        ("chess", 3, 20, 8_902),
        ("xiangqi", 3, 44, 79_666),
        ("othello", 6, 4, 8_200),
        ("chess", 5, 20, 4_865_609),
    ] {
        let replies = replies(
            None,
            &format!(
                "uci\nsetoption name UCI_Variant value {game}\nposition startpos\ngo perft {depth}\nisready\n"
            ),
        );
        assert_eq!(with_prefix(&replies, "Nodes searched: "), [format!("Nodes searched: {total}")], "{game}");
        let counts: Vec<u128> = replies
            .iter()
            .filter_map(|line| line.split_once(": "))
            .filter(|(mv, _)| mv.len() <= 5 && mv.starts_with(|first: char| first.is_ascii_lowercase()))
            .map(|(_, count)| count.parse().unwrap())
            .collect();
        assert_eq!((counts.len(), counts.iter().sum::<u128>()), (moves, total), "{game}");
        assert!(with_prefix(&replies, "bestmove").is_empty() && replies.contains(&"readyok".to_owned()));
    }
    let with_words = replies(None, "uci\ngo perft 1 searchmoves h2e2\n");
    let issue = ["info string go perft counts all moves: the other words are ignored"];
    assert_eq!(info_strings(&with_words), issue, "{with_words:?}");
    assert!(with_words.contains(&"Nodes searched: 44".to_owned()), "{with_words:?}");
    // A count that would take years is stopped.
    let stopped = replies(None, "uci\ngo perft 60\nstop\nisready\n");
    assert_eq!(with_prefix(&stopped, "info string perft was stopped").len(), 1, "{stopped:?}");
    assert_eq!(stopped.last().unwrap(), "readyok");
}

#[test]
fn the_position_and_its_evaluation_are_shown() {
    let fen = "4k3/8/8/8/8/5n2/8/R3K3 w Q - 3 20";
    let script = format!("uci\nsetoption name UCI_Variant value chess\nposition fen {fen}\nd\neval\n");
    let chess = replies(None, &script);
    assert!(
        chess.contains(&format!("Fen: {fen}")) && chess.contains(&"Checkers: f3".to_owned()),
        "{chess:?}"
    );
    let key = with_prefix(&chess, "Key: ")[0];
    assert!(key.len() == 21 && u64::from_str_radix(&key[5..], 16).is_ok(), "{key}");
    assert_eq!(with_prefix(&chess, " 1  ").len(), 1, "the first rank: {chess:?}");
    let eval = with_prefix(&chess, "Evaluation: ")[0];
    assert!(word_after(eval, "Evaluation:").unwrap().parse::<i32>().unwrap() > 0, "{eval}");
    let xiangqi = replies(None, "uci\nposition fen 4k4/9/9/9/9/9/9/9/4R4/3K5 b\nd\n");
    assert!(xiangqi.contains(&"Checkers: e1".to_owned()), "{xiangqi:?}");
    let quiet = replies(None, "uci\nd\n");
    assert!(quiet.contains(&"Checkers:".to_owned()), "{quiet:?}");
}

/// A closed input once ended the search at once, with a shallow move.
#[test]
fn the_end_of_the_input_finishes_a_bounded_search() {
    let uci = replies(None, "uci\nposition startpos\ngo depth 9\n");
    assert_eq!(with_prefix(&uci, "info depth 9 ").len(), 1, "{uci:?}");
    let ucci = replies(None, "ucci\nposition startpos\ngo depth 9\n");
    assert_eq!(with_prefix(&ucci, "info depth 9 ").len(), 1, "{ucci:?}");
    let cecp = replies(None, "xboard\nprotover 2\nnew\nvariant normal\nsd 9\npost\nst 60\ngo\n");
    assert_eq!((with_prefix(&cecp, "9 ").len(), with_prefix(&cecp, "move ").len()), (1, 1), "{cecp:?}");
    let nboard = replies(None, "nboard 2\nset depth 9\nmove f5\nhint 1\n");
    assert!(with_prefix(&nboard, "search ").last().unwrap().ends_with(" 0 9"), "{nboard:?}");
    let analysis = replies(None, "nboard 2\nset depth 4\nmove f5\nmove d6\nmove c3\nanalyze\n");
    assert_eq!(with_prefix(&analysis, "analysis ").len(), 4, "{analysis:?}");
    // A short mate is found or refuted.
    let mate =
        "uci\nsetoption name UCI_Variant value chess\nposition fen 8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1\n";
    let found = replies(None, &format!("{mate}go mate 3\n"));
    assert!(found.last().unwrap().starts_with("bestmove g7g3"), "{found:?}");
    let refuted = replies(None, &format!("{mate}go mate 2\n"));
    assert_eq!(info_strings(&refuted).last(), Some(&"info string no mate in 2 was found"), "{refuted:?}");
    // An unbounded one stops.
    let unbounded =
        ["go infinite", "go", "go ponder wtime 100000 btime 100000", "go mate 40", "go infinite\nponderhit"];
    for go in unbounded {
        assert_sorted(&replies(None, &format!("uci\nposition startpos\n{go}\n")), 1, 1);
    }
}

#[test]
fn cecp_options_are_single_words() {
    let replies = replies(
        None,
        "xboard\nprotover 2\noption MoveOverhead=50\noption SkillLevel=3\noption Move Overhead=60\noption multipv=2\n\
         option SkillLevel=11\noption Colour=red\nprotover 2\n",
    );
    let options = with_prefix(&replies, "feature option=");
    let name = |line: &str| line.split_once('"').unwrap().1.split_once(" -").unwrap().0.to_owned();
    assert!(options.iter().all(|line| !name(line).contains(' ')), "{options:?}");
    assert!(options.contains(&"feature option=\"MoveOverhead -spin 60 0 10000\""), "{options:?}");
    assert!(options.contains(&"feature option=\"SkillLevel -spin 3 1 10\""), "{options:?}");
    assert!(options.contains(&"feature option=\"MultiPV -spin 2 1 255\""), "{options:?}");
    assert_eq!(with_prefix(&replies, "Error (").len(), 2, "{replies:?}");
}

/// The move would be one for the position before.
#[test]
fn no_search_answers_for_an_overlong_position() {
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(60_000);
    let long = format!("position startpos moves {moves}");
    let replies = replies(Some("chess"), &format!("uci\nposition startpos moves e2e4\n{long}\ngo depth 1\n"));
    assert_eq!(with_prefix(&replies, "bestmove "), ["bestmove (none)"]);
}
