use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Waivers};

use super::tables::{
    ADVISOR, ELEPHANT, FILE_ENDS, FILE_MASKS, HORSE, IN_BOARD, KING, LEG, RANK_ENDS, RANK_MASKS, SOLDIER,
    SPAN, Span,
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
    let check = |len: usize, unit: usize, ends: &dyn Fn(usize, usize) -> (tables::Ends, tables::Masks)| {
        for place in 0..len {
            for men in 0..1 << len {
                let (ends, masks) = ends(place, men);
                let mut expected = tables::Masks { quiet: 0, rook: 0, cannon: 0 };
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
fn bare(side: Side) -> Mailbox {
    Mailbox { cells: [0; 256], places: [0; 48], files: [0; 16], ranks: [0; 16], side, key: 0 }
}

/// The board's places as column and row from its upper left corner.
fn coordinates(place: u8) -> (i32, i32) {
    (column(place) as i32 - 3, row(place) as i32 - 3)
}

fn places() -> impl Iterator<Item = u8> {
    (0..=255).filter(|&place| IN_BOARD[place as usize])
}

/// Where a leaper comes to on an empty board and what must be empty for it, straight from the rules; it looks at
/// every place.
fn leaps(kind: Kind, side: Side, from: u8) -> Vec<(u8, Option<u8>)> {
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
            (Kind::King, 0, 1) | (Kind::King, 1, 0) | (Kind::Advisor, 1, 1) => (palace, None),
            (Kind::Elephant, 2, 2) => (half(y) == half(b), at(x + wide / 2, y + high / 2)),
            (Kind::Horse, 1, 2) => (true, at(x, y + high / 2)),
            (Kind::Horse, 2, 1) => (true, at(x + wide / 2, y)),
            (Kind::Soldier, 0, 1) => (high == ahead, None),
            (Kind::Soldier, 1, 0) => (crossed, None),
            _ => (false, None),
        };
        goes.then_some((to, over))
    };
    places().filter_map(judge).collect()
}

const LEAPERS: [Kind; 5] = [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Soldier];

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
            let expected = |kind| if IN_BOARD[at] { leaps(kind, side, place) } else { Vec::new() };
            assert_eq!(listed(&KING[at], None), expected(Kind::King), "{place:x}");
            assert_eq!(listed(&ADVISOR[at], None), expected(Kind::Advisor), "{place:x}");
            assert_eq!(listed(&SOLDIER[side.index()][at], None), expected(Kind::Soldier), "{place:x}");
            let (targets, eyes) = (&ELEPHANT.targets[at], &ELEPHANT.blocks[at]);
            assert_eq!(listed(targets, Some(eyes)), expected(Kind::Elephant), "{place:x}");
            let (targets, legs) = (&HORSE.targets[at], &HORSE.blocks[at]);
            assert_eq!(listed(targets, Some(legs)), expected(Kind::Horse), "{place:x}");
        }
    }
}

#[test]
fn leg_and_span_tables_equal_the_rules_for_every_pair() {
    for from in places() {
        for to in places().filter(|&to| to != from) {
            let index = (i32::from(to) - i32::from(from) + 256) as usize;
            let leg = leaps(Kind::Horse, Side::First, from)
                .iter()
                .find(|leap| leap.0 == to)
                .and_then(|leap| leap.1);
            let found = from.wrapping_add_signed(LEG[index]);
            assert_eq!((found != from).then_some(found), leg, "{from:x} {to:x}");
            let ((x, y), (a, b)) = (coordinates(from), coordinates(to));
            let span = match (x.abs_diff(a), y.abs_diff(b)) {
                (0, 1) | (1, 0) => Span::King,
                (1, 1) => Span::Advisor,
                (2, 2) => Span::Elephant,
                _ => Span::None,
            };
            assert_eq!(SPAN[index], span, "{from:x} {to:x}");
        }
    }
    assert_eq!(LEG.iter().filter(|&&leg| leg != 0).count(), 8);
    assert_eq!(SPAN.iter().filter(|&&span| span != Span::None).count(), 12);
}

