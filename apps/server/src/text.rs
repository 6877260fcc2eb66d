//! A game as text, to be copied out and pasted in: PGN and whatever else the hall reads, a position, or bare moves.

use alfil_hall::{Desk, DeskError, Eval, NULL, Notes, PlainGame, PlainMove, Score, registry};
use alfil_kernel::{Outcome, Side, Waivers};

use crate::game::{Game, Record, USUAL_LEVEL};
use crate::refusal::Refusal;
use crate::store::Store;
use crate::table::WON;
use crate::tree::{Node, START, Tree};
use crate::wire::{NewGame, ScoreShape};

/// The PGN of the game with everything that was said and found out about it, in the dialect of records that is nearest to
/// the one chosen.
///
/// # Errors
/// Never in a game that is whole.
pub(crate) fn export(game: &mut Game) -> Result<String, DeskError> {
    let result = outcome(game)?;
    let record = &game.record;
    let mut plain = PlainGame { game: record.game.clone(), result, ..PlainGame::default() };
    plain.start = Some(record.start.clone()).filter(|start| start != "startpos");
    for (name, value) in &record.tags {
        plain.tags.push(name, value);
    }
    // Every move behind the one before it, the main one first.
    let mut ahead = vec![(START, 0)];
    while let Some((node, parent)) = ahead.pop() {
        let Some(found) = record.tree.node(node) else { continue };
        let number = plain.moves.len();
        plain.moves.push(PlainMove { parent, text: found.text.clone(), notes: notes(found) });
        ahead.extend(found.children.iter().rev().map(|&child| (child, number)));
    }
    let usual = game.desk().dialects().first().copied();
    registry::write_game(&plain, record.dialect.as_deref().or(usual))
}

/// How the main line ended, or what the record says where it did not end on the board.
fn outcome(game: &mut Game) -> Result<Option<Outcome>, DeskError> {
    if let Some(side) = game.record.resigned {
        return Ok(Some(Outcome::Win(Side::BOTH[1 - side.min(1)])));
    }
    if let Some(outcome) = game.flagged() {
        return Ok(Some(outcome));
    }
    let here = game.at();
    game.go(game.record.tree.tip(START))?;
    let ending = game.desk().judge();
    game.go(here)?;
    let said = game.record.tags.iter().find(|(name, _)| name == RESULT);
    let said = said.and_then(|(_, result)| RESULTS.iter().find(|(_, word)| word == result));
    Ok(ending.map(|ending| ending.outcome).or(said.map(|&(outcome, _)| outcome)))
}

/// The tag under which a record's result is kept, and how.
const RESULT: &str = "Result";
const RESULTS: [(Outcome, &str); 3] =
    [(Outcome::Win(Side::First), "1-0"), (Outcome::Win(Side::Second), "0-1"), (Outcome::Draw, "1/2-1/2")];

/// What was said about a move.
fn notes(node: &Node) -> Notes {
    let mut notes = Notes { nags: node.nags.clone(), ..Notes::default() };
    notes.add_after(&node.clocks);
    notes.add_after(&node.comment);
    let score = node.score.and_then(|score| match score.mate {
        // Records count moves, the page plies.
        Some(plies) => Some(Score::Mate((plies + plies.signum()) / 2)),
        None => (score.value.abs() < WON).then_some(Score::Hundredths(score.value)),
    });
    notes.eval = score.map(|score| Eval { score, depth: None }).or(notes.eval);
    notes
}

/// A move of a record as the page keeps it.
fn node(step: &PlainMove, node: &mut Node) {
    let notes = &step.notes;
    let words = [&notes.before, &notes.after];
    let words: Vec<_> = words.into_iter().filter(|words| !words.is_empty()).map(String::as_str).collect();
    node.comment = words.join("\n");
    node.nags.clone_from(&notes.nags);
    node.clocks = Notes { clock: notes.clock, spent: notes.spent, ..Notes::default() }.commands();
    node.score = notes.eval.and_then(|eval| match eval.score {
        Score::Hundredths(value) => Some(ScoreShape { value: value.clamp(1 - WON, WON - 1), mate: None }),
        Score::Mate(0) => None,
        Score::Mate(moves) => {
            let plies = moves.saturating_mul(2) - moves.signum();
            Some(ScoreShape { value: WON * moves.signum(), mate: Some(plies) })
        }
    });
}

