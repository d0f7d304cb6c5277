//! What does the survey of a site say, on one page? Balance, layers, types, first pages, branches, findings, runs.

use std::cmp::Reverse;
use std::sync::Arc;

use groma_check::Severity;
use groma_model::wording::size;
use groma_model::{PageId, State};
use groma_store::jobs::{Filter, JobState};
use groma_store::{Snapshot, StoreError};
use groma_tasks::crawl::wording::limit_hit;
use groma_tasks::standing::Standing;

use crate::app::now;
use crate::error::Problem;
use crate::pages::layout::short;
use crate::pages::picture::{BalanceBar, Bar, Bars};
use crate::pages::shown::{Shown, counted};
use crate::pages::wording::{Moment, grouped, took};
use crate::sites::{Drawn, Site};

/// Rows of each list.
const SHOWN: usize = 8;
/// Layers drawn; those beyond are one bar.
const LAYERS: u32 = 12;
/// Runs listed.
const RUNS: usize = 8;
/// So many seconds after its end a job may still hold the survey.
const MOMENT: i64 = 5;

pub(super) struct Overview {
    /// Somebody writes to the survey at this moment.
    pub(super) running: Option<Writer>,
    pub(super) bar: BalanceBar,
    pub(super) stats: Vec<(&'static str, String)>,
    pub(super) map: Option<MapSide>,
    /// Why there is no map.
    pub(super) no_map: Option<Problem>,
    pub(super) findings: Option<FindingSide>,
    pub(super) traps: Vec<String>,
    pub(super) learned: Vec<String>,
    pub(super) limits: Vec<String>,
    pub(super) runs: Vec<Run>,
    pub(super) has_index: bool,
    pub(super) has_schedule: bool,
}

/// Who writes to a survey.
pub(super) enum Writer {
    /// A job of its queue: number and kind.
    Job(u64, &'static str),
    /// Nobody whom the queue knows.
    Other,
}

/// What the graph says.
pub(super) struct MapSide {
    pub(super) layers: Bars,
    pub(super) types: Bars,
    pub(super) branches: Bars,
    pub(super) top: Vec<Ranked>,
    pub(super) unreached: u64,
    pub(super) horizon: Option<u32>,
}

/// A page by its rank.
pub(super) struct Ranked {
    pub(super) page: Shown,
    pub(super) rank: String,
}

/// Findings of the survey, by kind and severity.
pub(super) struct FindingSide {
    pub(super) bars: Bars,
    pub(super) total: u64,
    pub(super) errors: u64,
}

/// A crawl or an update.
pub(super) struct Run {
    pub(super) id: u32,
    pub(super) kind: String,
    pub(super) started: Option<Moment>,
    pub(super) took: String,
    pub(super) outcome: String,
}

impl Overview {
    /// Reads it. A map that cannot be drawn (yet) does not hide the rest.
    pub(super) fn read(site: &Arc<Site>) -> Result<Overview, Problem> {
        let mut store = site.read()?;
        let standing = site.standing()?;
        let (map, no_map) = match site.drawn() {
            Ok(drawn) => (Some(map_side(site, &drawn, &mut *store)?), None),
            Err(problem) => (None, Some(problem)),
        };
        let findings = site.findings().ok().map(|findings| {
            let bar = |(kind, count): (groma_check::Kind, groma_check::Count)| Bar {
                name: kind.says().to_owned(),
                href: format!("/sites/{}/findings?kind={}", site.name, kind.name()),
                count: count.all,
                class: severity_class(kind.severity()),
                says: kind.next_step().to_owned(),
                ..Bar::default()
            };
            FindingSide {
                bars: Bars::draw(findings.summary.found().map(bar).collect()),
                total: findings.summary.total(),
                errors: findings.summary.of_severity(Severity::Error).all,
            }
        });
        let has_schedule =
            site.queue().ok().and_then(|mut queue| queue.schedules().ok()).is_some_and(|all| !all.is_empty());
        Ok(Overview {
            // Where the survey stands may have been read a while ago; this is now.
            running: if site.folder.is_busy() { writer(site)? } else { None },
            stats: stats(&standing),
            map,
            no_map,
            findings,
            traps: traps(&mut *store)?,
            learned: standing.learned_rules.iter().filter(|rule| rule.is_strong()).map(|rule| rule.says()).collect(),
            limits: standing.limits_hit.iter().map(|(key, n)| limit_hit(key, *n)).collect(),
            runs: runs(&mut *store)?,
            has_index: site.index().ok().flatten().is_some(),
            has_schedule,
            bar: BalanceBar::draw(&standing, true),
        })
    }
}

/// Whose work it is that the survey is written to: that of the queue's job that runs, or of one that came to its end a moment ago;
/// if there is none, another program's.
fn writer(site: &Site) -> Result<Option<Writer>, Problem> {
    let mut queue = site.queue()?;
    let running = Filter { states: vec![JobState::Running], ..Filter::default() };
    if let Some(job) = queue.jobs(&running, None, 50)?.iter().min_by_key(|job| job.id) {
        return Ok(Some(Writer::Job(job.id.0, job.kind.name())));
    }
    let last = queue.jobs(&Filter::default(), None, 20)?;
    let ended = last.iter().any(|job| job.state.is_over() && now() - job.ended_at <= MOMENT);
    Ok((!ended).then_some(Writer::Other))
}

/// What the crawl stopped at because it looked endless.
pub(super) fn traps(store: &mut dyn Snapshot) -> Result<Vec<String>, StoreError> {
    let all = store.findings()?.into_iter().filter(|finding| finding.kind == "trap");
    Ok(all.map(|finding| short(&format!("{}: {}", finding.subject, finding.detail), 300)).take(20).collect())
}

pub(super) fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "sev-error",
        Severity::Warning => "sev-warning",
        Severity::Note => "sev-notice",
    }
}

