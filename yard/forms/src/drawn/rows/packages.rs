//! Packages of a distribution.

use groma_testweb::prose::mix;

use crate::dice::Dice;
use crate::drawn::rows::cells::{Column, Role, category, date, frequent, several, skewed, some_word};
use crate::drawn::tongue::Label;
use crate::table::Cell;

pub(super) const COLUMNS: [Column; 10] = [
    ("package", Label::Identifier, Role::Key),
    ("summary", Label::Name, Role::Name),
    ("details", Label::Description, Role::Words),
    ("section", Label::Section, Role::Category),
    ("arch", Label::Architecture, Role::Category),
    ("licence", Label::License, Role::Category),
    ("locale", Label::Language, Role::Language),
    ("size", Label::Size, Role::Number),
    ("updated", Label::Date, Role::Date),
    ("tags", Label::Tags, Role::Set),
];

const PREFIXES: [&str; 8] = ["lib", "python3-", "node-", "golang-", "ruby-", "r-cran-", "fonts-", "texlive-"];
const STEMS: [&str; 40] = [
    "parser", "audio", "crypt", "proxy", "mesh", "image", "socket", "font", "kernel", "sensor", "mail", "calendar",
    "vector", "matrix", "lexer", "driver", "plot", "solver", "codec", "shell", "editor", "printer", "scanner", "video",
    "thread", "queue", "cache", "ledger", "router", "tuner", "cursor", "widget", "archive", "bundle", "patch",
    "tensor", "genome", "compass", "relay", "hash",
];
const ADJECTIVES: [&str; 14] = [
    "fast",
    "small",
    "portable",
    "embedded",
    "graphical",
    "minimal",
    "extensible",
    "threaded",
    "legacy",
    "scriptable",
    "modular",
    "secure",
    "incremental",
    "streaming",
];
const KINDS: [&str; 10] =
    ["library", "tool", "daemon", "plugin", "bindings", "headers", "documentation", "utilities", "frontend", "toolkit"];
const SECTIONS: [&str; 14] = [
    "libs", "devel", "net", "utils", "science", "sound", "graphics", "admin", "games", "text", "web", "mail", "math",
    "fonts",
];
const ARCHES: [&str; 6] = ["all", "amd64", "arm64", "riscv64", "s390x", "i386"];
const LICENCES: [&str; 7] = ["GPL-2+", "MIT", "Apache-2.0", "BSD-3-clause", "LGPL-2.1", "MPL-2.0", "Artistic"];
const LOCALES: [&str; 4] = ["English", "German", "French", "Russian"];
const TAGS: [&str; 9] =
    ["role::program", "works::audio", "uitoolkit::gtk", "lang::c", "lang::go", "cli", "x11", "server", "beta"];

pub(super) fn record(nth: usize, dice: &mut Dice) -> Vec<Cell> {
    let stem = some_word(&STEMS, dice);
    // Two numbers of two hex digits each would repeat: the place in the list makes the name unique.
    let name = format!("{}{stem}{}{:x}", frequent(&PREFIXES, dice), mix(7, nth as u64) % 7, 4096 + nth);
    let (kind, other) = (frequent(&KINDS, dice), some_word(&STEMS, dice));
    let details = format!(
        "{} {} {} with {} and {} support",
        frequent(&ADJECTIVES, dice),
        some_word(&STEMS, dice),
        frequent(&KINDS, dice),
        some_word(&STEMS, dice),
        some_word(&STEMS, dice)
    );
    vec![
        Cell::Text(name),
        Cell::Text(format!("{} {stem} {kind} for {other}", frequent(&ADJECTIVES, dice))),
        Cell::Text(details),
        category(&SECTIONS, dice),
        category(&ARCHES, dice),
        category(&LICENCES, dice),
        category(&LOCALES, dice),
        skewed(90_000.0, dice),
        date(dice),
        several(&TAGS, dice),
    ]
}
