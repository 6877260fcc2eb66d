//! Records of Othello: GGF, transcripts, PGN.

use alfil_kernel::{GameHistory, Outcome, Position as _, Setup as _, Side};
use alfil_othello::notation::Dialect;
use alfil_othello::{Bitboard, Move, Othello, Setup};
use alfil_records::pgn;
use alfil_records::{AnnotatedScore, GameTree, NodeId, ParsedGame, ggf, transcript};
use proptest::prelude::*;

mod grow;

const GAMES: &str = include_str!("../../../testdata/othello/synthetic-games.ggf");
const TABLE: &str = include_str!("../../../testdata/othello/synthetic-games.tsv");

fn read(bytes: &[u8]) -> Vec<ParsedGame<Othello>> {
    let mut reader = ggf::Reader::new(bytes);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game.parse());
    }
    games
}

fn read_pgn(text: &str) -> ParsedGame<Othello> {
    pgn::Reader::new(text.as_bytes()).next_game().unwrap().unwrap().parse()
}

/// Ten games as transcripts, with their passes in words, and as GGF.
#[test]
fn transcripts_and_ggf_tell_the_same_games() {
    let games = read(GAMES.as_bytes());
    let lines: Vec<_> = transcript::parse_games(TABLE.as_bytes()).collect();
    let rows: Vec<Vec<&str>> = TABLE.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    assert_eq!((games.len(), lines.len(), rows.len()), (10, 10, 10));
    for ((game, line), row) in games.into_iter().zip(lines).zip(rows) {
        let (game, line) = (game.into_tree().unwrap(), line.into_tree().unwrap());
        let words: Vec<_> = game.main_line_moves().map(|mv| mv.to_string()).collect();
        assert_eq!(words.join(" "), row[4].replace("pa", "pass"));
        assert_eq!(game.main_line_moves().collect::<Vec<_>>(), line.main_line_moves().collect::<Vec<_>>());
        assert_eq!(game.result, line.result, "{row:?}");
        assert_eq!(
            (transcript::format_game(&game), transcript::format_game(&line)),
            (row[0].into(), row[0].into())
        );
        assert!(game.tags.value("Black").is_some());
        assert_eq!(game.tags.value("Score"), None, "the finished board says the same");
        let again = read(ggf::format_game(&game).unwrap().as_bytes()).remove(0).into_tree();
        assert_eq!(again, Ok(game));
    }
}

#[test]
fn ggf_says_what_players_thought_and_how_long() {
    let text = "(;GM[Othello]PC[a\\]b]RE[-2.000:r]TI[5:00]TY[8r20]ZZ[q]BO[8 -------- -------- -------- ---O*--- ---*O--- \
                -------- -------- -------- *]C[before]B[d3/1.5/0.25]W[c5/2.39/12]C[after]B[f6//1];)";
    let tree = read(text.as_bytes()).remove(0).into_tree().unwrap();
    let nodes: Vec<_> = tree.main_line().collect();
    let eval = |node: NodeId| tree.annotation(node).eval.map(|eval| eval.score);
    // Black's view, though White thinks the position good for White.
    assert_eq!(
        nodes.iter().map(|&node| eval(node)).collect::<Vec<_>>(),
        [Some(AnnotatedScore::Centipawns(150)), Some(AnnotatedScore::Centipawns(-239)), None]
    );
    let spent: Vec<_> =
        nodes.iter().map(|&node| tree.annotation(node).elapsed.unwrap().as_millis()).collect();
    assert_eq!(spent, [250, 12_000, 1000]);
    assert_eq!(
        (&*tree.annotation(NodeId::ROOT).comment_after, &*tree.annotation(nodes[1]).comment_after),
        ("before", "after")
    );
    assert_eq!(tree.result, Some(Outcome::Win(Side::Second)));
    let tags: Vec<_> = tree.tags.iter().collect();
    assert_eq!(
        tags,
        [("Site", "a]b"), ("Score", "-2.000:r"), ("TimeControl", "5:00"), ("Type", "8r20"), ("ZZ", "q")]
    );
    assert_eq!(
        read(ggf::format_game(&tree).unwrap().as_bytes())
            .remove(0)
            .into_tree()
            .unwrap()
            .main_line_moves()
            .count(),
        3
    );
}

