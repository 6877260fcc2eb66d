//! Keys of workers: a worker signs its reports, so that none can report under the name of another one, and a key that
//! is revoked reports nothing any more. They are keys of NATS (Ed25519), so a server can know its users by them, too.

use std::fmt;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;
use serde::{Deserialize, Serialize};

use super::protocol::SignedReport;
use super::worker::to_json_text;
use crate::chunk::hex_digest;
use crate::queue::QueueError;

/// The length of the name of a worker, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// The key of a worker, which only that worker has.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerKey {
    /// The name of the worker.
    name: String,
    /// The secret, as NATS writes it.
    seed: String,
}

impl fmt::Debug for WorkerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerKey").field("name", &self.name).finish_non_exhaustive()
    }
}

impl WorkerKey {
    /// Reads the file of a key.
    ///
    /// # Errors
    /// If it cannot be read, or is no key.
    pub fn read(path: &Path) -> Result<WorkerKey, QueueError> {
        let text = read_text(path)?;
        let key = serde_json::from_str::<WorkerKey>(&text).ok();
        key.filter(|key| is_name(&key.name) && key.pair().is_some()).ok_or_else(|| QueueError::Damaged {
            path: path.to_owned(),
            what: "it is no key of a worker: `alfil keys FILE --add NAME` makes one".into(),
        })
    }

    /// Returns the text of the file of the key, a line of JSON.
    pub fn to_text(&self) -> String {
        to_json_text(self) + "\n"
    }

    /// Returns the name of the worker.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the secret, for the server.
    pub(super) fn seed(&self) -> &str {
        &self.seed
    }

    fn pair(&self) -> Option<KeyPair> {
        KeyPair::from_seed(&self.seed).ok()
    }

    /// Signs a report on a chunk of an analysis.
    pub(super) fn sign(&self, analysis: &str, number: u64, report: String) -> SignedReport {
        let signed = signed_text(analysis, number, &report);
        let signature = self.pair().and_then(|pair| pair.sign(signed.as_bytes()).ok());
        SignedReport { report, signature: signature.map(|bytes| hex_digest(&bytes)) }
    }
}

/// Returns what the signature of a report covers: a report on another chunk is then as wrong as a changed one.
fn signed_text(analysis: &str, number: u64, report: &str) -> String {
    format!("alfil report\n{analysis}\n{number}\n{report}")
}

/// What the coordinator knows of the key of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownKey {
    /// The name of the worker.
    pub name: String,
    /// The public key, as NATS writes it.
    pub key: String,
    /// Whether the key is revoked.
    #[serde(default)]
    pub revoked: bool,
}

/// The keys that a coordinator knows: a file with a line of JSON for each.
///
/// ```
/// use alfil_batch::nats_queue::KeyList;
///
/// let mut keys = KeyList::default();
/// let key = keys.add("node7").unwrap();
/// assert_eq!(key.name(), "node7");
/// assert!(keys.add("node7").is_err(), "a name is given once");
/// assert!(keys.revoke("node7") && keys.keys()[0].revoked);
/// assert!(!keys.to_text().contains("seed"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyList {
    keys: Vec<KnownKey>,
}

impl KeyList {
    /// Reads the file of the keys.
    ///
    /// # Errors
    /// If it cannot be read, or a line is no key; the error has the number of the line.
    pub fn read(path: &Path) -> Result<KeyList, QueueError> {
        KeyList::parse(path, &read_text(path)?)
    }

