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
    /// Makes a board at the position of a text, whatever issues it has that can be waived.
    pub(crate) board_object: fn(Python<'_>, Option<&str>) -> PyResult<Py<PyAny>>,
    /// Makes the object of a move in coordinates.
    pub(crate) move_object: fn(Python<'_>, &str) -> PyResult<Py<PyAny>>,
}

/// Writes the classes `Board`, `Move` and `LegalMoves` of a game and its functions over many positions. `$board` is
/// the board, `$module` the module in Python, `$title` the title of the game. The items in braces are the
/// methods of the board that only this game has.
macro_rules! board_classes {
    ($board:ty, $module:literal, $title:literal, { $($extra:tt)* }) => {
        use alfil_kernel::{Dialect as _, Game as _, MoveOf, Position as _};
        use alfil_session::AnyBoard;
        use pyo3::IntoPyObjectExt as _;
        use pyo3::basic::CompareOp;
        use pyo3::prelude::*;
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
            board_object: |py, fen| {
                Ok(Py::new(py, Board(GameBoard::new(fen, vec!["all".to_owned()])?))?.into_any())
            },
            move_object: |py, text| {
                Ok(Py::new(py, Move(GameBoard::<$board>::parse_coordinates(text)?))?.into_any())
            },
        };

        #[doc = concat!("A move of ", $title, ".")]
        #[pyclass(name = "Move", module = $module, frozen)]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Move(pub(crate) Option<GameMove>);

        impl Move {
            pub(crate) fn text(&self) -> String {
                self.0.map_or_else(|| game_board::NULL_MOVE_COORDINATES.to_owned(), |mv| format!("{mv:?}"))
            }
        }

        #[pymethods]
        impl Move {
            /// Reads a move in coordinates: `e2e4`, in xiangqi `h2e2` with ranks from 0, in Othello `f5` or `pass`.
            #[new]
            fn new(uci: &str) -> PyResult<Self> {
                Ok(Move(GameBoard::<$board>::parse_coordinates(uci)?))
            }

            /// Reads a move in coordinates, legal or not.
            #[staticmethod]
            fn from_uci(uci: &str) -> PyResult<Self> {
                Self::new(uci)
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

            /// The lower-case letter of the piece promoted to; None without promotion.
            #[getter]
            fn promotion(&self) -> Option<char> {
                self.0.and_then(game_board::promotion::<$board>).map(|letter| letter.to_ascii_lowercase())
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
            fn new(fen: Option<&str>, waive: Vec<String>) -> PyResult<Self> {
                GameBoard::new(fen, waive).map(Board)
            }

            /// Reads an EPD: returns the board and a dictionary of the operations, each with the list of its
            /// operands.
            #[staticmethod]
            #[pyo3(signature = (epd, *, waive=Vec::new()))]
            fn from_epd(py: Python<'_>, epd: &str, waive: Vec<String>) -> PyResult<(Self, Py<PyDict>)> {
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

            /// Returns a copy, with `stack=False` without the moves that led to the position.
            #[pyo3(signature = (*, stack=true))]
            fn copy(&self, stack: bool) -> PyResult<Self> {
                if stack { Ok(self.clone()) } else { self.0.without_moves().map(Board) }
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
            fn push(&mut self, r#move: &Move) -> PyResult<()> {
                self.0.push(r#move.0)
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
            fn uci(&self, r#move: &Move) -> PyResult<String> {
                self.0.format(r#move.0, DialectOf::<$board>::ALL[0])
            }

            /// Returns a legal move as people write it: in SAN, WXF (xiangqi) or by its square (Othello).
            fn san(&self, r#move: &Move) -> PyResult<String> {
                self.0.format(r#move.0, DialectOf::<$board>::WRITTEN)
            }

            /// Returns a legal move in a notation.
            fn format(&self, r#move: &Move, notation: &str) -> PyResult<String> {
                self.0.format(r#move.0, GameBoard::<$board>::dialect(notation)?)
            }

            /// Returns a line of moves from this position in a notation; without one, as `san` does.
            #[pyo3(signature = (moves, notation=None))]
            fn format_line(&self, moves: Vec<PyRef<'_, Move>>, notation: Option<&str>) -> PyResult<Vec<String>> {
                let line: Vec<_> = moves.iter().map(|mv| mv.0).collect();
                let dialect = notation.map_or_else(|| Ok(DialectOf::<$board>::WRITTEN), GameBoard::<$board>::dialect)?;
                self.0.format_line(&line, dialect)
            }

            /// Returns whether a move is legal.
            fn is_legal(&self, r#move: &Move) -> bool {
                self.0.is_legal(r#move.0)
            }

            /// Returns whether a legal move captures a piece.
            fn is_capture(&self, r#move: &Move) -> PyResult<bool> {
                self.0.is_capture(r#move.0)
            }

            /// Returns whether a legal move gives check.
            fn gives_check(&self, r#move: &Move) -> PyResult<bool> {
                self.0.gives_check(r#move.0)
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
            fn is_repetition(&self, count: usize) -> bool {
                self.0.history().occurrences() >= count
            }

            /// Returns the letter of the piece on a square, given by its index or its name; None if the square is
            /// empty.
            fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
                self.0.piece_at(square)
            }

            /// Returns the letters of the pieces by the index of their squares.
            fn piece_map(&self) -> std::collections::BTreeMap<usize, char> {
                self.0.pieces().collect()
            }

            /// Counts the legal move paths to a depth of at most 64. Other Python threads run meanwhile, and Ctrl-C
            /// ends the count.
            #[pyo3(signature = (depth, *, threads=1))]
            fn perft(slf: &Bound<'_, Self>, depth: u32, threads: usize) -> PyResult<u128> {
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

            /// Returns a picture of the board as SVG.
            fn svg(&self) -> String {
                self.0.to_svg()
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
                let py = other.py();
                let equal = || self.0.is_same_position(&other.0);
                match op {
                    CompareOp::Eq => equal().into_py_any(py),
                    CompareOp::Ne => (!equal()).into_py_any(py),
                    _ => Ok(py.NotImplemented()),
                }
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
            threads: usize,
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
        pub(crate) fn square_name(square: usize) -> PyResult<String> {
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
