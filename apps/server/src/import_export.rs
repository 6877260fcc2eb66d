//! A game as text, to be copied out and pasted in: PGN and whatever else the hall reads, a position, or bare moves.

use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::review::DECIDED_CP;
use alfil_session::{
    AnnotatedScore, EvalAnnotation, GameSession, IssueDescription, MoveAnnotation, NULL_MOVE, RecordError,
    SessionError, TextGame, TextMove, chinese, registry,
};

use crate::open_game::{DEFAULT_LEVEL, OpenGame, StoredGame};
use crate::request_error::RequestError;
use crate::store::Store;
use crate::text_tree::{ROOT, TextNode, TextTree};
use crate::wire::{NewGame, ScoreDto};

/// The PGN of the game with everything that was said and found out about it, in the dialect of records that is nearest to
/// the one chosen.
///
/// # Errors
/// Never in a game that is whole.
pub(crate) fn export_pgn(game: &mut OpenGame) -> Result<String, SessionError> {
    let result = main_line_outcome(game)?;
    let record = &game.stored;
    let mut plain = TextGame { game: record.game.clone(), result, ..TextGame::default() };
    plain.start = Some(record.start.clone()).filter(|start| start != "startpos");
    for (name, value) in &record.tags {
        plain.tags.push(name, value);
    }
    // Every move behind the one before it, the main one first.
    let mut ahead = vec![(ROOT, 0)];
    while let Some((node, parent)) = ahead.pop() {
        let Some(found) = record.tree.node(node) else { continue };
        let number = plain.moves.len();
        plain.moves.push(TextMove {
            parent,
            text: found.text.clone(),
            annotation: annotation_from_node(found),
        });
        ahead.extend(found.children.iter().rev().map(|&child| (child, number)));
    }
    let usual = game.session().dialects().first().copied();
    registry::write_game(&plain, record.dialect.as_deref().or(usual))
}

/// How the main line ended, or what the record says where it did not end on the board.
fn main_line_outcome(game: &mut OpenGame) -> Result<Option<Outcome>, SessionError> {
    if let Some(side) = game.stored.resigned {
        return Ok(Some(Outcome::Win(Side::BOTH[1 - side.min(1)])));
    }
    if let Some(outcome) = game.flag_outcome() {
        return Ok(Some(outcome));
    }
    let here = game.current_node();
    game.go_to(game.stored.tree.line_end(ROOT))?;
    let ending = game.session().game_end();
    game.go_to(here)?;
    let said = game.stored.tags.iter().find(|(name, _)| name == RESULT_TAG);
    let said = said.and_then(|(_, result)| RESULT_TEXTS.iter().find(|(_, word)| word == result));
    Ok(ending.map(|ending| ending.outcome).or(said.map(|&(outcome, _)| outcome)))
}

/// The tag under which a record's result is kept, and how.
const RESULT_TAG: &str = "Result";
const RESULT_TEXTS: [(Outcome, &str); 3] =
    [(Outcome::Win(Side::First), "1-0"), (Outcome::Win(Side::Second), "0-1"), (Outcome::Draw, "1/2-1/2")];

/// What was said about a move.
fn annotation_from_node(node: &TextNode) -> MoveAnnotation {
    let mut notes = MoveAnnotation { nags: node.nags.clone(), ..MoveAnnotation::default() };
    notes.add_comment_after(&node.clocks);
    notes.add_comment_after(&node.comment);
    let score = node.score.and_then(|score| match score.mate {
        // Records count moves, the page plies.
        Some(plies) => Some(AnnotatedScore::Mate((plies + plies.signum()) / 2)),
        None => (score.value.abs() < DECIDED_CP).then_some(AnnotatedScore::Centipawns(score.value)),
    });
    notes.eval = score.map(|score| EvalAnnotation { score, depth: None }).or(notes.eval);
    notes
}

/// A move of a record as the page keeps it.
fn fill_node(step: &TextMove, node: &mut TextNode) {
    let notes = &step.annotation;
    let words = [&notes.comment_before, &notes.comment_after];
    let words: Vec<_> = words.into_iter().filter(|words| !words.is_empty()).map(String::as_str).collect();
    node.comment = words.join("\n");
    node.nags.clone_from(&notes.nags);
    node.clocks = MoveAnnotation { clock: notes.clock, elapsed: notes.elapsed, ..MoveAnnotation::default() }
        .format_commands();
    node.score = notes.eval.and_then(|eval| match eval.score {
        AnnotatedScore::Centipawns(value) => {
            Some(ScoreDto { value: value.clamp(1 - DECIDED_CP, DECIDED_CP - 1), mate: None })
        }
        AnnotatedScore::Mate(0) => None,
        AnnotatedScore::Mate(moves) => {
            let plies = moves.saturating_mul(2) - moves.signum();
            Some(ScoreDto { value: DECIDED_CP * moves.signum(), mate: Some(plies) })
        }
    });
}

