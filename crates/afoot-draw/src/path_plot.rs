//! Ways over the ground seen from above: x to the right, z down, as on an SVG page.

use afoot_core::{Clip, Contacts, FrameId, Side, forward_kinematics};

use crate::canvas::{Anchor, Area, Canvas, DrawError, Pen, text_width};
use crate::colour::{Colour, palette};
use crate::figure::feet;
use crate::scale::{Scale, range_of};

/// Several ways over the same ground.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPicture {
    /// Above the ground.
    pub title: String,
    /// Drawn in order, later ones on top.
    pub traces: Vec<PathTrace>,
    /// Planted feet, x and z. [m]
    pub plants: Vec<[f64; 2]>,
    /// Longest side of the ground. [px, 100 to 8000]
    pub size: u32,
}

impl Default for PathPicture {
    fn default() -> Self {
        Self {
            title: String::new(),
            traces: Vec::new(),
            plants: Vec::new(),
            size: 900,
        }
    }
}

/// One way.
#[derive(Clone, Debug, PartialEq)]
pub struct PathTrace {
    /// In the legend; empty leaves it out.
    pub name: String,
    /// x and z. [m]
    pub points: Vec<[f64; 2]>,
    /// `None` takes the next of the palette.
    pub colour: Option<Colour>,
    /// Width of the line. [px]
    pub line: f32,
}

impl PathTrace {
    /// A thin line in the next colour.
    pub fn new(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self {
            name: name.into(),
            points,
            colour: None,
            line: 1.6,
        }
    }

    /// A broad pale line, for the way that was asked for.
    pub fn asked(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self {
            colour: Some(Colour::new(190, 200, 215)),
            line: 7.0,
            ..Self::new(name, points)
        }
    }
}

/// The root's x and z, a frame each. [m]
pub fn root_trace(clip: &Clip) -> Vec<[f64; 2]> {
    let flat = |p: &afoot_core::Vec3| [f64::from(p.x), f64::from(p.z)];
    clip.root.iter().map(flat).collect()
}

/// Where feet come to rest: each planted joint's place at the middle of its plant, x and z. [m]
pub fn plants_on_ground(clip: &Clip) -> Vec<[f64; 2]> {
    if clip.contacts.len() != clip.len() {
        return Vec::new();
    }
    let positions = forward_kinematics(clip);
    let mut plants = Vec::new();
    for (joint, part) in feet(&clip.skeleton) {
        for [from, to] in spans_of(&clip.contacts, part) {
            let place = positions.frame(FrameId::from((from + to) / 2))[joint];
            plants.push([f64::from(place.x), f64::from(place.z)]);
        }
    }
    plants
}

/// The stretches of frames, half-open, in which `part` touches.
pub fn spans_of(contacts: &[Contacts], part: Contacts) -> Vec<[usize; 2]> {
    let mut spans: Vec<[usize; 2]> = Vec::new();
    for (frame, _) in contacts.iter().enumerate().filter(|(_, c)| c.any(part)) {
        match spans.last_mut() {
            Some(span) if span[1] == frame => span[1] = frame + 1,
            _ => spans.push([frame, frame + 1]),
        }
    }
    spans
}

