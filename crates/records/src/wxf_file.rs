//! The text files of xiangqi with lines of keywords and the moves in braces, as PlayOK and the World Xiangqi Federation
//! have them.
//!
//! ```text
//! FORMAT  WXF
//! RED     Hu Ronghua;Shanghai
//! BLACK   Liu Dahua
//! RESULT  1-0
//! START{
//! 1. C2.5 H8+7
//! }END
//! ```
//!
//! `FORMAT` names the notation of the moves. It is not read: each move may be in any notation, whatever `FORMAT` says.
//! `FEN` gives the start position of a game that does not begin at that of xiangqi. The line of an unknown keyword is
//! left out with a warning. Source: "Chinese Chess File Format" (H. Yang), and files of PlayOK.

use alfil_kernel::{Notation as _, Outcome, Setup as _, Side};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::{MoveNotation, Setup, Xiangqi};

use crate::charset::{Charset, LegacyEncoding};
use crate::error::{RecordError, RecordErrorKind, shorten};
use crate::file_format::{FileFormat, WXF_KEYWORDS};
use crate::game_tree::GameTree;
use crate::parsed_game::{MAX_WARNINGS, ParsedGame};
use crate::pgn;
use crate::tags::Tags;
use crate::tree_builder::failed_game;
use crate::tree_traversal::visit_main_line;
use crate::write_error::WriteError;
use crate::xiangqi_file::result_from_word;

/// The tags of the players with those of their teams, which follow a name after a semicolon.
const TEAM_TAGS: [(&str, &str); 2] = [("Red", "RedTeam"), ("Black", "BlackTeam")];

/// The keywords before and after the moves.
const START: &[u8] = b"START{";
const END: &[u8] = b"}END";

/// The keyword of the start position.
const FEN: &str = "FEN";

/// The keywords that are read elsewhere, or not needed.
const OTHER_KEYWORDS: [&str; 3] = [FEN, "FORMAT", "RESULT"];

/// The words of results.
const RESULTS: &[(&str, Option<Outcome>)] = &[
    ("1-0", Some(Outcome::Win(Side::First))),
    ("0-1", Some(Outcome::Win(Side::Second))),
    ("1/2-1/2", Some(Outcome::Draw)),
    ("*", None),
    ("red", Some(Outcome::Win(Side::First))),
    ("black", Some(Outcome::Win(Side::Second))),
    ("draw", Some(Outcome::Draw)),
];

/// Parses the games of a file. The names of players end at a semicolon; what follows is their team.
///
/// ```
/// let text = "FORMAT WXF\nRED Hu Ronghua;Shanghai\nRESULT 1-0\nSTART{\n1. C2.5 H8+7 2. H2+3\n}END\n";
/// let tree = alfil_records::wxf_file::parse_games(text.as_bytes()).remove(0).into_tree()?;
/// assert_eq!((tree.moves.move_count(), tree.tags.value("RedTeam")), (3, Some("Shanghai")));
/// # Ok::<(), alfil_records::RecordError>(())
/// ```
pub fn parse_games(bytes: &[u8]) -> Vec<ParsedGame<Xiangqi>> {
    let charset = LegacyEncoding::Chinese.detect(bytes);
    let upper = bytes.to_ascii_uppercase();
    let find = |at: usize, word: &[u8]| memchr::memmem::find(&upper[at..], word).map(|found| at + found);
    let (mut games, mut at) = (Vec::new(), 0);
    // The line of the byte up to which the lines are counted.
    let (mut line, mut counted) = (1, 0);
    while let Some(start) = find(at, START) {
        let moves_at = start + START.len();
        let next = find(moves_at, START).unwrap_or(bytes.len());
        let closing = memchr::memmem::find(&upper[moves_at..next], END).map(|end| moves_at + end);
        let closing =
            closing.or_else(|| memchr::memrchr(b'}', &bytes[moves_at..next]).map(|end| moves_at + end));
        let end = closing.unwrap_or(next);
        let number = games.len() as u64 + 1;
        let keywords_line = line + count_lines(&bytes[counted..at]);
        line = keywords_line + count_lines(&bytes[at..moves_at]);
        counted = moves_at;
        let moves = pgn::RawGame::from_bytes(number, (moves_at as u64, line), &bytes[moves_at..end], charset);
        let mut game: ParsedGame<Xiangqi> = match find_fen(&charset.decode(&bytes[at..start])) {
            Some(fen) => moves.parse_from(fen),
            None => moves.parse(),
        };
        read_keywords(&bytes[at..start], (at, keywords_line), charset, number, &mut game);
        pgn::normalise_tags::<Xiangqi>(&mut game.tree.tags, &game.tree.start);
        if closing.is_none() && game.error.is_none() {
            let mut error =
                failed_game::<Xiangqi>(number, moves_at, RecordErrorKind::UnclosedGame("}END")).error;
            error.iter_mut().for_each(|error| error.line = line);
            game.error = error;
        }
        games.push(game);
        at = end;
    }
    // Keywords without moves are a game that is cut off.
    if games.is_empty() || has_keyword(&charset.decode(&bytes[at..])) {
        let number = games.len() as u64 + 1;
        let mut game = failed_game::<Xiangqi>(number, bytes.len(), RecordErrorKind::UnexpectedEnd);
        game.error.iter_mut().for_each(|error| error.line = count_lines(bytes) + 1);
        let keywords_line = line + count_lines(&bytes[counted..at]);
        read_keywords(&bytes[at..], (at, keywords_line), charset, number, &mut game);
        games.push(game);
    }
    games
}

