//! `alfil serve` is killed at random moments of editing: nothing is lost that it has acknowledged, and a change that it
//! has not acknowledged is there as a whole or not at all. A second store gets the same requests and is never killed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use alfil_server::{AccessToken, Server, Store};
use alfil_session::registry;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::PROGRAM;

/// The fewest edits that are acknowledged before a kill, and how many more there may be.
const MIN_EDITS: u64 = 6;
const MAX_MORE_EDITS: u64 = 30;
/// The longest time from the last of these edits to the kill: several edits on a quiet machine, less than one on a busy
/// machine.
const MAX_DELAY_MICROSECONDS: u64 = 8_000;
/// The maximal number of requests before a kill.
const MAX_REQUESTS: usize = 300;

/// Returns a generator of pseudo-random numbers below a limit (xorshift64, Marsaglia 2003).
fn seeded_random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |limit| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % limit.max(1)
    }
}

/// A connection to a server.
pub(super) struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last_id: u64,
}

impl Client {
    pub(super) async fn connect(url: &str) -> Client {
        let address = url.replace("http", "ws").replace("/?", "/ws?");
        Client { socket: connect_async(address).await.expect("a socket").0, last_id: 0 }
    }

    /// Sends a request; returns its response, or `None` if the server has ended before it.
    pub(super) async fn try_request(&mut self, mut request: Value) -> Option<Value> {
        self.last_id += 1;
        request["id"] = json!(self.last_id);
        self.socket.send(Message::text(request.to_string())).await.ok()?;
        loop {
            if let Message::Text(text) = self.socket.next().await?.ok()? {
                let response: Value = serde_json::from_str(&text).expect("JSON");
                if response["event"].is_null() && response["id"] == json!(self.last_id) {
                    return Some(response);
                }
            }
        }
    }

    /// Returns the next event with a name, or `None` if the server has ended before it.
    pub(super) async fn next_event(&mut self, name: &str) -> Option<Value> {
        loop {
            if let Message::Text(text) = self.socket.next().await?.ok()? {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                if message["event"] == name {
                    return Some(message);
                }
            }
        }
    }

    /// Makes an edit: a request, or an import of a file in parts.
    async fn try_edit(&mut self, edit: &Value) -> Option<Value> {
        let Some(file) = edit["file"].as_str() else { return self.try_request(edit.clone()).await };
        let library = |action: &str| json!({"do": "library", "action": action});
        let mut begin = library("import_begin");
        begin["name"] = edit["name"].clone();
        self.try_request(begin).await?;
        for part in file.as_bytes().chunks(200) {
            let mut chunk = library("import_chunk");
            chunk["data"] = json!(std::str::from_utf8(part).expect("ASCII"));
            self.try_request(chunk).await?;
        }
        loop {
            let response = self.try_request(library("import_end")).await?;
            if !response["error"].is_null() || response["library"]["import"]["done"] == true {
                return Some(response);
            }
        }
    }

    /// Sends a request to a server that is not killed.
    pub(super) async fn request(&mut self, request: Value) -> Value {
        let response = self.try_request(request).await.expect("a response");
        assert!(response["error"].is_null(), "{response}");
        response
    }
}

/// What a store has: the games with their moves, comments, marks and details, and the collections.
struct Contents {
    /// The text of each game with its id, sorted.
    games: Vec<(String, String)>,
    /// The ids of the collections by name.
    collections: BTreeMap<String, String>,
}

impl Contents {
    async fn read(client: &mut Client) -> Contents {
        let library = |action| json!({"do": "library", "action": action, "limit": 1000});
        let found = client.request(library("collections")).await["library"]["collections"]["rows"].clone();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let rows = found.as_array().expect("collections");
        let collections: BTreeMap<_, _> =
            rows.iter().map(|row| (text(&row["name"]), text(&row["id"]))).collect();
        assert_eq!(collections.len(), rows.len(), "{rows:?}");
        let mut games = Vec::new();
        let list = client.request(library("list")).await["library"]["list"].clone();
        for mut row in list["rows"].as_array().expect("games").clone() {
            let opened = client.request(json!({"do": "open", "game": row["id"]})).await;
            let id = text(&row["id"]);
            row["id"] = opened["tree"].clone();
            row["changed"] = json!([opened["game"]["tags"], opened["game"]["start"]]);
            let name = collections.iter().find(|(_, id)| row["collection"] == **id);
            row["collection"] = json!(name.map(|(name, _)| name));
            games.push((row.to_string(), id));
        }
        games.sort();
        Contents { games, collections }
    }

