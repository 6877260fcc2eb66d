"""No input crashes the interpreter: every text argument gets arbitrary texts, and boards leak no memory."""

import gc
import pickle
import random
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import alfil
from alfil import chess, othello, xiangqi

GAMES = [chess, othello, xiangqi]

# What the package may raise for a wrong value; anything else, and a panic above all, is a fault.
ALLOWED = (ValueError, TypeError, IndexError, OverflowError)

FENS = [module.STARTING_FEN for module in GAMES] + ["8/8/8/8/8/8/8/8 w - - 0 1", "9/9/9/9/9/9/9/9/9/9 w", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"]
MOVES = ["e2e4", "O-O", "Nbd7", "e8=Q+", "炮二平五", "C2.5", "h2e2", "f5", "pass", "0000", "--", "前车平六", "R+.3", "a10b10"]


def mutated(samples):
    """Texts that are nearly valid: a sample with a part replaced."""

    def replace(sample, start, length, part):
        start %= len(sample) + 1
        return sample[:start] + part + sample[start + length :]

    parts = st.text(max_size=6) | st.sampled_from(["9" * 30, "-1", "kK", "/", " ", "\0", "é", "帅"])
    return st.builds(replace, st.sampled_from(samples), st.integers(0, 200), st.integers(0, 6), parts)


texts = st.text(max_size=60)
fens, moves = texts | mutated(FENS), texts | mutated(MOVES)
common = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def attempt(call, *arguments, **keywords):
    """Calls a function; an exception for a wrong value is allowed."""
    try:
        return call(*arguments, **keywords)
    except ALLOWED:
        return None


@common
@given(fens, st.lists(texts, max_size=2))
def test_positions(text, names):
    for module in GAMES:
        attempt(module.Board, text, waive=names)
        board = attempt(module.Board, text, waive=["all"])
        if board is not None:
            assert module.Board(board.fen(), waive=["all"]) == board
            for move in board.legal_moves:
                board.push(move)
                board.pop()
            str(board), board.svg(), board.unicode(), attempt(board.outcome), hash(board), board.planes()
            assert pickle.loads(pickle.dumps(board)) == board
        for call in (module.Board.from_epd, module.Board.issues, module.Board().set_fen, module.parse_square):
            attempt(call, text)
        attempt(module.legal_move_counts, [text])
        attempt(module.planes, [text])


@common
@given(moves, texts)
def test_moves(text, notation):
    for module in GAMES:
        board = module.Board()
        move = attempt(module.Move, text)
        if move is not None:
            assert module.Move(str(move)) == move
            for call in (board.push, board.uci, board.san, board.is_legal, board.is_capture, board.gives_check):
                attempt(call, move)
            attempt(board.format, move, notation)
            attempt(board.format_line, [move, move], notation)
        for call in (board.parse, board.parse_san, board.parse_uci, board.push_san, board.push_uci, board.push_text):
            attempt(call, text)
            attempt(module.Board().parse, text, notation)
        attempt(board.piece_at, text)


@common
@given(st.binary(max_size=200) | texts.map(lambda text: text.encode("utf-8", "replace")), texts)
def test_files(data, name):
    heads = [b"", b"[DhtmlXQ]", b"XQ\x12", b"CCBridge Record\0", b"CCBridgeLibrary\0", b"(;GM[2]", b"(;GM[Othello]", b"[Event \"?\"]\n\n1. e4 "]
    for head in heads:
        for game in attempt(lambda: list(alfil.read_games(head + data))) or []:
            attempt(game.pgn), attempt(lambda: game.nodes), attempt(game.end), game.warnings, repr(game)
    attempt(alfil.read_games, b"", name)
    attempt(alfil.write_games, alfil.read_games(b"1. e4"), name)
    attempt(alfil.Game.from_board, chess.Board(), {name: name}, name)


@common
@given(fens, texts, st.integers(-2, 100))
def test_setups_and_squares(fen, text, number):
    for module in GAMES:
        setup = attempt(module.Setup, fen)
        if setup is not None:
            board = attempt(setup.board, waive=["all"])
            assert module.Setup(setup.fen()) == setup == setup.mirror().mirror() and len(setup.status()) == len(setup.issues())
            if board is not None:
                for square in module.SQUARES:
                    assert all(board.piece_at(found) for found in board.attackers(True, square))
                    board.attacks(square)
                attempt(board.remove_piece_at, number), attempt(board.set_piece_at, text, "K"), board.checkers()
                assert module.Board(board.fen(), waive=["all"]).status() == board.status()
                board.mirror(), board.copy(stack=abs(number)), attempt(board.epd, id=text, bm=list(board.legal_moves))
        setup = module.Setup()
        attempt(setup.set_piece_at, number, text), attempt(setup.set_piece_at, text, None), attempt(setup.remove_piece_at, text)
        attempt(setup.set_castling_fen, text), attempt(setup.set_ep_square, text), attempt(setup.set_ep_square, number)
        assert module.Setup(setup.fen()) == setup
        attempt(module.SquareSet, number), attempt(module.SquareSet, [text]), attempt(module.Piece, number, True), attempt(module.Piece, text)
        attempt(module.Move, number, number), attempt(module.Move, text, text, text), attempt(module.Move, number, number, number)
        board = module.Board()
        for options in ({"arrows": [(text, number)]}, {"arrows": [(0, 1, text)]}, {"check": text}, {"size": abs(number)}):
            attempt(board.svg, **options)


@common
@given(texts, moves, st.lists(st.integers(-1, 300), max_size=3), st.floats())
def test_trees_and_headers(text, move, numbers, seconds):
    for module in GAMES:
        game = attempt(alfil.Game, module.Board.game, text) or alfil.Game(module.Board.game)
        attempt(game.headers.__setitem__, text, text), attempt(game.headers.__setitem__, "Result", text)
        attempt(game.headers.__setitem__, "FEN", text), attempt(setattr, game, "comment", text)
        node = attempt(game.add_variation, move, comment=text, starting_comment=text) or game.root
        attempt(node.add_line, [move, move]), attempt(setattr, node, "nags", numbers), attempt(setattr, node, "clock", seconds)
        attempt(setattr, node, "eval", (text, 1)), attempt(setattr, node, "comment", text)
        written = attempt(game.pgn)
        twin = pickle.loads(pickle.dumps(game))
        assert attempt(twin.pgn) == written and twin.headers == game.headers
        # In records of Othello `--` is a pass, so that a null move is not read again.
        if written is not None and (module is not othello or "--" not in game.mainline_texts()):
            (again,) = alfil.read_games(written.encode("utf-8", "surrogatepass"), module.Board.game)
            assert again.mainline_texts() == game.mainline_texts() and again.result == game.result
        node.promote(), node.remove(), repr(game)


@common
@given(st.sampled_from(["Game", "Node", "Outcome", "PlayResult", "RefusedMove", "Report", "Ruling", "RulingPly", "Solution"]), st.lists(texts | st.integers(), max_size=6))
def test_pickled_results(name, state):
    attempt(alfil._alfil._restore, name, tuple(state))
    attempt(alfil._alfil._restore, "nonsense", tuple(state))


@common
@given(texts, st.integers(-5, 5), st.floats())
def test_arguments(text, number, seconds):
    board, engine = xiangqi.Board(), alfil.Engine(hash=1)
    for call in (board.judge, board.outcome, board.is_game_over, board.result):
        attempt(call, **({"rules": text}))
    attempt(board.judge, "axf", occurrences=number, notation=text, language=text)
    attempt(board.perft, number)
    attempt(chess.Board.from_chess960_pos, number)
    attempt(engine.analyse, board, depth=1, root_moves=[text])
    attempt(engine.analyse, board, depth=1, level=number, multipv=number)
    attempt(engine.analyse, board, depth=1, time=seconds, clock=seconds, increment=seconds)
    attempt(alfil.Engine, rules=text, evaluation=text, threads=number, hash=number)
    attempt(board.is_repetition, number)


def test_the_depth_of_a_perft_is_limited():
    for module in GAMES:
        for depth in (65, 100_000, 2**32 - 1):
            with pytest.raises(alfil.AlfilError, match="choose 0 to 64"):
                module.Board().perft(depth)


@common
@given(st.lists(st.integers(-1, 2**64)), fens, st.lists(texts, max_size=2))
def test_pickled_states(bits, fen, waived):
    for module in GAMES:
        attempt(module.Board().__setstate__, (fen, waived, bits))
        attempt(module.Board().__setstate__, (module.STARTING_FEN, [], bits))


def strange_fen(source, letters, ranks, files):
    """Returns a position with both kings and random pieces on random squares."""
    board = [[letters[0]] * files for _ in range(ranks)]
    squares = [(rank, file) for rank in range(ranks) for file in range(files)]
    pieces = ["K", "k"] + source.choices(letters[1:], k=source.randrange(20))
    for (rank, file), piece in zip(source.sample(squares, len(pieces)), pieces):
        board[rank][file] = piece
    return "/".join(map("".join, board)) + source.choice([" w", " b"])


def test_strange_positions_are_searched_and_judged():
    source, engine, accepted = random.Random(1), alfil.Engine(hash=1), 0
    for _ in range(300):
        for module, letters, ranks, files in [(chess, "1PNBRQpnbrq", 8, 8), (xiangqi, "1PNBRCApnbrca", 10, 9)]:
            board = attempt(module.Board, strange_fen(source, letters, ranks, files), waive=["all"])
            if board is None:
                continue
            accepted += 1
            engine.evaluate(board), engine.analyse(board, depth=2), board.outcome(), board.perft(2)
            if module is xiangqi:
                board.judge()
            for move in board.legal_moves:
                assert all(board.format(move, notation) for notation in board.notations)
    assert accepted > 50


def memory():
    """Returns the memory of the process in bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory is read from /proc")
def test_boards_leak_nothing(is_long):
    def make(count):
        for _ in range(count):
            board = xiangqi.Board()
            board.push_uci("h2e2")
            board.copy().legal_moves[0]
            attempt(board.push_uci, "h2e2")

    make(20_000)
    gc.collect()
    before = memory()
    make(1_000_000 if is_long else 100_000)
    gc.collect()
    # A board is more than 2 KiB, so that a leak of one in a hundred would show.
    assert memory() - before < (16 << 20 if is_long else 4 << 20)
