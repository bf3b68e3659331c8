//! Afoot for Python: what `import afoot._afoot` gives; `python/afoot` words it for people.
//!
//! Requests go in and reports come out as JSON text, so that Python has every request that the crate
//! `afoot` has, with its defaults, and nothing is said twice. Motion is numbers: `clip` shows a clip's arrays
//! to numpy where they lie. `work` runs requests off the interpreter's lock, hears Ctrl-C, and
//! calls back; `failures` are exceptions with the same words.

mod clip;
mod failures;
mod figure;
mod library;
mod work;

use pyo3::prelude::*;

#[pymodule]
fn _afoot(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<library::Library>()?;
    module.add_class::<clip::Clip>()?;
    module.add_class::<clip::Numbers>()?;
    module.add_class::<figure::Figure>()?;
    module.add_class::<work::Asked>()?;
    module.add_function(wrap_pyfunction!(library::requests, module)?)?;
    module.add_function(wrap_pyfunction!(library::ask, module)?)?;
    module.add_function(wrap_pyfunction!(library::make, module)?)?;
    module.add_function(wrap_pyfunction!(clip::read, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    failures::add_to(module)
}
