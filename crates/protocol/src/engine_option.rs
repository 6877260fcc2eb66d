//! The options of an engine, as UCI, UCCI and CECP have them.

use std::fmt;

/// An option of an engine: UCI's `option`, CECP's `feature option`.
///
/// ```
/// use alfil_protocol::EngineOption;
///
/// let hash = EngineOption::spin("Hash", 32, 1, 4096);
/// assert_eq!((hash.name.as_str(), hash.kind.to_string()), ("Hash", "type spin default 32 min 1 max 4096".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name, which may contain spaces.
    pub name: String,
    /// The type and its range of values.
    pub kind: OptionKind,
}

/// The type of an option, in the words of UCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off, with the default value.
    Check(bool),
    /// A whole number.
    Spin {
        /// The default value.
        default: u64,
        /// The minimum.
        min: u64,
        /// The maximum.
        max: u64,
    },
    /// One of several strings.
    Combo {
        /// The default value.
        default: String,
        /// All values, including the default.
        choices: Vec<String>,
    },
    /// Any text, such as the path of a file, with the default value.
    String(String),
    /// An action without a value.
    Button,
}

impl EngineOption {
    /// Creates an option that is on or off.
    pub fn check(name: &str, default: bool) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Check(default) }
    }

    /// Creates an option that is a number.
    pub fn spin(name: &str, default: u64, min: u64, max: u64) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Spin { default, min, max } }
    }

    /// Creates an option that is one of several strings.
    pub fn combo(name: &str, default: &str, choices: &[&str]) -> EngineOption {
        let choices = choices.iter().map(|&choice| choice.into()).collect();
        EngineOption { name: name.into(), kind: OptionKind::Combo { default: default.into(), choices } }
    }

    /// Creates an option that is any text.
    pub fn string(name: &str, default: &str) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::String(default.into()) }
    }

    /// Creates an option that triggers an action.
    pub fn button(name: &str) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Button }
    }
}

/// Formats the type as UCI and UCCI write it after the name of an option.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Check(default) => write!(f, "type check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "type combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::String(default) => write!(f, "type string default {default}"),
            OptionKind::Button => write!(f, "type button"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_types_are_formatted() {
        let cases = [
            (EngineOption::check("Ponder", false), "type check default false"),
            (EngineOption::spin("Hash", 32, 1, 64), "type spin default 32 min 1 max 64"),
            (EngineOption::combo("R", "a", &["a", "b"]), "type combo default a var a var b"),
            (EngineOption::string("EvalFile", "<empty>"), "type string default <empty>"),
            (EngineOption::button("Clear Hash"), "type button"),
        ];
        for (option, text) in cases {
            assert_eq!(option.kind.to_string(), text);
        }
    }
}
