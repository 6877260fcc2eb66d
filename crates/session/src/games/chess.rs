//! The profile of chess: boards, records, networks, rulesets and messages.

mod appearance;
pub(crate) mod chinese;
mod lessons;
mod marks;
pub(crate) mod outlines;

use alfil_chess::notation::{castling_from_king_move, to_uci_form};
use alfil_chess::{self as chess, Chess, PieceKind};
use std::sync::Arc;

use alfil_evaluation::network_inputs::NetworkInputs;
use alfil_evaluation::tuning;
use alfil_evaluation::{Network, NetworkEval};
use alfil_kernel::perft::PerftKey;
use alfil_kernel::{GameHistory, Setup as _, Side, Verdict};
use alfil_records::text_game::TextFormat;
use alfil_search::SearchParams;

pub use appearance::{APPEARANCE, NAMES_ZH};
use lessons::INTRODUCTION;

use crate::accuracy::AccuracyFormula;
use crate::any_board::board_game;
use crate::game_entry::{BoardEntry, GameEntry};
use crate::game_info::{
    GameInfo, Handicap, LengthUnit, NumberedStarts, OpeningDefaults, ProtocolNames, WdlCurve,
};
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
    &[BoardEntry { name: "bitboard", open: || Box::new(TypedSession::<chess::Bitboard>::new()) }];

/// All boards, with the feature `every-board`.
const BOARDS: &[BoardEntry] = &[
    DEFAULT_BOARD[0],
    BoardEntry { name: "mailbox", open: || Box::new(TypedSession::<chess::Mailbox>::new()) },
];

/// The registry entry of chess.
pub static ENTRY: GameEntry = GameEntry {
    info: &INFO,
    game: board_game::<chess::Bitboard>(),
    boards: if cfg!(feature = "every-board") { BOARDS } else { DEFAULT_BOARD },
    records: TextFormat::new::<Chess>(),
    introduction: &INTRODUCTION,
};

/// The side that is called White.
const WHITE: Side = Side::First;

static INFO: GameInfo = GameInfo {
    appearance: &APPEARANCE,
    white: WHITE,
    names_zh: &NAMES_ZH,
    pictograms: &[],
    legend_outlines: &[],
    has_solver: false,
    has_opening_book: false,
    network_magic: Some(Network::MAGIC),
    built_in_network: if cfg!(target_family = "wasm") { None } else { Some(alfil_evaluation::nets::CHESS) },
    handicaps: &[
        Handicap {
            title: "White gives a knight",
            title_zh: "白方让一马",
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
            waive: &[],
        },
        Handicap {
            title: "White gives a rook",
            title_zh: "白方让一车",
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1",
            waive: &[],
        },
        Handicap {
            title: "White gives the queen",
            title_zh: "白方让后",
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
            waive: &[],
        },
    ],
    numbered_starts: Some(NumberedStarts {
        title: "Chess960",
        title_zh: "菲舍尔任意制象棋",
        count: 960,
        start: |number| chess::Setup::chess960(number).map(|setup| setup.to_text()),
    }),
    level_steps: [470, 372, 387, 392, 503, 636, 387, 305, 478],
    wdl_curve: WdlCurve { even_cp: [13.0, 202.0], spread_cp: [87.0, -12.0], plies: 120.0 },
    review_curve: WdlCurve { even_cp: [39.0, 220.0], spread_cp: [320.0, -186.0], plies: 120.0 },
    accuracy: AccuracyFormula::LICHESS,
    piece_values: &[('Q', 900), ('R', 500), ('B', 300), ('N', 300), ('P', 100)],
    phases: PhaseRules {
        counted_pieces: &['Q', 'R', 'B', 'N'],
        opening: 11..=14,
        opening_plies: 24,
        ending: 0..=6,
    },
    length_unit: LengthUnit::FullMoves,
    final_score: None,
    openings: OpeningDefaults { plies: 8, max_imbalance_cp: 60 },
    search_params: SearchParams {
        see_quiet_margin: 64,
        see_noisy_margin: 20,
        pawn_history: 1,
        counter_moves: 1,
        iir_stores_full_depth: 1,
        lmr_deeper_margin: 40,
        lmr_shallower_margin: 8,
        ..SearchParams::DEFAULT
    },
    rulesets: &[],
    protocol_names: ProtocolNames {
        uci: &["chess"],
        cecp: &["normal", "fischerandom"],
        client_protocols: &["uci", "xboard"],
        client_uci: &["chess", "normal"],
        client_cecp: &[],
    },
};

