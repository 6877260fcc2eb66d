//! A tree as text.

use alfil_kernel::{Notation, Position, Setup, Side, Waivers};

use super::{parse, tags, token};
use crate::notes::{Notes, stands_apart, tidy};
use crate::recorded::{DialectOf, Recorded};
use crate::tree::{NodeId, Tree, Visit};

/// The longest line that is written, if nothing on it is longer by itself: the PGN standard's chapter 4.3.
const WIDTH: usize = 79;

/// A tree that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// No board can be made of its start.
    #[error("the start position: {0}")]
    Start(String),
    /// It holds a move that cannot be played.
    #[error("after {plies} plies the tree holds a move that is not legal")]
    Illegal {
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
pub fn write<G: Recorded>(tree: &Tree<G>, dialect: DialectOf<G>) -> Result<String, WriteError> {
    let position = G::Bitboard::from_setup(&tree.start, &Waivers::All)
        .map_err(|error| WriteError::Start(error.to_string()))?;
    let mut text = head(tree, dialect);
    text.push('\n');
    let second = position.side() == Side::Second;
    let mut writer = Writer::<G> {
        tree,
        dialect,
        lines: Lines { text, width: 0, glue: true },
        plies: 0,
        second,
        position,
        road: Vec::new(),
        numbered: false,
    };
    writer.after(NodeId::ROOT);
    for visit in tree.walk() {
        match visit {
            Visit::Open => writer.open(),
            Visit::Move(node) => writer.step(node)?,
            Visit::Close => writer.close(),
        }
    }
    writer.lines.word(token::result_word(tree.result));
    let mut text = writer.lines.text;
    text.push('\n');
    Ok(text)
}

fn head<G: Recorded>(tree: &Tree<G>, dialect: DialectOf<G>) -> String {
    let mut settled = Tree::<G>::new(tree.start.clone());
    settled.tags = tree.tags.clone();
    parse::settle(&mut settled);
    settled.tags.unify();
    G::complete(&mut settled.tags, &tree.start, dialect);
    let known = settled.tags;
    let mut text = String::new();
    for &name in G::ROSTER {
        let value = match name {
            "Result" => token::result_word(tree.result),
            "Date" => known.value(name).unwrap_or("????.??.??"),
            _ => known.value(name).unwrap_or("?"),
        };
        tags::write(name, value, &mut text);
    }
    let mut others: Vec<(&str, &str)> = known.iter().filter(|(name, _)| !G::ROSTER.contains(name)).collect();
    let fen = tree.start.write();
    if tree.start != G::Setup::start() {
        others.extend([("SetUp", "1"), ("FEN", &fen)]);
    }
    for (name, value) in others {
        tags::write(name, value, &mut text);
    }
    text
}

struct Writer<'a, G: Recorded> {
    tree: &'a Tree<G>,
    dialect: DialectOf<G>,
    lines: Lines,
    position: G::Bitboard,
    plies: usize,
    /// Whether the second player makes the first move.
    second: bool,
    /// How to take back the moves that led here, the last at the end; and what the variations interrupt.
    road: Vec<Step<G>>,
    /// Whether the next move of the second player needs no number.
    numbered: bool,
}

type Bitboard<G> = <G as alfil_kernel::Game>::Bitboard;

enum Step<G: Recorded> {
    Played(Option<G::Move>, <Bitboard<G> as Position>::Undo),
    /// A variation began here: the position it interrupted.
    Left(Box<Bitboard<G>>, usize),
}

impl<G: Recorded> Writer<'_, G> {
    fn step(&mut self, node: NodeId) -> Result<(), WriteError> {
        let notes = self.tree.notes(node);
        self.comment("", &notes.before);
        let illegal = WriteError::Illegal { plies: self.plies };
        let mv = self.tree.mv(node);
        let text = match mv {
            Some(mv) if self.position.is_legal(mv) => G::Words::write(&self.position, mv, self.dialect),
            None if !self.position.in_check() => "--".to_owned(),
            _ => return Err(illegal),
        };
        let halves = self.plies + usize::from(self.second);
        let number = u64::from(self.tree.start.counters().number) + halves as u64 / 2;
        if halves.is_multiple_of(2) {
            self.lines.word(&format!("{number}."));
        } else if !self.numbered {
            self.lines.word(&format!("{number}..."));
        }
        self.lines.word(&text);
        let undo = match mv {
            Some(mv) => self.position.make(mv, &mut ()),
            None => self.position.make_null(),
        };
        self.road.push(Step::Played(mv, undo));
        self.plies += 1;
        self.numbered = true;
        self.after(node);
        Ok(())
    }

    fn after(&mut self, node: NodeId) {
        let notes: &Notes = self.tree.notes(node);
        for nag in &notes.nags {
            self.lines.word(&format!("${nag}"));
        }
        self.comment(&notes.commands(), &notes.after);
    }

    fn open(&mut self) {
        self.lines.open();
        let left = Step::Left(Box::new(self.position.clone()), self.plies);
        // A variation replaces the last move of the line it stands in, and a walk opens one only after a move.
        if let Some(Step::Played(mv, undo)) = self.road.last() {
            match *mv {
                Some(mv) => self.position.unmake(mv, undo, &mut ()),
                None => self.position.unmake_null(undo),
            }
            self.plies -= 1;
        }
        self.road.push(left);
        self.numbered = false;
    }

    fn close(&mut self) {
        self.lines.close();
        while let Some(step) = self.road.pop() {
            if let Step::Left(position, plies) = step {
                (self.position, self.plies) = (*position, plies);
                break;
            }
        }
        self.numbered = false;
    }

    /// Writes commands and words. Lines that would end a comment or the game stand behind semicolons, as the others
    /// stand together between braces.
    fn comment(&mut self, commands: &str, words: &str) {
        let words = tidy(words);
        let mut held = String::from(commands);
        let mut fresh = true;
        let lines = words.split('\n').filter(|_| !words.is_empty());
        for line in lines {
            if stands_apart(line) {
                self.braced(&std::mem::take(&mut held));
                self.lines.remark(line.trim());
                self.numbered = false;
                fresh = true;
                continue;
            }
            if !held.is_empty() {
                held.push(if fresh { ' ' } else { '\n' });
            }
            held += line;
            fresh = false;
        }
        self.braced(&held);
    }

    fn braced(&mut self, words: &str) {
        if !words.trim().is_empty() {
            self.lines.word(&format!("{{{}}}", words.trim()));
            self.numbered = false;
        }
    }
}

/// Words on lines.
struct Lines {
    text: String,
    width: usize,
    /// Whether the next word needs no blank before it.
    glue: bool,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let first = word.split('\n').next().unwrap_or_default();
        let blank = usize::from(!self.glue);
        if self.width > 0 && self.width + blank + first.chars().count() > WIDTH {
            self.line();
        }
        if !self.glue {
            self.text.push(' ');
            self.width += 1;
        }
        self.text += word;
        self.glue = false;
        match word.rsplit_once('\n') {
            Some((_, last)) => self.width = last.chars().count(),
            None => self.width += word.chars().count(),
        }
    }

    fn open(&mut self) {
        if self.width + 10 > WIDTH {
            self.line();
        }
        self.word("(");
        self.glue = true;
    }

    fn close(&mut self) {
        self.glue = true;
        if self.width >= WIDTH {
            self.line();
        }
        self.word(")");
    }

    /// A comment that ends with its line.
    fn remark(&mut self, words: &str) {
        self.word(";");
        self.text += words;
        self.line();
    }

    fn line(&mut self) {
        self.text.push('\n');
        self.width = 0;
        self.glue = true;
    }
}
