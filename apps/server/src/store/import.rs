//! A running import: a thread reads the parts of the file as they come and saves their games.

use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use alfil_page::wire::ImportProgress;
use alfil_page::{GameImport, ImportOptions, ImportedGame, read_file};
use alfil_session::SessionError;

use super::Store;

/// The number of parts of the file that wait to be read.
const MAX_WAITING_PARTS: usize = 4;
/// The number of games that are saved in a transaction.
const GAMES_AT_ONCE: usize = 500;
/// The time for which [`RunningImport::finish`] waits for the end.
const MAX_WAIT: Duration = Duration::from_millis(300);

/// The state that the thread and the session share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    has_ended: Condvar,
    is_cancelled: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    progress: ImportProgress,
    error: Option<SessionError>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// A running import. Dropped before its end, it is cancelled.
#[derive(Debug)]
pub(super) struct RunningImport {
    parts: Option<SyncSender<Vec<u8>>>,
    shared: Arc<Shared>,
}

impl RunningImport {
    /// Creates the collection and starts the thread.
    pub(super) fn begin(store: Store, options: ImportOptions) -> Result<RunningImport, SessionError> {
        let collection = store.create_collection(&options.name)?;
        let (parts, receiver) = sync_channel(MAX_WAITING_PARTS);
        let shared = Arc::new(Shared::default());
        let thread_shared = Arc::clone(&shared);
        let started = thread::Builder::new().name("import".into()).spawn(move || {
            let _end = ImportEnd(&thread_shared);
            run(&store, collection, &options, receiver, &thread_shared);
        });
        started.map_err(SessionError::from_error)?;
        Ok(RunningImport { parts: Some(parts), shared })
    }

    fn progress(&self) -> Result<ImportProgress, SessionError> {
        let state = self.shared.lock();
        state.error.clone().map_or_else(|| Ok(state.progress.clone()), Err)
    }
}

impl GameImport for RunningImport {
    fn push(&mut self, bytes: Vec<u8>) -> Result<ImportProgress, SessionError> {
        // Sending fails if the thread has ended early; its error follows.
        if let Some(parts) = &self.parts {
            let _ = parts.send(bytes);
        }
        self.progress()
    }

    fn finish(&mut self) -> Result<ImportProgress, SessionError> {
        self.parts = None;
        let is_running = |state: &mut State| !state.progress.done && state.error.is_none();
        let waited = self.shared.has_ended.wait_timeout_while(self.shared.lock(), MAX_WAIT, is_running);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        self.progress()
    }
}

impl Drop for RunningImport {
    fn drop(&mut self) {
        // A complete import is not affected.
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// Says that an import has failed if its thread ends without a result, by a panic.
struct ImportEnd<'s>(&'s Shared);

impl Drop for ImportEnd<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        if !state.progress.done && state.error.is_none() {
            state.error = Some(SessionError::new("the import has failed").with_chinese("导入失败"));
        }
        drop(state);
        self.0.has_ended.notify_all();
    }
}

/// Reads the parts of a file.
struct PartReader<'s> {
    receiver: Receiver<Vec<u8>>,
    part: Cursor<Vec<u8>>,
    shared: &'s Shared,
}

impl Read for PartReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.part.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                self.shared.lock().progress.bytes += count as u64;
                return Ok(count);
            }
            match self.receiver.recv() {
                Ok(part) => self.part = Cursor::new(part),
                Err(_) if self.shared.is_cancelled() => return Err(io::Error::other("cancelled")),
                Err(_) => return Ok(0),
            }
        }
    }
}

/// Runs an import to its end.
fn run(
    store: &Store,
    collection: i64,
    options: &ImportOptions,
    receiver: Receiver<Vec<u8>>,
    shared: &Shared,
) {
    let result = import(store, collection, options, receiver, shared);
    let result = match result {
        Ok(progress) if !shared.is_cancelled() => {
            store.complete_collection(collection).map(Option::unzip).map(|(collection, collection_name)| {
                ImportProgress { collection, collection_name, done: true, ..progress }
            })
        }
        other => {
            // What cannot be removed now is removed when the store is opened later.
            let _ = store.discard_collection(collection);
            other
        }
    };
    let mut state = shared.lock();
    match result {
        Ok(progress) => state.progress = ImportProgress { bytes: state.progress.bytes, ..progress },
        Err(error) => state.error = Some(error),
    }
    drop(state);
    shared.has_ended.notify_all();
}

fn import(
    store: &Store,
    collection: i64,
    options: &ImportOptions,
    receiver: Receiver<Vec<u8>>,
    shared: &Shared,
) -> Result<ImportProgress, SessionError> {
    let input = PartReader { receiver, part: Cursor::default(), shared };
    let mut games: Vec<ImportedGame> = Vec::with_capacity(GAMES_AT_ONCE);
    let mut first = None;
    let mut error = None;
    let read = read_file(input, options, &store.openings, |game, progress| {
        if shared.is_cancelled() {
            return Ok(ControlFlow::Break(()));
        }
        games.push(game);
        if games.len() == GAMES_AT_ONCE {
            match store.insert_imported(collection, std::mem::take(&mut games)) {
                Ok(id) => first = first.take().or(id),
                Err(failed) => {
                    error = Some(failed);
                    return Ok(ControlFlow::Break(()));
                }
            }
            let mut state = shared.lock();
            state.progress = ImportProgress { bytes: state.progress.bytes, ..progress.clone() };
        }
        Ok(ControlFlow::Continue(()))
    });
    if let Some(error) = error {
        return Err(error);
    }
    let progress = read.map_err(SessionError::from_error)?;
    let id = store.insert_imported(collection, games)?;
    if progress.games == 0 {
        return Err(progress.refusal());
    }
    Ok(ImportProgress { first: first.or(id), ..progress })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_whose_thread_panics_has_failed() {
        let (parts, _receiver) = sync_channel(1);
        let shared = Arc::new(Shared::default());
        let mut import = RunningImport { parts: Some(parts), shared: Arc::clone(&shared) };
        assert!(!import.finish().unwrap().done);
        let thread = thread::spawn(move || {
            let _end = ImportEnd(&shared);
            panic!("the thread of this test panics");
        });
        assert!(thread.join().is_err());
        assert_eq!(import.finish().unwrap_err().message, "the import has failed");
    }
}
