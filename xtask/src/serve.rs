//! `cargo xtask serve`: builds page and program from a checkout and starts the server.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;

use crate::node::{self, install_packages};
use crate::shell::{path_text, run, target_folder, workspace_root};

/// Build page and program, and serve.
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
}

impl Serve {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        match node::missing_requirement() {
            None => build_page()?,
            Some(remedy) => eprintln!("The page is not built: {remedy}"),
        }
        run(".", &["cargo", "build", "--release", "--package", "alfil"])?;
        let arguments = self.program()?;
        run(".", &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Returns the path of the program and its arguments.
    fn program(&self) -> anyhow::Result<Vec<String>> {
        let program = target_folder().join("release/alfil");
        let mut arguments = vec![path_text(&program)?.to_owned(), "serve".to_owned()];
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
        let serve = Serve { port: 80, open: false, data: Some("games".into()) };
        let data = std::env::current_dir().unwrap().join("games");
        let expected = ["serve", "--port", "80", "--data", data.to_str().unwrap()];
        assert_eq!(serve.program().unwrap()[1..], expected);
    }
}
