//! A folder of our own that goes when we go.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// A temporary folder, removed when dropped.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder, named after what it is for and our process, where the system keeps temporary files.
    pub(crate) fn new(what: &str) -> anyhow::Result<Scratch> {
        Scratch::below(&std::env::temp_dir(), what)
    }

    /// The same below some folder.
    pub(crate) fn below(folder: &Path, what: &str) -> anyhow::Result<Scratch> {
        let path = folder.join(format!("groma-bench-{what}-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Scratch(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A path in it.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Best effort: what is left lies in the system's temporary folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
