"""Pieces: their letters, with side and type."""

from operator import index

from ._alfil import AlfilError


class Piece(str):
    """A piece: its letter in position texts, with its side and type.

    It is made of its letter, or of its type and side. A letter has its side: another one is refused.
    """

    __slots__ = ()
    # The letters of the pieces of the first side in the order of their types, then those of the other side; the
    # characters that show them, in the same order.
    _letters = ""
    _glyphs = ""

    def __new__(cls, piece_type, color=None):
        half = len(cls._letters) // 2
        if isinstance(piece_type, str):
            letter = str(piece_type)
            if len(letter) != 1 or letter not in cls._letters:
                raise AlfilError(f"no piece {letter!r}: choose one of {cls._letters}")
            if color is not None and bool(color) != (cls._letters.index(letter) < half):
                raise AlfilError(f"the piece {letter!r} is of the other color: a letter has its color")
            return super().__new__(cls, letter)
        try:
            number = index(piece_type)
        except TypeError:
            name = type(piece_type).__name__
            raise TypeError(f"expected the letter or the type of a piece, not {name}") from None
        if not 1 <= number <= half:
            raise AlfilError(f"no piece type {number}: choose 1 to {half}")
        if color is None:
            raise TypeError(f"the piece type {number} needs a color")
        return super().__new__(cls, cls._letters[number - 1 + (0 if color else half)])

    @classmethod
    def from_symbol(cls, symbol):
        """Makes the piece of a letter."""
        return cls(symbol)

    @property
    def color(self):
        """True for a piece of the side with the first move."""
        return self._letters.index(self) < len(self._letters) // 2

    @property
    def piece_type(self):
        """The number of the type, such as ``chess.KNIGHT``."""
        return self._letters.index(self) % (len(self._letters) // 2) + 1

    def symbol(self):
        """Returns the letter."""
        return str(self)

    def unicode_symbol(self):
        """Returns the character that shows the piece."""
        return self._glyphs[self._letters.index(self)]

    def __repr__(self):
        return f"Piece({str(self)!r})"

    def __reduce__(self):
        return type(self), (str(self),)
