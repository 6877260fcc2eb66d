//! The profile of xiangqi: boards, records, networks, rulesets and messages.

mod appearance;
pub(crate) mod chinese;
mod lessons;
mod marks;
mod outlines;
mod pictograms;
mod quiz;
mod ruling;
mod ruling_messages;

use std::sync::Arc;

use alfil_evaluation::network_inputs::NetworkInputs;
use alfil_evaluation::tuning;
use alfil_evaluation::{Network, NetworkEval};
use alfil_kernel::perft::PerftKey;
use alfil_kernel::{GameHistory, Outcome, RefusedMove, RefusedMoveOf, Side, Verdict};
use alfil_records::text_game::TextFormat;
use alfil_search::SearchParams;
use alfil_xiangqi::{self as xiangqi, Xiangqi};

pub use appearance::{APPEARANCE, NAMES_ZH};
use lessons::INTRODUCTION;

use crate::accuracy::AccuracyFormula;
use crate::any_board::board_game;
use crate::game_entry::{BoardEntry, GameEntry};
use crate::game_info::{GameInfo, Handicap, LengthUnit, OpeningDefaults, ProtocolNames, WdlCurve};
use crate::game_phase::PhaseRules;
use crate::game_profile::{
    EndgameSolver, EvaluationNetworks, EvaluationPartsFn, GameProfile, NamedRulesets, OpeningBookFn,
    PassConventions, SymmetriesFn, ply_from_move_number,
};
use crate::session_error::SessionError;
use crate::tactical_marks::TacticalMark;
use crate::typed_session::TypedSession;

/// The board that is used if none is named.
const DEFAULT_BOARD: &[BoardEntry] =
    &[BoardEntry { name: "bitboard", open: || Box::new(TypedSession::<xiangqi::Bitboard>::new()) }];

/// All boards, with the feature `every-board`.
const BOARDS: &[BoardEntry] = &[
    DEFAULT_BOARD[0],
    BoardEntry { name: "folded", open: || Box::new(TypedSession::<xiangqi::Folded>::new()) },
    BoardEntry { name: "mailbox", open: || Box::new(TypedSession::<xiangqi::Mailbox>::new()) },
];

/// The registry entry of xiangqi.
pub static ENTRY: GameEntry = GameEntry {
    info: &INFO,
    game: board_game::<xiangqi::Bitboard>(),
    boards: if cfg!(feature = "every-board") { BOARDS } else { DEFAULT_BOARD },
    records: TextFormat::new::<Xiangqi>(),
    introduction: &INTRODUCTION,
};

/// The side that is called Red.
const WHITE: Side = Side::First;

static INFO: GameInfo = GameInfo {
    appearance: &APPEARANCE,
    white: WHITE,
    names_zh: &NAMES_ZH,
    pictograms: pictograms::PICTOGRAMS,
    legend_outlines: pictograms::LEGEND_OUTLINES,
    has_solver: false,
    has_opening_book: false,
    network_magic: Some(Network::MAGIC),
    // Programs for WebAssembly are downloaded: their networks are files of their own.
    built_in_network: if cfg!(target_family = "wasm") { None } else { Some(alfil_evaluation::nets::XIANGQI) },
    handicaps: &[
        Handicap {
            title: "Red gives a horse",
            title_zh: "红方让一马",
            start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w - - 0 1",
            waive: &[],
        },
        Handicap {
            title: "Red gives two horses",
            title_zh: "红方让双马",
            start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKAB1R w - - 0 1",
            waive: &[],
        },
        Handicap {
            title: "Red gives a rook",
            title_zh: "红方让一车",
            start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1",
            waive: &[],
        },
    ],
    numbered_starts: None,
    level_steps: [531, 418, 268, 274, 350, 402, 323, 222, 424],
    wdl_curve: WdlCurve { even_cp: [72.0, 439.0], spread_cp: [154.0, -10.0], plies: 120.0 },
    review_curve: WdlCurve { even_cp: [83.0, 437.0], spread_cp: [262.0, -105.0], plies: 120.0 },
    accuracy: AccuracyFormula {
        slope: 0.001_5,
        max_score_cp: 1_000.0,
        steepness: 0.06,
        best_is_perfect: true,
    },
    piece_values: &[('R', 900), ('C', 450), ('N', 400), ('B', 200), ('A', 200), ('P', 100)],
    phases: PhaseRules {
        counted_pieces: &['R', 'N', 'C'],
        opening: 11..=12,
        opening_plies: 24,
        ending: 0..=6,
    },
    length_unit: LengthUnit::FullMoves,
    final_score: None,
    openings: OpeningDefaults { plies: 6, max_imbalance_cp: 60 },
    search_params: SearchParams::DEFAULT,
    rulesets: &ruling::RULESETS,
    protocol_names: ProtocolNames {
        uci: &["xiangqi"],
        cecp: &["xiangqi"],
        client_protocols: &["uci", "ucci", "xboard"],
        client_uci: &["xiangqi"],
        client_cecp: &["xiangqi"],
    },
};

