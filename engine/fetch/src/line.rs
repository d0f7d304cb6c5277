//! A connection that speaks HTTP, and one exchange over it.
//!
//! HTTP/1.1 is driven by the fetch that uses it, in the same task: a kept connection is just a value in the pool, no task
//! sleeps on it and none has to be woken for each piece of a body. HTTP/2 is shared by many fetches, so it has a task of
//! its own, which ends when the last fetch and the pool have let go of it.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use bytes::Bytes;
use groma_model::{Failure, Limits};
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::{Body, Frame, Incoming};
use hyper::client::conn::{TrySendError, http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};

use crate::connect::Dialled;
use crate::fault;
use crate::means::Permit;
use crate::tape::Tape;
use crate::wire::{Meter, Metered, Wire};

/// What we send along: nothing, as a rule.
pub(crate) type Payload = Full<Bytes>;

/// Why a request got no answer.
pub(crate) enum Unanswered {
    /// As hyper has it. `unseen`: the server has certainly not acted on it: it never left us, or the server said so.
    Http { error: hyper::Error, unseen: bool },
    /// The server sends interim answers (1xx) and no real one.
    Interim,
}

impl From<TrySendError<Request<Payload>>> for Unanswered {
    fn from(mut failed: TrySendError<Request<Payload>>) -> Unanswered {
        let kept = failed.take_message().is_some();
        let error = failed.into_error();
        Unanswered::Http { unseen: kept || fault::declined(&error), error }
    }
}

/// HTTP/2 flow control: what a server may send of one answer, and of all on a connection, before it hears from us.
const WINDOWS: [u32; 2] = [1 << 20, 4 << 20];
/// The smallest buffer hyper works with.
const LEAST_BUFFER: usize = 8192;

/// A connection for one exchange.
pub(crate) enum Line {
    One(Box<One>),
    Two(Two),
}

/// HTTP/1.x: one exchange at a time.
pub(crate) struct One {
    sender: http1::SendRequest<Payload>,
    work: http1::Connection<TokioIo<Wire>, Payload>,
    over: bool,
    served: bool,
    remote: Option<IpAddr>,
    tape: Option<Arc<Tape>>,
    _permit: Option<Permit>,
}

/// HTTP/2: many at a time.
#[derive(Clone)]
pub(crate) struct Two {
    sender: http2::SendRequest<Payload>,
    served: bool,
    remote: Option<IpAddr>,
    meter: Arc<Meter>,
    /// When it was made.
    pub(crate) born: Instant,
}

/// Speaks HTTP over a new connection; with a tape on it, if what is said is kept.
pub(crate) async fn begin(dialled: Dialled, limits: &Limits, kept: bool) -> Result<Line, Failure> {
    let Dialled { mut wire, remote, two, permit } = dialled;
    let header_bytes = usize::try_from(limits.header_bytes).unwrap_or(usize::MAX).min(1 << 30);
    let tape = (kept && !two).then(|| Arc::new(Tape::new(header_bytes)));
    if let Some(tape) = &tape {
        wire = Wire::Taped(Box::new(wire), Arc::clone(tape));
    }
    if two {
        let meter = Arc::new(Meter::default());
        let io = TokioIo::new(Metered { wire, meter: Arc::clone(&meter) });
        let (sender, work) = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .initial_stream_window_size(WINDOWS[0])
            .initial_connection_window_size(WINDOWS[1])
            .max_header_list_size(u32::try_from(header_bytes).unwrap_or(u32::MAX))
            .handshake(io)
            .await
            .map_err(|e| fault::of_http(&e, limits))?;
        // How it ends is told to each exchange on it.
        let watched = Arc::clone(&meter);
        tokio::spawn(async move {
            let _permit = permit;
            let mut work = pin!(work);
            poll_fn(|cx| match work.as_mut().poll(cx) {
                Poll::Pending if !watched.is_flooded() => Poll::Pending,
                _ => Poll::Ready(()),
            })
            .await;
        });
        return Ok(Line::Two(Two { sender, served: false, remote, meter, born: Instant::now() }));
    }
    let io = TokioIo::new(wire);
    let (sender, work) = http1::Builder::new()
        // More cannot be kept in one header map.
        .max_headers(usize::try_from(limits.headers).unwrap_or(usize::MAX).min(16_384))
        .max_header_size(header_bytes)
        .max_buf_size(header_bytes.max(LEAST_BUFFER))
        // What browsers put up with, a survey has to.
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .handshake(io)
        .await
        .map_err(|e| fault::of_http(&e, limits))?;
    Ok(Line::One(Box::new(One { sender, work, over: false, served: false, remote, tape, _permit: permit })))
}

