//! A game as it is played and kept: a desk, the tree of all that was tried, and where in it the desk stands.

use std::hash::{DefaultHasher, Hash, Hasher};

use alfil_hall::{Desk, DeskError, Step, registry};
use alfil_kernel::Waivers;
use serde::{Deserialize, Serialize};

use crate::tree::{NodeShape, START, Tree};
use crate::wire::{GameShape, NewGame, PositionShape, StepShape};

/// What is kept of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Its kind.
    pub(crate) game: String,
    /// The text of the position it started from.
    pub(crate) start: String,
    /// The person's side; none in analysis.
    pub(crate) person: Option<usize>,
    /// The computer's strength.
    pub(crate) level: u32,
    /// The side that gave up.
    pub(crate) resigned: Option<usize>,
    /// The dialect the person reads.
    pub(crate) dialect: Option<String>,
    /// The moves.
    pub(crate) tree: Tree,
}

/// More steps than this are not shown one by one.
const SHOWN_STEPS: usize = 4;

/// A game on a desk.
pub(crate) struct Game {
    /// By which it is opened again.
    pub(crate) id: String,
    /// How often it was saved.
    pub(crate) revision: i64,
    /// What is kept of it.
    pub(crate) record: Record,
    desk: Box<dyn Desk>,
    at: usize,
}

impl Game {
    /// A game that begins.
    ///
    /// # Errors
    /// If there is no such game, its position cannot be played, or one of its moves.
    pub(crate) fn new(id: String, new: NewGame) -> Result<Game, DeskError> {
        let start = new.fen.unwrap_or_else(|| "startpos".into());
        let record = Record {
            game: new.game,
            start,
            person: side(new.person)?,
            level: new.level,
            resigned: None,
            dialect: None,
            tree: Tree::default(),
        };
        let waivers = if new.waive.is_empty() { Waivers::None } else { Waivers::Named(new.waive) };
        let mut game = Game::on_desk(id, 0, record, &waivers)?;
        game.walk(&new.moves)?;
        Ok(game)
    }

    /// A game that was kept, at its end. Its position was accepted once: it is not complained about again.
    ///
    /// # Errors
    /// If what was kept cannot be played.
    pub(crate) fn resumed(id: String, revision: i64, record: Record) -> Result<Game, DeskError> {
        if !record.tree.is_sound() {
            return Err(DeskError(format!("the game {id} was not kept whole")));
        }
        let mut game = Game::on_desk(id, revision, record, &Waivers::All)?;
        game.go(game.record.tree.tip(START))?;
        Ok(game)
    }

    fn on_desk(id: String, revision: i64, record: Record, waivers: &Waivers) -> Result<Game, DeskError> {
        let mut desk = registry::open(&record.game, None)?;
        desk.open(&record.start, waivers)?;
        Ok(Game { id, revision, record, desk, at: START })
    }

    /// The desk.
    pub(crate) fn desk(&self) -> &dyn Desk {
        self.desk.as_ref()
    }

    /// Where in the tree the desk stands.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Whether there is nothing worth keeping yet.
    pub(crate) fn is_bare(&self) -> bool {
        self.record.tree.is_bare() && self.record.start == "startpos"
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal, or the game is over.
    pub(crate) fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<Step, DeskError> {
        if self.desk.judge().is_some() {
            return Err(DeskError("the game is over: take a move back or start a new one".into()));
        }
        let step = self.desk.play(text, dialect)?;
        self.at = self.record.tree.grow(self.at, &step.text);
        self.record.resigned = None;
        Ok(step)
    }

    /// Plays several moves; if one cannot be played, none is.
    ///
    /// # Errors
    /// See [`Game::play`].
    pub(crate) fn walk(&mut self, moves: &[String]) -> Result<Vec<Step>, DeskError> {
        let (from, tree) = (self.at, self.record.tree.clone());
        let steps: Result<Vec<_>, _> = moves.iter().map(|text| self.play(text, None)).collect();
        if steps.is_err() {
            self.go(from)?;
            self.record.tree = tree;
        }
        steps
    }

    /// Stands elsewhere; the steps on the way, in their order.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn go(&mut self, node: usize) -> Result<Vec<Step>, DeskError> {
        if self.record.tree.node(node).is_none() {
            return Err(DeskError(format!("there is no move {node} in this game")));
        }
        let tree = &self.record.tree;
        let (old, new) = (tree.road(self.at), tree.road(node));
        let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let mut steps: Vec<_> = (common..old.len()).filter_map(|_| self.desk.undo()).collect();
        for &node in &new[common..] {
            steps.push(self.desk.play(tree.text(node), None)?);
        }
        self.at = node;
        Ok(steps)
    }

