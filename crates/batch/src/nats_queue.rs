//! The queue of many machines: chunks and results pass through a NATS server with JetStream.
//!
//! The coordinator has the manifest, which alone decides what is done. It sends the chunks without a result to a
//! stream of the server, one subject a chunk, so that a chunk is there once at most. Workers pull chunks, show that
//! they are alive, upload results to an object store, and then report them in the same stream. The coordinator stores a
//! result in its folder and the manifest before it acknowledges the report. What the server loses is sent again: a
//! chunk without a result of which the stream has neither the chunk nor a report is lost.
//!
//! Some chunks are searched twice, by different workers. If their results differ, the coordinator searches the chunk
//! itself, and a worker whose result is not that one is set aside. Workers may have keys, with which they sign their
//! reports.

mod connection;
mod coordinator;
mod keys;
mod objects;
mod protocol;
mod worker;

pub use connection::{NatsOptions, OnNote, display_address};
pub use coordinator::{CoordinationTotals, CoordinatorOptions, DEFAULT_CHECK_INTERVAL, coordinate};
pub use keys::{KeyList, KnownKey, WorkerKey};
pub use worker::{NatsQueue, NatsWorker, WorkerOptions};

#[cfg(test)]
mod tests;
