//! Import and export of games as text: record files, positions and move lists.

mod export;

use alfil_kernel::epd::split_at_moves;
use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::played_game::{AnnotatedMove, EditedTree, GameRecord, NodeScore, ROOT};
use alfil_session::review::DECIDED_CP;
use alfil_session::{
    AnnotatedScore, FileFormat, GameSession, IssueDescription, MoveAnnotation, SessionError, TextGame,
    pasted_position, registry,
};

use crate::host::PageHost;
use crate::import_remarks::{
    self, ImportOutcome, dropped_moves_remark, kept_children, own_remark, read_game_remark,
    refused_game_remark, unread_game_remark,
};
use crate::open_game::OpenGame;
use crate::request_error::RequestError;
use crate::wire::NewGame;

pub(crate) use export::text_game_from_record;
pub(crate) use export::{ExportOptions, export_pgn};

/// The tag of the result, and its values.
const RESULT_TAG: &str = "Result";
pub(crate) const RESULT_TEXTS: [(Outcome, &str); 3] =
    [(Outcome::Win(Side::First), "1-0"), (Outcome::Win(Side::Second), "0-1"), (Outcome::Draw, "1/2-1/2")];

/// Adds the annotation of a recorded move to its node. The node has one already if a file has the move twice after the
/// same position: then other comments and NAGs are added, and the first clock times and the first score stay.
fn add_annotation(annotation: &MoveAnnotation, node: &mut AnnotatedMove) {
    let known = node.comment.clone();
    for comment in [&annotation.comment_before, &annotation.comment_after] {
        if comment.is_empty() || known.lines().any(|line| line == comment) || known == *comment {
            continue;
        }
        let separator = if node.comment.is_empty() { "" } else { "\n" };
        node.comment.extend([separator, comment]);
    }
    for &nag in &annotation.nags {
        if !node.nags.contains(&nag) {
            node.nags.push(nag);
        }
    }
    if node.clocks.is_empty() {
        let &MoveAnnotation { clock, elapsed, .. } = annotation;
        node.clocks = MoveAnnotation { clock, elapsed, ..MoveAnnotation::default() }.format_commands();
    }
    let score = annotation.eval.and_then(|eval| match eval.score {
        AnnotatedScore::Centipawns(value) => Some(NodeScore {
            value: value.clamp(1 - DECIDED_CP, DECIDED_CP - 1),
            mate: None,
            ..NodeScore::default()
        }),
        AnnotatedScore::Mate(0) => None,
        AnnotatedScore::Mate(moves) => {
            let plies = moves.saturating_mul(2) - moves.signum();
            Some(NodeScore { value: DECIDED_CP * moves.signum(), mate: Some(plies), ..NodeScore::default() })
        }
    });
    node.score = node.score.or(score);
}

/// The maximal number of moves of a game, variations included. Games have some hundreds, studies of openings some
/// thousands; the page has a button for each of them.
const MAX_MOVES: usize = 20_000;

/// Checks the number of moves of a game.
///
/// # Errors
/// If there are more than [`MAX_MOVES`].
fn check_move_count(moves: usize) -> Result<(), SessionError> {
    if moves <= MAX_MOVES {
        return Ok(());
    }
    let message = format!(
        "a game on this page has at most {MAX_MOVES} moves, variations included; this one has {moves}"
    );
    Err(SessionError::new(message)
        .with_chinese(format!("本页一局至多 {MAX_MOVES} 着（含变着），此局有 {moves} 着")))
}

/// Creates a game from a record.
fn game_from_record(host: PageHost, text_game: &TextGame, chinese: bool) -> Result<OpenGame, SessionError> {
    OpenGame::from_record(host.new_id(), record_from_text_game(text_game, chinese)?)
}

