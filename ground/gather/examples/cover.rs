//! What does it cost to bring out a real table behind a form that shows 50 rows, 10 a page?
//!
//! `cargo run --release -p groma-gather --example cover -- germany-campsites.gpx.gz`; with a number, so many rows are made up.
//! The form has two range fields (latitude, longitude) and shows totals. The methods of the first paper are run on the same table:
//! one question per region, and `[A-Z]%` on names.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Read;

use flate2::read::GzDecoder;
use groma_gather::cover::{AnswerRecord, Axis, Cover, Cut, Heard, Part, Question, Settings, Space, Value, Verdict};

const LIMIT: usize = 50;
const PAGE: usize = 10;

struct Site {
    name: String,
    /// In units of 0.0000001 degrees.
    at: [i64; 2],
}

fn main() {
    let source = std::env::args().nth(1).unwrap_or_else(|| "4101".to_owned());
    let sites = source.parse().map_or_else(|_| read(&source), made_up);
    println!("{} sites, K = {LIMIT}, {PAGE} a page", sites.len());
    println!("{:<44} {:>9} {:>9} {:>6} {:>6}  statement", "method", "rows", "questions", "pages", "x n/p");
    let squares = by_square(&sites);
    listed("one question per region (16 squares)", &sites, &squares);
    listed("[A-Z]% on names", &sites, &by_letter(&sites));
    for (told, shuffled, limit) in
        [(true, true, Some(LIMIT)), (true, true, None), (true, false, None), (false, true, None)]
    {
        covered(&sites, told, shuffled, limit);
    }
    spelled(&sites);
}

/// The paper's way: a fixed list of questions, each read to its end.
fn listed(name: &str, sites: &[Site], answers: &[Vec<usize>]) {
    let seen: HashSet<usize> = answers.iter().flat_map(|answer| answer.iter().take(LIMIT).copied()).collect();
    let pages: usize = answers.iter().map(|answer| answer.len().min(LIMIT).div_ceil(PAGE).max(1)).sum();
    line(name, sites.len(), seen.len(), answers.len(), pages, "none");
}

fn line(name: &str, all: usize, rows: usize, questions: usize, pages: usize, statement: &str) {
    let share = 100.0 * rows as f64 / all.max(1) as f64;
    let bound = pages as f64 / all.div_ceil(PAGE).max(1) as f64;
    println!("{name:<44} {rows:>4} {share:>3.0}% {questions:>9} {pages:>6} {bound:>6.2}  {statement}");
}

fn by_letter(sites: &[Site]) -> Vec<Vec<usize>> {
    let begins = |letter: char| {
        move |(_, site): &(usize, &Site)| {
            site.name.chars().next().is_some_and(|first| first.to_uppercase().eq(letter.to_uppercase()))
        }
    };
    ('A'..='Z').map(|letter| sites.iter().enumerate().filter(begins(letter)).map(|(at, _)| at).collect()).collect()
}

/// Sixteen regions of the map, as many as there are states.
fn by_square(sites: &[Site]) -> Vec<Vec<usize>> {
    let ends = [0, 1].map(|axis| {
        let values = sites.iter().map(|site| site.at[axis]);
        (values.clone().min().unwrap_or(0), values.max().unwrap_or(0) + 1)
    });
    let mut squares: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (at, site) in sites.iter().enumerate() {
        let square = [0, 1].map(|axis| (site.at[axis] - ends[axis].0) * 4 / (ends[axis].1 - ends[axis].0));
        squares.entry(square).or_default().push(at);
    }
    squares.into_values().collect()
}

fn covered(sites: &[Site], totals: bool, shuffled: bool, limit: Option<usize>) {
    let range = Axis::Range { low: None, high: None, open: true, every: !totals };
    let settings = Settings { limit: limit.map(|limit| limit as u64), ..Settings::default() };
    let cover = Cover::new(Space { fields: vec![range.clone(), range] }, settings);
    let mut order: Vec<usize> = (0..sites.len()).collect();
    if !shuffled {
        order.sort_by_key(|at| sites[*at].at[0]);
    }
    let name = format!(
        "ranges, {}, {}, K {}",
        if totals { "totals" } else { "signs only" },
        if shuffled { "as stored" } else { "sorted" },
        if limit.is_some() { "known" } else { "learned" }
    );
    let at = |site: &Site| site.at.iter().map(|value| Some(Value::Number(*value))).collect();
    run(&name, cover, sites, &order, totals, at);
}

