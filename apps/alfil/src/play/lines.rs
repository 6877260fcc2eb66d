//! The plain mode: a board, a question, an answer; for pipes, for old terminals, and for those who read line by line.

use std::io::{self, BufRead, Write};

use alfil_hall::draw;
use alfil_kernel::Side;

use super::table::{Purpose, Table};
use crate::Done;
use crate::output::line;

const HELP: &str = "\
Type a move, or one of:
  moves    the legal moves        hint     a good move
  undo     take back              new      start again
  flip     turn the board         fen      the position's text
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
        match words.as_str() {
            "" => {}
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
                show(&table)?;
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

fn show(table: &Table) -> io::Result<()> {
    let view = table.desk.view();
    line(draw::text_from(table.desk.look(), &view, table.pieces, table.below))?;
    line(table.status(&view))
}

/// The next words of the person; none where there are no more.
fn ask(input: &mut impl BufRead, table: &Table) -> io::Result<Option<String>> {
    let mut out = io::stdout().lock();
    let mover: Side = table.desk.view().side;
    write!(out, "{}> ", if table.is_over() { "over" } else { table.name(mover) })?;
    out.flush()?;
    let mut words = String::new();
    if input.read_line(&mut words)? == 0 {
        writeln!(out)?;
        return Ok(None);
    }
    Ok(Some(words.trim().to_owned()))
}
