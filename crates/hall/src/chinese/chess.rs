//! Chess in Chinese.

use alfil_chess::fen::Expected;
use alfil_chess::notation::{NotationError, Reason};
use alfil_chess::setup::Complaint;
use alfil_chess::{Board, Cause, Kind, Piece};
use alfil_kernel::{Side, Verdict};

use super::{men, squares};
use crate::look::chinese as names;

fn name(side: Side) -> &'static str {
    names::CHESS.sides[side.index()]
}

fn man(piece: Piece) -> &'static str {
    names::CHESS.man(piece.letter())
}

/// What is wrong with a position.
pub(crate) fn complaint(complaint: &Complaint) -> String {
    match complaint {
        Complaint::ImpossibleSquare(piece, square) => format!("{}不可能走到 {square}", man(*piece)),
        Complaint::OpponentInCheck(side, from) => {
            format!("{}正被 {} 的子将军，却不轮到它走", name(*side), squares(from))
        }
        Complaint::Castling(side, rook) => format!("{}不能与 {rook} 的车易位", name(*side)),
        Complaint::EnPassant(square) => format!("没有兵刚刚越过 {square}，不能在此吃过路兵"),
        Complaint::TooManyPawns(side, pawns) => {
            format!("{}的兵与升变的子共有 {pawns} 个，一副棋只有 8 个兵", name(*side))
        }
        Complaint::KingMissing(side) => format!("{}没有王", name(*side)),
        Complaint::KingDoubled(side, at) => {
            format!("{}有 {} 个王：{}", name(*side), at.len(), squares(at))
        }
        Complaint::TooMany(side, at) => format!("{}有 {} 个子，一副棋只有 16 个", name(*side), at.len()),
    }
}

/// What should stand in a position text.
pub(crate) fn expected(expected: Expected) -> &'static str {
    match expected {
        Expected::Placement => "八行棋子与数字",
        Expected::More => "更多的格，每行八格",
        Expected::Fewer => "更少的格，每行八格",
        Expected::NoRank => "布局的结尾，一共八行",
        Expected::Ranks => "“/”与下一行，一共八行",
        Expected::RankEnd => "“/”或轮走方，每行八格",
        Expected::Man => "棋子（k q r b n p）、数字 1 至 8 或“/”",
        Expected::Side => "轮走方：白方 w，黑方 b",
        Expected::Castling => "易位权：K、Q、线名 A 至 H（黑方小写），或“-”",
        Expected::Once => "每项易位权只写一次",
        Expected::EnPassant => "过路兵格，如 e3，或“-”",
        Expected::Number => "小于 4294967296 的整数",
        Expected::End => "文本结尾，回合数之后没有别的内容",
        Expected::Operation => "以字母开头的操作名",
        Expected::Operand => "hmvc 或 fmvn 之后的数字",
        Expected::Quote => "结尾的引号",
    }
}

/// A move that cannot be read or played.
pub(crate) fn refused(error: &NotationError) -> String {
    super::notation(error, &names::CHESS, |&why| reason(why))
}

/// Why a move may not be played.
pub(crate) fn reason(reason: Reason) -> String {
    match reason {
        Reason::NoMan(origin) => men::none(origin),
        Reason::NotItsTurn(piece, origin) => men::not_its_turn(man(piece), origin, name(!piece.side())),
        Reason::OwnMan(side, target) => men::own(name(side), target),
        Reason::CannotGo(piece, origin, target) => men::cannot_go(man(piece), origin, target),
        Reason::StaysInCheck(side) => men::stays_in_check(name(side)),
        Reason::Exposes(side) => format!("这样走会使{}被将军", man(Piece::new(side, Kind::King))),
        Reason::NoSuchMan(piece) => format!("棋盘上没有{}", man(piece)),
        Reason::NoneGoesSo(piece, target) => format!("{}不能这样走到 {target}", man(piece)),
        Reason::NoRight(side) => format!("{}无权在那一侧易位", name(side)),
        Reason::CastlingBlocked => "易位的路上有子阻挡".into(),
        Reason::CastlingInCheck => "王被将军时不能易位".into(),
        Reason::CastlingAttacked => "易位时王会经过或停在受攻击的格".into(),
        Reason::Becomes(mv) => {
            format!("兵走到 {} 须升变，写作 {mv}n、{mv}b、{mv}r 或 {mv}q", mv.target())
        }
        Reason::BecomesThere(target) => {
            format!("兵走到 {target} 须升变，写作 {target}=N、=B、=R 或 =Q")
        }
        Reason::NoPromotion(target) => format!("走到 {target} 不能升变"),
    }
}

/// How a game ended.
pub(crate) fn verdict(position: &impl Board, verdict: &Verdict<Cause>) -> String {
    let side = position.side();
    match verdict.cause {
        Cause::Checkmate => format!("{}被将死，{}胜", name(side), name(!side)),
        Cause::Stalemate => format!("{}无子可动且未被将军：逼和", name(side)),
        Cause::Material => "双方都没有足以将死的子力，和棋".into(),
        Cause::Threefold => "局面第三次出现，和棋".into(),
        Cause::Fivefold => "局面第五次出现，和棋".into(),
        Cause::FiftyMoves => "五十回合未吃子、未动兵，和棋".into(),
        Cause::SeventyFiveMoves => "七十五回合未吃子、未动兵，和棋".into(),
    }
}
