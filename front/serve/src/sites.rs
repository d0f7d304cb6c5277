//! The sites the server shows: which surveys there are, and what is kept of each in memory so that pages come at once.

mod behind;
mod findings;
mod kept;
mod pool;
mod scoped;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use groma_graph::Tree;
use groma_model::State;
use groma_search::Index;
use groma_store::jobs::Queue;
use groma_store::{Folder, Snapshot, StoreError};
use groma_survey_graph::{Reading, SurveyGraph};
use groma_tasks::bounds::{self, Ground};
use groma_tasks::gather::FormsFound;
use groma_tasks::standing::Standing;

use crate::error::{Problem, ServeError};
use behind::Behind;
use kept::Kept;
use pool::Pool;
use scoped::Scoped;

pub(crate) use findings::Findings;
pub(crate) use pool::Lent;
pub(crate) use scoped::Inside;

/// A survey that is begun is one after this at the latest.
const BEGINNING: Duration = Duration::from_secs(30);
/// The folders are looked for again after this.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// The surveys on a server are asked for again after this.
const ASK_AGAIN: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct Sites {
    home: PathBuf,
    named: Vec<PathBuf>,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    sites: BTreeMap<String, Arc<Site>>,
    looked: Option<Instant>,
    /// When the server of the home was last asked for its surveys.
    asked: Option<Instant>,
}

/// A survey as the server holds it: open stores, and what was computed of it.
#[derive(Debug)]
pub(crate) struct Site {
    /// What it is called in URLs: its folder's name without `.groma`.
    pub(crate) name: String,
    pub(crate) folder: Folder,
    views: Pool<Box<dyn Snapshot>>,
    queues: Pool<Queue>,
    drawn: Kept<Drawn>,
    findings: Kept<Findings>,
    standing: Kept<Standing>,
    ground: Kept<Ground>,
    forms: Kept<FormsFound>,
    scoped: Scoped,
    index: Mutex<Option<Index>>,
    behind: Behind,
}

/// A survey as a graph, with its ranks and its map.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The graph with ranks.
    pub(crate) graph: SurveyGraph,
    pub(crate) tree: Tree,
    /// How many pages stand at and below each place of the map.
    pub(crate) sizes: Vec<u32>,
    /// The place of each node on the map; [`Drawn::NOWHERE`] if it is not on it.
    pub(crate) places: Vec<u32>,
    /// The media type (0: not known) of each node, as a number of [`Drawn::media_types`].
    pub(crate) media: Vec<u16>,
    /// Media types by their numbers; the first is empty.
    pub(crate) media_types: Vec<String>,
}

impl Drawn {
    /// Not on the map.
    pub(crate) const NOWHERE: u32 = u32::MAX;

    fn read(store: &mut dyn Snapshot) -> Result<Drawn, Problem> {
        let graph = SurveyGraph::read(store, &Reading::default())?;
        let tree = match graph.root(None) {
            Ok(root) => graph.tree(root),
            Err(groma_survey_graph::SurveyGraphError::Store(error)) => return Err(error.into()),
            // Ranks there are all the same.
            Err(_) => Tree::default(),
        };
        let count = graph.standings.count() as usize;
        let mut places = vec![Drawn::NOWHERE; count];
        for place in 0..tree.len() {
            if let Some(slot) = places.get_mut(tree.node(place) as usize) {
                *slot = place;
            }
        }
        let mut media = vec![0u16; count];
        let mut media_types = vec![String::new()];
        store.each_extent(&mut |id, name, _| {
            let Some(slot) = media.get_mut(id.0 as usize) else { return };
            let known = media_types.iter().position(|one| one == name);
            *slot = known.unwrap_or_else(|| {
                // A server that invents a type for every page does not make this slow.
                if media_types.len() >= 200 {
                    return 0;
                }
                media_types.push(name.to_owned());
                media_types.len() - 1
            }) as u16;
        })?;
        let sizes = tree.sizes();
        Ok(Drawn { graph, tree, sizes, places, media, media_types })
    }

    /// The place of a node on the map.
    pub(crate) fn place(&self, node: u32) -> Option<u32> {
        self.places.get(node as usize).copied().filter(|place| *place != Drawn::NOWHERE)
    }

    /// Was it read, and is it of the site? (Pages of others, pages that are gone and those that were not fetched have ranks, too.)
    pub(crate) fn is_read(&self, node: u32) -> bool {
        self.graph.standings.state(node) == Some(State::Fetched) && self.graph.is_in_scope(node)
    }

