//! `alfil spsa`: tunes search parameters by games of the engine against itself.

mod plot;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alfil_batch::run_file::{EarlierFormat, RunFile, RunKind};
use alfil_batch::run_identity::{RunTerms, check_identity};
use alfil_matches::game::{MatchGame, MatchRules, ScoreAdjudication};
use alfil_matches::internal::{InternalPlayer, InternalPlayerOptions};
use alfil_matches::openings::OpeningGenerator;
use alfil_matches::spsa::{Spsa, TunedParam};
use alfil_matches::{EngineMatch, Player, PlayerLimits};
use alfil_session::{ParamValue, SearchParam, SearchParams, SearchResources, SessionError, registry};
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::errors::{CommandResult, Failure};
use crate::output::{ForceArg, is_same_file, print_line, write_file};
use crate::progress::Progress;

/// The state files.
const KIND: RunKind = RunKind {
    name: "spsa",
    is_synced: true,
    earlier: EarlierFormat::Rows,
    advice: "remove it and all lines after it, and these iterations are played again",
};

/// How the state of another run is refused.
const TERMS: RunTerms = RunTerms {
    what: "a run",
    labels: &[("game", "game"), ("network", "built-in network (CRC-32)")],
    advice: "give its arguments again, or name another state file",
};

/// The size of the transposition table of a player, in MiB: games with few nodes a move fill a small one.
const HASH_MIB: usize = 4;

/// The number of iterations after which the plot is drawn again.
const PLOT_INTERVAL: u64 = 10;

/// Tune search parameters by games of the engine (SPSA).
///
/// The state file holds the arguments and a row an iteration. The same command continues it. Equal seeds give equal
/// games and equal values, whatever the number of threads.
#[derive(Debug, Args)]
pub(crate) struct SpsaArgs {
    #[command(flatten)]
    run: RunArgs,
    /// File of the run; if it exists, the run continues.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Save a plot of the values as SVG: at the start, after each ten iterations and after the run.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    force_arg: ForceArg,
    /// Number of games to play at the same time.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Print a JSON object for each iteration.
    #[arg(long)]
    json: bool,
}

/// The arguments that define a run.
#[derive(Args, Clone, Debug, Deserialize, PartialEq, Serialize)]
struct RunArgs {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: String,
    /// File of parameters, one per line: a name, and optionally the start value and the perturbation, the step up or
    /// down in the last iteration; a twentieth of the range by default.
    #[arg(long, value_name = "FILE", conflicts_with = "param")]
    params: Option<PathBuf>,
    /// A parameter to tune from the game's value, given once for each; without this and a file, all but those of the
    /// skill levels.
    #[arg(long, value_name = "NAME", value_parser = param_names())]
    param: Vec<String>,
    /// Number of iterations of the whole run.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,
    /// Pairs of games in an iteration.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 2_500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the perturbations and openings.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Returns the parser of the names of parameters.
fn param_names() -> PossibleValuesParser {
    PossibleValuesParser::new(SearchParams::ALL.iter().map(|param| param.name))
}

/// The first row of a state file.
#[derive(Debug, Deserialize, Serialize)]
struct Header {
    /// The version of this program.
    version: String,
    /// The arguments of the run.
    args: RunArgs,
    /// The CRC-32 of the built-in network; `None` if the game has none, or in the file of an older version.
    network: Option<String>,
    /// The parameters with start value and last perturbation.
    params: Vec<(String, f64, f64)>,
}

impl Header {
    /// Returns the identity of the run.
    fn identity(&self) -> anyhow::Result<Value> {
        let mut identity = serde_json::to_value(&self.args)?;
        identity["network"] = json!(self.network);
        Ok(identity)
    }
}

impl SpsaArgs {
    pub(crate) fn run(&self) -> CommandResult {
        if self.plot.as_ref().is_some_and(|plot| is_same_file(plot, &self.state)) {
            return Err(Failure::Usage("--plot and --state are the same file".into()));
        }
        if let Some(plot) = &self.plot {
            self.force_arg
                .check_output_of_run(plot, self.state.exists(), |bytes| bytes.starts_with(b"<svg"))?;
        }
        let defaults = self.run.game_params()?;
        let (mut run_file, mut spsa, mut history) = self.open_state()?;
        // A plot that cannot be written is reported before the games.
        self.write_plot(&spsa, &history)?;
        let progress = Progress::new((spsa.iterations - spsa.finished) as usize);
        progress.show_message(iteration_count(&spsa));
        let show_known = |spsa: &Spsa| {
            if !self.json && spsa.finished > 0 {
                let known = summary(spsa, &defaults);
                progress.set_partial_result(move || Some(known.clone()));
            }
        };
        show_known(&spsa);
        while spsa.finished < spsa.iterations {
            let perturbation = spsa.perturbation();
            let points = self.play_iteration(&spsa, &perturbation.values)?;
            spsa.update(&perturbation, points);
            let values: Vec<f64> = spsa.params.iter().map(|tuned| tuned.value).collect();
            let row = json!({"iteration": spsa.finished, "points": points, "values": named(&spsa, &values)});
            run_file.append(&row)?;
            history.push(values);
            if self.json {
                progress.print_line(&row)?;
            }
            if spsa.finished.is_multiple_of(PLOT_INTERVAL) {
                self.write_plot(&spsa, &history)?;
            }
            progress.step(iteration_count(&spsa));
            show_known(&spsa);
        }
        progress.finish();
        self.write_plot(&spsa, &history)?;
        if !self.json {
            print_line(summary(&spsa, &defaults))?;
        }
        Ok(())
    }

