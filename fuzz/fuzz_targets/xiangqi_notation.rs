//! The move parsers of all dialects accept any text; all boards give the same legal move or the same error, and a
//! parsed move is written and parses back.
#![no_main]

use alfil_kernel::{Dialect as _, Notation, Position, Setup as _, Waivers};
use alfil_xiangqi::notation::{Dialect, MoveNotation};
use alfil_xiangqi::{Bitboard, Folded, Mailbox, Setup};
use libfuzzer_sys::fuzz_target;

/// Pairs of every piece kind, two to five soldiers on one file and on two files, pins and checks.
const POSITIONS: [&str; 8] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P6/P3P1P1P/1CN3NC1/9/R1BAKAB1R b - - 0 1",
    "3k5/2P3P2/9/2P3P2/9/6P2/9/9/9/4K4 w - - 0 1",
    "3k5/2P6/2P6/2P6/2P6/9/2P6/9/9/4K4 w - - 0 1",
    "4k4/9/9/9/9/3p5/5p3/3p5/5p3/4K4 b - - 0 1",
    "3k5/4R4/4N4/2C6/4R4/2N6/2C6/9/4A4/3AK4 w - - 0 1",
    "3ak4/9/3a5/9/4r4/2B6/9/9/4R4/2B1K4 w - - 0 1",
    "2b1k4/4R4/4b4/9/9/9/9/9/3r1r3/4K4 b - - 0 1",
];

/// The characters of move texts; random Unicode text seldom contains them.
const CHARACTERS: &str = "帅帥将將仕士相象马馬傌车車俥砗硨炮砲包兵卒前中后後进進退平上下一二三四五六七八九１２３４５６７８９０\
    kaehnbrcpKAEHNBRCPdD123456789+-.=＋－．＝ＣＨａ ";

/// Composes a move text of at most six characters, one per byte.
fn composed(choices: &[u8]) -> String {
    let characters: Vec<char> = CHARACTERS.chars().collect();
    choices.iter().take(6).map(|&choice| characters[usize::from(choice) % characters.len()]).collect()
}

fuzz_target!(|input: (u8, &[u8], &str)| {
    let (index, choices, text) = input;
    let setup = Setup::parse(POSITIONS[usize::from(index) % POSITIONS.len()]).unwrap();
    let mailbox = Mailbox::from_setup(&setup, &Waivers::All).unwrap();
    let bitboard: Bitboard = Bitboard::from_setup(&setup, &Waivers::All).unwrap();
    let folded = Folded::from_setup(&setup, &Waivers::All).unwrap();
    for text in [text, &composed(choices)] {
        for &dialect in Dialect::ALL {
            let parsed = MoveNotation::parse_move(&bitboard, text, dialect);
            assert_eq!(MoveNotation::parse_move(&mailbox, text, dialect), parsed);
            assert_eq!(MoveNotation::parse_move(&folded, text, dialect), parsed);
            if let Ok(mv) = parsed {
                assert!(bitboard.is_legal(mv));
                for &other in Dialect::ALL {
                    let text = MoveNotation::format_move(&bitboard, mv, other);
                    assert_eq!(MoveNotation::parse_move(&bitboard, &text, other), Ok(mv), "{text}");
                }
            }
        }
    }
});
