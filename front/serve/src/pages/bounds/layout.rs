//! Where do the circles of the cluster graph stand?
//!
//! ```text
//! area       of a circle = its share of all pages * FILL of the box, radii from LEAST to MOST
//! start      the i-th circle on a sunflower's spiral: angle i * 2.39996, distance ~ sqrt(i / n); the site's own clusters come first
//! forces     between all pairs k^2 / d apart, along lines w d^2 / k together (w from 0 to 1 by the logarithm of the links),
//!            a little towards the middle; steps as long as the temperature allows, which falls to nothing in ROUNDS rounds
//! apart      circles that overlap are pushed apart, half each, until none does; what is left overlapping shrinks all of them
//! ```
//!
//! Source: Fruchterman and Reingold, Graph drawing by force-directed placement (1991). Nothing is drawn by lot: the same graph
//! looks the same every time. Cost: O((ROUNDS + PASSES) * n^2), n at most MOST_CIRCLES.
//! Guaranteed: no two circles overlap, and all are inside the box. Not guaranteed: that few lines cross.

use std::f64::consts::PI;

/// Circles that are laid out at most; those behind are left out.
pub(super) const MOST_CIRCLES: usize = 60;
/// The part of the box that circles cover.
const FILL: f64 = 0.17;
/// Smallest and largest radius.
const LEAST: f64 = 9.0;
const MOST: f64 = 78.0;
/// Between two circles, and to the edge.
const GAP: f64 = 6.0;
const ROUNDS: u32 = 250;
const PASSES: u32 = 400;
/// How much a picture is stretched to its box: a few circles stay together.
const LOOSEST: f64 = 1.2;
/// How hard circles are drawn to the middle.
const GRAVITY: f64 = 0.6;
const GOLDEN: f64 = 2.399_963_229_728_653;

/// A circle of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Circle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) r: f64,
}

/// A line between two circles, by their places, and how many links it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) links: u32,
}

/// Lays out circles for so many pages each in a box. Lines that lead nowhere are passed over.
pub(super) fn lay_out(pages: &[u32], lines: &[Line], wide: f64, high: f64) -> Vec<Circle> {
    let pages = &pages[..pages.len().min(MOST_CIRCLES)];
    let mut circles = begin(pages, wide, high);
    let lines = sound(lines, circles.len());
    arrange(&mut circles, &lines, wide, high);
    fit(&mut circles, wide, high);
    part(&mut circles, wide, high);
    if !shrink(&mut circles) {
        line_up(&mut circles, wide, high);
    }
    circles
}

/// Lines with how strongly they pull, 0 to 1.
fn sound(lines: &[Line], count: usize) -> Vec<(usize, usize, f64)> {
    let most = lines.iter().map(|line| line.links).max().unwrap_or(0);
    let pull = |links: u32| f64::from(links).ln_1p() / f64::from(most.max(1)).ln_1p();
    let leads = |line: &&Line| line.from < count && line.to < count && line.from != line.to;
    lines.iter().filter(leads).map(|line| (line.from, line.to, pull(line.links))).collect()
}

fn begin(pages: &[u32], wide: f64, high: f64) -> Vec<Circle> {
    let total: f64 = pages.iter().map(|count| f64::from(*count).max(1.0)).sum();
    let count = pages.len() as f64;
    let circle = |(at, pages): (usize, &u32)| {
        let area = FILL * wide * high * f64::from(*pages).max(1.0) / total;
        let (angle, far) = (at as f64 * GOLDEN, (at as f64 / count).sqrt() * 0.45);
        Circle {
            x: wide / 2.0 + angle.cos() * far * wide,
            y: high / 2.0 + angle.sin() * far * high,
            r: (area / PI).sqrt().clamp(LEAST, MOST),
        }
    };
    pages.iter().enumerate().map(circle).collect()
}

