//! Tables of which it is decided when they are opened where they lie.

use super::{Base, Repeat, Speak};
use crate::StoreError;
use crate::postgres::PgRoom;
use crate::sqlite::SqliteFile;

/// In a file or on a server.
pub enum Anywhere {
    /// In a file.
    Here(SqliteFile),
    /// On a server.
    There(Box<PgRoom>),
}

impl From<SqliteFile> for Anywhere {
    fn from(file: SqliteFile) -> Anywhere {
        Anywhere::Here(file)
    }
}

impl From<PgRoom> for Anywhere {
    fn from(room: PgRoom) -> Anywhere {
        Anywhere::There(Box::new(room))
    }
}

impl Anywhere {
    /// May they be written to?
    pub(crate) fn is_writable(&self) -> bool {
        match self {
            Anywhere::Here(file) => file.is_writable(),
            Anywhere::There(_) => true,
        }
    }
}

impl Base for Anywhere {
    fn write_if<T>(
        &mut self,
        repeat: Repeat,
        act: impl FnMut(&mut dyn Speak) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match self {
            Anywhere::Here(file) => file.write_if(repeat, act),
            Anywhere::There(room) => room.write_if(repeat, act),
        }
    }

    fn touch<T>(&mut self, act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match self {
            Anywhere::Here(file) => file.touch(act),
            Anywhere::There(room) => room.touch(act),
        }
    }

    fn read<T>(&mut self, act: impl FnMut(&mut dyn Speak) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match self {
            Anywhere::Here(file) => file.read(act),
            Anywhere::There(room) => room.read(act),
        }
    }

    fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        match self {
            Anywhere::Here(file) => file.damage(),
            Anywhere::There(room) => room.damage(),
        }
    }
}
