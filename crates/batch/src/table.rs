//! The tables of an analysis: a row for each line of a position, and a row for each game. The columns are listed once;
//! JSON and Parquet are written from the list.

use alfil_session::accuracy::ACCURACY_VERSION;
use serde_json::{Map, Value as Json};

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// A text.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value::Text(text.clone())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Float(number)
    }
}

/// Converts whole numbers; those of an analysis are far below 2^63.
macro_rules! whole_numbers {
    ($($number:ty)*) => {
        $(impl From<$number> for Value {
            fn from(number: $number) -> Value {
                Value::Int(number as i64)
            }
        })*
    };
}
whole_numbers!(i32 u32 u64 usize);

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// UTF-8 text.
    Text,
    /// A whole number of 32 bits.
    Int32,
    /// A whole number of 64 bits.
    Int64,
    /// A number of 64 bits.
    Float,
}

/// A column of a table of `R`.
pub struct Column<R> {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: ColumnType,
    /// What the values are, with their unit.
    pub description: &'static str,
    /// Returns the value of a row.
    pub value: fn(&R) -> Value,
}

/// A row of a table.
///
/// ```
/// use alfil_batch::table::{GameRow, TableRow};
///
/// let row = GameRow { game: "chess".into(), number: 3, plies: 40, ..GameRow::default() };
/// let json = row.to_json();
/// assert_eq!((&json["number"], &json["plies"], &json["eco"]), (&3.into(), &40.into(), &serde_json::Value::Null));
/// assert_eq!(json.as_object().unwrap().len(), GameRow::COLUMNS.len());
/// ```
pub trait TableRow: Sized + 'static {
    /// The columns in order.
    const COLUMNS: &'static [Column<Self>];

    /// Returns the row as a JSON object.
    fn to_json(&self) -> Json {
        let field = |column: &Column<Self>| {
            let value = match (column.value)(self) {
                Value::Null => Json::Null,
                Value::Text(text) => text.into(),
                Value::Int(number) => number.into(),
                Value::Float(number) => number.into(),
            };
            (column.name.to_owned(), value)
        };
        Json::Object(Self::COLUMNS.iter().map(field).collect::<Map<_, _>>())
    }
}

/// Writes the columns of a row type.
macro_rules! columns {
    ($row:ty: $($name:literal $kind:ident $description:literal $value:expr;)*) => {
        impl TableRow for $row {
            const COLUMNS: &'static [Column<Self>] = &[$(Column {
                name: $name,
                kind: ColumnType::$kind,
                description: $description,
                value: $value,
            }),*];
        }
    };
}

/// A line of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PositionRow {
    /// The name of the game.
    pub game: String,
    /// The file.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The ply.
    pub ply: usize,
    /// The rank of the line, from 1.
    pub line: usize,
    /// The position text.
    pub fen: String,
    /// The hash key.
    pub key: u64,
    /// The side to move.
    pub side: String,
    /// The move played.
    pub move_played: Option<String>,
    /// The score in centipawns; none if the end is forced.
    pub score_cp: Option<i32>,
    /// The plies to a forced end.
    pub mate_plies: Option<i32>,
    /// Win, draw and loss in permille.
    pub wdl: [u32; 3],
    /// The depth in plies.
    pub depth: u32,
    /// The nodes.
    pub nodes: u64,
    /// The moves of the line.
    pub pv: Vec<String>,
    /// The loss of the move played, in centipawns.
    pub loss_cp: Option<i32>,
    /// The loss of the move played, in permille of the expected score.
    pub loss_permille: Option<u32>,
    /// The judgement of the move played.
    pub judgement: Option<&'static str>,
    /// The cause of the end of the game.
    pub end: Option<String>,
    /// The verdict and cause of the ruling.
    pub ruling: Option<(String, String)>,
}

columns! { PositionRow:
    "game" Text "the game: xiangqi, chess or othello" |row| (&row.game).into();
    "file" Text "the file of the record" |row| (&row.file).into();
    "number" Int32 "the number of the record in the file, from 1" |row| row.number.into();
    "ply" Int32 "the number of moves played before the position" |row| row.ply.into();
    "line" Int32 "the rank of the line among the best lines of the position, from 1" |row| row.line.into();
    "fen" Text "the position text" |row| (&row.fen).into();
    "key" Text "the hash key of the position without its counters, 16 hexadecimal digits" |row| format!("{:016x}", row.key).into();
    "side" Text "the side to move: red, white or black" |row| (&row.side).into();
    "move_played" Text "the move played in the record; null after the last one" |row| row.move_played.as_ref().into();
    "best_move" Text "the first move of the line; null if the game is over" |row| row.pv.first().into();
    "score_cp" Int32 "centipawns (Othello: hundredths of a disc) from the view of the side to move, 100000 or -100000 for a game decided by rule; null if mate_plies is not" |row| row.score_cp.into();
    "mate_plies" Int32 "plies to a forced end, positive if the side to move wins; null without one" |row| row.mate_plies.into();
    "win_permille" Int32 "permille, the probability that the side to move wins" |row| row.wdl[0].into();
    "draw_permille" Int32 "permille, the probability of a draw" |row| row.wdl[1].into();
    "loss_permille" Int32 "permille, the probability that the side to move loses" |row| row.wdl[2].into();
    "depth" Int32 "plies, the depth of the search" |row| row.depth.into();
    "nodes" Int64 "nodes searched for the position" |row| row.nodes.into();
    "pv" Text "the moves of the line, separated by spaces" |row| row.pv.join(" ").into();
    "loss_cp" Int32 "centipawns that the move played lost, scores clipped at 1500; on line 1, null if the next ply was not analysed" |row| row.loss_cp.into();
    "expected_loss_permille" Int32 "permille of the expected score (win and half a draw) that the move played lost; null as loss_cp" |row| row.loss_permille.into();
    "judgement" Text "inaccuracy (50 permille lost), mistake (100), blunder (200), or null" |row| row.judgement.into();
    "game_end" Text "the cause that ended the game at this position, or null" |row| row.end.as_ref().into();
    "ruling" Text "the verdict of the ruleset of --rules at this position, such as red_loses, or null" |row| row.ruling.as_ref().map(|(verdict, _)| verdict).into();
    "ruling_cause" Text "its cause, such as perpetual_check, or null" |row| row.ruling.as_ref().map(|(_, cause)| cause).into();
}

