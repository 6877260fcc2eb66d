//! Writes one game in the format of a conversion.

use alfil_records::move_tree::{MoveTree, ROOT};
use alfil_records::text_game::TextGame;
use alfil_records::wthor::Names;
use alfil_records::{Charset, FileFormat, wthor};
use alfil_session::registry;

use super::{ConversionSettings, entry_of, losses};
use crate::source::Place;

/// A written game.
#[derive(Clone, Debug)]
pub(super) enum Written {
    /// The bytes of a file with this game.
    Bytes(Vec<u8>),
    /// The game, for a format whose files are written as a whole.
    Game(Box<WholeGame>),
}

/// A game of a file that is written as a whole.
#[derive(Clone, Debug)]
pub(super) struct WholeGame {
    pub(super) game: TextGame,
    pub(super) place: Place,
}

/// Writes games.
pub(super) struct GameWriter<'a> {
    settings: &'a ConversionSettings,
}

impl<'a> GameWriter<'a> {
    pub(super) fn new(settings: &'a ConversionSettings) -> Self {
        GameWriter { settings }
    }

    /// Removes what the settings leave out.
    pub(super) fn reduce(&self, game: &mut TextGame) {
        if !self.settings.keep_variations {
            let main_line = game.moves.main_line().map(|node| game.moves[node].value.clone());
            game.moves = MoveTree::from_line(game.moves[ROOT].value.clone(), main_line);
        }
        if !self.settings.keep_comments {
            for (_, mv) in game.moves.iter_mut() {
                mv.annotation.keep_only_nags();
            }
        }
    }

    /// Writes a game; returns also what of it the format cannot hold.
    ///
    /// # Errors
    /// Returns the reason why the game cannot be written.
    pub(super) fn write(&self, game: &TextGame, place: &Place) -> Result<(Written, Option<String>), String> {
        let format = self.settings.format;
        match format {
            FileFormat::Pgn => self.write_pgn(game).map(|(bytes, fault)| (Written::Bytes(bytes), fault)),
            FileFormat::Wthor => {
                let base =
                    wthor::format_text_base(std::slice::from_ref(game)).map_err(|error| error.to_string())?;
                let mut reread = read_again(&base.games, &game.game)?;
                for names in
                    [&base.players, &base.tournaments].into_iter().filter_map(|file| Names::parse(file))
                {
                    names.complete(&mut reread.tags);
                }
                let whole = WholeGame { game: game.clone(), place: place.clone() };
                Ok((Written::Game(Box::new(whole)), self.losses(game, &reread)))
            }
            _ => {
                let bytes = registry::write_file(format, std::slice::from_ref(game));
                let bytes = bytes.map_err(|error| error.message)?;
                let reread = read_again(&bytes, &game.game)?;
                Ok((Written::Bytes(bytes), self.losses(game, &reread)))
            }
        }
    }

    fn losses(&self, game: &TextGame, reread: &TextGame) -> Option<String> {
        if self.settings.allow_losses {
            return None;
        }
        losses::losses(game, reread, self.settings.format)
    }

    /// Checks that PGN of a game has the dialect of the settings.
    ///
    /// # Errors
    /// Returns the dialects that it has.
    pub(super) fn check_dialect(&self, game: &str) -> Result<(), String> {
        let Some(dialect) = self.settings.dialect.as_deref() else { return Ok(()) };
        let known = entry_of(game)?.records.pgn_dialects();
        if known.contains(&dialect) {
            return Ok(());
        }
        let known = known.join(", ");
        Err(format!("PGN of {game} has no dialect {dialect}: its dialects are {known}"))
    }

    /// Writes a game as PGN; returns also what is lost when it is read again.
    fn write_pgn(&self, game: &TextGame) -> Result<(Vec<u8>, Option<String>), String> {
        self.check_dialect(&game.game)?;
        let text = entry_of(&game.game)?.records.format_pgn(game, self.settings.dialect.as_deref());
        self.encode(text.map_err(|error| error.to_string())?, &game.game)
    }

    /// Encodes the PGN of a game; returns also what is lost when it is read again.
    ///
    /// # Errors
    /// If the encoding lacks a character.
    pub(super) fn encode(&self, text: String, game: &str) -> Result<(Vec<u8>, Option<String>), String> {
        let charset = self.settings.charset;
        if charset == Charset::Utf8 {
            return Ok((text.into_bytes(), None));
        }
        let name = charset.name();
        let bytes = charset
            .encode(&text)
            .map_err(|character| format!("the encoding {name} has no character {character:?}"))?;
        let is_recognised = self.settings.allow_losses || {
            let (reread, expected) = (read_again(&bytes, game)?, read_again(text.as_bytes(), game)?);
            (reread.tags, reread.moves) == (expected.tags, expected.moves)
        };
        let fault = (!is_recognised).then(|| {
            format!("the encoding {name} is not recognised when this game is read again: utf-8 always is")
        });
        Ok((bytes, fault))
    }
}

/// Reads a written game.
fn read_again(bytes: &[u8], game: &str) -> Result<TextGame, String> {
    let games = registry::read_games(bytes, Some(game)).map_err(|error| error.message)?;
    let unreadable = || "the written game cannot be read again".to_owned();
    games.into_iter().next().ok_or_else(unreadable)?.map_err(|error| format!("{}: {error}", unreadable()))
}
