//! The visitor of PGN receives what a tree has, and plays every move once.

use alfil_chess::{Bitboard, Chess};
use alfil_kernel::{Position as _, Setup as _, Waivers};
use alfil_records::pgn::{self, GameChoice, GameHead, GameSummary, GameVisitor, RawGame, Reader};
use alfil_records::{GameTree, NodeId, ROOT, RecordErrorKind};
use proptest::prelude::*;

use crate::random_tree;

/// Builds a tree from the calls and checks the positions.
#[derive(Default)]
struct Recorder {
    games: Vec<GameTree<Chess>>,
    node: NodeIdOrRoot,
    stack: Vec<(NodeId, Bitboard, usize)>,
    expected: Option<Bitboard>,
    ply: usize,
    plays: usize,
    summaries: Vec<GameSummary>,
    unreadable: usize,
    skips_variations: bool,
    skipped_white: Option<&'static str>,
    stops_at: Option<u64>,
}

struct NodeIdOrRoot(NodeId);

impl Default for NodeIdOrRoot {
    fn default() -> Self {
        NodeIdOrRoot(ROOT)
    }
}

impl Recorder {
    fn tree(&mut self) -> &mut GameTree<Chess> {
        self.games.last_mut().expect("a game has begun")
    }
}

impl GameVisitor<Chess> for Recorder {
    fn begin_game(&mut self, head: &GameHead<'_, Chess>, position: &Bitboard) -> GameChoice {
        if self.stops_at == Some(head.number) {
            return GameChoice::Stop;
        }
        if self.skipped_white.is_some() && head.tags.value("White") == self.skipped_white {
            return GameChoice::Skip;
        }
        self.games.push(GameTree::new(head.start.clone()));
        (self.node, self.ply) = (NodeIdOrRoot(ROOT), 0);
        self.expected = Some(position.clone());
        GameChoice::Read
    }

    fn play(&mut self, position: &Bitboard, mv: Option<alfil_chess::Move>) {
        assert_eq!(Some(position.to_setup()), self.expected.as_ref().map(Bitboard::to_setup));
        let mut next = position.clone();
        match mv {
            Some(mv) => drop(next.make(mv, &mut ())),
            None => drop(next.make_null()),
        }
        self.expected = Some(next);
        let parent = self.node.0;
        self.node = NodeIdOrRoot(self.tree().add(parent, mv));
        self.plays += 1;
        self.ply += 1;
    }

    fn reach(&mut self, position: &Bitboard, ply: usize) {
        assert_eq!(Some(position.to_setup()), self.expected.as_ref().map(Bitboard::to_setup));
        assert_eq!(ply, self.ply);
    }

    fn comment(&mut self, text: &str) {
        let node = self.node.0;
        self.tree().annotation_mut(node).add_comment_after(text);
    }

    fn comment_before(&mut self, text: &str) {
        let node = self.node.0;
        self.tree().annotation_mut(node).comment_before = text.to_owned();
    }

    fn nag(&mut self, nag: u8) {
        let node = self.node.0;
        self.tree().annotation_mut(node).nags.push(nag);
    }

    fn wants_variations(&self) -> bool {
        !self.skips_variations
    }

    fn begin_variation(&mut self) {
        let position = self.expected.clone().expect("a move was played");
        self.stack.push((self.node.0, position, self.ply));
        let node = self.node.0;
        let parent = self.tree().moves.parent(node).expect("a variation replaces a move");
        let mut line = Vec::new();
        let mut at = parent;
        while let Some(above) = self.tree().moves.parent(at) {
            line.push(self.tree().mv(at));
            at = above;
        }
        let mut board = Bitboard::from_setup(&self.tree().start.clone(), &Waivers::All).unwrap();
        for mv in line.iter().rev() {
            match mv {
                Some(mv) => drop(board.make(*mv, &mut ())),
                None => drop(board.make_null()),
            }
        }
        (self.node, self.expected, self.ply) = (NodeIdOrRoot(parent), Some(board), self.ply - 1);
    }

