//! `groma pages`: every URL with its state and reason.
//!
//! Read in steps, written as it is read: memory does not grow with the survey.

use groma_model::wording::{plain, size};
use groma_model::{Reason, State};
use groma_settings::{Fault, place};
use groma_store::{AddressRow, PageRow, Snapshot};
use groma_tasks::export::{COLUMNS, Names, PageLine};

use crate::Exit;
use crate::args::PagesArgs;
use crate::output::{Format, Out};
use crate::terminal::Terminal;

/// URLs read at a time.
const STEP: usize = 10_000;
pub(crate) fn run(args: &PagesArgs) -> Result<Exit, Fault> {
    let mut filter = Filter::from_args(args)?;
    let folder = place::find(args.store.store.as_deref())?;
    filter.inside = args.scope.scope.0.site(&folder, &mut Terminal::new(false))?.map(|site| site.inside);
    let mut store = folder.read()?;
    let mut out = Out::open(args.output.output.as_deref())?;
    write(&mut store, &filter, args.output.format, &mut out)?;
    out.finish()?;
    Ok(Exit::Fine)
}

fn write(store: &mut dyn Snapshot, filter: &Filter<'_>, format: Format, out: &mut Out) -> Result<(), Fault> {
    let mut names = Names::default();
    if format == Format::Csv {
        out.csv(&COLUMNS)?;
    }
    let mut after = None;
    loop {
        let rows = store.addresses(after, STEP)?;
        let Some(last) = rows.last() else { break };
        after = Some(last.id);
        for address in rows {
            if !filter.takes(&address) {
                continue;
            }
            let page = store.page(address.id)?;
            if !filter.takes_type(page.as_ref()) {
                continue;
            }
            let row = PageLine::read(store, &mut names, address, page)?;
            match format {
                Format::Json => out.json(&row)?,
                Format::Csv => out.csv(&row.cells())?,
                Format::Text => out.line(&line(&row))?,
            }
        }
    }
    Ok(())
}

/// Which URLs are wanted; all, unless something is said.
struct Filter<'a> {
    states: Vec<State>,
    reasons: Vec<Reason>,
    media_type: Option<&'a str>,
    depth: Option<u32>,
    /// By number: does it belong to the site that is looked at?
    inside: Option<Vec<bool>>,
}

impl Filter<'_> {
    fn from_args(args: &PagesArgs) -> Result<Filter<'_>, Fault> {
        let reason = |name: &String| {
            let found = Reason::ALL.iter().find(|reason| reason.name() == name).copied();
            found.ok_or_else(|| unknown("reason", name, Reason::ALL.iter().map(|reason| reason.name())))
        };
        Ok(Filter {
            states: states(&args.state)?,
            reasons: args.reason.iter().map(reason).collect::<Result<_, _>>()?,
            media_type: args.media_type.as_deref(),
            depth: args.depth,
            inside: None,
        })
    }

    fn takes(&self, address: &AddressRow) -> bool {
        (self.states.is_empty() || self.states.contains(&address.state()))
            && (self.reasons.is_empty() || self.reasons.contains(&address.reason))
            && self.depth.is_none_or(|depth| address.depth.known() == Some(depth))
            && self.inside.as_ref().is_none_or(|inside| inside.get(address.id.0 as usize).copied().unwrap_or(false))
    }

    fn takes_type(&self, page: Option<&PageRow>) -> bool {
        self.media_type.is_none_or(|wanted| page.is_some_and(|page| page.facts.media_type.eq_ignore_ascii_case(wanted)))
    }
}

/// States by their names.
fn states(names: &[String]) -> Result<Vec<State>, Fault> {
    let state = |name: &String| {
        let found = State::named(name);
        found.ok_or_else(|| unknown("state", name, State::ALL.iter().map(|state| state.name())))
    };
    names.iter().map(state).collect()
}

fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Fault {
    Fault::new(format!("there is no {what} `{name}`"), format!("one of: {}", known.collect::<Vec<_>>().join(", ")))
}

fn line(row: &PageLine) -> String {
    let depth = row.depth.map_or("-".to_owned(), |depth| depth.to_string());
    let status = row.status.map_or("-".to_owned(), |status| status.to_string());
    let size = row.size.map_or("-".to_owned(), size);
    let to = row.alias_of.as_ref().map(|to| format!(" -> {}", plain(to))).unwrap_or_default();
    let note = row.note.as_ref().map(|note| format!("  ({})", plain(note))).unwrap_or_default();
    let title = row.title.as_ref().map(|title| format!("  {}", plain(title))).unwrap_or_default();
    format!("{:10} {:18} {depth:>3} {status:>3} {size:>9}  {}{to}{title}{note}", row.state, row.reason, plain(&row.url))
}
