//! What can be switched: which site, how hard its form is, how it fails.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::dice::Dice;

/// Which site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SiteKind {
    /// The hotel guide of the third paper, with its tags and pages
    #[value(name = "cityworld")]
    CityWorld,
    /// Camp sites of Germany by position, name and kind
    Campsites,
    /// A table and a form made from the seed
    Random,
    /// Everything that forms of strangers do, drawn from the seed; other switches change nothing
    Drawn,
}

/// What a list says about its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Totals {
    /// How many there are, also when the list is cut
    Yes,
    /// Nothing, not even that the list is cut
    No,
    /// "More than K" when it is cut, else how many there are
    Capped,
    /// Only that it is cut
    Sign,
    /// Too many are not shown at all
    Refuse,
}

/// How a control gets its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Labels {
    /// `label for`
    For,
    /// A label around the control
    Wrap,
    /// `aria-label`
    Aria,
    /// `aria-labelledby`
    Labelledby,
    /// Attribute `title`
    Title,
    /// Text before it
    Neighbour,
    /// The table cell to the left
    Cell,
    /// The table cell above
    Above,
}

impl Labels {
    pub const ALL: [Labels; 8] = [
        Labels::For,
        Labels::Wrap,
        Labels::Aria,
        Labels::Labelledby,
        Labels::Title,
        Labels::Neighbour,
        Labels::Cell,
        Labels::Above,
    ];
}

/// How one gets to further pages of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paging {
    /// A link "next"
    Link,
    /// Links that are numbers
    Numbers,
    /// A form with a button, sent by GET
    Form,
    /// A link "next" with a mark nobody can guess
    Cursor,
    /// A form with a button, sent by POST
    Post,
    /// The whole list is one page
    None,
}

/// How the form is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// In the URL
    Get,
    /// In the body
    Post,
}

/// Where the DB.* tags are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Meta {
    /// In the page of the form
    Yes,
    /// In a file that the page names
    Config,
    /// Nowhere
    No,
}

/// How the rows of a list are marked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Records {
    /// A table with headings
    Table,
    /// A definition list each
    Dl,
    /// A box each
    Cards,
    /// An item of a list each
    List,
}

/// The language of the wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// English
    En,
    /// German
    De,
    /// French
    Fr,
}

/// A site and all its switches.
#[derive(Clone, Debug)]
pub struct Options {
    pub site: SiteKind,
    /// The number everything is made from.
    pub seed: u64,
    /// How many rows, if not as many as the site has.
    pub rows: Option<usize>,
    /// Lists are cut after so many rows; 0 for never.
    pub k: usize,
    /// Rows on a page.
    pub page: usize,
    /// What a list says about its length.
    pub totals: Totals,
    /// How controls get their labels.
    pub labels: Labels,
    /// How one gets to further pages.
    pub paging: Paging,
    /// How the form is sent.
    pub method: Method,
    /// How rows are marked up.
    pub records: Records,
    /// The language of the wording.
    pub language: Language,
    /// A question needs a token of the form's page, good for that question alone.
    pub tokens: bool,
    /// A question needs the cookie of the form's page.
    pub session: bool,
    /// Of a hundred requests so many are reset.
    pub resets: u8,
    /// Of a hundred requests so many are answered 429 with Retry-After; never two in a row.
    pub busy: u8,
    /// Where the DB.* tags are.
    pub meta: Meta,
    /// Of a hundred cells so many are empty, where a column may have empty ones.
    pub nulls: u8,
    /// Of a hundred rows so many stand there twice.
    pub duplicates: u8,
    /// Numbers are shown with so many places behind the point, whatever is compared.
    pub round: Option<usize>,
    /// The field that changes nothing, by its internal name.
    pub ignore: Option<String>,
    /// A question that asks for nothing is turned away.
    pub refuse_empty: bool,
    /// Every fifth row is archived: only a box *Include archived* beside the other fields brings it out.
    pub archived: bool,
    /// CityWorld's regions are radio buttons, as in the paper, not a list.
    pub radios: bool,
    /// The file of the camp sites; without it, it is looked for, and if it is nowhere, rows are invented.
    pub data: Option<PathBuf>,
    /// Where CityWorld's summarizer answers.
    pub summarizer: Option<String>,
    /// Keep the database in this file instead of memory.
    pub database: Option<PathBuf>,
}

impl Options {
    /// A site as it is if nobody says otherwise.
    pub fn new(site: SiteKind) -> Options {
        let paper = site == SiteKind::CityWorld;
        Options {
            site,
            seed: 1,
            rows: None,
            k: if paper { 0 } else { 50 },
            page: 10,
            totals: Totals::Yes,
            labels: if paper { Labels::Cell } else { Labels::For },
            paging: if paper { Paging::Numbers } else { Paging::Link },
            method: Method::Get,
            records: Records::Table,
            language: if paper { Language::De } else { Language::En },
            tokens: false,
            session: false,
            resets: 0,
            busy: 0,
            meta: if paper { Meta::Yes } else { Meta::No },
            nulls: 0,
            duplicates: 0,
            round: None,
            ignore: None,
            refuse_empty: false,
            archived: false,
            radios: false,
            data: None,
            summarizer: None,
            database: None,
        }
    }

    /// A random site with all its switches thrown by the seed; it does not fail, and it can be asked by GET or POST.
    pub fn random(seed: u64) -> Options {
        let mut dice = Dice::new(seed, "options");
        let plain = Options::new(SiteKind::Random);
        let totals = [Totals::Yes, Totals::Yes, Totals::No, Totals::Capped, Totals::Sign, Totals::Refuse];
        let paging = [Paging::Link, Paging::Numbers, Paging::Form, Paging::Cursor, Paging::Post, Paging::None];
        Options {
            seed,
            rows: Some(dice.one(&[0, 1, 7, 40, 120, 300, 300, 700], 100)),
            k: dice.one(&[0, 5, 10, 20, 20, 50, 50, 100], 50),
            page: dice.one(&[1, 3, 5, 10, 10, 25], 10),
            totals: dice.one(&totals, plain.totals),
            labels: dice.one(&Labels::ALL, plain.labels),
            paging: dice.one(&paging, plain.paging),
            method: if dice.chance(25) { Method::Post } else { Method::Get },
            records: dice.one(&[Records::Table, Records::Dl, Records::Cards, Records::List], plain.records),
            language: dice.one(&[Language::En, Language::De, Language::Fr], plain.language),
            tokens: dice.chance(10),
            session: dice.chance(5),
            nulls: dice.one(&[0, 0, 0, 5, 30], 0),
            duplicates: dice.one(&[0, 0, 0, 5, 20], 0),
            refuse_empty: dice.chance(10),
            round: dice.chance(10).then(|| dice.below(2)),
            ..plain
        }
    }

    /// The most rows that are shown for one question.
    pub(crate) fn most(&self) -> usize {
        if self.k == 0 { usize::MAX } else { self.k }
    }

    /// Rows on a page.
    pub(crate) fn per_page(&self) -> usize {
        if self.paging == Paging::None { usize::MAX } else { self.page.max(1) }
    }
}
