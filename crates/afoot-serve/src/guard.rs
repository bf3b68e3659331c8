//! Who may ask: this computer's own page, or somebody with the token; no other site's page.
//!
//! A page of another site can make a browser call any address. Its `Origin` tells, and where a name of its
//! own was made to lead here, `Host` does. Where other computers can call, the token is asked for: once in
//! the address (`?token=`), from then on in a cookie that no other site's call carries.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::reply::Refusal;

const COOKIE: &str = "afoot_token";

#[derive(Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, token: Option<String>) -> Self {
        Self { address, token }
    }

    /// What to open.
    pub(crate) fn url(&self) -> String {
        match &self.token {
            Some(token) => format!("http://{}/?token={token}", self.address),
            None => format!("http://{}/", self.address),
        }
    }

    fn refuses(&self, request: &Request) -> Option<Refusal> {
        let headers = request.headers();
        let host = text(headers, header::HOST).unwrap_or_default();
        let no = |words| Some(Refusal::new(StatusCode::FORBIDDEN, words));
        if self.address.ip().is_loopback() && !self.is_own_name(host) {
            return no("this name does not lead here");
        }
        let origin = text(headers, header::ORIGIN);
        if origin.is_some_and(|origin| origin != format!("http://{host}")) {
            return no("another site's page may not ask");
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let navigates = headers
            .get("sec-fetch-mode")
            .is_some_and(|mode| mode == "navigate");
        if matches!(site, Some(b"cross-site" | b"same-site")) && !navigates {
            return no("another site's page may not ask");
        }
        match &self.token {
            Some(token) if !self.knows(token, request) => Some(Refusal::new(
                StatusCode::UNAUTHORIZED,
                "the token is missing or wrong; open the address that the program printed",
            )),
            _ => None,
        }
    }

    fn is_own_name(&self, host: &str) -> bool {
        let port = self.address.port();
        ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|name| host == format!("{name}:{port}") || (port == 80 && host == *name))
    }

    fn knows(&self, token: &str, request: &Request) -> bool {
        let headers = request.headers();
        let bearer = text(headers, header::AUTHORIZATION).and_then(|v| v.strip_prefix("Bearer "));
        let cookies = text(headers, header::COOKIE).unwrap_or_default();
        let prefix = format!("{COOKIE}=");
        let cookie = cookies.split("; ").find_map(|c| c.strip_prefix(&prefix));
        [bearer, cookie, in_query(request)]
            .into_iter()
            .flatten()
            .any(|said| same(said, token))
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn in_query(request: &Request) -> Option<&str> {
    let query = request.uri().query()?;
    query
        .split('&')
        .find_map(|part| part.strip_prefix("token="))
}

/// Compares without telling by its time how far they agree.
fn same(said: &str, token: &str) -> bool {
    let differs = said
        .bytes()
        .zip(token.bytes())
        .fold(0, |d, (a, b)| d | (a ^ b));
    said.len() == token.len() && differs == 0
}

/// What a page from here may load and do.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
                      media-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let in_query = in_query(&request).map(String::from);
    let mut response = match guard.refuses(&request) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A token that was let in by the address is remembered, so that the page's own calls carry it.
    if let (Some(token), Some(said)) = (&guard.token, in_query)
        && same(&said, token)
        && let Ok(value) = HeaderValue::from_str(&format!(
            "{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"
        ))
    {
        headers.insert(header::SET_COOKIE, value);
    }
    response
}
