"""What people who know python-chess use first: squares, pieces, attacks, setups, EPD, claims, pictures, pickles."""

import copy
import operator
import pickle
import random
import xml.etree.ElementTree

import numpy
import pytest

import alfil
from alfil import chess, othello, xiangqi

GAMES = [chess, othello, xiangqi]


def test_squares_and_pieces_have_names():
    assert (chess.A1, chess.E4, chess.H8, xiangqi.E0, xiangqi.I9, othello.A1, othello.F5) == (0, 28, 63, 4, 89, 0, 37)
    for module in GAMES:
        for name in module.SQUARE_NAMES:
            assert module.square_name(getattr(module, name.upper())) == name and name.upper() in module.__all__
        pieces = [module.Piece(letter) for letter in module.PIECE_LETTERS]
        assert [module.Piece(piece.piece_type, piece.color) for piece in pieces] == pieces
        assert [piece.symbol() for piece in pieces] == list(module.PIECE_LETTERS) and len(set(pieces)) == len(pieces)
        assert {piece.piece_type for piece in pieces} == set(module.PIECE_TYPES)
        for piece in pieces:
            assert module.Piece.from_symbol(str(piece)) == piece == eval(repr(piece), {"Piece": module.Piece})
            assert len(piece.unicode_symbol()) == 1 and type(pickle.loads(pickle.dumps(piece))) is module.Piece
        for wrong in ("?", "", 0, len(module.PIECE_TYPES) + 1):
            with pytest.raises(alfil.AlfilError):
                module.Piece(wrong, True)
    knight = chess.Board().piece_at(chess.B8)
    assert knight == "n" == chess.Piece(chess.KNIGHT, chess.BLACK) and type(knight) is chess.Piece
    assert (knight.piece_type, knight.color, knight.unicode_symbol()) == (chess.KNIGHT, chess.BLACK, "♞")
    assert xiangqi.Piece(xiangqi.CANNON, xiangqi.RED) == "C" and othello.Piece(othello.DISC, othello.WHITE) == "O"
    board = xiangqi.Board()
    assert board.color_at("e9") is xiangqi.BLACK and board.piece_type_at("e9") == xiangqi.KING
    assert board.color_at("e5") is None and board.piece_type_at("e5") is None


def test_sets_of_squares_are_sets():
    for module in GAMES:
        source, size = random.Random(4), len(module.SQUARES)
        for _ in range(50):
            ours, theirs = (set(source.sample(range(size), source.randrange(20))) for _ in range(2))
            first, second = module.SquareSet(ours), module.SquareSet(theirs)
            assert list(first) == sorted(ours) and len(first) == len(ours) and int(first) == sum(1 << n for n in ours)
            for name in ("union", "intersection", "difference", "symmetric_difference"):
                assert set(getattr(first, name)(second)) == getattr(ours, name)(theirs)
            assert set(first | second) == ours | theirs and set(first & second) == ours & theirs
            assert set(first - second) == ours - theirs and set(first ^ second) == ours ^ theirs
            assert set(~first) == set(range(size)) - ours and first.issubset(second) == ours.issubset(theirs)
            assert first.issuperset(second) == ours.issuperset(theirs) and first.isdisjoint(second) == ours.isdisjoint(theirs)
            assert bool(first) == bool(ours) and (first == second) == (ours == theirs) and first == int(first)
            assert first.tolist() == [square in ours for square in range(size)]
            for twin in (first.copy(), copy.copy(first), pickle.loads(pickle.dumps(first)), eval(repr(first), vars(module))):
                assert twin == first and type(twin) is module.SquareSet
                twin.add(0)
                twin.discard(1)
                assert 0 in twin and 1 not in twin and first == module.SquareSet(ours)
            first |= second
            first.update([0])
            assert set(first) == ours | theirs | {0}
        with pytest.raises(alfil.AlfilError):
            module.SquareSet([size])
        with pytest.raises(alfil.AlfilError):
            module.SquareSet(1 << size)
        with pytest.raises(KeyError):
            module.SquareSet().remove(0)
    corner = chess.SquareSet.from_square(chess.A1)
    assert "a1" in corner and "a2" not in corner and "z9" not in corner and None not in corner
    assert corner.pop() == chess.A1 and not corner and repr(chess.SquareSet(["e4"])) == "SquareSet(['e4'])"


