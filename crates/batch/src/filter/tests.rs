use alfil_records::TextGame;
use alfil_session::registry;
use proptest::prelude::*;

use super::*;

fn game(text: &str) -> TextGame {
    registry::read_games(text.as_bytes(), None).unwrap().remove(0).unwrap()
}

const XIANGQI: &str = "[Game \"Chinese Chess\"]\n[Event \"五羊杯\"]\n[Date \"1998.01.??\"]\n[Red \"胡荣华\"]\n\
    [Black \"Lü Qin\"]\n[RedElo \"2500\"]\n[Round \"10.1\"]\n[ECO \"C20\"]\n[Annotator \"A \\\"B\\\" C\"]\n\n1. 炮二平五 马8进7 2. 马二进三 1/2-1/2\n";

#[test]
fn fields_are_compared_as_their_kind_demands() {
    let game = game(XIANGQI);
    for (filter, expected) in [
        ("white = 胡荣华", true),
        ("red ~ 荣华 and black ~ \"LÜ\"", true),
        ("player ~ lü", true),
        ("player = qin", false),
        ("player != 胡荣华", false),
        ("player != \"Xu Yinchuan\"", true),
        ("event ~ 五羊", true),
        ("site", false),
        ("site = x", false),
        ("site != x", true),
        ("not site", true),
        ("date = 1998", true),
        ("date = 1998.01 and date < 1998.02 and date > 1997", true),
        ("date = 1998.01.05", false),
        ("date >= 1998.01.05", false),
        ("date != 1998.01.05", true),
        // The day is not known, and the year and the month decide.
        ("date > 1997.12.31 and date >= 1997.12.31 and date < 1998.02.01", true),
        ("date <= 1997.12.31 or date = 1997.12.31 or date <= 1998.01.05", false),
        ("year=1998 and year<=1998 and year>1997", true),
        ("result = 1/2-1/2", true),
        ("result != 1-0", true),
        ("eco >= c10 and eco < C21", true),
        ("game = XIANGQI", true),
        ("game != 'chess'", true),
        ("round > 9 and round < 10.2 and not round > 10.1", true),
        ("white != 'a \"b' and white != O'Kelly", true),
        ("plies = 3 and plies >= 3 and plies < 4", true),
        ("elo >= 2500", true),
        ("blackelo", false),
        ("blackelo < 3000", false),
        ("redelo = 2500 and whiteelo = \"2500\"", true),
        ("start", false),
        ("tag(Annotator) = \"a \\\"b\\\" c\"", true),
        ("tag(\"Annotator\") ~ \"\\\"B\"", true),
        ("tag(annotator)", false),
        ("site or event and not date = 2000", true),
        ("(site or event) and site", false),
        ("NOT site AND Event", true),
    ] {
        assert_eq!(Filter::parse(filter).unwrap().matches(&game), expected, "{filter}");
    }
    // A result that is not known is no result.
    let unfinished = self::game("[Result \"*\"]\n\n1. e4 *");
    for (filter, expected) in [("result", false), ("not result", true), ("result = *", true)] {
        assert_eq!(Filter::parse(filter).unwrap().matches(&unfinished), expected, "{filter}");
        assert_eq!(Filter::parse(filter).unwrap().matches(&game), !expected, "{filter}");
    }
    let study = self::game("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[White \"STRASSE\"]\n\n1. O-O *");
    assert!(Filter::parse("start ~ \"4k3/\" and white = Straße").unwrap().matches(&study));
    assert!(Filter::parse("white = STRAẞE").unwrap().matches(&study));
}

