//! The files of a conversion.
//!
//! A file is written under a temporary name beside its final one and renamed when it is complete; on an error or an
//! interruption the temporary files are removed. No input is overwritten, and no other file unless the settings say so.
//!
//! Without a split, the output is one file. With one, and for a format with one game a file, it is a directory, or a
//! path whose `{}` is replaced by the number or the value of each part.

use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alfil_records::{FileFormat, TextGame, wthor};
use tempfile::TempPath;

use super::fault_at;
use super::settings::{ConversionSettings, Split, holds_one_game};
use super::writer::Written;
use crate::fault::Fault;
use crate::filter::fold_case;
use crate::packing::{Packer, Packing};
use crate::source::{InputFile, InputFiles, NAME_ENDINGS, has_name_ending};
use crate::temporary_file::create_temporary;

/// The bytes that wait in memory before they are written to their files.
const MAX_BUFFERED_BYTES: usize = 4 << 20;

/// The placeholder for the name of a part in a path.
const PLACEHOLDER: &str = "{}";

/// The name of a part whose value is not known.
const UNKNOWN: &str = "unknown";

/// The maximal length of the name of a part in bytes: file systems allow 255, which the rest of the file's name needs,
/// too.
const MAX_NAME_BYTES: usize = 160;

/// An output that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The system refuses.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is an input.
    #[error("{} is an input, which is never overwritten: choose another output", .0.display())]
    IsInput(PathBuf),
    /// The file exists.
    #[error("{} exists: --force replaces it", .0.display())]
    Exists(PathBuf),
    /// The format has one game a file, and there are more.
    #[error("{} holds exactly one game: name a directory, or a path with {{}}, such as games/{{}}.{extension}", format.name())]
    OneGameOnly {
        /// The format.
        format: FileFormat,
        /// The ending of its files.
        extension: &'static str,
    },
    /// Several files need a directory.
    #[error("{0} needs a directory or a path with {{}} as its output")]
    NeedsDirectory(&'static str),
    /// Standard output is one file.
    #[error("{0} needs a file as its output: -o FILE")]
    NeedsFile(&'static str),
    /// Nothing replaces the placeholder.
    #[error(
        "{{}} in the output is the place of the number or value of each part, and there is one part: add a split"
    )]
    UnusedPlaceholder,
    /// The placeholder is in the name of a directory, too.
    #[error("{}: {{}} can stand only in the name of the files, not in that of a directory", .0.display())]
    PlaceholderInDirectory(PathBuf),
    /// The directory of the output does not exist.
    #[error("cannot write {}: the directory {} does not exist", path.display(), directory.display())]
    NoDirectory {
        /// The path of the output.
        path: PathBuf,
        /// The directory.
        directory: PathBuf,
    },
    /// One file cannot have the name of a directory.
    #[error("{} is a directory: name a file in it", .0.display())]
    IsDirectory(PathBuf),
    /// A device or a pipe cannot be replaced when the output is complete.
    #[error("{} is no file: name a file, or none to write to standard output", .0.display())]
    NoFile(PathBuf),
    /// The path is that of the names of a WTHOR base, or its parts would have the same names.
    #[error("{} cannot be the games of a WTHOR base, whose names are in .jou and .trn files beside them: choose a name that ends with .wtb", .0.display())]
    NameFile(PathBuf),
    /// The ending of the name is that of a packed file, and it is not written.
    #[error("{} would be packed in a way that is not written here: choose a name that ends with {endings}", path.display())]
    UnwrittenPacking {
        /// The path.
        path: PathBuf,
        /// The endings that are written.
        endings: &'static str,
    },
    /// The games of a WTHOR base cannot be written together.
    #[error(transparent)]
    Base(#[from] alfil_records::TextGameError),
}

impl OutputError {
    pub(super) fn new(path: &Path, error: io::Error) -> Self {
        OutputError::Io { path: path.to_owned(), error }
    }

    /// Returns whether the reader of standard output has closed it.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, OutputError::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The part of the output to which a game belongs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum GroupName {
    /// The one in which there is still space.
    Next,
    /// That of a value; `None` if the value is not known.
    Value(Option<String>),
}

