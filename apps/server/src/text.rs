//! A game as text, to be copied out and pasted in: moves with their numbers, comments in braces, variations in brackets, and a
//! header where the start was not the usual one, as PGN has it.

use std::fmt::Write as _;

use alfil_hall::{Desk, DeskError, registry};
use alfil_kernel::Waivers;

use crate::game::Game;
use crate::tree::{NodeShape, START, Tree};
use crate::wire::NewGame;

/// The game with everything that was said and found out about it, in the dialect chosen.
///
/// # Errors
/// Never in a game that is whole.
pub(crate) fn export(game: &mut Game) -> Result<String, DeskError> {
    let nodes = game.tree()?;
    let mut text = format!("[Game \"{}\"]\n", game.record.game);
    if game.record.start != "startpos" {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[FEN \"{}\"]", game.record.start);
    }
    text.push('\n');
    let mut words = Vec::new();
    follow(&game.record.tree, &nodes, START, 0, &mut words);
    text += &wrapped(&words);
    text.push('\n');
    Ok(text)
}

/// Lines of a text that people read.
const WIDTH: usize = 100;

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count() + 1;
        let end = if width == 0 {
            ""
        } else if width + length > WIDTH {
            width = 0;
            "\n"
        } else {
            " "
        };
        text += end;
        text += word;
        width += length;
    }
    text
}

/// Writes what follows a node: the main line, and before it goes on the other moves in brackets.
fn follow(tree: &Tree, nodes: &[NodeShape], mut node: usize, mut ply: usize, words: &mut Vec<String>) {
    let mut numbered = false;
    while let Some(children) = tree.node(node).map(|node| &node.children).filter(|list| !list.is_empty()) {
        said(nodes, children[0], ply, !numbered, words);
        numbered = true;
        for &other in &children[1..] {
            words.push("(".into());
            said(nodes, other, ply, true, words);
            follow(tree, nodes, other, ply + 1, words);
            words.push(")".into());
            numbered = false;
        }
        node = children[0];
        ply += 1;
    }
}

/// One move, with its number where it needs one, and what was said.
fn said(nodes: &[NodeShape], node: usize, ply: usize, first: bool, words: &mut Vec<String>) {
    let Ok(index) = nodes.binary_search_by_key(&node, |shape| shape.node) else { return };
    let shape = &nodes[index];
    match (ply % 2, first) {
        (0, _) => words.push(format!("{}.", ply / 2 + 1)),
        (_, true) => words.push(format!("{}...", ply / 2 + 1)),
        _ => {}
    }
    words.push(shape.label.clone());
    let value = shape.inner.score.map(|score| match score.mate {
        Some(plies) => format!("[%eval #{plies}]"),
        None => format!("[%eval {:.2}]", f64::from(score.value) / 100.0),
    });
    let comment = shape.inner.comment.replace(['{', '}'], "");
    let all: Vec<_> = value.into_iter().chain((!comment.is_empty()).then_some(comment)).collect();
    if !all.is_empty() {
        words.push(format!("{{{}}}", all.join(" ")));
    }
}

/// A game of this kind from what somebody pasted: a position text, or moves in any dialect.
///
/// # Errors
/// If it is neither; the sentence names the move that cannot be played in the dialect that went furthest.
pub(crate) fn import(kind: &str, text: &str) -> Result<NewGame, DeskError> {
    let mut desk = registry::open(kind, None)?;
    let new = NewGame { game: kind.to_owned(), ..NewGame::default() };
    let bare = text.trim();
    if bare == "startpos" {
        return Ok(new);
    }
    let position = desk.grievances(bare);
    if position.is_ok() {
        desk.open(bare, &Waivers::None)?;
        return Ok(NewGame { fen: Some(bare.to_owned()), ..new });
    }
    let fen = header(text, "FEN").map(str::to_owned);
    if let Some(fen) = &fen {
        desk.open(fen, &Waivers::None)?;
    }
    let words = moves_of(text);
    if words.is_empty() {
        return Err(DeskError("there is no move in this text, and no position".into()));
    }
    let mut furthest: Option<(usize, DeskError)> = None;
    for dialect in desk.dialects() {
        match read(desk.as_mut(), &words, dialect) {
            Ok(moves) => return Ok(NewGame { fen, moves, ..new }),
            Err((plies, error)) => {
                if furthest.as_ref().is_none_or(|(most, _)| plies > *most) {
                    furthest = Some((plies, error));
                }
            }
        }
    }
    let (plies, error) = furthest.unwrap_or((0, DeskError("this game has no way to write moves".into())));
    // Whoever pasted a position that cannot be read has no moves at all: its error says more.
    match position {
        Err(fault) if plies == 0 && bare.contains('/') => Err(fault),
        _ => Err(DeskError(format!("move {}: {error}", plies + 1))),
    }
}

/// The value of a header line: `[FEN "..."]`.
fn header<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        line.trim().strip_prefix('[')?.strip_prefix(name)?.trim_start().strip_prefix('"')?.strip_suffix("\"]")
    })
}