    /// The media type of a node; empty if it is not known.
    pub(crate) fn media_type(&self, node: u32) -> &str {
        self.media.get(node as usize).map_or("", |at| &self.media_types[usize::from(*at)])
    }
}

impl Sites {
    /// The named surveys and those in the home folder.
    pub(crate) fn open(home: &Path, named: &[PathBuf]) -> Result<Sites, ServeError> {
        if let Some(missing) = named.iter().find(|path| !Folder::new(*path).exists()) {
            return Err(ServeError::NoSurvey(missing.clone()));
        }
        let sites = Sites { home: home.to_owned(), named: named.to_vec(), known: Mutex::default() };
        drop(sites.look());
        Ok(sites)
    }

    /// All of them, by name. A folder that appeared is seen within a second.
    pub(crate) fn all(&self) -> Vec<Arc<Site>> {
        self.look().sites.values().cloned().collect()
    }

    /// The one with this name.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Site>> {
        self.look().sites.get(name).cloned()
    }

    /// The site of a survey to be begun at this folder of the home; it is listed from now on.
    pub(crate) fn begin(&self, folder: &Path) -> Arc<Site> {
        let path = self.home.join(folder);
        let mut known = locked(&self.known);
        if let Some(site) = known.sites.values().find(|site| site.folder.path() == path) {
            return Arc::clone(site);
        }
        let name = free_name(&path, &known.sites);
        let site = Arc::new(Site::new(name.clone(), path));
        known.sites.insert(name, Arc::clone(&site));
        site
    }

    /// Lets go of what nobody asked for lately.
    pub(crate) fn tidy(&self) {
        for site in self.all() {
            site.drawn.forget_unused();
            site.findings.forget_unused();
            site.ground.forget_unused();
            site.forms.forget_unused();
        }
    }

    fn look(&self) -> MutexGuard<'_, Known> {
        let mut known = locked(&self.known);
        if known.looked.is_none_or(|at| at.elapsed() >= LOOK_AGAIN) {
            if known.asked.is_none_or(|at| at.elapsed() >= ASK_AGAIN) {
                let home = self.home.clone();
                match known.asked.replace(Instant::now()) {
                    None => find_on_server(&home),
                    // A server that does not answer keeps nobody waiting: a later look sees what came of it.
                    Some(_) => {
                        let asking = std::thread::Builder::new().name("surveys".into());
                        let _ = asking.spawn(move || find_on_server(&home));
                    }
                }
            }
            let here = std::fs::read_dir(&self.home).into_iter().flatten().flatten().map(|entry| entry.path());
            let on_server = groma_store::server_of(&self.home).is_some();
            let mut found: Vec<PathBuf> = here.filter(|path| is_site(path, on_server)).collect();
            found.sort();
            known.sites.retain(|_, site| site.folder.path().is_dir());
            for path in self.named.iter().chain(&found) {
                if !known.sites.values().any(|site| is_same(site.folder.path(), path)) {
                    let name = free_name(path, &known.sites);
                    known.sites.insert(name.clone(), Arc::new(Site::new(name, path.clone())));
                }
            }
            known.looked = Some(Instant::now());
        }
        known
    }
}

/// Surveys on the server of the home, if it has one, get their folders here. A server that cannot be reached is asked again.
fn find_on_server(home: &Path) {
    let Some(Ok(server)) = groma_store::server_of(home) else { return };
    for name in groma_store::surveys(&server).unwrap_or_default() {
        let _ = std::fs::create_dir_all(home.join(format!("{name}.groma")));
    }
}

/// A survey, or one that is asked for and waits for its turn.
fn is_site(path: &Path, on_server: bool) -> bool {
    let named = path.extension().is_some_and(|ending| ending == "groma");
    named && (on_server || path.join("survey.db").is_file() || path.join("jobs.db").is_file())
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Names stand in URLs: letters, digits, `.`, `-` and `_` only, and never `.` or `..`.
fn free_name(path: &Path, taken: &BTreeMap<String, Arc<Site>>) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let stem = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
    let name: String = stem.strip_suffix(".groma").unwrap_or(&stem).chars().map(plain).collect();
    let name = if name.trim_matches('.').is_empty() { "survey".to_owned() } else { name };
    let numbered = |n: u32| if n == 1 { name.clone() } else { format!("{name}-{n}") };
    (1..).map(numbered).find(|name| !taken.contains_key(name)).unwrap_or(name.clone())
}

