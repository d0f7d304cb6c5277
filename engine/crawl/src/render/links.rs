//! What a page asked for while it was built is part of it: scripts, styles, data, images, frames, and where it wanted to go.

use std::collections::HashSet;

use groma_model::{BlockKind, Limits, Link, LinkKind, LinkPart, ParsedPage, Rel, Target};
use groma_render::{Asked, Sort};

/// Adds what was asked for to the links of a page, unless they name it already.
pub(crate) fn add_asked(parsed: &mut ParsedPage, asked: &[Asked], limits: &Limits) {
    let key = |link: &Link| match &link.target {
        Target::Web(url) => Some((url.as_str().to_owned(), link.kind)),
        Target::Malformed(_) => None,
    };
    let mut known: HashSet<(String, LinkKind)> = parsed.links.iter().filter_map(key).collect();
    for asked in asked {
        let Some(kind) = kind(asked.sort) else { continue };
        if !known.insert((asked.url.as_str().to_owned(), kind)) {
            continue;
        }
        if parsed.links.len() as u64 >= limits.html_links {
            if !parsed.cuts.contains(&"html_links") {
                parsed.cuts.push("html_links");
            }
            break;
        }
        let target = Target::Web(asked.url.clone());
        parsed.links.push(Link { target, kind, text: String::new(), rel: Rel::default(), block: BlockKind::Paragraph });
    }
    if let Some(parts) = &mut parsed.parts {
        // One part for each link: these stand nowhere on the page.
        parts.links.resize(parsed.links.len(), LinkPart::default());
    }
}

/// Data is what a script asked for: a part of the page, like the script. What would have been posted is no link.
fn kind(sort: Sort) -> Option<LinkKind> {
    match sort {
        Sort::Script | Sort::Data => Some(LinkKind::Script),
        Sort::Style | Sort::Font => Some(LinkKind::Style),
        Sort::Image | Sort::Media => Some(LinkKind::Image),
        Sort::Frame => Some(LinkKind::Frame),
        Sort::Onward => Some(LinkKind::Refresh),
        Sort::Posted => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_url::Url;

    #[test]
    fn each_is_added_once_and_within_the_limit() {
        let asked = |path: &str, sort| Asked { url: Url::parse(&format!("http://a.example/{path}")).unwrap(), sort };
        let all = [
            asked("a", Sort::Script),
            asked("a", Sort::Data),
            asked("b", Sort::Onward),
            asked("c", Sort::Image),
            asked("d", Sort::Posted),
        ];
        let mut page = ParsedPage::default();
        add_asked(&mut page, &all, &Limits::default());
        add_asked(&mut page, &all, &Limits::default());
        let kinds: Vec<LinkKind> = page.links.iter().map(|link| link.kind).collect();
        assert_eq!(kinds, [LinkKind::Script, LinkKind::Refresh, LinkKind::Image]);
        let mut small = ParsedPage::default();
        add_asked(&mut small, &all, &Limits { html_links: 1, ..Limits::default() });
        assert_eq!((small.links.len(), small.cuts), (1, vec!["html_links"]));
    }
}
