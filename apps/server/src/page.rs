//! The files of the page and of the book: release builds embed them, debug builds read them from disk.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
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
    concat!(include_str!("pages/head.html"), include_str!("pages/page_not_built.html"));
/// The answer if the book was not built.
const BOOK_NOT_BUILT: &str =
    concat!(include_str!("pages/head.html"), include_str!("pages/book_not_built.html"));

/// Returns a file of the page or of the book, `index.html` for a folder.
pub(crate) async fn serve(uri: Uri, request_headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path_in_book = path.strip_prefix("book/");
    let name = with_index(path_in_book.unwrap_or(path));
    let file = if path_in_book.is_some() { Book::get(&name) } else { Page::get(&name) };
    match (file, path) {
        (Some(file), _) => respond(&name, file, &request_headers),
        (None, _) if path_in_book.is_some() => match Book::get("index.html") {
            None => own_html(BOOK_NOT_BUILT),
            Some(_) => (StatusCode::NOT_FOUND, "Not found; the book begins at /book/\n").into_response(),
        },
        (None, "") => own_html(PAGE_NOT_BUILT),
        (None, "book") => Redirect::permanent("/book/").into_response(),
        (None, _) => (StatusCode::NOT_FOUND, "Not found; the page is at /\n").into_response(),
    }
}

/// Returns the name of the file that is shown for a path.
fn with_index(path: &str) -> String {
    if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() }
}

/// Returns an HTML page of this program, with its policy.
pub(crate) fn own_html(html: &str) -> Response {
    ([(header::CONTENT_SECURITY_POLICY, policy_of(html.as_bytes()))], Html(html.to_owned())).into_response()
}

/// The policy of everything but HTML: nothing may be loaded, and no page may show it in a frame.
const NO_SOURCES: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
/// The bytes at the beginning of an HTML page in which its policy stands.
const MAX_POLICY_BYTES: usize = 4096;

/// Returns the Content-Security-Policy that stands in an HTML page, with what only a header can say.
fn policy_of(html: &[u8]) -> HeaderValue {
    const BEFORE: &str = "http-equiv=\"Content-Security-Policy\" content=\"";
    let text = String::from_utf8_lossy(&html[..html.len().min(MAX_POLICY_BYTES)]);
    let policy = text.split_once(BEFORE).and_then(|(_, rest)| rest.split('"').next());
    let with_frames = policy.map(|policy| format!("{policy}; frame-ancestors 'none'"));
    with_frames.and_then(|policy| HeaderValue::try_from(policy).ok()).unwrap_or(NO_SOURCES)
}

/// Adds the headers by which browsers refuse what no other site may do with a response.
pub(crate) async fn protect(mut response: Response) -> Response {
    const HEADERS: [(HeaderName, HeaderValue); 5] = [
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    ];
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(NO_SOURCES);
    headers.extend(HEADERS);
    response
}

/// Returns a file with its type. Browsers revalidate by the ETag and keep their compiled scripts if it is unchanged.
fn respond(name: &str, file: EmbeddedFile, request_headers: &HeaderMap) -> Response {
    let content_type = mime_guess::from_path(name).first_or_octet_stream();
    let hash = file.metadata.sha256_hash();
    let tag = hash.iter().take(8).fold(String::from("\""), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
    let policy = if content_type == mime_guess::mime::TEXT_HTML { policy_of(&file.data) } else { NO_SOURCES };
    // The policy of an unchanged file, too, because browsers replace the headers that they have kept.
    let policy = [(header::CONTENT_SECURITY_POLICY, policy)];
    let headers = [
        (header::CONTENT_TYPE, content_type.as_ref()),
        (header::CACHE_CONTROL, "no-cache"),
        (header::ETAG, &tag),
    ];
    if request_headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, policy, headers).into_response();
    }
    (policy, headers, file.data).into_response()
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

    /// Returns the hash of a style or script in the form of a policy.
    fn hash_of(text: &str) -> String {
        use base64::prelude::{BASE64_STANDARD, Engine as _};
        use sha2::{Digest as _, Sha256};
        format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
    }

    #[tokio::test]
    async fn every_response_forbids_frames_and_whatever_the_page_does_not_have() {
        for path in ["/", "/book/", "/none", "/index.js", "/book", "/book/none.html"] {
            let response = protect(response_to(path).await).await;
            let header = |name| response.headers()[name].to_str().unwrap().to_owned();
            let policy = header("content-security-policy");
            assert!(policy.starts_with("default-src 'none'; "), "{path}: {policy}");
            assert!(policy.ends_with("; frame-ancestors 'none'"), "{path}: {policy}");
            let scripts = policy.split(';').find(|part| part.contains("script-src")).unwrap_or_default();
            assert!(!scripts.contains("unsafe") && !scripts.contains('*'), "{path}: {policy}");
            assert_eq!(header("x-frame-options"), "DENY");
            assert_eq!(header("x-content-type-options"), "nosniff");
            assert_eq!(header("referrer-policy"), "no-referrer");
        }
    }

    #[test]
    fn the_policy_of_own_pages_allows_their_style_alone() {
        for html in [PAGE_NOT_BUILT, BOOK_NOT_BUILT] {
            let style = html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
            let policy = policy_of(html.as_bytes());
            let expected = format!("default-src 'none'; style-src {}; base-uri", hash_of(style));
            assert!(policy.to_str().unwrap().starts_with(&expected), "{policy:?} lacks {expected}");
        }
    }

    #[tokio::test]
    async fn an_unchanged_page_keeps_its_policy() {
        let first = response_to("/").await;
        let Some(tag) = first.headers().get(header::ETAG) else { return };
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag.clone())]);
        let second = serve(Uri::from_static("/"), known).await;
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        let name = header::CONTENT_SECURITY_POLICY;
        assert_eq!(second.headers()[&name], first.headers()[&name]);
        assert!(first.headers()[&name].to_str().unwrap().contains("script-src 'self' 'sha256-"));
    }
}
