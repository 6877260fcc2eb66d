//! Othello records: GGF, transcripts, PGN.

use alfil_kernel::{GameHistory, Outcome, Position as _, Setup as _, Side};
use alfil_othello::notation::Dialect;
use alfil_othello::{Bitboard, Move, Othello, Setup};
use alfil_records::pgn;
use alfil_records::{AnnotatedScore, GameTree, NodeId, ParsedGame, ROOT, ggf, transcript};
use proptest::prelude::*;

use crate::random_tree;

const GAMES: &str = include_str!("../testdata/othello/synthetic-games.ggf");
const TABLE: &str = include_str!("../testdata/othello/synthetic-games.tsv");

fn parse_ggf(bytes: &[u8]) -> Vec<ParsedGame<Othello>> {
    let mut reader = ggf::Reader::new(bytes);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game.parse());
    }
    games
}

fn parse_pgn(text: &str) -> ParsedGame<Othello> {
    pgn::Reader::new(text.as_bytes()).next_game().unwrap().unwrap().parse()
}

/// Ten games as transcripts, as GGF, and as moves with passes.
#[test]
fn transcripts_and_ggf_give_the_same_games() {
    let games = parse_ggf(GAMES.as_bytes());
    let lines: Vec<_> = transcript::parse_games(TABLE.as_bytes()).collect();
    let rows: Vec<Vec<&str>> = TABLE.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    assert_eq!((games.len(), lines.len(), rows.len()), (10, 10, 10));
    for ((game, line), row) in games.into_iter().zip(lines).zip(rows) {
        let (game, line) = (game.into_tree().unwrap(), line.into_tree().unwrap());
        let moves: Vec<_> = game.main_line_moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves.join(" "), row[4].replace("pa", "pass"));
        assert_eq!(game.main_line_moves().collect::<Vec<_>>(), line.main_line_moves().collect::<Vec<_>>());
        assert_eq!(game.result, line.result, "{row:?}");
        assert_eq!(
            (transcript::format_game(&game), transcript::format_game(&line)),
            (row[0].into(), row[0].into())
        );
        assert!(game.tags.value("Black").is_some());
        assert_eq!(game.tags.value("Score"), None, "the final board gives the score");
        let parsed = parse_ggf(ggf::format_game(&game).unwrap().as_bytes()).remove(0).into_tree();
        assert_eq!(parsed, Ok(game));
    }
}

#[test]
fn ggf_holds_evaluations_and_times() {
    let text = "(;GM[Othello]PC[a\\]b]RE[-2.000:r]TI[5:00]TY[8r20]ZZ[q]BO[8 -------- -------- -------- ---O*--- ---*O--- \
                -------- -------- -------- *]C[before]B[d3/1.5/0.25]W[c5/2.39/12]C[after]B[f6//1];)";
    let tree = parse_ggf(text.as_bytes()).remove(0).into_tree().unwrap();
    let nodes: Vec<_> = tree.moves.main_line().collect();
    let eval = |node: NodeId| tree.annotation(node).eval.map(|eval| eval.score);
    // Scores are from Black's view.
    assert_eq!(
        nodes.iter().map(|&node| eval(node)).collect::<Vec<_>>(),
        [Some(AnnotatedScore::Centipawns(150)), Some(AnnotatedScore::Centipawns(-239)), None]
    );
    let elapsed: Vec<_> =
        nodes.iter().map(|&node| tree.annotation(node).elapsed.unwrap().as_millis()).collect();
    assert_eq!(elapsed, [250, 12_000, 1000]);
    assert_eq!(
        (&*tree.annotation(ROOT).comment_after, &*tree.annotation(nodes[1]).comment_after),
        ("before", "after")
    );
    assert_eq!(tree.result, Some(Outcome::Win(Side::Second)));
    let tags: Vec<_> = tree.tags.iter().collect();
    assert_eq!(
        tags,
        [("Site", "a]b"), ("Score", "-2.000:r"), ("TimeControl", "5:00"), ("Type", "8r20"), ("ZZ", "q")]
    );
    assert_eq!(
        parse_ggf(ggf::format_game(&tree).unwrap().as_bytes())
            .remove(0)
            .into_tree()
            .unwrap()
            .main_line_moves()
            .count(),
        3
    );
}

#[test]
fn the_final_board_decides_the_result_of_a_game_with_an_unknown_score() {
    let text = GAMES.lines().next().unwrap().replace("RE[+10.000]", "RE[?]");
    let tree = parse_ggf(text.as_bytes()).remove(0).into_tree().unwrap();
    assert_eq!((tree.result, tree.tags.value("Score")), (Some(Outcome::Win(Side::First)), Some("?")));
}

