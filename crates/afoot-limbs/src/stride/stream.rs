//! The stride of a walk changed frame by frame, as it plays: no look ahead.
