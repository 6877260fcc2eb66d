//! Edits that arrive while another window saves the same game: where both fit together, the edit is made again on the
//! saved game, so that neither window loses its work.

use alfil_session::played_game::{EditedTree, ROOT};

use super::ClientSession;
use crate::open_game::OpenGame;
use crate::outgoing::OutgoingMessage;
use crate::request_error::{ErrorCode, RequestError};
use crate::search_slot::SearchSlot;
use crate::wire::{ClientRequest, RequestMessage, Response, ServerEvent, StateReference};

/// How often an edit is made again: another window may save once more meanwhile.
const MAX_REPETITIONS: usize = 8;

/// An edit, and what it refers to, by moves: another window may have given the numbers of nodes to other moves.
pub(super) struct RepeatableEdit {
    request: ClientRequest,
    /// The moves to the position in which moves are played, or to the changed node.
    path: Vec<String>,
    /// What the edit replaces.
    replaced: ReplacedText,
}

/// What an edit replaces. If another window has changed it, the edit is refused.
#[derive(PartialEq, Eq)]
enum ReplacedText {
    Nothing,
    Comment(String),
    Marks(Vec<u8>),
    Tags(Vec<(String, String)>),
}

/// The state of the open game before it was replaced by that of another window.
pub(super) struct FormerState {
    /// The number of replacements before it.
    reloads: u64,
    tree: EditedTree,
    /// The node that the page showed.
    node: usize,
    tags: Vec<(String, String)>,
}

impl FormerState {
    pub(super) fn new(reloads: u64, game: &OpenGame) -> FormerState {
        let (tree, tags) = (game.tree().clone(), game.record().tags.clone());
        FormerState { reloads, tree, node: game.played.current_node(), tags }
    }

    fn view(&self) -> StateView<'_> {
        StateView { tree: &self.tree, node: self.node, tags: &self.tags }
    }
}

/// A state of the open game, as edits see it.
struct StateView<'a> {
    tree: &'a EditedTree,
    /// The node that the page shows.
    node: usize,
    tags: &'a [(String, String)],
}

impl StateView<'_> {
    fn from_game(game: &OpenGame) -> StateView<'_> {
        StateView { tree: game.tree(), node: game.played.current_node(), tags: &game.record().tags }
    }

    /// Returns an edit of this state that could be made again on another one. In a game that is played no move can:
    /// moves and clock belong together.
    fn repeatable_edit(&self, request: &ClientRequest, is_played: bool) -> Option<RepeatableEdit> {
        let node = match request {
            ClientRequest::Play { .. } | ClientRequest::Walk { .. } if !is_played => self.node,
            ClientRequest::Comment { node, .. } | ClientRequest::Marks { node, .. } => *node,
            ClientRequest::Tags { .. } => ROOT,
            _ => return None,
        };
        let replaced = self.replaced_text(request, node)?;
        let moves = self.tree.path(node).into_iter().map(|node| self.tree.move_text(node).to_owned());
        Some(RepeatableEdit { request: request.clone(), path: moves.collect(), replaced })
    }

    /// Returns what an edit of a node replaces; `None` if there is no such node.
    fn replaced_text(&self, request: &ClientRequest, node: usize) -> Option<ReplacedText> {
        let text = self.tree.node(node)?;
        Some(match request {
            ClientRequest::Comment { .. } => ReplacedText::Comment(text.comment.clone()),
            ClientRequest::Marks { .. } => ReplacedText::Marks(text.nags.clone()),
            ClientRequest::Tags { .. } => ReplacedText::Tags(self.tags.to_vec()),
            _ => ReplacedText::Nothing,
        })
    }
}

/// Returns the node at the end of some moves.
fn node_after(tree: &EditedTree, path: &[String]) -> Option<usize> {
    path.iter().try_fold(ROOT, |node, text| tree.children(node).find(|&child| tree.move_text(child) == text))
}

