//! What a tag does to the open elements, in the head, in the body, in tables and in foreign content.

use super::attributes::Written;
use super::construct::{Construction, Content, Mode};
use super::names::{Opening, is_plain_in_foreign, is_way_back};

/// Takes a start tag; says what its content is.
pub(super) fn start_tag<'p>(
    page: &mut Construction<'p>,
    name: &'p str,
    written: &[Written<'p>],
    closes_itself: bool,
) -> Option<Content> {
    page.skips_line_end = false;
    let label = page.label_written(name);
    if page.is_foreign() {
        return start_foreign(page, label, written, closes_itself);
    }
    let facts = page.facts(label);
    if facts.opening == Opening::Strange {
        return None;
    }
    if matches!(facts.opening, Opening::Html | Opening::Head) {
        start_document(page, label, written)?;
        return Some(Content::Markup);
    }
    page.flush()?;
    if facts.opening == Opening::Body
        && matches!(page.mode, Mode::BeforeHtml | Mode::BeforeHead | Mode::InHead | Mode::AfterHead)
    {
        page.imply_head()?;
        if page.mode == Mode::InHead {
            page.pop();
        }
        page.push(label, written, false)?;
        page.mode = Mode::InBody;
        return Some(Content::Markup);
    }
    if facts.opening == Opening::Body {
        return None;
    }
    match page.mode {
        Mode::BeforeHtml | Mode::BeforeHead | Mode::InHead => {
            page.imply_head()?;
            if facts.is_head {
                return start_of_head(page, label, written);
            }
            if page.name(label) == "noscript" {
                page.push(label, written, false)?;
                page.mode = Mode::InHeadNoscript;
                return Some(Content::Markup);
            }
            page.imply_body()?;
        }
        Mode::InHeadNoscript if matches!(page.name(label), "link" | "meta" | "style" | "noframes") => {
            return start_of_head(page, label, written);
        }
        Mode::InHeadNoscript => return None,
        // What belongs into the head goes back there.
        Mode::AfterHead if facts.is_head => return None,
        Mode::AfterHead => page.imply_body()?,
        Mode::AfterBody => return None,
        Mode::InTable => return start_in_table(page, label, written),
        Mode::InBody => {}
    }
    start_in_body(page, label, written, closes_itself)
}

/// `html` and `head`, where they are the first of their kind and nothing has brought them before.
fn start_document<'p>(page: &mut Construction<'p>, label: u32, written: &[Written<'p>]) -> Option<()> {
    page.flush()?;
    let is_html = page.facts(label).opening == Opening::Html;
    match page.mode {
        Mode::BeforeHtml if is_html => page.mode = Mode::BeforeHead,
        Mode::BeforeHtml | Mode::BeforeHead if !is_html => {
            if page.mode == Mode::BeforeHtml {
                page.push_named("html")?;
            }
            page.mode = Mode::InHead;
        }
        _ => return None,
    }
    page.push(label, written, false).map(|_| ())
}

fn start_of_head<'p>(page: &mut Construction<'p>, label: u32, written: &[Written<'p>]) -> Option<Content> {
    page.push(label, written, false)?;
    Some(content_of(page, label))
}

/// What the content of the element that was just opened is; one that has none is closed.
fn content_of<'p>(page: &mut Construction<'p>, label: u32) -> Content {
    match page.facts(label).opening {
        Opening::Raw => Content::Text,
        Opening::RawWithReferences => Content::References,
        Opening::Void | Opening::Rule | Opening::Column => {
            page.pop();
            Content::Markup
        }
        _ => Content::Markup,
    }
}

