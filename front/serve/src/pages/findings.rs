//! `/sites/{site}/findings`: what is wrong with the site, by cause, by kind and by branch; and as files for other programs.

mod branches;
mod cause;
mod file;
mod filter;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use groma_check::{CauseGroup, Finding, Kind, Severity};
use groma_model::wording::grouped;
use groma_tasks::map::wording::up_to_layer;

use self::filter::{Asked, Filter};
use super::layout::{Frame, Tab, short, show};
use super::pager::{Pager, pager, part_number};
use super::picture::{Bar, Bars};
use super::shown::{Shown, counted, day};
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::sites::{Drawn, Findings, Site};

/// Causes, or findings, on a page.
const CAUSES: usize = 40;
const PLACES: usize = 100;
/// Places shown of a cause.
const EXAMPLES: usize = 8;
/// Branches in the picture.
const BRANCHES: usize = 10;
/// Kinds in the picture.
const KINDS: usize = 14;

/// The page and its files.
pub(super) fn router() -> Router<Arc<App>> {
    file::routes(Router::new().route("/sites/{site}/findings", get(findings)))
}

#[derive(Template)]
#[template(path = "findings.html")]
struct FindingsPage {
    frame: Frame,
    site: String,
    asked: Asked,
    counts: FindingCounts,
    pictures: FindingPictures,
    choice: FindingChoice,
    groups: Vec<GroupView>,
    places: Option<Vec<PlaceView>>,
    notes: Vec<String>,
    /// What is linked and was not looked at, in a sentence; empty if everything was.
    unasked: String,
    /// Some of it can be asked.
    can_ask: bool,
    pager: Pager,
    files: Vec<(String, &'static str)>,
    hrefs: FindingHrefs,
}

struct FindingCounts {
    total: String,
    chosen: usize,
    chosen_text: String,
    causes: String,
}

struct FindingPictures {
    kinds: Bars,
    /// Kinds that are not in the picture, in a sentence; empty if all are.
    more_kinds: String,
    branches: Bars,
    /// Findings on pages that are not on the map.
    elsewhere: u64,
}

/// What findings can be chosen by, and some of what is chosen.
struct FindingChoice {
    severities: Vec<Chip>,
    kinds: Vec<(Kind, u64)>,
    /// The day of the last run, if there was one before it.
    last_run: Option<String>,
    branch: Option<Shown>,
    cause: Option<String>,
}

/// The same page, looked at in another way.
struct FindingHrefs {
    list: String,
    group: String,
    clear: String,
}

/// The page with some of what was asked for changed.
type Here<'h> = dyn Fn(&[(&str, &str)]) -> String + 'h;

struct Chip {
    href: String,
    text: String,
    on: bool,
}

struct GroupView {
    kind: Kind,
    badge: &'static str,
    head: String,
    cause: Option<Shown>,
    says: Vec<String>,
    count: u64,
    count_text: String,
    findings_text: String,
    places: Vec<PlaceView>,
    all_href: Option<String>,
    next: &'static str,
}

struct PlaceView {
    kind: Kind,
    from: Shown,
    anchor: String,
    block: &'static str,
    to: Option<Shown>,
    detail: String,
    reason: &'static str,
    since: String,
}

async fn findings(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&site)?;
    let frame = frame.on(&site, Tab::Findings);
    let page = app.work(move |_| look(frame, &site, asked)).await?;
    Ok(show(&page))
}

