//! The stored form of games: the JSON of the database, in types of its own. Field names must not change, because old
//! databases are read. A game is a row, and each of its moves another, so that a move costs what it adds.

mod edits;
mod packed_tree;

use std::time::Duration;

use alfil_kernel::Side;
use alfil_session::game_clock::{ClockSnapshot, TimeControl};
use alfil_session::game_phase::GamePhase;
use alfil_session::played_game::{
    AnnotatedMove, AnnotatedNode, Computer, GameRecord, NodeReview, NodeScore, Player, Players, TreeClock,
};
use alfil_session::{MoveTree, SessionError, TreeNode};
use serde::{Deserialize, Serialize};

use crate::opponents::{Opponents, validate_side};

pub use edits::StoredEdits;
pub use packed_tree::{pack_tree, unpack_tree};

/// The stored form of a game without its moves.
///
/// ```
/// use alfil_page::{StoredGame, pack_tree, unpack_tree};
/// use alfil_session::played_game::{GameRecord, ROOT};
///
/// let mut record = GameRecord::new("chess");
/// record.tree.add_move(ROOT, "e2e4");
/// let (stored, moves) = (StoredGame::from(&record), pack_tree(&record.tree).unwrap());
/// let loaded = stored.into_record(unpack_tree(&moves).unwrap()).unwrap();
/// assert_eq!((loaded.game.as_str(), loaded.tree.move_count()), ("chess", 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredGame {
    game: String,
    start: String,
    /// The person's side; `None` in analysis.
    person: Option<usize>,
    /// Whether two people play at one screen; games that were stored before have it not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    two_people: bool,
    level: u32,
    resigned: Option<usize>,
    dialect: Option<String>,
    #[serde(rename = "book", default, skip_serializing_if = "Option::is_none")]
    ruleset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<StoredClock>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    /// The external engine that plays against the person, or played last; games that were stored before have it not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    /// Both sides of a game of the computer against itself, which is an analysis for versions that do not know them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    computers: Option<[StoredComputer; 2]>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    paused: bool,
}

/// The stored form of the computer as a player of a game against itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredComputer {
    level: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
}

impl From<&Computer> for StoredComputer {
    fn from(computer: &Computer) -> Self {
        StoredComputer { level: computer.level, engine: computer.engine.clone() }
    }
}

impl From<StoredComputer> for Computer {
    fn from(stored: StoredComputer) -> Self {
        Computer { level: stored.level, engine: stored.engine }
    }
}

/// The stored form of a node of the tree of moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredNode {
    parent: usize,
    text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    clocks: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<StoredScore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    children: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<StoredReview>,
}

/// The stored form of what a review has found about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredReview {
    score: StoredScore,
    /// The probabilities of a win of the first side, a draw and a win of the second side, in permille.
    wdl: [u32; 3],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second: Option<[u32; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    phase: String,
    nodes: u64,
}

impl From<&NodeReview> for StoredReview {
    fn from(review: &NodeReview) -> Self {
        StoredReview {
            score: review.score.into(),
            wdl: review.wdl,
            second: review.second_wdl,
            best: review.best.clone(),
            phase: review.phase.name().to_owned(),
            nodes: review.nodes,
        }
    }
}

impl StoredReview {
    /// Returns the review; `None` if its phase or its probabilities are of another version.
    fn into_review(self) -> Option<NodeReview> {
        let is_whole =
            |wdl: &[u32; 3]| wdl.iter().all(|part| *part <= 1000) && wdl.iter().sum::<u32>() == 1000;
        let phase = GamePhase::from_name(&self.phase)?;
        let is_valid = is_whole(&self.wdl) && self.second.as_ref().is_none_or(is_whole);
        is_valid.then_some(NodeReview {
            score: self.score.into(),
            wdl: self.wdl,
            second_wdl: self.second,
            best: self.best,
            best_label: None,
            phase,
            nodes: self.nodes,
        })
    }
}

