use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Waivers};

use super::tables::{FILE_ENDS, FILE_MASKS, IN_BOARD, RANK_ENDS, RANK_MASKS};
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
    for (row, word) in ranks.iter_mut().enumerate().take(13).skip(3) {
        for column in 3..=11_usize {
            *word |= (files[column] >> (row - 3) & 1) << (column - 3);
        }
    }
    assert_eq!(board.ranks, ranks, "bit-ranks from bit-files");
}

#[test]
fn structures_stay_linked_over_random_plies() {
    let mut random = SplitMix64::new(11);
    let start = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
    for _ in 0..60 {
        let mut board = start.clone();
        let mut road = Vec::new();
        for _ in 0..120 {
            let mut list = MoveList::new();
            board.moves(&mut list);
            let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
            let before = board.clone();
            let undo = board.make(mv, &mut ());
            linked(&board);
            let mut back = board.clone();
            back.unmake(mv, &undo, &mut ());
            linked(&back);
            assert!(back == before, "unmake restores every structure");
            road.push(mv);
        }
    }
}

#[test]
fn the_reference_generator_gives_the_same_moves() {
    let mut random = SplitMix64::new(12);
    for _ in 0..100 {
        let mut board = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
        for _ in 0..100 {
            let (mut list, mut expected) = (MoveList::new(), Vec::new());
            board.pseudo(&mut list);
            reference::pseudo(&board, &mut |mv| expected.push(mv));
            list.sort_unstable();
            expected.sort_unstable();
            assert_eq!(list[..], expected[..], "{board:?}");
            let (mut taking, mut expected) = (Vec::new(), Vec::new());
            board.generate::<true, false>(|from, to| taking.push(Move::new(square(from), square(to))));
            reference::captures(&board, &mut |mv| expected.push(mv));
            taking.sort_unstable();
            expected.sort_unstable();
            assert_eq!(taking, expected, "{board:?}");
            let mut list = MoveList::new();
            board.moves(&mut list);
            let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
            board.make(mv, &mut ());
        }
    }
}

/// The generator asked in parts, and check found by generating every reply.
#[test]
fn the_parts_are_the_whole() {
    let mut random = SplitMix64::new(13);
    let (mut checks, mut exposing) = (0, 0);
    for _ in 0..100 {
        let mut board = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
        for _ in 0..100 {
            assert_eq!(reference::in_check(&board), board.in_check(), "{board:?}");
            checks += usize::from(board.in_check());
            let (mut whole, mut list) = (MoveList::new(), MoveList::new());
            board.pseudo(&mut whole);
            board.moves(&mut list);
            let (mut by_kind, mut by_man, mut taking) = (Vec::new(), Vec::new(), Vec::new());
            for kind in Kind::ALL {
                board.moves_of(kind, |mv| by_kind.push(mv));
                board.captures_of(kind, |mv| taking.push(mv));
            }
            Square::all().for_each(|at| board.pseudo_from(at, |mv| by_man.push(mv)));
            assert!(taking.iter().all(|&mv| board.captured(mv).is_some()));
            assert_eq!(taking.len(), whole.iter().filter(|&&mv| board.captured(mv).is_some()).count());
            for moves in [&mut by_kind, &mut by_man, &mut taking] {
                moves.sort_unstable();
            }
            whole.sort_unstable();
            assert_eq!((&by_kind[..], &by_man[..]), (&whole[..], &whole[..]), "{board:?}");
            for mv in &whole {
                assert_eq!(board.exposes(*mv), !list.contains(mv), "{board:?} {mv}");
                exposing += usize::from(board.exposes(*mv));
            }
            let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
            board.make(mv, &mut ());
        }
    }
    assert!(checks > 50 && exposing > 50);
}
