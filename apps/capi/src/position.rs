//! What a position is: its end, rulings, pictures, perft and exact solutions.

use std::ffi::c_char;
use std::ptr;

use alfil_engine::threads;
use alfil_session::render::PieceStyle;
use alfil_session::{PerftRequest, RulingRequest, SolveRequest, check_perft_depth, registry};

use crate::arena::{Texts, give_texts};
use crate::board::{Board, with_board};
use crate::handles::{self, Kind};
use crate::memory::{Out, Text, give_text};
use crate::results::{GameResult, Ruling, Solution, give_ruling, give_solution};
use crate::status::{Error, Status, guard};

/// Returns a number of threads; 0 stands for 1.
///
/// # Errors
/// Returns an error if it is too large.
pub(crate) fn check_threads(threads: u32) -> Result<usize, Error> {
    threads::check_threads(threads.max(1) as usize).map_err(|error| Error::argument(error.to_string()))
}

/// Gives the result of the game at this position, ALFIL_GAME_RESULT_UNKNOWN if it continues. `rules` is a ruleset of
/// xiangqi; in chess "claimed" if draws by the third repetition and by 50 moves are claimed, else "unclaimed"; NULL is
/// the ruleset for play between people ("unclaimed" in chess).
///
/// `out_cause` receives the cause in one word (`checkmate`), `out_message` the verdict as a sentence. Both belong to
/// the caller, are NULL if the game continues, and may be left out (NULL). So may `out_margin`: the number of discs by
/// which the winner of Othello is ahead, 0 in other games.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_outcome(
    board: *const Board,
    rules: Text,
    out_result: Out<GameResult>,
    out_margin: Out<i32>,
    out_cause: Out<*mut c_char>,
    out_message: Out<*mut c_char>,
) -> Status {
    guard(|| {
        let margin = out_margin.start_optional(0);
        let cause = out_cause.start_optional(ptr::null_mut());
        let message = out_message.start_optional(ptr::null_mut());
        let result = out_result.start("out_result", GameResult::Unknown)?;
        let rules = rules.optional("rules")?;
        let Some(end) = with_board(board, |board| Ok(board.end(rules)?))? else { return Ok(()) };
        result.set(Some(end.outcome).into());
        margin.set(end.margin);
        if cause.is_wanted() {
            cause.set(give_text(&end.cause));
        }
        if message.is_wanted() {
            message.set(give_text(&end.message));
        }
        Ok(())
    })
}

/// Returns whether a language is Chinese, not English.
///
/// # Errors
/// Returns an error if it is neither.
pub(crate) fn is_chinese(language: &Text) -> Result<bool, Error> {
    match language.optional("language")? {
        None | Some("en") => Ok(false),
        Some("zh") => Ok(true),
        Some(other) => Err(Error::argument(format!("no language {other:?}: choose \"en\" or \"zh\""))),
    }
}

/// Rules on the repetition at the end of a game of xiangqi, with the reasons.
///
/// `rules` is a ruleset (see alfil_rulesets), or NULL for the one of play between people. `occurrences` is the
/// occurrence at which a repetition is judged, 0 for that of the ruleset. `notation` is that of the moves, NULL for
/// coordinates. `language` is "en" (or NULL) or "zh". The ruling belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_judge(
    board: *const Board,
    rules: Text,
    occurrences: usize,
    notation: Text,
    language: Text,
    out_ruling: Out<*const Ruling>,
) -> Status {
    guard(|| {
        let out = out_ruling.start("out_ruling", ptr::null())?;
        let in_chinese = is_chinese(&language)?;
        let request = RulingRequest {
            ruleset: rules.optional("rules")?.map(str::to_owned),
            occurrences: (occurrences != 0).then_some(occurrences),
            in_chinese,
            dialect: notation.optional("notation")?.map(str::to_owned),
        };
        out.set(give_ruling(&with_board(board, |board| Ok(board.ruling(&request)?))?));
        Ok(())
    })
}

