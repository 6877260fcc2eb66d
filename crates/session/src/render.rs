//! Draws positions as text or SVG from an [`Appearance`], for any game.

use std::fmt::Write;

use alfil_kernel::Side;

use crate::appearance::{Appearance, EdgeNames, Layout, PieceAppearance};
use crate::position_view::PositionView;

/// The style of pieces in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PieceStyle {
    /// The usual character of the piece, two columns wide if it is Chinese.
    #[default]
    Hanzi,
    /// The letter of the piece, on a board of box-drawing characters.
    Letters,
    /// The letter of the piece, on a board of ASCII characters only.
    Ascii,
}

/// Returns the board as text in its smallest size, the first player at the bottom, with the coordinates at its edges.
/// Rivers, palaces and intersections come from the lines of the appearance.
///
/// ```
/// use alfil_session::registry;
/// use alfil_session::render::{PieceStyle, render_text};
///
/// let session = registry::open("chess", None)?;
/// let text = render_text(session.appearance(), &session.view(), PieceStyle::Ascii);
/// assert!(text.starts_with(" 8  r   n   b   q   k   b   n   r\n"), "{text}");
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub fn render_text(appearance: &Appearance, view: &PositionView, style: PieceStyle) -> String {
    TextBoard { style, bottom: Side::First, layout: TextLayout::new(appearance, 1, None) }
        .draw(appearance, view)
}

/// Where a board that is drawn as text has its squares, in columns and rows from its upper left corner. A square is at
/// least four columns wide, so that a wide glyph fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLayout {
    /// The columns from a square to the next one.
    pub columns: usize,
    /// The rows from a square to the next one.
    pub rows: usize,
    /// The column of the pieces of the left file.
    pub left: usize,
    /// The row of the pieces of the upper rank.
    pub top: usize,
    /// The columns of the whole board, with the names at its edges.
    pub width: usize,
    /// The rows of the whole board, with the names at its edges.
    pub height: usize,
    /// The names of the files at the edges of both players, if they differ.
    edge_names: Option<EdgeNames>,
    /// The names of the ranks; none if the files are counted from both sides, where a move names no rank.
    rank_names: &'static [&'static str],
}

impl TextLayout {
    /// Returns the layout of a board with squares of a size, 1 for the smallest, and with the names of a dialect at its
    /// edges; `None` is the default dialect.
    pub fn new(appearance: &Appearance, scale: usize, dialect: Option<&str>) -> TextLayout {
        fn find_names<T: Copy>(names: &[(&str, T)], dialect: Option<&str>) -> Option<T> {
            names.iter().find(|(name, _)| Some(*name) == dialect).map(|(_, names)| *names)
        }
        let (columns, rows) = match appearance.layout {
            Layout::Intersections => (2 * scale + 2, scale + 1),
            Layout::Checkered | Layout::Cells => ((2 * scale).max(4), scale),
        };
        // The rows of a cell above and below its piece.
        let [above, below] = match appearance.layout {
            Layout::Intersections => [0, 0],
            Layout::Checkered | Layout::Cells => [(rows - 1) / 2, rows / 2],
        };
        let edge_names = find_names(appearance.edge_names, dialect);
        let rank_names = find_names(appearance.dialect_rank_names, dialect).unwrap_or(appearance.rank_names);
        let top = above + usize::from(edge_names.is_some());
        // The name of a rank has two columns.
        let left = 3 + (columns - 1) / 2;
        TextLayout {
            columns,
            rows,
            left,
            top,
            width: left + columns * (appearance.files - 1) + 2,
            height: top + rows * (appearance.ranks - 1) + 1 + below + 1,
            edge_names,
            rank_names: if edge_names.is_some() { &[] } else { rank_names },
        }
    }
}

/// How a board is drawn as text.
#[derive(Clone, Copy, Debug)]
pub struct TextBoard {
    /// The style of the pieces.
    pub style: PieceStyle,
    /// The side at the bottom.
    pub bottom: Side,
    /// The size of the board and the names at its edges.
    pub layout: TextLayout,
}

