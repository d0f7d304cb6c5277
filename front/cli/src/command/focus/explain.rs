//! Everything about one page of a focused crawl.

use groma_model::Limits;
use groma_model::wording::plain;
use groma_settings::Fault;
use groma_tasks::focus::Line;
use groma_tasks::focus::wording::NOT_VISITED_HINT;
use groma_tasks::glance::{PartSeen, stored};
use groma_tasks::lookup;
use serde::Serialize;

use super::meant;
use crate::Exit;
use crate::args::{OutputArgs, WhichFocus};
use crate::output::{Format, Out};

/// What is told.
#[derive(Serialize)]
struct Explained {
    topic: String,
    strategy: String,
    #[serde(flatten)]
    line: Line,
    blocks: Vec<PartSeen>,
    /// The way from a start page, that page first.
    way: Vec<String>,
}

/// Pages of the way that are told.
const WAY: usize = 100;

pub(super) fn run(url: &str, which: &WhichFocus, output: &OutputArgs) -> Result<Exit, Fault> {
    let (folder, mut focuses, row) = meant(which)?;
    let mut store = folder.read()?;
    let page = lookup::page(&mut store, url)?;
    let step = focuses.step_of(row.id, page)?;
    let step = step.ok_or_else(|| Fault::new(not_visited(url), NOT_VISITED_HINT))?;
    let line: Line = serde_json::from_str(&step.said).unwrap_or_default();
    let blocks = stored(&mut store, page, &Limits::default()).map(|(seen, _)| seen.blocks).unwrap_or_default();
    let mut way = Vec::new();
    let mut parent = line.parent.clone();
    while let Some(address) = parent.filter(|_| way.len() < WAY) {
        let above = lookup::page(&mut store, &address)?;
        let said = focuses.step_of(row.id, above)?.map(|step| step.said).unwrap_or_default();
        parent = serde_json::from_str::<Line>(&said).unwrap_or_default().parent;
        way.push(address);
    }
    way.reverse();
    let told = Explained { topic: row.topic, strategy: row.strategy, line, blocks, way };
    let mut out = Out::open(output.output.as_deref())?;
    match output.format {
        Format::Json => out.json(&told)?,
        Format::Csv => {
            out.csv(&["key", "value"])?;
            pairs(&told).iter().try_for_each(|(key, value)| out.csv(&[*key, value.as_str()]))?;
        }
        Format::Text => {
            for (key, value) in pairs(&told) {
                let line = format!("{} {}", out.paint.heading(&format!("{key:14}")), plain(&value));
                out.line(&line)?;
            }
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn pairs(told: &Explained) -> Vec<(&'static str, String)> {
    let line = &told.line;
    let verdict = if line.relevant { "relevant" } else { "not relevant" };
    let mut pairs = vec![
        ("URL", line.url.clone()),
        ("topic", format!("{} ({})", told.topic, told.strategy)),
        ("verdict", verdict.to_owned()),
        ("fetched as", format!("number {}, {}", line.n, line.why)),
        ("type", format!("{} ({:.0} % sure)", line.r#type, line.confidence * 100.0)),
        ("R", format!("{} = .7 x content {} + .3 x links {}", line.r, line.content, line.links)),
        ("words covered", format!("{:.0} %", line.cover * 100.0)),
    ];
    pairs.extend(line.cosines.iter().map(|(part, cosine)| ("cosine", format!("{cosine:.4} {part}"))));
    pairs.push(("weight", line.weight.to_string()));
    pairs.extend(line.arm.iter().map(|arm| ("arm", arm.clone())));
    pairs.extend(told.way.iter().map(|address| ("by way of", address.clone())));
    let part = |part: &PartSeen| ("part", format!("{} ({:.0} %): {}", part.kind, part.confidence * 100.0, part.text));
    pairs.extend(told.blocks.iter().map(part));
    pairs
}

fn not_visited(address: &str) -> String {
    format!("the focused crawl did not go to {address}")
}
