//! Reads the columns of a task from every page it is meant for, and writes a row for each while the next is read.

use std::io::Write;

use groma_extract::{CellRead, Column, Columns, Page, ValueLimits};
use groma_model::url::pattern::Pattern;
use groma_model::wording::grouped;
use groma_model::{PageId, Reason};
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, Overrides};
use groma_store::{Folder, Snapshot};

use super::bodies::{Asker, Bodies, readable};
use super::by_example::{Learned, learn};
use super::extracted::Extracted;
use super::task::{Extract, Form, column_fault};
use super::write::Rows;
use crate::crawl::prepare::Requester;
use crate::lookup;
use crate::observer::{Observer, Step};

/// URLs read at a time, and between two signs of progress.
const STEP: usize = 1_000;

/// Which pages are read, and for what.
struct Extraction {
    columns: Columns,
    learned: Option<Learned>,
    urls: Option<Pattern>,
    /// Only these pages.
    pages: Option<Vec<PageId>>,
    /// By number: does it belong to the site that is looked at?
    inside: Option<Vec<bool>>,
    limits: ValueLimits,
    /// Pages without a value are written, too.
    empty: bool,
}

/// Reads values out of a survey.
pub fn run(
    folder: &Folder,
    task: &Extract,
    form: Form,
    requester: Requester<'_>,
    observer: &mut dyn Observer,
    out: &mut dyn Write,
) -> Result<Extracted, Fault> {
    task.check()?;
    let inside = task.scope.0.site(folder, observer)?.map(|site| site.inside);
    let mut store = folder.read()?;
    let asker = if task.ask { Some(Asker::new(&mut store, requester)?) } else { None };
    let mut bodies = Bodies::open(&mut store, asker.as_ref())?;
    observer.step(Step::Reading);
    let learned = if task.like.is_empty() { None } else { Some(learn(&mut store, task, &mut bodies)?) };
    if let Some(learned) = &learned {
        observer.note(&typed(&learned.column));
        learned.others.iter().for_each(|other| observer.note(&format!("also possible: {}", typed(other))));
    }
    let pages = match (&learned, task.page.is_empty()) {
        (None, false) => {
            Some(task.page.iter().map(|typed| lookup::page(&mut store, typed)).collect::<Result<Vec<_>, Fault>>()?)
        }
        _ => None,
    };
    let extraction = Extraction {
        columns: columns(task, learned.as_ref())?,
        urls: task.urls.as_ref().map(|urls| urls.pattern()).transpose()?,
        pages,
        inside,
        limits: limits(&mut store, requester)?,
        empty: task.empty || learned.is_some(),
        learned,
    };
    let mut rows = Rows::begin(form, &extraction.columns, out)?;
    let mut extracted = extraction.read(&mut store, &mut bodies, &mut rows, observer)?;
    rows.end()?;
    if let Some(learned) = &extraction.learned {
        let held = extracted.columns.get(&learned.column.name).copied().unwrap_or(0);
        observer.note(&holds(held, extracted.pages));
        extracted.rule = Some(learned.column.to_string());
    }
    extracted.notes().iter().for_each(|note| observer.note(note));
    Ok(extracted)
}

/// The columns that were written, and the one that was made.
fn columns(task: &Extract, learned: Option<&Learned>) -> Result<Columns, Fault> {
    let Some(learned) = learned else { return task.columns() };
    let written = task.column.iter().map(|line| line.to_string().parse());
    let all: Result<Vec<_>, _> = written.chain([Ok(learned.column.clone())]).collect();
    all.and_then(Columns::new).map_err(|error| column_fault(&error))
}

/// The limits of the survey.
fn limits(store: &mut dyn Snapshot, requester: Requester<'_>) -> Result<ValueLimits, Fault> {
    let saved = Saved::load(store)?.unwrap_or_default();
    let mut book = Book::of_task(&Overrides::default(), &[], requester.config, Some(&saved))?;
    Ok(ValueLimits::of_limits(Settings::from_book(&mut book)?.limits()))
}

impl Extraction {
    fn read(
        &self,
        store: &mut dyn Snapshot,
        bodies: &mut Bodies<'_>,
        rows: &mut Rows<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Extracted, Fault> {
        let mut extracted = Extracted::default();
        if let Some(pages) = &self.pages {
            for id in pages {
                self.page(*id, store, bodies, rows, &mut extracted)?;
            }
            return Ok(extracted);
        }
        let all = store.balance()?.tally.values().sum::<u64>();
        let (mut done, mut after) = (0, None);
        loop {
            observer.step(Step::Extracting { done, of: all.max(done) });
            let read = store.addresses(after, STEP)?;
            let Some(last) = read.last() else { return Ok(extracted) };
            after = Some(last.id);
            for row in read.iter().filter(|row| row.reason == Reason::Fetched) {
                if observer.is_stopped() {
                    return Ok(Extracted { stopped: true, ..extracted });
                }
                self.page(row.id, store, bodies, rows, &mut extracted)?;
            }
            done += read.len() as u64;
        }
    }

    fn page(
        &self,
        id: PageId,
        store: &mut dyn Snapshot,
        bodies: &mut Bodies<'_>,
        rows: &mut Rows<'_>,
        extracted: &mut Extracted,
    ) -> Result<(), Fault> {
        if self.inside.as_ref().is_some_and(|inside| !inside.get(id.0 as usize).copied().unwrap_or(false)) {
            return Ok(());
        }
        let Some((url, page)) = readable(store, id)? else { return Ok(()) };
        if !self.columns.are_for(&url) || self.urls.as_ref().is_some_and(|urls| !urls.matches(&url)) {
            return Ok(());
        }
        let shown = url.to_string();
        let Some(text) = bodies.text(store, url, &page)? else {
            extracted.without_body += 1;
            return Ok(());
        };
        let page = Page::read(&text.text, Some(&text.url));
        if self.learned.as_ref().is_some_and(|learned| !learned.is_for(&page)) {
            return Ok(());
        }
        let read: Vec<CellRead> = self.columns.read(&page, self.limits);
        let has_value = extracted.count(self.columns.heads().map(|(name, _)| name).zip(&read));
        if has_value || self.empty {
            extracted.rows += 1;
            rows.row(&shown, &read)?;
        }
        Ok(())
    }
}

/// A column as it is typed into a shell.
fn typed(column: &Column) -> String {
    let line = column.to_string();
    if !line.contains('\'') {
        return format!("--column '{line}'");
    }
    let quoted = shlex::try_quote(&line).map_or_else(|_| line.clone(), |quoted| quoted.into_owned());
    format!("--column {quoted}")
}

fn holds(held: u64, of: u64) -> String {
    let share = if of == 0 { 0.0 } else { 100.0 * held as f64 / of as f64 };
    format!("the rule gives a value on {} of {} pages of the template ({share:.1} %)", grouped(held), grouped(of))
}
