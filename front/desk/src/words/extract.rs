//! What people read about rules of the extraction language and about SOIF.

use std::fmt::Display;

use super::counted;

pub const RULE_HINT: &str =
    "a rule is a path such as html.body->table[1].tr[*].td[0].txt; --tree shows the labels of the page";
pub const PREFIX_HINT: &str = "a prefix has steps only, such as html.body->table[1].";
pub const EXCEEDED_HINT: &str = "begin the rule nearer to what is meant, and name fewer nodes";
pub const NOTHING_THERE: &str = "nothing: the page has no such node; --tree shows its labels";
pub const OUTLINE_CUT: &str = "the page has more nodes; raise the number with --most";

pub fn rule_is_wrong(fault: &impl Display) -> String {
    format!("the rule cannot be read {fault}")
}

pub fn prefix_is_wrong(fault: &impl Display) -> String {
    format!("the prefix cannot be read {fault}")
}

pub fn sheet_cut(bound: &str) -> String {
    format!("the page is larger than is read ({bound}); what is beyond is not seen")
}

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
