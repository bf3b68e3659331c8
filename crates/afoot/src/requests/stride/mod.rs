//! A walk with other steps, on other ground.

mod length;

use std::sync::Arc;

use afoot_analyze::Terrain;
use afoot_core::{Clip, Side, Vec3, clip_at};
use afoot_edit::cleanup::{SettleOptions, settle_feet};
use afoot_limbs::plants::plants_of;
use afoot_limbs::stride::{
    Footprint, Measure, Obstacle, Stairs, StrideError, StrideOptions, StrideReport, Surface,
    change_stride, stand_span,
};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use super::motion_input::MotionInput;
use crate::delivery::{
    LegChanges, LegsAsked, MotionHeader, MotionPiece, MotionRequest, OneClip, Outlet, Told,
};
use crate::failure::Failure;
use crate::files::FileName;
use crate::rounding::to_ten_thousandths;
use crate::workspace::Workspace;

/// Asks for a walk with other steps. Nothing asked gives the walk back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stride {
    /// What to change: a walk, or a part of one.
    pub input: MotionInput,
    /// How long steps are, in parts of the captured. [> 0, at most 10]
    pub stride: f64,
    /// The same in metres, in the mean. [m, > 0, at most 10]
    pub stride_m: Option<f64>,
    /// How high feet are lifted, in parts of the captured. [> 0, at most 20]
    pub lift: f64,
    /// The same in metres, in the mean. [m, > 0, at most 5]
    pub lift_m: Option<f64>,
    /// What is added to the factor of each step after the first. [-10 to 10]
    pub ramp: f64,
    /// Come to the stride that is asked for step by step, from the captured one.
    pub ramp_to: bool,
    /// Walk exactly so far, repeating or cutting the clip. [m, > 0, at most 10000]
    pub metres: Option<f64>,
    /// Begin out of a stand, over so many steps. [0 to 1000]
    pub from_stand: usize,
    /// End in a stand, over so many steps. [0 to 1000]
    pub to_stand: usize,
    /// Walk so many times as fast, half by longer steps and half by quicker ones. [0.25 to 4]
    pub speed: f64,
    /// Walk a curve of this radius, to the left; to the right if it is negative. [m, -100000 to 100000, not 0]
    pub radius: Option<f64>,
    /// Walk up a slope, or down where it is negative. [degrees, -30 to 30]
    pub incline: f64,
    /// Walk on stairs.
    pub stairs: Option<StairsWish>,
    /// Walk on uneven ground.
    pub terrain: Option<HeightGrid>,
    /// Step over these.
    pub obstacles: Vec<ObstacleWish>,
    /// Step on these, one for each footfall; strides, ramps and curves don't count then.
    pub footprints: Vec<FootprintWish>,
    /// Don't put feet still before anything is changed.
    pub leave_feet: bool,
}

/// Stairs, a foot to a tread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StairsWish {
    /// From a tread to the next; down where it is negative. [m, -5 to 5]
    pub rise: f64,
    /// How deep a tread is. [m, > 0, at most 100]
    pub tread: f64,
    /// Where the first edge is, from where the walk begins; after two steps if it is left open. [m, -100000 to 100000]
    pub from: Option<f64>,
}

/// Something across the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ObstacleWish {
    /// From where the walk begins. [m, -100000 to 100000]
    pub at: f64,
    /// [m, 0 to 10]
    pub height: f64,
    /// Along the way. [m, 0 to 100]
    pub depth: f64,
}

/// A place for a foot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootprintWish {
    /// `left` or `right`.
    pub foot: String,
    /// Where its ball goes. [m, -100000 to 100000]
    pub x: f64,
    /// [m, -100000 to 100000]
    pub z: f64,
    /// Where its toes point; as captured if it is left open. [degrees, -36000 to 36000]
    pub heading: Option<f64>,
}

/// Heights over the floor on a grid, linear in between and level beyond.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeightGrid {
    /// Where the first height is: x, z. [m, -100000 to 100000]
    pub origin: [f64; 2],
    /// Distance of neighbours. [m, > 0, at most 1000]
    pub cell: f64,
    /// Rows along z, each along x. [m, -10000 to 10000]
    pub heights: Vec<Vec<f64>>,
}

/// What a change of stride tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StrideDetails {
    /// Mean factor of the steps.
    pub factor: f64,
    /// Factor of the lift.
    pub lift: f64,
    /// Every step.
    pub steps: Vec<StepReport>,
    /// How far it goes, from the root's first place to its last. [m]
    pub metres: f64,
    /// Most that hips were lowered so that legs reach. [m]
    pub lowered_m: f64,
    /// Farthest that a planted foot is from the surface. [mm]
    pub planted_off_mm: f64,
    /// Deepest that a sole is below the surface. [mm]
    pub through_mm: f64,
    /// Where the first edge of stairs is, from where the walk begins. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_edge_m: Option<f64>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepReport {
    /// `left` or `right`.
    pub foot: String,
    /// As captured. [m]
    pub captured_m: f64,
    /// As it was to be; none of footprints. [m]
    pub asked_m: Option<f64>,
    /// As it is. [m]
    pub made_m: f64,
}

