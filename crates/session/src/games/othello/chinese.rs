//! The Chinese messages of Othello.

use alfil_kernel::{Outcome, Side, Verdict};
use alfil_othello::Cause;
use alfil_othello::fen::Expected;
use alfil_othello::notation::{IllegalReason, NotationError};
use alfil_othello::setup::SetupIssue;

use super::appearance::NAMES_ZH;
use crate::chinese::{list_squares, notation_error};

/// Formats an issue of a position.
pub(crate) fn issue_message(issue: &SetupIssue) -> String {
    match issue {
        SetupIssue::CentreEmpty(at) => format!("中央的 {} 是空格，对局中不会如此", list_squares(at)),
        SetupIssue::Island(at) => format!("{} 的棋子与棋盘中央不相连", list_squares(at)),
    }
}

/// Formats what was expected in a position text.
pub(crate) fn expected_message(expected: Expected) -> String {
    match expected {
        Expected::Disc(square) => return format!("{square} 的棋子（X 或 O）或空格（-）"),
        Expected::Side => "轮走方：X 或 O",
        Expected::EndOfText => "文本结尾，轮走方之后没有别的内容",
        Expected::MoreSquares => "更多的格，每行八格",
        Expected::FewerSquares => "更少的格，每行八格",
        Expected::NoMoreRows => "布局的结尾，一共八行",
        Expected::AllRows => "八行，每行八格",
        Expected::RowItem => "棋子（黑 p，白 P）、数字 1 至 8 或“/”",
        Expected::SideAfterRows => "轮走方：黑方 b，白方 w",
        Expected::EndAfterRows => "数字、“-”或文本结尾",
        Expected::Hand => "p、P 或结尾的“]”",
        Expected::Move => "格名，如 f5，或 pass",
        Expected::Score => "-64 至 +64 的分数，如 +18",
    }
    .into()
}

/// Formats the error of a move that cannot be read or played.
pub(crate) fn move_error_message(error: &NotationError) -> String {
    notation_error(error, &NAMES_ZH, |&reason| illegal_reason_message(reason))
}

/// Formats the reason why a move is illegal.
pub(crate) fn illegal_reason_message(reason: IllegalReason) -> String {
    let name = |side: Side| NAMES_ZH.sides[side.index()];
    match reason {
        IllegalReason::GameOver => "对局已结束".into(),
        IllegalReason::MustNotPass(side) => format!("{}有棋可下，不得弃权", name(side)),
        IllegalReason::MustPass(side) => format!("{}无处可下，只能弃权", name(side)),
        IllegalReason::Occupied(square) => format!("{square} 已有棋子"),
        IllegalReason::FlipsNothing(side, square) => format!("{}下在 {square} 翻不了任何棋子", name(side)),
    }
}

/// Formats the verdict at the end of a game: `score` is the winner's and the loser's, and `board` their discs on the
/// board if squares stayed empty.
pub(crate) fn verdict_message(
    verdict: &Verdict<Cause>,
    score: [usize; 2],
    board: Option<[usize; 2]>,
) -> String {
    let cause = match verdict.cause {
        Cause::FullBoard => "",
        Cause::Wipeout => "一方已无子：",
        Cause::NoLegalMove => "双方均无处可下：",
    };
    let board = board.map_or(String::new(), |[more, fewer]| format!("（盘面 {more} 比 {fewer}）"));
    let winner = match verdict.outcome {
        Outcome::Win(side) => format!("{}胜，", NAMES_ZH.sides[side.index()]),
        Outcome::Draw => "和棋，".into(),
    };
    let [more, fewer] = score;
    format!("{cause}{winner}{more} 比 {fewer}{board}")
}
