//! The messages of the terminal interface in English and Chinese. The names of games, sides and game ends come from
//! `alfil_session`.

use crate::language::Language;

/// Defines a message per row: its name, its English and its Chinese text. `{0}`, `{1}` are placeholders.
macro_rules! messages {
    ($($message:ident: $english:literal, $chinese:literal;)*) => {
        /// A message of the terminal interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Message {
            $($message,)*
        }

        impl Message {
            #[cfg(test)]
            const ALL: &'static [Message] = &[$(Message::$message,)*];

            fn text(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Message::$message, Language::En) => $english, (Message::$message, Language::Zh) => $chinese,)*
                }
            }
        }
    };
}

messages! {
    Title: "Alfil  {0}  you: {1}, computer: {2}, level {3}", "Alfil  {0}  您执{1}，电脑执{2}，第 {3} 级";
    ToMove: "{0} to move", "轮到{0}走";
    InCheck: "{0} to move, in check", "轮到{0}走，被将军";
    ComputerSearching: "The computer is thinking ...", "电脑正在思考……";
    Resigned: "{0} resigns: {1} wins", "{0}认输，{1}胜";
    FlagFell: "{0} has run out of time: {1} wins", "{0}超时，{1}胜";
    FlagFellDraw: "{0} has run out of time, but {1} does not have enough material to win: a draw", "{0}超时，但{1}已无取胜子力：和棋";
    RepeatedPosition: "This position has now occurred {0} times.", "此局面已出现 {0} 次。";
    TypeMove: "type a move", "输入着法";
    GameOverKeys: "s review, u take back, n new game", "s 复盘，u 悔棋，n 新对局";
    GameOverKeysOnFlag: "s review, n new game", "s 复盘，n 新对局";
    GameOverShort: "s review", "s 复盘";
    GameOverCommands: "Type review to see the largest mistakes, new for another game, quit to leave.", "输入 review 复盘，new 再来一局，quit 离开。";
    StatusLine: "{0}  ({1}, ? help)", "{0}  （{1}，? 帮助）";
    WinByRule: "win", "胜";
    Exact: "exact", "精确";
    LossByRule: "loss", "负";
    YourMove: "Move or command: ", "着法或命令：";
    ConfirmNew: "Start a new game? y or n", "开始新对局？y 是，n 否";
    ConfirmResign: "Really resign? y or n", "确定认输？y 是，n 否";
    ConfirmQuit: "Leave the game? It is kept. y or n", "离开？对局会保存。y 是，n 否";
    Saved: "The game is saved in {0}.", "对局已存入 {0}。";
    FileExists: "{0} exists. Name another file.", "{0} 已存在，请换文件名。";
    Loaded: "This is the game of {0}.", "已打开 {0}。";
    Kept: "The game is kept in {0}. Go on with: {1}", "对局已存入 {0}。继续：{1}";
    NotKept: "The game cannot be kept: {0}", "对局无法保存：{0}";
    NamedFile: "Name a file: save FILE or load FILE.", "请写文件名：save 文件 或 load 文件。";
    ChoosePromotion: "Which? {0}", "升变为？{0}";
    TooSmall: "The window is too small: {0} by {1} is needed.", "窗口太小：至少要 {0} 列 {1} 行。";
    KeysTitle: "Keys", "按键";
    KeysTitleMore: "Keys (down: more)", "按键（↓ 更多）";
    MovesTitle: "Moves ({0})", "着法（{0}）";
    AnalysisTitle: "Engine, depth {0}", "引擎，深度 {0}";
    ComputerPlays: "{0} plays {1}.", "{0}走 {1}。";
    ComputerPlaysBookMove: "{0} plays {1}, from the opening book.", "{0}按开局库走 {1}。";
    Hint: "A good move is {0}.", "不妨走 {0}。";
    SearchingHint: "Looking for a good move ...", "正在寻找好着……";
    NothingToUndo: "There is no move to take back.", "没有可悔的着法。";
    NoUndoAfterFlag: "A player has run out of time: moves cannot be taken back. Start a new game.", "已有一方超时，不能悔棋。";
    Level: "The computer plays at level {0}.", "电脑现为第 {0} 级。";
    InvalidLevel: "\"{0}\" is not a level. Levels are 1 to 10.", "“{0}”不是级别：级别从 1 到 10。";
    Time: "The computer takes {0} ms for a move.", "电脑每着思考 {0} 毫秒。";
    InvalidTime: "\"{0}\" is not a time. Enter 0 to 86400000 milliseconds.", "“{0}”不是时间：可为 0 到 86400000 毫秒。";
    TimeSetByClock: "The computer's time is set by its clock.", "电脑的用时由棋钟决定。";
    NoClock: "There is no clock. Start with --tc 5:00+3 to play with one.", "没有棋钟：以 --tc 5:00+3 开始即可使用。";
    Dialect: "Moves are written in {0}.", "记谱法：{0}。";
    Dialects: "Moves are written in {0}. Available dialects: {1}.", "记谱法：{0}；可选 {1}。";
    UnknownDialect: "{0} has no dialect \"{1}\". Available dialects: {2}.", "{0}没有记谱法“{1}”；可选 {2}。";
    GameOver: "The game is over.", "对局已结束。";
    GameOverHelp: "the game is over: take a move back or start a new one", "对局已结束：请悔棋或开始新对局。";
    NotYourTurn: "it is the computer's turn", "轮到电脑走。";
    LosesByRepetition: "{0} would lose the game: {1}. Enter the move again to play it.", "走 {0} 将被判负；若仍要走，请再输入一次。{1}。";
    ForcedPass: "You have no legal move and pass.", "您无处可下，弃权。";
    ReviewTitle: "Review", "复盘";
    Reviewing: "Reviewing: {0} of {1}", "正在复盘：{0} / {1}";
    NoReview: "There are no moves to review.", "还没有可复盘的着法。";
    ReviewKeys: "left, right: step; n: next loss; Esc: back", "← → 逐着，n 下一失误，Esc 返回";
    LossesTitle: "The largest losses", "失分最多的着法";
    NoLosses: "No move lost much.", "没有明显的失误。";
    MoveLoss: "{0} loses {1}; better was {2}", "{0} 失分 {1}；更好的是 {2}";
    StartPosition: "Start", "起始局面";
    ReviewPosition: "{0}  ({1} of {2})  value {3}", "{0}  （{1} / {2}）  评分 {3}";
    BestMove: "Best: {0}", "最佳：{0}";
    RulingTitle: "Ruling: {0}", "裁判：{0}";
    JudgeKeys: "up, down: scroll; j: next ruleset; k: play by it; Esc: back", "↑ ↓ 阅读，j 下一规则，k 按此规则继续，Esc 返回";
    NothingToJudge: "There is nothing to judge: no position has been repeated.", "没有可裁决的：局面没有重复。";
    NoRulesets: "{0} has no rulesets to choose from.", "{0}没有可选的规则。";
    RulesetChosen: "This game is judged by {0}.", "本局按{0}裁决。";
    Rulesets: "This game is judged by {0}. Available rulesets: {1}.", "本局按{0}裁决；可选 {1}。";
    UnknownRuleset: "There is no ruleset \"{0}\". Available rulesets: {1}.", "没有规则“{0}”：可选 {1}。";
    Welcome: "You play {0}; the computer plays {1} at level {2}. Type help for help.", "您执{0}，电脑执{1}，第 {2} 级。输入 help 看帮助。";
    GameOverPrompt: "over", "终局";
    Languages: "The language is English. Available languages: en, zh.", "现为中文；可选 en 和 zh。";
    UnknownLanguage: "\"{0}\" is not a language. Available languages: en, zh.", "“{0}”不是语言：可为 en 或 zh。";
    Help: "\
a-i     type a move; A-Z 0-9 too (others: m first)
m       type a move, or a command: save FILE,
        load FILE, hint, movetime MS, rules NAME ...
Tab     complete it; Enter plays it
arrows  move the cursor
Enter   select, move; Esc cancels
mouse   click to select and move
u       take back
t       hint: a good move
x       analysis on or off
s       review the game
o       save the game
j       ruling, by each ruleset
+  -    the computer's level
<  >    its time for a move
v       view from the other side
p       piece style
w       notation of moves
l       language: Chinese
n       new game
r       resign
q       leave", "\
a-i     输入着法；大写、数字、汉字亦可（其他先按 m）
m       输入着法或命令：save 文件、load 文件、
        hint、movetime 毫秒、rules 规则 ……
Tab     补全；回车走子
方向键  移动光标
回车    拿起、放下；Esc 放开
鼠标    点击亦可
u       悔棋
t       提示好着
x       引擎开关
s       复盘
o       保存对局
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
Type a move in any dialect, or one of:
  moves    the legal moves        hint     a good move
  eval     the best lines         board    the position again
  undo     take back              new      start again
  flip     turn the board         level N  the computer's strength, 1 to 10
  fen      the position's text    dialect NAME   notation of moves
  record   the moves so far       movetime MS    the computer's time for a move
  clock    both sides' time       lang zh  switch to Chinese
  review   the game's values and the largest losses
  save FILE   save the game       load FILE   go on with a game
  judge [RULESET]   the ruling on a repetition
  rules [RULESET]   the ruleset of this game
  resign   resign the game        help     this text
  quit     leave", "\
照平常写法输入着法，或输入：
  moves    合法着法               hint     提示好着
  eval     最佳变化               board    再看局面
  undo     悔棋                   new      新对局
  flip     翻转棋盘               level N  电脑级别，1 到 10
  fen      局面文本               dialect NAME   记谱法
  record   已走着法               movetime MS    电脑每着毫秒数
  clock    双方用时               lang en  改用英语
  review   复盘：评分与最大的失误
  save FILE   保存对局            load FILE   打开对局
  judge [RULESET]   裁决重复局面，可换规则
  rules [RULESET]   本局的规则
  resign   认输                   help     帮助
  quit     离开";
}

