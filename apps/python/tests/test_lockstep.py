"""Random games in lockstep with independent programs: python-chess and pyffish."""

import random

import chess as python_chess
import pyffish
import pytest

from alfil import chess, othello, xiangqi

# The plies of a test, and those of a long one: 200,000 together.
CHESS_PLIES, LONG_CHESS_PLIES = 6_000, 70_000
CHESS960_PLIES, LONG_CHESS960_PLIES = 3_000, 50_000
XIANGQI_PLIES, LONG_XIANGQI_PLIES = 400, 50_000
OTHELLO_PLIES, LONG_OTHELLO_PLIES = 400, 30_000


def check_chess(ours, theirs):
    """Compares a position of both libraries."""
    context = theirs.fen()
    moves = {move.uci(): move for move in ours.legal_moves}
    assert moves.keys() == {move.uci() for move in theirs.legal_moves}, context
    assert ours.turn == theirs.turn and ours.is_check() == theirs.is_check(), context
    assert ours.is_checkmate() == theirs.is_checkmate() and ours.is_stalemate() == theirs.is_stalemate(), context
    assert ours.halfmove_clock == theirs.halfmove_clock and ours.fullmove_number == theirs.fullmove_number, context
    assert ours.is_insufficient_material() == theirs.is_insufficient_material(), context
    assert ours.is_repetition(3) == theirs.is_repetition(3), context
    if not theirs.chess960:
        assert ours.fen() == theirs.fen(en_passant="xfen"), context
        assert ours == chess.Board(theirs.fen(en_passant="legal")), context
    return moves


# Each so many positions the methods are compared that take python-chess long.
SLOW_CHECKS = 5


def check_reaches(ours, theirs, source):
    """Compares what programs for python-chess use beside moves: pieces, attacks, rights, claims, other boards."""
    context = theirs.fen()
    for square in chess.SQUARES:
        piece = theirs.piece_at(square)
        found = ours.piece_at(square)
        assert (found and (found.symbol(), found.piece_type, found.color)) == (
            piece and (piece.symbol(), piece.piece_type, piece.color)
        ), context
        assert set(ours.attacks(square)) == set(theirs.attacks(square)), (context, square)
        for color in (chess.WHITE, chess.BLACK):
            assert int(ours.attackers(color, square)) == int(theirs.attackers(color, square)), (context, square)
            assert ours.is_attacked_by(color, square) == theirs.is_attacked_by(color, square), (context, square)
    assert int(ours.checkers()) == int(theirs.checkers()) and ours.is_valid() and not ours.status(), context
    for color in (chess.WHITE, chess.BLACK):
        assert ours.king(color) == theirs.king(color), context
        assert ours.has_castling_rights(color) == theirs.has_castling_rights(color), context
        assert ours.has_kingside_castling_rights(color) == theirs.has_kingside_castling_rights(color), context
        assert ours.has_queenside_castling_rights(color) == theirs.has_queenside_castling_rights(color), context
        for piece_type in chess.PIECE_TYPES:
            assert int(ours.pieces(piece_type, color)) == int(theirs.pieces(piece_type, color)), context
    assert int(ours.castling_rights) == theirs.castling_rights, context
    assert ours.ep_square == (theirs.ep_square if theirs.has_pseudo_legal_en_passant() else None), context
    assert ours.has_legal_en_passant() == theirs.has_legal_en_passant(), context
    assert ours.can_claim_fifty_moves() == theirs.can_claim_fifty_moves(), context
    assert ours.can_claim_threefold_repetition() == theirs.can_claim_threefold_repetition(), context
    assert ours.can_claim_draw() == theirs.can_claim_draw(), context
    if theirs.chess960:
        return
    assert ours.mirror().fen() == theirs.mirror().fen(en_passant="xfen"), context
    kept = source.randrange(6)
    ours_copy, theirs_copy = ours.copy(stack=kept), theirs.copy(stack=kept)
    assert [move.uci() for move in ours_copy.move_stack] == [move.uci() for move in theirs_copy.move_stack], context
    line = theirs_copy.move_stack
    assert ours_copy.root().variation_san(ours_copy.move_stack) == theirs_copy.root().variation_san(line), context
    assert ours.epd(id="a b", acd=3) == theirs.epd(en_passant="xfen", id="a b", acd=3), context
    twin = python_chess.Board(None)
    setup = chess.Setup.empty()
    for square, piece in theirs.piece_map().items():
        twin.set_piece_at(square, piece)
        setup.set_piece_at(square, piece.symbol())
    assert setup.fen().split(" ")[0] == twin.board_fen(), context
    assert ours.board_fen() == theirs.board_fen(), context
    assert ours.is_fifty_moves() == theirs.is_fifty_moves(), context
    assert ours.is_seventyfive_moves() == theirs.is_seventyfive_moves(), context
    assert ours.is_fivefold_repetition() == theirs.is_fivefold_repetition(), context
    for move in ours.legal_moves:
        other = python_chess.Move.from_uci(move.uci())
        assert ours.is_kingside_castling(move) == theirs.is_kingside_castling(other), (context, move)
        assert ours.is_queenside_castling(move) == theirs.is_queenside_castling(other), (context, move)
        found = ours.find_move(move.from_square, move.to_square)
        assert found.uci() == theirs.find_move(move.from_square, move.to_square).uci(), (context, move)
        assert ours.find_move(move.from_square, move.to_square, move.promotion) == move, (context, move)
        assert ours.is_en_passant(move) == theirs.is_en_passant(python_chess.Move.from_uci(move.uci())), (context, move)


