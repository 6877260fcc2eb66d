//! The TypeScript types of the messages in `web/src/wire` are those of this crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, from_value, json, to_value};
use ts_rs::{Config, TS, TypeVisitor};

use super::*;

/// Set by `cargo xtask wire`, which writes the files instead of comparing them.
const UPDATE: &str = "ALFIL_WRITE_WIRE";

const HEADER: &str = "// Generated from crates/page/src/wire by `cargo xtask wire`: do not edit.\n";

#[test]
fn the_types_of_the_page_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire");
    let files = [("types.ts", types()), ("requests.ts", requests())];
    for (name, text) in &files {
        let path = folder.join(name);
        if std::env::var_os(UPDATE).is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == *text, "{} is old: run `cargo xtask wire`", path.display());
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), files.len(), "{} has other files", folder.display());
}

/// Returns the types of all messages.
fn types() -> String {
    /// The declarations by name.
    struct Declarations(Config, BTreeMap<String, String>);

    impl TypeVisitor for Declarations {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            let Declarations(config, types) = self;
            // Other types, such as numbers, have no declarations.
            let Some(name) = T::output_path().map(|_| T::ident(config)) else { return };
            if types.contains_key(&name) {
                return;
            }
            let docs = T::docs().unwrap_or_default();
            types.insert(name, formatted(&format!("{docs}export {}", T::decl(config))));
            T::visit_dependencies(self);
        }
    }

    // JSON.parse makes numbers of 53 bits of all.
    let mut declarations = Declarations(Config::new().with_large_int("number"), BTreeMap::new());
    declarations.visit::<RequestMessage>();
    declarations.visit::<ClientRequest>();
    declarations.visit::<Response>();
    declarations.visit::<ServerEvent>();
    let types: Vec<_> = declarations.1.into_values().collect();
    format!("{HEADER}\n{}", types.join("\n"))
}

/// Returns a declaration with a line for each variant of a union of objects, and for each field of a documented object.
fn formatted(declaration: &str) -> String {
    let mut out = String::new();
    // The objects around the place, and whether each has a line a field; the brackets in the innermost one.
    let (mut objects, mut brackets): (Vec<bool>, _) = (Vec::new(), 0);
    let mut rest = declaration;
    let is_union = declaration.contains("} |") || declaration.contains("| {");
    let start_line = |out: &mut String, depth: usize| {
        out.truncate(out.trim_end().len());
        let _ = write!(out, "\n{:1$}", "", 2 * depth);
    };
    while let Some(next) = rest.chars().next() {
        let depth = objects.len() + usize::from(is_union && !objects.is_empty());
        let mut length = next.len_utf8();
        match next {
            '/' => {
                length = rest.find("*/").unwrap() + 2;
                let lines: Vec<_> = rest[..length].lines().map(|line| line.trim_end()).collect();
                let one_line = |text: &str| format!("/** {} */", text.trim_start_matches(" * "));
                let comment = match lines[..] {
                    [_, text, _] if 2 * depth + one_line(text).len() <= 120 => one_line(text),
                    _ => lines.join(&format!("\n{:1$}", "", 2 * depth)),
                };
                out.push_str(&comment);
                start_line(&mut out, depth);
                length += rest[length..].len() - rest[length..].trim_start().len();
            }
            '"' => {
                length = rest[1..].find('"').unwrap() + 2;
                let text = &rest[1..length - 1];
                let is_name = rest[length..].starts_with(':');
                out.push_str(&if is_name { text.to_owned() } else { format!("'{text}'") });
            }
            '{' => {
                let has_lines = rest[..rest.find('}').unwrap()].contains("/**");
                objects.push(has_lines);
                out.push('{');
                if has_lines {
                    let depth = objects.len() + usize::from(is_union);
                    start_line(&mut out, depth);
                    length += rest[length..].len() - rest[length..].trim_start().len();
                }
            }
            '}' => {
                if objects.pop() == Some(true) {
                    let depth = objects.len() + usize::from(is_union);
                    start_line(&mut out, depth);
                } else if out.trim_end().ends_with([',', ';']) {
                    out.truncate(out.trim_end().len() - 1);
                    out.push(' ');
                }
                out.push('}');
            }
            ',' if brackets == 0 && !objects.is_empty() => {
                out.push(';');
                if objects.last() == Some(&true) {
                    start_line(&mut out, depth);
                    length += rest[length..].len() - rest[length..].trim_start().len();
                }
            }
            '|' if objects.is_empty() && is_union => {
                start_line(&mut out, 1);
                out.push('|');
            }
            '=' if objects.is_empty() && is_union => {
                out.push('=');
                start_line(&mut out, 1);
                out.push('|');
            }
            _ => {
                brackets += i32::from("[(<".contains(next)) - i32::from("])>".contains(next));
                out.push(next);
            }
        }
        rest = &rest[length..];
    }
    out + "\n"
}

