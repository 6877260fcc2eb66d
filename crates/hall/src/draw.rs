//! A position drawn as text or SVG from its [`Look`]: no game is known here.

use std::fmt::Write;

use alfil_kernel::Side;

use crate::desk::View;
use crate::look::{Layout, Look, Man};

/// How men are drawn in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pieces {
    /// The character or symbol people know a man by, two columns wide where it is Chinese.
    #[default]
    Hanzi,
    /// The letter of the position's text, with lines drawn in box characters.
    Letters,
    /// The letter, and nothing that is not ASCII.
    Ascii,
}

/// The board as text, the first player below. Every square is four columns wide, so that a glyph of width two stands in its
/// place; rivers, palaces and points are drawn from the look's lines.
pub fn text(look: &Look, view: &View, pieces: Pieces) -> String {
    text_from(look, view, pieces, Side::First)
}

/// The same as a player of that side sees it, who sits below.
pub fn text_from(look: &Look, view: &View, pieces: Pieces, below: Side) -> String {
    let turned = below == Side::Second;
    let canvas = Canvas { look, view, pieces, turned };
    let mut text = String::new();
    for rank in (0..look.ranks).rev() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>2}  {}", look.rank_names[canvas.place(0, rank).1], canvas.row(rank));
        if look.layout == Layout::Points && rank > 0 {
            let _ = writeln!(text, "    {}", canvas.gap(rank - 1));
        }
    }
    let name = |file| format!("{:<4}", look.file_names[canvas.place(file, 0).0]);
    let names: Vec<_> = (0..look.files).map(name).collect();
    let _ = writeln!(text, "    {}", names.concat().trim_end());
    text
}

struct Canvas<'a> {
    look: &'a Look,
    view: &'a View,
    pieces: Pieces,
    /// Whether the second player sits below.
    turned: bool,
}

