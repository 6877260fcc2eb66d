//! Writes games of PGN files as PGN again, without a game of texts in between.
//!
//! A game without variations is written while it is read, and its moves are played once. Of others a tree is built.

use alfil_kernel::{Dialect as _, Notation as _, Position as _, Setup as _};
use memchr::memchr;

use super::{Attempt, NULL_MOVE, TextGameError, record_dialect, unreadable};
use crate::annotation::MoveAnnotation;
use crate::game_outline::GameOutline;
use crate::game_tree::GameTree;
use crate::opening_names::NamesOf;
use crate::parsed_game::ParsedGame;
use crate::pgn::{self, GameChoice, GameHead, GameVisitor, Movetext, OutlineVisitor};
use crate::record_format::{DialectOf, RecordFormat};
use crate::tree_traversal::start_position;

/// How a game is written again.
#[derive(Clone, Copy, Default)]
pub struct Rewriting<'a> {
    /// The dialect of PGN; none for the default one of the game.
    pub dialect: Option<&'a str>,
    /// Whether comments, evaluations and clock times are left out.
    pub drops_comments: bool,
    /// Whether variations are left out.
    pub drops_variations: bool,
    /// The named openings of a game. If they are given, the tags of the outline of a game that does not name its
    /// opening get it by the moves.
    pub names: Option<NamesOf<'a>>,
    /// Whether the opening of the outline is also written.
    pub writes_opening: bool,
    /// Whether [`RewrittenGame::main_line`] is needed.
    pub keeps_main_line: bool,
    /// Returns whether a game with this outline is written; none if all are.
    pub accepts: Option<&'a dyn Fn(&GameOutline) -> bool>,
}

/// A game that was read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewrittenGame {
    /// What was read.
    pub outline: GameOutline,
    /// The moves of the main line as of [`super::TextGame::main_line`], if they are needed.
    pub main_line: Vec<String>,
    /// The game as PGN, or why it cannot be written; none if it is not accepted.
    pub pgn: Option<Result<String, TextGameError>>,
}

/// Reads a game and writes it.
pub(super) fn rewrite_as<G: RecordFormat>(
    game: &pgn::RawGame<'_>,
    rewriting: &Rewriting<'_>,
) -> Attempt<RewrittenGame> {
    match rewrite_line::<G>(game, rewriting) {
        Some(game) => Attempt { has_moves: game.outline.plies > 0, game: Ok(game) },
        None => rewrite_tree::<G>(game, rewriting),
    }
}

/// Reads and writes a game in one pass; none if it has variations or an error.
fn rewrite_line<G: RecordFormat>(
    game: &pgn::RawGame<'_>,
    rewriting: &Rewriting<'_>,
) -> Option<RewrittenGame> {
    if memchr(b'(', game.bytes).is_some() {
        return None;
    }
    let dialect = record_dialect::<G>(rewriting.dialect).ok()?;
    let mut visitor = LineRewriter::<G> {
        outline: OutlineVisitor::new(rewriting.names),
        dialect,
        drops_comments: rewriting.drops_comments,
        // Other encodings have other parentheses.
        reads_variations: !game.bytes.is_ascii(),
        has_variation: false,
        start: None,
        plies: 0,
        last_move: String::new(),
        annotation: MoveAnnotation::default(),
        main_line: rewriting.keeps_main_line.then(Vec::new),
    };
    let summary = game.visit(&mut visitor);
    if summary.error.is_some() || visitor.has_variation {
        return None;
    }
    let (start, movetext) = visitor.start?;
    let (mut outline, opening) = visitor.outline.complete(summary);
    let written_tags = (!rewriting.writes_opening && opening.is_some()).then(|| outline.tags.clone());
    if let Some(opening) = opening {
        opening.complete_tags(&mut outline.tags);
    }
    if rewriting.accepts.is_some_and(|accepts| !accepts(&outline)) {
        return Some(RewrittenGame { outline, main_line: Vec::new(), pgn: None });
    }
    let tags = written_tags.as_ref().unwrap_or(&outline.tags);
    let pgn = movetext.complete::<G>(tags, &start, outline.result, dialect);
    Some(RewrittenGame { outline, main_line: visitor.main_line.unwrap_or_default(), pgn: Some(Ok(pgn)) })
}

/// Writes a game without variations while it is read.
struct LineRewriter<'a, G: RecordFormat> {
    outline: OutlineVisitor<'a, G>,
    dialect: DialectOf<G>,
    drops_comments: bool,
    reads_variations: bool,
    has_variation: bool,
    /// The initial position, and the moves after it but for the last.
    start: Option<(G::Setup, Movetext)>,
    plies: usize,
    /// The last move, of which the annotation may be incomplete; empty at the start.
    last_move: String,
    annotation: MoveAnnotation,
    /// The moves in the first dialect, if they are needed.
    main_line: Option<Vec<String>>,
}

