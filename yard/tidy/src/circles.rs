//! Circles of files: files of one crate that use one another in a ring, so that none can be understood before the others.
//!
//! ```text
//! file A -> file B    A names something that B defines, by `use` or by a path, wherever it is exported again on the way
//! file A -> file B    B adds methods to a type of A: whoever calls them reads B too
//! circle              files that all lead to one another (a strongly connected component of more than one)
//! ```
//!
//! Declaring a module, or exporting again what it has, is no use of it. Tests are left out. Cost: O(files * uses) for each crate. Not seen:
//! what macros build from pieces; items of a module inside a file are taken for items of the file.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{UseLeaf, inherent_impls, paths, uses};
use crate::{House, Text};

/// How many names may export one another before it is taken for a mistake.
const EXPORTS: usize = 16;

/// The modules of a crate that are files, and what each imports under which name.
struct Modules<'h> {
    files: Vec<&'h Text>,
    /// The shipped words and signs of each.
    words: Vec<Vec<&'h str>>,
    /// The module that each is.
    module: Vec<Vec<String>>,
    by_module: BTreeMap<Vec<String>, usize>,
    /// What each imports or exports, as paths from the root of the crate.
    imports: Vec<Vec<UseLeaf>>,
}

/// The circles of a crate (its folder from the root), each as the paths of its files, in order.
pub fn circles(house: &House, folder: &str) -> Vec<Vec<String>> {
    let modules = Modules::new(house, folder);
    let edges: Vec<BTreeSet<usize>> = (0..modules.files.len()).map(|file| modules.uses_of(file)).collect();
    let edges = modules.with_split_types(edges);
    let reach: Vec<BTreeSet<usize>> = (0..edges.len()).map(|file| reachable(&edges, file)).collect();
    let mut circles = BTreeSet::new();
    for (file, there) in reach.iter().enumerate() {
        let ring: Vec<String> = there
            .iter()
            .filter(|other| reach[**other].contains(&file))
            .map(|other| modules.files[*other].path.clone())
            .collect();
        if ring.len() > 1 {
            circles.insert(ring);
        }
    }
    circles.into_iter().collect()
}

fn reachable(edges: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(edges[at].iter().filter(|next| seen.insert(**next)));
    }
    seen
}

impl<'h> Modules<'h> {
    fn new(house: &'h House, folder: &str) -> Modules<'h> {
        let src = format!("{folder}/src/");
        let mine = |text: &&Text| text.path.starts_with(&src) && !text.path.starts_with(&format!("{src}bin/"));
        let files: Vec<&Text> = house.texts.iter().filter(mine).filter(|text| !text.is_aside()).collect();
        let module: Vec<Vec<String>> = files.iter().map(|text| module_of(&text.path[src.len()..])).collect();
        let words: Vec<Vec<&str>> = files.iter().map(|text| text.source.shipped()).collect();
        let by_module = module.iter().enumerate().map(|(file, module)| (module.clone(), file)).collect();
        let mut modules = Modules { files, words, module, by_module, imports: Vec::new() };
        modules.imports = (0..modules.files.len()).map(|file| modules.imports_of(file)).collect();
        modules
    }

    fn imports_of(&self, file: usize) -> Vec<UseLeaf> {
        let leaves = uses(&self.words[file]).into_iter();
        leaves.filter_map(|leaf| Some(UseLeaf { path: self.path_in_crate(file, &leaf.path)?, ..leaf })).collect()
    }

    /// A path as it is written in a file, from the root of the crate; nothing for what is of another crate.
    fn path_in_crate(&self, file: usize, path: &[String]) -> Option<Vec<String>> {
        let mut here = self.module[file].clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => (here, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    here.pop()?;
                    rest = &rest[1..];
                }
            }
            child => {
                let is_child = self.by_module.contains_key(&[here.as_slice(), &[child.to_owned()]].concat());
                is_child.then_some(())?;
            }
        }
        Some([here.as_slice(), rest].concat())
    }

    /// The file that defines what a path from the root names.
    fn home(&self, path: &[String], exports: usize) -> Option<usize> {
        let mut depth = path.len();
        while !self.by_module.contains_key(&path[..depth]) {
            depth = depth.checked_sub(1)?;
        }
        let file = *self.by_module.get(&path[..depth])?;
        let Some(name) = path.get(depth).filter(|_| exports > 0) else { return Some(file) };
        let named = self.imports[file].iter().find(|leaf| leaf.name == *name);
        if let Some(leaf) = named.filter(|leaf| leaf.path.as_slice() != path) {
            return self.home(&[leaf.path.as_slice(), &path[depth + 1..]].concat(), exports - 1);
        }
        if !self.defines(file, name) {
            let globs = self.imports[file].iter().filter(|leaf| leaf.name == "*");
            let modules = globs.map(|leaf| &leaf.path[..leaf.path.len() - 1]);
            let mut homes = modules.filter_map(|module| self.home(module, exports - 1));
            if let Some(home) = homes.find(|home| self.defines(*home, name)) {
                return Some(home);
            }
        }
        Some(file)
    }

    fn defines(&self, file: usize, name: &str) -> bool {
        let kinds = ["struct", "enum", "union", "trait", "fn", "type", "const", "static", "macro_rules", "mod"];
        let pairs = self.words[file].windows(2);
        pairs.into_iter().any(|pair| kinds.contains(&pair[0]) && pair[1] == name)
    }

    /// The files that define what a file names.
    fn uses_of(&self, file: usize) -> BTreeSet<usize> {
        let imported = self.imports[file].iter().filter(|leaf| !leaf.exported).map(|leaf| leaf.path.clone());
        let mut named: Vec<Vec<String>> = imported.collect();
        let children =
            self.by_module.keys().filter(|module| module.split_last().is_some_and(|(_, up)| up == self.module[file]));
        let children: Vec<&str> = children.filter_map(|module| module.last().map(String::as_str)).collect();
        let body = without_uses(&self.words[file]);
        for first in ["crate", "super", "self"].into_iter().chain(children) {
            for path in paths(&body, first).into_iter().filter(|path| path.contains("::")) {
                let path: Vec<String> = path.split("::").map(str::to_owned).collect();
                named.extend(self.path_in_crate(file, &path));
            }
        }
        let homes =
            named.iter().filter_map(|path| self.home(path.strip_suffix(&["*".to_owned()]).unwrap_or(path), EXPORTS));
        homes.filter(|home| *home != file).collect()
    }

    /// A type whose methods stand in other files than it leads to these.
    fn with_split_types(&self, mut edges: Vec<BTreeSet<usize>>) -> Vec<BTreeSet<usize>> {
        for file in 0..self.files.len() {
            for name in inherent_impls(&self.words[file]) {
                let imported = self.imports[file].iter().find(|leaf| leaf.name == name);
                let home = imported.and_then(|leaf| self.home(&leaf.path, EXPORTS));
                if let Some(home) = home.filter(|home| *home != file) {
                    edges[home].insert(file);
                }
            }
        }
        edges
    }
}

