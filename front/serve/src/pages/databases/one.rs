//! `/sites/{site}/databases/{id}`: one gathering. Its statement, what it cost, its curve; its records, values and questions.

use crate::gatherings::Plan;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use groma_desk::gather::{Form, pairs};
use groma_desk::task::Gather;
use groma_model::wording::grouped;
use groma_store::gathers::{AnswerRow, GatherRow, Gathers, RecordRow};

use super::{ADDRESS, out, title};
use crate::app::{App, now};
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::gatherings::{self, Report, Statement};
use crate::pages::jobs::view::JobView;
use crate::pages::layout::{Frame, Tab, query, short, show, show_as};
use crate::pages::map::number;
use crate::pages::picture::Harvest;
use crate::pages::problems::{Pager, pager};
use crate::pages::shown::about;
use crate::pages::wording::Moment;
use crate::pages::words;
use crate::sites::Site;

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
pub(super) struct Asked {
    /// Of the records.
    page: String,
    /// Which attribute's values, and which part of them.
    attribute: String,
    values: String,
    /// Of the questions.
    answers: String,
}

#[derive(Template)]
#[template(path = "databases_one.html")]
struct OnePage {
    frame: Frame,
    site: String,
    id: u64,
    title: String,
    form: String,
    form_href: String,
    form_out: Option<String>,
    numbers: Numbers,
    asked: Vec<(&'static str, String)>,
    varied: Vec<(String, String)>,
    plan: Option<String>,
    notes: Vec<String>,
    files: Vec<(String, &'static str)>,
    /// It has not ended: it goes on.
    open: bool,
    more: u64,
    columns: Vec<String>,
    columns_more: usize,
    records: Vec<Record>,
    pager: Pager,
    attributes: Vec<Attribute>,
    attributes_more: usize,
    answers: Vec<Answer>,
    answers_pager: Pager,
    problem: Option<Problem>,
}

/// The statement and the numbers: the part of the page that follows a gathering while it is at work.
pub(super) struct Numbers {
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

#[derive(Template)]
#[template(path = "part/databases_numbers.html")]
struct NumbersPart<'a> {
    site: &'a str,
    numbers: &'a Numbers,
}

/// A record as a row.
struct Record {
    n: String,
    cells: Vec<String>,
    out: Option<String>,
    question: String,
}

/// An attribute and some of its values.
struct Attribute {
    name: String,
    count: String,
    values: Vec<String>,
    open: bool,
    pager: Pager,
    /// Where all of them are told.
    all: Option<String>,
}

/// A question, and what came of it.
struct Answer {
    n: String,
    about: String,
    says: String,
    is_well: bool,
    requests: u32,
    address: String,
    out: Option<String>,
}

pub(super) async fn page(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    shown(&app, frame, &site, id, asked, None).await
}

/// The page; after a mistake with what is wrong.
pub(super) async fn shown(
    app: &Arc<App>,
    frame: Frame,
    site: &Arc<Site>,
    id: u32,
    asked: Asked,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    let frame = frame.on(site, Tab::Databases);
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let of = Arc::clone(site);
    let page = app.work(move |_| read(frame, &of, id, &asked, problem)).await?;
    Ok(show_as(status, &page))
}

fn read(mut frame: Frame, site: &Site, id: u32, asked: &Asked, problem: Option<Problem>) -> Result<OnePage, Problem> {
    let (mut kept, row) = gatherings::open(site, id.into())?;
    let mut numbers = numbers(site, &row, &mut kept)?;
    frame.refresh = numbers.job.as_ref().map(|_| 5);
    let part = |text: &str, name: &str| Ok::<_, Problem>(number(text, name)?.unwrap_or(1).max(1) as usize);
    let (page, answers_page) = (part(&asked.page, "page")?, part(&asked.answers, "answers")?);
    let here = format!("/sites/{}/databases/{id}", site.name);
    let skip = |part: usize, most: usize| u32::try_from((part - 1).saturating_mul(most)).unwrap_or(u32::MAX);
    let rows = kept.records(row.id, skip(page, RECORDS), RECORDS)?;
    let (columns, columns_more) = columns(&rows);
    let records = rows.iter().map(|record| record_row(record, &columns)).collect();
    let all = kept.attributes(row.id)?;
    // Counted once and not with each renewal: there may be millions.
    numbers.stats.insert(1, ("values", grouped(all.iter().map(|(_, count)| u64::from(*count)).sum())));
    let mut attributes = Vec::new();
    for (name, count) in all.iter().filter(|(name, _)| is_shown(name, &all, &asked.attribute)) {
        attributes.push(attribute(&mut kept, &row, &here, (name, *count), asked)?);
    }
    let answers = kept.answers(row.id, skip(answers_page, ANSWERS), ANSWERS + 1)?;
    let first = (answers_page - 1).saturating_mul(ANSWERS);
    let report = Report::of(&row);
    let plan = report.planned.as_ref();
    let said = Statement::of(&row).unwrap_or_default();
    let address = if row.form.is_empty() { &row.address } else { &row.form };
    let file = |form: Form| (format!("{here}/records.{}", form.name()), file_says(form));
    Ok(OnePage {
        site: site.name.clone(),
        id: row.id.0,
        title: title(&row),
        form: short(address, ADDRESS),
        form_href: about(&site.name, address),
        form_out: out(address),
        asked: what_was_asked(&row),
        varied: plan.map(|plan| plan.fields.iter().take(NOTES).map(varied).collect()).unwrap_or_default(),
        plan: plan.filter(|_| row.end.is_empty()).map(plan_says),
        notes: said.notes.iter().take(NOTES).map(|note| short(note, VALUE)).collect(),
        files: Form::ALL.map(file).into(),
        open: row.end.is_empty(),
        more: u64::from(row.requests).saturating_mul(2).max(1_000),
        columns,
        columns_more,
        records,
        pager: pager(page, RECORDS, row.records as usize, &|part| {
            format!("{here}{}#records", query(&[("page", part)]))
        }),
        attributes_more: all.len().saturating_sub(attributes.len()),
        attributes,
        answers_pager: answers_pager(answers_page, answers.len(), &here),
        answers: answers.iter().take(ANSWERS).enumerate().map(|(at, row)| answer(first + at, row)).collect(),
        numbers,
        problem,
        frame,
    })
}

/// The first attributes, and the one that was asked for.
fn is_shown(name: &str, all: &[(String, u32)], asked: &str) -> bool {
    name == asked || all.iter().take(ATTRIBUTES).any(|(known, _)| known == name)
}

fn file_says(form: Form) -> &'static str {
    match form {
        Form::Json => "JSON, with the statement",
        Form::Lines => "JSON Lines, an object a record",
        Form::Csv => "CSV",
        Form::Soif => "SOIF, values by attribute",
    }
}

fn varied(field: &crate::gatherings::PlanField) -> (String, String) {
    (short(&field.name, 100), varied_says(&short(&field.kind, 20), field.values))
}

fn numbers(site: &Site, row: &GatherRow, kept: &mut Gathers) -> Result<Numbers, Problem> {
    let job = gatherings::open_jobs(site)?.into_iter().find(|job| gatherings::is_of(&job.args, row));
    let said = Statement::of(row).unwrap_or_default();
    let report = Report::of(row);
    let (end, badge) = words::gather_end(if row.end.is_empty() { &said.end } else { &row.end });
    let last_run = report.closing.filter(|last| row.end.is_empty() && last.end != said.end);
    let told = !said.end.is_empty();
    Ok(Numbers {
        job: job.map(|job| JobView::of(&site.name, &job, now())),
        end,
        badge,
        head: words::statement_head(&said),
        says: if told { short(&words::statement_says(&said), 2 * VALUE) } else { String::new() },
        reasons: said.reasons.iter().take(NOTES).map(|reason| short(reason, VALUE)).collect(),
        cost: if told { words::gather_cost(&said) } else { String::new() },
        degree: degree_says(said.degree.as_deref()),
        stats: vec![("records", grouped(row.records.into())), ("requests", grouped(row.requests.into()))],
        since: last_run.map(|last| short(&report.fault.unwrap_or(last.says), VALUE)),
        begun: Moment::of(row.begun),
        last: Moment::of(row.last),
        picture: Harvest::of_database(row.id.0, kept.curve(row.id, POINTS)?, whole(&said)),
    })
}

/// How many records there are in all, where that was estimated.
fn whole(said: &Statement) -> Option<u32> {
    let share = said.estimated.as_ref().filter(|share| !said.certified && share.percent > 0.0)?;
    let whole = said.rows as f64 / share.percent * 100.0;
    (whole < f64::from(u32::MAX)).then_some(whole.round() as u32)
}

/// What was asked for, in words of ours; what is as usual is left out.
fn what_was_asked(row: &GatherRow) -> Vec<(&'static str, String)> {
    let task = Gather::read_stored(&row.asked).unwrap_or_default();
    let names = [
        ("Address", task.url().to_owned()),
        ("Form", task.form().to_owned()),
        ("How", task.how.to_string()),
        ("May post", if task.post { words::YES } else { "" }.to_owned()),
        ("Requests at most", task.budget.map(|most| most.to_string()).unwrap_or_default()),
        ("Description", task.description().to_owned()),
    ];
    names.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, short(&text, 400))).collect()
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

