//! The shapes of what goes over the socket, as JSON.
//!
//! | the page sends | and gets |
//! |---|---|
//! | `{"id":1,"do":"games"}` | `{"id":1,"games":[{"game":"xiangqi","title":"Xiangqi","sides":["Red","Black"]}]}` |
//! | `{"id":2,"do":"new","game":"xiangqi"}`, perhaps with `fen` and `moves` | `{"id":2,"look":{...},"position":{...}}` |
//! | `{"id":3,"do":"play","text":"h2e2"}` | `{"id":3,"step":{...},"position":{...}}` |
//! | `{"id":4,"do":"think","level":3}` | events `{"event":"thought",...}`, then the computer's `step` and `position` |
//! | `{"id":5,"do":"undo","plies":2}` | `{"id":5,"steps":[...],"position":{...}}` |
//! | anything that cannot be done | `{"id":5,"error":"one sentence"}` |
//!
//! A `position` carries all legal targets with their scripts, so that a click needs no question.

use std::collections::BTreeMap;

use alfil_hall::{Change, Desk, Ending, Layout, Look, Step, Target};
use alfil_kernel::Outcome;
use serde::{Deserialize, Serialize};

/// What the page asks.
#[derive(Clone, Debug, Deserialize)]
pub struct Ask {
    /// Given back with the answer.
    #[serde(default)]
    pub id: u64,
    /// What to do.
    #[serde(flatten)]
    pub deed: Deed,
}

/// What to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Deed {
    /// List the games.
    Games,
    /// Start a game.
    New {
        /// Its name.
        game: String,
        /// The position to start from, if not the usual one.
        fen: Option<String>,
        /// Moves already played: a page that lost its connection goes on where it was.
        #[serde(default)]
        moves: Vec<String>,
    },
    /// Play a move.
    Play {
        /// In the default dialect.
        text: String,
    },
    /// Let the computer move.
    Think {
        /// Its strength from 1 to 10.
        level: u32,
    },
    /// Take back moves.
    Undo {
        /// How many.
        plies: usize,
    },
}

/// The answer to an [`Ask`]; what does not belong to it is left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Answer {
    /// Whose answer it is.
    pub id: u64,
    /// Why it cannot be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The games there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameName>>,
    /// What the board looks like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<LookShape>,
    /// The move that was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepShape>,
    /// The moves that were taken back, the last one first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<StepShape>>,
    /// How it stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionShape>,
}

