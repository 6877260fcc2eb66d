"""Files of games: every format, streams, errors, writing."""

import copy
import io
import itertools
import pickle
import types

import pytest
from conftest import RECORDS

import alfil
from alfil import chess, othello, xiangqi

PGN = b"""[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 $1 {[%clk 0:03:00] bold} exf4 (2... d5 {Falkbeer}) 3. Bc4 1-0

[White "B"]

1. e4 e9 *

[White "C"]

1. d4 *
"""


def test_pgn_is_read_with_its_annotations():
    games = list(alfil.read_games(PGN))
    first, broken, last = games
    assert first.game == "chess" and first.headers["White"] == "Anderssen" and first.result == "1-0"
    assert [str(move) for move in first.mainline_moves()] == first.mainline_texts() == "e2e4 e7e5 f2f4 e5f4 f1c4".split()
    nodes = first.nodes
    assert nodes[3].nags == [1] and nodes[3].clock == 180 and nodes[3].comment == "bold"
    variation = next(node for node in nodes if node.comment == "Falkbeer")
    assert variation.parent == nodes[3] and variation.parent.index == 3 and str(variation.move) == "d7d5" and nodes[0].move is None
    assert first.end().fen() == "rnbqkbnr/pppp1ppp/8/8/2B1Pp2/8/PPPP2PP/RNBQK1NR b KQkq - 1 3"
    assert broken.error.startswith("game 2, line") and broken.mainline_texts() == ["e2e4"]
    assert last.error is None and last.number == 3 and last.offset == PGN.index(b'[White "C"]')
    again = next(alfil.read_games(first.pgn().encode()))
    assert again.pgn() == first.pgn() == str(first)
    with pytest.raises(alfil.RecordError, match="game 2"):
        list(alfil.read_games(PGN, strict=True))