#[test]
fn one_bad_game_of_ggf_costs_no_other() {
    let sound = "(;GM[Othello]B[f5]W[d6];)";
    for (bad, moves, at, part) in [
        ("(;GM[Othello]B[f5]W[a1];)", 1, 18, "move 1... a1: a White disc on a1 would not flip any disc"),
        ("(;GM[Othello]B[f5]B[d6];)", 1, 18, "it is White's turn"),
        ("(;GM[Othello]B[f5]W[x];)", 1, 18, "expected a square"),
        ("(;GM[Go]B[f5];)", 0, 2, "does not name othello"),
        ("(;GM[Othello]TY[10];)", 0, 13, "no board of 8 by 8"),
        ("(;GM[Othello]BO[10 -- *];)", 0, 13, "not one of 8 by 8"),
        ("(;GM[Othello]BO[8 -- *];)", 0, 13, "the board: position text"),
        ("(;GM[Othello]B[f5]what;)", 1, 18, "expected a tag"),
        ("(;GM[Othello]B[f5]W[d6];", 2, 0, "nothing closes the game"),
        ("(;GM[Othello]B[f5]W[d6", 1, 18, "nothing closes this tag"),
    ] {
        let file = format!("1 {sound}\n{bad}\n\n{sound}");
        let games = read(file.as_bytes());
        let lengths: Vec<_> = games.iter().map(|game| game.tree.len()).collect();
        assert_eq!(lengths, [2, moves, 2], "{bad}");
        let fault = games[1].error.clone().unwrap_or_else(|| panic!("{bad}"));
        let begin = 2 + sound.len() as u64 + 1;
        assert_eq!((fault.game, fault.line, fault.offset), (2, 2, begin + at), "{bad}: {fault}");
        assert!(fault.to_string().contains(part), "{bad}: {fault}");
        assert!(games[0].error.is_none() && games[2].error.is_none(), "{bad}");
    }
    let long = format!("{sound}(;GM[Othello]C[{}];){sound}", "x".repeat(3 * ggf::MAX_GAME_BYTES));
    let games = read(long.as_bytes());
    assert_eq!(games.len(), 3);
    assert!(games[1].error.as_ref().unwrap().to_string().contains("longer than"));
    assert_eq!(games[2].tree.len(), 2);
}

#[test]
fn one_bad_transcript_costs_no_other() {
    let games: Vec<_> = transcript::parse_games(b"\xff\nf5d6\r\n\nF5 D6 x\nf5f6").collect();
    let faults: Vec<_> = games.iter().map(|game| game.error.as_ref().map(ToString::to_string)).collect();
    assert_eq!(
        faults,
        [
            Some("game 1, line 1, byte 0: a transcript is plain ASCII".into()),
            None,
            Some(
                "game 3, line 4, byte 15, move 2. x: expected a square, such as f5, or PASS (in GGF, PA)"
                    .into()
            ),
            None,
        ]
    );
    assert_eq!(games.iter().map(|game| game.tree.len()).collect::<Vec<_>>(), [0, 2, 2, 2]);
}

