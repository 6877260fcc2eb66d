//! The names of the players and tournaments of WTHOR bases, which are files of their own.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use alfil_records::Tags;
use alfil_records::wthor::Names;

use super::SourceError;

/// The endings of files of names: players and tournaments.
const ENDINGS: [&str; 2] = ["jou", "trn"];

/// Files of names: those given, or those beside a base.
pub(super) struct NameFiles {
    given: Vec<Names>,
    /// The names found beside bases, by the path of the base.
    found: HashMap<PathBuf, Vec<Names>>,
}

impl NameFiles {
    /// Reads the files that are given.
    ///
    /// # Errors
    /// If one cannot be read or is no list of names.
    pub(super) fn read(paths: &[PathBuf]) -> Result<NameFiles, SourceError> {
        let mut given = Vec::new();
        for path in paths {
            let bytes = fs::read(path);
            let bytes = bytes.map_err(|error| SourceError::Unreadable { path: path.clone(), error })?;
            given.push(Names::parse(&bytes).ok_or_else(|| SourceError::NoNames { path: path.clone() })?);
        }
        Ok(NameFiles { given, found: HashMap::new() })
    }

    /// Adds the names to the tags of a game of the base at `path`.
    pub(super) fn complete(&mut self, path: Option<&Path>, tags: &mut Tags) {
        let names = match path {
            Some(path) if self.given.is_empty() => {
                if !self.found.contains_key(path) {
                    self.found.insert(path.to_owned(), names_beside(path));
                }
                &self.found[path]
            }
            _ => &self.given,
        };
        for names in names {
            names.complete(tags);
        }
    }
}

/// Returns the names of the files beside a base: of each kind the one with the name of the base, else `WTHOR`, as the
/// federation names it, else the only one.
fn names_beside(base: &Path) -> Vec<Names> {
    let folder = base.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let stem = |path: &Path| path.file_stem().map(OsStr::to_ascii_lowercase);
    let mut names = Vec::new();
    for ending in ENDINGS {
        let has_ending =
            |path: &&PathBuf| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        let candidates: Vec<_> = files.iter().filter(has_ending).collect();
        let same = candidates.iter().find(|path| stem(path) == stem(base));
        let usual = candidates.iter().find(|path| stem(path).is_some_and(|stem| stem == "wthor"));
        let only = candidates.first().filter(|_| candidates.len() == 1);
        let bytes = same.or(usual).or(only).and_then(|path| fs::read(path).ok());
        names.extend(bytes.and_then(|bytes| Names::parse(&bytes)));
    }
    names
}
