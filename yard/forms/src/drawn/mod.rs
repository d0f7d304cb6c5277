//! Sites drawn from a seed over everything that forms of strangers do: kinds of controls, wordings and honesty of totals, cuts,
//! pagers, tokens, markup, answers that are none. What is drawn is independent of what else is; nobody tunes for one of them.
//!
//! ```text
//! /            a page with a link to the form        /find        the form
//! /list?...    a page of a list                      /item/KEY    a page of a record
//! ```
//!
//! Unlike the other sites, this one keeps its records in memory and compares them itself, so that thousands of sites can be
//! examined in a run. The same seed gives the same answers to the same requests in the same order.

pub(crate) mod control;
pub(crate) mod design;
mod door;
pub(crate) mod habits;
mod page;
pub(crate) mod paths;
pub(crate) mod proof;
pub(crate) mod rows;
mod text;
pub(crate) mod tongue;
pub(crate) mod trap;

use std::sync::atomic::{AtomicU64, Ordering};

use encoding_rs::UTF_8;
use groma_testweb::prose::mix;
use groma_testweb::{Answer, Ask};

use crate::data_set::{self, Pairs};
use crate::table::{Cell, Truth};

use control::{Asks, Filter, Order};
use design::Design;
use door::{Door, TOKEN};
use habits::{Markup, Nuisance};
use page::listing::Listing;
use paths::{FORM, ITEM, LIST, PAGE};
use tongue::Tongue;

/// How far a record may move in an unstable order, in places.
const JITTER: u64 = 25;

/// A form site whose every habit is drawn from a seed.
pub(crate) struct DrawnSite {
    pub(crate) design: Design,
    door: Door,
    /// Pages of lists that were asked for.
    lists: AtomicU64,
}

/// A question that was understood.
struct Asked {
    filters: Vec<Filter>,
    order: Order,
    per_page: usize,
    tongue: Tongue,
    view: Option<String>,
    /// What was sent, apart from the page.
    data: Pairs,
}

impl DrawnSite {
    pub(crate) fn new(design: Design) -> DrawnSite {
        let door = Door::new(design.seed, &design.habits);
        DrawnSite { design, door, lists: AtomicU64::new(0) }
    }

    /// Pages of lists that were asked for so far.
    pub(crate) fn lists(&self) -> u64 {
        self.lists.load(Ordering::Relaxed)
    }

    /// What is true of the records.
    pub(crate) fn truth(&self) -> Vec<Truth> {
        let design = &self.design;
        let names = || design.rows.facets.iter().map(|facet| facet.name.to_owned());
        let one = |(id, row): (usize, &Vec<Cell>)| Truth {
            id,
            reachable: design.reaches(row),
            values: names().zip(row.iter().cloned()).collect(),
        };
        design.rows.cells.iter().enumerate().map(one).collect()
    }

    /// Columns that lists show.
    pub(crate) fn shown(&self) -> Vec<String> {
        let shown = self.design.rows.facets.iter().filter(|facet| facet.shown);
        shown.map(|facet| facet.name.to_owned()).collect()
    }

    pub(crate) fn answer(&self, ask: &Ask) -> Answer {
        match ask.bare_path() {
            "/" => Answer::html(page::home(self.design.habits.tongue)),
            FORM => self.form(ask, ""),
            LIST => self.list(ask),
            path => path.strip_prefix(ITEM).and_then(|key| self.item(key)).unwrap_or_else(|| Answer::status(404)),
        }
    }

    fn form(&self, ask: &Ask, remark: &str) -> Answer {
        let (token, session) = self.door.admit(ask);
        let page = page::form::page(&self.design, token.as_deref(), remark);
        Door::with_session(Answer::html(page), session.as_deref())
    }

    fn item(&self, key: &str) -> Option<Answer> {
        let row = self.design.rows.cells.iter().find(|row| row.first().is_some_and(|cell| cell.shown() == key))?;
        Some(Answer::html(page::item(&self.design, row)))
    }

