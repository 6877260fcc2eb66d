//! How boards, moves and positions look on the wire.

use std::collections::BTreeMap;

use alfil_kernel::Outcome;
use alfil_session::appearance::{chinese, pictures};
use alfil_session::rulings;
use alfil_session::{
    Appearance, BoardChange, GameEnd, GameSession, IssueDescription, Layout, MoveResult, Ruling, RulingPly,
    TacticalMark, Target,
};
use serde::{Deserialize, Serialize, Serializer};

/// A change on the board.
#[derive(Clone, Debug, Serialize)]
pub struct BoardChangeDto {
    /// `put`, `lift` or `turn`.
    #[serde(rename = "do")]
    pub verb: &'static str,
    /// Where.
    pub square: String,
    /// The piece's letter: what it is after the change, or was when it is lifted.
    pub piece: char,
}

impl From<&BoardChange> for BoardChangeDto {
    fn from(change: &BoardChange) -> Self {
        let (verb, (square, piece)) = match change {
            BoardChange::Put(square, piece) => ("put", (square, piece)),
            BoardChange::Remove(square, piece) => ("lift", (square, piece)),
            BoardChange::Flip(square, piece) => ("turn", (square, piece)),
        };
        BoardChangeDto { verb, square: square.clone(), piece: *piece }
    }
}

fn changes_to_dto(changes: &[BoardChange]) -> Vec<BoardChangeDto> {
    changes.iter().map(BoardChangeDto::from).collect()
}

/// A move that was played or taken back.
#[derive(Clone, Debug, Serialize)]
pub struct MoveResultDto {
    /// In the default dialect.
    pub text: String,
    /// What changed on the board.
    pub script: Vec<BoardChangeDto>,
    /// `move`, `capture`, `check` or `end`.
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

/// A place a man can go to.
#[derive(Clone, Debug, Serialize)]
pub struct TargetDto {
    /// Where the man stands; null where a new man is put.
    pub from: Option<String>,
    /// Where it goes; null for a pass.
    pub to: Option<String>,
    /// In the default dialect.
    pub text: String,
    /// What will change on the board.
    pub script: Vec<BoardChangeDto>,
    /// The letter that tells it from others between the same squares.
    pub choice: Option<char>,
}

impl From<Target> for TargetDto {
    fn from(target: Target) -> Self {
        let script = changes_to_dto(&target.board_changes);
        TargetDto { from: target.from, to: target.to, text: target.text, script, choice: target.promotion }
    }
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
pub struct GameEndDto {
    /// 0 or 1 for the side that won; null for a draw.
    pub winner: Option<usize>,
    /// The cause in one word.
    pub cause: String,
    /// The verdict in a sentence.
    pub words: String,
    /// The same in Chinese.
    pub words_zh: String,
}

impl GameEndDto {
    /// The end of a game.
    pub fn from_game_end(ending: GameEnd) -> Self {
        let winner = match ending.outcome {
            Outcome::Win(side) => Some(side.index()),
            Outcome::Draw => None,
        };
        GameEndDto { winner, cause: ending.cause, words: ending.message, words_zh: ending.message_zh }
    }
}

/// What a move would come to.
#[derive(Clone, Debug, Serialize)]
pub struct WarningDto {
    /// The move in the default dialect.
    pub text: String,
    /// In the dialect chosen.
    pub label: String,
    /// How the game would end.
    pub ending: GameEndDto,
}

/// How it stands.
#[derive(Clone, Debug, Serialize)]
pub struct PositionDto {
    /// In the game's own text.
    pub fen: String,
    /// 0 or 1: who is to move.
    pub side: usize,
    /// Squares and the letters of what stands there.
    pub men: BTreeMap<String, char>,
    /// The squares of the last move.
    pub last: Vec<String>,
    /// Where the king stands that is in check.
    pub check: Option<String>,
    /// How it stands in a sentence.
    pub words: String,
    /// The verdict, if the game is over.
    pub ending: Option<GameEndDto>,
    /// All legal moves; none where the game is over.
    pub targets: Vec<TargetDto>,
    /// Those of them that would end the game by its laws without a win for who plays them.
    pub warnings: Vec<WarningDto>,
    /// How many men of each side stand.
    pub tally: [usize; 2],
    /// How often the position has stood, this time included.
    pub occurrences: usize,
    /// Both sides' time, if it is played by the clock.
    pub clock: Option<ClockDto>,
}

impl PositionDto {
    /// The position on a desk, its moves labelled in a dialect.
    pub fn from_session(desk: &dyn GameSession, dialect: Option<&str>) -> Self {
        let view = desk.view();
        let goes_on = view.game_end.is_none();
        let targets = if goes_on { desk.targets(None) } else { Vec::new() };
        let warnings = if goes_on { desk.rule_ending_moves() } else { Vec::new() };
        let warning = |(text, ending): (String, GameEnd)| WarningDto {
            label: desk.format_move(&text, dialect).unwrap_or_else(|_| text.clone()),
            ending: GameEndDto::from_game_end(ending),
            text,
        };
        let look = desk.appearance();
        let count = |side| {
            let own = |letter: &char| look.piece(*letter).is_some_and(|man| man.side == side);
            view.pieces.iter().filter(|(_, letter)| own(letter)).count()
        };
        PositionDto {
            tally: [count(0), count(1)],
            occurrences: view.occurrences,
            clock: None,
            fen: view.fen,
            side: view.side_to_move.index(),
            men: view.pieces.into_iter().collect(),
            last: view.last_move,
            check: view.checked_king,
            words: view.status,
            ending: view.game_end.map(GameEndDto::from_game_end),
            targets: targets.into_iter().map(TargetDto::from).collect(),
            warnings: warnings.into_iter().map(warning).collect(),
        }
    }
}

/// How a clock begins and goes on, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControlDto {
    /// What each side has at the start.
    pub base: u64,
    /// What each move adds.
    pub increment: u64,
}

/// A game's clock at the moment it is sent.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ClockDto {
    /// How it began.
    #[serde(flatten)]
    pub pace: TimeControlDto,
    /// What each side has left, in milliseconds.
    pub left: [u64; 2],
    /// 0 or 1 for the side whose time runs.
    pub running: Option<usize>,
    /// 0 or 1 for the side whose time is over: it has lost, unless it is a draw.
    pub flagged: Option<usize>,
    /// Whether the other side could not win any more when it was over.
    pub drawn: bool,
}