impl From<NodeScore> for StoredScore {
    fn from(NodeScore { value, mate, is_exact: exact }: NodeScore) -> Self {
        StoredScore { value, mate, exact }
    }
}

impl From<StoredScore> for NodeScore {
    fn from(StoredScore { value, mate, exact }: StoredScore) -> Self {
        NodeScore { value, mate, is_exact: exact }
    }
}

/// The stored form of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredScore {
    value: i32,
    mate: Option<i32>,
    /// Whether it is the solved score of the end of the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    exact: bool,
}

/// The stored form of a clock, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredClock {
    pace: StoredTimeControl,
    left: [u64; 2],
    running: Option<usize>,
    flagged: Option<usize>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    drawn: bool,
    #[serde(default)]
    node: usize,
}

/// The stored form of a time control, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredTimeControl {
    base: u64,
    increment: u64,
}

/// Converts a time to milliseconds, rounded up, so that 0 means that the time is used up.
pub(crate) fn to_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

impl From<&GameRecord> for StoredGame {
    fn from(record: &GameRecord) -> Self {
        StoredGame {
            game: record.game.clone(),
            start: record.start.clone(),
            person: record.person().map(Side::index),
            two_people: record.has_two_people(),
            level: record.level,
            resigned: record.resigned.map(Side::index),
            dialect: record.dialect.clone(),
            ruleset: record.ruleset.clone(),
            clock: record.clock.as_ref().map(StoredClock::from),
            tags: record.tags.clone(),
            engine: record.engine.clone(),
            computers: record.computers().map(|computers| computers.map(StoredComputer::from)),
            paused: record.paused,
        }
    }
}

impl StoredGame {
    /// Returns the players of both sides.
    ///
    /// # Errors
    /// If a side does not exist.
    fn players(&self) -> Result<Players, SessionError> {
        Ok(match (validate_side(self.person)?, &self.computers) {
            (Some(person), _) => {
                let computer = Computer { level: self.level, engine: self.engine.clone() };
                Player::against_computer(person, computer)
            }
            (None, _) if self.two_people => Player::two_people(),
            (None, Some(computers)) => Player::two_computers(computers.clone().map(Computer::from)),
            (None, None) => None,
        })
    }

    /// Returns the tags of the game.
    pub(crate) fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Returns who plays the game.
    pub(crate) fn opponents(&self) -> Opponents {
        let &StoredGame { person, two_people, level, .. } = self;
        Opponents { person, two_people, level }
    }

    /// Returns the game with its moves; `nodes` are the nodes of the tree by number.
    ///
    /// ```
    /// use alfil_page::{StoredGame, unpack_tree};
    /// use alfil_session::played_game::GameRecord;
    ///
    /// let stored = StoredGame::from(&GameRecord::new("chess"));
    /// let record = stored.clone().into_record(unpack_tree(r#"["","e2e4","e7e5"]"#)?).unwrap();
    /// assert_eq!(record.main_line_plies(), 2);
    /// // No move is stored: not even the start position.
    /// assert!(stored.into_record(Vec::new()).is_err());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a side does not exist, or the nodes are not linked as in a tree.
    pub fn into_record(self, nodes: Vec<Option<StoredNode>>) -> Result<GameRecord, SessionError> {
        let tree =
            MoveTree::from_nodes(nodes.into_iter().map(|node| node.map(AnnotatedNode::from)).collect());
        if !tree.is_valid() {
            return Err(SessionError::new("the moves of this saved game are damaged")
                .with_chinese("此局所存的着法已损坏"));
        }
        Ok(GameRecord {
            players: self.players()?,
            game: self.game,
            start: self.start,
            level: self.level,
            engine: self.engine,
            paused: self.paused,
            resigned: validate_side(self.resigned)?,
            dialect: self.dialect,
            ruleset: self.ruleset,
            clock: self.clock.map(TreeClock::try_from).transpose()?,
            tags: self.tags,
            tree: tree.into(),
        })
    }
}

