//! The opening book: the moves of opening positions with their scores, and its file.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | the magic bytes `ALFILOBK` |
//! | 8..10 | the version of the format, 1 |
//! | 10..14 | the CRC-32 (IEEE 802.3) of all bytes after it |
//!
//! Then follow the moves of all positions, from the start position breadth first. A move is three bytes: its square,
//! from a1 to h8 along the ranks, in the low six bits of the first, and its score in the other two, in hundredths of a
//! disc for the side to move. Bit 6 marks the last move of a position; bit 7 a move to a position that is in the book
//! and was not met before. Positions that are images of each other under the symmetries of the board are one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use alfil_kernel::{MoveList, Position, Setup as _, Side, Waivers};
use alfil_othello::board::Board;
use alfil_othello::geometry::Symmetry;
use alfil_othello::{Bitboard, Move, Setup, Square};
use thiserror::Error;

use super::MAX_SCORE;

const MAGIC: [u8; 8] = *b"ALFILOBK";
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 14;
const MOVE_BYTES: usize = 3;

/// The bits of the first byte of a move.
const SQUARE: u8 = 0x3f;
const IS_LAST: u8 = 0x40;
const HAS_POSITION: u8 = 0x80;

/// A position and its images under the eight symmetries of the board, whatever the colour of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BookPosition {
    /// The discs of the side to move.
    pub mover: u64,
    /// The discs of its opponent.
    pub opponent: u64,
}

impl BookPosition {
    /// Returns the start position.
    pub fn start() -> Self {
        let start = Bitboard::from_setup(&Setup::start(), &Waivers::None);
        BookPosition::of(&start.expect("the start position has no issues")).0
    }

    /// Returns the least image of a position, and the symmetry that maps the position to it.
    pub fn of(board: &impl Board) -> (Self, Symmetry) {
        let side = board.side_to_move();
        let (mover, opponent) = (board.discs(side).0, board.discs(!side).0);
        let image = |symmetry: Symmetry| {
            let image = BookPosition { mover: symmetry.map_set(mover), opponent: symmetry.map_set(opponent) };
            (image, symmetry)
        };
        let images = Symmetry::all().map(image);
        images.min_by_key(|(image, _)| *image).expect("there are eight symmetries")
    }

    /// Returns the board of the position, with Black to move.
    pub fn board(self) -> Bitboard {
        Bitboard::new(self.mover, self.opponent, Side::First)
    }

    /// Returns the number of empty squares.
    pub const fn empties(self) -> u32 {
        (self.mover | self.opponent).count_zeros()
    }

    /// Returns the legal moves; a pass is none.
    pub fn legal_squares(self) -> Vec<Square> {
        let mut moves = MoveList::new();
        self.board().generate_legal(&mut moves);
        moves.iter().filter_map(|mv| mv.square()).collect()
    }

    /// Returns the position after a legal move.
    #[must_use]
    pub fn after(self, square: Square) -> Self {
        let mut board = self.board();
        board.make(Move::from_square(square), &mut ());
        BookPosition::of(&board).0
    }
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The square of the disc.
    pub square: Square,
    /// The score for the side to move, in hundredths of a disc.
    pub score: i16,
}

/// The reason why bytes are no opening book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BookFileError {
    /// The magic bytes are missing.
    #[error("it does not begin with ALFILOBK: no opening book")]
    Magic,
    /// Another version wrote the file.
    #[error("version {0} of the format, but this program reads version {VERSION}")]
    Version(u16),
    /// The file ends before the last position has its moves.
    #[error("the file is truncated")]
    Truncated,
    /// The file goes on after the last position.
    #[error("{0} bytes follow the last position")]
    Extended(usize),
    /// The checksum is not that of the bytes.
    #[error("the checksum is {found:08x} and not {expected:08x}: the file is damaged")]
    Checksum {
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// A move is not legal, or is there twice.
    #[error("{0} is no legal move of its position, or is there twice")]
    Move(Square),
    /// No game of Othello has this score.
    #[error("no game has the score {0}")]
    Score(i16),
    /// A position has its moves twice.
    #[error("the position after {0} is there twice")]
    Repeated(Square),
}

/// Moves of opening positions with their scores.
///
/// ```
/// use alfil_evaluation::nets;
/// use alfil_kernel::GameHistory;
/// use alfil_othello::Bitboard;
///
/// let game = GameHistory::<Bitboard>::from_start_position();
/// // The four first moves are images of each other.
/// let moves = nets::othello_book().moves(game.position());
/// assert_eq!(moves.len(), 4);
/// assert!(moves.iter().all(|mv| mv.score == moves[0].score));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningBook {
    positions: BTreeMap<BookPosition, Vec<BookMove>>,
}

