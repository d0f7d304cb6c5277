//! Servers made of raw sockets: a test says what each connection does.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server that runs as long as the test does.
pub(crate) struct Server {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

/// One connection to it.
pub(crate) struct Visit {
    pub(crate) stream: TcpStream,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Does `each` with every connection.
    pub(crate) async fn start<F, Fut>(each: F) -> Server
    where
        F: Fn(Visit) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (counted, kept) = (connections.clone(), requests.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(each(Visit { stream, requests: kept.clone() }));
            }
        });
        Server { port, connections, requests }
    }

    /// Gives every request the same answer and keeps connections open.
    pub(crate) async fn always(answer: impl Into<Vec<u8>>) -> Server {
        let answer = Arc::new(answer.into());
        Server::start(move |mut visit| {
            let answer = answer.clone();
            async move {
                while visit.request().await.is_some() {
                    visit.say(&answer[..]).await;
                }
            }
        })
        .await
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The heads of all requests so far, in lower case.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Visit {
    /// Says something, unless the other side has gone.
    pub(crate) async fn try_say(&mut self, text: &str) -> bool {
        self.stream.write_all(text.as_bytes()).await.is_ok()
    }

    /// The next request's head, or nothing if the other side has gone.
    pub(crate) async fn request(&mut self) -> Option<String> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.stream.read_u8().await.ok()?);
        }
        let head = String::from_utf8(head).unwrap().to_lowercase();
        self.requests.lock().unwrap().push(head.clone());
        Some(head)
    }

    pub(crate) async fn say(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.stream.write_all(bytes.as_ref()).await;
    }
}

/// A page with its length.
pub(crate) fn page(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}
