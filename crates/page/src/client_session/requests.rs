//! The requests that are answered at once.

use std::collections::BTreeMap;
use std::time::Duration;

use alfil_kernel::{Side, Waivers};
use alfil_session::after_pass::premoves;
use alfil_session::nags::NAGS;
use alfil_session::played_game::{AppliedEdit, Computer, PlayError, PlayedGame, Players, ROOT};
use alfil_session::{GameSession, Registry, SessionError, registry};

use super::ClientSession;
use super::search_requests::validate_reply_time;
use crate::game_store::{SaveError, SavedDate};
use crate::import_export::{self, ExportOptions};
use crate::library::{ImportOptions, has_several_games};
use crate::open_game::{OpenGame, shown_steps};
use crate::opponents::{requested_players, validate_side};
use crate::request_error::RequestError;
use crate::search_slot::SearchSlot;
use crate::wire::{
    AppearanceDto, ClientRequest, EndLessonDto, GameName, LessonDto, MoveResultDto, NagDto, NewGame,
    QuizLoopDto, Response, RulingSummaryDto, SetupDto, StartsDto, TacticalMarkDto, TargetDto,
};

impl<S: SearchSlot> ClientSession<S> {
    /// Handles a request that needs no search.
    pub(super) fn handle_request(&mut self, request: ClientRequest) -> Result<Response, RequestError> {
        match request {
            ClientRequest::Games { skip } => self.list_games(skip),
            ClientRequest::New(new) => self.new_game(new),
            ClientRequest::Import { text, bytes, game, chinese, name } => self.import_games(
                text,
                bytes,
                ImportOptions { name, game, in_chinese: chinese, ..ImportOptions::default() },
            ),
            ClientRequest::Library(request) => self.handle_library_request(request),
            ClientRequest::Open { game, node, position, first } => {
                self.open_saved(&game, &OpeningPlace::new(node, position, first))
            }
            ClientRequest::Forget { game } => self.delete_saved(&game),
            ClientRequest::Restore { game } => self.restore_saved(&game),
            ClientRequest::Play { text, dialect } => self.play_move(&text, dialect.as_deref()),
            ClientRequest::Walk { moves } => {
                self.change_tree(|game, now| game.play_all(&moves, now).map(drop))
            }
            ClientRequest::Go { node } => self.go_to(node),
            ClientRequest::Undo { plies } => self.undo_plies(plies),
            ClientRequest::Prune { node } => {
                let response = self.change_tree(|game, now| game.prune(node, now).map(drop))?;
                self.with_review(response)
            }
            ClientRequest::Comment { node, text, continues } => self.set_comment(node, text, continues),
            ClientRequest::Seat { person, two_people, levels, level, engine } => {
                let computer = Computer { level, engine };
                let players = requested_players(person, two_people, levels, computer)?;
                self.set_players(players, level)
            }
            ClientRequest::Pace { reply_ms } => self.set_pace(reply_ms),
            ClientRequest::Pause { paused } => self.set_paused(paused),
            ClientRequest::Continue => self.continue_play(),
            ClientRequest::Tags { tags } => self.change_game(|game, _| {
                game.set_tags(tags);
                Ok(())
            }),
            ClientRequest::UndoChange => self.apply_edit(PlayedGame::undo_edit),
            ClientRequest::RedoChange => self.apply_edit(PlayedGame::redo_edit),
            ClientRequest::Resign => self.change_game(|game, now| game.resign(now)),
            ClientRequest::Ruleset { name } => {
                self.change_game(|game, now| Ok(game.set_ruleset(&name, now)?))
            }
            ClientRequest::Dialect { name } => self.set_dialect(&name),
            ClientRequest::Engines { game } => {
                Ok(Response { engines: Some((self.engine_names.0)(&game)), ..Response::default() })
            }
            ClientRequest::Premoves => self.premoves(),
            ClientRequest::Starts { game, number } => starts_response(&game, number),
            ClientRequest::Lessons { game } => introduction_response(&game),
            ClientRequest::TacticalMarks => self.tactical_marks(),
            ClientRequest::Rule { ruleset, occurrences, chinese } => {
                self.ruling(ruleset, occurrences, chinese)
            }
            ClientRequest::RuleAll { occurrences, chinese } => self.rulings(occurrences, chinese),
            ClientRequest::Quiz { game, dialect, chinese } => quiz_response(&game, dialect, chinese),
            ClientRequest::Arrange { pieces, side, before } => {
                self.setup_from_pieces(pieces, side, before.as_deref())
            }
            ClientRequest::Examine { fen, chinese } => self.setup_from_text(&fen, chinese),
            ClientRequest::Marks { node, nags } => self.change_tree(|game, _| game.set_marks(node, &nags)),
            ClientRequest::Promote { node } => {
                let response = self.change_tree(|game, _| game.promote(node))?;
                self.with_review(response)
            }
            ClientRequest::Nags => Ok(nags_response()),
            ClientRequest::Summary => self.with_review(Response::default()),
            ClientRequest::Diagrams { nodes } => self.diagrams(&nodes),
            ClientRequest::Positions { nodes } => self.positions(&nodes),
            ClientRequest::Export { node, review } => {
                self.export(&ExportOptions { line_to: node, with_review: review })
            }
            // The search was stopped, or has begun already.
            ClientRequest::Stop
            | ClientRequest::Hint { .. }
            | ClientRequest::Analyse { .. }
            | ClientRequest::Review { .. }
            | ClientRequest::Try { .. } => Ok(Response::default()),
        }
    }

