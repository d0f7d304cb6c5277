//! What docs/databases.md says is so: every example of it is run.
//!
//! A block between fences is known by the two words after the first fence; the second is the name it has here.

use std::collections::BTreeMap;

use groma_testweb::{Answer, Ask, Server};
use serde_json::{Value, json};

use crate::Desk;
use crate::summarize::Serving;

/// Houses: region, name, what is said of it, place, price.
const HOUSES: [[&str; 5]; 5] = [
    ["Rügen", "Strandhotel", " (3 stars)", "Binz", "90"],
    ["Rügen", "Sonne", "", "Sellin", "65"],
    ["Rügen", "Am Markt", "", "", "70"],
    ["Usedom", "Villa Anna", "", "Ahlbeck", "85"],
    ["Hiddensee", "Godewind", "", "Vitte", "70"],
];

/// What runs on this machine only where a certain server is, or is no example but a list.
const NOT_RUN: [&str; 4] = ["grammar", "strings", "postgresql", "mysql"];

struct Book {
    text: String,
    blocks: BTreeMap<String, String>,
}

impl Book {
    fn open() -> Book {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/databases.md");
        let text = std::fs::read_to_string(path).expect("the document");
        let mut blocks: BTreeMap<String, String> = BTreeMap::new();
        let mut lines = text.lines();
        while let Some(fence) = lines.by_ref().find_map(|line| line.strip_prefix("```")) {
            let name = fence.split_whitespace().next_back().unwrap_or_default().to_owned();
            assert!(!name.is_empty(), "a block without a name");
            for line in lines.by_ref().take_while(|line| *line != "```") {
                let block = blocks.entry(name.clone()).or_default();
                block.push_str(line);
                block.push('\n');
            }
        }
        Book { text, blocks }
    }

