//! The plain mode: a board, a question, an answer; for pipes, for old terminals, and for those who read line by line.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Instant;

use alfil_hall::draw::{self, Pieces};
use alfil_kernel::Side;

use super::clock::face;
use super::review::graph;
use super::sheet::losses;
use super::table::{LEVELS, Purpose, Table};
use super::words::Word;
use crate::Done;
use crate::judge::sentences;
use crate::language::Language;
use crate::output::line;

/// Columns and rows of the graph of a review.
const GRAPH: (usize, usize) = (72, 8);

/// Plays until the game or the input ends.
pub(crate) fn play(mut table: Table) -> Done {
    let level = table.level.to_string();
    line(table.say(Word::Seats, &[table.name(table.person), table.name(!table.person), &level]))?;
    show(&table)?;
    let typed = listen()?;
    loop {
        settle(&mut table)?;
        let Some(words) = ask(&typed, &mut table)? else { return Ok(()) };
        // A flag may have fallen at the last moment.
        if table.tick() {
            state(&table)?;
        }
        let (word, value) = words.split_once(char::is_whitespace).unwrap_or((&words, ""));
        if matches!(word, "quit" | "q" | "exit") {
            return Ok(());
        }
        if !set(&mut table, word, value.trim())? && !tell(&mut table, &words)? && !act(&mut table, &words)? {
            match table.play(&words) {
                // Else the board is shown with the answer.
                Ok(()) if table.is_over() => show(&table)?,
                Ok(()) => {}
                Err(error) => line(table.told(&error))?,
            }
        }
    }
}

