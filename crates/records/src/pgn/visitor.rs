//! Reads games as a stream of moves, positions and comments, without building trees.
//!
//! A [`GameVisitor`] receives what a game contains in the order of the file. Every move is played once, on one board,
//! and one game is in memory at a time. A game can be skipped by its tags, and so can variations.

use std::io::{self, Read};

use alfil_kernel::Outcome;

use super::reader::{RawGame, Reader};
use crate::annotation::append_comment;
use crate::error::RecordError;
use crate::game_tree::GameTree;
use crate::move_tree::{NodeId, ROOT};
use crate::record_format::RecordFormat;
use crate::tags::Tags;

/// The beginning of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameHead<'a, G: RecordFormat> {
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The byte offset of the game in the file.
    pub offset: u64,
    /// The first line of the game, from 1.
    pub line: u64,
    /// The tags as written.
    pub tags: &'a Tags,
    /// The initial position.
    pub start: &'a G::Setup,
}

/// What to do with a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameChoice {
    /// Read its moves.
    #[default]
    Read,
    /// Skip it.
    Skip,
    /// Read no more games.
    Stop,
}

/// What is known of a game at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSummary {
    /// The answer of `begin_game`; `Read` for an unreadable game.
    pub choice: GameChoice,
    /// The result; none if the game is unfinished or its result unknown.
    pub result: Option<Outcome>,
    /// The error that ended the game early, if any.
    pub error: Option<RecordError>,
    /// The parts skipped in reading.
    pub warnings: Vec<RecordError>,
}

/// A receiver of the contents of games. Every method does nothing unless it is implemented.
///
/// The order of calls is that of a record: a move, its comments and NAGs, the variations that replace it, the next
/// move.
pub trait GameVisitor<G: RecordFormat> {
    /// A game begins, at this position. The answer decides whether its moves are read.
    fn begin_game(&mut self, _head: &GameHead<'_, G>, _position: &G::Board) -> GameChoice {
        GameChoice::Read
    }

    /// A move is about to be played in this position; `None` is a null move.
    fn play(&mut self, _position: &G::Board, _mv: Option<G::Move>) {}

    /// A position was reached by a move, this number of plies after the start.
    fn reach(&mut self, _position: &G::Board, _ply: usize) {}

    /// Receives a comment on the last move, or on the start. [`crate::MoveAnnotation::add_comment_after`] finds the
    /// evaluation and the clock times in it.
    fn comment(&mut self, _text: &str) {}

    /// Receives a comment before the last move, the first one of its variation.
    fn comment_before(&mut self, _text: &str) {}

    /// Receives a numeric annotation glyph of the last move.
    fn nag(&mut self, _nag: u8) {}

    /// Returns whether variations are read.
    fn wants_variations(&self) -> bool {
        true
    }

    /// A variation begins: its first move replaces the last move.
    fn begin_variation(&mut self) {}

    /// A variation ends: the line that it interrupted continues from this position, this number of plies after the
    /// start.
    fn end_variation(&mut self, _position: &G::Board, _ply: usize) {}

    /// A game ends that was read.
    fn end_game(&mut self, _summary: &GameSummary) {}

    /// A game has no moves that could be read, because its tags or its start position are faulty.
    fn unreadable_game(&mut self, _game: &RawGame<'_>, _summary: &GameSummary) {}
}

/// Reads the games of a file to its end, or until the visitor stops.
///
/// ```
/// use alfil_chess::{Bitboard, Chess};
/// use alfil_kernel::Position as _;
/// use alfil_records::pgn::{GameChoice, GameHead, GameVisitor, Reader, read_games};
///
/// /// Counts checks in the games of one player.
/// #[derive(Default)]
/// struct Checks(usize);
///
/// impl GameVisitor<Chess> for Checks {
///     fn begin_game(&mut self, head: &GameHead<'_, Chess>, _: &Bitboard) -> GameChoice {
///         if head.tags.value("White") == Some("Anderssen") { GameChoice::Read } else { GameChoice::Skip }
///     }
///
///     fn reach(&mut self, position: &Bitboard, _: usize) {
///         self.0 += usize::from(position.in_check());
///     }
/// }
///
/// let file = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ *\n\n\
///              [White \"Morphy\"]\n\n1. e4 f6 2. Qh5+ *";
/// let mut checks = Checks::default();
/// read_games(&mut Reader::new(&file[..]), &mut checks)?;
/// assert_eq!(checks.0, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Returns the errors of the input.
pub fn read_games<G: RecordFormat, R: Read, V: GameVisitor<G>>(
    reader: &mut Reader<R>,
    visitor: &mut V,
) -> io::Result<()> {
    while let Some(game) = reader.next_game()? {
        if game.visit(visitor).choice == GameChoice::Stop {
            break;
        }
    }
    Ok(())
}

/// Builds the tree of a game.
pub(super) struct TreeVisitor<G: RecordFormat> {
    pub(super) tree: GameTree<G>,
    node: NodeId,
    /// The nodes at which the open variations began.
    stack: Vec<NodeId>,
}

impl<G: RecordFormat> Default for TreeVisitor<G> {
    fn default() -> Self {
        TreeVisitor { tree: GameTree::default(), node: ROOT, stack: Vec::new() }
    }
}

impl<G: RecordFormat> GameVisitor<G> for TreeVisitor<G> {
    fn begin_game(&mut self, head: &GameHead<'_, G>, _: &G::Board) -> GameChoice {
        self.tree = GameTree::new(head.start.clone());
        self.tree.tags = head.tags.clone();
        GameChoice::Read
    }

    fn play(&mut self, _: &G::Board, mv: Option<G::Move>) {
        self.node = self.tree.add(self.node, mv);
    }

    fn comment(&mut self, text: &str) {
        self.tree.annotation_mut(self.node).add_comment_after(text);
    }

    fn comment_before(&mut self, text: &str) {
        append_comment(&mut self.tree.annotation_mut(self.node).comment_before, text);
    }

    fn nag(&mut self, nag: u8) {
        self.tree.annotation_mut(self.node).nags.push(nag);
    }

    fn begin_variation(&mut self) {
        self.stack.push(self.node);
        self.node = self.tree.moves.parent(self.node).unwrap_or(ROOT);
    }

    fn end_variation(&mut self, _: &G::Board, _: usize) {
        self.node = self.stack.pop().unwrap_or(ROOT);
    }
}
