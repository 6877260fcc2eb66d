//! What each request is: what it does to a running search, what it refers to, whether it edits the open game, and what
//! it reads of the saved games. Everything that treats requests alike goes by it.

use super::{ClientRequest, LibraryQuery, LibraryRequest};

/// What a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestDescription<'a> {
    /// What the request does to searches.
    pub search: SearchEffect,
    /// What the request refers to in the open game.
    pub refers_to: StateReference,
    /// Whether the request makes an edit of the open game, which can be undone.
    pub edits_game: bool,
    /// What the request reads of the saved games.
    pub needs: StoreNeeds<'a>,
}

/// What a request does to the search that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEffect {
    /// The search goes on: the request does not change the position.
    GoesOn,
    /// The search ends, unless it is for a position of its own, such as that of a reply or a review: the page shows
    /// another position.
    EndsForOtherPosition,
    /// The search ends: it was for another position.
    Ends,
    /// The search ends, and another one starts.
    Starts,
}

/// What a request refers to in the open game. If another window has changed the game and the page did not know it yet,
/// this may be something else now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateReference {
    /// Nothing: it means the same in every state, or only reads what is there.
    None,
    /// A node of the tree by its number, which another window may have given to another move.
    Node,
    /// The current position, the last edit, or the tags.
    Current,
}

/// What a request reads of the saved games. A store that has them elsewhere reads it before the request is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreNeeds<'a> {
    /// The games that the request names.
    pub games: NeededGames<'a>,
    /// The lists.
    pub lists: NeededLists<'a>,
}

/// The saved games that a request names by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeededGames<'a> {
    /// None.
    None,
    /// These games with their moves.
    WithMoves(&'a [String]),
    /// These games without their moves.
    WithoutMoves(&'a [String]),
    /// These deleted games, with those that are restored together with them, without their moves.
    Restored(&'a [String]),
    /// These deleted games without their moves, as they are saved now: they are removed for ever, unless another window
    /// has restored them.
    Removed(&'a [String]),
}

/// The lists of saved games that a request reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeededLists<'a> {
    /// None.
    None,
    /// The list of the saved games.
    Games,
    /// The games and collections of the library.
    Library,
    /// The games and collections of the library, of which the request lists those of a query.
    Query(&'a LibraryQuery),
}

/// A request that changes nothing about the open position.
const READS: RequestDescription<'static> = RequestDescription {
    search: SearchEffect::GoesOn,
    refers_to: StateReference::None,
    edits_game: false,
    needs: StoreNeeds { games: NeededGames::None, lists: NeededLists::None },
};

/// A request that changes the position or who plays.
const CHANGES: RequestDescription<'static> = RequestDescription { search: SearchEffect::Ends, ..READS };

/// A request that starts a search.
const SEARCHES: RequestDescription<'static> = RequestDescription { search: SearchEffect::Starts, ..READS };

impl<'a> RequestDescription<'a> {
    const fn refers_to(self, refers_to: StateReference) -> RequestDescription<'a> {
        RequestDescription { refers_to, ..self }
    }

    const fn edits(self) -> RequestDescription<'a> {
        RequestDescription { edits_game: true, ..self }
    }

    const fn needs<'b>(self, games: NeededGames<'b>, lists: NeededLists<'b>) -> RequestDescription<'b> {
        let RequestDescription { search, refers_to, edits_game, .. } = self;
        RequestDescription { search, refers_to, edits_game, needs: StoreNeeds { games, lists } }
    }
}

impl ClientRequest {
    /// Returns what the request is.
    ///
    /// ```
    /// use alfil_page::wire::{ClientRequest, SearchEffect, StateReference};
    ///
    /// let request: ClientRequest = serde_json::from_str(r#"{"do":"promote","node":7}"#)?;
    /// let description = request.description();
    /// assert!(description.edits_game && description.search == SearchEffect::Ends);
    /// assert_eq!(description.refers_to, StateReference::Node);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn description(&self) -> RequestDescription<'_> {
        use std::slice::from_ref;

