//! A judge's ruling in words and plain data: what every move of a repetition does, under which book, and why somebody loses.

use alfil_kernel::{GameHistory, MoveList, Notation, Outcome, Rules as _, Verdict};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::rules::{
    Attack, ChaseOptions, ChaseRule, MoveClass, RepetitionAnalysis, RepetitionPly, homings,
};
use alfil_xiangqi::{Board, Cause, MoveNotation, Piece, Ruleset, Square};

use crate::game_session::SessionError;
use crate::typed_session::TypedSession;

mod messages;

use messages::{CHINESE, ENGLISH, Messages, cited_articles, fill_placeholders};

/// What a judge is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulingRequest {
    /// The rule book by its name; none for the one between people.
    pub ruleset: Option<String>,
    /// At which occurrence a repetition is judged, if not at the book's own.
    pub occurrences: Option<usize>,
    /// The explanation is wanted in Chinese, not in English.
    pub in_chinese: bool,
    /// How moves are written; none for the default dialect.
    pub dialect: Option<String>,
}

/// A man that is newly attacked, by its name and where it stands.
pub type Victim = (String, String);

/// A move of the repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulingPly {
    /// Its number, from 1.
    pub number: usize,
    /// The move, in the dialect that was asked for.
    pub mv: String,
    /// `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`: see [`Nature`].
    pub move_class: &'static str,
    /// What it newly attacks with profit.
    pub victims: Vec<Victim>,
}

/// A verdict with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The name of the book.
    pub ruleset: &'static str,
    /// The verdict; none if the game goes on.
    pub outcome: Option<Outcome>,
    /// The cause in one word: `perpetual_chase`; `none` if the game goes on.
    pub cause: String,
    /// The verdict in the language that was asked for: `red_loses`, 红方判负.
    pub verdict_label: &'static str,
    /// The cause in that language: `perpetual_chase`, 长捉.
    pub cause_label: &'static str,
    /// Verdict and cause in a line for people who read that language: `Red loses (perpetual chase)`.
    pub heading: String,
    /// The first and the last ply of the repetition, from 1.
    pub repetition_plies: Option<(usize, usize)>,
    /// Its moves.
    pub plies: Vec<RulingPly>,
    /// The verdict and its reasons, a sentence each.
    pub explanation: Vec<String>,
    /// What the offender could have played instead of its last move.
    pub alternatives: Vec<String>,
    /// Where sources dispute such a repetition: each reading's verdict and why.
    pub readings: Vec<(Outcome, String)>,
    /// What could be played instead, in a sentence.
    pub alternatives_note: Option<String>,
    /// The disputed readings, a sentence each.
    pub disputed_notes: Vec<String>,
}

/// The names of the rule books of xiangqi, the one between people first.
pub(crate) const XIANGQI_RULESETS: &[&str] =
    &["axf", "computer", "wxf2018", "cxa2020", "elephanteye", "xqwlight"];

/// What people call a rule book of [`Desk::books`](crate::Desk::books), in English or in Chinese.
pub fn ruleset_title(book: &str, chinese: bool) -> &'static str {
    let tongue = if chinese { &CHINESE } else { &ENGLISH };
    (tongue.ruleset_title)(book)
}

/// The rule book of xiangqi that has this name.
///
/// # Errors
/// If there is none.
pub(crate) fn xiangqi_ruleset(name: &str) -> Result<Ruleset, SessionError> {
    Ruleset::from_name(name).ok_or_else(|| {
        SessionError::new(format!(
            "there is no rule book {name:?}: the books are {}",
            XIANGQI_RULESETS.join(", ")
        ))
    })
}

