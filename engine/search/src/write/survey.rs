//! What the store says the index should hold: two passes, of which the second is spared if nothing changed.
//!
//! The change log alone does not tell: a page that a new rule excludes, an author who now asks not to be found, a description
//! that changed and a link text on another page leave no row in it. So the first pass sums up the standing of all pages; only if
//! that sum is another than last time the second reads the texts of their links, and gives each document that the index has
//! already a digest of all it should be made of. Of those it has not, the digest is made when they are written.

use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::{BlockKind, LinkKind};
use groma_store::codec::{Lent, Mark as LinkMark, lend_links, lend_texts, unpack_links};
use groma_store::{Snapshot, StoreError};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::anchors::Anchors;
use super::document::{add_block, belongs, digest, digest_of_facts, whole};
use super::gathered::Seal;

/// The greatest number a row of the change log can have.
const LAST: u64 = i64::MAX as u64;
/// Aliases followed before a chain counts as broken.
const HOPS: usize = 64;
/// Stands for: in no section.
const NOWHERE: u32 = u32::MAX;

/// How far an index has followed which survey. Written with every commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// Which survey; one that was started over is another.
    pub(crate) survey: u64,
    /// The last change of the log that is in the index.
    pub(crate) watermark: u64,
    /// The sum over the standing of all pages.
    pub(crate) standing: u64,
    /// The gathered databases whose records are in the index.
    #[serde(default)]
    pub(crate) databases: Vec<Seal>,
}

impl Mark {
    /// Do both stand for the same pages?
    pub(crate) fn has_pages_of(&self, other: &Mark) -> bool {
        (self.survey, self.watermark, self.standing) == (other.survey, other.watermark, other.standing)
    }

    /// How far a gathering was followed.
    pub(crate) fn seal(&self, gather: u32) -> Option<&Seal> {
        self.databases.iter().find(|seal| seal.gather == gather)
    }
}

/// The standing of all pages.
pub(crate) struct Standing {
    pub(crate) mark: Mark,
    /// How many pages there are of which something is known.
    known: u64,
    /// Numbers of pages that belong into the index, in order, with a digest of their facts.
    belong: Vec<(u32, u64)>,
    /// The place of a page among them, by its number.
    place_of: Vec<u32>,
    /// The page each URL stands for.
    page_of: Vec<u32>,
}

/// What the index should hold.
pub(crate) struct Survey {
    /// The number of each page and, if the index has it, the digest that its document should have; in order.
    pub(crate) wanted: Vec<(u32, Option<u64>)>,
    pub(crate) anchors: Anchors,
}

impl Standing {
    /// Reads states and depths of all URLs, for what is indexed then.
    pub(crate) fn read(store: &mut dyn Snapshot, from: u64) -> Result<Standing, StoreError> {
        let survey = identity(store)?;
        let watermark = last_change(store, from)?;
        let mut sum = Xxh3::new();
        let (mut known, mut belong, mut page_of) = (0, Vec::new(), Vec::new());
        store.each_sheet(false, &mut |sheet| {
            let number = sheet.id.0;
            page_of.resize(number as usize, NOWHERE);
            page_of.push(sheet.alias_of.map_or(number, |of| of.0));
            if let Some(of) = sheet.alias_of {
                sum.update(&number.to_le_bytes());
                sum.update(&of.0.to_le_bytes());
            }
            let Some(facts) = &sheet.facts else { return true };
            known += 1;
            if belongs(sheet, facts) {
                belong.push((number, digest_of_facts(sheet, facts)));
            }
            sum.update(&number.to_le_bytes());
            sum.update(&[sheet.reason.code(), u8::from(facts.noindex)]);
            for print in [facts.text_fp, facts.body_fp].into_iter().flatten() {
                sum.update(&print.0.to_le_bytes());
            }
            sum.update(&facts.changed_at.to_le_bytes());
            sum.update(&xxh3_64(facts.title.as_bytes()).to_le_bytes());
            sum.update(&xxh3_64(facts.last_modified.as_bytes()).to_le_bytes());
            sum.update(facts.language.as_bytes());
            sum.update(facts.media_type.as_bytes());
            true
        })?;
        settle(&mut page_of);
        let mut place_of = vec![NOWHERE; page_of.len()];
        for (place, (number, _)) in belong.iter().enumerate() {
            place_of[*number as usize] = place as u32;
        }
        let mark = Mark { survey, watermark, standing: sum.digest(), databases: Vec::new() };
        Ok(Standing { mark, known, belong, place_of, page_of })
    }

