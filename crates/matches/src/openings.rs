//! The openings of a match: read from a file, or generated.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::mpsc;

use alfil_kernel::Waivers;
use alfil_kernel::epd::split_at_moves;
use alfil_kernel::zobrist::{GOLDEN_GAMMA, SplitMix64};

use alfil_engine::{SearchEvent, start_search};
use alfil_session::game_info::{GameInfo, OpeningDefaults};
use alfil_session::registry::{self, Registry};
use alfil_session::{
    FileFormat, GameSession, RecordError, SearchLimits, SearchReport, SearchResources, SessionError, TextGame,
};

/// A position and moves from it. As text: the position or `startpos`, then ` moves ` and the moves in the default
/// dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// The position text; `None` for the start position of the game. [`Opening::parse`] also reads EPD and other
    /// spellings, which engines and game files do not, and sets the standard text.
    pub start: Option<String>,
    /// The moves in the default dialect.
    pub moves: Vec<String>,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.start.as_deref().unwrap_or("startpos"))?;
        match self.moves.is_empty() {
            true => Ok(()),
            false => write!(f, " moves {}", self.moves.join(" ")),
        }
    }
}

impl Opening {
    /// Parses the text of an [`Opening`]; a line of moves alone starts from the start position.
    ///
    /// # Errors
    /// Returns an error if the position or a move cannot be read, or the game is over after the opening.
    pub fn parse(text: &str, session: &mut dyn GameSession) -> Result<Opening, SessionError> {
        let text = text.trim();
        let (start, moves) = match split_at_moves(text) {
            Some(parts) => parts,
            None if Opening::is_move_line(text, session)? => ("startpos", text),
            None => (text, ""),
        };
        let start = (start != "startpos").then(|| start.to_owned());
        let mut opening = Opening { start, moves: Vec::new() };
        opening.set_up(session)?;
        if let Some(start) = &mut opening.start {
            *start = session.view().fen;
        }
        for (number, mv) in moves.split_whitespace().enumerate() {
            let result = session.replay(mv, None).map_err(|error| error.at_move(number + 1))?;
            opening.moves.push(result.text);
        }
        match session.game_end() {
            Some(end) => Err(SessionError::new(format!("the game is over: {}", end.message))),
            None => Ok(opening),
        }
    }

    fn is_move_line(text: &str, session: &mut dyn GameSession) -> Result<bool, SessionError> {
        session.open("startpos", &Waivers::None)?;
        Ok(text.split_whitespace().next().is_some_and(|word| session.play(word, None).is_ok()))
    }

    /// Sets its position in the session and plays its moves.
    ///
    /// # Errors
    /// Returns an error if the opening is not valid in the game of the session.
    pub fn set_up(&self, session: &mut dyn GameSession) -> Result<(), SessionError> {
        session.open(self.start.as_deref().unwrap_or("startpos"), &Waivers::None)?;
        for mv in &self.moves {
            session.replay(mv, None)?;
        }
        Ok(())
    }
}

/// The openings of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpeningFile {
    /// The openings, in the order of the file; at least one.
    pub openings: Vec<Opening>,
    /// The number of games that cannot be openings: with an illegal move, over within the plies, or of another game.
    pub skipped: usize,
    /// The number and the error of the first of these games.
    pub first_error: Option<String>,
    /// Whether the openings are the first plies of games, and not lines that are played whole.
    pub is_of_games: bool,
}

