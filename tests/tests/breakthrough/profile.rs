//! What the program needs of the game beside its rules.

use alfil_kernel::perft::PerftKey;
use alfil_kernel::{GameHistory, Move as _, MoveCounters, Piece as _, Position as _, Side, Verdict};
use alfil_records::text_game::TextFormat;
use alfil_search::SearchParams;
use alfil_session::accuracy::AccuracyFormula;
use alfil_session::appearance::chinese::ChineseNames;
use alfil_session::appearance::{Appearance, Layout, PieceAppearance};
use alfil_session::game_entry::{BoardEntry, GameEntry};
use alfil_session::game_info::{GameInfo, LengthUnit, OpeningDefaults, ProtocolNames, WdlCurve};
use alfil_session::game_phase::PhaseRules;
use alfil_session::game_profile::{
    EndgameSolver, EvaluationNetworks, EvaluationPartsFn, GameProfile, MoveError, NamedRulesets,
    OpeningBookFn, PassConventions, SymmetriesFn, ply_from_move_number,
};
use alfil_session::typed_session::TypedSession;
use alfil_session::{SessionError, TacticalMark, board_game};

use crate::board::Board;
use crate::evaluation::HandcraftedEval;
use crate::game::{Breakthrough, Expected, Move, Pawn, Setup, SetupIssue, Square};
use crate::introduction::INTRODUCTION;
use crate::notation::MoveNotation;
use crate::rules::{Cause, Ruleset};

/// The row of the game in the registry.
pub static ENTRY: GameEntry = GameEntry {
    info: &INFO,
    game: board_game::<Board>(),
    boards: &[BoardEntry { name: "mailbox", open: || Box::new(TypedSession::<Board>::new()) }],
    records: TextFormat::new::<Breakthrough>(),
    introduction: &INTRODUCTION,
};

static INFO: GameInfo = GameInfo {
    appearance: &APPEARANCE,
    white: Side::First,
    names_zh: &NAMES_ZH,
    pictograms: &[],
    legend_outlines: &[],
    has_solver: false,
    has_opening_book: false,
    network_magic: None,
    built_in_network: None,
    handicaps: &[],
    numbered_starts: None,
    level_steps: [0; 9],
    wdl_curve: WdlCurve { even_cp: [100.0, 0.0], spread_cp: [100.0, 0.0], plies: 1.0 },
    review_curve: WdlCurve { even_cp: [100.0, 0.0], spread_cp: [100.0, 0.0], plies: 1.0 },
    accuracy: AccuracyFormula { slope: 0.004, max_score_cp: 1_000.0, steepness: 0.04, best_is_perfect: true },
    openings: OpeningDefaults { plies: 2, max_imbalance_cp: 100 },
    search_params: SearchParams::DEFAULT,
    piece_values: &[('P', 100)],
    phases: PhaseRules { counted_pieces: &['P'], opening: 10..=10, opening_plies: 6, ending: 0..=4 },
    length_unit: LengthUnit::FullMoves,
    final_score: None,
    rulesets: &[],
    protocol_names: ProtocolNames {
        uci: &["breakthrough"],
        cecp: &["breakthrough"],
        client_protocols: &["uci"],
        client_uci: &["breakthrough"],
        client_cecp: &[],
    },
};

static NAMES_ZH: ChineseNames = ChineseNames {
    title: "突破棋",
    sides: ["白方", "黑方"],
    pieces: &[('P', "白兵"), ('p', "黑兵")],
    dialect: None,
    dialect_names: &[("coordinates", "座標", "b2b3")],
};

static APPEARANCE: Appearance = Appearance {
    game: "breakthrough",
    title: "Breakthrough",
    files: 5,
    ranks: 5,
    layout: Layout::Checkered,
    file_names: &["a", "b", "c", "d", "e"],
    rank_names: &["1", "2", "3", "4", "5"],
    lines: &[],
    corner_marks: &[],
    sides: ["White", "Black"],
    pieces: &[
        PieceAppearance { letter: 'P', side: 0, name: "White pawn", glyph: '♙', outline: "" },
        PieceAppearance { letter: 'p', side: 1, name: "Black pawn", glyph: '♟', outline: "" },
    ],
    legend: &[],
    shows_move_values: false,
    shows_piece_counts: false,
    english_dialect: "coordinates",
    dialect_names: &[("coordinates", "two squares")],
    dialect_rank_names: &[],
    edge_names: &[],
};

impl GameProfile<Board> for Breakthrough {
    type Rules = Ruleset;
    type Evaluator = HandcraftedEval;
    type Weights = ();
    type Oracle = ();
    type Notation = MoveNotation;

