//! The files that arguments name.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alfil_records::{FileFormat, wthor};
use walkdir::{DirEntry, WalkDir};

use super::wthor_names::name_files_beside;
use super::{HEAD_BYTES, SourceError};
use crate::analysis_folder::is_written_by_analysis;
use crate::packing::Packing;

/// The argument that means standard input as a source, and standard output as a target.
pub const STANDARD_STREAM: &str = "-";

/// The endings of the names of files that are read from directories. A file that is named itself is always read.
const ENDINGS: [&str; 19] = [
    "pgn", "xqf", "cbr", "cbl", "cbf", "ubb", "wxf", "htm", "html", "ggf", "wtb", "sgf", "obf", "epd", "fen",
    "tsv", "txt", "gam", "che",
];

/// A file of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The name in messages and tables.
    pub name: Arc<str>,
    /// The path; none for standard input.
    pub path: Option<PathBuf>,
}

/// The files that some arguments name.
///
/// ```
/// use alfil_batch::source::InputFiles;
///
/// let folder = tempfile::tempdir()?;
/// for name in ["b.pgn", "a.xqf", "notes.md"] {
///     std::fs::write(folder.path().join(name), "")?;
/// }
/// let files = InputFiles::find(&[folder.path().to_owned()], false)?;
/// let names: Vec<_> = files.files().iter().filter_map(|file| file.path.as_ref()?.file_name()).collect();
/// assert_eq!(names, ["a.xqf", "b.pgn"]);
/// assert!(files.left_out()[0].ends_with("notes.md"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputFiles {
    files: Vec<InputFile>,
    name_files: Vec<PathBuf>,
    left_out: Vec<PathBuf>,
    unreadable: Vec<(Arc<str>, String)>,
    total_bytes: Option<u64>,
}

impl InputFiles {
    /// Finds the files of the arguments. A directory stands for every file in it whose name ends like that of a record,
    /// in the order of the bytes of their paths. If `skips_analyses`, what analyses have written into directories in it
    /// is not read.
    ///
    /// # Errors
    /// If there is no file or directory at a path, its metadata cannot be read, or standard input is named twice. The
    /// files are not opened here.
    pub fn find(paths: &[PathBuf], skips_analyses: bool) -> Result<InputFiles, SourceError> {
        let mut found = InputFiles { total_bytes: Some(0), ..InputFiles::default() };
        for path in paths {
            if path.as_os_str() == STANDARD_STREAM {
                if found.files.iter().any(|file| file.path.is_none()) {
                    return Err(SourceError::RepeatedStandardInput);
                }
                found.files.push(InputFile { name: STANDARD_STREAM.into(), path: None });
                found.total_bytes = None;
                continue;
            }
            let unreadable = |error| SourceError::Unreadable { path: path.clone(), error };
            let metadata = fs::metadata(path).map_err(unreadable)?;
            if metadata.is_dir() {
                found.add_directory(path, skips_analyses);
            } else {
                // The length of a pipe is not known.
                found.add_file(path.clone(), metadata.is_file().then_some(metadata.len()));
            }
        }
        Ok(found)
    }

    fn add_directory(&mut self, directory: &Path, skips_analyses: bool) {
        let mut paths = Vec::new();
        // What is in a named directory itself is always read.
        let is_read =
            |entry: &DirEntry| !skips_analyses || entry.depth() < 2 || !is_written_by_analysis(entry.path());
        for entry in WalkDir::new(directory).follow_links(true).into_iter().filter_entry(is_read) {
            let entry = match entry {
                Ok(entry) => entry,
                // A link that leads nowhere or back does not concern the other files.
                Err(error) => {
                    let path = error.path().unwrap_or(directory).to_string_lossy();
                    self.unreadable.push((path.into(), format!("cannot be read: {error}")));
                    continue;
                }
            };
            // A pipe would be waited for.
            if entry.file_type().is_file() {
                let length = entry.metadata().map_or(0, |metadata| metadata.len());
                paths.push((entry.into_path(), length));
            }
        }
        paths.sort_by(|(one, _), (other, _)| one.as_os_str().cmp(other.as_os_str()));
        for (path, length) in paths {
            if has_record_name(&path) {
                self.add_file(path, Some(length));
            } else {
                self.left_out.push(path);
            }
        }
    }

    fn add_file(&mut self, path: PathBuf, length: Option<u64>) {
        self.total_bytes = self.total_bytes.zip(length).map(|(total, length)| total + length);
        self.files.push(InputFile { name: path.to_string_lossy().into(), path: Some(path) });
    }

    /// Sets the files with the names of WTHOR bases that are given. These, or else those beside the bases, are not left
    /// out.
    pub(super) fn with_name_files(mut self, name_files: &[PathBuf]) -> InputFiles {
        self.name_files = name_files.to_vec();
        let has_base_name =
            |path: &&Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb"));
        let bases = self.files.iter().filter_map(|file| file.path.as_deref()).filter(has_base_name);
        let read: Vec<PathBuf> = match name_files.is_empty() {
            true => bases.flat_map(name_files_beside).collect(),
            false => name_files.to_vec(),
        };
        if !read.is_empty() {
            // A file that is given may have another path than in its directory: `./games/x.jou` and `games/x.jou`.
            let canonical = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
            let read: HashSet<PathBuf> = read.iter().map(canonical).collect();
            self.left_out.retain(|path| !read.contains(&canonical(path)));
        }
        self
    }

    /// Returns the files with the names of WTHOR bases that are given.
    pub fn name_files(&self) -> &[PathBuf] {
        &self.name_files
    }

    /// Returns the files with the names of WTHOR bases that are found beside the bases. None is searched if some are
    /// given.
    pub fn name_files_beside_bases(&self) -> Vec<PathBuf> {
        let paths = self.files.iter().filter(|_| self.name_files.is_empty());
        let bases = paths.filter_map(|file| file.path.as_deref()).filter(|path| is_base(path));
        bases.flat_map(name_files_beside).collect()
    }

    /// Returns the files in order.
    pub fn files(&self) -> &[InputFile] {
        &self.files
    }

    /// Returns the files of directories whose names are not those of records, but for the names that are read beside a
    /// WTHOR base.
    pub fn left_out(&self) -> &[PathBuf] {
        &self.left_out
    }

    /// Returns the names of links and directories in directories that cannot be read, and why.
    pub fn unreadable(&self) -> &[(Arc<str>, String)] {
        &self.unreadable
    }

    /// Returns the length of all files in bytes; none if one is standard input or a pipe.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }
}

/// Returns whether a file is a WTHOR base.
fn is_base(path: &Path) -> bool {
    // What is read of a pipe would be missing later.
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let read = || -> io::Result<bool> {
        let mut bytes = Vec::new();
        let mut file = File::open(path)?;
        file.by_ref().take(HEAD_BYTES).read_to_end(&mut bytes)?;
        if wthor::has_header(&bytes) {
            file.read_to_end(&mut bytes)?;
        }
        Ok(FileFormat::detect(&bytes) == Some(FileFormat::Wthor))
    };
    is_file && read().unwrap_or(false)
}

/// Returns whether the name of a file ends like that of a record, packed or not.
pub(super) fn has_record_name(path: &Path) -> bool {
    let path = match Packing::of_name(path).filter(|packing| packing.is_read()) {
        Some(Packing::Zip) => return true,
        Some(_) => &path.with_extension(""),
        None => path,
    };
    let ending = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    ending.is_some_and(|ending| ENDINGS.contains(&&*ending))
}
