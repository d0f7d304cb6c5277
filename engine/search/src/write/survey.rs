//! What the store says the index should hold: two passes, of which the second is spared if nothing changed.
//!
//! The change log alone does not tell: a page that a new rule excludes, an author who now asks not to be found, a description
//! that changed and a link text on another page leave no row in it. So the first pass sums up the standing of all pages; only if
//! that sum is another than last time the second reads their texts, and gives each document a digest of all it is made of.

use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::{Block, BlockKind, LinkKind, PageId};
use groma_store::codec::{Lent, Mark as LinkMark, lend_texts, unpack_blocks, unpack_links};
use groma_store::{Snapshot, StoreError};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::anchors::Anchors;
use super::document::{add_block, belongs, digest, digest_of_facts};

/// Rows of the change log read at a time.
const ROWS: usize = 10_000;
/// Aliases followed before a chain counts as broken.
const HOPS: usize = 64;

/// How far an index has followed which survey. Written with every commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// Which survey; one that was started over is another.
    pub(crate) survey: u64,
    /// The last change of the log that is in the index.
    pub(crate) watermark: u64,
    /// The sum over the standing of all pages.
    pub(crate) standing: u64,
}

/// The standing of all pages.
pub(crate) struct Standing {
    pub(crate) mark: Mark,
    /// Numbers of pages of which something is known.
    known: Vec<u32>,
    /// Numbers of pages that belong into the index, in order, with a digest of their facts.
    belong: Vec<(u32, u64)>,
    /// The same by number.
    belongs: Vec<bool>,
    /// The page each address stands for.
    page_of: Vec<u32>,
}

/// What the index should hold.
pub(crate) struct Survey {
    /// The number of each page and the digest of its document, in order.
    pub(crate) wanted: Vec<(u32, u64)>,
    pub(crate) anchors: Anchors,
}

impl Standing {
    /// The first pass.
    pub(crate) fn read(store: &mut dyn Snapshot, from: u64) -> Result<Standing, StoreError> {
        let survey = identity(store)?;
        let watermark = last_change(store, from)?;
        let mut sum = Xxh3::new();
        let (mut known, mut belong, mut page_of) = (Vec::new(), Vec::new(), Vec::new());
        store.each_page(&mut |address, page| {
            let number = address.id.0;
            page_of.resize(number as usize, u32::MAX);
            page_of.push(address.alias_of.map_or(number, |of| of.0));
            if let Some(of) = address.alias_of {
                sum.update(&number.to_le_bytes());
                sum.update(&of.0.to_le_bytes());
            }
            let Some(page) = page else { return };
            known.push(number);
            if belongs(address, page) {
                belong.push((number, digest_of_facts(address, page)));
            }
            let facts = &page.facts;
            sum.update(&number.to_le_bytes());
            sum.update(&[address.reason.code(), u8::from(facts.noindex)]);
            for print in [facts.text_fp, facts.body_fp].into_iter().flatten() {
                sum.update(&print.0.to_le_bytes());
            }
            sum.update(&page.changed_at.to_le_bytes());
            sum.update(&xxh3_64(facts.title.as_bytes()).to_le_bytes());
            sum.update(&xxh3_64(facts.last_modified.as_bytes()).to_le_bytes());
            sum.update(facts.language.as_bytes());
            sum.update(facts.media_type.as_bytes());
        })?;
        settle(&mut page_of);
        let mut belongs = vec![false; page_of.len()];
        belong.iter().for_each(|(number, _): &(u32, u64)| belongs[*number as usize] = true);
        let mark = Mark { survey, watermark, standing: sum.digest() };
        Ok(Standing { mark, known, belong, belongs, page_of })
    }

