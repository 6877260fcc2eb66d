use super::*;
use alfil_kernel::zobrist::SplitMix64;

/// The lists from the cells, and the cells from the lists.
fn agrees(board: &Mailbox) {
    let mut cells = [0; DUMMY as usize];
    for (side, list) in board.piece_lists.iter().enumerate() {
        for (slot, &at) in list.iter().enumerate().filter(|&(_, &at)| at != DUMMY) {
            let cell = board.cells[usize::from(at)];
            assert_eq!((list_index(cell), usize::from(cell >> 3 & 1)), (slot, side), "{}", board.dump());
            cells[usize::from(at)] = cell;
        }
    }
    assert_eq!(cells, board.cells[..DUMMY as usize], "{}", board.dump());
}

#[test]
fn lists_and_cells_agree_after_every_move_and_back() {
    let mut random = SplitMix64::new(3);
    for game in 0..300 {
        let setup = Setup::double_chess960(game * 3, 959 - game).expect("one of the 960");
        let mut board = Mailbox::from_setup(&setup, &Waivers::None).expect("a sound position");
        for _ in 0..80 {
            let mut list = MoveList::new();
            board.generate_legal(&mut list);
            for &mv in &list {
                let undo = board.make(mv, &mut ());
                agrees(&board);
                board.unmake(mv, &undo, &mut ());
                agrees(&board);
            }
            if list.is_empty() {
                break;
            }
            board.make(list[random.below(list.len())], &mut ());
        }
    }
}

#[test]
fn the_print_loop_prints_rank_one_on_top() {
    let setup = <Setup as alfil_kernel::Setup>::start();
    let board = Mailbox::from_setup(&setup, &Waivers::None).expect("a sound position");
    let raw = board.dump();
    assert!(raw.starts_with("RNBQKBNR\nPPPPPPPP\n........\n"), "{raw}");
    assert!(raw.contains("\nwhite: K04 R00 N01"), "{raw}");
    assert!(raw.ends_with("rooks: 00 07 70 77\nen passant: -\n"), "{raw}");
}
