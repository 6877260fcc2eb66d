"""Chess and Chess960: boards and moves.

A side is a bool: True is WHITE, which has the first move. A square is a number; ``square_name`` and ``parse_square``
convert it. ``PIECE_LETTERS`` has the pieces in the order of the planes.
"""

from ._alfil import chess as _native

Board = _native.Board
Move = _native.Move
LegalMoves = _native.LegalMoves
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

__all__ = [
    "BLACK",
    "Board",
    "LegalMoves",
    "Move",
    "PIECE_LETTERS",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_FEN",
    "WHITE",
    "legal_move_counts",
    "parse_square",
    "planes",
    "square_name",
]