    /// Draws the values so far, if a plot is wanted.
    fn write_plot(&self, spsa: &Spsa, history: &[Vec<f64>]) -> anyhow::Result<()> {
        let Some(path) = &self.plot else { return Ok(()) };
        let defaults = self.run.game_params()?;
        write_file(path, plot::value_plot(&spsa.params, history, &defaults).as_bytes())
    }

    /// Opens or creates the state file; returns the run and its values after each iteration, the start first.
    pub(crate) fn open_state(&self) -> Result<(RunFile, Spsa, Vec<Vec<f64>>), Failure> {
        // The file of parameters was read when the run began, and may be gone.
        let is_gone = self.state.exists() && self.run.params.as_ref().is_some_and(|file| !file.exists());
        let params = if is_gone { Vec::new() } else { self.run.read_params()? };
        let network = registry::info(&self.run.game)?.built_in_network.map(crc32fast::hash);
        let mut header = Header {
            version: env!("CARGO_PKG_VERSION").into(),
            args: self.run.clone(),
            network: network.map(|checksum| format!("{checksum:08x}")),
            params: header_params(&params),
        };
        let to_value = |header: &Header| serde_json::to_value(header).map_err(anyhow::Error::from);
        let (mut run_file, contents) = RunFile::open(&self.state, &KIND, &to_value(&header)?)?;
        let Some(contents) = contents else {
            let params = self.run.read_params()?;
            run_file.begin()?;
            let start = params.iter().map(|tuned| tuned.value).collect();
            return Ok((run_file, self.run.new_spsa(params), vec![start]));
        };
        let path = self.state.display();
        contents.check_rows(&self.state, &KIND)?;
        let found = serde_json::from_value::<Header>(contents.header);
        let found = found.with_context(|| format!("{path}:1: expected the header of a run"))?;
        if found.network.is_none() {
            header.network = None;
        }
        check_identity(&self.state, &found.identity()?, &header.identity()?, &TERMS)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        if let Some(file) = self.run.params.as_ref().filter(|_| !is_gone && found.params != header.params) {
            return Err(Failure::Usage(format!(
                "{} has changed since {path} was begun: restore it, or name another state file",
                file.display()
            )));
        }
        let tuned = |(name, value, perturbation): &(String, f64, f64)| {
            let param =
                SearchParam::from_name(name).map_err(|error| Failure::Input(format!("{path}:1: {error}")))?;
            Ok::<_, Failure>(TunedParam { param, value: *value, perturbation: *perturbation })
        };
        let mut spsa = self.run.new_spsa(found.params.iter().map(tuned).collect::<Result<_, _>>()?);
        let mut history = vec![spsa.params.iter().map(|tuned| tuned.value).collect::<Vec<_>>()];
        for (line, row) in contents.rows {
            let value = |tuned: &TunedParam| row["values"][tuned.param.name].as_f64();
            let values: Option<Vec<f64>> = spsa.params.iter().map(value).collect();
            let values = values.filter(|_| row["iteration"] == spsa.finished + 1);
            let values = values.ok_or_else(|| {
                Failure::Input(format!("{path}:{line}: expected iteration {}", spsa.finished + 1))
            })?;
            for (tuned, value) in spsa.params.iter_mut().zip(&values) {
                tuned.value = *value;
            }
            spsa.finished += 1;
            history.push(values);
        }
        Ok((run_file, spsa, history))
    }

