//! What a full-text index needs of a URL, lent while it is read: no copy of any text.

use groma_model::{Fp, HostId, PageId, Reason};

use crate::{AddressRow, Packed, PageRow};

/// What a full-text index needs of a URL, lent while it is read.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// Documents of the index have it as their key.
    pub id: PageId,
    /// See [`Snapshot::hosts`](crate::Snapshot::hosts).
    pub host: HostId,
    /// In canonical form.
    pub url: &'a str,
    /// Why it is in its state.
    pub reason: Reason,
    /// The page it is another name of.
    pub alias_of: Option<PageId>,
    /// What is known of it, if it was fetched.
    pub facts: Option<SheetFacts<'a>>,
    /// Its links and texts, if it has any and they were asked for.
    pub packed: Option<Packed<'a>>,
}

/// What is known of a page (see [`FetchFacts`](crate::FetchFacts)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SheetFacts<'a> {
    /// As in [`FetchFacts::media_type`](crate::FetchFacts::media_type).
    pub media_type: &'a str,
    /// As in [`FetchFacts::language`](crate::FetchFacts::language).
    pub language: &'a str,
    /// As in [`FetchFacts::title`](crate::FetchFacts::title).
    pub title: &'a str,
    /// Last-Modified as it came.
    pub last_modified: &'a str,
    /// Fingerprint of the visible text.
    pub text_fp: Option<Fp>,
    /// Fingerprint of the body.
    pub body_fp: Option<Fp>,
    /// When it was fetched, in seconds since 1970.
    pub fetched_at: i64,
    /// Its text was last seen to change then; 0 if never.
    pub changed_at: i64,
    /// The author asks not to show it in searches.
    pub noindex: bool,
}

impl<'a> Sheet<'a> {
    /// The sheet of a page that was read by its number.
    pub fn from_rows(address: &'a AddressRow, page: &'a PageRow, packed: Option<Packed<'a>>) -> Sheet<'a> {
        let facts = Some(SheetFacts::from_page(page));
        let AddressRow { id, host, ref url, reason, alias_of, .. } = *address;
        Sheet { id, host, url, reason, alias_of, facts, packed }
    }
}

impl<'a> SheetFacts<'a> {
    /// Those of a page.
    pub fn from_page(page: &'a PageRow) -> SheetFacts<'a> {
        let facts = &page.facts;
        SheetFacts {
            media_type: &facts.media_type,
            language: &facts.language,
            title: &facts.title,
            last_modified: &facts.last_modified,
            text_fp: facts.text_fp,
            body_fp: facts.body_fp,
            fetched_at: facts.fetched_at,
            changed_at: page.changed_at,
            noindex: facts.noindex,
        }
    }
}