    /// Takes back and forgets so many moves.
    ///
    /// # Errors
    /// Never in a game that is whole.
    pub(crate) fn undo(&mut self, plies: usize) -> Result<Vec<Step>, DeskError> {
        let road = self.record.tree.road(self.at);
        let kept = road.len().saturating_sub(plies);
        let Some(&first) = road.get(kept) else { return Ok(Vec::new()) };
        let node = if kept == 0 { START } else { road[kept - 1] };
        let steps = self.go(node)?;
        self.record.tree.prune(first);
        self.record.resigned = None;
        Ok(steps)
    }

    /// Removes a move and what follows it; who stands there goes back to the move before.
    ///
    /// # Errors
    /// If there is no such node, or it is the start.
    pub(crate) fn prune(&mut self, node: usize) -> Result<(), DeskError> {
        let parent = match self.record.tree.node(node) {
            Some(found) if node != START => found.parent,
            _ => return Err(DeskError(format!("there is no move {node} to remove"))),
        };
        if self.record.tree.road(self.at).contains(&node) {
            self.go(parent)?;
        }
        self.record.tree.prune(node);
        Ok(())
    }

    /// A line from here on, as the chosen dialect writes it.
    pub(crate) fn labels(&mut self, line: &[String]) -> Vec<String> {
        let mut labels = Vec::with_capacity(line.len());
        for text in line {
            let Ok(label) = self.desk.written(text, self.record.dialect.as_deref()) else { break };
            if self.desk.play(text, None).is_err() {
                break;
            }
            labels.push(label);
        }
        for _ in &labels {
            self.desk.undo();
        }
        labels
    }

    /// Chooses the dialect of the labels.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn speak(&mut self, dialect: &str) -> Result<(), DeskError> {
        self.desk.moves(Some(dialect))?;
        self.record.dialect = Some(dialect.to_owned());
        Ok(())
    }

    /// The tree with its labels.
    ///
    /// # Errors
    /// Never in a game that is whole.
    pub(crate) fn tree(&mut self) -> Result<Vec<NodeShape>, DeskError> {
        let here = self.at;
        let mut shapes = Vec::new();
        // The main line is walked first, so that the desk rarely turns back.
        let mut ahead = vec![START];
        while let Some(node) = ahead.pop() {
            let Some(inner) = self.record.tree.node(node).cloned() else { continue };
            let label = if node == START {
                String::new()
            } else {
                self.go(inner.parent)?;
                self.desk.written(&inner.text, self.record.dialect.as_deref())?
            };
            ahead.extend(inner.children.iter().rev());
            shapes.push(NodeShape { node, inner, label });
        }
        self.go(here)?;
        shapes.sort_by_key(|shape| shape.node);
        Ok(shapes)
    }

    /// Who plays.
    pub(crate) fn shape(&self) -> GameShape {
        let dialects = self.desk.dialects();
        let usual = dialects.first().copied().unwrap_or_default();
        GameShape {
            id: self.id.clone(),
            game: self.desk.game(),
            person: self.record.person,
            level: self.record.level,
            resigned: self.record.resigned,
            dialect: self.record.dialect.clone().unwrap_or_else(|| usual.to_owned()),
            dialects,
            books: self.desk.books().to_vec(),
            start: self.record.start.clone(),
        }
    }

    /// The position here.
    pub(crate) fn position(&self) -> PositionShape {
        PositionShape::of(self.desk())
    }

    /// Seats a person, or nobody.
    ///
    /// # Errors
    /// If there is no such side.
    pub(crate) fn seat(&mut self, person: Option<usize>, level: u32) -> Result<(), DeskError> {
        self.record.person = side(person)?;
        self.record.level = level;
        Ok(())
    }

    /// What the computer draws its moves by: every game has its own.
    pub(crate) fn seed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.id.hash(&mut hasher);
        hasher.finish()
    }
}