#[test]
fn a_board_with_discs_apart_is_read_as_it_was_written() {
    let text =
        "(;GM[Othello]BO[8 *------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5];)";
    let tree = parse_ggf(text.as_bytes()).remove(0).into_tree().unwrap();
    let read = parse_ggf(ggf::format_game(&tree).unwrap().as_bytes()).remove(0).into_tree().unwrap();
    assert_eq!((read.start, read.moves.move_count()), (tree.start, 1));
}

#[test]
fn tags_that_ggf_would_read_otherwise_are_left_out() {
    let mut tree = parse_ggf(b"(;GM[Othello]B[f5];)").remove(0).into_tree().unwrap();
    for name in ["B", "W", "C", "GM", "BO", "TY", "Type", "PB", "X"] {
        tree.tags.push(name, "x");
    }
    let read = parse_ggf(ggf::format_game(&tree).unwrap().as_bytes()).remove(0).into_tree().unwrap();
    assert_eq!((read.moves.move_count(), read.tags.iter().collect::<Vec<_>>()), (1, vec![("X", "x")]));
}

#[test]
fn an_error_in_a_ggf_game_affects_no_other() {
    let valid = "(;GM[Othello]B[f5]W[d6];)";
    for (invalid, moves, at, part) in [
        ("(;GM[Othello]B[f5]W[a1];)", 1, 18, "move 1... a1: a White disc on a1 would not flip any disc"),
        // White begins.
        (
            "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- O]W[a1];)",
            0,
            92,
            "move 1... a1: ",
        ),
        // Black passes, which is not written.
        (
            "(;GM[Othello]BO[8 O*------ -------- -------- -------- -------- -------- -------- -------- *]W[h8];)",
            1,
            92,
            "move 1... h8: ",
        ),
        ("(;GM[Othello]B[f5]B[d6];)", 1, 18, "it is White's turn"),
        ("(;GM[Othello]B[f5]W[x];)", 1, 18, "expected a square"),
        ("(;GM[Go]B[f5];)", 0, 2, "expected a record of othello"),
        ("(;GM[Othello]TY[10];)", 0, 13, "is not an 8 by 8 board"),
        ("(;GM[Othello]BO[10 -- *];)", 0, 13, "the board is not 8 by 8"),
        ("(;GM[Othello]BO[8 -- *];)", 0, 13, "the board: "),
        ("(;GM[Othello]B[f5]what;)", 1, 18, "expected a tag"),
        ("(;GM[Othello]B[f5]W[d6];", 2, 0, "no closing parenthesis"),
        ("(;GM[Othello]B[f5]W[d6", 1, 18, "no closing bracket"),
    ] {
        let file = format!("1 {valid}\n{invalid}\n\n{valid}");
        let games = parse_ggf(file.as_bytes());
        let lengths: Vec<_> = games.iter().map(|game| game.tree.moves.move_count()).collect();
        assert_eq!(lengths, [2, moves, 2], "{invalid}");
        let error = games[1].error.clone().unwrap_or_else(|| panic!("{invalid}"));
        let start = 2 + valid.len() as u64 + 1;
        assert_eq!((error.game, error.line, error.offset), (2, 2, start + at), "{invalid}: {error}");
        assert!(error.to_string().contains(part), "{invalid}: {error}");
        assert!(games[0].error.is_none() && games[2].error.is_none(), "{invalid}");
    }
    let long = format!("{valid}(;GM[Othello]C[{}];){valid}", "x".repeat(3 * ggf::MAX_GAME_BYTES));
    let games = parse_ggf(long.as_bytes());
    assert_eq!(games.len(), 3);
    assert!(games[1].error.as_ref().unwrap().to_string().contains("longer than"));
    assert_eq!(games[2].tree.moves.move_count(), 2);
}

#[test]
fn the_moves_before_a_byte_that_is_no_text_are_kept() {
    let games: Vec<_> = transcript::parse_games(b"f5d6c3 M\xfcller\nf5d6c3\xff\n").collect();
    assert!(games.iter().all(|game| game.tree.moves.move_count() == 3), "{games:?}");
    let errors: Vec<_> =
        games.iter().filter_map(|game| game.error.as_ref()).map(ToString::to_string).collect();
    assert!(errors[0].contains("expected a square"), "{errors:?}");
    assert!(errors[1].contains("byte 20: a transcript must be in ASCII"), "{errors:?}");
}

