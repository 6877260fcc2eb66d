//! The words of a ruling, in English and in Chinese.

use alfil_kernel::{Outcome, Side};
use alfil_xiangqi::laws::{Dispute, Nature, Root};
use alfil_xiangqi::{Cause, Piece};

use crate::chinese::xiangqi as chinese;

/// The words of a language. `{}` are filled in from left to right.
pub(super) struct Tongue {
    pub(super) man: fn(Piece) -> String,
    pub(super) sides: [&'static str; 2],
    /// How a list of books names this one.
    pub(super) title: fn(&str) -> &'static str,
    /// The same within a sentence.
    pub(super) book: fn(&str) -> &'static str,
    pub(super) ordinal: fn(usize) -> String,
    pub(super) verdict: fn(Option<Outcome>) -> &'static str,
    pub(super) cause_word: fn(Option<Cause>) -> &'static str,
    /// How people say that the game has ended.
    pub(super) outcome: fn(Outcome) -> &'static str,
    /// The verdict and its cause, in a line for people.
    pub(super) heading: fn(Option<Outcome>, Option<Cause>) -> String,
    pub(super) stands: &'static str,
    pub(super) rounds: &'static str,
    pub(super) ply: &'static str,
    pub(super) deed: fn(Nature) -> &'static str,
    pub(super) attacks: &'static str,
    pub(super) root: fn(Root) -> &'static str,
    pub(super) and: &'static str,
    pub(super) comma: &'static str,
    pub(super) goes_on: &'static str,
    pub(super) waits: &'static str,
    pub(super) cause: fn(Cause) -> &'static str,
    pub(super) weighed: &'static str,
    pub(super) excused: &'static str,
    /// How an article of a book is cited, at the end of a sentence.
    pub(super) source: fn(&str) -> &'static str,
    pub(super) stop: &'static str,
    pub(super) instead: &'static str,
    pub(super) disputed: &'static str,
    pub(super) chased: &'static str,
    pub(super) reading: fn(&str) -> &'static str,
    pub(super) dispute: fn(Dispute) -> &'static str,
    pub(super) as_judged: &'static str,
}

pub(super) static ENGLISH: Tongue = Tongue {
    man: |piece| {
        let side = ["Red", "Black"][piece.side().index()];
        format!("{side} {}", piece.kind().name())
    },
    sides: ["Red", "Black"],
    title: |name| match name {
        "computer" => "Computer rules",
        "axf" => "Asian rules (AXF)",
        "wxf2018" => "World rules (WXF 2018)",
        "cxa2020" => "Chinese rules (CXA 2020)",
        "elephanteye" => "ElephantEye's rules",
        _ => "XQWLight's rules",
    },
    book: |name| match name {
        "computer" => "the rule between engines",
        "axf" => "the rules of the Asian Xiangqi Federation",
        "wxf2018" => "the rules of the World Xiangqi Federation, 2018",
        "cxa2020" => "the rules of the Chinese Xiangqi Association, 2020",
        "elephanteye" => "the rules of ElephantEye",
        _ => "the rules of XQWLight",
    },
    ordinal: |number| match number {
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        11..=13 => format!("{number}th"),
        _ => match number % 10 {
            1 => format!("{number}st"),
            2 => format!("{number}nd"),
            3 => format!("{number}rd"),
            _ => format!("{number}th"),
        },
    },
    verdict: |outcome| match outcome {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(Side::Second)) => "red_loses",
        Some(Outcome::Win(Side::First)) => "black_loses",
    },
    cause_word: |cause| match cause {
        None => "none",
        Some(Cause::NoLegalMove) => "no_legal_move",
        Some(Cause::PerpetualCheck) => "perpetual_check",
        Some(Cause::PerpetualChase) => "perpetual_chase",
        Some(Cause::Prohibited) => "prohibited",
        Some(Cause::Mutual) => "mutual",
        Some(Cause::Repetition) => "repetition",
        Some(Cause::NaturalLimit) => "natural_limit",
        Some(Cause::Material) => "material",
    },
    outcome: |outcome| match outcome {
        Outcome::Draw => "a draw",
        Outcome::Win(Side::Second) => "Red loses",
        Outcome::Win(Side::First) => "Black loses",
    },
    heading: |outcome, cause| {
        let verdict = match outcome {
            None => "The game goes on",
            Some(Outcome::Draw) => "A draw",
            Some(outcome) => (ENGLISH.outcome)(outcome),
        };
        let cause = cause.map(|cause| format!(" ({})", cause.to_string().replace('_', " ")));
        verdict.to_owned() + &cause.unwrap_or_default()
    },
    stands: "The position stands for the {} time; plies {} to {} are judged by {}.",
    rounds: "For {} rounds one man attacked with every move; plies {} to {} are judged by {}.",
    ply: "Ply {}, {} {}: {}.",
    deed: |nature| match nature {
        Nature::Check => "gives check",
        Nature::Kill => "threatens mate",
        Nature::Exchange => "idle, it offers to exchange",
        Nature::Offer => "idle, it offers a man",
        Nature::Follow => "idle, it follows a protected man",
        Nature::Block => "idle, it blocks a line",
        Nature::Chase | Nature::Idle => "idle, nothing is newly attacked",
    },
    attacks: "{} {} newly attacks{} {} {}",
    root: |root| match root {
        Root::None => " the unprotected",
        Root::Greater => " the more valuable",
        Root::Held => " the rook that must stay before its general,",
        Root::Weak => " the insufficiently protected",
        Root::Lost => ", by checks or by what follows, the",
    },
    and: "; ",
    comma: ", ",
    goes_on: "The game goes on under {}.",
    waits: "The position stands for the {} time; this book judges a repetition at the {}.",
    cause: |cause| match cause {
        Cause::NoLegalMove => "{} has no legal move and loses",
        Cause::PerpetualCheck => "Every move of {} gives check: {} loses by perpetual check",
        Cause::PerpetualChase => "Every move of {} chases the same man: {} loses by perpetual chase",
        Cause::Prohibited => "Every move of {} checks, threatens mate or chases: {} loses",
        Cause::Mutual => "Both sides check with every move, or both chase: a draw",
        Cause::Repetition => "Neither side checks or chases one man with every move: a draw",
        Cause::NaturalLimit => "Too many moves were made without a capture: a draw",
        Cause::Material => "Neither side has the men to win: a draw",
    },
    weighed: "Both sides check, threaten mate or chase with every move, and what {} attacks weighs more: {} loses",
    excused: "A check inside the repetition excuses all chases, and neither side checks with every move: a draw",
    source: |name| match name {
        "axf" => " (AXF {}).",
        "wxf2018" => " (WXF {}).",
        "cxa2020" => " (CXA {}).",
        _ => " (as AXF {}).",
    },
    stop: ".",
    instead: "instead: {}",
    disputed: "disputed: {} where {}",
    chased: "The man that {} chased all the time is now the {} {}.",
    reading: |name| match name {
        "computer" => {
            "a check inside the repetition excuses all chases, and a second attacker of the same man is no new chase"
        }
        _ => {
            "a checking move may chase too, a second attacker is a new chase, and a rook held by a horse may not be chased"
        }
    },
    dispute: |dispute| match dispute {
        Dispute::HeldHunter => {
            "the chased chariot chases too, and a mutual chase is a draw whatever holds it"
        }
        Dispute::MutualPin => {
            "a protector that only the facing generals pin, once the hunter has taken, still protects"
        }
        Dispute::Several => "several men that chase several men are allowed to",
        Dispute::Uncovered => {
            "an attack of an advisor or an elephant that another man's move uncovers is no chase"
        }
        Dispute::OverGeneral => "a cannon that attacks over the other side's general does not chase",
        Dispute::CheckedSoldier => {
            "the side that answers the checks loses when only a soldier is chased between them (a published list gives no article)"
        }
        Dispute::CounteringRook => {
            "cannons may not chase a chariot although it attacks them in return (AXF 15)"
        }
    },
    as_judged: "the reading of this book",
};

