//! The node counts of `alfil bench`, which are equal on all boards of a game.

use alfil_session::registry::GAMES;

/// The node count of each game. A change to search or evaluation changes it and states the new numbers in its commit.
const NODE_COUNTS: [(&str, u64); 3] = [("xiangqi", 48_816), ("chess", 11_204), ("othello", 10_029)];

#[test]
fn bench_node_counts_are_pinned_on_every_board() {
    assert_eq!(GAMES.len(), NODE_COUNTS.len(), "every game has a node count");
    for entry in GAMES {
        let game = entry.info.name();
        let pinned = NODE_COUNTS.iter().find(|(name, _)| *name == game).map(|&(_, nodes)| nodes);
        for board in entry.board_names() {
            let nodes = entry.open(Some(board)).unwrap().bench();
            assert_eq!(Some(nodes), pinned, "{game} on the {board} board");
        }
    }
}
