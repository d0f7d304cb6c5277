//! What would this description give? Its rules tried on one answer that is kept, and what it would ask; nothing is fetched.
//!
//! Cost: that of reading one page and of the rules, which is bounded ([`groma_hel::bounds`]). What is shown is cut to what a page holds.

use groma_gather::{Description, answer};
use groma_hel::{Prefix, Rule};
use groma_store::gathers::AnswerRow;
use groma_strategy::forms::is_same_site;

use super::describe::{forms_of, place_of, tree_of};

/// Values of an attribute, and records, that are shown.
const SHOWN: usize = 20;

/// What a description gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// What it finds, by attribute.
    pub attributes: Vec<AttributeSeen>,
    /// Names of the columns of the records.
    pub columns: Vec<String>,
    /// The first records, by column.
    pub rows: Vec<Vec<String>>,
    /// Records of the page.
    pub records: usize,
    /// How many there are in all, if the page says so.
    pub total: Option<String>,
    /// The words that say that not all are shown.
    pub cut: Option<String>,
    /// Further pages of the same answer.
    pub further: usize,
    /// What it varies, and over how many values.
    pub varied: Vec<(String, usize)>,
    /// Questions it asks for, if its form is known.
    pub questions: Option<u64>,
    /// Rules that cannot be read.
    pub faults: Vec<RuleFault>,
    /// What else is odd.
    pub complaints: Vec<String>,
}

/// What was found of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeSeen {
    pub name: String,
    /// Distinct values.
    pub count: usize,
    /// The first of them.
    pub values: Vec<String>,
}

/// A rule that cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleFault {
    /// The name of its line.
    pub name: String,
    /// What is wrong, and at which letter.
    pub says: String,
    /// The rule with a mark below the place, in two lines.
    pub shown: String,
}

/// Tries a description on an answer; `start` is the page of the form.
pub fn preview(text: &str, page: Option<&AnswerRow>, start: Option<&AnswerRow>) -> Preview {
    let description = Description::parse(text);
    let mut preview = Preview { faults: faults(&description), ..Preview::default() };
    let told = &description.metadata().complaints;
    let is_told = |complaint: &&String| !preview.faults.iter().any(|fault| complaint.ends_with(&fault.says));
    preview.complaints = told.iter().filter(is_told).cloned().collect();
    if let Some((start, (place, _))) = start.and_then(|start| Some((start, place_of(start)?))) {
        let forms = forms_of(start, &tree_of(start));
        if let Some(asking) = description.resolve(&forms, &|url| is_same_site(&place, url)) {
            preview.varied = asking.elements.iter().map(|one| (one.label.clone(), one.values.len())).collect();
            preview.questions = (!asking.elements.is_empty()).then(|| asking.requests());
            preview.complaints.extend(asking.complaints.into_iter().filter(|one| !told.contains(one)));
        }
    }
    let Some((page, (place, charset))) = page.and_then(|page| Some((page, place_of(page)?))) else { return preview };
    let read = answer::read(&tree_of(page), &place, charset, &description, &[]);
    preview.complaints.extend(read.complaints);
    for record in read.records.iter().take(SHOWN) {
        for (name, _) in &record.values {
            if !preview.columns.contains(name) {
                preview.columns.push(name.clone());
            }
        }
    }
    let row = |record: &answer::Record| {
        let cell = |name: &String| {
            let own = record.values.iter().filter(|(attribute, _)| attribute == name).map(|(_, value)| value.as_str());
            own.collect::<Vec<_>>().join("; ")
        };
        preview.columns.iter().map(cell).collect()
    };
    preview.rows = read.records.iter().take(SHOWN).map(row).collect();
    preview.records = read.records.len();
    preview.total = read.total.map(|total| total.to_string());
    preview.cut = read.cut;
    preview.further = read.next.len();
    let seen = |(name, mut values): (String, Vec<String>)| {
        let count = values.len();
        values.truncate(SHOWN);
        AttributeSeen { name, count, values }
    };
    preview.attributes = read.values.into_iter().map(seen).collect();
    preview
}

/// The rules of a description that cannot be read, with the place of the mistake. What is a list of values is no rule.
fn faults(description: &Description) -> Vec<RuleFault> {
    let complaints = &description.metadata().complaints;
    let fault = |(name, content): &(String, String)| {
        let key = name.to_ascii_lowercase();
        let fault = match key.strip_prefix("db.result")? {
            "" => Prefix::parse(content).err()?,
            _ => Rule::parse(content).err()?,
        };
        let says = fault.to_string();
        let is_one = complaints.iter().any(|complaint| complaint.ends_with(&says));
        is_one.then(|| RuleFault { name: name.clone(), shown: fault.shown(content), says })
    };
    description.tags().iter().filter_map(fault).collect()
}

#[cfg(test)]
mod tests {
    use groma_model::Reason;

    use super::*;

    fn answer(body: &str) -> AnswerRow {
        AnswerRow {
            key: "q".into(),
            about: "all".into(),
            at: 1,
            reason: Reason::Fetched,
            status: 200,
            address: "http://a.test/find?x=1".into(),
            media_type: "text/html".into(),
            charset: "utf-8".into(),
            etag: String::new(),
            last_modified: String::new(),
            cut: false,
            unchanged: false,
            requests: 1,
            body: body.as_bytes().to_vec(),
        }
    }

    const PAGE: &str =
        "<p>3 hits</p><table><tr><td>Inn<td>Bonn<tr><td>Mill<td>Ulm<tr><td><script>alert(1)</script>Bar<td>Ulm</table>";
    const RULES: &str = "DB.Form: 0\nDB.QueryElement: place\nDB.Result: html.body.table.\n\
        DB.Result.name: tr[*].td[0].txt\nDB.Result.place: tr[*].td[1].txt\n";

    #[test]
    fn rules_are_tried_on_a_page_that_is_kept() {
        let start = answer("<form action=/find><select name=place><option>Bonn<option>Ulm</select></form>");
        let seen = preview(RULES, Some(&answer(PAGE)), Some(&start));
        assert_eq!(seen.faults, []);
        assert_eq!(seen.records, 3, "{seen:?}");
        assert_eq!(seen.columns, ["name", "place"]);
        assert_eq!(seen.rows[1], ["Mill", "Ulm"]);
        let place = seen.attributes.iter().find(|one| one.name == "place").unwrap();
        assert_eq!((place.count, place.values.len()), (2, 2));
        assert_eq!((seen.questions, seen.varied.len()), (Some(2), 1));
        assert_eq!(preview(RULES, None, None).records, 0);
    }

    #[test]
    fn a_mistake_is_shown_at_its_place() {
        let text = "DB.Result.name: html.body->table[.txt\nDB.Result.kind: inn, mill\nDB.Nonsense: x\n";
        let seen = preview(text, Some(&answer(PAGE)), None);
        assert_eq!(seen.faults.len(), 1, "{seen:?}");
        assert!(seen.faults[0].shown.ends_with('^') && seen.faults[0].says.contains("letter"), "{seen:?}");
        assert!(seen.complaints.iter().any(|one| one.contains("nonsense")), "{seen:?}");
        assert_eq!(seen.attributes[0].values, ["inn", "mill"]);
        for odd in ["", "<", "\0\u{202e}", &"DB.Result.x: ->".repeat(999), "DB.Form: 99"] {
            preview(odd, Some(&answer(odd)), Some(&answer(odd)));
        }
    }
}
