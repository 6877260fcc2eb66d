//! A list of requests with the answers that a page must get wherever its games are.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// The requests and their answers, a step a line. `web/e2e/requests.test.ts` sends them to a server and to a page
/// without one.
const REQUESTS: &str = include_str!("../../testdata/requests.json");

/// Sends the requests of a page, and compares the answers with those that are expected. `send` returns the answer to a
/// request, as JSON, of one page with an empty store.
///
/// Ids are numbered as they appear, and times do not count. The end of an import is requested until it is done.
///
/// # Panics
/// If an answer is another one; the message has the request.
pub fn check_requests(send: impl FnMut(&Value) -> Value) {
    let answered = answer_requests(send);
    for (answered, expected) in answered.lines().zip(REQUESTS.lines()) {
        assert_eq!(answered, expected, "a step of crates/page/testdata/requests.json");
    }
    assert_eq!(answered.lines().count(), REQUESTS.lines().count(), "number of steps");
}

/// Returns the file of the requests with the answers that they get.
pub(crate) fn answer_requests(mut send: impl FnMut(&Value) -> Value) -> String {
    let steps: Vec<Value> = serde_json::from_str(REQUESTS).expect("the file is a list of steps");
    let mut ids = Vec::new();
    let mut lines = Vec::new();
    for step in steps {
        let mut request = step["request"].clone();
        change_texts(&mut request, &mut |text| {
            let number = text.strip_prefix("id ")?.parse::<usize>().ok()?;
            ids.get(number - 1).cloned()
        });
        let mut answer = send(&request);
        while answer["library"]["import"]["done"] == false && request["action"] == "import_end" {
            answer = send(&request);
        }
        remove_times(&mut answer);
        change_texts(&mut answer, &mut |text| {
            // Messages quote ids.
            let parts: Vec<_> = text.split('"').map(|part| number_of_id(part, &mut ids)).collect();
            Some(parts.join("\""))
        });
        lines.push(sorted_text(&json!({"request": step["request"], "answer": answer})));
    }
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Returns the number of an id as text, or another text as it is.
fn number_of_id(text: &str, ids: &mut Vec<String>) -> String {
    let is_id = text.len() == 12 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !is_id {
        return text.to_owned();
    }
    let index = ids.iter().position(|id| id == text).unwrap_or_else(|| {
        ids.push(text.to_owned());
        ids.len() - 1
    });
    format!("id {}", index + 1)
}

/// Removes what differs from one run to the next, and the appearances of the games, which other tests compare. Of the
/// targets of moves their number is left.
fn remove_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for name in ["id", "look", "changed", "version"] {
                if fields.get(name).is_some_and(|value| !value.is_string() || name == "version") {
                    fields.remove(name);
                }
            }
            if fields.get("done").is_some_and(|done| done == false) {
                // How much of a file is read before its end depends on the store.
                fields.retain(|name, _| name == "done");
            }
            for name in ["targets", "premoves"] {
                if let Some(targets) = fields.get_mut(name) {
                    *targets = json!(targets.as_array().map(Vec::len));
                }
            }
            fields.values_mut().for_each(remove_times);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_times),
        _ => {}
    }
}

/// Replaces texts, in the order of the names of fields.
fn change_texts(value: &mut Value, change: &mut impl FnMut(&str) -> Option<String>) {
    match value {
        Value::String(text) => *text = change(text).unwrap_or_else(|| std::mem::take(text)),
        Value::Array(values) => values.iter_mut().for_each(|value| change_texts(value, change)),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter_mut().collect();
            fields.sort_unstable_by_key(|(name, _)| name.as_str());
            fields.into_iter().for_each(|(_, value)| change_texts(value, change));
        }
        _ => {}
    }
}

/// Returns a value as JSON with the fields in the order of their names, which is not that of every build.
fn sorted_text(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| name.as_str());
            let fields =
                fields.into_iter().map(|(name, value)| format!("{}:{}", json!(name), sorted_text(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        Value::Array(values) => {
            let mut text = String::from("[");
            for (index, value) in values.iter().enumerate() {
                let _ = write!(text, "{}{}", if index > 0 { "," } else { "" }, sorted_text(value));
            }
            text + "]"
        }
        other => other.to_string(),
    }
}