    fn list(&self, ask: &Ask) -> Answer {
        self.lists.fetch_add(1, Ordering::Relaxed);
        let habits = &self.design.habits;
        let pairs = data_set::read(ask, UTF_8);
        let value = |name: &str| pairs.iter().rev().find(|pair| pair.0 == name).map(|pair| pair.1.as_str());
        let further = value(PAGE);
        // A question goes by the method of the form; ways to further pages are GET or POST as they come.
        if habits.post && ask.method != "POST" && further.is_none() {
            return self.form(ask, "");
        }
        if let Some(nuisance) = self.door.nuisance() {
            return Answer::html(page::no_answer(habits.tongue, nuisance));
        }
        let question = self.asked(&pairs);
        if !self.door.is_open(ask, &pairs, &without_token(&question.data)) {
            return Answer::html(page::no_answer(habits.tongue, Nuisance::Expired));
        }
        let hides = |filter: &Filter| matches!(filter, Filter::Flag(_, false));
        if habits.refuse_empty && question.filters.iter().all(hides) {
            return self.form(ask, habits.tongue.phrases().empty);
        }
        let found = self.found(&question, ask.serial);
        let listed = found.len().min(habits.cut.most());
        let page = further.and_then(|text| text.parse::<usize>().ok()).unwrap_or(1).max(1);
        let from = ((page - 1).saturating_mul(question.per_page)).min(listed);
        let here = &found[from..(from + question.per_page).min(listed)];
        let listing = Listing {
            design: &self.design,
            tongue: question.tongue,
            view: question.view.as_deref(),
            data: &question.data,
            page,
            pages: listed.div_ceil(question.per_page).max(1),
            total: found.len(),
            listed,
            from,
            here,
        };
        if habits.markup == Markup::JsonAnswer {
            return Answer::typed("application/json", page::json::answer(&listing));
        }
        Answer::html(page::list::page(&listing))
    }

    fn asked(&self, pairs: &Pairs) -> Asked {
        let design = &self.design;
        let value = |name: &str| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.as_str());
        let mut asked = Asked {
            filters: design.controls.iter().filter_map(|control| control.filter(pairs)).collect(),
            order: design.order,
            per_page: design.habits.page,
            tongue: design.habits.tongue,
            view: None,
            data: pairs.iter().filter(|pair| pair.0 != PAGE).cloned().collect(),
        };
        for control in &design.controls {
            let Some(sent) = value(&control.name) else { continue };
            match &control.asks {
                Asks::Sort(orders) => {
                    asked.order = orders.iter().find(|(own, _)| own == sent).map_or(asked.order, |(_, order)| *order);
                }
                Asks::PageSize(sizes) => {
                    let size = sizes.iter().find(|size| size.to_string() == sent);
                    asked.per_page = size.copied().unwrap_or(asked.per_page);
                }
                Asks::Interface(tongues) => {
                    let tongue = tongues.iter().find(|tongue| tongue.phrases().code == sent);
                    asked.tongue = tongue.copied().unwrap_or(asked.tongue);
                }
                Asks::View(_) => asked.view = Some(sent.to_owned()),
                _ => {}
            }
        }
        asked
    }

    /// The records that satisfy a question, in its order.
    fn found(&self, asked: &Asked, serial: u64) -> Vec<usize> {
        let design = &self.design;
        let keeps = |nth: &usize| {
            design.rows.cells.get(*nth).is_some_and(|row| asked.filters.iter().all(|filter| filter.keeps(row)))
        };
        let mut found: Vec<usize> = (0..design.rows.cells.len()).filter(keeps).collect();
        let rank = |nth: usize| {
            let jitter = if design.habits.unstable { mix(serial, nth as u64) % JITTER } else { 0 };
            design.ranks[nth] as u64 + jitter
        };
        found.sort_by_cached_key(|nth| rank(*nth));
        if let Order::By { column, descending } = asked.order {
            found.sort_by(|a, b| {
                let (a, b) = (&design.rows.cells[*a][column], &design.rows.cells[*b][column]);
                if descending { compared(b, a) } else { compared(a, b) }
            });
        }
        found
    }
}

/// What identifies a question: a token does not.
fn without_token(data: &Pairs) -> Pairs {
    data.iter().filter(|(name, _)| name != TOKEN).cloned().collect()
}

fn compared(a: &Cell, b: &Cell) -> std::cmp::Ordering {
    match (a, b) {
        (Cell::Number(a), Cell::Number(b)) => a.total_cmp(b),
        _ => a.shown().cmp(&b.shown()),
    }
}
