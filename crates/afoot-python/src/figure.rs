//! A figure steered call by call, as a game steers it.

use std::sync::{Mutex, PoisonError};

use afoot::LiveFigure;
use pyo3::prelude::*;

use crate::clip::Numbers;
use crate::failures::raised;

/// The root's place, rotations, points and speed of one step.
type Step = ((f32, f32, f32), Numbers, Numbers, f64);

/// A steered figure.
#[pyclass(frozen)]
pub(crate) struct Figure(Mutex<LiveFigure>);

impl From<LiveFigure> for Figure {
    fn from(figure: LiveFigure) -> Self {
        Self(Mutex::new(figure))
    }
}

#[pymethods]
impl Figure {
    /// Lets time pass with the wish to move towards `degrees` (0 along +z, 90 along +x): the root's
    /// place, local rotations (joint, x y z w), joints and end sites in the world, and the speed. [s, m, m/s]
    #[pyo3(signature = (seconds, degrees, label=None))]
    fn advance(
        &self,
        py: Python<'_>,
        seconds: f64,
        degrees: f64,
        label: Option<&str>,
    ) -> PyResult<Step> {
        let mut figure = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = figure.advance(seconds, degrees, label);
        let frame = frame.map_err(|failure| raised(py, &failure))?;
        let rotations = frame.pose.rotations.iter();
        let rotations: Vec<f32> = rotations.flat_map(|turn| turn.to_array()).collect();
        let (joints, points) = (frame.pose.rotations.len(), frame.points.len());
        Ok((
            frame.pose.root.into(),
            Numbers::own(rotations, vec![joints, 4]),
            Numbers::own(frame.points.concat(), vec![points, 3]),
            frame.speed,
        ))
    }

    /// The words that `advance` takes as labels.
    #[getter]
    fn words(&self) -> Vec<String> {
        let figure = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        figure.words().to_vec()
    }
}
