//! What is this file? Answered to programs: document information, XMP, and what the reader should do when it opens it.

use std::io;

use groma_model::escape::Xml;
use groma_model::moment;
use pdf_writer::types::PageMode;
use pdf_writer::writers::{Catalog, DocumentInfo};
use pdf_writer::{Date, Finish, Name, Ref, TextStr};

use super::body::Body;
use super::script::clean;
use crate::Heading;

/// Titles of documents are not cut by the eye, but by this number of characters.
const LONGEST: usize = 300;

/// A text of a stranger, short and clean, for bookmarks and properties.
pub(super) fn plain(text: &str) -> String {
    let mut plain: String = clean(text).take(LONGEST).collect();
    if clean(text).nth(LONGEST).is_some() {
        plain.push('…');
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// The title of the document.
fn title(heading: &Heading) -> String {
    let site = plain(if heading.site.trim().is_empty() { &heading.root } else { &heading.site });
    if site.is_empty() { "Site map".into() } else { format!("Site map of {site}") }
}

/// Writes the document information.
pub(super) fn information(heading: &Heading, body: &mut Body<'_>, id: Ref) -> io::Result<()> {
    let (days, seconds) = (heading.drawn.div_euclid(86_400), heading.drawn.rem_euclid(86_400));
    let (year, month, day) = moment::date(days);
    let date = Date::new(year.clamp(0, 9999) as u16).month(month as u8).day(day as u8);
    let date = date.hour((seconds / 3600) as u8).minute((seconds / 60 % 60) as u8).second((seconds % 60) as u8);
    let date = date.utc_offset_hour(0).utc_offset_minute(0);
    body.object(id, |chunk| {
        let mut info = chunk.indirect(id).start::<DocumentInfo<'_>>();
        info.title(TextStr(&title(heading))).subject(TextStr(&plain(&heading.root)));
        info.creator(TextStr(&plain(&heading.generator))).producer(TextStr(&plain(&heading.generator)));
        info.creation_date(date).modified_date(date);
    })
}

/// Writes the XMP packet. It is not compressed: programs that know no PDF look for it.
pub(super) fn xmp(heading: &Heading, body: &mut Body<'_>, id: Ref) -> io::Result<()> {
    let (title, root, tool) = (title(heading), plain(&heading.root), plain(&heading.generator));
    let (title, root, tool) = (Xml(&title), Xml(&root), Xml(&tool));
    let date = moment::rfc3339(heading.drawn);
    let packet = format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\">\n\
         <dc:format>application/pdf</dc:format>\n\
         <dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{title}</rdf:li></rdf:Alt></dc:title>\n\
         <dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">{root}</rdf:li></rdf:Alt></dc:description>\n\
         <dc:language><rdf:Bag><rdf:li>en</rdf:li></rdf:Bag></dc:language>\n\
         <xmp:CreateDate>{date}</xmp:CreateDate><xmp:ModifyDate>{date}</xmp:ModifyDate>\n\
         <xmp:CreatorTool>{tool}</xmp:CreatorTool><pdf:Producer>{tool}</pdf:Producer>\n\
         </rdf:Description>\n</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>"
    );
    body.object(id, |chunk| {
        chunk.metadata(id, packet.as_bytes());
    })
}

/// Writes the catalog: the root of the file.
pub(super) fn catalog(body: &mut Body<'_>, id: Ref, pages: Ref, outline: Option<Ref>, xmp: Ref) -> io::Result<()> {
    body.object(id, |chunk| {
        let mut catalog = chunk.indirect(id).start::<Catalog<'_>>();
        catalog.pages(pages).metadata(xmp).lang(TextStr("en"));
        if let Some(outline) = outline {
            catalog.outlines(outline).page_mode(PageMode::UseOutlines);
        }
        catalog.viewer_preferences().pair(Name(b"DisplayDocTitle"), true).finish();
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_strangers_are_short_and_clean() {
        assert_eq!(plain(" a\u{0}\u{202e}b\n"), "a b");
        assert_eq!(plain(&"x".repeat(100_000)).chars().count(), LONGEST + 1);
    }
}
