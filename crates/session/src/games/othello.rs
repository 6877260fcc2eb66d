//! The profile of Othello: boards, records, patterns, the solver and messages.

mod appearance;
pub(crate) mod chinese;
mod lessons;
mod marks;
mod solve;

use std::sync::Arc;

use alfil_evaluation::othello::{PatternEval, PatternWeights};
use alfil_evaluation::{nets, tuning};
use alfil_kernel::perft::PerftKey;
use alfil_kernel::{
    GameHistory, Move as _, Outcome, Position as _, Score, Setup as _, Side, Verdict, Waivers,
};
use alfil_othello::geometry::Symmetry;
use alfil_othello::{self as othello, Board as _, Othello, PassConvention};
use alfil_records::text_game::TextFormat;
use alfil_search::SearchParams;
use alfil_solver::{EndgameOracle, Solver};

pub use appearance::{APPEARANCE, NAMES_ZH};
use lessons::INTRODUCTION;

use crate::accuracy::AccuracyFormula;
use crate::any_board::board_game;
use crate::game_entry::{BoardEntry, GameEntry};
use crate::game_info::{GameInfo, Handicap, LengthUnit, OpeningDefaults, ProtocolNames, WdlCurve};
use crate::game_phase::PhaseRules;
use crate::game_profile::{
    EndgameSolver, EvaluationNetworks, EvaluationPartsFn, GameProfile, MoveMap, NamedRulesets, OpeningBookFn,
    PassConventions, SymmetriesFn,
};
use crate::session_error::SessionError;
use crate::tactical_marks::TacticalMark;
use crate::typed_session::TypedSession;

/// The board that is used if none is named.
const DEFAULT_BOARD: &[BoardEntry] =
    &[BoardEntry { name: "bitboard", open: || Box::new(TypedSession::<othello::Bitboard>::new()) }];

/// All boards, with the feature `every-board`.
const BOARDS: &[BoardEntry] = &[
    DEFAULT_BOARD[0],
    BoardEntry { name: "mailbox", open: || Box::new(TypedSession::<othello::Mailbox>::new()) },
];

/// The registry entry of Othello.
pub static ENTRY: GameEntry = GameEntry {
    info: &INFO,
    game: board_game::<othello::Bitboard>(),
    boards: if cfg!(feature = "every-board") { BOARDS } else { DEFAULT_BOARD },
    records: TextFormat::new::<Othello>(),
    introduction: &INTRODUCTION,
};

/// The curve of self-play and of the review.
const WDL_CURVE: WdlCurve = WdlCurve { even_cp: [30.0, -30.0], spread_cp: [1473.0, -1450.0], plies: 60.0 };

/// The side that is called White.
const WHITE: Side = Side::Second;

