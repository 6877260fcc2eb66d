//! The data of boards, moves and positions in messages.

use std::collections::BTreeMap;
use std::time::Duration;

use alfil_kernel::{Outcome, Side};
use alfil_session::appearance::EdgeNames;
use alfil_session::game_clock::{ClockSnapshot, TimeControl, TimeControlError};
use alfil_session::played_game::{EditHistory, EditSummary, TreeClock};
use alfil_session::{
    BoardChange, GameEnd, GameInfo, GameSession, IssueDescription, Layout, MoveResult, Opening, OpeningNames,
    RefusedTarget, RuleWarning, RulesetInfo, TacticalMark, Target,
};
use serde::{Deserialize, Serialize, Serializer};

use super::MaterialDto;
use crate::stored::to_milliseconds;

/// The kind of a change of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BoardChangeKind {
    /// A piece is placed on the square.
    Put,
    /// The piece of the square is removed.
    Lift,
    /// The disc of the square is flipped.
    Turn,
}

/// A change of the board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoardChangeDto {
    /// The kind of change.
    #[serde(rename = "do")]
    pub kind: BoardChangeKind,
    /// The square.
    pub square: String,
    /// The letter of the piece: after the change, or before it was lifted.
    pub piece: char,
}

impl From<&BoardChange> for BoardChangeDto {
    fn from(change: &BoardChange) -> Self {
        let (kind, (square, piece)) = match change {
            BoardChange::Put(square, piece) => (BoardChangeKind::Put, (square, piece)),
            BoardChange::Remove(square, piece) => (BoardChangeKind::Lift, (square, piece)),
            BoardChange::Flip(square, piece) => (BoardChangeKind::Turn, (square, piece)),
        };
        BoardChangeDto { kind, square: square.clone(), piece: *piece }
    }
}

fn changes_to_dto(changes: &[BoardChange]) -> Vec<BoardChangeDto> {
    changes.iter().map(BoardChangeDto::from).collect()
}

/// A move that was played or taken back.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MoveResultDto {
    /// The move in the default dialect.
    pub text: String,
    /// The changes of the board, for the animation.
    pub script: Vec<BoardChangeDto>,
    /// The sound: `move`, `capture`, `check` or `end`.
    #[cfg_attr(test, ts(as = "super::values::Sound"))]
    pub sound: &'static str,
}

impl From<&MoveResult> for MoveResultDto {
    fn from(step: &MoveResult) -> Self {
        MoveResultDto {
            text: step.text.clone(),
            script: changes_to_dto(&step.board_changes),
            sound: step.sound,
        }
    }
}

/// A target of a legal move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TargetDto {
    /// The square of the piece; null for a new disc or a pass.
    pub from: Option<String>,
    /// The target square; null for a pass.
    pub to: Option<String>,
    /// The move in the default dialect.
    pub text: String,
    /// The changes of the board, for the animation.
    pub script: Vec<BoardChangeDto>,
    /// The promotion letter that distinguishes moves with the same squares.
    pub choice: Option<char>,
}

impl From<Target> for TargetDto {
    fn from(target: Target) -> Self {
        let script = changes_to_dto(&target.board_changes);
        TargetDto { from: target.from, to: target.to, text: target.text, script, choice: target.promotion }
    }
}

/// The end of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameEndDto {
    /// The side that won, 0 or 1; null for a draw.
    #[cfg_attr(test, ts(as = "Option<super::values::Side>"))]
    pub winner: Option<usize>,
    /// The cause in one word.
    pub cause: String,
    /// The message in English.
    pub words: String,
    /// The message in Chinese.
    pub words_zh: String,
}

impl GameEndDto {
    /// Converts the end of a game.
    pub fn from_game_end(game_end: GameEnd) -> Self {
        let winner = match game_end.outcome {
            Outcome::Win(side) => Some(side.index()),
            Outcome::Draw => None,
        };
        GameEndDto { winner, cause: game_end.cause, words: game_end.message, words_zh: game_end.message_zh }
    }
}

/// A move after which the game ends by a rule without a win for the side that plays it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleWarningDto {
    /// The move in the default dialect.
    pub text: String,
    /// The move in the chosen dialect.
    pub label: String,
    /// Whether the opponent can end the game by his reply; otherwise the move itself ends it.
    pub by_reply: bool,
    /// The end of the game.
    pub ending: GameEndDto,
}

