//! Interactive control: a figure that goes where it is told to, frame by frame (Kovar et al. 2002,
//! §5.3). What is dear is worked out once per graph (`table`), what is left per frame is a look-up
//! and now and then a blend (`controller`); how fast it reacts is measured in `reaction`.

mod apart;
mod bound;
mod controller;
mod feet;
mod foothold;
mod leave;
mod leg;
mod pivot;
mod reaction;
mod stream;
mod table;
mod values;

pub use controller::{Controller, ControllerError, ControllerOptions, ControllerStart, Playing};
pub use feet::FeetOptions;
pub use pivot::PivotOptions;
pub use reaction::{DirectionWish, Reaction, ReactionOptions, measure_reaction, random_directions};
pub use table::{ControlTable, TableError};
pub use values::ControlOptions;