/// Returns what is kept of a game of a file. Moves after a null move are dropped, and a comment at the start says so.
///
/// # Errors
/// If the game has too many moves.
pub(crate) fn record_from_text_game(text_game: &TextGame, chinese: bool) -> Result<GameRecord, SessionError> {
    check_move_count(text_game.moves.move_count())?;
    let mut tree = EditedTree::default();
    let mut pending = vec![(ROOT, ROOT)];
    while let Some((source, parent)) = pending.pop() {
        let text_move = &text_game.moves[source];
        let number = if source == ROOT { ROOT } else { tree.add_move(parent, &text_move.text) };
        if let Some(node) = tree.node_mut(number) {
            add_annotation(&text_move.annotation, node);
        }
        pending.extend(kept_children(text_game, source).rev().map(|child| (child, number)));
    }
    let errors = text_game.error.iter().map(|error| (error, ImportOutcome::Cut));
    let errors = errors.chain(text_game.warnings.iter().map(|warning| (warning, ImportOutcome::Kept)));
    let mut remarks: Vec<_> = errors.map(|(error, outcome)| own_remark(error, outcome, chinese)).collect();
    remarks.extend(dropped_moves_remark(text_game, chinese));
    remarks
        .extend(text_game.start.as_deref().and_then(|start| issues_remark(&text_game.game, start, chinese)));
    if let Some(start) = tree.node_mut(ROOT) {
        start.comment = with_remarks(&start.comment, &remarks);
    }
    let mut tags: Vec<_> =
        text_game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let result = RESULT_TEXTS.iter().find(|(outcome, _)| Some(*outcome) == text_game.result);
    tags.extend(result.map(|&(_, text)| (RESULT_TAG.to_owned(), text.to_owned())));
    Ok(GameRecord {
        start: text_game.start.clone().unwrap_or_else(|| "startpos".into()),
        tags,
        tree,
        ..GameRecord::new(&text_game.game)
    })
}

/// Returns the remark about the issues of a start position.
fn issues_remark(game: &str, start: &str, chinese: bool) -> Option<String> {
    let error = setup_error(registry::open(game, None).ok()?.as_ref(), start)?;
    error.message_zh.filter(|_| chinese).or(Some(error.message))
}

/// Returns the comment of the start position with remarks about missing parts of a file.
fn with_remarks(comment: &str, remarks: &[String]) -> String {
    let comment = Some(comment).filter(|comment| !comment.is_empty());
    let all: Vec<_> = comment.into_iter().chain(remarks.iter().map(String::as_str)).collect();
    all.join("\n")
}

/// The maximal number of games that are imported from a file.
const MAX_IMPORTED_GAMES: usize = 200;

/// Returns the bytes of a file: the page sends its text, or a character for each byte.
///
/// # Errors
/// If a character is not a byte.
pub(crate) fn file_bytes(text: String, bytes: bool) -> Result<Vec<u8>, SessionError> {
    if !bytes {
        return Ok(text.into_bytes());
    }
    let byte = |c: char| {
        u8::try_from(c).map_err(|_| SessionError::new(format!("cannot read {c:?} as a byte of a file")))
    };
    text.chars().map(byte).collect()
}

/// Imports pasted text: a record file, a position, or moves in any dialect of the game. The first game of the result is
/// the one to open; its start comment lists what could not be read, in Chinese if `chinese` is set.
///
/// # Errors
/// If nothing can be read; the message says where and why.
pub(crate) fn import_games(
    host: PageHost,
    game_name: &str,
    bytes: &[u8],
    chinese: bool,
) -> Result<Vec<OpenGame>, RequestError> {
    read_games(host, game_name, bytes, chinese, true)
}

