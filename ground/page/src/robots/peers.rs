//! What others test their readers of robots.txt with: cases of our own about the same questions, each with the answer they expect.
//! Where ours is another, `docs/robots.md` says why.

use super::tests::url;
use super::*;

/// A question: whose and about what, the file, the agent, the URL, and whether they allow it.
type Case = (&'static str, &'static str, &'static str, &'static str, bool);

/// The questions of crawler-commons (`SimpleRobotRulesParserTest`, 2026).
const CRAWLER_COMMONS: &[Case] = &[
    ("an empty file", "", "anybot", "/a.html", true),
    ("query in a rule", "User-agent: *\r\nDisallow: /i.cfm?do=search*", "anybot", "/i.cfm?do=search&x=1", false),
    ("prefix", "User-agent: *\nDisallow: /fish\n", "anybot", "/fishheads/yummy.html", false),
    ("prefix, case", "User-agent: *\nDisallow: /fish\n", "anybot", "/Fish.asp", true),
    ("prefix, elsewhere", "User-agent: *\nDisallow: /fish\n", "anybot", "/?id=fish", true),
    ("star at the end", "User-agent: *\nDisallow: /fish*\n", "anybot", "/fish.php?id=anything", false),
    ("star at the end, shorter", "User-agent: *\nDisallow: /fish*\n", "anybot", "/fis", true),
    ("folder", "User-agent: *\nDisallow: /fish/\n", "anybot", "/fish/?id=anything", false),
    ("folder without its slash", "User-agent: *\nDisallow: /fish/\n", "anybot", "/fish", true),
    ("star inside", "User-agent: *\nDisallow: /*.php\n", "anybot", "/folder/any.php.file.html", false),
    ("star inside, case", "User-agent: *\nDisallow: /*.php\n", "anybot", "/windows.PHP", true),
    ("end", "User-agent: *\nDisallow: /*.php$\n", "anybot", "/folder/f.php", false),
    ("end, query", "User-agent: *\nDisallow: /*.php$\n", "anybot", "/f.php?parameters", true),
    ("two stars", "User-agent: *\nDisallow: /*fish*.php\n", "anybot", "/superfishheads/catfish.php?p", false),
    ("comments only", "#user-agent: anybot\n\n#disallow: /\n", "anybot", "/a", true),
    ("robots.txt itself", "User-agent: *\nDisallow: /", "any-darn-crawler", "/robots.txt", true),
    ("agent not listed", "User-agent: one\nDisallow: /\n\nUser-agent: two\nDisallow: /", "three", "/a", true),
    ("not ASCII", "User-agent: * # \u{a2}\nDisallow:", "anybot", "/a", true),
    ("unescaped path", "User-agent: *\nDisallow: /b\u{fc}cher/\n", "mybot", "/b%C3%BCcher/1", false),
    ("escaped path", "User-agent: *\nDisallow: /k%C3%B6nyvek/\n", "mybot", "/k\u{f6}nyvek/2", false),
    ("escaped space", "User-agent: *\nDisallow: /*%20\n", "anybot", "/foobar%20/", false),
    ("escaped slash is no slash", "User-agent: *\nDisallow: /*%2F*\n", "anybot", "/path/index.html", true),
    ("escaped slash", "User-agent: *\nDisallow: /topic/9%2F11/\n", "anybot", "/topic/9%2f11/i", false),
    ("escaped slash in a query", "User-agent: *\nDisallow: /q?*m=a%2Fpdf\n", "anybot", "/q?m=a%2Fpdf", false),
    ("dollar", "User-agent: *\nDisallow: /$\n", "anybot", "/foobar", true),
    ("escaped dollar", "User-agent: *\nDisallow: /%24\n", "anybot", "/$100", false),
    ("escaped dollar is no end", "User-agent: *\nDisallow: /%24\n", "anybot", "/", true),
    ("escaped star is no star", "User-agent: *\nDisallow: /s/%2A/\n", "anybot", "/s/foobar/", true),
    ("escaped star", "User-agent: *\nDisallow: /s/%2a/\n", "anybot", "/s/*/", false),
    ("unreserved", "User-agent: *\nDisallow: /foo/bar/%62%61%7A\n", "anybot", "/foo/bar/baz", false),
    ("query only", "User-agent: *\nDisallow: /", "anybot", "http://www.example.com?q=a", false),
    (
        "mixed line ends",
        "User-agent: a\nDisallow: /\r\r\nUser-agent: b\rDisallow: \u{85}\rUser-agent: *\nDisallow: /c\n",
        "b",
        "/",
        true,
    ),
    ("mixed line ends, others", "User-agent: a\nDisallow: /\r\r\nUser-agent: *\r\nDisallow: /c\n", "x", "/c", false),
    ("Nutch, CR", "User-Agent: A1 #foo\rDisallow: /a\r\rUser-Agent: *\rDisallow: /foo/\r", "A1", "/a/b", false),
    ("two names in a line, the first", "User-agent: one two\nDisallow: /\n", "one", "/a", false),
    ("two names in a line, the second", "User-agent: one two\nDisallow: /\n", "two", "/a", false),
    (
        "names with commas, the first",
        "User-agent: One, Two\nDisallow: /\nUser-agent: *\nAllow: /\n",
        "One",
        "/a",
        false,
    ),
    (
        "names with commas, the second",
        "User-agent: One, Two\nDisallow: /\nUser-agent: *\nAllow: /\n",
        "Two",
        "/a",
        false,
    ),
    ("name with a space", "User-agent: Download Ninja\nDisallow: /i\n", "Download Ninja", "/i", false),
    ("name with a version", "User-agent: foo/1.2\nDisallow: /i\n", "foo", "/i", false),
    ("agent with a version", "User-agent: unhipbot\nDisallow: /\n", "UnhipBot/0.1", "/i", false),
    ("agent of several words", "User-agent: denybot\nDisallow: /\n", "Mozilla denybot 99.9", "/path", false),
    (
        "header of a browser in the file",
        "User-agent: Mozilla/5.0 (compatible; Butterfly/1.0)\nDisallow: /",
        "butterfly",
        "/",
        true,
    ),
    (
        "HTML around it, named",
        "<HTML>\nUser-agent: mybot<BR>\nDisallow: <BR>\nUser-agent: *<BR>\nDisallow: /<BR>\n",
        "mybot",
        "/i",
        true,
    ),
    (
        "HTML around it, others",
        "<HTML>\nUser-agent: mybot<BR>\nDisallow: <BR>\nUser-agent: *<BR>\nDisallow: /<BR>\n",
        "bogusbot",
        "/i",
        false,
    ),
    ("HTML instead", "<HTML><HEAD><TITLE>Site under Maintenance</TITLE></HTML>", "anybot", "/", true),
    ("case of paths", "User-agent: *\nAllow: /Any.html\nDisallow: /", "anybot", "/any.html", false),
    ("empty Disallow", "User-agent: *\nDisallow: /d/\nAllow: /a/\nDisallow: ", "anybot", "/d/i", false),
    ("empty Allow", "User-agent: *\nAllow:", "anybot", "/a", true),
    ("two groups for all", "User-agent: *\nDisallow: /i\nAllow: /\n\nUser-agent: *\nDisallow: /", "anybot", "/a", true),
    (
        "longer name first",
        "User-agent: crawlerbot\nDisallow: /i\nAllow: /\n\nUser-agent: crawler\nDisallow: /",
        "crawlerbot",
        "/a",
        true,
    ),
    ("unknown field", "User-agent: a\nAllow: /\nnewfield: 234\nUser-agent: b\nDisallow: /", "b", "/a", false),
    ("a huge delay", "User-agent: *\nCrawl-delay: 3600\nDisallow:\n", "bixo", "/", false),
    ("a delay ends no group", "User-agent: g\nCrawl-delay: 1\n\nUser-agent: q\nDisallow: /", "g", "/", false),
    ("misspelled: desallow", "User-agent: bot1\nDesallow: /d/\n", "bot1", "/d/", false),
    ("misspelled: dissalow", "User-agent: bot1\ndissalow: /d/\n", "bot1", "/d/", false),
    ("misspelled: useragent", "useragent: bot2\nDisallow: /d/\n", "bot2", "/d/", false),
    ("misspelled: useg-agent", "useg-agent: bot3\nDisallow: /d/\n", "bot3", "/d/", false),
    ("no colon", "useragent bot4\nDisallow /d/\n", "bot4", "/d/", false),
    ("space before the colon", "User-agent : bot1\ndisallow : /d/\n", "bot1", "/d/", false),
    (
        "groups of one agent, tie",
        "User-Agent: w\nAllow: /foo/bar\n\nUser-Agent: *\nUser-Agent: w\nDisallow: /foo/bar\n",
        "w",
        "/foo/bar/b",
        true,
    ),
    ("a star at the end counts in the length", "User-Agent: w\nAllow: /\nDisallow: /*\n", "w", "/", true),
    (
        "a star at the end counts elsewhere",
        "User-Agent: w\nAllow: /\nAllow: /foo\nDisallow: /*\n",
        "w",
        "/bar/foo",
        false,
    ),
    (
        "shorter rules of two groups",
        "User-Agent: t\nDisallow: /foo\nUser-Agent: x\nAllow: /\nUser-Agent: t\nAllow: /foo/bar\nDisallow: /foo/b*\n",
        "t",
        "/foo/blue",
        false,
    ),
    ("a broken escape", "User-agent: *\nDisallow: /w/T:M/\nDisallow: /w/T%3M/\n", "bot1", "/w/T:M/", false),
    ("star at the start", "User-agent: *\nDisallow: */gcrnsts\n", "anybot", "/any/gcrnsts", false),
    ("allowing wins a tie", "User-agent: *\nDisallow: /fish\nAllow: /fish\n", "anybot", "/fish", true),
    ("no agent at all", "User-agent: *\nAllow: /a/\nDisallow: /\nUser-agent: b\nAllow: /\n", "", "/", false),
    (
        "a longer name is another",
        "User-agent: *\nAllow: /\nUser-agent: anybot\nDisallow: /search\n",
        "foobot",
        "/search",
        true,
    ),
];

