//! `graph`: build or extend the motion graph of a library.

use std::ops::ControlFlow;
use std::path::Path;

use afoot_core::Clip;
use afoot_draw::{Panel, Plot, Series, draw_plot};
use afoot_formats::files::write_whole;
use afoot_graph::{GraphOptions, GraphReport, MotionGraph, PairThreshold, Progress};
use afoot_library::Library;
use serde_json::{Value, json};

use crate::arguments::{GraphArguments, GraphOptionArguments};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::interrupt;