/// The words of the main line that may be moves: no headers, comments, variations, numbers or results.
fn moves_of(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('[')) {
        words.extend(line.split_inclusive(|mark: char| mark.is_whitespace() || "{}();,".contains(mark)));
    }
    let (mut moves, mut comment, mut depth) = (Vec::new(), false, 0_usize);
    for word in words {
        let (body, end) = match word.char_indices().next_back() {
            Some((at, mark)) if mark.is_whitespace() || "{}();,".contains(mark) => (&word[..at], Some(mark)),
            _ => (word, None),
        };
        if !comment && depth == 0 {
            let body = after_number(body);
            let result = ["1-0", "0-1", "1/2-1/2", "*"].contains(&body);
            if !body.is_empty() && !result {
                moves.push(body);
            }
        }
        match end {
            Some('{') => comment = true,
            Some('}') => comment = false,
            Some('(') if !comment => depth += 1,
            Some(')') if !comment => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    moves
}

/// A word without the number of the move before it: `12.` or `12...`. A lone figure behind the point is no move: `33.4` is one
/// as a whole, of a soldier in WXF.
fn after_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|mark: char| mark.is_ascii_digit());
    let bare = rest.trim_start_matches('.');
    let figure = bare.len() == 1 && bare.starts_with(|mark: char| mark.is_ascii_digit());
    if rest.len() < word.len() && bare.len() < rest.len() && !figure { bare } else { word }
}

/// The moves in the default dialect; the desk is left as it was. A word may hold several moves without a space.
fn read(desk: &mut dyn Desk, words: &[&str], dialect: &str) -> Result<Vec<String>, (usize, DeskError)> {
    let mut moves = Vec::new();
    let mut play = || {
        for word in words {
            let mut rest = *word;
            while !rest.is_empty() {
                let (text, after) = match desk.play(rest, Some(dialect)) {
                    Ok(step) => (step.text, ""),
                    Err(error) => {
                        let legal = desk.moves(Some(dialect))?;
                        let longest = legal
                            .iter()
                            .filter(|text| rest.starts_with(text.as_str()))
                            .max_by_key(|text| text.len());
                        let Some(first) = longest else { return Err(error) };
                        (desk.play(first, Some(dialect))?.text, &rest[first.len()..])
                    }
                };
                moves.push(text);
                rest = after;
            }
        }
        Ok(())
    };
    let done = play();
    for _ in &moves {
        desk.undo();
    }
    match done {
        Ok(()) => Ok(moves),
        Err(error) => Err((moves.len(), error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ScoreShape;

    #[test]
    fn what_is_exported_is_imported_again() {
        let new = NewGame { game: "xiangqi".into(), ..import("xiangqi", "h2e2 h9g7 h0g2").unwrap() };
        let mut game = Game::new("x".into(), new).unwrap();
        game.go(1).unwrap();
        game.play("b9c7", None).unwrap();
        game.record.tree.node_mut(1).unwrap().comment = "the usual {way}".into();
        game.record.tree.node_mut(1).unwrap().score = Some(ScoreShape { value: 42, mate: None });
        let text = export(&mut game).unwrap();
        assert_eq!(
            text,
            "[Game \"xiangqi\"]\n\n1. h2e2 {[%eval 0.42] the usual way} h9g7 ( 1... b9c7 ) 2. h0g2\n"
        );
        assert_eq!(import("xiangqi", &text).unwrap().moves, ["h2e2", "h9g7", "h0g2"]);
    }

    #[test]
    fn any_dialect_with_or_without_spaces_is_read() {
        assert_eq!(import("xiangqi", "1.h3e3 h10g8 2.h1g3").unwrap().moves, ["h2e2", "h9g7", "h0g2"]);
        assert_eq!(import("xiangqi", "h2e2h9g7").unwrap().moves, ["h2e2", "h9g7"]);
        for text in [
            "1. 炮二平五 马８进７ 2. 马二进三",
            "1.砲二平五 馬8進7 2.傌二進三",
            "炮二平五馬８進７馬二進三",
            "1. C2.5 N8+7 2. N2+3",
            "1. C2=5 H8+7 2. H2+3",
        ] {
            assert_eq!(import("xiangqi", text).unwrap().moves, ["h2e2", "h9g7", "h0g2"], "{text}");
        }
        let soldiers = "[FEN \"3k5/2P3P2/2P3P2/p5P2/9/9/9/9/9/4K4 w\"]\n1. 33.4 P1+1 2.7-.6";
        assert_eq!(import("xiangqi", soldiers).unwrap().moves, ["g7f7", "a6a5", "c7d7"]);
        assert_eq!(import("othello", "f5d6").unwrap().moves, ["f5", "d6"]);
        assert_eq!(import("xiangqi", "1-0 h2e2; (h0g2 (x)) {no} h9g7 *").unwrap().moves, ["h2e2", "h9g7"]);
    }

    #[test]
    fn a_position_alone_or_in_a_header_is_the_start() {
        let fen = "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1";
        assert_eq!(import("xiangqi", fen).unwrap().fen.unwrap(), fen);
        let new = import("xiangqi", &format!("[FEN \"{fen}\"]\n\n1. a1d1")).unwrap();
        assert_eq!((new.fen.unwrap().as_str(), new.moves), (fen, vec!["a1d1".to_owned()]));
    }

    #[test]
    fn what_is_neither_is_refused_where_it_goes_wrong() {
        for (text, part) in [
            ("", "no move"),
            ("{nothing}", "no move"),
            ("h2e2 h2e2", "move 2"),
            ("帥帥", "move 1"),
            ("9/9/9 w", "position text"),
            ("3kk4/9/9/9/9/9/9/9/9/4K4 w", "no such position"),
        ] {
            let error = import("xiangqi", text).unwrap_err().0;
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
