//! What lists, counts and conditions need of a game: its tags, its result and the length of its main line.

use alfil_kernel::Outcome;

use crate::error::RecordError;
use crate::tags::Tags;
use crate::text_game::TextGame;

/// A game without its moves: reading it takes much less time than reading a [`TextGame`], although its moves are
/// checked as well.
///
/// ```
/// use alfil_chess::Chess;
/// use alfil_records::text_game::TextFormat;
/// use alfil_records::text_stream::TextGames;
///
/// let file = b"[White \"A\"]\n\n1. e4 c5 (1... e5) 2. Nf3 1-0\n";
/// let chess = TextFormat::new::<Chess>();
/// let mut games = TextGames::new(&file[..], vec![&chess], None)?;
/// let batch = games.next_batch(None)?.unwrap();
/// let outline = batch.outlines(None).next().unwrap().game.unwrap();
/// assert_eq!((outline.game.as_str(), outline.plies, outline.tags.value("White")), ("chess", 3, Some("A")));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameOutline {
    /// The name of the game, such as `xiangqi`.
    pub game: String,
    /// The tags of the record.
    pub tags: Tags,
    /// The text of the initial position; none for the start position of the game.
    pub start: Option<String>,
    /// The result; none if the game is unfinished or its result unknown.
    pub result: Option<Outcome>,
    /// The number of moves of the main line.
    pub plies: usize,
    /// The error that ended the game before its end, if any.
    pub error: Option<RecordError>,
    /// The parts skipped in reading.
    pub warnings: Vec<RecordError>,
}

impl GameOutline {
    /// Takes the outline of a game.
    pub fn of(game: &TextGame) -> GameOutline {
        let TextGame { game: name, tags, start, result, moves, error, warnings } = game;
        GameOutline {
            game: name.clone(),
            tags: tags.clone(),
            start: start.clone(),
            result: *result,
            plies: moves.main_line().count(),
            error: error.clone(),
            warnings: warnings.clone(),
        }
    }
}
