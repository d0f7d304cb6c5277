//! Is any stream read as objects within the limits, and does what was read come back when it is written?
//!
//! Input: a byte that chooses the limits, then the stream.

use groma_soif::{Limits, Object, Writer, read};

pub fn soif(data: &[u8]) {
    let (chosen, stream) = crate::choice(data);
    let limits = match chosen % 3 {
        0 => Limits::default(),
        1 => Limits { value: 8, attributes: 2, ..Limits::default() },
        _ => Limits { name: 4, url: 8, object: 24, ..Limits::default() },
    };
    let mut objects: Vec<Object> = Vec::new();
    for object in read(stream, limits) {
        match object {
            Ok(object) => objects.push(object),
            Err(complaint) => assert!(complaint.at <= stream.len() as u64 && !complaint.what.is_empty(), "{complaint}"),
        }
    }
    let mut writer = Writer::new(Vec::new());
    let mut written = Vec::new();
    for object in objects {
        assert!(object.attributes.len() <= limits.attributes);
        assert!(
            object
                .attributes
                .iter()
                .all(|(name, value)| value.len() as u64 <= limits.value && name.len() as u64 <= limits.name)
        );
        writer.write(&object).expect("what was read can be written");
        written.push(object);
    }
    let octets = writer.into_inner();
    let again: Vec<Object> =
        read(&octets[..], Limits::default()).collect::<Result<_, _>>().expect("what was written can be read");
    assert_eq!(again, written);
}
