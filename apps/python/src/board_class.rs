//! The classes of a game, written once: classes of Python cannot be generic.

use alfil_session::AnyBoard;
use pyo3::prelude::*;

/// A board of any game; none if an object of Python is not of the class `Board` of a game.
type FoundBoard = Option<Box<dyn AnyBoard>>;

/// The classes of a game.
#[derive(Debug)]
pub(crate) struct GameClasses {
    /// The name of the game.
    pub(crate) name: &'static str,
    /// Returns a copy of the board of an object; none if the object is not of the class `Board` of this game.
    pub(crate) board: fn(&Bound<'_, PyAny>) -> PyResult<FoundBoard>,
    /// Makes the object of a board of this game.
    pub(crate) board_object: fn(Python<'_>, &dyn AnyBoard) -> PyResult<Py<PyAny>>,
    /// Makes the object of a move in coordinates.
    pub(crate) move_object: fn(Python<'_>, &str) -> PyResult<Py<PyAny>>,
    /// Returns the bits of the object of a move; none if the object is not of the class `Move` of this game.
    pub(crate) move_bits: fn(&Bound<'_, PyAny>) -> Option<u32>,
}

/// Writes the classes `Board`, `Move` and `LegalMoves` of a game and its functions over many positions. `$board` is
/// the board, `$module` the module in Python, `$title` the title of the game. The items in braces are the
/// methods of the board that only this game has.
macro_rules! board_classes {
    ($board:ty, $module:literal, $title:literal, { $($extra:tt)* }) => {
        use alfil_kernel::{Dialect as _, Game as _, MoveOf, Position as _};
        use alfil_session::AnyBoard;
        use alfil_session::BoardSetup;
        use pyo3::basic::CompareOp;
        use pyo3::prelude::*;
        use pyo3::sync::PyOnceLock;
        use pyo3::types::{PyDict, PyIterator, PyList, PyTuple, PyType};

        use alfil_session::game_profile::{DialectOf, GameProfile};

        use crate::game_board::{self, GameBoard};
        use crate::board_class::GameClasses;

        /// The number of squares.
        pub(crate) const SQUARES: usize = <$board as alfil_kernel::Position>::Game::SQUARES;
        /// The number of different pieces.
        pub(crate) const PIECES: usize = <$board as alfil_kernel::Position>::Game::PIECES;

        type GameMove = MoveOf<$board>;

        /// The classes, for what takes boards of any game.
        pub(crate) static CLASSES: GameClasses = GameClasses {
            name: <$board as alfil_kernel::Position>::Game::NAME,
            board: |object| match object.cast::<Board>() {
                Ok(board) => Ok(Some(board.try_borrow()?.0.clone_board())),
                Err(_) => Ok(None),
            },
            board_object: |py, board| Ok(Py::new(py, Board(GameBoard::from_board(board)?))?.into_any()),
            move_object: |py, text| {
                Ok(Py::new(py, Move(GameBoard::<$board>::parse_coordinates(text)?))?.into_any())
            },
            move_bits: |object| {
                let mv = object.cast::<Move>().ok()?.get().0;
                Some(alfil_session::game_board::GameBoard::<$board>::move_bits(mv))
            },
        };

        /// The objects of the pieces, by their indices, and the class of sets of squares: they are written in Python.
        static PYTHON_CLASSES: PyOnceLock<(Vec<Py<PyAny>>, Py<PyAny>)> = PyOnceLock::new();

        fn python_classes(py: Python<'_>) -> PyResult<&'static (Vec<Py<PyAny>>, Py<PyAny>)> {
            PYTHON_CLASSES.get_or_try_init(py, || {
                let module = py.import($module)?;
                let piece = module.getattr("Piece")?;
                let letters = game_board::piece_letters::<$board>();
                let pieces = letters.chars().map(|letter| Ok(piece.call1((letter,))?.unbind()));
                Ok((pieces.collect::<PyResult<_>>()?, module.getattr("SquareSet")?.unbind()))
            })
        }

        /// Returns the object of the piece with a letter.
        fn piece_object(py: Python<'_>, letter: Option<char>) -> PyResult<Option<Py<PyAny>>> {
            let Some(index) = letter.and_then(game_board::piece_index::<$board>) else { return Ok(None) };
            Ok(Some(python_classes(py)?.0[index].clone_ref(py)))
        }

        /// Returns a dictionary of the objects of pieces by the indices of their squares.
        fn piece_map(py: Python<'_>, pieces: impl Iterator<Item = (usize, char)>) -> PyResult<Py<PyDict>> {
            let dict = PyDict::new(py);
            for (square, letter) in pieces {
                dict.set_item(square, piece_object(py, Some(letter))?)?;
            }
            Ok(dict.unbind())
        }

        /// Makes a set of squares.
        fn square_set(py: Python<'_>, squares: impl Iterator<Item = usize>) -> PyResult<Py<PyAny>> {
            let mask = squares.fold(0_u128, |mask, square| mask | 1 << square);
            python_classes(py)?.1.call1(py, (mask,))
        }

        #[doc = concat!("A move of ", $title, ".")]
        #[pyclass(name = "Move", module = $module, frozen)]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Move(pub(crate) Option<GameMove>);

        impl Move {
            pub(crate) fn text(&self) -> String {
                self.0.map_or_else(|| game_board::NULL_MOVE_COORDINATES.to_owned(), |mv| format!("{mv:?}"))
            }

            /// Returns the move of an object.
            fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<GameMove>> {
                match object.cast::<Move>() {
                    Ok(mv) => Ok(mv.get().0),
                    Err(_) => Err(game_board::no_move_error(object, $module)),
                }
            }
        }

        #[pymethods]
        impl Move {
            /// Reads a move in coordinates: `e2e4`, in xiangqi `h2e2` with ranks from 0, in Othello `f5` or `pass`. Or
            /// makes it of its squares, by number or name, and of the piece promoted to, by type or letter; a new disc
            /// of Othello has one square.
            #[new]
            #[pyo3(signature = (from_square, to_square=None, promotion=None))]
            fn new(
                from_square: &Bound<'_, PyAny>,
                to_square: Option<&Bound<'_, PyAny>>,
                promotion: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Self> {
                game_board::read_move::<$board>(from_square, to_square, promotion).map(Move)
            }

            /// Reads a move in coordinates, legal or not.
            #[staticmethod]
            fn from_uci(uci: &str) -> PyResult<Self> {
                Ok(Move(GameBoard::<$board>::parse_coordinates(uci)?))
            }

            /// Returns the null move, which passes the turn. It is false.
            #[staticmethod]
            fn null() -> Self {
                Move(None)
            }

            /// Returns the move in coordinates; `0000` for the null move.
            fn uci(&self) -> String {
                self.text()
            }

            /// The square that the piece leaves; None for the null move, a pass and a new disc.
            #[getter(from_square)]
            fn origin(&self) -> Option<usize> {
                alfil_kernel::Move::origin(self.0?).map(|square| square.index())
            }

            /// The square on which the piece arrives; None for the null move and a pass.
            #[getter(to_square)]
            fn target(&self) -> Option<usize> {
                alfil_kernel::Move::target(self.0?).map(|square| square.index())
            }

            /// The type of the piece promoted to, such as `chess.QUEEN`; None without promotion.
            #[getter]
            fn promotion(&self) -> Option<usize> {
                let letter = self.0.and_then(game_board::promotion::<$board>)?;
                game_board::piece_type::<$board>(letter)
            }

            fn __bool__(&self) -> bool {
                self.0.is_some()
            }

            fn __str__(&self) -> String {
                self.text()
            }

            fn __repr__(&self) -> String {
                format!("Move({:?})", self.text())
            }

            fn __hash__(&self) -> u64 {
                game_board::move_bits::<$board>(&[self.0])[0]
            }

            fn __richcmp__(&self, other: &Self, op: CompareOp) -> bool {
                op.matches(self.0.cmp(&other.0))
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String,))> {
                Ok((py.get_type::<Move>(), (self.text(),)))
            }
        }

        /// The legal moves of a position: a sequence that does not change when the board does.
        #[pyclass(name = "LegalMoves", module = $module, frozen, sequence)]
        #[derive(Debug)]
        pub(crate) struct LegalMoves {
            moves: Vec<GameMove>,
            /// The position, which knows both forms in which castling can be given.
            position: $board,
        }

        #[pymethods]
        impl LegalMoves {
            fn __len__(&self) -> usize {
                self.moves.len()
            }

            fn __bool__(&self) -> bool {
                !self.moves.is_empty()
            }

            fn __contains__(&self, mv: &Bound<'_, PyAny>) -> bool {
                let mv = mv.cast::<Move>().ok().and_then(|mv| mv.get().0);
                mv.is_some_and(|mv| self.moves.contains(&<<$board as alfil_kernel::Position>::Game as GameProfile<$board>>::written_move(&self.position, mv)))
            }

            fn __getitem__(&self, index: isize) -> PyResult<Move> {
                let index = if index < 0 { index + self.moves.len() as isize } else { index };
                let mv = usize::try_from(index).ok().and_then(|index| self.moves.get(index));
                let error = || pyo3::exceptions::PyIndexError::new_err("no legal move has this index");
                mv.map(|&mv| Move(Some(mv))).ok_or_else(error)
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
                PyList::new(py, self.moves.iter().map(|&mv| Move(Some(mv))))?.try_iter()
            }

            /// Returns the number of legal moves.
            fn count(&self) -> usize {
                self.moves.len()
            }

            fn __repr__(&self) -> String {
                let texts: Vec<_> = self.moves.iter().map(|mv| format!("{mv:?}")).collect();
                format!("<LegalMoves ({})>", texts.join(", "))
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Board,))> {
                let board = GameBoard::from_setup(&self.position.to_setup(), vec!["all".to_owned()])?;
                let getter = py.import("operator")?.getattr("attrgetter")?.call1(("legal_moves",))?;
                Ok((getter, (Board(board),)))
            }
        }

        /// Returns the moves of a sequence of objects.
        fn moves_of(moves: &Bound<'_, PyAny>) -> PyResult<Vec<Option<GameMove>>> {
            moves.try_iter()?.map(|mv| Move::from_object(&mv?)).collect()
        }

        #[doc = concat!("A position of ", $title, " that is set up piece by piece, perhaps impossible meanwhile.")]
        #[pyclass(name = "Setup", module = $module)]
        #[derive(Clone, Debug)]
        pub(crate) struct PositionSetup(BoardSetup<$board>);

        #[pymethods]
        impl PositionSetup {
            /// Creates a setup from a position text (FEN), whatever issues it has, or of the start position.
            #[new]
            #[pyo3(signature = (fen=None))]
            fn new(fen: Option<&str>) -> PyResult<Self> {
                BoardSetup::new(fen).map(PositionSetup).map_err(crate::errors::board_error)
            }

            /// Creates a setup without pieces, the side with the first move to move.
            #[staticmethod]
            fn empty() -> Self {
                PositionSetup(BoardSetup::empty())
            }

            /// Returns the position as text.
            fn fen(&self) -> String {
                self.0.text()
            }

            /// Returns the issues as tuples of the name, a sentence, and whether the issue can be waived.
            fn issues(&self) -> Vec<(&'static str, String, bool)> {
                self.0.issues()
            }

            /// Returns the names of the issues; none if the position can be played.
            fn status(&self) -> Vec<&'static str> {
                self.0.issues().into_iter().map(|(name, ..)| name).collect()
            }

            /// Returns whether the position has no issue.
            fn is_valid(&self) -> bool {
                self.0.issues().is_empty()
            }

            /// Returns the piece on a square, given by its number or its name; None if the square is empty.
            fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
                let name = game_board::square_of::<$board>(square)?.to_string();
                let letter = self.0.piece_at(&name).map_err(crate::errors::board_error)?;
                piece_object(square.py(), letter)
            }

            /// Returns the pieces by the number of their squares.
            fn piece_map(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
                piece_map(py, self.0.pieces().into_iter())
            }

            /// Puts a piece, given by its letter, on a square; None empties it. In chess a right to castle is lost with
            /// its king or rook, and a capture en passant with the pawn.
            fn set_piece_at(&mut self, square: &Bound<'_, PyAny>, #[pyo3(from_py_with = crate::numbers::piece_letter)] piece: Option<char>) -> PyResult<()> {
                let name = game_board::square_of::<$board>(square)?.to_string();
                let changed = match piece {
                    Some(letter) => self.0.put(&name, letter),
                    None => self.0.remove(&name),
                };
                changed.map(drop).map_err(crate::errors::board_error)
            }

            /// Empties a square and returns the piece that was there; None if it was empty.
            fn remove_piece_at(&mut self, square: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
                let name = game_board::square_of::<$board>(square)?.to_string();
                let letter = self.0.remove(&name).map_err(crate::errors::board_error)?;
                piece_object(square.py(), letter)
            }

            /// Removes all pieces and rights; the side with the first move is to move.
            fn clear(&mut self) {
                self.0.clear();
            }

            /// True if the side with the first move is to move: White, Red, in Othello Black.
            #[getter]
            fn turn(&self) -> bool {
                self.0.side_to_move() == alfil_kernel::Side::First
            }

            #[setter]
            fn set_turn(&mut self, turn: bool) {
                self.0.set_side_to_move(game_board::side(turn));
            }

            /// Sets the castling rights as FEN writes them: `KQkq`, `-`. Only chess has castling.
            fn set_castling_fen(&mut self, castling_fen: &str) -> PyResult<()> {
                self.0.set_castling_rights(castling_fen).map_err(crate::errors::board_error)
            }

            /// Sets the square behind a pawn that has just moved two squares, or None. Only chess has this capture.
            #[pyo3(signature = (square))]
            fn set_ep_square(&mut self, square: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
                let square = square.map(game_board::square_of::<$board>).transpose()?;
                let name = square.map(|square| square.to_string());
                self.0.set_en_passant_square(name.as_deref()).map_err(crate::errors::board_error)
            }

            /// Returns the setup with the sides exchanged and, in chess and xiangqi, the ranks mirrored.
            fn mirror(&self) -> Self {
                PositionSetup(self.0.swapped())
            }

            /// Makes a board. `waive` names the issues that are accepted; `["all"]` accepts all that can be waived.
            #[pyo3(signature = (*, waive=Vec::new()))]
            fn board(&self, #[pyo3(from_py_with = crate::numbers::names)] waive: Vec<String>) -> PyResult<Board> {
                GameBoard::from_setup(self.0.setup(), waive).map(Board)
            }

            /// Returns a copy.
            fn copy(&self) -> Self {
                self.clone()
            }

            fn __repr__(&self) -> String {
                format!("Setup({:?})", self.0.text())
            }

            fn __richcmp__(&self, other: PyRef<'_, Self>, op: CompareOp) -> PyResult<Py<PyAny>> {
                game_board::compare(other.py(), op, || self.0 == other.0)
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
                (py.get_type::<PositionSetup>(), (self.0.text(),))
            }
        }

        #[doc = concat!("A position of ", $title, " and the moves that led to it.")]
        #[pyclass(name = "Board", module = $module)]
        #[derive(Clone, Debug)]
        pub(crate) struct Board(pub(crate) GameBoard<$board>);

        #[pymethods]
        impl Board {
            /// The name of the game.
            #[classattr]
            #[pyo3(name = "game")]
            fn class_game() -> &'static str {
                <$board as alfil_kernel::Position>::Game::NAME
            }

            /// The names of the notations of moves, the coordinates first.
            #[classattr]
            #[pyo3(name = "notations")]
            fn class_notations() -> Vec<&'static str> {
                GameBoard::<$board>::dialect_names()
            }

            /// Creates a board from a position text (FEN) or an EPD, or at the start position. `waive` names the
            /// issues of the position that are accepted; `["all"]` accepts all that can be waived.
            #[new]
            #[pyo3(signature = (fen=None, *, waive=Vec::new()))]
            fn new(fen: Option<&str>, #[pyo3(from_py_with = crate::numbers::names)] waive: Vec<String>) -> PyResult<Self> {
                GameBoard::new(fen, waive).map(Board)
            }

            /// Reads an EPD: returns the board and a dictionary of the operations, each with the list of its
            /// operands.
            #[staticmethod]
            #[pyo3(signature = (epd, *, waive=Vec::new()))]
            fn from_epd(
                py: Python<'_>,
                epd: &str,
                #[pyo3(from_py_with = crate::numbers::names)] waive: Vec<String>,
            ) -> PyResult<(Self, Py<PyDict>)> {
                let (board, operations) = GameBoard::from_epd(epd, waive)?;
                let dict = PyDict::new(py);
                for (name, operands) in operations {
                    dict.set_item(name, operands)?;
                }
                Ok((Board(board), dict.unbind()))
            }

            /// Returns the issues of a position text as tuples of the name, a sentence, and whether the issue can
            /// be waived.
            #[staticmethod]
            fn issues(fen: &str) -> PyResult<Vec<(&'static str, String, bool)>> {
                GameBoard::<$board>::issues(fen)
            }

            /// Returns the position as text.
            fn fen(&self) -> String {
                self.0.fen()
            }

            /// Replaces the position by that of a text, without moves. After an error the board is unchanged.
            fn set_fen(&mut self, fen: &str) -> PyResult<()> {
                self.0 = GameBoard::new(Some(fen), self.0.waived())?;
                Ok(())
            }

            /// Returns to the start position of the game, without moves.
            fn reset(&mut self) -> PyResult<()> {
                self.0 = GameBoard::new(None, Vec::new())?;
                Ok(())
            }

            /// Returns a board at the position before the first move.
            fn root(&self) -> PyResult<Self> {
                self.0.root().map(Board)
            }

            /// Returns a copy, with `stack=False` without the moves that led to the position, or with a number the
            /// last so many of them.
            #[pyo3(signature = (*, stack=None))]
            fn copy(&self, stack: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
                let Some(stack) = stack else { return Ok(self.clone()) };
                match stack.extract::<bool>() {
                    Ok(true) => Ok(self.clone()),
                    Ok(false) => self.0.without_moves().map(Board),
                    Err(_) => self.0.with_last_moves(crate::numbers::number(stack)?).map(Board),
                }
            }

            /// Returns a setup of the position, to change its pieces.
            fn setup(&self) -> PositionSetup {
                PositionSetup(BoardSetup::from_board(&self.0))
            }

            /// Puts a piece, given by its letter, on a square; None empties it. The board is then at the new position,
            /// without moves. Raises InvalidPositionError if that cannot be played; use `setup` for several changes.
            fn set_piece_at(&mut self, square: &Bound<'_, PyAny>, #[pyo3(from_py_with = crate::numbers::piece_letter)] piece: Option<char>) -> PyResult<()> {
                let mut setup = self.setup();
                setup.set_piece_at(square, piece)?;
                self.0 = GameBoard::from_setup(setup.0.setup(), self.0.waived())?;
                Ok(())
            }

            /// Empties a square and returns the piece that was there, as `set_piece_at` does.
            fn remove_piece_at(&mut self, square: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
                let piece = self.piece_at(square)?;
                self.set_piece_at(square, None)?;
                Ok(piece)
            }

            /// Replaces all pieces by those of a mapping of squares to letters; the board is then at the new position,
            /// without moves and castling rights, with the same side to move and the same counters. Raises
            /// InvalidPositionError if it cannot be played.
            fn set_piece_map(&mut self, pieces: &Bound<'_, PyAny>) -> PyResult<()> {
                let mut setup = self.setup();
                for (square, _) in setup.0.pieces() {
                    let name = game_board::square_name::<$board>(square)?;
                    setup.0.remove(&name).map_err(crate::errors::board_error)?;
                }
                for item in crate::numbers::mapping_items(pieces, "a mapping of squares to pieces")? {
                    let (square, piece): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
                    setup.set_piece_at(&square, crate::numbers::piece_letter(&piece)?)?;
                }
                self.0 = GameBoard::from_setup(setup.0.setup(), self.0.waived())?;
                Ok(())
            }

            /// Returns a board with the sides exchanged and, in chess and xiangqi, the ranks mirrored, without moves.
            fn mirror(&self) -> PyResult<Self> {
                let swapped = BoardSetup::from_board(&self.0).swapped();
                GameBoard::from_setup(swapped.setup(), vec!["all".to_owned()]).map(Board)
            }

            /// Returns the names of the issues of the position; none unless they were waived.
            fn status(&self) -> Vec<&'static str> {
                self.setup().status()
            }

            /// Returns whether the position has no issue.
            fn is_valid(&self) -> bool {
                self.setup().is_valid()
            }

            /// Returns the position as EPD, without counters, with operations: moves and lists of moves are written as
            /// people do, texts in quotes, numbers as they are, and None as a name alone. The moves of `bm` and `am`
            /// are alternatives in this position; those of any other list, such as `pv`, follow each other.
            #[pyo3(signature = (**operations))]
            fn epd(&self, operations: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
                let read_move = |value: &Bound<'_, PyAny>| match crate::game_classes::is_move(value) {
                    true => Move::from_object(value).map(Some),
                    false => Ok(None),
                };
                self.0.epd(operations, read_move)
            }