    fn ruling(
        &mut self,
        ruleset: Option<String>,
        occurrences: Option<usize>,
        in_chinese: bool,
    ) -> Result<Response, RequestError> {
        let ruling = self.open_game()?.played.ruling(ruleset, occurrences, in_chinese)?;
        Ok(Response { ruling: Some(ruling.into()), ..Response::default() })
    }

    fn rulings(&mut self, occurrences: Option<usize>, in_chinese: bool) -> Result<Response, RequestError> {
        let played = &self.open_game()?.played;
        let rulesets = played.session().info().rulesets;
        let rulings = played.rulings_under_all(occurrences, in_chinese)?.into_iter();
        let rulings = rulings.map(|ruling| RulingSummaryDto::new(ruling, rulesets)).collect();
        Ok(Response { rulings: Some(rulings), ..Response::default() })
    }

    fn premoves(&mut self) -> Result<Response, RequestError> {
        let found = premoves(self.open_game()?.session()).into_iter().map(TargetDto::from).collect();
        Ok(Response { premoves: Some(found), ..Response::default() })
    }

    fn tactical_marks(&mut self) -> Result<Response, RequestError> {
        let marks = self.open_game()?.session().tactical_marks();
        let marks = marks.into_iter().map(TacticalMarkDto::from).collect();
        Ok(Response { tactical_marks: Some(marks), ..Response::default() })
    }

    fn export(&mut self, options: &ExportOptions) -> Result<Response, RequestError> {
        let text = import_export::export_pgn(self.open_game()?, options)?;
        Ok(Response { text: Some(text), ..Response::default() })
    }

    fn list_games(&self, skip: u32) -> Result<Response, RequestError> {
        let name = |game| {
            let info = registry::info(game)?;
            let AppearanceDto { title, title_zh, sides, sides_zh, .. } = AppearanceDto::from(info);
            Ok(GameName { game, title, title_zh, sides, sides_zh, length_unit: info.length_unit.name() })
        };
        let games = registry::games().map(name).collect::<Result<_, SessionError>>()?;
        let (saved, more) = self.store.list(skip)?;
        Ok(Response { games: Some(games), kept: Some(saved), more: Some(more), ..Response::default() })
    }

