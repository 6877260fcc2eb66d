//! The calls of boards.

use std::borrow::Cow;

use alfil_kernel::{Outcome, Side};
use alfil_session::board_setup::AnySetup;
#[cfg(feature = "chess")]
use alfil_session::game_board::GameBoard;
#[cfg(feature = "pictures")]
use alfil_session::render::PieceStyle;
use alfil_session::{
    AnyBoard, BoardGame, ErrorKind, RefusedBoardMove, RulingRequest, SessionError, check_perft_depth,
};

use crate::answer::{Answer, json};
use crate::errors::{Code, Error};
use crate::games;
use crate::object_table::ObjectTable;
use crate::requests::{
    EndAnswer, IssueAnswer, MoveAnswer, PieceAnswer, RefusedAnswer, Request, RulingAnswer, TargetAnswer,
};

/// The largest integer of which a number of JavaScript holds all smaller ones.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// Returns the colour of a side: `w` for White and Red, `b` for Black.
fn color(game: &dyn BoardGame, side: Side) -> char {
    if side == game.white() { 'w' } else { 'b' }
}

/// A board, or a position that is set up in its place.
#[derive(Clone)]
pub(crate) struct Board {
    board: Box<dyn AnyBoard>,
    /// The position that is set up, while it cannot be played; the board is then the one before.
    setup: Option<Box<dyn AnySetup>>,
}

impl From<Box<dyn AnyBoard>> for Board {
    fn from(board: Box<dyn AnyBoard>) -> Self {
        Board { board, setup: None }
    }
}

impl Board {
    /// Returns the board.
    ///
    /// # Errors
    /// Returns an error if a position is set up that cannot be played.
    pub(crate) fn playable(&self) -> Result<&dyn AnyBoard, Error> {
        match &self.setup {
            None => Ok(&*self.board),
            // It was not possible when the position was changed.
            Some(setup) => Err(setup
                .open(&["all"])
                .err()
                .map_or_else(|| Error::argument("the position cannot be played"), Error::from)),
        }
    }

    fn game(&self) -> &'static dyn BoardGame {
        self.board.game()
    }

    fn fen(&self) -> String {
        self.setup.as_ref().map_or_else(|| self.board.fen(), |setup| setup.text())
    }

    fn side_to_move(&self) -> Side {
        self.setup.as_ref().map_or_else(|| self.board.side_to_move(), |setup| setup.side_to_move())
    }

    /// Changes the position as the request says, and makes a board of it if it can be played. Issues that can be waived
    /// are.
    fn set_up(&mut self, request: &Request) -> Result<(), Error> {
        let mut setup = self.setup.take().unwrap_or_else(|| self.board.to_setup());
        let value = request.text.as_deref().unwrap_or_default();
        let result = match (&request.square, value.chars().next()) {
            (Some(square), Some(letter)) => setup.put(square, letter).map(drop),
            (Some(square), None) => setup.remove(square).map(drop),
            (None, _) => match value {
                "clear" => {
                    setup.clear();
                    Ok(())
                }
                "turn" => {
                    setup.set_side_to_move(!setup.side_to_move());
                    Ok(())
                }
                rights => setup.set_castling_rights(rights),
            },
        };
        // The position was not changed if the call has failed.
        match setup.open(&["all"]) {
            Ok(board) if result.is_ok() => *self = Board::from(board),
            Ok(_) => {}
            Err(_) => self.setup = Some(setup),
        }
        Ok(result?)
    }
}

/// Returns a board of a request: its game, position text, waivers and moves.
fn make_board(request: &Request) -> Result<Box<dyn AnyBoard>, Error> {
    let waived: Vec<_> = request.waive.iter().map(String::as_str).collect();
    let game = request.game.as_deref().unwrap_or_default();
    let fen = match request.number {
        None => request.fen.as_deref().map(Cow::Borrowed),
        #[cfg(feature = "chess")]
        Some(number) if game == "chess" => {
            use alfil_kernel::Setup as _;
            let message = || Error::argument(format!("Chess960 has no position {number}: choose 0 to 959"));
            let setup = alfil_chess::Setup::chess960(number as usize).ok_or_else(message)?;
            Some(Cow::Owned(setup.to_text()))
        }
        Some(_) => return Err(Error::argument("only chess has numbered start positions")),
    };
    let mut board = games::find(game)?.boards.open(fen.as_deref(), &waived)?;
    play(&mut *board, &request.moves, request.notation.as_deref())?;
    Ok(board)
}