/// Reads openings: the first `plies` plies of each game of a file of games, or a line each of another text. Empty lines
/// and lines that start with `#` are skipped, and so are games that cannot be openings.
///
/// # Errors
/// Returns an error with the place if a line cannot be read, or if there are no openings.
pub fn parse_openings(game: &str, bytes: &[u8], plies: usize) -> Result<OpeningFile, SessionError> {
    let mut session = registry::open(game, None)?;
    let has_transcripts =
        Registry::default().entry(game)?.records.written_files().contains(&FileFormat::Transcript);
    use FileFormat::{Binary, Epd, Json, Obf, PerftLines, Transcript};
    match FileFormat::detect(bytes) {
        // Moves without spaces between them.
        Some(Transcript) if has_transcripts && !begins_with_move(bytes, session.as_mut())? => {
            return parse_game_openings(game, bytes, plies, session.as_mut());
        }
        // Lines of squares alone are moves of this game, whatever else has that form. Other lines are positions, or
        // are refused with their number.
        None | Some(Transcript | Epd | Obf | Json | PerftLines | Binary) => {}
        // A format that is not read as games is an error that names it.
        Some(_) => return parse_game_openings(game, bytes, plies, session.as_mut()),
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
        SessionError::new(format!("line {line}: not UTF-8 text"))
    })?;
    let mut openings = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let with_line = |error| SessionError::new(format!("line {}: {error}", number + 1));
        openings.push(Opening::parse(line, session.as_mut()).map_err(with_line)?);
    }
    match openings.is_empty() {
        true => Err(SessionError::new("there are no openings")),
        false => Ok(OpeningFile { openings, ..OpeningFile::default() }),
    }
}

/// Returns whether the first line of a text that is neither empty nor a comment begins with a move.
fn begins_with_move(bytes: &[u8], session: &mut dyn GameSession) -> Result<bool, SessionError> {
    let text = String::from_utf8_lossy(bytes);
    let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']);
    let first = text.trim_start_matches('\u{feff}').lines().find(is_content);
    first.map_or(Ok(false), |line| Opening::is_move_line(line, session))
}

/// Reads the first moves of the games of a file. Openings that occur again are left out.
fn parse_game_openings(
    game: &str,
    bytes: &[u8],
    plies: usize,
    session: &mut dyn GameSession,
) -> Result<OpeningFile, SessionError> {
    let mut file = OpeningFile { is_of_games: true, ..OpeningFile::default() };
    let mut seen = BTreeSet::new();
    for (record, number) in registry::read_games(bytes, Some(game))?.into_iter().zip(1..) {
        match parse_game_opening(game, number, record, plies, session) {
            Ok(opening) => {
                if seen.insert(opening.clone()) {
                    file.openings.push(opening);
                }
            }
            Err(error) => {
                file.skipped += 1;
                file.first_error.get_or_insert(error.message);
            }
        }
    }
    match (file.openings.is_empty(), file.skipped, file.first_error) {
        (false, _, first_error) => Ok(OpeningFile { first_error, ..file }),
        (true, 1, Some(error)) => Err(SessionError::new(error)),
        (true, skipped, Some(error)) => {
            Err(SessionError::new(format!("none of the {skipped} games is an opening; the first: {error}")))
        }
        (true, _, None) => Err(SessionError::new("there are no games")),
    }
}

/// Returns the opening of a game of a file, or an error with the number of the game.
fn parse_game_opening(
    game: &str,
    number: usize,
    record: Result<TextGame, RecordError>,
    plies: usize,
    session: &mut dyn GameSession,
) -> Result<Opening, SessionError> {
    // A damaged game is no opening.
    let record =
        record.and_then(TextGame::into_complete).map_err(|error| SessionError::new(error.to_string()))?;
    let located = |error| SessionError::new(format!("game {number}: {error}"));
    if record.game != game {
        return Err(located(SessionError::new(format!("a game of {}, not of {game}", record.game))));
    }
    let mut line = record.main_line();
    line.truncate(plies);
    let start = record.start.as_deref().unwrap_or("startpos");
    Opening::parse(&format!("{start} moves {}", line.join(" ")), session).map_err(located)
}

/// Generates random openings whose scores lie within limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningGenerator {
    /// The number of random plies from the start position.
    pub plies: usize,
    /// The smallest and the largest score of either side in a short search, in centipawns (Othello: hundredths of a
    /// disc). Strong engines draw fewer games from openings that are unbalanced by 90 to 150.
    pub imbalance_cp: RangeInclusive<i32>,
    /// The node limit of that search.
    pub nodes: u64,
    /// The random seed: the same seed gives the same openings.
    pub seed: u64,
}