#[test]
fn pgn_puts_in_the_passes_that_are_left_out() {
    let rows = TABLE.lines().skip(1).filter(|row| row.contains(" pa "));
    let mut seen = 0;
    for (row, discs) in rows.map(|row| (row.split('\t').collect::<Vec<_>>(), "37-27")) {
        let expected: Vec<_> = row[4].split(' ').collect();
        let left_out: Vec<_> = expected.iter().copied().filter(|&word| word != "pa").collect();
        for words in [&expected, &left_out] {
            let tree =
                read_pgn(&format!("[Game \"Othello\"]\n\n{} {discs}", words.join(" "))).into_tree().unwrap();
            let found: Vec<_> = tree.main_line_moves().map(|mv| mv.to_string()).collect();
            assert_eq!(found.join(" "), row[4].replace("pa", "pass"));
            assert_eq!(tree.result, Some(Outcome::Win(Side::First)));
        }
        seen += 1;
    }
    assert!(seen > 1);
    let fault = read_pgn("[Game \"Go\"]\n\nf5").error.unwrap();
    assert!(fault.to_string().contains("does not name othello"), "{fault}");
}

/// A position in which the side to move has to pass.
fn before_a_pass() -> Setup {
    let row = TABLE.lines().find(|row| row.contains(" pa ")).unwrap();
    let mut position = *GameHistory::<Bitboard>::from_start_position().position();
    for mv in transcript::parse_games(row.as_bytes())
        .next()
        .unwrap()
        .tree
        .main_line_moves()
        .take_while(|mv| !mv.is_pass())
    {
        position.make(mv, &mut ());
    }
    assert!(position.is_legal(Move::PASS));
    position.to_setup()
}

fn a_tree() -> impl Strategy<Value = GameTree<Othello>> {
    (grow::shoots(70), any::<bool>(), grow::words()).prop_map(|(shoots, early, words)| {
        let start = match early {
            true => Setup::start(),
            false => before_a_pass(),
        };
        let mut tree = grow::grow::<Othello>(start, &shoots, false);
        tree.annotation_mut(NodeId::ROOT).comment_after = words;
        tree
    })
}

/// What GGF has a place for.
fn plain(tree: &GameTree<Othello>) -> GameTree<Othello> {
    let mut plain = GameTree::new(tree.start.clone());
    plain.annotation_mut(NodeId::ROOT).comment_after.clone_from(&tree.annotation(NodeId::ROOT).comment_after);
    let mut node = NodeId::ROOT;
    for old in tree.main_line() {
        node = plain.add(node, tree.mv(old));
        let notes = tree.annotation(old);
        let new = plain.annotation_mut(node);
        new.comment_after.clone_from(&notes.comment_after);
        new.elapsed = notes.elapsed;
        new.eval = notes.eval.filter(|eval| matches!(eval.score, AnnotatedScore::Centipawns(_)));
        new.eval.iter_mut().for_each(|eval| eval.depth = None);
    }
    plain
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn what_is_written_is_read_again(tree in a_tree(), result in grow::result()) {
        let mut tree = tree;
        let text = ggf::format_game(&tree).unwrap();
        let again = read(text.as_bytes()).remove(0).into_tree();
        prop_assert!(again.is_ok(), "{:?} {}", again, text);
        let mut expected = plain(&tree);
        expected.result = again.as_ref().unwrap().result;
        prop_assert_eq!(again.as_ref().map(|tree| (tree, tree.tags.value("Score"))), Ok((&expected, None)), "{}", text);
        tree.result = result;
        let text = pgn::format_game(&tree, Dialect::Transcript).unwrap();
        prop_assert_eq!(read_pgn(&text).into_tree(), Ok(tree), "{}", text);
    }

    #[test]
    fn no_bytes_are_too_odd(bytes in prop::collection::vec(
        prop_oneof![any::<u8>(), prop::sample::select(&b"(;GM[Othello]B[f5]W[d6/1/2];)\\ \n"[..])], 0..300))
    {
        for game in read(&bytes) {
            let text = ggf::format_game(&game.tree).unwrap();
            prop_assert_eq!(read(text.as_bytes()).remove(0).into_tree().map(|tree| tree.len()), Ok(game.tree.len()));
        }
        prop_assert!(transcript::parse_games(&bytes).all(|game| game.error.is_some() || game.tree.len() < 200));
    }
}
