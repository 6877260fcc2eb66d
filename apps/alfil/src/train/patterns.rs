//! `alfil train othello --kind patterns`.

use std::fs;

use alfil_training::game_data::GameData;
use alfil_training::{
    PHASE_EMPTIES, PatternOptions, PhaseReport, ProbCutGroup, TEST_POSITIONS, TestSet, deviation_plot,
    error_plot, prob_cut_errors, test_errors, train_patterns,
};
use anyhow::Context as _;
use serde_json::json;

use super::{DEFAULT_LICENCE, Train, added, games_checksum, print_progress};
use crate::errors::{CommandResult, Failure};
use crate::output::{print_line, write_file};
use crate::progress::Progress;

/// The number of positions that are searched for the errors of shallow searches, and the depth of the deepest search.
const PROB_CUT_POSITIONS: usize = 1_500;
const PROB_CUT_DEPTH: u32 = 9;

impl Train {
    pub(super) fn train_patterns(&self, games: &[GameData], progress: &Progress) -> CommandResult {
        let test_set = self.test_set(games, progress)?;
        let options = self.pattern_options(games);
        if !self.json {
            print_progress(progress, &options.command)?;
            let text = format!("mean absolute errors in discs; {} positions in the test set", test_set.len());
            print_progress(progress, text)?;
        }
        progress.show_message("fitting the patterns");
        let mut reports = Vec::new();
        let mut printed = Ok(());
        let weights = train_patterns(games, &test_set, &options, |report| {
            reports.push(report);
            let line = if self.json { json_line(&report) } else { text_line(&report) };
            if printed.is_ok() {
                printed = print_progress(progress, line);
            }
            progress.show_message(format!("fitting the patterns: phase {} is done", report.phase));
        })?;
        progress.finish();
        let bytes = weights.to_bytes();
        write_file(&self.output, &bytes)?;
        let title = format!("mean absolute error, {}", weights.description());
        write_file(&added(&self.output, "svg"), error_plot(&title, &reports).as_bytes())?;
        printed?;
        let (positions, patterns, terms) = test_errors(&test_set, None, &weights);
        if self.json {
            return Ok(print_line(json!({
                "weights": self.output.display().to_string(), "bytes": bytes.len(), "test_positions": positions,
                "test_error": patterns, "terms_error": terms,
            }))?);
        }
        print_line(format_args!(
            "all phases: test set {patterns:.3}, hand-made terms {terms:.3}: {:.1} %",
            100.0 * patterns / terms.max(1e-9)
        ))?;
        Ok(print_line(format_args!(
            "wrote {}: {}, {} bytes",
            self.output.display(),
            weights.description(),
            bytes.len()
        ))?)
    }

    /// Measures the errors of shallow searches on positions of the test set.
    pub(super) fn measure_prob_cut(&self, games: &[GameData], progress: &Progress) -> CommandResult {
        let test_set = self.test_set(games, progress)?;
        progress.show_message("searching the positions");
        let limits = (PROB_CUT_POSITIONS, PROB_CUT_DEPTH);
        let errors = prob_cut_errors(&test_set, limits, self.threads.into(), |done, all| {
            progress.show_message(format!("{done} of {all} positions searched"));
        })?;
        progress.finish();
        // The columns keep the names of the fields: `deviation` is a root mean square.
        let mut table = String::from("deep,shallow,empties,positions,mean,deviation\n");
        for ProbCutGroup { deep, shallow, empties, positions, mean, deviation } in &errors.groups {
            table += &format!("{deep},{shallow},{empties:.1},{positions},{mean:.3},{deviation:.3}\n");
        }
        write_file(&self.output, table.as_bytes())?;
        write_file(&added(&self.output, "svg"), deviation_plot(&errors).as_bytes())?;
        let regression = errors.regression;
        if self.json {
            return Ok(print_line(json!({"regression": regression, "groups": errors.groups.len()}))?);
        }
        let [constant, deep, shallow, empty] = regression;
        Ok(print_line(format_args!(
            "deviation in discs: {constant:.3} {deep:+.4} a ply of the deep search {shallow:+.4} a ply of the shallow one \
             {empty:+.5} an empty square"
        ))?)
    }

    /// Reads the test set, or makes it.
    fn test_set(&self, games: &[GameData], progress: &Progress) -> Result<TestSet, Failure> {
        let path = self.test.clone().unwrap_or_else(|| added(&self.output, "test"));
        let name = path.display();
        if path.exists() {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
            return TestSet::parse(&text).map_err(|error| Failure::Input(format!("{name}: {error}")));
        }
        progress.show_message("choosing the positions of the test set");
        let test_set = TestSet::new(games, TEST_POSITIONS, self.threads.into(), |done, all| {
            progress.show_message(format!("test set: {done} of {all} positions have scores"));
        })?;
        write_file(&path, test_set.to_text().as_bytes())?;
        Ok(test_set)
    }

    fn pattern_options(&self, games: &[GameData]) -> PatternOptions {
        let (ridge, iterations) = (self.ridge.unwrap_or(60.0), self.iterations.unwrap_or(40));
        let result_fraction = self.result_fraction.unwrap_or(0.0);
        let command = format!(
            "alfil train othello --kind patterns --ridge {ridge} --iterations {iterations} \
             --result-fraction {result_fraction} on {} games with CRC-32 {:08x}",
            games.len(),
            games_checksum(games)
        );
        PatternOptions {
            ridge: ridge.into(),
            iterations: iterations as usize,
            result_fraction: result_fraction.into(),
            threads: self.threads.into(),
            licence: self.licence.as_deref().unwrap_or(DEFAULT_LICENCE).into(),
            command,
        }
    }
}

fn text_line(report: &PhaseReport) -> String {
    let &PhaseReport { phase, positions, training_error, test_positions, test_error, terms_error } = report;
    let empties = PHASE_EMPTIES as usize * phase;
    format!(
        "phase {phase:>2}, {empties:>2} empty squares and more: {positions:>8} positions, training {training_error:.3}, \
         test set {test_error:.3} on {test_positions:>4}, hand-made terms {terms_error:.3}"
    )
}

fn json_line(report: &PhaseReport) -> String {
    let &PhaseReport { phase, positions, training_error, test_positions, test_error, terms_error } = report;
    json!({
        "phase": phase, "positions": positions, "training_error": training_error, "test_positions": test_positions,
        "test_error": test_error, "terms_error": terms_error,
    })
    .to_string()
}