/// The four parts of the feet with the names that pictures use.
pub fn foot_parts() -> [(&'static str, Contacts, Side); 4] {
    let (left, right) = (Side::Left, Side::Right);
    [
        ("left heel", Contacts::heel(left), left),
        ("left ball", Contacts::ball(left), left),
        ("right heel", Contacts::heel(right), right),
        ("right ball", Contacts::ball(right), right),
    ]
}

/// The ways with axes in metres, as PNG.
pub fn draw_paths(picture: &PathPicture) -> Result<Vec<u8>, DrawError> {
    let points = || {
        picture
            .traces
            .iter()
            .flat_map(|t| &t.points)
            .chain(&picture.plants)
    };
    let (Some(x), Some(z)) = (
        range_of(points().map(|p| p[0])),
        range_of(points().map(|p| p[1])),
    ) else {
        return Err(DrawError::Empty(format!(
            "{:?} has no points",
            picture.title
        )));
    };
    let span = ((x[1] - x[0]).max(z[1] - z[0])).max(0.5);
    let air = span * 0.05;
    let scale = f64::from(picture.size.clamp(100, 8000)) / (span + 2.0 * air);
    let (x, z) = (centred(x, air), centred(z, air));
    let area = Area::new(
        MARGIN,
        TOP,
        ((x[1] - x[0]) * scale) as f32,
        ((z[1] - z[0]) * scale) as f32,
    );
    let width = (area.width + 2.0 * MARGIN).max(legend_width(picture));
    let mut canvas = Canvas::new(
        width.ceil() as u32,
        (area.height + TOP + MARGIN).ceil() as u32,
    )?;
    let across = Scale::new(x, [area.x, area.x + area.width], false);
    let down = Scale::new(z, [area.y, area.y + area.height], false);
    draw_axes(&mut canvas, area, &across, &down);
    draw_traces(&mut canvas, picture, |p| {
        [across.pixel(p[0]), down.pixel(p[1])]
    });
    draw_legend(&mut canvas, picture);
    canvas.into_png()
}

const MARGIN: f32 = 44.0;
const TOP: f32 = 52.0;
const CAPTION: f32 = 11.0;
const SMALL: f32 = 8.0;

/// At least a quarter metre wide, with air on both sides.
fn centred([low, high]: [f64; 2], air: f64) -> [f64; 2] {
    let (middle, half) = ((low + high) * 0.5, ((high - low) * 0.5).max(0.125));
    [middle - half - air, middle + half + air]
}

fn draw_axes(canvas: &mut Canvas, area: Area, across: &Scale, down: &Scale) {
    let faint = Pen::new(Colour::FAINT, 1.0);
    let count = |pixels: f32| (pixels / 70.0) as usize;
    let (bottom, right) = (area.y + area.height, area.x + area.width);
    for tick in across.ticks(count(area.width)) {
        let x = across.pixel(tick);
        canvas.line([x, area.y], [x, bottom], faint);
        let text = across.label(tick, count(area.width));
        canvas.text(
            &text,
            [x, bottom + 14.0],
            SMALL,
            Anchor::Middle,
            Colour::GREY,
        );
    }
    for tick in down.ticks(count(area.height)) {
        let y = down.pixel(tick);
        canvas.line([area.x, y], [right, y], faint);
        let text = down.label(tick, count(area.height));
        canvas.text(
            &text,
            [area.x - 6.0, y + 4.0],
            SMALL,
            Anchor::Right,
            Colour::GREY,
        );
    }
    canvas.frame(area, Pen::new(Colour::GREY, 1.0));
    canvas.text(
        "x [m]",
        [right, bottom + 28.0],
        SMALL,
        Anchor::Right,
        Colour::INK,
    );
    canvas.text(
        "z [m]",
        [area.x - 6.0, area.y - 6.0],
        SMALL,
        Anchor::Right,
        Colour::INK,
    );
}

fn draw_traces(canvas: &mut Canvas, picture: &PathPicture, pixel: impl Fn(&[f64; 2]) -> [f32; 2]) {
    for (index, trace) in picture.traces.iter().enumerate() {
        let points: Vec<_> = trace.points.iter().map(&pixel).collect();
        let colour = trace.colour.unwrap_or(palette(index));
        canvas.polyline(&points, Pen::new(colour, trace.line));
        if let Some(&start) = points.first() {
            canvas.dot(start, trace.line * 0.5 + 2.0, colour);
        }
    }
    for plant in &picture.plants {
        canvas.dot(pixel(plant), 1.8, Colour::PLANT);
    }
}

fn legend_entries(picture: &PathPicture) -> impl Iterator<Item = (&str, Colour)> {
    let traces = picture.traces.iter().enumerate();
    traces
        .filter(|(_, trace)| !trace.name.is_empty())
        .map(|(index, trace)| (trace.name.as_str(), trace.colour.unwrap_or(palette(index))))
}

fn legend_width(picture: &PathPicture) -> f32 {
    let names = legend_entries(picture).map(|(name, _)| text_width(name, SMALL) + 36.0);
    (names.sum::<f32>()).max(text_width(&picture.title, CAPTION)) + 2.0 * MARGIN
}

fn draw_legend(canvas: &mut Canvas, picture: &PathPicture) {
    canvas.text(
        &picture.title,
        [MARGIN, 20.0],
        CAPTION,
        Anchor::Left,
        Colour::INK,
    );
    let mut x = MARGIN;
    for (name, colour) in legend_entries(picture) {
        canvas.line([x, 34.0], [x + 16.0, 34.0], Pen::new(colour, 4.0));
        canvas.text(name, [x + 22.0, 38.0], SMALL, Anchor::Left, Colour::INK);
        x += text_width(name, SMALL) + 36.0;
    }
}