/// The unfinished files of an output, to be removed when the program is interrupted.
#[derive(Clone, Debug, Default)]
pub struct UnfinishedFiles(Arc<Mutex<Files>>);

impl UnfinishedFiles {
    /// Removes the unfinished files and returns the number of games in the complete ones. The output is not written any
    /// further: a thread that writes to it waits for ever, so the program must end now.
    pub fn remove_and_block(&self) -> u64 {
        let mut files = self.lock();
        files.parts.clear();
        let complete_games = files.complete_games;
        std::mem::forget(files);
        complete_games
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files of an output.
#[derive(Debug, Default)]
struct Files {
    /// The unfinished files by their final paths.
    parts: HashMap<PathBuf, Part>,
    /// The games in files that have their final names.
    complete_games: u64,
}

/// A file that is being written.
#[derive(Debug, Default)]
struct Part {
    /// Its temporary name. The file is removed with it.
    temporary: Option<TempPath>,
    /// What is not in the file yet, unpacked.
    buffer: Vec<u8>,
    /// Packs what is written, if the ending of the name says so.
    packer: Option<Packer>,
    /// The games of a format whose files are written as a whole.
    whole_games: Vec<TextGame>,
    /// What these games have in common in a WTHOR base.
    base_header: wthor::BaseHeader,
    games: u64,
}

/// Where games go.
enum Target {
    StandardOutput,
    File(PathBuf),
    /// A path with a placeholder in its last component.
    Pattern(PathBuf),
}

/// The output of a conversion.
pub(super) struct Output {
    format: FileFormat,
    /// The number of games of a part that is not named by a value.
    games_per_part: Option<u64>,
    target: Target,
    folder: PathBuf,
    inputs: HashSet<PathBuf>,
    replaces_files: bool,
    /// The unfinished files. What goes to standard output is not among them: writing it may take for ever.
    unfinished: UnfinishedFiles,
    standard_output: Part,
    buffered: usize,
    /// The number of the current part, from 1.
    part_number: u64,
    part_names: PartNames,
}

/// The names of the parts that have the games of a value.
#[derive(Default)]
struct PartNames {
    of_values: HashMap<Option<String>, String>,
    /// The names without regard to case, in which some file systems do not distinguish them.
    taken: HashSet<String>,
}

impl PartNames {
    /// Returns the name of the part of a value. Values whose file names would be the same get a number.
    fn name_of(&mut self, value: Option<&str>) -> String {
        if let Some(name) = self.of_values.get(&value.map(str::to_owned)) {
            return name.clone();
        }
        let plain = file_name_of(value);
        let mut name = plain.clone();
        let mut number = 1;
        while !self.taken.insert(fold_case(&name)) {
            number += 1;
            name = format!("{plain}-{number}");
        }
        self.of_values.insert(value.map(str::to_owned), name.clone());
        name
    }
}

/// Returns the ending of the names of files of a format.
fn extension(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Wthor => "wtb",
        FileFormat::Transcript | FileFormat::Ubb => "txt",
        format => format.id(),
    }
}

/// Returns the files that are read: those with the games, and those with the names of WTHOR bases.
fn input_paths(format: FileFormat, out: Option<&Path>, inputs: &InputFiles) -> HashSet<PathBuf> {
    // Standard input may be a file, too.
    let standard_input = Path::new("/dev/stdin");
    let path_of = |file: &InputFile| file.path.clone().unwrap_or_else(|| standard_input.to_owned());
    let mut paths: Vec<_> = inputs.files().iter().map(path_of).collect();
    paths.extend_from_slice(inputs.name_files());
    if format == FileFormat::Wthor || out.is_some_and(has_name_ending) {
        paths.extend(inputs.name_files_beside_bases());
    }
    paths.iter().filter_map(|path| fs::canonicalize(path).ok()).collect()
}

/// Returns where the games go.
///
/// # Errors
/// If the output cannot be written, or it is one file and several are needed.
fn target_of(settings: &ConversionSettings, out: Option<&Path>) -> Result<Target, OutputError> {
    let format = settings.format;
    let one_game = holds_one_game(format);
    let target = match out {
        None if settings.split.is_some() => return Err(OutputError::NeedsDirectory("a split")),
        None if format == FileFormat::Wthor => {
            return Err(OutputError::NeedsFile("a WTHOR base of three files"));
        }
        None => Target::StandardOutput,
        Some(path) if has_placeholder(path) => Target::Pattern(path.to_owned()),
        Some(path) if settings.split.is_some() || one_game && is_directory_name(path) => {
            Target::Pattern(path.join(format!("{PLACEHOLDER}.{}", extension(format))))
        }
        Some(path) if path.is_dir() => return Err(OutputError::IsDirectory(path.to_owned())),
        // A device or a pipe would be replaced by a file. The folder of shared memory is an ordinary one.
        Some(path)
            if path.starts_with("/dev") && !path.starts_with("/dev/shm")
                || path.exists() && !path.is_file() =>
        {
            return Err(OutputError::NoFile(path.to_owned()));
        }
        // The file that a link names is written, and the link stays.
        Some(path) if path.is_symlink() => {
            Target::File(fs::canonicalize(path).map_err(|error| OutputError::new(path, error))?)
        }
        Some(path) => Target::File(path.to_owned()),
    };
    // The files of a base differ in their endings alone.
    let varies_ending =
        |path: &Path| path.extension().is_none_or(|ending| has_placeholder(Path::new(ending)));
    if let Target::File(path) | Target::Pattern(path) = &target {
        check_packing(path, format)?;
    }
    match target {
        target if format != FileFormat::Wthor => Ok(target),
        Target::File(path) if has_name_ending(&path) => Err(OutputError::NameFile(path)),
        Target::Pattern(path) if has_name_ending(&path) || varies_ending(&path) => {
            Err(OutputError::NameFile(path))
        }
        target => Ok(target),
    }
}

impl Output {
    /// Prepares the output. Its directory is created with the first file.
    ///
    /// # Errors
    /// If the output is an input, or it is one file and several are needed.
    pub(super) fn new(
        settings: &ConversionSettings,
        out: Option<&Path>,
        inputs: &InputFiles,
    ) -> Result<Output, OutputError> {
        let format = settings.format;
        let one_game = holds_one_game(format);
        let by_value = matches!(settings.split, Some(Split::Field(_)));
        let mut games_per_part = match settings.split {
            Some(Split::Count(count)) => Some(count.max(1)),
            Some(Split::Field(_)) => None,
            None => one_game.then_some(1),
        };
        let inputs = input_paths(format, out, inputs);
        let target = target_of(settings, out)?;
        if !matches!(target, Target::Pattern(_)) && !one_game || by_value {
            games_per_part = None;
        }
        if matches!(target, Target::Pattern(_)) && games_per_part.is_none() && !by_value {
            return Err(OutputError::UnusedPlaceholder);
        }
        let folder = match &target {
            Target::StandardOutput => std::env::temp_dir(),
            Target::File(path) | Target::Pattern(path) => folder_of(path),
        };
        if let Target::File(path) = &target
            && !folder.is_dir()
        {
            return Err(OutputError::NoDirectory { path: path.clone(), directory: folder });
        }
        if folder.as_os_str().to_string_lossy().contains(PLACEHOLDER) {
            return Err(OutputError::PlaceholderInDirectory(folder));
        }
        let output = Output {
            format,
            games_per_part,
            target,
            folder,
            inputs,
            replaces_files: settings.replaces_files,
            unfinished: UnfinishedFiles::default(),
            standard_output: Part::default(),
            buffered: 0,
            part_number: 1,
            part_names: PartNames::default(),
        };
        if let Target::File(path) = &output.target {
            output.check_is_new(path)?;
        }
        Ok(output)
    }