/// What a board looks like: see [`alfil_session::Look`].
#[derive(Clone, Debug, Serialize)]
pub struct AppearanceDto {
    /// On the command line.
    pub game: &'static str,
    /// For people.
    pub title: &'static str,
    /// In Chinese.
    pub title_zh: &'static str,
    /// Columns.
    pub files: usize,
    /// Rows.
    pub ranks: usize,
    /// `points`, `checkered` or `cells`.
    pub layout: &'static str,
    /// The names of the columns.
    pub file_names: &'static [&'static str],
    /// The names of the rows.
    pub rank_names: &'static [&'static str],
    /// Lines, x and y of both ends.
    pub lines: &'static [[f32; 4]],
    /// Marked points.
    pub marks: &'static [[f32; 2]],
    /// The players' names.
    pub sides: [&'static str; 2],
    /// The men by letter, in their usual order.
    #[serde(serialize_with = "serialize_in_order")]
    pub men: Vec<(char, PieceAppearanceDto)>,
    /// Words across the middle of the board.
    pub legend: &'static [&'static str],
    /// The same words as SVG path data in thousandths of a square; empty where any font has their letters.
    pub legend_outlines: &'static [&'static str],
    /// The players' names in Chinese.
    pub sides_zh: [&'static str; 2],
}

fn serialize_in_order<S: Serializer>(
    men: &[(char, PieceAppearanceDto)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(men.iter().map(|(letter, man)| (letter, man)))
}

/// A man's picture and name.
#[derive(Clone, Debug, Serialize)]
pub struct PieceAppearanceDto {
    /// 0 or 1.
    pub side: usize,
    /// In English.
    pub name: &'static str,
    /// In Chinese.
    pub name_zh: &'static str,
    /// SVG path data in thousandths of a square.
    pub outline: &'static str,
    /// A picture for those who do not read the outline; empty where there is none.
    pub picture: &'static str,
}

impl From<&'static Appearance> for AppearanceDto {
    fn from(look: &'static Appearance) -> Self {
        let layout = match look.layout {
            Layout::Intersections => "points",
            Layout::Checkered => "checkered",
            Layout::Cells => "cells",
        };
        let names = chinese::names_for_game(look.game);
        let shape = |man: &'static alfil_session::PieceAppearance| {
            let name_zh = names.map_or(man.name, |names| names.piece_name(man.letter));
            let of_kind = |(letter, _): &&(char, _)| *letter == man.letter.to_ascii_uppercase();
            let picture =
                pictures::piece_pictures(look.game).iter().find(of_kind).map_or("", |(_, picture)| *picture);
            (
                man.letter,
                PieceAppearanceDto { side: man.side, name: man.name, name_zh, outline: man.outline, picture },
            )
        };
        AppearanceDto {
            title_zh: names.map_or(look.title, |names| names.title),
            sides_zh: names.map_or(look.sides, |names| names.sides),
            legend_outlines: pictures::legend_outlines(look.game),
            game: look.game,
            title: look.title,
            files: look.files,
            ranks: look.ranks,
            layout,
            file_names: look.file_names,
            rank_names: look.rank_names,
            lines: look.lines,
            marks: look.corner_marks,
            sides: look.sides,
            men: look.pieces.iter().map(shape).collect(),
            legend: look.legend,
        }
    }
}

