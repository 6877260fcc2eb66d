//! Writes a game tree as PGN.

use alfil_kernel::{Notation, Outcome, Position, Setup, Side};

use super::{parser, tags, token};
use crate::annotation::{MoveAnnotation, is_line_comment_only, normalise_comment, push_number};
use crate::game_tree::GameTree;
use crate::move_tree::{NodeId, ROOT, Visit};
use crate::record_format::{DialectOf, RecordFormat};
use crate::tags::Tags;
use crate::text_game::NULL_MOVE;
use crate::tree_traversal::start_position;
use crate::write_error::WriteError;

/// The maximal line length if every word fits: the PGN standard, chapter 4.3.
const MAX_LINE_CHARS: usize = 79;

/// Formats a game in this dialect: the tags, an empty line, the moves, the result. Parsing it gives the same
/// tree if its tags are normalised as by [`super::RawGame::parse`] and its comments as by
/// [`normalise_comment`].
///
/// Comments are written in braces, and their lines that cannot be in braces as line comments.
///
/// # Errors
/// Returns an error if the initial position or a move is illegal.
pub fn format_game<G: RecordFormat>(tree: &GameTree<G>, dialect: DialectOf<G>) -> Result<String, WriteError> {
    format_with(tree, dialect, false)
}

/// Formats a game like [`format_game`], whose moves are known to be legal.
///
/// # Errors
/// Returns an error if the initial position is illegal.
pub(crate) fn format_legal_game<G: RecordFormat>(
    tree: &GameTree<G>,
    dialect: DialectOf<G>,
) -> Result<String, WriteError> {
    format_with(tree, dialect, true)
}

fn format_with<G: RecordFormat>(
    tree: &GameTree<G>,
    dialect: DialectOf<G>,
    is_legal: bool,
) -> Result<String, WriteError> {
    let position = start_position(tree)?;
    let movetext = Movetext::after(&tree.start, position.side_to_move());
    let mut writer =
        GameWriter::<G> { tree, dialect, is_legal, movetext, plies: 0, position, undo_stack: Vec::new() };
    writer.movetext.push_annotation(tree.annotation(ROOT));
    for visit in tree.moves.traverse() {
        match visit {
            Visit::OpenVariation => writer.open_variation(),
            Visit::Move(node) => writer.write_move(node)?,
            Visit::CloseVariation => writer.close_variation(),
        }
    }
    Ok(writer.movetext.complete::<G>(&tree.tags, &tree.start, tree.result, dialect))
}

fn format_tags<G: RecordFormat>(
    tags: &Tags,
    start: &G::Setup,
    result: Option<Outcome>,
    dialect: DialectOf<G>,
) -> String {
    let mut tags = tags.clone();
    parser::normalise_tags::<G>(&mut tags, start);
    tags.dedup_names();
    G::complete_tags(&mut tags, start, dialect);
    let mut text = String::new();
    for &name in G::TAG_ROSTER {
        let value = match name {
            "Result" => token::format_result(result),
            "Date" => tags.value(name).unwrap_or("????.??.??"),
            _ => tags.value(name).unwrap_or("?"),
        };
        tags::write_tag_pair(name, value, &mut text);
    }
    let mut others: Vec<(&str, &str)> =
        tags.iter().filter(|(name, _)| !G::TAG_ROSTER.contains(name)).collect();
    // A record of Chess960 needs its start position even if that is the one of chess.
    let fen;
    if *start != G::Setup::start() || G::start_from_tags(&tags).is_err() {
        fen = start.to_text();
        others.extend([("SetUp", "1"), ("FEN", &fen)]);
    }
    for (name, value) in others {
        tags::write_tag_pair(name, value, &mut text);
    }
    text
}

struct GameWriter<'a, G: RecordFormat> {
    tree: &'a GameTree<G>,
    dialect: DialectOf<G>,
    /// Whether all moves are known to be legal.
    is_legal: bool,
    movetext: Movetext,
    position: G::Board,
    plies: usize,
    /// Undo information of the moves that led here, and the lines that variations interrupt.
    undo_stack: Vec<UndoEntry<G>>,
}

type BoardOf<G> = <G as RecordFormat>::Board;

