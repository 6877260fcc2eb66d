//! The leases on the computer's replies: of the sessions that show a game, one searches the reply.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alfil_session::played_game::MissingReply;

/// The state of the replies in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lease {
    /// The session of this client has the lease.
    Held(u64),
    /// The reply has failed or was stopped in the session of this client at this revision: a person lets the game go
    /// on.
    Missing { client_id: u64, revision: i64, missing: MissingReply },
}

/// Why a session gets no lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaseRefusal {
    /// Another session searches the reply.
    HeldElsewhere,
    /// The reply has failed or was stopped in another session.
    Missing(MissingReply),
}

/// Where the windows are that may show the same game.
#[derive(Debug)]
enum Windows {
    /// In the sessions of this process: the leases by the ids of the games.
    Here(HashMap<String, Lease>),
    /// In other processes, too. The app requests the lease on the wanted game and grants it.
    Elsewhere { wanted: Option<String>, is_granted: bool },
}

/// The leases on the replies in all games, which the sessions share.
#[derive(Clone, Debug)]
pub struct ReplyLeases(Arc<Mutex<Windows>>);

impl Default for ReplyLeases {
    fn default() -> ReplyLeases {
        ReplyLeases(Arc::new(Mutex::new(Windows::Here(HashMap::new()))))
    }
}

impl ReplyLeases {
    /// Creates the leases of the only session of a process. Those of other processes may show the same game, so the app
    /// requests the [`ReplyLeases::wanted`] lease where all can see it.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::{ClientSession, MemoryStore, PageEnvironment, ReplyLeases};
    /// # use alfil_page::{SearchRequest, SearchSlot};
    /// # use alfil_session::SessionError;
    /// # struct NoSearches;
    /// # impl SearchSlot for NoSearches {
    /// #     fn queue(&mut self) -> bool { false }
    /// #     fn start(&mut self, _: &SearchRequest<'_>) -> Result<(), SessionError> { Ok(()) }
    /// #     fn stop(&mut self) {}
    /// # }
    ///
    /// let leases = ReplyLeases::granted_by_app();
    /// let environment = PageEnvironment::new(HOST, Arc::new(MemoryStore::new(HOST)));
    /// let mut session = ClientSession::new(1, environment.with_leases(leases.clone()), NoSearches);
    /// session.on_text(r#"{"id":1,"do":"new","game":"chess","person":1}"#);
    /// // The computer is to move: the app gets a lock of the system for the game, and grants the lease.
    /// let game = leases.wanted().unwrap();
    /// leases.grant(&game);
    /// assert_eq!(session.open_game_revision().unwrap().0, game);
    /// ```
    pub fn granted_by_app() -> ReplyLeases {
        ReplyLeases(Arc::new(Mutex::new(Windows::Elsewhere { wanted: None, is_granted: false })))
    }

    fn windows(&self) -> MutexGuard<'_, Windows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lease on the replies in a game at a revision.
    ///
    /// # Errors
    /// If another session has it, or the reply is missing.
    pub(crate) fn acquire(&self, game: &str, revision: i64, client_id: u64) -> Result<(), LeaseRefusal> {
        match &mut *self.windows() {
            Windows::Here(leases) => {
                match leases.get(game) {
                    Some(&Lease::Held(holder)) if holder != client_id => {
                        return Err(LeaseRefusal::HeldElsewhere);
                    }
                    // The session of the client itself knows whether its game goes on.
                    Some(&Lease::Missing { client_id: other, revision: at, missing })
                        if at == revision && other != client_id =>
                    {
                        return Err(LeaseRefusal::Missing(missing));
                    }
                    _ => {}
                }
                // A session has one lease at most.
                leases.retain(|_, lease| *lease != Lease::Held(client_id));
                leases.insert(game.to_owned(), Lease::Held(client_id));
                Ok(())
            }
            Windows::Elsewhere { wanted, is_granted } => {
                if wanted.as_deref() != Some(game) {
                    (*wanted, *is_granted) = (Some(game.to_owned()), false);
                }
                if *is_granted { Ok(()) } else { Err(LeaseRefusal::HeldElsewhere) }
            }
        }
    }