/// Those of Google's additions, and of its matcher on URLs that nobody has escaped, about which we think otherwise (`robots_test.cc`).
const GOOGLE: &[Case] = &[
    (
        "not escaped, rule neither",
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/\u{30c4}\n",
        "FooBot",
        "/foo/bar/\u{30c4}",
        false,
    ),
    (
        "not escaped, rule escaped",
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n",
        "FooBot",
        "/foo/bar/\u{30c4}",
        false,
    ),
    (
        "unreserved, escaped in the rule",
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n",
        "FooBot",
        "/foo/bar/baz",
        false,
    ),
    (
        "index.html stands for its folder",
        "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n",
        "foobot",
        "/allowed-slash/",
        true,
    ),
];

/// Where we answer otherwise.
const DISAGREEMENTS: [&str; 9] = [
    "two names in a line, the second",
    "names with commas, the second",
    "agent of several words",
    "a huge delay",
    "a star at the end counts in the length",
    "not escaped, rule neither",
    "not escaped, rule escaped",
    "unreserved, escaped in the rule",
    "index.html stands for its folder",
];

fn ours(case: &Case) -> bool {
    let (_, file, agent, place, _) = case;
    Robots::parse(file.as_bytes(), product_token(agent), &Limits::default()).allows(&url(place))
}

