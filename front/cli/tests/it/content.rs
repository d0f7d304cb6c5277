//! What is not HTML: PDF, office documents, feeds, style sheets, pictures, and files that are meant to hurt their readers.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use groma_testweb::{Answer, Ask, Server};

use crate::Desk;
use crate::crawl::FAST;

/// A PDF of one page: its content, its resources beside a font called F, its annotations, and more objects from 5 on.
fn pdf(content: &[u8], resources: &str, annotations: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >> >>";
    let page =
        format!("<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << {font} {resources} >> {annotations} >>");
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R /Lang (en) >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.into_bytes(),
        stream("", content),
    ];
    objects.extend(more.iter().cloned());
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend([format!("{} 0 obj\n", number + 1).as_bytes(), object, b"\nendobj\n"].concat());
    }
    let start = bytes.len();
    let table: String = places.iter().map(|place| format!("{place:010} 00000 n \n")).collect();
    let size = objects.len() + 1;
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    [bytes, end.into_bytes()].concat()
}

fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("<< {entries} /Length {} >>\nstream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}

pub(crate) fn paper() -> Vec<u8> {
    let text = b"BT /F 18 Tf 50 700 Td (Aqueducts) Tj ET BT /F 10 Tf 50 650 Td (How water found its way, and the) Tj 0 -12 Td (source it came from.) Tj ET";
    let link = "/Annots [<< /Subtype /Link /Rect [48 634 90 648] /A << /S /URI /URI (/nothing-here) >> >>]";
    pdf(text, "", link, &[])
}

/// Forms that bring in forms, ten each: more work than there is time for.
fn endless() -> Vec<u8> {
    let form = stream("/Subtype /Form /Resources << /XObject << /X 5 0 R >> >>", &b"/X Do ".repeat(10));
    pdf(b"/X Do", "/XObject << /X 5 0 R >>", "", &[form])
}

/// Contents of 60 MB in 60 KB.
fn bomb() -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let line = b"BT /F 9 Tf (word after word) Tj ET\n".repeat(30_000);
    for _ in 0..58 {
        encoder.write_all(&line).expect("written to memory");
    }
    let packed = stream("/Filter /FlateDecode", &encoder.finish().expect("written to memory"));
    let mut bytes = pdf(b"", "", "", &[packed]);
    let at = bytes.windows(16).position(|part| part == b"/Contents 4 0 R ").expect("its contents");
    bytes[at + 10] = b'5';
    bytes
}

fn site(ask: &Ask) -> Answer {
    let png =
        [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &640u32.to_be_bytes(), &480u32.to_be_bytes(), &[0; 90_000]].concat();
    let document = &include_bytes!("../../../../yard/fuzz/corpus/office/word.docx")[1..];
    match ask.path.as_str() {
        "/" => Answer::html(
            "<title>Home</title><link rel=stylesheet href=/s.css><link rel=alternate type=application/rss+xml href=/feed>\
             <p style='background:url(/inline.png)'>Words. <a href=/paper.pdf>p</a> <a href=/word.docx>w</a> <a href=/endless.pdf>e</a>\
             <a href=/bomb.pdf>b</a> <a href=/broken.pdf>x</a> <a href=/big.png>i</a>",
        ),
        "/paper.pdf" => Answer::typed("application/pdf", paper()),
        "/endless.pdf" => Answer::typed("application/pdf", endless()),
        "/bomb.pdf" => Answer::typed("application/pdf", bomb()),
        "/broken.pdf" => Answer::typed("application/pdf", "%PDF-1.7 and no more"),
        "/word.docx" => {
            Answer::typed("application/vnd.openxmlformats-officedocument.wordprocessingml.document", document)
        }
        "/big.png" | "/inline.png" | "/ground.png" => Answer::typed("image/png", png),
        "/s.css" => Answer::typed("text/css", "p{background:url('ground.png')}"),
        "/feed" => Answer::typed(
            "text/xml",
            "<rss><channel><title>Feed</title><item><title>Entry</title><link>/entry</link></item></channel></rss>",
        ),
        "/entry" => Answer::html("<title>Entry</title><p>From the feed."),
        _ => Answer::status(404),
    }
}

