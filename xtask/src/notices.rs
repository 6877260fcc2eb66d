//! The licences of the works of others that a release contains.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::shell::{command, output_of, workspace_root};
use crate::site;
use crate::wasm;

/// A work of others: a crate, or a package of npm.
#[derive(Debug)]
struct Work {
    name: String,
    version: String,
    /// An expression of SPDX.
    licence: String,
    address: String,
    /// The texts of its licences and notices.
    texts: Vec<String>,
}

/// Returns the notices of the program and of the static page, as a text: every work with its version, licence and
/// address, and then every text of a licence once.
///
/// # Errors
/// If cargo fails, or the licence of a work has no text.
pub(crate) fn third_party_notices() -> anyhow::Result<String> {
    let mut works = crates()?;
    works.extend(npm_packages()?);
    works.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(format_notices(&works))
}

/// Returns the crates of the program and of the page's module.
fn crates() -> anyhow::Result<Vec<Work>> {
    let mut names = shipped_crates(&["--package", "alfil"])?;
    let page = ["--package", "alfil-wasm", "--target", wasm::TARGET, "--no-default-features", "--features"];
    names.extend(shipped_crates(&[&page[..], &[site::FEATURES]].concat())?);
    // Without the platforms, cargo would fetch the crates of all others, too.
    let platforms = ["--filter-platform", &host_platform()?, "--filter-platform", wasm::TARGET];
    let metadata = output_of(&mut command(
        ".",
        &[&["cargo", "metadata", "--format-version", "1"], &platforms[..]].concat(),
    ))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
    let mut works = Vec::new();
    for package in packages {
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        let (name, version, licence) = (text("name"), text("version"), text("license"));
        if !names.remove(&(name.clone(), version.clone())) {
            continue;
        }
        let manifest = text("manifest_path");
        let folder = Path::new(&manifest).parent().context("a manifest is in a folder")?;
        let texts = licence_texts(folder, &licence).with_context(|| format!("{name} {version}"))?;
        works.push(Work { name, version, licence, address: text("repository"), texts });
    }
    ensure!(names.is_empty(), "cargo metadata lacks {names:?}");
    Ok(works)
}

/// Returns names and versions of the crates of others whose code is in what is built of a package of the workspace.
fn shipped_crates(package: &[&str]) -> anyhow::Result<BTreeSet<(String, String)>> {
    let tree = ["cargo", "tree", "--prefix", "none", "--edges", "normal,no-proc-macro", "--format", "{p}"];
    Ok(parse_tree(&output_of(&mut command(".", &[&tree[..], package].concat()))?))
}

/// Returns the platform of the compiler.
fn host_platform() -> anyhow::Result<String> {
    let version = output_of(&mut command(".", &["rustc", "--version", "--verbose"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say for which platform it is")
}

/// Returns the crates of others in lines like `memchr v2.7.4 (*)`. A crate of the workspace has a path.
fn parse_tree(lines: &str) -> BTreeSet<(String, String)> {
    let lines = lines.lines().map(|line| line.trim_end_matches(" (*)")).filter(|line| !line.contains(" ("));
    lines
        .filter_map(|line| line.split_once(" v"))
        .map(|(name, version)| (name.into(), version.into()))
        .collect()
}

/// Returns the packages of npm that are in the page: those that its lock file does not mark as tools.
fn npm_packages() -> anyhow::Result<Vec<Work>> {
    let web = workspace_root().join("web");
    let lock: Value = serde_json::from_str(&fs::read_to_string(web.join("package-lock.json"))?)?;
    let packages = lock["packages"].as_object().context("package-lock.json has no packages")?;
    let mut works = Vec::new();
    for (path, package) in packages {
        let Some((_, name)) = path.rsplit_once("node_modules/") else { continue };
        if ["dev", "devOptional"].iter().any(|field| package[field] == Value::Bool(true)) {
            continue;
        }
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        let texts = licence_texts(&web.join(path), &text("license")).with_context(|| name.to_owned())?;
        let address = format!("https://www.npmjs.com/package/{name}");
        works.push(Work {
            name: name.to_owned(),
            version: text("version"),
            licence: text("license"),
            address,
            texts,
        });
    }
    Ok(works)
}

/// Returns the texts of the licences in the folder of a work. Without one the text of the Apache licence, which names
/// no holder of a copyright, is that of the workspace.
fn licence_texts(folder: &Path, licence: &str) -> anyhow::Result<Vec<String>> {
    let is_notice = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["license", "licence", "copying", "copyright", "notice", "unlicense"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        if is_notice(&entry.file_name().to_string_lossy()) && entry.file_type()?.is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        // Lines with spaces at their ends make two texts of one.
        let text = String::from_utf8_lossy(&text).lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        texts.push(text.trim_matches('\n').to_owned());
    }
    if texts.is_empty() && licence.split_whitespace().any(|word| word == "Apache-2.0") {
        texts
            .push(fs::read_to_string(workspace_root().join("LICENSE-APACHE"))?.trim_matches('\n').to_owned());
    }
    if texts.is_empty() {
        bail!("{} has no text of its licence, which is {licence:?}", folder.display());
    }
    Ok(texts)
}

fn format_notices(works: &[Work]) -> String {
    let mut text = String::from(
        "Alfil contains these works of others, besides the standard library of Rust (MIT OR Apache-2.0,\n\
         https://github.com/rust-lang/rust) and the works in the book, which its file licenses.txt has. The texts of their\n\
         licences follow.\n\n",
    );
    let mut holders = BTreeMap::<&str, Vec<String>>::new();
    for Work { name, version, licence, address, texts } in works {
        let _ = writeln!(text, "{name} {version} ({licence}) {address}");
        for licence in texts {
            holders.entry(licence).or_default().push(format!("{name} {version}"));
        }
    }
    for (licence, holders) in holders {
        let line = "-".repeat(80);
        let _ = write!(text, "\n{line}\n{}\n{line}\n\n{licence}\n", holders.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_of_the_workspace_are_not_those_of_others() {
        let tree = "alfil v0.1.0 (/home/alfil)\nmemchr v2.7.4\nalfil-chess v0.1.0 (/home/chess) (*)\nmemchr v2.7.4 (*)\n";
        assert_eq!(parse_tree(tree), BTreeSet::from([("memchr".to_owned(), "2.7.4".to_owned())]));
    }

    #[test]
    fn a_licence_without_a_text_is_an_error_unless_its_text_is_known() {
        let folder = std::env::temp_dir().join(format!("alfil-notices-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("README.md"), "licensed").unwrap();
        assert!(licence_texts(&folder, "MIT").unwrap_err().to_string().contains("no text of its licence"));
        let known = licence_texts(&folder, "MIT OR Apache-2.0").unwrap();
        assert!(known[0].contains("Apache License"), "{known:?}");
        fs::write(folder.join("LICENSE-MIT"), "Permission is granted  \n\n").unwrap();
        assert_eq!(licence_texts(&folder, "MIT").unwrap(), ["Permission is granted"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_text_that_several_works_share_stands_once() {
        let work = |name: &str, text: &str| Work {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: "MIT".to_owned(),
            address: "https://example.org".to_owned(),
            texts: vec![text.to_owned()],
        };
        let text = format_notices(&[work("a", "Freely."), work("b", "Gladly."), work("c", "Freely.")]);
        assert_eq!(text.matches("Freely.").count(), 1);
        assert!(text.contains("\na 1.0.0, c 1.0.0\n"), "{text}");
        assert!(text.contains("b 1.0.0 (MIT) https://example.org\n"), "{text}");
    }
}
