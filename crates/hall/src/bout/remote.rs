//! An engine somewhere else, that speaks a protocol over a line of text.
//!
//! The hall starts no processes: whoever does brings a [`Launch`], and hears nothing of protocols.

use std::time::{Duration, Instant};

use alfil_kernel::evaluate::{MATE, MATE_BOUND};
use alfil_protocol::driver::{Driver, Heard, Profile, Protocol, Report, Task};

use super::openings::Opening;
use super::wire::{Ranks, Wire};
use super::{Budget, Choice, Failing, Fault, Player};
use crate::desk::{Desk, DeskError};

/// After so long without a word, an engine that need not answer is taken to be ready.
const SILENCE: Duration = Duration::from_secs(2);

/// What came over the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line, and when it came.
    Line(Instant, String),
    /// Nothing until the time asked for.
    Silence,
    /// Nothing more will come, for this reason.
    Gone(String),
}

/// A running engine, as two streams of lines.
pub trait Link: Send {
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
pub trait Launch: Send {
    /// Starts it.
    ///
    /// # Errors
    /// If that cannot be done, with the reason.
    fn launch(&mut self) -> Result<Box<dyn Link>, String>;
}

/// What is known of an engine before it is started.
#[derive(Clone, Debug)]
pub struct Calling {
    /// The language it speaks.
    pub protocol: Protocol,
    /// What it is told.
    pub profile: Profile,
    /// How it numbers the ranks of xiangqi.
    pub ranks: Ranks,
    /// How long it may take to start, to answer a stop, and to move where no time is set.
    pub patience: Duration,
}

/// An engine that is running.
struct Call {
    link: Box<dyn Link>,
    driver: Box<dyn Driver>,
}

/// A player whose engine is somewhere else. It is started when it is first needed, and again after it failed.
pub struct Remote {
    calling: Calling,
    launch: Box<dyn Launch>,
    call: Option<Call>,
    log: Vec<String>,
}

impl Call {
    fn send(&mut self, lines: &mut Vec<String>) {
        for line in lines.drain(..) {
            self.link.send(&line);
        }
    }

    /// Listens until the engine is ready.
    fn ready(&mut self, heard: Heard, patience: Duration) -> Result<(), Failing> {
        let end = Instant::now() + patience;
        let (mut heard, mut out, mut last) = (heard, Vec::new(), Instant::now());
        loop {
            match heard {
                Heard::Ready => return Ok(()),
                Heard::Dispute(words) => return Err(Failing::new(Fault::Dispute, words)),
                // An engine that talks all the time is never silent.
                _ if Instant::now() >= end => {
                    let words = format!("it was not ready after {} s", patience.as_secs_f64());
                    return Err(Failing::new(Fault::Hang, words));
                }
                _ => (),
            }
            heard = match self.link.receive(end.min(last + SILENCE)) {
                Received::Line(at, line) => {
                    last = at;
                    self.driver.hear(&line, &mut out)
                }
                Received::Gone(why) => return Err(Failing::new(Fault::Crash, why)),
                Received::Silence => {
                    last = Instant::now();
                    self.driver.silence(&mut out)
                }
            };
            self.send(&mut out);
        }
    }
}

impl Remote {
    /// A player whose engine is not yet started.
    pub fn new(calling: Calling, launch: Box<dyn Launch>) -> Remote {
        Remote { calling, launch, call: None, log: Vec::new() }
    }

    /// Starts the engine, if it is not running, and says what it calls itself, if it does.
    ///
    /// # Errors
    /// If it cannot be started, or does not get ready.
    pub fn call(&mut self) -> Result<Option<String>, Failing> {
        if self.call.is_none() {
            let link = self.launch.launch().map_err(|why| Failing::new(Fault::Crash, why))?;
            let driver = self.calling.protocol.driver(self.calling.profile.clone());
            let mut call = Call { link, driver };
            let mut out = Vec::new();
            call.driver.greet(&mut out);
            call.send(&mut out);
            let ready = call.ready(Heard::Nothing, self.calling.patience);
            self.call = Some(call);
            ready.inspect_err(|_| self.hang_up())?;
        }
        Ok(self.call.as_ref().and_then(|call| call.driver.name().map(str::to_owned)))
    }

    fn wire(&self, game: &str) -> Wire {
        let variant = self.call.as_ref().and_then(|call| call.driver.variant());
        let king_takes_rook = self
            .calling
            .profile
            .options
            .iter()
            .any(|(name, value)| name.eq_ignore_ascii_case("UCI_Chess960") && value == "true");
        Wire::of(game, self.calling.protocol, self.calling.ranks, variant, king_takes_rook)
    }

    /// Ends the engine.
    fn hang_up(&mut self) {
        if let Some(mut call) = self.call.take() {
            let mut out = Vec::new();
            call.driver.quit(&mut out);
            call.send(&mut out);
            call.link.close();
            self.log = call.link.log();
        }
    }

