//! The requests of the library.

use alfil_kernel::Waivers;
use alfil_session::{Names, SessionError, registry};

use super::ClientSession;
use super::requests::OpeningPlace;
use crate::game_store::{SaveError, SavedDate};
use crate::import_export;
use crate::library::{GameLibrary, ImportOptions};
use crate::request_error::{ErrorCode, RequestError};
use crate::search_slot::SearchSlot;
use crate::wire::{AppearanceDto, LibraryQuery, LibraryRequest, LibraryResponse, Response};

/// The maximal number of games in a part of a list.
const MAX_ROWS: usize = 500;
/// The maximal number of games that one request exports.
const MAX_EXPORTED_GAMES: usize = 500;

impl<S: SearchSlot> ClientSession<S> {
    /// Handles a request of the library.
    pub(super) fn handle_library_request(
        &mut self,
        request: LibraryRequest,
    ) -> Result<Response, RequestError> {
        let library = self.library_response(request)?;
        // If the open game was deleted, it continues as a new one.
        let game = self.renamed_game();
        Ok(Response { game, library: Some(library), ..Response::default() })
    }

    fn library_response(&mut self, request: LibraryRequest) -> Result<LibraryResponse, RequestError> {
        let mut response = LibraryResponse::default();
        match request {
            LibraryRequest::List { query, offset, limit } => {
                let key = position_key(&query)?;
                response.list = Some(self.library()?.list_games(&query, key, offset, limit.min(MAX_ROWS))?);
            }
            LibraryRequest::Ids { query } => {
                response.ids = Some(self.library()?.ids(&query, position_key(&query)?)?);
            }
            LibraryRequest::Collections => response.collections = Some(self.library()?.collections()?),
            LibraryRequest::RenameCollection { collection, name } => {
                let name = name.trim();
                if name.is_empty() {
                    let error = SessionError::new("a collection needs a name");
                    return Err(error.with_chinese("棋谱集须有名称").into());
                }
                self.library()?.rename_collection(&collection, name)?;
            }
            LibraryRequest::DeleteCollection { collection } => {
                self.library()?.set_collection_deleted(&collection, true)?;
                self.continue_deleted_game();
            }
            LibraryRequest::RestoreCollection { collection } => {
                self.library()?.set_collection_deleted(&collection, false)?;
            }
            LibraryRequest::DeleteGames { games } => {
                self.library()?.delete_games(&games)?;
                self.continue_deleted_game();
            }
            LibraryRequest::RestoreGames { games } => {
                response.restored = Some(self.library()?.restore_games(&games)?);
            }
            LibraryRequest::RemoveGames { games } => self.library()?.remove_games(&games)?,
            LibraryRequest::Export { games } => response.text = Some(self.export_games(&games)?),
            LibraryRequest::Tags { game } => {
                let game = self.store.load(&game)?;
                response.game = Some(game.record().game.clone());
                response.tags = Some(game.record().tags.clone());
            }
            LibraryRequest::SetTags { game, tags } => response.tags = Some(self.set_tags_of(&game, tags)?),
            LibraryRequest::Looks => {
                let look = |game| Ok((game, AppearanceDto::from(registry::info(game)?)));
                let looks = registry::games().map(look).collect::<Result<_, SessionError>>()?;
                response.looks = Some(looks);
            }
            LibraryRequest::ImportBegin { name, game, chinese, names } => {
                // A former import that did not end is cancelled.
                self.import = None;
                let names = names.into_iter().map(read_names).collect::<Result<_, _>>()?;
                let options = ImportOptions { name, game, in_chinese: chinese, names };
                self.import = Some(self.library()?.begin_import(options)?);
            }
            LibraryRequest::ImportChunk { data } => {
                let bytes = import_export::file_bytes(data, true)?;
                let import = self.import.as_mut().ok_or("there is no running import: begin one")?;
                response.import = Some(import.push(bytes).inspect_err(|_| self.import = None)?);
            }
            LibraryRequest::ImportEnd => {
                let import = self.import.as_mut().ok_or("there is no running import: begin one")?;
                let progress = import.finish().inspect_err(|_| self.import = None)?;
                if progress.done {
                    self.import = None;
                }
                response.import = Some(progress);
            }
            LibraryRequest::ImportCancel => self.import = None,
        }
        Ok(response)
    }