#[test]
fn errors_have_the_column_and_what_was_expected() {
    for (filter, column, expected) in [
        ("", 1, "expected a field, not or (, found the end"),
        ("plies >", 8, "expected a number, found the end"),
        ("plies > many", 9, "expected a number, found \"many\""),
        ("plies ~ 4", 7, "plies is no text"),
        ("date = May", 8, "expected a date"),
        ("date = 1998.13", 8, "expected a date"),
        ("date = 1998.12.32", 8, "expected a date"),
        ("date = 98", 8, "expected a date"),
        ("date = +998", 8, "expected a date"),
        ("date = 1998.+5", 8, "expected a date"),
        ("game = go", 8, "expected the name of a game: xiangqi, chess or othello, found \"go\""),
        ("game ~ chess", 6, "game is no text"),
        ("game < chess", 6, "expected = or != after game"),
        ("white = 'x", 9, "the quote is not closed"),
        ("result = draw", 10, "expected 1-0, 0-1, 1/2-1/2 or *"),
        ("result < 1-0", 8, "expected = or != after result, found <"),
        ("白方 = 胡", 1, "there is no field \"白方\""),
        ("white = 胡 white", 11, "expected and, or, or the end, found \"white\""),
        ("white = \"胡", 9, "the quote is not closed"),
        ("(white", 7, "expected and, or, or ), found the end"),
        ("white ! x", 7, "\"!\" is no operator"),
        ("white == x", 7, "\"==\" is no operator"),
        ("tag = x", 5, "expected the name of a tag"),
        ("tag(", 5, "expected the name of a tag"),
        ("tag(x y)", 7, "expected ) after the name of the tag"),
        ("white and", 10, "expected a field, not or ("),
    ] {
        let error = Filter::parse(filter).unwrap_err();
        assert!(error.message.contains(expected), "{filter}: {error}");
        assert_eq!(error.column, column, "{filter}: {error}");
    }
    let deep = "(".repeat(100_000);
    assert_eq!(Filter::parse(&deep).unwrap_err().column, MAX_DEPTH_COLUMN);
    assert!(Filter::parse(&format!("{}white", "not ".repeat(100_000))).is_err());
}

/// The first parenthesis that is nested too deeply.
const MAX_DEPTH_COLUMN: usize = 101;

fn conditions() -> impl Strategy<Value = Condition> {
    let field = (0..FIELD_NAMES.len() + 1, ".{0,6}").prop_map(|(index, name)| match FIELD_NAMES.get(index) {
        Some((_, field)) => field.clone(),
        None => Field::Tag(name),
    });
    let operator = prop::sample::select(OPERATORS.map(|(_, operator)| operator).to_vec());
    let comparison = (field, operator, ".{0,8}", any::<i32>(), 1..=3_usize, any::<bool>()).prop_map(
        |(field, operator, text, number, parts, is_known)| {
            let equal = if operator == Operator::NotEqual { operator } else { Operator::Equal };
            let ordered = if operator == Operator::Contains { equal } else { operator };
            match field.kind() {
                _ if is_known => Condition::Known(field),
                FieldKind::Text => Condition::Compare(field, operator, Operand::text(text)),
                FieldKind::Number => Condition::Compare(field, ordered, Operand::Number(number.into())),
                FieldKind::Date => {
                    let date = vec![number.unsigned_abs() % 10_000, 5, 17][..parts].to_vec();
                    Condition::Compare(field, ordered, Operand::Date(date))
                }
                FieldKind::Result => Condition::Compare(field, equal, Operand::text("1/2-1/2".into())),
                FieldKind::Game => Condition::Compare(field, equal, Operand::text("chess".into())),
            }
        },
    );
    comparison.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::Or),
            inner.prop_map(|condition| Condition::Not(Box::new(condition))),
        ]
    })
}

proptest! {
    #[test]
    fn a_written_condition_is_read_as_the_same(condition in conditions()) {
        let text = condition.to_string();
        prop_assert_eq!(Filter::parse(&text), Ok(Filter::new(condition)), "{}", text);
    }

    #[test]
    fn any_text_is_a_condition_or_an_error_within_it(text in ".{0,60}") {
        if let Err(error) = Filter::parse(&text) {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column));
        }
    }
}
