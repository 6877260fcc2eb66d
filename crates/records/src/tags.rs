//! The tags of a record.

use std::collections::HashSet;

use compact_str::CompactString;

/// The tags of a record in order, such as `White` with the value `Adolf Anderssen`.
///
/// ```
/// use alfil_records::tags::Tags;
///
/// let mut tags = Tags::new();
/// tags.push("Event", "?");
/// tags.push("White", "Adolf Anderssen");
/// tags.set("Event", "London");
/// assert_eq!((tags.value("Event"), tags.len()), (Some("London"), 2));
/// assert_eq!(tags.first_value(&["Red", "White"]), Some("Adolf Anderssen"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(CompactString, CompactString)>);

impl Tags {
    /// Creates an empty list.
    pub const fn new() -> Tags {
        Tags(Vec::new())
    }

    /// Creates an empty list with space for so many tags.
    pub(crate) fn with_capacity(tags: usize) -> Tags {
        Tags(Vec::with_capacity(tags))
    }

    /// Returns the value of the first tag named `name`, which is case-sensitive.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Returns the first value among these tags that [is known](is_known).
    pub fn first_value(&self, names: &[&str]) -> Option<&str> {
        names.iter().filter_map(|name| self.value(name)).map(str::trim).find(|value| is_known(value))
    }

    /// Sets the first tag named `name`, or adds it at the end.
    pub fn set(&mut self, name: &str, value: impl AsRef<str>) {
        match self.0.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, current)) => *current = CompactString::new(value),
            None => self.push(name, value),
        }
    }

    /// Adds a tag at the end, even if the name occurs already.
    pub fn push(&mut self, name: impl AsRef<str>, value: impl AsRef<str>) {
        self.0.push((CompactString::new(name), CompactString::new(value)));
    }

    /// Iterates over names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Removes all tags named `name` and returns the value of the first.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(tag, _)| tag == name)?;
        let (_, value) = self.0.remove(index);
        self.0.retain(|(tag, _)| tag != name);
        Some(value.into())
    }

    /// Keeps the tags for which `keep` returns true, given name and value.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &str) -> bool) {
        self.0.retain(|(name, value)| keep(name, value));
    }

    /// Returns whether a name occurs twice.
    pub fn has_duplicate_names(&self) -> bool {
        /// Up to this number of tags, comparing each two is faster than a set.
        const MAX_COMPARED: usize = 24;
        if self.0.len() > MAX_COMPARED {
            let mut seen = HashSet::new();
            return !self.0.iter().all(|(name, _)| seen.insert(name));
        }
        let names = self.0.iter().map(|(name, _)| name).enumerate();
        names.into_iter().any(|(index, name)| self.0[..index].iter().any(|(other, _)| other == name))
    }

    /// Keeps the first tag of each name.
    pub fn dedup_names(&mut self) {
        if !self.has_duplicate_names() {
            return;
        }
        let mut seen = HashSet::new();
        self.0.retain(|(name, _)| seen.insert(name.clone()));
    }

    /// Moves the tags with these names to the front, in this order.
    pub fn move_to_front(&mut self, names: &[&str]) {
        self.0.sort_by_key(|(name, _)| names.iter().position(|first| first == name).unwrap_or(names.len()));
    }

    /// Returns the number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns whether the value of a tag is known: neither empty nor one of the signs for an unknown value.
///
/// ```
/// use alfil_records::tags::is_known;
///
/// assert!(is_known("London") && !is_known("????.??.??"));
/// ```
pub fn is_known(value: &str) -> bool {
    !matches!(value.trim(), "" | "?" | "-" | "????.??.??")
}

/// Returns whether a line begins and ends like a tag pair of PGN: `[White "Adolf Anderssen"]`. The name may have any
/// character with which names are written.
pub(crate) fn is_tag_pair(line: &[u8]) -> bool {
    let [b'[', rest @ ..] = line else { return false };
    let is_in_name = |byte: &&u8| !byte.is_ascii() || byte.is_ascii_graphic() && !b"\"[]{}".contains(byte);
    let name = rest.iter().take_while(is_in_name).count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"") && line.trim_ascii_end().ends_with(b"\"]")
}