impl Site {
    fn new(name: String, path: PathBuf) -> Site {
        Site {
            name,
            folder: Folder::new(path),
            views: Pool::default(),
            queues: Pool::default(),
            drawn: Kept::default(),
            findings: Kept::with_outside(),
            standing: Kept::light(),
            ground: Kept::default(),
            forms: Kept::light(),
            scoped: Scoped::default(),
            index: Mutex::default(),
            behind: Behind::default(),
        }
    }

    /// Has anything been surveyed yet? What is being begun at this very moment is an empty file, and no survey yet.
    pub(crate) fn exists(&self) -> bool {
        let unfinished = || matches!(self.read(), Err(StoreError::NotASurvey(_))) && self.folder.is_new(BEGINNING);
        self.folder.exists() && !unfinished()
    }

    /// A view of the survey at this moment. It goes back into the pool when it is dropped: keep it for one request only.
    pub(crate) fn read(&self) -> Result<Lent<'_, Box<dyn Snapshot>>, StoreError> {
        self.views.lend(|| self.folder.identity(), || self.folder.read())
    }

    /// The jobs of the survey.
    pub(crate) fn queue(&self) -> Result<Lent<'_, Queue>, StoreError> {
        self.queues.lend(|| self.folder.queue_identity(), || self.folder.queue())
    }

    /// Graph, ranks and map. While the survey grows they may be a few seconds old.
    pub(crate) fn drawn(self: &Arc<Site>) -> Result<Arc<Drawn>, Problem> {
        self.drawn.get(self, |site| &site.drawn, |_, store| Drawn::read(store))
    }

    /// All findings. While the survey grows they may be a few seconds old.
    pub(crate) fn findings(self: &Arc<Site>) -> Result<Arc<Findings>, Problem> {
        self.findings.get(self, |site| &site.findings, |site, store| Findings::read(&site.folder, store))
    }

    /// Where the survey stands: the balance of all URLs. While it grows this may be a few seconds old.
    pub(crate) fn standing(self: &Arc<Site>) -> Result<Arc<Standing>, Problem> {
        self.standing.get(self, |site| &site.standing, |site, store| Ok(Standing::read(store, &site.folder)?))
    }

    /// Its pages, as bounds are looked at on them. While the survey grows they may be a few seconds old.
    pub(crate) fn ground(self: &Arc<Site>) -> Result<Arc<Ground>, Problem> {
        self.ground.get(self, |site| &site.ground, |_, store| Ok(Ground::read(store)?))
    }

    /// Its forms that look like a search. While the survey grows they may be a few seconds old.
    pub(crate) fn forms(self: &Arc<Site>) -> Result<Arc<FormsFound>, Problem> {
        self.forms.get(self, |site| &site.forms, |_, store| Ok(FormsFound::read(store)?))
    }

    /// The logical site that was found last in it, or last from a start; nothing if there is none.
    pub(crate) fn bounds(&self, start: Option<&str>) -> Result<Option<bounds::Site>, Problem> {
        if self.exists() { Ok(bounds::last(&self.folder, start)?) } else { Ok(None) }
    }

    /// What the logical sites that were found in it begin at, the last found first.
    pub(crate) fn starts(&self) -> Result<Vec<String>, Problem> {
        let Some(mut bounds_store) = self.folder.bounds_store_if_any()? else { return Ok(Vec::new()) };
        Ok(bounds_store.sites()?.into_iter().map(|head| head.start).collect())
    }

    /// Which URLs belong to the logical site that was found last; nothing if there is none.
    pub(crate) fn inside(self: &Arc<Site>) -> Result<Option<Arc<Inside>>, Problem> {
        self.scoped.get(self)
    }

    /// The full-text index; nothing if there is none yet.
    pub(crate) fn index(&self) -> Result<Option<Index>, Problem> {
        let mut index = locked(&self.index);
        if index.is_none() {
            *index = Index::open(self.folder.path())?;
        }
        Ok(index.clone())
    }

    /// Has the survey changed since its index was brought up to date?
    pub(crate) fn is_index_behind(&self, index: &Index) -> bool {
        self.behind.or_else(self.folder.stamp(), index.state(), || {
            self.read().ok().and_then(|mut store| index.is_behind(&mut *store).ok())
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
