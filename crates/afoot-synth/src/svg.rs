//! The lines of an SVG drawing, in drawing order, as a line on the ground.
//!
//! `usvg` reads the file: shapes, transforms, units, styles, `<use>`; `kurbo` flattens curves to a
//! millimetre. One user unit of the drawing (inside its viewBox) is a metre unless a scale or a size is
//! given; x is x, y is z. A page measured in millimetres or inches is not a size on the ground, so there
//! one has to be given. Lines that are stroked are followed; where nothing is, outlines of what is
//! filled; else whatever is there. A stroke is one unbroken line; strokes are joined by straight lines.
//! Clip paths, markers, patterns, images and text are not followed, and nothing outside the text is
//! read. Bad values are refused before `usvg` passes over them. Weakness: coordinates go through f32.

use std::collections::HashMap;

use kurbo::{Affine, BezPath, PathEl, Point, Shape};
use serde::{Deserialize, Serialize};
use svgtypes::{Length, LengthUnit, NumberListParser, PathParser, Transform, ViewBox};
use thiserror::Error;
use usvg::roxmltree::{self, Document, Node, NodeId, ParsingOptions};
use usvg::tiny_skia_path::PathSegment;
use usvg::{Group, ImageHrefResolver, Options, Size, Tree};

/// Farthest a flattened curve may lie from the true one. [m]
const FLATNESS: f64 = 1e-3;
/// Larger pages and coordinates are taken for a mistake, as in `path`. [user units, m]
const FARTHEST: f64 = 1e6;
/// Deeper nesting is refused: `usvg` recurses.
const DEEPEST: usize = 128;
/// Most elements of a file: what a scribble of a day would hold.
const MOST_ELEMENTS: u32 = 200_000;
/// Most that a drawing may show, counted as elements, and so many bytes of path data as one.
const MOST_SHOWN: usize = 400_000;
const BYTES_AS_AN_ELEMENT: usize = 16;
/// Most `<use>` elements that lead from one to the next.
const DEEPEST_USE: usize = 16;
/// Most points of a line.
const MOST_POINTS: usize = 5_000_000;
/// What other programs call their lines' arrow heads is not part of the way.
const NO_MARKERS: &str = "* { marker: none !important }";
const SVG: &str = "http://www.w3.org/2000/svg";

/// How a drawing lies on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawingOptions {
    /// Length of a user unit. [m, > 0, at most 100000]
    pub scale: Option<f64>,
    /// Width or depth of all that is followed, whichever is larger; instead of a scale. [m, > 0, at most 100000]
    pub fit: Option<f64>,
    /// The one stroke to follow, counted from 1; else all. [1 to 1000000]
    pub stroke: Option<usize>,
}

/// The line of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnLine {
    /// Its points on the ground. [m]
    pub points: Vec<[f64; 2]>,
    /// How many strokes the drawing has.
    pub strokes: usize,
    /// Length of what was added to join them. [m]
    pub joined: f64,
}

/// Why a drawing gives no line.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum SvgError {
    #[error("{message}; expected a path as JSON or an SVG file")]
    NotSvg { message: String },
    #[error("line {line}, column {column} of the file: {name}={value:?}: {message}")]
    BadValue {
        line: u32,
        column: u32,
        name: String,
        value: String,
        message: String,
    },
    #[error("elements lie {DEEPEST} deep in each other or deeper; expected fewer")]
    TooDeep,
    #[error("the drawing shows more than {MOST_SHOWN} elements, each as often as a <use> shows it")]
    TooMuchShown,
    #[error("nothing is drawn; expected a path, line, polyline, polygon, rect, circle or ellipse")]
    Empty,
    #[error("the page is measured in {unit}, which says nothing of its size on the ground")]
    OnPaper { unit: &'static str },
    #[error("there is no stroke {stroke}; the drawing has {count}, counted from 1")]
    NoStroke { stroke: usize, count: usize },
    #[error("{name} {value}; expected a length of more than 0 m")]
    BadSize { name: &'static str, value: f64 },
    #[error("a scale and a size to fit were given; expected one of them")]
    ScaleAndFit,
    #[error("the drawing reaches {reach:e} m; expected less than {FARTHEST:e}")]
    TooLarge { reach: f64 },
    #[error("the drawing has more than {MOST_POINTS} points on the ground")]
    TooManyPoints,
}

/// The line that a drawing's strokes form on the ground.
pub fn read_drawing(text: &str, options: &DrawingOptions) -> Result<DrawnLine, SvgError> {
    let text = with_namespace(text);
    let page = read_page(&text)?;
    let tree = parse(&page.text, &page)?;
    let strokes = strokes_of(&tree);
    if strokes.is_empty() {
        return Err(SvgError::Empty);
    }
    let followed = chosen(&strokes, options.stroke)?;
    let scale = scale_of(followed, &page, options)?;
    let (points, joined) = flatten(followed, scale)?;
    Ok(DrawnLine {
        points,
        strokes: strokes.len(),
        joined,
    })
}

/// A closed shape of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnShape {
    /// Its id, or that of the group it is in; empty if it has none.
    pub id: String,
    /// Its corners on the ground, in order. [m]
    pub outline: Vec<[f64; 2]>,
}