/// A recorded game. The page plays no null moves: what follows one is left out, and the start says so.
fn kept(plain: &PlainGame) -> Result<Game, DeskError> {
    let mut tree = Tree::default();
    let (mut numbers, mut lost) = (Vec::with_capacity(plain.moves.len()), 0_usize);
    for (index, step) in plain.moves.iter().enumerate() {
        let parent = if index == 0 { Some(START) } else { numbers.get(step.parent).copied().flatten() };
        let number = match parent {
            Some(_) if index == 0 => Some(START),
            Some(parent) if step.text != NULL => Some(tree.grow(parent, &step.text)),
            _ => None,
        };
        match number.and_then(|number| tree.node_mut(number)) {
            Some(found) => node(step, found),
            None => lost += 1,
        }
        numbers.push(number);
    }
    let mut remarks: Vec<_> = plain.faults.iter().map(ToString::to_string).collect();
    if lost > 0 {
        remarks.push(format!("{lost} moves after null moves are left out"));
    }
    remark(&mut tree, &remarks);
    let mut tags: Vec<_> =
        plain.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let result = RESULTS.iter().find(|(outcome, _)| Some(*outcome) == plain.result);
    tags.extend(result.map(|&(_, word)| (RESULT.to_owned(), word.to_owned())));
    let record = Record {
        game: plain.game.clone(),
        start: plain.start.clone().unwrap_or_else(|| "startpos".into()),
        person: None,
        level: USUAL_LEVEL,
        resigned: None,
        dialect: None,
        book: None,
        clock: None,
        tags,
        tree,
    };
    Game::recorded(Store::fresh_id(), record)
}

/// Says at the start of a game what of its file is missing.
fn remark(tree: &mut Tree, remarks: &[String]) {
    if let Some(start) = tree.node_mut(START) {
        let said = Some(start.comment.as_str()).filter(|said| !said.is_empty());
        let all: Vec<_> = said.into_iter().chain(remarks.iter().map(String::as_str)).collect();
        start.comment = all.join("\n");
    }
}

/// At most this many games of a file are kept.
const MOST: usize = 200;

/// The bytes of a file as a page sends it: its text in UTF-8, or a character for each byte.
///
/// # Errors
/// If a character is no byte.
pub(crate) fn file(text: String, bytes: bool) -> Result<Vec<u8>, DeskError> {
    if !bytes {
        return Ok(text.into_bytes());
    }
    let byte = |c: char| u8::try_from(c).map_err(|_| DeskError(format!("{c:?} is no byte of a file")));
    text.chars().map(byte).collect()
}

/// The games in what somebody pasted, the one to be opened first: a file of records, a position text, or moves in any
/// dialect of this kind of game. What cannot be read of a file is said at the start of the first game.
///
/// # Errors
/// If nothing can be read; the sentence says where and why.
pub(crate) fn import(kind: &str, bytes: &[u8]) -> Result<Vec<Game>, Refusal> {
    let mut desk = registry::open(kind, None)?;
    let text = &*String::from_utf8_lossy(bytes);
    let place = told(text).0;
    let place = place == "startpos" || desk.grievances(place).is_ok();
    let found = if place { Vec::new() } else { registry::read_games(bytes, Some(kind)) };
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for (index, game) in found.iter().enumerate() {
        match game {
            Ok(game) if game.moves.len() > 1 || game.start.is_some() || !game.tags.is_empty() => {
                if games.len() < MOST {
                    games.push(kept(game)?);
                } else {
                    faults.push(format!("{} games more than {MOST} are left out", found.len() - index));
                    break;
                }
            }
            Ok(_) => {}
            Err(fault) => faults.push(fault.to_string()),
        }
    }
    if let Some(first) = games.first_mut() {
        remark(&mut first.record.tree, &faults);
        return Ok(games);
    }
    let tagged = text.trim_start().starts_with('[');
    match pasted(desk.as_mut(), kind, text) {
        Ok(new) => Ok(vec![Game::new(Store::fresh_id(), new)?]),
        Err(error) => Err(match other(kind, text) {
            Some(other) => Refusal::other(other, kind),
            None if tagged && !faults.is_empty() => faults.swap_remove(0).into(),
            None => error.into(),
        }),
    }
}