fn look(frame: Frame, site: &Arc<Site>, asked: Asked) -> Result<FindingsPage, Problem> {
    let findings = site.findings()?;
    let drawn = site.drawn().ok();
    let mut store = site.read()?;
    let filter = Filter::read(&asked, &mut *store, drawn.as_deref())?;
    let last_run = filter.last_run;
    let mut chosen: Vec<&Finding> = findings.all.iter().filter(|finding| filter.takes(finding)).collect();
    let mut groups = cause::groups(chosen.iter().copied());
    if !asked.cause.is_empty() {
        groups.retain(|group| group.cause.key() == asked.cause);
        groups.truncate(1);
        chosen.retain(|finding| groups.iter().any(|group| cause::is_in(group, finding)));
    }
    // A key that is of no group any more is all that can be said of it.
    let cause_name = groups.first().filter(|_| !asked.cause.is_empty()).map_or(&*asked.cause, CauseGroup::name);
    let cause_name = Some(short(cause_name, 160));
    let page = part_number(&asked.page, "page")?;
    let here = |changes: &[(&str, &str)]| asked.href(&site.name, changes);
    let (mut views, mut places) = (Vec::new(), None);
    let (shown, all) = if asked.is_list() {
        let from = (page - 1).saturating_mul(PLACES);
        let rows: Vec<PlaceView> =
            chosen.iter().skip(from).take(PLACES).map(|finding| place(&site.name, finding)).collect();
        places = Some(rows);
        (PLACES, chosen.len())
    } else {
        let from = (page - 1).saturating_mul(CAUSES);
        let of_pages = findings.summary.pages;
        let shown = groups.iter().skip(from).take(CAUSES);
        views = shown.map(|group| view(&site.name, group, &chosen, of_pages, &asked)).collect();
        (CAUSES, groups.len())
    };
    let (branches, elsewhere) = match &drawn {
        Some(drawn) => branch_bars(site, drawn, &mut *store, &chosen, &asked)?,
        None => (Bars::draw(Vec::new()), 0),
    };
    let (kinds, more_kinds) = kind_bars(&chosen, &here);
    let branch = match (asked.branch.trim(), &drawn) {
        ("", _) | (_, None) => None,
        (typed, Some(_)) => Some(Shown::address(&site.name, typed)),
    };
    Ok(FindingsPage {
        site: site.name.clone(),
        counts: FindingCounts {
            total: counted(findings.summary.total(), "finding", "findings"),
            chosen: chosen.len(),
            chosen_text: grouped(chosen.len() as u64),
            causes: counted(groups.len() as u64, "cause", "causes"),
        },
        pictures: FindingPictures { kinds, more_kinds, branches, elsewhere },
        choice: FindingChoice {
            severities: severities(&findings, &asked, &here),
            kinds: findings.summary.found().map(|(kind, count)| (kind, count.all)).collect(),
            last_run: last_run.map(day),
            branch,
            cause: cause_name.filter(|cause| !cause.is_empty()),
        },
        groups: views,
        places,
        notes: notes(&findings),
        unasked: findings.summary.unasked.says().unwrap_or_default(),
        can_ask: findings.summary.unasked.can_be_asked(),
        pager: pager(page, shown, all, &|page| here(&[("page", page)])),
        files: file::FORMS.iter().map(|form| (form.href(&site.name, &asked), form.says())).collect(),
        hrefs: FindingHrefs {
            list: here(&[("list", "1"), ("page", "")]),
            group: here(&[("list", ""), ("page", ""), ("cause", "")]),
            clear: format!("/sites/{}/findings", site.name),
        },
        asked,
        frame,
    })
}

/// What a reader must know to read the list right.
fn notes(findings: &Findings) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(findings.horizon.map(up_to_layer));
    if findings.cut {
        let (kept, all) = (grouped(findings.all.len() as u64), grouped(findings.summary.total()));
        notes.push(format!(
            "shown are the first {kept} of {all} findings, the worst kinds first; the files below hold all of them"
        ));
    }
    notes
}

fn severities(findings: &Findings, asked: &Asked, here: &Here<'_>) -> Vec<Chip> {
    let mut chips = vec![Chip {
        href: here(&[("severity", ""), ("page", "")]),
        text: format!("all {}", grouped(findings.summary.total())),
        on: asked.severity.is_empty(),
    }];
    chips.extend(Severity::ALL.into_iter().map(|severity| {
        let count = findings.summary.of_severity(severity).all;
        Chip {
            href: here(&[("severity", severity.name()), ("page", "")]),
            text: counted(count, severity.name(), &format!("{}s", severity.name())),
            on: asked.severity == severity.name(),
        }
    }));
    chips
}

/// The class of a severity in the style sheet.
fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "sev-error",
        Severity::Warning => "sev-warning",
        Severity::Note => "sev-notice",
    }
}

/// The class of a badge.
fn badge(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "bad",
        Severity::Warning => "warn",
        Severity::Note => "",
    }
}