    /// Returns a folder for temporary files.
    pub(super) fn folder(&self) -> &Path {
        let existing = self.folder.ancestors().find(|folder| folder.is_dir());
        existing.unwrap_or(Path::new("."))
    }

    pub(super) fn unfinished_files(&self) -> UnfinishedFiles {
        self.unfinished.clone()
    }

    /// Checks that a file, and those of the names of a WTHOR base beside it, are no inputs, and do not exist unless
    /// they may be replaced.
    fn check_is_new(&self, path: &Path) -> Result<(), OutputError> {
        let endings = NAME_ENDINGS.iter().filter(|_| self.format == FileFormat::Wthor);
        let files: Vec<_> =
            endings.map(|ending| path.with_extension(ending)).chain([path.to_owned()]).collect();
        let is_input = |path: &&PathBuf| fs::canonicalize(path).is_ok_and(|path| self.inputs.contains(&path));
        if let Some(path) = files.iter().find(is_input) {
            return Err(OutputError::IsInput(path.clone()));
        }
        match files.into_iter().find(|path| !self.replaces_files && path.exists()) {
            Some(path) => Err(OutputError::Exists(path)),
            None => Ok(()),
        }
    }

    /// Writes a game. Returns the fault of a game that the file cannot hold with the games before it.
    ///
    /// # Errors
    /// If a file cannot be written, or is an input, or there are more games than the file can hold.
    pub(super) fn write(
        &mut self,
        group: &GroupName,
        written: Written,
    ) -> Result<Option<Fault>, OutputError> {
        let Some(path) = self.path_of(group) else {
            let part = &mut self.standard_output;
            self.buffered += add_game(self.format, self.games_per_part, part, written)?;
            if self.buffered > MAX_BUFFERED_BYTES {
                self.buffered = 0;
                flush_standard_output(part)?;
            }
            return Ok(None);
        };
        let shared = self.unfinished.clone();
        let mut files = shared.lock();
        if !files.parts.contains_key(&path) {
            files.parts.insert(path.clone(), self.new_part(&path)?);
        }
        let Some(part) = files.parts.get_mut(&path) else { return Ok(None) };
        if let Written::Game(whole) = &written
            && let Err(error) = part.base_header.add(&whole.game.tags)
        {
            return Ok(Some(fault_at(&whole.place, error.to_string())));
        }
        self.buffered += add_game(self.format, self.games_per_part, part, written)?;
        let is_full = self.games_per_part == Some(part.games) && matches!(self.target, Target::Pattern(_));
        if is_full && let Some(part) = files.parts.remove(&path) {
            self.buffered = self.buffered.saturating_sub(part.buffer.len());
            self.part_number += 1;
            files.complete_games += self.complete(&path, part)?;
        }
        if self.buffered > MAX_BUFFERED_BYTES {
            self.buffered = 0;
            for (path, part) in &mut files.parts {
                flush(path, part)?;
            }
        }
        Ok(None)
    }

