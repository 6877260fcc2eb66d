//! The command line program: a module for each command. Everything about a game comes from `alfil_session`.

mod analyse;
mod args;
mod bench;
mod book;
mod completions;
mod convert;
mod engine;
mod errors;
mod eval;
mod external_engine_processes;
mod game_file;
mod games;
mod judge;
mod language;
mod manual;
mod match_command;
mod merge;
mod moves;
mod nats_args;
mod output;
mod perft;
mod play;
mod progress;
mod row_file;
mod selfplay;
mod serve;
mod shard_arg;
mod show;
mod solve;
mod source_args;
mod spsa;
mod status;
mod terminal;
mod train;
mod tune;
mod worker;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::errors::CommandResult;

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
    /// List the legal moves, one per line, sorted.
    Moves(moves::Moves),
    /// Show a position as a board.
    Show(show::Show),
    /// Judge a game by its rulesets: repetition, limits, material.
    Judge(judge::Judge),
    /// Show the static evaluation by part and by piece.
    Eval(eval::Eval),
    /// Solve a position exactly, to the end of the game.
    Solve(solve::Solve),
    /// Convert games to another format.
    Convert(convert::Convert),
    /// List or count the games of files.
    Games(games::Games),
    /// Run a fixed search on every board.
    Bench(bench::Bench),
    /// Run as an engine for a graphical interface; the first line selects the protocol.
    Engine(engine::Engine),
    /// Play engines against each other under Alfil's rules.
    Match(Box<match_command::Match>),
    /// Tune search parameters by self-play (SPSA).
    Spsa(spsa::SpsaArgs),
    /// Evaluate every position of many games.
    Analyse(analyse::Analyse),
    /// Show what is done, running and failed in an analysis.
    Status(status::Status),
    /// Write the results of a finished analysis as tables of positions and games, or as PGN.
    Merge(merge::Merge),
    /// Search chunks of analyses that other machines coordinate.
    Worker(worker::Worker),
    /// Play games for training.
    #[command(name = "selfplay")]
    SelfPlay(selfplay::SelfPlay),
    /// Train a network, or fit patterns or hand-made terms, on games of self-play.
    Train(train::Train),
    /// Fit the weights of hand-made terms to games of self-play, which it can play first.
    Tune(tune::Tune),
    /// Make an opening book by searches.
    Book(book::Book),
    /// Play against the computer in the terminal.
    Play(play::Play),
    /// Serve the web page.
    Serve(serve::Serve),
    /// Print the completions of a shell.
    Completions(completions::Completions),
    /// Write the manual pages.
    #[command(name = "man")]
    Manual(manual::Manual),
}

fn main() -> ExitCode {
    // Many graphical interfaces start an engine by its path alone, without arguments.
    if std::env::args_os().len() <= 1 && !std::io::stdin().is_terminal() {
        return exit_code(engine::Engine::default().run());
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let first_arg = std::env::args_os().nth(1).and_then(|arg| arg.into_string().ok());
            let is_command = |name: &String| Cli::command().find_subcommand(name).is_some();
            return errors::report_usage_error(&error, first_arg.filter(is_command).as_deref());
        }
    };
    let result = match &cli.command {
        Command::Perft(perft) => perft.run(),
        Command::Moves(moves) => moves.run(),
        Command::Show(show) => show.run(),
        Command::Judge(judge) => judge.run(),
        Command::Eval(eval) => eval.run(),
        Command::Solve(solve) => solve.run(),
        Command::Convert(convert) => convert.run(),
        Command::Games(games) => games.run(),
        Command::Bench(bench) => bench.run(),
        Command::Engine(engine) => engine.run(),
        Command::Match(args) => args.run(),
        Command::Spsa(spsa) => spsa.run(),
        Command::Analyse(analyse) => analyse.run(),
        Command::Status(status) => status.run(),
        Command::Merge(merge) => merge.run(),
        Command::Worker(worker) => worker.run(),
        Command::SelfPlay(selfplay) => selfplay.run(),
        Command::Train(train) => train.run(),
        Command::Tune(tune) => tune.run(),
        Command::Book(book) => book.run(),
        Command::Play(play) => play.run(),
        Command::Serve(serve) => serve.run(),
        Command::Completions(completions) => completions.run(Cli::command()),
        Command::Manual(manual) => manual.run(Cli::command()),
    };
    exit_code(result)
}

fn exit_code(result: CommandResult) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
