//! `alfil judge`: who loses by repetition, under which ruleset, and why.

use std::path::{Path, PathBuf};

use alfil_kernel::Outcome;
use alfil_session::ruling_picture::render_ruling_ply;
use alfil_session::rulings::rulings_under_all;
use alfil_session::{GameSession, Ruling, RulingPly, RulingRequest};
use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};

use crate::args::{GamesWithRulesets, PositionArgs, parse_waivers, rulesets};
use crate::errors::{CommandResult, Failure};
use crate::language::Language;
use crate::output::{ForceArg, pad_to_columns, print_line, write_file};
use report::ReportFormat;

mod report;
mod report_counts;

/// Judge a repetition in xiangqi, and say why.
///
/// The position after the last move is judged under a ruleset; earlier endings do not stop it.
#[derive(Debug, Args)]
pub(crate) struct Judge {
    #[command(flatten)]
    position_args: PositionArgs<GamesWithRulesets>,
    /// The ruleset [default: the first one of the game].
    #[arg(long, value_name = "RULESET", value_parser = rulesets())]
    rules: Option<String>,
    /// Judge by every ruleset.
    #[arg(long, conflicts_with = "rules")]
    all_rules: bool,
    /// Language of the explanation. The locale is not used, so that scripts get stable output.
    #[arg(long, value_enum, default_value_t = Language::En)]
    lang: Language,
    /// Judge a repetition at the Nth occurrence of the position, instead of the ruleset's number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100))]
    occurrences: Option<u32>,
    /// Also write a picture of every move of the repetition into this folder, with attackers, victims and protectors.
    #[arg(long, value_name = "DIR", conflicts_with = "all_rules")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force_arg: ForceArg,
    /// Report on all games of files, folders or `-` (standard input), or of the file of --pgn: which had a repetition
    /// or rounds of attacks, what each ruleset says, where the recorded result differs. The format may stand before
    /// the files: `text` has the counts of the games in which rulesets differ, `csv` and `html` a row a game, `json`
    /// (or --json) both [default: text].
    #[arg(
        long,
        num_args = 1..,
        value_name = "FORMAT|FILE",
        conflicts_with_all = [
            "rules", "all_rules", "occurrences", "svg", "fen", "moves", "ply", "game_number", "lang", "dialect",
        ]
    )]
    report: Vec<String>,
}

impl Judge {
    pub(crate) fn run(&self) -> CommandResult {
        if !self.report.is_empty() {
            return self.report();
        }
        let mut session = self.position_args.session()?;
        if self.all_rules {
            return self.judge_by_all_rulesets(session.as_ref());
        }
        let ruling = session.ruling(&self.request(self.rules.as_deref()))?;
        if let Some(folder) = &self.svg {
            self.write_pictures(session.as_mut(), &ruling, folder)?;
        }
        if self.position_args.json {
            print_line(ruling_to_json(session.as_ref(), &ruling))?;
            return Ok(());
        }
        for sentence in ruling_sentences(&ruling) {
            print_line(sentence)?;
        }
        Ok(())
    }

    /// Prints the report on all games of the files.
    fn report(&self) -> CommandResult {
        let args = &self.position_args;
        let (format, files) = report::format_and_files(&self.report);
        let format = match (format, args.json) {
            (ReportFormat::Csv | ReportFormat::Html, true) => {
                return Err(Failure::Usage("--json prints no csv or html: leave out one of them".into()));
            }
            (_, true) => ReportFormat::Json,
            (format, false) => format,
        };
        let mut session = args.new_session()?;
        let waivers = parse_waivers(session.as_ref(), &args.waive)?;
        let report = match (files.is_empty(), args.game_file.is_given()) {
            (true, false) => {
                let message = "--report needs files: name them after the format, or with --pgn <FILE>";
                return Err(Failure::Usage(message.into()));
            }
            (false, true) => {
                return Err(Failure::Usage("files stand after --report or after --pgn, not both".into()));
            }
            (true, true) => {
                let games = args.game_file.read_all(session.as_ref())?;
                report::judge_games(session.as_mut(), &games, &waivers)
            }
            (false, false) => report::judge_files(session.as_mut(), &files, &waivers)?,
        };
        if report.games == 0 && report.rows.is_empty() {
            return Err(Failure::Input("there is no game in the file".into()));
        }
        print_line(report::report(session.as_ref(), format, &report))?;
        // The rows of the report say why no game could be judged.
        if report.judged_games == 0 { Err(Failure::NegativeResult) } else { Ok(()) }
    }