    /// Returns what a user sees: the games and the names of the collections, which may have no games.
    fn texts(&self) -> (Vec<&str>, Vec<&str>) {
        let games = self.games.iter().map(|(text, _)| text.as_str()).collect();
        (games, self.collections.keys().map(String::as_str).collect())
    }
}

/// The editing of a person: random requests that make sense at the moment.
struct Editor<R> {
    random: R,
    games: Vec<String>,
    deleted: Vec<String>,
    collections: Vec<String>,
    nodes: BTreeSet<u64>,
    targets: Vec<String>,
    /// The number of the next text, so that no two are the same.
    text_count: u64,
}

impl<R: FnMut(u64) -> u64> Editor<R> {
    /// Takes over what a store has after its server has started.
    fn start(&mut self, contents: &Contents) {
        self.games = contents.games.iter().map(|(_, id)| id.clone()).collect();
        self.collections = contents.collections.values().cloned().collect();
        self.targets.clear();
    }

    fn pick(&mut self, texts: &[String]) -> Option<String> {
        let index = (self.random)(texts.len() as u64) as usize;
        texts.get(index).cloned()
    }

    fn new_text(&mut self, name: &str) -> String {
        self.text_count += 1;
        format!("{name} {}", self.text_count)
    }

    fn pick_node(&mut self) -> u64 {
        let index = (self.random)(self.nodes.len() as u64) as usize;
        self.nodes.iter().nth(index).copied().unwrap_or_default()
    }

    fn next_edit(&mut self) -> Value {
        let Editor { games, deleted, collections, targets, .. } = self;
        let (games, deleted) = (games.clone(), deleted.clone());
        let (collections, targets) = (collections.clone(), targets.clone());
        if targets.is_empty() {
            return match self.pick(&games) {
                Some(game) if (self.random)(3) > 0 => json!({"do": "open", "game": game}),
                _ => {
                    let names: Vec<_> = registry::games().collect();
                    let game = names[(self.random)(names.len() as u64) as usize];
                    json!({"do": "new", "game": game})
                }
            };
        }
        let node = self.pick_node();
        match (self.random)(42) {
            0..=11 => json!({"do": "play", "text": self.pick(&targets)}),
            12..=15 => json!({"do": "go", "node": node}),
            16..=19 => json!({"do": "comment", "node": node, "text": self.new_text("comment")}),
            20..=21 => json!({"do": "marks", "node": node, "nags": [1 + (self.random)(6)]}),
            22 => json!({"do": "tags", "tags": [["White", self.new_text("player")], ["Result", "1-0"]]}),
            23..=24 => json!({"do": "prune", "node": node}),
            25 => json!({"do": "promote", "node": node}),
            26..=28 => json!({"do": "undo_change"}),
            29 => json!({"do": "redo_change"}),
            30 => json!({"do": "open", "game": self.pick(&games)}),
            31 => json!({"do": "new", "game": "xiangqi", "moves": ["h2e2"]}),
            32..=33 => json!({"do": "forget", "game": self.pick(&games)}),
            34 => json!({"do": "restore", "game": self.pick(&deleted)}),
            35 => json!({"do": "library", "action": "delete_games",
                "games": [self.pick(&games), self.pick(&games)]}),
            36 => json!({"do": "library", "action": "set_tags", "game": self.pick(&games),
                "tags": [["Event", self.new_text("event")]]}),
            37..=39 => {
                json!({"do": "library", "action": "rename_collection", "name": self.new_text("renamed"),
                "collection": self.pick(&collections)})
            }
            40 => json!({"do": "import", "text": self.new_file(), "name": self.new_text("pasted")}),
            _ => json!({"file": self.new_file(), "name": self.new_text("file")}),
        }
    }

    /// Returns a file of two or three games.
    fn new_file(&mut self) -> String {
        let count = 2 + (self.random)(2);
        let mut file = String::new();
        for _ in 0..count {
            let event = self.new_text("imported");
            file += &format!("[Event \"{event}\"]\n\n1. e4 {{{event}}} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 *\n\n");
        }
        file
    }

