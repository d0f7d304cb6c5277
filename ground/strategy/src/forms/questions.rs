//! The questions to a form: which, and in which order.
//!
//! ```text
//! How::Paper   the product of the essential elements' values, all pages of each answer; nothing is split
//! How::Whole   base     the form as it stands
//!              early    controls that may widen it; if one does, it is set so, and that is the base (see `account`)
//!              cover    until nothing is left to split (groma_gather::cover)
//!              late     every control that was not asked is tried; what brings other records is a base of its own
//!              again    the first question and one in the middle once more: has anything changed?
//! ```
//!
//! Where the ways to further pages do not say what was asked, the site remembers the last question: one is asked at a time, with all its
//! pages, and a list that another question came into is read again.
//! A page that has been asked for is kept for the cover to come, so that trying a control costs nothing where it is split by it. Where the
//! form holds tokens, one form is fetched at a time and one question asked with it.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use groma_gather::Description;
use groma_gather::answer::{Answer as Page, KnownPages, Total};
use groma_gather::cover::{self, Cover, Part, Question, Statement};
use groma_gather::form::{Field, Form};

use super::account::{Account, After, Proof, TrialOf};
use super::axes::{Axes, Beginning};
use super::choose::{axes_of, is_named, page_size};
use super::controls::{Control, Trial, controls, fixed_fields, says};
use super::elsewhere::Elsewhere;
use super::fragment::Fragment;
use super::identity::Identity;
use super::known::{Known, Sight};
use super::reading::{Pending, Purpose, Reading};
use super::settings::{How, Settings};
use super::start::FormPage;
use super::text::{Matching, TextSearch};
use super::typed::overlay;
use super::vocabulary::Vocabulary;
use crate::AskPlan;

/// Questions under way at once.
const AT_ONCE: usize = 8;
/// Questions of the paper's product.
const PRODUCT: u64 = 100_000;
/// What is odd is told so often.
const NOTES: usize = 50;

/// Where a gathering stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Base,
    Early,
    Cover,
    Late,
    Again,
    Over,
}

#[derive(Debug)]
pub(super) enum Course {
    Cover(Box<Cover>),
    Product { next: u64, all: u64, pages: u64 },
}

/// What is on its way.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    pub(super) readings: HashMap<u32, Reading>,
    numbers: u32,
    pub(super) pending: HashMap<String, VecDeque<Pending>>,
    /// Pages that were asked for before, by what was asked.
    pub(super) kept: HashMap<String, (Page, bool)>,
    /// Questions that one of them answers.
    pub(super) ready: VecDeque<(u32, Page, bool)>,
    /// Questions and pages that were asked for.
    pub(super) questions: HashSet<u128>,
    pub(super) pages: HashSet<u128>,
    pub(super) heard: u64,
    pub(super) failed: u64,
    /// Whether the site keeps the question in its session, as far as the ways to further pages tell.
    pub(super) session: Session,
    /// The answer whose first page was asked for last.
    pub(super) latest: u32,
    /// Answers that have to be asked for again, because another question came between.
    pub(super) parked: VecDeque<u32>,
}

/// Do the ways to further pages say what was asked, or does the site remember the last question?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Session {
    /// No further pages were seen yet.
    #[default]
    Unknown,
    /// Links to further pages repeat the question.
    Unneeded,
    /// They do not: one question at a time, with all its pages.
    Keeps,
}

/// What was asked, to be asked again at the end: the question, and what it showed; and what speaks against answers that were read.
#[derive(Debug, Default)]
pub(super) struct Checks {
    pub(super) first: Option<(Vec<(String, String)>, Sight)>,
    pub(super) middle: Option<(Vec<(String, String)>, Sight)>,
    covered: u64,
    pub(super) changed: bool,
    /// What forbids a certificate in answers that were read.
    pub(super) flaws: BTreeSet<&'static str>,
    /// Controls that are tried beside other values of lists from which one must be chosen.
    pub(super) elsewhere: Elsewhere,
    /// The budget was spent before every control was tried.
    pub(super) untried: bool,
    /// One value of a list must be chosen; with none, the form states more records than its values bring together: both numbers.
    pub(super) beyond_choices: Option<(u64, u64)>,
}

/// What was found out before the cover that is under way.
#[derive(Debug, Default)]
struct Done {
    statements: Vec<(Statement, Vec<String>)>,
    forecast: Option<cover::Forecast>,
}

