//! What would a browser see there?
//!
//! A Chromium without a window builds a page that was already fetched, scripts and all, and gives back what came of it.
//!
//! - [`Browser`] is a pool of tabs: it starts the program when it is first needed, gives every page a fresh profile of its own,
//!   starts the program again if it dies, and stops it when it is dropped. The program is spoken to over a pipe (`pipe`): no
//!   port is open, and when our end closes, also by kill -9, it ends by itself with all its children.
//! - The browser has no network. Whatever a page asks for is stopped at the door and shown to a [`Supply`], which
//!   answers or does not; the page itself is answered from what was fetched. What no door sees (sockets of the
//!   web, prefetches) runs into a proxy that does not exist and a resolver that knows no name.
//! - Pages only read: nothing but GET and HEAD is passed on.
//! - [`Browser::operate`] does what a visitor would with the search box of a page, and says what the page asked for.
//!
//! Not guaranteed: that a page shows to us what it shows to people (it may wait for a click, or tell us from them); that two
//! views of one page are equal.
//!
//! ```
//! use groma_render::{Blind, find};
//!
//! // Where there is no Chromium, pages are read as they came.
//! if find().is_none() {
//!     println!("{}", Blind::NotInstalled);
//! }
//! ```

mod browser;
mod capture;
mod door;
mod news;
mod operate;
mod pipe;
mod profile;
mod program;
mod tab;

pub use browser::{Browser, Look};
pub use door::{Sort, SubresourceRequest, Supplied, Supply};
pub use operate::{Operated, OperatedControl};
pub use program::find;
pub use tab::{Asked, Shown, View};

/// Why there is nothing to see.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Blind {
    /// There is no browser.
    #[error("Chromium is not installed")]
    NotInstalled,
    /// It does not start.
    #[error("Chromium does not start: {0}")]
    NoBrowser(String),
    /// It died, with all its tabs.
    #[error("the browser died")]
    Died,
    /// The page brought its tab down: out of memory, most often.
    #[error("the page brought its tab down")]
    Crashed,
    /// The page would not let itself be looked at in time.
    #[error("the page never came to rest")]
    Stuck,
    /// The browser does not understand us.
    #[error("the browser refused: {0}")]
    Refused(String),
}