fn record_row(record: &RecordRow, columns: &[String]) -> Record {
    let pairs = pairs(record);
    let cell = |column: &String| {
        let own = pairs.iter().filter(|(name, _)| name == column).map(|(_, value)| value.as_str());
        short(&own.collect::<Vec<_>>().join("; "), VALUE)
    };
    Record {
        n: grouped(u64::from(record.place) + 1),
        cells: columns.iter().map(cell).collect(),
        out: out(&record.link),
        question: short(&record.question, VALUE),
    }
}

fn attribute(
    kept: &mut Gathers,
    row: &GatherRow,
    here: &str,
    (name, count): (&str, u32),
    asked: &Asked,
) -> Result<Attribute, Problem> {
    let open = name == asked.attribute;
    let part = if open { number(&asked.values, "values")?.unwrap_or(1).max(1) as usize } else { 1 };
    let from = u32::try_from((part - 1).saturating_mul(VALUES)).unwrap_or(u32::MAX);
    let href = |part: &str| format!("{here}{}#values", query(&[("attribute", name), ("values", part)]));
    let all = count as usize;
    Ok(Attribute {
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

fn answer(place: usize, row: &AnswerRow) -> Answer {
    let is_well = row.reason == groma_model::Reason::Fetched;
    let mut says = if is_well { row.status.to_string() } else { row.reason.says().to_owned() };
    for (is_so, word) in [(row.cut, "cut"), (row.unchanged, "nothing new")] {
        if is_so {
            says += &format!(", {word}");
        }
    }
    Answer {
        n: grouped(place as u64 + 1),
        about: short(&row.about, VALUE),
        says,
        is_well,
        requests: row.requests,
        address: short(&row.address, ADDRESS),
        out: out(&row.address),
    }
}

/// The numbers alone, for a page that stays open; when the job is over, the whole page is to be loaded anew.
pub(super) async fn state(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    let numbers = app
        .work(move |_| {
            let (mut kept, row) = gatherings::open(&of, id.into())?;
            numbers(&of, &row, &mut kept)
        })
        .await?;
    if numbers.job.is_none() {
        return Ok(StatusCode::RESET_CONTENT.into_response());
    }
    Ok(show(&NumbersPart { site: &site.name, numbers: &numbers }))
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
    let said = groma_desk::words::planned(pair(plan.questions), pair(plan.pages), pair(plan.seconds));
    let total = plan
        .total
        .map(|total| format!("; the form speaks of {} in all", groma_desk::words::counted(total, "record", "records")));
    format!("{said}{}", total.unwrap_or_default())
}

/// What is varied, in words.
fn varied_says(kind: &str, values: Option<u64>) -> String {
    match (kind, values) {
        ("choice", Some(count)) => groma_desk::words::counted(count, "value to choose from", "values to choose from"),
        ("several", Some(count)) => groma_desk::words::counted(
            count,
            "value, of which several can be chosen",
            "values, of which several can be chosen",
        ),
        ("range", _) => "a range, halved where answers are cut".to_owned(),
        ("beginning", Some(count)) => {
            format!("beginnings of words, from {} on", groma_desk::words::counted(count, "letter", "letters"))
        }
        ("words", Some(count)) => groma_desk::words::counted(count, "word", "words"),
        (_, Some(count)) => groma_desk::words::counted(count, "value", "values"),
        (kind, None) => kind.to_owned(),
    }
}