    /// The second pass; nothing if it was stopped.
    pub(crate) fn survey(
        &self,
        store: &mut dyn Snapshot,
        stop: &AtomicBool,
        step: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<Survey>, StoreError> {
        let mut anchors = Anchors::default();
        let mut wanted = Vec::with_capacity(self.belong.len());
        let mut belong = self.belong.iter().peekable();
        let (mut targets, mut buffer, mut done, mut damaged) = (Vec::new(), Vec::new(), 0u64, None);
        let of = self.known.len() as u64;
        store.each_content(&mut |id, packed| {
            // The rest is passed over quickly.
            if damaged.is_some() || stop.load(Ordering::Relaxed) {
                return;
            }
            if done.is_multiple_of(256) {
                step(done, of);
            }
            done += 1;
            let number = id.0;
            // Those before it have no texts.
            while let Some((other, facts)) = belong.next_if(|(other, _)| *other < number) {
                wanted.push((*other, digest(*facts).digest()));
            }
            let facts = belong.next_if(|(of, _)| *of == number).map(|(_, facts)| *facts);
            if packed.details.is_empty() {
                wanted.extend(facts.map(|facts| (number, digest(facts).digest())));
                return;
            }
            targets.clear();
            let sound = unpack_links(packed.targets, &mut targets);
            let mut reader = Reader {
                standing: self,
                number,
                targets: targets.iter(),
                anchors: &mut anchors,
                sum: facts.map(digest),
            };
            let read = sound.and_then(|()| lend_texts(packed.details, &mut buffer, &mut reader));
            wanted.extend(reader.sum.map(|sum| (number, sum.digest())));
            if read.is_none() {
                damaged = Some(number);
            }
        })?;
        if let Some(number) = damaged {
            return Err(StoreError::Damaged(format!("the texts of page {number}")));
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        wanted.extend(belong.map(|(other, facts)| (*other, digest(*facts).digest())));
        for (number, digest) in &mut wanted {
            *digest ^= anchors.digest(*number).rotate_left(1);
        }
        Ok(Some(Survey { wanted, anchors }))
    }

    /// Belongs this page into the index?
    pub(crate) fn belongs(&self, number: u32) -> bool {
        self.belongs.get(number as usize).copied().unwrap_or(false)
    }
}

/// Reads one page: the texts of its links for the pages they point at, the digest of its own.
struct Reader<'a> {
    standing: &'a Standing,
    number: u32,
    targets: std::slice::Iter<'a, (u32, LinkMark)>,
    anchors: &'a mut Anchors,
    /// If it belongs into the index.
    sum: Option<Xxh3>,
}

impl Lent for Reader<'_> {
    fn link(&mut self, kind: LinkKind, text: &str) {
        let Some(&(target, _)) = self.targets.next() else { return };
        let target = self.standing.page_of.get(target as usize).copied().unwrap_or(target);
        // What a page says of itself says nothing new.
        if kind == LinkKind::Anchor && target != self.number && !text.is_empty() && self.standing.belongs(target) {
            self.anchors.add(target, text);
        }
    }

    fn block(&mut self, kind: BlockKind, text: &str) {
        if let Some(sum) = &mut self.sum {
            add_block(sum, kind, text);
        }
    }
}

/// The text blocks of a page, if any are kept.
pub(crate) fn blocks(store: &mut dyn Snapshot, number: u32) -> Result<Vec<Block>, StoreError> {
    let packed = store.details(PageId(number))?.filter(|packed| !packed.is_empty());
    let unpack = |packed: Vec<u8>| {
        unpack_blocks(&packed).ok_or_else(|| StoreError::Damaged(format!("the texts of page {number}")))
    };
    Ok(packed.map(unpack).transpose()?.unwrap_or_default())
}

/// What tells one survey from another in the same folder: when it began, and with what.
fn identity(store: &mut dyn Snapshot) -> Result<u64, StoreError> {
    let mut sum = Xxh3::new();
    if let Some(run) = store.runs()?.first() {
        sum.update(&run.started.to_le_bytes());
    }
    if let Some(address) = store.addresses(None, 1)?.first() {
        sum.update(&address.id.0.to_le_bytes());
        sum.update(address.url.as_bytes());
    }
    Ok(sum.digest())
}

/// The last row of the change log. `from`: one that was there once.
fn last_change(store: &mut dyn Snapshot, from: u64) -> Result<u64, StoreError> {
    // Is that row still there? In a survey that was started over, perhaps not.
    let mut last = match from.checked_sub(1) {
        Some(before) if store.changes(before, 1)?.first().is_some_and(|change| change.seq == from) => from,
        _ => 0,
    };
    loop {
        let rows = store.changes(last, ROWS)?;
        let Some(row) = rows.last() else { return Ok(last) };
        last = row.seq;
    }
}

/// Lets every alias name the page at the end of its chain.
fn settle(page_of: &mut [u32]) {
    for at in 0..page_of.len() {
        let mut end = page_of[at];
        for _ in 0..HOPS {
            match page_of.get(end as usize) {
                Some(&next) if next != end && next != u32::MAX => end = next,
                _ => break,
            }
        }
        page_of[at] = end;
    }
}
