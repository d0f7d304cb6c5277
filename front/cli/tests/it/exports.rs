//! `groma export markdown|jsonl|csv|surt|sqlite` from outside: read back by others, and counted as the other commands count.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use groma_testweb::{Answer, Ask, Server};
use serde_json::Value;

use crate::{Desk, exists};

/// A site whose texts try to be more than texts.
fn site() -> Server {
    Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html(
            "<html lang=en><head><title>Home &amp; \"garden\"</title><meta name=description content='All: of it'></head>\
             <h1>Home</h1><p># not a heading, *not* bold, &lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:1)</p>\
             <ul><li>one</li><li>- two</li></ul><table><tr><td>cell | one</td><td>=2</td></tr></table>\
             <pre>code\n```\n# still code</pre>\
             <a href='/a/b'>To b ](evil)</a> <a href='/a/'>folder</a> <a href='/A?x=1&amp;y=2'>query</a> <a href='/a/%2e%2e%2fup'>up</a>\
             <a href='/gone'>gone</a> <a href='http://other.example/'>=cmd</a>",
        ),
        "/gone" => Answer::status(404),
        path => {
            Answer::html(format!("<title>Page {}</title><p>Text of it: žluťoučký, \"quoted\", a,b;c</p>", path.len()))
        }
    })
}

fn survey() -> (Desk, Server) {
    let (desk, server) = (Desk::new(), site());
    let done = desk.run(&["crawl", &server.base(), "--store", "s", "--delay", "0", "-q"]);
    assert_eq!(done.code, 0, "{}", done.err);
    (desk, server)
}

/// What python3 prints for a program, as JSON; nothing where there is none.
fn python(desk: &Desk, program: &str) -> Option<Value> {
    let output = Command::new("python3").arg("-c").arg(program).current_dir(&desk.path).output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

fn indexed(desk: &Desk) -> Vec<Value> {
    desk.json(&["pages", "--state", "fetched", "-f", "json", "--store", "s"])
}

#[test]
fn json_lines_hold_what_the_survey_holds() {
    let (desk, _server) = survey();
    let done = desk.run(&["export", "jsonl", "--store", "s", "--with-text", "-o", "out.jsonl"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("written: "), "{}", done.err);
    let lines: Vec<Value> = fs::read_to_string(desk.path.join("out.jsonl"))
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let pages = indexed(&desk);
    assert_eq!(lines.len(), pages.len());
    for (line, page) in lines.iter().zip(&pages) {
        for (ours, theirs) in
            [("url", "url"), ("title", "title"), ("text_digest", "text_fp"), ("fetched", "fetched_at")]
        {
            assert_eq!(line[ours], page[theirs], "{ours}");
        }
    }
    let home = &lines[0];
    assert!(
        home["text"].as_str().unwrap().contains("# not a heading") && home["description"] == "All: of it",
        "{home}"
    );
    assert_eq!(home["blocks"].as_array().unwrap().iter().filter(|b| b["kind"] == "list-item").count(), 2, "{home}");
    let links: u64 = lines.iter().map(|line| line["links"].as_array().unwrap().len() as u64).sum();
    assert_eq!(links, desk.json(&["links", "-f", "json", "--store", "s"]).len() as u64);
    let bare = desk.json(&["export", "jsonl", "--store", "s", "-q", "--state", "broken"]);
    assert_eq!(bare.len(), 1);
    assert!(bare[0].get("text").is_none() && bare[0]["reason"] == "not-found", "{bare:?}");
    let counted = "import json\nrows = [json.loads(l) for l in open('out.jsonl', encoding='utf-8')]\n\
                   print(json.dumps([len(rows), sum(len(r['links']) for r in rows)]))";
    if let Some(counted) = python(&desk, counted) {
        assert_eq!(counted, serde_json::json!([lines.len(), links]));
    }
}

#[test]
fn tables_are_read_back_by_others() {
    let (desk, _server) = survey();
    for (table, file) in [("pages", "pages.csv"), ("links", "links.csv")] {
        let done = desk.run(&["export", "csv", "--table", table, "--store", "s", "-o", file]);
        assert_eq!(done.code, 0, "{}", done.err);
    }
    let done = desk.run(&["export", "sqlite", "--store", "s", "--with-text", "-o", "copy.db"]);
    assert_eq!(done.code, 0, "{}", done.err);
    desk.run(&["export", "sqlite", "--store", "s", "-o", "copy.db"]).is_mistake("is there already");
    desk.run(&["export", "csv", "--table", "links", "--with-text", "--store", "s"]).is_mistake("about pages");
    let pages = desk.json(&["pages", "-f", "json", "--store", "s"]);
    let links = desk.json(&["links", "-f", "json", "--store", "s"]);
    let names: Vec<String> =
        fs::read_dir(&desk.path).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|name| name.contains(".part")), "{names:?}");
    let program = "import csv, json, sqlite3\n\
        rows = lambda f: list(csv.DictReader(open(f, newline='', encoding='utf-8')))\n\
        db = sqlite3.connect('file:copy.db?mode=ro', uri=True)\n\
        one = lambda q: db.execute(q).fetchall()\n\
        print(json.dumps({\n\
          'pages': [r['url'] for r in rows('pages.csv')], 'links': len(rows('links.csv')),\n\
          'db_pages': [u for (u,) in one('select url from pages order by id')],\n\
          'db_links': one('select count(*) from links')[0][0],\n\
          'whole': one('pragma integrity_check')[0][0],\n\
          'title': one(\"select title from pages where text like '%# not a heading%'\")[0][0],\n\
          'joined': one('select count(*) from links l join pages s on s.id = l.source join pages t on t.id = l.target')[0][0],\n\
          'about': dict(one('select key, value from about'))['shape'],\n\
          'strange': [r['anchor'] for r in rows('links.csv') if 'cmd' in r['anchor']]}))";
    let Some(read) = python(&desk, program) else { return };
    let urls: Vec<&Value> = pages.iter().map(|page| &page["url"]).collect();
    assert_eq!(read["pages"].as_array().unwrap().iter().collect::<Vec<_>>(), urls);
    assert_eq!(read["db_pages"], read["pages"]);
    assert_eq!((&read["links"], &read["db_links"]), (&links.len().into(), &links.len().into()));
    assert_eq!(read["joined"], links.len());
    assert_eq!((read["whole"].as_str(), read["about"].as_str()), (Some("ok"), Some("1")));
    assert_eq!(read["title"], "Home & \"garden\"");
    assert_eq!(read["strange"], serde_json::json!(["'=cmd"]), "no formula reaches a spreadsheet");
}

