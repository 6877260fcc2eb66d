//! The names of the games in the engine protocols.

use alfil_protocol::client::VariantNames;

/// Returns the names of a game; an unknown game has none.
pub fn variant_names(game: &str) -> VariantNames {
    match game {
        "xiangqi" => {
            VariantNames { protocols: &["uci", "ucci", "xboard"], uci: &["xiangqi"], cecp: &["xiangqi"] }
        }
        "chess" => VariantNames { protocols: &["uci", "xboard"], uci: &["chess", "normal"], cecp: &[] },
        // Engines write Othello in CECP in different ways, so it is not among the protocols.
        "othello" => VariantNames {
            protocols: &["uci", "nboard", "gtp"],
            uci: &["flipello", "othello", "reversi"],
            cecp: &["reversi", "flipello", "othello"],
        },
        _ => VariantNames::default(),
    }
}