/// Plays moves on a board and returns their numbers.
pub(crate) fn play(
    board: &mut dyn AnyBoard,
    moves: &[String],
    notation: Option<&str>,
) -> Result<Vec<u32>, SessionError> {
    let played = moves.iter().map(|text| {
        let mv = board.parse(text, notation)?;
        board.push(mv)?;
        Ok(mv)
    });
    played.collect()
}

/// Returns a required text of a request.
fn text<'r>(value: &'r Option<String>, name: &str) -> Result<&'r str, Error> {
    value.as_deref().ok_or_else(|| Error::argument(format!("{name} must be a text")))
}

/// Answers a call of boards.
pub(crate) fn answer(
    boards: &mut ObjectTable<Board>,
    name: &str,
    request: &Request,
) -> Result<Answer, Error> {
    match name {
        "new" => {
            let board = make_board(request)?;
            return json(&boards.add(board.into())?);
        }
        "copy" => {
            let board = boards.get(request.id)?.clone();
            return json(&boards.add(board)?);
        }
        "issues" => return json(&issues(request)?),
        _ => {}
    }
    let board = boards.get(request.id)?;
    if let Some(answer) = answer_setup(board, name, request)? {
        return Ok(answer);
    }
    board.playable()?;
    answer_playable(&mut board.board, name, request)
}

/// Answers the calls of a board that change its position, and those that work, too, if it cannot be played: the others
/// are answered in JavaScript.
fn answer_setup(board: &mut Board, name: &str, request: &Request) -> Result<Option<Answer>, Error> {
    let answer = match name {
        "fen" => json(&board.fen()),
        "turn" => json(&color(board.game(), board.side_to_move())),
        "notations" => json(&board.game().dialects()),
        "squares" => json(&square_names(board.game())),
        "load" => {
            // The board is unchanged if the new position cannot be made.
            *board = make_board(request)?.into();
            json(&())
        }
        "pieces" => match &board.setup {
            None => json(&pieces(&*board.board)),
            Some(setup) => json(&setup_pieces(&**setup)),
        },
        "setUp" => {
            board.set_up(request)?;
            json(&board.setup.is_none())
        }
        _ => return Ok(None),
    };
    answer.map(Some)
}

/// Answers the calls of a board that can be played.
fn answer_playable(board: &mut Box<dyn AnyBoard>, name: &str, request: &Request) -> Result<Answer, Error> {
    let notation = request.notation.as_deref();
    match name {
        "startFen" => json(&board.start_fen()),
        "hash" => json(&format!("{:016x}", board.hash_key())),
        "occurrences" => json(&board.occurrences()),
        "isCheck" => json(&board.is_check()),
        "checkedKing" => json(&board.checked_king()),
        "attackers" => {
            let is_white = request.text.as_deref() == Some("w");
            let side = if is_white { board.game().white() } else { !board.game().white() };
            json(&board.attackers(text(&request.square, "the square")?, side)?)
        }
        #[cfg(feature = "chess")]
        "insufficientMaterial" => json(&is_dead_position(&board.fen())?),
        "isLegal" => match board.parse(text(&request.text, "the move")?, notation) {
            Ok(mv) => json(&board.is_legal(mv)),
            Err(error) => match error.kind {
                ErrorKind::InvalidMove
                | ErrorKind::IllegalMove
                | ErrorKind::OtherDialect(_)
                | ErrorKind::AmbiguousMove => json(&false),
                _ => Err(error.into()),
            },
        },
        "moves" => json(&move_texts(&**board, request)?),
        "verboseMoves" => json(&verbose_moves(&mut **board, request)?),
        "targets" => json(&targets(&**board)?),
        "played" => json(&played_texts(&**board, notation)?),
        "verbosePlayed" => json(&verbose_played(&**board)?),
        "parse" | "move" => {
            let mv = board.parse(text(&request.text, "the move")?, notation)?;
            let answer = verbose(&mut **board, mv)?;
            if name == "move" {
                board.push(mv)?;
            }
            json(&answer)
        }
        "undo" => match board.pop() {
            Ok(mv) => json(&verbose(&mut **board, mv)?),
            Err(_) => json(&()),
        },
        "line" => json(&format_line(&**board, request)?),
        "piece" => json(&piece(&**board, text(&request.square, "the square")?)),
        "pieces" => json(&pieces(&**board)),
        "end" => {
            let end = board.end(request.rules.as_deref())?;
            json(&end.map(|end| EndAnswer::new(winner(&**board, Some(end.outcome)), end)))
        }
        "refused" => json(&refused_moves(&**board, request)?),
        "ruling" => json(&ruling(&**board, request)?),
        "perft" => json(&perft(&**board, request)?),
        #[cfg(feature = "pictures")]
        "text" => json(&board.to_text(style(request.style.as_deref())?)),
        #[cfg(feature = "pictures")]
        "svg" => json(&board.to_svg()),
        _ => Err(Error::argument(format!("a board has no call {name:?}"))),
    }
}

