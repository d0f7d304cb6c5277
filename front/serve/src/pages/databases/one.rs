//! `/sites/{site}/databases/{id}`: one gathering. Its statement, what it cost, its curve; its records, values and questions.

use std::sync::Arc;

use askama::Template;
use askama::filters::HtmlSafe;
use axum::extract::State;
use axum::response::Response;
use groma_model::wording::{counted, grouped};
use groma_store::gathers::{AnswerRow, GatherRow, Gathers, RecordRow};
use groma_tasks::gather::pairs;
use groma_tasks::task::Gather;
use serde::Deserialize;

use super::naming::{ADDRESS, out, title};
use crate::app::App;
use crate::door::{Form, Path, TaskForm};
use crate::error::Problem;
use crate::pages::jobs::view::JobView;
use crate::pages::layout::{Frame, done, query, short};
use crate::pages::pager::{Pager, pager, part_number};
use crate::pages::picture::Harvest;
use crate::pages::results::{OneHead, OnePages, OneWords};
use crate::pages::shown::about;
use crate::pages::wording::Moment;
use crate::pages::words;
use crate::results::databases::{Databases, LeftOut, Plan, PlanField, Report, Statement, gather_varying};
use crate::sites::Site;

/// Gathers the same, and varies what is ticked.
pub(super) async fn vary(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Form(typed): Form<TaskForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    let job = app.work(move |app| gather_varying(app, &of, id.into(), &typed.each("vary"))).await?;
    Ok(done(&format!("/sites/{}/databases", site.name), "gather-asked", job))
}

/// Records, values and questions at a time.
const RECORDS: usize = 25;
const VALUES: usize = 50;
const ANSWERS: usize = 25;
/// Attributes that are shown as columns, and as lists of values.
const COLUMNS: usize = 12;
const ATTRIBUTES: usize = 40;
/// Letters of a value.
const VALUE: usize = 300;
/// Notes and reasons that are shown.
const NOTES: usize = 30;
/// Points of the curve.
const POINTS: usize = 300;

/// Which part of which list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PartsQuestion {
    /// Part of the list of records.
    page: String,
    /// Which attribute's values, and which part of them.
    attribute: String,
    values: String,
    /// Part of the list of answers.
    answers: String,
}

#[derive(Template)]
#[template(path = "databases_one.html")]
pub(crate) struct DatabaseOnePage {
    frame: Frame,
    head: OneHead,
    form: FormPlace,
    numbers: DatabaseNumbers,
    varied: Vec<(String, String)>,
    plan: Option<String>,
    notes: Vec<String>,
    left_out: Vec<LeftOut>,
    /// It has not ended: it goes on.
    open: bool,
    more: u64,
    records: RecordTable,
    values: ValueLists,
    answers: AnswerTable,
}

/// Where the form stands.
struct FormPlace {
    address: String,
    href: String,
    out: Option<String>,
}

struct RecordTable {
    columns: Vec<String>,
    columns_more: usize,
    rows: Vec<RecordView>,
    pager: Pager,
}

struct ValueLists {
    attributes: Vec<AttributeView>,
    more: usize,
}

struct AnswerTable {
    rows: Vec<AnswerView>,
    pager: Pager,
}

/// The statement and the numbers.
#[derive(Template)]
#[template(path = "part/databases_numbers.html")]
pub(crate) struct DatabaseNumbers {
    site: String,
    job: Option<JobView>,
    end: &'static str,
    badge: &'static str,
    head: String,
    says: String,
    reasons: Vec<String>,
    cost: String,
    degree: &'static str,
    stats: Vec<(&'static str, String)>,
    /// What a run after the last end said, where that has come to no end yet.
    since: Option<String>,
    begun: Option<Moment>,
    last: Option<Moment>,
    picture: Option<Harvest>,
}

impl HtmlSafe for DatabaseNumbers {}

/// A record as a row.
struct RecordView {
    n: String,
    cells: Vec<String>,
    out: Option<String>,
    question: String,
}

/// An attribute and some of its values.
struct AttributeView {
    name: String,
    count: String,
    values: Vec<String>,
    open: bool,
    pager: Pager,
    /// Where all of them are told.
    all: Option<String>,
}

/// A question, and what came of it.
struct AnswerView {
    n: String,
    about: String,
    says: String,
    is_well: bool,
    requests: u32,
    address: String,
    out: Option<String>,
}

impl OnePages for Databases {
    type OneQuestion = PartsQuestion;
    type OnePage = DatabaseOnePage;
    type Numbers = DatabaseNumbers;
    const FILES: &'static str = "records";
    const HOW_FAR: &'static str = "budget";
    const FORGOTTEN: &'static str = "gather-forgotten";
    const ONE: OneWords = OneWords {
        numbers: "Statement",
        files: "What was found as a file",
        noun: "gathering",
        forgetting: "Its records, its answers and its statement are forgotten for good.",
    };

    fn title(row: &GatherRow) -> String {
        title(row)
    }

