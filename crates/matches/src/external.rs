//! An engine somewhere else, that speaks a protocol over a line of text.
//!
//! The hall starts no processes: whoever does brings a [`Launch`], and hears nothing of protocols.

use std::time::{Duration, Instant};

use alfil_kernel::score::{MATE, MATE_BOUND};
use alfil_protocol::client::{ClientEvent, EngineClient, EngineConfig, EngineInfo, GoRequest, Protocol};

use super::move_encoding::{MoveEncoding, RankNumbering};
use super::openings::Opening;
use super::{ChosenMove, FailureKind, MoveLimits, Player, PlayerFailure};
use alfil_session::game_session::{GameSession, SessionError};

/// After so long without a word, an engine that need not answer is taken to be ready.
const READY_SILENCE: Duration = Duration::from_secs(2);

/// What came over the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line, and when it came.
    Line(Instant, String),
    /// Nothing until the time asked for.
    Timeout,
    /// Nothing more will come, for this reason.
    Closed(String),
}

/// A running engine, as two streams of lines.
pub trait LineTransport: Send {
    /// Sends a line. If nobody takes it any more, that is learnt by receiving.
    fn send(&mut self, line: &str);
    /// The next line that comes before that time.
    fn receive(&mut self, until: Instant) -> Received;
    /// The last lines of the conversation.
    fn log(&self) -> Vec<String>;
    /// The engine has been told to end: lets it, for a moment, and then ends it.
    fn close(&mut self);
}

/// Whoever starts an engine.
pub trait EngineLauncher: Send {
    /// Starts it.
    ///
    /// # Errors
    /// If that cannot be done, with the reason.
    fn launch(&mut self) -> Result<Box<dyn LineTransport>, String>;
}

/// What is known of an engine before it is started.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// The language it speaks.
    pub protocol: Protocol,
    /// What it is told.
    pub config: EngineConfig,
    /// How it numbers the ranks of xiangqi.
    pub ranks: RankNumbering,
    /// How long it may take to start, to answer a stop, and to move where no time is set.
    pub timeout: Duration,
}

/// An engine that is running.
struct RunningEngine {
    transport: Box<dyn LineTransport>,
    client: Box<dyn EngineClient>,
}

/// A player whose engine is somewhere else. It is started when it is first needed, and again after it failed.
pub struct ExternalPlayer {
    spec: EngineSpec,
    launcher: Box<dyn EngineLauncher>,
    engine: Option<RunningEngine>,
    log: Vec<String>,
}

impl RunningEngine {
    fn send(&mut self, lines: &mut Vec<String>) {
        for line in lines.drain(..) {
            self.transport.send(&line);
        }
    }

    /// Listens until the engine is ready.
    fn wait_until_ready(&mut self, heard: ClientEvent, patience: Duration) -> Result<(), PlayerFailure> {
        let end = Instant::now() + patience;
        let (mut heard, mut out, mut last) = (heard, Vec::new(), Instant::now());
        loop {
            match heard {
                ClientEvent::Ready => return Ok(()),
                ClientEvent::Dispute(words) => return Err(PlayerFailure::new(FailureKind::Dispute, words)),
                // An engine that talks all the time is never silent.
                _ if Instant::now() >= end => {
                    let words = format!("it was not ready after {} s", patience.as_secs_f64());
                    return Err(PlayerFailure::new(FailureKind::Hang, words));
                }
                _ => (),
            }
            heard = match self.transport.receive(end.min(last + READY_SILENCE)) {
                Received::Line(at, line) => {
                    last = at;
                    self.client.on_line(&line, &mut out)
                }
                Received::Closed(why) => return Err(PlayerFailure::new(FailureKind::Crash, why)),
                Received::Timeout => {
                    last = Instant::now();
                    self.client.on_idle(&mut out)
                }
            };
            self.send(&mut out);
        }
    }
}

impl ExternalPlayer {
    /// A player whose engine is not yet started.
    pub fn new(calling: EngineSpec, launch: Box<dyn EngineLauncher>) -> ExternalPlayer {
        ExternalPlayer { spec: calling, launcher: launch, engine: None, log: Vec::new() }
    }

    /// Starts the engine, if it is not running, and says what it calls itself, if it does.
    ///
    /// # Errors
    /// If it cannot be started, or does not get ready.
    pub fn start_engine(&mut self) -> Result<Option<String>, PlayerFailure> {
        if self.engine.is_none() {
            let link = self.launcher.launch().map_err(|why| PlayerFailure::new(FailureKind::Crash, why))?;
            let driver = self.spec.protocol.new_client(self.spec.config.clone());
            let mut call = RunningEngine { transport: link, client: driver };
            let mut out = Vec::new();
            call.client.handshake(&mut out);
            call.send(&mut out);
            let ready = call.wait_until_ready(ClientEvent::NoEvent, self.spec.timeout);
            self.engine = Some(call);
            ready.inspect_err(|_| self.stop_engine())?;
        }
        Ok(self.engine.as_ref().and_then(|call| call.client.name().map(str::to_owned)))
    }

    fn move_encoding(&self, game: &str) -> MoveEncoding {
        let variant = self.engine.as_ref().and_then(|call| call.client.variant());
        let king_takes_rook = self
            .spec
            .config
            .options
            .iter()
            .any(|(name, value)| name.eq_ignore_ascii_case("UCI_Chess960") && value == "true");
        MoveEncoding::for_engine(game, self.spec.protocol, self.spec.ranks, variant, king_takes_rook)
    }

    /// Ends the engine.
    fn stop_engine(&mut self) {
        if let Some(mut call) = self.engine.take() {
            let mut out = Vec::new();
            call.client.quit(&mut out);
            call.send(&mut out);
            call.transport.close();
            self.log = call.transport.log();
        }
    }

