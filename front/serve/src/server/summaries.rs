//! The summarizer's socket: the same patience and the same bounds as the web interface, and nothing else of it. No door: a
//! summary is meant for everybody who reaches the address, and there is nothing that a request could change.

use std::fs::File;
use std::io::{self, Read};
use std::net::{SocketAddr, TcpListener};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Request, Response, StatusCode, header};
use futures_core::Stream;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::sync::mpsc;

use groma_summary::{Answer, Asked, Summarizer};

use super::patience::Patient;
use super::seats::{Answering, Seats};
use super::{GRACE, stopped};
use crate::error::ServeError;

/// The longest a connection may last, however steadily it is used.
const CONNECTION: Duration = Duration::from_secs(1800);
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
    let served = runtime.block_on(accept(summarizer, listener, stop, most));
    runtime.shutdown_timeout(Duration::from_secs(2));
    served.map_err(ServeError::Start)
}

async fn accept(
    summarizer: &Arc<Summarizer>,
    listener: TcpListener,
    stop: &Arc<AtomicBool>,
    most: usize,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    // Whoever asks for summaries asks for many: one client may hold all seats, as long as nobody else needs one.
    let seats = Seats::new(most, most);
    let http = super::bounded();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopped(stop) => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Too many open files, as a rule: it passes.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        // Where every seat is at work, the next one to come waits.
        let held = loop {
            match seats.take(peer.ip(), false) {
                Some(held) => break held,
                None if stop.load(Ordering::Relaxed) => return Ok(()),
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let _ = stream.set_nodelay(true);
        let own = Arc::clone(summarizer);
        let seat = Arc::clone(held.seat());
        let service = service_fn(move |request| {
            seat.work();
            let (answer, seat) = (respond(Arc::clone(&own), request), Arc::clone(&seat));
            async move { answer.await.map(|answer| answer.map(|body| Answering::wrap(body, seat))) }
        });
        let connection = http.serve_connection(TokioIo::new(Patient::new(stream, Arc::clone(held.seat()))), service);
        let stop = Arc::clone(stop);
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            tokio::select! {
                _ = tokio::time::timeout(CONNECTION, connection.as_mut()) => {}
                () = held.seat().lost() => {}
                () = stopped(&stop) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(GRACE, connection).await;
                }
            }
            drop(held);
        });
    }
    super::emptied(&seats).await;
    Ok(())
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
        groma_summary::Body::Files(files) => Body::from_stream(Pieces::of(files)),
    };
    response.body(body).map_err(io::Error::other)
}

/// Files as they are read, a few pieces ahead.
struct Pieces(mpsc::Receiver<io::Result<Bytes>>);

impl Pieces {
    fn of(files: Vec<File>) -> Pieces {
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
