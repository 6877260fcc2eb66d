"""Options and paths of the tests."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CRATES = ROOT / "crates"
RECORDS = CRATES / "records/testdata"


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="200,000 plies in lockstep, a million boards")


@pytest.fixture
def is_long(request):
    """Whether the long tests were requested."""
    return request.config.getoption("--long")


def rows(path):
    """Returns the rows of a file of JSON lines below the crates."""
    with open(CRATES / path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def blocks(path):
    """Returns the blocks of Python of a document."""
    return re.findall(r"^```python\n(.*?)^```", (ROOT / path).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
