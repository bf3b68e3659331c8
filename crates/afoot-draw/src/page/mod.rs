//! Motion as one HTML file that plays it: what can be mailed to a colleague.
//!
//! The page holds a small player (`player.html`, `.css`, `.js`: WebGL 2, no library, no network) and the
//! motion as numbers: per frame the root in f32 and every joint's and end site's offset from it in 16
//! bits, 0.1 mm for a person, as base64 of little-endian bytes. A minute at 30 frames a second takes some
//! half a megabyte; longer than ten minutes are thinned. Left limbs blue, right ones orange, as in sheets.

mod pack;
mod steered;

use afoot_core::Clip;
use serde_json::json;

use crate::canvas::DrawError;
use pack::figure_json;
pub use steered::{SteeredPage, draw_steered_page};

const PLAYER: &str = include_str!("player.html");
const STYLE: &str = include_str!("player.css");
const SCRIPT: &str = include_str!("player.js");

/// What a page shows.
#[derive(Clone, Debug, Default)]
pub struct Page<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// Who moves.
    pub figures: Vec<PageFigure<'a>>,
}

/// One who moves.
#[derive(Clone, Debug)]
pub struct PageFigure<'a> {
    /// What it is called.
    pub name: &'a str,
    /// How it moves.
    pub clip: &'a Clip,
    /// Whether it is as captured: shown paler, beside what was made.
    pub captured: bool,
    /// What it was to follow, as ground points; none if empty. [m]
    pub path: &'a [[f64; 2]],
}

impl<'a> PageFigure<'a> {
    /// A motion that was made.
    pub fn made(name: &'a str, clip: &'a Clip) -> Self {
        Self {
            name,
            clip,
            captured: false,
            path: &[],
        }
    }

    /// A motion as captured.
    pub fn captured(name: &'a str, clip: &'a Clip) -> Self {
        Self {
            captured: true,
            ..Self::made(name, clip)
        }
    }
}

/// The page as HTML.
pub fn draw_page(page: &Page) -> Result<String, DrawError> {
    let figures: Vec<_> = page
        .figures
        .iter()
        .filter(|figure| !figure.clip.is_empty())
        .map(figure_json)
        .collect();
    if figures.is_empty() {
        return Err(DrawError::Empty("no frames".into()));
    }
    let motion = json!({"title": page.title, "figures": figures}).to_string();
    // `<` within the data would be read as the end of the script, or as a comment in it.
    let motion = motion.replace('<', "\\u003c");
    Ok(PLAYER
        .replace("{{title}}", &escaped(page.title))
        .replace("{{style}}", STYLE.trim_end())
        .replace("{{script}}", SCRIPT.trim_end())
        .replace("{{motion}}", &motion))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
