//! The appearances of the games in the npm package of the board element are those of the program.

use std::fs;
use std::path::Path;

use alfil_page::wire::AppearanceDto;
use alfil_session::registry::GAMES;
use serde_json::to_string;

/// Set by `cargo xtask board --looks`, which writes the files instead of comparing them.
const UPDATE: &str = "ALFIL_WRITE_LOOKS";

#[test]
fn the_looks_of_the_board_package_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/board/looks");
    for game in GAMES {
        let look = look(&AppearanceDto::from(game.info));
        let path = folder.join(format!("{}.json", game.info.name()));
        if std::env::var_os(UPDATE).is_some() {
            fs::write(&path, &look).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == look, "{} is old: run `cargo xtask board --looks`", path.display());
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), GAMES.len(), "{} has other files", folder.display());
}

/// Returns the fields of `BoardAppearance` of the package (`web/board/src/types.ts`) as JSON, a line a field and a line
/// a piece.
fn look(appearance: &AppearanceDto) -> String {
    let pieces = appearance.pieces.iter().map(|(letter, piece)| {
        // Pages in Chinese have the Chinese names from the server.
        let (side, name) = (piece.side, to_string(piece.name).unwrap());
        let (outline, picture) = (to_string(piece.outline).unwrap(), to_string(piece.picture).unwrap());
        format!("    \"{letter}\": {{\"side\":{side},\"name\":{name},\"outline\":{outline},\"picture\":{picture}}}")
    });
    let fields = [
        ("title", to_string(appearance.title)),
        ("files", to_string(&appearance.files)),
        ("ranks", to_string(&appearance.ranks)),
        ("layout", to_string(&appearance.layout)),
        ("file_names", to_string(appearance.file_names)),
        ("rank_names", to_string(appearance.rank_names)),
        ("lines", to_string(appearance.lines)),
        ("marks", to_string(appearance.marks)),
        ("sides", to_string(&appearance.sides)),
        ("pieces", Ok(format!("{{\n{}\n  }}", pieces.collect::<Vec<_>>().join(",\n")))),
        ("legend", to_string(appearance.legend)),
        ("legend_outlines", to_string(appearance.legend_outlines)),
    ];
    let lines = fields.map(|(name, value)| format!("  \"{name}\": {}", value.unwrap()));
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