/// The shapes of a drawing with at least three corners, in drawing order, whatever they are painted with.
pub fn read_shapes(text: &str, options: &DrawingOptions) -> Result<Vec<DrawnShape>, SvgError> {
    let text = with_namespace(text);
    let page = read_page(&text)?;
    let tree = parse(&page.text, &page)?;
    let mut named = Vec::new();
    gather_named(tree.root(), "", &mut named);
    let strokes: Vec<BezPath> = named.iter().map(|(_, stroke)| stroke.clone()).collect();
    if strokes.is_empty() {
        return Err(SvgError::Empty);
    }
    let scale = scale_of(&strokes, &page, options)?;
    let mut shapes = Vec::new();
    for (id, stroke) in named {
        let (mut outline, _) = flatten(std::slice::from_ref(&stroke), scale)?;
        outline.dedup();
        if outline.len() > 1 && outline.first() == outline.last() {
            outline.pop();
        }
        if outline.len() > 2 {
            shapes.push(DrawnShape { id, outline });
        }
    }
    Ok(shapes)
}

/// Every stroke with the id of its element, or of the nearest group that has one.
fn gather_named(group: &Group, above: &str, shapes: &mut Vec<(String, BezPath)>) {
    let own = |id: &str| if id.is_empty() { above } else { id }.to_owned();
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => gather_named(inner, &own(inner.id()), shapes),
            usvg::Node::Path(path) if path.is_visible() => {
                let strokes = strokes_of_shape(path).into_iter();
                shapes.extend(strokes.map(|stroke| (own(path.id()), stroke)));
            }
            _ => {}
        }
    }
}

/// Hand-written files often leave the namespace out; without it nothing is SVG.
fn with_namespace(text: &str) -> String {
    match text.find("<svg") {
        Some(at) if !text.contains(SVG) => {
            let (head, tail) = text.split_at(at + "<svg".len());
            format!("{head} xmlns=\"{SVG}\"{tail}")
        }
        _ => text.to_owned(),
    }
}

/// The root element, with its own coordinates instead of its place on a page.
struct Page {
    text: String,
    size: [f64; 2],
    /// The unit that its width or height is given in, if that is a unit of paper.
    paper: Option<&'static str>,
}

/// What the root element says; refuses what is not a drawing, and values that can't be read.
fn read_page(text: &str) -> Result<Page, SvgError> {
    let document = read_xml(text)?;
    check_values(&document)?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        let message = format!("the file's element is <{}>", root.tag_name().name());
        return Err(SvgError::NotSvg { message });
    }
    let view = root.attribute("viewBox").map(str::parse::<ViewBox>);
    let view = view.and_then(Result::ok);
    let lengths = ["width", "height"].map(|name| root.attribute(name)?.parse::<Length>().ok());
    let size = match view {
        Some(view) => [view.w, view.h],
        None => lengths.map(|length| length.map_or(100.0, |length| length.number)),
    };
    Ok(Page {
        text: in_own_units(text, root, size),
        size,
        paper: lengths.into_iter().flatten().find_map(paper_unit),
    })
}

