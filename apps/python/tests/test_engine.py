"""The engine in this process: analysis, play, limits, stopping, signals, threads."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

import alfil
from alfil import chess, othello, xiangqi


@pytest.fixture
def engine():
    """Returns an engine that is closed after the test."""
    with alfil.Engine(hash=4) as engine:
        yield engine


@pytest.mark.parametrize("module", [chess, othello, xiangqi])
def test_reports_have_legal_lines(engine, module):
    board = module.Board()
    reports = list(engine.analysis(board, depth=6))
    assert [report.depth for report in reports] == sorted(report.depth for report in reports)
    for report in reports:
        copy = board.copy()
        for move in report.pv:
            copy.push(move)
        assert report.nodes > 0 and report.time >= 0 and report.nps >= 0
    assert engine.play(board, alfil.Limit(depth=4)).move in board.legal_moves
    assert board == module.Board()


def test_a_mate_is_found(engine):
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    report = engine.analyse(board, depth=4)
    assert report.mate == 1 and board.san(report.pv[0]) == "Ra8#"
    board.push(report.pv[0])
    with pytest.raises(alfil.AlfilError, match="no legal move"):
        engine.play(board, depth=4)
    assert engine.analyse(board, depth=4).pv == []
    board = xiangqi.Board("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1")
    assert engine.analyse(board, depth=6).mate > 0


def test_several_lines_are_sorted(engine):
    lines = engine.analyse(chess.Board(), depth=5, multipv=4)
    assert [line.multipv for line in lines] == [1, 2, 3, 4]
    assert len({line.pv[0] for line in lines}) == 4
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    only = engine.play(chess.Board(), depth=3, root_moves=[chess.Move("a2a3"), "h2h3"]).move
    assert only.uci() in ("a2a3", "h2h3")


def test_a_limit_of_zero_is_refused(engine):
    for name in ("depth", "nodes", "mate", "multipv"):
        with pytest.raises(alfil.AlfilError, match=f"{name}=0: expected a number above 0"):
            engine.analyse(chess.Board(), time=1, **{name: 0})


def test_an_analysis_is_stopped(engine):
    with engine.analysis(chess.Board()) as analysis:
        for report in analysis:
            if report.depth >= 3:
                analysis.stop()
        assert analysis.best_move in chess.Board().legal_moves and analysis.lines[0].depth >= 3
        assert analysis.wait() == analysis.best_move
    running = engine.analysis(xiangqi.Board())
    next(running)
    engine.stop()
    assert running.wait() in xiangqi.Board().legal_moves


def test_time_and_levels_are_limits(engine):
    start = time.monotonic()
    engine.analyse(chess.Board(), time=0.2)
    assert time.monotonic() - start < 5
    move = engine.play(chess.Board(), depth=3, level=1, seed=1).move
    assert move == engine.play(chess.Board(), depth=3, level=1, seed=1).move
    engine.play(chess.Board(), clock=1.0, increment=0.01)
    # A level below the highest one is a limit alone.
    assert engine.play(xiangqi.Board(), level=3).move in xiangqi.Board().legal_moves
    with pytest.raises(alfil.AlfilError, match="a level below 10"):
        engine.play(xiangqi.Board(), level=10)


def test_a_limit_is_given_once(engine):
    with pytest.raises(TypeError, match="depth is given twice"):
        engine.play(chess.Board(), alfil.Limit(depth=3), depth=5)
    assert len(engine.analyse(chess.Board(), alfil.Limit(depth=2), multipv=2)) == 2


def test_a_closed_engine_refuses():
    with alfil.Engine(hash=1) as engine:
        engine.play(chess.Board(), depth=1)
    for call in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(alfil.AlfilError, match="the engine is closed"):
            call(chess.Board(), depth=1)
    with pytest.raises(alfil.AlfilError, match="the engine is closed"):
        engine.evaluate(chess.Board())


def analyse_depth(board):
    """Analyses a board in a process of its own."""
    return alfil.Engine(hash=1).analyse(board, depth=3)


def test_reports_come_back_from_other_processes():
    boards = [chess.Board(), xiangqi.Board(), othello.Board()]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        reports = pool.map(analyse_depth, boards)
    for board, report in zip(boards, reports):
        again = alfil.Engine(hash=1).analyse(board, depth=3)
        fields = ["multipv", "depth", "seldepth", "score", "bound", "mate", "nodes", "hashfull", "pv"]
        assert [getattr(report, name) for name in fields] == [getattr(again, name) for name in fields]


def test_results_are_pickled(engine):
    played = engine.play(chess.Board(), depth=2)
    twin = pickle.loads(pickle.dumps(played))
    assert (twin.move, twin.report.pv, twin.report.time) == (played.move, played.report.pv, played.report.time)
    solution = othello.Board("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X").solve()
    twin = pickle.loads(pickle.dumps(solution))
    assert (twin.score, twin.pv, twin.nodes, twin.best_move) == (18, solution.pv, solution.nodes, solution.best_move)
    assert pickle.loads(pickle.dumps(alfil.Limit(depth=3))) == alfil.Limit(depth=3)


def test_bad_arguments_are_refused(engine):
    board = chess.Board()
    for arguments in [{}, {"mate": 3}, {"time": -1}, {"time": float("nan")}, {"level": 0, "depth": 1}]:
        with pytest.raises(alfil.AlfilError):
            engine.analyse(board, **arguments)
    with pytest.raises(TypeError, match="deep"):
        engine.analyse(board, deep=3)
    with pytest.raises(TypeError):
        engine.analyse("startpos", depth=1)
    with pytest.raises(alfil.AlfilError, match="depth=-1"):
        engine.analyse(board, depth=-1)
    with pytest.raises(alfil.AlfilError):
        engine.analyse(board, depth=1, root_moves=["e2e5"])
    for arguments in [{"root_moves": []}, {"increment": 1.0}, {"moves_to_go": 3}]:
        with pytest.raises(ValueError):
            engine.analyse(board, depth=1, **arguments)
    nonsense = [{"rules": "nonsense"}, {"evaluation": "nonsense"}]
    for arguments in [*nonsense, {"threads": 0}, {"threads": 10**6}, {"hash": 10**12}]:
        with pytest.raises(alfil.AlfilError):
            alfil.Engine(**arguments)
    with pytest.raises(alfil.AlfilError):
        alfil.Engine(evaluation=b"nonsense").analyse(xiangqi.Board(), depth=1)


def test_the_history_counts(engine):
    board = chess.Board("7k/8/8/8/8/8/q7/7K w - - 0 1")
    for text in "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1".split():
        board.push_uci(text)
    # The move repeats the first position for the third time.
    again = {"depth": 2, "root_moves": ["g8h8"]}
    assert engine.analyse(board, **again).score == 0
    assert engine.analyse(board.copy(stack=False), **again).score > 100


def test_the_hand_made_terms_are_another_evaluation(engine):
    board = chess.Board("7k/8/8/8/8/8/q7/7K w - - 0 1")
    assert engine.evaluate(board) < 0
    terms = alfil.Engine(evaluation="terms", hash=1)
    assert terms.evaluate(board) < 0 and terms.evaluate(board) != engine.evaluate(board)


def test_a_report_has_the_bound_of_its_score(engine):
    # The solver reports lower bounds before the exact score.
    board = othello.Board("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")
    reports = list(engine.analysis(board, depth=20))
    assert {report.bound for report in reports} == {"lower", "exact"}
    assert (reports[-1].bound, reports[-1].score) == ("exact", 1800)


def test_all_threads_that_wait_get_the_best_move(engine):
    for _ in range(20):
        analysis = engine.analysis(chess.Board(), nodes=3_000)
        found = []
        threads = [threading.Thread(target=lambda: found.append(analysis.wait())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4 and None not in found and len(set(map(str, found))) == 1, found


def test_other_threads_run_meanwhile(engine):
    counter, is_over = [0], threading.Event()

    def count():
        while not is_over.is_set():
            counter[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counter[0]
    engine.analyse(chess.Board(), time=0.3)
    chess.Board().perft(5)
    is_over.set()
    thread.join()
    assert counter[0] - before > 1_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize(
    "work",
    [
        "alfil.Engine().analyse(alfil.chess.Board(), depth=200)",
        "alfil.chess.Board().perft(12)",
        "alfil.othello.Board().solve()",
        "list(alfil.Engine().analysis(alfil.xiangqi.Board()))",
    ],
)
def test_an_interrupt_ends_long_work(work):
    program = f"import alfil\nprint('ready', flush=True)\ntry:\n    {work}\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
    # Python handles the signal only if it is not ignored, as it is in jobs that a shell has put into the background.
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert (output, process.returncode) == ("interrupted\n", 0)
