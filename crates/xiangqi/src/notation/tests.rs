use alloc::string::String;
use alloc::string::ToString as _;

use alfil_kernel::{Notation, Position, Setup as _, Waivers};

use super::*;
use crate::{Bitboard, Mailbox, Setup};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const ROOKS: &str = "4k4/9/9/4R4/9/9/4R4/9/9/3K5 w - - 0 1";
const EDGE: &str = "3k5/9/9/9/9/9/9/2C6/9/2C1K4 w - - 0 1";
/// Three soldiers on file 3, two on file 7.
const FIVE: &str = "3k5/2P3P2/2P3P2/6P2/9/9/9/9/9/4K4 w - - 0 1";
/// The same, each with an empty square before it.
const APART: &str = "3k5/2P3P2/9/2P3P2/9/6P2/9/9/9/4K4 w - - 0 1";

fn parse(fen: &str, text: &str, dialect: Dialect) -> Result<String, String> {
    let setup = Setup::parse(fen).unwrap();
    let mailbox: Mailbox = Position::from_setup(&setup, &Waivers::All).unwrap();
    let bitboard: Bitboard = Position::from_setup(&setup, &Waivers::All).unwrap();
    let found = MoveNotation::parse_move(&mailbox, text, dialect);
    assert_eq!(found, MoveNotation::parse_move(&bitboard, text, dialect), "{fen} {text}");
    found.map(|mv| mv.to_string()).map_err(|error| error.to_string())
}

#[test]
fn accepted_spellings_are_parsed() {
    use Dialect::{Chinese, ChineseTraditional, Wxf};
    for (fen, text, dialect, mv) in [
        (START, "砲2平5", Chinese, "h2e2"),
        (START, " 炮２平５ ", Chinese, "h2e2"),
        (START, "傌八上七", Chinese, "b0c2"),
        (START, "俥1進1", ChineseTraditional, "i0i1"),
        (START, "將5进1", Chinese, "e0e1"),
        (START, "c2=5", Wxf, "h2e2"),
        (START, "Ｃ２＝５", Wxf, "h2e2"),
        (START, "C25", Wxf, "h2e2"),
        (START, "h2+3", Wxf, "h0g2"),
        (START, "B3+5", Wxf, "g0e2"),
        (ROOKS, "+R=6", Wxf, "e6d6"),
        (ROOKS, "前俥五平六", Chinese, "e6d6"),
        (ROOKS, "后五退一", Chinese, "e3e2"),
        // The rear cannon could not make the step, so the plain name is not ambiguous.
        (EDGE, "C7-1", Wxf, "c2c1"),
        (EDGE, "炮七退一", Chinese, "c2c1"),
        (EDGE, "前炮退一", Chinese, "c2c1"),
        (FIVE, "前兵三平四", Chinese, "g8f8"),
        (FIVE, "中兵三平四", Chinese, "g7f7"),
        (FIVE, "后三平四", Chinese, "g6f6"),
        (FIVE, "前兵平四", Chinese, "g8f8"),
        (FIVE, "四兵平六", Chinese, "c8d8"),
        (FIVE, "后兵平六", Chinese, "c7d7"),
        (FIVE, "33.4", Wxf, "g7f7"),
        (FIVE, "33=4", Wxf, "g6f6"),
        (FIVE, "pd.6", Wxf, "c8d8"),
        (FIVE, "7-=6", Wxf, "c7d7"),
    ] {
        assert_eq!(parse(fen, text, dialect).as_deref(), Ok(mv), "{text}");
    }
}

#[test]
fn errors_name_the_reason() {
    use Dialect::{Chinese, ChineseTraditional, Ucci, Wxf};
    let pinned = "3k5/9/9/9/4r4/9/9/9/4R4/4K4 w - - 0 1";
    for (fen, text, dialect, reason) in [
        (START, "炮二平五", Ucci, "illegal here as ucci; as chinese it would be legal"),
        (START, "C2.5", ChineseTraditional, "as wxf it would be legal"),
        (START, "h2e2", Wxf, "as ucci it would be legal"),
        (START, "炮三平五", Chinese, "Red has no cannon on file 3"),
        (START, "马二进五", Chinese, "Red's horse on file 2 cannot make this move"),
        (START, "前炮平五", Chinese, "no cannon of Red's can make this move"),
        (START, "后炮平五", Chinese, "no cannon of Red's can make this move"),
        (START, "後士进一", Chinese, "no advisor of Red's can make this move"),
        (START, "后五平六", Chinese, "no piece of Red's on file 5 can make this move"),
        (ROOKS, "后炮平五", Chinese, "Red has no cannon"),
        (START, "炮二平", Chinese, "a piece, its file, a direction and a figure"),
        (START, "炮二平０", Chinese, "a piece, its file, a direction and a figure"),
        (START, "C2", Wxf, "a piece, its file, a sign and a figure"),
        (START, "", Wxf, "a piece, its file, a sign and a figure"),
        (START, "R5+1", Wxf, "Red has no rook on file 5"),
        (START, "3+.4", Wxf, "Red's soldier on file 3 cannot make this move"),
        (pinned, "R5.6", Wxf, "the move exposes Red's king"),
        (pinned, "车五平六", Chinese, "the move exposes Red's king"),
        (ROOKS, "R5.4", Wxf, "is ambiguous here: R+.4, R-.4"),
        (ROOKS, "车五平四", Chinese, "is ambiguous here: 前车平四, 后车平四"),
        // The third soldier of the file or the middle one?
        (APART, "33+1", Wxf, "is ambiguous here: Pb+1, Pc+1"),
    ] {
        let found = parse(fen, text, dialect);
        let Err(error) = &found else { panic!("{text}: {found:?}") };
        assert!(error.contains(reason), "{text}: {error}");
    }
}
