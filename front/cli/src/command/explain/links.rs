//! The links of an explained URL, for people.

use groma_model::wording::{counted, grouped, plain};
use groma_tasks::explain::{LinkRow, Links};

use crate::output::Out;

pub(super) fn print(links: &Links, out: &mut Out) -> std::io::Result<()> {
    out.line(&out.paint.heading(&format!("linked from {}", counted(links.pages_in, "page", "pages"))))?;
    print_rows(out, &links.r#in, links.pages_in)?;
    let kinds: Vec<String> = links.kinds_out.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n))).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    out.line(&out.paint.heading(&format!("links to {}{kinds}", counted(links.links_out, "URL", "URLs"))))?;
    print_rows(out, &links.out, links.links_out)
}

fn print_rows(out: &mut Out, rows: &[LinkRow], all: u64) -> std::io::Result<()> {
    for row in rows {
        let text = if row.text.is_empty() { String::new() } else { format!("  \"{}\"", row.text) };
        let rel = if row.rel.is_empty() { String::new() } else { format!("  rel={}", row.rel) };
        out.line(&format!("  {:9} {}{}", row.kind.unwrap_or("link"), plain(&row.url), plain(&format!("{text}{rel}"))))?;
    }
    let more = all.saturating_sub(rows.len() as u64);
    if more > 0 { out.line(&format!("  and {} more", grouped(more))) } else { Ok(()) }
}
