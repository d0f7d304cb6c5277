//! Hosts and what is to be asked of each: taken up a few at a time, so that memory does not grow with the hosts that wait.

use std::collections::{HashMap, HashSet, VecDeque};

use groma_model::{Fp, HostId, PageId, Reason};

use super::list::origin_of;

/// A host and what is to be asked of it.
pub(super) struct Row {
    pub(super) origin: String,
    pub(super) waiting: VecDeque<Due>,
    /// Its tasks in the lanes, or under way.
    pub(super) out: usize,
    /// Why nothing of it can be asked.
    pub(super) closed: Option<Reason>,
    /// It has been taken up, or is about to be.
    listed: bool,
}

/// What is to be asked.
pub(super) enum Due {
    Page(PageId),
    /// Where a redirect leads, so many redirects behind a link.
    Hop(Box<str>, u64),
}

/// All hosts.
#[derive(Default)]
pub(super) struct Rows {
    all: Vec<Row>,
    places: HashMap<String, usize>,
    /// Hosts that have not been taken up.
    next: VecDeque<usize>,
    /// Hosts that have.
    pub(super) active: usize,
    /// All that was asked, or is to be: nothing is asked twice.
    known: HashSet<Fp>,
}

impl Rows {
    /// Adds pages of a host.
    pub(super) fn add_pages(&mut self, origin: &str, pages: Vec<PageId>) {
        let place = self.place(origin);
        self.all[place].waiting.extend(pages.into_iter().map(Due::Page));
    }

    /// Adds where a redirect leads, so many redirects behind a link; false if that was asked, or is to be.
    pub(super) fn add_hop(&mut self, url: &str, hops: u64) -> bool {
        if !self.is_new(url) {
            return false;
        }
        let place = self.place(origin_of(url));
        let row = &mut self.all[place];
        row.waiting.push_back(Due::Hop(url.into(), hops));
        if !std::mem::replace(&mut row.listed, true) {
            self.next.push_back(place);
        }
        true
    }

    /// Is a URL one that was not asked before? From now on it was.
    pub(super) fn is_new(&mut self, url: &str) -> bool {
        self.known.insert(Fp::hash_bytes(url.as_bytes()))
    }

    /// The row of a host, which is listed as one to be taken up.
    fn place(&mut self, origin: &str) -> usize {
        if let Some(place) = self.places.get(origin) {
            return *place;
        }
        let place = self.all.len();
        let origin = origin.to_owned();
        self.places.insert(origin.clone(), place);
        self.all.push(Row { origin, waiting: VecDeque::new(), out: 0, closed: None, listed: true });
        self.next.push_back(place);
        place
    }

    pub(super) fn row(&mut self, place: usize) -> &mut Row {
        &mut self.all[place]
    }

    /// The next host to be taken up.
    pub(super) fn take_next(&mut self) -> Option<usize> {
        self.next.pop_front()
    }

    /// A host is let go: it has to be taken up again for what comes.
    pub(super) fn let_go(&mut self, place: usize) {
        self.all[place].listed = false;
    }

    /// Nothing is left to be asked.
    pub(super) fn is_done(&self) -> bool {
        self.active == 0 && self.next.is_empty()
    }
}

pub(super) fn host_id(place: usize) -> HostId {
    HostId(u32::try_from(place).unwrap_or(u32::MAX))
}
