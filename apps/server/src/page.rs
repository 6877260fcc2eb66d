//! The files of the page: release builds embed them, debug builds read them from disk.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// The answer if the page was not built.
const PAGE_NOT_BUILT: &str = include_str!("page_not_built.html");

/// Returns a file of the page, `index.html` for `/`. Browsers revalidate by the ETag and keep their compiled scripts if
/// it is unchanged.
pub(crate) async fn serve(uri: Uri, request_headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    match Page::get(name) {
        Some(file) => {
            let content_type = mime_guess::from_path(name).first_or_octet_stream();
            let hash = file.metadata.sha256_hash();
            let tag =
                hash.iter().take(8).fold(String::from("\""), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
            let headers = [
                (header::CONTENT_TYPE, content_type.as_ref()),
                (header::CACHE_CONTROL, "no-cache"),
                (header::ETAG, &tag),
            ];
            if request_headers
                .get(header::IF_NONE_MATCH)
                .is_some_and(|known| known.as_bytes() == tag.as_bytes())
            {
                return (StatusCode::NOT_MODIFIED, headers).into_response();
            }
            (headers, file.data).into_response()
        }
        None if path.is_empty() => Html(PAGE_NOT_BUILT).into_response(),
        None => (StatusCode::NOT_FOUND, "Not found; the page is at /\n").into_response(),
    }
}
