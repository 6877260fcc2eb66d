//! The messages of the WebSocket, as JSON.
//!
//! | request | response |
//! |---|---|
//! | `{"id":1,"do":"games"}`, optional `skip` | `games`; `kept`, a page of the saved games, newest first; `more` |
//! | `{"id":2,"do":"new","game":"xiangqi"}` and fields of [`NewGame`] | `game`, `look`, `tree`, `node`, `position` |
//! | `{"id":3,"do":"open","game":"ID"}`, optional `node` | as for `new` |
//! | `{"id":4,"do":"play","text":"h2e2"}` | `step`, `nodes`, `node`, `position` |
//! | `{"id":5,"do":"walk","moves":[...]}` | `nodes`, `node`, `position` |
//! | `{"id":6,"do":"go","node":7}` | `steps`, `node`, `position` |
//! | `{"id":7,"do":"undo","plies":2}` | `steps`, `nodes`, `removed`, `node`, `position` |
//! | `{"id":7,"do":"undo_change"}`, `redo_change` | as for `undo`, and `edit`: what was undone or redone |
//! | `{"id":8,"do":"continue"}` | as for `play` after a pass without a choice, else an empty response |
//! | `{"id":9,"do":"hint"}` | `hint`: a move |
//! | `{"id":10,"do":"analyse","lines":3}` | `thought` events until the time is over, then an empty response |
//! | `{"id":11,"do":"review"}`, optional `deep` | a `reviewed` event for each position, then `nodes`, `review` |
//! | `{"id":11,"do":"try","node":7,"text":"h2e2"}` | `trial`: the judgement on a move instead of the one played there |
//! | `{"id":12,"do":"stop"}` | an empty response; the search stops |
//! | `seat`, `pause`, `pace`, `resign`, `ruleset`, `dialect`, `comment`, `tags`, `forget`, `restore` | what changed |
//! | `marks`, `promote`, `prune` | what changed |
//! | `{"id":13,"do":"positions","nodes":[7,8]}` | `positions`, to be shown before a `go` is answered |
//! | `summary`, `nags`, `diagrams` | see [`ClientRequest`] |
//! | `{"id":14,"do":"library","action":"list",...}` | `library`: see [`LibraryRequest`] |
//! | `tactical_marks`, `rule`, `rule_all`, `quiz`, `arrange`, `examine`, `import`, `export` | see [`ClientRequest`] |
//! | any request that fails | `{"id":5,"error":"..."}`, with a `cause` for errors that the page words itself |
//!
//! A game is sent once as a whole, as `tree`; then `nodes` has the moves that have changed and `removed` the ids of
//! those that are gone. `edits` names the edits that `undo_change` and `redo_change` would undo and redo.
//!
//! What each request is, says its [`RequestDescription`]. The page has these types in TypeScript (`web/src/wire`):
//! `cargo xtask wire` writes them.
//!
//! A `position` contains all legal targets with their scripts, so that a click needs no request, and `warnings` about
//! moves that lose or draw by the rules. A `clock` contains the times at the moment of the message; the page counts
//! down.
//!
//! Events have an `event`, and with `of` the id of the request they belong to. `waiting`: the search is queued;
//! `failed`: the search failed; `changed`: another window has changed the game, or a flag has fallen.
//!
//! Every position comes with its `turn`: who moves next, or why no move is expected; if it changes otherwise, a `turn`
//! event follows. The session searches the computer's reply itself, and `replied` brings it, or why it failed: then the
//! game waits for `continue`. The page only keeps what it shows in step: it lets passes without a choice be played, and
//! the computer move in a game against itself, by `continue`.
//!
//! ```
//! use alfil_page::wire::{ClientRequest, RequestMessage};
//!
//! let message: RequestMessage = serde_json::from_str(r#"{"id":4,"do":"play","text":"h2e2"}"#).unwrap();
//! assert!(message.id == 4 && matches!(message.request, ClientRequest::Play { text, .. } if text == "h2e2"));
//! ```
//!
//! ```
//! use alfil_page::wire::{LibraryQuery, LibrarySort};
//!
//! let query: LibraryQuery = serde_json::from_str(r#"{"search":"anna","sort":"players"}"#).unwrap();
//! assert_eq!((&*query.search, query.sort, query.descending), ("anna", LibrarySort::Players, false));
//! ```

