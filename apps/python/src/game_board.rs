//! The board of every game: a position with its history, written once over [`Position`]. The classes of the games are
//! made of it by the macro of `board_class.rs`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use alfil_kernel::rules::CauseOf;
use alfil_kernel::{
    Dialect as _, Game, GameHistory, Move as _, MoveOf, Notation, Piece as _, Position, Rules, Setup,
    SetupIssue as _, SetupOf, Side, Square as _, SquareOf, Verdict, Waivers, epd,
};
use alfil_session::game_profile::{DialectOf, GameProfile, NotationOf, RulesOf};
use alfil_session::render::{self, PieceStyle};
use alfil_session::typed_session::TypedSession;
use alfil_session::{GameEnd, GameSession};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::errors::{
    AlfilError, IllegalMoveError, InvalidMoveError, InvalidPositionError, notation_error, value_error,
};
use crate::results::PyOutcome;

/// The text of a null move in coordinates, as UCI writes it.
pub(crate) const NULL_MOVE: &str = "0000";

/// What the classes need of a game beside its profile.
pub(crate) trait PythonGame: Position
where
    Self::Game: GameProfile<Self>,
{
    /// Whether `--` and the like are null moves in the notation of people; in Othello they are passes.
    const HAS_NULL_TEXT: bool;

    /// Returns the move as it is written in coordinates.
    fn written_move(&self, mv: MoveOf<Self>) -> MoveOf<Self> {
        mv
    }

    /// Returns the move that is written so, legal or not.
    fn read_move(&self, written: MoveOf<Self>) -> MoveOf<Self> {
        written
    }

    /// Parses the coordinates of a move, legal or not.
    fn parse_coordinates(text: &str) -> Option<MoveOf<Self>>;

    /// Returns the dialect that people write: SAN, WXF, transcripts.
    fn written_dialect() -> DialectOf<Self>;

    /// Returns the rules by which a board judges if the caller names none.
    fn default_judge() -> RulesOf<Self>;

    /// Returns the session that describes positions of this game for readers.
    fn reader() -> &'static Mutex<TypedSession<Self>>;
}

/// The operations of an EPD: names and operands.
pub(crate) type Operations = Vec<(String, Vec<String>)>;

/// A position and the moves that led to it.
#[derive(Clone, Debug)]
pub(crate) struct GameBoard<P: Position> {
    pub(crate) game: GameHistory<P>,
    /// The moves as written, because the form of castling depends on the position before it.
    written: Vec<Option<MoveOf<P>>>,
    waived: Vec<String>,
}

/// Returns the waivers with these names.
fn waivers_of<P: Position>(names: &[String]) -> PyResult<Waivers> {
    let known = SetupOf::<P>::WAIVABLE;
    if names.iter().any(|name| name == "all") {
        return Ok(Waivers::All);
    }
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => {
            let known = known.join(", ");
            let message = format!("{name:?} cannot be waived; choose \"all\" or some of: {known}");
            Err(AlfilError::new_err(message))
        }
        None => Ok(Waivers::Named(names.to_vec())),
    }
}

/// Parses a position text or an EPD; `startpos` is the start position.
fn parse_epd<P: Position>(text: &str) -> PyResult<epd::Epd<SetupOf<P>>> {
    match text.trim() {
        "startpos" => Ok(epd::Epd { setup: SetupOf::<P>::start(), operations: Vec::new() }),
        text => epd::parse(text)
            .map_err(|error: epd::EpdError<_>| InvalidPositionError::new_err(error.to_string())),
    }
}

/// Parses a position text, whatever issues the position has.
pub(crate) fn parse_setup<P: Position>(text: &str) -> PyResult<SetupOf<P>> {
    Ok(parse_epd::<P>(text)?.setup)
}