static INFO: GameInfo = GameInfo {
    appearance: &APPEARANCE,
    white: WHITE,
    names_zh: &NAMES_ZH,
    pictograms: &[],
    legend_outlines: &[],
    has_solver: true,
    has_opening_book: true,
    network_magic: Some(PatternWeights::MAGIC),
    built_in_network: if cfg!(target_family = "wasm") { None } else { Some(nets::OTHELLO) },
    handicaps: &[
        Handicap {
            title: "Black has a corner, White begins",
            title_zh: "黑方占一角，白方先行",
            start: "X--------------------------OX------XO--------------------------- O",
            waive: &["island"],
        },
        Handicap {
            title: "Black has two corners, White begins",
            title_zh: "黑方占两角，白方先行",
            start: "X--------------------------OX------XO--------------------------X O",
            waive: &["island"],
        },
        Handicap {
            title: "Black has three corners, White begins",
            title_zh: "黑方占三角，白方先行",
            start: "X------X-------------------OX------XO--------------------------X O",
            waive: &["island"],
        },
        Handicap {
            title: "Black has four corners, White begins",
            title_zh: "黑方占四角，白方先行",
            start: "X------X-------------------OX------XO-------------------X------X O",
            waive: &["island"],
        },
    ],
    numbered_starts: None,
    level_steps: [319, 387, 291, 215, 208, 182, 100, 203, 203],
    wdl_curve: WDL_CURVE,
    review_curve: WDL_CURVE,
    accuracy: AccuracyFormula {
        slope: 0.000_5,
        max_score_cp: 6_400.0,
        steepness: 0.09,
        best_is_perfect: true,
    },
    piece_values: &[],
    phases: PhaseRules { counted_pieces: &[], opening: 0..=20, opening_plies: usize::MAX, ending: 44..=64 },
    length_unit: LengthUnit::Plies { pass: "pass" },
    final_score: Some(score_of_board_text),
    openings: OpeningDefaults { plies: 8, max_imbalance_cp: 400 },
    // Centipawns are hundredths of a disc here.
    search_params: SearchParams {
        aspiration_window: 100,
        aspiration_iterations_back: 2,
        measures_score_fall: 0,
        ..SearchParams::DEFAULT
    },
    rulesets: &[],
    protocol_names: ProtocolNames {
        uci: &["othello", "flipello", "reversi"],
        cecp: &["reversi"],
        client_protocols: &["uci", "nboard", "gtp"],
        client_uci: &["flipello", "othello", "reversi"],
        client_cecp: &["reversi", "flipello", "othello"],
    },
};

/// With at most this number of empty squares, the search of Othello uses the exact endgame solver.
const SOLVER_EMPTIES: usize = 18;

/// With at most this number of empty squares, the search uses the solver selectively, then with more confidence, and at
/// last exactly, as far as its time allows.
const SELECTIVE_EMPTIES: usize = 30;

impl<P: othello::Board> GameProfile<P> for Othello {
    type Rules = othello::Ruleset;
    type Evaluator = PatternEval;
    type Weights = Arc<PatternWeights>;
    type Oracle = EndgameOracle;
    type Notation = othello::MoveNotation;

