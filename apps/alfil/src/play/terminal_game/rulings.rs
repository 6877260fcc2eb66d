//! Rulings on repetitions, and the choice of the ruleset.

use alfil_kernel::Outcome;
use alfil_session::{GameEnd, Ruling, SessionError};

use super::super::messages::Message;
use super::TerminalGame;
use crate::language::Language;

impl TerminalGame {
    /// Returns the reasons of a ruling on a repetition.
    pub(super) fn ruling_reasons(&self) -> String {
        let in_chinese = self.language == Language::Zh;
        let ruling = self.played.ruling(None, None, in_chinese).ok();
        let separator = if in_chinese { "" } else { " " };
        ruling
            .filter(|ruling| ruling.repetition_plies.is_some())
            .map_or(String::new(), |ruling| ruling.explanation.join(separator))
    }

    /// Returns whether a ruleset has anything to judge: the game has rulesets, and is over or its position is repeated.
    pub(crate) fn has_ruling(&self) -> bool {
        let view = self.session().view();
        !self.session().rulesets().is_empty() && (view.game_end.is_some() || view.occurrences > 1)
    }

    /// Returns the ruleset of that name.
    ///
    /// # Errors
    /// If the game has no such ruleset.
    pub(crate) fn find_ruleset(&self, ruleset: &str) -> Result<&'static str, SessionError> {
        let rulesets = self.session().rulesets();
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
        let view = self.session().view();
        // A position with fewer occurrences than the ruleset demands is judged at its current occurrence.
        let early = view.game_end.is_none() && view.occurrences > 1;
        let ruleset = Some(self.find_ruleset(ruleset)?.to_owned());
        self.played.ruling(ruleset, early.then_some(view.occurrences), self.language == Language::Zh)
    }

    /// Returns the ruleset, in games that have several.
    pub(crate) fn ruleset(&self) -> Option<&str> {
        self.played.ruleset()
    }

    /// Sets the ruleset.
    ///
    /// # Errors
    /// If there is no such ruleset.
    pub(crate) fn set_ruleset(&mut self, ruleset: &str) -> Result<(), SessionError> {
        let ruleset = self.find_ruleset(ruleset)?;
        self.stop_search();
        self.played.set_ruleset(ruleset, alfil_engine::now())?;
        self.message = self.format_message(Message::RulesetChosen, &[self.ruleset_title(ruleset)]);
        Ok(())
    }

    /// Returns the display name of a ruleset.
    pub(crate) fn ruleset_title(&self, ruleset: &str) -> &'static str {
        let info = self.session().info().ruleset(ruleset);
        info.map_or("", |info| if self.language == Language::Zh { info.title_zh } else { info.title })
    }

    /// Returns the result text if a move of the person loses by repetition, at once or by a reply.
    pub(super) fn repetition_loss(&self, text: &str) -> Option<String> {
        let warnings = self.session().rule_warnings();
        let loses = |end: &GameEnd| end.outcome == Outcome::loss(self.person());
        let warning = warnings.into_iter().find(|warning| warning.mv == text && loses(&warning.end));
        warning.map(|warning| self.verdict_text(&warning.end))
    }
}
