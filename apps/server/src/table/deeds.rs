//! What a page can ask for that is answered at once.

use std::collections::BTreeMap;

use alfil_hall::{Desk, DeskError, JudgeAsk, registry};
use alfil_kernel::Side;

use super::Table;
use crate::game::{self, Game, shown};
use crate::refusal::Refusal;
use crate::store::Store;
use crate::text;
use crate::wire::{Answer, Deed, GameName, LookShape, NewGame, SetupShape, SightShape, StepShape};

impl Table {
    /// Does it.
    pub(super) fn deed(&mut self, deed: Deed) -> Result<Answer, Refusal> {
        match deed {
            Deed::Games { skip } => self.games(skip),
            Deed::New(new) => self.begin(new),
            Deed::Import { text, bytes, game, chinese } => self.import(text, bytes, game, chinese),
            Deed::Open { game, node } => self.open(&game, node),
            Deed::Forget { game } => self.forget(&game),
            Deed::Play { text, dialect } => self.play(&text, dialect.as_deref()),
            Deed::Walk { moves } => self.changing(|game| game.walk(&moves).map(drop)),
            Deed::Go { node } => self.go(node),
            Deed::Undo { plies } => self.undo(plies),
            Deed::Prune { node } => self.changing(|game| Ok(game.prune(node)?)),
            Deed::Comment { node, text } => self.changing(|game| Ok(game.comment(node, text)?)),
            Deed::Seat { person, level } => self.changing_all(|game| Ok(game.seat(person, level)?)),
            Deed::Resign => self.changing_all(Game::resign),
            Deed::Book { name } => self.changing_all(|game| Ok(game.judge_by(&name)?)),
            Deed::Dialect { name } => self.changing_all(|game| Ok(game.speak(&name)?)),
            Deed::Sights => {
                let sights = self.game()?.desk().sights().into_iter().map(SightShape::from).collect();
                Ok(Answer { sights: Some(sights), ..Answer::default() })
            }
            Deed::Rule { book, occurrences, chinese } => {
                let dialect = self.game()?.record.dialect.clone();
                let ask = JudgeAsk { book, occurrences, chinese, dialect };
                let ruling = self.game()?.desk().rule(&ask)?;
                Ok(Answer { ruling: Some(ruling.into()), ..Answer::default() })
            }
            Deed::Arrange { men, side } => self.arrange(men, side),
            Deed::Examine { fen, chinese } => self.examine(&fen, chinese),
            Deed::Export => {
                let text = text::export(self.game()?)?;
                Ok(Answer { text: Some(text), ..Answer::default() })
            }
            Deed::Stop
            | Deed::Think { .. }
            | Deed::Hint { .. }
            | Deed::Analyse { .. }
            | Deed::Review { .. } => Ok(Answer::default()),
        }
    }

    fn games(&self, skip: u32) -> Result<Answer, Refusal> {
        let name = |game| {
            let look = LookShape::from(registry::open(game, None)?.look());
            let LookShape { title, title_zh, sides, sides_zh, .. } = look;
            Ok(GameName { game, title, title_zh, sides, sides_zh })
        };
        let games = registry::games().map(name).collect::<Result<_, DeskError>>()?;
        let (kept, more) = self.store.list(skip)?;
        Ok(Answer { games: Some(games), kept: Some(kept), more: Some(more), ..Answer::default() })
    }

    fn begin(&mut self, new: NewGame) -> Result<Answer, Refusal> {
        self.lay(Game::new(Store::fresh_id(), new)?);
        self.keep()?;
        self.whole()
    }

    /// The first game of a file is laid here, and the others are kept.
    fn import(
        &mut self,
        text: String,
        bytes: bool,
        kind: Option<String>,
        chinese: bool,
    ) -> Result<Answer, Refusal> {
        let kind = kind.map_or_else(|| self.game().map(|game| game.record.game.clone()), Ok)?;
        let mut games = text::import(&kind, &text::file(text, bytes)?, chinese)?.into_iter();
        if let Some(first) = games.next() {
            self.lay(first);
            self.keep()?;
        }
        for mut game in games {
            let saved = self.store.save(&mut game, self.number);
            self.saved(saved, false)?;
        }
        self.whole()
    }

    fn open(&mut self, id: &str, node: Option<usize>) -> Result<Answer, Refusal> {
        // It may be the game that lies here already: its time is noted before it is read.
        self.leave();
        let mut game = self.store.load(id).inspect_err(|_| self.stay())?;
        if let Some(node) = node {
            // The move may have been taken back in another window.
            let _ = game.go(node);
        }
        self.lay(game);
        self.whole()
    }

    /// Throws a game away. If it is the one on the table, that is a new one from now on.
    fn forget(&mut self, id: &str) -> Result<Answer, Refusal> {
        self.store.forget(id)?;
        if let Some(game) = self.game.as_mut().filter(|game| game.id == id) {
            game.renew();
        }
        let renamed = self.renamed();
        Ok(Answer { game: renamed, ..self.games(0)? })
    }

    fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<Answer, Refusal> {
        let step = self.game()?.play(text, dialect)?;
        self.keep()?;
        self.grown(Some(StepShape::from(&step)))
    }

    fn go(&mut self, node: usize) -> Result<Answer, Refusal> {
        let game = self.game()?;
        let steps = shown(&game.go(node)?);
        Ok(Answer { steps, node: Some(node), position: Some(game.position()), ..Answer::default() })
    }

    fn undo(&mut self, plies: usize) -> Result<Answer, Refusal> {
        let steps = shown(&self.game()?.undo(plies)?);
        self.keep()?;
        Ok(Answer { steps, ..self.grown(None)? })
    }

    /// What changes the moves.
    fn changing(&mut self, change: impl FnOnce(&mut Game) -> Result<(), Refusal>) -> Result<Answer, Refusal> {
        change(self.game()?)?;
        self.keep()?;
        self.grown(None)
    }

    /// What changes everything.
    fn changing_all(
        &mut self,
        change: impl FnOnce(&mut Game) -> Result<(), Refusal>,
    ) -> Result<Answer, Refusal> {
        change(self.game()?)?;
        self.keep()?;
        self.whole()
    }

    fn arrange(&mut self, men: BTreeMap<String, char>, side: usize) -> Result<Answer, Refusal> {
        let side = if game::side(Some(side))? == Some(0) { Side::First } else { Side::Second };
        let men: Vec<_> = men.into_iter().collect();
        let desk = self.game()?.desk();
        Ok(Answer { setup: Some(examined(desk, desk.compose(&men, side))?), ..Answer::default() })
    }

    fn examine(&mut self, text: &str, chinese: bool) -> Result<Answer, Refusal> {
        let kind = self.game()?.record.game.clone();
        let desk = registry::open(&kind, None)?;
        let setup = examined(desk.as_ref(), text::place(&kind, text, chinese)?)?;
        let (men, side) = desk.laid(&setup.fen)?;
        let setup = SetupShape { men: Some(men.into_iter().collect()), side: Some(side.index()), ..setup };
        Ok(Answer { setup: Some(setup), ..Answer::default() })
    }
}

/// A position text and what is wrong with it.
fn examined(desk: &dyn Desk, fen: String) -> Result<SetupShape, DeskError> {
    let grievances = desk.grievances(&fen)?.into_iter().map(Into::into).collect();
    Ok(SetupShape { fen, grievances, men: None, side: None })
}