/// The questions of a gathering.
#[derive(Debug)]
pub(super) struct Questions {
    pub(super) found: FormPage,
    pub(super) form: Form,
    pub(super) tokens: Vec<String>,
    pub(super) axes: Axes,
    pub(super) course: Option<Course>,
    settings: Settings,
    phase: Phase,
    pub(super) account: Account,
    trials: VecDeque<TrialOf>,
    base_heard: bool,
    pub(super) known: Known,
    pub(super) identity: Identity,
    pub(super) words: Vocabulary,
    pub(super) text: TextSearch,
    /// What a text field takes the beginning of.
    beginning: Option<Beginning>,
    pub(super) traffic: Traffic,
    pub(super) description: Description,
    pub(super) stated: Option<Total>,
    pub(super) checks: Checks,
    done: Done,
    /// Values that were sent in questions of this base that were answered.
    pub(super) sent: HashSet<(String, String)>,
    notes: Vec<String>,
}

impl Questions {
    /// Before the first question.
    pub(super) fn begin(found: FormPage, tokens: Vec<String>, settings: &Settings) -> Option<Questions> {
        let form = found.form()?.clone();
        let description = found.description.clone();
        let every = |field: &Field| is_named(field, &settings.vary);
        let pages = KnownPages::new(found.shape());
        let account = Account::new(controls(&form, &tokens, &every), page_size(&form));
        let mut questions = Questions {
            axes: axes_of(
                (found.asking(), &description),
                &form,
                settings.how,
                &account,
                &settings.vary,
                &HashMap::new(),
                None,
            ),
            found,
            form,
            tokens,
            course: None,
            settings: settings.clone(),
            phase: Phase::Base,
            account,
            trials: VecDeque::new(),
            base_heard: false,
            known: Known::default(),
            identity: Identity::new(pages),
            words: Vocabulary::default(),
            text: TextSearch::default(),
            beginning: None,
            traffic: Traffic::default(),
            description,
            stated: None,
            checks: Checks::default(),
            done: Done::default(),
            sent: HashSet::new(),
            notes: Vec::new(),
        };
        if settings.how == How::Paper {
            questions.phase = Phase::Cover;
            let all = questions.found.asking().map_or(1, |asking| asking.requests()).min(PRODUCT);
            questions.course = Some(Course::Product { next: 0, all, pages: 0 });
        }
        Some(questions)
    }

    pub(super) fn how(&self) -> How {
        self.settings.how
    }

    /// Asks as much as may be under way at once.
    pub(super) fn refill(&mut self, fragment: &mut Fragment, plan: &mut AskPlan) {
        // A token may hold for one question only, and a new form end the ones before it.
        loop {
            let keeps = self.traffic.session == Session::Keeps;
            let most = if self.tokens.is_empty() && !keeps { AT_ONCE } else { 1 };
            while let Some((number, page, whole)) = self.traffic.ready.pop_front() {
                self.hear_kept(number, &page, whole, fragment, plan);
            }
            if self.traffic.pending.is_empty()
                && let Some(number) = self.traffic.parked.pop_front()
            {
                if let Some(reading) = self.traffic.readings.get_mut(&number) {
                    reading.restart();
                }
                self.ask(number, plan);
                continue;
            }
            if self.traffic.readings.len() >= most {
                return;
            }
            match self.next_reading() {
                Some(reading) => {
                    self.traffic.numbers += 1;
                    let number = self.traffic.numbers;
                    self.traffic.readings.insert(number, reading);
                    self.ask(number, plan);
                }
                None if !self.traffic.readings.is_empty() || !self.advance() => return,
                None => {}
            }
        }
    }

    fn next_reading(&mut self) -> Option<Reading> {
        match self.phase {
            Phase::Over => None,
            Phase::Base => {
                // It decides about everything after it.
                let is_asked = self.base_heard || !self.traffic.readings.is_empty();
                (!is_asked).then(|| Reading::new(Purpose::Base, "everything".to_owned(), self.base()))
            }
            Phase::Late if self.trials.is_empty() => self.next_elsewhere(),
            Phase::Early | Phase::Late => {
                let trial = self.trials.pop_front()?;
                if self.is_spent() {
                    self.checks.untried = true;
                    self.trials.clear();
                    return None;
                }
                let filled = overlay(self.base(), &trial.1);
                let about = format!("trying {}", says(&trial.1));
                let purpose = if self.phase == Phase::Early { Purpose::Early(trial) } else { Purpose::Late(trial) };
                Some(Reading::new(purpose, about, filled))
            }
            Phase::Again => {
                let nth = self.trials.pop_front()?.0;
                let checked = if nth == 0 { &self.checks.first } else { &self.checks.middle };
                let (filled, _) = checked.as_ref()?;
                Some(Reading::new(Purpose::Again(nth), "once more: has anything changed?".to_owned(), filled.clone()))
            }
            Phase::Cover => self.next_question(),
        }
    }

