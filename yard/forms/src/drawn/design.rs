//! A site drawn from a seed: records, controls and habits, each drawn by itself, so that every combination comes up.

use groma_testweb::prose::word;

use crate::dice::Dice;
use crate::drawn::control::{Asks, Caption, Choices, Control, Order};
use crate::drawn::habits::{Cut, Habits, Markup, Nuisance, Pager, Tokens, Totals};
use crate::drawn::rows::{Role, Rows, Topic};
use crate::drawn::text::{By, Matching};
use crate::drawn::tongue::{Label, Tongue};
use crate::drawn::trap::Trap;
use crate::field::Choice;
use crate::options::Labels;

/// All that makes a site.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    pub(crate) seed: u64,
    pub(crate) rows: Rows,
    pub(crate) controls: Vec<Control>,
    pub(crate) habits: Habits,
    /// The order of lists that nobody sorts.
    pub(crate) order: Order,
    /// The place of each record in the order of the seed.
    pub(crate) ranks: Vec<usize>,
}

/// Databases have so many records at least, and so many times that at most.
const LEAST: f64 = 50.0;
const SPAN: f64 = 60.0;

/// A site for searching by words alone: whole words, lists cut after so many, so many a page.
const WORDS_CUT: usize = 50;
const WORDS_PAGE: usize = 10;

/// Of a million seeds, those from here on are sites for searching by words alone.
pub(crate) const FIRST_WORDS_SEED: u64 = 900_000;

impl Design {
    /// The site of a seed.
    pub(crate) fn from_seed(seed: u64) -> Design {
        if seed % 1_000_000 < FIRST_WORDS_SEED { Design::draw(seed) } else { Design::for_words(seed) }
    }

    /// A site with everything drawn.
    pub(crate) fn draw(seed: u64) -> Design {
        let mut dice = Dice::new(seed, "drawn");
        let topic = dice.one(&[Topic::Packages, Topic::Places, Topic::Commits, Topic::Books], Topic::Books);
        let count = (LEAST * SPAN.powf(dice.share().powf(1.6))) as usize;
        let rows = Rows::draw(topic, count, &mut Dice::new(seed, "rows"));
        let habits = Habits::draw(count, &mut Dice::new(seed, "habits"));
        let mut controls = Drawing::new(seed, &rows, habits.tongue, habits.page).controls();
        add_trap(&mut controls, &rows, &mut Dice::new(seed, "traps"));
        Design::with(seed, rows, controls, habits)
    }

    /// A site with one text field for whole words, exact totals, and lists cut with a sentence.
    pub(crate) fn for_words(seed: u64) -> Design {
        let mut dice = Dice::new(seed, "words");
        let topic = dice.one(&[Topic::Packages, Topic::Commits, Topic::Books], Topic::Books);
        let rows = Rows::draw(topic, dice.between(400, 2500), &mut Dice::new(seed, "rows"));
        let case = false;
        let field = Control {
            name: "q".to_owned(),
            caption: Caption::Search,
            style: Labels::For,
            column: 1,
            asks: Asks::Text(Matching { by: By::Word, case }),
        };
        let habits = Habits {
            tongue: dice.one(&Tongue::ALL, Tongue::En),
            page: WORDS_PAGE,
            totals: dice.one(&[Totals::Exact, Totals::Exact, Totals::MoreThan(WORDS_CUT), Totals::None], Totals::Exact),
            cut: dice.one(&[Cut::Said(WORDS_CUT), Cut::Silent(WORDS_CUT)], Cut::Said(WORDS_CUT)),
            sorted: dice.chance(40),
            unstable: false,
            pager: dice.one(&[Pager::Next, Pager::Numbers, Pager::Window], Pager::Next),
            markup: dice.one(&[Markup::Table, Markup::List, Markup::Cards, Markup::Dl], Markup::Table),
            links: dice.chance(60),
            tokens: Tokens::None,
            post: false,
            nuisance: None,
            refuse_empty: true,
        };
        Design::with(seed, rows, vec![field], habits)
    }

    fn with(seed: u64, rows: Rows, controls: Vec<Control>, habits: Habits) -> Design {
        let mut dice = Dice::new(seed, "order");
        let mut ranks: Vec<usize> = (0..rows.cells.len()).collect();
        dice.shuffle(&mut ranks);
        let order = if habits.sorted { some_order(&rows, &mut dice) } else { Order::Rank };
        Design { seed, rows, controls, habits, order, ranks }
    }

    /// Whether some question has a record among its answers, before any cut.
    pub(crate) fn reaches(&self, row: &[crate::table::Cell]) -> bool {
        self.controls.iter().all(|control| control.spares(row))
            && (!self.habits.refuse_empty || self.controls.iter().any(|control| control.finds(row)))
    }

