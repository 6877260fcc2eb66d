"""The boards: moves, notations, copies, comparison, pictures."""

import copy
import pickle
import random

import pytest

import alfil
from alfil import chess, othello, xiangqi

GAMES = [chess, othello, xiangqi]


def random_board(module, plies, seed):
    """Returns a board after random legal moves."""
    source, board = random.Random(seed), module.Board()
    for _ in range(plies):
        moves = board.legal_moves
        if not moves:
            break
        board.push(source.choice(moves))
    return board


@pytest.mark.parametrize("module", GAMES)
def test_moves_are_taken_back(module):
    for seed in range(20):
        board, fens = module.Board(), []
        for _ in range(60):
            if not board.legal_moves:
                break
            fens.append(board.fen())
            board.push(random.Random(seed).choice(board.legal_moves))
        assert board.ply() == len(board.move_stack) == len(fens)
        for fen in reversed(fens):
            last = board.peek()
            assert board.pop() == last
            assert board.fen() == fen
        assert board == module.Board() == module.Board(board.fen())
        with pytest.raises(IndexError):
            board.pop()
        with pytest.raises(IndexError):
            board.peek()


@pytest.mark.parametrize("module", GAMES)
def test_moves_are_read_in_every_notation(module):
    for seed in range(10):
        board = random_board(module, 5 + 4 * seed, seed)
        for move in board.legal_moves:
            assert board.parse_uci(board.uci(move)) == board.parse_san(board.san(move)) == move
            assert module.Move.from_uci(move.uci()) == move and move in board.legal_moves
            for notation in board.notations:
                assert board.parse(board.format(move, notation), notation) == move
                if notation == board.notations[0]:
                    assert board.parse(board.format(move, notation)) == move
        line = [board.legal_moves[0]] if board.legal_moves else []
        assert board.format_line(line) == [board.san(move) for move in line]


