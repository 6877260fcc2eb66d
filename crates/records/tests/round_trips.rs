//! Random games round-trip through PGN and through every other format that is written. What a format cannot hold is
//! left out as its documentation says, or refused by name.

use std::fmt::Debug;
use std::mem::discriminant;

use alfil_chess::Chess;
use alfil_kernel::Setup as _;
use alfil_othello::Othello;
use alfil_records::record_format::DialectOf;
use alfil_records::{
    AnnotatedScore, FileFormat, GameTree, ParsedGame, ROOT, RecordFormat, Visit, WriteError, pgn,
};
use alfil_xiangqi::Xiangqi;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use crate::random_tree;
use crate::xiangqi_trees;

/// The number of games of each test.
const GAMES: u32 = 128;
const MANY_GAMES: u32 = 10_000;

/// Returns what a format keeps of a tree, or the error that refuses it. Errors are compared by their kind alone.
type Kept<G> = fn(FileFormat, &GameTree<G>) -> Result<GameTree<G>, WriteError>;

/// Checks random games with PGN in every dialect and with every writer of the game.
fn check_games<G: RecordFormat<Setup: Debug>>(
    games: u32,
    trees: impl Strategy<Value = GameTree<G>>,
    dialects: &[DialectOf<G>],
    kept: Kept<G>,
) {
    let config = ProptestConfig { cases: games, failure_persistence: None, ..ProptestConfig::default() };
    let cut = any::<prop::sample::Index>();
    let result = TestRunner::new(config).run(&(trees, cut), |(tree, cut)| {
        dialects.iter().try_for_each(|&dialect| check_pgn(&tree, dialect))?;
        check_files(&tree, kept, cut)
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

fn check_pgn<G: RecordFormat<Setup: Debug>>(
    tree: &GameTree<G>,
    dialect: DialectOf<G>,
) -> Result<(), TestCaseError> {
    let text = pgn::format_game(tree, dialect).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(FileFormat::detect(text.as_bytes()), Some(FileFormat::Pgn), "{}", text);
    let mut reader = pgn::Reader::with_legacy_encoding(text.as_bytes(), G::LEGACY_ENCODING);
    let read = reader.next_game().expect("reading from memory").map(|game| game.parse::<G>().into_tree());
    prop_assert!(reader.next_game().expect("reading from memory").is_none(), "two games: {}", text);
    let Some(Ok(read)) = read else {
        return Err(TestCaseError::fail(format!("{dialect:?}: {read:?}\n{text}")));
    };
    check_equal(FileFormat::Pgn, read, tree.clone())
}

fn check_files<G: RecordFormat<Setup: Debug>>(
    tree: &GameTree<G>,
    kept: Kept<G>,
    cut: prop::sample::Index,
) -> Result<(), TestCaseError> {
    for row in G::FILES {
        let Some(writer) = &row.writer else { continue };
        let format = row.format;
        match (writer.write(format, std::slice::from_ref(tree)), kept(format, tree)) {
            (Ok(bytes), Ok(kept)) => {
                prop_assert_eq!(FileFormat::detect(&bytes), Some(format));
                let mut games = (row.read)(&bytes);
                prop_assert_eq!(games.len(), 1, "{:?}", format);
                let game = games.remove(0);
                prop_assert!(game.warnings.is_empty(), "{:?}: {:?}", format, game.warnings);
                match game.into_tree() {
                    Ok(read) => {
                        check_cut_file(format, &bytes[..cut.index(bytes.len())], row.read, &read)?;
                        check_equal(format, read, kept)?;
                    }
                    Err(error) => return Err(TestCaseError::fail(format!("{format:?}: {error}"))),
                }
            }
            (Err(found), Err(expected)) if discriminant(&found) == discriminant(&expected) => {}
            (found, expected) => {
                return Err(TestCaseError::fail(format!("{format:?}: {found:?}, expected {expected:?}")));
            }
        }
    }
    Ok(())
}

/// The byte of a CBR record at which its moves begin.
const CBR_TREE_AT: usize = 2214;

/// Checks that a file that is cut off has a fault, unless only what is not read is missing.
fn check_cut_file<G: RecordFormat<Setup: Debug>>(
    format: FileFormat,
    bytes: &[u8],
    read: fn(&[u8]) -> Vec<ParsedGame<G>>,
    whole: &GameTree<G>,
) -> Result<(), TestCaseError> {
    // A transcript has no mark at its end, and a CBR record without moves may end at the board.
    let may_end = format == FileFormat::Transcript || format == FileFormat::Cbr && bytes.len() == CBR_TREE_AT;
    if may_end || FileFormat::detect(bytes) != Some(format) {
        return Ok(());
    }
    let games = read(bytes);
    let has_fault = games.iter().any(|game| game.error.is_some() || !game.warnings.is_empty());
    let is_whole = games.len() == 1 && games[0].tree == *whole;
    prop_assert!(has_fault || is_whole, "{:?} cut to {} bytes: {:?}", format, bytes.len(), games);
    Ok(())
}

/// Checks that a game is the one that was written, but for the order of its tags.
fn check_equal<G: RecordFormat<Setup: Debug>>(
    format: FileFormat,
    mut read: GameTree<G>,
    mut kept: GameTree<G>,
) -> Result<(), TestCaseError> {
    let sorted_tags = |tree: &GameTree<G>| {
        let mut tags: Vec<_> =
            tree.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        tags.sort();
        tags
    };
    match format {
        // The final board decides the result, and the base adds the numbers of names and discs.
        FileFormat::Wthor => {
            kept.result = read.result;
            read.tags.retain(|_, _| false);
        }
        FileFormat::Ggf | FileFormat::Transcript => kept.result = read.result,
        _ => {}
    }
    prop_assert_eq!(sorted_tags(&read), sorted_tags(&kept), "{:?}", format);
    kept.tags = read.tags.clone();
    prop_assert_eq!(read, kept, "{:?}", format);
    Ok(())
}

fn has_null_move<G: RecordFormat>(tree: &GameTree<G>) -> bool {
    tree.moves.traverse().any(|visit| matches!(visit, Visit::Move(node) if tree.mv(node).is_none()))
}

/// Returns the main line with its annotations.
fn main_line<G: RecordFormat>(tree: &GameTree<G>) -> GameTree<G> {
    let mut line = moves_only(tree, usize::MAX);
    (line.tags, line.result) = (tree.tags.clone(), tree.result);
    let nodes: Vec<_> = [ROOT].into_iter().chain(line.moves.main_line()).collect();
    for (node, source) in nodes.into_iter().zip([ROOT].into_iter().chain(tree.moves.main_line())) {
        *line.annotation_mut(node) = tree.annotation(source).clone();
    }
    line
}

/// Returns the first moves of the main line, without annotations, tags and result.
fn moves_only<G: RecordFormat>(tree: &GameTree<G>, count: usize) -> GameTree<G> {
    let mut line = GameTree::new(tree.start.clone());
    let mut last = ROOT;
    for node in tree.moves.main_line().take(count) {
        last = line.add(last, tree.mv(node));
    }
    line
}

/// The tags that WXF has keywords for.
const WXF_TAGS: [&str; 3] = ["Red", "Event", "Title"];

fn kept_of_xiangqi(format: FileFormat, tree: &GameTree<Xiangqi>) -> Result<GameTree<Xiangqi>, WriteError> {
    let main = main_line(tree);
    let null_move =
        |tree| if has_null_move(tree) { Err(WriteError::NullMove { format, plies: 0 }) } else { Ok(()) };
    match format {
        FileFormat::Xqf | FileFormat::Ubb | FileFormat::Cbr => {
            null_move(tree)?;
            Ok(random_tree::with_joined_comments(tree))
        }
        FileFormat::Cbf => {
            null_move(&main)?;
            Ok(random_tree::with_joined_comments(&main))
        }
        FileFormat::WxfFile => {
            let red = tree.tags.value("Red").unwrap_or_default();
            if red.contains(';') {
                let value = red.to_owned();
                return Err(WriteError::InvalidTag { format, tag: "Red", value, expected: "" });
            }
            null_move(&main)?;
            let mut kept = moves_only(tree, usize::MAX);
            (kept.tags, kept.result) = (tree.tags.clone(), tree.result);
            kept.tags.retain(|name, _| WXF_TAGS.contains(&name));
            Ok(kept)
        }
        other => panic!("{other:?} has a writer and no test"),
    }
}

fn kept_of_othello(format: FileFormat, tree: &GameTree<Othello>) -> Result<GameTree<Othello>, WriteError> {
    // The formats without passes do not have one at the end.
    let last = tree.main_line_moves().last();
    let without_last_pass = tree.moves.main_line().count() - usize::from(last.is_some_and(|mv| mv.is_pass()));
    let has_own_start = tree.start != alfil_othello::Setup::start();
    match format {
        FileFormat::OthelloSgf => Ok(random_tree::with_joined_comments(tree)),
        FileFormat::Ggf => Ok(ggf_part(tree)),
        FileFormat::Wthor | FileFormat::Transcript if has_own_start => {
            Err(WriteError::CustomStart { format })
        }
        FileFormat::Transcript if tree.moves.is_empty() => Err(WriteError::NoMoves { format }),
        FileFormat::Wthor | FileFormat::Transcript => Ok(moves_only(tree, without_last_pass)),
        FileFormat::Obf => Ok(GameTree::new(tree.start.clone())),
        other => panic!("{other:?} has a writer and no test"),
    }
}

/// Returns what GGF keeps of the main line: comments after moves, times, and evaluations in discs.
fn ggf_part(tree: &GameTree<Othello>) -> GameTree<Othello> {
    let mut part = main_line(tree);
    for node in part.moves.main_line().collect::<Vec<_>>() {
        let annotation = part.annotation_mut(node);
        annotation.comment_before.clear();
        annotation.nags.clear();
        annotation.clock = None;
        annotation.eval = annotation.eval.filter(|eval| matches!(eval.score, AnnotatedScore::Centipawns(_)));
        annotation.eval.iter_mut().for_each(|eval| eval.depth = None);
    }
    part
}

fn kept_of_chess(format: FileFormat, _: &GameTree<Chess>) -> Result<GameTree<Chess>, WriteError> {
    panic!("{format:?} has a writer and no test")
}

fn check_xiangqi(games: u32) {
    // Null moves are refused by every format but PGN.
    let trees = prop_oneof![7 => xiangqi_trees::any_tree(), 1 => xiangqi_trees::any_tree_with_null_moves()];
    use alfil_xiangqi::notation::Dialect::{Chinese, ChineseTraditional, Iccs, Wxf};
    check_games(games, trees, &[Iccs, Wxf, Chinese, ChineseTraditional], kept_of_xiangqi);
}

fn check_chess(games: u32) {
    use alfil_chess::Setup;
    let starts = prop_oneof![
        2 => Just(Setup::start()),
        1 => (0..960_usize, 0..960_usize).prop_map(|(white, black)| Setup::double_chess960(white, black).unwrap()),
        1 => Just(Setup::parse("8/P6k/8/8/8/8/p6K/8 b - - 3 60").unwrap()),
    ];
    let tags = prop::collection::vec(("(Event|Site|White|ECO|X_1)", "[ -~ä中😀]{0,40}"), 0..5);
    let trees = random_tree::any_tree(starts, 60, tags, true);
    check_games(games, trees, &[pgn::default_dialect::<Chess>()], kept_of_chess);
}

fn check_othello(games: u32) {
    use alfil_othello::Setup;
    let own = Setup::parse(&("-".repeat(18) + "OXX-----XXX-----OXO" + &"-".repeat(27) + " O")).unwrap();
    let starts = prop_oneof![Just(Setup::start()), Just(own)];
    let tags = prop::collection::vec(("(Black|Event|Title|BlackElo|X)", "[ -~é中😀]{1,40}"), 0..4);
    let trees = random_tree::any_tree(starts, 70, tags, false);
    check_games(games, trees, &[pgn::default_dialect::<Othello>()], kept_of_othello);
}

#[test]
fn games_of_xiangqi_round_trip_through_every_format() {
    check_xiangqi(GAMES);
}

#[test]
fn games_of_chess_round_trip_through_every_format() {
    check_chess(GAMES);
}

#[test]
fn games_of_othello_round_trip_through_every_format() {
    check_othello(GAMES);
}

#[test]
#[ignore = "long: writes and reads 10,000 games in every format"]
fn many_games_of_xiangqi_round_trip_through_every_format() {
    check_xiangqi(MANY_GAMES);
}

#[test]
#[ignore = "long: writes and reads 10,000 games in every format"]
fn many_games_of_chess_round_trip_through_every_format() {
    check_chess(MANY_GAMES);
}

#[test]
#[ignore = "long: writes and reads 10,000 games in every format"]
fn many_games_of_othello_round_trip_through_every_format() {
    check_othello(MANY_GAMES);
}

/// Checks that every writer refuses a null move, and an illegal move, in the main line.
fn check_refusals<G: RecordFormat>(illegal: G::Move) {
    for row in G::FILES.iter().filter(|row| row.format != FileFormat::Obf) {
        let Some(writer) = &row.writer else { continue };
        let mut tree = GameTree::<G>::default();
        tree.add(ROOT, None);
        let error = writer.write(row.format, &[tree]).expect_err("a null move");
        assert_eq!(error, WriteError::NullMove { format: row.format, plies: 0 });
        let mut tree = GameTree::<G>::default();
        tree.add(ROOT, Some(illegal));
        let written = writer.write(row.format, &[tree]);
        assert_eq!(written, Err(WriteError::IllegalMove { plies: 0 }), "{:?}", row.format);
    }
}

#[test]
fn null_moves_and_illegal_moves_are_refused_by_name() {
    let square = |text: &str| text.parse::<alfil_xiangqi::Square>().unwrap();
    check_refusals::<Xiangqi>(alfil_xiangqi::Move::new(square("a0"), square("e5")));
    check_refusals::<Othello>(alfil_othello::Move::PASS);
}
