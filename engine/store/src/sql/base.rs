//! Where the tables of a store lie, and how it speaks to them.

use super::{Arg, Dialect, Row};
use crate::StoreError;
pub(crate) use crate::postgres::driver::Repeat;

/// Somebody to whom statements are told: a transaction, or a connection outside of one.
pub trait Speak {
    /// Which words differ.
    fn dialect(&self) -> Dialect;

    /// Runs a statement; how many rows it touched.
    fn run(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64, StoreError>;

    /// Runs a statement again and again, each time with the next `width` of the parameters.
    fn run_each(&mut self, sql: &str, width: usize, args: &[Arg<'_>]) -> Result<(), StoreError>;

    /// Calls back with every row of an answer, until it is told `false`.
    fn each(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        call: &mut dyn FnMut(&Row<'_>) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError>;
}

impl dyn Speak + '_ {
    /// All rows of an answer.
    pub(crate) fn all<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.each(sql, args, &mut |row| {
            found.push(read(row)?);
            Ok(true)
        })?;
        Ok(found)
    }

    /// The first row of an answer.
    pub(crate) fn first<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut found = None;
        self.each(sql, args, &mut |row| {
            found = Some(read(row)?);
            Ok(false)
        })?;
        Ok(found)
    }

    /// The one number an answer consists of.
    pub(crate) fn number(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<i64, StoreError> {
        self.first(sql, args, |row| row.get(0))?.ok_or_else(|| super::damaged("a number is missing"))
    }
}

/// Where the tables of a store lie. What is done may be done several times, until it holds: it must start from nothing each time.
pub trait Base: Send {
    /// One transaction, all or nothing, and nothing if nothing comes of it. While it lasts nobody else writes to these tables, so
    /// nobody decides on what somebody else is about to change.
    fn write_if<T>(
        &mut self,
        repeat: Repeat,
        act: impl FnMut(&mut dyn Speak) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError>;

    /// One statement that decides on one row alone, and that may be repeated: it needs nobody to stand aside.
    fn touch<T>(&mut self, act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>) -> Result<T, StoreError>;

    /// Looks.
    fn read<T>(&mut self, act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>) -> Result<T, StoreError>;

    /// What the storage itself finds wrong, if anything.
    fn damage(&mut self) -> Result<Vec<String>, StoreError>;

    /// One transaction, all or nothing.
    fn write<T>(
        &mut self,
        repeat: Repeat,
        mut act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write_if(repeat, |db| act(db).map(Some))?.ok_or_else(|| super::damaged("nothing was written"))
    }
}
