//! Analyses the positions of a chunk, one after the other on the calling thread. Table and histories are new at the
//! start of a chunk, so that with a limit of nodes the result depends on the chunk alone.

use std::time::Duration;

use alfil_kernel::{Side, Waivers};
use alfil_session::review::{end_value_cp, end_wdl_permille, search_value_cp, search_wdl_permille};
use alfil_session::{
    CurrentThread, GameEnd, GameSession, RulingRequest, SearchLimits, SearchMonitor, SearchReport,
    SearchResources, SessionError, registry, searcher,
};
use serde::{Deserialize, Serialize};

use crate::chunk::{AnalysisOptions, Chunk, ChunkGame};

/// The time between two calls of `is_wanted` in a search.
const CALL_INTERVAL: Duration = Duration::from_secs(1);

/// The analysis of a position, as the file of a chunk has it: one JSON object a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionResult {
    /// The index of the game in the input, from 0.
    pub game: u64,
    /// The ply: 0 is the initial position.
    pub ply: usize,
    /// The position text.
    pub fen: String,
    /// The hash key.
    pub key: u64,
    /// Whether the first side is to move.
    pub first_to_move: bool,
    /// The cause that ended the game here, in one word.
    pub end: Option<String>,
    /// The ruling of the ruleset of the options on the repetition or limit here.
    pub ruling: Option<RulingResult>,
    /// The number of nodes searched for the position.
    pub nodes: u64,
    /// The best lines, the best first; one line without moves if the game is over.
    pub lines: Vec<LineResult>,
}

/// A ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulingResult {
    /// The verdict: `red_loses`.
    pub verdict: String,
    /// The cause: `perpetual_check`.
    pub cause: String,
}

/// A line of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineResult {
    /// The score in centipawns (hundredths of a disc), from the view of the side to move, as in a game review.
    pub score_cp: i32,
    /// The number of plies to a forced end: positive if the side to move wins.
    pub mate_plies: Option<i32>,
    /// The probabilities of win, draw and loss for the side to move, in permille.
    pub wdl: [u32; 3],
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The moves in the default dialect.
    pub pv: Vec<String>,
}

/// The reason why a chunk was not analysed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A game cannot be replayed or searched.
    #[error("game {index}, ply {ply}: {message}")]
    Position {
        /// The index of the game in the input, from 0.
        index: u64,
        /// The ply.
        ply: usize,
        /// What is wrong.
        message: String,
    },
    /// There is no memory for the table of a search.
    #[error(transparent)]
    Memory(SessionError),
    /// The queue gave the chunk to another worker.
    #[error("another worker has the chunk now")]
    LeaseLost,
}

/// Analyses a chunk. `is_wanted` is called every second and at every position; the analysis ends when it returns
/// false.
///
/// ```
/// use alfil_batch::analysis::analyse_chunk;
/// use alfil_batch::chunk::{AnalysisOptions, Chunk, ChunkGame};
/// # let options = AnalysisOptions::with_nodes("example", 2_000);
///
/// let moves = ["f2f3", "e7e5", "g2g4"].map(str::to_owned).to_vec();
/// let game = ChunkGame { index: 0, game: "chess".into(), start: None, moves, plies: vec![3] };
/// let results = analyse_chunk(&Chunk { options, games: vec![game] }, &mut || true)?;
/// let best = &results[0].lines[0];
/// assert_eq!((best.mate_plies, best.pv.as_slice()), (Some(1), &["d8h4".to_owned()][..]));
/// # Ok::<(), alfil_batch::analysis::AnalysisError>(())
/// ```
///
/// # Errors
/// If a game cannot be replayed, a search fails, there is no memory, or the analysis is not wanted any more.
pub fn analyse_chunk(
    chunk: &Chunk,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Result<Vec<PositionResult>, AnalysisError> {
    searcher::check_memory(chunk.options.hash_mib).map_err(AnalysisError::Memory)?;
    let mut results = Vec::with_capacity(chunk.positions() as usize);
    let mut sessions: Vec<Box<dyn GameSession>> = Vec::new();
    for game in &chunk.games {
        let located = |ply: usize| {
            move |error: SessionError| AnalysisError::Position {
                index: game.index,
                ply,
                message: error.message,
            }
        };
        let index = match sessions.iter().position(|session| session.game() == game.game) {
            Some(index) => index,
            None => {
                sessions.push(new_session(&game.game, &chunk.options).map_err(located(0))?);
                sessions.len() - 1
            }
        };
        let session = sessions[index].as_mut();
        session.open(game.start.as_deref().unwrap_or("startpos"), &Waivers::All).map_err(located(0))?;
        let mut played = 0;
        for &ply in &game.plies {
            while played < ply {
                let mv = game.moves.get(played).ok_or_else(|| SessionError::new("the move is missing"));
                played += 1;
                mv.and_then(|mv| session.replay(mv, None)).map_err(located(played))?;
            }
            if !is_wanted() {
                return Err(AnalysisError::LeaseLost);
            }
            let result = analyse_position(session, game, &chunk.options, is_wanted).map_err(located(ply))?;
            results.push(result.ok_or(AnalysisError::LeaseLost)?);
        }
    }
    Ok(results)
}

fn new_session(game: &str, options: &AnalysisOptions) -> Result<Box<dyn GameSession>, SessionError> {
    let mut session = registry::open(game, None)?;
    session.set_resources(&SearchResources { hash_mib: options.hash_mib, ..SearchResources::default() });
    if let Some(rules) = rules_of(session.as_ref(), options) {
        session.set_ruleset(rules)?;
    }
    Ok(session)
}

/// Returns the ruleset of the options, if the game has one of that name.
fn rules_of<'a>(session: &dyn GameSession, options: &'a AnalysisOptions) -> Option<&'a str> {
    options.rules.as_deref().filter(|rules| session.rulesets().contains(rules))
}

