//! The TypeScript types of values that the messages have as numbers and texts.

use std::path::PathBuf;

use alfil_session::game_info::LengthUnit as SessionLengthUnit;
use alfil_session::game_phase::GamePhase as SessionGamePhase;
use alfil_session::played_game::{EditKind as SessionEditKind, MoveMark, WaitReason as SessionWaitReason};
use alfil_session::review::Judgement as SessionJudgement;
use alfil_session::tactical_marks::MarkKind;
use ts_rs::{Config, TS};

/// Makes types that stand for unions of values in TypeScript.
macro_rules! unions {
    ($($(#[doc = $doc:literal])* $name:ident: $values:expr;)*) => {
        $(
            $(#[doc = $doc])*
            pub(super) struct $name;

            impl TS for $name {
                type WithoutGenerics = Self;
                type OptionInnerType = Self;

                fn docs() -> Option<String> {
                    Some(concat!("/**\n", $(" *", $doc, "\n",)* " */\n").to_owned())
                }

                fn name(_: &Config) -> String {
                    stringify!($name).to_owned()
                }

                fn inline(_: &Config) -> String {
                    $values.map(|value| value.to_string()).join(" | ")
                }

                fn decl(cfg: &Config) -> String {
                    format!("type {} = {};", Self::name(cfg), Self::inline(cfg))
                }

                fn output_path() -> Option<PathBuf> {
                    Some(PathBuf::new())
                }
            }
        )*
    };
}

unions! {
    /// A side: 0 for the first, 1 for the second.
    Side: [0, 1];
    /// The reason why no move is expected.
    WaitReason: SessionWaitReason::ALL.map(|reason| quoted(reason.name()));
    /// The sound of a move.
    Sound: ["move", "capture", "check", "end"].map(quoted);
    /// The class of a move in a repetition.
    MoveClass: ["check", "kill", "chase", "exchange", "offer", "follow", "block", "idle"].map(quoted);
    /// What a ruleset is known from.
    Evidence: ["text", "diagrams", "measured"].map(quoted);
    /// A phase of a game.
    GamePhase: SessionGamePhase::ALL.map(|phase| quoted(phase.name()));
    /// The unit in which players count the length of a game.
    LengthUnit: [SessionLengthUnit::FullMoves, SessionLengthUnit::Plies { pass: "" }].map(|unit| quoted(unit.name()));
    /// The kind of a tactical mark. A `guard` is a piece that protects another one, `free` a square to which a side
    /// can move.
    TacticalMarkKind: [
        MarkKind::Blocked,
        MarkKind::Screen,
        MarkKind::Attack,
        MarkKind::Protection,
        MarkKind::Pin,
        MarkKind::Stable,
        MarkKind::Mobility,
    ]
    .map(|kind| quoted(kind.name()));
    /// The kind of an edit. `marks` are the annotation marks of a move; a `promotion` puts a variation before the
    /// others.
    EditKind: SessionEditKind::ALL.map(|kind| quoted(kind.name()));
    /// The mark of a move that loses.
    Judgement: SessionJudgement::ALL.map(|judgement| quoted(judgement.name()));
    /// The mark of a move in a review.
    ReviewMark: [
        MoveMark::Loss(SessionJudgement::Inaccuracy),
        MoveMark::Loss(SessionJudgement::Mistake),
        MoveMark::Loss(SessionJudgement::Blunder),
        MoveMark::OnlyMove,
    ]
    .map(|mark| quoted(mark.name()));
}

/// Returns a text as TypeScript has it.
fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
