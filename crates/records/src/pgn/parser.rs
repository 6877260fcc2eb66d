//! A game of a file as a tree.

use alfil_kernel::{Dialect as _, MoveCounters, Notation as _, Position, Setup, Side, Waivers};

use super::reader;
use super::tags;
use super::token::{self, Token, Tokens};
use crate::annotation::append_comment;
use crate::error::{GameError, RecordError, RecordErrorKind, numbered_move};
use crate::game_tree::{GameTree, NodeId, Tags};
use crate::parsed_game::ParsedGame;
use crate::record_format::{DialectOf, RecordFormat};

/// How deep variations may lie in one another; deeper ones are passed over.
pub const MAX_VARIATION_DEPTH: usize = 500;

/// At most this many faults of one game are kept; more would say nothing new.
const MAX_WARNINGS: usize = 100;

/// More bytes than a move is written in.
const MAX_MOVE_BYTES: usize = 100;

impl reader::RawGame<'_> {
    /// Reads the game. Its tree's tags are those of the file without what the tree says itself (`Result`, `SetUp`,
    /// `FEN`), without those of the seven that say nothing (`?`), the rest of the seven first.
    pub fn parse<G: RecordFormat>(&self) -> ParsedGame<G> {
        self.parse_with_waivers(&Waivers::None)
    }

    /// The same; the start position's complaints that are waived are let pass.
    pub fn parse_with_waivers<G: RecordFormat>(&self, waivers: &Waivers) -> ParsedGame<G> {
        let text = self.text();
        let mut head = tags::parse_tag_section(&text);
        let mut faults: Vec<_> = head
            .warnings
            .drain(..)
            .take(MAX_WARNINGS)
            .map(|(at, reason)| self.error_at(at, String::new(), reason))
            .collect();
        let mut broken = |reason| {
            let fault = self.error_at(0, String::new(), reason);
            ParsedGame {
                tree: GameTree::default(),
                error: Some(fault),
                warnings: std::mem::take(&mut faults),
            }
        };
        if self.is_truncated {
            return broken(RecordErrorKind::GameTooLong(self.bytes.len()));
        }
        if let Some(stranger) = G::other_game(&head.tags) {
            return broken(stranger);
        }
        let (start, dialect) = match (G::start_from_tags(&head.tags), G::dialect_from_tags(&head.tags)) {
            (Ok(start), Ok(dialect)) => (start, dialect),
            (Err(reason), _) | (_, Err(reason)) => return broken(reason),
        };
        let position = match G::Bitboard::from_setup(&start, waivers) {
            Ok(position) => position,
            Err(error) => {
                return broken(RecordErrorKind::InvalidStart(G::into_any_error(GameError::InvalidSetup(
                    error,
                ))));
            }
        };
        let MoveCounters { fullmove_number: number, .. } = start.counters();
        let mut tree = GameTree::new(start);
        for (start, end) in head.comments {
            tree.annotation_mut(NodeId::ROOT).add_comment_after(&text[start..end]);
        }
        let second = position.side_to_move() == Side::Second;
        let mut parser = Parser::<G> {
            game: self,
            dialect,
            first_number: number,
            second_moves_first: second,
            tree,
            error: None,
            warnings: faults,
            current: LineState { position, node: NodeId::ROOT, last: None, ply: 0 },
            stack: Vec::new(),
            pending_variation: None,
        };
        parser.run(Tokens::starting_at(&text, head.end, G::NESTED_COMMENTS));
        parser.finish(head.tags)
    }
}

/// Where reading stands in one line of moves.
struct LineState<G: RecordFormat> {
    position: G::Bitboard,
    node: NodeId,
    /// The last move, which a variation replaces.
    last: Option<PlayedMove<G>>,
    ply: usize,
}

type PlayedMove<G> =
    (Option<<G as alfil_kernel::Game>::Move>, <<G as alfil_kernel::Game>::Bitboard as Position>::Undo);

/// What has been said in a variation before its first move.
struct VariationStart {
    at: usize,
    comment: String,
}

struct Parser<'a, G: RecordFormat> {
    game: &'a reader::RawGame<'a>,
    dialect: Option<DialectOf<G>>,
    /// The number of the first move, and whether the second player makes it.
    first_number: u32,
    second_moves_first: bool,
    tree: GameTree<G>,
    error: Option<RecordError>,
    warnings: Vec<RecordError>,
    current: LineState<G>,
    /// The lines that the variations interrupt.
    stack: Vec<LineState<G>>,
    pending_variation: Option<VariationStart>,
}

