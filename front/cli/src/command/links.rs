//! `groma links`: the links of a survey, all of them or those that lead out.

use groma_check::external::{self, Border};
use groma_check::{Evidence, LinkFacts, Within};
use groma_model::wording::{counted, grouped, plain};
use groma_model::{PageId, Rel};
use groma_settings::{Fault, place};
use groma_store::Snapshot;
use groma_survey_graph::{Standings, StoreEvidence};
use groma_tasks::bounds::LookAt;
use groma_tasks::lookup;
use serde::Serialize;

use crate::Exit;
use crate::args::{BoundsArg, LinksArgs};
use crate::output::{Format, Out};
use crate::terminal::Terminal;

/// Examples shown of a site that is linked to.
const EXAMPLES: usize = 1;

#[derive(Serialize)]
struct LinkRow<'a> {
    from: &'a str,
    to: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<&'a str>,
    kind: &'static str,
    anchor: &'a str,
    block: &'static str,
    rel: Vec<&'static str>,
    state: &'static str,
    reason: &'static str,
}

const COLUMNS: [&str; 9] = ["from", "to", "site", "kind", "anchor", "block", "rel", "state", "reason"];

pub(crate) fn run(args: &LinksArgs) -> Result<Exit, Fault> {
    let usual = border(args)?;
    let folder = place::find(args.store.store.as_deref())?;
    // Links that lead out of the site stand on pages of it.
    let auto = args.external && args.bounds == BoundsArg::Auto;
    let scope = if auto { LookAt::Auto } else { args.scope.scope.0 };
    let site = scope.site(&folder, &mut Terminal::new(false))?;
    let border = match (usual, &site) {
        (Some(border), _) => border,
        (None, Some(site)) => Border::Pages { name: site.name.clone(), inside: site.inside.clone() },
        (None, None) => Border::Domain,
    };
    let mut store = folder.read()?;
    let standings = Standings::read(&mut store)?;
    let page = |store: &mut dyn Snapshot, typed: &Option<String>| {
        let id = typed.as_deref().map(|typed| lookup::page(store, typed)).transpose()?;
        Ok::<_, Fault>(id.map(|id| standings.page_of(id.0)))
    };
    let wanted = LinkFilter { from: page(&mut store, &args.from)?, to: page(&mut store, &args.to)? };
    let mut out = Out::open(args.output.output.as_deref())?;
    let mut whole = groma_tasks::outside::evidence(&folder, &mut store)?;
    let mut part;
    let evidence: &mut dyn Evidence = match &site {
        Some(site) => {
            part = Within::new(&mut whole, &site.inside);
            &mut part
        }
        None => &mut whole,
    };
    let listed = args.from.is_some() || args.to.is_some();
    if args.external && args.output.format == Format::Text && !listed {
        print_sites(evidence, &border, &mut out)?;
    } else {
        let mut list = List { standings: &standings, wanted, format: args.output.format, out: &mut out, failed: None };
        list.begin()?;
        if args.external {
            external::each(evidence, &border, &mut |link| list.take(link.from, link.link, Some(link.site)))?;
        } else {
            evidence.links(&mut |page| page.links.iter().for_each(|link| list.take(page.id, link, None)))?;
        }
        list.failed.map_or(Ok(()), Err)?;
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// Writes every link to another registrable domain as CSV.
pub(crate) fn write_external(
    evidence: &mut StoreEvidence<'_>,
    standings: &Standings,
    out: &mut Out,
) -> Result<(), Fault> {
    let wanted = LinkFilter { from: None, to: None };
    let mut list = List { standings, wanted, format: Format::Csv, out, failed: None };
    list.begin()?;
    external::each(evidence, &Border::Domain, &mut |link| list.take(link.from, link.link, Some(link.site)))?;
    list.failed.map_or(Ok(()), |error| Err(error.into()))
}

/// The border that was asked for; nothing if it is the one that was found.
fn border(args: &LinksArgs) -> Result<Option<Border>, Fault> {
    match args.bounds {
        BoundsArg::Auto => Ok(None),
        BoundsArg::Prefix if args.prefix.is_empty() => Err(Fault::new(
            "--bounds prefix needs --prefix",
            "say what is the site with --prefix https://www.example.org/docs/",
        )),
        BoundsArg::Prefix => Ok(Some(Border::Prefix(args.prefix.clone()))),
        BoundsArg::Domain if args.prefix.is_empty() => Ok(Some(Border::Domain)),
        BoundsArg::Domain => Ok(Some(Border::Prefix(args.prefix.clone()))),
        BoundsArg::Host => Ok(Some(Border::Host)),
    }
}

fn print_sites(evidence: &mut dyn Evidence, border: &Border, out: &mut Out) -> Result<(), Fault> {
    let sites = external::table(evidence, border)?;
    if sites.is_empty() {
        return Ok(out.line("no links lead to other sites")?);
    }
    out.line(&out.paint.heading(&format!("{:>9} {:>9}  {}", "pages", "links", "site")))?;
    for site in &sites {
        let examples: Vec<String> = site.examples.iter().take(EXAMPLES).map(|url| plain(url)).collect();
        let counts = format!("{:>9} {:>9}", grouped(site.pages), grouped(site.links));
        out.line(&format!("{counts}  {:<30} {}", plain(&site.site), out.paint.faint(&examples.join(" "))))?;
    }
    let links = sites.iter().map(|site| site.links).sum();
    Ok(out.line(&links_to_sites(links, sites.len() as u64))?)
}

/// Which links are wanted.
struct LinkFilter {
    from: Option<u32>,
    to: Option<u32>,
}

/// Writes links.
struct List<'a> {
    standings: &'a Standings,
    wanted: LinkFilter,
    format: Format,
    out: &'a mut Out,
    failed: Option<std::io::Error>,
}

impl List<'_> {
    fn begin(&mut self) -> std::io::Result<()> {
        if self.format == Format::Csv { self.out.csv(&COLUMNS) } else { Ok(()) }
    }

    fn take(&mut self, from: PageId, link: &LinkFacts<'_>, site: Option<&str>) {
        let target = self.standings.page_of(link.target.0);
        let is_wanted = self.wanted.from.is_none_or(|page| page == from.0)
            && self.wanted.to.is_none_or(|page| page == target)
            && self.failed.is_none();
        if is_wanted {
            self.failed = self.write(from, link, site).err();
        }
    }

    fn write(&mut self, from: PageId, link: &LinkFacts<'_>, site: Option<&str>) -> std::io::Result<()> {
        let reason = self.standings.reason(link.target.0);
        let row = LinkRow {
            from: self.standings.names.url(from.0),
            to: self.standings.names.url(link.target.0),
            site,
            kind: link.kind.name(),
            anchor: link.text,
            block: link.block.name(),
            rel: Rel::words(link.rel).collect(),
            state: reason.map_or("", |reason| reason.state().name()),
            reason: reason.map_or("", |reason| reason.name()),
        };
        match self.format {
            Format::Json => self.out.json(&row),
            Format::Csv => {
                let rel = row.rel.join(" ");
                let site = row.site.unwrap_or_default();
                let cells = [row.from, row.to, site, row.kind, row.anchor, row.block, &rel, row.state, row.reason];
                self.out.csv(&cells)
            }
            Format::Text => {
                let anchor = if row.anchor.is_empty() { String::new() } else { format!("  \"{}\"", plain(row.anchor)) };
                let told = format!("{} -> {}{anchor}", plain(row.from), plain(row.to));
                self.out.line(&format!("{told}  {}", self.out.paint.faint(&format!("({}, {})", row.kind, row.state))))
            }
        }
    }
}

fn links_to_sites(links: u64, sites: u64) -> String {
    format!("{} to {}", counted(links, "link", "links"), counted(sites, "other site", "other sites"))
}
