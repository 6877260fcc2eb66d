//! `alfil judge`: who loses by repetition, under which rule book, and why.

use alfil_hall::{Desk, JudgeAsk, Ruling};
use alfil_kernel::Outcome;
use clap::Args;
use serde_json::{Value, json};

use crate::Done;
use crate::ask::Place;
use crate::errors::Failure;
use crate::language::Language;
use crate::output::line;

/// Judge the position after the last move under a rule book.
#[derive(Debug, Args)]
pub(crate) struct Judge {
    #[command(flatten)]
    place: Place,
    /// The rule book; the one between people where none is named.
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// Every rule book, side by side.
    #[arg(long, conflicts_with = "rules")]
    all_rules: bool,
    /// The language of the explanation; English where none is named, whatever the terminal's own, because scripts read it.
    #[arg(long, value_enum, default_value_t = Language::En)]
    lang: Language,
    /// Judge at this occurrence of the position, not at the book's own.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100))]
    occurrences: Option<u32>,
}

impl Judge {
    pub(crate) fn run(&self) -> Done {
        let desk = self.place.desk()?;
        let known = desk.books();
        if known.is_empty() {
            let game = desk.game();
            return Err(Failure::Usage(format!("{game} has no rule books to choose from")));
        }
        if let Some(name) = self.rules.as_deref().filter(|name| !known.contains(name)) {
            let known = known.join(", ");
            return Err(Failure::Usage(format!("there is no rule book {name:?}: the books are {known}")));
        }
        if self.all_rules {
            return self.all(desk.as_ref());
        }
        let ruling = desk.rule(&self.ask(self.rules.as_deref()))?;
        if self.place.json {
            line(object(desk.as_ref(), &ruling))?;
            return Ok(());
        }
        for sentence in sentences(&ruling) {
            line(sentence)?;
        }
        Ok(())
    }

    fn ask(&self, book: Option<&str>) -> JudgeAsk {
        JudgeAsk {
            book: book.map(str::to_owned),
            occurrences: self.occurrences.map(|occurrences| occurrences as usize),
            chinese: self.lang == Language::Zh,
            dialect: self.place.dialect().map(str::to_owned),
        }
    }

    fn all(&self, desk: &dyn Desk) -> Done {
        for book in desk.books() {
            let ruling = desk.rule(&self.ask(Some(book)))?;
            if self.place.json {
                line(object(desk, &ruling))?;
                continue;
            }
            let why = ruling.explanation.last().map_or("", String::as_str);
            let (verdict, cause) = (column(ruling.verdict_word, 12), column(ruling.cause_word, 16));
            line(format_args!("{book:<12} {verdict} {cause} {why}"))?;
            // The readings of one book differ from each other; the moves to play instead are asked for one book at a time.
            for note in &ruling.disputed {
                line(format_args!("{:12} {note}", ""))?;
            }
        }
        Ok(())
    }
}

/// All that a ruling says to people, the verdict first.
pub(crate) fn sentences(ruling: &Ruling) -> impl Iterator<Item = &str> {
    let reasons = ruling.explanation.iter().chain(&ruling.instead_note).chain(&ruling.disputed);
    std::iter::once(&ruling.heading).chain(reasons).map(String::as_str)
}

/// A word filled up to so many columns of a terminal, in which a Chinese character takes two.
fn column(word: &str, width: usize) -> String {
    let columns: usize = word.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
    format!("{word}{:1$}", "", width.saturating_sub(columns))
}

/// The verdict in one word: `red_loses`, `draw`, `none`.
fn verdict(desk: &dyn Desk, outcome: Option<Outcome>) -> String {
    match outcome {
        None => "none".into(),
        Some(Outcome::Draw) => "draw".into(),
        Some(Outcome::Win(winner)) => {
            format!("{}_loses", desk.look().sides[(!winner).index()].to_lowercase())
        }
    }
}

fn object(desk: &dyn Desk, ruling: &Ruling) -> Value {
    let plies = ruling.plies.iter().map(|ply| {
        let victims = ply.victims.iter().map(|(piece, square)| json!({"piece": piece, "square": square}));
        json!({
            "ply": ply.ply, "move": ply.mv, "nature": ply.nature, "victims": victims.collect::<Vec<_>>(),
        })
    });
    let readings = ruling
        .readings
        .iter()
        .map(|(outcome, why)| json!({"verdict": verdict(desk, Some(*outcome)), "why": why}));
    let uncertain = match &ruling.readings[..] {
        [] => Value::Null,
        _ => json!({"readings": readings.collect::<Vec<_>>()}),
    };
    json!({
        "verdict": verdict(desk, ruling.outcome), "cause": ruling.cause, "rules": ruling.rules,
        "window": ruling.window.map(|(first, last)| [first, last]), "plies": plies.collect::<Vec<_>>(),
        "explanation": ruling.explanation, "instead": ruling.instead, "uncertain": uncertain,
    })
}