/// Reads pasted text. With `keeps_part`, a text that cannot be read to its end is a game of the moves before, with a
/// start comment that says where it stops.
fn read_games(
    host: PageHost,
    game_name: &str,
    bytes: &[u8],
    chinese: bool,
    keeps_part: bool,
) -> Result<Vec<OpenGame>, RequestError> {
    let mut session = registry::open(game_name, None)?;
    let text = &*String::from_utf8_lossy(bytes);
    let text = &*pasted_position(text);
    let position_part = split_position_command(text).0;
    let is_position = position_part == "startpos" || session.issues(position_part).is_ok();
    let records = if is_position { Vec::new() } else { registry::read_games(bytes, Some(game_name))? };
    // Pasted moves may be in a dialect that no record has.
    let format = FileFormat::detect(bytes);
    let is_file = !matches!(format, None | Some(FileFormat::Transcript));
    let is_one_position = format == Some(FileFormat::Epd) && text.trim().lines().count() == 1;
    let may_be_pasted = !is_file || (format == Some(FileFormat::Pgn) && records.len() == 1);
    // Words that are moves of another game, as `1. e4 e5`, may be parts of a move of this one.
    if let [Ok(TextGame { error: None, tags, .. })] = &records[..]
        && may_be_pasted
        && tags.is_empty()
        && parse_pasted(session.as_mut(), game_name, text).is_err_and(|refused| refused.move_count() == 0)
        && let Some(other) = find_other_game(game_name, text, usize::MAX)
    {
        return Err(RequestError::other_game(other, game_name));
    }
    let (mut games, mut remarks, mut record_error, mut refusal) = (Vec::new(), Vec::new(), None, None);
    let mut record_part = None;
    for (index, game) in records.iter().enumerate() {
        match game {
            Ok(part @ TextGame { error: Some(error), tags, .. }) if may_be_pasted && tags.is_empty() => {
                record_error = record_error.or(Some(error));
                record_part = Some(part);
            }
            Ok(game) if !is_empty_game(game) => {
                if games.len() < MAX_IMPORTED_GAMES {
                    let number = index as u64 + 1;
                    let remark = read_game_remark(number, game, chinese).filter(|_| !games.is_empty());
                    remarks.extend(remark.map(|remark| remark.text));
                    match game_from_record(host, game, chinese) {
                        Ok(game) => games.push(game),
                        Err(error) => {
                            remarks.push(refused_game_remark(number, &error, chinese).text);
                            refusal = refusal.or(Some(error));
                        }
                    }
                } else {
                    let more = records.len() - index;
                    remarks.push(match chinese {
                        true => format!("只保存 {MAX_IMPORTED_GAMES} 局，其余 {more} 局已略去"),
                        false => format!("{more} games more than {MAX_IMPORTED_GAMES} are left out"),
                    });
                    break;
                }
            }
            Ok(TextGame { error: None, .. }) => {}
            Ok(TextGame { error: Some(error), .. }) | Err(error) => {
                remarks.push(unread_game_remark(error, chinese).text);
                record_error = record_error.or(Some(error));
            }
        }
    }
    if let Some(first) = games.first_mut() {
        let comment = first.tree().node(ROOT).map(|start| with_remarks(&start.comment, &remarks));
        first.set_start_comment(comment.unwrap_or_default())?;
        return Ok(games);
    }
    if let Some(refusal) = refusal {
        return Err(refusal.into());
    }
    match parse_pasted(session.as_mut(), game_name, text) {
        Ok(new) => Ok(vec![OpenGame::new(host.new_id(), new)?]),
        // An invalid position of this game is not looked up in other games.
        Err(refused) => match (
            find_other_game(game_name, text, refused.move_count()).filter(|_| !is_position),
            record_error,
        ) {
            (Some(other), _) => Err(RequestError::other_game(other, game_name)),
            _ if keeps_part && let Some(game) = read_part(host, &refused, record_part, chinese)? => {
                Ok(vec![game])
            }
            (None, Some(record_error)) if is_file && !is_one_position => {
                Err(import_remarks::refusal(record_error).into())
            }
            _ => Err(refused.error),
        },
    }
}

/// A pasted text that cannot be read to its end.
struct RefusedText {
    error: RequestError,
    /// The game of the moves before the error, if there are any.
    part: Option<Box<NewGame>>,
}

impl RefusedText {
    /// Returns the number of moves that can be read.
    fn move_count(&self) -> usize {
        self.part.as_ref().map_or(0, |part| part.moves.len())
    }
}

impl<E: Into<RequestError>> From<E> for RefusedText {
    fn from(error: E) -> Self {
        RefusedText { error: error.into(), part: None }
    }
}