impl<P: PythonGame> GameBoard<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates a board from a position text, or at the start position.
    pub(crate) fn new(text: Option<&str>, waived: Vec<String>) -> PyResult<Self> {
        let setup = text.map_or_else(|| Ok(SetupOf::<P>::start()), parse_setup::<P>)?;
        Self::from_setup(&setup, waived)
    }

    /// Creates a board from a setup.
    pub(crate) fn from_setup(setup: &SetupOf<P>, waived: Vec<String>) -> PyResult<Self> {
        let game = GameHistory::new(setup, &waivers_of::<P>(&waived)?)
            .map_err(|error| InvalidPositionError::new_err(format!("invalid position: {error}")))?;
        Ok(GameBoard { game, written: Vec::new(), waived })
    }

    /// Creates a board from an EPD, with its operations.
    pub(crate) fn from_epd(text: &str, waived: Vec<String>) -> PyResult<(Self, Operations)> {
        let epd = parse_epd::<P>(text)?;
        let operations = epd.operations.into_iter().map(|operation| (operation.name, operation.operands));
        Ok((Self::from_setup(&epd.setup, waived)?, operations.collect()))
    }

    pub(crate) fn waived(&self) -> &[String] {
        &self.waived
    }

    pub(crate) fn fen(&self) -> String {
        self.game.to_setup().to_text()
    }

    /// Returns whether both positions are the same, with equal counters. A square behind a pawn counts if the pawn can
    /// be captured en passant, as in the hash key; the texts have it if an enemy pawn attacks it.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        let (ours, theirs) = (self.game.to_setup(), other.game.to_setup());
        self.game.position().hash_key() == other.game.position().hash_key()
            && ours.counters() == theirs.counters()
            && self.pieces().eq(other.pieces())
    }

    pub(crate) fn start_fen(&self) -> String {
        self.game.start_setup().to_text()
    }

    /// Returns the same game before its first move.
    pub(crate) fn root(&self) -> PyResult<Self> {
        Self::from_setup(self.game.start_setup(), self.waived.clone())
    }

    /// Returns the same position without the moves that led to it.
    pub(crate) fn without_moves(&self) -> PyResult<Self> {
        let game = GameHistory::new(&self.game.to_setup(), &Waivers::All).map_err(value_error)?;
        Ok(GameBoard { game, written: Vec::new(), waived: vec!["all".into()] })
    }

    pub(crate) fn is_first_to_move(&self) -> bool {
        self.game.side_to_move() == Side::First
    }

    pub(crate) fn move_stack(&self) -> &[Option<MoveOf<P>>] {
        &self.written
    }

    /// Returns the legal moves as they are written.
    pub(crate) fn legal_moves(&self) -> Vec<MoveOf<P>> {
        let position = self.game.position();
        position.legal_moves().iter().map(|&mv| position.written_move(mv)).collect()
    }

    /// Returns the legal move that is written so.
    fn find_legal(&self, written: MoveOf<P>) -> Option<MoveOf<P>> {
        let position = self.game.position();
        let mv = position.read_move(written);
        (position.is_pseudo_legal(mv) && position.is_legal(mv)).then_some(mv)
    }

    pub(crate) fn is_legal(&self, written: Option<MoveOf<P>>) -> bool {
        written.is_some_and(|written| self.find_legal(written).is_some())
    }

    /// Returns the legal move that is written so.
    pub(crate) fn legal(&self, written: Option<MoveOf<P>>) -> PyResult<MoveOf<P>> {
        let Some(written) = written else {
            return Err(IllegalMoveError::new_err("a null move is not legal; push it to pass the turn"));
        };
        self.find_legal(written).ok_or_else(|| self.illegal_move(written))
    }

    fn illegal_move(&self, written: MoveOf<P>) -> PyErr {
        let text = format!("{written:?}");
        let message = match NotationOf::<P>::parse_move(self.game.position(), &text, DialectOf::<P>::ALL[0]) {
            Err(error) => error.to_string(),
            Ok(_) => format!("{text:?} is illegal here"),
        };
        IllegalMoveError::new_err(format!("{message}, in {}", self.fen()))
    }

    /// Plays a legal move, or a null move.
    pub(crate) fn push(&mut self, written: Option<MoveOf<P>>) -> PyResult<()> {
        match written {
            None if self.game.in_check() => {
                let message = format!("a null move in check, in {}", self.fen());
                return Err(IllegalMoveError::new_err(message));
            }
            None => self.game.push_null(&mut ()),
            Some(_) => {
                let mv = self.legal(written)?;
                self.game.push(mv, &mut ());
            }
        }
        self.written.push(written);
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub(crate) fn pop(&mut self) -> PyResult<Option<MoveOf<P>>> {
        let Some(written) = self.written.pop() else {
            return Err(PyIndexError::new_err("no move was played"));
        };
        self.game.pop(&mut ());
        Ok(written)
    }

    pub(crate) fn peek(&self) -> PyResult<Option<MoveOf<P>>> {
        self.written.last().copied().ok_or_else(|| PyIndexError::new_err("no move was played"))
    }

    /// Returns the dialect of a name.
    pub(crate) fn dialect(name: &str) -> PyResult<DialectOf<P>> {
        DialectOf::<P>::from_name(name).ok_or_else(|| {
            let names = Self::dialect_names().join(", ");
            AlfilError::new_err(format!("{} has no notation {name:?}: choose one of {names}", P::Game::NAME))
        })
    }

    pub(crate) fn dialect_names() -> Vec<&'static str> {
        DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect()
    }

    /// Parses a legal move in a dialect, and returns it as it is written in coordinates.
    pub(crate) fn parse_in(&self, text: &str, dialect: DialectOf<P>) -> PyResult<Option<MoveOf<P>>> {
        if text == NULL_MOVE && dialect == DialectOf::<P>::ALL[0] {
            return Ok(None);
        }
        let is_null_text = P::HAS_NULL_TEXT && matches!(text, "--" | "Z0" | "null" | "@@@@" | "<>");
        if is_null_text && dialect == P::written_dialect() {
            return Ok(None);
        }
        let position = self.game.position();
        NotationOf::<P>::parse_move(position, text, dialect)
            .map(|mv| Some(position.written_move(mv)))
            .map_err(|error| notation_error(&error))
    }

    /// Parses a legal move in the dialect that can read it, the preferred one first.
    pub(crate) fn parse_any(&self, text: &str, preferred: DialectOf<P>) -> PyResult<Option<MoveOf<P>>> {
        let can_read = |dialect: &DialectOf<P>| NotationOf::<P>::normalise(text, *dialect).is_some();
        let mut candidates = [preferred].into_iter().chain(DialectOf::<P>::ALL.iter().copied());
        self.parse_in(text, candidates.find(can_read).unwrap_or(preferred))
    }

    /// Parses coordinates, legal or not.
    pub(crate) fn parse_coordinates(text: &str) -> PyResult<Option<MoveOf<P>>> {
        if text == NULL_MOVE {
            return Ok(None);
        }
        P::parse_coordinates(text).map(Some).ok_or_else(|| {
            let expected = DialectOf::<P>::ALL[0].expected_form();
            InvalidMoveError::new_err(format!("cannot read {text:?} as a move: expected {expected}"))
        })
    }

    /// Formats a legal move in a dialect.
    pub(crate) fn format(&self, written: Option<MoveOf<P>>, dialect: DialectOf<P>) -> PyResult<String> {
        if written.is_none() {
            let is_coordinates = dialect == DialectOf::<P>::ALL[0];
            return Ok(if is_coordinates { NULL_MOVE } else { "--" }.to_owned());
        }
        Ok(NotationOf::<P>::format_move(self.game.position(), self.legal(written)?, dialect))
    }

    /// Formats a line of moves from this position.
    pub(crate) fn format_line(
        &self,
        line: &[Option<MoveOf<P>>],
        dialect: DialectOf<P>,
    ) -> PyResult<Vec<String>> {
        let mut board = self.clone();
        line.iter()
            .map(|&written| {
                let text = board.format(written, dialect)?;
                board.push(written)?;
                Ok(text)
            })
            .collect()
    }

    pub(crate) fn is_capture(&self, written: Option<MoveOf<P>>) -> PyResult<bool> {
        Ok(self.game.position().captured_piece(self.legal(written)?).is_some())
    }

    pub(crate) fn gives_check(&self, written: Option<MoveOf<P>>) -> PyResult<bool> {
        let mut position = self.game.position().clone();
        position.make(self.legal(written)?, &mut ());
        Ok(position.in_check())
    }

    /// Returns the end of the game under these rules; none if it continues.
    pub(crate) fn end(&self, rules: &RulesOf<P>) -> Option<PyOutcome> {
        let verdict: Verdict<CauseOf<P>> = rules.judge(&self.game)?;
        let position = self.game.position();
        let end = GameEnd {
            outcome: verdict.outcome,
            margin: verdict.margin,
            cause: verdict.cause.to_string(),
            message: <P::Game as GameProfile<P>>::verdict_message(position, &verdict),
            message_zh: <P::Game as GameProfile<P>>::verdict_message_zh(position, &verdict),
        };
        Some(end.into())
    }

    /// Returns the letters of the pieces with the indices of their squares.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (usize, char)> + '_ {
        let squares = (0..P::Game::SQUARES).filter_map(SquareOf::<P>::from_index);
        squares.filter_map(|square| {
            self.game.position().piece_on(square).map(|piece| (square.index(), piece.letter()))
        })
    }

    /// Returns the letter of the piece on a square.
    pub(crate) fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
        let square = square_of::<P>(square)?;
        Ok(self.game.position().piece_on(square).map(|piece| piece.letter()))
    }

    /// Calls `read` with a session of this game.
    fn read<R>(&self, read: impl FnOnce(&TypedSession<P>) -> R) -> R {
        let mut session = P::reader().lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        session.set_game(self.game.clone());
        read(&session)
    }

    pub(crate) fn svg(&self) -> String {
        self.read(|session| render::render_svg(session.appearance(), &session.view()))
    }

    pub(crate) fn text(&self, is_ascii: bool) -> String {
        let style = if is_ascii { PieceStyle::Ascii } else { PieceStyle::Hanzi };
        self.read(|session| render::render_text(session.appearance(), &session.view(), style))
    }

    /// Returns the issues of a position text: the name, the sentence, and whether the issue can be waived.
    pub(crate) fn issues(text: &str) -> PyResult<Vec<(&'static str, String, bool)>> {
        let issues = parse_setup::<P>(text)?.issues();
        Ok(issues.iter().map(|issue| (issue.name(), issue.to_string(), issue.is_waivable())).collect())
    }

    /// Returns one plane of bytes for each piece, then one that is 1 if the first side is to move.
    pub(crate) fn append_planes(&self, bytes: &mut Vec<u8>) {
        let (squares, pieces) = (P::Game::SQUARES, P::Game::PIECES);
        let start = bytes.len();
        bytes.resize(start + squares * (pieces + 1), 0);
        let planes = &mut bytes[start..];
        for square in (0..squares).filter_map(SquareOf::<P>::from_index) {
            if let Some(piece) = self.game.position().piece_on(square) {
                planes[piece.index() * squares + square.index()] = 1;
            }
        }
        planes[pieces * squares..].fill(u8::from(self.is_first_to_move()));
    }
}

