//! Conditions on games: `white~"Hu Ronghua" and plies>40`.
//!
//! A condition compares a field with a value, and conditions are joined by `and`, `or`, `not` and parentheses. `not`
//! binds more strongly than `and`, and `and` more strongly than `or`. A field alone is true if its value is known.
//! Texts are compared without regard to case, with numbers in them as numbers for `<` and `>`; `~` means "contains". A
//! comparison with a value that is not known is false, except `!=`.

mod field;
mod parser;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use alfil_records::{GameOutline, Tags, TextGame};
use alfil_session::OpeningNamesCache;

use field::FieldKind;
pub(crate) use field::FieldValues;
pub use field::{FIELD_NAMES, Field};

use crate::game_facts::GameFacts;

/// An error in a condition.
///
/// ```
/// use alfil_batch::Filter;
///
/// let error = Filter::parse("white = A and or plies > 40").unwrap_err();
/// assert_eq!(error.column, 15);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct FilterError {
    /// The character of the text at which the error is, from 1.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// A condition on games. The opening of a game that does not name it is that of its moves.
///
/// ```
/// use alfil_batch::filter::Filter;
/// use alfil_session::registry;
///
/// let file = "[White \"Müller\"]\n[Black \"Sun\"]\n[Date \"2024.05.01\"]\n\n1. e4 e5 1-0";
/// let game = registry::read_games(file.as_bytes(), Some("chess"))?.remove(0).expect("a game");
/// for (filter, expected) in [
///     ("white ~ MÜLL and plies = 2", true),
///     ("player = sun and not result = 1-0", false),
///     ("date >= 2024.05 and (year < 2000 or elo = 2500 or tag(\"Annotator\") != x)", true),
/// ] {
///     assert_eq!(Filter::parse(filter)?.matches(&game), expected, "{filter}");
/// }
/// let error = Filter::parse("white~\"A\" and plys>40").unwrap_err();
/// assert!(error.to_string().starts_with("column 15: there is no field \"plys\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Filter {
    condition: Condition,
    /// The named openings, if the condition needs them.
    openings: Option<OpeningNamesCache>,
}

impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        self.condition == other.condition
    }
}

impl Eq for Filter {}

/// A condition as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    /// At least two conditions of which one must be true.
    Or(Vec<Condition>),
    /// At least two conditions that must all be true.
    And(Vec<Condition>),
    Not(Box<Condition>),
    /// The value of the field is known.
    Known(Field),
    Compare(Field, Operator, Operand),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
}

/// The operators and their texts; a text that begins with another one precedes it.
const OPERATORS: [(&str, Operator); 7] = [
    ("!=", Operator::NotEqual),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("=", Operator::Equal),
    ("<", Operator::Less),
    (">", Operator::Greater),
    ("~", Operator::Contains),
];

/// The value with which a field is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Operand {
    Number(i64),
    /// A text, as written and in the form in which texts are compared.
    Text {
        written: String,
        folded: String,
    },
    /// The year, and the month and day if they are given.
    Date(Vec<u32>),
}

impl Operand {
    fn text(written: String) -> Operand {
        Operand::Text { folded: fold_case(&written), written }
    }
}

impl Operator {
    fn accepts(self, ordering: Ordering) -> bool {
        match self {
            Operator::Equal | Operator::Contains => ordering.is_eq(),
            Operator::NotEqual => ordering.is_ne(),
            Operator::Less => ordering.is_lt(),
            Operator::LessOrEqual => ordering.is_le(),
            Operator::Greater => ordering.is_gt(),
            Operator::GreaterOrEqual => ordering.is_ge(),
        }
    }
}

