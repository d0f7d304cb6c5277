//! An object store: S3, Google, Azure, by its URL, with what the environment says of keys and regions.
//!
//! An object appears when it was sent to its end. Large ones are sent in pieces ([`PIECE`]), one at a time, so that an open
//! file takes one piece of memory. What a kill leaves: whole objects without the mark `_SUCCESS`, which the next export to the same
//! place removes, and unfinished uploads, which nobody sees and which stores drop by a rule of their own (a lifecycle rule; S3 keeps
//! and bills them without one). Two exports to one place at once are not kept apart: object stores have no locks.
//! Requests are made one after the other on a runtime of one thread, with retries by the library.

use std::fs::File;
use std::io::{self, Seek as _, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bytes::{Bytes, BytesMut};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload};
use tokio::runtime::{Builder, Runtime};

use super::Sink;
use crate::error::TableError;
use crate::tables::manifest::{SUCCESS, is_ours};

/// Bytes sent at once: the least that stores take, because every open file waits for one. They take 10,000: 50 GB, far beyond our
/// largest file.
const PIECE: usize = 5 << 20;
/// The same where one object is sent alone, of whatever size: 10,000 of them are 670 GB.
const LARGE_PIECE: usize = 64 << 20;
/// The most objects a place may hold already.
const MOST_OBJECTS: usize = 1_000_000;

/// An object store below a URL.
#[derive(Clone)]
pub(crate) struct Store {
    store: Arc<dyn ObjectStore>,
    top: Path,
    shown: String,
    runtime: Arc<Runtime>,
}

impl Store {
    /// Opens one; nothing is asked yet.
    pub(crate) fn open(url: &str) -> Result<Store, TableError> {
        let failed = |says: String| TableError::Objects { place: url.to_owned(), says };
        // Whoever set a provider of ciphers before us chose well enough.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let parsed = reqwest::Url::parse(url).map_err(|_| TableError::NoPlace(url.to_owned()))?;
        let settings = std::env::vars_os().filter_map(|(name, value)| {
            let (name, value) = (name.into_string().ok()?.to_ascii_lowercase(), value.into_string().ok()?);
            let theirs = ["aws_", "google_", "azure_"].iter().any(|start| name.starts_with(start));
            theirs.then_some((name, value))
        });
        let (store, top) = object_store::parse_url_opts(&parsed, settings).map_err(|error| failed(told(&error)))?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| failed(error.to_string()))?;
        Ok(Store { store: Arc::from(store), top, shown: url.to_owned(), runtime: Arc::new(runtime) })
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.top.clone(), |path, step| path.join(step))
    }

    fn failed(&self) -> impl Fn(object_store::Error) -> TableError + '_ {
        |error| TableError::Objects { place: self.shown.clone(), says: told(&error) }
    }

    /// The names of all objects below the URL, from its top.
    pub(crate) fn names(&self) -> Result<Vec<String>, TableError> {
        let mut names = Vec::new();
        self.runtime.block_on(async {
            use futures_util::TryStreamExt as _;
            let mut found = self.store.list(Some(&self.top));
            while let Some(object) = found.try_next().await.map_err(self.failed())? {
                if names.len() >= MOST_OBJECTS {
                    return Err(TableError::file(&self.shown, format!("it holds more than {MOST_OBJECTS} objects")));
                }
                let steps: Option<Vec<String>> = object
                    .location
                    .prefix_match(&self.top)
                    .map(|steps| steps.map(|step| step.as_ref().to_owned()).collect());
                names.extend(steps.map(|steps| steps.join("/")).filter(|name| !name.is_empty()));
            }
            Ok(())
        })?;
        Ok(names)
    }

    /// Whether there is an object of this name.
    pub(crate) fn has(&self, name: &str) -> Result<bool, TableError> {
        match self.runtime.block_on(self.store.head(&self.path(name))) {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.failed()(error)),
        }
    }

    /// Brings an object here, into a file that goes when it is closed.
    pub(crate) fn bring(&self, name: &str) -> Result<File, TableError> {
        let mut file = nameless().map_err(TableError::io(name))?;
        self.runtime.block_on(async {
            use futures_util::TryStreamExt as _;
            let answer = self.store.get(&self.path(name)).await.map_err(self.failed())?;
            let mut pieces = answer.into_stream();
            while let Some(piece) = pieces.try_next().await.map_err(self.failed())? {
                file.write_all(&piece).map_err(TableError::io(name))?;
            }
            Ok::<_, TableError>(())
        })?;
        file.rewind().map_err(TableError::io(name))?;
        Ok(file)
    }
}

