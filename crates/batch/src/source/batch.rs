//! Some games of a source that follow each other, before their moves are read.

use std::sync::Arc;

use alfil_records::{GameBatch, GameOutline, PlacedGame, RecordError, Rewriting, RewrittenGame};
use alfil_session::{OpeningNamesCache, TextGame};

use super::{Place, SourceGame, SourceItem};
use crate::fault::Fault;

/// Some games of a source that follow each other. Those of PGN are split and not parsed yet, so that threads can share
/// the work.
pub struct SourceBatch {
    pub(super) contents: Contents,
    /// The named openings, if games get them.
    pub(super) openings: Option<OpeningNamesCache>,
}

pub(super) enum Contents {
    /// What has been read.
    Items(Vec<SourceItem>),
    /// Games of a PGN file of this name.
    Games(Arc<str>, GameBatch<'static>),
}

impl SourceBatch {
    /// Returns the number of games that were skipped because of their tags.
    pub fn skipped(&self) -> u64 {
        match &self.contents {
            Contents::Items(_) => 0,
            Contents::Games(_, games) => games.skipped(),
        }
    }

    /// Reads the games and the faults, in the order of the source.
    pub fn into_games(self) -> Vec<SourceItem> {
        let mut items = match self.contents {
            Contents::Items(items) => items,
            Contents::Games(file, games) => {
                let mut items = Vec::new();
                for placed in games.into_games() {
                    push_items(&file, placed, false, faults_of_game, &mut items);
                }
                items
            }
        };
        if let Some(openings) = &self.openings {
            for item in &mut items {
                if let SourceItem::Game(game) = item {
                    openings.complete_tags(&mut game.game);
                }
            }
        }
        items
    }

    /// Returns whether these are games of PGN, which [`SourceBatch::rewrite`] can write as PGN at once.
    pub(crate) fn is_pgn(&self) -> bool {
        matches!(self.contents, Contents::Games(..))
    }

    /// Returns the named openings, if games get them.
    pub(crate) fn openings(&self) -> Option<&OpeningNamesCache> {
        self.openings.as_ref()
    }

    /// Reads games of PGN and writes them as PGN. The faults of reading are those of [`SourceBatch::into_games`].
    pub(crate) fn rewrite(&self, rewriting: &Rewriting<'_>) -> Vec<SourceItem<RewrittenGame>> {
        let Contents::Games(file, games) = &self.contents else { return Vec::new() };
        let mut items = Vec::new();
        for placed in games.rewrite(rewriting) {
            push_items(
                file,
                placed,
                false,
                |game| (game.outline.error.as_ref(), &game.outline.warnings),
                &mut items,
            );
        }
        items
    }

    /// Reads the outlines of the games and the faults, in the order of the source. The faults are those of
    /// [`SourceBatch::into_games`].
    pub fn into_outlines(self) -> Vec<SourceItem<GameOutline>> {
        let (file, games) = match self.contents {
            Contents::Games(file, games) => (file, games),
            contents => {
                let read = SourceBatch { contents, ..self }.into_games();
                return read.into_iter().map(to_outline).collect();
            }
        };
        let names_of = self.openings.as_ref().map(|openings| |game: &str| openings.names_of(game));
        let names_of = names_of.as_ref().map(|names_of| names_of as &dyn Fn(&str) -> _);
        let mut items = Vec::new();
        for placed in games.outlines(names_of) {
            push_items(
                &file,
                placed,
                false,
                |outline| (outline.error.as_ref(), &outline.warnings),
                &mut items,
            );
        }
        items
    }
}

fn to_outline(item: SourceItem) -> SourceItem<GameOutline> {
    match item {
        SourceItem::Fault(fault) => SourceItem::Fault(fault),
        SourceItem::Game(game) => {
            let SourceGame { place, game, is_position } = *game;
            SourceItem::Game(Box::new(SourceGame { place, game: GameOutline::of(&game), is_position }))
        }
    }
}

/// Returns the error and the warnings of a game.
pub(super) fn faults_of_game(game: &TextGame) -> (Option<&RecordError>, &Vec<RecordError>) {
    (game.error.as_ref(), &game.warnings)
}

/// Adds the faults of a game, and the game if something of it could be read.
pub(super) fn push_items<T>(
    file: &Arc<str>,
    placed: PlacedGame<T>,
    is_position: bool,
    faults_of: impl Fn(&T) -> (Option<&RecordError>, &Vec<RecordError>),
    items: &mut Vec<SourceItem<T>>,
) {
    let PlacedGame { number, offset: byte, game } = placed;
    let game = match game {
        Ok(game) => game,
        Err(error) => return items.push(SourceItem::Fault(Fault::of_record(file, &error))),
    };
    let (error, warnings) = faults_of(&game);
    let faults = error.into_iter().chain(warnings).map(|error| Fault::of_record(file, error));
    items.extend(faults.map(SourceItem::Fault));
    let place = Place { file: file.clone(), number, byte };
    items.push(SourceItem::Game(Box::new(SourceGame { place, game, is_position })));
}
