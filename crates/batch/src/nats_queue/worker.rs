//! The side of the workers: chunks are pulled from all analyses of the same build that the server has.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::context::{GetStreamErrorKind, PublishError, PublishErrorKind};
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::{AckKind, Message};
use futures_util::{StreamExt, TryStreamExt};
use serde::Serialize;
use tokio::runtime::Runtime;

use super::connection::{Connection, MAX_REFUSALS, NatsOptions, OnNote, RETRY_DELAY};
use super::objects::{Objects, ReadError, is_missing};
use super::protocol::{
    AttemptOutcome, ChunkBody, ChunkMessage, Names, Notice, Report, SignedReport, StreamDescription, WORKERS,
    number_of,
};
use crate::chunk::Chunk;
use crate::queue::{AfterFailure, ChunkResult, Lease, QueueError, WorkQueue};

/// A chunk that was given to so many workers without a report counts as failed: each of them was stopped, ended or lost
/// the server while it searched the chunk.
const MAX_DELIVERIES: i64 = 10;
/// The time between two lists of the analyses of the server.
const LIST_INTERVAL: Duration = Duration::from_secs(10);
/// The same while there is none.
const EMPTY_LIST_INTERVAL: Duration = Duration::from_secs(2);
/// The time between two notices that the worker is there.
const ALIVE_INTERVAL: Duration = Duration::from_secs(5);
/// The time to wait for a chunk before the next list is due.
const WAIT: Duration = Duration::from_secs(2);

/// What a worker serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerOptions {
    /// How to reach the server.
    pub nats: NatsOptions,
    /// The build of this program; chunks of other builds are not searched.
    pub build: String,
    /// The only analysis to serve; none for all.
    pub analysis: Option<String>,
    /// The time without work after which the worker ends; none for never.
    pub idle: Option<Duration>,
}

/// An analysis that the server has.
struct Analysis {
    names: Names,
    lease: Duration,
    consumer: Consumer<pull::Config>,
    objects: Objects,
}

/// A chunk that is being searched here.
#[derive(Clone)]
struct Held {
    analysis: Arc<Analysis>,
    acker: Arc<Acker>,
    number: u64,
    last_progress: Duration,
}

/// The analyses of the last list.
#[derive(Default)]
struct Listed {
    analyses: Vec<Arc<Analysis>>,
    /// The time of the list; none if a new one is due.
    at: Option<Duration>,
    failures: u32,
    /// The analyses that were reported because they give this worker nothing.
    refused: HashSet<String>,
}

/// A connection that gives chunks to any number of workers. Its methods are the steps of a [`WorkQueue`], for callers
/// with a runtime of their own.
pub struct NatsWorker {
    connection: Connection,
    options: WorkerOptions,
    listed: tokio::sync::Mutex<Listed>,
    held: Mutex<HashMap<String, Held>>,
    next_analysis: AtomicUsize,
    /// When a thread last had work.
    last_work: Mutex<Duration>,
    /// When the coordinators last got a notice that the worker is there.
    last_notice: Mutex<Option<Duration>>,
    /// Whether chunks are given back from now on.
    is_released: AtomicBool,
}

impl NatsWorker {
    /// Connects to the server.
    ///
    /// # Errors
    /// If the server is not there, refuses the user, or has no JetStream.
    pub async fn open(options: WorkerOptions, on_note: &OnNote) -> Result<NatsWorker, QueueError> {
        let connection = Connection::open(&options.nats, on_note).await?;
        Ok(NatsWorker {
            connection,
            options,
            listed: tokio::sync::Mutex::default(),
            held: Mutex::default(),
            next_analysis: AtomicUsize::new(0),
            last_work: Mutex::new(alfil_engine::now()),
            last_notice: Mutex::default(),
            is_released: AtomicBool::new(false),
        })
    }

