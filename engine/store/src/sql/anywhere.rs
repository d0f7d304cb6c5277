//! Tables of which it is decided when they are opened where they lie.

use super::{Act, Base, Look, Repeat};
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
    fn transact(&mut self, repeat: Repeat, act: Act<'_>) -> Result<bool, StoreError> {
        match self {
            Anywhere::Here(file) => file.transact(repeat, act),
            Anywhere::There(room) => room.transact(repeat, act),
        }
    }

    fn tell(&mut self, act: Look<'_>) -> Result<(), StoreError> {
        match self {
            Anywhere::Here(file) => file.tell(act),
            Anywhere::There(room) => room.tell(act),
        }
    }

    fn look(&mut self, act: Look<'_>) -> Result<(), StoreError> {
        match self {
            Anywhere::Here(file) => file.look(act),
            Anywhere::There(room) => room.look(act),
        }
    }

    fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        match self {
            Anywhere::Here(file) => file.damage(),
            Anywhere::There(room) => room.damage(),
        }
    }
}
