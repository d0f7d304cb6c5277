//! JSON Lines: an object a finding, nothing else. This is also the form of a baseline.
//!
//! Fields: kind, severity, from, to, anchor, block, link, reason, since (RFC 3339, UTC), detail, next, new, key. What does not apply
//! is null. Beyond what JSON asks for, characters that a terminal would obey (controls, marks of direction, line separators)
//! are written as escapes.

use std::io::{self, Write};

use groma_model::escape::JsonInert;
use groma_model::moment::rfc3339;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::telling::Teller;
use crate::closing::Closing;
use crate::finding::Finding;

#[derive(Serialize)]
struct Line<'a> {
    kind: &'static str,
    severity: &'static str,
    from: &'a str,
    to: Option<&'a str>,
    anchor: Option<&'a str>,
    block: Option<&'static str>,
    link: Option<&'static str>,
    reason: Option<&'static str>,
    since: Option<String>,
    detail: Option<&'a str>,
    next: &'static str,
    new: bool,
    key: String,
}

/// Writes a finding as one line.
pub fn write_line(to: &mut dyn Write, finding: &Finding) -> io::Result<()> {
    let line = Line {
        kind: finding.kind.name(),
        severity: finding.kind.severity().name(),
        from: &finding.from,
        to: finding.to.as_deref(),
        // A link without words has the empty text; a finding about no link has none.
        anchor: finding.link.map(|_| finding.anchor.as_str()),
        block: finding.block.map(|block| block.name()),
        link: finding.link.map(|link| link.name()),
        reason: finding.reason.map(|reason| reason.name()),
        since: (finding.since > 0).then(|| rfc3339(finding.since)),
        detail: Some(finding.detail.as_str()).filter(|detail| !detail.is_empty()),
        next: finding.next,
        new: finding.new,
        key: finding.key().hex(),
    };
    write_inert(to, &line)?;
    to.write_all(b"\n")
}

/// Writes a value in which nothing acts on a terminal.
pub(super) fn write_inert(to: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(to, InertStrings))?)
}

/// Escapes what a terminal would obey.
struct InertStrings;

impl Formatter for InertStrings {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        write!(to, "{}", JsonInert(fragment))
    }
}

/// Tells findings as JSON Lines.
pub struct Json<'w> {
    to: &'w mut dyn Write,
}

impl<'w> Json<'w> {
    pub fn new(to: &'w mut dyn Write) -> Json<'w> {
        Json { to }
    }
}

impl Teller for Json<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        write_line(self.to, finding)
    }

    fn close(&mut self, _: &Closing<'_>) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use groma_model::wording::is_active;
    use groma_model::{BlockKind, LinkKind, Reason};

    use super::*;
    use crate::finding::Kind;

    #[test]
    fn a_line_has_all_fields() {
        let finding = Finding {
            to: Some("https://a.org/x".into()),
            anchor: "shop".into(),
            block: Some(BlockKind::ListItem),
            link: Some(LinkKind::Anchor),
            reason: Some(Reason::NotFound),
            since: 86_400,
            ..Finding::of_page(Kind::InvalidLink, "https://a.org/".into())
        };
        let mut out = Vec::new();
        write_line(&mut out, &finding).unwrap();
        let expected = format!(
            "{{\"kind\":\"invalid-link\",\"severity\":\"error\",\"from\":\"https://a.org/\",\"to\":\"https://a.org/x\",\
             \"anchor\":\"shop\",\"block\":\"list-item\",\"link\":\"anchor\",\"reason\":\"not-found\",\
             \"since\":\"1970-01-02T00:00:00Z\",\"detail\":null,\"next\":\"{}\",\"new\":true,\"key\":\"{}\"}}\n",
            Kind::InvalidLink.next_step(),
            finding.key().hex()
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn texts_come_back_as_they_were_and_terminals_are_safe() {
        let hostile = "\u{0}\u{1b}[31m\u{9b}2J\u{202e}\u{2028}</script>\"\\\n\u{10ffff}";
        let mut out = Vec::new();
        write_line(&mut out, &Finding::of_page(Kind::Orphan, hostile.into())).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.trim_end_matches('\n').contains(is_active), "{text:?}");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["from"], hostile);
    }
}
