//! Fast perft: counts the leaves of a tree two plies at a time, without visiting them.
//!
//! Before the last but one ply the replies of the other side are counted once, as if the side to move passed. Most
//! moves change that number little: a quiet move empties one square and fills another, and its effect on the replies is
//! the sum of the effects of the two squares. The effect of a square on a piece is computed beforehand: on a rook,
//! along its lines up to the first piece; on a cannon, up to the second; on a horse, as a leg; on an elephant, as an
//! eye; on the others, none. So the quiet moves of a piece are counted together: their number times the replies, plus
//! the changes of the squares where they arrive.
//!
//! Where a piece moves along a line of an enemy rook or cannon, the effects of its two squares are not independent; the
//! joint effect is looked up too. The remaining moves are counted singly:
//!
//! * captures, and moves of the king;
//! * moves near the other king: those that open or close a line or leg to it or to a square to which it can step, or
//!   that enter or leave a square from which such a line is attacked (see [`bitboard`](crate::bitboard)).
//!
//! After such a move the steps of the other king are counted anew, and so are the pieces that are between it and an
//! attacker before or after the move. A captured piece has no replies, and those that protected it can capture now. If
//! the move gives check, or opens or closes the line of a hollow cannon, all replies are counted anew. No move is made
//! on the board for this: the lines and the sets on which the safety of the king depends are enough.
//!
//! Counting replies once for a null move is the method of the newest perft programs for chess (T. Huijbregts,
//! chessbit); the sets of relevant squares are our own.

use alfil_kernel::perft::PerftKey;
use alfil_kernel::{MoveList, Position as _};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet, square_at};

mod king_zones;
mod line_view;
mod reply_counts;
mod replying_pieces;

use reply_counts::{MAX_BLOCKERS, ReplyCounts};
use replying_pieces::ReplyingPieces;

/// Returns the number of legal move paths of `depth` plies, as [`alfil_kernel::perft::perft`] does.
pub fn perft(board: &Bitboard, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal() as u64,
        _ => count_leaves(&mut board.clone(), depth),
    }
}

/// Returns the key of a position for tables of counts: a position and its mirror image have one key. `None` for
/// more than 32 pieces, which no board has: the issue `too_many` cannot be waived.
pub fn perft_key(board: &impl Board) -> Option<PerftKey> {
    let key = |image: fn(Square) -> Square| {
        let piece_code =
            |square: Square| board.piece_on(image(square)).map(|piece| (square.index(), piece.index() as u8));
        PerftKey::from_pieces(Square::all().filter_map(piece_code), board.side_to_move())
    };
    Some(key(|square| square)?.min(key(Square::mirrored)?))
}

fn count_leaves(board: &mut Bitboard, depth: u32) -> u64 {
    if depth == 2 {
        return count_two_plies(board);
    }
    let mut list = MoveList::new();
    board.generate_legal(&mut list);
    sum_over_moves(board, &list, |board| count_leaves(board, depth - 1))
}

/// Returns the sum of `count` over the positions after each move.
fn sum_over_moves(
    board: &mut Bitboard,
    list: &MoveList<Move>,
    mut count: impl FnMut(&mut Bitboard) -> u64,
) -> u64 {
    let mut sum = 0;
    for &mv in list {
        let undo = board.make(mv, &mut ());
        sum += count(board);
        board.unmake(mv, &undo, &mut ());
    }
    sum
}

/// Returns the sum over all moves of the number of replies.
fn count_two_plies(board: &mut Bitboard) -> u64 {
    let mut movers = Movers::EMPTY;
    movers.add_all(board);
    let attackers = board.king_attackers_of(!board.side_to_move());
    let masks = attackers.masks();
    if masks.in_check || masks.blockers.len() > MAX_BLOCKERS {
        // The other side is in check already, as in some waived setups.
        let mut list = MoveList::new();
        board.generate_legal(&mut list);
        return sum_over_moves(board, &list, |board| board.count_legal() as u64);
    }
    let mut replies = ReplyCounts::new(board, attackers, masks, movers.in_check);
    replies.add_king();
    replies.add_pieces(movers.reach.difference(attackers.own));
    movers.iter().map(|mover| replies.count_after_moves(mover)).sum()
}

/// A piece of the side to move.
#[derive(Clone, Copy)]
struct Mover {
    origin: Square,
    kind: PieceKind,
    targets: SquareSet,
}

/// The pieces of the side to move, with origins and targets.
struct Movers {
    pieces: [Mover; 16],
    len: usize,
    /// All squares that are an origin or a target.
    reach: SquareSet,
    in_check: bool,
}

impl Movers {
    const EMPTY: Movers = Movers {
        pieces: [Mover { origin: square_at(0), kind: PieceKind::King, targets: SquareSet::EMPTY }; 16],
        len: 0,
        reach: SquareSet::EMPTY,
        in_check: false,
    };

    /// Adds all pieces of the side to move.
    #[inline(always)]
    fn add_all(&mut self, board: &Bitboard) {
        let side = board.side_to_move();
        let attackers = board.king_attackers();
        let masks = attackers.masks();
        let within = board.move_targets();
        self.reach = attackers.own;
        self.in_check = masks.in_check;
        let pieces = ReplyingPieces { board, side, lines: *board.lines() };
        let free = within & masks.free_targets;
        pieces.for_each(attackers.own.difference(masks.blockers), |kind, origin, targets| {
            self.push(kind, origin, targets & free);
        });
        let soldiers = board.pieces_of(side, PieceKind::Soldier);
        for origin in soldiers.difference(masks.blockers) {
            self.push(PieceKind::Soldier, origin, pieces.targets(PieceKind::Soldier, origin) & free);
        }
        for origin in masks.blockers {
            if let Some(piece) = board.piece_on(origin) {
                let targets = pieces.targets(piece.kind(), origin) & within;
                self.push(piece.kind(), origin, targets & attackers.blocker_targets(origin));
            }
        }
        self.push(PieceKind::King, attackers.king, attackers.king_targets() & within);
    }

    #[inline(always)]
    fn push(&mut self, kind: PieceKind, origin: Square, targets: SquareSet) {
        self.pieces[self.len] = Mover { origin, kind, targets };
        self.len += 1;
        self.reach = self.reach | targets;
    }

    fn iter(&self) -> impl Iterator<Item = &Mover> {
        self.pieces[..self.len].iter()
    }
}
