//! `/sites/{site}/databases/{id}/describe`: how is this database asked and read? Its description, to be fixed, and beside it what the
//! rules give on an answer that is kept. Nothing is fetched until somebody gathers with it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use groma_tasks::gather::{self, Page, Preview};
use serde::Deserialize;

use super::naming::title;
use crate::app::App;
use crate::door::{Form, Path, Query};
use crate::error::Problem;
use crate::pages::layout::{Frame, Tab, done, short, show, show_read};
use crate::pages::pager::query_number;
use crate::pages::shown::counted;
use crate::results::databases::{Databases, LONGEST_DESCRIPTION, gather_by};
use crate::sites::Site;
use crate::{results, words};

/// Answers to choose from.
const ANSWERS: usize = 60;
/// Letters of a value.
const VALUE: usize = 200;

/// Form with the description of a database.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DescribeForm {
    /// `DB.*` lines.
    description: String,
    /// The place of the answer to try them on.
    answer: String,
}

#[derive(Template)]
#[template(path = "databases_describe.html")]
struct DescribePage {
    frame: Frame,
    site: String,
    id: u64,
    title: String,
    description: String,
    answers: Vec<Choice>,
    most: usize,
    view: View,
    problem: Option<Problem>,
}

/// An answer to choose.
struct Choice {
    place: u32,
    says: String,
    chosen: bool,
}

/// What a description gives, for people.
struct View {
    found: Vec<(String, String, Vec<String>)>,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    records: String,
    signs: Vec<String>,
    asks: Vec<String>,
    faults: Vec<(String, String, String)>,
    complaints: Vec<String>,
}

#[derive(Template)]
#[template(path = "part/databases_preview.html")]
struct PreviewPart<'a> {
    view: &'a View,
}

/// The page, with the description that is known.
pub(super) async fn page(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Query(mut typed): Query<DescribeForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    typed.description = app
        .work(move |_| {
            let (mut kept, row) = results::open::<Databases>(&of, id.into())?;
            Ok(first_lines(&gather::described(&mut kept, &row)?))
        })
        .await?;
    shown(&app, frame, &site, id, typed, None).await
}

/// As many whole lines as can be sent back: a page may describe itself at any length.
fn first_lines(text: &str) -> String {
    let mut room = LONGEST_DESCRIPTION;
    let fits = |line: &&str| {
        let letters = line.chars().count();
        let fits = letters <= room;
        room = room.saturating_sub(letters);
        fits
    };
    text.split_inclusive('\n').take_while(fits).collect()
}

/// The page after a try.
pub(super) async fn try_out(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Form(typed): Form<DescribeForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    shown(&app, frame, &site, id, typed, None).await
}

/// Gathers the same with another description.
pub(super) async fn gather(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Form(typed): Form<DescribeForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, text) = (Arc::clone(&site), typed.description.clone());
    match app.work(move |app| gather_by(app, &of, id.into(), &text)).await {
        Ok(job) => Ok(done(&format!("/sites/{}/databases", site.name), "gather-asked", job)),
        Err(problem) => shown(&app, frame, &site, id, typed, Some(problem)).await,
    }
}

/// The page with what was typed; after a mistake with what is wrong.
async fn shown(
    app: &Arc<App>,
    frame: Frame,
    site: &Arc<Site>,
    id: u32,
    typed: DescribeForm,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    let (frame, of) = (frame.on(site, Tab::Databases), Arc::clone(site));
    show_read(app, problem.clone().as_ref(), move || {
        let (row, answers, view) = tried(&of, id, &typed)?;
        Ok(DescribePage {
            site: of.name.clone(),
            id: row.id.0,
            title: title(&row),
            description: typed.description,
            answers,
            most: LONGEST_DESCRIPTION,
            view,
            problem,
            frame,
        })
    })
    .await
}

/// What the rules give alone, for a page on which somebody types.
pub(super) async fn preview(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Form(typed): Form<DescribeForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let view = app.work(move |_| Ok(tried(&site, id, &typed)?.2)).await?;
    Ok(show(&PreviewPart { view: &view }))
}

fn tried(
    site: &Site,
    id: u32,
    typed: &DescribeForm,
) -> Result<(groma_store::gathers::GatherRow, Vec<Choice>, View), Problem> {
    if typed.description.chars().count() > LONGEST_DESCRIPTION {
        return Err(Problem::refused(words::too_long("the description", LONGEST_DESCRIPTION), words::LONG_BODY_HINT));
    }
    let wanted = query_number(&typed.answer, "answer")?;
    let (mut kept, row) = results::open::<Databases>(site, id.into())?;
    let pages = gather::pages(&mut kept, row.id, ANSWERS)?;
    let chosen =
        pages.iter().find(|page| Some(page.place) == wanted).or_else(|| pages.iter().find(|page| !page.before));
    let chosen = chosen.or(pages.first()).cloned();
    let page = match &chosen {
        Some(page) => kept.answer(row.id, &page.key)?,
        None => None,
    };
    let start = kept.answer(row.id, "start")?;
    let view = View::show(gather::preview(&typed.description, page.as_ref(), start.as_ref()));
    let choice = |page: &Page| Choice {
        place: page.place,
        says: format!("{} {}", page.place + 1, short(&page.about, 100)),
        chosen: chosen.as_ref().is_some_and(|chosen| chosen.place == page.place),
    };
    Ok((row, pages.iter().map(choice).collect(), view))
}

impl View {
    fn show(preview: Preview) -> View {
        let texts = |values: &[String]| values.iter().map(|value| short(value, VALUE)).collect::<Vec<_>>();
        let mut signs = Vec::new();
        signs.extend(preview.total.map(|total| format!("it speaks of {total} in all")));
        signs.extend(
            preview
                .cut
                .map(|cut| format!("it says that not all are shown: {}", short(cut.trim_end_matches('.'), VALUE))),
        );
        if preview.further > 0 {
            signs.push("it goes on on a further page".to_owned());
        }
        let mut asks: Vec<String> = preview
            .varied
            .iter()
            .map(|(label, values)| format!("{} over {}", short(label, 100), counted(*values as u64, "value", "values")))
            .collect();
        asks.extend(preview.questions.map(|count| format!("{} in all", counted(count, "combination", "combinations"))));
        let found = preview
            .attributes
            .iter()
            .map(|one| (short(&one.name, 100), counted(one.count as u64, "value", "values"), texts(&one.values)));
        View {
            found: found.collect(),
            columns: texts(&preview.columns),
            rows: preview.rows.iter().map(|row| texts(row)).collect(),
            records: counted(preview.records as u64, "record", "records"),
            signs,
            asks,
            faults: preview
                .faults
                .into_iter()
                .map(|fault| (short(&fault.name, 100), short(&fault.says, VALUE), without_tricks(&fault.shown)))
                .collect(),
            complaints: preview.complaints.iter().take(20).map(|text| short(text, VALUE)).collect(),
        }
    }
}

/// Two lines that stand below one another: nothing in them turns them around.
fn without_tricks(text: &str) -> String {
    text.chars().map(|c| if c != '\n' && words::is_trick(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_descriptions_are_cut_between_lines() {
        assert_eq!(first_lines("a\nb"), "a\nb");
        let line = format!("{}\n", "ž".repeat(999));
        let cut = first_lines(&line.repeat(100));
        assert_eq!((cut.chars().count(), cut.ends_with('\n')), (60_000, true));
        assert_eq!(first_lines(&"x".repeat(60_001)), "");
    }
}
