//! Is any description of a database read within its bounds: documents, tags, values of a field?
//!
//! Input: a byte that chooses how it is read, then the text.

use groma_gather::finite::{BYTES, VALUES, domain};
use groma_gather::{DbContent, Metadata, dbcontent, meta};

pub fn database(data: &[u8]) {
    let (chosen, bytes) = crate::choice(data);
    let text = String::from_utf8_lossy(bytes);
    match chosen % 4 {
        0 => {
            let document = DbContent::read(bytes, None);
            let attributes: usize = document.tables.iter().map(|table| table.attributes.len()).sum();
            assert!(document.tables.len() + attributes + document.others.len() <= dbcontent::NAMES);
            assert_eq!(DbContent::read(bytes, None), document, "read twice");
        }
        1 => {
            let mut tags = meta::lines(&text);
            let read = |tags: &[(String, String)]| {
                Metadata::read(tags.iter().map(|(name, content)| (name.as_str(), content.as_str())))
            };
            let first = read(&tags);
            tags.reverse();
            let last = read(&tags);
            let same = |a: &Metadata, b: &Metadata| {
                (&a.results, &a.prefix, &a.navigation) == (&b.results, &b.prefix, &b.navigation)
                    && (&a.config_file, &a.query_script) == (&b.config_file, &b.query_script)
            };
            assert!(same(&first, &last), "the order of tags never matters");
        }
        _ => {
            if let Ok(values) = domain(&text, chosen % 4 == 2) {
                assert!(values.len() as u64 <= VALUES);
                assert!(values.iter().map(|value| value.len() as u64).sum::<u64>() <= BYTES.max(text.len() as u64));
            }
        }
    }
}
