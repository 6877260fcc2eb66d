//! Finds what lists of games and searches in the library need of the moves of a record.

use alfil_kernel::{Move as _, Position as _, Setup as _, Waivers};

use super::{TextGame, play_text_move};
use crate::game_index::GameIndex;
use crate::move_tree::ROOT;
use crate::opening_names::OpeningNames;
use crate::record_format::RecordFormat;

/// Plays the moves of a record on a board; `names` are the named openings of this kind of game. A move that is not
/// legal is left out with those after it; where that is a move of the main line, the main line ends before it. `None`
/// if the start position cannot be read.
pub(super) fn index_of<G: RecordFormat>(names: &OpeningNames, record: &TextGame) -> Option<GameIndex> {
    let start = record.start.as_deref().map_or_else(|| Ok(G::Setup::start()), G::Setup::parse).ok()?;
    let start = G::Board::from_setup(&start, &Waivers::All).ok()?;
    let mut index = GameIndex { opening: names.at(&start).copied(), ..GameIndex::default() };
    // The main continuation is visited before its alternatives.
    let (mut depth, mut pending) = (0, vec![(ROOT, true, start)]);
    while let Some((node, is_main, position)) = pending.pop() {
        index.position_keys.push(position.hash_key());
        let (first, mut is_main_end) = (pending.len(), is_main);
        for child in record.moves.children(node) {
            let mut next = position.clone();
            let Ok(mv) = play_text_move::<G>(&mut next, &record.moves[child].text) else { continue };
            let is_main = is_main && record.moves.main_child(node) == Some(child);
            if is_main {
                is_main_end = false;
                depth += 1;
                let is_pass = mv.is_some_and(|mv| mv.target().is_none());
                index.plies += usize::from(!is_pass);
                if depth <= names.max_plies() {
                    index.opening = names.at(&next).copied().or(index.opening);
                }
            }
            pending.push((child, is_main, next));
        }
        pending[first..].reverse();
        if is_main_end {
            index.final_position = position.to_setup().to_text();
        }
    }
    index.position_keys.sort_unstable();
    index.position_keys.dedup();
    Some(index)
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use alfil_chess::Chess;

    use crate::text_game::{TextFormat, parse_games};

    #[test]
    fn the_index_has_the_positions_of_all_variations_and_the_end_of_the_main_line() {
        let chess = TextFormat::new::<Chess>();
        let names = chess.opening_names();
        let index = |text: &str| {
            let game = parse_games(text.as_bytes(), &[&chess], Some(&chess)).remove(0).unwrap();
            chess.index_of(&names, &game).unwrap()
        };
        let game = index("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 *");
        assert_eq!((game.plies, game.position_keys.len()), (5, 8));
        assert_eq!(game.opening.unwrap().eco, "C60");
        assert!(game.final_position.starts_with("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b "));
        // The same position by another order of moves, and only in a variation.
        let other = index("1. Nf3 Nc6 2. e4 a6 (2... e5) *");
        let common = other.position_keys.iter().filter(|key| game.position_keys.contains(key)).count();
        assert_eq!(common, 2);
        let moved_back = index("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *");
        assert_eq!((moved_back.plies, moved_back.position_keys.len()), (5, 4));
    }
}
