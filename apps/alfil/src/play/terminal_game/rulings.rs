//! Rulings on repetitions, and the choice of the ruleset.

use alfil_kernel::Outcome;
use alfil_session::{GameEnd, Ruling, RulingRequest, SessionError};

use super::super::messages::Message;
use super::TerminalGame;
use crate::language::Language;

impl TerminalGame {
    /// Returns the reasons of a ruling on a repetition.
    pub(super) fn ruling_reasons(&self) -> String {
        let request = RulingRequest { ruleset: self.ruleset.clone(), ..self.ruling_request() };
        let ruling = self.session.ruling(&request).ok();
        let separator = if request.in_chinese { "" } else { " " };
        ruling
            .filter(|ruling| ruling.repetition_plies.is_some())
            .map_or(String::new(), |ruling| ruling.explanation.join(separator))
    }

    /// Returns whether there is anything to judge: the game is over, or the position is repeated.
    pub(crate) fn has_ruling(&self) -> bool {
        let view = self.session.view();
        !self.session.rulesets().is_empty() && (view.game_end.is_some() || view.occurrences > 1)
    }

    /// Returns the ruleset of that name.
    ///
    /// # Errors
    /// If the game has no such ruleset.
    pub(crate) fn find_ruleset(&self, ruleset: &str) -> Result<&'static str, SessionError> {
        let rulesets = self.session.rulesets();
        let unknown = || match &rulesets[..] {
            [] => SessionError::new(self.format_message(Message::NoRulesets, &[self.game_title()])),
            _ => SessionError::new(
                self.format_message(Message::UnknownRuleset, &[ruleset, &rulesets.join(", ")]),
            ),
        };
        rulesets.iter().find(|&&known| known == ruleset).copied().ok_or_else(unknown)
    }

    /// Returns a ruleset's ruling on a repetition or on the end of the game.
    ///
    /// # Errors
    /// If there is no such ruleset.
    pub(crate) fn ruling(&self, ruleset: &str) -> Result<Ruling, SessionError> {
        let view = self.session.view();
        // A position with fewer occurrences than the ruleset demands is judged at its current occurrence.
        let early = view.game_end.is_none() && view.occurrences > 1;
        let ruleset = Some(self.find_ruleset(ruleset)?.to_owned());
        self.session.ruling(&RulingRequest {
            ruleset,
            occurrences: early.then_some(view.occurrences),
            ..self.ruling_request()
        })
    }

    /// Returns a ruling request in the chosen language and dialect.
    fn ruling_request(&self) -> RulingRequest {
        let chinese = self.language == Language::Zh;
        RulingRequest {
            in_chinese: chinese,
            dialect: Some(self.dialect.to_owned()),
            ..RulingRequest::default()
        }
    }

    /// Returns the ruleset, in games that have several.
    pub(crate) fn ruleset(&self) -> Option<&str> {
        self.ruleset.as_deref()
    }

    /// Sets the ruleset.
    ///
    /// # Errors
    /// If there is no such ruleset.
    pub(crate) fn set_ruleset(&mut self, ruleset: &str) -> Result<(), SessionError> {
        let ruleset = self.find_ruleset(ruleset)?;
        self.stop_search();
        self.session.set_ruleset(ruleset)?;
        self.ruleset = Some(ruleset.to_owned());
        self.run_clock();
        self.message = self.format_message(Message::RulesetChosen, &[self.ruleset_title(ruleset)]);
        Ok(())
    }

    /// Returns the display name of a ruleset.
    pub(crate) fn ruleset_title(&self, ruleset: &str) -> &'static str {
        let info = self.session.info().ruleset(ruleset);
        info.map_or("", |info| if self.language == Language::Zh { info.title_zh } else { info.title })
    }

    /// Returns the result text if the person's last move loses by repetition, at once or by a reply.
    pub(super) fn repetition_loss(&mut self) -> Option<String> {
        if let Some(game_end) = self.session.game_end() {
            return self.repetition_loss_text(game_end);
        }
        let replies = self.session.legal_moves(None).unwrap_or_default();
        replies.iter().find_map(|reply| {
            let game_end = self.session.play(reply, None).ok()?.game_end;
            let text = game_end.and_then(|game_end| self.repetition_loss_text(game_end));
            self.session.undo();
            text
        })
    }

    /// Returns the text of a game end if the person has lost by repetition.
    fn repetition_loss_text(&self, game_end: GameEnd) -> Option<String> {
        let lost = game_end.outcome == Outcome::Win(!self.person);
        // Without reasons the game was not lost by repetition.
        (lost && !self.ruling_reasons().is_empty()).then(|| self.verdict_text(&game_end))
    }
}