    fn library(&self) -> Result<&dyn GameLibrary, RequestError> {
        self.store.library().ok_or_else(|| "this program keeps no library of games".into())
    }

    /// Gives the open game a new id if it was deleted, so that its next change is saved.
    fn continue_deleted_game(&mut self) {
        let (store, host) = (&self.store, self.host);
        if let Some(game) = self.game.as_mut().filter(|game| game.revision > 0)
            && store.load(&game.id).is_err_and(|error| error.code == Some(ErrorCode::NotFound))
        {
            game.assign_id(host.new_id());
        }
    }

    /// Returns games as PGN, one after another.
    fn export_games(&self, ids: &[String]) -> Result<String, RequestError> {
        if ids.len() > MAX_EXPORTED_GAMES {
            return Err(format!("expected at most {MAX_EXPORTED_GAMES} games, found {}", ids.len()).into());
        }
        let mut text = String::new();
        for id in ids {
            // A game that was deleted meanwhile is left out.
            let mut game = match self.store.load(id) {
                Err(error) if error.code == Some(ErrorCode::NotFound) => continue,
                game => game?,
            };
            text.push_str(&import_export::export_pgn(&mut game, &import_export::ExportOptions::default())?);
            text.push('\n');
        }
        Ok(text)
    }

    /// Replaces the tags of a game, the open one or another; returns the former tags.
    fn set_tags_of(
        &mut self,
        id: &str,
        tags: Vec<(String, String)>,
    ) -> Result<Vec<(String, String)>, RequestError> {
        if let Some(game) = self.game.as_mut().filter(|game| game.id == id) {
            let former = game.record().tags.clone();
            game.played.set_tags(tags);
            self.save_game()?;
            let out = self.show_game();
            self.pending_messages.extend(out);
            return Ok(former);
        }
        let mut game = self.store.load(id)?;
        // Otherwise the earlier edits could not be undone any more.
        self.restore_edits(&mut game);
        let former = game.record().tags.clone();
        game.played.set_tags(tags);
        self.store.save(&mut game, self.client_id, SavedDate::Now).map_err(|error| match error {
            SaveError::Storage(error) => RequestError::from(error),
            SaveError::Conflict | SaveError::Deleted => RequestError::changed(),
        })?;
        self.edit_histories.keep(&mut game);
        Ok(former)
    }

    /// Imports a file of several games as a collection, and opens its first game.
    pub(super) fn import_collection(
        &mut self,
        bytes: Vec<u8>,
        options: ImportOptions,
    ) -> Result<Response, RequestError> {
        let mut import = self.library()?.begin_import(options)?;
        import.push(bytes)?;
        let progress = loop {
            let progress = import.finish()?;
            if progress.done {
                break progress;
            }
        };
        let first = progress.first.clone().unwrap_or_default();
        let response = self.open_saved(&first, &OpeningPlace::FirstMove)?;
        Ok(Response { imported: Some(progress), ..response })
    }
}

/// Reads a file of names; each character of the text is a byte.
fn read_names(text: String) -> Result<Names, SessionError> {
    Names::parse(&import_export::file_bytes(text, true)?).ok_or_else(|| {
        SessionError::new(
            "one of the files beside the games is no list of names: expected .jou or .trn of WTHOR",
        )
        .with_chinese("随棋谱选取的文件中有一个不是名单：应为 WTHOR 的 .jou 或 .trn 文件")
    })
}

/// Returns the hash key of the position of a query.
fn position_key(query: &LibraryQuery) -> Result<Option<u64>, RequestError> {
    let Some(position) = &query.position else { return Ok(None) };
    let game = query.game.as_deref().ok_or("a search for a position needs the name of its game")?;
    let mut session = registry::open(game, None)?;
    session.open(position, &Waivers::All)?;
    Ok(Some(session.view().hash_key))
}
