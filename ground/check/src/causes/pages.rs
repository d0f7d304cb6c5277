//! Findings that are about a page alone: which of them does one template make?
//!
//! They are counted by what their details have in common and by the folder the page stands in. What few pages say is joined with what
//! the others say; then folders are joined from below: where more than four families meet in a folder, each that has a fifth of
//! the pages stays, and the rest becomes one, "elsewhere in this folder". So a fault of a whole site is one family, and so is one of a
//! part of it. Cost: a look into a table a finding, at the end the folders times their depth. Memory: at most 20,000 folders or
//! 24 MiB, or so; pages of further folders are counted at their host. Not guaranteed: that one template makes a family, or that
//! a template makes one family only: URLs tell.

use std::collections::{BTreeMap, HashMap};

use super::cause::{Cause, PageFamily, SitePart};
use super::group::{CauseGroup, Growing};
use super::pattern::{UrlPattern, folder, parent, server};
use super::sameness::sameness;
use crate::finding::{Finding, Kind};

/// Folders that are told apart.
const FOLDERS: usize = 20_000;
/// Bytes of them, about.
const BYTES: usize = 24 << 20;
/// Sorts of details that are told apart while findings come.
const SORTS: usize = 500;
/// Sorts of details that are all told, however few pages say it.
const FEW_SORTS: usize = 5;
/// ... and of more, those that so small a part of the pages say.
const SORT_SHARE: u64 = 20;
/// Families that meet in a folder without being joined.
const FEW_FAMILIES: usize = 4;
/// ... and of more, those with so large a part of the pages.
const FAMILY_SHARE: u64 = 5;

/// The pages of one kind of finding.
#[derive(Clone, Debug, Default)]
pub(super) struct PageGroups {
    sorts: HashMap<String, u32>,
    /// By sort of detail and folder.
    folders: HashMap<(u32, String), Family>,
    bytes: usize,
}

/// Pages that are told together.
#[derive(Clone, Debug)]
struct Family {
    group: Growing,
    pattern: UrlPattern,
    part: SitePart,
    except: Vec<SitePart>,
    elsewhere: bool,
}

impl Family {
    fn join(&mut self, other: Family, examples: usize) {
        self.group.join(other.group, examples);
        self.pattern.join(&other.pattern);
    }
}

