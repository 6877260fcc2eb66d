//! The objects that JavaScript holds, by their numbers, and the calls by their names.

#[cfg(feature = "boards")]
use std::collections::BTreeMap;

use serde::Serialize;

#[cfg(feature = "boards")]
use crate::boards::{self, Board};
#[cfg(feature = "boards")]
use crate::errors::Code;
use crate::errors::Error;
use crate::host::Answer;
use crate::requests::Request;

/// The objects of one kind. A number is never used again, so that one that was disposed is an error.
#[cfg(feature = "boards")]
#[derive(Debug)]
pub(crate) struct Table<T> {
    objects: BTreeMap<u32, T>,
    last: u32,
}

#[cfg(feature = "boards")]
impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { objects: BTreeMap::new(), last: 0 }
    }
}

#[cfg(feature = "boards")]
impl<T> Table<T> {
    /// Adds an object and returns its number.
    pub(crate) fn add(&mut self, object: T) -> Result<u32, Error> {
        let number = self.last.checked_add(1);
        self.last = number.ok_or_else(|| Error::new(Code::Memory, "too many objects were made"))?;
        self.objects.insert(self.last, object);
        Ok(self.last)
    }

    /// Returns the object of a number.
    pub(crate) fn get(&mut self, number: u32) -> Result<&mut T, Error> {
        self.objects.get_mut(&number).ok_or_else(|| Error::new(Code::Disposed, "the object was disposed"))
    }

    fn remove(&mut self, number: u32) {
        self.objects.remove(&number);
    }

    fn len(&self) -> usize {
        self.objects.len()
    }
}

/// All objects.
#[derive(Default)]
pub(crate) struct Module {
    #[cfg(feature = "boards")]
    pub(crate) boards: Table<Box<dyn Board>>,
    #[cfg(feature = "engine")]
    pub(crate) engines: Table<crate::engines::Engine>,
    #[cfg(feature = "page")]
    pub(crate) page: Option<crate::page::Page>,
    #[cfg(feature = "records")]
    pub(crate) readers: Table<crate::records::Reader>,
    #[cfg(feature = "records")]
    pub(crate) games: Table<crate::records::Game>,
}

/// Returns an answer of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Answer, Error> {
    let text = serde_json::to_vec(value);
    text.map(Answer::Json).map_err(|error| Error::argument(format!("the answer cannot be written: {error}")))
}

impl Module {
    /// Answers a request in JSON; `bytes` are the file or network that goes with it.
    pub(crate) fn answer(&mut self, request: &[u8], bytes: Vec<u8>) -> Result<Answer, Error> {
        let request: Request = serde_json::from_slice(request)
            .map_err(|error| Error::argument(format!("an argument is of the wrong type: {error}")))?;
        let (kind, name) = request.call.split_once('.').unwrap_or((&request.call, ""));
        match kind {
            #[cfg(feature = "boards")]
            "module" => self.answer_for_module(name, &request),
            #[cfg(feature = "boards")]
            "board" => boards::answer(self, name, &request),
            #[cfg(feature = "engine")]
            "engine" => crate::engines::answer(self, name, &request, bytes),
            #[cfg(feature = "page")]
            "page" => crate::page::answer(self, name, &request, bytes),
            #[cfg(feature = "player")]
            "player" => crate::player::answer(name, &request),
            #[cfg(feature = "records")]
            "reader" | "game" => crate::records::answer(self, kind, name, &request, bytes),
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
                let count = count + self.readers.len() + self.games.len();
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
                    Some("reader") => self.readers.remove(number),
                    #[cfg(feature = "records")]
                    Some("game") => self.games.remove(number),
                    other => return Err(Error::argument(format!("there are no objects of kind {other:?}"))),
                }
                json(&())
            }
            _ => Err(Error::argument(format!("this module has no call {:?}", request.call))),
        }
    }
}
