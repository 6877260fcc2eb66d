//! The plain mode: a board, a question, an answer; for pipes, for old terminals, and for those who read line by line.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Instant;

use alfil_kernel::Side;
use alfil_session::render;
use alfil_session::render::PieceStyle;

use super::clock::format_time;
use super::messages::Word;
use super::render::loss_lines;
use super::review::render_graph;
use super::terminal_game::{LEVELS, SearchPurpose, TerminalGame};
use crate::CommandResult;
use crate::judge::ruling_sentences;
use crate::language::Language;
use crate::output::print_line;

/// Columns and rows of the graph of a review.
const GRAPH_SIZE: (usize, usize) = (72, 8);

/// Plays until the game or the input ends.
pub(crate) fn play(mut table: TerminalGame) -> CommandResult {
    let level = table.level.to_string();
    print_line(table.format_message(
        Word::Seats,
        &[table.side_name(table.person), table.side_name(!table.person), &level],
    ))?;
    print_board(&table)?;
    let typed = spawn_reader()?;
    loop {
        play_pending_moves(&mut table)?;
        let Some(words) = read_input(&typed, &mut table)? else { return Ok(()) };
        // A flag may have fallen at the last moment.
        if table.tick() {
            print_status(&table)?;
        }
        let (word, value) = words.split_once(char::is_whitespace).unwrap_or((&words, ""));
        if matches!(word, "quit" | "q" | "exit") {
            return Ok(());
        }
        if !set_option(&mut table, word, value.trim())?
            && !run_query(&mut table, &words)?
            && !run_action(&mut table, &words)?
        {
            match table.play(&words) {
                // Else the board is shown with the answer.
                Ok(()) if table.is_over() => print_board(&table)?,
                Ok(()) => {}
                Err(error) => print_line(table.error_text(&error))?,
            }
        }
    }
}