    /// Returns the final path of the part for a game; `None` for standard output.
    fn path_of(&mut self, group: &GroupName) -> Option<PathBuf> {
        let pattern = match &self.target {
            Target::StandardOutput => return None,
            Target::File(path) => return Some(path.clone()),
            Target::Pattern(pattern) => pattern,
        };
        let name = match group {
            GroupName::Next => format!("{:06}", self.part_number),
            GroupName::Value(value) => self.part_names.name_of(value.as_deref()),
        };
        let last = pattern.file_name().unwrap_or_default().to_string_lossy();
        Some(pattern.with_file_name(last.replace(PLACEHOLDER, &name)))
    }

    fn new_part(&self, path: &Path) -> Result<Part, OutputError> {
        self.check_is_new(path)?;
        let packer = match Packing::of_name(path) {
            Some(packing) => packing.packer().map_err(|error| OutputError::new(path, error))?,
            None => None,
        };
        Ok(Part { temporary: Some(self.create_temporary(path)?), packer, ..Part::default() })
    }

    /// Creates a file that will be renamed to `path`.
    fn create_temporary(&self, path: &Path) -> Result<TempPath, OutputError> {
        fs::create_dir_all(&self.folder).map_err(|error| OutputError::new(&self.folder, error))?;
        let file = create_temporary(&self.folder).map_err(|error| OutputError::new(path, error))?;
        Ok(file.into_temp_path())
    }

