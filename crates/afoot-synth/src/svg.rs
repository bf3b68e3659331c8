//! The first `<path>` of an SVG file as a polyline (SVG 1.1, §8.3).
//!
//! All path commands, absolute and relative; curves are flattened to a millimetre. One user unit is
//! a metre, x is x, y is z. Sub-paths are joined by straight lines. A scanner of its own: an XML and
//! a graphics crate would bring thousands of lines for one attribute. Transforms, units, CSS and
//! entities in the attribute are not understood; a `transform` on the path is refused.

use thiserror::Error;

/// Farthest a flattened curve may lie from the true one. [m]
const FLATNESS: f64 = 1e-3;
/// Most pieces of one curve.
const MOST_PIECES: f64 = 10_000.0;

/// Why no path could be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum SvgError {
    #[error("no <path d=\"...\"> found; expected a path as JSON or an SVG file")]
    NoPath,
    #[error("the <path> has a transform; expected one whose d attribute is in metres already")]
    Transform,
    #[error("line {line}, column {column} of the file: {found:?} in the path; expected {expected}")]
    Syntax {
        line: usize,
        column: usize,
        found: String,
        expected: &'static str,
    },
}

/// The points of the first path element. [m]
pub fn read_svg_path(text: &str) -> Result<Vec<[f64; 2]>, SvgError> {
    let range = find_path_data(text)?;
    let mut scanner = Scanner {
        text,
        at: range.start,
        end: range.end,
        last: None,
    };
    let mut pen = Pen::default();
    while let Some(command) = scanner.command()? {
        run_command(command, &mut scanner, &mut pen)?;
    }
    Ok(pen.points)
}

/// Where the `d` attribute of the first path element lies.
fn find_path_data(text: &str) -> Result<std::ops::Range<usize>, SvgError> {
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        at += found;
        let rest = &text[at..];
        if rest.starts_with("<!--") {
            at += rest.find("-->").ok_or(SvgError::NoPath)?;
        } else if is_path_element(rest) {
            let attributes = read_attributes(text, at + 1);
            if attributes.iter().any(|(name, _)| *name == "transform") {
                return Err(SvgError::Transform);
            }
            let data = attributes.into_iter().find(|(name, _)| *name == "d");
            return data.map(|(_, range)| range).ok_or(SvgError::NoPath);
        }
        at += 1;
    }
    Err(SvgError::NoPath)
}

/// `<path ...` or `<svg:path ...`.
fn is_path_element(rest: &str) -> bool {
    let name = rest[1..]
        .split(|c: char| c.is_whitespace() || c == '>' || c == '/')
        .next();
    name.is_some_and(|name| name == "path" || name.ends_with(":path"))
}

/// Names and value ranges of the attributes of the element whose name starts at `at`.
fn read_attributes(text: &str, mut at: usize) -> Vec<(&str, std::ops::Range<usize>)> {
    let mut attributes = Vec::new();
    while let Some(equals) = text[at..].find(['=', '>']) {
        let equals = at + equals;
        if text[equals..].starts_with('>') {
            break;
        }
        let name = text[at..equals].trim_end();
        let name = &name[name.rfind(char::is_whitespace).map_or(0, |space| space + 1)..];
        let Some(open) = text[equals..].find(['"', '\'']).map(|open| equals + open) else {
            break;
        };
        let quote = &text[open..=open];
        let Some(close) = text[open + 1..].find(quote).map(|close| open + 1 + close) else {
            break;
        };
        attributes.push((name, open + 1..close));
        at = close + 1;
    }
    attributes
}

/// The line so far, and what the next command continues from.
#[derive(Default)]
struct Pen {
    points: Vec<[f64; 2]>,
    at: [f64; 2],
    subpath_start: [f64; 2],
    /// The last control point, and whether it was a cubic's or a quadratic's.
    control: Option<(char, [f64; 2])>,
}

impl Pen {
    fn line_to(&mut self, point: [f64; 2]) {
        self.points.push(point);
        self.at = point;
    }

    /// Flattens a curve that starts at the pen; `curve` maps 0..1 to points.
    fn curve_to(&mut self, pieces: f64, end: [f64; 2], curve: impl Fn(f64) -> [f64; 2]) {
        let pieces = pieces.ceil().clamp(1.0, MOST_PIECES) as usize;
        for piece in 1..pieces {
            self.line_to(curve(piece as f64 / pieces as f64));
        }
        self.line_to(end);
    }

