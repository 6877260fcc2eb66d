//! The side of the coordinator: it sends chunks, stores results, and sends again what the server has lost.

mod checks;
mod reports;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::DeleteStreamErrorKind;
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, Stream};
use futures_util::TryStreamExt;
use futures_util::future::join_all;

use self::checks::Check;
use super::connection::{Connection, MAX_REFUSALS, NatsOptions, OnNote, RETRY_DELAY};
use super::keys::WatchedKeys;
use super::objects::{HEADER_BYTES, Objects, is_missing};
use super::protocol::{COORDINATOR, ChunkBody, ChunkMessage, Names, StreamDescription, WORKERS, number_of};
use super::worker::{new_runtime, publish_once, to_json, to_json_text};
use crate::queue::{Lease, QueueError};
use crate::sqlite_queue::SqliteQueue;
use crate::worker_loop::ChunkEvent;

/// The number of chunks that are on the server at a time.
const WINDOW: usize = 20_000;
/// The number of messages that are sent or received together.
const GROUP: usize = 128;
/// The messages that an analysis without an end leaves on a server are removed after this time.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// The time after which the user is reminded that no worker has taken a chunk.
const REMINDER: Duration = Duration::from_secs(30);
/// The longest time after which the coordinator looks for what the server has lost.
const MAX_REPAIR_INTERVAL: Duration = Duration::from_secs(60);
/// The number of groups that are sent before reports are received.
const GROUPS_PER_STEP: usize = 8;
/// The number of chunks that workers may have at a time, and of workers that may wait.
const MAX_HELD: i64 = 1_000_000;

/// The time between two notes in the manifest of which workers are there.
const WORKERS_INTERVAL: Duration = Duration::from_secs(5);
/// One chunk in so many is searched twice, if nothing else is chosen.
pub const DEFAULT_CHECK_INTERVAL: u64 = 50;

/// How to coordinate an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoordinatorOptions {
    /// How to reach the server.
    pub nats: NatsOptions,
    /// The time after which a chunk of a silent worker is given to another one.
    pub lease: Duration,
    /// One chunk in so many is searched twice, by different workers; 0: none.
    pub check_interval: u64,
    /// The file with the keys of the workers, whose reports alone are taken; without it those of all.
    pub keys: Option<PathBuf>,
}

/// What came out beside the results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoordinationTotals {
    /// The number of chunks that two workers searched with the same result.
    pub checked: u64,
    /// The number of chunks that were to be searched twice, and were not because there was only one worker.
    pub unchecked: u64,
    /// The workers whose results are not taken, with the reason.
    pub set_aside: BTreeMap<String, String>,
}

/// Has all chunks of a queue searched by the workers of a NATS server, and returns when each has a result or
/// has failed. What the analysis had on the server is then removed. `on_event` receives what happens to chunks.
///
/// A server that is lost on the way is waited for. When `is_stopped` becomes true, the chunks that wait on the server
/// are removed, so that its workers take those of other analyses, and the function returns early; reports that come
/// later remain on the server. The next call goes on from there.
///
/// One chunk in [`check_interval`](CoordinatorOptions::check_interval) is searched by two workers. If their results
/// differ, it is searched here, and the worker with another result is set aside: its chunks are searched again by
/// others, and no report of it is taken any more. Results with a limit of time differ from search to search: they are
/// not checked.
///
/// # Errors
/// If the server is not there at the start, has no JetStream, or refuses; or if the folder cannot be written, or the
/// keys cannot be read.
pub fn coordinate(
    queue: &SqliteQueue,
    options: &CoordinatorOptions,
    is_stopped: &AtomicBool,
    on_note: &OnNote,
    on_event: &(dyn Fn(ChunkEvent) + Sync),
) -> Result<CoordinationTotals, QueueError> {
    let unfinished = queue.unfinished()?;
    if unfinished.is_empty() && !queue.has_remote_id()? {
        return Ok(CoordinationTotals::default());
    }
    let keys = options.keys.as_deref().map(WatchedKeys::open).transpose()?;
    let runtime = new_runtime(&options.nats)?;
    runtime.block_on(async {
        let connection = match Connection::open(&options.nats, on_note).await {
            Ok(connection) => connection,
            Err(error) if unfinished.is_empty() => {
                on_note(format!("{error}; the analysis is complete, and what it has on the server remains"));
                return Ok(CoordinationTotals::default());
            }
            Err(error) => return Err(error),
        };
        let (build, is_timed) = {
            let manifest = queue.manifest();
            (manifest.options().build.clone(), manifest.options().movetime_ms.is_some())
        };
        let check_interval = if is_timed { 0 } else { options.check_interval };
        let sample = checks::sample(queue.check_seed()?, queue.counts()?.chunks(), check_interval);
        let open = queue.unchecked()?.into_iter().filter(|(number, _)| sample.contains(number));
        let checks = open.map(|(number, found_by)| (number, Check::new(found_by))).collect();
        let totals = CoordinationTotals { set_aside: queue.workers_set_aside()?, ..Default::default() };
        let names = Names::new(&queue.remote_id()?);
        connection.note(format!("{}: the analysis is {}", connection.address, names.id));
        let coordinator = Coordinator {
            queue,
            names,
            build,
            lease: options.lease,
            is_stopped,
            on_event,
            unfinished,
            sent: HashSet::new(),
            to_send: VecDeque::new(),
            refused: HashSet::new(),
            keys,
            workers: HashMap::new(),
            seen: BTreeSet::new(),
            seen_at: None,
            sample,
            checks,
            is_description_old: false,
            totals,
            started_at: alfil_engine::now(),
            has_worker: false,
            has_reminded: false,
            connection,
        };
        coordinator.run().await
    })
}

