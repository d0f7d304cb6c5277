//! Questions to the indexes: answered by one site or all of them, and for a while remembered.
//!
//! An answer is good as long as the indexes it came from: their state is part of its key, so nothing has to be thrown away
//! when they change. Memory: at most [`REMEMBERED`] answers, the longest unused go first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use groma_search::{Answer, Ask, Index, Weights};
use groma_store::Stamp;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::error::Problem;
use crate::sites::Site;
use crate::words;

/// Answers kept in memory.
const REMEMBERED: usize = 2_000;
/// Letters of answers remembered, all together: what is large is not worth it.
const MOST_LETTERS: usize = 24 << 20;
/// An answer older than this is asked for anew: titles and snippets come from the store, which may change without the index.
const GOOD_FOR: Duration = Duration::from_secs(60);
/// Letters of a question that are looked at.
pub(crate) const QUESTION: usize = 1_000;
/// Hits that can be paged through.
pub(crate) const DEEPEST: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// As typed.
    pub(crate) text: String,
    /// Only this site, if one is named.
    pub(crate) site: Option<String>,
    /// Hits to pass over.
    pub(crate) first: usize,
    /// Hits wanted at most.
    pub(crate) most: usize,
    /// Whether hits are counted by type, language and site.
    pub(crate) facets: bool,
    /// Only the logical site that was found last in the survey, if there is one. For a question to one survey.
    pub(crate) scoped: bool,
}

/// What the indexes answered.
#[derive(Debug, Default)]
pub(crate) struct Answered {
    pub(crate) answer: Answer,
    /// The survey of one of them has changed since it was brought up to date.
    pub(crate) behind: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    question: Question,
    /// Name, pages and state of each index that was asked.
    state: Vec<(String, u64, u64)>,
    /// What the bounds looked like, for a question within them.
    bounds: Option<Stamp>,
}

struct Known {
    answer: Arc<Answered>,
    made: Instant,
    used: u64,
    letters: usize,
}

/// The remembered answers, and the hands that find new ones.
pub(crate) struct SearchDesk {
    weights: Weights,
    known: Mutex<RecentAnswers>,
    hands: Arc<Semaphore>,
}

#[derive(Default)]
struct RecentAnswers {
    answers: HashMap<Key, Known>,
    letters: usize,
    clock: u64,
}

impl SearchDesk {
    pub(crate) fn new(weights: Weights) -> SearchDesk {
        let hands = std::thread::available_parallelism().map_or(2, |cores| cores.get() * 2);
        SearchDesk { weights, known: Mutex::default(), hands: Arc::new(Semaphore::new(hands)) }
    }
}

impl RecentAnswers {
    fn get(&mut self, key: &Key) -> Option<Arc<Answered>> {
        self.clock += 1;
        let known = self.answers.get_mut(key)?;
        if known.made.elapsed() >= GOOD_FOR {
            return None;
        }
        known.used = self.clock;
        Some(Arc::clone(&known.answer))
    }

    fn put(&mut self, key: Key, answer: Arc<Answered>) {
        let letters = weight(&answer.answer) + key.question.text.len();
        self.clock += 1;
        let known = Known { answer, made: Instant::now(), used: self.clock, letters };
        self.letters += letters;
        if let Some(old) = self.answers.insert(key, known) {
            self.letters -= old.letters;
        }
        if self.answers.len() > REMEMBERED || self.letters > MOST_LETTERS {
            // A quarter at once: looking for the oldest one by one would cost a pass for each answer.
            let mut uses: Vec<u64> = self.answers.values().map(|known| known.used).collect();
            let at = uses.len() / 4;
            let (_, &mut bound, _) = uses.select_nth_unstable(at);
            self.answers.retain(|_, known| known.used > bound);
            self.letters = self.answers.values().map(|known| known.letters).sum();
        }
    }
}

fn weight(answer: &Answer) -> usize {
    let pieces = |all: &[groma_search::Piece]| all.iter().map(|piece| piece.text.len() + 48).sum::<usize>();
    let hit = |hit: &groma_search::Hit| {
        hit.url.len()
            + hit.title.len()
            + hit.form.len()
            + hit.database.len()
            + pieces(&hit.title_pieces)
            + pieces(&hit.snippet)
            + 400
    };
    answer.hits.iter().map(hit).sum::<usize>() + 2_000
}

/// The sites a question is for, with their indexes; those without one are passed over.
fn asked(app: &App, site: Option<&str>) -> Result<Vec<(Arc<Site>, Index)>, Problem> {
    let sites = match site {
        Some(name) => vec![app.site(name)?],
        None => app.sites.all(),
    };
    let one = sites.len() == 1;
    let mut asked = Vec::new();
    for site in sites {
        match site.index() {
            Ok(Some(index)) => asked.push((site, index)),
            Ok(None) => {}
            // One damaged index of many does not hide the others.
            Err(problem) if one => return Err(problem),
            Err(_) => {}
        }
    }
    Ok(asked)
}

