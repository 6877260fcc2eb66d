//! A game of a file as a tree.

use alfil_kernel::{Counters, Dialect as _, Notation as _, Position, Setup, Side, Waivers};

use super::reader;
use super::tags;
use super::token::{self, Token, Tokens};
use crate::fault::{Fault, Reason, Refusal, numbered};
use crate::notes::add_words;
use crate::parsed::Parsed;
use crate::recorded::{DialectOf, Recorded};
use crate::tree::{NodeId, Tags, Tree};

/// How deep variations may lie in one another; deeper ones are passed over.
pub const DEEPEST: usize = 500;

/// At most this many faults of one game are kept; more would say nothing new.
const FAULTS: usize = 100;

/// More bytes than a move is written in.
const LONGEST_WORD: usize = 100;

impl reader::Game<'_> {
    /// Reads the game. Its tree's tags are those of the file without what the tree says itself (`Result`, `SetUp`,
    /// `FEN`), without those of the seven that say nothing (`?`), the rest of the seven first.
    pub fn read<G: Recorded>(&self) -> Parsed<G> {
        self.read_with(&Waivers::None)
    }

    /// The same; the start position's complaints that are waived are let pass.
    pub fn read_with<G: Recorded>(&self, waivers: &Waivers) -> Parsed<G> {
        let text = self.text();
        let mut head = tags::read(&text);
        let mut faults: Vec<_> = head
            .faults
            .drain(..)
            .take(FAULTS)
            .map(|(at, reason)| self.fault(at, String::new(), reason))
            .collect();
        let mut broken = |reason| {
            let fault = self.fault(0, String::new(), reason);
            Parsed { tree: Tree::default(), broken: Some(fault), faults: std::mem::take(&mut faults) }
        };
        if self.cut {
            return broken(Reason::TooLong(self.bytes.len()));
        }
        if let Some(stranger) = G::stranger(&head.tags) {
            return broken(stranger);
        }
        let (start, dialect) = match (G::start(&head.tags), G::dialect(&head.tags)) {
            (Ok(start), Ok(dialect)) => (start, dialect),
            (Err(reason), _) | (_, Err(reason)) => return broken(reason),
        };
        let position = match G::Bitboard::from_setup(&start, waivers) {
            Ok(position) => position,
            Err(error) => return broken(Reason::Start(G::refusal(Refusal::Setup(error)))),
        };
        let Counters { number, .. } = start.counters();
        let mut tree = Tree::new(start);
        for (start, end) in head.comment {
            tree.notes_mut(NodeId::ROOT).add_after(&text[start..end]);
        }
        let second = position.side() == Side::Second;
        let mut parser = Parser::<G> {
            game: self,
            dialect,
            number,
            second,
            tree,
            broken: None,
            faults,
            line: Branch { position, node: NodeId::ROOT, last: None, ply: 0 },
            stack: Vec::new(),
            pending: None,
        };
        parser.run(Tokens::after(&text, head.end, G::NESTED));
        parser.finish(head.tags)
    }
}

/// Where reading stands in one line of moves.
struct Branch<G: Recorded> {
    position: G::Bitboard,
    node: NodeId,
    /// The last move, which a variation replaces.
    last: Option<Played<G>>,
    ply: usize,
}

type Played<G> =
    (Option<<G as alfil_kernel::Game>::Move>, <<G as alfil_kernel::Game>::Bitboard as Position>::Undo);

/// What has been said in a variation before its first move.
struct Opening {
    at: usize,
    words: String,
}

struct Parser<'a, G: Recorded> {
    game: &'a reader::Game<'a>,
    dialect: Option<DialectOf<G>>,
    /// The number of the first move, and whether the second player makes it.
    number: u32,
    second: bool,
    tree: Tree<G>,
    broken: Option<Fault>,
    faults: Vec<Fault>,
    line: Branch<G>,
    /// The lines that the variations interrupt.
    stack: Vec<Branch<G>>,
    pending: Option<Opening>,
}