impl OpeningGenerator {
    /// Returns the default generator of a game: with enough plies that the openings differ, and few enough that they
    /// are playable.
    pub fn with_defaults(game: &GameInfo, seed: u64) -> OpeningGenerator {
        let OpeningDefaults { plies, max_imbalance_cp } = game.openings;
        OpeningGenerator { plies, imbalance_cp: 0..=max_imbalance_cp, nodes: 4000, seed }
    }

    /// The maximum number of random lines for each opening.
    const MAX_TRIES: usize = 1000;

    /// Generates `count` different openings, and reports the number of each one to `on_opening`.
    ///
    /// # Errors
    /// Returns an error if there is no such game, no such line is found, or a search cannot be started or fails.
    pub fn generate(
        &self,
        game: &str,
        count: usize,
        on_opening: &mut dyn FnMut(usize),
    ) -> Result<Vec<Opening>, SessionError> {
        let mut session = registry::open(game, None)?;
        // A short search fills a small table.
        session.set_resources(&SearchResources { hash_mib: 1, ..SearchResources::default() });
        let mut random = SplitMix64::new(self.seed.wrapping_mul(GOLDEN_GAMMA));
        let (mut openings, mut seen) = (Vec::with_capacity(count), BTreeSet::new());
        while openings.len() < count {
            let mut has_line = false;
            let found = (0..OpeningGenerator::MAX_TRIES).find_map(|_| {
                let opening = self.random_opening(session.as_mut(), &mut random)?;
                has_line = true;
                let is_wanted =
                    seen.insert(session.view().hash_key).then(|| self.is_wanted(session.as_mut()))?;
                is_wanted.map(|is_wanted| is_wanted.then_some(opening)).transpose()
            });
            openings.push(found.transpose()?.ok_or_else(|| {
                let plies = crate::counted(self.plies, "ply", "plies");
                if !has_line {
                    let message = format!("each random game was over within {plies}: use fewer plies");
                    return SessionError::new(message);
                }
                let found = crate::counted(openings.len(), "opening", "openings");
                let (min, max) = (self.imbalance_cp.start(), self.imbalance_cp.end());
                let unit = "centipawns (Othello: hundredths of a disc)";
                let message = format!("found only {found} of {plies} with scores of {min} to {max} {unit}");
                SessionError::new(format!("{message}: use more plies"))
            })?);
            on_opening(openings.len());
        }
        Ok(openings)
    }

    /// Plays random moves in the session; returns `None` if the game ends on the way.
    fn random_opening(&self, session: &mut dyn GameSession, random: &mut SplitMix64) -> Option<Opening> {
        session.open("startpos", &Waivers::None).ok()?;
        let mut opening = Opening::default();
        for _ in 0..self.plies {
            let moves = session.legal_moves(None).ok()?;
            let result = session.play(&moves[random.below(moves.len())], None).ok()?;
            opening.moves.push(result.text);
            if result.game_end.is_some() {
                return None;
            }
        }
        Some(opening)
    }

