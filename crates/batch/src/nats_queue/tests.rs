use super::protocol::{
    AttemptOutcome, ChunkBody, ChunkMessage, Names, Notice, ObjectReference, Report, number_of,
};
use super::worker::to_json;
use crate::chunk::Chunk;
use crate::chunk::tests::options;

#[test]
fn streams_of_other_programs_are_no_analyses() {
    let names = Names::new("0123abcd");
    assert_eq!(Names::of_stream(&names.stream()), Some(names.clone()));
    assert_eq!(Names::of_stream(&names.bucket_stream()), None);
    assert_eq!(Names::of_stream("EVENTS"), None);
    assert_eq!(number_of(&names.chunk_subject(17)), Some(17));
    assert_eq!(number_of(&names.report_subject("*")), None);
}

#[test]
fn messages_are_read_as_they_were_written() {
    let object = ObjectReference { name: "a.b".into(), sha256: "00".into() };
    let chunk = Chunk { options: options(5), games: Vec::new() };
    for body in [ChunkBody::Chunk(chunk), ChunkBody::Object(object.clone())] {
        let message = ChunkMessage { id: "a".into(), failed_attempts: 1, is_suspect: true, body };
        assert_eq!(serde_json::from_slice::<ChunkMessage>(&to_json(&message)).unwrap(), message);
    }
    let failed = AttemptOutcome::Failed { reason: "crash".into() };
    for outcome in [AttemptOutcome::Done { object }, failed] {
        let report = Report { id: "a".into(), worker: "w".into(), failed_attempts: 0, outcome };
        assert_eq!(serde_json::from_slice::<Report>(&to_json(&report)).unwrap(), report);
    }
    let notice = Notice::Started { number: 3, worker: "w".into() };
    assert_eq!(serde_json::from_slice::<Notice>(&to_json(&notice)).unwrap(), notice);
}
