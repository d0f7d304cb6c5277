//! A connection whose other end must read what it asked for: one that takes nothing for too long is cut.
//!
//! (That it must also say what it wants in time is the business of the head's time limit.)

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use super::seats::Seat;

/// How long the other end may take nothing.
const LONGEST: Duration = Duration::from_secs(30);

/// A connection with a limit to its patience.
pub(super) struct Patient {
    stream: TcpStream,
    /// When patience ends; runs only while something waits to be taken.
    end: Pin<Box<Sleep>>,
    waiting: bool,
    /// Who is told that the other end takes nothing.
    seat: Arc<Seat>,
}

impl Patient {
    pub(super) fn new(stream: TcpStream, seat: Arc<Seat>) -> Patient {
        Patient { stream, end: Box::pin(tokio::time::sleep(LONGEST)), waiting: false, seat }
    }

    /// What came of an attempt to send: progress starts the clock anew.
    fn judge<T>(&mut self, context: &mut Context<'_>, sent: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            if self.waiting {
                self.waiting = false;
                self.seat.flow();
            }
            return sent;
        }
        if !self.waiting {
            self.waiting = true;
            self.seat.stall();
            self.end.as_mut().reset(Instant::now() + LONGEST);
        }
        match self.end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, to)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.judge(context, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