#[test]
fn markdown_is_a_file_a_page_and_its_text_stays_text() {
    let (desk, server) = survey();
    let done = desk.run(&["export", "markdown", "--store", "s", "--to", "md"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let root = desk.path.join("md").join(format!("http+127.0.0.1+{}", server.port()));
    let home = fs::read_to_string(root.join("index.md")).unwrap();
    assert!(home.starts_with("---\nurl: \"http://127.0.0.1:"), "{home}");
    assert!(
        home.contains("title: \"Home & \\\"garden\\\"\"\n") && home.contains("description: \"All: of it\""),
        "{home}"
    );
    assert!(
        home.contains("# Home\n") && home.contains("- one\n- \\- two\n") && home.contains("cell \\| one"),
        "{home}"
    );
    assert!(home.contains("\\# not a heading, \\*not\\* bold, \\<script\\>") && home.contains("\\[x\\]"), "{home}");
    assert!(home.contains("````\ncode\n```\n# still code\n````\n"), "{home}");
    assert!(home.contains("- [To b \\](evil)](<http://127.0.0.1"), "{home}");
    assert!(exists(&root, "a/b.md") && exists(&root, "a/index.md"));
    let mut files = Vec::new();
    let mut folders = vec![desk.path.join("md")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() { folders.push(entry) } else { files.push(entry) }
        }
    }
    assert_eq!(files.len(), indexed(&desk).len(), "{files:?}");
    desk.run(&["export", "markdown", "--store", "s", "--to", "md"]).is_mistake("is there already");
    let stream = desk.run(&["export", "markdown", "--store", "s", "-q"]);
    assert_eq!(stream.out.matches("<!-- end of page -->").count(), files.len());
    let hidden: Vec<_> = fs::read_dir(&desk.path)
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().contains(".part"))
        .collect();
    assert!(hidden.is_empty());
}

