//! A library that is held open, and requests as JSON text: to it, or to none.

use std::path::PathBuf;
use std::sync::Arc;

use afoot::{AnyFile, Failure, Made, Request, Run, Workspace};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::clip::Clip;
use crate::failures::raised;
use crate::figure::Figure;
use crate::work::{self, Asked};

/// A motion library: one file, held open; what requests share is kept between them.
#[pyclass(frozen)]
pub(crate) struct Library(Arc<afoot::Library>);

#[pymethods]
impl Library {
    #[new]
    #[pyo3(signature = (path, create=false))]
    fn new(py: Python<'_>, path: PathBuf, create: bool) -> PyResult<Self> {
        let opened = match create {
            true => afoot::Library::open_or_create(path),
            false => afoot::Library::open(path),
        };
        let opened = opened.map_err(|failure| raised(py, &failure))?;
        Ok(Self(Arc::new(opened)))
    }

    /// Its file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    /// Answers a request; both are JSON text.
    fn ask(&self, py: Python<'_>, request: &str, to: &str, asked: &Asked) -> PyResult<String> {
        work::run(py, asked, |run| {
            answer(Workspace::from(&*self.0), request, to, run)
        })
    }

    /// Makes a request's motion in memory: the clip, and what is told of it as JSON text.
    fn make(&self, py: Python<'_>, request: &str, asked: &Asked) -> PyResult<(Clip, String)> {
        work::run(py, asked, |run| {
            make_motion(Workspace::from(&*self.0), request, run)
        })
    }

    /// A clip.
    fn clip(&self, py: Python<'_>, name: &str) -> PyResult<Clip> {
        let clip = self.0.clip(name);
        clip.map(Clip::from).map_err(|failure| raised(py, &failure))
    }

    /// A figure to be steered.
    fn figure(&self, py: Python<'_>, asked: &Asked) -> PyResult<Figure> {
        work::run(py, asked, |run| self.0.steer_live(run).map(Figure::from))
    }
}

/// Every request with its defaults and what it gives, as JSON text.
#[pyfunction]
pub(crate) fn requests() -> String {
    let told = |request: &Request| json!({"request": request, "gives": request.gives()});
    Value::from_iter(Request::all().iter().map(told)).to_string()
}

/// Answers a request that needs no library.
#[pyfunction]
pub(crate) fn ask(py: Python<'_>, request: &str, to: &str, asked: &Asked) -> PyResult<String> {
    work::run(py, asked, |run| {
        answer(Workspace::from(&AnyFile), request, to, run)
    })
}

/// Makes the motion of a request that needs no library.
#[pyfunction]
pub(crate) fn make(py: Python<'_>, request: &str, asked: &Asked) -> PyResult<(Clip, String)> {
    work::run(py, asked, |run| {
        make_motion(Workspace::from(&AnyFile), request, run)
    })
}

fn answer(from: Workspace, request: &str, to: &str, run: &Run) -> Result<String, Failure> {
    let request = Request::read(parse(request)?)?;
    Ok(request.run(from, parse(to)?, run)?.to_string())
}

fn make_motion(from: Workspace, request: &str, run: &Run) -> Result<(Clip, String), Failure> {
    let Made {
        clip,
        account,
        told,
    } = Request::read(parse(request)?)?.make(from, run)?;
    let told = json!({
        "sources": account.sources,
        "transitions": account.transitions,
        "details": told.details,
    });
    Ok((clip.into(), told.to_string()))
}

fn parse(text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(Failure::bad_request)
}
