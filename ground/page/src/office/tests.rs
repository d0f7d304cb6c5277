//! Documents of every kind, broken ones, and small ones that would be large.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use groma_model::{BlockKind, Limits, ParsedPage, Target};
use groma_url::Url;

use super::*;
use crate::filter::{Filter, Input};

/// A zip file, every second file of it deflated.
fn packed(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (number, (name, text)) in files.iter().enumerate() {
        let deflated = number % 2 == 0;
        let mut packed = text.as_bytes().to_vec();
        if deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(text.as_bytes()).unwrap();
            packed = encoder.finish().unwrap();
        }
        let header = bytes.len() as u32;
        let method = [if deflated { 8 } else { 0 }, 0];
        let sizes = [&[0; 8][..], &(packed.len() as u32).to_le_bytes(), &(text.len() as u32).to_le_bytes()].concat();
        let lengths = [name.len() as u8, 0, 0, 0];
        bytes.extend([&b"PK\x03\x04\x14\0\0\0"[..], &method, &sizes, &lengths, name.as_bytes(), &packed].concat());
        let rest = [&lengths[..], &[0; 10], &header.to_le_bytes(), name.as_bytes()].concat();
        directory.extend([&b"PK\x01\x02\x14\0\x14\0\0\0"[..], &method, &sizes, &rest].concat());
    }
    let (start, length) = (bytes.len() as u32, directory.len() as u32);
    bytes.extend(directory);
    bytes.extend([&b"PK\x05\x06"[..], &[0; 8], &length.to_le_bytes(), &start.to_le_bytes(), &[0; 2]].concat());
    bytes
}

fn read(bytes: &[u8], limits: &Limits) -> ParsedPage {
    let url = Url::parse("http://a.test/papers/x.docx").unwrap();
    Office.read(&Input { bytes, url: &url, charset: None, limits, parts: true })
}

fn blocks(page: &ParsedPage) -> Vec<(BlockKind, &str)> {
    page.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect()
}

fn links(page: &ParsedPage) -> Vec<(String, &str)> {
    let target = |target: &Target| if let Target::Web(url) = target { url.to_string() } else { "bad".into() };
    page.links.iter().map(|link| (target(&link.target), link.text.as_str())).collect()
}

const RELS: &str = "<Relationships><Relationship Id='r1' Type='http://x/hyperlink' Target='http://b.test/one' TargetMode='External'/>\
    <Relationship Id='r2' Type='http://x/image' Target='media/i.png'/></Relationships>";

#[test]
fn word_documents_give_headings_paragraphs_cells_and_links() {
    let document = "<w:document><w:body><w:p><w:pPr><w:pStyle w:val='T'/></w:pPr><w:r><w:t>Ground </w:t></w:r><w:r><w:t>rules</w:t></w:r></w:p>\
        <w:p><w:r><w:t xml:space='preserve'>See </w:t></w:r><w:hyperlink r:id='r1'><w:r><w:t>the first</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r>\
        <w:r><w:delText>gone</w:delText></w:r></w:p>\
        <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>Item</w:t></w:r></w:p>\
        <w:p><w:r><w:fldChar w:fldCharType='begin'/><w:instrText> HYPERLINK \"two.html\" </w:instrText><w:fldChar w:fldCharType='separate'/></w:r>\
        <w:r><w:t>second</w:t></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>\
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>";
    let styles = "<w:styles><w:style w:styleId='T'><w:name w:val='heading 2'/></w:style></w:styles>";
    let bytes = packed(&[
        (
            "docProps/core.xml",
            "<cp:coreProperties><dc:title>A paper</dc:title><dc:language>en-GB</dc:language></cp:coreProperties>",
        ),
        ("word/document.xml", document),
        ("word/styles.xml", styles),
        ("word/_rels/document.xml.rels", RELS),
    ]);
    let page = read(&bytes, &Limits::default());
    assert_eq!((page.title.as_str(), page.language.as_deref()), ("A paper", Some("en")));
    assert_eq!(
        blocks(&page),
        [
            (BlockKind::Heading2, "Ground rules"),
            (BlockKind::Paragraph, "See the first."),
            (BlockKind::ListItem, "Item"),
            (BlockKind::Paragraph, "second"),
            (BlockKind::TableCell, "Cell"),
        ]
    );
    let expected =
        [("http://b.test/one".to_owned(), "the first"), ("http://a.test/papers/two.html".to_owned(), "second")];
    assert_eq!(links(&page), expected);
    assert_eq!(true_type(&bytes), Some(TYPES[0].0));
}

