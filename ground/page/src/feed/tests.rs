//! Feeds of every kind, and broken ones.

use groma_model::{BlockKind, Limits, LinkKind, ParsedPage, Target};
use groma_url::Url;
use proptest::prelude::*;

use super::*;
use crate::filter::{Filter, Input};

fn read(text: &str) -> ParsedPage {
    let url = Url::parse("http://a.test/feeds/all.xml").unwrap();
    Feed.read(&Input { bytes: text.as_bytes(), url: &url, charset: None, limits: &Limits::default(), parts: true })
}

fn links(page: &ParsedPage) -> Vec<(String, LinkKind, &str)> {
    let target = |target: &Target| if let Target::Web(url) = target { url.to_string() } else { "bad".into() };
    page.links.iter().map(|link| (target(&link.target), link.kind, link.text.as_str())).collect()
}

fn blocks(page: &ParsedPage) -> Vec<(BlockKind, &str)> {
    page.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect()
}

#[test]
fn rss_gives_entries_links_and_enclosures() {
    let page = read(
        "<?xml version='1.0'?><rss version='2.0'><channel><title>News &amp; more</title><link>/</link><language>cs-CZ</language>\
         <description>What is new</description><lastBuildDate>Mon, 02 Nov 2026 10:00:00 GMT</lastBuildDate>\
         <image><title>Logo</title><url>/logo.png</url><link>http://x.test/</link></image>\
         <item><title>First &amp;amp; best</title><link>/one</link><pubDate>Sun, 01 Nov 2026</pubDate>\
         <description><![CDATA[<p>Some <b>words</b> and a <a href='two'>second page</a>.</p>]]></description>\
         <enclosure url='/one.mp3' type='audio/mpeg' length='1'/></item>\
         <item><title>Second</title><guid>http://a.test/two</guid></item></channel></rss>",
    );
    assert_eq!((page.title.as_str(), page.language.as_deref()), ("News & more", Some("cs")));
    assert_eq!(page.meta("date"), Some("Mon, 02 Nov 2026 10:00:00 GMT"));
    assert_eq!(
        blocks(&page),
        [
            (BlockKind::Description, "What is new"),
            (BlockKind::Heading2, "First & best (Sun, 01 Nov 2026)"),
            (BlockKind::Paragraph, "Some words and a second page."),
            (BlockKind::Heading2, "Second"),
        ]
    );
    assert_eq!(
        links(&page),
        [
            ("http://a.test/".into(), LinkKind::Anchor, ""),
            ("http://a.test/one".into(), LinkKind::Anchor, "First & best"),
            ("http://a.test/two".into(), LinkKind::Anchor, "second page"),
            ("http://a.test/one.mp3".into(), LinkKind::Image, "First & best"),
            ("http://a.test/two".into(), LinkKind::Anchor, "Second"),
        ]
    );
}

#[test]
fn rdf_and_atom_are_read_too() {
    let page = read(
        "<rdf:RDF xmlns:rdf='r' xmlns='http://purl.org/rss/1.0/'><channel><title>Old</title><link>http://a.test/</link></channel>\
         <item rdf:about='x'><title>Item</title><link>http://a.test/x</link><dc:date>2026-11-01</dc:date></item></rdf:RDF>",
    );
    assert_eq!(page.title, "Old");
    assert_eq!(blocks(&page), [(BlockKind::Heading2, "Item (2026-11-01)")]);
    assert_eq!(links(&page).len(), 2);
    let page = read(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='en' xml:base='http://b.test/'><title type='text'>Atom</title>\
         <link rel='self' href='/feeds/all.xml'/><link rel='next' href='?page=2'/><updated>2026-11-02T00:00:00Z</updated>\
         <entry><title type='html'>A &lt;i&gt;title&lt;/i&gt;</title><link href='post'/><published>2026-11-01</published>\
         <link rel='enclosure' href='/film.mp4'/>\
         <content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>One &lt; two &amp; <a href='/deep'>deep</a></p><p>More</p></div></content>\
         </entry></feed>",
    );
    assert_eq!((page.title.as_str(), page.language.as_deref()), ("Atom", Some("en")));
    assert_eq!(
        blocks(&page),
        [
            (BlockKind::Heading2, "A title (2026-11-01)"),
            (BlockKind::Paragraph, "One < two & deep"),
            (BlockKind::Paragraph, "More"),
        ]
    );
    assert_eq!(
        links(&page),
        [
            ("http://b.test/?page=2".into(), LinkKind::Related, ""),
            ("http://b.test/post".into(), LinkKind::Anchor, "A title"),
            ("http://b.test/deep".into(), LinkKind::Anchor, "deep"),
            ("http://b.test/film.mp4".into(), LinkKind::Image, "A title"),
        ]
    );
}

#[test]
fn json_feeds_are_read() {
    let page = read(
        r#"{"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"/","language":"en","items":[
        {"id":"1","url":"/a","title":"A","content_html":"<p>Hello <a href='b'>b</a>","date_published":"2026-11-01","attachments":[{"url":"/a.mp3"}]},
        {"id":"2","url":"/c","content_text":"Plain <text>"}, 7]}"#,
    );
    assert_eq!(page.title, "J");
    assert_eq!(
        blocks(&page),
        [
            (BlockKind::Heading2, "A (2026-11-01)"),
            (BlockKind::Paragraph, "Hello b"),
            (BlockKind::Paragraph, "Plain <text>"),
        ]
    );
    let targets: Vec<String> = links(&page).into_iter().map(|(target, ..)| target).collect();
    assert_eq!(
        targets,
        ["http://a.test/", "http://a.test/a", "http://a.test/b", "http://a.test/a.mp3", "http://a.test/c"]
    );
}

#[test]
fn entities_blow_nothing_up() {
    let page = read(
        "<!DOCTYPE rss [<!ENTITY a 'xxxxxxxxxx'><!ENTITY b '&a;&a;&a;'>]><rss><channel><title>&b;</title></channel></rss>",
    );
    assert_eq!(page.title, "&b;");
}

#[test]
fn vague_types_are_told_by_their_root() {
    assert_eq!(true_type("text/xml", b"<?xml version='1.0'?><!-- x --><rss/>"), Some("application/rss+xml"));
    assert_eq!(true_type("application/xml", b"<feed xmlns='x'>"), Some("application/atom+xml"));
    assert_eq!(true_type("application/xml", b"<urlset/>"), None);
    assert_eq!(
        true_type("application/json", br#"{"version":"https://jsonfeed.org/version/1"}"#),
        Some("application/feed+json")
    );
    assert_eq!(true_type("application/json", b"{}"), None);
    assert_eq!(true_type("text/html", b"<rss/>"), None);
}

proptest! {
    #[test]
    fn any_feed_is_read(text in "(<rss>|<channel>|<item>|</item>|<title>|</title>|<link href='x'/>|<entry>|<content type='xhtml'>|</content>|<p>|&amp;|&x;|a|\\{\"items\":\\[|\"|\\]\\}){0,30}") {
        read(&text);
    }
}
