//! From what was asked for to a gathering that can be run, the same for a command and for a job.

use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, address};
use groma_store::Folder;

use crate::crawl::prepare::{Requester, knows_hosts};
use crate::glance::Asking;
use crate::task::Gather;

/// A gathering that can be run.
pub struct Request {
    /// What to do, with the URL of the form as it is asked for.
    pub task: Gather,
    /// The survey it goes to.
    pub folder: Folder,
    settings: Settings,
    login: Option<(String, String)>,
    owned: bool,
    guarded: bool,
}

impl Request {
    /// What `task` means in this survey. Settings saved with it count where the task says nothing.
    pub fn new(
        folder: Folder,
        task: &Gather,
        read: address::Read,
        requester: Requester<'_>,
        say: &mut dyn FnMut(&str),
    ) -> Result<Request, Fault> {
        task.check()?;
        read.note.iter().for_each(|note| say(note));
        let task = task.at(&read.url)?;
        let saved = if folder.exists() { Saved::load(&mut folder.read()?)? } else { None };
        let mut book = Book::gather(&task.settings.given(), requester.config, saved.as_ref())?;
        let settings = Settings::from_book(&mut book)?;
        let owned = saved.is_some_and(|saved| saved.owned && knows_hosts(&saved, std::slice::from_ref(&read.url)));
        let (owned, guarded) = (requester.owned || owned, requester.guarded);
        Ok(Request { task, folder, settings, login: read.login, owned, guarded })
    }

    /// How its pages are asked for.
    pub(super) fn asking(&self) -> Asking<'_> {
        let Request { settings, login, owned, guarded, .. } = self;
        Asking { settings, login: login.clone(), owned: *owned, guarded: *guarded }
    }
}
