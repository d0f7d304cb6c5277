//! Writes a survey in the form that was asked for.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use groma_model::State;
use groma_settings::Fault;
use groma_store::{Folder, Snapshot};

use super::surt::{self, Shape};
use super::task::{Export, Form};
use super::{Exported, PagesWanted, jsonl, links, markdown, plain, soif, structured, table};
use crate::observer::{Observer, Step};

/// A survey that is to be exported, and what of it.
pub struct Exporting {
    folder: Folder,
    store: Box<dyn Snapshot>,
    states: Vec<State>,
    inside: Option<Vec<bool>>,
    text: bool,
    stop: Arc<AtomicBool>,
}

/// Finds what is asked for.
pub fn run(folder: &Folder, task: &Export, form: Form, observer: &mut dyn Observer) -> Result<Exporting, Fault> {
    let other = match form {
        Form::Links => Some("links"),
        Form::Structured => Some("structured data"),
        _ => None,
    };
    if let Some(other) = other.filter(|_| task.with_text) {
        let message = format!("--with-text is about pages, not about {other}");
        return Err(Fault::new(message, "omit it, or export the table of pages"));
    }
    let inside = task.scope.0.site(folder, observer)?.map(|site| site.inside);
    let mut states: Vec<State> = task.state.iter().map(|name| name.0).collect();
    if states.is_empty() && !matches!(form, Form::Csv | Form::Links | Form::Sqlite) {
        states.push(State::Fetched);
    }
    observer.step(Step::Writing);
    let (store, stop) = (folder.read()?, Arc::clone(observer.stop()));
    let text = task.with_text || form == Form::Markdown;
    Ok(Exporting { folder: folder.clone(), store, states, inside, text, stop })
}

impl Exporting {
    fn parts(&mut self) -> (&mut dyn Snapshot, PagesWanted<'_>) {
        let wanted = PagesWanted {
            states: std::mem::take(&mut self.states),
            inside: self.inside.take(),
            text: self.text,
            stop: &self.stop,
        };
        (&mut *self.store, wanted)
    }

    /// Writes what was asked for in one file.
    pub fn write(mut self, form: Form, out: &mut dyn Write) -> Result<Exported, Fault> {
        let folder = self.folder.clone();
        let (store, wanted) = self.parts();
        match form {
            Form::Jsonl => jsonl::write(store, &wanted, out),
            Form::Csv => table::write(store, &wanted, out),
            Form::Links => links::write(store, &wanted, out),
            Form::Markdown => markdown::write(store, &wanted, out),
            Form::Structured => structured::write(store, &wanted, out),
            Form::Surt => surt::write(store, &wanted, Shape::Pages, out),
            Form::SurtPrefixes => surt::write(store, &wanted, Shape::Prefixes, out),
            Form::Soif => soif::write(store, &folder, &wanted, out),
            Form::Sqlite => pass_sqlite_on(store, &wanted, out),
        }
    }

    /// Writes a SQLite file, which must not be there yet.
    pub fn write_sqlite(mut self, file: &Path) -> Result<Exported, Fault> {
        let (store, wanted) = self.parts();
        plain::write(store, &wanted, file)
    }

    /// Writes a Markdown file for each page into a folder.
    pub fn write_markdown_folder(mut self, folder: &Path) -> Result<Exported, Fault> {
        let (store, wanted) = self.parts();
        markdown::write_folder(store, &wanted, folder)
    }
}

/// A SQLite file is not written from its beginning to its end: it is made elsewhere first.
fn pass_sqlite_on(store: &mut dyn Snapshot, wanted: &PagesWanted<'_>, out: &mut dyn Write) -> Result<Exported, Fault> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("groma-export-{}-{}.sqlite", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let made = Removed(std::env::temp_dir().join(name));
    let exported = plain::write(store, wanted, &made.0)?;
    if !exported.stopped {
        io::copy(&mut File::open(&made.0)?, out)?;
    }
    Ok(exported)
}

/// A file that goes when nobody needs it any more.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
