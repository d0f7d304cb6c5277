//! Shortcuts of the tests: what a check of a survey in memory gives.

use crate::catalogue::{Judge, judge_of};
use crate::finding::{Finding, Kind, Kinds};
use crate::memory::Survey;
use crate::summary::Summary;
use crate::{Options, check};

fn run(survey: &mut Survey, kinds: Kinds) -> (Vec<Finding>, Summary) {
    let mut findings = Vec::new();
    let summary = check(survey, &Options { kinds, ..Options::default() }, &mut |finding| {
        findings.push(finding.clone());
        Ok(())
    });
    (findings, summary.unwrap())
}

/// The findings of one kind.
pub(crate) fn found(survey: &mut Survey, kind: Kind) -> Vec<Finding> {
    let (mut every, _) = run(survey, Kinds::ALL);
    every.retain(|finding| finding.kind == kind);
    let alone = run(survey, Kinds::NONE.with(kind)).0;
    assert_eq!(alone, every, "a check gives the same alone and in company");
    alone
}

/// The findings of all kinds.
pub(crate) fn every(survey: &mut Survey) -> Vec<Finding> {
    run(survey, Kinds::ALL).0
}

/// The findings of those kinds that need the whole survey.
pub(crate) fn all(survey: &mut Survey) -> Vec<Finding> {
    let of_survey = |kind: &Kind| matches!(judge_of(*kind), Judge::Survey);
    run(survey, Kind::ALL.iter().copied().filter(of_survey).collect()).0
}

pub(crate) fn summary(survey: &mut Survey) -> Summary {
    run(survey, Kinds::ALL).1
}
