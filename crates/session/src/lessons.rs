//! How the pieces of a game move and how a game ends, for people who do not know the game: sentences in both languages
//! and example positions, whose moves come from the rules.

use alfil_kernel::Waivers;

use crate::game_session::{GameSession, MoveResult, Target};
use crate::rulings::{Ruling, RulingRequest};
use crate::session_error::SessionError;

/// A sentence or some in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentences {
    /// The English text.
    pub en: &'static str,
    /// The Chinese text.
    pub zh: &'static str,
}

/// One step of the introduction to a game.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The title: the name of a piece, or what else is shown.
    pub title: Sentences,
    /// The explanation.
    pub text: Sentences,
    /// The example as a position text; `startpos` is the start position of the game.
    pub position: &'static str,
    /// The square of the piece whose moves are shown; `None` to show the placements of new pieces, or no moves at all.
    pub square: Option<&'static str>,
}

impl Lesson {
    /// Creates a lesson of a title and a text, each in English and in Chinese.
    pub const fn new(
        [en, zh]: [&'static str; 2],
        position: &'static str,
        square: Option<&'static str>,
        [text_en, text_zh]: [&'static str; 2],
    ) -> Lesson {
        let (title, text) = (Sentences { en, zh }, Sentences { en: text_en, zh: text_zh });
        Lesson { title, text, position, square }
    }
}

/// The explanation of a way in which a game ends.
#[derive(Clone, Copy, Debug)]
pub struct EndLesson {
    /// The cause as one word, as in [`GameEnd::cause`](crate::GameEnd::cause).
    pub cause: &'static str,
    /// The explanation.
    pub text: Sentences,
}

impl EndLesson {
    /// Creates the explanation of a cause in English and in Chinese.
    pub const fn new(cause: &'static str, en: &'static str, zh: &'static str) -> EndLesson {
        EndLesson { cause, text: Sentences { en, zh } }
    }
}

/// A repetition of which the reader says who must change.
#[derive(Clone, Copy, Debug)]
pub struct QuizLoop {
    /// The position in which the repetition begins.
    pub position: &'static str,
    /// The moves that lead back to the position, with blanks between them.
    pub moves: &'static str,
    /// The name of the ruleset under which the repetition is judged.
    pub ruleset: &'static str,
    /// The reason for the verdict.
    pub text: Sentences,
}

impl QuizLoop {
    /// Creates a repetition with the reason for its verdict in English and in Chinese.
    pub const fn new(
        position: &'static str,
        moves: &'static str,
        ruleset: &'static str,
        [en, zh]: [&'static str; 2],
    ) -> QuizLoop {
        QuizLoop { position, moves, ruleset, text: Sentences { en, zh } }
    }
}

/// The introduction to a game.
#[derive(Clone, Copy, Debug)]
pub struct Introduction {
    /// The steps, in their order.
    pub lessons: &'static [Lesson],
    /// The ends of the game.
    pub ends: &'static [EndLesson],
    /// The repetitions of the quiz "who must change?"; empty in games without rulings.
    pub quiz: &'static [QuizLoop],
}

/// A repetition of the quiz with its ruling.
#[derive(Clone, Debug)]
pub struct ShownLoop {
    /// The repetition.
    pub quiz_loop: QuizLoop,
    /// The occupied squares with the letters of their pieces.
    pub pieces: Vec<(String, char)>,
    /// The moves that lead back to the position.
    pub moves: Vec<MoveResult>,
    /// The ruling after the third occurrence of the position.
    pub ruling: Ruling,
}

/// A lesson with its position and the moves that it shows.
#[derive(Clone, Debug)]
pub struct ShownLesson {
    /// The lesson.
    pub lesson: Lesson,
    /// The occupied squares with the letters of their pieces.
    pub pieces: Vec<(String, char)>,
    /// The legal moves that are shown.
    pub targets: Vec<Target>,
}

impl Introduction {
    /// Returns the lessons with their positions and moves, in a session of the game.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let entry = registry::Registry::default().entry("xiangqi")?;
    /// let lessons = entry.introduction.shown_lessons(&mut *entry.open(None)?)?;
    /// let horse = lessons.iter().find(|shown| shown.lesson.title.zh == "马").unwrap();
    /// assert!(horse.targets.iter().all(|target| target.from.as_deref() == horse.lesson.square));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// If a position cannot be set up.
    pub fn shown_lessons(&self, session: &mut dyn GameSession) -> Result<Vec<ShownLesson>, SessionError> {
        self.lessons.iter().map(|lesson| show(session, *lesson)).collect()
    }

    /// Returns the repetitions of the quiz with their rulings, in a session of the game; the moves of the rulings are
    /// written in a dialect.
    ///
    /// ```
    /// use alfil_kernel::{Outcome, Side};
    /// use alfil_session::registry;
    ///
    /// let entry = registry::Registry::default().entry("xiangqi")?;
    /// let quiz = entry.introduction.shown_quiz(&mut *entry.open(None)?, None, false)?;
    /// assert_eq!(quiz[0].ruling.must_change, Some(Side::First));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// If the game has no such dialect, or a repetition cannot be played.
    pub fn shown_quiz(
        &self,
        session: &mut dyn GameSession,
        dialect: Option<&str>,
        in_chinese: bool,
    ) -> Result<Vec<ShownLoop>, SessionError> {
        self.quiz.iter().map(|quiz_loop| show_loop(session, *quiz_loop, dialect, in_chinese)).collect()
    }
}

fn show(session: &mut dyn GameSession, lesson: Lesson) -> Result<ShownLesson, SessionError> {
    session.open(lesson.position, &Waivers::All)?;
    let is_shown = |target: &Target| target.from.as_deref() == lesson.square && target.to.is_some();
    let targets = session.targets(None).into_iter().filter(is_shown).collect();
    Ok(ShownLesson { lesson, pieces: session.view().pieces, targets })
}

fn show_loop(
    session: &mut dyn GameSession,
    quiz_loop: QuizLoop,
    dialect: Option<&str>,
    in_chinese: bool,
) -> Result<ShownLoop, SessionError> {
    session.open(quiz_loop.position, &Waivers::None)?;
    let pieces = session.view().pieces;
    let cycle: Vec<_> = quiz_loop.moves.split(' ').collect();
    let mut moves = Vec::new();
    // The start is the first occurrence of the position.
    for text in cycle.repeat(2) {
        moves.push(session.replay(text, None)?);
    }
    moves.truncate(cycle.len());
    let ruling = session.ruling(&RulingRequest {
        ruleset: Some(quiz_loop.ruleset.to_owned()),
        occurrences: None,
        in_chinese,
        dialect: dialect.map(str::to_owned),
    })?;
    Ok(ShownLoop { quiz_loop, pieces, moves, ruling })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_entry::GameEntry;
    use crate::registry::{self, Registry};

    fn shown_lessons(game: &GameEntry) -> Vec<ShownLesson> {
        game.introduction.shown_lessons(game.open(None).unwrap().as_mut()).unwrap()
    }

    fn targets(game: &str, title: &str) -> Vec<String> {
        let lessons = shown_lessons(Registry::default().entry(game).unwrap());
        let shown = lessons.into_iter().find(|shown| shown.lesson.title.en == title).unwrap();
        let mut squares: Vec<_> = shown.targets.into_iter().filter_map(|target| target.to).collect();
        squares.sort();
        squares.dedup();
        squares
    }

    #[test]
    fn the_examples_show_what_their_texts_say() {
        // The leg, the eye, the screen, the river, and the kings that must not face each other.
        assert_eq!(targets("xiangqi", "Horse"), ["c3", "c5", "d2", "f2", "g3", "g5"]);
        assert_eq!(targets("xiangqi", "Elephant"), ["c0", "g0", "g4"]);
        assert_eq!(targets("xiangqi", "King"), ["e0", "e2", "f1"]);
        assert_eq!(targets("xiangqi", "Soldier"), ["d6", "e7", "f6"]);
        assert_eq!(targets("xiangqi", "Advisor"), ["d0", "d2", "f0", "f2"]);
        assert!(targets("xiangqi", "Cannon").contains(&"e6".to_owned()));
        assert!(!targets("xiangqi", "Cannon").contains(&"e4".to_owned()));
        assert_eq!(targets("chess", "Pawn"), ["d3", "e3", "e4", "f3"]);
        assert_eq!(targets("chess", "Knight").len(), 8);
        assert!(targets("chess", "Castling").contains(&"g1".to_owned()));
        assert_eq!(targets("chess", "En passant"), ["d6", "e6"]);
        assert!(targets("othello", "Several lines").contains(&"g4".to_owned()));
        assert!(targets("othello", "Passing").is_empty());
    }

    #[test]
    fn every_game_has_an_introduction_in_both_languages() {
        for entry in registry::GAMES {
            let introduction = entry.introduction;
            let shown = shown_lessons(entry);
            assert_eq!(shown.len(), introduction.lessons.len());
            let titles = introduction.lessons.iter().flat_map(|lesson| [lesson.title, lesson.text]);
            for text in titles.chain(introduction.ends.iter().map(|end| end.text)) {
                assert!(!text.en.is_empty() && text.zh.chars().any(|c| c > '\u{4e00}'), "{text:?}");
            }
            for shown in shown.iter().filter(|shown| shown.lesson.square.is_some()) {
                assert!(!shown.targets.is_empty(), "{}", shown.lesson.title.en);
            }
        }
    }

    /// The answers, written down from the articles: `r` and `b` for the side that must change, `-` for neither.
    #[test]
    fn the_judge_answers_the_quiz_as_the_articles_do() {
        let entry = Registry::default().entry("xiangqi").unwrap();
        for in_chinese in [false, true] {
            let mut session = entry.open(None).unwrap();
            let quiz = entry.introduction.shown_quiz(&mut *session, Some("wxf"), in_chinese).unwrap();
            let answer =
                |shown: &ShownLoop| shown.ruling.must_change.map_or('-', |side| ['r', 'b'][side.index()]);
            assert_eq!(quiz.iter().map(answer).collect::<String>(), "r-b-r-rr-b--r--brb-b");
            for ShownLoop { quiz_loop, moves, ruling, .. } in quiz {
                let place = quiz_loop.position;
                assert!(ruling.outcome.is_some() && !ruling.articles.is_empty(), "{place}: {ruling:?}");
                assert!(ruling.readings.is_empty(), "{place} is disputed");
                assert_eq!(ruling.plies.len(), 2 * moves.len(), "{place}");
                assert!(quiz_loop.text.zh.chars().any(|c| c > '\u{4e00}') && !quiz_loop.text.en.is_empty());
            }
        }
    }

    #[test]
    fn no_position_of_the_quiz_is_there_twice() {
        let quiz = Registry::default().entry("xiangqi").unwrap().introduction.quiz;
        let of_loop = |one: &QuizLoop| (one.position, one.moves, one.ruleset);
        for (index, one) in quiz.iter().enumerate() {
            assert!(quiz[..index].iter().all(|other| of_loop(other) != of_loop(one)), "{}", one.position);
        }
        assert_eq!(quiz.len(), 20);
    }
}
