//! Parses a game of a file to a game tree.

use std::borrow::Cow;
use std::sync::Arc;

use alfil_kernel::{Dialect as _, MoveCounters, Notation as _, Outcome, Position, Setup as _, Side};

use super::reader;
use super::token::{self, Symbol, Token, Tokens};
use super::visitor::{GameChoice, GameHead, GameSummary, GameVisitor, TreeVisitor};
use crate::annotation::append_comment;
use crate::error::{RecordError, RecordErrorKind, numbered_move};
use crate::game_error::GameError;
use crate::game_outline::GameOutline;
use crate::opening_names::{NamesOf, Opening, OpeningNames};
use crate::parsed_game::{MAX_WARNINGS, ParsedGame};
use crate::record_format::{DialectOf, OpenedStart, RecordFormat, open_start};
use crate::tags::Tags;

/// The maximal nesting depth of variations; deeper ones are skipped.
pub const MAX_VARIATION_DEPTH: usize = 500;

/// The maximal length of a move.
const MAX_MOVE_BYTES: usize = 100;

impl reader::RawGame<'_> {
    /// Parses the game. The tags of the tree exclude those that the tree contains otherwise (`Result`,
    /// `SetUp`, `FEN`) and those of the roster with unknown values (`?`). The tags of the roster come first. Rights of
    /// castling and en passant that the start position cannot have are dropped with a warning.
    pub fn parse<G: RecordFormat>(&self) -> ParsedGame<G> {
        let game = self.parse_with::<G>(None, None);
        if game.error.is_none() || G::second_dialect().is_none() {
            return game;
        }
        let second = self.parse_with::<G>(None, G::second_dialect());
        if second.error.is_none() { second } else { game }
    }

    /// Reads the outline of a game: the moves are checked, and not kept. The opening of a game that does not name it
    /// is found among `names`.
    pub(crate) fn outline<G: RecordFormat>(&self, names: Option<NamesOf<'_>>) -> GameOutline {
        let game = self.outline_with::<G>(None, names);
        if game.error.is_none() || G::second_dialect().is_none() {
            return game;
        }
        let second = self.outline_with::<G>(G::second_dialect(), names);
        if second.error.is_none() { second } else { game }
    }

    fn outline_with<G: RecordFormat>(
        &self,
        dialect: Option<DialectOf<G>>,
        names: Option<NamesOf<'_>>,
    ) -> GameOutline {
        let mut visitor = OutlineVisitor::<G>::new(names);
        let summary = self.visit_with(None, dialect, &mut visitor);
        let (mut outline, opening) = visitor.complete(summary);
        if let Some(opening) = opening {
            opening.complete_tags(&mut outline.tags);
        }
        outline
    }

    /// Parses the game from a start position that its tags do not name.
    pub(crate) fn parse_from<G: RecordFormat>(&self, fen: &str) -> ParsedGame<G> {
        self.parse_with(Some(fen), None)
    }

    fn parse_with<G: RecordFormat>(&self, fen: Option<&str>, dialect: Option<DialectOf<G>>) -> ParsedGame<G> {
        let mut builder = TreeVisitor::<G>::default();
        let summary = self.visit_with(fen, dialect, &mut builder);
        let mut tree = builder.tree;
        for annotation in tree.annotations_mut() {
            annotation.normalise_comments();
        }
        tree.result = summary.result;
        tree.tags.dedup_names();
        normalise_tags::<G>(&mut tree.tags, &tree.start);
        ParsedGame { tree, error: summary.error, warnings: summary.warnings }
    }

    /// Reads the game and passes what it contains to the visitor, in the order of the file. Every move is played once.
    pub fn visit<G: RecordFormat, V: GameVisitor<G>>(&self, visitor: &mut V) -> GameSummary {
        self.visit_with(None, None, visitor)
    }

    /// Reads the game like [`Self::visit`], perhaps from another start position or in another dialect than its tags
    /// name.
    fn visit_with<G: RecordFormat, V: GameVisitor<G>>(
        &self,
        fen: Option<&str>,
        dialect: Option<DialectOf<G>>,
        visitor: &mut V,
    ) -> GameSummary {
        let text = self.text();
        let section = self.section();
        let mut tags = Cow::Borrowed(&section.tags);
        if let Some(fen) = fen {
            tags.to_mut().set("FEN", fen);
        }
        let tags = &*tags;
        let warnings = section.warnings.iter().take(MAX_WARNINGS);
        let mut warnings: Vec<_> =
            warnings.map(|(at, kind)| self.error_at(*at, String::new(), kind.clone())).collect();
        let (start, position) = match self.start_of::<G>(tags) {
            Ok((start, position, dropped)) => {
                warnings.extend(dropped.map(|kind| self.error_at(0, String::new(), kind)));
                (start, position)
            }
            Err(kind) => {
                let error = Some(self.error_at(0, String::new(), kind));
                let summary = GameSummary { error, warnings, ..GameSummary::default() };
                visitor.unreadable_game(self, &summary);
                return summary;
            }
        };
        let head =
            GameHead { number: self.number, offset: self.offset, line: self.line, tags, start: &start };
        let choice = visitor.begin_game(&head, &position);
        if choice != GameChoice::Read {
            return GameSummary { choice, ..GameSummary::default() };
        }
        for &(start, end) in &section.comments {
            visitor.comment(&text[start..end]);
        }
        let MoveCounters { fullmove_number: first_number, .. } = start.counters();
        let second_moves_first = position.side_to_move() == Side::Second;
        let reads_variations = visitor.wants_variations();
        let mut parser = Parser::<G, V> {
            game: self,
            dialect: dialect.or_else(|| G::dialect_from_tags(tags)),
            first_number,
            second_moves_first,
            visitor,
            result: None,
            error: None,
            warnings,
            current: LineState { position, last: None, ply: 0 },
            stack: Vec::new(),
            pending_variation: None,
            reads_variations,
            skipped: None,
        };
        parser.run(Tokens::starting_at(&text, section.end, G::NESTED_COMMENTS));
        let summary = parser.finish(tags);
        visitor.end_game(&summary);
        summary
    }

    /// Returns the start position that the tags give.
    fn start_of<G: RecordFormat>(&self, tags: &Tags) -> Result<OpenedStart<G>, RecordErrorKind> {
        if self.is_truncated {
            return Err(RecordErrorKind::GameTooLong(self.bytes.len()));
        }
        if let Some(kind) = G::other_game(tags) {
            return Err(kind);
        }
        match G::start_from_tags(tags)? {
            Some(start) => open_start::<G>(start),
            None => {
                let (start, position) = G::start_position();
                Ok((start, position, None))
            }
        }
    }
}

