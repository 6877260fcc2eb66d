//! The searches of a page that has none.

use alfil_page::{SearchRequest, SearchSlot};
use alfil_session::SessionError;

/// Searches that never start.
pub struct NoSearches;

impl SearchSlot for NoSearches {
    fn queue(&mut self) -> bool {
        false
    }

    fn start(&mut self, _: &SearchRequest<'_>) -> Result<(), SessionError> {
        Ok(())
    }

    fn stop(&mut self) {}
}
