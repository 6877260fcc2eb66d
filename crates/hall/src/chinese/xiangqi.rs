//! Xiangqi in Chinese.

use alfil_kernel::{Outcome, Side, Verdict};
use alfil_xiangqi::fen::Expected;
use alfil_xiangqi::notation::{NotationError, Reason};
use alfil_xiangqi::setup::Complaint;
use alfil_xiangqi::{Board, Cause, Kind, Piece};

use super::{men, squares};
use crate::look::chinese as names;

/// The players.
pub(crate) const SIDES: [&str; 2] = names::XIANGQI.sides;

fn name(side: Side) -> &'static str {
    SIDES[side.index()]
}

/// A man with its colour.
pub(crate) fn man(piece: Piece) -> String {
    names::XIANGQI.man(piece.letter()).to_owned()
}

/// A man by its own name, which stands behind its colour.
fn kind(piece: Piece) -> &'static str {
    let man = names::XIANGQI.man(piece.letter());
    man.char_indices().nth(1).map_or(man, |(at, _)| &man[at..])
}

/// What is wrong with a position.
pub(crate) fn complaint(complaint: &Complaint) -> String {
    let general = |side: Side| kind(Piece::new(side, Kind::King));
    match complaint {
        Complaint::ImpossiblePoint(piece, square) => format!("{}不可能走到 {square}", man(*piece)),
        Complaint::GeneralsFacing(red, black) => format!("{red} 的帅与 {black} 的将照面，中间无子"),
        Complaint::OpponentInCheck(side, from) => {
            format!("{}正被 {} 的子将军，却不轮到它走", name(*side), squares(from))
        }
        Complaint::GeneralMissing(side) => format!("{}没有{}", name(*side), general(*side)),
        Complaint::GeneralDoubled(side, at) => {
            format!("{}有 {} 个{}：{}", name(*side), at.len(), general(*side), squares(at))
        }
        Complaint::GeneralOutside(side, at) => {
            format!("{at} 的{}不在九宫之内", man(Piece::new(*side, Kind::King)))
        }
        Complaint::TooMany(piece, at) => {
            let most = piece.kind().most();
            format!("{}有 {} 个（{}），一副棋只有 {most} 个", man(*piece), at.len(), squares(at))
        }
    }
}

/// What should stand in a position text.
pub(crate) fn expected(expected: Expected) -> &'static str {
    match expected {
        Expected::Placement => "十行棋子与数字",
        Expected::More => "更多的点，每行九点",
        Expected::Fewer => "更少的点，每行九点",
        Expected::NoRank => "布局的结尾，一共十行",
        Expected::Ranks => "“/”与下一行，一共十行",
        Expected::RankEnd => "“/”或轮走方，每行九点",
        Expected::Man => "棋子（k a b n r c p，或 e、h）、数字 1 至 9 或“/”",
        Expected::Side => "轮走方：红方 w 或 r，黑方 b",
        Expected::Number => "小于 4294967296 的整数",
        Expected::End => "文本结尾，回合数之后没有别的内容",
    }
}

/// A move that cannot be read or played.
pub(crate) fn refused(error: &NotationError) -> String {
    super::notation(error, &names::XIANGQI, |&why| reason(why))
}

/// Why a move may not be played.
pub(crate) fn reason(reason: Reason) -> String {
    let meant = |side, wanted: Option<Kind>| wanted.map_or("子", |wanted| kind(Piece::new(side, wanted)));
    match reason {
        Reason::NoMan(origin) => men::none(origin),
        Reason::NotItsTurn(piece, origin) => men::not_its_turn(&man(piece), origin, name(!piece.side())),
        Reason::OwnMan(side, target) => men::own(name(side), target),
        Reason::CannotGo(piece, origin, target) => men::cannot_go(&man(piece), origin, target),
        Reason::StaysInCheck(side) => men::stays_in_check(name(side)),
        Reason::Exposes(side) => {
            format!("这样走是送将，{}会被吃", man(Piece::new(side, Kind::King)))
        }
        Reason::NoSuchMan(side, kind, file) => {
            format!("{}{}没有{}", name(side), path(side, file), meant(side, kind))
        }
        Reason::CannotGoSo(side, kind, file) => {
            format!("{}{}的{}不能这样走", name(side), path(side, file), meant(side, kind))
        }
        Reason::NoneGoesSo(side, kind, file) => {
            format!("{}{}没有能这样走的{}", name(side), path(side, file), meant(side, kind))
        }
    }
}

/// A file as its side counts it: Red in Chinese figures, Black in others.
fn path(side: Side, file: Option<usize>) -> String {
    let Some(file) = file else { return String::new() };
    match "一二三四五六七八九".chars().nth(file.wrapping_sub(1)) {
        Some(figure) if side == Side::First => format!("{figure}路"),
        _ => format!(" {file} 路"),
    }
}

/// How a game ended.
pub(crate) fn verdict(position: &impl Board, verdict: &Verdict<Cause>) -> String {
    match (verdict.cause, verdict.outcome) {
        (Cause::NoLegalMove, _) => {
            let (loser, winner) = (name(position.side()), name(!position.side()));
            if position.in_check() {
                format!("{loser}被将死，{winner}胜")
            } else {
                format!("{loser}无子可动（困毙判负），{winner}胜")
            }
        }
        (Cause::PerpetualCheck, Outcome::Win(winner)) => {
            format!("{}长将判负，{}胜", name(!winner), name(winner))
        }
        (Cause::PerpetualChase, Outcome::Win(winner)) => {
            format!("{}长捉判负，{}胜", name(!winner), name(winner))
        }
        (Cause::Prohibited, Outcome::Win(winner)) => {
            format!("{}每着都是将、杀或捉，判负，{}胜", name(!winner), name(winner))
        }
        (Cause::PerpetualCheck | Cause::PerpetualChase | Cause::Prohibited | Cause::Mutual, _) => {
            "双方长将或双方长捉，和棋".into()
        }
        (Cause::Repetition, _) => "局面重复，双方均未犯规，和棋".into(),
        (Cause::NaturalLimit, _) => "长久没有吃子（自然限着），和棋".into(),
        (Cause::Material, _) => "双方都没有足以取胜的子力，和棋".into(),
    }
}