impl Canvas<'_> {
    /// File and rank of what is seen there, counted from the lower left.
    fn place(&self, file: usize, rank: usize) -> (usize, usize) {
        let Look { files, ranks, .. } = *self.look;
        if self.turned { (files - 1 - file, ranks - 1 - rank) } else { (file, rank) }
    }

    fn man(&self, file: usize, rank: usize) -> Option<&'static Man> {
        let (file, rank) = self.place(file, rank);
        let name = format!("{}{}", self.look.file_names[file], self.look.rank_names[rank]);
        let (_, letter) = self.view.men.iter().find(|(square, _)| *square == name)?;
        self.look.man(*letter)
    }

    /// Whether a line of the board joins two neighbours.
    fn joined(&self, from: (usize, usize), to: (usize, usize)) -> bool {
        let point = |(x, y): (usize, usize)| {
            let (file, rank) = self.place(x, y);
            (file as f32, rank as f32)
        };
        let ((x0, y0), (x1, y1)) = (point(from), point(to));
        self.look.lines.iter().any(|&[a, b, c, d]| {
            // Both points lie on the segment.
            let on = |x: f32, y: f32| {
                let cross = (c - a) * (y - b) - (d - b) * (x - a);
                cross.abs() < 0.01 && x >= a.min(c) && x <= a.max(c) && y >= b.min(d) && y <= b.max(d)
            };
            on(x0, y0) && on(x1, y1)
        })
    }

    fn row(&self, rank: usize) -> String {
        let mut row = String::new();
        for file in 0..self.look.files {
            let last = file + 1 == self.look.files;
            let joined = !last && self.joined((file, rank), (file + 1, rank));
            let line = match (self.pieces, joined) {
                (_, false) => ' ',
                (Pieces::Ascii, true) => '-',
                (_, true) => '─',
            };
            let (cell, width) = self.cell(file, rank);
            row += &cell;
            if !last {
                row.extend(std::iter::repeat_n(line, 4 - width));
            }
        }
        row.trim_end().to_owned()
    }

    /// What stands on a square, and how many columns it takes.
    fn cell(&self, file: usize, rank: usize) -> (String, usize) {
        match (self.man(file, rank), self.pieces) {
            (Some(man), Pieces::Hanzi) => (man.glyph.to_string(), if wide(man.glyph) { 2 } else { 1 }),
            (Some(man), _) => (man.letter.to_string(), 1),
            (None, Pieces::Ascii) if self.look.layout == Layout::Points => ("+".into(), 1),
            (None, Pieces::Ascii) => (".".into(), 1),
            (None, _) if self.look.layout == Layout::Points => (self.crossing(file, rank).to_string(), 1),
            (None, _) => ("·".into(), 1),
        }
    }

    fn crossing(&self, file: usize, rank: usize) -> char {
        let near = |df: isize, dr: isize| {
            let (Some(x), Some(y)) = (file.checked_add_signed(df), rank.checked_add_signed(dr)) else {
                return false;
            };
            self.joined((file, rank), (x, y))
        };
        match (near(0, 1), near(1, 0), near(0, -1), near(-1, 0)) {
            (true, true, true, true) => '┼',
            (false, true, true, true) => '┬',
            (true, true, false, true) => '┴',
            (true, true, true, false) => '├',
            (true, false, true, true) => '┤',
            (false, true, true, false) => '┌',
            (false, false, true, true) => '┐',
            (true, true, false, false) => '└',
            (true, false, false, true) => '┘',
            _ => '·',
        }
    }

    /// What lies between two ranks: the files, the palaces' diagonals, the river's name.
    fn gap(&self, below: usize) -> String {
        let files = self.look.files;
        let open = (1..files - 1).all(|file| !self.joined((file, below), (file, below + 1)));
        let mut columns: Vec<char> = vec![' '; 4 * (files - 1) + 1];
        let (upright, rising, falling) = match self.pieces {
            Pieces::Ascii => ('|', '/', '\\'),
            _ => ('│', '╱', '╲'),
        };
        for file in 0..files {
            if self.joined((file, below), (file, below + 1)) {
                columns[4 * file] = upright;
            }
            if file + 1 < files {
                if self.joined((file, below), (file + 1, below + 1)) {
                    columns[4 * file + 2] = rising;
                }
                if self.joined((file + 1, below), (file, below + 1)) {
                    columns[4 * file + 2] = falling;
                }
            }
        }
        let mut gap: String = columns.into_iter().collect();
        if open && !self.look.legend.is_empty() {
            gap = self.river(upright);
        }
        gap.trim_end().to_owned()
    }

    fn river(&self, upright: char) -> String {
        let inner = 4 * (self.look.files - 1) - 1;
        let words: Vec<_> = match self.pieces {
            Pieces::Hanzi => {
                self.look.legend.iter().map(|word| (word.to_string(), 2 * word.chars().count())).collect()
            }
            _ => vec![("river".to_owned(), 5)],
        };
        let used: usize = words.iter().map(|(_, width)| width).sum();
        let space = (inner - used) / (words.len() + 1);
        let mut river = String::from(upright);
        for (word, _) in &words {
            river.extend(std::iter::repeat_n(' ', space));
            river += word;
        }
        river.extend(std::iter::repeat_n(' ', inner - used - space * words.len()));
        river.push(upright);
        river
    }
}

/// Whether a terminal gives a character two columns.
fn wide(glyph: char) -> bool {
    ('\u{2E80}'..='\u{9FFF}').contains(&glyph)
}

/// The board as an SVG picture that needs no font: men are outlines.
pub fn svg(look: &Look, view: &View) -> String {
    let (width, height) = (look.files as f32, look.ranks as f32);
    let mut svg = String::new();
    let _ = svg_to(&mut svg, look, view, width, height);
    svg
}

/// Colours of the picture: board, lines, then disc and ink of each side.
const BOARD: &str = "#f0d9a8";
const DARK_CELL: &str = "#d0a868";
const INK: &str = "#6b4a22";
const SIDES: [(&str, &str); 2] = [("#fbf1dc", "#b3241c"), ("#fbf1dc", "#1d2a35")];

/// Fill and edge of each side's men where they stand without discs.
const FIGURES: [(&str, &str); 2] = [("#fffaf0", "#1d2a35"), ("#1d2a35", "#fbf1dc")];