#[test]
fn every_disagreement_with_other_readers_is_known_and_documented() {
    let cases = CRAWLER_COMMONS.iter().chain(GOOGLE);
    let differs: Vec<&str> = cases.filter(|case| ours(case) != case.4).map(|case| case.0).collect();
    assert_eq!(differs, DISAGREEMENTS);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/robots.md");
    let doc = std::fs::read_to_string(path).unwrap();
    for case in DISAGREEMENTS.iter().chain(&["lines are cut at 16,664 bytes", "a redirect too many"]) {
        assert!(doc.contains(&format!("| {case} |")), "docs/robots.md does not say why we disagree about: {case}");
    }
}

#[test]
fn delays_are_read_as_by_crawler_commons() {
    let delay = |file: &str, agent: &str| {
        Robots::parse(file.as_bytes(), agent, &Limits::default()).crawl_delay().map(|delay| delay.as_millis())
    };
    let two = "User-agent: bixo\rCrawl-delay: 10\rUser-agent: foobot\rCrawl-delay: 20\rUser-agent: *\rDisallow:/baz\r";
    assert_eq!((delay(two, "bixo"), delay(two, "foobot"), delay(two, "other")), (Some(10_000), Some(20_000), None));
    let krugle = "User-agent: *\nDisallow: /perl/\nCrawl-delay: 3\n\nUser-agent: g\nCrawl-delay: 1\n\nUser-agent: q\nDisallow: /";
    assert_eq!((delay(krugle, "g"), delay(krugle, "q"), delay(krugle, "x")), (Some(1_000), None, Some(3_000)));
    let merged = "User-agent: my\nCrawl-delay: 10\nUser-agent: your\nDisallow: /p/\n\nUser-agent: *\nAllow: /\n\nUser-agent: your\n\
                  Disallow: /l/\n\nUser-agent: *\nCrawl-delay: 30\n";
    assert_eq!((delay(merged, "my"), delay(merged, "your"), delay(merged, "x")), (Some(10_000), None, Some(30_000)));
    let markup =
        "<HTML>\nUser-agent: mybot<BR>\nDisallow: <BR>\nCrawl-Delay: 10<BR>\nUser-agent: *<BR>\nCrawl-Delay: 30<BR>\n";
    assert_eq!((delay(markup, "mybot"), delay(markup, "x")), (Some(10_000), Some(30_000)));
    assert_eq!(delay("User-agent: *\nCrawl-delay: 0.5\nDisallow:\n", "bixo"), Some(500));
}