impl<G: RecordFormat> LineRewriter<'_, G> {
    /// Writes the last move, or what precedes the first one.
    fn write_last(&mut self) {
        let Some((_, movetext)) = &mut self.start else { return };
        self.annotation.normalise_comments();
        if self.drops_comments {
            self.annotation.keep_only_nags();
        }
        match self.last_move.is_empty() {
            true => movetext.push_annotation(&self.annotation),
            false => movetext.push_move(self.plies - 1, &self.last_move, &self.annotation),
        }
        if !self.annotation.is_empty() {
            self.annotation = MoveAnnotation::default();
        }
    }
}

impl<G: RecordFormat> GameVisitor<G> for LineRewriter<'_, G> {
    fn begin_game(&mut self, head: &GameHead<'_, G>, position: &G::Board) -> GameChoice {
        self.start = Some((head.start.clone(), Movetext::after(head.start, position.side_to_move())));
        self.outline.begin_game(head, position)
    }

    fn play(&mut self, position: &G::Board, mv: Option<G::Move>) {
        self.write_last();
        self.last_move.clear();
        match mv {
            Some(mv) => G::MoveNotation::push_move(position, mv, self.dialect, &mut self.last_move),
            None => self.last_move.push_str(NULL_MOVE),
        }
        if let Some(line) = &mut self.main_line {
            line.push(text_of::<G>(position, mv));
        }
    }

    fn reach(&mut self, position: &G::Board, ply: usize) {
        self.plies = ply;
        if self.last_move != NULL_MOVE {
            G::MoveNotation::push_check_sign(position, self.dialect, &mut self.last_move);
        }
        self.outline.reach(position, ply);
    }

    fn comment(&mut self, text: &str) {
        self.annotation.add_comment_after(text);
    }

    fn nag(&mut self, nag: u8) {
        self.annotation.nags.push(nag);
    }

    fn wants_variations(&self) -> bool {
        self.reads_variations
    }

    fn begin_variation(&mut self) {
        self.has_variation = true;
        self.outline.begin_variation();
    }

    fn end_variation(&mut self, position: &G::Board, ply: usize) {
        self.outline.end_variation(position, ply);
    }

    fn end_game(&mut self, _: &pgn::GameSummary) {
        self.write_last();
    }
}

/// Reads a game to a tree and writes that.
fn rewrite_tree<G: RecordFormat>(
    game: &pgn::RawGame<'_>,
    rewriting: &Rewriting<'_>,
) -> Attempt<RewrittenGame> {
    let ParsedGame { mut tree, error, warnings } = game.parse::<G>();
    let has_moves = !tree.moves.is_empty();
    let has_own_start = tree.start != G::Setup::start();
    if let Some(error) = unreadable(error.as_ref(), has_moves, has_own_start, &tree.tags) {
        return Attempt { has_moves, game: Err(error.clone()) };
    }
    let mut outline = GameOutline {
        game: G::NAME.to_owned(),
        tags: tree.tags.clone(),
        start: has_own_start.then(|| tree.start.to_text()),
        result: tree.result,
        plies: tree.moves.main_line().count(),
        error,
        warnings,
    };
    if let Some(names_of) = rewriting.names
        && tree.tags.first_value(&["Opening"]).is_none()
    {
        complete_opening(&tree, names_of, &mut outline);
        if rewriting.writes_opening {
            tree.tags = outline.tags.clone();
        }
    }
    if rewriting.accepts.is_some_and(|accepts| !accepts(&outline)) {
        return Attempt { has_moves, game: Ok(RewrittenGame { outline, main_line: Vec::new(), pgn: None }) };
    }
    let main_line = if rewriting.keeps_main_line { main_line(&tree) } else { Vec::new() };
    if rewriting.drops_variations {
        tree.keep_main_line();
    }
    if rewriting.drops_comments {
        for annotation in tree.annotations_mut() {
            annotation.keep_only_nags();
        }
    }
    // A tree that was read can always be written.
    let pgn = record_dialect::<G>(rewriting.dialect)
        .and_then(|dialect| pgn::format_legal_game(&tree, dialect).map_err(TextGameError::from));
    Attempt { has_moves, game: Ok(RewrittenGame { outline, main_line, pgn: Some(pgn) }) }
}

/// Adds the last named opening on the main line to the tags of an outline.
fn complete_opening<G: RecordFormat>(tree: &GameTree<G>, names_of: NamesOf<'_>, outline: &mut GameOutline) {
    let names = names_of(G::NAME);
    let Ok(position) = start_position(tree) else { return };
    let mut nodes = tree.moves.main_line();
    let play_next = |position: &mut G::Board| {
        let Some(node) = nodes.next() else { return false };
        match tree.mv(node) {
            Some(mv) => drop(position.make(mv, &mut ())),
            None => drop(position.make_null()),
        }
        true
    };
    if let Some(opening) = names.last_of_line(position, play_next) {
        opening.complete_tags(&mut outline.tags);
    }
}

