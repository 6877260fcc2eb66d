//! `cargo xtask dist`: makes what a release has: the program, its manual and completions, licences and the page without
//! a server, as an archive and as a package of Debian.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail, ensure};
use clap::Args;

use crate::book;
use crate::files::{copy, copy_folder, files_below, make_folder_of};
use crate::node;
use crate::notices::third_party_notices;
use crate::serve::build_page;
use crate::shell::{command, is_available, output_of, path_text, run, skip, target_folder, workspace_root};
use crate::site;

/// Make the archives of a release: `alfil-VERSION-SYSTEM.tar.gz` and, where `dpkg-deb` is installed, a package of
/// Debian.
#[derive(Debug, Args)]
pub(crate) struct Dist {
    /// The folder of the archives.
    #[arg(long, value_name = "DIR", default_value = "target/dist")]
    out: PathBuf,
    /// Take this program instead of building that of a release.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Take this page without a server instead of building it.
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
    /// Install the archives into empty folders and try what is there.
    #[arg(long)]
    check: bool,
}

/// The version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The shells with completions, and where an installation has them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/alfil"),
    ("zsh", "share/zsh/site-functions/_alfil"),
    ("fish", "share/fish/vendor_completions.d/alfil.fish"),
];

/// Where Debian has the completions of zsh that come from packages.
const DEBIAN_ZSH: &str = "share/zsh/vendor-completions/_alfil";

/// The documents, and their names in an installation.
const DOCUMENTS: [(&str, &str); 5] = [
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("crates/session/NOTICE", "NOTICE"),
    ("README.md", "README.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
];

/// Where an installation has its documents.
const DOCUMENT_FOLDER: &str = "share/doc/alfil";

/// Where an installation has the page without a server.
const SITE_FOLDER: &str = "share/alfil/site";

impl Dist {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let program = match &self.program {
            Some(program) => std::path::absolute(program)?,
            None => build_program()?,
        };
        let site = match &self.site {
            Some(site) => std::path::absolute(site)?,
            None => site::build()?,
        };
        let out = std::path::absolute(&self.out)?;
        let name = format!("alfil-{VERSION}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
        let folder = out.join(&name);
        // A file of an earlier build would be packed, too.
        remove_folder(&folder)?;
        fill(&folder, &program, &site)?;
        let archive = out.join(format!("{name}.tar.gz"));
        pack_archive(&out, &name, &archive)?;
        let package = if is_available(&["dpkg-deb", "--version"]) {
            Some(make_debian_package(&out, &folder)?)
        } else {
            skip("the package of Debian", "It needs dpkg-deb, which Debian's package dpkg has")?;
            None
        };
        for file in [Some(&archive), package.as_ref()].into_iter().flatten() {
            eprintln!("{:>8.1} MB  {}", megabytes(file)?, file.display());
        }
        if self.check { check(&out, &name, &archive, package.as_deref()) } else { Ok(()) }
    }
}

/// Makes the archives of a program and a page that are built already, and tries them.
///
/// # Errors
/// If the archives cannot be made, or what they install does not work.
pub(crate) fn test_built(program: &Path, site: &Path) -> anyhow::Result<()> {
    let out = workspace_root().join("target/dist-test");
    Dist { out, program: Some(program.to_owned()), site: Some(site.to_owned()), check: true }.run()
}

/// Makes the archives of a release, and tries them.
///
/// # Errors
/// If a build fails, or what the archives install does not work.
pub(crate) fn test_release() -> anyhow::Result<()> {
    Dist { out: workspace_root().join("target/dist"), program: None, site: None, check: true }.run()
}

/// Builds the program of a release, with the page in it, and returns its path.
fn build_program() -> anyhow::Result<PathBuf> {
    if let Some(remedy) = node::missing_requirement() {
        bail!(remedy);
    }
    build_page()?;
    // The program has the book in it.
    book::build()?;
    run(".", &["cargo", "build", "--release", "--package", "alfil"])?;
    Ok(target_folder().join("release").join(program_name()))
}

fn program_name() -> &'static str {
    if cfg!(windows) { "alfil.exe" } else { "alfil" }
}

