//! The processes of the external engines that `alfil serve` offers, by `--engine`.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alfil_engine::SearchObserver;
use alfil_matches::openings::Opening;
use alfil_matches::{MoveLimits, Player};
use alfil_server::{ExternalEngines, ExternalSearch};
use alfil_session::{GameSession, registry};

use crate::match_command::engine_arg::EngineArg;

/// How long an engine may take to become ready, or for a move beyond its time.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The external engines of the command line, with their processes.
pub(crate) struct ExternalEngineProcesses {
    engines: Vec<EngineArg>,
    /// For each engine, the processes that wait for a search. Two searches at a time need two processes.
    idle: Vec<Mutex<Vec<RunningEngine>>>,
}

impl std::fmt::Debug for ExternalEngineProcesses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.engines.iter().map(|engine| &engine.name)).finish()
    }
}

impl ExternalEngineProcesses {
    /// Creates the engines, whose processes are started by their first searches.
    ///
    /// # Errors
    /// If the page cannot offer an engine: it is the built-in one, has limits, or has the name of another one.
    pub(crate) fn new(engines: Vec<EngineArg>) -> Result<ExternalEngineProcesses, String> {
        for (index, engine) in engines.iter().enumerate() {
            let name = &engine.name;
            if !engine.is_external() {
                return Err(format!(
                    "engine {name}: it is the built-in engine, which the page has already; cmd= is missing"
                ));
            }
            if !engine.limits.is_unlimited() {
                return Err(format!(
                    "engine {name}: tc, movetime, nodes, softnodes and depth are for `alfil match`; the page chooses the \
                     time for each move"
                ));
            }
            if engines[..index].iter().any(|earlier| earlier.name == *name) {
                return Err(format!("two engines have the name {name}: give one of them another with name="));
            }
        }
        let idle = engines.iter().map(|_| Mutex::default()).collect();
        Ok(ExternalEngineProcesses { engines, idle })
    }

    /// Takes a process of an engine that waits, one that can go on from its last search if there is one, or makes one.
    fn take(&self, index: usize, session: &dyn GameSession, search: &EngineSearch) -> RunningEngine {
        let mut idle = self.idle[index].lock().unwrap_or_else(PoisonError::into_inner);
        let plays_game = |engine: &RunningEngine| engine.game == session.game();
        let found = idle
            .iter()
            .position(|engine| plays_game(engine) && !engine.needs_new_game(search))
            .or_else(|| idle.iter().position(plays_game));
        match found {
            Some(place) => idle.swap_remove(place),
            None => RunningEngine {
                game: session.game(),
                player: self.engines[index].new_player(session.info(), None, TIMEOUT),
                last_search: None,
            },
        }
    }
}

impl ExternalEngines for ExternalEngineProcesses {
    fn names(&self, game: &str) -> Vec<String> {
        let Some(entry) = registry::GAMES.iter().find(|entry| entry.info.name() == game) else {
            return Vec::new();
        };
        let can_play = |engine: &&EngineArg| engine.unsupported_reason(entry, false).is_none();
        self.engines.iter().filter(can_play).map(|engine| engine.name.clone()).collect()
    }

    fn choose_move(
        &self,
        name: &str,
        requested: &ExternalSearch,
        observer: &mut dyn SearchObserver,
    ) -> Result<Option<String>, String> {
        let Some(index) = self.engines.iter().position(|engine| engine.name == name) else {
            return Err("the server has no engine of this name".into());
        };
        let session = requested.session.as_ref();
        let mut search = EngineSearch {
            opening: Opening { start: requested.start.clone(), moves: Vec::new() },
            moves: session.played_moves(None).map_err(|error| error.message)?,
            limits: MoveLimits {
                move_time: Some(requested.time),
                multipv: Some(requested.multipv),
                ..MoveLimits::default()
            },
        };
        let mut engine = self.take(index, session, &search);
        let EngineSearch { opening, limits, .. } = &search;
        if engine.needs_new_game(&search) {
            engine.player.new_game(session, opening, limits).map_err(|failure| failure.message)?;
        }
        let wait = Some(requested.time + TIMEOUT);
        let chosen = engine.player.choose_move(session, opening, limits, wait, Some(observer));
        // An engine that has failed is ended here.
        let text = chosen.map_err(|failure| failure.message)?.text;
        search.moves.extend(text.clone());
        engine.last_search = Some(search);
        self.idle[index].lock().unwrap_or_else(PoisonError::into_inner).push(engine);
        Ok(text)
    }
}