    fn new_game(&mut self, new: NewGame) -> Result<Response, RequestError> {
        self.set_game(OpenGame::new(self.host.new_id(), new)?);
        self.save_game()?;
        self.full_response()
    }

    /// Imports the games of a text: opens the first one. Several games become a collection.
    fn import_games(
        &mut self,
        text: String,
        bytes: bool,
        options: ImportOptions,
    ) -> Result<Response, RequestError> {
        let open_game = || self.game.as_ref().map(|game| game.record().game.clone());
        let game_name = options.game.clone().or_else(open_game).ok_or("there is no open game: start one")?;
        let bytes = import_export::file_bytes(text, bytes)?;
        if self.store.library().is_some() && has_several_games(&game_name, &bytes)? {
            return self.import_collection(bytes, ImportOptions { game: Some(game_name), ..options });
        }
        let mut games =
            import_export::import_games(self.host, &game_name, &bytes, options.in_chinese)?.into_iter();
        let Some(mut first) = games.next() else { return self.full_response() };
        if games.len() == 0 {
            first.name_untitled(&options.name);
        }
        // A list of moves that is pasted leads to a position; a record is read from its beginning.
        if first.is_titled()
            && let Some(node) = OpeningPlace::FirstMove.node_in(&mut first)
        {
            first.played.go_to(node)?;
        }
        self.set_game(first);
        let mut saved = self.save_game();
        for mut game in games {
            saved = match self.store.save(&mut game, self.client_id, SavedDate::Now) {
                Err(SaveError::Storage(reason)) => {
                    let refusal = RequestError::not_saved(&reason);
                    self.unsaved_games.keep((game, reason));
                    saved.and(Err(refusal))
                }
                other => saved.and(self.after_save(other, false)),
            };
        }
        saved?;
        self.full_response()
    }

    pub(super) fn open_saved(&mut self, id: &str, place: &OpeningPlace) -> Result<Response, RequestError> {
        // The request may be for the open game: its clock is saved before it is loaded.
        self.pause_game();
        let unsaved = self.take_unsaved(id);
        let is_loaded = unsaved.is_none();
        let (mut game, reason) = match unsaved {
            Some((game, reason)) => (game, Some(reason)),
            None => (self.store.load(id).inspect_err(|_| self.resume_clock())?, None),
        };
        // A game with an illegal variation cannot be shown: the open one stays.
        game.played.label_all().inspect_err(|_| self.resume_clock())?;
        // Another window may have taken back the move.
        let _ = place.node_in(&mut game).map(|node| game.played.go_to(node));
        // The request may be for the open game, whose edits are kept when it is closed.
        self.close_game();
        if is_loaded {
            self.restore_edits(&mut game);
        }
        (self.game, self.unsaved) = (Some(game), reason);
        self.pause_unwatched();
        self.apply_resources();
        self.full_response()
    }

    /// Gives a loaded game the edits that can be undone.
    pub(super) fn restore_edits(&self, game: &mut OpenGame) {
        self.edit_histories.restore(game);
        if game.played.edits().is_empty() {
            // The program may have been started again.
            let stored = self.store.edits(&game.id, game.revision);
            if let Some(edits) = stored.filter(|edits| edits.fits(game.tree())) {
                game.played.set_edits(edits);
            }
        }
    }

    /// Deletes a saved game. If it is open, it continues as a new game.
    fn delete_saved(&mut self, id: &str) -> Result<Response, RequestError> {
        self.store.delete(id)?;
        let new_id = self.host.new_id();
        if let Some(game) = self.game.as_mut().filter(|game| game.id == id) {
            game.assign_id(new_id);
        }
        let renamed = self.renamed_game();
        Ok(Response { game: renamed, ..self.list_games(0)? })
    }

    pub(super) fn play_move(&mut self, text: &str, dialect: Option<&str>) -> Result<Response, RequestError> {
        let now = self.host.now();
        let step = self.open_game()?.played.play(text, dialect, now)?;
        self.save_game()?;
        self.tree_response(Some(MoveResultDto::from(&step)))
    }

