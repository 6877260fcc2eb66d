//! The languages the terminal is spoken to in.

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
    /// The other one.
    pub(crate) fn other(self) -> Language {
        if self == Language::En { Language::Zh } else { Language::En }
    }
}

/// What the environment says of the terminal: its language, and whether it reads UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Locale {
    pub(crate) language: Language,
    pub(crate) utf8: bool,
}

impl Locale {
    /// As POSIX has it: `LC_ALL` before the category's own variable before `LANG`, and empty is as good as unset. Chinese only
    /// where its characters can be shown.
    pub(crate) fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Locale {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        let category = |name| {
            let value = set("LC_ALL").or_else(|| set(name)).or_else(|| set("LANG"));
            value.unwrap_or_default().to_lowercase()
        };
        let letters = category("LC_CTYPE");
        let utf8 = letters.contains("utf-8") || letters.contains("utf8");
        let chinese = utf8 && category("LC_MESSAGES").starts_with("zh");
        Locale { language: if chinese { Language::Zh } else { Language::En }, utf8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_language_and_letters() {
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
        // Its characters would come out as others.
        assert_eq!(locale(&[("LANG", "zh_CN.GB18030")]), (Language::En, false));
    }
}
