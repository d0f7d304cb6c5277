//! What people read about rules of the extraction language and about SOIF.

use super::counted;

pub const RULE_HINT: &str =
    "a rule is a path such as html.body->table[1].tr[*].td[0].txt; --tree shows the labels of the page";

pub fn octets(octets: u64) -> String {
    counted(octets, "octet", "octets")
}

pub fn values(values: u64) -> String {
    counted(values, "value", "values")
}

pub fn objects(objects: u64) -> String {
    counted(objects, "object", "objects")
}

pub fn attributes(attributes: u64) -> String {
    counted(attributes, "attribute", "attributes")
}

pub fn complaints(complaints: u64) -> String {
    counted(complaints, "complaint", "complaints")
}

pub fn skipped(octets: u64) -> String {
    format!("{} passed over up to the next object", self::octets(octets))
}
