//! From a question to an answer.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use groma_model::{Block, PageId};
use groma_store::codec::unpack_blocks;
use groma_store::{SheetFacts, Snapshot};

use crate::ask::{
    Atom, Choice, Filter, Gather, Marker, MatchSet, Part, Place, Question, build, parse, passages, resolve,
};
use crate::databases::origin;
use crate::key::Key;
use crate::opened::Opened;
use crate::record::Shower;
use crate::schema::{Class, language_code, language_name};
use crate::text::{Language, Run, Scan, lower};
use crate::write::date;
use crate::{Answer, Ask, FacetCount, Facets, Hit, Note, SearchError};

/// Hits that can be paged through.
const REACH: usize = 10_000;
/// Values of a facet that are shown.
const SHOWN: usize = 10;
/// A question that finds fewer may be a slip.
const FEW: u64 = 3;

/// What a question came to, before anything is shown of it.
struct Reached {
    found: MatchSet,
    /// Pages and records with all the words.
    whole: u64,
    some: bool,
    filter: Arc<Filter>,
}

/// See [`crate::Index::search`].
pub(crate) fn answer(
    opened: &Opened,
    ask: &Ask<'_>,
    store: &mut dyn Snapshot,
    folder: &Path,
) -> Result<Answer, SearchError> {
    let mut question = parse(ask.text);
    if question.groups.is_empty() && !question.has_filter() {
        question.notes.push(Note::NothingAsked);
        return Ok(Answer { notes: question.notes, ..Answer::default() });
    }
    let most = ask.first.saturating_add(ask.most).min(REACH);
    let reached = reach(opened, &mut question, ask, most, ask.facets, store)?;
    if reached.some {
        question.notes.push(Note::SomeWords);
    }
    let atoms: Vec<Atom> = question.groups.iter().flatten().flat_map(|part| opened.phrasing.atoms(part)).collect();
    let marker = Marker::new(&atoms);
    let mut hits = Vec::new();
    let mut records = Shower::for_survey(folder);
    for &(score, key) in reached.found.best.iter().skip(ask.first).take(ask.most) {
        hits.extend(match key {
            Key::Page(page) => hit(opened, &marker, score, page, store)?,
            record => records.hit(opened, &marker, score, record, store)?,
        });
    }
    let left_out = opened.databases.left_out();
    if left_out > 0 {
        question.notes.push(Note::LeftOut(left_out));
    }
    let facets = if ask.facets {
        Some(facets(opened, &reached.found, &section_pages(opened, &reached.filter), store)?)
    } else {
        None
    };
    let did_you_mean =
        if reached.whole < FEW { corrected(opened, ask, &question, reached.whole, store)? } else { None };
    let mixed = opened.records > 0;
    Ok(Answer { total: reached.found.total, mixed, hits, facets, did_you_mean, notes: question.notes })
}

/// Asks the engine: for all words, and if no page has them, for some.
fn reach(
    opened: &Opened,
    question: &mut Question,
    ask: &Ask<'_>,
    most: usize,
    facets: bool,
    store: &mut dyn Snapshot,
) -> Result<Reached, SearchError> {
    let (mut filter, folders) = filter(opened, question, store)?;
    filter.pages.clone_from(&ask.within);
    let filter = Arc::new(filter);
    let weights = ask.weights;
    let sections = section_pages(opened, &filter).map(|pages| {
        pages.iter().filter_map(|page| opened.places.span(*page)).map(|span| span.0).collect::<Vec<u32>>()
    });
    let gather = Gather {
        filter: filter.clone(),
        places: opened.places.clone(),
        most,
        rank: weights.rank.max(0.0),
        by_rank: question.groups.is_empty(),
        facets,
        sections: Arc::new(sections.unwrap_or_default()),
        homes: if opened.databases.list.is_empty() { Arc::default() } else { opened.hosts(store)?.homes.clone() },
    };
    let run = |some: bool| {
        let query = build(question, &opened.phrasing, &opened.fields, weights, &folders, some);
        opened.searcher.search(&*query, &gather)
    };
    let found = run(false)?;
    let whole = found.total;
    let several = question.groups.len() > 1 || question.groups.iter().flatten().any(|part| is_several(opened, part));
    if whole == 0 && several {
        let found = run(true)?;
        let some = found.total > 0;
        return Ok(Reached { found, whole, some, filter });
    }
    Ok(Reached { found, whole, some: false, filter })
}