/// Analyses the position of the session; `None` if the analysis is not wanted any more.
fn analyse_position(
    session: &dyn GameSession,
    game: &ChunkGame,
    options: &AnalysisOptions,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Result<Option<PositionResult>, SessionError> {
    let view = session.view();
    let (lines, nodes) = match &view.game_end {
        Some(end) => (vec![line_of_end(end, view.side_to_move)], 0),
        None => match search(session, &options.search_limits(), view.game_ply, is_wanted)? {
            Some(found) => found,
            None => return Ok(None),
        },
    };
    Ok(Some(PositionResult {
        game: game.index,
        ply: view.ply,
        key: view.hash_key,
        first_to_move: view.side_to_move == Side::First,
        end: view.game_end.map(|end| end.cause),
        ruling: ruling(session, options)?,
        fen: view.fen,
        nodes,
        lines,
    }))
}

fn ruling(
    session: &dyn GameSession,
    options: &AnalysisOptions,
) -> Result<Option<RulingResult>, SessionError> {
    let Some(rules) = rules_of(session, options) else { return Ok(None) };
    let request = RulingRequest { ruleset: Some(rules.into()), ..RulingRequest::default() };
    let ruling = session.ruling(&request)?;
    let verdict = ruling.verdict_label.to_owned();
    Ok(ruling.outcome.map(|_| RulingResult { verdict, cause: ruling.cause }))
}

fn line_of_end(end: &GameEnd, side: Side) -> LineResult {
    let [wins, draws, losses] = end_wdl_permille(end);
    let (sign, wdl) = match side {
        Side::First => (1, [wins, draws, losses]),
        Side::Second => (-1, [losses, draws, wins]),
    };
    LineResult { score_cp: sign * end_value_cp(end), mate_plies: None, wdl, depth: 0, pv: Vec::new() }
}

/// Searches the position of the session and returns its lines and the number of nodes; `None` if the analysis is not
/// wanted any more.
fn search(
    session: &dyn GameSession,
    limits: &SearchLimits,
    game_ply: usize,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Result<Option<(Vec<LineResult>, u64)>, SessionError> {
    let start = alfil_engine::now();
    let mut monitor =
        Monitor { limits, start, last_call: start, is_wanted, is_lost: false, nodes: 0, reports: Vec::new() };
    let outcome = session.search_task(limits)?.run(&CurrentThread, &mut monitor);
    let Monitor { is_lost, nodes, mut reports, .. } = monitor;
    if let Some(failure) = outcome.failure {
        return Err(SessionError::new(failure));
    }
    if is_lost {
        return Ok(None);
    }
    reports.sort_by_key(|report| report.multipv);
    if reports.is_empty() {
        return Err(SessionError::new("the search ended without a score"));
    }
    let line = |report: SearchReport| LineResult {
        score_cp: search_value_cp(report.score, report.mate_plies),
        mate_plies: report.mate_plies,
        wdl: search_wdl_permille(&report, session.info(), game_ply),
        depth: report.depth,
        pv: report.pv,
    };
    Ok(Some((reports.into_iter().map(line).collect(), nodes)))
}

/// The monitor of a search: it stops the search at its limits and keeps the last report of every line.
struct Monitor<'a> {
    limits: &'a SearchLimits,
    start: Duration,
    /// The time of the last call of `is_wanted`.
    last_call: Duration,
    is_wanted: &'a mut (dyn FnMut() -> bool + Send),
    is_lost: bool,
    nodes: u64,
    reports: Vec<SearchReport>,
}

impl SearchMonitor for Monitor<'_> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.nodes = self.nodes.max(nodes);
        let now = alfil_engine::now();
        if now - self.last_call >= CALL_INTERVAL {
            self.last_call = now;
            self.is_lost |= !(self.is_wanted)();
        }
        self.is_lost
            || self.limits.nodes.is_some_and(|max| nodes >= max)
            || self.limits.time.is_some_and(|max| now - self.start >= max)
    }

    fn on_report(&mut self, report: SearchReport) {
        self.nodes = self.nodes.max(report.nodes);
        match self.reports.iter_mut().find(|known| known.multipv == report.multipv) {
            Some(known) => *known = report,
            None => self.reports.push(report),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::chunk::tests::options;

    /// Returns the result of a position with a score, after 10 nodes.
    pub(crate) fn result(game: u64, ply: usize, score_cp: i32) -> PositionResult {
        let line = LineResult { score_cp, mate_plies: None, wdl: [300, 400, 300], depth: 3, pv: vec![] };
        PositionResult {
            game,
            ply,
            fen: format!("position {ply}"),
            key: 1,
            first_to_move: ply.is_multiple_of(2),
            end: None,
            ruling: None,
            nodes: 10,
            lines: vec![line],
        }
    }

    fn chunk(game: &str, moves: &[&str], plies: Vec<usize>, options: AnalysisOptions) -> Chunk {
        let moves = moves.iter().map(|&mv| mv.to_owned()).collect();
        Chunk { options, games: vec![ChunkGame { index: 3, game: game.into(), start: None, moves, plies }] }
    }

    #[test]
    fn a_move_that_the_ruleset_refuses_is_analysed_as_it_was_played() {
        let checks = ["d7e7", "e9f9", "e7f7", "f9e9", "f7e7", "e9f9", "e7f7", "f9e9"];
        let moves: Vec<_> =
            checks.iter().chain(&checks[4..]).chain(["f7e7", "e9f9"].iter()).copied().collect();
        let plies = vec![0, moves.len()];
        let mut chunk = chunk("xiangqi", &moves, plies, options(10));
        chunk.games[0].start = Some("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w".into());
        chunk.options.rules = Some("tiantian".into());
        assert_eq!(analyse(&chunk).len(), 2);
    }

    fn analyse(chunk: &Chunk) -> Vec<PositionResult> {
        analyse_chunk(chunk, &mut || true).unwrap()
    }

    #[test]
    fn every_position_of_a_game_has_a_score_and_the_end_has_its_result() {
        let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
        let found = analyse(&chunk("chess", &moves, vec![0, 3, 4], options(500)));
        assert_eq!(found.iter().map(|result| result.ply).collect::<Vec<_>>(), [0, 3, 4]);
        assert_eq!(found[1].lines[0].pv, ["d8h4"]);
        assert_eq!((found[1].lines[0].mate_plies, found[1].lines[0].wdl), (Some(1), [1000, 0, 0]));
        assert_eq!(found[2].end.as_deref(), Some("checkmate"));
        assert_eq!((found[2].lines[0].score_cp, found[2].lines[0].wdl), (-100_000, [0, 0, 1000]));
        assert!(found[0].nodes >= 500 && found[0].lines[0].depth > 1);
        assert!(!found[1].first_to_move && found[1].game == 3);
    }

    #[test]
    fn a_chunk_has_the_same_result_whatever_was_searched_before() {
        let moves = ["h2e2", "h9g7", "h0g2"];
        let wanted = chunk("xiangqi", &moves, vec![1, 2, 3], AnalysisOptions { lines: 2, ..options(800) });
        let first = analyse(&wanted);
        analyse(&chunk("xiangqi", &["b2e2"], vec![0, 1], options(2_000)));
        assert_eq!(analyse(&wanted), first);
        assert!(
            first.iter().all(|result| result.lines.len() == 2 && result.lines[0].pv != result.lines[1].pv)
        );
    }

    #[test]
    fn a_repetition_is_ruled_on_by_the_ruleset_of_the_options() {
        let mut game = chunk("xiangqi", &[], vec![0], options(100));
        game.games[0].start = Some("3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1".into());
        game.games[0].moves = "i8i9 d9d8 i9i8 d8d9".split(' ').cycle().take(24).map(str::to_owned).collect();
        game.games[0].plies = vec![0, 24];
        assert!(analyse(&game).iter().all(|result| result.ruling.is_none()));
        game.options.rules = Some("wxf2018".into());
        let ruled = analyse(&game);
        assert_eq!(ruled[0].ruling, None);
        let ruling = ruled[1].ruling.as_ref().unwrap();
        assert_eq!((ruling.verdict.as_str(), ruling.cause.as_str()), ("red_loses", "perpetual_check"));
    }

    #[test]
    fn an_analysis_that_is_not_wanted_ends() {
        let game = chunk("chess", &["e2e4", "e7e5"], vec![0, 1, 2], options(100));
        let mut positions = 0;
        let result = analyse_chunk(&game, &mut || {
            positions += 1;
            positions < 2
        });
        assert!(matches!(result, Err(AnalysisError::LeaseLost)));
        let wrong = chunk("chess", &["e2e5"], vec![1], options(100));
        let error = analyse_chunk(&wrong, &mut || true).unwrap_err().to_string();
        assert!(error.starts_with("game 3, ply 1: "), "{error}");
    }
}