/// The process of an engine.
struct RunningEngine {
    game: &'static str,
    player: Box<dyn Player>,
    last_search: Option<EngineSearch>,
}

/// A search of an engine.
struct EngineSearch {
    opening: Opening,
    /// The moves that led to the position, and the reply of the engine, in the default dialect.
    moves: Vec<String>,
    limits: MoveLimits,
}

impl RunningEngine {
    fn needs_new_game(&self, search: &EngineSearch) -> bool {
        needs_new_game(self.last_search.as_ref(), search, self.player.keeps_position())
    }
}

/// Returns whether an engine needs the command for a new game before a search: for the first one, for another game, and
/// if the engine plays on from the moves that it knows (`keeps_position`), for any position that does not follow from
/// them.
fn needs_new_game(last: Option<&EngineSearch>, search: &EngineSearch, keeps_position: bool) -> bool {
    last.is_none_or(|last| {
        last.opening != search.opening
            || search.moves.len() <= 1
            || (keeps_position && (!search.moves.starts_with(&last.moves) || search.limits != last.limits))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_that_the_page_cannot_offer_are_refused() {
        let engines = |words: &[&str]| {
            let parsed = words.iter().map(|words| EngineArg::parse(words).unwrap()).collect();
            ExternalEngineProcesses::new(parsed)
        };
        let accepted =
            engines(&["cmd=one proto=uci option.Hash=16", "cmd=two proto=ucci", "cmd=gtp proto=gtp"]);
        let accepted = accepted.unwrap();
        assert_eq!(accepted.names("xiangqi"), ["one", "two"]);
        assert_eq!(accepted.names("othello"), ["one", "gtp"]);
        for (words, expected) in [
            (
                &["cmd=x proto=uci nodes=500"][..],
                "engine x: tc, movetime, nodes, softnodes and depth are for",
            ),
            (&["cmd=x proto=uci softnodes=5"], "the page chooses the time for each move"),
            (&["cmd=x proto=uci tc=5+1"], "the page chooses the time for each move"),
            (&["level=3"], "engine alfil level 3: it is the built-in engine"),
            (&["cmd=a/x proto=uci", "cmd=b/x proto=uci"], "two engines have the name x"),
        ] {
            let error = engines(words).unwrap_err();
            assert!(error.contains(expected), "{words:?}: {error}");
        }
    }

    #[test]
    fn an_engine_that_keeps_its_position_starts_anew_elsewhere() {
        let line = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let limits = MoveLimits { move_time: Some(Duration::from_secs(1)), ..MoveLimits::default() };
        let longer = MoveLimits { move_time: Some(Duration::from_secs(2)), ..MoveLimits::default() };
        let set_up = Opening { start: Some("fen".into()), moves: Vec::new() };
        let cases = [
            ("e2e4 e7e5 g1f3", Opening::default(), &limits, [false, false]),
            // The engine would have another move on its board.
            ("e2e4 c7c5 g1f3", Opening::default(), &limits, [true, false]),
            ("e2e4 e7e5 g1f3", Opening::default(), &longer, [true, false]),
            ("e2e4 e7e5 g1f3", set_up, &limits, [true, true]),
            ("e2e4", Opening::default(), &limits, [true, true]),
        ];
        let last =
            EngineSearch { opening: Opening::default(), moves: line("e2e4 e7e5"), limits: limits.clone() };
        for (moves, opening, limits_now, expected) in cases {
            let next = EngineSearch { opening, moves: line(moves), limits: limits_now.clone() };
            let needs =
                [true, false].map(|keeps_position| needs_new_game(Some(&last), &next, keeps_position));
            assert_eq!(needs, expected, "{moves} {limits_now:?}");
            assert!(needs_new_game(None, &next, false), "{moves}");
        }
    }
}
