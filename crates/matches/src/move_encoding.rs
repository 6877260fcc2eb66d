//! The encodings of moves and positions for external engines.

use alfil_kernel::fen::format_rank;
use alfil_protocol::client::Protocol;

use super::openings::Opening;
use alfil_session::{GameSession, RefusedTarget, SessionError};

/// An encoding that an engine understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEncoding {
    /// A dialect of the game.
    Dialect(&'static str),
    /// Othello as multi-variant chess engines write it: drops of a piece `P` on squares with ranks from the bottom,
    /// `P@f4` for f5.
    Drops,
}

/// The numbering of the ranks of xiangqi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankNumbering {
    /// 0 to 9: UCCI, XBoard, Pikafish.
    #[default]
    Zero,
    /// 1 to 10: Fairy-Stockfish in UCI.
    One,
}

impl RankNumbering {
    /// Returns the name on the command line and in the option `UCI_Ranks`.
    pub const fn name(self) -> &'static str {
        match self {
            RankNumbering::Zero => "0-9",
            RankNumbering::One => "1-10",
        }
    }
}

impl MoveEncoding {
    /// Returns the encoding for an engine of this protocol that uses this name for the variant. `dialects` are those of
    /// the game, the default first.
    pub fn for_engine(
        dialects: &[&'static str],
        protocol: Protocol,
        ranks: RankNumbering,
        variant: Option<&str>,
        king_takes_rook: bool,
    ) -> MoveEncoding {
        match protocol {
            Protocol::Uci if variant == Some("flipello") => MoveEncoding::Drops,
            _ if ranks == RankNumbering::One && dialects.contains(&"uci10") => MoveEncoding::Dialect("uci10"),
            _ if king_takes_rook && dialects.contains(&"uci960") => MoveEncoding::Dialect("uci960"),
            _ => MoveEncoding::Dialect(dialects[0]),
        }
    }

    /// Returns the game of the session: its start position (`None` for the normal one), whether the second side moved
    /// first there, and the moves since.
    ///
    /// # Errors
    /// Returns an error if the game cannot be encoded.
    pub fn position_command(
        self,
        session: &dyn GameSession,
        opening: &Opening,
    ) -> Result<(Option<String>, bool, Vec<String>), SessionError> {
        let view = session.view();
        let moves = |dialect| session.played_moves(Some(dialect));
        match self {
            MoveEncoding::Dialect(dialect) => {
                let moves = moves(dialect)?;
                let second_moves_first = (view.side_to_move.index() == 1) ^ (moves.len() % 2 == 1);
                Ok((opening.start.clone(), second_moves_first, moves))
            }
            // Engines differ in how they write passes, and Othello needs no history: the position is enough.
            MoveEncoding::Drops => {
                let fen = to_drop_fen(&view.fen)
                    .ok_or_else(|| SessionError::new(format!("cannot encode the position {:?}", view.fen)))?;
                Ok((Some(fen), view.side_to_move.index() == 1, Vec::new()))
            }
        }
    }

    /// Returns the moves that the ruleset refuses now, and the other legal moves; none if it refuses nothing.
    ///
    /// # Errors
    /// Returns an error if the game does not have the dialect of the encoding.
    pub fn refused_moves(self, session: &dyn GameSession) -> Result<[Vec<String>; 2], SessionError> {
        let refused = session.refused_targets();
        let MoveEncoding::Dialect(dialect) = self else { return Ok([Vec::new(), Vec::new()]) };
        if refused.is_empty() {
            return Ok([Vec::new(), Vec::new()]);
        }
        let format = |refused: RefusedTarget| session.format_move(&refused.target.text, Some(dialect));
        let refused: Result<Vec<_>, _> = refused.into_iter().map(format).collect();
        Ok([refused?, session.legal_moves(Some(dialect))?])
    }

    /// Converts a move of an engine into the default dialect.
    ///
    /// # Errors
    /// Returns an error with the reason if the move is not legal.
    pub fn parse_move(self, session: &dyn GameSession, text: &str) -> Result<String, SessionError> {
        let (dialect, text) = match self {
            MoveEncoding::Dialect(dialect) => (dialect, text.to_owned()),
            MoveEncoding::Drops => ("transcript", square_of_drop(text)),
        };
        let legal = session.legal_moves(None)?;
        for mv in &legal {
            if session.format_move(mv, Some(dialect))?.eq_ignore_ascii_case(&text) {
                return Ok(mv.clone());
            }
        }
        // Chess engines may also castle with letters or write moves in SAN.
        for mv in legal.iter().filter(|_| dialect.starts_with("uci") && session.dialects().contains(&"san")) {
            if session.format_move(mv, Some("san"))?.trim_end_matches(['+', '#'])
                == text.trim_end_matches(['+', '#'])
            {
                return Ok(mv.clone());
            }
        }
        let mut message =
            format!("{text:?} is not one of the {} legal moves in dialect {dialect}", legal.len());
        // The numbering of the ranks may be the other one.
        let (other, ranks) = match dialect {
            "uci10" => (None, RankNumbering::Zero),
            _ => (Some("uci10"), RankNumbering::One),
        };
        if session.dialects().contains(&"uci10")
            && session.parse_line(&[text], other).is_ok_and(|moves| !moves.is_empty())
        {
            message += &format!(", but it is one with ranks={}", ranks.name());
        }
        Err(SessionError::new(message))
    }

    /// Converts a line of an engine from the current position into the default dialect, up to the first text that is no
    /// legal move. Move numbers are skipped.
    ///
    /// # Errors
    /// Returns an error if the game does not have the dialect of the encoding.
    pub fn parse_line(self, session: &dyn GameSession, line: &[String]) -> Result<Vec<String>, SessionError> {
        let moves = line.iter().filter(|text| !text.ends_with('.'));
        match self {
            MoveEncoding::Drops => {
                let squares: Vec<_> = moves.map(|text| square_of_drop(text)).collect();
                session.parse_line(&squares, Some("transcript"))
            }
            MoveEncoding::Dialect(dialect) => {
                let moves: Vec<_> = moves.cloned().collect();
                let parsed = session.parse_line(&moves, Some(dialect))?;
                // Chess engines may also write moves in SAN.
                match parsed.is_empty() && session.dialects().contains(&"san") {
                    true => session.parse_line(&moves, Some("san")),
                    false => Ok(parsed),
                }
            }
        }
    }
}

/// Converts a board of Othello into a chess FEN: `P` for discs of the first side, `p` for the second, and in hand as
/// many as a game can need.
fn to_drop_fen(board: &str) -> Option<String> {
    let (discs, side) = board.split_once(' ')?;
    let piece = |disc: &u8| match disc {
        b'X' => Some('P'),
        b'O' => Some('p'),
        _ => None,
    };
    let rows: Vec<_> = discs.as_bytes().chunks(8).map(|row| format_rank(row.iter().map(piece))).collect();
    let side = if side.trim() == "X" { 'w' } else { 'b' };
    let hand = "P".repeat(32) + &"p".repeat(32);
    (rows.len() == 8).then(|| format!("{}[{hand}] {side} - - 0 1", rows.join("/")))
}

/// Returns `f5` for `P@f4`, and other texts unchanged.
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
    fn xiangqi_ranks_start_at_zero_or_one() {
        let mut session = registry::open("xiangqi", None).unwrap();
        let opening = Opening { start: None, moves: vec!["h2e2".into(), "h9g7".into()] };
        opening.set_up(session.as_mut()).unwrap();
        let encoding = MoveEncoding::for_engine(
            &session.dialects(),
            Protocol::Uci,
            RankNumbering::One,
            Some("xiangqi"),
            false,
        );
        assert_eq!(
            encoding.position_command(session.as_ref(), &opening).unwrap(),
            (None, false, vec!["h3e3".into(), "h10g8".into()])
        );
        assert_eq!(encoding.parse_move(session.as_ref(), "b1c3").unwrap(), "b0c2");
        let hint = |encoding: MoveEncoding, text: &str| {
            let error = encoding.parse_move(session.as_ref(), text).unwrap_err();
            error.message.split_once(", but it is one with ").map(|(_, ranks)| ranks.to_owned())
        };
        assert_eq!(hint(encoding, "b0c2").as_deref(), Some("ranks=0-9"));
        assert_eq!(hint(MoveEncoding::Dialect("ucci"), "b1c3").as_deref(), Some("ranks=1-10"));
        assert_eq!(hint(encoding, "b1b9"), None);
        let line = ["b1c3", "i10h10", "a1b1", "a1b1"].map(String::from);
        assert_eq!(encoding.parse_line(session.as_ref(), &line).unwrap(), ["b0c2", "i9h9", "a0b0"]);
    }