        match self {
            ClientRequest::Games { .. } => READS.needs(NeededGames::None, NeededLists::Games),
            ClientRequest::Open { game, .. } => {
                CHANGES.needs(NeededGames::WithMoves(from_ref(game)), NeededLists::None)
            }
            ClientRequest::Forget { game } => {
                READS.needs(NeededGames::WithoutMoves(from_ref(game)), NeededLists::Games)
            }
            ClientRequest::Restore { game } => {
                READS.needs(NeededGames::Restored(from_ref(game)), NeededLists::Games)
            }
            ClientRequest::New(_)
            | ClientRequest::Import { .. }
            | ClientRequest::Seat { .. }
            | ClientRequest::Ruleset { .. }
            | ClientRequest::Stop => CHANGES,
            ClientRequest::Play { .. } | ClientRequest::Walk { .. } | ClientRequest::Undo { .. } => {
                CHANGES.refers_to(StateReference::Current).edits()
            }
            ClientRequest::Pause { .. } | ClientRequest::Continue => {
                RequestDescription { search: SearchEffect::EndsForOtherPosition, ..READS }
            }
            ClientRequest::Go { .. } => {
                let go = RequestDescription { search: SearchEffect::EndsForOtherPosition, ..READS };
                go.refers_to(StateReference::Node)
            }
            ClientRequest::Prune { .. } | ClientRequest::Promote { .. } => {
                CHANGES.refers_to(StateReference::Node).edits()
            }
            ClientRequest::Comment { .. } | ClientRequest::Marks { .. } => {
                READS.refers_to(StateReference::Node).edits()
            }
            ClientRequest::Tags { .. } => READS.refers_to(StateReference::Current).edits(),
            ClientRequest::Resign => CHANGES.edits(),
            ClientRequest::UndoChange | ClientRequest::RedoChange => {
                CHANGES.refers_to(StateReference::Current)
            }
            ClientRequest::Hint { .. } | ClientRequest::Analyse { .. } | ClientRequest::Review { .. } => {
                SEARCHES
            }
            ClientRequest::Try { .. } => SEARCHES.refers_to(StateReference::Node),
            ClientRequest::Export { node: Some(_), .. } => READS.refers_to(StateReference::Node),
            ClientRequest::Export { node: None, .. }
            | ClientRequest::Dialect { .. }
            | ClientRequest::Summary
            | ClientRequest::Nags
            | ClientRequest::Diagrams { .. }
            | ClientRequest::Positions { .. }
            | ClientRequest::Engines { .. }
            | ClientRequest::Premoves
            | ClientRequest::Pace { .. }
            | ClientRequest::Lessons { .. }
            | ClientRequest::Starts { .. }
            | ClientRequest::TacticalMarks
            | ClientRequest::Quiz { .. }
            | ClientRequest::Rule { .. }
            | ClientRequest::RuleAll { .. }
            | ClientRequest::Arrange { .. }
            | ClientRequest::Examine { .. } => READS,
            ClientRequest::Library(request) => {
                let StoreNeeds { games, lists } = request.needs();
                READS.needs(games, lists)
            }
        }
    }
}

impl LibraryRequest {
    /// Returns what the request reads of the saved games.
    ///
    /// ```
    /// use alfil_page::wire::{LibraryRequest, NeededGames, NeededLists};
    ///
    /// let request: LibraryRequest = serde_json::from_str(r#"{"action":"export","games":["a0"]}"#)?;
    /// let needs = request.needs();
    /// assert_eq!(needs.games, NeededGames::WithMoves(&["a0".to_owned()]));
    /// assert_eq!(needs.lists, NeededLists::Library);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn needs(&self) -> StoreNeeds<'_> {
        use std::slice::from_ref;

        let games = match self {
            LibraryRequest::List { query, .. } | LibraryRequest::Ids { query } => {
                return StoreNeeds { games: NeededGames::None, lists: NeededLists::Query(query) };
            }
            LibraryRequest::Tags { game } | LibraryRequest::SetTags { game, .. } => {
                NeededGames::WithMoves(from_ref(game))
            }
            LibraryRequest::Export { games } => NeededGames::WithMoves(games),
            LibraryRequest::DeleteGames { games } => NeededGames::WithoutMoves(games),
            LibraryRequest::RestoreGames { games } => NeededGames::Restored(games),
            LibraryRequest::RemoveGames { games } => NeededGames::Removed(games),
            LibraryRequest::Collections
            | LibraryRequest::RenameCollection { .. }
            | LibraryRequest::DeleteCollection { .. }
            | LibraryRequest::RestoreCollection { .. }
            | LibraryRequest::Looks
            | LibraryRequest::ImportBegin { .. }
            | LibraryRequest::ImportChunk { .. }
            | LibraryRequest::ImportEnd
            | LibraryRequest::ImportCancel => NeededGames::None,
        };
        StoreNeeds { games, lists: NeededLists::Library }
    }
}
