//! `groma cluster`: which pages belong together?

use groma_model::wording::{counted, grouped, plain};
use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_tasks::bounds::{Clustered, Request, cluster, cluster_in_parts};
use serde::Serialize;

use super::graph_engine::{self, EngineProgress};
use super::scope::Searching;
use crate::Exit;
use crate::args::{ClusterArgs, ClusterFormat};
use crate::output::{Out, tell};

/// What stands before the pages.
#[derive(Serialize)]
struct Head {
    kind: &'static str,
    inflation: f64,
    selection: Option<usize>,
    sigma: Option<f64>,
    pages: usize,
    clusters: u32,
    overlaps: usize,
    rounds: u32,
    converged: bool,
    reused: bool,
}

#[derive(Serialize)]
struct ClusterRow<'a> {
    url: &'a str,
    cluster: u32,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    also: &'a [u32],
}

pub(crate) fn run(args: &ClusterArgs) -> Result<Exit, Fault> {
    let request = Request::from_task(&args.task.alone());
    let folder = place::find(args.store.store.as_deref())?;
    let clustered = match graph_engine::in_parts(&args.engine, &folder)? {
        None => {
            let searching = Searching::new(args.quiet)?;
            let clustered = cluster(&folder, &request, &mut |progress| searching.step(progress));
            searching.end();
            clustered
        }
        Some(wanted) => {
            let mut shown = EngineProgress::new()?;
            let clustered = cluster_in_parts(&folder, &request, &wanted, &mut |step| shown.step(step));
            shown.end();
            clustered.inspect(|clustered| {
                if clustered.is_none() {
                    shown.stopped();
                }
            })
        }
    };
    let Some(clustered) = clustered? else { return Ok(Exit::Interrupted) };
    if !clustered.converged && !args.quiet {
        tell(&format!("note: {}", "the clustering did not come to rest: raise --inflation, or take it as it is"));
    }
    let mut out = Out::open(args.output.as_deref())?;
    match args.format {
        ClusterFormat::Text => print(args, &folder, &clustered, &mut out)?,
        other => write(other, &request, &clustered, &mut out)?,
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// A page a line. In JSON a header comes first, and further clusters of a page stand beside its own.
fn write(format: ClusterFormat, request: &Request, clustered: &Clustered, out: &mut Out) -> Result<(), Fault> {
    match format {
        ClusterFormat::Json => out.json(&Head {
            kind: "clusters",
            inflation: request.settings.inflation,
            selection: request.settings.selection,
            sigma: (clustered.sigma > 0.0).then_some(clustered.sigma),
            pages: clustered.pages().count(),
            clusters: clustered.count,
            overlaps: clustered.overlaps.len(),
            rounds: clustered.rounds,
            converged: clustered.converged,
            reused: clustered.kept,
        })?,
        ClusterFormat::Csv => out.csv(&["url", "cluster"])?,
        ClusterFormat::Tsv | ClusterFormat::Text => {}
    }
    let mut overlaps = clustered.overlaps.iter().peekable();
    let mut also = Vec::new();
    for (page, cluster) in clustered.numbered() {
        let address = clustered.address(page);
        also.clear();
        while let Some((_, further)) = overlaps.next_if(|(of, _)| *of <= page) {
            also.push(*further);
        }
        match format {
            ClusterFormat::Json => out.json(&ClusterRow { url: address, cluster, also: &also })?,
            ClusterFormat::Csv => out.csv(&[address, &cluster.to_string()])?,
            ClusterFormat::Tsv | ClusterFormat::Text => {
                out.line(&format!("{}\t{cluster}", address.replace(['\t', '\n', '\r'], " ")))?;
            }
        }
    }
    Ok(())
}

/// The largest clusters, for people.
fn print(args: &ClusterArgs, folder: &Folder, clustered: &Clustered, out: &mut Out) -> Result<(), Fault> {
    let pages = clustered.pages().count() as u64;
    let mut several: Vec<u32> = clustered.overlaps.iter().map(|(page, _)| *page).collect();
    several.dedup();
    out.line(&out.paint.heading(&cluster_counts(pages, clustered.count.into(), several.len() as u64)))?;
    out.line("")?;
    out.line(&out.paint.heading(&format!("{:>9} {:>9}  {}", "cluster", "pages", "where")))?;
    for (number, (label, size)) in clustered.labels(folder, args.top)?.iter().zip(&clustered.sizes).enumerate() {
        out.line(&format!("{number:>9} {:>9}  {}", grouped((*size).into()), plain(label)))?;
    }
    let (shown, all) = (args.top.min(clustered.sizes.len()), clustered.sizes.len());
    if shown < all {
        let rest: u64 = clustered.sizes[shown..].iter().map(|size| u64::from(*size)).sum();
        out.line(&more_clusters((all - shown) as u64, rest))?;
    }
    if let Some((page, _)) = clustered.overlaps.first() {
        out.line("")?;
        out.line(&in_several(&plain(clustered.address(*page)), several.len() as u64))?;
    }
    Ok(())
}

fn more_clusters(clusters: u64, pages: u64) -> String {
    format!(
        "and {} of {} in all: groma cluster -f tsv",
        counted(clusters, "more cluster", "more clusters"),
        counted(pages, "page", "pages")
    )
}

fn in_several(example: &str, pages: u64) -> String {
    match pages {
        1 => format!("{example} belongs to several clusters just as well (-f json tells which)"),
        _ => format!(
            "{} belong to several clusters just as well (-f json tells which), for example {example}",
            counted(pages, "page", "pages")
        ),
    }
}

fn cluster_counts(pages: u64, clusters: u64, overlaps: u64) -> String {
    let mut text = format!("{} in {}", counted(pages, "page", "pages"), counted(clusters, "cluster", "clusters"));
    if overlaps > 0 {
        text.push_str(&format!(", {} in more than one", counted(overlaps, "page", "pages")));
    }
    text
}