fn start_in_body<'p>(
    page: &mut Construction<'p>,
    label: u32,
    written: &[Written<'p>],
    closes_itself: bool,
) -> Option<Content> {
    let facts = page.facts(label);
    match facts.opening {
        Opening::Plain | Opening::Void | Opening::Raw | Opening::RawWithReferences | Opening::Object => {}
        Opening::Formatting => before_formatting(page, label)?,
        Opening::Block | Opening::Rule => page.close_paragraph()?,
        Opening::Heading => {
            page.close_paragraph()?;
            let in_heading = |own: &Construction<'_>| {
                own.open.last().is_some_and(|o| own.facts(o.label).opening == Opening::Heading)
            };
            if in_heading(page) {
                page.flush()?;
                page.pop();
            }
        }
        Opening::ListItem | Opening::Description => {
            close_item(page, facts.opening)?;
            page.close_paragraph()?;
        }
        Opening::Table => {
            if page.paragraph().is_some() && !page.is_standard {
                return None;
            }
            page.close_paragraph()?;
            page.push(label, written, false)?;
            page.mode = Mode::InTable;
            return Some(Content::Markup);
        }
        Opening::Form => {
            if page.form.is_some() {
                return None;
            }
            page.close_paragraph()?;
            page.form = Some(page.push(label, written, false)?);
            return Some(Content::Markup);
        }
        Opening::Button | Opening::Select => {
            if page.in_scope(label).is_some() {
                return None;
            }
        }
        Opening::Choice => before_choice(page, label)?,
        Opening::Foreign => {
            page.push(label, written, true)?;
            if closes_itself {
                page.pop();
            }
            return Some(Content::Markup);
        }
        Opening::Caption | Opening::Columns | Opening::Column | Opening::Rows | Opening::Row | Opening::Cell => {
            return start_out_of_cell(page, label, written);
        }
        Opening::Html | Opening::Head | Opening::Body | Opening::Strange => return None,
    }
    let is_in_select = |own: &mut Construction<'_>| {
        let select = own.label_of("select");
        own.in_scope(select).is_some()
    };
    if matches!(page.name(label), "input" | "hr") && is_in_select(page) {
        return None;
    }
    let node = page.push(label, written, false)?;
    if facts.is_field
        && let Some(form) = page.form
    {
        let is_elsewhere = page.name(label) != "img" && written.iter().any(|one| one.name.eq_ignore_ascii_case("form"));
        if !is_elsewhere {
            page.tree.owners.insert(node, form);
        }
    }
    page.skips_line_end = matches!(page.name(label), "pre" | "listing" | "textarea");
    Some(content_of(page, label))
}

/// A link ends the one it stands in: such a page is not plain.
fn before_formatting<'p>(page: &mut Construction<'p>, label: u32) -> Option<()> {
    if page.name(label) != "a" {
        return Some(());
    }
    let ends = |own: &Construction<'_>, open| {
        matches!(own.facts(open).opening, Opening::Cell | Opening::Caption | Opening::Object)
    };
    match page.find(|_, open| open == label, ends) {
        Some(_) => None,
        None => Some(()),
    }
}

fn before_choice<'p>(page: &mut Construction<'p>, label: u32) -> Option<()> {
    let is_option = page.name(label) == "option";
    let select = page.label_of("select");
    let is_in_select = page.in_scope(select).is_some();
    loop {
        let Some(open) = page.open.last().copied() else { return Some(()) };
        let name = page.name(open.label);
        let closes = if is_in_select {
            page.facts(open.label).has_implied_end && !(is_option && name == "optgroup")
        } else {
            name == "option"
        };
        if !closes {
            return Some(());
        }
        page.flush()?;
        page.pop();
        if !is_in_select {
            return Some(());
        }
    }
}

/// A list item ends the one before it, a term or description those before it.
fn close_item<'p>(page: &mut Construction<'p>, opening: Opening) -> Option<()> {
    for place in (0..page.open.len()).rev() {
        let facts = page.facts(page.open[place].label);
        if facts.opening == opening {
            return page.close(place);
        }
        let name = page.name(page.open[place].label);
        if facts.is_special && !matches!(name, "address" | "div" | "p") {
            return Some(());
        }
    }
    Some(())
}

/// In a cell or a caption: what belongs to the table around it ends it.
fn start_out_of_cell<'p>(page: &mut Construction<'p>, label: u32, written: &[Written<'p>]) -> Option<Content> {
    let is_cell = |own: &Construction<'_>, open| matches!(own.facts(open).opening, Opening::Cell | Opening::Caption);
    let place = page.find(is_cell, |own, open| matches!(own.name(open), "table" | "html"))?;
    page.close(place)?;
    page.mode = Mode::InTable;
    start_in_table(page, label, written)
}

