//! The book of the Chinese association, 2020: what each move of a repetition is, and who offends.
//!
//! Second hand, from the articles as public programs quote them, and fitted to the book's own figures. A move is a check, a kill
//! (it threatens mate by checks), a chase (it newly threatens to win men), or harmless: an exchange, an offer, a following, a
//! block, or idle. The heaviest counts (24.13). A side whose every move attacks is in the wrong; if both are, article 26.9 weighs
//! what they attack.

use std::collections::HashMap;

use alfil_kernel::{Line, Outcome, Side, Verdict};

use super::Cause;
use super::field::Field;
use super::gain::{Prize, Returns};
use super::study::{Attack, Nature, Ply, Root};
use super::trial::{Step, TRIES, Trial};
use crate::board::{Board, Points};
use crate::geometry::at;
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// So many checks, one after another, may lead to the mate that a kill threatens.
const KILL_CHECKS: u32 = 4;
/// So many checks may come before the capture that a chase threatens.
const CHASE_CHECKS: u32 = 2;
/// So many questions may be asked about one move.
const QUESTIONS: u32 = 5;
/// So many moves may be tried for a whole repetition: a long one shares them out, so that no game takes minutes.
const ALL_TRIES: u32 = 4_000_000;

/// A position of the repetition. Men are named by where they stand at its end.
struct Stand {
    field: Field,
    names: [u8; Square::COUNT],
    key: u64,
}

impl Stand {
    fn name(&self, square: Square) -> u8 {
        self.names[square.index()]
    }

    /// Where the man of that name stands here.
    fn place(&self, name: u8) -> Option<Square> {
        (0..Square::COUNT)
            .map(at)
            .find(|&square| self.names[square.index()] == name && self.field.man(square).is_some())
    }
}

/// Who offends by what the moves are.
pub(super) fn verdict(plies: &[Ply]) -> Verdict<Cause> {
    let of = |side: Side| plies.iter().filter(move |ply| ply.side == side);
    let prohibited = |side| of(side).all(|ply| ply.nature.attacks());
    // Article 26.9: against mere joint chases, or chases of men not protected well enough, the graver side is in the wrong.
    let grave = |side| of(side).all(|ply| ply.grave);
    let loses = |side| Verdict::new(Outcome::loss(side), Cause::Prohibited);
    match Side::BOTH.map(prohibited) {
        [true, false] => loses(Side::First),
        [false, true] => loses(Side::Second),
        [false, false] => Verdict::new(Outcome::Draw, Cause::Repetition),
        [true, true] => match Side::BOTH.map(grave) {
            [true, false] => loses(Side::First),
            [false, true] => loses(Side::Second),
            _ => Verdict::new(Outcome::Draw, Cause::Mutual),
        },
    }
}

/// The moves from ply `first` on, with what they are. A move that was made in the same place before is not asked again.
pub(super) fn plies<P: Board>(line: &Line<P>, first: usize) -> Vec<Ply> {
    let stands = stands(line, first);
    let moves: Vec<Move> = line.records()[first..].iter().filter_map(alfil_kernel::Record::mv).collect();
    let last = moves.len().saturating_sub(1);
    // A repetition is round: before its first move came its last. Nine rounds are not: what their first move answered is not asked,
    // so that it counts as if the other side had passed.
    let round = stands.first().map(|stand| stand.key) == stands.last().map(|stand| stand.key);
    let before = |index: usize| match index {
        0 if round => last,
        0 => 0,
        _ => index - 1,
    };
    let mut places = HashMap::new();
    let asked: Vec<usize> = (0..moves.len())
        .map(|index| {
            let keys = [before(index), index, index + 1].map(|stand| stands[stand].key);
            *places.entry((moves[index], keys)).or_insert(index)
        })
        .collect();
    let tries = TRIES.min(ALL_TRIES / (QUESTIONS * u32::try_from(places.len().max(1)).unwrap_or(u32::MAX)));
    let mut plies: Vec<Ply> = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        let (number, side) = (first + index + 1, line.side_at(first + index));
        let (nature, attacks, grave) = if asked[index] < index {
            let old: &Ply = &plies[asked[index]];
            (old.nature, old.attacks.clone(), old.grave)
        } else if line.records()[first + index].check() {
            (Nature::Check, Vec::new(), true)
        } else {
            let road = [&stands[before(index)], &stands[index], &stands[index + 1]];
            Asked { side, mv, answered: moves[before(index)], road, tries }.nature()
        };
        let (victims, held) = (Points::EMPTY, Points::EMPTY);
        plies.push(Ply { number, side, mv, nature, attacks, grave, victims, held });
    }
    plies
}

