//! A player whose engine runs elsewhere and speaks a protocol over lines of text.
//!
//! This crate starts no processes: the caller supplies an [`EngineLauncher`], which need not know protocols.

use std::time::{Duration, Instant};

use alfil_kernel::{Bound, Score};
use alfil_protocol::client::{ClientEvent, EngineClient, EngineConfig, EngineInfo, GoRequest, Protocol};
use alfil_protocol::uci::ScoreBound;

use super::move_encoding::{MoveEncoding, RankNumbering};
use super::openings::Opening;
use super::{ChosenMove, FailureKind, MoveLimits, OBSERVER_INTERVAL, Player, PlayerFailure};
use alfil_engine::{SearchEvent, SearchObserver};
use alfil_session::{GameSession, SearchReport, SessionError};

/// An engine whose protocol has no answer for readiness counts as ready after this time without output.
const READY_SILENCE: Duration = Duration::from_secs(2);

/// The result of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line, and the time when it arrived.
    Line(Instant, String),
    /// No line until the given time.
    Timeout,
    /// No more lines will arrive, for this reason.
    Closed(String),
}

/// A running engine as two streams of lines.
pub trait LineTransport: Send {
    /// Sends a line. A failure shows in the next [`LineTransport::receive`].
    fn send(&mut self, line: &str);
    /// Waits for the next line until the given time.
    fn receive(&mut self, until: Instant) -> Received;
    /// Returns the last lines exchanged with the engine.
    fn log(&self) -> Vec<String>;
    /// Waits a moment for the engine to quit, and then kills it.
    fn close(&mut self);
}

/// Starts an engine.
pub trait EngineLauncher: Send {
    /// Starts the engine.
    ///
    /// # Errors
    /// Returns the reason if the engine cannot be started.
    fn launch(&mut self) -> Result<Box<dyn LineTransport>, String>;
}

/// The description of an engine that is not yet running.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// The protocol of the engine.
    pub protocol: Protocol,
    /// The configuration to send.
    pub config: EngineConfig,
    /// The numbering of the ranks of xiangqi.
    pub ranks: RankNumbering,
    /// The time limit for starting, for answering a stop, and for moves without a time limit.
    pub timeout: Duration,
}

/// A running engine.
struct RunningEngine {
    transport: Box<dyn LineTransport>,
    client: Box<dyn EngineClient>,
    /// Whether a game was started.
    has_game: bool,
}

/// A search that an engine has been sent.
struct EngineSearch<'s, 'o> {
    session: &'s dyn GameSession,
    encoding: MoveEncoding,
    /// When the search was requested.
    sent: Instant,
    observer: Option<&'o mut dyn SearchObserver>,
}

impl EngineSearch<'_, '_> {
    /// Passes what the engine reports to the observer.
    fn report(&mut self, info: &EngineInfo, score: Score) -> Result<(), PlayerFailure> {
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let pv = self.encoding.parse_line(self.session, &info.pv);
        let depth = info.depth.unwrap_or_default();
        observer.on_info(SearchEvent::Info {
            report: SearchReport {
                multipv: info.multipv.unwrap_or(1),
                depth,
                seldepth: depth,
                score: score.value(),
                bound: match info.bound {
                    None => Bound::Exact,
                    Some(ScoreBound::Lower) => Bound::Lower,
                    Some(ScoreBound::Upper) => Bound::Upper,
                },
                mate_plies: score.mate_plies(),
                nodes: info.nodes.unwrap_or_default(),
                pv: pv.map_err(|error| PlayerFailure::new(FailureKind::Rejection, error.message))?,
                ..SearchReport::default()
            },
            seconds: self.sent.elapsed().as_secs_f64(),
        });
        Ok(())
    }

    /// Returns whether the engine shall move at once.
    fn is_stopped(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.is_stopped())
    }
}

/// A player whose engine is another process. The engine starts on first use, and again after a failure.
pub struct ExternalPlayer {
    spec: EngineSpec,
    launcher: Box<dyn EngineLauncher>,
    engine: Option<RunningEngine>,
    log: Vec<String>,
}

impl RunningEngine {
    /// Switches Chess960 on or off for the next game or search.
    fn set_chess960(&mut self, on: bool, out: &mut Vec<String>) -> Result<(), PlayerFailure> {
        match self.client.set_chess960(on, out) {
            ClientEvent::Rejection(message) => Err(PlayerFailure::new(FailureKind::Rejection, message)),
            _ => Ok(()),
        }
    }

    fn send(&mut self, lines: &mut Vec<String>) {
        for line in lines.drain(..) {
            self.transport.send(&line);
        }
    }