    /// Waits for a chunk; `None` after the time without work that the options give.
    ///
    /// # Errors
    /// If the server refuses, or the only analysis to serve is of another build.
    pub async fn lease(&self, worker: &str) -> Result<Option<Lease>, QueueError> {
        while !self.is_released.load(Ordering::SeqCst) {
            let analyses = self.analyses().await?;
            self.show_life().await;
            let first = self.next_analysis.fetch_add(1, Ordering::Relaxed);
            let wait = WAIT / analyses.len().clamp(1, 20) as u32;
            for index in 0..analyses.len() {
                let analysis = &analyses[(first + index) % analyses.len()];
                if let Some(lease) = self.take(analysis, worker, wait).await? {
                    return Ok(Some(lease));
                }
            }
            if self.is_idle() {
                return Ok(None);
            }
            if analyses.is_empty() {
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
        Ok(None)
    }

    /// Reports to the coordinators from time to time that the worker is there.
    async fn show_life(&self) {
        let now = alfil_engine::now();
        {
            let mut last = self.last_notice.lock().unwrap_or_else(PoisonError::into_inner);
            if last.is_some_and(|last| now - last < ALIVE_INTERVAL) {
                return;
            }
            *last = Some(now);
        }
        // Another thread that lists the analyses may take long, and does this next.
        let Ok(listed) = self.listed.try_lock() else { return };
        let worker = self.options.nats.worker_name().to_owned();
        for analysis in &listed.analyses {
            self.notice(&analysis.names, &Notice::Alive { worker: worker.clone() }).await;
        }
    }

    /// Returns whether no thread has had work for the time that the options give, with the server there.
    fn is_idle(&self) -> bool {
        let is_busy = !self.held().is_empty() || !self.connection.is_connected();
        let mut last_work = self.last_work.lock().unwrap_or_else(PoisonError::into_inner);
        // Not before the lock: another thread may just have set a later time.
        let now = alfil_engine::now();
        if is_busy {
            *last_work = now;
        }
        self.options.idle.is_some_and(|idle| now - *last_work >= idle)
    }

    /// Shows the server that the worker is alive, once in a third of the time after which its lease would end.
    pub async fn report_progress(&self, lease: &Lease) {
        self.show_life().await;
        let acker = {
            let mut held = self.held();
            let Some(held) = held.get_mut(&lease.worker) else { return };
            let now = alfil_engine::now();
            if now - held.last_progress < held.analysis.lease / 3 {
                return;
            }
            held.last_progress = now;
            held.acker.clone()
        };
        // Without a connection the lease may end: then another worker repeats the chunk.
        let _ = acker.ack_with(AckKind::Progress).await;
    }

    /// Uploads a result and reports it. Returns whether the report was the first one on the chunk.
    ///
    /// # Errors
    /// If the server refuses the upload.
    pub async fn acknowledge(&self, lease: &Lease, result: &ChunkResult) -> Result<bool, QueueError> {
        let Some(held) = self.held().get(&lease.worker).cloned() else { return Ok(false) };
        let name = format!("{}.{}.{}", lease.id, lease.worker, alfil_engine::now().as_nanos());
        let is_gone = async || self.is_gone(&held.analysis).await;
        let put = || held.analysis.objects.put(&name, &result.bytes);
        let object = self.connection.persist(put, is_gone).await;
        let reported = match object {
            Ok(Some(object)) => self.report(&held, lease, AttemptOutcome::Done { object }).await,
            Ok(None) => Ok(false),
            Err(error) => Err(error),
        };
        // Until here an interruption gives the chunk back.
        self.take_held(lease);
        reported
    }

    /// Reports a failed attempt. Returns whether the report was the first one on the chunk.
    ///
    /// # Errors
    /// If the server refuses the report.
    pub async fn fail(&self, lease: &Lease, reason: &str) -> Result<bool, QueueError> {
        let Some(held) = self.take_held(lease) else { return Ok(false) };
        let outcome = AttemptOutcome::Failed { reason: reason.to_owned() };
        self.report(&held, lease, outcome).await
    }

    /// Gives all chunks back, so that other workers have them at once. No further chunk is leased.
    pub async fn release(&self) {
        let held = self.held().drain().map(|(_, held)| held).collect();
        self.give_back(held).await;
    }

    /// Gives chunks back that are not held any more. No further chunk is leased.
    async fn give_back(&self, held: Vec<Held>) {
        self.is_released.store(true, Ordering::SeqCst);
        for held in held {
            let _ = held.acker.ack_with(AckKind::Nak(None)).await;
        }
        let _ = tokio::time::timeout(RETRY_DELAY, self.connection.client.flush()).await;
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the work on a chunk. The time without work begins here.
    fn take_held(&self, lease: &Lease) -> Option<Held> {
        *self.last_work.lock().unwrap_or_else(PoisonError::into_inner) = alfil_engine::now();
        self.held().remove(&lease.worker)
    }

    /// Returns the analyses of this build. They are listed again after some time.
    async fn analyses(&self) -> Result<Vec<Arc<Analysis>>, QueueError> {
        let mut listed = self.listed.lock().await;
        let interval = if listed.analyses.is_empty() { EMPTY_LIST_INTERVAL } else { LIST_INTERVAL };
        if listed.at.is_none_or(|at| alfil_engine::now() - at >= interval) {
            match self.list(&mut listed).await {
                Ok(analyses) => {
                    listed.analyses = analyses;
                    listed.failures = 0;
                }
                Err(ListError::Refused(error)) => return Err(error),
                Err(ListError::Failed(error)) => {
                    listed.failures += u32::from(self.connection.is_connected());
                    if listed.failures >= MAX_REFUSALS {
                        return Err(self.connection.error(error));
                    }
                }
            }
            listed.at = Some(alfil_engine::now());
        }
        Ok(listed.analyses.clone())
    }

    async fn list(&self, listed: &mut Listed) -> Result<Vec<Arc<Analysis>>, ListError> {
        let context = &self.connection.context;
        let failed = |error: &dyn std::fmt::Display| ListError::Failed(error.to_string());
        let mut streams = context.streams();
        let mut found = Vec::new();
        while let Some(info) = streams.try_next().await.map_err(|error| failed(&error))? {
            let Some(names) = Names::of_stream(&info.config.name) else { continue };
            if self.options.analysis.as_ref().is_some_and(|only| *only != names.id) {
                continue;
            }
            let description = info.config.description.unwrap_or_default();
            let Ok(description) = serde_json::from_str::<StreamDescription>(&description) else { continue };
            if description.build != self.options.build {
                self.refuse(&names, &description.build, listed).await?;
                continue;
            }
            if description.set_aside.iter().any(|name| name == self.options.nats.worker_name()) {
                self.note_set_aside(&names, listed)?;
                continue;
            }
            let lease = Duration::from_millis(description.lease_ms);
            // Its coordinator may have been started again with another lease.
            let is_same = |known: &&Arc<Analysis>| known.names == names && known.lease == lease;
            if let Some(known) = listed.analyses.iter().find(is_same) {
                found.push(known.clone());
                continue;
            }
            let consumer = context.get_consumer_from_stream(WORKERS, names.stream()).await;
            let objects = Objects::open(context, &names).await.map_err(|error| failed(&error))?;
            // Its coordinator is preparing it now.
            let (Ok(consumer), Some(objects)) = (consumer, objects) else { continue };
            found.push(Arc::new(Analysis { names, lease, consumer, objects }));
        }
        Ok(found)
    }

    /// Reports an analysis of another build to the user and to its coordinator.
    async fn refuse(&self, names: &Names, build: &str, listed: &mut Listed) -> Result<(), ListError> {
        let own = &self.options.build;
        let worker = self.options.nats.worker_name().to_owned();
        self.notice(names, &Notice::Refused { worker, build: own.clone() }).await;
        let text = format!("the analysis {} is of the build {build}, and this worker is {own}", names.id);
        if self.options.analysis.is_some() {
            let _ = self.connection.client.flush().await;
            return Err(ListError::Refused(self.connection.error(format!("{text}; use the same program"))));
        }
        if listed.refused.insert(names.id.clone()) {
            self.connection.note(format!("{text}: it is left to other workers"));
        }
        Ok(())
    }

    /// Says that the coordinator of an analysis takes no reports of this worker.
    fn note_set_aside(&self, names: &Names, listed: &mut Listed) -> Result<(), ListError> {
        let text = format!(
            "the coordinator of the analysis {} takes no results of {}: `alfil status` says there why",
            names.id,
            self.options.nats.worker_name()
        );
        if self.options.analysis.is_some() {
            return Err(ListError::Refused(self.connection.error(text)));
        }
        if listed.refused.insert(names.id.clone()) {
            self.connection.note(text);
        }
        Ok(())
    }

    async fn notice(&self, names: &Names, notice: &Notice) {
        let _ = self.connection.client.publish(names.notice_subject(), to_json(notice).into()).await;
    }

    /// Makes the next list due.
    async fn clear_list(&self) {
        let mut listed = self.listed.lock().await;
        listed.at = None;
        listed.analyses.clear();
    }

    /// Waits some time for a chunk of an analysis.
    async fn take(
        &self,
        analysis: &Arc<Analysis>,
        worker: &str,
        wait: Duration,
    ) -> Result<Option<Lease>, QueueError> {
        let batch = analysis.consumer.batch().max_messages(1).expires(wait).messages().await;
        let message = match batch {
            Ok(mut batch) => batch.next().await,
            Err(error) => Some(Err(error.into())),
        };
        match message {
            Some(Ok(message)) => self.accept(analysis, message, worker).await,
            Some(Err(_)) => {
                // The analysis is finished, or its server is lost.
                self.clear_list().await;
                tokio::time::sleep(RETRY_DELAY).await;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// Reads the message of a chunk.
    async fn accept(
        &self,
        analysis: &Arc<Analysis>,
        message: Message,
        worker: &str,
    ) -> Result<Option<Lease>, QueueError> {
        if self.is_released.load(Ordering::SeqCst) {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return Ok(None);
        }
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let (message, acker) = message.split();
        let parsed = serde_json::from_slice::<ChunkMessage>(&message.payload).ok();
        let (Some(number), Some(parsed)) = (number_of(&message.subject), parsed) else {
            self.connection.note(format!("{}: the message is no chunk", message.subject));
            let _ = acker.ack_with(AckKind::Term).await;
            return Ok(None);
        };
        let own_name = self.options.nats.worker_name();
        let is_check = parsed.found_by.is_some();
        if parsed.found_by.as_deref() == Some(own_name) {
            // Another worker gets it, as soon as one is free.
            let _ = acker.ack_with(AckKind::Nak(Some(RETRY_DELAY))).await;
            return Ok(None);
        }
        let chunk = match parsed.body {
            ChunkBody::Chunk(chunk) => Ok(chunk),
            ChunkBody::Object(object) => {
                let read = analysis.objects.get(&object).await;
                read.and_then(|bytes| {
                    serde_json::from_slice::<Chunk>(&bytes)
                        .map_err(|error| ReadError::Lost(error.to_string()))
                })
            }
        };
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) => {
                // The coordinator sends a chunk again that is neither in the stream nor reported.
                let (kind, ReadError::Lost(what) | ReadError::Failed(what)) = match &error {
                    ReadError::Lost(_) => (AckKind::Term, error),
                    ReadError::Failed(_) => (AckKind::Nak(Some(RETRY_DELAY)), error),
                };
                self.connection.note(format!("chunk {number} cannot be read: {what}"));
                let _ = acker.ack_with(kind).await;
                return Ok(None);
            }
        };
        let last_progress = alfil_engine::now();
        let (analysis, acker) = (analysis.clone(), Arc::new(acker));
        let held = Held { analysis, acker, number, last_progress };
        // A chunk whose result is checked may be delivered often to the worker that has found it.
        let is_suspect = parsed.is_suspect || deliveries > 1 && !is_check;
        let (id, failed_attempts) = (parsed.id, parsed.failed_attempts);
        let lease = Lease { id, number, chunk, worker: worker.to_owned(), failed_attempts, is_suspect };
        if deliveries > MAX_DELIVERIES && !is_check {
            let given = deliveries - 1;
            let reason = format!("{given} workers had it, and none of them reported a result or a failure");
            self.report(&held, &lease, AttemptOutcome::Failed { reason }).await?;
            return Ok(None);
        }
        let (names, acker) = (held.analysis.names.clone(), held.acker.clone());
        let is_kept = {
            let mut all = self.held();
            let is_kept = !self.is_released.load(Ordering::SeqCst);
            if is_kept {
                all.insert(worker.to_owned(), held);
            }
            is_kept
        };
        if !is_kept {
            let _ = acker.ack_with(AckKind::Nak(None)).await;
            return Ok(None);
        }
        self.notice(&names, &Notice::Started { number, worker: own_name.to_owned() }).await;
        Ok(Some(lease))
    }

    /// Sends a report on a chunk, and acknowledges the chunk. Returns whether it was the first report.
    async fn report(&self, held: &Held, lease: &Lease, outcome: AttemptOutcome) -> Result<bool, QueueError> {
        let report = Report {
            id: lease.id.clone(),
            worker: self.options.nats.worker_name().to_owned(),
            failed_attempts: lease.failed_attempts,
            outcome,
        };
        let report = to_json_text(&report);
        let signed = match &self.options.nats.key {
            Some(key) => key.sign(&held.analysis.names.id, held.number, report),
            None => SignedReport { report, signature: None },
        };
        let payload = to_json(&signed);
        let subject = held.analysis.names.report_subject(held.number);
        let is_gone = async || self.is_gone(&held.analysis).await;
        let context = &self.connection.context;
        let publish = || publish_once(context, subject.clone(), payload.clone());
        let is_first = self.connection.persist(publish, is_gone).await?;
        // A chunk whose acknowledgement is lost is repeated, which is harmless.
        let _ = held.acker.double_ack().await;
        Ok(is_first.unwrap_or(false))
    }

    /// Returns whether the analysis is no longer on the server: finished, or lost with its store.
    async fn is_gone(&self, analysis: &Analysis) -> bool {
        for stream in [analysis.names.stream(), analysis.names.bucket_stream()] {
            if let Err(error) = self.connection.context.get_stream(stream).await
                && let GetStreamErrorKind::JetStream(error) = error.kind()
                && is_missing(&error)
            {
                return true;
            }
        }
        false
    }
}

/// The reason why analyses were not listed.
enum ListError {
    /// The only analysis to serve is of another build.
    Refused(QueueError),
    /// The server did not answer.
    Failed(String),
}

/// Publishes a message on a subject that has space for one; false if it has one already.
pub(super) async fn publish_once(
    context: &async_nats::jetstream::Context,
    subject: String,
    payload: Vec<u8>,
) -> Result<bool, PublishError> {
    // The stream refuses a second message, too, but with the code of all errors of its store. This has its own.
    let message = PublishMessage::build().payload(payload.into()).expected_last_subject_sequence(0);
    match context.send_publish(subject, message).await?.await {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
        Err(error) => Err(error),
    }
}

pub(super) fn to_json(value: &impl Serialize) -> Vec<u8> {
    to_json_text(value).into_bytes()
}

pub(super) fn to_json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data can be written as JSON")
}

/// The queue of a process on any machine; several threads may work on it.
pub struct NatsQueue {
    runtime: Runtime,
    worker: NatsWorker,
}

impl NatsQueue {
    /// Connects to the server.
    ///
    /// # Errors
    /// If the server is not there, refuses the user, or has no JetStream.
    pub fn open(options: WorkerOptions, on_note: &OnNote) -> Result<NatsQueue, QueueError> {
        let runtime = new_runtime(&options.nats)?;
        let worker = runtime.block_on(NatsWorker::open(options, on_note))?;
        Ok(NatsQueue { runtime, worker })
    }

    /// Gives all chunks back, so that other workers have them at once. For a worker that is about to end.
    pub fn release(&self) {
        self.runtime.block_on(self.worker.release());
    }

    /// After an error no thread waits for a further chunk.
    fn or_end<T>(&self, result: Result<T, QueueError>) -> Result<T, QueueError> {
        if result.is_err() {
            self.worker.is_released.store(true, Ordering::SeqCst);
        }
        result
    }
}

/// Creates a runtime whose one thread keeps the connection alive while others search.
pub(super) fn new_runtime(options: &NatsOptions) -> Result<Runtime, QueueError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(|error| QueueError::Server {
        address: super::display_address(&options.url),
        what: format!("cannot start a thread for the connection: {error}"),
    })
}

impl WorkQueue for NatsQueue {
    fn lease(&self, worker: &str) -> Result<Option<Lease>, QueueError> {
        self.or_end(self.runtime.block_on(self.worker.lease(worker)))
    }

    /// JetStream does not say whether another worker has the chunk now: a repeated chunk is counted once all the same.
    fn report_progress(&self, lease: &Lease) -> Result<bool, QueueError> {
        self.runtime.block_on(self.worker.report_progress(lease));
        Ok(true)
    }

    fn acknowledge(&self, lease: &Lease, result: &ChunkResult) -> Result<bool, QueueError> {
        self.or_end(self.runtime.block_on(self.worker.acknowledge(lease, result)))
    }

    /// The coordinator counts the attempt, and decides whether the chunk is tried again.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<AfterFailure, QueueError> {
        let is_first = self.or_end(self.runtime.block_on(self.worker.fail(lease, reason)))?;
        Ok(if is_first { AfterFailure::Retried } else { AfterFailure::NotLeased })
    }

    fn give_back(&self, lease: &Lease) {
        let held = self.worker.take_held(lease).into_iter().collect();
        self.runtime.block_on(self.worker.give_back(held));
    }
}
