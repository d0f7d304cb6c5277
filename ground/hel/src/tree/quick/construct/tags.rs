//! What a tag does to the open elements, in the head, in the body, in tables and in foreign content.

use super::{Construction, Content, Mode, Opening, Written, is_plain_in_foreign, is_way_back};

impl<'p> Construction<'p> {
    /// Takes a start tag; says what its content is.
    pub(in crate::tree::quick) fn start_tag(
        &mut self,
        name: &'p str,
        written: &[Written<'p>],
        closes_itself: bool,
    ) -> Option<Content> {
        self.skips_line_end = false;
        let label = self.label_written(name);
        if self.is_foreign() {
            return self.start_foreign(label, written, closes_itself);
        }
        let facts = self.facts(label);
        if facts.opening == Opening::Strange {
            return None;
        }
        match self.mode {
            Mode::BeforeHtml if facts.opening == Opening::Html => {
                self.flush()?;
                // Unless a text has brought the body already.
                (self.mode == Mode::BeforeHtml).then_some(())?;
                self.push(label, written, false)?;
                self.mode = Mode::BeforeHead;
                return Some(Content::Markup);
            }
            Mode::BeforeHtml | Mode::BeforeHead if facts.opening == Opening::Head => {
                self.flush()?;
                if !matches!(self.mode, Mode::BeforeHtml | Mode::BeforeHead) {
                    return None;
                }
                if self.mode == Mode::BeforeHtml {
                    self.push_named("html")?;
                }
                self.push(label, written, false)?;
                self.mode = Mode::InHead;
                return Some(Content::Markup);
            }
            _ => {}
        }
        self.flush()?;
        if facts.opening == Opening::Body
            && matches!(self.mode, Mode::BeforeHtml | Mode::BeforeHead | Mode::InHead | Mode::AfterHead)
        {
            self.imply_head()?;
            if self.mode == Mode::InHead {
                self.pop();
            }
            self.push(label, written, false)?;
            self.mode = Mode::InBody;
            return Some(Content::Markup);
        }
        if matches!(facts.opening, Opening::Html | Opening::Head | Opening::Body) {
            return None;
        }
        match self.mode {
            Mode::BeforeHtml | Mode::BeforeHead | Mode::InHead => {
                self.imply_head()?;
                if facts.is_head {
                    return self.start_of_head(label, written);
                }
                if self.name(label) == "noscript" {
                    self.push(label, written, false)?;
                    self.mode = Mode::InHeadNoscript;
                    return Some(Content::Markup);
                }
                self.imply_body()?;
            }
            Mode::InHeadNoscript if matches!(self.name(label), "link" | "meta" | "style" | "noframes") => {
                return self.start_of_head(label, written);
            }
            Mode::InHeadNoscript => return None,
            // What belongs into the head goes back there.
            Mode::AfterHead if facts.is_head => return None,
            Mode::AfterHead => self.imply_body()?,
            Mode::AfterBody => return None,
            Mode::InTable => return self.start_in_table(label, written),
            Mode::InBody => {}
        }
        self.start_in_body(label, written, closes_itself)
    }

    fn start_of_head(&mut self, label: u32, written: &[Written<'p>]) -> Option<Content> {
        self.push(label, written, false)?;
        Some(self.content_of(label))
    }

    /// What the content of the element that was just opened is; one that has none is closed.
    fn content_of(&mut self, label: u32) -> Content {
        match self.facts(label).opening {
            Opening::Raw => Content::Text,
            Opening::RawWithReferences => Content::References,
            Opening::Void | Opening::Rule | Opening::Column => {
                self.pop();
                Content::Markup
            }
            _ => Content::Markup,
        }
    }

    fn start_in_body(&mut self, label: u32, written: &[Written<'p>], closes_itself: bool) -> Option<Content> {
        let facts = self.facts(label);
        match facts.opening {
            Opening::Plain | Opening::Void | Opening::Raw | Opening::RawWithReferences | Opening::Object => {}
            Opening::Formatting => self.before_formatting(label)?,
            Opening::Block | Opening::Rule => self.close_paragraph()?,
            Opening::Heading => {
                self.close_paragraph()?;
                let in_heading =
                    |own: &Self| own.open.last().is_some_and(|o| own.facts(o.label).opening == Opening::Heading);
                if in_heading(self) {
                    self.flush()?;
                    self.pop();
                }
            }
            Opening::ListItem | Opening::Description => {
                self.close_item(facts.opening)?;
                self.close_paragraph()?;
            }
            Opening::Table => {
                if self.paragraph().is_some() && !self.is_standard {
                    return None;
                }
                self.close_paragraph()?;
                self.push(label, written, false)?;
                self.mode = Mode::InTable;
                return Some(Content::Markup);
            }
            Opening::Form => {
                if self.form.is_some() {
                    return None;
                }
                self.close_paragraph()?;
                self.form = Some(self.push(label, written, false)?);
                return Some(Content::Markup);
            }
            Opening::Button => {
                if self.in_scope(label).is_some() {
                    return None;
                }
            }
            Opening::Select => {
                if self.in_scope(label).is_some() {
                    return None;
                }
            }
            Opening::Choice => self.before_choice(label)?,
            Opening::Foreign => {
                self.push(label, written, true)?;
                if closes_itself {
                    self.pop();
                }
                return Some(Content::Markup);
            }
            Opening::Caption | Opening::Columns | Opening::Column | Opening::Rows | Opening::Row | Opening::Cell => {
                return self.start_out_of_cell(label, written);
            }
            Opening::Html | Opening::Head | Opening::Body | Opening::Strange => return None,
        }
        let is_in_select = |own: &mut Self| {
            let select = own.label_of("select");
            own.in_scope(select).is_some()
        };
        if matches!(self.name(label), "input" | "hr") && is_in_select(self) {
            return None;
        }
        let node = self.push(label, written, false)?;
        if facts.is_field
            && let Some(form) = self.form
        {
            let is_elsewhere =
                self.name(label) != "img" && written.iter().any(|one| one.name.eq_ignore_ascii_case("form"));
            if !is_elsewhere {
                self.tree.owners.insert(node, form);
            }
        }
        self.skips_line_end = matches!(self.name(label), "pre" | "listing" | "textarea");
        Some(self.content_of(label))
    }

    /// A link ends the one it stands in: such a page is not plain.
    fn before_formatting(&mut self, label: u32) -> Option<()> {
        if self.name(label) != "a" {
            return Some(());
        }
        let ends =
            |own: &Self, open| matches!(own.facts(open).opening, Opening::Cell | Opening::Caption | Opening::Object);
        match self.find(|_, open| open == label, ends) {
            Some(_) => None,
            None => Some(()),
        }
    }

    fn before_choice(&mut self, label: u32) -> Option<()> {
        let is_option = self.name(label) == "option";
        let select = self.label_of("select");
        let is_in_select = self.in_scope(select).is_some();
        loop {
            let Some(open) = self.open.last().copied() else { return Some(()) };
            let name = self.name(open.label);
            let closes = if is_in_select {
                self.facts(open.label).has_implied_end && !(is_option && name == "optgroup")
            } else {
                name == "option"
            };
            if !closes {
                return Some(());
            }
            self.flush()?;
            self.pop();
            if !is_in_select {
                return Some(());
            }
        }
    }

    /// A list item ends the one before it, a term or description those before it.
    fn close_item(&mut self, opening: Opening) -> Option<()> {
        for place in (0..self.open.len()).rev() {
            let facts = self.facts(self.open[place].label);
            if facts.opening == opening {
                return self.close(place);
            }
            let name = self.name(self.open[place].label);
            if facts.is_special && !matches!(name, "address" | "div" | "p") {
                return Some(());
            }
        }
        Some(())
    }

    /// In a cell or a caption: what belongs to the table around it ends it.
    fn start_out_of_cell(&mut self, label: u32, written: &[Written<'p>]) -> Option<Content> {
        let is_cell = |own: &Self, open| matches!(own.facts(open).opening, Opening::Cell | Opening::Caption);
        let place = self.find(is_cell, |own, open| matches!(own.name(open), "table" | "html"))?;
        self.close(place)?;
        self.mode = Mode::InTable;
        self.start_in_table(label, written)
    }

    /// In a table, its rows, a row or its columns.
    fn start_in_table(&mut self, label: u32, written: &[Written<'p>]) -> Option<Content> {
        self.flush()?;
        loop {
            let opening = self.facts(label).opening;
            let current = self.facts(self.open.last()?.label).opening;
            match (current, opening) {
                (Opening::Table, Opening::Caption) => {
                    self.push(label, written, false)?;
                    self.mode = Mode::InBody;
                }
                (Opening::Table, Opening::Columns | Opening::Rows) | (Opening::Rows, Opening::Row) => {
                    self.push(label, written, false)?;
                }
                (Opening::Columns, Opening::Column) => {
                    self.push(label, written, false)?;
                    self.pop();
                }
                (Opening::Row, Opening::Cell) => {
                    self.push(label, written, false)?;
                    self.mode = Mode::InBody;
                }
                (Opening::Table, Opening::Column) => {
                    self.push_named("colgroup")?;
                    continue;
                }
                (Opening::Table, Opening::Row | Opening::Cell) => {
                    self.push_named("tbody")?;
                    continue;
                }
                (Opening::Rows, Opening::Cell) => {
                    self.push_named("tr")?;
                    continue;
                }
                (Opening::Rows, Opening::Caption | Opening::Columns | Opening::Column | Opening::Rows)
                | (
                    Opening::Row,
                    Opening::Caption | Opening::Columns | Opening::Column | Opening::Rows | Opening::Row,
                )
                | (
                    Opening::Columns,
                    Opening::Caption | Opening::Columns | Opening::Rows | Opening::Row | Opening::Cell,
                ) => {
                    self.pop();
                    continue;
                }
                (Opening::Table | Opening::Rows | Opening::Row, Opening::Raw)
                    if matches!(self.name(label), "script" | "style") =>
                {
                    self.push(label, written, false)?;
                    return Some(Content::Text);
                }
                _ => return None,
            }
            return Some(Content::Markup);
        }
    }

    /// In SVG or MathML.
    fn start_foreign(&mut self, label: u32, written: &[Written<'p>], closes_itself: bool) -> Option<Content> {
        let current = self.open.last()?.label;
        if is_way_back(self.name(current)) || !is_plain_in_foreign(self.name(label)) {
            return None;
        }
        self.push(label, written, true)?;
        if closes_itself {
            self.pop();
        }
        Some(Content::Markup)
    }

    /// Takes an end tag.
    pub(in crate::tree::quick) fn end_tag(&mut self, name: &'p str) -> Option<()> {
        self.skips_line_end = false;
        let label = self.label_written(name);
        if self.is_foreign() {
            let place = self.open.len() - 1;
            return if self.open[place].label == label { self.close(place) } else { None };
        }
        let opening = self.facts(label).opening;
        match self.mode {
            Mode::BeforeHtml | Mode::BeforeHead => None,
            Mode::InHead if opening == Opening::Head => {
                self.flush()?;
                // A text has brought the body.
                if self.mode != Mode::InHead {
                    return None;
                }
                self.pop();
                self.mode = Mode::AfterHead;
                Some(())
            }
            Mode::InHead | Mode::AfterHead => {
                self.flush()?;
                if self.mode == Mode::InBody { self.end_in_body(label) } else { None }
            }
            Mode::InHeadNoscript if self.name(label) == "noscript" => {
                self.flush()?;
                self.pop();
                self.mode = Mode::InHead;
                Some(())
            }
            Mode::InHeadNoscript => None,
            Mode::AfterBody => (opening == Opening::Html).then_some(()),
            Mode::InTable => self.end_in_table(label),
            Mode::InBody => self.end_in_body(label),
        }
    }

    fn end_in_body(&mut self, label: u32) -> Option<()> {
        let facts = self.facts(label);
        match facts.opening {
            Opening::Body | Opening::Html => {
                let body = self.label_of("body");
                self.in_scope(body)?;
                self.mode = Mode::AfterBody;
                Some(())
            }
            Opening::Formatting => {
                let place = self.open.len() - 1;
                if self.open[place].label == label { self.close(place) } else { None }
            }
            Opening::Block if self.name(label) == "p" => match self.paragraph() {
                Some(place) => self.close(place),
                None => {
                    self.push(label, &[], false)?;
                    self.pop();
                    Some(())
                }
            },
            Opening::Block | Opening::Button | Opening::Select | Opening::Object => match self.in_scope(label) {
                Some(place) => self.close(place),
                None => Some(()),
            },
            Opening::ListItem => {
                let ends = |own: &Self, open| own.facts(open).is_scope || matches!(own.name(open), "ol" | "ul");
                match self.find(|_, open| open == label, ends) {
                    Some(place) => self.close(place),
                    None => Some(()),
                }
            }
            Opening::Description => match self.in_scope(label) {
                Some(place) => self.close(place),
                None => Some(()),
            },
            Opening::Heading => {
                let is_heading = |own: &Self, open| own.facts(open).opening == Opening::Heading;
                match self.find(is_heading, |own, open| own.facts(open).is_scope) {
                    Some(place) => self.close(place),
                    None => Some(()),
                }
            }
            Opening::Form => {
                let form = self.form.take()?;
                let place = self.open.iter().rposition(|open| open.node == form)?;
                self.in_scope(label).filter(|found| *found == place)?;
                let inner = &self.open[place + 1..];
                if !inner.iter().all(|open| self.facts(open.label).has_implied_end) {
                    return None;
                }
                self.close(place)
            }
            Opening::Cell | Opening::Caption | Opening::Table | Opening::Rows | Opening::Row => {
                self.end_out_of_cell(label)
            }
            Opening::Plain | Opening::Choice | Opening::Foreign => self.end_of_other(label),
            Opening::Void if self.name(label) == "br" => None,
            Opening::Void | Opening::Rule | Opening::Raw | Opening::RawWithReferences => self.end_of_other(label),
            Opening::Head | Opening::Columns | Opening::Column | Opening::Strange => None,
        }
    }

    /// In a cell or a caption: its own end, or that of what is around it.
    fn end_out_of_cell(&mut self, label: u32) -> Option<()> {
        let is_table = |own: &Self, open| matches!(own.name(open), "table" | "html");
        let is_cell = |own: &Self, open| matches!(own.facts(open).opening, Opening::Cell | Opening::Caption);
        let place = self.find(is_cell, is_table)?;
        let (own, inner) = (self.facts(label).opening, self.facts(self.open[place].label).opening);
        let is_own = self.open[place].label == label;
        if !is_own {
            // The end of something that is not open around the cell ends nothing.
            let is_around = self.find(|_, open| open == label, |own, open| own.name(open) == "table" && open != label);
            let ends_cell = matches!(own, Opening::Table | Opening::Rows | Opening::Row);
            is_around.filter(|_| ends_cell && (inner == Opening::Cell || own == Opening::Table))?;
        }
        self.close(place)?;
        self.mode = Mode::InTable;
        if is_own { Some(()) } else { self.end_in_table(label) }
    }

    fn end_of_other(&mut self, label: u32) -> Option<()> {
        match self.find(|_, open| open == label, |own, open| own.facts(open).is_special) {
            Some(place) => self.close(place),
            None => Some(()),
        }
    }

    fn end_in_table(&mut self, label: u32) -> Option<()> {
        self.flush()?;
        loop {
            let current = self.open.last()?.label;
            let (own, current_opening) = (self.facts(label).opening, self.facts(current).opening);
            if current == label && matches!(own, Opening::Rows | Opening::Row | Opening::Columns) {
                self.pop();
                return Some(());
            }
            match (current_opening, own) {
                (Opening::Table, Opening::Table) => {
                    self.pop();
                    self.reset_mode();
                    return Some(());
                }
                (Opening::Row, Opening::Table) | (Opening::Rows | Opening::Columns, Opening::Table) => self.pop(),
                (Opening::Row, Opening::Rows) => {
                    let is_open = self.open.len() >= 2 && self.open[self.open.len() - 2].label == label;
                    if !is_open {
                        return None;
                    }
                    self.pop();
                }
                _ => return None,
            }
        }
    }

    /// Where we are when a table is over.
    fn reset_mode(&mut self) {
        let inner = self.open.iter().rev().map(|open| self.facts(open.label).opening).find(|opening| {
            use Opening::{Body, Caption, Cell, Columns, Row, Rows, Table};
            matches!(opening, Cell | Caption | Row | Rows | Columns | Table | Body)
        });
        let in_table = matches!(inner, Some(Opening::Row | Opening::Rows | Opening::Columns | Opening::Table));
        self.mode = if in_table { Mode::InTable } else { Mode::InBody };
    }
}