/// Returns the start position that the keywords name.
fn find_fen(keywords: &str) -> Option<&str> {
    let mut lines = keywords.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
    lines.find(|(keyword, _)| keyword.eq_ignore_ascii_case(FEN)).map(|(_, fen)| fen.trim())
}

/// Returns whether a line begins with a keyword.
fn has_keyword(text: &str) -> bool {
    let mut words = text.lines().filter_map(|line| line.split_whitespace().next());
    words.any(|word| WXF_KEYWORDS.iter().any(|(known, _)| word.eq_ignore_ascii_case(known)))
}

/// Returns the number of line breaks.
fn count_lines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Reads the lines of keywords, of which the first one begins at this byte and line of the file, into the tags, the
/// result and the warnings of a game. A result at the end of the moves stays.
fn read_keywords(
    keywords: &[u8],
    (mut offset, first_line): (usize, u64),
    charset: Charset,
    number: u64,
    game: &mut ParsedGame<Xiangqi>,
) {
    let (mut result, mut warnings) = (None, Vec::new());
    let tree = &mut game.tree;
    for (line_number, line) in (first_line..).zip(keywords.split_inclusive(|&byte| byte == b'\n')) {
        let line_offset = offset as u64;
        offset += line.len();
        let line = charset.decode(line);
        let line = line.trim_start_matches('\u{feff}').trim();
        let (keyword, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let value = value.trim();
        let mut warn = |kind| {
            if warnings.len() < MAX_WARNINGS {
                warnings.push(RecordError {
                    game: number,
                    offset: line_offset,
                    line: line_number,
                    mv: String::new(),
                    kind,
                });
            }
        };
        if keyword.eq_ignore_ascii_case("RESULT") {
            match result_from_word(RESULTS, value.split_whitespace().next().unwrap_or_default()) {
                Ok(outcome) => result = outcome,
                Err(kind) => warn(kind),
            }
        }
        let Some((_, tag)) = WXF_KEYWORDS.iter().find(|(known, _)| keyword.eq_ignore_ascii_case(known))
        else {
            let is_known = OTHER_KEYWORDS.iter().any(|known| keyword.eq_ignore_ascii_case(known));
            let is_keyword = keyword.len() > 1 && keyword.bytes().all(|byte| byte.is_ascii_uppercase());
            if is_keyword && !is_known && !value.is_empty() {
                warn(RecordErrorKind::UnknownKeyword(shorten(keyword)));
            }
            continue;
        };
        let (name, team) = match value.split_once(';') {
            Some((name, team)) if TEAM_TAGS.iter().any(|(player, _)| player == tag) => {
                (name.trim(), team.trim_matches([';', ' ']))
            }
            _ => (value, ""),
        };
        // PlayOK writes the rating of a player after the name.
        let is_rating = !team.is_empty() && team.bytes().all(|byte| byte.is_ascii_digit());
        let second_tag = format!("{tag}{}", if is_rating { "Elo" } else { "Team" });
        for (tag, value) in [((*tag).to_owned(), name), (second_tag, team)] {
            if !value.is_empty() && tree.tags.value(&tag).is_none() {
                tree.tags.push(tag, value);
            }
        }
    }
    tree.result = tree.result.or(result);
    warnings.append(&mut game.warnings);
    warnings.truncate(MAX_WARNINGS);
    game.warnings = warnings;
}

/// Formats games one after the other, in UTF-8: their main lines in WXF notation. Comments, variations and tags without
/// a keyword have no place.
///
/// # Errors
/// Returns an error if a game has a null move or an illegal move, the name of a player a semicolon, or a tag the
/// keyword `START{`.
pub fn format_games(games: &[GameTree<Xiangqi>]) -> Result<Vec<u8>, WriteError> {
    let texts = games.iter().map(format_game).collect::<Result<Vec<_>, _>>()?;
    Ok(texts.join("\n").into_bytes())
}

fn format_game(tree: &GameTree<Xiangqi>) -> Result<String, WriteError> {
    let format = FileFormat::WxfFile;
    let mut text = String::from("FORMAT\tWXF\n");
    if tree.start != Setup::start() {
        text += &format!("{FEN}\t{}\n", tree.start.to_text());
    }
    for (keyword, tag) in WXF_KEYWORDS.iter().filter(|(keyword, _)| *keyword != "PLACE") {
        text += &keyword_line(keyword, tag, &tree.tags)?;
    }
    let result = RESULTS.iter().find(|(_, outcome)| *outcome == tree.result).map_or("*", |&(word, _)| word);
    text += &format!("RESULT\t{result}\n\nSTART{{\n");
    let mut plies = 0_usize;
    visit_main_line(tree, format, |position, _, mv| {
        let mv_text = MoveNotation::format_move(position, mv, Dialect::Wxf);
        text += &if plies.is_multiple_of(2) {
            format!("{}. {mv_text}", plies / 2 + 1)
        } else {
            format!(" {mv_text}\n")
        };
        plies += 1;
    })?;
    Ok(text.trim_end().to_owned() + "\n}END\n")
}

/// Formats a line of a keyword, or nothing if the tag is missing.
fn keyword_line(keyword: &str, tag: &'static str, tags: &Tags) -> Result<String, WriteError> {
    let team_tag = TEAM_TAGS.iter().find(|(player, _)| *player == tag).map(|&(_, team)| team);
    let value = one_line(tag, tags)?;
    if team_tag.is_some() && value.contains(';') {
        return Err(invalid_tag(tag, value, "a name without a semicolon, after which the team would follow"));
    }
    let team = team_tag.map_or(Ok(String::new()), |tag| one_line(tag, tags))?;
    Ok(match (value.as_str(), team.as_str()) {
        ("", "") => String::new(),
        (value, "") => format!("{keyword}\t{value}\n"),
        (value, team) => format!("{keyword}\t{value};{team}\n"),
    })
}

/// Returns the value of a tag in one line; empty if the tag is missing.
fn one_line(tag: &'static str, tags: &Tags) -> Result<String, WriteError> {
    let value = tags.value(tag).unwrap_or_default().replace(['\n', '\r'], " ").trim().to_owned();
    if memchr::memmem::find(&value.to_ascii_uppercase().into_bytes(), START).is_some() {
        return Err(invalid_tag(tag, value, "a text without START{, which begins the moves"));
    }
    Ok(value)
}

fn invalid_tag(tag: &'static str, value: String, expected: &'static str) -> WriteError {
    WriteError::InvalidTag { format: FileFormat::WxfFile, tag, value, expected }
}