def test_files_are_streams(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_bytes(PGN)
    with open(path, "rb") as file:
        from_file = [game.headers for game in alfil.read_games(file)]
    assert from_file == [game.headers for game in alfil.read_games(path)]
    assert from_file == [game.headers for game in alfil.read_games(str(path))]

    with open(path, encoding="utf-8") as file:
        assert from_file == [game.headers for game in alfil.read_games(file)]
    chinese = "[Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n\n1. 炮二平五 马8进7 *\n" * 5000
    names = [game.headers["Red"] for game in alfil.read_games(io.StringIO(chinese))]
    assert names == ["胡荣华"] * 5000

    class Endless(io.RawIOBase):
        """A file of games without an end."""

        def __init__(self):
            self.pages = itertools.repeat(PGN)

        def read(self, size):
            return next(self.pages)[:size]

    assert len(list(itertools.islice(alfil.read_games(Endless()), 5000))) == 5000

    class Broken:
        """A file that cannot be read."""

        def read(self, size):
            raise OSError("no disk")

    with pytest.raises(OSError, match="no disk"):
        list(alfil.read_games(Broken()))
    with pytest.raises(FileNotFoundError):
        alfil.read_games(tmp_path / "missing.pgn")

    class Wrong:
        """A file with a result of the wrong kind."""

        def __init__(self, result):
            self.result = result

        def read(self, size):
            return self.result(size)

    for result in [lambda _: 7, lambda size: b"x" * (size + 1), lambda _: None]:
        with pytest.raises(Exception):
            list(alfil.read_games(Wrong(result)))


def test_a_reader_is_not_read_by_its_own_file():
    class Recursive:
        """A file that reads from its own reader."""

        reader = None

        def read(self, size):
            if self.reader is not None:
                next(self.reader)
            return PGN[:size] * 500 if size > len(PGN) * 500 else PGN[:size]

    file = Recursive()
    file.reader = alfil.read_games(file)
    with pytest.raises(RuntimeError, match="in use"):
        list(itertools.islice(file.reader, 10_000))


@pytest.mark.parametrize(
    "path, count, game",
    [
        ("xiangqi/spec-example.xqf", 1, "xiangqi"),
        ("xiangqi/roundtrip-chinese.gb18030.pgn", 1, "xiangqi"),
        ("xiangqi/roundtrip-chinese-trad.big5.pgn", 1, "xiangqi"),
        ("xiangqi/roundtrip-wxf.pgn", 1, "xiangqi"),
        ("xiangqi/roundtrip.dhtmlxq.txt", 1, "xiangqi"),
        ("othello/synthetic-games.ggf", 10, "othello"),
        ("othello/synthetic-wth.wtb", 10, "othello"),
    ],
)
def test_the_files_of_testdata(path, count, game):
    games = list(alfil.read_games(RECORDS / path))
    assert len(games) == count
    for record in games:
        assert (record.game, record.error) == (game, None)
        assert record.end().ply() == len(record.mainline_moves()) > 0


@pytest.mark.parametrize(
    "module, formats, refused",
    [
        (xiangqi, ["pgn", "xqf", "cbr", "cbf", "ubb", "wxf"], ["cbl", "dhtmlxq"]),
        (othello, ["pgn", "ggf", "sgf", "wthor", "transcript"], ["xqf"]),
        (chess, ["pgn"], ["xqf", "ggf"]),
    ],
)
def test_written_files_are_read_again(module, formats, refused):
    board = module.Board()
    for _ in range(12):
        board.push(board.legal_moves[len(board.legal_moves) // 2])
    game = alfil.Game.from_board(board, {"Event": "Test"}, "1/2-1/2")
    assert game.mainline_moves() == board.move_stack and game.result == "1/2-1/2"
    for format in refused:
        with pytest.raises(alfil.RecordError, match="cannot be written"):
            alfil.write_games([game], format)
    for format in formats:
        data = alfil.write_games([game], format)
        (again,) = alfil.read_games(data, module.Board.game)
        assert again.mainline_moves() == board.move_stack, format
        assert again.end() == board, format


def test_xiangqi_pgn_is_written_in_chinese():
    board = xiangqi.Board()
    for text in ["炮二平五", "马８进７", "马二进三"]:
        board.push_san(text)
    text = alfil.Game.from_board(board).pgn("chinese")
    assert "炮二平五" in text
    assert next(alfil.read_games(text.encode())).end() == board


def test_other_files_are_named():
    (game,) = alfil.read_games(b"PK\x03\x04 and so on")
    assert "ZIP" in game.error and game.game == "" and game.mainline_texts() == []
    for call in (game.board, game.end, game.pgn):
        with pytest.raises(alfil.RecordError):
            call()
    with pytest.raises(alfil.AlfilError):
        alfil.read_games(b"", "go")
    with pytest.raises(alfil.AlfilError):
        alfil.write_games([], "nonsense")
    assert list(alfil.read_games(b"")) == []


def test_headers_change_the_game():
    game = next(alfil.read_games(b'[Event "?"]\n[White "A"]\n[Opening "King"]\n\n1. e4 1-0\n'))
    assert list(game.headers) == ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Opening"]
    assert game.headers["Event"] == "?" and game.headers["Result"] == "1-0" and "FEN" not in game.headers
    game.headers["White"] = "Z"
    game.headers["Annotator"] = "Y"
    game.headers["Result"] = "0-1"
    del game.headers["Opening"]
    text = game.pgn()
    assert '[White "Z"]' in text and '[Annotator "Y"]' in text and "Opening" not in text and text.endswith("0-1\n")
    assert game.result == "0-1" and next(alfil.read_games(text.encode())).headers == game.headers
    del game.headers["White"]
    assert game.headers["White"] == "?"
    with pytest.raises(KeyError):
        del game.headers["Nothing"]
    for name, value in [("Result", "2-0"), ("FEN", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"), ("FEN", "x"), ("SetUp", "x")]:
        before = game.pgn()
        with pytest.raises(alfil.AlfilError):
            game.headers[name] = value
        assert game.pgn() == before


def test_headers_are_removed():
    game = next(alfil.read_games(b'[Event "E"]\n[Round "?"]\n[Opening "King"]\n\n1. e4 1-0\n'))
    every = dict(alfil.Game("chess").headers)
    assert game.headers.pop("Event") == "E" and game.headers["Event"] == "?" == game.headers.pop("Event")
    assert game.headers.popitem() == ("Opening", "King") and "Opening" not in game.headers
    assert game.headers.pop("Opening", "none") == "none"
    game.headers.update({"White": "A", "Annotator": "B"})
    game.headers.clear()
    assert dict(game.headers) == every and game.result == "*" and not game.tags
    game.headers.clear()
    with pytest.raises(KeyError):
        game.headers.popitem()
    game = alfil.Game("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    game.headers["White"] = "A"
    game.add_variation("e4")
    before = game.pgn()
    with pytest.raises(alfil.AlfilError):
        game.headers.clear()
    assert game.pgn() == before
    game.next().remove()
    game.headers.clear()
    assert dict(game.headers) == every and game.board() == chess.Board()


def test_a_game_of_a_board_takes_any_headers():
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    board.push_san("e4")
    first = alfil.Game.from_board(board, {"White": "A"}, "1-0")
    again = alfil.Game.from_board(board, first.headers)
    assert dict(again.headers) == dict(first.headers) and again.result == "1-0" and again.pgn() == first.pgn()
    assert alfil.Game.from_board(board, first.headers, "0-1").result == "0-1"
    other = alfil.Game.from_board(chess.Board(), types.MappingProxyType(dict(first.headers)))
    assert other.board() == chess.Board() and "FEN" not in other.headers and other.headers["White"] == "A"
    with pytest.raises(TypeError, match="expected a mapping of headers"):
        alfil.Game.from_board(board, [("White", "A")])


def test_castling_is_one_move_in_a_tree():
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    game = alfil.Game("chess", fen)
    short, long = game.add_variation(chess.Move("e1h1")), game.add_variation(chess.Move("e1a1"))
    assert game.add_variation("O-O") == game.add_variation(chess.Move("e1g1")) == short != long
    assert short.move == chess.Move("e1g1") and len(game.nodes) == 3
    board = chess.Board(fen)
    board.push(chess.Move("e1h1"))
    assert short.board() == board and "1. O-O (1. O-O-O)" in game.pgn()
    played = alfil.Engine(hash=1).play(chess.Board(fen), depth=1, root_moves=[chess.Move("e1h1")])
    assert played.move == chess.Move("e1g1")
    with pytest.raises(alfil.IllegalMoveError):
        alfil.Engine(hash=1).play(chess.Board(), depth=1, root_moves=[chess.Move("e1h1")])
    for wrong in (xiangqi.Move("h2e2"), 7):
        with pytest.raises(TypeError, match="a move of chess"):
            alfil.Engine(hash=1).play(chess.Board(), depth=1, root_moves=[wrong])


def test_a_removed_node_is_no_other_node():
    game = alfil.Game("chess")
    first = game.add_variation("e4")
    old = first.add_variation("e5")
    old.remove()
    new = first.add_variation("c5")
    assert old.index == new.index and old != new and len({old, new}) == 2 and old == old
    uses = [old.is_mainline, old.ply, old.promote, old.remove, old.board, old.san, old.next, lambda: pickle.dumps(old)]
    uses += [lambda: old.add_variation("e5"), lambda: old.add_line(["e5"]), lambda: copy.deepcopy(old)]
    names = ("parent", "variations", "move", "comment", "starting_comment", "nags", "eval", "clock", "elapsed")
    uses += [lambda name=name: getattr(old, name) for name in names]
    uses += [lambda: setattr(old, "comment", "gone"), lambda: setattr(old, "nags", [1]), lambda: setattr(old, "clock", 1)]
    for use in uses:
        with pytest.raises(alfil.AlfilError, match="it was removed"):
            use()
    assert repr(old) == "<Node 2, removed>" and game.mainline_texts() == ["e2e4", "c7c5"] and new.ply() == 2
    assert new == game.nodes[2] == first.next() == game.mainline()[1] == first.add_variation("c5") and new.parent == first
    twin = pickle.loads(pickle.dumps(new))
    assert twin == twin.game.nodes[2] and twin.san() == "c5"
    first.remove()
    with pytest.raises(alfil.AlfilError, match="it was removed"):
        new.san()
    assert game.root == game.root and game.next() is None


def test_a_game_is_set_up_by_its_headers():
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    game = alfil.Game("chess")
    game.headers["SetUp"] = "1"
    game.headers["FEN"] = fen
    assert game.start == game.headers["FEN"] == game.board().fen() == fen and game.headers["SetUp"] == "1"
    game.add_variation("e4")
    assert '[FEN "' + fen + '"]' in game.pgn() and game.end().piece_at("e4") == "P"
    assert alfil.Game("chess", fen).headers["FEN"] == fen
    game.next().remove()
    del game.headers["FEN"]
    assert game.board() == chess.Board()


@pytest.mark.parametrize("module, texts", [(chess, "e4 e5 Nf3"), (xiangqi, "炮二平五 马8进7 马二进三"), (othello, "f5 d6 c3")])
def test_trees_are_built(module, texts):
    game = alfil.Game(module.Board.game)
    first, second, third = texts.split()
    last = game.add_line([first, second, third])
    assert last.ply() == 3 and last == game.nodes[3] and last in set(game.mainline())
    board = module.Board()
    moves = [board.push_san(text) for text in (first, second, third)]
    assert game.mainline_moves() == moves and game.end() == last.board() == board
    node = game.next()
    assert node.san() == board.root().san(moves[0]) and node.parent == game.root and node.parent.parent is None
    # A move that is there already has its node.
    assert node.add_variation(moves[1]) == game.nodes[2] and len(game.nodes) == 4
    other = next(move for move in node.board().legal_moves if move != moves[1])
    side = node.add_variation(other, comment="a try", starting_comment="or", nags=[5])
    assert side.is_mainline() is False and node.variations == [game.nodes[2], side] and not side.variations
    game.comment = "the game"
    side.comment += " indeed [%clk 0:03:00]"
    last.eval, last.clock, last.elapsed, last.nags = ("cp", 31), 60.5, 2, [1, 14]
    assert (side.comment, side.clock, last.eval, last.clock, last.elapsed) == ("a try indeed", 180, ("cp", 31), 60.5, 2)
    (again,) = alfil.read_games(game.pgn().encode(), module.Board.game)
    assert again.pgn() == game.pgn() and again.comment == "the game"
    found = next(node for node in again.nodes if node.nags == [5])
    assert (found.comment, found.starting_comment, found.move) == ("a try indeed", "or", other)
    assert again.mainline()[-1].nags == [1, 14] and again.mainline()[-1].eval == ("cp", 31)
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert twin.pgn() == game.pgn() and [str(node) for node in twin.nodes] == [str(node) for node in game.nodes]
        assert twin.nodes[1] != game.nodes[1]
    assert pickle.loads(pickle.dumps(side)).move == other
    assert side.promote() and side.is_mainline() and game.mainline() == [node, side] and not side.promote()
    side.remove()
    assert game.mainline_moves() == moves
    with pytest.raises(alfil.AlfilError, match="removed"):
        side.comment = "gone"


def test_a_tree_refuses_what_it_cannot_have():
    game = alfil.Game("chess")
    with pytest.raises(alfil.IllegalMoveError):
        game.add_variation("e5")
    with pytest.raises(alfil.IllegalMoveError):
        game.add_variation(chess.Move("e2e5"))
    for wrong in (xiangqi.Move("h2e2"), 7, None):
        with pytest.raises(TypeError, match="a move of chess"):
            game.add_variation(wrong)
    node = game.add_variation("e4")
    for wrong in (256, -1, 2**70):
        with pytest.raises(alfil.AlfilError, match=str(wrong)):
            node.nags = [wrong]
        with pytest.raises(alfil.AlfilError, match=str(wrong)):
            game.add_variation("d4", nags=(wrong,))
    assert game.add_variation("c4", nags={5}).nags == game.add_variation("c4", nags=iter([5])).nags == [5]
    game.nodes[-1].remove()
    with pytest.raises(alfil.AlfilError):
        node.eval = ("pawns", 1)
    for wrong in (5, ("cp",), (1, 2)):
        with pytest.raises(TypeError, match="expected None, or a tuple"):
            node.eval = wrong
    with pytest.raises(alfil.AlfilError, match="out of range"):
        node.eval = ("cp", 2**40)
    with pytest.raises(alfil.AlfilError):
        node.clock = -1.0
    with pytest.raises(alfil.AlfilError, match="no move"):
        game.root.san()
    with pytest.raises(alfil.AlfilError):
        alfil.Game("go")
    game.root.remove()
    assert game.mainline_texts() == ["e2e4"]


def test_games_with_errors_are_pickled():
    for game in alfil.read_games(PGN):
        twin = pickle.loads(pickle.dumps(game))
        fields = ["game", "number", "offset", "tags", "result", "start", "error", "warnings"]
        assert [getattr(twin, name) for name in fields] == [getattr(game, name) for name in fields]
        assert twin.pgn() == game.pgn() and twin.headers == game.headers