/// A file in the system's temporary folder whose name is gone already.
fn nameless() -> io::Result<File> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("groma-brought-{}-{number}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

/// What went wrong, down to the cause.
fn told(error: &object_store::Error) -> String {
    let mut says = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let more = error.to_string();
        if !says.contains(&more) {
            says.push_str(": ");
            says.push_str(&more);
        }
        cause = error.source();
    }
    // One line for people, whatever the store answered.
    says.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(500).collect()
}

/// A place on an object store that is being written to.
pub(crate) struct Objects {
    store: Store,
}

impl Objects {
    /// Takes the place: removes an earlier export, its mark first.
    pub(crate) fn begin(url: &str) -> Result<Objects, TableError> {
        let store = Store::open(url)?;
        let names = store.names()?;
        if names.iter().any(|name| !is_ours(name)) {
            return Err(TableError::Taken(url.to_owned()));
        }
        let marks_first = |name: &&String| *name != SUCCESS;
        let (marks, others): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| !marks_first(name));
        for name in marks.into_iter().chain(others) {
            match store.runtime.block_on(store.store.delete(&store.path(name))) {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(store.failed()(error)),
            }
        }
        Ok(Objects { store })
    }

    pub(crate) fn create(&self, name: &str) -> Result<Box<dyn Sink>, TableError> {
        let path = self.store.path(name);
        Ok(Box::new(Object::new(self.store.clone(), path, PIECE)))
    }
}

/// Begins an object that stands alone; an earlier one of this name is replaced when it is whole.
pub(super) fn single(url: &str) -> Result<Box<dyn Sink>, TableError> {
    let store = Store::open(url)?;
    // Without a name, or with that of a folder, it could not be found again under what was typed.
    if store.top.as_ref().is_empty() || url.ends_with('/') {
        return Err(TableError::NoPlace(url.to_owned()));
    }
    let path = store.top.clone();
    Ok(Box::new(Object::new(store, path, LARGE_PIECE)))
}

/// An object that is being sent. Small ones go at once when they are whole.
struct Object {
    store: Store,
    path: Path,
    piece: BytesMut,
    /// Bytes sent at once.
    size: usize,
    upload: Option<Box<dyn MultipartUpload>>,
}

impl Object {
    fn new(store: Store, path: Path, size: usize) -> Object {
        Object { store, path, piece: BytesMut::new(), size, upload: None }
    }

    fn send(&mut self, piece: Bytes) -> Result<(), TableError> {
        let Object { store, path, upload, .. } = self;
        store.runtime.block_on(async {
            let upload = match upload {
                Some(upload) => upload,
                None => upload.insert(store.store.put_multipart(path).await.map_err(store.failed())?),
            };
            upload.put_part(PutPayload::from(piece)).await.map_err(store.failed())
        })
    }
}

impl Write for Object {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.size - self.piece.len());
        self.piece.extend_from_slice(&bytes[..taken]);
        if self.piece.len() >= self.size {
            let piece = self.piece.split().freeze();
            self.send(piece).map_err(io::Error::other)?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Object {
    fn finish(mut self: Box<Self>) -> Result<(), TableError> {
        let rest = self.piece.split().freeze();
        if self.upload.is_some() && !rest.is_empty() {
            self.send(rest.clone())?;
        }
        let Object { store, path, upload, .. } = &mut *self;
        store.runtime.block_on(async {
            match upload {
                Some(upload) => upload.complete().await.map(drop),
                None => store.store.put(path, PutPayload::from(rest)).await.map(drop),
            }
            .map_err(store.failed())
        })?;
        self.upload = None;
        Ok(())
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // It is there only if the export did not come to its end; what cannot be told to the store now it forgets by its own rule.
        if let Some(mut upload) = self.upload.take() {
            let _ = self.store.runtime.block_on(upload.abort());
        }
    }
}
