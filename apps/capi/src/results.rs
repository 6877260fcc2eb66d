//! Results as structures that C reads: fields are plain, texts and arrays belong to the structure.

use std::ffi::c_char;
use std::sync::Arc;

use alfil_kernel::{Bound, Outcome, Side};
use alfil_records::{AnnotatedScore, TextGame, TextMove, TreeNode};
use alfil_session::review::mate_moves;
use alfil_session::rulings::RulingAttack;
use alfil_session::{BoardGame, Ruling as SessionRuling, SearchReport, recorded_game};

use crate::arena::{Arena, Texts, give_owned};
use crate::handles::Kind;
use crate::moves::RawMove;
use crate::status::Error;

/// Who won.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// The game continues, or its result is unknown: `*`.
    Unknown = 0,
    /// The side with the first move won, White or Red, in Othello Black: `1-0`.
    FirstWins = 1,
    /// The other side won: `0-1`.
    SecondWins = 2,
    /// A draw: `1/2-1/2`.
    Draw = 3,
}

impl GameResult {
    /// Returns the outcome of a number of C; none for an unknown result.
    ///
    /// # Errors
    /// Returns an error if the number is no result.
    pub(crate) fn outcome_of_number(number: i32) -> Result<Option<Outcome>, Error> {
        let outcomes =
            [None, Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second)), Some(Outcome::Draw)];
        let found = outcomes.into_iter().find(|&outcome| GameResult::from(outcome) as i32 == number);
        let message = || format!("{number} is no result: choose one of alfil_game_result");
        found.ok_or_else(|| Error::argument(message()))
    }
}

impl From<Option<Outcome>> for GameResult {
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            None => GameResult::Unknown,
            Some(Outcome::Win(Side::First)) => GameResult::FirstWins,
            Some(Outcome::Win(Side::Second)) => GameResult::SecondWins,
            Some(Outcome::Draw) => GameResult::Draw,
        }
    }
}

/// Whether a score is exact.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The score is the value itself.
    Exact = 0,
    /// The value is this score or more.
    Lower = 1,
    /// The value is this score or less.
    Upper = 2,
}

impl From<Bound> for ScoreBound {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Exact => ScoreBound::Exact,
            Bound::Lower => ScoreBound::Lower,
            Bound::Upper => ScoreBound::Upper,
        }
    }
}

/// The report of a search after an iteration.
#[repr(C)]
#[derive(Debug)]
pub struct Report {
    /// The number of this line among several, from 1.
    pub multipv: u32,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The greatest depth reached in it, in plies.
    pub seldepth: u32,
    /// The score for the side to move: centipawns, in Othello hundredths of a disc.
    pub score: i32,
    /// The number of moves to a forced end; positive if the side to move wins, negative if it loses, 0 if none was
    /// found.
    pub mate: i32,
    /// The part of the table in use, in permille.
    pub hashfull: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time since the start, in milliseconds.
    pub time_ms: u64,
    /// The number of moves of the best line.
    pub pv_count: usize,
    /// The moves of the best line.
    pub pv: *const RawMove,
    /// The same in coordinates, separated by spaces.
    pub pv_text: *const c_char,
    /// Whether the score is exact. It may be a bound while the solver of Othello runs, and if an iteration is stopped.
    pub bound: ScoreBound,
}

/// A move of a repetition and what it does.
#[repr(C)]
#[derive(Debug)]
pub struct RulingPly {
    /// The number of the ply in the game, from 1.
    pub number: usize,
    /// The move in the requested notation.
    pub move_text: *const c_char,
    /// `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`.
    pub move_class: *const c_char,
    /// The pieces that the move newly attacks with profit, each with its square, separated by commas.
    pub victims: *const c_char,
    /// The new attacks, separated by commas: the squares of the attacker and of the attacked piece, and after a colon
    /// those of the pieces that could take back: `h2 h9: g7 i9`.
    pub attacks: *const c_char,
}

/// The verdict on a repetition with its reasons. Free it with `alfil_ruling_free`.
#[repr(C)]
#[derive(Debug)]
pub struct Ruling {
    /// Who wins, or a draw; unknown if the game continues.
    pub result: GameResult,
    /// The name of the ruleset.
    pub rules: *const c_char,
    /// The cause in one word: `perpetual_chase`; `none` if the game continues.
    pub cause: *const c_char,
    /// The verdict: `red_loses`, `black_loses`, `draw` or `none`, or in Chinese.
    pub verdict: *const c_char,
    /// Verdict and cause in one line.
    pub heading: *const c_char,
    /// The verdict and its reasons, a sentence each.
    pub explanation: Texts,
    /// The moves by which the offender could have avoided the loss, instead of its last move.
    pub alternatives: Texts,
    /// The verdict of the ruleset and those of other readings of disputed rules, a sentence each; none if all agree.
    pub disputed: Texts,
    /// The numbers of the first and the last ply of the repetition; 0 without one.
    pub first_ply: usize,
    /// See `first_ply`.
    pub last_ply: usize,
    /// The number of moves of the repetition.
    pub ply_count: usize,
    /// The moves of the repetition.
    pub plies: *const *const RulingPly,
}

