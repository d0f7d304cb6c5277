//! What a tab hears: from the browser, and from whoever supplies its page.

use serde_json::Value;

use crate::door::{SubresourceRequest, Supplied};

/// Something that happened to a tab.
pub(crate) enum News {
    /// The browser says so.
    Event(Event),
    /// What a page asked for has come, or will not.
    Supplied(Paused, Option<Supplied>),
}

/// What the browser says without being asked.
pub(crate) struct Event {
    /// Of the tab, or of a worker or frame in it.
    pub(crate) session: String,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// A request that waits at the door.
pub(crate) struct Paused {
    pub(crate) session: String,
    pub(crate) id: String,
    pub(crate) wanted: SubresourceRequest,
}