mod description;
mod dto;
mod game_lists;
mod lessons;
mod library;
mod node;
mod review;
mod rulings;
mod turn;
#[cfg(test)]
mod typescript_tests;
#[cfg(test)]
mod values;

use serde::{Deserialize, Serialize};

pub use description::*;
pub use dto::*;
pub use game_lists::{GameName, HandicapDto, NumberedStartsDto, SavedGame, StartsDto};
pub use lessons::{EndLessonDto, LessonDto, QuizLoopDto, QuizMoveDto};
pub use library::*;
pub use node::*;
pub use review::*;
pub use rulings::*;
pub use turn::{TurnAction, TurnDto};

pub use crate::request_error::ErrorCode;

/// A message from the page.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RequestHeader"))]
pub struct RequestMessage {
    /// The id that the response repeats.
    #[serde(default)]
    pub id: u64,
    /// The number of [`Response::reloads`] that the page has received last.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub reloads: Option<u64>,
    /// The request.
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    pub request: ClientRequest,
}

/// A request from the page.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(Serialize, ts_rs::TS), ts(optional_fields = nullable))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum ClientRequest {
    /// Lists the games and the saved games.
    Games {
        /// The number of saved games to skip.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        skip: u32,
    },
    /// Starts a game.
    New(NewGame),
    /// Opens a saved game.
    Open {
        /// The id of the game.
        game: String,
        /// The id of the tree node to go to; by default the end of the main line.
        node: Option<usize>,
        /// The text of a position to go to, if the game has it.
        position: Option<String>,
        /// Whether to go to the first move otherwise.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        first: bool,
    },
    /// Brings a deleted game back.
    Restore {
        /// The id of the game.
        game: String,
    },
    /// Deletes a saved game. It can be restored for thirty days.
    Forget {
        /// The id of the game.
        game: String,
    },
    /// Plays a move.
    Play {
        /// The move in the default dialect, or in `dialect`.
        text: String,
        /// The dialect of the move.
        dialect: Option<String>,
    },
    /// Plays several moves.
    Walk {
        /// The moves to play, in order, in the default dialect.
        moves: Vec<String>,
    },
    /// Goes to another position of the game.
    Go {
        /// The id of the tree node to go to.
        node: usize,
    },
    /// Takes back moves: in a game that is played they are deleted, in analysis the page steps back.
    Undo {
        /// The number of plies.
        plies: usize,
    },
    /// Removes a move with its descendants.
    Prune {
        /// The id of the tree node.
        node: usize,
    },
    /// Sets the comment on a move.
    Comment {
        /// The id of the tree node.
        node: usize,
        /// The comment; empty to remove it.
        text: String,
        /// Whether it is still being typed: with the last change of the same comment it is then one edit.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        continues: bool,
    },
    /// Sets who plays.
    Seat {
        /// The person's side; null in analysis.
        #[cfg_attr(test, ts(as = "Option<values::Side>"))]
        person: Option<usize>,
        /// Whether two people play at one screen.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        two_people: bool,
        /// The levels of both sides, if the computer plays against itself.
        levels: Option<[u32; 2]>,
        /// The skill level of the computer against the person.
        level: u32,
        /// The external engine that plays against the person; by default the built-in one.
        engine: Option<String>,
    },
    /// Replaces the tags of the game.
    Tags {
        /// The names and values, in their order.
        tags: Vec<(String, String)>,
    },
    /// Undoes the last edit of the game: moves or their taking back, a deletion, a promotion, a comment, marks, tags or
    /// a resignation.
    UndoChange,
    /// Redoes the edit that was undone last.
    RedoChange,
    /// Resigns for the person.
    Resign,
    /// Sets the time for the computer's replies in games without a clock, of this page alone.
    Pace {
        /// The time in milliseconds; by default a short one.
        reply_ms: Option<u64>,
    },
    /// Pauses the computer's moves, or lets them come again.
    Pause {
        /// Whether the moves wait.
        paused: bool,
    },
    /// Lets the game go on: the pass without a choice is played, the computer moves in a game against itself, or a
    /// reply is searched again that has failed or was stopped.
    Continue,
    /// Returns a good move for the side to move.
    Hint {
        /// The maximal time in milliseconds.
        time: Option<u64>,
    },
    /// Analyses the position.
    Analyse {
        /// The number of lines.
        lines: usize,
        /// The maximal time in seconds.
        seconds: Option<u64>,
        /// Whether the search runs until it is stopped.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        infinite: bool,
        /// Whether to search what the opponent would play if the side to move passed.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        threat: bool,
        /// The number of threads, from now on.
        threads: Option<u64>,
        /// The size of the transposition table in MiB, from now on.
        hash: Option<u64>,
        /// The name of the external engine that analyses; by default the built-in one.
        engine: Option<String>,
    },
    /// Evaluates every position of the game.
    Review {
        /// Whether each position is searched with more nodes.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        deep: bool,
    },
    /// Judges a move instead of the one that was played: `trial`. The position must have been reviewed.
    Try {
        /// The id of the tree node of the position.
        node: usize,
        /// The move in the default dialect.
        text: String,
    },
    /// Returns the review of the game: `review`.
    Summary,
    /// Sets the annotation marks of a move.
    Marks {
        /// The id of the tree node.
        node: usize,
        /// The numbers of the marks (NAGs), as in PGN.
        nags: Vec<u8>,
    },
    /// Puts the variation to which a move belongs before the other moves at its branch point.
    Promote {
        /// The id of the tree node.
        node: usize,
    },
    /// Returns the annotation marks that can be entered: `nags`.
    Nags,
    /// Returns positions to be drawn: `diagrams`.
    Diagrams {
        /// The ids of the tree nodes.
        nodes: Vec<usize>,
    },
    /// Returns positions of the game with their moves, without going there: `positions`.
    Positions {
        /// The ids of the tree nodes.
        nodes: Vec<usize>,
    },
    /// Stops the search.
    Stop,
    /// Sets the ruleset.
    Ruleset {
        /// The name of the ruleset.
        name: String,
    },
    /// Sets the dialect of the labels.
    Dialect {
        /// The name of the dialect.
        name: String,
    },
    /// Returns the external engines that can play a game: `engines`.
    Engines {
        /// The name of the game.
        game: String,
    },
    /// Returns the moves that the person may enter before the computer's reply: `premoves`.
    Premoves,
    /// Returns the start positions of a game besides the usual one: `starts`.
    Starts {
        /// The name of the game.
        game: String,
        /// The number of a start position whose text is needed.
        number: Option<usize>,
    },
    /// Returns the introduction to a game: `lessons` and `ends`.
    Lessons {
        /// The name of the game.
        game: String,
    },
    /// Returns the repetitions of a game of which the reader says who must change, with their rulings: `quiz`; and
    /// `look`.
    Quiz {
        /// The name of the game.
        game: String,
        /// The dialect of the moves; by default that of the language.
        dialect: Option<String>,
        /// Whether the rulings are in Chinese.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        chinese: bool,
    },
    /// Returns the tactical marks of the position: `tactical_marks`.
    TacticalMarks,
    /// Returns a ruling on the current position: `ruling`.
    Rule {
        /// The ruleset; by default that of the game.
        ruleset: Option<String>,
        /// The occurrence at which a repetition is judged; by default that of the ruleset.
        occurrences: Option<usize>,
        /// Whether the explanation is in Chinese.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        chinese: bool,
    },
    /// Returns the rulings on the current position under every ruleset: `rulings`.
    RuleAll {
        /// The occurrence at which a repetition is judged; by default that of each ruleset.
        occurrences: Option<usize>,
        /// Whether the reasons are in Chinese.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        chinese: bool,
    },
    /// Returns the text and the issues of a position of placed pieces: `setup`.
    Arrange {
        /// The piece letters by square.
        pieces: std::collections::BTreeMap<String, char>,
        /// The side to move.
        #[cfg_attr(test, ts(as = "values::Side"))]
        side: usize,
        /// The position text of these pieces with the other side to move, whose castling rights are kept; without it
        /// all that are possible are given.
        before: Option<String>,
    },
    /// Returns the pieces and the issues of a position text, or of the position after pasted moves: `setup`.
    Examine {
        /// The text.
        fen: String,
        /// Whether errors are in Chinese.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        chinese: bool,
    },
    /// Imports a file of games or positions in any format, a position text or a list of moves in any dialect.
    /// Several games become a collection, and the first one is opened.
    Import {
        /// The pasted text.
        text: String,
        /// Whether each character of the text is a byte of a file that is not UTF-8.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        bytes: bool,
        /// The game of a position or a list of moves; by default that of the open game.
        game: Option<String>,
        /// Whether errors of a record file are in Chinese.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        chinese: bool,
        /// The name of the collection of several games.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        name: String,
    },
    /// Returns the game as PGN, with comments and scores: `text`.
    Export {
        /// The id of a tree node: only the line to it is returned; by default the whole game.
        node: Option<usize>,
        /// Whether the marks and the scores of the review are written, too.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        review: bool,
    },
    /// A request about collections and lists of games: `library`.
    Library(LibraryRequest),
}

