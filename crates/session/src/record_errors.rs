//! The Chinese messages for faulty records.

use alfil_chess::Chess;
use alfil_othello::Othello;
use alfil_records::{
    AnyGameError, FileFormat, FormatUse, GameError, GameErrorOf, IllegalReasonOf, RecordError,
    RecordErrorKind, RecordFormat,
};
use alfil_xiangqi::Xiangqi;

use crate::game_profile::GameProfile;
use crate::{chinese, games, registry};

/// Formats the reason of the error of a record in Chinese, with its move and without its place.
///
/// ```
/// use alfil_session::record_errors::record_error_reason_zh;
/// use alfil_session::registry;
///
/// let games = registry::read_games(b"1. Ke3 *", Some("chess"))?;
/// let error = games[0].as_ref().unwrap_err();
/// assert!(error.to_string().contains("move 1. Ke3: "), "{error}");
/// assert!(record_error_reason_zh(error).starts_with("着法 1. Ke3："));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub fn record_error_reason_zh(error: &RecordError) -> String {
    let mv = if error.mv.is_empty() { String::new() } else { format!("着法 {}：", error.mv) };
    format!("{mv}{}", record_error_message(&error.kind))
}

/// Formats the error of a file without games, or with games that are not read.
fn unsupported_file_message(format: FileFormat) -> String {
    let name = match format {
        FileFormat::Pgn => "PGN 文件",
        FileFormat::Ggf => "GGF 文件",
        FileFormat::Transcript => "棋步文件",
        FileFormat::OpeningTable => "开局表",
        FileFormat::Epd => "局面文件（EPD）",
        FileFormat::Obf => "黑白棋题文件（OBF）",
        FileFormat::Json => "JSON 文件",
        FileFormat::PerftLines => "perft 计数文件",
        FileFormat::Xqf => "象棋演播室的 XQF 文件",
        FileFormat::Cbr => "象棋桥的 CBR 文件",
        FileFormat::Cbl => "象棋桥的 CBL 棋库",
        FileFormat::Cbf => "象棋桥的 CBF 文件",
        FileFormat::DhtmlXq => "东萍 DhtmlXQ 网页",
        FileFormat::Ubb => "东萍 DhtmlXQ 的 UBB 文本",
        FileFormat::WxfFile => "WXF 棋谱文件",
        FileFormat::Wthor => "WTHOR 棋库",
        FileFormat::WthorNames => "WTHOR 棋库的人名或赛事表",
        FileFormat::OthelloSgf => "黑白棋的 SGF 文件",
        FileFormat::OtherSgf => "其他棋类的 SGF 文件",
        FileFormat::Polyglot => "Polyglot 开局库",
        FileFormat::Syzygy => "Syzygy 残局库",
        FileFormat::Sqlite => "SQLite 数据库",
        FileFormat::Gzip => "gzip 压缩文件",
        FileFormat::Zstd => "Zstandard 压缩文件",
        FileFormat::Bzip2 => "bzip2 压缩文件",
        FileFormat::Xz => "xz 压缩文件",
        FileFormat::Zip => "ZIP 压缩文件",
        FileFormat::Binary => "未知格式的二进制文件",
    };
    let consequence = match (format, format.usage()) {
        (FileFormat::Polyglot, _) => "其中只有局面和着法，没有棋局，请用其他程序另存为 PGN",
        (FileFormat::Syzygy, _) => "其中只有残局的结果，没有棋局，请交给能读取残局库的引擎",
        (_, FormatUse::Packed) => "请先解压",
        (_, FormatUse::Positions) => "其中只有局面，没有棋局",
        (_, FormatUse::Games) => "不是这里的棋类",
        (_, FormatUse::Other) => "不是棋谱",
    };
    format!("这是{name}，{consequence}")
}

/// Formats the error that a text is no record of these games.
fn no_record_message(games: &[&str]) -> String {
    let titles = games.iter().map(|game| registry::info(game).map_or(*game, |info| info.names_zh.title));
    let titles = titles.collect::<Vec<_>>().join("、");
    format!("这不是棋谱：应为标签（如 [White \"A\"]）或{titles}的着法")
}

/// Formats the error of a text that is unknown and left out.
fn unknown_message(name: &str, found: &str, consequence: &str) -> String {
    format!("{name}“{}”无法识别，{consequence}", found.escape_debug())
}