#[test]
fn addresses_come_in_the_order_of_their_hierarchy() {
    let (desk, server) = survey();
    let done = desk.run(&["export", "surt", "--store", "s", "-q", "--state", "fetched", "--state", "skipped"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<&str> = done.out.lines().collect();
    let mut sorted = lines.clone();
    sorted.sort_unstable();
    assert_eq!(lines, sorted);
    let here = format!("http://(127.0.0.1:{})/", server.port());
    assert!(lines.contains(&here.as_str()) && lines.contains(&"http://(example,other,)/"), "{lines:?}");
    assert_eq!(lines.len(), lines.iter().collect::<BTreeSet<_>>().len());
    let folders = desk.run(&["export", "surt", "--prefixes", "--store", "s", "-q"]);
    assert!(folders.out.lines().any(|line| line.ends_with(")/a/")), "{}", folders.out);
    desk.run(&["export", "surt", "--state", "lost", "--store", "s"]).is_mistake("no state");
    desk.run(&["export", "jsonl", "--store", "absent"]).is_mistake("no survey");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_parquet_says_how_to_build_one_with_it() {
    let done = Desk::new().run(&["export", "parquet", "--store", "demo.groma", "--to", "out"]);
    done.is_mistake("built without Parquet");
    assert!(done.err.contains("--features parquet"), "{}", done.err);
}

#[test]
fn whatever_is_printed_can_be_written_to_a_file_which_is_there_whole_or_as_it_was() {
    let (desk, server) = survey();
    let base = server.base();
    let page = format!("{base}/");
    let commands: [&[&str]; 16] = [
        &["pages"],
        &["pages", "-f", "csv"],
        &["links"],
        &["rank"],
        &["search", "text"],
        &["explain", &page],
        &["status", "-f", "json"],
        &["verify"],
        &["config"],
        &["rules"],
        &["rules", "test", &page],
        &["diff"],
        &["index"],
        &["jobs"],
        &["schedule"],
        &["map", "--why", &page],
    ];
    // What is printed once is then the same.
    desk.run(&["rank", "--store", "s", "-q"]);
    desk.run(&["index", "--store", "s", "-q"]);
    for command in commands {
        let printed = desk.run(&[command, &["--store", "s"]].concat());
        desk.write("out", "before");
        let written = desk.run(&[command, &["--store", "s", "-o", "out"]].concat());
        assert_eq!((written.code, written.out.as_str()), (printed.code, ""), "{command:?}: {}", written.err);
        let out = fs::read_to_string(desk.path.join("out")).unwrap();
        let timeless =
            |text: &str| text.lines().map(|line| line.replace(|c: char| c.is_ascii_digit(), "0")).collect::<Vec<_>>();
        assert_eq!(printed.code, 0, "{command:?}: {}", printed.err);
        assert_eq!(timeless(&out), timeless(&printed.out), "{command:?}");
    }
    let left: Vec<_> = fs::read_dir(&desk.path).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(".part")), "{left:?}");
}

#[test]
fn nothing_is_written_over_the_files_of_a_survey() {
    if crate::is_on_server() {
        return;
    }
    let (desk, _server) = survey();
    desk.run(&["index", "--store", "s", "-q"]);
    std::os::unix::fs::symlink(desk.path.join("s/survey.db"), desk.path.join("link")).unwrap();
    let pages = desk.run(&["pages", "--store", "s"]).out;
    for place in ["s/survey.db", "s/lock", "s/index/current", "s/index/new", "./s/../s/survey.db-wal", "link"] {
        for command in [&["export", "csv"][..], &["pages"], &["check", "-f", "csv"], &["status", "--watch"]] {
            let done = desk.run(&[command, &["--store", "s", "-o", place]].concat());
            assert_eq!(done.code, 2, "{command:?} {place}: {} {}", done.out, done.err);
            assert!(done.err.contains("it is a file of a survey"), "{command:?} {place}: {}", done.err);
        }
    }
    assert_eq!(desk.run(&["pages", "--store", "s"]).out, pages);
    assert_eq!(desk.run(&["verify", "--store", "s"]).code, 0);
    // Other names there are nobody's.
    assert_eq!(desk.run(&["pages", "--store", "s", "-o", "s/mine.txt"]).code, 0);
}
