//! A tree as text.

use alfil_kernel::{Notation, Position, Setup, Side, Waivers};

use super::{parser, tags, token};
use crate::annotation::{MoveAnnotation, is_line_comment_only, normalise_comment};
use crate::game_tree::{GameTree, NodeId, Visit};
use crate::record_format::{DialectOf, RecordFormat};

/// The longest line that is written, if nothing on it is longer by itself: the PGN standard's chapter 4.3.
const MAX_LINE_CHARS: usize = 79;

/// A tree that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// No board can be made of its start.
    #[error("the start position: {0}")]
    InvalidStart(String),
    /// It holds a move that cannot be played.
    #[error("after {plies} plies the tree holds a move that is not legal")]
    IllegalMove {
        /// The plies before it.
        plies: usize,
    },
}

/// The text of a game in this dialect: the tags, an empty line, the moves, the result. Reading it gives the same tree, if
/// its tags are settled as [`super::Game::read`] does and its words tidy as [`tidy`] makes them.
///
/// A comment stands between braces, the lines of it that cannot do so behind semicolons.
///
/// # Errors
/// If the tree holds a start that no board can be made of, or an illegal move.
pub fn format_game<G: RecordFormat>(tree: &GameTree<G>, dialect: DialectOf<G>) -> Result<String, WriteError> {
    let position = G::Bitboard::from_setup(&tree.start, &Waivers::All)
        .map_err(|error| WriteError::InvalidStart(error.to_string()))?;
    let mut text = format_tags(tree, dialect);
    text.push('\n');
    let second = position.side_to_move() == Side::Second;
    let mut writer = GameWriter::<G> {
        tree,
        dialect,
        output: LineWrapper { text, width: 0, omit_space: true },
        plies: 0,
        second_moves_first: second,
        position,
        undo_stack: Vec::new(),
        can_omit_number: false,
    };
    writer.write_annotation(NodeId::ROOT);
    for visit in tree.traverse() {
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
    let mut settled = GameTree::<G>::new(tree.start.clone());
    settled.tags = tree.tags.clone();
    parser::normalise_tags(&mut settled);
    settled.tags.dedup_names();
    G::complete_tags(&mut settled.tags, &tree.start, dialect);
    let known = settled.tags;
    let mut text = String::new();
    for &name in G::TAG_ROSTER {
        let value = match name {
            "Result" => token::format_result(tree.result),
            "Date" => known.value(name).unwrap_or("????.??.??"),
            _ => known.value(name).unwrap_or("?"),
        };
        tags::write_tag_pair(name, value, &mut text);
    }
    let mut others: Vec<(&str, &str)> =
        known.iter().filter(|(name, _)| !G::TAG_ROSTER.contains(name)).collect();
    let fen = tree.start.to_text();
    if tree.start != G::Setup::start() {
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
    output: LineWrapper,
    position: G::Bitboard,
    plies: usize,
    /// Whether the second player makes the first move.
    second_moves_first: bool,
    /// How to take back the moves that led here, the last at the end; and what the variations interrupt.
    undo_stack: Vec<UndoEntry<G>>,
    /// Whether the next move of the second player needs no number.
    can_omit_number: bool,
}

type Bitboard<G> = <G as alfil_kernel::Game>::Bitboard;

enum UndoEntry<G: RecordFormat> {
    Move(Option<G::Move>, <Bitboard<G> as Position>::Undo),
    /// A variation began here: the position it interrupted.
    InterruptedLine(Box<Bitboard<G>>, usize),
}

impl<G: RecordFormat> GameWriter<'_, G> {
    fn write_move(&mut self, node: NodeId) -> Result<(), WriteError> {
        let notes = self.tree.annotation(node);
        self.write_comment("", &notes.comment_before);
        let illegal = WriteError::IllegalMove { plies: self.plies };
        let mv = self.tree.mv(node);
        let text = match mv {
            Some(mv) if self.position.is_legal(mv) => {
                G::MoveNotation::format_move(&self.position, mv, self.dialect)
            }
            None if !self.position.in_check() => "--".to_owned(),
            _ => return Err(illegal),
        };
        let halves = self.plies + usize::from(self.second_moves_first);
        let number = u64::from(self.tree.start.counters().fullmove_number) + halves as u64 / 2;
        if halves.is_multiple_of(2) {
            self.output.push_word(&format!("{number}."));
        } else if !self.can_omit_number {
            self.output.push_word(&format!("{number}..."));
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
        let notes: &MoveAnnotation = self.tree.annotation(node);
        for nag in &notes.nags {
            self.output.push_word(&format!("${nag}"));
        }
        self.write_comment(&notes.format_commands(), &notes.comment_after);
    }

    fn open_variation(&mut self) {
        self.output.open_parenthesis();
        let left = UndoEntry::InterruptedLine(Box::new(self.position.clone()), self.plies);
        // A variation replaces the last move of the line it stands in, and a walk opens one only after a move.
        if let Some(UndoEntry::Move(mv, undo)) = self.undo_stack.last() {
            match *mv {
                Some(mv) => self.position.unmake(mv, undo, &mut ()),
                None => self.position.unmake_null(undo),
            }
            self.plies -= 1;
        }
        self.undo_stack.push(left);
        self.can_omit_number = false;
    }

    fn close_variation(&mut self) {
        self.output.close_parenthesis();
        while let Some(step) = self.undo_stack.pop() {
            if let UndoEntry::InterruptedLine(position, plies) = step {
                (self.position, self.plies) = (*position, plies);
                break;
            }
        }
        self.can_omit_number = false;
    }

    /// Writes commands and words. Lines that would end a comment or the game stand behind semicolons, as the others
    /// stand together between braces.
    fn write_comment(&mut self, commands: &str, words: &str) {
        let words = normalise_comment(words);
        let mut held = String::from(commands);
        let mut fresh = true;
        let lines = words.split('\n').filter(|_| !words.is_empty());
        for line in lines {
            if is_line_comment_only(line) {
                self.write_braced_comment(&std::mem::take(&mut held));
                self.output.push_line_comment(line.trim());
                self.can_omit_number = false;
                fresh = true;
                continue;
            }
            if !held.is_empty() {
                held.push(if fresh { ' ' } else { '\n' });
            }
            held += line;
            fresh = false;
        }
        self.write_braced_comment(&held);
    }

    fn write_braced_comment(&mut self, words: &str) {
        if !words.trim().is_empty() {
            self.output.push_word(&format!("{{{}}}", words.trim()));
            self.can_omit_number = false;
        }
    }
}

/// Words on lines.
struct LineWrapper {
    text: String,
    width: usize,
    /// Whether the next word needs no blank before it.
    omit_space: bool,
}

impl LineWrapper {
    fn push_word(&mut self, word: &str) {
        let first = word.split('\n').next().unwrap_or_default();
        let blank = usize::from(!self.omit_space);
        if self.width > 0 && self.width + blank + first.chars().count() > MAX_LINE_CHARS {
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

    /// A comment that ends with its line.
    fn push_line_comment(&mut self, words: &str) {
        self.push_word(";");
        self.text += words;
        self.end_line();
    }

    fn end_line(&mut self) {
        self.text.push('\n');
        self.width = 0;
        self.omit_space = true;
    }
}
