//! Which piece of the text lies between two parts of an address? `&url[Position::BeforePath..Position::AfterQuery]`

use std::ops::{Index, Range, RangeFrom, RangeFull, RangeTo};

use crate::Url;

/// Where a part begins or ends. What separates parts (`://`, `:`, `@`, `?`, `#`) lies between the end of one and the beginning
/// of the next; the slash at the front of a path belongs to it. A part that is missing ends where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    BeforeScheme,
    AfterScheme,
    BeforeUsername,
    AfterUsername,
    BeforePassword,
    AfterPassword,
    BeforeHost,
    AfterHost,
    BeforePort,
    AfterPort,
    BeforePath,
    AfterPath,
    BeforeQuery,
    AfterQuery,
    BeforeFragment,
    AfterFragment,
}

impl Url {
    fn at(&self, position: Position) -> usize {
        let password = usize::from(self.password().is_some());
        match position {
            Position::BeforeScheme => 0,
            Position::AfterScheme => self.scheme_end as usize,
            Position::BeforeUsername => self.username_end as usize - self.username().len(),
            Position::AfterUsername => self.username_end as usize,
            Position::BeforePassword => self.username_end as usize + password,
            Position::AfterPassword if password == 0 => self.username_end as usize,
            Position::AfterPassword => self.host_start as usize - 1,
            Position::BeforeHost => self.host_start as usize,
            Position::AfterHost => self.host_end as usize,
            Position::BeforePort => self.host_end as usize + usize::from(self.port.is_some()),
            Position::AfterPort => self.authority_end(),
            Position::BeforePath => self.path_start as usize,
            Position::AfterPath => self.path_end as usize,
            Position::BeforeQuery => self.path_end as usize + usize::from(self.query().is_some()),
            Position::AfterQuery => self.query_end as usize,
            Position::BeforeFragment => self.query_end as usize + usize::from(self.fragment().is_some()),
            Position::AfterFragment => self.text.len(),
        }
    }
}

impl Index<RangeFull> for Url {
    type Output = str;

    fn index(&self, _: RangeFull) -> &str {
        &self.text
    }
}

impl Index<RangeFrom<Position>> for Url {
    type Output = str;

    fn index(&self, range: RangeFrom<Position>) -> &str {
        &self.text[self.at(range.start)..]
    }
}

impl Index<RangeTo<Position>> for Url {
    type Output = str;

    fn index(&self, range: RangeTo<Position>) -> &str {
        &self.text[..self.at(range.end)]
    }
}

impl Index<Range<Position>> for Url {
    type Output = str;

    fn index(&self, range: Range<Position>) -> &str {
        &self.text[self.at(range.start)..self.at(range.end)]
    }
}
