//! The extension module of the Python package `alfil`: boards, engine and records of the three games.
//!
//! Boards are generic over [`alfil_kernel::Position`] in `game_board.rs`; a macro in `board_class.rs` makes the classes
//! of a game of them. Long computations run without the interpreter lock, and signals end them (`interrupt.rs`).

mod arrays;
mod board_class;
mod chess;
mod engine;
mod errors;
mod game_board;
mod game_classes;
mod interrupt;
mod limits;
mod numbers;
mod othello;
mod pickles;
mod records;
mod results;
mod xiangqi;

use pyo3::prelude::*;

/// The extension module; the package `alfil` re-exports its contents.
#[pymodule(name = "_alfil")]
mod extension {
    #[pymodule_export]
    use crate::engine::{Analysis, Engine, PlayResult, Report};
    #[pymodule_export]
    use crate::errors::{
        AlfilError, AmbiguousMoveError, IllegalMoveError, InvalidMoveError, InvalidPositionError, RecordError,
    };
    #[pymodule_export]
    use crate::pickles::restore;
    #[pymodule_export]
    use crate::records::{Game, GameReader, Node, read_games, write_games};
    #[pymodule_export]
    use crate::results::PyOutcome;

    use super::*;

    /// Chess.
    #[pymodule]
    mod chess {
        #[pymodule_export]
        use crate::chess::{
            Board, LegalMoves, Move, PositionSetup, legal_move_counts, parse_square, planes, square_name,
        };

        use super::*;

        #[pymodule_init]
        fn initialise(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add("PIECE_LETTERS", crate::game_board::piece_letters::<alfil_chess::Bitboard>())?;
            module.add("PIECE_GLYPHS", crate::game_board::piece_glyphs::<alfil_chess::Bitboard>())
        }
    }

    /// Xiangqi.
    #[pymodule]
    mod xiangqi {
        #[pymodule_export]
        use crate::results::{PyRuling, PyRulingPly};
        #[pymodule_export]
        use crate::xiangqi::{
            Board, LegalMoves, Move, PositionSetup, PyRefusedMove, legal_move_counts, parse_square, planes,
            square_name,
        };

        use super::*;

        #[pymodule_init]
        fn initialise(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add("PIECE_LETTERS", crate::game_board::piece_letters::<alfil_xiangqi::Bitboard>())?;
            module.add("PIECE_GLYPHS", crate::game_board::piece_glyphs::<alfil_xiangqi::Bitboard>())
        }
    }

    /// Othello.
    #[pymodule]
    mod othello {
        #[pymodule_export]
        use crate::othello::{
            Board, LegalMoves, Move, PositionSetup, PySolution, legal_move_counts, parse_square, planes,
            square_name,
        };

        use super::*;

        #[pymodule_init]
        fn initialise(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add("PIECE_LETTERS", crate::game_board::piece_letters::<alfil_othello::Bitboard>())?;
            module.add("PIECE_GLYPHS", crate::game_board::piece_glyphs::<alfil_othello::Bitboard>())
        }
    }

    #[pymodule_init]
    fn initialise(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