    /// The kind of control, in words.
    fn kind_of(&self, control: &Control) -> &'static str {
        match &control.asks {
            Asks::Select(choices) if choices.default.is_some() => "select whose default narrows",
            Asks::Select(choices) if choices.any.is_none() => "select without \"any\"",
            Asks::Select(_) if self.rows.role(control.column) == Some(Role::Language) => "select of data languages",
            Asks::Select(_) if self.rows.role(control.column) == Some(Role::Set) => "select, several values",
            Asks::Select(_) => "select",
            Asks::Radio(_) => "radio group",
            Asks::Boxes { every: true, .. } => "boxes of one name, AND",
            Asks::Boxes { every: false, .. } => "boxes of one name, OR",
            Asks::Multi { .. } => "multi-select",
            Asks::Widen => "box that widens",
            Asks::Narrow => "box that narrows",
            Asks::Slider { .. } => "slider",
            Asks::Range { date: true, .. } => "date range",
            Asks::Range { date: false, .. } => "number range",
            Asks::Text(_) => "text field",
            Asks::Fixed(_) => "hidden year",
            Asks::Sort(_) => "sort",
            Asks::PageSize(_) => "page size",
            Asks::Interface(_) => "interface language",
            Asks::View(_) => "view",
            Asks::Trap(trap) => trap.name(),
        }
    }

    /// What is drawn, in words for tables: a kind of feature and the feature.
    pub(crate) fn features(&self) -> Vec<(&'static str, String)> {
        let habits = &self.habits;
        let mut all: Vec<(&'static str, String)> = Vec::new();
        for control in &self.controls {
            all.push(("control", self.kind_of(control).to_owned()));
            if let Asks::Text(matching) = control.asks {
                let alone = self.controls.iter().filter(|other| !other.is_neutral()).count() == 1;
                let beside = if alone { "alone" } else { "beside others" };
                let case = if matching.case { ", case counts" } else { "" };
                all.push(("text", format!("{}{case}", matching.by.name())));
                all.push(("text", beside.to_owned()));
            }
        }
        let totals = match habits.totals {
            Totals::Exact => "exact",
            Totals::About => "about",
            Totals::AtLeast => "at least",
            Totals::MoreThan(_) => "more than",
            Totals::Capped(_) => "capped",
            Totals::Shown => "length of the cut list",
            Totals::None => "none",
        };
        let cut = match habits.cut {
            _ if self.rows.cells.len() <= habits.cut.most() => "never",
            Cut::Never => "never",
            Cut::Said(_) => "with a sentence",
            Cut::Silent(_) if habits.sorted => "in silence, sorted",
            Cut::Silent(_) => "in silence",
        };
        let pager = match habits.pager {
            Pager::Next => "next link",
            Pager::Numbers => "numbers",
            Pager::Window => "some numbers",
            Pager::Button => "button",
            Pager::PostButton => "button, POST",
            Pager::None => "none",
        };
        let tokens = match habits.tokens {
            Tokens::None => "none",
            Tokens::Session => "one per session",
            Tokens::Form => "one per form",
        };
        let mut say = |kind, what: &str| all.push((kind, what.to_owned()));
        say("totals", totals);
        say("cut", cut);
        say("pager", pager);
        say("markup", habits.markup.name());
        say("tokens", tokens);
        say("order", if habits.unstable { "unstable" } else { "stable" });
        say("method", if habits.post { "POST" } else { "GET" });
        if let Some(nuisance) = habits.nuisance {
            let name = match nuisance {
                Nuisance::Expired => "session expired",
                Nuisance::Login => "login",
                Nuisance::Captcha => "captcha",
                Nuisance::Error => "error",
            };
            say("answers that are none", name);
        }
        say("language", habits.tongue.phrases().code);
        all.sort();
        all.dedup();
        all
    }
}

/// Of a hundred sites, so many have a control that hides records.
const TRAPS: usize = 35;

/// A control that hides the records of a flag that no other control is about.
fn add_trap(controls: &mut Vec<Control>, rows: &Rows, dice: &mut Dice) {
    let is_free = |column: &usize| controls.iter().all(|control| control.column != *column);
    let Some(column) = rows.with_role(Role::Flag).find(is_free).filter(|_| dice.chance(TRAPS)) else { return };
    let trap = dice.one(&Trap::ALL, Trap::Emptied);
    let mut name = dice.one(trap.names(), trap.names()[0]).to_owned();
    while controls.iter().any(|control| control.name == name) {
        name.push('2');
    }
    let caption = Caption::Widen(dice.below(3));
    let control = Control { name, caption, style: Labels::Wrap, column, asks: Asks::Trap(trap) };
    controls.insert(dice.below(controls.len() + 1), control);
}

