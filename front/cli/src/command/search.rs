//! `groma search`: which pages and records of databases speak of this?

use groma_model::moment::day;
use groma_model::wording::{grouped, plain};
use groma_search::{Answer, Ask, FacetCount, Hit, Index, Note, Piece, SearchError};
use groma_settings::meaning::Settings;
use groma_settings::{Book, Fault, place};
use groma_store::Folder;
use groma_tasks::search::{self, NO_INDEX, NO_INDEX_HINT, search_note};
use serde::Serialize;

use super::index;
use crate::Exit;
use crate::args::SearchArgs;
use crate::output::{Format, Out, tell};
use crate::terminal::Terminal;

/// More hits than this nobody reads; a script asks page by page.
const MOST: usize = 10_000;

/// A hit for programs.
#[derive(Serialize)]
struct HitRow<'a> {
    #[serde(flatten)]
    hit: &'a Hit,
    snippet: String,
}

pub(crate) fn run(args: &SearchArgs) -> Result<Exit, Fault> {
    let settings = Settings::from_book(&mut Book::gather(&args.set.given()?, args.set.config.as_deref(), None)?)?;
    let text = args.words.join(" ");
    let most = args.most.min(MOST);
    let mut ask = Ask {
        text: &text,
        first: 0,
        most: args.skip.min(MOST) + most,
        facets: args.facets,
        weights: &settings.weights,
        within: None,
    };
    let mut answers = Vec::new();
    for folder in place::find_all(&args.store)? {
        ask.within = args.scope.scope.0.site(&folder, &mut Terminal::new(false))?.map(|site| site.inside.into());
        let index = ready(&folder, args.as_is)?;
        answers.push(index.search(&ask, &mut folder.read()?)?);
    }
    let answer = search::merge(answers, args.skip, most);
    for note in &answer.notes {
        tell(&format!("note: {}", search_note(note)));
    }
    if let Some(better) = &answer.did_you_mean {
        tell(&format!("note: {}", did_you_mean(&plain(better))));
    }
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Json => {
            for hit in &answer.hits {
                out.json(&HitRow { hit, snippet: joined(&hit.snippet) })?;
            }
            if let Some(facets) = &answer.facets {
                out.json(&serde_json::json!({ "facets": facets, "total": answer.total }))?;
            }
        }
        Format::Csv => {
            out.csv(&[
                "url", "title", "score", "snippet", "kind", "type", "language", "date", "site", "section", "form",
                "database",
            ])?;
            for hit in &answer.hits {
                let (score, snippet) = (hit.score.to_string(), joined(&hit.snippet));
                let when = if hit.date > 0 { day(hit.date) } else { String::new() };
                let cells = [
                    &hit.url,
                    &hit.title,
                    &score,
                    &snippet,
                    hit.kind,
                    &hit.media_type,
                    &hit.language,
                    &when,
                    &hit.site,
                    &hit.section,
                    &hit.form,
                    &hit.database,
                ];
                out.csv(&cells.map(|cell: &str| cell.to_owned()))?;
            }
        }
        Format::Text => print(&text, &answer, args.skip, &mut out)?,
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// The index, as new as the survey where that can be had.
fn ready(folder: &Folder, as_is: bool) -> Result<Index, Fault> {
    let mut index = Index::open(folder.path());
    let stale = match &index {
        Ok(None) | Err(SearchError::Unusable(_)) => true,
        Ok(Some(known)) if !as_is => known.is_behind(&mut folder.read()?)?,
        _ => false,
    };
    if stale {
        match index::follow(folder, false, false) {
            Ok(_) => index = Index::open(folder.path()),
            // An index somebody else is bringing up to date, or that lies on a disk that cannot be written, still answers.
            Err(_) if matches!(index, Ok(Some(_))) => tell(&format!(
                "note: {}",
                "the index could not be brought up to date just now: it may lag behind the survey"
            )),
            Err(fault) => return Err(fault),
        }
    }
    index?.ok_or_else(|| Fault::new(NO_INDEX, NO_INDEX_HINT))
}

fn joined(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

fn print(asked: &str, answer: &Answer, skipped: usize, out: &mut Out) -> Result<(), Fault> {
    let paint = out.paint;
    let marked = |pieces: &[Piece]| -> String {
        let piece = |piece: &Piece| if piece.hit { paint.good(&plain(&piece.text)) } else { plain(&piece.text) };
        pieces.iter().map(piece).collect()
    };
    for (at, hit) in answer.hits.iter().enumerate() {
        let title = marked(&hit.title_pieces);
        out.line(&format!("{:>3}. {}", skipped + at + 1, paint.heading(&title)))?;
        out.line(&format!("     {}", paint.faint(&plain(&hit.url))))?;
        if hit.kind == "record" {
            let (database, form) = (plain(&hit.database), plain(&hit.form));
            out.line(&format!("     {}", paint.faint(&record_of(&database, &form))))?;
        }
        if !hit.snippet.is_empty() {
            out.line(&format!("     {}", marked(&hit.snippet)))?;
        }
    }
    if answer.hits.is_empty() && !answer.notes.contains(&Note::NothingAsked) {
        out.line(&format!("No results for \"{}\"", plain(asked)))?;
    } else if answer.total > 0 {
        let last = skipped + answer.hits.len();
        out.line(&hits_shown(skipped + 1, last, answer.total, answer.mixed))?;
    }
    let Some(facets) = &answer.facets else { return Ok(()) };
    let parts: [(&str, &str, &[FacetCount]); 4] = [
        ("by section of the map", "in:", &facets.sections),
        ("by type", "type:", &facets.types),
        ("by language", "lang:", &facets.languages),
        ("by site", "site:", &facets.sites),
    ];
    for (heading, prefix, counts) in parts.into_iter().filter(|part| !part.2.is_empty()) {
        out.line("")?;
        out.line(&paint.heading(heading))?;
        for one in counts {
            let narrowed = paint.faint(&format!("{prefix}{}", plain(&one.value)));
            out.line(&format!("  {:>9}  {:40}  {narrowed}", grouped(one.count), plain(&one.label)))?;
        }
    }
    Ok(())
}

fn did_you_mean(better: &str) -> String {
    format!("did you mean: {better}")
}

/// Where a record is from.
fn record_of(database: &str, form: &str) -> String {
    match database.trim() {
        "" => format!("a record behind {form}"),
        name => format!("a record of {name}, behind {form}"),
    }
}

fn hits_shown(first: usize, last: usize, total: u64, mixed: bool) -> String {
    let all = groma_tasks::search::answers(total, mixed);
    if last < first {
        return format!("{all} in all");
    }
    format!("{first} to {last} of {all}")
}
