//! Writes a table as Parquet: flat columns, each with its description and unit in the key-value metadata of the file.
//! Equal rows give equal bytes.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use crate::table::{Column, ColumnType, TableRow, Value};

/// The number of rows of a row group: some 10 MiB of positions in memory.
const ROW_GROUP_ROWS: usize = 64 << 10;

/// A Parquet file of rows that is being written.
pub(crate) struct ParquetTable<W: Write + Send, R: TableRow> {
    writer: SerializedFileWriter<W>,
    rows: Vec<R>,
}

impl<W: Write + Send, R: TableRow> ParquetTable<W, R> {
    /// Starts a file. `metadata` is added to its key-value metadata.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn new(output: W, metadata: &[(&str, String)]) -> Result<Self, ParquetError> {
        let fields = R::COLUMNS.iter().map(|column| field(column).map(Arc::new)).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("alfil").with_fields(fields).build()?;
        let columns = R::COLUMNS.iter().map(|column| (column.name, column.description.to_owned()));
        let metadata = metadata.iter().cloned().chain(columns);
        let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("alfil ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(metadata))
            .build();
        let writer = SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties))?;
        Ok(ParquetTable { writer, rows: Vec::new() })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn push(&mut self, row: R) -> Result<(), ParquetError> {
        self.rows.push(row);
        if self.rows.len() == ROW_GROUP_ROWS { self.write_rows() } else { Ok(()) }
    }

    /// Writes the rest and returns the output.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn finish(mut self) -> Result<W, ParquetError> {
        if !self.rows.is_empty() {
            self.write_rows()?;
        }
        self.writer.into_inner()
    }

    fn write_rows(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for column in R::COLUMNS {
            let writer = group.next_column()?;
            let writer =
                writer.ok_or_else(|| ParquetError::External("the schema has too few columns".into()))?;
            write_column(writer, column.kind, self.rows.iter().map(column.value))?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

/// Returns the field of a column. Every column may have nulls, so that later versions can leave values out.
fn field<R>(column: &Column<R>) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        ColumnType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Int32 => (PhysicalType::INT32, None),
        ColumnType::Int64 => (PhysicalType::INT64, None),
        ColumnType::Float => (PhysicalType::DOUBLE, None),
    };
    Type::primitive_type_builder(column.name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}

fn write_column(
    mut writer: SerializedColumnWriter<'_>,
    kind: ColumnType,
    values: impl Iterator<Item = Value>,
) -> Result<(), ParquetError> {
    let (mut levels, mut texts, mut ints, mut floats) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for value in values {
        levels.push(i16::from(value != Value::Null));
        match value {
            Value::Null => {}
            Value::Text(text) => texts.push(ByteArray::from(text.into_bytes())),
            Value::Int(number) => ints.push(number),
            Value::Float(number) => floats.push(number),
        }
    }
    let levels = Some(&levels[..]);
    match kind {
        ColumnType::Text => writer.typed::<ByteArrayType>().write_batch(&texts, levels, None)?,
        ColumnType::Int32 => {
            let out_of_range = |_| ParquetError::External("a number does not fit into 32 bits".into());
            let ints: Vec<i32> =
                ints.into_iter().map(i32::try_from).collect::<Result<_, _>>().map_err(out_of_range)?;
            writer.typed::<Int32Type>().write_batch(&ints, levels, None)?
        }
        ColumnType::Int64 => writer.typed::<Int64Type>().write_batch(&ints, levels, None)?,
        ColumnType::Float => writer.typed::<DoubleType>().write_batch(&floats, levels, None)?,
    };
    writer.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{GameRow, PositionRow, SideSummary};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    fn write<R: TableRow + Clone>(rows: &[R]) -> Vec<u8> {
        let mut table = ParquetTable::new(Vec::new(), &[("alfil.options", "{}".into())]).unwrap();
        rows.iter().for_each(|row| table.push(row.clone()).unwrap());
        table.finish().unwrap()
    }

    #[test]
    fn rows_are_read_back_with_their_nulls_and_descriptions() {
        let full = PositionRow {
            game: "chess".into(),
            number: 3,
            ply: 7,
            line: 1,
            key: 255,
            move_played: Some("e2e4".into()),
            score_cp: Some(-30),
            nodes: 5_000_000_000,
            pv: vec!["e2e4".into(), "e7e5".into()],
            ruling: Some(("red_loses".into(), "perpetual_check".into())),
            ..PositionRow::default()
        };
        let empty = PositionRow { mate_plies: Some(3), ..PositionRow::default() };
        let bytes = write(&[full.clone(), empty]);
        assert_eq!(bytes, write(&[full, PositionRow { mate_plies: Some(3), ..PositionRow::default() }]));
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let metadata = reader.metadata().file_metadata();
        let pairs = metadata.key_value_metadata().unwrap();
        let value = |key: &str| pairs.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap();
        assert_eq!(value("alfil.options"), "{}");
        for column in PositionRow::COLUMNS {
            assert_eq!(value(column.name), column.description);
        }
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        let at = |name: &str| PositionRow::COLUMNS.iter().position(|column| column.name == name).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].get_int(at("score_cp")).unwrap(), -30);
        assert_eq!(rows[0].get_long(at("nodes")).unwrap(), 5_000_000_000);
        assert_eq!(rows[0].get_string(at("pv")).unwrap(), "e2e4 e7e5");
        assert_eq!(rows[0].get_string(at("key")).unwrap(), "00000000000000ff");
        assert!(rows[0].is_null(at("mate_plies")).unwrap() && rows[1].is_null(at("score_cp")).unwrap());
        assert_eq!(rows[1].get_int(at("mate_plies")).unwrap(), 3);
    }

    #[test]
    fn a_table_has_several_row_groups() {
        let side = SideSummary { moves: 2, accuracy: Some(95.5), loss_cp: 40, ..SideSummary::default() };
        let row = GameRow { sides: [side, SideSummary::default()], ..GameRow::default() };
        let bytes = write(&vec![row; ROW_GROUP_ROWS + 1]);
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        assert_eq!(reader.num_row_groups(), 2);
        let last = reader.get_row_iter(None).unwrap().last().unwrap().unwrap();
        let at = |name: &str| GameRow::COLUMNS.iter().position(|column| column.name == name).unwrap();
        assert_eq!(last.get_double(at("first_accuracy")).unwrap(), 95.5);
        assert_eq!(last.get_double(at("first_mean_loss_cp")).unwrap(), 20.0);
        assert!(last.is_null(at("second_accuracy")).unwrap());
        assert_eq!(last.get_int(at("accuracy_version")).unwrap(), 2);
    }
}
