//! Texts of strangers in every form: nothing gets out of its place.

use proptest::prelude::*;
use quick_xml::events::Event;

use groma_model::{BlockKind, LinkKind, Reason};

use super::{Format, Manner, teller};
use crate::closing::Closing;
use crate::finding::{Finding, Kind};
use crate::gate::Verdict;
use crate::summary::Summary;

fn findings(text: &str) -> Vec<Finding> {
    let of = |kind: &Kind| Finding {
        to: Some(text.to_owned()),
        anchor: text.to_owned(),
        block: Some(BlockKind::Paragraph),
        link: Some(LinkKind::Anchor),
        reason: Some(Reason::NotFound),
        since: i64::MAX,
        detail: text.to_owned(),
        ..Finding::of_page(*kind, text.to_owned())
    };
    [Kind::InvalidLink, Kind::Duplicate, Kind::Redirect].iter().map(of).collect()
}

fn told(format: Format, findings: &[Finding]) -> String {
    let mut out = Vec::new();
    let mut summary = Summary::default();
    {
        let mut teller = teller(format, &mut out, &Manner::default());
        for finding in findings {
            teller.tell(finding).unwrap();
            summary.count(finding);
        }
        teller.close(&Closing { summary: &summary, verdict: &Verdict::default() }).unwrap();
    }
    String::from_utf8(out).unwrap()
}

/// The names of the elements of a document, in order; fails if it is not well-formed.
fn elements(xml: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    quick_xml::escape::unescape(&attribute.unwrap().value).unwrap();
                }
                names.push(tag.name().as_ref().to_owned());
            }
            Event::Eof => return names,
            _ => {}
        }
    }
}

/// Lines of a form do not depend on what strangers write, and nothing that a terminal obeys is left.
fn keep_their_place(text: &str) {
    let (hostile, tame) = (findings(text), findings("tame"));
    for format in Format::ALL {
        let (bad, good) = (told(format, &hostile), told(format, &tame));
        assert!(!bad.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r')), "{format}: {bad:?}");
        assert!(!bad.contains(['\u{202e}', '\u{2066}']), "{format}");
        if !matches!(format, Format::Text | Format::Markdown) {
            // In text a line is left out where there is nothing to say, and pieces share lines where they are short.
            assert_eq!(bad.lines().count(), good.lines().count(), "{format}: {bad:?}");
        }
        match format {
            Format::Junit => assert_eq!(elements(&bad), elements(&good)),
            Format::Json => bad.lines().for_each(|line| {
                let value: serde_json::Value = serde_json::from_str(line).unwrap();
                assert_eq!(value["from"], text);
            }),
            Format::Csv => bad.lines().skip(1).for_each(|line| {
                let cells = cells(line);
                assert_eq!(cells.len(), super::csv::COLUMNS.len(), "{line:?}");
                assert!(cells.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{line:?}");
            }),
            Format::Sarif => {
                let value: serde_json::Value = serde_json::from_str(&bad).unwrap();
                assert_eq!(value["runs"][0]["results"].as_array().unwrap().len(), hostile.len());
            }
            Format::Text | Format::Markdown => {}
        }
    }
}

/// The cells of a row of CSV whose texts have no line ends.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let cell = cells.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cell.push(c),
        }
    }
    assert!(!quoted);
    cells
}

#[test]
fn known_attacks_keep_their_place() {
    for text in [
        "=HYPERLINK(\"http://evil.example\",\"x\")",
        "@SUM(1)",
        "\t=1+1",
        "\r\n=1+1",
        "]]></failure><testcase name=\"x\"/>",
        "</script><!-- &amp; -->",
        "\u{1b}]0;title\u{7}\u{1b}[2J",
        "\u{9b}31m\u{85}x",
        "\u{202e}gpj.exe\u{2066}",
        "a\u{0}b\u{fffe}\u{ffff}",
        "`` ` ``` | [x](javascript:alert(1)) <img src=x onerror=alert(1)> @all #1",
        "line\n## heading\n| a | b |",
        "\\|\\`",
        "https://a.org/x>y<z",
        "http://[",
        "",
        " ",
    ] {
        keep_their_place(text);
    }
    keep_their_place(&"x\u{1b}\u{2028}`".repeat(20_000));
}

#[test]
fn markdown_has_no_markup_of_strangers_outside_of_code() {
    let text = told(Format::Markdown, &findings("`` <b>x</b> [y](javascript:z) @all |"));
    let list: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(list.len(), 3);
    for line in list {
        // The fence is longer than any run of the text.
        let outside: String = line.split("```").step_by(2).collect();
        assert!(!outside.contains(['<', '[', '@', '|', '`']), "{outside}");
    }
}

#[test]
fn texts_of_strangers_stay_in_the_lines_of_their_group() {
    for text in ["x\n## y\u{1b}[2J", "`<img src=x> @all", "\u{202e}", &"z\u{2028}|".repeat(50_000)] {
        for format in [Format::Text, Format::Markdown] {
            let told = told(format, &findings(text));
            let own = |line: &str| {
                let starts = ["- ", "| ", "|-", "###", "  ", "error: ", "warning: ", "note: ", "1 error, "];
                let whole =
                    ["Broken links: ", "Pages with ", "Links that ", "The check", "Every page", "` Every", "3 "];
                line.is_empty() || starts.iter().chain(&whole).any(|start| line.starts_with(start))
            };
            let odd: Vec<&str> = told.lines().filter(|line| !own(line) || line.len() > 4_000).collect();
            assert!(odd.is_empty(), "{format}: {odd:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_text_keeps_its_place(text in any::<String>()) {
        keep_their_place(&text);
    }

    #[test]
    fn texts_made_of_dangerous_characters_keep_their_place(text in "[=+@\\-\t\r\n\"',;<>&`|\\\\\\[\\]\u{1b}\u{202e}\u{fffe} a]{0,40}") {
        keep_their_place(&text);
    }
}
