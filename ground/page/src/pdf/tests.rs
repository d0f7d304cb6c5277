//! Pages, fonts, forms, and broken files.

use groma_model::{BlockKind, Limits, ParsedPage, Target};
use groma_url::Url;
use lopdf::{Dictionary, Document, Object, Stream, dictionary};

use super::*;

fn read(bytes: &[u8]) -> ParsedPage {
    read_with(bytes, &Limits::default())
}

fn read_with(bytes: &[u8], limits: &Limits) -> ParsedPage {
    let url = Url::parse("http://a.test/doc/x.pdf").unwrap();
    Pdf.read(&Input { bytes, url: &url, charset: None, limits, parts: true })
}

/// A document of one page with this content, these fonts and these annotations.
fn document(content: &str, fonts: Dictionary, annotations: Vec<Object>) -> Document {
    let mut document = Document::with_version("1.5");
    let pages = document.new_object_id();
    let content = document.add_object(Stream::new(dictionary! {}, content.as_bytes().to_vec()));
    let page = document.add_object(dictionary! {
        "Type" => "Page", "Parent" => pages, "Contents" => content, "Annots" => annotations,
    });
    let inner = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1, "Resources" => dictionary! { "Font" => fonts } };
    document.objects.insert(pages, Object::Dictionary(inner));
    let catalog = document
        .add_object(dictionary! { "Type" => "Catalog", "Pages" => pages, "Lang" => Object::string_literal("en-GB") });
    let info = document.add_object(dictionary! { "Title" => Object::string_literal("A title") });
    document.trailer.set("Root", catalog);
    document.trailer.set("Info", info);
    document
}

fn saved(mut document: Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn texts(page: &ParsedPage) -> Vec<(BlockKind, &str)> {
    page.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect()
}

fn plain_font() -> Dictionary {
    dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Courier", "Encoding" => "WinAnsiEncoding" }
}

#[test]
fn words_headings_and_links_come_out() {
    let content = "BT /F 20 Tf 50 700 Td (Heading) Tj ET BT /F 10 Tf 50 650 Td [(Some) -600 (w) 10 (ords and a)] TJ 0 -12 Td (link\\351 here.) Tj ET";
    let link = dictionary! {
        "Subtype" => "Link", "Rect" => vec![50.into(), 635.into(), 80.into(), 648.into()],
        "A" => dictionary! { "S" => "URI", "URI" => Object::string_literal("../y.html") },
    };
    let fonts = dictionary! { "F" => plain_font() };
    let page = read(&saved(document(content, fonts, vec![link.into()])));
    assert_eq!((page.title.as_str(), page.language.as_deref(), page.meta("pages")), ("A title", Some("en"), Some("1")));
    let expected = [(BlockKind::Heading1, "Heading"), (BlockKind::Paragraph, "Some words and a link\u{e9} here.")];
    assert_eq!(texts(&page), expected);
    let [link] = page.links.as_slice() else { panic!("{:?}", page.links) };
    assert!(matches!(&link.target, Target::Web(url) if url.as_str() == "http://a.test/y.html"));
    assert_eq!(link.text, "link\u{e9}");
}

#[test]
fn fonts_say_what_their_codes_mean() {
    let mut document = document("", dictionary! {}, Vec::new());
    let map = "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0001> <0003> <0431> endbfrange";
    let map = document.add_object(Stream::new(dictionary! {}, map.as_bytes().to_vec()));
    let inner =
        dictionary! { "Type" => "Font", "Subtype" => "CIDFontType2", "W" => vec![1.into(), 3.into(), 500.into()] };
    let differences = vec![1.into(), "fi".into(), "Euro".into(), "a65".into()];
    let file = b"%!PS-AdobeFont /Encoding 256 array 0 1 255 {1 index exch /.notdef put} for dup 7 /ffl put dup 8 /Omega put readonly def eexec".to_vec();
    let file = document.add_object(Stream::new(dictionary! {}, file));
    let fonts = dictionary! {
        "A" => dictionary! { "Type" => "Font", "Subtype" => "Type0", "Encoding" => "Identity-H", "ToUnicode" => map, "DescendantFonts" => vec![inner.into()] },
        "B" => dictionary! { "Type" => "Font", "Subtype" => "Type1", "Encoding" => dictionary! { "Differences" => differences } },
        "C" => dictionary! { "Type" => "Font", "Subtype" => "Type1", "FontDescriptor" => dictionary! { "FontFile" => file } },
        "D" => dictionary! { "Type" => "Font", "Subtype" => "Type0", "Encoding" => "90ms-RKSJ-H", "DescendantFonts" => Object::Array(Vec::new()) },
    };
    let content = "BT /A 9 Tf 9 90 Td <000100020003> Tj /B 9 Tf 0 -90 Td <010203> Tj /C 9 Tf 0 -90 Td <0708> Tj /D 9 Tf 0 -90 Td <93fa41> Tj ET";
    let content = document.add_object(Stream::new(dictionary! {}, content.as_bytes().to_vec()));
    let page = *document.get_pages().values().next().unwrap();
    let page = document.get_object_mut(page).and_then(Object::as_dict_mut).unwrap();
    page.set("Contents", content);
    page.set("Resources", dictionary! { "Font" => fonts });
    let page = read(&saved(document));
    let found: Vec<&str> = page.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(found, ["\u{431}\u{432}\u{433}", "fi\u{20ac}A", "ffl\u{2126}", "\u{65e5}A"]);
}

/// A font of pairs of bytes that are characters, each half a size wide.
fn wide_font(document: &mut Document) -> Dictionary {
    let map = "1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfrange <0000> <00ff> <0000> <0500> <ffff> <0500> endbfrange";
    let map = document.add_object(Stream::new(dictionary! {}, map.as_bytes().to_vec()));
    let inner = dictionary! { "Type" => "Font", "Subtype" => "CIDFontType2", "DW" => 500 };
    dictionary! { "Type" => "Font", "Subtype" => "Type0", "Encoding" => "Identity-H", "ToUnicode" => map, "DescendantFonts" => vec![inner.into()] }
}

fn hexadecimal(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("{unit:04x}")).collect()
}

