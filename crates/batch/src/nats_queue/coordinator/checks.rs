//! Spot checks: some chunks are searched twice, by different workers. The result of a chunk depends on the chunk alone,
//! so if two results differ, the coordinator searches the chunk itself, and a worker with another result is set aside.

use std::collections::{BTreeSet, HashSet};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::Coordinator;
use crate::queue::{ChunkResult, Lease, MAX_ATTEMPTS, QueueError};
use crate::worker_loop::{ChunkEvent, ChunkFailure, execute_here};

/// The time after its last message up to which a worker is taken to be there.
const MAX_SILENCE: Duration = Duration::from_secs(15);
/// The longest time that the coordinator waits for the second results when everything else is done.
const MAX_WAIT: Duration = Duration::from_secs(600);
/// The name under which the coordinator has searched a chunk.
const COORDINATOR_NAME: &str = "coordinator";

/// A chunk with one result, which a second worker is to find, too.
pub(super) struct Check {
    /// The worker that has found the result.
    pub(super) found_by: String,
    failed_attempts: u32,
    /// The result of a second worker that is another one, with the third search.
    dispute: Option<Dispute>,
    /// When the coordinator began to wait for nothing else.
    waiting_since: Option<Duration>,
}

/// Two different results, and the search of the coordinator that decides.
struct Dispute {
    lease: Lease,
    worker: String,
    result: ChunkResult,
    decision: Receiver<Result<ChunkResult, ChunkFailure>>,
}

impl Check {
    pub(super) fn new(found_by: String) -> Check {
        Check { found_by, failed_attempts: 0, dispute: None, waiting_since: None }
    }
}

/// Returns the numbers of the chunks that are searched twice: one in `interval`, and one at least; none if it is 0.
/// They depend on a secret number, so that no worker knows them before.
pub(super) fn sample(seed: u64, chunks: u64, interval: u64) -> HashSet<u64> {
    if interval == 0 {
        return HashSet::new();
    }
    let key = |number: u64| {
        let digest =
            Sha256::new().chain_update(seed.to_le_bytes()).chain_update(number.to_le_bytes()).finalize();
        <[u8; 8]>::try_from(&digest[..8]).expect("a digest is longer")
    };
    let mut numbers: Vec<u64> = (0..chunks).collect();
    numbers.sort_by_cached_key(|&number| key(number));
    numbers.truncate(chunks.div_ceil(interval) as usize);
    numbers.into_iter().collect()
}