/// A legal move that the ruleset refuses in this game now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RefusedMoveDto {
    /// The square of the piece; null for a new disc or a pass.
    pub from: Option<String>,
    /// The target square; null for a pass.
    pub to: Option<String>,
    /// The move in the default dialect.
    pub text: String,
    /// The move in the chosen dialect.
    pub label: String,
    /// The reason in English.
    pub reason: String,
    /// The reason in Chinese.
    pub reason_zh: String,
}

/// A position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PositionDto {
    /// The position text.
    pub fen: String,
    /// The side to move: 0 or 1.
    #[cfg_attr(test, ts(as = "super::values::Side"))]
    pub side: usize,
    /// The piece letters by square.
    pub pieces: BTreeMap<String, char>,
    /// The squares of the last move.
    pub last: Vec<String>,
    /// The square of the king in check.
    pub check: Option<String>,
    /// The state of the game in a sentence.
    pub words: String,
    /// The end of the game, if it is over.
    pub ending: Option<GameEndDto>,
    /// The legal moves but those that the ruleset refuses; empty if the game is over.
    pub targets: Vec<TargetDto>,
    /// The legal moves that the ruleset refuses in this game now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub refused: Vec<RefusedMoveDto>,
    /// The legal moves after which the game ends by a rule without a win, at once or by the opponent's reply.
    pub warnings: Vec<RuleWarningDto>,
    /// The number of pieces of each side.
    pub tally: [usize; 2],
    /// The number of occurrences of the position.
    pub occurrences: usize,
    /// The last named opening that the game has reached.
    pub opening: Option<OpeningDto>,
    /// The clock of a timed game.
    pub clock: Option<ClockDto>,
    /// The captured pieces, in games whose pieces have values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub material: Option<MaterialDto>,
}

/// A named opening.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpeningDto {
    /// The code of the Encyclopaedia of Chess Openings; empty in other games.
    pub eco: &'static str,
    /// The name in English.
    pub name: &'static str,
    /// The name in Chinese; the English one if there is none.
    pub name_zh: &'static str,
}

impl From<Opening> for OpeningDto {
    fn from(opening: Opening) -> Self {
        let Opening { eco, name, name_zh } = opening;
        OpeningDto { eco, name, name_zh: if name_zh.is_empty() { name } else { name_zh } }
    }
}

impl PositionDto {
    /// Returns the current position of a session, with labels in a dialect. `openings` are the openings of its game.
    ///
    /// ```
    /// use alfil_page::wire::PositionDto;
    /// use alfil_session::registry;
    ///
    /// let mut session = registry::open("chess", None)?;
    /// session.play("c2c4", None)?;
    /// let position = PositionDto::from_session(&*session, None, &registry::opening_names("chess")?);
    /// assert_eq!((position.side, position.tally, position.pieces["c4"]), (1, [16, 16], 'P'));
    /// assert_eq!(position.opening.unwrap().name, "English Opening");
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    pub fn from_session(session: &dyn GameSession, dialect: Option<&str>, openings: &OpeningNames) -> Self {
        let view = session.view();
        let is_running = view.game_end.is_none();
        let targets = if is_running { session.targets(None) } else { Vec::new() };
        let warnings = if is_running { session.rule_warnings() } else { Vec::new() };
        let refused = if is_running { session.refused_targets() } else { Vec::new() };
        let label = |text: &str| session.format_move(text, dialect).unwrap_or_else(|_| text.to_owned());
        let refused_move = |RefusedTarget { target, reason, reason_zh, .. }| {
            let Target { from, to, text, .. } = target;
            RefusedMoveDto { from, to, label: label(&text), text, reason, reason_zh }
        };
        let warning = |RuleWarning { mv: text, reply, end }| RuleWarningDto {
            label: label(&text),
            by_reply: reply.is_some(),
            ending: GameEndDto::from_game_end(end),
            text,
        };
        let appearance = session.appearance();
        let count = |side| {
            let own = |letter: &char| appearance.piece(*letter).is_some_and(|piece| piece.side == side);
            view.pieces.iter().filter(|(_, letter)| own(letter)).count()
        };
        PositionDto {
            tally: [count(0), count(1)],
            occurrences: view.occurrences,
            opening: session.opening(openings).map(OpeningDto::from),
            clock: None,
            material: None,
            fen: view.fen,
            side: view.side_to_move.index(),
            pieces: view.pieces.into_iter().collect(),
            last: view.last_move,
            check: view.checked_king,
            words: view.status,
            ending: view.game_end.map(GameEndDto::from_game_end),
            targets: targets.into_iter().map(TargetDto::from).collect(),
            refused: refused.into_iter().map(refused_move).collect(),
            warnings: warnings.into_iter().map(warning).collect(),
        }
    }
}

