//! The plain mode: a board, a question, an answer; for pipes, for old terminals, and for those who read line by line.

use std::io::{self, BufRead, Write};

use alfil_hall::draw;
use alfil_kernel::Side;

use super::table::{LEVELS, Purpose, Table};
use crate::Done;
use crate::output::line;

const HELP: &str = "\
Type a move as you write it, or one of:
  moves    the legal moves        hint     a good move
  eval     the best lines         board    the position again
  undo     take back              new      start again
  flip     turn the board         level N  the computer's strength, 1 to 10
  fen      the position's text    dialect NAME   how moves are written
  record   the moves so far       resign   give up
  help     this                   quit     leave";

/// Plays until the game or the input ends.
pub(crate) fn play(mut table: Table) -> Done {
    let names = (table.name(table.person), table.level, table.name(!table.person));
    line(format_args!(
        "You play {}; the computer plays {} at level {}. Type help for help.",
        names.0, names.2, names.1
    ))?;
    show(&table)?;
    let mut input = io::stdin().lock();
    loop {
        settle(&mut table)?;
        let Some(words) = ask(&mut input, &table)? else { return Ok(()) };
        if let Some((word, value)) = words.split_once(char::is_whitespace)
            && set(&mut table, word, value.trim())?
        {
            continue;
        }
        match words.as_str() {
            "" => {}
            "board" => show(&table)?,
            "level" => line(format_args!("The computer plays at level {}.", table.level))?,
            "dialect" => {
                let known = table.desk.dialects().join(", ");
                line(format_args!("Moves are written as {}; known are {known}.", table.dialect()))?;
            }
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
            "quit" | "q" | "exit" => return Ok(()),
            "help" | "?" => line(HELP)?,
            "moves" => line(table.moves().join(" "))?,
            "record" => line(table.record().join(" "))?,
            "fen" => line(table.desk.view().fen)?,
            "hint" => {
                table.think(Purpose::Hint);
                table.wait();
                line(&table.said)?;
            }
            "resign" => {
                table.resign();
                state(&table)?;
            }
            "undo" => {
                table.take_back();
                line(&table.said)?;
                show(&table)?;
            }
            "new" => {
                table.restart();
                show(&table)?;
            }
            "flip" => {
                table.below = !table.below;
                show(&table)?;
            }
            text => match table.play(text) {
                // Else the board is shown with the answer.
                Ok(()) if table.is_over() => show(&table)?,
                Ok(()) => {}
                Err(error) => line(error)?,
            },
        }
    }
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
            line("You have no move and pass.")?;
            if let Err(error) = table.choose(&pass) {
                return line(error);
            }
        } else {
            return Ok(());
        }
    }
}

/// Does what a word with a value says; `false` if it is none.
fn set(table: &mut Table, word: &str, value: &str) -> io::Result<bool> {
    match word {
        "level" => match value.parse().ok().filter(|level| LEVELS.contains(level)) {
            Some(level) => table.set_level(level),
            None => table.said = format!("{value:?} is no level: they go from 1 to 10."),
        },
        "dialect" => {
            if let Err(error) = table.speak(value) {
                table.said = error.to_string();
            }
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
    line(table.status(&view))?;
    match table.remark(&view) {
        remark if remark.is_empty() => Ok(()),
        remark => line(remark),
    }
}

/// The next words of the person; none where there are no more.
fn ask(input: &mut impl BufRead, table: &Table) -> io::Result<Option<String>> {
    let mut out = io::stdout().lock();
    let mover: Side = table.desk.view().side;
    write!(out, "{}> ", if table.is_over() { "over" } else { table.name(mover) })?;
    out.flush()?;
    // Bytes that are no UTF-8 are a move that nobody knows, not the end of the game.
    let mut words = Vec::new();
    if input.read_until(b'\n', &mut words)? == 0 {
        writeln!(out)?;
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&words).trim().to_owned()))
}
