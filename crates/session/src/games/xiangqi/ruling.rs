//! Rulings on repetitions of xiangqi: plain data and sentences from the analysis of a repetition.

use alfil_kernel::{GameHistory, Notation, Outcome, RefusedMove, Rules as _, Side, Verdict};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::rules::{
    Attack, ChaseOptions, ChaseRule, ExplainedVerdict, MoveClass, ParseRulesetNameError, Reading,
    RepetitionAnalysis, RepetitionPly, homings,
};
use alfil_xiangqi::{Board, Cause, Move, MoveNotation, Piece, Ruleset, RulesetName, Square, Xiangqi};

use super::ruling_messages::{CHINESE, ENGLISH, Messages, cited_articles, fill_placeholders};
use crate::game_info::RulesetInfo;
use crate::game_profile::{GameProfile, format_game};
use crate::rulings::{Ruling, RulingAttack, RulingPly, RulingRequest};
use crate::session_error::SessionError;

/// The rulesets of xiangqi, the one for play between people first.
pub(super) static RULESETS: [RulesetInfo; RulesetName::ALL.len()] = {
    let mut rulesets = [ruleset_info(RulesetName::ALL[0]); RulesetName::ALL.len()];
    let mut index = 0;
    while index < rulesets.len() {
        rulesets[index] = ruleset_info(RulesetName::ALL[index]);
        index += 1;
    }
    rulesets
};

const fn ruleset_info(name: RulesetName) -> RulesetInfo {
    let (title, title_zh) = match name {
        RulesetName::Computer => ("Computer rules", "电脑规则"),
        RulesetName::Axf => ("Asian rules (AXF)", "亚洲规则（AXF）"),
        RulesetName::Wxf2018 => ("World rules (WXF 2018)", "世界规则（WXF 2018）"),
        RulesetName::Cxa2020 => ("Chinese rules (CXA 2020)", "中国规则（CXA 2020）"),
        RulesetName::ElephantEye => ("ElephantEye's rules", "象眼规则"),
        RulesetName::XqwLight => ("XQWLight's rules", "象棋小巫师规则"),
        RulesetName::Tiantian => ("Tiantian Xiangqi's rules", "天天象棋规则"),
    };
    RulesetInfo { name: name.name(), title, title_zh }
}

/// Returns the ruleset of xiangqi with this name.
///
/// # Errors
/// Returns an error if there is none.
pub(super) fn ruleset(name: &str) -> Result<Ruleset, SessionError> {
    let name: RulesetName =
        name.parse().map_err(|error: ParseRulesetNameError| SessionError::new(error.to_string()))?;
    Ok(name.ruleset())
}

