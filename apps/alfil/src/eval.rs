//! `alfil eval`: shows the static evaluation of a position.

use std::path::PathBuf;

use alfil_session::{EvaluationReport, GameSession};
use clap::Args;
use serde_json::{Value, json};

use crate::args::{PositionArgs, read_evaluation};
use crate::errors::{CommandResult, Failure};
use crate::output::print_line;

/// Show the static evaluation of a position.
///
/// It is shown by part of the hand-made evaluation, with the value of each piece. Scores are for the first side, in
/// centipawns (Othello: hundredths of a disc). The value of a piece is the score minus the score without it. A network
/// has no parts: beside its score they are those of the hand-made evaluation.
#[derive(Debug, Args)]
pub(crate) struct Eval {
    #[command(flatten)]
    position_args: PositionArgs,
    /// Evaluate by the network of this file, or by the hand-made `terms`.
    #[arg(long, value_name = "FILE|terms")]
    eval_file: Option<PathBuf>,
}

/// The width of a square in columns: a letter and a value.
const CELL: usize = 7;

impl Eval {
    pub(crate) fn run(&self) -> CommandResult {
        let mut session = self.position_args.session()?;
        let evaluation = read_evaluation(self.eval_file.as_deref())?;
        session.set_evaluation(&evaluation).map_err(|error| match &self.eval_file {
            Some(file) => Failure::Input(format!("{}: {error}", file.display())),
            None => error.into(),
        })?;
        let report = session.evaluation_report();
        if self.position_args.json {
            return Ok(print_line(to_json(session.as_ref(), &report))?);
        }
        Ok(print_line(to_text(session.as_ref(), &report).trim_end())?)
    }
}

fn to_text(session: &dyn GameSession, report: &EvaluationReport) -> String {
    let appearance = session.appearance();
    let mut text = String::new();
    for rank in appearance.rank_names.iter().rev() {
        let cell = |file: &&str| {
            let square = format!("{file}{rank}");
            let piece = report.pieces.iter().find(|piece| piece.square == square);
            let content = piece.map_or("\u{b7}".into(), |piece| match piece.value {
                Some(value) => format!("{}{value:+}", piece.letter),
                None => piece.letter.to_string(),
            });
            format!("{content:<CELL$}")
        };
        let row: String = appearance.file_names.iter().map(cell).collect();
        text += &format!("{rank:>2}  {}\n", row.trim_end());
    }
    let files: String = appearance.file_names.iter().map(|file| format!("{file:<CELL$}")).collect();
    text += &format!("    {}\n\n", files.trim_end());
    let width = report.parts.iter().map(|part| part.name.len()).max().unwrap_or(0).max(7);
    if report.network.is_some() {
        text += "parts of the hand-made evaluation, which the network does not use:\n";
    }
    for part in report.parts.iter().filter(|part| part.value != 0.0) {
        text += &format!("{:<width$}  {:>+9.1}\n", part.name, part.value);
    }
    let source = report
        .network
        .as_deref()
        .map_or("hand-made evaluation".into(), |network| format!("network {network}"));
    text + &format!("{:<width$}  {:>+9}  for {}, {source}\n", "score", report.score, appearance.sides[0])
}

fn to_json(session: &dyn GameSession, report: &EvaluationReport) -> Value {
    let parts: serde_json::Map<_, _> =
        report.parts.iter().map(|part| (part.name.to_owned(), json!(part.value))).collect();
    let piece = |piece: &alfil_session::PieceValue| json!({"square": piece.square, "piece": piece.letter.to_string(), "value": piece.value});
    json!({
        "game": session.game(), "fen": session.view().fen, "score": report.score, "network": report.network,
        "parts": parts, "pieces": report.pieces.iter().map(piece).collect::<Vec<_>>(),
    })
}
