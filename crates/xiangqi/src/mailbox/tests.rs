use alloc::boxed::Box;
use alloc::vec::Vec;

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Waivers};

use super::tables::{
    ADVISOR_TARGETS, ELEPHANT_MOVES, FILE_ENDS, FILE_MASKS, HORSE_LEGS, HORSE_MOVES, IS_ON_BOARD,
    KING_TARGETS, RANK_ENDS, RANK_MASKS, SOLDIER_TARGETS, STEP_KINDS, StepKind,
};
use super::*;

/// Compares every entry of the line tables with walking along the line.
#[test]
fn line_tables_equal_walking() {
    fn walk(len: usize, cell: usize, pieces: usize, up: bool) -> (Vec<usize>, Option<usize>, Option<usize>) {
        let mut ray: Box<dyn Iterator<Item = usize>> =
            if up { Box::new(cell + 1..len) } else { Box::new((0..cell).rev()) };
        let mut empty = Vec::new();
        let mut next = |collect: bool, empty: &mut Vec<usize>| {
            for at in ray.by_ref() {
                if pieces >> at & 1 != 0 {
                    return Some(at);
                }
                if collect {
                    empty.push(at);
                }
            }
            None
        };
        let first = next(true, &mut empty);
        let second = first.and_then(|_| next(false, &mut empty));
        (empty, first, second)
    }
    let assert_equal =
        |len: usize, unit: usize, ends: &dyn Fn(usize, usize) -> (tables::LineEnds, tables::LineMasks)| {
            for cell in 0..len {
                for pieces in 0..1 << len {
                    let (ends, masks) = ends(cell, pieces);
                    let mut expected = tables::LineMasks { quiet: 0, rook: 0, cannon: 0 };
                    for up in [false, true] {
                        let (empty, first, second) = walk(len, cell, pieces, up);
                        let value = |at: Option<usize>| at.map_or(0, |at| (at + 3) * unit) as u8;
                        let direction = usize::from(up);
                        assert_eq!(ends.quiet[direction], value(Some(empty.last().copied().unwrap_or(cell))));
                        assert_eq!(
                            (ends.rook[direction], ends.cannon[direction]),
                            (value(first), value(second))
                        );
                        empty.iter().for_each(|at| expected.quiet |= 1 << at);
                        first.iter().for_each(|at| expected.rook |= 1 << at);
                        second.iter().for_each(|at| expected.cannon |= 1 << at);
                    }
                    assert_eq!(masks, expected, "{len} {cell} {pieces:b}");
                }
            }
        };
    assert_equal(10, 16, &|cell, pieces| (FILE_ENDS[cell][pieces], FILE_MASKS[cell][pieces]));
    assert_equal(9, 1, &|cell, pieces| (RANK_ENDS[cell][pieces], RANK_MASKS[cell][pieces]));
}

/// Returns a board without any piece, kings included: good for move generation, not for legality.
fn empty_board(side: Side) -> Mailbox {
    Mailbox {
        number_on: [0; 256],
        cell_of: [0; 48],
        file_words: [0; 16],
        rank_words: [0; 16],
        side_to_move: side,
        hash_key: 0,
    }
}

/// Returns the column and row of a cell, counted from the upper left corner of the board.
fn coordinates(cell: u8) -> (i32, i32) {
    (column(cell) as i32 - 3, row(cell) as i32 - 3)
}

fn board_cells() -> impl Iterator<Item = u8> {
    (0..=255).filter(|&cell| IS_ON_BOARD[cell as usize])
}

/// Returns the targets of a leaper and the cell that must be empty for each, straight from the rules, by testing every
/// cell.
fn leaper_moves(kind: PieceKind, side: Side, from: u8) -> Vec<(u8, Option<u8>)> {
    let (x, y) = coordinates(from);
    let half = |y: i32| y < 5;
    let move_to = |to: u8| {
        let (a, b) = coordinates(to);
        let (file_step, rank_step) = (a - x, b - y);
        let at = |x: i32, y: i32| Some(((y + 3) * 16 + x + 3) as u8);
        let palace = (3..=5).contains(&a) && (b <= 2 || b >= 7);
        let ahead = if side == Side::First { -1 } else { 1 };
        let crossed = half(y) == (side == Side::First);
        let (can_move, blocker) = match (kind, file_step.abs(), rank_step.abs()) {
            (PieceKind::King, 0, 1) | (PieceKind::King, 1, 0) | (PieceKind::Advisor, 1, 1) => (palace, None),
            (PieceKind::Elephant, 2, 2) => (half(y) == half(b), at(x + file_step / 2, y + rank_step / 2)),
            (PieceKind::Horse, 1, 2) => (true, at(x, y + rank_step / 2)),
            (PieceKind::Horse, 2, 1) => (true, at(x + file_step / 2, y)),
            (PieceKind::Soldier, 0, 1) => (rank_step == ahead, None),
            (PieceKind::Soldier, 1, 0) => (crossed, None),
            _ => (false, None),
        };
        can_move.then_some((to, blocker))
    };
    board_cells().filter_map(move_to).collect()
}