    /// Plays the pairs of an iteration; returns wins less losses of the first set of values.
    fn play_iteration(&self, spsa: &Spsa, values: &[Vec<ParamValue>; 2]) -> Result<f64, Failure> {
        let RunArgs { game, pairs, nodes, .. } = &self.run;
        let generator = OpeningGenerator::with_defaults(registry::info(game)?, spsa.opening_seed());
        let rules = MatchRules {
            game: game.clone(),
            max_plies: 400,
            win_adjudication: Some(ScoreAdjudication { moves: 4, score_cp: 1_000 }),
            draw_adjudication: Some((80, ScoreAdjudication { moves: 8, score_cp: 10 })),
            ..MatchRules::default()
        };
        let limits = PlayerLimits { nodes: Some(*nodes), ..PlayerLimits::default() };
        let engine_match = EngineMatch {
            rules,
            names: vec!["up".into(), "down".into()],
            limits: vec![limits.clone(), limits],
            pairings: alfil_matches::round_robin(2),
            openings: generator.generate(game, *pairs as usize, &mut |_| ())?,
            games: 2 * *pairs as usize,
        };
        let new_players = || {
            let new_player = |values: &Vec<ParamValue>| {
                let resources = SearchResources { hash_mib: HASH_MIB, threads: 1, params: values.clone() };
                let options = InternalPlayerOptions { resources, ..InternalPlayerOptions::default() };
                Box::new(InternalPlayer::new(options)) as Box<dyn Player>
            };
            Ok(values.iter().map(new_player).collect())
        };
        let mut points = 0.0;
        let mut on_game = |played: MatchGame| {
            points += played.half_points() as f64 - 1.0;
            Ok(ControlFlow::Continue(()))
        };
        engine_match.run(&BTreeSet::new(), usize::from(self.threads), &new_players, &mut on_game)?;
        Ok(points)
    }
}

impl RunArgs {
    /// Returns the values with which the game is played.
    fn game_params(&self) -> Result<SearchParams, SessionError> {
        Ok(registry::info(&self.game)?.search_params)
    }

    fn new_spsa(&self, params: Vec<TunedParam>) -> Spsa {
        Spsa { params, finished: 0, iterations: self.iterations, seed: self.seed }
    }