    /// Completes a file and gives it its name. Returns the number of its games.
    fn complete(&self, path: &Path, mut part: Part) -> Result<u64, OutputError> {
        let games = part.games;
        let mut files = Vec::new();
        if self.format == FileFormat::Wthor {
            let base = wthor::format_text_base(&part.whole_games)?;
            part.buffer = base.games;
            for (ending, names) in NAME_ENDINGS.into_iter().zip([base.players, base.tournaments]) {
                let path = path.with_extension(ending);
                let mut names = Part { buffer: names, ..self.new_part(&path)? };
                flush(&path, &mut names)?;
                files.push((path, names));
            }
        }
        flush(path, &mut part)?;
        if let Some(packer) = part.packer.take() {
            part.buffer = packer.finish().map_err(|error| OutputError::new(path, error))?;
            flush(path, &mut part)?;
        }
        files.push((path.to_owned(), part));
        for (path, part) in files {
            if let Some(temporary) = part.temporary {
                let named = match self.replaces_files {
                    true => temporary.persist(&path),
                    // Another process may have made the file meanwhile.
                    false => temporary.persist_noclobber(&path),
                };
                named.map_err(|error| OutputError::new(&path, error.error))?;
            }
        }
        Ok(games)
    }

    /// Completes all files.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(super) fn finish(mut self) -> Result<(), OutputError> {
        flush_standard_output(&mut self.standard_output)?;
        let shared = self.unfinished.clone();
        let mut files = shared.lock();
        for (path, part) in std::mem::take(&mut files.parts) {
            files.complete_games += self.complete(&path, part)?;
        }
        Ok(())
    }
}

/// Adds a game to a part. Returns the number of bytes that wait in memory.
fn add_game(
    format: FileFormat,
    max_games: Option<u64>,
    part: &mut Part,
    written: Written,
) -> Result<usize, OutputError> {
    if max_games == Some(part.games) {
        return Err(OutputError::OneGameOnly { format, extension: extension(format) });
    }
    let length = part.buffer.len();
    match written {
        Written::Bytes(bytes) => {
            let is_separated = matches!(format, FileFormat::Pgn | FileFormat::WxfFile);
            if part.games > 0 && is_separated {
                part.buffer.push(b'\n');
            }
            part.buffer.extend(&bytes);
        }
        Written::Game(whole) => part.whole_games.push(whole.game),
    }
    part.games += 1;
    Ok(part.buffer.len() - length)
}

/// Writes what is not in the file yet.
fn flush(path: &Path, part: &mut Part) -> Result<(), OutputError> {
    let buffer = std::mem::take(&mut part.buffer);
    let Some(temporary) = part.temporary.as_ref().filter(|_| !buffer.is_empty()) else { return Ok(()) };
    let packed = match &mut part.packer {
        Some(packer) => packer.pack(&buffer),
        None => Ok(buffer),
    };
    let file = OpenOptions::new().append(true).open(temporary);
    let written = packed.and_then(|bytes| file?.write_all(&bytes));
    written.map_err(|error| OutputError::new(path, error))
}

/// Checks that a file is not to be packed, or is in a way that is written. A WTHOR base, which is three files, is not.
fn check_packing(path: &Path, format: FileFormat) -> Result<(), OutputError> {
    let Some(packing) = Packing::of_name(path) else { return Ok(()) };
    let endings = match format {
        FileFormat::Wthor => ".wtb",
        _ if packing.packer().is_ok_and(|packer| packer.is_some()) => return Ok(()),
        _ if packing.is_read() => ".gz or .zst",
        _ => "that of the format",
    };
    Err(OutputError::UnwrittenPacking { path: path.to_owned(), endings })
}

fn flush_standard_output(part: &mut Part) -> Result<(), OutputError> {
    let buffer = std::mem::take(&mut part.buffer);
    let mut out = io::stdout().lock();
    let written = out.write_all(&buffer).and_then(|()| out.flush());
    written.map_err(|error| OutputError::new(Path::new("standard output"), error))
}

fn has_placeholder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().contains(PLACEHOLDER)
}

/// Returns whether a path is that of a directory, or looks like one.
fn is_directory_name(path: &Path) -> bool {
    path.is_dir()
        || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
        || path.extension().is_none()
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Returns a value in the form of a file name: without characters that some systems refuse.
fn file_name_of(value: Option<&str>) -> String {
    let replace = |character: char| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        character if character.is_control() => '_',
        character => character,
    };
    let name: String = value.unwrap_or_default().chars().map(replace).collect();
    let name = &name[..name.floor_char_boundary(MAX_NAME_BYTES)];
    let name = name.trim_matches([' ', '.']);
    if name.is_empty() { UNKNOWN.to_owned() } else { name.to_owned() }
}