    /// The second pass; nothing if it was stopped. `held`: has the index this page?
    pub(crate) fn survey(
        &self,
        store: &mut dyn Snapshot,
        held: &dyn Fn(u32) -> bool,
        stop: &AtomicBool,
        step: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<Survey>, StoreError> {
        let mut anchors = Anchors::of_pages(self.belong.len());
        // Those without texts have the digest of their facts.
        let bare = |(number, facts): &(u32, u64)| (*number, held(*number).then(|| digest(*facts).digest()));
        let mut wanted: Vec<(u32, Option<u64>)> = self.belong.iter().map(bare).collect();
        let (mut targets, mut buffer, mut done, mut damaged) = (Vec::new(), Vec::new(), 0u64, None);
        store.each_content(&mut |id, packed| {
            // The rest is passed over quickly.
            if damaged.is_some() || stop.load(Ordering::Relaxed) {
                return;
            }
            if done.is_multiple_of(256) {
                step(done, self.known);
            }
            done += 1;
            if packed.details.is_empty() {
                return;
            }
            let place = self.place(id.0);
            let known = place.filter(|place| wanted[*place].1.is_some()).map(|place| digest(self.belong[place].1));
            targets.clear();
            let sound = unpack_links(packed.targets, &mut targets);
            anchors.glance(targets.iter().filter_map(|(target, _)| self.place(*target)));
            let (targets, anchors) = (targets.iter(), &mut anchors);
            let mut reader = Reader { standing: self, number: id.0, targets, anchors, sum: known };
            let read = sound.and_then(|()| match reader.sum {
                Some(_) => lend_texts(packed.details, &mut buffer, &mut reader),
                None => lend_links(packed.details, &mut buffer, |kind, text| reader.link(kind, text)),
            });
            if let (Some(place), Some(sum)) = (place, reader.sum) {
                wanted[place].1 = Some(sum.digest());
            }
            if read.is_none() {
                damaged = Some(id.0);
            }
        })?;
        if let Some(number) = damaged {
            return Err(damage(number));
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        for (place, (_, digest)) in wanted.iter_mut().enumerate() {
            *digest = digest.map(|texts| whole(texts, anchors.taken(place).digest()));
        }
        Ok(Some(Survey { wanted, anchors }))
    }

    /// The place of a page among those that belong into the index.
    pub(crate) fn place(&self, number: u32) -> Option<usize> {
        self.place_of.get(number as usize).filter(|place| **place != NOWHERE).map(|place| *place as usize)
    }

    /// The digest of the facts of the page at this place.
    pub(crate) fn facts(&self, place: usize) -> u64 {
        self.belong[place].1
    }

    /// Belongs this page into the index?
    pub(crate) fn belongs(&self, number: u32) -> bool {
        self.place(number).is_some()
    }
}

/// Reads one page: the texts of its links for the pages they point at, the digest of its own.
struct Reader<'a> {
    standing: &'a Standing,
    number: u32,
    targets: std::slice::Iter<'a, (u32, LinkMark)>,
    anchors: &'a mut Anchors,
    /// If the index has it.
    sum: Option<Xxh3>,
}

impl Lent for Reader<'_> {
    fn link(&mut self, kind: LinkKind, text: &str) {
        let Some(&(target, _)) = self.targets.next() else { return };
        let target = self.standing.page_of.get(target as usize).copied().unwrap_or(target);
        // What a page says of itself says nothing new.
        if kind == LinkKind::Anchor
            && target != self.number
            && !text.is_empty()
            && let Some(place) = self.standing.place(target)
        {
            self.anchors.add(place, text);
        }
    }

    fn block(&mut self, kind: BlockKind, text: &str) {
        if let Some(sum) = &mut self.sum {
            add_block(sum, kind, text);
        }
    }
}

/// The texts of this page cannot be read.
pub(crate) fn damage(number: u32) -> StoreError {
    StoreError::Damaged(format!("the texts of page {number}"))
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

/// The last row of the change log, by ever longer leaps and then by halving. `from`: one that was there once.
fn last_change(store: &mut dyn Snapshot, from: u64) -> Result<u64, StoreError> {
    // The first row behind a place; numbers of rows have a sign in the store, and with it an end.
    let mut behind =
        |place: u64| Ok::<_, StoreError>(store.changes(place.min(LAST), 1)?.first().map(|change| change.seq));
    // Is that row still there? In a survey that was started over, perhaps not.
    let mut last = match from.checked_sub(1) {
        Some(before) if behind(before)? == Some(from) => from,
        _ => 0,
    };
    let mut leap = 1u64;
    while let Some(row) = behind(last.saturating_add(leap - 1))? {
        last = row;
        leap = leap.saturating_mul(2);
    }
    // Nothing is behind `last + leap - 1`.
    let mut end = last.saturating_add(leap - 1);
    while last < end {
        let middle = last + (end - last) / 2;
        match behind(middle)? {
            Some(row) => last = row,
            None => end = middle,
        }
    }
    Ok(last)
}

/// Lets every alias name the page at the end of its chain.
fn settle(page_of: &mut [u32]) {
    for at in 0..page_of.len() {
        let mut end = page_of[at];
        for _ in 0..HOPS {
            match page_of.get(end as usize) {
                Some(&next) if next != end && next != NOWHERE => end = next,
                _ => break,
            }
        }
        page_of[at] = end;
    }
}