/// Says what a word asks for; `false` if it asks for nothing.
fn tell(table: &mut Table, words: &str) -> io::Result<bool> {
    match words {
        "" => {}
        "board" => show(table)?,
        "time" => line(table.time_words())?,
        "lang" => line(table.say(Word::Languages, &[]))?,
        "level" => line(table.say(Word::Level, &[&table.level.to_string()]))?,
        "dialect" => {
            let known = table.desk.dialects().join(", ");
            line(table.say(Word::Dialects, &[table.dialect_name(), &known]))?;
        }
        "rules" => match table.book() {
            Some(book) => {
                let known = table.desk.books().join(", ");
                line(table.say(Word::Books, &[table.book_title(book), &known]))?;
            }
            None => line(table.say(Word::NoBooks, &[table.title()]))?,
        },
        "clock" => line(clock(table))?,
        "help" | "?" => line(table.say(Word::LineHelp, &[]))?,
        "moves" => line(table.moves().join(" "))?,
        "record" => line(table.record().join(" "))?,
        "fen" => line(table.desk.view().fen)?,
        "judge" => judge(table, None)?,
        "review" => review(table)?,
        "eval" => {
            table.think(Purpose::Glance);
            table.wait();
            if table.is_over() {
                line(&table.said)?;
            }
            for finding in &table.findings {
                line(finding.words())?;
            }
        }
        "hint" => {
            table.think(Purpose::Hint);
            table.wait();
            line(&table.said)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Does what a word says; `false` if it says nothing.
fn act(table: &mut Table, words: &str) -> io::Result<bool> {
    match words {
        "resign" => {
            table.resign();
            state(table)?;
        }
        "undo" => {
            table.take_back();
            line(&table.said)?;
            show(table)?;
        }
        "new" => {
            table.restart();
            show(table)?;
        }
        "flip" => {
            table.below = !table.below;
            show(table)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Both sides' time, in a line.
fn clock(table: &Table) -> String {
    let Some(clock) = table.clock() else { return table.say(Word::NoClock, &[]) };
    let now = Instant::now();
    Side::BOTH.map(|side| format!("{} {}", table.name(side), face(clock.left(side, now)))).join("  ")
}

/// What a rule book says of a repetition or an end; the one of this game if none is named.
fn judge(table: &Table, book: Option<&str>) -> io::Result<()> {
    let Some(book) = book.or(table.book()) else { return line(table.say(Word::NoBooks, &[table.title()])) };
    // Whether there is such a book does not depend on the game so far.
    if let Err(error) = table.known(book) {
        return line(table.told(&error));
    }
    if !table.is_case() {
        return line(table.say(Word::NoCase, &[]));
    }
    match table.rule(book) {
        Ok(ruling) => sentences(&ruling).try_for_each(line),
        Err(error) => line(table.told(&error)),
    }
}

/// The values of the whole game as a graph, and the largest losses.
fn review(table: &mut Table) -> io::Result<()> {
    let mut review = match table.review() {
        Ok(Some(review)) => review,
        Ok(None) => return line(table.say(Word::NoReview, &[])),
        Err(error) => return line(table.told(&error)),
    };
    // Nobody can move until it is done.
    table.pause();
    let done = review.finish();
    table.resume();
    if let Err(error) = done {
        return line(table.told(&error));
    }
    for row in graph(&review, GRAPH.0, GRAPH.1, table.pieces == Pieces::Ascii) {
        line(row.trim_end())?;
    }
    losses(table, &review).iter().try_for_each(line)
}

/// The computer moves while it is its turn, and a person who must pass passes.
fn settle(table: &mut Table) -> io::Result<()> {
    loop {
        if table.owes_reply() {
            table.think(Purpose::Reply);
            table.wait();
            line(&table.said)?;
            show(table)?;
        } else if let Some(pass) = table.forced() {
            line(table.say(Word::Passes, &[]))?;
            if let Err(error) = table.choose(&pass) {
                return line(table.told(&error));
            }
        } else {
            return Ok(());
        }
    }
}

/// Does what a word with a value says; `false` if it is none.
fn set(table: &mut Table, word: &str, value: &str) -> io::Result<bool> {
    if value.is_empty() {
        return Ok(false);
    }
    match word {
        "level" => match value.parse().ok().filter(|level| LEVELS.contains(level)) {
            Some(level) => table.set_level(level),
            None => table.said = table.say(Word::NoLevel, &[value]),
        },
        "time" => match super::seconds(value) {
            Ok(time) => table.set_time(time),
            Err(_) => table.said = table.say(Word::NoTime, &[value]),
        },
        "dialect" => {
            if let Err(error) = table.speak(value) {
                table.said = table.told(&error);
            }
        }
        "rules" => {
            if let Err(error) = table.judge_by(value) {
                table.said = table.told(&error);
            }
        }
        "lang" => match value {
            "en" => table.speak_in(Language::En),
            "zh" => table.speak_in(Language::Zh),
            _ => table.said = table.say(Word::NoLanguage, &[value]),
        },
        "judge" => {
            judge(table, Some(value))?;
            return Ok(true);
        }
        _ => return Ok(false),
    }
    line(&table.said)?;
    Ok(true)
}

fn show(table: &Table) -> io::Result<()> {
    let view = table.desk.view();
    line(draw::text_from(table.desk.look(), &view, table.pieces, table.below))?;
    state(table)
}

/// How it stands, and why.
fn state(table: &Table) -> io::Result<()> {
    let view = table.desk.view();
    if table.clock().is_some() {
        line(clock(table))?;
    }
    line(table.status(&view))?;
    match table.remark(&view) {
        remark if remark.is_empty() => Ok(()),
        remark => line(remark),
    }
}

/// What is typed, line by line, read on a thread of its own: a flag may fall while nobody types.
fn listen() -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    // The next line waits until this one was taken.
    let (sender, typed) = sync_channel(0);
    // Nobody listens any more when the game was left.
    let read = move || io::stdin().lock().split(b'\n').try_for_each(|line| sender.send(line));
    thread::Builder::new().name("typed".to_owned()).spawn(read)?;
    Ok(typed)
}

/// The next words of the person; none where there are no more. A flag that falls meanwhile is told.
fn ask(typed: &Receiver<io::Result<Vec<u8>>>, table: &mut Table) -> io::Result<Option<String>> {
    prompt(table)?;
    loop {
        let heard = match table.falls_in() {
            Some(time) => typed.recv_timeout(time),
            None => typed.recv().map_err(RecvTimeoutError::from),
        };
        match heard {
            // Bytes that are no UTF-8 are a move that nobody knows, not the end of the game.
            Ok(words) => return Ok(Some(String::from_utf8_lossy(&words?).trim().to_owned())),
            Err(RecvTimeoutError::Disconnected) => return line("").map(|()| None),
            Err(RecvTimeoutError::Timeout) if table.tick() => {
                line("")?;
                state(table)?;
                prompt(table)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Whose move is asked for.
fn prompt(table: &Table) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mover: Side = table.desk.view().side;
    let over = table.say(Word::Ended, &[]);
    write!(out, "{}> ", if table.is_over() { &over } else { table.name(mover) })?;
    out.flush()
}