impl Default for Stride {
    fn default() -> Self {
        Self {
            input: MotionInput::Clip(String::new()),
            stride: 1.0,
            stride_m: None,
            lift: 1.0,
            lift_m: None,
            ramp: 0.0,
            ramp_to: false,
            metres: None,
            from_stand: 0,
            to_stand: 0,
            speed: 1.0,
            radius: None,
            incline: 0.0,
            stairs: None,
            terrain: None,
            obstacles: Vec::new(),
            footprints: Vec::new(),
            leave_feet: false,
        }
    }
}

impl MotionRequest for Stride {
    type Details = StrideDetails;

    fn reads(&self) -> Option<&FileName> {
        self.input.file()
    }

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<StrideDetails>, Failure> {
        let wish = self.options()?;
        let source = outlet.aside(|| self.input.read(from))?;
        let (captured, metres) = outlet.aside(|| self.walk(&source, &wish, run))?;
        let walk = match self.leave_feet || !self.changes_feet() {
            true => captured.clone(),
            false => settle_feet(&captured, &SettleOptions::default())?.0,
        };
        let paced = self.paced(&walk)?;
        let wish = StrideOptions {
            ramp: self.ramp_of(&paced, &wish),
            stride: self.first_stride(&wish),
            distance: metres.map(|metres| metres as f32),
            stand_span: self.stand_span(from, &paced)?,
            ..wish
        };
        let made = change_stride(&paced, &wish)?;
        let details = StrideDetails::of(&made.report, &made.clip);
        if self.changes_feet() {
            outlet.changes_legs(self.asks_of_legs(&made.report));
        }
        let like = source.like.clone();
        let captured = match self.speed == 1.0 {
            true => captured,
            false => paced,
        };
        let middle = made.clip.root[made.clip.len() / 2];
        let terrain = made.heights.map(Terrain::new);
        let one = OneClip::new(source.name, captured).staying(middle, terrain);
        let header = MotionHeader::of_clip(one, made.clip.len() as u64);
        outlet.begin(header.written_like(like))?;
        outlet.push(MotionPiece::of_one_from(
            made.clip,
            made.frames,
            u64::from(made.held),
        ))?;
        Ok(Told::of(details))
    }
}

/// Nobody walks a tighter curve. [m]
const TIGHTEST: f64 = 0.5;

impl Stride {
    fn options(&self) -> Result<StrideOptions, Failure> {
        let surfaces = [
            self.incline != 0.0,
            self.stairs.is_some(),
            self.terrain.is_some(),
        ];
        if surfaces.into_iter().filter(|wanted| *wanted).count() > 1 {
            return Err(Failure::bad_request(
                "a slope, stairs or terrain: give one of them",
            ));
        }
        if let Some(radius) = self.radius.filter(|radius| radius.abs() < TIGHTEST) {
            let expected = format!("{TIGHTEST} m or more, either way");
            return Err(Failure::bad_value("radius", radius, &expected));
        }
        let measure = |factor: f64, metres: Option<f64>| match metres {
            Some(metres) => Measure::Metres(metres as f32),
            None => Measure::Factor(factor as f32),
        };
        let obstacle = |wish: &ObstacleWish| Obstacle {
            at: wish.at as f32,
            height: wish.height as f32,
            depth: wish.depth as f32,
        };
        let prints: Result<Vec<Footprint>, Failure> = self
            .footprints
            .iter()
            .map(FootprintWish::footprint)
            .collect();
        Ok(StrideOptions {
            stride: measure(self.stride * self.speed.sqrt(), self.stride_m),
            lift: measure(self.lift, self.lift_m),
            ramp: self.ramp as f32,
            distance: self.metres.map(|metres| metres as f32),
            ease_in: self.from_stand,
            ease_out: self.to_stand,
            stand_span: None,
            turn: self.radius.map_or(0.0, |radius| 1.0 / radius as f32),
            surface: self.surface()?,
            obstacles: self.obstacles.iter().map(obstacle).collect(),
            footprints: prints?,
        })
    }

    /// How the body stands that is to stand, where the library shows it.
    fn stand_span(&self, from: &Workspace, body: &Clip) -> Result<Option<f32>, Failure> {
        let stands = self.from_stand > 0 || self.to_stand > 0;
        match from.any_library().filter(|_| stands) {
            Some(library) => library.stand_span(body),
            None => Ok(stand_span([body])),
        }
    }

    fn surface(&self) -> Result<Surface, Failure> {
        if let Some(stairs) = self.stairs {
            return Ok(Surface::Stairs(Stairs {
                rise: stairs.rise as f32,
                tread: stairs.tread as f32,
                from: stairs.from.map(|from| from as f32),
            }));
        }
        match &self.terrain {
            Some(grid) => grid.surface(),
            None if self.incline != 0.0 => Ok(Surface::Incline(self.incline.to_radians() as f32)),
            None => Ok(Surface::Own),
        }
    }

    /// Whether any foot goes elsewhere than it went.
    fn changes_feet(&self) -> bool {
        let nothing = Self {
            input: self.input.clone(),
            leave_feet: self.leave_feet,
            ..Self::default()
        };
        *self != nothing
    }