#[test]
fn open_documents_slides_and_workbooks_are_read() {
    let content = "<office:document-content><office:body><office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>\
        <text:h text:outline-level='1'>Head</text:h><text:p>One<text:s/>two <text:a xlink:href='http://b.test/'>link</text:a>\
        <text:note><text:note-body><text:p>a note</text:p></text:note-body></text:note></text:p>\
        <text:list><text:list-item><text:p>item</text:p></text:list-item></text:list></office:text></office:body></office:document-content>";
    let page = read(&packed(&[("content.xml", content)]), &Limits::default());
    assert_eq!(page.title, "Head");
    let expected = [
        (BlockKind::Heading1, "Head"),
        (BlockKind::Paragraph, "a note"),
        (BlockKind::Paragraph, "One two link"),
        (BlockKind::ListItem, "item"),
    ];
    assert_eq!(blocks(&page), expected);
    assert_eq!(links(&page), [("http://b.test/".to_owned(), "link")]);

    let slide = |text: &str| {
        format!(
            "<p:sld><p:sp><p:nvPr><p:ph type='title'/></p:nvPr><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sp>\
            <p:sp><a:p><a:r><a:rPr><a:hlinkClick r:id='r1'/></a:rPr><a:t>more</a:t></a:r></a:p></p:sp></p:sld>"
        )
    };
    let bytes = packed(&[
        ("ppt/presentation.xml", "<p/>"),
        ("ppt/slides/slide10.xml", &slide("Tenth")),
        ("ppt/slides/slide2.xml", &slide("Second")),
        ("ppt/slides/_rels/slide2.xml.rels", RELS),
    ]);
    let page = read(&bytes, &Limits::default());
    let headings: Vec<&str> =
        page.blocks.iter().filter(|b| b.kind == BlockKind::Heading2).map(|b| b.text.as_str()).collect();
    assert_eq!(headings, ["Second", "Tenth"]);
    assert_eq!(links(&page), [("http://b.test/one".to_owned(), "more")]);

    let bytes = packed(&[
        ("xl/workbook.xml", "<workbook><sheets><sheet name='Sums'/></sheets></workbook>"),
        ("xl/sharedStrings.xml", "<sst><si><t>Total</t></si><si><r><t>Rich </t></r><r><t>text</t></r></si></sst>"),
        (
            "xl/worksheets/sheet1.xml",
            "<worksheet><c t='inlineStr'><is><t>In line</t></is></c><c><v>7</v></c></worksheet>",
        ),
        ("xl/worksheets/_rels/sheet1.xml.rels", RELS),
    ]);
    let page = read(&bytes, &Limits::default());
    let texts: Vec<&str> = page.blocks.iter().map(|b| b.text.as_str()).collect();
    assert_eq!(texts, ["Sums", "Total", "Rich text", "In line"]);
    assert_eq!(links(&page), [("http://b.test/one".to_owned(), "")]);
}

#[test]
fn a_small_file_does_not_become_a_large_one() {
    let text = format!("<w:p><w:t>{}</w:t></w:p>", "word ".repeat(200_000));
    let bytes = packed(&[("word/document.xml", &text)]);
    assert!(bytes.len() < 20_000);
    let limits = Limits { page_bytes: 10_000, ..Limits::default() };
    let page = read(&bytes, &limits);
    assert_eq!(page.cuts, ["page_bytes"]);
    assert!(page.words < 2_100);
    let limits = Limits { document_unpacked: 5_000, ..Limits::default() };
    assert_eq!(read(&bytes, &limits).cuts, ["document_unpacked"]);
}

#[test]
fn broken_files_give_less_of_a_page() {
    let bytes = packed(&[("word/document.xml", "<w:p><w:t>whole</w:t></w:p>")]);
    for end in 0..bytes.len() {
        read(&bytes[..end], &Limits::default());
    }
    for at in 0..bytes.len() {
        let mut hurt = bytes.clone();
        hurt[at] ^= 0xff;
        read(&hurt, &Limits::default());
    }
    assert!(read(b"PK\x03\x04", &Limits::default()).blocks.is_empty());
}