    /// The mirrored control point of a smooth curve, or the pen where there is none.
    fn reflected(&self, kind: char) -> [f64; 2] {
        match self.control {
            Some((last, [x, y])) if last == kind => [2.0 * self.at[0] - x, 2.0 * self.at[1] - y],
            _ => self.at,
        }
    }

    fn cubic(&mut self, b: [f64; 2], c: [f64; 2], d: [f64; 2]) {
        let a = self.at;
        let bend = bend(a, b, c).max(bend(b, c, d));
        self.curve_to((0.75 * bend / FLATNESS).sqrt(), d, |t| {
            let u = 1.0 - t;
            let weights = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
            weighted(&[a, b, c, d], &weights)
        });
        self.control = Some(('C', c));
    }

    fn quadratic(&mut self, b: [f64; 2], c: [f64; 2]) {
        let a = self.at;
        self.curve_to((0.25 * bend(a, b, c) / FLATNESS).sqrt(), c, |t| {
            let u = 1.0 - t;
            weighted(&[a, b, c], &[u * u, 2.0 * u * t, t * t])
        });
        self.control = Some(('Q', b));
    }

    /// An elliptical arc in its end-point form (SVG 1.1, appendix F.6).
    fn arc(&mut self, radii: [f64; 2], tilt: f64, (large, sweep): (bool, bool), end: [f64; 2]) {
        let start = self.at;
        let (mut rx, mut ry) = (radii[0].abs(), radii[1].abs());
        if rx == 0.0 || ry == 0.0 || start == end {
            return self.line_to(end);
        }
        let (sin, cos) = tilt.to_radians().sin_cos();
        let half = [(start[0] - end[0]) / 2.0, (start[1] - end[1]) / 2.0];
        let x = cos * half[0] + sin * half[1];
        let y = -sin * half[0] + cos * half[1];
        let reach = (x / rx).powi(2) + (y / ry).powi(2);
        if reach > 1.0 {
            rx *= reach.sqrt();
            ry *= reach.sqrt();
        }
        let side = if large == sweep { -1.0 } else { 1.0 };
        let off = (1.0 / reach.min(1.0) - 1.0).max(0.0).sqrt() * side;
        let (cx, cy) = (off * rx * y / ry, -off * ry * x / rx);
        let from = ((y - cy) / ry).atan2((x - cx) / rx);
        let to = ((-y - cy) / ry).atan2((-x - cx) / rx);
        let mut turn = (to - from).rem_euclid(std::f64::consts::TAU);
        if !sweep {
            turn -= std::f64::consts::TAU;
        }
        let middle = [(start[0] + end[0]) / 2.0, (start[1] + end[1]) / 2.0];
        let center = [
            cos * cx - sin * cy + middle[0],
            sin * cx + cos * cy + middle[1],
        ];
        let pieces = turn.abs() * (rx.max(ry) / (8.0 * FLATNESS)).sqrt();
        self.curve_to(pieces, end, |t| {
            let (s, c) = (from + t * turn).sin_cos();
            let (ex, ey) = (rx * c, ry * s);
            [
                center[0] + cos * ex - sin * ey,
                center[1] + sin * ex + cos * ey,
            ]
        });
    }
}

/// Length of the second difference: how much three control points bend.
fn bend(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (a[0] - 2.0 * b[0] + c[0]).hypot(a[1] - 2.0 * b[1] + c[1])
}

fn weighted(points: &[[f64; 2]], weights: &[f64]) -> [f64; 2] {
    let sum = |axis: usize| points.iter().zip(weights).map(|(p, w)| p[axis] * w).sum();
    [sum(0), sum(1)]
}

fn run_command(command: char, scanner: &mut Scanner, pen: &mut Pen) -> Result<(), SvgError> {
    let origin = if command.is_ascii_lowercase() {
        pen.at
    } else {
        [0.0; 2]
    };
    let before = pen.control.take();
    match command.to_ascii_uppercase() {
        'M' => {
            let point = scanner.point(origin)?;
            pen.line_to(point);
            pen.subpath_start = point;
        }
        'L' => pen.line_to(scanner.point(origin)?),
        'H' => pen.line_to([origin[0] + scanner.number()?, pen.at[1]]),
        'V' => pen.line_to([pen.at[0], origin[1] + scanner.number()?]),
        'C' => {
            let b = scanner.point(origin)?;
            let c = scanner.point(origin)?;
            pen.cubic(b, c, scanner.point(origin)?);
        }
        'S' => {
            pen.control = before;
            let b = pen.reflected('C');
            let c = scanner.point(origin)?;
            pen.cubic(b, c, scanner.point(origin)?);
        }
        'Q' => {
            let b = scanner.point(origin)?;
            pen.quadratic(b, scanner.point(origin)?);
        }
        'T' => {
            pen.control = before;
            let b = pen.reflected('Q');
            pen.quadratic(b, scanner.point(origin)?);
        }
        'A' => {
            let radii = scanner.point([0.0; 2])?;
            let tilt = scanner.number()?;
            let flags = (scanner.flag()?, scanner.flag()?);
            pen.arc(radii, tilt, flags, scanner.point(origin)?);
        }
        _ => pen.line_to(pen.subpath_start), // Z: the scanner lets nothing else through
    }
    Ok(())
}

