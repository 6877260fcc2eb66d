//! The objects that JavaScript holds, and the calls by their names.

use crate::answer::Answer;
#[cfg(any(feature = "boards", feature = "player"))]
use crate::answer::json;
#[cfg(feature = "boards")]
use crate::boards;
use crate::errors::Error;
#[cfg(feature = "boards")]
use crate::object_table::ObjectTable;
use crate::requests::Request;

/// All objects.
#[derive(Default)]
pub(crate) struct Module {
    #[cfg(feature = "boards")]
    boards: ObjectTable<boards::Board>,
    #[cfg(feature = "engine")]
    engines: ObjectTable<crate::engines::Engine>,
    #[cfg(feature = "page")]
    page: Option<crate::page::Page>,
    #[cfg(feature = "records")]
    records: crate::records::RecordObjects,
}

impl Module {
    /// Answers a request in JSON; `bytes` are what goes with it: a file, a network, or for the page JSON.
    pub(crate) fn answer(&mut self, request: &[u8], bytes: Vec<u8>) -> Result<Answer, Error> {
        let request: Request = serde_json::from_slice(request)
            .map_err(|error| Error::argument(format!("an argument cannot be read: {error}")))?;
        let (kind, name) = request.call.split_once('.').unwrap_or((&request.call, ""));
        match kind {
            #[cfg(feature = "boards")]
            "module" => self.answer_for_module(name, &request),
            #[cfg(feature = "boards")]
            "board" => boards::answer(&mut self.boards, name, &request),
            #[cfg(feature = "engine")]
            "engine" => crate::engines::answer(&mut self.engines, name, &request, bytes),
            #[cfg(feature = "page")]
            "page" => crate::page::answer(&mut self.page, name, &request, bytes),
            #[cfg(feature = "player")]
            "player" => answer_for_player(name, &request),
            #[cfg(feature = "records")]
            "reader" | "game" => {
                crate::records::answer(&mut self.records, &mut self.boards, kind, name, &request, bytes)
            }
            _ => {
                drop(bytes);
                Err(Error::argument(format!("this module has no call {:?}", request.call)))
            }
        }
    }

    #[cfg(feature = "boards")]
    fn answer_for_module(&mut self, name: &str, request: &Request) -> Result<Answer, Error> {
        match name {
            "objects" => {
                let count = self.boards.len();
                #[cfg(feature = "records")]
                let count = count + self.records.readers.len() + self.records.games.len();
                #[cfg(feature = "engine")]
                let count = count + self.engines.len();
                json(&count)
            }
            "dispose" => {
                let number = request.id;
                match request.text.as_deref() {
                    Some("board") => self.boards.remove(number),
                    #[cfg(feature = "engine")]
                    Some("engine") => self.engines.remove(number),
                    #[cfg(feature = "records")]
                    Some("reader") => self.records.readers.remove(number),
                    #[cfg(feature = "records")]
                    Some("game") => self.records.games.remove(number),
                    other => return Err(Error::argument(format!("there are no objects of kind {other:?}"))),
                }
                json(&())
            }
            _ => Err(Error::argument(format!("this module has no call {:?}", request.call))),
        }
    }
}

/// Answers a call of the player, which reads a game.
#[cfg(feature = "player")]
fn answer_for_player(name: &str, request: &Request) -> Result<Answer, Error> {
    if name != "read" {
        return Err(Error::argument(format!("a player has no call {name:?}")));
    }
    let game = crate::games::find(request.game.as_deref().unwrap_or_default())?;
    json(&(game.read)(request)?)
}
