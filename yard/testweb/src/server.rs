//! A server on loopback around a web: one thread, one connection task each, and a memory of what was asked.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::oneshot;

use crate::counts::Counts;
use crate::{Faults, Web, arrival, connection};

/// A path the server answers itself, uncounted: what it was asked so far, as JSON.
pub(crate) const COUNTS_PATH: &str = "/__counts";

/// A web being served. Dropping it ends the thread and all its connections.
pub struct Server {
    address: SocketAddr,
    counts: Arc<Counts>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves a web on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// If the machine gives no port or no thread: no test can go on from there.
    pub fn start(web: impl Web) -> Server {
        Server::start_on((Ipv4Addr::LOCALHOST, 0).into(), web).expect("a free port on loopback")
    }

    /// Serves a web on an address; port 0 means any free one.
    pub fn start_on(address: SocketAddr, web: impl Web) -> io::Result<Server> {
        let web: Arc<dyn Web> = Arc::new(web);
        let counts = Arc::new(Counts::default());
        let (stop, stopped) = oneshot::channel();
        let (report, reported) = mpsc::channel();
        // Everything of the runtime lives and dies on this thread: a caller may be inside a runtime of its own.
        let thread = std::thread::Builder::new().name("testweb".into()).spawn({
            let counts = Arc::clone(&counts);
            move || run(address, &web, &counts, stopped, &report)
        })?;
        let address = reported.recv().map_err(|_| io::Error::other("the server's thread ended early"))??;
        Ok(Server { address, counts, stop: Some(stop), thread: Some(thread) })
    }

    /// The address to begin at, without a slash at its end: `http://127.0.0.1:PORT`.
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How often each path (with its query) was asked for, whatever became of the request.
    pub fn asked(&self) -> BTreeMap<String, u64> {
        self.counts.paths().into_iter().collect()
    }

    /// How often a path was asked for.
    pub fn count(&self, path: &str) -> u64 {
        self.counts.count(path)
    }

    /// How many requests came.
    pub fn total(&self) -> u64 {
        self.counts.total()
    }

    /// The most requests that were being answered at one time.
    ///
    /// A plain answer takes no time, so only webs that delay, drip or stall show how many a client really has open.
    pub fn peak_in_flight(&self) -> usize {
        self.counts.peak()
    }

    /// Forgets the counts and the peak; [`Ask::serial`](crate::Ask::serial) goes on counting.
    pub fn reset_counts(&self) {
        self.counts.reset();
    }

    /// From now on fails at random; `Faults::default()` ends it.
    pub fn set_faults(&self, faults: Faults) {
        self.counts.set_faults(faults);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Either may be gone already if the thread ended by itself: then there is nothing to end.
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

type Report = mpsc::Sender<io::Result<SocketAddr>>;

fn run(address: SocketAddr, web: &Arc<dyn Web>, counts: &Arc<Counts>, stopped: oneshot::Receiver<()>, report: &Report) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build() {
        Ok(runtime) => runtime,
        Err(error) => return drop(report.send(Err(error))),
    };
    runtime.block_on(async {
        let listener = match listen(address) {
            Ok(listener) => listener,
            Err(error) => return drop(report.send(Err(error))),
        };
        // If nobody waits for the report, the sender of `stopped` is gone too and the loop below ends at once.
        let _ = report.send(listener.local_addr());
        let accepting = async {
            loop {
                match listener.accept().await {
                    // How a connection ends is the client's to notice.
                    Ok((stream, _)) => {
                        drop(tokio::spawn(connection::serve(stream, Arc::clone(web), Arc::clone(counts))));
                    }
                    // Out of descriptors, or the client is gone already: neither is lasting.
                    Err(_) => tokio::time::sleep(Duration::from_millis(2)).await,
                }
            }
        };
        until(accepting, stopped).await;
    });
}

/// Runs the first until the second is done.
async fn until(work: impl Future<Output = ()>, stopped: oneshot::Receiver<()>) {
    let mut work = std::pin::pin!(work);
    let mut stopped = std::pin::pin!(stopped);
    std::future::poll_fn(|context| {
        if stopped.as_mut().poll(context).is_ready() {
            return std::task::Poll::Ready(());
        }
        work.as_mut().poll(context)
    })
    .await;
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A server on a chosen port can be started again at once.
    socket.set_reuseaddr(true)?;
    arrival::stamped(&socket)?;
    socket.bind(address)?;
    socket.listen(1024)
}
