//! The site that was found last: as it is kept, and as a scope wherever one is asked for.
//!
//! Pages that took part when it was found have their own verdict. All other URLs (never read, or read since) get that of the
//! longest prefix they begin with; other names of a page stand for it.

use std::collections::HashMap;

use groma_bounds::prefixes::{Matcher, Standing};
use groma_model::wording::counted;
use groma_model::{Fp, PageId};
use groma_settings::Fault;
use groma_store::bounds::{Member, Side, SiteRow, Watermark};
use groma_store::{Folder, Snapshot};
use groma_survey_graph::{PageWeb, Standings};

use super::find::find;
use super::told::Told;
use super::{Header, Nearby, Prefix, Request, Watch, adapt};
use crate::bounds::wording::{NO_SITE_YET, NO_SITE_YET_HINT};
use crate::task::Bounds;

/// A site as it is kept.
pub struct Site {
    /// What stands at its head.
    pub header: Header,
    /// The site as beginnings of URLs.
    pub prefixes: Vec<Prefix>,
    /// The clusters in and around it.
    pub nearby: Option<Nearby>,
    /// The search that found it.
    pub request: Request,
    /// Its pages, those that may be, and those of larger members of the family.
    pub members: Vec<Member>,
    /// The survey has changed since.
    pub stale: bool,
}

/// A site as a scope.
pub struct Inside {
    /// What it is called by.
    pub name: String,
    /// By number of a URL: does it belong to the site?
    pub inside: Vec<bool>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Inside {
    /// Does this URL belong to it?
    pub fn holds(&self, number: u32) -> bool {
        self.inside.get(number as usize).copied().unwrap_or(false)
    }

    /// The page it was found from, or else its first page.
    pub fn start(&self, store: &mut dyn Snapshot) -> Result<Option<PageId>, Fault> {
        let named = store.find(Fp::hash_bytes(self.name.as_bytes()))?.map(|found| found.id);
        let first = || self.inside.iter().position(|inside| *inside).map(|at| PageId(at as u32));
        Ok(named.filter(|page| self.holds(page.0)).or_else(first))
    }
}

/// The site that was found last, or the last found from a start; nothing if there is none, or none of this survey.
pub fn last(folder: &Folder, start: Option<&str>) -> Result<Option<Site>, Fault> {
    let Some(mut bounds_store) = folder.bounds_store_if_any()? else { return Ok(None) };
    let row = match start {
        Some(start) => bounds_store.site(start)?,
        None => bounds_store.last_site()?,
    };
    let Some(row) = row else { return Ok(None) };
    let mark = Watermark::read(&mut folder.read()?, Some(&row.mark))?;
    of_row(row, &mark)
}

/// All sites of this survey that are kept, the last found first.
pub fn kept(folder: &Folder) -> Result<Vec<Site>, Fault> {
    let Some(mut bounds_store) = folder.bounds_store_if_any()? else { return Ok(Vec::new()) };
    let mut store = folder.read()?;
    let (mut sites, mut mark) = (Vec::new(), None);
    for head in bounds_store.sites()? {
        let now = Watermark::read(&mut store, mark.as_ref().or(Some(&head.mark)))?;
        mark = Some(now);
        // One that cannot be read any more is found again when it is asked for.
        if let Ok(Some(row)) = bounds_store.site(&head.start)
            && let Ok(Some(site)) = of_row(row, &now)
        {
            sites.push(site);
        }
    }
    Ok(sites)
}

fn of_row(row: SiteRow, mark: &Watermark) -> Result<Option<Site>, Fault> {
    // The pages of a survey that was started over have other numbers.
    if mark.survey != row.mark.survey {
        return Ok(None);
    }
    let stale = !mark.agrees(&row.mark);
    let SiteRow { header, settings, members, .. } = row;
    let told: Told = serde_json::from_str(&header)
        .map_err(|_| Fault::new("what was kept of the site cannot be read", "find it again: groma bounds URL"))?;
    let request = Request::from_task(&Bounds::read_stored(&settings)?);
    let Told { header, prefixes, nearby } = told;
    Ok(Some(Site { header, prefixes, nearby, request, members, stale }))
}

/// A site that is kept as SURT prefixes, and the places that no such prefix can say.
pub fn export(folder: &Folder, start: &str) -> Result<(String, Vec<String>), Fault> {
    let site = last(folder, Some(start))?.ok_or_else(|| Fault::new(NO_SITE_YET, NO_SITE_YET_HINT))?;
    let web = PageWeb::read(&mut folder.read()?, site.request.links, None)?;
    Ok(adapt::as_surt(&site.prefixes, web.nodes().map(|page| web.address(page))))
}

/// The site that was found last as a scope; if there is none, the site of the page the survey began at, found now. Nothing if
/// whoever watches said stop.
pub(super) fn scope(folder: &Folder, watch: &mut Watch<'_>) -> Result<Option<Inside>, Fault> {
    let mut notes = Vec::new();
    let site = match last(folder, None)? {
        Some(site) => site,
        None => {
            let online = super::is_online(&mut folder.read()?)?;
            let request = Request::from_task(&Bounds { online, ..Bounds::default() });
            let Some(bounds) = find(folder, &request, watch)? else { return Ok(None) };
            notes.push(found_now(&bounds.header.start, bounds.header.counts.r#in.into()));
            match last(folder, Some(&bounds.header.start))? {
                Some(site) => site,
                // On a disk that cannot be written nothing is kept.
                None => return Ok(Some(of_bounds(folder, &bounds, notes)?)),
            }
        }
    };
    if site.stale {
        notes.push(found_before(&site.header.start));
    }
    let standings = Standings::read(&mut folder.read()?)?;
    let sides: HashMap<u32, bool> = site.members.iter().map(|m| (m.page.0, m.side == Side::In)).collect();
    let inside = marks(&standings, &adapt::matcher(&site.prefixes), &|page| sides.get(&page).copied());
    Ok(Some(Inside { name: site.header.start, inside, notes }))
}

fn of_bounds(folder: &Folder, bounds: &super::Bounds, notes: Vec<String>) -> Result<Inside, Fault> {
    let standings = Standings::read(&mut folder.read()?)?;
    let within: HashMap<u32, bool> = bounds.inside().map(|page| (page, true)).collect();
    let inside = marks(&standings, &adapt::matcher(&bounds.prefixes), &|page| within.get(&page).copied());
    Ok(Inside { name: bounds.header.start.clone(), inside, notes })
}

/// By number of a URL: is the page it stands for in, by what is kept of it or else by its beginning?
pub(super) fn marks(standings: &Standings, prefixes: &Matcher, side: &dyn Fn(u32) -> Option<bool>) -> Vec<bool> {
    let judge = |number: u32| {
        let page = standings.page_of(number);
        side(page).unwrap_or_else(|| prefixes.standing(standings.names.url(page)) == Standing::In)
    };
    (0..standings.count()).map(judge).collect()
}

fn found_now(start: &str, pages: u64) -> String {
    format!("the site of {start} was found now: {}; `groma bounds` shows it", counted(pages, "page", "pages"))
}

fn found_before(start: &str) -> String {
    format!("the survey has changed since the site of {start} was found: `groma bounds {start}` finds it anew")
}
