//! The names of the players and tournaments of WTHOR bases, which are files of their own.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use alfil_records::Tags;
use alfil_records::wthor::Names;

use super::SourceError;

/// The endings of files of names: players and tournaments.
pub(crate) const NAME_ENDINGS: [&str; 2] = ["jou", "trn"];

/// Returns whether a path ends like that of a file of names.
pub(crate) fn has_name_ending(path: &Path) -> bool {
    let is_ending = |found: &OsStr| NAME_ENDINGS.iter().any(|ending| found.eq_ignore_ascii_case(ending));
    path.extension().is_some_and(is_ending)
}

/// Files of names: those given, or those beside a base.
pub(super) struct NameFiles {
    given: Vec<Names>,
    /// The names found beside bases, by the path of the base.
    found: HashMap<PathBuf, Vec<Names>>,
    /// Files beside bases that could not be read.
    unreadable: HashSet<PathBuf>,
}

impl NameFiles {
    /// Reads the files that are given.
    ///
    /// # Errors
    /// If one cannot be read or is no list of names.
    pub(super) fn read(paths: &[PathBuf]) -> Result<NameFiles, SourceError> {
        let given = paths.iter().map(|path| read_names(path)).collect::<Result<_, _>>()?;
        Ok(NameFiles { given, found: HashMap::new(), unreadable: HashSet::new() })
    }

    /// Adds the names to the tags of a game of the base at `path`. Returns the errors of files beside the base that
    /// cannot be read, each once.
    pub(super) fn complete(&mut self, path: Option<&Path>, tags: &mut Tags) -> Vec<SourceError> {
        let mut errors = Vec::new();
        let names = match path {
            Some(path) if self.given.is_empty() => {
                if !self.found.contains_key(path) {
                    let mut found = Vec::new();
                    for file in name_files_beside(path) {
                        match read_names(&file) {
                            Ok(names) => found.push(names),
                            Err(error) if self.unreadable.insert(file) => errors.push(error),
                            Err(_) => (),
                        }
                    }
                    self.found.insert(path.to_owned(), found);
                }
                &self.found[path]
            }
            _ => &self.given,
        };
        for names in names {
            names.complete(tags);
        }
        errors
    }
}

fn read_names(path: &Path) -> Result<Names, SourceError> {
    let bytes = fs::read(path).map_err(|error| SourceError::Unreadable { path: path.to_owned(), error })?;
    Names::parse(&bytes).ok_or_else(|| SourceError::NoNames { path: path.to_owned() })
}

/// Returns the files of names beside a base: of each kind the one with the name of the base, else `WTHOR`, as the
/// federation names it, else the only one.
pub(super) fn name_files_beside(base: &Path) -> Vec<PathBuf> {
    let folder = base.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let stem = |path: &Path| path.file_stem().map(OsStr::to_ascii_lowercase);
    let mut found = Vec::new();
    for ending in NAME_ENDINGS {
        let has_ending =
            |path: &&PathBuf| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        let candidates: Vec<_> = files.iter().filter(has_ending).collect();
        let same = candidates.iter().find(|path| stem(path) == stem(base));
        let usual = candidates.iter().find(|path| stem(path).is_some_and(|stem| stem == "wthor"));
        let only = candidates.first().filter(|_| candidates.len() == 1);
        found.extend(same.or(usual).or(only).map(|&path| path.clone()));
    }
    found
}
