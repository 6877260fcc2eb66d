//! Who may use the server: other users of the machine reach its port, too, so that a browser has to know a token.
//!
//! The token is in a file of the data folder that only its user can read, and in the address that the program prints.
//! The first request with it gets a cookie and is led to the address without it.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use crate::page::own_html;

/// The bytes of a token: 128 bits.
const TOKEN_BYTES: usize = 16;
/// The name of the file with the token.
const FILE_NAME: &str = "access-token";
/// The name of the parameter of the address.
const PARAMETER: &str = "token";
/// How long a browser keeps the cookie, in seconds: 400 days, which is the maximum of browsers.
const COOKIE_SECONDS: u32 = 400 * 24 * 60 * 60;
/// The page without a token.
const REFUSED: &str = concat!(include_str!("pages/head.html"), include_str!("pages/refused.html"));
/// The page that leads on to the address without the token.
const WELCOME: [&str; 2] = [
    concat!(include_str!("pages/head.html"), "<meta http-equiv=\"refresh\" content=\"0; url="),
    "\">\n</html>\n",
];

/// A random secret in hexadecimal digits.
///
/// ```
/// use alfil_server::AccessToken;
///
/// let folder = tempfile::tempdir().unwrap();
/// let token = AccessToken::of_folder(folder.path()).unwrap();
/// // The token survives a restart of the server.
/// assert!(token == AccessToken::of_folder(folder.path()).unwrap());
/// assert!(token != AccessToken::random().unwrap());
/// ```
#[derive(Clone)]
pub struct AccessToken(String);

impl AccessToken {
    /// Returns the token of a data folder, which is made if there is none, or if other users may have read it.
    ///
    /// # Errors
    /// If the file cannot be read or written, or the system has no random numbers.
    pub fn of_folder(folder: &Path) -> io::Result<AccessToken> {
        let path = folder.join(FILE_NAME);
        if let Some(token) = read_private(&path)? {
            return Ok(token);
        }
        let token = AccessToken::random()?;
        // Such a file can be read and written by its user alone.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        writeln!(file, "{}", token.0)?;
        file.as_file().sync_all()?;
        match file.persist_noclobber(&path) {
            Ok(_) => Ok(token),
            // Another server of this folder has just made one.
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => read_private(&path)?
                .ok_or_else(|| io::Error::other(format!("{} cannot be replaced", path.display()))),
            Err(error) => Err(error.error),
        }
    }

    /// Returns a new token.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> io::Result<AccessToken> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(AccessToken(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn parse(text: &str) -> Option<AccessToken> {
        let is_token = text.len() == 2 * TOKEN_BYTES
            && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_token.then(|| AccessToken(text.to_owned()))
    }

    /// Returns whether a text is the token, in a time that does not depend on where they differ.
    fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

impl PartialEq for AccessToken {
    fn eq(&self, other: &AccessToken) -> bool {
        self.is(&other.0)
    }
}

impl Eq for AccessToken {}

impl fmt::Debug for AccessToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AccessToken")
    }
}

/// Reads a token. A file that other users can read, or that has no token, is removed.
fn read_private(path: &Path) -> io::Result<Option<AccessToken>> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_private = is_private(&file.metadata()?);
    let mut text = String::new();
    let is_text = file.take(2 * TOKEN_BYTES as u64 + 2).read_to_string(&mut text).is_ok();
    let token = AccessToken::parse(text.trim_end()).filter(|_| is_private && is_text);
    if token.is_none() {
        fs::remove_file(path)?;
    }
    Ok(token)
}

#[cfg(unix)]
fn is_private(file: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.is_file() && file.mode() & 0o077 == 0
}

/// The data folder of a user is closed to other users.
#[cfg(not(unix))]
fn is_private(file: &fs::Metadata) -> bool {
    file.is_file()
}

/// The secrets of a running server.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    token: AccessToken,
    /// A token for one request: the command line of a browser, in which it stands, is shown to other users.
    single_use: Arc<Mutex<Option<AccessToken>>>,
    cookie_name: Arc<str>,
}

impl Access {
    /// Returns the access to a server. The port is in the name of the cookie, because cookies belong to all ports of a
    /// host.
    pub(crate) fn new(token: AccessToken, port: u16) -> Access {
        Access { token, single_use: Arc::default(), cookie_name: format!("alfil-{port}").into() }
    }

    /// Returns the query of the address that the program prints.
    pub(crate) fn query(&self) -> String {
        format!("?{PARAMETER}={}", self.token.0)
    }

    /// Returns a query that is valid once.
    pub(crate) fn single_use_query(&self) -> io::Result<String> {
        let token = AccessToken::random()?;
        let query = format!("?{PARAMETER}={}", token.0);
        *self.single_use.lock().unwrap_or_else(PoisonError::into_inner) = Some(token);
        Ok(query)
    }

