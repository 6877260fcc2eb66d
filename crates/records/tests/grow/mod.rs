//! Trees that grow at random, for every game.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{Outcome, Position, Side, Waivers};
use alfil_records::{AnnotatedScore, EvalAnnotation, GameTree, NodeId, RecordFormat};
use core::time::Duration;
use proptest::prelude::*;

/// One more move in a tree, and what is said about it.
#[derive(Clone, Debug)]
pub(crate) struct Shoot {
    /// Which move, and how many nodes back it grows.
    pub(crate) pick: usize,
    pub(crate) back: usize,
    pub(crate) null: bool,
    pub(crate) said: Said,
}

#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) nags: Vec<u8>,
    pub(crate) score: Option<(i32, bool, Option<u32>)>,
    pub(crate) clock: Option<u32>,
    pub(crate) spent: Option<u32>,
}

/// Words with everything in them that means something to a reader of PGN.
pub(crate) fn words() -> impl Strategy<Value = String> {
    let line = r#"[ -~äß中炮]{0,12}|[a-z{};()%$\[\]"]{1,9}|1-0|\[Event "x"\]|  e4 1\. d4"#;
    let lines = prop::collection::vec(line, 0..3).prop_map(|lines| {
        let lines: Vec<_> = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    });
    let paragraphs =
        "[ a-z.;(%*\n]{0,30}".prop_map(|text| alfil_records::annotation::normalise_comment(&text));
    prop_oneof![4 => Just(String::new()), 2 => lines, 1 => paragraphs]
        .prop_map(|text| text.replace("[%", "[_"))
}

pub(crate) fn said() -> impl Strategy<Value = Said> {
    let nags = prop_oneof![4 => Just(vec![]), 1 => prop::collection::vec(any::<u8>(), 1..3)];
    let score = prop::option::weighted(0.2, (-99999..99999, any::<bool>(), prop::option::of(0..99_u32)));
    let clock = || prop::option::weighted(0.1, 0..99_999_999_u32);
    (words(), words(), nags, score, clock(), clock()).prop_map(
        |(before, after, nags, score, clock, spent)| Said { before, after, nags, score, clock, spent },
    )
}

pub(crate) fn shoots(length: usize) -> impl Strategy<Value = Vec<Shoot>> {
    let back = prop_oneof![5 => Just(0), 1 => 0..40_usize];
    let shoot = (any::<u16>(), back, prop::bool::weighted(0.05), said())
        .prop_map(|(pick, back, null, said)| Shoot { pick: pick.into(), back, null, said });
    prop::collection::vec(shoot, 0..length)
}

pub(crate) fn result() -> impl Strategy<Value = Option<Outcome>> {
    let ended = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];
    prop::option::of(prop::sample::select(ended.to_vec()))
}

/// The tree of these moves. Null moves grow only where the game's records have them.
pub(crate) fn grow<G: RecordFormat>(start: G::Setup, shoots: &[Shoot], nulls: bool) -> GameTree<G> {
    let mut tree = GameTree::<G>::new(start);
    let position = G::Bitboard::from_setup(&tree.start, &Waivers::None).unwrap();
    let mut nodes = vec![(NodeId::ROOT, position)];
    for shoot in shoots {
        let (parent, mut position) = nodes[nodes.len() - 1 - shoot.back.min(nodes.len() - 1)].clone();
        let choices = sorted_legal_moves(&position);
        let mv = if nulls && shoot.null && !position.in_check() {
            position.make_null();
            None
        } else {
            let Some(&mv) = choices.get(shoot.pick % choices.len().max(1)) else { continue };
            position.make(mv, &mut ());
            Some(mv)
        };
        let rival = tree.main_child(parent).is_some();
        let node = tree.add(parent, mv);
        let notes = tree.annotation_mut(node);
        let said = &shoot.said;
        if rival {
            notes.comment_before.clone_from(&said.before);
        }
        notes.comment_after.clone_from(&said.after);
        notes.nags.clone_from(&said.nags);
        notes.eval = said.score.map(|(score, mate, depth)| EvalAnnotation {
            score: if mate { AnnotatedScore::Mate(score) } else { AnnotatedScore::Centipawns(score) },
            depth,
        });
        notes.clock = said.clock.map(|millis| Duration::from_millis(millis.into()));
        notes.elapsed = said.spent.map(|millis| Duration::from_millis(millis.into()));
        nodes.push((node, position));
    }
    tree
}
