//! The rules: each is a function that names every file that breaks it, and how.

use crate::source::paths;
use crate::{Crate, House, Section, Storey, Text};

/// The longest a source file may be, in lines.
pub const LINES: usize = 600;

/// Names that say nothing about what is inside.
const DRAWERS: [&str; 8] = ["util", "utils", "common", "helper", "helpers", "manager", "managers", "misc"];

/// Words that mark what is not done. Put together here, so that this file does not break its own rule.
const UNDONE: [&str; 5] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("X", "XX"),
    concat!("to", "do!"),
    concat!("unimpl", "emented!"),
];

/// Words that stand for a socket.
const SOCKETS: [&str; 10] = [
    "TcpStream",
    "TcpListener",
    "TcpSocket",
    "UdpSocket",
    "UnixStream",
    "UnixListener",
    "ToSocketAddrs",
    "socket2",
    "hyper",
    "hyper_util",
];

/// Every source file begins by saying what it answers.
pub fn files_without_opening_words(house: &House) -> Vec<String> {
    let silent = house.texts.iter().filter(|text| !text.source.text.starts_with("//!"));
    silent.map(|text| format!("{}: must begin with `//!`", text.path)).collect()
}

/// Dependencies point downward only, nothing depends on the front, and the yard is for tests.
pub fn dependencies_that_point_up(house: &House) -> Vec<String> {
    let mut found = Vec::new();
    for from in &house.crates {
        for dependency in &from.manifest.dependencies {
            let Some(to) = house.named(&dependency.package) else { continue };
            if let Some(why) = objection(from, to, dependency.section) {
                found.push(format!("{}/Cargo.toml: may not depend on {}: {why}", from.folder, to.folder));
            }
        }
    }
    found
}

fn objection(from: &Crate, to: &Crate, section: Section) -> Option<&'static str> {
    match (from.storey, to.storey) {
        // The command line and the server stand on tasks and settings, the command line starts the server.
        (Storey::Front, Storey::Front) => None,
        (_, Storey::Front) => Some("nothing below looks at the front"),
        (Storey::Yard, _) => None,
        (_, Storey::Yard) if section == Section::Dev => None,
        (_, Storey::Yard) => Some("the yard is not shipped, only a dev-dependency may lead there"),
        (low, high) if high > low => Some("dependencies point downward only"),
        _ => None,
    }
}

/// The ground knows no files, sockets, clock, async or environment.
pub fn effects_on_the_ground(house: &House) -> Vec<String> {
    let mut found = Vec::new();
    for text in house.texts.iter().filter(|t| t.storey() == Some(Storey::Ground) && !t.is_aside()) {
        let shipped = text.source.shipped();
        for word in ["tokio", "Instant", "SystemTime", "async"] {
            if shipped.contains(&word) {
                found.push(format!("{}: `{word}` is an effect, the ground has none", text.path));
            }
        }
        for path in paths(&shipped, "std").into_iter().filter(|path| is_effect(path)) {
            found.push(format!("{}: `{path}` is an effect, the ground has none", text.path));
        }
    }
    for house_crate in house.crates.iter().filter(|c| c.storey == Storey::Ground) {
        let of = |d: &&crate::Dependency| d.section == Section::Normal && d.package == "tokio";
        if house_crate.manifest.dependencies.iter().any(|d| of(&d)) {
            found.push(format!("{}/Cargo.toml: `tokio` is an effect, the ground has none", house_crate.folder));
        }
    }
    found
}

fn is_effect(path: &str) -> bool {
    let mut parts = path.split("::").skip(1);
    match (parts.next(), parts.next()) {
        (Some("fs" | "env"), _) => true,
        // An IP address is a word; what talks to it is not.
        (Some("net"), Some(name)) => !matches!(name, "IpAddr" | "Ipv4Addr" | "Ipv6Addr" | "AddrParseError"),
        (Some("net"), None) => true,
        _ => false,
    }
}

/// What is spoken in some rooms only: a crate and its rooms. SQL has two: one keeps our surveys, the other reads databases of others.
const ROOMS: [(&str, &[&str]); 12] = [
    ("rusqlite", &["engine/store", "engine/summary", "engine/sqlite-checksums"]),
    ("postgres", &["engine/store", "engine/summary"]),
    ("tokio_postgres", &["engine/store"]),
    ("tokio-postgres", &["engine/store"]),
    ("mysql", &["engine/summary"]),
    ("odbc_api", &["engine/odbc", "engine/summary"]),
    ("odbc-api", &["engine/odbc"]),
    ("tantivy", &["engine/search"]),
    ("parquet", &["engine/parquet", "engine/graph-engines"]),
    ("object_store", &["engine/parquet"]),
    ("lettre", &["engine/notify"]),
    ("axum", &["front/serve"]),
];

/// Folders of the yard that measure or stand for what others built, and speak what they must.
const STRANGERS: [&str; 2] = ["yard/bench", "yard/forms"];

