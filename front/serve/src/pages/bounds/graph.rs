//! The clusters in and around a site as a picture: circles as large as their pages, lines as wide as their links, and the same as
//! rows of a table.

use askama::Template;
use askama::filters::HtmlSafe;
use groma_model::wording::grouped;
use groma_tasks::bounds::{Nearby, NearbyCluster};

use super::layout::{Circle, Line, MOST_CIRCLES, lay_out};
use super::naming::pages;
use crate::pages::layout::{outward, short};
use crate::pages::shown::{Shown, tail};

/// Size of the picture.
const WIDE: f64 = 720.0;
const HIGH: f64 = 440.0;
/// Lines drawn: the strongest.
const LINES: usize = 160;
/// Letters of a name in the picture.
const NAME: usize = 22;
/// About how wide and high a letter is.
const LETTER: f64 = 6.4;
const WIDE_LETTER: f64 = 12.0;
const LETTER_HIGH: f64 = 14.0;

#[derive(Template)]
#[template(path = "picture/clusters.html")]
pub(super) struct ClusterPicture {
    nodes: Vec<Node>,
    lines: Vec<Stroke>,
    label: String,
}

impl HtmlSafe for ClusterPicture {}

struct Node {
    number: usize,
    x: String,
    y: String,
    r: String,
    class: &'static str,
    /// The pattern it is filled with; empty: none.
    pattern: &'static str,
    tip: String,
    /// There is room for its number.
    big: bool,
    name: Option<(String, String, String)>,
}

struct Stroke {
    x1: String,
    y1: String,
    x2: String,
    y2: String,
    width: String,
}

/// A cluster as a row of the table.
pub(super) struct ClusterRow {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) page: Shown,
    /// What is accepted or rejected: a folder, or the page.
    pub(super) subject: String,
    pub(super) single: bool,
    /// What that is, in a word.
    pub(super) about: &'static str,
    pub(super) says: &'static str,
    pub(super) class: &'static str,
    pub(super) hatched: bool,
    pub(super) pages: String,
    pub(super) inside: String,
    pub(super) undecided: String,
    pub(super) links: String,
    /// All of it is in.
    pub(super) whole: bool,
    /// The page that names it, for merging.
    pub(super) address: String,
}

/// The clusters in and around a site, as a picture and as rows.
pub(super) struct Graph {
    pub(super) picture: ClusterPicture,
    pub(super) rows: Vec<ClusterRow>,
    pub(super) more: u32,
}

impl Graph {
    /// Of what was found; nothing if nothing was clustered.
    pub(super) fn read(site: &str, nearby: &Nearby) -> Option<Graph> {
        if nearby.clusters.is_empty() {
            return None;
        }
        let shown = &nearby.clusters[..nearby.clusters.len().min(MOST_CIRCLES)];
        let lines = both_ways(nearby, shown.len());
        let pages: Vec<u32> = shown.iter().map(|cluster| cluster.size).collect();
        let circles = lay_out(&pages, &lines, WIDE, HIGH);
        let rows: Vec<ClusterRow> = (1..).zip(shown).map(|(number, cluster)| row(site, number, cluster)).collect();
        let hidden = (nearby.clusters.len() - shown.len()) as u32;
        Some(Graph { picture: picture(&circles, &lines, &rows), rows, more: nearby.more.saturating_add(hidden) })
    }
}

/// Links of both directions are one line.
fn both_ways(nearby: &Nearby, count: usize) -> Vec<Line> {
    let mut sums: std::collections::BTreeMap<(usize, usize), u32> = std::collections::BTreeMap::new();
    for link in nearby.links.iter().filter(|link| link.from < count && link.to < count && link.from != link.to) {
        let sum = sums.entry((link.from.min(link.to), link.from.max(link.to))).or_default();
        *sum = sum.saturating_add(link.links);
    }
    let mut lines: Vec<Line> = sums.into_iter().map(|((from, to), links)| Line { from, to, links }).collect();
    lines.sort_by_key(|line| (std::cmp::Reverse(line.links), line.from, line.to));
    lines.truncate(LINES);
    lines
}