/// Returns the moves of the main line in the first dialect.
fn main_line<G: RecordFormat>(tree: &GameTree<G>) -> Vec<String> {
    let Ok(mut position) = start_position(tree) else { return Vec::new() };
    let play = |node| {
        let mv = tree.mv(node);
        let text = text_of::<G>(&position, mv);
        match mv {
            Some(mv) => position.make_without_undo(mv),
            None => drop(position.make_null()),
        }
        text
    };
    tree.moves.main_line().map(play).collect()
}

/// Returns the text of a move in the first dialect.
fn text_of<G: RecordFormat>(position: &G::Board, mv: Option<G::Move>) -> String {
    match mv {
        Some(mv) => G::MoveNotation::format_move(position, mv, DialectOf::<G>::ALL[0]),
        None => NULL_MOVE.to_owned(),
    }
}

#[cfg(all(test, feature = "chess", feature = "othello", feature = "xiangqi"))]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::opening_names::OpeningNames;
    use alfil_chess::Chess;
    use alfil_othello::Othello;
    use alfil_xiangqi::Xiangqi;

    /// Rewrites a game in both ways, with all settings. Returns whether one pass was enough.
    fn rewrite_both<G: RecordFormat>(text: &[u8]) -> bool {
        let mut reader = pgn::Reader::new(text);
        let game = reader.next_game().unwrap().unwrap();
        let names = Arc::new(OpeningNames::of::<G>());
        let names_of = |_: &str| names.clone();
        let is_long = |outline: &GameOutline| outline.plies > 2;
        let mut passes = Vec::new();
        for setting in 0..32 {
            let is_set = |bit: u32| setting >> bit & 1 == 1;
            let rewriting = Rewriting {
                dialect: is_set(0).then(|| crate::record_format::DialectOf::<G>::ALL[0].name()),
                drops_comments: is_set(1),
                drops_variations: false,
                names: is_set(2).then_some(&names_of),
                writes_opening: is_set(3),
                keeps_main_line: is_set(4),
                accepts: is_set(1).then_some(&is_long),
            };
            let mut expected = rewrite_tree::<G>(&game, &rewriting);
            let line = rewrite_line::<G>(&game, &rewriting);
            passes.push(line.is_some());
            if let (Some(mut line), Ok(expected)) = (line, &mut expected.game) {
                // The tree sorts the tags.
                for outline in [&mut line.outline, &mut expected.outline] {
                    outline.tags.move_to_front(G::TAG_ROSTER);
                }
                assert_eq!(line, *expected, "{}", String::from_utf8_lossy(text));
            }
        }
        assert!(passes.iter().all(|pass| *pass == passes[0]));
        passes[0]
    }

    #[test]
    fn one_pass_writes_what_a_tree_has() {
        let chess = "[White \"A\"]\n[Black \"Müller\"]\n[Opening \"?\"]\n\n{the game}\n1. e4 $1 {[%clk 0:03:00]} {so} e5!? \
                     {[%eval 0.4] [%clk 1:02:03.5] good}\n2. Nf3 Nc6 3. Bc4 Nd4 ; to the end\n4. Nxe5 Qg5 5. Nxf7 Qxg2 \
                     6. Rf1 Qxe4+ 7. Be2 Nf3# {a {brace\n[Not \"a tag\"]} 0-1";
        assert!(rewrite_both::<Chess>(chess.as_bytes()));
        let from_position =
            "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/6k1/4q3/6K1 b - - 0 40\"]\n\n40... Qe3+ 41. Kh1 Kh3 0-1";
        assert!(rewrite_both::<Chess>(from_position.as_bytes()));
        assert!(rewrite_both::<Chess>(b"[Event \"none\"]\n\n*"));
        assert!(rewrite_both::<Chess>(b"1. e4 -- 2. d4 {[%nag 1] x} d5 1/2-1/2"));
        assert!(rewrite_both::<Othello>(b"1. F5 d6 2. C3 {edax} d3 3. C4 *"));
        assert!(rewrite_both::<Xiangqi>("[Red \"甲\"]\n\n1. 炮二平五 马8进7 2. 马二进三 1-0".as_bytes()));
        assert!(rewrite_both::<Xiangqi>(b"1. C2.5 H8+7 2. H2+3 {good} R9.8 1-0"));
    }

    #[test]
    fn a_game_with_variations_or_an_error_is_no_line() {
        for text in
            ["1. e4 (1. d4 d5) e5 *", "1. e4 {good (or not)} e5 *", "1. e4 （1. d4 d5） e5 *", "1. e4 Ke5 *"]
        {
            assert!(!rewrite_both::<Chess>(text.as_bytes()), "{text}");
        }
    }
}