/// Rules on a game of xiangqi as it stands, its moves written in a dialect.
///
/// # Errors
/// If there is no book of that name, or the book cannot judge at so few occurrences.
pub(crate) fn xiangqi_ruling<P: Board>(
    line: &GameHistory<P>,
    ask: &RulingRequest,
    dialect: Dialect,
) -> Result<Ruling, SessionError> {
    let name = ask.ruleset.as_deref().unwrap_or(XIANGQI_RULESETS[0]);
    let mut book = xiangqi_ruleset(name)?;
    if let Some(occurrences) = ask.occurrences {
        if occurrences < 2 {
            return Err(SessionError::new("a repetition takes two occurrences at least"));
        }
        book.occurrences = occurrences;
    }
    let verdict = book.judge(line);
    let study = book.analyse_repetition(line).filter(|study| Some(study.verdict) == verdict);
    let tongue = if ask.in_chinese { &CHINESE } else { &ENGLISH };
    let plies = study.as_ref().map_or(&[][..], |study| &study.plies);
    let window = plies.first().zip(plies.last()).map(|(first, last)| (first.number, last.number));
    let (outcome, cause) = (verdict.map(|verdict| verdict.outcome), verdict.map(|verdict| verdict.cause));
    let (verdict_word, cause_word) = ((tongue.verdict_label)(outcome), (tongue.cause_label)(cause));
    let instead = verdict.map_or(Vec::new(), |verdict| alternatives(line, &book, verdict, dialect));
    let texts = TypedSession::format_game(line, dialect);
    let readings = disputed_readings(line, &book, verdict, study.as_ref(), tongue);
    Ok(Ruling {
        ruleset: book.name,
        outcome,
        cause: cause.map_or("none".into(), |cause| cause.to_string()),
        verdict_label: verdict_word,
        cause_label: cause_word,
        heading: (tongue.heading)(outcome, cause),
        repetition_plies: window,
        plies: plies.iter().map(|ply| ruling_ply(ply, &texts, tongue)).collect(),
        explanation: explanation(&book, verdict, study.as_ref(), &texts, 1 + homings(line).count(), tongue),
        alternatives_note: (!instead.is_empty())
            .then(|| fill_placeholders(tongue.alternatives_note, &[&instead.join(" ")])),
        disputed_notes: readings.iter().map(|reading| disputed_note(reading, tongue)).collect(),
        alternatives: instead,
        readings,
    })
}

fn disputed_note((outcome, why): &(Outcome, String), tongue: &Messages) -> String {
    fill_placeholders(tongue.disputed_note, &[(tongue.outcome_phrase)(*outcome), why])
}

fn ruling_ply(ply: &RepetitionPly, texts: &[String], tongue: &Messages) -> RulingPly {
    let mut victims: Vec<_> = ply
        .attacks
        .iter()
        .map(|attack| ((tongue.piece_name)(attack.victim.0), attack.victim.1.to_string()))
        .collect();
    victims.dedup();
    RulingPly {
        number: ply.number,
        mv: move_text(ply, texts).to_owned(),
        move_class: ply.class.name(),
        victims,
    }
}

/// How a ply is written, which are numbered from 1.
fn move_text<'a>(ply: &RepetitionPly, texts: &'a [String]) -> &'a str {
    texts.get(ply.number - 1).map_or("", String::as_str)
}