fn is_several(opened: &Opened, part: &Part) -> bool {
    !part.phrase && opened.phrasing.atoms(part).len() > 1
}

/// The branches whose parts are counted apart, if a single one was asked for.
fn section_pages(opened: &Opened, filter: &Filter) -> Option<Vec<u32>> {
    let [(enter, leave)] = filter.branches.as_deref()? else { return None };
    let page = opened.places.at(*enter).filter(|page| opened.places.span(*page) == Some((*enter, *leave)))?;
    let children = opened.places.children(page);
    (!children.is_empty()).then_some(children)
}

/// The filters of a question; folders are asked of the engine. What is unknown is noted or finds nothing.
fn filter(
    opened: &Opened,
    question: &mut Question,
    store: &mut dyn Snapshot,
) -> Result<(Filter, Vec<String>), SearchError> {
    let mut filter = Filter { days: question.days, ..Filter::default() };
    if question.site != Choice::default() {
        let hosts = &opened.hosts(store)?.origins;
        let of = |wanted: &String| {
            let wanted = wanted.trim_end_matches('/').to_ascii_lowercase();
            hosts
                .iter()
                .filter(move |(_, origin)| is_site(origin, &wanted))
                .map(|(number, _)| *number)
                .collect::<Vec<_>>()
        };
        filter.hosts = (!question.site.any.is_empty()).then(|| question.site.any.iter().flat_map(of).collect());
        filter.not_hosts = question.site.none.iter().flat_map(of).collect();
    }
    let class = |word: &String| Class::named(word).map(|class| u64::from(class.0));
    filter.classes = (!question.class.any.is_empty()).then(|| question.class.any.iter().filter_map(class).collect());
    filter.not_classes = question.class.none.iter().filter_map(class).collect();
    let language = |word: &String| if word == "unknown" { 0 } else { language_code(word) };
    filter.languages =
        (!question.language.any.is_empty()).then(|| question.language.any.iter().map(language).collect());
    filter.not_languages = question.language.none.iter().map(language).collect();
    let (mut branches, mut folders) = (Vec::new(), Vec::new());
    for (wanted, not) in
        question.section.any.iter().map(|w| (w, false)).chain(question.section.none.iter().map(|w| (w, true)))
    {
        match resolve(wanted, &opened.searcher, &opened.fields, &opened.places, store)? {
            Some(Place::Branch(page)) => {
                let span = opened.places.span(page);
                if not { filter.not_branches.extend(span) } else { branches.extend(span) }
            }
            Some(Place::Folder(folder)) if !not => folders.push(folder),
            _ => question.notes.push(Note::NoSuchSection(wanted.clone())),
        }
    }
    filter.branches = (!branches.is_empty()).then_some(branches);
    Ok((filter, folders))
}

/// Is this the site somebody means by `wanted`: a whole origin, a host with its port, a host, or the end of one?
fn is_site(origin: &str, wanted: &str) -> bool {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let below = |host: &str| host.strip_suffix(wanted).is_some_and(|rest| rest.ends_with('.'));
    origin == wanted || host == wanted || name == wanted || below(name) || below(host)
}

