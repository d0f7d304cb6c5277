//! Markdown: a document for each page that has text, in a folder laid out by host and path, or one after the other in a stream.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use groma_model::moment::rfc3339;
use groma_model::wording::plain_lines;
use groma_model::{BlockKind, LinkKind};
use groma_page::markdown::{Reference, blocks, quoted, references};
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_store::codec::Details;

use super::{Exported, Leaf, Names, PagesWanted, given, paths, walk};
use crate::export::wording::{EXPORT_THERE_HINT, is_there};

/// Writes the survey as a stream: documents begin with their front matter, and a line says where each ends.
pub(super) fn write(store: &mut dyn Snapshot, wanted: &PagesWanted<'_>, to: &mut dyn Write) -> Result<Exported, Fault> {
    let mut names = Names::default();
    let mut pages = 0;
    let done = walk(store, wanted, &mut |store, leaf| {
        if let Some(document) = document(store, &mut names, &leaf)? {
            pages += 1;
            to.write_all(plain_lines(&document).as_bytes())?;
            to.write_all(b"<!-- end of page -->\n\n")?;
        }
        Ok(())
    })?;
    Ok(Exported { pages, ..done })
}

/// Writes the survey into a folder that is not there or empty. It appears when it is whole.
pub(super) fn write_folder(
    store: &mut dyn Snapshot,
    wanted: &PagesWanted<'_>,
    folder: &Path,
) -> Result<Exported, Fault> {
    let half = begin(folder)?;
    let written = fill(store, wanted, &half).and_then(|done| {
        if !done.stopped {
            // Only an empty folder can be removed so.
            let _ = fs::remove_dir(folder);
            fs::rename(&half, folder).map_err(|error| Fault::of_input(&folder.display().to_string(), &error))?;
        }
        Ok(done)
    });
    if !matches!(written, Ok(done) if !done.stopped) {
        let _ = fs::remove_dir_all(&half);
    }
    written
}

/// A folder of our own beside the one that is wanted.
fn begin(folder: &Path) -> Result<PathBuf, Fault> {
    let shown = folder.display().to_string();
    let there = || Fault::new(is_there(&shown), EXPORT_THERE_HINT);
    match fs::read_dir(folder) {
        Ok(entries) => {
            if entries.count() > 0 {
                return Err(there());
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(_) if folder.exists() => return Err(there()),
        Err(error) => return Err(Fault::of_input(&shown, &error)),
    }
    let name = folder.file_name().ok_or_else(there)?.to_string_lossy().into_owned();
    let half = folder.with_file_name(format!(".{name}.part-{}", std::process::id()));
    fs::create_dir(&half).map_err(|error| Fault::of_input(&half.display().to_string(), &error))?;
    Ok(half)
}

fn fill(store: &mut dyn Snapshot, wanted: &PagesWanted<'_>, half: &Path) -> Result<Exported, Fault> {
    let mut names = Names::default();
    let mut pages = 0;
    let done = walk(store, wanted, &mut |store, leaf| {
        let Some(document) = document(store, &mut names, &leaf)? else { return Ok(()) };
        let path = half.join(paths::file(&leaf.address.url, leaf.address.fp, "md"));
        let failed = |error: std::io::Error| Fault::of_input(&path.display().to_string(), &error);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).map_err(failed)?;
        }
        // Two pages never share a file.
        let mut file = fs::File::create_new(&path).map_err(failed)?;
        file.write_all(document.as_bytes()).map_err(failed)?;
        pages += 1;
        Ok(())
    })?;
    Ok(Exported { pages, ..done })
}

/// A page; nothing if there is no text of it.
fn document(store: &mut dyn Snapshot, names: &mut Names, leaf: &Leaf) -> Result<Option<String>, Fault> {
    let Some(details) = leaf.details(store)?.filter(|details| !details.blocks.is_empty()) else { return Ok(None) };
    let facts = leaf.page.as_ref().map(|page| page.facts.clone()).unwrap_or_default();
    let meta = |name: &str| details.metas.iter().find(|m| m.name == name).and_then(|m| given(&m.content));
    let fetched = Some(rfc3339(facts.fetched_at)).filter(|_| facts.fetched_at > 0);
    let front = [
        ("url", Some(leaf.address.url.as_str())),
        ("title", given(&facts.title)),
        ("fetched", fetched.as_deref()),
        ("last_modified", given(&facts.last_modified)),
        ("language", given(&facts.language)),
        ("description", meta("description")),
        ("keywords", meta("keywords")),
    ];
    let mut out = String::from("---\n");
    for (key, value) in front.into_iter().filter_map(|(key, value)| Some((key, value?))) {
        out.push_str(key);
        out.push_str(": ");
        quoted(&mut out, value);
        out.push('\n');
    }
    out.push_str("---\n\n");
    blocks(&mut out, &facts.title, &details.blocks);
    let links = links(store, names, leaf, &details)?;
    references(&mut out, links.iter().map(|(text, address)| Reference { text, address }));
    Ok(Some(out))
}

/// The links a reader can follow, but for the menus: text and URL.
fn links(
    store: &mut dyn Snapshot,
    names: &mut Names,
    leaf: &Leaf,
    details: &Details,
) -> Result<Vec<(String, String)>, Fault> {
    let mut links = Vec::new();
    for (target, link) in store.targets(leaf.address.id)?.into_iter().zip(&details.links) {
        if link.kind == LinkKind::Anchor && link.block != BlockKind::Navigation {
            let fragment = if link.fragment.is_empty() { String::new() } else { format!("#{}", link.fragment) };
            links.push((link.text.clone(), names.url(store, target)? + &fragment));
        }
    }
    Ok(links)
}