/// Fills a folder with what is installed.
fn fill(folder: &Path, program: &Path, site: &Path) -> anyhow::Result<()> {
    let installed = folder.join("bin").join(program_name());
    copy(program, &installed)?;
    // What only a debugger reads.
    if is_available(&["strip", "--version"]) {
        run(".", &["strip", path_text(&installed)?])?;
    }
    let program = path_text(&installed)?;
    let manual = folder.join("share/man/man1");
    run(".", &[program, "man", path_text(&manual)?])?;
    for page in files_below(&manual)? {
        output_of(&mut command(".", &["gzip", "--best", "--no-name", path_text(&page)?]))?;
    }
    for (shell, place) in COMPLETIONS {
        let completions = output_of(&mut command(".", &[program, "completions", shell]))?;
        write(&folder.join(place), completions.as_bytes())?;
    }
    for (document, name) in DOCUMENTS {
        copy(&workspace_root().join(document), &folder.join(DOCUMENT_FOLDER).join(name))?;
    }
    let notices = third_party_notices()?;
    write(&folder.join(DOCUMENT_FOLDER).join("THIRD-PARTY-NOTICES"), notices.as_bytes())?;
    ensure!(
        site.join("index.html").is_file(),
        "{} has no index.html: build it by cargo xtask site",
        site.display()
    );
    copy_folder(site, &folder.join(SITE_FOLDER))
}

/// Packs a folder. The archives of one commit are equal: their files have its date and no owner.
fn pack_archive(out: &Path, name: &str, archive: &Path) -> anyhow::Result<()> {
    let date = format!("--mtime=@{}", commit_date());
    let options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", date.as_str()];
    let mut tar = command(".", &["tar"]);
    tar.args(options).args([
        "--directory",
        path_text(out)?,
        "--use-compress-program",
        "gzip --best --no-name",
    ]);
    tar.args(["--create", "--file"]).arg(archive).arg(name);
    output_of(&mut tar).map(drop)
}

/// Returns the date of the commit in seconds since 1970, or 0 where there is no repository.
fn commit_date() -> String {
    let date = output_of(&mut command(".", &["git", "log", "-1", "--format=%ct"]));
    date.map_or_else(|_| "0".to_owned(), |date| date.trim().to_owned())
}

/// Makes a package of Debian, and returns its path.
fn make_debian_package(out: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let root = out.join("debian");
    remove_folder(&root)?;
    for file in files_below(folder)? {
        let name = file.strip_prefix(folder)?;
        let name = if name == Path::new(COMPLETIONS[1].1) { Path::new(DEBIAN_ZSH) } else { name };
        copy(&file, &root.join("usr").join(name))?;
    }
    write(&root.join("usr").join(DOCUMENT_FOLDER).join("copyright"), copyright().as_bytes())?;
    let architecture = output_of(&mut command(".", &["dpkg", "--print-architecture"]))?.trim().to_owned();
    let program = fs::read(root.join("usr/bin").join(program_name()))?;
    let (major, minor) = glibc_version(&program).context("the program does not say which libc it needs")?;
    let bytes =
        files_below(&root)?.iter().map(|file| Ok(file.metadata()?.len())).sum::<anyhow::Result<u64>>()?;
    let control = format!(
        "Package: alfil\n\
         Version: {VERSION}\n\
         Architecture: {architecture}\n\
         Maintainer: {}\n\
         Installed-Size: {}\n\
         Depends: libc6 (>= {major}.{minor}), libgcc-s1\n\
         Section: games\n\
         Priority: optional\n\
         Description: xiangqi, chess and Othello: rules, engines and analysis\n \
         One program that plays and analyses xiangqi, chess and Othello in the browser, in the terminal and as an\n \
         engine of other programs, and that converts and searches files of games.\n",
        env!("CARGO_PKG_AUTHORS"),
        bytes.div_ceil(1024)
    );
    write(&root.join("DEBIAN/control"), control.as_bytes())?;
    let package = out.join(format!("alfil_{VERSION}_{architecture}.deb"));
    let build = ["dpkg-deb", "--root-owner-group", "--build", path_text(&root)?, path_text(&package)?];
    let mut build = command(".", &build);
    output_of(build.env("SOURCE_DATE_EPOCH", commit_date()))?;
    Ok(package)
}

