//! The columns of tables of openings: a line for each opening with its ECO code, its name and its moves, separated by
//! tabs.
//!
//! The first line names the columns, such as `eco`, `name` and `pgn`; without names the moves are in the last column.

/// The columns of a table.
pub(crate) struct Columns {
    pub(crate) eco: Option<usize>,
    pub(crate) name: Option<usize>,
    pub(crate) name_zh: Option<usize>,
    pub(crate) moves: usize,
    /// Whether the first line has the names of the columns.
    pub(crate) has_header: bool,
}

impl Columns {
    /// Detects the columns from the first line.
    pub(crate) fn detect(line: &[u8]) -> Option<Columns> {
        let cells: Vec<_> = line.split(|&byte| byte == b'\t').map(<[u8]>::trim_ascii).collect();
        let find = |name: &[u8]| cells.iter().position(|cell| cell.eq_ignore_ascii_case(name));
        let (eco, name) = (find(b"eco"), find(b"name"));
        if let Some(moves) = find(b"pgn").or_else(|| find(b"moves"))
            && (eco.is_some() || name.is_some())
        {
            return Some(Columns { eco, name, name_zh: find(b"name_zh"), moves, has_header: true });
        }
        let is_eco = matches!(cells[0], [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', ..]);
        let last = cells.last()?;
        (cells.len() >= 3 && is_eco && last.starts_with(b"1.")).then_some(Columns {
            eco: Some(0),
            name: Some(1),
            name_zh: None,
            moves: cells.len() - 1,
            has_header: false,
        })
    }
}

/// Returns whether a line that is not a comment can be the first line of a table.
pub(crate) fn is_table(line: &[u8]) -> bool {
    Columns::detect(line).is_some()
}