/// The parser state in one line of moves.
struct LineState<G: RecordFormat> {
    position: G::Board,
    /// The last move, which a variation replaces.
    last: Option<PlayedMove<G>>,
    ply: usize,
}

type PlayedMove<G> =
    (Option<<G as alfil_kernel::Game>::Move>, <<G as RecordFormat>::Board as Position>::Undo);

/// The start of a variation and the comments before its first move.
struct VariationStart {
    at: usize,
    comment: String,
}

struct Parser<'a, G: RecordFormat, V> {
    game: &'a reader::RawGame<'a>,
    dialect: Option<DialectOf<G>>,
    /// The number of the first move, and whether the second player makes it.
    first_number: u32,
    second_moves_first: bool,
    visitor: &'a mut V,
    result: Option<Outcome>,
    error: Option<RecordError>,
    warnings: Vec<RecordError>,
    current: LineState<G>,
    /// The lines that the open variations interrupt.
    stack: Vec<LineState<G>>,
    pending_variation: Option<VariationStart>,
    reads_variations: bool,
    /// The error of the sign that was skipped after the last move.
    skipped: Option<RecordError>,
}

impl<G: RecordFormat, V: GameVisitor<G>> Parser<'_, G, V> {
    fn run(&mut self, mut tokens: Tokens<'_>) {
        let mut is_closed = true;
        while let Some((at, token)) = tokens.next() {
            let token = match token {
                Token::Move(text) => {
                    G::parse_outcome(text).map_or(token, |outcome| Token::Result(Some(outcome)))
                }
                token => token,
            };
            match token {
                Token::Move(text) => {
                    if let Err(kind) = self.play_move(text) {
                        if self.read_symbol(at, text, &kind) {
                            continue;
                        }
                        if self.stack.is_empty() {
                            let error = self.skipped.take();
                            self.error = Some(error.unwrap_or_else(|| self.move_error(at, text, kind)));
                            return;
                        }
                        is_closed = tokens.skip_variation();
                        if self.is_prose(text) {
                            self.convert_prose_to_comment(tokens.text_before());
                        } else if self.warnings.len() < MAX_WARNINGS {
                            self.warnings.push(self.move_error(at, text, kind));
                        }
                        self.leave_variation();
                    }
                }
                Token::Nag(nag) => self.read_nag(at, nag),
                Token::Comment(text) => match &mut self.pending_variation {
                    Some(variation) => append_comment(&mut variation.comment, text),
                    None => self.visitor.comment(text),
                },
                Token::OpenVariation if !self.reads_variations => is_closed = tokens.skip_variation(),
                Token::OpenVariation => {
                    if let Err(kind) = self.open_variation(at) {
                        self.warn(at, kind);
                        is_closed = tokens.skip_variation();
                    }
                }
                Token::CloseVariation => self.close_variation(at),
                // Programs end variations with a result such as `*`.
                Token::Result(_) if !self.stack.is_empty() => {}
                Token::Result(result) => {
                    self.result = result;
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
        if !is_closed || !self.stack.is_empty() {
            let end = self.game.text().trim_end().len();
            self.warn(end, RecordErrorKind::UnclosedVariation);
        }
    }

    /// Parses the tokens after the result, such as comments on the end of the game.
    fn parse_after_result(&mut self, tokens: Tokens<'_>) {
        for (at, token) in tokens {
            match token {
                Token::Comment(text) => self.visitor.comment(text),
                Token::Nag(nag) => self.visitor.nag(nag),
                _ if G::STRICT_END => return self.warn(at, RecordErrorKind::TextAfterResult),
                _ => return,
            }
        }
    }

    fn read_nag(&mut self, at: usize, nag: u8) {
        match self.pending_variation {
            None => self.visitor.nag(nag),
            Some(_) => self.warn(at, RecordErrorKind::NagBeforeMove),
        }
    }

    /// Reads a word that is no legal move as an annotation, or skips a sign of an unknown meaning; returns false if the
    /// word may be a move.
    fn read_symbol(&mut self, at: usize, word: &str, kind: &RecordErrorKind) -> bool {
        match token::symbol_from_word(word) {
            Some(Symbol::Nag(nag)) => self.read_nag(at, nag),
            Some(Symbol::Check) => {}
            None => {
                let follows_move = self.current.ply > 0 && self.pending_variation.is_none();
                let is_sign = token::is_sign(word) && matches!(kind, RecordErrorKind::InvalidMove(_));
                if !follows_move || !is_sign || !self.is_unreadable(word) || self.skipped.is_some() {
                    return false;
                }
                self.skipped = Some(self.move_error(at, word, kind.clone()));
            }
        }
        true
    }

    /// Notes a sign that was skipped: a legal move or the end follows it, so that it was no move.
    fn warn_of_skipped_sign(&mut self) {
        if let Some(error) = self.skipped.take()
            && self.warnings.len() < MAX_WARNINGS
        {
            let kind =
                RecordErrorKind::UnknownSign(error.mv.rsplit(' ').next().unwrap_or_default().to_owned());
            self.warnings.push(RecordError { mv: String::new(), kind, ..error });
        }
    }

    /// Returns whether a word is a move in no dialect.
    fn is_unreadable(&self, word: &str) -> bool {
        DialectOf::<G>::ALL.iter().all(|&dialect| G::MoveNotation::normalise(word, dialect).is_none())
    }

    /// Creates an error about a move.
    fn move_error(&self, at: usize, text: &str, kind: RecordErrorKind) -> RecordError {
        self.game.error_at(
            at,
            numbered_move(self.current.ply, self.first_number, self.second_moves_first, text),
            kind,
        )
    }

    fn play_move(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        if text.len() > MAX_MOVE_BYTES {
            return Err(RecordErrorKind::MoveTooLong(text.len()));
        }
        let position = &self.current.position;
        let invalid_move =
            |error| RecordErrorKind::InvalidMove(G::into_any_error(GameError::InvalidMoveText(error)));
        let text = &*G::with_english_letters(text, self.game.piece_letters);
        match G::parse_move(position, text, self.dialect) {
            Ok(mv) => self.make_move(mv),
            Err(error) => {
                let Some(pass) = G::forced_pass(position) else { return Err(invalid_move(error)) };
                let mut after = position.clone();
                after.make(pass, &mut ());
                let mv = G::parse_move(&after, text, self.dialect).map_err(invalid_move)?;
                self.make_move(Some(pass))?;
                self.make_move(mv)
            }
        }
    }

    fn make_move(&mut self, mv: Option<G::Move>) -> Result<(), RecordErrorKind> {
        let line = &mut self.current;
        if mv.is_none() && line.position.in_check() {
            return Err(RecordErrorKind::NullMoveInCheck);
        }
        let variation = self.pending_variation.take();
        if variation.is_some() {
            self.visitor.begin_variation();
        }
        self.visitor.play(&line.position, mv);
        match mv {
            // Only a variation takes a move back.
            Some(mv) if !self.reads_variations => line.position.make_without_undo(mv),
            Some(played) => line.last = Some((mv, line.position.make(played, &mut ()))),
            None => line.last = Some((None, line.position.make_null())),
        }
        line.ply += 1;
        self.visitor.reach(&line.position, line.ply);
        if let Some(variation) = variation
            && !variation.comment.is_empty()
        {
            self.visitor.comment_before(&variation.comment);
        }
        self.warn_of_skipped_sign();
        Ok(())
    }

    /// Opens a variation: restores the position before the last move.
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
        let variation = LineState { position, last: None, ply: self.current.ply - 1 };
        self.stack.push(std::mem::replace(&mut self.current, variation));
        self.pending_variation = Some(VariationStart { at, comment: String::new() });
        Ok(())
    }

    /// Returns whether a variation that begins with `word` is prose in parentheses.
    fn is_prose(&self, word: &str) -> bool {
        G::NESTED_COMMENTS && self.pending_variation.is_some() && self.is_unreadable(word)
    }

    /// Converts the text of a variation that has just been skipped to a comment.
    fn convert_prose_to_comment(&mut self, text: &str) {
        if let Some(variation) = &mut self.pending_variation {
            let comment = text.get(variation.at..).unwrap_or_default().trim_start_matches(['(', '（']);
            variation.comment = comment.strip_suffix([')', '）']).unwrap_or(comment).to_owned();
        }
    }

    fn close_variation(&mut self, at: usize) {
        if self.stack.is_empty() {
            return self.warn(at, RecordErrorKind::UnmatchedParenthesis);
        }
        self.leave_variation();
    }

    /// Returns to the line that the variation interrupted. The comment of a variation without moves becomes a
    /// comment of the move that it would have replaced.
    fn leave_variation(&mut self) {
        let Some(line) = self.stack.pop() else { return };
        self.current = line;
        match self.pending_variation.take() {
            None => self.visitor.end_variation(&self.current.position, self.current.ply),
            Some(variation) if variation.comment.is_empty() => {
                self.warn(variation.at, RecordErrorKind::EmptyVariation);
            }
            Some(variation) => self.visitor.comment(&variation.comment),
        }
    }

    fn warn(&mut self, at: usize, kind: RecordErrorKind) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(self.game.error_at(at, String::new(), kind));
        }
    }

    /// Closes the open variations and compares the result with that of the tags.
    fn finish(mut self, tags: &Tags) -> GameSummary {
        self.warn_of_skipped_sign();
        while let Some(line) = self.stack.pop() {
            self.current = line;
            if self.pending_variation.take().is_none() {
                self.visitor.end_variation(&self.current.position, self.current.ply);
            }
        }
        if tags.has_duplicate_names() {
            self.warn(0, RecordErrorKind::DuplicateTag);
        }
        if let Some(value) = tags.value("Result").filter(|value| !matches!(*value, "" | "?")) {
            let tag_result =
                token::parse_result(value.as_bytes()).or_else(|| G::parse_outcome(value).map(Some));
            match tag_result {
                Some(tag_result) if self.result.is_none() => self.result = tag_result,
                Some(tag_result) if tag_result == self.result || tag_result.is_none() => {}
                Some(_) => self.warn(0, RecordErrorKind::ConflictingResult),
                None => self.warn(0, RecordErrorKind::InvalidResultTag),
            }
        }
        GameSummary {
            choice: GameChoice::Read,
            result: self.result,
            error: self.error,
            warnings: self.warnings,
        }
    }
}

