//! The front door: one program, a file for each command. Everything it knows of a game it asks the hall.

mod args;
mod bench;
mod engine;
mod errors;
mod judge;
mod language;
mod match_command;
mod moves;
mod output;
mod perft;
mod play;
mod progress;
mod serve;
mod show;
mod solve;
mod suite;
mod tune;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::errors::Failure;

/// Xiangqi, chess and Othello: rules, engines and analysis.
#[derive(Debug, Parser)]
#[command(name = "alfil", version, about, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count legal move paths.
    Perft(perft::Perft),
    /// List the legal moves, one a line, sorted.
    Moves(moves::Moves),
    /// Show a position as people like to read it.
    Show(show::Show),
    /// Judge a game by its rule books: repetition, limits, material.
    Judge(judge::Judge),
    /// Play a position out to the end, exactly.
    Solve(solve::Solve),
    /// A fixed search on every board.
    Bench(bench::Bench),
    /// Speak as an engine to a graphical board; the first line chooses the protocol.
    Engine(engine::Engine),
    /// Engines against each other, under our laws.
    Match(Box<match_command::Match>),
    /// Fit the numbers of an evaluation to games of the engine against itself.
    Tune(tune::Tune),
    /// Play against the computer in the terminal.
    Play(play::Play),
    /// Open the page on which people play.
    Serve(serve::Serve),
}

fn main() -> ExitCode {
    // Many graphical boards take the path of an engine and nothing else.
    if std::env::args_os().len() <= 1 && !std::io::stdin().is_terminal() {
        return exit_code(engine::Engine::default().run());
    }
    let words = match Cli::try_parse() {
        Ok(words) => words,
        Err(error) => {
            let meant = std::env::args().nth(1);
            let known = |word: &String| Cli::command().find_subcommand(word).is_some();
            return errors::report_usage_error(&error, meant.filter(known).as_deref());
        }
    };
    let result = match &words.command {
        Command::Perft(perft) => perft.run(),
        Command::Moves(moves) => moves.run(),
        Command::Show(show) => show.run(),
        Command::Judge(judge) => judge.run(),
        Command::Solve(solve) => solve.run(),
        Command::Bench(bench) => bench.run(),
        Command::Engine(engine) => engine.run(),
        Command::Match(bout) => bout.run(),
        Command::Tune(tune) => tune.run(),
        Command::Play(play) => play.run(),
        Command::Serve(serve) => serve.run(),
    };
    exit_code(result)
}

fn exit_code(result: CommandResult) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// What every command gives back.
type CommandResult = Result<(), Failure>;