#[test]
fn lines_from_right_to_left_are_read_so() {
    // Two lines of Arabic as they are seen, in the forms letters have in words; one goes on with a number. The third is
    // Hebrew, put down letter by letter from the right. The second is a link.
    let first = hexadecimal("\u{fe8e}\u{fe92}\u{fea3}\u{feae}\u{fee3}");
    let second = hexadecimal("\u{fe8d} 2026");
    let letters = "\u{5e9}\u{5dc}\u{5d5}\u{5dd}".chars().enumerate();
    let third: String = letters
        .map(|(at, c)| format!("1 0 0 1 {} 500 Tm <{}> Tj ", 90 - at * 5, hexadecimal(&c.to_string())))
        .collect();
    let content = format!("BT /W 10 Tf 1 0 0 1 50 700 Tm <{first}> Tj 0 -12 Td <{second}> Tj {third} ET");
    let link = dictionary! {
        "Subtype" => "Link", "Rect" => vec![50.into(), 685.into(), 80.into(), 698.into()],
        "A" => dictionary! { "S" => "URI", "URI" => Object::string_literal("/y") },
    };
    let mut document = document(&content, dictionary! {}, vec![link.into()]);
    let font = wide_font(&mut document);
    let page = *document.get_pages().values().next().unwrap();
    let page = document.get_object_mut(page).and_then(Object::as_dict_mut).unwrap();
    page.set("Resources", dictionary! { "Font" => dictionary! { "W" => font } });
    let page = read(&saved(document));
    let found: Vec<&str> = page.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(found, ["\u{645}\u{631}\u{62d}\u{628}\u{627} 2026 \u{627}", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}"]);
    assert_eq!(page.links[0].text, "2026 \u{627}");
}

#[test]
fn codes_of_glyphs_nobody_knows_are_letters() {
    let differences = vec![65.into(), "vowelsign".into(), "a233".into(), "a12".into(), 7.into(), "vowelsign".into()];
    let encoding = dictionary! { "Differences" => differences };
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type3", "Encoding" => encoding, "FontMatrix" => vec![Object::Real(0.001), 0.into(), 0.into(), Object::Real(0.001), 0.into(), 0.into()] };
    let page = read(&saved(document("BT /F 9 Tf <41424307> Tj ET", dictionary! { "F" => font }, Vec::new())));
    assert_eq!(texts(&page), [(BlockKind::Paragraph, "A\u{e9}fi")]);
}

#[test]
fn fonts_that_draw_in_a_space_of_their_own_have_words() {
    // A font of size one whose letters are 50 units wide and stand 50 units apart: the gap of 20 is a space.
    let widths: Vec<Object> = (0..3).map(|_| 50.into()).collect();
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type3", "FirstChar" => 97, "Widths" => widths,
        "FontMatrix" => vec![1.into(), 0.into(), 0.into(), 1.into(), 0.into(), 0.into()],
        "Encoding" => dictionary! { "Differences" => vec![97.into(), "a".into(), "b".into(), "c".into()] },
    };
    let content = "BT /F 1 Tf 0.1 0 0 0.1 50 500 Tm [(a) -500 (b)] TJ 0.1 0 0 0.1 62 500 Tm (c) Tj ET";
    let page = read(&saved(document(content, dictionary! { "F" => font }, Vec::new())));
    assert_eq!(texts(&page), [(BlockKind::Paragraph, "ab c")]);
}

