use super::*;
use alfil_kernel::zobrist::SplitMix64;

/// Checks that the piece lists and the cells describe the same pieces.
fn assert_lists_match_cells(board: &Mailbox) {
    let mut cells = [0; DUMMY as usize];
    for (side, list) in board.piece_lists.iter().enumerate() {
        for (index, &at) in list.iter().enumerate().filter(|&(_, &at)| at != DUMMY) {
            let cell = board.cells[usize::from(at)];
            assert_eq!((list_index(cell), usize::from(cell >> 3 & 1)), (index, side), "{}", board.dump());
            cells[usize::from(at)] = cell;
        }
    }
    assert_eq!(cells, board.cells[..DUMMY as usize], "{}", board.dump());
}

#[test]
fn piece_lists_match_cells_after_make_and_unmake() {
    let mut random = SplitMix64::new(3);
    for game in 0..300 {
        let setup = Setup::double_chess960(game * 3, 959 - game).expect("numbers below 960");
        let mut board = Mailbox::from_setup(&setup, &Waivers::None).expect("a valid position");
        for _ in 0..80 {
            let mut list = MoveList::new();
            board.generate_legal(&mut list);
            for &mv in &list {
                let undo = board.make(mv, &mut ());
                assert_lists_match_cells(&board);
                board.unmake(mv, &undo, &mut ());
                assert_lists_match_cells(&board);
            }
            if list.is_empty() {
                break;
            }
            board.make(list[random.below(list.len())], &mut ());
        }
    }
}

#[test]
fn dump_prints_rank_one_on_top() {
    let setup = <Setup as alfil_kernel::Setup>::start();
    let board = Mailbox::from_setup(&setup, &Waivers::None).expect("a valid position");
    let dump = board.dump();
    assert!(dump.starts_with("RNBQKBNR\nPPPPPPPP\n........\n"), "{dump}");
    assert!(dump.contains("\nwhite: K04 R00 N01"), "{dump}");
    assert!(dump.ends_with("rooks: 00 07 70 77\nen passant: -\n"), "{dump}");
}
