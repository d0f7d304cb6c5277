//! An object of JSON as a type, with complaints that name the field.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads the fields of an object. serde says what is wrong, but not where: the field that is wrong in the same way when it stands alone is
/// the one.
pub fn read_fields<T: DeserializeOwned>(fields: &Map<String, Value>) -> Result<T, String> {
    let read = |fields: Map<String, Value>| {
        serde_json::from_value::<T>(Value::Object(fields)).map_err(|error| error.to_string())
    };
    let error = match read(fields.clone()) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let names_itself = error.starts_with("missing field") || error.starts_with("unknown field");
    let is_wrong = |name: &str, value: &Value| {
        let alone = Map::from_iter([(name.to_owned(), value.clone())]);
        read(alone).err().as_ref() == Some(&error)
    };
    match fields.iter().find(|(name, value)| !names_itself && is_wrong(name, value)) {
        Some((name, _)) => Err(format!("{name}: {error}")),
        None => Err(error),
    }
}