impl From<&AnnotatedNode> for StoredNode {
    fn from(node: &AnnotatedNode) -> Self {
        StoredNode {
            parent: node.parent(),
            text: node.text.clone(),
            comment: node.comment.clone(),
            nags: node.nags.clone(),
            clocks: node.clocks.clone(),
            score: node.score.map(StoredScore::from),
            best: node.best.clone(),
            children: node.children().to_vec(),
            review: node.review.as_ref().map(StoredReview::from),
        }
    }
}

impl From<StoredNode> for AnnotatedNode {
    fn from(stored: StoredNode) -> Self {
        let mv = AnnotatedMove {
            text: stored.text,
            comment: stored.comment,
            nags: stored.nags,
            clocks: stored.clocks,
            score: stored.score.map(NodeScore::from),
            best: stored.best,
            label: None,
            review: stored.review.and_then(StoredReview::into_review),
        };
        TreeNode::new(stored.parent, &stored.children, mv)
    }
}

impl TryFrom<StoredClock> for TreeClock {
    type Error = SessionError;

    fn try_from(stored: StoredClock) -> Result<Self, SessionError> {
        let snapshot = ClockSnapshot {
            time_control: TimeControl {
                base: Duration::from_millis(stored.pace.base),
                increment: Duration::from_millis(stored.pace.increment),
            },
            remaining: stored.left.map(Duration::from_millis),
            running: validate_side(stored.running)?,
            flagged: validate_side(stored.flagged)?,
        };
        Ok(TreeClock { game_clock: snapshot.into(), node: stored.node, drawn: stored.drawn })
    }
}

impl From<&TreeClock> for StoredClock {
    fn from(clock: &TreeClock) -> Self {
        let ClockSnapshot { time_control, remaining, running, flagged } = *clock.game_clock.snapshot();
        StoredClock {
            pace: StoredTimeControl {
                base: to_milliseconds(time_control.base),
                increment: to_milliseconds(time_control.increment),
            },
            left: remaining.map(to_milliseconds),
            running: running.map(Side::index),
            flagged: flagged.map(Side::index),
            drawn: clock.drawn,
            node: clock.node,
        }
    }
}

#[cfg(test)]
mod tests {
    use alfil_session::played_game::ROOT;

    use super::*;

    /// A game of version 0.1.0 with every field, and its moves.
    const OLD_GAME: &str = r#"{"game":"xiangqi","start":"startpos","person":0,"level":3,"resigned":null,"dialect":"chinese","book":"wxf2018","clock":{"pace":{"base":300000,"increment":3000},"left":[296001,293000],"running":0,"flagged":null,"node":2},"tags":[["Red","A"]]}"#;
    const OLD_NODES: [&str; 3] = [
        r#"{"parent":0,"text":"","children":[1]}"#,
        r#"{"parent":0,"text":"h2e2","comment":"good","nags":[1],"clocks":"[%clk 0:03:00]","score":{"value":42,"mate":null},"best":"h9g7","children":[2]}"#,
        r#"{"parent":1,"text":"h9g7"}"#,
    ];

    #[test]
    fn games_of_old_databases_are_read_and_written_unchanged() {
        let minimal =
            r#"{"game":"chess","start":"startpos","person":null,"level":1,"resigned":1,"dialect":null}"#;
        for json in [OLD_GAME, minimal] {
            let nodes = OLD_NODES.map(|node| Some(serde_json::from_str::<StoredNode>(node).unwrap()));
            let stored = serde_json::from_str::<StoredGame>(json).unwrap();
            let record = stored.into_record(nodes.to_vec()).unwrap();
            assert!(record.tree.is_valid());
            assert_eq!(serde_json::to_string(&StoredGame::from(&record)).unwrap(), json);
            let nodes = record.tree.iter().map(|(_, node)| StoredNode::from(node));
            let written: Vec<_> = nodes.map(|node| serde_json::to_string(&node).unwrap()).collect();
            assert_eq!(written, OLD_NODES);
        }
    }

