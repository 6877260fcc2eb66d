//! The time of a click, from the request of the page to the response, with the game saved to a file:
//! `cargo bench -p alfil-server`. The argument is the number of moves of the game, variations included; a click in the
//! large game should take at most twice as long as in the small one.

use std::sync::Mutex;

use alfil_server::{AccessToken, Server, Store};
use divan::Bencher;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The numbers of moves of the games.
const MOVES: [usize; 2] = [10, 5_000];
/// The number of plies of a line in the large game.
const LINE_PLIES: usize = 100;

fn main() {
    divan::main();
}

/// A server with a file, and a connection to it.
struct Connection {
    runtime: Runtime,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last_id: u64,
    _folder: tempfile::TempDir,
}

impl Connection {
    fn open() -> Connection {
        let runtime = Runtime::new().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a store");
        let socket = runtime.block_on(async {
            let token = AccessToken::random().expect("random numbers");
            let server = Server::bind(0, store, token).await.expect("a free port");
            let url = server.socket_url();
            tokio::spawn(server.run());
            connect_async(url).await.expect("a socket").0
        });
        Connection { runtime, socket, last_id: 0, _folder: folder }
    }

    /// Sends a request and returns its response.
    fn request(&mut self, mut request: Value) -> Value {
        self.last_id += 1;
        request["id"] = json!(self.last_id);
        let socket = &mut self.socket;
        self.runtime.block_on(async {
            socket.send(Message::text(request.to_string())).await.expect("the server is connected");
            loop {
                if let Message::Text(text) = socket.next().await.expect("a message").expect("a message") {
                    let response: Value = serde_json::from_str(&text).expect("JSON");
                    assert!(response["error"].is_null(), "{response}");
                    if response["id"] == request["id"] {
                        return response;
                    }
                }
            }
        })
    }
}

/// Returns a game of chess as PGN: lines of knight moves, which begin with different moves.
fn pgn(moves: usize) -> String {
    let mut lines = (0..moves.div_ceil(LINE_PLIES)).map(|number| {
        let plies = (moves - number * LINE_PLIES).min(LINE_PLIES);
        let cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let mut line: Vec<_> = (0..plies).map(|ply| cycle[(ply + 2) % 4]).collect();
        // The first two moves of each line are its own.
        line[0] = ["a3", "b3", "c3", "d3", "e3", "g3", "h3", "a4"][number % 8];
        line[1] = ["a6", "b6", "c6", "d6", "e6", "g6", "h6", "a5"][number / 8];
        line
    });
    let main_line = lines.next().expect("a line");
    let variations: Vec<_> = lines.map(|line| format!("(1. {})", line.join(" "))).collect();
    format!(
        "[Event \"Bench\"]\n\n1. {} {} {} *\n",
        main_line[0],
        variations.join(" "),
        main_line[1..].join(" ")
    )
}

/// Opens a game with so many moves, after its first move.
fn game_with_moves(moves: usize) -> Connection {
    let mut connection = Connection::open();
    let response = connection.request(json!({"do": "import", "game": "chess", "text": pgn(moves)}));
    let count = response["tree"].as_array().map_or(0, Vec::len) - 1;
    // The lines with the same first move share it.
    assert!(count >= moves * 99 / 100, "the game has {count} moves");
    connection.request(json!({"do": "go", "node": 1}));
    connection
}

/// A new move is played and undone: two clicks that change the game.
#[divan::bench(args = MOVES)]
fn move_played_and_undone(bencher: Bencher<'_, '_>, moves: usize) {
    let connection = Mutex::new(game_with_moves(moves));
    bencher.bench(|| {
        let mut connection = connection.lock().expect("one thread");
        connection.request(json!({"do": "play", "text": "h7h5"}));
        connection.request(json!({"do": "undo_change"}))
    });
}

/// A comment is changed: a click that changes one move.
#[divan::bench(args = MOVES)]
fn comment_changed(bencher: Bencher<'_, '_>, moves: usize) {
    let connection = Mutex::new((game_with_moves(moves), 0));
    bencher.bench(|| {
        let mut connection = connection.lock().expect("one thread");
        connection.1 += 1;
        let text = connection.1.to_string();
        connection.0.request(json!({"do": "comment", "node": 1, "text": text}))
    });
}

/// A step back and forth: two clicks that show another position.
#[divan::bench(args = MOVES)]
fn step_back_and_forth(bencher: Bencher<'_, '_>, moves: usize) {
    let connection = Mutex::new(game_with_moves(moves));
    bencher.bench(|| {
        let mut connection = connection.lock().expect("one thread");
        connection.request(json!({"do": "go", "node": 0}));
        connection.request(json!({"do": "go", "node": 1}))
    });
}