    #[test]
    fn othello_can_be_encoded_as_drops() {
        let mut session = registry::open("othello", None).unwrap();
        let encoding = MoveEncoding::for_engine(
            &session.dialects(),
            Protocol::Uci,
            RankNumbering::Zero,
            Some("flipello"),
            false,
        );
        let opening = Opening::default();
        let (start, second_moves_first, moves) =
            encoding.position_command(session.as_ref(), &opening).unwrap();
        let start = start.unwrap();
        assert!(
            start.starts_with("8/8/8/3pP3/3Pp3/8/8/8[PPPP") && start.ends_with("p] w - - 0 1"),
            "{start}"
        );
        assert!(!second_moves_first && moves.is_empty());
        assert_eq!(encoding.parse_move(session.as_ref(), "P@f4").unwrap(), "f5");
        assert_eq!(encoding.parse_move(session.as_ref(), "f5").unwrap(), "f5");
        assert!(
            encoding.parse_move(session.as_ref(), "P@f5").is_err()
                && encoding.parse_move(session.as_ref(), "P@ß").is_err()
        );
        let line = ["P@f4", "P@f3"].map(String::from);
        assert_eq!(encoding.parse_line(session.as_ref(), &line).unwrap(), ["f5", "f6"]);
        session.play("f5", None).unwrap();
        assert!(encoding.position_command(session.as_ref(), &opening).unwrap().1);
        assert_eq!(
            MoveEncoding::for_engine(
                &session.dialects(),
                Protocol::Uci,
                RankNumbering::Zero,
                Some("othello"),
                false
            ),
            MoveEncoding::Dialect("transcript")
        );
    }