impl Line {
    /// Had another exchange before: the server may have closed it in the meantime.
    pub(crate) fn served(&self) -> bool {
        match self {
            Line::One(one) => one.served,
            Line::Two(two) => two.served,
        }
    }

    /// Who is at the other end.
    pub(crate) fn remote(&self) -> Option<IpAddr> {
        match self {
            Line::One(one) => one.remote,
            Line::Two(two) => two.remote,
        }
    }

    /// What the heads of the last exchange were, word for word, where that is known.
    pub(crate) fn heads(&self) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
        match self {
            Line::One(one) => one.tape.as_ref().map(|tape| tape.take()).unwrap_or_default(),
            Line::Two(_) => (None, None),
        }
    }

    /// Sends a request and waits for the header of the answer; when it was sent, too.
    pub(crate) async fn send(
        &mut self,
        mut request: Request<Payload>,
        limits: &Limits,
    ) -> Result<(Response<Incoming>, Instant), Unanswered> {
        match self {
            Line::Two(two) => {
                let sent = Instant::now();
                match two.sender.try_send_request(request).await {
                    Ok(answer) => {
                        // Its head, and what may come of its body although nobody wants it.
                        two.meter.used(limits.header_bytes.min(1 << 20) + u64::from(WINDOWS[0]));
                        Ok((answer, sent))
                    }
                    Err(_) if two.meter.is_flooded() => Err(Unanswered::Interim),
                    Err(error) => Err(error.into()),
                }
            }
            Line::One(one) => {
                if let Some(tape) = &one.tape {
                    tape.rewind();
                }
                // hyper passes over them, as many as there are.
                let interim = Arc::new(AtomicU64::new(0));
                hyper::ext::on_informational(&mut request, {
                    let interim = Arc::clone(&interim);
                    move |_| {
                        interim.fetch_add(1, Ordering::Relaxed);
                    }
                });
                let mut answer = pin!(one.sender.try_send_request(request));
                let mut sent = None;
                let answer = poll_fn(|cx| {
                    one.drive(cx);
                    // The first time it has gone out.
                    sent.get_or_insert_with(Instant::now);
                    match answer.as_mut().poll(cx) {
                        Poll::Ready(answer) => Poll::Ready(answer.map_err(Unanswered::from)),
                        Poll::Pending if interim.load(Ordering::Relaxed) > limits.interim_answers => {
                            Poll::Ready(Err(Unanswered::Interim))
                        }
                        Poll::Pending => Poll::Pending,
                    }
                });
                Ok((answer.await?, sent.unwrap_or_else(Instant::now)))
            }
        }
    }

    /// The next piece of a body.
    pub(crate) async fn frame(&mut self, body: &mut Incoming) -> Option<hyper::Result<Frame<Bytes>>> {
        poll_fn(|cx| {
            if let Line::One(one) = self {
                // Asking the body first tells the connection that more is wanted.
                if let Poll::Ready(frame) = Pin::new(&mut *body).poll_frame(cx) {
                    return Poll::Ready(frame);
                }
                one.drive(cx);
            }
            let polled = Pin::new(&mut *body).poll_frame(cx);
            if let (Line::Two(two), Poll::Ready(Some(Ok(frame)))) = (&*self, &polled) {
                // Frames and their padding come on top.
                two.meter.used(frame.data_ref().map_or(0, |data| 2 * data.len() as u64));
            }
            polled
        })
        .await
    }
}

impl One {
    fn drive(&mut self, cx: &mut Context<'_>) {
        // Its result is told to the exchange on it.
        self.over = self.over || Pin::new(&mut self.work).poll(cx).is_ready();
    }

    /// After an exchange, or a while in the pool: can it take another one?
    pub(crate) fn ready(&mut self) -> bool {
        self.served = true;
        self.drive(&mut Context::from_waker(Waker::noop()));
        !self.over && self.sender.is_ready()
    }
}

impl Two {
    /// Does the server only keep us busy on it?
    pub(crate) fn is_flooded(&self) -> bool {
        self.meter.is_flooded()
    }

    /// Can it take another exchange?
    pub(crate) fn ready(&mut self) -> bool {
        self.served = true;
        self.sender.is_ready()
    }
}
