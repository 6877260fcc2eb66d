"""Chess and Chess960: boards and moves.

A side is a bool: True is WHITE, which has the first move. A square is a number; ``square_name`` and ``parse_square``
convert it, and every square has a constant. ``PIECE_LETTERS`` has the pieces in the order of the planes.
"""

from ._alfil import chess as _native
from ._pieces import Piece as _Piece
from ._squares import SquareSet as _SquareSet
from ._squares import square_functions as _square_functions

Board = _native.Board
Move = _native.Move
LegalMoves = _native.LegalMoves
Setup = _native.Setup
legal_move_counts = _native.legal_move_counts
planes = _native.planes
parse_square = _native.parse_square
square_name = _native.square_name

WHITE = True
BLACK = False
STARTING_FEN = Board().fen()
SQUARES = range(64)
SQUARE_NAMES = [square_name(square) for square in SQUARES]
PIECE_LETTERS = _native.PIECE_LETTERS
# The types of pieces.
PIECE_TYPES = range(1, 7)
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = PIECE_TYPES
# The squares, by their names.
(
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
) = SQUARES


class Piece(_Piece):
    """A piece: its letter, with ``color`` and ``piece_type``. It is made of its letter, or of its type and side."""

    __slots__ = ()
    _letters = PIECE_LETTERS
    _glyphs = _native.PIECE_GLYPHS


class SquareSet(_SquareSet):
    """A set of squares, made of squares or of a number with a bit for each; it iterates over their numbers."""

    __slots__ = ()
    _names = tuple(SQUARE_NAMES)


square, square_file, square_rank = _square_functions(8, 8)

__all__ = [
    "BISHOP",
    "BLACK",
    "Board",
    "KING",
    "KNIGHT",
    "LegalMoves",
    "Move",
    "PAWN",
    "PIECE_LETTERS",
    "PIECE_TYPES",
    "Piece",
    "QUEEN",
    "ROOK",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_FEN",
    "Setup",
    "SquareSet",
    "WHITE",
    "legal_move_counts",
    "parse_square",
    "planes",
    "square",
    "square_file",
    "square_name",
    "square_rank",
    *(name.upper() for name in SQUARE_NAMES),
]
