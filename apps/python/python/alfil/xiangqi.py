"""Xiangqi (Chinese chess): boards and moves.

A side is a bool: True is RED, which has the first move. A square is a number; ``square_name`` and ``parse_square``
convert it, and every square has a constant. ``PIECE_LETTERS`` has the pieces in the order of the planes.
"""

from ._alfil import xiangqi as _native
from ._pieces import Piece as _Piece
from ._squares import SquareSet as _SquareSet
from ._squares import square_functions as _square_functions

Board = _native.Board
Move = _native.Move
LegalMoves = _native.LegalMoves
Setup = _native.Setup
RefusedMove = _native.RefusedMove
Ruling = _native.Ruling
RulingPly = _native.RulingPly
legal_move_counts = _native.legal_move_counts
planes = _native.planes
parse_square = _native.parse_square
square_name = _native.square_name

RED = True
BLACK = False
STARTING_FEN = Board().fen()
SQUARES = range(90)
SQUARE_NAMES = [square_name(square) for square in SQUARES]
PIECE_LETTERS = _native.PIECE_LETTERS
# The types of pieces.
PIECE_TYPES = range(1, 8)
KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, SOLDIER = PIECE_TYPES
# The squares, by their names.
(
    A0, B0, C0, D0, E0, F0, G0, H0, I0,
    A1, B1, C1, D1, E1, F1, G1, H1, I1,
    A2, B2, C2, D2, E2, F2, G2, H2, I2,
    A3, B3, C3, D3, E3, F3, G3, H3, I3,
    A4, B4, C4, D4, E4, F4, G4, H4, I4,
    A5, B5, C5, D5, E5, F5, G5, H5, I5,
    A6, B6, C6, D6, E6, F6, G6, H6, I6,
    A7, B7, C7, D7, E7, F7, G7, H7, I7,
    A8, B8, C8, D8, E8, F8, G8, H8, I8,
    A9, B9, C9, D9, E9, F9, G9, H9, I9,
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


square, square_file, square_rank = _square_functions(9, 10)

__all__ = [
    "ADVISOR",
    "BLACK",
    "Board",
    "CANNON",
    "ELEPHANT",
    "HORSE",
    "KING",
    "LegalMoves",
    "Move",
    "PIECE_LETTERS",
    "PIECE_TYPES",
    "Piece",
    "RED",
    "ROOK",
    "RefusedMove",
    "Ruling",
    "RulingPly",
    "SOLDIER",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_FEN",
    "Setup",
    "SquareSet",
    "legal_move_counts",
    "parse_square",
    "planes",
    "square",
    "square_file",
    "square_name",
    "square_rank",
    *(name.upper() for name in SQUARE_NAMES),
]