/// Returns the square of an index or a name.
fn square_of<P: Position>(square: &Bound<'_, PyAny>) -> PyResult<SquareOf<P>> {
    let found = match square.extract::<usize>() {
        Ok(index) => SquareOf::<P>::from_index(index),
        Err(_) => SquareOf::<P>::from_name(&square.extract::<String>()?),
    };
    found.ok_or_else(|| AlfilError::new_err(format!("{} has no square {square}", P::Game::NAME)))
}

/// Returns the name of the square with an index.
pub(crate) fn square_name<P: Position>(index: usize) -> PyResult<String> {
    let square = SquareOf::<P>::from_index(index).map(|square| square.to_string());
    square.ok_or_else(|| AlfilError::new_err(format!("{} has no square {index}", P::Game::NAME)))
}

/// Returns the index of the square with a name.
pub(crate) fn parse_square<P: Position>(name: &str) -> PyResult<usize> {
    let square = SquareOf::<P>::from_name(name).map(|square| square.index());
    square.ok_or_else(|| AlfilError::new_err(format!("{} has no square {name:?}", P::Game::NAME)))
}

/// Returns the letters of the pieces in the order of their planes.
pub(crate) fn piece_letters<P: Position>() -> String {
    let pieces = (0..P::Game::PIECES).filter_map(alfil_kernel::PieceOf::<P>::from_index);
    pieces.map(|piece| piece.letter()).collect()
}

