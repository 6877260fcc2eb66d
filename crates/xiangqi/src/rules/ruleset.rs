//! Rulesets as values: the fields in which rule books differ.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::attack_limits::AttackLimits;
use super::chase::ChaseOptions;

/// Defines [`RulesetName`] and the list of its variants.
macro_rules! ruleset_names {
    ($($(#[$attribute:meta])* $name:ident,)+) => {
        /// The name of a ruleset. `Display` and `FromStr` use the names of the command line.
        ///
        /// ```
        /// use alfil_xiangqi::prelude::*;
        ///
        /// let name: RulesetName = "cxa2020".parse()?;
        /// assert_eq!(name.ruleset(), Ruleset::CXA2020);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RulesetName {
            $($(#[$attribute])* $name,)+
        }

        impl RulesetName {
            /// All names, that of the ruleset for play between people first.
            pub const ALL: [RulesetName; [$(stringify!($name)),+].len()] = [$(RulesetName::$name),+];
        }
    };
}

ruleset_names! {
    /// [`Ruleset::AXF`].
    Axf,
    /// [`Ruleset::COMPUTER`].
    Computer,
    /// [`Ruleset::WXF2018`].
    Wxf2018,
    /// [`Ruleset::CXA2020`].
    Cxa2020,
    /// [`Ruleset::ELEPHANTEYE`].
    ElephantEye,
    /// [`Ruleset::XQWLIGHT`].
    XqwLight,
    /// [`Ruleset::TIANTIAN`].
    Tiantian,
}

impl RulesetName {
    /// Returns the name on the command line.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// assert_eq!(RulesetName::Axf.name(), "axf");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            RulesetName::Axf => "axf",
            RulesetName::Computer => "computer",
            RulesetName::Wxf2018 => "wxf2018",
            RulesetName::Cxa2020 => "cxa2020",
            RulesetName::ElephantEye => "elephanteye",
            RulesetName::XqwLight => "xqwlight",
            RulesetName::Tiantian => "tiantian",
        }
    }

    /// Returns the ruleset.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// assert_eq!(RulesetName::Computer.ruleset(), Ruleset::default());
    /// ```
    pub const fn ruleset(self) -> Ruleset {
        match self {
            RulesetName::Axf => Ruleset::AXF,
            RulesetName::Computer => Ruleset::COMPUTER,
            RulesetName::Wxf2018 => Ruleset::WXF2018,
            RulesetName::Cxa2020 => Ruleset::CXA2020,
            RulesetName::ElephantEye => Ruleset::ELEPHANTEYE,
            RulesetName::XqwLight => Ruleset::XQWLIGHT,
            RulesetName::Tiantian => Ruleset::TIANTIAN,
        }
    }
}

impl fmt::Display for RulesetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of a text that is not the name of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRulesetNameError(String);

impl fmt::Display for ParseRulesetNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = RulesetName::ALL.map(RulesetName::name).join(", ");
        write!(f, "there is no ruleset {:?}: the rulesets are {list}", self.0)
    }
}

impl core::error::Error for ParseRulesetNameError {}

impl FromStr for RulesetName {
    type Err = ParseRulesetNameError;

    fn from_str(text: &str) -> Result<Self, ParseRulesetNameError> {
        Self::ALL
            .into_iter()
            .find(|name| name.name() == text)
            .ok_or_else(|| ParseRulesetNameError(text.into()))
    }
}

/// How checks count towards the natural limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckCounting {
    /// Checks count like every other move.
    All,
    /// The first ten checks of each side count, with their replies; later checks and their replies do not.
    FirstTen,
    /// Neither checks nor the replies to them count.
    Never,
}

/// The definition of a chase in a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChaseRule {
    /// No chases: only perpetual check offends.
    NoChase,
    /// The pieces that the moved piece attacks (ElephantEye).
    ByMovedPiece,
    /// The pieces that a side newly threatens to capture with profit.
    NewThreats(ChaseOptions),
    /// The pieces that a side newly threatens to win, found by search; mate threats offend as chases do (Chinese
    /// association).
    NewGains,
}

/// Which pieces are too few to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsufficientMaterial {
    /// Neither side has a piece that can cross the river.
    NoCrossers,
    /// Also a lone cannon without the screens that it needs, as in the rule between engines.
    LoneCannon,
}

/// A ruleset: the numbers and options in which rule books differ.
///
/// ```
/// use alfil_xiangqi::prelude::*;
///
/// assert_eq!(Ruleset::AXF.natural_limit_plies, Some(100));
/// let strict = Ruleset { occurrences: 2, ..Ruleset::AXF };
/// assert_eq!(Xiangqi::new().with_rules(strict).verdict(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// The name.
    pub name: RulesetName,
    /// The occurrence at which a repetition is judged; less than 2 is taken as 2.
    pub occurrences: usize,
    /// The number of rounds in a row of checks, mate threats or chases by one piece, on three squares or more, that
    /// offend without a repetition; `None` if only repetitions are judged.
    pub attack_rounds: Option<usize>,
    /// How many attacks in a row are allowed before the next is refused; `None` if no move is refused.
    pub attack_limits: Option<AttackLimits>,
    /// The number of plies of a game that make a draw; `None` for no limit.
    pub max_plies: Option<usize>,
    /// The number of plies without a capture that make a draw; `None` for no limit.
    pub natural_limit_plies: Option<u32>,
    /// How checks count towards the natural limit.
    pub check_counting: CheckCounting,
    /// What a chase is.
    pub chase_rule: ChaseRule,
    /// Which pieces cannot win.
    pub insufficient_material: InsufficientMaterial,
}

