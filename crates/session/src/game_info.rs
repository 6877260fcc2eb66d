//! The description of a game as plain data. No part has a default: a game without one does not compile.

use alfil_kernel::Side;
use alfil_search::SearchParams;

use crate::accuracy::AccuracyFormula;
use crate::appearance::Appearance;
use crate::appearance::chinese::ChineseNames;
use crate::game_phase::PhaseRules;

/// The description of a game.
#[derive(Debug)]
pub struct GameInfo {
    /// The board and pieces, with the names of the game.
    pub appearance: &'static Appearance,
    /// The side that protocols write as `w` and whose win is 1-0: White, or Red.
    pub white: Side,
    /// The Chinese names.
    pub names_zh: &'static ChineseNames,
    /// Pictograms of the pieces by the letter of the first side, as an alternative to characters; empty where the
    /// normal appearance is a picture or disc.
    pub pictograms: &'static [(char, &'static str)],
    /// The text across the middle of the board as outlines, for pages without a font for it.
    pub legend_outlines: &'static [&'static str],
    /// The Elo of each skill level from 2 on above the level below (docs/inside/strength.md).
    pub level_steps: [u32; 9],
    /// The probability of a win by score between two engines like this one, fitted to self-play games
    /// (docs/inside/strength.md).
    pub wdl_curve: WdlCurve,
    /// The curve by which the review of a game judges moves (docs/inside/review.md). In xiangqi and
    /// chess it is flatter than [`Self::wdl_curve`], because players do not win every game that an engine would win.
    pub review_curve: WdlCurve,
    /// The constants of the accuracy of a game's sides (docs/inside/review.md).
    pub accuracy: AccuracyFormula,
    /// The values of the pieces by the letter of the first side, in hundredths of the least valuable piece: the most
    /// valuable first, the least valuable last, without kings. Empty in games whose pieces have no values.
    pub piece_values: &'static [(char, i32)],
    /// How the game divides into phases.
    pub phases: PhaseRules,
    /// The usual handicaps, the smallest first.
    pub handicaps: &'static [Handicap],
    /// The start positions that have numbers; `None` if there is only one start position.
    pub numbered_starts: Option<NumberedStarts>,
    /// The unit in which players count the length of a game.
    pub length_unit: LengthUnit,
    /// Returns the final score of a game that is won by counting pieces; `None` in other games.
    pub final_score: Option<FinalScoreFn>,
    /// The defaults of generated openings.
    pub openings: OpeningDefaults,
    /// The parameters of the search.
    pub search_params: SearchParams,
    /// The rulesets that rule on a game, the one for play between people first; empty if there is only one.
    pub rulesets: &'static [RulesetInfo],
    /// Whether the solver solves endings of the game.
    pub has_solver: bool,
    /// Whether the game has an opening book.
    pub has_opening_book: bool,
    /// The first bytes of the files that can evaluate the game: networks, or the patterns of Othello; `None` if the
    /// game has only hand-made terms.
    pub network_magic: Option<[u8; 8]>,
    /// The file of the built-in network; `None` if the game is evaluated by hand-made terms.
    pub built_in_network: Option<&'static [u8]>,
    /// The names of the game in the engine protocols.
    pub protocol_names: ProtocolNames,
}

impl GameInfo {
    /// Returns the name of the game on the command line.
    pub fn name(&self) -> &'static str {
        self.appearance.game
    }

    /// Returns the ruleset of that name.
    pub fn ruleset(&self, name: &str) -> Option<&'static RulesetInfo> {
        self.rulesets.iter().find(|ruleset| ruleset.name == name)
    }
}

/// A start position that gives one side an advantage.
#[derive(Clone, Copy, Debug)]
pub struct Handicap {
    /// Which side gives what, in English.
    pub title: &'static str,
    /// The same in Chinese.
    pub title_zh: &'static str,
    /// The text of the position.
    pub start: &'static str,
    /// The names of its issues, which are waived.
    pub waive: &'static [&'static str],
}

/// Start positions that are chosen by a number.
#[derive(Clone, Copy, Debug)]
pub struct NumberedStarts {
    /// Their name in English.
    pub title: &'static str,
    /// Their name in Chinese.
    pub title_zh: &'static str,
    /// Their number: they are numbered from 0 on.
    pub count: usize,
    /// Returns the text of the position with a number; `None` from `count` on.
    pub start: fn(usize) -> Option<String>,
}

/// The unit in which players count the length of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// A move of each side is one: the length of a game of 59 plies is 30 moves.
    FullMoves,
    /// Each move of a side is one, and a pass is none: the length of a game that fills the board of Othello is 60
    /// moves.
    Plies {
        /// A pass in the default dialect.
        pass: &'static str,
    },
}

impl LengthUnit {
    /// Returns whether a move, in the default dialect, is a pass, which is no choice.
    pub fn is_pass(self, text: &str) -> bool {
        matches!(self, LengthUnit::Plies { pass } if pass == text)
    }

    /// Returns the name in data.
    pub const fn name(self) -> &'static str {
        match self {
            LengthUnit::FullMoves => "full_moves",
            LengthUnit::Plies { .. } => "plies",
        }
    }
}

/// Returns the discs or pieces of both sides that decide a game, given the pieces of a position as in its text; `None`
/// if the game goes on in this position.
pub type FinalScoreFn = fn(&str) -> Option<[usize; 2]>;

/// A ruleset of a game.
#[derive(Clone, Copy, Debug)]
pub struct RulesetInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// The title in English.
    pub title: &'static str,
    /// The title in Chinese.
    pub title_zh: &'static str,
}

/// A logistic curve over the score. Its centre and width change linearly with the ply, from the first ply to `plies`,
/// and are constant after that.
#[derive(Clone, Copy, Debug)]
pub struct WdlCurve {
    /// The score that wins half of the games, in centipawns: at the first ply, and the change until the last.
    pub even_cp: [f64; 2],
    /// The score difference that multiplies the odds of a win by e, in centipawns: at the first ply, and the change
    /// until the last.
    pub spread_cp: [f64; 2],
    /// The last ply of the change.
    pub plies: f64,
}

/// The defaults of generated openings: with enough plies that they differ, and few enough that they are playable.
#[derive(Clone, Copy, Debug)]
pub struct OpeningDefaults {
    /// The number of random plies.
    pub plies: usize,
    /// The maximum score of either side, in centipawns (Othello: hundredths of a disc).
    pub max_imbalance_cp: i32,
}

/// The names of a game in the engine protocols.
#[derive(Clone, Copy, Debug)]
pub struct ProtocolNames {
    /// The values of `UCI_Variant` for this engine.
    pub uci: &'static [&'static str],
    /// The CECP variants for this engine.
    pub cecp: &'static [&'static str],
    /// The protocols of external engines for the game.
    pub client_protocols: &'static [&'static str],
    /// The values of `UCI_Variant` to try with an external engine, the preferred first.
    pub client_uci: &'static [&'static str],
    /// The CECP variants to try with an external engine, the preferred first.
    pub client_cecp: &'static [&'static str],
}