/// The same with a field for the beginning of the name, in any case of letters.
fn spelled(sites: &[Site]) {
    let prefix = Axis::Prefix { letters: ('a'..='z').collect(), any: true };
    let cover = Cover::new(Space { fields: vec![prefix] }, Settings::default());
    let order: Vec<usize> = (0..sites.len()).collect();
    run("names by prefix, totals, K learned", cover, sites, &order, true, |site| {
        vec![Some(Value::Text(site.name.clone()))]
    });
}

fn run(
    name: &str,
    mut cover: Cover,
    sites: &[Site],
    order: &[usize],
    totals: bool,
    shows: impl Fn(&Site) -> Vec<Option<Value>>,
) {
    loop {
        let questions = cover.next(8);
        if questions.is_empty() {
            break;
        }
        for (id, question) in questions {
            let found: Vec<&Site> =
                order.iter().map(|at| &sites[*at]).filter(|site| matches(site, &question)).collect();
            let shown = &found[..found.len().min(LIMIT)];
            let mut pages: Vec<Vec<AnswerRecord>> = Vec::new();
            loop {
                let from = pages.len() * PAGE;
                let to = (from + PAGE).min(shown.len());
                pages.push(
                    shown[from..to].iter().map(|site| AnswerRecord { key: key(site), values: shows(site) }).collect(),
                );
                let said = totals.then_some(found.len() as u64);
                let cut = if !totals && found.len() > LIMIT && to == LIMIT { Cut::Yes } else { Cut::Unknown };
                let heard = Heard { pages: &pages, said, more: to < shown.len(), cut };
                if !heard.more || cover.peek(id, &heard) != Verdict::ReadOn {
                    cover.hear(id, &heard);
                    break;
                }
            }
        }
    }
    let statement = cover.statement();
    let told = if statement.certified { "certified".to_owned() } else { format!("{:?}", statement.reasons) };
    line(name, sites.len(), statement.rows as usize, statement.questions as usize, statement.pages as usize, &told);
}

fn matches(site: &Site, question: &Question) -> bool {
    question.parts.iter().zip(site.at).all(|(part, value)| match part {
        Part::Begins(text) => site.name.to_lowercase().starts_with(&text.to_lowercase()),
        Part::Between(low, high) => low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high),
        _ => true,
    })
}

/// Equal name and place: an equal record.
fn key(site: &Site) -> u128 {
    let mut key = 0xcbf2_9ce4_8422_2325_u128;
    let bytes = site.name.bytes().chain(site.at.iter().flat_map(|value| value.to_le_bytes()));
    for byte in bytes {
        key = (key ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_0000_0000_013b);
    }
    key
}

fn read(path: &str) -> Vec<Site> {
    let file = File::open(path).expect("the file can be opened");
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("the file is gzipped text");
    let degrees = |text: &str| (text.parse::<f64>().unwrap_or(0.0) * 1e7).round() as i64;
    let attribute = |tag: &str, name: &str| {
        let rest = tag.split_once(&format!("{name}=\""))?.1;
        Some(degrees(rest.split_once('"')?.0))
    };
    let mut sites = Vec::new();
    for point in text.split("<wpt ").skip(1) {
        let (Some(lat), Some(lon)) = (attribute(point, "lat"), attribute(point, "lon")) else { continue };
        let name =
            point.split_once("<name>").and_then(|(_, rest)| rest.split_once("</name>")).map_or("", |(name, _)| name);
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        // A point without a name of its own is called by its number or its operator.
        let named = point.split_whitespace().any(|word| word.trim_start_matches("<desc>").starts_with("name="));
        if named && !name.is_empty() {
            sites.push(Site { name, at: [lat, lon] });
        }
    }
    sites
}

/// Places around towns, so that they are as uneven as real ones.
fn made_up(rows: i64) -> Vec<Site> {
    let mut state = 7_u64;
    let mut roll = move |below: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % below
    };
    let towns: Vec<[i64; 2]> =
        (0..60).map(|_| [472_000_000 + roll(78_000_000), 59_000_000 + roll(91_000_000)]).collect();
    let site = |number: i64| {
        let town = towns[roll(60) as usize];
        let near = [1, 2].map(|_| (roll(4_000_000) + roll(4_000_000) - 4_000_000) / (1 + roll(4)));
        Site {
            name: format!("{} {number}", ["Camping", "Am See", "Zeltplatz"][roll(3) as usize]),
            at: [town[0] + near[0], town[1] + near[1]],
        }
    };
    (0..rows).map(site).collect()
}