fn read_xml(text: &str) -> Result<Document<'_>, SvgError> {
    // Entities are allowed: Illustrator names its namespaces so. Their expansion is bounded by the parser.
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MOST_ELEMENTS,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let message = error.to_string();
        SvgError::NotSvg { message }
    })
}

/// The root with a size in user units and no viewBox, so that coordinates are those of the drawing.
fn in_own_units(text: &str, root: Node, [width, height]: [f64; 2]) -> String {
    let own = [
        "width",
        "height",
        "viewBox",
        "preserveAspectRatio",
        "x",
        "y",
    ];
    let mut cut: Vec<_> = root
        .attributes()
        .filter(|attribute| attribute.namespace().is_none() && own.contains(&attribute.name()))
        .map(|attribute| attribute.range())
        .collect();
    cut.sort_by_key(|range| range.start);
    let start = root.range().start;
    let tag = text[start..].find(|c: char| c.is_whitespace() || c == '>' || c == '/');
    let mut from = start + tag.unwrap_or(0);
    let mut changed = format!("{} width=\"{width}\" height=\"{height}\"", &text[..from]);
    for range in cut {
        changed += &text[from..range.start];
        from = range.end;
    }
    changed + &text[from..]
}

fn paper_unit(length: Length) -> Option<&'static str> {
    match length.unit {
        LengthUnit::Mm => Some("millimetres"),
        LengthUnit::Cm => Some("centimetres"),
        LengthUnit::In => Some("inches"),
        LengthUnit::Pt | LengthUnit::Pc => Some("points"),
        _ => None,
    }
}

/// Refuses what `usvg` would pass over, or follow for ever.
fn check_values(document: &Document) -> Result<(), SvgError> {
    let mut depth = 0;
    let mut open = vec![document.root_element()];
    // Breadth first by hand, since depth is what may be wrong.
    while !open.is_empty() {
        depth += 1;
        if depth > DEEPEST {
            return Err(SvgError::TooDeep);
        }
        for element in &open {
            for attribute in element.attributes() {
                check_value(document, *element, &attribute)?;
            }
        }
        open = open.iter().flat_map(Node::children).collect();
    }
    match Shown::of(document) > MOST_SHOWN {
        true => Err(SvgError::TooMuchShown),
        false => Ok(()),
    }
}

/// Counts what a drawing shows: elements, and their data, as often as `<use>` shows them.
struct Shown<'a, 'input> {
    by_id: HashMap<&'a str, Node<'a, 'input>>,
    known: HashMap<NodeId, usize>,
    /// What is being counted, outermost first.
    open: Vec<NodeId>,
}

impl<'a, 'input> Shown<'a, 'input> {
    fn of(document: &'a Document<'input>) -> usize {
        let named = |node: Node<'a, 'input>| Some((node.attribute("id")?, node));
        let mut shown = Self {
            by_id: document.descendants().filter_map(named).collect(),
            known: HashMap::new(),
            open: Vec::new(),
        };
        shown.by(document.root_element())
    }

    fn by(&mut self, node: Node<'a, 'input>) -> usize {
        let data = [node.attribute("d"), node.attribute("points")];
        let data: usize = data.into_iter().flatten().map(str::len).sum();
        let mut total = 1 + data / BYTES_AS_AN_ELEMENT + self.by_use(node);
        for child in node.children() {
            if total > MOST_SHOWN {
                break;
            }
            total = total.saturating_add(self.by(child));
        }
        total
    }

    fn by_use(&mut self, node: Node<'a, 'input>) -> usize {
        let id = href_of(node).and_then(|href| href.strip_prefix('#'));
        let Some(target) = id.and_then(|id| self.by_id.get(id)).copied() else {
            return 0;
        };
        if node.tag_name().name() != "use" || self.open.contains(&target.id()) {
            return 0; // a loop shows nothing
        }
        if self.open.len() >= DEEPEST_USE {
            return MOST_SHOWN;
        }
        if let Some(known) = self.known.get(&target.id()) {
            return *known;
        }
        self.open.push(target.id());
        let total = self.by(target);
        self.open.pop();
        self.known.insert(target.id(), total);
        total
    }
}