impl TextBoard {
    /// Draws a position.
    pub fn draw(self, appearance: &Appearance, view: &PositionView) -> String {
        let TextBoard { style, bottom, layout } = self;
        let canvas = Canvas { appearance, view, style, layout, flipped: bottom == Side::Second };
        let margin = " ".repeat(layout.left);
        let mut lines = Vec::new();
        lines.extend(layout.edge_names.map(|names| canvas.file_names(names[(!bottom).index()])));
        lines.resize(layout.top, String::new());
        for rank in (0..appearance.ranks).rev() {
            let name =
                layout.rank_names.get(canvas.board_coordinates(0, rank).1).copied().unwrap_or_default();
            lines.push(format!("{name:>2}{}{}", &margin[2..], canvas.row(rank)));
            for gap in (1..layout.rows).rev().filter(|_| rank > 0) {
                lines.push(match appearance.layout {
                    Layout::Intersections => format!("{margin}{}", canvas.row_gap(rank - 1, gap)),
                    Layout::Checkered | Layout::Cells => String::new(),
                });
            }
        }
        lines.resize(layout.height - 1, String::new());
        let names = layout.edge_names.map_or(appearance.file_names, |names| names[bottom.index()]);
        lines.push(canvas.file_names(names));
        lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

struct Canvas<'a> {
    appearance: &'a Appearance,
    view: &'a PositionView,
    style: PieceStyle,
    layout: TextLayout,
    /// Whether the second player is at the bottom.
    flipped: bool,
}

impl Canvas<'_> {
    /// Returns the line of the names of the files.
    fn file_names(&self, names: &[&str]) -> String {
        let mut line = " ".repeat(self.layout.left);
        for file in 0..self.appearance.files {
            let name = names[self.board_coordinates(file, 0).0];
            let width: usize = name.chars().map(|letter| if is_double_width(letter) { 2 } else { 1 }).sum();
            line += name;
            line.extend(std::iter::repeat_n(' ', self.layout.columns - width));
        }
        line
    }

    /// Converts the coordinates on the screen, from the lower left, into file and rank.
    fn board_coordinates(&self, x: usize, y: usize) -> (usize, usize) {
        let Appearance { files, ranks, .. } = *self.appearance;
        if self.flipped { (files - 1 - x, ranks - 1 - y) } else { (x, y) }
    }