/// A time control, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TimeControlDto {
    /// The time of each side for the game.
    pub base: u64,
    /// The increment per move.
    pub increment: u64,
}

impl From<TimeControl> for TimeControlDto {
    fn from(time_control: TimeControl) -> Self {
        TimeControlDto {
            base: to_milliseconds(time_control.base),
            increment: to_milliseconds(time_control.increment),
        }
    }
}

impl TryFrom<TimeControlDto> for TimeControl {
    type Error = TimeControlError;

    fn try_from(dto: TimeControlDto) -> Result<Self, TimeControlError> {
        TimeControl::new(Duration::from_millis(dto.base), Duration::from_millis(dto.increment))
    }
}

/// The clock at the moment of the message.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClockDto {
    /// The time control.
    #[serde(flatten)]
    pub pace: TimeControlDto,
    /// The remaining time of each side, in milliseconds.
    pub left: [u64; 2],
    /// The side whose clock runs: 0 or 1.
    #[cfg_attr(test, ts(as = "Option<super::values::Side>"))]
    pub running: Option<usize>,
    /// The side whose flag has fallen, 0 or 1: it has lost, unless `drawn` is set.
    #[cfg_attr(test, ts(as = "Option<super::values::Side>"))]
    pub flagged: Option<usize>,
    /// Whether the flag fall was a draw, because the opponent could not win.
    pub drawn: bool,
}

impl ClockDto {
    /// Returns the clock at the time `now`.
    pub(crate) fn new(clock: &TreeClock, now: Duration) -> ClockDto {
        let ClockSnapshot { time_control, running, flagged, .. } = *clock.game_clock.snapshot();
        ClockDto {
            pace: time_control.into(),
            left: Side::BOTH.map(|side| to_milliseconds(clock.game_clock.remaining(side, now))),
            running: running.map(Side::index),
            flagged: flagged.map(Side::index),
            drawn: clock.drawn,
        }
    }
}

/// Where the pieces stand, and how squares are drawn: see [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BoardLayout {
    /// The pieces stand on the intersections of lines.
    Points,
    /// The squares have two colours.
    Checkered,
    /// The squares have one colour, with lines between them.
    Cells,
}

/// The appearance of a board: see [`alfil_session::Appearance`].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AppearanceDto {
    /// The name of the game on the command line.
    pub game: &'static str,
    /// The title in English.
    pub title: &'static str,
    /// The title in Chinese.
    pub title_zh: &'static str,
    /// The number of files.
    pub files: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// The layout.
    pub layout: BoardLayout,
    /// The names of the files.
    pub file_names: &'static [&'static str],
    /// The names of the ranks.
    pub rank_names: &'static [&'static str],
    /// The names of the files at the edges of both players, by the dialect.
    pub edge_names_by_dialect: BTreeMap<&'static str, EdgeNames>,
    /// The lines of the board, as x and y of both ends.
    pub lines: &'static [[f32; 4]],
    /// The points with a mark.
    pub marks: &'static [[f32; 2]],
    /// The names of the sides in English.
    pub sides: [&'static str; 2],
    /// The pieces by letter, in their usual order.
    #[serde(serialize_with = "serialize_in_order")]
    #[cfg_attr(test, ts(as = "BTreeMap<char, PieceAppearanceDto>"))]
    pub pieces: Vec<(char, PieceAppearanceDto)>,
    /// The words in the middle of the board.
    pub legend: &'static [&'static str],
    /// The words as SVG paths in thousandths of a square; empty if all fonts have their letters.
    pub legend_outlines: &'static [&'static str],
    /// Whether the page shows the value of every legal move on its square instead of arrows.
    pub shows_move_values: bool,
    /// Whether the page shows the number of pieces beside the name of each side.
    pub shows_piece_counts: bool,
    /// The names of the sides in Chinese.
    pub sides_zh: [&'static str; 2],
}

fn serialize_in_order<S: Serializer>(
    pieces: &[(char, PieceAppearanceDto)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pieces.iter().map(|(letter, piece)| (letter, piece)))
}

/// The picture and the names of a piece.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PieceAppearanceDto {
    /// The side: 0 or 1.
    #[cfg_attr(test, ts(as = "super::values::Side"))]
    pub side: usize,
    /// The name in English.
    pub name: &'static str,
    /// The name in Chinese.
    pub name_zh: &'static str,
    /// The SVG path in thousandths of a square.
    pub outline: &'static str,
    /// The SVG path of a pictogram; empty if there is none.
    pub picture: &'static str,
}