enum UndoEntry<G: RecordFormat> {
    Move(Option<G::Move>, <BoardOf<G> as Position>::Undo),
    /// The position and ply at which a variation interrupted its line.
    InterruptedLine(Box<BoardOf<G>>, usize),
}

impl<G: RecordFormat> GameWriter<'_, G> {
    fn write_move(&mut self, node: NodeId) -> Result<(), WriteError> {
        let illegal = WriteError::IllegalMove { plies: self.plies };
        let mv = self.tree.mv(node);
        let text = match mv {
            Some(mv) if self.is_legal || self.position.is_legal(mv) => {
                G::MoveNotation::format_move(&self.position, mv, self.dialect)
            }
            None if !self.position.in_check() => NULL_MOVE.to_owned(),
            _ => return Err(illegal),
        };
        self.movetext.push_move(self.plies, &text, self.tree.annotation(node));
        let undo = match mv {
            Some(mv) => self.position.make(mv, &mut ()),
            None => self.position.make_null(),
        };
        self.undo_stack.push(UndoEntry::Move(mv, undo));
        self.plies += 1;
        Ok(())
    }

    fn open_variation(&mut self) {
        self.movetext.open_variation();
        let interrupted = UndoEntry::InterruptedLine(Box::new(self.position.clone()), self.plies);
        // A variation replaces the last move of its line, and the traversal opens it only after a move.
        if let Some(UndoEntry::Move(mv, undo)) = self.undo_stack.last() {
            match *mv {
                Some(mv) => self.position.unmake(mv, undo, &mut ()),
                None => self.position.unmake_null(undo),
            }
            self.plies -= 1;
        }
        self.undo_stack.push(interrupted);
    }

    fn close_variation(&mut self) {
        self.movetext.close_variation();
        while let Some(entry) = self.undo_stack.pop() {
            if let UndoEntry::InterruptedLine(position, plies) = entry {
                (self.position, self.plies) = (*position, plies);
                break;
            }
        }
    }
}

/// The moves of a game as they are written: numbered, annotated, wrapped to lines.
pub(crate) struct Movetext {
    output: LineWrapper,
    /// The number of the first move, and whether the second player makes it.
    first_number: u32,
    second_moves_first: bool,
    /// Whether a move of the second player needs no number.
    can_omit_number: bool,
    /// The last comment that was written in braces: its memory is used again.
    braced: String,
}

impl Movetext {
    /// Begins the moves of a game from this start, in which this side is to move.
    pub(crate) fn after<S: Setup>(start: &S, side: Side) -> Movetext {
        Movetext {
            output: LineWrapper::default(),
            first_number: start.counters().fullmove_number,
            second_moves_first: side == Side::Second,
            can_omit_number: false,
            braced: String::new(),
        }
    }

    /// Ends the moves. Returns the record: the tags, an empty line, the moves, the result.
    pub(crate) fn complete<G: RecordFormat>(
        mut self,
        tags: &Tags,
        start: &G::Setup,
        result: Option<Outcome>,
        dialect: DialectOf<G>,
    ) -> String {
        self.output.push_word(token::format_result(result));
        let mut text = format_tags::<G>(tags, start, result, dialect);
        text.reserve_exact(self.output.text.len() + 2);
        text.push('\n');
        text.push_str(&self.output.text);
        text.push('\n');
        text
    }

    /// Writes the move with this number of plies before it.
    pub(crate) fn push_move(&mut self, plies: usize, text: &str, annotation: &MoveAnnotation) {
        self.push_comment(None, &annotation.comment_before);
        let plies = plies + usize::from(self.second_moves_first);
        let number = u64::from(self.first_number) + plies as u64 / 2;
        if plies.is_multiple_of(2) {
            self.output.push_number(number, ".");
        } else if !self.can_omit_number {
            self.output.push_number(number, "...");
        }
        self.output.push_word(text);
        self.can_omit_number = true;
        self.push_annotation(annotation);
    }

    /// Writes what follows a move, or the start.
    pub(crate) fn push_annotation(&mut self, annotation: &MoveAnnotation) {
        if annotation.is_empty() {
            return;
        }
        for nag in &annotation.nags {
            self.output.push_word(&format!("${nag}"));
        }
        self.push_comment(Some(annotation), &annotation.comment_after);
    }

