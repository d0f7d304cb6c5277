//! `groma worker`: does the jobs of surveys on a server, and lends a hand with crawls that others lead.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use groma_model::wording::counted;
use groma_settings::{Fault, place};
use groma_tasks::worker::Workshop;

use crate::Exit;
use crate::args::WorkerArgs;
use crate::output::tell;
use crate::signals::on_signals;

pub(crate) fn run(args: &WorkerArgs) -> Result<Exit, Fault> {
    let stores: Vec<PathBuf> = args.store.clone();
    // Asked again and again: surveys come and go.
    let known = place::find_all_there(&stores)?;
    tell(&working_on(known.len()));
    let stop = on_signals()?;
    if let Some(listen) = args.listen {
        let address = groma_serve::serve_meter(listen, stop.clone())
            .map_err(|error| Fault::new(error.to_string(), error.hint()))?;
        tell(&metered(&address.to_string()));
    }
    let workshop = Workshop {
        folders: Box::new(move || place::find_all_there(&stores).unwrap_or_default()),
        threads: args.workers.max(1),
        hands: args.help_with,
        config: args.config.clone(),
        stop,
    };
    keep(&workshop, args.once)
}

/// Works until told to stop, or until there is nothing to do.
pub(super) fn keep(workshop: &Workshop, once: bool) -> Result<Exit, Fault> {
    if once {
        workshop.run_until_idle()?;
    } else {
        workshop.run()?;
    }
    if workshop.stop.load(Ordering::Relaxed) {
        tell(STOPPING);
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Fine)
}

fn metered(address: &str) -> String {
    format!("how it goes: http://{address}/metrics")
}

fn working_on(surveys: usize) -> String {
    format!("at work on {}, and on those to come; Ctrl-C stops", counted(surveys as u64, "survey", "surveys"))
}

const STOPPING: &str = "stopping: what runs is saved and goes on next time";
