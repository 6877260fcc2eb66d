//! A page may send anything: each request is answered or refused, and the session answers on. The requests are those of
//! the tests of the page, of which single fields are replaced.
#![no_main]

mod no_searches;

use std::sync::{Arc, LazyLock};

use alfil_page::conformance::GROWING_HOST as HOST;
use alfil_page::{ClientSession, MemoryStore, PageEnvironment, SearchUpdate};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

use no_searches::NoSearches;

/// The maximal number of requests of a page; more cost more than they find.
const MAX_REQUESTS: usize = 24;

static REQUESTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let steps: Value =
        serde_json::from_str(include_str!("../../crates/page/testdata/requests.json")).unwrap();
    steps.as_array().unwrap().iter().map(|step| step["request"].clone()).collect()
});

fuzz_target!(|input: (Vec<(u16, u8, u8)>, &str)| {
    let (choices, garbage) = input;
    let environment = PageEnvironment::new(HOST, Arc::new(MemoryStore::new(HOST)));
    let mut session = ClientSession::new(1, environment, NoSearches);
    let mut garbage = garbage.lines();
    let mut ids = vec!["id 1".to_owned()];
    for (id, &(request, field, kind)) in (1_u64..).zip(choices.iter().take(MAX_REQUESTS)) {
        let mut request = REQUESTS[usize::from(request) % REQUESTS.len()].clone();
        let text = garbage.next().unwrap_or_default();
        change_field(&mut request, field, kind, text);
        use_ids(&mut request, &ids);
        request["id"] = json!(id);
        for answer in session.on_text(&request.to_string()) {
            collect_ids(&serde_json::to_value(&answer).unwrap(), &mut ids);
        }
        if kind == 255 {
            session.on_text(text);
            session.on_update(SearchUpdate::Finished(Some(text.to_owned())));
        }
    }
    let answers = session.on_text("{\"do\":\"games\",\"id\":1000}");
    assert!(answers.iter().any(|answer| serde_json::to_value(answer).unwrap()["id"] == 1000), "{answers:?}");
});

/// Replaces a field, if `kind` says so.
fn change_field(request: &mut Value, field: u8, kind: u8, text: &str) {
    let Some(fields) = request.as_object_mut() else { return };
    let index = usize::from(field) % fields.len();
    let Some((_, value)) = fields.iter_mut().nth(index) else { return };
    *value = match kind {
        0 => json!(text),
        1 => serde_json::from_str(text).unwrap_or_default(),
        2 => json!(text.len() as u64 | u64::from(field) << 56),
        3 => json!(-(text.len() as i64)),
        4 => json!([text, text]),
        5 => Value::Null,
        6 => json!(text.repeat(200)),
        _ => return,
    };
}

/// Puts ids of games into the place of those of the test data.
fn use_ids(value: &mut Value, ids: &[String]) {
    match value {
        Value::String(text) => {
            let number = text.strip_prefix("id ").and_then(|number| number.parse::<usize>().ok());
            if let Some(id) = number.and_then(|number| ids.get(number % ids.len())) {
                *text = id.clone();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| use_ids(value, ids)),
        Value::Object(fields) => fields.values_mut().for_each(|value| use_ids(value, ids)),
        _ => {}
    }
}

fn collect_ids(value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(id) = fields.get("id").and_then(Value::as_str)
                && ids.len() < 64
                && !ids.iter().any(|known| known == id)
            {
                ids.push(id.to_owned());
            }
            fields.values().for_each(|value| collect_ids(value, ids));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_ids(value, ids)),
        _ => {}
    }
}