/// Rules on the current state of a game of xiangqi, its moves formatted in a dialect.
///
/// # Errors
/// Returns an error if there is no ruleset of that name, or fewer than two occurrences are requested.
pub(super) fn ruling<P: Board>(
    game: &GameHistory<P>,
    request: &RulingRequest,
    dialect: Dialect,
) -> Result<Ruling, SessionError> {
    let name = request.ruleset.as_deref().unwrap_or(RULESETS[0].name);
    let mut ruleset = ruleset(name)?;
    if let Some(occurrences) = request.occurrences {
        if occurrences < 2 {
            return Err(SessionError::new("a repetition takes at least 2 occurrences"));
        }
        ruleset.occurrences = occurrences;
    }
    let explained = ruleset.explained_verdict(game);
    let messages = if request.in_chinese { &CHINESE } else { &ENGLISH };
    let analysis = explained.as_ref().and_then(|explained| explained.analysis.as_ref());
    let plies = analysis.map_or(&[][..], |analysis| &analysis.plies);
    let repetition_plies = plies.first().zip(plies.last()).map(|(first, last)| (first.number, last.number));
    let verdict = explained.as_ref().map(|explained| explained.verdict);
    let (outcome, cause) = (verdict.map(|verdict| verdict.outcome), verdict.map(|verdict| verdict.cause));
    let (verdict_label, cause_label) = ((messages.verdict_label)(outcome), (messages.cause_label)(cause));
    let alternatives =
        explained.as_ref().map_or(Vec::new(), |explained| alternative_texts(game, explained, dialect));
    // Without a verdict no move is named.
    let texts = explained.as_ref().map_or(Vec::new(), |_| format_game(game, dialect));
    let readings: Vec<_> = explained
        .iter()
        .flat_map(|explained| &explained.readings)
        .map(|&(outcome, reading)| (outcome, reading_note(reading, messages).to_owned()))
        .collect();
    let refused = if verdict.is_none() { ruleset.refused_moves(game) } else { Vec::new() };
    let mut explanation =
        explanation(&ruleset, verdict, analysis, &texts, 1 + homings(game).count(), messages);
    explanation.extend(refusal_sentences(game, &refused, request.in_chinese, dialect, messages));
    Ok(Ruling {
        ruleset: ruleset.name.name(),
        outcome,
        must_change: must_change(outcome, repetition_plies.is_some())
            .or_else(|| (!refused.is_empty()).then(|| game.position().side_to_move())),
        cause: cause.map_or("none".into(), |cause| cause.to_string()),
        verdict_label,
        cause_label,
        heading: (messages.heading)(outcome, cause),
        repetition_plies,
        plies: ruling_plies(game, plies, &texts, messages),
        explanation,
        alternatives_note: (!alternatives.is_empty())
            .then(|| fill_placeholders(messages.alternatives_note, &[&alternatives.join(" ")])),
        disputed_notes: readings.iter().map(|reading| disputed_note(reading, messages)).collect(),
        alternatives,
        readings,
        articles: verdict.map_or(&[], |verdict| articles(&ruleset, verdict, analysis)),
        evidence: evidence(ruleset.name),
    })
}

/// Returns the side that loses by a repetition.
fn must_change(outcome: Option<Outcome>, is_repetition: bool) -> Option<Side> {
    match outcome {
        Some(Outcome::Win(winner)) if is_repetition => Some(!winner),
        _ => None,
    }
}

/// Returns a sentence for each reason for which moves are refused now, with these moves.
fn refusal_sentences<P: Board>(
    game: &GameHistory<P>,
    refused: &[RefusedMove<Move, Cause>],
    in_chinese: bool,
    dialect: Dialect,
    messages: &Messages,
) -> Vec<String> {
    let reason = match in_chinese {
        true => <Xiangqi as GameProfile<P>>::refusal_message_zh,
        false => <Xiangqi as GameProfile<P>>::refusal_message,
    };
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for refused in refused {
        let (reason, text) =
            (reason(refused), MoveNotation::format_move(game.position(), refused.mv, dialect));
        match reasons.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, texts)) => texts.push(text),
            None => reasons.push((reason, vec![text])),
        }
    }
    let sentence = |(reason, mut texts): (String, Vec<String>)| {
        texts.sort_unstable();
        fill_placeholders(messages.refused_moves, &[&texts.join(" "), &reason])
    };
    reasons.into_iter().map(sentence).collect()
}

/// Returns the texts of the moves that the loser could have played instead of its last one.
fn alternative_texts<P: Board>(
    game: &GameHistory<P>,
    explained: &ExplainedVerdict,
    dialect: Dialect,
) -> Vec<String> {
    let mut game = game.clone();
    while game.ply() > explained.alternatives_ply {
        game.pop(&mut ());
    }
    let format = |&mv| MoveNotation::format_move(game.position(), mv, dialect);
    let mut texts: Vec<_> = explained.alternatives.iter().map(format).collect();
    texts.sort_unstable();
    texts
}

fn reading_note(reading: Reading, messages: &Messages) -> &'static str {
    match reading {
        Reading::Own => messages.own_reading_note,
        Reading::Ruleset(name) => (messages.reading_note)(name),
        Reading::Dispute(dispute) => (messages.dispute_note)(dispute),
    }
}

fn disputed_note((outcome, reason): &(Outcome, String), messages: &Messages) -> String {
    fill_placeholders(messages.disputed_note, &[(messages.outcome_phrase)(*outcome), reason])
}

