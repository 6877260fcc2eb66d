//! Random game trees for every game.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{Outcome, Position, Side, Waivers};
use alfil_records::annotation::normalise_comment;
use alfil_records::{AnnotatedScore, EvalAnnotation, GameTree, ROOT, RecordFormat, Visit};
use core::fmt::Debug;
use core::time::Duration;
use proptest::prelude::*;

/// A random move of a tree and its annotation.
#[derive(Clone, Debug)]
pub(crate) struct RandomMove {
    /// The index of the move, and of the parent counted back from the last node.
    pub(crate) index: usize,
    pub(crate) back: usize,
    pub(crate) is_null: bool,
    pub(crate) annotation: RandomAnnotation,
}

#[derive(Clone, Debug)]
pub(crate) struct RandomAnnotation {
    pub(crate) comment_before: String,
    pub(crate) comment_after: String,
    pub(crate) nags: Vec<u8>,
    pub(crate) score: Option<(i32, bool, Option<u32>)>,
    pub(crate) clock: Option<u32>,
    pub(crate) elapsed: Option<u32>,
}

/// Comments with the characters that are special in PGN.
pub(crate) fn comment_text() -> impl Strategy<Value = String> {
    let line =
        r#"[ -~äß中炮😀]{0,12}|[全胜卢谢郑石陆]{1,4}|[a-z{};()%$\[\]"]{1,9}|1-0|\[Event "x"\]|  e4 1\. d4"#;
    let lines = prop::collection::vec(line, 0..3).prop_map(|lines| {
        let lines: Vec<_> = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    });
    let paragraphs = "[ a-z.;(%*\n]{0,30}".prop_map(|text| normalise_comment(&text));
    prop_oneof![4 => Just(String::new()), 2 => lines, 1 => paragraphs]
        .prop_map(|text| text.replace("[%", "[_"))
}

pub(crate) fn annotation() -> impl Strategy<Value = RandomAnnotation> {
    let nags = prop_oneof![4 => Just(vec![]), 1 => prop::collection::vec(any::<u8>(), 1..3)];
    let score = prop::option::weighted(0.2, (-99999..99999, any::<bool>(), prop::option::of(0..99_u32)));
    let clock = || prop::option::weighted(0.1, 0..99_999_999_u32);
    (comment_text(), comment_text(), nags, score, clock(), clock()).prop_map(
        |(comment_before, comment_after, nags, score, clock, elapsed)| RandomAnnotation {
            comment_before,
            comment_after,
            nags,
            score,
            clock,
            elapsed,
        },
    )
}

pub(crate) fn random_moves(length: usize) -> impl Strategy<Value = Vec<RandomMove>> {
    let back = prop_oneof![5 => Just(0), 1 => 0..40_usize];
    let random_move = (any::<u16>(), back, prop::bool::weighted(0.05), annotation()).prop_map(
        |(index, back, is_null, annotation)| RandomMove { index: index.into(), back, is_null, annotation },
    );
    prop::collection::vec(random_move, 0..length)
}

pub(crate) fn any_result() -> impl Strategy<Value = Option<Outcome>> {
    let outcomes = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];
    prop::option::of(prop::sample::select(outcomes.to_vec()))
}

/// Generates trees of up to `length` moves with random tags, results, and comments of the start.
pub(crate) fn any_tree<G: RecordFormat<Setup: Debug>>(
    starts: impl Strategy<Value = G::Setup>,
    length: usize,
    tags: impl Strategy<Value = Vec<(String, String)>>,
    with_null_moves: bool,
) -> impl Strategy<Value = GameTree<G>> {
    (starts, random_moves(length), any_result(), tags, comment_text()).prop_map(
        move |(start, moves, result, tags, comment)| {
            let mut tree = build::<G>(start, &moves, with_null_moves);
            tree.result = result;
            for (name, value) in tags {
                tree.tags.set(&name, value.trim());
            }
            // Unknown values are not kept.
            tree.tags.retain(|_, value| !matches!(value, "" | "?"));
            tree.annotation_mut(ROOT).comment_after = comment;
            tree
        },
    )
}

/// Builds the tree of these moves. Null moves are included `with_null_moves` only.
pub(crate) fn build<G: RecordFormat>(
    start: G::Setup,
    moves: &[RandomMove],
    with_null_moves: bool,
) -> GameTree<G> {
    let mut tree = GameTree::<G>::new(start);
    let position = G::Board::from_setup(&tree.start, &Waivers::All).unwrap();
    let mut nodes = vec![(ROOT, position)];
    for random_move in moves {
        let (parent, mut position) = nodes[nodes.len() - 1 - random_move.back.min(nodes.len() - 1)].clone();
        let choices = sorted_legal_moves(&position);
        let mv = if with_null_moves && random_move.is_null && !position.in_check() {
            position.make_null();
            None
        } else {
            let Some(&mv) = choices.get(random_move.index % choices.len().max(1)) else { continue };
            position.make(mv, &mut ());
            Some(mv)
        };
        let has_siblings = tree.moves.main_child(parent).is_some();
        let node = tree.add(parent, mv);
        let annotation = &random_move.annotation;
        let target = tree.annotation_mut(node);
        if has_siblings {
            target.comment_before.clone_from(&annotation.comment_before);
        }
        target.comment_after.clone_from(&annotation.comment_after);
        target.nags.clone_from(&annotation.nags);
        target.eval = annotation.score.map(|(score, mate, depth)| EvalAnnotation {
            score: if mate { AnnotatedScore::Mate(score) } else { AnnotatedScore::Centipawns(score) },
            depth,
        });
        target.clock = annotation.clock.map(|millis| Duration::from_millis(millis.into()));
        target.elapsed = annotation.elapsed.map(|millis| Duration::from_millis(millis.into()));
        nodes.push((node, position));
    }
    tree
}

/// Returns the tree as a format with one comment for each move keeps it: the comment before a move joins the one after
/// it.
pub(crate) fn with_joined_comments<G: RecordFormat>(tree: &GameTree<G>) -> GameTree<G> {
    let mut joined = tree.clone();
    let moves: Vec<_> = tree.moves.traverse().collect();
    for visit in moves {
        let Visit::Move(node) = visit else { continue };
        let annotation = joined.annotation_mut(node);
        let before = std::mem::take(&mut annotation.comment_before);
        annotation.comment_after = normalise_comment(&format!("{before}\n{}", annotation.comment_after));
    }
    joined
}
