//! Files that get their names when they are complete.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// Creates a file under a new name, in the folder of the file that it will become: `persist` gives it that name.
///
/// ```
/// use std::io::Write as _;
///
/// use alfil_batch::temporary_file::create_temporary;
///
/// let folder = tempfile::tempdir()?;
/// let mut file = create_temporary(folder.path())?;
/// write!(file, "1. e4 *")?;
/// let path = folder.path().join("games.pgn");
/// assert!(!path.exists());
/// file.persist(&path)?;
/// assert_eq!(std::fs::read_to_string(path)?, "1. e4 *");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the file cannot be created.
pub fn create_temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".alfil-").suffix(".part");
    // The creation mask of the process removes what others may not do, as for other files.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
