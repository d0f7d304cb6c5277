//! A site on a screen: what was found, how sure, where it lies and why, and what to do next.

use groma_model::wording::{counted, grouped, plain};
use groma_settings::Fault;
use groma_store::Folder;
use groma_tasks::bounds::wording::site_found;
use groma_tasks::bounds::{Bounds, Header, Prefix, PriceStep};

use crate::output::Out;

/// Members of the family that are shown on each side of the chosen one.
const BESIDE: usize = 5;
/// Keywords that are shown.
const WORDS: usize = 10;
/// Letters of a place before its reason.
const PLACE: usize = 52;

pub(super) fn print(bounds: &Bounds, folder: &Folder, list: usize, out: &mut Out) -> Result<(), Fault> {
    let header = &bounds.header;
    head(header, out)?;
    let most = if list == 0 { usize::MAX } else { list };
    for (verdict, heading) in [("in", IN), ("undecided", UNDECIDED), ("out", OUT)] {
        let rows: Vec<&Prefix> = bounds.prefixes.iter().filter(|prefix| prefix.verdict == verdict).collect();
        places(heading, rows, most, out)?;
    }
    family(header, out)?;
    if !header.keywords.is_empty() {
        out.line("")?;
        let words: Vec<String> = header.keywords.iter().take(WORDS).map(|keyword| plain(&keyword.word)).collect();
        out.line(&format!("{} {}", out.paint.heading("link texts from elsewhere:"), words.join(", ")))?;
    }
    next(header, folder, out)
}

fn head(header: &Header, out: &mut Out) -> Result<(), Fault> {
    let counts = &header.counts;
    let found = site_found(counts.r#in.into(), counts.undecided.into(), counts.out.into());
    out.line(&format!("{}  {found}", out.paint.heading(&plain(&header.start))))?;
    let sure = (header.confidence * 100.0).round() as u32;
    let weighed = weighed(&header.similarity);
    out.line(&found_how(&header.method, &weighed, header.seeds, counts.hosts, sure, header.decisions))?;
    for warning in &header.warnings {
        out.line(&out.paint.bad(&format!("warning: {}", plain(warning))))?;
    }
    for note in &header.notes {
        out.line(&format!("note: {}", plain(note)))?;
    }
    Ok(())
}

fn places(heading: &str, mut rows: Vec<&Prefix>, most: usize, out: &mut Out) -> Result<(), Fault> {
    if rows.is_empty() {
        return Ok(());
    }
    rows.sort_by(|a, b| b.decides.cmp(&a.decides).then_with(|| a.prefix.cmp(&b.prefix)));
    out.line("")?;
    out.line(&out.paint.heading(&format!("{heading:<9} {:>9}  {:>5}  {}", "pages", "sure", "where")))?;
    for row in rows.iter().take(most) {
        let sure = format!("{}%", (row.confidence * 100.0).round() as u32);
        let place = if row.single { plain(&row.prefix) } else { format!("{}*", plain(&row.prefix)) };
        let counts = format!("{:<9} {:>9}  {sure:>5}", "", grouped(row.decides.into()));
        out.line(&format!("{counts}  {place:PLACE$}  {}", out.paint.faint(&plain(&row.reason))))?;
    }
    let rest = &rows[most.min(rows.len())..];
    if !rest.is_empty() {
        let pages = rest.iter().map(|row| u64::from(row.decides)).sum();
        out.line(&format!("{:<9} {}", "", more_places(rest.len() as u64, pages)))?;
    }
    Ok(())
}

/// The family, where its size changes: the smallest first.
fn family(header: &Header, out: &mut Out) -> Result<(), Fault> {
    if header.family.is_empty() {
        return Ok(());
    }
    out.line("")?;
    out.line(&out.paint.heading(&format!("{:>12} {:>9}  {:>12} {:>12}", "price", "pages", "links within", "across")))?;
    let last_of_size = |at: usize| {
        at == header.chosen || header.family.get(at + 1).is_none_or(|next| next.size != header.family[at].size)
    };
    let shown: Vec<usize> = (0..header.family.len()).filter(|&at| last_of_size(at)).collect();
    let place = shown.iter().position(|&at| at == header.chosen).unwrap_or(0);
    let (from, to) = (place.saturating_sub(BESIDE), (place + BESIDE + 1).min(shown.len()));
    for &at in &shown[from..to] {
        let step = &header.family[at];
        let price = price(step.epsilon);
        let counts = format!("{price:>10} {:>9}", grouped(step.size.into()));
        let line = format!("{counts}  {:>12.2} {:>12.2}", step.inside, step.boundary);
        let line = if at == header.chosen { format!("> {}", out.paint.good(&line)) } else { format!("  {line}") };
        out.line(&line)?;
    }
    Ok(out.line(&because(&plain(&header.why)))?)
}

/// A price with as many digits as say something.
fn price(epsilon: f64) -> String {
    if epsilon <= 0.0 { "-".to_owned() } else { groma_tasks::bounds::plain_price(epsilon) }
}

fn next(header: &Header, folder: &Folder, out: &mut Out) -> Result<(), Fault> {
    let store = folder.shown().display().to_string();
    out.line("")?;
    let mut commands = vec![format!("groma bounds accept URL|FOLDER/ --store {store}   (or reject)")];
    // A lower price that changes something, if there is one.
    let is_larger = |step: &&PriceStep| step.size > header.counts.r#in;
    if let Some(step) = header.family.iter().skip(header.chosen).find(is_larger) {
        let start = plain(&header.start);
        commands.push(format!("groma bounds {start} --epsilon {} --store {store}", price(step.epsilon)));
    }
    commands.push(format!("groma map --scope auto --store {store}"));
    commands.push(format!("groma bounds export --surt -o site.surt --store {store}"));
    for (at, command) in commands.iter().enumerate() {
        out.line(&format!("{} {command}", if at == 0 { "next:  " } else { "       " }))?;
    }
    Ok(())
}

fn found_how(method: &str, weighed: &str, seeds: u32, hosts: u32, sure: u32, decisions: u32) -> String {
    let mut text = format!(
        "found by {method}, {weighed}, from {}, on {}; confidence {sure} % on average",
        counted(seeds.into(), "start page", "start pages"),
        counted(hosts.into(), "host", "hosts")
    );
    if decisions > 0 {
        text.push_str(&format!("; {} by hand", counted(decisions.into(), "decision", "decisions")));
    }
    text
}

fn more_places(places: u64, pages: u64) -> String {
    format!(
        "and {} with {} (--list 0 shows all)",
        counted(places, "more place", "more places"),
        counted(pages, "page", "pages")
    )
}

fn because(why: &str) -> String {
    format!("why this price: {why}")
}

const IN: &str = "IN";

const UNDECIDED: &str = "UNDECIDED";

const OUT: &str = "OUT";

/// By what links count: whether the words of pages did, or their URLs alone.
fn weighed(similarity: &str) -> String {
    match similarity {
        "none" => "links weighed by URLs alone".to_owned(),
        compared => format!("links weighed by URLs and {compared}"),
    }
}
