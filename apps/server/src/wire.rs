//! The shapes of what goes over the socket, as JSON.
//!
//! | the page sends | and gets |
//! |---|---|
//! | `{"id":1,"do":"games"}`, perhaps with `skip` | `games`, and a page of the `kept` games of this person, the newest first; `more` says whether others follow |
//! | `{"id":2,"do":"new","game":"xiangqi"}`, perhaps with `fen`, `waive`, `moves`, `person`, `level`, `clock`, `book` | `game`, `look`, `tree`, `node`, `position` |
//! | `{"id":3,"do":"open","game":"ID"}`, perhaps with `node` | the same of a kept game |
//! | `{"id":4,"do":"play","text":"h2e2"}` | `step`, `tree`, `node`, `position` |
//! | `{"id":5,"do":"walk","moves":[...]}` | the same after several moves |
//! | `{"id":6,"do":"go","node":7}` | `steps`, `node`, `position` |
//! | `{"id":7,"do":"undo","plies":2}` | `steps`, `tree`, `node`, `position`: the moves are forgotten |
//! | `{"id":8,"do":"think","level":3}` | events, then the computer's move as `step`, `tree`, `node`, `position` |
//! | `{"id":9,"do":"hint"}` | `hint`: a move |
//! | `{"id":10,"do":"analyse","lines":3}` | `thought` events until its time is over, then an empty answer |
//! | `{"id":11,"do":"review"}` | a `reviewed` event for each position of the game, then `tree` |
//! | `{"id":12,"do":"stop"}` | an empty answer; whoever was thinking stops |
//! | `seat`, `resign`, `book`, `dialect`, `comment`, `prune`, `forget` | what changed |
//! | `sights`, `rule`, `arrange`, `examine`, `import`, `export` | see [`Deed`] |
//! | anything that cannot be done | `{"id":5,"error":"one sentence"}`, with a `cause` where a page can say it by itself |
//!
//! A `position` carries all legal targets with their scripts, so that a click needs no question, and `warnings` of those that
//! would end the game by its laws. Events have an `event` and
//! say with `of` to which question they belong; `{"event":"waiting"}` says that others are thinking and this one queues,
//! `{"event":"failed"}` that the engine broke off;
//! `{"event":"changed"}` carries the game as another window left it, or as it stands when somebody's time is over. A `clock`
//! tells what each side has left at the moment it is sent; the page counts down from there. A reply is thought about wherever
//! the page looks meanwhile, and played where it was asked for: who stands elsewhere stays there, and gets no `step`.

mod dto;

use serde::{Deserialize, Serialize};

pub use dto::*;

pub use crate::request_error::ErrorCode;
use crate::text_tree::NodeDto;

/// What the page asks.
#[derive(Clone, Debug, Deserialize)]
pub struct RequestMessage {
    /// Given back with the answer.
    #[serde(default)]
    pub id: u64,
    /// What to do.
    #[serde(flatten)]
    pub request: ClientRequest,
}