/// What is easily overlooked: see [`alfil_session::sight`].
#[derive(Clone, Debug, Serialize)]
pub struct TacticalMarkDto {
    /// How to draw it.
    pub kind: &'static str,
    /// Whose it is: 0 or 1.
    pub side: usize,
    /// The squares it joins.
    pub squares: Vec<String>,
}

impl From<TacticalMark> for TacticalMarkDto {
    fn from(sight: TacticalMark) -> Self {
        TacticalMarkDto { kind: sight.kind.name(), side: sight.side.index(), squares: sight.squares }
    }
}

/// What is wrong with a set-up position.
#[derive(Clone, Debug, Serialize)]
pub struct IssueDto {
    /// The name by which it is let pass.
    pub name: &'static str,
    /// In a sentence.
    pub words: String,
    /// The same in Chinese.
    pub words_zh: String,
    /// The squares concerned.
    pub squares: Vec<String>,
    /// Whether it can be let pass.
    pub waivable: bool,
}

impl From<IssueDescription> for IssueDto {
    fn from(grievance: IssueDescription) -> Self {
        let IssueDescription { name, message: words, message_zh: words_zh, squares, is_waivable: waivable } =
            grievance;
        IssueDto { name, words, words_zh, squares, waivable }
    }
}

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreDto {
    /// Hundredths, positive if the first side stands better.
    pub value: i32,
    /// In so many plies the game ends: positive if the first side wins.
    pub mate: Option<i32>,
}

/// A rule book.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RulesetDto {
    /// By which it is asked for.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// In Chinese.
    pub title_zh: &'static str,
}

impl RulesetDto {
    /// The book of that name.
    pub fn from_name(name: &'static str) -> Self {
        RulesetDto {
            name,
            title: rulings::ruleset_title(name, false),
            title_zh: rulings::ruleset_title(name, true),
        }
    }
}

/// A judge's ruling: see [`alfil_session::Ruling`].
#[derive(Clone, Debug, Serialize)]
pub struct RulingDto {
    /// The name of the book.
    pub book: &'static str,
    /// Whether there is a verdict; without one the game goes on.
    pub decided: bool,
    /// 0 or 1 for the side that wins; null for a draw.
    pub winner: Option<usize>,
    /// The moves of the repetition.
    pub plies: Vec<RuledPlyDto>,
    /// The verdict and its reasons, a sentence each.
    pub explanation: Vec<String>,
    /// What the offender could have played instead.
    pub instead: Vec<String>,
    /// Where sources dispute such a repetition: each reading's verdict and why, the book's own first.
    pub readings: Vec<ReadingDto>,
}

/// How one school reads a repetition.
#[derive(Clone, Debug, Serialize)]
pub struct ReadingDto {
    /// 0 or 1 for the side that wins; null for a draw.
    pub winner: Option<usize>,
    /// Why.
    pub words: String,
}

/// A move of the repetition.
#[derive(Clone, Debug, Serialize)]
pub struct RuledPlyDto {
    /// Its number, from 1.
    pub ply: usize,
    /// `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`.
    pub nature: &'static str,
    /// The squares of the men that it newly attacks with profit.
    pub victims: Vec<String>,
}

impl From<Ruling> for RulingDto {
    fn from(ruling: Ruling) -> Self {
        let winner = |outcome| match outcome {
            Outcome::Win(side) => Some(side.index()),
            Outcome::Draw => None,
        };
        let reading = |(outcome, words)| ReadingDto { winner: winner(outcome), words };
        let ruled = |ply: RulingPly| RuledPlyDto {
            ply: ply.number,
            nature: ply.move_class,
            victims: ply.victims.into_iter().map(|(_, square)| square).collect(),
        };
        RulingDto {
            book: ruling.ruleset,
            decided: ruling.outcome.is_some(),
            winner: ruling.outcome.and_then(winner),
            plies: ruling.plies.into_iter().map(ruled).collect(),
            explanation: ruling.explanation,
            instead: ruling.alternatives,
            readings: ruling.readings.into_iter().map(reading).collect(),
        }
    }
}
