//! The help of the program beyond what the definitions of the commands say: groups of commands, examples, exit
//! statuses, and the values that a shell completes.

use std::fmt::Write as _;
use std::io;

use clap::{Command, ValueHint};

use crate::errors::CommandResult;
use crate::language::Language;
use crate::output::print_line;

/// The commands by group. A test checks that each command is in one group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["play", "serve", "store"]),
    ("Positions", &["show", "moves", "eval", "judge", "solve", "perft"]),
    ("Files of games", &["games", "convert", "analyse", "status", "merge", "worker", "keys"]),
    ("Engines", &["engine", "match", "bench", "spsa", "selfplay", "train", "book"]),
    ("Installation", &["completions", "man"]),
];

/// The exit statuses and when they occur.
pub(crate) const EXIT_STATUSES: [(&str, &str); 4] = [
    ("0", "The command has done its work."),
    ("1", "Something of the input cannot be processed, or a check has failed."),
    ("2", "The command line is wrong."),
    ("130", "Ctrl-C has ended the command (143: SIGTERM, 129: SIGHUP)."),
];

/// Two examples of each command: what they do, and the command lines, of at most 72 columns. A test runs them.
#[rustfmt::skip]
const EXAMPLES: &[(&str, [(&str, &str); 2])] = &[
    ("play", [
        ("Play xiangqi at the third level", "alfil play xiangqi --level 3"),
        ("Play Black in chess", "alfil play chess --side 2 --movetime 200"),
    ]),
    ("serve", [
        ("Serve the page at another port", "alfil serve --port 8080"),
        ("Offer another engine on the page", r#"alfil serve --engine "name=Other cmd='alfil engine' proto=uci""#),
    ]),
    ("store", [
        ("Check the saved games of the page", "alfil store check"),
        ("Write a backup of them", "alfil store backup"),
    ]),
    ("show", [
        ("Show the board after two moves", "alfil show xiangqi --moves h2e2 h9g7"),
        ("Draw a position of a game in a file", "alfil show chess --pgn games.pgn --ply 20 --svg position.svg"),
    ]),
    ("moves", [
        ("List the moves as chess players write them", "alfil moves chess --dialect san"),
        ("Play a move, then list the replies", "alfil moves xiangqi --dialect chinese --moves 炮二平五"),
    ]),
    ("eval", [
        ("Evaluate the start position of chess", "alfil eval chess"),
        ("Show the hand-made evaluation by part", "alfil eval xiangqi --eval-file terms --moves h2e2"),
    ]),
    ("judge", [
        ("Judge the end of a game by every ruleset", "alfil judge --pgn xiangqi.pgn --all-rules"),
        ("Judge all games of a file", "alfil judge --pgn xiangqi.pgn --report csv"),
    ]),
    ("solve", [
        ("Solve an ending", "alfil solve --fen \\
      \"XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X\""),
        ("Solve the first problems of a file", "alfil solve --suite endings.obf --to 2"),
    ]),
    ("perft", [
        ("Count the paths of four plies", "alfil perft xiangqi --depth 4"),
        ("Count by first move, on two threads", "alfil perft chess --depth 4 --divide --threads 2"),
    ]),
    ("games", [
        ("List the long games of a player", "alfil games games.pgn --filter 'player~\"carlsen\" and plies>40'"),
        ("Count results, players and openings", "alfil games games.pgn --stats"),
    ]),
    ("convert", [
        ("Write the games with an opening", "alfil convert games.pgn --to pgn \\
      --filter 'opening~\"ruy lopez\"' -o spanish.pgn"),
        ("Write a file of XQF for each game", "alfil convert xiangqi.pgn --to xqf -o games-of-xqf"),
    ]),
    ("analyse", [
        ("Evaluate every position", "alfil analyse games.pgn -o analysis --nodes 500"),
        ("Add evaluations to the games", "alfil analyse games.pgn -o evaluated \\
      --nodes 500 --format pgn --threads 2"),
    ]),
    ("status", [
        ("Show how far an analysis is", "alfil status analysis"),
        ("Show it as data", "alfil status analysis --json"),
    ]),
    ("merge", [
        ("Write the tables of an analysis again", "alfil merge analysis"),
        ("Write the games with evaluations", "alfil merge analysis --format pgn"),
    ]),
    ("worker", [
        ("Search for analyses on a server", "alfil worker nats://127.0.0.1:4222 --threads 2 --idle 60"),
        ("Print what was done as data", "alfil worker nats://127.0.0.1:4222 --idle 60 --json"),
    ]),
    ("keys", [
        ("Make the key of a worker", "alfil keys workers.keys --add node7 -o node7.key"),
        ("List the keys", "alfil keys workers.keys"),
    ]),
    ("engine", [
        ("Run as an engine of xiangqi", "alfil engine --game xiangqi"),
        ("List the options of the engine", "echo uci | alfil engine"),
    ]),
    ("match", [
        ("Let two levels meet", "alfil match xiangqi --games 2 --movetime 20 \\
      --engine level=2 --engine level=4"),
        ("Play against another program", "alfil match chess --games 2 --movetime 20 \\
      --engine name=here --engine \"cmd='alfil engine' proto=uci\""),
    ]),
    ("bench", [
        ("Compare the boards of Othello", "alfil bench othello"),
        ("Print the counts as data", "alfil bench othello --json"),
    ]),
    ("spsa", [
        ("Tune a parameter", "alfil spsa othello --param rfp_margin \\
      --iterations 2 --pairs 1 --nodes 100 --state tuning.jsonl"),
        ("Go on with a run, and draw it", "alfil spsa othello --param rfp_margin --plot tuning.svg \\
      --iterations 2 --pairs 1 --nodes 100 --state tuning.jsonl"),
    ]),
    ("selfplay", [
        ("Play games for training", "alfil selfplay chess --games 32 --nodes 100 -o shards"),
        ("Summarise them", "alfil selfplay chess --info shards"),
    ]),
    ("train", [
        ("Train a small network", "alfil train chess shards --width 16 --epochs 1 -o chess.net"),
        ("Fit the hand-made terms", "alfil train chess shards --kind terms --epochs 1 -o terms.rs"),
    ]),
    ("book", [
        ("Begin a book", "alfil book --state state --positions 8 --depth 4 -o othello.book"),
        ("Let it grow", "alfil book --state state --positions 16 --depth 4 -o othello.book"),
    ]),
    ("completions", [
        ("Complete commands in bash", "alfil completions bash > alfil.bash"),
        ("Complete commands in zsh", "alfil completions zsh > _alfil"),
    ]),
    ("man", [
        ("Write the manual pages", "alfil man pages"),
        ("Write them again", "alfil man pages --force"),
    ]),
];

/// Returns the examples of a command: what each does, and its command line.
pub(crate) fn examples(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// Completes the help of the program: groups of commands, exit statuses, and examples of each command.
pub(crate) fn complete(program: Command) -> Command {
    let header = *program.get_styles().get_header();
    let literal = *program.get_styles().get_literal();
    let heading = |text: &str| format!("{header}{text}:{header:#}\n");
    let width = program.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let mut listing = String::new();
    for (group, names) in GROUPS {
        listing += &heading(group);
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let (name, about) = (command.get_name(), command.get_about().cloned().unwrap_or_default());
            // Writing to a string cannot fail.
            let _ = writeln!(listing, "  {literal}{name:<width$}{literal:#}  {about}");
        }
        listing.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listing}{}{{options}}{{after-help}}",
        heading("Options")
    );
    let statuses = EXIT_STATUSES.map(|(status, text)| format!("  {literal}{status:<3}{literal:#}  {text}\n"));
    let more = "`alfil COMMAND --help` has the options of a command, and examples.";
    let after_help = format!("{}{}\n{more}", heading("Exit status"), statuses.concat());
    program.help_template(template).after_help(after_help).mut_subcommands(|command| {
        let lines = examples(command.get_name())
            .iter()
            .map(|(text, line)| format!("  {text}:\n    {literal}{line}{literal:#}\n"));
        let text = heading("Examples") + &lines.collect::<String>();
        command.after_help(text.trim_end().to_owned())
    })
}

/// Says of each argument without a list of values whether a shell completes file names: only where it is a path.
pub(crate) fn with_value_hints(program: Command) -> Command {
    program
        .mut_args(|argument| {
            match argument.get_value_hint() == ValueHint::Unknown && argument.get_action().takes_values() {
                true => argument.value_hint(ValueHint::Other),
                false => argument,
            }
        })
        .mut_subcommands(with_value_hints)
}

/// Offers what to do to a person who has typed the name of the program alone.
pub(crate) fn print_offer(language: Language) -> CommandResult {
    let rows = [
        ("alfil serve --open", "play, analyse and review in the browser", "在浏览器里对弈、分析、复盘"),
        ("alfil play xiangqi", "play xiangqi in this terminal", "在终端里下象棋"),
        ("alfil play chess", "play chess in this terminal", "在终端里下国际象棋"),
        ("alfil play othello", "play Othello in this terminal", "在终端里下黑白棋"),
        ("alfil games FILE", "list the games of a file", "列出文件里的对局"),
        ("alfil --help", "all commands", "全部命令"),
    ];
    let chosen = |english, chinese| match language {
        Language::En => english,
        Language::Zh => chinese,
    };
    print_line(chosen(
        "Alfil plays, judges and analyses xiangqi, chess and Othello. Begin with:\n",
        "Alfil：象棋、国际象棋、黑白棋的对弈、裁决与分析。从这里开始：\n",
    ))?;
    let width = rows.iter().map(|(command, ..)| command.len()).max().unwrap_or(0);
    let lines = rows.map(|(command, english, chinese)| {
        print_line(format_args!("  {command:<width$}  {}", chosen(english, chinese)))
    });
    Ok(lines.into_iter().collect::<io::Result<()>>()?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn every_command_is_in_one_group_and_has_examples() {
        let program = crate::Cli::command();
        let names = program.get_subcommands().map(Command::get_name).collect::<BTreeSet<_>>();
        let grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(grouped.len(), names.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), names);
        for name in names {
            let examples = examples(name);
            assert_eq!(examples.len(), 2, "{name}");
            assert!(
                examples.iter().all(|(_, line)| line.contains(&format!("alfil {name}")) || name == "engine")
            );
        }
    }

    #[test]
    fn every_line_of_the_listing_fits_into_eighty_columns() {
        let help = complete(crate::Cli::command()).render_help().to_string();
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
}