/// A game's names.
#[derive(Clone, Debug, Serialize)]
pub struct GameName {
    /// On the command line.
    pub game: &'static str,
    /// For people.
    pub title: &'static str,
    /// The names of the players.
    pub sides: [&'static str; 2],
}

/// What a thinking desk found out.
#[derive(Clone, Debug, Serialize)]
pub struct ThoughtEvent {
    /// Always `thought`.
    pub event: &'static str,
    /// Plies.
    pub depth: u32,
    /// Hundredths, from the view of the side to move.
    pub score: i32,
    /// Positions visited.
    pub nodes: u64,
    /// The best line.
    pub line: Vec<String>,
}

/// A change on the board.
#[derive(Clone, Debug, Serialize)]
pub struct ChangeShape {
    /// `put`, `lift` or `turn`.
    #[serde(rename = "do")]
    pub verb: &'static str,
    /// Where.
    pub square: String,
    /// The piece's letter: what it is after the change, or was when it is lifted.
    pub piece: char,
}

impl From<&Change> for ChangeShape {
    fn from(change: &Change) -> Self {
        let (verb, (square, piece)) = match change {
            Change::Put(square, piece) => ("put", (square, piece)),
            Change::Lift(square, piece) => ("lift", (square, piece)),
            Change::Turn(square, piece) => ("turn", (square, piece)),
        };
        ChangeShape { verb, square: square.clone(), piece: *piece }
    }
}

fn script(changes: &[Change]) -> Vec<ChangeShape> {
    changes.iter().map(ChangeShape::from).collect()
}

/// A move that was played or taken back.
#[derive(Clone, Debug, Serialize)]
pub struct StepShape {
    /// In the default dialect.
    pub text: String,
    /// What changed on the board.
    pub script: Vec<ChangeShape>,
    /// `move`, `capture`, `check` or `end`.
    pub sound: &'static str,
}

impl From<&Step> for StepShape {
    fn from(step: &Step) -> Self {
        StepShape { text: step.text.clone(), script: script(&step.script), sound: step.sound }
    }
}

/// A place a man can go to.
#[derive(Clone, Debug, Serialize)]
pub struct TargetShape {
    /// Where the man stands; null where a new man is put.
    pub from: Option<String>,
    /// Where it goes; null for a pass.
    pub to: Option<String>,
    /// In the default dialect.
    pub text: String,
    /// What will change on the board.
    pub script: Vec<ChangeShape>,
    /// The letter that tells it from others between the same squares.
    pub choice: Option<char>,
}

impl From<Target> for TargetShape {
    fn from(target: Target) -> Self {
        let script = script(&target.script);
        TargetShape { from: target.from, to: target.to, text: target.text, script, choice: target.choice }
    }
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
pub struct EndingShape {
    /// 0 or 1 for the side that won; null for a draw.
    pub winner: Option<usize>,
    /// The cause in one word.
    pub cause: String,
    /// The verdict in a sentence.
    pub words: String,
}

impl From<Ending> for EndingShape {
    fn from(ending: Ending) -> Self {
        let winner = match ending.outcome {
            Outcome::Win(side) => Some(side.index()),
            Outcome::Draw => None,
        };
        EndingShape { winner, cause: ending.cause, words: ending.words }
    }
}

/// How it stands.
#[derive(Clone, Debug, Serialize)]
pub struct PositionShape {
    /// In the game's own text.
    pub fen: String,
    /// 0 or 1: who is to move.
    pub side: usize,
    /// Squares and the letters of what stands there.
    pub men: BTreeMap<String, char>,
    /// The squares of the last move.
    pub last: Vec<String>,
    /// Where the king stands that is in check.
    pub check: Option<String>,
    /// How it stands in a sentence.
    pub words: String,
    /// The verdict, if the game is over.
    pub ending: Option<EndingShape>,
    /// All legal moves; none where the game is over.
    pub targets: Vec<TargetShape>,
    /// The moves played.
    pub record: Vec<String>,
}

impl PositionShape {
    /// The position on a desk.
    pub fn of(desk: &dyn Desk) -> Self {
        let view = desk.view();
        let targets = if view.ending.is_some() { Vec::new() } else { desk.targets(None) };
        PositionShape {
            fen: view.fen,
            side: view.side.index(),
            men: view.men.into_iter().collect(),
            last: view.last,
            check: view.check,
            words: view.words,
            ending: view.ending.map(EndingShape::from),
            targets: targets.into_iter().map(TargetShape::from).collect(),
            // The default dialect is always there.
            record: desk.record(None).unwrap_or_default(),
        }
    }
}

/// What a board looks like: see [`alfil_hall::Look`].
#[derive(Clone, Debug, Serialize)]
pub struct LookShape {
    /// On the command line.
    pub game: &'static str,
    /// For people.
    pub title: &'static str,
    /// Columns.
    pub files: usize,
    /// Rows.
    pub ranks: usize,
    /// `points`, `checkered` or `cells`.
    pub layout: &'static str,
    /// The names of the columns.
    pub file_names: &'static [&'static str],
    /// The names of the rows.
    pub rank_names: &'static [&'static str],
    /// Lines, x and y of both ends.
    pub lines: &'static [[f32; 4]],
    /// Marked points.
    pub marks: &'static [[f32; 2]],
    /// The players' names.
    pub sides: [&'static str; 2],
    /// The men by letter.
    pub men: BTreeMap<char, ManShape>,
    /// Words across the middle of the board.
    pub legend: &'static [&'static str],
}

/// A man's picture and name.
#[derive(Clone, Debug, Serialize)]
pub struct ManShape {
    /// 0 or 1.
    pub side: usize,
    /// In English.
    pub name: &'static str,
    /// SVG path data in thousandths of a square.
    pub outline: &'static str,
}

impl From<&'static Look> for LookShape {
    fn from(look: &'static Look) -> Self {
        let layout = match look.layout {
            Layout::Points => "points",
            Layout::Checkered => "checkered",
            Layout::Cells => "cells",
        };
        let shape = |man: &'static alfil_hall::Man| {
            (man.letter, ManShape { side: man.side, name: man.name, outline: man.outline })
        };
        LookShape {
            game: look.game,
            title: look.title,
            files: look.files,
            ranks: look.ranks,
            layout,
            file_names: look.file_names,
            rank_names: look.rank_names,
            lines: look.lines,
            marks: look.marks,
            sides: look.sides,
            men: look.men.iter().map(shape).collect(),
            legend: look.legend,
        }
    }
}
