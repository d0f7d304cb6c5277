//! Sitemaps of every kind, broken ones, and the costs of hostile ones.

use super::*;
use flate2::{Compression, write::GzEncoder};
use groma_cpu_time::measured;
use proptest::prelude::*;
use std::io::Write;

fn map(text: &str) -> Sitemap {
    read(text.as_bytes(), &Limits::default())
}

fn locs(map: &Sitemap) -> Vec<&str> {
    map.entries.iter().map(|entry| entry.loc.as_str()).collect()
}

fn urlset(urls: &str) -> String {
    format!(
        "<?xml version='1.0' encoding='UTF-8'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
         {urls}</urlset>"
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

#[test]
fn a_sitemap_is_read_with_dates_and_alternates() {
    let map = map(&urlset(
        "<url><loc>\n http://s/?a=1&amp;b=&#x32;\t</loc><lastmod> 2024-01-02 </lastmod>
           <image:image><image:loc>http://s/picture.png</image:loc></image:image>
           <xhtml:link rel='alternate' hreflang='cs' href='http://s/cs?x&amp;y'/>
           <xhtml:link rel=\"Alternate\" hreflang='de' href=' http://s/de '></xhtml:link>
           <xhtml:link rel='stylesheet' href='http://s/style'/></url>
         <url><lastmod/><loc><![CDATA[http://s/?c&d]]></loc></url>
         <url><lastmod>2024</lastmod></url><url/>",
    ));
    let expected = [
        Entry {
            loc: "http://s/?a=1&b=2".into(),
            lastmod: Some("2024-01-02".into()),
            alternates: vec!["http://s/cs?x&y".into(), "http://s/de".into()],
            media: vec![Medium { loc: "http://s/picture.png".into(), text: String::new() }],
            news: None,
        },
        Entry { loc: "http://s/?c&d".into(), ..Entry::default() },
    ];
    assert_eq!(map, Sitemap { entries: expected.into(), ..Sitemap::default() });
}

#[test]
fn whoever_looks_at_a_sitemap_sees_what_it_names() {
    let plain = urlset("<url><loc>/a</loc><lastmod>2024</lastmod></url><url><loc>http://s/b</loc></url>");
    let index = "<sitemapindex><sitemap><loc>http://s/1.xml</loc></sitemap></sitemapindex>";
    let url = groma_url::Url::parse("http://s/map.xml").unwrap();
    let seen = |bytes: &[u8], kind: &str| {
        let input = crate::Input { bytes, url: &url, charset: None, limits: &Limits::default(), parts: false };
        let page = crate::filter_to_show(kind, bytes)?.read(&input);
        Some(page.blocks.iter().map(|block| block.text.clone()).collect::<Vec<_>>())
    };
    let named = Some(vec!["/a (2024)".to_owned(), "http://s/b".to_owned()]);
    assert_eq!(seen(plain.as_bytes(), "application/xml"), named);
    assert_eq!(seen(&gzip(plain.as_bytes()), "application/gzip"), named);
    assert_eq!(seen(index.as_bytes(), "text/xml"), Some(vec!["http://s/1.xml".to_owned()]));
    // To a crawl it is no page; and other files are no sitemaps.
    assert!(crate::filter_for("application/xml").is_none());
    for other in [&b"<stock/>"[..], b"", b"<", b"\x1f\x8b", &gzip(b"x"), &gzip(&[b'<'; 100_000])] {
        assert_eq!(seen(other, "application/xml"), None);
    }
}

#[test]
fn pictures_films_and_news_are_read() {
    let map = map(&urlset(
        "<url><loc>http://s/a</loc><image:image><image:loc> http://s/1.png </image:loc><image:caption>A &amp; B</image:caption></image:image>
           <image:image><image:title>Two</image:title><image:loc>http://s/2.png</image:loc><image:caption>x</image:caption></image:image>
           <video:video><video:thumbnail_loc>http://s/t.jpg</video:thumbnail_loc><video:title>Film</video:title>
             <video:content_loc>http://s/f.mp4</video:content_loc><video:player_loc>http://s/p</video:player_loc></video:video>
           <news:news><news:publication><news:name>Paper</news:name><news:title>not this</news:title></news:publication>
             <news:publication_date>2026-11-01</news:publication_date><news:title>Headline</news:title></news:news>
           <lastmod>2026</lastmod></url><url><loc>http://s/b</loc></url>",
    ));
    let medium = |loc: &str, text: &str| Medium { loc: loc.into(), text: text.into() };
    let [first, second] = map.entries.as_slice() else { panic!("{map:?}") };
    let expected = [
        medium("http://s/1.png", "A & B"),
        medium("http://s/2.png", "Two"),
        medium("http://s/t.jpg", "Film"),
        medium("http://s/f.mp4", "Film"),
    ];
    assert_eq!((first.loc.as_str(), first.lastmod.as_deref()), ("http://s/a", Some("2026")));
    assert_eq!(first.media, expected);
    assert_eq!(first.news, Some(News { title: "Headline".into(), published: "2026-11-01".into() }));
    assert_eq!(*second, Entry { loc: "http://s/b".into(), ..Entry::default() });
}

#[test]
fn an_index_names_other_sitemaps() {
    let map = map("<s:sitemapindex xmlns:s='x'><s:sitemap><s:loc>http://s/1.xml</s:loc><s:lastmod>2024</s:lastmod>\
                   </s:sitemap><sitemap><loc>http://s/2.xml.gz</loc></sitemap></s:sitemapindex>");
    assert_eq!(map.children, ["http://s/1.xml", "http://s/2.xml.gz"]);
    assert_eq!(map.entries, []);
}

#[test]
fn a_text_sitemap_has_an_address_a_line() {
    let map = map("\u{feff}http://s/a\r\n\r\n  HTTPS://s/b \rnot one\nhttp://s/č\n/relative\nhttp");
    assert_eq!(locs(&map), ["http://s/a", "HTTPS://s/b", "http://s/č"]);
}

#[test]
fn feeds_serve_as_sitemaps() {
    let rss =
        map("<rss><channel><link>http://s/</link><image><url>http://s/logo.png</url><link>http://s/</link></image>
        <item><title>x</title><link>http://s/1</link><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>
          <guid>http://s/g1</guid><media><link>http://s/no</link></media></item>
        <item><guid isPermaLink='false'>http://s/no</guid></item>
        <item><atom:link href='http://s/no' rel='self'/><guid>http://s/2</guid></item>
        <item><guid>tag:s,2</guid></item></channel></rss>");
    assert_eq!(locs(&rss), ["http://s/1", "http://s/2"]);
    assert_eq!(rss.entries[0].lastmod.as_deref(), Some("Mon, 01 Jan 2024 00:00:00 GMT"));
    let atom =
        map("<feed><link href='http://s/'/><entry><link rel='self' href='http://s/no'/><link href='http://s/1'/>
        <link rel='alternate' href='http://s/second'/><published>2023</published><updated>2024</updated></entry>
        <entry><link rel='alternate' href='http://s/2'/><published>2023</published></entry></feed>");
    assert_eq!(locs(&atom), ["http://s/1", "http://s/2"]);
    assert_eq!(atom.entries[0].lastmod.as_deref(), Some("2024"));
    assert_eq!(atom.entries[1].lastmod.as_deref(), Some("2023"));
    let rdf = map("<rdf:RDF><item rdf:about='x'><link>http://s/1</link><dc:date>2024</dc:date></item></rdf:RDF>");
    assert_eq!(rdf.entries, [Entry { loc: "http://s/1".into(), lastmod: Some("2024".into()), ..Entry::default() }]);
}

#[test]
fn broken_xml_gives_what_came_before_the_break() {
    for (text, expected) in [
        ("<urlset><url><loc>http://s/1</loc></url><url><loc>http://s/2", vec!["http://s/1", "http://s/2"]),
        ("<urlset><url><loc>http://s/1</loc></url><url><loc>http://s/2</loc", vec!["http://s/1", "http://s/2"]),
        (
            "<urlset><url><loc>http://s/1</url><url><loc>http://s/2</wrong></loc></url>",
            vec!["http://s/1", "http://s/2"],
        ),
        (
            "<url><loc>http://s/?a&b=1&c;d&unknown;&#xffffffff;</loc></url>",
            vec!["http://s/?a&b=1&c;d&unknown;&#xffffffff;"],
        ),
        ("</url></url><url><loc>http://s/1</loc><url><loc>http://s/2</loc>", vec!["http://s/1", "http://s/2"]),
        ("<url><loc>http://s/1</loc></url><!-- never closed", vec!["http://s/1"]),
        ("<url><loc>http://s/1</loc></url><![CDATA[", vec!["http://s/1"]),
        ("<!doctype html><html><head><link href='http://s/x'><body><a href='/y'>404</a>", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(locs(&map(text)), expected, "{text}");
    }
}

#[test]
fn entities_of_a_dtd_stay_as_written() {
    let map =
        map("<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>
                   <urlset><url><loc>http://s/&b;&f;</loc></url></urlset>");
    assert_eq!(locs(&map), ["http://s/&b;&f;"]);
}

#[test]
fn other_encodings_are_understood() {
    let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><urlset><url><loc>http://s/\xe9</loc></url></urlset>";
    assert_eq!(locs(&read(latin, &Limits::default())), ["http://s/é"]);
    let mut wide = vec![0xff, 0xfe];
    wide.extend(urlset("<url><loc>http://s/ž</loc></url>").encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(locs(&read(&wide, &Limits::default())), ["http://s/ž"]);
    let nonsense = b"<url><loc>http://s/\xff</loc></url>";
    assert_eq!(locs(&read(nonsense, &Limits::default())), ["http://s/\u{fffd}"]);
}

#[test]
fn gzip_is_known_by_its_first_bytes_and_bounded() {
    let text = urlset(&(0..1000).map(|n| format!("<url><loc>http://s/{n}</loc></url>")).collect::<String>());
    let packed = gzip(text.as_bytes());
    let whole = read(&packed, &Limits::default());
    assert_eq!((whole.entries.len(), &whole.cuts[..]), (1000, &[][..]));
    let limits = Limits { sitemap_bytes: text.len() as u64 / 2, ..Limits::default() };
    for bytes in [&packed[..], text.as_bytes()] {
        let half = read(bytes, &limits);
        assert!((450..550).contains(&half.entries.len()), "{}", half.entries.len());
        assert_eq!(half.cuts, ["sitemap_bytes"]);
    }
    let torn = read(&packed[..packed.len() / 2], &Limits::default());
    assert!(torn.entries.len() > 100 && torn.entries.len() < 1000);
}

#[test]
fn no_more_than_the_limit_of_addresses_is_taken() {
    let limits = Limits { sitemap_urls: 2, url_bytes: 20, ..Limits::default() };
    let url = "<url><loc>http://s/1</loc><link rel='alternate' href='http://s/2'/>\
               <link rel='alternate' href='http://s/3'/></url>";
    let two = read(url.repeat(2).as_bytes(), &limits);
    assert_eq!((two.entries.len(), &two.cuts[..]), (2, &["sitemap_urls"][..]));
    assert_eq!(two.entries.iter().map(|entry| entry.alternates.len()).sum::<usize>(), 2);
    let exact = read("<url><loc>http://s/1</loc></url>".repeat(2).as_bytes(), &limits);
    assert_eq!((exact.entries.len(), exact.cuts.len()), (2, 0));
    let three = read("<url><loc>http://s/1</loc></url>".repeat(3).as_bytes(), &limits);
    assert_eq!((three.entries.len(), &three.cuts[..]), (2, &["sitemap_urls"][..]));
    let children = read("<sitemap><loc>http://s/1</loc></sitemap>".repeat(3).as_bytes(), &limits);
    assert_eq!((children.children.len(), &children.cuts[..]), (2, &["sitemap_urls"][..]));
    let lines = read("http://s/1\n".repeat(3).as_bytes(), &limits);
    assert_eq!((lines.entries.len(), &lines.cuts[..]), (2, &["sitemap_urls"][..]));
    let long = read(b"http://s/123456789012\nhttp://s/1\n", &limits);
    assert_eq!((locs(&long), &long.cuts[..]), (vec!["http://s/1"], &["url_bytes"][..]));
    let long = read(b"<url><loc>http://s/123456789012</loc></url><url><loc>http://s/1</loc></url>", &limits);
    assert_eq!((locs(&long), &long.cuts[..]), (vec!["http://s/1"], &["url_bytes"][..]));
}

proptest! {
    #[test]
    fn never_panics(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        xml in "(</?(url|loc|sitemap|item|entry|link|lastmod|guid)( (href|rel)=['\"]?[a&;]?['\"]?)?/?>\
                |<!\\[CDATA\\[|\\]\\]>|<!--|-->|&#?[ax0-9]*;?|http://a|<!DOCTYPE|<\\?xml|é| ){0,30}",
    ) {
        let limits = Limits { sitemap_urls: 3, url_bytes: 12, ..Limits::default() };
        for bytes in [bytes.clone(), xml.clone().into_bytes(), gzip(xml.as_bytes())] {
            let map = read(&bytes, &limits);
            prop_assert!(map.entries.len() <= 3 && map.children.len() <= 3);
            prop_assert!(map.entries.iter().all(|entry| !entry.loc.is_empty() && entry.loc.len() <= 12));
        }
    }
}

/// Fifty megabytes of each kind in release; a tenth of it where tests are not optimised throughout.
#[test]
fn hostile_sitemaps_stay_linear() {
    let size = if cfg!(debug_assertions) { 5 << 20 } else { 50 << 20 };
    let filled = |start: &str, part: &str| {
        let mut text = start.to_owned();
        text.extend(std::iter::repeat_n(part, size / part.len()));
        text.truncate(size);
        text
    };
    for (name, text) in [
        ("nesting", filled("<url>", "<a>")),
        ("records", filled("", "<url>")),
        ("empty records", filled("", "<url><loc></loc></url>")),
        ("attributes", filled("<url><link ", "a='' ")),
        ("attributes of many links", filled("<url>", "<link rel='x' a='' b='' c='' d=''/>")),
        ("entities", filled("<url><loc>", "&amp;")),
        ("unknown entities", filled("<url><loc>", "&a;")),
        ("bare ampersands", filled("<url><loc>", "&")),
        ("brackets", filled("", "<")),
        ("ends", filled("<url>", "</a>")),
        ("comment", filled("<!--", "-")),
        ("comments", filled("<url>", "<!---->")),
        ("doctype", filled("<!DOCTYPE x [", "<!ENTITY a 'b'>")),
        ("doctype brackets", filled("<!DOCTYPE x ", "[<")),
        ("instructions", filled("<url>", "<??>")),
        ("CDATA", filled("<url><loc>", "<![CDATA[x]]>")),
        ("open CDATA", filled("<url><loc><![CDATA[", "]]")),
        ("long text", filled("<url><loc>", "x")),
        ("lines", filled("http://s", "\n")),
        ("alternates", filled("<url><loc>http://s/</loc>", "<link rel='alternate' href='x'/>")),
    ] {
        let (map, took) = measured(|| read(text.as_bytes(), &Limits::default()));
        println!("{name}: {took:?}");
        assert!(map.entries.len() <= 1, "{name}");
        assert!(took.as_secs() < 20, "{name}: {took:?}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_told() {
    let broken = |text: &[u8]| read(text, &Limits::default()).broken;
    let whole = b"<urlset><url><loc>http://s/1</loc></url></urlset>";
    assert_eq!(broken(whole), None);
    assert_eq!(broken(b"<sitemapindex/>"), None);
    assert_eq!(broken(b"http://s/1\nhttp://s/2\n"), None);
    assert_eq!(broken(b""), None);
    for cut in [14, 20, 30, 40, whole.len() - 3] {
        assert!(broken(&whole[..cut]).is_some(), "{cut}");
    }
    assert_eq!(broken(b"<!doctype html><html><p>Not found</html>"), Some("it is no sitemap"));
    assert_eq!(broken(b"Not found"), Some("it is no sitemap"));
    let short = Limits { sitemap_bytes: 20, ..Limits::default() };
    let cut = read(whole, &short);
    assert_eq!((cut.broken, cut.cuts), (None, vec!["sitemap_bytes"]), "cut, not broken");
}
