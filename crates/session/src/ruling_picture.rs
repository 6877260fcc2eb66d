//! Pictures of the moves of a repetition: attackers, victims and protectors.

use std::fmt::Write;

use crate::appearance::Appearance;
use crate::position_view::PositionView;
use crate::render::{render_svg, square_coordinates};
use crate::rulings::RulingPly;

/// The colours of attackers and their arrows, of victims, and of protectors.
const ATTACKER_COLOUR: &str = "#d9720b";
const VICTIM_COLOUR: &str = "#c2185b";
const PROTECTOR_COLOUR: &str = "#1565c0";

/// Returns the position after a move of a repetition as an SVG picture, with its new attacks: a ring around every
/// attacker, victim and protector, and lines from the attackers (solid) and the protectors (dashed) to the victims. The
/// title says the move and its class.
pub fn render_ruling_ply(appearance: &Appearance, view: &PositionView, ply: &RulingPly) -> String {
    let picture = render_svg(appearance, view);
    let Some(board) = picture.trim_end().strip_suffix("</svg>") else { return picture };
    let mut svg = board.to_owned();
    let point = |square: &str| {
        let (file, rank) = square_coordinates(appearance, square);
        (file, appearance.ranks as f32 - 1.0 - rank)
    };
    // Writing to a string cannot fail.
    let _ = writeln!(svg, r#"<g fill="none" stroke-linecap="round"><title>{}</title>"#, title(ply));
    for attack in &ply.attacks {
        let victim = point(&attack.victim);
        for protector in &attack.protectors {
            write_line(
                &mut svg,
                point(protector),
                victim,
                PROTECTOR_COLOUR,
                r#" stroke-dasharray="0.12 0.14""#,
            );
            write_ring(&mut svg, point(protector), PROTECTOR_COLOUR);
        }
        write_line(&mut svg, point(&attack.attacker), victim, ATTACKER_COLOUR, "");
        write_ring(&mut svg, point(&attack.attacker), ATTACKER_COLOUR);
        write_ring(&mut svg, victim, VICTIM_COLOUR);
    }
    svg + "</g>\n</svg>\n"
}

fn title(ply: &RulingPly) -> String {
    let move_text = ply.mv.replace('&', "&amp;").replace('<', "&lt;");
    format!("{}. {move_text}: {}", ply.number, ply.move_class)
}

fn write_ring(svg: &mut String, (x, y): (f32, f32), colour: &str) {
    let _ = writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="0.47" stroke="{colour}" stroke-width="0.08"/>"#);
}

/// Writes a line between the rings of two pieces.
fn write_line(svg: &mut String, from: (f32, f32), to: (f32, f32), colour: &str, style: &str) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (x, y) = (0.5 * dx / length, 0.5 * dy / length);
    let (x0, y0, x1, y1) = (from.0 + x, from.1 + y, to.0 - x, to.1 - y);
    let _ = writeln!(
        svg,
        r#"<path d="M{x0:.3} {y0:.3}L{x1:.3} {y1:.3}" stroke="{colour}" stroke-width="0.09" opacity="0.85"{style}/>"#
    );
}