impl Filter {
    /// Parses a condition.
    ///
    /// # Errors
    /// Returns an error with the column of what cannot be read, and what was expected there.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        parser::parse(text).map(Filter::new)
    }

    fn new(condition: Condition) -> Filter {
        let openings = condition.needs_openings().then(OpeningNamesCache::default);
        Filter { condition, openings }
    }

    /// Returns whether the condition is true of a game.
    pub fn matches(&self, game: &TextGame) -> bool {
        let game = with_opening(self.openings.as_ref(), game);
        self.condition.holds(GameFacts::new(&game))
    }

    /// Returns whether the condition is true of the outline of a game. An outline whose tags do not name the opening
    /// has none.
    ///
    /// ```
    /// use alfil_batch::Filter;
    /// use alfil_records::GameOutline;
    ///
    /// let outline = GameOutline { plies: 41, ..GameOutline::default() };
    /// assert!(Filter::parse("plies > 40 and not opening")?.matches_outline(&outline));
    /// # Ok::<(), alfil_batch::filter::FilterError>(())
    /// ```
    pub fn matches_outline(&self, outline: &GameOutline) -> bool {
        self.condition.holds(GameFacts::of_outline(outline))
    }

    /// Returns whether the condition is true of a game with these facts, among which is the opening.
    pub(crate) fn holds(&self, facts: GameFacts<'_>) -> bool {
        self.condition.holds(facts)
    }

    /// Returns whether the condition is false of every game with these tags, as they are written in PGN.
    ///
    /// ```
    /// use alfil_batch::Filter;
    /// use alfil_records::Tags;
    ///
    /// let mut tags = Tags::new();
    /// tags.push("White", "Hu Ronghua");
    /// let [other, moves] = ["white = Li and plies > 40", "white ~ Hu and plies > 40"].map(Filter::parse);
    /// assert!(other?.excludes_tags(&tags) && !moves?.excludes_tags(&tags));
    /// # Ok::<(), alfil_batch::filter::FilterError>(())
    /// ```
    pub fn excludes_tags(&self, tags: &Tags) -> bool {
        let facts = GameFacts::of_tags(tags);
        self.condition.decide(facts, &|field| field.is_in_tags(facts)) == Some(false)
    }

    /// Returns whether the condition is about the opening, which the moves of a game name where its tags do not.
    pub fn needs_openings(&self) -> bool {
        self.openings.is_some()
    }
}

/// Returns a game with the tags of its opening, by its moves if it does not name it; without `names` as it is.
pub(crate) fn with_opening<'a>(names: Option<&OpeningNamesCache>, game: &'a TextGame) -> Cow<'a, TextGame> {
    match names {
        Some(names) if game.tags.first_value(&["Opening"]).is_none() => {
            let mut named = game.clone();
            names.complete_tags(&mut named);
            Cow::Owned(named)
        }
        _ => Cow::Borrowed(game),
    }
}

impl Condition {
    /// Returns whether the condition is about the opening.
    fn needs_openings(&self) -> bool {
        match self {
            Condition::Or(conditions) | Condition::And(conditions) => {
                conditions.iter().any(Condition::needs_openings)
            }
            Condition::Not(condition) => condition.needs_openings(),
            Condition::Known(field) | Condition::Compare(field, ..) => field.is_of_opening(),
        }
    }

    fn holds(&self, facts: GameFacts<'_>) -> bool {
        self.decide(facts, &|_| true) == Some(true)
    }

    /// Returns whether the condition is true; `None` if that depends on a field that is not known yet.
    fn decide(&self, facts: GameFacts<'_>, is_known: &dyn Fn(&Field) -> bool) -> Option<bool> {
        match self {
            Condition::Or(conditions) => decide_any(conditions, facts, is_known, true),
            Condition::And(conditions) => decide_any(conditions, facts, is_known, false),
            Condition::Not(condition) => condition.decide(facts, is_known).map(|holds| !holds),
            Condition::Known(field) | Condition::Compare(field, ..) if !is_known(field) => None,
            Condition::Known(Field::Result) => Some(facts.outcome().is_some()),
            Condition::Known(field) => Some(field.values(facts).is_known()),
            // A side without a value is different from any value, and of two sides neither may be equal.
            Condition::Compare(field, Operator::NotEqual, operand) => {
                Some(!compare(&field.values(facts), Operator::Equal, operand))
            }
            Condition::Compare(field, operator, operand) => {
                Some(compare(&field.values(facts), *operator, operand))
            }
        }
    }
}