    /// Takes over what the response to an edit says.
    fn on_response(&mut self, edit: &Value, response: &Value) {
        if !response["error"].is_null() {
            return;
        }
        let numbers = |nodes: &Value| -> Vec<u64> {
            nodes.as_array().into_iter().flatten().filter_map(|node| node["node"].as_u64()).collect()
        };
        if response["tree"].is_array() {
            self.nodes.clear();
        }
        self.nodes.extend(numbers(&response["tree"]));
        self.nodes.extend(numbers(&response["nodes"]));
        for removed in response["removed"].as_array().into_iter().flatten() {
            self.nodes.remove(&removed.as_u64().expect("a number"));
        }
        if let Some(targets) = response["position"]["targets"].as_array() {
            let text = |target: &Value| target["text"].as_str().expect("a move").to_owned();
            self.targets = targets.iter().map(text).collect();
        }
        match edit["do"].as_str() {
            Some("forget") => self.deleted.extend(edit["game"].as_str().map(str::to_owned)),
            Some("new") => self.games.extend(response["game"]["id"].as_str().map(str::to_owned)),
            _ => {}
        }
    }
}

/// The store that gets the same requests and is never killed. Its games have other ids.
struct Reference {
    store: Store,
    client: Client,
    /// The ids of games and collections in the store by those in the killed one.
    ids: BTreeMap<String, String>,
}

impl Reference {
    async fn connect(store: &Store) -> Client {
        let server = Server::bind(0, store.clone(), AccessToken::random().expect("random numbers"))
            .await
            .expect("a free port");
        let url = server.url();
        tokio::spawn(server.run());
        Client::connect(&url).await
    }

    /// Starts another server: as after a kill, there are no edits to undo.
    async fn restart(&mut self) {
        self.client = Reference::connect(&self.store).await;
    }

    async fn contents(&mut self) -> Contents {
        // The open game of the connection that edits stays open.
        Contents::read(&mut Reference::connect(&self.store).await).await
    }

    /// Returns an edit with the ids of this store.
    fn translated(&self, edit: &Value) -> Value {
        match edit {
            Value::String(text) => json!(self.ids.get(text).unwrap_or(text)),
            Value::Array(values) => values.iter().map(|value| self.translated(value)).collect(),
            Value::Object(fields) => {
                let translated = fields.iter().map(|(name, value)| (name.clone(), self.translated(value)));
                Value::Object(translated.collect())
            }
            other => other.clone(),
        }
    }

    /// Makes an edit that the killed server has made with this response.
    async fn repeat(&mut self, edit: &Value, response: &Value) {
        let own = self.client.try_edit(&self.translated(edit)).await.expect("a response");
        assert_eq!(own["error"].is_null(), response["error"].is_null(), "{edit}: {own} {response}");
        if let (Some(id), Some(own_id)) = (response["game"]["id"].as_str(), own["game"]["id"].as_str()) {
            self.ids.insert(id.to_owned(), own_id.to_owned());
        }
    }

    /// Finds the ids of games and collections that only lists have named.
    fn match_ids(&mut self, contents: &Contents, own: &Contents) {
        for (text, id) in &contents.games {
            if !self.ids.contains_key(id) {
                let is_known = |own_id: &String| self.ids.values().any(|known| known == own_id);
                let found = own.games.iter().find(|(own_text, own_id)| own_text == text && !is_known(own_id));
                let (_, own_id) = found.expect("the same games");
                self.ids.insert(id.clone(), own_id.clone());
            }
        }
        for (name, id) in &contents.collections {
            self.ids.insert(id.clone(), own.collections[name].clone());
        }
    }
}

/// A running `alfil serve`, killed when it is dropped: a test that fails leaves no process.
pub(super) struct ServerProcess(pub(super) Child);

impl ServerProcess {
    /// Starts the server with a data folder and returns its address.
    fn start(folder: &Path) -> (ServerProcess, String) {
        let (server, address) = ServerProcess::try_start(&mut Command::new(PROGRAM), folder);
        (server, address.expect("an address"))
    }

