//! The form of the documents: their widths, paragraphs, tables and links, and the contents of the book.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{blocks, markdown_files, workspace};

/// The maximal width of a line of text or code.
const MAX_COLUMNS: usize = 120;
/// The maximal number of lines of a paragraph.
const MAX_PARAGRAPH_LINES: usize = 5;
/// The maximal width of a cell of a table, without the targets of its links.
const MAX_CELL_COLUMNS: usize = 200;

/// Returns the documents for people: the book, and those in the root of the workspace.
fn documents() -> Vec<PathBuf> {
    let root = workspace();
    let mut paths = markdown_files(&root.join("docs"));
    let names = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "samples/README.md"];
    paths.extend(names.map(|name| root.join(name)));
    paths
}

/// Returns the number of columns of a text in a terminal, where a Chinese character has two.
fn columns(text: &str) -> usize {
    let is_wide = |letter: char| matches!(letter, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}');
    text.chars().map(|letter| if is_wide(letter) { 2 } else { 1 }).sum()
}

/// The lines of a document with their numbers, and whether each is in a fenced block.
fn lines(document: &str) -> Vec<(usize, &str, bool)> {
    let blocks = blocks(document);
    let is_inside = |index| blocks.iter().any(|block| block.start <= index + 1 && index <= block.end);
    document.lines().enumerate().map(|(index, line)| (index + 1, line, is_inside(index))).collect()
}

/// Returns a text without the targets of its links.
fn without_targets(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        result += before;
        result.push(']');
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    result + rest
}

/// Returns the numbers of the lines that a program prints, which are shown as they are.
fn output_lines(document: &str) -> BTreeSet<usize> {
    let mut numbers = BTreeSet::new();
    for block in blocks(document) {
        let is_console = block.info.starts_with("console");
        for (line, number) in block.lines.iter().zip(block.start + 1..) {
            let is_command = is_console && (line.starts_with("$ ") || line.starts_with("> "));
            if block.info == "text" || is_console && !is_command {
                numbers.insert(number);
            }
        }
    }
    numbers
}

/// Returns whether a cell of a table has the end of a sentence.
fn has_sentence(cell: &str) -> bool {
    let ends_sentence = |at: usize| {
        let (before, after) = (&cell[..at], &cell[at + 1..]);
        let is_after_word =
            before.ends_with(|letter: char| letter.is_lowercase() || matches!(letter, ')' | '`' | '>'));
        let begins_sentence = |letter: char| letter.is_uppercase() || matches!(letter, '`' | '[');
        let is_before_sentence =
            after.strip_prefix(' ').is_some_and(|next| next.starts_with(begins_sentence));
        // A name of a file such as `a.pgn` has no blank, and `...` may end a list.
        let is_last = after.is_empty() && cell.contains(' ') && !before.ends_with('`');
        is_after_word && (is_before_sentence || is_last)
    };
    cell.contains('。') || cell.match_indices('.').any(|(at, _)| ends_sentence(at))
}

/// Returns what is wrong with the cells of a row of a table.
fn cell_faults(row: &str) -> Vec<String> {
    let row = without_targets(row).replace("\\|", "/");
    let mut faults = Vec::new();
    for cell in row.trim().trim_matches('|').split('|').map(str::trim) {
        if has_sentence(cell) {
            faults.push(format!("a sentence in a cell of a table: {cell}"));
        }
        if columns(cell) > MAX_CELL_COLUMNS {
            faults.push(format!("a cell of {} columns: {cell}", columns(cell)));
        }
    }
    faults
}

/// Returns what is wrong with the form of a document, with the numbers of the lines.
fn faults(document: &str) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let output = output_lines(document);
    let mut paragraph_lines = 0;
    for (number, line, is_in_block) in lines(document) {
        let is_row = !is_in_block && line.trim_start().starts_with('|');
        let width = columns(line);
        if width > MAX_COLUMNS && !is_row && !output.contains(&number) {
            faults.push((number, format!("{width} columns, at most {MAX_COLUMNS}")));
        }
        let is_prose = !is_in_block && !is_row && !line.trim().is_empty() && !line.starts_with('<');
        let marker = line.split_whitespace().next().unwrap_or_default();
        let is_item =
            marker == "*" || marker.strip_suffix('.').is_some_and(|digits| digits.parse::<u32>().is_ok());
        paragraph_lines = match is_prose {
            true if is_item => 1,
            true => paragraph_lines + 1,
            false => 0,
        };
        if paragraph_lines == MAX_PARAGRAPH_LINES + 1 {
            faults.push((number, format!("a paragraph of more than {MAX_PARAGRAPH_LINES} lines")));
        }
        if is_row {
            faults.extend(cell_faults(line).into_iter().map(|fault| (number, fault)));
        }
    }
    faults
}