/// Returns the game before the error of a pasted text: that of the record or that of the list of moves, whichever has
/// more moves. Its start comment says where it stops.
fn read_part(
    host: PageHost,
    refused: &RefusedText,
    record: Option<&TextGame>,
    chinese: bool,
) -> Result<Option<OpenGame>, RequestError> {
    let pasted_moves = refused.move_count();
    // A record has comments and variations, too.
    let is_fuller = |record: &&TextGame| {
        let is_annotated = record.moves.iter().any(|(_, mv)| mv.annotation != MoveAnnotation::default());
        let moves = record.moves.move_count();
        moves > pasted_moves || (is_annotated && moves > 0 && moves == pasted_moves)
    };
    if let Some(record) = record.filter(is_fuller) {
        return Ok(Some(game_from_record(host, record, chinese)?));
    }
    let Some(part) = refused.part.clone() else { return Ok(None) };
    let mut game = OpenGame::new(host.new_id(), *part)?;
    let RequestError { message, message_zh, .. } = &refused.error;
    game.set_start_comment(match message_zh {
        Some(message) if chinese => format!("此后的着法无法读取：{message}"),
        _ => format!("the moves from here on cannot be read: {message}"),
    })?;
    Ok(Some(game))
}

/// Returns the position of pasted text for the setup: a position text, valid or not, or the position after the moves of
/// a game.
///
/// # Errors
/// As [`import_games`], and if the text is a game of another kind.
pub(crate) fn position_text(
    host: PageHost,
    game_name: &str,
    text: &str,
    chinese: bool,
) -> Result<String, RequestError> {
    let text = &*pasted_position(text);
    let (position_part, rest) = split_position_command(text);
    if rest.is_empty() && registry::open(game_name, None)?.issues(position_part).is_ok() {
        return Ok(position_part.to_owned());
    }
    let first = read_games(host, game_name, text.as_bytes(), chinese, false)?
        .into_iter()
        .next()
        .ok_or_else(RequestError::no_content)?;
    match first.session().game() {
        game if game == game_name => Ok(first.session().view().fen),
        other => Err(RequestError::other_game(other, game_name)),
    }
}

/// Returns another game in which the text is a position or a list of moves, or in which more moves than `move_count`,
/// and more than one, can be read before the first that cannot. Record files name their game themselves.
pub(crate) fn find_other_game(game_name: &str, text: &str, move_count: usize) -> Option<&'static str> {
    let tokens = move_words(text);
    let mut best = (move_count.max(1), None);
    for game in registry::games().filter(|&game| game != game_name) {
        let Ok(mut session) = registry::open(game, None) else { continue };
        if session.issues(split_position_command(text).0).is_ok() {
            return Some(game);
        }
        for dialect in session.dialects().into_iter().filter(|_| !tokens.is_empty()) {
            match read_moves(session.as_mut(), &tokens, dialect) {
                Ok(_) => return Some(game),
                Err(unread) if unread.before.len() > best.0 => best = (unread.before.len(), Some(game)),
                Err(_) => {}
            }
        }
    }
    best.1
}

/// Splits a position command as in UCI: `[position] [fen] FEN [moves M1 M2 ...]`. A text without moves is all position.
fn split_position_command(text: &str) -> (&str, &str) {
    let text = text.trim();
    let text = text.strip_prefix("position ").unwrap_or(text).trim_start();
    let text = text.strip_prefix("fen ").unwrap_or(text).trim_start();
    split_at_moves(text).unwrap_or((text, ""))
}