struct Coordinator<'a> {
    queue: &'a SqliteQueue,
    connection: Connection,
    names: Names,
    build: String,
    lease: Duration,
    is_stopped: &'a AtomicBool,
    on_event: &'a (dyn Fn(ChunkEvent) + Sync),
    /// The chunks without a result.
    unfinished: BTreeSet<u64>,
    /// Those of which the stream has the chunk or a report.
    sent: HashSet<u64>,
    /// The others, in the order in which they are sent.
    to_send: VecDeque<u64>,
    /// The workers whose refusal was reported, with the reason.
    refused: HashSet<(String, String)>,
    /// The keys of the workers.
    keys: Option<WatchedKeys>,
    /// The workers, with the time of the last message of each.
    workers: HashMap<String, Duration>,
    /// Those that were there since the last note of them in the manifest, and the time of that note.
    seen: BTreeSet<String>,
    seen_at: Option<Duration>,
    /// The chunks that are searched twice.
    sample: HashSet<u64>,
    /// Those of them that have one result.
    checks: BTreeMap<u64, Check>,
    /// Whether the stream does not say yet which workers are set aside.
    is_description_old: bool,
    totals: CoordinationTotals,
    started_at: Duration,
    has_worker: bool,
    has_reminded: bool,
}

/// What the analysis has on the server.
struct Server {
    stream: Stream,
    reports: Consumer<pull::Config>,
    objects: Objects,
    notices: Subscriber,
    /// The number of reconnections before this was prepared.
    reconnections: u64,
    /// The time of the last comparison with the manifest.
    compared_at: Option<Duration>,
    /// Whether no report came during the last wait.
    is_idle: bool,
    /// The reports that the last comparison found.
    listed_reports: BTreeSet<u64>,
    /// Whether workers waited at the last comparison while there were chunks and none was being searched.
    was_stuck: bool,
}

/// Why a step did not succeed.
enum StepError {
    /// The server did not answer, or refused.
    Server(String),
    /// The folder cannot be written: there is no use in repeating.
    Folder(QueueError),
}

impl From<QueueError> for StepError {
    fn from(error: QueueError) -> Self {
        StepError::Folder(error)
    }
}

fn refused(error: impl std::fmt::Display) -> StepError {
    StepError::Server(error.to_string())
}

