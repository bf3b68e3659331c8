//! A second of motion as a row of numbers, in nine aspects.
//!
//! The second around a frame (Arikan et al. 2003, §3.1) is sampled at seven moments, a sixth of a second
//! apart, between frames by lines; before a clip's first frame and after its last it stands still. One
//! aspect is theirs: the joints at all moments in the torso's axes of the frame in question, so that
//! travel shows. By itself it takes a jump on the spot and one with a run-up for strangers. So the
//! same second is told in eight other ways too, each a part of the kernel by itself (`afoot_learn::Kernel`):
//! posture without travel, speed by its parts and its size, turning, height, feet.

use std::ops::Range;

use super::signals::{ClipSignals, POINTS, Signals};

/// Moments at which a second is looked at. [s]
pub const MOMENTS: [f64; 7] = [-0.5, -1.0 / 3.0, -1.0 / 6.0, 0.0, 1.0 / 6.0, 1.0 / 3.0, 0.5];
const COUNT: usize = MOMENTS.len();

/// An aspect of a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aspect {
    /// What it is.
    pub name: &'static str,
    /// Its numbers in a row.
    pub columns: Range<usize>,
}

/// Numbers of each aspect at one moment.
const ASPECTS: [(&str, usize); 9] = [
    ("travel", 3 * POINTS),
    ("posture", 3 * POINTS),
    ("velocity", 2),
    ("speed", 1),
    ("rise", 1),
    ("turning", 1),
    ("height", 1),
    ("foot heights", 4),
    ("foot speeds", 4),
];

/// Numbers in a row.
pub const ROW: usize = {
    let mut sum = 0;
    let mut index = 0;
    while index < ASPECTS.len() {
        sum += COUNT * ASPECTS[index].1;
        index += 1;
    }
    sum
};

/// Which side of a mirror is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Image {
    /// As captured.
    Own,
    /// With sides swapped.
    Mirrored,
}

/// The aspects of a row, in their order.
pub fn aspects() -> Vec<Aspect> {
    let mut start = 0;
    let aspect = |(name, width): (&'static str, usize)| {
        let columns = start..start + COUNT * width;
        start = columns.end;
        Aspect { name, columns }
    };
    let all: Vec<Aspect> = ASPECTS.into_iter().map(aspect).collect();
    assert_eq!(start, ROW, "aspects fill a row");
    all
}

impl ClipSignals {
    /// Adds the row of the second around a frame.
    pub fn push_row(&self, frame: usize, image: Image, out: &mut Vec<f32>) {
        let end = out.len() + ROW;
        let moments = MOMENTS.map(|seconds| self.moment(frame, seconds, image));
        let own = moments[COUNT / 2];
        let (sin, cos) = own.yaw.sin_cos();
        for moment in &moments {
            let (dx, dz) = (
                moment.place[0] - own.place[0],
                moment.place[1] - own.place[1],
            );
            let moved = [dx * cos - dz * sin, dx * sin + dz * cos];
            let (sin, cos) = (moment.yaw - own.yaw).sin_cos();
            for [left, up, forward] in moment.points {
                out.push(left * cos + forward * sin + moved[0]);
                out.push(up);
                out.push(forward * cos - left * sin + moved[1]);
            }
        }
        moments
            .iter()
            .for_each(|m| out.extend(m.points.as_flattened()));
        moments
            .iter()
            .for_each(|m| out.extend([m.velocity[0], m.velocity[2]]));
        out.extend(moments.iter().map(|m| m.velocity[0].hypot(m.velocity[2])));
        out.extend(moments.iter().map(|m| m.velocity[1]));
        out.extend(moments.iter().map(|m| m.turning));
        out.extend(moments.iter().map(|m| m.height));
        moments.iter().for_each(|m| out.extend(m.foot_heights));
        moments.iter().for_each(|m| out.extend(m.foot_speeds));
        assert_eq!(out.len(), end, "a row's width");
    }

    /// The rows of all frames.
    pub fn rows(&self, image: Image) -> Vec<f32> {
        let mut out = Vec::with_capacity(self.len() * ROW);
        (0..self.len()).for_each(|frame| self.push_row(frame, image, &mut out));
        out
    }

