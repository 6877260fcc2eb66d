//! The command line program: a module for each command. What it needs of a game comes from `alfil_session`, and for
//! training and the opening book from `alfil_training`.

mod analyse;
mod args;
mod bench;
mod book;
mod completions;
mod convert;
mod engine;
mod engine_process;
mod errors;
mod eval;
mod external_engine_processes;
mod game_file;
mod games;
mod help;
mod judge;
mod keys;
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
mod selfplay;
mod serve;
mod shard_arg;
mod show;
mod solve;
mod source_args;
mod spsa;
mod status;
mod store;
mod terminal;
mod train;
mod worker;

#[cfg(test)]
mod command_reference;
#[cfg(test)]
mod run_file_tests;

use std::io::{IsTerminal as _, stdin, stdout};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::errors::CommandResult;
use crate::language::Locale;

/// Xiangqi, chess and Othello: rules, engines and analysis.
#[derive(Debug, Parser)]
#[command(name = "alfil", version, about, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Perft(perft::Perft),
    Moves(moves::Moves),
    Show(show::Show),
    Judge(judge::Judge),
    Eval(eval::Eval),
    Solve(solve::Solve),
    Convert(convert::Convert),
    Games(games::Games),
    Bench(bench::Bench),
    Engine(engine::Engine),
    Match(Box<match_command::Match>),
    Spsa(spsa::SpsaArgs),
    Analyse(analyse::Analyse),
    Status(status::Status),
    Merge(merge::Merge),
    Worker(worker::Worker),
    Keys(keys::Keys),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::SelfPlay),
    Train(train::Train),
    Book(book::Book),
    Play(play::Play),
    Serve(serve::Serve),
    Store(store::Store),
    Completions(completions::Completions),
    #[command(name = "man")]
    Manual(manual::Manual),
}

fn main() -> ExitCode {
    // Many graphical interfaces start an engine by its path alone, without arguments.
    if std::env::args_os().len() <= 1 {
        if !stdin().is_terminal() {
            return exit_code(engine::Engine::default().run());
        }
        if stdout().is_terminal() {
            let locale = Locale::from_variables(|name| std::env::var(name).ok());
            return exit_code(help::print_offer(locale.language));
        }
    }
    let matches = help::complete(Cli::command()).try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
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
        Command::Keys(keys) => keys.run(),
        Command::SelfPlay(selfplay) => selfplay.run(),
        Command::Train(train) => train.run(),
        Command::Book(book) => book.run(),
        Command::Play(play) => play.run(),
        Command::Serve(serve) => serve.run(),
        Command::Store(store) => store.run(),
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
