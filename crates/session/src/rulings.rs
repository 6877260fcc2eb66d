//! Rulings on repetitions as plain data: what every move of the repetition does, under which ruleset, and why a side
//! loses. The games that have rulesets make them.

use alfil_kernel::{Outcome, Side};

use crate::game_session::GameSession;
use crate::session_error::SessionError;

/// The options of a ruling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulingRequest {
    /// The name of the ruleset; `None` for the one for play between people.
    pub ruleset: Option<String>,
    /// The occurrence at which a repetition is judged, if not that of the ruleset.
    pub occurrences: Option<usize>,
    /// Whether the explanation is in Chinese instead of English.
    pub in_chinese: bool,
    /// The dialect of the moves; `None` for the default.
    pub dialect: Option<String>,
}

/// The name of a newly attacked piece, and its square.
pub type Victim = (String, String);

/// An attack that a move of the repetition makes, as squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulingAttack {
    /// The attacker after the move.
    pub attacker: String,
    /// The attacked piece.
    pub victim: String,
    /// The pieces that could take back.
    pub protectors: Vec<String>,
}

/// A move of the repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulingPly {
    /// The ply number in the game, from 1.
    pub number: usize,
    /// The move in the requested dialect.
    pub mv: String,
    /// `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`: see
    /// [`MoveClass`](alfil_xiangqi::rules::MoveClass).
    pub move_class: &'static str,
    /// The pieces that the move newly attacks with profit.
    pub victims: Vec<Victim>,
    /// The new attacks.
    pub attacks: Vec<RulingAttack>,
    /// How many plies the searches about the move looked ahead; 0 under rulesets that do not search.
    pub searched_plies: u32,
}

/// A verdict with its reasons.
///
/// ```
/// use alfil_kernel::Waivers;
/// use alfil_session::{RulingRequest, registry};
///
/// let mut session = registry::open("xiangqi", None)?;
/// session.open("3k5/9/9/9/9/9/9/9/4r4/R3K4 w - - 0 1", &Waivers::None)?;
/// let ruling = session.ruling(&RulingRequest { ruleset: Some("cxa2020".into()), ..RulingRequest::default() })?;
/// assert_eq!((ruling.ruleset, ruling.outcome, ruling.cause.as_str()), ("cxa2020", None, "none"));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The name of the ruleset.
    pub ruleset: &'static str,
    /// The verdict; `None` if the game continues.
    pub outcome: Option<Outcome>,
    /// The side that must play another move: the one that loses by the repetition, or whose moves the ruleset refuses.
    pub must_change: Option<Side>,
    /// The cause in one word: `perpetual_chase`; `none` if the game continues.
    pub cause: String,
    /// The verdict in the requested language: `red_loses`, 红方判负.
    pub verdict_label: &'static str,
    /// The cause in the requested language: `perpetual_chase`, 长捉.
    pub cause_label: &'static str,
    /// Verdict and cause in one line for readers: `Red loses (perpetual chase)`.
    pub heading: String,
    /// The first and the last ply of the repetition, from 1.
    pub repetition_plies: Option<(usize, usize)>,
    /// The moves of the repetition.
    pub plies: Vec<RulingPly>,
    /// The verdict and its reasons, one sentence each.
    pub explanation: Vec<String>,
    /// The moves by which the offender could have avoided the loss, instead of its last move.
    pub alternatives: Vec<String>,
    /// The verdict of the ruleset and those of other readings, each with its reason; none if all agree.
    pub readings: Vec<(Outcome, String)>,
    /// The articles that the verdict rests on, where the text of the ruleset is known.
    pub articles: &'static [&'static str],
    /// What the ruleset is known from, in one word: `text`, `diagrams` or `measured`.
    pub evidence: &'static str,
    /// The alternatives as a sentence.
    pub alternatives_note: Option<String>,
    /// The disputed readings, one sentence each.
    pub disputed_notes: Vec<String>,
}

/// Rules on the current state of a game under every ruleset, in the order of [`GameSession::rulesets`]. The ruleset of
/// the request is not used.
///
/// ```
/// use alfil_session::{RulingRequest, registry, rulings};
///
/// let session = registry::open("xiangqi", None)?;
/// let all = rulings::rulings_under_all(&*session, &RulingRequest::default())?;
/// assert_eq!(all.iter().map(|ruling| ruling.ruleset).collect::<Vec<_>>(), session.rulesets());
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if fewer than two occurrences are requested, or the game has no such dialect.
pub fn rulings_under_all(
    session: &dyn GameSession,
    request: &RulingRequest,
) -> Result<Vec<Ruling>, SessionError> {
    let under = |ruleset: &str| {
        session.ruling(&RulingRequest { ruleset: Some(ruleset.to_owned()), ..request.clone() })
    };
    session.rulesets().into_iter().map(under).collect()
}
