//! How a call ends when it does not succeed: the door's failure as JSON, with a fitting status.

use afoot::{Failure, FailureKind};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// A failure on its way to the page.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) failure: Failure,
}

pub(crate) type Reply<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, words: impl std::fmt::Display) -> Self {
        Self {
            status,
            failure: Failure::bad_request(words),
        }
    }

    pub(crate) fn missing(words: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, words)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let status = match failure.kind {
            FailureKind::BadRequest => StatusCode::BAD_REQUEST,
            FailureKind::NoMotion => StatusCode::UNPROCESSABLE_ENTITY,
            FailureKind::Cancelled => StatusCode::CONFLICT,
            FailureKind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, failure }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.failure)).into_response()
    }
}

/// There is no such thing to ask.
pub(crate) async fn nothing() -> Refusal {
    Refusal::missing("there is nothing to ask here")
}

/// Work that reads files or computes, away from the threads that answer.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Reply<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Failure::failed("the work broke off; see the terminal").into()),
    }
}
