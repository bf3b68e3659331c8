//! Transition matrices as pictures: white where two frames are alike, dark where they differ,
//! chosen cells marked (Kovar et al. 2002, figure 3).

use crate::canvas::{Anchor, Area, Canvas, DrawError, Pen};
use crate::colour::Colour;
use crate::scale::{Scale, range_of};

/// A matrix and what to write around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixPicture<'a> {
    /// Row by row from the top; values that are not finite become grey.
    pub values: &'a [f32],
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Cells to mark.
    pub marks: &'a [Mark],
    /// Above the picture.
    pub title: &'a str,
    /// Names of the horizontal and the vertical axis.
    pub labels: [&'a str; 2],
    /// Width and height of a cell on the axes, for instance the frame time. [> 0]
    pub cell: [f64; 2],
    /// The value that becomes black; `None` takes the largest.
    pub black: Option<f32>,
    /// Longest side of the matrix. [px, 64 to 8000]
    pub size: u32,
}

impl Default for MatrixPicture<'_> {
    fn default() -> Self {
        Self {
            values: &[],
            width: 0,
            height: 0,
            marks: &[],
            title: "",
            labels: [""; 2],
            cell: [1.0; 2],
            black: None,
            size: 800,
        }
    }
}

/// A marked cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Counted from the left.
    pub column: usize,
    /// Counted from the top.
    pub row: usize,
    /// Of the dot.
    pub colour: Colour,
}

/// The matrix as PNG. Where it has more cells than pixels, a pixel shows its lowest cell, so that
/// no minimum is lost.
pub fn draw_matrix(picture: &MatrixPicture) -> Result<Vec<u8>, DrawError> {
    check_shape(picture)?;
    let [width, height] = pixel_size(picture);
    let mut canvas = Canvas::new(width + MARGIN + 16, height + TOP + 40)?;
    let black = f64::from(picture.black.unwrap_or_else(|| largest(picture.values)));
    canvas.blit(
        [MARGIN, TOP],
        width,
        &shades(picture, [width, height], black),
    );
    let area = Area::new(MARGIN as f32, TOP as f32, width as f32, height as f32);
    draw_axes(&mut canvas, area, picture);
    for mark in picture.marks {
        let centre =
            |index: usize, cells: usize, pixels: f32| (index as f32 + 0.5) / cells as f32 * pixels;
        let at = [
            area.x + centre(mark.column, picture.width, area.width),
            area.y + centre(mark.row, picture.height, area.height),
        ];
        canvas.dot(at, 3.0, mark.colour);
    }
    let at = [MARGIN as f32, 20.0];
    canvas.text(picture.title, at, CAPTION, Anchor::Left, Colour::INK);
    let key = format!("white 0, black {black:.3}");
    canvas.text(&key, [at[0], 38.0], SMALL, Anchor::Left, Colour::GREY);
    canvas.into_png()
}

const MARGIN: u32 = 64;
const TOP: u32 = 46;
const CAPTION: f32 = 11.0;
const SMALL: f32 = 8.0;

fn check_shape(picture: &MatrixPicture) -> Result<(), DrawError> {
    let expected = picture.width.saturating_mul(picture.height);
    if expected == 0 {
        return Err(DrawError::Empty("the matrix has no cells".into()));
    }
    match picture.values.len() == expected {
        true => Ok(()),
        false => Err(DrawError::WrongLength {
            what: "the matrix",
            found: picture.values.len(),
            expected,
        }),
    }
}

/// Whole pixels per cell where there is room.
fn pixel_size(picture: &MatrixPicture) -> [u32; 2] {
    let size = picture.size.clamp(64, 8000) as usize;
    let longest = picture.width.max(picture.height);
    let side = |cells: usize| match size / longest {
        0 => (cells * size / longest).max(1),
        whole => cells * whole,
    };
    [side(picture.width) as u32, side(picture.height) as u32]
}

fn largest(values: &[f32]) -> f32 {
    range_of(values.iter().map(|&v| f64::from(v))).map_or(1.0, |[_, high]| high as f32)
}

fn shades(picture: &MatrixPicture, [width, height]: [u32; 2], black: f64) -> Vec<Colour> {
    let cells = |pixel: u32, pixels: u32, cells: usize| {
        let start = pixel as usize * cells / pixels as usize;
        let end = (pixel as usize + 1) * cells / pixels as usize;
        start..end.max(start + 1)
    };
    let mut colours = Vec::with_capacity((width * height) as usize);
    for y in 0..height {
        let rows = cells(y, height, picture.height);
        for x in 0..width {
            let columns = cells(x, width, picture.width);
            let values = rows
                .clone()
                .flat_map(|row| &picture.values[row * picture.width..][columns.clone()]);
            let lowest = values.copied().filter(|v| v.is_finite()).reduce(f32::min);
            colours.push(lowest.map_or(Colour::FAINT, |v| shade(f64::from(v) / black)));
        }
    }
    colours
}

/// White, pale blue, dark blue, near black; steeper near zero, where the interest lies.
fn shade(share: f64) -> Colour {
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0).sqrt() as f32
    } else {
        0.0
    };
    let middle = Colour::new(90, 130, 190);
    match share < 0.5 {
        true => Colour::WHITE.mixed(middle, share * 2.0),
        false => middle.mixed(Colour::new(12, 14, 30), share * 2.0 - 1.0),
    }
}

fn draw_axes(canvas: &mut Canvas, area: Area, picture: &MatrixPicture) {
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    let pen = Pen::new(Colour::GREY, 1.0);
    let count = |pixels: f32| (pixels / 80.0) as usize;
    let across = [0.0, picture.width as f64 * picture.cell[0]];
    let across = Scale::new(across, [area.x, right], false);
    for tick in across.ticks(count(area.width)) {
        let (x, text) = (across.pixel(tick), across.label(tick, count(area.width)));
        canvas.line([x, bottom], [x, bottom + 4.0], pen);
        canvas.text(
            &text,
            [x, bottom + 16.0],
            SMALL,
            Anchor::Middle,
            Colour::GREY,
        );
    }
    let down = [0.0, picture.height as f64 * picture.cell[1]];
    let down = Scale::new(down, [area.y, bottom], false);
    for tick in down.ticks(count(area.height)) {
        let (y, text) = (down.pixel(tick), down.label(tick, count(area.height)));
        canvas.line([area.x - 4.0, y], [area.x, y], pen);
        canvas.text(
            &text,
            [area.x - 8.0, y + 4.0],
            SMALL,
            Anchor::Right,
            Colour::GREY,
        );
    }
    canvas.frame(area, pen);
    let [below, beside] = picture.labels;
    canvas.text(
        below,
        [right, bottom + 32.0],
        SMALL,
        Anchor::Right,
        Colour::INK,
    );
    canvas.text(
        beside,
        [8.0, area.y - 6.0],
        SMALL,
        Anchor::Left,
        Colour::INK,
    );
}