/// What to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum ClientRequest {
    /// List the games, and those that are kept.
    Games {
        /// How many of those that are kept are left out first.
        #[serde(default)]
        skip: u32,
    },
    /// Start a game.
    New(NewGame),
    /// Go on with a kept game.
    Open {
        /// Its id.
        game: String,
        /// Where to stand in it; the end of its main line if not given.
        node: Option<usize>,
    },
    /// Throw a kept game away.
    Forget {
        /// Its id.
        game: String,
    },
    /// Play a move.
    Play {
        /// In the default dialect, or the one named.
        text: String,
        /// The dialect.
        dialect: Option<String>,
    },
    /// Play several moves, in the default dialect.
    Walk {
        /// They.
        moves: Vec<String>,
    },
    /// Stand elsewhere in the game.
    Go {
        /// There.
        node: usize,
    },
    /// Take moves back and forget them.
    Undo {
        /// How many.
        plies: usize,
    },
    /// Remove a move and what follows it.
    Prune {
        /// The move.
        node: usize,
    },
    /// Say something about a move.
    Comment {
        /// The move.
        node: usize,
        /// What; nothing to remove it.
        text: String,
    },
    /// Who plays: a person against the computer, or nobody: analysis.
    Seat {
        /// The person's side; null in analysis.
        person: Option<usize>,
        /// The computer's strength.
        level: u32,
    },
    /// The person gives up.
    Resign,
    /// Let the computer move.
    Think {
        /// Its strength from 1 to 10.
        level: u32,
        /// Milliseconds at most. By the clock it never takes more than its share; without one and without a time, a moment.
        time: Option<u64>,
    },
    /// A good move for the side to move.
    Hint {
        /// Milliseconds at most.
        time: Option<u64>,
    },
    /// Look into the position.
    Analyse {
        /// How many lines.
        lines: usize,
        /// Seconds at most.
        seconds: Option<u64>,
    },
    /// Evaluate every position of the game.
    Review {
        /// Milliseconds for each.
        time: Option<u64>,
    },
    /// Stop thinking.
    Stop,
    /// Play by another rule book from now on.
    Book {
        /// Its name.
        name: String,
    },
    /// Write moves in another dialect from now on.
    Dialect {
        /// Its name.
        name: String,
    },
    /// What is easily overlooked in the position: `sights`.
    Sights,
    /// A judge's ruling on the game as it stands: `ruling`.
    Rule {
        /// The rule book; the game's usual one if not given.
        book: Option<String>,
        /// At which occurrence a repetition is judged, if not at the book's own.
        occurrences: Option<usize>,
        /// Whether the reasons are wanted in Chinese.
        #[serde(default)]
        chinese: bool,
    },
    /// The text of men set up by hand, and what is wrong with it: `setup`.
    Arrange {
        /// Squares and letters.
        men: std::collections::BTreeMap<String, char>,
        /// Who is to move.
        side: usize,
    },
    /// The men of a position text, or of the position that other text leads to as in `import`, and what is wrong with it: `setup`.
    Examine {
        /// The text.
        fen: String,
        /// As in `import`.
        #[serde(default)]
        chinese: bool,
    },
    /// Open the first game of a file of records, PGN of any game or GGF, and keep the others; or start one of the kind on the
    /// desk from a position text or a list of moves in any dialect.
    Import {
        /// As pasted.
        text: String,
        /// Whether each character stands for a byte: so a page sends a file that is not UTF-8.
        #[serde(default)]
        bytes: bool,
        /// The kind of game that a position or bare moves belong to; that on the desk if not given.
        game: Option<String>,
        /// Whether what cannot be read of a file is to be said in Chinese.
        #[serde(default)]
        chinese: bool,
    },
    /// The game as PGN, with comments and values: `text`.
    Export,
}

/// A game to be started.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct NewGame {
    /// Its kind.
    pub game: String,
    /// The position to start from, if not the usual one.
    pub fen: Option<String>,
    /// The complaints about it that are let pass.
    #[serde(default)]
    pub waive: Vec<String>,
    /// Moves already played.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The person's side; null in analysis.
    pub person: Option<usize>,
    /// The computer's strength; a gentle one if not given.
    pub level: Option<u32>,
    /// The clock, if it is played by one.
    pub clock: Option<TimeControlDto>,
    /// The rule book; the game's usual one if not given.
    pub book: Option<String>,
}

/// The answer to an [`Ask`]; what does not belong to it is left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Response {
    /// Whose answer it is.
    pub id: u64,
    /// Why it cannot be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The same in Chinese.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_zh: Option<String>,
    /// The same in a word, where a page can say it by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<ErrorCode>,
    /// The kind of game that would understand what was pasted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<&'static str>,
    /// Whether what was pasted is a position that can be let pass where it is set up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub waivable: bool,
    /// The games there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameName>>,
    /// The games that are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<SavedGame>>,
    /// Whether more are kept after these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<bool>,
    /// Who plays which game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameDto>,
    /// What the board looks like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<AppearanceDto>,
    /// The moves of the game, variations included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Vec<NodeDto>>,
    /// Where the position stands in the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The move that was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<MoveResultDto>,
    /// The moves on the way to the position, where there are few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<MoveResultDto>>,
    /// How it stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionDto>,
    /// A good move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What is easily overlooked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sights: Option<Vec<TacticalMarkDto>>,
    /// A judge's ruling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruling: Option<RulingDto>,
    /// A position set up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<SetupDto>,
    /// A game in text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A game's names.
