//! How is a large answer made without holding it in memory? It is written to a file that nobody else can see and that is gone when it
//! has been sent; a reader who is slow keeps no store open.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;

use crate::error::Problem;

/// Bytes read at a time.
const PIECE: usize = 1 << 16;
/// Pieces that wait for a slow reader.
const WAITING: usize = 2;

/// A file that is gone with its last handle.
pub(crate) struct Spool {
    to: BufWriter<File>,
    /// Where files cannot be removed while they are open, it is removed in the end.
    path: PathBuf,
}

/// An answer that is sent as a file.
pub(crate) struct Sent {
    from: File,
    length: u64,
    name: String,
    media_type: &'static str,
    _path: Removed,
}

struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A file that nobody else can see, for as long as it is open.
pub(crate) fn nameless() -> io::Result<File> {
    create().map(|(file, _)| file)
}

fn create() -> io::Result<(File, PathBuf)> {
    let mut random = [0u8; 16];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let name: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let path = std::env::temp_dir().join(format!("groma-{name}.part"));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path)?;
    #[cfg(unix)]
    std::fs::remove_file(&path)?;
    Ok((file, path))
}

impl Spool {
    /// An empty spool, in a temporary file.
    pub(crate) fn begin() -> io::Result<Spool> {
        let (file, path) = create()?;
        Ok(Spool { to: BufWriter::with_capacity(PIECE, file), path })
    }

    /// What is written becomes an answer, to be saved under this name: it is never shown among our own pages.
    pub(crate) fn finish(self, name: String, media_type: &'static str) -> io::Result<Sent> {
        let Spool { to, path } = self;
        let mut from = to.into_inner().map_err(|error| error.into_error())?;
        let length = from.stream_position()?;
        from.seek(SeekFrom::Start(0))?;
        Ok(Sent { from, length, name, media_type, _path: Removed(path) })
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl IntoResponse for Sent {
    fn into_response(mut self) -> Response {
        // Names of sites hold letters, digits and `.-_` only; ours likewise.
        let Ok(disposition) = HeaderValue::from_str(&format!("attachment; filename=\"{}\"", self.name)) else {
            return Problem::ours(self.name, crate::words::FELL_HINT).into_response();
        };
        let head = [
            (header::CONTENT_TYPE, HeaderValue::from_static(self.media_type)),
            (header::CONTENT_DISPOSITION, disposition),
            (header::CONTENT_LENGTH, HeaderValue::from(self.length)),
        ];
        let (send, receive) = mpsc::channel(WAITING);
        tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; PIECE];
            loop {
                let read = match self.from.read(&mut piece) {
                    Ok(0) => return,
                    Ok(read) => Ok(Bytes::copy_from_slice(&piece[..read])),
                    Err(error) => Err(error),
                };
                let failed = read.is_err();
                // Whoever asked may have gone away.
                if send.blocking_send(read).is_err() || failed {
                    return;
                }
            }
        });
        (head, Body::from_stream(Pieces(receive))).into_response()
    }
}

struct Pieces(mpsc::Receiver<io::Result<Bytes>>);

impl futures_core::Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        self.0.poll_recv(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_sent_and_nothing_stays_behind() {
        let text = "0123456789".repeat(50_000);
        let mut spool = Spool::begin().unwrap();
        let path = spool.path.clone();
        spool.write_all(text.as_bytes()).unwrap();
        let sent = spool.finish("a.txt".to_owned(), "text/plain").unwrap();
        assert_eq!(sent.length, 500_000);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let body = runtime.block_on(async {
            let response = sent.into_response();
            assert_eq!(response.headers()[header::CONTENT_DISPOSITION], "attachment; filename=\"a.txt\"");
            axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap()
        });
        assert_eq!(body, text.as_bytes());
        assert!(!path.exists());
    }
}
