//! Rule books, as values: the fields in which they differ.

use super::chase::ChaseOptions;

/// How checks count towards the natural limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckCounting {
    /// Like every other move.
    All,
    /// The first ten of each side count, with their answers; later ones and their answers do not.
    FirstTen,
    /// Neither checks nor their answers count.
    Never,
}

/// What a book understands by chasing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChaseRule {
    /// Nothing: only perpetual check offends.
    NoChase,
    /// What the man that has just moved attacks (ElephantEye).
    ByMovedPiece,
    /// What a side newly threatens to take with profit.
    NewThreats(ChaseOptions),
    /// What a side newly threatens to win, searched for; and kills offend as chases do (the Chinese association).
    NewGains,
}

/// Which men are too few to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsufficientMaterial {
    /// Neither side has a man that can cross the river.
    NoCrossers,
    /// Also a lone cannon without the screens it needs, as the rule between engines has it.
    LoneCannon,
}

/// A rule book: the numbers and readings in which the books differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Its name on the command line.
    pub name: &'static str,
    /// A position that stands for this time is a repetition to be judged; less than 2 is taken as 2.
    pub occurrences: usize,
    /// A man that checks, threatens mate or chases for so many rounds in a row, on three points or more, offends even if no
    /// position came back; none if only repetitions are judged.
    pub attack_rounds: Option<usize>,
    /// So many plies without a capture are a draw; none for no limit.
    pub natural_limit_plies: Option<u32>,
    /// How checks count towards that.
    pub check_counting: CheckCounting,
    /// What a chase is.
    pub chase_rule: ChaseRule,
    /// Which men cannot win.
    pub insufficient_material: InsufficientMaterial,
}

impl Ruleset {
    /// The rule between engines: at the third occurrence a perpetual checker loses, then the chaser of one man; a check by anybody
    /// excuses all chases. 120 plies without a capture, of which the first ten checks of each side count.
    pub const COMPUTER: Ruleset = Ruleset {
        name: "computer",
        occurrences: 3,
        attack_rounds: None,
        natural_limit_plies: Some(120),
        check_counting: CheckCounting::FirstTen,
        chase_rule: ChaseRule::NewThreats(ChaseOptions {
            compares_pairs: false,
            check_excuses_chases: true,
            ignores_prior_checks: false,
            horse_pinned_rooks: false,
        }),
        insufficient_material: InsufficientMaterial::LoneCannon,
    };

    /// The Asian federation's: a checking move may be a chasing move too, a new attacker is a new chase, and a rook held by a horse
    /// may not be chased at all. 50 rounds.
    pub const AXF: Ruleset = Ruleset {
        name: "axf",
        occurrences: 3,
        attack_rounds: None,
        natural_limit_plies: Some(100),
        check_counting: CheckCounting::FirstTen,
        chase_rule: ChaseRule::NewThreats(ChaseOptions {
            compares_pairs: true,
            check_excuses_chases: false,
            ignores_prior_checks: true,
            horse_pinned_rooks: true,
        }),
        insufficient_material: InsufficientMaterial::NoCrossers,
    };

    /// The World federation's of 2018: no article is known to us in which its verdict differs from the Asian one.
    pub const WXF2018: Ruleset = Ruleset { name: "wxf2018", ..Ruleset::AXF };

    /// The Chinese association's of 2020: a side whose every move checks, threatens mate or newly threatens to win something
    /// loses, whatever the mixture; if both do, article 26.9 weighs it. Nine rounds of it are enough without a repetition. 60 rounds,
    /// of which ten checks of each side count.
    pub const CXA2020: Ruleset = Ruleset {
        name: "cxa2020",
        occurrences: 3,
        attack_rounds: Some(9),
        natural_limit_plies: Some(120),
        check_counting: CheckCounting::FirstTen,
        chase_rule: ChaseRule::NewGains,
        insufficient_material: InsufficientMaterial::NoCrossers,
    };

    /// ElephantEye's: at the fourth occurrence, by a simpler look at what the moved man attacks.
    pub const ELEPHANTEYE: Ruleset = Ruleset {
        name: "elephanteye",
        occurrences: 4,
        attack_rounds: None,
        natural_limit_plies: Some(100),
        check_counting: CheckCounting::Never,
        chase_rule: ChaseRule::ByMovedPiece,
        insufficient_material: InsufficientMaterial::NoCrossers,
    };

    /// XQWLight's: at the fourth occurrence a one-sided perpetual checker loses and all else is a draw; 120 plies
    /// without a capture are a draw.
    pub const XQWLIGHT: Ruleset = Ruleset {
        name: "xqwlight",
        occurrences: 4,
        attack_rounds: None,
        natural_limit_plies: Some(120),
        check_counting: CheckCounting::All,
        chase_rule: ChaseRule::NoChase,
        insufficient_material: InsufficientMaterial::NoCrossers,
    };

    /// All books.
    pub const ALL: [Ruleset; 6] =
        [Self::COMPUTER, Self::AXF, Self::WXF2018, Self::CXA2020, Self::ELEPHANTEYE, Self::XQWLIGHT];

    /// The book of that name.
    pub fn from_name(name: &str) -> Option<Ruleset> {
        Self::ALL.into_iter().find(|book| book.name == name)
    }
}

impl Default for Ruleset {
    /// The rule between engines.
    fn default() -> Self {
        Ruleset::COMPUTER
    }
}
