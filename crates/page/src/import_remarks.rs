//! What an import says about games that it could not take over as they are: which game, what is wrong, and what was
//! done with it, in plain words; the place in the file apart.

use alfil_session::played_game::ROOT;
use alfil_session::record_errors::record_error_reason_zh;
use alfil_session::{NULL_MOVE, RecordError, RecordErrorKind, SessionError, TextGame};

use crate::tag_summary::TagSummary;
use crate::wire::ImportRemark;

/// The maximal number of reasons in the remark on a game.
const MAX_REASONS: usize = 3;

/// What an import has done with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportOutcome {
    /// Nothing is missing but what the remark is about.
    Kept,
    /// The game is kept up to the place of the error.
    Cut,
    /// Nothing of the game is kept.
    LeftOut,
}

impl ImportOutcome {
    fn text(self, in_chinese: bool) -> &'static str {
        match (self, in_chinese) {
            (ImportOutcome::Kept, false) => "Everything else of the game is kept.",
            (ImportOutcome::Kept, true) => "此局其余部分均已保留。",
            (ImportOutcome::Cut, false) => "The game is kept up to this point.",
            (ImportOutcome::Cut, true) => "此局保留到此处为止。",
            (ImportOutcome::LeftOut, false) => "The game is not imported.",
            (ImportOutcome::LeftOut, true) => "此局未导入。",
        }
    }
}

/// Returns what is wrong, without the place: `move 2. Ke3: ...`.
pub(crate) fn reason(error: &RecordError, in_chinese: bool) -> String {
    match (in_chinese, error.mv.as_str()) {
        (true, _) => record_error_reason_zh(error),
        (false, "") => error.kind.to_string(),
        (false, mv) => format!("move {mv}: {}", error.kind),
    }
}

/// Returns the place of an error in its file, in technical words; empty if the whole file is concerned.
pub(crate) fn place(error: &RecordError, in_chinese: bool) -> String {
    if let RecordErrorKind::UnsupportedFile(_) = error.kind {
        return String::new();
    }
    match (in_chinese, error.line) {
        (false, 0) => format!("byte {}", error.offset),
        (false, line) => format!("line {line}, byte {}", error.offset),
        (true, 0) => format!("字节 {}", error.offset),
        (true, line) => format!("第 {line} 行，字节 {}", error.offset),
    }
}

/// Returns a text as a sentence: with a capital letter and a full stop.
fn sentence(text: &str, in_chinese: bool) -> String {
    let end = if text.ends_with(['.', '。', '!', '！', '?', '？', '…']) {
        ""
    } else if in_chinese {
        "。"
    } else {
        "."
    };
    let mut chars = text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}{end}", chars.as_str())
}

/// Joins sentences: Chinese ones have no space between them.
fn join(sentences: &[String], in_chinese: bool) -> String {
    sentences.join(if in_chinese { "" } else { " " })
}

/// Returns the remark of a game about itself, for the comment at its start.
pub(crate) fn own_remark(error: &RecordError, outcome: ImportOutcome, in_chinese: bool) -> String {
    let reason = sentence(&reason(error, in_chinese), in_chinese);
    match outcome {
        ImportOutcome::Kept => reason,
        _ => join(&[reason, outcome.text(in_chinese).to_owned()], in_chinese),
    }
}

/// Returns the message about a file of which nothing can be read: what is wrong, and where.
pub(crate) fn refusal(error: &RecordError) -> SessionError {
    let text = |in_chinese| match (reason(error, in_chinese), place(error, in_chinese)) {
        (reason, place) if place.is_empty() => reason,
        (reason, place) if in_chinese => format!("{reason}（{place}）"),
        (reason, place) => format!("{reason} ({place})"),
    };
    SessionError::new(text(false)).with_chinese(text(true))
}

/// Returns the name by which a remark calls a game: its number in the file, and its players if they are known.
fn game_name(number: u64, tags: Option<&TagSummary>, in_chinese: bool) -> String {
    let players = tags.map(|tags| tags.players.each_ref().map(String::as_str)).unwrap_or_default();
    let players = match players {
        ["", ""] => String::new(),
        players => {
            let [first, second] = players.map(|name| if name.is_empty() { "?" } else { name });
            if in_chinese {
                format!("（{first} – {second}）")
            } else {
                format!(" ({first} – {second})")
            }
        }
    };
    if in_chinese { format!("第 {number} 局{players}") } else { format!("Game {number}{players}") }
}

fn game_remark(name: &str, reasons: &str, outcome: ImportOutcome, in_chinese: bool) -> String {
    let colon = if in_chinese { "：" } else { ": " };
    let first = sentence(&format!("{name}{colon}{reasons}"), in_chinese);
    join(&[first, outcome.text(in_chinese).to_owned()], in_chinese)
}

/// Returns the moves after a move that an import keeps: all but null moves.
pub(crate) fn kept_children(game: &TextGame, node: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
    game.moves.children(node).filter(|&child| game.moves[child].text != NULL_MOVE)
}

/// Returns the number of null moves and of the moves that follow them, which an import leaves out.
pub(crate) fn dropped_move_count(game: &TextGame) -> usize {
    let (mut kept, mut pending) = (0, vec![ROOT]);
    while let Some(node) = pending.pop() {
        kept += 1;
        pending.extend(kept_children(game, node));
    }
    game.moves.move_count() + 1 - kept
}