    fn next_question(&mut self) -> Option<Reading> {
        match self.course.as_mut()? {
            Course::Cover(cover) => {
                let (id, question) = cover.next(1).pop()?;
                let about = self.axes.says(&question);
                let mut reading = Reading::new(Purpose::Cover(id), about, self.filled(&question));
                reading.word = self.text.axis.and_then(|axis| match question.parts.get(axis) {
                    Some(Part::Word(nth)) => self.axes.word(axis, *nth),
                    _ => None,
                });
                Some(reading)
            }
            Course::Product { next, all, .. } => {
                if next >= all {
                    return None;
                }
                let asking = self.found.asking()?;
                let filled = asking.questions(PRODUCT).nth(*next as usize)?;
                *next += 1;
                let said: Vec<String> = filled.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                let about = if said.is_empty() { "everything".to_owned() } else { said.join(", ") };
                let filled = filled.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
                let filled = filled.chain(page_size(&self.form)).collect();
                Some(Reading::new(Purpose::Product, about, filled))
            }
        }
    }

    pub(super) fn filled(&self, question: &Question) -> Vec<(String, String)> {
        let asked = self.axes.filled(question);
        // A value that is asked for stands above what is fixed.
        let names: HashSet<&str> = self.axes.said(question).into_iter().collect();
        let fixed = self.account.fixed.iter().filter(|(name, _)| !names.contains(name.as_str())).cloned();
        overlay(asked, &fixed.collect::<Vec<_>>())
    }

    /// The form as it stands, with what is fixed.
    pub(super) fn base(&self) -> Vec<(String, String)> {
        self.filled(&Question { parts: vec![Part::Open; self.axes.fills.len()] })
    }

    /// Nothing is under way and nothing left to ask: what comes next? False: it is over.
    fn advance(&mut self) -> bool {
        match self.phase {
            Phase::Base => {
                let early = if self.settings.plan { Vec::new() } else { self.account.early(&self.may_be_tried()) };
                self.set_trials(early, Phase::Early);
                if self.trials.is_empty() {
                    self.begin_cover();
                }
            }
            Phase::Early => {
                if self.account.decide() {
                    self.account.base = Sight::default();
                    self.axes = self.axes_by(&self.words.seen());
                    (self.phase, self.base_heard) = (Phase::Base, false);
                    return true;
                }
                let more = self.account.early(&self.may_be_tried());
                self.set_trials(more, Phase::Early);
                if self.trials.is_empty() {
                    self.begin_cover();
                }
            }
            Phase::Cover => {
                if self.settings.how == How::Paper {
                    self.phase = Phase::Over;
                    return false;
                }
                if !self.ask_words() {
                    self.begin_late();
                }
            }
            Phase::Late => {
                let more = self.account.follow_up(&self.may_be_tried());
                if !more.is_empty() {
                    self.set_trials(more, Phase::Late);
                    return true;
                }
                self.account.settle(&self.may_be_tried());
                if self.begin_elsewhere() {
                    return true;
                }
                self.checks.elsewhere.reset();
                self.finish_base();
                self.checks.untried |= self.is_spent() && !self.account.strata.is_empty();
                if !self.is_spent() && self.account.next_stratum() {
                    (self.course, self.phase, self.base_heard) = (None, Phase::Base, false);
                    self.sent.clear();
                    self.axes = self.axes_by(&self.words.seen());
                } else {
                    let certified = self.is_certified();
                    let again = [self.checks.first.is_some(), self.checks.middle.is_some()];
                    let again = (0..2).filter(|nth| certified && again[*nth]).map(|nth| (nth, Vec::new()));
                    self.trials = again.collect();
                    self.phase = Phase::Again;
                }
            }
            Phase::Again => self.phase = Phase::Over,
            Phase::Over => return false,
        }
        true
    }