/// Takes the outline of a game.
pub(crate) struct OutlineVisitor<'a, G: RecordFormat> {
    names_of: Option<NamesOf<'a>>,
    tags: Tags,
    start: Option<G::Setup>,
    /// The named openings, if the tags name none.
    names: Option<Arc<OpeningNames>>,
    opening: Option<Opening>,
    /// The number of moves of the main line so far.
    plies: usize,
    /// The number of open variations.
    variation_depth: usize,
}

impl<'a, G: RecordFormat> OutlineVisitor<'a, G> {
    pub(crate) fn new(names_of: Option<NamesOf<'a>>) -> Self {
        OutlineVisitor {
            names_of,
            tags: Tags::new(),
            start: None,
            names: None,
            opening: None,
            plies: 0,
            variation_depth: 0,
        }
    }

    /// Returns the outline of a game that was read, and the opening that its tags do not name.
    pub(crate) fn complete(self, summary: GameSummary) -> (GameOutline, Option<Opening>) {
        let OutlineVisitor { mut tags, start, opening, plies, .. } = self;
        let start = start.unwrap_or_else(G::Setup::start);
        tags.dedup_names();
        strip_tags::<G>(&mut tags, &start);
        let outline = GameOutline {
            game: G::NAME.to_owned(),
            tags,
            start: (start != G::Setup::start()).then(|| start.to_text()),
            result: summary.result,
            plies,
            error: summary.error,
            warnings: summary.warnings,
        };
        (outline, opening)
    }

