//! `notify`: tells people what is new; what could not be told is tried again.

use std::path::Path;
use std::time::Duration;

use groma_model::moment::spoken;
use groma_settings::Fault;
use groma_settings::clock::now;
use groma_store::Folder;

use crate::jobs::bench::Bench;
use crate::jobs::worked::Worked;
use crate::notify::{Ways, notify_with};
use crate::outcome::Outcome;

/// Seconds until the next attempt, one after the other; then it has failed.
const AGAIN: [i64; 5] = [60, 300, 1_800, 7_200, 21_600];

pub(crate) fn notify(folder: &Folder, config: Option<&Path>, bench: &mut Bench) -> Result<Worked, Fault> {
    let mut lines = Vec::new();
    let told = Ways::configured(config)
        .and_then(|ways| notify_with(&ways, folder, &mut bench.queue, &mut |line| lines.push(line.to_owned()), now()));
    lines.iter().for_each(|line| bench.log(line));
    match told {
        Ok(says) => Ok(Worked::Done(Outcome::Notified { says })),
        Err(fault) => again(fault, bench),
    }
}

fn again(fault: Fault, bench: &mut Bench) -> Result<Worked, Fault> {
    let Some(seconds) = AGAIN.get(bench.memo.tries as usize) else { return Err(fault) };
    bench.memo.tries += 1;
    bench.remember()?;
    bench.log(&fault.hint);
    Ok(Worked::Later { seconds: *seconds, says: once_more(&fault.says, *seconds) })
}

fn once_more(says: &str, seconds: i64) -> String {
    format!("{says}; once more in {}", spoken(Duration::from_secs(seconds.unsigned_abs())))
}
