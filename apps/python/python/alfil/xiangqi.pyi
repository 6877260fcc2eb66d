from typing import Any, ClassVar, Dict, Iterable, List, Literal, Optional, Tuple, Union, final

from . import Outcome, _board, _pieces, _squares

RED: bool
BLACK: bool
STARTING_FEN: str
SQUARES: range
SQUARE_NAMES: List[str]
PIECE_LETTERS: str
PIECE_TYPES: range
KING: int
ADVISOR: int
ELEPHANT: int
HORSE: int
ROOK: int
CANNON: int
SOLDIER: int
A0: int
B0: int
C0: int
D0: int
E0: int
F0: int
G0: int
H0: int
I0: int
A1: int
B1: int
C1: int
D1: int
E1: int
F1: int
G1: int
H1: int
I1: int
A2: int
B2: int
C2: int
D2: int
E2: int
F2: int
G2: int
H2: int
I2: int
A3: int
B3: int
C3: int
D3: int
E3: int
F3: int
G3: int
H3: int
I3: int
A4: int
B4: int
C4: int
D4: int
E4: int
F4: int
G4: int
H4: int
I4: int
A5: int
B5: int
C5: int
D5: int
E5: int
F5: int
G5: int
H5: int
I5: int
A6: int
B6: int
C6: int
D6: int
E6: int
F6: int
G6: int
H6: int
I6: int
A7: int
B7: int
C7: int
D7: int
E7: int
F7: int
G7: int
H7: int
I7: int
A8: int
B8: int
C8: int
D8: int
E8: int
F8: int
G8: int
H8: int
I8: int
A9: int
B9: int
C9: int
D9: int
E9: int
F9: int
G9: int
H9: int
I9: int

class Piece(_pieces.Piece): ...
class SquareSet(_squares.SquareSet): ...

@final
class Move(_board.Move):
    @staticmethod
    def from_uci(uci: str) -> Move: ...
    @staticmethod
    def null() -> Move: ...

@final
class LegalMoves(_board.LegalMoves[Move]): ...

@final
class Setup(_board.Setup[Board, Piece]):
    @staticmethod
    def empty() -> Setup: ...

@final
class Board(_board.Board[Move, LegalMoves, Piece, SquareSet, Setup]):
    @staticmethod
    def from_epd(epd: str, *, waive: Iterable[str] = ...) -> Tuple[Board, Dict[str, List[str]]]: ...
    rulesets: ClassVar[List[str]]
    def outcome(self, *, rules: Optional[str] = None) -> Optional[Outcome]: ...
    def is_game_over(self, *, rules: Optional[str] = None) -> bool: ...
    def result(self, *, rules: Optional[str] = None) -> str: ...
    def refused_moves(self, rules: Optional[str] = None) -> List[RefusedMove]: ...
    def judge(
        self,
        rules: Optional[str] = None,
        *,
        occurrences: Optional[int] = None,
        notation: Optional[str] = None,
        language: Literal["en", "zh"] = "en",
    ) -> Ruling: ...

@final
class RefusedMove:
    @property
    def move(self) -> Move: ...
    @property
    def cause(self) -> str: ...
    @property
    def limit(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def reason_zh(self) -> str: ...

@final
class RulingPly:
    @property
    def number(self) -> int: ...
    @property
    def move(self) -> str: ...
    @property
    def move_class(self) -> str: ...
    @property
    def victims(self) -> List[Tuple[str, str]]: ...
    @property
    def attacks(self) -> List[Tuple[str, str, List[str]]]: ...
    @property
    def searched_plies(self) -> int: ...

@final
class Ruling:
    @property
    def ruleset(self) -> str: ...
    @property
    def winner(self) -> Optional[bool]: ...
    @property
    def result(self) -> str: ...
    @property
    def cause(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def heading(self) -> str: ...
    @property
    def explanation(self) -> List[str]: ...
    @property
    def repetition(self) -> Optional[Tuple[int, int]]: ...
    @property
    def plies(self) -> List[RulingPly]: ...
    @property
    def alternatives(self) -> List[str]: ...
    @property
    def disputed(self) -> List[str]: ...

def legal_move_counts(positions: Iterable[Union[Board, str]], *, threads: int = 1) -> Any: ...
def planes(positions: Iterable[Union[Board, str]]) -> Any: ...
def parse_square(name: str) -> int: ...
def square_name(square: int) -> str: ...
def square(file_index: int, rank_index: int) -> int: ...
def square_file(square: int) -> int: ...
def square_rank(square: int) -> int: ...