    /// What a moment near a frame shows.
    fn moment(&self, frame: usize, seconds: f64, image: Image) -> Signals {
        let last = (self.len() - 1) as f64;
        let at = (frame as f64 + seconds * self.fps).clamp(0.0, last);
        let (before, part) = (at as usize, (at - at.floor()) as f32);
        let after = (before + 1).min(self.len() - 1);
        let between = self.frames[before].towards(&self.frames[after], part);
        match image {
            Image::Own => between,
            Image::Mirrored => between.mirrored(),
        }
    }
}

impl Signals {
    /// Between two frames, on a line.
    fn towards(&self, other: &Self, part: f32) -> Self {
        if part == 0.0 {
            return *self;
        }
        let mix = |a: f32, b: f32| a + (b - a) * part;
        fn each<const N: usize>(
            a: [f32; N],
            b: [f32; N],
            mix: impl Fn(f32, f32) -> f32,
        ) -> [f32; N] {
            std::array::from_fn(|index| mix(a[index], b[index]))
        }
        Self {
            points: std::array::from_fn(|i| each(self.points[i], other.points[i], mix)),
            place: each(self.place, other.place, mix),
            yaw: mix(self.yaw, other.yaw),
            height: mix(self.height, other.height),
            velocity: each(self.velocity, other.velocity, mix),
            turning: mix(self.turning, other.turning),
            foot_heights: each(self.foot_heights, other.foot_heights, mix),
            foot_speeds: each(self.foot_speeds, other.foot_speeds, mix),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::signals::measure_signals;
    use afoot_codec::ContentHash;
    use afoot_core::{Clip, Planar, mirror_clip};
    use afoot_sample::{SampleOptions, sample_library};

    fn walk() -> Clip {
        sample_library(&SampleOptions::default()).swap_remove(0)
    }

    fn rows(clip: &Clip, image: Image) -> Vec<f32> {
        measure_signals(clip, ContentHash::default())
            .unwrap()
            .rows(image)
    }

    fn check_alike(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            let off = (found - expected).abs();
            let (frame, column) = (at / ROW, at % ROW);
            assert!(
                off < 2e-2,
                "frame {frame}, column {column}: {found} {expected}"
            );
        }
    }

    #[test]
    fn it_does_not_matter_where_and_which_way_one_walks() {
        let clip = walk();
        let mut moved = clip.clone();
        moved.place(Planar::new(3.0, -5.0, 2.1));
        check_alike(&rows(&moved, Image::Own), &rows(&clip, Image::Own));
    }

    #[test]
    fn the_mirror_image_is_that_of_the_mirrored_clip() {
        let clip = walk();
        check_alike(
            &rows(&clip, Image::Mirrored),
            &rows(&mirror_clip(&clip), Image::Own),
        );
    }

    /// The paper's aspect the slow way: world places brought into the frame's axes.
    #[test]
    fn travel_is_the_joints_in_the_axes_of_the_frame() {
        let clip = walk();
        let signals = measure_signals(&clip, ContentHash::default()).unwrap();
        let scale = 0.8 / clip.skeleton.leg_length().unwrap();
        let positions = afoot_core::forward_kinematics(&clip);
        let chest = clip.skeleton.with_role(afoot_core::Role::Chest).unwrap();
        let frame = clip.len() / 2;
        let mut row = Vec::new();
        signals.push_row(frame, Image::Own, &mut row);
        let yaw = f64::from(signals.frames[frame].yaw);
        for (index, seconds) in MOMENTS.iter().enumerate() {
            let at = (frame as f64 + seconds * clip.rate.fps()).round();
            if (at - (frame as f64 + seconds * clip.rate.fps())).abs() > 1e-9 {
                continue; // between frames
            }
            let point = positions.joint(afoot_core::FrameId(at as u32), chest);
            let from = clip.root[frame];
            let turned = Planar::new(0.0, 0.0, -yaw).point3(point - from);
            let column = index * 3 * POINTS;
            assert!((row[column] - turned.x * scale).abs() < 1e-3, "{index}");
            assert!((row[column + 2] - turned.z * scale).abs() < 1e-3, "{index}");
        }
    }
}