    /// Starts the server with a data folder and returns its address, if it does not end before.
    pub(super) fn try_start(program: &mut Command, folder: &Path) -> (ServerProcess, Option<String>) {
        program.args(["serve", "--port", "0", "--data"]).arg(folder).stdout(Stdio::piped());
        let mut server = ServerProcess(program.spawn().expect("the program starts"));
        let mut line = String::new();
        let output = server.0.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line.split_whitespace().find(|word| word.starts_with("http"));
        (server, address.map(str::to_owned))
    }

    pub(super) fn kill(mut self) {
        self.0.kill().expect("it is killed");
        self.0.wait().expect("it ends");
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // After `kill` the process has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Edits until the server is killed, and sends a signal to its killer after so many edits. Returns the acknowledged
/// edits with their responses, and the last edit.
async fn edit_until_killed<R: FnMut(u64) -> u64>(
    client: &mut Client,
    editor: &mut Editor<R>,
    killer: &mpsc::Sender<()>,
    edits_before_kill: usize,
) -> (Vec<(Value, Value)>, Option<Value>) {
    let mut acknowledged = Vec::new();
    while acknowledged.len() < MAX_REQUESTS {
        if acknowledged.len() == edits_before_kill {
            killer.send(()).expect("the killer waits");
        }
        let edit = editor.next_edit();
        let Some(response) = client.try_edit(&edit).await else { return (acknowledged, Some(edit)) };
        editor.on_response(&edit, &response);
        acknowledged.push((edit, response));
    }
    (acknowledged, None)
}

/// Kills the server at random moments of editing, and compares what it has saved with the reference.
async fn test_kills(kill_count: usize, seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::in_memory().expect("a store");
    let client = Reference::connect(&store).await;
    let mut reference = Reference { store, client, ids: BTreeMap::new() };
    let mut editor = Editor {
        random: seeded_random(seed),
        games: Vec::new(),
        deleted: Vec::new(),
        collections: Vec::new(),
        nodes: BTreeSet::new(),
        targets: Vec::new(),
        text_count: 0,
    };
    let (mut edit_count, mut unanswered_count) = (0, 0);
    for kill in 0..=kill_count {
        let (server, url) = ServerProcess::start(folder.path());
        let contents = Contents::read(&mut Client::connect(&url).await).await;
        let own = reference.contents().await;
        assert_eq!(contents.texts(), own.texts(), "after {kill} kills");
        reference.match_ids(&contents, &own);
        reference.restart().await;
        editor.start(&contents);
        let edits_before_kill = (MIN_EDITS + (editor.random)(MAX_MORE_EDITS)) as usize;
        let delay = Duration::from_micros((editor.random)(MAX_DELAY_MICROSECONDS));
        let mut client = Client::connect(&url).await;
        let (signal, signals) = mpsc::channel();
        let killer = thread::spawn(move || {
            signals.recv().expect("the edits before the kill are acknowledged");
            thread::sleep(delay);
            server.kill();
        });
        let (acknowledged, unanswered) =
            edit_until_killed(&mut client, &mut editor, &signal, edits_before_kill).await;
        killer.join().expect("no panic");
        edit_count += acknowledged.len();
        for (edit, response) in &acknowledged {
            reference.repeat(edit, response).await;
        }
        let Some(edit) = unanswered else { continue };
        unanswered_count += 1;
        let (server, url) = ServerProcess::start(folder.path());
        let found = Contents::read(&mut Client::connect(&url).await).await;
        if found.texts() != reference.contents().await.texts() {
            // Then the last edit was saved as a whole.
            reference.client.try_edit(&reference.translated(&edit)).await.expect("a response");
            let own = reference.contents().await;
            let describe = || format!("kill {kill} after {:#?}, in {edit}", acknowledged.last());
            assert_eq!(found.texts(), own.texts(), "{}", describe());
        }
        server.kill();
    }
    println!("{kill_count} kills, {edit_count} edits acknowledged, {unanswered_count} not");
    assert!(unanswered_count > 0, "every kill came after the last request");
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    test_kills(8, 0x9e37_79b9_7f4a_7c15).await;
}

#[tokio::test]
#[ignore = "long: kills the server fifty times"]
async fn nothing_acknowledged_is_lost_in_fifty_kills() {
    test_kills(50, 0x2545_f491_4f6c_dd1d).await;
}