/// Answers a question; nothing if there is no index to ask.
pub(crate) async fn answer(app: &Arc<App>, question: Question) -> Result<Option<Arc<Answered>>, Problem> {
    app.metrics.searches.inc();
    let asked = asked(app, question.site.as_deref())?;
    if asked.is_empty() {
        return Ok(None);
    }
    let mut state = Vec::with_capacity(asked.len());
    for (site, index) in &asked {
        state.push((site.name.clone(), index.extent()?.0, index.state()));
    }
    let scope = asked.first().filter(|_| question.scoped && asked.len() == 1);
    let bounds = scope.and_then(|(site, _)| site.folder.bounds_stamp());
    let key = Key { question, state, bounds };
    let desk = &app.search;
    if let Some(answer) = desk.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        app.metrics.remembered.inc();
        return Ok(Some(answer));
    }
    let hand = tokio::time::timeout(Duration::from_secs(5), Arc::clone(&desk.hands).acquire_owned());
    let Ok(Ok(hand)) = hand.await else { return Err(Problem::busy()) };
    let app = Arc::clone(app);
    let found = tokio::task::spawn_blocking(move || {
        let _hand = hand;
        let answer = Arc::new(find(&app.search.weights, &key.question, &asked)?);
        app.search.known.lock().unwrap_or_else(PoisonError::into_inner).put(key, Arc::clone(&answer));
        Ok(Some(answer))
    });
    found.await.unwrap_or_else(|_| Err(Problem::ours(words::FELL, words::FELL_HINT)))
}

fn find(weights: &Weights, question: &Question, asked: &[(Arc<Site>, Index)]) -> Result<Answered, Problem> {
    let Question { first, most, facets, .. } = *question;
    let text = beginning(&question.text, QUESTION);
    if let [(site, index)] = asked {
        let within = if question.scoped { site.inside()?.map(|inside| Arc::clone(&inside.pages)) } else { None };
        let ask = Ask { text, first, most, facets, weights, within };
        let answer = index.search(&ask, &mut *site.read()?)?;
        return Ok(Answered { answer, behind: site.is_index_behind(index) });
    }
    let (mut answers, mut behind) = (Vec::with_capacity(asked.len()), false);
    for (site, index) in asked {
        let ask = Ask { text, first: 0, most: first + most, facets, weights, within: None };
        answers.push(index.search(&ask, &mut *site.read()?)?);
        behind = behind || site.is_index_behind(index);
    }
    Ok(Answered { answer: groma_tasks::search::merge(answers, first, most), behind })
}

/// So many letters of a text at most.
fn beginning(text: &str, letters: usize) -> &str {
    text.char_indices().nth(letters).map_or(text, |(at, _)| &text[..at])
}

/// Words and titles that go on from what was typed so far.
pub(crate) async fn suggest(
    app: &Arc<App>,
    typed: String,
    site: Option<String>,
    most: usize,
) -> Result<Vec<String>, Problem> {
    app.work(move |app| {
        let mut all: Vec<String> = Vec::new();
        for (_, index) in asked(app, site.as_deref())? {
            for one in index.suggest(beginning(&typed, 200), most)? {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
        all.truncate(most);
        Ok(all)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        let question = Question { text: text.into(), site: None, first: 0, most: 10, facets: false, scoped: false };
        Key { question, state: vec![("a".into(), 1, 1)], bounds: None }
    }

    #[test]
    fn memory_is_bounded_and_what_is_used_stays() {
        let mut recent = RecentAnswers::default();
        recent.put(key("kept"), Arc::default());
        for number in 0..REMEMBERED * 3 {
            recent.put(key(&number.to_string()), Arc::default());
            assert!(recent.get(&key("kept")).is_some(), "asked for all the time");
            assert!(recent.answers.len() <= REMEMBERED);
        }
        assert_eq!(recent.letters, recent.answers.values().map(|known| known.letters).sum::<usize>());
        assert!(recent.get(&key("0")).is_none());
    }

    #[test]
    fn another_state_of_the_index_is_another_question() {
        let mut recent = RecentAnswers::default();
        recent.put(key("a"), Arc::default());
        let later = Key { state: vec![("a".into(), 1, 2)], ..key("a") };
        assert!(recent.get(&key("a")).is_some() && recent.get(&later).is_none());
    }

    #[test]
    fn long_questions_are_cut_between_letters() {
        assert_eq!(beginning("příliš", 3), "pří");
        assert_eq!(beginning("ab", 3), "ab");
    }
}
