//! The engines of other programs that `alfil serve` offers, by `--engine`.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use alfil_matches::openings::Opening;
use alfil_matches::{MoveLimits, Player};
use alfil_server::{ForeignEngines, ForeignMove, ForeignPosition};
use alfil_session::registry;

use crate::match_command::engine_arg::EngineArg;

/// How long an engine may take to become ready, or for a move beyond its time.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The engines of the command line, with those that are running, by the number of the engine and the game.
pub(crate) struct ServedEngines {
    engines: Vec<EngineArg>,
    running: Vec<Mutex<BTreeMap<&'static str, Box<dyn Player>>>>,
}

impl std::fmt::Debug for ServedEngines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.engines.iter().map(|engine| &engine.name)).finish()
    }
}

impl ServedEngines {
    pub(crate) fn new(engines: Vec<EngineArg>) -> ServedEngines {
        let running = engines.iter().map(|_| Mutex::default()).collect();
        ServedEngines { engines, running }
    }
}

impl ForeignEngines for ServedEngines {
    fn names(&self, game: &str) -> Vec<String> {
        let Some(entry) = registry::GAMES.iter().find(|entry| entry.info.name() == game) else {
            return Vec::new();
        };
        let can_play = |engine: &&EngineArg| engine.unsupported_reason(entry, false).is_none();
        self.engines.iter().filter(can_play).map(|engine| engine.name.clone()).collect()
    }

    fn choose_move(&self, name: &str, position: &ForeignPosition) -> Result<ForeignMove, String> {
        let Some(index) = self.engines.iter().position(|engine| engine.name == name) else {
            return Err("the server has no engine of this name".into());
        };
        let session = position.session.as_ref();
        let game = session.game();
        let mut running = self.running[index].lock().map_err(|_| "the engine has failed before")?;
        let limits = MoveLimits { move_time: Some(position.time), ..MoveLimits::default() };
        let opening = Opening { start: position.start.clone(), moves: Vec::new() };
        let is_new = session.view().ply <= 1 || !running.contains_key(game);
        let new_player = || self.engines[index].new_player(session.info(), None, TIMEOUT);
        let player = running.entry(game).or_insert_with(new_player);
        let started = if is_new { player.new_game(session, &opening, &limits) } else { Ok(()) };
        let wait = Some(position.time + TIMEOUT);
        let chosen = started.and_then(|()| player.choose_move(session, &opening, &limits, wait));
        match chosen {
            Ok(chosen) => Ok(ForeignMove {
                text: chosen.text,
                score: chosen.score,
                depth: chosen.depth,
                nodes: chosen.nodes,
            }),
            Err(failure) => {
                // It is started again for the next move.
                running.remove(game);
                Err(failure.message)
            }
        }
    }
}