/// Parses a position text with or without moves, or moves in any dialect.
///
/// # Errors
/// If the text is neither; the message names the first illegal move in the dialect that read most moves.
fn parse_pasted(session: &mut dyn GameSession, game_name: &str, text: &str) -> Result<NewGame, RefusedText> {
    let new = NewGame { game: game_name.to_owned(), ..NewGame::default() };
    let (position_part, rest) = split_position_command(text);
    let position = if position_part == "startpos" { Ok(Vec::new()) } else { session.issues(position_part) };
    let fen = match position {
        Ok(_) => Some(position_part).filter(|&position_part| position_part != "startpos"),
        Err(_) => header_value(text, "FEN"),
    };
    let fen = fen.map(str::to_owned);
    if let Some(fen) = &fen {
        session
            .open(fen, &Waivers::None)
            .map_err(|error| setup_error(session, fen).unwrap_or_else(|| error.into()))?;
    }
    if position.is_ok() && rest.is_empty() {
        return Ok(NewGame { fen, ..new });
    }
    let tokens = move_words(if position.is_ok() { rest } else { text });
    if tokens.is_empty() {
        return Err(RequestError::no_content().into());
    }
    check_move_count(tokens.len())?;
    let mut best_attempt: Option<UnreadMove> = None;
    for dialect in session.dialects() {
        match read_moves(session, &tokens, dialect) {
            Ok(moves) => return Ok(NewGame { fen, moves, ..new }),
            Err(unread) => {
                if best_attempt.as_ref().is_none_or(|best| unread.before.len() > best.before.len()) {
                    best_attempt = Some(unread);
                }
            }
        }
    }
    let Some(UnreadMove { before, token, error }) = best_attempt else {
        return Err(RequestError::no_content().into());
    };
    // If the first token does not look like a move, the error of the position text says more, if it is one.
    if before.is_empty() && !is_move_like(tokens[0]) {
        return Err(match position {
            _ if is_web_address(text) => web_address_error().into(),
            Err(position_error) if is_position_like(session, text) => position_error.into(),
            _ => RequestError::no_content().into(),
        });
    }
    if is_descriptive(&token) {
        return Err(descriptive_notation_error(&token).into());
    }
    let view = session.view();
    let ply = before.len() + view.side_to_move.index();
    let points = if ply.is_multiple_of(2) { "." } else { "..." };
    let place = format!("{}{points} {token}", view.fullmove_number as usize + ply / 2);
    let error = SessionError {
        message: format!("move {place}: {}", error.message),
        message_zh: error.message_zh.map(|message| format!("着法 {place}：{message}")),
        ..error
    };
    let part = (!before.is_empty()).then_some(NewGame { fen, moves: before, ..new }.into());
    Err(RefusedText { error: error.into(), part })
}

/// Returns whether a text is the address of a web page.
fn is_web_address(text: &str) -> bool {
    ["http://", "https://", "www."]
        .iter()
        .any(|start| text.trim_start().to_ascii_lowercase().starts_with(start))
}

/// Returns the error of a pasted address.
fn web_address_error() -> SessionError {
    SessionError::new(
        "this is the address of a web page, which is not read: copy the game or the position there and paste it here",
    )
    .with_chinese("这是网页地址，不会读取：请在该网页复制对局或局面，再粘贴到此处")
}

/// Returns whether a token is a move in the descriptive notation of chess, such as `P-K4`, `N-KB3` or `PxP`.
fn is_descriptive(token: &str) -> bool {
    let is_piece =
        |text: &str| (1..=3).contains(&text.len()) && text.chars().all(|mark| "KQRBNP".contains(mark));
    let is_square = |text: &str| {
        let file = text.trim_end_matches(|mark: char| ('1'..='8').contains(&mark));
        text.len() == file.len() + 1 && is_piece(file)
    };
    match token.split_once('-') {
        Some((piece, square)) => is_piece(piece) && is_square(square.trim_end_matches(['!', '?', '+'])),
        None => token.split_once('x').is_some_and(|(piece, other)| is_piece(piece) && is_piece(other)),
    }
}

fn descriptive_notation_error(token: &str) -> SessionError {
    let message = format!("{token} is the descriptive notation of chess, which is not read: write e4 or Nf3");
    SessionError::new(message)
        .with_chinese(format!("{token} 是国际象棋的旧式描述记谱，不会读取：请写作 e4、Nf3"))
}

/// Returns whether a text looks like a position of the game: most characters of its first word are letters of pieces,
/// digits, `/` or `-`.
fn is_position_like(session: &dyn GameSession, text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let appearance = session.appearance();
    let fits = |letter: &char| {
        letter.is_ascii_digit() || "/-.".contains(*letter) || appearance.piece(*letter).is_some()
    };
    let count = word.chars().count();
    word.contains('/') || 4 * word.chars().filter(fits).count() >= 3 * count
}

/// Returns whether a token looks like a move in some dialect: it contains a digit or a Chinese character and nothing
/// that only positions contain. Castling and passes have no digits.
fn is_move_like(token: &str) -> bool {
    let position = ["/", "---", "...."].iter().any(|part| token.contains(part));
    let has_digit = token.contains(|mark: char| mark.is_ascii_digit() || !mark.is_ascii());
    let is_special = ["o-o", "0-0", "pass"].iter().any(|name| token.to_ascii_lowercase().starts_with(name));
    !position && (has_digit || is_special)
}

