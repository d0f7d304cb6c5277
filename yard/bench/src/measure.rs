//! What a child process costs: CPU seconds (user and system together), time of day, peak memory. And the CPU seconds of work of our own.
//!
//! A child is measured by GNU time around the child, because the standard library tells nothing of what a child used. Its CPU
//! figures have a step of 10 ms each, too coarse for a ratio of two short runs: CPU is what the system says of the children that have
//! ended, to the microsecond, with less than a millisecond of GNU time in it; so one child is measured at a time. Medians of few
//! rounds: one round beside somebody else's build says nothing.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

/// What one run cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    /// User and system time, in seconds.
    pub(crate) cpu: f64,
    /// Time of day, in seconds.
    pub(crate) wall: f64,
    /// Peak resident memory, in MB (1,000,000 bytes).
    pub(crate) peak_mb: f64,
}

const TIME: &str = "/usr/bin/time";

/// Runs a command, its input closed, and gives what it said and what it cost.
pub(crate) fn run(command: &Command, note: &Path) -> anyhow::Result<(Output, Cost)> {
    if !Path::new(TIME).exists() {
        bail!("{TIME} is missing; `apt install time`");
    }
    let mut timed = Command::new(TIME);
    timed.args(["-q", "-f", "%e %M", "-o"]).arg(note).arg("--");
    timed.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        timed.current_dir(folder);
    }
    let before = cpu_of_children()?;
    let output = timed.stdin(Stdio::null()).output().context("cannot run the timed command")?;
    let cpu = cpu_of_children()? - before;
    let text = std::fs::read_to_string(note).context("no measurement")?;
    Ok((output, parse(&text, cpu).with_context(|| format!("{text:?} is no measurement"))?))
}

/// The CPU seconds of all children that have ended.
fn cpu_of_children() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("the system does not tell what children cost")?;
    Ok((usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6)
}

fn parse(text: &str, cpu: f64) -> Option<Cost> {
    let mut numbers = text.lines().last()?.split(' ').map(|word| word.parse::<f64>().ok());
    let mut next = || numbers.next().flatten();
    Some(Cost { cpu, wall: next()?, peak_mb: next()? * 1024.0 / 1e6 })
}

/// The median of each figure by itself.
pub(crate) fn median(costs: &[Cost]) -> Option<Cost> {
    let of = |figure: fn(&Cost) -> f64| middle(costs.iter().map(figure).collect(), 2.0).map(|(value, ..)| value);
    Some(Cost { cpu: of(|c| c.cpu)?, wall: of(|c| c.wall)?, peak_mb: of(|c| c.peak_mb)? })
}

/// The median of some values, and between which two of them lies that of all that might have been measured, whatever their
/// distribution: the ranks n / 2 ± d √n / 2 for d standard deviations (binomial; for 2 it is so 19 times out of 20).
pub(crate) fn middle(mut values: Vec<f64>, deviations: f64) -> Option<(f64, f64, f64)> {
    values.sort_by(f64::total_cmp);
    let (last, half) = (values.len().checked_sub(1)?, values.len() / 2);
    let away = ((values.len() as f64).sqrt() * deviations / 2.0).ceil() as usize;
    Some((values[half], values[half.saturating_sub(away)], values[(half + away).min(last)]))
}

/// What something gives, and the CPU seconds of this thread it took (the time of day where the system does not tell).
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let now = || {
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let nanoseconds = stat.as_deref().and_then(|stat| stat.split(' ').next()?.parse().ok());
        let day = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        nanoseconds.map_or_else(day, Duration::from_nanos)
    };
    let start = now();
    let done = work();
    (now().saturating_sub(start).as_secs_f64(), done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_known_the_better_the_more_there_are() {
        let of = |count: u32| middle((0..count).rev().map(f64::from).collect(), 2.0);
        assert_eq!(
            [of(0), of(1), of(5), of(100)],
            [None, Some((0.0, 0.0, 0.0)), Some((2.0, 0.0, 4.0)), Some((50.0, 40.0, 60.0))]
        );
        let surer = middle((0..100).map(f64::from).collect(), 3.0);
        assert_eq!(surer, Some((50.0, 35.0, 65.0)));
    }

    #[test]
    fn figures_of_time_are_read() {
        let cost = parse("Command exited with non-zero status 1\n1.75 1000\n", 0.75).unwrap();
        assert_eq!(cost, Cost { cpu: 0.75, wall: 1.75, peak_mb: 1.024 });
        assert_eq!(parse("nothing", 0.0), None);
    }

    #[test]
    fn the_median_is_taken_of_each_figure() {
        let cost = |cpu, wall| Cost { cpu, wall, peak_mb: 1.0 };
        let middle = median(&[cost(1.0, 9.0), cost(3.0, 1.0), cost(2.0, 5.0)]).unwrap();
        assert_eq!((middle.cpu, middle.wall), (2.0, 5.0));
        assert!(median(&[]).is_none());
    }
}
