//! What lists show of a game, from its tags.

use alfil_session::registry;

/// What a list shows of a game without its moves, from its tags.
///
/// ```
/// use alfil_page::TagSummary;
///
/// let tags = [("Red", "胡荣华"), ("Date", "1999-01-??"), ("Event", "?")];
/// let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned()));
/// let summary = TagSummary::new("xiangqi", &tags);
/// assert_eq!((&*summary.players[0], &*summary.date, &*summary.event), ("胡荣华", "1999.01", ""));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagSummary {
    /// The names of the players, that of the side with the first move before the other; `#12` for the player with this
    /// number in a base without names.
    pub players: [String; 2],
    /// The ratings of the players.
    pub ratings: [String; 2],
    /// The result, as in PGN.
    pub result: String,
    /// The date, from the year on.
    pub date: String,
    /// The event; `#5` for the tournament with this number in a base without names.
    pub event: String,
    /// The place, which is searched with the event.
    pub site: String,
    /// The code and the name of the opening.
    pub opening: [String; 2],
}

impl TagSummary {
    /// Returns the summary of the tags of a game.
    pub fn new(game: &str, tags: &[(String, String)]) -> TagSummary {
        let value = |names: &[&str]| {
            let known = names.iter().filter_map(|name| tags.iter().find(|(tag, _)| tag == name));
            let mut values = known.map(|(_, value)| value.trim());
            values.find(|value| !matches!(*value, "" | "?" | "-" | "*")).unwrap_or_default().to_owned()
        };
        let entry = registry::GAMES.iter().find(|entry| entry.info.name() == game);
        // Files of WTHOR have numbers of players and tournaments; their names are in other files.
        let number = |tag: &str| {
            let number = value(&[&format!("{tag}Id")]);
            if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() {
                return format!("#{number}");
            }
            String::new()
        };
        let named = |names: &[&str]| Some(value(names)).filter(|name| !name.is_empty());
        let [first, second] = entry.map_or(["White", "Black"], |entry| entry.records.player_tags());
        let firsts = if first == "Red" { ["White", "Red"] } else { [first, first] };
        let rating = |sides: &[&str]| {
            let tags = sides.iter().flat_map(|side| [format!("{side}Elo"), format!("{side}Rating")]);
            tags.map(|tag| value(&[&tag])).find(|rating| !matches!(&**rating, "" | "0")).unwrap_or_default()
        };
        let date = value(&["Date", "UTCDate", "EventDate"]).replace(['-', '/'], ".");
        let date = date.trim_end_matches(['.', '?']);
        TagSummary {
            players: [
                named(&firsts).unwrap_or_else(|| number(first)),
                named(&[second]).unwrap_or_else(|| number(second)),
            ],
            ratings: [rating(&firsts), rating(&[second])],
            result: value(&["Result"]),
            date: date.to_owned(),
            event: named(&["Event"]).unwrap_or_else(|| number("Event")),
            site: value(&["Site"]),
            opening: [value(&["ECO"]), value(&["Opening"])],
        }
    }
}