    fn end_variation(&mut self, position: &Bitboard, ply: usize) {
        let (node, expected, expected_ply) = self.stack.pop().expect("a variation has begun");
        assert_eq!((position.to_setup(), ply), (expected.to_setup(), expected_ply));
        (self.node, self.expected, self.ply) = (NodeIdOrRoot(node), Some(expected), expected_ply);
    }

    fn end_game(&mut self, summary: &GameSummary) {
        assert!(self.stack.is_empty());
        self.summaries.push(summary.clone());
        self.tree().result = summary.result;
    }

    fn unreadable_game(&mut self, _: &RawGame<'_>, summary: &GameSummary) {
        self.unreadable += 1;
        self.summaries.push(summary.clone());
    }
}

fn visit(text: &str, mut recorder: Recorder) -> Recorder {
    pgn::read_games(&mut Reader::new(text.as_bytes()), &mut recorder).unwrap();
    recorder
}

const GAMES: &str = "[White \"A\"]\n\n{start} 1. e4! {[%eval 0.3] good} e5 (1... c5 2. Nf3 (2. c3 {Alapin}) d6) 2. Nf3 1-0\n\n\
    [White \"B\"]\n\n1. d4 (1. c4) d5 2. Ke3 *\n\n[Variant \"Crazyhouse\"]\n\n1. e4 *\n\n\
    [White \"C\"]\n[Result \"0-1\"]\n\n1. f3 (1. f4\n";

#[test]
fn games_are_skipped_by_their_tags_and_faults_are_reported() {
    let all = visit(GAMES, Recorder::default());
    assert_eq!((all.games.len(), all.unreadable, all.plays), (3, 1, 7 + 3 + 2));
    let error = all.summaries[1].error.as_ref().unwrap();
    assert_eq!((error.game, error.mv.as_str()), (2, "2. Ke3"));
    assert!(matches!(all.summaries[2].error.as_ref().unwrap().kind, RecordErrorKind::OtherGame { .. }));
    assert_eq!(all.summaries[3].warnings[0].kind, RecordErrorKind::UnclosedVariation);
    assert!(all.summaries[3].result.is_some());
    let skipping = visit(GAMES, Recorder { skipped_white: Some("A"), ..Recorder::default() });
    assert_eq!((skipping.games.len(), skipping.plays), (2, 5));
    let stopping = visit(GAMES, Recorder { stops_at: Some(2), ..Recorder::default() });
    assert_eq!((stopping.games.len(), stopping.unreadable), (1, 0));
    let main_lines = visit(GAMES, Recorder { skips_variations: true, ..Recorder::default() });
    assert_eq!(main_lines.plays, 3 + 2 + 1);
    assert!(main_lines.games.iter().all(|tree| tree.moves.move_count() == tree.moves.main_line().count()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn the_visitor_receives_the_tree(
        starts_late in any::<bool>(),
        moves in random_tree::random_moves(50),
        result in random_tree::any_result(),
    ) {
        let start = if starts_late { "4k3/P7/8/8/8/8/7p/4K2R w K - 3 40" } else { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" };
        let start = alfil_chess::Setup::parse(start).unwrap();
        let mut tree = random_tree::build::<Chess>(start, &moves, true);
        tree.result = result;
        let text = pgn::format_game(&tree, pgn::default_dialect::<Chess>()).unwrap();
        let recorder = visit(&text, Recorder::default());
        prop_assert_eq!(recorder.plays, tree.moves.move_count());
        let mut read = recorder.games[0].clone();
        // Comments of several lines come in parts.
        for tree in [&mut read, &mut tree] {
            let nodes: Vec<_> = tree.moves.traverse().collect();
            for visit in nodes {
                if let alfil_records::Visit::Move(node) = visit {
                    let annotation = tree.annotation_mut(node);
                    for comment in [&mut annotation.comment_before, &mut annotation.comment_after] {
                        *comment = alfil_records::annotation::normalise_comment(comment);
                    }
                }
            }
        }
        prop_assert_eq!(read, tree);
    }
}