impl Coordinator<'_> {
    async fn run(mut self) -> Result<CoordinationTotals, QueueError> {
        let (mut server, mut refusals) = (None, 0);
        while !self.unfinished.is_empty() || self.has_checks() {
            if self.is_stopped.load(Ordering::SeqCst) {
                self.remove_chunks().await;
                return Ok(self.totals);
            }
            self.advance_checks()?;
            self.update_workers()?;
            match self.step(&mut server).await {
                Ok(()) => refusals = 0,
                Err(StepError::Folder(error)) => return Err(error),
                Err(StepError::Server(what)) => {
                    server = None;
                    refusals = if self.connection.is_connected() { refusals + 1 } else { 0 };
                    if refusals >= MAX_REFUSALS {
                        return Err(self.connection.error(what));
                    }
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
            self.remind();
        }
        self.clean_up().await?;
        Ok(self.totals)
    }

    /// Reads keys that were changed, and notes in the manifest which workers are there.
    fn update_workers(&mut self) -> Result<(), QueueError> {
        self.is_description_old |= self.keys.as_mut().is_some_and(WatchedKeys::update);
        let now = alfil_engine::now();
        if !self.seen.is_empty() && self.seen_at.is_none_or(|at| now - at >= WORKERS_INTERVAL) {
            self.queue.note_workers(&std::mem::take(&mut self.seen))?;
            self.seen_at = Some(now);
        }
        Ok(())
    }

    /// Sends chunks and receives reports. What the server has is compared with the manifest from time to time, and
    /// after each loss of the connection.
    async fn step(&mut self, server: &mut Option<Server>) -> Result<(), StepError> {
        let reconnections = self.connection.reconnections();
        let is_current = |server: &Server| server.reconnections == reconnections && !self.is_description_old;
        let current = match server.take().filter(is_current) {
            Some(current) => current,
            None => self.prepare(reconnections).await?,
        };
        self.is_description_old = false;
        let current = server.insert(current);
        let now = alfil_engine::now();
        if current.compared_at.is_none_or(|at| now - at >= self.repair_interval()) {
            if !self.compare(current).await? {
                *server = None;
                return Ok(());
            }
            current.compared_at = Some(now);
        }
        self.send(current).await?;
        self.receive(current).await
    }

    /// Returns the time after which the server is compared with the manifest again, and after which reports that an
    /// ended coordinator had taken come again.
    fn repair_interval(&self) -> Duration {
        self.lease.min(MAX_REPAIR_INTERVAL)
    }

    /// Creates what is missing on the server.
    async fn prepare(&self, reconnections: u64) -> Result<Server, StepError> {
        let (context, names) = (&self.connection.context, &self.names);
        // The object store is first: a worker that finds the stream needs it.
        let objects = match Objects::open(context, names).await.map_err(StepError::Server)? {
            Some(objects) => objects,
            None => {
                let config =
                    object_store::Config { bucket: names.bucket(), max_age: MAX_AGE, ..Default::default() };
                context.create_object_store(config).await.map_err(refused)?;
                let opened = Objects::open(context, names).await.map_err(StepError::Server)?;
                opened.ok_or_else(|| refused("the object store is missing"))?
            }
        };
        let revoked = self.keys.iter().flat_map(|keys| keys.list().revoked()).map(str::to_owned);
        let description = StreamDescription {
            build: self.build.clone(),
            lease_ms: self.lease.as_millis() as u64,
            set_aside: self.totals.set_aside.keys().cloned().chain(revoked).collect(),
        };
        let config = stream::Config {
            name: names.stream(),
            description: Some(to_json_text(&description)),
            subjects: vec![names.chunk_subject("*"), names.report_subject("*")],
            retention: RetentionPolicy::WorkQueue,
            // A chunk is there once, and has one report.
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_age: MAX_AGE,
            ..Default::default()
        };
        context.create_or_update_stream(config).await.map_err(refused)?;
        let stream = context.get_stream(names.stream()).await.map_err(refused)?;
        let consumer = |name: &str, ack_wait: Duration, filter_subject: String| pull::Config {
            durable_name: Some(name.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            filter_subject,
            max_ack_pending: MAX_HELD,
            max_waiting: MAX_HELD,
            ..Default::default()
        };
        let reports = consumer(COORDINATOR, self.repair_interval(), names.report_subject("*"));
        let reports = stream.create_consumer(reports).await.map_err(refused)?;
        let workers = consumer(WORKERS, self.lease, names.chunk_subject("*"));
        stream.create_consumer(workers).await.map_err(refused)?;
        let notices = self.connection.client.subscribe(names.notice_subject()).await.map_err(refused)?;
        Ok(Server {
            stream,
            reports,
            objects,
            notices,
            reconnections,
            compared_at: None,
            is_idle: false,
            listed_reports: BTreeSet::new(),
            was_stuck: false,
        })
    }

    /// Compares what the server has with the manifest: chunks of which it has neither the chunk nor a report are sent
    /// again. Returns false if a consumer was stuck and has been removed.
    async fn compare(&mut self, server: &mut Server) -> Result<bool, StepError> {
        let all = format!("alfil.{}.>", self.names.id);
        let mut listed = server.stream.info_builder().subjects(all).fetch().await.map_err(refused)?;
        let reports = self.names.report_subject("");
        let (mut listed_chunks, mut listed_reports) = (HashSet::new(), BTreeSet::new());
        while let Some((subject, _)) = listed.try_next().await.map_err(refused)? {
            let Some(number) = number_of(&subject) else { continue };
            if subject.starts_with(&reports) {
                listed_reports.insert(number);
            } else {
                listed_chunks.insert(number);
            }
        }
        let workers = server.stream.consumer_info(WORKERS).await.map_err(refused)?;
        let is_stuck = !listed_chunks.is_empty() && workers.num_waiting > 0 && workers.num_ack_pending == 0;
        // After a crash of the server a consumer may take messages for delivered that are still there.
        let removed = if is_stuck && server.was_stuck {
            Some(WORKERS)
        } else if server.is_idle && listed_reports.intersection(&server.listed_reports).next().is_some() {
            Some(COORDINATOR)
        } else {
            None
        };
        if let Some(name) = removed {
            server.stream.delete_consumer(name).await.map_err(refused)?;
            return Ok(false);
        }
        server.was_stuck = is_stuck;
        listed_chunks.extend(&listed_reports);
        server.listed_reports = listed_reports;
        self.sent = listed_chunks;
        let is_lost = |number: &u64| !self.sent.contains(number);
        self.to_send = self.unfinished.iter().copied().filter(is_lost).collect();
        Ok(true)
    }

    /// Sends chunks as long as there is space for them.
    async fn send(&mut self, server: &Server) -> Result<(), StepError> {
        let mut refused_numbers = Vec::new();
        for _ in 0..GROUPS_PER_STEP {
            let count = WINDOW.saturating_sub(self.sent.len()).min(GROUP).min(self.to_send.len());
            if count == 0 {
                break;
            }
            let mut numbers: Vec<u64> = self.to_send.drain(..count).collect();
            numbers.retain(|number| {
                let is_wanted = self.unfinished.contains(number) || self.is_check_possible(*number);
                is_wanted && !self.sent.contains(number)
            });
            let mut messages = Vec::with_capacity(count);
            for &number in &numbers {
                let message = self.message(server, number).await?;
                messages.push(publish_once(
                    &self.connection.context,
                    self.names.chunk_subject(number),
                    message,
                ));
            }
            for (number, result) in numbers.into_iter().zip(join_all(messages).await) {
                match result {
                    Ok(true) => drop(self.sent.insert(number)),
                    // The failed attempt before is not yet acknowledged.
                    Ok(false) => refused_numbers.push(number),
                    Err(error) => return Err(refused(error)),
                }
            }
        }
        self.to_send.extend(refused_numbers);
        Ok(())
    }

    /// Returns the message of a chunk. One that is too large for a message is put into the object store.
    async fn message(&self, server: &Server, number: u64) -> Result<Vec<u8>, StepError> {
        let Lease { id, chunk, failed_attempts, is_suspect, .. } = self.queue.remote_lease(number)?;
        let found_by = self.checks.get(&number).map(|check| check.found_by.clone());
        let message = |body| ChunkMessage {
            id: id.clone(),
            failed_attempts,
            is_suspect,
            found_by: found_by.clone(),
            body,
        };
        let text = to_json(&message(ChunkBody::Chunk(chunk.clone())));
        if text.len() + HEADER_BYTES <= self.connection.client.max_payload() {
            return Ok(text);
        }
        let object = server.objects.put(&format!("{id}.chunk"), &to_json(&chunk)).await;
        Ok(to_json(&message(ChunkBody::Object(object.map_err(StepError::Server)?))))
    }

    /// Reminds the user that workers are needed.
    fn remind(&mut self) {
        let now = alfil_engine::now();
        if !self.has_worker && !self.has_reminded && now - self.started_at >= REMINDER {
            self.has_reminded = true;
            let address = &self.connection.address;
            self.connection.note(format!(
                "{address}: no worker has taken a chunk yet; start `alfil worker {address}` with this program on any machine"
            ));
        }
    }

    /// Removes the chunks that wait on the server. Without a connection they remain.
    async fn remove_chunks(&self) {
        if !self.connection.is_connected() {
            return;
        }
        if let Ok(stream) = self.connection.context.get_stream(self.names.stream()).await {
            let _ = stream.purge().filter(self.names.chunk_subject("*")).await;
        }
    }

    /// Removes what the finished analysis has on the server.
    async fn clean_up(&self) -> Result<(), QueueError> {
        let context = &self.connection.context;
        for stream in [self.names.stream(), self.names.bucket_stream()] {
            let mut refusals = 0;
            while let Err(error) = context.delete_stream(&stream).await {
                if matches!(error.kind(), DeleteStreamErrorKind::JetStream(error) if is_missing(&error)) {
                    break;
                }
                refusals += 1;
                if refusals >= MAX_REFUSALS {
                    let address = &self.connection.address;
                    self.connection.note(format!(
                        "{address}: {error}: {stream} remains; the same command again removes it"
                    ));
                    return Ok(());
                }
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
        self.queue.delete_remote_id()
    }
}