const LEAPERS: [PieceKind; 5] =
    [PieceKind::King, PieceKind::Advisor, PieceKind::Elephant, PieceKind::Horse, PieceKind::Soldier];

/// Returns a list up to its closing zero, each entry with its blocker; no entry follows the zero.
fn entries<const N: usize>(targets: &[u8; N], blocks: Option<&[u8; N]>) -> Vec<(u8, Option<u8>)> {
    let end = targets.iter().position(|&target| target == 0).expect("every list is closed");
    assert!(targets[end..].iter().all(|&target| target == 0));
    let mut list: Vec<_> = (0..end).map(|i| (targets[i], blocks.map(|blocks| blocks[i]))).collect();
    list.sort_unstable();
    list
}

#[test]
fn leaper_lists_equal_the_rules_on_every_cell() {
    for cell in 0..=255_u8 {
        let at = cell as usize;
        for side in Side::BOTH {
            let expected = |kind| if IS_ON_BOARD[at] { leaper_moves(kind, side, cell) } else { Vec::new() };
            assert_eq!(entries(&KING_TARGETS[at], None), expected(PieceKind::King), "{cell:x}");
            assert_eq!(entries(&ADVISOR_TARGETS[at], None), expected(PieceKind::Advisor), "{cell:x}");
            assert_eq!(
                entries(&SOLDIER_TARGETS[side.index()][at], None),
                expected(PieceKind::Soldier),
                "{cell:x}"
            );
            let (targets, eyes) = (&ELEPHANT_MOVES.targets[at], &ELEPHANT_MOVES.blockers[at]);
            assert_eq!(entries(targets, Some(eyes)), expected(PieceKind::Elephant), "{cell:x}");
            let (targets, legs) = (&HORSE_MOVES.targets[at], &HORSE_MOVES.blockers[at]);
            assert_eq!(entries(targets, Some(legs)), expected(PieceKind::Horse), "{cell:x}");
        }
    }
}

#[test]
fn leg_and_step_kind_tables_equal_the_rules_for_every_pair() {
    for from in board_cells() {
        for to in board_cells().filter(|&to| to != from) {
            let index = (i32::from(to) - i32::from(from) + 256) as usize;
            let leg = leaper_moves(PieceKind::Horse, Side::First, from)
                .iter()
                .find(|mv| mv.0 == to)
                .and_then(|mv| mv.1);
            let found = from.wrapping_add_signed(HORSE_LEGS[index]);
            assert_eq!((found != from).then_some(found), leg, "{from:x} {to:x}");
            let ((x, y), (a, b)) = (coordinates(from), coordinates(to));
            let step_kind = match (x.abs_diff(a), y.abs_diff(b)) {
                (0, 1) | (1, 0) => StepKind::King,
                (1, 1) => StepKind::Advisor,
                (2, 2) => StepKind::Elephant,
                _ => StepKind::None,
            };
            assert_eq!(STEP_KINDS[index], step_kind, "{from:x} {to:x}");
        }
    }
    assert_eq!(HORSE_LEGS.iter().filter(|&&leg| leg != 0).count(), 8);
    assert_eq!(STEP_KINDS.iter().filter(|&&step_kind| step_kind != StepKind::None).count(), 12);
}

/// Puts a leaper on every cell, with every subset of the relevant cells occupied by either side, and compares target
/// lists, offsets and the test of single moves with the rules.
#[test]
fn leaper_moves_equal_the_rules_under_every_occupancy() {
    let mut positions = 0;
    for (kind, side) in LEAPERS.into_iter().flat_map(|kind| Side::BOTH.map(|side| (kind, side))) {
        for from in board_cells() {
            let moves = leaper_moves(kind, side, from);
            let mut relevant: Vec<u8> =
                moves.iter().flat_map(|mv| mv.1).chain(moves.iter().map(|mv| mv.0)).collect();
            relevant.sort_unstable();
            relevant.dedup();
            for subset in 0..1_u32 << relevant.len() {
                // All of them belong first to the leaper's side, then to the enemy.
                for owner in [side, !side] {
                    positions += 1;
                    let mut board = empty_board(side);
                    board.put(from, FIRST_NUMBER[side.index()] + KIND_SLOTS[kind as usize].0, &mut ());
                    let occupied = relevant.iter().enumerate().filter(|(i, _)| subset >> i & 1 != 0);
                    // Any pieces serve as obstacles, except the leaper's own number and a king.
                    let free = (1..PIECES_PER_SIDE).filter(|&slot| slot != KIND_SLOTS[kind as usize].0);
                    for ((_, &cell), slot) in occupied.zip(free) {
                        board.put(cell, FIRST_NUMBER[owner.index()] + slot, &mut ());
                    }
                    assert_moves_equal(&board, kind, from, &moves);
                }
            }
        }
    }
    assert!(positions > 500_000, "{positions}");
}