impl OpeningBook {
    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns whether no position is in the book.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the moves of a position, the best first; none if the book does not have the position.
    pub fn moves(&self, board: &impl Board) -> Vec<BookMove> {
        let (position, symmetry) = BookPosition::of(board);
        let inverse = symmetry.inverse();
        let of_board = |mv: &BookMove| BookMove { square: inverse.map_square(mv.square), ..*mv };
        self.positions.get(&position).into_iter().flatten().map(of_board).collect()
    }

    /// Adds the moves of a position, which must be legal and different, and replaces those it had. Without a move the
    /// position is removed.
    pub fn insert(&mut self, position: BookPosition, mut moves: Vec<BookMove>) {
        moves.sort_by_key(|mv| (core::cmp::Reverse(mv.score), mv.square.index()));
        match moves.is_empty() {
            true => self.positions.remove(&position),
            false => self.positions.insert(position, moves),
        };
    }

    /// Returns the file of the book. Positions that its moves do not reach from the start position are not in it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let mut listed = BTreeSet::new();
        let mut pending = VecDeque::new();
        let start = BookPosition::start();
        if self.positions.contains_key(&start) {
            listed.insert(start);
            pending.push_back(start);
        }
        while let Some(position) = pending.pop_front() {
            let moves = &self.positions[&position];
            for (index, mv) in moves.iter().enumerate() {
                let next = position.after(mv.square);
                let is_new = self.positions.contains_key(&next) && listed.insert(next);
                if is_new {
                    pending.push_back(next);
                }
                let mut first = mv.square.index() as u8;
                first |= if index + 1 == moves.len() { IS_LAST } else { 0 };
                first |= if is_new { HAS_POSITION } else { 0 };
                body.push(first);
                body.extend(mv.score.to_le_bytes());
            }
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads the file of a book.
    ///
    /// # Errors
    /// If the bytes are no book, or a damaged one.
    pub fn read(bytes: &[u8]) -> Result<Self, BookFileError> {
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(BookFileError::Magic);
        }
        let Some((header, body)) = bytes.split_at_checked(HEADER_BYTES) else {
            return Err(BookFileError::Truncated);
        };
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version != VERSION {
            return Err(BookFileError::Version(version));
        }
        let expected = u32::from_le_bytes([header[10], header[11], header[12], header[13]]);
        let found = crc32fast::hash(body);
        if found != expected {
            return Err(BookFileError::Checksum { expected, found });
        }
        read_positions(body)
    }
}

/// Reads the moves of all positions.
fn read_positions(mut body: &[u8]) -> Result<OpeningBook, BookFileError> {
    let mut book = OpeningBook::default();
    let start = BookPosition::start();
    let mut listed = BTreeSet::from([start]);
    let mut pending = VecDeque::from([start]);
    if body.is_empty() {
        return Ok(book);
    }
    while let Some(position) = pending.pop_front() {
        let legal = position.legal_squares();
        let mut moves: Vec<BookMove> = Vec::new();
        loop {
            let Some((&[first, low, high], rest)) = body.split_first_chunk::<MOVE_BYTES>() else {
                return Err(BookFileError::Truncated);
            };
            body = rest;
            let square = usize::from(first & SQUARE);
            let square = Square::new(square % Square::FILES, square / Square::FILES);
            let score = i16::from_le_bytes([low, high]);
            if !legal.contains(&square) || moves.iter().any(|mv| mv.square == square) {
                return Err(BookFileError::Move(square));
            }
            if i32::from(score).abs() > MAX_SCORE {
                return Err(BookFileError::Score(score));
            }
            moves.push(BookMove { square, score });
            if first & HAS_POSITION != 0 {
                let next = position.after(square);
                if !listed.insert(next) {
                    return Err(BookFileError::Repeated(square));
                }
                pending.push_back(next);
            }
            if first & IS_LAST != 0 {
                break;
            }
        }
        book.insert(position, moves);
    }
    if body.is_empty() { Ok(book) } else { Err(BookFileError::Extended(body.len())) }
}

#[cfg(test)]
mod tests {
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{GameHistory, conformance};
    use alfil_othello::Mailbox;

    use super::*;

