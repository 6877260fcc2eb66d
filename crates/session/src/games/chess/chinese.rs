//! The Chinese messages of chess.

use alfil_chess::fen::Expected;
use alfil_chess::notation::{IllegalReason, NotationError};
use alfil_chess::setup::SetupIssue;
use alfil_chess::{Board, Cause, Piece, PieceKind};
use alfil_kernel::fen::PlacementExpected;
use alfil_kernel::{Side, Verdict};

use super::appearance::NAMES_ZH;
use crate::chinese::{list_squares, notation_error, pieces};

fn side_name(side: Side) -> &'static str {
    NAMES_ZH.sides[side.index()]
}

fn piece_name(piece: Piece) -> &'static str {
    NAMES_ZH.piece_name(piece.letter())
}

/// Formats an issue of a position.
pub(crate) fn issue_message(issue: &SetupIssue) -> String {
    match issue {
        SetupIssue::ImpossibleSquare(piece, square) => format!("{}不可能走到 {square}", piece_name(*piece)),
        SetupIssue::OpponentInCheck(side, from) => {
            format!("{}正被 {} 的子将军，却不轮到它走", side_name(*side), list_squares(from))
        }
        SetupIssue::Castling(side, rook) => format!("{}不能与 {rook} 的车易位", side_name(*side)),
        SetupIssue::EnPassant(square) => format!("没有兵刚刚越过 {square}，不能在此吃过路兵"),
        SetupIssue::TooManyPawns(side, pawns) => {
            format!("{}的兵与升变的子共有 {pawns} 个，一副棋只有 8 个兵", side_name(*side))
        }
        SetupIssue::KingMissing(side) => format!("{}没有王", side_name(*side)),
        SetupIssue::KingDoubled(side, at) => {
            format!("{}有 {} 个王：{}", side_name(*side), at.len(), list_squares(at))
        }
        SetupIssue::TooManyPieces(side, at) => {
            format!("{}有 {} 个子，一副棋只有 16 个", side_name(*side), at.len())
        }
    }
}

/// Formats what was expected in a position text.
pub(crate) fn expected_message(expected: Expected) -> &'static str {
    match expected {
        Expected::Placement => "八行棋子与数字",
        Expected::InPlacement(PlacementExpected::MoreSquares) => "更多的格，每行八格",
        Expected::InPlacement(PlacementExpected::FewerSquares) => "更少的格，每行八格",
        Expected::InPlacement(PlacementExpected::NoMoreRanks) => "布局的结尾，一共八行",
        Expected::InPlacement(PlacementExpected::MoreRanks) => "“/”与下一行，一共八行",
        Expected::InPlacement(PlacementExpected::EndOfRank) => "“/”或轮走方，每行八格",
        Expected::InPlacement(PlacementExpected::Piece) => "棋子（k q r b n p）、数字 1 至 8 或“/”",
        Expected::Side => "轮走方：白方 w，黑方 b",
        Expected::CastlingRight => "易位权：K、Q、线名 A 至 H（黑方小写），或“-”",
        Expected::NoRepeatedRight => "每项易位权只写一次",
        Expected::EnPassant => "过路兵格，如 e3，或“-”",
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
    match reason {
        IllegalReason::NoPiece(origin) => pieces::no_piece(origin),
        IllegalReason::NotSideToMove(piece, origin) => {
            pieces::not_its_turn(piece_name(piece), origin, side_name(!piece.side()))
        }
        IllegalReason::OwnPieceOnTarget(side, target) => pieces::own_piece(side_name(side), target),
        IllegalReason::CannotReach(piece, origin, target) => {
            pieces::cannot_move(piece_name(piece), origin, target)
        }
        IllegalReason::StaysInCheck(side) => pieces::stays_in_check(side_name(side)),
        IllegalReason::ExposesKing(side) => {
            format!("这样走会使{}被将军", piece_name(Piece::new(side, PieceKind::King)))
        }
        IllegalReason::NoSuchPiece(piece) => format!("棋盘上没有{}", piece_name(piece)),
        IllegalReason::NoPieceCanReach(piece, target) => {
            format!("{}不能这样走到 {target}", piece_name(piece))
        }
        IllegalReason::NoCastlingRight(side) => format!("{}无权在那一侧易位", side_name(side)),
        IllegalReason::CastlingBlocked => "易位的路上有子阻挡".into(),
        IllegalReason::CastlingInCheck => "王被将军时不能易位".into(),
        IllegalReason::CastlingAttacked => "易位时王会经过或停在受攻击的格".into(),
        IllegalReason::MissingPromotion(mv) => {
            format!("兵走到 {} 须升变，写作 {mv}n、{mv}b、{mv}r 或 {mv}q", mv.target())
        }
        IllegalReason::MissingSanPromotion(target) => {
            format!("兵走到 {target} 须升变，须加上 =N、=B、=R 或 =Q")
        }
        IllegalReason::UnexpectedPromotion(target) => format!("走到 {target} 不能升变"),
    }
}

/// Formats the verdict at the end of a game.
pub(crate) fn verdict_message(position: &impl Board, verdict: &Verdict<Cause>) -> String {
    let side = position.side_to_move();
    match verdict.cause {
        Cause::Checkmate => format!("{}被将死，{}胜", side_name(side), side_name(!side)),
        Cause::Stalemate => format!("{}无子可动且未被将军：逼和", side_name(side)),
        Cause::InsufficientMaterial => "双方都没有足以将死的子力，和棋".into(),
        Cause::Threefold => "局面第三次出现，和棋".into(),
        Cause::Fivefold => "局面第五次出现，和棋".into(),
        Cause::FiftyMoves => "五十回合未吃子、未动兵，和棋".into(),
        Cause::SeventyFiveMoves => "七十五回合未吃子、未动兵，和棋".into(),
    }
}
