//! `cargo xtask c`: builds the C library and tests it with programs in C.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use crate::shell::{command, is_available, run, skip, workspace_root};

mod abi;
mod cmake;
mod install;

/// Build the C library into `target/c` and run its tests.
#[derive(Debug, Args)]
pub(crate) struct C {
    /// Build and install into this folder, with `include` and `lib`, and run no tests.
    #[arg(long, value_name = "DIR", conflicts_with = "long")]
    prefix: Option<PathBuf>,
    /// Write `apps/capi/include/alfil.h` anew from the sources, and what is new in it into `apps/capi/abi`.
    #[arg(long, conflicts_with_all = ["prefix", "long", "dev"])]
    header: bool,
    /// Also count larger perfts, and make ten million boards.
    #[arg(long)]
    long: bool,
    /// Build with the profile of the tests and the features of the workspace, together with what the tests need.
    #[arg(long)]
    dev: bool,
}

/// The folder of the package.
const PACKAGE: &str = "apps/capi";

/// Where the library is put for the tests.
const FOLDER: &str = "target/c";

/// The compilers with their flags; every warning is an error.
const CC: &[&str] = &["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"];
const CXX: &[&str] = &["c++", "-std=c++14", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"];

/// Invalid reads, writes and frees, and lost memory make a program fail, also memory that is only possibly lost: the
/// file that users get, too, names what is no leak. Uninitialised values are not searched: the compiler compares the
/// value of an `Option` before the byte that says whether there is one, where both comparisons are free of effects,
/// and valgrind cannot know that.
const VALGRIND: &[&str] = &[
    "valgrind",
    "--quiet",
    "--error-exitcode=9",
    "--undef-value-errors=no",
    "--leak-check=full",
    "--suppressions=target/c/share/alfil/valgrind.supp",
];

/// A test program with its arguments, which say how much it does.
struct Program {
    name: &'static str,
    arguments: &'static [&'static str],
    /// The arguments with `--long`.
    long: &'static [&'static str],
    /// The arguments under valgrind, which is some fifty times slower.
    valgrind: &'static [&'static str],
}

const PROGRAMS: &[Program] = &[
    Program { name: "boards", arguments: &["1000000"], long: &["10000000"], valgrind: &["300"] },
    Program { name: "facts", arguments: &["2000000"], long: &["50000000"], valgrind: &["20000", "20"] },
    Program { name: "hostile", arguments: &["1000"], long: &["100000"], valgrind: &["20"] },
    Program { name: "engine", arguments: &["2000"], long: &["100000"], valgrind: &["5"] },
    Program { name: "records", arguments: &[], long: &[], valgrind: &[] },
];

impl C {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if self.header {
            return write_header();
        }
        build(self.dev)?;
        match &self.prefix {
            Some(prefix) => {
                install::install(&std::path::absolute(prefix)?, self.dev)?;
                eprintln!("The library is in {}", prefix.display());
                Ok(())
            }
            None => {
                install::install(&workspace_root().join(FOLDER), self.dev)?;
                match missing_requirement() {
                    None => run_tests(self.long),
                    Some(remedy) => skip("the tests of the C library", remedy),
                }
            }
        }
    }
}

/// Builds the library with the profile of the tests and runs its tests.
///
/// # Errors
/// Returns an error if a step fails.
pub(crate) fn test_library(long: bool) -> anyhow::Result<()> {
    C { prefix: None, header: false, long, dev: true }.run()
}

/// Returns why the library cannot be tested here, if so.
pub(crate) fn missing_requirement() -> Option<&'static str> {
    if cfg!(windows) {
        return Some("They need Linux or macOS");
    }
    (!is_available(&["cc", "--version"])).then_some("They need a C compiler; install gcc or clang")
}

fn write_header() -> anyhow::Result<()> {
    let mut arguments = vec!["cargo", "test", "--quiet", "--package", "alfil-capi", "--test", "header"];
    // The other tests read the header.
    arguments.extend(["--", "--exact", "the_header_is_up_to_date"]);
    let mut test = command(".", &arguments);
    ensure!(test.env("ALFIL_WRITE_HEADER", "1").status()?.success(), "the header cannot be made");
    eprintln!("The header is {PACKAGE}/include/alfil.h");
    abi::record()
}

fn build(dev: bool) -> anyhow::Result<()> {
    if !dev {
        return run(".", &["cargo", "build", "--quiet", "--package", "alfil-capi", "--release"]);
    }
    // As `cargo test --workspace` selects them: for this package alone, crates of others would have fewer features, and
    // all that needs them would be built once more.
    let mut arguments =
        vec!["cargo", "build", "--quiet", "--workspace", "--lib", "--bins", "--tests", "--examples"];
    // These libraries are not needed here; without them, the others have the same features.
    arguments.extend(["--exclude", "alfil-python", "--exclude", "alfil-wasm"]);
    run(".", &arguments)
}