impl PageGroups {
    pub(super) fn take(&mut self, finding: &Finding, examples: usize) {
        let same = sameness(finding);
        let room = self.sorts.len() < SORTS;
        let next = self.sorts.len() as u32;
        let sort = match self.sorts.get(&same) {
            Some(sort) => *sort,
            // Beyond them all are of one sort.
            None if !room => SORTS as u32,
            None => *self.sorts.entry(same).or_insert(next),
        };
        let url = finding.from.as_str();
        let mut place = folder(url);
        if self.is_full() && !self.folders.contains_key(&(sort, place.to_owned())) {
            place = server(url);
            if self.folders.len() > 2 * FOLDERS {
                place = "";
            }
        }
        let part = SitePart { folder: place.to_owned(), direct: place == folder(url) };
        match self.folders.get_mut(&(sort, place.to_owned())) {
            Some(family) => {
                family.group.take(finding, examples, false);
                family.pattern.add(url);
                family.part.direct &= part.direct;
            }
            None => {
                let mut group = Growing::new(finding);
                group.take(finding, examples, false);
                self.bytes += group.weight() + 2 * place.len() + 2 * url.len();
                let family =
                    Family { group, pattern: UrlPattern::new(url), part, except: Vec::new(), elsewhere: false };
                self.folders.insert((sort, place.to_owned()), family);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.folders.len() >= FOLDERS || self.bytes > BYTES
    }

    pub(super) fn finish(self, kind: Kind, examples: usize) -> Vec<CauseGroup> {
        let mut names: Vec<(u32, String)> = self.sorts.into_iter().map(|(same, sort)| (sort, same)).collect();
        names.sort_unstable();
        let mut sizes = vec![0u64; SORTS + 1];
        for ((sort, _), family) in &self.folders {
            sizes[*sort as usize] += family.group.size.findings;
        }
        let all: u64 = sizes.iter().sum();
        let few = names.len() <= FEW_SORTS;
        let is_told = |sort: u32| (sort as usize) < SORTS && (few || sizes[sort as usize] * SORT_SHARE >= all);
        let told: Vec<String> = names.iter().filter(|(sort, _)| is_told(*sort)).map(|(_, same)| same.clone()).collect();
        // The sort that stands for all that are not told by themselves.
        let rest = SORTS as u32;
        let mut by_sort: BTreeMap<u32, Vec<Family>> = BTreeMap::new();
        let mut folders: Vec<((u32, String), Family)> = self.folders.into_iter().collect();
        folders.sort_by(|(a, _), (b, _)| a.cmp(b));
        for ((sort, _), family) in folders {
            by_sort.entry(if is_told(sort) { sort } else { rest }).or_default().push(family);
        }
        let mut groups = Vec::new();
        for (sort, families) in by_sort {
            let same = names.get(sort as usize).filter(|_| sort != rest).map(|(_, same)| same.clone());
            for family in join_from_below(families, examples) {
                groups.push(family.finish(kind, same.clone(), if same.is_none() { told.clone() } else { Vec::new() }));
            }
        }
        groups
    }
}

impl Family {
    fn finish(self, kind: Kind, same: Option<String>, not_same: Vec<String>) -> CauseGroup {
        let alone = self.group.size.findings == 1;
        let page = self.group.examples.first().filter(|_| alone).map(|finding| finding.from.clone());
        let pattern = page.unwrap_or_else(|| self.pattern.says());
        let Family { group, part, except, elsewhere, .. } = self;
        group.finish(kind, Cause::Pages(PageFamily { pattern, elsewhere, same, not_same, part, except }))
    }
}

/// Joins families from the deepest folders up, so that few are left.
fn join_from_below(families: Vec<Family>, examples: usize) -> Vec<Family> {
    // By length, since a folder is longer than the one above it.
    let mut waiting: BTreeMap<(usize, String), Vec<Family>> = BTreeMap::new();
    for family in families {
        let place = family.part.folder.clone();
        waiting.entry((place.len(), place)).or_default().push(family);
    }
    let mut whole = Vec::new();
    while let Some(((_, place), families)) = waiting.pop_last() {
        let joined = join_small(&place, families, examples);
        match parent(&place) {
            Some(up) => waiting.entry((up.len(), up.to_owned())).or_default().extend(joined),
            None if place.is_empty() => whole.extend(joined),
            None => waiting.entry((0, String::new())).or_default().extend(joined),
        }
    }
    whole
}

/// Of too many families of a folder, joins the small ones.
fn join_small(place: &str, mut families: Vec<Family>, examples: usize) -> Vec<Family> {
    if families.len() <= FEW_FAMILIES {
        return families;
    }
    let all: u64 = families.iter().map(|family| family.group.size.findings).sum();
    families.sort_by(|a, b| b.group.size.findings.cmp(&a.group.size.findings).then_with(|| a.part.cmp(&b.part)));
    let large = families.iter().take_while(|family| family.group.size.findings * FAMILY_SHARE >= all).count();
    let small = families.split_off(large.min(families.len() - 2));
    // In the order in which they came, so that the example is from where most come first.
    let joined = small.into_iter().reduce(|mut one, other| {
        one.join(other, examples);
        one
    });
    if let Some(mut joined) = joined {
        joined.part = SitePart { folder: place.to_owned(), direct: false };
        joined.except = families.iter().flat_map(|family| std::iter::once(family.part.clone())).collect();
        joined.elsewhere = !families.is_empty();
        families.push(joined);
    }
    families
}
