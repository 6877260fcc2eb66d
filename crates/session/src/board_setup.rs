//! Setups of any game as objects: a position that is set up piece by piece may be impossible meanwhile, which a board
//! never is. [`BoardSetup`] is written once over [`Position`]; [`AnySetup`] is the object-safe trait.

use alfil_kernel::{
    Game, Piece as _, PieceOf, Position, Setup as _, SetupIssue as _, SetupOf, Side, Square as _,
};

use crate::any_board::{AnyBoard, BoardGame, board_game};
use crate::game_board::GameBoard;
use crate::game_profile::GameProfile;
use crate::session_error::SessionError;

/// A right to castle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastlingRight {
    /// The side that may castle.
    pub side: Side,
    /// The square of the rook.
    pub rook: String,
    /// Whether the rook stands on the h-file side of its king.
    pub is_kingside: bool,
}

/// A position that is set up, perhaps impossible.
///
/// ```
/// use alfil_chess::Bitboard;
/// use alfil_kernel::Side;
/// use alfil_session::board_setup::BoardSetup;
///
/// let mut setup = BoardSetup::<Bitboard>::new(None)?;
/// setup.remove("a1")?;
/// // A right to castle is lost with its rook.
/// assert_eq!(setup.text(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1");
/// setup.clear();
/// assert_eq!(setup.issues().len(), 2);
/// for (square, letter) in [("e1", 'K'), ("e8", 'k'), ("a7", 'P')] {
///     setup.put(square, letter)?;
/// }
/// setup.set_side_to_move(Side::Second);
/// assert_eq!(setup.open(&[])?.fen(), "4k3/P7/8/8/8/8/8/4K3 b - - 0 1");
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardSetup<P: Position>(SetupOf<P>);

impl<P: Position> PartialEq for BoardSetup<P> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<P: Position> Eq for BoardSetup<P> {}