/// Formats a message in a language and fills its placeholders with the arguments.
pub(crate) fn format_message(language: Language, message: Message, arguments: &[&str]) -> String {
    let text = message.text(language);
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    // An argument may contain braces, so the result is not scanned again.
    while let Some((before, after)) = rest.split_once('{') {
        let (index, after) = after.split_once('}').unwrap_or((after, ""));
        result += before;
        result +=
            index.parse().ok().and_then(|index: usize| arguments.get(index)).copied().unwrap_or_default();
        rest = after;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholders(text: &str) -> Vec<char> {
        let mut indices: Vec<_> = text.split('{').skip(1).filter_map(|rest| rest.chars().next()).collect();
        indices.sort_unstable();
        indices
    }

    #[test]
    fn every_message_has_both_languages_with_the_same_placeholders() {
        for &message in Message::ALL {
            let [english, chinese] = [Language::En, Language::Zh].map(|language| message.text(language));
            assert!(
                chinese.chars().any(|letter| letter >= '\u{4E00}'),
                "{message:?} is not Chinese: {chinese}"
            );
            assert!(!english.is_empty() && english != chinese, "{message:?}");
            assert_eq!(placeholders(english), placeholders(chinese), "{message:?}");
            // ASCII terminals can show the English text.
            assert!(english.is_ascii(), "{message:?}: {english}");
        }
    }

    #[test]
    fn placeholders_are_filled_once() {
        assert_eq!(format_message(Language::En, Message::ComputerPlays, &["Red", "{0}"]), "Red plays {0}.");
        assert_eq!(
            format_message(Language::Zh, Message::ComputerPlays, &["红方", "炮二平五"]),
            "红方走 炮二平五。"
        );
    }
}
