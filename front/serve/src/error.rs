//! What went wrong, said so that somebody can do something about it: as a problem (RFC 9457) to programs, as a page to people.

use std::net::SocketAddr;
use std::path::PathBuf;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use groma_search::SearchError;
use groma_settings::Fault;
use groma_store::StoreError;
use groma_survey_graph::SurveyGraphError;
use serde::Serialize;

use crate::{PORT, words};

/// Why a request was not answered as asked. Pages and API return it alike: [`crate::door`] makes a page of it where a person asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Problem {
    /// HTTP status.
    #[serde(serialize_with = "code")]
    #[cfg_attr(test, schema(value_type = u16, minimum = 400, maximum = 599))]
    pub(crate) status: StatusCode,
    /// What kind of problem it is: never changes for the same kind.
    pub(crate) title: &'static str,
    /// What is wrong with this request.
    pub(crate) detail: String,
    /// What to do next.
    pub(crate) hint: String,
    /// In how many seconds it is worth another try.
    #[serde(skip)]
    pub(crate) retry_after: Option<u64>,
}

fn code<S: serde::Serializer>(status: &StatusCode, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u16(status.as_u16())
}

impl Problem {
    /// A problem with any status; the title follows from it.
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>, hint: impl Into<String>) -> Problem {
        let title = status.canonical_reason().unwrap_or("Problem");
        // What was typed or read may be quoted: no signs that turn the line around or hide a part of it.
        let detail = detail.into().chars().filter(|c| !words::is_trick(*c)).collect();
        Problem { status, title, detail, hint: hint.into(), retry_after: None }
    }

    /// What was asked cannot be understood or is not allowed as it stands.
    pub(crate) fn bad(detail: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail, hint)
    }

    /// It was understood, and cannot be taken as it is.
    pub(crate) fn refused(detail: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail, hint)
    }

    /// There is no such thing.
    pub(crate) fn missing(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail, "see what there is in the list above it")
    }

    /// It cannot be done in the state in which things are.
    pub(crate) fn conflict(detail: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, detail, hint)
    }

    /// The one who asks may not.
    pub(crate) fn forbidden(detail: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, detail, hint)
    }

    /// Too much at once.
    pub(crate) fn busy() -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, words::BUSY, "try again in a few seconds").after(5)
    }

    /// A mistake of ours, or of the disk.
    pub(crate) fn ours(detail: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail, hint)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.status, body).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response = self.with_wait(response);
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        let status = match &error {
            StoreError::Missing(_) => StatusCode::NOT_FOUND,
            StoreError::Busy(_) => StatusCode::CONFLICT,
            StoreError::DiskFull | StoreError::NoRoom(_) => StatusCode::INSUFFICIENT_STORAGE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Problem::new(status, error.to_string(), error.hint())
    }
}

impl From<SurveyGraphError> for Problem {
    fn from(error: SurveyGraphError) -> Problem {
        match error {
            SurveyGraphError::Store(error) => error.into(),
            SurveyGraphError::Io(_) => Fault::from(error).into(),
            _ => Problem { status: StatusCode::CONFLICT, ..Fault::from(error).into() }.titled(),
        }
    }
}

impl From<SearchError> for Problem {
    fn from(error: SearchError) -> Problem {
        match error {
            SearchError::Store(error) => error.into(),
            SearchError::Busy => Problem::conflict(error.to_string(), error.hint()),
            _ => Problem::ours(error.to_string(), error.hint()),
        }
    }
}

/// What the desk says is about what was asked for, unless the caller knows better.
impl From<Fault> for Problem {
    fn from(fault: Fault) -> Problem {
        Problem::refused(fault.says, fault.hint)
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Problem {
        Problem::ours(error.to_string(), words::DISK_HINT)
    }
}

impl Problem {
    /// Another try is worth it after so many seconds.
    pub(crate) fn after(mut self, seconds: u64) -> Problem {
        self.retry_after = Some(seconds);
        self
    }

    /// An answer that says in how many seconds another try is worth it.
    pub(crate) fn with_wait(&self, mut response: Response) -> Response {
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }

    fn titled(self) -> Problem {
        Problem::new(self.status, self.detail, self.hint)
    }
}

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {at}: {source}")]
    Listen {
        /// Address to listen on.
        at: SocketAddr,
        source: std::io::Error,
    },
    /// Others could reach it, and there is no password.
    #[error("{at} can be reached by others, and there is no user with a password")]
    NoPassword {
        /// Where it was to listen.
        at: SocketAddr,
        /// It would have listened on this machine only, with a proxy before it.
        loopback: bool,
    },
    /// The key of a server without users cannot be kept.
    #[error("the start key cannot be kept in {at}: {source}")]
    Key {
        /// Where it was to be kept.
        at: PathBuf,
        source: std::io::Error,
    },
    /// The home folder cannot be made.
    #[error("{at}: {source}")]
    Home {
        /// Where it was to be.
        at: PathBuf,
        source: std::io::Error,
    },
    /// A named survey is not there.
    #[error("there is no survey at {0}")]
    NoSurvey(PathBuf),
    /// Users and sessions cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Threads or memory are short.
    #[error("the server cannot start: {0}")]
    Start(std::io::Error),
    /// What was asked for, or the configuration, makes no sense.
    #[error("{says}")]
    Options {
        says: String,
        /// What to do next.
        hint: String,
    },
}

impl ServeError {
    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            ServeError::Listen { at, source } if source.kind() == std::io::ErrorKind::AddrInUse => {
                in_use_hint(*at)
            }
            ServeError::Listen { at, .. } => listen_hint(*at),
            ServeError::Home { .. } => "name a folder that can be written with --home".to_owned(),
            ServeError::NoPassword { at, loopback } => no_password_hint(*at, *loopback),
            ServeError::Key { .. } => "name a folder that only you can read with --home, or make a user with `groma user add NAME`: then no key is needed".to_owned(),
            ServeError::NoSurvey(_) => words::NO_SURVEY_HINT.to_owned(),
            ServeError::Store(error) => error.hint().to_owned(),
            ServeError::Start(_) => "check the limits of processes and open files (ulimit -a)".to_owned(),
            ServeError::Options { hint, .. } => hint.clone(),
        }
    }
}

fn in_use_hint(at: SocketAddr) -> String {
    let next = SocketAddr::new(at.ip(), at.port().checked_add(1).unwrap_or(PORT));
    format!("another program listens there: choose another port, such as --listen {next}")
}

fn listen_hint(at: SocketAddr) -> String {
    let port = if at.port() >= 1024 { at.port() } else { PORT };
    format!("name an address of this machine with --listen, such as 127.0.0.1:{port}")
}

fn no_password_hint(at: SocketAddr, loopback: bool) -> String {
    if loopback {
        return "make a user with `groma user add NAME`, or omit --public-url and --trusted-proxy".to_owned();
    }
    format!("make a user with `groma user add NAME`, or listen on this machine only: --listen 127.0.0.1:{}", at.port())
}
