//! Running searches.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use alfil_engine::{SearchEvent, SearchHandle};
use alfil_session::BoardGame;

use crate::handles::{self, Kind};
use crate::memory::{Out, give};
use crate::moves::RawMove;
use crate::results::{Report, give_report, move_number};
use crate::status::{Error, Status, guard};

/// A running search.
#[derive(Debug)]
pub struct Analysis {
    /// Gives each handle an address of its own.
    _memory: u64,
}

/// The object of an analysis handle. It can be stopped while another thread waits for a report.
pub(crate) struct AnalysisObject {
    handle: SearchHandle,
    events: Mutex<Receiver<SearchEvent>>,
    game: &'static dyn BoardGame,
    /// The number of the best move; 0 before the end of the search, and if there is no move.
    best_move: AtomicU32,
    is_over: AtomicBool,
    /// Whether the last report was that of the best line.
    is_best_line: AtomicBool,
}

/// What came from a search.
pub(crate) enum Next {
    /// A report, which belongs to the receiver.
    Report(*const Report),
    /// The search is over.
    End,
    /// Nothing came in time.
    Nothing,
}

impl AnalysisObject {
    pub(crate) fn new(
        handle: SearchHandle,
        events: Receiver<SearchEvent>,
        game: &'static dyn BoardGame,
    ) -> Self {
        AnalysisObject {
            handle,
            events: Mutex::new(events),
            game,
            best_move: AtomicU32::new(0),
            is_over: AtomicBool::new(false),
            is_best_line: AtomicBool::new(false),
        }
    }

    pub(crate) fn stop(&self) {
        self.handle.stop();
    }

    pub(crate) fn best_move(&self) -> u32 {
        self.best_move.load(Ordering::Acquire)
    }

    pub(crate) fn is_best_line(&self) -> bool {
        self.is_best_line.load(Ordering::Relaxed)
    }

    /// Waits for the next report, without a timeout for as long as the search runs.
    pub(crate) fn next(&self, timeout: Option<Duration>) -> Result<Next, Error> {
        let events = handles::lock(&self.events, Kind::Analysis)?;
        if self.is_over.load(Ordering::Acquire) {
            return Ok(Next::End);
        }
        let event = match timeout {
            Some(timeout) => events.recv_timeout(timeout),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(SearchEvent::BestMove(best_move)) => {
                let number = best_move.map_or(0, |text| move_number(self.game, &text));
                self.best_move.store(number, Ordering::Release);
                self.is_over.store(true, Ordering::Release);
                Ok(Next::End)
            }
            Ok(SearchEvent::Failed(message)) => Err(Error::new(Status::Internal, message)),
            Ok(SearchEvent::Info { report, seconds }) => {
                self.is_best_line.store(report.multipv == 1, Ordering::Relaxed);
                Ok(Next::Report(give_report(&report, seconds, self.game)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(Next::Nothing),
            Err(RecvTimeoutError::Disconnected) => {
                self.is_over.store(true, Ordering::Release);
                Ok(Next::End)
            }
        }
    }
}

impl Drop for AnalysisObject {
    fn drop(&mut self) {
        self.handle.stop();
        self.handle.join();
    }
}

/// Gives C an analysis.
pub(crate) fn give_analysis(object: AnalysisObject) -> *mut Analysis {
    give(Analysis { _memory: 0 }, Kind::Analysis, Arc::new(object))
}

fn find(analysis: *const Analysis) -> Result<Arc<AnalysisObject>, Error> {
    handles::find::<AnalysisObject>(analysis.cast(), Kind::Analysis)
}

/// Waits for the next report, at most `timeout_ms` milliseconds, without end if that is negative. At the end of the
/// search `out_report` is NULL. If nothing came in time, the call fails with ALFIL_STATUS_TIMEOUT.
///
/// The report belongs to the caller, who frees it with alfil_report_free.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_analysis_next(
    analysis: *const Analysis,
    timeout_ms: i64,
    out_report: Out<*const Report>,
) -> Status {
    guard(|| {
        let out = out_report.start("out_report", ptr::null())?;
        let timeout = u64::try_from(timeout_ms).ok().map(Duration::from_millis);
        match find(analysis)?.next(timeout)? {
            Next::Report(report) => out.set(report),
            Next::End => {}
            Next::Nothing => {
                return Err(Error::new(Status::Timeout, format!("no report came within {timeout_ms} ms")));
            }
        }
        Ok(())
    })
}

/// Waits for the end of the search, drops its other reports, and gives the move to play: ALFIL_NULL_MOVE if there is
/// none. Stop a search without limits before.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_analysis_wait(analysis: *const Analysis, out_move: Out<RawMove>) -> Status {
    guard(|| {
        let out = out_move.start("out_move", 0)?;
        let analysis = find(analysis)?;
        loop {
            match analysis.next(None)? {
                Next::Report(report) => handles::free(report.cast_mut().cast(), Kind::Report)?,
                Next::End => break,
                Next::Nothing => {}
            }
        }
        out.set(analysis.best_move());
        Ok(())
    })
}

/// Requests the end of the search; the last reports and the best move still come. Any thread may call this at any time
/// before the analysis is freed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_analysis_stop(analysis: *const Analysis) -> Status {
    guard(|| {
        find(analysis)?.stop();
        Ok(())
    })
}

/// Stops the search, waits for its end, and frees the analysis. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_analysis_free(analysis: *mut Analysis) -> Status {
    guard(|| {
        // Another thread may be waiting for it.
        if !analysis.is_null() {
            find(analysis)?.stop();
        }
        handles::free(analysis.cast(), Kind::Analysis)
    })
}

/// Frees a report of alfil_analysis_next or alfil_engine_analyse. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_report_free(report: *const Report) -> Status {
    guard(|| handles::free(report.cast_mut().cast(), Kind::Report))
}