pub(super) static CHINESE: Tongue = Tongue {
    man: chinese::man,
    sides: chinese::SIDES,
    title: |name| match name {
        "computer" => "电脑规则",
        "axf" => "亚洲规则（AXF）",
        "wxf2018" => "世界规则（WXF 2018）",
        "cxa2020" => "中国规则（CXA 2020）",
        "elephanteye" => "象眼规则",
        _ => "象棋小巫师规则",
    },
    book: |name| match name {
        "computer" => "电脑规则",
        "axf" => "亚洲象棋联合会规则",
        "wxf2018" => "世界象棋联合会规则（2018）",
        "cxa2020" => "中国象棋协会竞赛规则（2020）",
        "elephanteye" => "象眼规则",
        _ => "象棋小巫师规则",
    },
    ordinal: |number| number.to_string(),
    verdict: |outcome| match outcome {
        None => "未判",
        Some(Outcome::Draw) => "判和",
        Some(Outcome::Win(Side::Second)) => "红方判负",
        Some(Outcome::Win(Side::First)) => "黑方判负",
    },
    cause_word: |cause| match cause {
        None => "对局继续",
        Some(Cause::NoLegalMove) => "无子可走",
        Some(Cause::PerpetualCheck) => "长将",
        Some(Cause::PerpetualChase) => "长捉",
        Some(Cause::Prohibited) => "禁止着法",
        Some(Cause::Mutual) => "双方违例",
        Some(Cause::Repetition) => "循环反复",
        Some(Cause::NaturalLimit) => "自然限着",
        Some(Cause::Material) => "子力不足",
    },
    outcome: |outcome| (CHINESE.verdict)(Some(outcome)),
    heading: |outcome, cause| format!("{}（{}）", (CHINESE.verdict)(outcome), (CHINESE.cause_word)(cause)),
    stands: "局面第{}次出现；第{}至第{}步按{}裁决。",
    rounds: "一子连续{}回合每步都是将、杀或捉；第{}至第{}步按{}裁决。",
    ply: "第{}步，{}{}：{}。",
    deed: |nature| match nature {
        Nature::Check => "将军",
        Nature::Kill => "杀，企图连将成杀",
        Nature::Exchange => "兑，按闲着论",
        Nature::Offer => "献，按闲着论",
        Nature::Follow => "跟，按闲着论",
        Nature::Block => "拦，按闲着论",
        Nature::Chase | Nature::Idle => "闲着，没有新的捉子",
    },
    attacks: "{}{}新捉{}{}{}",
    root: |root| match root {
        Root::None => "无根的",
        Root::Greater => "价值更高的",
        Root::Held => "不能离开的",
        Root::Weak => "少根的",
        Root::Lost => "连将或连吃可得的",
    },
    and: "；",
    comma: "、",
    goes_on: "按{}，对局继续。",
    waits: "局面第{}次出现；本规则在第{}次出现时裁决。",
    cause: |cause| match cause {
        Cause::NoLegalMove => "{}无子可走，判负",
        Cause::PerpetualCheck => "{}每步都将军：{}长将判负",
        Cause::PerpetualChase => "{}每步都捉同一子：{}长捉判负",
        Cause::Prohibited => "{}每步都是将、杀或捉：{}判负",
        Cause::Mutual => "双方长将或双方长捉：判和",
        Cause::Repetition => "双方都没有每步将军或每步捉同一子：判和",
        Cause::NaturalLimit => "长时间没有吃子：判和",
        Cause::Material => "双方都没有足以取胜的子力：判和",
    },
    weighed: "双方每步都是将、杀或捉，{}所犯较重：{}判负",
    excused: "循环中有将军，捉子不论，双方又都不是每步将军：判和",
    source: |name| match name {
        "axf" => "（亚洲规则第{}条）。",
        "wxf2018" => "（世界规则{}）。",
        "cxa2020" => "（中国规则{}）。",
        _ => "（同亚洲规则第{}条）。",
    },
    stop: "。",
    instead: "可改走：{}",
    disputed: "有争议：{}，理由：{}",
    chased: "{}一直捉的是现在的{}{}。",
    reading: |name| match name {
        "computer" => "循环中有将军则一切捉不算，另一子来捉同一子不算新捉",
        _ => "将军的一步也可以是捉，另一子来捉算新捉，被马牵制的车不可长捉",
    },
    dispute: |dispute| match dispute {
        Dispute::HeldHunter => "被捉的车自己也在捉子，双方长捉判和，不论是否被牵制",
        Dispute::MutualPin => "仅在吃子后才被两将照面牵制的保护仍算真根",
        Dispute::Several => "数子分捉数子，允许",
        Dispute::Uncovered => "他子走开而露出的士、象之捉不算捉",
        Dispute::OverGeneral => "炮以对方将帅为炮架的捉不算捉",
        Dispute::CheckedSoldier => "将军之间只捉兵卒时，应将一方判负（有一份公开局例如此裁决，未说明条文）",
        Dispute::CounteringRook => "车虽反捉，炮仍不可长捉车（亚洲规则第15条）",
    },
    as_judged: "本规则的裁法",
};