/// Returns the piece that a move promotes to, as a letter.
pub(crate) fn promotion<P: Position>(mv: MoveOf<P>) -> Option<char>
where
    P::Game: GameProfile<P>,
{
    <P::Game as GameProfile<P>>::promotion_letter(mv)
}

/// Returns the bits of moves, 0 for a null move, to be pickled.
pub(crate) fn move_bits<P: Position>(moves: &[Option<MoveOf<P>>]) -> Vec<u64> {
    use alfil_kernel::MoveBits as _;
    moves.iter().map(|mv| mv.map_or(0, |mv| mv.bits().to_u64())).collect()
}

/// Returns the moves of such bits.
///
/// # Errors
/// Returns an error if bits encode no move.
pub(crate) fn moves_from_bits<P: Position>(bits: &[u64]) -> PyResult<Vec<Option<MoveOf<P>>>> {
    use alfil_kernel::MoveBits as _;
    let parse = |&bits: &u64| {
        let narrow = <MoveOf<P> as alfil_kernel::Move>::Bits::from_u64(bits);
        let is_narrow = narrow.to_u64() == bits;
        match bits {
            0 => Ok(None),
            _ => MoveOf::<P>::from_bits(narrow)
                .filter(|_| is_narrow)
                .map(Some)
                .ok_or_else(|| InvalidMoveError::new_err(format!("{bits} encodes no move"))),
        }
    };
    bits.iter().map(parse).collect()
}

