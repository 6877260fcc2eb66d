//! What the sessions of pages share.

use std::sync::Arc;

use alfil_session::OpeningLists;

use crate::edit_histories::EditHistories;
use crate::game_store::GameStore;
use crate::host::PageHost;

/// What all sessions share.
#[derive(Clone, Debug)]
pub struct PageEnvironment {
    pub(crate) host: PageHost,
    pub(crate) store: Arc<dyn GameStore>,
    pub(crate) openings: OpeningLists,
    pub(crate) edit_histories: EditHistories,
}

impl PageEnvironment {
    /// Creates the environment of the sessions of a store.
    pub fn new(host: PageHost, store: Arc<dyn GameStore>) -> PageEnvironment {
        let (openings, edit_histories) = Default::default();
        PageEnvironment { host, store, openings, edit_histories }
    }
}
