//! `groma pages`: every URL with its state and reason.
//!
//! Read in steps, written as it is read: memory does not grow with the survey.

use groma_model::moment::rfc3339;
use groma_model::wording::{plain, size};
use groma_model::{PageId, Reason, Rendering, State};
use groma_settings::{Fault, place};
use groma_store::{AddressRow, PageRow, Snapshot, codec};
use groma_tasks::export::Names;
use serde::Serialize;

use crate::Exit;
use crate::args::PagesArgs;
use crate::command::scope;
use crate::output::{Format, Out};

/// URLs read at a time.
const STEP: usize = 10_000;
/// Aliases followed before a chain counts as broken.
const HOPS: usize = 64;

const COLUMNS: [&str; 26] = [
    "url",
    "canonical",
    "state",
    "reason",
    "depth",
    "status",
    "type",
    "size",
    "title",
    "text_fp",
    "body_fp",
    "near_fp",
    "language",
    "words",
    "via",
    "via_kind",
    "since",
    "fetched_at",
    "alias_of",
    "canonical_link",
    "noindex",
    "nofollow",
    "cuts",
    "rendered",
    "picture",
    "note",
];

#[derive(Serialize)]
struct PageLine {
    url: String,
    /// The URL of the page this one stands for; its own, but for aliases.
    canonical: String,
    state: &'static str,
    reason: &'static str,
    depth: Option<u32>,
    status: Option<u16>,
    r#type: Option<String>,
    size: Option<u64>,
    title: Option<String>,
    text_fp: Option<String>,
    body_fp: Option<String>,
    near_fp: Option<String>,
    language: Option<String>,
    words: Option<u32>,
    via: Option<String>,
    via_kind: Option<&'static str>,
    since: String,
    fetched_at: Option<String>,
    alias_of: Option<String>,
    canonical_link: Option<String>,
    noindex: bool,
    nofollow: bool,
    cuts: Vec<String>,
    /// A browser built it.
    rendered: bool,
    /// The file of its picture, in the folder `pictures` of the survey.
    picture: Option<String>,
    /// How large a picture is, how many pages a document has, what went wrong.
    note: Option<String>,
}

pub(crate) fn run(args: &PagesArgs) -> Result<Exit, Fault> {
    let mut filter = Filter::from_args(args)?;
    let folder = place::find(args.store.store.as_deref())?;
    filter.inside = scope::site_scope(&folder, args.scope.scope.0)?.map(|site| site.inside);
    let mut store = folder.read()?;
    let mut out = Out::open(args.output.output.as_deref())?;
    write(&mut store, &filter, args.output.format, &mut out)?;
    out.finish()?;
    Ok(Exit::Fine)
}

/// Writes every URL as CSV.
pub(crate) fn write_all(store: &mut dyn Snapshot, out: &mut Out) -> Result<(), Fault> {
    write(store, &Filter::default(), Format::Csv, out)
}

pub(crate) fn write(store: &mut dyn Snapshot, filter: &Filter<'_>, format: Format, out: &mut Out) -> Result<(), Fault> {
    let mut names = Names::default();
    if format == Format::Csv {
        out.csv(&[&COLUMNS[..], if filter.text { &["text"] } else { &[] }].concat())?;
    }
    let mut after = None;
    loop {
        let rows = store.addresses(after, STEP)?;
        let Some(last) = rows.last() else { break };
        after = Some(last.id);
        for address in rows {
            if !filter.takes(&address) {
                continue;
            }
            let id = address.id;
            let page = store.page(id)?;
            if !filter.takes_type(page.as_ref()) {
                continue;
            }
            let row = row(store, &mut names, address, page)?;
            match format {
                Format::Json => out.json(&row)?,
                Format::Csv if filter.text => {
                    let text = text(store, id)?;
                    out.csv(&[&cells(row)[..], &[text]].concat())?;
                }
                Format::Csv => out.csv(&cells(row))?,
                Format::Text => out.line(&line(&row))?,
            }
        }
    }
    Ok(())
}

/// The text of a page, a line for each block.
fn text(store: &mut dyn Snapshot, id: PageId) -> Result<String, Fault> {
    let blocks = store.details(id)?.and_then(|packed| codec::unpack_blocks(&packed)).unwrap_or_default();
    Ok(blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("\n"))
}

/// Which URLs are wanted; all, unless something is said.
#[derive(Default)]
pub(crate) struct Filter<'a> {
    pub(crate) states: Vec<State>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) media_type: Option<&'a str>,
    pub(crate) depth: Option<u32>,
    /// By number: does it belong to the site that is looked at?
    pub(crate) inside: Option<Vec<bool>>,
    /// With the text of the page as a last column of CSV.
    pub(crate) text: bool,
}

