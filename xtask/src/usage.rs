//! What the steps of the tests take: processor time, of all processes that a step starts, and wall time.

use std::fmt::Write;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

/// What one step took.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepUsage {
    /// The name of the step.
    pub(crate) name: String,
    /// User and system time of all processes, where the system counts it.
    pub(crate) processor: Option<Duration>,
    /// The time from the start to the end.
    pub(crate) wall: Duration,
}

/// Counts what a step takes, from its start.
pub(crate) struct Stopwatch {
    processor: Option<Duration>,
    started: Instant,
}

impl Stopwatch {
    /// Starts a step. `other` is a child process of xtask that is no part of the step.
    pub(crate) fn start(other: Option<u32>) -> Stopwatch {
        Stopwatch { processor: processor_time(other), started: Instant::now() }
    }

    /// Ends the step.
    pub(crate) fn stop(self, name: &str, other: Option<u32>) -> StepUsage {
        let processor = processor_time(other);
        let processor = self.processor.zip(processor).map(|(before, after)| after.saturating_sub(before));
        StepUsage { name: name.to_owned(), processor, wall: self.started.elapsed() }
    }
}

/// Makes xtask the parent of processes whose own parent ends before them, as those of a browser do, so that their time
/// is counted.
pub(crate) fn adopt_orphans() {
    // Where this fails, the time of such processes is missing.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Returns the processor time of xtask and of all its ended child processes but `other`, with theirs.
#[cfg(target_os = "linux")]
fn processor_time(other: Option<u32>) -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;

    wait_for_orphans(other);
    let duration = |time: TimeVal| {
        let micros = i128::from(time.tv_sec()) * 1_000_000 + i128::from(time.tv_usec());
        u64::try_from(micros).map(Duration::from_micros).ok()
    };
    [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].into_iter().try_fold(Duration::ZERO, |sum, who| {
        let usage = getrusage(who).ok()?;
        Some(sum + duration(usage.user_time())? + duration(usage.system_time())?)
    })
}

