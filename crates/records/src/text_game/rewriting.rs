//! Writes games of PGN files as PGN again, without a game of texts in between.

use alfil_kernel::{Dialect as _, Notation as _, Position as _, Setup as _};

use super::{Attempt, NULL_MOVE, TextGameError, record_dialect, unreadable};
use crate::game_outline::GameOutline;
use crate::game_tree::GameTree;
use crate::opening_names::NamesOf;
use crate::parsed_game::ParsedGame;
use crate::pgn;
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
            let nags = std::mem::take(&mut annotation.nags);
            *annotation = crate::annotation::MoveAnnotation { nags, ..Default::default() };
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
    let text_of = |node| match tree.mv(node) {
        Some(mv) => {
            let text = G::MoveNotation::format_move(&position, mv, DialectOf::<G>::ALL[0]);
            position.make(mv, &mut ());
            text
        }
        None => {
            position.make_null();
            NULL_MOVE.to_owned()
        }
    };
    tree.moves.main_line().map(text_of).collect()
}
