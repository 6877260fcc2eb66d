//! The languages of the terminal interface.

use clap::ValueEnum;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// Returns the other language.
    pub(crate) fn other(self) -> Language {
        if self == Language::En { Language::Zh } else { Language::En }
    }
}

/// The terminal properties that the environment variables state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Locale {
    pub(crate) language: Language,
    pub(crate) utf8: bool,
}

impl Locale {
    /// Reads the variables by POSIX precedence: `LC_ALL`, then the category's variable, then `LANG`; an empty value
    /// counts as unset. Chinese is chosen only if the character set is UTF-8.
    pub(crate) fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Locale {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        let category = |name| {
            let value = set("LC_ALL").or_else(|| set(name)).or_else(|| set("LANG"));
            value.unwrap_or_default().to_lowercase()
        };
        let ctype = category("LC_CTYPE");
        let utf8 = ctype.contains("utf-8") || ctype.contains("utf8");
        let chinese = utf8 && category("LC_MESSAGES").starts_with("zh");
        Locale { language: if chinese { Language::Zh } else { Language::En }, utf8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locale_variables_follow_posix_precedence() {
        let locale = |set: &[(&str, &str)]| {
            let found =
                |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
            let Locale { language, utf8 } = Locale::from_variables(found);
            (language, utf8)
        };
        assert_eq!(locale(&[]), (Language::En, false));
        assert_eq!(locale(&[("LANG", "zh_CN.UTF-8")]), (Language::Zh, true));
        assert_eq!(locale(&[("LANG", "zh_TW.utf8"), ("LC_ALL", "")]), (Language::Zh, true));
        assert_eq!(locale(&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C.UTF-8")]), (Language::En, true));
        assert_eq!(locale(&[("LANG", "zh_CN.UTF-8"), ("LC_MESSAGES", "de_DE.UTF-8")]), (Language::En, true));
        assert_eq!(locale(&[("LANG", "en_US.UTF-8"), ("LC_ALL", "zh_CN.UTF-8")]), (Language::Zh, true));
        // GB18030 would show other characters.
        assert_eq!(locale(&[("LANG", "zh_CN.GB18030")]), (Language::En, false));
    }
}
