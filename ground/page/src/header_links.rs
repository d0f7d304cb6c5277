//! Which URLs do the header fields `Refresh` and `Link` name?
//!
//! ```text
//! Link    = #( "<" reference ">" *( OWS ";" OWS name [ "=" ( token / quoted-string ) ] ) )
//! Refresh = as the content of `meta http-equiv=refresh`
//! ```
//!
//! Source: RFC 8288, sections 3.1 to 3.4, by the steps of its appendix B; the "shared declarative refresh steps" of the HTML
//! standard. A field means what its element would mean: the kind follows from `rel` as for `<link>`, relative references hang
//! on the URL of the page (a `base` is part of the page, not of its header), of several `rel` in one link the first counts,
//! and only the first `Refresh` does. What the page itself says comes first, so its own canonical URL outranks that of the
//! header.
//!
//! Cost: linear in the bytes of the fields, which `header_bytes` bounds. Links are kept up to `html_links`, those of the page
//! included; titles up to `anchor_bytes`.
//!
//! Not guaranteed: links about another page than this one (`anchor=`) and the reverse of a relation (`rev=`) name nothing here,
//! `title*` is not decoded, and what follows the first thing that is no link in a field is passed over, as the RFC has it.

use encoding_rs::UTF_8;
use groma_model::outcome::url_in_header;
use groma_model::{BlockKind, Limits, LinkKind, ParsedPage};
use groma_url::Url;

use crate::fold;
use crate::html::{Links, Resolver, link_kind, refresh};

/// Adds to a page what its header fields name. Names of fields are in lower case.
pub fn add_header_links(parsed: &mut ParsedPage, headers: &[(String, String)], page: &Url, limits: &Limits) {
    let of = |name: &str| headers.iter().filter(|(n, _)| n == name).map(|(_, value)| url_in_header(value)).collect();
    let (refreshes, fields): (Vec<_>, Vec<_>) = (of("refresh"), of("link"));
    if refreshes.is_empty() && fields.is_empty() {
        return;
    }
    let mut links = Links::new(limits.html_links.saturating_sub(parsed.links.len() as u64));
    if let Some(address) = refreshes.first().and_then(|value| refresh(value)) {
        links.push(address, LinkKind::Refresh, "", BlockKind::Paragraph);
    }
    let room = usize::try_from(limits.anchor_bytes).unwrap_or(usize::MAX);
    for link in fields.iter().flat_map(|value| Fields(value)) {
        let (Some(kind), false) = (link_kind(link.rel), link.elsewhere) else { continue };
        if let (Some(number), false) = (links.push(link.reference, kind, link.rel, BlockKind::Paragraph), room == 0) {
            links.set_text(number, fold::folded(&link.title, room));
        }
    }
    if links.cut && !parsed.cuts.contains(&"html_links") {
        parsed.cuts.push("html_links");
    }
    parsed.links.extend(links.finish(&Resolver::new(page, UTF_8)));
    if let Some(parts) = &mut parsed.parts {
        // One part for each link: those of the header stand nowhere on the page.
        parts.links.resize(parsed.links.len(), groma_model::LinkPart::default());
    }
}

/// One link of a field, as it is written.
#[derive(Debug, Default, PartialEq, Eq)]
struct Field<'a> {
    reference: &'a str,
    rel: &'a str,
    title: String,
    /// It is about another page.
    elsewhere: bool,
}

/// The links of one field.
struct Fields<'a>(&'a str);

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        let rest = self.0.trim_start_matches([',', ' ', '\t']).strip_prefix('<');
        let Some((reference, rest)) = rest.and_then(|rest| rest.split_once('>')) else {
            self.0 = "";
            return None;
        };
        let mut field = Field { reference, ..Field::default() };
        self.0 = parameters(rest, &mut field);
        Some(field)
    }
}

/// Reads parameters up to the comma that ends the link; gives what follows.
fn parameters<'a>(text: &'a str, field: &mut Field<'a>) -> &'a str {
    let (mut rel, mut title) = (None, None);
    let mut rest = text;
    while let Some(after) = blank(rest).strip_prefix(';') {
        let after = blank(after);
        let name = &after[..after.find(['=', ';', ',', ' ', '\t']).unwrap_or(after.len())];
        rest = blank(&after[name.len()..]);
        let mut value = "";
        if let Some(written) = rest.strip_prefix('=') {
            (value, rest) = read_value(blank(written));
        }
        match name.to_ascii_lowercase().as_str() {
            "rel" => _ = rel.get_or_insert(value),
            "title" => _ = title.get_or_insert(value),
            "anchor" => field.elsewhere = true,
            _ => {}
        }
    }
    field.rel = rel.unwrap_or_default();
    field.title = unescaped(title.unwrap_or_default());
    // Anything else before the comma is passed over.
    rest.find(',').map_or("", |comma| &rest[comma + 1..])
}