/// How many moves a game on the page may have, variations included. The longest games have some hundreds; whatever is written with
/// many thousands would keep server and page busy for seconds with every click.
const MAX_MOVES: usize = 5_000;

/// A game of so many moves can be kept.
///
/// # Errors
/// If they are too many.
fn check_move_count(moves: usize) -> Result<(), SessionError> {
    if moves <= MAX_MOVES {
        return Ok(());
    }
    let words = format!(
        "a game on this page has at most {MAX_MOVES} moves, variations included; this one has {moves}"
    );
    Err(SessionError::new(words)
        .with_chinese(format!("本页一局至多 {MAX_MOVES} 着（含变着），此局有 {moves} 着")))
}

/// A recorded game. The page plays no null moves: what follows one is left out, and the start says so.
fn game_from_record(plain: &TextGame, chinese: bool) -> Result<OpenGame, SessionError> {
    check_move_count(plain.moves.len())?;
    let mut tree = TextTree::default();
    let (mut numbers, mut lost) = (Vec::with_capacity(plain.moves.len()), 0_usize);
    for (index, step) in plain.moves.iter().enumerate() {
        let parent = if index == 0 { Some(ROOT) } else { numbers.get(step.parent).copied().flatten() };
        let number = match parent {
            Some(_) if index == 0 => Some(ROOT),
            Some(parent) if step.text != NULL_MOVE => Some(tree.add_move(parent, &step.text)),
            _ => None,
        };
        match number.and_then(|number| tree.node_mut(number)) {
            Some(found) => fill_node(step, found),
            None => lost += 1,
        }
        numbers.push(number);
    }
    let mut remarks: Vec<_> = plain.warnings.iter().map(|fault| record_error_text(fault, chinese)).collect();
    if lost > 0 {
        remarks.push(match chinese {
            true => format!("空着之后的 {lost} 着已略去"),
            false => format!("{lost} moves after null moves are left out"),
        });
    }
    add_start_remarks(&mut tree, &remarks);
    let mut tags: Vec<_> =
        plain.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let result = RESULT_TEXTS.iter().find(|(outcome, _)| Some(*outcome) == plain.result);
    tags.extend(result.map(|&(_, word)| (RESULT_TAG.to_owned(), word.to_owned())));
    let record = StoredGame {
        game: plain.game.clone(),
        start: plain.start.clone().unwrap_or_else(|| "startpos".into()),
        person: None,
        level: DEFAULT_LEVEL,
        resigned: None,
        dialect: None,
        book: None,
        clock: None,
        tags,
        tree,
    };
    OpenGame::from_record(Store::new_id(), record)
}

/// What of a file cannot be read, in a language.
fn record_error_text(fault: &RecordError, chinese: bool) -> String {
    if chinese { chinese::record_error(fault) } else { fault.to_string() }
}

/// Says at the start of a game what of its file is missing.
fn add_start_remarks(tree: &mut TextTree, remarks: &[String]) {
    if let Some(start) = tree.node_mut(ROOT) {
        let said = Some(start.comment.as_str()).filter(|said| !said.is_empty());
        let all: Vec<_> = said.into_iter().chain(remarks.iter().map(String::as_str)).collect();
        start.comment = all.join("\n");
    }
}

/// At most this many games of a file are kept.
const MAX_IMPORTED_GAMES: usize = 200;

/// The bytes of a file as a page sends it: its text in UTF-8, or a character for each byte.
///
/// # Errors
/// If a character is no byte.
pub(crate) fn file_bytes(text: String, bytes: bool) -> Result<Vec<u8>, SessionError> {
    if !bytes {
        return Ok(text.into_bytes());
    }
    let byte =
        |c: char| u8::try_from(c).map_err(|_| SessionError::new(format!("{c:?} is no byte of a file")));
    text.chars().map(byte).collect()
}