    fn find_opening(&mut self, position: &G::Board) {
        let named = self.names.as_ref().and_then(|names| names.at(position));
        self.opening = named.copied().or(self.opening);
    }
}

impl<G: RecordFormat> GameVisitor<G> for OutlineVisitor<'_, G> {
    fn begin_game(&mut self, head: &GameHead<'_, G>, position: &G::Board) -> GameChoice {
        (self.tags, self.start) = (head.tags.clone(), Some(head.start.clone()));
        if self.tags.first_value(&["Opening"]).is_none() {
            self.names = self.names_of.map(|names_of| names_of(G::NAME));
            self.find_opening(position);
        }
        GameChoice::Read
    }

    fn reach(&mut self, position: &G::Board, ply: usize) {
        if self.variation_depth > 0 {
            return;
        }
        self.plies = ply;
        if self.names.as_ref().is_some_and(|names| ply <= names.max_plies()) {
            self.find_opening(position);
        }
    }

    fn begin_variation(&mut self) {
        self.variation_depth += 1;
    }

    fn end_variation(&mut self, _: &G::Board, _: usize) {
        self.variation_depth -= 1;
    }
}

/// Removes tags with unknown values and those that a game with this start contains otherwise, and sorts the others.
pub(crate) fn normalise_tags<G: RecordFormat>(tags: &mut Tags, start: &G::Setup) {
    strip_tags::<G>(tags, start);
    tags.move_to_front(G::TAG_ROSTER);
}

/// Removes tags with unknown values and those that a game with this start contains otherwise.
fn strip_tags<G: RecordFormat>(tags: &mut Tags, start: &G::Setup) {
    tags.retain(|name, value| {
        let is_unknown = || G::TAG_ROSTER.contains(&name) && matches!(value, "" | "?" | "????.??.??");
        !matches!(name, "Result" | "SetUp" | "FEN") && !is_unknown()
    });
    G::strip_tags(tags, start);
}
