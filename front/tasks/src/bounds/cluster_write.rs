//! A clustering as a file: a page a line, or the largest clusters for people.

use std::io::Write;

use groma_chart::text::Tone;
use groma_model::escape::JsonInert;
use groma_model::wording::{counted, grouped, plain, write_row};
use groma_settings::Fault;
use groma_store::Folder;
use serde::Serialize;

use super::cluster_task::{Cluster, Form};
use super::{Clustered, Request};
use crate::outcome::Outcome;

/// Clusters listed as text unless the task says how many.
const LISTED: usize = 25;

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

/// What it came to.
fn outcome(clustered: &Clustered) -> Outcome {
    let mut several: Vec<u32> = clustered.overlaps.iter().map(|(page, _)| *page).collect();
    several.dedup();
    let (pages, overlaps) = (clustered.pages().count() as u64, several.len() as u64);
    Outcome::Clustered { pages, clusters: clustered.count.into(), overlaps }
}

/// Writes it in a form.
pub fn write_clusters(
    clustered: &Clustered,
    folder: &Folder,
    task: &Cluster,
    form: Form,
    paint: &dyn Fn(Tone, &str) -> String,
    out: &mut dyn Write,
) -> Result<Outcome, Fault> {
    match form {
        Form::Text => {
            let most = task.top.map_or(LISTED, |top| usize::try_from(top.get()).unwrap_or(usize::MAX));
            list(clustered, folder, most, paint, out)?;
        }
        _ => write_pages(clustered, &Request::from_task(&task.clustering.alone()), form, out)?,
    }
    Ok(outcome(clustered))
}

/// A page a line. In JSON a header comes first, and further clusters of a page stand beside its own.
fn write_pages(clustered: &Clustered, request: &Request, form: Form, out: &mut dyn Write) -> Result<(), Fault> {
    match form {
        Form::Json => write_json(
            out,
            &Head {
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
            },
        )?,
        Form::Csv => write_row(&mut *out, &["url", "cluster"])?,
        Form::Tsv | Form::Text => {}
    }
    let mut overlaps = clustered.overlaps.iter().peekable();
    let mut also = Vec::new();
    for (page, cluster) in clustered.numbered() {
        let url = clustered.address(page);
        also.clear();
        while let Some((_, further)) = overlaps.next_if(|(of, _)| *of <= page) {
            also.push(*further);
        }
        match form {
            Form::Json => write_json(out, &ClusterRow { url, cluster, also: &also })?,
            Form::Csv => write_row(&mut *out, &[url, &cluster.to_string()])?,
            Form::Tsv | Form::Text => writeln!(out, "{}\t{cluster}", plain(url))?,
        }
    }
    Ok(())
}

/// The largest clusters, for people.
fn list(
    clustered: &Clustered,
    folder: &Folder,
    most: usize,
    paint: &dyn Fn(Tone, &str) -> String,
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let outcome = outcome(clustered);
    writeln!(out, "{}\n", paint(Tone::Bold, &outcome.to_string()))?;
    writeln!(out, "{}", paint(Tone::Bold, &format!("{:>9} {:>9}  {}", "cluster", "pages", "where")))?;
    for (number, (label, size)) in clustered.labels(folder, most)?.iter().zip(&clustered.sizes).enumerate() {
        writeln!(out, "{number:>9} {:>9}  {}", grouped((*size).into()), plain(label))?;
    }
    let (shown, all) = (most.min(clustered.sizes.len()), clustered.sizes.len());
    if shown < all {
        let rest: u64 = clustered.sizes[shown..].iter().map(|size| u64::from(*size)).sum();
        writeln!(out, "{}", more_clusters((all - shown) as u64, rest))?;
    }
    if let (Some((page, _)), Outcome::Clustered { overlaps, .. }) = (clustered.overlaps.first(), outcome) {
        writeln!(out, "\n{}", in_several(&plain(clustered.address(*page)), overlaps))?;
    }
    Ok(())
}

fn write_json(out: &mut dyn Write, value: &impl Serialize) -> std::io::Result<()> {
    writeln!(out, "{}", JsonInert(&serde_json::to_string(value)?))
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
