//! Pages about no work: home, about and help, news, where advertising leads.

use crate::catalogue::Item;
use crate::dice::Dice;
use crate::library::{INFO, Library, Page, Role};
use crate::sheet::Sheet;
use crate::templates::Template;
use crate::view::{Anchor, ProseView};

/// Lines of advertising.
pub(super) const SLOGANS: [&str; 14] = [
    "Submit your next paper with us",
    "Save 30 % on all books this month",
    "Get your manuscript edited by experts",
    "New: laboratory equipment catalogue",
    "Join our webinar on open access",
    "Call for papers: special issue",
    "Recommend us to your librarian",
    "Find your next job in research",
    "Free trial: reference software",
    "Conference registration is open",
    "Become a reviewer",
    "Translate your thesis",
    "Order reprints and permissions",
    "Sign up for table of contents alerts",
];

const NEWS: [&str; 8] = [
    "The reading rooms keep longer hours",
    "New journals in the library",
    "Maintenance on the first Sunday of the month",
    "A better search",
    "Open access week",
    "Annual report of the library",
    "Changes to remote access",
    "Exhibition: maps of the old town",
];

const SENTENCES: [&str; 12] = [
    "The library brings together the journals and books of many publishers under one roof.",
    "Members of subscribing institutions sign in with the account of their institution.",
    "If you do not find what you are looking for, our staff will be glad to help you by mail or by telephone.",
    "Publishers decide which of their titles can be read by everyone.",
    "Please allow two working days for an answer.",
    "All prices include value added tax where it applies.",
    "We do not pass personal data on to third parties without your consent.",
    "Manuscripts are sent to at least two reviewers, who do not know each other.",
    "The offer ends on the last day of the month and cannot be combined with others.",
    "Pages may be printed and copies kept for personal study.",
    "Statistics of use are counted by the standard that libraries agreed upon.",
    "Older volumes are being digitised, the oldest first.",
];

impl Library {
    pub(super) fn prose(&self, s: &mut Sheet, page: &Page, template: &dyn Template, dice: &mut Dice) {
        let view = match page.role {
            Role::Home => self.home(template, dice),
            Role::Info(n) => {
                let mut groups = Vec::new();
                // Whoever wants to advertise sees what others have placed.
                if INFO[n] == "advertise" {
                    let ads = (0..self.ads).filter_map(|n| self.anchor(Role::Ad(n), SLOGANS[n % SLOGANS.len()]));
                    groups.push(("Current campaigns".to_owned(), ads.collect()));
                }
                ProseView { heading: info_title(INFO[n]), paragraphs: paragraphs(dice, 3), groups }
            }
            Role::News(n) => {
                let heading = NEWS[n % NEWS.len()].to_owned();
                let more = self.anchor(Role::News((n + 1) % self.news), NEWS[(n + 1) % self.news % NEWS.len()]);
                let groups = vec![("More news".to_owned(), more.into_iter().collect())];
                ProseView { heading, paragraphs: paragraphs(dice, 2), groups }
            }
            Role::Ad(n) => {
                let heading = SLOGANS[n % SLOGANS.len()].to_owned();
                let books = (0..4).filter_map(|_| {
                    let b = dice.below(self.books.len());
                    self.books.get(b).and_then(|book| self.anchor(Role::Book(b), &book.title))
                });
                let groups = vec![("Our books".to_owned(), books.collect())];
                ProseView { heading, paragraphs: paragraphs(dice, 2), groups }
            }
            _ => ProseView { heading: String::new(), paragraphs: Vec::new(), groups: Vec::new() },
        };
        let place = self.place(template, &view.heading, self.crumbs_of(template, page), dice);
        template.prose(s, &place, &view);
    }

    fn home(&self, template: &dyn Template, dice: &mut Dice) -> ProseView {
        let w = template.facts().words;
        let subjects = self.catalogue.subjects.iter().enumerate();
        let subjects =
            subjects.filter_map(|(n, subject)| self.anchor(Role::Subject(n), &subject.name)).take(30).collect();
        let mut journals: Vec<usize> = (0..self.journals.len()).collect();
        dice.shuffle(&mut journals);
        let journals = journals.iter().take(12).filter_map(|j| self.anchor(Role::Journal(*j), &self.journals[*j].name));
        let latest: Vec<Anchor> =
            (0..8).filter_map(|_| self.to_work(Item::Article(dice.below(self.articles.len())))).collect();
        let news = (0..self.news).filter_map(|n| self.anchor(Role::News(n), NEWS[n % NEWS.len()]));
        let more = (5..7).filter_map(|n| self.anchor(Role::Info(n), &info_title(INFO[n])));
        ProseView {
            heading: "Meridian Library".into(),
            paragraphs: vec![format!(
                "{} articles and {} books and chapters, in {} journals.",
                self.articles.len(),
                self.books.len() + self.chapters.len(),
                self.journals.len()
            )],
            groups: vec![
                (w.subjects.to_owned(), subjects),
                (w.journals.to_owned(), journals.collect()),
                ("Latest".to_owned(), latest),
                ("News".to_owned(), news.chain(more).collect()),
            ],
        }
    }
}

/// The heading of a page about the library itself.
pub(super) fn info_title(name: &str) -> String {
    match name {
        "about" => "About the library",
        "help" => "Help",
        "contact" => "Contact",
        "terms" => "Terms of use",
        "privacy" => "Privacy policy",
        "advertise" => "Advertise with us",
        "alerts" => "E-mail alerts",
        _ => "For authors",
    }
    .to_owned()
}

fn paragraphs(dice: &mut Dice, count: usize) -> Vec<String> {
    let mut pool = SENTENCES.to_vec();
    dice.shuffle(&mut pool);
    pool.chunks(4).take(count).map(|part| part.join(" ")).collect()
}