/// A leaper on every place, with every set of the points that matter to it occupied, by its own side or by the enemy: the
/// lists, the offsets and the judgement of a single move against the rules.
#[test]
fn leapers_go_as_the_rules_say_over_every_occupancy() {
    let mut positions = 0;
    for (kind, side) in LEAPERS.into_iter().flat_map(|kind| Side::BOTH.map(|side| (kind, side))) {
        for from in places() {
            let leaps = leaps(kind, side, from);
            let mut matter: Vec<u8> =
                leaps.iter().flat_map(|leap| leap.1).chain(leaps.iter().map(|leap| leap.0)).collect();
            matter.sort_unstable();
            matter.dedup();
            for set in 0..1_u32 << matter.len() {
                // Once all of them its own men, once all the enemy's.
                for others in [side, !side] {
                    positions += 1;
                    let mut board = bare(side);
                    board.put(from, FIRST[side.index()] + SLOTS[kind as usize].0, &mut ());
                    let occupied = matter.iter().enumerate().filter(|(i, _)| set >> i & 1 != 0);
                    // Any men will do as obstacles, but for the mover's own number and a general.
                    let free = (1..MEN).filter(|&slot| slot != SLOTS[kind as usize].0);
                    for ((_, &place), slot) in occupied.zip(free) {
                        board.put(place, FIRST[others.index()] + slot, &mut ());
                    }
                    goes_as_the_rules_say(&board, kind, from, &leaps);
                }
            }
        }
    }
    assert!(positions > 500_000, "{positions}");
}

fn goes_as_the_rules_say(board: &Mailbox, kind: Kind, from: u8, leaps: &[(u8, Option<u8>)]) {
    let empty = |place: u8| board.cells[place as usize] == 0;
    let own = |place: u8| board.cells[place as usize] & FIRST[board.side.index()] != 0;
    let able = |leap: &&(u8, Option<u8>)| leap.1.is_none_or(empty) && !own(leap.0);
    let expected: Vec<u8> = leaps.iter().filter(able).map(|leap| leap.0).collect();
    let sorted = |mut places: Vec<u8>| {
        places.sort_unstable();
        places
    };
    let (mut lists, mut offsets) = (Vec::with_capacity(8), Vec::with_capacity(8));
    board.generate_man::<true, true>(kind, from, &mut |_, to| lists.push(to));
    reference::walk::<true>(board, board.side, kind, from, &mut |to| offsets.push(to));
    offsets.retain(|&to| board.is_open(to, board.side));
    assert_eq!(sorted(lists), expected, "{kind:?} {from:x} {:?}", board.places);
    assert_eq!(sorted(offsets), expected, "{kind:?} {from:x} {:?}", board.places);
    for leap in leaps {
        assert_eq!(board.can_go(from, leap.0), expected.contains(&leap.0), "{kind:?} {from:x} {:x}", leap.0);
    }
}

/// Random men on random points, most of them where none could come to stand.
fn scattered(random: &mut SplitMix64) -> Mailbox {
    let mut setup = crate::Setup { side: Side::BOTH[random.below(2)], ..crate::Setup::EMPTY };
    let (kings, others): (Vec<Piece>, Vec<Piece>) =
        Piece::all().partition(|piece| piece.kind() == Kind::King);
    for piece in kings.into_iter().chain(others) {
        let king = piece.kind() == Kind::King;
        for _ in 0..if king { 1 } else { random.below(piece.kind().most() + 1) } {
            let sound = |at: &Square| !king || at.in_palace(piece.side());
            let points: Vec<_> =
                Square::all().filter(|at| setup.men[at.index()].is_none() && sound(at)).collect();
            setup.men[points[random.below(points.len())].index()] = Some(piece);
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
            board.moves(&mut list);
            let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
            board.make(mv, &mut ());
        }
    }
    found
}