fn assert_moves_equal(board: &Mailbox, kind: PieceKind, from: u8, moves: &[(u8, Option<u8>)]) {
    let empty = |cell: u8| board.number_on[cell as usize] == 0;
    let own = |cell: u8| board.number_on[cell as usize] & FIRST_NUMBER[board.side_to_move.index()] != 0;
    let is_possible = |mv: &&(u8, Option<u8>)| mv.1.is_none_or(empty) && !own(mv.0);
    let expected: Vec<u8> = moves.iter().filter(is_possible).map(|mv| mv.0).collect();
    let sorted = |mut cells: Vec<u8>| {
        cells.sort_unstable();
        cells
    };
    let (mut lists, mut offsets) = (Vec::with_capacity(8), Vec::with_capacity(8));
    board.for_each_move_of::<true, true>(kind, from, &mut |_, to| lists.push(to));
    reference::for_each_target::<true>(board, board.side_to_move, kind, from, &mut |to| offsets.push(to));
    offsets.retain(|&to| board.is_valid_target(to, board.side_to_move));
    assert_eq!(sorted(lists), expected, "{kind:?} {from:x} {:?}", board.cell_of);
    assert_eq!(sorted(offsets), expected, "{kind:?} {from:x} {:?}", board.cell_of);
    for mv in moves {
        assert_eq!(board.can_reach(from, mv.0), expected.contains(&mv.0), "{kind:?} {from:x} {:x}", mv.0);
    }
}

/// Returns random pieces on random squares, most of them squares that they can never reach.
fn random_setup_board(random: &mut SplitMix64) -> Mailbox {
    let mut setup = crate::Setup { side_to_move: Side::BOTH[random.below(2)], ..crate::Setup::EMPTY };
    let (kings, other_pieces): (Vec<Piece>, Vec<Piece>) =
        Piece::all().partition(|piece| piece.kind() == PieceKind::King);
    for piece in kings.into_iter().chain(other_pieces) {
        let king = piece.kind() == PieceKind::King;
        for _ in 0..if king { 1 } else { random.below(piece.kind().initial_count() + 1) } {
            let is_valid = |at: &Square| !king || at.is_in_palace(piece.side());
            let squares: Vec<_> =
                Square::all().filter(|at| setup.board[at.index()].is_none() && is_valid(at)).collect();
            setup.board[squares[random.below(squares.len())].index()] = Some(piece);
        }
    }
    Mailbox::from_setup(&setup, &Waivers::All).expect("one king a side, each in its palace")
}

/// Returns positions of all kinds: from random games, and with randomly scattered pieces.
fn positions(seed: u64) -> Vec<Mailbox> {
    let mut random = SplitMix64::new(seed);
    let mut found: Vec<_> = (0..1_000).map(|_| random_setup_board(&mut random)).collect();
    for _ in 0..30 {
        let mut board = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
        for _ in 0..100 {
            found.push(board.clone());
            let mut list = MoveList::new();
            board.generate_legal(&mut list);
            let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
            board.make(mv, &mut ());
        }
    }
    found
}

/// Asserts that each linked structure can be rebuilt from another.
fn assert_linked(board: &Mailbox) {
    let mut cells = [0; 256];
    let (mut files, mut ranks) = ([0; 16], [0; 16]);
    for (number, &cell) in board.cell_of.iter().enumerate() {
        if cell != 0 {
            assert!(number >= 16 && IS_ON_BOARD[cell as usize]);
            assert_eq!(cells[cell as usize], 0, "two pieces on one cell");
            cells[cell as usize] = number as u8;
            files[column(cell)] |= 1 << (row(cell) - 3);
        }
    }
    assert_eq!(board.number_on, cells, "the array equals the piece list");
    assert_eq!(board.file_words, files, "bit-files equal the piece list");
    for cell in board_cells() {
        ranks[row(cell)] |= (files[column(cell)] >> (row(cell) - 3) & 1) << (column(cell) - 3);
    }
    assert_eq!(board.rank_words, ranks, "bit-ranks equal the bit-files");
    let mut cells = [0; 48];
    for cell in occupied_cells(&board.number_on) {
        cells[board.number_on[cell as usize] as usize] = cell;
    }
    assert_eq!(board.cell_of, cells, "the piece list equals the array");
}

fn occupied_cells(cells: &[u8; 256]) -> impl Iterator<Item = u8> + '_ {
    (0..=255).filter(|&cell| cells[cell as usize] != 0)
}