/// The options of a new game.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(Serialize, ts_rs::TS), ts(optional_fields = nullable))]
pub struct NewGame {
    /// The name of the game.
    pub game: String,
    /// The start position; by default that of the game.
    pub fen: Option<String>,
    /// The names of the issues to waive.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub waive: Vec<String>,
    /// The moves to play first.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub moves: Vec<String>,
    /// The person's side; null in analysis.
    #[cfg_attr(test, ts(as = "Option<values::Side>"))]
    pub person: Option<usize>,
    /// Whether two people play at one screen.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub two_people: bool,
    /// The skill level of the computer; by default a low one.
    pub level: Option<u32>,
    /// The levels of both sides, if the computer plays against itself.
    pub levels: Option<[u32; 2]>,
    /// The external engine that plays against the person; by default the built-in one.
    pub engine: Option<String>,
    /// The time control of a timed game.
    pub clock: Option<TimeControlDto>,
    /// The ruleset; by default the first one of the game.
    pub ruleset: Option<String>,
}

/// The response to a [`RequestMessage`]; unused fields are omitted.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields, rename = "ServerResponse"))]
pub struct Response {
    /// The id of the request.
    pub id: u64,
    /// The error message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error message in Chinese.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_zh: Option<String>,
    /// The code of an error that the page words itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<ErrorCode>,
    /// The game that a pasted text belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<&'static str>,
    /// Whether a pasted text is a position whose issues can be waived in the setup.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub waivable: bool,
    /// Whether the computer's move comes from the opening book.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_book: bool,
    /// All games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameName>>,
    /// The external engines that can play the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engines: Option<Vec<String>>,
    /// Saved games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<SavedGame>>,
    /// Whether more saved games follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<bool>,
    /// The open game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameDto>,
    /// The appearance of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<AppearanceDto>,
    /// How often the open game was replaced by that of another window; beside `tree`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reloads: Option<u64>,
    /// All moves of the game, variations included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Vec<NodeDto>>,
    /// The moves that have changed since they were sent, instead of all moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<NodeDto>>,
    /// The ids of the removed moves.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<usize>,
    /// The edits that can be undone and redone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits: Option<EditsDto>,
    /// The edit that was undone or redone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<EditDto>,
    /// The id of the current tree node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The move that was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<MoveResultDto>,
    /// The moves on the way to the position, unless there are many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<MoveResultDto>>,
    /// The current position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionDto>,
    /// Whose turn it is; in every response with a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnDto>,
    /// The moves that the person may enter before the computer's reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub premoves: Option<Vec<TargetDto>>,
    /// The introduction to a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lessons: Option<Vec<LessonDto>>,
    /// The start positions of a game besides the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<StartsDto>,
    /// The explanations of the ends of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<Vec<EndLessonDto>>,
    /// The repetitions of which the reader says who must change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiz: Option<Vec<QuizLoopDto>>,
    /// A good move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The tactical marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tactical_marks: Option<Vec<TacticalMarkDto>>,
    /// The ruling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruling: Option<RulingDto>,
    /// The rulings under every ruleset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rulings: Option<Vec<RulingSummaryDto>>,
    /// The position of a setup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<SetupDto>,
    /// The exported text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The collection that an import of several games has made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportProgress>,
    /// What a request of the library returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<LibraryResponse>,
    /// The review of the game; null if it was not reviewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<Option<ReviewDto>>,
    /// The judgement on a tried move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial: Option<TrialDto>,
    /// The annotation marks that can be entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nags: Option<Vec<NagDto>>,
    /// Positions to be drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagrams: Option<Vec<DiagramDto>>,
    /// Positions of the game with their moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<Vec<TreePositionDto>>,
}