/// The module that a file is, by its path below `src`.
fn module_of(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(parts.last().map(String::as_str), Some("mod")) || matches!(path, "lib.rs" | "main.rs") {
        parts.pop();
    }
    parts
}

/// The words of a file without its `use` lines.
fn without_uses<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::with_capacity(words.len());
    let mut inside = false;
    for word in words {
        inside |= *word == "use";
        if !inside {
            kept.push(*word);
        }
        inside &= *word != ";";
    }
    kept
}

/// A file defines what its parts use, and lists or calls the parts.
const LISTED: &str = "what the parts use stands in the file that lists them";
/// The methods of one type stand in several files.
const SPLIT: &str = "the methods of a type stand in several files";
const BOTH: &str = "what the parts use stands in the file that lists them, and the methods of a type in several files";

/// Crates whose files still run in circles: how many files do, and why. A number may only become smaller; a crate without circles is struck
/// off. What has no circles today gets none.
const STILL: [(&str, usize, &str); 29] = [
    ("ground/archive", 4, LISTED),
    ("ground/bounds", 2, LISTED),
    ("ground/chart", 11, LISTED),
    ("ground/check", 6, LISTED),
    ("ground/gather", 16, BOTH),
    ("ground/graph", 11, BOTH),
    ("ground/hel", 9, BOTH),
    ("ground/page", 27, LISTED),
    ("ground/strategy", 6, LISTED),
    ("ground/url", 8, SPLIT),
    ("engine/survey-graph", 9, BOTH),
    ("engine/parquet", 2, LISTED),
    ("engine/fetch", 16, LISTED),
    ("engine/graph-engines", 13, LISTED),
    ("engine/render", 2, LISTED),
    ("engine/search", 9, LISTED),
    ("engine/warc-store", 5, BOTH),
    ("engine/sqlite-checksums", 3, LISTED),
    ("engine/store", 34, BOTH),
    ("engine/summary", 2, SPLIT),
    ("front/cli", 7, LISTED),
    ("front/settings", 2, BOTH),
    ("front/tasks", 20, BOTH),
    ("front/serve", 15, LISTED),
    ("yard/bench", 8, BOTH),
    ("yard/browser", 3, SPLIT),
    ("yard/forms", 8, BOTH),
    ("yard/library", 54, BOTH),
    ("yard/testweb", 20, LISTED),
];

/// No files of a crate lead to one another in a circle, beyond those that are still allowed to.
pub fn circles_of_files(house: &House) -> Vec<String> {
    house.crates.iter().filter_map(|member| complaint(house, &member.folder, &STILL)).collect()
}

