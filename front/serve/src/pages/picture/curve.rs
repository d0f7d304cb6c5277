//! How does a crawl run? What is done and what is left over time, and when it would end if it went on like this.

use std::fmt::Write as _;
use std::time::Duration;

use askama::Template;
use askama::filters::HtmlSafe;

use groma_model::moment::spoken;
use groma_model::wording::grouped;
use groma_store::jobs::Curve;

/// Points drawn at most: more than there are pixels say nothing more.
const POINTS: usize = 300;
/// The field of the chart, in its own units.
const LEFT: f64 = 56.0;
const TOP: f64 = 10.0;
const WIDTH: f64 = 570.0;
const HEIGHT: f64 = 150.0;

/// The course of a job: two curves, a scale, and a guess.
#[derive(Template)]
#[template(path = "picture/course.html")]
pub(crate) struct Course {
    done: String,
    wash: String,
    left: String,
    guess: Option<Guess>,
    most: String,
    half: String,
    took: String,
    label: String,
}

struct Guess {
    /// From what is done now to what would be done then.
    path: String,
    /// In words: how long it would still take.
    says: String,
    now_x: f64,
}

impl HtmlSafe for Course {}

impl Course {
    /// From the points of a job's curve, oldest first, and how long it would still take; nothing if there is too little to see.
    pub(crate) fn draw(points: &[Curve], rest: Option<Duration>) -> Option<Course> {
        let (first, last) = (points.first()?, points.last()?);
        let span = (last.at_ms - first.at_ms) as f64;
        if points.len() < 2 || span <= 0.0 {
            return None;
        }
        let rest_ms = rest.map(|rest| rest.as_millis() as f64).filter(|rest| *rest > 0.0 && last.left > 0);
        // The guess may take at most as much room as what happened, and half of that again.
        let shown = rest_ms.map_or(0.0, |rest| rest.min(span * 1.5));
        let end_done = rest_ms.map_or(last.done as f64, |rest| last.done as f64 + last.left as f64 * (shown / rest));
        let most = points.iter().map(|p| p.done.max(p.left)).max().unwrap_or(0).max(end_done as u64).max(1);
        let x = |at: f64| LEFT + (at - first.at_ms as f64) / (span + shown) * WIDTH;
        let y = |n: f64| TOP + HEIGHT - n / most as f64 * HEIGHT;
        let thin = thinned(points);
        let done = line(thin.iter().map(|p| (x(p.at_ms as f64), y(p.done as f64))));
        let left = line(thin.iter().map(|p| (x(p.at_ms as f64), y(p.left as f64))));
        let now_x = x(last.at_ms as f64);
        let base = TOP + HEIGHT;
        let guess = rest_ms.map(|rest| Guess {
            path: line([(now_x, y(last.done as f64)), (x(last.at_ms as f64 + shown), y(end_done))].into_iter()),
            says: spoken(Duration::from_millis(rest as u64)),
            now_x,
        });
        let took = spoken(Duration::from_millis(span as u64));
        let label = format!("{} done and {} left after {took}", grouped(last.done), grouped(last.left));
        Some(Course {
            wash: format!("{done}L{now_x:.1} {base}L{LEFT} {base}Z"),
            done,
            left,
            guess,
            most: brief(most),
            half: brief(most / 2),
            took,
            label,
        })
    }
}

/// A line of the last runs or of one course, without any scale.
#[derive(Template)]
#[template(path = "picture/spark.html")]
pub(crate) struct Spark {
    path: String,
    wash: String,
    label: String,
}

impl HtmlSafe for Spark {}

impl Spark {
    /// What was done over time; nothing if there is too little to see.
    pub(crate) fn draw(points: &[Curve]) -> Option<Spark> {
        let (first, last) = (points.first()?, points.last()?);
        let span = (last.at_ms - first.at_ms) as f64;
        if points.len() < 2 || span <= 0.0 {
            return None;
        }
        let most = points.iter().map(|p| p.done).max().unwrap_or(0).max(1) as f64;
        let at = |p: &Curve| ((p.at_ms - first.at_ms) as f64 / span * 200.0, 34.0 - p.done as f64 / most * 32.0);
        let path = line(thinned(points).iter().map(|p| at(p)));
        Some(Spark {
            wash: format!("{path}L200 36L0 36Z"),
            path,
            label: format!("{} done at the last", grouped(last.done)),
        })
    }
}

/// So few points that the whole course is still seen, the last one among them.
fn thinned(points: &[Curve]) -> Vec<&Curve> {
    let step = points.len().div_ceil(POINTS).max(1);
    let mut thin: Vec<&Curve> = points.iter().step_by(step).collect();
    if let Some(last) = points.last().filter(|last| thin.last() != Some(last)) {
        thin.push(last);
    }
    thin
}

pub(super) fn line(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (at, (x, y)) in points.enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
    path
}

/// `950`, `12 k`, `3.4 M`.
pub(super) fn brief(n: u64) -> String {
    match n {
        0..10_000 => grouped(n),
        10_000..1_000_000 => format!("{} k", n / 1000),
        _ => format!("{:.1} M", n as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(at_ms: i64, done: u64, left: u64) -> Curve {
        Curve { at_ms, done, left }
    }

    #[test]
    fn the_guess_is_the_one_that_was_given() {
        let points = [point(0, 0, 300), point(10_000, 100, 200)];
        let drawn = Course::draw(&points, Some(Duration::from_secs(90))).unwrap().to_string();
        assert!(drawn.contains(&format!("about {} more", spoken(Duration::from_secs(90)))), "{drawn}");
        assert!(!Course::draw(&points, None).unwrap().to_string().contains("more"));
        let over = [point(0, 0, 300), point(10_000, 300, 0)];
        assert!(!Course::draw(&over, Some(Duration::from_secs(90))).unwrap().to_string().contains("more"));
    }

    #[test]
    fn nothing_is_guessed_from_nothing() {
        assert!(Course::draw(&[point(0, 1, 1)], None).is_none());
        assert!(Course::draw(&[point(5, 1, 1), point(5, 2, 1)], None).is_none());
        assert!(Spark::draw(&[]).is_none());
    }

    #[test]
    fn long_courses_are_thinned_and_end_where_they_end() {
        let points: Vec<Curve> = (0..10_001).map(|n| point(n * 10, n as u64, 10_000 - n as u64)).collect();
        let thin = thinned(&points);
        assert!(thin.len() <= POINTS + 1 && thin.last() == Some(&&points[10_000]));
        let drawn = Course::draw(&points, Some(Duration::from_secs(5))).unwrap().to_string();
        assert!(drawn.len() < 20_000 && drawn.contains("done and 0 left"), "{}", drawn.len());
    }
}
