//! A slow reference implementation that shares no code with the boards: the rules on a grid of characters.

use alfil_kernel::conformance::{check_boards_agree, sorted_legal_moves};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position, Setup as _, Side, Waivers};
use alfil_othello::{Bitboard, Board, Mailbox, Move, Setup, Square};

/// A board as eight rows of characters, and the letter of the side to move.
#[derive(Clone, PartialEq, Debug)]
struct Grid {
    rows: [[char; 8]; 8],
    mover: char,
}

fn other(side: char) -> char {
    if side == 'X' { 'O' } else { 'X' }
}

impl Grid {
    fn from_text(text: &str) -> Grid {
        let characters: Vec<char> = text.chars().collect();
        let rows = core::array::from_fn(|row| core::array::from_fn(|column| characters[row * 8 + column]));
        Grid { rows, mover: characters[65] }
    }

    fn text(&self) -> String {
        self.rows.iter().flatten().collect::<String>() + " " + &self.mover.to_string()
    }

    fn at(&self, column: i32, row: i32) -> char {
        let coordinates = usize::try_from(row).ok().zip(usize::try_from(column).ok());
        let character = coordinates.and_then(|(row, column)| self.rows.get(row)?.get(column));
        character.copied().unwrap_or('#')
    }

    /// Returns the squares of the discs that `side` flips by placing a disc on a square.
    fn flips(&self, side: char, column: i32, row: i32) -> Vec<(i32, i32)> {
        let mut flipped = Vec::new();
        if self.at(column, row) != '-' {
            return flipped;
        }
        for (right, down) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let mut between = Vec::new();
            let mut distance = 1;
            while self.at(column + distance * right, row + distance * down) == other(side) {
                between.push((column + distance * right, row + distance * down));
                distance += 1;
            }
            if self.at(column + distance * right, row + distance * down) == side {
                flipped.extend(between);
            }
        }
        flipped
    }

    fn destinations(&self, side: char) -> Vec<(i32, i32)> {
        let all = (0..8).flat_map(|row| (0..8).map(move |column| (column, row)));
        all.filter(|&(column, row)| !self.flips(side, column, row).is_empty()).collect()
    }

    fn moves(&self) -> Vec<String> {
        let destinations = self.destinations(self.mover);
        if destinations.is_empty() && !self.destinations(other(self.mover)).is_empty() {
            return vec!["pass".into()];
        }
        let mut names: Vec<_> = destinations
            .iter()
            .map(|&(column, row)| format!("{}{}", (b'a' + column as u8) as char, row + 1))
            .collect();
        names.sort();
        names
    }

    fn play(&mut self, name: &str) {
        let mover = self.mover;
        self.mover = other(mover);
        if name == "pass" {
            return;
        }
        let (column, row) = (i32::from(name.as_bytes()[0] - b'a'), i32::from(name.as_bytes()[1] - b'1'));
        for (column, row) in self.flips(mover, column, row) {
            self.rows[row as usize][column as usize] = mover;
        }
        self.rows[row as usize][column as usize] = mover;
    }
}

fn names(moves: &[Move]) -> Vec<String> {
    let mut names: Vec<_> = moves.iter().map(Move::to_string).collect();
    names.sort();
    names
}

/// Plays a random game on both boards and on the grid, compares them at each ply, and returns the number of passes.
fn check_random_game(setup: &Setup, random: &mut SplitMix64) -> usize {
    let mut mailbox = Mailbox::from_setup(setup, &Waivers::All).unwrap();
    let mut bitboard = Bitboard::from_setup(setup, &Waivers::All).unwrap();
    let mut grid = Grid::from_text(&setup.to_text());
    let mut passes = 0;
    loop {
        check_boards_agree(&mailbox, &bitboard);
        assert_eq!(mailbox.to_setup().to_text(), grid.text());
        let moves = sorted_legal_moves(&mailbox);
        assert_eq!(names(&moves), grid.moves(), "{}", grid.text());
        for side in Side::BOTH {
            let letter = if side == Side::First { 'X' } else { 'O' };
            for square in Square::all() {
                let flipped = grid.flips(letter, square.file() as i32, square.rank() as i32);
                let set = flipped.iter().fold(0, |set, (column, row)| set | 1u64 << (row * 8 + column));
                assert_eq!(mailbox.flips(side, square).0, set, "{} {square}", grid.text());
                assert_eq!(bitboard.flips(side, square).0, set, "{} {square}", grid.text());
            }
            assert_eq!(mailbox.mobility(side), bitboard.mobility(side), "{}", grid.text());
            assert_eq!(mailbox.discs(side), bitboard.discs(side), "{}", grid.text());
            assert_eq!(mailbox.final_score(side), bitboard.final_score(side), "{}", grid.text());
        }
        if moves.is_empty() {
            return passes;
        }
        let mv = moves[random.below(moves.len())];
        passes += usize::from(mv.is_pass());
        grid.play(&mv.to_string());
        mailbox.make(mv, &mut ());
        bitboard.make(mv, &mut ());
    }
}

#[test]
fn boards_agree_with_the_reference_in_random_games() {
    let mut random = SplitMix64::new(11);
    let passes: usize = (0..150).map(|_| check_random_game(&Setup::start(), &mut random)).sum();
    assert!(passes > 20, "expected more than 20 passes, found {passes}");
}

#[test]
fn boards_agree_with_the_reference_from_random_setups() {
    let mut random = SplitMix64::new(12);
    for round in 0..150 {
        let occupied = if round % 2 == 0 { random.next_u64() } else { random.next_u64() | random.next_u64() };
        let black = occupied & random.next_u64();
        let side = Side::BOTH[random.below(2)];
        check_random_game(&Setup::from_bitboards(black, occupied & !black, side), &mut random);
    }
}

#[test]
fn incremental_hash_keys_equal_computed_keys() {
    let mut random = SplitMix64::new(13);
    let (mut plies, mut passes) = (0, 0);
    while plies < 1_500_000 {
        let mut bitboard = Bitboard::from_setup(&Setup::start(), &Waivers::None).unwrap();
        loop {
            let moves = sorted_legal_moves(&bitboard);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            bitboard.make(mv, &mut ());
            assert_eq!(bitboard.hash_key(), bitboard.compute_hash_key());
            plies += 1;
            passes += usize::from(mv.is_pass());
        }
    }
    assert!(passes > 10_000, "{passes}");
    let mut plies = 0;
    while plies < 500_000 {
        let mut mailbox = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
        loop {
            let moves = sorted_legal_moves(&mailbox);
            if moves.is_empty() {
                break;
            }
            mailbox.make(moves[random.below(moves.len())], &mut ());
            assert_eq!(mailbox.hash_key(), mailbox.compute_hash_key());
            plies += 1;
        }
    }
}

#[test]
fn key_change_is_its_own_inverse() {
    let start = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
    let pass_change = alfil_othello::mailbox::key_change(Side::First, Move::PASS, core::iter::empty());
    let mut passed = start.clone();
    passed.make_null();
    assert_eq!(passed.hash_key(), start.hash_key() ^ pass_change);
    for mv in sorted_legal_moves(&start) {
        let flipped = start.flips(Side::First, mv.square().unwrap());
        let squares = flipped.iter();
        let change = alfil_othello::mailbox::key_change(Side::First, mv, squares);
        let mut board = start.clone();
        board.make(mv, &mut ());
        assert_eq!(board.hash_key(), start.hash_key() ^ change);
        assert_eq!(board.hash_key() ^ change, start.compute_hash_key());
    }
}