/// The ply from which on one man of a side checked, threatened mate or chased for so many rounds without a capture, on three
/// points at least and coming back to some, while the other side did not: an offence even if no position came back (the rule
/// of nine rounds).
pub(super) fn rounds<P: Board>(line: &Line<P>, rounds: usize) -> Option<usize> {
    let first = line.ply().checked_sub(2 * rounds)?;
    if line.reversible() < 2 * rounds {
        return None;
    }
    let wanders = |skip: usize| {
        let moves: Vec<Move> = line.moves().skip(first + skip).step_by(2).collect();
        let points = Points::from_squares(moves.iter().map(|mv| mv.target().index())).len();
        let one_man = moves.windows(2).all(|pair| pair[0].target() == pair[1].origin());
        one_man && (3..rounds).contains(&points)
    };
    let offends = |skip| {
        wanders(skip) && {
            let side = line.side_at(first + skip);
            verdict(&plies(line, first)).outcome == Outcome::loss(side)
        }
    };
    (offends(0) || offends(1)).then_some(first)
}

/// The positions before each ply of the window, and the one at its end: nothing is captured inside it.
fn stands<P: Board>(line: &Line<P>, first: usize) -> Vec<Stand> {
    let mut field = Field::of(line.position());
    let mut names: [u8; Square::COUNT] = core::array::from_fn(|index| index as u8);
    let mut stands = vec![Stand { field: field.clone(), names, key: line.key_at(line.ply()) }];
    for ply in (first..line.ply()).rev() {
        let Some(mv) = line.records()[ply].mv() else { break };
        field.back(mv.origin(), mv.target(), None);
        names.swap(mv.origin().index(), mv.target().index());
        stands.push(Stand { field: field.clone(), names, key: line.key_at(ply) });
    }
    stands.reverse();
    stands
}

/// A move that gives no check, and the positions before the other side's last move, before it, and after it.
struct Asked<'a> {
    side: Side,
    mv: Move,
    answered: Move,
    road: [&'a Stand; 3],
    /// So many moves may be tried for each question.
    tries: u32,
}

