//! Positions with EPD operations, as test suites write them and scripts pass them on: `... w - - bm Qd1+; id "BK.01";`.

/// The number of fields before the operations.
const EPD_FIELDS: usize = 4;

/// Returns the position text without its EPD operations, which begin after the fourth field. The operations `hmvc` and
/// `fmvn` become the move counters that a FEN has in their place.
pub(crate) fn strip_operations(text: &str) -> String {
    let fields: Vec<_> = text.split_whitespace().collect();
    let is_operation =
        |field: &&str| field.starts_with(|first: char| first.is_ascii_alphabetic() || first == ';');
    let count = fields.iter().skip(EPD_FIELDS).position(is_operation).map(|at| EPD_FIELDS + at);
    let Some(count) = count else { return text.into() };
    let (position, operations) = fields.split_at(count);
    let mut position = position.join(" ");
    if count == EPD_FIELDS {
        let operations = operations.join(" ");
        let operand = |opcode: &str| {
            let mut parts = operations.split(';').filter_map(|operation| operation.trim().split_once(' '));
            parts.find(|(name, _)| *name == opcode)?.1.trim().parse::<u32>().ok()
        };
        let (halfmoves, fullmoves) = (operand("hmvc"), operand("fmvn"));
        if halfmoves.is_some() || fullmoves.is_some() {
            position += &format!(" {} {}", halfmoves.unwrap_or(0), fullmoves.unwrap_or(1));
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_stripped_and_counters_kept() {
        let fields = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -";
        for (operations, counters) in [
            ("", ""),
            (" 3 40", " 3 40"),
            (" bm Qd1+; id \"BK.01\";", ""),
            (" 3 40 bm Qd1+;", " 3 40"),
            (" ;D1 20 ;D2 400", ""),
            (" hmvc 7; bm a1; fmvn 30;", " 7 30"),
            (" fmvn x;", ""),
        ] {
            assert_eq!(strip_operations(&format!("{fields}{operations}")), format!("{fields}{counters}"));
        }
        // A castling field is no operation.
        let castling = "4k3/8/8/8/8/8/8/R3K3 w Q e3";
        assert_eq!(strip_operations(castling), castling);
    }
}