    /// Waits until the engine is ready.
    fn wait_until_ready(&mut self, event: ClientEvent, timeout: Duration) -> Result<(), PlayerFailure> {
        let end = Instant::now() + timeout;
        let (mut event, mut out, mut last_line) = (event, Vec::new(), Instant::now());
        loop {
            match event {
                ClientEvent::Ready => return Ok(()),
                ClientEvent::Rejection(message) => {
                    return Err(PlayerFailure::new(FailureKind::Rejection, message));
                }
                // An engine with continuous output never reaches the silence below.
                _ if Instant::now() >= end => {
                    let message = format!("not ready after {} s", timeout.as_secs_f64());
                    return Err(PlayerFailure::new(FailureKind::Hang, message));
                }
                _ => (),
            }
            event = match self.transport.receive(end.min(last_line + READY_SILENCE)) {
                Received::Line(at, line) => {
                    last_line = at;
                    self.client.on_line(&line, &mut out)
                }
                Received::Closed(reason) => return Err(PlayerFailure::new(FailureKind::Crash, reason)),
                Received::Timeout => {
                    last_line = Instant::now();
                    self.client.on_idle(&mut out)
                }
            };
            self.send(&mut out);
        }
    }
}

impl ExternalPlayer {
    /// Creates a player whose engine is not yet running.
    pub fn new(mut spec: EngineSpec, launcher: Box<dyn EngineLauncher>) -> ExternalPlayer {
        // Engines with this option number ranks from 1 for a client that sets `UCI_Variant`.
        spec.config.offered_options.push(("UCI_Ranks", spec.ranks.name()));
        ExternalPlayer { spec, launcher, engine: None, log: Vec::new() }
    }

    /// Starts the engine if it is not running.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be started or does not become ready.
    fn start_engine(&mut self) -> Result<(), PlayerFailure> {
        if self.engine.is_none() {
            let transport =
                self.launcher.launch().map_err(|reason| PlayerFailure::new(FailureKind::Crash, reason))?;
            let client = self.spec.protocol.new_client(self.spec.config.clone());
            let mut engine = RunningEngine { transport, client, has_game: false };
            let mut out = Vec::new();
            engine.client.handshake(&mut out);
            engine.send(&mut out);
            let ready = engine.wait_until_ready(ClientEvent::NoEvent, self.spec.timeout);
            self.engine = Some(engine);
            ready.inspect_err(|_| self.stop_engine())?;
        }
        Ok(())
    }

    /// Returns whether the engine plays the game as Chess960. A configured option decides.
    fn plays_chess960(&self, session: &dyn GameSession) -> bool {
        let mut options = self.spec.config.options.iter();
        match options.find(|(name, _)| name.eq_ignore_ascii_case("UCI_Chess960")) {
            Some((_, value)) => value.eq_ignore_ascii_case("true"),
            None => self.spec.protocol == Protocol::Uci && session.is_chess960(),
        }
    }

    fn move_encoding(&self, session: &dyn GameSession, king_takes_rook: bool) -> MoveEncoding {
        let variant = self.engine.as_ref().and_then(|engine| engine.client.variant());
        MoveEncoding::for_engine(
            &session.dialects(),
            self.spec.protocol,
            self.spec.ranks,
            variant,
            king_takes_rook,
        )
    }

    /// Stops the engine.
    fn stop_engine(&mut self) {
        if let Some(mut engine) = self.engine.take() {
            let mut out = Vec::new();
            engine.client.quit(&mut out);
            engine.send(&mut out);
            engine.transport.close();
            self.log = engine.transport.log();
        }
    }

    /// Requests the engine's move for the current position.
    fn request_move(
        &mut self,
        session: &dyn GameSession,
        opening: &Opening,
        limits: &MoveLimits,
        wait: Option<Duration>,
        observer: Option<&mut dyn SearchObserver>,
    ) -> Result<ChosenMove, PlayerFailure> {
        let rejection = |error: SessionError| PlayerFailure::new(FailureKind::Rejection, error.message);
        let is_chess960 = self.plays_chess960(session);
        let encoding = self.move_encoding(session, is_chess960);
        let (start, second_moves_first, moves) =
            encoding.position_command(session, opening).map_err(rejection)?;
        let [refused, allowed] = encoding.refused_moves(session).map_err(rejection)?;
        let Some(engine) = &mut self.engine else {
            return Err(PlayerFailure::new(FailureKind::Crash, "the engine is not running"));
        };
        let mut out = Vec::new();
        engine.set_chess960(is_chess960, &mut out)?;
        engine.client.exclude_moves(&refused, &allowed);
        engine
            .client
            .go(&GoRequest { start: start.as_deref(), second_moves_first, moves: &moves, limits }, &mut out);
        let mut search = EngineSearch { session, encoding, sent: Instant::now(), observer };
        engine.send(&mut out);
        match ExternalPlayer::wait_for_move(engine, &mut search, wait, &self.spec)? {
            (ClientEvent::BestMove(text), EngineInfo { score, depth, nodes, .. }, elapsed) => {
                let text = encoding
                    .parse_move(session, &text)
                    .map_err(|error| PlayerFailure::new(FailureKind::Illegal, error.message))?;
                Ok(ChosenMove { text: Some(text), elapsed, remaining: None, score, depth, nodes })
            }
            (ClientEvent::Resign, _, elapsed) => Ok(ChosenMove { elapsed, ..ChosenMove::default() }),
            (event, ..) => {
                let message =
                    if let ClientEvent::Rejection(message) = event { message } else { format!("{event:?}") };
                Err(PlayerFailure::new(
                    FailureKind::Rejection,
                    format!("the engine sent {message:?} instead of a move"),
                ))
            }
        }
    }

