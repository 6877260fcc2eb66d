"""The headers of a game: its tags as a mapping."""

from collections.abc import MutableMapping


class Headers(MutableMapping):
    """The headers of a game. What is set here is set in the game.

    Those that every record has, such as ``Event``, are always there: removed by ``del`` or ``pop`` they are unknown,
    ``?``, and ``popitem`` and ``clear`` take only what is known. The start position of a game with moves stays:
    its removal raises AlfilError.
    """

    __slots__ = ("_game",)

    def __init__(self, game):
        self._game = game

    def __getitem__(self, name):
        for known, value in self._game._header_pairs():
            if known == name:
                return value
        raise KeyError(name)

    def __setitem__(self, name, value):
        self._game._set_header(name, value)

    def __delitem__(self, name):
        self._game._remove_header(name)

    def __iter__(self):
        return iter([name for name, _ in self._game._header_pairs()])

    def __len__(self):
        return len(self._game._header_pairs())

    def _known(self):
        # The headers that are not merely there because every record has them.
        names = {name for name, _ in self._game.tags}
        if self._game.result != "*":
            names.add("Result")
        if self._game.start is not None:
            names |= {"SetUp", "FEN"}
        return [pair for pair in self._game._header_pairs() if pair[0] in names]

    def popitem(self):
        """Removes the last header that is known, and returns its name and value; KeyError if none is known."""
        known = self._known()
        if not known:
            raise KeyError("no header is known")
        name, value = known[-1]
        del self[name]
        return name, value

    def clear(self):
        """Removes all headers; those that every record has are then unknown."""
        # The start position is the last of them and the only one that may stay.
        while self._known():
            self.popitem()

    def __repr__(self):
        return repr(dict(self))