/// The games in what somebody pasted, the one to be opened first: a file of records, a position text, or moves in any
/// dialect of this kind of game. What cannot be read of a file is said at the start of the first game, in Chinese if that is
/// wanted.
///
/// # Errors
/// If nothing can be read; the sentence says where and why.
pub(crate) fn import_games(kind: &str, bytes: &[u8], chinese: bool) -> Result<Vec<OpenGame>, RequestError> {
    let mut desk = registry::open(kind, None)?;
    let text = &*String::from_utf8_lossy(bytes);
    let place = split_position_command(text).0;
    let place = place == "startpos" || desk.issues(place).is_ok();
    let found = if place { Vec::new() } else { registry::read_games(bytes, Some(kind)) };
    let (mut games, mut remarks, mut fault) = (Vec::new(), Vec::new(), None);
    for (index, game) in found.iter().enumerate() {
        match game {
            Ok(game) if game.moves.len() > 1 || game.start.is_some() || !game.tags.is_empty() => {
                if games.len() < MAX_IMPORTED_GAMES {
                    games.push(game_from_record(game, chinese)?);
                } else {
                    let more = found.len() - index;
                    remarks.push(match chinese {
                        true => format!("只保存 {MAX_IMPORTED_GAMES} 局，其余 {more} 局已略去"),
                        false => format!("{more} games more than {MAX_IMPORTED_GAMES} are left out"),
                    });
                    break;
                }
            }
            Ok(_) => {}
            Err(found) => {
                remarks.push(record_error_text(found, chinese));
                fault = fault.or(Some(found));
            }
        }
    }
    if let Some(first) = games.first_mut() {
        add_start_remarks(&mut first.stored.tree, &remarks);
        return Ok(games);
    }
    let tagged = text.trim_start().starts_with('[');
    match parse_pasted(desk.as_mut(), kind, text) {
        Ok(new) => Ok(vec![OpenGame::new(Store::new_id(), new)?]),
        // What is a position of this game belongs to no other, whatever is wrong with it.
        Err(refusal) => Err(match (find_other_game(kind, text).filter(|_| !place), fault) {
            (Some(other), _) => RequestError::other_game(other, kind),
            (None, Some(fault)) if tagged => {
                SessionError::new(fault.to_string()).with_chinese(chinese::record_error(fault)).into()
            }
            _ => refusal,
        }),
    }
}

/// The text of the position that somebody pasted where one is set up: as it stands, whatever is wrong with it, or where the moves
/// of a game end.
///
/// # Errors
/// As [`import`], and if it is a game of another kind.
pub(crate) fn position_text(kind: &str, text: &str, chinese: bool) -> Result<String, RequestError> {
    let (place, rest) = split_position_command(text);
    if rest.is_empty() && registry::open(kind, None)?.issues(place).is_ok() {
        return Ok(place.to_owned());
    }
    let first = import_games(kind, text.as_bytes(), chinese)?
        .into_iter()
        .next()
        .ok_or_else(RequestError::no_content)?;
    match first.session().game() {
        game if game == kind => Ok(first.session().view().fen),
        other => Err(RequestError::other_game(other, kind)),
    }
}

/// The other kind of game in which a position or bare moves make sense, if there is one. A file with headers says itself what
/// it is.
pub(crate) fn find_other_game(kind: &str, text: &str) -> Option<&'static str> {
    registry::games().filter(|&game| game != kind).find(|game| {
        let Ok(mut desk) = registry::open(game, None) else { return false };
        if desk.issues(split_position_command(text).0).is_ok() {
            return true;
        }
        let words = move_words(text);
        let mut plays =
            desk.dialects().into_iter().map(|dialect| read_moves(desk.as_mut(), &words, dialect).is_ok());
        !words.is_empty() && plays.any(|plays| plays)
    })
}

/// A position and the moves after it, as engines are told them: `[position] [fen] FEN [moves M1 M2 ...]`. A text without moves is
/// all position.
fn split_position_command(text: &str) -> (&str, &str) {
    let text = text.trim();
    let text = text.strip_prefix("position ").unwrap_or(text).trim_start();
    let text = text.strip_prefix("fen ").unwrap_or(text).trim_start();
    text.split_once(" moves ").map_or((text, ""), |(place, moves)| (place.trim_end(), moves))
}