    fn piece(&self, x: usize, y: usize) -> Option<&'static PieceAppearance> {
        let (file, rank) = self.board_coordinates(x, y);
        let name = format!("{}{}", self.appearance.file_names[file], self.appearance.rank_names[rank]);
        let (_, letter) = self.view.pieces.iter().find(|(square, _)| *square == name)?;
        self.appearance.piece(*letter)
    }

    /// Returns whether a line of the board joins two neighbouring squares. None leads to a square outside the board.
    fn are_joined(&self, from: (usize, usize), to: (usize, usize)) -> bool {
        if to.0 >= self.appearance.files || to.1 >= self.appearance.ranks {
            return false;
        }
        let board_point = |(x, y): (usize, usize)| {
            let (file, rank) = self.board_coordinates(x, y);
            (file as f32, rank as f32)
        };
        let ((x0, y0), (x1, y1)) = (board_point(from), board_point(to));
        self.appearance.lines.iter().any(|&[a, b, c, d]| {
            // Whether the point lies on the segment.
            let is_on_segment = |x: f32, y: f32| {
                let cross = (c - a) * (y - b) - (d - b) * (x - a);
                cross.abs() < 0.01 && x >= a.min(c) && x <= a.max(c) && y >= b.min(d) && y <= b.max(d)
            };
            is_on_segment(x0, y0) && is_on_segment(x1, y1)
        })
    }

    fn row(&self, y: usize) -> String {
        let mut row = String::new();
        for x in 0..self.appearance.files {
            let last = x + 1 == self.appearance.files;
            let joined = !last && self.are_joined((x, y), (x + 1, y));
            let line = match (self.style, joined) {
                (_, false) => ' ',
                (PieceStyle::Ascii, true) => '-',
                (_, true) => '─',
            };
            let (cell, width) = self.cell(x, y);
            row += &cell;
            if !last {
                row.extend(std::iter::repeat_n(line, self.layout.columns - width));
            }
        }
        row.trim_end().to_owned()
    }

    /// Returns the text of a square and its width in columns.
    fn cell(&self, x: usize, y: usize) -> (String, usize) {
        match (self.piece(x, y), self.style) {
            (Some(piece), PieceStyle::Hanzi) => {
                (piece.glyph.to_string(), if is_double_width(piece.glyph) { 2 } else { 1 })
            }
            (Some(piece), _) => (piece.letter.to_string(), 1),
            (None, PieceStyle::Ascii) if self.appearance.layout == Layout::Intersections => ("+".into(), 1),
            (None, PieceStyle::Ascii) => (".".into(), 1),
            (None, _) if self.appearance.layout == Layout::Intersections => {
                (self.intersection_char(x, y).to_string(), 1)
            }
            (None, _) => ("·".into(), 1),
        }
    }

    fn intersection_char(&self, file: usize, rank: usize) -> char {
        let is_joined = |df: isize, dr: isize| {
            let (Some(x), Some(y)) = (file.checked_add_signed(df), rank.checked_add_signed(dr)) else {
                return false;
            };
            self.are_joined((file, rank), (x, y))
        };
        match (is_joined(0, 1), is_joined(1, 0), is_joined(0, -1), is_joined(-1, 0)) {
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

    /// Returns a row between a rank and the next one up, counted from the lower rank: files, palace diagonals, the name
    /// of the river.
    fn row_gap(&self, lower_rank: usize, gap: usize) -> String {
        let files = self.appearance.files;
        let TextLayout { columns: square, rows, .. } = self.layout;
        let diagonal = square * gap / rows;
        let has_river =
            (1..files - 1).all(|file| !self.are_joined((file, lower_rank), (file, lower_rank + 1)));
        let mut columns: Vec<char> = vec![' '; square * (files - 1) + 1];
        let (vertical, rising, falling) = match self.style {
            PieceStyle::Ascii => ('|', '/', '\\'),
            _ => ('│', '╱', '╲'),
        };
        for file in 0..files {
            if self.are_joined((file, lower_rank), (file, lower_rank + 1)) {
                columns[square * file] = vertical;
            }
            if file + 1 < files {
                if self.are_joined((file, lower_rank), (file + 1, lower_rank + 1)) {
                    columns[square * file + diagonal] = rising;
                }
                if self.are_joined((file + 1, lower_rank), (file, lower_rank + 1)) {
                    columns[square * (file + 1) - diagonal] = falling;
                }
            }
        }
        let mut row: String = columns.into_iter().collect();
        if has_river && gap == rows / 2 && !self.appearance.legend.is_empty() {
            row = self.river_row(vertical);
        }
        row.trim_end().to_owned()
    }

    fn river_row(&self, vertical: char) -> String {
        let inner = self.layout.columns * (self.appearance.files - 1) - 1;
        let labels: Vec<_> = match self.style {
            PieceStyle::Hanzi => self
                .appearance
                .legend
                .iter()
                .map(|label| (label.to_string(), 2 * label.chars().count()))
                .collect(),
            _ => vec![("river".to_owned(), 5)],
        };
        let label_width: usize = labels.iter().map(|(_, width)| width).sum();
        let space = (inner - label_width) / (labels.len() + 1);
        let mut river = String::from(vertical);
        for (label, _) in &labels {
            river.extend(std::iter::repeat_n(' ', space));
            river += label;
        }
        river.extend(std::iter::repeat_n(' ', inner - label_width - space * labels.len()));
        river.push(vertical);
        river
    }
}

/// Returns whether a terminal shows the glyph of a piece or a digit of the edge two columns wide: a Han character or a
/// full-width digit, not a chess figure. The tables of all characters, of the crate `unicode-width`, would exceed the
/// size of the JavaScript module of xiangqi.
fn is_double_width(glyph: char) -> bool {
    matches!(glyph, '\u{2E80}'..='\u{9FFF}' | '\u{FF10}'..='\u{FF19}')
}

/// Returns the board as an SVG picture that needs no font: pieces are outlines.
///
/// ```
/// use alfil_session::registry;
/// use alfil_session::render::render_svg;
///
/// let session = registry::open("xiangqi", None)?;
/// let svg = render_svg(session.appearance(), &session.view());
/// assert!(svg.starts_with("<svg ") && svg.contains("Red to move"));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub fn render_svg(appearance: &Appearance, view: &PositionView) -> String {
    render_svg_with(appearance, view, &SvgOptions::default())
}