/// In a table, its rows, a row or its columns.
fn start_in_table<'p>(page: &mut Construction<'p>, label: u32, written: &[Written<'p>]) -> Option<Content> {
    page.flush()?;
    loop {
        let opening = page.facts(label).opening;
        let current = page.facts(page.open.last()?.label).opening;
        match (current, opening) {
            (Opening::Table, Opening::Caption) => {
                page.push(label, written, false)?;
                page.mode = Mode::InBody;
            }
            (Opening::Table, Opening::Columns | Opening::Rows) | (Opening::Rows, Opening::Row) => {
                page.push(label, written, false)?;
            }
            (Opening::Columns, Opening::Column) => {
                page.push(label, written, false)?;
                page.pop();
            }
            (Opening::Row, Opening::Cell) => {
                page.push(label, written, false)?;
                page.mode = Mode::InBody;
            }
            (Opening::Table, Opening::Column) => {
                page.push_named("colgroup")?;
                continue;
            }
            (Opening::Table, Opening::Row | Opening::Cell) => {
                page.push_named("tbody")?;
                continue;
            }
            (Opening::Rows, Opening::Cell) => {
                page.push_named("tr")?;
                continue;
            }
            (Opening::Rows, Opening::Caption | Opening::Columns | Opening::Column | Opening::Rows)
            | (Opening::Row, Opening::Caption | Opening::Columns | Opening::Column | Opening::Rows | Opening::Row)
            | (Opening::Columns, Opening::Caption | Opening::Columns | Opening::Rows | Opening::Row | Opening::Cell) => {
                page.pop();
                continue;
            }
            (Opening::Table | Opening::Rows | Opening::Row, Opening::Raw)
                if matches!(page.name(label), "script" | "style") =>
            {
                page.push(label, written, false)?;
                return Some(Content::Text);
            }
            _ => return None,
        }
        return Some(Content::Markup);
    }
}

/// In SVG or MathML.
fn start_foreign<'p>(
    page: &mut Construction<'p>,
    label: u32,
    written: &[Written<'p>],
    closes_itself: bool,
) -> Option<Content> {
    let current = page.open.last()?.label;
    if is_way_back(page.name(current)) || !is_plain_in_foreign(page.name(label)) {
        return None;
    }
    page.push(label, written, true)?;
    if closes_itself {
        page.pop();
    }
    Some(Content::Markup)
}

/// Takes an end tag.
pub(super) fn end_tag<'p>(page: &mut Construction<'p>, name: &'p str) -> Option<()> {
    page.skips_line_end = false;
    let label = page.label_written(name);
    if page.is_foreign() {
        let place = page.open.len() - 1;
        return if page.open[place].label == label { page.close(place) } else { None };
    }
    let opening = page.facts(label).opening;
    match page.mode {
        Mode::BeforeHtml | Mode::BeforeHead => None,
        Mode::InHead if opening == Opening::Head => {
            page.flush()?;
            // A text has brought the body.
            if page.mode != Mode::InHead {
                return None;
            }
            page.pop();
            page.mode = Mode::AfterHead;
            Some(())
        }
        Mode::InHead | Mode::AfterHead => {
            page.flush()?;
            if page.mode == Mode::InBody { end_in_body(page, label) } else { None }
        }
        Mode::InHeadNoscript if page.name(label) == "noscript" => {
            page.flush()?;
            page.pop();
            page.mode = Mode::InHead;
            Some(())
        }
        Mode::InHeadNoscript => None,
        Mode::AfterBody => (opening == Opening::Html).then_some(()),
        Mode::InTable => end_in_table(page, label),
        Mode::InBody => end_in_body(page, label),
    }
}

