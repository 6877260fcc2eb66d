"""Drives `alfil engine` with python-chess, an independent client: play, analysis, every limit, random positions.

Usage: python_chess.py ALFIL [POSITIONS]. python-chess has a licence of its own (GPL); it is run as a separate program.
"""

import random
import sys

import chess
import chess.engine

# A search obeys a stop once its first root move has a score; see docs/gui/guis.md.
MIN_NODES, MAX_DEPTH_1_NODES = 256, 2_000


def node_bound(info, limit):
    """Returns the maximum number of nodes of a search with a node limit."""
    nodes = max(limit, MIN_NODES)
    return MAX_DEPTH_1_NODES if info["depth"] <= 1 else nodes + nodes // 256 + 1


def random_positions(count, seed=7):
    """Returns positions of random games that are not over."""
    source, positions = random.Random(seed), []
    while len(positions) < count:
        board = chess.Board()
        for _ in range(source.randrange(160)):
            if board.is_game_over():
                break
            board.push(source.choice(list(board.legal_moves)))
        if not board.is_game_over():
            positions.append(board)
    return positions


def value(info):
    """Returns the score of a line as a number."""
    return info["score"].relative.score(mate_score=1_000_000)


def check_line(board, info, context):
    """Checks that a line has a score and a legal variation."""
    assert "score" in info, f"{context}: no score: {info}"
    position = board.copy(stack=False)
    for move in info["pv"]:
        assert move in position.legal_moves, f"{context}: {move} in {info}"
        position.push(move)


def check_play(engine, board, limit):
    """Checks one search of one line: a legal move that begins the last line."""
    result = engine.play(board, limit, info=chess.engine.INFO_ALL)
    context = f"{board.fen()} {limit}"
    assert result.move in board.legal_moves, context
    check_line(board, result.info, context)
    assert result.info["pv"][0] == result.move, f"{context}: {result.move} after {result.info}"
    if limit.nodes:
        assert result.info["nodes"] <= node_bound(result.info, limit.nodes), f"{context}: {result.info['nodes']} nodes"
    return result


def check_lines(engine, board, limit, lines, stop_after=None):
    """Checks an analysis with several lines: sorted, different, the first one is the best move."""
    context = f"{board.fen()} {limit} {lines} lines"
    with engine.analysis(board, limit, multipv=lines) as analysis:
        for info in analysis:
            if stop_after and info.get("depth", 0) >= stop_after:
                analysis.stop()
                break
        best = analysis.wait().move
        infos = analysis.multipv
    expected = min(lines, board.legal_moves.count())
    assert 0 < len(infos) <= expected, f"{context}: {infos}"
    for info in infos:
        check_line(board, info, context)
    values = [value(info) for info in infos]
    assert values == sorted(values, reverse=True), f"{context}: {values}"
    firsts = [info["pv"][0] for info in infos]
    assert len(set(firsts)) == len(firsts), f"{context}: {firsts}"
    assert best == firsts[0], f"{context}: {best} after {firsts}"


LIMITS = [
    chess.engine.Limit(depth=6),
    chess.engine.Limit(nodes=5_000),
    chess.engine.Limit(time=0.05),
    chess.engine.Limit(mate=2, depth=5),
    chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1),
    chess.engine.Limit(white_clock=3, black_clock=3, remaining_moves=20),
]


def check_uci(program, count):
    with chess.engine.SimpleEngine.popen_uci([program, "engine", "--game", "chess"]) as engine:
        board = chess.Board()
        for ply in range(60):
            board.push(check_play(engine, board, LIMITS[ply % len(LIMITS)] if ply < 12 else LIMITS[1]).move)
            if board.is_game_over():
                break
        for limit in LIMITS:
            check_lines(engine, chess.Board(), limit, 5)
        check_lines(engine, chess.Board(), None, 5, stop_after=7)
        check_lines(engine, chess.Board("7k/8/5K2/8/8/8/8/1R6 b - - 0 1"), chess.engine.Limit(depth=3), 5)
        # Finished games have a score too.
        for fen, score in [("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -1_000_000),
                           ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0)]:
            info = engine.analyse(chess.Board(fen), chess.engine.Limit(depth=2))
            assert value(info) == score, f"{fen}: {info}"
        for number, board in enumerate(random_positions(count)):
            for limit in [*(chess.engine.Limit(nodes=nodes) for nodes in (1, 300, 1_000)), chess.engine.Limit(time=0.01)]:
                check_play(engine, board, limit)
                if number % 3 == 0:
                    check_lines(engine, board, limit, 5)


def check_cecp(program, count):
    with chess.engine.SimpleEngine.popen_xboard([program, "engine", "--game", "chess"]) as engine:
        engine.configure({"MoveOverhead": 10, "SkillLevel": 10, "Ruleset": "axf"})
        limits = [chess.engine.Limit(depth=5), chess.engine.Limit(time=1, depth=4),
                  chess.engine.Limit(white_clock=3, black_clock=3, white_inc=1, black_inc=1)]
        board = chess.Board()
        for ply in range(30):
            limit = limits[ply] if ply < len(limits) else limits[0]
            board.push(check_play(engine, board, limit).move)
            if board.is_game_over():
                break
        info = engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
        check_line(chess.Board(), info, "CECP analysis")
        for board in random_positions(count // 5):
            check_play(engine, board, chess.engine.Limit(depth=2))


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    check_uci(program, count)
    check_cecp(program, count)
    print(f"python-chess {chess.__version__}: {count} positions over UCI, {count // 5} over CECP, no fault")


if __name__ == "__main__":
    main()