    fn asked(row: &GatherRow) -> Vec<(&'static str, String)> {
        let task = Gather::read_stored(&row.asked).unwrap_or_default();
        vec![
            ("URL", task.url().to_owned()),
            ("Form", task.form().to_owned()),
            ("How", task.how.to_string()),
            ("May post", if task.post { words::YES } else { "" }.to_owned()),
            ("Requests at most", task.budget.map(|most| most.to_string()).unwrap_or_default()),
            ("Description", task.description().to_owned()),
        ]
    }

    fn numbers(
        site: &Site,
        kept: &mut Gathers,
        row: &GatherRow,
        job: Option<JobView>,
    ) -> Result<DatabaseNumbers, Problem> {
        let said = Statement::shown(row).unwrap_or_default();
        let report = Report::last_run(row);
        let (end, badge) = words::gather_end(if row.end.is_empty() { &said.end } else { &row.end });
        let last_run = report.closing.filter(|last| row.end.is_empty() && last.end != said.end);
        let told = !said.end.is_empty();
        Ok(DatabaseNumbers {
            site: site.name.clone(),
            job,
            end,
            badge,
            head: words::statement_head(&said),
            says: if told { short(&words::statement_says(&said), 2 * VALUE) } else { String::new() },
            reasons: said.reasons.iter().take(NOTES).map(|reason| short(reason, VALUE)).collect(),
            cost: if told { words::gather_cost(&said) } else { String::new() },
            degree: degree_says(said.degree.as_deref()),
            stats: vec![("records", grouped(row.records.into())), ("requests", grouped(row.requests.into()))],
            since: last_run.map(|last| short(&report.fault.unwrap_or(last.says), VALUE)),
            begun: Moment::at(row.begun),
            last: Moment::at(row.last),
            picture: Harvest::of_database(row.id.0, kept.curve(row.id, POINTS)?, whole(&said)),
        })
    }

