//! Requests and answers as JSON.

// A module for the player alone has no boards and uses little of this.
#![cfg_attr(not(feature = "boards"), allow(dead_code))]

use alfil_session::{BoardChange, GameEnd, Ruling, RulingAttack, Target, format_result};
use serde::{Deserialize, Serialize};

/// The request of a call: its name and arguments, of which each call reads its own.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Request {
    /// The name of the call.
    pub(crate) call: String,
    /// The number of the object.
    pub(crate) id: u32,
    pub(crate) game: Option<String>,
    pub(crate) fen: Option<String>,
    pub(crate) waive: Vec<String>,
    pub(crate) number: Option<u32>,
    pub(crate) text: Option<String>,
    pub(crate) moves: Vec<String>,
    pub(crate) notation: Option<String>,
    pub(crate) square: Option<String>,
    pub(crate) rules: Option<String>,
    pub(crate) occurrences: Option<usize>,
    pub(crate) language: Option<String>,
    #[cfg(feature = "pictures")]
    pub(crate) style: Option<String>,
    pub(crate) depth: Option<u32>,
    #[cfg(feature = "engine")]
    pub(crate) hash: Option<usize>,
    #[cfg(feature = "engine")]
    pub(crate) outcome_only: bool,
    #[cfg(feature = "engine")]
    pub(crate) limits: Limits,
    #[cfg(feature = "records")]
    pub(crate) tags: Vec<(String, String)>,
    /// Comments by the texts of their positions.
    #[cfg(feature = "records")]
    pub(crate) comments: Vec<(String, String)>,
    #[cfg(feature = "records")]
    pub(crate) result: Option<String>,
    #[cfg(feature = "records")]
    pub(crate) format: Option<String>,
    #[cfg(feature = "records")]
    pub(crate) ids: Vec<u32>,
}

/// The limits of a search; times in milliseconds.
#[cfg(feature = "engine")]
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<f64>,
    pub(crate) mate: Option<u32>,
    pub(crate) clock: Option<f64>,
    pub(crate) increment: Option<f64>,
    pub(crate) moves_to_go: Option<u32>,
    pub(crate) level: Option<u32>,
    pub(crate) seed: u64,
    pub(crate) multipv: Option<usize>,
    pub(crate) root_moves: Option<Vec<String>>,
}

/// A move with what a user interface shows of it.
#[derive(Debug, Serialize)]
pub(crate) struct MoveAnswer {
    pub(crate) color: char,
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
    pub(crate) piece: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) captured: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) promotion: Option<char>,
    pub(crate) san: String,
    pub(crate) lan: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// A piece on its square.
#[derive(Debug, Serialize)]
pub(crate) struct PieceAnswer {
    pub(crate) square: String,
    pub(crate) letter: char,
    #[serde(rename = "type")]
    pub(crate) kind: char,
    pub(crate) color: char,
}

/// A move as the board element takes it.
#[derive(Debug, Serialize)]
pub(crate) struct TargetAnswer {
    from: Option<String>,
    to: Option<String>,
    text: String,
    script: Vec<ChangeAnswer>,
    choice: Option<char>,
}

/// A change of the board during a move.
#[derive(Debug, Serialize)]
struct ChangeAnswer {
    #[serde(rename = "do")]
    action: &'static str,
    square: String,
    piece: char,
}

impl From<BoardChange> for ChangeAnswer {
    fn from(change: BoardChange) -> Self {
        let (action, square, piece) = match change {
            BoardChange::Put(square, piece) => ("put", square, piece),
            BoardChange::Remove(square, piece) => ("lift", square, piece),
            BoardChange::Flip(square, piece) => ("turn", square, piece),
        };
        ChangeAnswer { action, square, piece }
    }
}

impl From<Target> for TargetAnswer {
    fn from(target: Target) -> Self {
        TargetAnswer {
            from: target.from,
            to: target.to,
            text: target.text,
            script: target.board_changes.into_iter().map(ChangeAnswer::from).collect(),
            choice: target.promotion,
        }
    }
}

/// The end of a game.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndAnswer {
    winner: Option<char>,
    result: &'static str,
    margin: i32,
    cause: String,
    message: String,
    message_zh: String,
}

impl EndAnswer {
    pub(crate) fn new(winner: Option<char>, end: GameEnd) -> Self {
        EndAnswer {
            winner,
            result: format_result(Some(end.outcome)),
            margin: end.margin,
            cause: end.cause,
            message: end.message,
            message_zh: end.message_zh,
        }
    }
}

/// An issue of a position text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IssueAnswer {
    pub(crate) name: &'static str,
    pub(crate) message: String,
    pub(crate) is_waivable: bool,
}

/// A move that a ruleset refuses.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RefusedAnswer {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) lan: String,
    pub(crate) cause: String,
    pub(crate) limit: usize,
    pub(crate) reason: String,
    pub(crate) reason_zh: String,
}

/// A ruling with its reasons.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RulingAnswer {
    rules: &'static str,
    winner: Option<char>,
    result: &'static str,
    cause: String,
    verdict: &'static str,
    heading: String,
    repetition: Option<(usize, usize)>,
    plies: Vec<PlyAnswer>,
    explanation: Vec<String>,
    alternatives: Vec<String>,
    disputed: Vec<String>,
}

/// A move of the repetition.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PlyAnswer {
    number: usize,
    #[serde(rename = "move")]
    mv: String,
    move_class: &'static str,
    victims: Vec<VictimAnswer>,
    attacks: Vec<AttackAnswer>,
}

/// A new attack, as squares.
#[derive(Debug, Serialize)]
struct AttackAnswer {
    attacker: String,
    victim: String,
    protectors: Vec<String>,
}

impl From<RulingAttack> for AttackAnswer {
    fn from(attack: RulingAttack) -> Self {
        AttackAnswer { attacker: attack.attacker, victim: attack.victim, protectors: attack.protectors }
    }
}

/// A piece that a move newly attacks.
#[derive(Debug, Serialize)]
struct VictimAnswer {
    piece: String,
    square: String,
}

impl RulingAnswer {
    pub(crate) fn new(winner: Option<char>, ruling: Ruling) -> Self {
        let plies = ruling.plies.into_iter().map(|ply| PlyAnswer {
            number: ply.number,
            mv: ply.mv,
            move_class: ply.move_class,
            victims: ply.victims.into_iter().map(|(piece, square)| VictimAnswer { piece, square }).collect(),
            attacks: ply.attacks.into_iter().map(AttackAnswer::from).collect(),
        });
        RulingAnswer {
            rules: ruling.ruleset,
            winner,
            result: format_result(ruling.outcome),
            cause: ruling.cause,
            verdict: ruling.verdict_label,
            heading: ruling.heading,
            repetition: ruling.repetition_plies,
            plies: plies.collect(),
            explanation: ruling.explanation,
            alternatives: ruling.alternatives,
            disputed: ruling.disputed_notes,
        }
    }
}
