//! `alfil keys`: makes, lists and revokes the keys of the workers of analyses.

use std::io::ErrorKind;
use std::path::PathBuf;

use alfil_batch::nats_queue::{KeyList, KnownKey};
use alfil_batch::queue::QueueError;
use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use crate::errors::{CommandResult, Failure};
use crate::output::{print_line, write_file, write_secret_file};
use crate::source_args::plural;

/// Make, list and revoke the keys of workers.
///
/// A worker with a key (`alfil worker --key`) signs its results, and a coordinator with the list of keys (`alfil
/// analyse --keys`) takes no others. Without an option this lists the keys. A running coordinator reads a changed list.
#[derive(Debug, Args)]
pub(crate) struct Keys {
    /// File with the list of keys, for the coordinator. It has no secrets.
    #[arg(value_name = "FILE")]
    list: PathBuf,
    /// Make a key for a new worker of this name.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["revoke", "server"])]
    add: Option<String>,
    /// File for the new key, which only its worker may have [default: NAME.key].
    #[arg(short, long, value_name = "FILE", requires = "add")]
    output: Option<PathBuf>,
    /// Revoke the key of a worker.
    #[arg(long, value_name = "NAME", conflicts_with = "server")]
    revoke: Option<String>,
    /// Print users for the configuration of a NATS server that knows the workers by their keys.
    #[arg(long)]
    server: bool,
    /// Print the list as JSON.
    #[arg(long, conflicts_with_all = ["add", "revoke", "server"])]
    json: bool,
}

impl Keys {
    pub(crate) fn run(&self) -> CommandResult {
        let mut keys = match KeyList::read(&self.list) {
            Err(QueueError::File { error, .. })
                if error.kind() == ErrorKind::NotFound && self.add.is_some() =>
            {
                KeyList::default()
            }
            keys => keys?,
        };
        if let Some(name) = &self.add {
            let key = keys.add(name).map_err(Failure::Input)?;
            let output = self.output.clone().unwrap_or_else(|| format!("{name}.key").into());
            // The key is first: one that no list has harms less than one that no worker has.
            write_secret_file(&output, key.to_text().as_bytes())
                .with_context(|| format!("cannot create {}", output.display()))?;
            write_file(&self.list, keys.to_text().as_bytes())?;
            let count = plural(keys.keys().len() as u64, "key");
            return Ok(print_line(format_args!(
                "{} is the key of {name}: take it to its machine; {} has {count}",
                output.display(),
                self.list.display()
            ))?);
        }
        if let Some(name) = &self.revoke {
            if !keys.revoke(name) {
                let list = self.list.display();
                return Err(Failure::Input(format!(
                    "{list} has no key of {name}: alfil keys {list} lists them"
                )));
            }
            write_file(&self.list, keys.to_text().as_bytes())?;
            return Ok(print_line(format_args!("the key of {name} is revoked"))?);
        }
        if self.server {
            return Ok(print_line(keys.server_config().trim_end())?);
        }
        if self.json {
            return Ok(print_line(json!({"keys": keys.keys()}))?);
        }
        for KnownKey { name, key, revoked } in keys.keys() {
            print_line(format_args!("{name}  {key}{}", if *revoked { "  revoked" } else { "" }))?;
        }
        Ok(())
    }
}
