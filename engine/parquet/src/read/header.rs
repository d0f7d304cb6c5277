//! What the header of a page of a Parquet file says (Thrift's compact protocol), read by ourselves: the library believes it.
//!
//! Source: parquet.thrift of the Apache Parquet format, `PageHeader`; Thrift's compact protocol. Only the fields that decide how
//! much memory a page takes are kept, all others are passed over. Total: any bytes give a header or `None`, in time linear in
//! them; nesting is bounded.

/// Deepest nesting of what is passed over.
const DEPTH: u32 = 8;

/// What a page of a Parquet file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageKind {
    Data,
    /// Values, the levels apart.
    DataV2,
    Dictionary,
    /// Anything else: passed over by readers.
    Other,
}

/// What stands before a page of a Parquet file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageHeader {
    kind: i64,
    /// Bytes after decompression.
    pub(crate) unpacked: i64,
    /// Bytes in the file, behind the header.
    pub(crate) packed: i64,
    /// Values, empty ones too.
    pub(crate) values: i64,
    /// Of these, empty ones (told by second-version pages).
    pub(crate) empty: i64,
    /// The code of the encoding.
    pub(crate) encoding: i64,
    /// Bytes of levels (second-version pages).
    pub(crate) levels: i64,
    /// Bytes of the header itself.
    pub(crate) length: usize,
    has_data: bool,
    has_data_v2: bool,
    has_dictionary: bool,
}

impl PageHeader {
    /// Reads a header at the beginning of these bytes; `None` if it does not end there or is none.
    pub(crate) fn read(bytes: &[u8]) -> Option<PageHeader> {
        let mut header = PageHeader::default();
        let mut input = Input { bytes, at: 0 };
        let mut field = 0;
        while let Some(kind) = input.field(&mut field)? {
            match (field, kind) {
                (1, INT) => header.kind = input.number()?,
                (2, INT) => header.unpacked = input.number()?,
                (3, INT) => header.packed = input.number()?,
                (5, STRUCT) => {
                    header.has_data = true;
                    header.part(&mut input, [1, 2, 0, 0, 0])?;
                }
                (7, STRUCT) => {
                    header.has_dictionary = true;
                    header.part(&mut input, [1, 2, 0, 0, 0])?;
                }
                (8, STRUCT) => {
                    header.has_data_v2 = true;
                    header.part(&mut input, [1, 4, 2, 5, 6])?;
                }
                (_, other) => input.pass(other, DEPTH)?,
            }
        }
        header.length = input.at;
        Some(header)
    }

    /// The numbers of a part of the header: fields with the values, the encoding, the empty values, the bytes of levels.
    fn part(&mut self, input: &mut Input<'_>, wanted: [i64; 5]) -> Option<()> {
        let [values, encoding, empty, definition, repetition] = wanted;
        let mut field = 0;
        while let Some(kind) = input.field(&mut field)? {
            if kind != INT {
                input.pass(kind, DEPTH)?;
                continue;
            }
            let number = input.number()?;
            match field {
                f if f == values => self.values = number,
                f if f == encoding => self.encoding = number,
                f if f == empty => self.empty = number,
                // A negative length is no length; the sum must not hide it.
                f if f == definition || f == repetition => {
                    self.levels = if number < 0 { i64::MIN } else { self.levels.checked_add(number)? }
                }
                _ => {}
            }
        }
        Some(())
    }

    /// What kind of page it is; `None` if the header has not what belongs to its kind, or more than one.
    pub(crate) fn kind(&self) -> Option<PageKind> {
        match (self.kind, self.has_data, self.has_dictionary, self.has_data_v2) {
            (0, true, false, false) => Some(PageKind::Data),
            (2, false, true, false) => Some(PageKind::Dictionary),
            (3, false, false, true) => Some(PageKind::DataV2),
            (1, false, false, false) => Some(PageKind::Other),
            _ => None,
        }
    }
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const SHORT: u8 = 4;
const INT: u8 = 5;
const LONG: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        let end = usize::try_from(count).ok().and_then(|count| self.at.checked_add(count))?;
        self.at = (end <= self.bytes.len()).then_some(end)?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn number(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The type of the next field, its number into `field`; nothing at the end of a structure.
    fn field(&mut self, field: &mut i64) -> Option<Option<u8>> {
        let head = self.byte()?;
        if head & 0x0f == 0 {
            return Some(None);
        }
        *field = match head >> 4 {
            0 => self.number()?,
            step => field.checked_add(i64::from(step))?,
        };
        Some(Some(head & 0x0f))
    }

    fn pass(&mut self, kind: u8, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            TRUE | FALSE => Some(()),
            BYTE => self.skip(1),
            SHORT | INT | LONG => self.unsigned().map(drop),
            DOUBLE => self.skip(8),
            BINARY => {
                let length = self.unsigned()?;
                self.skip(length)
            }
            LIST | SET => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
                // Every item takes a byte at least: a list cannot be longer than what is left.
                if count > (self.bytes.len() - self.at) as u64 {
                    return None;
                }
                for _ in 0..count {
                    // In a list a truth value takes a byte of its own.
                    match head & 0x0f {
                        TRUE | FALSE => self.skip(1)?,
                        item => self.pass(item, depth)?,
                    }
                }
                Some(())
            }
            STRUCT => {
                let mut field = 0;
                while let Some(kind) = self.field(&mut field)? {
                    self.pass(kind, depth)?;
                }
                Some(())
            }
            // Headers of pages have no maps.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A data page of 3 values, plain, 24 bytes packed to 20, with a checksum and statistics that are passed over.
    const HEADER: [u8; 19] = [0x15, 0, 0x15, 48, 0x15, 40, 0x15, 2, 0x1c, 0x15, 6, 0x15, 0, 0x3c, 0x28, 1, b'x', 0, 0];

    #[test]
    fn a_header_is_read() {
        let mut bytes = HEADER.to_vec();
        bytes.push(0);
        let header = PageHeader::read(&bytes).unwrap();
        assert_eq!(header.kind(), Some(PageKind::Data));
        assert_eq!((header.unpacked, header.packed, header.values, header.encoding), (24, 20, 3, 0));
        assert_eq!(header.length, bytes.len());
        for cut in 0..bytes.len() {
            assert_eq!(PageHeader::read(&bytes[..cut]), None, "{cut}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            if let Some(header) = PageHeader::read(&bytes) {
                prop_assert!(header.length <= bytes.len());
            }
        }
    }
}
