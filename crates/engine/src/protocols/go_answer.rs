//! The answer to a `go` of UCI or UCCI, which may have to wait for a command; and moves in ICCS.

use std::time::Duration;

use alfil_session::TimeBudget;

/// The time for a move if no limit of a `go` can be read: the GUI waits for an answer.
const FALLBACK_MOVE_TIME: Duration = Duration::from_secs(1);

/// Returns the time budget of a `go`, and whether the search has a limit, so that it answers by itself. If there is no
/// limit because of an issue, the search takes a second. `has_limit` is set by a time budget, too; `infinite` requests
/// a search without a limit.
pub(crate) fn resolve_limits(
    time_budget: Option<TimeBudget>,
    has_limit: bool,
    infinite: bool,
    has_issue: bool,
) -> (Option<TimeBudget>, bool) {
    let needs_fallback = !has_limit && !infinite && has_issue;
    let fallback = needs_fallback.then(|| TimeBudget::exact(FALLBACK_MOVE_TIME));
    (time_budget.or(fallback), !infinite && (has_limit || needs_fallback))
}

/// The command that a best move waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerAfter {
    Stop,
    PonderHit,
}

/// The best move of a search that ends before the GUI expects it.
#[derive(Debug, Default)]
pub(crate) struct DeferredAnswer {
    answer_after: Option<AnswerAfter>,
    /// The best move that waits.
    best: Option<Option<String>>,
}

impl DeferredAnswer {
    /// Prepares for the best move of a search: without a limit it waits for `stop`, and while the search ponders for
    /// `ponderhit` or `stop`.
    pub(crate) fn start_search(&mut self, is_limited: bool, ponder: bool) {
        self.best = None;
        self.answer_after = match (is_limited, ponder) {
            (false, _) => Some(AnswerAfter::Stop),
            (true, true) => Some(AnswerAfter::PonderHit),
            (true, false) => None,
        };
    }

    /// Receives the best move of the search. Returns it if it need not wait.
    pub(crate) fn on_best_move(&mut self, best: Option<String>) -> Option<Option<String>> {
        match self.answer_after {
            Some(_) => {
                self.best = Some(best);
                None
            }
            None => Some(best),
        }
    }

    /// Returns whether the best move must wait for `ponderhit`.
    pub(crate) fn is_pondering(&self) -> bool {
        self.answer_after == Some(AnswerAfter::PonderHit)
    }

    /// Returns whether a best move waits.
    pub(crate) fn is_waiting(&self) -> bool {
        self.best.is_some()
    }

    /// Returns the best move that waits, if there is one. A later one need not wait.
    pub(crate) fn take(&mut self) -> Option<Option<String>> {
        self.answer_after = None;
        self.best.take()
    }
}

/// Normalises a move that may be in ICCS: it has a hyphen and upper-case letters, but the same square names.
pub(crate) fn normalise_iccs(text: &str) -> String {
    text.replace('-', "").to_ascii_lowercase()
}