fn href_of<'a>(element: Node<'a, '_>) -> Option<&'a str> {
    let mut attributes = element.attributes();
    attributes
        .find(|attribute| attribute.name() == "href")
        .map(|attribute| attribute.value())
}

fn check_value(
    document: &Document,
    element: Node,
    attribute: &roxmltree::Attribute,
) -> Result<(), SvgError> {
    let value = attribute.value().trim();
    let tag = element.tag_name().name();
    let message = match attribute.name() {
        "href" if tag == "use" && !value.starts_with('#') => {
            Some("expected a reference within the file".into())
        }
        _ if attribute.namespace().is_some() => None,
        "d" if tag == "path" => path_fault(value),
        "points" => points_fault(value),
        "transform" => value.parse::<Transform>().err().map(|e| e.to_string()),
        "viewBox" => view_box_fault(value),
        "width" | "height" if tag == "svg" => length_fault(value),
        _ => None,
    };
    let Some(message) = message else {
        return Ok(());
    };
    let place = document.text_pos_at(attribute.range().start);
    Err(SvgError::BadValue {
        line: place.row,
        column: place.col,
        name: attribute.name().into(),
        value: shortened(value),
        message,
    })
}

fn path_fault(data: &str) -> Option<String> {
    if data.is_empty() || data == "none" {
        return None;
    }
    let fault = PathParser::from(data).find_map(Result::err);
    fault.map(|error| error.to_string())
}

fn points_fault(data: &str) -> Option<String> {
    let numbers: Result<Vec<f64>, _> = NumberListParser::from(data).collect();
    match numbers {
        Err(error) => Some(error.to_string()),
        Ok(numbers) if numbers.len() % 2 == 1 => Some("expected pairs of numbers".into()),
        Ok(_) => None,
    }
}

fn view_box_fault(value: &str) -> Option<String> {
    let good = |view: ViewBox| {
        let numbers = [view.x, view.y, view.w, view.h];
        numbers.iter().all(|number| number.abs() < FARTHEST) && view.w > 0.0 && view.h > 0.0
    };
    let fault = || format!("expected four numbers below {FARTHEST:e}, the last two above 0");
    (!value.parse().is_ok_and(good)).then(fault)
}

fn length_fault(value: &str) -> Option<String> {
    let good = |length: Length| length.number > 0.0 && length.number < FARTHEST;
    let fault = || format!("expected a length above 0 and below {FARTHEST:e}");
    (value != "auto" && !value.parse().is_ok_and(good)).then(fault)
}

fn shortened(value: &str) -> String {
    let mut short: String = value.chars().take(40).collect();
    if short.len() < value.len() {
        short += "…";
    }
    short
}

fn parse(text: &str, page: &Page) -> Result<Tree, SvgError> {
    let [width, height] = page.size.map(|length| length as f32);
    let options = Options {
        resources_dir: None,
        default_size: Size::from_wh(width, height).unwrap_or(Options::default().default_size),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        style_sheet: Some(NO_MARKERS.into()),
        ..Options::default()
    };
    Tree::from_xmltree(&read_xml(text)?, &options).map_err(|error| {
        let message = error.to_string();
        SvgError::NotSvg { message }
    })
}

/// How a shape is painted, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Paint {
    Stroked,
    Filled,
    None,
}

/// The unbroken lines that are painted as the most telling shapes are, in drawing order.
fn strokes_of(tree: &Tree) -> Vec<BezPath> {
    let mut shapes = Vec::new();
    gather(tree.root(), &mut shapes);
    let best = shapes.iter().map(|(paint, _)| *paint).min();
    let shapes = shapes.into_iter();
    let shapes = shapes.filter(|(paint, _)| Some(*paint) == best);
    shapes.flat_map(|(_, strokes)| strokes).collect()
}

fn gather(group: &Group, shapes: &mut Vec<(Paint, Vec<BezPath>)>) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => gather(group, shapes),
            usvg::Node::Path(path) => {
                let paint = match (path.is_visible(), path.stroke(), path.fill()) {
                    (true, Some(_), _) => Paint::Stroked,
                    (true, None, Some(_)) => Paint::Filled,
                    _ => Paint::None,
                };
                shapes.push((paint, strokes_of_shape(path)));
            }
            _ => {}
        }
    }
}