    fn request(&self, ruleset: Option<&str>) -> RulingRequest {
        RulingRequest {
            ruleset: ruleset.map(str::to_owned),
            occurrences: self.occurrences.map(|occurrences| occurrences as usize),
            in_chinese: self.lang == Language::Zh,
            dialect: self.position_args.dialect().map(str::to_owned),
        }
    }

    /// Writes a picture of every ply of the repetition into a folder: `ply-0012.svg`.
    fn write_pictures(&self, session: &mut dyn GameSession, ruling: &Ruling, folder: &Path) -> CommandResult {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let file_of = |ply: &RulingPly| folder.join(format!("ply-{:04}.svg", ply.number));
        ruling.plies.iter().try_for_each(|ply| self.force_arg.check_new_file(&file_of(ply)))?;
        for ply in ruling.plies.iter().rev() {
            while session.view().ply > ply.number && session.undo().is_some() {}
            let picture = render_ruling_ply(session.appearance(), &session.view(), ply);
            write_file(&file_of(ply), picture.as_bytes())?;
        }
        Ok(())
    }

    fn judge_by_all_rulesets(&self, session: &dyn GameSession) -> CommandResult {
        for ruling in rulings_under_all(session, &self.request(None))? {
            let ruleset = ruling.ruleset;
            if self.position_args.json {
                print_line(ruling_to_json(session, &ruling))?;
                continue;
            }
            let reason = ruling.explanation.last().map_or("", String::as_str);
            let (verdict, cause) =
                (pad_to_columns(ruling.verdict_label, 12), pad_to_columns(ruling.cause_label, 16));
            let articles = pad_to_columns(&ruling.articles.join(", "), 12);
            let evidence = ruling.evidence;
            print_line(format_args!("{ruleset:<12} {verdict} {cause} {articles} {evidence:<9} {reason}"))?;
            // The dispute notes differ between rulesets. Alternative moves are only printed for a single ruleset.
            for note in &ruling.disputed_notes {
                print_line(format_args!("{:12} {note}", ""))?;
            }
        }
        Ok(())
    }
}

/// Returns the sentences of a ruling, the verdict first.
pub(crate) fn ruling_sentences(ruling: &Ruling) -> impl Iterator<Item = &str> {
    let reasons = ruling.explanation.iter().chain(&ruling.alternatives_note).chain(&ruling.disputed_notes);
    std::iter::once(&ruling.heading).chain(reasons).map(String::as_str)
}

/// Returns the verdict in one word: `red_loses`, `draw`, `none`.
fn verdict_name(session: &dyn GameSession, outcome: Option<Outcome>) -> String {
    match outcome {
        None => "none".into(),
        Some(Outcome::Draw) => "draw".into(),
        Some(Outcome::Win(winner)) => {
            format!("{}_loses", session.appearance().sides[(!winner).index()].to_lowercase())
        }
    }
}

fn ruling_to_json(session: &dyn GameSession, ruling: &Ruling) -> Value {
    let plies = ruling.plies.iter().map(|ply| {
        let victims = ply.victims.iter().map(|(piece, square)| json!({"piece": piece, "square": square}));
        json!({
            "ply": ply.number, "move": ply.mv, "nature": ply.move_class, "victims": victims.collect::<Vec<_>>(),
            "searched_plies": ply.searched_plies,
        })
    });
    let readings = ruling
        .readings
        .iter()
        .map(|(outcome, reason)| json!({"verdict": verdict_name(session, Some(*outcome)), "why": reason}));
    let uncertain = match &ruling.readings[..] {
        [] => Value::Null,
        _ => json!({"readings": readings.collect::<Vec<_>>()}),
    };
    json!({
        "verdict": verdict_name(session, ruling.outcome), "cause": ruling.cause, "rules": ruling.ruleset,
        "must_change": ruling.must_change.map(|side| session.appearance().sides[side.index()].to_lowercase()),
        "window": ruling.repetition_plies.map(|(first, last)| [first, last]), "plies": plies.collect::<Vec<_>>(),
        "articles": ruling.articles, "evidence": ruling.evidence,
        "explanation": ruling.explanation, "instead": ruling.alternatives, "uncertain": uncertain,
    })
}