#[derive(Clone, Debug, Serialize)]
pub struct GameName {
    /// On the command line.
    pub game: &'static str,
    /// For people.
    pub title: &'static str,
    /// In Chinese.
    pub title_zh: &'static str,
    /// The names of the players.
    pub sides: [&'static str; 2],
    /// In Chinese.
    pub sides_zh: [&'static str; 2],
}

/// A game that is kept.
#[derive(Clone, Debug, Serialize)]
pub struct SavedGame {
    /// By which it is opened.
    pub id: String,
    /// Its kind.
    pub game: String,
    /// How many moves its main line has.
    pub plies: i64,
    /// When it was last changed, in seconds since 1970.
    pub changed: i64,
}

/// Who plays which game.
#[derive(Clone, Debug, Serialize)]
pub struct GameDto {
    /// By which it is opened again.
    pub id: String,
    /// Its kind.
    pub game: &'static str,
    /// The person's side; null in analysis.
    pub person: Option<usize>,
    /// The computer's strength.
    pub level: u32,
    /// The side that gave up.
    pub resigned: Option<usize>,
    /// The dialects, the default first.
    pub dialects: Vec<&'static str>,
    /// What each of them is called in English.
    pub dialects_en: Vec<&'static str>,
    /// The same in Chinese.
    pub dialects_zh: Vec<&'static str>,
    /// The same move in each of them.
    pub samples: Vec<String>,
    /// The rule books that can rule on it; none if there is only one.
    pub books: Vec<RulesetDto>,
    /// The one by which it is played.
    pub book: Option<String>,
    /// The one in which labels are written.
    pub dialect: String,
    /// The one that readers of English expect.
    pub dialect_en: &'static str,
    /// The one that readers of Chinese expect, if there is one.
    pub dialect_zh: Option<&'static str>,
    /// The text of the position it started from.
    pub start: String,
    /// 0 or 1: who began.
    pub first: usize,
    /// The number of the first move.
    pub number: u32,
}

/// A position set up.
#[derive(Clone, Debug, Serialize)]
pub struct SetupDto {
    /// Its text.
    pub fen: String,
    /// What is wrong with it.
    pub grievances: Vec<IssueDto>,
    /// Squares and letters, where the text was given.
    pub men: Option<std::collections::BTreeMap<String, char>>,
    /// Who is to move, where the text was given.
    pub side: Option<usize>,
}

/// What comes without being an answer.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ServerEvent {
    /// Others are thinking: this one queues.
    Waiting {
        /// The question.
        of: u64,
    },
    /// A line of an analysis, or what the computer thinks about its reply.
    Thought(SearchInfoDto),
    /// The engine broke off; an answer follows all the same, with what it had found out by then or any legal move.
    Failed {
        /// The question.
        of: u64,
    },
    /// A position of the game was evaluated.
    Reviewed {
        /// The question.
        of: u64,
        /// The position after this move.
        node: usize,
        /// What it is worth.
        score: ScoreDto,
        /// The best move from there, in the default dialect.
        best: Option<String>,
    },
    /// Another window played on, or somebody's time is over.
    Changed(Box<Response>),
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
pub struct SearchInfoDto {
    /// The question.
    pub of: u64,
    /// Where the position stands in the tree.
    pub node: usize,
    /// Which line it is, from 1.
    pub rank: u32,
    /// Plies.
    pub depth: u32,
    /// What it is worth.
    pub score: ScoreDto,
    /// Positions visited.
    pub nodes: u64,
    /// Since the beginning.
    pub seconds: f64,
    /// The line in the default dialect.
    pub line: Vec<String>,
    /// The line in the dialect chosen.
    pub labels: Vec<String>,
}
