//! The main type of a game crate, a game with its history and its rules, written once for all games.

/// Defines the type with which a user of a game crate begins: a game with its history and its rules.
///
/// The type has `new`, `from_fen`, `legal_moves`, `play`, `undo`, `verdict` and more, and implements
/// [`Game`](crate::Game), `FromStr`, `Display`, `Default` and `PartialEq`. The texts are those of the examples of its
/// methods: the crate, a first move as people write it and in coordinates, a move that is illegal at the start, the
/// number of first moves, and a finished position with the name of its outcome.
///
/// ```ignore
/// alfil_kernel::define_game_type! {
///     /// A game of chess.
///     pub struct Chess {
///         name: "chess",
///         types: { Square, Piece, Move, Setup, Cause },
///         board: Bitboard, rules: Ruleset, notation: MoveNotation, dialect: Dialect,
///         examples: {
///             crate: "alfil_chess", first: "e4", coordinates: "e2e4", illegal: "Ke3", count: "20",
///             finished: "7k/8/8/8/8/8/8/K7 w - - 0 1", outcome: "Outcome::Draw"
///         }
///     }
/// }
/// ```
#[macro_export]
macro_rules! define_game_type {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $game:ident {
            name: $name:literal,
            types: { $square:ident, $piece:ident, $move:ident, $setup:ident, $cause:ident },
            board: $board:ty, rules: $rules:ty, notation: $notation:ty, dialect: $dialect:ty,
            examples: {
                crate: $crate_name:literal, first: $first:literal, coordinates: $coordinates:literal,
                illegal: $illegal:literal, count: $count:literal, finished: $finished:literal, outcome: $outcome:literal
            }
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        $visibility struct $game {
            history: $crate::GameHistory<$board>,
            rules: $rules,
        }

        impl $crate::Game for $game {
            const NAME: &'static str = $name;
            const SQUARES: usize = $square::COUNT;
            const PIECES: usize = $piece::COUNT;

            type Square = $square;
            type Piece = $piece;
            type Move = $move;
            type Setup = $setup;
            type Cause = $cause;
        }

        impl $game {
            /// Creates a game at the start position, under the default ruleset.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let mut game = ", stringify!($game), "::new();")]
            #[doc = concat!("assert_eq!(game.legal_moves().len(), ", $count, ");")]
            #[doc = concat!("game.play(\"", $first, "\")?;")]
            #[doc = concat!("# Ok::<(), ", $crate_name, "::notation::NotationError>(())")]
            /// ```
            #[doc(alias = "start position")]
            #[doc(alias = "default")]
            pub fn new() -> Self {
                Self { history: $crate::GameHistory::from_start_position(), rules: <$rules>::default() }
            }

            /// Creates a game at the position of a position text, such as a FEN.
            ///
            /// # Errors
            /// If the text cannot be read, with the place; or if the position is impossible, with its issues.
            /// [`Self::from_setup`] can waive some of them.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let game = ", stringify!($game), "::from_fen(\"", $finished, "\")?;")]
            #[doc = concat!("assert_eq!(game.fen(), \"", $finished, "\");")]
            #[doc = concat!("assert!(", stringify!($game), "::from_fen(\"a text\").is_err());")]
            #[doc = concat!("# Ok::<(), ", $crate_name, "::PositionError>(())")]
            /// ```
            #[doc(alias = "parse fen")]
            #[doc(alias = "load")]
            pub fn from_fen(text: &str) -> Result<Self, $crate::PositionErrorOf<$board>> {
                let setup = <$setup as $crate::Setup>::parse(text)?;
                Ok(Self::from_setup(&setup, &$crate::Waivers::None)?)
            }

            /// Creates a game at the position of a setup. The issues that are waived are allowed: none, all, or those
            /// of an array of waivers.
            ///
            /// # Errors
            /// If the setup has other issues.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let setup: Setup = \"", $finished, "\".parse()?;")]
            #[doc = concat!("assert!(", stringify!($game), "::from_setup(&setup, &Waivers::All).is_ok());")]
            #[doc = concat!("# Ok::<(), ", $crate_name, "::fen::FenError>(())")]
            /// ```
            #[doc(alias = "put")]
            #[doc(alias = "into_position")]
            #[doc(alias = "set_piece_at")]
            pub fn from_setup(
                setup: &$setup,
                waivers: &$crate::Waivers,
            ) -> Result<Self, $crate::SetupError<<$setup as $crate::Setup>::Issue>> {
                let history = $crate::GameHistory::new(setup, waivers)?;
                Ok(Self { history, rules: <$rules>::default() })
            }

            /// Returns the same game under another ruleset.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let game = ", stringify!($game), "::new().with_rules(Ruleset::default());")]
            /// assert_eq!(game.rules(), &Ruleset::default());
            /// ```
            #[must_use]
            pub fn with_rules(self, rules: $rules) -> Self {
                Self { rules, ..self }
            }

            /// Returns the ruleset.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($game), "::new().rules(), &Ruleset::default());")]
            /// ```
            pub fn rules(&self) -> &$rules {
                &self.rules
            }

            /// Returns the board, whose methods are those of the traits `Position` and `Board`.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let game = ", stringify!($game), "::new();")]
            #[doc = concat!("assert_eq!(game.position().perft(1), ", $count, ");")]
            /// ```
            #[doc(alias = "board")]
            #[doc(alias = "zobrist")]
            #[doc(alias = "attackers")]
            #[doc(alias = "piece_at")]
            pub fn position(&self) -> &$board {
                self.history.position()
            }

            /// Returns the current position with the moves and positions before it, as rulesets and searches need them.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($game), "::new().history().occurrences(), 1);")]
            /// ```
            #[doc(alias = "repetition")]
            #[doc(alias = "occurrences")]
            pub fn history(&self) -> &$crate::GameHistory<$board> {
                &self.history
            }

            /// Returns the position text, such as a FEN.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let game = ", stringify!($game), "::new();")]
            #[doc = concat!("assert_eq!(", stringify!($game), "::from_fen(&game.fen())?, game);")]
            #[doc = concat!("# Ok::<(), ", $crate_name, "::PositionError>(())")]
            /// ```
            #[doc(alias = "to_fen")]
            #[doc(alias = "epd")]
            pub fn fen(&self) -> $crate::__private::String {
                $crate::Setup::to_text(&self.history.to_setup())
            }

            /// Returns the side to move.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let mut game = ", stringify!($game), "::new();")]
            /// assert_eq!(game.side_to_move(), Side::First);
            #[doc = concat!("game.play(\"", $first, "\")?;")]
            /// assert_eq!(game.side_to_move(), Side::Second);
            #[doc = concat!("# Ok::<(), ", $crate_name, "::notation::NotationError>(())")]
            /// ```
            #[doc(alias = "turn")]
            pub fn side_to_move(&self) -> $crate::Side {
                self.history.side_to_move()
            }

            /// Returns whether the side to move is in check; never in a game without kings.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("assert!(!", stringify!($game), "::new().in_check());")]
            /// ```
            #[doc(alias = "is_check")]
            #[doc(alias = "checkers")]
            pub fn in_check(&self) -> bool {
                self.history.in_check()
            }

            /// Returns the legal moves.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let game = ", stringify!($game), "::new();")]
            #[doc = concat!("assert_eq!(game.legal_moves().len(), ", $count, ");")]
            #[doc = concat!("assert!(game.legal_moves().iter().any(|mv| mv.to_string() == \"", $coordinates, "\"));")]
            /// ```
            #[doc(alias = "legal moves")]
            #[doc(alias = "generate moves")]
            #[doc(alias = "movegen")]
            pub fn legal_moves(&self) -> $crate::MoveList<$move> {
                $crate::Position::legal_moves(self.position())
            }

            /// Returns the legal moves that the ruleset refuses in this game now, with the reason; most rulesets refuse
            /// none. [`Self::play`] and [`Self::play_move`] play every legal move, these too.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("assert!(", stringify!($game), "::new().refused_moves().is_empty());")]
            /// ```
            pub fn refused_moves(&self) -> $crate::__private::Vec<$crate::RefusedMove<$move, $cause>> {
                $crate::Rules::refused_moves(&self.rules, &self.history)
            }

            /// Returns whether a move is legal.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let mv: Move = \"", $coordinates, "\".parse()?;")]
            #[doc = concat!("assert!(", stringify!($game), "::new().is_legal(mv));")]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[doc(alias = "legal_move")]
            pub fn is_legal(&self, mv: $move) -> bool {
                let position = self.position();
                $crate::Position::is_pseudo_legal(position, mv) && $crate::Position::is_legal(position, mv)
            }

            /// Reads the text of a legal move: in the dialect that people write (`Dialect::WRITTEN`), else in the first
            /// that can read it. Where the dialect is known, use `Notation::parse_move`.
            ///
            /// # Errors
            /// If the text is no move, or the move is not legal, or the text fits several moves; with the reason.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let game = ", stringify!($game), "::new();")]
            #[doc = concat!("assert_eq!(game.parse_move(\"", $first, "\")?, game.parse_move(\"", $coordinates, "\")?);")]
            #[doc = concat!("assert!(game.parse_move(\"", $illegal, "\").is_err());")]
            #[doc = concat!("# Ok::<(), ", $crate_name, "::notation::NotationError>(())")]
            /// ```
            #[doc(alias = "parse san")]
            #[doc(alias = "parse uci")]
            #[doc(alias = "from_san")]
            #[doc(alias = "to_move")]
            pub fn parse_move(&self, text: &str) -> Result<$move, $crate::NotationErrorOf<$board, $notation>> {
                <$notation as $crate::Notation<$board>>::parse_any(self.position(), text)
            }

            /// Returns the text of a legal move in a dialect.
            ///
            /// # Errors
            /// If the move is not legal, with the reason.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let game = ", stringify!($game), "::new();")]
            #[doc = concat!("let mv = game.parse_move(\"", $first, "\")?;")]
            #[doc = concat!("assert_eq!(game.format_move(mv, Dialect::WRITTEN)?, \"", $first, "\");")]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[doc(alias = "san")]
            #[doc(alias = "write san")]
            #[doc(alias = "move to text")]
            #[doc(alias = "variation_san")]
            pub fn format_move(
                &self,
                mv: $move,
                dialect: $dialect,
            ) -> Result<$crate::__private::String, $crate::IllegalMoveError<$move>> {
                self.history.check_move(mv)?;
                Ok(<$notation as $crate::Notation<$board>>::format_move(self.position(), mv, dialect))
            }

            /// Plays the move of a text and returns it; [`Self::parse_move`] says which texts are read.
            ///
            /// # Errors
            /// As [`Self::parse_move`]; the game is then unchanged.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let mut game = ", stringify!($game), "::new();")]
            #[doc = concat!("assert_eq!(game.play(\"", $first, "\")?.to_string(), \"", $coordinates, "\");")]
            #[doc = concat!("let error = game.play(\"", $illegal, "\").unwrap_err();")]
            #[doc = concat!("assert!(error.to_string().contains(\"", $illegal, "\"), \"{error}\");")]
            #[doc = concat!("# Ok::<(), ", $crate_name, "::notation::NotationError>(())")]
            /// ```
            #[doc(alias = "push_san")]
            #[doc(alias = "push_uci")]
            #[doc(alias = "make move")]
            pub fn play(&mut self, text: &str) -> Result<$move, $crate::NotationErrorOf<$board, $notation>> {
                let mv = self.parse_move(text)?;
                self.history.push(mv, &mut ());
                Ok(mv)
            }

            /// Plays a move.
            ///
            /// # Errors
            /// If the move is not legal, with the reason; the game is then unchanged.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let mut game = ", stringify!($game), "::new();")]
            /// let mv = game.legal_moves()[0];
            /// game.play_move(mv)?;
            /// assert!(game.play_move(mv).is_err());
            #[doc = concat!("# Ok::<(), ", $crate_name, "::kernel::IllegalMoveError<Move>>(())")]
            /// ```
            #[doc(alias = "push")]
            pub fn play_move(&mut self, mv: $move) -> Result<(), $crate::IllegalMoveError<$move>> {
                self.history.try_play(mv)
            }

            /// Takes the last move back and returns it; none if no move was played.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let mut game = ", stringify!($game), "::new();")]
            #[doc = concat!("let mv = game.play(\"", $first, "\")?;")]
            /// assert_eq!((game.undo(), game.undo()), (Some(mv), None));
            #[doc = concat!("assert_eq!(game, ", stringify!($game), "::new());")]
            #[doc = concat!("# Ok::<(), ", $crate_name, "::notation::NotationError>(())")]
            /// ```
            #[doc(alias = "pop")]
            #[doc(alias = "unmake")]
            #[doc(alias = "take back")]
            pub fn undo(&mut self) -> Option<$move> {
                self.history.last_ply()?;
                self.history.pop(&mut ()).mv()
            }

            /// Returns the moves that were played.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("let mut game = ", stringify!($game), "::new();")]
            #[doc = concat!("let mv = game.play(\"", $first, "\")?;")]
            /// assert_eq!(game.moves().collect::<Vec<_>>(), [mv]);
            #[doc = concat!("# Ok::<(), ", $crate_name, "::notation::NotationError>(())")]
            /// ```
            #[doc(alias = "move_stack")]
            #[doc(alias = "history")]
            pub fn moves(&self) -> impl Iterator<Item = $move> + '_ {
                self.history.moves()
            }

            /// Returns the outcome under the ruleset with its cause, if the game is over.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($game), "::new().verdict(), None);")]
            #[doc = concat!("let game = ", stringify!($game), "::from_fen(\"", $finished, "\")?;")]
            #[doc = concat!("assert_eq!(game.verdict().unwrap().outcome, ", $outcome, ");")]
            #[doc = concat!("# Ok::<(), ", $crate_name, "::PositionError>(())")]
            /// ```
            #[doc(alias = "outcome")]
            #[doc(alias = "status")]
            #[doc(alias = "result")]
            #[doc(alias = "checkmate")]
            #[doc(alias = "stalemate")]
            #[doc(alias = "threefold repetition")]
            #[doc(alias = "insufficient material")]
            pub fn verdict(&self) -> Option<$crate::Verdict<$cause>> {
                $crate::Rules::judge(&self.rules, &self.history)
            }

            /// Returns whether the game is over under the ruleset.
            ///
            /// ```
            #[doc = concat!("use ", $crate_name, "::prelude::*;")]
            ///
            #[doc = concat!("assert!(!", stringify!($game), "::new().is_over());")]
            /// ```
            #[doc(alias = "is_game_over")]
            pub fn is_over(&self) -> bool {
                self.verdict().is_some()
            }
        }

        impl Default for $game {
            fn default() -> Self {
                Self::new()
            }
        }

        /// Games are equal if they have the same rules, the same start and the same moves.
        impl PartialEq for $game {
            fn eq(&self, other: &Self) -> bool {
                self.rules == other.rules
                    && self.history.start_setup() == other.history.start_setup()
                    && self.moves().eq(other.moves())
            }
        }

        impl Eq for $game {}

        /// Writes the position as [`Self::fen`].
        impl ::core::fmt::Display for $game {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(&self.fen())
            }
        }

        /// Reads a position as [`Self::from_fen`].
        impl ::core::str::FromStr for $game {
            type Err = $crate::PositionErrorOf<$board>;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::from_fen(text)
            }
        }
    };
}
