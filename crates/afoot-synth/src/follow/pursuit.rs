//! Edges held against the path, frame by frame.

use afoot_graph::{EdgeId, EdgeKind};

use super::prices::END_ZONE;
use super::problem::Following;
use super::spot::{Spot, Step};
use crate::edges::Edges;

/// Who wants to stand at the end of the path does so within this time, or not at all. [s]
const LATEST_STAND: f64 = 3.0;

/// What comes of an edge: error and state.
struct Outcome {
    /// Gone to its end; where a stand is wanted at the guide's end, only a stand ends it before.
    taken: Option<(f64, Spot)>,
    /// Ended where the guide does without a stand, though one is wanted.
    ended: Option<(f64, Spot)>,
}

/// How far along the guide an edge has come, and how far off it.
#[derive(Clone, Copy)]
pub(super) struct Pursuit {
    /// Frames of the edge so far.
    pub(super) frames: usize,
    /// [m]
    pub(super) along: f64,
    /// [m²]
    pub(super) error: f64,
    /// The square of the farthest. [m²]
    pub(super) farthest_off: f64,
}

impl<G: Edges> Following<'_, G> {
    /// The error of a step and the state behind it; `None` if it strays off. Where a stand is wanted
    /// at the guide's end, only a stand ends it.
    pub(crate) fn take(&self, spot: &Spot, step: Step) -> Option<(f64, Spot)> {
        self.take_to(spot, step, self.begin(spot)).taken
    }

    /// An edge before its first frame.
    fn begin(&self, spot: &Spot) -> Pursuit {
        Pursuit {
            frames: 0,
            along: spot.along,
            error: 0.0,
            farthest_off: 0.0,
        }
    }

    /// Two edges as far as neither can have come to the guide's end. A frame's place waits for that of
    /// the frame before, and a processor can wait for two at a time.
    fn begin_two(&self, spot: &Spot, steps: [Step; 2]) -> [Pursuit; 2] {
        let [a, b] = steps.map(|step| self.graph.trace(self.graph.edge(step.edge)).points);
        let [mut one, mut other] = [self.begin(spot); 2];
        for (&a, &b) in a.iter().zip(b) {
            if one.along.max(other.along) + self.progress.most >= self.guide.length() {
                break;
            }
            self.pursue(&mut one, spot.at.point32(a));
            self.pursue(&mut other, spot.at.point32(b));
        }
        [one, other]
    }

    /// The next frame of an edge.
    #[inline(always)]
    fn pursue(&self, pursuit: &mut Pursuit, point: [f64; 2]) {
        let (along, squared) = self.guide.advance(point, pursuit.along, &self.progress);
        pursuit.frames += 1;
        pursuit.along = along;
        pursuit.error += squared + self.quartic * squared * squared;
        pursuit.farthest_off = pursuit.farthest_off.max(squared);
    }

    /// The rest of an edge that has begun.
    fn take_to(&self, spot: &Spot, step: Step, mut pursuit: Pursuit) -> Outcome {
        let edge = self.graph.edge(step.edge);
        let trace = self.graph.trace(edge).points;
        let price = self.stand_prices[1];
        let left_after = |frame: usize| (trace.len() - 1 - frame) as u32;
        let (mut done, mut spare, mut late) = (false, 0, spot.late);
        let mut came_to_end = None;
        for (frame, &point) in trace.iter().enumerate().skip(pursuit.frames) {
            self.pursue(&mut pursuit, spot.at.point32(point));
            if pursuit.along >= self.guide.length() {
                came_to_end.get_or_insert((pursuit, left_after(frame)));
                if price <= 0.0 || self.stands_in(edge, frame as u32) {
                    (done, spare) = (true, left_after(frame));
                    break;
                }
                late += 1;
            }
        }
        let next = |pursuit: &Pursuit| Spot {
            node: edge.to,
            section: step.section,
            done,
            spare,
            late,
            owed: 0.0,
            along: pursuit.along,
            at: self.graph.after(edge, &spot.at),
        };
        let too_late = f64::from(late) * self.rate().frame_time() > LATEST_STAND;
        let error = self.error_of(spot, step, &pursuit);
        let taken = error.filter(|_| done || !too_late);
        let ended = came_to_end.filter(|_| price > 0.0 && spot.late == 0);
        Outcome {
            taken: taken.map(|error| (error, next(&pursuit))),
            ended: ended.and_then(|(pursuit, spare)| {
                let ended = Spot {
                    done: true,
                    spare,
                    late: 0,
                    ..next(&pursuit)
                };
                Some((self.error_of(spot, step, &pursuit)? + price, ended))
            }),
        }
    }

    pub(super) fn step(
        &self,
        spot: &Spot,
        section: usize,
        extra: f64,
        out: &mut impl FnMut(Step, f64, Spot),
    ) {
        let allowed = &self.plan.parts[section].allowed;
        let promising = self.promising(spot, section);
        let edges = self.graph.edges_from(spot.node).map(|(edge, _)| edge);
        let beside_end = spot.along < END_ZONE || spot.along > self.guide.length() - END_ZONE;
        let on_the_way = self.plan.parts[section].on_the_way;
        let fits = |edge: &EdgeId| beside_end || on_the_way.allows(self.graph.edge(*edge).labels);
        let tried = edges
            .filter(|edge| allowed.allows(*edge) && promising.contains(*edge))
            .filter(fits);
        let section = section as u16;
        let mut steps = tried.map(|edge| Step { edge, section });
        let mut take = |step: Step, begun: Pursuit| {
            let Outcome { taken, ended } = self.take_to(spot, step, begun);
            for (error, next) in taken.into_iter().chain(ended) {
                out(step, error + extra, next);
            }
        };
        while let Some(step) = steps.next() {
            // What plays on is short, and has no like.
            let plays = self.graph.edge(step.edge).kind() == EdgeKind::Play;
            let other = if plays { None } else { steps.next() };
            match other {
                None => take(step, self.begin(spot)),
                Some(other) => {
                    let [begun, other_begun] = self.begin_two(spot, [step, other]);
                    take(step, begun);
                    take(other, other_begun);
                }
            }
        }
    }
}
