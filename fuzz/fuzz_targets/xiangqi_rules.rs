//! Games with many repetitions from any position under every ruleset: nothing panics, both boards agree, the
//! repetition analysis has the verdict of the ruling, only legal moves are forbidden, and a mirrored or colour-
//! swapped game has the mirrored verdict.
#![no_main]

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{GameHistory, Outcome, Rules, Setup as _, Side, Waivers};
use alfil_xiangqi::rules::ChaseRule;
use alfil_xiangqi::{Bitboard, Board, Mailbox, Move, Piece, PieceKind, Ruleset, RulesetName, Setup, Square};
use libfuzzer_sys::fuzz_target;

/// The maximal number of bytes that place pieces, two for each piece.
const MAX_PIECE_BYTES: usize = 64;
/// The maximal length of a game.
const MAX_PLIES: usize = 48;
/// Bytes from here on move the piece of the side's last move back, if possible; lower bytes choose any legal move.
const MOVE_BACK: u8 = 96;

fuzz_target!(|bytes: &[u8]| {
    let Some((&[side, count], rest)) = bytes.split_first_chunk() else { return };
    let piece_bytes = rest.len().min(usize::from(count) % MAX_PIECE_BYTES);
    let (pieces, choices) = rest.split_at(piece_bytes);
    let Some(game) = build_game(side, pieces, choices) else { return };
    let mailbox = replay::<Mailbox>(&game, game.start_setup(), |mv| mv);
    let mirrored = replay::<Bitboard>(&game, &game.start_setup().mirrored(), Move::mirrored);
    let swapped = replay::<Bitboard>(&game, &game.start_setup().swapped(), Move::flipped);
    for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
        // Judge at the second occurrence, so that more games have a verdict.
        let ruleset = Ruleset { occurrences: 2, ..ruleset };
        let (verdict, analysis) = (ruleset.judge(&game), ruleset.analyse_repetition(&game));
        assert_eq!(
            (verdict, &analysis),
            (ruleset.judge(&mailbox), &ruleset.analyse_repetition(&mailbox)),
            "{}",
            ruleset.name
        );
        if let Some(analysis) = analysis {
            assert!(
                verdict == Some(analysis.verdict) || sorted_legal_moves(game.position()).is_empty(),
                "{}",
                ruleset.name
            );
            let _ = ruleset.disputes(&game, &analysis);
        }
        let moves = sorted_legal_moves(game.position());
        assert!(ruleset.forbidden_moves(&game).iter().all(|mv| moves.contains(mv)), "{}", ruleset.name);
        for root in [0, game.ply()] {
            assert_eq!(ruleset.probe(&game, root), ruleset.probe(&mailbox, root), "{}", ruleset.name);
        }
        // These rules depend on the order of the pieces: the first victim is kept, or a search has a limit.
        if !matches!(ruleset.chase_rule, ChaseRule::ByMovedPiece | ChaseRule::NewGains) {
            assert_eq!(ruleset.judge(&mirrored), verdict, "{}", ruleset.name);
            let outcome = verdict.map(|verdict| match verdict.outcome {
                Outcome::Win(side) => Outcome::Win(!side),
                Outcome::Draw => Outcome::Draw,
            });
            assert_eq!(ruleset.judge(&swapped).map(|verdict| verdict.outcome), outcome, "{}", ruleset.name);
        }
    }
});

/// Builds a game from the pieces that the bytes place, or from the start position if there are none.
fn build_game(side: u8, pieces: &[u8], choices: &[u8]) -> Option<GameHistory<Bitboard>> {
    let mut setup =
        if pieces.is_empty() { Setup::start() } else { Setup { board: placed(pieces), ..Setup::EMPTY } };
    setup.side_to_move = Side::BOTH[usize::from(side % 2)];
    let mut game = GameHistory::<Bitboard>::new(&setup, &Waivers::None).ok()?;
    for &choice in choices.iter().take(MAX_PLIES) {
        let moves = sorted_legal_moves(game.position());
        let own = game.ply().checked_sub(2).and_then(|ply| game.records()[ply].mv());
        let back = own.map(|own| Move::new(own.target(), own.origin()));
        let mv = match back.filter(|back| choice >= MOVE_BACK && moves.contains(back)) {
            Some(back) => back,
            None => *moves.get(usize::from(choice) % moves.len().max(1))?,
        };
        game.play(mv);
    }
    Some(game)
}

/// Places the kings by the first two bytes and one piece by every two more.
fn placed(bytes: &[u8]) -> [Option<Piece>; Square::COUNT] {
    let mut board = [None; Square::COUNT];
    for (index, pair) in bytes.chunks_exact(2).enumerate() {
        let (piece, square) = (usize::from(pair[0]), usize::from(pair[1]));
        let side = Side::BOTH[piece % 2];
        if index == 0 {
            for (side, palace) in [(Side::First, piece), (Side::Second, square)] {
                let rank = if side == Side::First { palace / 3 % 3 } else { 9 - palace / 3 % 3 };
                board[Square::new(3 + palace % 3, rank).index()] = Some(Piece::new(side, PieceKind::King));
            }
        } else if let entry @ None = &mut board[square % Square::COUNT] {
            // The kinds after the king.
            let kind = PieceKind::ALL[1 + piece / 2 % 6];
            *entry = Some(Piece::new(side, kind));
        }
    }
    board
}

/// Replays a game on another board, mirrored or with the sides swapped.
fn replay<P: Board>(
    game: &GameHistory<Bitboard>,
    setup: &Setup,
    transform: impl Fn(Move) -> Move,
) -> GameHistory<P> {
    let mut replayed = GameHistory::new(setup, &Waivers::None).expect("the setup is valid");
    game.moves().for_each(|mv| replayed.play(transform(mv)));
    replayed
}