impl Coordinator<'_> {
    /// Returns whether a worker other than the one that has found the result of a chunk can search it now.
    pub(super) fn is_check_possible(&self, number: u64) -> bool {
        let now = alfil_engine::now();
        self.checks.get(&number).filter(|check| check.dispute.is_none()).is_some_and(|check| {
            self.workers.iter().any(|(name, &seen)| {
                *name != check.found_by
                    && now - seen < MAX_SILENCE
                    && !self.totals.set_aside.contains_key(name)
            })
        })
    }

    /// Gives up the checks that no second worker makes, when everything else is done; returns whether there are others.
    pub(super) fn has_checks(&mut self) -> bool {
        let now = alfil_engine::now();
        let impossible: Vec<u64> = (self.checks.iter())
            .filter(|(number, check)| {
                let is_late = check.waiting_since.is_some_and(|since| now - since > MAX_WAIT);
                check.dispute.is_none() && (is_late || !self.is_check_possible(**number))
            })
            .map(|(&number, _)| number)
            .collect();
        for number in impossible {
            self.checks.remove(&number);
            self.totals.unchecked += 1;
        }
        for check in self.checks.values_mut() {
            check.waiting_since.get_or_insert(now);
        }
        !self.checks.is_empty()
    }

    /// Has chunks sent to a second worker, and takes the decisions that have been made here.
    pub(super) fn advance_checks(&mut self) -> Result<(), QueueError> {
        let waiting = |number: &u64| !self.sent.contains(number) && self.is_check_possible(*number);
        let waiting: BTreeSet<u64> = self.checks.keys().copied().filter(waiting).collect();
        self.to_send.retain(|number| !waiting.contains(number));
        self.to_send.extend(waiting);
        let decided: Vec<_> = (self.checks.iter())
            .filter_map(|(&number, check)| {
                let decision = match check.dispute.as_ref()?.decision.try_recv() {
                    Ok(decision) => decision,
                    Err(TryRecvError::Empty) => return None,
                    Err(TryRecvError::Disconnected) => {
                        Err(ChunkFailure::Failed("the search ended because of an internal error".into()))
                    }
                };
                Some((number, decision))
            })
            .collect();
        decided.into_iter().try_for_each(|(number, decision)| self.decide(number, decision))
    }

    /// Compares a second result with the stored one.
    pub(super) fn check_result(
        &mut self,
        lease: &Lease,
        worker: &str,
        result: Result<ChunkResult, String>,
    ) -> Result<(), QueueError> {
        let number = lease.number;
        let Some(check) = self.checks.get_mut(&number) else { return Ok(()) };
        if worker == check.found_by || check.dispute.is_some() {
            return Ok(());
        }
        let result = match result {
            Ok(result) => result,
            Err(reason) => {
                check.failed_attempts += 1;
                let is_last = check.failed_attempts >= MAX_ATTEMPTS;
                let next = if is_last { "it is not checked" } else { "it is checked again" };
                self.connection.note(format!("chunk {number}, searched again as a check: {reason}; {next}"));
                if is_last {
                    self.checks.remove(&number);
                    self.totals.unchecked += 1;
                }
                return Ok(());
            }
        };
        if self.queue.stored_result(lease)?.as_ref() == Some(&result.bytes) {
            self.checks.remove(&number);
            self.totals.checked += 1;
            return self.queue.confirm(number, worker, None);
        }
        let (sender, decision) = mpsc::channel();
        let searched = lease.clone();
        // A sender that is lost is a search that failed.
        let _ = alfil_engine::threads::spawn(move || {
            let _ = sender.send(execute_here(&searched, &mut || true));
        });
        self.connection.note(format!(
            "chunk {number}: the results of {} and of {worker} differ; it is searched here to decide",
            check.found_by
        ));
        let (lease, worker) = (lease.clone(), worker.to_owned());
        check.dispute = Some(Dispute { lease, worker, result, decision });
        Ok(())
    }

    /// Keeps the result that the coordinator has found, too, and sets the other worker aside.
    fn decide(&mut self, number: u64, decision: Result<ChunkResult, ChunkFailure>) -> Result<(), QueueError> {
        let Some(check) = self.checks.remove(&number) else { return Ok(()) };
        let Some(Dispute { lease, worker, result, .. }) = check.dispute else { return Ok(()) };
        let right = match decision {
            Ok(right) => right,
            Err(failure) => {
                self.connection.note(format!("chunk {number} cannot be searched here: {failure:?}"));
                self.totals.unchecked += 1;
                return Ok(());
            }
        };
        let is_first_right = self.queue.stored_result(&lease)?.as_ref() == Some(&right.bytes);
        let is_second_right = result.bytes == right.bytes;
        if is_first_right {
            self.queue.confirm(number, COORDINATOR_NAME, None)?;
        } else {
            let source = if is_second_right { worker.as_str() } else { COORDINATOR_NAME };
            self.queue.store_result(&lease, &right)?;
            self.queue.confirm(number, COORDINATOR_NAME, Some((source, right.nodes)))?;
        }
        self.totals.checked += 1;
        for (name, is_right) in [(check.found_by, is_first_right), (worker, is_second_right)] {
            if !is_right {
                self.set_aside(&name, &format!("its result of chunk {number} is wrong"))?;
            }
        }
        Ok(())
    }

    /// Takes no results of a worker any more, and has its chunks searched again.
    fn set_aside(&mut self, name: &str, reason: &str) -> Result<(), QueueError> {
        let withdrawn = self.queue.set_aside(name, reason)?;
        self.totals.set_aside.insert(name.to_owned(), reason.to_owned());
        self.is_description_old = true;
        self.checks.retain(|_, check| check.found_by != name || check.dispute.is_some());
        let chunks = withdrawn.numbers.len() as u64;
        self.unfinished.extend(&withdrawn.numbers);
        self.to_send.extend(withdrawn.numbers.iter().filter(|number| !self.sent.contains(number)));
        self.connection.note(format!(
            "the worker {name} is set aside: {reason}; other workers search its {chunks} other chunks again"
        ));
        let (positions, nodes) = (withdrawn.positions, withdrawn.nodes);
        (self.on_event)(ChunkEvent::Withdrawn { chunks, positions, nodes });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn one_chunk_in_fifty_is_searched_twice_and_no_worker_knows_which() {
        assert_eq!(sample(7, 1_000, 50).len(), 20);
        assert_eq!(sample(7, 3, 50).len(), 1);
        assert_eq!(sample(7, 1_000, 1).len(), 1_000);
        assert!(sample(7, 1_000, 0).is_empty() && sample(7, 0, 50).is_empty());
        assert_ne!(sample(7, 1_000, 50), sample(8, 1_000, 50));
    }
}