fn row(site: &str, number: usize, cluster: &NearbyCluster) -> ClusterRow {
    let folder = outward(&cluster.label).filter(|label| label.ends_with('/'));
    let name = short(folder.map_or(cluster.label.as_str(), tail), 100);
    let (says, class, hatched) = standing(cluster);
    ClusterRow {
        number,
        name: if name.is_empty() { short(tail(&cluster.page), 100) } else { name },
        page: Shown::address(site, &cluster.page),
        subject: folder.map_or_else(|| cluster.page.clone(), |folder| format!("{folder}*")),
        single: folder.is_none(),
        about: if folder.is_some() { "the folder" } else { "the page" },
        says,
        class,
        hatched,
        pages: grouped(cluster.size.into()),
        inside: grouped(cluster.r#in.into()),
        undecided: grouped(cluster.undecided.into()),
        links: grouped(cluster.links.into()),
        whole: cluster.r#in >= cluster.size,
        address: cluster.page.clone(),
    }
}

/// Where most of a cluster stands: in words, as a color, and whether it is hatched.
fn standing(cluster: &NearbyCluster) -> (&'static str, &'static str, bool) {
    let (size, inside) = (cluster.size.max(1), cluster.r#in);
    if inside >= size {
        ("in", "v-in", false)
    } else if inside > 0 {
        ("partly in", "v-in", true)
    } else if cluster.undecided > 0 {
        ("undecided", "v-undecided", true)
    } else {
        ("out", "v-out", false)
    }
}

fn picture(circles: &[Circle], lines: &[Line], rows: &[ClusterRow]) -> ClusterPicture {
    let most = lines.first().map_or(1, |line| line.links.max(1));
    let number = |value: f64| format!("{value:.1}");
    let stroke = |line: &Line| {
        let (a, b) = (circles[line.from], circles[line.to]);
        let width = 0.6 + 4.4 * (f64::from(line.links) / f64::from(most)).sqrt();
        Stroke { x1: number(a.x), y1: number(a.y), x2: number(b.x), y2: number(b.y), width: number(width) }
    };
    let names: Vec<String> = rows.iter().map(|row| short(&row.name, NAME)).collect();
    let places = place_names(circles, &names);
    let node = |circle: &Circle, row: &ClusterRow, name: String, place: Option<(f64, f64)>| Node {
        number: row.number,
        x: number(circle.x),
        y: number(circle.y),
        r: number(circle.r),
        class: row.class,
        pattern: match (row.hatched, row.class) {
            (false, _) => "",
            (true, "v-in") => "hatch-in",
            _ => "hatch-undecided",
        },
        tip: format!(
            "{}. {}: {} ({}), {} of them in the site, {} links with it",
            row.number,
            row.name,
            pages(&row.pages),
            row.says,
            row.inside,
            row.links
        ),
        big: circle.r >= 15.0,
        name: place.map(|(x, y)| (number(x), number(y), name)),
    };
    ClusterPicture {
        nodes: circles
            .iter()
            .zip(rows)
            .zip(names.into_iter().zip(places))
            .map(|((circle, row), (name, place))| node(circle, row, name, place))
            .collect(),
        lines: lines.iter().map(stroke).collect(),
        label: format!("{} clusters in and around the site; the table below lists the same", circles.len()),
    }
}

/// The middle of the foot of each name, where there is room for it: below, else above its circle. The first have the choice.
fn place_names(circles: &[Circle], names: &[String]) -> Vec<Option<(f64, f64)>> {
    let mut taken: Vec<[f64; 4]> = Vec::new();
    let mut places = Vec::with_capacity(circles.len());
    for (circle, name) in circles.iter().zip(names) {
        let letter = |c: char| if c.is_ascii() { LETTER } else { WIDE_LETTER };
        let half = name.chars().map(letter).sum::<f64>() / 2.0 + 2.0;
        let free = |top: &f64| {
            let spot = [circle.x - half, *top, circle.x + half, top + LETTER_HIGH];
            let inside = spot[0] >= 0.0 && spot[1] >= 0.0 && spot[2] <= WIDE && spot[3] <= HIGH;
            inside && !circles.iter().any(|other| covers(other, &spot)) && !taken.iter().any(|one| meets(one, &spot))
        };
        let place = [circle.y + circle.r + 2.0, circle.y - circle.r - LETTER_HIGH - 2.0].into_iter().find(free);
        if let Some(top) = place {
            taken.push([circle.x - half, top, circle.x + half, top + LETTER_HIGH]);
        }
        places.push(place.map(|top| (circle.x, top + LETTER_HIGH - 3.5)));
    }
    places
}

fn covers(circle: &Circle, spot: &[f64; 4]) -> bool {
    let (x, y) = (circle.x.clamp(spot[0], spot[2]), circle.y.clamp(spot[1], spot[3]));
    (circle.x - x).hypot(circle.y - y) < circle.r
}

fn meets(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_tasks::bounds::NearbyLink;

    fn cluster(label: &str, page: &str, size: u32, inside: u32, undecided: u32) -> NearbyCluster {
        NearbyCluster { cluster: 0, label: label.into(), page: page.into(), size, r#in: inside, undecided, links: 3 }
    }

    #[test]
    fn hostile_names_stay_text_and_lead_nowhere() {
        let spell = "</title><script>alert(1)</script>\"'\u{202e}";
        let clusters = vec![cluster(spell, "javascript:alert(1)", 9, 1, 0), cluster("javascript://x/", spell, 3, 0, 0)];
        let nearby = Nearby { clusters, links: vec![NearbyLink { from: 0, to: 99, links: 1 }], more: 0 };
        let graph = Graph::read("s", &nearby).unwrap();
        let picture = graph.picture.to_string();
        assert!(!picture.contains("<script") && !picture.contains('\u{202e}'), "{picture}");
        assert!(!picture.contains("href=\"javascript"), "{picture}");
        assert!(graph.rows.iter().all(|row| row.single && row.page.out.is_none()), "no folder of a host is meant");
    }

    #[test]
    fn a_folder_is_decided_about_as_a_folder() {
        let nearby = Nearby {
            clusters: vec![
                cluster("https://a.example/docs/", "https://a.example/docs/x", 9, 9, 0),
                cluster("A title", "https://b.example/", 4, 0, 2),
                cluster("", "https://c.example/y", 4, 1, 0),
            ],
            links: vec![NearbyLink { from: 0, to: 1, links: 2 }, NearbyLink { from: 1, to: 0, links: 5 }],
            more: 3,
        };
        let graph = Graph::read("s", &nearby).unwrap();
        let said: Vec<_> = graph.rows.iter().map(|row| (row.subject.as_str(), row.single, row.says)).collect();
        assert_eq!(
            said,
            [
                ("https://a.example/docs/*", false, "in"),
                ("https://b.example/", true, "undecided"),
                ("https://c.example/y", true, "partly in")
            ]
        );
        assert_eq!(graph.rows[2].name, "/y");
        assert_eq!((graph.more, graph.picture.lines.len()), (3, 1), "both directions are one line");
        assert!(Graph::read("s", &Nearby::default()).is_none());
    }

    #[test]
    fn names_cover_neither_circles_nor_each_other() {
        let circles: Vec<Circle> = (0..30)
            .map(|at| Circle { x: 60.0 + f64::from(at % 6) * 110.0, y: 40.0 + f64::from(at / 6) * 60.0, r: 14.0 })
            .collect();
        let names = vec!["a name of some length".to_owned(); 30];
        let placed: Vec<(f64, f64)> = place_names(&circles, &names).into_iter().flatten().collect();
        assert!(!placed.is_empty());
        for (at, a) in placed.iter().enumerate() {
            assert!(placed[..at].iter().all(|b| (a.0 - b.0).abs() > 100.0 || (a.1 - b.1).abs() >= LETTER_HIGH));
        }
    }
}
