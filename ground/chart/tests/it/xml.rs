//! The reference form: well-formed whatever the labels, valid by its schema, and turned into XHTML and PDF by its sheets.

use groma_chart::{Field, Labels, SiteMap, xml};
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::hostile::Hostile;
use crate::made_up::MadeUp;
use crate::programs::{content, file, run};

fn drawn(map: &SiteMap<'_>, labels: &mut dyn Labels) -> Vec<u8> {
    let mut out = Vec::new();
    xml::render(map, labels, &mut out).unwrap();
    out
}

fn drawn_site(site: &MadeUp) -> Vec<u8> {
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.fields = Field::ALL.to_vec();
    drawn(&map, &mut site.labels())
}

/// The elements of a document in order, by their names and the attributes asked for; panics if it is not well-formed.
pub(crate) fn elements(bytes: &[u8], element: &str, attribute: &str) -> (Vec<Option<String>>, usize) {
    let mut reader = Reader::from_reader(bytes);
    reader.config_mut().check_end_names = true;
    let (mut found, mut depth, mut deepest, mut buffer) = (Vec::new(), 0usize, 0usize, Vec::new());
    loop {
        let event = reader.read_event_into(&mut buffer).unwrap();
        match &event {
            Event::Start(start) | Event::Empty(start) => {
                let mut value = None;
                for pair in start.attributes().with_checks(true) {
                    let pair = pair.unwrap();
                    let text = pair.value;
                    let text = quick_xml::escape::unescape(&text).unwrap().into_owned();
                    if pair.key.as_ref() == attribute {
                        value = Some(text);
                    }
                }
                if start.local_name().as_ref() == element {
                    found.push(value);
                }
            }
            Event::Text(text) => assert!(!text.contains("]]>")),
            Event::Eof => break,
            _ => {}
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
        buffer.clear();
    }
    assert_eq!(depth, 0);
    (found, deepest)
}

/// What XML 1.0 can say of a text.
pub(crate) fn legal(text: &str) -> String {
    let legal = |c: char| match c {
        '\t' | '\n' | '\r' => c,
        '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        other => other,
    };
    text.chars().map(legal).collect()
}

#[test]
fn every_page_stands_in_it_once_in_reading_order() {
    let site = MadeUp::site(3_000);
    let (urls, _) = elements(&drawn_site(&site), "page", "url");
    let wanted: Vec<Option<String>> = site
        .tree()
        .walk()
        .filter_map(|step| match step {
            groma_graph::WalkStep::Enter(place) => Some(site.labels().label(site.tree().node(place)).unwrap().url),
            groma_graph::WalkStep::Leave(_) => None,
        })
        .map(Some)
        .collect();
    assert_eq!(urls, wanted);
}

#[test]
fn hostile_labels_are_well_formed_and_come_back() {
    let mut site = Hostile::new();
    let map_of = Hostile::new();
    let bytes = drawn(&map_of.map(), &mut site);
    let (urls, _) = elements(&bytes, "page", "url");
    let mut found: Vec<String> = urls.into_iter().flatten().collect();
    let mut wanted: Vec<String> = site.texts.iter().map(|(_, url)| legal(url)).collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn a_layer_limit_folds_and_counts() {
    let site = MadeUp::site(500);
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.depth = Some(1);
    let (folded, _) = elements(&drawn(&map, &mut site.labels()), "page", "folded");
    let hidden: usize = folded.iter().flatten().map(|count| count.parse::<usize>().unwrap()).sum();
    assert_eq!(folded.len(), 10);
    assert_eq!(folded.len() + hidden, 500);
}

#[test]
fn the_schema_takes_every_map() {
    let hostile = Hostile::new();
    let documents = [
        ("empty", drawn_site(&MadeUp::site(0))),
        ("root", drawn_site(&MadeUp::site(1))),
        ("site", drawn_site(&MadeUp::site(5_000))),
        ("deep", drawn_site(&MadeUp::chain(500))),
        ("hostile", drawn(&hostile.map(), &mut Hostile::new())),
    ];
    let schema = file("site-map.xsd", xml::SCHEMA.as_bytes());
    for (name, bytes) in documents {
        elements(&bytes, "page", "url");
        let path = file(&format!("schema-{name}.xml"), &bytes);
        let arguments = ["--huge", "--noout", "--schema", schema.to_str().unwrap(), path.to_str().unwrap()];
        let Some(output) = run("xmllint", &arguments) else { return };
        content(&output, name);
    }
    // A schema that took everything would prove nothing.
    let wrong = String::from_utf8(drawn_site(&MadeUp::site(3))).unwrap().replacen(" url=", " address=", 1);
    let path = file("schema-wrong.xml", wrong.as_bytes());
    if let Some(output) = run("xmllint", &["--noout", "--schema", schema.to_str().unwrap(), path.to_str().unwrap()]) {
        assert!(!output.status.success());
    }
}

fn transformed(sheet: &str, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let sheet = file(&format!("{name}.xsl"), sheet.as_bytes());
    let path = file(&format!("{name}.xml"), bytes);
    let output = run("xsltproc", &["--huge", sheet.to_str().unwrap(), path.to_str().unwrap()])?;
    content(&output, name);
    Some(output.stdout)
}

#[test]
fn the_sheets_set_large_and_deep_maps() {
    for (name, site) in [("large", MadeUp::site(5_000)), ("deep", MadeUp::chain(500)), ("none", MadeUp::site(0))] {
        let bytes = drawn_site(&site);
        let Some(page) = transformed(xml::XHTML_SHEET, &format!("xhtml-{name}"), &bytes) else { return };
        assert_eq!(elements(&page, "li", "class").0.len() as u32, site.tree().len(), "{name}");
        let Some(objects) = transformed(xml::FO_SHEET, &format!("fo-{name}"), &bytes) else { return };
        let (ids, _) = elements(&objects, "block", "id");
        assert_eq!(ids.iter().flatten().count() as u32, site.tree().len(), "{name}");
    }
}

#[test]
fn the_sheets_link_to_the_web_only_and_keep_strangers_in_their_place() {
    let hostile = Hostile::new();
    let bytes = drawn(&hostile.map(), &mut Hostile::new());
    let Some(page) = transformed(xml::XHTML_SHEET, "xhtml-hostile", &bytes) else { return };
    let (links, _) = elements(&page, "a", "href");
    assert!(!links.is_empty());
    assert!(links.iter().flatten().all(|link| link.starts_with("http://") || link.starts_with("https://")));
    assert!(elements(&page, "script", "src").0.is_empty());
    let Some(objects) = transformed(xml::FO_SHEET, "fo-hostile", &bytes) else { return };
    let (links, _) = elements(&objects, "basic-link", "external-destination");
    for link in links.iter().flatten() {
        let inside = link.strip_prefix("url('http").and_then(|rest| rest.strip_suffix("')")).unwrap();
        assert!(!inside.contains(['\'', ')']), "{link}");
    }
}

#[test]
fn a_formatter_makes_a_pdf_of_it() {
    let sheet = file("pdf.xsl", xml::FO_SHEET.as_bytes());
    let source = file("pdf.xml", &drawn_site(&MadeUp::site(150)));
    let target = file("pdf.pdf", b"");
    let settings = file("fop.xconf", xml::FOP_SETTINGS.as_bytes());
    let paths = [&source, &sheet, &target, &settings].map(|path| path.to_str().unwrap());
    let arguments = ["-c", paths[3], "-xml", paths[0], "-xsl", paths[1], "-pdf", paths[2]];
    let Some(output) = run("fop", &arguments) else { return };
    content(&output, "fop");
    assert!(std::fs::read(&target).unwrap().starts_with(b"%PDF-"));
    let Some(text) = run("pdftotext", &[paths[2], "-"]) else { return };
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("Contents") && text.contains("Museum of Roman Surveying"));
    assert!(text.contains("1 / "), "page numbers");
}