    /// The engine's move for the position on the desk.
    fn request_move(
        &mut self,
        desk: &dyn GameSession,
        opening: &Opening,
        budget: &MoveLimits,
        wait: Option<Duration>,
    ) -> Result<ChosenMove, PlayerFailure> {
        let dispute = |error: SessionError| PlayerFailure::new(FailureKind::Dispute, error.message);
        let wire = self.move_encoding(desk.game());
        let (start, second, moves) = wire.position_command(desk, opening).map_err(dispute)?;
        let Some(call) = &mut self.engine else {
            return Err(PlayerFailure::new(FailureKind::Crash, "it is not running"));
        };
        let mut out = Vec::new();
        call.client.go(
            &GoRequest { start: start.as_deref(), second_moves_first: second, moves: &moves, limits: budget },
            &mut out,
        );
        let sent = Instant::now();
        call.send(&mut out);
        match ExternalPlayer::wait_for_move(call, sent, wait, self.spec.timeout)? {
            (ClientEvent::BestMove(text), EngineInfo { score, depth, nodes, .. }, elapsed) => {
                let text = wire
                    .parse_move(desk, &text)
                    .map_err(|error| PlayerFailure::new(FailureKind::Illegal, error.message))?;
                Ok(ChosenMove { text: Some(text), elapsed, remaining: None, score, depth, nodes })
            }
            (ClientEvent::Resign, _, elapsed) => Ok(ChosenMove { elapsed, ..ChosenMove::default() }),
            (heard, ..) => {
                let said = if let ClientEvent::Dispute(words) = heard { words } else { format!("{heard:?}") };
                Err(PlayerFailure::new(FailureKind::Dispute, format!("it did not move, and said {said:?}")))
            }
        }
    }

    /// Listens until the engine moves.
    fn wait_for_move(
        call: &mut RunningEngine,
        sent: Instant,
        wait: Option<Duration>,
        patience: Duration,
    ) -> Result<(ClientEvent, EngineInfo, Duration), PlayerFailure> {
        let mut end = sent + wait.unwrap_or(patience);
        let (mut stopped, mut best, mut out) = (false, EngineInfo::default(), Vec::new());
        loop {
            // Whether lines come or not: an engine that talks all the time must be stopped, too.
            if Instant::now() >= end {
                if stopped {
                    let words = format!("it did not answer for {:.1} s", sent.elapsed().as_secs_f64());
                    return Err(PlayerFailure::new(FailureKind::Hang, words));
                }
                stopped = true;
                end = Instant::now() + patience;
                call.client.stop(&mut out);
                call.send(&mut out);
            }
            let (at, line) = match call.transport.receive(end) {
                Received::Line(at, line) => (at, line),
                Received::Timeout => continue,
                Received::Closed(why) => return Err(PlayerFailure::new(FailureKind::Crash, why)),
            };
            match call.client.on_line(&line, &mut out) {
                ClientEvent::Info(report) => {
                    let plain = |score: i32| score.clamp(1 - MATE_BOUND, MATE_BOUND - 1);
                    let score = report.score.map(plain).or_else(|| report.mate.map(mate_score));
                    best = EngineInfo { score, ..report }
                }
                ClientEvent::NoEvent | ClientEvent::Ready => (),
                heard => return Ok((heard, best, at.saturating_duration_since(sent))),
            }
            call.send(&mut out);
        }
    }
}

/// The score of an end in so many moves of the winner, as the house writes it: by plies. Who wins makes the last of them.
fn mate_score(moves: i32) -> i32 {
    let plies = moves.saturating_abs().saturating_mul(2).saturating_sub(i32::from(moves > 0));
    let score = MATE - plies.min(MATE - MATE_BOUND);
    if moves > 0 { score } else { -score }
}

impl Player for ExternalPlayer {
    fn new_game(
        &mut self,
        desk: &dyn GameSession,
        opening: &Opening,
        budget: &MoveLimits,
    ) -> Result<(), PlayerFailure> {
        self.log.clear();
        // An engine that ended between two games has not failed in either.
        let mut again = self.engine.is_some();
        loop {
            self.start_engine()?;
            let road = self.move_encoding(desk.game()).position_command(desk, opening);
            let (start, second, moves) =
                road.map_err(|error| PlayerFailure::new(FailureKind::Dispute, error.message))?;
            let Some(call) = &mut self.engine else { continue };
            let mut out = Vec::new();
            let task = GoRequest {
                start: start.as_deref(),
                second_moves_first: second,
                moves: &moves,
                limits: budget,
            };
            let heard = call.client.new_game(&task, &mut out);
            call.send(&mut out);
            let Err(failing) = call.wait_until_ready(heard, self.spec.timeout) else { return Ok(()) };
            self.stop_engine();
            if !std::mem::take(&mut again) {
                return Err(failing);
            }
        }
    }

    fn choose_move(
        &mut self,
        desk: &dyn GameSession,
        opening: &Opening,
        budget: &MoveLimits,
        wait: Option<Duration>,
    ) -> Result<ChosenMove, PlayerFailure> {
        // Whoever failed may still be thinking of this game, or answering what it was asked in it.
        self.request_move(desk, opening, budget, wait).inspect_err(|_| self.stop_engine())
    }

    fn finish(&mut self) {
        if let Some(call) = &mut self.engine {
            let mut out = Vec::new();
            call.client.finish(&mut out);
            call.send(&mut out);
        }
    }

    fn log(&self) -> Vec<String> {
        self.engine.as_ref().map_or_else(|| self.log.clone(), |call| call.transport.log())
    }
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        self.stop_engine();
    }
}
