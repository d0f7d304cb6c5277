//! `groma import`: surveys out of what others have gathered.

mod archive;

use std::fs::File;
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use groma_graph::Csr;
use groma_model::wording::{counted, grouped};
use groma_settings::{Fault, clock, place};
use groma_store::Snapshot;
use groma_survey_graph::import::{EdgeFormat, ImportError, Nodes, is_broken_off, merge, read_edges, unpacked, write};
use groma_tasks::archive::wording::{IMPORT_INTO_FULL_HINT, import_into_full};

use crate::Exit;
use crate::args::{EdgesAs, ImportArgs, ImportCommand, ImportGraphArgs};
use crate::output::tell;

pub(crate) fn run(args: &ImportArgs) -> Result<Exit, Fault> {
    match &args.what {
        ImportCommand::Graph(args) => graph(args),
        ImportCommand::Warc(args) => archive::run(args),
    }
}

fn graph(args: &ImportGraphArgs) -> Result<Exit, Fault> {
    let folder = place::find(Some(&args.store))?;
    // What is left of an import that did not come to its end holds nothing that another would not bring.
    let broken_off = folder.exists() && is_broken_off(&mut folder.read()?)?;
    if folder.exists() && !args.fresh && !broken_off && folder.read()?.balance()?.discovered() > 0 {
        return Err(Fault::new(import_into_full(&args.store), IMPORT_INTO_FULL_HINT));
    }
    let format = match args.edge_format {
        None if has_pairs_name(&args.edges) => EdgeFormat::Pairs,
        None => EdgeFormat::Auto,
        Some(EdgesAs::Text) => EdgeFormat::Text,
        Some(EdgesAs::Pairs) => EdgeFormat::Pairs,
    };
    let refuse = |path: &Path, error: &ImportError| Fault::new(format!("{}: {error}", path.display()), IMPORT_HINT);
    let list = read_edges(&mut *open(&args.edges)?, format).map_err(|error| refuse(&args.edges, &error))?;
    let (mut arcs, mut merged) = (list.arcs, 0);
    let names = match (&args.urls, list.names) {
        (Some(_), Some(_)) => {
            return Err(Fault::new(
                "--urls gives URLs, and so do the arcs themselves",
                "leave out --urls, or give arcs of numbers",
            ));
        }
        (Some(path), None) => Some(Nodes::read(&mut *open(path)?).map_err(|error| refuse(path, &error))?),
        (None, names) => names,
    };
    let nodes = match names {
        Some(names) => {
            let (kept, same) = merge(names, &mut arcs).map_err(|error| refuse(&args.edges, &error))?;
            merged = same;
            Nodes::Addresses(kept)
        }
        None => Nodes::of_numbers(&mut arcs),
    };
    if nodes.count() == 0 {
        return Err(Fault::new(empty_graph(&args.edges), IMPORT_HINT));
    }
    let given = arcs.len() as u64;
    let graph = Csr::of_arcs(nodes.count(), arcs);
    let (mut store, _lock) = if args.fresh || broken_off { folder.open_anew(false)? } else { folder.open()? };
    let now = clock::now();
    let shows = !args.quiet && std::io::stderr().is_terminal();
    write(&mut store, &graph, &nodes, now, &mut |done| {
        if shows {
            let _ = write!(std::io::stderr(), "\r{} of {} nodes", grouped(done.into()), grouped(nodes.count().into()));
        }
    })?;
    if shows {
        tell("");
    }
    if !args.quiet {
        tell(&imported(nodes.count().into(), graph.arc_count(), given, merged.into(), &args.store));
    }
    Ok(Exit::Fine)
}

/// `links.bin`, `links.bin.zst`: by their name they are no text.
fn has_pairs_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.trim_end_matches(".gz").trim_end_matches(".zst").ends_with(".bin")
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Fault> {
    let file = File::open(path).and_then(|file| unpacked(Box::new(file)));
    file.map_err(|error| Fault::of_input(&path.display().to_string(), &error))
}

fn empty_graph(edges: &Path) -> String {
    format!("{}: no arcs", edges.display())
}

fn imported(nodes: u64, arcs: u64, given: u64, merged: u64, store: &Path) -> String {
    let mut text = format!("{} and {}", counted(nodes, "node", "nodes"), counted(arcs, "arc", "arcs"));
    let dropped = given.saturating_sub(arcs);
    if dropped > 0 {
        text.push_str(&format!(" ({} or to the node itself left out)", counted(dropped, "arc twice", "arcs twice")));
    }
    if merged > 0 {
        text.push_str(&format!(", {} merged", counted(merged, "URL twice", "URLs twice")));
    }
    format!("{text} in {}", store.display())
}

const IMPORT_HINT: &str = "an arc is a line with two numbers or two addresses, or a pair of little-endian 32-bit \
                                      numbers (--as pairs)";
