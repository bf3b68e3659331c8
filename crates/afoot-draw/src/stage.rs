//! Several who move at once, as a camera sees them: a frame as pixels, for a video, or some as a strip.

use afoot_core::{Clip, FrameId, Positions, Vec3, forward_kinematics};

use crate::canvas::{Anchor, Area, Canvas, DrawError, Pen};
use crate::colour::Colour;
use crate::figure::{Camera, Figure};

/// Who is seen. Clips are of one length.
pub struct Stage {
    actors: Vec<Actor>,
}

/// A camera that stands still. [m]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageEye {
    /// Where it is.
    pub eye: Vec3,
    /// What it looks at.
    pub target: Vec3,
    /// How much it sees from top to bottom. [rad]
    pub field_of_view: f32,
}

struct Actor {
    name: String,
    figure: Figure,
    positions: Positions,
}

/// A frame of a strip and what stands below it.
#[derive(Clone, Debug, PartialEq)]
pub struct StageMoment {
    /// Which.
    pub frame: usize,
    /// What is said of it.
    pub words: String,
    /// From where it is seen.
    pub eye: StageEye,
}

/// Floor lines lie so far apart, and that many to each side. [m]
const GRID: f32 = 1.0;
const LINES: i32 = 12;

impl Stage {
    /// Clips under their names.
    pub fn new(clips: &[(&str, &Clip)]) -> Self {
        let actor = |(name, clip): &(&str, &Clip)| Actor {
            name: (*name).into(),
            figure: Figure::new(&clip.skeleton),
            positions: forward_kinematics(clip),
        };
        Self {
            actors: clips.iter().map(actor).collect(),
        }
    }

    /// The pixels of a frame, four bytes each.
    pub fn pixels(
        &self,
        frame: usize,
        eye: StageEye,
        [width, height]: [u32; 2],
    ) -> Result<Vec<u8>, DrawError> {
        let mut canvas = Canvas::new(width, height)?;
        let area = Area::new(0.0, 0.0, width as f32, height as f32);
        self.draw(&mut canvas, area, frame, eye);
        Ok(canvas.into_rgba())
    }

    /// Some frames, so many a row, each of that size, as PNG.
    pub fn strip(
        &self,
        moments: &[StageMoment],
        columns: usize,
        [width, height]: [u32; 2],
    ) -> Result<Vec<u8>, DrawError> {
        let rows = moments.len().div_ceil(columns.max(1)) as u32;
        let mut canvas = Canvas::new(width * columns as u32, (height + BELOW) * rows)?;
        for (number, moment) in moments.iter().enumerate() {
            let (column, row) = (number % columns, number / columns);
            let (x, y) = (column as u32 * width, row as u32 * (height + BELOW));
            let area = Area::new(x as f32, y as f32, width as f32, height as f32);
            self.draw(&mut canvas, area, moment.frame, moment.eye);
            canvas.frame(area, Pen::new(Colour::FAINT, 1.0));
            let below = [area.x + 6.0, area.y + area.height + 16.0];
            canvas.text(&moment.words, below, 9.0, Anchor::Left, Colour::INK);
        }
        canvas.into_png()
    }

    fn draw(&self, canvas: &mut Canvas, area: Area, frame: usize, from: StageEye) {
        let StageEye {
            eye,
            target,
            field_of_view,
        } = from;
        let centre = [area.x + area.width / 2.0, area.y + area.height / 2.0];
        let seen = 2.0 * (target - eye).length() * (field_of_view / 2.0).tan();
        let camera = Camera::from_eye(eye, target, centre, area.height / seen.max(0.1));
        draw_floor(canvas, &camera, area, target);
        let mut order: Vec<&Actor> = self.actors.iter().collect();
        let root = |actor: &Actor| actor.positions.frame(FrameId::from(frame))[0];
        order.sort_by(|a, b| camera.depth(root(b)).total_cmp(&camera.depth(root(a))));
        for actor in order {
            let points = actor.positions.frame(FrameId::from(frame));
            if !camera.sees(points[0]) || !area.contains(camera.pixel(points[0])) {
                continue;
            }
            let line = (camera.scale_at(points[0]) * 0.035).clamp(1.0, 12.0);
            actor.figure.draw(canvas, &camera, points, line);
            let above = points[0] + Vec3::Y * 1.0;
            canvas.text(
                &actor.name,
                camera.pixel(above),
                9.0,
                Anchor::Middle,
                Colour::INK,
            );
        }
    }
}

fn draw_floor(canvas: &mut Canvas, camera: &Camera, area: Area, target: Vec3) {
    let middle = Vec3::new(target.x.round(), 0.0, target.z.round());
    let at = |x: i32, z: i32| middle + Vec3::new(x as f32 * GRID, 0.0, z as f32 * GRID);
    let mut line = |from: Vec3, to: Vec3| {
        let shown = camera.sees(from) && camera.sees(to);
        let ends = [camera.pixel(from), camera.pixel(to)];
        if shown && ends.iter().all(|end| area.contains(*end)) {
            canvas.line(ends[0], ends[1], Pen::new(Colour::FAINT, 1.0));
        }
    };
    for x in -LINES..=LINES {
        for z in -LINES..LINES {
            line(at(x, z), at(x, z + 1));
            line(at(z, x), at(z + 1, x));
        }
    }
}

/// Height of the words below a frame of a strip. [px]
const BELOW: u32 = 24;