impl<P: Position> BoardSetup<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates a setup from a position text, or of the start position, whatever issues it has.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    pub fn new(text: Option<&str>) -> Result<Self, SessionError> {
        let setup = text.map_or_else(|| Ok(SetupOf::<P>::start()), GameBoard::<P>::parse_setup);
        setup.map(BoardSetup).map_err(|error| SessionError::from(&error))
    }

    /// Creates a setup without pieces, the first side to move.
    pub fn empty() -> Self {
        BoardSetup(<P::Game as GameProfile<P>>::empty_setup())
    }

    /// Creates the setup of the position of a board, with its counters.
    pub fn from_board(board: &GameBoard<P>) -> Self {
        BoardSetup(board.history().to_setup())
    }

    /// Returns the setup as a value of its game.
    pub fn setup(&self) -> &SetupOf<P> {
        &self.0
    }

    /// Returns the position text.
    pub fn text(&self) -> String {
        self.0.to_text()
    }

    /// Returns the issues: the name, the sentence, and whether the issue can be waived.
    pub fn issues(&self) -> Vec<(&'static str, String, bool)> {
        let issues = self.0.issues();
        issues.iter().map(|issue| (issue.name(), issue.to_string(), issue.is_waivable())).collect()
    }

    /// Returns the letters of the pieces with the indices of their squares.
    pub fn pieces(&self) -> Vec<(usize, char)> {
        let (pieces, _) = <P::Game as GameProfile<P>>::pieces_of_setup(&self.0);
        pieces.into_iter().map(|(square, piece)| (square.index(), piece.letter())).collect()
    }

    /// Returns the letter of the piece on a square.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    pub fn piece_at(&self, square: &str) -> Result<Option<char>, SessionError> {
        let index = GameBoard::<P>::parse_square(square)?.index();
        Ok(self.pieces().into_iter().find(|(at, _)| *at == index).map(|(_, letter)| letter))
    }

    /// Puts the piece with a letter on a square, in place of one that is there, and returns the letter of that.
    /// Rights that are impossible then are lost: castling without king or rook, a capture en passant without the pawn.
    ///
    /// # Errors
    /// Returns an error if the game has no such square or piece; the setup is then unchanged.
    pub fn put(&mut self, square: &str, letter: char) -> Result<Option<char>, SessionError> {
        let piece = piece_with_letter::<P>(letter).ok_or_else(|| {
            let pieces = (0..P::Game::PIECES).filter_map(PieceOf::<P>::from_index);
            let letters: String = pieces.map(|piece| piece.letter()).collect();
            SessionError::new(format!("{} has no piece {letter:?}: choose one of {letters}", P::Game::NAME))
        })?;
        self.replace(square, Some(piece))
    }

    /// Removes the piece on a square and returns its letter. Rights are lost as by [`BoardSetup::put`].
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    pub fn remove(&mut self, square: &str) -> Result<Option<char>, SessionError> {
        self.replace(square, None)
    }

    fn replace(&mut self, square: &str, piece: Option<PieceOf<P>>) -> Result<Option<char>, SessionError> {
        let before = self.piece_at(square)?;
        let square = GameBoard::<P>::parse_square(square)?;
        <P::Game as GameProfile<P>>::set_piece(&mut self.0, square, piece);
        Ok(before)
    }

    /// Removes all pieces and rights; the first side is to move, and the counters begin anew.
    pub fn clear(&mut self) {
        *self = Self::empty();
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Side {
        <P::Game as GameProfile<P>>::pieces_of_setup(&self.0).1
    }

    /// Lets a side move. A capture en passant is then no longer possible.
    pub fn set_side_to_move(&mut self, side: Side) {
        if side != self.side_to_move() {
            <P::Game as GameProfile<P>>::set_side_to_move(&mut self.0, side);
        }
    }

    /// Sets the castling rights as FEN writes them: `KQkq`, `-`, or the files of the rooks, as in Chess960.
    ///
    /// # Errors
    /// Returns an error if the game has no castling, or the text cannot be read.
    pub fn set_castling_rights(&mut self, rights: &str) -> Result<(), SessionError> {
        <P::Game as GameProfile<P>>::set_castling_rights(&mut self.0, rights)
    }

    /// Sets the square behind a pawn that has just moved two squares, or none.
    ///
    /// # Errors
    /// Returns an error if the game has no such square, or no capture en passant.
    pub fn set_en_passant_square(&mut self, square: Option<&str>) -> Result<(), SessionError> {
        let square = square.map(GameBoard::<P>::parse_square).transpose()?;
        <P::Game as GameProfile<P>>::set_en_passant_square(&mut self.0, square)
    }

    /// Exchanges the sides: each piece changes its side, in chess and xiangqi with the ranks mirrored, and the other
    /// side is to move. The rules are symmetric in this respect.
    #[must_use]
    pub fn swapped(&self) -> Self {
        BoardSetup(<P::Game as GameProfile<P>>::swapped(&self.0))
    }

    /// Makes a board of the setup. The issues with these names are waived.
    ///
    /// # Errors
    /// Returns an error if the position cannot be played, or a name is unknown.
    pub fn open(&self, waived: &[&str]) -> Result<GameBoard<P>, SessionError> {
        GameBoard::from_setup(&self.0, waived)
    }
}

/// Returns the piece with a letter.
pub(crate) fn piece_with_letter<P: Position>(letter: char) -> Option<PieceOf<P>> {
    (0..P::Game::PIECES).filter_map(PieceOf::<P>::from_index).find(|piece| piece.letter() == letter)
}

