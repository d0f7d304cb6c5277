//! The bytes to and from a server: bare TCP, or TLS over whatever lies below (TCP, or TLS to a proxy); with a tape, if somebody keeps
//! what is said.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use crate::tape::Tape;

/// A connection, plain or encrypted, recorded or not.
pub(crate) enum Wire {
    Plain(TcpStream),
    Tls(Box<TlsStream<Wire>>),
    Taped(Box<Wire>, Arc<Tape>),
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Wire::Plain(tcp) => Pin::new(tcp).poll_read(cx, buf),
            Wire::Tls(tls) => Pin::new(tls).poll_read(cx, buf),
            Wire::Taped(wire, tape) => {
                let before = buf.filled().len();
                let polled = Pin::new(&mut **wire).poll_read(cx, buf);
                if polled.is_ready() {
                    tape.came(&buf.filled()[before..]);
                }
                polled
            }
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Wire::Plain(tcp) => Pin::new(tcp).poll_write(cx, buf),
            Wire::Tls(tls) => Pin::new(tls).poll_write(cx, buf),
            Wire::Taped(wire, tape) => {
                let polled = Pin::new(&mut **wire).poll_write(cx, buf);
                if let Poll::Ready(Ok(written)) = polled {
                    tape.sent(&buf[..written]);
                }
                polled
            }
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Wire::Plain(tcp) => Pin::new(tcp).poll_write_vectored(cx, bufs),
            Wire::Tls(tls) => Pin::new(tls).poll_write_vectored(cx, bufs),
            Wire::Taped(wire, tape) => {
                let polled = Pin::new(&mut **wire).poll_write_vectored(cx, bufs);
                if let Poll::Ready(Ok(mut written)) = polled {
                    for buf in bufs {
                        let part = written.min(buf.len());
                        tape.sent(&buf[..part]);
                        written -= part;
                    }
                }
                polled
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Wire::Plain(tcp) => tcp.is_write_vectored(),
            Wire::Tls(tls) => tls.is_write_vectored(),
            Wire::Taped(wire, _) => wire.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Wire::Plain(tcp) => Pin::new(tcp).poll_flush(cx),
            Wire::Tls(tls) => Pin::new(tls).poll_flush(cx),
            Wire::Taped(wire, _) => Pin::new(&mut **wire).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Wire::Plain(tcp) => Pin::new(tcp).poll_shutdown(cx),
            Wire::Tls(tls) => Pin::new(tls).poll_shutdown(cx),
            Wire::Taped(wire, _) => Pin::new(&mut **wire).poll_shutdown(cx),
        }
    }
}

/// A connection whose bytes are counted.
pub(crate) struct Metered {
    pub(crate) wire: Wire,
    pub(crate) meter: Arc<Meter>,
}

/// How much came over a connection that many share, and how much of that was of use. What is neither an answer nor a part of a body
/// (interim answers, pings, settings) is a server's way to keep us busy: it has bounds.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    came: AtomicU64,
    used: AtomicU64,
}

/// Bytes that may come without any use.
const OF_NO_USE: u64 = 6 << 20;

impl Meter {
    /// So much was of use.
    pub(crate) fn used(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Does the server only keep us busy?
    pub(crate) fn is_flooded(&self) -> bool {
        self.came.load(Ordering::Relaxed) > self.used.load(Ordering::Relaxed).saturating_add(OF_NO_USE)
    }
}

impl AsyncRead for Metered {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let metered = self.get_mut();
        let before = buf.filled().len();
        let polled = Pin::new(&mut metered.wire).poll_read(cx, buf);
        metered.meter.came.fetch_add((buf.filled().len() - before) as u64, Ordering::Relaxed);
        // Whoever reads it ends it: the task that asks is not woken by what is of no use to it.
        if metered.meter.is_flooded() {
            return Poll::Ready(Err(io::Error::other("the server only keeps us busy")));
        }
        polled
    }
}

impl AsyncWrite for Metered {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().wire).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().wire).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.wire.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().wire).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().wire).poll_shutdown(cx)
    }
}