fn explanation(
    book: &Ruleset,
    verdict: Option<Verdict<Cause>>,
    study: Option<&RepetitionAnalysis>,
    texts: &[String],
    stood: usize,
    tongue: &Messages,
) -> Vec<String> {
    let book_name = (tongue.ruleset_name)(book.name);
    let Some(verdict) = verdict else {
        let mut sentences = vec![fill_placeholders(tongue.game_continues, &[book_name])];
        if (2..book.occurrences).contains(&stood) {
            let counts = [stood, book.occurrences].map(tongue.ordinal);
            sentences.push(fill_placeholders(tongue.judged_later, &[&counts[0], &counts[1]]));
        }
        return sentences;
    };
    let mut sentences = Vec::new();
    if let Some(study) = study
        && let (Some(first), Some(last)) = (study.plies.first(), study.plies.last())
    {
        let (from, to) = (first.number.to_string(), last.number.to_string());
        let (why, count) = match stood >= book.occurrences {
            true => (tongue.judged_by_occurrence, (tongue.ordinal)(book.occurrences)),
            false => (tongue.judged_by_rounds, book.attack_rounds.unwrap_or_default().to_string()),
        };
        sentences.push(fill_placeholders(why, &[&count, &from, &to, book_name]));
        sentences.extend(study.plies.iter().map(|ply| ply_sentence(ply, texts, tongue)));
    }
    let loser = match verdict.outcome {
        Outcome::Win(winner) => tongue.side_names[(!winner).index()],
        Outcome::Draw => "",
    };
    if let (Some(study), Outcome::Win(winner)) = (study, verdict.outcome) {
        for &square in &study.chased[(!winner).index()] {
            if let Some(piece) = victim_at(study, square) {
                let man = (tongue.piece_name)(piece);
                sentences.push(fill_placeholders(tongue.chased_piece, &[loser, &man, &square.to_string()]));
            }
        }
    }
    let all =
        |is: fn(MoveClass) -> bool| study.is_some_and(|study| study.plies.iter().all(|ply| is(ply.class)));
    let (both, checks) = (all(MoveClass::is_attack), all(|nature| nature == MoveClass::Check));
    let excuses =
        matches!(book.chase_rule, ChaseRule::NewThreats(ChaseOptions { check_excuses_chases: true, .. }));
    let sentence = match verdict.cause {
        Cause::Prohibited if both => tongue.worse_offence,
        Cause::Repetition if excuses && !all(|nature| nature != MoveClass::Check) => tongue.chases_excused,
        cause => (tongue.cause_sentence)(cause),
    };
    let source = match cited_articles(book.name, verdict.cause, both, checks) {
        [] => tongue.full_stop.to_owned(),
        articles => fill_placeholders((tongue.citation)(book.name), &[&articles.join(tongue.list_separator)]),
    };
    sentences.push(fill_placeholders(sentence, &[loser, loser]) + &source);
    sentences
}

/// The man that stands on a square at the end of the repetition, as the last attack on it names it.
fn victim_at(study: &RepetitionAnalysis, square: Square) -> Option<Piece> {
    // Followed back through the moves, because the last attack may have been before its last step.
    let mut at = square;
    for ply in study.plies.iter().rev() {
        if let Some(attack) = ply.attacks.iter().find(|attack| attack.victim.1 == at) {
            return Some(attack.victim.0);
        }
        if ply.mv.target() == at {
            at = ply.mv.origin();
        }
    }
    None
}

fn ply_sentence(ply: &RepetitionPly, texts: &[String], tongue: &Messages) -> String {
    let mut deeds = Vec::new();
    if ply.attacks.is_empty() || ply.class != MoveClass::Chase {
        deeds.push((tongue.move_class_phrase)(ply.class).to_owned());
    }
    deeds.extend(ply.attacks.iter().map(|attack| attack_phrase(attack, tongue)));
    let side = tongue.side_names[ply.side.index()];
    fill_placeholders(
        tongue.ply_sentence,
        &[&ply.number.to_string(), side, move_text(ply, texts), &deeds.join(tongue.clause_separator)],
    )
}

fn attack_phrase(attack: &Attack, tongue: &Messages) -> String {
    let ((hunter, from), (hunted, to)) = (attack.attacker, attack.victim);
    let why = (tongue.capture_reason_phrase)(attack.reason);
    let words = [
        (tongue.piece_name)(hunter),
        from.to_string(),
        why.to_owned(),
        (tongue.piece_name)(hunted),
        to.to_string(),
    ];
    fill_placeholders(tongue.attack_phrase, &words.each_ref().map(String::as_str))
}

