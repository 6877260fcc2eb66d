"""Sets of squares."""

from collections.abc import Collection, Iterable, MutableSet
from operator import index

from ._alfil import AlfilError


class SquareSet(MutableSet):
    """A set of squares: a bit for each square of a number, ``mask``.

    It is made of such a number or of squares, which are numbers or names, and iterates over numbers, the lowest first.
    The other operand of an operator or a method is one of these, too.
    """

    __slots__ = ("mask",)
    # The names of the squares.
    _names = ()
    # The operators are those of this class where a number of NumPy is on the left.
    __array_ufunc__ = None

    def __init__(self, squares=0):
        self.mask = self._mask(squares)

    @classmethod
    def from_square(cls, square):
        """Makes the set of one square."""
        return cls([square])

    @classmethod
    def _from_iterable(cls, squares):
        return cls(squares)

    @classmethod
    def _number(cls, square):
        try:
            number = cls._names.index(square) if isinstance(square, str) else index(square)
        except (TypeError, ValueError):
            number = -1
        if not 0 <= number < len(cls._names):
            raise AlfilError(f"no square {square!r}: choose {cls._names[0]} to {cls._names[-1]}, or their numbers")
        return number

    @classmethod
    def _mask(cls, squares):
        if isinstance(squares, SquareSet):
            return squares.mask
        if not isinstance(squares, Iterable):
            mask = index(squares)
            if mask < 0 or mask >> len(cls._names):
                raise AlfilError(f"{mask} has bits of no square: there are {len(cls._names)}")
            return mask
        mask = 0
        for square in squares:
            mask |= 1 << cls._number(square)
        return mask

    def __contains__(self, square):
        try:
            return bool(self.mask >> self._number(square) & 1)
        except AlfilError:
            return False

    def __iter__(self):
        mask = self.mask
        while mask:
            lowest = mask & -mask
            yield lowest.bit_length() - 1
            mask ^= lowest

    def __len__(self):
        return bin(self.mask).count("1")

    def add(self, square):
        """Adds a square."""
        self.mask |= 1 << self._number(square)

    def discard(self, square):
        """Removes a square, if it is in the set."""
        self.mask &= ~(1 << self._number(square))

    def copy(self):
        """Returns a copy."""
        return type(self)(self.mask)

    def tolist(self):
        """Returns a list with a bool for each square of the board."""
        return [bool(self.mask >> square & 1) for square in range(len(self._names))]

    def union(self, *others):
        """Returns the squares that are in the set or in another one."""
        mask = self.mask
        for other in others:
            mask |= self._mask(other)
        return type(self)(mask)

    def intersection(self, *others):
        """Returns the squares that are in all sets."""
        mask = self.mask
        for other in others:
            mask &= self._mask(other)
        return type(self)(mask)

    def difference(self, *others):
        """Returns the squares that are in none of the others."""
        mask = self.mask
        for other in others:
            mask &= ~self._mask(other)
        return type(self)(mask)

    def symmetric_difference(self, other):
        """Returns the squares that are in one of two sets."""
        return type(self)(self.mask ^ self._mask(other))

    def update(self, *others):
        """Adds the squares of other sets."""
        self.mask = self.union(*others).mask

    def issubset(self, other):
        """Returns whether all squares are in another set."""
        return not self.mask & ~self._mask(other)

    def issuperset(self, other):
        """Returns whether all squares of another set are in this one."""
        return not self._mask(other) & ~self.mask

    def isdisjoint(self, other):
        """Returns whether no square is in both sets."""
        return not self.mask & self._mask(other)

    def __or__(self, other):
        return self._operate(other, self.union)

    def __and__(self, other):
        return self._operate(other, self.intersection)

    def __sub__(self, other):
        return self._operate(other, self.difference)

    def __xor__(self, other):
        return self._operate(other, self.symmetric_difference)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __rsub__(self, other):
        return self._operate(other, lambda other: type(self)(other).difference(self))

    def __ior__(self, other):
        return self._replace(self | other)

    def __iand__(self, other):
        return self._replace(self & other)

    def __isub__(self, other):
        return self._replace(self - other)

    def __ixor__(self, other):
        return self._replace(self ^ other)

    def _replace(self, result):
        self.mask = result.mask
        return self

    def __le__(self, other):
        return self._operate(other, self.issubset)

    def __ge__(self, other):
        return self._operate(other, self.issuperset)

    def __lt__(self, other):
        return self._operate(other, lambda other: self.mask != (mask := self._mask(other)) and not self.mask & ~mask)

    def __gt__(self, other):
        return self._operate(other, lambda other: self.mask != (mask := self._mask(other)) and not mask & ~self.mask)

    def _operate(self, other, operation):
        is_known = isinstance(other, Iterable) or hasattr(type(other), "__index__")
        return operation(other) if is_known else NotImplemented

    def __invert__(self):
        return type(self)(self.mask ^ ((1 << len(self._names)) - 1))

    def __eq__(self, other):
        if not isinstance(other, Collection) and not hasattr(type(other), "__index__"):
            return NotImplemented
        try:
            return self.mask == self._mask(other)
        except AlfilError:
            return False

    __hash__ = None

    def __int__(self):
        return self.mask

    def __bool__(self):
        return bool(self.mask)

    def __repr__(self):
        return f"SquareSet({[self._names[square] for square in self]})"

    def __reduce__(self):
        return type(self), (self.mask,)


def square_functions(files, ranks):
    """Makes the functions ``square``, ``square_file`` and ``square_rank`` of a board."""

    def square(file_index, rank_index):
        """Returns the square of a file and a rank, both counted from 0."""
        if not (0 <= file_index < files and 0 <= rank_index < ranks):
            place = f"file {file_index} and rank {rank_index}"
            raise AlfilError(f"no square on {place}: there are {files} and {ranks}, from 0")
        return files * rank_index + file_index

    def square_file(square):
        """Returns the file of a square, counted from 0."""
        return square % files

    def square_rank(square):
        """Returns the rank of a square, counted from 0."""
        return square // files

    return square, square_file, square_rank
