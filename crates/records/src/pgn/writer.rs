//! Writes a game tree as PGN.

use alfil_kernel::{Notation, Position, Setup, Side};

use super::{parser, tags, token};
use crate::annotation::{MoveAnnotation, is_line_comment_only, normalise_comment};
use crate::game_tree::GameTree;
use crate::move_tree::{NodeId, ROOT, Visit};
use crate::record_format::{DialectOf, RecordFormat};
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
    let mut text = format_tags(tree, dialect);
    text.push('\n');
    let second_moves_first = position.side_to_move() == Side::Second;
    let mut writer = GameWriter::<G> {
        tree,
        dialect,
        is_legal,
        output: LineWrapper { text, width: 0, omit_space: true },
        plies: 0,
        second_moves_first,
        position,
        undo_stack: Vec::new(),
        can_omit_number: false,
    };
    writer.write_annotation(ROOT);
    for visit in tree.moves.traverse() {
        match visit {
            Visit::OpenVariation => writer.open_variation(),
            Visit::Move(node) => writer.write_move(node)?,
            Visit::CloseVariation => writer.close_variation(),
        }
    }
    writer.output.push_word(token::format_result(tree.result));
    let mut text = writer.output.text;
    text.push('\n');
    Ok(text)
}

fn format_tags<G: RecordFormat>(tree: &GameTree<G>, dialect: DialectOf<G>) -> String {
    let mut normalised = GameTree::<G>::new(tree.start.clone());
    normalised.tags = tree.tags.clone();
    parser::normalise_tags(&mut normalised);
    normalised.tags.dedup_names();
    G::complete_tags(&mut normalised.tags, &tree.start, dialect);
    let tags = normalised.tags;
    let mut text = String::new();
    for &name in G::TAG_ROSTER {
        let value = match name {
            "Result" => token::format_result(tree.result),
            "Date" => tags.value(name).unwrap_or("????.??.??"),
            _ => tags.value(name).unwrap_or("?"),
        };
        tags::write_tag_pair(name, value, &mut text);
    }
    let mut others: Vec<(&str, &str)> =
        tags.iter().filter(|(name, _)| !G::TAG_ROSTER.contains(name)).collect();
    let fen = tree.start.to_text();
    // A record of Chess960 needs its start position even if that is the one of chess.
    if tree.start != G::Setup::start() || G::start_from_tags(&tags).is_err() {
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
    output: LineWrapper,
    position: G::Board,
    plies: usize,
    /// Whether the second player makes the first move.
    second_moves_first: bool,
    /// Undo information of the moves that led here, and the lines that variations interrupt.
    undo_stack: Vec<UndoEntry<G>>,
    /// Whether a move of the second player needs no number.
    can_omit_number: bool,
}

type BoardOf<G> = <G as RecordFormat>::Board;

enum UndoEntry<G: RecordFormat> {
    Move(Option<G::Move>, <BoardOf<G> as Position>::Undo),
    /// The position and ply at which a variation interrupted its line.
    InterruptedLine(Box<BoardOf<G>>, usize),
}

impl<G: RecordFormat> GameWriter<'_, G> {
    fn write_move(&mut self, node: NodeId) -> Result<(), WriteError> {
        let annotation = self.tree.annotation(node);
        self.write_comment("", &annotation.comment_before);
        let illegal = WriteError::IllegalMove { plies: self.plies };
        let mv = self.tree.mv(node);
        let text = match mv {
            Some(mv) if self.is_legal || self.position.is_legal(mv) => {
                G::MoveNotation::format_move(&self.position, mv, self.dialect)
            }
            None if !self.position.in_check() => "--".to_owned(),
            _ => return Err(illegal),
        };
        let plies = self.plies + usize::from(self.second_moves_first);
        let number = u64::from(self.tree.start.counters().fullmove_number) + plies as u64 / 2;
        if plies.is_multiple_of(2) {
            self.output.push_number(number, ".");
        } else if !self.can_omit_number {
            self.output.push_number(number, "...");
        }
        self.output.push_word(&text);
        let undo = match mv {
            Some(mv) => self.position.make(mv, &mut ()),
            None => self.position.make_null(),
        };
        self.undo_stack.push(UndoEntry::Move(mv, undo));
        self.plies += 1;
        self.can_omit_number = true;
        self.write_annotation(node);
        Ok(())
    }

    fn write_annotation(&mut self, node: NodeId) {
        let annotation: &MoveAnnotation = self.tree.annotation(node);
        if annotation.is_empty() {
            return;
        }
        for nag in &annotation.nags {
            self.output.push_word(&format!("${nag}"));
        }
        self.write_comment(&annotation.format_commands(), &annotation.comment_after);
    }

    fn open_variation(&mut self) {
        self.output.open_parenthesis();
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
        self.can_omit_number = false;
    }

    fn close_variation(&mut self) {
        self.output.close_parenthesis();
        while let Some(entry) = self.undo_stack.pop() {
            if let UndoEntry::InterruptedLine(position, plies) = entry {
                (self.position, self.plies) = (*position, plies);
                break;
            }
        }
        self.can_omit_number = false;
    }

    /// Writes commands and a comment. Lines that cannot be in braces become line comments.
    fn write_comment(&mut self, commands: &str, comment: &str) {
        if comment.is_empty() {
            return self.write_braced_comment(commands);
        }
        let comment = normalise_comment(comment);
        let mut braced = String::from(commands);
        let mut after_line_comment = true;
        let lines = comment.split('\n').filter(|_| !comment.is_empty());
        for line in lines {
            if is_line_comment_only(line) {
                self.write_braced_comment(&std::mem::take(&mut braced));
                self.output.push_line_comment(line.trim());
                self.can_omit_number = false;
                after_line_comment = true;
                continue;
            }
            if !braced.is_empty() {
                braced.push(if after_line_comment { ' ' } else { '\n' });
            }
            braced += line;
            after_line_comment = false;
        }
        self.write_braced_comment(&braced);
    }

    fn write_braced_comment(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.output.push_word(&format!("{{{}}}", text.trim()));
            self.can_omit_number = false;
        }
    }
}

