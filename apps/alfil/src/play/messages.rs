//! Everything the table says, in both languages; the names of a game, its sides and its ends come from the hall.

use crate::language::Language;

/// A word a row: its name, and how it is said in English and in Chinese. `{0}`, `{1}` are places to be filled in.
macro_rules! words {
    ($($word:ident: $english:literal, $chinese:literal;)*) => {
        /// Something to be said.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Word {
            $($word,)*
        }

        impl Word {
            #[cfg(test)]
            const ALL: &'static [Word] = &[$(Word::$word,)*];

            fn text(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Word::$word, Language::En) => $english, (Word::$word, Language::Zh) => $chinese,)*
                }
            }
        }
    };
}

words! {
    Title: "Alfil  {0}  you: {1}, computer: {2}, level {3}", "Alfil  {0}  您执{1}，电脑执{2}，第 {3} 级";
    ToMove: "{0} to move", "轮到{0}走";
    InCheck: "{0} to move, in check", "轮到{0}走，被将军";
    Thinking: "The computer is thinking ...", "电脑正在思考……";
    Resigned: "{0} resigns: {1} wins", "{0}认输，{1}胜";
    Flag: "{0} has run out of time: {1} wins", "{0}超时，{1}胜";
    FlagDrawn: "{0} has run out of time, but {1} has not the men to win: a draw", "{0}超时，但{1}已无取胜子力：和棋";
    Stood: "This position has now stood {0} times.", "此局面已出现 {0} 次。";
    TypeMove: "type a move", "输入着法";
    OverKeys: "u take back, n new game", "u 悔棋，n 新对局";
    NewKey: "n new game", "n 新对局";
    Foot: "{0}  ({1}, ? help)", "{0}  （{1}，? 帮助）";
    YourMove: "Your move: ", "着法：";
    AskNew: "Start a new game? y or n", "开始新对局？y 是，n 否";
    AskResign: "Really resign? y or n", "确定认输？y 是，n 否";
    AskQuit: "Leave the game? y or n", "离开对局？y 是，n 否";
    Which: "Which? {0}", "升变为？{0}";
    TooSmall: "The window is too small: {0} by {1} is needed.", "窗口太小：至少要 {0} 列 {1} 行。";
    Keys: "Keys", "按键";
    MoreKeys: "Keys (down: more)", "按键（↓ 更多）";
    Moves: "Moves ({0})", "着法（{0}）";
    Engine: "Engine, depth {0}", "引擎，深度 {0}";
    Plays: "{0} plays {1}.", "{0}走 {1}。";
    Hint: "A good move is {0}.", "不妨走 {0}。";
    Looking: "Looking for a good move ...", "正在寻找好着……";
    NothingBack: "There is no move to take back.", "没有可悔的着法。";
    LateBack: "Somebody's time is over: no move is taken back.", "已有一方超时，不能悔棋。";
    Level: "The computer plays at level {0}.", "电脑现为第 {0} 级。";
    NoLevel: "\"{0}\" is no level: they go from 1 to 10.", "“{0}”不是级别：级别从 1 到 10。";
    Time: "The computer thinks for {0} s about a move.", "电脑每着思考 {0} 秒。";
    NoTime: "\"{0}\" is no time: it goes from 0 to 86400 seconds.", "“{0}”不是时间：可为 0 到 86400 秒。";
    ByClock: "The computer's time is on its clock.", "电脑的用时由棋钟决定。";
    NoClock: "There is no clock: begin with --tc 5:00+3 to have one.", "没有棋钟：以 --tc 5:00+3 开始即可使用。";
    Dialect: "Moves are written in {0}.", "记谱法：{0}。";
    Dialects: "Moves are written in {0}; known are {1}.", "记谱法：{0}；可选 {1}。";
    NoDialect: "{0} has no dialect \"{1}\"; it knows {2}.", "{0}没有记谱法“{1}”；可选 {2}。";
    Over: "The game is over.", "对局已结束。";
    OverHelp: "the game is over: take a move back or start a new one", "对局已结束：请悔棋或开始新对局。";
    TheirTurn: "it is the computer's turn", "轮到电脑走。";
    Offence: "{0} would lose the game; give it again to play it. {1}.", "走 {0} 将被判负；若仍要走，请再输入一次。{1}。";
    Passes: "You have no move and pass.", "您无处可下，弃权。";
    Review: "Review", "复盘";
    Reviewing: "Reviewing: {0} of {1}", "正在复盘：{0} / {1}";
    NoReview: "There are no moves to review.", "还没有可复盘的着法。";
    ReviewKeys: "left, right: step; n: next loss; Esc: back", "← → 逐着，n 下一失误，Esc 返回";
    Losses: "The largest losses", "失分最多的着法";
    NoLosses: "No move lost much.", "没有明显的失误。";
    Loss: "{0} loses {1}; better was {2}", "{0} 失分 {1}；更好的是 {2}";
    Start: "Start", "起始局面";
    Here: "{0}  ({1} of {2})  value {3}", "{0}  （{1} / {2}）  评分 {3}";
    Best: "Best: {0}", "最佳：{0}";
    Judge: "The judge: {0}", "裁判：{0}";
    JudgeKeys: "up, down: read; j: next rule book; k: play on by it; Esc: back", "↑ ↓ 阅读，j 下一规则，k 按此规则继续，Esc 返回";
    NoCase: "There is nothing to judge: no position has come back.", "没有可裁决的：局面没有重复。";
    NoBooks: "{0} has no rule books to choose from.", "{0}没有可选的规则。";
    Book: "This game is judged by {0}.", "本局按{0}裁决。";
    Books: "This game is judged by {0}; known are {1}.", "本局按{0}裁决；可选 {1}。";
    NoBook: "There is no rule book \"{0}\": the books are {1}.", "没有规则“{0}”：可选 {1}。";
    Seats: "You play {0}; the computer plays {1} at level {2}. Type help for help.", "您执{0}，电脑执{1}，第 {2} 级。输入 help 看帮助。";
    Ended: "over", "终局";
    Languages: "This is English; known are en and zh.", "现为中文；可选 en 和 zh。";
    NoLanguage: "\"{0}\" is no language: they are en and zh.", "“{0}”不是语言：可为 en 或 zh。";
    Help: "\
a to i  type a move, as you write it (others: m first)
Tab     complete it; Enter plays it
arrows  move the cursor
Enter   take up, set down; Esc lets go
mouse   the same by clicks
u       take back
t       a tip: a good move
x       engine on or off
s       study the game: review
j       the judge, by every rule book
+  -    the computer's level
<  >    its time for a move
v       view from the other side
p       pieces
w       how moves are written
l       language: Chinese
n       new game
r       resign
q       leave", "\
a 至 i  输入着法，照平常写法（汉字亦可，其他先按 m）
Tab     补全；回车走子
方向键  移动光标
回车    拿起、放下；Esc 放开
鼠标    点击亦可
u       悔棋
t       提示好着
x       引擎开关
s       复盘
j       裁判，可换规则
+  -    电脑级别
<  >    电脑每着用时
v       翻转棋盘
p       棋子样式
w       记谱法
l       语言：English
n       新对局
r       认输
q       离开";
    LineHelp: "\
Type a move as you write it, or one of:
  moves    the legal moves        hint     a good move
  eval     the best lines         board    the position again
  undo     take back              new      start again
  flip     turn the board         level N  the computer's strength, 1 to 10
  fen      the position's text    dialect NAME   how moves are written
  record   the moves so far       time S   the computer's seconds for a move
  clock    both sides' time       lang zh  speak Chinese
  review   the game's values and the largest losses
  judge [BOOK]   a repetition, by any rule book
  rules [BOOK]   the rule book of this game
  resign   give up                help     this
  quit     leave", "\
照平常写法输入着法，或输入：
  moves    合法着法               hint     提示好着
  eval     最佳变化               board    再看局面
  undo     悔棋                   new      新对局
  flip     翻转棋盘               level N  电脑级别，1 到 10
  fen      局面文本               dialect NAME   记谱法
  record   已走着法               time S   电脑每着秒数
  clock    双方用时               lang en  改用英语
  review   复盘：评分与最大的失误
  judge [BOOK]   裁决重复局面，可换规则
  rules [BOOK]   本局的规则
  resign   认输                   help     帮助
  quit     离开";
}

