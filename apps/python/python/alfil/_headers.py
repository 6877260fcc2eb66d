"""The headers of a game: its tags as a mapping."""

from collections.abc import MutableMapping


class Headers(MutableMapping):
    """The headers of a game. What is set here is set in the game."""

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

    def __repr__(self):
        return repr(dict(self))