/// The exact solution of a position of Othello. Free it with `alfil_solution_free`.
#[repr(C)]
#[derive(Debug)]
pub struct Solution {
    /// The final score for the side to move, in discs; 1, 0 or -1 if only the winner was requested.
    pub score: i32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of moves of the best line to the end of the game.
    pub pv_count: usize,
    /// The moves of the best line.
    pub pv: *const RawMove,
    /// The same in coordinates, separated by spaces.
    pub pv_text: *const c_char,
}

/// A tag of a game.
#[repr(C)]
#[derive(Debug)]
pub struct Tag {
    /// The name.
    pub name: *const c_char,
    /// The value.
    pub value: *const c_char,
}

/// The kind of the evaluation that a move of a file has.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalKind {
    /// There is none.
    None = 0,
    /// Centipawns for the first side.
    Centipawns = 1,
    /// The number of moves to mate; positive if the first side wins.
    Mate = 2,
}

/// A move of a game with its annotations. The node of index 0 is the start of the game.
#[repr(C)]
#[derive(Debug)]
pub struct Node {
    /// The index of the node before it; 0 at the start.
    pub parent: usize,
    /// The move in coordinates; `0000` is a null move. Empty at the start.
    pub move_text: *const c_char,
    /// The comment before the move, at the start of a variation; never NULL.
    pub comment_before: *const c_char,
    /// The comment after the move; never NULL.
    pub comment: *const c_char,
    /// The number of numeric annotation glyphs.
    pub nag_count: usize,
    /// The glyphs: 1 is `!`, 2 is `?`.
    pub nags: *const u8,
    /// The kind of the evaluation.
    pub eval_kind: EvalKind,
    /// The evaluation; 0 without one.
    pub eval: i32,
    /// The time left to the player who moved, in milliseconds; -1 if unknown.
    pub clock_ms: i64,
    /// The time spent on the move, in milliseconds; -1 if unknown.
    pub elapsed_ms: i64,
}

/// A game of a file. Free it with `alfil_game_free`.
#[repr(C)]
#[derive(Debug)]
pub struct Game {
    /// The name of the game: `xiangqi`, `chess` or `othello`; empty if nothing could be read.
    pub game: *const c_char,
    /// The number of the game in its file, from 1.
    pub number: u64,
    /// The byte offset of the game in its file; -1 in formats that are read as a whole.
    pub offset: i64,
    /// The result.
    pub result: GameResult,
    /// The text of the initial position; NULL for the start position of the game.
    pub start_fen: *const c_char,
    /// The place and reason of the error that ended the game; NULL if it was read to its end.
    pub error: *const c_char,
    /// The parts that were skipped in reading.
    pub warnings: Texts,
    /// The number of tags.
    pub tag_count: usize,
    /// The tags in the order of the file.
    pub tags: *const *const Tag,
    /// The number of nodes: the start and every move, variations included.
    pub node_count: usize,
    /// The nodes. A node follows its parent, and the main continuation precedes its alternatives.
    pub nodes: *const *const Node,
    /// The number of moves of the main line.
    pub main_line_count: usize,
    /// The indices of the nodes of the main line.
    pub main_line: *const usize,
}

/// Returns the number of a move in coordinates; 0 for a text that is none, which no search sends.
pub(crate) fn move_number(game: &dyn BoardGame, text: &str) -> RawMove {
    game.parse_coordinates(text).unwrap_or(0)
}

/// Gives C a report of a search.
pub(crate) fn give_report(report: &SearchReport, seconds: f64, game: &dyn BoardGame) -> *const Report {
    let SearchReport { pv, mate_plies, .. } = report;
    let mut arena = Arena::default();
    let view = Report {
        multipv: report.multipv,
        depth: report.depth,
        seldepth: report.seldepth,
        score: report.score,
        mate: mate_plies.map_or(0, mate_moves),
        hashfull: report.hashfull,
        nodes: report.nodes,
        time_ms: (seconds * 1000.0) as u64,
        pv_count: pv.len(),
        pv: arena.array(pv.iter().map(|text| move_number(game, text)).collect()),
        pv_text: arena.text(&pv.join(" ")),
        bound: report.bound.into(),
    };
    give_owned(view, arena, Kind::Report, Arc::new(()))
}

