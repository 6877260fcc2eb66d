//! Who may use the server.

use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::common::{TestClient, cookie, fetch, fetch_with, start_server, token_query};

#[tokio::test]
async fn without_the_token_nothing_is_served() {
    let port = start_server().await;
    let other = cookie(port.wrapping_add(1));
    let query = token_query();
    let [shorter, changed] = [&query[..query.len() - 1], &query.replace("token=", "token=0")];
    for path in ["/", "/index.js", "/book/", "/none", "/ws", "/?token=", shorter, changed, "/ws?tokens=1"] {
        let path = if path.starts_with('?') { format!("/{path}") } else { path.to_owned() };
        for headers in [&[][..], &[&*other], &["Cookie: alfil=1; ="]] {
            let response = fetch_with(port, &path, headers).await;
            assert!(response.starts_with("HTTP/1.1 403"), "{path} {headers:?}: {response}");
            assert!(response.contains("alfil serve") && response.contains("请打开"), "{response}");
            assert!(response.contains("content-security-policy: default-src 'none'; "), "{response}");
        }
    }
    let error = connect_async(format!("ws://127.0.0.1:{port}/ws")).await.expect_err("no WebSocket");
    assert!(matches!(&error, Error::Http(response) if response.status() == 403), "{error:?}");
}

#[tokio::test]
async fn the_token_gets_a_cookie_and_the_address_without_it() {
    let port = start_server().await;
    let token = token_query();
    for (path, place) in [
        (format!("/{token}"), "/"),
        (format!("/book/{token}"), "/book/"),
        (format!("/book/{token}&q=1"), "/book/?q=1"),
        // An address with two slashes would be that of another host.
        (format!("//evil.example/{token}"), "/evil.example/"),
    ] {
        let response = fetch_with(port, &path, &["Sec-Fetch-Site: none"]).await;
        assert!(response.starts_with("HTTP/1.1 303"), "{path}: {response}");
        let line = |name: &str| {
            let line = response.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("{path} has no {name}: {response}")).to_owned()
        };
        assert_eq!(line("location: "), place);
        assert_eq!(line("cache-control: "), "no-store");
        let expected =
            format!("{}; HttpOnly; SameSite=Strict; Path=/; ", cookie(port).rsplit(' ').next().unwrap());
        assert!(line("set-cookie: ").starts_with(&expected), "{response}");
    }
    assert!(fetch(port, "/none").await.starts_with("HTTP/1.1 404"));
    let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
    let value = cookie(port).replace("Cookie: ", "");
    request.headers_mut().insert("cookie", value.parse().unwrap());
    connect_async(request).await.expect("a WebSocket with the cookie");
    TestClient::open(port).await;
}

#[tokio::test]
async fn a_link_of_another_site_is_led_on_by_a_page_of_this_one() {
    let port = start_server().await;
    let path = format!("/book/{}&q=%22&r=1", token_query());
    let response = fetch_with(port, &path, &["Sec-Fetch-Site: cross-site"]).await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.contains("content=\"0; url=/book/?q=%22&amp;r=1\""), "{response}");
    assert!(response.contains("set-cookie: alfil-"), "{response}");
}

#[tokio::test]
async fn servers_on_two_ports_have_cookies_of_their_own() {
    let [one, two] = [start_server().await, start_server().await];
    // A browser sends both to each.
    let both = format!("{}; {}", cookie(one), cookie(two).replace("Cookie: ", ""));
    for port in [one, two] {
        assert!(fetch_with(port, "/", &[&both]).await.starts_with("HTTP/1.1 200"));
    }
    assert!(fetch_with(two, "/", &[&cookie(one)]).await.starts_with("HTTP/1.1 403"));
}

#[tokio::test]
async fn a_second_host_header_is_rejected() {
    let port = start_server().await;
    for host in ["Host: evil.example".to_owned(), format!("Host: 127.0.0.1:{port}")] {
        let response = fetch_with(port, "/", &[&cookie(port), &host]).await;
        assert!(response.starts_with("HTTP/1.1 40"), "{response}");
    }
}