/// A value and what follows: in quotation marks up to the next one that is not escaped, else up to `;` or `,`.
fn read_value(text: &str) -> (&str, &str) {
    let Some(inner) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        return (text[..end].trim_end_matches([' ', '\t']), &text[end..]);
    };
    let mut escaped = false;
    let end = inner.find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or((inner, ""), |end| (&inner[..end], &inner[end + 1..]))
}

fn unescaped(value: &str) -> String {
    let mut escaped = false;
    let keep = |c: &char| {
        escaped = *c == '\\' && !escaped;
        !escaped
    };
    value.chars().filter(keep).collect()
}

fn blank(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use groma_model::{Link, Rel, Target};
    use proptest::prelude::*;

    use super::*;

    fn read_with(limits: &Limits, headers: &[(&str, &str)]) -> ParsedPage {
        let headers: Vec<_> = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut parsed = ParsedPage::default();
        add_header_links(&mut parsed, &headers, &Url::parse("http://a.test/d/e?f").unwrap(), limits);
        parsed
    }

    fn read(headers: &[(&str, &str)]) -> Vec<Link> {
        read_with(&Limits::default(), headers).links
    }

    fn shown(link: &Link) -> String {
        let words: Vec<&str> = link.rel.words().collect();
        match &link.target {
            Target::Web(url) => format!("{} {url} {}", link.kind.name(), words.join(" ")).trim_end().to_owned(),
            Target::Malformed(text) => format!("{} !{text}", link.kind.name()),
        }
    }

    fn links(value: &str) -> Vec<String> {
        read(&[("link", value)]).iter().map(shown).collect()
    }

    #[test]
    fn a_refresh_leads_where_its_meta_would() {
        let of = |value: &str| read(&[("refresh", value)]).iter().map(shown).collect::<Vec<_>>();
        assert_eq!(of("0; url=/x"), ["refresh http://a.test/x"]);
        assert_eq!(of("5;URL='y'"), ["refresh http://a.test/d/y"]);
        assert_eq!(of("0;url=https://b.test/"), ["refresh https://b.test/"]);
        assert!(of("5").is_empty() && of("soon; url=/x").is_empty() && of("0;url=javascript:x").is_empty());
        assert_eq!(read(&[("refresh", "0;url=/1"), ("refresh", "0;url=/2")]).len(), 1);
    }

    #[test]
    fn a_link_is_of_the_kind_its_rel_says() {
        assert_eq!(links("</y>; rel=next"), ["related http://a.test/y next"]);
        assert_eq!(links("<y>; rel=\"prev\""), ["related http://a.test/d/y prev"]);
        assert_eq!(links("</c> ;  REL = Canonical"), ["canonical http://a.test/c"]);
        assert_eq!(links("</s>; rel=\"alternate stylesheet\""), ["style http://a.test/s alternate"]);
        assert_eq!(links("</p>; as=style; rel=preload"), ["style http://a.test/p"]);
        assert_eq!(links("</a>; rel=alternate; hreflang=cs"), ["related http://a.test/a alternate"]);
        assert_eq!(links("</n>; rel=\"next nofollow\"; rel=canonical"), ["related http://a.test/n nofollow next"]);
        for nothing in
            ["</y>", "</y>; rel", "</y>; rel=\"\"", "</y>; rev=next", "<//h>; rel=preconnect", "<mailto:a@b>; rel=me"]
        {
            assert!(links(nothing).is_empty(), "{nothing}");
        }
        assert!(links("</y>; rel=next; anchor=\"#part\"").is_empty(), "it is about another page");
    }

    #[test]
    fn many_links_stand_in_one_field_or_in_several() {
        let both = ["related http://a.test/1 next", "related http://a.test/2 prev"];
        assert_eq!(links("</1>; rel=next, </2>; rel=prev"), both);
        assert_eq!(links(" , </1>;rel=next;,,\t</2>;rel=prev;x=\"a, <b>; \\\"c\" , "), both);
        let fields = read(&[("link", "</1>;rel=next"), ("x", "</3>;rel=next"), ("link", "</2>;rel=prev")]);
        assert_eq!(fields.iter().map(shown).collect::<Vec<_>>(), both);
        assert_eq!(links("</1,2;3>; rel=next"), ["related http://a.test/1,2;3 next"]);
        assert_eq!(links("</1>; rel=next, nonsense, </2>; rel=prev"), both[..1]);
        assert!(links("</1; rel=next").is_empty());
        assert_eq!(links("</1>; rel=\"next"), both[..1]);
    }

    #[test]
    fn a_title_is_the_text_of_the_link() {
        let title = |value: &str| read(&[("link", value)]).remove(0).text;
        assert_eq!(title(r#"</y>; rel=next; title="the \"next\"  \\ one""#), r#"the "next" \ one"#);
        assert_eq!(title("</y>; rel=next; title=\"a\\"), "a");
        let limits = Limits { anchor_bytes: 4, ..Limits::default() };
        let long = read_with(&limits, &[("link", &format!("</y>; rel=next; title={}", "é".repeat(60_000)))]);
        assert!(long.links[0].text.len() <= 4);
    }

    #[test]
    fn links_of_the_header_count_among_the_links_of_the_page() {
        let limits = Limits { html_links: 3, ..Limits::default() };
        let parsed = read_with(&limits, &[("link", &"</y>; rel=next, ".repeat(5))]);
        assert_eq!((parsed.links.len(), parsed.cuts.as_slice()), (3, &["html_links"][..]));
        let mut full = ParsedPage { links: parsed.links, ..ParsedPage::default() };
        let headers = [("refresh".to_owned(), "0;url=/x".to_owned())];
        add_header_links(&mut full, &headers, &Url::parse("http://a.test/").unwrap(), &limits);
        assert_eq!((full.links.len(), full.cuts.as_slice()), (3, &["html_links"][..]));
    }

    #[test]
    fn an_address_that_does_not_parse_is_kept_as_malformed() {
        assert_eq!(links("<http://[>; rel=next"), ["related !http://["]);
    }

    #[test]
    fn a_field_of_any_size_is_read_once() {
        for unit in ["<", ">", "<>", "<>;", ";", "\"", "\\", ",", "=", "<a>;rel=\"", "<a>;rel=\\", "<a>;rel=x;", " \t"]
        {
            let value = unit.repeat(262_144 / unit.len());
            let limits = Limits { html_links: 10, ..Limits::default() };
            assert!(read_with(&limits, &[("link", &value), ("refresh", &value)]).links.len() <= 10, "{unit}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(link in "([<>;,=\"\\\\ \t/]|rel|title|anchor|next|canonical|http:|é|\u{0}|\u{202e}|[0-9]){0,40}",
                                refresh in "\\PC{0,40}") {
            let limits = Limits { html_links: 4, ..Limits::default() };
            let page = read_with(&limits, &[("link", &link), ("refresh", &refresh)]);
            prop_assert!(page.links.len() <= 4);
            prop_assert!(page.links.iter().all(|l| l.kind != LinkKind::Anchor && l.text.len() <= 512));
        }

        #[test]
        fn what_is_written_by_the_rfc_is_read(given in proptest::collection::vec(("[a-z0-9/?,;=]{1,12}", "[ -~]{0,12}", any::<bool>()), 0..8)) {
            let write = |(reference, title, quoted): &(String, String, bool)| {
                let title = title.replace('\\', "\\\\").replace('"', "\\\"");
                let rel = if *quoted { "\"next\"" } else { "next" };
                format!("</{reference}> ; title=\"{title}\";rel={rel}")
            };
            let value = given.iter().map(write).collect::<Vec<_>>().join(" ,\t");
            let fields: Vec<Field<'_>> = Fields(&value).collect();
            prop_assert_eq!(fields.len(), given.len());
            for (field, (reference, title, _)) in fields.iter().zip(&given) {
                prop_assert_eq!(&field.reference[1..], reference);
                prop_assert_eq!((&field.title, field.rel, field.elsewhere), (title, "next", false));
                prop_assert!(Rel::parse(field.rel).has(Rel::NEXT));
            }
        }
    }
}