/// Reads commands and numbers of path data.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    last: Option<char>,
}

impl Scanner<'_> {
    /// The next command letter, or the last one again where numbers follow; `None` at the end.
    fn command(&mut self) -> Result<Option<char>, SvgError> {
        self.skip_blanks();
        let Some(next) = self.peek() else {
            return Ok(None);
        };
        let is_command = "MmLlHhVvCcSsQqTtAaZz".contains(next);
        let command = match self.last {
            None if !matches!(next, 'M' | 'm') => {
                return Err(self.error("M, which every path starts with"));
            }
            _ if is_command => next,
            Some('M') => 'L',
            Some('m') => 'l',
            Some(last) if !matches!(last, 'Z' | 'z') => last,
            _ => return Err(self.error("a path command, one of MLHVCSQTAZ")),
        };
        self.at += usize::from(is_command);
        self.last = Some(command);
        Ok(Some(command))
    }

    fn point(&mut self, origin: [f64; 2]) -> Result<[f64; 2], SvgError> {
        Ok([origin[0] + self.number()?, origin[1] + self.number()?])
    }

    fn number(&mut self) -> Result<f64, SvgError> {
        self.skip_blanks();
        let bytes = &self.text.as_bytes()[self.at..self.end];
        let length = number_length(bytes);
        let value = self.text[self.at..self.at + length].parse::<f64>();
        match value {
            Ok(value) if value.is_finite() => {
                self.at += length;
                Ok(value)
            }
            _ => Err(self.error("a finite number")),
        }
    }

    /// A flag is one digit and may touch what follows.
    fn flag(&mut self) -> Result<bool, SvgError> {
        self.skip_blanks();
        match self.peek() {
            Some(digit @ ('0' | '1')) => {
                self.at += 1;
                Ok(digit == '1')
            }
            _ => Err(self.error("an arc's flag, 0 or 1")),
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..self.end].chars().next()
    }

    fn skip_blanks(&mut self) {
        while self
            .peek()
            .is_some_and(|c| c.is_ascii_whitespace() || c == ',')
        {
            self.at += 1;
        }
    }

    fn error(&self, expected: &'static str) -> SvgError {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        let rest = self.text[self.at..self.end].chars();
        let found: String = rest.take_while(|c| !c.is_whitespace()).take(20).collect();
        let found = if found.is_empty() {
            "end".into()
        } else {
            found
        };
        SvgError::Syntax {
            line,
            column,
            found,
            expected,
        }
    }
}

