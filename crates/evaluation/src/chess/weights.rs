//! The weights of the evaluation terms. Their [values](super::tuned_weights) were chosen by hand and can be fitted to
//! self-play games by `alfil train chess --kind terms`; `docs/inside/strength.md` is the log. A pawn in the
//! endgame counts about 100.

use crate::{TaperedScore, weights};

use alfil_chess::piece::PieceKind;
use alfil_chess::square::Square;

/// A piece-square table from White's view: eight ranks from Black's back rank down, files a to d. The other files are
/// symmetric.
type HalfBoardPsqt = [[TaperedScore; 4]; 8];

weights! {
    /// The weights of all terms, of material and of the piece-square tables. A single weight counts once for each
    /// occurrence; an array is indexed by a count or, for pawns, by the relative rank.
    pub struct Weights {
        /// The side to move.
        tempo: TaperedScore,
        /// The number of squares that a piece attacks and no enemy pawn does.
        knight_mobility: [TaperedScore; 9],
        bishop_mobility: [TaperedScore; 14],
        rook_mobility: [TaperedScore; 15],
        queen_mobility: [TaperedScore; 28],
        /// The weighted attacks on the ring of the enemy king.
        king_danger: [TaperedScore; 32],
        /// A square from which a knight, bishop, rook or queen could give check without being captured.
        safe_checks: [TaperedScore; 4],
        /// An attacked square beside the enemy king that only the king defends.
        weak_king_square: TaperedScore,
        /// A pawn one or two ranks in front of its king, on the file of the king or an adjacent one.
        near_pawn_shield: TaperedScore,
        far_pawn_shield: TaperedScore,
        /// A king file (the file of the king or an adjacent one) without own pawns, and in addition without enemy
        /// pawns.
        king_file_without_pawn: TaperedScore,
        open_king_file: TaperedScore,
        /// No own pawn in front of the king on any king file.
        no_pawn_shield: TaperedScore,
        /// An enemy pawn on a king file, one to five ranks in front of the king.
        pawn_storm: [TaperedScore; 5],
        /// The front pawn of doubled pawns.
        doubled: TaperedScore,
        /// A pawn without own pawns on adjacent files, and in addition without an enemy pawn in front.
        isolated: TaperedScore,
        isolated_open: TaperedScore,
        /// A backward pawn whose stop square an enemy pawn attacks, and in addition without an enemy pawn in front.
        backward: TaperedScore,
        backward_open: TaperedScore,
        /// A pawn with an own pawn beside it; a pawn defended by an own pawn.
        phalanx: [TaperedScore; 8],
        supported: [TaperedScore; 8],
        /// A passed pawn, and in addition if its stop square is occupied, if its path is free of enemy pieces and
        /// attacks, and if its stop square is defended.
        passed: [TaperedScore; 8],
        passed_blocked: [TaperedScore; 8],
        passed_free: [TaperedScore; 8],
        passed_defended: [TaperedScore; 8],
        /// The distance of the own and the enemy king from the stop square of a passed pawn, from the fourth rank on.
        passed_own_king: [TaperedScore; 8],
        passed_enemy_king: [TaperedScore; 8],
        /// A passed pawn with an own rook behind it.
        rook_behind_passed: TaperedScore,
        /// An attack by a less valuable or an equal piece.
        pawn_on_minor: TaperedScore,
        pawn_on_major: TaperedScore,
        minor_on_minor: TaperedScore,
        minor_on_rook: TaperedScore,
        rook_on_minor: TaperedScore,
        lesser_piece_on_queen: TaperedScore,
        /// An attacked and undefended pawn; an attacked and undefended knight, bishop or rook.
        hanging_pawn: TaperedScore,
        hanging_non_pawn: TaperedScore,
        /// An enemy piece that a safe pawn push would attack.
        pawn_push_threat: TaperedScore,
        /// The bishop pair.
        bishop_pair: TaperedScore,
        /// A pair of a bishop and an own pawn on its square colour.
        bishop_same_colour_pawn: TaperedScore,
        /// A piece on an outpost.
        knight_outpost: TaperedScore,
        bishop_outpost: TaperedScore,
        /// A knight or bishop with an own pawn directly in front.
        minor_behind_pawn: TaperedScore,
        /// A rook on an open or a half-open file.
        rook_open_file: TaperedScore,
        rook_half_open_file: TaperedScore,
        /// The material value of each kind; 0 for the king.
        material: [TaperedScore; 6],
        /// Favours central pawns in the midgame; pawns on the wings shield the king.
        pawn_psqt: HalfBoardPsqt,
        /// Favours central squares in front of the enemy pawns; penalises the rim.
        knight_psqt: HalfBoardPsqt,
        /// Favours the long diagonals and the squares beside the pawns of the king.
        bishop_psqt: HalfBoardPsqt,
        /// Favours the seventh rank and the central files.
        rook_psqt: HalfBoardPsqt,
        /// Penalises early development; favours the centre in the endgame.
        queen_psqt: HalfBoardPsqt,
        /// Favours a castled king in the midgame and a central one in the endgame.
        king_psqt: HalfBoardPsqt,
    }
}

impl Weights {
    /// Returns the value of a white piece on this square, material included.
    pub(super) const fn psqt_value(&self, kind: PieceKind, square: Square) -> TaperedScore {
        let table = match kind {
            PieceKind::Pawn => &self.pawn_psqt,
            PieceKind::Knight => &self.knight_psqt,
            PieceKind::Bishop => &self.bishop_psqt,
            PieceKind::Rook => &self.rook_psqt,
            PieceKind::Queen => &self.queen_psqt,
            PieceKind::King => &self.king_psqt,
        };
        let file = if square.file() > 3 { 7 - square.file() } else { square.file() };
        self.material[kind as usize].plus(table[7 - square.rank()][file])
    }
}
