//! A judge's ruling in words and plain data: what every move of a repetition does, under which book, and why somebody loses.

use alfil_kernel::{Laws as _, Line, MoveList, Outcome, Side, Verdict};
use alfil_xiangqi::laws::{Attack, Chase, Dispute, Nature, Ply, Root, Study};
use alfil_xiangqi::{Board, Cause, Kind, Piece, Ruleset, Square};

use crate::desk::DeskError;

/// What a judge is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgeAsk {
    /// The rule book by its name; none for the one between people.
    pub book: Option<String>,
    /// At which occurrence a repetition is judged, if not at the book's own.
    pub occurrences: Option<usize>,
    /// The explanation is wanted in Chinese, not in English.
    pub chinese: bool,
}

/// A man that is newly attacked, by its name and where it stands.
pub type Victim = (String, String);

/// A move of the repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuledPly {
    /// Its number, from 1.
    pub ply: usize,
    /// The move in the default dialect.
    pub mv: String,
    /// `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`: see [`Nature`].
    pub nature: &'static str,
    /// What it newly attacks with profit.
    pub victims: Vec<Victim>,
}

/// A verdict with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The name of the book.
    pub rules: &'static str,
    /// The verdict; none if the game goes on.
    pub outcome: Option<Outcome>,
    /// The cause in one word: `perpetual_chase`; `none` if the game goes on.
    pub cause: String,
    /// The first and the last ply of the repetition, from 1.
    pub window: Option<(usize, usize)>,
    /// Its moves.
    pub plies: Vec<RuledPly>,
    /// The verdict and its reasons, a sentence each.
    pub explanation: Vec<String>,
    /// What the offender could have played instead of its last move.
    pub instead: Vec<String>,
    /// Where sources dispute such a repetition: each reading's verdict and why.
    pub readings: Vec<(Outcome, String)>,
}

/// The names of the rule books of xiangqi, the one between people first.
pub(crate) const XIANGQI_BOOKS: &[&str] =
    &["axf", "computer", "wxf2018", "cxa2020", "elephanteye", "xqwlight"];

/// The rule book of xiangqi that has this name.
///
/// # Errors
/// If there is none.
pub(crate) fn xiangqi_book(name: &str) -> Result<Ruleset, DeskError> {
    Ruleset::named(name).ok_or_else(|| {
        DeskError(format!("there is no rule book {name:?}: the books are {}", XIANGQI_BOOKS.join(", ")))
    })
}

/// Rules on a game of xiangqi as it stands.
///
/// # Errors
/// If there is no book of that name, or it cannot judge at so few occurrences.
pub(crate) fn xiangqi<P: Board>(line: &Line<P>, ask: &JudgeAsk) -> Result<Ruling, DeskError> {
    let name = ask.book.as_deref().unwrap_or(XIANGQI_BOOKS[0]);
    let mut book = xiangqi_book(name)?;
    if let Some(occurrences) = ask.occurrences {
        if occurrences < 2 {
            return Err(DeskError("a repetition takes two occurrences at least".into()));
        }
        book.occurrences = occurrences;
    }
    let verdict = book.judge(line);
    let study = book.study(line).filter(|study| Some(study.verdict) == verdict);
    let tongue = if ask.chinese { &CHINESE } else { &ENGLISH };
    let plies = study.as_ref().map_or(&[][..], |study| &study.plies);
    let window = plies.first().zip(plies.last()).map(|(first, last)| (first.number, last.number));
    Ok(Ruling {
        rules: book.name,
        outcome: verdict.map(|verdict| verdict.outcome),
        cause: verdict.map_or("none".into(), |verdict| verdict.cause.to_string()),
        window,
        plies: plies.iter().map(|ply| ruled(ply, tongue)).collect(),
        explanation: explain(&book, verdict, study.as_ref(), tongue),
        instead: verdict.map_or(Vec::new(), |verdict| instead(line, &book, verdict)),
        readings: readings(line, &book, verdict, study.as_ref(), tongue),
    })
}

