//! The page itself: what `make web` built, inside the program; else a plain one that says how to build it.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

const NOT_BUILT: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Afoot</title>\
<style>body{background:#14161a;color:#d7dae0;font:15px/1.6 system-ui;max-width:40em;margin:15vh auto}code{color:#fff}</style>\
<h1>Afoot is running</h1><p>This program was built without the workbench's page. Build it with <code>make web</code> \
(it needs Node.js 20 or newer) and build the program again. The API under <code>/api</code> works.</p></html>";

pub(crate) async fn serve(uri: Uri) -> Response {
    let name = uri.path().trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let found = FILES.iter().find(|(path, _)| *path == name);
    match found {
        Some((path, bytes)) => {
            let kept = match path.starts_with("assets/") {
                true => "public, max-age=31536000, immutable", // their names change with what is in them
                false => "no-cache",
            };
            let headers = [
                (header::CONTENT_TYPE, kind_of(path)),
                (header::CACHE_CONTROL, kept),
            ];
            (headers, *bytes).into_response()
        }
        None if name == "index.html" => {
            let headers = [(header::CONTENT_TYPE, kind_of(name))];
            (headers, NOT_BUILT).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file").into_response(),
    }
}

/// The media type of a file, by its ending.
pub(crate) fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("glb") => "model/gltf-binary",
        Some("bvh" | "amc" | "asf" | "csv" | "usda") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