/// Returns the plies of the repetition, walked back from the end of the game for the protectors.
fn ruling_plies<P: Board>(
    game: &GameHistory<P>,
    plies: &[RepetitionPly],
    texts: &[String],
    messages: &Messages,
) -> Vec<RulingPly> {
    let mut game = game.clone();
    let mut found = Vec::with_capacity(plies.len());
    for ply in plies.iter().rev() {
        while game.ply() > ply.number {
            game.pop(&mut ());
        }
        found.push(ruling_ply(ply, game.position(), texts, messages));
    }
    found.reverse();
    found
}

fn ruling_ply<P: Board>(
    ply: &RepetitionPly,
    position: &P,
    texts: &[String],
    messages: &Messages,
) -> RulingPly {
    let attack = |attack: &Attack| RulingAttack {
        attacker: attack.attacker.1.to_string(),
        victim: attack.victim.1.to_string(),
        protectors: attack.protectors(position).iter().map(Square::to_string).collect(),
    };
    let mut victims = Vec::new();
    for attack in &ply.attacks {
        let victim = ((messages.piece_name)(attack.victim.0), attack.victim.1.to_string());
        if !victims.contains(&victim) {
            victims.push(victim);
        }
    }
    RulingPly {
        number: ply.number,
        mv: move_text(ply, texts).to_owned(),
        move_class: ply.class.name(),
        victims,
        attacks: ply.attacks.iter().map(attack).collect(),
        searched_plies: ply.searched_plies,
    }
}

/// Returns the text of a ply; ply numbers start at 1.
fn move_text<'a>(ply: &RepetitionPly, texts: &'a [String]) -> &'a str {
    texts.get(ply.number - 1).map_or("", String::as_str)
}

fn explanation(
    ruleset: &Ruleset,
    verdict: Option<Verdict<Cause>>,
    analysis: Option<&RepetitionAnalysis>,
    texts: &[String],
    occurrences: usize,
    messages: &Messages,
) -> Vec<String> {
    let ruleset_name = (messages.ruleset_name)(ruleset.name);
    let Some(verdict) = verdict else {
        let mut sentences = vec![fill_placeholders(messages.game_continues, &[ruleset_name])];
        if (2..ruleset.occurrences).contains(&occurrences) {
            let counts = [occurrences, ruleset.occurrences].map(messages.ordinal);
            sentences.push(fill_placeholders(messages.judged_later, &[&counts[0], &counts[1]]));
        }
        return sentences;
    };
    let mut sentences = Vec::new();
    if let Some(analysis) = analysis
        && let (Some(first), Some(last)) = (analysis.plies.first(), analysis.plies.last())
    {
        let (from, to) = (first.number.to_string(), last.number.to_string());
        let rounds = ruleset.attack_rounds.map(|rounds| (messages.judged_by_rounds, rounds.to_string()));
        let by_occurrence = (messages.judged_by_occurrence, (messages.ordinal)(occurrences));
        let judged = if occurrences >= ruleset.occurrences { Some(by_occurrence) } else { rounds };
        // A draw by mutual attacks needs neither a repetition nor rounds by one piece.
        sentences.extend(
            judged.map(|(template, count)| fill_placeholders(template, &[&count, &from, &to, ruleset_name])),
        );
        sentences.extend(analysis.plies.iter().map(|ply| ply_sentence(ply, ruleset, texts, messages)));
    }
    let loser = match verdict.outcome {
        Outcome::Win(winner) => messages.side_names[(!winner).index()],
        Outcome::Draw => "",
    };
    if let (Some(analysis), Outcome::Win(winner)) = (analysis, verdict.outcome) {
        for &square in &analysis.chased[(!winner).index()] {
            if let Some(piece) = victim_at(analysis, square) {
                let piece = (messages.piece_name)(piece);
                sentences
                    .push(fill_placeholders(messages.chased_piece, &[loser, &piece, &square.to_string()]));
            }
        }
    }
    let every_ply = |is_class| is_every_ply(analysis, is_class);
    let both = every_ply(MoveClass::is_attack);
    let several_chase_several = analysis.is_some_and(|analysis| analysis.several_chase_several);
    let check_excuses =
        matches!(ruleset.chase_rule, ChaseRule::NewThreats(ChaseOptions { check_excuses_chases: true, .. }));
    let sentence = match verdict.cause {
        Cause::Prohibited if both => messages.worse_offence,
        Cause::Repetition if forbids_only_checks(ruleset) => messages.chases_allowed,
        Cause::MutualOffence if forbids_only_checks(ruleset) => messages.mutual_check,
        Cause::Repetition if check_excuses && !every_ply(|class| class != MoveClass::Check) => {
            messages.chases_excused
        }
        Cause::Repetition if several_chase_several => messages.several_chases_allowed,
        cause => (messages.cause_sentence)(cause),
    };
    let citation = match articles(ruleset, verdict, analysis) {
        [] => messages.full_stop.to_owned(),
        articles => {
            fill_placeholders((messages.citation)(ruleset.name), &[&articles.join(messages.list_separator)])
        }
    };
    sentences.push(fill_placeholders(sentence, &[loser, loser]) + &citation);
    sentences
}

