//! The calls of boards.

use alfil_kernel::{Game as _, Outcome, Piece as _, PieceOf, Side};
use alfil_session::any_board::AnyBoard;
use alfil_session::check_perft_depth;
use alfil_session::game_board::{BoardError, BoardProfile, GameBoard};
use alfil_session::game_profile::GameProfile;
#[cfg(feature = "pictures")]
use alfil_session::render::PieceStyle;
use alfil_session::rulings::RulingRequest;

use crate::answer::{Answer, json};
use crate::errors::{Code, Error};
use crate::games::for_game;
use crate::object_table::ObjectTable;
use crate::requests::{EndAnswer, IssueAnswer, MoveAnswer, PieceAnswer, Request, RulingAnswer};

/// The largest integer of which a number of JavaScript holds all smaller ones.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// A board of any game.
pub(crate) trait Board: AnyBoard {
    fn clone_board(&self) -> Box<dyn Board>;
    /// Returns the colour of a side: `w` for White and Red, `b` for Black.
    fn color(&self, side: Side) -> char;
    /// Returns the side of the piece with a letter.
    fn piece_side(&self, letter: char) -> Side;
    #[cfg(feature = "pictures")]
    fn text(&self, style: PieceStyle) -> String;
    #[cfg(feature = "pictures")]
    fn svg(&self) -> String;
}

impl<P: BoardProfile + Send + 'static> Board for GameBoard<P>
where
    P::Game: GameProfile<P>,
    GameBoard<P>: AnyBoard,
{
    fn clone_board(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }

    fn color(&self, side: Side) -> char {
        if side == P::WHITE { 'w' } else { 'b' }
    }

    fn piece_side(&self, letter: char) -> Side {
        let mut pieces = (0..P::Game::PIECES).filter_map(PieceOf::<P>::from_index);
        let is_first = pieces.any(|piece| piece.letter() == letter && piece.side() == Side::First);
        if is_first { Side::First } else { Side::Second }
    }

    #[cfg(feature = "pictures")]
    fn text(&self, style: PieceStyle) -> String {
        self.to_text(style)
    }

    #[cfg(feature = "pictures")]
    fn svg(&self) -> String {
        self.to_svg()
    }
}

/// Returns a board of a request: its game, position text, waivers and moves.
pub(crate) fn make_board(request: &Request) -> Result<Box<dyn Board>, Error> {
    let waived: Vec<_> = request.waive.iter().map(String::as_str).collect();
    let game = request.game.as_deref().unwrap_or_default();
    let mut board: Box<dyn Board> = match request.number {
        #[cfg(feature = "chess")]
        Some(number) if game == "chess" => {
            let message = || Error::argument(format!("Chess960 has no position {number}: choose 0 to 959"));
            let setup = alfil_chess::Setup::chess960(number as usize).ok_or_else(message)?;
            Box::new(GameBoard::<alfil_chess::Bitboard>::from_setup(&setup, &waived)?)
        }
        Some(_) => return Err(Error::argument("only chess has numbered start positions")),
        None => for_game!(game, P => {
            let board = GameBoard::<P>::new(request.fen.as_deref(), &waived);
            board.map(|board| Box::new(board) as Box<dyn Board>).map_err(Error::from)
        })?,
    };
    for text in &request.moves {
        let mv = board.parse(text, request.notation.as_deref())?;
        board.push(mv)?;
    }
    Ok(board)
}

/// Returns a required text of a request.
fn text<'r>(value: &'r Option<String>, name: &str) -> Result<&'r str, Error> {
    value.as_deref().ok_or_else(|| Error::argument(format!("{name} must be a text")))
}

/// Answers a call of boards.
pub(crate) fn answer(
    boards: &mut ObjectTable<Box<dyn Board>>,
    name: &str,
    request: &Request,
) -> Result<Answer, Error> {
    match name {
        "new" => {
            let board = make_board(request)?;
            return json(&boards.add(board)?);
        }
        "copy" => {
            let board = boards.get(request.id)?.clone_board();
            return json(&boards.add(board)?);
        }
        "issues" => return json(&issues(request)?),
        _ => {}
    }
    let board = boards.get(request.id)?;
    let notation = request.notation.as_deref();
    match name {
        "fen" => json(&board.fen()),
        "startFen" => json(&board.start_fen()),
        "turn" => json(&board.color(board.side_to_move())),
        "hash" => json(&format!("{:016x}", board.hash_key())),
        "occurrences" => json(&board.occurrences()),
        "isCheck" => json(&board.is_check()),
        "notations" => json(&board.dialects()),
        "squares" => json(&board.square_names()),
        "isLegal" => match board.parse(text(&request.text, "the move")?, notation) {
            Ok(mv) => json(&board.is_legal(mv)),
            Err(BoardError::InvalidMove(_) | BoardError::IllegalMove(_) | BoardError::AmbiguousMove(_)) => {
                json(&false)
            }
            Err(error) => Err(error.into()),
        },
        "load" => {
            // The board is unchanged if the new position cannot be made.
            *board = make_board(request)?;
            json(&())
        }
        "moves" => json(&move_texts(&**board, request)?),
        "verboseMoves" => json(&verbose_moves(&mut **board, request)?),
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
        "piece" => json(&piece(&**board, text(&request.square, "the square")?)?),
        "pieces" => json(&pieces(&**board)),
        "end" => {
            let end = board.end(request.rules.as_deref())?;
            json(&end.map(|end| EndAnswer::new(winner(&**board, Some(end.outcome)), end)))
        }
        "ruling" => json(&ruling(&**board, request)?),
        "perft" => json(&perft(&**board, request)?),
        #[cfg(feature = "pictures")]
        "text" => json(&board.text(style(request.style.as_deref())?)),
        #[cfg(feature = "pictures")]
        "svg" => json(&board.svg()),
        _ => Err(Error::argument(format!("a board has no call {name:?}"))),
    }
}

