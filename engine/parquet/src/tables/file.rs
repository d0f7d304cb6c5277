//! One Parquet file on its way out.

use std::io::{self, Write};

use parquet::file::writer::SerializedFileWriter;

use crate::error::TableError;
use crate::place::Sink;
use crate::tables::batch::Batch;
use crate::tables::manifest::FileFacts;
use crate::tables::schema::Table;

/// A file that is being written.
pub(crate) struct File {
    name: String,
    writer: SerializedFileWriter<Counted>,
    rows: u64,
}

impl File {
    pub(crate) fn begin(name: String, table: &Table, sink: Box<dyn Sink>) -> Result<File, TableError> {
        let failed = |error| TableError::written(&name, error);
        let schema = table.schema().map_err(failed)?;
        let writer =
            SerializedFileWriter::new(Counted { sink, bytes: 0 }, schema, table.properties().into()).map_err(failed)?;
        Ok(File { name, writer, rows: 0 })
    }

    /// Writes rows as one group. They are taken, memory and all: what stays in a buffer of every part would add up.
    pub(crate) fn write(&mut self, mut batch: Batch) -> Result<(), TableError> {
        let failed = |error| TableError::written(&self.name, error);
        let mut group = self.writer.next_row_group().map_err(failed)?;
        let mut index = 0;
        while let Some(column) = group.next_column().map_err(failed)? {
            batch.write(index, column).map_err(failed)?;
            index += 1;
        }
        group.close().map_err(failed)?;
        self.rows += batch.rows() as u64;
        Ok(())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.writer.bytes_written() as u64
    }

    /// Ends it: from here on it is there.
    pub(crate) fn end(self) -> Result<FileFacts, TableError> {
        let File { name, writer, rows } = self;
        let Counted { sink, bytes } = writer.into_inner().map_err(|error| TableError::written(&name, error))?;
        sink.finish()?;
        Ok(FileFacts { name, rows, bytes })
    }
}

/// Counts what goes through it: the library does not tell how long the footer was.
pub(crate) struct Counted {
    pub(crate) sink: Box<dyn Sink>,
    /// How much so far.
    pub(crate) bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.sink.write(bytes)?;
        self.bytes += taken as u64;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