    #[test]
    fn players_are_read_and_written_unchanged() {
        let game = |person: &str, rest: &str| {
            format!(r#"{{"game":"chess","start":"startpos","person":{person},{rest}}}"#)
        };
        for (json, expected) in [
            (
                game("1", r#""level":3,"resigned":null,"dialect":null,"engine":"fish""#),
                Player::against_computer(Side::Second, Computer { level: 3, engine: Some("fish".into()) }),
            ),
            (
                game("null", r#""two_people":true,"level":3,"resigned":null,"dialect":null"#),
                Player::two_people(),
            ),
            (
                game(
                    "null",
                    concat!(
                        r#""level":3,"resigned":null,"dialect":null,"#,
                        r#""computers":[{"level":2},{"level":9,"engine":"fish"}],"paused":true"#
                    ),
                ),
                Player::two_computers([Computer::new(2), Computer { level: 9, engine: Some("fish".into()) }]),
            ),
        ] {
            let stored = serde_json::from_str::<StoredGame>(&json).unwrap();
            let root = serde_json::from_str::<StoredNode>(r#"{"parent":0,"text":""}"#).unwrap();
            let record = stored.into_record(vec![Some(root)]).unwrap();
            assert_eq!((&record.players, record.paused), (&expected, json.contains("paused")));
            assert_eq!(serde_json::to_string(&StoredGame::from(&record)).unwrap(), json);
        }
    }

    #[test]
    fn a_review_is_kept_and_one_of_another_version_is_left_out() {
        let review = r#""review":{"score":{"value":-29997,"mate":-3},"wdl":[0,0,1000],"second":[0,100,900],"best":"h9g7","phase":"middlegame","nodes":100000}"#;
        let json = format!(r#"{{"parent":0,"text":"h2e2",{review}}}"#);
        let read = |json: &str| AnnotatedNode::from(serde_json::from_str::<StoredNode>(json).unwrap());
        let node = read(&json);
        assert_eq!(serde_json::to_string(&StoredNode::from(&node)).unwrap(), json);
        assert_eq!(node.known_score().unwrap().mate, Some(-3));
        for changed in [json.replace("middlegame", "evening"), json.replace("1000", "999")] {
            assert_eq!(read(&changed).review, None, "{changed}");
        }
    }

    #[test]
    fn stored_clocks_are_read_and_written_unchanged() {
        let read = |text: &str| TreeClock::try_from(serde_json::from_str::<StoredClock>(text).unwrap());
        for stored in [
            r#"{"pace":{"base":300000,"increment":3000},"left":[296001,293000],"running":0,"flagged":null,"node":2}"#,
            r#"{"pace":{"base":1000,"increment":0},"left":[1000,0],"running":null,"flagged":1,"drawn":true,"node":7}"#,
        ] {
            let clock = read(stored).unwrap();
            assert_eq!(serde_json::to_string(&StoredClock::from(&clock)).unwrap(), stored);
        }
        // Old clocks have no node.
        let minimal = r#"{"pace":{"base":1000,"increment":0},"left":[1000,500],"running":1,"flagged":null}"#;
        let mut clock = read(minimal).unwrap();
        assert_eq!((clock.node, clock.drawn), (ROOT, false));
        let now = Duration::from_secs(100);
        let milliseconds =
            |clock: &TreeClock, now| to_milliseconds(clock.game_clock.remaining(Side::Second, now));
        assert_eq!(milliseconds(&clock, now + Duration::from_secs(9)), 500);
        clock.game_clock.resume(now);
        // Milliseconds are rounded up.
        assert_eq!(milliseconds(&clock, now + Duration::from_micros(499_100)), 1);
        let error = read(&minimal.replace("\"running\":1", "\"running\":2")).unwrap_err().to_string();
        assert!(error.contains("no side 2"), "{error}");
    }
}