def play_chess(plies, chess960):
    """Plays random games of this number of plies together."""
    source, played = random.Random(960 if chess960 else 64), 0
    while played < plies:
        number = source.randrange(960) if chess960 else 518
        ours, theirs = chess.Board.from_chess960_pos(number), python_chess.Board.from_chess960_pos(number)
        theirs.chess960 = chess960
        while played < plies:
            moves = check_chess_960(ours, theirs) if chess960 else check_chess(ours, theirs)
            if played % SLOW_CHECKS == 0 or theirs.halfmove_clock >= 98:
                check_reaches(ours, theirs, source)
            outcome = theirs.outcome()
            assert ours.is_game_over() == (outcome is not None), theirs.fen()
            if outcome is not None:
                assert (ours.result(), ours.outcome().winner) == (outcome.result(), outcome.winner)
                break
            text = source.choice(sorted(moves))
            move = python_chess.Move.from_uci(text)
            san = theirs.san(move)
            assert ours.san(moves[text]) == san and ours.parse_san(san) == moves[text], (theirs.fen(), san)
            assert ours.is_capture(moves[text]) == theirs.is_capture(move), (theirs.fen(), san)
            assert ours.gives_check(moves[text]) == theirs.gives_check(move), (theirs.fen(), san)
            ours.push(moves[text])
            theirs.push(move)
            played += 1


def check_chess_960(ours, theirs):
    """Compares a position of Chess960, in which python-chess writes castling as the king capturing its rook."""
    written = {ours.format(move, "uci960"): move for move in ours.legal_moves}
    assert written.keys() == {move.uci() for move in theirs.legal_moves}, theirs.fen()
    assert ours.is_check() == theirs.is_check() and ours.halfmove_clock == theirs.halfmove_clock, theirs.fen()
    return written


def test_chess(is_long):
    play_chess(LONG_CHESS_PLIES if is_long else CHESS_PLIES, chess960=False)


def test_chess960(is_long):
    play_chess(LONG_CHESS960_PLIES if is_long else CHESS960_PLIES, chess960=True)


def to_flipello(move):
    """Converts a move to pyffish, which counts the ranks of Othello from below."""
    text = move.uci()
    return text if text == "pass" else f"P@{text[0]}{9 - int(text[1])}"


def flipello_fen(board):
    """Returns the position of a board as pyffish writes it."""
    pieces = board.piece_map()
    ranks = []
    for rank in range(8):
        line = "".join({"X": "p", "O": "P"}.get(pieces.get(8 * rank + file), "1") for file in range(8))
        for count in range(8, 1, -1):
            line = line.replace("1" * count, str(count))
        ranks.append(line)
    return f"{'/'.join(ranks)}[{64 * 'P'}{64 * 'p'}] {'b' if board.turn else 'w'} - - 0 1"


def check_xiangqi_attacks(board):
    """Compares attacks with the captures of pyffish: a piece that could capture attacks, and others only if pinned."""
    fen = board.fen()
    captures = {}
    for text in pyffish.legal_moves("xiangqi", fen, []):
        move = board.parse(text, "uci10")
        if board.piece_at(move.to_square):
            captures.setdefault(move.to_square, set()).add(move.from_square)
    for square in board.piece_map():
        if board.color_at(square) == board.turn:
            continue
        attackers = set(board.attackers(board.turn, square))
        assert captures.get(square, set()) <= attackers, (fen, square)
        for origin in attackers - captures.get(square, set()):
            # A move that leaves the own king in check: after it the other side attacks the king.
            after = board.setup()
            after.set_piece_at(square, after.remove_piece_at(origin))
            if after.piece_at(square) in ("K", "k") or "king_missing" in after.status():
                continue
            moved = after.board(waive=["all"])
            assert moved.is_attacked_by(not board.turn, moved.king(board.turn)), (fen, origin, square)


@pytest.mark.parametrize("variant", ["xiangqi", "flipello"])
def test_pyffish(variant, is_long):
    module = xiangqi if variant == "xiangqi" else othello
    short, long = (XIANGQI_PLIES, LONG_XIANGQI_PLIES) if module is xiangqi else (OTHELLO_PLIES, LONG_OTHELLO_PLIES)
    plies, played, source = (long if is_long else short), 0, random.Random(9)
    while played < plies:
        board = module.Board()
        while played < plies:
            if module is xiangqi:
                fen, written = board.fen(), {board.format(move, "uci10"): move for move in board.legal_moves}
            else:
                fen, written = flipello_fen(board), {to_flipello(move): move for move in board.legal_moves}
            theirs = set(pyffish.legal_moves(variant, fen, []))
            if module is othello and (not written or "pass" in written):
                # pyffish writes a pass as a move of a piece to its own square. It also passes where neither side can
                # move, as it knows of no earlier pass.
                assert all(move[:2] == move[2:] for move in theirs), (board.fen(), theirs)
                assert theirs or not written, board.fen()
            else:
                assert written.keys() == theirs, board.fen()
            if not written or len(board.move_stack) > 200:
                break
            if module is xiangqi:
                check_xiangqi_attacks(board)
            if module is xiangqi and played % 8 == 0:
                text = source.choice(sorted(written))
                after = pyffish.get_fen(variant, fen, [text])
                board.push(written[text])
                assert board.fen().split()[:2] == after.split()[:2], fen
                gives_check = pyffish.gives_check(variant, after, [])
                assert board.is_check() == gives_check, after
            else:
                board.push(source.choice(board.legal_moves))
            played += 1
