//! One number a game: a fixed search visits the same positions on every board, every time.

use alfil_session::registry;
use alfil_session::registry::GAMES;

#[test]
fn every_board_of_a_game_searches_the_same_tree() {
    for &(game, boards) in GAMES {
        let bench = |board: &str| registry::open(game, Some(board)).unwrap().bench();
        let numbers: Vec<_> = boards.iter().map(|board| bench(board)).collect();
        assert!(numbers[0] > 1_000, "{game}: {numbers:?}");
        assert!(numbers.iter().all(|&number| number == numbers[0]), "{game}: {boards:?} {numbers:?}");
        assert_eq!(bench(boards[0]), numbers[0], "{game}: the same again");
    }
}