impl Asked<'_> {
    fn trial(&self, stand: &Stand, asker: Side) -> Trial {
        Trial::new(&stand.field, asker, self.tries)
    }

    /// What the move is, what it attacks, and whether that weighs under article 26.9.
    fn nature(&self) -> (Nature, Vec<Attack>, bool) {
        let [_, before, after] = self.road;
        let mover = after.field.man(self.mv.target()).map(|man| man.kind());
        let answers_check = !before.field.checkers(self.side).is_empty();
        if answers_check && mover == Some(Kind::King) {
            // The general's answer to a check is idle, whatever it attacks (26.1.2).
            return (self.harmless(&[]), Vec::new(), false);
        }
        let mut trial = self.trial(after, self.side);
        let offers: Vec<Step> = trial.offers();
        if trial.mates(KILL_CHECKS, &offers) {
            return (Nature::Kill, Vec::new(), true);
        }
        let (chases, exchanges): (Vec<Prize>, Vec<Prize>) =
            self.fresh(&mut trial).into_iter().partition(|prize| prize.chase);
        if chases.is_empty() {
            return (self.harmless(&exchanges), Vec::new(), false);
        }
        let grave = chases.iter().any(|prize| prize.grave);
        (Nature::Chase, chases.iter().map(|prize| self.attack(prize)).collect(), grave)
    }

    /// What the move newly threatens to win, and newly offers to exchange.
    fn fresh(&self, trial: &mut Trial) -> Vec<Prize> {
        let [earlier, before, _] = self.road;
        let mut fresh = trial.all_prizes(Returns::Attacked);
        fresh.retain(|prize| !self.is_harmless(prize, trial));
        let mut old = self.trial(before, self.side);
        if !fresh.is_empty() {
            let stood = old.all_prizes(Returns::Anything);
            fresh.retain(|new| {
                !stood.iter().any(|old| old.chase == new.chase && self.is_same(before, old, new))
            });
        }
        if !fresh.is_empty() {
            // A threat that only waited for a man in danger to get away is made anew, if this side made it; if the other side
            // walked into it with its last move, it is nobody's.
            let waited = self.trial(before, self.side).all_prizes(Returns::Nothing);
            let made = self.trial(earlier, self.side).all_prizes(Returns::Attacked);
            let is_in = |stand: &Stand, prizes: &[Prize], new: &Prize| {
                prizes.iter().any(|old| old.chase && self.is_same(stand, old, new))
            };
            fresh.retain(|new| !is_in(before, &waited, new) || is_in(earlier, &made, new));
        }
        if fresh.iter().any(|prize| prize.grave) {
            return fresh;
        }
        // Checks are searched for only where they can still change what the move is.
        let series = trial.series(CHASE_CHECKS, Returns::Attacked);
        if !series.is_empty() {
            let mut stood = old.series(CHASE_CHECKS, Returns::Anything);
            stood.extend(old.all_prizes(Returns::Anything).into_iter().filter(|prize| prize.chase));
            let is_new =
                |new: &Prize| !stood.iter().any(|old| old.gain >= new.gain && self.is_same(before, old, new));
            fresh.extend(series.into_iter().filter(is_new).map(|prize| Prize { chase: true, ..prize }));
        }
        fresh
    }

    /// The same men, where they stood then and where they stand now.
    fn is_same(&self, then: &Stand, old: &Prize, new: &Prize) -> bool {
        let now = self.road[2];
        then.name(old.attacker) == now.name(new.attacker) && then.name(old.victim) == now.name(new.victim)
    }

    /// A general or a soldier that steps aside and lets another man go on attacking what it attacked (26.1.1 asks for a new
    /// attack), and a lone attacker that holds a draw and happens to attack an advisor or an elephant (26.2).
    fn is_harmless(&self, prize: &Prize, trial: &Trial) -> bool {
        let [_, before, after] = self.road;
        let kind = |square| after.field.man(square).map(|man| man.kind());
        let slow = matches!(kind(self.mv.target()), Some(Kind::King | Kind::Soldier));
        let places = before.place(after.name(prize.attacker)).zip(before.place(after.name(prize.victim)));
        let stood = places.is_some_and(|(hunter, hunted)| {
            self.trial(before, self.side).attacks(hunter).contains(hunted.index())
        });
        let defends = trial.force(self.side) == 1 && trial.force(!self.side) > 1;
        let guard = matches!(kind(prize.victim), Some(Kind::Advisor | Kind::Elephant));
        (slow && stood) || (defends && guard)
    }

    fn attack(&self, prize: &Prize) -> Attack {
        let field = &self.road[2].field;
        let man = |square: Square| (field.man(square).expect("a prize is between men"), square);
        let root = match (prize.follows, field.man(prize.victim).map(|man| man.kind()), prize.rooted) {
            (true, ..) => Root::Lost,
            (_, Some(Kind::Rook), _) => Root::Greater,
            (_, _, true) => Root::Weak,
            (_, _, false) => Root::None,
        };
        Attack { attacker: man(prize.attacker), victim: man(prize.victim), root }
    }

    /// What a move is that attacks nothing: all of these are allowed for ever, and they are told apart only to explain.
    fn harmless(&self, exchanges: &[Prize]) -> Nature {
        let [_, before, after] = self.road;
        if !exchanges.is_empty() {
            return Nature::Exchange;
        }
        let moved = self.mv.target();
        let other = self.trial(after, !self.side).prizes(Returns::Nothing, 0);
        let own = self.trial(after, self.side);
        if other.iter().any(|prize| prize.victim == moved && prize.gain > 0) {
            Nature::Offer
        } else if own.attacks(moved).contains(self.answered.target().index()) {
            Nature::Follow
        } else if self.trial(before, self.side).blocks(&own, self.mv.origin()) {
            Nature::Block
        } else {
            Nature::Idle
        }
    }
}
