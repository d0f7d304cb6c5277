//! As much of a Cargo.toml as the rules ask for: the name, the dependencies by section, whether lints are inherited.
//!
//! Read line by line: tables, and keys at the beginning of a line, as Cargo and people write them. A value that runs
//! over several lines is not looked into.

/// For what a dependency is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// To be what it is.
    Normal,
    /// To test it.
    Dev,
    /// To build it.
    Build,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The package, after renaming.
    pub package: String,
    /// For what it is needed.
    pub section: Section,
}

/// What a Cargo.toml says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The name of the package; empty if there is none.
    pub package: String,
    /// What it depends on.
    pub dependencies: Vec<Dependency>,
    /// Whether it takes the lints of the workspace.
    pub inherits_lints: bool,
    /// Whether it is the root of a workspace of its own, and so cannot inherit anything.
    pub is_root: bool,
}

impl Manifest {
    /// Reads the text of a Cargo.toml.
    pub fn parse(text: &str) -> Manifest {
        let mut manifest = Manifest::default();
        let mut table = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
                table = name.trim_matches('[').trim().to_owned();
                manifest.is_root |= table == "workspace";
                if let (Some(section), Some(package)) = section_of(&table) {
                    manifest.dependencies.push(Dependency { package, section });
                }
                continue;
            }
            let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else { continue };
            let (key, value) = (key.trim(), value.trim());
            match (table.as_str(), section_of(&table)) {
                ("package", _) if key == "name" => manifest.package = unquoted(value),
                ("lints", _) if key == "workspace" => manifest.inherits_lints = value.starts_with("true"),
                (_, (Some(section), None)) => {
                    let name = key.split('.').next().unwrap_or(key).trim().trim_matches('"');
                    let package = renamed(value).unwrap_or_else(|| name.to_owned());
                    manifest.dependencies.push(Dependency { package, section });
                }
                (_, (Some(_), Some(_))) if key == "package" => {
                    if let Some(last) = manifest.dependencies.last_mut() {
                        last.package = unquoted(value);
                    }
                }
                _ => {}
            }
        }
        manifest
    }

    /// Whether it depends on a package, for whatever.
    pub fn depends_on(&self, package: &str) -> bool {
        self.dependencies.iter().any(|d| d.package == package)
    }
}

/// The section a table is, and the package if the table is of one dependency: `[target.'cfg(unix)'.dependencies.x]`.
fn section_of(table: &str) -> (Option<Section>, Option<String>) {
    let parts: Vec<&str> = table.split('.').map(str::trim).collect();
    let section = |part: &str| match part {
        "dependencies" => Some(Section::Normal),
        "dev-dependencies" => Some(Section::Dev),
        "build-dependencies" => Some(Section::Build),
        _ => None,
    };
    if parts[0] == "workspace" {
        return (None, None);
    }
    match parts.iter().enumerate().find_map(|(at, part)| Some((at, section(part)?))) {
        Some((at, section)) => (Some(section), parts.get(at + 1).map(|name| name.trim_matches('"').to_owned())),
        None => (None, None),
    }
}

fn renamed(value: &str) -> Option<String> {
    let rest = value.split_once("package")?.1.trim_start().strip_prefix('=')?;
    Some(rest.split('"').nth(1)?.to_owned())
}

fn unquoted(value: &str) -> String {
    value.split('"').nth(1).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_found_in_all_their_spellings() {
        let text = r#"
[package]
name = "here"
version.workspace = true
[lints]
workspace = true
[dependencies]
plain = "1"
inherited.workspace = true # why
featured = { workspace = true, features = ["a"] }
nick = { version = "1", package = "renamed" }
# absent = "1"
[target.'cfg(unix)'.dependencies.tabled]
version = "1"
[dev-dependencies]
tested = "1"
[build-dependencies]
built = "1"
[features]
default = []
"#;
        let manifest = Manifest::parse(text);
        let of = |section| {
            let of_section = manifest.dependencies.iter().filter(move |d| d.section == section);
            of_section.map(|d| d.package.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(manifest.package, "here");
        assert!(manifest.inherits_lints && !manifest.is_root);
        assert_eq!(of(Section::Normal), ["plain", "inherited", "featured", "renamed", "tabled"]);
        assert_eq!((of(Section::Dev), of(Section::Build)), (vec!["tested"], vec!["built"]));
        assert!(manifest.depends_on("tested") && !manifest.depends_on("absent"));
    }

    #[test]
    fn a_root_of_its_own_is_seen() {
        let manifest = Manifest::parse("[package]\nname = \"x\"\n[workspace]\n[workspace.dependencies]\ny = \"1\"\n");
        assert!(manifest.is_root && !manifest.inherits_lints && manifest.dependencies.is_empty());
    }
}
