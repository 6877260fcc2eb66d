//! Files of many games, made from a seed.

use std::fmt::Write as _;

use alfil_session::registry;

const PLAYERS: [&str; 8] = [
    "Adams, Anna",
    "Botha, Bert",
    "Castañeda, Carla",
    "胡荣华",
    "Dvořák, Dana",
    "Eriksen, Erik",
    "许银川",
    "Fischer, Frida",
];
const EVENTS: [&str; 4] = ["Wijk aan Zee", "Club championship", "五羊杯", "Simultaneous display"];
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
const OPENINGS: [&[&str]; 4] = [
    &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"],
    &["e2e4", "c7c5", "g1f3", "d7d6", "d2d4"],
    &["d2d4", "g8f6", "c2c4", "g7g6", "b1c3"],
    &["e2e4", "e7e6", "d2d4", "d7d5"],
];

/// A series of pseudo-random numbers (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Returns the texts of `count` games of `plies` plies, without tags and results.
fn move_texts(count: usize, plies: usize) -> Vec<String> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let game = |index: usize| {
        let mut session = registry::open("chess", None).unwrap();
        for mv in OPENINGS[index % OPENINGS.len()] {
            session.play(mv, None).unwrap();
        }
        while session.view().ply < plies && session.game_end().is_none() {
            let moves = session.legal_moves(None).unwrap();
            session.play(&moves[random.below(moves.len())], None).unwrap();
        }
        let moves = session.played_moves(Some("san")).unwrap();
        let numbered =
            moves.chunks(2).enumerate().map(|(index, pair)| format!("{}. {}", index + 1, pair.join(" ")));
        numbered.collect::<Vec<_>>().join(" ")
    };
    (0..count).map(game).collect()
}

/// Returns a PGN file of games. `distinct` of them have moves of their own, the others repeat these with other names.
pub(crate) fn pgn_file(games: usize, distinct: usize, plies: usize) -> String {
    let texts = move_texts(distinct.min(games), plies);
    let mut random = Random(7);
    let mut file = String::new();
    for index in 0..games {
        let (white, black) = (PLAYERS[random.below(8)], PLAYERS[random.below(8)]);
        let (event, result) = (EVENTS[random.below(4)], RESULTS[random.below(4)]);
        let (year, month) = (1950 + random.below(70), 1 + random.below(12));
        let moves = &texts[index % texts.len()];
        write!(
            file,
            "[Event \"{event} {year}\"]\n[Date \"{year}.{month:02}.??\"]\n[Round \"{}\"]\n[White \"{white}\"]\n\
            [Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n",
            index + 1
        )
        .unwrap();
    }
    file
}