/// Gives C a solution.
pub(crate) fn give_solution(solution: &alfil_session::Solution, game: &dyn BoardGame) -> *const Solution {
    let mut arena = Arena::default();
    let view = Solution {
        score: solution.score,
        nodes: solution.nodes,
        pv_count: solution.pv.len(),
        pv: arena.array(solution.pv.iter().map(|text| move_number(game, text)).collect()),
        pv_text: arena.text(&solution.pv.join(" ")),
    };
    give_owned(view, arena, Kind::Solution, Arc::new(()))
}

fn attack_text(attack: &RulingAttack) -> String {
    let RulingAttack { attacker, victim, protectors } = attack;
    let protectors =
        if protectors.is_empty() { String::new() } else { format!(": {}", protectors.join(" ")) };
    format!("{attacker} {victim}{protectors}")
}

/// Gives C a ruling.
pub(crate) fn give_ruling(ruling: &SessionRuling) -> *const Ruling {
    let mut arena = Arena::default();
    let mut plies = Vec::new();
    for ply in &ruling.plies {
        let victims: Vec<_> = ply.victims.iter().map(|(name, square)| format!("{name} {square}")).collect();
        let attacks: Vec<_> = ply.attacks.iter().map(attack_text).collect();
        plies.push(RulingPly {
            number: ply.number,
            move_text: arena.text(&ply.mv),
            move_class: arena.text(ply.move_class),
            victims: arena.text(&victims.join(", ")),
            attacks: arena.text(&attacks.join(", ")),
        });
    }
    let (first_ply, last_ply) = ruling.repetition_plies.unwrap_or((0, 0));
    let view = Ruling {
        result: ruling.outcome.into(),
        rules: arena.text(ruling.ruleset),
        cause: arena.text(&ruling.cause),
        verdict: arena.text(ruling.verdict_label),
        heading: arena.text(&ruling.heading),
        explanation: arena.texts(&ruling.explanation),
        alternatives: arena.texts(&ruling.alternatives),
        disputed: arena.texts(&ruling.disputed_notes),
        first_ply,
        last_ply,
        ply_count: plies.len(),
        plies: arena.pointers(plies),
    };
    give_owned(view, arena, Kind::Ruling, Arc::new(()))
}

/// Gives C a game, with its place in a file.
pub(crate) fn give_game(game: TextGame, number: u64, offset: Option<u64>) -> *const Game {
    let mut arena = Arena::default();
    let tags: Vec<_> = game
        .tags
        .iter()
        .map(|(name, value)| Tag { name: arena.text(name), value: arena.text(value) })
        .collect();
    debug_assert!(game.moves.iter().zip(0..).all(|((number, _), index)| number == index));
    let nodes: Vec<_> = game.moves.iter().map(|(_, mv)| node(mv, &mut arena)).collect();
    let main_line: Vec<_> = game.moves.main_line().collect();
    let view = Game {
        game: arena.text(&game.game),
        number,
        offset: offset.map_or(-1, |offset| offset as i64),
        result: game.result.into(),
        start_fen: arena.optional_text(game.start.as_deref()),
        error: arena.optional_text(game.error.as_ref().map(ToString::to_string).as_deref()),
        warnings: arena.texts(game.warnings.iter().map(ToString::to_string)),
        tag_count: tags.len(),
        tags: arena.pointers(tags),
        node_count: nodes.len(),
        nodes: arena.pointers(nodes),
        main_line_count: main_line.len(),
        main_line: arena.array(main_line),
    };
    give_owned(view, arena, Kind::Game, Arc::new(game))
}

fn node(mv: &TreeNode<TextMove>, arena: &mut Arena) -> Node {
    let annotation = &mv.annotation;
    let (eval_kind, eval) = match annotation.eval.as_ref().map(|eval| &eval.score) {
        Some(AnnotatedScore::Centipawns(score)) => (EvalKind::Centipawns, *score),
        Some(AnnotatedScore::Mate(moves)) => (EvalKind::Mate, *moves),
        None => (EvalKind::None, 0),
    };
    let milliseconds = |time: Option<std::time::Duration>| {
        time.map_or(-1, |time| time.as_millis().min(i64::MAX as u128) as i64)
    };
    Node {
        parent: mv.parent(),
        move_text: arena.text(recorded_game::replace_null_move(&mv.text)),
        comment_before: arena.text(&annotation.comment_before),
        comment: arena.text(&annotation.comment_after),
        nag_count: annotation.nags.len(),
        nags: arena.array(annotation.nags.clone()),
        eval_kind,
        eval,
        clock_ms: milliseconds(annotation.clock),
        elapsed_ms: milliseconds(annotation.elapsed),
    }
}
