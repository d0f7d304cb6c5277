//! A folder of pages as a web in memory, shown to a strategy as the engine would show it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use groma_model::{Depth, Limits, PageId, ParsedPage, Reason, Target};
use groma_page::{Filter, Html, Input};
use groma_strategy::focus::Focus;
use groma_strategy::{Command, Lead, Memory, Plan, Strategy, Visit};
use groma_url::Url;

/// The URL that stands for the folder.
pub(crate) const ROOT: &str = "http://127.0.0.1:8099/";

/// A page that exists.
pub(crate) struct Stored {
    pub(crate) page: ParsedPage,
    pub(crate) leads: Vec<Lead>,
}

/// URLs, and the pages that exist.
pub(crate) struct Web {
    pub(crate) addresses: Vec<String>,
    pub(crate) stored: Vec<Option<Stored>>,
    pub(crate) numbers: HashMap<String, u32>,
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            gather(&path, files);
        } else if path.extension().is_some_and(|end| end == "html") {
            files.push(path);
        }
    }
}

/// The URL of a file of the folder.
fn address_of(folder: &Path, file: &Path) -> Option<String> {
    let path = file.strip_prefix(folder).ok()?.to_str()?.to_owned();
    let path = path.strip_suffix("index.html").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(&path);
    Some(Url::parse(&format!("{ROOT}{path}")).ok()?.as_str().to_owned())
}

impl Web {
    /// All HTML files of a folder with their URLs.
    pub(crate) fn files(folder: &Path) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        gather(folder, &mut files);
        files.sort();
        files.into_iter().filter_map(|file| address_of(folder, &file).map(|address| (file, address))).collect()
    }

    /// Reads pages. `inside`: links to what is not there do not count; else they lead to pages that are gone.
    pub(crate) fn read(
        files: &[(PathBuf, String)],
        inside: bool,
        finish: impl Fn(&str, &mut ParsedPage) + Sync,
    ) -> Web {
        let limits = Limits::default();
        let parse = |(file, address): &(PathBuf, String)| {
            let (bytes, url) = (std::fs::read(file).unwrap_or_default(), Url::parse(address).ok()?);
            let input = Input { bytes: &bytes, url: &url, charset: None, limits: &limits, parts: true };
            let mut page = Html.read(&input);
            finish(address, &mut page);
            (page.anchors, page.metas, page.forms) = (Vec::new(), Vec::new(), Vec::new());
            Some(page)
        };
        let half = files.len().div_ceil(2).max(1);
        let pages: Vec<Option<ParsedPage>> = std::thread::scope(|scope| {
            let work = files.chunks(half).map(|chunk| scope.spawn(|| chunk.iter().map(parse).collect::<Vec<_>>()));
            work.collect::<Vec<_>>().into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
        });
        let addresses: Vec<String> = files.iter().map(|(_, address)| address.clone()).collect();
        let numbers = addresses.iter().enumerate().map(|(at, address)| (address.clone(), at as u32)).collect();
        let mut web = Web { addresses, stored: Vec::new(), numbers };
        for page in pages {
            let stored = page.map(|page| Stored { leads: web.leads(&page, inside), page });
            web.stored.push(stored);
        }
        web.stored.resize_with(web.addresses.len(), || None);
        web
    }

    fn leads(&mut self, page: &ParsedPage, inside: bool) -> Vec<Lead> {
        let mut leads: Vec<Lead> = Vec::new();
        for (at, link) in page.links.iter().enumerate().filter(|(_, link)| link.kind.leads_on()) {
            let Target::Web(url) = &link.target else { continue };
            let address = url.as_str().split('#').next().unwrap_or_default();
            if !address.starts_with(ROOT) {
                continue;
            }
            let number = match self.numbers.get(address) {
                Some(number) => *number,
                None if inside => continue,
                None => {
                    let number = self.addresses.len() as u32;
                    self.addresses.push(address.to_owned());
                    self.numbers.insert(address.to_owned(), number);
                    number
                }
            };
            leads.push(Lead { page: PageId(number), kind: link.kind, link: Some(at) });
        }
        leads
    }

    /// Lets a strategy walk from these pages until it stops.
    pub(crate) fn walk(&self, strategy: &mut Focus, seeds: &[u32]) {
        let seeds: Vec<PageId> = seeds.iter().map(|seed| PageId(*seed)).collect();
        let mut met = vec![false; self.addresses.len()];
        let mut plan = Plan::default();
        strategy.begin(&seeds, &mut plan);
        let mut round = 0;
        loop {
            let wanted = plan.commands.iter().filter_map(|command| match command {
                Command::Want(page, _) => Some(*page),
                _ => None,
            });
            let wanted: Vec<PageId> = wanted.collect();
            if wanted.is_empty() {
                return;
            }
            for page in wanted {
                let mut meet = |page: PageId| {
                    let at = page.0 as usize;
                    if !std::mem::replace(&mut met[at], true) {
                        strategy.meet(page, &self.addresses[at]);
                    }
                };
                meet(page);
                let visit = match &self.stored[page.0 as usize] {
                    Some(stored) => {
                        stored.leads.iter().for_each(|lead| meet(lead.page));
                        let (parsed, leads) = (Some(&stored.page), &stored.leads[..]);
                        Visit { depth: Depth::LOOSE, parsed, leads, ..Visit::without_content(page, Reason::Fetched) }
                    }
                    None => Visit::without_content(page, Reason::NotFound),
                };
                strategy.visit(&visit, &mut Plan::default());
            }
            plan = Plan::default();
            strategy.round(round, &mut plan);
            round += 1;
        }
    }
}