    fn one_page(
        frame: Frame,
        head: OneHead,
        site: &Site,
        (mut kept, row, mut numbers): (Gathers, GatherRow, DatabaseNumbers),
        question: &PartsQuestion,
    ) -> Result<DatabaseOnePage, Problem> {
        let (page, answers_page) = (part_number(&question.page, "page")?, part_number(&question.answers, "answers")?);
        let skip = |part: usize, most: usize| u32::try_from((part - 1).saturating_mul(most)).unwrap_or(u32::MAX);
        let rows = kept.records(row.id, skip(page, RECORDS), RECORDS)?;
        let (columns, columns_more) = columns(&rows);
        let all = kept.attributes(row.id)?;
        // Counted once and not with each renewal: there may be millions.
        numbers.stats.insert(1, ("values", grouped(all.iter().map(|(_, count)| u64::from(*count)).sum())));
        let mut attributes = Vec::new();
        for (name, count) in all.iter().filter(|(name, _)| is_shown(name, &all, &question.attribute)) {
            attributes.push(attribute_view(&mut kept, &row, &head.here, (name, *count), question)?);
        }
        let answers = kept.answers(row.id, skip(answers_page, ANSWERS), ANSWERS + 1)?;
        let first = (answers_page - 1).saturating_mul(ANSWERS);
        let report = Report::last_run(&row);
        let plan = report.planned.as_ref();
        let said = Statement::shown(&row).unwrap_or_default();
        let address = if row.form.is_empty() { &row.address } else { &row.form };
        let records_href = |part: &str| format!("{}{}#records", head.here, query(&[("page", part)]));
        Ok(DatabaseOnePage {
            form: FormPlace { address: short(address, ADDRESS), href: about(&site.name, address), out: out(address) },
            varied: plan.map(|plan| plan.fields.iter().take(NOTES).map(varied).collect()).unwrap_or_default(),
            plan: plan.filter(|_| row.end.is_empty()).map(plan_says),
            notes: said.notes.iter().take(NOTES).map(|note| short(note, VALUE)).collect(),
            left_out: report.left_out.clone(),
            open: row.end.is_empty(),
            more: u64::from(row.requests).saturating_mul(2).max(1_000),
            records: RecordTable {
                rows: rows.iter().map(|record| record_view(record, &columns)).collect(),
                columns,
                columns_more,
                pager: pager(page, RECORDS, row.records as usize, &records_href),
            },
            values: ValueLists { more: all.len().saturating_sub(attributes.len()), attributes },
            answers: AnswerTable {
                pager: answers_pager(answers_page, answers.len(), &head.here),
                rows: answers.iter().take(ANSWERS).enumerate().map(|(at, row)| answer_view(first + at, row)).collect(),
            },
            numbers,
            head,
            frame,
        })
    }
}

/// How many records there are in all, where that was estimated.
fn whole(said: &Statement) -> Option<u32> {
    let share = said.estimated.as_ref().filter(|share| !said.certified && share.percent > 0.0)?;
    let whole = said.rows as f64 / share.percent * 100.0;
    (whole < f64::from(u32::MAX)).then_some(whole.round() as u32)
}

/// The first attributes, and the one that was asked for.
fn is_shown(name: &str, all: &[(String, u32)], asked: &str) -> bool {
    name == asked || all.iter().take(ATTRIBUTES).any(|(known, _)| known == name)
}

fn varied(field: &PlanField) -> (String, String) {
    (short(&field.name, 100), varied_says(&short(&field.kind, 20), field.values))
}

/// The columns of some records, in the order in which they stand there, and how many there are beyond those that fit.
fn columns(rows: &[RecordRow]) -> (Vec<String>, usize) {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in rows.iter().flat_map(pairs) {
        if !names.contains(&name) && names.len() < 10 * COLUMNS {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(COLUMNS);
    names.truncate(COLUMNS);
    (names, more)
}

fn record_view(record: &RecordRow, columns: &[String]) -> RecordView {
    let pairs = pairs(record);
    let cell = |column: &String| {
        let own = pairs.iter().filter(|(name, _)| name == column).map(|(_, value)| value.as_str());
        short(&own.collect::<Vec<_>>().join("; "), VALUE)
    };
    RecordView {
        n: grouped(u64::from(record.place) + 1),
        cells: columns.iter().map(cell).collect(),
        out: out(&record.link),
        question: short(&record.question, VALUE),
    }
}

fn attribute_view(
    kept: &mut Gathers,
    row: &GatherRow,
    here: &str,
    (name, count): (&str, u32),
    asked: &PartsQuestion,
) -> Result<AttributeView, Problem> {
    let open = name == asked.attribute;
    let part = if open { part_number(&asked.values, "values")? } else { 1 };
    let from = u32::try_from((part - 1).saturating_mul(VALUES)).unwrap_or(u32::MAX);
    let href = |part: &str| format!("{here}{}#values", query(&[("attribute", name), ("values", part)]));
    let all = count as usize;
    Ok(AttributeView {
        values: kept.values(row.id, name, from, VALUES)?.iter().map(|value| short(value, VALUE)).collect(),
        pager: if open { pager(part, VALUES, all, &href) } else { Pager::default() },
        all: (!open && all > VALUES).then(|| href("2")),
        name: short(name, 100),
        count: grouped(count.into()),
        open,
    })
}

fn answers_pager(part: usize, read: usize, here: &str) -> Pager {
    let href = |part: usize| format!("{here}{}#answers", query(&[("answers", &part.to_string())]));
    let first = (part - 1).saturating_mul(ANSWERS);
    if part == 1 && read <= ANSWERS {
        return Pager::default();
    }
    Pager {
        says: match read {
            0 => "there are no more".to_owned(),
            _ => format!("{} to {}", grouped(first as u64 + 1), grouped((first + read.min(ANSWERS)) as u64)),
        },
        back: (part > 1).then(|| href(part - 1)),
        next: (read > ANSWERS).then(|| href(part + 1)),
    }
}

fn answer_view(place: usize, row: &AnswerRow) -> AnswerView {
    let is_well = row.reason == groma_model::Reason::Fetched;
    let mut says = if is_well { row.status.to_string() } else { row.reason.says().to_owned() };
    for (is_so, word) in [(row.cut, "cut"), (row.unchanged, "nothing new")] {
        if is_so {
            says += &format!(", {word}");
        }
    }
    AnswerView {
        n: grouped(place as u64 + 1),
        about: short(&row.about, VALUE),
        says,
        is_well,
        requests: row.requests,
        address: short(&row.address, ADDRESS),
        out: out(&row.address),
    }
}

/// How far the keeper of the database helped, by its code.
fn degree_says(degree: Option<&str>) -> &'static str {
    match degree {
        Some("cooperative") => "cooperative: a summarizer beside the database answered",
        Some("described") => "described: the provider says how its form is asked",
        Some("unaided") => "unaided: the form was analysed as it stands",
        _ => "not known yet",
    }
}

/// What a plan says: how much, and how long.
fn plan_says(plan: &Plan) -> String {
    let pair = |range: Option<[u64; 2]>| range.map(|[least, most]| (least, most));
    let said = groma_tasks::gather::wording::planned(pair(plan.questions), pair(plan.pages), pair(plan.seconds));
    let total = plan.total.map(|total| format!("; the form speaks of {} in all", counted(total, "record", "records")));
    let budget = plan.budget.map(|requests| format!("; {}", groma_tasks::gather::wording::stops_after(requests)));
    format!("{said}{}{}", total.unwrap_or_default(), budget.unwrap_or_default())
}

/// What is varied, in words.
fn varied_says(kind: &str, values: Option<u64>) -> String {
    match (kind, values) {
        ("choice", Some(count)) => counted(count, "value to choose from", "values to choose from"),
        ("several", Some(count)) => {
            counted(count, "value, of which several can be chosen", "values, of which several can be chosen")
        }
        ("range", _) => "a range, halved where answers are cut".to_owned(),
        ("beginning", Some(count)) => {
            format!("beginnings of words, from {} on", counted(count, "letter", "letters"))
        }
        ("words", Some(count)) => counted(count, "word", "words"),
        (_, Some(count)) => counted(count, "value", "values"),
        (kind, None) => kind.to_owned(),
    }
}
