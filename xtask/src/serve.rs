//! `cargo xtask serve`: builds page and server from a checkout and starts the server.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::anyhow;
use clap::Args;

use crate::node::{self, install_packages};
use crate::shell::{path_text, run, target_folder, workspace_root};

/// Build page and server, and serve.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port on this machine.
    #[arg(long, default_value_t = 7878)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Folder in which games are saved.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Build the whole program, as in a release: it takes more than twice as long, and the engine is a little faster.
    #[arg(long)]
    release: bool,
}

/// The build of the server alone: see its profile in `Cargo.toml`.
const BUILD_SERVER: [&str; 6] = ["cargo", "build", "--profile", "serve", "--package", "alfil-server"];
/// The build of the whole program.
const BUILD_PROGRAM: [&str; 5] = ["cargo", "build", "--release", "--package", "alfil"];

impl Serve {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if self.release {
            eprintln!(
                "Building the page and the whole program. The first time takes 7 to 13 minutes on two cores; later it \
                 is quick."
            );
            build_page_if_possible()?;
            run(".", &BUILD_PROGRAM)?;
        } else {
            eprintln!(
                "Building the page and its server. The first time takes 3 to 6 minutes on two cores; later it is quick."
            );
            // The server reads the page from the disk, so that both are built side by side.
            let page = std::thread::spawn(build_page_if_possible);
            let server = run(".", &BUILD_SERVER);
            page.join().map_err(|_| anyhow!("the build of the page panicked"))??;
            server?;
        }
        let arguments = self.program()?;
        run(".", &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Returns the path of the program and its arguments.
    fn program(&self) -> anyhow::Result<Vec<String>> {
        let (program, command) =
            if self.release { ("release/alfil", Some("serve")) } else { ("serve/alfil-server", None) };
        let mut arguments = vec![path_text(&target_folder().join(program))?.to_owned()];
        arguments.extend(command.map(str::to_owned));
        arguments.extend(["--port".to_owned(), self.port.to_string()]);
        if self.open {
            arguments.push("--open".to_owned());
        }
        if let Some(data) = &self.data {
            // The program runs in the root of the workspace.
            let data = std::path::absolute(data)?;
            arguments.extend(["--data".to_owned(), path_text(&data)?.to_owned()]);
        }
        Ok(arguments)
    }
}

/// Builds the page, or says what is missing: the server then shows a page that says the same.
fn build_page_if_possible() -> anyhow::Result<()> {
    match node::missing_requirement() {
        None => build_page(),
        Some(remedy) => {
            eprintln!("The page is not built: {remedy}");
            Ok(())
        }
    }
}

/// Returns the contents and the modification times of the built page's files.
fn built_files() -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let entries = fs::read_dir(workspace_root().join("web/dist")).into_iter().flatten().flatten();
    let file = |path: PathBuf| {
        let written = path.metadata().ok()?.modified().ok()?;
        Some((path.clone(), (fs::read(path).ok()?, written)))
    };
    entries.filter_map(|entry| file(entry.path())).collect()
}

/// Installs the page's packages if needed, and builds the page.
pub(crate) fn build_page() -> anyhow::Result<()> {
    install_packages("web")?;
    let before = built_files();
    run("web", &["npm", "run", "--silent", "build"])?;
    let after = built_files();
    let text = |(path, (text, _)): (&PathBuf, &(Vec<u8>, SystemTime))| (path.clone(), text.clone());
    if before.iter().map(text).eq(after.iter().map(text)) {
        // The page is unchanged: restored times avoid a recompilation.
        for (path, (_, written)) in before {
            File::options().append(true).open(path)?.set_modified(written)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_folder_is_taken_from_the_folder_of_the_caller() {
        let data = std::env::current_dir().unwrap().join("games");
        let options = ["--port", "80", "--data", data.to_str().unwrap()];
        for (release, name, expected) in
            [(false, "alfil-server", options.to_vec()), (true, "alfil", [&["serve"], &options[..]].concat())]
        {
            let serve = Serve { port: 80, open: false, data: Some("games".into()), release };
            let program = serve.program().unwrap();
            assert!(program[0].ends_with(name), "{}", program[0]);
            assert_eq!(program[1..], expected);
        }
    }
}