#[test]
fn files_in_utf_16_are_read() {
    let text = "\u{feff}User-agent: *\r\nDisallow: /profile\r\nDisallow: /\u{30c4}\r\n";
    let both: [Vec<u8>; 2] = [
        text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    ];
    for bytes in both {
        let read = |limits: &Limits| Robots::parse(&bytes, "foobot", limits);
        let robots = read(&Limits::default());
        assert!(!robots.allows(&url("/profile")) && !robots.allows(&url("/\u{30c4}")) && robots.allows(&url("/")));
        let cut = Limits { robots_bytes: bytes.len() as u64 - 6, ..Limits::default() };
        assert!(!read(&cut).allows(&url("/profile")) && read(&cut).allows(&url("/\u{30c4}")), "the last line is cut");
    }
}

#[test]
fn the_product_token_is_the_name_without_the_rest() {
    for (user_agent, token) in [
        ("groma/0.9 (+mailto:me@example.org)", "groma"),
        ("MyBot", "MyBot"),
        ("  MyBot/1.0 (+http://my.example/)", "MyBot"),
        ("My-Bot_x/1", "My-Bot_x"),
        ("MJ12bot/v1.4.8 (http://mj12bot.com/)", "MJ12bot"),
        ("Mozilla/5.0 (compatible; MyBot/2.1; +http://my.example/bot.html)", "MyBot"),
        ("Mozilla/5.0 (Compatible;MyBot)", "MyBot"),
        ("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0", "Mozilla"),
        ("Mozilla/5.0 (compatible; )", "Mozilla"),
        ("", ""),
        ("/1.0", ""),
    ] {
        assert_eq!(product_token(user_agent), token, "{user_agent:?}");
    }
}

#[test]
fn a_delay_that_was_cut_is_told() {
    let cut = |text: &str| Robots::parse(text.as_bytes(), "groma", &Limits::default()).crawl_delay_was_cut();
    assert!(cut("User-agent: *\nCrawl-delay: 31\n"));
    assert!(!cut("User-agent: *\nCrawl-delay: 30\n"));
    assert!(!cut("User-agent: other\nCrawl-delay: 300\n"));
}