/// Returns the issues of a readable position as an error. It names no waivers, because the page waives in the setup.
fn setup_error(session: &dyn GameSession, fen: &str) -> Option<RequestError> {
    let issues = session.issues(fen).ok().filter(|all| !all.is_empty())?;
    let join =
        |text: fn(&IssueDescription) -> &str, comma| issues.iter().map(text).collect::<Vec<_>>().join(comma);
    let (message, message_zh) = (join(|issue| &issue.message, "; "), join(|issue| &issue.message_zh, "；"));
    let error = SessionError::new(format!("invalid position: {message}"));
    let waivable = issues.iter().all(|issue| issue.is_waivable);
    Some(RequestError {
        waivable, ..error.with_chinese(format!("没有这样的局面：{message_zh}")).into()
    })
}

/// Returns the value of a header line: `[FEN "..."]`.
fn header_value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        line.trim().strip_prefix('[')?.strip_prefix(name)?.trim_start().strip_prefix('"')?.strip_suffix("\"]")
    })
}

/// Returns the tokens of the main line that may be moves: no headers, comments, variations, numbers or results.
fn move_words(text: &str) -> Vec<&str> {
    let is_end = |mark: char| mark.is_whitespace() || "{}();,".contains(mark);
    let (mut moves, mut comment, mut depth) = (Vec::new(), false, 0_usize);
    for line in text.lines() {
        if !comment && line.trim_start().starts_with('[') {
            continue;
        }
        for token in line.split_inclusive(is_end) {
            let (body, end) = match token.char_indices().next_back() {
                Some((at, mark)) if is_end(mark) => (&token[..at], Some(mark)),
                _ => (token, None),
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
    }
    moves
}

/// Removes the move number from a token: `12.` or `12...`. A single digit after the point belongs to the token: `33.4`
/// is a soldier move in WXF.
fn strip_move_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|mark: char| mark.is_ascii_digit());
    let move_part = rest.trim_start_matches('.');
    let has_digit = move_part.len() == 1 && move_part.starts_with(|mark: char| mark.is_ascii_digit());
    if rest.len() < token.len() && move_part.len() < rest.len() && !has_digit { move_part } else { token }
}

/// A move of a list that cannot be read, with the moves before it in the default dialect.
struct UnreadMove {
    before: Vec<String>,
    token: String,
    error: SessionError,
}

/// Reads moves in a dialect, which need no separating blanks, and returns them in the default dialect. The session does
/// not change.
fn read_moves(
    session: &mut dyn GameSession,
    tokens: &[&str],
    dialect: &str,
) -> Result<Vec<String>, UnreadMove> {
    let (mut moves, mut unread) = (Vec::new(), "");
    let mut play = || {
        for token in tokens {
            let mut rest = *token;
            while !rest.is_empty() {
                unread = rest;
                // One word may have many moves.
                check_move_count(moves.len() + 1)?;
                let (text, remainder) = match session.replay(rest, Some(dialect)) {
                    Ok(result) => (result.text, ""),
                    Err(error) => {
                        let legal = session.legal_moves(Some(dialect))?;
                        let longest_match = legal
                            .iter()
                            .filter(|text| rest.starts_with(text.as_str()))
                            .max_by_key(|text| text.len());
                        let Some(first) = longest_match else { return Err(error) };
                        (session.replay(first, Some(dialect))?.text, &rest[first.len()..])
                    }
                };
                moves.push(text);
                rest = remainder;
            }
        }
        Ok(())
    };
    let outcome = play();
    for _ in &moves {
        session.undo();
    }
    match outcome {
        Ok(()) => Ok(moves),
        Err(error) => Err(UnreadMove { before: moves, token: unread.to_owned(), error }),
    }
}

/// Returns whether a game of a file has neither tags nor moves nor a position.
pub(crate) fn is_empty_game(game: &TextGame) -> bool {
    game.moves.is_empty() && game.start.is_none() && game.tags.is_empty()
}

#[cfg(test)]
mod tests;