    /// Waits until the engine moves. An engine that has to stop and whose protocol has no command for that is given up.
    fn wait_for_move(
        engine: &mut RunningEngine,
        search: &mut EngineSearch<'_, '_>,
        wait: Option<Duration>,
        spec: &EngineSpec,
    ) -> Result<(ClientEvent, EngineInfo, Duration), PlayerFailure> {
        let sent = search.sent;
        let mut end = sent + wait.unwrap_or(spec.timeout);
        let (mut stop_sent, mut best, mut out) = (false, EngineInfo::default(), Vec::new());
        loop {
            // Checked even if lines arrive: an engine with continuous output must be stopped, too.
            let is_late = Instant::now() >= end;
            let must_stop = !stop_sent && search.is_stopped();
            if (is_late && stop_sent) || (must_stop && !spec.protocol.supports_stop()) {
                let message = format!("no answer within {:.1} s", sent.elapsed().as_secs_f64());
                return Err(PlayerFailure::new(FailureKind::Hang, message));
            }
            if is_late || must_stop {
                stop_sent = true;
                end = Instant::now() + spec.timeout;
                engine.client.stop(&mut out);
                engine.send(&mut out);
            }
            let (at, line) = match engine.transport.receive(end.min(Instant::now() + OBSERVER_INTERVAL)) {
                Received::Line(at, line) => (at, line),
                Received::Timeout => continue,
                Received::Closed(reason) => return Err(PlayerFailure::new(FailureKind::Crash, reason)),
            };
            match engine.client.on_line(&line, &mut out) {
                ClientEvent::Info(info) => {
                    let score = info.score.map(Score::from_cp).or_else(|| info.mate.map(mate_score));
                    if let Some(score) = score {
                        search.report(&info, score)?;
                    }
                    if info.multipv.is_none_or(|multipv| multipv == 1) {
                        best = EngineInfo { score: score.map(Score::value), ..info };
                    }
                }
                ClientEvent::NoEvent | ClientEvent::Ready => (),
                event => return Ok((event, best, at.saturating_duration_since(sent))),
            }
            engine.send(&mut out);
        }
    }
}

/// Converts a mate in moves of the winner into a score, which counts plies. The winner makes the last move.
fn mate_score(moves: i32) -> Score {
    let plies = moves.unsigned_abs().saturating_mul(2).saturating_sub(u32::from(moves > 0));
    if moves > 0 { Score::mate_in(plies) } else { Score::mated_in(plies) }
}

impl Player for ExternalPlayer {
    fn new_game(
        &mut self,
        session: &dyn GameSession,
        opening: &Opening,
        limits: &MoveLimits,
    ) -> Result<(), PlayerFailure> {
        if self.engine.as_ref().is_some_and(|engine| engine.has_game && engine.client.plays_one_game()) {
            self.stop_engine();
        }
        self.log.clear();
        // An engine that ended between two games is restarted once.
        let mut may_restart = self.engine.is_some();
        loop {
            self.start_engine()?;
            let is_chess960 = self.plays_chess960(session);
            let position = self.move_encoding(session, is_chess960).position_command(session, opening);
            let (start, second_moves_first, moves) =
                position.map_err(|error| PlayerFailure::new(FailureKind::Rejection, error.message))?;
            let Some(engine) = &mut self.engine else { continue };
            let mut out = Vec::new();
            engine.set_chess960(is_chess960, &mut out)?;
            let request = GoRequest { start: start.as_deref(), second_moves_first, moves: &moves, limits };
            let event = engine.client.new_game(&request, &mut out);
            engine.has_game = true;
            engine.send(&mut out);
            let Err(failure) = engine.wait_until_ready(event, self.spec.timeout) else { return Ok(()) };
            self.stop_engine();
            if !std::mem::take(&mut may_restart) {
                return Err(failure);
            }
        }
    }

    fn choose_move(
        &mut self,
        session: &dyn GameSession,
        opening: &Opening,
        limits: &MoveLimits,
        wait: Option<Duration>,
        observer: Option<&mut dyn SearchObserver>,
    ) -> Result<ChosenMove, PlayerFailure> {
        // A failed engine may still search this game or answer an old request, so it is stopped.
        self.request_move(session, opening, limits, wait, observer).inspect_err(|_| self.stop_engine())
    }

    fn keeps_position(&self) -> bool {
        self.spec.protocol.keeps_position()
    }

    fn finish(&mut self) {
        if let Some(engine) = &mut self.engine {
            let mut out = Vec::new();
            engine.client.finish(&mut out);
            engine.send(&mut out);
        }
    }

    fn log(&self) -> Vec<String> {
        self.engine.as_ref().map_or_else(|| self.log.clone(), |engine| engine.transport.log())
    }
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        self.stop_engine();
    }
}
