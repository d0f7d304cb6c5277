//! A check from one end to the other: survey, baseline, gate, and the form in which it is told.

use std::io::{self, Write};

use crate::baseline::Baseline;
use crate::check::{Options, check};
use crate::closing::Closing;
use crate::evidence::Evidence;
use crate::gate::{Gate, Verdict};
use crate::summary::Summary;
use crate::tell::{Teller, json};

/// What is to be done.
pub struct Report<'a> {
    /// What is looked for.
    pub options: Options,
    /// Decides whether the check fails.
    pub gate: &'a Gate,
    /// What was known already.
    pub baseline: Option<&'a mut Baseline>,
    /// Tell what is new only; everything is counted all the same.
    pub only_new: bool,
    /// Where every finding, new or not, is put down as the next baseline.
    pub copy: Option<&'a mut dyn Write>,
}

impl Report<'_> {
    /// Checks the survey and tells it.
    pub fn write(mut self, evidence: &mut dyn Evidence, teller: &mut dyn Teller) -> io::Result<(Summary, Verdict)> {
        let mut watch = self.gate.watch();
        let mut baseline = self.baseline.take();
        let mut summary = check(evidence, &self.options, &mut |finding| {
            finding.new = baseline.as_mut().is_none_or(|baseline| baseline.is_new(finding));
            watch.see(finding);
            if let Some(copy) = &mut self.copy {
                json::write_line(copy, finding)?;
            }
            if finding.new || !self.only_new { teller.tell(finding) } else { Ok(()) }
        })?;
        summary.fixed = baseline.map(|baseline| baseline.fixed(self.options.kinds));
        let verdict = watch.verdict();
        teller.close(&Closing { summary: &summary, verdict: &verdict })?;
        Ok((summary, verdict))
    }
}

#[cfg(test)]
mod tests {
    use groma_model::Reason;

    use super::*;
    use crate::finding::Kind;
    use crate::memory::Survey;
    use crate::tell::{Format, Manner, teller};

    fn written(survey: &mut Survey, baseline: Option<&mut Baseline>, only_new: bool) -> (String, Summary, Verdict) {
        let (mut out, mut copy) = (Vec::new(), Vec::new());
        let gate = Gate::parse("error").unwrap();
        let report = Report { options: Options::default(), gate: &gate, baseline, only_new, copy: Some(&mut copy) };
        let (summary, verdict) =
            report.write(survey, &mut *teller(Format::Json, &mut out, &Manner::default())).unwrap();
        let copied = String::from_utf8(copy).unwrap().lines().count() as u64;
        assert_eq!(copied, summary.total(), "the next baseline has all, told or not");
        (String::from_utf8(out).unwrap(), summary, verdict)
    }

    #[test]
    fn a_baseline_makes_old_findings_harmless_and_counts_what_was_fixed() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        for n in 0..3 {
            let gone = survey.add(&format!("https://a.org/{n}"), Reason::NotFound);
            survey.link(home, gone, "x");
        }
        let (first, summary, verdict) = written(&mut survey, None, false);
        assert_eq!((summary.for_kind(Kind::InvalidLink).all, summary.fixed, verdict.passed()), (3, None, false));

        let mut baseline = Baseline::read(&mut first.as_bytes()).unwrap();
        let (again, summary, verdict) = written(&mut survey, Some(&mut baseline), true);
        assert_eq!((again.as_str(), summary.total_new(), summary.fixed), ("", 0, Some(0)));
        assert!(verdict.passed() && summary.for_kind(Kind::InvalidLink).all == 3);

        survey.page(home).links.remove(0);
        let late = survey.add("https://a.org/late", Reason::Gone);
        survey.link(home, late, "x");
        let mut baseline = Baseline::read(&mut first.as_bytes()).unwrap();
        let (news, summary, verdict) = written(&mut survey, Some(&mut baseline), true);
        assert!(news.lines().count() == 1 && news.contains("https://a.org/late"), "{news}");
        assert_eq!((summary.fixed, verdict.failed[0].count), (Some(1), 1));
    }

    /// Baseline, what is new only, and gate mean the same in whatever form findings are told.
    #[test]
    fn every_form_knows_baseline_and_gate() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        let old = survey.add("https://a.org/old", Reason::NotFound);
        survey.link(home, old, "x");
        let (first, ..) = written(&mut survey, None, false);
        let late = survey.add("https://a.org/late", Reason::Gone);
        survey.link(home, late, "y");
        let gate = Gate::parse("error").unwrap();
        for format in Format::ALL {
            let mut told = |compared: bool, only_new: bool, gate: &Gate| {
                let mut out = Vec::new();
                let mut baseline = Baseline::read(&mut first.as_bytes()).unwrap();
                let baseline = compared.then_some(&mut baseline);
                let manner = Manner { compared, gate: Some(gate.clone()), ..Manner::default() };
                let report = Report { options: Options::default(), gate, baseline, only_new, copy: None };
                let (_, verdict) = report.write(&mut survey, &mut *teller(format, &mut out, &manner)).unwrap();
                (String::from_utf8(out).unwrap(), verdict.passed())
            };
            let (all, passed) = told(true, false, &gate);
            assert!(all.contains("a.org/old") && all.contains("a.org/late") && !passed, "{format}: {all}");
            let (news, passed) = told(true, true, &gate);
            assert!(!news.contains("a.org/old") && news.contains("a.org/late") && !passed, "{format}: {news}");
            assert!(told(true, true, &Gate::parse("error>1").unwrap()).1, "{format}: one is new, and one is allowed");
            assert!(
                !told(false, false, &Gate::parse("error>1").unwrap()).1,
                "{format}: without a baseline both are new"
            );
        }
    }
}
