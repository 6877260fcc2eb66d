//! `alfil judge`: who loses by repetition, under which rule book, and why.

use alfil_kernel::Outcome;
use alfil_session::{GameSession, Ruling, RulingRequest};
use clap::Args;
use serde_json::{Value, json};

use crate::CommandResult;
use crate::args::PositionArgs;
use crate::errors::Failure;
use crate::language::Language;
use crate::output::print_line;

/// Judge the position after the last move under a rule book.
#[derive(Debug, Args)]
pub(crate) struct Judge {
    #[command(flatten)]
    position_args: PositionArgs,
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
    pub(crate) fn run(&self) -> CommandResult {
        let desk = self.position_args.session()?;
        let known = desk.rulesets();
        if known.is_empty() {
            let game = desk.game();
            return Err(Failure::Usage(format!("{game} has no rule books to choose from")));
        }
        if let Some(name) = self.rules.as_deref().filter(|name| !known.contains(name)) {
            let known = known.join(", ");
            return Err(Failure::Usage(format!("there is no rule book {name:?}: the books are {known}")));
        }
        if self.all_rules {
            return self.judge_by_all_rulesets(desk.as_ref());
        }
        let ruling = desk.ruling(&self.request(self.rules.as_deref()))?;
        if self.position_args.json {
            print_line(ruling_to_json(desk.as_ref(), &ruling))?;
            return Ok(());
        }
        for sentence in ruling_sentences(&ruling) {
            print_line(sentence)?;
        }
        Ok(())
    }

    fn request(&self, book: Option<&str>) -> RulingRequest {
        RulingRequest {
            ruleset: book.map(str::to_owned),
            occurrences: self.occurrences.map(|occurrences| occurrences as usize),
            in_chinese: self.lang == Language::Zh,
            dialect: self.position_args.dialect().map(str::to_owned),
        }
    }

    fn judge_by_all_rulesets(&self, desk: &dyn GameSession) -> CommandResult {
        for book in desk.rulesets() {
            let ruling = desk.ruling(&self.request(Some(book)))?;
            if self.position_args.json {
                print_line(ruling_to_json(desk, &ruling))?;
                continue;
            }
            let why = ruling.explanation.last().map_or("", String::as_str);
            let (verdict, cause) =
                (pad_to_columns(ruling.verdict_label, 12), pad_to_columns(ruling.cause_label, 16));
            print_line(format_args!("{book:<12} {verdict} {cause} {why}"))?;
            // The readings of one book differ from each other; the moves to play instead are asked for one book at a time.
            for note in &ruling.disputed_notes {
                print_line(format_args!("{:12} {note}", ""))?;
            }
        }
        Ok(())
    }
}

/// All that a ruling says to people, the verdict first.
pub(crate) fn ruling_sentences(ruling: &Ruling) -> impl Iterator<Item = &str> {
    let reasons = ruling.explanation.iter().chain(&ruling.alternatives_note).chain(&ruling.disputed_notes);
    std::iter::once(&ruling.heading).chain(reasons).map(String::as_str)
}

/// A word filled up to so many columns of a terminal, in which a Chinese character takes two.
fn pad_to_columns(word: &str, width: usize) -> String {
    let columns: usize = word.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
    format!("{word}{:1$}", "", width.saturating_sub(columns))
}

/// The verdict in one word: `red_loses`, `draw`, `none`.
fn verdict_name(desk: &dyn GameSession, outcome: Option<Outcome>) -> String {
    match outcome {
        None => "none".into(),
        Some(Outcome::Draw) => "draw".into(),
        Some(Outcome::Win(winner)) => {
            format!("{}_loses", desk.appearance().sides[(!winner).index()].to_lowercase())
        }
    }
}

fn ruling_to_json(desk: &dyn GameSession, ruling: &Ruling) -> Value {
    let plies = ruling.plies.iter().map(|ply| {
        let victims = ply.victims.iter().map(|(piece, square)| json!({"piece": piece, "square": square}));
        json!({
            "ply": ply.number, "move": ply.mv, "nature": ply.move_class, "victims": victims.collect::<Vec<_>>(),
        })
    });
    let readings = ruling
        .readings
        .iter()
        .map(|(outcome, why)| json!({"verdict": verdict_name(desk, Some(*outcome)), "why": why}));
    let uncertain = match &ruling.readings[..] {
        [] => Value::Null,
        _ => json!({"readings": readings.collect::<Vec<_>>()}),
    };
    json!({
        "verdict": verdict_name(desk, ruling.outcome), "cause": ruling.cause, "rules": ruling.ruleset,
        "window": ruling.repetition_plies.map(|(first, last)| [first, last]), "plies": plies.collect::<Vec<_>>(),
        "explanation": ruling.explanation, "instead": ruling.alternatives, "uncertain": uncertain,
    })
}