/// A setup of any game: see [`BoardSetup`], whose methods have the same names.
///
/// ```
/// use alfil_session::registry;
///
/// let xiangqi = registry::board_game("xiangqi")?;
/// let mut setup = xiangqi.open(None, &[])?.to_setup();
/// assert_eq!(setup.remove("h2")?, Some('C'));
/// assert_eq!(setup.put("e2", 'C')?, None);
/// assert_eq!(setup.open(&[])?.parse("炮五进四", None)?, setup.game().parse_coordinates("e2e6")?);
/// // A board without a king cannot be played.
/// setup.remove("e0")?;
/// assert!(setup.open(&["all"]).is_err_and(|error| error.message.contains("Red has no king")));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub trait AnySetup: Send {
    /// Returns the game.
    fn game(&self) -> &'static dyn BoardGame;
    /// Returns a copy of the setup.
    fn clone_setup(&self) -> Box<dyn AnySetup>;
    /// Returns the position text.
    fn text(&self) -> String;
    /// Returns the issues: the name, the sentence, and whether the issue can be waived.
    fn issues(&self) -> Vec<(&'static str, String, bool)>;
    /// Returns the letters of the pieces with the indices of their squares.
    fn pieces(&self) -> Vec<(usize, char)>;
    /// Returns the letter of the piece on a square.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    fn piece_at(&self, square: &str) -> Result<Option<char>, SessionError>;
    /// Puts the piece with a letter on a square and returns the letter of the piece that was there.
    ///
    /// # Errors
    /// Returns an error if the game has no such square or piece; the setup is then unchanged.
    fn put(&mut self, square: &str, letter: char) -> Result<Option<char>, SessionError>;
    /// Removes the piece on a square and returns its letter.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    fn remove(&mut self, square: &str) -> Result<Option<char>, SessionError>;
    /// Removes all pieces and rights; the first side is to move, and the counters begin anew.
    fn clear(&mut self);
    /// Returns the side to move.
    fn side_to_move(&self) -> Side;
    /// Lets a side move. A capture en passant is then no longer possible.
    fn set_side_to_move(&mut self, side: Side);
    /// Sets the castling rights as FEN writes them.
    ///
    /// # Errors
    /// Returns an error if the game has no castling, or the text cannot be read.
    fn set_castling_rights(&mut self, rights: &str) -> Result<(), SessionError>;
    /// Sets the square behind a pawn that has just moved two squares, or none.
    ///
    /// # Errors
    /// Returns an error if the game has no such square, or no capture en passant.
    fn set_en_passant_square(&mut self, square: Option<&str>) -> Result<(), SessionError>;
    /// Makes a board of the setup. The issues with these names are waived.
    ///
    /// # Errors
    /// Returns an error if the position cannot be played, or a name is unknown.
    fn open(&self, waived: &[&str]) -> Result<Box<dyn AnyBoard>, SessionError>;
}

impl Clone for Box<dyn AnySetup> {
    fn clone(&self) -> Self {
        self.clone_setup()
    }
}