    fn go_to(&mut self, node: usize) -> Result<Response, RequestError> {
        let (openings, now) = (self.openings.clone(), self.host.now());
        let game = self.open_game()?;
        let steps = shown_steps(&game.played.go_to(node)?);
        let position = game.position_dto(&openings.names_of(&game.record().game), now);
        Ok(Response { steps, node: Some(node), position: Some(position), ..Response::default() })
    }

    fn undo_plies(&mut self, plies: usize) -> Result<Response, RequestError> {
        let now = self.host.now();
        let steps = shown_steps(&self.open_game()?.played.take_back(plies, now)?);
        self.save_game()?;
        Ok(Response { steps, ..self.tree_response(None)? })
    }

    /// Undoes or redoes an edit. It may change more than the moves, so the game is sent with it.
    fn apply_edit(
        &mut self,
        apply: fn(&mut PlayedGame, Duration) -> Result<AppliedEdit, PlayError>,
    ) -> Result<Response, RequestError> {
        let now = self.host.now();
        let applied = apply(&mut self.open_game()?.played, now)?;
        self.save_game()?;
        let tree_response = self.tree_response(None)?;
        let game = Some(self.open_game()?.to_dto());
        self.with_review(Response {
            steps: shown_steps(&applied.steps),
            edit: Some(applied.summary.into()),
            game,
            ..tree_response
        })
    }

    /// Applies a change of the moves.
    pub(super) fn change_tree(
        &mut self,
        change: impl FnOnce(&mut PlayedGame, Duration) -> Result<(), PlayError>,
    ) -> Result<Response, RequestError> {
        let now = self.host.now();
        change(&mut self.open_game()?.played, now)?;
        self.save_game()?;
        self.tree_response(None)
    }

    fn set_comment(&mut self, node: usize, text: String, continues: bool) -> Result<Response, RequestError> {
        self.change_tree(|game, _| match continues {
            true => game.continue_comment(node, text),
            false => game.set_comment(node, text),
        })
    }

    fn restore_saved(&mut self, id: &str) -> Result<Response, RequestError> {
        self.store.restore(id)?;
        self.list_games(0)
    }

    fn set_pace(&mut self, reply_ms: Option<u64>) -> Result<Response, RequestError> {
        self.reply_time = validate_reply_time(reply_ms)?;
        Ok(Response::default())
    }

    /// Applies a change of the game.
    fn change_game(
        &mut self,
        change: impl FnOnce(&mut PlayedGame, Duration) -> Result<(), PlayError>,
    ) -> Result<Response, RequestError> {
        let now = self.host.now();
        change(&mut self.open_game()?.played, now)?;
        self.save_game()?;
        self.full_response()
    }

    fn set_players(&mut self, players: Players, level: u32) -> Result<Response, RequestError> {
        self.change_game(|game, now| {
            game.set_level(level)?;
            Ok(game.set_players(players, now)?)
        })
    }

    fn set_dialect(&mut self, name: &str) -> Result<Response, RequestError> {
        self.open_game()?.played.set_dialect(name)?;
        self.save_with_date(SavedDate::Kept)?;
        self.full_response()
    }

    fn setup_from_pieces(
        &mut self,
        pieces: BTreeMap<String, char>,
        side: usize,
        before: Option<&str>,
    ) -> Result<Response, RequestError> {
        let side = validate_side(Some(side))?.unwrap_or(Side::First);
        let pieces: Vec<_> = pieces.into_iter().collect();
        let session = self.open_game()?.session();
        let text = session.text_from_pieces(&pieces, side, before)?;
        Ok(Response { setup: Some(setup_dto(session, text)?), ..Response::default() })
    }

