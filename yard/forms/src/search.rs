//! A site that searches one table: home, form, lists, a page for each row.

use anyhow::Context as _;
use encoding_rs::UTF_8;
use groma_testweb::prose::{hash, mix};
use groma_testweb::{Answer, Ask};

use crate::data_set::{self, Pairs};
use crate::database::Database;
use crate::dice::Dice;
use crate::field::Field;
use crate::gate::{Asked, Gate, TOKEN};
use crate::options::{Meta, Method, Options, Paging, Totals};
use crate::page::form::{ARCHIVED, HIDDEN};
use crate::page::list::Place;
use crate::page::records::Look;
use crate::page::{CONFIG, FORM, RESULTS, ROW, escaped, form, framed, list, meta, records};
use crate::question::{self, Question};
use crate::table::{Cell, Table, Truth};
use crate::wording::words;

/// A table, a form, and how they look.
pub(crate) struct Search {
    options: Options,
    title: String,
    table: Table,
    fields: Vec<Field>,
    look: Look,
    database: Database,
    tags: Vec<(String, String)>,
}

impl Search {
    /// Puts the table into a database. The order of all answers is one that no column gives away.
    pub(crate) fn build(
        options: &Options,
        title: &str,
        table: Table,
        fields: Vec<Field>,
        links: bool,
    ) -> anyhow::Result<Search> {
        let mut ranks: Vec<usize> = (0..table.rows.len()).collect();
        Dice::new(options.seed, "ranks").shuffle(&mut ranks);
        let database =
            Database::build(&table, &ranks, options.database.as_deref()).context("cannot fill the database")?;
        let tags = meta::tags(options, &table, &fields);
        let look = Look { records: options.records, links, round: options.round };
        Ok(Search { options: options.clone(), title: title.to_owned(), table, fields, look, database, tags })
    }

    /// What is true of the rows.
    pub(crate) fn truth(&self) -> Vec<Truth> {
        let one = |(id, row): (usize, &Vec<Cell>)| Truth {
            id,
            reachable: self.reaches(row),
            values: self.table.columns.iter().map(|column| column.name.clone()).zip(row.iter().cloned()).collect(),
        };
        self.table.rows.iter().enumerate().map(one).collect()
    }

    /// Whether some question has a row among its answers, before any cut.
    fn reaches(&self, row: &[Cell]) -> bool {
        let with_cells = || self.fields.iter().filter_map(|field| Some((field, row.get(field.column)?)));
        let ignored = |field: &Field| self.options.ignore.as_deref().is_some_and(|name| field.is_called(name));
        with_cells().all(|(field, cell)| ignored(field) || field.spares(cell))
            && (!self.options.refuse_empty || with_cells().any(|(field, cell)| ignored(field) || field.finds(cell)))
    }

    /// Columns that lists show.
    pub(crate) fn shown(&self) -> Vec<String> {
        self.table.columns.iter().filter(|column| column.shown).map(|column| column.name.clone()).collect()
    }

    pub(crate) fn answer(&self, ask: &Ask, gate: &Gate) -> Answer {
        let language = self.options.language;
        match ask.bare_path() {
            "/" => {
                let main = format!("<p><a href=\"{FORM}\">{}</a></p>\n", words(language).search);
                Answer::html(framed(language, &self.title, "", &main))
            }
            "/sitemap.xml" => {
                let base = format!("http://{}", ask.host);
                Answer::typed(
                    "application/xml",
                    format!(
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
                         <url><loc>{0}/</loc></url><url><loc>{0}{FORM}</loc></url></urlset>\n",
                        escaped(&base)
                    ),
                )
            }
            FORM => self.form(gate, ""),
            RESULTS => self.results(ask, gate),
            CONFIG if self.options.meta == Meta::Config => Answer::text(meta::file(&self.tags)),
            path => path.strip_prefix(ROW).and_then(|id| self.row(id)).unwrap_or_else(|| Answer::status(404)),
        }
    }

    fn form(&self, gate: &Gate, remark: &str) -> Answer {
        let head = match self.options.meta {
            Meta::Yes => meta::in_head(&self.tags),
            Meta::Config => meta::of_file(),
            Meta::No => String::new(),
        };
        let token = gate.token();
        let page = form::page(&self.options, &self.title, &self.fields, token.as_deref(), &head, remark);
        gate.with_cookie(Answer::html(page))
    }

    fn row(&self, id: &str) -> Option<Answer> {
        let plain = !id.starts_with('+') && (id == "0" || !id.starts_with('0'));
        let row = self.table.rows.get(id.parse::<usize>().ok().filter(|_| plain)?)?;
        let title = row.first().map(Cell::shown).unwrap_or_default();
        Some(Answer::html(framed(self.options.language, &title, "", &records::whole(&self.table, row))))
    }

