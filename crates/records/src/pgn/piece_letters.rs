//! The letters of the pieces of chess in the languages of files.

use std::borrow::Cow;

use super::token::{Token, Tokens};

/// The language of the letters of the pieces in a file. The moves at the start of the file decide it together, and none
/// alone: `R` is a rook in English and a king in French.
///
/// ```
/// use alfil_records::pgn::PieceLetters;
///
/// assert_eq!(PieceLetters::detect("1. e4 e5 2. Sf3 Sc6 3. Lb5"), PieceLetters::German);
/// assert_eq!(PieceLetters::French.to_english("Cxd5+"), "Nxd5+");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceLetters {
    /// K, Q, R, B, N.
    English,
    /// K, D, T, L, S; also of the Scandinavian languages.
    German,
    /// R, D, T, F, C.
    French,
    /// R, D, T, A, C; also of Italian.
    Spanish,
    /// K, D, T, L, P.
    Dutch,
    /// Кр, Ф, Л, С, К.
    Russian,
}

/// The number of moves in English after which no other language is looked for.
const ENOUGH_MOVES: u32 = 50;

/// The English letters, in the order of those of the other languages.
const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

impl PieceLetters {
    const ALL: [PieceLetters; 6] = [
        PieceLetters::English,
        PieceLetters::German,
        PieceLetters::French,
        PieceLetters::Spanish,
        PieceLetters::Dutch,
        PieceLetters::Russian,
    ];

    /// Returns the letters of king, queen, rook, bishop and knight. Of two that begin alike the longer one is first.
    fn letters(self) -> [&'static str; 5] {
        match self {
            PieceLetters::English => ["K", "Q", "R", "B", "N"],
            PieceLetters::German => ["K", "D", "T", "L", "S"],
            PieceLetters::French => ["R", "D", "T", "F", "C"],
            PieceLetters::Spanish => ["R", "D", "T", "A", "C"],
            PieceLetters::Dutch => ["K", "D", "T", "L", "P"],
            PieceLetters::Russian => ["Кр", "Ф", "Л", "С", "К"],
        }
    }

    /// Finds the language that has the letters of most moves of a text; of several the first, which is English.
    pub fn detect(text: &str) -> PieceLetters {
        let mut moves = [0_u32; PieceLetters::ALL.len()];
        for (_, token) in Tokens::new(text) {
            let Token::Move(word) = token else { continue };
            let Some(piece) = piece_of_move(word) else { continue };
            for (language, moves) in PieceLetters::ALL.iter().zip(&mut moves) {
                *moves += u32::from(language.letters().contains(&piece));
            }
            if moves[0] == ENOUGH_MOVES && moves[1..].iter().all(|&others| others < moves[0]) {
                break;
            }
        }
        let most = moves.iter().max().copied().unwrap_or_default();
        let language = PieceLetters::ALL.into_iter().zip(moves).find(|&(_, moves)| moves == most);
        language.map_or(PieceLetters::English, |(language, _)| language)
    }

    /// Returns a move with the letters of its piece and its promotion in English.
    pub fn to_english(self, text: &str) -> Cow<'_, str> {
        if self == PieceLetters::English {
            return Cow::Borrowed(text);
        }
        let mut letters = self.letters().into_iter().zip(ENGLISH);
        if let Some((letter, english)) = letters.clone().find(|(letter, _)| text.starts_with(letter)) {
            return Cow::Owned(format!("{english}{}", &text[letter.len()..]));
        }
        let (mv, signs) = text.split_at(text.trim_end_matches(['+', '#', ')']).len());
        match letters.find_map(|(letter, english)| Some((mv.strip_suffix(letter)?, english))) {
            Some((mv, english)) => Cow::Owned(format!("{mv}{english}{signs}")),
            None => Cow::Borrowed(text),
        }
    }
}

/// Returns the letter of the piece of a move; none for a pawn move and other words.
fn piece_of_move(word: &str) -> Option<&str> {
    let word = word.trim_end_matches(['+', '#']);
    let is_square = |character: char| character.is_ascii();
    let length = match word.chars().next()? {
        'A'..='Z' => 1,
        first if first.is_ascii() => return None,
        _ => word.find(is_square)?,
    };
    let (piece, rest) = word.split_at(length);
    is_rest_of_move(rest).then_some(piece)
}

/// Returns whether a text is a move without the letter of its piece: at most a square of origin, a sign of capture, and
/// the target.
fn is_rest_of_move(text: &str) -> bool {
    let [origin @ .., b'a'..=b'h', b'1'..=b'8'] = text.as_bytes() else { return false };
    origin.len() <= 3
        && origin.iter().all(|byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-' | b':'))
}