    fn block(&self, name: &str) -> &str {
        self.blocks.get(name).unwrap_or_else(|| panic!("there is no block {name}"))
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(self.block(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// The page of answers, as the document shows it.
fn answer(region: &str) -> String {
    let rows: String = HOUSES
        .iter()
        .filter(|house| house[0] == region)
        .map(|[_, name, more, place, price]| {
            let place = if place.is_empty() {
                "<td>(no place given)".to_owned()
            } else {
                format!("<td class=\"place\">{place}")
            };
            format!("<tr><td><b>{name}</b>{more}{place}<td>{price} Euro\n")
        })
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>Hotels by the sea: {region}</title></head>\n<body>\n\
         <table><tr><td><a href=\"/search\">New search</a><td><a href=\"/contact\">Contact</a></table>\n<h1>{region}</h1>\n\
         <table>\n<tr><th>House<th>Place<th>Price\n{rows}</table>\n<p>Phone: 038393 1234, 038393 5678</p>\n</body>\n</html>\n"
    )
}

/// The site: the form with its tags, and the same form without them.
fn site(book: &Book) -> Server {
    let described = book.block("search.html").to_owned();
    let bare: String =
        described.lines().filter(|line| !line.contains("name=\"DB.")).map(|line| format!("{line}\n")).collect();
    Server::start(move |ask: &Ask| match ask.bare_path() {
        "/robots.txt" => Answer::text(""),
        "/search" => Answer::html(described.clone()),
        "/bare" => Answer::html(bare.clone()),
        "/find" => {
            let region = HOUSES
                .iter()
                .map(|house| house[0])
                .find(|region| ask.param("region").is_some_and(|asked| decoded(asked) == *region));
            region.map_or_else(|| Answer::status(404), |region| Answer::html(answer(region)))
        }
        "/api.html" => Answer::html(bare.replace("/find", "/api")),
        "/api" => {
            let region = ask.param("region").map(decoded).unwrap_or_default();
            let hotels: Vec<&[&str; 5]> = HOUSES.iter().filter(|house| house[0] == region).collect();
            let offset = ask.param("offset").and_then(|offset| offset.parse().ok()).unwrap_or(0);
            let hotel = |house: &&[&str; 5]| json!({ "name": house[1], "price": { "amount": house[4].parse::<u32>().unwrap_or(0), "currency": "EUR" } });
            let shown: Vec<Value> = hotels.iter().skip(offset).take(2).map(hotel).collect();
            Answer::typed("application/json", json!({ "total": hotels.len(), "hotels": shown }).to_string())
        }
        _ => Answer::status(404),
    })
}

fn decoded(text: &str) -> String {
    text.replace("%C3%BC", "ü")
}

fn gather(desk: &Desk, url: &str, more: &[&str]) -> Value {
    let words = [&["gather", url, "--store", "d.groma", "-q", "-f", "json", "-s", "delay=0"], more].concat();
    desk.json(&words).remove(0)
}

/// Values do not depend on their order.
fn sorted(values: &Value) -> BTreeMap<String, Vec<String>> {
    let of = |list: &Value| {
        let mut list: Vec<String> =
            list.as_array().into_iter().flatten().filter_map(|value| value.as_str().map(str::to_owned)).collect();
        list.sort();
        list
    };
    values.as_object().into_iter().flatten().map(|(name, list)| (name.clone(), of(list))).collect()
}

#[test]
fn rules_of_the_document_find_what_it_says() {
    let (book, desk) = (Book::open(), Desk::new());
    desk.write("answer.html", book.block("answer.html"));
    let examples: Vec<Vec<&str>> =
        book.block("hel").split("\n\n").map(|example| example.trim().lines().collect()).collect();
    let examples: Vec<&[&str]> = examples.iter().flat_map(|lines| lines.chunks(2)).collect();
    assert!(examples.len() >= 16, "{}", examples.len());
    for example in examples {
        let [rule, expected] = example else { panic!("{example:?}") };
        let expected = expected.strip_prefix("=> ").unwrap_or_else(|| panic!("{example:?}"));
        let done = desk.run(&["hel", rule, "answer.html", "-f", "json", "-q"]);
        if let Some(why) = expected.strip_prefix("refused") {
            assert_eq!(done.code, 2, "{rule}: {}", done.out);
            let why = why.trim_start_matches([':', ' ']);
            assert!(done.err.contains(why), "{rule}: {}", done.err);
        } else {
            assert_eq!(done.code, 0, "{rule}: {}", done.err);
            let expected: Value = serde_json::from_str(expected).unwrap_or_else(|error| panic!("{expected}: {error}"));
            assert_eq!(done.json(), [expected], "{rule}");
        }
    }
}

#[test]
fn the_form_with_its_tags_is_gathered_as_the_document_says() {
    let book = Book::open();
    assert_eq!(
        book.block("answer.html"),
        answer("Rügen"),
        "the server of this test and the document show the same page"
    );
    let (desk, site) = (Desk::new(), site(&book));
    let object = gather(&desk, &format!("{}/search", site.base()), &[]);
    assert_eq!(sorted(&object["values"]), sorted(&book.json("gathered")));
    assert_eq!(object["statement"]["degree"], "described");
    assert_eq!(site.count("/find?region=R%C3%BCgen&price="), 1, "{:?}", site.asked());
    let questions: u64 =
        site.asked().iter().filter(|(path, _)| path.starts_with("/find")).map(|(_, count)| count).sum();
    assert_eq!(questions, 3, "{:?}", site.asked());
}

#[test]
fn a_description_file_does_the_same_for_a_form_without_tags() {
    let book = Book::open();
    let (desk, site) = (Desk::new(), site(&book));
    desk.write("hotels.describe", book.block("hotels.describe"));
    let object = gather(&desk, &format!("{}/bare", site.base()), &["--describe", "hotels.describe"]);
    assert_eq!(sorted(&object["values"]), sorted(&book.json("described")));
    let questions: u64 =
        site.asked().iter().filter(|(path, _)| path.starts_with("/find")).map(|(_, count)| count).sum();
    assert_eq!(questions, 2, "{:?}", site.asked());
}

#[test]
fn answers_that_are_json_are_described_and_gone_through_by_a_number() {
    let book = Book::open();
    let shown = book.json("answer.json");
    let (desk, site) = (Desk::new(), site(&book));
    desk.write("api.describe", book.block("api.describe"));
    let object = gather(&desk, &format!("{}/api.html", site.base()), &["--describe", "api.describe"]);
    assert_eq!(sorted(&object["values"]), sorted(&book.json("api")));
    // The document shows the first page for Rügen.
    let asked = site.asked();
    let pages: Vec<&String> = asked.keys().filter(|path| path.starts_with("/api?region=R%C3%BCgen")).collect();
    assert_eq!(shown["hotels"].as_array().map(Vec::len), Some(2));
    assert!(pages.len() == 2 && pages.iter().any(|path| path.ends_with("offset=2")), "{asked:?}");
}

#[test]
fn an_expression_stands_for_as_many_questions_as_the_document_says() {
    let book = Book::open();
    let desk = Desk::new();
    let page = "<form action=/find><label>Name <input name=name></label><button>Search</button></form>";
    let site = Server::start(move |ask: &Ask| match ask.bare_path() {
        "/robots.txt" => Answer::text(""),
        "/" => Answer::html(page),
        _ => Answer::html(answer("Rügen")),
    });
    desk.write("names.describe", book.block("names.describe"));
    let describe = ["--describe", "names.describe", "--how", "paper"];
    let object = gather(&desk, &format!("{}/", site.base()), &describe);
    assert_eq!(object["statement"]["queries"], json!(26), "{}", object["statement"]);
    assert_eq!(site.count("/find?name=A%25") + site.count("/find?name=Z%25"), 2, "{:?}", site.asked());
}

#[test]
fn the_summarizer_answers_as_the_document_says() {
    let book = Book::open();
    let desk = Desk::new();
    // A file of SQLite with the table `hotel`.
    std::fs::write(desk.path.join("hotels.db"), include_bytes!("hotels.db")).unwrap();
    std::fs::create_dir(desk.path.join("documents")).unwrap();
    desk.write("documents/hotels.dbcontent", book.block("hotels.dbcontent"));
    let commands: Vec<Vec<&str>> =
        book.block("sh").lines().map(|line| line.strip_prefix("groma ").unwrap().split(' ').collect()).collect();
    let [serve, once] = &commands[..] else { panic!("{commands:?}") };
    let done = desk.run(once);
    assert_eq!(done.code, 0, "{}", done.err);
    let rest = done.out.strip_prefix(book.block("once")).unwrap_or_else(|| panic!("{}", done.out));
    assert!(rest.starts_with("MD5{32}:\t") && rest.contains("\nUpdate-Time{") && rest.ends_with("}\n"), "{rest}");
    // The other command on a port that is free, and the document, which a web server gives, names it.
    let words: Vec<&str> =
        serve.iter().map(|word| if word.starts_with("127.0.0.1:") { "127.0.0.1:0" } else { word }).collect();
    let serving = Serving::start(&desk, &words);
    let document =
        book.block("hotels.dbcontent").replace("http://www.example.org:8481/", &format!("http://{}/", serving.at));
    let web = Server::start(move |ask: &Ask| match ask.bare_path() {
        "/robots.txt" => Answer::text(""),
        "/hotels.dbcontent" => Answer::text(document.clone()),
        _ => Answer::status(404),
    });
    let at = serving.at.to_string();
    let address = format!("{}/hotels.dbcontent", web.base());
    let object = gather(&desk, &address, &["--own", &at]);
    assert_eq!(object["statement"]["requests"], 2, "{}", object["statement"]);
    let names = sorted(&object["values"]);
    assert!(names.values().any(|values| *values == ["Markt", "Sonne", "Strandhotel"]), "{names:?}");
    let again = gather(&desk, &address, &["--own", &at]);
    assert_eq!(again["statement"]["requests"], 1, "one when nothing is new: {}", again["statement"]);
}

#[test]
fn nothing_in_the_document_goes_without_its_test() {
    let book = Book::open();
    let run = [
        "search.html",
        "answer.html",
        "gathered",
        "hotels.describe",
        "described",
        "names.describe",
        "answer.json",
        "api.describe",
        "api",
        "hotels.dbcontent",
    ];
    let known: Vec<&str> = run.into_iter().chain(["hel", "sh", "once"]).chain(NOT_RUN).collect();
    for name in book.blocks.keys() {
        assert!(known.contains(&name.as_str()), "the block {name} is run by no test");
    }
    // Every flag there is one of these commands'.
    let desk = Desk::new();
    let commands: [&[&str]; 4] = [&["gather"], &["hel"], &["summarize", "serve"], &["summarize", "once"]];
    let help: String = commands.iter().map(|words| desk.run(&[words, &["--help"][..]].concat()).out).collect();
    let flags = book.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    for flag in flags.filter(|word| word.starts_with("--") && word.len() > 3 && *word != "--features") {
        assert!(help.contains(flag), "docs/databases.md speaks of {flag}");
    }
}

#[cfg(not(feature = "odbc"))]
#[test]
fn a_build_without_odbc_says_how_to_build_it() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path.join("documents")).unwrap();
    let done = desk.run(&["summarize", "once", "x", "--config", "documents", "--database", "odbc:DSN=x;PWD=s3cret"]);
    done.is_mistake("does not speak odbc");
    assert!(done.err.contains("--features odbc") && !done.err.contains("s3cret"), "{}", done.err);
}

#[cfg(feature = "odbc")]
#[test]
fn the_summarizer_reads_through_odbc_what_it_reads_without() {
    let book = Book::open();
    if !std::fs::read_to_string("/etc/odbcinst.ini").is_ok_and(|known| known.contains("[SQLite3]")) {
        eprintln!("skipped: there is no driver SQLite3 for ODBC");
        return;
    }
    let desk = Desk::new();
    std::fs::write(desk.path.join("hotels.db"), include_bytes!("hotels.db")).unwrap();
    std::fs::create_dir(desk.path.join("documents")).unwrap();
    desk.write("documents/hotels.dbcontent", book.block("hotels.dbcontent"));
    let file = desk.path.join("hotels.db");
    // The one of the document, with this file.
    let line = book.block("strings").lines().find(|line| line.contains("{SQLite3}")).unwrap();
    let address = line.replace("/var/lib/hotels.db", &file.display().to_string());
    let words = ["summarize", "once", "hotels", "--config", "documents", "--database", &address];
    desk.run(&words).is_mistake("ODBC");
    let done = desk.run(&[&words[..], &["--allow-writable-role"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with(book.block("once")), "{}", done.out);
    let far = [&words[..6], &["odbc:DSN=no_such_source;PWD=s3cret"]].concat();
    desk.run(&far).is_mistake("is not known here");
    let missing = [&far[..], &["--far-database", "--allow-writable-role"]].concat();
    let done = desk.run(&missing);
    done.is_mistake("does not let us in");
    assert!(!done.err.contains("s3cret"), "{}", done.err);
}
