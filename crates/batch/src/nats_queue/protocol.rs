//! The names and messages that coordinator and workers share.

use serde::{Deserialize, Serialize};

use crate::chunk::Chunk;

/// The start of the names of streams.
const STREAM_PREFIX: &str = "ALFIL_";
/// The name of the consumer of the workers.
pub(super) const WORKERS: &str = "workers";
/// The name of the consumer of the coordinator.
pub(super) const COORDINATOR: &str = "coordinator";

/// The names of what an analysis has on the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) id: String,
}

impl Names {
    pub(super) fn new(id: &str) -> Names {
        Names { id: id.to_owned() }
    }

    /// Returns the names of the analysis of a stream; `None` for streams of other programs.
    pub(super) fn of_stream(stream: &str) -> Option<Names> {
        stream.strip_prefix(STREAM_PREFIX).map(Names::new)
    }

    pub(super) fn stream(&self) -> String {
        format!("{STREAM_PREFIX}{}", self.id)
    }

    /// Returns the name of the bucket of the object store.
    pub(super) fn bucket(&self) -> String {
        format!("alfil_{}", self.id)
    }

    /// Returns the name of the stream of the bucket, as NATS clients form it.
    pub(super) fn bucket_stream(&self) -> String {
        format!("OBJ_{}", self.bucket())
    }

    /// Returns the subject of a chunk; `*` stands for all.
    pub(super) fn chunk_subject(&self, number: impl std::fmt::Display) -> String {
        format!("alfil.{}.chunk.{number}", self.id)
    }

    /// Returns the subject of the report on a chunk; `*` stands for all.
    pub(super) fn report_subject(&self, number: impl std::fmt::Display) -> String {
        format!("alfil.{}.report.{number}", self.id)
    }

    /// Returns the subject of notices, which may be lost: they are only shown.
    pub(super) fn notice_subject(&self) -> String {
        format!("alfil.{}.notice", self.id)
    }
}

/// Returns the number at the end of a subject.
pub(super) fn number_of(subject: &str) -> Option<u64> {
    subject.rsplit('.').next()?.parse().ok()
}

/// What the description of a stream says. Every build of the program can read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StreamDescription {
    /// The build of the coordinator.
    pub(super) build: String,
    /// The time after which a chunk of a silent worker is given to another one, in milliseconds.
    pub(super) lease_ms: u64,
    /// The workers whose reports are not taken any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) set_aside: Vec<String>,
}

/// A chunk on its way to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ChunkMessage {
    pub(super) id: String,
    pub(super) failed_attempts: u32,
    pub(super) is_suspect: bool,
    /// The worker that has found the result already: another one is to search the chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) found_by: Option<String>,
    pub(super) body: ChunkBody,
}

/// Where the content of a chunk is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ChunkBody {
    Chunk(Chunk),
    /// In the object store, because it is larger than a message may be.
    Object(ObjectReference),
}

/// An object of the object store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ObjectReference {
    pub(super) name: String,
    /// The SHA-256 of its bytes, as hexadecimal digits.
    pub(super) sha256: String,
}

/// A report on its way, which a worker with a key signs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SignedReport {
    /// The JSON of a [`Report`].
    pub(super) report: String,
    /// The signature, as hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<String>,
}

/// What a worker reports on a chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) id: String,
    pub(super) worker: String,
    /// The failed attempts before this one: a report that is delivered twice counts once.
    pub(super) failed_attempts: u32,
    pub(super) outcome: AttemptOutcome,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AttemptOutcome {
    Done { object: ObjectReference },
    Failed { reason: String },
}

/// A notice to the coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Notice {
    Started {
        number: u64,
        worker: String,
    },
    Refused {
        worker: String,
        build: String,
    },
    /// The worker is there.
    Alive {
        worker: String,
    },
}
