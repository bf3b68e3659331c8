//! Failures as exceptions: one class for each kind, `Failure` above them; `field` and `hint` are attributes.

use afoot::{Failure, FailureKind};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(afoot, AfootError, PyException, "A request gave nothing.");
create_exception!(
    afoot,
    BadRequest,
    AfootError,
    "The request itself is wrong: a value, a name, a file."
);
create_exception!(
    afoot,
    NoMotion,
    AfootError,
    "Understood, but the library holds no motion that does it."
);
create_exception!(
    afoot,
    Cancelled,
    AfootError,
    "Stopped from outside; nothing was written."
);
create_exception!(
    afoot,
    Failed,
    AfootError,
    "Something went wrong: a disk, a damaged library."
);

/// The failure as Python raises it.
pub(crate) fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    let words = failure.to_string();
    let error = match failure.kind {
        FailureKind::BadRequest => BadRequest::new_err(words),
        FailureKind::NoMotion => NoMotion::new_err(words),
        FailureKind::Cancelled => Cancelled::new_err(words),
        FailureKind::Failed => Failed::new_err(words),
    };
    let hint = failure.hint.as_ref().map(ToString::to_string);
    let value = error.value(py);
    let told = value
        .setattr("field", failure.field.as_deref())
        .and_then(|()| value.setattr("hint", hint));
    told.err().unwrap_or(error)
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("AfootError", py.get_type::<AfootError>())?;
    module.add("BadRequest", py.get_type::<BadRequest>())?;
    module.add("NoMotion", py.get_type::<NoMotion>())?;
    module.add("Cancelled", py.get_type::<Cancelled>())?;
    module.add("Failed", py.get_type::<Failed>())
}
