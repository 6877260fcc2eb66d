//! The names of the files in the folder of an analysis.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use alfil_session::registry;

/// A part of the chunks of an analysis: those whose number, divided by `count`, leaves `index` - 1.
///
/// ```
/// use std::path::Path;
///
/// use alfil_batch::manifest::Shard;
///
/// let second = Shard { index: 2, count: 3 };
/// assert_eq!((0..9).filter(|&chunk| second.contains(chunk)).collect::<Vec<_>>(), [1, 4, 7]);
/// assert_eq!((second.chunk_count(9), second.chunk_count(8), second.chunk_count(1)), (3, 3, 0));
/// assert_eq!(second.path(Path::new("out")), Path::new("out/queue-2-of-3.sqlite"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the part, from 1.
    pub index: u64,
    /// The number of parts.
    pub count: u64,
}

impl Shard {
    /// The only part of an undivided analysis.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Returns whether a chunk is in this part.
    pub fn contains(self, chunk: u64) -> bool {
        chunk % self.count == self.index - 1
    }

    /// Returns how many of the first `total` chunks are in this part.
    pub fn chunk_count(self, total: u64) -> u64 {
        total.saturating_add(self.count - self.index) / self.count
    }

    /// Returns whether there is such a part.
    pub(crate) fn is_possible(self) -> bool {
        (1..=self.count).contains(&self.index)
    }

    /// Returns the path of the manifest of this part in the folder of an analysis.
    pub fn path(self, folder: &Path) -> PathBuf {
        folder.join(self.file_name())
    }

    fn file_name(self) -> String {
        match self {
            Shard::WHOLE => "queue.sqlite".to_owned(),
            Shard { index, count } => format!("queue-{index}-of-{count}.sqlite"),
        }
    }

    /// Returns the part whose manifest has this file name; none for other files, such as copies.
    pub(crate) fn from_file_name(name: &str) -> Option<Shard> {
        let shard = match name.strip_prefix("queue-") {
            Some(numbers) => {
                let (index, count) = numbers.strip_suffix(".sqlite")?.split_once("-of-")?;
                Shard { index: index.parse().ok()?, count: count.parse().ok()? }
            }
            None => Shard::WHOLE,
        };
        // A number with a leading zero is in no name of a manifest.
        (shard.is_possible() && shard.file_name() == name).then_some(shard)
    }
}

/// Returns whether a folder has a file with the name of the manifest of a part. One that cannot be read has none.
fn has_manifest(folder: &Path) -> bool {
    let mut names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.any(|name| name.to_str().and_then(Shard::from_file_name).is_some())
}

/// Returns the folder of the results of the chunks.
pub(crate) fn result_folder(folder: &Path) -> PathBuf {
    folder.join("chunks")
}

/// The ends of the names of merged files, which begin with the name of a game.
const ENDINGS: [&str; 5] = [".parquet", "-games.parquet", ".jsonl", "-games.jsonl", ".pgn"];

/// Returns whether a file or folder has a name that an analysis uses, in the folder of an analysis.
pub(crate) fn is_written_by_analysis(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) else {
        return false;
    };
    let is_merged =
        || registry::games().any(|game| name.strip_prefix(game).is_some_and(|end| ENDINGS.contains(&end)));
    let is_queue = name.starts_with("queue") && (name.contains(".sqlite") || name.ends_with(".lock"));
    (is_queue || path == result_folder(folder) || is_merged()) && has_manifest(folder)
}

/// Returns a file in a folder that a merge would replace, if there is one.
pub fn find_merged_file(folder: &Path) -> Option<PathBuf> {
    let mut names =
        registry::games().flat_map(|game| ENDINGS.map(|ending| folder.join(format!("{game}{ending}"))));
    names.find(|path| path.exists())
}