/// An arrow on a board, or a circle if both squares are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgArrow {
    /// The name of the square at which the arrow begins.
    pub from: String,
    /// The name of the square to which it points.
    pub to: String,
    /// The colour as SVG writes it: `#15781b`, `green`; `None` for the default.
    pub colour: Option<String>,
}

/// How a board is drawn as SVG. The default has the first side at the bottom, the last move and the king in check.
///
/// ```
/// use alfil_session::render::{SvgOptions, render_svg_with};
/// use alfil_session::registry;
///
/// let session = registry::open("othello", None)?;
/// let mut options = SvgOptions::default();
/// options.width_px = Some(200);
/// let svg = render_svg_with(session.appearance(), &session.view(), &options);
/// assert!(svg.contains(r#" width="200" height="200" "#));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SvgOptions {
    /// The width of the picture in pixels; the height follows. `None` is 48 pixels for each file and the edge.
    pub width_px: Option<u32>,
    /// The side at the bottom; `None` is the first.
    pub bottom: Option<Side>,
    /// The arrows and circles, on top of the pieces.
    pub arrows: Vec<SvgArrow>,
    /// The squares to mark instead of those of the last move; none if empty.
    pub last_move: Option<Vec<String>>,
    /// The squares to mark as kings in check instead of that of the position; none if empty.
    pub checked_kings: Option<Vec<String>>,
    /// Whether the names of files and ranks are left out.
    pub hides_coordinates: bool,
}

/// Returns the board as an SVG picture, drawn as the options say. [`GameBoard::draw_svg`] checks their squares and
/// colours before.
///
/// [`GameBoard::draw_svg`]: crate::game_board::GameBoard::draw_svg
pub fn render_svg_with(appearance: &Appearance, view: &PositionView, options: &SvgOptions) -> String {
    let mut svg = String::new();
    let canvas = SvgCanvas { appearance, view, options };
    let _ = canvas.write(&mut svg);
    svg
}

const BOARD_COLOUR: &str = "#f0d9a8";
const DARK_CELL_COLOUR: &str = "#d0a868";
const LINE_COLOUR: &str = "#6b4a22";

/// The colour of the cells of a board that is not checkered, and of the lines between them.
const CELL_COLOUR: &str = "#2c7a55";
const CELL_EDGE_COLOUR: &str = "#17492f";

/// The disc and the ink of each side's pieces on intersections.
const DISC_COLOURS: [(&str, &str); 2] = [("#fbf1dc", "#b3241c"), ("#fbf1dc", "#1d2a35")];

/// The fill and edge of each side's pieces on a checkered board.
const FIGURE_COLOURS: [(&str, &str); 2] = [("#fffaf0", "#1d2a35"), ("#1d2a35", "#fbf1dc")];

/// The colour of each side's discs in cells, which have nothing on them.
const PLAIN_DISC_COLOURS: [&str; 2] = ["#1d242b", "#f4efe4"];

/// The colours of the marks of the last move and of the king in check, and the default colour of arrows.
const LAST_MOVE_COLOUR: &str = "#7fa650";
const CHECK_COLOUR: &str = "#d0342c";
const ARROW_COLOUR: &str = "#15781b";

/// The length of the head of an arrow, in squares.
const ARROW_HEAD: f32 = 0.3;

struct SvgCanvas<'a> {
    appearance: &'a Appearance,
    view: &'a PositionView,
    options: &'a SvgOptions,
}