def test_sets_of_squares_take_numbers_and_names_alike():
    for module in GAMES:
        names = module.SQUARE_NAMES
        others = [6, [1, 2], (2, 1), {1, 2}, frozenset([1, 2]), names[1:3], set(names[1:3]), module.SquareSet([1, 2])]
        others += [numpy.int64(6), [numpy.int32(1), numpy.uint8(2)], numpy.array([1, 2])]
        for other in others:
            for operate in (operator.or_, operator.and_, operator.sub, operator.xor):
                expected = operate({0, 1}, {1, 2})
                assert set(operate(module.SquareSet([0, 1]), other)) == expected
                changed = twin = module.SquareSet([0, 1])
                changed = getattr(operator, "i" + operate.__name__.strip("_"))(changed, other)
                assert set(changed) == expected and changed is twin
                reversed_ = operate(other, module.SquareSet([0, 1]))
                assert set(reversed_) == operate({1, 2}, {0, 1}) and type(reversed_) is module.SquareSet
            for compare in (operator.le, operator.lt, operator.ge, operator.gt, operator.eq, operator.ne):
                for squares in ([], [1], [1, 2], [0, 1, 2], [0, 1]):
                    assert compare(module.SquareSet(squares), other) is compare(set(squares), {1, 2})
            assert module.SquareSet([0, 3]).isdisjoint(other) and not module.SquareSet([2]).isdisjoint(other)
        assert module.SquareSet(numpy.int64(6)) == module.SquareSet([1, 2]) and numpy.int64(2) in module.SquareSet([2])
        assert module.SquareSet([1]) != ["nowhere"] and module.SquareSet() != None and module.SquareSet() != 1.5  # noqa: E711
        for wrong in (1.5, None):
            with pytest.raises(TypeError):
                module.SquareSet() | wrong
            with pytest.raises(TypeError):
                module.SquareSet() < wrong
        with pytest.raises(alfil.AlfilError):
            changed |= 1 << len(names)


def test_a_piece_needs_one_color():
    for module in GAMES:
        for letter in module.PIECE_LETTERS:
            color = module.Piece(letter).color
            assert module.Piece(letter, color) == letter
            with pytest.raises(alfil.AlfilError, match="color"):
                module.Piece(letter, not color)
        assert module.Piece(numpy.int64(1), True) == module.Piece(1, True)
        with pytest.raises(TypeError, match="needs a color"):
            module.Piece(1)
        with pytest.raises(TypeError, match="not NoneType"):
            module.Piece(None)


def test_moves_are_made_of_squares():
    assert chess.Move(chess.E2, chess.E4) == chess.Move("e2", "e4") == chess.Move("e2e4")
    promoted = chess.Move(chess.E7, chess.E8, chess.QUEEN)
    assert promoted == chess.Move("e7", "e8", promotion="q") == chess.Move("e7e8q") and promoted.promotion == chess.QUEEN
    assert xiangqi.Move(xiangqi.H2, xiangqi.E2) == xiangqi.Move("h2e2") and chess.Move("e2e4").promotion is None
    assert othello.Move(othello.F5) == othello.Move(None, othello.F5) == othello.Move("f5")
    for arguments in [(chess.E2,), (64, 0), ("e9", "e2"), (chess.E7, chess.E8, 9), (chess.E7, chess.E8, "x")]:
        with pytest.raises(alfil.AlfilError):
            chess.Move(*arguments)