/// The open game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameDto {
    /// The id of the game.
    pub id: String,
    /// The name of the game.
    pub game: &'static str,
    /// The person's side; null in analysis.
    #[cfg_attr(test, ts(as = "Option<values::Side>"))]
    pub person: Option<usize>,
    /// Whether two people play at one screen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub two_people: bool,
    /// The skill level of the computer.
    pub level: u32,
    /// The levels of both sides, if the computer plays against itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub levels: Option<[u32; 2]>,
    /// The external engine that plays against the person, or played last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// Whether the computer's moves wait until a person lets the game go on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// The side that resigned.
    #[cfg_attr(test, ts(as = "Option<values::Side>"))]
    pub resigned: Option<usize>,
    /// The dialects, the default first.
    pub dialects: Vec<&'static str>,
    /// The names of the dialects in English.
    pub dialects_en: Vec<&'static str>,
    /// The names of the dialects in Chinese.
    pub dialects_zh: Vec<&'static str>,
    /// The same move in each dialect.
    pub samples: Vec<String>,
    /// The rulesets; empty if there is only one.
    pub rulesets: Vec<RulesetDto>,
    /// The chosen ruleset.
    pub ruleset: Option<String>,
    /// The chosen dialect.
    pub dialect: String,
    /// The default dialect for readers of English.
    pub dialect_en: &'static str,
    /// The default dialect for readers of Chinese, if there is one.
    pub dialect_zh: Option<&'static str>,
    /// The tags: names and values, in their order.
    pub tags: Vec<(String, String)>,
    /// The final score of a game that is won by counting pieces, such as 40 to 24 discs; absent in other games, and if
    /// the main line does not end the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub score: Option<[usize; 2]>,
    /// The start position as text.
    pub start: String,
    /// The side that moves first: 0 or 1.
    #[cfg_attr(test, ts(as = "values::Side"))]
    pub first: usize,
    /// The number of the first move.
    pub number: u32,
}

