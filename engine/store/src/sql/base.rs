//! Where the tables of a store lie, and how it speaks to them.

use std::path::Path;

use super::{Arg, Dialect, SqlRow};
pub(crate) use crate::postgres::driver::Repeat;
use crate::postgres::{PgTables, ServerSchema};
use crate::sqlite::{FileSchema, SqliteFile};
use crate::{Server, StoreError};

/// Somebody to whom statements are told: a transaction, or a connection outside of one.
pub(crate) trait Speak {
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
        call: &mut dyn FnMut(&SqlRow<'_>) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError>;
}

impl dyn Speak + '_ {
    /// All rows of an answer.
    pub(crate) fn all<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        read: impl Fn(&SqlRow<'_>) -> Result<T, StoreError>,
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
        read: impl Fn(&SqlRow<'_>) -> Result<T, StoreError>,
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

/// Where the tables of a store lie: in a file or on a server. It is decided when they are opened.
///
/// What is done may be done several times, until it holds: it must start from nothing each time. Acts are objects, so that
/// transactions are compiled once; their results are kept here, with the one who asks.
pub enum Base {
    /// A SQLite file of its own.
    File(SqliteFile),
    /// Tables in a schema of a PostgreSQL server.
    Server(Box<PgTables>),
}

impl Base {
    /// Opens a file, or begins it.
    pub(crate) fn open_file(path: &Path, schema: &FileSchema) -> Result<Base, StoreError> {
        SqliteFile::open(path, schema).map(Base::File)
    }

    /// Opens a file that is there for reading. On a disk that cannot be written the file is taken as it stands.
    pub(crate) fn read_file(path: &Path, schema: &FileSchema) -> Result<Base, StoreError> {
        SqliteFile::open_reading(path, schema).map(Base::File)
    }

    /// Opens tables on a server, or begins them. `place`: the schema of the survey, or that of the accounts.
    pub(crate) fn open_on(server: &Server, place: &str, schema: &ServerSchema) -> Result<Base, StoreError> {
        Ok(Base::Server(Box::new(PgTables::open(server, place, schema)?)))
    }

    /// Opens tables on a server if somebody has begun them.
    pub(crate) fn read_on(server: &Server, place: &str, schema: &ServerSchema) -> Result<Option<Base>, StoreError> {
        Ok(PgTables::open_reading(server, place, schema)?.map(|tables| Base::Server(Box::new(tables))))
    }

    pub(crate) fn is_writable(&self) -> bool {
        match self {
            Base::File(file) => file.is_writable(),
            Base::Server(_) => true,
        }
    }

    /// One transaction, all or nothing, and nothing if nothing comes of it. While it lasts nobody else writes to these tables, so
    /// nobody decides on what somebody else is about to change. An act whose answer is lost may be found to hold without being
    /// called again.
    fn transact(&mut self, repeat: Repeat, act: Act<'_>) -> Result<bool, StoreError> {
        match self {
            Base::File(file) => file.transact(act),
            Base::Server(tables) => tables.transact(repeat, act),
        }
    }

    /// One statement that decides on one row alone, and that may be repeated: it needs nobody to stand aside.
    fn tell(&mut self, act: Look<'_>) -> Result<(), StoreError> {
        match self {
            Base::File(file) => file.tell(act),
            Base::Server(tables) => tables.look(act),
        }
    }

    fn look(&mut self, act: Look<'_>) -> Result<(), StoreError> {
        match self {
            Base::File(file) => file.look(act),
            Base::Server(tables) => tables.look(act),
        }
    }

    /// What the storage itself finds wrong, if anything. A server looks after its files itself.
    pub(crate) fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        match self {
            Base::File(file) => Ok(file.damage()),
            Base::Server(_) => Ok(Vec::new()),
        }
    }

    /// [`Base::transact`], with its result.
    pub(crate) fn write_if<T>(
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
    pub(crate) fn touch<T>(
        &mut self,
        mut act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut done = None;
        self.tell(&mut |db| {
            done = Some(act(db)?);
            Ok(())
        })?;
        done.ok_or_else(|| super::damaged("nothing was written"))
    }

    /// [`Base::look`], with what was found.
    pub(crate) fn read<T>(
        &mut self,
        mut act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut found = None;
        self.look(&mut |db| {
            found = Some(act(db)?);
            Ok(())
        })?;
        found.ok_or_else(|| super::damaged("nothing was read"))
    }

    /// One transaction, all or nothing.
    pub(crate) fn write<T>(
        &mut self,
        repeat: Repeat,
        mut act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write_if(repeat, |db| act(db).map(Some))?.ok_or_else(|| super::damaged("nothing was written"))
    }
}
