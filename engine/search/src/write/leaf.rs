//! A document on its way into the index: all its texts in one piece of memory, handed to the engine and not copied again.
//!
//! The engine lets ten thousand documents wait, however large they are; [`Room`] says how many bytes of them may.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tantivy::schema::Field;
use tantivy::schema::document::{Document, ReferenceValue, ReferenceValueLeaf, Value};

/// Bytes of documents that may wait.
const WAITING: usize = 16 << 20;
/// Whoever has waited that long goes on, and hears from the engine what is wrong with it.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many bytes wait.
#[derive(Debug, Default)]
pub(crate) struct Room {
    used: Mutex<usize>,
    freed: Condvar,
}

impl Room {
    fn enter(&self, bytes: usize) {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |used: &mut usize| *used > WAITING;
        let waited = self.freed.wait_timeout_while(used, PATIENCE, full);
        *waited.unwrap_or_else(PoisonError::into_inner).0 += bytes;
    }

    fn leave(&self, bytes: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let was_full = *used > WAITING;
        *used = used.saturating_sub(bytes);
        if was_full && *used <= WAITING {
            self.freed.notify_one();
        }
    }
}

/// A document for the full-text engine.
#[derive(Debug)]
pub(crate) struct Leaf {
    text: String,
    values: Vec<(Field, Held)>,
    bytes: usize,
    room: Arc<Room>,
}

#[derive(Clone, Copy, Debug)]
enum Held {
    Number(u64),
    /// From where to where.
    Text(usize, usize),
}

impl Leaf {
    /// An empty one with space for its texts; waits until there is room for it.
    pub(crate) fn with_space(bytes: usize, room: &Arc<Room>) -> Leaf {
        room.enter(bytes);
        Leaf { text: String::with_capacity(bytes), values: Vec::with_capacity(16), bytes, room: room.clone() }
    }

    pub(crate) fn number(&mut self, field: Field, number: u64) {
        self.values.push((field, Held::Number(number)));
    }

    pub(crate) fn text(&mut self, field: Field, text: &str) {
        let from = self.text.len();
        self.text.push_str(text);
        self.values.push((field, Held::Text(from, self.text.len())));
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        self.room.leave(self.bytes);
    }
}

/// A value, lent to the engine.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lent<'a> {
    Number(u64),
    Text(&'a str),
}

impl<'a> Value<'a> for Lent<'a> {
    type ArrayIter = std::iter::Empty<Lent<'a>>;
    type ObjectIter = std::iter::Empty<(&'a str, Lent<'a>)>;

    fn as_value(&self) -> ReferenceValue<'a, Lent<'a>> {
        ReferenceValue::Leaf(match *self {
            Lent::Number(number) => ReferenceValueLeaf::U64(number),
            Lent::Text(text) => ReferenceValueLeaf::Str(text),
        })
    }
}

/// The values one by one.
#[derive(Debug)]
pub(crate) struct Values<'a> {
    text: &'a str,
    values: std::slice::Iter<'a, (Field, Held)>,
}

impl<'a> Iterator for Values<'a> {
    type Item = (Field, Lent<'a>);

    fn next(&mut self) -> Option<(Field, Lent<'a>)> {
        let lent = |held: Held| match held {
            Held::Number(number) => Lent::Number(number),
            Held::Text(from, to) => Lent::Text(&self.text[from..to]),
        };
        self.values.next().map(|(field, held)| (*field, lent(*held)))
    }
}

impl Document for Leaf {
    type Value<'a> = Lent<'a>;
    type FieldsValuesIter<'a> = Values<'a>;

    fn iter_fields_and_values(&self) -> Values<'_> {
        Values { text: &self.text, values: self.values.iter() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_wait_for_room_and_never_for_ever() {
        let room = Arc::new(Room::default());
        let field = Field::from_field_id(3);
        let mut large = Leaf::with_space(WAITING + 1, &room);
        large.text(field, "some text");
        large.number(field, 7);
        let values: Vec<(Field, Lent<'_>)> = large.iter_fields_and_values().collect();
        assert_eq!(values[0].1.as_str(), Some("some text"));
        assert_eq!(values[1].1.as_u64(), Some(7));
        // Nobody takes the large one away: the next one comes in all the same.
        let small = Leaf::with_space(1, &room);
        let other = room.clone();
        let waits = std::thread::spawn(move || drop(Leaf::with_space(1, &other)));
        drop(large);
        waits.join().unwrap();
        drop(small);
        assert_eq!(*room.used.lock().unwrap(), 0);
    }
}
