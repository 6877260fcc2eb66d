//! The Chinese messages of xiangqi.

use alfil_kernel::fen::PlacementExpected;
use alfil_kernel::{Outcome, Side, Verdict};
use alfil_xiangqi::fen::Expected;
use alfil_xiangqi::notation::{IllegalReason, NotationError};
use alfil_xiangqi::setup::SetupIssue;
use alfil_xiangqi::{Board, Cause, Piece, PieceKind};

use super::appearance::NAMES_ZH;
use crate::chinese::{list_squares, notation_error, pieces};

/// The names of the sides.
pub(crate) const SIDE_NAMES: [&str; 2] = NAMES_ZH.sides;

fn side_name(side: Side) -> &'static str {
    SIDE_NAMES[side.index()]
}

/// Returns the name of a piece with its colour.
pub(crate) fn piece_name(piece: Piece) -> String {
    NAMES_ZH.piece_name(piece.letter()).to_owned()
}

/// Returns the name of a piece without its colour, which is the first character.
fn kind_name(piece: Piece) -> &'static str {
    let name = NAMES_ZH.piece_name(piece.letter());
    name.char_indices().nth(1).map_or(name, |(at, _)| &name[at..])
}

/// Formats an issue of a position.
pub(crate) fn issue_message(issue: &SetupIssue) -> String {
    let king_name = |side: Side| kind_name(Piece::new(side, PieceKind::King));
    match issue {
        SetupIssue::ImpossibleSquare(piece, square) => format!("{}不可能走到 {square}", piece_name(*piece)),
        SetupIssue::KingsFacing(red, black) => format!("{red} 的帅与 {black} 的将照面，中间无子"),
        SetupIssue::OpponentInCheck(side, from) => {
            format!("{}正被 {} 的子将军，却不轮到它走", side_name(*side), list_squares(from))
        }
        SetupIssue::KingMissing(side) => format!("{}没有{}", side_name(*side), king_name(*side)),
        SetupIssue::SeveralKings(side, at) => {
            format!("{}有 {} 个{}：{}", side_name(*side), at.len(), king_name(*side), list_squares(at))
        }
        SetupIssue::KingOutsidePalace(side, at) => {
            format!("{at} 的{}不在九宫之内", piece_name(Piece::new(*side, PieceKind::King)))
        }
        SetupIssue::TooManyPieces(piece, at) => {
            let max_count = piece.kind().initial_count();
            format!(
                "{}有 {} 个（{}），一副棋只有 {max_count} 个",
                piece_name(*piece),
                at.len(),
                list_squares(at)
            )
        }
    }
}

/// Formats what was expected in a position text.
pub(crate) fn expected_message(expected: Expected) -> &'static str {
    match expected {
        Expected::Placement => "十行棋子与数字",
        Expected::InPlacement(PlacementExpected::MoreSquares) => "更多的点，每行九点",
        Expected::InPlacement(PlacementExpected::FewerSquares) => "更少的点，每行九点",
        Expected::InPlacement(PlacementExpected::NoMoreRanks) => "布局的结尾，一共十行",
        Expected::InPlacement(PlacementExpected::MoreRanks) => "“/”与下一行，一共十行",
        Expected::InPlacement(PlacementExpected::EndOfRank) => "“/”或轮走方，每行九点",
        Expected::InPlacement(PlacementExpected::Piece) => {
            "棋子（k a b n r c p，或 e、h）、数字 1 至 9 或“/”"
        }
        Expected::Side => "轮走方：红方 w 或 r，黑方 b",
        Expected::Number => "小于 4294967296 的整数",
        Expected::EndOfText => "文本结尾，回合数之后没有别的内容",
    }
}

/// Formats the error of a move that cannot be read or played.
pub(crate) fn move_error_message(error: &NotationError) -> String {
    notation_error(error, &NAMES_ZH, |&reason| illegal_reason_message(reason))
}

/// Formats the reason why a move is illegal.
pub(crate) fn illegal_reason_message(reason: IllegalReason) -> String {
    let wanted_piece =
        |side, wanted: Option<PieceKind>| wanted.map_or("子", |wanted| kind_name(Piece::new(side, wanted)));
    match reason {
        IllegalReason::NoPiece(origin) => pieces::no_piece(origin),
        IllegalReason::NotSideToMove(piece, origin) => {
            pieces::not_its_turn(&piece_name(piece), origin, side_name(!piece.side()))
        }
        IllegalReason::OwnPieceOnTarget(side, target) => pieces::own_piece(side_name(side), target),
        IllegalReason::CannotReach(piece, origin, target) => {
            pieces::cannot_move(&piece_name(piece), origin, target)
        }
        IllegalReason::StaysInCheck(side) => pieces::stays_in_check(side_name(side)),
        IllegalReason::ExposesKing(side) => {
            format!("这样走是送将，{}会被吃", piece_name(Piece::new(side, PieceKind::King)))
        }
        IllegalReason::NoSuchPiece(side, kind, file) => {
            format!("{}{}没有{}", side_name(side), file_text(side, file), wanted_piece(side, kind))
        }
        IllegalReason::OnlyPieceCannotReach(side, kind, file) => {
            format!("{}{}的{}不能这样走", side_name(side), file_text(side, file), wanted_piece(side, kind))
        }
        IllegalReason::NoPieceCanReach(side, kind, file) => {
            format!("{}{}没有能这样走的{}", side_name(side), file_text(side, file), wanted_piece(side, kind))
        }
    }
}

/// Formats a file as its side counts it: Red in Chinese figures, Black in Arabic ones.
fn file_text(side: Side, file: Option<usize>) -> String {
    let Some(file) = file else { return String::new() };
    match "一二三四五六七八九".chars().nth(file.wrapping_sub(1)) {
        Some(figure) if side == Side::First => format!("{figure}路"),
        _ => format!(" {file} 路"),
    }
}

/// Formats the verdict at the end of a game.
pub(crate) fn verdict_message(position: &impl Board, verdict: &Verdict<Cause>) -> String {
    match (verdict.cause, verdict.outcome) {
        (Cause::NoLegalMove, _) => {
            let (loser, winner) = (side_name(position.side_to_move()), side_name(!position.side_to_move()));
            if position.in_check() {
                format!("{loser}被将死，{winner}胜")
            } else {
                format!("{loser}无子可动（困毙判负），{winner}胜")
            }
        }
        (Cause::PerpetualCheck, Outcome::Win(winner)) => {
            format!("{}长将判负，{}胜", side_name(!winner), side_name(winner))
        }
        (Cause::PerpetualChase, Outcome::Win(winner)) => {
            format!("{}长捉判负，{}胜", side_name(!winner), side_name(winner))
        }
        (Cause::Prohibited, Outcome::Win(winner)) => {
            format!("{}每着都是将、杀或捉，判负，{}胜", side_name(!winner), side_name(winner))
        }
        (Cause::PerpetualCheck | Cause::PerpetualChase | Cause::Prohibited | Cause::MutualOffence, _) => {
            "双方均为禁止着法（长将、长捉等），和棋".into()
        }
        (Cause::Repetition, _) => "局面重复，双方均未犯规，和棋".into(),
        (Cause::NaturalLimit, _) => "长久没有吃子（自然限着），和棋".into(),
        (Cause::Material, _) => "双方都没有足以取胜的子力，和棋".into(),
        (Cause::OnlyRefusedMoves, _) => {
            let (loser, winner) = (side_name(position.side_to_move()), side_name(!position.side_to_move()));
            format!("{loser}的着法均被规则禁止，判负，{winner}胜")
        }
        (Cause::GameLength, _) => "着数已满，和棋".into(),
    }
}