/// Formats the kind of an error in a record.
fn record_error_message(kind: &RecordErrorKind) -> String {
    match kind {
        RecordErrorKind::UnsupportedFile(format) => return unsupported_file_message(*format),
        RecordErrorKind::NoRecord(games) => return no_record_message(games),
        RecordErrorKind::MissingMoves => "此行没有着法",
        RecordErrorKind::Utf16 => "文件为 UTF-16 编码，请另存为 UTF-8",
        RecordErrorKind::NotAscii => "棋步文本只能是 ASCII 字符",
        RecordErrorKind::GameTooLong(max) => return format!("此局超过 {max} 字节"),
        RecordErrorKind::OtherGame { tag, value, game } => {
            let title = registry::info(game).map_or(*game, |info| info.names_zh.title);
            return format!("标签 {tag} 为“{value}”，不是{title}");
        }
        RecordErrorKind::MissingStart => "Chess960 的棋谱须以 FEN 标签写明起始局面",
        RecordErrorKind::InvalidFen(error) => return format!("标签 FEN：{}", game_error_message(error)),
        RecordErrorKind::InvalidStart(error) => {
            return format!("起始局面：{}", game_error_message(error));
        }
        RecordErrorKind::DroppedRights(error) => {
            return format!("起始局面中已略去：{}", game_error_message(error));
        }
        RecordErrorKind::InvalidBoard(error) => return format!("棋盘：{}", game_error_message(error)),
        RecordErrorKind::UnsupportedBoardSize => "不是 8 乘 8 的棋盘",
        RecordErrorKind::BoardAfterMoves => "走过棋之后才摆棋盘",
        RecordErrorKind::UnsupportedType(found) => return format!("类型“{found}”不是 8 乘 8 的棋盘"),
        RecordErrorKind::TagWithoutName => "标签没有名称",
        RecordErrorKind::TagWithoutQuotes(name) => return format!("标签 {name} 没有引号中的值"),
        RecordErrorKind::UnclosedTagValue(name) => return format!("标签 {name} 的值没有结尾"),
        RecordErrorKind::DuplicateTag => "标签重复，以第一个为准",
        RecordErrorKind::ExpectedTag => "应为标签，如 B[f5]",
        RecordErrorKind::UnclosedTag => "标签没有结尾",
        RecordErrorKind::UnclosedGame(_) => "此局没有结尾",
        RecordErrorKind::ConflictingResult => "文件头的结果与着法之后的结果不同，以后者为准",
        RecordErrorKind::InvalidResultTag => "标签 Result 不是 1-0、0-1、1/2-1/2 或 *",
        RecordErrorKind::UnknownResult(found) => return unknown_message("结果", found, "已略去"),
        RecordErrorKind::InvalidMove(error) => return game_error_message(error),
        RecordErrorKind::UnknownSign(sign) => return unknown_message("符号", sign, "已略去"),
        RecordErrorKind::UnknownKeyword(word) => return unknown_message("关键字", word, "此行已略去"),
        RecordErrorKind::MoveTooLong(bytes) => return format!("着法不会长达 {bytes} 字节"),
        RecordErrorKind::ExpectedSquare => "应为格名，如 f5，或 PASS（GGF 中为 PA）",
        RecordErrorKind::WrongSide(side) => {
            return format!("轮到{}走", games::othello::NAMES_ZH.sides[side.index()]);
        }
        RecordErrorKind::NullMoveInCheck => "被将军时不能空着",
        RecordErrorKind::NagBeforeMove => "评注符号之前没有着法",
        RecordErrorKind::InvalidNag => "$ 之后应为 0 至 255 的数字",
        RecordErrorKind::UnmatchedBrace => "这个括号没有对应的注解",
        RecordErrorKind::UnclosedComment => "注解没有结尾",
        RecordErrorKind::EmptyVariation => "变着中没有着法",
        RecordErrorKind::VariationBeforeMove => "变着之前没有可替换的着法",
        RecordErrorKind::VariationTooDeep => "变着嵌套太深",
        RecordErrorKind::UnclosedVariation => "变着没有结尾",
        RecordErrorKind::UnmatchedParenthesis => "这个括号没有对应的变着",
        RecordErrorKind::TextAfterResult => "结果之后还有内容",
        RecordErrorKind::UnexpectedEnd => "文件在此局未完时结束",
        RecordErrorKind::UnknownVersion(version) => return format!("未知的格式版本 {version}"),
        RecordErrorKind::TooManyMoves(max) => return format!("此局超过 {max} 着"),
        RecordErrorKind::NoMove => "此处应为棋盘上的两个位置",
        RecordErrorKind::IllegalMove => "此着不合规则",
        RecordErrorKind::MissingBoard => "棋谱中没有局面",
        RecordErrorKind::WrongChecksum => "文件头的校验和不对",
        RecordErrorKind::RestSkipped(count) => return format!("此局之后的 {count} 着已略去"),
        RecordErrorKind::WrongGameCount { expected, found } => {
            return format!("文件头写明 {expected} 局，文件中有 {found} 局");
        }
        RecordErrorKind::OrphanBranch(digits) => {
            return format!("分支 {digits} 没有可替换的着法，或编号重复");
        }
        RecordErrorKind::TooManyBranches(digits) => {
            return format!("分支 {digits} 已略去：通往此局各分支的着法太多");
        }
        RecordErrorKind::InvalidXml(message) => return format!("XML 有误：{message}"),
        RecordErrorKind::OtherBoardSize(size) => return format!("棋盘为 {size} 乘 {size}，不是 8 乘 8"),
        RecordErrorKind::WrongScore { expected, found } => {
            return format!("棋谱写明黑方 {expected} 子，棋盘上有 {found} 子");
        }
    }
    .into()
}

