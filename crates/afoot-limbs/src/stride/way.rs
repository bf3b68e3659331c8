//! The way of a walk over the ground: the root's track without its sway, measured by its length.

use glam::Vec3;

/// The way of a clip, a point a frame.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    points: Vec<Vec3>,
    /// Length of the way up to each frame. [m]
    arcs: Vec<f32>,
    tangents: Vec<Vec3>,
}

impl Way {
    /// The way of a root, its sway averaged out over `window` frames (a stride).
    pub fn of(roots: &[Vec3], window: usize) -> Self {
        let points = averaged(roots, window / 2);
        let steps = points.windows(2).map(|pair| pair[1].distance(pair[0]));
        let mut arcs = vec![0.0];
        for step in steps {
            arcs.push(arcs[arcs.len() - 1] + step);
        }
        let tangents = tangents(&points, (window / 4).max(1));
        Self {
            points,
            arcs,
            tangents,
        }
    }

    /// How long it is. [m]
    pub fn length(&self) -> f32 {
        self.arcs[self.arcs.len() - 1]
    }

    /// Where along the way a point is, seen from a frame. [m]
    pub fn along(&self, frame: usize, point: Vec3) -> f32 {
        let away = point - self.points[frame];
        self.arcs[frame] + away.dot(self.tangents[frame])
    }

    /// The length of the way at a frame. [m]
    pub fn arc(&self, frame: usize) -> f32 {
        self.arcs[frame]
    }

    /// The first frame whose length is more than that, if there is one.
    pub fn frame_after(&self, arc: f32) -> Option<usize> {
        let frame = self.arcs.partition_point(|own| *own <= arc);
        (frame < self.arcs.len()).then_some(frame)
    }

    /// The way's step from a frame to the next.
    pub fn step(&self, frame: usize) -> Vec3 {
        self.points[frame + 1] - self.points[frame]
    }

    /// Where the way goes at a frame.
    pub fn tangent(&self, frame: usize) -> Vec3 {
        self.tangents[frame]
    }

    /// Where it goes on the whole: from its first point to its last.
    pub fn direction(&self) -> Vec3 {
        let chord = self.points[self.points.len() - 1] - self.points[0];
        chord.try_normalize().unwrap_or(self.tangents[0])
    }

    /// Its first point, on the ground.
    pub fn start(&self) -> Vec3 {
        self.points[0]
    }

    /// How many frames it has.
    pub fn len(&self) -> usize {
        self.points.len()
    }
}

/// Ground points averaged over `reach` frames to either side, over which the track is thought to go on
/// as it began and ended.
fn averaged(roots: &[Vec3], reach: usize) -> Vec<Vec3> {
    let reach = reach.min(roots.len() - 1) as isize;
    let last = roots.len() as isize - 1;
    let ground = |frame: isize| roots[frame as usize].with_y(0.0);
    let at = |frame: isize| match frame {
        ..0 => 2.0 * ground(0) - ground((-frame).min(last)),
        _ if frame > last => 2.0 * ground(last) - ground((2 * last - frame).max(0)),
        _ => ground(frame),
    };
    let mean = |frame: isize| {
        let around = frame - reach..=frame + reach;
        around.map(at).sum::<Vec3>() / (2 * reach + 1) as f32
    };
    (0..=last).map(mean).collect()
}

/// Directions over `reach` frames to either side; where nothing moves, those of the frames before.
fn tangents(points: &[Vec3], reach: usize) -> Vec<Vec3> {
    let last = points.len() - 1;
    let chord = (points[last] - points[0]).normalize_or(Vec3::Z);
    let mut before = chord;
    let direction = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let step = points[to] - points[from];
        if step.length() > 0.002 * (to - from) as f32 {
            before = step.normalize();
        }
        before
    };
    (0..=last).map(direction).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sway_is_no_part_of_the_way() {
        let root = |frame: usize| {
            let t = frame as f32 / 30.0;
            Vec3::new((t * 6.3).sin() * 0.03, 0.9, t * 1.2)
        };
        let roots: Vec<Vec3> = (0..120).map(root).collect();
        let way = Way::of(&roots, 30);
        assert!(
            (way.length() - 1.2 * 119.0 / 30.0).abs() < 0.02,
            "{}",
            way.length()
        );
        assert!(way.tangent(60).z > 0.999);
        let ahead = way.along(60, roots[60] + Vec3::Z * 0.4) - way.arc(60);
        assert!((ahead - 0.4).abs() < 0.03, "{ahead}");
    }
}
