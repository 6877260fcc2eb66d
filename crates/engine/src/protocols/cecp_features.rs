//! What a CECP engine announces: features, variants and options.

use alfil_protocol::xboard::Reply;
use alfil_session::GameInfo;

use super::ENGINE_NAME;
use super::draw_policy::DrawResignPolicy;
use super::engine::Engine;

/// The variant that a CECP engine starts with.
const DEFAULT_VARIANT: &str = "normal";

/// Returns the variants with their games, those of the game with the default variant first.
pub(crate) fn variants(engine: &Engine) -> Vec<(&'static str, &'static str)> {
    let mut games: Vec<_> = engine.registry.entries().iter().map(|entry| entry.info).collect();
    games.sort_by_key(|game| !game.protocol_names.cecp.contains(&DEFAULT_VARIANT));
    let of_game =
        |game: &'static GameInfo| game.protocol_names.cecp.iter().map(|&variant| (variant, game.name()));
    games.into_iter().flat_map(of_game).collect()
}

/// The features reported to the GUI, beside name, variants and options.
const FEATURES: &str = "setboard=1 usermove=1 ping=1 time=1 draw=1 colors=0 sigint=0 sigterm=0 san=0 reuse=1 analyze=1 \
                        memory=1 smp=1";

/// Sends the features, with these variants.
pub(crate) fn send_features(
    variants: &[(&'static str, &'static str)],
    policy: &DrawResignPolicy,
    engine: &mut Engine,
) {
    engine.send(Reply::Features(FEATURES));
    engine.send(Reply::MyName(ENGINE_NAME));
    engine.send(Reply::Variants(&variants.iter().map(|(variant, _)| *variant).collect::<Vec<_>>()));
    // The table size and the threads have commands of their own.
    for mut option in engine.options().into_iter().chain(policy.options()) {
        if !matches!(option.name.as_str(), "Hash" | "Threads") {
            // Some GUIs take the first word for the whole name.
            option.name = option.name.replace(' ', "");
            engine.send(Reply::Option(&option));
        }
    }
    engine.send(Reply::Done);
}

/// Returns the name of the option that the GUI has written with or without spaces. An unknown name is returned
/// unchanged.
pub(crate) fn find_option(name: &str, engine: &Engine) -> String {
    let words: String = name.split_whitespace().collect();
    let mut options = engine.options().into_iter();
    let option = options.find(|option| option.name.replace(' ', "").eq_ignore_ascii_case(&words));
    option.map_or_else(|| name.into(), |option| option.name)
}