#[test]
fn glyphs_nobody_can_read_are_told() {
    let inner = dictionary! { "Type" => "Font", "Subtype" => "CIDFontType0", "DW" => 500 };
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type0", "Encoding" => "Identity-H", "DescendantFonts" => vec![inner.into()] };
    let fonts = dictionary! { "F" => plain_font(), "J" => font };
    let content = "BT /F 9 Tf 50 500 Td (plain) Tj /J 9 Tf <034f0350> Tj ET";
    let page = read(&saved(document(content, fonts.clone(), Vec::new())));
    assert_eq!(page.meta("silent"), Some("fonts do not say what 2 of 7 glyphs stand for"));
    let page = read(&saved(document("BT /F 9 Tf 50 500 Td (plain) Tj ET", fonts, Vec::new())));
    assert_eq!(page.meta("silent"), None);
}

#[test]
fn a_space_may_stand_where_a_stream_ends() {
    let bytes = saved(document("BT /F 9 Tf (whole) Tj ET", dictionary! { "F" => plain_font() }, Vec::new()));
    let mut other = bytes.clone();
    let at = memchr::memmem::find(&bytes, b"ET\nendstream").expect("the content as it was written");
    other[at + 2] = b' ';
    assert_eq!(texts(&read(&other)), texts(&read(&bytes)));
    assert_eq!(texts(&read(&other)), [(BlockKind::Paragraph, "whole")]);
}

#[test]
fn documents_have_a_room_of_their_own() {
    let bytes = saved(document("BT /F 9 Tf (one two three) Tj ET", dictionary! { "F" => plain_font() }, Vec::new()));
    let page = read_with(&bytes, &Limits { html_text: 4, ..Limits::default() });
    assert_eq!((texts(&page), page.cuts.len()), (vec![(BlockKind::Paragraph, "one two three")], 0));
    let page = read_with(&bytes, &Limits { document_text: 7, ..Limits::default() });
    assert_eq!((page.blocks[0].text.len() <= 7, page.cuts.as_slice()), (true, &["document_text"][..]));
}

#[test]
fn forms_that_bring_each_other_in_end() {
    let mut document = document("/X Do", dictionary! {}, Vec::new());
    let form = document.new_object_id();
    let resources =
        dictionary! { "XObject" => dictionary! { "X" => form }, "Font" => dictionary! { "F" => plain_font() } };
    let dict = dictionary! { "Subtype" => "Form", "Resources" => resources.clone() };
    document.objects.insert(form, Object::Stream(Stream::new(dict, b"BT /F 9 Tf (x) Tj ET /X Do".to_vec())));
    let page = *document.get_pages().values().next().unwrap();
    document.get_object_mut(page).and_then(Object::as_dict_mut).unwrap().set("Resources", resources);
    assert!(!read(&saved(document)).blocks.is_empty());
}

#[test]
fn broken_files_give_less_of_a_page() {
    let bytes = saved(document("BT /F 9 Tf (whole) Tj ET", dictionary! { "F" => plain_font() }, Vec::new()));
    assert_eq!(texts(&read(&bytes)), [(BlockKind::Paragraph, "whole")]);
    for end in (0..bytes.len()).step_by(7) {
        read(&bytes[..end]);
    }
    for at in 0..bytes.len() {
        let mut hurt = bytes.clone();
        hurt[at] ^= 0x55;
        read(&hurt);
    }
    assert!(read(b"%PDF-1.7 nothing").meta("unread").is_some());
}

#[test]
fn text_in_a_stream_that_is_too_large_is_told_as_lost() {
    let text = "BT /F 10 Tf 50 650 Td (Large words) Tj ET ";
    let fonts = || dictionary! { "F" => plain_font() };
    let mut packed = document(&text.repeat(400), fonts(), Vec::new());
    packed.compress();
    let bytes = saved(packed);
    assert!(read(&bytes).meta("lost").is_none() && !read(&bytes).blocks.is_empty());
    for bytes in [bytes, saved(document(&text.repeat(400), fonts(), Vec::new()))] {
        let page = read_with(&bytes, &Limits { document_unpacked: 1000, ..Limits::default() });
        assert!(page.blocks.is_empty() && page.cuts.contains(&"document_unpacked"), "{:?}", page.cuts);
        assert_eq!(page.meta("lost"), Some("the text of a stream of more than 1.0 kB is not read"));
    }
}