/// Formats the error of a position or move in a record.
fn game_error_message(error: &AnyGameError) -> String {
    match error {
        AnyGameError::Chess(error) => {
            typed_game_error_message::<Chess>(error, games::chess::chinese::illegal_reason_message)
        }
        AnyGameError::Othello(error) => {
            typed_game_error_message::<Othello>(error, games::othello::chinese::illegal_reason_message)
        }
        AnyGameError::Xiangqi(error) => {
            typed_game_error_message::<Xiangqi>(error, games::xiangqi::chinese::illegal_reason_message)
        }
        AnyGameError::Other(error) => error.clone(),
    }
}

/// Formats the error of a position or move of one game.
fn typed_game_error_message<G>(error: &GameErrorOf<G>, reason_zh: fn(IllegalReasonOf<G>) -> String) -> String
where
    G: RecordFormat + GameProfile<<G as RecordFormat>::Board, Notation = <G as RecordFormat>::MoveNotation>,
{
    match error {
        GameError::InvalidPositionText(error) => {
            chinese::fen_error(error, &G::expected_message_zh(&error.expected))
        }
        GameError::InvalidSetup(error) => {
            error.issues.iter().map(G::issue_message_zh).collect::<Vec<_>>().join("；")
        }
        GameError::InvalidMoveText(error) => G::move_error_message_zh(error),
        GameError::IllegalMove(reason) => reason_zh(reason.clone()),
    }
}

#[cfg(test)]
mod tests {
    use crate::registry;
    use alfil_records::{ggf, pgn};

    #[track_caller]
    fn check(hint: &str, text: &str, message: &str) {
        let mut games = registry::read_games(text.as_bytes(), Some(hint)).unwrap();
        let error = match games.remove(0) {
            Ok(mut game) => game.error.take().unwrap_or_else(|| game.warnings.remove(0)),
            Err(error) => error,
        };
        let text = super::record_error_reason_zh(&error);
        assert!(text.ends_with(message), "{error}: {text}");
    }