impl<P: xiangqi::Board> GameProfile<P> for Xiangqi {
    type Rules = xiangqi::Ruleset;
    type Evaluator = NetworkEval<Xiangqi, alfil_evaluation::xiangqi::HandcraftedEval>;
    type Weights = Arc<Network>;
    type Oracle = ();
    type Notation = xiangqi::MoveNotation;

    const BENCH_POSITIONS: &'static [&'static str] = &[
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1",
        "2bakab2/6c2/2C3c2/p1N1p3p/1R1P5/5r3/P2CP1n1P/4B1p2/4A4/4KAB2 b - - 0 1",
        "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1",
    ];
    const BENCH_DEPTH: u32 = 8;
    const HAS_NULL_TEXT: bool = true;
    const WHITE: Side = WHITE;
    const RULESETS: Option<NamedRulesets<P>> =
        Some(NamedRulesets { from_name: ruling::ruleset, ruling: ruling::ruling });
    const PASS_CONVENTIONS: Option<PassConventions<P>> = None;
    const NETWORKS: Option<EvaluationNetworks<P>> = Some(EvaluationNetworks {
        read: |bytes| Self::read_network(bytes).map(Arc::new).map_err(SessionError::from_error),
        description: |network| network.description(),
        evaluator: NetworkEval::with_network,
    });
    const EVALUATION_PARTS: Option<EvaluationPartsFn<P>> =
        Some(tuning::parts::<P, alfil_evaluation::xiangqi::HandcraftedEval>);
    const SOLVER: Option<EndgameSolver<P>> = None;
    const OPENING_BOOK: Option<OpeningBookFn<P>> = None;
    const SYMMETRIES: Option<SymmetriesFn<P>> = None;

    fn oracle(_: usize) {}

    fn info() -> &'static GameInfo {
        &INFO
    }

    fn verdict_message(position: &P, verdict: &Verdict<xiangqi::Cause>) -> String {
        let name = |side: Side| appearance::SIDES[side.index()];
        match (verdict.cause, verdict.outcome) {
            (xiangqi::Cause::NoLegalMove, _) => {
                let (loser, winner) = (name(position.side_to_move()), name(!position.side_to_move()));
                if position.in_check() {
                    format!("Checkmate: {winner} wins")
                } else {
                    format!("{loser} has no move: {winner} wins (stalemate loses in xiangqi)")
                }
            }
            (xiangqi::Cause::PerpetualCheck, Outcome::Win(winner)) => {
                format!("{} loses by perpetual check: {} wins", name(!winner), name(winner))
            }
            (xiangqi::Cause::PerpetualChase, Outcome::Win(winner)) => {
                format!("{} loses by perpetual chase: {} wins", name(!winner), name(winner))
            }
            (xiangqi::Cause::Prohibited, Outcome::Win(winner)) => {
                format!("{} attacked with every move and loses: {} wins", name(!winner), name(winner))
            }
            (
                xiangqi::Cause::PerpetualCheck
                | xiangqi::Cause::PerpetualChase
                | xiangqi::Cause::Prohibited
                | xiangqi::Cause::MutualOffence,
                _,
            ) => "Drawn: both sides repeated forbidden moves (perpetual check, chase or threats of mate)"
                .into(),
            (xiangqi::Cause::Repetition, _) => "Drawn: the position was repeated without an offence".into(),
            (xiangqi::Cause::NaturalLimit, _) => "Drawn: too many moves without a capture".into(),
            (xiangqi::Cause::Material, _) => "Drawn: neither side has enough material to win".into(),
            (xiangqi::Cause::OnlyRefusedMoves, _) => {
                let (loser, winner) = (name(position.side_to_move()), name(!position.side_to_move()));
                format!("The ruleset refuses every move of {loser}: {winner} wins")
            }
            (xiangqi::Cause::GameLength, _) => "Drawn: the game has too many moves".into(),
        }
    }

    fn verdict_message_zh(position: &P, verdict: &Verdict<xiangqi::Cause>) -> String {
        chinese::verdict_message(position, verdict)
    }

    fn refusal_message(refused: &RefusedMoveOf<P>) -> String {
        let RefusedMove { cause, limit, .. } = refused;
        match cause {
            xiangqi::Cause::PerpetualCheck => {
                format!("{limit} checks in a row are allowed, and it is one more")
            }
            xiangqi::Cause::PerpetualChase => {
                format!("{limit} chases of one piece in a row are allowed, and it is one more")
            }
            _ => format!("{limit} checks and chases in a row are allowed, and it is one more"),
        }
    }

    fn refusal_message_zh(refused: &RefusedMoveOf<P>) -> String {
        let RefusedMove { cause, limit, .. } = refused;
        match cause {
            xiangqi::Cause::PerpetualCheck => format!("连续将军以 {limit} 着为限"),
            xiangqi::Cause::PerpetualChase => format!("连续捉同一子以 {limit} 着为限"),
            _ => format!("连续将、捉以 {limit} 着为限"),
        }
    }

    fn issue_message_zh(issue: &xiangqi::setup::SetupIssue) -> String {
        chinese::issue_message(issue)
    }

    fn expected_message_zh(expected: &xiangqi::fen::Expected) -> String {
        chinese::expected_message(*expected).into()
    }

    fn move_error_message_zh(error: &xiangqi::notation::NotationError) -> String {
        chinese::move_error_message(error)
    }

    fn pieces_of_setup(setup: &xiangqi::Setup) -> (Vec<(xiangqi::Square, xiangqi::Piece)>, Side) {
        let piece = |square: xiangqi::Square| setup.board[square.index()].map(|piece| (square, piece));
        (xiangqi::Square::all().filter_map(piece).collect(), setup.side_to_move)
    }

    fn text_from_pieces(pieces: &[(String, char)], side: Side, _: Option<&xiangqi::Setup>) -> String {
        format!("{} {} - - 0 1", APPEARANCE.placement(pieces), ["w", "b"][side.index()])
    }

    fn empty_setup() -> xiangqi::Setup {
        xiangqi::Setup::EMPTY
    }

    fn set_piece(setup: &mut xiangqi::Setup, square: xiangqi::Square, piece: Option<xiangqi::Piece>) {
        setup.board[square.index()] = piece;
    }

    fn set_side_to_move(setup: &mut xiangqi::Setup, side: Side) {
        setup.side_to_move = side;
    }

    fn swapped(setup: &xiangqi::Setup) -> xiangqi::Setup {
        setup.swapped()
    }

    fn attackers(position: &P, square: xiangqi::Square, by: Side) -> Vec<xiangqi::Square> {
        position.attackers_to(square, by).iter().collect()
    }

    fn tactical_marks(position: &P) -> Vec<TacticalMark> {
        marks::tactical_marks(position)
    }

    fn is_chess960(_: &Self::Setup) -> bool {
        false
    }

    fn perft_key(position: &P) -> Option<PerftKey> {
        xiangqi::fast_perft::perft_key(position)
    }

    fn rules_between_people() -> xiangqi::Ruleset {
        xiangqi::Ruleset::AXF
    }

    fn board_rules(name: Option<&str>) -> Result<xiangqi::Ruleset, SessionError> {
        name.map_or_else(|| Ok(<Self as GameProfile<P>>::rules_between_people()), ruling::ruleset)
    }

    fn written_move(_: &P, mv: xiangqi::Move) -> xiangqi::Move {
        mv
    }

    fn read_move(_: &P, written: xiangqi::Move) -> xiangqi::Move {
        written
    }

    fn piece_counts(_: &P) -> Option<[usize; 2]> {
        None
    }

    fn game_ply(game: &GameHistory<P>) -> usize {
        ply_from_move_number(game)
    }

    fn target_squares(_: &P, mv: xiangqi::Move) -> Vec<xiangqi::Square> {
        vec![mv.target()]
    }

    fn promotion_letter(_: xiangqi::Move) -> Option<char> {
        None
    }

    fn checked_king(position: &P) -> Option<xiangqi::Square> {
        position.in_check().then(|| position.king_square(position.side_to_move()))
    }
}