fn run_tests(long: bool) -> anyhow::Result<()> {
    abi::check()?;
    let programs = workspace_root().join(FOLDER).join("tests");
    fs::create_dir_all(&programs)?;
    for test in PROGRAMS {
        let program = compile(CC, &format!("{PACKAGE}/tests/{}.c", test.name), test.name)?;
        let arguments = if long { test.long } else { test.arguments };
        run(".", &[&[program.as_str()], arguments].concat())?;
    }
    let leak = compile(CC, &format!("{PACKAGE}/tests/leak.c"), "leak")?;
    test_static_library()?;
    test_examples()?;
    if is_available(&["c++", "--version"]) {
        run(".", &[&compile(CXX, &format!("{PACKAGE}/tests/cplusplus.cpp"), "cplusplus")?])?;
    } else {
        skip("the test of the C library from C++", "It needs a C++ compiler; install g++ or clang")?;
    }
    cmake::test()?;
    if !is_available(&["valgrind", "--version"]) {
        return skip("the tests of the C library under valgrind", "They need valgrind; install it");
    }
    for test in PROGRAMS {
        run(".", &[VALGRIND, &[&program_path(test.name)], test.valgrind].concat())?;
    }
    // The check itself works: it finds an object that is not freed.
    for kind in ["board", "text"] {
        let output = command(".", &[VALGRIND, &[leak.as_str(), kind]].concat()).output()?;
        ensure!(output.status.code() == Some(9), "valgrind does not see that a {kind} is leaked");
    }
    Ok(())
}

fn program_path(name: &str) -> String {
    workspace_root().join(FOLDER).join("tests").join(name).to_string_lossy().into_owned()
}

/// Compiles a program with the shared library and returns its path.
fn compile(compiler: &[&str], source: &str, name: &str) -> anyhow::Result<String> {
    let (program, lib) = (program_path(name), workspace_root().join(FOLDER).join("lib"));
    let (include, folder) = (format!("-I{FOLDER}/include"), format!("-L{FOLDER}/lib"));
    let rpath = format!("-Wl,-rpath,{}", lib.display());
    let rest = [include.as_str(), "-o", &program, source, &folder, "-lalfil", "-lpthread", &rpath];
    run(".", &[compiler, &rest].concat())?;
    Ok(program)
}

/// Runs a program that contains the library.
fn test_static_library() -> anyhow::Result<()> {
    let program = program_path("records-static");
    let (include, library) = (format!("-I{FOLDER}/include"), format!("{FOLDER}/lib/libalfil.a"));
    let source = format!("{PACKAGE}/tests/records.c");
    let rest = [include.as_str(), "-o", &program, &source, &library, "-lpthread", "-ldl", "-lm"];
    run(".", &[CC, &rest].concat())?;
    run(".", &[&program])
}

/// A block of C in a document, and the output that the document shows for it.
struct Snippet {
    code: String,
    output: Option<String>,
}

/// Compiles and runs the example, and the blocks of the documents.
fn test_examples() -> anyhow::Result<()> {
    let example = compile(CC, &format!("{PACKAGE}/examples/tour.c"), "tour")?;
    run(".", &[&example])?;
    for document in ["docs/libraries/c.md", "apps/capi/README.md"] {
        let snippets = snippets(&fs::read_to_string(workspace_root().join(document))?);
        ensure!(!snippets.is_empty(), "{document} has no block of C");
        for (number, snippet) in snippets.iter().enumerate() {
            test_snippet(&format!("{document}, block {} of C", number + 1), snippet)?;
        }
    }
    Ok(())
}

fn test_snippet(place: &str, snippet: &Snippet) -> anyhow::Result<()> {
    let source = program_path("snippet.c");
    let code = if snippet.code.contains("int main(") {
        snippet.code.clone()
    } else {
        let prelude = fs::read_to_string(workspace_root().join(PACKAGE).join("tests/snippet.h"))?;
        let check = "if (alfil_live_objects() != 0) return 3;\nreturn 0;\n";
        format!("{prelude}\nint main(void)\n{{\n{}{check}}}\n", snippet.code)
    };
    fs::write(&source, code)?;
    let program = compile(CC, &source, "snippet").with_context(|| place.to_owned())?;
    let output = command(".", &[&program]).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{place} ended with {}: {errors}", output.status);
    if let Some(expected) = &snippet.output {
        ensure!(text == *expected, "{place} printed\n{text}instead of\n{expected}");
    }
    Ok(())
}

/// Returns the blocks of C of a document; a block of text right after one is its output.
fn snippets(document: &str) -> Vec<Snippet> {
    let mut found: Vec<Snippet> = Vec::new();
    let mut lines = document.lines();
    // Whether nothing but empty lines followed the last block of C.
    let mut is_after_code = false;
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            is_after_code &= line.is_empty();
            continue;
        };
        let block: String =
            lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        match (language, found.last_mut()) {
            ("c", _) => found.push(Snippet { code: block, output: None }),
            ("text", Some(last)) if is_after_code => last.output = Some(block),
            _ => {}
        }
        is_after_code = language == "c";
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_text_is_the_output_of_the_block_of_c_before_it() {
        let document = "```c\nfirst();\n```\n\n```text\n1\n2\n```\n\n```c\nsecond();\n```\n\nWords.\n\n```text\n3\n```\n";
        let found = snippets(document);
        assert_eq!((found.len(), found[0].code.as_str()), (2, "first();\n"));
        assert_eq!((found[0].output.as_deref(), found[1].output.as_deref()), (Some("1\n2\n"), None));
    }
}