/// Wraps words to lines.
struct LineWrapper {
    text: String,
    width: usize,
    /// Whether the next word needs no space before it.
    omit_space: bool,
}

impl LineWrapper {
    /// Writes the number of a move with the dots after it.
    fn push_number(&mut self, number: u64, dots: &str) {
        let mut digits = [0; 24];
        let (mut at, mut rest) = (digits.len() - dots.len(), number);
        digits[at..].copy_from_slice(dots.as_bytes());
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.push_word(std::str::from_utf8(&digits[at..]).unwrap_or(dots));
    }

    fn push_word(&mut self, word: &str) {
        // Most words are moves in ASCII.
        if word.is_ascii() && memchr::memchr(b'\n', word.as_bytes()).is_none() {
            let space = usize::from(!self.omit_space);
            if self.width > 0 && self.width + space + word.len() > MAX_LINE_CHARS {
                self.end_line();
            }
            if !self.omit_space {
                self.text.push(' ');
                self.width += 1;
            }
            self.text += word;
            self.omit_space = false;
            self.width += word.len();
            return;
        }
        let first = word.split('\n').next().unwrap_or_default();
        let space = usize::from(!self.omit_space);
        if self.width > 0 && self.width + space + first.chars().count() > MAX_LINE_CHARS {
            self.end_line();
        }
        if !self.omit_space {
            self.text.push(' ');
            self.width += 1;
        }
        self.text += word;
        self.omit_space = false;
        match word.rsplit_once('\n') {
            Some((_, last)) => self.width = last.chars().count(),
            None => self.width += word.chars().count(),
        }
    }

    fn open_parenthesis(&mut self) {
        if self.width + 10 > MAX_LINE_CHARS {
            self.end_line();
        }
        self.push_word("(");
        self.omit_space = true;
    }

    fn close_parenthesis(&mut self) {
        self.omit_space = true;
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
        self.omit_space = true;
    }
}