    fn read_params(&self) -> Result<Vec<TunedParam>, Failure> {
        let start = self.game_params()?;
        let new_param = |param: &'static SearchParam| TunedParam::new(param, f64::from(start.get(param)));
        let from_name = |name: &str| SearchParam::from_name(name).map(new_param);
        let params = match &self.params {
            Some(file) => {
                let text = std::fs::read_to_string(file)
                    .with_context(|| format!("cannot read {}", file.display()))?;
                parse_params(file, &text, &start)?
            }
            None if self.param.is_empty() => SearchParam::tunable().map(new_param).collect(),
            None => self
                .param
                .iter()
                .map(|name| from_name(name))
                .collect::<Result<_, _>>()
                .map_err(|error| Failure::Usage(error.to_string()))?,
        };
        let names: BTreeSet<_> = params.iter().map(|tuned| tuned.param.name).collect();
        match names.len() == params.len() {
            true => Ok(params),
            false => Err(Failure::Usage("a parameter is given twice".into())),
        }
    }
}

/// Returns the parameters as the first row of a state file has them.
fn header_params(params: &[TunedParam]) -> Vec<(String, f64, f64)> {
    params.iter().map(|tuned| (tuned.param.name.to_owned(), tuned.value, tuned.perturbation)).collect()
}

/// Parses parameters, one per line; empty lines and lines that start with `#` are skipped.
fn parse_params(file: &Path, text: &str, start: &SearchParams) -> anyhow::Result<Vec<TunedParam>> {
    let mut params = Vec::new();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let words: Vec<_> = line.split_whitespace().collect();
        let place = || format!("{}:{number}", file.display());
        let [name, numbers @ ..] = &words[..] else { continue };
        if name.starts_with('#') {
            continue;
        }
        let param = SearchParam::from_name(name).with_context(place)?;
        let mut tuned = TunedParam::new(param, f64::from(start.get(param)));
        let numbers: Option<Vec<f64>> = numbers.iter().map(|number| number.parse().ok()).collect();
        let (min, max) = (f64::from(param.min), f64::from(param.max));
        let is_in_range = |value: &f64| (min..=max).contains(value);
        let is_step = |perturbation: &f64| *perturbation > 0.0 && *perturbation <= max - min;
        match numbers.as_deref() {
            Some([]) => {}
            Some([value]) if is_in_range(value) => tuned.value = *value,
            Some([value, perturbation]) if is_in_range(value) && is_step(perturbation) => {
                (tuned.value, tuned.perturbation) = (*value, *perturbation);
            }
            _ => bail!(
                "{}: expected {name} with a value from {min} to {max} and a perturbation above 0, at most {}",
                place(),
                max - min
            ),
        }
        params.push(tuned);
    }
    if params.is_empty() {
        bail!("{}: there are no parameters", file.display());
    }
    Ok(params)
}

fn named(spsa: &Spsa, values: &[f64]) -> Map<String, Value> {
    spsa.params.iter().zip(values).map(|(tuned, value)| (tuned.param.name.to_owned(), json!(value))).collect()
}

/// Returns the number of finished iterations.
fn iteration_count(spsa: &Spsa) -> String {
    format!("{} of {} iterations", spsa.finished, spsa.iterations)
}

/// Returns the values beside those of the game, one per line.
fn summary(spsa: &Spsa, defaults: &SearchParams) -> String {
    let mut lines = vec![iteration_count(spsa)];
    for (tuned, value) in spsa.params.iter().zip(spsa.values()) {
        let TunedParam { param, value: exact, .. } = tuned;
        let default = defaults.get(param);
        lines.push(format!("{} = {} ({exact:.2}; default {default})", param.name, value.value()));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_files_are_read_or_refused_with_the_line() {
        let file = Path::new("params");
        let params = parse_params(
            file,
            "\u{feff}# margins\n\nrfp_margin\nlmp_base 4\nlmr_base 900.5 20\n",
            &SearchParams::DEFAULT,
        )
        .unwrap();
        let found: Vec<_> = params.iter().map(|tuned| (tuned.param.name, tuned.value)).collect();
        assert_eq!(found, [("rfp_margin", 85.0), ("lmp_base", 4.0), ("lmr_base", 900.5)]);
        assert_eq!((params[0].perturbation, params[2].perturbation), (5.0, 20.0));
        for (text, expected) in [
            ("", "there are no parameters"),
            ("rfp_margin 10", "params:1: expected rfp_margin with a value from 50 to 150"),
            ("\nrfp_margin x", "params:2"),
            ("lmp_base 4 0", "a perturbation above 0, at most 6"),
            ("lmp_base 4 inf", "a perturbation above 0"),
            ("lmp_base 4 1e200", "a perturbation above 0"),
            ("speed", "params:1"),
        ] {
            let error = format!("{:#}", parse_params(file, text, &SearchParams::DEFAULT).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    /// Both games of a pair are equal, so each engine wins one, or both are drawn.
    #[test]
    fn equal_values_score_nothing() {
        let run = RunArgs {
            game: "othello".into(),
            params: None,
            param: Vec::new(),
            iterations: 1,
            pairs: 3,
            nodes: 60,
            seed: 1,
        };
        let spsa = run.new_spsa(run.read_params().unwrap());
        let args = SpsaArgs {
            run,
            state: PathBuf::new(),
            plot: None,
            force_arg: ForceArg::default(),
            threads: 1,
            json: false,
        };
        assert_eq!(args.play_iteration(&spsa, &[Vec::new(), Vec::new()]).unwrap(), 0.0);
    }
}
