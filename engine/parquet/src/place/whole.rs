//! Many files that come to be there all at once, with a manifest and the mark that says so.

use super::local::Local;
#[cfg(feature = "cloud")]
use super::objects::Objects;
use super::{Aim, Sink};
use crate::error::TableError;
use crate::tables::manifest::{MANIFEST, Manifest, SUCCESS};

/// A place that is being written to.
pub struct Place {
    kind: Kind,
}

enum Kind {
    Local(Local),
    #[cfg(feature = "cloud")]
    Objects(Objects),
}

impl Place {
    /// Takes a place: it must be new, empty, or hold an earlier export, which is replaced.
    pub fn begin(aim: &Aim) -> Result<Place, TableError> {
        let kind = match aim {
            Aim::Path(path) => Kind::Local(Local::begin(path)?),
            #[cfg(feature = "cloud")]
            Aim::Objects(url) => Kind::Objects(Objects::begin(url)?),
            #[cfg(not(feature = "cloud"))]
            Aim::Objects(url) => return Err(TableError::NoObjects(url.clone())),
        };
        Ok(Place { kind })
    }

    pub(crate) fn create(&self, name: &str) -> Result<Box<dyn Sink>, TableError> {
        match &self.kind {
            Kind::Local(local) => local.create(name),
            #[cfg(feature = "cloud")]
            Kind::Objects(objects) => objects.create(name),
        }
    }

    /// Writes what was written, then the mark, and puts all in its place.
    pub(crate) fn finish(self, manifest: &Manifest) -> Result<(), TableError> {
        let mut text = serde_json::to_vec_pretty(manifest).map_err(|error| TableError::Write(error.to_string()))?;
        text.push(b'\n');
        self.whole(MANIFEST, &text)?;
        self.whole(SUCCESS, b"")?;
        match self.kind {
            Kind::Local(local) => local.finish(),
            #[cfg(feature = "cloud")]
            Kind::Objects(_) => Ok(()),
        }
    }

    fn whole(&self, name: &str, bytes: &[u8]) -> Result<(), TableError> {
        let mut sink = self.create(name)?;
        sink.write_all(bytes).map_err(|error| TableError::put(name, error))?;
        sink.finish()
    }
}
