use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Waivers};

use super::tables::{
    ADVISOR_TARGETS, ELEPHANT_MOVES, FILE_ENDS, FILE_MASKS, HORSE_LEGS, HORSE_MOVES, IS_ON_BOARD,
    KING_TARGETS, RANK_ENDS, RANK_MASKS, SOLDIER_TARGETS, STEP_KINDS, StepKind,
};
use super::*;

/// Every line entry against walking along the line.
#[test]
fn line_tables_equal_walking() {
    fn walk(len: usize, place: usize, men: usize, up: bool) -> (Vec<usize>, Option<usize>, Option<usize>) {
        let mut ray: Box<dyn Iterator<Item = usize>> =
            if up { Box::new(place + 1..len) } else { Box::new((0..place).rev()) };
        let mut empty = Vec::new();
        let mut next = |collect: bool, empty: &mut Vec<usize>| {
            for at in ray.by_ref() {
                if men >> at & 1 != 0 {
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
    let check =
        |len: usize, unit: usize, ends: &dyn Fn(usize, usize) -> (tables::LineEnds, tables::LineMasks)| {
            for place in 0..len {
                for men in 0..1 << len {
                    let (ends, masks) = ends(place, men);
                    let mut expected = tables::LineMasks { quiet: 0, rook: 0, cannon: 0 };
                    for up in [false, true] {
                        let (empty, first, second) = walk(len, place, men, up);
                        let value = |at: Option<usize>| at.map_or(0, |at| (at + 3) * unit) as u8;
                        let way = usize::from(up);
                        assert_eq!(ends.quiet[way], value(Some(empty.last().copied().unwrap_or(place))));
                        assert_eq!((ends.rook[way], ends.cannon[way]), (value(first), value(second)));
                        empty.iter().for_each(|at| expected.quiet |= 1 << at);
                        first.iter().for_each(|at| expected.rook |= 1 << at);
                        second.iter().for_each(|at| expected.cannon |= 1 << at);
                    }
                    assert_eq!(masks, expected, "{len} {place} {men:b}");
                }
            }
        };
    check(10, 16, &|place, men| (FILE_ENDS[place][men], FILE_MASKS[place][men]));
    check(9, 1, &|place, men| (RANK_ENDS[place][men], RANK_MASKS[place][men]));
}

/// A board with nobody on it, not even generals; good for generating, not for legality.
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

/// The board's places as column and row from its upper left corner.
fn coordinates(place: u8) -> (i32, i32) {
    (column(place) as i32 - 3, row(place) as i32 - 3)
}

fn board_cells() -> impl Iterator<Item = u8> {
    (0..=255).filter(|&place| IS_ON_BOARD[place as usize])
}

/// Where a leaper comes to on an empty board and what must be empty for it, straight from the rules; it looks at
/// every place.
fn leaps(kind: PieceKind, side: Side, from: u8) -> Vec<(u8, Option<u8>)> {
    let (x, y) = coordinates(from);
    let half = |y: i32| y < 5;
    let judge = |to: u8| {
        let (a, b) = coordinates(to);
        let (wide, high) = (a - x, b - y);
        let at = |x: i32, y: i32| Some(((y + 3) * 16 + x + 3) as u8);
        let palace = (3..=5).contains(&a) && (b <= 2 || b >= 7);
        let ahead = if side == Side::First { -1 } else { 1 };
        let crossed = half(y) == (side == Side::First);
        let (goes, over) = match (kind, wide.abs(), high.abs()) {
            (PieceKind::King, 0, 1) | (PieceKind::King, 1, 0) | (PieceKind::Advisor, 1, 1) => (palace, None),
            (PieceKind::Elephant, 2, 2) => (half(y) == half(b), at(x + wide / 2, y + high / 2)),
            (PieceKind::Horse, 1, 2) => (true, at(x, y + high / 2)),
            (PieceKind::Horse, 2, 1) => (true, at(x + wide / 2, y)),
            (PieceKind::Soldier, 0, 1) => (high == ahead, None),
            (PieceKind::Soldier, 1, 0) => (crossed, None),
            _ => (false, None),
        };
        goes.then_some((to, over))
    };
    board_cells().filter_map(judge).collect()
}

const LEAPERS: [PieceKind; 5] =
    [PieceKind::King, PieceKind::Advisor, PieceKind::Elephant, PieceKind::Horse, PieceKind::Soldier];

/// A list up to its closing zero, with the blockers under the same index; nothing stands after the zero.
fn listed<const N: usize>(targets: &[u8; N], blocks: Option<&[u8; N]>) -> Vec<(u8, Option<u8>)> {
    let end = targets.iter().position(|&target| target == 0).expect("every list is closed");
    assert!(targets[end..].iter().all(|&target| target == 0));
    let mut list: Vec<_> = (0..end).map(|i| (targets[i], blocks.map(|blocks| blocks[i]))).collect();
    list.sort_unstable();
    list
}

#[test]
fn leaper_lists_equal_the_rules_on_every_place() {
    for place in 0..=255_u8 {
        let at = place as usize;
        for side in Side::BOTH {
            let expected = |kind| if IS_ON_BOARD[at] { leaps(kind, side, place) } else { Vec::new() };
            assert_eq!(listed(&KING_TARGETS[at], None), expected(PieceKind::King), "{place:x}");
            assert_eq!(listed(&ADVISOR_TARGETS[at], None), expected(PieceKind::Advisor), "{place:x}");
            assert_eq!(
                listed(&SOLDIER_TARGETS[side.index()][at], None),
                expected(PieceKind::Soldier),
                "{place:x}"
            );
            let (targets, eyes) = (&ELEPHANT_MOVES.targets[at], &ELEPHANT_MOVES.blockers[at]);
            assert_eq!(listed(targets, Some(eyes)), expected(PieceKind::Elephant), "{place:x}");
            let (targets, legs) = (&HORSE_MOVES.targets[at], &HORSE_MOVES.blockers[at]);
            assert_eq!(listed(targets, Some(legs)), expected(PieceKind::Horse), "{place:x}");
        }
    }
}

#[test]
fn leg_and_span_tables_equal_the_rules_for_every_pair() {
    for from in board_cells() {
        for to in board_cells().filter(|&to| to != from) {
            let index = (i32::from(to) - i32::from(from) + 256) as usize;
            let leg = leaps(PieceKind::Horse, Side::First, from)
                .iter()
                .find(|leap| leap.0 == to)
                .and_then(|leap| leap.1);
            let found = from.wrapping_add_signed(HORSE_LEGS[index]);
            assert_eq!((found != from).then_some(found), leg, "{from:x} {to:x}");
            let ((x, y), (a, b)) = (coordinates(from), coordinates(to));
            let span = match (x.abs_diff(a), y.abs_diff(b)) {
                (0, 1) | (1, 0) => StepKind::King,
                (1, 1) => StepKind::Advisor,
                (2, 2) => StepKind::Elephant,
                _ => StepKind::None,
            };
            assert_eq!(STEP_KINDS[index], span, "{from:x} {to:x}");
        }
    }
    assert_eq!(HORSE_LEGS.iter().filter(|&&leg| leg != 0).count(), 8);
    assert_eq!(STEP_KINDS.iter().filter(|&&span| span != StepKind::None).count(), 12);
}

/// A leaper on every place, with every set of the points that matter to it occupied, by its own side or by the enemy: the
/// lists, the offsets and the judgement of a single move against the rules.
#[test]
fn leapers_go_as_the_rules_say_over_every_occupancy() {
    let mut positions = 0;
    for (kind, side) in LEAPERS.into_iter().flat_map(|kind| Side::BOTH.map(|side| (kind, side))) {
        for from in board_cells() {
            let leaps = leaps(kind, side, from);
            let mut matter: Vec<u8> =
                leaps.iter().flat_map(|leap| leap.1).chain(leaps.iter().map(|leap| leap.0)).collect();
            matter.sort_unstable();
            matter.dedup();
            for set in 0..1_u32 << matter.len() {
                // Once all of them its own men, once all the enemy's.
                for others in [side, !side] {
                    positions += 1;
                    let mut board = empty_board(side);
                    board.put(from, FIRST_NUMBER[side.index()] + KIND_SLOTS[kind as usize].0, &mut ());
                    let occupied = matter.iter().enumerate().filter(|(i, _)| set >> i & 1 != 0);
                    // Any men will do as obstacles, but for the mover's own number and a general.
                    let free = (1..PIECES_PER_SIDE).filter(|&slot| slot != KIND_SLOTS[kind as usize].0);
                    for ((_, &place), slot) in occupied.zip(free) {
                        board.put(place, FIRST_NUMBER[others.index()] + slot, &mut ());
                    }
                    goes_as_the_rules_say(&board, kind, from, &leaps);
                }
            }
        }
    }
    assert!(positions > 500_000, "{positions}");
}

fn goes_as_the_rules_say(board: &Mailbox, kind: PieceKind, from: u8, leaps: &[(u8, Option<u8>)]) {
    let empty = |place: u8| board.number_on[place as usize] == 0;
    let own = |place: u8| board.number_on[place as usize] & FIRST_NUMBER[board.side_to_move.index()] != 0;
    let able = |leap: &&(u8, Option<u8>)| leap.1.is_none_or(empty) && !own(leap.0);
    let expected: Vec<u8> = leaps.iter().filter(able).map(|leap| leap.0).collect();
    let sorted = |mut places: Vec<u8>| {
        places.sort_unstable();
        places
    };
    let (mut lists, mut offsets) = (Vec::with_capacity(8), Vec::with_capacity(8));
    board.for_each_move_of::<true, true>(kind, from, &mut |_, to| lists.push(to));
    reference::for_each_target::<true>(board, board.side_to_move, kind, from, &mut |to| offsets.push(to));
    offsets.retain(|&to| board.is_valid_target(to, board.side_to_move));
    assert_eq!(sorted(lists), expected, "{kind:?} {from:x} {:?}", board.cell_of);
    assert_eq!(sorted(offsets), expected, "{kind:?} {from:x} {:?}", board.cell_of);
    for leap in leaps {
        assert_eq!(
            board.can_reach(from, leap.0),
            expected.contains(&leap.0),
            "{kind:?} {from:x} {:x}",
            leap.0
        );
    }
}

/// Random men on random points, most of them where none could come to stand.
fn scattered(random: &mut SplitMix64) -> Mailbox {
    let mut setup = crate::Setup { side_to_move: Side::BOTH[random.below(2)], ..crate::Setup::EMPTY };
    let (kings, others): (Vec<Piece>, Vec<Piece>) =
        Piece::all().partition(|piece| piece.kind() == PieceKind::King);
    for piece in kings.into_iter().chain(others) {
        let king = piece.kind() == PieceKind::King;
        for _ in 0..if king { 1 } else { random.below(piece.kind().initial_count() + 1) } {
            let sound = |at: &Square| !king || at.is_in_palace(piece.side());
            let points: Vec<_> =
                Square::all().filter(|at| setup.board[at.index()].is_none() && sound(at)).collect();
            setup.board[points[random.below(points.len())].index()] = Some(piece);
        }
    }
    Mailbox::from_setup(&setup, &Waivers::All).expect("one general a side, each in its palace")
}

/// Positions of all kinds: along random games, and with men scattered anywhere.
fn positions(seed: u64) -> Vec<Mailbox> {
    let mut random = SplitMix64::new(seed);
    let mut found: Vec<_> = (0..1_000).map(|_| scattered(&mut random)).collect();
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

/// Each linked structure rebuilt from its partner.
fn assert_linked(board: &Mailbox) {
    let mut cells = [0; 256];
    let (mut files, mut ranks) = ([0; 16], [0; 16]);
    for (man, &place) in board.cell_of.iter().enumerate() {
        if place != 0 {
            assert!(man >= 16 && IS_ON_BOARD[place as usize]);
            assert_eq!(cells[place as usize], 0, "two men on one place");
            cells[place as usize] = man as u8;
            files[column(place)] |= 1 << (row(place) - 3);
        }
    }
    assert_eq!(board.number_on, cells, "cells from places");
    assert_eq!(board.file_words, files, "bit-files from places");
    for place in board_cells() {
        ranks[row(place)] |= (files[column(place)] >> (row(place) - 3) & 1) << (column(place) - 3);
    }
    assert_eq!(board.rank_words, ranks, "bit-ranks from bit-files");
    let mut places = [0; 48];
    for place in places_of(&board.number_on) {
        places[board.number_on[place as usize] as usize] = place;
    }
    assert_eq!(board.cell_of, places, "places from cells");
}

fn places_of(cells: &[u8; 256]) -> impl Iterator<Item = u8> + '_ {
    (0..=255).filter(|&place| cells[place as usize] != 0)
}

/// After every pseudo-legal move and after taking it back, null moves too.
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

/// What a generator gives.
fn collect_moves(fill: impl FnOnce(&mut dyn FnMut(Move))) -> Vec<Move> {
    let mut moves = Vec::new();
    fill(&mut |mv| moves.push(mv));
    moves
}

#[test]
fn the_reference_generator_gives_the_same_moves() {
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
        let taking = collect_moves(|sink| {
            board.for_each_pseudo_legal::<true, false>(|from, to| sink(move_between(from, to)))
        });
        assert_same_moves(taking, collect_moves(|sink| reference::generate_captures(&board, sink)), &board);
        let lines = collect_moves(|sink| board.generate_line_captures(sink));
        assert_same_moves(
            lines,
            collect_moves(|sink| reference::generate_line_captures(&board, sink)),
            &board,
        );
        let leaps = collect_moves(|sink| board.generate_leaper_moves(sink));
        assert_same_moves(
            leaps,
            collect_moves(|sink| reference::generate_leaper_moves(&board, sink)),
            &board,
        );
    }
}

#[test]
fn three_ways_to_find_a_check_agree() {
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

/// One test called twice with the flip between says the same as legality without making, and check after.
#[test]
fn trying_a_move_equals_judging_it() {
    for mut board in positions(14) {
        let before = board.clone();
        let mut list = MoveList::new();
        board.generate_pseudo_legal(&mut list);
        for &mv in &list {
            let legal = board.is_legal(mv);
            assert_eq!(board.leaves_king_attacked(mv), !legal, "{board:?} {mv}");
            let tried = reference::try_make(&mut board, mv);
            assert_eq!(tried.is_some(), legal, "{before:?} {mv}");
            if let Some((undo, check)) = tried {
                let mut made = before.clone();
                made.make(mv, &mut ());
                assert!(board == made, "{before:?} {mv}: tried or made");
                assert_eq!(check, board.in_check(), "{before:?} {mv}");
                board.unmake(mv, &undo, &mut ());
            }
            assert!(board == before, "{before:?} {mv} taken back");
        }
    }
}

/// The b-file of the start position from Red's cannon, as `docs/the-mailbox.md` spells it out.
#[test]
fn the_example_of_the_chapter() {
    let board = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
    assert_eq!((board.cell_of[25], board.file_words[4]), (0xA4, 0b10_1000_0101));
    let ends = FILE_ENDS[7][0b10_1000_0101];
    assert_eq!((ends.quiet, ends.rook, ends.cannon), ([0x60, 0xB0], [0x50, 0xC0], [0x30, 0]));
    let masks = FILE_MASKS[7][0b10_1000_0101];
    assert_eq!((masks.quiet, masks.rook, masks.cannon), (0b01_0111_1000, 0b10_0000_0100, 0b00_0000_0001));
    assert_eq!(board.line_victims(0xA4, true), [0x34, 0x04, 0xA0, 0xA0]);
}