fn some_order(rows: &Rows, dice: &mut Dice) -> Order {
    let sortable = |column: &usize| {
        matches!(rows.role(*column), Some(Role::Name | Role::Category | Role::Number | Role::Year | Role::Date))
    };
    let columns: Vec<usize> = (0..rows.facets.len()).filter(sortable).collect();
    Order::By { column: dice.one(&columns, 1), descending: dice.chance(50) }
}

/// The controls of a form under way.
struct Drawing<'r> {
    dice: Dice,
    rows: &'r Rows,
    tongue: Tongue,
    page: usize,
    style: Labels,
    taken: Vec<String>,
    controls: Vec<Control>,
}

impl<'r> Drawing<'r> {
    fn new(seed: u64, rows: &'r Rows, tongue: Tongue, page: usize) -> Drawing<'r> {
        let mut dice = Dice::new(seed, "controls");
        let style = dice.one(&Labels::ALL, Labels::For);
        Drawing { dice, rows, tongue, page, style, taken: Vec::new(), controls: Vec::new() }
    }

    fn controls(mut self) -> Vec<Control> {
        if self.dice.chance(10) {
            self.text(1);
        } else {
            let wanted = self.dice.between(1, 4);
            let useful = |column: &usize| !matches!(self.rows.role(*column), None | Some(Role::Key | Role::Flag));
            let mut columns: Vec<usize> = (1..self.rows.facets.len()).filter(useful).collect();
            self.dice.shuffle(&mut columns);
            if self.dice.chance(35) {
                columns.retain(|column| *column != 1);
                columns.insert(0, 1);
            }
            for column in columns.into_iter().take(wanted) {
                self.filter(column);
            }
        }
        let flags: Vec<usize> = self.rows.with_role(Role::Flag).collect();
        if self.dice.chance(28) {
            let caption = Caption::Widen(self.dice.below(3));
            self.add(&["archived", "all", "inc", "x"], caption, flags[0], Asks::Widen);
        }
        if self.dice.chance(18) {
            let caption = Caption::Narrow(self.dice.below(3));
            self.add(&["pic", "featured", "f", "y"], caption, flags[1], Asks::Narrow);
        }
        self.hidden_year();
        self.neutral();
        self.dice.shuffle(&mut self.controls);
        self.controls
    }

    /// A control under one of some names that is still free.
    fn add(&mut self, names: &[&str], caption: Caption, column: usize, asks: Asks) {
        let mut name = self.dice.one(names, names[0]).to_owned();
        while self.taken.contains(&name) {
            name.push('2');
        }
        self.taken.push(name.clone());
        let style = if self.dice.chance(15) { self.dice.one(&Labels::ALL, self.style) } else { self.style };
        self.controls.push(Control { name, caption, style, column, asks });
    }

    fn filter(&mut self, column: usize) {
        match self.rows.role(column) {
            Some(Role::Name | Role::Words) => self.text(column),
            Some(Role::Category | Role::Language) => self.choice(column),
            Some(Role::Year) if self.dice.chance(50) => self.choice(column),
            Some(Role::Set) => self.set(column),
            Some(Role::Number | Role::Year) if self.dice.chance(30) => self.slider(column),
            Some(Role::Number | Role::Year | Role::Date) => self.range(column),
            _ => {}
        }
    }

    fn label(&self, column: usize) -> Caption {
        Caption::Label(self.rows.facets.get(column).map_or(Label::Kind, |facet| facet.label))
    }

    /// The name of the column, or one that says nothing.
    fn plain(&mut self, column: usize) -> (String, String) {
        let own = self.rows.facets.get(column).map_or("", |facet| facet.name);
        (own.to_owned(), word(self.dice.roll() % 4096)[..2].to_owned())
    }

    fn add_plain(&mut self, column: usize, asks: Asks) {
        let (own, odd) = self.plain(column);
        let array = format!("{own}[]");
        let several = matches!(asks, Asks::Boxes { .. } | Asks::Multi { .. });
        let names: Vec<&str> = if several { vec![&own, &array] } else { vec![&own, &own, &odd] };
        let caption = self.label(column);
        self.add(&names, caption, column, asks);
    }

    fn choices(&mut self, column: usize) -> Vec<Choice> {
        let mut domain = self.rows.domain(column);
        if self.dice.chance(6) && domain.len() > 2 {
            domain.pop();
        }
        let codes = self.dice.chance(50);
        let value = |(nth, shown): (usize, String)| Choice {
            value: if codes { (nth + 1).to_string() } else { shown.clone() },
            shown,
        };
        domain.into_iter().enumerate().map(value).collect()
    }

    fn choice(&mut self, column: usize) {
        let all = self.choices(column);
        let year = self.rows.role(column) == Some(Role::Year);
        let any = self.dice.chance(82).then(|| self.dice.one(&["", "", "", "all", "*"], "").to_owned());
        let empty = self.rows.cells.iter().any(|row| row[column] == crate::table::Cell::Null);
        let without = (empty && self.dice.chance(25)).then(|| "none".to_owned());
        let narrows = any.is_some() && self.dice.chance(if year { 40 } else { 8 });
        // Of years, the last one.
        let default = narrows.then(|| if year { all.len() - 1 } else { self.dice.below(all.len()) });
        let few = all.len() <= 8;
        let list = Choices { all, any, without, default };
        let asks = match self.dice.below(10) {
            0..2 if few => Asks::Radio(list),
            2..4 if list.default.is_none() => Asks::Multi { choices: list.all },
            _ => Asks::Select(list),
        };
        if self.rows.role(column) == Some(Role::Language) {
            let caption = self.label(column);
            self.add(&["lang", "language", "l", "written"], caption, column, asks);
        } else {
            self.add_plain(column, asks);
        }
    }

    fn set(&mut self, column: usize) {
        let choices = self.choices(column);
        let asks = match self.dice.below(3) {
            0 => Asks::Select(Choices { all: choices, any: Some(String::new()), without: None, default: None }),
            nth => Asks::Boxes { choices, every: nth == 1 },
        };
        self.add_plain(column, asks);
    }

    fn slider(&mut self, column: usize) {
        let numbers: Vec<i64> = self.rows.domain(column).iter().filter_map(|text| text.parse().ok()).collect();
        let low = numbers.iter().min().copied().unwrap_or(0);
        let high = numbers.iter().max().copied().unwrap_or(1).max(low + 1);
        let (least, free) = (self.dice.chance(50), self.dice.chance(80));
        let end = if least { low } else { high };
        let start = if self.dice.chance(75) { end } else { low + (high - low) / 3 };
        self.add_plain(column, Asks::Slider { low, high, least, start, free });
    }

    fn range(&mut self, column: usize) {
        let date = self.rows.role(column) == Some(Role::Date);
        let (own, _) = self.plain(column);
        let (from, to) = match self.dice.below(4) {
            0 => (format!("{own}_from"), format!("{own}_to")),
            1 => (format!("min_{own}"), format!("max_{own}")),
            2 => (format!("{own}1"), format!("{own}2")),
            _ => (format!("{own}[min]"), format!("{own}[max]")),
        };
        let caption = self.label(column);
        self.add(&[&from], caption, column, Asks::Range { to, date });
    }

    fn text(&mut self, column: usize) {
        let by = self.dice.one(&By::ALL, By::Word);
        let matching = Matching { by, case: self.dice.chance(25) };
        let caption = if self.dice.chance(50) { Caption::Search } else { self.label(column) };
        let own = self.plain(column).0;
        self.add(&["q", "query", &own, "s"], caption, column, Asks::Text(matching));
    }

    fn hidden_year(&mut self) {
        let Some(column) = self.rows.with_role(Role::Year).next() else { return };
        if self.controls.iter().any(|control| control.column == column) || !self.dice.chance(12) {
            return;
        }
        let years = self.rows.domain(column);
        let year = years[self.dice.below(years.len())].clone();
        self.add(&["year", "jahr"], Caption::Label(Label::Year), column, Asks::Fixed(year));
    }

    fn neutral(&mut self) {
        if self.dice.chance(30) {
            let mut orders = vec![Order::Rank];
            orders.extend((0..self.dice.between(1, 3)).map(|_| some_order(self.rows, &mut self.dice)));
            let values = ["relevance", "1", "2", "3"];
            let all = values.iter().map(|value| (*value).to_owned()).zip(orders).collect();
            self.add(&["sort", "order", "o", "s"], Caption::Sort, 0, Asks::Sort(all));
        }
        if self.dice.chance(20) {
            let sizes = vec![self.page, self.page * 2, self.page * 5];
            self.add(&["rows", "limit", "n", "pp"], Caption::PageSize, 0, Asks::PageSize(sizes));
        }
        if self.dice.chance(15) {
            let others = Tongue::ALL.into_iter().filter(|tongue| *tongue != self.tongue);
            let all = std::iter::once(self.tongue).chain(others).take(3).collect();
            self.add(&["hl", "lang", "l", "ui"], Caption::Label(Label::Language), 0, Asks::Interface(all));
        }
        if self.dice.chance(15) {
            let values = ["list", "compact", "full"].map(str::to_owned).to_vec();
            self.add(&["view", "v", "display", "m"], Caption::View, 0, Asks::View(values));
        }
    }
}