/// Tests after every pseudo-legal move and after unmaking it, null moves included.
#[test]
fn structures_stay_linked_after_every_make_and_unmake() {
    for mut board in positions(11) {
        assert_linked(&board);
        let before = board.clone();
        let mut list = MoveList::new();
        board.generate_pseudo_legal(&mut list);
        for &mv in &list {
            let undo = board.make(mv, &mut ());
            assert_linked(&board);
            board.unmake(mv, &undo, &mut ());
            assert!(board == before, "unmake restores every structure");
        }
        let undo = board.make_null();
        assert_linked(&board);
        board.unmake_null(&undo);
        assert!(board == before, "unmake_null restores every structure");
    }
}

fn assert_same_moves(mut found: Vec<Move>, mut expected: Vec<Move>, board: &Mailbox) {
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{board:?}");
}

/// Returns the moves that a generator generates.
fn collect_moves(fill: impl FnOnce(&mut dyn FnMut(Move))) -> Vec<Move> {
    let mut moves = Vec::new();
    fill(&mut |mv| moves.push(mv));
    moves
}

#[test]
fn the_reference_generator_generates_the_same_moves() {
    for board in positions(12) {
        let all = collect_moves(|sink| {
            board.for_each_pseudo_legal::<true, true>(|from, to| sink(move_between(from, to)))
        });
        assert_same_moves(
            all.clone(),
            collect_moves(|sink| reference::generate_pseudo_legal(&board, sink)),
            &board,
        );
        let one_by_one = collect_moves(|sink| {
            Square::all().for_each(|at| board.generate_pseudo_legal_from(at, &mut *sink))
        });
        assert_same_moves(all, one_by_one, &board);
        let captures = collect_moves(|sink| {
            board.for_each_pseudo_legal::<true, false>(|from, to| sink(move_between(from, to)))
        });
        assert_same_moves(captures, collect_moves(|sink| reference::generate_captures(&board, sink)), &board);
        let line_captures = collect_moves(|sink| board.generate_line_captures(sink));
        assert_same_moves(
            line_captures,
            collect_moves(|sink| reference::generate_line_captures(&board, sink)),
            &board,
        );
        let moves = collect_moves(|sink| board.generate_leaper_moves(sink));
        assert_same_moves(
            moves,
            collect_moves(|sink| reference::generate_leaper_moves(&board, sink)),
            &board,
        );
    }
}

#[test]
fn three_check_tests_agree() {
    let (mut checks, mut count) = (0, 0);
    for board in positions(13) {
        assert_eq!(board.in_check(), reference::in_check(&board), "{board:?}");
        assert_eq!(board.in_check(), reference::in_check_from_king(&board), "{board:?}");
        assert_eq!(board.check_info().in_check, board.in_check(), "{board:?}");
        checks += usize::from(board.in_check());
        count += 1;
    }
    assert!(checks > 300 && count > 3_000, "{checks} checks in {count} positions");
}

/// The reference makes the move and tests the king before and after changing the side.
#[test]
fn try_make_agrees_with_is_legal() {
    for mut board in positions(14) {
        let before = board.clone();
        let mut list = MoveList::new();
        board.generate_pseudo_legal(&mut list);
        for &mv in &list {
            let legal = board.is_legal(mv);
            assert_eq!(board.leaves_king_attacked(mv), !legal, "{board:?} {mv}");
            let tried = reference::try_make(&mut board, mv);
            assert_eq!(tried.is_some(), legal, "{before:?} {mv}");
            if let Some((undo, gives_check)) = tried {
                let mut made = before.clone();
                made.make(mv, &mut ());
                assert!(board == made, "{before:?} {mv}: try_make and make agree");
                assert_eq!(gives_check, board.in_check(), "{before:?} {mv}");
                board.unmake(mv, &undo, &mut ());
            }
            assert!(board == before, "{before:?} {mv} unmade");
        }
    }
}

/// The b-file of the start position from Red's cannon, as `docs/inside/the-mailbox.md` describes it.
#[test]
fn the_documented_example_of_a_file_is_right() {
    let board = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
    assert_eq!((board.cell_of[25], board.file_words[4]), (0xA4, 0b10_1000_0101));
    let ends = FILE_ENDS[7][0b10_1000_0101];
    assert_eq!((ends.quiet, ends.rook, ends.cannon), ([0x60, 0xB0], [0x50, 0xC0], [0x30, 0]));
    let masks = FILE_MASKS[7][0b10_1000_0101];
    assert_eq!((masks.quiet, masks.rook, masks.cannon), (0b01_0111_1000, 0b10_0000_0100, 0b00_0000_0001));
    assert_eq!(board.line_victims(0xA4, true), [0x34, 0x04, 0xA0, 0xA0]);
}
