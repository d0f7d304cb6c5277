//! Reads what a survey came to, from one moment, and writes it as a page to hand to somebody.

use std::io::{self, Write};

use groma_chart::SiteMap;
use groma_chart::report::{self, Findings, ReportFile, ReportPage};
use groma_check::external::{self, Border, ExternalSite};
use groma_check::inventory::{self, Inventory};
use groma_check::tell::Teller;
use groma_check::{Closing, Finding, Gate, Report as CheckReport};
use groma_model::wording::plain;
use groma_settings::Fault;
use groma_store::{Balance, Folder, Snapshot};
use groma_survey_graph::StoreLabels;

use crate::check::usual_options;
use crate::gather::{LOOKED, NoticedDatabases};
use crate::map::wording::up_to_layer;
use crate::map::{self, Grown, GrownMap, heading};
use crate::observer::{Observer, Step};
use crate::outcome::{FindingCounts, Outcome};
use crate::outside::evidence;
use crate::standing;
use crate::task::{Map, Report};

/// First pages by rank that are shown.
const FIRST: usize = 25;
/// Largest and slowest pages that are shown.
const EXTREMES: usize = 10;
/// Databases that are named; of more their number is told.
const DATABASES: usize = 20;
/// Causes of a kind that are listed unless the task says how many.
const LISTED: usize = 20;

/// A survey that is to be reported on, with its map.
pub struct SurveyReport {
    /// The map, and the survey it is of.
    pub map: GrownMap,
    listed: usize,
    folder: Folder,
}

/// Grows the map; nothing if somebody said stop.
pub fn run(folder: &Folder, task: &Report, observer: &mut dyn Observer) -> Result<Option<SurveyReport>, Fault> {
    let of_map = Map { root: task.root.clone(), ..Map::default() };
    let Some(map) = map::run(folder, &of_map, None, observer)? else { return Ok(None) };
    if let Some(layer) = map.grown.graph.horizon {
        observer.note(&up_to_layer(layer));
    }
    observer.step(Step::Checking);
    Ok(Some(SurveyReport { map, listed: task.listed(LISTED), folder: folder.clone() }))
}

impl SurveyReport {
    /// Checks the survey and takes stock; `others` are told of every finding, too.
    pub fn gather(&mut self, others: &mut [&mut dyn Teller]) -> Result<Gathered, Fault> {
        Gathered::read(&self.folder, &mut self.map.store, self.listed, others)
    }

    /// Writes the page; `files` are named on it.
    pub fn write(&mut self, gathered: &Gathered, files: &[ReportFile], out: &mut dyn Write) -> Result<Outcome, Fault> {
        let GrownMap { grown: Grown { graph, tree, root }, store } = &mut self.map;
        let map = SiteMap::new(heading(store, graph, tree, *root)?, tree);
        let mut ranked = graph.by_rank().filter(|node| graph.is_in_scope(*node));
        let first: Vec<u32> = ranked.by_ref().take(FIRST).collect();
        let page = ReportPage {
            map: &map,
            tally: &gathered.balance.tally,
            fetches: gathered.balance.fetches,
            bytes: gathered.balance.bytes,
            findings: &gathered.findings,
            first: &first,
            ranked: (first.len() + ranked.count()) as u64,
            inventory: &gathered.inventory,
            sites: &gathered.sites,
            limits: &gathered.balance.limits,
            remarks: &gathered.remarks,
            files,
        };
        let mut labels = StoreLabels::new(store, graph, false)?;
        report::render(&page, &mut labels, out)?;
        Ok(Outcome::Reported { pages: tree.len().into(), found: gathered.counts })
    }
}

/// What the page says besides the map.
pub struct Gathered {
    counts: FindingCounts,
    balance: Balance,
    findings: Findings,
    inventory: Inventory,
    sites: Vec<ExternalSite>,
    remarks: Vec<String>,
}

impl Gathered {
    /// Checks the survey, telling others on the way, and takes stock.
    fn read(
        folder: &Folder,
        store: &mut dyn Snapshot,
        listed: usize,
        others: &mut [&mut dyn Teller],
    ) -> Result<Gathered, Fault> {
        let balance = store.balance()?;
        let remarks = remarks(store)?;
        let mut findings = Findings::keeping(listed);
        let options = usual_options(store, None)?;
        let mut evidence = evidence(folder, store)?;
        // A report tells what is there; whether that is too much is asked by `groma check`.
        let gate = Gate::parse("none").map_err(|error| Fault::new(error.to_string(), error.hint))?;
        let check = CheckReport { options, gate: &gate, baseline: None, only_new: false, copy: None };
        let (summary, _) = check.write(&mut evidence, &mut All { findings: &mut findings, others })?;
        let inventory = inventory::take(&mut evidence, EXTREMES)?;
        let sites = external::table(&mut evidence, &Border::Domain)?;
        let counts = FindingCounts::of_summary(&summary);
        Ok(Gathered { counts, balance, findings, inventory, sites, remarks })
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
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        self.findings.tell(finding)?;
        self.others.iter_mut().try_for_each(|other| other.tell(finding))
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        self.findings.close(closing)?;
        self.others.iter_mut().try_for_each(|other| other.close(closing))
    }
}