    #[test]
    fn castling_is_parsed_in_all_notations() {
        let mut session = registry::open("chess", None).unwrap();
        let opening = Opening { start: Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1".into()), moves: Vec::new() };
        opening.set_up(session.as_mut()).unwrap();
        for (text, king_takes_rook) in [("e1g1", false), ("O-O", false), ("e1h1", true), ("O-O", true)] {
            let encoding = MoveEncoding::for_engine(
                &session.dialects(),
                Protocol::Uci,
                RankNumbering::Zero,
                None,
                king_takes_rook,
            );
            assert_eq!(encoding.parse_move(session.as_ref(), text).unwrap(), "e1g1", "{text}");
        }
        let san = MoveEncoding::Dialect("uci");
        let line = ["1.", "O-O", "Kd7", "2.", "Rf7+"].map(String::from);
        assert_eq!(san.parse_line(session.as_ref(), &line).unwrap(), ["e1g1", "e8d7", "f1f7"]);
        session.play("h1h7", None).unwrap();
        let encoding =
            MoveEncoding::for_engine(&session.dialects(), Protocol::Uci, RankNumbering::Zero, None, false);
        let position = encoding.position_command(session.as_ref(), &opening).unwrap();
        assert_eq!(position, (opening.start.clone(), false, vec!["h1h7".into()]));
    }

    #[test]
    fn refused_moves_are_encoded_beside_the_others() {
        let mut session = registry::open("xiangqi", None).unwrap();
        session.set_ruleset("tiantian").unwrap();
        let checks = "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9";
        let moves = checks.split(' ').map(str::to_owned).collect();
        let opening = Opening { start: Some("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1".into()), moves };
        opening.set_up(session.as_mut()).unwrap();
        let [refused, allowed] = MoveEncoding::Dialect("uci10").refused_moves(session.as_ref()).unwrap();
        assert!(refused.contains(&"f8e8".into()) && !allowed.contains(&"f8e8".into()), "{refused:?}");
        assert!(allowed.contains(&"f8f7".into()) && !refused.contains(&"f8f7".into()), "{allowed:?}");
        session.set_ruleset("axf").unwrap();
        assert_eq!(MoveEncoding::Dialect("uci10").refused_moves(session.as_ref()).unwrap(), [[""; 0]; 2]);
    }
}
