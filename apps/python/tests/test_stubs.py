"""The stubs fit the package, and everything public has a docstring."""

import inspect
import subprocess
import sys

import alfil


def run(*arguments):
    """Runs a module of Python and returns its output if it fails."""
    process = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True)
    return process.stdout + process.stderr if process.returncode else ""


def test_the_stubs_fit_the_package(tmp_path):
    allowed = tmp_path / "allowed"
    # The extension module is private; its classes are in the public modules. All names of the stubs are public but for
    # those of `_board`, which is in the stubs alone.
    allowed.write_text("alfil\\._board\nalfil\\._alfil.*\nalfil\\._arrays.*\nalfil(\\.\\w+)?\\.__all__\n")
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
        "assert report and report.bound == 'exact'\n"
        "found = alfil.Engine().analyse(board, alfil.Limit(depth=3, multipv=2))\n"
        "assert isinstance(found, list) and found[0].score\n"
        "for game in alfil.read_games('games.pgn'):\n"
        "    text: str = game.pgn()\n"
    )
    assert not run("mypy", "--strict", str(program))
    # A limit may have a number of lines, so that the result may be a list.
    wrong = ["chess.Board(7)", "assert (found := alfil.Engine().analyse(chess.Board(), alfil.Limit(depth=3))) and found.score"]
    for line, message in zip(wrong, ["incompatible type", 'has no attribute "score"']):
        program.write_text(f"import alfil\nfrom alfil import chess\n{line}\n")
        assert message in run("mypy", "--strict", str(program))


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