fn stats(standing: &Standing) -> Vec<(&'static str, String)> {
    let mut stats = vec![("URLs known", grouped(standing.discovered)), ("pages read", grouped(standing.fetched))];
    let parts = &standing.broken_parts;
    stats.push(("gone", grouped(parts.gone)));
    stats.push(("unreachable", grouped(parts.unreachable)));
    if standing.unknown > 0 {
        stats.push(("asked us to wait or log in", grouped(standing.unknown)));
    }
    stats.push(("other names of pages", grouped(standing.aliases)));
    stats.push(("received", size(standing.bytes)));
    stats
}

fn map_side(site: &Site, drawn: &Drawn, store: &mut dyn Snapshot) -> Result<MapSide, Problem> {
    let Drawn { graph, tree, sizes, .. } = drawn;
    let mut shown = |node: u32| -> Result<Shown, StoreError> {
        let title = store.page(PageId(node))?.map(|page| page.facts.title).unwrap_or_default();
        Ok(Shown::titled(&site.name, graph.standings.names.url(node), &title))
    };
    let mut top = Vec::new();
    for node in graph.by_rank().filter(|node| drawn.is_read(*node)).take(SHOWN) {
        let rank = format!("{:.2}", graph.ranks.values[node as usize]);
        top.push(Ranked { page: shown(node)?, rank });
    }
    let mut largest: Vec<u32> = if tree.is_empty() { Vec::new() } else { tree.children(0).collect() };
    largest.sort_by_key(|place| Reverse(sizes[*place as usize]));
    let mut branches = Vec::new();
    for place in largest.into_iter().take(SHOWN) {
        let page = shown(tree.node(place))?;
        let root = graph.standings.names.url(tree.node(place));
        let href = format!("/sites/{}/map{}", site.name, crate::pages::layout::query(&[("root", root)]));
        let count = sizes[place as usize].into();
        branches.push(Bar { name: page.name, says: page.address, href, count, ..Bar::default() });
    }
    Ok(MapSide {
        layers: layers(drawn),
        types: types(drawn),
        branches: Bars::draw(branches),
        top,
        unreached: graph.unreached(tree),
        horizon: graph.horizon,
    })
}

/// Pages by layer of the map; the deepest together.
fn layers(drawn: &Drawn) -> Bars {
    let (tree, count) = (&drawn.tree, drawn.tree.layer_count());
    let pages = |layer: u32| u64::from(tree.layer(layer).end - tree.layer(layer).start);
    let bar = |layer: u32| Bar {
        name: if layer == 0 { "start".to_owned() } else { counted(layer.into(), "click", "clicks") },
        count: pages(layer),
        class: "s-fetched",
        ..Bar::default()
    };
    let mut bars: Vec<Bar> = (0..count.min(LAYERS)).map(bar).collect();
    if count > LAYERS {
        let rest = (LAYERS..count).map(pages).sum();
        bars.push(Bar {
            name: format!("{LAYERS} to {} clicks", count - 1),
            count: rest,
            class: "s-fetched",
            ..Bar::default()
        });
    }
    Bars::draw(bars)
}

/// Pages that were read by content type; the rare ones together. What servers send along with a 404 is no content.
fn types(drawn: &Drawn) -> Bars {
    let mut counts = vec![0u64; drawn.media_types.len()];
    for (node, at) in drawn.media.iter().enumerate() {
        if drawn.graph.standings.state(node as u32) == Some(State::Fetched) {
            counts[usize::from(*at)] += 1;
        }
    }
    let mut all: Vec<(&str, u64)> =
        drawn.media_types.iter().map(String::as_str).zip(counts).skip(1).filter(|(_, n)| *n > 0).collect();
    all.sort_by_key(|(name, n)| (Reverse(*n), name.to_owned()));
    let rest: u64 = all.iter().skip(SHOWN).map(|(_, n)| n).sum();
    const COLOURS: [&str; SHOWN] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];
    let rows = all.iter().take(SHOWN).zip(COLOURS).map(|((name, n), class)| Bar {
        name: if name.is_empty() { "unknown".to_owned() } else { short(name, 50) },
        count: *n,
        class,
        ..Bar::default()
    });
    let mut rows: Vec<Bar> = rows.collect();
    if rest > 0 {
        rows.push(Bar { name: "others".into(), count: rest, class: "s-excluded", ..Bar::default() });
    }
    Bars::draw(rows)
}

fn runs(store: &mut dyn Snapshot) -> Result<Vec<Run>, StoreError> {
    let run = |run: groma_store::RunRow| Run {
        id: run.id,
        kind: run.kind,
        started: Moment::at(run.started),
        took: run.ended.map(|ended| took(ended - run.started)).unwrap_or_default(),
        outcome: short(&run.outcome, 80),
    };
    Ok(store.runs()?.into_iter().rev().take(RUNS).map(run).collect())
}