    const BENCH_POSITIONS: &'static [&'static str] = &["ppppp/ppppp/5/PPPPP/PPPPP w 0 1"];
    const BENCH_DEPTH: u32 = 6;
    const HAS_NULL_TEXT: bool = false;
    const WHITE: Side = Side::First;
    const RULESETS: Option<NamedRulesets<Board>> = None;
    const PASS_CONVENTIONS: Option<PassConventions<Board>> = None;
    const NETWORKS: Option<EvaluationNetworks<Board>> = None;
    const EVALUATION_PARTS: Option<EvaluationPartsFn<Board>> = None;
    const SOLVER: Option<EndgameSolver<Board>> = None;
    const OPENING_BOOK: Option<OpeningBookFn<Board>> = None;
    const SYMMETRIES: Option<SymmetriesFn<Board>> = None;

    fn info() -> &'static GameInfo {
        &INFO
    }

    fn verdict_message(_: &Board, verdict: &Verdict<Cause>) -> String {
        match verdict.cause {
            Cause::LastRank => "A pawn has reached the last rank".into(),
            Cause::NoPawns => "One side has no pawns left".into(),
        }
    }

    fn verdict_message_zh(_: &Board, verdict: &Verdict<Cause>) -> String {
        match verdict.cause {
            Cause::LastRank => "有兵到達底線".into(),
            Cause::NoPawns => "一方無兵".into(),
        }
    }

    fn issue_message_zh(issue: &SetupIssue) -> String {
        match *issue {}
    }

    fn expected_message_zh(expected: &Expected) -> String {
        expected.to_string()
    }

    fn move_error_message_zh(error: &MoveError<Board>) -> String {
        error.to_string()
    }

    fn oracle(_: usize) {}

    fn checked_king(_: &Board) -> Option<Square> {
        None
    }

    fn piece_counts(_: &Board) -> Option<[usize; 2]> {
        None
    }

    fn game_ply(game: &GameHistory<Board>) -> usize {
        ply_from_move_number(game)
    }

    fn target_squares(_: &Board, mv: Move) -> Vec<Square> {
        mv.target().into_iter().collect()
    }

    fn promotion_letter(_: Move) -> Option<char> {
        None
    }

    fn empty_setup() -> Setup {
        Setup { board: [None; Square::COUNT], side_to_move: Side::First, counters: MoveCounters::default() }
    }

    fn set_piece(setup: &mut Setup, square: Square, piece: Option<Pawn>) {
        setup.board[square.index()] = piece;
    }

    fn set_side_to_move(setup: &mut Setup, side: Side) {
        setup.side_to_move = side;
    }

    fn swapped(setup: &Setup) -> Setup {
        let mut swapped = Setup { side_to_move: !setup.side_to_move, ..setup.clone() };
        // The squares are counted by ranks, so that a half-turn reverses them; the rules are symmetric under it.
        swapped.board.reverse();
        for pawn in swapped.board.iter_mut().flatten() {
            pawn.0 = !pawn.0;
        }
        swapped
    }

    fn attackers(position: &Board, square: Square, by: Side) -> Vec<Square> {
        let behind = if by == Side::First { -1 } else { 1 };
        let from = [-1, 1].into_iter().filter_map(|files| square.step(files, behind));
        from.filter(|&from| position.piece_on(from) == Some(Pawn(by))).collect()
    }

    fn tactical_marks(_: &Board) -> Vec<TacticalMark> {
        Vec::new()
    }

    fn is_chess960(_: &Setup) -> bool {
        false
    }

    fn perft_key(position: &Board) -> Option<PerftKey> {
        let pieces = Square::all()
            .filter_map(|square| position.piece_on(square).map(|pawn| (square.index(), pawn.index() as u8)));
        PerftKey::from_pieces(pieces, position.side_to_move())
    }

    fn rules_between_people() -> Ruleset {
        Ruleset
    }

    fn board_rules(_: Option<&str>) -> Result<Ruleset, SessionError> {
        Ok(Ruleset)
    }

    fn written_move(_: &Board, mv: Move) -> Move {
        mv
    }

    fn read_move(_: &Board, written: Move) -> Move {
        written
    }

    fn text_from_pieces(pieces: &[(String, char)], side: Side, _: Option<&Setup>) -> String {
        format!("{} {} 0 1", APPEARANCE.placement(pieces), ["w", "b"][side.index()])
    }

    fn pieces_of_setup(setup: &Setup) -> (Vec<(Square, Pawn)>, Side) {
        let pieces = Square::all().filter_map(|square| Some((square, setup.board[square.index()]?)));
        (pieces.collect(), setup.side_to_move)
    }
}
