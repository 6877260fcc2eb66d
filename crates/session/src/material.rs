//! The material of a position: the pieces that were captured since the start of a game, and who is ahead.

use crate::game_info::GameInfo;

/// The material of a position, in games with pieces of different values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// The letters of each side's captured pieces, the most valuable first.
    pub captured: [Vec<char>; 2],
    /// The value of the first side's pieces on the board less that of the second side's, in hundredths of the least
    /// valuable piece.
    pub difference: i32,
}

/// Returns the material of a position, compared with the start of its game; `None` if the pieces have no values.
///
/// A promoted piece stands for the pawn that it was: the number of captured pieces is right, and of a captured promoted
/// piece the list has the pawn.
///
/// ```
/// use alfil_session::material::material;
/// use alfil_session::registry;
///
/// let mut session = registry::open("chess", None).unwrap();
/// let start = session.view().pieces;
/// for mv in ["e2e4", "d7d5", "e4d5"] {
///     session.play(mv, None).unwrap();
/// }
/// let found = material(session.info(), &start, &session.view().pieces).unwrap();
/// assert_eq!((found.captured, found.difference), ([vec![], vec!['p']], 100));
/// ```
pub fn material(info: &GameInfo, start: &[(String, char)], pieces: &[(String, char)]) -> Option<Material> {
    let (&(least, _), _) = info.piece_values.split_last()?;
    let mut found = Material::default();
    for (side, captured) in found.captured.iter_mut().enumerate() {
        let letter_of = |letter: char| if side == 0 { letter } else { letter.to_ascii_lowercase() };
        let count = |pieces: &[(String, char)], letter: char| {
            pieces.iter().filter(|&&(_, piece)| piece == letter_of(letter)).count()
        };
        let others = info.piece_values.iter().filter(|&&(letter, _)| letter != least);
        // Pieces of a kind beyond their number at the start are promoted ones.
        let promoted: usize =
            others.map(|&(letter, _)| count(pieces, letter).saturating_sub(count(start, letter))).sum();
        for &(letter, value) in info.piece_values {
            let now = count(pieces, letter);
            let kept = if letter == least { now + promoted } else { now };
            let missing = count(start, letter).saturating_sub(kept);
            captured.extend(std::iter::repeat_n(letter_of(letter), missing));
            found.difference += if side == 0 { value } else { -value } * now as i32;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use alfil_kernel::Waivers;

    use super::*;
    use crate::registry;

    fn pieces(game: &str, text: &str) -> Vec<(String, char)> {
        let mut session = registry::open(game, None).unwrap();
        session.open(text, &Waivers::All).unwrap();
        session.view().pieces
    }

    fn found(game: &str, start: &str, text: &str) -> Option<([String; 2], i32)> {
        let Material { captured, difference } =
            material(registry::info(game).unwrap(), &pieces(game, start), &pieces(game, text))?;
        Some((captured.map(String::from_iter), difference))
    }

    #[test]
    fn captured_pieces_are_listed_by_value() {
        let text = "3akab2/9/9/p3p3p/9/9/P3P3P/9/9/R3KA2R w - - 0 30";
        let lists = ["CCNNBBAPP".into(), "rrccnnbpp".into()];
        let difference = 2 * 900 + 200 - (200 + 2 * 200);
        assert_eq!(found("xiangqi", "startpos", text), Some((lists, difference)));
    }

    #[test]
    fn a_promoted_piece_stands_for_its_pawn() {
        let text = "rnbqkb1r/pppppp2/8/8/8/8/1PPPPPPP/RNBQKBNQ w KQkq - 0 20";
        // White has a queen more and a rook and a pawn less: one rook was captured, and the pawn was promoted.
        assert_eq!(
            found("chess", "startpos", text),
            Some((["R".into(), "npp".into()], 900 - 500 - 100 + 300 + 200))
        );
    }

    #[test]
    fn discs_have_no_values_and_a_game_may_begin_with_few_pieces() {
        assert_eq!(found("othello", "startpos", "startpos"), None);
        let start = "8/5k2/8/8/3R4/8/1r3PPP/6K1 w - - 0 40";
        assert_eq!(found("chess", start, start), Some(([String::new(), String::new()], 300)));
    }
}