    fn setup_from_text(&mut self, text: &str, chinese: bool) -> Result<Response, RequestError> {
        let game_name = self.open_game()?.record().game.clone();
        let session = registry::open(&game_name, None)?;
        let setup =
            setup_dto(session.as_ref(), import_export::position_text(self.host, &game_name, text, chinese)?)?;
        let (pieces, side) = session.pieces_of_text(&setup.fen)?;
        let setup =
            SetupDto { pieces: Some(pieces.into_iter().collect()), side: Some(side.index()), ..setup };
        Ok(Response { setup: Some(setup), ..Response::default() })
    }
}

/// Returns the introduction to a game.
fn introduction_response(game: &str) -> Result<Response, RequestError> {
    let game = Registry::default().entry(game)?;
    let shown = game.introduction.shown_lessons(game.open(None)?.as_mut())?;
    let shown = shown.into_iter().map(LessonDto::from).collect();
    let ends = Some(game.introduction.ends.iter().map(EndLessonDto::from).collect());
    Ok(Response { lessons: Some(shown), ends, ..Response::default() })
}

/// The position at which a saved game is opened.
pub(super) enum OpeningPlace {
    /// The end of the main line.
    End,
    /// The first move.
    FirstMove,
    /// The node with this number.
    Node(usize),
    /// The first occurrence of a position, by its text.
    Position(String),
}

impl OpeningPlace {
    fn new(node: Option<usize>, position: Option<String>, first: bool) -> OpeningPlace {
        match (node, position) {
            (Some(node), _) => OpeningPlace::Node(node),
            (None, Some(position)) => OpeningPlace::Position(position),
            (None, None) if first => OpeningPlace::FirstMove,
            (None, None) => OpeningPlace::End,
        }
    }

    /// Returns the node of the place; `None` for the end of the main line, and if there is no such place.
    fn node_in(&self, game: &mut OpenGame) -> Option<usize> {
        match self {
            OpeningPlace::End => None,
            OpeningPlace::FirstMove => game.tree().children(ROOT).next(),
            OpeningPlace::Node(node) => Some(*node),
            OpeningPlace::Position(position) => {
                let mut session = registry::open(&game.record().game, None).ok()?;
                session.open(position, &Waivers::All).ok()?;
                let key = session.view().hash_key;
                let mut line = vec![ROOT];
                line.extend(std::iter::successors(game.tree().children(ROOT).next(), |&node| {
                    game.tree().children(node).next()
                }));
                line.into_iter()
                    .find(|&node| game.played.go_to(node).is_ok() && game.session().view().hash_key == key)
            }
        }
    }
}

/// Returns the start positions of a game besides the usual one.
fn starts_response(game: &str, number: Option<usize>) -> Result<Response, RequestError> {
    let starts = Some(StartsDto::new(registry::info(game)?, number));
    Ok(Response { starts, ..Response::default() })
}

/// Returns the repetitions of the quiz of a game.
fn quiz_response(game: &str, dialect: Option<String>, in_chinese: bool) -> Result<Response, RequestError> {
    let game = Registry::default().entry(game)?;
    let chinese_dialect = game.info.names_zh.dialect.filter(|_| in_chinese);
    let dialect = dialect.as_deref().or(chinese_dialect).unwrap_or(game.info.appearance.english_dialect);
    let quiz = game.introduction.shown_quiz(game.open(None)?.as_mut(), Some(dialect), in_chinese)?;
    let quiz = quiz.into_iter().map(|shown| QuizLoopDto::new(shown, game.info)).collect();
    Ok(Response { quiz: Some(quiz), look: Some(AppearanceDto::from(game.info)), ..Response::default() })
}

/// Returns the annotation marks that can be entered.
fn nags_response() -> Response {
    Response { nags: Some(NAGS.iter().map(NagDto::from).collect()), ..Response::default() }
}

/// Returns a position text with its issues.
fn setup_dto(session: &dyn GameSession, fen: String) -> Result<SetupDto, SessionError> {
    let issues = session.issues(&fen)?.into_iter().map(Into::into).collect();
    Ok(SetupDto { fen, issues, pieces: None, side: None })
}