/// Returns the remark on null moves and what follows them, which an import leaves out; `None` if there are none.
pub(crate) fn dropped_moves_remark(game: &TextGame, in_chinese: bool) -> Option<String> {
    let dropped = dropped_move_count(game);
    (dropped > 0).then(|| match in_chinese {
        true => format!("空着及其后的 {dropped} 着已略去"),
        false => format!("null moves and what follows them are left out ({dropped} moves)"),
    })
}

/// Returns the remark on a game that was read; `None` if there is nothing to say.
pub(crate) fn read_game_remark(number: u64, game: &TextGame, in_chinese: bool) -> Option<ImportRemark> {
    let errors: Vec<_> = game.error.iter().chain(&game.warnings).collect();
    let mut reasons: Vec<_> =
        errors.iter().take(MAX_REASONS).map(|error| reason(error, in_chinese)).collect();
    reasons.extend((errors.len() > MAX_REASONS).then(|| "…".to_owned()));
    reasons.extend(dropped_moves_remark(game, in_chinese));
    if reasons.is_empty() {
        return None;
    }
    let outcome = if game.error.is_some() { ImportOutcome::Cut } else { ImportOutcome::Kept };
    let tags: Vec<_> = game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let name = game_name(number, Some(&TagSummary::new(&game.game, &tags)), in_chinese);
    let reasons = reasons.join(if in_chinese { "；" } else { "; " });
    Some(ImportRemark {
        text: game_remark(&name, &reasons, outcome, in_chinese),
        place: errors.first().map_or(String::new(), |first| place(first, in_chinese)),
    })
}

/// Returns the remark on a game of which nothing can be read.
pub(crate) fn unread_game_remark(error: &RecordError, in_chinese: bool) -> ImportRemark {
    let text = match error.kind {
        RecordErrorKind::UnsupportedFile(_) => sentence(&reason(error, in_chinese), in_chinese),
        _ => {
            let name = game_name(error.game, None, in_chinese);
            game_remark(&name, &reason(error, in_chinese), ImportOutcome::LeftOut, in_chinese)
        }
    };
    ImportRemark { text, place: place(error, in_chinese) }
}

/// Returns the remark on a game that was read and cannot be opened.
pub(crate) fn refused_game_remark(number: u64, error: &SessionError, in_chinese: bool) -> ImportRemark {
    let reason = error.message_zh.as_ref().filter(|_| in_chinese).unwrap_or(&error.message);
    let name = game_name(number, None, in_chinese);
    ImportRemark {
        text: game_remark(&name, reason, ImportOutcome::LeftOut, in_chinese),
        place: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use alfil_session::registry;

    use super::*;

    fn remark_on(text: &str, in_chinese: bool) -> [String; 2] {
        let game = registry::read_games(text.as_bytes(), Some("chess")).unwrap().pop().unwrap();
        let remark = match game {
            Ok(game) => read_game_remark(3, &game, in_chinese).unwrap(),
            Err(error) => unread_game_remark(&error, in_chinese),
        };
        [remark.text, remark.place]
    }

    #[test]
    fn a_remark_names_the_game_the_reason_and_what_was_done() {
        let names = "[White \"Anna\"]\n[Black \"Bert\"]\n";
        let other_result = format!("{names}[Result \"1-0\"]\n\n1. e4 e5 0-1\n");
        let bad_move = format!("{names}\n1. e4 e5 2. Ke3 *\n");
        let [text, place] = remark_on(&other_result, false);
        assert_eq!(
            text,
            "Game 3 (Anna – Bert): the header has another result than the end of the moves, which is used. \
             Everything else of the game is kept."
        );
        assert_eq!(place, "line 1, byte 0");
        let [text, _] = remark_on(&other_result, true);
        assert_eq!(
            text,
            "第 3 局（Anna – Bert）：文件头的结果与着法之后的结果不同，以后者为准。此局其余部分均已保留。"
        );
        let null_move = format!("{names}\n1. e4 e5 2. -- Nf6 (2... Nc6) *\n");
        let [text, place] = remark_on(&null_move, false);
        assert_eq!(
            text,
            "Game 3 (Anna – Bert): null moves and what follows them are left out (3 moves). \
             Everything else of the game is kept."
        );
        assert_eq!(place, "");
        let [text, place] = remark_on(&bad_move, false);
        assert!(text.starts_with("Game 3 (Anna – Bert): move 2. Ke3: "), "{text}");
        assert!(text.ends_with(". The game is kept up to this point."), "{text}");
        assert!(place.starts_with("line 4, byte "), "{place}");
        let [text, place] = remark_on(&bad_move, true);
        assert!(text.starts_with("第 3 局（Anna – Bert）：着法 2. Ke3："), "{text}");
        assert!(
            text.ends_with("。此局保留到此处为止。") && place.starts_with("第 4 行，字节 "),
            "{text} {place}"
        );
    }

    #[test]
    fn a_game_of_which_nothing_is_read_is_said_to_be_missing() {
        let [text, place] = remark_on("[Variant \"Chess960\"]\n\n1. e4 *", false);
        assert!(text.starts_with("Game 1: ") && text.ends_with(" The game is not imported."), "{text}");
        assert!(place.starts_with("line 1, byte "), "{place}");
        let [text, place] = remark_on("PK\u{3}\u{4}", false);
        assert_eq!((text.as_str(), place.as_str()), ("This is a ZIP archive: unpack it first.", ""));
        let refused = SessionError::new("too long").with_chinese("太长");
        assert_eq!(refused_game_remark(2, &refused, true).text, "第 2 局：太长。此局未导入。");
    }
}
