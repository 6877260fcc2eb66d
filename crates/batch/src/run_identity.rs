//! What makes two runs the same one, and the refusal of another one.
//!
//! The identity of a run is everything on which its results depend, as a JSON object: options, checksums of networks
//! and data. A field that is missing counts as null, so that a later version may add one.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The words in which the file of another run is refused.
#[derive(Clone, Copy, Debug)]
pub struct RunTerms {
    /// What the file is of, such as `a run`.
    pub what: &'static str,
    /// The names of fields for people. A field that is not here is the option of its name, such as `--nodes`.
    pub labels: &'static [(&'static str, &'static str)],
    /// What to do, such as `use another folder`.
    pub advice: &'static str,
}

/// The error of a file that belongs to another run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is of {found}; {advice}", path.display())]
pub struct OtherRunError {
    /// The file or folder.
    pub path: PathBuf,
    /// What it is of: `a run with --nodes 60, not 61`.
    pub found: String,
    /// What to do.
    pub advice: &'static str,
}

/// Checks that the run of a file is the requested one.
///
/// ```
/// use std::path::Path;
///
/// use alfil_batch::run_identity::{RunTerms, check_identity};
/// use serde_json::json;
///
/// let terms = RunTerms { what: "a run", labels: &[("hash_mib", "--hash")], advice: "use another file" };
/// let [found, requested] = [60, 61].map(|nodes| json!({"nodes": nodes, "hash_mib": 4}));
/// assert!(check_identity(Path::new("run"), &found, &found, &terms).is_ok());
/// let error = check_identity(Path::new("run"), &found, &requested, &terms).unwrap_err();
/// assert_eq!(error.to_string(), "run is of a run with --nodes 60, not 61; use another file");
/// ```
///
/// # Errors
/// If a field differs: the error has each with both values.
pub fn check_identity(
    path: &Path,
    found: &Value,
    requested: &Value,
    terms: &RunTerms,
) -> Result<(), OtherRunError> {
    let keys = |identity: &Value| {
        let fields = identity.as_object().into_iter().flatten();
        fields.map(|(key, _)| key.clone()).collect::<Vec<_>>()
    };
    let mut all = keys(found);
    all.extend(keys(requested).into_iter().filter(|key| found.get(key).is_none()));
    let changed = all.iter().filter(|key| found[key.as_str()] != requested[key.as_str()]);
    let describe = |key: &String| {
        let label = terms.labels.iter().find(|(field, _)| field == key);
        let label = label.map_or_else(|| format!("--{key}"), |(_, label)| (*label).to_owned());
        format!(
            "{label} {}, not {}",
            format_value(&found[key.as_str()]),
            format_value(&requested[key.as_str()])
        )
    };
    let changed: Vec<_> = changed.map(describe).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let found = format!("{} with {}", terms.what, changed.join(", "));
    Err(OtherRunError { path: path.to_owned(), found, advice: terms.advice })
}

/// Formats a value as on the command line.
fn format_value(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
