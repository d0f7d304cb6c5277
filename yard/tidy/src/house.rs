//! The house as it stands on disk: storeys, crates and source files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::source::test_modules;
use crate::{Manifest, Source};

/// Where a crate lives. The order is the order of the storeys; the yard stands beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Storey {
    /// Pure code, without effects.
    Ground,
    /// Code with effects.
    Engine,
    /// What people meet: command line and server.
    Front,
    /// Not shipped.
    Yard,
}

impl Storey {
    pub const ALL: [Storey; 4] = [Storey::Ground, Storey::Engine, Storey::Front, Storey::Yard];

    pub fn folder(self) -> &'static str {
        match self {
            Storey::Ground => "ground",
            Storey::Engine => "engine",
            Storey::Front => "front",
            Storey::Yard => "yard",
        }
    }
}

/// A crate of the house.
#[derive(Debug)]
pub struct Crate {
    pub storey: Storey,
    /// Its folder from the root of the house: `engine/store`.
    pub folder: String,
    /// What its Cargo.toml says.
    pub manifest: Manifest,
}

/// A Rust file of the house.
#[derive(Debug)]
pub struct Text {
    /// Its path from the root of the house, with `/`.
    pub path: String,
    pub source: Source,
    /// Whether the module that holds it is declared for tests only.
    pub for_tests: bool,
}

impl Text {
    /// The storey it is in.
    pub fn storey(&self) -> Option<Storey> {
        Storey::ALL.into_iter().find(|storey| self.is_in(storey.folder()))
    }

    /// Whether it lies in a folder (a path from the root).
    pub fn is_in(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether it is not part of what is shipped: tests, examples and benches.
    pub fn is_aside(&self) -> bool {
        let parts: Vec<&str> = self.path.split('/').collect();
        let (file, folders) = parts.split_last().unwrap_or((&"", &[]));
        self.for_tests
            || *file == "tests.rs"
            || file.ends_with("_tests.rs")
            || folders.iter().any(|f| matches!(*f, "tests" | "examples" | "benches"))
    }

    /// Where the modules that it declares stand, without `.rs`: `src/url.rs` and `src/url/mod.rs` both have `src/url/`.
    fn folder_of_modules(&self) -> String {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        match file {
            "lib.rs" | "main.rs" | "mod.rs" => format!("{folder}/"),
            _ => format!("{folder}/{}/", file.trim_end_matches(".rs")),
        }
    }
}

/// All crates and files of the workspace.
#[derive(Debug, Default)]
pub struct House {
    pub crates: Vec<Crate>,
    /// The Rust files of the storeys and the yard.
    pub texts: Vec<Text>,
    /// Every folder and file below the storeys and the yard, from the root.
    pub paths: Vec<String>,
}

impl House {
    /// Looks at a house.
    pub fn read(root: &Path) -> io::Result<House> {
        let mut house = House::default();
        for storey in Storey::ALL {
            let folder = root.join(storey.folder());
            if folder.is_dir() {
                house.enter(root, storey, &folder)?;
            }
        }
        house.mark_tests();
        Ok(house)
    }

    /// Marks the files of modules that are declared for tests only, and what lies below them.
    fn mark_tests(&mut self) {
        let mut roots = Vec::new();
        for text in &self.texts {
            let folder = text.folder_of_modules();
            roots.extend(test_modules(&text.source).iter().map(|name| format!("{folder}{name}")));
        }
        for text in &mut self.texts {
            let below = |root: &String| {
                text.path.strip_prefix(root.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            };
            text.for_tests = roots.iter().any(below);
        }
    }

    /// The house that this crate belongs to.
    pub fn ours() -> io::Result<House> {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        House::read(&here.join("../..").canonicalize()?)
    }

    fn enter(&mut self, root: &Path, storey: Storey, folder: &Path) -> io::Result<()> {
        let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if name.starts_with('.') || name == "target" {
                continue;
            }
            let from_root = from_root(root, &path);
            if entry.file_type()?.is_dir() {
                self.enter(root, storey, &path)?;
            } else if name == "Cargo.toml" {
                let manifest = Manifest::parse(&fs::read_to_string(&path)?);
                let folder = from_root.trim_end_matches("/Cargo.toml").to_owned();
                self.crates.push(Crate { storey, folder, manifest });
            } else if name.ends_with(".rs") {
                let source = Source::new(fs::read_to_string(&path)?);
                self.texts.push(Text { path: from_root.clone(), source, for_tests: false });
            }
            self.paths.push(from_root);
        }
        Ok(())
    }

    /// The crate with a package name.
    pub fn named(&self, package: &str) -> Option<&Crate> {
        self.crates.iter().find(|c| c.manifest.package == package)
    }
}

fn from_root(root: &Path, path: &Path) -> String {
    let rest = path.strip_prefix(root).unwrap_or(path);
    rest.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_finds_itself() {
        let house = House::ours().unwrap();
        let tidy = house.named("groma-tidy").unwrap();
        assert_eq!((tidy.storey, tidy.folder.as_str()), (Storey::Yard, "yard/tidy"));
        let this = house.texts.iter().find(|text| text.path == "yard/tidy/src/house.rs").unwrap();
        assert_eq!((this.storey(), this.is_aside()), (Some(Storey::Yard), false));
        assert!(house.texts.iter().any(|text| text.path == "yard/tidy/tests/house.rs" && text.is_aside()));
        assert!(house.texts.iter().all(|text| !text.path.ends_with("/src/lib.rs") || !text.is_aside()));
        assert!(house.paths.iter().all(|path| !path.contains("/target/")));
    }
    #[test]
    fn modules_declared_for_tests_are_aside() {
        let text =
            |path: &str, source: &str| Text { path: path.into(), source: Source::new(source.into()), for_tests: false };
        let mut house = House {
            texts: vec![
                text("ground/a/src/url/mod.rs", "#[cfg(test)]\nmod laws;\nmod lawsuit;"),
                text("ground/a/src/url/laws.rs", ""),
                text("ground/a/src/url/laws/deep.rs", ""),
                text("ground/a/src/url/lawsuit.rs", "#[cfg(test)] mod trial;"),
                text("ground/a/src/url/lawsuit/trial.rs", ""),
            ],
            ..House::default()
        };
        house.mark_tests();
        let aside: Vec<bool> = house.texts.iter().map(Text::is_aside).collect();
        assert_eq!(aside, [false, true, true, false, true]);
    }
}
