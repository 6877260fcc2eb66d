//! The same words in Chinese: names of games, sides and men, and verdicts.

use alfil_kernel::Outcome;

/// A game's names in Chinese.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The game.
    pub title: &'static str,
    /// The players, the first first.
    pub sides: [&'static str; 2],
    /// The men by letter.
    pub men: &'static [(char, &'static str)],
    /// The dialect in which its moves are written in China, if it is one of the game's.
    pub dialect: Option<&'static str>,
    /// Sentences for the causes of an end, `{winner}` and `{loser}` to be filled in.
    causes: &'static [(&'static str, &'static str)],
}

/// The Chinese names of a game, if it has any.
pub fn of(game: &str) -> Option<&'static Names> {
    match game {
        "xiangqi" => Some(&XIANGQI),
        "chess" => Some(&CHESS),
        "othello" => Some(&OTHELLO),
        _ => None,
    }
}

impl Names {
    /// The verdict in a sentence. A cause without a sentence of its own is told by its outcome.
    pub fn verdict(&self, cause: &str, outcome: Outcome) -> String {
        let (winner, loser) = match outcome {
            Outcome::Win(side) => (self.sides[side.index()], self.sides[(!side).index()]),
            Outcome::Draw => ("", ""),
        };
        let end = match outcome {
            Outcome::Win(_) => "{winner}胜",
            Outcome::Draw => "和棋",
        };
        let why = self.causes.iter().find(|(name, _)| *name == cause).map(|(_, words)| format!("{words}，"));
        let sentence = format!("{}{end}", why.unwrap_or_default());
        sentence.replace("{winner}", winner).replace("{loser}", loser)
    }

    /// Whether a cause has a sentence of its own.
    pub fn tells(&self, cause: &str) -> bool {
        self.causes.iter().any(|(name, _)| *name == cause)
    }
}

static XIANGQI: Names = Names {
    title: "象棋",
    sides: ["红方", "黑方"],
    men: &[
        ('K', "红帅"),
        ('A', "红仕"),
        ('B', "红相"),
        ('N', "红马"),
        ('R', "红车"),
        ('C', "红炮"),
        ('P', "红兵"),
        ('k', "黑将"),
        ('a', "黑士"),
        ('b', "黑象"),
        ('n', "黑马"),
        ('r', "黑车"),
        ('c', "黑炮"),
        ('p', "黑卒"),
    ],
    dialect: Some("chinese"),
    causes: &[
        ("no_legal_move", "{loser}无子可动（将死或困毙）"),
        ("perpetual_check", "{loser}长将"),
        ("perpetual_chase", "{loser}长捉"),
        ("mutual", "双方长将"),
        ("repetition", "局面重复，双方均未犯规"),
        ("natural_limit", "双方长久未吃子"),
        ("material", "双方均无过河子力"),
    ],
};

static CHESS: Names = Names {
    title: "国际象棋",
    sides: ["白方", "黑方"],
    men: &[
        ('K', "白王"),
        ('Q', "白后"),
        ('R', "白车"),
        ('B', "白象"),
        ('N', "白马"),
        ('P', "白兵"),
        ('k', "黑王"),
        ('q', "黑后"),
        ('r', "黑车"),
        ('b', "黑象"),
        ('n', "黑马"),
        ('p', "黑兵"),
    ],
    dialect: None,
    causes: &[
        ("checkmate", "将死"),
        ("stalemate", "逼和，无子可动"),
        ("material", "子力不足"),
        ("threefold", "局面三次重复"),
        ("fivefold", "局面五次重复"),
        ("fifty_moves", "五十回合未吃子、未动兵"),
        ("seventy_five_moves", "七十五回合未吃子、未动兵"),
    ],
};

static OTHELLO: Names = Names {
    title: "黑白棋",
    sides: ["黑方", "白方"],
    men: &[('X', "黑子"), ('O', "白子")],
    dialect: None,
    causes: &[("full_board", "棋盘已满"), ("wipeout", "{loser}无子"), ("no_legal_move", "双方均无处可下")],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use alfil_kernel::Side;

    #[test]
    fn every_game_side_and_man_has_a_chinese_name() {
        for game in registry::games() {
            let look = registry::open(game, None).unwrap().look();
            let names = of(game).expect(game);
            let mut letters: Vec<_> = names.men.iter().map(|(letter, _)| *letter).collect();
            let mut known: Vec<_> = look.men.iter().map(|man| man.letter).collect();
            letters.sort_unstable();
            known.sort_unstable();
            assert_eq!(letters, known, "{game}");
            let dialects = registry::open(game, None).unwrap().dialects();
            assert!(names.dialect.is_none_or(|dialect| dialects.contains(&dialect)), "{game}");
        }
    }

    #[test]
    fn a_verdict_names_who_won() {
        let words = of("xiangqi").unwrap().verdict("perpetual_check", Outcome::Win(Side::First));
        assert_eq!(words, "黑方长将，红方胜");
        assert_eq!(of("othello").unwrap().verdict("something new", Outcome::Draw), "和棋");
    }
}
