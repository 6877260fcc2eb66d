"""Measures Alfil beside python-chess and pyffish in one run, and prints a table in Markdown.

python-chess and pyffish are under the GPL; they run beside Alfil and are never shipped.
"""

import io
import random
import time

import chess as python_chess
import chess.pgn
import pyffish

import alfil

# The repetitions of a measurement, whose best one counts.
ROUNDS = 5


def rate(work, count):
    """Returns how often a second `work` does one of its `count` things."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return count / best


def random_fens(board_type, count, seed=5):
    """Returns positions of random games."""
    source, fens = random.Random(seed), []
    while len(fens) < count:
        board = board_type()
        for _ in range(source.randrange(10, 80)):
            if not board.legal_moves:
                break
            board.push(source.choice(board.legal_moves))
        fens.append(board.fen())
    return fens


def random_pgn(games, seed=6):
    """Returns games of 80 random plies as PGN."""
    source, texts = random.Random(seed), []
    for _ in range(games):
        board = alfil.chess.Board()
        for _ in range(80):
            if not board.legal_moves:
                break
            board.push(source.choice(board.legal_moves))
        texts.append(alfil.Game.from_board(board).pgn())
    return "\n".join(texts)


def list_moves(boards):
    """Lists the legal moves of every board."""
    for board in boards:
        list(board.legal_moves)


def push_and_pop(boards):
    """Plays every legal move of every board and takes it back."""
    for board in boards:
        for move in list(board.legal_moves):
            board.push(move)
            board.pop()


def read_with_python_chess(pgn):
    """Reads all games."""
    file = io.StringIO(pgn)
    while chess.pgn.read_game(file):
        pass


def read_with_alfil(pgn):
    """Reads all games and makes their moves."""
    for game in alfil.read_games(pgn):
        game.mainline_moves()


def main():
    fens, pgn = random_fens(alfil.chess.Board, 200), random_pgn(60)
    xiangqi_fens = random_fens(alfil.xiangqi.Board, 200)
    ours, theirs = [alfil.chess.Board(fen) for fen in fens], [python_chess.Board(fen) for fen in fens]
    moves = sum(len(board.legal_moves) for board in ours)
    megabytes = len(pgn) / 1e6
    rows = [
        ("legal moves of a board, positions/s", rate(lambda: list_moves(ours), len(ours)), rate(lambda: list_moves(theirs), len(theirs)), None),
        (
            "legal moves of a FEN, positions/s",
            rate(lambda: list_moves([alfil.chess.Board(fen) for fen in fens]), len(fens)),
            rate(lambda: list_moves([python_chess.Board(fen) for fen in fens]), len(fens)),
            rate(lambda: [pyffish.legal_moves("chess", fen, []) for fen in fens], len(fens)),
        ),
        (
            "the same for xiangqi",
            rate(lambda: list_moves([alfil.xiangqi.Board(fen) for fen in xiangqi_fens]), len(xiangqi_fens)),
            None,
            rate(lambda: [pyffish.legal_moves("xiangqi", fen, []) for fen in xiangqi_fens], len(xiangqi_fens)),
        ),
        ("`legal_move_counts`, positions/s", rate(lambda: alfil.chess.legal_move_counts(ours), len(ours)), None, None),
        ("push and pop, moves/s", rate(lambda: push_and_pop(ours), moves), rate(lambda: push_and_pop(theirs), moves), None),
        ("SAN of a move, moves/s", rate(lambda: [board.san(move) for board in ours for move in board.legal_moves], moves), rate(lambda: [board.san(move) for board in theirs for move in board.legal_moves], moves), None),
        ("PGN read, MB/s", rate(lambda: read_with_alfil(pgn.encode()), megabytes), rate(lambda: read_with_python_chess(pgn), megabytes), None),
        ("perft(4), leaves/s", rate(lambda: alfil.chess.Board().perft(4), 197_281), None, None),
    ]
    print(f"| chess | alfil {alfil.__version__} | python-chess {python_chess.__version__} | pyffish {'.'.join(map(str, pyffish.version()))} |")
    print("|---|---:|---:|---:|")
    for name, *values in rows:
        cells = ["–" if value is None else f"{value:,.1f}" if value < 100 else f"{value:,.0f}" for value in values]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
