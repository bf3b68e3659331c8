//! A clip whose arrays numpy sees where they lie.
//!
//! A clip never changes, so its arrays are read-only and may be looked at for as long as anybody holds
//! them: [`Numbers`] tells numpy where they are (`__array_interface__`) and keeps the clip alive.

use std::sync::Arc;

use afoot::{AnyFile, MotionFile, Output, forward_kinematics, write_clip};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failures::raised;
use crate::work::{self, Asked};

/// Motion: a skeleton, a rate, and flat arrays of numbers.
#[pyclass(frozen)]
#[derive(Clone)]
pub(crate) struct Clip(Arc<afoot::Clip>);

/// Numbers of a clip, for `numpy.asarray`, which copies nothing.
#[pyclass(frozen)]
pub(crate) struct Numbers {
    shape: Vec<usize>,
    typestr: &'static str,
    address: usize,
    /// What holds the numbers.
    _owner: Owner,
}

#[allow(dead_code)] // held, never read
enum Owner {
    Clip(Arc<afoot::Clip>),
    Floats(Vec<f32>),
}

impl From<afoot::Clip> for Clip {
    fn from(clip: afoot::Clip) -> Self {
        Self(Arc::new(clip))
    }
}

#[pymethods]
impl Clip {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Frames per second.
    #[getter]
    fn fps(&self) -> f64 {
        self.0.rate.fps()
    }

    /// Its length. [s]
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.seconds()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The joints' names; parents come before their children.
    #[getter]
    fn joints(&self) -> Vec<String> {
        let joints = self.0.skeleton.joints().iter();
        joints.map(|joint| joint.name.clone()).collect()
    }

    /// The number of each joint's parent, -1 for the root.
    #[getter]
    fn parents(&self) -> Vec<i64> {
        let joints = self.0.skeleton.joints().iter();
        let parent = |joint: &afoot::Joint| joint.parent.map_or(-1, |parent| parent.index() as i64);
        joints.map(parent).collect()
    }

    /// What each joint is to the body ("left_foot"), or `None`.
    #[getter]
    fn roles(&self) -> Vec<Option<String>> {
        let joints = self.0.skeleton.joints().iter();
        joints
            .map(|joint| joint.role.map(|role| role.to_string()))
            .collect()
    }

    /// Each joint's place in its parent's frame. [m]
    #[getter]
    fn offsets(&self) -> Numbers {
        let joints = self.0.skeleton.joints().iter();
        let floats: Vec<f32> = joints.flat_map(|joint| joint.offset.to_array()).collect();
        Numbers::own(floats, vec![self.0.joint_count(), 3])
    }

    /// The root's place in the world, a row a frame. [m]
    #[getter]
    fn root(&self) -> Numbers {
        let floats: &[f32] = bytemuck::cast_slice(&self.0.root);
        Numbers::of(self, floats.as_ptr() as usize, vec![self.0.len(), 3], "<f4")
    }

    /// Local rotations: frame, joint, x y z w.
    #[getter]
    fn rotations(&self) -> Numbers {
        let floats: &[f32] = bytemuck::cast_slice(&self.0.rotations);
        let shape = vec![self.0.len(), self.0.joint_count(), 4];
        Numbers::of(self, floats.as_ptr() as usize, shape, "<f4")
    }

    /// What touches at each frame, a bit each: left heel 1, left ball 2, right heel 4, right ball 8, left hand
    /// 16, right hand 32, seat 64. Empty where contacts were not looked for.
    #[getter]
    fn contacts(&self) -> Numbers {
        let bits: &[u8] = bytemuck::cast_slice(&self.0.contacts);
        Numbers::of(self, bits.as_ptr() as usize, vec![bits.len()], "|u1")
    }

    /// How the figure moves at each frame ("walk"), or empty.
    #[getter]
    fn types(&self) -> Vec<String> {
        let types = self.0.types.iter();
        types.map(|kind| kind.name().to_owned()).collect()
    }