/// Waits for the adopted processes that have ended, which counts their time, and returns how many they are. Between two
/// steps all children but `other` are adopted ones.
#[cfg(target_os = "linux")]
fn wait_for_orphans(other: Option<u32>) -> usize {
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    use nix::unistd::Pid;

    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let ids = children.flat_map(|ids| ids.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    let ids = ids.filter_map(|id| id.parse::<i32>().ok()).filter(|id| Some(id.cast_unsigned()) != other);
    let has_ended = |id: &i32| {
        let status = waitpid(Pid::from_raw(*id), Some(WaitPidFlag::WNOHANG));
        status.is_ok_and(|status| status != WaitStatus::StillAlive)
    };
    ids.filter(has_ended).count()
}

/// Other systems count in other ways.
#[cfg(not(target_os = "linux"))]
fn processor_time(_: Option<u32>) -> Option<Duration> {
    None
}

/// A file to which each process of the tests adds a line for each of its steps.
pub(crate) struct UsageFile(PathBuf);

impl UsageFile {
    pub(crate) fn new(path: PathBuf) -> UsageFile {
        UsageFile(path)
    }

    /// Removes the lines of an earlier run.
    pub(crate) fn clear(&self) -> anyhow::Result<()> {
        fs::create_dir_all(self.0.parent().unwrap_or(Path::new(".")))?;
        fs::write(&self.0, "").with_context(|| format!("cannot write {}", self.0.display()))
    }

    /// Adds a step.
    pub(crate) fn add(&self, step: &StepUsage) -> anyhow::Result<()> {
        let processor = step.processor.map_or_else(String::new, |time| time.as_millis().to_string());
        let line = format!("{}\t{processor}\t{}\n", step.name, step.wall.as_millis());
        let file = OpenOptions::new().append(true).create(true).open(&self.0);
        // One write, so that the lines of two processes do not mix.
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .with_context(|| format!("cannot write {}", self.0.display()))
    }

    /// Returns the steps in the order of their ends.
    pub(crate) fn steps(&self) -> anyhow::Result<Vec<StepUsage>> {
        let text =
            fs::read_to_string(&self.0).with_context(|| format!("cannot read {}", self.0.display()))?;
        let steps = text.lines().map(parse_line).collect::<Option<_>>();
        steps.with_context(|| format!("{} is damaged", self.0.display()))
    }
}

fn parse_line(line: &str) -> Option<StepUsage> {
    let mut fields = line.split('\t');
    let (name, processor, wall) = (fields.next()?.to_owned(), fields.next()?, fields.next()?);
    let processor = match processor {
        "" => None,
        text => Some(Duration::from_millis(text.parse().ok()?)),
    };
    Some(StepUsage { name, processor, wall: Duration::from_millis(wall.parse().ok()?) })
}

/// Returns a table of the steps, with their sum. `wall` is the time of all steps, some of which run side by side.
pub(crate) fn format_table(steps: &[StepUsage], wall: Duration) -> String {
    let processor = steps.iter().map(|step| step.processor).sum::<Option<Duration>>();
    let total = StepUsage { name: "all".to_owned(), processor, wall };
    let mut table = format!("{:<10} {:>14} {:>10}\n", "step", "processor time", "wall time");
    for StepUsage { name, processor, wall } in steps.iter().chain([&total]) {
        let processor = processor.map_or_else(|| "not known".to_owned(), format_time);
        let _ = writeln!(table, "{name:<10} {processor:>14} {:>10}", format_time(*wall));
    }
    table
}

/// Returns a time in minutes and seconds.
fn format_time(time: Duration) -> String {
    // Rounded to the nearest second.
    let seconds = (time + Duration::from_millis(500)).as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &str, processor: Option<u64>, wall: u64) -> StepUsage {
        let (processor, wall) = (processor.map(Duration::from_millis), Duration::from_millis(wall));
        StepUsage { name: name.to_owned(), processor, wall }
    }

    #[test]
    fn the_file_keeps_the_steps_of_several_processes() {
        let path = std::env::temp_dir().join(format!("alfil-steps-{}.tsv", std::process::id()));
        let steps = [step("wasm", Some(61_400), 80_000), step("docs", None, 59_500)];
        let file = UsageFile::new(path.clone());
        file.clear().unwrap();
        for step in &steps {
            UsageFile::new(path.clone()).add(step).unwrap();
        }
        assert_eq!(file.steps().unwrap(), steps);
        fs::write(&path, "wasm\tmany\t3\n").unwrap();
        assert!(file.steps().unwrap_err().to_string().contains("is damaged"));
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_table_ends_with_the_sum() {
        let steps = [step("wasm", Some(61_400), 80_000), step("docs", Some(10_000), 59_500)];
        let table = format_table(&steps, Duration::from_secs(90));
        let lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect::<Vec<_>>();
        assert_eq!(lines[1..], [["wasm", "1:01", "1:20"], ["docs", "0:10", "1:00"], ["all", "1:11", "1:30"]]);
        let unknown = format_table(&[step("docs", None, 1000)], Duration::from_secs(1));
        assert!(
            unknown.lines().all(|line| line.starts_with("step") || line.contains("not known")),
            "{unknown}"
        );
    }

    /// Set in the process in which the test of orphans runs: in that of the tests, it would wait for the children of
    /// other tests.
    #[cfg(target_os = "linux")]
    const ALONE: &str = "ALFIL_TEST_ALONE";

    #[cfg(target_os = "linux")]
    #[test]
    fn orphans_are_waited_for_and_other_children_are_not() {
        use std::process::{Command, Stdio};

        if std::env::var_os(ALONE).is_none() {
            let mut alone = Command::new(std::env::current_exe().unwrap());
            alone.args(["--exact", "usage::tests::orphans_are_waited_for_and_other_children_are_not"]);
            let output = alone.env(ALONE, "1").output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            return;
        }
        adopt_orphans();
        let mut other = Command::new("true").spawn().unwrap();
        // The shell ends before the process that it leaves behind, which ends with its input: that of the shell.
        let mut shell = Command::new("sh");
        let mut shell =
            shell.args(["-c", "exec 3<&0; cat <&3 & exit 0"]).stdin(Stdio::piped()).spawn().unwrap();
        let input = shell.stdin.take();
        assert!(shell.wait().unwrap().success());
        assert_eq!(wait_for_orphans(Some(other.id())), 0);
        drop(input);
        while wait_for_orphans(Some(other.id())) == 0 {
            std::thread::yield_now();
        }
        assert!(other.wait().unwrap().success());
    }
}