/// Each sub-path that has a length, where its transforms put it.
fn strokes_of_shape(path: &usvg::Path) -> Vec<BezPath> {
    let t = path.abs_transform();
    let place = Affine::new([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from));
    let point = |p: usvg::tiny_skia_path::Point| place * Point::new(p.x.into(), p.y.into());
    let mut strokes: Vec<BezPath> = Vec::new();
    for segment in path.data().segments() {
        if matches!(segment, PathSegment::MoveTo(_)) {
            strokes.push(BezPath::new());
        }
        let Some(stroke) = strokes.last_mut() else {
            continue;
        };
        match segment {
            PathSegment::MoveTo(to) => stroke.move_to(point(to)),
            PathSegment::LineTo(to) => stroke.line_to(point(to)),
            PathSegment::QuadTo(a, to) => stroke.quad_to(point(a), point(to)),
            PathSegment::CubicTo(a, b, to) => stroke.curve_to(point(a), point(b), point(to)),
            PathSegment::Close => stroke.close_path(),
        }
    }
    strokes.retain(has_length);
    strokes
}

fn has_length(stroke: &BezPath) -> bool {
    let bounds = stroke.control_box();
    bounds.width() > 0.0 || bounds.height() > 0.0
}

fn chosen(strokes: &[BezPath], stroke: Option<usize>) -> Result<&[BezPath], SvgError> {
    let count = strokes.len();
    match stroke {
        None => Ok(strokes),
        Some(stroke) if (1..=count).contains(&stroke) => Ok(&strokes[stroke - 1..stroke]),
        Some(stroke) => Err(SvgError::NoStroke { stroke, count }),
    }
}

/// Metres of a user unit.
fn scale_of(strokes: &[BezPath], page: &Page, options: &DrawingOptions) -> Result<f64, SvgError> {
    let sizes = [("scale", options.scale), ("fit", options.fit)];
    for (name, value) in sizes {
        if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
            return Err(SvgError::BadSize { name, value });
        }
    }
    let bounds = strokes.iter().map(|stroke| stroke.bounding_box());
    let bounds = bounds.reduce(|a, b| a.union(b)).unwrap_or_default();
    let scale = match (options.scale, options.fit, page.paper) {
        (Some(_), Some(_), _) => return Err(SvgError::ScaleAndFit),
        (Some(scale), None, _) => scale,
        (None, Some(fit), _) => fit / bounds.width().max(bounds.height()),
        (None, None, Some(unit)) => return Err(SvgError::OnPaper { unit }),
        (None, None, None) => 1.0,
    };
    let corners = [bounds.x0, bounds.y0, bounds.x1, bounds.y1];
    let reach = scale * corners.into_iter().map(f64::abs).fold(0.0, f64::max);
    match reach < FARTHEST {
        true => Ok(scale),
        false => Err(SvgError::TooLarge { reach }),
    }
}

/// All strokes as one line of metres, and how much of it joins them.
fn flatten(strokes: &[BezPath], scale: f64) -> Result<(Vec<[f64; 2]>, f64), SvgError> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    let mut joined = 0.0;
    for stroke in strokes {
        let mut first = Point::ZERO;
        for segment in stroke.segments() {
            // A piece at a time, so that a few huge curves can't fill the memory.
            if points.len() > MOST_POINTS {
                return Err(SvgError::TooManyPoints);
            }
            let piece = segment.to_path(FLATNESS / scale);
            kurbo::flatten(piece, FLATNESS / scale, |element| match element {
                PathEl::MoveTo(to) => first = to,
                PathEl::LineTo(to) => {
                    let from = [first.x * scale, first.y * scale];
                    if points.last() != Some(&from) {
                        joined += points
                            .last()
                            .map_or(0.0, |last| (from[0] - last[0]).hypot(from[1] - last[1]));
                        points.push(from);
                    }
                    points.push([to.x * scale, to.y * scale]);
                    first = to;
                }
                _ => {}
            });
        }
    }
    Ok((points, joined))
}

#[cfg(test)]
mod tests;
