//! `groma status`: where a survey stands.

use std::io::IsTerminal;
use std::time::Duration;

use groma_model::wording::plain;
use groma_settings::{Fault, place};
use groma_tasks::standing::Standing;

use crate::args::StatusArgs;
use crate::output::{Format, Out};
use crate::{Exit, balance};

/// Databases that are listed.
const DATABASES: usize = 10;

pub(crate) fn run(args: &StatusArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let file = args.output.output.as_deref();
    let mut out = if args.watch { Out::streaming(file)? } else { Out::open(file)? };
    let clears = args.watch && args.output.format == Format::Text && std::io::stdout().is_terminal();
    loop {
        let mut store = folder.read()?;
        let mut standing = Standing::read(&mut store, &folder)?;
        if !args.watch || !standing.is_running() {
            standing.notice_databases(&mut store)?;
        }
        drop(store);
        if clears {
            out.clear()?;
        }
        print(&standing, args.output.format, &mut out)?;
        out.flush()?;
        if !args.watch || !standing.is_running() {
            out.finish()?;
            return Ok(Exit::Fine);
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}

fn print(standing: &Standing, format: Format, out: &mut Out) -> std::io::Result<()> {
    match format {
        Format::Json => out.json(standing),
        Format::Csv => {
            out.csv(&["key", "value"])?;
            standing.rows().iter().try_for_each(|row| out.csv(row))
        }
        Format::Text => {
            let running = if standing.is_running() { "  (a crawl is running)" } else { "" };
            out.line(&format!("{}{running}", out.paint.heading(&standing.store)))?;
            out.line("")?;
            balance::print(standing, out)?;
            if let Some(archive) = &standing.archive {
                out.line(&format!("{:16}{}", "archive", plain(archive)))?;
            }
            if let Some(databases) = standing.databases.as_ref().filter(|databases| !databases.list.is_empty()) {
                out.line(&format!("{:16}{}", "databases", databases.counts()))?;
                for one in databases.list.iter().take(DATABASES) {
                    out.line(&format!("  {one}"))?;
                }
                if let Some(rest) = databases.list.len().checked_sub(DATABASES).filter(|rest| *rest > 0) {
                    out.line(&out.paint.faint(&format!("  and {rest} more: groma status -f json lists them")))?;
                }
            }
            Ok(())
        }
    }
}