fn complaint(house: &House, folder: &str, still: &[(&str, usize, &str)]) -> Option<String> {
    let found = circles(house, folder);
    let count: usize = found.iter().map(Vec::len).sum();
    let (allowed, why) = still.iter().find(|(of, ..)| *of == folder).map_or((0, ""), |(_, files, why)| (*files, *why));
    if count == allowed {
        return None;
    }
    if count < allowed {
        return Some(format!("{folder}: {count} files in circles are left of {allowed}: write that into `STILL`"));
    }
    let rings: Vec<String> = found.iter().map(|ring| ring.join(", ")).collect();
    let known = if why.is_empty() { String::new() } else { format!(" ({why})") };
    Some(format!("{folder}: {count} files in circles, at most {allowed}{known}: {}", rings.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Crate, Manifest, Source, Storey};

    fn house(texts: &[(&str, &str)]) -> House {
        let text = |(path, source): &(&str, &str)| Text {
            path: format!("engine/a/src/{path}"),
            source: Source::new((*source).into()),
            for_tests: false,
        };
        let manifest = Manifest::parse("[package]\nname = \"a\"");
        let member = Crate { storey: Storey::Engine, folder: "engine/a".into(), manifest };
        House { texts: texts.iter().map(text).collect(), crates: vec![member], paths: Vec::new() }
    }

    #[track_caller]
    fn expect(texts: &[(&str, &str)], rings: &[&[&str]]) {
        let path = |name: &&str| format!("engine/a/src/{name}");
        let expected: Vec<Vec<String>> = rings.iter().map(|ring| ring.iter().map(path).collect()).collect();
        assert_eq!(circles(&house(texts), "engine/a"), expected);
    }

    #[test]
    fn files_that_use_one_another_are_a_circle() {
        let texts = [
            ("lib.rs", "mod a; mod b; mod c; mod d; pub use a::A;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use crate::{c::C, d::D}; pub struct B;"),
            ("c.rs", "pub struct C; fn f() { super::a::A; }"),
            ("d.rs", "pub struct D;"),
        ];
        expect(&texts, &[&["a.rs", "b.rs", "c.rs"]]);
    }

    #[test]
    fn what_is_exported_again_is_used_where_it_is_defined() {
        let texts = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod x; mod y; pub(crate) use x::X; pub(crate) use y::*;"),
            ("a/x.rs", "use crate::b::B; pub(crate) struct X;"),
            ("a/y.rs", "pub(crate) struct Y;"),
            ("b.rs", "use crate::a::Y; pub(crate) struct B;"),
        ];
        expect(&texts, &[]);
        let mut round = texts;
        round[4] = ("b.rs", "use crate::a::X; pub(crate) struct B;");
        expect(&round, &[&["a/x.rs", "b.rs"]]);
    }

    #[test]
    fn a_parent_that_uses_its_child_is_not_used_by_it() {
        let texts =
            [("lib.rs", "mod a;"), ("a/mod.rs", "mod x; use x::X; pub struct A(X);"), ("a/x.rs", "pub struct X;")];
        expect(&texts, &[]);
        let round = [texts[0], texts[1], ("a/x.rs", "use super::A; pub struct X;")];
        expect(&round, &[&["a/mod.rs", "a/x.rs"]]);
        // What the parent only imports is defined elsewhere.
        let import = [
            texts[0],
            ("a/mod.rs", "mod x; mod y; use y::Y; use x::X; fn f(x: X) {}"),
            ("a/x.rs", "use super::Y; pub struct X;"),
            ("a/y.rs", "pub struct Y;"),
        ];
        expect(&import, &[]);
    }

    #[test]
    fn a_type_with_methods_in_another_file_needs_both() {
        let texts = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub struct A<'s>(&'s str);"),
            ("b.rs", "use crate::a::A; impl A<'_> { fn f(&self) {} }"),
        ];
        expect(&texts, &[&["a.rs", "b.rs"]]);
        let foreign = [texts[0], texts[1], ("b.rs", "use crate::a::A; impl Clone for A<'_> { }")];
        expect(&foreign, &[]);
    }

    #[test]
    fn tests_and_other_crates_do_not_count() {
        let texts = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use other::b::B; pub struct A;"),
            ("b.rs", "use crate::a::A; #[cfg(test)] mod tests { use crate::a::A; }"),
            ("a_tests.rs", "use crate::b::B;"),
        ];
        expect(&texts, &[]);
    }

    #[test]
    fn the_list_can_only_shrink() {
        let texts = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; struct A;"),
            ("b.rs", "use crate::a::A; struct B;"),
        ];
        let of = |files| complaint(&house(&texts), "engine/a", &[("engine/a", files, "why")]);
        assert!(of(2).is_none());
        assert!(of(3).is_some_and(|says| says.contains("2 files in circles are left of 3")));
        assert!(of(0).is_some_and(|says| says.contains("2 files in circles, at most 0 (why): engine/a/src/a.rs")));
    }
}
