//! The line mode: reads commands and moves line by line, for pipes and simple terminals.

use std::io::{self, BufRead, IsTerminal as _, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;

use alfil_kernel::Side;
use alfil_session::played_game::{NextAction, WaitReason};
use alfil_session::render::{TextBoard, TextLayout};

use super::clock::format_time;
use super::messages::Message;
use super::render::loss_lines;
use super::review::render_graph;
use super::signals::on_exit_signal;
use super::terminal_game::{SearchPurpose, TerminalGame};
use crate::errors::{CommandResult, Failure};
use crate::judge::ruling_sentences;
use crate::output::print_line;

/// The columns and rows of the graph of a review.
const GRAPH_SIZE: (usize, usize) = (72, 8);

/// Plays until the input ends. A person at a terminal may leave by accident, or lose it: the game is then kept. A
/// program says what it wants to save.
pub(crate) fn play(mut game: TerminalGame) -> CommandResult {
    let keeps_game = io::stdin().is_terminal();
    let result = play_lines(&mut game);
    let kept = if keeps_game { game.keep() } else { None };
    // A terminal that is gone shows nothing, and the game is kept all the same.
    let printed = kept.map_or(Ok(()), print_line);
    result.and_then(|()| Ok(printed?))
}

fn play_lines(game: &mut TerminalGame) -> CommandResult {
    let level = game.level().to_string();
    print_line(game.format_message(
        Message::Welcome,
        &[game.side_name(game.person()), game.side_name(!game.person()), &level],
    ))?;
    print_board(game)?;
    let inputs = spawn_reader()?;
    loop {
        play_pending_moves(game)?;
        let input = match read_input(&inputs, game)? {
            LineInput::Line(input) => input,
            LineInput::End => return Ok(()),
            LineInput::Signal(status) => return Err(Failure::Interrupted(status)),
        };
        // A flag may have fallen since the last check.
        if game.tick() {
            print_status(game)?;
        }
        let (command, value) = input.split_once(char::is_whitespace).unwrap_or((&input, ""));
        if matches!(command, "quit" | "q" | "exit") {
            return Ok(());
        }
        if !run_command_with_value(game, command, value.trim())?
            && !run_query(game, &input)?
            && !run_action(game, &input)?
        {
            match game.play(&input) {
                // If the game goes on, the board is printed after the reply.
                Ok(()) if game.is_over() => print_board(game)?,
                Ok(()) => {}
                Err(error) => print_line(game.error_text(&error))?,
            }
        }
    }
}

/// Runs a command that prints something; returns false if `input` is no such command.
fn run_query(game: &mut TerminalGame, input: &str) -> io::Result<bool> {
    match input {
        "" => {}
        "board" => print_board(game)?,
        "movetime" => print_line(game.move_time_text())?,
        "lang" => print_line(game.format_message(Message::Languages, &[]))?,
        "save" | "load" => print_line(game.format_message(Message::NamedFile, &[]))?,
        "level" => print_line(game.format_message(Message::Level, &[&game.level().to_string()]))?,
        "dialect" => {
            let known = game.session().dialects().join(", ");
            print_line(game.format_message(Message::Dialects, &[game.dialect_name(), &known]))?;
        }
        "rules" => match game.ruleset() {
            Some(ruleset) => {
                let known = game.session().rulesets().join(", ");
                print_line(game.format_message(Message::Rulesets, &[game.ruleset_title(ruleset), &known]))?;
            }
            None => print_line(game.format_message(Message::NoRulesets, &[game.game_title()]))?,
        },
        "clock" => print_line(clock_line(game))?,
        "help" | "?" => print_line(game.format_message(Message::LineHelp, &[]))?,
        "moves" => {
            print_line(game.legal_moves().join(" "))?;
            for refused in game.refused_moves() {
                print_line(refused)?;
            }
        }
        "record" => print_line(game.played_moves().join(" "))?,
        "fen" => print_line(game.session().view().fen)?,
        "judge" => print_ruling(game, None)?,
        "review" => print_review(game)?,
        "eval" => {
            // The message of an earlier command is not part of the analysis.
            game.message.clear();
            game.start_search(SearchPurpose::QuickAnalysis);
            game.finish_analysis().iter().try_for_each(print_line)?;
        }
        "hint" => {
            game.start_search(SearchPurpose::Hint);
            game.wait_for_search();
            print_line(&game.message)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Runs a command that changes the game; returns false if `input` is no such command.
fn run_action(game: &mut TerminalGame, input: &str) -> io::Result<bool> {
    match input {
        "resign" => {
            game.resign();
            print_status(game)?;
        }
        "undo" => {
            game.undo();
            print_line(&game.message)?;
            print_board(game)?;
        }
        "new" => {
            // As at the end: a program says what it wants to save.
            if io::stdin().is_terminal() {
                game.keep().map_or(Ok(()), print_line)?;
            }
            game.restart();
            print_board(game)?;
        }
        "flip" => {
            game.bottom_side = !game.bottom_side;
            print_board(game)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Returns both clocks in a line.
fn clock_line(game: &TerminalGame) -> String {
    let Some(clock) = game.clock() else { return game.format_message(Message::NoClock, &[]) };
    let now = alfil_engine::now();
    Side::BOTH
        .map(|side| format!("{} {}", game.side_name(side), format_time(clock.remaining(side, now))))
        .join("  ")
}

/// Prints the ruling on a repetition or a game end, by `ruleset` or the ruleset of the game.
fn print_ruling(game: &TerminalGame, ruleset: Option<&str>) -> io::Result<()> {
    let Some(ruleset) = ruleset.or(game.ruleset()) else {
        return print_line(game.format_message(Message::NoRulesets, &[game.game_title()]));
    };
    // An unknown ruleset is an error whether or not there is anything to judge.
    if let Err(error) = game.find_ruleset(ruleset) {
        return print_line(game.error_text(&error));
    }
    if !game.has_ruling() {
        return print_line(game.format_message(Message::NothingToJudge, &[]));
    }
    match game.ruling(ruleset) {
        Ok(ruling) => ruling_sentences(&ruling).try_for_each(print_line),
        Err(error) => print_line(game.error_text(&error)),
    }
}

/// Prints the graph of the game and the largest losses.
fn print_review(game: &mut TerminalGame) -> io::Result<()> {
    let mut review = match game.review() {
        Ok(Some(review)) => review,
        Ok(None) => return print_line(game.format_message(Message::NoReview, &[])),
        Err(error) => return print_line(game.error_text(&error)),
    };
    // The clock pauses, because the person cannot move meanwhile.
    game.pause();
    let done = review.finish();
    game.resume();
    if let Err(error) = done {
        return print_line(game.error_text(&error));
    }
    for row in render_graph(&review, GRAPH_SIZE.0, GRAPH_SIZE.1, game.is_ascii()) {
        print_line(row.trim_end())?;
    }
    loss_lines(game, &review).iter().try_for_each(print_line)
}

/// Plays the computer's moves and the person's forced passes. If a search fails, it prints why and returns: the next
/// line of the input is another attempt.
fn play_pending_moves(game: &mut TerminalGame) -> io::Result<()> {
    game.continue_play();
    loop {
        match game.next_action() {
            NextAction::ComputerMoves { .. } => {
                game.start_search(SearchPurpose::Reply);
                game.wait_for_search();
                print_line(&game.message)?;
                if game.next_action() != NextAction::Wait(WaitReason::ReplyFailed) {
                    print_board(game)?;
                }
            }
            NextAction::ForcedPass { pass, .. } => {
                print_line(game.format_message(Message::ForcedPass, &[]))?;
                if let Err(error) = game.play_target(&pass) {
                    return print_line(game.error_text(&error));
                }
            }
            NextAction::PersonMoves { .. } | NextAction::Wait(_) => return Ok(()),
        }
    }
}

/// Runs a command with a value; returns false if `command` is no such command.
fn run_command_with_value(game: &mut TerminalGame, command: &str, value: &str) -> io::Result<bool> {
    if value.is_empty() {
        return Ok(false);
    }
    if command == "judge" {
        return print_ruling(game, Some(value)).map(|()| true);
    }
    let is_load = command == "load";
    if !game.run_command(command, value) {
        return Ok(false);
    }
    print_line(&game.message)?;
    if is_load {
        print_board(game)?;
    }
    Ok(true)
}

fn print_board(game: &TerminalGame) -> io::Result<()> {
    let view = game.session().view();
    let appearance = game.session().appearance();
    let layout = TextLayout::new(appearance, 1, Some(game.dialect()));
    let board = TextBoard { style: game.piece_style, bottom: game.bottom_side, layout };
    print_line(board.draw(appearance, &view))?;
    print_status(game)
}

/// Prints the clocks, whose move it is or the result, and the reasons of the result or how often the position has
/// occurred.
fn print_status(game: &TerminalGame) -> io::Result<()> {
    let view = game.session().view();
    if game.clock().is_some() {
        print_line(clock_line(game))?;
    }
    print_line(game.status(&view))?;
    match game.remark(&view) {
        remark if remark.is_empty() => {}
        remark => print_line(remark)?,
    }
    match game.is_over() {
        true => print_line(game.format_message(Message::GameOverCommands, &[])),
        false => Ok(()),
    }
}

/// What the person sends.
enum LineInput {
    Line(String),
    /// The end of the input.
    End,
    /// A signal that ends the program, with the exit status.
    Signal(u8),
}

/// Starts the threads that read lines and wait for signals, so that a flag can fall while they wait.
fn spawn_reader() -> io::Result<Receiver<io::Result<LineInput>>> {
    // The channel has no buffer: the thread reads a line ahead at most.
    let (sender, inputs) = sync_channel(0);
    let signals = sender.clone();
    // Invalid UTF-8 is an unknown move, not the end of the game.
    let line = |bytes: Vec<u8>| LineInput::Line(String::from_utf8_lossy(&bytes).trim().to_owned());
    // Sending fails after the game was left.
    let read = move || {
        let mut lines = io::stdin().lock().split(b'\n');
        lines.try_for_each(|read| sender.send(read.map(line)))?;
        sender.send(Ok(LineInput::End))
    };
    thread::Builder::new().name("stdin".to_owned()).spawn(read)?;
    // A program that is interrupted ends at once: it saves what it wants to keep.
    if io::stdin().is_terminal() {
        on_exit_signal(move |status| drop(signals.send(Ok(LineInput::Signal(status)))))?;
    }
    Ok(inputs)
}

/// Returns the next input. Reports a flag that falls meanwhile.
fn read_input(inputs: &Receiver<io::Result<LineInput>>, game: &mut TerminalGame) -> io::Result<LineInput> {
    print_prompt(game)?;
    loop {
        let received = match game.time_to_flag() {
            Some(time) => inputs.recv_timeout(time),
            None => inputs.recv().map_err(RecvTimeoutError::from),
        };
        match received {
            Ok(Ok(input @ LineInput::Line(_))) => return Ok(input),
            Ok(Err(error)) => return Err(error),
            Ok(Ok(LineInput::Signal(status))) => return print_line("").map(|()| LineInput::Signal(status)),
            Ok(Ok(LineInput::End)) | Err(RecvTimeoutError::Disconnected) => {
                return print_line("").map(|()| LineInput::End);
            }
            Err(RecvTimeoutError::Timeout) if game.tick() => {
                print_line("")?;
                print_status(game)?;
                print_prompt(game)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Prints the prompt: the side to move, or that the game is over.
fn print_prompt(game: &TerminalGame) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mover: Side = game.session().view().side_to_move;
    let game_over = game.format_message(Message::GameOverPrompt, &[]);
    write!(out, "{}> ", if game.is_over() { &game_over } else { game.side_name(mover) })?;
    out.flush()
}