#[test]
fn lines_are_short_and_paragraphs_and_cells_have_one_idea() {
    let mut found = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let place = |(line, fault): (usize, String)| format!("{}:{line}: {fault}", path.display());
        found.extend(faults(&text).into_iter().map(place));
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn each_kind_of_fault_is_found() {
    let long = "word ".repeat(25);
    let count = |document: &str| faults(document).len();
    assert_eq!(count(&long), 1);
    assert_eq!(count(&format!("```sh\nalfil {long}\n```")), 1);
    assert_eq!(count(&format!("```console\n$ alfil\n{long}\n```\n\n```text\n{long}\n```")), 0);
    assert_eq!(count("a\nb\nc\nd\ne\nf\n"), 1);
    assert_eq!(count("a\nb\nc\nd\ne\n\nf\n"), 0);
    assert_eq!(count("| option | what |\n|---|---|\n| `a` | it is so. Then it is not |"), 1);
    assert_eq!(count("| `a.pgn` | a name such as `b.pgn`, 1.5 of it |"), 0);
    assert_eq!(count(&format!("| {} |", "word ".repeat(41))), 1);
}

/// Returns the anchors of the headings of a document, as GitHub and the book write them.
fn anchors(document: &str) -> BTreeSet<String> {
    let headings = lines(document).into_iter().filter(|(_, line, inside)| !inside && line.starts_with('#'));
    let anchor = |heading: &str| {
        let text = without_targets(heading.trim_start_matches('#').trim());
        let kept = text.to_lowercase().replace(' ', "-");
        kept.chars().filter(|&letter| letter.is_alphanumeric() || matches!(letter, '-' | '_')).collect()
    };
    headings.map(|(_, line, _)| anchor(line)).collect()
}

/// Returns the targets of the links and pictures of a document, with the numbers of the lines.
fn links(document: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line, is_inside) in lines(document) {
        if is_inside {
            continue;
        }
        // A link in code is none.
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for (start, end) in [("](", ')'), ("src=\"", '"')] {
            let targets = prose.split(start).skip(1).filter_map(|rest| rest.split_once(end));
            found.extend(targets.map(|(target, _)| (number, target.to_owned())));
        }
    }
    found
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let root = workspace();
    let readmes = ["apps/capi", "apps/python", "apps/wasm", "web/board", "crates/records/testdata"];
    let paths = documents().into_iter().chain(readmes.map(|folder| root.join(folder).join("README.md")));
    let mut faults = Vec::new();
    for path in paths {
        let name = path.strip_prefix(&root).unwrap().display();
        let text = fs::read_to_string(&path).unwrap();
        for (line, target) in links(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            if !file.exists() {
                faults.push(format!("{name}:{line}: there is no {target}"));
            } else if !anchor.is_empty() && file.extension().is_some_and(|extension| extension == "md") {
                let headings = anchors(&fs::read_to_string(&file).unwrap());
                if !headings.contains(anchor) {
                    faults.push(format!("{name}:{line}: there is no heading #{anchor} in {target}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn links_and_headings_are_found() {
    let document =
        "# A `b` (c), d\n\n[x](y.md#z) `[no](link)` <img src=\"p.png\">\n\n```text\n# [no](link)\n```\n";
    let targets: Vec<_> = links(document).into_iter().map(|(_, target)| target).collect();
    assert_eq!(targets, ["y.md#z", "p.png"]);
    assert_eq!(anchors(document), BTreeSet::from(["a-b-c-d".to_owned()]));
    assert_eq!(anchors("## 安装 程序"), BTreeSet::from(["安装-程序".to_owned()]));
}

/// Returns the addresses of all pages of the book, without the folder and the extension.
fn pages() -> Vec<String> {
    let docs = workspace().join("docs");
    let address = |path: &Path| path.strip_prefix(&docs).unwrap().with_extension("").display().to_string();
    markdown_files(&docs).iter().map(|path| format!("/{}", address(path))).collect()
}

#[test]
fn every_page_is_in_the_contents_once() {
    let contents = fs::read_to_string(workspace().join("book/.vitepress/contents.ts")).unwrap();
    let mut listed: Vec<&str> =
        contents.split('\'').filter(|text| text.starts_with('/') && !text.contains(' ')).collect();
    listed.extend(["/index", "/zh/index"]);
    listed.sort_unstable();
    assert_eq!(listed, pages());
}

#[test]
fn what_a_player_reads_is_in_english_and_chinese() {
    let pages = pages();
    for page in &pages {
        if let Some(english) = page.strip_prefix("/zh") {
            assert!(pages.iter().any(|page| page == english), "{page} has no English page");
            let text = fs::read_to_string(workspace().join(format!("docs{page}.md"))).unwrap();
            let chinese = text.chars().filter(|letter| matches!(letter, '\u{4e00}'..='\u{9fff}')).count();
            assert!(chinese > 100, "{page} has {chinese} Chinese characters");
        }
        // Those who host the page can read English.
        let is_for_players = page.starts_with("/start/") || page.starts_with("/play/");
        if is_for_players && page != "/play/hosting" {
            assert!(pages.contains(&format!("/zh{page}")), "{page} has no Chinese page");
        }
    }
}