    const BENCH_POSITIONS: &'static [&'static str] = &[
        "---------------------------OX------XO--------------------------- X",
        "------------------OX------OXX----OOXX---XXXO----X--------------- O",
        "--OOO----XXXX---XXXOX---XXOXXO--OXXXX---O-XX------X------------- O",
    ];
    const BENCH_DEPTH: u32 = 8;
    // In records of Othello `--` is a pass.
    const HAS_NULL_TEXT: bool = false;
    const WHITE: Side = WHITE;
    const RULESETS: Option<NamedRulesets<P>> = None;
    const PASS_CONVENTIONS: Option<PassConventions<P>> = Some(PassConventions {
        names: &["ply", "free", "full"],
        parse: |text| PassConvention::from_description(text).map(PassConvention::name),
        perft,
        depth_after,
    });
    const NETWORKS: Option<EvaluationNetworks<P>> = Some(EvaluationNetworks {
        read: read_weights,
        description: |weights| weights.description(),
        evaluator: PatternEval::new,
    });
    const EVALUATION_PARTS: Option<EvaluationPartsFn<P>> =
        Some(tuning::parts::<P, alfil_evaluation::othello::HandcraftedEval>);
    const SOLVER: Option<EndgameSolver<P>> =
        Some(EndgameSolver { solve: solve::solve_othello, parse_problems: solve::parse_othello_problems });
    const OPENING_BOOK: Option<OpeningBookFn<P>> = Some(book_moves);
    const SYMMETRIES: Option<SymmetriesFn<P>> = Some(symmetries);

    fn info() -> &'static GameInfo {
        &INFO
    }

    fn verdict_message(position: &P, verdict: &Verdict<othello::Cause>) -> String {
        let ([more, fewer], board) = final_score(position, verdict.outcome);
        let board = board.map_or(String::new(), |[more, fewer]| format!(" ({more} to {fewer} on the board)"));
        let score = format!("{more} to {fewer}{board}");
        let cause = match verdict.cause {
            othello::Cause::FullBoard => "",
            othello::Cause::Wipeout => "one side has no discs left: ",
            othello::Cause::NoLegalMove => "neither side can move: ",
        };
        let result = match verdict.outcome {
            Outcome::Win(side) => {
                format!("{} wins {score}", appearance::SIDES[side.index()])
            }
            Outcome::Draw => format!("drawn, {score}"),
        };
        let sentence = format!("{cause}{result}");
        let mut chars = sentence.chars();
        chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
    }

    fn verdict_message_zh(position: &P, verdict: &Verdict<othello::Cause>) -> String {
        let (score, board) = final_score(position, verdict.outcome);
        chinese::verdict_message(verdict, score, board)
    }

    fn issue_message_zh(issue: &othello::setup::SetupIssue) -> String {
        chinese::issue_message(issue)
    }

    fn expected_message_zh(expected: &othello::fen::Expected) -> String {
        chinese::expected_message(*expected)
    }

    fn move_error_message_zh(error: &othello::notation::NotationError) -> String {
        chinese::move_error_message(error)
    }

    fn pieces_of_setup(setup: &othello::Setup) -> (Vec<(othello::Square, othello::Piece)>, Side) {
        let disc = |square: othello::Square| setup.board[square.index()].map(|disc| (square, disc));
        (othello::Square::all().filter_map(disc).collect(), setup.side_to_move)
    }

    fn text_from_pieces(pieces: &[(String, char)], side: Side, _: Option<&othello::Setup>) -> String {
        let rows = APPEARANCE.rows(pieces);
        let discs: String = rows.iter().flatten().map(|disc| disc.unwrap_or('-')).collect();
        format!("{discs} {}", othello::Piece::new(side).letter())
    }

    fn empty_setup() -> othello::Setup {
        othello::Setup::EMPTY
    }

    fn set_piece(setup: &mut othello::Setup, square: othello::Square, piece: Option<othello::Piece>) {
        setup.board[square.index()] = piece;
    }

    fn set_side_to_move(setup: &mut othello::Setup, side: Side) {
        setup.side_to_move = side;
    }

    fn swapped(setup: &othello::Setup) -> othello::Setup {
        setup.swapped()
    }

    fn attackers(_: &P, _: othello::Square, _: Side) -> Vec<othello::Square> {
        Vec::new()
    }

    fn tactical_marks(position: &P) -> Vec<TacticalMark> {
        marks::tactical_marks(position)
    }

    fn piece_counts(position: &P) -> Option<[usize; 2]> {
        Some(Side::BOTH.map(|side| position.discs(side).len()))
    }

    fn game_ply(game: &GameHistory<P>) -> usize {
        60 - game.position().empty_squares().len().min(60)
    }

    fn oracle(hash_mib: usize) -> EndgameOracle {
        EndgameOracle::new(new_solver(hash_mib / 2), SOLVER_EMPTIES).with_selective_empties(SELECTIVE_EMPTIES)
    }

    fn checked_king(_: &P) -> Option<othello::Square> {
        None
    }

    fn target_squares(_: &P, mv: othello::Move) -> Vec<othello::Square> {
        mv.target().into_iter().collect()
    }

    fn promotion_letter(_: othello::Move) -> Option<char> {
        None
    }

    fn is_chess960(_: &Self::Setup) -> bool {
        false
    }

    fn perft_key(position: &P) -> Option<PerftKey> {
        Some(othello::fast_perft::perft_key(position))
    }

    fn rules_between_people() -> othello::Ruleset {
        othello::Ruleset::default()
    }

    fn board_rules(name: Option<&str>) -> Result<othello::Ruleset, SessionError> {
        match name {
            None => Ok(othello::Ruleset::default()),
            Some(name) => Err(SessionError::new(format!("Othello has one ruleset: leave out {name:?}"))),
        }
    }

    fn written_move(_: &P, mv: othello::Move) -> othello::Move {
        mv
    }

    fn read_move(_: &P, written: othello::Move) -> othello::Move {
        written
    }
}