/// What the loser could have played instead of its last move without losing by the rules at once.
fn alternatives<P: Board>(
    line: &GameHistory<P>,
    book: &Ruleset,
    verdict: Verdict<Cause>,
    dialect: Dialect,
) -> Vec<String> {
    let repetition =
        matches!(verdict.cause, Cause::PerpetualCheck | Cause::PerpetualChase | Cause::Prohibited);
    let Outcome::Win(winner) = verdict.outcome else { return Vec::new() };
    if !repetition {
        return Vec::new();
    }
    let mut line = line.clone();
    let mut played = None;
    while line.side_to_move() == winner || played.is_none() {
        let Some(mv) = line.last_ply().and_then(|record| record.mv()) else { return Vec::new() };
        line.pop(&mut ());
        played = Some(mv);
    }
    let banned = book.forbidden_moves(&line);
    let mut moves = MoveList::new();
    line.position().generate_legal(&mut moves);
    let sound = moves.iter().filter(|mv| !banned.contains(mv) && Some(**mv) != played);
    let mut texts: Vec<_> =
        sound.map(|&mv| MoveNotation::format_move(line.position(), mv, dialect)).collect();
    texts.sort_unstable();
    texts
}

/// Under the books that ask for new threats: what the other common reading of a chase makes of the same repetition, where that
/// is another verdict, and what sources say that dispute such a pattern. The book's own reading comes first.
fn disputed_readings<P: Board>(
    line: &GameHistory<P>,
    book: &Ruleset,
    verdict: Option<Verdict<Cause>>,
    study: Option<&RepetitionAnalysis>,
    tongue: &Messages,
) -> Vec<(Outcome, String)> {
    let (Some(verdict), Some(study), ChaseRule::NewThreats(_)) = (verdict, study, book.chase_rule) else {
        return Vec::new();
    };
    let mut own = tongue.own_reading_note;
    let mut others = Vec::new();
    let other =
        if book.chase_rule == Ruleset::COMPUTER.chase_rule { Ruleset::AXF } else { Ruleset::COMPUTER };
    let second = Ruleset { chase_rule: other.chase_rule, ..*book };
    let mut disputes = book.disputes(line, study);
    if let Some(differs) =
        second.analyse_repetition(line).filter(|study| study.verdict.outcome != verdict.outcome)
    {
        own = (tongue.reading_note)(book.name);
        others.push((differs.verdict.outcome, (tongue.reading_note)(other.name).to_owned()));
        // What the other reading sees may be disputed further, down to an outcome that nobody has named yet.
        disputes.extend(
            second.disputes(line, &differs).into_iter().filter(|(outcome, _)| *outcome != verdict.outcome),
        );
    }
    others
        .extend(disputes.into_iter().map(|(outcome, why)| (outcome, (tongue.dispute_note)(why).to_owned())));
    if !others.is_empty() {
        others.insert(0, (verdict.outcome, own.to_owned()));
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use alfil_kernel::{Side, Waivers};

    const CANNON: &str = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
    const ROUND: [&str; 9] = ["c2a2", "a7b7", "a2b2", "b7a7", "b2a2", "a7b7", "a2b2", "b7a7", "b2a2"];

    fn ruling(ask: &RulingRequest) -> Ruling {
        let mut desk = registry::open("xiangqi", None).unwrap();
        desk.open(CANNON, &Waivers::None).unwrap();
        for mv in ROUND {
            desk.play(mv, None).unwrap();
        }
        desk.ruling(ask).unwrap()
    }

    #[test]
    fn a_perpetual_chase_is_ruled_with_its_reasons() {
        let ruling = ruling(&RulingRequest::default());
        assert_eq!((ruling.ruleset, ruling.outcome), ("axf", Some(Outcome::Win(Side::Second))));
        assert_eq!((ruling.cause.as_str(), ruling.repetition_plies), ("perpetual_chase", Some((2, 9))));
        assert_eq!((ruling.verdict_label, &*ruling.heading), ("red_loses", "Red loses (perpetual chase)"));
        let natures: Vec<_> = ruling.plies.iter().map(|ply| ply.move_class).collect();
        assert_eq!(natures, ["idle", "chase"].repeat(4));
        assert_eq!(ruling.plies[1].victims, [("Black chariot".to_owned(), "b7".to_owned())]);
        assert!(
            ruling.explanation[2].contains("Red cannon b2 newly attacks the more valuable Black chariot b7")
        );
        assert!(ruling.explanation.last().unwrap().contains("Red loses"));
        assert!(
            ruling.alternatives.contains(&"i0i1".to_owned())
                && !ruling.alternatives.contains(&"b2a2".to_owned())
        );
        assert!(ruling.readings.is_empty());
    }

    #[test]
    fn every_book_has_a_name_for_people_in_both_languages() {
        for chinese in [false, true] {
            let titles: std::collections::BTreeSet<_> =
                XIANGQI_RULESETS.iter().map(|book| ruleset_title(book, chinese)).collect();
            assert_eq!(titles.len(), Ruleset::ALL.len());
            let han = |c: char| ('\u{4e00}'..'\u{a000}').contains(&c);
            assert!(titles.iter().all(|title| title.contains(han) == chinese), "{titles:?}");
        }
    }

    #[test]
    fn a_book_that_waits_says_so() {
        let ruling =
            ruling(&RulingRequest { ruleset: Some("elephanteye".into()), ..RulingRequest::default() });
        let told = ruling.explanation.join(" ");
        assert!(ruling.outcome.is_none() && told.contains("stands for the third time"), "{told}");
        assert!(told.contains("judges a repetition at the fourth"), "{told}");
    }

    /// A cannon attacks a horse over the general it belongs to: chessdb and Chong call it no chase, Cyclone a perpetual one.
    #[test]
    fn a_disputed_pattern_has_both_readings() {
        let mut desk = registry::open("xiangqi", None).unwrap();
        desk.open("1RC1k4/9/4n4/9/9/9/9/4B4/9/4K4 w", &Waivers::None).unwrap();
        for mv in ["b9b7", "e7f9", "b7b9", "f9e7", "b9b7", "e7f9", "b7b9", "f9e7"] {
            desk.play(mv, None).unwrap();
        }
        for chinese in [false, true] {
            let ruling =
                desk.ruling(&RulingRequest { in_chinese: chinese, ..RulingRequest::default() }).unwrap();
            let outcomes: Vec<_> = ruling.readings.iter().map(|reading| reading.0).collect();
            assert_eq!(ruling.outcome, Some(Outcome::Win(Side::Second)));
            assert_eq!(outcomes, [Outcome::Win(Side::Second), Outcome::Draw]);
            assert_eq!(ruling.readings[1].1.contains("general"), !chinese);
        }
    }

    /// What one published list says of a soldier chased between checks, against all others, stands beside two more readings,
    /// whichever of the books is asked.
    #[test]
    fn three_readings_of_one_repetition_are_told() {
        let mut desk = registry::open("xiangqi", None).unwrap();
        desk.open("5k3/9/9/5C3/5c3/5C3/9/9/5p3/4K4 w", &Waivers::None).unwrap();
        for mv in ["f4d4", "f5d5", "d4f4", "d5f5", "f4d4", "f5d5", "d4f4", "d5f5"] {
            desk.play(mv, None).unwrap();
        }
        let [red, black] = Side::BOTH.map(Outcome::loss);
        for (book, outcomes) in [
            ("axf", [red, Outcome::Draw, black]),
            ("wxf2018", [red, Outcome::Draw, black]),
            ("computer", [Outcome::Draw, red, black]),
        ] {
            let ruling = desk
                .ruling(&RulingRequest { ruleset: Some(book.into()), ..RulingRequest::default() })
                .unwrap();
            let readings: Vec<_> = ruling.readings.iter().map(|reading| reading.0).collect();
            assert_eq!((ruling.outcome, &readings[..]), (Some(outcomes[0]), &outcomes[..]), "{book}");
            assert!(ruling.disputed_notes.last().unwrap().contains("disputed: Black loses"));
        }
    }

    /// Where Chinese is asked for, nothing is left in Latin letters but squares and moves.
    #[test]
    fn a_chinese_ruling_has_no_english_words() {
        for &book in XIANGQI_RULESETS {
            for occurrences in [3, 4] {
                let (book, occurrences) = (Some(book.into()), Some(occurrences));
                let ask = RulingRequest {
                    ruleset: book,
                    occurrences,
                    in_chinese: true,
                    ..RulingRequest::default()
                };
                let ruling = ruling(&ask);
                let told =
                    [&[ruling.heading][..], &ruling.explanation, &ruling.disputed_notes].concat().join(" ");
                let mut words = told.split(|letter: char| !letter.is_ascii_alphanumeric());
                let latin = words.find(|word| word.bytes().filter(u8::is_ascii_alphabetic).count() > 2);
                assert_eq!(latin, None, "{told}");
            }
        }
    }

    #[test]
    fn moves_are_told_in_the_dialect_asked_for() {
        let ask =
            RulingRequest { in_chinese: true, dialect: Some("chinese".into()), ..RulingRequest::default() };
        let ruling = ruling(&ask);
        assert_eq!(ruling.plies[1].mv, "炮九平八");
        assert!(ruling.explanation[2].starts_with("第3步，红方炮九平八："), "{:?}", ruling.explanation);
        assert!(ruling.alternatives.contains(&"车一进一".to_owned()), "{:?}", ruling.alternatives);
        let mut desk = registry::open("xiangqi", None).unwrap();
        desk.open(CANNON, &Waivers::None).unwrap();
        let ask = RulingRequest { dialect: Some("klingon".into()), ..RulingRequest::default() };
        assert!(desk.ruling(&ask).unwrap_err().message.contains("no dialect"));
    }

    /// Each book's ruling names its own article, and the books that have none say whose they follow.
    #[test]
    fn articles_are_the_books_own() {
        for (book, article) in [
            ("axf", "(AXF 32)"),
            ("wxf2018", "(WXF 20.3)"),
            ("computer", "(as AXF 32)"),
            ("cxa2020", "(CXA 24.13, 25.3)"),
            ("elephanteye", "(as AXF 32)"),
        ] {
            let ask = RulingRequest {
                ruleset: Some(book.into()),
                occurrences: Some(3),
                ..RulingRequest::default()
            };
            assert!(ruling(&ask).explanation.last().unwrap().contains(article), "{book}");
        }
    }

    #[test]
    fn every_book_rules_in_both_languages() {
        for &book in XIANGQI_RULESETS {
            for chinese in [false, true] {
                let (book_name, occurrences) = (Some(book.into()), Some(3));
                let ask = RulingRequest {
                    ruleset: book_name,
                    occurrences,
                    in_chinese: chinese,
                    ..RulingRequest::default()
                };
                let ruling = ruling(&ask);
                let draws = book == "xqwlight";
                assert_eq!(ruling.outcome == Some(Outcome::Draw), draws, "{book}");
                let words = ruling.explanation.concat();
                assert!(!words.contains("{}"), "{words}");
                assert_eq!(words.contains("红") || words.contains("局面"), chinese, "{words}");
            }
        }
        let ask = RulingRequest { ruleset: Some("cycle".into()), ..RulingRequest::default() };
        let desk = registry::open("xiangqi", None).unwrap();
        assert!(desk.ruling(&ask).unwrap_err().message.contains("computer"));
        let ask = RulingRequest { occurrences: Some(1), ..RulingRequest::default() };
        assert!(desk.ruling(&ask).is_err());
        assert!(registry::open("othello", None).unwrap().ruling(&RulingRequest::default()).is_err());
    }
}