impl<P: chess::Board> GameProfile<P> for Chess {
    type Rules = chess::Ruleset;
    type Evaluator = NetworkEval<Chess, alfil_evaluation::chess::HandcraftedEval>;
    type Weights = Arc<Network>;
    type Oracle = ();
    type Notation = chess::MoveNotation;

    const BENCH_POSITIONS: &'static [&'static str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    ];
    const BENCH_DEPTH: u32 = 6;
    const HAS_NULL_TEXT: bool = true;
    const WHITE: Side = WHITE;
    const RULESETS: Option<NamedRulesets<P>> = None;
    const PASS_CONVENTIONS: Option<PassConventions<P>> = None;
    const NETWORKS: Option<EvaluationNetworks<P>> = Some(EvaluationNetworks {
        read: |bytes| Self::read_network(bytes).map(Arc::new).map_err(SessionError::from_error),
        description: |network| network.description(),
        evaluator: NetworkEval::with_network,
    });
    const EVALUATION_PARTS: Option<EvaluationPartsFn<P>> =
        Some(tuning::parts::<P, alfil_evaluation::chess::HandcraftedEval>);
    const SOLVER: Option<EndgameSolver<P>> = None;
    const OPENING_BOOK: Option<OpeningBookFn<P>> = None;
    const SYMMETRIES: Option<SymmetriesFn<P>> = None;

    fn is_chess960(start: &Self::Setup) -> bool {
        start.is_chess960()
    }

    fn perft_key(position: &P) -> Option<PerftKey> {
        chess::fast_perft::perft_key(position)
    }

    fn rules_between_people() -> chess::Ruleset {
        chess::Ruleset::default()
    }

    fn board_rules(name: Option<&str>) -> Result<chess::Ruleset, SessionError> {
        match name {
            None | Some("unclaimed") => Ok(chess::Ruleset::UNCLAIMED),
            Some("claimed") => Ok(chess::Ruleset::CLAIMED),
            Some(name) => Err(SessionError::new(format!(
                "chess has no ruleset {name:?}: choose \"unclaimed\" or \"claimed\""
            ))),
        }
    }

    fn written_move(position: &P, mv: chess::Move) -> chess::Move {
        to_uci_form(position, mv)
    }

    fn read_move(position: &P, written: chess::Move) -> chess::Move {
        castling_from_king_move(position, written).unwrap_or(written)
    }

    fn oracle(_: usize) {}

    fn info() -> &'static GameInfo {
        &INFO
    }

    fn verdict_message(position: &P, verdict: &Verdict<chess::Cause>) -> String {
        let name = |side: Side| appearance::SIDES[side.index()];
        match verdict.cause {
            chess::Cause::Checkmate => format!("Checkmate: {} wins", name(!position.side_to_move())),
            chess::Cause::Stalemate => {
                format!("Stalemate: {} has no move and is not in check, drawn", name(position.side_to_move()))
            }
            chess::Cause::InsufficientMaterial => "Drawn: neither side has enough material to mate".into(),
            chess::Cause::Threefold => "Drawn: the position has occurred three times".into(),
            chess::Cause::Fivefold => "Drawn: the position has occurred five times".into(),
            chess::Cause::FiftyMoves => "Drawn: fifty moves without a capture or a pawn move".into(),
            chess::Cause::SeventyFiveMoves => {
                "Drawn: seventy-five moves without a capture or a pawn move".into()
            }
        }
    }

    fn verdict_message_zh(position: &P, verdict: &Verdict<chess::Cause>) -> String {
        chinese::verdict_message(position, verdict)
    }

    fn issue_message_zh(issue: &chess::setup::SetupIssue) -> String {
        chinese::issue_message(issue)
    }

    fn expected_message_zh(expected: &chess::fen::Expected) -> String {
        chinese::expected_message(*expected).into()
    }

    fn move_error_message_zh(error: &chess::notation::NotationError) -> String {
        chinese::move_error_message(error)
    }

    fn pieces_of_setup(setup: &chess::Setup) -> (Vec<(chess::Square, chess::Piece)>, Side) {
        let piece = |square: chess::Square| setup.board[square.index()].map(|piece| (square, piece));
        (chess::Square::all().filter_map(piece).collect(), setup.side_to_move)
    }

    fn empty_setup() -> chess::Setup {
        chess::Setup::EMPTY
    }

    fn set_piece(setup: &mut chess::Setup, square: chess::Square, piece: Option<chess::Piece>) {
        setup.set_piece(square, piece);
    }

    fn set_side_to_move(setup: &mut chess::Setup, side: Side) {
        setup.side_to_move = side;
        setup.en_passant = None;
    }

    fn swapped(setup: &chess::Setup) -> chess::Setup {
        setup.swapped()
    }

    fn set_castling_rights(setup: &mut chess::Setup, rights: &str) -> Result<(), SessionError> {
        let rights = if rights.is_empty() { "-" } else { rights };
        let text = setup.to_text();
        let mut fields: Vec<_> = text.split(' ').collect();
        fields[2] = rights;
        let read = chess::Setup::parse(&fields.join(" ")).ok().filter(|_| !rights.contains(' '));
        *setup = read.ok_or_else(|| {
            let expected = "expected as in FEN: KQkq, -, or the files of the rooks";
            SessionError::new(format!("cannot read {rights:?} as castling rights: {expected}"))
        })?;
        Ok(())
    }

    fn set_en_passant_square(
        setup: &mut chess::Setup,
        square: Option<chess::Square>,
    ) -> Result<(), SessionError> {
        setup.en_passant = square;
        Ok(())
    }

    fn castling_rights(position: &P) -> Vec<(Side, chess::Square, bool)> {
        let right = |rook: chess::Square| {
            // A rook that may castle stands on the back rank of its side.
            let side = if rook.rank() == 0 { Side::First } else { Side::Second };
            (side, rook, rook.file() > position.king_square(side).file())
        };
        position.castling_rooks().iter().map(right).collect()
    }

    fn en_passant_square(position: &P) -> Option<chess::Square> {
        position.en_passant()
    }

    fn attackers(position: &P, square: chess::Square, by: Side) -> Vec<chess::Square> {
        position.attackers_to(square, by).iter().collect()
    }

    fn tactical_marks(position: &P) -> Vec<TacticalMark> {
        marks::tactical_marks(position)
    }

    fn checked_king(position: &P) -> Option<chess::Square> {
        position.in_check().then(|| position.king_square(position.side_to_move()))
    }

    fn piece_counts(_: &P) -> Option<[usize; 2]> {
        None
    }

    fn game_ply(game: &GameHistory<P>) -> usize {
        ply_from_move_number(game)
    }

    /// Castling is entered as a king move to the king's destination or onto the rook. Only the rook is left where the
    /// destination is next to the king, which may be an ordinary move in Chess960, or holds the rook.
    fn target_squares(position: &P, mv: chess::Move) -> Vec<chess::Square> {
        if !position.is_castling(mv) {
            return vec![mv.target()];
        }
        let (king, rook) = (mv.origin(), mv.target());
        let (destination, _) = chess::geometry::castling_destinations(king, rook);
        let has_two_targets = destination.file().abs_diff(king.file()) > 1 && destination != rook;
        if has_two_targets { vec![destination, rook] } else { vec![rook] }
    }

    /// Returns a FEN in which kings and rooks may castle that may do so in `before` and stand there still, or else
    /// those on the start squares of chess.
    fn text_from_pieces(pieces: &[(String, char)], side: Side, before: Option<&chess::Setup>) -> String {
        let (placement, side) = (APPEARANCE.placement(pieces), ["w", "b"][side.index()]);
        let standard = chess::Setup::start();
        let before = before.unwrap_or(&standard);
        let text = format!("{placement} {side} - - 0 1");
        let Ok(mut setup) = chess::Setup::parse(&text) else { return text };
        for owner in Side::BOTH {
            let [king, rook] = [PieceKind::King, PieceKind::Rook].map(|kind| chess::Piece::new(owner, kind));
            let has_king = before.squares_of(king).eq(setup.squares_of(king));
            let rank = if owner == Side::First { 0 } else { 7 };
            let rooks = setup.squares_of(rook).filter(|square| square.rank() == rank);
            let files = rooks.map(|square| 1 << square.file()).sum::<u8>();
            setup.castling[owner.index()] = if has_king { before.castling[owner.index()] & files } else { 0 };
        }
        setup.to_text()
    }

    fn promotion_letter(mv: chess::Move) -> Option<char> {
        let side = if mv.target().rank() == 0 { Side::Second } else { Side::First };
        mv.promotion_kind().map(|kind| chess::Piece::new(side, kind).letter())
    }
}
