//! The 64 squares of the board.

use alfil_kernel::define_square;

define_square! {
    /// A square with an index from 0 (`a1`) to 63 (`h8`): row by row from the top, columns a to h from the left.
    ///
    /// ```
    /// use alfil_othello::Square;
    ///
    /// let square: Square = "f5".parse().unwrap();
    /// assert_eq!((square.index(), square.file(), square.rank()), (37, 5, 4));
    /// assert!("i1".parse::<Square>().is_err());
    /// ```
    pub struct Square {
        files: 8, ranks: 8, first_rank: 1, expected: "a column a to h and a row 1 to 8, such as f5"
    }
}
