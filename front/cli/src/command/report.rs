//! `groma report`: what a survey came to, as one HTML file or as a folder, to hand to somebody.
//!
//! Everything is read from one snapshot, so that all files of a report are of one moment, also while a crawl runs.

use std::io::Write;
use std::path::Path;

use groma_chart::report::{self, Findings, ReportFile, ReportPage};
use groma_chart::{SiteMap, html, pdf, sitemap, svg, xml};
use groma_check::external::{self, Border, ExternalSite};
use groma_check::inventory::{self, Inventory};
use groma_check::tell::Teller;
use groma_check::tell::csv::Csv;
use groma_check::tell::json::Json;
use groma_check::{Closing, Finding, Gate, Options, Report};
use groma_model::wording::plain;
use groma_settings::Fault;
use groma_store::{Balance, Snapshot};
use groma_survey_graph::{Reading, StoreEvidence, StoreLabels, SurveyGraph};
use groma_tasks::gather::{LOOKED, NoticedDatabases};
use groma_tasks::{lookup, map as desk_map, standing};

use self::place::{Aim, Page, Stage};
use super::{links, pages, rank};
use crate::Exit;
use crate::args::ReportArgs;
use crate::output::{Format, Out, tell};

mod place;

/// First pages by rank, largest and slowest pages shown.
const FIRST: usize = 25;
const EXTREMES: usize = 10;
/// Databases that are named; of more their number is told.
const DATABASES: usize = 20;

pub(crate) fn run(args: &ReportArgs) -> Result<Exit, Fault> {
    let folder = groma_settings::place::find(args.store.store.as_deref())?;
    let mut store = folder.read()?;
    // Before anything is computed: whoever gave a wrong name should not have to wait for it.
    let aim = Aim::resolve(args.output.as_deref(), folder.path())?;
    let wanted = args.root.as_deref().map(|typed| lookup::page(&mut store, typed)).transpose()?;
    let graph = SurveyGraph::read(&mut store, &Reading::default())?;
    let root = graph.root(wanted)?;
    rank::say_horizon(&graph);
    let tree = graph.tree(root);
    let map = SiteMap::new(desk_map::heading(&mut store, &graph, &tree, root)?, &tree);
    match &aim {
        Aim::Stdout => {
            let mut out = Out::open(None)?;
            let gathered = Gathered::read(&mut store, args.list, &mut [])?;
            gathered.write(&mut store, &graph, &map, &[], out.writer())?;
            out.finish()?;
        }
        Aim::Page(path) => {
            let mut page = Page::begin(path)?;
            let gathered = Gathered::read(&mut store, args.list, &mut [])?;
            gathered.write(&mut store, &graph, &map, &[], page.writer())?;
            page.finish()?;
            tell(&report_written(path));
        }
        Aim::Folder(path) => {
            let mut stage = Stage::begin(path)?;
            fill(&mut stage, args, &mut store, &graph, &map)?;
            stage.finish()?;
            tell(&report_written(path));
        }
    }
    Ok(Exit::Fine)
}

/// All files of a folder, the page last: it lists the others.
fn fill(
    stage: &mut Stage,
    args: &ReportArgs,
    store: &mut dyn Snapshot,
    graph: &SurveyGraph,
    map: &SiteMap<'_>,
) -> Result<(), Fault> {
    {
        let mut labels = StoreLabels::new(store, graph, true)?;
        stage.write("map.html", |out| html::render(map, &mut labels, out))?;
        stage.write("map.svg", |out| svg::render(map, &mut labels, out))?;
        stage.write("map.pdf", |out| pdf::render(map, &mut labels, out))?;
        stage.write("map.xml", |out| xml::render(map, &mut labels, out))?;
        let sheets = [
            ("site-map.xsd", xml::SCHEMA),
            ("site-map-xhtml.xsl", xml::XHTML_SHEET),
            ("site-map-fo.xsl", xml::FO_SHEET),
        ];
        for (name, text) in sheets {
            stage.write(name, |out| out.write_all(text.as_bytes()))?;
        }
        let options = sitemap::Options { drawn: map.heading.drawn, ..sitemap::Options::default() };
        let mut nodes = desk_map::listed(graph, map, args.root.is_none());
        sitemap::render(&mut nodes, &mut labels, &mut |name| Ok(Box::new(stage.create(name)?)), &options)?;
    }
    let gathered = {
        let mut csv = stage.create("findings.csv")?;
        let mut json = stage.create("findings.jsonl")?;
        let (mut rows, mut lines) = (Csv::new(&mut csv), Json::new(&mut json));
        Gathered::read(store, args.list, &mut [&mut rows, &mut lines])?
    };
    table(stage, "pages.csv", |out| pages::write_all(store, out))?;
    let mut evidence = StoreEvidence::new(store)?;
    table(stage, "links-external.csv", |out| links::write_external(&mut evidence, &graph.standings, out))?;
    table(stage, "ranks.csv", |out| rank::print(graph, usize::MAX, Format::Csv, out))?;
    let files = stage.files()?;
    let mut page = stage.create(place::PAGE)?;
    gathered.write(store, graph, map, &files, &mut page)?;
    Ok(page.flush()?)
}

