//! The files of the page and of the book: release builds embed them, debug builds read them from disk.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// The documents as a site, under `/book/`.
#[derive(RustEmbed)]
#[folder = "../../book/dist"]
#[allow_missing = true]
struct Book;

/// The answer if the page was not built.
const PAGE_NOT_BUILT: &str =
    concat!(include_str!("not_built/head.html"), include_str!("not_built/page.html"));
/// The answer if the book was not built.
const BOOK_NOT_BUILT: &str =
    concat!(include_str!("not_built/head.html"), include_str!("not_built/book.html"));

/// Returns a file of the page or of the book, `index.html` for a folder.
pub(crate) async fn serve(uri: Uri, request_headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path_in_book = path.strip_prefix("book/");
    let name = with_index(path_in_book.unwrap_or(path));
    let file = if path_in_book.is_some() { Book::get(&name) } else { Page::get(&name) };
    match (file, path) {
        (Some(file), _) => respond(&name, file, &request_headers),
        (None, _) if path_in_book.is_some() => match Book::get("index.html") {
            None => Html(BOOK_NOT_BUILT).into_response(),
            Some(_) => (StatusCode::NOT_FOUND, "Not found; the book begins at /book/\n").into_response(),
        },
        (None, "") => Html(PAGE_NOT_BUILT).into_response(),
        (None, "book") => Redirect::permanent("/book/").into_response(),
        (None, _) => (StatusCode::NOT_FOUND, "Not found; the page is at /\n").into_response(),
    }
}

/// Returns the name of the file that is shown for a path.
fn with_index(path: &str) -> String {
    if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() }
}

/// Returns a file with its type. Browsers revalidate by the ETag and keep their compiled scripts if it is unchanged.
fn respond(name: &str, file: EmbeddedFile, request_headers: &HeaderMap) -> Response {
    let content_type = mime_guess::from_path(name).first_or_octet_stream();
    let hash = file.metadata.sha256_hash();
    let tag = hash.iter().take(8).fold(String::from("\""), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
    let headers = [
        (header::CONTENT_TYPE, content_type.as_ref()),
        (header::CACHE_CONTROL, "no-cache"),
        (header::ETAG, &tag),
    ];
    if request_headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.data).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn response_to(path: &'static str) -> Response {
        serve(Uri::from_static(path), HeaderMap::new()).await
    }

    #[tokio::test]
    async fn the_book_is_there_or_the_page_says_how_to_build_it() {
        let book = response_to("/book/").await;
        assert_eq!(book.status(), StatusCode::OK);
        let content_type = book.headers()[header::CONTENT_TYPE].to_str().unwrap();
        assert!(content_type.starts_with("text/html"), "{content_type}");
        assert!(BOOK_NOT_BUILT.contains("cargo xtask book"));
        assert_eq!(book.headers().contains_key(header::ETAG), Book::get("index.html").is_some());
        let redirect = response_to("/book").await;
        assert_eq!(redirect.headers()[header::LOCATION], "/book/");
    }

    #[tokio::test]
    async fn only_files_of_the_page_and_the_book_are_served() {
        for path in ["/none", "/book.html", "/../Cargo.toml", "/book/none.html", "/book/../package.json"] {
            let response = response_to(path).await;
            assert!(!response.headers().contains_key(header::ETAG), "{path} is a file");
            if !path.starts_with("/book/") || Book::get("index.html").is_some() {
                assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
            }
        }
    }
}