impl<G: RecordFormat> Parser<'_, G> {
    fn run(&mut self, mut tokens: Tokens<'_>) {
        while let Some((at, token)) = tokens.next() {
            let token = match token {
                Token::Move(text) => {
                    G::parse_outcome(text).map_or(token, |outcome| Token::Result(Some(outcome)))
                }
                token => token,
            };
            match token {
                Token::Move(text) => {
                    if let Err(reason) = self.play_move(text) {
                        if self.stack.is_empty() {
                            self.error = Some(self.move_error(at, text, reason));
                            return;
                        }
                        tokens.skip_variation();
                        if self.is_prose(text) {
                            self.convert_prose_to_comment(tokens.text_before());
                        } else if self.warnings.len() < MAX_WARNINGS {
                            self.warnings.push(self.move_error(at, text, reason));
                        }
                        self.leave_variation();
                    }
                }
                Token::Nag(nag) if self.pending_variation.is_none() => {
                    self.tree.annotation_mut(self.current.node).nags.push(nag)
                }
                Token::Nag(_) => self.warn(at, RecordErrorKind::NagBeforeMove),
                Token::Comment(text) => match &mut self.pending_variation {
                    Some(opening) => append_comment(&mut opening.comment, text),
                    None => self.tree.annotation_mut(self.current.node).add_comment_after(text),
                },
                Token::OpenVariation => {
                    if let Err(reason) = self.open_variation(at) {
                        self.warn(at, reason);
                        tokens.skip_variation();
                    }
                }
                Token::CloseVariation => self.close_variation(at),
                // Programs end analyses, too, with a sign that nobody has won them yet.
                Token::Result(_) if !self.stack.is_empty() => {}
                Token::Result(result) => {
                    self.tree.result = result;
                    return self.parse_after_result(tokens);
                }
                Token::UnclosedComment => {
                    self.error =
                        Some(self.game.error_at(at, String::new(), RecordErrorKind::UnclosedComment));
                    return;
                }
                Token::InvalidNag => self.warn(at, RecordErrorKind::InvalidNag),
                Token::UnmatchedBrace => self.warn(at, RecordErrorKind::UnmatchedBrace),
            }
        }
        if !self.stack.is_empty() {
            let end = self.game.text().trim_end().len();
            self.warn(end, RecordErrorKind::UnclosedVariation);
        }
    }

    /// What stands behind the result: words about the end.
    fn parse_after_result(&mut self, tokens: Tokens<'_>) {
        if !G::STRICT_END {
            return;
        }
        for (at, token) in tokens {
            match token {
                Token::Comment(text) => self.tree.annotation_mut(self.current.node).add_comment_after(text),
                Token::Nag(nag) => self.tree.annotation_mut(self.current.node).nags.push(nag),
                _ => return self.warn(at, RecordErrorKind::TextAfterResult),
            }
        }
    }

    /// What is wrong with a move.
    fn move_error(&self, at: usize, text: &str, reason: RecordErrorKind) -> RecordError {
        self.game.error_at(
            at,
            numbered_move(self.current.ply, self.first_number, self.second_moves_first, text),
            reason,
        )
    }

    fn play_move(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        if text.len() > MAX_MOVE_BYTES {
            return Err(RecordErrorKind::MoveTooLong(text.len()));
        }
        let position = &self.current.position;
        let unread =
            |error| RecordErrorKind::InvalidMove(G::into_any_error(GameError::InvalidMoveText(error)));
        match G::parse_move(position, text, self.dialect) {
            Ok(mv) => self.make_move(mv),
            Err(error) => {
                let Some(implied) = G::forced_pass(position) else { return Err(unread(error)) };
                let mut after = position.clone();
                after.make(implied, &mut ());
                let mv = G::parse_move(&after, text, self.dialect).map_err(unread)?;
                self.make_move(Some(implied))?;
                self.make_move(mv)
            }
        }
    }

    fn make_move(&mut self, mv: Option<G::Move>) -> Result<(), RecordErrorKind> {
        let line = &mut self.current;
        let undo = match mv {
            Some(mv) => line.position.make(mv, &mut ()),
            None if line.position.in_check() => return Err(RecordErrorKind::NullMoveInCheck),
            None => line.position.make_null(),
        };
        line.node = self.tree.add(line.node, mv);
        line.last = Some((mv, undo));
        line.ply += 1;
        if let Some(opening) = self.pending_variation.take()
            && !opening.comment.is_empty()
        {
            self.tree.annotation_mut(line.node).comment_before = opening.comment;
        }
        Ok(())
    }

    /// A variation begins: the last move is taken back.
    fn open_variation(&mut self, at: usize) -> Result<(), RecordErrorKind> {
        if self.stack.len() == MAX_VARIATION_DEPTH {
            return Err(RecordErrorKind::VariationTooDeep);
        }
        let Some((mv, undo)) = self.current.last.take() else {
            return Err(RecordErrorKind::VariationBeforeMove);
        };
        let mut position = self.current.position.clone();
        match mv {
            Some(mv) => position.unmake(mv, &undo, &mut ()),
            None => position.unmake_null(&undo),
        }
        self.current.last = Some((mv, undo));
        let node = self.tree.parent(self.current.node).unwrap_or(NodeId::ROOT);
        let branch = LineState { position, node, last: None, ply: self.current.ply - 1 };
        self.stack.push(std::mem::replace(&mut self.current, branch));
        self.pending_variation = Some(VariationStart { at, comment: String::new() });
        Ok(())
    }

    /// Whether a variation that begins with this word is none, but a remark in parentheses.
    fn is_prose(&self, word: &str) -> bool {
        let normalise = |&dialect: &DialectOf<G>| G::MoveNotation::normalise(word, dialect);
        G::NESTED_COMMENTS
            && self.pending_variation.is_some()
            && DialectOf::<G>::ALL.iter().all(|dialect| normalise(dialect).is_none())
    }

    /// Makes a comment of what stands between the parentheses, of which the second has just been read.
    fn convert_prose_to_comment(&mut self, text: &str) {
        if let Some(opening) = &mut self.pending_variation {
            let words = text.get(opening.at + 1..).unwrap_or_default();
            opening.comment = words.strip_suffix(')').unwrap_or(words).to_owned();
        }
    }

    fn close_variation(&mut self, at: usize) {
        if self.stack.is_empty() {
            return self.warn(at, RecordErrorKind::UnmatchedParenthesis);
        }
        self.leave_variation();
    }

    /// Goes back to the line that the variation interrupted. What was said in a variation without a move belongs to the
    /// move it would have replaced.
    fn leave_variation(&mut self) {
        if let Some(line) = self.stack.pop() {
            self.current = line;
        }
        if let Some(opening) = self.pending_variation.take() {
            if opening.comment.is_empty() {
                self.warn(opening.at, RecordErrorKind::EmptyVariation);
            } else {
                self.tree.annotation_mut(self.current.node).add_comment_after(&opening.comment);
            }
        }
    }

    fn warn(&mut self, at: usize, reason: RecordErrorKind) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(self.game.error_at(at, String::new(), reason));
        }
    }

    /// Puts tags and result in order.
    fn finish(mut self, tags: Tags) -> ParsedGame<G> {
        for notes in self.tree.annotations_mut() {
            notes.normalise_comments();
        }
        let count = tags.len();
        let mut unique = tags;
        unique.dedup_names();
        if unique.len() < count {
            self.warn(0, RecordErrorKind::DuplicateTag);
        }
        if let Some(value) = unique.remove("Result").filter(|value| !matches!(value.as_str(), "" | "?")) {
            let said = token::parse_result(value.as_bytes()).or_else(|| G::parse_outcome(&value).map(Some));
            match said {
                Some(said) if self.tree.result.is_none() => self.tree.result = said,
                Some(said) if said == self.tree.result || said.is_none() => {}
                Some(_) => self.warn(0, RecordErrorKind::ConflictingResult),
                None => self.warn(0, RecordErrorKind::UnknownResult),
            }
        }
        self.tree.tags = unique;
        normalise_tags(&mut self.tree);
        ParsedGame { tree: self.tree, error: self.error, warnings: self.warnings }
    }
}

/// Leaves out the tags that say nothing or that the tree says itself, and puts the others in order.
pub(super) fn normalise_tags<G: RecordFormat>(tree: &mut GameTree<G>) {
    let tags = &mut tree.tags;
    tags.retain(|name, value| !(G::TAG_ROSTER.contains(&name) && matches!(value, "" | "?" | "????.??.??")));
    tags.retain(|name, _| !matches!(name, "Result" | "SetUp" | "FEN"));
    G::strip_tags(tags, &tree.start);
    tags.move_to_front(G::TAG_ROSTER);
}