impl<P: Position> AnySetup for BoardSetup<P>
where
    P::Game: GameProfile<P>,
{
    fn game(&self) -> &'static dyn BoardGame {
        board_game::<P>()
    }

    fn clone_setup(&self) -> Box<dyn AnySetup> {
        Box::new(self.clone())
    }

    fn text(&self) -> String {
        self.text()
    }

    fn issues(&self) -> Vec<(&'static str, String, bool)> {
        self.issues()
    }

    fn pieces(&self) -> Vec<(usize, char)> {
        self.pieces()
    }

    fn piece_at(&self, square: &str) -> Result<Option<char>, SessionError> {
        self.piece_at(square)
    }

    fn put(&mut self, square: &str, letter: char) -> Result<Option<char>, SessionError> {
        self.put(square, letter)
    }

    fn remove(&mut self, square: &str) -> Result<Option<char>, SessionError> {
        self.remove(square)
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move()
    }

    fn set_side_to_move(&mut self, side: Side) {
        self.set_side_to_move(side);
    }

    fn set_castling_rights(&mut self, rights: &str) -> Result<(), SessionError> {
        self.set_castling_rights(rights)
    }

    fn set_en_passant_square(&mut self, square: Option<&str>) -> Result<(), SessionError> {
        self.set_en_passant_square(square)
    }

    fn open(&self, waived: &[&str]) -> Result<Box<dyn AnyBoard>, SessionError> {
        Ok(Box::new(self.open(waived)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn every_position_is_set_up_piece_by_piece_from_an_empty_board() {
        for game in registry::games() {
            let mut board = registry::board_game(game).unwrap().open(None, &[]).unwrap();
            for ply in 0..40 {
                let mut setup = board.game().setup(None).unwrap();
                setup.clear();
                assert!(setup.pieces().is_empty() && setup.text() == board.game().empty_setup().text());
                for (square, letter) in board.to_setup().pieces() {
                    let name = board.game().square_name(square).unwrap();
                    assert_eq!(setup.put(&name, letter).unwrap(), None);
                    assert_eq!(setup.piece_at(&name).unwrap(), Some(letter));
                }
                setup.set_side_to_move(board.side_to_move());
                assert_eq!(setup.pieces(), board.to_setup().pieces());
                let rebuilt = setup.open(&[]).unwrap();
                let placement = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
                assert_eq!(placement(&rebuilt.fen()), placement(&board.fen()));
                assert_eq!(board.to_setup().open(&[]).unwrap().fen(), board.fen());
                let moves = board.legal_moves();
                let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                board.push(mv).unwrap();
            }
        }
    }

    #[test]
    fn a_wrong_square_or_piece_changes_nothing() {
        for (game, square) in [("chess", "e9"), ("xiangqi", "j0"), ("othello", "i1")] {
            let mut setup = registry::board_game(game).unwrap().setup(None).unwrap();
            let before = setup.text();
            let letter = setup.pieces()[0].1;
            for error in [setup.put(square, letter), setup.remove(square), setup.put("a1", 'z')] {
                let message = error.unwrap_err().message;
                assert!(message.starts_with(&format!("{game} has no ")), "{message}");
            }
            assert_eq!(setup.text(), before);
        }
    }

    #[test]
    fn rights_of_chess_go_with_their_pieces_and_are_set() {
        let mut setup = registry::board_game("chess").unwrap().setup(None).unwrap();
        setup.remove("h8").unwrap();
        assert!(setup.text().contains(" w KQq - "), "{}", setup.text());
        // The king that comes back may castle no more.
        setup.remove("e1").unwrap();
        setup.put("e1", 'K').unwrap();
        assert!(setup.text().contains(" w q - "), "{}", setup.text());
        setup.set_castling_rights("Qq").unwrap();
        assert!(setup.text().contains(" w Qq - "), "{}", setup.text());
        assert!(setup.set_castling_rights("x").is_err());
        setup.set_castling_rights("").unwrap();
        assert!(setup.text().contains(" w - - "), "{}", setup.text());
        let mut setup =
            registry::board_game("chess").unwrap().setup(Some("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")).unwrap();
        let passed = setup.open(&[]).unwrap();
        assert_eq!(passed.en_passant_square(), Some("e3".to_owned()));
        let unchanged = setup.text();
        setup.set_side_to_move(Side::Second);
        assert_eq!(setup.text(), unchanged);
        setup.remove("e4").unwrap();
        setup.put("e4", 'P').unwrap();
        assert_eq!(setup.open(&[]).unwrap().en_passant_square(), None);
        setup.set_en_passant_square(Some("e3")).unwrap();
        assert_eq!(setup.text(), unchanged);
        setup.set_side_to_move(Side::First);
        assert!(setup.issues().is_empty() && setup.text().contains(" w - - "));
    }

    #[test]
    fn games_without_rights_say_so() {
        for game in ["xiangqi", "othello"] {
            let mut setup = registry::board_game(game).unwrap().setup(None).unwrap();
            assert!(setup.set_castling_rights("K").unwrap_err().message.contains("no castling"));
            assert!(setup.set_en_passant_square(Some("a1")).unwrap_err().message.contains("en passant"));
            assert!(setup.set_en_passant_square(None).is_ok() && setup.set_castling_rights("-").is_ok());
        }
    }

    #[test]
    fn swapped_sides_have_as_many_moves() {
        fn check<P: Position>(texts: &[&str])
        where
            P::Game: GameProfile<P>,
        {
            for text in texts {
                let setup = BoardSetup::<P>::new(Some(text)).unwrap();
                let swapped = setup.swapped();
                assert_eq!(swapped.side_to_move(), !setup.side_to_move());
                assert_eq!(swapped.swapped(), setup);
                let [moves, swapped] = [&setup, &swapped].map(|setup| setup.open(&[]).unwrap().perft(2));
                assert_eq!(moves, swapped, "{text}");
            }
        }
        check::<alfil_chess::Bitboard>(&[
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ]);
        check::<alfil_xiangqi::Bitboard>(&[
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        ]);
        check::<alfil_othello::Bitboard>(&[
            "--OOO----XXXX---XXXOX---XXOXXO--OXXXX---O-XX------X------------- O",
        ]);
    }
}
