//! The habits of a drawn site: what its lists say of their length, where they end, how they look, what it wants of those who ask.

use crate::dice::Dice;
use crate::drawn::tongue::Tongue;

/// Pages that all records fill, at most.
const MOST_PAGES: usize = 60;

/// What a list says about its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Totals {
    /// How many there are.
    Exact,
    /// Rounded, and always called "about".
    About,
    /// Rounded down, and always called "at least".
    AtLeast,
    /// "More than" so many where there are more, else how many there are.
    MoreThan(usize),
    /// Never more than a round number, in the words of an exact total.
    Capped(usize),
    /// The length of the cut list, in the words of an exact total.
    Shown,
    None,
}

/// Where lists are cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Never,
    /// After so many, with a sentence.
    Said(usize),
    /// After so many, in silence.
    Silent(usize),
}

impl Cut {
    pub(crate) fn most(self) -> usize {
        match self {
            Cut::Never => usize::MAX,
            Cut::Said(k) | Cut::Silent(k) => k,
        }
    }
}

/// How one gets to further pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pager {
    Next,
    /// All pages, by number.
    Numbers,
    /// Those around this one, by number.
    Window,
    /// A button, by GET.
    Button,
    /// A button, by POST.
    PostButton,
    /// There is one page.
    None,
}

/// How records are marked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    Table,
    /// A table within cells of tables.
    NestedTable,
    List,
    /// Boxes with class names.
    Cards,
    Dl,
    /// Spans next to each other, without blanks.
    Spans,
    /// Boxes without class names, each with boxes inside.
    Grid,
    /// The records stand in the page as JSON, and nowhere else.
    JsonIsland,
    /// As the state of a framework, assigned by a script.
    JsonState,
    /// Names in a list, all else as JSON-LD.
    JsonLd,
    /// The answer is JSON.
    JsonAnswer,
}

impl Markup {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Markup::Table => "table",
            Markup::NestedTable => "nested tables",
            Markup::List => "list",
            Markup::Cards => "cards",
            Markup::Dl => "dl",
            Markup::Spans => "spans without blanks",
            Markup::Grid => "grid without classes",
            Markup::JsonIsland => "JSON in the page",
            Markup::JsonState => "JSON, framework state",
            Markup::JsonLd => "JSON-LD",
            Markup::JsonAnswer => "JSON answers",
        }
    }
}

/// What is wanted of those who ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tokens {
    None,
    /// One of each session; it dies when the form is fetched again.
    Session,
    /// One of each form, good for one question.
    Form,
}

/// What comes now and then instead of an answer, with status 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nuisance {
    Expired,
    Login,
    Captcha,
    Error,
}

/// All habits of a site.
#[derive(Clone, Debug)]
pub(crate) struct Habits {
    pub(crate) tongue: Tongue,
    pub(crate) page: usize,
    pub(crate) totals: Totals,
    pub(crate) cut: Cut,
    /// Lists are in the order of a column, unless somebody asks for another.
    pub(crate) sorted: bool,
    /// Records change places from request to request.
    pub(crate) unstable: bool,
    pub(crate) pager: Pager,
    pub(crate) markup: Markup,
    /// Names lead to pages of their own.
    pub(crate) links: bool,
    pub(crate) tokens: Tokens,
    pub(crate) post: bool,
    pub(crate) nuisance: Option<Nuisance>,
    /// A question that asks for nothing is turned away.
    pub(crate) refuse_empty: bool,
}

impl Habits {
    /// Habits for a database of so many records.
    pub(crate) fn draw(records: usize, dice: &mut Dice) -> Habits {
        let k = dice.one(&[20, 30, 50, 50, 100, 100, 200], 50);
        let cut = match dice.below(100) {
            0..35 => Cut::Never,
            35..65 => Cut::Said(k),
            _ => Cut::Silent(k),
        };
        let threshold = dice.one(&[50, 100, 100, 200, 500], 100);
        let totals = match dice.below(100) {
            0..44 => Totals::Exact,
            44..54 => Totals::About,
            54..63 => Totals::AtLeast,
            63..71 => Totals::MoreThan(if cut == Cut::Never { threshold } else { k }),
            71..79 => Totals::Capped(threshold.max(if cut == Cut::Never { 0 } else { k })),
            79..86 if cut != Cut::Never => Totals::Shown,
            79..86 => Totals::Exact,
            _ => Totals::None,
        };
        let pager = match dice.below(100) {
            0..30 => Pager::Next,
            30..50 => Pager::Numbers,
            50..70 => Pager::Window,
            70..80 => Pager::Button,
            80..88 => Pager::PostButton,
            _ => Pager::None,
        };
        let markup = match dice.below(100) {
            0..18 => Markup::Table,
            18..26 => Markup::NestedTable,
            26..38 => Markup::List,
            38..52 => Markup::Cards,
            52..62 => Markup::Dl,
            62..70 => Markup::Spans,
            70..80 => Markup::Grid,
            80..85 => Markup::JsonIsland,
            85..90 => Markup::JsonState,
            90..95 => Markup::JsonLd,
            _ => Markup::JsonAnswer,
        };
        // A list of thousands five at a time would tell nothing new, and take the time of twenty sites.
        let sizes: Vec<usize> =
            [5, 10, 10, 20, 25, 50].into_iter().filter(|size| records / size <= MOST_PAGES).collect();
        let page = if pager == Pager::None { cut.most().min(records) } else { dice.one(&sizes, 50) };
        let tokens = match dice.below(100) {
            0..76 => Tokens::None,
            76..88 => Tokens::Session,
            _ => Tokens::Form,
        };
        let nuisances = [Nuisance::Expired, Nuisance::Login, Nuisance::Captcha, Nuisance::Error];
        Habits {
            tongue: dice.one(&Tongue::ALL, Tongue::En),
            page: page.max(1),
            totals,
            cut,
            sorted: dice.chance(40),
            unstable: dice.chance(4),
            pager,
            markup,
            links: dice.chance(60),
            tokens,
            post: dice.chance(18),
            nuisance: dice.chance(10).then(|| dice.one(&nuisances, Nuisance::Error)),
            refuse_empty: dice.chance(6),
        }
    }
}