fn svg_to(svg: &mut String, look: &Look, view: &View, width: f32, height: f32) -> std::fmt::Result {
    let label = format!("{}: {}", look.title, view.words);
    let y = |rank: f32| height - 1.0 - rank;
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {} {}" width="{}" height="{}" role="img" aria-label="{label}">"#,
        width + 1.0,
        height + 1.0,
        48.0 * (width + 1.0),
        48.0 * (height + 1.0),
    )?;
    writeln!(svg, "<title>{label}</title>")?;
    writeln!(
        svg,
        r#"<rect x="-1" y="-1" width="{}" height="{}" fill="{BOARD}"/>"#,
        width + 1.0,
        height + 1.0
    )?;
    if look.layout != Layout::Points {
        svg_cells(svg, look, y)?;
    }
    writeln!(svg, r#"<g stroke="{INK}" stroke-width="0.03" stroke-linecap="round" fill="none">"#)?;
    for [x0, y0, x1, y1] in look.lines {
        writeln!(svg, r#"<path d="M{x0} {}L{x1} {}"/>"#, y(*y0), y(*y1))?;
    }
    for &[x, rank] in look.marks {
        for (dx, dy) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            if (x + dx) >= 0.0 && (x + dx) < width {
                let (cx, cy) = (x + 0.08 * dx, y(rank) + 0.08 * dy);
                writeln!(svg, r#"<path d="M{} {cy}H{cx}V{}"/>"#, cx + 0.14 * dx, cy + 0.14 * dy)?;
            }
        }
    }
    writeln!(svg, "</g>")?;
    writeln!(svg, r#"<g font-family="sans-serif" font-size="0.26" fill="{INK}" text-anchor="middle">"#)?;
    for (file, name) in look.file_names.iter().enumerate() {
        writeln!(svg, r#"<text x="{file}" y="{}">{name}</text>"#, height - 0.24)?;
    }
    for (rank, name) in look.rank_names.iter().enumerate() {
        writeln!(svg, r#"<text x="-0.76" y="{}">{name}</text>"#, y(rank as f32) + 0.09)?;
    }
    writeln!(svg, "</g>")?;
    for square in &view.last {
        let (file, rank) = place(look, square);
        writeln!(
            svg,
            r##"<rect x="{}" y="{}" width="1" height="1" fill="#7fa650" opacity="0.45"/>"##,
            file - 0.5,
            y(rank) - 0.5
        )?;
    }
    for (square, letter) in &view.men {
        let ((file, rank), Some(man)) = (place(look, square), look.man(*letter)) else { continue };
        writeln!(
            svg,
            r#"<g transform="translate({file} {})"><title>{} {square}</title>"#,
            y(rank),
            man.name
        )?;
        svg_man(svg, look, man)?;
        writeln!(svg, "</g>")?;
    }
    writeln!(svg, "</svg>")
}

/// A disc with the man's outline on it; on a checkered board the man itself, filled and edged so that both colours stand out
/// on both kinds of square.
fn svg_man(svg: &mut String, look: &Look, man: &Man) -> std::fmt::Result {
    if look.layout == Layout::Checkered {
        let (fill, edge) = FIGURES[man.side];
        let style = format!(r#"fill="{fill}" stroke="{edge}" stroke-width="34" stroke-linejoin="round""#);
        return writeln!(svg, r#"<path transform="scale(0.001)" {style} d="{}"/>"#, man.outline);
    }
    let (disc, ink) = SIDES[man.side];
    writeln!(svg, r#"<circle r="0.44" fill="{disc}" stroke="{ink}" stroke-width="0.035"/>"#)?;
    writeln!(svg, r#"<circle r="0.37" fill="none" stroke="{ink}" stroke-width="0.015"/>"#)?;
    writeln!(svg, r#"<path transform="scale(0.001)" fill="{ink}" d="{}"/>"#, man.outline)
}

fn svg_cells(svg: &mut String, look: &Look, y: impl Fn(f32) -> f32) -> std::fmt::Result {
    for rank in 0..look.ranks {
        for file in 0..look.files {
            let dark = look.layout == Layout::Checkered && (file + rank).is_multiple_of(2);
            let fill = if dark { DARK_CELL } else { BOARD };
            let (x, y) = (file as f32 - 0.5, y(rank as f32) - 0.5);
            writeln!(svg, r#"<rect x="{x}" y="{y}" width="1" height="1" fill="{fill}"/>"#)?;
        }
    }
    Ok(())
}

/// File and rank of a square's name.
fn place(look: &Look, square: &str) -> (f32, f32) {
    let file = look.file_names.iter().position(|name| square.starts_with(name)).unwrap_or(0);
    let rank =
        look.rank_names.iter().position(|name| square[look.file_names[file].len()..] == **name).unwrap_or(0);
    (file as f32, rank as f32)
}
