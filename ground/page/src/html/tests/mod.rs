//! What pages are read as.

mod blocks;
mod head;
mod hostile;
mod links;
mod oracle;
mod symptoms;

use groma_model::{BlockKind, Limits, LinkKind, ParsedPage, Target};
use groma_url::Url;

use crate::{Filter, Html, Input};

fn read_with(bytes: &[u8], limits: &Limits) -> ParsedPage {
    let url = Url::parse("http://a.test/dir/page.html?q=1").unwrap();
    Html.read(&Input { bytes, url: &url, charset: None, limits, parts: false })
}

fn read(html: &str) -> ParsedPage {
    read_with(html.as_bytes(), &Limits::default())
}

fn blocks(html: &str) -> Vec<(BlockKind, String)> {
    read(html).blocks.into_iter().map(|block| (block.kind, block.text)).collect()
}

/// Blocks as `kind: text`, one after the other.
fn shown(html: &str) -> Vec<String> {
    blocks(html).into_iter().map(|(kind, text)| format!("{}: {text}", kind.name())).collect()
}

/// Links as `kind target text`.
fn linked(html: &str) -> Vec<String> {
    let links = read(html).links;
    let target = |target| match target {
        Target::Web(url) => String::from(url).replace("http://a.test", ""),
        Target::Malformed(text) => format!("!{text}"),
    };
    links
        .into_iter()
        .map(|l| format!("{} {} {}", l.kind.name(), target(l.target), l.text).trim_end().to_owned())
        .collect()
}

fn only_link(html: &str) -> groma_model::Link {
    let links = read(html).links;
    assert_eq!(links.len(), 1, "{html}");
    links.into_iter().next().unwrap()
}

#[test]
fn a_whole_page_is_read() {
    let page = read(
        "<!doctype html><html lang=en-GB><head><title> The\n map </title><meta name=description content='About  it'>
         <link rel=canonical href=/page></head><body><nav><a href=/>Home</a></nav><main><h1 id=top>Hello</h1>
         <p>Some <b>bold</b>ness &amp; <a href=x?a=1&amp;b=2 rel='nofollow next'>more</a>.</main></body></html>",
    );
    assert_eq!(page.title, "The map");
    assert_eq!(page.language.as_deref(), Some("en"));
    assert_eq!(page.anchors, ["top"]);
    assert_eq!(page.charset, "UTF-8");
    assert_eq!(page.words, 8);
    let shown: Vec<_> = page.blocks.iter().map(|b| (b.kind, b.text.as_str())).collect();
    assert_eq!(
        shown,
        [
            (BlockKind::Title, "The map"),
            (BlockKind::Description, "About it"),
            (BlockKind::Navigation, "Home"),
            (BlockKind::Heading1, "Hello"),
            (BlockKind::Paragraph, "Some boldness & more."),
        ]
    );
    assert_eq!(page.text_fp, Some(groma_model::Fp::hash_bytes(b"The map Home Hello Some boldness & more.")));
    let more = page.links.last().unwrap();
    assert_eq!(more.target, Target::Web(Url::parse("http://a.test/dir/x?a=1&b=2").unwrap()));
    assert_eq!((more.kind, more.text.as_str(), more.block), (LinkKind::Anchor, "more", BlockKind::Paragraph));
    assert_eq!(more.rel.words().collect::<Vec<_>>(), ["nofollow", "next"]);
    assert!(page.cuts.is_empty());
}
