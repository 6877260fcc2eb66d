"""Xiangqi, chess and Othello: boards, an engine and game records, with the names of python-chess.

The boards are in the modules ``alfil.xiangqi``, ``alfil.chess`` and ``alfil.othello``. ``alfil.Engine`` searches boards of
all games in this process, and ``alfil.read_games`` reads files of games in any format.
"""

from dataclasses import dataclass
from typing import Iterable, Optional, Union

from . import chess, othello, xiangqi
from ._alfil import (
    AlfilError,
    AmbiguousMoveError,
    Analysis,
    Engine,
    Game,
    GameReader,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    Node,
    Outcome,
    PlayResult,
    RecordError,
    Report,
    __version__,
    read_games,
    write_games,
)

__all__ = [
    "AlfilError",
    "AmbiguousMoveError",
    "Analysis",
    "AnyBoard",
    "AnyMove",
    "Engine",
    "Game",
    "GameReader",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPositionError",
    "Limit",
    "Node",
    "Outcome",
    "PlayResult",
    "RecordError",
    "Report",
    "__version__",
    "chess",
    "othello",
    "read_games",
    "write_games",
    "xiangqi",
]


AnyBoard = Union[chess.Board, othello.Board, xiangqi.Board]
"""A board of any game."""
AnyMove = Union[chess.Move, othello.Move, xiangqi.Move]
"""A move of any game."""


@dataclass
class Limit:
    """The limits of a search; the first one that is reached ends it.

    Each is also an argument of the engine's methods, which have the number of lines, ``multipv``, besides.
    """

    depth: Optional[int] = None
    """The maximum depth, in plies."""
    nodes: Optional[int] = None
    """The maximum number of positions."""
    time: Optional[float] = None
    """The maximum time, in seconds."""
    mate: Optional[int] = None
    """A forced win in this number of moves ends the search."""
    clock: Optional[float] = None
    """The time left on the clock, in seconds, of which the engine takes a part."""
    increment: Optional[float] = None
    """The time added to the clock after each move, in seconds."""
    moves_to_go: Optional[int] = None
    """The number of moves to the next time control."""
    level: Optional[int] = None
    """The skill level, 1 to 10; None for full strength."""
    seed: Optional[int] = None
    """The seed of the random choices of a skill level."""
    root_moves: Optional[Iterable[object]] = None
    """The only moves to search, as moves or as texts in coordinates."""