    /// What is asked of legs. On other ground, over obstacles and onto footprints they do what these want.
    fn asks_of_legs(&self, report: &StrideReport) -> LegsAsked {
        let level = self.incline == 0.0 && self.stairs.is_none() && self.terrain.is_none();
        if !(level && self.obstacles.is_empty() && self.footprints.is_empty()) {
            return LegsAsked::AsTheyCome;
        }
        let asked = report.asked;
        LegsAsked::So(LegChanges {
            hips: asked.hips.map(|metres| 100.0 * f64::from(metres)),
            knees: asked.knees.map(|angle| f64::from(angle).to_degrees()),
        })
    }

    /// The walk played faster or slower, by the half of the speed that is not stride.
    fn paced(&self, clip: &Clip) -> Result<Clip, Failure> {
        if self.speed == 1.0 {
            return Ok(clip.clone());
        }
        let pace = self.speed.sqrt();
        let frames = ((clip.len() - 1) as f64 / pace).floor() as usize + 1;
        let moments: Vec<f64> = (0..frames).map(|frame| frame as f64 * pace).collect();
        Ok(clip_at(clip, &moments, clip.rate))
    }

    /// What each step is changed by to come from the captured stride to the one that is asked for.
    fn ramp_of(&self, clip: &Clip, wish: &StrideOptions) -> f32 {
        let steps = plants_of(clip).len().saturating_sub(2).max(1) as f32;
        match (self.ramp_to, wish.stride) {
            (true, Measure::Factor(factor)) => (factor - 1.0) / steps,
            _ => wish.ramp,
        }
    }

    fn first_stride(&self, wish: &StrideOptions) -> Measure {
        match self.ramp_to {
            true => Measure::Factor(1.0),
            false => wish.stride,
        }
    }
}

impl FootprintWish {
    fn footprint(&self) -> Result<Footprint, Failure> {
        let side = match self.foot.as_str() {
            "left" => Side::Left,
            "right" => Side::Right,
            other => return Err(Failure::bad_value("foot", other, "left or right")),
        };
        Ok(Footprint {
            side,
            x: self.x as f32,
            z: self.z as f32,
            yaw: self.heading.map(|heading| heading.to_radians() as f32),
        })
    }
}

impl HeightGrid {
    fn surface(&self) -> Result<Surface, Failure> {
        let width = self.heights.first().map_or(0, Vec::len);
        let even = width > 0 && self.heights.iter().all(|row| row.len() == width);
        if !even {
            let expected = "rows of equal length";
            let found = format!("{} rows", self.heights.len());
            return Err(Failure::bad_value("terrain", found, expected));
        }
        let grid = self.clone();
        Ok(Surface::Terrain(Arc::new(move |x, z| grid.height(x, z))))
    }

    fn height(&self, x: f32, z: f32) -> f32 {
        let cells = |at: f32, origin: f64, count: usize| {
            let at = ((f64::from(at) - origin) / self.cell).clamp(0.0, (count - 1) as f64);
            let low = (at.floor() as usize).min(count.saturating_sub(2));
            (low, (low + 1).min(count - 1), at - low as f64)
        };
        let (x0, x1, dx) = cells(x, self.origin[0], self.heights[0].len());
        let (z0, z1, dz) = cells(z, self.origin[1], self.heights.len());
        let row = |z: usize| self.heights[z][x0] * (1.0 - dx) + self.heights[z][x1] * dx;
        (row(z0) * (1.0 - dz) + row(z1) * dz) as f32
    }
}

impl StrideDetails {
    fn of(report: &StrideReport, clip: &Clip) -> Self {
        let name = |side: Side| match side {
            Side::Left => "left".to_owned(),
            Side::Right => "right".to_owned(),
        };
        let gone: Vec3 = clip.root[clip.len() - 1] - clip.root[0];
        Self {
            factor: to_ten_thousandths(report.factor),
            lift: to_ten_thousandths(report.lift),
            steps: (report.steps.iter())
                .map(|step| StepReport {
                    foot: name(step.side),
                    captured_m: to_ten_thousandths(step.captured),
                    asked_m: step.asked.map(to_ten_thousandths),
                    made_m: to_ten_thousandths(step.made),
                })
                .collect(),
            metres: to_ten_thousandths(gone.with_y(0.0).length()),
            lowered_m: to_ten_thousandths(report.lowered),
            planted_off_mm: to_ten_thousandths(report.planted_off * 1000.0),
            through_mm: to_ten_thousandths(report.through * 1000.0),
            first_edge_m: report.first_edge.map(to_ten_thousandths),
        }
    }
}

impl From<StrideError> for Failure {
    fn from(error: StrideError) -> Self {
        use StrideError as E;
        match &error {
            E::TooFewPlants { .. } | E::NoTravel { .. } | E::TooLong { .. } => {
                Self::no_motion(error)
            }
            E::ObstacleTooDeep { .. } | E::NotStraightOn { .. } | E::TooLow { .. } => {
                Self::no_motion(error)
            }
            _ => Self::bad_request(error),
        }
    }
}
