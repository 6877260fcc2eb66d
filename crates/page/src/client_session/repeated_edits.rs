//! Edits that arrive while another window saves the same game: where both fit together, the edit is made again on the
//! saved game, so that neither window loses its work.

use alfil_session::played_game::{ROOT, TextTree};

use super::ClientSession;
use crate::outgoing::OutgoingMessage;
use crate::request_error::{ErrorCode, RequestError};
use crate::search_slot::SearchSlot;
use crate::wire::{ClientRequest, RequestMessage, Response, ServerEvent};

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

/// Returns the node at the end of some moves.
fn node_after(tree: &TextTree, path: &[String]) -> Option<usize> {
    path.iter().try_fold(ROOT, |node, text| {
        let mut children = tree.node(node)?.children.iter().copied();
        children.find(|&child| tree.move_text(child) == text)
    })
}

/// Returns the moves to a node.
pub(super) fn move_texts_to(tree: &TextTree, node: usize) -> Vec<String> {
    tree.path(node).into_iter().map(|node| tree.move_text(node).to_owned()).collect()
}

impl<S: SearchSlot> ClientSession<S> {
    /// Returns whether a request refers to a state of the game that was replaced by that of another window before the
    /// page knew it. What it names, replaces or follows may be something else now.
    pub(super) fn is_outdated(&self, message: &RequestMessage) -> bool {
        let refers_to_state = matches!(
            message.request,
            ClientRequest::Go { .. }
                | ClientRequest::Play { .. }
                | ClientRequest::Walk { .. }
                | ClientRequest::Undo { .. }
                | ClientRequest::UndoChange
                | ClientRequest::RedoChange
                | ClientRequest::Comment { .. }
                | ClientRequest::Marks { .. }
                | ClientRequest::Tags { .. }
                | ClientRequest::Prune { .. }
                | ClientRequest::Promote { .. }
        );
        refers_to_state && message.reloads.is_some_and(|known| known != self.reloads)
    }

    /// Answers an outdated request. The new state is on its way to the page: a step leads nowhere else, moves of an
    /// analysis are played where the page showed them, and other edits are refused.
    pub(super) fn on_outdated(&mut self, message: RequestMessage) -> Vec<OutgoingMessage> {
        let RequestMessage { id, reloads, request } = message;
        let response = match &request {
            ClientRequest::Go { .. } => self.tree_response(None),
            ClientRequest::Play { .. } | ClientRequest::Walk { .. } => self.play_at_former(reloads, request),
            _ => Err(RequestError::changed()),
        };
        match response {
            Ok(response) => {
                let is_played = response.node.is_none();
                let mut out = vec![OutgoingMessage::Response(Box::new(Response { id, ..response }))];
                if is_played {
                    out.extend(self.show_game());
                }
                out
            }
            Err(error) => vec![OutgoingMessage::error(id, error)],
        }
    }

    /// Plays moves of an analysis from the position that the page showed before a replacement.
    fn play_at_former(
        &mut self,
        reloads: Option<u64>,
        request: ClientRequest,
    ) -> Result<Response, RequestError> {
        let path = self.former_paths.iter().find(|(number, _)| Some(*number) == reloads);
        let game = self.game.as_mut().filter(|game| !game.played.is_played());
        let (Some((_, path)), Some(game)) = (path, game) else { return Err(RequestError::changed()) };
        let node = node_after(game.tree(), path).ok_or_else(RequestError::changed)?;
        game.played.go_to(node)?;
        self.handle_request(request)?;
        Ok(Response::default())
    }

    /// Returns an edit that could be made again on a game that another window has changed. In a game that is played,
    /// none can: its moves and its clock belong together.
    pub(super) fn repeatable_edit(&self, request: &ClientRequest) -> Option<RepeatableEdit> {
        let played = &self.game.as_ref()?.played;
        let node = match request {
            ClientRequest::Play { .. } | ClientRequest::Walk { .. } if !played.is_played() => {
                played.current_node()
            }
            ClientRequest::Comment { node, .. } | ClientRequest::Marks { node, .. } => *node,
            ClientRequest::Tags { .. } => ROOT,
            _ => return None,
        };
        let path = move_texts_to(played.tree(), node);
        let replaced = self.replaced_text(request, node)?;
        Some(RepeatableEdit { request: request.clone(), path, replaced })
    }

    /// Returns what an edit of a node replaces; `None` if there is no such node.
    fn replaced_text(&self, request: &ClientRequest, node: usize) -> Option<ReplacedText> {
        let played = &self.game.as_ref()?.played;
        let text = played.tree().node(node)?;
        Some(match request {
            ClientRequest::Comment { .. } => ReplacedText::Comment(text.comment.clone()),
            ClientRequest::Marks { .. } => ReplacedText::Marks(text.nags.clone()),
            ClientRequest::Tags { .. } => ReplacedText::Tags(played.record().tags.clone()),
            _ => ReplacedText::Nothing,
        })
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
            ClientRequest::Comment { text, .. } => ClientRequest::Comment { node, text },
            ClientRequest::Marks { nags, .. } => ClientRequest::Marks { node, nags },
            request @ ClientRequest::Tags { .. } => request,
            request => {
                game.played.go_to(node).ok()?;
                request
            }
        };
        (self.replaced_text(&request, node)? == edit.replaced).then_some(request)
    }
}
