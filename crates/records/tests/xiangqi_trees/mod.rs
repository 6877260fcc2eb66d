//! Trees of xiangqi for the round trips of its formats.

use alfil_kernel::Setup as _;
use alfil_records::{GameTree, ROOT, Visit};
use alfil_xiangqi::{Setup, Xiangqi};
use proptest::prelude::*;

use crate::random_tree;
use crate::samples::testdata;

pub(crate) fn count_variations(tree: &GameTree<Xiangqi>) -> usize {
    tree.moves.traverse().filter(|visit| *visit == Visit::OpenVariation).count()
}

pub(crate) fn count_comments(tree: &GameTree<Xiangqi>) -> usize {
    let nodes = tree.moves.traverse().filter_map(|visit| match visit {
        Visit::Move(node) => Some(node),
        _ => None,
    });
    let nodes = nodes.chain([ROOT]);
    nodes.filter(|&node| !tree.annotation(node).comment_after.is_empty()).count()
}

pub(crate) fn example_tree() -> GameTree<Xiangqi> {
    let text = testdata("xiangqi/roundtrip-chinese.utf8.pgn");
    alfil_records::pgn::Reader::new(&text[..]).next_game().unwrap().unwrap().parse().into_tree().unwrap()
}

fn start_positions() -> impl Strategy<Value = Setup> {
    prop::sample::select(vec![
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "4ka3/4aR3/4N1C1b/c1p1p4/9/9/2N1P1R2/5C3/r1rp5/5K3 b - - 3 17",
        "3ak4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1",
        // Black's king faces Red's, an issue that can be waived.
        "4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1",
    ])
    .prop_map(|text| Setup::parse(text).unwrap())
}

/// Generates tags with and without a field in the formats, some longer than every field. In GB18030, 全胜卢谢郑石陆 are valid
/// UTF-8.
fn any_tags() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec(
        ("(Red|Event|Title|RedElo|Annotator|X|Red-Club|比赛)", "[ -~中炮😀]{1,40}|[全胜卢谢郑石陆]{1,9}"),
        0..4,
    )
}

/// Generates trees without null moves, which the formats do not have.
pub(crate) fn any_tree() -> impl Strategy<Value = GameTree<Xiangqi>> {
    random_tree::any_tree(start_positions(), 40, any_tags(), false)
}

pub(crate) fn any_tree_with_null_moves() -> impl Strategy<Value = GameTree<Xiangqi>> {
    random_tree::any_tree(start_positions(), 40, any_tags(), true)
}
