//! A game with the analysis of its positions: rows of tables, and a record with evaluations.

use alfil_kernel::Side;
use alfil_session::accuracy::{CountedMove, GameMoves, set_accuracy_tags};
use alfil_session::review::{Judgement, loss_permille, mate_moves, move_loss_cp};
use alfil_session::{
    AnnotatedScore, EvalAnnotation, GameInfo, OpeningNamesCache, ROOT, SessionError, TextGame, registry,
};

use crate::analysis::{LineResult, PositionResult};
use crate::chunk::AnalysisOptions;
use crate::game_facts::GameFacts;
use crate::manifest::PlannedGame;
use crate::table::{GameRow, PositionRow, SideSummary};

/// A game and the analysis of its positions, in the order of their plies.
#[derive(Clone, Debug)]
pub(crate) struct GameAnalysis {
    game: PlannedGame,
    info: &'static GameInfo,
    /// The record.
    record: TextGame,
    positions: Vec<PositionResult>,
    /// The loss of the move played in each position.
    losses: Vec<Option<MoveLoss>>,
}

/// The loss of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MoveLoss {
    cp: i32,
    permille: u32,
}

impl GameAnalysis {
    /// Joins a game and its results. A record without the tag `Opening` gets the name of its opening.
    ///
    /// # Errors
    /// If the record of the game cannot be read.
    pub(crate) fn new(
        game: PlannedGame,
        positions: Vec<PositionResult>,
        openings: &OpeningNamesCache,
    ) -> Result<GameAnalysis, SessionError> {
        let info = registry::info(&game.game)?;
        // The start of a problem may have issues, which the formats of problems accept.
        let records = &registry::Registry::default().entry(&game.game)?.records;
        let mut record = records.parse_pgn(&game.record).map_err(|error| {
            let PlannedGame { file, file_number, .. } = &game;
            SessionError::new(format!("the record of {file}, game {file_number} is damaged: {error}"))
        })?;
        openings.complete_tags(&mut record);
        let next = positions.iter().skip(1).map(Some).chain([None]);
        let loss = |(position, next): (&PositionResult, Option<&PositionResult>)| {
            move_loss(position, next.filter(|next| next.ply == position.ply + 1)?, &game.moves)
        };
        let losses = positions.iter().zip(next).map(loss).collect();
        Ok(GameAnalysis { game, info, record, positions, losses })
    }

