//! Rules tried on pages and files of SOIF looked through, from outside.

use std::io::Write as _;
use std::process::Stdio;

use groma_testweb::{Answer, Ask, Server};
use serde_json::json;

use crate::{Desk, Done};

const PAGE: &str = "<title>t</title><table><tr><td>menu</table><table>\
    <tr><td>Äpfel<td>3<tr><td>Birnen<td>5</table><a href=/2>next</a>";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("page.html", PAGE);
    desk
}

/// Runs a command with something on its stdin.
fn fed(desk: &Desk, args: &[&str], input: &[u8]) -> Done {
    let mut command = desk.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    child.stdin.take().expect("a stdin").write_all(input).expect("it reads");
    Done::from_output(&child.wait_with_output().expect("it ends"))
}

#[test]
fn a_rule_gives_null_strings_and_lists() {
    let desk = desk();
    let value = |rule: &str| desk.json(&["hel", rule, "page.html", "-f", "json"]).remove(0);
    assert_eq!(value("html.body->table[1].tr[*].td[*].txt"), json!([["Äpfel", "3"], ["Birnen", "5"]]));
    assert_eq!(value("html.body->a.getAttr(href)"), json!("/2"));
    assert_eq!(value("html.body.h1.txt"), json!(null));
    let done = desk.run(&["hel", "html.body->table[1].tr[*].td[*].txt", "page.html"]);
    assert_eq!((done.code, done.out.as_str()), (0, "2:\n  Äpfel\n  3\n2:\n  Birnen\n  5\n"));
    let done =
        desk.run(&["hel", "tr[i:*].td.txt where tr[i].td[1].txt > 3", "page.html", "--prefix", "html.body->table[1]."]);
    assert_eq!(done.out, "Birnen\n", "{}", done.err);
    let done = desk.run(&["hel", "html.body.h1.txt", "page.html"]);
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    assert!(done.err.starts_with("note: nothing"), "{}", done.err);
}

#[test]
fn a_fault_is_marked_below_its_place() {
    let desk = desk();
    let done = desk.run(&["hel", "html.body.table[1", "page.html"]);
    assert_eq!(done.code, 2);
    let lines: Vec<&str> = done.err.lines().collect();
    assert_eq!(lines[..2], ["  html.body.table[1", "                   ^"], "{}", done.err);
    assert!(lines[2].starts_with("groma: the rule cannot be read at letter 18"), "{}", done.err);
    assert!(lines[3].starts_with("hint: ") && lines.len() == 4);
    let done = desk.run(&["hel", "p.txt", "page.html", "--prefix", "html.(#a)"]);
    assert!(done.code == 2 && done.err.contains("the prefix cannot be read"), "{}", done.err);
}

#[test]
fn a_rule_that_asks_for_too_much_is_a_mistake() {
    let desk = Desk::new();
    desk.write("page.html", &"<p>".repeat(4000));
    let rule = "html.body->p[*]->p[*]->p[*].txt";
    desk.run(&["hel", rule, "page.html"]).is_mistake("steps on this page");
}

#[test]
fn a_page_comes_from_a_server_or_stdin_in_its_charset() {
    let desk = Desk::new();
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::text(""),
        _ => Answer::typed("text/html; charset=ISO-8859-1", &b"<title>x</title><p>Gr\xfc\xdfe</p>"[..]),
    });
    let done = desk.run(&["hel", "html.body.p.txt", &format!("{}/x", server.base()), "-q"]);
    assert_eq!((done.code, done.out.as_str()), (0, "Grüße\n"), "{}", done.err);
    let done = fed(&desk, &["hel", "html.body.p.txt", "-", "-f", "json"], b"<meta charset=latin1><p>\xdcber");
    assert_eq!(done.json(), [json!("Über")]);
}

#[test]
fn the_tree_shows_the_labels_that_rules_name() {
    let desk = desk();
    let done = desk.run(&["hel", "--tree", "page.html"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out
            .contains("    table[1]\n      tbody[0]\n        tr[0]\n          td[0]\n            pcdata[0] 'Äpfel'\n")
    );
    assert!(done.out.contains("    a[0] href='/2'\n"), "{}", done.out);
    let done = desk.run(&["hel", "--tree", "page.html", "--most", "4"]);
    assert_eq!(done.out.lines().count(), 4);
    assert!(done.err.starts_with("note: "), "{}", done.err);
}

#[test]
fn a_file_of_soif_is_told_and_complaints_fail() {
    let desk = Desk::new();
    let good = "@FILE { http://www.example.org/a\nTitle{5}:\tHello\nOrt{8}:\tAA\nBB\nCC\n}\n";
    desk.write("good.soif", good);
    let done = desk.run(&["soif", "check", "good.soif"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with("@FILE http://www.example.org/a (2 attributes)\n"), "{}", done.out);
    assert!(done.out.contains("8 octets, 3 values") && done.out.ends_with("1 object, 0 errors\n"), "{}", done.out);
    let bad = format!("{good}@FILE {{ http://www.example.org/b\nTitle{{x}}:\tHello\n}}\n{good}");
    let done = fed(&desk, &["soif", "check", "-", "-f", "json"], bad.as_bytes());
    assert_eq!(done.code, 1, "{}", done.err);
    let met = done.json();
    assert_eq!(met.len(), 3, "{}", done.out);
    assert_eq!(met[0]["attributes"][1], json!({"name": "Ort", "octets": 8, "values": 3}));
    assert_eq!(met[1]["at"], json!(good.len() + "@FILE { http://www.example.org/b\nTitle{".len()));
    assert_eq!(met[2]["url"], "http://www.example.org/a");
    let done = desk.run(&["soif", "check", "good.soif", "-f", "csv"]);
    assert_eq!(done.out.lines().count(), 3, "{}", done.out);
    desk.run(&["soif", "check", "missing.soif"]).is_mistake("missing.soif");
}
