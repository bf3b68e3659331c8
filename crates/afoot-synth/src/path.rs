//! Paths on the ground: what a figure is asked to walk along.
//!
//! A polyline in x, z with arc length, read from JSON or SVG (see `svg`), and the guide that the
//! search follows: the same line smoothed and resampled at even steps. The asked line is kept as
//! it is: distances are judged from it. A line whose ends meet is closed.
//! Not here: planning around obstacles (`crowd`).

pub(crate) use afoot_world::geometry::{between, distance, distance_from, share_of};
use serde::Deserialize;
use thiserror::Error;

use crate::guide::{Guide, GuideOptions};
use crate::svg::{DrawingOptions, DrawnLine, SvgError, read_drawing};

/// Ends closer than this make a closed path; points closer than this are one. [m]
const SAME_POINT: f64 = 1e-3;
/// Larger coordinates are taken for a mistake: f32 roots could not tell millimetres there. [m]
const FARTHEST: f64 = 1e6;
/// Searches tell states of different sections apart by a byte.
const MOST_SECTIONS: usize = 255;

/// A line on the ground with what to do along it.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundPath {
    points: Vec<[f64; 2]>,
    along: Vec<f64>,
    closed: bool,
    sections: Vec<Section>,
}

/// A stretch of a path with the kind of motion asked for; it starts where the one before ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Where it ends, along the path. [m]
    pub to: f64,
    /// Words that the motion's frames must carry; none allows all.
    pub labels: Vec<String>,
}

/// A path, and what its drawing was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnPath {
    /// The path.
    pub path: GroundPath,
    /// How many strokes the drawing has; 1 of a path that was not drawn.
    pub strokes: usize,
    /// Length of the straight lines that join strokes. [m]
    pub joined: f64,
}

impl DrawnPath {
    fn of(path: GroundPath) -> Self {
        Self {
            path,
            strokes: 1,
            joined: 0.0,
        }
    }
}

/// What is wrong with a path.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum PathError {
    #[error("line {line}, column {column}: {message}")]
    Json {
        line: usize,
        column: usize,
        message: String,
    },
    #[error(transparent)]
    Svg(#[from] SvgError),
    #[error("scale, size and stroke are of drawings; expected an SVG file, found JSON")]
    NotDrawn,
    #[error("the path has no points; expected at least two")]
    Empty,
    #[error("the path has one point only; expected at least two different ones")]
    OnePoint,
    #[error("point {index} of the path is [{x}, {z}]; expected finite metres below {FARTHEST}")]
    BadPoint { index: usize, x: f64, z: f64 },
    #[error(
        "section {index} of the path ends at {to} m; expected more than {from} m, where it starts"
    )]
    BadSection { index: usize, to: f64, from: f64 },
    #[error("section {index} of the path has no \"to\"; only the last one may leave it out")]
    OpenSection { index: usize },
    #[error("the path has {count} sections; expected at most {MOST_SECTIONS}")]
    ManySections { count: usize },
}

impl PathError {
    fn of_json(error: serde_json::Error) -> Self {
        Self::Json {
            line: error.line(),
            column: error.column(),
            message: without_place(&error.to_string()),
        }
    }
}

impl GroundPath {
    /// A path through `points` [m] that asks for no label.
    pub fn new(points: Vec<[f64; 2]>) -> Result<Self, PathError> {
        let good = |[x, z]: [f64; 2]| x.abs() < FARTHEST && z.abs() < FARTHEST;
        if let Some(index) = points.iter().position(|&point| !good(point)) {
            let [x, z] = points[index];
            return Err(PathError::BadPoint { index, x, z });
        }
        if points.is_empty() {
            return Err(PathError::Empty);
        }
        let points = without_repeats(points);
        if points.len() < 2 {
            return Err(PathError::OnePoint);
        }
        let along = arc_lengths(&points);
        let length = along[along.len() - 1];
        let apart = distance(points[0], points[points.len() - 1]);
        let closed = apart <= SAME_POINT && length > 10.0 * SAME_POINT;
        Ok(Self {
            points,
            along,
            closed,
            sections: Vec::new(),
        })
    }

    /// Reads a path file: JSON if it starts with `{`, else SVG, one user unit a metre.
    pub fn from_text(text: &str) -> Result<Self, PathError> {
        Ok(Self::from_drawing(text, &DrawingOptions::default())?.path)
    }

