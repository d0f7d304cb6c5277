//! One question to several surveys: their answers, pages and records, as one list.
//!
//! Scores of different surveys are compared as they are. That is not exact (a word that is rare in one survey may be common in
//! another), but the surveys are asked in the same way with the same weights, and a page that answers well scores well in its own.

use groma_model::wording::{counted, grouped, plain};
use groma_search::{Answer, FacetCount, Facets, Followed, Note};

/// Facets kept of each sort.
const FACETS: usize = 10;

/// Merges answers that were each asked for their first `first + most` hits.
pub fn merge(answers: Vec<Answer>, first: usize, most: usize) -> Answer {
    let mut whole = Answer::default();
    // A survey that has all the words silences those that have some.
    let some = |answer: &Answer| answer.notes.contains(&groma_search::Note::SomeWords);
    let all_found = answers.iter().any(|answer| answer.total > 0 && !some(answer));
    for answer in answers {
        if all_found && some(&answer) {
            continue;
        }
        whole.total += answer.total;
        whole.mixed |= answer.mixed;
        whole.hits.extend(answer.hits);
        if let Some(facets) = answer.facets {
            add(whole.facets.get_or_insert_default(), facets);
        }
        whole.did_you_mean = whole.did_you_mean.or(answer.did_you_mean);
        let new = answer.notes.into_iter().filter(|note| !whole.notes.contains(note)).collect::<Vec<_>>();
        whole.notes.extend(new);
    }
    whole.hits.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| a.url.cmp(&b.url)).then_with(|| a.title.cmp(&b.title))
    });
    whole.hits = whole.hits.into_iter().skip(first).take(most).collect();
    if whole.total > 0 && !whole.notes.contains(&groma_search::Note::SomeWords) {
        whole.did_you_mean = None;
    }
    whole
}

fn add(to: &mut Facets, more: Facets) {
    for (to, more) in [
        (&mut to.sections, more.sections),
        (&mut to.types, more.types),
        (&mut to.languages, more.languages),
        (&mut to.sites, more.sites),
    ] {
        for one in more {
            match to.iter_mut().find(|known| known.value == one.value) {
                Some(known) => known.count += one.count,
                None => to.push(one),
            }
        }
        to.sort_by(|a: &FacetCount, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        to.truncate(FACETS);
    }
}

/// For a survey that nobody has indexed.
pub const NO_INDEX: &str = "the survey has no full-text index yet";
/// How to index a survey.
pub const NO_INDEX_HINT: &str = "make one with `groma index`";

/// What an update of the index did.
pub fn indexed(followed: &Followed) -> String {
    let (written, removed) = (grouped(followed.written), grouped(followed.removed));
    let mut here = counted(followed.pages, "page", "pages");
    if followed.records > 0 {
        here.push_str(&format!(" and {}", counted(followed.records, "record", "records")));
    }
    let mut line = format!("{here} in the index: {written} written, {removed} removed");
    if followed.left_out > 0 {
        line.push_str(&format!("; {}", left_out(followed.left_out)));
    }
    line
}

fn left_out(records: u64) -> String {
    let count = counted(records, "record or value", "records or values");
    format!("{count} of gathered databases beyond what the index takes up: not searched")
}

/// How many answers there are; with records of databases among them if the index has any.
pub fn answers(total: u64, mixed: bool) -> String {
    match mixed {
        true => counted(total, "page or record", "pages and records"),
        false => counted(total, "page", "pages"),
    }
}

/// What the searcher should know about the answer.
pub fn search_note(note: &Note) -> String {
    match note {
        Note::SomeWords => "no page has all the words; these have some of them".to_owned(),
        Note::NoSuchSection(name) => format!("there is no section `{}`: it was passed over", plain(name)),
        Note::NoDate(text) => {
            format!("`{}` is no date (write 2026-01-31, 2026-01 or 2026): it was passed over", plain(text))
        }
        Note::NothingAsked => "there is nothing to look for in the question".to_owned(),
        Note::LeftOut(records) => left_out(*records),
        Note::TooLong => "the question is too long: only its beginning was used".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_model::PageId;
    use groma_search::{Hit, Note};

    fn answer(site: &str, scores: &[f32], notes: &[Note]) -> Answer {
        let hit = |score: &f32| Hit {
            page: Some(PageId(1)),
            url: format!("http://{site}/{score}"),
            title: String::new(),
            title_pieces: Vec::new(),
            score: *score,
            snippet: Vec::new(),
            kind: "page",
            form: String::new(),
            database: String::new(),
            media_type: String::new(),
            language: String::new(),
            date: 0,
            site: site.to_owned(),
            section: String::new(),
        };
        let count = FacetCount { value: "html".into(), label: "HTML".into(), count: scores.len() as u64 };
        Answer {
            total: scores.len() as u64,
            mixed: false,
            hits: scores.iter().map(hit).collect(),
            facets: Some(Facets { types: vec![count], ..Facets::default() }),
            did_you_mean: None,
            notes: notes.to_vec(),
        }
    }

    #[test]
    fn the_best_come_first_wherever_they_are_from() {
        let whole = merge(vec![answer("a", &[9.0, 2.0], &[]), answer("b", &[5.0, 1.0], &[])], 1, 2);
        assert_eq!(whole.hits.iter().map(|hit| hit.score).collect::<Vec<_>>(), [5.0, 2.0]);
        assert_eq!(whole.total, 4);
        assert_eq!(whole.facets.unwrap().types[0].count, 4);
    }

    #[test]
    fn half_an_answer_gives_way_to_a_whole_one() {
        let whole = merge(vec![answer("a", &[9.0], &[Note::SomeWords]), answer("b", &[1.0], &[])], 0, 10);
        assert_eq!(whole.total, 1);
        assert_eq!(whole.hits[0].site, "b");
        let both = merge(vec![answer("a", &[9.0], &[Note::SomeWords]), answer("b", &[], &[])], 0, 10);
        assert_eq!((both.total, both.notes), (1, vec![Note::SomeWords]));
    }
}