/// Returns what the page has to know of each request, by its name.
fn requests() -> String {
    #[derive(PartialEq)]
    struct Traits {
        edits: bool,
        searches: bool,
    }

    let mut traits = BTreeMap::new();
    for sample in samples() {
        let name = sample["do"].as_str().unwrap().to_owned();
        let request: ClientRequest = from_value(sample).unwrap();
        let RequestDescription { edits_game: edits, search, .. } = request.description();
        let found = Traits { edits, searches: search == SearchEffect::Starts };
        let former = traits.entry(name.clone()).or_insert(Traits { ..found });
        assert!(*former == found, "the fields of {name} decide what the page has to know of it");
    }
    let mut out = format!(
        "{HEADER}
import type {{ ClientRequest }} from './types';

/** What the page has to know of a request. */
export interface RequestTraits {{
  /** Whether it makes an edit of the open game, which can be undone. */
  edits?: true;
  /** Whether it starts a search. */
  searches?: true;
}}

/** What the page has to know of each request, by its name. */
export const REQUESTS: Record<ClientRequest['do'], RequestTraits> = {{
"
    );
    for (name, Traits { edits, searches }) in traits {
        let fields = [(edits, "edits: true"), (searches, "searches: true")];
        let fields: Vec<_> = fields.iter().filter_map(|(is_true, text)| is_true.then_some(*text)).collect();
        let object = if fields.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", fields.join(", ")) };
        writeln!(out, "  {name}: {object},").unwrap();
    }
    out + "};\n"
}

/// Returns a request of the library as it is sent.
fn in_library(mut request: Value) -> Value {
    request["do"] = "library".into();
    request
}

/// Returns a request of each kind, with all its fields.
fn samples() -> Vec<Value> {
    let query = json!({
        "collection": "a", "single": false, "deleted": false, "game": "chess", "result": "1-0", "search": "anna",
        "field": "player", "position": "startpos", "sort": "date", "descending": true,
    });
    let library = [
        json!({"action": "list", "query": query, "offset": 0, "limit": 100}),
        json!({"action": "ids", "query": query}),
        json!({"action": "collections"}),
        json!({"action": "rename_collection", "collection": "a", "name": "b"}),
        json!({"action": "delete_collection", "collection": "a"}),
        json!({"action": "restore_collection", "collection": "a"}),
        json!({"action": "delete_games", "games": ["a"]}),
        json!({"action": "restore_games", "games": ["a"]}),
        json!({"action": "remove_games", "games": ["a"]}),
        json!({"action": "export", "games": ["a"]}),
        json!({"action": "tags", "game": "a"}),
        json!({"action": "set_tags", "game": "a", "tags": [["White", "Anna"]]}),
        json!({"action": "looks"}),
        json!({"action": "import_begin", "name": "a", "game": "chess", "chinese": false, "names": ["x"]}),
        json!({"action": "import_chunk", "data": "a"}),
        json!({"action": "import_end"}),
        json!({"action": "import_cancel"}),
    ];
    let others = [
        json!({"do": "games", "skip": 0}),
        json!({
            "do": "new", "game": "chess", "fen": null, "waive": [], "moves": ["e2e4"], "person": 0,
            "two_people": false, "level": 3, "levels": null, "engine": null,
            "clock": {"base": 300_000, "increment": 0}, "ruleset": null,
        }),
        json!({"do": "open", "game": "a", "node": 1, "position": "8/8", "first": true}),
        json!({"do": "restore", "game": "a"}),
        json!({"do": "forget", "game": "a"}),
        json!({"do": "play", "text": "e2e4", "dialect": "uci"}),
        json!({"do": "walk", "moves": ["e2e4"]}),
        json!({"do": "go", "node": 1}),
        json!({"do": "undo", "plies": 1}),
        json!({"do": "prune", "node": 1}),
        json!({"do": "comment", "node": 1, "text": "a", "continues": true}),
        json!({"do": "seat", "person": 0, "two_people": false, "levels": null, "level": 3, "engine": null}),
        json!({"do": "pace", "reply_ms": 1000}),
        json!({"do": "pause", "paused": true}),
        json!({"do": "continue"}),
        json!({"do": "tags", "tags": [["White", "Anna"]]}),
        json!({"do": "undo_change"}),
        json!({"do": "redo_change"}),
        json!({"do": "resign"}),
        json!({"do": "hint", "time": 700}),
        json!({
            "do": "analyse", "lines": 3, "seconds": null, "infinite": true, "threat": false, "threads": 1, "hash": 32,
            "engine": null,
        }),
        json!({"do": "review", "deep": false}),
        json!({"do": "try", "node": 1, "text": "e2e4"}),
        json!({"do": "summary"}),
        json!({"do": "marks", "node": 1, "nags": [1]}),
        json!({"do": "promote", "node": 1}),
        json!({"do": "nags"}),
        json!({"do": "diagrams", "nodes": [1]}),
        json!({"do": "positions", "nodes": [1]}),
        json!({"do": "stop"}),
        json!({"do": "ruleset", "name": "wxf2018"}),
        json!({"do": "dialect", "name": "san"}),
        json!({"do": "engines", "game": "chess"}),
        json!({"do": "premoves"}),
        json!({"do": "lessons", "game": "chess"}),
        json!({"do": "starts", "game": "chess", "number": 518}),
        json!({"do": "tactical_marks"}),
        json!({"do": "rule", "ruleset": "wxf2018", "occurrences": 3, "chinese": false}),
        json!({"do": "rule_all", "occurrences": 3, "chinese": false}),
        json!({"do": "quiz", "game": "xiangqi", "dialect": "wxf", "chinese": false}),
        json!({"do": "arrange", "pieces": {"e1": "K"}, "side": 0, "before": null}),
        json!({"do": "examine", "fen": "startpos", "chinese": false}),
        json!({"do": "import", "text": "a", "bytes": false, "game": "chess", "chinese": false, "name": "a"}),
        json!({"do": "export", "node": null, "review": false}),
    ];
    others.into_iter().chain(library.map(in_library)).collect()
}

/// Returns the names of all variants that a tagged enum reads.
fn variant_names<T: serde::de::DeserializeOwned>(tag: &str) -> BTreeSet<String> {
    let error = from_value::<T>(json!({tag: "?"})).err().unwrap().to_string();
    let (_, names) = error.split_once("expected one of").unwrap();
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn each_request_has_a_sample_that_is_written_as_it_was_read() {
    let names_in = |field: &str| {
        samples().iter().filter_map(|sample| Some(sample.get(field)?.as_str()?.to_owned())).collect()
    };
    assert_eq!(variant_names::<ClientRequest>("do"), names_in("do"));
    assert_eq!(variant_names::<LibraryRequest>("action"), names_in("action"));
    for sample in samples() {
        // A field that is missing in the sample would be written, one that the request lacks would not.
        let request: ClientRequest = from_value(sample.clone()).unwrap();
        assert_eq!(to_value(&request).unwrap(), sample);
    }
}

#[test]
fn descriptions_depend_on_what_a_request_names() {
    let description = |request: Value| {
        let request: ClientRequest = from_value(request).unwrap();
        let RequestDescription { search, refers_to, edits_game, .. } = request.description();
        (search, refers_to, edits_game)
    };
    let line = description(json!({"do": "export", "node": 1}));
    assert_eq!(line, (SearchEffect::GoesOn, StateReference::Node, false));
    let game = description(json!({"do": "export"}));
    assert_eq!(game, (SearchEffect::GoesOn, StateReference::None, false));
    let comment = description(json!({"do": "comment", "node": 1, "text": ""}));
    assert_eq!(comment, (SearchEffect::GoesOn, StateReference::Node, true));
    let play = description(json!({"do": "play", "text": "e2e4"}));
    assert_eq!(play, (SearchEffect::Ends, StateReference::Current, true));

    let ids = ["a".to_owned()];
    let removal: ClientRequest =
        from_value(json!({"do": "library", "action": "remove_games", "games": ids})).unwrap();
    let needs = StoreNeeds { games: NeededGames::Removed(&ids), lists: NeededLists::Library };
    assert_eq!(removal.description().needs, needs);
    let query = LibraryQuery { search: "anna".into(), ..LibraryQuery::default() };
    let list: ClientRequest =
        from_value(json!({"do": "library", "action": "ids", "query": {"search": "anna"}})).unwrap();
    let needs = StoreNeeds { games: NeededGames::None, lists: NeededLists::Query(&query) };
    assert_eq!(list.description().needs, needs);
}