/// Reads weights of patterns. The built-in ones are unpacked only once.
fn read_weights(bytes: &[u8]) -> Result<Arc<PatternWeights>, SessionError> {
    match built_in_weights() {
        Some(weights) if core::ptr::eq(bytes, nets::OTHELLO) => Ok(weights),
        _ => PatternWeights::read(bytes).map_err(SessionError::from_error),
    }
}

/// Returns the built-in weights; `None` on WebAssembly, where they are a file of their own.
fn built_in_weights() -> Option<Arc<PatternWeights>> {
    if cfg!(target_family = "wasm") { None } else { Some(nets::othello()) }
}

/// Returns a solver with a table of at most this size whose moves are ordered by the built-in weights.
fn new_solver(mebibytes: usize) -> Solver {
    Solver::new(mebibytes).with_patterns(built_in_weights())
}

/// Returns the moves of the built-in opening book.
fn book_moves<P: othello::Board>(position: &P) -> Vec<(othello::Move, Score)> {
    let moves = nets::othello_book().moves(position).into_iter();
    moves.map(|mv| (othello::Move::from_square(mv.square), Score::from_cp(mv.score.into()))).collect()
}

/// Returns the symmetries of the board under which the discs of both sides stay as they are.
fn symmetries<P: othello::Board>(position: &P) -> Vec<MoveMap<P>> {
    let discs = Side::BOTH.map(|side| position.discs(side).0);
    let is_kept = |symmetry: &Symmetry| discs.iter().all(|&set| symmetry.map_set(set) == set);
    let map = |symmetry: Symmetry| -> MoveMap<P> {
        Box::new(move |mv: othello::Move| {
            mv.target().map_or(mv, |square| othello::Move::from_square(symmetry.map_square(square)))
        })
    };
    Symmetry::all().skip(1).filter(is_kept).map(map).collect()
}

/// Counts move paths with the counter of the board.
fn perft<P: othello::Board<Game = Othello>>(position: &P, depth: u32, convention: &str) -> u64 {
    let convention = pass_convention(convention);
    if P::BOARD == othello::Bitboard::BOARD {
        let mover = position.side_to_move();
        let (own, other) = (position.discs(mover), position.discs(!mover));
        let board = othello::Bitboard::new(own.0, other.0, mover);
        return othello::fast_perft::fast_perft(&board, depth, convention);
    }
    othello::fast_perft::perft(&mut position.clone(), depth, convention)
}

fn depth_after(mv: othello::Move, depth: u32, convention: &str) -> u32 {
    if mv.is_pass() && pass_convention(convention) == PassConvention::Free { depth } else { depth - 1 }
}

/// Returns the pass convention of a name, which the session has checked already.
fn pass_convention(name: &str) -> PassConvention {
    name.parse().unwrap_or(PassConvention::Ply)
}

/// Returns the final score of Black and White, given the board of a position text; `None` if a side can move.
fn score_of_board_text(board: &str) -> Option<[usize; 2]> {
    let setup = othello::Setup::parse(&format!("{board} X")).ok()?;
    let position = othello::Bitboard::from_setup(&setup, &Waivers::All).ok()?;
    let margin = position.has_no_legal_move().then(|| position.final_score(Side::First))?;
    let black = usize::try_from((64 + margin) / 2).ok()?;
    Some([black, 64 - black])
}

/// Returns the score of a finished game of Othello, the larger number first, and the discs on the board if they differ
/// from it: the empty squares count for the winner, or half for each side in a draw.
fn final_score<P: othello::Board>(position: &P, outcome: Outcome) -> ([usize; 2], Option<[usize; 2]>) {
    let counts = Side::BOTH.map(|side| position.discs(side).len());
    let board = [counts[0].max(counts[1]), counts[0].min(counts[1])];
    match (outcome, position.empty_squares().len()) {
        (_, 0) => (board, None),
        (Outcome::Win(_), empty) => ([board[0] + empty, board[1]], Some(board)),
        (Outcome::Draw, _) => ([32, 32], Some(board)),
    }
}
