//! What the coordinator receives: reports with results, which are acknowledged when they are stored, and notices, which
//! may be lost.

use std::collections::HashSet;
use std::time::Duration;

use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{AckKind, Message};
use futures_util::future::join_all;
use futures_util::{FutureExt, StreamExt};

use super::checks::Check;
use super::{Coordinator, GROUP, Server, StepError, refused};
use crate::nats_queue::connection::RETRY_DELAY;
use crate::nats_queue::objects::{Objects, ReadError};
use crate::nats_queue::protocol::{AttemptOutcome, Notice, Report, SignedReport, number_of};
use crate::queue::{ChunkResult, Lease};
use crate::sqlite_queue::remote::{RemoteChange, RemoteEffect};
use crate::worker_loop::ChunkEvent;

/// The time to wait for a group of reports.
const WAIT: Duration = Duration::from_millis(500);

/// A report on a chunk without a result.
struct OpenReport {
    lease: Lease,
    report: Report,
    acker: Acker,
}

/// What follows from a report.
enum Reading {
    /// The result.
    Result(ChunkResult),
    /// The attempt failed.
    Failed { reason: String },
    /// The server has lost the result: the chunk must be sent again.
    Lost(String),
    /// The server did not answer.
    Unknown(String),
}

impl Coordinator<'_> {
    /// Waits a moment for reports, and stores them.
    pub(super) async fn receive(&mut self, server: &mut Server) -> Result<(), StepError> {
        let batch = server.reports.batch().max_messages(GROUP).expires(WAIT).messages().await;
        // All are taken before any is stored, because those left in a batch come again only after the
        // repair interval.
        let messages: Vec<_> = batch.map_err(refused)?.collect().await;
        server.is_idle = messages.is_empty();
        self.receive_notices(server)?;
        let mut error = None;
        let mut received = Vec::new();
        for message in messages {
            match message {
                Ok(message) => received.push(message),
                Err(failed) => error = Some(refused(failed)),
            }
        }
        self.store(server, received).await?;
        error.map_or(Ok(()), Err)
    }

    /// Reads a report, and says whether it counts: it does not if it is not signed as the keys demand, or if its worker
    /// is set aside. `None` if it cannot be read.
    fn accept(&mut self, number: u64, payload: &[u8]) -> Option<(Report, bool)> {
        let signed = serde_json::from_slice::<SignedReport>(payload).ok()?;
        let report = serde_json::from_str::<Report>(&signed.report).ok()?;
        let worker = report.worker.clone();
        let verified = match &self.keys {
            Some(keys) => keys.list().verify(&self.names.id, number, &worker, &signed),
            None => Ok(()),
        };
        let counts = match verified {
            Err(what) => {
                if self.refused.insert((worker.clone(), what.to_owned())) {
                    self.connection.note(format!("a report of the worker {worker} is refused: {what}"));
                }
                false
            }
            Ok(()) => !self.totals.set_aside.contains_key(&worker),
        };
        if counts {
            self.note_life(worker);
        }
        Some((report, counts))
    }

    /// Notes that a worker is there.
    fn note_life(&mut self, worker: String) {
        self.seen.insert(worker.clone());
        self.workers.insert(worker, alfil_engine::now());
    }

    /// Stores a group of reports, and acknowledges them.
    async fn store(&mut self, server: &Server, messages: Vec<Message>) -> Result<(), StepError> {
        let reports = self.open_reports(server, messages).await?;
        let readings = join_all(reports.iter().map(|open| read(&server.objects, open))).await;
        let (mut changes, mut stored, mut error) = (Vec::new(), Vec::new(), None);
        for (open, reading) in reports.into_iter().zip(readings) {
            let OpenReport { lease, report, acker } = &open;
            let number = lease.number;
            let failed_attempts = report.failed_attempts;
            if self.checks.contains_key(&number) && !matches!(reading, Reading::Unknown(_)) {
                self.sent.remove(&number);
                let result = match reading {
                    Reading::Result(result) => Ok(result),
                    Reading::Failed { reason } | Reading::Lost(reason) | Reading::Unknown(reason) => {
                        Err(reason)
                    }
                };
                self.check_result(lease, &report.worker, result)?;
                open.acker.ack().await.map_err(refused)?;
                if let AttemptOutcome::Done { object } = &open.report.outcome {
                    let _ = server.objects.remove(object).await;
                }
                continue;
            }
            match &reading {
                Reading::Result(result) => {
                    self.queue.store_result(lease, result)?;
                    let worker = report.worker.clone();
                    changes.push(RemoteChange::Done { number, worker, nodes: result.nodes });
                }
                Reading::Failed { reason } => {
                    let reason = reason.clone();
                    changes.push(RemoteChange::Failed { number, failed_attempts, reason });
                }
                Reading::Lost(what) => {
                    self.connection.note(format!("chunk {number}: {what}; it is searched again"));
                    acker.ack().await.map_err(refused)?;
                    self.sent.remove(&number);
                    self.to_send.push_back(number);
                    continue;
                }
                Reading::Unknown(what) => {
                    let _ = acker.ack_with(AckKind::Nak(Some(RETRY_DELAY))).await;
                    error = Some(StepError::Server(what.clone()));
                    continue;
                }
            }
            stored.push((open, reading));
        }
        // From here on the results count, whatever happens to the acknowledgements.
        for ((open, reading), effect) in stored.iter().zip(self.queue.apply(&changes)?) {
            self.note_effect(open, reading, effect);
        }
        for (open, _) in &stored {
            open.acker.ack().await.map_err(refused)?;
        }
        // An object that remains is removed with the object store.
        join_all(stored.iter().filter_map(|(open, _)| match &open.report.outcome {
            AttemptOutcome::Done { object } => Some(server.objects.remove(object)),
            AttemptOutcome::Failed { .. } => None,
        }))
        .await;
        error.map_or(Ok(()), Err)
    }

    /// Returns the reports that count, one for each chunk. The others are acknowledged.
    async fn open_reports(
        &mut self,
        server: &Server,
        messages: Vec<Message>,
    ) -> Result<Vec<OpenReport>, StepError> {
        let mut reports: Vec<OpenReport> = Vec::new();
        let mut numbers = HashSet::new();
        for message in messages {
            let number = number_of(&message.subject);
            let report = number.and_then(|number| self.accept(number, &message.payload));
            let wanted = |number: &u64| self.unfinished.contains(number) || self.checks.contains_key(number);
            let number = number.filter(wanted);
            let (_, acker) = message.split();
            match (number, report) {
                (Some(number), Some((report, true))) if numbers.insert(number) => {
                    reports.push(OpenReport { lease: self.queue.remote_lease(number)?, report, acker });
                }
                (_, report) => {
                    // The chunk is done or has failed for good, the report came twice, is refused, or cannot be parsed:
                    // then the chunk is sent again at the next comparison with the server.
                    let report = report.map(|(report, _)| report);
                    if let Some(Report { outcome: AttemptOutcome::Done { object }, .. }) = report {
                        let _ = server.objects.remove(&object).await;
                    }
                    acker.ack().await.map_err(refused)?;
                    if let Some(number) = number.filter(|number| !numbers.contains(number)) {
                        self.sent.remove(&number);
                        self.to_send.push_back(number);
                    }
                }
            }
        }
        Ok(reports)
    }

    /// Brings the lists of chunks up to date with the manifest, and reports the event.
    fn note_effect(&mut self, open: &OpenReport, reading: &Reading, effect: RemoteEffect) {
        let number = open.lease.number;
        self.has_worker = true;
        self.sent.remove(&number);
        let event = match (reading, effect) {
            (Reading::Result(result), _) => {
                self.unfinished.remove(&number);
                if self.sample.contains(&number) {
                    self.checks.insert(number, Check::new(open.report.worker.clone()));
                }
                let is_counted = effect == RemoteEffect::Counted;
                let ChunkResult { positions, nodes, .. } = *result;
                ChunkEvent::Done { number, positions, nodes, search_time: Duration::ZERO, is_counted }
            }
            (Reading::Failed { reason }, RemoteEffect::Retried | RemoteEffect::ChunkFailed) => {
                let is_last = effect == RemoteEffect::ChunkFailed;
                if is_last {
                    self.unfinished.remove(&number);
                } else {
                    self.to_send.push_back(number);
                }
                ChunkEvent::AttemptFailed { number, reason: reason.clone(), is_last }
            }
            // The report of an earlier attempt: the chunk is searched once more.
            _ => {
                self.to_send.push_back(number);
                return;
            }
        };
        (self.on_event)(event);
    }

    /// Notes who has which chunk, and which workers have another build.
    fn receive_notices(&mut self, server: &mut Server) -> Result<(), StepError> {
        let mut changes = Vec::new();
        while let Some(Some(message)) = server.notices.next().now_or_never() {
            match serde_json::from_slice(&message.payload) {
                Ok(Notice::Alive { worker }) => self.note_life(worker),
                Ok(Notice::Started { number, worker }) => {
                    self.has_worker = true;
                    self.note_life(worker.clone());
                    changes.push(RemoteChange::Started { number, worker });
                }
                Ok(Notice::Refused { worker, build }) => {
                    if self.refused.insert((worker.clone(), build.clone())) {
                        let own = &self.build;
                        self.connection.note(format!(
                            "the worker {worker} is of the build {build} and gets no chunks; this analysis is of {own}"
                        ));
                    }
                }
                Err(_) => {}
            }
        }
        self.queue.apply(&changes)?;
        Ok(())
    }
}

/// Reads what a report refers to.
async fn read(objects: &Objects, open: &OpenReport) -> Reading {
    let failed = |reason: String| Reading::Failed { reason };
    if open.report.id != open.lease.id {
        return failed(format!("the report is on another chunk, {}", open.report.id));
    }
    match &open.report.outcome {
        AttemptOutcome::Failed { reason } => Reading::Failed { reason: reason.clone() },
        AttemptOutcome::Done { object } => match objects.get(object).await {
            Ok(bytes) => ChunkResult::from_bytes(bytes, &open.lease.chunk)
                .map_or_else(|error| failed(error.to_string()), Reading::Result),
            Err(ReadError::Lost(what)) => Reading::Lost(what),
            Err(ReadError::Failed(what)) => Reading::Unknown(what),
        },
    }
}