/// The number of plies whose moves are counted as separate tasks.
const SPLIT_PLIES: u32 = 2;

/// The depth that the board counts at once: a fraction of a second, after which the count looks at the flag.
const UNINTERRUPTED_PLIES: u32 = 4;

/// Counts the legal move paths to a depth; too few if `stop` was set meanwhile.
fn count_paths<P: Position>(position: &P, depth: u32, stop: &AtomicBool) -> u128 {
    if depth <= UNINTERRUPTED_PLIES || position.has_no_legal_move() {
        return u128::from(position.perft(depth));
    }
    let moves = position.legal_moves();
    let going = moves.iter().take_while(|_| !stop.load(Ordering::Relaxed));
    going.map(|&mv| count_paths(&after(position, mv), depth - 1, stop)).sum()
}

/// Returns the position after a move.
fn after<P: Position>(position: &P, mv: MoveOf<P>) -> P {
    let mut after = position.clone();
    after.make(mv, &mut ());
    after
}

/// Counts the legal move paths to a depth; `None` if `stop` was set meanwhile.
pub(crate) fn perft<P: Position>(
    position: &P,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Option<u128> {
    let mut tasks = vec![(position.clone(), depth)];
    for _ in 0..SPLIT_PLIES {
        // Positions without moves are counted by the board.
        let split = |(position, depth): (P, u32)| {
            if depth <= 1 || position.has_no_legal_move() {
                return vec![(position, depth)];
            }
            position.legal_moves().iter().map(|&mv| (after(&position, mv), depth - 1)).collect()
        };
        tasks = tasks.into_iter().flat_map(split).collect();
    }
    let counts = alfil_engine::threads::parallel_map(&tasks, threads, |(position, depth)| {
        if stop.load(Ordering::Relaxed) { 0 } else { count_paths(position, *depth, stop) }
    });
    (!stop.load(Ordering::Relaxed)).then(|| counts.into_iter().sum())
}
