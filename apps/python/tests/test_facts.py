"""The facts of the crates of the games, through the Python package."""

import csv
import re

import pytest
from conftest import CRATES, ROOT, rows

from alfil import chess, othello, xiangqi

# The largest count of a test, in leaves.
MAX_NODES, LONG_MAX_NODES = 2_000_000, 50_000_000


@pytest.mark.parametrize("name, module", [("chess", chess), ("xiangqi", xiangqi), ("othello", othello)])
def test_perft(name, module, is_long):
    limit = LONG_MAX_NODES if is_long else MAX_NODES
    checked = 0
    for row in rows(f"{name}/testdata/perft.jsonl"):
        if row["nodes"] > limit or row.get("convention", "ply") != "ply" or row.get("verified") is False:
            continue
        board = module.Board(row.get("fen") or row["board"])
        assert board.perft(row["depth"], threads=2) == row["nodes"], row
        checked += 1
    assert checked >= 8


def test_a_finished_game_of_othello_is_one_path():
    full = othello.Board("X" * 64 + " O")
    assert [full.perft(depth) for depth in (1, 3)] == [1, 1]


def test_perft_walks_through_python_too():
    def walk(board, depth):
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += walk(board, depth - 1)
            board.pop()
        return total

    for module in (chess, othello, xiangqi):
        board = module.Board()
        assert walk(board, 3) == board.perft(3)
        assert board == module.Board()


def test_the_moves_of_chess960():
    for number in range(0, 960, 97):
        board = chess.Board.from_chess960_pos(number)
        assert board.perft(2) == chess.Board(board.fen()).perft(2)
        for move in board.legal_moves:
            assert board.parse(board.format(move, "uci960"), "uci960") == move


def test_notations_of_xiangqi():
    with open(CRATES / "xiangqi/testdata/notation.tsv", encoding="utf-8") as file:
        lines = [line for line in csv.reader(file, delimiter="\t") if line and not line[0].startswith("#")]
    assert len(lines) > 20
    for _, fen, ucci, uci10, iccs, simplified, traditional, xqbase, wxf, fairy in (line[:10] for line in lines):
        board = xiangqi.Board(fen, waive=["all"])
        move = xiangqi.Move(ucci)
        named = {"uci10": uci10, "iccs": iccs, "chinese": simplified, "chinese-traditional": traditional}
        for notation, text in named.items():
            if text:
                assert board.parse(text, notation) == move, (fen, text)
        for text in filter(None, (xqbase, wxf, fairy)):
            assert board.parse(text, "wxf") == move, (fen, text)
        assert board.format(move, "chinese") == simplified and board.uci(move) == ucci


def differences():
    """Returns the verdicts on figures that differ from the book on purpose, with the reasons in the Rust test."""
    text = (ROOT / "crates/xiangqi/tests/figures.rs").read_text(encoding="utf-8")
    (rows,) = re.findall(r"const VERDICT_DIFFERENCES: .*? = \[(.*?)\];", text, re.DOTALL)
    return dict(re.findall(r'\("([^"]+)", "([^"]+)"\)', rows))


# The files, their columns, and the rulesets of the columns.
RULINGS = [
    ("xiangqi/testdata/repetitions.jsonl", "axf", "axf"),
    ("xiangqi/testdata/loops.jsonl", "computer", "computer"),
    ("xiangqi/testdata/loops.jsonl", "axf", "axf"),
    ("xiangqi/testdata/figures.jsonl", "cxa2020", "cxa2020"),
]


@pytest.mark.parametrize("path, column, rules", RULINGS)
def test_rulings(path, column, rules):
    checked, exceptions = 0, differences() if rules == "cxa2020" else {}
    for row in rows(path):
        if column not in row:
            continue
        board = xiangqi.Board(row["fen"], waive=["all"])
        for text in row["moves"].split():
            board.push_uci(text)
        ruling = board.judge(rules)
        verdict = exceptions.get(row["id"], row[column])
        assert ruling.ruleset == rules and ruling.verdict == verdict, (row["id"], ruling.verdict, verdict)
        assert ruling.explanation and str(ruling) and ruling.plies
        checked += 1
    assert checked >= 10


def test_a_ruling_has_reasons():
    row = next(row for row in rows("xiangqi/testdata/figures.jsonl") if row["id"] == "cxa2020-fig02")
    board = xiangqi.Board(row["fen"])
    for text in row["moves"].split():
        board.push_uci(text)
    ruling = board.judge("cxa2020", notation="wxf")
    assert ruling.winner is xiangqi.BLACK and ruling.result == "0-1" and ruling.repetition
    assert any(ply.victims for ply in ruling.plies)
    attacks = [attack for ply in ruling.plies for attack in ply.attacks]
    assert attacks and all(re.fullmatch("[a-i][0-9]", name) for attack in attacks for name in attack[:2])
    assert "捉" in "".join(board.judge("cxa2020", language="zh").explanation)


def test_exact_scores_of_othello(is_long):
    checked = 0
    with open(CRATES / "othello/testdata/ffo.obf", encoding="utf-8") as file:
        for line in file:
            if line.startswith("%"):
                continue
            position, best, _ = line.split(";", 2)
            if position.count("-") > (20 if is_long else 16):
                continue
            squares, score = best.split(":")
            board = othello.Board(position)
            solution = board.solve(threads=2)
            assert solution.score == int(score) and solution.nodes > 0
            # There may be other best moves than that of the collection.
            for move in (solution.best_move, othello.Move(squares.strip())):
                board.push(move)
                assert board.turn == (not board.root().turn)
                assert board.solve().score == -solution.score, (position, move)
                board.pop()
            for move in solution.pv:
                board.push(move)
            assert board.is_game_over() and board.outcome().margin == abs(solution.score)
            outcome = othello.Board(position).solve(outcome_only=True).score
            assert outcome == (int(score) > 0) - (int(score) < 0)
            checked += 1
    assert checked >= 3


def test_refused_moves():
    board = xiangqi.Board("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1")
    for uci in "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9".split():
        board.push_uci(uci)
    refused = board.refused_moves("tiantian")
    seventh_check = board.parse_uci("f7e7")
    found = next(one for one in refused if one.move == seventh_check)
    assert (found.cause, found.limit) == ("perpetual_check", 6)
    assert "6 checks" in found.reason and "6 着" in found.reason_zh
    assert repr(found) == "<RefusedMove f7e7 perpetual_check limit=6>"
    assert seventh_check in board.legal_moves and board.parse_uci("f7f6") not in [one.move for one in refused]
    assert board.refused_moves() == [] == board.refused_moves("axf")
    with pytest.raises(ValueError, match="no ruleset"):
        board.refused_moves("club")
