//! The threads that read: what was fetched goes in, harvests come out as events.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender};

use crate::digest::{Lens, digest_safely};
use crate::event::Event;
use crate::harvest::Work;
use crate::render::built_safely;

/// Starts reading threads. They end when the sending side of `fetched` is dropped.
pub(crate) fn start(
    threads: usize,
    lens: &Arc<Lens>,
    fetched: &Receiver<Work>,
    events: &Sender<Event>,
) -> std::io::Result<Vec<JoinHandle<()>>> {
    let one = || {
        let (lens, fetched, events) = (Arc::clone(lens), fetched.clone(), events.clone());
        thread::Builder::new().name("reader".into()).spawn(move || {
            for one in fetched {
                let harvest = match one {
                    Work::Fetched(fetched) => Box::new(digest_safely(*fetched, &lens)),
                    Work::Built(built) => built_safely(*built, &lens),
                };
                let harvest = match &lens.studio {
                    Some(studio) if harvest.order.is_some() => studio.order(harvest),
                    _ => Err(harvest),
                };
                if harvest.is_err_and(|harvest| events.send(Event::Harvest(harvest)).is_err()) {
                    break;
                }
            }
        })
    };
    let mut started = vec![one()?];
    // One is enough to go on with.
    started.extend((1..threads).map_while(|_| one().ok()));
    Ok(started)
}
