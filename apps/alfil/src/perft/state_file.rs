//! `--state`: the finished parts of a count, a line each, so that it can be killed at any time and go on.
//!
//! The first line describes the count and its parts; the others are added as parts are finished. The line of a part has
//! a checksum of its number and count: one that is damaged or cut off is left out, and its part is counted again.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::errors::Failure;
use crate::row_file::{open_locked_file, overwrite_file};

/// The name of the format, in the first line.
const FORMAT: &str = "alfil perft state 1";

/// The count of a finished part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PartCount {
    /// The number of paths from any one position of the part. The part adds this number for each path that leads to it.
    pub(crate) nodes: u128,
    /// How long it took on one thread.
    pub(crate) seconds: f64,
}

/// The finished parts, by number.
pub(crate) type PartCounts = HashMap<usize, PartCount>;

/// What a file must describe to belong to a count.
#[derive(Clone, Debug)]
pub(crate) struct StateHeader {
    /// The fields of the position and the depth.
    pub(crate) count: Value,
    /// The number of plies after which the tree is cut.
    pub(crate) split: u32,
    /// The number of parts.
    pub(crate) parts: usize,
    /// The fingerprint of all parts.
    pub(crate) fingerprint: u64,
}

impl StateHeader {
    fn to_line(&self) -> String {
        let line = json!({
            "format": FORMAT, "count": self.count, "split": self.split, "parts": self.parts,
            "fingerprint": format!("{:016x}", self.fingerprint),
        });
        format!("{line}\n")
    }

    fn format_row(&self, part: usize, count: PartCount) -> String {
        let PartCount { nodes, seconds } = count;
        let check = self.checksum(part, nodes);
        format!("{{\"part\":{part},\"nodes\":{nodes},\"seconds\":{seconds:.3},\"check\":{check}}}\n")
    }

    fn checksum(&self, part: usize, nodes: u128) -> u32 {
        crc32fast::hash(format!("{:016x} {part} {nodes}", self.fingerprint).as_bytes())
    }

    /// Parses a line of a part; `None` if it is damaged.
    fn parse_row(&self, line: &str) -> Option<(usize, PartCount)> {
        let row: Value = serde_json::from_str(line).ok()?;
        let number = |name: &str| row.get(name)?.to_string().parse::<u128>().ok();
        let (part, nodes) = (usize::try_from(number("part")?).ok()?, number("nodes")?);
        let is_valid = part < self.parts && number("check")? == u128::from(self.checksum(part, nodes));
        let seconds = row.get("seconds")?.as_f64()?;
        is_valid.then_some((part, PartCount { nodes, seconds }))
    }

    /// Reads the finished parts of a file's text, and the number of its damaged lines.
    fn parse(&self, name: &Path, text: &str) -> Result<(PartCounts, usize), Failure> {
        let (header, rows) = text.split_once('\n').unwrap_or((text, ""));
        let found = serde_json::from_str::<Value>(header).unwrap_or_default();
        if found.get("format").is_none_or(|format| format != FORMAT) {
            let name = name.display();
            return Err(Failure::Input(format!(
                "{name}:1: this is no state of a perft: expected {FORMAT:?}"
            )));
        }
        if format!("{header}\n") != self.to_line() {
            return Err(Failure::Input(format!(
                "{}:1: this is the state of another count: it has {header}, and the arguments give {}",
                name.display(),
                self.to_line().trim_end()
            )));
        }
        let (mut counts, mut damaged) = (PartCounts::new(), 0);
        for line in rows.lines().filter(|line| !line.is_empty()) {
            let Some((part, count)) = self.parse_row(line) else {
                damaged += 1;
                continue;
            };
            let known = counts.insert(part, count);
            if known.is_some_and(|known| known.nodes != count.nodes) {
                return Err(Failure::Input(format!(
                    "{}: part {part} has two counts: remove the file and count again",
                    name.display()
                )));
            }
        }
        Ok((counts, damaged))
    }
}

/// A file to which finished parts are added.
#[derive(Debug)]
pub(crate) struct StateFile {
    header: StateHeader,
    file: Mutex<File>,
}

/// Reads the finished parts of a file that another process writes or has written.
///
/// # Errors
/// If it cannot be read, or belongs to another count.
pub(crate) fn read(name: &Path, header: &StateHeader) -> Result<(PartCounts, usize), Failure> {
    let bytes = std::fs::read(name)
        .map_err(|error| Failure::Input(format!("cannot read {}: {error}", name.display())))?;
    header.parse(name, &String::from_utf8_lossy(&bytes))
}