    /// Returns whether a short search without earlier results sees a score within the limits.
    fn is_wanted(&self, session: &mut dyn GameSession) -> Result<bool, SessionError> {
        session.clear_search();
        let (sender, events) = mpsc::channel();
        let limits = SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() };
        // The receiver lives until the search has ended, so sending does not fail.
        let sink = Box::new(move |event| drop(sender.send(event)));
        start_search(session, &limits, sink)?.join();
        let mut last_score = None;
        for event in events {
            match event {
                SearchEvent::Info { report: SearchReport { score, .. }, .. } => last_score = Some(score),
                SearchEvent::Failed(message) => return Err(SessionError::new(message)),
                SearchEvent::BestMove(_) => {}
            }
        }
        Ok(last_score.is_some_and(|score: i32| self.imbalance_cp.contains(&score.abs())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transcripts_are_games() {
        let file = parse_openings("othello", b"# two\nf5d6\nf5f6e6f4\n", 3).unwrap();
        let texts: Vec<_> = file.openings.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["startpos moves f5 d6", "startpos moves f5 f6 e6"]);
        assert!(file.is_of_games && file.skipped == 0);
        // Words of one move are lines of moves, in every game.
        let file = parse_openings("chess", "\u{feff}e2e4 e7e5\ng1f3 b8c6\n".as_bytes(), 16).unwrap();
        assert!(file.openings.len() == 2 && !file.is_of_games, "{file:?}");
        assert!(parse_openings("chess", b"e4 e5\nd4 d5\n", 16).is_err());
    }

    #[test]
    fn random_openings_longer_than_games_are_refused() {
        let generator = OpeningGenerator {
            plies: 70,
            ..OpeningGenerator::with_defaults(registry::info("othello").unwrap(), 1)
        };
        let error = generator.generate("othello", 1, &mut |_| {}).unwrap_err();
        assert!(error.message.ends_with("was over within 70 plies: use fewer plies"), "{error}");
    }

    #[test]
    fn openings_have_three_text_forms() {
        let text = "# three\n\nstartpos moves e2e4 e7e5\n d2d4 d7d5\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1";
        let openings = parse_openings("chess", text.as_bytes(), 16).unwrap().openings;
        let texts: Vec<_> = openings.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "startpos moves e2e4 e7e5",
                "startpos moves d2d4 d7d5",
                "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                "4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1"
            ]
        );
        for (bad, expected) in [
            ("e2e4\n\ne2e4 e2e4", "line 3: move 2"),
            ("4k3/8 w", "line 1"),
            ("", "there are no openings"),
            ("f2f3 e7e5 g2g4 d8h4", "line 1: the game is over: Checkmate"),
        ] {
            let error = parse_openings("chess", bad.as_bytes(), 16).unwrap_err();
            assert!(error.message.contains(expected), "{error}");
        }
        let starts = |game, text: &str| -> Vec<_> {
            let openings = parse_openings(game, text.as_bytes(), 16).unwrap().openings;
            openings.iter().map(ToString::to_string).collect()
        };
        let epd = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"three moves\";";
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let texts = starts("chess", &format!("{epd}\n{epd} moves e1g1"));
        assert_eq!(texts, [fen.to_owned(), format!("{fen} moves e1g1")]);
        assert_eq!(starts("xiangqi", "3k5/9/9/9/9/9/9/9/R8/4K4 r"), ["3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1"]);
        assert_eq!(parse_openings("othello", b"f5 d6\n", 16).unwrap().openings[0].moves, ["f5", "d6"]);
        assert!(parse_openings("othello", b"f5 d6\n\xff", 16).unwrap_err().message.starts_with("line 2"));
    }

    #[test]
    fn a_table_of_openings_is_read_and_a_byte_order_mark_skipped() {
        let table = "eco\tname\tpgn\nB00\tKing's Pawn\t1. e4\n";
        assert_eq!(parse_openings("chess", table.as_bytes(), 16).unwrap().openings[0].moves, ["e2e4"]);
        let pgn = "\u{feff}[White \"A\"]\n\n1. d4 *\n";
        assert_eq!(parse_openings("chess", pgn.as_bytes(), 16).unwrap().openings[0].moves, ["d2d4"]);
        let lines = "\u{feff}# moves\nd2d4\n";
        assert_eq!(parse_openings("chess", lines.as_bytes(), 16).unwrap().openings[0].moves, ["d2d4"]);
    }

    #[test]
    fn the_games_of_a_pgn_file_are_openings() {
        let text = "[White \"A\"]\n\n1. e4 (1. d4 d5) 1... e5 2. Nf3 Nc6 1-0\n\n[White \"B\"]\n\n1. e4 e5 2. Bc4 *\n\n\
                    [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n";
        let texts = |plies| -> Vec<String> {
            let openings = parse_openings("chess", text.as_bytes(), plies).unwrap().openings;
            openings.iter().map(ToString::to_string).collect()
        };
        let ending = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1";
        assert_eq!(
            texts(16),
            ["startpos moves e2e4 e7e5 g1f3 b8c6", "startpos moves e2e4 e7e5 f1c4", ending]
        );
        assert_eq!(texts(2), ["startpos moves e2e4 e7e5", ending]);
        for (bad, expected) in [
            ("[Game \"Othello\"]\n\n1. f5 *", "game 1: a game of othello, not of chess"),
            (
                "[White \"A\"]\n\n1. e5 *\n\n[White \"B\"]\n\n1. d5 *",
                "none of the 2 games is an opening; the first: game 1, line 3",
            ),
            ("(;FF[4]GM[1];B[dd])", "this is an SGF file of another game"),
            ("[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# *", "game 1: the game is over: Checkmate"),
        ] {
            let error = parse_openings("chess", bad.as_bytes(), 16).unwrap_err();
            assert!(error.message.contains(expected), "{error}");
        }
    }

    /// One short or illegal game once refused a whole file.
    #[test]
    fn games_that_cannot_be_openings_are_skipped_and_counted() {
        let text = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                    [White \"C\"]\n\n1. e5 *\n\n[Game \"Othello\"]\n\n1. f5 *\n\n[White \"E\"]\n\n1. d4 *\n";
        let file = parse_openings("chess", text.as_bytes(), 16).unwrap();
        let texts: Vec<_> = file.openings.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["startpos moves e2e4", "startpos moves d2d4"]);
        assert_eq!(file.skipped, 3);
        assert_eq!(file.first_error.unwrap(), "game 2: the game is over: Checkmate: Black wins");
        // A mate after the plies of the opening is no obstacle.
        let file = parse_openings("chess", text.as_bytes(), 2).unwrap();
        assert_eq!((file.openings.len(), file.skipped), (3, 2));
        assert!(file.first_error.unwrap().starts_with("game 3, line 11"));
    }

    #[test]
    fn the_same_seed_generates_the_same_openings() {
        for game in registry::games() {
            let generator = OpeningGenerator {
                nodes: 300,
                ..OpeningGenerator::with_defaults(registry::info(game).unwrap(), 7)
            };
            let mut reported = Vec::new();
            let openings = generator.generate(game, 3, &mut |number| reported.push(number)).unwrap();
            assert_eq!(reported, [1, 2, 3]);
            assert_eq!(generator.generate(game, 2, &mut |_| ()).unwrap(), openings[..2]);
            let other =
                OpeningGenerator { seed: 8, ..generator.clone() }.generate(game, 3, &mut |_| ()).unwrap();
            assert_ne!(other, openings);
            let distinct: BTreeSet<_> = openings.iter().collect();
            assert_eq!(distinct.len(), 3);
            let mut session = registry::open(game, None).unwrap();
            for opening in &openings {
                assert_eq!(opening.moves.len(), generator.plies);
                assert_eq!(&Opening::parse(&opening.to_string(), session.as_mut()).unwrap(), opening);
                assert!(generator.is_wanted(session.as_mut()).unwrap(), "{opening}");
            }
        }
        let unbalanced = OpeningGenerator {
            imbalance_cp: 90..=150,
            nodes: 300,
            ..OpeningGenerator::with_defaults(registry::info("chess").unwrap(), 1)
        };
        let mut session = registry::open("chess", None).unwrap();
        for opening in unbalanced.generate("chess", 2, &mut |_| ()).unwrap() {
            opening.set_up(session.as_mut()).unwrap();
            assert!(unbalanced.is_wanted(session.as_mut()).unwrap(), "{opening}");
            let balanced = OpeningGenerator { imbalance_cp: 0..=60, ..unbalanced.clone() };
            assert!(!balanced.is_wanted(session.as_mut()).unwrap(), "{opening}");
        }
        let too_short = OpeningGenerator {
            plies: 1,
            ..OpeningGenerator::with_defaults(registry::info("othello").unwrap(), 1)
        };
        assert!(too_short.generate("othello", 9, &mut |_| ()).unwrap_err().message.contains("more plies"));
    }
}
