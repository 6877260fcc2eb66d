from typing import Any, Dict, Iterable, List, Optional, Tuple, Union, final

from . import Outcome, _board, _pieces, _squares

WHITE: bool
BLACK: bool
STARTING_FEN: str
SQUARES: range
SQUARE_NAMES: List[str]
PIECE_LETTERS: str
PIECE_TYPES: range
PAWN: int
KNIGHT: int
BISHOP: int
ROOK: int
QUEEN: int
KING: int
A1: int
B1: int
C1: int
D1: int
E1: int
F1: int
G1: int
H1: int
A2: int
B2: int
C2: int
D2: int
E2: int
F2: int
G2: int
H2: int
A3: int
B3: int
C3: int
D3: int
E3: int
F3: int
G3: int
H3: int
A4: int
B4: int
C4: int
D4: int
E4: int
F4: int
G4: int
H4: int
A5: int
B5: int
C5: int
D5: int
E5: int
F5: int
G5: int
H5: int
A6: int
B6: int
C6: int
D6: int
E6: int
F6: int
G6: int
H6: int
A7: int
B7: int
C7: int
D7: int
E7: int
F7: int
G7: int
H7: int
A8: int
B8: int
C8: int
D8: int
E8: int
F8: int
G8: int
H8: int

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
    @staticmethod
    def from_chess960_pos(number: int) -> Board: ...
    def outcome(self, *, claim_draw: bool = False) -> Optional[Outcome]: ...
    def is_game_over(self, *, claim_draw: bool = False) -> bool: ...
    def result(self, *, claim_draw: bool = False) -> str: ...
    def is_insufficient_material(self) -> bool: ...
    def is_castling(self, move: Move) -> bool: ...
    def is_kingside_castling(self, move: Move) -> bool: ...
    def is_queenside_castling(self, move: Move) -> bool: ...
    @property
    def castling_rights(self) -> SquareSet: ...
    def has_castling_rights(self, color: bool) -> bool: ...
    def has_kingside_castling_rights(self, color: bool) -> bool: ...
    def has_queenside_castling_rights(self, color: bool) -> bool: ...
    @property
    def ep_square(self) -> Optional[int]: ...
    def is_en_passant(self, move: Move) -> bool: ...
    def has_legal_en_passant(self) -> bool: ...
    def can_claim_draw(self) -> bool: ...
    def can_claim_fifty_moves(self) -> bool: ...
    def can_claim_threefold_repetition(self) -> bool: ...
    def is_fifty_moves(self) -> bool: ...
    def is_seventyfive_moves(self) -> bool: ...
    def is_fivefold_repetition(self) -> bool: ...

def legal_move_counts(positions: Iterable[Union[Board, str]], *, threads: int = 1) -> Any: ...
def planes(positions: Iterable[Union[Board, str]]) -> Any: ...
def parse_square(name: str) -> int: ...
def square_name(square: int) -> str: ...
def square(file_index: int, rank_index: int) -> int: ...
def square_file(square: int) -> int: ...
def square_rank(square: int) -> int: ...
