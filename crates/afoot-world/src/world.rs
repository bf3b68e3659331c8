//! The world file of `crowd`, `plan` and `survey`: a rectangle of ground, what stands on it, and where
//! only some motion may happen.
//!
//! Lengths in metres, points are x, z. Clearances are distances to what stands in the way, negative
//! inside it; a query costs a few nanoseconds per obstacle edge (a grid over them is in `room`).
//! Where the world wraps around, its bounds hinder nobody and obstacles count at every repetition next
//! to the point. What regions, rivers, bars, beams and raised ground ask of motion is in `rules`.

use serde::Deserialize;
use thiserror::Error;

use crate::geometry::{crossing_edges, distance};
use crate::shapes::{Bar, Beam, Obstacle, Raised, Region, River};

/// Larger coordinates are taken for a mistake. [m]
const FARTHEST: f64 = 1e6;
/// About half a person's shoulder width.
const RADIUS: f64 = 0.25;

/// Ground with what stands on it.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Least and greatest corner. [m]
    pub bounds: [[f64; 2]; 2],
    /// What nobody may enter.
    pub obstacles: Vec<Obstacle>,
    /// Where not everything may be done.
    pub regions: Vec<Region>,
    /// Where no foot may stand.
    pub rivers: Vec<River>,
    /// What one passes under.
    pub bars: Vec<Bar>,
    /// Narrow ways to walk on.
    pub beams: Vec<Beam>,
    /// Ground that is higher than the rest.
    pub heights: Vec<Raised>,
    /// Of the disc that a character takes up. [m, > 0]
    pub radius: f64,
    /// Whether who leaves on one side comes in on the other.
    pub wrap: bool,
    /// Where a crowd's first characters start; the others start anywhere. [m]
    pub starts: Vec<[f64; 2]>,
    /// Where a crowd goes, each character to the one of its number first; none lets them choose. [m]
    pub goals: Vec<[f64; 2]>,
}

/// What is wrong with a world.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum WorldError {
    #[error("line {line}, column {column}: {message}")]
    Json {
        line: usize,
        column: usize,
        message: String,
    },
    #[error(
        "the world's bounds are [[{}, {}], [{}, {}]]; expected the least corner, then the greatest, \
         in finite metres", .0[0][0], .0[0][1], .0[1][0], .0[1][1]
    )]
    Bounds([[f64; 2]; 2]),
    #[error("the world's radius is {0}; expected metres above 0 and below half its width")]
    Radius(f64),
    #[error("{what} {index} has the circle [{}, {}, {}]; expected x, z and a radius above 0, in metres", .circle[0], .circle[1], .circle[2])]
    Circle {
        what: &'static str,
        index: usize,
        circle: [f64; 3],
    },
    #[error(
        "{what} {index} has {corners} usable corners; expected three or more with finite metres"
    )]
    Polygon {
        what: &'static str,
        index: usize,
        corners: usize,
    },
    #[error("{what} {index} crosses itself: its edges from corner {} to {} and from corner {} to {}", .edges[0], .edges[0] + 1, .edges[1], .edges[1] + 1)]
    CrossesItself {
        what: &'static str,
        index: usize,
        edges: [usize; 2],
    },
    #[error("{what} {index} has the {measure} {found}; expected {expected}")]
    Measure {
        what: &'static str,
        index: usize,
        measure: &'static str,
        found: f64,
        expected: &'static str,
    },
    #[error("{what} {index} leads from [{}, {}] to [{}, {}]; expected two places in finite metres, apart from each other", .ends[0][0], .ends[0][1], .ends[1][0], .ends[1][1])]
    Ends {
        what: &'static str,
        index: usize,
        ends: [[f64; 2]; 2],
    },
    #[error("{what} {index} of the world is [{}, {}]; expected ground free for a radius of {radius} m", .place[0], .place[1])]
    Place {
        what: &'static str,
        index: usize,
        place: [f64; 2],
        radius: f64,
    },
    #[error("starts {first} and {second} of the world are nearer than two radii of {radius} m")]
    SamePlace {
        first: usize,
        second: usize,
        radius: f64,
    },
}

impl World {
    /// Reads a world file.
    pub fn from_json(text: &str) -> Result<Self, WorldError> {
        let text = text.trim_start_matches('\u{feff}');
        let file: WorldFile = serde_json::from_str(text).map_err(|error| WorldError::Json {
            line: error.line(),
            column: error.column(),
            message: without_place(&error.to_string()),
        })?;
        let world = Self {
            bounds: file.bounds,
            obstacles: file.obstacles,
            regions: file.regions,
            rivers: file.rivers,
            bars: file.bars,
            beams: file.beams,
            heights: file.heights,
            radius: file.radius.unwrap_or(RADIUS),
            wrap: file.wrap,
            starts: file.starts,
            goals: file.goals,
        };
        world.check()?;
        Ok(world)
    }

