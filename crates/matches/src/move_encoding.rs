//! How an engine writes the moves and positions of a game.

use alfil_protocol::client::Protocol;

use super::openings::Opening;
use alfil_session::game_session::{GameSession, SessionError};

/// A way of writing that an engine understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEncoding {
    /// A dialect of the game.
    Dialect(&'static str),
    /// Othello as engines for many chess variants write it: drops of a man `P` on squares with ranks from the bottom,
    /// `P@f4` for f5.
    Drops,
}

/// How the ranks of xiangqi are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankNumbering {
    /// 0 to 9: UCCI, XBoard, Pikafish.
    #[default]
    Zero,
    /// 1 to 10: Fairy-Stockfish in UCI.
    One,
}

impl MoveEncoding {
    /// What an engine writes that speaks this protocol and calls the game so.
    pub fn for_engine(
        game: &str,
        protocol: Protocol,
        ranks: RankNumbering,
        variant: Option<&str>,
        king_takes_rook: bool,
    ) -> MoveEncoding {
        match (game, protocol, ranks) {
            ("xiangqi", _, RankNumbering::Zero) => MoveEncoding::Dialect("ucci"),
            ("xiangqi", _, RankNumbering::One) => MoveEncoding::Dialect("uci10"),
            ("chess", ..) if king_takes_rook => MoveEncoding::Dialect("uci960"),
            ("chess", ..) => MoveEncoding::Dialect("uci"),
            (_, Protocol::Uci, _) if variant == Some("flipello") => MoveEncoding::Drops,
            _ => MoveEncoding::Dialect("transcript"),
        }
    }

    /// The game on the desk: the position it began in, none for the start position, whether the second side moved first there,
    /// and the moves since.
    ///
    /// # Errors
    /// If the game cannot be written so.
    pub fn position_command(
        self,
        desk: &dyn GameSession,
        opening: &Opening,
    ) -> Result<(Option<String>, bool, Vec<String>), SessionError> {
        let now = desk.view();
        let moves = |dialect| desk.played_moves(Some(dialect));
        match self {
            MoveEncoding::Dialect(dialect) => {
                let moves = moves(dialect)?;
                let second = (now.side_to_move.index() == 1) ^ (moves.len() % 2 == 1);
                Ok((opening.start.clone(), second, moves))
            }
            // No two of them write passes alike, and Othello has no history: the position says everything.
            MoveEncoding::Drops => {
                let drops = to_drop_fen(&now.fen)
                    .ok_or_else(|| SessionError::new(format!("{:?} is no board", now.fen)))?;
                Ok((Some(drops), now.side_to_move.index() == 1, Vec::new()))
            }
        }
    }

    /// A move of an engine in the default dialect.
    ///
    /// # Errors
    /// If it is no legal move, with the reason.
    pub fn parse_move(self, desk: &dyn GameSession, text: &str) -> Result<String, SessionError> {
        let (dialect, text) = match self {
            MoveEncoding::Dialect(dialect) => (dialect, text.to_owned()),
            MoveEncoding::Drops => ("transcript", square_of_drop(text)),
        };
        let legal = desk.legal_moves(None)?;
        for mv in &legal {
            if desk.format_move(mv, Some(dialect))?.eq_ignore_ascii_case(&text) {
                return Ok(mv.clone());
            }
        }
        // Chess engines also castle with letters, or write any move as people do.
        for mv in legal.iter().filter(|_| dialect.starts_with("uci") && desk.dialects().contains(&"san")) {
            if desk.format_move(mv, Some("san"))?.trim_end_matches(['+', '#'])
                == text.trim_end_matches(['+', '#'])
            {
                return Ok(mv.clone());
            }
        }
        Err(SessionError::new(format!(
            "{text:?} is no legal move here; there are {} in {dialect}",
            legal.len()
        )))
    }
}