/// How many bytes at the start form a number: sign, digits, point, exponent.
fn number_length(bytes: &[u8]) -> usize {
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let sign = |from: usize| usize::from(matches!(bytes.get(from), Some(b'+' | b'-')));
    let mut length = sign(0);
    length += digits(length);
    if bytes.get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let exponent = length + 1 + sign(length + 1);
        let count = digits(exponent);
        if count > 0 {
            length = exponent + count;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(data: &str) -> Result<Vec<[f64; 2]>, SvgError> {
        read_svg_path(&format!("<svg><path d=\"{data}\"/></svg>"))
    }

    fn check(data: &str, expected: &[[f64; 2]]) {
        let points = read(data).unwrap();
        assert_eq!(points.len(), expected.len(), "{data}: {points:?}");
        for (point, expected) in points.iter().zip(expected) {
            let near = (point[0] - expected[0]).hypot(point[1] - expected[1]) < 1e-9;
            assert!(near, "{data}: {points:?}");
        }
    }

    #[test]
    fn lines_absolute_relative_repeated_and_packed() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
        check("M0 0L1 0 1 1 0 1Z", &square);
        check("M 0,0 1,0 1,1 0,1 z", &square);
        check("m0 0 1 0 0 1-1 0z", &square);
        check("M0 0H1V1H0Z", &square);
        check("M0 0h1v1h-1v-1", &square);
        check("M1e0.5l.5.5-1.5-0", &[[1.0, 0.5], [1.5, 1.0], [0.0, 1.0]]);
    }

    /// Every flattened point lies on the curve and the steps are short enough.
    fn check_circle(data: &str, center: [f64; 2], radius: f64, turn: f64) {
        let points = read(data).unwrap();
        let away = |p: &[f64; 2]| (p[0] - center[0]).hypot(p[1] - center[1]);
        assert!(
            points.iter().all(|p| (away(p) - radius).abs() < 1e-3),
            "{data}: {points:?}"
        );
        let angle = |p: &[f64; 2]| (p[1] - center[1]).atan2(p[0] - center[0]);
        let step = |pair: &[[f64; 2]]| {
            let step = angle(&pair[1]) - angle(&pair[0]);
            (step + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI
        };
        let total: f64 = points.windows(2).map(step).sum();
        assert!((total - turn).abs() < 1e-6, "{data} turns by {total}");
    }

    #[test]
    fn arcs_take_the_way_their_flags_say() {
        use std::f64::consts::FRAC_PI_2;
        check_circle("M2 0A2 2 0 0 1 0 2", [0.0, 0.0], 2.0, FRAC_PI_2);
        check_circle("M2 0A2 2 0 1 0 0 2", [0.0, 0.0], 2.0, -3.0 * FRAC_PI_2);
        check_circle("M2 0a2 2 0 00-2 2", [2.0, 2.0], 2.0, -FRAC_PI_2);
        check_circle("M2 0a2 2 30 11-2 2", [2.0, 2.0], 2.0, 3.0 * FRAC_PI_2);
        check_circle("M1 0A.1 .1 0 0 1 -1 0", [0.0, 0.0], 1.0, 2.0 * FRAC_PI_2);
    }

    #[test]
    fn cubics_and_quadratics_with_their_smooth_forms() {
        let k = 0.5522847498; // the usual cubic for a quarter circle, good to 3e-4
        let data = format!("M1 0C1 {k} {k} 1 0 1S-1 {k} -1 0");
        check_circle(&data, [0.0, 0.0], 1.0, std::f64::consts::PI);
        let parabola = read("M0 0Q1 2 2 0T4 0").unwrap();
        let height = |x: f64| {
            if x <= 2.0 {
                x * (2.0 - x)
            } else {
                (x - 2.0) * (x - 4.0)
            }
        };
        assert!(parabola.len() > 20);
        assert!(
            parabola.iter().all(|p| (p[1] - height(p[0])).abs() < 1e-9),
            "{parabola:?}"
        );
    }

    #[test]
    fn the_first_path_is_taken_whatever_surrounds_it() {
        let text = "<?xml version='1.0'?>\n<!-- <path d='M9 9'/> -->\n<svg:svg><g id=\"d\">\n\
                    <svg:path id='a' stroke = \"red\"\n d='M0 0 L3 4'/><path d='M5 5'/></g></svg:svg>";
        assert_eq!(read_svg_path(text).unwrap(), [[0.0, 0.0], [3.0, 4.0]]);
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(read_svg_path("hello"), Err(SvgError::NoPath));
        assert_eq!(read_svg_path("<svg><path/></svg>"), Err(SvgError::NoPath));
        let turned = "<path transform='rotate(3)' d='M0 0'/>";
        assert_eq!(read_svg_path(turned), Err(SvgError::Transform));
        for (data, message) in [
            (
                "L1 1",
                "line 1, column 15 of the file: \"L1\" in the path; expected M, which every path starts with",
            ),
            (
                "M0 0\nL1 x",
                "line 2, column 4 of the file: \"x\" in the path; expected a finite number",
            ),
            (
                "M0 0L1",
                "line 1, column 21 of the file: \"end\" in the path; expected a finite number",
            ),
            (
                "M0 0A1 1 0 2 0 1 1",
                "line 1, column 26 of the file: \"2\" in the path; expected an arc's flag, 0 or 1",
            ),
            (
                "M0 0Z1 1",
                "line 1, column 20 of the file: \"1\" in the path; expected a path command, one of MLHVCSQTAZ",
            ),
            (
                "M0 1e999",
                "line 1, column 18 of the file: \"1e999\" in the path; expected a finite number",
            ),
            (
                "M0 NaN",
                "line 1, column 18 of the file: \"NaN\" in the path; expected a finite number",
            ),
        ] {
            assert_eq!(read(data).unwrap_err().to_string(), message, "{data}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(data in "[MmLlHhVvCcSsQqTtAaZz0-9eE., +\\-<>é\"']{0,60}") {
            let _ = read(&data);
            let _ = read_svg_path(&data);
        }
    }
}