impl From<&'static GameInfo> for AppearanceDto {
    fn from(info: &'static GameInfo) -> Self {
        let (appearance, names) = (info.appearance, info.names_zh);
        let layout = match appearance.layout {
            Layout::Intersections => BoardLayout::Points,
            Layout::Checkered => BoardLayout::Checkered,
            Layout::Cells => BoardLayout::Cells,
        };
        let shape = |piece: &'static alfil_session::PieceAppearance| {
            let name_zh = names.piece_name(piece.letter);
            let is_same_kind = |(letter, _): &&(char, _)| *letter == piece.letter.to_ascii_uppercase();
            let picture = info.pictograms.iter().find(is_same_kind).map_or("", |(_, picture)| *picture);
            (
                piece.letter,
                PieceAppearanceDto {
                    side: piece.side,
                    name: piece.name,
                    name_zh,
                    outline: piece.outline,
                    picture,
                },
            )
        };
        AppearanceDto {
            title_zh: names.title,
            sides_zh: names.sides,
            legend_outlines: info.legend_outlines,
            game: appearance.game,
            title: appearance.title,
            files: appearance.files,
            ranks: appearance.ranks,
            layout,
            file_names: appearance.file_names,
            rank_names: appearance.rank_names,
            lines: appearance.lines,
            marks: appearance.corner_marks,
            sides: appearance.sides,
            pieces: appearance.pieces.iter().map(shape).collect(),
            legend: appearance.legend,
            shows_move_values: appearance.shows_move_values,
            shows_piece_counts: appearance.shows_piece_counts,
            edge_names_by_dialect: appearance.edge_names.iter().copied().collect(),
        }
    }
}

/// A tactical mark: see [`alfil_session::TacticalMark`].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TacticalMarkDto {
    /// The kind of mark.
    #[cfg_attr(test, ts(as = "super::values::TacticalMarkKind"))]
    pub kind: &'static str,
    /// The side: 0 or 1.
    #[cfg_attr(test, ts(as = "super::values::Side"))]
    pub side: usize,
    /// The squares of the mark.
    pub squares: Vec<String>,
}

impl From<TacticalMark> for TacticalMarkDto {
    fn from(mark: TacticalMark) -> Self {
        TacticalMarkDto { kind: mark.kind.name(), side: mark.side.index(), squares: mark.squares }
    }
}

/// An issue of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IssueDto {
    /// The name of the issue for waivers.
    pub name: &'static str,
    /// The message in English.
    pub words: String,
    /// The message in Chinese.
    pub words_zh: String,
    /// The squares of the issue.
    pub squares: Vec<String>,
    /// Whether the issue can be waived.
    pub waivable: bool,
}

impl From<IssueDescription> for IssueDto {
    fn from(issue: IssueDescription) -> Self {
        let IssueDescription { name, message: words, message_zh: words_zh, squares, is_waivable: waivable } =
            issue;
        IssueDto { name, words, words_zh, squares, waivable }
    }
}

/// An edit of a game.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditDto {
    /// The kind: `moves`, `take_back`, `deletion`, `comment`, `marks`, `promotion`, `tags` or `resignation`.
    #[cfg_attr(test, ts(as = "super::values::EditKind"))]
    pub kind: &'static str,
    /// The number of moves that it added or removed.
    pub moves: usize,
}

impl From<EditSummary> for EditDto {
    fn from(summary: EditSummary) -> Self {
        EditDto { kind: summary.kind.name(), moves: summary.moves }
    }
}

/// The edits that would be undone and redone next.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditsDto {
    /// The edit to undo.
    pub undo: Option<EditDto>,
    /// The edit to redo.
    pub redo: Option<EditDto>,
}

impl From<&EditHistory> for EditsDto {
    fn from(edits: &EditHistory) -> Self {
        EditsDto { undo: edits.last_done().map(EditDto::from), redo: edits.last_undone().map(EditDto::from) }
    }
}

/// A ruleset.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulesetDto {
    /// The name on the command line.
    pub name: &'static str,
    /// The title in English.
    pub title: &'static str,
    /// The title in Chinese.
    pub title_zh: &'static str,
}

impl RulesetDto {
    /// Converts a ruleset.
    pub fn from_info(info: &RulesetInfo) -> Self {
        RulesetDto { name: info.name, title: info.title, title_zh: info.title_zh }
    }
}
