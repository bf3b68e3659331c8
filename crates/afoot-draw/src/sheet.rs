//! Contact sheets: stick figures in cells over a ground that stays still, and a view from above.
//!
//! The camera of each cell follows the root over the ground; the grid (every half metre) and the
//! green marks of plants are fixed to the world, so a sliding foot shows. Time goes row by row.

use afoot_core::{
    Clip, Contacts, FrameId, Ground, Planar, Positions, Vec3, forward_kinematics, yaw_of,
};

use crate::canvas::{Anchor, Area, Canvas, DrawError, Pen};
use crate::colour::Colour;
use crate::figure::{Camera, Figure, ground_of, travel_yaw};
use crate::path_plot::{plants_on_ground, root_trace};
use crate::scale::range_of;

/// Where the camera stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Turn of the camera away from a pure side view, in which the figure travels to the right;
    /// positive shows more of its front. [rad]
    pub turn: f32,
    /// Height of the eye above the horizon. [rad, 0 to π/2]
    pub elevation: f32,
}

impl View {
    /// Straight from the figure's right.
    pub const SIDE: Self = Self {
        turn: 0.0,
        elevation: 0.0,
    };
    /// From the right, a little in front and above.
    pub const THREE_QUARTER: Self = Self {
        turn: 0.6,
        elevation: 0.2,
    };
    /// Straight from the front.
    pub const FRONT: Self = Self {
        turn: std::f32::consts::FRAC_PI_2,
        elevation: 0.0,
    };
}

/// What a contact sheet shows.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetOptions {
    /// How many poses, evenly spread over the clip. [1 to 400]
    pub figures: usize,
    /// Poses a row. [≥ 1]
    pub columns: usize,
    /// Width of a cell. [px, 40 to 1000]
    pub cell_width: u32,
    /// Height of a cell. [px, 40 to 1000]
    pub cell_height: u32,
    /// Where the camera stands.
    pub view: View,
}

impl Default for SheetOptions {
    fn default() -> Self {
        Self {
            figures: 16,
            columns: 8,
            cell_width: 150,
            cell_height: 220,
            view: View::THREE_QUARTER,
        }
    }
}

/// What a strip around a moment shows.
#[derive(Clone, Debug, PartialEq)]
pub struct StripOptions {
    /// The moment in the middle. [s]
    pub time: f64,
    /// Frames shown before it, and after it. [0 to 200]
    pub radius: usize,
    /// Cells and camera; its number of figures is not used.
    pub sheet: SheetOptions,
}

impl Default for StripOptions {
    fn default() -> Self {
        Self {
            time: 0.0,
            radius: 10,
            sheet: SheetOptions {
                columns: 11,
                cell_width: 120,
                ..SheetOptions::default()
            },
        }
    }
}

/// A contact sheet of the whole clip with the root's way from above, as PNG.
pub fn draw_sheet(clip: &Clip, options: &SheetOptions) -> Result<Vec<u8>, DrawError> {
    check_frames(clip)?;
    let count = options.figures.clamp(1, 400).min(clip.len());
    let last = clip.len() - 1;
    let frames: Vec<usize> = match count {
        1 => vec![0],
        _ => (0..count).map(|i| i * last / (count - 1)).collect(),
    };
    draw_cells(clip, &frames, None, options)
}

/// Every frame around a moment, for looking at a transition, as PNG.
pub fn draw_strip(clip: &Clip, options: &StripOptions) -> Result<Vec<u8>, DrawError> {
    check_frames(clip)?;
    let middle = clip.rate.frames_in(options.time).min(clip.len() - 1);
    let radius = options.radius.min(200);
    let frames: Vec<usize> =
        (middle.saturating_sub(radius)..=(middle + radius).min(clip.len() - 1)).collect();
    draw_cells(clip, &frames, Some(middle), &options.sheet)
}

/// Text heights and margins. [px]
const CAPTION: f32 = 11.0;
const SMALL: f32 = 7.5;
const HEADER: f32 = 30.0;
/// Room for a cell's time, and for a head, above the highest joint. [px]
const HEAD_ROOM: f32 = 28.0;
/// How far down a cell the floor under the root lies.
const LOW: f32 = 0.84;

/// All that the cells of one sheet share.
struct Sheet<'a> {
    clip: &'a Clip,
    positions: Positions,
    figure: Figure,
    ground: Ground,
    yaw: f32,
    options: &'a SheetOptions,
    scale: f32,
}

fn check_frames(clip: &Clip) -> Result<(), DrawError> {
    match clip.is_empty() {
        true => Err(DrawError::Empty(format!(
            "clip {:?} has no frames",
            clip.name
        ))),
        false => Ok(()),
    }
}

