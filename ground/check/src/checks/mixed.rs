//! Mixed content: which secure pages ask for parts of themselves without encryption?
//!
//! A page of https with a link of kind script, style or frame to a URL of http is `mixed-content`: browsers block it (Mixed
//! Content, W3C). So is a form that sends to http: browsers warn. An image is `mixed-image`: browsers ask by https or complain.
//! Addresses of this very machine count as secure, as they do for browsers.
//! Icons and fonts come as styles and are told as such. Not seen: what style sheets and scripts ask for, and URLs that the
//! rules of the survey rewrote to https before they were kept.

use groma_model::{LinkKind, PageId};

use crate::facts::{Facts, Mark};
use crate::finding::Kind;

/// What a link of this kind from one URL to another is.
pub(crate) fn judge(facts: &Facts, from: PageId, to: PageId, link: LinkKind) -> Option<Kind> {
    let kind = match link {
        LinkKind::Image => Kind::MixedImage,
        LinkKind::Script | LinkKind::Style | LinkKind::Frame | LinkKind::Form => Kind::MixedContent,
        _ => return None,
    };
    (facts.has(from, Mark::Secure) && facts.has(to, Mark::Insecure)).then_some(kind)
}

#[cfg(test)]
mod tests {
    use groma_model::Reason;

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    #[test]
    fn only_parts_without_encryption_on_secure_pages_count() {
        for (page, part, link, expected) in [
            ("https://a.org/", "http://b.org/x.js", LinkKind::Script, Some(Kind::MixedContent)),
            ("https://a.org/", "http://b.org/x.css", LinkKind::Style, Some(Kind::MixedContent)),
            ("https://a.org/", "http://b.org/frame", LinkKind::Frame, Some(Kind::MixedContent)),
            ("https://a.org/", "http://b.org/send", LinkKind::Form, Some(Kind::MixedContent)),
            ("https://a.org/", "http://b.org/x.png", LinkKind::Image, Some(Kind::MixedImage)),
            ("https://a.org/", "http://b.org/", LinkKind::Anchor, None),
            ("https://a.org/", "https://b.org/x.js", LinkKind::Script, None),
            ("https://a.org/", "http://localhost:80/x.js", LinkKind::Script, None),
            ("http://a.org/", "http://b.org/x.js", LinkKind::Script, None),
        ] {
            let mut survey = Survey::default();
            let (from, to) = (survey.indexed(page), survey.add(part, Reason::Asset));
            survey.link(from, to, "").kind = link;
            for kind in [Kind::MixedContent, Kind::MixedImage] {
                let findings = found(&mut survey, kind);
                assert_eq!(findings.len(), usize::from(expected == Some(kind)), "{page} {part} {}", link.name());
            }
        }
    }
}
