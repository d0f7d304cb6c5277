//! JUnit XML, as build servers read it: a suite for each kind, a failed test for each finding, a passed one where nothing was found.
//!
//! A finding that is in the baseline, or that the gate does not look at, is a skipped test, so the color of the whole is that of the
//! gate (but for numbers of findings that a gate allows). There is no official schema; elements and attributes are those that the
//! common ones have (testsuites, testsuite with name, tests, failures, errors, skipped, time; testcase with classname, name, time).
//! The head of a suite has its counts, so one suite is held in memory at a time.
//! Characters that XML 1.0 does not allow become U+FFFD, other control characters spaces.

use std::io::{self, Write};

use groma_model::escape::Xml;

use super::telling::{Teller, short, why};
use crate::closing::Closing;
use crate::finding::{Finding, Kind, Kinds};
use crate::gate::Gate;

/// Characters of a text that are written: URLs are shorter, and texts made to be long are not worth more.
const LONGEST: usize = 5_000;

/// Tells findings as JUnit XML.
pub struct Junit<'w> {
    to: &'w mut dyn Write,
    gate: Option<Gate>,
    begun: bool,
    now: Option<Suite>,
    /// Kinds that have a suite.
    told: Kinds,
}

/// The suite of one kind.
struct Suite {
    kind: Kind,
    cases: Vec<u8>,
    tests: u64,
    failures: u64,
    skipped: u64,
}

impl Suite {
    fn new(kind: Kind) -> Suite {
        Suite { kind, cases: Vec::new(), tests: 0, failures: 0, skipped: 0 }
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let Suite { kind, cases, tests, failures, skipped } = self;
        writeln!(
            to,
            "  <testsuite name=\"{kind}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"0\">"
        )?;
        to.write_all(cases)?;
        writeln!(to, "  </testsuite>")
    }
}

impl<'w> Junit<'w> {
    /// To this. With a gate only what it looks at is a failure.
    pub fn new(to: &'w mut dyn Write, gate: Option<Gate>) -> Junit<'w> {
        Junit { to, gate, begun: false, now: None, told: Kinds::NONE }
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        self.to.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"groma check\">\n")
    }

    fn end_suite(&mut self) -> io::Result<()> {
        self.now.take().map_or(Ok(()), |suite| suite.write(self.to))
    }
}

impl Teller for Junit<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        self.begin()?;
        if self.now.as_ref().is_some_and(|suite| suite.kind != finding.kind) {
            self.end_suite()?;
        }
        self.told = self.told.with(finding.kind);
        let suite = self.now.get_or_insert_with(|| Suite::new(finding.kind));
        let covered = self.gate.as_ref().is_none_or(|gate| gate.covers(finding));
        let excuse = match (finding.new, covered) {
            (false, _) => Some("known by the baseline"),
            (true, false) => Some("not looked at by the gate"),
            (true, true) => None,
        };
        suite.tests += 1;
        suite.failures += u64::from(excuse.is_none());
        suite.skipped += u64::from(excuse.is_some());
        let arrow = finding.to.as_ref().map(|to| format!(" -> {to}")).unwrap_or_default();
        let name = xml(&format!("{}{arrow}", finding.from));
        let cases = &mut suite.cases;
        writeln!(cases, "    <testcase classname=\"groma.{}\" name=\"{name}\" time=\"0\">", finding.kind)?;
        let message = xml(&message(finding));
        match excuse {
            Some(excuse) => writeln!(cases, "      <skipped message=\"{excuse}: {message}\"/>")?,
            None => {
                let next = xml(finding.next);
                let kind = finding.kind;
                writeln!(cases, "      <failure type=\"{kind}\" message=\"{message}\">Next: {next}</failure>")?;
            }
        }
        writeln!(cases, "    </testcase>")
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        self.begin()?;
        self.end_suite()?;
        for kind in closing.summary.checked.iter().filter(|kind| !self.told.has(*kind)) {
            let mut suite = Suite::new(kind);
            suite.tests = 1;
            let name = format!("nothing to tell: {}", kind.says());
            writeln!(suite.cases, "    <testcase classname=\"groma.{kind}\" name=\"{}\" time=\"0\"/>", xml(&name))?;
            suite.write(self.to)?;
        }
        self.to.write_all(b"</testsuites>\n")?;
        self.to.flush()
    }
}

/// What is wrong, in a line.
fn message(finding: &Finding) -> String {
    let mut parts = vec![finding.kind.name().to_owned()];
    let words = finding.anchor.trim();
    if !words.is_empty() {
        parts.push(format!("\u{201c}{words}\u{201d}"));
    }
    parts.extend(finding.block.map(|block| format!("in {}", block.name())));
    parts.extend(why(finding));
    parts.extend((!finding.detail.is_empty()).then(|| finding.detail.clone()));
    parts.join(", ")
}

/// Text that is safe between tags and in attributes.
fn xml(text: &str) -> String {
    Xml(&short(text, LONGEST)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Verdict;
    use crate::summary::Summary;

    fn told(findings: &[Finding], checked: Kinds, gate: Option<Gate>) -> String {
        let mut out = Vec::new();
        let mut summary = Summary { checked, ..Summary::default() };
        let mut junit = Junit::new(&mut out, gate);
        for finding in findings {
            junit.tell(finding).unwrap();
            summary.count(finding);
        }
        junit.close(&Closing { summary: &summary, verdict: &Verdict::default() }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_clean_site_is_green() {
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"groma check\">
  <testsuite name=\"orphan\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0\">
    <testcase classname=\"groma.orphan\" name=\"nothing to tell: pages that no page links to\" time=\"0\"/>
  </testsuite>
</testsuites>
";
        assert_eq!(told(&[], Kinds::NONE.with(Kind::Orphan), None), expected);
    }

    #[test]
    fn findings_fail_unless_they_are_known_or_not_looked_at() {
        let bad = Finding {
            to: Some("https://a.org/?a&b".into()),
            detail: "]]><x>".into(),
            ..Finding::of_page(Kind::InvalidLink, "https://a.org/".into())
        };
        let known = Finding { new: false, from: "https://b.org/".into(), ..bad.clone() };
        let note = Finding::of_page(Kind::Redirect, "https://a.org/".into());
        let text = told(&[bad, known, note], Kinds::NONE, Some(Gate::parse("error").unwrap()));
        assert!(
            text.contains("<testsuite name=\"invalid-link\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\"")
        );
        assert!(text.contains("name=\"https://a.org/ -&gt; https://a.org/?a&amp;b\""), "{text}");
        assert!(text.contains("message=\"invalid-link, ]]&gt;&lt;x&gt;\">Next: remove"), "{text}");
        assert!(text.contains("<skipped message=\"known by the baseline: "));
        assert!(text.contains("<skipped message=\"not looked at by the gate: redirect\"/>"));
    }
}