fn end_in_body<'p>(page: &mut Construction<'p>, label: u32) -> Option<()> {
    let facts = page.facts(label);
    match facts.opening {
        Opening::Body | Opening::Html => {
            let body = page.label_of("body");
            page.in_scope(body)?;
            page.mode = Mode::AfterBody;
            Some(())
        }
        Opening::Formatting => {
            let place = page.open.len() - 1;
            if page.open[place].label == label { page.close(place) } else { None }
        }
        Opening::Block if page.name(label) == "p" => match page.paragraph() {
            Some(place) => page.close(place),
            None => {
                page.push(label, &[], false)?;
                page.pop();
                Some(())
            }
        },
        Opening::Block | Opening::Button | Opening::Select | Opening::Object => match page.in_scope(label) {
            Some(place) => page.close(place),
            None => Some(()),
        },
        Opening::ListItem => {
            let ends = |own: &Construction<'_>, open| own.facts(open).is_scope || matches!(own.name(open), "ol" | "ul");
            match page.find(|_, open| open == label, ends) {
                Some(place) => page.close(place),
                None => Some(()),
            }
        }
        Opening::Description => match page.in_scope(label) {
            Some(place) => page.close(place),
            None => Some(()),
        },
        Opening::Heading => {
            let is_heading = |own: &Construction<'_>, open| own.facts(open).opening == Opening::Heading;
            match page.find(is_heading, |own, open| own.facts(open).is_scope) {
                Some(place) => page.close(place),
                None => Some(()),
            }
        }
        Opening::Form => {
            let form = page.form.take()?;
            let place = page.open.iter().rposition(|open| open.node == form)?;
            page.in_scope(label).filter(|found| *found == place)?;
            let inner = &page.open[place + 1..];
            if !inner.iter().all(|open| page.facts(open.label).has_implied_end) {
                return None;
            }
            page.close(place)
        }
        Opening::Cell | Opening::Caption | Opening::Table | Opening::Rows | Opening::Row => {
            end_out_of_cell(page, label)
        }
        Opening::Plain | Opening::Choice | Opening::Foreign => end_of_other(page, label),
        Opening::Void if page.name(label) == "br" => None,
        Opening::Void | Opening::Rule | Opening::Raw | Opening::RawWithReferences => end_of_other(page, label),
        Opening::Head | Opening::Columns | Opening::Column | Opening::Strange => None,
    }
}

/// In a cell or a caption: its own end, or that of what is around it.
fn end_out_of_cell<'p>(page: &mut Construction<'p>, label: u32) -> Option<()> {
    let is_table = |own: &Construction<'_>, open| matches!(own.name(open), "table" | "html");
    let is_cell = |own: &Construction<'_>, open| matches!(own.facts(open).opening, Opening::Cell | Opening::Caption);
    let place = page.find(is_cell, is_table)?;
    let (own, inner) = (page.facts(label).opening, page.facts(page.open[place].label).opening);
    let is_own = page.open[place].label == label;
    if !is_own {
        // The end of something that is not open around the cell ends nothing.
        let is_around = page.find(|_, open| open == label, |own, open| own.name(open) == "table" && open != label);
        let ends_cell = matches!(own, Opening::Table | Opening::Rows | Opening::Row);
        is_around.filter(|_| ends_cell && (inner == Opening::Cell || own == Opening::Table))?;
    }
    page.close(place)?;
    page.mode = Mode::InTable;
    if is_own { Some(()) } else { end_in_table(page, label) }
}

fn end_of_other<'p>(page: &mut Construction<'p>, label: u32) -> Option<()> {
    match page.find(|_, open| open == label, |own, open| own.facts(open).is_special) {
        Some(place) => page.close(place),
        None => Some(()),
    }
}

fn end_in_table<'p>(page: &mut Construction<'p>, label: u32) -> Option<()> {
    page.flush()?;
    loop {
        let current = page.open.last()?.label;
        let (own, current_opening) = (page.facts(label).opening, page.facts(current).opening);
        if current == label && matches!(own, Opening::Rows | Opening::Row | Opening::Columns) {
            page.pop();
            return Some(());
        }
        match (current_opening, own) {
            (Opening::Table, Opening::Table) => {
                page.pop();
                reset_mode(page);
                return Some(());
            }
            (Opening::Row, Opening::Table) | (Opening::Rows | Opening::Columns, Opening::Table) => page.pop(),
            (Opening::Row, Opening::Rows) => {
                let is_open = page.open.len() >= 2 && page.open[page.open.len() - 2].label == label;
                if !is_open {
                    return None;
                }
                page.pop();
            }
            _ => return None,
        }
    }
}

/// Where we are when a table is over.
fn reset_mode<'p>(page: &mut Construction<'p>) {
    let inner = page.open.iter().rev().map(|open| page.facts(open.label).opening).find(|opening| {
        use Opening::{Body, Caption, Cell, Columns, Row, Rows, Table};
        matches!(opening, Cell | Caption | Row | Rows | Columns | Table | Body)
    });
    let in_table = matches!(inner, Some(Opening::Row | Opening::Rows | Opening::Columns | Opening::Table));
    page.mode = if in_table { Mode::InTable } else { Mode::InBody };
}
