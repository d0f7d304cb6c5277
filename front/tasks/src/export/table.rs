//! The table of pages: a URL a row, as `groma pages` and exports tell of it.

use std::io::Write;

use groma_model::moment::rfc3339;
use groma_model::wording::write_row;
use groma_model::{PageId, Rendering};
use groma_settings::Fault;
use groma_store::{AddressRow, PageRow, Snapshot};
use serde::Serialize;

use super::{Exported, Names, PagesWanted, text_of, walk};

/// Aliases followed before a chain counts as broken.
const HOPS: usize = 64;

/// Columns of the table.
pub const COLUMNS: [&str; 26] = [
    "url",
    "canonical",
    "state",
    "reason",
    "depth",
    "status",
    "type",
    "size",
    "title",
    "text_fp",
    "body_fp",
    "near_fp",
    "language",
    "words",
    "via",
    "via_kind",
    "since",
    "fetched_at",
    "alias_of",
    "canonical_link",
    "noindex",
    "nofollow",
    "cuts",
    "rendered",
    "picture",
    "note",
];

/// A URL and what is known of its page.
#[derive(Serialize)]
pub struct PageLine {
    pub url: String,
    /// The URL of the page this one stands for; its own, but for aliases.
    pub canonical: String,
    pub state: &'static str,
    pub reason: &'static str,
    pub depth: Option<u32>,
    pub status: Option<u16>,
    pub r#type: Option<String>,
    pub size: Option<u64>,
    pub title: Option<String>,
    pub text_fp: Option<String>,
    pub body_fp: Option<String>,
    pub near_fp: Option<String>,
    pub language: Option<String>,
    pub words: Option<u32>,
    pub via: Option<String>,
    pub via_kind: Option<&'static str>,
    pub since: String,
    pub fetched_at: Option<String>,
    pub alias_of: Option<String>,
    pub canonical_link: Option<String>,
    pub noindex: bool,
    pub nofollow: bool,
    pub cuts: Vec<String>,
    /// A browser built it.
    pub rendered: bool,
    /// The file of its picture, in the folder `pictures` of the survey.
    pub picture: Option<String>,
    /// How large a picture is, how many pages a document has, what went wrong.
    pub note: Option<String>,
}

impl PageLine {
    /// Of a URL and its page.
    pub fn read(
        store: &mut dyn Snapshot,
        names: &mut Names,
        address: AddressRow,
        page: Option<PageRow>,
    ) -> Result<PageLine, Fault> {
        let mut canonical = address.url.clone();
        let mut next = address.alias_of;
        for _ in 0..HOPS {
            let Some(target) = next.map(|id| store.address(id)).transpose()?.flatten() else { break };
            (canonical, next) = (target.url, target.alias_of);
        }
        let mut name = |id: Option<PageId>| id.map(|id| names.url(store, id)).transpose();
        let facts = page.map(|page| page.facts);
        let (alias_of, via) = (name(address.alias_of)?, name(address.via)?);
        let canonical_link = name(facts.as_ref().and_then(|facts| facts.canonical))?;
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let facts = facts.as_ref();
        let rendering = facts.and_then(|facts| Rendering::read(&facts.note));
        Ok(PageLine {
            canonical,
            state: address.state().name(),
            reason: address.reason.name(),
            depth: address.depth.known(),
            status: facts.map(|f| f.status).filter(|status| *status > 0),
            r#type: facts.and_then(|f| given(&f.media_type)),
            size: facts.map(|f| f.size),
            title: facts.and_then(|f| given(&f.title)),
            text_fp: facts.and_then(|f| f.text_fp).map(|fp| fp.hex()),
            body_fp: facts.and_then(|f| f.body_fp).map(|fp| fp.hex()),
            near_fp: facts.filter(|f| f.text_fp.is_some()).map(|f| format!("{:016x}", f.near_fp)),
            language: facts.and_then(|f| given(&f.language)),
            words: facts.map(|f| f.words),
            via,
            via_kind: address.via_kind.filter(|_| address.via.is_some()).map(|kind| kind.name()),
            since: rfc3339(address.since),
            fetched_at: facts.map(|f| f.fetched_at).filter(|at| *at > 0).map(rfc3339),
            alias_of,
            canonical_link,
            noindex: facts.is_some_and(|f| f.noindex),
            nofollow: facts.is_some_and(|f| f.nofollow),
            cuts: facts
                .map(|f| f.cuts.split([',', ' ']).filter(|c| !c.is_empty()).map(str::to_owned).collect())
                .unwrap_or_default(),
            rendered: rendering.as_ref().is_some_and(Rendering::is_done),
            picture: rendering.as_ref().and_then(Rendering::picture).map(str::to_owned),
            // How a page was seen stands in columns of its own.
            note: facts.filter(|_| rendering.is_none()).and_then(|f| given(&f.note)),
            url: address.url,
        })
    }

    /// The cells of its self.
    pub fn cells(self) -> [String; 26] {
        let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        let text = |text: Option<String>| text.unwrap_or_default();
        [
            self.url,
            self.canonical,
            self.state.to_owned(),
            self.reason.to_owned(),
            number(self.depth.map(u64::from)),
            number(self.status.map(u64::from)),
            text(self.r#type),
            number(self.size),
            text(self.title),
            text(self.text_fp),
            text(self.body_fp),
            text(self.near_fp),
            text(self.language),
            number(self.words.map(u64::from)),
            text(self.via),
            self.via_kind.unwrap_or_default().to_owned(),
            self.since,
            text(self.fetched_at),
            text(self.alias_of),
            text(self.canonical_link),
            self.noindex.to_string(),
            self.nofollow.to_string(),
            self.cuts.join(" "),
            self.rendered.to_string(),
            text(self.picture),
            text(self.note),
        ]
    }
}

/// Writes the table as CSV, with the texts as a last column if they are wanted.
pub fn write(store: &mut dyn Snapshot, wanted: &PagesWanted<'_>, out: &mut dyn Write) -> Result<Exported, Fault> {
    let mut names = Names::default();
    write_row(&mut *out, &[&COLUMNS[..], if wanted.text { &["text"] } else { &[] }].concat())?;
    walk(store, wanted, &mut |store, leaf| {
        let text =
            if wanted.text { Some(leaf.details(store)?.as_ref().map(text_of).unwrap_or_default()) } else { None };
        let cells = PageLine::read(store, &mut names, leaf.address, leaf.page)?.cells();
        Ok(write_row(&mut *out, &[&cells[..], text.as_slice()].concat())?)
    })
}
