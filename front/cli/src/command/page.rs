//! `groma page`: one page and its parts, from a server, a file or a survey.

use std::collections::BTreeMap;
use std::path::Path;

use groma_model::wording::{counted, plain};
use groma_settings::meaning::Settings;
use groma_settings::{Book, Fault, address, place};
use groma_tasks::glance::source::{NO_BODY, NO_BODY_HINT};
use groma_tasks::glance::{self, Asking, LinkSeen, Seen};
use groma_tasks::lookup;

use crate::Exit;
use crate::args::PageArgs;
use crate::output::{Format, Out, tell};

/// Characters of the main text that people are shown.
const SHOWN: usize = 600;

pub(crate) fn run(args: &PageArgs) -> Result<Exit, Fault> {
    let mut book = Book::gather(&args.settings.overrides.given(), args.settings.by.config.as_deref(), None)?;
    let settings = Settings::from_book(&mut book)?;
    let (seen, bytes) = look(args, &settings)?;
    if let Some(file) = &args.overlay {
        let bytes = bytes.ok_or_else(|| Fault::new(NO_BODY, NO_BODY_HINT))?;
        let page = glance::overlay(&bytes, &seen.url, settings.limits());
        std::fs::write(file, page).map_err(|error| Fault::of_input(&file.display().to_string(), &error))?;
    }
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Json => out.json(&seen)?,
        Format::Csv => rows(&seen, &mut out)?,
        Format::Text => print(&seen, &mut out)?,
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn look(args: &PageArgs, settings: &Settings) -> Result<(Seen, Option<Vec<u8>>), Fault> {
    if let Some(store) = &args.store {
        let mut store = place::find(Some(store))?.read()?;
        let id = lookup::page(&mut store, &args.page)?;
        return glance::stored(&mut store, id, settings.limits());
    }
    let file = Path::new(&args.page);
    if args.page == "-" || args.base.is_some() || file.is_file() {
        let base = args.base.as_deref().map(address::read).transpose()?;
        let (seen, bytes) = glance::filed(file, base.as_ref().map(|read| &read.url), settings.limits())?;
        return Ok((seen, Some(bytes)));
    }
    let read = address::read(&args.page)?;
    if let Some(note) = read.note.filter(|_| !args.quiet) {
        tell(&format!("note: {note}"));
    }
    let asking = Asking { settings, login: read.login, owned: args.settings.by.i_own_this_site, guarded: false };
    let (seen, bytes) = glance::fetched(&read.url, asking)?;
    Ok((seen, Some(bytes)))
}

fn rows(seen: &Seen, out: &mut Out) -> std::io::Result<()> {
    out.csv(&["what", "kind", "confidence", "text", "url"])?;
    out.csv(&["page", seen.r#type, &seen.confidence.to_string(), &seen.title, &seen.url])?;
    for part in &seen.blocks {
        out.csv(&["block", part.kind, &part.confidence.to_string(), &part.text, ""])?;
    }
    for link in &seen.links {
        out.csv(&["link", link.block, &link.confidence.to_string(), &link.text, &link.url])?;
    }
    out.csv(&["main", "text", "", &seen.main, ""])
}

fn print(seen: &Seen, out: &mut Out) -> std::io::Result<()> {
    let head = |out: &Out, name: &str| out.paint.heading(&format!("{name:12}"));
    let line = format!("{} {}", head(out, "URL"), plain(&seen.url));
    out.line(&line)?;
    for from in &seen.through {
        let line = format!("{} {}", head(out, "redirected by"), plain(from));
        out.line(&line)?;
    }
    let sure = format!("{} ({:.0} % sure)", seen.r#type, seen.confidence * 100.0);
    let line = format!("{} {sure}", head(out, "type"));
    out.line(&line)?;
    for part in &seen.blocks {
        let sure = out.paint.faint(&format!("{:3.0} %", part.confidence * 100.0));
        let line = format!("{} {sure} {}", head(out, part.kind), plain(&shortened(&part.text, SHOWN)));
        out.line(&line)?;
    }
    let line = format!("{} {}", head(out, "main text"), counted_words(seen.main.split_whitespace().count()));
    out.line(&line)?;
    for paragraph in shortened(&seen.main, SHOWN).split("\n\n") {
        out.line(&format!("  {}", plain(paragraph)))?;
    }
    let mut parts: BTreeMap<&str, Vec<&LinkSeen>> = BTreeMap::new();
    seen.links
        .iter()
        .filter(|link| link.kind == "anchor")
        .for_each(|link| parts.entry(link.block).or_default().push(link));
    for (part, links) in parts {
        let line = format!("{} {}", head(out, "links"), links_in(links.len(), part));
        out.line(&line)?;
        for link in links.iter().take(3) {
            let text = if link.text.is_empty() { &link.url } else { &link.text };
            out.line(&format!("  {}", plain(&shortened(text, 100))))?;
        }
    }
    Ok(())
}

/// The beginning of a text.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn counted_words(words: usize) -> String {
    counted(words as u64, "word", "words")
}

fn links_in(links: usize, part: &str) -> String {
    format!("{} in part {part}", counted(links as u64, "link", "links"))
}
