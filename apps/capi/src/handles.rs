//! The table of everything that C holds: handles, results and texts, by address. A pointer from C is looked up here
//! before it is followed, so that one that was freed, or that belongs to an object of another kind, is an error.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};

use crate::status::{Error, Status};

/// The kinds of objects that C holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Board,
    Setup,
    Engine,
    Analysis,
    Report,
    Ruling,
    Solution,
    Reader,
    Game,
    Texts,
    Text,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Kind::Board => "board",
            Kind::Setup => "setup",
            Kind::Engine => "engine",
            Kind::Analysis => "analysis",
            Kind::Report => "report",
            Kind::Ruling => "ruling",
            Kind::Solution => "solution",
            Kind::Reader => "reader",
            Kind::Game => "game",
            Kind::Texts => "list of texts",
            Kind::Text => "text",
        })
    }
}

/// Frees the memory at an address.
pub(crate) type Release = Box<dyn FnOnce(*mut c_void) + Send + Sync>;

/// An object that C holds.
struct Entry {
    kind: Kind,
    object: Arc<dyn Any + Send + Sync>,
    release: Release,
}

/// The number of parts of the table, so that threads seldom wait for each other.
const SHARDS: usize = 16;

/// Addresses are stored under this mask, so that leak checkers do not take the table for an owner.
const MASK: usize = usize::MAX / 3;

static TABLE: [RwLock<BTreeMap<usize, Entry>>; SHARDS] = [const { RwLock::new(BTreeMap::new()) }; SHARDS];

/// Returns the part of the table for an address, and the key in it.
fn place(address: *const c_void) -> (&'static RwLock<BTreeMap<usize, Entry>>, usize) {
    let address = address.addr();
    // The lowest bits of an address are those of the alignment.
    (&TABLE[(address >> 5) % SHARDS], address ^ MASK)
}

/// Adds an object.
pub(crate) fn insert(
    address: *const c_void,
    kind: Kind,
    object: Arc<dyn Any + Send + Sync>,
    release: Release,
) {
    let (shard, key) = place(address);
    shard.write().unwrap_or_else(PoisonError::into_inner).insert(key, Entry { kind, object, release });
}

/// Returns the number of objects that C holds.
pub(crate) fn count() -> usize {
    TABLE.iter().map(|shard| shard.read().unwrap_or_else(PoisonError::into_inner).len()).sum()
}

fn wrong_handle(kind: Kind, found: Option<Kind>) -> Error {
    let message = match found {
        Some(found) => format!("the pointer is that of another object ({found}), not of this kind ({kind})"),
        None => format!("the pointer is not that of a {kind}: it was freed, or the library did not give it"),
    };
    Error::new(Status::InvalidHandle, message)
}

/// Returns the object at an address.
///
/// # Errors
/// Returns an error if the address is NULL or not that of a living object of this kind.
pub(crate) fn find<T: Any + Send + Sync>(address: *const c_void, kind: Kind) -> Result<Arc<T>, Error> {
    if address.is_null() {
        return Err(Error::new(Status::NullPointer, format!("the {kind} is NULL")));
    }
    let (shard, key) = place(address);
    let entries = shard.read().unwrap_or_else(PoisonError::into_inner);
    let entry = entries.get(&key).ok_or_else(|| wrong_handle(kind, None))?;
    if entry.kind != kind {
        return Err(wrong_handle(kind, Some(entry.kind)));
    }
    Arc::downcast(entry.object.clone()).map_err(|_| Error::new(Status::Internal, "an object of another type"))
}

/// Removes an object and frees its memory. NULL is nothing to free.
///
/// # Errors
/// Returns an error if the address is not that of a living object of this kind.
pub(crate) fn free(address: *mut c_void, kind: Kind) -> Result<(), Error> {
    if address.is_null() {
        return Ok(());
    }
    let (shard, key) = place(address);
    let entry = {
        let mut entries = shard.write().unwrap_or_else(PoisonError::into_inner);
        match entries.get(&key) {
            Some(entry) if entry.kind == kind => entries.remove(&key),
            found => return Err(wrong_handle(kind, found.map(|entry| entry.kind))),
        }
    };
    // The object is dropped after the lock is released: the end of an analysis waits for its thread.
    let Some(Entry { object, release, .. }) = entry else { return Err(wrong_handle(kind, None)) };
    release(address);
    drop(object);
    Ok(())
}

/// Locks an object that one thread may use at a time.
///
/// # Errors
/// Returns an error if another thread uses it, or if a call on it ended with an internal error.
pub(crate) fn lock<T>(mutex: &Mutex<T>, kind: Kind) -> Result<MutexGuard<'_, T>, Error> {
    match mutex.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::WouldBlock) => {
            let message = format!("another thread uses this {kind}: use one from one thread at a time");
            Err(Error::new(Status::Busy, message))
        }
        Err(TryLockError::Poisoned(_)) => {
            let message = format!("a call on this {kind} ended with an internal error: free it");
            Err(Error::new(Status::Internal, message))
        }
    }
}
