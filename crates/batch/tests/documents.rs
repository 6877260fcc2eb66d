//! The columns of the tables are in the documentation of the workspace, which the package of the crate does not have.

use alfil_batch::table::{Column, ColumnType, GameRow, PositionRow, TableRow};

#[test]
fn the_columns_are_documented_with_their_types() {
    let document = include_str!("../../../docs/reference/analysis-tables.md");
    let rows: Vec<_> = document.lines().filter(|line| line.starts_with("| `")).collect();
    let expected = lines(PositionRow::COLUMNS).into_iter().chain(lines(GameRow::COLUMNS));
    for line in expected {
        assert!(rows.contains(&line.as_str()), "the document has no row {line}");
    }
}

fn lines<R>(columns: &[Column<R>]) -> Vec<String> {
    let line = |column: &Column<R>| {
        let kind = match column.kind {
            ColumnType::Text => "text",
            ColumnType::Int32 => "int32",
            ColumnType::Int64 => "int64",
            ColumnType::Float => "double",
        };
        format!("| `{}` | {kind} | {} |", column.name, column.description)
    };
    columns.iter().map(line).collect()
}
