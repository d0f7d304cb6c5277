//! What is said about one URL in words and short lists: its standing, its last fetch, its doubles, what is wrong with it.

use groma_check::{Finding, Kind};
use groma_model::wording::{grouped, plain};
use groma_store::PageRow;
use groma_tasks::explain::Explanation;

use crate::pages::layout::short;
use crate::pages::shown::Shown;
use crate::sites::Findings;

/// Findings, twins and candidates shown.
pub(super) const FEW: usize = 25;

/// A finding on the page, or with a link to it.
pub(super) struct FindingView {
    pub(super) kind: Kind,
    pub(super) says: String,
    pub(super) other: Option<Shown>,
    pub(super) here: bool,
}

pub(super) fn standing(told: &Explanation) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    facts.extend(told.since.as_ref().map(|since| ("Since", moment(since))));
    if told.queued {
        facts.push(("Queue", "it waits for its turn".to_owned()));
    }
    let how = if told.robots.allowed == Some(false) { "Linked as" } else { "Fetched as" };
    facts.extend(told.fetched_as.as_ref().map(|url| (how, short(url, 400))));
    facts.push(("Scope", plain(&told.scope.says)));
    facts.push(("robots.txt", short(&told.robots.says, 400)));
    if told.known {
        facts.push(("Depth", told.depth.map_or("no link leads to it".to_owned(), |depth| depth.to_string())));
    }
    facts.extend(told.via_kind.map(|kind| ("Found by", format!("a link of kind {kind}"))));
    facts
}

/// What its last fetch told; what is empty is left out.
pub(super) fn fetched(told: &Explanation, row: Option<&PageRow>) -> Vec<(&'static str, String)> {
    let Some(fetch) = &told.last_fetch else { return Vec::new() };
    let status = fetch.status.map_or("no answer".to_owned(), |status| status.to_string());
    let own = |text: Option<&String>| text.cloned().unwrap_or_default();
    let facts = row.map(|row| &row.facts);
    let mut all = vec![
        ("When", moment(&fetch.at)),
        ("Status", status),
        ("Took", format!("{} ms", grouped(fetch.elapsed_ms.into()))),
        ("Type", fetch.r#type.clone()),
        ("Size", if fetch.r#type.is_empty() { String::new() } else { groma_model::wording::size(fetch.size) }),
        ("Words", if fetch.words > 0 { grouped(fetch.words.into()) } else { String::new() }),
        ("Title", fetch.title.clone()),
        ("Language", fetch.language.clone()),
        ("Charset", fetch.charset.clone()),
        ("Last-Modified", fetch.last_modified.clone()),
        ("ETag", fetch.etag.clone()),
        ("Expires", own(facts.map(|facts| &facts.expires))),
        ("Content-Language", own(facts.map(|facts| &facts.content_language))),
        ("Text changed", fetch.changed_at.as_deref().map(moment).unwrap_or_default()),
        ("Cut by limits", fetch.cuts.clone()),
        ("Built by a browser", fetch.rendered.clone().unwrap_or_default()),
        ("Note", fetch.note.clone()),
    ];
    let asks = [("noindex", fetch.noindex), ("nofollow", fetch.nofollow)];
    let asks: Vec<&str> = asks.into_iter().filter(|(_, said)| *said).map(|(word, _)| word).collect();
    all.push(("Asks robots", asks.join(", ")));
    all.into_iter().map(|(name, text)| (name, short(&text, 400))).filter(|(_, text)| !text.is_empty()).collect()
}

fn moment(exact: &str) -> String {
    exact.chars().take(16).collect::<String>().replace('T', " ")
}

/// Pages with the same text, or nearly.
pub(super) fn twins(site: &str, findings: &Findings, address: &str) -> Vec<(Shown, &'static str)> {
    let doubles =
        || findings.all.iter().filter(|finding| matches!(finding.kind, Kind::Duplicate | Kind::NearDuplicate));
    let of = |finding: &Finding| (finding.from == address).then(|| finding.to.clone()).flatten();
    // A group of doubles has one page that the others are doubles of.
    let first = doubles().find_map(of).unwrap_or_else(|| address.to_owned());
    let mut twins = Vec::new();
    if first != address {
        let kind = doubles().find(|finding| finding.from == address).map(|finding| finding.kind);
        twins.push((Shown::address(site, &first), similarity(kind)));
    }
    let others = doubles().filter(|finding| finding.to.as_deref() == Some(first.as_str()) && finding.from != address);
    twins.extend(others.take(FEW).map(|finding| (Shown::address(site, &finding.from), similarity(Some(finding.kind)))));
    twins
}

fn similarity(kind: Option<Kind>) -> &'static str {
    if kind == Some(Kind::NearDuplicate) { "nearly the same text" } else { "the same text" }
}

/// What is wrong on the page, and with links to it.
pub(super) fn findings(site: &str, findings: &Findings, address: &str) -> Vec<FindingView> {
    let about = findings.all.iter().filter(|finding| finding.from == address || finding.to.as_deref() == Some(address));
    about
        .map(|finding| {
            let here = finding.from == address;
            let other = if here { finding.to.as_deref() } else { Some(finding.from.as_str()) };
            let mut says: Vec<String> = Vec::new();
            says.extend(finding.reason.map(|reason| reason.says().to_owned()));
            if !finding.anchor.is_empty() {
                says.push(format!("“{}”", short(&finding.anchor, 80)));
            }
            if !finding.detail.is_empty() {
                says.push(short(&finding.detail, 160));
            }
            FindingView {
                kind: finding.kind,
                says: says.join("; "),
                other: other.map(|other| Shown::address(site, other)),
                here,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use groma_check::Summary;

    use super::*;

    fn double(from: &str, to: &str) -> Finding {
        Finding { to: Some(to.to_owned()), ..Finding::of_page(Kind::Duplicate, from.to_owned()) }
    }

    #[test]
    fn all_doubles_of_a_page_are_told_whichever_is_the_first() {
        let all =
            vec![double("http://b/", "http://a/"), double("http://c/", "http://a/"), double("http://y/", "http://x/")];
        let known = Findings { all, summary: Summary::default(), cut: false, horizon: None };
        let of = |address: &str| twins("s", &known, address).into_iter().map(|(page, _)| page.name).collect::<Vec<_>>();
        assert_eq!(of("http://a/"), ["http://b/", "http://c/"]);
        assert_eq!(of("http://b/"), ["http://a/", "http://c/"]);
        assert!(of("http://z/").is_empty());
        assert_eq!(findings("s", &known, "http://a/").len(), 2);
        assert!(findings("s", &known, "http://b/")[0].here);
    }
}