    #[test]
    fn every_pgn_error_has_a_chinese_message() {
        let long = format!("1. e4 {}", "x".repeat(5_000));
        let deep = format!("1. e4 {}", "(1. d4 ".repeat(pgn::MAX_VARIATION_DEPTH + 1));
        for (text, message) in [
            ("[Variant \"Crazyhouse\"]\n\n1. e4", "标签 Variant 为“Crazyhouse”，不是国际象棋"),
            ("[Variant \"Chess960\"]\n\n1. e4", "Chess960 的棋谱须以 FEN 标签写明起始局面"),
            (
                "[FEN \"x\"]\n\n1. e4",
                "标签 FEN：局面文本，字节 0：应为棋子（k q r b n p）、数字 1 至 8 或“/”；此处是“x”",
            ),
            ("[FEN \"8/8/8/8/8/8/8/4K3 w\"]\n\n1. e4", "起始局面：黑方没有王"),
            ("[]\n\n1. e4 *", "标签没有名称"),
            ("[White]\n\n1. e4 *", "标签 White 没有引号中的值"),
            ("[White \"A]\n\n1. e4 *", "标签 White 的值没有结尾"),
            ("[A \"1\"]\n[A \"2\"]\n\n1. e4 *", "标签重复，以第一个为准"),
            ("[Result \"1-0\"]\n\n1. e4 0-1", "文件头的结果与着法之后的结果不同，以后者为准"),
            ("[Result \"won\"]\n\n1. e4 0-1", "标签 Result 不是 1-0、0-1、1/2-1/2 或 *"),
            ("1. e4 e5 2. Ke3", "着法 2. Ke3：“Ke3”在此不合规则：白王不能这样走到 e3"),
            (&long, "着法不会长达 5000 字节"),
            ("1. e4 f5 2. Qh5+ --", "着法 2... --：被将军时不能空着"),
            ("1. e4 ($1 1. d4) *", "评注符号之前没有着法"),
            ("1. e4 $999 *", "$ 之后应为 0 至 255 的数字"),
            ("1. e4 } e5 *", "这个括号没有对应的注解"),
            ("1. e4 {never closed", "注解没有结尾"),
            ("1. e4 () e5 *", "变着中没有着法"),
            ("(1. d4) 1. e4 *", "变着之前没有可替换的着法"),
            (&deep, "变着嵌套太深"),
            ("1. e4 (1. d4", "变着没有结尾"),
            ("1. e4 ) e5 *", "这个括号没有对应的变着"),
            ("1. e4 ¤ e5 *", "符号“¤”无法识别，已略去"),
            ("1. e4 e5 * 2. d4", "结果之后还有内容"),
        ] {
            check("chess", text, message);
        }
        check("xiangqi", "RED a\nRESULT x\nSTART{\n1. C2.5\n}END\n", "结果“x”无法识别，已略去");
        let keyword = "RED a\nHANDICAP x\nSTART{\n1. C2.5\n}END\n";
        check("xiangqi", keyword, "关键字“HANDICAP”无法识别，此行已略去");
        let utf16 = registry::read_games(b"\xff\xfe[\0", None).unwrap().remove(0).unwrap_err();
        assert_eq!(super::record_error_reason_zh(&utf16), "文件为 UTF-16 编码，请另存为 UTF-8");
    }

    #[test]
    fn every_ggf_and_transcript_error_has_a_chinese_message() {
        let long = format!("(;GM[Othello]C[{}];)", "x".repeat(2 * ggf::MAX_GAME_BYTES));
        for (text, message) in [
            (&*long, &*format!("此局超过 {} 字节", ggf::MAX_GAME_BYTES)),
            ("(;GM[Go]B[f5];)", "标签 GM 为“Go”，不是黑白棋"),
            ("(;GM[Othello]TY[10];)", "类型“10”不是 8 乘 8 的棋盘"),
            ("(;GM[Othello]BO[10 -- *];)", "不是 8 乘 8 的棋盘"),
            ("(;GM[Othello]B[f5]BO[8 -- *];)", "走过棋之后才摆棋盘"),
            (
                "(;GM[Othello]BO[8 x];)",
                "棋盘：局面文本，字节 1：应为 b1 的棋子（X 或 O）或空格（-）；文本到此结束",
            ),
            ("(;GM[Othello]B[f5]what;)", "应为标签，如 B[f5]"),
            ("(;GM[Othello]B[f5]W[d6", "标签没有结尾"),
            ("(;GM[Othello]B[f5]W[d6];", "此局没有结尾"),
            ("(;GM[Othello]B[f5]W[a1];)", "着法 1... a1：白方下在 a1 翻不了任何棋子"),
            ("(;GM[Othello]B[f5]B[d6];)", "轮到白方走"),
            ("f5d", "应为格名，如 f5，或 PASS（GGF 中为 PA）"),
            ("f5f5", "f5 已有棋子"),
        ] {
            check("othello", text, message);
        }
        let bytes = registry::read_games(b"f5d6\n\xff", None).unwrap().remove(1).unwrap_err();
        assert_eq!(super::record_error_reason_zh(&bytes), "棋步文本只能是 ASCII 字符");
    }
}
