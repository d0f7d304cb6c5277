//! Which pages were not read to the end?
//!
//! An indexed page whose answer broke off is `broken-off`; one that met a limit is `cut`. What other checks say of such a page is
//! said of the part that was read.

use crate::draft::Draft;
use crate::evidence::PageFacts;
use crate::finding::Kind;

/// The word for an answer that broke off; every other is the key of a limit.
const BROKEN: &str = "broken";

/// What is to be said of an indexed page.
pub(crate) fn judge(page: &PageFacts<'_>) -> Option<Draft> {
    let mut cuts = words(page.cuts);
    let first = cuts.next()?;
    let broken = first == BROKEN || cuts.any(|cut| cut == BROKEN);
    Some(Draft::of_page(if broken { Kind::BrokenOff } else { Kind::Cut }, page.id))
}

/// What was cut, in words.
pub(crate) fn detail(cuts: &str) -> String {
    let limits: Vec<&str> = words(cuts).filter(|cut| *cut != BROKEN).collect();
    if limits.is_empty() { String::new() } else { format!("limit {}", limits.join(", ")) }
}

fn words(cuts: &str) -> impl Iterator<Item = &str> {
    cuts.split([',', ' ']).filter(|cut| !cut.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    #[test]
    fn cut_and_broken_off_are_told_apart() {
        let mut survey = Survey::default();
        for (n, cuts) in ["", "html_links", "page_bytes,broken", "page_bytes, html_text"].iter().enumerate() {
            let id = survey.indexed(&format!("https://a.org/{n}"));
            survey.page(id).cuts = (*cuts).into();
        }
        let details =
            |kind| found(&mut survey.clone(), kind).into_iter().map(|f| (f.from, f.detail)).collect::<Vec<_>>();
        let of = |n: u32, detail: &str| (format!("https://a.org/{n}"), detail.to_owned());
        assert_eq!(details(Kind::Cut), [of(1, "limit html_links"), of(3, "limit page_bytes, html_text")]);
        assert_eq!(details(Kind::BrokenOff), [of(2, "limit page_bytes")]);
    }
}