/// Fills words into the places of a sentence.
pub(super) fn fill(sentence: &str, words: &[&str]) -> String {
    words.iter().fold(sentence.to_owned(), |sentence, word| sentence.replacen("{}", word, 1))
}

/// The articles of a book that a ruling rests on, where its text is known; the books that have none of their own name the one
/// they follow. What it is about differs where both sides offend: whether by checks alone, and whether one of them loses.
pub(super) fn article(book: &str, cause: Cause, both: bool, checks: bool) -> &'static [&'static str] {
    match (book, cause) {
        ("cxa2020", Cause::PerpetualCheck) => &["25.1"],
        ("cxa2020", Cause::Prohibited) if both => &["26.9"],
        ("cxa2020", Cause::Prohibited) => &["24.13", "25.3"],
        ("cxa2020", Cause::Mutual) => &["26.9.4"],
        ("cxa2020", Cause::Repetition) => &["25.2"],
        ("wxf2018", Cause::PerpetualCheck) => &["20.1"],
        ("wxf2018", Cause::PerpetualChase) => &["20.3"],
        ("wxf2018", Cause::Mutual) if checks => &["20.1"],
        ("wxf2018", Cause::Mutual) => &["20.4", "20.5"],
        (_, Cause::PerpetualCheck) => &["6"],
        (_, Cause::PerpetualChase) => &["32"],
        (_, Cause::Mutual) if checks => &["7"],
        _ => &[],
    }
}