/// Says what a word asks for; `false` if it asks for nothing.
fn run_query(table: &mut TerminalGame, words: &str) -> io::Result<bool> {
    match words {
        "" => {}
        "board" => print_board(table)?,
        "time" => print_line(table.move_time_text())?,
        "lang" => print_line(table.format_message(Word::Languages, &[]))?,
        "level" => print_line(table.format_message(Word::Level, &[&table.level.to_string()]))?,
        "dialect" => {
            let known = table.session.dialects().join(", ");
            print_line(table.format_message(Word::Dialects, &[table.dialect_name(), &known]))?;
        }
        "rules" => match table.ruleset() {
            Some(book) => {
                let known = table.session.rulesets().join(", ");
                print_line(table.format_message(Word::Books, &[table.ruleset_title(book), &known]))?;
            }
            None => print_line(table.format_message(Word::NoBooks, &[table.game_title()]))?,
        },
        "clock" => print_line(clock_line(table))?,
        "help" | "?" => print_line(table.format_message(Word::LineHelp, &[]))?,
        "moves" => print_line(table.legal_moves().join(" "))?,
        "record" => print_line(table.played_moves().join(" "))?,
        "fen" => print_line(table.session.view().fen)?,
        "judge" => print_ruling(table, None)?,
        "review" => print_review(table)?,
        "eval" => {
            table.start_search(SearchPurpose::QuickAnalysis);
            table.wait_for_search();
            if table.is_over() {
                print_line(&table.message)?;
            }
            for finding in &table.analysis_lines {
                print_line(finding.to_text())?;
            }
        }
        "hint" => {
            table.start_search(SearchPurpose::Hint);
            table.wait_for_search();
            print_line(&table.message)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Does what a word says; `false` if it says nothing.
fn run_action(table: &mut TerminalGame, words: &str) -> io::Result<bool> {
    match words {
        "resign" => {
            table.resign();
            print_status(table)?;
        }
        "undo" => {
            table.undo();
            print_line(&table.message)?;
            print_board(table)?;
        }
        "new" => {
            table.restart();
            print_board(table)?;
        }
        "flip" => {
            table.bottom_side = !table.bottom_side;
            print_board(table)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Both sides' time, in a line.
fn clock_line(table: &TerminalGame) -> String {
    let Some(clock) = table.clock() else { return table.format_message(Word::NoClock, &[]) };
    let now = Instant::now();
    Side::BOTH
        .map(|side| format!("{} {}", table.side_name(side), format_time(clock.remaining(side, now))))
        .join("  ")
}

/// What a rule book says of a repetition or an end; the one of this game if none is named.
fn print_ruling(table: &TerminalGame, book: Option<&str>) -> io::Result<()> {
    let Some(book) = book.or(table.ruleset()) else {
        return print_line(table.format_message(Word::NoBooks, &[table.game_title()]));
    };
    // Whether there is such a book does not depend on the game so far.
    if let Err(error) = table.find_ruleset(book) {
        return print_line(table.error_text(&error));
    }
    if !table.has_ruling() {
        return print_line(table.format_message(Word::NoCase, &[]));
    }
    match table.ruling(book) {
        Ok(ruling) => ruling_sentences(&ruling).try_for_each(print_line),
        Err(error) => print_line(table.error_text(&error)),
    }
}

/// The values of the whole game as a graph, and the largest losses.
fn print_review(table: &mut TerminalGame) -> io::Result<()> {
    let mut review = match table.review() {
        Ok(Some(review)) => review,
        Ok(None) => return print_line(table.format_message(Word::NoReview, &[])),
        Err(error) => return print_line(table.error_text(&error)),
    };
    // Nobody can move until it is done.
    table.pause();
    let done = review.finish();
    table.resume();
    if let Err(error) = done {
        return print_line(table.error_text(&error));
    }
    for row in render_graph(&review, GRAPH_SIZE.0, GRAPH_SIZE.1, table.pieces == PieceStyle::Ascii) {
        print_line(row.trim_end())?;
    }
    loss_lines(table, &review).iter().try_for_each(print_line)
}

/// The computer moves while it is its turn, and a person who must pass passes.
fn play_pending_moves(table: &mut TerminalGame) -> io::Result<()> {
    loop {
        if table.is_computer_to_move() {
            table.start_search(SearchPurpose::Reply);
            table.wait_for_search();
            print_line(&table.message)?;
            print_board(table)?;
        } else if let Some(pass) = table.forced_pass() {
            print_line(table.format_message(Word::Passes, &[]))?;
            if let Err(error) = table.play_target(&pass) {
                return print_line(table.error_text(&error));
            }
        } else {
            return Ok(());
        }
    }
}

/// Does what a word with a value says; `false` if it is none.
fn set_option(table: &mut TerminalGame, word: &str, value: &str) -> io::Result<bool> {
    if value.is_empty() {
        return Ok(false);
    }
    match word {
        "level" => match value.parse().ok().filter(|level| LEVELS.contains(level)) {
            Some(level) => table.set_level(level),
            None => table.message = table.format_message(Word::NoLevel, &[value]),
        },
        "time" => match super::parse_seconds(value) {
            Ok(time) => table.set_move_time(time),
            Err(_) => table.message = table.format_message(Word::NoTime, &[value]),
        },
        "dialect" => {
            if let Err(error) = table.set_dialect(value) {
                table.message = table.error_text(&error);
            }
        }
        "rules" => {
            if let Err(error) = table.set_ruleset(value) {
                table.message = table.error_text(&error);
            }
        }
        "lang" => match value {
            "en" => table.set_language(Language::En),
            "zh" => table.set_language(Language::Zh),
            _ => table.message = table.format_message(Word::NoLanguage, &[value]),
        },
        "judge" => {
            print_ruling(table, Some(value))?;
            return Ok(true);
        }
        _ => return Ok(false),
    }
    print_line(&table.message)?;
    Ok(true)
}

fn print_board(table: &TerminalGame) -> io::Result<()> {
    let view = table.session.view();
    print_line(render::render_text_from(table.session.appearance(), &view, table.pieces, table.bottom_side))?;
    print_status(table)
}

/// How it stands, and why.
fn print_status(table: &TerminalGame) -> io::Result<()> {
    let view = table.session.view();
    if table.clock().is_some() {
        print_line(clock_line(table))?;
    }
    print_line(table.status(&view))?;
    match table.remark(&view) {
        remark if remark.is_empty() => Ok(()),
        remark => print_line(remark),
    }
}

/// What is typed, line by line, read on a thread of its own: a flag may fall while nobody types.
fn spawn_reader() -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    // The next line waits until this one was taken.
    let (sender, typed) = sync_channel(0);
    // Nobody listens any more when the game was left.
    let read = move || io::stdin().lock().split(b'\n').try_for_each(|line| sender.send(line));
    thread::Builder::new().name("typed".to_owned()).spawn(read)?;
    Ok(typed)
}

/// The next words of the person; none where there are no more. A flag that falls meanwhile is told.
fn read_input(typed: &Receiver<io::Result<Vec<u8>>>, table: &mut TerminalGame) -> io::Result<Option<String>> {
    print_prompt(table)?;
    loop {
        let heard = match table.time_to_flag() {
            Some(time) => typed.recv_timeout(time),
            None => typed.recv().map_err(RecvTimeoutError::from),
        };
        match heard {
            // Bytes that are no UTF-8 are a move that nobody knows, not the end of the game.
            Ok(words) => return Ok(Some(String::from_utf8_lossy(&words?).trim().to_owned())),
            Err(RecvTimeoutError::Disconnected) => return print_line("").map(|()| None),
            Err(RecvTimeoutError::Timeout) if table.tick() => {
                print_line("")?;
                print_status(table)?;
                print_prompt(table)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Whose move is asked for.
fn print_prompt(table: &TerminalGame) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mover: Side = table.session.view().side_to_move;
    let over = table.format_message(Word::Ended, &[]);
    write!(out, "{}> ", if table.is_over() { &over } else { table.side_name(mover) })?;
    out.flush()
}