    /// Whether its numbers make sense.
    pub fn check(&self) -> Result<(), WorldError> {
        let [low, high] = self.bounds;
        if !(is_place(low) && is_place(high) && low[0] < high[0] && low[1] < high[1]) {
            return Err(WorldError::Bounds(self.bounds));
        }
        let [width, depth] = self.size();
        if !(self.radius > 0.0 && 2.0 * self.radius < width.min(depth)) {
            return Err(WorldError::Radius(self.radius));
        }
        self.check_shapes()?;
        self.check_places("start", &self.starts)?;
        self.check_places("goal", &self.goals)?;
        self.check_starts_apart()
    }

    fn check_shapes(&self) -> Result<(), WorldError> {
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            match obstacle {
                Obstacle::Circle(circle) => check_circle(*circle, index)?,
                Obstacle::Polygon(corners) => check_polygon(corners, "obstacle", index)?,
            }
        }
        for (index, region) in self.regions.iter().enumerate() {
            check_polygon(&region.polygon, "region", index)?;
        }
        for (index, river) in self.rivers.iter().enumerate() {
            check_polygon(&river.polygon, "river", index)?;
        }
        for (index, bar) in self.bars.iter().enumerate() {
            check_ends([bar.from, bar.to], "bar", index)?;
            check_measure("bar", index, "height", bar.height, bar.height > 0.0)?;
        }
        for (index, beam) in self.beams.iter().enumerate() {
            check_ends([beam.from, beam.to], "beam", index)?;
            check_measure("beam", index, "width", beam.width, beam.width > 0.0)?;
            check_measure("beam", index, "height", beam.height, beam.height >= 0.0)?;
        }
        for (index, raised) in self.heights.iter().enumerate() {
            check_polygon(&raised.polygon, "height", index)?;
            check_measure("height", index, "height", raised.height, true)?;
        }
        Ok(())
    }

    /// Whether a character fits at each of them.
    fn check_places(&self, what: &'static str, places: &[[f64; 2]]) -> Result<(), WorldError> {
        let free = |place: [f64; 2]| is_place(place) && self.clearance(place) >= self.radius;
        match places.iter().position(|&place| !free(place)) {
            None => Ok(()),
            Some(index) => Err(WorldError::Place {
                what,
                index,
                place: places[index],
                radius: self.radius,
            }),
        }
    }

    fn check_starts_apart(&self) -> Result<(), WorldError> {
        for (second, b) in self.starts.iter().enumerate() {
            for (first, a) in self.starts[..second].iter().enumerate() {
                if distance(*a, *b) < 2.0 * self.radius {
                    let radius = self.radius;
                    return Err(WorldError::SamePlace {
                        first,
                        second,
                        radius,
                    });
                }
            }
        }
        Ok(())
    }

    /// Along x and z. [m]
    pub fn size(&self) -> [f64; 2] {
        let [low, high] = self.bounds;
        [high[0] - low[0], high[1] - low[1]]
    }

    /// Room between a point and the nearest obstacle or border. [m; negative inside or beyond]
    pub fn clearance(&self, point: [f64; 2]) -> f64 {
        self.obstacle_clearance(point).min(self.border(point))
    }

    /// Room between a point and the nearest obstacle alone. [m]
    pub fn obstacle_clearance(&self, point: [f64; 2]) -> f64 {
        self.nearest(point, |obstacle, point| obstacle.clearance(point))
    }

    /// Room between a straight line and the nearest obstacle or border; 0 or less where it hits. [m]
    pub fn segment_clearance(&self, from: [f64; 2], to: [f64; 2]) -> f64 {
        let along = [to[0] - from[0], to[1] - from[1]];
        let room = self.nearest(from, |obstacle, from| {
            obstacle.segment_clearance(from, [from[0] + along[0], from[1] + along[1]])
        });
        room.min(self.border(from)).min(self.border(to))
    }

    /// Room between a point and the bounds, also where they wrap around. [m]
    pub fn bounds_clearance(&self, [x, z]: [f64; 2]) -> f64 {
        let [low, high] = self.bounds;
        (x - low[0])
            .min(high[0] - x)
            .min(z - low[1])
            .min(high[1] - z)
    }

    /// The same point within the bounds of a world that wraps around; elsewhere unchanged.
    pub fn fold(&self, point: [f64; 2]) -> [f64; 2] {
        if !self.wrap {
            return point;
        }
        let ([low, _], [width, depth]) = (self.bounds, self.size());
        [
            low[0] + (point[0] - low[0]).rem_euclid(width),
            low[1] + (point[1] - low[1]).rem_euclid(depth),
        ]
    }

    /// No shift, and in a world that wraps around those to the eight worlds beside it. [m]
    pub fn repetitions(&self) -> Vec<[f64; 2]> {
        if !self.wrap {
            return vec![[0.0; 2]];
        }
        let [width, depth] = self.size();
        let turns = [0.0, -1.0, 1.0];
        let pairs = turns.iter().flat_map(|a| turns.map(|b| (*a, b)));
        pairs.map(|(a, b)| [a * width, b * depth]).collect()
    }

    fn border(&self, point: [f64; 2]) -> f64 {
        match self.wrap {
            true => f64::INFINITY,
            false => self.bounds_clearance(point),
        }
    }

    /// The least of `room` over all obstacles, in a wrapped world also over their repetitions.
    fn nearest(&self, point: [f64; 2], room: impl Fn(&Obstacle, [f64; 2]) -> f64) -> f64 {
        let least = |point: [f64; 2]| {
            let rooms = self.obstacles.iter().map(|obstacle| room(obstacle, point));
            rooms.fold(f64::INFINITY, f64::min)
        };
        if !self.wrap {
            return least(point);
        }
        let ([x, z], [width, depth]) = (self.fold(point), self.size());
        let turns = [-1.0, 0.0, 1.0];
        let shifts = turns.iter().flat_map(|a| turns.map(|b| (a, b)));
        shifts
            .map(|(a, b)| least([x + a * width, z + b * depth]))
            .fold(f64::INFINITY, f64::min)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorldFile {
    bounds: [[f64; 2]; 2],
    #[serde(default)]
    obstacles: Vec<Obstacle>,
    #[serde(default)]
    regions: Vec<Region>,
    #[serde(default)]
    rivers: Vec<River>,
    #[serde(default)]
    bars: Vec<Bar>,
    #[serde(default)]
    beams: Vec<Beam>,
    #[serde(default)]
    heights: Vec<Raised>,
    radius: Option<f64>,
    #[serde(default)]
    wrap: bool,
    #[serde(default)]
    starts: Vec<[f64; 2]>,
    #[serde(default)]
    goals: Vec<[f64; 2]>,
}

/// serde_json repeats line and column at the end of its messages.
fn without_place(message: &str) -> String {
    let words = message.split(" at line ").next();
    words.unwrap_or(message).to_string()
}

fn is_place([x, z]: [f64; 2]) -> bool {
    x.abs() < FARTHEST && z.abs() < FARTHEST
}

fn check_polygon(polygon: &[[f64; 2]], what: &'static str, index: usize) -> Result<(), WorldError> {
    let mut usable: Vec<[f64; 2]> = polygon.iter().copied().filter(|p| is_place(*p)).collect();
    let finite = usable.len() == polygon.len();
    usable.dedup();
    let corners = usable.len();
    if !finite || corners < 3 {
        return Err(WorldError::Polygon {
            what,
            index,
            corners,
        });
    }
    match crossing_edges(polygon) {
        None => Ok(()),
        Some(edges) => Err(WorldError::CrossesItself { what, index, edges }),
    }
}

fn check_circle(circle: [f64; 3], index: usize) -> Result<(), WorldError> {
    let [x, z, radius] = circle;
    let good = is_place([x, z]) && radius > 0.0 && radius < FARTHEST;
    let what = "obstacle";
    let error = WorldError::Circle {
        what,
        index,
        circle,
    };
    good.then_some(()).ok_or(error)
}

fn check_ends(ends: [[f64; 2]; 2], what: &'static str, index: usize) -> Result<(), WorldError> {
    let good = ends.iter().all(|end| is_place(*end)) && distance(ends[0], ends[1]) > 1e-6;
    let error = WorldError::Ends { what, index, ends };
    good.then_some(()).ok_or(error)
}

fn check_measure(
    what: &'static str,
    index: usize,
    measure: &'static str,
    found: f64,
    fits: bool,
) -> Result<(), WorldError> {
    let expected = match measure {
        "width" => "metres above 0",
        _ => "finite metres, not below the ground",
    };
    let error = WorldError::Measure {
        what,
        index,
        measure,
        found,
        expected,
    };
    (fits && found.abs() < FARTHEST).then_some(()).ok_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: &str = r#"{"bounds": [[0,0],[7,8]],
        "obstacles": [{"circle": [2,2,0.5]}, {"polygon": [[4,4],[6,4],[6,5],[4,5]]}],
        "regions": [{"polygon": [[0,6],[7,6],[7,8],[0,8]], "only": ["step"], "never": ["jump"]}]}"#;

    fn room() -> World {
        World::from_json(ROOM).unwrap()
    }

    #[test]
    fn the_file_of_the_contract_is_read() {
        let world = room();
        assert_eq!(world.size(), [7.0, 8.0]);
        assert_eq!(world.radius, 0.25);
        assert!(!world.wrap);
        assert_eq!(world.obstacles[0], Obstacle::Circle([2.0, 2.0, 0.5]));
        let [region] = world.regions.as_slice() else {
            panic!("one region");
        };
        assert_eq!(region.only, ["step"]);
        assert_eq!(region.never, ["jump"]);
        assert!(region.covers([1.0, 7.0]) && !region.covers([1.0, 5.0]));
    }

    #[test]
    fn clearance_is_the_distance_to_the_nearest_and_negative_inside() {
        let world = room();
        for (point, expected) in [
            ([2.0, 3.0], 0.5),
            ([2.0, 2.0], -0.5),
            ([5.0, 4.4], -0.4),
            ([5.0, 5.5], 0.5),
            ([6.3, 5.4], 0.5),
            ([0.25, 4.0], 0.25),
            ([-1.0, 4.0], -1.0),
        ] {
            let room = world.clearance(point);
            assert!((room - expected).abs() < 1e-12, "{point:?}: {room}");
        }
    }

    #[test]
    fn a_segments_clearance_is_the_least_of_its_points() {
        let world = room();
        let ends = |k: u32| [f64::from(k * 37 % 70) / 10.0, f64::from(k * 53 % 80) / 10.0];
        for k in 0..200 {
            let (a, b) = (ends(k), ends(k + 7));
            let at = |i: u32| crate::geometry::between(a, b, f64::from(i) / 2000.0);
            let sampled = (0..=2000).map(|i| world.clearance(at(i)));
            let sampled = sampled.fold(f64::INFINITY, f64::min);
            let exact = world.segment_clearance(a, b);
            match sampled > 0.0 {
                true => assert!((exact - sampled).abs() < 0.01, "{a:?} {b:?}"),
                false => assert!(exact < 0.01, "{a:?} {b:?}: {exact}"),
            }
        }
    }

    #[test]
    fn a_wrapped_world_has_no_border_and_obstacles_on_all_sides() {
        let world = World {
            wrap: true,
            ..room()
        };
        assert!((world.clearance([8.9, 2.0]) + 0.4).abs() < 1e-12);
        assert!((world.clearance([2.0, -6.5]) - (-0.0)).abs() < 1e-12);
        let folded = world.fold([-1.0, 17.0]);
        assert_eq!(folded, [6.0, 1.0]);
    }

    #[test]
    fn broken_worlds_are_refused_with_what_was_expected() {
        for (text, message) in [
            ("", "line 1, column 0"),
            ("{}", "missing field `bounds`"),
            (r#"{"bounds": [[0,0],[0,8]]}"#, "expected the least corner"),
            (r#"{"bounds": [[0,0],[1e9,8]]}"#, "[1000000000, 8]"),
            (
                r#"{"bounds": [[0,0],[7,8]], "radius": 0}"#,
                "radius is 0; expected",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"circle": [1,2,-1]}]}"#,
                "obstacle 0 has the circle [1, 2, -1]",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"polygon": [[1,2],[1,2],[3,4]]}]}"#,
                "obstacle 0 has 2 usable corners",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"box": [1,2]}]}"#,
                "unknown variant `box`",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "regions": [{"polygon": []}]}"#,
                "region 0 has 0 usable corners",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"polygon": [[0,0],[2,2],[2,0],[0,2]]}]}"#,
                "obstacle 0 crosses itself: its edges from corner 0 to 1 and from corner 2 to 3",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "bars": [{"from": [1,1], "to": [2,1], "height": 0}]}"#,
                "bar 0 has the height 0; expected",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "beams": [{"from": [1,1], "to": [1,1]}]}"#,
                "beam 0 leads from [1, 1] to [1, 1]",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "rivers": [{"polygon": [[1,1],[2,1]]}]}"#,
                "river 0 has 2 usable corners",
            ),
            (
                r#"{"bounds": [[0,0],[7,8]], "rivers": [{"poly": [[1,1],[2,1]]}]}"#,
                "unknown field `poly`",
            ),
        ] {
            let error = World::from_json(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
