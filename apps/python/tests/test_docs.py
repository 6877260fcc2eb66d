"""The examples of the documents and of the notebook are run."""

import doctest
import importlib.metadata
import json
import re

import chess
import pytest
from conftest import ROOT, blocks

import alfil

FLAGS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("path, count", [("docs/libraries/python.md", 10), ("docs/libraries/coming-from.md", 2)])
def test_documents(path, count):
    found, namespace = blocks(path), {}
    assert len(found) >= count
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    parser = doctest.DocTestParser()
    for number, block in enumerate(found):
        test = parser.get_doctest(block, namespace, f"block {number}", path, 0)
        assert test.examples
        runner.run(test, clear_globs=False)
        namespace.update(test.globs)
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("path", ["README.md", "apps/python/README.md"])
def test_readmes(path):
    found = blocks(path)
    assert found
    for block in found:
        exec(compile(block, path, "exec"), {})


def test_the_notebook():
    cells = json.loads((ROOT / "apps/python/examples/alfil.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    namespace = {}
    for cell in code:
        exec(compile(cell, "alfil.ipynb", "exec"), namespace)
    assert len(code) >= 5 and isinstance(namespace["board"], (alfil.chess.Board, alfil.xiangqi.Board))


def test_every_method_of_the_board_of_python_chess_is_named():
    text = (ROOT / "docs/libraries/coming-from.md").read_text(encoding="utf-8")
    section = text[text.index("## From python-chess"):text.index("## From chess.js")]
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]*)`", section))))
    board = chess.Board()
    methods = {name for name in dir(board) if not name.startswith("_")}
    assert methods <= named, sorted(methods - named)
    same = section[section.index("**The same**"):section.index("**Another way:**")]
    same = re.findall(r"`(\w+)`", same)
    assert len(same) > 20 and all(hasattr(alfil.chess.Board(), name) for name in same)
    missing = re.findall(r"`(\w+)`", section[section.index("**None:**"):section.index("```python")])
    assert len(missing) > 30 and not any(hasattr(alfil.chess.Board(), name) for name in missing)


def test_the_package_has_its_licences():
    files = {file.name for file in importlib.metadata.files("alfil")}
    assert {"LICENSE-MIT", "LICENSE-APACHE", "NOTICE"} <= files


def test_the_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", alfil.__version__)