    /// Labels with the frames that they hold for, half-open.
    #[getter]
    fn labels(&self) -> Vec<(String, u32, u32)> {
        let labels = self.0.labels.iter();
        labels
            .map(|span| (span.label.clone(), span.frames.start, span.frames.end))
            .collect()
    }

    /// Joints in the world: frame, joint, x y z. Worked out anew at each call. [m]
    fn positions(&self, py: Python<'_>) -> Numbers {
        let joints = self.0.joint_count();
        let floats = py.detach(|| {
            let positions = forward_kinematics(&self.0);
            let frames = positions
                .as_slice()
                .chunks_exact(positions.points_per_frame());
            frames
                .flat_map(|points| points[..joints].iter().flat_map(|point| point.to_array()))
                .collect::<Vec<f32>>()
        });
        Numbers::own(floats, vec![self.0.len(), joints, 3])
    }

    /// The same motion with other numbers: `root` (frames × 3) and `rotations` (frames × joints × 4) as bytes of
    /// 32-bit floats.
    fn with_numbers(&self, name: &str, root: &[u8], rotations: &[u8]) -> PyResult<Self> {
        let (root, rotations) = (floats(root)?, floats(rotations)?);
        let mut clip = afoot::Clip::empty(name, Arc::clone(&self.0.skeleton), self.0.rate);
        let wrong =
            || PyValueError::new_err("root is frames × 3, rotations are frames × joints × 4");
        let frames = root.len() / 3;
        if !root.len().is_multiple_of(3) || rotations.len() != frames * self.0.joint_count() * 4 {
            return Err(wrong());
        }
        clip.root = root.chunks_exact(3).map(vector).collect();
        clip.rotations = rotations.chunks_exact(4).map(rotation).collect();
        clip.check()
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(clip.into())
    }

    /// Writes it to a file, by its ending; `output` is JSON text as requests have it.
    fn write(&self, py: Python<'_>, output: &str, asked: &Asked) -> PyResult<()> {
        let output: Output = serde_json::from_str(output)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let clip = afoot::Clip::clone(&self.0);
        work::run(py, asked, |run| write_clip(clip, &output, run).map(drop))
    }
}

#[pymethods]
impl Numbers {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        told.set_item("version", 3)?;
        told.set_item("shape", pyo3::types::PyTuple::new(py, &self.shape)?)?;
        told.set_item("typestr", self.typestr)?;
        told.set_item("data", (self.address, true))?;
        Ok(told)
    }
}

impl Numbers {
    fn of(clip: &Clip, address: usize, shape: Vec<usize>, typestr: &'static str) -> Self {
        Self {
            shape,
            typestr,
            address,
            _owner: Owner::Clip(Arc::clone(&clip.0)),
        }
    }

    pub(crate) fn own(floats: Vec<f32>, shape: Vec<usize>) -> Self {
        debug_assert_eq!(floats.len(), shape.iter().product::<usize>());
        Self {
            shape,
            typestr: "<f4",
            address: floats.as_ptr() as usize,
            _owner: Owner::Floats(floats),
        }
    }
}

/// The motion in a file; `file` is JSON text as requests have it.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, file: &str, asked: &Asked) -> PyResult<Clip> {
    let file: MotionFile =
        serde_json::from_str(file).map_err(|error| PyValueError::new_err(error.to_string()))?;
    if file.file.to_string().is_empty() {
        let failure = afoot::Failure::bad_request("no file is named");
        return Err(raised(py, &failure));
    }
    work::run(py, asked, |run| file.clip(&AnyFile, run).map(Clip::from))
}

fn floats(bytes: &[u8]) -> PyResult<Vec<f32>> {
    if !bytes.len().is_multiple_of(4) {
        return Err(PyValueError::new_err("expected 32-bit floats"));
    }
    let float = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    Ok(bytes.chunks_exact(4).map(float).collect())
}

fn vector(of: &[f32]) -> afoot::Vec3 {
    afoot::Vec3::from_slice(of)
}

fn rotation(of: &[f32]) -> afoot::Quat {
    afoot::Quat::from_slice(of).normalize()
}
