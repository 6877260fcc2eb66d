//! What a game's room must bring so that the hall can seat people at it.

use alfil_kernel::position::{ExpectedOf, IssueOf};
use alfil_kernel::rules::CauseOf;
use alfil_kernel::{
    Game, GameHistory, Move as _, Notation, NotationError, Oracle, Position, Rules, Side, Verdict,
};

use alfil_search::SearchEvaluator;

use crate::appearance::Appearance;
use crate::game_session::{Problem, SessionError, SolveRequest};
use crate::rulings::{Ruling, RulingRequest};
use crate::searcher::MonitorControl;
use crate::tactical_marks::TacticalMark;
use crate::workers::Workers;

/// Men and where they stand.
pub type PlacedPieces<G> = Vec<(<G as Game>::Square, <G as Game>::Piece)>;

/// A text that names no legal move, as the game's notation says why.
pub type MoveError<P> =
    NotationError<<<<P as Position>::Game as GameProfile<P>>::Notation as Notation<P>>::IllegalReason>;

/// A game as the hall knows it: its laws, its evaluation, its notation, what it looks like, and its words.
pub trait GameProfile<P: Position<Game = Self>>: Game {
    /// The rule books.
    type Rules: Rules<P> + Default;
    /// What positions are worth.
    type Evaluator: SearchEvaluator<P> + Default;
    /// What knows exact values: an endgame solver, or `()`.
    type Oracle: Oracle<P>;
    /// How moves are written.
    type Notation: Notation<P>;

    /// The positions of the fixed search by which a change of search or evaluation is recognised.
    const BENCH_POSITIONS: &'static [&'static str];
    /// How deep it goes, in plies.
    const BENCH_DEPTH: u32;

    /// What to draw.
    fn appearance() -> &'static Appearance;

    /// A verdict in a sentence for people.
    fn verdict_message(position: &P, verdict: &Verdict<CauseOf<P>>) -> String;

    /// The same verdict in Chinese.
    fn verdict_message_zh(position: &P, verdict: &Verdict<CauseOf<P>>) -> String;

    /// What is wrong with a position, in Chinese.
    fn issue_message_zh(complaint: &IssueOf<P>) -> String;

    /// What should stand in a position text, in Chinese.
    fn expected_message_zh(expected: &ExpectedOf<P>) -> String;

    /// A move that cannot be read or played, in Chinese.
    fn move_error_message_zh(error: &MoveError<P>) -> String;

    /// Where the king stands that is in check; games without kings have none.
    fn checked_king(_position: &P) -> Option<Self::Square> {
        None
    }

    /// How many men each side has, in games that are won by counting them.
    fn piece_counts(_position: &P) -> Option<[usize; 2]> {
        None
    }

    /// Makes the oracle that a search asks for exact values.
    fn oracle() -> Self::Oracle;

    /// The names of the ways to count passes, the default first; none where there are no passes.
    const PASS_CONVENTIONS: &'static [&'static str] = &[];

    /// Which of [`Room::CONVENTIONS`] is meant, by its name or in the words of a collection of counts.
    fn parse_pass_convention(_words: &str) -> Option<&'static str> {
        None
    }

    /// The number of legal move paths, passes counted by one of [`Room::CONVENTIONS`].
    fn perft(position: &P, depth: u32, _convention: Option<&str>) -> u64 {
        position.perft(depth)
    }

    /// How much depth is left after a move, passes counted by one of [`Room::CONVENTIONS`].
    fn depth_after(_mv: Self::Move, depth: u32, _convention: Option<&str>) -> u32 {
        depth - 1
    }

    /// The squares on which a hand may set the man down for this legal move, the usual one first. More than one where a
    /// move can be shown in several ways; none for a pass.
    fn target_squares(_position: &P, mv: Self::Move) -> Vec<Self::Square> {
        mv.target().into_iter().collect()
    }

    /// What tells this move from others between the same squares: the letter of the piece promoted to.
    fn promotion_letter(_mv: Self::Move) -> Option<char> {
        None
    }

    /// The position text of men set up by hand, with nothing known of the road: rows from the top, numbers for what is
    /// empty, `w` for the first side to move and `b` for the second, as xiangqi and chess write it.
    fn text_from_pieces(men: &[(String, char)], side: Side) -> String {
        let rows = Self::appearance().rows(men);
        let rows: Vec<_> = rows.iter().map(|row| compress_row(row)).collect();
        format!("{} {} {} - 0 1", rows.join("/"), ["w", "b"][side.index()], Self::castling_field(men))
    }

    /// The men of a position text and the side to move, whatever is wrong with it: what [`Room::compose`] is given.
    fn pieces_of_setup(setup: &Self::Setup) -> (PlacedPieces<Self>, Side);

    /// The field of the position text for what men at home may still do if none of them has moved (castling).
    fn castling_field(_men: &[(String, char)]) -> String {
        "-".into()
    }

    /// What lies behind a position's moves and is easily overlooked, for a page that shows it.
    fn tactical_marks(_position: &P) -> Vec<TacticalMark> {
        Vec::new()
    }

    /// The rule book that people play by.
    fn default_rules() -> Self::Rules {
        Self::Rules::default()
    }

    /// The names of the rule books that can rule on a game, the one between people first; none if there is only one.
    const RULESETS: &'static [&'static str] = &[];

    /// The rule book of a name.
    ///
    /// # Errors
    /// If there is none of that name.
    fn rules_from_name(name: &str) -> Result<Self::Rules, SessionError> {
        Err(SessionError::new(format!("{} has no rule book {name:?} to choose", Self::NAME)))
    }

    /// A ruling under a named book, moves written in the dialect; none if the game has no named books.
    fn ruling(
        _line: &GameHistory<P>,
        _ask: &RulingRequest,
        _dialect: <Self::Notation as Notation<P>>::Dialect,
    ) -> Option<Result<Ruling, SessionError>> {
        None
    }

    /// Solves a position exactly; `control` receives each improvement. `None` where the game has no solver.
    fn solve(
        _position: &P,
        _request: &SolveRequest,
        _workers: &dyn Workers,
        _control: &mut MonitorControl<'_, P>,
    ) -> Option<SolvedLine<Self::Move>> {
        None
    }

    /// The problems in a file; none where the game has no such files.
    fn parse_problems(_text: &str) -> Option<Result<Vec<Problem>, SessionError>> {
        None
    }
}

/// A row with its empty squares as numbers.
fn compress_row(row: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for man in row {
        match man {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(*letter);
            }
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

/// What a solver came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedLine<M> {
    /// For the side to move.
    pub score: i32,
    /// Best play to the end of the game.
    pub pv: Vec<M>,
    /// Positions visited.
    pub nodes: u64,
}
