//! `groma hel`: a rule of the extraction language, tried on a page.

use std::path::Path;

use groma_model::wording::plain;
use groma_settings::meaning::Settings;
use groma_settings::{Book, Fault, address, place};
use groma_tasks::glance::Asking;
use groma_tasks::hel::{self, Refused, Sheet, Value};

use crate::Exit;
use crate::args::HelArgs;
use crate::output::{Format, Out, tell};

pub(crate) fn run(args: &HelArgs) -> Result<Exit, Fault> {
    let mut book = Book::gather(&args.settings.overrides.given(), args.settings.by.config.as_deref(), None)?;
    let settings = Settings::from_book(&mut book)?;
    let page = args.page.as_deref().unwrap_or(&args.rule);
    let sheet = look(args, page, &settings)?;
    if let Some(bound) = sheet.cut().filter(|_| !args.quiet) {
        tell(&format!("note: {}", sheet_cut(bound)));
    }
    let mut out = Out::open(args.output.output.as_deref())?;
    if args.tree {
        let lines = sheet.outline(args.most.saturating_add(1));
        match args.output.format {
            Format::Json => out.json(&lines.iter().take(args.most).collect::<Vec<_>>())?,
            _ => {
                for line in lines.iter().take(args.most) {
                    out.line(&plain(line))?;
                }
            }
        }
        if lines.len() > args.most && !args.quiet {
            tell(&format!("note: {}", "the page has more nodes; raise the number with --most"));
        }
    } else {
        let value = match sheet.extract(&args.rule, args.prefix.as_deref()) {
            Ok(value) => value,
            Err(refused) => return Err(told(args, refused)),
        };
        if value == Value::Null && !args.quiet {
            tell(&format!("note: {}", "nothing: the page has no such node; --tree shows its labels"));
        }
        match args.output.format {
            Format::Json => out.json(&hel::json(&value))?,
            Format::Csv => {
                out.csv(&["value"])?;
                for text in value.values() {
                    out.csv(&[text])?;
                }
            }
            Format::Text if value == Value::Null => {}
            Format::Text => {
                for line in hel::lines(&value) {
                    out.line(&line)?;
                }
            }
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// A fault in the rule, with the place marked before it is told.
fn told(args: &HelArgs, refused: Refused) -> Fault {
    if let Some(shown) = refused.shown(&args.rule, args.prefix.as_deref().unwrap_or_default()) {
        shown.lines().for_each(|line| tell(&format!("  {}", plain(line))));
    }
    refused.into()
}

fn look(args: &HelArgs, page: &str, settings: &Settings) -> Result<Sheet, Fault> {
    if let Some(store) = &args.store {
        return Sheet::stored(&mut place::find(Some(store))?.read()?, page);
    }
    let file = Path::new(page);
    if page == "-" || file.is_file() {
        return Sheet::filed(file, settings.limits());
    }
    let read = address::read(page)?;
    if let Some(note) = read.note.as_ref().filter(|_| !args.quiet) {
        tell(&format!("note: {note}"));
    }
    let login = read.login.clone();
    Sheet::fetched(&read, Asking { settings, login, owned: args.settings.by.i_own_this_site, guarded: false })
}

fn sheet_cut(bound: &str) -> String {
    format!("the page is larger than is read ({bound}); what is beyond is not seen")
}