fn table(stage: &mut Stage, name: &str, write: impl FnOnce(&mut Out) -> Result<(), Fault>) -> Result<(), Fault> {
    let mut out = Out::open(Some(&stage.path(name)))?;
    write(&mut out)?;
    Ok(out.finish()?)
}

/// What the page says besides the map.
struct Gathered {
    balance: Balance,
    findings: Findings,
    inventory: Inventory,
    sites: Vec<ExternalSite>,
    remarks: Vec<String>,
}

impl Gathered {
    /// Checks the survey, telling others on the way, and takes stock.
    fn read(store: &mut dyn Snapshot, list: usize, others: &mut [&mut dyn Teller]) -> Result<Gathered, Fault> {
        let balance = store.balance()?;
        let remarks = remarks(store)?;
        let mut findings = Findings::keeping(if list == 0 { usize::MAX } else { list });
        let mut evidence = StoreEvidence::new(store)?;
        // A report tells what is there; whether that is too much is asked by `groma check`.
        let gate = Gate::parse("none").map_err(|error| Fault::new(error.to_string(), error.hint))?;
        let check = Report { options: Options::default(), gate: &gate, baseline: None, only_new: false, copy: None };
        check.write(&mut evidence, &mut All { findings: &mut findings, others })?;
        let inventory = inventory::take(&mut evidence, EXTREMES)?;
        let sites = external::table(&mut evidence, &Border::Domain)?;
        Ok(Gathered { balance, findings, inventory, sites, remarks })
    }

    fn write(
        &self,
        store: &mut dyn Snapshot,
        graph: &SurveyGraph,
        map: &SiteMap<'_>,
        files: &[ReportFile],
        out: &mut dyn Write,
    ) -> Result<(), Fault> {
        let mut ranked = graph.by_rank().filter(|node| graph.is_in_scope(*node));
        let first: Vec<u32> = ranked.by_ref().take(FIRST).collect();
        let page = ReportPage {
            map,
            tally: &self.balance.tally,
            fetches: self.balance.fetches,
            bytes: self.balance.bytes,
            findings: &self.findings,
            first: &first,
            ranked: (first.len() + ranked.count()) as u64,
            inventory: &self.inventory,
            sites: &self.sites,
            limits: &self.balance.limits,
            remarks: &self.remarks,
            files,
        };
        let mut labels = StoreLabels::new(store, graph, false)?;
        Ok(report::render(&page, &mut labels, out)?)
    }
}

/// What the crawl noticed: rules it learned, and whatever else it put down.
fn remarks(store: &mut dyn Snapshot) -> Result<Vec<String>, Fault> {
    let rules = standing::learned(store)?;
    let mut remarks: Vec<String> = rules.iter().filter(|rule| rule.is_strong()).map(|rule| rule.says()).collect();
    let found = store.findings()?.into_iter().filter(|finding| finding.kind != "learned-rule");
    remarks.extend(found.map(|f| format!("{}: {}: {}", f.kind, plain(&f.subject), plain(&f.detail))));
    let databases = NoticedDatabases::of_survey(store, LOOKED)?;
    remarks.extend(databases.list.iter().take(DATABASES).map(ToString::to_string));
    if databases.list.len() > DATABASES {
        remarks.push(databases.counts());
    }
    Ok(remarks)
}

/// Tells several.
struct All<'a, 'b> {
    findings: &'a mut Findings,
    others: &'a mut [&'b mut dyn Teller],
}

impl Teller for All<'_, '_> {
    fn tell(&mut self, finding: &Finding) -> std::io::Result<()> {
        self.findings.tell(finding)?;
        self.others.iter_mut().try_for_each(|other| other.tell(finding))
    }

    fn close(&mut self, closing: &Closing<'_>) -> std::io::Result<()> {
        self.findings.close(closing)?;
        self.others.iter_mut().try_for_each(|other| other.close(closing))
    }
}

fn report_written(path: &Path) -> String {
    format!("report: {}", path.display())
}
