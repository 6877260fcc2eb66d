//! Long computations without the interpreter lock, which Ctrl-C ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use alfil_engine::threads;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks at the signals of the interpreter.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own while other threads of the interpreter may run. A signal such as Ctrl-C sets the
/// flag that `work` receives; its result is then dropped and the exception of the signal returned.
///
/// # Errors
/// Returns the exception of a signal, or an error if the system gives no thread.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let flag = &stop;
        let task = move || {
            // The receiver is gone only if a signal has ended the wait.
            let _ = sender.send(work(flag));
        };
        threads::spawn_scoped(scope, task).map_err(|error| {
            PyRuntimeError::new_err(format!("cannot start a thread: {error}; stop other work first"))
        })?;
        // The receiver is owned by the closure while the lock is free, because it belongs to one thread at a time.
        let mut receiver = receiver;
        loop {
            let (received, back) = py.detach(move || (receiver.recv_timeout(SIGNAL_INTERVAL), receiver));
            receiver = back;
            match received {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err(
                        "the computation ended because of an internal error",
                    ));
                }
            }
            if let Err(signal) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                return Err(signal);
            }
        }
    })
}