/// A game of this kind from a position text, with moves or without, or moves in any dialect.
///
/// # Errors
/// If it is neither; the sentence names the move that cannot be played in the dialect that went furthest.
fn parse_pasted(desk: &mut dyn GameSession, kind: &str, text: &str) -> Result<NewGame, RequestError> {
    let new = NewGame { game: kind.to_owned(), ..NewGame::default() };
    let (place, rest) = split_position_command(text);
    let position = if place == "startpos" { Ok(Vec::new()) } else { desk.issues(place) };
    let fen = match position {
        Ok(_) => Some(place).filter(|&place| place != "startpos"),
        Err(_) => header_value(text, "FEN"),
    };
    let fen = fen.map(str::to_owned);
    if let Some(fen) = &fen {
        desk.open(fen, &Waivers::None).map_err(|error| setup_error(desk, fen).unwrap_or(error.into()))?;
    }
    if position.is_ok() && rest.is_empty() {
        return Ok(NewGame { fen, ..new });
    }
    let words = move_words(if position.is_ok() { rest } else { text });
    if words.is_empty() {
        return Err(RequestError::no_content());
    }
    check_move_count(words.len())?;
    let mut furthest: Option<(usize, SessionError)> = None;
    for dialect in desk.dialects() {
        match read_moves(desk, &words, dialect) {
            Ok(moves) => return Ok(NewGame { fen, moves, ..new }),
            Err((plies, error)) => {
                if furthest.as_ref().is_none_or(|(most, _)| plies > *most) {
                    furthest = Some((plies, error));
                }
            }
        }
    }
    let (plies, error) = furthest.unwrap_or((0, SessionError::new("this game has no way to write moves")));
    // Where not even the first word is like a move, what is wrong with it as a position says more.
    match position {
        Err(fault) if plies == 0 && !is_move_like(words[0]) => Err(fault.into()),
        _ => Err(error.at_move(plies + 1).into()),
    }
}

/// Whether a word is like a move of any dialect: Chinese, or with a figure and without what only positions have. Castling and
/// passing do without figures.
fn is_move_like(word: &str) -> bool {
    let position = ["/", "---", "...."].iter().any(|part| word.contains(part));
    let figure = word.contains(|mark: char| mark.is_ascii_digit() || !mark.is_ascii());
    let named = ["o-o", "0-0", "pass"].iter().any(|name| word.to_ascii_lowercase().starts_with(name));
    !position && (figure || named)
}

/// What is wrong with a position that can be read, in words that name no waiver: a page lets it pass where it is set up.
fn setup_error(desk: &dyn GameSession, fen: &str) -> Option<RequestError> {
    let grievances = desk.issues(fen).ok().filter(|all| !all.is_empty())?;
    let list = |words: fn(&IssueDescription) -> &str, comma| {
        grievances.iter().map(words).collect::<Vec<_>>().join(comma)
    };
    let (words, words_zh) = (list(|one| &one.message, "; "), list(|one| &one.message_zh, "；"));
    let error = SessionError::new(format!("there is no such position: {words}"));
    let waivable = grievances.iter().all(|one| one.is_waivable);
    Some(RequestError {
        waivable, ..error.with_chinese(format!("没有这样的局面：{words_zh}")).into()
    })
}

/// The value of a header line: `[FEN "..."]`.
fn header_value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        line.trim().strip_prefix('[')?.strip_prefix(name)?.trim_start().strip_prefix('"')?.strip_suffix("\"]")
    })
}

/// The words of the main line that may be moves: no headers, comments, variations, numbers or results.
fn move_words(text: &str) -> Vec<&str> {
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
            let body = strip_move_number(body);
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
fn strip_move_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|mark: char| mark.is_ascii_digit());
    let bare = rest.trim_start_matches('.');
    let figure = bare.len() == 1 && bare.starts_with(|mark: char| mark.is_ascii_digit());
    if rest.len() < word.len() && bare.len() < rest.len() && !figure { bare } else { word }
}

/// The moves in the default dialect; the desk is left as it was. A word may hold several moves without a space.
fn read_moves(
    desk: &mut dyn GameSession,
    words: &[&str],
    dialect: &str,
) -> Result<Vec<String>, (usize, SessionError)> {
    let mut moves = Vec::new();
    let mut play = || {
        for word in words {
            let mut rest = *word;
            while !rest.is_empty() {
                let (text, after) = match desk.play(rest, Some(dialect)) {
                    Ok(step) => (step.text, ""),
                    Err(error) => {
                        let legal = desk.legal_moves(Some(dialect))?;
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
mod tests;
