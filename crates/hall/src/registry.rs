//! The list of games and their boards: the one table that spells out the grid.

use alfil_kernel::{Outcome, Side, Verdict};
use alfil_xiangqi::{self as xiangqi, Xiangqi};

use crate::desk::{Desk, DeskError};
use crate::look::{self, Look};
use crate::room::Room;
use crate::session::Session;

/// The games and their boards by name, each game's default board first.
pub const GAMES: &[(&str, &[&str])] = &[("xiangqi", &["bitboard", "folded", "mailbox"])];

/// The names of the games.
pub fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|&(game, _)| game)
}

/// A desk with the start position of a game, on its default board if none is named.
///
/// # Errors
/// If there is no such game, or the game has no such board.
pub fn open(game: &str, board: Option<&str>) -> Result<Box<dyn Desk>, DeskError> {
    let Some(&(_, boards)) = GAMES.iter().find(|&&(name, _)| name == game) else {
        let games = games().collect::<Vec<_>>().join(", ");
        return Err(DeskError(format!("there is no game {game:?}: the games are {games}")));
    };
    let board = board.unwrap_or(boards[0]);
    match (game, board) {
        ("xiangqi", "bitboard") => Ok(Box::new(Session::<xiangqi::Bitboard>::new())),
        ("xiangqi", "folded") => Ok(Box::new(Session::<xiangqi::Folded>::new())),
        ("xiangqi", "mailbox") => Ok(Box::new(Session::<xiangqi::Mailbox>::new())),
        _ => {
            let boards = boards.join(", ");
            Err(DeskError(format!("{game} has no board {board:?}: its boards are {boards}")))
        }
    }
}

impl<P: xiangqi::Board> Room<P> for Xiangqi {
    type Laws = xiangqi::Ruleset;
    type Evaluate = xiangqi::Values;
    type Notation = xiangqi::Words;

    fn look() -> &'static Look {
        &look::xiangqi::LOOK
    }

    fn words(position: &P, verdict: &Verdict<xiangqi::Cause>) -> String {
        let name = |side: Side| look::xiangqi::LOOK.sides[side.index()];
        let limit = <xiangqi::Ruleset as Default>::default().natural_plies.unwrap_or_default();
        match (verdict.cause, verdict.outcome) {
            (xiangqi::Cause::NoLegalMove, _) => {
                let (loser, winner) = (name(position.side()), name(!position.side()));
                if position.in_check() {
                    format!("Checkmate: {winner} wins")
                } else {
                    format!("{loser} has no move: {winner} wins (stalemate loses in xiangqi)")
                }
            }
            (xiangqi::Cause::PerpetualCheck, Outcome::Win(winner)) => {
                format!("{} checked perpetually and loses: {} wins", name(!winner), name(winner))
            }
            (xiangqi::Cause::PerpetualCheck | xiangqi::Cause::Mutual, _) => {
                "Drawn: both sides check perpetually".into()
            }
            (xiangqi::Cause::Repetition, _) => "Drawn: the position has repeated and nobody offended".into(),
            (xiangqi::Cause::NaturalLimit, _) => format!("Drawn: {limit} plies without a capture"),
            (xiangqi::Cause::Material, _) => "Drawn: neither side has a man that can cross the river".into(),
        }
    }

    fn checked(position: &P) -> Option<xiangqi::Square> {
        position.in_check().then(|| position.king(position.side()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_board_opens_and_no_other() {
        for &(game, boards) in GAMES {
            for &board in boards {
                let desk = open(game, Some(board)).unwrap();
                assert_eq!((desk.game(), desk.board()), (game, board));
                assert_eq!(desk.look().game, game);
            }
            assert!(open(game, Some("slate")).is_err_and(|error| error.0.contains(boards[0])));
        }
        assert!(open("go", None).is_err_and(|error| error.0.contains("xiangqi")));
    }
}
