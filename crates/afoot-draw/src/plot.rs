//! Line plots: panels one below the other over a common horizontal axis.

use crate::canvas::{Anchor, Area, Canvas, DrawError, Pen, text_width};
use crate::colour::{Colour, palette};
use crate::scale::{Scale, range_of};

/// A picture of curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Above the first panel.
    pub title: String,
    /// Under the last panel, with its unit.
    pub x_label: String,
    /// What the horizontal axis spans; `None` fits the data.
    pub x_range: Option<[f64; 2]>,
    /// Whether the horizontal axis is logarithmic (positive values only).
    pub x_logarithmic: bool,
    /// From top to bottom; at least one.
    pub panels: Vec<Panel>,
    /// Width of the picture. [px, 200 to 8000]
    pub width: u32,
}

impl Default for Plot {
    fn default() -> Self {
        Self {
            title: String::new(),
            x_label: String::new(),
            x_range: None,
            x_logarithmic: false,
            panels: Vec::new(),
            width: 900,
        }
    }
}

/// One set of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Over the vertical axis, with its unit.
    pub y_label: String,
    /// What the vertical axis spans; `None` fits the data.
    pub y_range: Option<[f64; 2]>,
    /// Whether the vertical axis is logarithmic (positive values only).
    pub y_logarithmic: bool,
    /// Height of the axes. [px, 20 to 4000]
    pub height: u32,
    /// Curves.
    pub series: Vec<Series>,
    /// Rows of bars, under each other; a panel with bands alone has no vertical scale.
    pub bands: Vec<Band>,
    /// Vertical lines, for instance at transitions.
    pub marks: Vec<f64>,
}

impl Default for Panel {
    fn default() -> Self {
        Self {
            y_label: String::new(),
            y_range: None,
            y_logarithmic: false,
            height: 160,
            series: Vec::new(),
            bands: Vec::new(),
            marks: Vec::new(),
        }
    }
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// In the legend; empty leaves it out.
    pub name: String,
    /// x, y; a value that is not finite interrupts the line.
    pub points: Vec<[f64; 2]>,
    /// `None` takes the next of the palette.
    pub colour: Option<Colour>,
    /// How the points are joined.
    pub style: SeriesStyle,
}

impl Series {
    /// A line in the next colour.
    pub fn line(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self {
            name: name.into(),
            points,
            colour: None,
            style: SeriesStyle::Line,
        }
    }

    /// The same in that colour.
    pub fn coloured(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }

    /// The same, drawn in that way.
    pub fn styled(mut self, style: SeriesStyle) -> Self {
        self.style = style;
        self
    }
}

/// How a curve's points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SeriesStyle {
    Line,
    Dashed,
    Dots,
    LineAndDots,
}

/// A row of bars: the stretches in which something holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Left of the row.
    pub name: String,
    /// Half-open, in units of the horizontal axis.
    pub spans: Vec<[f64; 2]>,
    /// Of the bars.
    pub colour: Colour,
}

/// The plot as PNG.
pub fn draw_plot(plot: &Plot) -> Result<Vec<u8>, DrawError> {
    if plot.panels.is_empty() {
        return Err(DrawError::Empty(format!(
            "plot {:?} has no panel",
            plot.title
        )));
    }
    let width = plot.width.clamp(200, 8000);
    let heights: Vec<f32> = plot
        .panels
        .iter()
        .map(|p| p.height.clamp(20, 4000) as f32)
        .collect();
    let height = TOP + heights.iter().map(|h| h + BETWEEN).sum::<f32>() + BOTTOM;
    let mut canvas = Canvas::new(width, height.ceil() as u32)?;
    canvas.text(
        &plot.title,
        [LEFT, 20.0],
        CAPTION,
        Anchor::Left,
        Colour::INK,
    );
    let left = LEFT.max(16.0 + widest_band(plot));
    let x_range = plot.x_range.or_else(|| x_range(plot)).unwrap_or([0.0, 1.0]);
    let x = Scale::new(x_range, [left, width as f32 - RIGHT], plot.x_logarithmic);
    let mut top = TOP;
    for (panel, height) in plot.panels.iter().zip(heights) {
        let area = Area::new(
            left,
            top + HEADING,
            width as f32 - RIGHT - left,
            height - HEADING,
        );
        draw_panel(&mut canvas, area, panel, &x);
        top += height + BETWEEN;
    }
    draw_x_axis(
        &mut canvas,
        [left, width as f32 - RIGHT],
        top - BETWEEN,
        &x,
        &plot.x_label,
    );
    canvas.into_png()
}