/// Says something in a language, with what belongs in its places.
pub(crate) fn format_message(language: Language, word: Word, parts: &[&str]) -> String {
    let text = word.text(language);
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    // A part may hold braces of its own, so it is not looked at again.
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}').unwrap_or((after, ""));
        said += before;
        said += place.parse().ok().and_then(|place: usize| parts.get(place)).copied().unwrap_or_default();
        rest = after;
    }
    said + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholders(text: &str) -> Vec<char> {
        let mut places: Vec<_> = text.split('{').skip(1).filter_map(|rest| rest.chars().next()).collect();
        places.sort_unstable();
        places
    }

    #[test]
    fn every_word_is_said_in_both_languages_with_the_same_places() {
        for &word in Word::ALL {
            let [english, chinese] = [Language::En, Language::Zh].map(|language| word.text(language));
            assert!(chinese.chars().any(|letter| letter >= '\u{4E00}'), "{word:?} is not Chinese: {chinese}");
            assert!(!english.is_empty() && english != chinese, "{word:?}");
            assert_eq!(placeholders(english), placeholders(chinese), "{word:?}");
            // So that English is seen by terminals that know nothing else.
            assert!(english.is_ascii(), "{word:?}: {english}");
        }
    }

    #[test]
    fn places_are_filled_once() {
        assert_eq!(format_message(Language::En, Word::Plays, &["Red", "{0}"]), "Red plays {0}.");
        assert_eq!(format_message(Language::Zh, Word::Plays, &["红方", "炮二平五"]), "红方走 炮二平五。");
    }
}