    /// Parses the text of the file `path`.
    fn parse(path: &Path, text: &str) -> Result<KeyList, QueueError> {
        let mut list = KeyList::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let key = serde_json::from_str::<KnownKey>(line).ok();
            let is_new = |key: &KnownKey| list.keys.iter().all(|known| known.name != key.name);
            let is_key = |key: &KnownKey| is_name(&key.name) && KeyPair::from_public_key(&key.key).is_ok();
            let key = key.filter(|key| is_key(key) && is_new(key)).ok_or_else(|| QueueError::Damaged {
                path: path.to_owned(),
                what: format!("line {number} is no key of a worker, or its name is there already"),
            })?;
            list.keys.push(key);
        }
        Ok(list)
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        self.keys.iter().map(|key| to_json_text(key) + "\n").collect()
    }

    /// Returns the keys, in the order in which they were made.
    pub fn keys(&self) -> &[KnownKey] {
        &self.keys
    }

    /// Makes the key of a new worker.
    ///
    /// # Errors
    /// If the name is no name, or given already; the text says what is wrong.
    pub fn add(&mut self, name: &str) -> Result<WorkerKey, String> {
        if !is_name(name) {
            return Err(format!("{name:?} is no name: use up to {MAX_NAME_BYTES} letters, digits, - and _"));
        }
        if self.keys.iter().any(|known| known.name == name) {
            return Err(format!("{name} has a key already: a name is given once"));
        }
        let pair = KeyPair::new_user();
        let seed = pair.seed().map_err(|error| format!("cannot make a key: {error}"))?;
        self.keys.push(KnownKey { name: name.to_owned(), key: pair.public_key(), revoked: false });
        Ok(WorkerKey { name: name.to_owned(), seed })
    }

    /// Revokes the key of a worker; false if there is none of this name.
    pub fn revoke(&mut self, name: &str) -> bool {
        let key = self.keys.iter_mut().find(|known| known.name == name);
        key.map(|key| key.revoked = true).is_some()
    }

    /// Returns the users of a NATS server that knows its workers by these keys, as a part of its configuration.
    pub fn server_config(&self) -> String {
        let publish = PUBLISHED.map(|subject| format!("\"{subject}\"")).join(", ");
        let users: String = (self.keys.iter().filter(|known| !known.revoked))
            .map(|KnownKey { name, key, .. }| {
                format!("    # {name}\n    {{ nkey: {key}, permissions: $WORKER }}\n")
            })
            .collect();
        format!(
            "# Users of a NATS server: a coordinator with a password, and the workers with their keys.\n\
             WORKER: {{\n  publish: [{publish}]\n  subscribe: [\"_INBOX.>\"]\n}}\n\
             authorization {{\n  users: [\n    \
             # nats://coordinator@HOST, with this password in ALFIL_NATS_PASSWORD, also of the server's process\n    \
             {{ user: coordinator, password: $ALFIL_NATS_PASSWORD }}\n{users}  ]\n}}\n"
        )
    }

    /// Checks who has signed a report on a chunk of an analysis.
    ///
    /// # Errors
    /// Why it is refused.
    pub(super) fn verify(
        &self,
        analysis: &str,
        number: u64,
        name: &str,
        signed: &SignedReport,
    ) -> Result<(), &'static str> {
        let known = self.keys.iter().find(|known| known.name == name).ok_or("it has no key here")?;
        if known.revoked {
            return Err("its key is revoked");
        }
        let signature = signed.signature.as_deref().and_then(bytes_of_hex).ok_or("it has not signed")?;
        let text = signed_text(analysis, number, &signed.report);
        let pair = KeyPair::from_public_key(&known.key).map_err(|_| "its key is wrong")?;
        pair.verify(text.as_bytes(), &signature).map_err(|_| "its signature is not that of its key")
    }

    /// Returns the names whose keys are revoked.
    pub(super) fn revoked(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().filter(|known| known.revoked).map(|known| known.name.as_str())
    }
}

/// The subjects on which a worker publishes.
const PUBLISHED: [&str; 13] = [
    "alfil.*.report.*",
    "alfil.*.notice",
    "$JS.API.INFO",
    "$JS.API.STREAM.LIST",
    "$JS.API.STREAM.INFO.*",
    "$JS.API.STREAM.MSG.GET.*",
    "$JS.API.DIRECT.GET.>",
    "$JS.API.CONSUMER.INFO.*.workers",
    "$JS.API.CONSUMER.MSG.NEXT.*.workers",
    "$JS.ACK.*.workers.>",
    "$JS.ACK.*.*.*.workers.>",
    "$O.*.C.*",
    "$O.*.M.*",
];