/// How many there are of each kind, the worst first, and what is said about kinds for which there is no room.
fn kind_bars(chosen: &[&Finding], here: &Here<'_>) -> (Bars, String) {
    let mut counts = vec![0u64; Kind::ALL.len()];
    chosen.iter().for_each(|finding| counts[finding.kind as usize] += 1);
    let mut rows: Vec<(Kind, u64)> = Kind::ALL.iter().copied().zip(counts).filter(|(_, count)| *count > 0).collect();
    rows.sort_by_key(|(kind, count)| (kind.severity(), std::cmp::Reverse(*count)));
    let rest = rows.split_off(rows.len().min(KINDS));
    let more = match rest.iter().map(|(_, count)| count).sum() {
        0 => String::new(),
        findings => format!(
            "and {} of {}",
            counted(findings, "finding", "findings"),
            counted(rest.len() as u64, "more kind", "more kinds")
        ),
    };
    let bar = |(kind, count): (Kind, u64)| Bar {
        name: kind.name().to_owned(),
        href: here(&[("kind", kind.name()), ("page", "")]),
        count,
        class: severity_class(kind.severity()),
        says: kind.says().to_owned(),
        ..Bar::default()
    };
    (Bars::draw(rows.into_iter().map(bar).collect()), more)
}

fn branch_bars(
    site: &Site,
    drawn: &Drawn,
    store: &mut dyn groma_store::Snapshot,
    chosen: &[&Finding],
    asked: &Asked,
) -> Result<(Bars, u64), Problem> {
    let (worst, elsewhere) = branches::worst(drawn, chosen.iter().copied());
    let mut rows = Vec::new();
    for branch in worst.into_iter().take(BRANCHES) {
        let node = drawn.tree.node(branch.place);
        let address = drawn.graph.standings.names.url(node);
        let title = store.page(groma_model::PageId(node))?.map(|page| page.facts.title).unwrap_or_default();
        let pages = drawn.sizes[branch.place as usize];
        let name = Shown::titled(&site.name, address, &title).name;
        let root = branch.place == 0;
        rows.push(Bar {
            name: if root { format!("{name} (the page itself)") } else { name },
            href: if root { String::new() } else { asked.href(&site.name, &[("in", address), ("page", "")]) },
            count: branch.findings,
            says: if root {
                String::new()
            } else {
                format!("{} in this branch", counted(pages.into(), "page", "pages"))
            },
            ..Bar::default()
        });
    }
    Ok((Bars::draw(rows), elsewhere))
}

fn view(site: &str, group: &CauseGroup, chosen: &[&Finding], of_pages: u64, asked: &Asked) -> GroupView {
    let name = short(group.name(), 160);
    let head = match group.name_says() {
        "server" => format!("The server {name} does not answer"),
        "elsewhere" => format!("Elsewhere in {name}"),
        "same as" => format!("The same as {name}"),
        _ if group.is_of_words() => format!("The title {name}"),
        _ => name,
    };
    let mut says = Vec::new();
    says.extend(group.standing(of_pages));
    let words = group.habit.as_ref().map(|place| short(place.text.trim(), 60)).filter(|words| !words.is_empty());
    says.extend(words.map(|words| format!("“{words}”")));
    says.extend(group.reason.map(|reason| reason.says().to_owned()));
    says.extend((!group.is_of_words() && !group.detail.is_empty()).then(|| short(&group.detail, 200)));
    says.extend((group.since > 0).then(|| format!("since {}", day(group.since))));
    let all_href = (group.size.findings > EXAMPLES as u64).then(|| {
        let key = group.cause.key();
        asked.href(site, &[("kind", group.kind.name()), ("cause", &key), ("list", "1"), ("page", "")])
    });
    let own = chosen.iter().filter(|finding| cause::is_in(group, finding));
    GroupView {
        kind: group.kind,
        badge: badge(group.kind.severity()),
        head,
        cause: group.is_named_by_url().then(|| Shown::address(site, group.name())),
        says,
        count: group.size.findings,
        count_text: group.count(),
        findings_text: counted(group.size.findings, "finding", "findings"),
        places: own.take(EXAMPLES).map(|finding| place(site, finding)).collect(),
        all_href,
        next: group.next,
    }
}

fn place(site: &str, finding: &Finding) -> PlaceView {
    PlaceView {
        kind: finding.kind,
        from: Shown::address(site, &finding.from),
        anchor: short(&finding.anchor, 80),
        block: finding.block.map_or("", |block| block.name()),
        to: finding.to.as_deref().map(|to| Shown::address(site, to)),
        detail: short(&finding.detail, 200),
        reason: finding.reason.map_or("", |reason| reason.says()),
        since: if finding.since > 0 { day(finding.since) } else { String::new() },
    }
}