fn issues(request: &Request) -> Result<Vec<IssueAnswer>, Error> {
    let fen = text(&request.fen, "the position")?;
    let issues = games::find(text(&request.game, "the game")?)?.boards.issues(fen)?;
    let answer = |(name, message, is_waivable)| IssueAnswer { name, message, is_waivable };
    Ok(issues.into_iter().map(answer).collect())
}

/// Returns the legal moves of the piece on the square of the request, or all.
fn legal_moves(board: &dyn AnyBoard, request: &Request) -> Result<Vec<u32>, Error> {
    let mut moves = board.legal_moves();
    if let Some(square) = &request.square {
        board.piece_at(square)?;
        let mut chosen = Vec::new();
        for mv in moves {
            let parts = board.game().move_squares(mv)?;
            // A new disc has no origin: its moves are found by the square that it is put on.
            if parts.origin.or(parts.target).as_ref() == Some(square) {
                chosen.push(mv);
            }
        }
        moves = chosen;
    }
    Ok(moves)
}

fn move_texts(board: &dyn AnyBoard, request: &Request) -> Result<Vec<String>, Error> {
    let moves = legal_moves(board, request)?;
    moves.into_iter().map(|mv| Ok(board.format_line(&[mv], request.notation.as_deref())?.remove(0))).collect()
}

fn verbose_moves(board: &mut dyn AnyBoard, request: &Request) -> Result<Vec<MoveAnswer>, Error> {
    legal_moves(board, request)?.into_iter().map(|mv| verbose(board, mv)).collect()
}

/// Returns whether no series of legal moves can give mate in a position of chess.
#[cfg(feature = "chess")]
fn is_dead_position(fen: &str) -> Result<bool, Error> {
    let board = GameBoard::<alfil_chess::Bitboard>::new(Some(fen), &["all"])?;
    Ok(alfil_chess::rules::is_dead_position(board.history().position()))
}

/// Returns the moves for the board element.
fn targets(board: &dyn AnyBoard) -> Result<Vec<TargetAnswer>, Error> {
    let mut targets = Vec::new();
    for mv in board.legal_moves() {
        targets.extend(board.targets(mv)?.into_iter().map(TargetAnswer::from));
    }
    Ok(targets)
}

/// Returns a board before the first move.
fn root(board: &dyn AnyBoard) -> Box<dyn AnyBoard> {
    let mut root = board.clone_board();
    while root.pop().is_ok() {}
    root
}

fn played_texts(board: &dyn AnyBoard, notation: Option<&str>) -> Result<Vec<String>, Error> {
    Ok(root(board).format_line(&board.played_moves(), notation)?)
}

fn verbose_played(board: &dyn AnyBoard) -> Result<Vec<MoveAnswer>, Error> {
    let mut replay = root(board);
    let moves = board.played_moves().into_iter();
    moves
        .map(|mv| {
            let answer = verbose(&mut *replay, mv)?;
            replay.push(mv)?;
            Ok(answer)
        })
        .collect()
}

/// Describes a legal move or a null move. The board is the same afterwards.
fn verbose(board: &mut dyn AnyBoard, mv: u32) -> Result<MoveAnswer, Error> {
    let (parts, is_null) = (board.game().move_squares(mv)?, mv == 0);
    let letter = match &parts.origin {
        Some(square) => board.piece_at(square)?,
        None => None,
    };
    let captured = if is_null { None } else { board.captured_piece(mv)? };
    let (color, before) = (color(board.game(), board.side_to_move()), board.fen());
    let san = board.format_line(&[mv], None)?.remove(0);
    board.push(mv)?;
    let after = board.fen();
    // The piece of a new disc stands on its square after the move.
    let letter = match (letter, &parts.target) {
        (None, Some(square)) if parts.origin.is_none() => board.piece_at(square)?,
        _ => letter,
    };
    board.pop()?;
    Ok(MoveAnswer {
        color,
        from: parts.origin,
        to: parts.target,
        piece: letter.map(|letter| letter.to_ascii_lowercase()),
        captured: captured.map(|letter| letter.to_ascii_lowercase()),
        promotion: parts.promotion,
        san,
        lan: parts.text,
        before,
        after,
    })
}