    /// A book of all positions of the first plies, with random scores.
    fn random_book(plies: u32) -> OpeningBook {
        let mut random = SplitMix64::new(5);
        let mut book = OpeningBook::default();
        let mut pending = vec![BookPosition::start()];
        while let Some(position) = pending.pop() {
            let squares = position.legal_squares();
            let score = |square| BookMove { square, score: random.below(2_000) as i16 - 1_000 };
            book.insert(position, squares.iter().copied().map(score).collect());
            let next = squares.iter().map(|&square| position.after(square));
            pending.extend(next.filter(|next| next.empties() > 60 - plies));
        }
        book
    }

    /// The file of a body of moves.
    fn file(body: &[u8]) -> Vec<u8> {
        let mut bytes = OpeningBook::default().to_bytes();
        bytes[10..14].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    #[test]
    fn a_book_is_written_and_read_unchanged() {
        for plies in 0..6 {
            let book = random_book(plies);
            // The first ply has one position, up to symmetry; the second three.
            let counts = [1, 1, 2, 5, 19, 79];
            assert_eq!(book.len(), counts[plies as usize], "{plies} plies");
            assert_eq!(OpeningBook::read(&book.to_bytes()), Ok(book));
        }
        assert_eq!(OpeningBook::read(&OpeningBook::default().to_bytes()), Ok(OpeningBook::default()));
    }

    #[test]
    fn images_of_a_position_have_the_images_of_its_moves() {
        let book = random_book(6);
        let mut random = SplitMix64::new(9);
        for _ in 0..200 {
            let mut game = GameHistory::<Bitboard>::from_start_position();
            for _ in 0..random.below(6) {
                let moves = conformance::sorted_legal_moves(game.position());
                game.play(moves[random.below(moves.len())]);
            }
            let setup = game.to_setup();
            let moves = book.moves(game.position());
            assert_eq!(moves.len(), conformance::sorted_legal_moves(game.position()).len());
            assert!(moves.is_sorted_by_key(|mv| core::cmp::Reverse(mv.score)));
            for symmetry in Symmetry::all() {
                let image = Mailbox::from_setup(&setup.transformed(symmetry), &Waivers::None).unwrap();
                let mut found = book.moves(&image);
                let mut expected = moves.clone();
                expected.iter_mut().for_each(|mv| mv.square = symmetry.map_square(mv.square));
                // The moves of a position that is an image of itself may be exchanged.
                let order = |mv: &BookMove| (mv.score, mv.square.index());
                found.sort_by_key(order);
                expected.sort_by_key(order);
                if Symmetry::all().filter(|&symmetry| setup.transformed(symmetry) == setup).count() == 1 {
                    assert_eq!(found, expected, "{setup:?} {symmetry:?}");
                } else {
                    let scores = |moves: &[BookMove]| moves.iter().map(|mv| mv.score).collect::<Vec<_>>();
                    assert_eq!(scores(&found), scores(&expected), "{setup:?} {symmetry:?}");
                }
            }
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = random_book(4).to_bytes();
        for length in 0..bytes.len() {
            assert!(OpeningBook::read(&bytes[..length]).is_err(), "{length} bytes");
        }
        for index in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1;
            assert!(OpeningBook::read(&damaged).is_err(), "byte {index}");
        }
        let square = |name: &str| name.parse::<Square>().unwrap();
        let start: Vec<u8> = BookPosition::start().legal_squares().iter().map(|s| s.index() as u8).collect();
        let d1 = square("d1").index() as u8;
        for (body, error) in [
            (vec![start[0] | IS_LAST, 0, 0, 9], BookFileError::Extended(1)),
            (vec![start[0], 0, 0], BookFileError::Truncated),
            (vec![start[0] | IS_LAST | HAS_POSITION, 0, 0], BookFileError::Truncated),
            (vec![d1 | IS_LAST, 0, 0], BookFileError::Move(square("d1"))),
            (vec![start[0] | IS_LAST, 0xff, 0x7f], BookFileError::Score(i16::MAX)),
        ] {
            assert_eq!(OpeningBook::read(&file(&body)), Err(error));
        }
        let twice = [start[0], 0, 0, start[0] | IS_LAST, 0, 0];
        assert!(matches!(OpeningBook::read(&file(&twice)), Err(BookFileError::Move(_))));
        let both = [start[0] | HAS_POSITION, 0, 0, start[1] | HAS_POSITION | IS_LAST, 0, 0];
        assert!(matches!(OpeningBook::read(&file(&both)), Err(BookFileError::Repeated(_))));
        let mut version = bytes.clone();
        version[8] = 2;
        assert_eq!(OpeningBook::read(&version), Err(BookFileError::Version(2)));
    }
}
