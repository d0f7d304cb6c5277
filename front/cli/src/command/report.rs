//! `groma report`: what a survey came to, as one HTML file or as a folder, to hand to somebody.
//!
//! Everything is read from one snapshot, so that all files of a report are of one moment, also while a crawl runs.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use groma_chart::{SiteMap, html, pdf, sitemap, svg, xml};
use groma_check::tell::csv::Csv;
use groma_check::tell::json::Json;
use groma_settings::{Fault, place as survey_place};
use groma_store::Folder;
use groma_survey_graph::StoreLabels;
use groma_tasks::export::{PagesWanted, write_pages_table};
use groma_tasks::map::{self, Grown, GrownMap, unpainted};
use groma_tasks::outside;
use groma_tasks::rank;
use groma_tasks::report::{self, SurveyReport};

use self::place::{Aim, Page, Stage};
use super::links;
use crate::Exit;
use crate::args::ReportArgs;
use crate::output::{Out, tell};
use crate::terminal::Terminal;

mod place;

pub(crate) fn run(args: &ReportArgs) -> Result<Exit, Fault> {
    let folder = survey_place::find(args.store.store.as_deref())?;
    // Before anything is computed: whoever gave a wrong name should not have to wait for it.
    let aim = Aim::resolve(args.output.as_deref(), folder.path())?;
    let mut terminal = Terminal::new(false);
    let Some(mut report) = report::run(&folder, &args.task, &mut terminal)? else { return Ok(Exit::Interrupted) };
    drop(terminal);
    match &aim {
        Aim::Stdout => {
            let mut out = Out::open(None)?;
            let gathered = report.gather(&mut [])?;
            report.write(&gathered, &[], out.writer())?;
            out.finish()?;
        }
        Aim::Page(path) => {
            let mut page = Page::begin(path)?;
            let gathered = report.gather(&mut [])?;
            report.write(&gathered, &[], page.writer())?;
            page.finish()?;
            tell(&report_written(path));
        }
        Aim::Folder(path) => {
            let mut stage = Stage::begin(path)?;
            fill(&mut stage, &folder, args.task.root.is_none(), &mut report)?;
            stage.finish()?;
            tell(&report_written(path));
        }
    }
    Ok(Exit::Fine)
}

/// All files of a folder, the page last: it lists the others.
fn fill(stage: &mut Stage, folder: &Folder, whole: bool, report: &mut SurveyReport) -> Result<(), Fault> {
    draw(stage, whole, &mut report.map)?;
    let gathered = {
        let mut csv = stage.create("findings.csv")?;
        let mut json = stage.create("findings.jsonl")?;
        let (mut rows, mut lines) = (Csv::new(&mut csv), Json::new(&mut json));
        report.gather(&mut [&mut rows, &mut lines])?
    };
    let GrownMap { grown: Grown { graph, .. }, store } = &mut report.map;
    table(stage, "pages.csv", |out| {
        let all = PagesWanted { states: Vec::new(), inside: None, text: false, stop: &AtomicBool::new(false) };
        write_pages_table(store, &all, out.writer())?;
        Ok(())
    })?;
    let mut evidence = outside::evidence(folder, store)?;
    table(stage, "links-external.csv", |out| links::write_external(&mut evidence, &graph.standings, out))?;
    table(stage, "ranks.csv", |out| {
        rank::write(graph, usize::MAX, rank::Form::Csv, &unpainted, out.writer())?;
        Ok(())
    })?;
    let files = stage.files()?;
    let mut page = stage.create(place::PAGE)?;
    report.write(&gathered, &files, &mut page)?;
    Ok(page.flush()?)
}

/// The map in every form.
fn draw(stage: &mut Stage, whole: bool, grown: &mut GrownMap) -> Result<(), Fault> {
    let GrownMap { grown: Grown { graph, tree, root }, store } = grown;
    let map = SiteMap::new(map::heading(store, graph, tree, *root)?, tree);
    let mut labels = StoreLabels::new(store, graph, true)?;
    stage.write("map.html", |out| html::render(&map, &mut labels, out))?;
    stage.write("map.svg", |out| svg::render(&map, &mut labels, out))?;
    stage.write("map.pdf", |out| pdf::render(&map, &mut labels, out))?;
    stage.write("map.xml", |out| xml::render(&map, &mut labels, out))?;
    let sheets =
        [("site-map.xsd", xml::SCHEMA), ("site-map-xhtml.xsl", xml::XHTML_SHEET), ("site-map-fo.xsl", xml::FO_SHEET)];
    for (name, text) in sheets {
        stage.write(name, |out| out.write_all(text.as_bytes()))?;
    }
    let options = sitemap::Options { drawn: map.heading.drawn, ..sitemap::Options::default() };
    let mut nodes = map::listed(graph, &map, whole);
    sitemap::render(&mut nodes, &mut labels, &mut |name| Ok(Box::new(stage.create(name)?)), &options)?;
    Ok(())
}

fn table(stage: &mut Stage, name: &str, write: impl FnOnce(&mut Out) -> Result<(), Fault>) -> Result<(), Fault> {
    let mut out = Out::open(Some(&stage.path(name)))?;
    write(&mut out)?;
    Ok(out.finish()?)
}

fn report_written(path: &Path) -> String {
    format!("report: {}", path.display())
}