fn format_line(board: &dyn AnyBoard, request: &Request) -> Result<Vec<String>, Error> {
    let line = play(&mut *board.clone_board(), &request.moves, None)?;
    Ok(board.format_line(&line, request.notation.as_deref())?)
}

/// Returns the names of the squares, by their indices.
fn square_names(game: &dyn BoardGame) -> Vec<String> {
    (0..).map_while(|index| game.square_name(index)).collect()
}

fn piece_answer(game: &dyn BoardGame, square: &str, letter: char) -> PieceAnswer {
    // Every letter on a board is that of a piece.
    let side = game.piece_side(letter).unwrap_or(Side::First);
    PieceAnswer {
        square: square.to_owned(),
        letter,
        kind: letter.to_ascii_lowercase(),
        color: color(game, side),
    }
}

/// Returns the piece on a square; none if it is empty or not on the board.
fn piece(board: &dyn AnyBoard, square: &str) -> Option<PieceAnswer> {
    let letter = board.piece_at(square).ok().flatten();
    letter.map(|letter| piece_answer(board.game(), square, letter))
}

fn pieces(board: &dyn AnyBoard) -> Vec<PieceAnswer> {
    let letters = board.pieces();
    let names = square_names(board.game());
    let placed = names.iter().zip(letters).filter(|(_, letter)| *letter != b'.');
    placed.map(|(square, letter)| piece_answer(board.game(), square, letter.into())).collect()
}

/// Returns the pieces of a position that cannot be played.
fn setup_pieces(setup: &dyn AnySetup) -> Vec<PieceAnswer> {
    let pieces = setup.pieces().into_iter();
    let named = |(index, letter)| Some((setup.game().square_name(index)?, letter));
    pieces.filter_map(named).map(|(square, letter)| piece_answer(setup.game(), &square, letter)).collect()
}

fn refused_moves(board: &dyn AnyBoard, request: &Request) -> Result<Vec<RefusedAnswer>, Error> {
    let refused = board.refused_moves(request.rules.as_deref())?.into_iter();
    refused
        .map(|refused| {
            let RefusedBoardMove { mv, cause, limit, reason, reason_zh } = refused;
            let text = board.format_line(&[mv], request.notation.as_deref())?.remove(0);
            Ok(RefusedAnswer {
                mv: text,
                lan: board.game().move_squares(mv)?.text,
                cause,
                limit,
                reason,
                reason_zh,
            })
        })
        .collect()
}

fn ruling(board: &dyn AnyBoard, request: &Request) -> Result<RulingAnswer, Error> {
    let in_chinese = match request.language.as_deref() {
        None | Some("en") => false,
        Some("zh") => true,
        Some(other) => {
            return Err(Error::argument(format!("no language {other:?}: choose \"en\" or \"zh\"")));
        }
    };
    let options = RulingRequest {
        ruleset: request.rules.clone(),
        occurrences: request.occurrences,
        in_chinese,
        dialect: request.notation.clone(),
    };
    let ruling = board.ruling(&options)?;
    Ok(RulingAnswer::new(winner(board, ruling.outcome), ruling))
}

/// Returns the colour of the side that has won.
fn winner(board: &dyn AnyBoard, outcome: Option<Outcome>) -> Option<char> {
    match outcome {
        Some(Outcome::Win(side)) => Some(color(board.game(), side)),
        _ => None,
    }
}

fn perft(board: &dyn AnyBoard, request: &Request) -> Result<u64, Error> {
    let depth = request.depth.ok_or_else(|| Error::argument("the depth must be a number of plies"))?;
    check_perft_depth(depth)?;
    match board.perft(depth) {
        nodes @ 0..=MAX_INTEGER => Ok(nodes),
        nodes => {
            let message = format!("{nodes} nodes are more than an integer of JavaScript holds");
            Err(Error::new(Code::InvalidArgument, message))
        }
    }
}

#[cfg(feature = "pictures")]
fn style(name: Option<&str>) -> Result<PieceStyle, Error> {
    match name {
        Some("hanzi") => Ok(PieceStyle::Hanzi),
        None | Some("letters") => Ok(PieceStyle::Letters),
        Some("ascii") => Ok(PieceStyle::Ascii),
        Some(other) => {
            let message = format!("no style {other:?}: choose \"hanzi\", \"letters\", \"ascii\" or \"svg\"");
            Err(Error::argument(message))
        }
    }
}