/// The moves of one side of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// The name of the player.
    pub player: Option<String>,
    /// The number of its moves with a loss.
    pub moves: u64,
    /// The accuracy in percent; `None` without a move that was analysed.
    pub accuracy: Option<f64>,
    /// The sum of its losses in centipawns.
    pub loss_cp: i64,
    /// The number of inaccuracies, mistakes and blunders.
    pub judgements: [u32; 3],
}

impl SideSummary {
    fn mean_loss_cp(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss_cp as f64 / self.moves as f64)
    }
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRow {
    /// The name of the game.
    pub game: String,
    /// The file.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The result.
    pub result: Option<&'static str>,
    /// The code of the opening.
    pub eco: Option<String>,
    /// The name of the opening.
    pub opening: Option<String>,
    /// The number of moves.
    pub plies: usize,
    /// The number of analysed positions.
    pub positions: u64,
    /// The first and the second side.
    pub sides: [SideSummary; 2],
    /// The ply, verdict and cause of the first ruling.
    pub ruling: Option<(usize, String, String)>,
    /// The reason why the record was not read or analysed to its end.
    pub error: Option<String>,
}

impl GameRow {
    /// Returns the version of the formula of the accuracies; none without one.
    fn accuracy_version(&self) -> Option<u64> {
        self.sides.iter().any(|side| side.accuracy.is_some()).then_some(ACCURACY_VERSION.into())
    }
}

columns! { GameRow:
    "game" Text "the game: xiangqi, chess or othello" |row| (&row.game).into();
    "file" Text "the file of the record" |row| (&row.file).into();
    "number" Int32 "the number of the record in the file, from 1" |row| row.number.into();
    "first_player" Text "the name of the first player (Red, White, Black in Othello), or null" |row| row.sides[0].player.as_ref().into();
    "second_player" Text "the name of the second player, or null" |row| row.sides[1].player.as_ref().into();
    "result" Text "1-0, 0-1 or 1/2-1/2, the first player's points before the second's; null if unknown" |row| row.result.into();
    "eco" Text "the ECO code of the opening in the record, in chess else by its moves; null if unknown" |row| row.eco.as_ref().into();
    "opening" Text "the name of the opening in the record, else by its moves; null if unknown" |row| row.opening.as_ref().into();
    "plies" Int32 "plies, the number of moves of the main line" |row| row.plies.into();
    "positions" Int32 "the number of positions with a result" |row| row.positions.into();
    "first_moves" Int32 "the number of moves of the first player with a loss" |row| row.sides[0].moves.into();
    "second_moves" Int32 "the number of moves of the second player with a loss" |row| row.sides[1].moves.into();
    "first_accuracy" Float "percent, of the first player's moves: 100 if none lost anything" |row| row.sides[0].accuracy.into();
    "second_accuracy" Float "percent, of the second player" |row| row.sides[1].accuracy.into();
    "accuracy_version" Int32 "the version of the formula of the accuracies; null without any" |row| row.accuracy_version().into();
    "first_mean_loss_cp" Float "centipawns, the mean loss of the first player's moves" |row| row.sides[0].mean_loss_cp().into();
    "second_mean_loss_cp" Float "centipawns, of the second player" |row| row.sides[1].mean_loss_cp().into();
    "first_inaccuracies" Int32 "the number of inaccuracies of the first player" |row| row.sides[0].judgements[0].into();
    "first_mistakes" Int32 "the number of mistakes of the first player" |row| row.sides[0].judgements[1].into();
    "first_blunders" Int32 "the number of blunders of the first player" |row| row.sides[0].judgements[2].into();
    "second_inaccuracies" Int32 "the number of inaccuracies of the second player" |row| row.sides[1].judgements[0].into();
    "second_mistakes" Int32 "the number of mistakes of the second player" |row| row.sides[1].judgements[1].into();
    "second_blunders" Int32 "the number of blunders of the second player" |row| row.sides[1].judgements[2].into();
    "ruling_ply" Int32 "the ply of the first position on which the ruleset of --rules rules, or null" |row| row.ruling.as_ref().map(|ruling| ruling.0).into();
    "ruling" Text "the verdict there, such as red_loses, or null" |row| row.ruling.as_ref().map(|ruling| &ruling.1).into();
    "ruling_cause" Text "its cause, such as perpetual_check, or null" |row| row.ruling.as_ref().map(|ruling| &ruling.2).into();
    "error" Text "why the record was not read or analysed to its end, or null" |row| row.error.as_ref().into();
}
