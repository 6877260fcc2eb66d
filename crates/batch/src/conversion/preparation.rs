//! The part of a conversion that threads share: games are read, chosen and written to bytes.

use alfil_records::{FileFormat, GameOutline, Rewriting, RewrittenGame};
use alfil_session::OpeningNamesCache;

use super::dedupe::{GameKey, SeenGames};
use super::output::GroupName;
use super::settings::{ConversionSettings, Split};
use super::sort_key::SortKey;
use super::writer::{GameWriter, Written};
use crate::fault::Fault;
use crate::filter::with_opening;
use crate::game_facts::GameFacts;
use crate::source::{Place, SourceBatch, SourceGame, SourceItem};

/// Reads, chooses and writes the games of a conversion, without their places in the output. Threads share it.
///
/// ```
/// use std::path::Path;
///
/// use alfil_batch::conversion::{Conversion, ConversionSettings};
/// use alfil_batch::source::{Source, SourceOptions};
/// use alfil_session::FileFormat;
///
/// let folder = tempfile::tempdir()?;
/// let (input, output) = (folder.path().join("in.pgn"), folder.path().join("out.pgn"));
/// std::fs::write(&input, "1. e4 e5 *\n\n1. d4 *\n")?;
/// let source = Source::open(&[input], &SourceOptions::default())?;
/// let mut conversion =
///     Conversion::new(ConversionSettings::new(FileFormat::Pgn), Some(Path::new(&output)), source.files())?;
/// let preparation = conversion.preparation();
/// source.map_in_order(2, |batch| preparation.prepare(batch), |games| conversion.add_prepared(games))?;
/// assert_eq!(conversion.finish()?.written, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Preparation {
    settings: ConversionSettings,
    /// The named openings, if games are chosen, sorted or split by them.
    openings: Option<OpeningNamesCache>,
}

/// Some games that were read and written to bytes, in the order of the source.
pub struct PreparedGames {
    pub(super) items: Vec<PreparedItem>,
    /// The number of games that were skipped because of their tags.
    pub(super) skipped: u64,
}

impl PreparedGames {
    /// Returns the number of games and faults, those left out included.
    pub fn len(&self) -> u64 {
        self.items.len() as u64 + self.skipped
    }

    /// Returns whether there is neither a game nor a fault.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

pub(super) enum PreparedItem {
    Fault(Fault),
    /// A game that the filter leaves out.
    Filtered,
    Game(Box<PreparedGame>),
}

pub(super) struct PreparedGame {
    pub(super) place: Place,
    /// What it has in common with its repetitions, if these are left out.
    pub(super) key: Option<GameKey>,
    /// The bytes by which it is sorted.
    pub(super) sort_key: Vec<u8>,
    pub(super) group: GroupName,
    /// The game with what of it the format cannot hold, or why it cannot be written.
    pub(super) written: Result<(Written, Option<String>), String>,
}

impl Preparation {
    pub(super) fn new(settings: ConversionSettings) -> Preparation {
        let is_split_by_opening =
            matches!(&settings.split, Some(Split::Field(field)) if field.is_of_opening());
        let is_chosen_by_opening = settings.filter.as_ref().is_some_and(|filter| filter.needs_openings());
        let needs_openings =
            is_split_by_opening || is_chosen_by_opening || settings.sort.iter().any(SortKey::is_of_opening);
        Preparation { settings, openings: needs_openings.then(OpeningNamesCache::default) }
    }

    /// Reads the games of a batch and writes those for which the filter is true.
    pub fn prepare(&self, batch: SourceBatch) -> PreparedGames {
        let skipped = batch.skipped();
        let items = if batch.is_pgn() && self.settings.format == FileFormat::Pgn {
            self.rewrite(&batch)
        } else {
            batch.into_games().into_iter().map(|item| self.prepare_item(item)).collect()
        };
        PreparedGames { items, skipped }
    }

    pub(super) fn prepare_item(&self, item: SourceItem) -> PreparedItem {
        match item {
            SourceItem::Fault(fault) => PreparedItem::Fault(fault),
            SourceItem::Game(game) => self.prepare_game(*game),
        }
    }

    fn prepare_game(&self, SourceGame { place, mut game, .. }: SourceGame) -> PreparedItem {
        let named = with_opening(self.openings.as_ref(), &game);
        let facts = GameFacts::new(&named);
        if self.leaves_out(facts) {
            return PreparedItem::Filtered;
        }
        let key = self.key_of(facts, &game.main_line(), game.error.is_some());
        let (sort_key, group) = (self.sort_key(facts), self.group(facts));
        drop(named);
        let writer = GameWriter::new(&self.settings);
        writer.reduce(&mut game);
        let written = writer.write(&game, &place);
        PreparedItem::Game(Box::new(PreparedGame { place, key, sort_key, group, written }))
    }

    /// Reads games of PGN and writes them as PGN.
    fn rewrite(&self, batch: &SourceBatch) -> Vec<PreparedItem> {
        let settings = &self.settings;
        let openings = batch.openings().or(self.openings.as_ref());
        let names_of = openings.map(|openings| |game: &str| openings.names_of(game));
        let accepts = |outline: &GameOutline| !self.leaves_out(GameFacts::of_outline(outline));
        let rewriting = Rewriting {
            dialect: settings.dialect.as_deref(),
            drops_comments: !settings.keep_comments,
            drops_variations: !settings.keep_variations,
            names: names_of.as_ref().map(|names_of| names_of as &dyn Fn(&str) -> _),
            writes_opening: batch.openings().is_some(),
            keeps_main_line: settings.dedupe,
            accepts: Some(&accepts),
        };
        let prepare = |item| match item {
            SourceItem::Fault(fault) => PreparedItem::Fault(fault),
            SourceItem::Game(game) => self.prepare_rewritten(*game),
        };
        batch.rewrite(&rewriting).into_iter().map(prepare).collect()
    }

    fn prepare_rewritten(&self, game: SourceGame<RewrittenGame>) -> PreparedItem {
        let SourceGame { place, game: RewrittenGame { outline, main_line, pgn }, .. } = game;
        let Some(pgn) = pgn else { return PreparedItem::Filtered };
        let facts = GameFacts::of_outline(&outline);
        let key = self.key_of(facts, &main_line, outline.error.is_some());
        let writer = GameWriter::new(&self.settings);
        let written = writer.check_dialect(&outline.game).and_then(|()| {
            let (bytes, fault) = writer.encode(pgn.map_err(|error| error.to_string())?, &outline.game)?;
            Ok((Written::Bytes(bytes), fault))
        });
        let (sort_key, group) = (self.sort_key(facts), self.group(facts));
        PreparedItem::Game(Box::new(PreparedGame { place, key, sort_key, group, written }))
    }

    fn leaves_out(&self, facts: GameFacts<'_>) -> bool {
        self.settings.filter.as_ref().is_some_and(|filter| !filter.holds(facts))
    }

    fn key_of(&self, facts: GameFacts<'_>, moves: &[impl AsRef<str>], has_error: bool) -> Option<GameKey> {
        if self.settings.dedupe { SeenGames::key_of(facts, moves, has_error) } else { None }
    }

    fn sort_key(&self, facts: GameFacts<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.settings.sort.iter().for_each(|key| key.append_to(&mut bytes, facts));
        bytes
    }

    fn group(&self, facts: GameFacts<'_>) -> GroupName {
        match &self.settings.split {
            Some(Split::Field(field)) => GroupName::Value(SortKey::text_of(field, facts)),
            Some(Split::Count(_)) | None => GroupName::Next,
        }
    }
}
