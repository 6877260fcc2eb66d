//! One page, one desk: what is asked on a socket, and what is answered.

use std::sync::Arc;
use std::time::Duration;

use alfil_hall::{Desk, DeskError, Job, Limits, Thought, registry};
use alfil_kernel::Waivers;
use axum::extract::ws::{Message, WebSocket};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::wire::{Answer, Ask, Deed, GameName, LookShape, PositionShape, StepShape, ThoughtEvent};

/// The longest the computer thinks about a reply.
const REPLY_TIME: Duration = Duration::from_millis(700);

/// How many thoughts may wait to be sent; a page that reads more slowly misses some.
const WAITING: usize = 64;

/// What comes back from a thinking thread.
enum Heard {
    Info(ThoughtEvent),
    Best(Option<String>),
}

/// A thought under way: it is stopped when it is dropped.
struct Thinking {
    id: u64,
    job: Job,
    heard: mpsc::Receiver<Heard>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.job.stop();
    }
}

/// Answers a page until it goes.
pub(crate) async fn attend(mut socket: WebSocket, thinkers: Arc<Semaphore>) {
    let mut table = Table { desk: None, thinking: None, thinkers };
    loop {
        let sent = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    let answer = table.answer(&text).await;
                    match answer {
                        Some(answer) => send(&mut socket, &answer).await,
                        None => Ok(()),
                    }
                }
                Some(Ok(Message::Binary(_))) => send(&mut socket, &refusal(0, "only text is understood here")).await,
                Some(Ok(_)) => Ok(()),
                // The page went, or sent more than it may.
                Some(Err(_)) | None => return,
            },
            heard = table.hear() => match heard {
                Heard::Info(event) => send(&mut socket, &event).await,
                Heard::Best(best) => {
                    let answer = table.reply(best);
                    send(&mut socket, &answer).await
                }
            },
        };
        if sent.is_err() {
            return;
        }
    }
}

async fn send(socket: &mut WebSocket, message: &impl Serialize) -> Result<(), axum::Error> {
    let text = serde_json::to_string(message).map_err(axum::Error::new)?;
    socket.send(Message::Text(text.into())).await
}

fn refusal(id: u64, words: impl Into<String>) -> Answer {
    Answer { id, error: Some(words.into()), ..Answer::default() }
}

/// What a page has before it.
struct Table {
    desk: Option<Box<dyn Desk>>,
    thinking: Option<Thinking>,
    thinkers: Arc<Semaphore>,
}

impl Table {
    /// The answer to a message; none yet where the computer is to move.
    async fn answer(&mut self, text: &str) -> Option<Answer> {
        let ask: Ask = match serde_json::from_str(text) {
            Ok(ask) => ask,
            Err(error) => {
                let id = serde_json::from_str::<serde_json::Value>(text).ok();
                let id = id.and_then(|ask| ask.get("id")?.as_u64()).unwrap_or_default();
                return Some(refusal(id, format!("this message is not understood: {error}")));
            }
        };
        if let Deed::Think { level } = ask.deed {
            return match self.think(ask.id, level).await {
                Ok(()) => None,
                Err(error) => Some(refusal(ask.id, error.0)),
            };
        }
        // Whatever else is asked ends the computer's thinking: it thought about another position.
        let unanswered = self.thinking.take();
        drop(unanswered);
        let answer = self.deed(ask.id, ask.deed);
        Some(answer.unwrap_or_else(|error| refusal(ask.id, error.0)))
    }

    fn deed(&mut self, id: u64, deed: Deed) -> Result<Answer, DeskError> {
        let mut answer = Answer { id, ..Answer::default() };
        match deed {
            Deed::Games => {
                let name = |game| {
                    let look = registry::open(game, None)?.look();
                    Ok(GameName { game, title: look.title, sides: look.sides })
                };
                answer.games = Some(registry::games().map(name).collect::<Result<_, DeskError>>()?);
                return Ok(answer);
            }
            Deed::New { game, fen, moves } => {
                let mut desk = registry::open(&game, None)?;
                if let Some(fen) = fen {
                    desk.open(&fen, &Waivers::None)?;
                }
                for text in moves {
                    desk.play(&text, None)?;
                }
                answer.look = Some(LookShape::from(desk.look()));
                self.desk = Some(desk);
            }
            Deed::Play { text } => {
                let desk = self.desk()?;
                if desk.judge().is_some() {
                    return Err(DeskError("the game is over: take a move back or start a new one".into()));
                }
                answer.step = Some(StepShape::from(&desk.play(&text, None)?));
            }
            Deed::Undo { plies } => {
                let desk = self.desk()?;
                let steps = std::iter::from_fn(|| desk.undo()).take(plies);
                answer.steps = Some(steps.map(|step| StepShape::from(&step)).collect());
            }
            Deed::Think { .. } => {}
        }
        answer.position = Some(PositionShape::of(self.desk()?.as_ref()));
        Ok(answer)
    }

    fn desk(&mut self) -> Result<&mut Box<dyn Desk>, DeskError> {
        self.desk.as_mut().ok_or(DeskError("no game was started".into()))
    }

    async fn think(&mut self, id: u64, level: u32) -> Result<(), DeskError> {
        self.thinking = None;
        let thinkers = self.thinkers.clone();
        let desk = self.desk()?;
        if desk.judge().is_some() {
            return Err(DeskError("the game is over".into()));
        }
        let permit = thinkers.acquire_owned().await.map_err(DeskError::from)?;
        let (sender, heard) = mpsc::channel(WAITING);
        let limits = Limits { level: Some(level), time: Some(REPLY_TIME), ..Limits::default() };
        let sink = move |thought| match thought {
            // Where the page cannot keep up, a newer thought is worth more than an old one.
            Thought::Info { depth, score, nodes, line, .. } => {
                let event = ThoughtEvent { event: "thought", depth, score, nodes, line };
                let _ = sender.try_send(Heard::Info(event));
            }
            // The last word must arrive; if nobody listens any more, the table has moved on.
            Thought::Best(best) => {
                let _ = sender.blocking_send(Heard::Best(best));
            }
        };
        let job = desk.think(&limits, Box::new(sink));
        self.thinking = Some(Thinking { id, job, heard, _permit: permit });
        Ok(())
    }

    /// The next thing a thinking desk says; waits for ever where none is thinking.
    async fn hear(&mut self) -> Heard {
        match &mut self.thinking {
            Some(thinking) => thinking.heard.recv().await.unwrap_or(Heard::Best(None)),
            None => std::future::pending().await,
        }
    }

    /// Plays the computer's move.
    fn reply(&mut self, best: Option<String>) -> Answer {
        let id = self.thinking.take().map_or(0, |thinking| thinking.id);
        let Some(text) = best else { return refusal(id, "the computer found no move") };
        self.deed(id, Deed::Play { text }).unwrap_or_else(|error| refusal(id, error.0))
    }
}
