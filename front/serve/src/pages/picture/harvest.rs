//! What does a focused crawl bring home? Relevant pages over pages fetched, several crawls in one field; and how rich the last
//! stretch was, all along one crawl. A gathering is drawn alike: records over requests.

use askama::Template;
use askama::filters::HtmlSafe;

use groma_model::wording::grouped;

use super::curve::{brief, line};

/// Crawls in one picture: as many as can be told apart by color and dash.
pub(crate) const MOST_LINES: usize = 6;
/// The field, in its own units; names stand to the right of it.
const LEFT: f64 = 56.0;
const TOP: f64 = 10.0;
const WIDTH: f64 = 450.0;
const HEIGHT: f64 = 200.0;
/// Names at the ends of lines keep so much distance.
const NAME_HIGH: f64 = 17.0;
/// The last stretch is this share of what was fetched, and at least so many pages.
const STRETCH: f64 = 0.1;
const LEAST_STRETCH: u32 = 10;

/// A crawl to be drawn.
pub(crate) struct Reaped {
    pub(crate) id: u64,
    /// The name of its strategy.
    pub(crate) strategy: String,
    /// Pages fetched and relevant pages among them, growing.
    pub(crate) points: Vec<(u32, u32)>,
}

/// Harvest curves side by side.
#[derive(Template)]
#[template(path = "picture/harvest.html")]
pub(crate) struct Harvest {
    lines: Vec<Line>,
    most: String,
    half: String,
    far: String,
    half_way: String,
    /// What is counted from left to right.
    over: &'static str,
    /// How high the whole is, where it is estimated.
    whole: Option<f64>,
    label: String,
}

/// What is drawn: what lines tell, what is counted from left to right, and a line in words.
struct CurveWords {
    about: &'static str,
    over: &'static str,
    says: fn(u64, &str, u32, u32) -> String,
}

const CRAWLS: CurveWords = CurveWords { about: "Relevant pages over pages fetched", over: "fetched", says };
const DATABASES: CurveWords = CurveWords { about: "Records over answers", over: "answers", says: gathered };

struct Line {
    class: usize,
    path: String,
    id: u64,
    strategy: String,
    x: f64,
    y: f64,
    /// Where its name stands.
    name_y: f64,
    /// The line is moved away from its name, which is joined to it.
    joint: bool,
    tip: String,
}

impl HtmlSafe for Harvest {}

impl Harvest {
    /// Of some crawls, at most [`MOST_LINES`]; nothing if none of them fetched anything.
    pub(crate) fn draw(crawls: &[Reaped]) -> Option<Harvest> {
        Harvest::drawn(crawls, &CRAWLS, None)
    }

    /// Of a gathering: answers and records, growing, and how many there are in all where that is estimated; nothing if nothing was
    /// answered.
    pub(crate) fn of_database(id: u64, points: Vec<(u32, u32)>, whole: Option<u32>) -> Option<Harvest> {
        Harvest::drawn(&[Reaped { id, strategy: String::new(), points }], &DATABASES, whole)
    }

    fn drawn(crawls: &[Reaped], words: &CurveWords, whole: Option<u32>) -> Option<Harvest> {
        let shown = &crawls[..crawls.len().min(MOST_LINES)];
        let ends = || shown.iter().filter_map(|crawl| crawl.points.last());
        let far = ends().map(|end| end.0).max().filter(|far| *far > 0)?;
        let most = ends().map(|end| end.1).chain(whole).max().unwrap_or(0).max(1);
        let x = |fetched: u32| LEFT + f64::from(fetched) / f64::from(far) * WIDTH;
        let y = |found: u32| TOP + HEIGHT - f64::from(found) / f64::from(most) * HEIGHT;
        let drawn = |(class, crawl): (usize, &Reaped)| {
            let (fetched, found) = crawl.points.last().copied()?;
            let way = std::iter::once((0, 0)).chain(crawl.points.iter().copied());
            Some(Line {
                class,
                path: line(way.map(|(fetched, found)| (x(fetched), y(found)))),
                id: crawl.id,
                strategy: crawl.strategy.clone(),
                x: rounded(x(fetched)),
                y: rounded(y(found)),
                name_y: y(found),
                joint: false,
                tip: (words.says)(crawl.id, &crawl.strategy, fetched, found),
            })
        };
        let mut lines: Vec<Line> = shown.iter().enumerate().filter_map(drawn).collect();
        spread(&mut lines);
        let label = lines.iter().map(|line| line.tip.as_str()).collect::<Vec<_>>().join("; ");
        Some(Harvest {
            label: match whole {
                Some(whole) => format!("{}. {label}; about {} in all", words.about, grouped(whole.into())),
                None => format!("{}. {label}", words.about),
            },
            whole: whole.map(|whole| rounded(y(whole))),
            lines,
            most: brief(most.into()),
            half: if most > 1 { brief((most / 2).into()) } else { String::new() },
            far: brief(far.into()),
            half_way: brief((far / 2).into()),
            over: words.over,
        })
    }
}

fn says(id: u64, strategy: &str, fetched: u32, found: u32) -> String {
    format!("{id} ({strategy}): {} relevant of {} fetched", grouped(found.into()), grouped(fetched.into()))
}

fn gathered(_: u64, _: &str, answers: u32, records: u32) -> String {
    format!("{} records after {} answers", grouped(records.into()), grouped(answers.into()))
}

fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// Names do not stand on one another: from the lowest up each keeps its distance, as long as there is room.
fn spread(lines: &mut [Line]) {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|a, b| lines[*b].y.total_cmp(&lines[*a].y));
    let mut below = TOP + HEIGHT + NAME_HIGH;
    for at in order.iter().copied() {
        lines[at].name_y = lines[at].y.min(below - NAME_HIGH);
        below = lines[at].name_y;
    }
    // What was pushed out at the top pushes the others down again.
    let mut above = TOP - NAME_HIGH;
    for at in order.into_iter().rev() {
        lines[at].name_y = rounded(lines[at].name_y.max(above + NAME_HIGH));
        above = lines[at].name_y;
    }
    for line in lines {
        line.joint = (line.name_y - line.y).abs() > 3.0 || line.x < LEFT + WIDTH - 3.0;
    }
}

/// How rich the last stretch was, all along a crawl.
#[derive(Template)]
#[template(path = "picture/richness.html")]
pub(crate) struct Richness {
    path: String,
    wash: String,
    far: String,
    label: String,
}

impl HtmlSafe for Richness {}

impl Richness {
    /// Of the points of a crawl; nothing if there is too little to see.
    pub(crate) fn draw(points: &[(u32, u32)]) -> Option<Richness> {
        let far = points.last()?.0;
        let rates = rates(points);
        if rates.len() < 2 {
            return None;
        }
        let x = |fetched: u32| LEFT + f64::from(fetched) / f64::from(far) * WIDTH;
        let path = line(rates.iter().map(|(fetched, rate)| (x(*fetched), 90.0 - rate * 80.0)));
        let (from, to) = (x(rates.first()?.0), x(far));
        Some(Richness {
            wash: format!("{path}L{to:.1} 90L{from:.1} 90Z"),
            path,
            far: brief(far.into()),
            label: format!(
                "Relevant pages of every hundred, over the last stretch: {:.0} at the end",
                rates.last()?.1 * 100.0
            ),
        })
    }
}

/// The harvest of the stretch that ends at each point.
fn rates(points: &[(u32, u32)]) -> Vec<(u32, f64)> {
    let stretch = stretch_of(points);
    let mut from = 0;
    let mut rates = Vec::new();
    for (at, &(fetched, found)) in points.iter().enumerate() {
        while from + 1 < at && points[from + 1].0 + stretch <= fetched {
            from += 1;
        }
        let (before, had) = if fetched <= stretch { (0, 0) } else { points[from] };
        if fetched >= stretch && fetched > before {
            rates.push((fetched, f64::from(found.saturating_sub(had)) / f64::from(fetched - before)));
        }
    }
    rates
}

/// Pages of the last stretch.
pub(crate) fn stretch_of(points: &[(u32, u32)]) -> u32 {
    let far = points.last().map_or(0, |last| last.0);
    ((f64::from(far) * STRETCH).ceil() as u32).max(LEAST_STRETCH.min(far))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reaped(id: u64, points: &[(u32, u32)]) -> Reaped {
        Reaped { id, strategy: "<b>".into(), points: points.to_vec() }
    }

    #[test]
    fn lines_are_drawn_to_one_scale_and_escaped() {
        let text = Harvest::draw(&[reaped(1, &[(50, 10), (100, 40)]), reaped(2, &[(100, 20)])]).unwrap().to_string();
        assert!(text.contains("M56.0 210.0L281.0 160.0L506.0 10.0"), "{text}");
        assert!(text.contains("L506.0 110.0") && !text.contains("<b>"), "{text}");
        assert!(Harvest::draw(&[]).is_none() && Harvest::draw(&[reaped(1, &[])]).is_none());
        assert!(Harvest::draw(&[reaped(1, &[(5, 0)])]).is_some(), "nothing relevant is a line on the ground");
    }

    #[test]
    fn the_estimated_whole_is_a_line_above_the_curve() {
        let text = Harvest::of_database(1, vec![(10, 20)], Some(40)).unwrap().to_string();
        assert!(text.contains("class=\"guess\" d=\"M56 10H506\"") && text.contains("about 40 in all"), "{text}");
        assert!(text.contains("L506.0 110.0"), "the curve ends half way up: {text}");
        assert!(!Harvest::of_database(1, vec![(10, 20)], None).unwrap().to_string().contains("guess"));
    }

    #[test]
    fn names_keep_their_distance_and_stay_in_the_field() {
        for found in [0, 40, 100] {
            let crawls: Vec<Reaped> = (0..9).map(|id| reaped(id, &[(100, found)])).collect();
            let picture = Harvest::draw(&crawls).unwrap();
            assert_eq!(picture.lines.len(), MOST_LINES);
            let mut at: Vec<f64> = picture.lines.iter().map(|line| line.name_y).collect();
            at.sort_by(f64::total_cmp);
            assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= NAME_HIGH - 0.2), "{at:?}");
            assert!(at[0] >= TOP - 0.1 && at[MOST_LINES - 1] <= TOP + HEIGHT + 0.1, "{at:?}");
        }
    }

    #[test]
    fn the_last_stretch_counts_and_not_the_whole() {
        // Ten rich pages, then ninety poor ones.
        let points: Vec<(u32, u32)> = (1..=100).map(|n| (n, n.min(10))).collect();
        let rates = rates(&points);
        assert_eq!(rates.first(), Some(&(10, 1.0)));
        assert_eq!(rates.last(), Some(&(100, 0.0)));
        assert!(rates.iter().all(|(_, rate)| (0.0..=1.0).contains(rate)));
        assert!(
            Richness::draw(&[]).is_none() && Richness::draw(&[(0, 0)]).is_none() && Richness::draw(&[(3, 1)]).is_none()
        );
        assert!(Richness::draw(&points).is_some());
    }
}
