//! Help, suggestions, completions, manual pages and examples, all made from the definitions of the commands.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::nats::Server;
use super::{PROGRAM, expect_error, expect_ok};

/// Returns the names of the commands, in the order of the listing.
pub(super) fn commands() -> Vec<String> {
    let help = expect_ok(&["--help"]);
    let listing = help.lines().skip_while(|line| !line.ends_with(':')).take_while(|line| *line != "Options:");
    let rows = listing.filter_map(|line| line.strip_prefix("  "));
    rows.map(|row| row.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn a_misspelt_command_option_or_value_is_answered_with_the_right_one() {
    expect_error(&["analyze"], 2, "did you mean analyse? see alfil --help");
    expect_error(&["preft", "chess"], 2, "did you mean perft?");
    expect_error(&["perft", "chess", "--dept", "3"], 2, "did you mean --depth? see alfil perft --help");
    expect_error(&["perft", "ches", "--depth", "3"], 2, "did you mean chess?");
    expect_error(&["judge", "--rules", "computr"], 2, "did you mean computer?");
    // Nothing is near.
    let (_, _, error) = super::run(&["xyzzy"]);
    assert!(!error.contains("did you mean"), "{error}");
}

#[test]
fn an_error_is_one_line_whatever_a_name_contains() {
    for args in [
        &["convert", "a\n\nb.pgn", "--to", "pgn"][..],
        &["show", "xiangqi", "--fen", "a\n\nb"],
        &["show", "a\n\nb"],
        &["games", "a\nb"],
    ] {
        let (status, out, error) = super::run(args);
        assert!(status > 0 && out.is_empty(), "{args:?}");
        assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
    }
}

#[test]
fn the_help_lists_every_command_in_groups_and_the_exit_statuses() {
    let help = expect_ok(&["--help"]);
    let places: Vec<_> =
        ["Play:", "Positions:", "Files of games:", "Engines:", "Installation:", "Options:", "Exit status:"]
            .iter()
            .map(|heading| {
                help.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{heading}: {help}"))
            })
            .collect();
    assert!(places.is_sorted(), "{help}");
    for command in commands() {
        assert!(help.contains(&format!("\n  {command} ")), "{command}: {help}");
        let of_command = expect_ok(&[&command, "--help"]);
        assert!(of_command.contains("Examples:"), "{command}: {of_command}");
    }
    assert!(help.contains("  130  Ctrl-C has ended the command"), "{help}");
}

#[test]
fn help_is_wrapped_at_the_width_of_the_terminal() {
    for command in ["perft", "match", "train", "analyse"] {
        let output = Command::new(PROGRAM).args([command, "--help"]).env("COLUMNS", "70").output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        let (options, _examples) = help.split_once("Examples:").unwrap();
        // A word that is longer than the line stays whole.
        let is_wrapped = |line: &str| line.chars().count() <= 70 || line.split_whitespace().count() <= 2;
        let wide: Vec<_> = options.lines().filter(|line| !is_wrapped(line)).collect();
        assert!(wide.is_empty(), "{command}: {wide:#?}");
    }
}

#[test]
fn the_values_of_closed_sets_are_in_the_help() {
    for (command, values) in [
        ("judge", "axf, computer, wxf2018, cxa2020, elephanteye, xqwlight"),
        ("judge", "ucci, uci10, iccs, wxf, chinese, chinese-traditional"),
        ("solve", "possible values: transcript"),
        ("show", "bitboard, folded, mailbox"),
        ("show", "generals_facing"),
        ("show", "uci960"),
        ("match", "elephanteye"),
        ("analyse", "elephanteye"),
        ("play", "elephanteye"),
        ("convert", "wxf"),
        ("spsa", "rfp_margin"),
    ] {
        let output = Command::new(PROGRAM).args([command, "--help"]).env("COLUMNS", "400").output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        let words: Vec<_> = help.split_whitespace().collect();
        assert!(words.join(" ").contains(values), "{command}: {values}: {help}");
    }
}

/// Bash once completed the names of rulesets, dialects, boards and waivers with the names of files.
#[test]
fn bash_completes_values_and_files_where_they_belong() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a-file.pgn"), "").unwrap();
    std::fs::write(folder.path().join("alfil.bash"), expect_ok(&["completions", "bash"])).unwrap();
    let complete = |words: &str| {
        let script = format!(
            "source ./alfil.bash; COMP_WORDS=({words} ''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _alfil alfil '' \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; echo \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    for (words, expected) in [
        ("alfil judge --rules", "axf computer wxf2018 cxa2020 elephanteye xqwlight"),
        ("alfil judge --dialect", "ucci uci10 iccs wxf chinese chinese-traditional"),
        ("alfil solve --dialect", "transcript"),
        ("alfil solve --board", "bitboard mailbox"),
        ("alfil convert --encoding", "utf-8"),
        ("alfil play --lang", "en zh"),
    ] {
        assert!(complete(words).starts_with(expected), "{words}: {}", complete(words));
    }
    for words in [
        "alfil show --waive",
        "alfil show --board",
        "alfil perft --depth",
        "alfil match --tc",
        "alfil show --fen",
    ] {
        assert!(!complete(words).contains("a-file.pgn"), "{words}: {}", complete(words));
    }
    for words in ["alfil show --pgn", "alfil convert -o", "alfil perft --state"] {
        assert!(complete(words).contains("a-file.pgn"), "{words}: {}", complete(words));
    }
}

#[test]
fn every_manual_page_has_examples_and_exit_statuses() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    let pages = pages.to_str().unwrap();
    expect_ok(&["man", pages]);
    for command in commands() {
        let page = std::fs::read_to_string(Path::new(pages).join(format!("alfil-{command}.1"))).unwrap();
        for part in [".SH EXAMPLES", ".SH \"EXIT STATUS\"", "\\fB130\\fR"] {
            assert!(page.contains(part), "{command}: {part}: {page}");
        }
        assert!(page.contains("alfil"), "{page}");
    }
    let page = std::fs::read_to_string(Path::new(pages).join("alfil.1")).unwrap();
    assert!(page.contains(".SH \"EXIT STATUS\"") && page.contains("alfil\\-perft(1)"), "{page}");
    // The pages are files that exist, now.
    expect_error(&["man", pages], 1, "exists: --force replaces it");
    expect_ok(&["man", pages, "--force"]);
}

/// Returns what the program prints in a terminal without arguments, and its status.
fn started_alone(locale: &str) -> (String, u32) {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(PROGRAM);
    command.env("LC_ALL", locale);
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let (mut output, mut bytes) = (pair.master.try_clone_reader().unwrap(), Vec::new());
    // At the end, Linux reports an error.
    let _ = output.read_to_end(&mut bytes);
    (String::from_utf8(bytes).unwrap(), child.wait().unwrap().exit_code())
}

#[test]
fn the_program_alone_in_a_terminal_offers_what_to_do() {
    let (english, status) = started_alone("C.UTF-8");
    assert_eq!(status, 0, "{english}");
    for line in ["alfil serve --open", "alfil play xiangqi", "alfil --help", "play chess in this terminal"] {
        assert!(english.contains(line), "{line}: {english}");
    }
    assert!(english.lines().all(|line| line.chars().count() <= 80), "{english}");
    let (chinese, _) = started_alone("zh_CN.UTF-8");
    assert!(chinese.contains("在终端里下象棋") && chinese.contains("全部命令"), "{chinese}");
}

/// Returns the command lines of the examples of a command.
fn examples(command: &str) -> Vec<String> {
    let output = Command::new(PROGRAM).args([command, "-h"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let (_, examples) = help.split_once("Examples:\n").unwrap();
    assert!(examples.lines().all(|line| line.chars().count() <= 80), "{examples}");
    // A backslash at the end of a line joins it with the next one.
    let lines = examples.replace("\\\n", "\\n").lines().map(str::to_owned).collect::<Vec<_>>();
    let commands = lines.iter().filter_map(|line| line.strip_prefix("    "));
    commands.map(|line| line.replace("\\n", "\\\n")).collect()
}

/// Runs an example in a folder, where `alfil` is the program.
fn shell(folder: &Path, line: &str) -> Command {
    let mut folders = vec![Path::new(PROGRAM).parent().unwrap().to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(folder).env("PATH", std::env::join_paths(folders).unwrap());
    command.env("HOME", folder).env("XDG_DATA_HOME", folder.join("data")).stdin(Stdio::null());
    command
}

#[test]
fn every_example_of_the_help_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("games.pgn"),
        "[White \"Carlsen\"]\n[Black \"Other\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 \
         8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 1-0\n",
    )
    .unwrap();
    std::fs::write(
        folder.join("xiangqi.pgn"),
        "[Game \"Chinese Chess\"]\n[Red \"Red\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 1-0\n",
    )
    .unwrap();
    let ending = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    std::fs::write(folder.join("endings.obf"), format!("{ending}; H5:+6;\n").repeat(3)).unwrap();
    let nats = Server::start(&["-js"]);
    for command in commands() {
        let lines = examples(&command);
        assert_eq!(lines.len(), 2, "{command}");
        for line in lines {
            if command == "serve" {
                let line = format!("exec {line}").replace("8080", "0");
                let line = if line.contains("--port") { line } else { format!("{line} --port 0") };
                let mut server = shell(folder, &line).stdout(Stdio::piped()).spawn().unwrap();
                let mut first = String::new();
                BufReader::new(server.stdout.take().unwrap()).read_line(&mut first).unwrap();
                server.kill().unwrap();
                server.wait().unwrap();
                assert!(first.starts_with("Alfil is at http://"), "{line}: {first}");
                continue;
            }
            let line = match &nats {
                Some(server) => {
                    line.replace("nats://127.0.0.1:4222", &server.url()).replace("--idle 60", "--idle 1")
                }
                // Without the server the test has said that it is missing.
                None if command == "worker" => continue,
                None => line,
            };
            let output = shell(folder, &line).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{line}: {error}");
        }
    }
}