#[test]
fn an_error_in_a_transcript_affects_no_other() {
    let games: Vec<_> = transcript::parse_games(b"\xff\nf5d6\r\n\nF5 D6 x\nf5f6").collect();
    let errors: Vec<_> = games.iter().map(|game| game.error.as_ref().map(ToString::to_string)).collect();
    assert_eq!(
        errors,
        [
            Some("game 1, line 1, byte 0: a transcript must be in ASCII".into()),
            None,
            Some(
                "game 3, line 4, byte 15, move 2. x: expected a square, such as f5, or PASS (in GGF, PA)"
                    .into()
            ),
            None,
        ]
    );
    assert_eq!(games.iter().map(|game| game.tree.moves.move_count()).collect::<Vec<_>>(), [0, 2, 2, 2]);
    let games: Vec<_> = transcript::parse_games(b"f5d6\tTamenori - Ros\xe9").collect();
    assert_eq!((&games[0].error, games[0].tree.moves.move_count()), (&None, 2));
    // Editors of Windows put a byte order mark before the first game.
    let games: Vec<_> = transcript::parse_games("\u{feff}f5d6\nf5x".as_bytes()).collect();
    assert_eq!((games[0].error.is_none(), games[0].tree.moves.move_count()), (true, 2));
    assert!(games[1].error.as_ref().unwrap().to_string().starts_with("game 2, line 2, byte 10, "));
}

#[test]
fn pgn_inserts_omitted_passes() {
    let rows = TABLE.lines().skip(1).filter(|row| row.contains(" pa "));
    let mut count = 0;
    for (row, discs) in rows.map(|row| (row.split('\t').collect::<Vec<_>>(), "37-27")) {
        let expected: Vec<_> = row[4].split(' ').collect();
        let without_passes: Vec<_> = expected.iter().copied().filter(|&mv| mv != "pa").collect();
        for moves in [&expected, &without_passes] {
            let tree =
                parse_pgn(&format!("[Game \"Othello\"]\n\n{} {discs}", moves.join(" "))).into_tree().unwrap();
            let found: Vec<_> = tree.main_line_moves().map(|mv| mv.to_string()).collect();
            assert_eq!(found.join(" "), row[4].replace("pa", "pass"));
            assert_eq!(tree.result, Some(Outcome::Win(Side::First)));
        }
        count += 1;
    }
    assert!(count > 1);
    let error = parse_pgn("[Game \"Go\"]\n\nf5").error.unwrap();
    assert!(error.to_string().contains("expected a record of othello"), "{error}");
}

/// Returns a position in which the side to move has to pass.
fn forced_pass_setup() -> Setup {
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

fn any_tree() -> impl Strategy<Value = GameTree<Othello>> {
    (random_tree::random_moves(70), any::<bool>(), random_tree::comment_text()).prop_map(
        |(moves, from_start, comment)| {
            let start = match from_start {
                true => Setup::start(),
                false => forced_pass_setup(),
            };
            let mut tree = random_tree::build::<Othello>(start, &moves, false);
            tree.annotation_mut(ROOT).comment_after = comment;
            tree
        },
    )
}

/// Returns the parts of a tree that GGF can hold.
fn ggf_part(tree: &GameTree<Othello>) -> GameTree<Othello> {
    let mut part = GameTree::new(tree.start.clone());
    part.annotation_mut(ROOT).comment_after.clone_from(&tree.annotation(ROOT).comment_after);
    let mut node = ROOT;
    for source in tree.moves.main_line() {
        node = part.add(node, tree.mv(source));
        let annotation = tree.annotation(source);
        let target = part.annotation_mut(node);
        target.comment_after.clone_from(&annotation.comment_after);
        target.elapsed = annotation.elapsed;
        target.eval = annotation.eval.filter(|eval| matches!(eval.score, AnnotatedScore::Centipawns(_)));
        target.eval.iter_mut().for_each(|eval| eval.depth = None);
    }
    part
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn written_games_parse_back(tree in any_tree(), result in random_tree::any_result()) {
        let mut tree = tree;
        let text = ggf::format_game(&tree).unwrap();
        let parsed = parse_ggf(text.as_bytes()).remove(0).into_tree();
        prop_assert!(parsed.is_ok(), "{:?} {}", parsed, text);
        let mut expected = ggf_part(&tree);
        expected.result = parsed.as_ref().unwrap().result;
        prop_assert_eq!(parsed.as_ref().map(|tree| (tree, tree.tags.value("Score"))), Ok((&expected, None)), "{}", text);
        tree.result = result;
        let text = pgn::format_game(&tree, Dialect::Transcript).unwrap();
        prop_assert_eq!(parse_pgn(&text).into_tree(), Ok(tree), "{}", text);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(
        prop_oneof![any::<u8>(), prop::sample::select(&b"(;GM[Othello]B[f5]W[d6/1/2];)\\ \n"[..])], 0..300))
    {
        for game in parse_ggf(&bytes) {
            let text = ggf::format_game(&game.tree).unwrap();
            prop_assert_eq!(parse_ggf(text.as_bytes()).remove(0).into_tree().map(|tree| tree.moves.move_count()), Ok(game.tree.moves.move_count()));
        }
        prop_assert!(transcript::parse_games(&bytes).all(|game| game.error.is_some() || game.tree.moves.move_count() < 200));
    }
}