/// SQL only in `engine/store` and `engine/summary`, the full-text engine only in `engine/search`, and so on.
pub fn languages_outside_their_room(house: &House) -> Vec<String> {
    let mut found = Vec::new();
    for (word, rooms) in ROOMS {
        let room = rooms.join(", ");
        let at_home = |t: &&Text| rooms.iter().chain(&STRANGERS).any(|folder| t.is_in(folder));
        let spoken =
            house.texts.iter().filter(|t| !at_home(t)).filter(|t| t.source.tokens().iter().any(|token| token == word));
        found.extend(spoken.map(|t| format!("{}: `{word}` belongs to {room}", t.path)));
        let crates = house.crates.iter().filter(|c| !rooms.iter().chain(&STRANGERS).any(|folder| c.folder == *folder));
        let crates = crates.filter(|c| c.manifest.depends_on(word));
        found.extend(crates.map(|c| format!("{}/Cargo.toml: `{word}` belongs to {room}", c.folder)));
    }
    found
}

/// Sockets only in `engine/fetch`; servers in `front/serve` and the demonstration; and wherever tests are.
pub fn sockets_outside_the_fetcher(house: &House) -> Vec<String> {
    let mut found = Vec::new();
    for text in house.texts.iter().filter(|t| !t.is_aside() && !may_have_sockets(t)) {
        let shipped = text.source.shipped();
        let words = SOCKETS.iter().filter(|word| shipped.contains(word)).map(|word| (*word).to_owned());
        let net = paths(&shipped, "tokio").into_iter().filter(|path| path.starts_with("tokio::net"));
        found.extend(words.chain(net).map(|what| format!("{}: `{what}` belongs to engine/fetch", text.path)));
    }
    found
}

fn may_have_sockets(text: &Text) -> bool {
    ["engine/fetch", "front/serve", "yard"].iter().any(|folder| text.is_in(folder))
        || (text.is_in("front/cli") && text.path.ends_with("/demo.rs"))
}

/// No file or folder is a drawer for anything.
pub fn drawers(house: &House) -> Vec<String> {
    let mut found = Vec::new();
    for path in &house.paths {
        let name = |part: &&str| DRAWERS.contains(&part.split('.').next().unwrap_or_default());
        if let Some(part) = path.split('/').find(|part| name(part)) {
            found.push(format!("{path}: `{part}` does not say what is inside; name the thing"));
        }
    }
    found
}

/// No file is too long to be read at a sitting.
pub fn long_files(house: &House) -> Vec<String> {
    let counted = house.texts.iter().map(|text| (text, text.source.text.lines().count()));
    let long = counted.filter(|(_, lines)| *lines > LINES);
    long.map(|(text, lines)| format!("{}: {lines} lines, at most {LINES}", text.path)).collect()
}

/// Nothing is left for later in the sources.
pub fn undone_work(house: &House) -> Vec<String> {
    let mut found = Vec::new();
    for text in &house.texts {
        for (number, line) in text.source.text.lines().enumerate() {
            for word in UNDONE.iter().filter(|word| has_word(line, word)) {
                found.push(format!("{}:{}: `{word}`: do it, or write it down elsewhere", text.path, number + 1));
            }
        }
    }
    found
}

/// Whether a line has a word that is not part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        !before.ends_with(part) && (word.ends_with('!') || !after.starts_with(part))
    })
}

/// The crates with unsafe code: one is called by SQLite through C function pointers, the other calls the driver manager of ODBC. They state
/// their lints themselves.
const UNSAFE: [&str; 2] = ["engine/sqlite-checksums", "engine/odbc"];

