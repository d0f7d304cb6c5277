//! `/sites/{site}/map.{ending}`: the map as a file, in every form `groma map` has.

use std::fs;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use groma_chart::{Field, Labels, SiteMap, sitemap};
use groma_settings::Fault;
use groma_survey_graph::StoreLabels;
use groma_tasks::export::wording::{NO_PAGE_TO_LIST, NO_PAGE_TO_LIST_HINT};
use groma_tasks::map::{Form, Style};
use groma_tasks::{lookup, map as drawing};

use super::asked::Asked;
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::spool::{Sent, Spool};

/// The route of a form.
pub(super) fn route(form: Form) -> (String, MethodRouter<Arc<App>>) {
    let path = format!("/sites/{{site}}/map.{}", form.format().ending);
    let handler = move |State(app): State<Arc<App>>, Path(site): Path<String>, Query(asked): Query<Asked>| async move {
        save(&app, site, asked, form).await
    };
    (path, get(handler))
}

async fn save(app: &Arc<App>, site: String, asked: Asked, form: Form) -> Result<Response, Problem> {
    let sent = app.work(move |app| write(app, &site, &asked, form)).await?;
    Ok(sent.into_response())
}

fn write(app: &App, site: &str, asked: &Asked, form: Form) -> Result<Sent, Problem> {
    let site = app.site(site)?;
    let drawn = site.drawn()?;
    let mut store = site.read()?;
    let root = match asked.root.trim() {
        "" => drawn.graph.root(None)?,
        typed => drawn.graph.root(Some(lookup::page(&mut *store, typed)?))?,
    };
    let same = !drawn.tree.is_empty() && drawn.tree.node(0) == root;
    let grown = if same { None } else { Some(drawn.graph.tree(root)) };
    let tree = grown.as_ref().unwrap_or(&drawn.tree);
    let heading = drawing::heading(&mut *store, &drawn.graph, tree, root)?;
    let mut map = SiteMap::new(heading, tree);
    map.depth = asked.depth()?;
    let mut labels = StoreLabels::new(&mut *store, &drawn.graph, map.shows(Field::Parts))?;
    let mut spool = Spool::begin()?;
    let name = format!("{}-map.{}", site.name, form.format().ending);
    if form != Form::Sitemap {
        drawing::draw(form, &Style::default(), &drawn.graph, &map, &mut labels, &mut spool)?;
        return Ok(spool.finish(name, form.format().media_type)?);
    }
    let whole = asked.root.trim().is_empty() && map.depth.is_none();
    let mut nodes = drawing::listed(&drawn.graph, &map, whole);
    let files = write_sitemap(&mut nodes, &mut labels, map.heading.drawn)?;
    match files.as_slice() {
        [] => Err(Fault::new(NO_PAGE_TO_LIST, NO_PAGE_TO_LIST_HINT).into()),
        [(_, one)] => {
            io::copy(&mut Part::reading(one)?, &mut spool)?;
            Ok(spool.finish(name, form.format().media_type)?)
        }
        // A sitemap of more than 50,000 pages is several files and an index: one archive of them.
        several => {
            for (file, part) in several {
                append(&mut spool, file, part)?;
            }
            spool.write_all(&[0; 1024])?;
            Ok(spool.finish(format!("{}-sitemap.tar", site.name), "application/x-tar")?)
        }
    }
}

/// A file of a sitemap, while it is written.
#[derive(Clone)]
struct Part(Arc<Mutex<fs::File>>);

impl Part {
    fn begin() -> io::Result<Part> {
        Ok(Part(Arc::new(Mutex::new(crate::spool::nameless()?))))
    }

    /// A second handle to the file, at its beginning.
    fn reading(&self) -> io::Result<fs::File> {
        use std::io::Seek;
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner).try_clone()?;
        file.rewind()?;
        Ok(file)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).metadata()?.len())
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

fn write_sitemap(
    nodes: &mut dyn Iterator<Item = u32>,
    labels: &mut dyn Labels,
    drawn: i64,
) -> io::Result<Vec<(String, Part)>> {
    let mut files: Vec<(String, Part)> = Vec::new();
    let options = sitemap::Options { drawn, ..sitemap::Options::default() };
    let open = &mut |name: &str| {
        let part = Part::begin()?;
        files.push((name.to_owned(), part.clone()));
        Ok(Box::new(io::BufWriter::new(part)) as Box<dyn Write>)
    };
    sitemap::render(nodes, labels, open, &options)?;
    Ok(files)
}

/// A file in the form every `tar` reads (POSIX.1-1988): a head of 512 bytes, the content, filled up to whole blocks.
fn append(to: &mut dyn Write, name: &str, part: &Part) -> io::Result<()> {
    let length = part.len()?;
    to.write_all(&tar_head(name, length))?;
    let copied = io::copy(&mut part.reading()?, to)?;
    let rest = (512 - copied % 512) % 512;
    to.write_all(&[0; 512][..rest as usize])
}

fn tar_head(name: &str, length: u64) -> [u8; 512] {
    let mut head = [0u8; 512];
    let mut put = |at: usize, text: &str| head[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name.get(..name.len().min(99)).unwrap_or_default());
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{length:011o}"));
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar");
    put(263, "00");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tar_reads_the_archive() {
        let mut archive = Vec::new();
        for (name, text) in [("sitemap-1.xml", "a".repeat(700)), ("sitemap-index.xml", "b".repeat(512))] {
            let mut part = Part::begin().unwrap();
            part.write_all(text.as_bytes()).unwrap();
            append(&mut archive, name, &part).unwrap();
        }
        archive.extend([0; 1024]);
        assert_eq!(archive.len(), 512 + 1024 + 512 + 512 + 1024);
        let Ok(mut tar) = std::process::Command::new("tar")
            .args(["-tvf", "-"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
        else {
            eprintln!("no tar here: not tried");
            return;
        };
        tar.stdin.take().unwrap().write_all(&archive).unwrap();
        let told = String::from_utf8(tar.wait_with_output().unwrap().stdout).unwrap();
        let ends: Vec<&str> = told.lines().filter_map(|line| line.split_whitespace().last()).collect();
        assert_eq!(ends, ["sitemap-1.xml", "sitemap-index.xml"], "{told}");
        assert!(told.contains(" 700 ") && told.contains(" 512 "), "{told}");
    }
}