/// Margins and text heights. [px]
const LEFT: f32 = 64.0;
const RIGHT: f32 = 16.0;
const TOP: f32 = 32.0;
const BOTTOM: f32 = 26.0;
const BETWEEN: f32 = 14.0;
const HEADING: f32 = 16.0;
const CAPTION: f32 = 11.0;
const SMALL: f32 = 8.0;
const X_TICKS: usize = 10;

fn widest_band(plot: &Plot) -> f32 {
    let names = plot
        .panels
        .iter()
        .flat_map(|panel| &panel.bands)
        .map(|band| &band.name);
    names
        .map(|name| text_width(name, SMALL))
        .fold(0.0, f32::max)
}

fn x_range(plot: &Plot) -> Option<[f64; 2]> {
    let series = plot
        .panels
        .iter()
        .flat_map(|p| &p.series)
        .flat_map(|s| &s.points)
        .map(|p| p[0]);
    let bands = plot
        .panels
        .iter()
        .flat_map(|p| &p.bands)
        .flat_map(|b| &b.spans)
        .flatten()
        .copied();
    range_of(series.chain(bands))
}

fn draw_panel(canvas: &mut Canvas, area: Area, panel: &Panel, x: &Scale) {
    canvas.fill(area, Colour::new(250, 250, 252), 1.0);
    for tick in x.ticks(X_TICKS) {
        let x = x.pixel(tick);
        canvas.line(
            [x, area.y],
            [x, area.y + area.height],
            Pen::new(Colour::FAINT, 1.0),
        );
    }
    let heading = [area.x, area.y - 5.0];
    canvas.text(&panel.y_label, heading, SMALL, Anchor::Left, Colour::INK);
    draw_bands(canvas, area, panel, x);
    if !panel.series.is_empty() {
        draw_series(canvas, area, panel, x);
    }
    for &mark in &panel.marks {
        let x = x.pixel(mark);
        let pen = Pen {
            dashed: true,
            ..Pen::new(Colour::GREY, 1.2)
        };
        canvas.line([x, area.y], [x, area.y + area.height], pen);
    }
    canvas.frame(area, Pen::new(Colour::GREY, 1.0));
    draw_legend(canvas, area, panel);
}

fn draw_bands(canvas: &mut Canvas, area: Area, panel: &Panel, x: &Scale) {
    let row = area.height / panel.bands.len().max(1) as f32;
    for (index, band) in panel.bands.iter().enumerate() {
        let top = area.y + index as f32 * row;
        for &[from, to] in &band.spans {
            let from = x.pixel(from).max(area.x);
            let to = x.pixel(to).min(area.x + area.width);
            let bar = Area::new(from, top + row * 0.2, to - from, row * 0.6);
            if bar.width > 0.0 {
                canvas.fill(bar, band.colour, 1.0);
            }
        }
        let at = [area.x - 8.0, top + row * 0.5 + SMALL * 0.5];
        canvas.text(&band.name, at, SMALL, Anchor::Right, Colour::INK);
    }
}

