//! Pictures of motion as PNG bytes: stick-figure sheets, plots over time, matrices, paths.
//!
//! Pure functions from clips and numbers to bytes; the same input gives the same bytes. Writing
//! files is the caller's. Colours: left limbs blue, right limbs orange, planted feet green.
//!
//! ```
//! use afoot_draw::{SheetOptions, draw_sheet};
//! use afoot_sample::{SampleOptions, sample_library};
//!
//! let walk = &sample_library(&SampleOptions::default())[0];
//! let picture = draw_sheet(walk, &SheetOptions::default())?;
//! assert!(picture.starts_with(b"\x89PNG"));
//! # Ok::<(), afoot_draw::DrawError>(())
//! ```

mod body;
mod canvas;
mod clip_plot;
mod colour;
mod figure;
mod font;
mod matrix;
mod page;
mod path_plot;
mod plot;
mod scale;
mod sheet;
mod stage;

pub use body::{Capsule, capsules};
pub use canvas::DrawError;
pub use clip_plot::{ClipPlotOptions, plot_clip};
pub use colour::{Colour, palette};
pub use figure::{ground_of, joint_sides};
pub use matrix::{Mark, MatrixPicture, draw_matrix};
pub use page::{Page, PageFigure, SteeredPage, draw_page, draw_steered_page};
pub use path_plot::{PathPicture, PathTrace, draw_paths, plants_on_ground, root_trace};
pub use plot::{Band, Panel, Plot, Series, SeriesStyle, draw_plot};
pub use sheet::{SheetOptions, StripOptions, View, draw_sheet, draw_strip};
pub use stage::{Stage, StageEye, StageMoment};