/// Frees a ruling. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_ruling_free(ruling: *const Ruling) -> Status {
    guard(|| handles::free(ruling.cast_mut().cast(), Kind::Ruling))
}

/// Gives the board as text. `style` is "hanzi" (or NULL) for the usual characters of the pieces, "letters", or "ascii".
/// The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_text(board: *const Board, style: Text, out_text: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_text.start("out_text", ptr::null_mut())?;
        let style = match style.optional("style")? {
            None | Some("hanzi") => PieceStyle::Hanzi,
            Some("letters") => PieceStyle::Letters,
            Some("ascii") => PieceStyle::Ascii,
            Some(other) => {
                let message = format!("no style {other:?}: choose \"hanzi\", \"letters\" or \"ascii\"");
                return Err(Error::argument(message));
            }
        };
        out.set(give_text(&with_board(board, |board| Ok(board.to_text(style)))?));
        Ok(())
    })
}

/// Gives a picture of the board as SVG. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_svg(board: *const Board, out_svg: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_svg.start("out_svg", ptr::null_mut())?;
        out.set(give_text(&with_board(board, |board| Ok(board.to_svg()))?));
        Ok(())
    })
}

/// Gives the issues of a position text, one text each: its name, a colon, and a sentence. Names of issues that can be
/// waived have a star before the colon. The list belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_position_issues(game: Text, fen: Text, out_issues: Out<*const Texts>) -> Status {
    guard(|| {
        let out = out_issues.start("out_issues", ptr::null())?;
        let (game, fen) = (game.required("game")?, fen.required("fen")?);
        let issues = registry::board_game(game)?.issues(fen)?;
        out.set(give_texts(issue_texts(issues)));
        Ok(())
    })
}

/// Returns issues as C receives them.
pub(crate) fn issue_texts(issues: Vec<(&'static str, String, bool)>) -> impl Iterator<Item = String> {
    let star = |is_waivable| if is_waivable { "*" } else { "" };
    issues
        .into_iter()
        .map(move |(name, sentence, is_waivable)| format!("{name}{}: {sentence}", star(is_waivable)))
}

/// Counts the legal move paths of `depth` plies (0 to 64) with this number of threads; 0 stands for 1. The time grows
/// with the count. A count above the largest number of 64 bits is an error.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_perft(
    board: *const Board,
    depth: u32,
    threads: u32,
    out_nodes: Out<u64>,
) -> Status {
    guard(|| {
        let out = out_nodes.start("out_nodes", 0)?;
        check_perft_depth(depth)?;
        let request = PerftRequest { depth, threads: check_threads(threads)?, ..PerftRequest::default() };
        let session = with_board(board, |board| Ok(registry::open_board(board)?))?;
        let nodes = alfil_engine::perft(&*session, &request, &|_, _| {})?;
        let too_many = |_| Error::argument(format!("{nodes} nodes are more than 64 bits hold"));
        out.set(u64::try_from(nodes).map_err(too_many)?);
        Ok(())
    })
}

/// Solves a position of Othello exactly with this number of threads; 0 stands for 1. If `outcome_only` is not 0, finds
/// only who wins, which is many times faster. The time grows with the number of empty squares: 20 take less than a
/// second. The solution belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_solve(
    board: *const Board,
    threads: u32,
    outcome_only: i32,
    out_solution: Out<*const Solution>,
) -> Status {
    guard(|| {
        let out = out_solution.start("out_solution", ptr::null())?;
        let request = SolveRequest {
            outcome_only: outcome_only != 0,
            threads: check_threads(threads)?,
            ..SolveRequest::default()
        };
        let (session, game) = with_board(board, |board| Ok((registry::open_board(board)?, board.game())))?;
        let solution = alfil_engine::solve(&*session, &request, &mut |_| {})?;
        out.set(give_solution(&solution, game));
        Ok(())
    })
}

/// Frees a solution. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_solution_free(solution: *const Solution) -> Status {
    guard(|| handles::free(solution.cast_mut().cast(), Kind::Solution))
}