/// The steps as they are sent: none where there are so many that nobody would watch them.
pub(crate) fn shown(steps: &[Step]) -> Option<Vec<StepShape>> {
    (steps.len() <= SHOWN_STEPS).then(|| steps.iter().map(StepShape::from).collect())
}

fn side(side: Option<usize>) -> Result<Option<usize>, DeskError> {
    match side {
        Some(side) if side > 1 => Err(DeskError(format!("there is no side {side}: sides are 0 and 1"))),
        side => Ok(side),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let moves = ["h2e2", "h9g7", "h0g2"].map(String::from).to_vec();
        let new = NewGame { game: "xiangqi".into(), moves, ..NewGame::default() };
        Game::new("x".into(), new).unwrap()
    }

    #[test]
    fn the_desk_follows_the_tree() {
        let mut game = game();
        let fen = game.desk().view().fen;
        game.go(1).unwrap();
        game.play("b9c7", None).unwrap();
        assert_eq!(game.at(), 4);
        let steps = game.go(3).unwrap();
        assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), ["b9c7", "h9g7", "h0g2"]);
        assert_eq!(game.desk().view().fen, fen);
        assert!(game.go(99).is_err());
    }

    #[test]
    fn a_line_that_breaks_off_leaves_everything_as_it_was() {
        let mut game = game();
        let (tree, fen) = (game.record.tree.clone(), game.desk().view().fen);
        assert!(game.walk(&["b9c7".into(), "b9c7".into()]).is_err());
        assert_eq!((game.record.tree, game.desk.view().fen), (tree, fen));
    }

    #[test]
    fn what_is_undone_is_forgotten_and_what_is_pruned_too() {
        let mut game = game();
        game.undo(2).unwrap();
        assert_eq!((game.at(), game.tree().unwrap().len()), (1, 2));
        assert!(game.undo(100).is_ok() && game.is_bare());
        assert!(game.undo(1).unwrap().is_empty());
        let mut game = self::game();
        game.prune(2).unwrap();
        assert_eq!(game.at(), 1);
        assert!(game.prune(2).is_err() && game.prune(0).is_err());
    }

    #[test]
    fn the_record_brings_the_game_back() {
        let mut game = game();
        game.go(1).unwrap();
        game.play("b9c7", None).unwrap();
        let mut again = Game::resumed("x".into(), 3, game.record.clone()).unwrap();
        assert_eq!(again.at(), 3);
        again.go(4).unwrap();
        assert_eq!(again.desk().view().fen, game.desk().view().fen);
        game.record.tree.grow(4, "nonsense");
        let mut broken = game.record.clone();
        broken.game = "tiddlywinks".into();
        assert!(Game::resumed("x".into(), 3, broken).is_err());
    }

    #[test]
    fn every_label_is_in_the_dialect_chosen() {
        let mut game = game();
        game.go(1).unwrap();
        game.play("b9c7", None).unwrap();
        game.speak("uci10").unwrap();
        let labels: Vec<_> = game.tree().unwrap().into_iter().map(|node| node.label).collect();
        assert_eq!(labels, ["", "h3e3", "h10g8", "h1g3", "b10c8"]);
        assert_eq!(game.at(), 4);
        assert_eq!(game.labels(&["h0g2".into(), "nonsense".into()]), ["h1g3"]);
        assert!(game.speak("klingon").is_err());
    }
}
