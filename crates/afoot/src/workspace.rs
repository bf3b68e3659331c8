//! What a request is given beside its own fields: the library that is open, the files it may name.

use crate::failure::Failure;
use crate::files::Files;
use crate::library::Library;

/// Where a request is answered. Made from a [`Library`], or from [`Files`] alone where none is needed.
#[derive(Clone, Copy, Debug)]
pub struct Workspace<'a> {
    library: Option<&'a Library>,
    files: &'a dyn Files,
}

impl<'a> Workspace<'a> {
    /// The library, of requests that need one.
    pub fn library(&self) -> Result<&'a Library, Failure> {
        let none = || Failure::bad_request("this needs a library, and none is open");
        self.library.ok_or_else(none)
    }

    /// The library, if one is open.
    pub fn any_library(&self) -> Option<&'a Library> {
        self.library
    }

    /// The files that may be named.
    pub fn files(&self) -> &'a dyn Files {
        self.files
    }
}

impl<'a> From<&'a Library> for Workspace<'a> {
    fn from(library: &'a Library) -> Self {
        Self {
            library: Some(library),
            files: library.files(),
        }
    }
}

impl<'a, F: Files> From<&'a F> for Workspace<'a> {
    fn from(files: &'a F) -> Self {
        Self {
            library: None,
            files,
        }
    }
}
