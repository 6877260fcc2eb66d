//! Builds the game tree of a record from its moves, and places the errors in the file.
//!
//! The formats of the xiangqi programs store a tree in preorder: a move, the moves that follow it, then the
//! alternatives to it. [`PreorderBuilder`] reads that order without recursion, because trees are as deep as games are
//! long.

use core::fmt::Display;

use alfil_kernel::{Dialect as _, MoveCounters, Notation as _, Outcome, Position, Setup as _, Side};

use crate::charset::{Charset, TextCursor, strip_byte_order_mark};
use crate::error::{RecordError, RecordErrorKind, numbered_move};
use crate::game_error::GameError;
use crate::game_tree::GameTree;
use crate::move_tree::{NodeId, ROOT};
use crate::parsed_game::{MAX_WARNINGS, ParsedGame};
use crate::pgn;
use crate::record_format::{DialectOf, RecordFormat, open_start};

/// The maximal number of moves of a game in a binary file. The longest real trees have some ten thousand.
pub(crate) const MAX_MOVES: usize = 1 << 20;

/// A game tree under construction and the position after the last move.
pub(crate) struct TreeBuilder<G: RecordFormat> {
    /// The number of the game in the file, from 1.
    game: u64,
    pub(crate) tree: GameTree<G>,
    position: G::Board,
    /// The moves from the start to the current node.
    line: Vec<(NodeId, G::Move, <G::Board as Position>::Undo)>,
    second_moves_first: bool,
    error: Option<RecordError>,
    warnings: Vec<RecordError>,
}

impl<G: RecordFormat<Move: Display>> TreeBuilder<G> {
    /// Begins a game, as [`open_start`] opens its start position.
    ///
    /// # Errors
    /// Returns the game without moves if no board accepts the start position.
    pub(crate) fn new(game: u64, offset: usize, start: G::Setup) -> Result<Self, Box<ParsedGame<G>>> {
        let (start, position, issues) =
            open_start::<G>(start).map_err(|kind| Box::new(failed_game(game, offset, kind)))?;
        let mut builder = TreeBuilder {
            game,
            second_moves_first: position.side_to_move() == Side::Second,
            tree: GameTree::new(start),
            position,
            line: Vec::new(),
            error: None,
            warnings: Vec::new(),
        };
        issues.into_iter().for_each(|kind| builder.warn(offset, "", kind));
        Ok(builder)
    }

    pub(crate) fn position(&self) -> &G::Board {
        &self.position
    }

    /// Returns the current node: the last move, or the start.
    pub(crate) fn node(&self) -> NodeId {
        self.line.last().map_or(ROOT, |&(node, ..)| node)
    }

    /// Returns the number of plies from the start to the current node.
    pub(crate) fn depth(&self) -> usize {
        self.line.len()
    }

    /// Plays a move after the current node.
    ///
    /// # Errors
    /// Returns the reason if the move is illegal.
    pub(crate) fn play(&mut self, mv: G::Move) -> Result<NodeId, RecordErrorKind> {
        if self.tree.moves.move_count() >= MAX_MOVES {
            return Err(RecordErrorKind::TooManyMoves(MAX_MOVES));
        }
        if !self.position.is_legal(mv) {
            return Err(illegal_move_kind::<G>(&self.position, mv));
        }
        let undo = self.position.make(mv, &mut ());
        let node = self.tree.add(self.node(), Some(mv));
        self.line.push((node, mv, undo));
        Ok(node)
    }

    /// Goes to a node of the tree.
    pub(crate) fn go_to(&mut self, node: NodeId) {
        let parent = |&node: &NodeId| self.tree.moves.parent(node).filter(|&parent| parent != ROOT);
        let mut path: Vec<_> =
            std::iter::successors(Some(node).filter(|&node| node != ROOT), parent).collect();
        path.reverse();
        let is_same = |((ours, ..), theirs): &(&(NodeId, _, _), &NodeId)| ours == *theirs;
        let common = self.line.iter().zip(&path).take_while(is_same).count();
        self.take_back_to(common);
        for &node in &path[common..] {
            if let Some(mv) = self.tree.mv(node) {
                let undo = self.position.make(mv, &mut ());
                self.line.push((node, mv, undo));
            }
        }
    }