fn hit(
    opened: &Opened,
    marker: &Marker,
    score: f32,
    page: u32,
    store: &mut dyn Snapshot,
) -> Result<Option<Hit>, SearchError> {
    let id = PageId(page);
    // A page that left the store since the last commit is not shown.
    let (Some(address), Some(row)) = (store.address(id)?, store.page(id)?) else { return Ok(None) };
    let blocks = store.details(id)?.and_then(|packed| unpack_blocks(&packed)).unwrap_or_default();
    let language = Language::from_code(&row.facts.language);
    let title = named(&row.facts.title, &blocks, &address.url);
    let section = opened.places.section(page).map(|section| store.address(PageId(section))).transpose()?.flatten();
    Ok(Some(Hit {
        page: Some(id),
        title_pieces: marker.title(&title, language),
        title,
        score,
        snippet: passages(marker, &blocks, language),
        kind: "page",
        form: String::new(),
        database: String::new(),
        media_type: row.facts.media_type.clone(),
        language: row.facts.language.clone(),
        date: date(&SheetFacts::from_page(&row)),
        site: origin(&address.url).to_owned(),
        section: section.map(|section| section.url).unwrap_or_default(),
        url: address.url,
    }))
}

/// The title, or the first heading, or the end of the URL.
fn named(title: &str, blocks: &[Block], url: &str) -> String {
    use groma_model::BlockKind::{Heading1, Heading6};
    if !title.trim().is_empty() {
        return title.trim().to_owned();
    }
    let is_heading = |block: &&Block| (Heading1..=Heading6).contains(&block.kind) && !block.text.trim().is_empty();
    let heading = blocks.iter().find(is_heading);
    match heading {
        Some(heading) => heading.text.trim().to_owned(),
        None => url.trim_end_matches('/').rsplit('/').next().filter(|end| !end.is_empty()).unwrap_or(url).to_owned(),
    }
}

fn facets(
    opened: &Opened,
    found: &MatchSet,
    sections: &Option<Vec<u32>>,
    store: &mut dyn Snapshot,
) -> Result<Facets, SearchError> {
    let pages = sections.as_deref().unwrap_or(opened.places.sections());
    let mut counts: Vec<(u64, u32)> =
        found.sections.iter().copied().zip(pages.iter().copied()).filter(|(count, _)| *count > 0).collect();
    counts.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut facets = Facets::default();
    for (count, page) in counts.into_iter().take(SHOWN) {
        let id = PageId(page);
        let Some(address) = store.address(id)? else { continue };
        let title = store.page(id)?.map(|page| page.facts.title).unwrap_or_default();
        facets.sections.push(FacetCount { label: named(&title, &[], &address.url), value: address.url, count });
    }
    facets.types = top(&found.classes, |class| {
        let class = Class(class as u8);
        (class.name().to_owned(), class.label().to_owned())
    });
    facets.languages = top(&found.languages, |code| {
        let name = if code == 0 { "unknown".to_owned() } else { language_name(code) };
        (name.clone(), name)
    });
    let hosts = &opened.hosts(store)?.origins;
    facets.sites = top(&found.hosts, |host| {
        let origin = hosts.get(&host).cloned().unwrap_or_default();
        let label = origin.split_once("://").map_or(origin.as_str(), |(_, host)| host).to_owned();
        (origin, label)
    });
    Ok(facets)
}

fn top(counts: &HashMap<u64, u64>, say: impl Fn(u64) -> (String, String)) -> Vec<FacetCount> {
    let mut list: Vec<(u64, u64)> = counts.iter().map(|(value, count)| (*value, *count)).collect();
    list.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let row = |(value, count)| {
        let (value, label) = say(value);
        FacetCount { value, label, count }
    };
    list.into_iter().take(SHOWN).map(row).collect()
}

/// The question with a rare word corrected, if that finds more.
fn corrected(
    opened: &Opened,
    ask: &Ask<'_>,
    question: &Question,
    total: u64,
    store: &mut dyn Snapshot,
) -> Result<Option<String>, SearchError> {
    let mut text = ask.text.to_owned();
    for part in question.groups.iter().flatten() {
        for run in Scan::new(&part.text) {
            let Run::Word(from, to) = run else { continue };
            let word = &part.text[from..to];
            if let Some(better) = opened.vocabulary.alike(&lower(word), 1).pop() {
                text = text.replacen(word, &better, 1);
            }
        }
    }
    if text == ask.text {
        return Ok(None);
    }
    let mut other = parse(&text);
    let reached = reach(opened, &mut other, ask, 0, false, store)?;
    Ok((reached.whole > total).then_some(text))
}