def test_moves_and_squares_are_found():
    for module in GAMES:
        for square in module.SQUARES:
            assert module.square(module.square_file(square), module.square_rank(square)) == square
        with pytest.raises(alfil.AlfilError, match="no square"):
            module.square(9, 0)
        board = module.Board()
        for move in board.legal_moves:
            assert board.find_move(move.from_square, move.to_square) == move
        board.push(board.legal_moves[0])
        assert board.fen().startswith(board.board_fen()) and board.clear_stack() is None and not board.move_stack
    board = chess.Board("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert board.find_move("a7", "a8") == chess.Move("a7a8q") and board.find_move("a7", "a8", "n").promotion == chess.KNIGHT
    assert board.find_move("e1", "h1") == chess.Move("e1g1") and board.is_kingside_castling(chess.Move("e1g1"))
    assert board.is_queenside_castling(chess.Move("e1c1")) and not board.is_queenside_castling(chess.Move("e1g1"))
    with pytest.raises(alfil.IllegalMoveError):
        board.find_move("a7", "b8")


def test_attacks_and_pieces_are_found():
    board = chess.Board("4k3/8/8/8/4q3/8/3P4/R3K2R w KQ - 0 1")
    assert board.checkers() == chess.SquareSet([chess.E4]) and board.king(chess.WHITE) == chess.E1
    assert board.attackers(chess.WHITE, "d1") == chess.SquareSet(["a1", "e1"])
    assert board.is_attacked_by(chess.BLACK, chess.E1) and not board.is_attacked_by(chess.BLACK, "a1")
    assert board.pieces(chess.ROOK, chess.WHITE) == board.castling_rights == chess.SquareSet(["a1", "h1"])
    assert board.attacks("d2") == chess.SquareSet(["c3", "e3"]) and not board.attacks("a5")
    # The cannon attacks the first piece behind its screen.
    board = xiangqi.Board()
    assert board.attackers(xiangqi.RED, "b9") == xiangqi.SquareSet(["b2"]) and board.king(xiangqi.BLACK) == xiangqi.E9
    assert board.pieces(xiangqi.CANNON, xiangqi.BLACK) == xiangqi.SquareSet(["b7", "h7"])
    assert board.attacks("b2") >= xiangqi.SquareSet(["b9"])
    board = othello.Board()
    assert board.pieces(othello.DISC, othello.BLACK) == othello.SquareSet(["e4", "d5"])
    assert not board.attackers(True, "d3") and board.king(True) is None and not board.checkers()
    with pytest.raises(alfil.AlfilError, match="choose 1 to 6"):
        chess.Board().pieces(7, True)


def test_rights_of_chess_are_read():
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1")
    assert board.has_castling_rights(chess.WHITE) and board.has_castling_rights(chess.BLACK)
    assert board.has_queenside_castling_rights(chess.WHITE) and not board.has_kingside_castling_rights(chess.WHITE)
    assert board.has_kingside_castling_rights(chess.BLACK) and not board.has_queenside_castling_rights(chess.BLACK)
    board = chess.Board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    assert board.ep_square is None and not board.has_legal_en_passant()
    board.push_uci("d7d5")
    capture = board.parse_san("exd6")
    assert board.ep_square == chess.D6 and board.has_legal_en_passant() and board.is_en_passant(capture)
    assert not board.is_en_passant(board.parse_san("e6"))


def test_positions_are_set_up():
    board = chess.Board()
    board.push_san("e4")
    board.set_piece_at(chess.E4, None)
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" and not board.move_stack
    assert board.remove_piece_at("h8") == "r" and not board.has_kingside_castling_rights(chess.BLACK)
    before = board.fen()
    with pytest.raises(alfil.InvalidPositionError, match="no king"):
        board.remove_piece_at("e1")
    with pytest.raises(alfil.AlfilError, match="no piece"):
        board.set_piece_at("e4", "z")
    assert board.fen() == before
    board.set_piece_map({chess.E1: "K", chess.E8: "k", chess.A7: chess.Piece("P")})
    assert board.fen() == "4k3/P7/8/8/8/8/8/4K3 b - - 0 1"
    for module in GAMES:
        counted = module.Board()
        for _ in range(3):
            counted.push(counted.legal_moves[0])
        before = counted.fen().split()
        counted.set_piece_map(counted.piece_map())
        assert [counted.fen().split()[part] for part in (0, 1, -1)] == [before[part] for part in (0, 1, -1)]
        # The texts of Othello have no counters.
        assert counted.fullmove_number == (1 if module is othello else 2) and not counted.move_stack
        for wrong in ([], 7, None):
            with pytest.raises(TypeError, match="expected a mapping of squares to pieces"):
                counted.set_piece_map(wrong)
    setup = chess.Setup.empty()
    assert setup.status() == ["king_missing", "king_missing"] and not setup.is_valid() and setup.turn
    setup.set_piece_at("e1", "K")
    setup.set_piece_at(chess.E8, chess.Piece(chess.KING, chess.BLACK))
    setup.set_piece_at("h1", "R")
    setup.set_castling_fen("K")
    setup.turn = chess.BLACK
    assert setup.fen() == "4k3/8/8/8/8/8/8/4K2R b K - 0 1" and setup.is_valid() and setup.board().turn is chess.BLACK
    for twin in (setup.copy(), pickle.loads(pickle.dumps(setup)), eval(repr(setup), vars(chess)), setup.board().setup()):
        assert twin == setup and twin.piece_map() == {4: "K", 7: "R", 60: "k"}
        twin.clear()
        assert twin == chess.Setup.empty() != setup
    setup = chess.Setup("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1")
    setup.set_ep_square(chess.E3)
    assert setup.board().ep_square == chess.E3 and setup.piece_at("e4") == "P" and setup.remove_piece_at("e4") == "P"
    setup.set_ep_square(None)
    assert setup.is_valid() and chess.Board().is_valid() and chess.Board().status() == []
    waived = chess.Board("4k3/8/8/4R3/8/8/8/3K4 w - - 0 1", waive=["opponent_in_check"])
    assert waived.status() == ["opponent_in_check"] and not waived.is_valid()
    with pytest.raises(alfil.AlfilError, match="no castling"):
        xiangqi.Setup().set_castling_fen("K")


@pytest.mark.parametrize("module", GAMES)
def test_copies_keep_some_moves_and_mirrors_turn_the_board(module):
    source, board = random.Random(2), module.Board()
    for ply in range(20):
        for kept in (0, 1, 5, ply + 3):
            twin = board.copy(stack=kept)
            assert twin == board and twin.move_stack == board.move_stack[max(0, ply - kept) :]
        assert board.copy(stack=True).move_stack == board.move_stack and board.copy(stack=False).move_stack == []
        mirror = board.mirror()
        assert mirror.turn != board.turn and mirror.mirror().fen() == board.fen()
        assert len(mirror.legal_moves) == len(board.legal_moves) and mirror.is_check() == board.is_check()
        moves = board.legal_moves
        assert pickle.loads(pickle.dumps(moves))[0] == moves[0] and len(pickle.loads(pickle.dumps(moves))) == len(moves)
        board.push(source.choice(moves))


def test_epd_is_written_and_read_again():
    board = chess.Board()
    moves = [board.parse_san("e4"), board.parse_san("Nf3")]
    epd = board.epd(bm=moves, id="BK.01", acd=12, noop=None)
    assert epd == 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 Nf3; id "BK.01"; acd 12; noop;'
    again, operations = chess.Board.from_epd(epd)
    assert again == board and operations == {"bm": ["e4", "Nf3"], "id": ["BK.01"], "acd": ["12"], "noop": []}
    line = [board.parse_san("e4"), chess.Move("e7e5"), chess.Move("g1f3")]
    assert board.epd(pv=line, am=line[:1], c0=["a", "b"]).endswith('- pv e4 e5 Nf3; am e4; c0 "a" "b";')
    assert board.epd(**{"D_1-a": 20}).endswith(" D_1-a 20;")
    with pytest.raises(alfil.IllegalMoveError):
        board.epd(bm=line)
    with pytest.raises(alfil.IllegalMoveError):
        board.epd(pv=[chess.Move("e2e4"), chess.Move("d2d4")])
    for wrong in (xiangqi.Move("h2e2"), [othello.Move("f5")]):
        with pytest.raises(TypeError, match=r"chess\.Move\), not alfil\.\w+\.Move"):
            board.epd(bm=wrong)
    for name in ("", "1a", "a b", "a;", "_a", "é", 'a"'):
        with pytest.raises(alfil.AlfilError, match="no name of an EPD operation"):
            board.epd(**{name: 1})
    with pytest.raises(alfil.AlfilError, match="quote"):
        board.epd(id='a "quote"')
    with pytest.raises(alfil.IllegalMoveError):
        board.epd(bm=chess.Move("e2e5"))
    for module in GAMES:
        board = module.Board()
        board.push(board.legal_moves[0])
        again, operations = module.Board.from_epd(board.epd(c0="a remark", bm=board.legal_moves[0]))
        assert again.fen().split(" ")[:2] == board.fen().split(" ")[:2]
        assert operations == {"c0": ["a remark"], "bm": [board.san(board.legal_moves[0])]}


def test_draws_are_claimed():
    board = chess.Board("7k/8/8/8/8/8/q7/7K w - - 98 80")
    assert not board.can_claim_draw()
    board.push_uci("h1g1")
    assert board.can_claim_fifty_moves() and board.can_claim_draw() and not board.can_claim_threefold_repetition()
    board = chess.Board()
    for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
        assert not board.can_claim_threefold_repetition()
        board.push_san(text)
    # The move Ng8 brings the start position for the third time.
    assert board.can_claim_threefold_repetition() and not board.is_repetition() and len(board.move_stack) == 7
    board.push_san("Ng8")
    assert board.can_claim_threefold_repetition() and board.can_claim_draw() and not board.can_claim_fifty_moves()


def test_lines_are_numbered():
    board = chess.Board()
    moves = [board.push_san(text) for text in ("e4", "e5", "Nf3")]
    assert board.root().variation_san(moves) == "1. e4 e5 2. Nf3"
    assert chess.Board("4k3/8/8/8/8/8/8/4K2R b K - 0 7").variation_san([chess.Move("e8e7"), chess.Move("h1h7")]) == "7...Ke7 8. Rh7+"
    assert xiangqi.Board().variation_san([xiangqi.Move("h2e2")]) == "1. C2.5"
    with pytest.raises(alfil.IllegalMoveError):
        board.variation_san(moves)
    with pytest.raises(TypeError, match="alfil.chess.Move"):
        board.variation_san(["e4"])


@pytest.mark.parametrize("module", GAMES)
def test_pictures_have_size_side_arrows_and_marks(module):
    board = module.Board()
    plain = board.svg()
    move = board.legal_moves[0]
    board.push(move)
    pictures = [
        board.svg(),
        board.svg(size=200),
        board.svg(orientation=False),
        board.svg(arrows=[move]),
        board.svg(arrows=[("a1", "b3", "red"), (1, 1)]),
        board.svg(last_move=module.Move.null()),
        board.svg(check="b2"),
        board.svg(coordinates=False),
    ]
    assert len({plain, *pictures}) == 9
    for picture in pictures:
        assert xml.etree.ElementTree.fromstring(picture).tag.endswith("svg")
    assert xml.etree.ElementTree.fromstring(pictures[1]).get("width") == "200"
    assert pictures[4].count('"red"') == 2 and "<text" not in pictures[7] and "<text" in pictures[0]
    for arguments in [
        {"arrows": [("a1", "z9")]},
        {"arrows": [("a1", "b3", 'red" onload="x')]},
        {"arrows": [("a1",)]},
        {"check": "z9"},
        {"size": 0},
    ]:
        with pytest.raises(alfil.AlfilError):
            board.svg(**arguments)


def test_rulings_and_outcomes_are_pickled():
    board = xiangqi.Board("3k5/8R/9/9/9/9/9/9/9/4K4 w")
    for text in "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9".split():
        board.push_uci(text)
    ruling = board.judge("axf")
    twin = pickle.loads(pickle.dumps(ruling))
    assert twin == ruling and hash(twin) == hash(ruling) and str(twin) == str(ruling) and twin.plies == ruling.plies
    assert twin != board.judge("computer") and copy.deepcopy(ruling.plies[0]) == ruling.plies[0]
    outcome = board.outcome(rules="axf")
    assert pickle.loads(pickle.dumps(outcome)) == outcome == copy.copy(outcome) and len({outcome, copy.copy(outcome)}) == 1
    board = xiangqi.Board("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w")
    for text in "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9".split():
        board.push_uci(text)
    refused = board.refused_moves("tiantian")[0]
    twin = pickle.loads(pickle.dumps(refused))
    for name in ("move", "cause", "limit", "reason", "reason_zh"):
        assert getattr(twin, name) == getattr(refused, name)


def test_messages_are_of_python():
    for module in GAMES:
        board = module.Board()
        for call in (board.push, board.uci, board.san, board.is_legal, board.is_capture, board.gives_check):
            with pytest.raises(TypeError, match=rf"^expected a move \(alfil\.{board.game}\.Move\), not str") as error:
                call("e4")
            assert "r#" not in str(error.value)
        with pytest.raises(TypeError, match="'move'"):
            board.push()
        for wrong, message in [("all", "a list of names, not a text"), (7, "a list of names"), ([7], "a list of names")]:
            for call in (module.Board, module.Setup().board, lambda **names: module.Board.from_epd(board.fen(), **names)):
                with pytest.raises(TypeError, match=f"^argument 'waive': expected {message}$"):
                    call(waive=wrong)
        assert module.Board(waive=iter(["all"])) == module.Board(waive={"all"}) == board
        for wrong, error in [(7, TypeError), ("KK", alfil.AlfilError), ("", alfil.AlfilError)]:
            for call in (board.set_piece_at, module.Setup().set_piece_at, lambda *pair: board.set_piece_map(dict([pair]))):
                with pytest.raises(error, match="piece"):
                    call(0, wrong)
        engine = alfil.Engine(hash=1)
        for wrong in (-1, 2**70):
            with pytest.raises(alfil.AlfilError, match=str(wrong)):
                board.svg(size=wrong)
            with pytest.raises(alfil.AlfilError, match=str(wrong)):
                xiangqi.Board().judge("axf", occurrences=wrong)
            uses = [board.piece_at, board.attacks, module.square_name, board.perft, board.is_repetition]
            uses += [lambda number: board.pieces(number, True), lambda number: board.perft(1, threads=number)]
            uses += [lambda number: board.copy(stack=number), lambda number: alfil.Engine(threads=number)]
            uses += [lambda number, name=name: engine.play(board, **{"depth": 1, name: number}) for name in ("depth", "nodes", "level", "seed")]
            for use in uses:
                with pytest.raises(alfil.AlfilError, match=str(wrong)):
                    use(wrong)