    /// The engine's move for the position on the desk.
    fn move_of(
        &mut self,
        desk: &dyn Desk,
        opening: &Opening,
        budget: &Budget,
        wait: Option<Duration>,
    ) -> Result<Choice, Failing> {
        let dispute = |error: DeskError| Failing::new(Fault::Dispute, error.words);
        let wire = self.wire(desk.game());
        let (start, second, moves) = wire.road(desk, opening).map_err(dispute)?;
        let Some(call) = &mut self.call else { return Err(Failing::new(Fault::Crash, "it is not running")) };
        let mut out = Vec::new();
        call.driver.go(&Task { start: start.as_deref(), second, moves: &moves, budget }, &mut out);
        let sent = Instant::now();
        call.send(&mut out);
        match Remote::answer(call, sent, wait, self.calling.patience)? {
            (Heard::Move(text), Report { score, depth, nodes, .. }, elapsed) => {
                let text =
                    wire.read(desk, &text).map_err(|error| Failing::new(Fault::Illegal, error.words))?;
                Ok(Choice { text: Some(text), elapsed, left: None, score, depth, nodes })
            }
            (Heard::Resign, _, elapsed) => Ok(Choice { elapsed, ..Choice::default() }),
            (heard, ..) => {
                let said = if let Heard::Dispute(words) = heard { words } else { format!("{heard:?}") };
                Err(Failing::new(Fault::Dispute, format!("it did not move, and said {said:?}")))
            }
        }
    }

    /// Listens until the engine moves.
    fn answer(
        call: &mut Call,
        sent: Instant,
        wait: Option<Duration>,
        patience: Duration,
    ) -> Result<(Heard, Report, Duration), Failing> {
        let mut end = sent + wait.unwrap_or(patience);
        let (mut stopped, mut best, mut out) = (false, Report::default(), Vec::new());
        loop {
            // Whether lines come or not: an engine that talks all the time must be stopped, too.
            if Instant::now() >= end {
                if stopped {
                    let words = format!("it did not answer for {:.1} s", sent.elapsed().as_secs_f64());
                    return Err(Failing::new(Fault::Hang, words));
                }
                stopped = true;
                end = Instant::now() + patience;
                call.driver.stop(&mut out);
                call.send(&mut out);
            }
            let (at, line) = match call.link.receive(end) {
                Received::Line(at, line) => (at, line),
                Received::Silence => continue,
                Received::Gone(why) => return Err(Failing::new(Fault::Crash, why)),
            };
            match call.driver.hear(&line, &mut out) {
                Heard::Report(report) => {
                    let plain = |score: i32| score.clamp(1 - MATE_BOUND, MATE_BOUND - 1);
                    let score = report.score.map(plain).or_else(|| report.mate.map(distant));
                    best = Report { score, ..report }
                }
                Heard::Nothing | Heard::Ready => (),
                heard => return Ok((heard, best, at.saturating_duration_since(sent))),
            }
            call.send(&mut out);
        }
    }
}

/// The score of an end in so many moves of the winner, as the house writes it: by plies. Who wins makes the last of them.
fn distant(moves: i32) -> i32 {
    let plies = moves.saturating_abs().saturating_mul(2).saturating_sub(i32::from(moves > 0));
    let score = MATE - plies.min(MATE - MATE_BOUND);
    if moves > 0 { score } else { -score }
}

impl Player for Remote {
    fn begin(&mut self, desk: &dyn Desk, opening: &Opening, budget: &Budget) -> Result<(), Failing> {
        self.log.clear();
        // An engine that ended between two games has not failed in either.
        let mut again = self.call.is_some();
        loop {
            self.call()?;
            let road = self.wire(desk.game()).road(desk, opening);
            let (start, second, moves) = road.map_err(|error| Failing::new(Fault::Dispute, error.words))?;
            let Some(call) = &mut self.call else { continue };
            let mut out = Vec::new();
            let task = Task { start: start.as_deref(), second, moves: &moves, budget };
            let heard = call.driver.begin(&task, &mut out);
            call.send(&mut out);
            let Err(failing) = call.ready(heard, self.calling.patience) else { return Ok(()) };
            self.hang_up();
            if !std::mem::take(&mut again) {
                return Err(failing);
            }
        }
    }

    fn choose(
        &mut self,
        desk: &dyn Desk,
        opening: &Opening,
        budget: &Budget,
        wait: Option<Duration>,
    ) -> Result<Choice, Failing> {
        // Whoever failed may still be thinking of this game, or answering what it was asked in it.
        self.move_of(desk, opening, budget, wait).inspect_err(|_| self.hang_up())
    }

    fn finish(&mut self) {
        if let Some(call) = &mut self.call {
            let mut out = Vec::new();
            call.driver.finish(&mut out);
            call.send(&mut out);
        }
    }

    fn log(&self) -> Vec<String> {
        self.call.as_ref().map_or_else(|| self.log.clone(), |call| call.link.log())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.hang_up();
    }
}
