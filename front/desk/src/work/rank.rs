//! `rank`: the ranks of all pages, as a file.

use std::io::Write;

use groma_atlas::{Atlas, Reading};
use groma_model::wording::{self, plain};
use groma_store::Folder;
use serde_json::json;

use super::result::{ResultFiles, name};
use super::{Bench, Outcome};
use crate::{Fault, words};

pub(super) fn rank(folder: &Folder, format: &str, bench: &mut Bench) -> Result<Outcome, Fault> {
    let (format, ending) = match format {
        "" | "csv" => ("csv", "csv"),
        "json" => ("json", "jsonl"),
        "text" => ("text", "txt"),
        other => return Err(Fault::new(words::no_such_form(other), "one of: csv, json, text")),
    };
    bench.progress(&json!({ "phase": "ranking" }));
    let atlas = Atlas::read(&mut folder.read()?, &Reading::default())?;
    if let Some(layer) = atlas.horizon {
        bench.log(&words::up_to_layer(layer));
    }
    if !atlas.ranks.converged() {
        bench.log(&words::not_converged(atlas.ranks.rounds, atlas.ranks.change));
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    let written = {
        let mut out = files.open(&name(bench.row.id, ending))?;
        write(&atlas, format, &mut *out)
    };
    let pages = match written {
        Err(_) if bench.is_stopped() => return Ok(Outcome::Stopped),
        other => other?,
    };
    files.finish(bench)?;
    Ok(Outcome::Done(ranked(pages)))
}

fn write(atlas: &Atlas, format: &str, out: &mut dyn Write) -> std::io::Result<u64> {
    if format == "csv" {
        wording::write_row(&mut *out, &["address", "rank"])?;
    }
    let mut pages = 0;
    for node in atlas.by_rank() {
        let (address, rank) = (atlas.standings.names.of(node), atlas.ranks.values[node as usize]);
        match format {
            "csv" => wording::write_row(&mut *out, &[address, &rank.to_string()])?,
            "json" => writeln!(out, "{}", json!({ "address": address, "rank": rank }))?,
            _ => writeln!(out, "{rank:>12.4}  {}", plain(address))?,
        }
        pages += 1;
    }
    out.flush()?;
    Ok(pages)
}

fn ranked(pages: u64) -> String {
    format!("{} ranked", words::counted(pages, "page", "pages"))
}