/// Each linked structure rebuilt from its partner.
fn linked(board: &Mailbox) {
    let mut cells = [0; 256];
    let (mut files, mut ranks) = ([0; 16], [0; 16]);
    for (man, &place) in board.places.iter().enumerate() {
        if place != 0 {
            assert!(man >= 16 && IN_BOARD[place as usize]);
            assert_eq!(cells[place as usize], 0, "two men on one place");
            cells[place as usize] = man as u8;
            files[column(place)] |= 1 << (row(place) - 3);
        }
    }
    assert_eq!(board.cells, cells, "cells from places");
    assert_eq!(board.files, files, "bit-files from places");
    for place in places() {
        ranks[row(place)] |= (files[column(place)] >> (row(place) - 3) & 1) << (column(place) - 3);
    }
    assert_eq!(board.ranks, ranks, "bit-ranks from bit-files");
    let mut places = [0; 48];
    for place in places_of(&board.cells) {
        places[board.cells[place as usize] as usize] = place;
    }
    assert_eq!(board.places, places, "places from cells");
}

fn places_of(cells: &[u8; 256]) -> impl Iterator<Item = u8> + '_ {
    (0..=255).filter(|&place| cells[place as usize] != 0)
}

/// After every pseudo-legal move and after taking it back, null moves too.
#[test]
fn structures_stay_linked_after_every_make_and_unmake() {
    for mut board in positions(11) {
        linked(&board);
        let before = board.clone();
        let mut list = MoveList::new();
        board.pseudo(&mut list);
        for &mv in &list {
            let undo = board.make(mv, &mut ());
            linked(&board);
            board.unmake(mv, &undo, &mut ());
            assert!(board == before, "unmake restores every structure");
        }
        let undo = board.make_null();
        linked(&board);
        board.unmake_null(&undo);
        assert!(board == before, "unmake_null restores every structure");
    }
}

fn same(mut found: Vec<Move>, mut expected: Vec<Move>, board: &Mailbox) {
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{board:?}");
}

/// What a generator gives.
fn gathered(fill: impl FnOnce(&mut dyn FnMut(Move))) -> Vec<Move> {
    let mut moves = Vec::new();
    fill(&mut |mv| moves.push(mv));
    moves
}

#[test]
fn the_reference_generator_gives_the_same_moves() {
    for board in positions(12) {
        let all = gathered(|sink| board.generate::<true, true>(|from, to| sink(moving(from, to))));
        same(all.clone(), gathered(|sink| reference::pseudo(&board, sink)), &board);
        let one_by_one = gathered(|sink| Square::all().for_each(|at| board.pseudo_from(at, &mut *sink)));
        same(all, one_by_one, &board);
        let taking = gathered(|sink| board.generate::<true, false>(|from, to| sink(moving(from, to))));
        same(taking, gathered(|sink| reference::captures(&board, sink)), &board);
        let lines = gathered(|sink| board.line_captures(sink));
        same(lines, gathered(|sink| reference::line_captures(&board, sink)), &board);
        let leaps = gathered(|sink| board.leaps(sink));
        same(leaps, gathered(|sink| reference::leaps(&board, sink)), &board);
    }
}

#[test]
fn three_ways_to_find_a_check_agree() {
    let (mut checks, mut count) = (0, 0);
    for board in positions(13) {
        assert_eq!(board.in_check(), reference::in_check(&board), "{board:?}");
        assert_eq!(board.in_check(), reference::in_check_outward(&board), "{board:?}");
        assert_eq!(board.danger().check, board.in_check(), "{board:?}");
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
        board.pseudo(&mut list);
        for &mv in &list {
            let legal = board.is_legal(mv);
            assert_eq!(board.exposes(mv), !legal, "{board:?} {mv}");
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
    assert_eq!((board.places[25], board.files[4]), (0xA4, 0b10_1000_0101));
    let ends = FILE_ENDS[7][0b10_1000_0101];
    assert_eq!((ends.quiet, ends.rook, ends.cannon), ([0x60, 0xB0], [0x50, 0xC0], [0x30, 0]));
    let masks = FILE_MASKS[7][0b10_1000_0101];
    assert_eq!((masks.quiet, masks.rook, masks.cannon), (0b01_0111_1000, 0b10_0000_0100, 0b00_0000_0001));
    assert_eq!(board.line_prey(0xA4, true), [0x34, 0x04, 0xA0, 0xA0]);
}