impl<S: SearchSlot> ClientSession<S> {
    /// Returns whether a request refers to a state of the game that was replaced by that of another window before the
    /// page knew it. What it names, replaces or follows may be something else now.
    pub(super) fn is_outdated(&self, message: &RequestMessage) -> bool {
        let refers_to_state = message.request.description().refers_to != StateReference::None;
        refers_to_state && message.reloads.is_some_and(|known| known != self.reloads)
    }

    /// Answers an outdated request. The new state is on its way to the page: a step leads nowhere else, and an edit is
    /// made where the page showed it, if both fit together, and else refused.
    pub(super) fn on_outdated(&mut self, message: &RequestMessage) -> Vec<OutgoingMessage> {
        let RequestMessage { id, reloads, request } = message;
        if !matches!(request, ClientRequest::Go { .. }) {
            let former = self.former_states.iter().find(|state| Some(state.reloads) == *reloads);
            let is_played = self.game.as_ref().is_none_or(|game| game.played.is_played());
            let edit = former.and_then(|state| state.view().repeatable_edit(request, is_played));
            return self.repeat_edit(*id, edit, RequestError::changed());
        }
        vec![match self.tree_response(None) {
            Ok(response) => OutgoingMessage::Response(Box::new(Response { id: *id, ..response })),
            Err(error) => OutgoingMessage::error(*id, error),
        }]
    }

    /// Returns an edit that could be made again on a game that another window has changed.
    pub(super) fn repeatable_edit(&self, request: &ClientRequest) -> Option<RepeatableEdit> {
        let game = self.game.as_ref()?;
        StateView::from_game(game).repeatable_edit(request, game.played.is_played())
    }

    /// Makes an edit again that was refused because another window had saved the game, if what it replaces is
    /// unchanged. Returns the messages to send: the response, and the game with both changes.
    pub(super) fn repeat_edit(
        &mut self,
        id: u64,
        edit: Option<RepeatableEdit>,
        mut error: RequestError,
    ) -> Vec<OutgoingMessage> {
        let Some(edit) = edit else { return vec![OutgoingMessage::error(id, error)] };
        for _ in 0..MAX_REPETITIONS {
            if error.code != Some(ErrorCode::Changed) {
                break;
            }
            let Some(request) = self.request_on_saved_game(&edit) else { break };
            let made = self.handle_request(request);
            // The game is sent below as it is then, instead of the state without the edit.
            let is_old = |message: &OutgoingMessage| {
                matches!(message, OutgoingMessage::Event(ServerEvent::Changed(_)))
            };
            self.pending_messages.retain(|message| !is_old(message));
            let mut out = match made {
                Ok(_) => vec![OutgoingMessage::Response(Box::new(Response { id, ..Response::default() }))],
                Err(again) => {
                    error = again;
                    let shown = self.show_game();
                    self.pending_messages.extend(shown);
                    continue;
                }
            };
            out.extend(self.show_game());
            return out;
        }
        vec![OutgoingMessage::error(id, error)]
    }

    /// Returns the request of an edit on the game that another window has saved; `None` if that window has changed what
    /// the edit replaces.
    fn request_on_saved_game(&mut self, edit: &RepeatableEdit) -> Option<ClientRequest> {
        let game = self.game.as_mut()?;
        let node = node_after(game.tree(), &edit.path)?;
        let request = match edit.request.clone() {
            ClientRequest::Comment { text, continues, .. } => {
                ClientRequest::Comment { node, text, continues }
            }
            ClientRequest::Marks { nags, .. } => ClientRequest::Marks { node, nags },
            request @ ClientRequest::Tags { .. } => request,
            request => {
                game.played.go_to(node).ok()?;
                request
            }
        };
        let game = self.game.as_ref()?;
        let replaced = StateView::from_game(game).replaced_text(&request, node)?;
        (replaced == edit.replaced).then_some(request)
    }
}
