//! The reference of all commands in the documents, `docs/reference/command-options.md`, as the definitions of the
//! commands have it. A test holds them equal; with `ALFIL_WRITE_DOCUMENTS` set it writes the file.

use clap::{Arg, Command, CommandFactory as _};

use crate::Cli;

/// The path of the reference from the folder of this package.
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/command-options.md");
/// The maximal width of a line.
const WIDTH: usize = 118;

const HEAD: &str = "\
# Options of commands

Every command of `alfil` with all of its options, as `alfil COMMAND --help` has them. [Commands by
example](commands.md) shows what they are for. `cargo xtask book --write` writes this page from the program.
";

#[test]
fn the_reference_of_the_commands_is_up_to_date() {
    let reference = reference();
    if std::env::var_os("ALFIL_WRITE_DOCUMENTS").is_some() {
        std::fs::write(PATH, &reference).unwrap();
    }
    let written = std::fs::read_to_string(PATH).unwrap();
    assert!(
        written == reference,
        "docs/reference/command-options.md is not what the commands are: `cargo xtask book --write` writes it"
    );
}

#[test]
fn texts_of_help_are_no_markup() {
    assert_eq!(escaped("a <FILE> or [x] as `<FILE>`"), r"a \<FILE> or \[x] as `<FILE>`");
    let lines = wrapped("* ", &"word ".repeat(60));
    assert!(lines.lines().all(|line| line.len() <= WIDTH) && lines.lines().count() == 3, "{lines}");
    assert!(lines.lines().skip(1).all(|line| line.starts_with("  word")));
}

fn reference() -> String {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut text = HEAD.to_owned();
    for command in program.get_subcommands_mut().filter(|command| !command.is_hide_set()) {
        text += &format!("\n## alfil {}\n", command.get_name());
        let about = command.get_long_about().or(command.get_about());
        text += &paragraphs("", &about.map(ToString::to_string).unwrap_or_default());
        text += &format!("\n```text\n{}\n```\n", command.render_usage());
        text += &arguments(command);
        for action in command.get_subcommands_mut().filter(|action| action.get_name() != "help") {
            text += &format!(
                "\n### alfil {}\n",
                action.get_bin_name().unwrap_or_default().trim_start_matches("alfil ")
            );
            text += &paragraphs("", &action.get_about().map(ToString::to_string).unwrap_or_default());
            text += &format!("\n```text\n{}\n```\n", action.render_usage());
            text += &arguments(action);
        }
        if let Some(examples) = command.get_after_long_help().or(command.get_after_help()) {
            text += &format!("\n```text\n{}\n```\n", examples.to_string().trim_end());
        }
    }
    text
}

/// The list of the arguments of a command, those under a heading of their own after the others.
fn arguments(command: &Command) -> String {
    let is_shown = |argument: &&Arg| !argument.is_hide_set() && argument.get_id() != "help";
    let shown: Vec<&Arg> = command.get_arguments().filter(is_shown).collect();
    let mut headings: Vec<Option<&str>> = vec![None];
    for argument in &shown {
        if !headings.contains(&argument.get_help_heading()) {
            headings.push(argument.get_help_heading());
        }
    }
    let mut text = String::new();
    for heading in headings {
        let of_heading = shown.iter().filter(|argument| argument.get_help_heading() == heading);
        let items: String = of_heading.map(|argument| item(argument)).collect();
        if let Some(heading) = heading {
            text += &format!("\n### {heading}\n");
        }
        if !items.is_empty() {
            text += &format!("\n{items}");
        }
    }
    text
}

/// An item of the list: an argument with its values, its help, its default and what it can be.
fn item(argument: &Arg) -> String {
    let name = argument.to_string();
    let name = match (argument.get_short(), argument.get_long()) {
        (Some(short), Some(_)) => format!("-{short}, {name}"),
        _ => name,
    };
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut paragraphs = help.split("\n\n").map(|part| sentence(&escaped(&part.replace('\n', " "))));
    let help = format!("`{name}`: {}", paragraphs.next().unwrap_or_default());
    let mut text = String::new();
    let takes_values = argument.get_action().takes_values();
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| takes_values && !value.is_hide_set())
        .map(|value| match value.get_help() {
            Some(help) => format!("`{}` ({})", value.get_name(), escaped(&help.to_string())),
            None => format!("`{}`", value.get_name()),
        })
        .collect();
    if !values.is_empty() {
        text += &format!(" Values: {}.", values.join(", "));
    }
    let defaults: Vec<_> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if takes_values && !defaults.is_empty() {
        text += &format!(" Default: `{}`.", defaults.join(" "));
    }
    // A long list of values is a block of its own.
    let together = wrapped("* ", &format!("{help}{text}"));
    let mut item = match together.lines().count() {
        0..=5 => together,
        _ => format!("{}\n  ```text\n{}  ```\n", wrapped("* ", &help), wrapped("  ", &text.replace('`', ""))),
    };
    for paragraph in paragraphs {
        item += &format!("\n{}", wrapped("  ", &paragraph));
    }
    item
}

/// A text of help as sentences.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', ':', ']']) { text.to_owned() } else { format!("{text}.") }
}

fn paragraphs(indent: &str, text: &str) -> String {
    let parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
    parts
        .map(|part| format!("\n{}", wrapped(indent, &sentence(&escaped(&part.replace('\n', " "))))))
        .collect()
}

/// Writes a text so that outside of code nothing of it is markup.
fn escaped(text: &str) -> String {
    let escape = |part: &str| part.replace('<', "\\<").replace('[', "\\[").replace('*', "\\*");
    let parts = text.split('`').enumerate();
    parts
        .map(|(at, part)| if at % 2 == 0 { escape(part) } else { part.to_owned() })
        .collect::<Vec<_>>()
        .join("`")
}

/// Breaks a text into lines; the first begins with a marker, and the others are indented as far.
fn wrapped(marker: &str, text: &str) -> String {
    let mut lines = vec![marker.to_owned()];
    let indent = " ".repeat(marker.len());
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.trim() != marker.trim() && line.len() + 1 + word.len() > WIDTH {
            lines.push(format!("{indent}{word}"));
        } else {
            let blank = if line.len() == marker.len() { "" } else { " " };
            *line += &format!("{blank}{word}");
        }
    }
    lines.join("\n") + "\n"
}