/// A board of Othello as a chess FEN: `P` the first side's discs, `p` the second's, and as many in hand as a game can need.
fn to_drop_fen(board: &str) -> Option<String> {
    let (discs, side) = board.split_once(' ')?;
    let mut rows = Vec::new();
    for row in discs.as_bytes().chunks(8) {
        let mut text = String::new();
        let mut empty = 0;
        for &disc in row {
            let man = match disc {
                b'X' => 'P',
                b'O' => 'p',
                _ => {
                    empty += 1;
                    continue;
                }
            };
            if empty > 0 {
                text += &empty.to_string();
            }
            empty = 0;
            text.push(man);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        rows.push(text);
    }
    let side = if side.trim() == "X" { 'w' } else { 'b' };
    let hand = "P".repeat(32) + &"p".repeat(32);
    (rows.len() == 8).then(|| format!("{}[{hand}] {side} - - 0 1", rows.join("/")))
}

/// `f5` from `P@f4`; anything else as it is.
fn square_of_drop(text: &str) -> String {
    match text.as_bytes() {
        [b'P' | b'p', b'@', file, rank @ b'1'..=b'8'] => {
            format!("{}{}", char::from(*file), char::from(b'1' + b'8' - rank))
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_session::registry;

    #[test]
    fn xiangqi_is_written_with_either_numbers() {
        let mut desk = registry::open("xiangqi", None).unwrap();
        let opening = Opening { start: None, moves: vec!["h2e2".into(), "h9g7".into()] };
        opening.set_up(desk.as_mut()).unwrap();
        let wire =
            MoveEncoding::for_engine("xiangqi", Protocol::Uci, RankNumbering::One, Some("xiangqi"), false);
        assert_eq!(
            wire.position_command(desk.as_ref(), &opening).unwrap(),
            (None, false, vec!["h3e3".into(), "h10g8".into()])
        );
        assert_eq!(wire.parse_move(desk.as_ref(), "b1c3").unwrap(), "b0c2");
        assert!(wire.parse_move(desk.as_ref(), "b0c2").is_err());
    }

    #[test]
    fn othello_is_written_with_drops() {
        let mut desk = registry::open("othello", None).unwrap();
        let wire =
            MoveEncoding::for_engine("othello", Protocol::Uci, RankNumbering::Zero, Some("flipello"), false);
        let opening = Opening::default();
        let (start, second, moves) = wire.position_command(desk.as_ref(), &opening).unwrap();
        let start = start.unwrap();
        assert!(
            start.starts_with("8/8/8/3pP3/3Pp3/8/8/8[PPPP") && start.ends_with("p] w - - 0 1"),
            "{start}"
        );
        assert!(!second && moves.is_empty());
        assert_eq!(wire.parse_move(desk.as_ref(), "P@f4").unwrap(), "f5");
        assert_eq!(wire.parse_move(desk.as_ref(), "f5").unwrap(), "f5");
        assert!(
            wire.parse_move(desk.as_ref(), "P@f5").is_err() && wire.parse_move(desk.as_ref(), "P@ß").is_err()
        );
        desk.play("f5", None).unwrap();
        assert!(wire.position_command(desk.as_ref(), &opening).unwrap().1);
        assert_eq!(
            MoveEncoding::for_engine("othello", Protocol::Uci, RankNumbering::Zero, Some("othello"), false),
            MoveEncoding::Dialect("transcript")
        );
    }

    #[test]
    fn chess_engines_castle_in_several_ways() {
        let mut desk = registry::open("chess", None).unwrap();
        let opening = Opening { start: Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1".into()), moves: Vec::new() };
        opening.set_up(desk.as_mut()).unwrap();
        for (text, king_takes_rook) in [("e1g1", false), ("O-O", false), ("e1h1", true), ("O-O", true)] {
            let wire =
                MoveEncoding::for_engine("chess", Protocol::Uci, RankNumbering::Zero, None, king_takes_rook);
            assert_eq!(wire.parse_move(desk.as_ref(), text).unwrap(), "e1g1", "{text}");
        }
        desk.play("h1h7", None).unwrap();
        let wire = MoveEncoding::for_engine("chess", Protocol::Uci, RankNumbering::Zero, None, false);
        let road = wire.position_command(desk.as_ref(), &opening).unwrap();
        assert_eq!(road, (opening.start.clone(), false, vec!["h1h7".into()]));
    }
}