    /// Returns the response to a request that is refused or led on to another address; the others may go on.
    /// `is_socket`: a WebSocket is not led on.
    pub(crate) fn response(&self, uri: &Uri, headers: &HeaderMap, is_socket: bool) -> Option<Response> {
        let (given, rest) = token_and_rest(uri.query().unwrap_or_default());
        if !given.is_some_and(|given| self.is_valid(given)) && !self.has_cookie(headers) {
            Some(refusal())
        } else if given.is_none() || is_socket {
            None
        } else {
            Some(self.led_on(&place(uri.path(), &rest), headers))
        }
    }

    fn is_valid(&self, given: &str) -> bool {
        let mut single_use = self.single_use.lock().unwrap_or_else(PoisonError::into_inner);
        let is_single_use = single_use.as_ref().is_some_and(|token| token.is(given));
        if is_single_use {
            *single_use = None;
        }
        self.token.is(given) || is_single_use
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let cookies =
            lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        cookies.filter(|(name, _)| *name == &*self.cookie_name).any(|(_, value)| self.token.is(value))
    }

    /// Returns the response with the cookie that leads to the address without the token.
    fn led_on(&self, place: &str, request_headers: &HeaderMap) -> Response {
        let cookie = format!(
            "{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age={COOKIE_SECONDS}",
            self.cookie_name, self.token.0
        );
        // A browser does not send the new cookie after the redirection of a link on another site, but after that of
        // a page of this one.
        let is_link = request_headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
        let mut response = match HeaderValue::from_str(place) {
            Ok(location) if !is_link => {
                (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
            }
            _ => own_html(&WELCOME.join(&escaped(place))),
        };
        let headers = response.headers_mut();
        // The name and the token have letters and digits.
        headers.extend(HeaderValue::from_str(&cookie).map(|cookie| (header::SET_COOKIE, cookie)));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

/// Returns the token in a query, and the other parameters.
fn token_and_rest(query: &str) -> (Option<&str>, String) {
    let value = |part: &'_ str| part.split_once('=').is_some_and(|(name, _)| name == PARAMETER);
    let given = query.split('&').find(|part| value(part)).and_then(|part| part.split_once('='));
    let rest: Vec<_> = query.split('&').filter(|part| !part.is_empty() && !value(part)).collect();
    (given.map(|(_, token)| token), rest.join("&"))
}

/// Returns an address of this host: two slashes at the beginning would name another.
fn place(path: &str, query: &str) -> String {
    let separator = if query.is_empty() { "" } else { "?" };
    format!("/{}{separator}{query}", path.trim_start_matches(['/', '\\']))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

fn refusal() -> Response {
    let mut response = own_html(REFUSED);
    *response.status_mut() = StatusCode::FORBIDDEN;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(access: &Access, query: &str) -> Option<StatusCode> {
        let uri: Uri = format!("/{query}").parse().unwrap();
        access.response(&uri, &HeaderMap::new(), false).map(|response| response.status())
    }

    #[test]
    fn a_token_for_one_request_is_valid_once() {
        let access = Access::new(AccessToken::random().unwrap(), 80);
        let query = access.single_use_query().unwrap();
        assert_eq!(status(&access, &query), Some(StatusCode::SEE_OTHER));
        assert_eq!(status(&access, &query), Some(StatusCode::FORBIDDEN));
        for _ in 0..2 {
            assert_eq!(status(&access, &access.query()), Some(StatusCode::SEE_OTHER));
        }
    }

    #[test]
    fn a_token_has_128_random_bits_and_is_not_shown() {
        let token = AccessToken::random().unwrap();
        assert_eq!(token.as_str().len(), 32);
        assert_eq!(AccessToken::parse(token.as_str()), Some(token.clone()));
        assert!(!format!("{:?}", Access::new(token.clone(), 80)).contains(token.as_str()));
        for damaged in ["", &token.as_str()[1..], &format!("{}0", token.as_str()), &"G".repeat(32)] {
            assert_eq!(AccessToken::parse(damaged), None, "{damaged}");
        }
    }

    #[test]
    fn a_damaged_token_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let first = AccessToken::of_folder(folder.path()).unwrap();
        for content in [&b""[..], &[0xff; 32], b"0123", &[b'0'; 100]] {
            fs::write(folder.path().join(FILE_NAME), content).unwrap();
            let next = AccessToken::of_folder(folder.path()).unwrap();
            assert!(next != first && next == AccessToken::of_folder(folder.path()).unwrap());
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_its_user_can_read_the_token() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let first = AccessToken::of_folder(folder.path()).unwrap();
        let path = folder.path().join(FILE_NAME);
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        // Another user may have read it since.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(AccessToken::of_folder(folder.path()).unwrap() != first);
        assert_eq!(mode(), 0o600);
    }
}