            /// Returns the pieces of a side that attack a square, or protect it, pinned pieces included. In Othello
            /// there are none.
            fn attackers(&self, color: bool, square: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let target = game_board::square_of::<$board>(square)?;
                let found = self.0.attackers(target, game_board::side(color)).into_iter();
                square_set(square.py(), found.map(|square| square.index()))
            }

            /// Returns whether a side attacks a square.
            fn is_attacked_by(&self, color: bool, square: &Bound<'_, PyAny>) -> PyResult<bool> {
                let square = game_board::square_of::<$board>(square)?;
                Ok(!self.0.attackers(square, game_board::side(color)).is_empty())
            }

            /// Returns the squares that the piece on a square attacks or protects; none if the square is empty.
            fn attacks(&self, square: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let origin = game_board::square_of::<$board>(square)?;
                square_set(square.py(), self.0.attacks(origin).into_iter())
            }

            /// Returns the squares of the pieces of a type and a side.
            fn pieces(&self, py: Python<'_>, #[pyo3(from_py_with = crate::numbers::number)] piece_type: usize, color: bool) -> PyResult<Py<PyAny>> {
                let letter = game_board::piece_letter::<$board>(piece_type, color)?;
                let squares = self.0.pieces().filter(|&(_, found)| found == letter);
                square_set(py, squares.map(|(square, _)| square))
            }

