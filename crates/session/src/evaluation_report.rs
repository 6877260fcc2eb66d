//! The static evaluation of a position, by part and by piece.

use alfil_evaluation::tuning::EvalPart;
use alfil_kernel::{Evaluator as _, Position, Setup as _, SetupOf, Side, Waivers};

use crate::game_profile::{EvaluatorOf, GameProfile};

/// The static evaluation of a position, in centipawns (hundredths of a disc) from the view of the first side.
///
/// ```
/// use alfil_session::registry;
///
/// let report = registry::open("chess", None)?.evaluation_report();
/// let queen = report.pieces.iter().find(|piece| piece.square == "d1").unwrap();
/// let king = report.pieces.iter().find(|piece| piece.square == "e1").unwrap();
/// assert!(queen.value.is_some_and(|value| value > 500) && king.value.is_none());
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationReport {
    /// The score.
    pub score: i32,
    /// The description of the network that gives the score; `None` for the hand-made evaluation.
    pub network: Option<String>,
    /// The parts of the hand-made evaluation, before rounding; empty in games that have none.
    pub parts: Vec<EvalPart>,
    /// The value of each piece.
    pub pieces: Vec<PieceValue>,
}

/// The value of a piece in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceValue {
    /// The name of its square.
    pub square: String,
    /// Its letter.
    pub letter: char,
    /// The score minus the score without the piece, from the view of the first side; `None` if there is no valid
    /// position without it, as without a king.
    pub value: Option<i32>,
}

/// Returns the report on a position.
pub(crate) fn report<P: Position>(
    position: &P,
    eval: &mut EvaluatorOf<P>,
    network: Option<String>,
) -> EvaluationReport
where
    P::Game: GameProfile<P>,
{
    let score = first_side_score(position, eval);
    let before = position.to_setup();
    let (placed, side) = <P::Game as GameProfile<P>>::pieces_of_setup(&before);
    let named: Vec<(String, char)> = placed
        .iter()
        .map(|(square, piece)| (square.to_string(), alfil_kernel::Piece::letter(*piece)))
        .collect();
    let mut value_without = |index: usize| {
        let mut rest = named.clone();
        rest.remove(index);
        let text = <P::Game as GameProfile<P>>::text_from_pieces(&rest, side, Some(&before));
        let setup = SetupOf::<P>::parse(&text).ok()?;
        let without = P::from_setup(&setup, &Waivers::All).ok()?;
        Some(score - first_side_score(&without, eval))
    };
    let values: Vec<_> = (0..named.len()).map(&mut value_without).collect();
    let pieces = named.into_iter().zip(values);
    let parts = <P::Game as GameProfile<P>>::EVALUATION_PARTS;
    EvaluationReport {
        score,
        network,
        parts: parts.map_or_else(Vec::new, |parts| parts(position)),
        pieces: pieces.map(|((square, letter), value)| PieceValue { square, letter, value }).collect(),
    }
}

fn first_side_score<P: Position>(position: &P, eval: &mut EvaluatorOf<P>) -> i32
where
    P::Game: GameProfile<P>,
{
    eval.reset(position);
    let score = eval.score(position).value();
    if position.side_to_move() == Side::First { score } else { -score }
}