fn arrange(circles: &mut [Circle], lines: &[(usize, usize, f64)], wide: f64, high: f64) {
    let count = circles.len();
    if count < 2 {
        return;
    }
    let k = (wide * high / count as f64).sqrt() * 0.7;
    for round in 0..ROUNDS {
        let mut moves = vec![(0.0, 0.0); count];
        for a in 0..count {
            for b in a + 1..count {
                let (dx, dy, d) = between(circles, a, b);
                let apart = k * k / (d - circles[a].r - circles[b].r).max(k / 8.0);
                add(&mut moves, a, b, (dx * apart, dy * apart));
            }
            // Boxes are wider than high: what lies beside the middle is nearer than what lies above it.
            moves[a].0 += (wide / 2.0 - circles[a].x) * GRAVITY * high / wide;
            moves[a].1 += (high / 2.0 - circles[a].y) * GRAVITY;
        }
        for &(a, b, pull) in lines {
            let (dx, dy, d) = between(circles, a, b);
            let together = -pull * d * d / k;
            add(&mut moves, a, b, (dx * together, dy * together));
        }
        let warm = wide * 0.08 * (1.0 - f64::from(round) / f64::from(ROUNDS));
        for (circle, (x, y)) in circles.iter_mut().zip(moves) {
            let length = x.hypot(y).max(1e-9);
            let step = length.min(warm) / length;
            circle.x += x * step;
            circle.y += y * step;
        }
    }
}

/// From the second to the first: the direction and the distance. Where both stand at the same place, their numbers say which way.
fn between(circles: &[Circle], a: usize, b: usize) -> (f64, f64, f64) {
    let (x, y) = (circles[a].x - circles[b].x, circles[a].y - circles[b].y);
    let d = x.hypot(y);
    if d < 1e-6 {
        let angle = (a * 31 + b) as f64;
        return (angle.cos(), angle.sin(), 1e-6);
    }
    (x / d, y / d, d)
}

fn add(moves: &mut [(f64, f64)], a: usize, b: usize, (x, y): (f64, f64)) {
    moves[a].0 += x;
    moves[a].1 += y;
    moves[b].0 -= x;
    moves[b].1 -= y;
}

/// Stretches or shrinks what was arranged to the box.
fn fit(circles: &mut [Circle], wide: f64, high: f64) {
    let least = |of: &dyn Fn(&Circle) -> f64| circles.iter().map(of).fold(f64::INFINITY, f64::min);
    let (left, top) = (least(&|c| c.x - c.r), least(&|c| c.y - c.r));
    let (right, bottom) = (-least(&|c| -c.x - c.r), -least(&|c| -c.y - c.r));
    let scale = |from: f64, to: f64, room: f64| if to - from > 1e-9 { (room - 2.0 * GAP) / (to - from) } else { 1.0 };
    // Both ways alike as far as it looks well.
    let (sx, sy) = (scale(left, right, wide), scale(top, bottom, high));
    let (sx, sy) = (sx.min(sy * 1.5).min(LOOSEST), sy.min(sx * 1.5).min(LOOSEST));
    let (mx, my) = ((left + right) / 2.0, (top + bottom) / 2.0);
    for circle in circles.iter_mut() {
        circle.x = wide / 2.0 + (circle.x - mx) * sx;
        circle.y = high / 2.0 + (circle.y - my) * sy;
        hold(circle, wide, high);
    }
}

fn hold(circle: &mut Circle, wide: f64, high: f64) {
    let edge = circle.r + GAP;
    circle.x = circle.x.clamp(edge, (wide - edge).max(edge));
    circle.y = circle.y.clamp(edge, (high - edge).max(edge));
}

fn part(circles: &mut [Circle], wide: f64, high: f64) {
    for _ in 0..PASSES {
        let mut moved = false;
        for a in 0..circles.len() {
            for b in a + 1..circles.len() {
                let (dx, dy, d) = between(circles, a, b);
                let short = circles[a].r + circles[b].r + GAP - d;
                if short > 1e-9 {
                    moved = true;
                    let half = short / 2.0 + 0.01;
                    for (at, way) in [(a, half), (b, -half)] {
                        circles[at].x += dx * way;
                        circles[at].y += dy * way;
                        hold(&mut circles[at], wide, high);
                    }
                }
            }
        }
        if !moved {
            return;
        }
    }
}

/// Makes all circles as small as the two that are nearest need it; false if little would be left of them.
fn shrink(circles: &mut [Circle]) -> bool {
    let mut factor = 1.0f64;
    for a in 0..circles.len() {
        for b in a + 1..circles.len() {
            let (_, _, d) = between(circles, a, b);
            factor = factor.min((d - 1.0) / (circles[a].r + circles[b].r));
        }
    }
    if factor < 0.6 {
        return false;
    }
    circles.iter_mut().for_each(|circle| circle.r *= factor);
    true
}