fn draw_cells(
    clip: &Clip,
    frames: &[usize],
    marked: Option<usize>,
    options: &SheetOptions,
) -> Result<Vec<u8>, DrawError> {
    let sheet = Sheet::new(clip, options);
    let columns = options.columns.max(1).min(frames.len());
    let rows = frames.len().div_ceil(columns);
    let (cell_width, cell_height) = cell_size(options);
    let map_width = cell_height * rows.min(2) as f32;
    let width = cell_width * columns as f32 + map_width;
    let height = HEADER + cell_height * rows as f32;
    let mut canvas = Canvas::new(width.ceil() as u32, height.ceil() as u32)?;
    for (index, &frame) in frames.iter().enumerate() {
        let (column, row) = ((index % columns) as f32, (index / columns) as f32);
        let area = Area::new(
            column * cell_width,
            HEADER + row * cell_height,
            cell_width,
            cell_height,
        );
        sheet.draw_cell(&mut canvas, area, frame, marked == Some(frame));
    }
    let map = Area::new(
        width - map_width,
        HEADER,
        map_width,
        map_width.min(height - HEADER),
    );
    sheet.draw_map(&mut canvas, map, frames);
    canvas.fill(Area::new(0.0, 0.0, width, HEADER), Colour::WHITE, 1.0);
    canvas.text(
        &caption(clip),
        [8.0, 20.0],
        CAPTION,
        Anchor::Left,
        Colour::INK,
    );
    canvas.into_png()
}

fn cell_size(options: &SheetOptions) -> (f32, f32) {
    let clamp = |size: u32| size.clamp(40, 1000) as f32;
    (clamp(options.cell_width), clamp(options.cell_height))
}

fn caption(clip: &Clip) -> String {
    let seconds = clip.seconds();
    format!(
        "{}   {seconds:.2} s   {} frames   {}",
        clip.name,
        clip.len(),
        clip.rate
    )
}

/// The farthest that a joint gets from the root, over the ground. [m]
fn reach(clip: &Clip, positions: &Positions) -> f32 {
    let far = |frame: usize| {
        let points = positions.frame(FrameId::from(frame)).iter();
        let away = points.map(|point| (*point - clip.root[frame]).with_y(0.0).length());
        away.fold(0.0, f32::max)
    };
    (0..clip.len()).map(far).fold(1e-3, f32::max)
}

impl<'a> Sheet<'a> {
    fn new(clip: &'a Clip, options: &'a SheetOptions) -> Self {
        let positions = forward_kinematics(clip);
        let figure = Figure::new(&clip.skeleton);
        let (cell_width, cell_height) = cell_size(options);
        let tall = cell_height * 0.66 / figure.stature();
        // People are taller than long; what is no person may reach far ahead of its root.
        let scale = match clip.skeleton.leg_length() {
            Some(_) => tall,
            None => tall.min(cell_width * 0.48 / reach(clip, &positions)),
        };
        Self {
            ground: ground_of(clip, &positions),
            yaw: travel_yaw(clip),
            scale,
            clip,
            positions,
            figure,
            options,
        }
    }

    fn draw_cell(&self, canvas: &mut Canvas, area: Area, frame: usize, marked: bool) {
        let root = self.clip.root[frame];
        let camera = self.camera(area, frame);
        canvas.fill(area, Colour::WHITE, 1.0);
        self.draw_ground(canvas, area, &camera, root);
        self.draw_trace(canvas, area, &camera);
        let points = self.positions.frame(FrameId::from(frame));
        self.figure.draw(canvas, &camera, points, 2.6);
        let contacts = self
            .clip
            .contacts
            .get(frame)
            .copied()
            .unwrap_or(Contacts::NONE);
        self.figure
            .draw_plants(canvas, &camera, points, contacts, 3.6);
        let pen = match marked {
            true => Pen::new(Colour::TRACE, 3.0),
            false => Pen::new(Colour::FAINT, 1.0),
        };
        canvas.frame(area, pen);
        let time = frame as f64 * self.clip.rate.frame_time();
        let text = format!("{time:.2} s  {frame}");
        canvas.text(
            &text,
            [area.x + 6.0, area.y + 14.0],
            SMALL,
            Anchor::Left,
            Colour::GREY,
        );
    }

    /// Looks at the ground under the root, which stands low in the cell; higher or lower where the figure would else
    /// be out of it.
    fn camera(&self, area: Area, frame: usize) -> Camera {
        let root = self.clip.root[frame];
        let floor = self.ground.height_at(root.x, root.z);
        let target = Vec3::new(
            root.x,
            floor + self.out_of_sight(area, frame, floor),
            root.z,
        );
        let view = self.options.view;
        let yaw = self.yaw + view.turn;
        let centre = [area.x + area.width * 0.5, area.y + area.height * LOW];
        Camera::new([yaw, view.elevation], target, centre, self.scale)
    }

    /// How far the figure is above what a cell shows over the floor, or, negative, below it. [m]
    fn out_of_sight(&self, area: Area, frame: usize, floor: f32) -> f32 {
        let heights = self.positions.frame(FrameId::from(frame)).iter();
        let (bottom, top) = heights.fold((f32::MAX, f32::MIN), |(low, high), point| {
            (low.min(point.y - floor), high.max(point.y - floor))
        });
        let above = (area.height * LOW - HEAD_ROOM) / self.scale;
        let below = area.height * (1.0 - LOW) / self.scale;
        (top - above).max(0.0) + (bottom + below).min(0.0)
    }

