//! Pictures of motion as PNG bytes: stick-figure sheets, plots over time, matrices, paths.
//!
//! Pure functions from clips and numbers to bytes; the same input gives the same bytes. Writing
//! files is the caller's. Colours: left limbs blue, right limbs orange, planted feet green.

mod canvas;
mod clip_plot;
mod colour;
mod figure;
mod font;
mod matrix;
mod path_plot;
mod plot;
mod scale;
mod sheet;

pub use canvas::DrawError;
pub use clip_plot::{ClipPlotOptions, plot_clip};
pub use colour::{Colour, palette};
pub use matrix::{Mark, MatrixPicture, draw_matrix};
pub use path_plot::{PathPicture, PathTrace, draw_paths, plants_on_ground, root_trace};
pub use plot::{Band, Panel, Plot, Series, SeriesStyle, draw_plot};
pub use sheet::{SheetOptions, StripOptions, View, draw_sheet, draw_strip};
