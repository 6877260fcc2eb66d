//! Lets cargo embed a page that is built after the program: it tracks the files that are embedded, but not those that
//! are missing.

use std::path::Path;

fn main() {
    let page = "../../web/dist/index.html";
    // A missing file would make cargo compile the crate at each build. Until the page is built, that happens after any
    // change in its folder.
    let tracked = if Path::new(page).exists() { page } else { "../../web" };
    println!("cargo:rerun-if-changed={tracked}");
}