impl SvgCanvas<'_> {
    fn width(&self) -> f32 {
        self.appearance.files as f32
    }

    fn height(&self) -> f32 {
        self.appearance.ranks as f32
    }

    /// Returns the place of a point of the board: in squares, from the upper left one.
    fn place(&self, file: f32, rank: f32) -> (f32, f32) {
        if self.options.bottom == Some(Side::Second) {
            (self.width() - 1.0 - file, rank)
        } else {
            (file, self.height() - 1.0 - rank)
        }
    }

    fn square_place(&self, square: &str) -> (f32, f32) {
        let (file, rank) = square_coordinates(self.appearance, square);
        self.place(file, rank)
    }

    fn write(&self, svg: &mut String) -> std::fmt::Result {
        let label = format!("{}: {}", self.appearance.title, self.view.status);
        let (width, height) = (self.width() + 1.0, self.height() + 1.0);
        let width_px = self.options.width_px.map_or(48.0 * width, |pixels| pixels as f32);
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width} {height}" width="{}" height="{}" role="img" aria-label="{label}">"#,
            width_px,
            width_px * height / width,
        )?;
        writeln!(svg, "<title>{label}</title>")?;
        writeln!(svg, r#"<rect x="-1" y="-1" width="{width}" height="{height}" fill="{BOARD_COLOUR}"/>"#)?;
        self.write_board(svg)?;
        if !self.options.hides_coordinates {
            self.write_coordinates(svg)?;
        }
        let last_move = self.options.last_move.as_ref().unwrap_or(&self.view.last_move);
        for (x, y) in last_move.iter().map(|square| self.square_place(square)) {
            writeln!(
                svg,
                r#"<rect x="{}" y="{}" width="1" height="1" fill="{LAST_MOVE_COLOUR}" opacity="0.45"/>"#,
                x - 0.5,
                y - 0.5
            )?;
        }
        let checked = self.view.checked_king.clone().into_iter().collect();
        for square in self.options.checked_kings.as_ref().unwrap_or(&checked) {
            let (x, y) = self.square_place(square);
            // The mark is seen around the disc of a piece on an intersection.
            let radius = if self.appearance.layout == Layout::Intersections { 0.56 } else { 0.5 };
            let style = format!(r#"fill="{CHECK_COLOUR}" opacity="0.7""#);
            writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="{radius}" {style}/>"#)?;
        }
        self.write_pieces(svg)?;
        for arrow in &self.options.arrows {
            self.write_arrow(svg, arrow)?;
        }
        writeln!(svg, "</svg>")
    }

    /// Writes cells, lines and marks of corners.
    fn write_board(&self, svg: &mut String) -> std::fmt::Result {
        if self.appearance.layout != Layout::Intersections {
            self.write_cells(svg)?;
        }
        writeln!(
            svg,
            r#"<g stroke="{LINE_COLOUR}" stroke-width="0.03" stroke-linecap="round" fill="none">"#
        )?;
        for &[x0, y0, x1, y1] in self.appearance.lines {
            let ((x0, y0), (x1, y1)) = (self.place(x0, y0), self.place(x1, y1));
            writeln!(svg, r#"<path d="M{x0} {y0}L{x1} {y1}"/>"#)?;
        }
        for &[file, rank] in self.appearance.corner_marks {
            let (x, y) = self.place(file, rank);
            for (dx, dy) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                if (x + dx) >= 0.0 && (x + dx) < self.width() {
                    let (cx, cy) = (x + 0.08 * dx, y + 0.08 * dy);
                    writeln!(svg, r#"<path d="M{} {cy}H{cx}V{}"/>"#, cx + 0.14 * dx, cy + 0.14 * dy)?;
                }
            }
        }
        writeln!(svg, "</g>")
    }

    fn write_cells(&self, svg: &mut String) -> std::fmt::Result {
        let cell_style = format!(r#"fill="{CELL_COLOUR}" stroke="{CELL_EDGE_COLOUR}" stroke-width="0.03""#);
        for rank in 0..self.appearance.ranks {
            for file in 0..self.appearance.files {
                let is_dark = (file + rank).is_multiple_of(2);
                let style = match self.appearance.layout {
                    Layout::Checkered if is_dark => format!(r#"fill="{DARK_CELL_COLOUR}""#),
                    Layout::Checkered => format!(r#"fill="{BOARD_COLOUR}""#),
                    _ => cell_style.clone(),
                };
                let (x, y) = self.place(file as f32, rank as f32);
                let (x, y) = (x - 0.5, y - 0.5);
                writeln!(svg, r#"<rect x="{x}" y="{y}" width="1" height="1" {style}/>"#)?;
            }
        }
        Ok(())
    }

    fn write_coordinates(&self, svg: &mut String) -> std::fmt::Result {
        writeln!(
            svg,
            r#"<g font-family="sans-serif" font-size="0.26" fill="{LINE_COLOUR}" text-anchor="middle">"#
        )?;
        for (file, name) in self.appearance.file_names.iter().enumerate() {
            let (x, _) = self.place(file as f32, 0.0);
            writeln!(svg, r#"<text x="{x}" y="{}">{name}</text>"#, self.height() - 0.24)?;
        }
        for (rank, name) in self.appearance.rank_names.iter().enumerate() {
            let (_, y) = self.place(0.0, rank as f32);
            writeln!(svg, r#"<text x="-0.76" y="{}">{name}</text>"#, y + 0.09)?;
        }
        writeln!(svg, "</g>")
    }

    fn write_pieces(&self, svg: &mut String) -> std::fmt::Result {
        for (square, letter) in &self.view.pieces {
            let ((x, y), Some(piece)) = (self.square_place(square), self.appearance.piece(*letter)) else {
                continue;
            };
            writeln!(svg, r#"<g transform="translate({x} {y})"><title>{} {square}</title>"#, piece.name)?;
            write_svg_piece(svg, self.appearance, piece)?;
            writeln!(svg, "</g>")?;
        }
        Ok(())
    }

    fn write_arrow(&self, svg: &mut String, arrow: &SvgArrow) -> std::fmt::Result {
        let colour = arrow.colour.as_deref().unwrap_or(ARROW_COLOUR);
        let ((x0, y0), (x1, y1)) = (self.square_place(&arrow.from), self.square_place(&arrow.to));
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = dx.hypot(dy);
        if length == 0.0 {
            let style = format!(r#"fill="none" stroke="{colour}" stroke-width="0.08" opacity="0.8""#);
            return writeln!(svg, r#"<circle cx="{x0}" cy="{y0}" r="0.45" {style}/>"#);
        }
        let (ux, uy) = (dx / length, dy / length);
        let (neck_x, neck_y) = (x1 - ARROW_HEAD * ux, y1 - ARROW_HEAD * uy);
        let half = 0.6 * ARROW_HEAD;
        writeln!(svg, r#"<g stroke="{colour}" fill="{colour}" opacity="0.8">"#)?;
        writeln!(svg, r#"<path stroke-width="0.16" d="M{x0} {y0}L{neck_x} {neck_y}"/>"#)?;
        writeln!(
            svg,
            r#"<path stroke="none" d="M{x1} {y1}L{} {}L{} {}Z"/>"#,
            neck_x - half * uy,
            neck_y + half * ux,
            neck_x + half * uy,
            neck_y - half * ux
        )?;
        writeln!(svg, "</g>")
    }
}

/// Writes a disc with the outline of the piece on it; on a checkered board the piece itself, filled and edged so that
/// both colours are visible on both kinds of square; in the cells of other boards a plain disc.
fn write_svg_piece(svg: &mut String, appearance: &Appearance, piece: &PieceAppearance) -> std::fmt::Result {
    match appearance.layout {
        Layout::Checkered => {
            let (fill, edge) = FIGURE_COLOURS[piece.side];
            let style = format!(r#"fill="{fill}" stroke="{edge}" stroke-width="34" stroke-linejoin="round""#);
            writeln!(svg, r#"<path transform="scale(0.001)" {style} d="{}"/>"#, piece.outline)
        }
        Layout::Cells => writeln!(svg, r#"<circle r="0.42" fill="{}"/>"#, PLAIN_DISC_COLOURS[piece.side]),
        Layout::Intersections => {
            let (disc, ink) = DISC_COLOURS[piece.side];
            writeln!(svg, r#"<circle r="0.44" fill="{disc}" stroke="{ink}" stroke-width="0.035"/>"#)?;
            writeln!(svg, r#"<circle r="0.37" fill="none" stroke="{ink}" stroke-width="0.015"/>"#)?;
            writeln!(svg, r#"<path transform="scale(0.001)" fill="{ink}" d="{}"/>"#, piece.outline)
        }
    }
}

/// Returns file and rank of a square name.
pub(crate) fn square_coordinates(appearance: &Appearance, square: &str) -> (f32, f32) {
    let file = appearance.file_names.iter().position(|name| square.starts_with(name)).unwrap_or(0);
    let rank = appearance
        .rank_names
        .iter()
        .position(|name| square[appearance.file_names[file].len()..] == **name)
        .unwrap_or(0);
    (file as f32, rank as f32)
}

#[cfg(test)]
mod tests;
