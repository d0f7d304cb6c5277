//! Where a survey stands, on one screen, for people.

use std::io;
use std::time::Duration;

use groma_model::State;
use groma_model::moment::spoken;
use groma_model::url::learn::Standing as RuleStanding;
use groma_model::wording::{counted, grouped, plain, size};
use groma_tasks::crawl::wording::limit_hit;
use groma_tasks::standing::{Standing, StoredFinding};

use crate::output::Out;

/// Learned rules and findings shown; programs get all.
const SHOWN: usize = 10;

/// Prints the summary as text for people.
pub(crate) fn print(standing: &Standing, out: &mut Out) -> io::Result<()> {
    let paint = out.paint;
    let parts = |state: State| {
        let of_state = |name: &str| groma_model::Reason::ALL.iter().any(|r| r.name() == name && r.state() == state);
        let parts = standing.reasons.iter().filter(|(name, _)| of_state(name));
        let parts: Vec<String> = parts.map(|(name, n)| format!("{} {name}", grouped(*n))).collect();
        if parts.is_empty() { String::new() } else { paint.faint(&format!("  ({})", parts.join(", "))) }
    };
    let cuts: Vec<String> = standing.cut_parts.iter().map(|(key, n)| format!("{} {key}", grouped(*n))).collect();
    let cuts = if cuts.is_empty() { String::new() } else { paint.faint(&format!("  ({})", cuts.join(", "))) };
    out.line(&format!("{:16}{:>12}", "discovered", grouped(standing.discovered)))?;
    out.line(&format!("{:16}{:>12}", "  fetched", grouped(standing.fetched)))?;
    out.line(&format!("{:16}{:>12}{}", "  skipped", grouped(standing.skipped), parts(State::Skipped)))?;
    out.line(&format!("{:16}{:>12}{}", "  excluded", grouped(standing.excluded), parts(State::Excluded)))?;
    let broken = format!("{:>12}", grouped(standing.broken));
    let broken = if standing.broken > 0 { paint.bad(&broken) } else { broken };
    out.line(&format!("{:16}{broken}{}", "  broken", parts(State::Broken)))?;
    out.line(&format!("{:16}{:>12}", "  queued", grouped(standing.queued)))?;
    out.line(&format!("{:16}{:>12}{}", "aliases", grouped(standing.aliases), parts(State::Alias)))?;
    out.line(&format!("{:16}{:>12}  {}", "fetches", grouped(standing.fetches), size(standing.bytes)))?;
    if standing.rendered > 0 {
        out.line(&format!("{:16}{:>12}", "rendered", grouped(standing.rendered)))?;
    }
    out.line(&format!("{:16}{:>12}{cuts}", "cut pages", grouped(standing.cut_pages)))?;
    let layers = standing.layers_finished.map_or_else(|| "none".to_owned(), |last| format!("0 to {last}"));
    out.line(&format!("{:16}{layers:>12}", "depths finished"))?;
    print_workers(standing, out)?;
    print_findings(standing, out)
}

/// Who is at work, where several are.
fn print_workers(standing: &Standing, out: &mut Out) -> io::Result<()> {
    if standing.workers.len() < 2 {
        return Ok(());
    }
    out.line("")?;
    out.line(&out.paint.heading("workers"))?;
    for member in standing.workers.iter().take(SHOWN) {
        out.line(&format!("  {}", member_line(member)))?;
    }
    if standing.workers.len() > SHOWN {
        out.line(&format!("  and {} more: groma status -f json", standing.workers.len() - SHOWN))?;
    }
    Ok(())
}

fn print_findings(standing: &Standing, out: &mut Out) -> io::Result<()> {
    let strong = || standing.learned_rules.iter().filter(|rule| rule.standing == RuleStanding::Strong.name());
    let found: Vec<&StoredFinding> = standing.findings.iter().filter(|f| f.kind != "learned-rule").collect();
    if strong().count() + found.len() > 0 {
        out.line("")?;
        out.line(&out.paint.heading("findings"))?;
    }
    for rule in strong().take(SHOWN) {
        out.line(&format!("  {}", rule.says()))?;
    }
    for finding in found.iter().take(SHOWN) {
        out.line(&format!("  {}: {}: {}", finding.kind, plain(&finding.subject), plain(&finding.detail)))?;
    }
    let more = strong().count().saturating_sub(SHOWN) + found.len().saturating_sub(SHOWN);
    if more > 0 {
        out.line(&format!("  and {} more: groma status -f json", grouped(more as u64)))?;
    }
    if !standing.limits_hit.is_empty() {
        out.line("")?;
        out.line(&out.paint.heading("limits reached"))?;
        for (key, times) in &standing.limits_hit {
            out.line(&format!("  {}", limit_hit(key, *times)))?;
        }
    }
    Ok(())
}

/// One of those who crawl together.
fn member_line(member: &groma_store::workers::Member) -> String {
    let role = if member.leads { "leads" } else { "helps" };
    let silent = if member.silent > 3 { format!(", not heard of for {} s", member.silent) } else { String::new() };
    format!(
        "{} {role}: {}, {}, for {}{silent}",
        member.owner,
        counted(member.hosts, "host", "hosts"),
        counted(member.fetches, "fetch", "fetches"),
        spoken(Duration::from_secs(member.seconds)),
    )
}
