//! A position drawn as text or SVG from its [`Look`]: no game is known here.

use std::fmt::Write;

use alfil_kernel::Side;

use crate::appearance::{Appearance, Layout, PieceAppearance};
use crate::game_session::PositionView;

/// How men are drawn in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PieceStyle {
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
pub fn render_text(look: &Appearance, view: &PositionView, pieces: PieceStyle) -> String {
    render_text_from(look, view, pieces, Side::First)
}

/// The same as a player of that side sees it, who sits below.
pub fn render_text_from(look: &Appearance, view: &PositionView, pieces: PieceStyle, below: Side) -> String {
    let turned = below == Side::Second;
    let canvas = Canvas { appearance: look, view, style: pieces, flipped: turned };
    let mut text = String::new();
    for rank in (0..look.ranks).rev() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>2}  {}",
            look.rank_names[canvas.board_coordinates(0, rank).1],
            canvas.row(rank)
        );
        if look.layout == Layout::Intersections && rank > 0 {
            let _ = writeln!(text, "    {}", canvas.row_gap(rank - 1));
        }
    }
    let name = |file| format!("{:<4}", look.file_names[canvas.board_coordinates(file, 0).0]);
    let names: Vec<_> = (0..look.files).map(name).collect();
    let _ = writeln!(text, "    {}", names.concat().trim_end());
    text
}

struct Canvas<'a> {
    appearance: &'a Appearance,
    view: &'a PositionView,
    style: PieceStyle,
    /// Whether the second player sits below.
    flipped: bool,
}