            /// Returns the square of the king of a side; None in Othello.
            fn king(&self, color: bool) -> Option<usize> {
                let letter = if color { 'K' } else { 'k' };
                self.0.pieces().find(|&(_, found)| found == letter).map(|(square, _)| square)
            }

            /// Returns the squares of the pieces that give check to the side to move.
            fn checkers(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                let by = !self.0.history().side_to_move();
                let squares = self.0.checked_king().map(|king| self.0.attackers(king, by)).unwrap_or_default();
                square_set(py, squares.into_iter().map(|square| square.index()))
            }

            /// Returns the side of the piece on a square; None if the square is empty.
            fn color_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
                let letter = self.0.piece_at(square)?;
                Ok(letter.and_then(game_board::piece_color::<$board>))
            }

            /// Returns the type of the piece on a square, as in `piece_at(square).piece_type`; None if the square is
            /// empty.
            fn piece_type_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
                let letter = self.0.piece_at(square)?;
                Ok(letter.and_then(game_board::piece_type::<$board>))
            }

            /// Forgets the moves that led to the position.
            fn clear_stack(&mut self) -> PyResult<()> {
                self.0 = self.0.without_moves()?;
                Ok(())
            }

            /// Returns the part of the position text that has the pieces.
            fn board_fen(&self) -> String {
                self.0.fen().split(' ').next().unwrap_or_default().to_owned()
            }

            /// Returns the legal move between two squares; a pawn of chess promotes to a queen unless a type is given.
            /// Raises IllegalMoveError with the reason.
            #[pyo3(signature = (from_square, to_square, promotion=None))]
            fn find_move(
                &self,
                from_square: &Bound<'_, PyAny>,
                to_square: &Bound<'_, PyAny>,
                promotion: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Move> {
                let mv = game_board::read_move::<$board>(from_square, Some(to_square), promotion)?;
                let queen = promotion.is_none().then(|| self.0.queen_promotion(mv)).flatten();
                let position = self.0.history().position();
                let mv = self.0.legal(queen.or(mv))?;
                Ok(Move(Some(<<$board as alfil_kernel::Position>::Game as GameProfile<$board>>::written_move(position, mv))))
            }

            /// Returns a line of moves from this position as people write it, with the numbers of the moves.
            fn variation_san(&self, moves: &Bound<'_, PyAny>) -> PyResult<String> {
                self.0.numbered_line(&moves_of(moves)?)
            }

            /// True if the side with the first move is to move: White, Red, in Othello Black.
            #[getter]
            fn turn(&self) -> bool {
                self.0.is_first_to_move()
            }

            /// The number of plies since the last irreversible move.
            #[getter]
            fn halfmove_clock(&self) -> u32 {
                self.0.history().halfmove_clock()
            }

            /// The number of the next move, counted in pairs of plies.
            #[getter]
            fn fullmove_number(&self) -> u32 {
                use alfil_kernel::Setup as _;
                self.0.history().to_setup().counters().fullmove_number
            }

            /// The moves played on this board.
            #[getter]
            fn move_stack(&self) -> Vec<Move> {
                self.0.played_moves().iter().map(|&mv| Move(mv)).collect()
            }

            /// The legal moves, those that a ruleset of xiangqi refuses included. They do not change when the board
            /// does.
            #[getter]
            fn legal_moves(&self) -> LegalMoves {
                LegalMoves { moves: self.0.legal_moves(), position: self.0.history().position().clone() }
            }

            /// The hash key of the position (64 bits): pieces, side to move and rights.
            #[getter]
            fn hash_key(&self) -> u64 {
                self.0.history().position().hash_key()
            }

            /// Returns the number of moves played on this board.
            fn ply(&self) -> usize {
                self.0.history().ply()
            }

            /// Plays a legal move, or the null move unless a side is in check. Raises IllegalMoveError with the reason;
            /// the board is then unchanged.
            fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
                self.0.push(Move::from_object(r#move)?)
            }

            /// Takes the last move back and returns it. Raises IndexError if no move was played.
            fn pop(&mut self) -> PyResult<Move> {
                self.0.pop().map(Move)
            }

            /// Returns the last move. Raises IndexError if no move was played.
            fn peek(&self) -> PyResult<Move> {
                self.0.peek().map(Move)
            }

            /// Reads a legal move in a notation; without one, in the first notation that can read the text,
            /// coordinates first.
            #[pyo3(signature = (text, notation=None))]
            fn parse(&self, text: &str, notation: Option<&str>) -> PyResult<Move> {
                let mv = match notation {
                    Some(name) => self.0.parse_in(text, GameBoard::<$board>::dialect(name)?),
                    None => self.0.parse_any(text, DialectOf::<$board>::ALL[0]),
                };
                mv.map(Move)
            }

            /// Reads a legal move in coordinates.
            fn parse_uci(&self, text: &str) -> PyResult<Move> {
                self.0.parse_in(text, DialectOf::<$board>::ALL[0]).map(Move)
            }

            /// Reads a legal move as people write it: SAN, in xiangqi WXF or Chinese. Coordinates are accepted too.
            fn parse_san(&self, text: &str) -> PyResult<Move> {
                self.0.parse_any(text, DialectOf::<$board>::WRITTEN).map(Move)
            }

            /// Reads a move as `parse` does, plays it and returns it.
            #[pyo3(signature = (text, notation=None))]
            fn push_text(&mut self, text: &str, notation: Option<&str>) -> PyResult<Move> {
                let mv = self.parse(text, notation)?;
                self.0.push(mv.0)?;
                Ok(mv)
            }

            /// Reads a move in coordinates, plays it and returns it.
            fn push_uci(&mut self, text: &str) -> PyResult<Move> {
                let mv = self.parse_uci(text)?;
                self.0.push(mv.0)?;
                Ok(mv)
            }

            /// Reads a move as `parse_san` does, plays it and returns it.
            fn push_san(&mut self, text: &str) -> PyResult<Move> {
                let mv = self.parse_san(text)?;
                self.0.push(mv.0)?;
                Ok(mv)
            }

            /// Returns a legal move in coordinates.
            fn uci(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
                self.0.format(Move::from_object(r#move)?, DialectOf::<$board>::ALL[0])
            }

            /// Returns a legal move as people write it: in SAN, WXF (xiangqi) or by its square (Othello).
            fn san(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
                self.0.format(Move::from_object(r#move)?, DialectOf::<$board>::WRITTEN)
            }

            /// Returns a legal move in a notation.
            fn format(&self, r#move: &Bound<'_, PyAny>, notation: &str) -> PyResult<String> {
                self.0.format(Move::from_object(r#move)?, GameBoard::<$board>::dialect(notation)?)
            }

            /// Returns a line of moves from this position in a notation; without one, as `san` does.
            #[pyo3(signature = (moves, notation=None))]
            fn format_line(&self, moves: &Bound<'_, PyAny>, notation: Option<&str>) -> PyResult<Vec<String>> {
                let line = moves_of(moves)?;
                let dialect = notation.map_or_else(|| Ok(DialectOf::<$board>::WRITTEN), GameBoard::<$board>::dialect)?;
                self.0.format_line(&line, dialect)
            }

            /// Returns whether a move is legal.
            fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
                Ok(self.0.is_legal(Move::from_object(r#move)?))
            }

            /// Returns whether a legal move captures a piece.
            fn is_capture(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
                self.0.is_capture(Move::from_object(r#move)?)
            }

            /// Returns whether a legal move gives check.
            fn gives_check(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
                self.0.gives_check(Move::from_object(r#move)?)
            }

            /// Returns whether the side to move is in check.
            fn is_check(&self) -> bool {
                self.0.history().in_check()
            }

            /// Returns whether the side to move is checkmated.
            fn is_checkmate(&self) -> bool {
                self.0.history().in_check() && self.0.history().position().has_no_legal_move()
            }

            /// Returns whether the side to move has no legal move without being in check. In xiangqi it has lost;
            /// in Othello the game is over.
            fn is_stalemate(&self) -> bool {
                !self.0.history().in_check() && self.0.history().position().has_no_legal_move()
            }

            /// Returns whether the position has occurred at least this many times.
            #[pyo3(signature = (count=3))]
            fn is_repetition(&self, #[pyo3(from_py_with = crate::numbers::number)] count: usize) -> bool {
                self.0.history().occurrences() >= count
            }

            /// Returns the piece on a square, given by its number or its name; None if the square is empty.
            fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
                piece_object(square.py(), self.0.piece_at(square)?)
            }

            /// Returns the pieces by the number of their squares.
            fn piece_map(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
                piece_map(py, self.0.pieces())
            }

            /// Counts the legal move paths to a depth of at most 64. Other Python threads run meanwhile, and Ctrl-C
            /// ends the count.
            #[pyo3(signature = (depth, *, threads=1))]
            fn perft(slf: &Bound<'_, Self>, #[pyo3(from_py_with = crate::numbers::number)] depth: u32, #[pyo3(from_py_with = crate::numbers::number)] threads: usize) -> PyResult<u128> {
                let depth = crate::limits::check_perft_depth(depth)?;
                let threads = crate::limits::check_threads(threads)?;
                let position = slf.borrow().0.history().position().clone();
                crate::interrupt::run(slf.py(), |stop| game_board::perft(&position, depth, threads, stop))?
                    .ok_or_else(|| pyo3::exceptions::PyKeyboardInterrupt::new_err(()))
            }

            /// Returns the position as an array of bytes: a plane for each piece, and one that is 1 if the first
            /// side is to move. The shape is (planes, ranks, files).
            fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let mut bytes = Vec::new();
                self.0.append_planes(&mut bytes);
                crate::arrays::array(py, "uint8", &bytes, &[PIECES + 1, RANKS, SQUARES / RANKS])
            }

            /// Returns a picture of the board as SVG: `size` is the width in pixels and `orientation` the side at the
            /// bottom. `arrows` are moves, or tuples of two squares and perhaps a colour; one from a square to itself
            /// is a circle. `last_move` and `check` mark the squares of a move and of a king instead of those of the
            /// board; the null move marks none.
            #[pyo3(signature = (
                *, size=None, orientation=true, arrows=None, last_move=None, check=None, coordinates=true
            ))]
            fn svg(
                &self,
                #[pyo3(from_py_with = crate::numbers::optional_number)] size: Option<u32>,
                orientation: bool,
                arrows: Option<&Bound<'_, PyAny>>,
                last_move: Option<&Bound<'_, PyAny>>,
                check: Option<&Bound<'_, PyAny>>,
                coordinates: bool,
            ) -> PyResult<String> {
                let mut options = alfil_session::render::SvgOptions::default();
                options.width_px = size;
                options.bottom = Some(game_board::side(orientation));
                options.hides_coordinates = !coordinates;
                options.last_move = last_move
                    .map(|mv| Ok::<_, PyErr>(game_board::move_squares::<$board>(Move::from_object(mv)?)))
                    .transpose()?;
                options.checked_kings = check
                    .map(|square| Ok::<_, PyErr>(vec![game_board::square_of::<$board>(square)?.to_string()]))
                    .transpose()?;
                for arrow in arrows.map(|arrows| arrows.try_iter()).transpose()?.into_iter().flatten() {
                    let arrow = arrow?;
                    options.arrows.push(match arrow.cast::<Move>() {
                        Ok(mv) => game_board::move_arrow::<$board>(mv.get().0)?,
                        Err(_) => game_board::read_arrow::<$board>(&arrow)?,
                    });
                }
                self.0.draw_svg(&options).map_err(crate::errors::board_error)
            }

            /// Shows the board in a notebook.
            fn _repr_svg_(&self) -> String {
                self.0.to_svg()
            }

            /// Returns the board as text with the characters of the pieces.
            fn unicode(&self) -> String {
                self.0.text(false)
            }

            fn __str__(&self) -> String {
                self.0.text(true)
            }

            fn __repr__(&self) -> String {
                format!("Board({:?})", self.0.fen())
            }

            fn __richcmp__(&self, other: PyRef<'_, Self>, op: CompareOp) -> PyResult<Py<PyAny>> {
                game_board::compare(other.py(), op, || self.0.is_same_position(&other.0))
            }

            fn __hash__(&self) -> u64 {
                self.hash_key()
            }

            fn __copy__(&self) -> Self {
                self.clone()
            }

            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
                self.clone()
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                let state = (self.0.waived(), game_board::move_bits::<$board>(self.0.played_moves()));
                let class = py.get_type::<Board>();
                (class, PyTuple::empty(py), (self.0.start_fen(), state.0, state.1)).into_pyobject(py)
            }

            fn __setstate__(&mut self, state: (String, Vec<String>, Vec<u64>)) -> PyResult<()> {
                let (fen, waived, bits) = state;
                let mut board = GameBoard::<$board>::new(Some(&fen), waived)?;
                for mv in game_board::moves_from_bits::<$board>(&bits)? {
                    board.push(mv)?;
                }
                self.0 = board;
                Ok(())
            }

            $($extra)*
        }

        /// Returns the boards of position texts or of boards.
        fn boards_of(items: &Bound<'_, PyAny>) -> PyResult<Vec<GameBoard<$board>>> {
            let board = |item: PyResult<Bound<'_, PyAny>>| {
                let item = item?;
                match item.cast::<Board>() {
                    Ok(board) => Ok(board.try_borrow()?.0.clone()),
                    Err(_) => GameBoard::new(Some(&item.extract::<String>()?), Vec::new()),
                }
            };
            items.try_iter()?.map(board).collect()
        }

        /// Returns the number of legal moves of each position, given as texts or boards, as an array of unsigned
        /// integers.
        #[pyfunction]
        #[pyo3(signature = (positions, *, threads=1))]
        pub(crate) fn legal_move_counts<'py>(
            positions: &Bound<'py, PyAny>,
            #[pyo3(from_py_with = crate::numbers::number)] threads: usize,
        ) -> PyResult<Bound<'py, PyAny>> {
            let threads = crate::limits::check_threads(threads)?;
            let (py, boards) = (positions.py(), boards_of(positions)?);
            let count = |board: &GameBoard<$board>| board.history().position().count_legal() as u32;
            let counts = py.detach(|| alfil_engine::threads::parallel_map(&boards, threads, count));
            let bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_ne_bytes()).collect();
            crate::arrays::array(py, "uint32", &bytes, &[counts.len()])
        }

        /// Returns the positions, given as texts or boards, as an array of bytes of the shape (positions, planes,
        /// ranks, files); see `Board.planes`.
        #[pyfunction]
        pub(crate) fn planes<'py>(positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let (py, boards) = (positions.py(), boards_of(positions)?);
            let mut bytes = Vec::with_capacity(boards.len() * SQUARES * (PIECES + 1));
            py.detach(|| boards.iter().for_each(|board| board.append_planes(&mut bytes)));
            crate::arrays::array(py, "uint8", &bytes, &[boards.len(), PIECES + 1, RANKS, SQUARES / RANKS])
        }

        /// Returns the name of the square with an index.
        #[pyfunction]
        pub(crate) fn square_name(#[pyo3(from_py_with = crate::numbers::number)] square: usize) -> PyResult<String> {
            game_board::square_name::<$board>(square)
        }

        /// Returns the index of the square with a name.
        #[pyfunction]
        pub(crate) fn parse_square(name: &str) -> PyResult<usize> {
            game_board::parse_square::<$board>(name)
        }
    };
}

pub(crate) use board_classes;
