//! Camp sites out of a file of waypoints (GPX, plain or gzip) whose descriptions hold the tags of OpenStreetMap.
//!
//! A waypoint counts if its tags name it: others are called by their number.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;

use super::Camp;

/// The named sites of a file, in its order.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<Camp>> {
    let mut bytes = Vec::new();
    File::open(file)?.read_to_end(&mut bytes)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain)?;
        bytes = plain;
    }
    parse(&bytes)
}

fn parse(bytes: &[u8]) -> anyhow::Result<Vec<Camp>> {
    let mut reader = Reader::from_reader(BufReader::new(bytes));
    let (mut camps, mut buffer) = (Vec::new(), Vec::new());
    let (mut place, mut tags, mut inside) = (None, String::new(), false);
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer)? {
            Event::Eof => return Ok(camps),
            Event::Start(tag) if tag.local_name().as_ref() == "wpt" => {
                let degrees = |name: &str| -> Option<f64> {
                    let value = tag.try_get_attribute(name).ok()??;
                    value.value.trim().parse().ok()
                };
                place = degrees("lat").zip(degrees("lon"));
                tags.clear();
            }
            Event::Start(tag) if tag.local_name().as_ref() == "desc" => inside = place.is_some(),
            Event::Text(text) if inside => tags.push_str(&text),
            Event::GeneralRef(reference) if inside => {
                if let Some(letter) = reference.resolve_char_ref()? {
                    tags.push(letter);
                } else if let Some(text) = resolve_predefined_entity(&reference) {
                    tags.push_str(text);
                }
            }
            Event::End(tag) if tag.local_name().as_ref() == "desc" => inside = false,
            Event::End(tag) if tag.local_name().as_ref() == "wpt" => {
                camps.extend(place.take().and_then(|place| camp(place, &tags)));
            }
            _ => {}
        }
    }
}

fn camp((latitude, longitude): (f64, f64), tags: &str) -> Option<Camp> {
    // Lines are folded anywhere between words.
    let flat = tags.split_whitespace().collect::<Vec<_>>().join(" ");
    let tag = |key: &str| flat.split("; ").find_map(|tag| tag.strip_prefix(key)?.strip_prefix('='));
    let name = tag("name").map(str::trim).filter(|name| !name.is_empty())?;
    Some(Camp {
        name: name.to_owned(),
        latitude,
        longitude,
        area: tag("addr:postcode").and_then(|code| code.chars().next()).filter(char::is_ascii_digit),
        tents: match tag("tents") {
            Some("yes") => Some(true),
            Some("no") => Some(false),
            _ => None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_waypoints_are_read() {
        let gpx = r#"<gpx><metadata><desc>name=No</desc></metadata><wpt lat="51.5" lon="13.25"><name>node/1</name>
            <desc>tourism=camp_site; id=node/1</desc></wpt><wpt lat="48.1" lon="-1"><desc>addr:postcode=94034; name=Zelt &amp;
            See; tents=yes; id=node/2</desc></wpt></gpx>"#;
        let camps = parse(gpx.as_bytes()).unwrap();
        let camp =
            Camp { name: "Zelt & See".into(), latitude: 48.1, longitude: -1.0, area: Some('9'), tents: Some(true) };
        assert_eq!(camps, [camp]);
    }
}
