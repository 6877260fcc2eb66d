//! The page's files, embedded in the program when it is built; in development builds they are read from disk.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// What stands in for a page that was not built.
const PAGE_NOT_BUILT: &str = include_str!("absent.html");

/// A file of the page; `/` is its beginning. A browser that has it still asks, and hears only that it is the same: then it
/// keeps what it has compiled, too.
pub(crate) async fn serve(uri: Uri, asked: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    match Page::get(name) {
        Some(file) => {
            let kind = mime_guess::from_path(name).first_or_octet_stream();
            let hash = file.metadata.sha256_hash();
            let tag =
                hash.iter().take(8).fold(String::from("\""), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
            let headers = [
                (header::CONTENT_TYPE, kind.as_ref()),
                (header::CACHE_CONTROL, "no-cache"),
                (header::ETAG, &tag),
            ];
            if asked.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
                return (StatusCode::NOT_MODIFIED, headers).into_response();
            }
            (headers, file.data).into_response()
        }
        None if path.is_empty() => Html(PAGE_NOT_BUILT).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here; the page is at /\n").into_response(),
    }
}
