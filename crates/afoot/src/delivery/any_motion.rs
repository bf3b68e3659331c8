//! A request that makes motion, whatever it tells of itself: for surfaces that learn at run time what is
//! asked.

use afoot_run::Run;
use serde_json::Value;

use super::{MotionRequest, Outlet, Told};
use crate::failure::Failure;
use crate::files::FileName;
use crate::ranges::Ranged;
use crate::workspace::Workspace;

/// A request that makes motion, its details as data.
pub(crate) struct AnyMotion<'a>(pub(crate) &'a dyn MakesMotion);

/// [`MotionRequest`] without its own type of details.
pub(crate) trait MakesMotion: Sync + Ranged {
    fn file_read(&self) -> Option<&FileName>;

    fn make_any(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<Value>, Failure>;
}

impl<R: MotionRequest> MakesMotion for R {
    fn file_read(&self) -> Option<&FileName> {
        self.reads()
    }

    fn make_any(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<Value>, Failure> {
        self.make(from, outlet, run)?.into_data()
    }
}

impl Ranged for AnyMotion<'_> {
    fn check_ranges(&self) -> Result<(), Failure> {
        self.0.check_ranges()
    }
}

impl MotionRequest for AnyMotion<'_> {
    type Details = Value;

    fn reads(&self) -> Option<&FileName> {
        self.0.file_read()
    }

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<Value>, Failure> {
        self.0.make_any(from, outlet, run)
    }
}
