//! The notation of moves in the CECP variants.

use alfil_session::SessionError;

use super::engine::Engine;

/// Converts a move of the GUI into the default dialect.
///
/// # Errors
/// Returns an error if the move is not legal.
pub(crate) fn parse_move(variant: &str, text: &str, engine: &mut Engine) -> Result<String, SessionError> {
    match variant {
        _ if text.starts_with("O-O") => engine.convert_to_default_dialect(text, Some("san")),
        "fischerandom" => engine
            .convert_to_default_dialect(text, Some("uci960"))
            .or_else(|error| engine.convert_to_default_dialect(text, None).map_err(|_| error)),
        "reversi" if text == "@@@@" => engine.convert_to_default_dialect("pass", None),
        "reversi" => {
            engine.convert_to_default_dialect(text.trim_start_matches("P@").trim_start_matches("p@"), None)
        }
        _ => engine.convert_to_default_dialect(text, None),
    }
}

/// Converts a move from the default dialect into that of the GUI.
pub(crate) fn format_move(variant: &str, text: &str, engine: &Engine) -> String {
    match variant {
        "fischerandom" => match engine.session.format_move(text, Some("san")) {
            Ok(san) if san.starts_with("O-O") => san.trim_end_matches(['+', '#']).into(),
            _ => text.into(),
        },
        "reversi" if text == "pass" => "@@@@".into(),
        "reversi" => format!("P@{text}"),
        _ => text.into(),
    }
}

/// Converts a line from the current position from the default dialect into that of the GUI.
pub(crate) fn format_line(variant: &str, mut line: Vec<String>, engine: &Engine) -> Vec<String> {
    if variant != "fischerandom" {
        return line.iter().map(|mv| format_move(variant, mv, engine)).collect();
    }
    // Castling is known in the position of the move.
    let in_san = engine.session.format_line(&line, Some("san")).unwrap_or_default();
    for (mv, san) in line.iter_mut().zip(in_san).filter(|(_, san)| san.starts_with("O-O")) {
        *mv = san.trim_end_matches(['+', '#']).into();
    }
    line
}
