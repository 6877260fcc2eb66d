//! Parses conditions.

use std::fmt::{self, Write as _};

use super::{Condition, FIELD_NAMES, Field, FieldKind, FilterError, OPERATORS, Operand, Operator};
use alfil_session::registry;

use crate::game_facts::RESULTS;

/// The maximal depth of parentheses and of `not`.
const MAX_DEPTH: usize = 100;

/// Returns the names of the fields, as errors list them.
fn field_names() -> String {
    FIELD_NAMES.map(|(name, _)| name).join(", ")
}

/// Writes a text in quotes.
pub(super) fn write_quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(character)?;
    }
    f.write_char('"')
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    OpenParenthesis,
    CloseParenthesis,
    Operator(Operator),
    Word(String),
    Quoted(String),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::OpenParenthesis => f.write_str("("),
            Token::CloseParenthesis => f.write_str(")"),
            Token::Operator(operator) => {
                let row = OPERATORS.iter().find(|(_, other)| other == operator);
                f.write_str(row.map_or("", |(text, _)| text))
            }
            Token::Word(word) => write!(f, "{word:?}"),
            Token::Quoted(text) => write!(f, "the text {text:?}"),
            Token::End => f.write_str("the end"),
        }
    }
}

impl Token {
    fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self, Token::Word(word) if word.eq_ignore_ascii_case(keyword))
    }
}

/// Splits a condition into tokens with their columns; the last one is the end.
fn tokenise(text: &str) -> Result<Vec<(usize, Token)>, FilterError> {
    let mut tokens = Vec::new();
    let mut characters = text.chars().zip(1..).peekable();
    while let Some(&(character, column)) = characters.peek() {
        if character.is_whitespace() {
            characters.next();
            continue;
        }
        // Within a word, as in O'Kelly, an apostrophe is no quote.
        if !ends_word(character) && character != '\'' {
            let mut word = String::new();
            while let Some((character, _)) = characters.next_if(|(character, _)| !ends_word(*character)) {
                word.push(character);
            }
            tokens.push((column, Token::Word(word)));
            continue;
        }
        characters.next();
        let token = match character {
            '(' => Token::OpenParenthesis,
            ')' => Token::CloseParenthesis,
            quote @ ('"' | '\'') => {
                let mut quoted = String::new();
                loop {
                    match characters.next() {
                        Some((character, _)) if character == quote => break Token::Quoted(quoted),
                        Some(('\\', _)) => quoted.extend(characters.next().map(|(character, _)| character)),
                        Some((character, _)) => quoted.push(character),
                        None => {
                            return Err(FilterError { column, message: "the quote is not closed".into() });
                        }
                    }
                }
            }
            first => {
                let mut operator = String::from(first);
                operator.extend(characters.next_if(|(next, _)| *next == '=').map(|(next, _)| next));
                let Some(&(_, operator)) = OPERATORS.iter().find(|(text, _)| *text == operator) else {
                    let message = format!("{operator:?} is no operator: expected =, !=, <, <=, >, >= or ~");
                    return Err(FilterError { column, message });
                };
                Token::Operator(operator)
            }
        };
        tokens.push((column, token));
    }
    tokens.push((text.chars().count() + 1, Token::End));
    Ok(tokens)
}

fn ends_word(character: char) -> bool {
    character.is_whitespace() || "()\"=!<>~".contains(character)
}

/// Parses a condition.
pub(super) fn parse(text: &str) -> Result<Condition, FilterError> {
    let mut parser = Parser { tokens: tokenise(text)?, at: 0, depth: 0 };
    let condition = parser.parse_or()?;
    match parser.token() {
        Token::End => Ok(condition),
        _ => Err(parser.expected("and, or, or the end")),
    }
}