/// The other kind of game in which a position or bare moves make sense, if there is one. A file with headers says itself what
/// it is.
pub(crate) fn other(kind: &str, text: &str) -> Option<&'static str> {
    registry::games().filter(|&game| game != kind).find(|game| {
        let Ok(mut desk) = registry::open(game, None) else { return false };
        if desk.grievances(told(text).0).is_ok() {
            return true;
        }
        let words = moves_of(text);
        let mut plays =
            desk.dialects().into_iter().map(|dialect| read(desk.as_mut(), &words, dialect).is_ok());
        !words.is_empty() && plays.any(|plays| plays)
    })
}

/// A position and the moves after it, as engines are told them: `[position] [fen] FEN [moves M1 M2 ...]`. A text without moves is
/// all position.
fn told(text: &str) -> (&str, &str) {
    let text = text.trim();
    let text = text.strip_prefix("position ").unwrap_or(text).trim_start();
    let text = text.strip_prefix("fen ").unwrap_or(text).trim_start();
    text.split_once(" moves ").map_or((text, ""), |(place, moves)| (place.trim_end(), moves))
}

/// A game of this kind from a position text, with moves or without, or moves in any dialect.
///
/// # Errors
/// If it is neither; the sentence names the move that cannot be played in the dialect that went furthest.
fn pasted(desk: &mut dyn Desk, kind: &str, text: &str) -> Result<NewGame, DeskError> {
    let new = NewGame { game: kind.to_owned(), ..NewGame::default() };
    let (place, rest) = told(text);
    let position = if place == "startpos" { Ok(Vec::new()) } else { desk.grievances(place) };
    let fen = match position {
        Ok(_) => Some(place).filter(|&place| place != "startpos"),
        Err(_) => header(text, "FEN"),
    };
    let fen = fen.map(str::to_owned);
    if let Some(fen) = &fen {
        desk.open(fen, &Waivers::None)?;
    }
    if position.is_ok() && rest.is_empty() {
        return Ok(NewGame { fen, ..new });
    }
    let words = moves_of(if position.is_ok() { rest } else { text });
    if words.is_empty() {
        return Err(DeskError("there is no move in this text, and no position".into()));
    }
    let mut furthest: Option<(usize, DeskError)> = None;
    for dialect in desk.dialects() {
        match read(desk, &words, dialect) {
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
        Err(fault) if plies == 0 && place.contains('/') => Err(fault),
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

    fn moves(game: &Game) -> Vec<&str> {
        let tree = &game.record.tree;
        tree.road(tree.tip(START)).into_iter().map(|node| tree.text(node)).collect()
    }

    #[track_caller]
    fn only(kind: &str, text: &str) -> Game {
        let mut games = import(kind, text.as_bytes()).unwrap();
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    #[test]
    fn what_is_exported_is_imported_again() {
        let mut game = only("xiangqi", "h2e2 h9g7 h0g2");
        game.go(1).unwrap();
        game.play("b9c7", None).unwrap();
        let node = game.record.tree.node_mut(1).unwrap();
        node.comment = "the usual way\n{or not}".into();
        node.score = Some(ScoreShape { value: 42, mate: None });
        node.clocks = "[%clk 0:03:00]".into();
        node.nags = vec![1];
        game.record.tree.node_mut(4).unwrap().score = Some(ScoreShape { value: -WON, mate: Some(-4) });
        game.record.tags = vec![("Red".into(), "A".into())];
        game.record.resigned = Some(0);
        for (dialect, line) in [
            (None, "1. H2-E2 $1 {[%eval 0.42] [%clk 0:03:00] the usual way} ;{or not}\n1... H9-G7"),
            (
                Some("chinese"),
                "1. 炮二平五 $1 {[%eval 0.42] [%clk 0:03:00] the usual way} ;{or not}\n1... 马８进７",
            ),
        ] {
            game.record.dialect = dialect.map(str::to_owned);
            let text = export(&mut game).unwrap();
            assert!(text.contains("[Red \"A\"]\n") && text.contains(line), "{text}");
            let again = only("chess", &text);
            let nodes: Vec<_> = again.record.tree.iter().map(|(_, node)| node.clone()).collect();
            assert_eq!(moves(&again), ["h2e2", "h9g7", "h0g2"]);
            let first = game.record.tree.node(1).unwrap();
            assert_eq!(Node { children: vec![2, 4], ..nodes[1].clone() }, *first);
            assert_eq!(nodes[4].text, "b9c7");
            // Plies become moves and plies again, of the side that mates.
            assert_eq!(nodes[4].score, Some(ScoreShape { value: -WON, mate: Some(-3) }));
            let tags =
                [("Red", "A"), ("Result", "0-1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
            assert_eq!((again.record.game.as_str(), again.record.tags.as_slice()), ("xiangqi", &tags[..]));
            assert_eq!(export(&mut only("chess", &text)).unwrap().lines().nth(7), Some("[Result \"0-1\"]"));
        }
    }

    #[test]
    fn a_game_says_how_it_ended() {
        let mut game = only("chess", "1. f3 e5 2. g4 Qh4#");
        let text = export(&mut game).unwrap();
        assert!(text.contains("[Result \"0-1\"]") && text.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"), "{text}");
        assert!(export(&mut only("othello", "f5d6")).unwrap().contains("[Game \"Othello\"]\n\n1. f5 d6 *"));
    }

    #[test]
    fn a_file_of_games_is_read_whatever_game_is_on_the_desk() {
        let file = "[White \"A\"]\n\n1. e4 e5 (1... c5 2. -- Nc6) *\n\n[White \"B\"]\n\n1. e4 Ke5 *\n\n\
                    [Game \"Othello\"]\n\n1. f5 *\n";
        let games = import("xiangqi", file.as_bytes()).unwrap();
        let kinds: Vec<_> = games.iter().map(|game| (game.record.game.as_str(), moves(game).len())).collect();
        assert_eq!(kinds, [("chess", 2), ("othello", 1)]);
        let said = &games[0].record.tree.node(START).unwrap().comment;
        assert!(said.starts_with("2 moves after null moves are left out\ngame 2, line 7, byte "), "{said}");
        assert!(games.iter().all(|game| game.record.tree.is_sound()));
        let many = "[White \"A\"]\n\n1. e4 *\n\n".repeat(MOST + 3);
        let games = import("chess", many.as_bytes()).unwrap();
        assert_eq!(games.len(), MOST);
        assert!(games[0].record.tree.node(START).unwrap().comment.contains("3 games more than"));
    }

    #[test]
    fn a_file_that_is_not_utf_8_comes_as_its_bytes() {
        // 炮二平五 in GB18030.
        let told: String = b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5".iter().map(|&byte| char::from(byte)).collect();
        let games = import("xiangqi", &file(told.clone(), true).unwrap()).unwrap();
        assert_eq!(moves(&games[0]), ["h2e2"]);
        assert!(import("xiangqi", &file(told, false).unwrap()).is_err());
        assert!(file("炮".into(), true).is_err());
    }

    #[test]
    fn what_belongs_to_another_game_is_known_as_such() {
        let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (kind, text, expected) in [
            ("xiangqi", position, Some("chess")),
            ("xiangqi", "1. e4 e5 2. Nf3", Some("chess")),
            ("xiangqi", "f5d6c3", Some("othello")),
            ("chess", "炮二平五 马８进７", Some("xiangqi")),
            ("othello", position, Some("chess")),
            ("xiangqi", "h2e2 h2e2", None),
            ("xiangqi", "this is no move", None),
        ] {
            let refusal = import(kind, text.as_bytes()).err().expect(text);
            assert_eq!(refusal.other, expected, "{kind} {text}: {refusal:?}");
            assert_eq!(refusal.cause == Some(crate::refusal::Cause::Other), expected.is_some());
            if let Some(other) = expected {
                assert_eq!(only(other, text).record.game, other);
            }
        }
    }

    #[test]
    fn any_dialect_with_or_without_spaces_is_read() {
        for text in [
            "1.h3e3 h10g8 2.h1g3",
            "h2e2h9g7h0g2",
            "1. 炮二平五 马８进７ 2. 马二进三",
            "1.砲二平五 馬8進7 2.傌二進三",
            "炮二平五馬８進７馬二進三",
            "1. C2.5 N8+7 2. N2+3",
            "1. C2=5 H8+7 2. H2+3",
        ] {
            assert_eq!(moves(&only("xiangqi", text)), ["h2e2", "h9g7", "h0g2"], "{text}");
        }
        let soldiers = "[FEN \"3k5/2P3P2/2P3P2/p5P2/9/9/9/9/9/4K4 w\"]\n1. 33.4 P1+1 2.7-.6";
        assert_eq!(moves(&only("xiangqi", soldiers)), ["g7f7", "a6a5", "c7d7"]);
        assert_eq!(moves(&only("othello", "f5d6")), ["f5", "d6"]);
        assert_eq!(moves(&only("xiangqi", "1-0 h2e2; (h0g2 (x)) {no} h9g7 *")), ["h2e2", "h9g7"]);
    }

    #[test]
    fn a_position_with_its_moves_is_read_as_engines_are_told_it() {
        for (start, count, text) in [
            ("3k5/8R/9/9/9/9/9/9/9/4K4 w", 3, "3k5/8R/9/9/9/9/9/9/9/4K4 w moves i8i9 d9d8 i9i8"),
            (
                "3k5/8R/9/9/9/9/9/9/9/4K4 w",
                1,
                " position fen 3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1 moves 车一进一\n",
            ),
            ("startpos", 2, "position startpos moves h2e2 h9g7"),
        ] {
            let game = &import("xiangqi", text.as_bytes()).unwrap()[0];
            assert!(game.record.start.starts_with(start), "{}", game.record.start);
            assert_eq!(moves(game).len(), count, "{text}");
        }
        let refused = import("xiangqi", b"3k5/8R/9/9/9/9/9/9/9/4K4 w moves i8i9 d9d7").err().unwrap();
        assert!(refused.words.starts_with("move 2: "), "{}", refused.words);
    }

    #[test]
    fn a_position_alone_or_in_a_header_is_the_start() {
        let fen = "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1";
        assert_eq!(only("xiangqi", fen).record.start, fen);
        let game = only("xiangqi", &format!("[FEN \"{fen}\"]\n\n1. a1d1"));
        assert_eq!((game.record.start.as_str(), moves(&game)), (fen, vec!["a1d1"]));
        assert!(import("xiangqi", b"startpos").unwrap()[0].is_bare());
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
            ("[Red \"A\"]\n\n1. h2e2 h9g7 2. h2e2", "game 1, line 3, byte 27, move 2. h2e2: "),
        ] {
            let error = import("xiangqi", text.as_bytes()).map(|_| ()).unwrap_err().words;
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
