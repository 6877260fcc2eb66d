//! The tasks of the workspace: `cargo xtask serve` builds and starts the server, `cargo xtask test` runs all tests,
//! `cargo xtask python`, `cargo xtask c` and `cargo xtask wasm` build and test the packages for Python, C and
//! JavaScript, `cargo xtask board` the npm package of the board element, `cargo xtask site` builds the page without a
//! server, `cargo xtask book` builds the book of the documents, `cargo xtask dist` makes the archives of a release,
//! `cargo xtask wire` writes the types of the page's messages, `cargo xtask package` packages the library crates and
//! tests the packages, `cargo xtask words` checks the language, `cargo xtask rivals` measures the speed against other
//! programs.

mod board;
mod book;
mod c;
mod dist;
mod files;
mod licences;
mod node;
mod notices;
mod package;
mod python;
mod rivals;
mod serve;
mod shell;
mod site;
mod test;
mod usage;
mod wasm;
mod wire;
mod words;

use clap::{Parser, Subcommand};

/// The tasks of the workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build page and server, and serve.
    Serve(serve::Serve),
    /// Run all tests.
    Test(test::Test),
    /// Build the wheel of the Python package and run its tests.
    Python(python::Python),
    /// Build the C library and run its tests.
    C(c::C),
    /// Build the JavaScript package and run its tests.
    Wasm(wasm::Wasm),
    /// Build the page without a server: a folder of static files.
    Site(site::Site),
    /// Build the book: the documents as a site.
    Book(book::Book),
    /// Make the archives of a release.
    Dist(dist::Dist),
    /// Package the library crates, and build and test the packages.
    Package(package::Package),
    /// Build the npm package of the board element and run its tests.
    Board(board::Board),
    /// Write the TypeScript types of the messages between page and session.
    Wire(wire::Wire),
    /// Check the language of sources and documents.
    Words(words::Words),
    /// Measure the speed against installed rivals: medians of alternating runs.
    Rivals(rivals::Rivals),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Serve(serve) => serve.run(),
        Command::Test(test) => test.run(),
        Command::Python(python) => python.run(),
        Command::C(c) => c.run(),
        Command::Wasm(wasm) => wasm.run(),
        Command::Site(site) => site.run(),
        Command::Book(book) => book.run(),
        Command::Dist(dist) => dist.run(),
        Command::Package(package) => package.run(),
        Command::Board(board) => board.run(),
        Command::Wire(wire) => wire.run(),
        Command::Words(words) => words.run(),
        Command::Rivals(rivals) => rivals.run(),
    }
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn options_of_which_one_would_be_ignored_are_refused() {
        for arguments in [
            "c --header --prefix folder",
            "c --header --long",
            "c --header --dev",
            "c --prefix folder --long",
            "wasm --build --speed",
            "wasm --build --long",
            "wasm --speed --long",
            "python --speed --long",
            "package --long --test alfil-chess",
            "book --watch --write",
        ] {
            let error = Cli::try_parse_from(["xtask"].into_iter().chain(arguments.split(' '))).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ArgumentConflict, "{arguments}");
        }
        Cli::try_parse_from(["xtask", "package", "--long"]).unwrap();
    }
}