@pytest.mark.parametrize("module", GAMES)
def test_copies_and_pickles_are_equal_and_independent(module):
    board = random_board(module, 30, 3)
    twins = [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        twins.append(pickle.loads(pickle.dumps(board, protocol)))
    for twin in twins:
        assert twin == board and hash(twin) == hash(board) and twin.move_stack == board.move_stack
        twin.pop()
        assert twin != board and twin.ply() == 29
    assert len(board.move_stack) == 30
    bare = board.copy(stack=False)
    assert bare == board and bare.move_stack == []
    assert board.root() == module.Board()
    assert (board == 1) is False and (board != None) is True  # noqa: E711
    with pytest.raises(TypeError):
        board < board  # noqa: B015
    move = board.peek()
    assert pickle.loads(pickle.dumps(move)) == move and hash(copy.deepcopy(move)) == hash(move)
    # The twins have lost a move.
    assert len({board, *twins, board.copy()}) == 2


def test_null_moves_pass_the_turn():
    board = chess.Board()
    board.push(chess.Move.null())
    assert not board.turn and not board.peek() and board.peek().uci() == "0000"
    board.push_uci("0000")
    board.push_san("--")
    assert board.turn is False and board.copy() == pickle.loads(pickle.dumps(board))
    board = chess.Board("4k3/8/8/8/7b/8/8/4K3 w - - 0 1")
    assert board.is_check()
    with pytest.raises(alfil.IllegalMoveError):
        board.push(chess.Move.null())
    # The side not to move is in check.
    board = chess.Board("4k3/8/8/4R3/8/8/8/3K4 w - - 0 1", waive=["opponent_in_check"])
    with pytest.raises(alfil.IllegalMoveError):
        board.push(chess.Move.null())
    assert board.turn and board.ply() == 0


def test_a_copy_waives_no_more_issues_than_its_board():
    impossible = "4k3/8/8/4R3/8/8/8/3K4 w - - 0 1"
    for board in (chess.Board(), chess.Board().copy(stack=False), chess.Board().root()):
        with pytest.raises(alfil.InvalidPositionError):
            board.set_fen(impossible)
    chess.Board(waive=["opponent_in_check"]).copy(stack=False).set_fen(impossible)


def test_castling_is_written_as_uci_does():
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    castling = board.parse_san("O-O")
    assert castling == chess.Move("e1g1") and castling in board.legal_moves and board.is_castling(castling)
    assert board.push_uci("e1g1") == board.pop() == castling
    board.push(castling)
    assert board.piece_at("f1") == "R" and board.piece_at(6) == "K"
    assert board.move_stack == [castling]
    # Castling may also be given as the king captures its rook.
    board.pop()
    other_form = chess.Move("e1h1")
    assert other_form in board.legal_moves and board.is_legal(other_form) and chess.Move("e1e3") not in board.legal_moves
    board.push(other_form)
    assert board.move_stack == [castling]
    assert "1. O-O *" in alfil.Game.from_board(board).pgn()
    other = chess.Board.from_chess960_pos(0)
    assert other.fen().startswith("bbqnnrkr/")
    with pytest.raises(alfil.AlfilError):
        chess.Board.from_chess960_pos(960)


def test_a_capture_en_passant_counts_if_it_is_legal():
    # The pawn that could capture is pinned, so that the positions and their texts are the same.
    pinned = chess.Board("2n5/p5k1/1qpB4/1P1R1r2/6Bp/R3n2P/1K3N1N/8 b - - 0 45")
    pinned.push_uci("a7a5")
    plain = chess.Board("2n5/6k1/1qpB4/pP1R1r2/6Bp/R3n2P/1K3N1N/8 w - - 0 46")
    assert pinned == plain and hash(pinned) == hash(plain) and pinned.fen() == plain.fen()
    free = chess.Board("4k3/p7/8/1P6/8/8/8/4K3 b - - 0 1")
    free.push_uci("a7a5")
    assert free != chess.Board("4k3/8/8/pP6/8/8/8/4K3 w - - 0 2")


def test_errors_have_a_reason():
    board = chess.Board()
    for text, kind, part in [
        ("e5", alfil.IllegalMoveError, "e5"),
        ("e2e5", alfil.IllegalMoveError, "e2e5"),
        ("hello", alfil.InvalidMoveError, "hello"),
    ]:
        with pytest.raises(kind, match=part):
            board.push_san(text)
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", waive=[])
    with pytest.raises(alfil.AmbiguousMoveError):
        chess.Board("4k3/8/8/8/8/8/4K3/R6R w - - 0 1").parse_san("Rd1")
    with pytest.raises(alfil.IllegalMoveError, match="as uci10"):
        xiangqi.Board().parse_uci("h3e3")
    with pytest.raises(alfil.InvalidPositionError, match="byte 1"):
        chess.Board("nonsense")
    with pytest.raises(alfil.InvalidPositionError):
        chess.Board("8/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(alfil.AlfilError, match="waived"):
        chess.Board(waive=["nonsense"])
    assert [issue[2] for issue in chess.Board.issues("8/8/8/8/8/8/8/8 w - - 0 1")]
    fen = board.fen()
    with pytest.raises(alfil.AlfilError):
        board.set_fen("nonsense")
    assert board.fen() == fen


def test_epd_operations_are_read():
    board, operations = chess.Board.from_epd('1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";')
    assert operations == {"bm": ["Qd1+"], "id": ["BK.01"]}
    assert board.turn is chess.BLACK and board.parse_san("Qd1+")


def test_the_end_of_a_game_has_a_cause():
    board = chess.Board()
    for move in ["f3", "e5", "g4", "Qh4#"]:
        assert not board.is_game_over()
        board.push_san(move)
    outcome = board.outcome()
    assert (outcome.termination, outcome.winner, outcome.result()) == ("checkmate", chess.BLACK, "0-1")
    assert board.is_checkmate() and not board.is_stalemate() and board.result() == "0-1"
    board = chess.Board()
    for _ in range(2):
        for move in ["Nf3", "Nf6", "Ng1", "Ng8"]:
            board.push_san(move)
    assert board.outcome() is None and board.is_repetition()
    assert board.outcome(claim_draw=True).termination == "threefold"
    board = xiangqi.Board("3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1")
    assert board.is_checkmate() == (not board.legal_moves)
    assert othello.Board().discs() == (2, 2)


def test_every_board_has_pictures_and_texts():
    for module in GAMES:
        board = random_board(module, 8, 1)
        assert board._repr_svg_().startswith("<svg") and board.svg() == board._repr_svg_()
        assert str(board).isascii() and len(board.unicode().splitlines()) == len(str(board).splitlines())
        assert eval(repr(board), {"Board": module.Board}) == board
        pieces = board.piece_map()
        assert all(board.piece_at(square) == letter for square, letter in pieces.items())
        assert all(board.piece_at(module.square_name(square)) == letter for square, letter in pieces.items())
        assert [module.parse_square(name) for name in module.SQUARE_NAMES] == list(module.SQUARES)
        with pytest.raises(alfil.AlfilError):
            board.piece_at("z9")
        with pytest.raises(alfil.AlfilError):
            board.piece_at(1000)
        with pytest.raises(alfil.AlfilError):
            module.square_name(1000)


def test_legal_moves_are_a_sequence():
    moves = chess.Board().legal_moves
    assert len(moves) == moves.count() == 20 and moves[-1] == list(moves)[-1] and bool(moves)
    assert chess.Move("e2e4") in moves and chess.Move("e2e5") not in moves and 7 not in moves
    with pytest.raises(IndexError):
        moves[20]
    move = chess.Move("e7e8q")
    assert (chess.square_name(move.from_square), chess.square_name(move.to_square), move.promotion) == ("e7", "e8", chess.QUEEN)
    assert sorted([chess.Move("b1c3"), chess.Move("a2a3")]) == sorted([chess.Move("a2a3"), chess.Move("b1c3")])


def test_arrays_hold_the_positions():
    import numpy

    for module in GAMES:
        boards = [random_board(module, plies, plies) for plies in range(12)]
        counts = module.legal_move_counts(boards, threads=2)
        assert counts.dtype == numpy.uint32
        assert list(counts) == [len(board.legal_moves) for board in boards]
        assert list(module.legal_move_counts([board.fen() for board in boards])) == list(counts)
        planes = module.planes(boards)
        assert planes.shape[:2] == (12, len(module.PIECE_LETTERS) + 1) and planes.dtype == numpy.uint8
        for board, array in zip(boards, planes):
            assert (array == board.planes()).all() and (array[-1] == board.turn).all()
            flat = array.reshape(len(array), -1)
            found = {int(square): module.PIECE_LETTERS[plane] for plane, square in zip(*flat[:-1].nonzero())}
            assert found == board.piece_map()
        assert module.planes([]).shape[0] == 0 and len(module.legal_move_counts([])) == 0


def test_arrays_need_no_numpy(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "numpy", None)
    counts = chess.legal_move_counts([chess.STARTING_FEN] * 2)
    assert counts.tolist() == [20, 20]
    assert chess.Board().planes().shape == (13, 8, 8)
    assert chess.planes([]).nbytes == 0