/// The words of a language. `{}` are filled in from left to right.
struct Tongue {
    man: fn(Piece) -> String,
    sides: [&'static str; 2],
    book: fn(&str) -> &'static str,
    stands: &'static str,
    ply: &'static str,
    deed: fn(Nature) -> &'static str,
    attacks: &'static str,
    root: fn(Root) -> &'static str,
    and: &'static str,
    goes_on: &'static str,
    cause: fn(Cause, Outcome) -> &'static str,
    chased: &'static str,
    reading: fn(&str) -> &'static str,
    dispute: fn(Dispute) -> &'static str,
    as_judged: &'static str,
}

static ENGLISH: Tongue = Tongue {
    man: |piece| {
        let side = ["Red", "Black"][piece.side().index()];
        format!("{side} {}", piece.kind().name())
    },
    sides: ["Red", "Black"],
    book: |name| match name {
        "computer" => "the rule between engines",
        "axf" => "the rules of the Asian Xiangqi Federation",
        "wxf2018" => "the rules of the World Xiangqi Federation, 2018",
        "cxa2020" => "the rules of the Chinese Xiangqi Association, 2020",
        "elephanteye" => "the rules of ElephantEye",
        _ => "the rules of XQWLight",
    },
    stands: "The position stands for the {} time; plies {} to {} are judged by {}.",
    ply: "Ply {}, {} {}: {}.",
    deed: |nature| match nature {
        Nature::Check => "gives check",
        Nature::Kill => "threatens mate",
        Nature::Exchange => "idle, it offers to exchange",
        Nature::Offer => "idle, it offers a man",
        Nature::Follow => "idle, it follows a protected man",
        Nature::Block => "idle, it blocks a line",
        Nature::Chase | Nature::Idle => "idle, nothing is newly attacked",
    },
    attacks: "{} {} newly attacks{} {} {}",
    root: |root| match root {
        Root::None => " the unprotected",
        Root::Greater => " the more valuable",
        Root::Held => " the rook that must stay before its general,",
        Root::Weak => " the insufficiently protected",
        Root::Lost => ", by checks or by what follows, the",
    },
    and: "; ",
    goes_on: "The game goes on under {}.",
    cause: |cause, outcome| match (cause, outcome) {
        (Cause::NoLegalMove, _) => "{} has no legal move and loses.",
        (Cause::PerpetualCheck, _) => {
            "Every move of {} gives check: {} loses (perpetual check; AXF 6, WXF 20.1)."
        }
        (Cause::PerpetualChase, _) => {
            "Every move of {} chases the same man: {} loses (perpetual chase; AXF 32, WXF 20.3)."
        }
        (Cause::Prohibited, _) => {
            "Every move of {} checks, threatens mate or chases: {} loses (CXA 24.13 and 25; between two offenders 26.9)."
        }
        (Cause::Mutual, _) => {
            "Both sides check with every move, or both chase: a draw (AXF 7, WXF 20.1 and 20.5)."
        }
        (Cause::Repetition, _) => "Neither side checks or chases one man with every move: a draw.",
        (Cause::NaturalLimit, _) => "Too many moves were made without a capture: a draw.",
        (Cause::Material, _) => "Neither side has the men to win: a draw.",
    },
    chased: "The man that {} chased all the time is now the {} {}.",
    reading: |name| match name {
        "computer" => {
            "a check inside the repetition excuses all chases, and a second attacker of the same man is no new chase"
        }
        _ => {
            "a checking move may chase too, a second attacker is a new chase, and a rook held by a horse may not be chased"
        }
    },
    dispute: |dispute| match dispute {
        Dispute::HeldHunter => {
            "the chased chariot chases too, and a mutual chase is a draw whatever holds it"
        }
        Dispute::MutualPin => {
            "a protector that only the facing generals pin, once the hunter has taken, still protects"
        }
        Dispute::Several => "several men that chase several men are allowed to",
        Dispute::Uncovered => {
            "an attack of an advisor or an elephant that another man's move uncovers is no chase"
        }
        Dispute::OverGeneral => "a cannon that attacks over the other side's general does not chase",
        Dispute::CounteringRook => {
            "cannons may not chase a chariot although it attacks them in return (AXF 15)"
        }
    },
    as_judged: "the reading of this book",
};

static CHINESE: Tongue = Tongue {
    man: |piece| {
        let side = ["红", "黑"][piece.side().index()];
        let kind = match (piece.kind(), piece.side()) {
            (Kind::King, Side::First) => "帅",
            (Kind::King, Side::Second) => "将",
            (Kind::Advisor, Side::First) => "仕",
            (Kind::Advisor, Side::Second) => "士",
            (Kind::Elephant, Side::First) => "相",
            (Kind::Elephant, Side::Second) => "象",
            (Kind::Horse, _) => "马",
            (Kind::Rook, _) => "车",
            (Kind::Cannon, _) => "炮",
            (Kind::Soldier, Side::First) => "兵",
            (Kind::Soldier, Side::Second) => "卒",
        };
        format!("{side}{kind}")
    },
    sides: ["红方", "黑方"],
    book: |name| match name {
        "computer" => "电脑规则",
        "axf" => "亚洲象棋联合会规则",
        "wxf2018" => "世界象棋联合会规则（2018）",
        "cxa2020" => "中国象棋协会竞赛规则（2020）",
        "elephanteye" => "象眼规则",
        _ => "象棋小巫师规则",
    },
    stands: "局面第{}次出现；第{}至第{}步按{}裁决。",
    ply: "第{}步，{}{}：{}。",
    deed: |nature| match nature {
        Nature::Check => "将军",
        Nature::Kill => "杀，企图连将成杀",
        Nature::Exchange => "兑，按闲着论",
        Nature::Offer => "献，按闲着论",
        Nature::Follow => "跟，按闲着论",
        Nature::Block => "拦，按闲着论",
        Nature::Chase | Nature::Idle => "闲着，没有新的捉子",
    },
    attacks: "{}{}新捉{}{}{}",
    root: |root| match root {
        Root::None => "无根的",
        Root::Greater => "价值更高的",
        Root::Held => "不能离开的",
        Root::Weak => "少根的",
        Root::Lost => "连将或连吃可得的",
    },
    and: "；",
    goes_on: "按{}，对局继续。",
    cause: |cause, outcome| match (cause, outcome) {
        (Cause::NoLegalMove, _) => "{}无子可走，判负。",
        (Cause::PerpetualCheck, _) => "{}每步都将军：{}长将判负（亚洲规则第6条，世界规则20.1）。",
        (Cause::PerpetualChase, _) => "{}每步都捉同一子：{}长捉判负（亚洲规则第32条，世界规则20.3）。",
        (Cause::Prohibited, _) => {
            "{}每步都是将、杀或捉：{}判负（中国规则24.13、25；双方都属禁止着法时按26.9）。"
        }
        (Cause::Mutual, _) => "双方长将或双方长捉：判和（亚洲规则第7条，世界规则20.1、20.5）。",
        (Cause::Repetition, _) => "双方都没有每步将军或每步捉同一子：判和。",
        (Cause::NaturalLimit, _) => "长时间没有吃子：判和。",
        (Cause::Material, _) => "双方都没有足以取胜的子力：判和。",
    },
    chased: "{}一直捉的是现在的{}{}。",
    reading: |name| match name {
        "computer" => "循环中有将军则一切捉不算，另一子来捉同一子不算新捉",
        _ => "将军的一步也可以是捉，另一子来捉算新捉，被马牵制的车不可长捉",
    },
    dispute: |dispute| match dispute {
        Dispute::HeldHunter => "被捉的车自己也在捉子，双方长捉判和，不论是否被牵制",
        Dispute::MutualPin => "仅在吃子后才被两将照面牵制的保护仍算真根",
        Dispute::Several => "数子分捉数子，允许",
        Dispute::Uncovered => "他子走开而露出的士、象之捉不算捉",
        Dispute::OverGeneral => "炮以对方将帅为炮架的捉不算捉",
        Dispute::CounteringRook => "车虽反捉，炮仍不可长捉车（亚洲规则第15条）",
    },
    as_judged: "本规则的裁法",
};

/// Fills words into the places of a sentence.
fn fill(sentence: &str, words: &[&str]) -> String {
    words.iter().fold(sentence.to_owned(), |sentence, word| sentence.replacen("{}", word, 1))
}

fn ruled(ply: &Ply, tongue: &Tongue) -> RuledPly {
    let mut victims: Vec<_> = ply
        .attacks
        .iter()
        .map(|attack| ((tongue.man)(attack.victim.0), attack.victim.1.to_string()))
        .collect();
    victims.dedup();
    RuledPly { ply: ply.number, mv: ply.mv.to_string(), nature: ply.nature.name(), victims }
}

fn explain(
    book: &Ruleset,
    verdict: Option<Verdict<Cause>>,
    study: Option<&Study>,
    tongue: &Tongue,
) -> Vec<String> {
    let book_name = (tongue.book)(book.name);
    let Some(verdict) = verdict else { return vec![fill(tongue.goes_on, &[book_name])] };
    let mut sentences = Vec::new();
    if let Some(study) = study
        && let (Some(first), Some(last)) = (study.plies.first(), study.plies.last())
    {
        let (from, to) = (first.number.to_string(), last.number.to_string());
        sentences.push(fill(tongue.stands, &[&ordinal(book.occurrences, tongue), &from, &to, book_name]));
        sentences.extend(study.plies.iter().map(|ply| sentence(ply, tongue)));
    }
    let loser = match verdict.outcome {
        Outcome::Win(winner) => tongue.sides[(!winner).index()],
        Outcome::Draw => "",
    };
    if let (Some(study), Outcome::Win(winner)) = (study, verdict.outcome) {
        for &square in &study.chased[(!winner).index()] {
            if let Some(piece) = victim_on(study, square) {
                let man = (tongue.man)(piece);
                sentences.push(fill(tongue.chased, &[loser, &man, &square.to_string()]));
            }
        }
    }
    sentences.push(fill((tongue.cause)(verdict.cause, verdict.outcome), &[loser, loser]));
    sentences
}

fn ordinal(number: usize, tongue: &Tongue) -> String {
    let english = core::ptr::eq(tongue, &raw const ENGLISH);
    match number {
        _ if !english => number.to_string(),
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        11..=13 => format!("{number}th"),
        _ => match number % 10 {
            1 => format!("{number}st"),
            2 => format!("{number}nd"),
            3 => format!("{number}rd"),
            _ => format!("{number}th"),
        },
    }
}

/// The man that stands on a square at the end of the repetition, as the last attack on it names it.
fn victim_on(study: &Study, square: Square) -> Option<Piece> {
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

fn sentence(ply: &Ply, tongue: &Tongue) -> String {
    let mut deeds = Vec::new();
    if ply.attacks.is_empty() || ply.nature != Nature::Chase {
        deeds.push((tongue.deed)(ply.nature).to_owned());
    }
    deeds.extend(ply.attacks.iter().map(|attack| told(attack, tongue)));
    let side = tongue.sides[ply.side.index()];
    fill(tongue.ply, &[&ply.number.to_string(), side, &ply.mv.to_string(), &deeds.join(tongue.and)])
}

fn told(attack: &Attack, tongue: &Tongue) -> String {
    let ((hunter, from), (hunted, to)) = (attack.attacker, attack.victim);
    let why = (tongue.root)(attack.root);
    let words =
        [(tongue.man)(hunter), from.to_string(), why.to_owned(), (tongue.man)(hunted), to.to_string()];
    fill(tongue.attacks, &words.each_ref().map(String::as_str))
}

/// What the loser could have played instead of its last move without losing by the rules at once.
fn instead<P: Board>(line: &Line<P>, book: &Ruleset, verdict: Verdict<Cause>) -> Vec<String> {
    let repetition =
        matches!(verdict.cause, Cause::PerpetualCheck | Cause::PerpetualChase | Cause::Prohibited);
    let Outcome::Win(winner) = verdict.outcome else { return Vec::new() };
    if !repetition {
        return Vec::new();
    }
    let mut line = line.clone();
    let mut played = None;
    while line.side() == winner || played.is_none() {
        let Some(mv) = line.last().and_then(|record| record.mv()) else { return Vec::new() };
        line.pop(&mut ());
        played = Some(mv);
    }
    let banned = book.banned(&line);
    let mut moves = MoveList::new();
    line.position().moves(&mut moves);
    let sound = moves.iter().filter(|mv| !banned.contains(mv) && Some(**mv) != played);
    let mut texts: Vec<_> = sound.map(ToString::to_string).collect();
    texts.sort_unstable();
    texts
}

/// Under the books that ask for new threats: what the other common reading of a chase makes of the same repetition, where that
/// is another verdict, and what sources say that dispute such a pattern. The book's own reading comes first.
fn readings<P: Board>(
    line: &Line<P>,
    book: &Ruleset,
    verdict: Option<Verdict<Cause>>,
    study: Option<&Study>,
    tongue: &Tongue,
) -> Vec<(Outcome, String)> {
    let (Some(verdict), Some(study), Chase::New(_)) = (verdict, study, book.chase) else { return Vec::new() };
    let mut own = tongue.as_judged;
    let mut others = Vec::new();
    let other = if book.chase == Ruleset::COMPUTER.chase { Ruleset::AXF } else { Ruleset::COMPUTER };
    let second = Ruleset { chase: other.chase, ..*book };
    if let Some(differs) = second.judge(line).filter(|differs| differs.outcome != verdict.outcome) {
        own = (tongue.reading)(book.name);
        others.push((differs.outcome, (tongue.reading)(other.name).to_owned()));
    }
    let disputes = book.disputes(line, study).into_iter();
    others.extend(disputes.map(|(outcome, dispute)| (outcome, (tongue.dispute)(dispute).to_owned())));
    if !others.is_empty() {
        others.insert(0, (verdict.outcome, own.to_owned()));
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use alfil_kernel::Waivers;

    const CANNON: &str = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
    const ROUND: [&str; 9] = ["c2a2", "a7b7", "a2b2", "b7a7", "b2a2", "a7b7", "a2b2", "b7a7", "b2a2"];

    fn ruling(ask: &JudgeAsk) -> Ruling {
        let mut desk = registry::open("xiangqi", None).unwrap();
        desk.open(CANNON, &Waivers::None).unwrap();
        for mv in ROUND {
            desk.play(mv, None).unwrap();
        }
        desk.rule(ask).unwrap()
    }

    #[test]
    fn a_perpetual_chase_is_ruled_with_its_reasons() {
        let ruling = ruling(&JudgeAsk::default());
        assert_eq!((ruling.rules, ruling.outcome), ("axf", Some(Outcome::Win(Side::Second))));
        assert_eq!((ruling.cause.as_str(), ruling.window), ("perpetual_chase", Some((2, 9))));
        let natures: Vec<_> = ruling.plies.iter().map(|ply| ply.nature).collect();
        assert_eq!(natures, ["idle", "chase"].repeat(4));
        assert_eq!(ruling.plies[1].victims, [("Black chariot".to_owned(), "b7".to_owned())]);
        assert!(
            ruling.explanation[2].contains("Red cannon b2 newly attacks the more valuable Black chariot b7")
        );
        assert!(ruling.explanation.last().unwrap().contains("Red loses"));
        assert!(ruling.instead.contains(&"i0i1".to_owned()) && !ruling.instead.contains(&"b2a2".to_owned()));
        assert!(ruling.readings.is_empty());
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
            let ruling = desk.rule(&JudgeAsk { chinese, ..JudgeAsk::default() }).unwrap();
            let outcomes: Vec<_> = ruling.readings.iter().map(|reading| reading.0).collect();
            assert_eq!(ruling.outcome, Some(Outcome::Win(Side::Second)));
            assert_eq!(outcomes, [Outcome::Win(Side::Second), Outcome::Draw]);
            assert_eq!(ruling.readings[1].1.contains("general"), !chinese);
        }
    }

    #[test]
    fn every_book_rules_in_both_languages() {
        for &book in XIANGQI_BOOKS {
            for chinese in [false, true] {
                let ask = JudgeAsk { book: Some(book.into()), occurrences: Some(3), chinese };
                let ruling = ruling(&ask);
                let draws = book == "xqwlight";
                assert_eq!(ruling.outcome == Some(Outcome::Draw), draws, "{book}");
                let words = ruling.explanation.concat();
                assert!(!words.contains("{}"), "{words}");
                assert_eq!(words.contains("红") || words.contains("局面"), chinese, "{words}");
            }
        }
        let ask = JudgeAsk { book: Some("cycle".into()), ..JudgeAsk::default() };
        let desk = registry::open("xiangqi", None).unwrap();
        assert!(desk.rule(&ask).unwrap_err().0.contains("computer"));
        let ask = JudgeAsk { occurrences: Some(1), ..JudgeAsk::default() };
        assert!(desk.rule(&ask).is_err());
        assert!(registry::open("othello", None).unwrap().rule(&JudgeAsk::default()).is_err());
    }
}
