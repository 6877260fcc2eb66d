//! What each thing that an evaluation sees is for; the [numbers](super::numbers) are reasoned, as the lines here say, and can be fitted to
//! own games by `alfil tune chess`: the log is `docs/strength.md`. A pawn in the endgame is the unit of thought, about 100.

use alfil_kernel::{TaperedScore, weights};

use alfil_chess::piece::PieceKind;
use alfil_chess::square::Square;

/// White's view: eight ranks from Black's back rank down, files a to d; the other four mirror them.
type HalfBoardPsqt = [[TaperedScore; 4]; 8];

weights! {
    /// The weights of all terms, of material and of places. A field is a weight for each one counted, an array is indexed by a count
    /// or, of pawns, by the ranks they have come from their own back rank.
    pub struct Weights {
        /// The right to move.
        tempo: TaperedScore,
        /// By how many squares an officer can go to that no enemy pawn guards.
        knight_reach: [TaperedScore; 9],
        bishop_reach: [TaperedScore; 14],
        rook_reach: [TaperedScore; 15],
        queen_reach: [TaperedScore; 28],
        /// By how heavily officers attack the squares around the enemy king.
        danger: [TaperedScore; 32],
        /// For each square from which a knight, bishop, rook or queen could give check and not be taken.
        checks: [TaperedScore; 4],
        /// An attacked square beside the enemy king that only the king guards.
        weak_square: TaperedScore,
        /// A pawn one rank, two ranks before its king, on the king's file or beside it.
        shield_next: TaperedScore,
        shield_beyond: TaperedScore,
        /// A file beside the king or its own without an own pawn; more if it has no enemy pawn either.
        bare_file: TaperedScore,
        open_before_king: TaperedScore,
        /// No own pawn ahead of the king on any of these files.
        no_pawn_ahead: TaperedScore,
        /// An enemy pawn there, one to five ranks before the king.
        storm: [TaperedScore; 5],
        /// A pawn behind another on its file.
        doubled: TaperedScore,
        /// A pawn without own pawns on the files beside it; more if no enemy pawn is ahead on its file.
        isolated: TaperedScore,
        isolated_open: TaperedScore,
        /// A pawn behind its neighbours whose next square an enemy pawn guards; more if no enemy pawn is ahead on its file.
        backward: TaperedScore,
        backward_open: TaperedScore,
        /// A pawn beside another; one guarded by another.
        phalanx: [TaperedScore; 8],
        supported: [TaperedScore; 8],
        /// A passed pawn; more if something stands before it, if nothing of the enemy's stands or looks on its way, if its next
        /// square is guarded.
        passed: [TaperedScore; 8],
        passed_blocked: [TaperedScore; 8],
        passed_free: [TaperedScore; 8],
        passed_guarded: [TaperedScore; 8],
        /// From the fourth rank on, by the steps that the own king, the enemy king is from its next square.
        passed_own_king: [TaperedScore; 8],
        passed_enemy_king: [TaperedScore; 8],
        /// An own rook is behind it.
        rook_behind_passed: TaperedScore,
        /// Enemy men attacked by lesser ones, or by equals.
        pawn_on_minor: TaperedScore,
        pawn_on_major: TaperedScore,
        minor_on_minor: TaperedScore,
        minor_on_rook: TaperedScore,
        rook_on_minor: TaperedScore,
        lesser_on_queen: TaperedScore,
        /// An enemy pawn, a knight, bishop or rook that is attacked and not guarded.
        hanging_pawn: TaperedScore,
        hanging_officer: TaperedScore,
        /// An enemy officer that a pawn could attack with a safe step.
        push: TaperedScore,
        /// Two bishops.
        bishop_pair: TaperedScore,
        /// For each bishop and each own pawn on its colour.
        bishop_and_pawn: TaperedScore,
        /// Beyond the middle, guarded by a pawn, where no enemy pawn can ever attack.
        knight_outpost: TaperedScore,
        bishop_outpost: TaperedScore,
        /// A knight or bishop with an own pawn before it.
        minor_behind_pawn: TaperedScore,
        /// A rook on a file without pawns, without own pawns.
        open_file: TaperedScore,
        half_open_file: TaperedScore,
        /// What each kind is worth anywhere. A king is never exchanged, so it has no worth.
        material: [TaperedScore; 6],
        /// In the middle game pawns gain the centre; on the wings they stay before their king.
        pawn: HalfBoardPsqt,
        /// A knight on the rim is dim; before the enemy's pawns it is at its best.
        knight: HalfBoardPsqt,
        /// Long diagonals and the squares beside the king's pawns.
        bishop: HalfBoardPsqt,
        /// The seventh rank, and the central files once the corner is left.
        rook: HalfBoardPsqt,
        /// Not out too early; in the endgame in the middle.
        queen: HalfBoardPsqt,
        /// Castled in the middle game, in the middle of the board in the endgame.
        king: HalfBoardPsqt,
    }
}

impl Weights {
    /// What a man of White's kind is worth on this square.
    pub(super) const fn psqt_value(&self, kind: PieceKind, square: Square) -> TaperedScore {
        let places = match kind {
            PieceKind::Pawn => &self.pawn,
            PieceKind::Knight => &self.knight,
            PieceKind::Bishop => &self.bishop,
            PieceKind::Rook => &self.rook,
            PieceKind::Queen => &self.queen,
            PieceKind::King => &self.king,
        };
        let file = if square.file() > 3 { 7 - square.file() } else { square.file() };
        self.material[kind as usize].plus(places[7 - square.rank()][file])
    }
}