impl<G: Recorded> Parser<'_, G> {
    fn run(&mut self, mut tokens: Tokens<'_>) {
        while let Some((at, token)) = tokens.next() {
            let token = match token {
                Token::Move(text) => G::outcome(text).map_or(token, |outcome| Token::Result(Some(outcome))),
                token => token,
            };
            match token {
                Token::Move(text) => {
                    if let Err(reason) = self.play(text) {
                        if self.stack.is_empty() {
                            self.broken = Some(self.fault(at, text, reason));
                            return;
                        }
                        tokens.skip_variation();
                        if self.is_prose(text) {
                            self.take_prose(tokens.before());
                        } else if self.faults.len() < FAULTS {
                            self.faults.push(self.fault(at, text, reason));
                        }
                        self.leave();
                    }
                }
                Token::Nag(nag) if self.pending.is_none() => {
                    self.tree.notes_mut(self.line.node).nags.push(nag)
                }
                Token::Nag(_) => self.complain(at, Reason::GlyphEarly),
                Token::Comment(text) => match &mut self.pending {
                    Some(opening) => add_words(&mut opening.words, text),
                    None => self.tree.notes_mut(self.line.node).add_after(text),
                },
                Token::Open => {
                    if let Err(reason) = self.open(at) {
                        self.complain(at, reason);
                        tokens.skip_variation();
                    }
                }
                Token::Close => self.close(at),
                // Programs end analyses, too, with a sign that nobody has won them yet.
                Token::Result(_) if !self.stack.is_empty() => {}
                Token::Result(result) => {
                    self.tree.result = result;
                    return self.run_out(tokens);
                }
                Token::Unclosed => {
                    self.broken = Some(self.game.fault(at, String::new(), Reason::CommentUnclosed));
                    return;
                }
                Token::OddGlyph => self.complain(at, Reason::GlyphNumber),
                Token::OddBrace => self.complain(at, Reason::StrayBrace),
            }
        }
        if !self.stack.is_empty() {
            let end = self.game.text().trim_end().len();
            self.complain(end, Reason::VariationUnclosed);
        }
    }

    /// What stands behind the result: words about the end.
    fn run_out(&mut self, tokens: Tokens<'_>) {
        if !G::STRICT_END {
            return;
        }
        for (at, token) in tokens {
            match token {
                Token::Comment(text) => self.tree.notes_mut(self.line.node).add_after(text),
                Token::Nag(nag) => self.tree.notes_mut(self.line.node).nags.push(nag),
                _ => return self.complain(at, Reason::BehindResult),
            }
        }
    }

    /// What is wrong with a move.
    fn fault(&self, at: usize, text: &str, reason: Reason) -> Fault {
        self.game.fault(at, numbered(self.line.ply, self.number, self.second, text), reason)
    }

    fn play(&mut self, text: &str) -> Result<(), Reason> {
        if text.len() > LONGEST_WORD {
            return Err(Reason::LongWord(text.len()));
        }
        let position = &self.line.position;
        let unread = |error| Reason::Move(G::refusal(Refusal::Word(error)));
        match G::read_move(position, text, self.dialect) {
            Ok(mv) => self.make(mv),
            Err(error) => {
                let Some(implied) = G::implied(position) else { return Err(unread(error)) };
                let mut after = position.clone();
                after.make(implied, &mut ());
                let mv = G::read_move(&after, text, self.dialect).map_err(unread)?;
                self.make(Some(implied))?;
                self.make(mv)
            }
        }
    }

    fn make(&mut self, mv: Option<G::Move>) -> Result<(), Reason> {
        let line = &mut self.line;
        let undo = match mv {
            Some(mv) => line.position.make(mv, &mut ()),
            None if line.position.in_check() => return Err(Reason::PassInCheck),
            None => line.position.make_null(),
        };
        line.node = self.tree.add(line.node, mv);
        line.last = Some((mv, undo));
        line.ply += 1;
        if let Some(opening) = self.pending.take()
            && !opening.words.is_empty()
        {
            self.tree.notes_mut(line.node).before = opening.words;
        }
        Ok(())
    }

    /// A variation begins: the last move is taken back.
    fn open(&mut self, at: usize) -> Result<(), Reason> {
        if self.stack.len() == DEEPEST {
            return Err(Reason::VariationDeep);
        }
        let Some((mv, undo)) = self.line.last.take() else {
            return Err(Reason::VariationOfNothing);
        };
        let mut position = self.line.position.clone();
        match mv {
            Some(mv) => position.unmake(mv, &undo, &mut ()),
            None => position.unmake_null(&undo),
        }
        self.line.last = Some((mv, undo));
        let node = self.tree.parent(self.line.node).unwrap_or(NodeId::ROOT);
        let branch = Branch { position, node, last: None, ply: self.line.ply - 1 };
        self.stack.push(std::mem::replace(&mut self.line, branch));
        self.pending = Some(Opening { at, words: String::new() });
        Ok(())
    }

    /// Whether a variation that begins with this word is none, but a remark in parentheses.
    fn is_prose(&self, word: &str) -> bool {
        let normalise = |&dialect: &DialectOf<G>| G::Words::normalise(word, dialect);
        G::NESTED
            && self.pending.is_some()
            && DialectOf::<G>::ALL.iter().all(|dialect| normalise(dialect).is_none())
    }

    /// Makes a comment of what stands between the parentheses, of which the second has just been read.
    fn take_prose(&mut self, text: &str) {
        if let Some(opening) = &mut self.pending {
            let words = text.get(opening.at + 1..).unwrap_or_default();
            opening.words = words.strip_suffix(')').unwrap_or(words).to_owned();
        }
    }

    fn close(&mut self, at: usize) {
        if self.stack.is_empty() {
            return self.complain(at, Reason::StrayParenthesis);
        }
        self.leave();
    }

    /// Goes back to the line that the variation interrupted. What was said in a variation without a move belongs to the
    /// move it would have replaced.
    fn leave(&mut self) {
        if let Some(line) = self.stack.pop() {
            self.line = line;
        }
        if let Some(opening) = self.pending.take() {
            if opening.words.is_empty() {
                self.complain(opening.at, Reason::VariationEmpty);
            } else {
                self.tree.notes_mut(self.line.node).add_after(&opening.words);
            }
        }
    }

    fn complain(&mut self, at: usize, reason: Reason) {
        if self.faults.len() < FAULTS {
            self.faults.push(self.game.fault(at, String::new(), reason));
        }
    }

    /// Puts tags and result in order.
    fn finish(mut self, tags: Tags) -> Parsed<G> {
        for notes in self.tree.all_notes() {
            notes.settle();
        }
        let count = tags.len();
        let mut unique = tags;
        unique.unify();
        if unique.len() < count {
            self.complain(0, Reason::TagTwice);
        }
        if let Some(value) = unique.take("Result").filter(|value| !matches!(value.as_str(), "" | "?")) {
            let said = token::result(value.as_bytes()).or_else(|| G::outcome(&value).map(Some));
            match said {
                Some(said) if self.tree.result.is_none() => self.tree.result = said,
                Some(said) if said == self.tree.result || said.is_none() => {}
                Some(_) => self.complain(0, Reason::ResultOther),
                None => self.complain(0, Reason::ResultUnknown),
            }
        }
        self.tree.tags = unique;
        settle(&mut self.tree);
        Parsed { tree: self.tree, broken: self.broken, faults: self.faults }
    }
}

/// Leaves out the tags that say nothing or that the tree says itself, and puts the others in order.
pub(super) fn settle<G: Recorded>(tree: &mut Tree<G>) {
    let tags = &mut tree.tags;
    tags.retain(|name, value| !(G::ROSTER.contains(&name) && matches!(value, "" | "?" | "????.??.??")));
    tags.retain(|name, _| !matches!(name, "Result" | "SetUp" | "FEN"));
    G::strip(tags, &tree.start);
    tags.lead_with(G::ROSTER);
}