#[test]
fn every_kind_of_content_is_read_and_bad_files_hurt_themselves_alone() {
    let server = Server::start(site);
    let desk = Desk::new();
    desk.write("groma.toml", "[limits]\ndocument_ms = 5000\ndocument_memory = \"120MB\"\n");
    let base = server.base();
    let done = desk.run(&[&["crawl", &base, "--store", "s.groma", "--assets"], &FAST[..]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let pages = desk.json(&["pages", "--store", "s.groma", "-f", "json"]);
    let of = |path: &str| {
        pages.iter().find(|page| page["url"] == format!("{base}{path}")).unwrap_or_else(|| panic!("{path}"))
    };
    let paper = of("/paper.pdf");
    assert_eq!((&paper["title"], &paper["note"], &paper["words"]), (&"Aqueducts".into(), &"1 page".into(), &12.into()));
    assert_eq!(of("/word.docx")["title"], "T");
    assert_eq!((&of("/feed")["title"], &of("/entry")["state"]), (&"Feed".into(), &"fetched".into()));
    for picture in ["/big.png", "/inline.png", "/ground.png"] {
        let found = of(picture);
        assert_eq!((&found["note"], &found["size"]), (&"640 x 480 pixels".into(), &90_024.into()), "{picture}");
    }
    assert_eq!(of("/endless.pdf")["cuts"], serde_json::json!(["document_ms"]));
    assert_eq!(of("/bomb.pdf")["cuts"], serde_json::json!(["document_memory"]));
    assert!(
        of("/broken.pdf")["note"].as_str().is_some_and(|note| note.starts_with("not read: ")),
        "{}",
        of("/broken.pdf")
    );
    for path in ["/endless.pdf", "/bomb.pdf", "/broken.pdf"] {
        assert_eq!(of(path)["state"], "fetched", "{path}");
    }
    // The link in the PDF leads nowhere, and the check says so.
    let findings = desk.run(&["check", "--store", "s.groma", "-f", "json"]).json();
    let broken = findings.iter().find(|finding| finding["to"] == format!("{base}/nothing-here")).expect("a finding");
    assert_eq!((&broken["from"], &broken["anchor"]), (&format!("{base}/paper.pdf").into(), &"source".into()));
    let hits = desk.json(&["search", "water", "type:pdf", "--store", "s.groma", "-f", "json"]);
    assert!(hits.iter().any(|hit| hit["url"] == format!("{base}/paper.pdf")), "{hits:?}");
}

#[test]
fn a_file_is_looked_at_whatever_it_is() {
    let desk = Desk::new();
    std::fs::write(desk.path.join("paper.pdf"), paper()).expect("a file");
    let seen = &desk.json(&["page", "paper.pdf", "-f", "json"])[0];
    assert!(seen["main"].as_str().is_some_and(|main| main.contains("How water found its way")), "{seen}");
    std::fs::write(
        desk.path.join("feed.xml"),
        "<rss><channel><title>Feed</title><item><title>Entry</title></item></channel></rss>",
    )
    .expect("a file");
    assert!(desk.json(&["page", "feed.xml", "-f", "json"])[0].to_string().contains("Entry"));

    // A sitemap, in a file and at a URL, with its news and pictures.
    let map = "<?xml version='1.0'?><urlset><url><loc>http://a.test/x</loc><news:news xmlns:news='n'>\
               <news:publication_date>2026-11-01</news:publication_date><news:title>Headline</news:title></news:news>\
               <image:image xmlns:image='i'><image:loc>http://a.test/p.png</image:loc><image:title>Bridge</image:title>\
               </image:image></url></urlset>";
    std::fs::write(desk.path.join("map.xml"), map).expect("a file");
    let server = Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/map.xml" => Answer::typed("application/xml", map),
        "/other.xml" => Answer::typed("application/xml", "<stock><item>7</item></stock>"),
        _ => Answer::status(404),
    });
    for place in ["map.xml".to_owned(), format!("{}/map.xml", server.base())] {
        let seen = desk.json(&["page", &place, "-f", "json"])[0].to_string();
        for told in ["Headline (2026-11-01)", "http://a.test/x", "http://a.test/p.png"] {
            assert!(seen.contains(told), "{place}: {told}: {seen}");
        }
    }
    desk.run(&["page", &format!("{}/other.xml", server.base())]).is_mistake("no page that can be read");
}

/// Packed as `.xml.gz` files are.
fn packed(text: &str) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(text.as_bytes()).expect("in memory");
    out.finish().expect("in memory")
}

#[test]
fn a_sitemap_is_a_place_to_start_at() {
    let server = Server::start(|ask: &Ask| {
        let host = ask.header("host").unwrap_or_default().to_owned();
        let list = |names: &[&str]| {
            let urls: String = names.iter().map(|name| format!("<url><loc>http://{host}{name}</loc></url>")).collect();
            format!(
                "<?xml version='1.0' encoding='UTF-8'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"
            )
        };
        let children =
            ["/one.xml", "/two.xml.gz"].map(|name| format!("<sitemap><loc>http://{host}{name}</loc></sitemap>"));
        match ask.path.as_str() {
            "/index.xml" => Answer::typed("text/xml", format!("<sitemapindex>{}</sitemapindex>", children.concat())),
            "/one.xml" => Answer::typed("application/xml", list(&["/a", "/b"])),
            "/two.xml.gz" => Answer::typed("application/x-gzip", packed(&list(&["/c", "/d"]))),
            "/list.txt" => Answer::text(format!("# pages\nhttp://{host}/a\r\nhttp://{host}/c\n")),
            "/list.txt.gz" => {
                Answer::typed("application/octet-stream", packed(&format!("http://{host}/b\nhttp://{host}/d\n")))
            }
            "/notes.txt" => Answer::text(format!("See http://{host}/a for more.")),
            "/a" | "/b" | "/c" | "/d" => Answer::html(format!("<title>{}</title><p>Words.", ask.path)),
            _ => Answer::status(404),
        }
    });
    let desk = Desk::new();
    for (start, pages) in [
        ("/index.xml", &["/a", "/b", "/c", "/d"][..]),
        ("/one.xml", &["/a", "/b"]),
        ("/two.xml.gz", &["/c", "/d"]),
        ("/list.txt", &["/a", "/c"]),
        ("/list.txt.gz", &["/b", "/d"]),
        // A text is read as ever: the URLs in it are links.
        ("/notes.txt", &["/a"]),
    ] {
        let (base, store) = (server.base(), format!("{}.groma", start.trim_matches('/')));
        let words = ["crawl", &format!("{base}{start}"), "--store", &store, "-q", "--no-sitemaps"];
        let done = desk.run(&[&words, &FAST[..]].concat());
        assert_eq!(done.code, 0, "{start}: {}", done.err);
        let listed = desk.json(&["pages", "-f", "json", "--store", &store, "--state", "fetched"]);
        let mut urls: Vec<String> =
            listed.iter().filter_map(|page| page["url"].as_str()?.strip_prefix(&base).map(str::to_owned)).collect();
        urls.retain(|url| url.len() == 2);
        urls.sort();
        assert_eq!(urls, pages, "{start}");
    }
}
