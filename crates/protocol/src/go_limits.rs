//! The numbers in the arguments of `go`, in UCI and UCCI.

use thiserror::Error;

use crate::tokens::{TokenReader, found_text};

/// A number in the arguments of `go` that is missing, cannot be read or is out of range, or a word that `go` does not
/// have. The `go` is executed all the same, because the GUI waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}, found {found}: it is {result}")]
pub struct LimitIssue {
    /// What is wrong, such as `expected a whole number after depth`, `depth is at least 1` or `go has no such word`.
    pub problem: String,
    /// The token found there, or `the end of the line`.
    pub found: String,
    /// `ignored`, or `replaced by` another number.
    pub result: String,
}

/// A number type of a limit.
pub(crate) trait LimitNumber: Copy + TryFrom<i128> + Into<i128> {
    /// The greatest number.
    const MAX: i128;
}

impl LimitNumber for u32 {
    const MAX: i128 = u32::MAX as i128;
}

impl LimitNumber for u64 {
    const MAX: i128 = u64::MAX as i128;
}

impl LimitNumber for i64 {
    const MAX: i128 = i64::MAX as i128;
}

/// The maximum number of issues of a `go`: a line may have a hundred thousand words.
const MAX_ISSUES: usize = 20;

/// Reads the numbers of a `go` and collects their issues, up to [`MAX_ISSUES`].
#[derive(Clone, Debug)]
pub(crate) struct LimitReader<'a> {
    keywords: &'a [&'a str],
    pub(crate) issues: Vec<LimitIssue>,
}

impl<'a> LimitReader<'a> {
    /// Creates a reader. `keywords` are the words of `go`: one of them in the place of a number means that the number
    /// is missing.
    pub(crate) fn new(keywords: &'a [&'a str]) -> Self {
        LimitReader { keywords, issues: Vec::new() }
    }

    /// Reads the number of moves until the next time control. Some GUIs send 0 where there is none.
    pub(crate) fn read_moves_to_go(&mut self, tokens: &mut TokenReader<'_>, keyword: &str) -> Option<u32> {
        if tokens.peek() == Some("0") {
            tokens.next();
            return None;
        }
        self.read(tokens, keyword, 1)
    }

    /// Reads the number after `keyword`. A number out of range is replaced by the nearest one, a fraction is cut off,
    /// and a missing number or another text is ignored.
    pub(crate) fn read<T: LimitNumber>(
        &mut self,
        tokens: &mut TokenReader<'_>,
        keyword: &str,
        min: T,
    ) -> Option<T> {
        let token = tokens.peek().filter(|token| !self.keywords.contains(token));
        if token.is_some() {
            tokens.next();
        }
        let min: i128 = min.into();
        let exact = token.and_then(|token| token.parse::<i128>().ok());
        // The conversion from a floating-point number cuts off its fraction and saturates.
        let decimal =
            || token?.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number as i128);
        let number = exact.or_else(decimal);
        let used = number.map(|number| number.clamp(min, T::MAX));
        if exact.is_none() || exact != used {
            let problem = match number {
                Some(number) if number < min => format!("{keyword} is at least {min}"),
                Some(number) if number > T::MAX => format!("{keyword} is at most {}", T::MAX),
                _ => format!("expected a whole number after {keyword}"),
            };
            let found = match exact {
                Some(number) => number.to_string(),
                None => found_text(token.or(tokens.peek())),
            };
            let result = used.map_or_else(|| "ignored".into(), |number| format!("replaced by {number}"));
            self.add_issue(LimitIssue { problem, found, result });
        }
        used.and_then(|number| T::try_from(number).ok())
    }

    /// Notes a word that `go` does not have: protocols require that it is skipped, but it may be a misspelt limit.
    /// Numbers, and what is an issue already, are skipped in silence.
    pub(crate) fn skip_unknown(&mut self, token: &str) {
        let found = found_text(Some(token));
        let is_known = self.keywords.contains(&token) || self.issues.iter().any(|issue| issue.found == found);
        if !is_known && token.parse::<f64>().is_err() {
            self.add_issue(LimitIssue {
                problem: "go has no such word".into(),
                found,
                result: "ignored".into(),
            });
        }
    }

    fn add_issue(&mut self, issue: LimitIssue) {
        if self.issues.len() < MAX_ISSUES {
            self.issues.push(issue);
        }
    }
}