    /// Returns the rows of the positions.
    pub(crate) fn position_rows(&self) -> impl Iterator<Item = PositionRow> + '_ {
        let rows = move |(position, loss): (&PositionResult, &Option<MoveLoss>)| {
            let rows = (1..).zip(&position.lines).map(|(line, result)| {
                let loss = loss.filter(|_| line == 1);
                self.position_row(position, line, result, loss)
            });
            rows.collect::<Vec<_>>()
        };
        self.positions.iter().zip(&self.losses).flat_map(rows)
    }

    fn position_row(
        &self,
        position: &PositionResult,
        line: usize,
        result: &LineResult,
        loss: Option<MoveLoss>,
    ) -> PositionRow {
        let side = self.info.appearance.sides[usize::from(!position.first_to_move)];
        let ruling = position.ruling.as_ref();
        PositionRow {
            game: self.game.game.clone(),
            file: self.game.file.clone(),
            number: self.game.file_number,
            ply: position.ply,
            line,
            fen: position.fen.clone(),
            key: position.key,
            side: side.to_lowercase(),
            move_played: self.game.moves.get(position.ply).cloned(),
            score_cp: result.mate_plies.is_none().then_some(result.score_cp),
            mate_plies: result.mate_plies,
            wdl: result.wdl,
            depth: result.depth,
            nodes: position.nodes,
            pv: result.pv.clone(),
            loss_cp: loss.map(|loss| loss.cp),
            loss_permille: loss.map(|loss| loss.permille),
            judgement: loss.and_then(MoveLoss::judgement).map(Judgement::name),
            end: position.end.clone(),
            ruling: ruling.map(|ruling| (ruling.verdict.clone(), ruling.cause.clone())),
        }
    }

    /// Returns the row of the game.
    pub(crate) fn game_row(&self) -> GameRow {
        let ruled =
            self.positions.iter().find_map(|position| Some((position.ply, position.ruling.as_ref()?)));
        GameRow {
            game: self.game.game.clone(),
            file: self.game.file.clone(),
            number: self.game.file_number,
            result: self.record.result.map(|_| GameFacts::new(&self.record).result()),
            eco: GameFacts::new(&self.record).tag("ECO").map(str::to_owned),
            opening: GameFacts::new(&self.record).tag("Opening").map(str::to_owned),
            plies: self.game.moves.len(),
            positions: self.positions.len() as u64,
            sides: self.sides(),
            ruling: ruled.map(|(ply, ruling)| (ply, ruling.verdict.clone(), ruling.cause.clone())),
            error: self.game.error.clone(),
        }
    }

    fn sides(&self) -> [SideSummary; 2] {
        let players = GameFacts::new(&self.record).players();
        let mut sides =
            players.map(|player| SideSummary { player: player.map(str::to_owned), ..SideSummary::default() });
        let mut counted = GameMoves::default();
        let next = self.positions.iter().skip(1);
        for ((position, next), loss) in self.positions.iter().zip(next).zip(&self.losses) {
            let Some(loss) = loss else { continue };
            let mover = if position.first_to_move { Side::First } else { Side::Second };
            let played = self.game.moves.get(position.ply);
            let is_pass = played.is_some_and(|mv| self.info.length_unit.is_pass(mv));
            let mv = CountedMove { side: mover, is_best: position.lines[0].pv.first() == played };
            let chance = |position: &PositionResult| (position.ply, win_percent(self.info, position));
            counted.push([chance(position), chance(next)], (!is_pass).then_some(mv));
            let side = &mut sides[mover.index()];
            side.moves += 1;
            side.loss_cp += i64::from(loss.cp);
            if let Some(judgement) = loss.judgement() {
                side.judgements[judgement as usize] += 1;
            }
        }
        for (side, accuracy) in sides.iter_mut().zip(counted.accuracies(&self.info.accuracy)) {
            side.accuracy = accuracy;
        }
        sides
    }

    /// Formats the record as PGN, with the evaluation of every analysed position, the signs of inaccuracies, mistakes
    /// and blunders, and the accuracy of both sides.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub(crate) fn pgn(&self, options: &AnalysisOptions) -> Result<String, SessionError> {
        let mut record = self.record.clone();
        let main_line: Vec<usize> = std::iter::once(ROOT).chain(record.moves.main_line()).collect();
        let is_judgement = |nag: &u8| (1..=6).contains(nag);
        let is_judged =
            || main_line.iter().any(|&node| record.moves[node].annotation.nags.iter().any(is_judgement));
        let annotator = GameFacts::new(&record).tag("Annotator");
        // Judgements without a name are not by an earlier analysis, which writes its name.
        let is_other_annotator = annotator.map_or_else(is_judged, |name| !name.starts_with(ENGINE_NAME));
        for (position, loss) in self.positions.iter().zip(&self.losses) {
            let Some(&index) = main_line.get(position.ply) else { continue };
            if position.end.is_none() {
                record.moves[index].annotation.eval = Some(eval(position));
            }
            if let (Some(loss), Some(&next)) = (loss, main_line.get(position.ply + 1)) {
                let nags = &mut record.moves[next].annotation.nags;
                // A judgement of another annotator stays, and that of an earlier analysis is replaced.
                if !is_other_annotator {
                    nags.retain(|nag| Judgement::ALL.iter().all(|judgement| judgement.nag() != *nag));
                }
                let judgement = loss.judgement().filter(|_| !nags.iter().any(is_judgement));
                nags.extend(judgement.map(Judgement::nag));
            }
        }
        let limit = match (options.nodes, options.movetime_ms) {
            (Some(nodes), _) => format!("{nodes} nodes"),
            (None, time_ms) => format!("{} ms", time_ms.unwrap_or(0)),
        };
        // The name of another annotator stays, as its annotations do. A game without an analysed position is copied.
        let tag = if is_other_annotator { "EvaluationBy" } else { "Annotator" };
        let was_analysed = record.tags.value(tag).is_some_and(|name| name.starts_with(ENGINE_NAME));
        if !self.positions.is_empty() {
            record.tags.set(tag, format!("{ENGINE_NAME} {}, {limit} a position", env!("CARGO_PKG_VERSION")));
        }
        let accuracies = self.sides().map(|side| side.accuracy);
        // An accuracy of an earlier analysis does not stand under the name of this one.
        if accuracies.iter().any(Option::is_some) || (was_analysed && !self.positions.is_empty()) {
            set_accuracy_tags(&mut record.tags, self.info, accuracies);
        }
        registry::write_game(&record, None)
    }
}

impl MoveLoss {
    fn judgement(self) -> Option<Judgement> {
        Judgement::from_loss_permille(self.permille)
    }
}

/// The start of the name that an analysis puts into its records.
const ENGINE_NAME: &str = "Alfil";

/// Returns the chance of the first side to win in percent.
fn win_percent(info: &GameInfo, position: &PositionResult) -> f64 {
    // A position has a line, even where the game is over.
    let (line, sign) = (&position.lines[0], if position.first_to_move { 1 } else { -1 });
    info.accuracy.win_percent(sign * line.score_cp, line.mate_plies.map(|plies| sign * plies))
}

/// Returns the loss of the move that was played between two positions; none at the end of the record or of the game.
fn move_loss(before: &PositionResult, after: &PositionResult, moves: &[String]) -> Option<MoveLoss> {
    let (best, reply) = (before.lines.first()?, after.lines.first()?);
    let played = moves.get(before.ply)?;
    if before.end.is_some() {
        return None;
    }
    if best.pv.first() == Some(played) {
        return Some(MoveLoss { cp: 0, permille: 0 });
    }
    let is_same_side = before.first_to_move == after.first_to_move;
    let (sign, wdl) = match (is_same_side, reply.wdl) {
        (true, wdl) => (1, wdl),
        (false, [wins, draws, losses]) => (-1, [losses, draws, wins]),
    };
    let value = |line: &LineResult, sign: i32| (sign * line.score_cp, line.mate_plies);
    let cp = move_loss_cp(value(best, 1), value(reply, sign)).max(0);
    Some(MoveLoss { cp, permille: loss_permille(best.wdl, wdl) })
}

/// Returns the evaluation of a position from the view of the first side.
fn eval(position: &PositionResult) -> EvalAnnotation {
    let sign = if position.first_to_move { 1 } else { -1 };
    let line = &position.lines[0];
    let score = match line.mate_plies {
        Some(plies) => AnnotatedScore::Mate(sign * mate_moves(plies)),
        None => AnnotatedScore::Centipawns(sign * line.score_cp),
    };
    EvalAnnotation { score, depth: Some(line.depth) }
}

#[cfg(test)]
mod tests;
