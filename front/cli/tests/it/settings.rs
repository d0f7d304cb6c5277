//! Settings and their origins, and manners.

use groma_testweb::{Answer, Ask, Server};

use crate::{Desk, is_on_server};

#[test]
fn every_value_has_its_origin() {
    let desk = Desk::new();
    desk.write(
        "groma.toml",
        "depth = 4\ndelay = \"750ms\"\n\n[limits]\npage_bytes = \"1MB\"\n\n[[rule]]\npath = '/a'\n",
    );
    let mut command = desk.command(&["config", "-f", "json", "-d", "2", "-u", "me:hunter2", "-s", "limits.headers=50"]);
    let output = command.env("GROMA_PER_HOST", "3").env("GROMA_LIMITS__REDIRECTS", "7").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
    let whole: serde_json::Value = serde_json::from_str(&text).unwrap();
    let of = |key: &str| {
        let row = whole["settings"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap();
        format!("{} {}", row["value"], row["origin"].as_str().unwrap())
    };
    assert_eq!(of("depth"), "2 command line --depth");
    assert_eq!(of("delay"), "0.75 groma.toml:2");
    assert_eq!(of("per_host"), "3 environment GROMA_PER_HOST");
    assert_eq!(of("limits.redirects"), "7 environment GROMA_LIMITS__REDIRECTS");
    assert_eq!(of("limits.page_bytes"), "1000000 groma.toml:5");
    assert_eq!(of("limits.headers"), "50 command line -s");
    assert_eq!(of("scope"), "\"host\" default");
    assert_eq!(of("user"), "\"me:***\" command line --user");
    assert_eq!(whole["rules"][0]["origin"], "groma.toml:7");
    let text = desk.run(&["config"]);
    assert!(text.out.contains("groma.toml:1") && text.out.contains("rule.1"), "{}", text.out);
    assert!(desk.run(&["config", "-f", "csv"]).out.starts_with("key,value,origin,"));
}

#[test]
fn mistakes_in_settings_are_told_in_one_line_with_a_hint() {
    let desk = Desk::new();
    desk.run(&["config", "-s", "dept=3"]).is_mistake("there is no setting `dept`");
    desk.run(&["config", "-s", "depth"]).is_mistake("has no value");
    desk.run(&["config", "--delay", "soon"]).is_mistake("--delay");
    desk.run(&["config", "--rate", "0"]).is_mistake("--rate 0: a number of fetches a second above 0 is expected");
    desk.run(&["crawl", "127.0.0.1:1", "--rate", "NaN"]).is_mistake("--rate NaN");
    desk.run(&["config", "--scope", "world"]).is_mistake("--scope");
    desk.run(&["config", "--exclude", "re:("]).is_mistake("no regular expression");
    desk.run(&["config", "--config", "absent.toml"]).is_mistake("absent.toml");
    desk.write("groma.toml", "depth = 3\nscoop = 'host'\n");
    desk.run(&["config"]).is_mistake("groma.toml:2: there is no setting `scoop`");
    desk.write("groma.toml", "depth = \n");
    desk.run(&["crawl", "127.0.0.1:1"]).is_mistake("groma.toml:1:");
    desk.write("groma.toml", "[[rule]]\npath = '/a'\nrequired = ['x']\noptional = ['x']\n");
    desk.run(&["config"]).is_mistake("groma.toml:1: rule 1 names the parameter `x` twice");
    desk.write("groma.toml", "[[rule]]\nrequire = ['x']\n");
    desk.run(&["rules"]).is_mistake("unknown field `require`");
}

#[test]
fn config_refuses_what_a_crawl_refuses_and_says_the_same() {
    if is_on_server() {
        return;
    }
    let desk = Desk::new();
    let of = |setting: &[&str]| {
        let config = desk.run(&[&["config"], setting].concat());
        let crawl = desk.run(&[&["crawl", "http://127.0.0.1:1/", "--retries", "0"], setting].concat());
        config.is_mistake("");
        assert_eq!((crawl.code, &crawl.err), (2, &config.err), "{setting:?}");
        config.err
    };
    assert!(of(&["-x", "::"]).contains("command line --proxy: proxy: \"::\" is not a proxy"));
    let secret = of(&["-H", "X-Key: a\nsecret"]);
    assert!(secret.contains("X-Key") && !secret.contains("secret"), "{secret}");
    of(&["-s", "user_agent=a\nb"]);
    of(&["--contact", "a\nb"]);
    assert!(of(&["-t", "0"]).contains("command line --timeout: limits.total_ms: a number above 0"));
    assert!(of(&["-s", "limits.url_bytes=0"]).contains("limits.url_bytes"));
    desk.write("groma.toml", "delay = 1\n[limits]\npage_bytes = 0\n");
    assert!(of(&[]).contains("groma.toml:3: limits.page_bytes"));
    assert_eq!(std::fs::read_dir(&desk.path).unwrap().count(), 1, "no survey was begun");
}

#[test]
fn a_file_in_another_encoding_is_told_with_its_line() {
    let desk = Desk::new();
    std::fs::write(desk.path.join("groma.toml"), b"depth = 3\n# caf\xe9\n").unwrap();
    for command in [&["config"][..], &["crawl", "127.0.0.1:1"], &["rules"]] {
        let done = desk.run(command);
        done.is_mistake("groma.toml:2: the file is not UTF-8");
        assert!(done.err.contains("save it as UTF-8"), "{}", done.err);
    }
}

#[test]
fn the_example_of_the_paper() {
    let desk = Desk::new();
    desk.write("groma.toml", "[[rule]]\npath = '/tisk.php'\nrequired = ['clanek']\ndefault = { jazyk = 'cz' }\n");
    let rows = desk.json(&[
        "rules",
        "test",
        "-f",
        "json",
        "http://a.example/tisk.php?jazyk=cz&clanek=123&uzivatel=987",
        "http://a.example/tisk.php?jazyk=en",
        "http://a.example/tisk.php?clanek=5",
    ]);
    assert_eq!(rows[0]["canonical"], "http://a.example/tisk.php?clanek=123&jazyk=cz");
    assert_eq!((&rows[0]["taken"], &rows[1]["taken"]), (&true.into(), &false.into()));
    assert_eq!(rows[1]["reason"], "rule-required");
    assert_eq!(rows[2]["canonical"], "http://a.example/tisk.php?clanek=5&jazyk=cz");
    let text = desk.run(&["rules", "test", "http://a.example/tisk.php?clanek=5&utm_source=x#y"]);
    assert!(
        text.out.contains("  1. read by the URL standard") && text.out.contains("dropped the fragment"),
        "{}",
        text.out
    );
    assert!(desk.run(&["rules"]).out.contains("/tisk.php"));
}

#[test]
fn strangers_are_only_hurried_by_their_owner() {
    if is_on_server() {
        return;
    }
    let desk = Desk::new();
    let stranger = "http://192.0.2.1/";
    for rude in [&["--delay", "0"][..], &["--per-host", "5"], &["-s", "robots=false"], &["--rate", "50"]] {
        let done = desk.run(&[&["crawl", stranger], rude].concat());
        done.is_mistake("192.0.2.1 is not this machine");
        assert!(done.err.contains("--i-own-this-site"), "{}", done.err);
    }
    assert_eq!(std::fs::read_dir(&desk.path).unwrap().count(), 0);
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /"),
        _ => Answer::html("<title>x</title><p>Text."),
    });
    let base = server.base();
    assert_eq!(desk.run(&["crawl", &base, "--delay", "0", "-s", "robots=false"]).code, 0);
    let named = format!("http://my.example:{}/", server.port());
    let resolve = format!("my.example:{}:127.0.0.1", server.port());
    let mapped = desk.run(&["crawl", &named, "--delay", "0", "--resolve", &resolve, "-s", "robots=false"]);
    assert_eq!(mapped.code, 0, "{}", mapped.err);
}