fn forbids_only_checks(ruleset: &Ruleset) -> bool {
    ruleset.chase_rule == ChaseRule::NoChase && ruleset.attack_limits.is_none()
}

fn is_every_ply(analysis: Option<&RepetitionAnalysis>, is_class: fn(MoveClass) -> bool) -> bool {
    analysis.is_some_and(|analysis| analysis.plies.iter().all(|ply| is_class(ply.class)))
}

/// Returns the articles that a verdict rests on.
fn articles(
    ruleset: &Ruleset,
    verdict: Verdict<Cause>,
    analysis: Option<&RepetitionAnalysis>,
) -> &'static [&'static str] {
    cited_articles(
        ruleset.name,
        verdict.cause,
        is_every_ply(analysis, MoveClass::is_attack),
        is_every_ply(analysis, |class| class == MoveClass::Check),
        analysis.is_some_and(|analysis| analysis.several_chase_several),
    )
}

/// Returns what a ruleset is known from: the text of a rule book, the diagrams of one, or measured verdicts of a
/// program.
fn evidence(name: RulesetName) -> &'static str {
    match name {
        RulesetName::Axf | RulesetName::Cxa2020 => "diagrams",
        RulesetName::Wxf2018 | RulesetName::Tiantian => "text",
        RulesetName::Computer | RulesetName::ElephantEye | RulesetName::XqwLight => "measured",
    }
}

/// Returns the piece on a square at the end of the repetition, as the last attack on it names it.
fn victim_at(analysis: &RepetitionAnalysis, square: Square) -> Option<Piece> {
    // Follows the piece back through the moves, because the last attack may precede its last move.
    let mut at = square;
    for ply in analysis.plies.iter().rev() {
        if let Some(attack) = ply.attacks.iter().find(|attack| attack.victim.1 == at) {
            return Some(attack.victim.0);
        }
        if ply.mv.target() == at {
            at = ply.mv.origin();
        }
    }
    None
}

fn ply_sentence(ply: &RepetitionPly, ruleset: &Ruleset, texts: &[String], messages: &Messages) -> String {
    let mut phrases = Vec::new();
    if ply.attacks.is_empty() || ply.class != MoveClass::Chase {
        // Where no chase is forbidden, none is looked for.
        let only_checks = forbids_only_checks(ruleset) && ply.class != MoveClass::Check;
        phrases.push(match only_checks {
            true => messages.no_check.to_owned(),
            false => (messages.move_class_phrase)(ply.class).to_owned(),
        });
    }
    phrases.extend(ply.attacks.iter().map(|attack| attack_phrase(attack, messages)));
    let side = messages.side_names[ply.side.index()];
    fill_placeholders(
        messages.ply_sentence,
        &[&ply.number.to_string(), side, move_text(ply, texts), &phrases.join(messages.clause_separator)],
    )
}