    /// The same, with how a drawing lies on the ground; JSON is in metres already.
    pub fn from_drawing(text: &str, options: &DrawingOptions) -> Result<DrawnPath, PathError> {
        let text = text.trim_start_matches('\u{feff}');
        if text.trim_start().starts_with('{') {
            return match *options == DrawingOptions::default() {
                true => Self::from_json(text).map(DrawnPath::of),
                false => Err(PathError::NotDrawn),
            };
        }
        let DrawnLine {
            points,
            strokes,
            joined,
        } = read_drawing(text, options)?;
        Ok(DrawnPath {
            path: Self::new(points)?,
            strokes,
            joined,
        })
    }

    /// `{"points": [[x, z], ...], "sections": [{"to": 4.5, "as": ["walk"]}, ...]}`.
    pub fn from_json(text: &str) -> Result<Self, PathError> {
        serde_json::from_str(text)
            .map_err(PathError::of_json)
            .and_then(Self::from_file)
    }

    /// [`GroundPath::from_json`] of an object that was read before.
    pub fn from_value(object: serde_json::Value) -> Result<Self, PathError> {
        serde_json::from_value(object)
            .map_err(PathError::of_json)
            .and_then(Self::from_file)
    }

    fn from_file(file: PathFile) -> Result<Self, PathError> {
        let path = Self::new(file.points)?;
        let last = file.sections.len().saturating_sub(1);
        let mut sections = Vec::new();
        for (index, section) in file.sections.into_iter().enumerate() {
            let to = match section.to {
                Some(to) => to,
                None if index == last => path.length(),
                None => return Err(PathError::OpenSection { index }),
            };
            sections.push(Section {
                to,
                labels: section.labels,
            });
        }
        path.with_sections(sections)
    }

    /// The same path with other sections. The last is stretched to the path's end.
    pub fn with_sections(mut self, mut sections: Vec<Section>) -> Result<Self, PathError> {
        let mut from = 0.0;
        for (index, section) in sections.iter().enumerate() {
            if !section.to.is_finite() || section.to <= from {
                return Err(PathError::BadSection {
                    index,
                    to: section.to,
                    from,
                });
            }
            from = section.to;
        }
        if sections.len() > MOST_SECTIONS {
            let count = sections.len();
            return Err(PathError::ManySections { count });
        }
        let length = self.length();
        sections.retain({
            let mut from = 0.0;
            move |section| std::mem::replace(&mut from, section.to) < length
        });
        if let Some(last) = sections.last_mut() {
            last.to = length;
        }
        self.sections = sections;
        Ok(self)
    }

    /// The same path in a world so many times as large. [> 0]
    pub fn scaled(&self, factor: f64) -> Result<Self, PathError> {
        let points = self
            .points
            .iter()
            .map(|point| point.map(|value| value * factor));
        let longer = |section: &Section| Section {
            to: section.to * factor,
            ..section.clone()
        };
        Self::new(points.collect())?.with_sections(self.sections.iter().map(longer).collect())
    }

    /// The points, none the same as the one before.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// What is asked for along the path, in order; empty asks for nothing.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Whether its ends meet.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// [m]
    pub fn length(&self) -> f64 {
        self.along[self.along.len() - 1]
    }

    /// The point `along` the path; its ends beyond them. [m]
    pub fn point_at(&self, along: f64) -> [f64; 2] {
        let after = self
            .along
            .partition_point(|&a| a <= along)
            .clamp(1, self.points.len() - 1);
        let (a, b) = (self.along[after - 1], self.along[after]);
        let share = ((along - a) / (b - a)).clamp(0.0, 1.0);
        between(self.points[after - 1], self.points[after], share)
    }

    /// How far the path is from a point at its nearest. [m]
    pub fn distance_to(&self, point: [f64; 2]) -> f64 {
        self.segments()
            .map(|(a, b)| distance_from(point, a, b))
            .fold(f64::INFINITY, f64::min)
    }

    /// The path smoothed and resampled, to be followed.
    pub fn guide(&self, options: &GuideOptions) -> Guide {
        Guide::new(self, options)
    }

