//! A tree as GGF.

use alfil_kernel::{Position as _, Setup as _, Side, Waivers};
use alfil_othello::{Bitboard, Move, Othello};

use super::{NAMES, margin};
use crate::notes::{Score, tidy};
use crate::pgn::WriteError;
use crate::tree::{NodeId, Tree};

/// The game in one line. GGF has no place for variations, glyphs, clocks and words before a move, nor for a result of a game
/// that is not over, unless the tag `Score` says it: they are left out. Reading gives the same tree otherwise.
///
/// # Errors
/// If no board can be made of the start, or the main line holds a move that is not legal.
pub fn write(tree: &Tree<Othello>) -> Result<String, WriteError> {
    let mut position = Bitboard::from_setup(&tree.start, &Waivers::All)
        .map_err(|error| WriteError::Start(error.to_string()))?;
    let mut moves = comment(tree, NodeId::ROOT);
    for (plies, node) in tree.main_line().enumerate() {
        let mv = tree.mv(node).filter(|&mv| position.is_legal(mv)).ok_or(WriteError::Illegal { plies })?;
        moves += &written(tree, node, mv, position.side());
        moves += &comment(tree, node);
        position.make(mv, &mut ());
    }
    let mut text = String::from("(;GM[Othello]");
    let known = |name: &str| NAMES.iter().find(|(_, long)| *long == name).map(|(short, _)| *short);
    let over = position.ended() && tree.result == Some(super::outcome(margin(&position)));
    let end = over.then(|| score(margin(&position)));
    let type_ = tree.tags.value("Type").unwrap_or("8");
    let result = tree.tags.value("Score").or(end.as_deref());
    let own = [("TY", Some(type_)), ("RE", result)];
    let others = tree.tags.iter().filter(|(name, _)| !matches!(*name, "Type" | "Score"));
    let others = others.map(|(name, value)| (known(name).unwrap_or(name), Some(value)));
    for (name, value) in others.chain(own) {
        if let Some(value) = value {
            text += &pair(name, value);
        }
    }
    text += &pair("BO", &board(&tree.start.write()));
    text += &moves;
    text += ";)";
    Ok(text)
}

/// The result as the server writes it.
pub(super) fn score(margin: i32) -> String {
    format!("{margin:+}.000")
}

fn pair(name: &str, value: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    // What looks like the beginning of a game must not be taken for one.
    let value = value.replace('\\', "\\\\").replace(']', "\\]").replace("(;", "(\\;");
    format!("{name}[{value}]")
}

/// Rows apart, `*` for Black.
fn board(text: &str) -> String {
    let text = text.replace('X', "*");
    let (squares, side) = text.split_at(64);
    let rows = (0..8).map(|row| &squares[8 * row..8 * row + 8]);
    format!("8 {}{side}", rows.collect::<Vec<_>>().join(" "))
}

fn written(tree: &Tree<Othello>, node: NodeId, mv: Move, side: Side) -> String {
    let (name, notes) = (if side == Side::First { "B" } else { "W" }, tree.notes(node));
    let worth = match notes.eval.map(|eval| eval.score) {
        Some(Score::Hundredths(score)) => {
            let score = if side == Side::First { score } else { -score };
            crate::Eval { score: Score::Hundredths(score), depth: None }.to_string()
        }
        _ => String::new(),
    };
    let time = notes.spent.map(|time| {
        let time = format!("{}.{:03}", time.as_secs(), time.subsec_millis());
        time.trim_end_matches('0').trim_end_matches('.').to_owned()
    });
    let square = if mv.is_pass() { "PA".to_owned() } else { mv.to_string() };
    let text = format!("{square}/{worth}/{}", time.unwrap_or_default());
    pair(name, text.trim_end_matches('/'))
}

fn comment(tree: &Tree<Othello>, node: NodeId) -> String {
    let words = tidy(&tree.notes(node).after);
    if words.is_empty() { words } else { pair("C", &words) }
}
