//! The keys by which games are sorted.

use crate::filter::{Field, FieldValues, FilterError, collation_key, fold_case};
use crate::game_facts::GameFacts;

/// A key by which games are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    field: Field,
    is_descending: bool,
}

/// An error in a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SortKeyError {
    /// There is no such field.
    #[error("the field {text:?}: {error}")]
    UnknownField {
        /// The text.
        text: String,
        /// Why it is none.
        error: FilterError,
    },
    /// The field has two values.
    #[error("{0} is of two players: use {1} or {2}")]
    TwoValues(&'static str, &'static str, &'static str),
}

impl SortKey {
    /// Parses a key: a field, with `-` before it to sort from the greatest value down.
    ///
    /// ```
    /// use alfil_batch::conversion::SortKey;
    ///
    /// assert!(SortKey::parse("-date").is_ok());
    /// assert!(SortKey::parse("player").unwrap_err().to_string().contains("use white or black"));
    /// ```
    ///
    /// # Errors
    /// If there is no such field, or it has a value for each player.
    pub fn parse(text: &str) -> Result<SortKey, SortKeyError> {
        let (is_descending, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text),
        };
        Ok(SortKey { field: Self::parse_field(name)?, is_descending })
    }

    /// Parses a field with one value in each game.
    ///
    /// # Errors
    /// If there is no such field, or it has a value for each player.
    pub fn parse_field(name: &str) -> Result<Field, SortKeyError> {
        let unknown = |error| SortKeyError::UnknownField { text: name.to_owned(), error };
        match Field::parse(name).map_err(unknown)? {
            Field::Player => Err(SortKeyError::TwoValues("player", "white", "black")),
            Field::Elo => Err(SortKeyError::TwoValues("elo", "whiteelo", "blackelo")),
            field => Ok(field),
        }
    }

    /// Returns whether the key is about the opening.
    pub(super) fn is_of_opening(&self) -> bool {
        self.field.is_of_opening()
    }

    /// Returns the value of a field as text; none if it is not known. The text of an unknown result is `*`.
    pub(super) fn text_of(field: &Field, facts: GameFacts<'_>) -> Option<String> {
        match field.values(facts) {
            FieldValues::Texts([text, _]) => text.map(str::to_owned),
            FieldValues::Numbers([number, _]) => number.map(|number| number.to_string()),
            FieldValues::Date(date) => {
                let [year, month, day] = date?;
                let part = |part: Option<u32>| part.map_or("??".into(), |part| format!("{part:02}"));
                Some(format!("{:04}.{}.{}", year?, part(month), part(day)))
            }
        }
    }

    /// Adds bytes to a key whose order is that of the values. Unknown values come last in both directions.
    pub(super) fn append_to(&self, key: &mut Vec<u8>, facts: GameFacts<'_>) {
        let mut value = Vec::new();
        // The text of an unknown result is `*`.
        let is_unknown = self.field == Field::Result && facts.outcome().is_none();
        match self.field.values(facts) {
            FieldValues::Texts([text, _]) => {
                if let Some(text) = text {
                    value.extend(collation_key(&fold_case(text)));
                }
            }
            FieldValues::Numbers([number, _]) => {
                let ordered = |number: i64| (number as u64 ^ 1 << 63).to_be_bytes();
                value.extend(number.into_iter().flat_map(ordered));
            }
            FieldValues::Date(date) => {
                let known = date.filter(|date| date[0].is_some());
                let bytes = |part: Option<u32>| part.unwrap_or(0).to_be_bytes();
                value.extend(known.into_iter().flatten().flat_map(bytes));
            }
        }
        if value.is_empty() || is_unknown {
            key.push(1);
            return;
        }
        key.push(0);
        let mask = if self.is_descending { 0xff } else { 0 };
        key.extend(value.iter().map(|byte| byte ^ mask));
    }
}