impl Canvas<'_> {
    /// File and rank of what is seen there, counted from the lower left.
    fn board_coordinates(&self, file: usize, rank: usize) -> (usize, usize) {
        let Appearance { files, ranks, .. } = *self.appearance;
        if self.flipped { (files - 1 - file, ranks - 1 - rank) } else { (file, rank) }
    }

    fn piece(&self, file: usize, rank: usize) -> Option<&'static PieceAppearance> {
        let (file, rank) = self.board_coordinates(file, rank);
        let name = format!("{}{}", self.appearance.file_names[file], self.appearance.rank_names[rank]);
        let (_, letter) = self.view.pieces.iter().find(|(square, _)| *square == name)?;
        self.appearance.piece(*letter)
    }

    /// Whether a line of the board joins two neighbours.
    fn are_joined(&self, from: (usize, usize), to: (usize, usize)) -> bool {
        let point = |(x, y): (usize, usize)| {
            let (file, rank) = self.board_coordinates(x, y);
            (file as f32, rank as f32)
        };
        let ((x0, y0), (x1, y1)) = (point(from), point(to));
        self.appearance.lines.iter().any(|&[a, b, c, d]| {
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
        for file in 0..self.appearance.files {
            let last = file + 1 == self.appearance.files;
            let joined = !last && self.are_joined((file, rank), (file + 1, rank));
            let line = match (self.style, joined) {
                (_, false) => ' ',
                (PieceStyle::Ascii, true) => '-',
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
        match (self.piece(file, rank), self.style) {
            (Some(man), PieceStyle::Hanzi) => {
                (man.glyph.to_string(), if is_double_width(man.glyph) { 2 } else { 1 })
            }
            (Some(man), _) => (man.letter.to_string(), 1),
            (None, PieceStyle::Ascii) if self.appearance.layout == Layout::Intersections => ("+".into(), 1),
            (None, PieceStyle::Ascii) => (".".into(), 1),
            (None, _) if self.appearance.layout == Layout::Intersections => {
                (self.intersection_char(file, rank).to_string(), 1)
            }
            (None, _) => ("·".into(), 1),
        }
    }

    fn intersection_char(&self, file: usize, rank: usize) -> char {
        let near = |df: isize, dr: isize| {
            let (Some(x), Some(y)) = (file.checked_add_signed(df), rank.checked_add_signed(dr)) else {
                return false;
            };
            self.are_joined((file, rank), (x, y))
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
    fn row_gap(&self, below: usize) -> String {
        let files = self.appearance.files;
        let open = (1..files - 1).all(|file| !self.are_joined((file, below), (file, below + 1)));
        let mut columns: Vec<char> = vec![' '; 4 * (files - 1) + 1];
        let (upright, rising, falling) = match self.style {
            PieceStyle::Ascii => ('|', '/', '\\'),
            _ => ('│', '╱', '╲'),
        };
        for file in 0..files {
            if self.are_joined((file, below), (file, below + 1)) {
                columns[4 * file] = upright;
            }
            if file + 1 < files {
                if self.are_joined((file, below), (file + 1, below + 1)) {
                    columns[4 * file + 2] = rising;
                }
                if self.are_joined((file + 1, below), (file, below + 1)) {
                    columns[4 * file + 2] = falling;
                }
            }
        }
        let mut gap: String = columns.into_iter().collect();
        if open && !self.appearance.legend.is_empty() {
            gap = self.river_row(upright);
        }
        gap.trim_end().to_owned()
    }

    fn river_row(&self, upright: char) -> String {
        let inner = 4 * (self.appearance.files - 1) - 1;
        let words: Vec<_> = match self.style {
            PieceStyle::Hanzi => self
                .appearance
                .legend
                .iter()
                .map(|word| (word.to_string(), 2 * word.chars().count()))
                .collect(),
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
fn is_double_width(glyph: char) -> bool {
    ('\u{2E80}'..='\u{9FFF}').contains(&glyph)
}

/// The board as an SVG picture that needs no font: men are outlines.
pub fn render_svg(look: &Appearance, view: &PositionView) -> String {
    let (width, height) = (look.files as f32, look.ranks as f32);
    let mut svg = String::new();
    let _ = write_svg(&mut svg, look, view, width, height);
    svg
}

/// Colours of the picture: board, lines, then disc and ink of each side.
const BOARD_COLOUR: &str = "#f0d9a8";
const DARK_CELL_COLOUR: &str = "#d0a868";
const LINE_COLOUR: &str = "#6b4a22";
const DISC_COLOURS: [(&str, &str); 2] = [("#fbf1dc", "#b3241c"), ("#fbf1dc", "#1d2a35")];

/// Fill and edge of each side's men where they stand without discs.
const FIGURE_COLOURS: [(&str, &str); 2] = [("#fffaf0", "#1d2a35"), ("#1d2a35", "#fbf1dc")];

fn write_svg(
    svg: &mut String,
    look: &Appearance,
    view: &PositionView,
    width: f32,
    height: f32,
) -> std::fmt::Result {
    let label = format!("{}: {}", look.title, view.status);
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
        r#"<rect x="-1" y="-1" width="{}" height="{}" fill="{BOARD_COLOUR}"/>"#,
        width + 1.0,
        height + 1.0
    )?;
    if look.layout != Layout::Intersections {
        write_svg_cells(svg, look, y)?;
    }
    writeln!(svg, r#"<g stroke="{LINE_COLOUR}" stroke-width="0.03" stroke-linecap="round" fill="none">"#)?;
    for [x0, y0, x1, y1] in look.lines {
        writeln!(svg, r#"<path d="M{x0} {}L{x1} {}"/>"#, y(*y0), y(*y1))?;
    }
    for &[x, rank] in look.corner_marks {
        for (dx, dy) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            if (x + dx) >= 0.0 && (x + dx) < width {
                let (cx, cy) = (x + 0.08 * dx, y(rank) + 0.08 * dy);
                writeln!(svg, r#"<path d="M{} {cy}H{cx}V{}"/>"#, cx + 0.14 * dx, cy + 0.14 * dy)?;
            }
        }
    }
    writeln!(svg, "</g>")?;
    writeln!(
        svg,
        r#"<g font-family="sans-serif" font-size="0.26" fill="{LINE_COLOUR}" text-anchor="middle">"#
    )?;
    for (file, name) in look.file_names.iter().enumerate() {
        writeln!(svg, r#"<text x="{file}" y="{}">{name}</text>"#, height - 0.24)?;
    }
    for (rank, name) in look.rank_names.iter().enumerate() {
        writeln!(svg, r#"<text x="-0.76" y="{}">{name}</text>"#, y(rank as f32) + 0.09)?;
    }
    writeln!(svg, "</g>")?;
    for square in &view.last_move {
        let (file, rank) = square_coordinates(look, square);
        writeln!(
            svg,
            r##"<rect x="{}" y="{}" width="1" height="1" fill="#7fa650" opacity="0.45"/>"##,
            file - 0.5,
            y(rank) - 0.5
        )?;
    }
    for (square, letter) in &view.pieces {
        let ((file, rank), Some(man)) = (square_coordinates(look, square), look.piece(*letter)) else {
            continue;
        };
        writeln!(
            svg,
            r#"<g transform="translate({file} {})"><title>{} {square}</title>"#,
            y(rank),
            man.name
        )?;
        write_svg_piece(svg, look, man)?;
        writeln!(svg, "</g>")?;
    }
    writeln!(svg, "</svg>")
}

/// A disc with the man's outline on it; on a checkered board the man itself, filled and edged so that both colours stand out
/// on both kinds of square.
fn write_svg_piece(svg: &mut String, look: &Appearance, man: &PieceAppearance) -> std::fmt::Result {
    if look.layout == Layout::Checkered {
        let (fill, edge) = FIGURE_COLOURS[man.side];
        let style = format!(r#"fill="{fill}" stroke="{edge}" stroke-width="34" stroke-linejoin="round""#);
        return writeln!(svg, r#"<path transform="scale(0.001)" {style} d="{}"/>"#, man.outline);
    }
    let (disc, ink) = DISC_COLOURS[man.side];
    writeln!(svg, r#"<circle r="0.44" fill="{disc}" stroke="{ink}" stroke-width="0.035"/>"#)?;
    writeln!(svg, r#"<circle r="0.37" fill="none" stroke="{ink}" stroke-width="0.015"/>"#)?;
    writeln!(svg, r#"<path transform="scale(0.001)" fill="{ink}" d="{}"/>"#, man.outline)
}

fn write_svg_cells(svg: &mut String, look: &Appearance, y: impl Fn(f32) -> f32) -> std::fmt::Result {
    for rank in 0..look.ranks {
        for file in 0..look.files {
            let dark = look.layout == Layout::Checkered && (file + rank).is_multiple_of(2);
            let fill = if dark { DARK_CELL_COLOUR } else { BOARD_COLOUR };
            let (x, y) = (file as f32 - 0.5, y(rank as f32) - 0.5);
            writeln!(svg, r#"<rect x="{x}" y="{y}" width="1" height="1" fill="{fill}"/>"#)?;
        }
    }
    Ok(())
}

/// File and rank of a square's name.
fn square_coordinates(look: &Appearance, square: &str) -> (f32, f32) {
    let file = look.file_names.iter().position(|name| square.starts_with(name)).unwrap_or(0);
    let rank =
        look.rank_names.iter().position(|name| square[look.file_names[file].len()..] == **name).unwrap_or(0);
    (file as f32, rank as f32)
}
