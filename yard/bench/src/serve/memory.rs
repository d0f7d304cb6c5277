//! Does memory stay flat? Looked at every few seconds beside the load.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::served::{Resident, Served};

/// Time between two looks at the memory.
const LOOK: Duration = Duration::from_secs(1);
/// The last third may hold so much more than the second: ratio, and MB.
const RATIO: f64 = 1.1;
const SLACK: f64 = 16.0;

/// Memory over time: seconds, and what was held.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course(Vec<(f64, Resident)>);

/// Does something, and looks at the server's memory meanwhile.
pub(crate) fn beside<T>(served: &Served, work: impl FnOnce() -> T) -> anyhow::Result<(T, Course)> {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let start = Instant::now();
            let mut course = Course::default();
            loop {
                course.0.push((start.elapsed().as_secs_f64(), served.resident()?));
                if over.load(Ordering::Relaxed) {
                    return Ok(course);
                }
                std::thread::sleep(LOOK);
            }
        });
        let done = work();
        over.store(true, Ordering::Relaxed);
        let course = looking.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the look at memory fell over")));
        Ok((done, course?))
    })
}

impl Course {
    /// What was held about every so many seconds, the first and the last look included.
    pub(crate) fn every(&self, seconds: f64) -> Vec<(f64, Resident)> {
        let mut shown: Vec<(f64, Resident)> = Vec::new();
        for (at, held) in &self.0 {
            if shown.last().is_none_or(|(last, _)| at - last >= seconds) {
                shown.push((*at, *held));
            }
        }
        match self.0.last() {
            Some(end) if shown.last().is_some_and(|(last, _)| end.0 - last > 1.5) => shown.push(*end),
            _ => {}
        }
        shown
    }

    /// The mean of the second third, that of the last, and what that may be at most.
    pub(crate) fn thirds(&self) -> (f64, f64, f64) {
        let third = self.0.len() / 3;
        let mean =
            |looks: &[(f64, Resident)]| looks.iter().map(|(_, held)| held.all).sum::<f64>() / looks.len().max(1) as f64;
        let (second, last) = (mean(&self.0[third..2 * third]), mean(&self.0[2 * third..]));
        (second, last, second * RATIO + SLACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(of: impl Fn(usize) -> f64) -> Course {
        let held = |n: usize| Resident { all: of(n), own: 0.0 };
        Course((0..90).map(|n| (n as f64, held(n))).collect())
    }

    #[test]
    fn growth_is_told_from_a_level() {
        let (second, last, most) = course(|_| 100.0).thirds();
        assert!(last <= most && second == last);
        let (_, last, most) = course(|n| 100.0 + 3.0 * n as f64).thirds();
        assert!(last > most, "{last} {most}");
    }

    #[test]
    fn looks_are_thinned_out() {
        let shown: Vec<f64> = course(|_| 1.0).every(30.0).iter().map(|(at, _)| *at).collect();
        assert_eq!(shown, [0.0, 30.0, 60.0, 89.0]);
    }
}