    fn segments(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        self.points.windows(2).map(|pair| (pair[0], pair[1]))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PathFile {
    points: Vec<[f64; 2]>,
    #[serde(default)]
    sections: Vec<SectionFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SectionFile {
    to: Option<f64>,
    #[serde(rename = "as", default)]
    labels: Vec<String>,
}

/// serde_json repeats line and column at the end of its messages.
fn without_place(message: &str) -> String {
    message
        .split(" at line ")
        .next()
        .unwrap_or(message)
        .to_string()
}

fn without_repeats(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    for point in points {
        if kept.last().is_none_or(|&last| distance(last, point) > 1e-9) {
            kept.push(point);
        }
    }
    kept
}

pub(crate) fn arc_lengths(points: &[[f64; 2]]) -> Vec<f64> {
    let mut total = 0.0;
    let steps = points.windows(2).map(|pair| distance(pair[0], pair[1]));
    std::iter::once(0.0)
        .chain(steps.map(|step| {
            total += step;
            total
        }))
        .collect()
}

pub(crate) fn distance_squared(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Result<GroundPath, PathError> {
        GroundPath::from_text(text)
    }

    #[test]
    fn sections_end_where_they_say_and_the_last_at_the_end() {
        let path = json(
            r#"{"points": [[0,0],[3,0],[3,4]], "sections": [{"to": 2.5, "as": ["walk"]}, {"as": ["sneak"]}]}"#,
        )
        .unwrap();
        assert_eq!(path.length(), 7.0);
        let ends: Vec<f64> = path.sections().iter().map(|s| s.to).collect();
        assert_eq!(ends, [2.5, 7.0]);
        assert_eq!(path.sections()[1].labels, ["sneak"]);
        assert_eq!(path.point_at(5.0), [3.0, 2.0]);
        assert_eq!(path.point_at(-1.0), [0.0, 0.0]);
        assert_eq!(path.point_at(9.0), [3.0, 4.0]);
        assert!((path.distance_to([4.0, 1.0]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn too_many_sections_are_counted() {
        let straight = || GroundPath::new(vec![[0.0, 0.0], [300.0, 0.0]]).unwrap();
        let sections = |count: u32| {
            let section = |number| Section {
                to: f64::from(number + 1),
                labels: Vec::new(),
            };
            straight().with_sections((0..count).map(section).collect())
        };
        assert_eq!(sections(255).unwrap().sections().len(), 255);
        let count = 256;
        assert_eq!(
            sections(256).unwrap_err(),
            PathError::ManySections { count }
        );
    }

    #[test]
    fn sections_beyond_the_end_are_dropped() {
        let path = json(
            r#"{"points": [[0,0],[3,0]], "sections": [{"to": 2, "as": ["a"]}, {"to": 5, "as": ["b"]}, {"to": 9, "as": ["c"]}]}"#,
        );
        let labels: Vec<String> = path
            .unwrap()
            .sections()
            .iter()
            .flat_map(|s| s.labels.clone())
            .collect();
        assert_eq!(labels, ["a", "b"]);
    }

    #[test]
    fn broken_paths_are_refused_with_what_was_expected() {
        for (text, message) in [
            (r#"{"points": []}"#, "no points; expected at least two"),
            (r#"{"points": [[1,2]]}"#, "one point only"),
            (r#"{"points": [[1,2],[1,2],[1,2]]}"#, "one point only"),
            (
                r#"{"points": [[1,2],[1e9,2]]}"#,
                "point 1 of the path is [1000000000, 2]",
            ),
            (r#"{"points": [[1,2],[1,NaN]]}"#, "line 1, column"),
            (r#"{"points": [[1,2],[1,2,3]]}"#, "line 1, column"),
            (r#"{"points": [[1,2],[null,3]]}"#, "line 1, column"),
            (r#"{"point": [[1,2],[2,3]]}"#, "unknown field `point`"),
            (r#"{"sections": []}"#, "missing field `points`"),
            (
                r#"{"points": [[0,0],[9,0]], "sections": [{"as": []}, {"to": 3}]}"#,
                "no \"to\"",
            ),
            (
                r#"{"points": [[0,0],[9,0]], "sections": [{"to": 3}, {"to": 2}]}"#,
                "section 1",
            ),
            ("", "expected a path as JSON or an SVG file"),
        ] {
            let error = json(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert_eq!(
            GroundPath::new(vec![[0.0, 0.0], [f64::NAN, 0.0]])
                .unwrap_err()
                .to_string(),
            "point 1 of the path is [NaN, 0]; expected finite metres below 1000000"
        );
    }

    #[test]
    fn ends_that_meet_make_a_closed_path() {
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
        assert!(GroundPath::new(square.clone()).unwrap().is_closed());
        assert!(!GroundPath::new(square[..4].to_vec()).unwrap().is_closed());
    }
}
