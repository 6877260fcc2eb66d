//! The pictures of the chapter on repetitions (`docs/play/repetitions.md`), which `alfil judge --svg` makes. With
//! `ALFIL_WRITE_DOCUMENTS` set, the test writes them: `cargo xtask book --write`.

use std::fs;
use std::path::Path;

use super::expect_ok;

/// A class of moves: its name, the position, the moves that lead back to it, and the ply of the picture.
const CLASSES: [(&str, &str, &str, usize); 5] = [
    ("check", "3k5/9/c8/9/R8/9/9/9/9/5K3 w", "a5d5 d9e9 d5a5 e9d9", 1),
    ("chase", "3akab2/9/c8/9/1R7/9/9/4B4/9/3AKA3 w", "b5a5 a7b7 a5b5 b7a7", 3),
    ("exchange", "3akab2/9/9/9/R7c/9/7r1/4B4/9/3AKA3 w", "a5a3 g9i7 a3a5 i7g9", 1),
    ("block", "3akab2/9/9/9/9/r7N/4C3N/9/4R4/3AKA3 w", "e3e4 a4a3 e4e3 a3a4", 1),
    ("offer", "3akabr1/9/2n6/9/R8/9/9/4B4/9/3AKA3 w", "a5b5 g9i7 b5a5 i7g9", 1),
];

#[test]
fn the_pictures_of_the_chapter_are_those_of_the_judge() {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let chapters = ["play/repetitions.md", "zh/play/repetitions.md"]
        .map(|chapter| fs::read_to_string(documents.join(chapter)).unwrap());
    for (class, fen, cycle, ply) in CLASSES {
        let folder = tempfile::tempdir().unwrap();
        let moves: Vec<_> = cycle.split(' ').collect::<Vec<_>>().repeat(2);
        let judge = ["judge", "--rules", "cxa2020", "--fen", fen, "--svg", folder.path().to_str().unwrap()];
        expect_ok(&[&judge, &["--moves"][..], &moves].concat());
        let picture = fs::read_to_string(folder.path().join(format!("ply-{ply:04}.svg"))).unwrap();
        // The title of a picture has the class that the judge finds.
        assert!(picture.contains(&format!(": {class}</title>")), "{class}: {picture}");
        let file = documents.join(format!("pictures/class-{class}.svg"));
        if std::env::var_os("ALFIL_WRITE_DOCUMENTS").is_some() {
            fs::write(&file, &picture).unwrap();
        }
        let shown = fs::read_to_string(&file).unwrap_or_default();
        assert!(shown == picture, "{} is old: run `cargo xtask book --write`", file.display());
        let name = format!("pictures/class-{class}.svg");
        assert!(chapters.iter().all(|chapter| chapter.contains(&name)), "a chapter lacks {name}");
    }
}