impl Ruleset {
    /// The rule between engines: at the third occurrence a perpetual checker loses, then the side that chases one
    /// piece; a check by either side excuses all chases. 120 plies without a capture, of which the first ten checks of
    /// each side count.
    pub const COMPUTER: Ruleset = Ruleset {
        name: RulesetName::Computer,
        occurrences: 3,
        attack_rounds: None,
        attack_limits: None,
        max_plies: None,
        natural_limit_plies: Some(120),
        check_counting: CheckCounting::FirstTen,
        chase_rule: ChaseRule::NewThreats(ChaseOptions {
            compares_pairs: false,
            check_excuses_chases: true,
            ignores_prior_checks: false,
            horse_pinned_rooks: false,
            cannons_yield_to_rooks: false,
            several_may_chase_several: false,
        }),
        insufficient_material: InsufficientMaterial::LoneCannon,
    };

    /// The Asian federation's rules: a checking move may also chase, a new attacker is a new chase, a rook pinned by a
    /// horse may not be chased at all, nor a rook by cannons that it attacks in return; several pieces may chase
    /// several. 50 rounds.
    pub const AXF: Ruleset = Ruleset {
        name: RulesetName::Axf,
        occurrences: 3,
        attack_rounds: None,
        attack_limits: None,
        max_plies: None,
        natural_limit_plies: Some(100),
        check_counting: CheckCounting::FirstTen,
        chase_rule: ChaseRule::NewThreats(ChaseOptions {
            compares_pairs: true,
            check_excuses_chases: false,
            ignores_prior_checks: true,
            horse_pinned_rooks: true,
            cannons_yield_to_rooks: true,
            several_may_chase_several: true,
        }),
        insufficient_material: InsufficientMaterial::NoCrossers,
    };

    /// The World federation's rules of 2018: no article is known to us in which the verdict differs from the Asian one.
    pub const WXF2018: Ruleset = Ruleset { name: RulesetName::Wxf2018, ..Ruleset::AXF };

    /// The Chinese association's rules of 2020: a side whose every move checks, threatens mate or newly threatens to
    /// win something loses, whatever the mixture; if both sides do, article 26.9 decides. Nine rounds of it are enough
    /// without a repetition. 60 rounds, of which ten checks of each side count.
    pub const CXA2020: Ruleset = Ruleset {
        name: RulesetName::Cxa2020,
        occurrences: 3,
        attack_rounds: Some(9),
        attack_limits: None,
        max_plies: None,
        natural_limit_plies: Some(120),
        check_counting: CheckCounting::FirstTen,
        chase_rule: ChaseRule::NewGains,
        insufficient_material: InsufficientMaterial::NoCrossers,
    };

    /// ElephantEye's rules: at the fourth occurrence, by a simpler test of what the moved piece attacks.
    pub const ELEPHANTEYE: Ruleset = Ruleset {
        name: RulesetName::ElephantEye,
        occurrences: 4,
        attack_rounds: None,
        attack_limits: None,
        max_plies: None,
        natural_limit_plies: Some(100),
        check_counting: CheckCounting::Never,
        chase_rule: ChaseRule::ByMovedPiece,
        insufficient_material: InsufficientMaterial::NoCrossers,
    };

    /// XQWLight's rules: at the fourth occurrence a one-sided perpetual checker loses and all else is a draw; 120 plies
    /// without a capture are a draw.
    pub const XQWLIGHT: Ruleset = Ruleset {
        name: RulesetName::XqwLight,
        occurrences: 4,
        attack_rounds: None,
        attack_limits: None,
        max_plies: None,
        natural_limit_plies: Some(120),
        check_counting: CheckCounting::All,
        chase_rule: ChaseRule::NoChase,
        insufficient_material: InsufficientMaterial::NoCrossers,
    };

    /// The rules of the app Tiantian Xiangqi (天天象棋), as far as the project lixiangqi quotes them; the app's own text is
    /// not archived. Too many checks or chases in a row are refused, and lose nothing. That a side loses whose
    /// every legal move is refused is the decision of that project. A search below its first moves sees repetitions and
    /// checks only.
    pub const TIANTIAN: Ruleset = Ruleset {
        name: RulesetName::Tiantian,
        occurrences: 5,
        attack_rounds: None,
        attack_limits: Some(AttackLimits {
            checks: [6, 12, 18],
            chases: 6,
            mixed: [12, 18],
            mutual: 6,
            chase: ChaseOptions {
                compares_pairs: true,
                check_excuses_chases: false,
                ignores_prior_checks: true,
                horse_pinned_rooks: false,
                cannons_yield_to_rooks: false,
                several_may_chase_several: false,
            },
        }),
        max_plies: Some(400),
        natural_limit_plies: Some(120),
        check_counting: CheckCounting::FirstTen,
        chase_rule: ChaseRule::NoChase,
        insufficient_material: InsufficientMaterial::NoCrossers,
    };
}

impl Default for Ruleset {
    /// Returns the rule between engines.
    fn default() -> Self {
        Ruleset::COMPUTER
    }
}