impl Filter<'_> {
    fn from_args(args: &PagesArgs) -> Result<Filter<'_>, Fault> {
        let reason = |name: &String| {
            let found = Reason::ALL.iter().find(|reason| reason.name() == name).copied();
            found.ok_or_else(|| unknown("reason", name, Reason::ALL.iter().map(|reason| reason.name())))
        };
        Ok(Filter {
            states: states(&args.state)?,
            reasons: args.reason.iter().map(reason).collect::<Result<_, _>>()?,
            media_type: args.media_type.as_deref(),
            depth: args.depth,
            inside: None,
            text: false,
        })
    }

    fn takes(&self, address: &AddressRow) -> bool {
        (self.states.is_empty() || self.states.contains(&address.state()))
            && (self.reasons.is_empty() || self.reasons.contains(&address.reason))
            && self.depth.is_none_or(|depth| address.depth.known() == Some(depth))
            && self.inside.as_ref().is_none_or(|inside| inside.get(address.id.0 as usize).copied().unwrap_or(false))
    }

    fn takes_type(&self, page: Option<&PageRow>) -> bool {
        self.media_type.is_none_or(|wanted| page.is_some_and(|page| page.facts.media_type.eq_ignore_ascii_case(wanted)))
    }
}

/// States by their names.
pub(crate) fn states(names: &[String]) -> Result<Vec<State>, Fault> {
    let state = |name: &String| {
        let found = State::named(name);
        found.ok_or_else(|| unknown("state", name, State::ALL.iter().map(|state| state.name())))
    };
    names.iter().map(state).collect()
}

fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Fault {
    Fault::new(format!("there is no {what} `{name}`"), format!("one of: {}", known.collect::<Vec<_>>().join(", ")))
}

fn row(
    store: &mut dyn Snapshot,
    names: &mut Names,
    address: AddressRow,
    page: Option<PageRow>,
) -> Result<PageLine, Fault> {
    let mut canonical = address.url.clone();
    let mut next = address.alias_of;
    for _ in 0..HOPS {
        let Some(target) = next.map(|id| store.address(id)).transpose()?.flatten() else { break };
        (canonical, next) = (target.url, target.alias_of);
    }
    let mut name = |id: Option<PageId>| id.map(|id| names.url(store, id)).transpose();
    let facts = page.map(|page| page.facts);
    let (alias_of, via) = (name(address.alias_of)?, name(address.via)?);
    let canonical_link = name(facts.as_ref().and_then(|facts| facts.canonical))?;
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let facts = facts.as_ref();
    let rendering = facts.and_then(|facts| Rendering::read(&facts.note));
    Ok(PageLine {
        canonical,
        state: address.state().name(),
        reason: address.reason.name(),
        depth: address.depth.known(),
        status: facts.map(|f| f.status).filter(|status| *status > 0),
        r#type: facts.and_then(|f| given(&f.media_type)),
        size: facts.map(|f| f.size),
        title: facts.and_then(|f| given(&f.title)),
        text_fp: facts.and_then(|f| f.text_fp).map(|fp| fp.hex()),
        body_fp: facts.and_then(|f| f.body_fp).map(|fp| fp.hex()),
        near_fp: facts.filter(|f| f.text_fp.is_some()).map(|f| format!("{:016x}", f.near_fp)),
        language: facts.and_then(|f| given(&f.language)),
        words: facts.map(|f| f.words),
        via,
        via_kind: address.via_kind.filter(|_| address.via.is_some()).map(|kind| kind.name()),
        since: rfc3339(address.since),
        fetched_at: facts.map(|f| f.fetched_at).filter(|at| *at > 0).map(rfc3339),
        alias_of,
        canonical_link,
        noindex: facts.is_some_and(|f| f.noindex),
        nofollow: facts.is_some_and(|f| f.nofollow),
        cuts: facts
            .map(|f| f.cuts.split([',', ' ']).filter(|c| !c.is_empty()).map(str::to_owned).collect())
            .unwrap_or_default(),
        rendered: rendering.as_ref().is_some_and(Rendering::is_done),
        picture: rendering.as_ref().and_then(Rendering::picture).map(str::to_owned),
        // How a page was seen stands in columns of its own.
        note: facts.filter(|_| rendering.is_none()).and_then(|f| given(&f.note)),
        url: address.url,
    })
}

fn cells(row: PageLine) -> [String; 26] {
    let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    let text = |text: Option<String>| text.unwrap_or_default();
    [
        row.url,
        row.canonical,
        row.state.to_owned(),
        row.reason.to_owned(),
        number(row.depth.map(u64::from)),
        number(row.status.map(u64::from)),
        text(row.r#type),
        number(row.size),
        text(row.title),
        text(row.text_fp),
        text(row.body_fp),
        text(row.near_fp),
        text(row.language),
        number(row.words.map(u64::from)),
        text(row.via),
        row.via_kind.unwrap_or_default().to_owned(),
        row.since,
        text(row.fetched_at),
        text(row.alias_of),
        text(row.canonical_link),
        row.noindex.to_string(),
        row.nofollow.to_string(),
        row.cuts.join(" "),
        row.rendered.to_string(),
        text(row.picture),
        text(row.note),
    ]
}

fn line(row: &PageLine) -> String {
    let depth = row.depth.map_or("-".to_owned(), |depth| depth.to_string());
    let status = row.status.map_or("-".to_owned(), |status| status.to_string());
    let size = row.size.map_or("-".to_owned(), size);
    let to = row.alias_of.as_ref().map(|to| format!(" -> {}", plain(to))).unwrap_or_default();
    let note = row.note.as_ref().map(|note| format!("  ({})", plain(note))).unwrap_or_default();
    let title = row.title.as_ref().map(|title| format!("  {}", plain(title))).unwrap_or_default();
    format!("{:10} {:18} {depth:>3} {status:>3} {size:>9}  {}{to}{title}{note}", row.state, row.reason, plain(&row.url))
}