/// Rows and columns: what always fits.
fn line_up(circles: &mut [Circle], wide: f64, high: f64) {
    let columns = ((circles.len() as f64 * wide / high).sqrt().ceil() as usize).max(1);
    let rows = circles.len().div_ceil(columns).max(1);
    let (w, h) = (wide / columns as f64, high / rows as f64);
    for (at, circle) in circles.iter_mut().enumerate() {
        circle.x = (at % columns) as f64 * w + w / 2.0;
        circle.y = (at / columns) as f64 * h + h / 2.0;
        circle.r = circle.r.min((w.min(h) - 1.0) / 2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: f64 = 720.0;
    const HIGH: f64 = 460.0;

    fn check(pages: &[u32], lines: &[Line]) -> Vec<Circle> {
        let circles = lay_out(pages, lines, WIDE, HIGH);
        assert_eq!(circles.len(), pages.len().min(MOST_CIRCLES));
        assert_eq!(circles, lay_out(pages, lines, WIDE, HIGH), "the same graph looks the same");
        for (at, a) in circles.iter().enumerate() {
            assert!(a.r > 1.0 && a.x.is_finite() && a.y.is_finite(), "{a:?}");
            let inside = a.x - a.r >= 0.0 && a.x + a.r <= WIDE && a.y - a.r >= 0.0 && a.y + a.r <= HIGH;
            assert!(inside, "{at} is not in the box: {a:?}");
            for b in &circles[..at] {
                assert!((a.x - b.x).hypot(a.y - b.y) >= a.r + b.r, "{a:?} and {b:?} overlap");
            }
        }
        circles
    }

    fn line(from: usize, to: usize, links: u32) -> Line {
        Line { from, to, links }
    }

    #[test]
    fn nothing_one_and_two() {
        assert!(check(&[], &[line(0, 1, 3)]).is_empty());
        let one = check(&[5], &[line(0, 0, 3)])[0];
        assert!((one.x - WIDE / 2.0).abs() < 1.0 && (one.y - HIGH / 2.0).abs() < 1.0, "{one:?}");
        let two = check(&[4, 1], &[line(0, 1, 7)]);
        assert!(two[0].r > two[1].r && (two[0].x - two[1].x).abs() < WIDE * 0.6, "{two:?}");
    }

    #[test]
    fn forty_of_all_shapes() {
        let many: Vec<u32> = (0..40).map(|at| 1 + (at * 7919) % 997).collect();
        let ring: Vec<Line> = (0..40).map(|at| line(at, (at + 1) % 40, 1 + at as u32)).collect();
        let star: Vec<Line> = (1..40).map(|at| line(0, at, u32::MAX)).collect();
        let all: Vec<Line> = (0..40).flat_map(|a| (0..40).map(move |b| line(a, b, 1))).collect();
        for lines in [&[][..], &ring, &star, &all] {
            check(&many, lines);
            check(&[1; 40], lines);
            check(&[u32::MAX; 40], lines);
            let mut giant = [1; 40];
            giant[39] = u32::MAX;
            check(&giant, lines);
            check(&[0; 40], lines);
        }
    }

    #[test]
    fn areas_are_as_the_pages() {
        let mut pages = [100; 10];
        pages[3] = 400;
        let circles = check(&pages, &[]);
        assert!((circles[3].r / circles[0].r - 2.0).abs() < 0.01, "{circles:?}");
    }

    #[test]
    fn what_makes_no_sense_is_passed_over() {
        check(&[3, 2, 1], &[line(7, 9, 1), line(0, usize::MAX, 5), line(1, 1, 1), line(0, 2, 0)]);
        check(&[1; 1000], &[line(999, 0, 1)]);
    }

    #[test]
    fn what_is_linked_stands_nearer() {
        let circles = check(&[10; 12], &[line(0, 11, 500)]);
        let d = |a: usize, b: usize| (circles[a].x - circles[b].x).hypot(circles[a].y - circles[b].y);
        let mean = (1..11).map(|at| d(at, 11)).sum::<f64>() / 10.0;
        assert!(d(0, 11) < mean, "{} is not below {mean}", d(0, 11));
    }
}
