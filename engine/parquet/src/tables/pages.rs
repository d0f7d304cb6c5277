//! The table `pages`: every URL of the survey, whatever its state. Documented for users in `docs/parquet.md`; a test holds
//! the two together.

use groma_store::{AddressRow, PageRow};

use crate::error::TableError;
use crate::tables::batch::RowWriter;
use crate::tables::host::Site;
use crate::tables::schema::{Column, Kind, Table, always, maybe};

const COLUMNS: [Column; 37] = [
    always("id", Kind::Number),
    always("url", Kind::Own),
    maybe("origin", Kind::Text),
    maybe("host", Kind::Text),
    maybe("domain", Kind::Text),
    always("state", Kind::Word),
    always("reason", Kind::Word),
    maybe("depth", Kind::Small),
    maybe("via", Kind::Number),
    maybe("via_kind", Kind::Word),
    maybe("alias_of", Kind::Number),
    always("queued", Kind::Flag),
    always("since", Kind::Moment),
    maybe("status", Kind::Small),
    maybe("media_type", Kind::Text),
    maybe("charset", Kind::Text),
    maybe("language", Kind::Text),
    maybe("content_language", Kind::Text),
    maybe("size", Kind::Long),
    maybe("title", Kind::Text),
    maybe("words", Kind::Small),
    maybe("fetched", Kind::Moment),
    maybe("elapsed_ms", Kind::Small),
    maybe("changed", Kind::Moment),
    maybe("last_modified", Kind::Text),
    maybe("etag", Kind::Own),
    maybe("expires", Kind::Text),
    maybe("canonical", Kind::Number),
    maybe("noindex", Kind::Flag),
    maybe("nofollow", Kind::Flag),
    maybe("text_digest", Kind::Own),
    maybe("body_digest", Kind::Own),
    maybe("near_digest", Kind::Own),
    maybe("cuts", Kind::Text),
    maybe("note", Kind::Text),
    always("digest", Kind::Own),
    maybe("rank", Kind::Real),
];

pub(crate) static PAGES: Table = Table { name: "pages", columns: &COLUMNS };

pub(crate) fn fill(
    row: &mut RowWriter<'_>,
    address: &AddressRow,
    site: &Site,
    page: Option<&PageRow>,
    rank: Option<f64>,
) -> Result<(), TableError> {
    let number = |id: groma_model::PageId| i64::from(id.0);
    row.number(number(address.id))
        .text(address.url.as_str())
        .known(&site.origin)
        .known(&site.host)
        .known(&site.domain)
        .word(address.state().name())
        .word(address.reason.name())
        .number(address.depth.known().map(i64::from))
        .number(address.via.map(number))
        .word(address.via.and(address.via_kind).map(groma_model::LinkKind::name))
        .number(address.alias_of.map(number))
        .flag(address.queued)
        .moment(address.since);
    // Nothing is known of a page that nobody has asked for: an imported one has facts, but no moment at which it was fetched.
    let page = page.filter(|page| page.facts.fetched_at > 0);
    let facts = page.map(|page| &page.facts);
    let text =
        |of: fn(&groma_store::FetchFacts) -> &String| facts.map(of).filter(|text| !text.is_empty()).map(String::as_str);
    let print = |print: Option<groma_model::Fp>| print.map(groma_model::Fp::hex);
    let near = facts.filter(|facts| facts.text_fp.is_some()).map(|facts| format!("{:016x}", facts.near_fp));
    row.number(facts.map(|facts| i64::from(facts.status)))
        .text(text(|facts| &facts.media_type))
        .text(text(|facts| &facts.charset))
        .text(text(|facts| &facts.language))
        .text(text(|facts| &facts.content_language))
        .number(facts.map(|facts| i64::try_from(facts.size).unwrap_or(i64::MAX)))
        .text(text(|facts| &facts.title))
        .number(facts.map(|facts| i64::from(facts.words)))
        .moment(facts.map(|facts| facts.fetched_at))
        .number(facts.map(|facts| i64::from(facts.elapsed_ms)))
        .moment(page.map(|page| page.changed_at).filter(|at| *at > 0))
        .text(text(|facts| &facts.last_modified))
        .text(text(|facts| &facts.etag))
        .text(text(|facts| &facts.expires))
        .number(facts.and_then(|facts| facts.canonical).map(number))
        .flag(facts.map(|facts| facts.noindex))
        .flag(facts.map(|facts| facts.nofollow))
        .text(print(facts.and_then(|facts| facts.text_fp)).as_deref())
        .text(print(facts.and_then(|facts| facts.body_fp)).as_deref())
        .text(near.as_deref())
        .text(text(|facts| &facts.cuts))
        .text(text(|facts| &facts.note))
        .text(address.fp.hex().as_str())
        .real(rank)
        .end()
}
