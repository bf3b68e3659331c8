//! Pictures of clips and ways, as PNG bytes; those of graphs and crowds are had from their reports.

use afoot_core::Clip;
pub use afoot_draw::PageFigure;
use afoot_draw::{
    ClipPlotOptions, Colour, Mark, MatrixPicture, Page, Panel, PathPicture, PathTrace, Plot,
    Series, SheetOptions, StripOptions, draw_matrix, draw_page, draw_paths, draw_plot, draw_sheet,
    draw_strip, plants_on_ground, plot_clip, root_trace,
};
use afoot_graph::ErrorMatrix;
use afoot_synth::{Crowd, Obstacle, World};

use crate::failure::Failure;
use crate::requests::ThresholdGives;

/// A clip as stick figures.
pub fn sheet(clip: &Clip) -> Result<Vec<u8>, Failure> {
    Ok(draw_sheet(clip, &SheetOptions::default())?)
}

/// Every frame of a clip around a moment. [s]
pub fn strip(clip: &Clip, moment: f64) -> Result<Vec<u8>, Failure> {
    let options = StripOptions {
        time: moment,
        ..StripOptions::default()
    };
    Ok(draw_strip(clip, &options)?)
}

/// Motions as a page that plays them, in one HTML file.
pub fn page(title: &str, figures: Vec<PageFigure>) -> Result<Vec<u8>, Failure> {
    Ok(draw_page(&Page { title, figures })?.into_bytes())
}

/// A clip's heights, speeds and contacts over time.
pub fn curves(clip: &Clip) -> Result<Vec<u8>, Failure> {
    Ok(plot_clip(clip, &ClipPlotOptions::default())?)
}

/// Where a motion goes, gathered for a picture of it from above.
#[derive(Clone, Debug, Default)]
pub struct FromAbove {
    trace: Vec<[f64; 2]>,
    plants: Vec<[f64; 2]>,
}

impl FromAbove {
    /// The next frames.
    pub fn add(&mut self, clip: &Clip) {
        self.trace.extend(root_trace(clip));
        self.plants.extend(plants_on_ground(clip));
    }

    /// The way walked, and the one asked for. [m]
    pub fn draw(self, asked: Option<&[[f64; 2]]>) -> Result<Vec<u8>, Failure> {
        let asked = asked.map(|points| PathTrace::asked("asked", points.to_vec()));
        let walked = PathTrace::new("walked", self.trace);
        let picture = PathPicture {
            traces: asked.into_iter().chain([walked]).collect(),
            plants: self.plants,
            ..PathPicture::default()
        };
        Ok(draw_paths(&picture)?)
    }
}

/// What other thresholds of a graph would give.
pub(crate) fn trade_off(rows: &[ThresholdGives]) -> Result<Vec<u8>, Failure> {
    let series = |name: &str, value: fn(&ThresholdGives) -> f64| {
        let point = |row: &ThresholdGives| [f64::from(row.threshold_cm), value(row)];
        let curve = Series::line(name, rows.iter().map(point).collect());
        Panel {
            y_label: name.into(),
            series: vec![curve],
            ..Panel::default()
        }
    };
    let plot = Plot {
        title: "What a threshold gives".into(),
        x_label: "threshold [cm]".into(),
        panels: vec![
            series("transitions", |row| row.transitions as f64),
            series("share of frames kept", |row| row.share),
            series("mean error [cm]", |row| row.mean_error_cm),
        ],
        ..Plot::default()
    };
    Ok(draw_plot(&plot)?)
}

/// The error of every transition from clip `a` to clip `b`, minima marked.
pub(crate) fn matrix(matrix: &ErrorMatrix, [a, b]: [&Clip; 2]) -> Result<Vec<u8>, Failure> {
    let mark = |[row, column]: &[u32; 2]| Mark {
        row: *row as usize,
        column: *column as usize,
        colour: Colour::RIGHT,
    };
    let marks: Vec<Mark> = matrix.minima.iter().map(mark).collect();
    let title = format!("{} against {}: error of a transition [cm]", a.name, b.name);
    let labels = [format!("{} [s]", b.name), format!("{} [s]", a.name)];
    let picture = MatrixPicture {
        values: &matrix.values,
        width: matrix.cols,
        height: matrix.rows,
        marks: &marks,
        title: &title,
        labels: [&labels[0], &labels[1]],
        cell: [a.rate.frame_time(); 2],
        ..MatrixPicture::default()
    };
    Ok(draw_matrix(&picture)?)
}

/// All ways of a crowd from above, with the obstacles.
pub(crate) fn crowd(crowd: &Crowd, world: &World) -> Result<Vec<u8>, Failure> {
    let outline = |obstacle: &Obstacle| PathTrace::asked("", outline_of(obstacle));
    let way =
        |character: &afoot_synth::Character| PathTrace::new("", root_trace(&character.played.clip));
    let obstacles = world.obstacles.iter().map(outline);
    let picture = PathPicture {
        title: format!("{} characters", crowd.characters.len()),
        traces: obstacles.chain(crowd.characters.iter().map(way)).collect(),
        ..PathPicture::default()
    };
    Ok(draw_paths(&picture)?)
}

fn outline_of(obstacle: &Obstacle) -> Vec<[f64; 2]> {
    match obstacle {
        Obstacle::Circle([x, z, radius]) => (0..=32)
            .map(|step| f64::from(step) * std::f64::consts::TAU / 32.0)
            .map(|angle| [x + radius * angle.cos(), z + radius * angle.sin()])
            .collect(),
        Obstacle::Polygon(corners) => corners.iter().chain(corners.first()).copied().collect(),
    }
}