/// Parses a field alone.
pub(super) fn parse_field(text: &str) -> Result<Field, FilterError> {
    let mut parser = Parser { tokens: tokenise(text)?, at: 0, depth: 0 };
    let field = parser.parse_field()?;
    match parser.token() {
        Token::End => Ok(field),
        _ => Err(parser.expected("the end of the field")),
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn token(&self) -> &Token {
        &self.tokens[self.at].1
    }

    /// Takes the next token. The end stays.
    fn next(&mut self) -> Token {
        let token = self.token().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    fn error(&self, message: String) -> FilterError {
        FilterError { column: self.tokens[self.at].0, message }
    }

    fn expected(&self, what: &str) -> FilterError {
        self.error(format!("expected {what}, found {}", self.token()))
    }

    fn parse_or(&mut self) -> Result<Condition, FilterError> {
        self.parse_joined("or", Self::parse_and, Condition::Or)
    }

    fn parse_and(&mut self) -> Result<Condition, FilterError> {
        self.parse_joined("and", Self::parse_not, Condition::And)
    }

    fn parse_joined(
        &mut self,
        keyword: &str,
        parse_part: fn(&mut Self) -> Result<Condition, FilterError>,
        join: fn(Vec<Condition>) -> Condition,
    ) -> Result<Condition, FilterError> {
        let first = parse_part(self)?;
        if !self.token().is_keyword(keyword) {
            return Ok(first);
        }
        let mut conditions = vec![first];
        while self.token().is_keyword(keyword) {
            self.at += 1;
            conditions.push(parse_part(self)?);
        }
        Ok(join(conditions))
    }

    fn parse_not(&mut self) -> Result<Condition, FilterError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("the parentheses are nested too deeply".into()));
        }
        self.depth += 1;
        let condition = if self.token().is_keyword("not") {
            self.at += 1;
            Condition::Not(Box::new(self.parse_not()?))
        } else if *self.token() == Token::OpenParenthesis {
            self.at += 1;
            let condition = self.parse_or()?;
            if *self.token() != Token::CloseParenthesis {
                return Err(self.expected("and, or, or )"));
            }
            self.at += 1;
            condition
        } else {
            self.parse_comparison()?
        };
        self.depth -= 1;
        Ok(condition)
    }

    fn parse_comparison(&mut self) -> Result<Condition, FilterError> {
        let field = self.parse_field()?;
        let Token::Operator(operator) = *self.token() else { return Ok(Condition::Known(field)) };
        let kind = field.kind();
        if operator == Operator::Contains && kind != FieldKind::Text {
            return Err(self.error(format!("{field} is no text: expected =, !=, <, <=, > or >=, found ~")));
        }
        let is_choice = matches!(kind, FieldKind::Result | FieldKind::Game);
        if is_choice && !matches!(operator, Operator::Equal | Operator::NotEqual) {
            return Err(self.expected(&format!("= or != after {field}")));
        }
        self.at += 1;
        let operand = self.parse_operand(&field)?;
        Ok(Condition::Compare(field, operator, operand))
    }

    fn parse_field(&mut self) -> Result<Field, FilterError> {
        let Token::Word(word) = self.token().clone() else { return Err(self.expected("a field, not or (")) };
        if word.eq_ignore_ascii_case("tag") {
            self.at += 1;
            return self.parse_tag();
        }
        let Some(field) = Field::from_name(&word) else {
            let names = field_names();
            return Err(self.error(format!("there is no field {word:?}: expected {names} or tag(\"NAME\")")));
        };
        self.at += 1;
        Ok(field)
    }

    fn parse_tag(&mut self) -> Result<Field, FilterError> {
        let expected = "the name of a tag in parentheses, such as (\"Annotator\")";
        if *self.token() != Token::OpenParenthesis {
            return Err(self.expected(expected));
        }
        self.at += 1;
        let (Token::Word(name) | Token::Quoted(name)) = self.token().clone() else {
            return Err(self.expected(expected));
        };
        self.at += 1;
        if *self.token() != Token::CloseParenthesis {
            return Err(self.expected(") after the name of the tag"));
        }
        self.at += 1;
        Ok(Field::Tag(name))
    }

    fn parse_operand(&mut self, field: &Field) -> Result<Operand, FilterError> {
        let what = match field.kind() {
            FieldKind::Text => "a text, in quotes if it has spaces",
            FieldKind::Game => &format!("the name of a game: {}", game_names()),
            FieldKind::Number => "a number",
            FieldKind::Date => "a date, such as 2020, 2020.05 or 2020.05.17",
            FieldKind::Result => "1-0, 0-1, 1/2-1/2 or *",
        };
        let (Token::Word(text) | Token::Quoted(text)) = self.token().clone() else {
            return Err(self.expected(what));
        };
        let operand = match field.kind() {
            FieldKind::Text => Some(Operand::text(text)),
            FieldKind::Game => {
                let is_name = registry::games().any(|name| name.eq_ignore_ascii_case(&text));
                is_name.then(|| Operand::text(text))
            }
            FieldKind::Number => text.parse().ok().map(Operand::Number),
            FieldKind::Date => parse_date(&text).map(Operand::Date),
            FieldKind::Result => RESULTS.contains(&&*text).then(|| Operand::text(text)),
        };
        let operand = operand.ok_or_else(|| self.expected(what))?;
        self.next();
        Ok(operand)
    }
}

/// Returns the names of the games as an enumeration: `xiangqi, chess or othello`.
fn game_names() -> String {
    let names: Vec<_> = registry::games().collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Parses a year of four digits, and a month and a day if they follow.
fn parse_date(text: &str) -> Option<Vec<u32>> {
    let texts: Vec<&str> = text.split(['.', '-', '/']).collect();
    // `parse` would also take a sign.
    let parse = |part: &str| part.parse().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
    let parts: Vec<u32> = texts.iter().map(|part| parse(part)).collect::<Option<_>>()?;
    let is_date = match parts[..] {
        [_] => true,
        [_, month] => (1..=12).contains(&month),
        [_, month, day] => (1..=12).contains(&month) && (1..=31).contains(&day),
        _ => false,
    };
    (is_date && texts[0].len() == 4).then_some(parts)
}
