//! What each thing that an evaluation sees is for; the [numbers](super::numbers) are reasoned, as the lines here say, and can be fitted to
//! own games by `alfil tune chess`: the log is `docs/strength.md`. A pawn in the endgame is the unit of thought, about 100.

use alfil_kernel::{Taper, weights};

use alfil_chess::piece::Kind;
use alfil_chess::square::Square;

/// White's view: eight ranks from Black's back rank down, files a to d; the other four mirror them.
type Places = [[Taper; 4]; 8];

weights! {
    /// The weights of all terms, of material and of places. A field is a weight for each one counted, an array is indexed by a count
    /// or, of pawns, by the ranks they have come from their own back rank.
    pub struct Weights {
        /// The right to move.
        tempo: Taper,
        /// By how many squares an officer can go to that no enemy pawn guards.
        knight_reach: [Taper; 9],
        bishop_reach: [Taper; 14],
        rook_reach: [Taper; 15],
        queen_reach: [Taper; 28],
        /// By how heavily officers attack the squares around the enemy king.
        danger: [Taper; 32],
        /// For each square from which a knight, bishop, rook or queen could give check and not be taken.
        checks: [Taper; 4],
        /// An attacked square beside the enemy king that only the king guards.
        weak_square: Taper,
        /// A pawn one rank, two ranks before its king, on the king's file or beside it.
        shield_next: Taper,
        shield_beyond: Taper,
        /// A file beside the king or its own without an own pawn; more if it has no enemy pawn either.
        bare_file: Taper,
        open_before_king: Taper,
        /// No own pawn ahead of the king on any of these files.
        no_pawn_ahead: Taper,
        /// An enemy pawn there, one to five ranks before the king.
        storm: [Taper; 5],
        /// A pawn behind another on its file.
        doubled: Taper,
        /// A pawn without own pawns on the files beside it; more if no enemy pawn is ahead on its file.
        isolated: Taper,
        isolated_open: Taper,
        /// A pawn behind its neighbours whose next square an enemy pawn guards; more if no enemy pawn is ahead on its file.
        backward: Taper,
        backward_open: Taper,
        /// A pawn beside another; one guarded by another.
        phalanx: [Taper; 8],
        supported: [Taper; 8],
        /// A passed pawn; more if something stands before it, if nothing of the enemy's stands or looks on its way, if its next
        /// square is guarded.
        passed: [Taper; 8],
        passed_blocked: [Taper; 8],
        passed_free: [Taper; 8],
        passed_guarded: [Taper; 8],
        /// From the fourth rank on, by the steps that the own king, the enemy king is from its next square.
        passed_own_king: [Taper; 8],
        passed_enemy_king: [Taper; 8],
        /// An own rook is behind it.
        rook_behind_passed: Taper,
        /// Enemy men attacked by lesser ones, or by equals.
        pawn_on_minor: Taper,
        pawn_on_major: Taper,
        minor_on_minor: Taper,
        minor_on_rook: Taper,
        rook_on_minor: Taper,
        lesser_on_queen: Taper,
        /// An enemy pawn, a knight, bishop or rook that is attacked and not guarded.
        hanging_pawn: Taper,
        hanging_officer: Taper,
        /// An enemy officer that a pawn could attack with a safe step.
        push: Taper,
        /// Two bishops.
        bishop_pair: Taper,
        /// For each bishop and each own pawn on its colour.
        bishop_and_pawn: Taper,
        /// Beyond the middle, guarded by a pawn, where no enemy pawn can ever attack.
        knight_outpost: Taper,
        bishop_outpost: Taper,
        /// A knight or bishop with an own pawn before it.
        minor_behind_pawn: Taper,
        /// A rook on a file without pawns, without own pawns.
        open_file: Taper,
        half_open_file: Taper,
        /// What each kind is worth anywhere. A king is never exchanged, so it has no worth.
        material: [Taper; 6],
        /// In the middle game pawns gain the centre; on the wings they stay before their king.
        pawn: Places,
        /// A knight on the rim is dim; before the enemy's pawns it is at its best.
        knight: Places,
        /// Long diagonals and the squares beside the king's pawns.
        bishop: Places,
        /// The seventh rank, and the central files once the corner is left.
        rook: Places,
        /// Not out too early; in the endgame in the middle.
        queen: Places,
        /// Castled in the middle game, in the middle of the board in the endgame.
        king: Places,
    }
}

impl Weights {
    /// What a man of White's kind is worth on this square.
    pub(super) const fn place(&self, kind: Kind, square: Square) -> Taper {
        let places = match kind {
            Kind::Pawn => &self.pawn,
            Kind::Knight => &self.knight,
            Kind::Bishop => &self.bishop,
            Kind::Rook => &self.rook,
            Kind::Queen => &self.queen,
            Kind::King => &self.king,
        };
        let file = if square.file() > 3 { 7 - square.file() } else { square.file() };
        self.material[kind as usize].plus(places[7 - square.rank()][file])
    }
}
