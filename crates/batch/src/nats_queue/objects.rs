//! Objects of the object store. An object is read part by part, each with a request of its own, so that a server that
//! is lost while it is read is an error after a moment. No consumer is left on the server, as the reader of the client
//! library would leave one for each object.

use async_nats::jetstream::Context;
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::object_store::{DeleteErrorKind, InfoErrorKind, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::{DirectGetErrorKind, Stream};
use sha2::{Digest, Sha256};

use super::protocol::{Names, ObjectReference};
use crate::chunk::hex_digest;

/// The space that the header of a message may take.
pub(super) const HEADER_BYTES: usize = 4_096;
/// The largest part of an object.
const MAX_PART_BYTES: usize = 512 * 1_024;

/// The object store of an analysis.
#[derive(Clone)]
pub(super) struct Objects {
    store: ObjectStore,
    /// The stream behind the store.
    stream: Stream,
    bucket: String,
    /// The size of the parts in which objects are stored.
    part_bytes: usize,
}

/// The reason why an object was not read.
#[derive(Debug)]
pub(super) enum ReadError {
    /// The object, or a part of it, is not there.
    Lost(String),
    /// The server did not answer.
    Failed(String),
}

impl Objects {
    /// Opens the object store of an analysis; `None` if it does not exist.
    pub(super) async fn open(context: &Context, names: &Names) -> Result<Option<Objects>, String> {
        let stream = match context.get_stream(names.bucket_stream()).await {
            Ok(stream) => stream,
            Err(error) => match error.kind() {
                GetStreamErrorKind::JetStream(error) if is_missing(&error) => return Ok(None),
                _ => return Err(error.to_string()),
            },
        };
        let store = context.get_object_store(names.bucket()).await.map_err(|error| error.to_string())?;
        let max_payload = context.client().max_payload();
        let part_bytes = max_payload.saturating_sub(HEADER_BYTES).clamp(1, MAX_PART_BYTES);
        Ok(Some(Objects { store, stream, bucket: names.bucket(), part_bytes }))
    }

    /// Stores an object under a name that no other object has.
    pub(super) async fn put(&self, name: &str, mut bytes: &[u8]) -> Result<ObjectReference, String> {
        let sha256 = hex_digest(&Sha256::digest(bytes));
        let metadata =
            ObjectMetadata { name: name.to_owned(), chunk_size: Some(self.part_bytes), ..Default::default() };
        self.store.put(metadata, &mut bytes).await.map_err(|error| error.to_string())?;
        Ok(ObjectReference { name: name.to_owned(), sha256 })
    }

    /// Reads an object.
    pub(super) async fn get(&self, object: &ObjectReference) -> Result<Vec<u8>, ReadError> {
        let name = &object.name;
        let info = self.store.info(name).await.map_err(|error| match error.kind() {
            InfoErrorKind::NotFound => ReadError::Lost(format!("{name} is missing")),
            _ => ReadError::Failed(error.to_string()),
        })?;
        let subject = self.part_subject(&info.nuid);
        let (mut bytes, mut next) = (Vec::with_capacity(info.size), 1);
        for _ in 0..info.chunks {
            let request = self.stream.direct_get_builder().next_by_subject(subject.as_str()).sequence(next);
            let part = request.send().await.map_err(|error| match error.kind() {
                DirectGetErrorKind::NotFound => ReadError::Lost(format!("a part of {name} is missing")),
                _ => ReadError::Failed(error.to_string()),
            })?;
            next = part.sequence + 1;
            bytes.extend_from_slice(&part.payload);
        }
        if hex_digest(&Sha256::digest(&bytes)) != object.sha256 {
            return Err(ReadError::Lost(format!("{name} is damaged")));
        }
        Ok(bytes)
    }

    /// Removes an object; one that is not there is no error.
    pub(super) async fn remove(&self, object: &ObjectReference) -> Result<(), String> {
        match self.store.delete(&object.name).await {
            Err(error) if error.kind() != DeleteErrorKind::NotFound => Err(error.to_string()),
            _ => Ok(()),
        }
    }

    fn part_subject(&self, nuid: &str) -> String {
        format!("$O.{}.C.{nuid}", self.bucket)
    }
}

/// Returns whether an error says that a stream does not exist.
pub(super) fn is_missing(error: &async_nats::jetstream::Error) -> bool {
    error.error_code() == async_nats::jetstream::ErrorCode::STREAM_NOT_FOUND
}
