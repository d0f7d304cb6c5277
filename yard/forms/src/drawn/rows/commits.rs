//! Commits of a repository.

use groma_testweb::prose::mix;

use crate::dice::Dice;
use crate::drawn::rows::cells::{Column, Role, capital, category, date, frequent, several, skewed, some_word};
use crate::drawn::tongue::Label;
use crate::table::Cell;

pub(super) const COLUMNS: [Column; 8] = [
    ("hash", Label::Identifier, Role::Key),
    ("subject", Label::Name, Role::Name),
    ("committer", Label::Author, Role::Category),
    ("component", Label::Component, Role::Category),
    ("branch", Label::Branch, Role::Category),
    ("churn", Label::Lines, Role::Number),
    ("committed", Label::Date, Role::Date),
    ("trailers", Label::Tags, Role::Set),
];

const VERBS: [&str; 14] = [
    "fix",
    "add",
    "remove",
    "refactor",
    "rename",
    "revert",
    "document",
    "split",
    "inline",
    "speed up",
    "tidy",
    "deprecate",
    "move",
    "guard",
];
const THINGS: [&str; 36] = [
    "overflow",
    "allocator",
    "timer",
    "lock",
    "buffer",
    "inode",
    "page table",
    "interrupt",
    "checksum",
    "parser",
    "scheduler",
    "driver",
    "symlink",
    "locale",
    "sanitizer",
    "linker",
    "register",
    "backtrace",
    "watchdog",
    "quota",
    "journal",
    "bitmap",
    "firmware",
    "clock",
    "socket",
    "handshake",
    "timeout",
    "retry",
    "mutex",
    "barrier",
    "leak",
    "warning",
    "typo",
    "macro",
    "prefetch",
    "alias",
];
const PEOPLE: [&str; 24] = [
    "A. Okafor",
    "B. Lindqvist",
    "C. Moreau",
    "D. Petrov",
    "E. Tanaka",
    "F. Rossi",
    "G. Novák",
    "H. Schmidt",
    "I. Silva",
    "J. Kowalski",
    "K. Haddad",
    "L. Jensen",
    "M. Iyer",
    "N. O'Brien",
    "O. Wang",
    "P. Dubois",
    "Q. Nguyen",
    "R. García",
    "S. Ivanova",
    "T. Fischer",
    "U. Bakker",
    "V. Horváth",
    "W. Mbeki",
    "X. Papadopoulos",
];
const COMPONENTS: [&str; 12] = [
    "mm",
    "fs/ext4",
    "net/ipv6",
    "sched",
    "block",
    "drivers/usb",
    "sound",
    "arch/arm",
    "crypto",
    "tools",
    "docs",
    "init",
];
const BRANCHES: [&str; 5] = ["master", "next", "stable-5", "stable-4", "experimental"];
const TRAILERS: [&str; 5] = ["reviewed", "tested", "stable", "reported", "suggested"];

pub(super) fn record(nth: usize, dice: &mut Dice) -> Vec<Cell> {
    let component = category(&COMPONENTS, dice);
    let subject = format!(
        "{} {} in {} {}",
        capital(frequent(&VERBS, dice)),
        some_word(&THINGS, dice),
        some_word(&THINGS, dice),
        some_word(&THINGS, dice)
    );
    vec![
        // The place in the list, scrambled by a bijection: unique, and looks like a hash.
        Cell::Text(format!("{:016x}", mix(3, nth as u64))),
        Cell::Text(subject),
        category(&PEOPLE, dice),
        component,
        category(&BRANCHES, dice),
        skewed(4000.0, dice),
        date(dice),
        several(&TRAILERS, dice),
    ]
}
