//! The names of the games in the engine protocols.

use alfil_protocol::client::VariantNames;
use alfil_session::game_info::GameInfo;

/// Returns the names under which external engines know a game.
pub fn variant_names(game: &GameInfo) -> VariantNames {
    let names = &game.protocol_names;
    VariantNames { protocols: names.client_protocols, uci: names.client_uci, cecp: names.client_cecp }
}