/// Every crate takes the lints of the house, unless it is a workspace of its own.
pub fn crates_without_lints(house: &House) -> Vec<String> {
    let own = |c: &&Crate| !c.manifest.inherits_lints && !c.manifest.is_root && !UNSAFE.contains(&c.folder.as_str());
    let without = house.crates.iter().filter(own);
    without.map(|c| format!("{}/Cargo.toml: must have `[lints]` with `workspace = true`", c.folder)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Manifest, Source};

    fn house(texts: &[(&str, &str)], crates: &[(Storey, &str, &str)]) -> House {
        let text = |(path, source): &(&str, &str)| Text {
            path: (*path).into(),
            source: Source::new((*source).into()),
            for_tests: false,
        };
        let member = |(storey, folder, toml): &(Storey, &str, &str)| Crate {
            storey: *storey,
            folder: (*folder).into(),
            manifest: Manifest::parse(toml),
        };
        House {
            texts: texts.iter().map(text).collect(),
            crates: crates.iter().map(member).collect(),
            paths: texts.iter().map(|(path, _)| (*path).to_owned()).collect(),
        }
    }

    /// The files a rule objects to.
    fn blamed(rule: impl Fn(&House) -> Vec<String>, texts: &[(&str, &str)]) -> Vec<String> {
        let file = |line: String| line.split(": ").next().unwrap_or_default().to_owned();
        rule(&house(texts, &[])).into_iter().map(file).collect()
    }

    #[test]
    fn effects_are_seen_in_every_spelling_and_not_in_tests_or_words() {
        let texts = [
            (
                "ground/a/src/ok.rs",
                "//! tokio, std::fs\nuse std::net::IpAddr; use std::time::Duration; fn f() { \"std::env\" }",
            ),
            ("ground/a/src/ok_tests.rs", "#[cfg(test)]\nmod tests { use std::fs; use std::time::Instant; }"),
            ("ground/a/tests/ok.rs", "use std::fs;"),
            ("engine/a/src/ok.rs", "use std::fs;"),
            ("ground/a/src/1.rs", "use std::{collections::HashMap, fs};"),
            ("ground/a/src/2.rs", "use std::net::{IpAddr, TcpStream};"),
            ("ground/a/src/3.rs", "use std::time::{Duration, Instant};"),
            ("ground/a/src/4.rs", "fn f() { std::env::var(x); }"),
            ("ground/a/src/5.rs", "async fn f() {}"),
        ];
        let expected: Vec<String> = (1..=5).map(|n| format!("ground/a/src/{n}.rs")).collect();
        assert_eq!(blamed(effects_on_the_ground, &texts), expected);
    }

    #[test]
    fn dependencies_are_judged_by_storey_and_section() {
        let toml = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\n{rest}");
        let (ground, engine) =
            (toml("g", "[dependencies]\ne = \"1\""), toml("e", "[dependencies]\ng = \"1\"\ny = \"1\""));
        let (front, yard) = (
            toml("f", "[dependencies]\ne = \"1\"\n[dev-dependencies]\ny = \"1\""),
            toml("y", "[dependencies]\nf = \"1\"\ng = \"1\""),
        );
        let found = dependencies_that_point_up(&house(
            &[],
            &[
                (Storey::Ground, "ground/g", &ground),
                (Storey::Engine, "engine/e", &engine),
                (Storey::Front, "front/f", &front),
                (Storey::Yard, "yard/y", &yard),
            ],
        ));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("ground/g/Cargo.toml: may not depend on engine/e"));
        assert!(found[1].starts_with("engine/e/Cargo.toml: may not depend on yard/y"));
        assert!(found[2].starts_with("yard/y/Cargo.toml: may not depend on front/f"));
    }

    #[test]
    fn sockets_and_sql_have_their_rooms() {
        let texts = [
            ("engine/fetch/src/ok.rs", "use tokio::net::TcpStream;"),
            ("front/cli/src/demo.rs", "use std::net::TcpListener;"),
            ("yard/testweb/src/ok.rs", "use tokio::net::TcpStream;"),
            ("engine/store/src/ok.rs", "use rusqlite::Connection;"),
            ("engine/crawl/src/1.rs", "use std::net::TcpStream;"),
            ("front/cli/src/2.rs", "use tokio::{net, time};"),
            ("front/cli/src/3.rs", "use rusqlite::Connection;"),
        ];
        assert_eq!(blamed(sockets_outside_the_fetcher, &texts), ["engine/crawl/src/1.rs", "front/cli/src/2.rs"]);
        assert_eq!(blamed(languages_outside_their_room, &texts), ["front/cli/src/3.rs"]);
    }

    #[test]
    fn openings_names_lengths_and_leftovers_are_seen() {
        let later = format!("//! x\n// {}: this\n", UNDONE[0]);
        let long = format!("//! x\n{}", "\n".repeat(LINES));
        let texts = [
            ("ground/a/src/ok.rs", "//! mytodo! and XXXL"),
            ("ground/a/src/1.rs", "use x;"),
            ("ground/a/src/utils.rs", "//! x"),
            ("ground/common/src/2.rs", "//! x"),
            ("ground/a/src/3.rs", long.as_str()),
            ("ground/a/src/4.rs", later.as_str()),
        ];
        assert_eq!(blamed(files_without_opening_words, &texts), ["ground/a/src/1.rs"]);
        assert_eq!(blamed(drawers, &texts), ["ground/a/src/utils.rs", "ground/common/src/2.rs"]);
        assert_eq!(blamed(long_files, &texts), ["ground/a/src/3.rs"]);
        assert_eq!(blamed(undone_work, &texts), ["ground/a/src/4.rs:2"]);
    }

    #[test]
    fn lints_are_inherited_or_the_crate_is_apart() {
        let with = "[package]\nname = \"a\"\n[lints]\nworkspace = true";
        let crates = [
            (Storey::Ground, "ground/a", with),
            (Storey::Yard, "yard/b", "[package]\nname = \"b\"\n[workspace]"),
            (Storey::Engine, "engine/c", "[package]\nname = \"c\""),
        ];
        assert_eq!(
            crates_without_lints(&house(&[], &crates)),
            ["engine/c/Cargo.toml: must have `[lints]` with `workspace = true`"]
        );
    }
}