    fn draw_ground(&self, canvas: &mut Canvas, area: Area, camera: &Camera, root: Vec3) {
        const STEP: f32 = 0.5;
        const REACH: i32 = 4;
        let (x0, z0) = ((root.x / STEP).round(), (root.z / STEP).round());
        let at = |i: i32, j: i32| {
            let (x, z) = ((x0 + i as f32) * STEP, (z0 + j as f32) * STEP);
            camera.pixel(Vec3::new(x, self.ground.height_at(x, z), z))
        };
        for i in -REACH..=REACH {
            // Piecewise, so that only what lies within the cell is drawn.
            let across: Vec<_> = (-REACH * 8..=REACH * 8).collect();
            let along_x: Vec<_> = across.iter().map(|&j| lerp8(&at, j, i, false)).collect();
            let along_z: Vec<_> = across.iter().map(|&j| lerp8(&at, j, i, true)).collect();
            for line in [along_x, along_z] {
                draw_inside(canvas, area, &line, Pen::new(Colour::FAINT, 1.0));
            }
        }
    }

    fn draw_trace(&self, canvas: &mut Canvas, area: Area, camera: &Camera) {
        let on_ground =
            |p: &Vec3| camera.pixel(Vec3::new(p.x, self.ground.height_at(p.x, p.z), p.z));
        let below: Vec<_> = self.clip.root.iter().map(on_ground).collect();
        let trace: Vec<_> = self.clip.root.iter().map(|&p| camera.pixel(p)).collect();
        let faint = Pen {
            opacity: 0.35,
            ..Pen::new(Colour::TRACE, 1.2)
        };
        draw_inside(canvas, area, &below, faint);
        draw_inside(canvas, area, &trace, faint);
    }

    /// The root's way from above: x to the right, z down, as on an SVG page.
    fn draw_map(&self, canvas: &mut Canvas, area: Area, frames: &[usize]) {
        canvas.fill(area, Colour::WHITE, 1.0);
        canvas.frame(area, Pen::new(Colour::FAINT, 1.0));
        let trace = root_trace(self.clip);
        let plants = plants_on_ground(self.clip);
        let all = || trace.iter().chain(&plants);
        let (Some([x0, x1]), Some([z0, z1])) =
            (range_of(all().map(|p| p[0])), range_of(all().map(|p| p[1])))
        else {
            return;
        };
        let side = (x1 - x0).max(z1 - z0).max(1.0) * 1.25;
        let scale = f64::from(area.width.min(area.height)) / side;
        let middle = [(x0 + x1) * 0.5, (z0 + z1) * 0.5];
        let pixel = |p: [f64; 2]| {
            [
                area.x + area.width * 0.5 + ((p[0] - middle[0]) * scale) as f32,
                area.y + area.height * 0.5 + ((p[1] - middle[1]) * scale) as f32,
            ]
        };
        for &plant in &plants {
            canvas.dot(pixel(plant), 2.0, Colour::PLANT);
        }
        let line: Vec<_> = trace.iter().map(|&p| pixel(p)).collect();
        canvas.polyline(&line, Pen::new(Colour::TRACE, 1.6));
        for &frame in frames {
            let root = self
                .clip
                .rotation(FrameId::from(frame), afoot_core::JointId(0));
            let heading = f64::from(yaw_of(root));
            let place = Planar::new(trace[frame][0], trace[frame][1], heading);
            let tip = place.point([0.0, 14.0 / scale]);
            canvas.line(pixel(trace[frame]), pixel(tip), Pen::new(Colour::INK, 1.2));
        }
        canvas.dot(pixel(trace[0]), 4.0, Colour::TRACE);
        self.draw_map_legend(canvas, area, scale as f32);
    }

    fn draw_map_legend(&self, canvas: &mut Canvas, area: Area, scale: f32) {
        let metre = if scale > area.width * 0.6 { 0.5 } else { 1.0 };
        let (x, y) = (area.x + 8.0, area.y + area.height - 10.0);
        canvas.line([x, y], [x + scale * metre, y], Pen::new(Colour::INK, 2.0));
        let text = format!("{metre} m");
        canvas.text(&text, [x, y - 6.0], SMALL, Anchor::Left, Colour::INK);
        canvas.text(
            "from above",
            [x, area.y + 14.0],
            SMALL,
            Anchor::Left,
            Colour::GREY,
        );
    }
}

/// A point on a grid line, eight to a cell of the grid.
fn lerp8(at: &impl Fn(i32, i32) -> [f32; 2], eighth: i32, line: i32, swap: bool) -> [f32; 2] {
    let (whole, share) = (eighth.div_euclid(8), eighth.rem_euclid(8) as f32 / 8.0);
    let place = |j: i32| if swap { at(j, line) } else { at(line, j) };
    let (a, b) = (place(whole), place(whole + 1));
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/// Draws only the pieces that lie wholly within `area`.
fn draw_inside(canvas: &mut Canvas, area: Area, points: &[[f32; 2]], pen: Pen) {
    let kept: Vec<[f32; 2]> = points
        .iter()
        .map(|&p| if area.contains(p) { p } else { [f32::NAN; 2] })
        .collect();
    canvas.polyline(&kept, pen);
}
