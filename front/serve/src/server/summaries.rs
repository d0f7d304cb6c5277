//! The summarizer's socket: the same patience and the same bounds as the web interface, and nothing else of it. No door: a
//! summary is meant for everybody who reaches the URL, and there is nothing that a request could change.

use std::fs::File;
use std::io::{self, Read};
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Request, Response, StatusCode, header};
use futures_core::Stream;
use hyper::body::Incoming;
use tokio::sync::mpsc;

use groma_summary::{Answer, Asked, Summarizer};

use super::plain::accept;
use crate::error::ServeError;

/// Octets read from a file at a time, and sent.
const PIECE: usize = 1 << 16;

/// Answers for a summarizer until the flag is set. `ready` is told where it listens.
pub fn serve_summaries(
    summarizer: &Arc<Summarizer>,
    listen: SocketAddr,
    stop: &Arc<AtomicBool>,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let refuse = |source| ServeError::Listen { at: listen, source };
    let listener = TcpListener::bind(listen).map_err(refuse)?;
    listener.set_nonblocking(true).map_err(refuse)?;
    let at = listener.local_addr().map_err(refuse)?;
    let most = summarizer.limits().connections.max(1);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        // Whoever takes an answer slowly has a thread, and whoever asks meanwhile another.
        .max_blocking_threads(2 * most + 2)
        .build()
        .map_err(ServeError::Start)?;
    ready(at);
    let own = Arc::clone(summarizer);
    let served = runtime.block_on(accept(listener, stop, most, move |request| respond(Arc::clone(&own), request)));
    runtime.shutdown_timeout(Duration::from_secs(2));
    served.map_err(ServeError::Start)
}

async fn respond(summarizer: Arc<Summarizer>, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let (head, _) = request.into_parts();
    let work = move || {
        // Several lines of one header are one list.
        let known = head.headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let known = known.collect::<Vec<_>>().join(", ");
        summarizer.answer(&Asked {
            method: head.method.as_str(),
            path: head.uri.path(),
            query: head.uri.query(),
            if_none_match: (!known.is_empty()).then_some(known.as_str()),
        })
    };
    let answer = tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?;
    let Answer { status, headers, body } = answer;
    let mut response = Response::builder().status(StatusCode::from_u16(status).map_err(io::Error::other)?);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    let body = match body {
        groma_summary::Body::Empty => Body::empty(),
        groma_summary::Body::Text(text) => Body::from(text),
        groma_summary::Body::Files(files) => Body::from_stream(Pieces::reading(files)),
    };
    response.body(body).map_err(io::Error::other)
}

/// Files as they are read, a few pieces ahead.
struct Pieces(mpsc::Receiver<io::Result<Bytes>>);

impl Pieces {
    fn reading(files: Vec<File>) -> Pieces {
        let (sender, receiver) = mpsc::channel(2);
        tokio::task::spawn_blocking(move || {
            for mut file in files {
                loop {
                    let mut piece = vec![0; PIECE];
                    let read = file.read(&mut piece).map(|some| {
                        piece.truncate(some);
                        Bytes::from(piece)
                    });
                    if read.as_ref().is_ok_and(Bytes::is_empty) {
                        break;
                    }
                    // An end that is no end must not look like one; a receiver that has gone needs no more.
                    let fails = read.is_err();
                    if sender.blocking_send(read).is_err() || fails {
                        return;
                    }
                }
            }
        });
        Pieces(receiver)
    }
}

impl Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}
