//! Works derived from others: a library of the size that is asked for out of any number of works.
//!
//! A crawl of 10,000 pages says something only on a site that is much larger, and the source has 3,000 works with an
//! abstract. A derived work takes a work at random (so every label keeps its share) and others of the same topic and
//! language, or of the same subfield where the topic has fewer than three. Its title is a pattern around their keywords
//! or, for chapters, around halves of their titles; its abstract is made of their sentences, openings first and
//! conclusions last; its keywords, authors and affiliations are drawn from theirs. So words, lengths and links between
//! topic and words are those of the source. What is not promised: that sentences follow from each other, or that the
//! *topic* of a derived work is as pure as its subfield.

use std::collections::{HashMap, HashSet};

use crate::dice::Dice;
use crate::work::{Author, Work, WorkKind, sentences};

const TITLES: [&str; 16] = [
    "{A} and {b} in {c}",
    "{A} as a predictor of {b}",
    "The effect of {a} on {b}",
    "A comparative study of {a} and {b}",
    "{A}: implications for {b} and {c}",
    "{A} revisited: the case of {b}",
    "From {a} to {b}: {c} reconsidered",
    "{A} in the context of {b}",
    "Recent progress in {a} and {b}",
    "Is {a} linked to {b}? A review",
    "Modelling {a} by means of {b}",
    "{A}, {b} and {c}: an overview",
    "Assessment of {a} using {b}",
    "New evidence on {a} and {b}",
    "{A} with and without {b}",
    "Long-term changes of {a} and {b}",
];

const CHAPTERS: [&str; 8] = [
    "{A}: foundations",
    "Introduction: {a}",
    "{A} in perspective",
    "Perspectives on {a}",
    "{A}: history and outlook",
    "{A}, {b}",
    "Problems of {a}",
    "{A}: selected cases",
];

/// Exactly so many works of a kind: those of the source in another order, then derived ones.
pub(crate) fn enough(works: &[Work], kind: WorkKind, count: usize, seed: u64) -> Vec<Work> {
    let mut dice = Dice::new(seed, if kind == WorkKind::Article { "articles" } else { "chapters" });
    let mut own: Vec<&Work> = works.iter().filter(|work| work.kind == kind).collect();
    // A source may have articles only, or chapters only: then the one stands in for the other.
    if own.is_empty() {
        own = works.iter().collect();
    }
    let mut order: Vec<usize> = (0..own.len()).collect();
    dice.shuffle(&mut order);
    let mut out: Vec<Work> = Vec::with_capacity(count);
    out.extend(order.iter().take(count).map(|n| own[*n].clone()).filter(|work| work.kind == kind));
    let families = Families::new(&own);
    let mut titles: HashSet<String> = out.iter().map(|work| work.title.clone()).collect();
    while out.len() < count && !own.is_empty() {
        let Some(first) = dice.one(&own) else { break };
        let mut work = derive(first, families.of_work(first), kind, &mut dice);
        for part in 2.. {
            if titles.insert(work.title.clone()) {
                break;
            }
            work.title = format!("{} ({part})", work.title.split(" (").next().unwrap_or_default());
        }
        out.push(work);
    }
    out
}

/// Works by topic and by subfield, each within a language.
struct Families<'a>(HashMap<(&'a str, &'a str), Vec<&'a Work>>);