    fn open_variation(&mut self) {
        self.output.open_parenthesis();
        self.can_omit_number = false;
    }

    fn close_variation(&mut self) {
        self.output.close_parenthesis();
        self.can_omit_number = false;
    }

    /// Writes the commands of an annotation and a comment. Lines that cannot be in braces become line comments.
    fn push_comment(&mut self, commands: Option<&MoveAnnotation>, comment: &str) {
        let mut braced = std::mem::take(&mut self.braced);
        braced.clear();
        if let Some(annotation) = commands {
            annotation.push_commands(&mut braced);
        }
        if !comment.is_empty() {
            self.push_lines(&mut braced, comment);
        }
        self.push_braced_comment(&braced);
        self.braced = braced;
    }

    /// Writes the lines of a comment that cannot be in braces, and appends the lines after the last of them to those
    /// for braces.
    fn push_lines(&mut self, braced: &mut String, comment: &str) {
        let comment = normalise_comment(comment);
        let mut after_line_comment = true;
        let lines = comment.split('\n').filter(|_| !comment.is_empty());
        for line in lines {
            if is_line_comment_only(line) {
                self.push_braced_comment(braced);
                braced.clear();
                self.output.push_line_comment(line.trim());
                self.can_omit_number = false;
                after_line_comment = true;
                continue;
            }
            if !braced.is_empty() {
                braced.push(if after_line_comment { ' ' } else { '\n' });
            }
            braced.push_str(line);
            after_line_comment = false;
        }
    }

    fn push_braced_comment(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.output.push_enclosed("{", text, "}");
            self.can_omit_number = false;
        }
    }
}

/// Wraps words to lines.
#[derive(Default)]
struct LineWrapper {
    text: String,
    width: usize,
    /// Whether the next word needs a space before it.
    needs_space: bool,
    /// The last number that was written: its memory is used again.
    number: String,
}

impl LineWrapper {
    /// Writes the number of a move with the dots after it.
    fn push_number(&mut self, number: u64, dots: &str) {
        self.number.clear();
        push_number(&mut self.number, number, 1);
        let number = std::mem::take(&mut self.number);
        self.push_enclosed("", &number, dots);
        self.number = number;
    }

    fn push_word(&mut self, word: &str) {
        self.push_enclosed("", word, "");
    }

    /// Writes a word between signs that belong to it.
    fn push_enclosed(&mut self, before: &str, word: &str, after: &str) {
        let signs = before.len() + after.len();
        // Most words are moves in ASCII.
        let is_plain = word.bytes().all(|byte| byte.is_ascii() && byte != b'\n');
        let width_of = |text: &str| if is_plain { text.len() } else { text.chars().count() };
        let lines = if is_plain { None } else { word.split_once('\n').zip(word.rsplit_once('\n')) };
        let first_width = match lines {
            Some(((first, _), _)) => before.len() + width_of(first),
            None => signs + width_of(word),
        };
        let space = usize::from(self.needs_space);
        if self.width > 0 && self.width + space + first_width > MAX_LINE_CHARS {
            self.end_line();
        }
        if self.needs_space {
            self.text.push(' ');
            self.width += 1;
        }
        for part in [before, word, after] {
            self.text.push_str(part);
        }
        self.needs_space = true;
        match lines {
            Some((_, (_, last))) => self.width = width_of(last) + after.len(),
            None => self.width += first_width,
        }
    }

    fn open_parenthesis(&mut self) {
        if self.width + 10 > MAX_LINE_CHARS {
            self.end_line();
        }
        self.push_word("(");
        self.needs_space = false;
    }

    fn close_parenthesis(&mut self) {
        self.needs_space = false;
        if self.width >= MAX_LINE_CHARS {
            self.end_line();
        }
        self.push_word(")");
    }

    /// Writes a comment that ends with its line.
    fn push_line_comment(&mut self, text: &str) {
        self.push_word(";");
        self.text += text;
        self.end_line();
    }

    fn end_line(&mut self) {
        self.text.push('\n');
        self.width = 0;
        self.needs_space = false;
    }
}