/// Returns what Debian wants to know about the licence, as its policy writes it.
fn copyright() -> String {
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: alfil\n\
         Comment: The texts of the licences are beside this file, those of the works of others in THIRD-PARTY-NOTICES.\n\
         \n\
         Files: *\n\
         Copyright: {}\n\
         License: {}\n",
        env!("CARGO_PKG_AUTHORS"),
        "MIT or Apache-2.0"
    )
}

/// Returns the newest version of glibc whose symbols a program of Linux names.
fn glibc_version(program: &[u8]) -> Option<(u32, u32)> {
    const START: &[u8] = b"GLIBC_";
    let starts = program.windows(START.len()).enumerate().filter(|(_, bytes)| *bytes == START);
    let versions = starts.filter_map(|(place, _)| {
        let rest = &program[place + START.len()..];
        let end = rest.iter().position(|byte| *byte == 0)?;
        let mut numbers = std::str::from_utf8(&rest[..end]).ok()?.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    versions.max()
}

/// Installs the archives into empty folders, and tries what is there.
fn check(out: &Path, name: &str, archive: &Path, package: Option<&Path>) -> anyhow::Result<()> {
    let root = out.join("root");
    remove_folder(&root)?;
    fs::create_dir_all(&root)?;
    run(".", &["tar", "--extract", "--file", path_text(archive)?, "--directory", path_text(&root)?])?;
    check_installation(&root.join(name), COMPLETIONS[1].1)?;
    if let Some(package) = package {
        let root = root.join("debian");
        run(".", &["dpkg-deb", "--extract", path_text(package)?, path_text(&root)?])?;
        check_installation(&root.join("usr"), DEBIAN_ZSH)?;
        ensure!(
            root.join("usr").join(DOCUMENT_FOLDER).join("copyright").is_file(),
            "the copyright is missing"
        );
    }
    eprintln!("What the archives install works.");
    Ok(())
}

/// Tries the program and the files of an installation, in an environment without a home.
fn check_installation(prefix: &Path, zsh: &str) -> anyhow::Result<()> {
    let program = prefix.join("bin").join(program_name());
    let version = output_of(installed(&program).arg("--version"))?;
    ensure!(version.trim() == format!("alfil {VERSION}"), "{} says {version:?}", program.display());
    let bench = output_of(installed(&program).args(["bench", "othello", "--json"]))?;
    let nodes =
        bench.lines().map(|line| Ok(serde_json::from_str::<serde_json::Value>(line)?["nodes"].clone()));
    let nodes = nodes.collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(nodes.len() > 1 && nodes[0].is_u64(), "the benchmark printed {bench}");
    ensure!(nodes.iter().all(|count| *count == nodes[0]), "the boards visit {nodes:?} nodes");
    // Each command has its page.
    let help = output_of(installed(&program).arg("--help"))?;
    ensure!(help.contains("bench"), "the help names no commands: {help}");
    for name in ["alfil", "alfil-bench", "alfil-serve"] {
        let page = prefix.join(format!("share/man/man1/{name}.1.gz"));
        let text = output_of(Command::new("gzip").args(["--decompress", "--stdout"]).arg(&page))?;
        ensure!(text.contains(".TH"), "{} is no manual page", page.display());
    }
    for (shell, place) in COMPLETIONS {
        let place = prefix.join(if shell == "zsh" { zsh } else { place });
        let text = fs::read_to_string(&place).with_context(|| format!("no completions of {shell}"))?;
        ensure!(text.contains("alfil") && text.contains("perft"), "{} has no completions", place.display());
    }
    if is_available(&["bash", "--version"]) {
        let load = format!("source '{}' && complete -p alfil", prefix.join(COMPLETIONS[0].1).display());
        output_of(Command::new("bash").args(["--norc", "-c", &load]))?;
    }
    for name in DOCUMENTS.map(|(_, name)| name).into_iter().chain(["THIRD-PARTY-NOTICES"]) {
        let document = prefix.join(DOCUMENT_FOLDER).join(name);
        ensure!(document.metadata().is_ok_and(|file| file.len() > 0), "{} is missing", document.display());
    }
    check_page_of_server(&program)?;
    check_site(&prefix.join(SITE_FOLDER), &program)
}

/// Checks that the server of an installed program has the page and the book.
fn check_page_of_server(program: &Path) -> anyhow::Result<()> {
    let data = std::env::temp_dir().join(format!("alfil-dist-{}", std::process::id()));
    let mut server = installed(program);
    server.args(["serve", "--port", "0", "--data"]).arg(&data);
    let server = Ended(server.stdout(Stdio::piped()).spawn().context("cannot start the server")?);
    let pages = pages_of(server, ["/", "/book/"]);
    let _ = fs::remove_dir_all(&data);
    for (page, content) in pages?.iter().zip(["<title>Alfil", "class=\"VPContent"]) {
        ensure!(page.starts_with("HTTP/1.1 200") && page.contains(content), "the server sends\n{page}");
    }
    Ok(())
}

/// A process that is ended with its value.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the responses of a server to requests of pages. The first line that it prints has its address.
fn pages_of<const N: usize>(mut server: Ended, paths: [&str; N]) -> anyhow::Result<Vec<String>> {
    let mut line = String::new();
    let output = server.0.stdout.take().context("the output is a pipe")?;
    BufReader::new(output).read_line(&mut line)?;
    let address = line.split("http://").nth(1).with_context(|| format!("the server printed {line:?}"))?;
    let (host, rest) = address.split_once('/').unwrap_or_default();
    let token = rest.split_whitespace().next().and_then(|query| query.split_once('=')).unwrap_or_default().1;
    let port = host.rsplit(':').next().unwrap_or_default();
    let request = |path| {
        let mut stream = TcpStream::connect(host).with_context(|| format!("no server at {host}"))?;
        let headers = format!("Host: {host}\r\nCookie: alfil-{port}={token}\r\nConnection: close");
        write!(stream, "GET {path} HTTP/1.1\r\n{headers}\r\n\r\n")?;
        let mut response = Vec::new();
        stream.read_to_end(&mut response)?;
        Ok(String::from_utf8_lossy(&response).into_owned())
    };
    paths.into_iter().map(request).collect()
}

/// Checks in a browser that an installed page without a server works, where there is one.
fn check_site(site: &Path, program: &Path) -> anyhow::Result<()> {
    let files = files_below(site)?;
    ensure!(files.iter().any(|file| file.ends_with("index.html")), "{} has no page", site.display());
    if let Some(remedy) = node::missing_requirement() {
        return skip("the test of the installed page in a browser", &remedy);
    }
    let mut browser = command("web", &["npm", "run", "--silent", "e2e", "--", "details.test.ts"]);
    browser.env("ALFIL_SITE", site).env("ALFIL_BIN", program);
    ensure!(browser.status()?.success(), "the installed page without a server does not work");
    Ok(())
}

/// Returns a command that runs an installed program without the environment and the folders of this user.
fn installed(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.env("HOME", "/nonexistent").current_dir(std::env::temp_dir());
    command
}

fn remove_folder(folder: &Path) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Writes a file, and makes its folder.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    make_folder_of(path)?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[expect(clippy::cast_precision_loss, reason = "for one decimal")]
fn megabytes(file: &Path) -> anyhow::Result<f64> {
    Ok(file.metadata()?.len() as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_libc_that_a_program_names_is_found() {
        let program = b"..GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0GLIBC_ABI_DT_RELR\0..";
        assert_eq!(glibc_version(program), Some((2, 34)));
        assert_eq!(glibc_version(b"GLIBC_"), None);
    }
}