impl<'a> Families<'a> {
    fn new(works: &[&'a Work]) -> Families<'a> {
        let mut families: HashMap<(&str, &str), Vec<&Work>> = HashMap::new();
        for work in works {
            for label in [&work.subject.topic, &work.subject.subfield] {
                families.entry((label, &work.language)).or_default().push(work);
            }
        }
        Families(families)
    }

    fn of_work(&self, work: &'a Work) -> &[&'a Work] {
        let family = |label: &'a str| self.0.get(&(label, work.language.as_str())).map_or(&[][..], Vec::as_slice);
        let narrow = family(&work.subject.topic);
        if narrow.len() >= 3 { narrow } else { family(&work.subject.subfield) }
    }
}

fn derive(first: &Work, family: &[&Work], kind: WorkKind, dice: &mut Dice) -> Work {
    let mut parents = vec![first];
    for _ in 0..3 {
        let other = dice.one(family).filter(|work| parents.iter().all(|known| known.id != work.id));
        parents.extend(other);
    }
    let (authors, affiliations) = people(&parents, dice);
    let article = kind == WorkKind::Article;
    let keywords = if article { keywords(&parents, dice) } else { Vec::new() };
    let title = if article && keywords.len() >= 3 {
        fill(dice.word(&TITLES), &keywords)
    } else {
        let halves: Vec<String> = parents.iter().rev().map(|work| half(&work.title)).collect();
        fill(dice.word(&CHAPTERS), &halves)
    };
    Work {
        id: first.id.clone(),
        derived: true,
        kind,
        title,
        authors,
        affiliations,
        summary: if article { summary(&parents, dice) } else { String::new() },
        keywords,
        subject: first.subject.clone(),
        language: first.language.clone(),
    }
}

fn keywords(parents: &[&Work], dice: &mut Dice) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let most = dice.between(4, 7);
    // The first ones of a work are its own, the last ones hold for half the library.
    for rank in 0..4 {
        for keyword in parents.iter().filter_map(|work| work.keywords.get(rank)) {
            if out.len() < most && !out.contains(keyword) {
                out.push(keyword.clone());
            }
        }
    }
    dice.shuffle(&mut out);
    out
}

fn summary(parents: &[&Work], dice: &mut Dice) -> String {
    let mut chosen: Vec<(usize, &str)> = Vec::new();
    for work in parents {
        let all = sentences(&work.summary);
        for (n, sentence) in all.iter().enumerate() {
            if all.len() <= 2 || dice.chance(45) {
                chosen.push((n * 100 / all.len(), sentence));
            }
        }
    }
    if chosen.is_empty() {
        return parents.first().map(|work| work.summary.clone()).unwrap_or_default();
    }
    chosen.sort_by_key(|(place, _)| *place);
    chosen.truncate(12);
    chosen.iter().map(|(_, sentence)| *sentence).collect::<Vec<_>>().join(" ")
}

fn people(parents: &[&Work], dice: &mut Dice) -> (Vec<Author>, Vec<String>) {
    let (mut authors, mut places): (Vec<Author>, Vec<String>) = (Vec::new(), Vec::new());
    let most = dice.between(1, 5);
    for _ in 0..most {
        let Some(work) = dice.one(parents) else { break };
        let Some(author) = dice.early(&work.authors) else { continue };
        if authors.iter().any(|a| a.name == author.name) {
            continue;
        }
        let place = author.affiliation.and_then(|at| work.affiliations.get(at));
        let affiliation = place.map(|place| {
            places.iter().position(|p| p == place).unwrap_or_else(|| {
                places.push(place.clone());
                places.len() - 1
            })
        });
        authors.push(Author { name: author.name.clone(), affiliation });
    }
    (authors, places)
}

/// What stands before the first colon or stop of a title, and not too much of it.
fn half(title: &str) -> String {
    let head = title.split([':', '.', '?', ';', '(']).next().unwrap_or_default();
    let mut words: Vec<&str> = head.split(' ').take(9).collect();
    // A half does not end in the middle of a phrase.
    while words.len() > 2 && words.last().is_some_and(|word| word.len() <= 4) {
        words.pop();
    }
    words.join(" ").trim_end_matches([',', ' ']).to_owned()
}

fn fill(pattern: &str, words: &[String]) -> String {
    let of = |n: usize| words.get(n).or(words.first()).map(String::as_str).unwrap_or_default();
    pattern
        .replace("{A}", of(0))
        .replace("{a}", &lower(of(0)))
        .replace("{b}", &lower(of(1)))
        .replace("{c}", &lower(of(2)))
}

/// A word as it stands within a sentence: small, unless it is an abbreviation.
fn lower(word: &str) -> String {
    let mut letters = word.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().collect::<String>() + letters.as_str()
        }
        _ => word.to_owned(),
    }
}
