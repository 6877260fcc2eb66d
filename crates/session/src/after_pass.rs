//! Positions in which the other side is to move: what the opponent threatens, and the moves that a player may enter
//! before the opponent has replied.

use alfil_kernel::Waivers;

use crate::game_session::{GameSession, Target};
use crate::position_view::PositionView;
use crate::registry;
use crate::session_error::SessionError;

/// A square and the letter of the piece on it.
type Placed = (String, char);

/// Returns a session of its own at the position after the side to move has passed, which has no history.
///
/// ```
/// use alfil_session::after_pass::session_after_pass;
/// use alfil_session::registry;
///
/// let mut session = registry::open("chess", None)?;
/// for mv in ["e2e4", "e7e5", "d1h5"] {
///     session.play(mv, None)?;
/// }
/// // What White threatens.
/// let threat = session_after_pass(&*session)?;
/// assert!(threat.legal_moves(Some("san"))?.contains(&"Qxe5+".to_owned()));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// If the side to move is in check, so that a pass would give away its king, or the position cannot be played.
pub fn session_after_pass(session: &dyn GameSession) -> Result<Box<dyn GameSession>, SessionError> {
    let view = session.view();
    if view.checked_king.is_some() {
        return Err(SessionError::new("a side in check cannot pass: the threat is the check itself")
            .with_chinese("被将军的一方不能停一着：对方的威胁就是将军"));
    }
    open_with_other_side(session, &view, &view.pieces)
}

/// Opens these pieces with the other side to move, and with the castling rights of the view.
fn open_with_other_side(
    session: &dyn GameSession,
    view: &PositionView,
    pieces: &[Placed],
) -> Result<Box<dyn GameSession>, SessionError> {
    let mut passed = registry::open(session.game(), None)?;
    passed.open(&session.text_from_pieces(pieces, !view.side_to_move, Some(&view.fen))?, &Waivers::All)?;
    Ok(passed)
}

/// Returns the moves that the side not to move may enter before its turn: those that it would have now, and those that
/// take back on the square of each of its pieces, if the opponent captures it. Whether one is legal is known after the
/// opponent's move only.
///
/// ```
/// use alfil_session::after_pass::premoves;
/// use alfil_session::registry;
///
/// let mut session = registry::open("chess", None)?;
/// for mv in ["e2e4", "e7e5", "b1c3"] {
///     session.play(mv, None)?;
/// }
/// // It is Black's turn: White may enter the next move, also one that takes back on e4.
/// let entered = premoves(&*session);
/// assert!(["d2d4", "c3e4"].iter().all(|mv| entered.iter().any(|target| target.text == *mv)));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub fn premoves(session: &dyn GameSession) -> Vec<Target> {
    let view = session.view();
    let side = !view.side_to_move;
    let mut found = open_with_other_side(session, &view, &view.pieces)
        .map_or_else(|_| Vec::new(), |now| now.targets(None));
    if found.iter().any(|target| target.from.is_none()) {
        // New pieces are put on empty squares only.
        return found;
    }
    let owner = |letter: char| session.appearance().piece(letter).map(|piece| piece.side);
    // A king may not stand where it can be captured.
    let is_king = |letter: char| letter.eq_ignore_ascii_case(&'k');
    let is_enemy = |placed: &&Placed| owner(placed.1) == Some((!side).index()) && !is_king(placed.1);
    let mut enemies: Vec<_> = view.pieces.iter().filter(is_enemy).collect();
    enemies.sort_by_key(|placed| placed.1);
    enemies.dedup_by_key(|placed| placed.1);
    for (square, _) in view.pieces.iter().filter(|&&(_, letter)| owner(letter) == Some(side.index())) {
        // An enemy piece has captured here. One of each kind is tried, because leaving its square may open a line.
        let capture = |(from, letter): &Placed| {
            let others = view.pieces.iter().filter(|&(other, _)| other != square && other != from).cloned();
            let pieces: Vec<_> = others.chain([(square.clone(), *letter)]).collect();
            open_with_other_side(session, &view, &pieces).ok()
        };
        for captured in enemies.iter().copied().filter_map(capture) {
            let targets = captured.targets(None).into_iter();
            for target in targets.filter(|target| target.to.as_ref() == Some(square)) {
                if !found.contains(&target) {
                    found.push(target);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(game: &str, position: &str) -> Box<dyn GameSession> {
        let mut session = registry::open(game, None).unwrap();
        session.open(position, &Waivers::None).unwrap();
        session
    }

    fn premoves_of(game: &str, position: &str) -> Vec<String> {
        let found = premoves(session(game, position).as_ref()).into_iter();
        found.map(|target| target.from.unwrap_or_default() + &target.to.unwrap_or_default()).collect()
    }

    #[test]
    fn premoves_are_those_of_the_side_that_waits_and_what_takes_back() {
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let moves = premoves_of("chess", start);
        for text in ["d2d4", "g1f3", "f1c4", "d1h5"] {
            assert!(moves.contains(&text.to_owned()), "{text}");
        }
        // The king would take back on d2, and nothing moves for Black.
        assert!(moves.contains(&"e1d2".to_owned()) && !moves.contains(&"e7e5".to_owned()));
        // Black has no bishop that could have captured on d4.
        let moves = premoves_of("chess", "3r2k1/8/8/8/3N4/8/8/3R2K1 b - - 0 1");
        assert!(moves.contains(&"d1d4".to_owned()), "{moves:?}");
        // If the bishop captured on d4, its rook would give check; if the queen does, the pawn takes back.
        let moves = premoves_of("chess", "3q2k1/8/8/8/3N4/2P5/5P2/1rb3K1 b - - 0 1");
        assert!(moves.contains(&"c3d4".to_owned()), "{moves:?}");
        // In Chess960 castling is a premove, too.
        let moves = premoves_of("chess", "1k6/p7/8/8/8/8/8/5K1R b H - 0 1");
        assert!(moves.contains(&"f1h1".to_owned()), "{moves:?}");
        let moves = premoves_of("xiangqi", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b");
        assert!(moves.contains(&"b0c2".to_owned()) && moves.contains(&"a0b0".to_owned()));
        let moves = premoves_of("othello", "startpos");
        assert!(moves.contains(&"c5".to_owned()) || moves.contains(&"f4".to_owned()), "{moves:?}");
    }

    #[test]
    fn a_pass_shows_the_threat_but_not_in_check() {
        let passed =
            session_after_pass(session("chess", "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1").as_ref()).unwrap();
        assert!(passed.legal_moves(Some("san")).unwrap().contains(&"Ra8#".to_owned()));
        let passed =
            session_after_pass(session("chess", "r3k2r/8/8/8/8/8/8/4K3 w q - 0 1").as_ref()).unwrap();
        assert_eq!(passed.view().fen, "r3k2r/8/8/8/8/8/8/4K3 b q - 0 1");
        let passed =
            session_after_pass(session("chess", "r3k2r/8/8/8/8/8/8/4K3 w - - 0 1").as_ref()).unwrap();
        assert_eq!(passed.view().fen, "r3k2r/8/8/8/8/8/8/4K3 b - - 0 1");
        let error = session_after_pass(session("chess", "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1").as_ref());
        assert!(error.err().unwrap().message.contains("check"));
    }
}
