//! `alfil moves`: the legal moves.

use alfil_session::{GameSession, RefusedTarget};
use clap::Args;
use serde_json::json;

use crate::args::PositionArgs;
use crate::errors::{CommandResult, Failure};
use crate::output::print_line;

/// List the legal moves of a position.
///
/// There is one a line, sorted by bytes. After them come those that the ruleset refuses, each with the reason.
#[derive(Debug, Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    position_args: PositionArgs,
    /// The ruleset [default: the first one of the game].
    #[arg(long, value_name = "RULESET", value_parser = crate::args::rulesets())]
    rules: Option<String>,
}

impl Moves {
    pub(crate) fn run(&self) -> CommandResult {
        let mut session = self.position_args.session()?;
        if let Some(rules) = &self.rules {
            session.set_ruleset(rules).map_err(|error| Failure::Usage(error.to_string()))?;
        }
        let dialect = self.position_args.dialect();
        let moves = session.legal_moves(dialect)?;
        let refused = session.refused_targets();
        if self.position_args.json {
            let dialect = dialect.unwrap_or(session.dialects()[0]);
            let fen = session.view().fen;
            let mut row = json!({"game": session.game(), "fen": fen, "dialect": dialect, "moves": moves});
            if !refused.is_empty() {
                let object = |refused: &RefusedTarget| {
                    let text = refused_text(session.as_ref(), refused, Some(dialect));
                    json!({
                        "move": text,
                        "cause": refused.cause,
                        "limit": refused.limit,
                        "reason": refused.reason,
                    })
                };
                row["refused"] = refused.iter().map(object).collect();
            }
            print_line(row)?;
        } else {
            for text in moves {
                print_line(text)?;
            }
            for refused in &refused {
                let text = refused_text(session.as_ref(), refused, dialect);
                print_line(format!("{text} refused: {}", refused.reason))?;
            }
        }
        Ok(())
    }
}

/// Returns the text of a refused move in a dialect.
fn refused_text(session: &dyn GameSession, refused: &RefusedTarget, dialect: Option<&str>) -> String {
    session.format_move(&refused.target.text, dialect).unwrap_or_else(|_| refused.target.text.clone())
}
