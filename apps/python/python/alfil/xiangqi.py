"""Xiangqi (Chinese chess): boards and moves.

A side is a bool: True is RED, which has the first move. A square is a number; ``square_name`` and ``parse_square``
convert it. ``PIECE_LETTERS`` has the pieces in the order of the planes.
"""

from ._alfil import xiangqi as _native

Board = _native.Board
Move = _native.Move
LegalMoves = _native.LegalMoves
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

__all__ = [
    "BLACK",
    "Board",
    "LegalMoves",
    "Move",
    "PIECE_LETTERS",
    "RED",
    "RefusedMove",
    "Ruling",
    "RulingPly",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_FEN",
    "legal_move_counts",
    "parse_square",
    "planes",
    "square_name",
]
