//! The sentences of a ruling, in English and in Chinese.

use alfil_kernel::{Outcome, Side};
use alfil_xiangqi::rules::{CaptureReason, Dispute, MoveClass};
use alfil_xiangqi::{Cause, Piece, RulesetName};

use super::chinese;

/// The sentences of a language. The placeholders `{}` are filled from left to right.
pub(super) struct Messages {
    pub(super) piece_name: fn(Piece) -> String,
    pub(super) side_names: [&'static str; 2],
    /// The name of a ruleset within a sentence.
    pub(super) ruleset_name: fn(RulesetName) -> &'static str,
    pub(super) ordinal: fn(usize) -> String,
    pub(super) verdict_label: fn(Option<Outcome>) -> &'static str,
    pub(super) cause_label: fn(Option<Cause>) -> &'static str,
    /// The outcome as a clause.
    pub(super) outcome_phrase: fn(Outcome) -> &'static str,
    /// The verdict and its cause in one line.
    pub(super) heading: fn(Option<Outcome>, Option<Cause>) -> String,
    pub(super) judged_by_occurrence: &'static str,
    pub(super) judged_by_rounds: &'static str,
    pub(super) ply_sentence: &'static str,
    pub(super) move_class_phrase: fn(MoveClass) -> &'static str,
    /// What is said of a move instead, where only perpetual check is forbidden.
    pub(super) no_check: &'static str,
    pub(super) attack_phrase: &'static str,
    pub(super) capture_reason_phrase: fn(CaptureReason) -> &'static str,
    pub(super) clause_separator: &'static str,
    pub(super) list_separator: &'static str,
    pub(super) game_continues: &'static str,
    pub(super) judged_later: &'static str,
    pub(super) refused_moves: &'static str,
    pub(super) cause_sentence: fn(Cause) -> &'static str,
    pub(super) worse_offence: &'static str,
    pub(super) chases_excused: &'static str,
    /// The draw by repetition where only perpetual check is forbidden.
    pub(super) chases_allowed: &'static str,
    /// The draw by repetition where a side chases several pieces by several of its own, which is allowed.
    pub(super) several_chases_allowed: &'static str,
    /// The draw of two sides that both give check, where only that is forbidden.
    pub(super) mutual_check: &'static str,
    /// The citation of an article at the end of a sentence.
    pub(super) citation: fn(RulesetName) -> &'static str,
    pub(super) full_stop: &'static str,
    pub(super) alternatives_note: &'static str,
    pub(super) disputed_note: &'static str,
    pub(super) chased_piece: &'static str,
    pub(super) reading_note: fn(RulesetName) -> &'static str,
    pub(super) dispute_note: fn(Dispute) -> &'static str,
    pub(super) own_reading_note: &'static str,
}

pub(super) static ENGLISH: Messages = Messages {
    piece_name: |piece| {
        let side = ["Red", "Black"][piece.side().index()];
        format!("{side} {}", piece.kind().name())
    },
    side_names: ["Red", "Black"],
    ruleset_name: |name| match name {
        RulesetName::Computer => "the rule between engines",
        RulesetName::Axf => "the rules of the Asian Xiangqi Federation",
        RulesetName::Wxf2018 => "the rules of the World Xiangqi Federation, 2018",
        RulesetName::Cxa2020 => "the rules of the Chinese Xiangqi Association, 2020",
        RulesetName::ElephantEye => "the rules of ElephantEye",
        RulesetName::XqwLight => "the rules of XQWLight",
        RulesetName::Tiantian => "the rules of Tiantian Xiangqi, as the project lixiangqi quotes them",
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
    verdict_label: |outcome| match outcome {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(Side::Second)) => "red_loses",
        Some(Outcome::Win(Side::First)) => "black_loses",
    },
    cause_label: |cause| match cause {
        None => "none",
        Some(Cause::NoLegalMove) => "no_legal_move",
        Some(Cause::PerpetualCheck) => "perpetual_check",
        Some(Cause::PerpetualChase) => "perpetual_chase",
        Some(Cause::Prohibited) => "prohibited",
        Some(Cause::MutualOffence) => "mutual",
        Some(Cause::Repetition) => "repetition",
        Some(Cause::NaturalLimit) => "natural_limit",
        Some(Cause::Material) => "material",
        Some(Cause::OnlyRefusedMoves) => "only_refused_moves",
        Some(Cause::GameLength) => "game_length",
    },
    outcome_phrase: |outcome| match outcome {
        Outcome::Draw => "a draw",
        Outcome::Win(Side::Second) => "Red loses",
        Outcome::Win(Side::First) => "Black loses",
    },
    heading: |outcome, cause| {
        let verdict = match outcome {
            None => "The game continues",
            Some(Outcome::Draw) => "A draw",
            Some(outcome) => (ENGLISH.outcome_phrase)(outcome),
        };
        let cause = cause.map(|cause| format!(" ({})", cause.to_string().replace('_', " ")));
        verdict.to_owned() + &cause.unwrap_or_default()
    },
    judged_by_occurrence: "The position occurs for the {} time; plies {} to {} are judged by {}.",
    judged_by_rounds: "One piece attacked with every move for {} rounds; plies {} to {} are judged by {}.",
    ply_sentence: "Ply {}, {} {}: {}.",
    move_class_phrase: |class| match class {
        MoveClass::Check => "gives check",
        MoveClass::Kill => "threatens mate",
        MoveClass::Exchange => "idle, it offers to exchange",
        MoveClass::Offer => "idle, it offers a piece",
        MoveClass::Follow => "idle, it follows a protected piece",
        MoveClass::Block => "idle, it blocks a line",
        MoveClass::Chase | MoveClass::Idle => "idle, nothing is newly attacked",
    },
    no_check: "gives no check",
    attack_phrase: "{} {} newly attacks{} {} {}",
    capture_reason_phrase: |reason| match reason {
        CaptureReason::Unprotected => " the unprotected",
        CaptureReason::HigherValue => " the more valuable",
        CaptureReason::HorsePinned => " the horse-pinned",
        CaptureReason::Underprotected => " the insufficiently protected",
        CaptureReason::Indirect => ", by a series of checks or captures, the",
    },
    clause_separator: "; ",
    list_separator: ", ",
    game_continues: "The game continues under {}.",
    judged_later: "The position occurs for the {} time; this ruleset judges a repetition at the {}.",
    refused_moves: "Refused now: {} ({}).",
    cause_sentence: |cause| match cause {
        Cause::NoLegalMove => "{} has no legal move and loses",
        Cause::PerpetualCheck => "Every move of {} gives check: {} loses by perpetual check",
        Cause::PerpetualChase => "Every move of {} chases the same piece: {} loses by perpetual chase",
        Cause::Prohibited => "Every move of {} checks, threatens mate or chases: {} loses",
        Cause::MutualOffence => {
            "Both sides make forbidden moves throughout (check or chase with every move): a draw"
        }
        Cause::Repetition => "Neither side checks or chases one piece with every move: a draw",
        Cause::NaturalLimit => "Too many moves were made without a capture: a draw",
        Cause::Material => "Neither side has enough material to win: a draw",
        Cause::OnlyRefusedMoves => "The ruleset refuses every move of {}: {} loses",
        Cause::GameLength => "The game has too many moves: a draw",
    },
    worse_offence: "Both sides check, threaten mate or chase with every move, and {} threatens the greater gain: {} loses",
    chases_excused: "A check inside the repetition excuses all chases, and neither side checks with every move: a draw",
    chases_allowed: "These rules forbid only perpetual check, and neither side checks with every move: a draw",
    several_chases_allowed: "Several pieces may chase several pieces, and neither side checks or chases otherwise with every move: a draw",
    mutual_check: "Both sides give check with every move: a draw",
    citation: |name| match name {
        RulesetName::Axf => " (AXF {}).",
        RulesetName::Wxf2018 => " (WXF {}).",
        RulesetName::Cxa2020 => " (CXA {}).",
        RulesetName::Computer | RulesetName::ElephantEye | RulesetName::XqwLight | RulesetName::Tiantian => {
            " (as AXF {})."
        }
    },
    full_stop: ".",
    alternatives_note: "instead: {}",
    disputed_note: "disputed: {} ({})",
    chased_piece: "The piece that {} chased throughout is now the {} {}.",
    reading_note: |name| match name {
        RulesetName::Computer => {
            "a check inside the repetition excuses all chases, and a second attacker of the same piece is no new chase"
        }
        RulesetName::Axf
        | RulesetName::Wxf2018
        | RulesetName::Cxa2020
        | RulesetName::ElephantEye
        | RulesetName::XqwLight
        | RulesetName::Tiantian => {
            "a checking move may chase too, a second attacker is a new chase, and a rook pinned by a horse may not be chased"
        }
    },
    dispute_note: |dispute| match dispute {
        Dispute::HorsePinnedAttacker => {
            "the chased rook chases too, and a mutual chase is a draw even if the rook is pinned"
        }
        Dispute::MutualPin => "a protector that only the facing kings pin after the capture still protects",
        Dispute::SeveralAttackers => {
            "AXF 32 allows several pieces to chase several; some programs let their side lose"
        }
        Dispute::DiscoveredAttack => "a discovered attack of an advisor or an elephant is no chase",
        Dispute::OverKing => "a cannon that attacks over the opponent's king does not chase",
        Dispute::CheckedSoldier => {
            "the side that answers the checks loses if only a soldier is chased between them: a published list without an article"
        }
        Dispute::CounterattackingRook => {
            "AXF 15 forbids cannons to chase a rook even if it attacks them in return; some call it a draw"
        }
        Dispute::EvenCaptures => "captures with an even result are an exchange (24) and no chase (26.5)",
        Dispute::InterposedChecks => {
            "checks that could be interposed do not belong to the captures that are played out (26.5)"
        }
        Dispute::TradingKill => {
            "a check that captures a piece like for like is an offer to exchange (24) and no part of a kill (24)"
        }
        Dispute::PinnedProtectors => "a piece with pinned protectors is unprotected (26.9.1)",
        Dispute::EscapesRenewAttacks => {
            "a piece that escapes makes the attacks again that its danger had suspended (24)"
        }
        Dispute::WinningExchange => {
            "a trade after which something else can be captured is an exchange (24) and no chase (26.5)"
        }
        Dispute::KingsCaptureElsewhere => {
            "what a king or a soldier could capture elsewhere after a trade belongs to the sequence (26.5)"
        }
        Dispute::OffersTakePart => {
            "a piece that offers to exchange itself takes part in the captures of other pieces (26.5)"
        }
    },
    own_reading_note: "the reading of this ruleset",
};

pub(super) static CHINESE: Messages = Messages {
    piece_name: chinese::piece_name,
    side_names: chinese::SIDE_NAMES,
    ruleset_name: |name| match name {
        RulesetName::Computer => "电脑规则",
        RulesetName::Axf => "亚洲象棋联合会规则",
        RulesetName::Wxf2018 => "世界象棋联合会规则（2018）",
        RulesetName::Cxa2020 => "中国象棋协会竞赛规则（2020）",
        RulesetName::ElephantEye => "象眼规则",
        RulesetName::XqwLight => "象棋小巫师规则",
        RulesetName::Tiantian => "天天象棋规则（转述）",
    },
    ordinal: |number| number.to_string(),
    verdict_label: |outcome| match outcome {
        None => "未判",
        Some(Outcome::Draw) => "判和",
        Some(Outcome::Win(Side::Second)) => "红方判负",
        Some(Outcome::Win(Side::First)) => "黑方判负",
    },
    cause_label: |cause| match cause {
        None => "对局继续",
        Some(Cause::NoLegalMove) => "无子可走",
        Some(Cause::PerpetualCheck) => "长将",
        Some(Cause::PerpetualChase) => "长捉",
        Some(Cause::Prohibited) => "禁止着法",
        Some(Cause::MutualOffence) => "双方违例",
        Some(Cause::Repetition) => "循环反复",
        Some(Cause::NaturalLimit) => "自然限着",
        Some(Cause::Material) => "子力不足",
        Some(Cause::OnlyRefusedMoves) => "着法均被禁止",
        Some(Cause::GameLength) => "着数已满",
    },
    outcome_phrase: |outcome| (CHINESE.verdict_label)(Some(outcome)),
    heading: |outcome, cause| {
        format!("{}（{}）", (CHINESE.verdict_label)(outcome), (CHINESE.cause_label)(cause))
    },
    judged_by_occurrence: "局面第{}次出现；第{}至第{}步按{}裁决。",
    judged_by_rounds: "一子连续{}回合每步都是将、杀或捉；第{}至第{}步按{}裁决。",
    ply_sentence: "第{}步，{}{}：{}。",
    move_class_phrase: |class| match class {
        MoveClass::Check => "将军",
        MoveClass::Kill => "杀，企图连将成杀",
        MoveClass::Exchange => "兑，按闲着论",
        MoveClass::Offer => "献，按闲着论",
        MoveClass::Follow => "跟，按闲着论",
        MoveClass::Block => "拦，按闲着论",
        MoveClass::Chase | MoveClass::Idle => "闲着，没有新的捉子",
    },
    no_check: "没有将军",
    attack_phrase: "{}{}新捉{}{}{}",
    capture_reason_phrase: |root| match root {
        CaptureReason::Unprotected => "无根的",
        CaptureReason::HigherValue => "价值更高的",
        CaptureReason::HorsePinned => "不能离开的",
        CaptureReason::Underprotected => "少根的",
        CaptureReason::Indirect => "连将或连吃可得的",
    },
    clause_separator: "；",
    list_separator: "、",
    game_continues: "按{}，对局继续。",
    judged_later: "局面第{}次出现；本规则在第{}次出现时裁决。",
    refused_moves: "现在不可走：{}（{}）。",
    cause_sentence: |cause| match cause {
        Cause::NoLegalMove => "{}无子可走，判负",
        Cause::PerpetualCheck => "{}每步都将军：{}长将判负",
        Cause::PerpetualChase => "{}每步都捉同一子：{}长捉判负",
        Cause::Prohibited => "{}每步都是将、杀或捉：{}判负",
        Cause::MutualOffence => "双方均为禁止着法（长将、长捉等）：判和",
        Cause::Repetition => "双方都没有每步将军或每步捉同一子：判和",
        Cause::NaturalLimit => "长时间没有吃子：判和",
        Cause::Material => "双方都没有足以取胜的子力：判和",
        Cause::OnlyRefusedMoves => "{}的着法均被规则禁止：{}判负",
        Cause::GameLength => "着数已满：判和",
    },
    worse_offence: "双方每步都是将、杀或捉，{}所犯较重：{}判负",
    chases_excused: "循环中有将军，捉子不论，双方又都不是每步将军：判和",
    chases_allowed: "本规则只禁止长将，双方都没有每步将军：判和",
    several_chases_allowed: "多子可捉多子，双方又都没有每步将军或另行长捉：判和",
    mutual_check: "双方都是长将：判和",
    citation: |name| match name {
        RulesetName::Axf => "（亚洲规则第{}条）。",
        RulesetName::Wxf2018 => "（世界规则{}）。",
        RulesetName::Cxa2020 => "（中国规则{}）。",
        RulesetName::Computer | RulesetName::ElephantEye | RulesetName::XqwLight | RulesetName::Tiantian => {
            "（同亚洲规则第{}条）。"
        }
    },
    full_stop: "。",
    alternatives_note: "可改走：{}",
    disputed_note: "有争议：{}，理由：{}",
    chased_piece: "{}一直捉的是现在的{}{}。",
    reading_note: |name| match name {
        RulesetName::Computer => "循环中有将军则一切捉不算，另一子来捉同一子不算新捉",
        RulesetName::Axf
        | RulesetName::Wxf2018
        | RulesetName::Cxa2020
        | RulesetName::ElephantEye
        | RulesetName::XqwLight
        | RulesetName::Tiantian => "将军的一步也可以是捉，另一子来捉算新捉，被马牵制的车不可长捉",
    },
    dispute_note: |dispute| match dispute {
        Dispute::HorsePinnedAttacker => "被捉的车自己也在捉子，双方长捉判和，不论是否被牵制",
        Dispute::MutualPin => "仅在吃子后才被两将照面牵制的保护仍算真根",
        Dispute::SeveralAttackers => "亚洲规则第32条允许数子分捉数子，有的程序判捉方负",
        Dispute::DiscoveredAttack => "他子走开而露出的士、象之捉不算捉",
        Dispute::OverKing => "炮以对方将帅为炮架的捉不算捉",
        Dispute::CheckedSoldier => "将军之间只捉兵卒时，应将一方判负（有一份公开局例如此裁决，未说明条文）",
        Dispute::CounterattackingRook => "车虽反捉，炮仍不可长捉车（亚洲规则第15条）；也有判和的",
        Dispute::EvenCaptures => "子力相等的连续互吃算兑（24），不算捉（26.5）",
        Dispute::InterposedChecks => "连续互吃中不计对方可插入的将军（26.5）",
        Dispute::TradingKill => "以同类子互吃的将军算兑（24），不算杀（24）",
        Dispute::PinnedProtectors => "保护子被牵制即为无根（26.9.1）",
        Dispute::EscapesRenewAttacks => "逃子使先前被牵制的捉重新成立（24），算捉",
        Dispute::WinningExchange => "兑子后另可得子仍算兑（24），不算捉（26.5）",
        Dispute::KingsCaptureElsewhere => "兑子后帅（将）、兵（卒）另吃之子计入连续互吃（26.5）",
        Dispute::OffersTakePart => "邀兑之子参与其他子的捉（26.5）",
    },
    own_reading_note: "本规则的裁法",
};

/// Fills arguments into the placeholders of a sentence.
pub(super) fn fill_placeholders(sentence: &str, arguments: &[&str]) -> String {
    arguments.iter().fold(sentence.to_owned(), |sentence, argument| sentence.replacen("{}", argument, 1))
}

/// Returns the articles that a ruling rests on, where the text of the ruleset is known; a ruleset without articles
/// cites the ones that it follows. If both sides offend, the article depends on whether they only check and whether one
/// of them loses.
pub(super) fn cited_articles(
    ruleset: RulesetName,
    cause: Cause,
    is_mutual: bool,
    only_checks: bool,
    several_chase_several: bool,
) -> &'static [&'static str] {
    match ruleset {
        RulesetName::Cxa2020 => match cause {
            Cause::PerpetualCheck => &["25.1"],
            Cause::Prohibited if is_mutual => &["26.9"],
            Cause::Prohibited => &["24.13", "25.3"],
            Cause::MutualOffence => &["26.9.4"],
            Cause::Repetition => &["25.2"],
            _ => &[],
        },
        RulesetName::Wxf2018 => match cause {
            Cause::PerpetualCheck => &["20.1"],
            Cause::PerpetualChase => &["20.3"],
            Cause::MutualOffence if only_checks => &["20.1"],
            Cause::MutualOffence => &["20.4", "20.5"],
            _ => &[],
        },
        // The text of the app is not archived, and has no numbered articles.
        RulesetName::Tiantian => &[],
        RulesetName::Axf | RulesetName::Computer | RulesetName::ElephantEye | RulesetName::XqwLight => {
            match cause {
                Cause::PerpetualCheck => &["6"],
                Cause::PerpetualChase => &["32"],
                Cause::MutualOffence if only_checks => &["7"],
                Cause::Repetition if several_chase_several => &["32"],
                _ => &[],
            }
        }
    }
}
