"""The stubs fit the package, and everything public has a docstring."""

import doctest
import inspect
import subprocess
import sys

import pytest
from conftest import blocks

import alfil


def run(*arguments):
    """Runs a module of Python and returns its output if it fails."""
    process = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True)
    return process.stdout + process.stderr if process.returncode else ""


def test_the_stubs_fit_the_package(tmp_path):
    allowed = tmp_path / "allowed"
    names = [
        # `_board` is in the stubs alone. The extension module is private; its classes are in the public modules.
        r"alfil\._board",
        r"alfil\._alfil.*",
        r"alfil\._arrays.*",
        # All names of the stubs are public but for those of the private modules.
        r"alfil(\.\w+)?\.__all__",
        # A class of the extension that is compared for equality has methods of order, too, which only raise.
        r".*\.__(lt|le|gt|ge)__",
    ]
    allowed.write_text("\n".join(names) + "\n")
    assert not run("mypy.stubtest", "alfil", "--allowlist", str(allowed), "--ignore-unused-allowlist")


def test_programs_are_checked_with_the_stubs(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import alfil\n"
        "from alfil import chess, othello, xiangqi\n"
        "board = chess.Board()\n"
        "board.push(board.parse_san('e4'))\n"
        "moves: list[chess.Move] = list(board.legal_moves)\n"
        "ruling: str = xiangqi.Board().judge('axf').heading\n"
        "score: int = othello.Board().solve().score\n"
        "lines: list[alfil.Report] = alfil.Engine().analyse(board, depth=3, multipv=2)\n"
        "report = alfil.Engine().analyse(board, depth=3)\n"
        "assert report.pv[0] in board.legal_moves and report.bound == 'exact'\n"
        "found = alfil.Engine().analyse(board, alfil.Limit(depth=3), multipv=2)\n"
        "assert found[0].score\n"
        "for game in alfil.read_games('games.pgn'):\n"
        "    text: str = game.pgn()\n"
    )
    assert not run("mypy", "--strict", str(program))
    wrong = [
        ("chess.Board(7)", "incompatible type"),
        ("chess.Board().push(alfil.Engine().play(othello.Board(), depth=3).move)", "incompatible type"),
        ("alfil.Limit(depth=3, multipv=2)", "Unexpected keyword"),
        ("chess.Board() < chess.Board()", "Unsupported"),
        ("alfil.Game('chess').add_variation(othello.Move('f5'))", "incompatible type"),
    ]
    for line, message in wrong:
        program.write_text(f"import alfil\nfrom alfil import chess, othello\n{line}\n")
        assert message in run("mypy", "--strict", str(program)), line


# Nine things that programs do first; the stubs refused each of them once.
IDIOMS = """
import pickle
from typing import List, Optional

import alfil
from alfil import chess, othello, xiangqi

engine = alfil.Engine(hash=1)


def play(board: chess.Board) -> None:
    board.push(engine.play(board, depth=3).move)


def best(board: xiangqi.Board) -> str:
    return board.san(engine.analyse(board, nodes=100).pv[0])


def line(board: chess.Board, report: alfil.Report[chess.Move]) -> List[str]:
    return board.format_line(report.pv)


def watch(board: othello.Board) -> Optional[othello.Move]:
    with engine.analysis(board, depth=4) as analysis:
        for report in analysis:
            print(report.score, [move.to_square for move in report.pv])
    return analysis.best_move


def replay(path: str) -> int:
    board = chess.Board()
    for game in alfil.read_games(path):
        for move in game.mainline_moves():
            board.push(move)
    return board.ply()


def annotate(board: chess.Board) -> str:
    game = alfil.Game.from_board(board, {"White": "A"})
    node = game.root.add_variation(chess.Move(chess.E2, chess.E4), comment="best")
    node.board().push_san("e5")
    return game.pgn()


def any_game(board: alfil.AnyBoard) -> alfil.AnyMove:
    return engine.play(board, alfil.Limit(depth=2)).move


def last(game: alfil.Game[xiangqi.Board, xiangqi.Move]) -> xiangqi.Board:
    game.headers["Red"] = "A"
    return game.end()


def copied(board: chess.Board) -> chess.Board:
    twin: chess.Board = pickle.loads(pickle.dumps(board))
    piece = twin.piece_at(chess.E1)
    assert piece is not None and piece.color == chess.WHITE and piece.piece_type == chess.KING
    return twin if chess.E2 in twin.attackers(chess.WHITE, "e3") else board
"""


def test_the_idioms_are_typed_and_run(tmp_path):
    program = tmp_path / "idioms.py"
    program.write_text(IDIOMS)
    assert run("mypy", "--strict", str(program)) == ""
    namespace = {}
    exec(compile(IDIOMS, "idioms.py", "exec"), namespace)
    board = alfil.chess.Board()
    namespace["play"](board)
    namespace["line"](board, alfil.Engine(hash=1).analyse(board, depth=2))
    assert board.ply() == 1 and namespace["best"](alfil.xiangqi.Board())
    assert namespace["watch"](alfil.othello.Board()) in alfil.othello.Board().legal_moves
    (tmp_path / "games.pgn").write_text("1. e4 e5 *\n")
    assert namespace["replay"](str(tmp_path / "games.pgn")) == 2
    assert "1. e4 {best}" in namespace["annotate"](alfil.chess.Board())
    assert namespace["any_game"](alfil.xiangqi.Board()) in alfil.xiangqi.Board().legal_moves
    assert namespace["last"](alfil.Game("xiangqi")) == alfil.xiangqi.Board()
    assert namespace["copied"](alfil.chess.Board()) == alfil.chess.Board()


@pytest.mark.parametrize("path", ["docs/libraries/python.md", "docs/libraries/coming-from.md", "README.md", "apps/python/README.md"])
def test_the_documents_are_typed(path, tmp_path):
    source = []
    for block in blocks(path):
        examples = doctest.DocTestParser().get_examples(block)
        # What raises in an example is not typed.
        code = "".join(example.source for example in examples if not example.exc_msg) if examples else block
        source.append(code)
    assert source
    program = tmp_path / "document.py"
    program.write_text("".join(source))
    # The lines of a document redefine its names for the next game, and show values.
    assert run("mypy", "--strict", "--allow-redefinition-new", "--local-partial-types", str(program)) == ""


def public_members():
    """Yields the public classes, functions, methods and properties with their names."""
    for module in (alfil, alfil.chess, alfil.othello, alfil.xiangqi):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isbuiltin(value):
                yield f"{module.__name__}.{name}", value
            if inspect.isclass(value) and value.__module__.startswith("alfil"):
                for member, attribute in vars(value).items():
                    is_value = isinstance(attribute, (str, list, int, float, type(None)))
                    if not member.startswith("_") and not is_value:
                        yield f"{module.__name__}.{name}.{member}", attribute


def test_everything_public_has_a_docstring():
    members = dict(public_members())
    assert len(members) > 150
    assert [name for name, member in members.items() if not (inspect.getdoc(member) or "").strip()] == []