fn attack_phrase(attack: &Attack, messages: &Messages) -> String {
    let ((attacker, from), (victim, to)) = (attack.attacker, attack.victim);
    let reason = (messages.capture_reason_phrase)(attack.reason);
    let arguments = [
        (messages.piece_name)(attacker),
        from.to_string(),
        reason.to_owned(),
        (messages.piece_name)(victim),
        to.to_string(),
    ];
    fill_placeholders(messages.attack_phrase, &arguments.each_ref().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use alfil_kernel::{Side, Waivers};

    const CANNON: &str = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
    const CHASE: [&str; 9] = ["c2a2", "a7b7", "a2b2", "b7a7", "b2a2", "a7b7", "a2b2", "b7a7", "b2a2"];

    fn ruling(request: &RulingRequest) -> Ruling {
        let mut session = registry::open("xiangqi", None).unwrap();
        session.open(CANNON, &Waivers::None).unwrap();
        for mv in CHASE {
            session.play(mv, None).unwrap();
        }
        session.ruling(request).unwrap()
    }

    #[test]
    fn a_perpetual_chase_is_ruled_with_its_reasons() {
        let rook = format!("Black {}", alfil_xiangqi::PieceKind::Rook.name());
        let ruling = ruling(&RulingRequest::default());
        assert_eq!((ruling.ruleset, ruling.outcome), ("axf", Some(Outcome::Win(Side::Second))));
        assert_eq!((ruling.cause.as_str(), ruling.repetition_plies), ("perpetual_chase", Some((2, 9))));
        assert_eq!((ruling.verdict_label, &*ruling.heading), ("red_loses", "Red loses (perpetual chase)"));
        let classes: Vec<_> = ruling.plies.iter().map(|ply| ply.move_class).collect();
        assert_eq!(classes, ["idle", "chase"].repeat(4));
        assert_eq!(ruling.plies[1].victims, [(rook.clone(), "b7".to_owned())]);
        let attack = format!("Red cannon b2 newly attacks the more valuable {rook} b7");
        assert!(ruling.explanation[2].contains(&attack), "{:?}", ruling.explanation);
        assert!(ruling.explanation.last().unwrap().contains("Red loses"));
        assert!(
            ruling.alternatives.contains(&"i0i1".to_owned())
                && !ruling.alternatives.contains(&"b2a2".to_owned())
        );
        assert!(ruling.readings.is_empty());
    }

    #[test]
    fn every_ruleset_has_a_title_in_both_languages() {
        let is_han = |c: char| ('\u{4e00}'..'\u{a000}').contains(&c);
        for (index, ruleset) in RULESETS.iter().enumerate() {
            assert!(!ruleset.title.contains(is_han) && ruleset.title_zh.contains(is_han), "{ruleset:?}");
            let earlier = &RULESETS[..index];
            assert!(
                earlier
                    .iter()
                    .all(|other| { other.title != ruleset.title && other.title_zh != ruleset.title_zh })
            );
        }
    }

    #[test]
    fn a_ruling_before_the_judged_occurrence_says_when_it_is_judged() {
        let ruling =
            ruling(&RulingRequest { ruleset: Some("elephanteye".into()), ..RulingRequest::default() });
        let text = ruling.explanation.join(" ");
        assert!(ruling.outcome.is_none() && text.contains("occurs for the third time"), "{text}");
        assert!(text.contains("judges a repetition at the fourth"), "{text}");
    }

    /// A cannon attacks a horse over the king of the horse's side: chessdb and Chong count no chase, Cyclone counts a
    /// perpetual one.
    #[test]
    fn a_disputed_pattern_has_both_readings() {
        let mut session = registry::open("xiangqi", None).unwrap();
        session.open("1RC1k4/9/4n4/9/9/9/9/4B4/9/4K4 w", &Waivers::None).unwrap();
        for mv in ["b9b7", "e7f9", "b7b9", "f9e7", "b9b7", "e7f9", "b7b9", "f9e7"] {
            session.play(mv, None).unwrap();
        }
        for chinese in [false, true] {
            let ruling =
                session.ruling(&RulingRequest { in_chinese: chinese, ..RulingRequest::default() }).unwrap();
            let outcomes: Vec<_> = ruling.readings.iter().map(|reading| reading.0).collect();
            assert_eq!(ruling.outcome, Some(Outcome::Win(Side::Second)));
            assert_eq!(outcomes, [Outcome::Win(Side::Second), Outcome::Draw]);
            assert_eq!(ruling.readings[1].1.contains("king"), !chinese);
        }
    }

    /// The verdict of one published list on a soldier chased between checks, against all other sources, is listed
    /// beside two more readings, under each of these rulesets.
    #[test]
    fn three_readings_of_one_repetition_are_listed() {
        let mut session = registry::open("xiangqi", None).unwrap();
        session.open("5k3/9/9/5C3/5c3/5C3/9/9/5p3/4K4 w", &Waivers::None).unwrap();
        for mv in ["f4d4", "f5d5", "d4f4", "d5f5", "f4d4", "f5d5", "d4f4", "d5f5"] {
            session.play(mv, None).unwrap();
        }
        let [red, black] = Side::BOTH.map(Outcome::loss);
        for (ruleset, outcomes) in [
            ("axf", [red, Outcome::Draw, black]),
            ("wxf2018", [red, Outcome::Draw, black]),
            ("computer", [Outcome::Draw, red, black]),
        ] {
            let ruling = session
                .ruling(&RulingRequest { ruleset: Some(ruleset.into()), ..RulingRequest::default() })
                .unwrap();
            let readings: Vec<_> = ruling.readings.iter().map(|reading| reading.0).collect();
            assert_eq!((ruling.outcome, &readings[..]), (Some(outcomes[0]), &outcomes[..]), "{ruleset}");
            assert!(ruling.disputed_notes.last().unwrap().contains("disputed: Black loses"));
        }
    }

    /// Rules that forbid only perpetual check have a sentence of their own for a check by each side at every move.
    #[test]
    fn mutual_perpetual_check_is_ruled_by_what_a_ruleset_forbids() {
        let mut session = registry::open("xiangqi", None).unwrap();
        session.open("9/4k4/3r5/3c5/3P5/9/9/4C4/9/3K5 w", &Waivers::None).unwrap();
        for mv in ["d5e5", "d6e6", "e5d5", "e6d6"].repeat(3) {
            session.play(mv, None).unwrap();
        }
        for RulesetInfo { name: ruleset, .. } in RULESETS {
            let ruling = session
                .ruling(&RulingRequest { ruleset: Some(ruleset.to_owned()), ..RulingRequest::default() })
                .unwrap();
            assert_eq!((ruling.outcome, ruling.cause.as_str()), (Some(Outcome::Draw), "mutual"), "{ruleset}");
            let has_own_sentence =
                ruling.explanation.concat().contains("Both sides give check with every move");
            assert_eq!(has_own_sentence, ruleset == "xqwlight", "{:?}", ruling.explanation);
        }
    }

    /// The repetition `orange-L550` of the test data of `alfil-xiangqi`: two rooks chase two cannons with every move.
    #[test]
    fn a_draw_in_which_several_pieces_chase_several_is_not_explained_by_the_absence_of_chases() {
        let mut session = registry::open("xiangqi", None).unwrap();
        session.open("3akab2/c2R1R2c/4b4/9/9/9/9/4B4/4K4/2B6 w", &Waivers::None).unwrap();
        let cycle = ["d8d6", "d9e8", "d6d8", "e8d9", "f8f6", "f9e8", "f6f8", "e8f9"];
        for mv in cycle.iter().cycle().take(18) {
            session.play(mv, None).unwrap();
        }
        let ruling = session.ruling(&RulingRequest::default()).unwrap();
        assert_eq!((ruling.outcome, ruling.cause.as_str()), (Some(Outcome::Draw), "repetition"));
        let last = ruling.explanation.last().unwrap();
        assert!(
            last.starts_with("Several pieces may chase several pieces") && last.ends_with("(AXF 32)."),
            "{last}"
        );
        let request = RulingRequest { in_chinese: true, ..RulingRequest::default() };
        assert!(session.ruling(&request).unwrap().explanation.last().unwrap().starts_with("多子可捉多子"));
        // The rules of the World Xiangqi Federation have no such article.
        let request = RulingRequest { ruleset: Some("wxf2018".to_owned()), ..RulingRequest::default() };
        let ruling = session.ruling(&request).unwrap();
        let last = ruling.explanation.last().unwrap();
        assert!(
            last.starts_with("Several pieces may chase several pieces") && !last.contains("WXF"),
            "{last}"
        );
    }

    #[test]
    fn a_ruling_on_a_later_occurrence_names_that_occurrence() {
        let ruling = ruling(&RulingRequest { occurrences: Some(2), ..RulingRequest::default() });
        let text = &ruling.explanation[0];
        assert!(text.starts_with("The position occurs for the third time"), "{text}");
    }

    /// Chinese rulings contain no Latin words but squares and moves.
    #[test]
    fn a_chinese_ruling_has_no_english_words() {
        for RulesetInfo { name: ruleset, .. } in RULESETS {
            for occurrences in [3, 4] {
                let (ruleset, occurrences) = (Some(ruleset.to_owned()), Some(occurrences));
                let request =
                    RulingRequest { ruleset, occurrences, in_chinese: true, ..RulingRequest::default() };
                let ruling = ruling(&request);
                let text =
                    [&[ruling.heading][..], &ruling.explanation, &ruling.disputed_notes].concat().join(" ");
                let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
                let latin = words.find(|word| word.bytes().filter(u8::is_ascii_alphabetic).count() > 2);
                assert_eq!(latin, None, "{text}");
            }
        }
    }

    #[test]
    fn moves_are_in_the_requested_dialect() {
        let request =
            RulingRequest { in_chinese: true, dialect: Some("chinese".into()), ..RulingRequest::default() };
        let ruling = ruling(&request);
        assert_eq!(ruling.plies[1].mv, "炮九平八");
        assert!(ruling.explanation[2].starts_with("第3步，红方炮九平八："), "{:?}", ruling.explanation);
        assert!(ruling.alternatives.contains(&"车一进一".to_owned()), "{:?}", ruling.alternatives);
        let mut session = registry::open("xiangqi", None).unwrap();
        session.open(CANNON, &Waivers::None).unwrap();
        let request = RulingRequest { dialect: Some("klingon".into()), ..RulingRequest::default() };
        assert!(session.ruling(&request).unwrap_err().message.contains("no dialect"));
    }

    /// Each ruling cites an article of its own ruleset, and rulesets without articles cite the ones that they follow.
    #[test]
    fn each_ruleset_cites_its_own_articles() {
        for (ruleset, article) in [
            ("axf", "(AXF 32)"),
            ("wxf2018", "(WXF 20.3)"),
            ("computer", "(as AXF 32)"),
            ("cxa2020", "(CXA 24.13, 25.3)"),
            ("elephanteye", "(as AXF 32)"),
        ] {
            let request = RulingRequest {
                ruleset: Some(ruleset.into()),
                occurrences: Some(3),
                ..RulingRequest::default()
            };
            assert!(ruling(&request).explanation.last().unwrap().contains(article), "{ruleset}");
        }
    }

    #[test]
    fn every_ruleset_rules_in_both_languages() {
        for RulesetInfo { name: ruleset, .. } in RULESETS {
            for chinese in [false, true] {
                let (name, occurrences) = (Some(ruleset.to_owned()), Some(3));
                let request = RulingRequest {
                    ruleset: name,
                    occurrences,
                    in_chinese: chinese,
                    ..RulingRequest::default()
                };
                let ruling = ruling(&request);
                let is_draw = ruleset == "xqwlight";
                assert_eq!(ruling.outcome == Some(Outcome::Draw), is_draw, "{ruleset}");
                let text = ruling.explanation.concat();
                assert!(!text.contains("{}"), "{text}");
                let allows_chases =
                    text.contains("forbid only perpetual check") || text.contains("只禁止长将");
                assert_eq!(allows_chases, is_draw, "{text}");
                assert!(!is_draw || !text.contains("idle") && !text.contains("闲着"), "{text}");
                assert_eq!(text.contains('局'), chinese, "{text}");
            }
        }
        let request = RulingRequest { ruleset: Some("cycle".into()), ..RulingRequest::default() };
        let session = registry::open("xiangqi", None).unwrap();
        assert!(session.ruling(&request).unwrap_err().message.contains("computer"));
        let request = RulingRequest { occurrences: Some(1), ..RulingRequest::default() };
        assert!(session.ruling(&request).is_err());
        assert!(registry::open("othello", None).unwrap().ruling(&RulingRequest::default()).is_err());
    }
}