fn draw_series(canvas: &mut Canvas, area: Area, panel: &Panel, x: &Scale) {
    let y = y_scale(area, panel);
    let ticks = (area.height / 36.0) as usize;
    for tick in y.ticks(ticks) {
        let height = y.pixel(tick);
        canvas.line(
            [area.x, height],
            [area.x + area.width, height],
            Pen::new(Colour::FAINT, 1.0),
        );
        let at = [area.x - 6.0, height + SMALL * 0.5];
        canvas.text(
            &y.label(tick, ticks),
            at,
            SMALL,
            Anchor::Right,
            Colour::GREY,
        );
    }
    for (index, series) in panel.series.iter().enumerate() {
        let colour = series.colour.unwrap_or(palette(index));
        let pixel = |p: &[f64; 2]| inside(area, [x.pixel(p[0]), y.pixel(p[1])]);
        let points: Vec<_> = series.points.iter().map(pixel).collect();
        draw_curve(canvas, &points, series.style, colour);
    }
}

/// Curves are cut at the panel's border, not drawn over its neighbours.
fn inside(area: Area, [x, y]: [f32; 2]) -> [f32; 2] {
    let slack = 0.5;
    if x < area.x - slack || x > area.x + area.width + slack {
        return [f32::NAN; 2];
    }
    // NaN stays NaN through clamp.
    [x, y.clamp(area.y, area.y + area.height)]
}

fn draw_curve(canvas: &mut Canvas, points: &[[f32; 2]], style: SeriesStyle, colour: Colour) {
    let pen = Pen {
        dashed: style == SeriesStyle::Dashed,
        ..Pen::new(colour, 1.6)
    };
    if style != SeriesStyle::Dots {
        canvas.polyline(points, pen);
    }
    if matches!(style, SeriesStyle::Dots | SeriesStyle::LineAndDots) {
        points.iter().for_each(|&p| canvas.dot(p, 2.6, colour));
    }
}

/// Fits the finite values with a little air, never so close that rounding noise shows; touches
/// zero where they nearly do.
fn y_scale(area: Area, panel: &Panel) -> Scale {
    let values = panel.series.iter().flat_map(|s| &s.points).map(|p| p[1]);
    let fitted = range_of(values).map(|[low, high]| {
        let least = 0.02 * low.abs().max(high.abs());
        let air = match panel.y_logarithmic {
            true => 0.0,
            false => ((high - low) * 0.05).max((least - (high - low)) * 0.5),
        };
        let near_zero = low >= 0.0 && low < 0.3 * high && !panel.y_logarithmic;
        [if near_zero { 0.0 } else { low - air }, high + air]
    });
    let range = panel.y_range.or(fitted).unwrap_or([0.0, 1.0]);
    Scale::new(range, [area.y + area.height, area.y], panel.y_logarithmic)
}

fn draw_legend(canvas: &mut Canvas, area: Area, panel: &Panel) {
    let mut right = area.x + area.width;
    for (index, series) in panel.series.iter().enumerate().rev() {
        if series.name.is_empty() {
            continue;
        }
        let colour = series.colour.unwrap_or(palette(index));
        let baseline = area.y - 5.0;
        canvas.text(
            &series.name,
            [right, baseline],
            SMALL,
            Anchor::Right,
            Colour::INK,
        );
        right -= text_width(&series.name, SMALL) + 6.0;
        let middle = baseline - SMALL * 0.5;
        canvas.line(
            [right - 16.0, middle],
            [right, middle],
            Pen::new(colour, 2.4),
        );
        right -= 30.0;
    }
}

fn draw_x_axis(canvas: &mut Canvas, [left, right]: [f32; 2], top: f32, x: &Scale, label: &str) {
    let baseline = top + 14.0;
    for tick in x.ticks(X_TICKS) {
        let text = x.label(tick, X_TICKS);
        canvas.text(
            &text,
            [x.pixel(tick), baseline],
            SMALL,
            Anchor::Middle,
            Colour::GREY,
        );
    }
    canvas.text(
        label,
        [(left + right) * 0.5, baseline + 16.0],
        SMALL,
        Anchor::Middle,
        Colour::INK,
    );
}
