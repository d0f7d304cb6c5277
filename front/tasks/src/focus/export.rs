//! The relevant pages of a focused crawl, to take along: as rows, as objects, or as an archive.

use std::io::{self, Write};

use groma_archive::{Resource, Warc};
use groma_model::wording::write_row;
use groma_settings::Fault;
use groma_settings::clock::now;
use groma_store::focuses::{FocusId, StepRow};
use groma_store::{Folder, Snapshot};

use super::Form;
use super::line::Line;
use crate::focus::wording::{NO_SUCH_FOCUS_HINT, no_such_focus};

/// Rows read at a time.
const ROWS: usize = 1_000;

/// Writes the relevant pages, or all, in the order in which they were found. Returns how many, and how many of them an archive lacks
/// because the survey has no bytes of them.
pub fn export(folder: &Folder, id: FocusId, form: Form, all: bool, out: &mut dyn Write) -> Result<(u64, u64), Fault> {
    let mut focuses = folder.focuses()?;
    let row = focuses.focus(id)?.ok_or_else(|| Fault::new(no_such_focus(id.0), NO_SUCH_FOCUS_HINT))?;
    let (mut count, mut without, mut from) = (0, 0, 0);
    let mut pen = Pen::begin(form, folder, &row.topic, out)?;
    loop {
        let steps = focuses.steps(id, from, ROWS, !all)?;
        let Some(last) = steps.last() else { break };
        from = last.order + 1;
        for step in &steps {
            count += 1;
            without += u64::from(!pen.put(step)?);
        }
    }
    Ok((count, without))
}

/// What writes in a form.
enum Pen<'o> {
    Csv(&'o mut dyn Write),
    Json(&'o mut dyn Write),
    Warc(Warc<&'o mut dyn Write>, Box<dyn Snapshot>),
}

impl<'o> Pen<'o> {
    fn begin(form: Form, folder: &Folder, topic: &str, out: &'o mut dyn Write) -> Result<Pen<'o>, Fault> {
        match form {
            Form::Csv => {
                write_row(out, &COLUMNS)?;
                Ok(Pen::Csv(out))
            }
            Form::Json => Ok(Pen::Json(out)),
            Form::Warc => {
                let agent = format!("groma/{}", env!("CARGO_PKG_VERSION"));
                let about = format!("pages about: {}", topic.replace(['\r', '\n'], " "));
                let fields =
                    [("software", agent.as_str()), ("format", "WARC File Format 1.1"), ("description", &about)];
                Ok(Pen::Warc(Warc::begin(out, now(), &fields)?, folder.read()?))
            }
        }
    }

    /// Writes a step; false if there was nothing of it to write.
    fn put(&mut self, step: &StepRow) -> Result<bool, Fault> {
        match self {
            Pen::Csv(out) => csv(step, out)?,
            Pen::Json(out) => writeln!(out, "{}", step.said)?,
            Pen::Warc(warc, store) => return archive(store, step, warc),
        }
        Ok(true)
    }
}

const COLUMNS: [&str; 12] =
    ["n", "url", "type", "confidence", "r", "content", "links", "cover", "weight", "parent", "relevant", "why"];

fn csv(step: &StepRow, out: &mut dyn Write) -> io::Result<()> {
    let line: Line = serde_json::from_str(&step.said).unwrap_or_default();
    let numbers = [line.confidence, line.r, line.content, line.links, line.cover, line.weight].map(|n| n.to_string());
    let [confidence, r, content, links, cover, weight] = numbers;
    let parent = line.parent.unwrap_or_default();
    let (n, relevant) = (line.n.to_string(), if line.relevant { "yes" } else { "no" });
    let cells =
        [n, line.url, line.r#type, confidence, r, content, links, cover, weight, parent, relevant.to_owned(), line.why];
    write_row(out, &cells)
}

/// Writes a page into the archive; false if the survey has no bytes of it.
fn archive(store: &mut dyn Snapshot, step: &StepRow, warc: &mut Warc<&mut dyn Write>) -> Result<bool, Fault> {
    let (Some(bytes), Some(page)) = (store.body(step.page)?, store.page(step.page)?) else { return Ok(false) };
    let facts = page.facts;
    let media_type = if facts.media_type.is_empty() { "application/octet-stream" } else { &facts.media_type };
    warc.resource(&Resource { url: &step.address, at: facts.fetched_at, media_type, bytes: &bytes })?;
    Ok(true)
}
