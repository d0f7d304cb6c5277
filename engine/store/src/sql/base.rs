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

/// What is done in a transaction; whether anything came of it.
pub(crate) type Act<'a> = &'a mut dyn FnMut(&mut dyn Speak) -> Result<bool, StoreError>;

/// What is looked up, or done by one statement.
pub(crate) type Look<'a> = &'a mut dyn FnMut(&mut dyn Speak) -> Result<(), StoreError>;

/// Where the tables of a store lie. What is done may be done several times, until it holds: it must start from nothing each time.
///
/// A base knows no type of result, so that its transactions are compiled once; results are kept here, with the one who asks.
pub trait Base: Send {
    /// One transaction, all or nothing, and nothing if nothing comes of it. While it lasts nobody else writes to these tables, so
    /// nobody decides on what somebody else is about to change. An act whose answer is lost may be found to hold without being
    /// called again.
    fn transact(&mut self, repeat: Repeat, act: Act<'_>) -> Result<bool, StoreError>;

    /// One statement that decides on one row alone, and that may be repeated: it needs nobody to stand aside.
    fn tell(&mut self, act: Look<'_>) -> Result<(), StoreError>;

    /// Looks.
    fn look(&mut self, act: Look<'_>) -> Result<(), StoreError>;

    /// What the storage itself finds wrong, if anything.
    fn damage(&mut self) -> Result<Vec<String>, StoreError>;

    /// [`Base::transact`], with its result.
    fn write_if<T>(
        &mut self,
        repeat: Repeat,
        mut act: impl FnMut(&mut dyn Speak) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut done = None;
        let holds = self.transact(repeat, &mut |db| {
            done = act(db)?;
            Ok(done.is_some())
        })?;
        Ok(done.filter(|_| holds))
    }

    /// [`Base::tell`], with its result.
    fn touch<T>(&mut self, mut act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut done = None;
        self.tell(&mut |db| {
            done = Some(act(db)?);
            Ok(())
        })?;
        done.ok_or_else(|| super::damaged("nothing was written"))
    }

    /// [`Base::look`], with what was found.
    fn read<T>(&mut self, mut act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut found = None;
        self.look(&mut |db| {
            found = Some(act(db)?);
            Ok(())
        })?;
        found.ok_or_else(|| super::damaged("nothing was read"))
    }

    /// One transaction, all or nothing.
    fn write<T>(
        &mut self,
        repeat: Repeat,
        mut act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write_if(repeat, |db| act(db).map(Some))?.ok_or_else(|| super::damaged("nothing was written"))
    }
}
