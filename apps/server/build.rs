//! Lets cargo embed a page and a book that are built after the program: it tracks the files that are embedded, but not
//! those that are missing.

use std::fs;
use std::path::Path;

fn main() {
    // A missing file would make cargo compile the crate at each build. Until the page or the book is built, that
    // happens after any change in a folder that its build changes.
    for (built, folder) in [("web/dist", "web"), ("book/dist", "book/.vitepress")] {
        let dist = Path::new("../..").join(built);
        // A build that reads the files from the disk finds those that are built later, if their folder is there now. In
        // a checkout that cannot be written it finds them after the next build.
        let _ = fs::create_dir_all(&dist);
        let tracked =
            if dist.join("index.html").exists() { format!("{built}/index.html") } else { folder.to_owned() };
        println!("cargo:rerun-if-changed=../../{tracked}");
    }
}