    fn results(&self, ask: &Ask, gate: &Gate) -> Answer {
        let words = words(self.options.language);
        let pairs = data_set::read(ask, UTF_8);
        let value = |name: &str| pairs.iter().rev().find(|pair| pair.0 == name).map(|pair| pair.1.as_str());
        let further = value("page").is_some() || value("after").is_some();
        if !self.sent_rightly(&ask.method, further) {
            let right = if self.options.method == Method::Post { "POST" } else { "GET" };
            return Answer::status(405).with_header("Allow", right);
        }
        if value(HIDDEN.0) != Some(HIDDEN.1) {
            return self.form(gate, "");
        }
        let mut question =
            match question::read(&pairs, &self.fields, &self.table.columns, self.options.ignore.as_deref()) {
                Ok(question) => question,
                Err(label) => return self.form(gate, &format!("{} {label}", words.unclear)),
            };
        if self.options.archived {
            match value(ARCHIVED).filter(|value| !value.is_empty()) {
                Some(value) => question.asked.push((ARCHIVED.to_owned(), value.to_owned())),
                None => question.condition.and("_id % 5 <> 4".to_owned(), []),
            }
        }
        if !gate.admits(ask, &pairs, &question.asked) {
            let page = framed(self.options.language, &self.title, "", &format!("<p>{}</p>\n", escaped(words.stale)));
            return Answer { status: 403, ..Answer::html(page) };
        }
        if self.options.refuse_empty && question.asked.is_empty() {
            return self.form(gate, words.empty);
        }
        let per_page = self.options.per_page();
        let from = match (self.options.paging, value("after"), value("page")) {
            (Paging::Cursor, Some(mark), _) => match self.place_of(mark, &question) {
                Some(from) => from,
                None => return Answer::status(400),
            },
            (Paging::Cursor | Paging::None, _, _) | (_, _, None) => 0,
            (_, _, Some(page)) => match page.parse::<usize>() {
                Ok(page) if page > 0 => (page - 1).saturating_mul(per_page),
                _ => return Answer::status(400),
            },
        };
        match self.list(&question, from, value(TOKEN)) {
            Ok((page, place)) => {
                gate.note(Asked {
                    method: ask.method.clone(),
                    question: question.asked,
                    page: place.page,
                    total: place.total,
                    shown: place.here,
                });
                Answer::html(page)
            }
            Err(_) => Answer::status(500),
        }
    }

    /// A question goes by the form's method, the way to further pages by its own.
    fn sent_rightly(&self, method: &str, further: bool) -> bool {
        let post = if further { self.options.paging == Paging::Post } else { self.options.method == Method::Post };
        method == if post { "POST" } else { "GET" } || (!post && method == "HEAD")
    }

    /// A page of a list that begins at a place.
    fn list(&self, question: &Question, from: usize, token: Option<&str>) -> anyhow::Result<(String, Place)> {
        let options = &self.options;
        let per_page = options.per_page();
        let most = options.most();
        let room = most.saturating_sub(from).min(per_page).min(self.table.rows.len());
        let (total, mut ids) = self.database.find(&question.condition, from.min(self.table.rows.len()), room)?;
        let mut listed = total.min(most);
        if options.totals == Totals::Refuse && total > most {
            (listed, ids) = (0, Vec::new());
        }
        let place = Place { page: from / per_page + 1, total, listed, from, here: ids.len() };
        let mut data: Pairs = vec![(HIDDEN.0.to_owned(), HIDDEN.1.to_owned())];
        data.extend(token.filter(|_| options.tokens).map(|token| (TOKEN.to_owned(), token.to_owned())));
        data.extend(question.asked.iter().cloned());
        let rows = records::rows(&self.table, &ids, self.look);
        let page = list::page(options, place, &rows, &data, |place| self.mark_of(place, question));
        Ok((page, place))
    }

    /// The mark of a place in the list of a question: nobody who has not seen it can make it.
    fn mark_of(&self, place: usize, question: &Question) -> String {
        let key = mix(self.options.seed, hash(&format!("{:?}", question.asked)));
        format!("{:016x}{place:x}", mix(key, place as u64))
    }

    fn place_of(&self, mark: &str, question: &Question) -> Option<usize> {
        let place = usize::from_str_radix(mark.get(16..)?, 16).ok()?;
        (self.mark_of(place, question) == mark).then_some(place)
    }
}