    /// Takes moves back to this number of plies from the start.
    pub(crate) fn take_back_to(&mut self, depth: usize) {
        while self.line.len() > depth
            && let Some((_, mv, undo)) = self.line.pop()
        {
            self.position.unmake(mv, &undo, &mut ());
        }
    }

    /// Creates an error at a byte of the file. `text` is the move concerned, or empty.
    pub(crate) fn error_at(&self, offset: usize, text: &str, kind: RecordErrorKind) -> RecordError {
        // The comment of the start may have set the number of the first move.
        let MoveCounters { fullmove_number, .. } = self.tree.start.counters();
        let mv = match text {
            "" => String::new(),
            text => numbered_move(self.depth(), fullmove_number, self.second_moves_first, text),
        };
        RecordError { game: self.game, offset: offset as u64, line: 0, mv, kind }
    }

    /// Notes a part that is skipped.
    pub(crate) fn warn(&mut self, offset: usize, text: &str, kind: RecordErrorKind) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(self.error_at(offset, text, kind));
        }
    }

    /// Sets the result, which is at this byte of the file. An error is noted as a warning, and leaves the result open.
    pub(crate) fn set_result(&mut self, offset: usize, result: Result<Option<Outcome>, RecordErrorKind>) {
        self.tree.result = result.unwrap_or_else(|kind| {
            self.warn(offset, "", kind);
            None
        });
    }

    /// Notes the error that ends the game; the first one counts.
    pub(crate) fn fail(&mut self, offset: usize, text: &str, kind: RecordErrorKind) {
        if self.error.is_none() {
            self.error = Some(self.error_at(offset, text, kind));
        }
    }

    /// Finishes the annotations and tags.
    pub(crate) fn finish(mut self) -> ParsedGame<G> {
        for annotation in self.tree.annotations_mut() {
            annotation.normalise_comments();
        }
        self.tree.tags.retain(|_, value| !value.is_empty());
        self.tree.tags.dedup_names();
        pgn::normalise_tags::<G>(&mut self.tree.tags, &self.tree.start);
        ParsedGame { tree: self.tree, error: self.error, warnings: self.warnings }
    }
}

/// Converts the places of errors in the decoded text of a file to bytes and lines of the file. The text does not have
/// the byte order mark of the file.
pub(crate) fn place_errors_in_file<G: RecordFormat>(
    games: &mut [ParsedGame<G>],
    file: &[u8],
    charset: Charset,
) {
    let bytes = strip_byte_order_mark(file);
    let mut errors: Vec<_> =
        games.iter_mut().flat_map(|game| game.error.iter_mut().chain(&mut game.warnings)).collect();
    errors.sort_by_key(|error| error.offset);
    let mut cursor = TextCursor::new(charset, bytes);
    let (mut counted, mut line) = (0, 1);
    for error in errors {
        let at = cursor.advance_to(error.offset as usize);
        line += memchr::memchr_iter(b'\n', &bytes[counted..at]).count() as u64;
        counted = at;
        error.offset = (file.len() - bytes.len() + at) as u64;
        error.line = line;
    }
}

/// Returns the game of which nothing could be read.
pub(crate) fn failed_game<G: RecordFormat>(game: u64, offset: usize, kind: RecordErrorKind) -> ParsedGame<G> {
    let error = RecordError { game, offset: offset as u64, line: 0, mv: String::new(), kind };
    ParsedGame { tree: GameTree::default(), error: Some(error), warnings: Vec::new() }
}