    fn set_trials(&mut self, trials: Vec<TrialOf>, phase: Phase) {
        (self.trials, self.phase) = (trials.into(), phase);
    }

    /// What the description names is varied as it says, and nothing else of it is tried.
    fn may_be_tried(&self) -> impl Fn(&Control) -> bool + use<> {
        let named: HashSet<String> = self
            .found
            .asking()
            .into_iter()
            .flat_map(|asking| &asking.elements)
            .filter(|element| !element.values.is_empty())
            .map(|element| element.name.clone())
            .collect();
        // A text that nobody named is no condition, and what is sent by itself is part of the form: whoever describes a form names what
        // is filled in.
        let is_bare = |control: &Control| matches!(control.trial, Trial::Empty | Trial::Window | Trial::Preset);
        move |control: &Control| !(named.contains(&control.name) || !named.is_empty() && is_bare(control))
    }

    fn axes_by(&self, seen: &HashMap<String, Vec<String>>) -> Axes {
        axes_of(
            (self.found.asking(), &self.found.description),
            &self.form,
            self.settings.how,
            &self.account,
            &self.settings.vary,
            seen,
            self.beginning.as_ref(),
        )
    }

    fn begin_cover(&mut self) {
        self.axes = self.axes_by(&self.words.seen());
        let asked = self.traffic.pages.len() as u64;
        let pages = Some(self.budget().saturating_sub(asked)).filter(|_| !self.settings.plan);
        let reordered = self.account.reordered();
        let settings = cover::Settings { pages, reordered, ..cover::Settings::default() };
        self.course = Some(Course::Cover(Box::new(Cover::new(self.axes.space.clone(), settings))));
        self.phase = Phase::Cover;
        let words = self.axes.space.fields.iter().position(|axis| matches!(axis, cover::Axis::Words { .. }));
        let names = words.and_then(|axis| self.axes.names.get(axis)).map_or(&[][..], Vec::as_slice);
        self.text.begin(words, names, &self.found.words);
    }

    /// Nothing is left to split: words for a text, if there is one. False: there are none.
    fn ask_words(&mut self) -> bool {
        let (Some(Course::Cover(cover)), Some(axis)) = (&mut self.course, self.text.axis) else { return false };
        if self.settings.plan || !cover.wants_words(axis) {
            return false;
        }
        for known in self.text.conclude_joined() {
            self.note(format!("in the field {} {known}", self.axes.name(axis)));
        }
        if let Some((matching, attribute, wildcard)) = self.text.conclude() {
            self.note(format!("the field {} searches {}", self.axes.name(axis), matching.says()));
            if matching == Matching::Beginning {
                let letters = self.words.first_letters(&attribute);
                self.beginning = Some(Beginning { attribute, letters, wildcard: wildcard.to_owned() });
                self.begin_cover();
                return true;
            }
        }
        let Some(Course::Cover(cover)) = &mut self.course else { return false };
        let words = self.text.next(&self.words, cover.limit());
        if words.is_empty() {
            return false;
        }
        cover.add_words(axis, &words);
        self.axes.add_words(axis, &words);
        true
    }

    /// Requests at which it stops.
    pub(super) fn budget(&self) -> u64 {
        let Some(budget) = self.settings.budget else {
            let page = self.account.base.rows.len().max(1) as u64;
            // Six times the fewest pages, and what it takes to find out how to ask.
            let counted = self.stated.map(|total| 500 + total.number.div_ceil(page).saturating_mul(6));
            let usual = self.settings.usual_budget;
            return self.settings.spent + counted.unwrap_or(usual).min(usual.saturating_mul(10));
        };
        budget
    }

    /// Are there no requests left?
    pub(super) fn is_spent(&self) -> bool {
        self.traffic.pages.len() as u64 >= self.budget()
    }

