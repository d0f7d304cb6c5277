//! A socket without a door: the patience and the bounds of the web interface, for answers that are meant for everybody.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;

use super::patience::Patient;
use super::seats::{Answering, Seats};
use super::{GRACE, bounded, emptied, stopped};

/// The longest a connection may last, however steadily it is used.
const CONNECTION: Duration = Duration::from_secs(1800);

/// Answers until the flag is set, over `most` connections at a time.
pub(super) async fn accept<R, F>(
    listener: TcpListener,
    stop: &Arc<AtomicBool>,
    most: usize,
    respond: R,
) -> io::Result<()>
where
    R: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = io::Result<Response<Body>>> + Send + 'static,
{
    let listener = tokio::net::TcpListener::from_std(listener)?;
    // One client may hold all seats, as long as nobody else needs one.
    let seats = Seats::new(most, most);
    let http = bounded();
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
        let (respond, seat) = (respond.clone(), Arc::clone(held.seat()));
        let service = service_fn(move |request| {
            seat.work();
            let (answer, seat) = (respond(request), Arc::clone(&seat));
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
    emptied(&seats).await;
    Ok(())
}
