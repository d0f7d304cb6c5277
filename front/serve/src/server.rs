//! The socket: so many connections, none of them slow, and an end that leaves nothing half done.

mod meter;
mod patience;
mod plain;
pub(crate) mod seats;
mod summaries;

use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use groma_tasks::worker::Workshop;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;

use crate::app::App;
use crate::door::{Accounts, Caller};
use crate::error::{Problem, ServeError};
use crate::options::{Listening, Options};
use crate::server::patience::Patient;
use crate::server::seats::{Answering, Seats};
use crate::words;

pub use meter::serve_meter;
pub use summaries::serve_summaries;

/// Connections at a time.
const CONNECTIONS: usize = 512;
/// Connections of one client at a time.
const EACH: usize = 128;
/// How long a head may take to arrive, and how long a connection may be idle.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// Bytes of a head.
const HEAD: usize = 32 * 1024;
/// Lines of a head.
const LINES: usize = 64;
/// Threads for what blocks.
const BLOCKING: usize = 64;
/// What nobody asked for is let go of this often.
const TIDY: Duration = Duration::from_secs(60);
/// How long answers under way may take when the server stops.
const GRACE: Duration = Duration::from_secs(5);

/// Does anything listen there?
pub fn is_up(listen: SocketAddr) -> bool {
    std::net::TcpStream::connect_timeout(&listen, Duration::from_secs(2)).is_ok()
}

/// Runs the server until the flag is set. `ready` is told where it listens. Jobs under way go back into the queue.
pub fn serve(options: Options, stop: Arc<AtomicBool>, ready: impl FnOnce(Listening)) -> Result<(), ServeError> {
    let (mut options, stop) = (options, stop);
    let wanted = options.listen;
    let refuse = |source| ServeError::Listen { at: wanted, source };
    std::fs::create_dir_all(&options.home).map_err(|source| ServeError::Home { at: options.home.clone(), source })?;
    if !options.is_private() && !Accounts::open(&options.home)?.has_users()? {
        return Err(ServeError::NoPassword { at: wanted, loopback: wanted.ip().to_canonical().is_loopback() });
    }
    let listener = TcpListener::bind(wanted).map_err(refuse)?;
    listener.set_nonblocking(true).map_err(refuse)?;
    options.listen = listener.local_addr().map_err(refuse)?;
    let app = Arc::new(App::new(options)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING)
        .build()
        .map_err(ServeError::Start)?;
    let shop = open_workshop(&app, &stop).map_err(ServeError::Start)?;
    ready(app.listening()?);
    let served = runtime.block_on(run(&app, listener, Arc::clone(&stop)));
    // Whatever ended it: the workers go home too.
    stop.store(true, Ordering::Relaxed);
    runtime.shutdown_timeout(Duration::from_secs(2));
    if let Some(shop) = shop {
        let _ = shop.join();
    }
    served
}

/// The workers and the timetable, in a thread of their own.
fn open_workshop(app: &Arc<App>, stop: &Arc<AtomicBool>) -> io::Result<Option<JoinHandle<()>>> {
    if app.options.workers == 0 {
        return Ok(None);
    }
    let (sites, stop) = (Arc::clone(app), Arc::clone(stop));
    let shop = Workshop {
        folders: Box::new(move || sites.sites.all().iter().map(|site| site.folder.clone()).collect()),
        threads: app.options.workers,
        hands: 0,
        config: app.options.config.clone(),
        stop: Arc::clone(&stop),
    };
    let work = move || {
        while !stop.load(Ordering::Relaxed) {
            // A queue that cannot be read (a full disk, say) may be better in a while: the web interface says so meanwhile.
            if shop.run().is_err() {
                std::thread::sleep(Duration::from_secs(1));
            }
        }
    };
    std::thread::Builder::new().name("workshop".into()).spawn(work).map(Some)
}

async fn run(app: &Arc<App>, listener: TcpListener, stop: Arc<AtomicBool>) -> Result<(), ServeError> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Start)?;
    let keeper = Arc::clone(app);
    let watching = tokio::spawn(async move {
        let mut tidied = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if tidied.elapsed() >= TIDY {
                tidied = Instant::now();
                keeper.sites.tidy();
            }
        }
        keeper.stop();
    });
    accept(app, listener).await;
    let _ = watching.await;
    Ok(())
}

/// The whole of it: pages, API, counts, behind the door.
pub(crate) fn router(app: &Arc<App>) -> Router {
    Router::new()
        .merge(crate::pages::router())
        .merge(crate::api::router())
        // Browsers ask for it wherever a page names no picture.
        .route("/favicon.ico", axum::routing::get(async || axum::http::StatusCode::NO_CONTENT))
        .fallback(async || Problem::missing(words::NO_SUCH_PAGE))
        .method_not_allowed_fallback(async || {
            Problem::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "this cannot be done here", words::QUERY_HINT)
        })
        .layer(from_fn_with_state(Arc::clone(app), crate::door::guard))
        .layer(from_fn_with_state(Arc::clone(app), count))
        .with_state(Arc::clone(app))
}

/// Counts what was answered, by route.
async fn count(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let method = request.method().clone();
    let response = next.run(request).await;
    app.metrics.count(route.as_deref().unwrap_or("none"), &method, response.status().as_u16(), began.elapsed());
    response
}

async fn accept(app: &Arc<App>, listener: tokio::net::TcpListener) {
    let router = router(app);
    let seats = Seats::new(CONNECTIONS, EACH);
    let http = bounded();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.stopping() => break,
        };
        let (stream, peer) = match accepted {
            Ok(pair) => pair,
            Err(error) => {
                // Too many open files, as a rule: it passes.
                if !matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                continue;
            }
        };
        let Some(held) = seats.take(peer.ip(), app.options.is_proxy(peer.ip())) else {
            app.metrics.crowded.inc();
            refuse(stream);
            continue;
        };
        let _ = stream.set_nodelay(true);
        let inner = TowerToHyperService::new(router.clone());
        let seat = Arc::clone(held.seat());
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(Caller(peer.ip()));
            request.extensions_mut().insert(Arc::clone(&seat));
            let (answer, seat) = (inner.call(request), Arc::clone(&seat));
            async move { answer.await.map(|answer| answer.map(|body| Answering::wrap(body, seat))) }
        });
        let connection = http.serve_connection(TokioIo::new(Patient::new(stream, Arc::clone(held.seat()))), service);
        let app = Arc::clone(app);
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => {}
                () = held.seat().lost() => drop(app.metrics.crowded.inc()),
                () = app.stopping() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(GRACE, connection).await;
                }
            }
            drop(held);
        });
    }
    emptied(&seats).await;
}

/// HTTP/1 with heads of bounded size that arrive in bounded time.
fn bounded() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(LINES)
        .max_header_size(HEAD)
        .half_close(false);
    http
}

/// Those under way have their time.
async fn emptied(seats: &Seats) {
    let all = async {
        while seats.count() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let _ = tokio::time::timeout(GRACE, all).await;
}

/// Waits for the flag.
async fn stopped(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Says that there is no room, to whom it can be said at once.
fn refuse(stream: tokio::net::TcpStream) {
    const FULL: &[u8] =
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(FULL);
    }
}
