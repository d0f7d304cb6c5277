//! A focused crawl from what was asked to its end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};

use groma_crawl::{End, PageSeen, Progress};
use groma_model::PageId;
use groma_settings::clock::now;
use groma_settings::saved::Saved;
use groma_settings::value::Value;
use groma_settings::{Book, Fault, Origin};
use groma_store::focuses::{Focuses, NewFocus};
use groma_store::{Folder, StoreError};
use groma_strategy::{Memory, Plan, Strategy, Visit, focus};
use groma_url::Url;

use super::topic::{self, Asker};
use super::trail::Trail;
use super::{Closing, Line};
use crate::crawl::prepare::{CrawlRequest, Requester};
use crate::crawl::seeds;
use crate::crawl::survey::{Opened, Survey, Task};
use crate::task::Focus;
use crate::task::scalar::Real;

/// Somebody who watches a focused crawl: each page as its judgement comes.
pub trait Watch: groma_crawl::Watch {
    /// A page was fetched and judged; with it there are so many relevant pages.
    fn step(&mut self, line: &Line, relevant: u32);
}

/// A focused crawl that came to its end, or was interrupted.
#[derive(Clone, Debug)]
pub struct Focused {
    /// What is to be said.
    pub closing: Closing,
    /// How the crawl ended.
    pub end: End,
}

/// A focused crawl keeps its pages as they came, unless somebody said otherwise: they are what it was for.
fn keep_bodies(book: &mut Book) {
    if book.entry("bodies").origin == Origin::Default {
        book.fill_in("bodies", Value::Text("keep".to_owned()));
    }
}

/// The survey that a focused crawl is about, and what it is to do there, with the start pages it has.
pub fn requested(
    folder: &Folder,
    task: &Focus,
    saved: Option<&Saved>,
    requester: Requester<'_>,
    say: &mut dyn FnMut(&str),
) -> Result<(Survey, Focus), Fault> {
    let seeds = seeds::read(&task.seeds, None, say)?;
    let request = CrawlRequest { task: Task::Crawl, seeds, settings: &task.settings, also_exclude: &[] };
    let mut survey = Survey::requested(folder, request, saved, requester, say)?;
    survey.aside = true;
    keep_bodies(&mut survey.book);
    let seeds = survey.seeds.iter().map(Url::to_string).collect();
    Ok((survey, Focus { seeds, ..task.clone() }))
}

/// Runs a focused crawl in a survey that is open for writing, or goes on with it.
pub fn focus(
    opened: Opened,
    task: &Focus,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Focused, Fault> {
    let asker = Asker { settings: &opened.settings, owned: opened.owned, guarded: opened.guarded };
    let about = task.about()?;
    let topic = topic::topic(&about, asker)?;
    let mut settings = focus::Settings::new(topic, task.strategy.0, task.pages());
    settings.weights.any_type = task.any_type;
    settings.weights.threshold = task.threshold.map(Real::get);
    if let Some(batch) = task.batch {
        settings.batch = batch.get() as usize;
    }
    let mut focuses = opened.folder.focuses()?;
    let key = key_of(&mut focuses, task)?;
    let row = focuses.begin(&NewFocus {
        key,
        topic: about.name(),
        strategy: task.strategy.to_string(),
        asked: task.stored(),
        at: now(),
    })?;
    let (lines, told) = channel();
    let trail = Trail::open(focuses, row.id)?;
    let mut traced = Traced { focus: focus::Focus::new(settings), trail, lines, failed: None };
    let mut listener = Listener { watch, told };
    let (summary, ..) = opened.crawl_by(&mut traced, &mut listener, interrupt)?;
    traced.look();
    listener.hear();
    let Traced { focus, mut trail, failed, .. } = traced;
    if let Some(error) = failed {
        return Err(error.into());
    }
    let ended = focus.ended();
    let (end, says) = match ended {
        Some(end) => (end.name(), end.to_string()),
        None if summary.end == End::Interrupted => {
            ("interrupted", "interrupted: the same command goes on where it stopped".to_owned())
        }
        // Nothing it wanted could be had, and it was not asked again.
        None => (focus::End::FrontierExhausted.name(), focus::End::FrontierExhausted.to_string()),
    };
    trail.end(Some(end).filter(|_| summary.end != End::Interrupted))?;
    let (fetched, read, relevant) = (trail.fetched, trail.read, trail.relevant);
    let closing = Closing {
        id: row.id.0,
        topic: row.topic,
        strategy: row.strategy,
        fetched,
        read,
        relevant,
        harvest: Closing::rate(relevant, fetched),
        end: end.to_owned(),
        says,
    };
    Ok(Focused { closing, end: summary.end })
}

/// The key of this crawl, as whichever version began it wrote it.
fn key_of(focuses: &mut Focuses, task: &Focus) -> Result<String, StoreError> {
    let same = |asked: &str| Focus::read_stored(asked).is_ok_and(|other| other.is_same(task));
    let known = focuses.focuses()?.into_iter().find(|row| same(&row.asked));
    Ok(known.map_or_else(|| task.key(), |row| row.key))
}

/// The strategy, and what it does written down as it does it.
struct Traced {
    focus: focus::Focus,
    trail: Trail,
    lines: Sender<(Line, u32)>,
    failed: Option<StoreError>,
}

impl Traced {
    /// Looks what is new.
    fn look(&mut self) {
        let (lines, mut relevant) = (&self.lines, self.trail.relevant);
        if self.focus.steps().len() < self.trail.seen() {
            relevant = 0;
        }
        let mut tell = |line: &Line| {
            relevant += u32::from(line.relevant);
            // Nobody listens any more only when all is over.
            let _ = lines.send((line.clone(), relevant));
        };
        if let Err(error) = self.trail.take(self.focus.steps(), &mut tell) {
            self.failed.get_or_insert(error);
        }
    }
}

impl Strategy for Traced {
    fn name(&self) -> &'static str {
        self.focus.name()
    }

    fn begin(&mut self, seeds: &[PageId], plan: &mut Plan) {
        self.focus.begin(seeds, plan);
        self.look();
    }

    fn visit(&mut self, visit: &Visit<'_>, plan: &mut Plan) {
        self.focus.visit(visit, plan);
    }

    fn round(&mut self, finished: u32, plan: &mut Plan) {
        self.look();
        if self.failed.is_some() {
            return plan.stop();
        }
        self.focus.round(finished, plan);
    }

    fn memory(&mut self) -> Option<&mut dyn Memory> {
        self.focus.memory()
    }

    fn report(&self) -> Option<(&'static str, String)> {
        self.focus.report()
    }
}

/// Passes on what the strategy says to whoever watches the crawl.
struct Listener<'w> {
    watch: &'w mut dyn Watch,
    told: Receiver<(Line, u32)>,
}

impl Listener<'_> {
    fn hear(&mut self) {
        for (line, relevant) in self.told.try_iter() {
            self.watch.step(&line, relevant);
        }
    }
}

impl groma_crawl::Watch for Listener<'_> {
    fn page(&mut self, page: &PageSeen<'_>) {
        self.watch.page(page);
    }

    fn tick(&mut self, progress: &Progress) {
        self.hear();
        self.watch.tick(progress);
    }

    fn notice(&mut self, line: &str) {
        self.watch.notice(line);
    }
}