    /// Tries what no question has asked. Where there is no proof anyhow, only what may bring more.
    fn begin_late(&mut self) {
        let Some(Course::Cover(cover)) = &self.course else { return };
        let Statement { certified, rows, .. } = cover.statement();
        let counts = self.account.base.said.is_some_and(|total| cover.counts(total));
        self.account.proof = Proof { is_proved: certified, counts, rows };
        let must_choose = |axis: &cover::Axis| matches!(axis, cover::Axis::Choice { any: false, exhaustive: true, .. });
        if let Some(total) = self.account.base.said.filter(|total| certified && *total > rows)
            && self.axes.space.fields.iter().any(must_choose)
        {
            self.checks.beyond_choices = Some((total, rows));
        }
        let may = self.may_be_tried();
        let free = |control: &Control| {
            let widens =
                matches!(control.trial, Trial::Boxes | Trial::Slide | Trial::Preset | Trial::Choice { plain: false });
            may(control) && (certified || widens)
        };
        let (sent, words) = (&self.sent, &self.words);
        let after = After {
            asked: &|name, value| sent.contains(&(name.to_owned(), value.to_owned())),
            free: &free,
            words: &|control| words.for_control(control),
            shown: &|control| words.shown(control),
        };
        let trials = self.account.late(&after, &self.known);
        self.set_trials(trials, Phase::Late);
    }

    /// Everything of a base was asked and tried.
    fn finish_base(&mut self) {
        let statement = self.own_statement();
        let reasons = self.own_reasons(&statement);
        self.done.statements.push((statement, reasons));
        self.joined_notes().into_iter().for_each(|note| self.note(note));
        if let Some(Course::Cover(cover)) = self.course.take() {
            self.done.forecast = Some(cover.forecast());
        }
    }

    fn is_certified(&self) -> bool {
        let all = self.statements();
        !all.is_empty() && all.iter().all(|(statement, _)| statement.certified) && self.reasons().is_empty()
    }

    /// The form as it stands has been answered, or not.
    pub(super) fn take_base(&mut self, reading: &Reading) {
        self.base_heard = true;
        self.account.base = reading.sight();
        self.stated = self.stated.or(reading.stated());
        if self.done.statements.is_empty() {
            self.checks.first = Some((reading.filled.clone(), reading.sight()));
        }
    }

    /// What speaks against a question that asks for less than everything and is told of more: some control does not narrow, but hides
    /// records unless it is set just so. Where a value must be chosen, nothing asks for everything.
    pub(super) fn outgrown(&self, reading: &Reading) -> Option<&'static str> {
        let must_choose = |axis: &cover::Axis| matches!(axis, cover::Axis::Choice { any: false, .. });
        let all = self.account.base.said.filter(|all| *all > 0)?;
        let is_more = reading.sight().said.is_some_and(|said| said > all);
        (is_more && !self.axes.space.fields.iter().any(must_choose))
            .then_some("a question that asks for less than everything was told of more records than there are in all")
    }

    /// A question of the cover has been answered: one in the middle is kept, to be asked once more at the end.
    pub(super) fn keep_middle(&mut self, reading: &Reading) {
        self.checks.covered += 1;
        if self.checks.covered.is_power_of_two() {
            let mut sight = reading.sight();
            sight.whole = false;
            self.checks.middle = Some((reading.filled.clone(), sight));
        }
    }

    /// Leaves all answers as far as they were read.
    pub(super) fn break_off(&mut self) {
        let readings = self.traffic.readings.iter();
        let read: Vec<u32> = readings.filter(|(_, one)| one.pages() > 0).map(|(number, _)| *number).collect();
        read.into_iter().for_each(|number| self.close(number, false));
    }

    /// Is there nothing left to ask?
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over && self.traffic.pending.is_empty() && self.traffic.readings.is_empty()
    }

    /// Has a question of the plan been answered?
    pub(super) fn heard_any(&self) -> bool {
        self.traffic.heard > 0
    }

    pub(super) fn note(&mut self, what: String) {
        if self.notes.len() < NOTES && !self.notes.contains(&what) {
            self.notes.push(what);
        }
    }

    /// Statements of the bases before the one under way, and of that.
    pub(super) fn statements(&self) -> Vec<(Statement, Vec<String>)> {
        let mut all = self.done.statements.clone();
        if self.course.is_some() {
            let statement = self.own_statement();
            let reasons = self.own_reasons(&statement);
            all.push((statement, reasons));
        }
        all
    }

    pub(super) fn forecast(&self) -> Option<cover::Forecast> {
        match &self.course {
            Some(Course::Cover(cover)) => Some(cover.forecast()),
            _ => self.done.forecast,
        }
    }

    pub(super) fn own_notes(&self) -> &[String] {
        &self.notes
    }

    pub(super) fn is_unfinished(&self) -> bool {
        self.phase != Phase::Over
    }

    /// What the form sends whatever a person does.
    pub(super) fn fixed_fields(&self) -> Vec<String> {
        fixed_fields(&self.form, &self.tokens)
    }
}
