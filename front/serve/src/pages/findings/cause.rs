//! The groups of the chosen findings, as [`groma_check::causes`] makes them, and one of them found again by its key.

use groma_check::{CauseGroup, Causes, Finding};

/// Groups by cause: the worst kinds first, then the largest.
pub(super) fn groups<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<CauseGroup> {
    let mut causes = Causes::new(usize::MAX, 1);
    findings.for_each(|finding| causes.take(finding));
    let mut groups: Vec<CauseGroup> = causes.finish().into_iter().flat_map(|kind| kind.groups).collect();
    // Of the same size they stay in the order of their kinds.
    groups.sort_by_key(|group| (group.kind.severity(), std::cmp::Reverse(group.size.findings)));
    groups
}

/// The group with this key.
pub(super) fn named<'a>(findings: impl Iterator<Item = &'a Finding>, key: &str) -> Option<CauseGroup> {
    groups(findings).into_iter().find(|group| group.cause.key() == key)
}

/// Whether a finding is in a group.
pub(super) fn is_in(group: &CauseGroup, finding: &Finding) -> bool {
    group.kind == finding.kind && group.cause.is_behind(finding)
}

#[cfg(test)]
mod tests {
    use groma_check::Kind;

    use super::*;

    #[test]
    fn a_group_is_found_again_by_its_key_and_knows_its_findings() {
        let link = |from: u32, to: &str| Finding {
            to: Some(format!("https://a.org/{to}")),
            ..Finding::of_page(Kind::InvalidLink, format!("https://a.org/{from}"))
        };
        let title = |n: u32| Finding::of_page(Kind::MissingTitle, format!("https://a.org/x/{n}"));
        let all = [link(1, "one"), link(1, "two"), link(2, "two"), title(1), title(2), title(3)];
        let sizes: Vec<(Kind, u64)> =
            groups(all.iter()).iter().map(|group| (group.kind, group.size.findings)).collect();
        assert_eq!(sizes, [(Kind::InvalidLink, 2), (Kind::InvalidLink, 1), (Kind::MissingTitle, 3)]);
        for group in groups(all.iter()) {
            let again = named(all.iter(), &group.cause.key()).unwrap();
            assert_eq!(all.iter().filter(|finding| is_in(&again, finding)).count() as u64, group.size.findings);
        }
        assert!(named(all.iter(), "target x").is_none());
    }
}
