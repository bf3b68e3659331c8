//! BVH against captured motion; skipped where there is none.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use afoot_core::FrameRate;
use afoot_formats::{
    ReadOptions, Unit, UnitOrigin, UpAxis, WriteOptions, read_bvh, read_motion, write_bvh,
};

#[test]
fn captured_clips_are_written_and_read_again() {
    let Some(folder) = support::cmu("bvh") else {
        return;
    };
    for path in support::files(&folder, "bvh").iter().step_by(13) {
        let motion = read_motion(path, &ReadOptions::default()).unwrap();
        let source = &motion.source;
        assert!(
            (source.metres_per_unit - Unit::Cmu.metres()).abs() < 1e-9,
            "{path:?}"
        );
        assert_eq!(
            (source.unit_origin, source.up),
            (UnitOrigin::Guessed, UpAxis::Y),
            "{path:?}"
        );
        assert_eq!(motion.clip.rate, FrameRate::new(120, 1).unwrap());
        assert_eq!(
            source.header_frames,
            Some(motion.clip.len() as u64),
            "{path:?}"
        );
        assert_eq!(source.warnings, Vec::<String>::new(), "{path:?}");
        for options in [WriteOptions::like(source), WriteOptions::default()] {
            let written = write_bvh(&motion.clip, &options).unwrap();
            assert_eq!(written.warnings, Vec::<String>::new(), "{path:?}");
            let again = read_bvh(&written.bytes, &ReadOptions::default()).unwrap();
            assert_eq!(again.source.header_frames, source.header_frames);
            assert_eq!(again.clip.skeleton.joints().len(), 31);
            for (a, b) in again
                .clip
                .skeleton
                .joints()
                .iter()
                .zip(motion.clip.skeleton.joints())
            {
                assert_eq!((&a.name, &a.channels), (&b.name, &b.channels));
            }
            let off = support::largest_distance(&motion.clip, &again.clip);
            assert!(off < 2e-5, "{path:?}: {off} m");
        }
    }
}