/// A position of the setup.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SetupDto {
    /// The position text.
    pub fen: String,
    /// The issues of the position.
    pub issues: Vec<IssueDto>,
    /// The piece letters by square, if the request has a text.
    pub pieces: Option<std::collections::BTreeMap<String, char>>,
    /// The side to move, if the request has a text.
    #[cfg_attr(test, ts(as = "Option<values::Side>"))]
    pub side: Option<usize>,
}

/// A message that is not a response.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ServerEvent {
    /// The search is queued.
    Waiting {
        /// The id of the request.
        of: u64,
    },
    /// Search info of an analysis or of the computer's reply.
    Thought(SearchInfoDto),
    /// The search has failed; the response follows, with the best move found so far or any legal move.
    Failed {
        /// The id of the request.
        of: u64,
    },
    /// A position of the game was evaluated.
    Reviewed {
        /// The id of the request.
        of: u64,
        /// The id of the tree node.
        node: usize,
        /// The score of the position.
        score: ScoreDto,
        /// The best move in the default dialect.
        best: Option<String>,
    },
    /// Another window has changed the game, or a flag has fallen. With `nodes` only their scores are new, or the review
    /// is.
    Changed(Box<Response>),
    /// The computer has replied: as the response to `play`, or an error. A page that shows another position stays there
    /// and gets no `step`.
    Replied(Box<Response>),
    /// Whose turn it is has changed, without a response that says it.
    Turn(TurnDto),
    /// Changes cannot be saved, or can be again; or the file of saved games is another one.
    Storage(StorageDto),
}

/// The state of the saved games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct StorageDto {
    /// Whether changes of the open game are in memory alone.
    pub unsaved: bool,
    /// What has happened, and what to do; absent when everything is saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The same in Chinese.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_zh: Option<String>,
}

/// Search info.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchInfoDto {
    /// The id of the request.
    pub of: u64,
    /// The id of the tree node that is searched.
    pub node: usize,
    /// The rank of the line, from 1 (MultiPV).
    pub rank: u32,
    /// The depth in plies.
    pub depth: u32,
    /// The score of the line.
    pub score: ScoreDto,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The time since the start of the search, in seconds.
    pub seconds: f64,
    /// The principal variation in the default dialect.
    pub line: Vec<String>,
    /// The principal variation in the chosen dialect.
    pub labels: Vec<String>,
    /// How sure the score is as that of the end of the game, as a percentage: 100 is exact, less is the score of a
    /// selective search. Absent from a search that does not reach the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub confidence: Option<u8>,
    /// Whether the first move of the line is in the opening book.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub book: bool,
    /// If the line is what the opponent would play after a pass of the side to move: the squares of its first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub threat_squares: Option<Vec<String>>,
}