fn issues(request: &Request) -> Result<Vec<IssueAnswer>, Error> {
    let fen = text(&request.fen, "the position")?;
    let issues =
        for_game!(text(&request.game, "the game")?, P => GameBoard::<P>::issues(fen).map_err(Error::from))?;
    let answer = |(name, message, is_waivable)| IssueAnswer { name, message, is_waivable };
    Ok(issues.into_iter().map(answer).collect())
}

/// Returns the legal moves of the piece on the square of the request, or all.
fn legal_moves(board: &dyn Board, request: &Request) -> Result<Vec<u32>, Error> {
    let mut moves = board.legal_moves();
    if let Some(square) = &request.square {
        board.piece_at(square)?;
        let mut chosen = Vec::new();
        for mv in moves {
            let parts = board.move_squares(mv)?;
            // A new disc has no origin: its moves are found by the square that it is put on.
            if parts.origin.or(parts.target).as_ref() == Some(square) {
                chosen.push(mv);
            }
        }
        moves = chosen;
    }
    Ok(moves)
}

fn move_texts(board: &dyn Board, request: &Request) -> Result<Vec<String>, Error> {
    let moves = legal_moves(board, request)?;
    moves.into_iter().map(|mv| Ok(board.format_line(&[mv], request.notation.as_deref())?.remove(0))).collect()
}

fn verbose_moves(board: &mut dyn Board, request: &Request) -> Result<Vec<MoveAnswer>, Error> {
    legal_moves(board, request)?.into_iter().map(|mv| verbose(board, mv)).collect()
}

/// Returns a board before the first move.
fn root(board: &dyn Board) -> Box<dyn Board> {
    let mut root = board.clone_board();
    while root.pop().is_ok() {}
    root
}

fn played_texts(board: &dyn Board, notation: Option<&str>) -> Result<Vec<String>, Error> {
    Ok(root(board).format_line(&board.played_moves(), notation)?)
}

fn verbose_played(board: &dyn Board) -> Result<Vec<MoveAnswer>, Error> {
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
fn verbose(board: &mut dyn Board, mv: u32) -> Result<MoveAnswer, Error> {
    let (parts, is_null) = (board.move_squares(mv)?, mv == 0);
    let letter = match &parts.origin {
        Some(square) => board.piece_at(square)?,
        None => None,
    };
    let captured = if is_null { None } else { board.captured_piece(mv)? };
    let (color, before) = (board.color(board.side_to_move()), board.fen());
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

fn format_line(board: &dyn Board, request: &Request) -> Result<Vec<String>, Error> {
    let mut replay = board.clone_board();
    let mut line = Vec::new();
    for text in &request.moves {
        let mv = replay.parse(text, None)?;
        replay.push(mv)?;
        line.push(mv);
    }
    Ok(board.format_line(&line, request.notation.as_deref())?)
}

fn piece_answer(board: &dyn Board, square: &str, letter: char) -> PieceAnswer {
    PieceAnswer {
        square: square.to_owned(),
        letter,
        kind: letter.to_ascii_lowercase(),
        color: board.color(board.piece_side(letter)),
    }
}

fn piece(board: &dyn Board, square: &str) -> Result<Option<PieceAnswer>, Error> {
    Ok(board.piece_at(square)?.map(|letter| piece_answer(board, square, letter)))
}

fn pieces(board: &dyn Board) -> Vec<PieceAnswer> {
    let letters = board.pieces();
    let names = board.square_names();
    let placed = names.iter().zip(letters).filter(|(_, letter)| *letter != b'.');
    placed.map(|(square, letter)| piece_answer(board, square, letter.into())).collect()
}

fn ruling(board: &dyn Board, request: &Request) -> Result<RulingAnswer, Error> {
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
fn winner(board: &dyn Board, outcome: Option<Outcome>) -> Option<char> {
    match outcome {
        Some(Outcome::Win(side)) => Some(board.color(side)),
        _ => None,
    }
}

fn perft(board: &dyn Board, request: &Request) -> Result<u64, Error> {
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
