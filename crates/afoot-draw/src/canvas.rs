//! A sheet of pixels with the few strokes that our pictures need.

use thiserror::Error;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};

use crate::colour::Colour;
use crate::font;

/// Why there is no picture.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum DrawError {
    #[error("a picture of {width} x {height} pixels; expected 1 to {MAX_SIDE} each way")]
    Size { width: u32, height: u32 },
    #[error("nothing to draw: {0}")]
    Empty(String),
    #[error("{what} has {found} values, expected {expected}")]
    WrongLength {
        what: &'static str,
        found: usize,
        expected: usize,
    },
    #[error("the picture could not be packed as PNG: {0}")]
    Png(String),
}

/// Longest side of a picture. [px]
pub const MAX_SIDE: u32 = 16_384;

/// Where text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Left,
    Middle,
    Right,
}

/// Pixels being drawn on; x to the right, y down, in pixels.
pub struct Canvas {
    pixels: Pixmap,
}

impl Canvas {
    pub fn new(width: u32, height: u32) -> Result<Self, DrawError> {
        let size = DrawError::Size { width, height };
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(size);
        }
        let mut pixels = Pixmap::new(width, height).ok_or(size)?;
        pixels.fill(Color::WHITE);
        Ok(Self { pixels })
    }

    pub fn into_png(self) -> Result<Vec<u8>, DrawError> {
        self.pixels
            .encode_png()
            .map_err(|error| DrawError::Png(error.to_string()))
    }

    /// The pixels, four bytes each, row by row from the top.
    pub fn into_rgba(self) -> Vec<u8> {
        self.pixels.take()
    }

    pub fn line(&mut self, from: [f32; 2], to: [f32; 2], pen: Pen) {
        self.polyline(&[from, to], pen);
    }

    /// Joins the points; parts with a point that is not finite are left out.
    pub fn polyline(&mut self, points: &[[f32; 2]], pen: Pen) {
        let mut builder = PathBuilder::new();
        let mut drawing = false;
        for &[x, y] in points {
            let finite = x.is_finite() && y.is_finite();
            match (finite, drawing) {
                (true, false) => builder.move_to(x, y),
                (true, true) => builder.line_to(x, y),
                (false, _) => {}
            }
            drawing = finite;
        }
        if let Some(path) = builder.finish() {
            self.stroke(&path, pen);
        }
    }

    pub fn dot(&mut self, [x, y]: [f32; 2], radius: f32, colour: Colour) {
        if let Some(path) = circle(x, y, radius) {
            let paint = paint(colour, 1.0);
            self.pixels.fill_path(
                &path,
                &paint,
                FillRule::Winding,
                Transform::identity(),
                None,
            );
        }
    }

    /// A filled rectangle; `opacity` 0 to 1.
    pub fn fill(&mut self, area: Area, colour: Colour, opacity: f32) {
        if let Some(rect) = Rect::from_xywh(area.x, area.y, area.width, area.height) {
            let paint = paint(colour, opacity);
            self.pixels
                .fill_rect(rect, &paint, Transform::identity(), None);
        }
    }

    pub fn frame(&mut self, area: Area, pen: Pen) {
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        let corners = [
            [area.x, area.y],
            [right, area.y],
            [right, bottom],
            [area.x, bottom],
        ];
        for (index, &corner) in corners.iter().enumerate() {
            self.line(corner, corners[(index + 1) % 4], pen);
        }
    }

    /// Writes a line of text whose baseline passes through `at`; `size` is a capital's height.
    pub fn text(&mut self, text: &str, at: [f32; 2], size: f32, anchor: Anchor, colour: Colour) {
        let unit = size / font::CAPITAL;
        let shift = match anchor {
            Anchor::Left => 0.0,
            Anchor::Middle => 0.5,
            Anchor::Right => 1.0,
        };
        let mut x = at[0] - shift * text_width(text, size);
        let pen = Pen::new(colour, (size / 8.0).max(1.0));
        for character in text.chars() {
            let (strokes, width) = font::glyph(character);
            for stroke in &strokes {
                let place =
                    |p: &[f32; 2]| [x + p[0] * unit, at[1] - (p[1] - font::BASELINE) * unit];
                let points: Vec<_> = stroke.iter().map(place).collect();
                match points[..] {
                    [a, b] if a == b => self.dot(a, pen.width * 0.7, colour),
                    _ => self.polyline(&points, pen),
                }
            }
            x += width * unit;
        }
    }

    /// Copies opaque pixels in, row by row from the top.
    pub fn blit(&mut self, [x, y]: [u32; 2], width: u32, colours: &[Colour]) {
        let stride = self.pixels.width();
        let height = self.pixels.height();
        let target = self.pixels.pixels_mut();
        for (index, colour) in colours.iter().enumerate() {
            let (column, row) = (x + index as u32 % width, y + index as u32 / width);
            if column < stride && row < height {
                target[(row * stride + column) as usize] =
                    tiny_skia::ColorU8::from_rgba(colour.red, colour.green, colour.blue, 255)
                        .premultiply();
            }
        }
    }

    fn stroke(&mut self, path: &Path, pen: Pen) {
        let dash = match pen.dashed {
            true => StrokeDash::new(vec![pen.width * 4.0, pen.width * 3.0], 0.0),
            false => None,
        };
        let stroke = Stroke {
            width: pen.width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash,
            ..Stroke::default()
        };
        let paint = paint(pen.colour, pen.opacity);
        self.pixels
            .stroke_path(path, &paint, &stroke, Transform::identity(), None);
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Area {
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    pub fn contains(self, [x, y]: [f32; 2]) -> bool {
        (self.x..=self.x + self.width).contains(&x) && (self.y..=self.y + self.height).contains(&y)
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    pub colour: Colour,
    /// [px]
    pub width: f32,
    pub opacity: f32,
    pub dashed: bool,
}

impl Pen {
    pub const fn new(colour: Colour, width: f32) -> Self {
        Self {
            colour,
            width,
            opacity: 1.0,
            dashed: false,
        }
    }
}

/// Width of a line of text whose capitals are `size` high. [px]
pub fn text_width(text: &str, size: f32) -> f32 {
    font::line_width(text) * size / font::CAPITAL
}

fn circle(x: f32, y: f32, radius: f32) -> Option<Path> {
    if !(x.is_finite() && y.is_finite()) {
        return None;
    }
    PathBuilder::from_circle(x, y, radius)
}

fn paint(colour: Colour, opacity: f32) -> Paint<'static> {
    let mut paint = Paint::default();
    let alpha = (opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
    paint.set_color_rgba8(colour.red, colour.green, colour.blue, alpha);
    paint.anti_alias = true;
    paint
}
