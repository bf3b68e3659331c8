//! Points, segments and polygons of the ground plane, as pairs x, z in metres.
//!
//! A few formulas that the innermost loops need inline; what a polygon is to begin with (its area,
//! whether it crosses itself) comes from `kurbo`, which also is the yardstick in the tests here.

use kurbo::{BezPath, Line, Point, Shape};

/// Distance of two points. [m]
#[inline]
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

/// The point at a share of the line from `a` to `b`.
#[inline]
pub fn between(a: [f64; 2], b: [f64; 2], share: f64) -> [f64; 2] {
    [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]
}

/// The share of the line from `a` to `b` at which it is nearest to `point`; may lie outside 0..1.
#[inline]
pub fn share_of(point: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let dot = (point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1];
    dot / (along[0] * along[0] + along[1] * along[1]).max(f64::MIN_POSITIVE)
}

/// Distance of a point from a segment. [m]
#[inline]
pub fn distance_from(point: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    distance(point, between(a, b, share_of(point, a, b).clamp(0.0, 1.0)))
}

/// The edges of a polygon, the one that closes it first.
pub fn edges_of(corners: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    let before = corners.iter().cycle().skip(corners.len().max(1) - 1);
    before.zip(corners).map(|(a, b)| (*a, *b))
}

/// Whether a polygon holds a point, by the number of edges that a ray along +x crosses.
pub fn is_inside([x, z]: [f64; 2], corners: &[[f64; 2]]) -> bool {
    let crossed = |(a, b): &([f64; 2], [f64; 2])| {
        (a[1] > z) != (b[1] > z) && x < a[0] + (z - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    };
    edges_of(corners).filter(crossed).count() % 2 == 1
}

/// Distance of a point from a polygon's edge. [m; negative inside]
pub fn signed_distance(point: [f64; 2], corners: &[[f64; 2]]) -> f64 {
    let edges = edges_of(corners).map(|(a, b)| distance_from(point, a, b));
    let edge = edges.fold(f64::INFINITY, f64::min);
    if is_inside(point, corners) {
        -edge
    } else {
        edge
    }
}

/// Whether the inner parts of two segments cross.
pub fn segments_cross(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// A polygon as `kurbo` has it.
pub fn as_path(corners: &[[f64; 2]]) -> BezPath {
    let mut path = BezPath::new();
    for (index, &[x, z]) in corners.iter().enumerate() {
        match index {
            0 => path.move_to((x, z)),
            _ => path.line_to((x, z)),
        }
    }
    path.close_path();
    path
}

/// The area that a polygon encloses, whichever way around. [m²]
pub fn area(corners: &[[f64; 2]]) -> f64 {
    as_path(corners).area().abs()
}

/// Two edges of a polygon that cross, by the numbers of the corners they start from.
pub fn crossing_edges(corners: &[[f64; 2]]) -> Option<[usize; 2]> {
    let point = |index: usize| Point::from((corners[index][0], corners[index][1]));
    let edge = |index: usize| Line::new(point(index), point((index + 1) % corners.len()));
    let cross = |&(i, j): &(usize, usize)| {
        let [a, b] = [edge(i), edge(j)].map(|e| [[e.p0.x, e.p0.y], [e.p1.x, e.p1.y]]);
        segments_cross(a[0], a[1], b[0], b[1])
    };
    let count = corners.len();
    let pairs = (0..count).flat_map(|i| (i + 2..count).map(move |j| (i, j)));
    let mut apart = pairs.filter(|&(i, j)| !(i == 0 && j + 1 == count));
    apart.find(cross).map(|(i, j)| [i, j])
}

/// The rectangle of some width around a segment.
pub fn strip(from: [f64; 2], to: [f64; 2], width: f64) -> Vec<[f64; 2]> {
    let length = distance(from, to).max(f64::MIN_POSITIVE);
    let across = [
        (to[1] - from[1]) / length * width / 2.0,
        (from[0] - to[0]) / length * width / 2.0,
    ];
    let corner = |p: [f64; 2], side: f64| [p[0] + side * across[0], p[1] + side * across[1]];
    vec![
        corner(from, 1.0),
        corner(to, 1.0),
        corner(to, -1.0),
        corner(from, -1.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::ParamCurveNearest;

    const ELL: [[f64; 2]; 6] = [
        [0.0, 0.0],
        [4.0, 0.0],
        [4.0, 1.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ];

    #[test]
    fn distances_and_insides_are_those_of_kurbo() {
        let path = as_path(&ELL);
        for k in 0..2000u32 {
            let point = [
                f64::from(k * 7919 % 601) / 100.0 - 1.0,
                f64::from(k * 104_729 % 503) / 100.0 - 1.0,
            ];
            let there = Point::from((point[0], point[1]));
            let nearest = path
                .segments()
                .map(|edge| edge.nearest(there, 1e-12).distance_sq)
                .fold(f64::INFINITY, f64::min);
            let expected = match path.winding(there) {
                0 => nearest.sqrt(),
                _ => -nearest.sqrt(),
            };
            let found = signed_distance(point, &ELL);
            let on_edge = nearest < 1e-12;
            assert!(on_edge || (found - expected).abs() < 1e-9, "{point:?}");
        }
        assert!((area(&ELL) - 6.0).abs() < 1e-12);
    }

    #[test]
    fn a_polygon_that_crosses_itself_names_its_edges() {
        assert_eq!(crossing_edges(&ELL), None);
        let bow = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        assert_eq!(crossing_edges(&bow), Some([0, 2]));
    }

    #[test]
    fn a_strip_is_as_wide_and_as_long_as_asked() {
        let corners = strip([1.0, 1.0], [1.0, 4.0], 0.5);
        assert!((area(&corners) - 1.5).abs() < 1e-12);
        assert!(is_inside([1.2, 2.0], &corners) && !is_inside([1.3, 2.0], &corners));
    }
}