/// Adds the finished parts of a file to those of the files before it. `files` holds the file of each known part.
///
/// # Errors
/// If the file and one before it have different counts of a part.
pub(crate) fn add_counts<'a>(
    known: &mut PartCounts,
    files: &mut HashMap<usize, &'a Path>,
    name: &'a Path,
    counts: PartCounts,
) -> Result<(), Failure> {
    let differs = |part: &usize| known.get(part).is_some_and(|earlier| earlier.nodes != counts[part].nodes);
    if let Some(part) = counts.keys().copied().filter(differs).min() {
        let (earlier, name) = (files[&part].display(), name.display());
        return Err(Failure::Input(format!(
            "{earlier} and {name}: part {part} has two counts: remove the wrong file and count again"
        )));
    }
    files.extend(counts.keys().map(|&part| (part, name)));
    known.extend(counts);
    Ok(())
}

impl StateFile {
    /// Opens the file, or creates it. Returns it with the finished parts and the number of damaged lines.
    ///
    /// # Errors
    /// If it cannot be read or written, belongs to another count, or another process has it open.
    pub(crate) fn open(name: &Path, header: &StateHeader) -> Result<(Self, PartCounts, usize), Failure> {
        let failure = |action: &str, error: std::io::Error| {
            Failure::Input(format!("cannot {action} {}: {error}", name.display()))
        };
        let mut file = open_locked_file(name)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| failure("read", error))?;
        let (text, line) = (String::from_utf8_lossy(&bytes), header.to_line());
        let (counts, damaged) = if line.starts_with(&*text) {
            // A new file, or one whose process was killed while it wrote the first line.
            overwrite_file(&file, line.as_bytes()).map_err(|error| failure("write", error))?;
            (PartCounts::new(), 0)
        } else {
            let found = header.parse(name, &text)?;
            if !text.ends_with('\n') {
                file.write_all(b"\n").map_err(|error| failure("write", error))?;
            }
            found
        };
        Ok((StateFile { header: header.clone(), file: Mutex::new(file) }, counts, damaged))
    }

    /// Adds a finished part.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn add(&self, part: usize, count: PartCount) -> std::io::Result<()> {
        let row = self.header.format_row(part, count);
        self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner).write_all(row.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> StateHeader {
        StateHeader { count: json!({"game": "chess", "depth": 5}), split: 2, parts: 3, fingerprint: 77 }
    }

    #[test]
    fn a_file_goes_on_after_any_byte() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("state");
        let counts = [10_u128, u128::MAX, 30];
        let row = |nodes| PartCount { nodes, seconds: 0.5 };
        let (file, known, damaged) = StateFile::open(&name, &header()).unwrap();
        assert!(known.is_empty() && damaged == 0);
        for (part, nodes) in counts.into_iter().enumerate() {
            file.add(part, row(nodes)).unwrap();
        }
        drop(file);
        let whole = std::fs::read(&name).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&name, &whole[..length]).unwrap();
            let (file, known, damaged) = StateFile::open(&name, &header()).unwrap();
            let rows = whole[..length].iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1);
            // A line that misses only its line break is whole.
            assert!(known.len() == rows || known.len() == rows + 1 && damaged == 0, "{length}");
            assert!(damaged <= 1);
            for (&part, count) in &known {
                assert_eq!(*count, row(counts[part]));
            }
            for (part, &nodes) in counts.iter().enumerate().filter(|(part, _)| !known.contains_key(part)) {
                file.add(part, row(nodes)).unwrap();
            }
            drop(file);
            let (known, _) = read(&name, &header()).unwrap();
            assert_eq!(known.len(), 3, "{length}");
        }
    }

    #[test]
    fn faulty_files_say_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("state");
        let open = || StateFile::open(&name, &header());
        let message = |result: Result<_, Failure>| match result {
            Err(Failure::Input(message)) => message,
            _ => panic!("no error"),
        };
        let (file, ..) = open().unwrap();
        assert!(message(open().map(drop)).contains("another process"));
        file.add(1, PartCount { nodes: 5, seconds: 0.0 }).unwrap();
        drop(file);
        let valid = std::fs::read_to_string(&name).unwrap();
        // A changed digit is found by the checksum.
        std::fs::write(&name, valid.replace("\"nodes\":5", "\"nodes\":6")).unwrap();
        let (_, known, damaged) = open().unwrap();
        assert!(known.is_empty() && damaged == 1);
        let other = header().format_row(1, PartCount { nodes: 6, seconds: 0.0 });
        std::fs::write(&name, valid.clone() + &other).unwrap();
        assert!(message(open().map(drop)).contains("part 1 has two counts"));
        std::fs::write(&name, "{}\n").unwrap();
        assert!(message(open().map(drop)).contains(":1: this is no state of a perft"));
        std::fs::write(&name, valid.replace("\"depth\":5", "\"depth\":6")).unwrap();
        assert!(message(open().map(drop)).contains("another count"));
    }
}