    /// Gives the lease of a session back.
    pub(crate) fn release(&self, client_id: u64) {
        match &mut *self.windows() {
            Windows::Here(leases) => leases.retain(|_, lease| *lease != Lease::Held(client_id)),
            Windows::Elsewhere { wanted, is_granted } => (*wanted, *is_granted) = (None, false),
        }
    }

    /// Notes that the reply is missing at a revision of a game, so that no other session searches it.
    pub(crate) fn set_missing(&self, game: &str, revision: i64, client_id: u64, missing: MissingReply) {
        if let Windows::Here(leases) = &mut *self.windows() {
            leases.insert(game.to_owned(), Lease::Missing { client_id, revision, missing });
        }
    }

    /// Lets a reply be searched again that was missing.
    pub(crate) fn clear_missing(&self, game: &str) {
        if let Windows::Here(leases) = &mut *self.windows()
            && matches!(leases.get(game), Some(Lease::Missing { .. }))
        {
            leases.remove(game);
        }
    }

    /// Returns whether another session has the lease on a game.
    pub(crate) fn is_held_elsewhere(&self, game: &str, client_id: u64) -> bool {
        match &*self.windows() {
            Windows::Here(leases) => {
                matches!(leases.get(game), Some(&Lease::Held(holder)) if holder != client_id)
            }
            // A window that begins knows of no other.
            Windows::Elsewhere { .. } => false,
        }
    }

    /// Returns the game whose lease the app has to request, or to keep; `None` if it gives a lease back.
    pub fn wanted(&self) -> Option<String> {
        match &*self.windows() {
            Windows::Here(_) => None,
            Windows::Elsewhere { wanted, .. } => wanted.clone(),
        }
    }

    /// Grants the lease on a game, if it is still wanted.
    pub fn grant(&self, game: &str) {
        if let Windows::Elsewhere { wanted, is_granted } = &mut *self.windows() {
            *is_granted |= wanted.as_deref() == Some(game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_session_has_the_lease_on_a_game_until_it_gives_it_back() {
        let leases = ReplyLeases::default();
        assert_eq!(leases.acquire("a", 1, 1), Ok(()));
        assert_eq!(leases.acquire("a", 1, 1), Ok(()));
        assert_eq!(leases.acquire("a", 1, 2), Err(LeaseRefusal::HeldElsewhere));
        assert!(leases.is_held_elsewhere("a", 2) && !leases.is_held_elsewhere("a", 1));
        leases.release(2);
        assert_eq!(leases.acquire("a", 1, 2), Err(LeaseRefusal::HeldElsewhere));
        // Another game ends the lease on the first.
        assert_eq!(leases.acquire("b", 1, 1), Ok(()));
        assert_eq!(leases.acquire("a", 1, 2), Ok(()));
        leases.release(1);
        assert_eq!(leases.acquire("b", 1, 2), Ok(()));
    }

    #[test]
    fn a_missing_reply_waits_in_all_sessions_until_the_game_is_changed_or_goes_on() {
        let leases = ReplyLeases::default();
        leases.set_missing("a", 3, 1, MissingReply::Failed);
        assert_eq!(leases.acquire("a", 3, 2), Err(LeaseRefusal::Missing(MissingReply::Failed)));
        assert_eq!(leases.acquire("a", 4, 2), Ok(()));
        leases.set_missing("a", 4, 1, MissingReply::Stopped);
        assert_eq!(leases.acquire("a", 4, 1), Ok(()));
        leases.set_missing("a", 4, 1, MissingReply::Stopped);
        leases.clear_missing("a");
        assert_eq!(leases.acquire("a", 4, 2), Ok(()));
        // A lease that is held is no missing reply.
        leases.clear_missing("a");
        assert!(leases.is_held_elsewhere("a", 1));
    }

    #[test]
    fn an_app_grants_the_lease_that_is_wanted() {
        let leases = ReplyLeases::granted_by_app();
        assert_eq!(
            (leases.acquire("a", 1, 1), leases.wanted()),
            (Err(LeaseRefusal::HeldElsewhere), Some("a".into()))
        );
        leases.grant("b");
        assert!(leases.acquire("a", 1, 1).is_err());
        leases.grant("a");
        assert_eq!(leases.acquire("a", 1, 1), Ok(()));
        leases.release(1);
        assert_eq!((leases.wanted(), leases.acquire("a", 1, 1).is_err()), (None, true));
    }
}