/// Returns `wanted` if one of the conditions has this truth, the opposite if all have it, and otherwise `None`.
fn decide_any(
    conditions: &[Condition],
    facts: GameFacts<'_>,
    is_known: &dyn Fn(&Field) -> bool,
    wanted: bool,
) -> Option<bool> {
    let mut decided = Some(!wanted);
    for condition in conditions {
        match condition.decide(facts, is_known) {
            Some(holds) if holds == wanted => return Some(wanted),
            Some(_) => {}
            None => decided = None,
        }
    }
    decided
}

/// Returns whether one of the known values of a field fits the operand.
fn compare(values: &FieldValues<'_>, operator: Operator, operand: &Operand) -> bool {
    match (values, operand) {
        (FieldValues::Numbers(numbers), Operand::Number(operand)) => {
            numbers.iter().flatten().any(|number| operator.accepts(number.cmp(operand)))
        }
        (FieldValues::Texts(texts), Operand::Text { folded: operand, .. }) => {
            texts.iter().flatten().any(|text| {
                let text = fold_case(text);
                match operator {
                    Operator::Contains => text.contains(operand.as_str()),
                    Operator::Equal | Operator::NotEqual => operator.accepts(text.as_str().cmp(operand)),
                    operator => operator.accepts(collation_key(&text).cmp(&collation_key(operand))),
                }
            })
        }
        (FieldValues::Date(Some(date)), Operand::Date(operand)) => {
            // A date is compared as far as the operand goes; the day of a month is in that month. Without a month the
            // year may decide.
            let ordering = || {
                for (part, wanted) in date.iter().zip(operand) {
                    let ordering = (*part)?.cmp(wanted);
                    if ordering.is_ne() {
                        return Some(ordering);
                    }
                }
                Some(Ordering::Equal)
            };
            ordering().is_some_and(|ordering| operator.accepts(ordering))
        }
        _ => false,
    }
}

/// Returns the form of a text in which texts are compared: without case.
pub(crate) fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // ẞ is the capital of ß, whose capitals are SS, too; both forms of the Greek sigma have one capital.
    let small = text.chars().flat_map(char::to_lowercase);
    small.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Returns bytes whose order is that of texts whose case is folded, with numbers in them compared as numbers. The last
/// byte is zero.
pub(crate) fn collation_key(text: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(text.len() + 1);
    let mut bytes = text.bytes().filter(|&byte| byte != 0).peekable();
    while let Some(byte) = bytes.next() {
        if !byte.is_ascii_digit() {
            key.push(byte);
            continue;
        }
        let mut digits = vec![byte];
        while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
            digits.push(digit);
        }
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count().min(digits.len() - 1);
        // A longer number is greater. A digit precedes the length, so that numbers stay among digits.
        key.extend([b'0', (digits.len() - zeros).min(255) as u8]);
        key.extend(&digits[zeros..]);
    }
    key.push(0);
    key
}

impl fmt::Display for Filter {
    /// Writes the condition so that parsing it gives the same condition.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.condition.fmt(f)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (conditions, word) = match self {
            Condition::Or(conditions) => (conditions, " or "),
            Condition::And(conditions) => (conditions, " and "),
            Condition::Not(condition) => return write!(f, "not {}", Grouped(condition)),
            Condition::Known(field) => return field.fmt(f),
            Condition::Compare(field, operator, operand) => {
                let (text, _) =
                    OPERATORS.iter().find(|(_, other)| other == operator).unwrap_or(&OPERATORS[0]);
                return write!(f, "{field} {text} {operand}");
            }
        };
        for (index, condition) in conditions.iter().enumerate() {
            if index > 0 {
                f.write_str(word)?;
            }
            Grouped(condition).fmt(f)?;
        }
        Ok(())
    }
}

/// Formats a condition with parentheses around joined ones.
struct Grouped<'a>(&'a Condition);

impl fmt::Display for Grouped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Condition::Or(_) | Condition::And(_) => write!(f, "({})", self.0),
            condition => condition.fmt(f),
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Number(number) => number.fmt(f),
            Operand::Text { written, .. } => parser::write_quoted(written, f),
            Operand::Date(parts) => {
                let [year, others @ ..] = &parts[..] else { return Ok(()) };
                write!(f, "{year:04}")?;
                others.iter().try_for_each(|part| write!(f, ".{part}"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