/// The list of keys of a running coordinator, which is read again when its file has changed.
pub(super) struct WatchedKeys {
    path: PathBuf,
    /// The list, and the text that it was read from.
    list: KeyList,
    text: String,
}

impl WatchedKeys {
    pub(super) fn open(path: &Path) -> Result<WatchedKeys, QueueError> {
        let text = read_text(path)?;
        Ok(WatchedKeys { path: path.to_owned(), list: KeyList::parse(path, &text)?, text })
    }

    pub(super) fn list(&self) -> &KeyList {
        &self.list
    }

    /// Reads a file that has changed; returns whether it has. One that cannot be read now is read later.
    pub(super) fn update(&mut self) -> bool {
        let Some(text) = read_text(&self.path).ok().filter(|text| *text != self.text) else { return false };
        let Ok(list) = KeyList::parse(&self.path, &text) else { return false };
        (self.list, self.text) = (list, text);
        true
    }
}

fn read_text(path: &Path) -> Result<String, QueueError> {
    std::fs::read_to_string(path).map_err(|error| QueueError::File { path: path.to_owned(), error })
}

/// Returns whether a text can be the name of a worker: it stands in subjects, lists and configurations.
fn is_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_allowed)
}

fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_taken_from_its_signer_alone() {
        let mut keys = KeyList::default();
        let (key, other) = (keys.add("node7").unwrap(), keys.add("node8").unwrap());
        let signed = key.sign("a", 3, "{}".into());
        let verify = |keys: &KeyList, analysis, number, name, signed: &SignedReport| {
            keys.verify(analysis, number, name, signed)
        };
        assert_eq!(verify(&keys, "a", 3, "node7", &signed), Ok(()));
        let is_refused = |analysis, number, name, signed: &SignedReport| {
            assert!(verify(&keys, analysis, number, name, signed).is_err(), "{signed:?}");
        };
        is_refused("a", 4, "node7", &signed);
        is_refused("b", 3, "node7", &signed);
        is_refused("a", 3, "node8", &signed);
        is_refused("a", 3, "node9", &signed);
        is_refused("a", 3, "node7", &other.sign("a", 3, "{}".into()));
        for changed in [
            SignedReport { report: "{ }".into(), ..signed.clone() },
            SignedReport { signature: None, ..signed.clone() },
            SignedReport { signature: Some("zz".into()), ..signed.clone() },
            SignedReport { signature: Some("é".into()), ..signed.clone() },
        ] {
            is_refused("a", 3, "node7", &changed);
        }
        assert!(keys.revoke("node7") && !keys.revoke("node9"));
        assert_eq!(keys.verify("a", 3, "node7", &signed), Err("its key is revoked"));
    }

    #[test]
    fn files_of_keys_are_read_as_they_were_written_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let mut keys = KeyList::default();
        let key = keys.add("node7").unwrap();
        keys.add("node_8").unwrap();
        keys.revoke("node_8");
        std::fs::write(&path, keys.to_text()).unwrap();
        assert_eq!(KeyList::read(&path).unwrap(), keys);
        let config = keys.server_config();
        assert!(config.contains(&keys.keys()[0].key) && !config.contains(&keys.keys()[1].key), "{config}");
        for (text, expected) in [
            (keys.to_text().replace("node_8", "node7"), "line 2 "),
            (keys.to_text().replace("\"U", "\"V"), "line 1 "),
            (keys.to_text().replace("node7", "no de"), "line 1 "),
            ("notes\n".into(), "line 1 "),
            ("\nnotes\n".into(), "line 2 "),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = KeyList::read(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        std::fs::write(&path, key.to_text()).unwrap();
        assert_eq!(WorkerKey::read(&path).unwrap(), key);
        assert!(!format!("{key:?}").contains(&key.seed));
        std::fs::write(&path, key.to_text().replace("\"S", "\"T")).unwrap();
        assert!(WorkerKey::read(&path).is_err());
        for name in ["", "a b", "a.b", "ä", "*", &"a".repeat(65)] {
            assert!(keys.add(name).is_err(), "{name}");
        }
    }
}
