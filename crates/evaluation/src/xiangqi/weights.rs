//! The weights of the evaluation. The [values](super::tuned_weights) were first estimated, as the comments here say,
//! and then fitted to games of our own by `alfil train xiangqi --kind terms`: the log is `docs/inside/strength.md`.

use crate::{TaperedScore, weights};

use alfil_xiangqi::piece::PieceKind;
use alfil_xiangqi::square::Square;

/// The piece-square values of a Red piece without material: ten ranks from Black's back rank down, files a to e; the
/// other four files mirror them.
type HalfBoardPsqt = [[TaperedScore; 5]; 10];

weights! {
    /// The weights of all terms, of material and of piece-square tables. A single weight is multiplied by a count, an
    /// array is indexed by a count.
    pub struct Weights {
        /// Tempo: the side to move.
        tempo: TaperedScore,
        /// By the number of squares to which a rook can move that no enemy soldier attacks.
        rook_mobility: [TaperedScore; 18],
        /// The same of a horse: with none or one it is trapped.
        horse_mobility: [TaperedScore; 9],
        /// The same of a cannon.
        cannon_mobility: [TaperedScore; 18],
        /// For each square of the enemy palace that a rook, a horse attacks or protects.
        rook_in_palace: TaperedScore,
        horse_in_palace: TaperedScore,
        /// For each square from which a rook, a horse could give check without being captured.
        rook_checks: TaperedScore,
        horse_checks: TaperedScore,
        /// For each horse that only its blocked leg keeps from giving check.
        blocked_horse_check: TaperedScore,
        /// A cannon on the enemy king's file, by the pieces between: none is the hollow cannon (kong tou pao), two the
        /// central cannon (dang tou pao).
        cannon_on_file: [TaperedScore; 5],
        /// The same while an own rook is on the board.
        cannon_on_file_and_rook: [TaperedScore; 5],
        /// A cannon on the enemy king's rank, by the pieces between: the bottom cannon (chen di pao).
        cannon_on_rank: [TaperedScore; 4],
        /// The same while an own rook is on the board.
        cannon_on_rank_and_rook: [TaperedScore; 4],
        /// A rook on the enemy king's file or rank with one piece between, two pieces between.
        rook_on_file: [TaperedScore; 2],
        rook_on_rank: [TaperedScore; 2],
        /// For each missing advisor and each enemy rook, horse, cannon, soldier across the river.
        advisor_missing: [TaperedScore; 4],
        /// The same for each missing elephant.
        elephant_missing: [TaperedScore; 4],
        /// All advisors and elephants are on the board.
        all_defenders: TaperedScore,
        /// No own piece but the king on its file on its side of the river, for each enemy rook.
        open_king_file: TaperedScore,
        /// By the number of safe steps of the king.
        king_steps: [TaperedScore; 5],
        /// Two soldiers side by side across the river.
        linked_soldiers: TaperedScore,
        /// A soldier across the river that is protected.
        protected_soldier: TaperedScore,
        /// A horse, a cannon that is protected.
        protected_horse: TaperedScore,
        protected_cannon: TaperedScore,
        /// An enemy rook attacked by a piece of less value.
        threat_on_rook: TaperedScore,
        /// An enemy horse or cannon attacked by a soldier, advisor, elephant or king.
        threat_by_minor_piece: TaperedScore,
        /// An unprotected enemy piece that is attacked: horse, cannon, advisor or elephant, soldier.
        unprotected_victim: [TaperedScore; 4],
        /// For each cannon and each own advisor or elephant, which can be its screen.
        cannon_with_defender: TaperedScore,
        /// For each cannon, times the number of pieces on the board minus 16.
        cannon_with_many_pieces: TaperedScore,
        /// A horse and a cannon; a rook and a horse; a rook and a cannon.
        horse_and_cannon: TaperedScore,
        rook_and_horse: TaperedScore,
        rook_and_cannon: TaperedScore,
        /// The material value of each kind. A king is never exchanged, so it has none.
        material: [TaperedScore; 7],
        /// A king is safest on its back rank behind its advisors.
        king: HalfBoardPsqt,
        /// Advisors before the king protect each other; at the top of the palace they do not.
        advisor: HalfBoardPsqt,
        /// In the middle both elephants protect each other; at the edge one is alone.
        elephant: HalfBoardPsqt,
        /// Horses are weak at the edges and on their first squares, strong near the enemy palace.
        horse: HalfBoardPsqt,
        /// Rooks are active on open files and on the enemy's ranks; passive in the corner.
        rook: HalfBoardPsqt,
        /// Cannons are best on the central file and on the enemy's back ranks, where screens are many.
        cannon: HalfBoardPsqt,
        /// Soldiers have little value before the river, most beside the palace, little again on the last rank, from
        /// which they cannot return.
        soldier: HalfBoardPsqt,
    }
}

impl Weights {
    /// Returns the value of a Red piece on a square, material included.
    pub(super) const fn psqt_value(&self, kind: PieceKind, square: Square) -> TaperedScore {
        let psqt = match kind {
            PieceKind::King => &self.king,
            PieceKind::Advisor => &self.advisor,
            PieceKind::Elephant => &self.elephant,
            PieceKind::Horse => &self.horse,
            PieceKind::Rook => &self.rook,
            PieceKind::Cannon => &self.cannon,
            PieceKind::Soldier => &self.soldier,
        };
        let file = if square.file() > 4 { 8 - square.file() } else { square.file() };
        self.material[kind as usize].plus(psqt[9 - square.rank()][file])
    }
}