/// Returns why a move is illegal: the reason that the game gives, if it gives one.
fn illegal_move_kind<G: RecordFormat<Move: Display>>(position: &G::Board, mv: G::Move) -> RecordErrorKind {
    let dialect = DialectOf::<G>::ALL[0];
    let text = mv.to_string();
    let error = match G::MoveNotation::rejection_reason(position, &text, dialect) {
        Some(reason) => GameError::IllegalMove(reason),
        None => match G::MoveNotation::parse_move(position, &text, dialect) {
            Err(error) => GameError::InvalidMoveText(error),
            Ok(_) => return RecordErrorKind::IllegalMove,
        },
    };
    RecordErrorKind::InvalidMove(G::into_any_error(error))
}

/// A move of a file in preorder.
pub(crate) struct PreorderMove<G: RecordFormat> {
    /// The byte of the file at which the move is.
    pub(crate) offset: usize,
    /// The move; an error with the text of the move if it is none.
    pub(crate) mv: Result<G::Move, (RecordErrorKind, String)>,
    /// Whether moves follow this one.
    pub(crate) has_next: bool,
    /// Whether an alternative to this move follows after them.
    pub(crate) has_alternative: bool,
    pub(crate) comment: String,
}

/// The place of an alternative that follows later in the file.
struct PendingAlternative {
    depth: usize,
    /// Whether the moves before it were not read.
    is_truncated: bool,
}

/// Builds a tree from its moves in preorder. An illegal move of the main line ends the game; the variations of the
/// moves before it are kept. An illegal move of a variation ends the variation.
pub(crate) struct PreorderBuilder<G: RecordFormat> {
    pub(crate) builder: TreeBuilder<G>,
    pending: Vec<PendingAlternative>,
    is_truncated: bool,
    is_main_line: bool,
    is_complete: bool,
}

impl<G: RecordFormat<Move: Display>> PreorderBuilder<G> {
    pub(crate) fn new(builder: TreeBuilder<G>) -> Self {
        PreorderBuilder {
            builder,
            pending: Vec::new(),
            is_truncated: false,
            is_main_line: true,
            is_complete: false,
        }
    }

    /// Returns whether the tree is complete, so that no move may follow.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Adds the next move of the file.
    pub(crate) fn add(&mut self, next: PreorderMove<G>) {
        let parent_is_truncated = self.is_truncated;
        let depth = self.builder.depth();
        if !parent_is_truncated {
            let text = match &next.mv {
                Ok(mv) => mv.to_string(),
                Err((_, text)) => text.clone(),
            };
            let played = next.mv.map_err(|(kind, _)| kind).and_then(|mv| self.builder.play(mv));
            match played {
                Ok(node) if !next.comment.is_empty() => {
                    self.builder.tree.annotation_mut(node).add_comment_after(&next.comment);
                }
                Ok(_) => {}
                Err(kind) => {
                    self.is_truncated = true;
                    if self.is_main_line {
                        self.builder.fail(next.offset, &text, kind);
                    } else {
                        self.builder.warn(next.offset, &text, kind);
                    }
                }
            }
        }
        if next.has_alternative {
            // An alternative to the move that ended the main line would become the main line.
            let is_truncated = parent_is_truncated || self.is_truncated && self.is_main_line;
            self.pending.push(PendingAlternative { depth, is_truncated });
        }
        if !next.has_next {
            match self.pending.pop() {
                Some(alternative) => {
                    self.is_main_line = false;
                    self.is_truncated = alternative.is_truncated;
                    self.builder.take_back_to(alternative.depth);
                }
                None => self.is_complete = true,
            }
        }
    }

    /// Notes that the file ends although moves should follow.
    pub(crate) fn end_of_file(&mut self, offset: usize) {
        if self.is_main_line && !self.is_truncated {
            self.builder.fail(offset, "", RecordErrorKind::UnexpectedEnd);
        } else {
            self.builder.warn(offset, "", RecordErrorKind::UnexpectedEnd);
        }
    }
}
