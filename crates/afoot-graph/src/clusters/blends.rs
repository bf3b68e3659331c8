//! How long the blend around a leap is best.
//!
//! The thesis leaves the interval to the animator and finds one to two seconds satisfactory (Shanbhag
//! 2006, §4.3). A long blend spreads what the two frames differ by, in speed above all, over more time; but
//! the further from them, the more the two clips differ: a walk and a run fall out of step within half a
//! cycle. Both are weighed in one number. Cost: one frame error a frame of the longest blend.

use afoot_core::FrameId;

use super::leaps::Leap;
use super::library_frames::LibraryFrames;
use crate::motion_graph::Place;

/// A blend of this half length is charged for the leap's error once more: what a transition of
/// Kovar et al. 2002 takes. [s]
const SHORT_HALF: f64 = 1.0 / 6.0;

/// A blend around a leap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlendFit {
    /// Half its length, which lies on either side of the leap. [frames, 1..]
    pub half: u32,
    /// How unlike what is blended is, and how hard it is pulled together. [m]
    pub cost: f32,
}

/// The best blend of at most so many frames on either side of a leap, or that very one if `exact`, as
/// far as both clips go and can be played.
pub fn fit_blend(frames: &LibraryFrames, leap: &Leap, most: u32, exact: bool) -> BlendFit {
    let errors = errors_around(frames, leap, most.max(1));
    let room = (errors.len() / 2) as u32;
    let short = frames.rate().frames_in(SHORT_HALF).max(1) as f32;
    let fit = |half: u32| BlendFit {
        half,
        cost: blend_cost(&errors, half, short),
    };
    match exact {
        true => fit(room),
        false => {
            let halves = (1..=room).map(fit);
            let best = halves.min_by(|x, y| x.cost.total_cmp(&y.cost));
            best.unwrap_or_else(|| fit(room))
        }
    }
}

/// Errors of the frames that a blend of `most` frames on either side would mix, as many on either side
/// as can be: at least one.
fn errors_around(frames: &LibraryFrames, leap: &Leap, most: u32) -> Vec<f32> {
    let left = Place {
        clip: leap.from.clip,
        frame: FrameId(leap.from.frame.0 + 1),
    };
    let beyond = |place: Place| frames.frames_of(place.clip).saturating_sub(place.frame.0);
    let ends = [left, leap.to].map(|place| place.frame.0.min(beyond(place)));
    let most = most.min(ends[0]).min(ends[1]).max(1);
    let error = |offset: i64| {
        let at = |place: Place| {
            let frame = i64::from(place.frame.0) + offset;
            let inside = frame.clamp(0, i64::from(frames.frames_of(place.clip)) - 1);
            frames.index(place.clip, FrameId(inside as u32))
        };
        let pair = [left, leap.to].map(at);
        let playable = pair.iter().all(|index| frames.state(*index).is_some());
        playable.then(|| frames.error(pair[0], pair[1]))
    };
    let both = |half: &u32| Some([error(-i64::from(*half))?, error(i64::from(*half) - 1)?]);
    let mut around: Vec<[f32; 2]> = (1..=most).map_while(|half| both(&half)).collect();
    if around.is_empty() {
        around.push([leap.error; 2]);
    }
    let before = around.iter().rev().map(|pair| pair[0]);
    before.chain(around.iter().map(|pair| pair[1])).collect()
}

/// The mean error of the middle `2 * half` frames, weighed by how much they are mixed, and the error at
/// the leap over the blend's length.
fn blend_cost(errors: &[f32], half: u32, short: f32) -> f32 {
    let (middle, half) = (errors.len() / 2, half as usize);
    let window = &errors[middle - half..middle + half];
    let mixed = |(frame, error): (usize, &f32)| {
        let t = (frame as f32 + 0.5) / window.len() as f32;
        6.0 * t * (1.0 - t) * error
    };
    let unlike = window.iter().enumerate().map(mixed).sum::<f32>() / window.len() as f32;
    let at_leap = 0.5 * (errors[middle - 1] + errors[middle]);
    unlike + at_leap * short / half as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The half length of least cost.
    fn best(errors: &[f32]) -> usize {
        let halves = 1..=errors.len() as u32 / 2;
        let cost = |half: &u32| blend_cost(errors, *half, 5.0);
        let best = halves.min_by(|x, y| cost(x).total_cmp(&cost(y)));
        best.unwrap() as usize
    }

    #[test]
    fn what_stays_alike_is_blended_long_and_what_falls_apart_short() {
        assert_eq!(best(&[0.02; 30]), 15);
        let apart: Vec<f32> = (0..30)
            .map(|frame| 0.02 + 0.03 * (frame as f32 - 14.5).abs())
            .collect();
        assert!((2..8).contains(&best(&apart)), "{}", best(&apart));
    }
}
